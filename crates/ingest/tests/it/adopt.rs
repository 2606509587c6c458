//! An index that begins with that of another worktree equals, row for row, a clean build of the same files.

use crate::common::put_node_by_hand;
use crate::common::sequence::compare;
use ingest::{
    DeltaRequest, IndexOptions, ResidentCell, Strategy, export, update, update_all, update_chunks,
    update_incremental,
};
use std::fs;
use std::path::Path;
use store::GraphStore;
use store::sqlite::SqliteStore;
use tempfile::TempDir;
use testkit::edits::{Edits, Tree, write_all};

/// Two clones of one repository, and the folder that clones share.
struct Clones {
    first: TempDir,
    second: TempDir,
    shared: TempDir,
}

impl Clones {
    fn new() -> Clones {
        let folder = || {
            let folder = tempfile::tempdir().unwrap();
            let git = folder.path().join(".git");
            fs::create_dir(&git).unwrap();
            fs::write(git.join("HEAD"), "ref: refs/heads/main\n").unwrap();
            let origin = "[remote \"origin\"]\n\turl = https://example.com/team/shop.git\n";
            fs::write(git.join("config"), origin).unwrap();
            folder
        };
        Clones {
            first: folder(),
            second: folder(),
            shared: tempfile::tempdir().unwrap(),
        }
    }

    fn options(&self, of: &TempDir) -> IndexOptions {
        IndexOptions {
            threads: 2,
            shared_dir: Some(self.shared.path().to_path_buf()),
            ..IndexOptions::new(of.path(), &of.path().join(".devbooks"))
        }
    }

    /// The index of the first clone, of this tree.
    fn first(&self, tree: &Tree) -> IndexOptions {
        write_tree(self.first.path(), tree);
        let options = self.options(&self.first);
        update_all(&options, &()).unwrap();
        options
    }

    /// The index of the second clone, compared with a clean build. Returns its strategy if it began with that of the
    /// first.
    fn second(&self, tree: &Tree, at_once: bool) -> Option<Strategy> {
        write_tree(self.second.path(), tree);
        let options = self.options(&self.second);
        let report = if at_once {
            update_all(&options, &()).unwrap()
        } else {
            let report = update(&options, &()).unwrap();
            update_chunks(&options, &()).unwrap();
            report
        };
        let clean = tempfile::tempdir().unwrap();
        let theirs = IndexOptions::new(self.second.path(), clean.path());
        update_all(&theirs, &()).unwrap();
        assert_eq!(compare(&options, &theirs), None);
        let first = self.first.path().display().to_string();
        assert!(report.taken_from.as_ref().is_none_or(|root| *root == first));
        report.taken_from.map(|_| report.strategy)
    }
}

/// The tree includes a file that is skipped.
fn write_tree(root: &Path, tree: &Tree) {
    write_all(root, tree);
    fs::write(root.join("min.js"), "a=1;".repeat(20_000)).unwrap();
}

#[test]
fn it_equals_a_clean_build_whatever_differs() {
    let mut taken = [0, 0];
    for seed in 1..=24 {
        let clones = Clones::new();
        let mut edits = Edits::new(seed);
        let first = clones.first(edits.tree());
        // The chunks of the first are in several segments, and some of its files are gone.
        for _ in 0..seed % 3 {
            edits.next_edit().apply_to_disk(clones.first.path());
            update_incremental(
                &first,
                &ResidentCell::default(),
                DeltaRequest::default(),
                &(),
            )
            .unwrap();
            update_chunks(&first, &()).unwrap();
        }
        let steps = seed % 4;
        for _ in 0..steps {
            edits.next_edit();
        }
        let how = clones.second(edits.tree(), seed % 2 == 0);
        taken[usize::from(steps > 0)] += usize::from(how.is_some());
        if steps == 0 && seed % 3 == 0 {
            assert_eq!(how, Some(Strategy::UpToDate));
        }
    }
    assert_eq!(taken[0], 6, "each that is the same");
    assert!(taken[1] > 9, "{taken:?}");
}

/// Whether the second still begins with the first, after `change` was applied to the first.
fn is_taken_after(change: impl FnOnce(&Clones, &IndexOptions)) -> bool {
    let clones = Clones::new();
    let edits = Edits::new(7);
    let first = clones.first(edits.tree());
    change(&clones, &first);
    clones.second(edits.tree(), true).is_some()
}

#[test]
fn what_is_no_clean_build_or_not_ones_own_is_left_alone() {
    assert!(is_taken_after(|_, _| ()));
    let by_hand = |_: &Clones, first: &IndexOptions| put_node_by_hand(&first.db_path);
    assert!(!is_taken_after(by_hand), "by hand");
    let older = |_: &Clones, first: &IndexOptions| {
        let mut store = SqliteStore::open(&first.db_path).unwrap();
        store
            .set_metadata("version_stamp", "{\"facts\":1}")
            .unwrap();
    };
    assert!(!is_taken_after(older), "of another version");
    let damaged =
        |_: &Clones, first: &IndexOptions| fs::write(&first.db_path, "no database").unwrap();
    assert!(!is_taken_after(damaged), "damaged");
    let gone = |_: &Clones, first: &IndexOptions| fs::remove_dir_all(&first.state_dir).unwrap();
    assert!(!is_taken_after(gone), "gone");
    let damaged_chunks = |_: &Clones, first: &IndexOptions| {
        for file in fs::read_dir(ingest::chunks_folder(first))
            .unwrap()
            .flatten()
        {
            if file.path().is_file() {
                fs::write(file.path(), "no search index").unwrap();
            }
        }
    };
    assert!(is_taken_after(damaged_chunks), "the graph is whole");
}

#[test]
fn what_was_imported_stays_with_who_imported_it() {
    let import = |clones: &Clones, first: &IndexOptions| {
        let file = clones.shared.path().join("index.knotwork");
        export(first, &file).unwrap();
        let again = IndexOptions {
            force: true,
            ..first.clone()
        };
        ingest::import(&again, &file, &()).unwrap();
        update_all(first, &()).unwrap();
    };
    assert!(!is_taken_after(import));
    let and_read_anew = |clones: &Clones, first: &IndexOptions| {
        import(clones, first);
        let anew = IndexOptions {
            force: true,
            ..first.clone()
        };
        update_all(&anew, &()).unwrap();
    };
    assert!(is_taken_after(and_read_anew));
}

#[cfg(unix)]
#[test]
fn what_others_could_have_written_is_left_alone() {
    use std::os::unix::fs::PermissionsExt;
    let open =
        |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    assert!(!is_taken_after(|_, first| open(&first.db_path, 0o666)));
    let notes = |clones: &Clones, _: &IndexOptions| {
        for folder in fs::read_dir(clones.shared.path().join("facts"))
            .unwrap()
            .flatten()
        {
            open(&folder.path().join("places"), 0o777);
        }
    };
    assert!(!is_taken_after(notes));
}
