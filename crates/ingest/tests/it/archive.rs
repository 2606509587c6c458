//! An index that was exported and imported equals, row for row, a clean build of the same files.

use crate::common::put_node_by_hand;
use crate::common::sequence::compare;
use ingest::{IndexOptions, IngestError, Strategy, export, import, update_all};
use std::fs;
use std::path::{Path, PathBuf};
use store::GraphStore;
use store::sqlite::SqliteStore;
use tempfile::TempDir;
use testkit::edits::{Edits, Tree, write_all};

/// A project that was indexed elsewhere, and the file of its index.
struct Elsewhere {
    _folder: TempDir,
    file: PathBuf,
}

fn options(root: &Path) -> IndexOptions {
    IndexOptions {
        threads: 2,
        ..IndexOptions::new(root, &root.join(".devbooks"))
    }
}

fn write_tree(root: &Path, tree: &Tree) {
    write_all(root, tree);
    fs::write(root.join("min.js"), "a=1;".repeat(20_000)).unwrap();
    fs::write(root.join("notes.txt"), "only text, to be searched\n").unwrap();
}

impl Elsewhere {
    fn index(tree: &Tree) -> Elsewhere {
        let folder = tempfile::tempdir().unwrap();
        let project = folder.path().join("project");
        fs::create_dir(&project).unwrap();
        write_tree(&project, tree);
        update_all(&options(&project), &()).unwrap();
        let file = folder.path().join("index.knotwork");
        let report = export(&options(&project), &file).unwrap();
        assert_eq!(report.bytes, fs::metadata(&file).unwrap().len());
        Elsewhere {
            _folder: folder,
            file,
        }
    }
}

#[test]
fn it_equals_a_clean_build_whatever_differs() {
    let mut begun = 0;
    for seed in 1..=12 {
        let mut edits = Edits::new(seed);
        let there = Elsewhere::index(edits.tree());
        let steps = seed % 4;
        for _ in 0..steps {
            edits.next_edit();
        }
        let here = tempfile::tempdir().unwrap();
        write_tree(here.path(), edits.tree());
        let own = options(here.path());
        let taken = import(&own, &there.file, &()).unwrap();
        let report = update_all(&own, &()).unwrap();
        if steps == 0 {
            assert_eq!(report.strategy, Strategy::UpToDate);
            assert_eq!(taken.same, taken.files);
            assert!(taken.texts > taken.files, "notes.txt is one of the texts");
        }
        begun += usize::from(report.strategy == Strategy::Incremental);
        // The facts were imported: only files that differ are parsed.
        assert_eq!(report.reparsed, 0);
        let clean = tempfile::tempdir().unwrap();
        let theirs = IndexOptions::new(here.path(), clean.path());
        update_all(&theirs, &()).unwrap();
        assert_eq!(compare(&own, &theirs), None, "seed {seed}");
        assert!(!own.state_dir.join("import").exists());
    }
    assert!(begun > 5, "{begun}");
}

#[test]
fn what_is_damaged_is_refused_and_the_own_index_stays() {
    let edits = Edits::new(3);
    let there = Elsewhere::index(edits.tree());
    let here = tempfile::tempdir().unwrap();
    write_tree(here.path(), edits.tree());
    let mut own = options(here.path());
    update_all(&own, &()).unwrap();
    let before = SqliteStore::open_read_only(&own.db_path).unwrap();
    let before = before.stats().unwrap();
    let refused = |file: &Path, own: &IndexOptions| {
        let error = import(own, file, &()).unwrap_err();
        assert!(matches!(error, IngestError::Archive { .. }), "{error}");
        let store = SqliteStore::open_read_only(&own.db_path).unwrap();
        assert_eq!(store.stats().unwrap(), before);
        error.to_string()
    };
    let text = refused(&there.file, &own);
    assert!(text.contains("--force"), "{text}");
    own.force = true;
    let good = fs::read(&there.file).unwrap();
    let bad = here.path().join("bad");
    let step = good.len() / 40;
    for at in (0..good.len()).step_by(step.max(1)) {
        let mut bytes = good.clone();
        bytes[at] ^= 0x55;
        fs::write(&bad, &bytes).unwrap();
        refused(&bad, &own);
        fs::write(&bad, &good[..at]).unwrap();
        refused(&bad, &own);
    }
    refused(&here.path().join("missing"), &own);
    refused(here.path(), &own);
    import(&own, &there.file, &()).unwrap();
    own.force = false;
    assert_eq!(update_all(&own, &()).unwrap().strategy, Strategy::UpToDate);
}

#[test]
fn rows_by_hand_are_not_lost() {
    let edits = Edits::new(4);
    let there = Elsewhere::index(edits.tree());
    let here = tempfile::tempdir().unwrap();
    write_tree(here.path(), edits.tree());
    let own = IndexOptions {
        force: true,
        ..options(here.path())
    };
    update_all(&own, &()).unwrap();
    put_node_by_hand(&own.db_path);
    let error = import(&own, &there.file, &()).unwrap_err().to_string();
    assert!(error.contains("by hand"), "{error}");
}
