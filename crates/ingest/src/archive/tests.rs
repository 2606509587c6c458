//! Forged files: sizes, order, paths and rows, each with a valid checksum.

use super::stream::{Reader, Writer};
use super::{Header, Kind, MAGIC, import};
use crate::cache::{self, FactsCache};
use crate::{IndexOptions, forget_imported, update_all};
use base::facts::{FileFacts, ScopeId, TypeExpr};
use base::{Language, hex};
use serde::Serialize;
use std::path::{Path, PathBuf};
use store::sqlite::SqliteStore;
use store::{FileRecord, GraphStore};
use testkit::Repo;

/// Writes the given records.
fn forge(folder: &Path, write: impl FnOnce(&mut Writer)) -> PathBuf {
    let path = folder.join("forged");
    let _ = std::fs::remove_file(&path);
    let mut options = std::fs::OpenOptions::new();
    let file = options.read(true).write(true).create_new(true).open(&path);
    let header = Header::of_this_program().unwrap();
    let mut out = Writer::new(&path, file.unwrap(), &header).unwrap();
    write(&mut out);
    out.finish().unwrap();
    path
}

/// Replaces bytes of a file, and corrects its checksum.
fn patch(path: &Path, at: usize, bytes: &[u8]) {
    let mut all = std::fs::read(path).unwrap();
    let end = all.len() - 32;
    all[at..at + bytes.len()].copy_from_slice(bytes);
    let sum = blake3::hash(&all[..end]);
    all[end..].copy_from_slice(sum.as_bytes());
    std::fs::write(path, all).unwrap();
}

fn file(path: &str) -> FileRecord {
    FileRecord {
        path: path.to_owned(),
        language: "python".to_owned(),
        hash: "0".repeat(32),
        source: "syntax".to_owned(),
        ..FileRecord::default()
    }
}

fn node(id: &str, path: &str) -> impl Serialize {
    let names = (
        id.to_owned(),
        "f".to_owned(),
        "function".to_owned(),
        path.to_owned(),
    );
    let texts = (
        None::<String>,
        None::<String>,
        None::<String>,
        None::<String>,
    );
    (names, (Some(1u32), Some(2u32), 0u32), texts)
}

fn edge(from: &str, to: &str, tier: base::Tier, confidence: f64) -> impl Serialize {
    let kind = (base::EdgeType::Calls, None::<base::Site>, tier, confidence);
    let ends = ("e".to_owned(), from.to_owned(), to.to_owned());
    (
        ends,
        kind,
        (Some("a.py".to_owned()), Some(1u32), Vec::<u32>::new()),
    )
}

#[test]
fn what_is_forged_is_refused_before_it_is_used() {
    let repo = Repo::new("//- a.py\ndef f():\n    pass\n");
    let folder = tempfile::tempdir().unwrap();
    let options = IndexOptions::new(repo.path(), &repo.path().join(".devbooks"));
    let refused = |why: &str, path: &Path| {
        let error = import(&options, path, &()).unwrap_err().to_string();
        assert!(error.contains(why), "{why}: {error}");
        assert!(!options.db_path.exists());
        assert!(!options.state_dir.join("ast-cache/import").exists());
    };
    let forged = |why: &str, write: &dyn Fn(&mut Writer)| {
        refused(why, &forge(folder.path(), |out| write(out)));
    };
    for path in [
        "../x",
        "/etc/passwd",
        "a//b",
        "",
        ".",
        "a/../../b",
        "a\\b",
        "a\0",
    ] {
        forged("not a file of a project", &|out| {
            out.put(Kind::File, &file(path))
        });
    }
    forged("not a file of a project", &|out| {
        out.put(Kind::File, &file("a.py"));
        out.put(Kind::File, &file("a.py"));
    });
    let nodes = |out: &mut Writer| {
        out.put(Kind::File, &file("a.py"));
        out.put(Kind::Node, &node("n", "a.py"));
    };
    forged("that it does not have", &|out| {
        nodes(out);
        out.put(Kind::Node, &node("m", "b.py"));
    });
    forged("do not belong together", &|out| {
        nodes(out);
        out.put(Kind::Edge, &edge("n", "missing", base::Tier::Typed, 0.5));
    });
    forged("none of the indexer's", &|out| {
        nodes(out);
        out.put(Kind::Edge, &edge("n", "n", base::Tier::Manual, 1.0));
    });
    forged("none of the indexer's", &|out| {
        nodes(out);
        out.put(Kind::Edge, &edge("n", "n", base::Tier::Typed, f64::NAN));
    });
    forged("in disorder", &|out| {
        nodes(out);
        out.put(Kind::File, &file("b.py"));
    });
    forged("unknown or too long", &|out| {
        out.put(Kind::Metadata, &("passed_over", "{}"));
    });
    forged("unknown or too long", &|out| {
        out.put(Kind::Metadata, &("commit", "a"));
        out.put(Kind::Metadata, &("commit", "b"));
    });
    forged("unknown or too long", &|out| {
        out.put(Kind::Metadata, &("scip", "[]".repeat(3 << 20)));
    });
    // Numbers for files that it does not have.
    forged("unknown or too long", &|out| {
        nodes(out);
        out.put(
            Kind::Metadata,
            &(crate::pipeline::FILE_USERS, "0".repeat(10 << 10)),
        );
    });
    forged("a row is too long", &|out| {
        nodes(out);
        out.put(Kind::External, &"x".repeat(9 << 20));
    });
    forged("not a file of a project", &|out| {
        let source = "x".repeat(1_000);
        out.put(
            Kind::File,
            &FileRecord {
                source,
                ..file("a.py")
            },
        );
    });
    forged("cannot be read", &|out| out.put(Kind::Node, &7u8));
    forged("the chunks of a file", &|out| {
        out.put(Kind::Chunks, &([0u8; 16], vec![9u8, 2, 3]));
    });
    let good = || forge(folder.path(), |out| nodes(out));
    let path = good();
    patch(&path, 8, &u64::MAX.to_le_bytes());
    refused("becomes too large", &path);
    patch(&good(), 8, &1u64.to_le_bytes());
    refused("too long", &path);
    patch(&good(), 16, &u32::MAX.to_le_bytes());
    refused("header is too long", &path);
    patch(&good(), 0, b"SQLite f");
    refused("did not write it", &path);
    patch(&good(), 20, b"x");
    refused("header cannot be read", &path);
    // The rest of the header only accepts its own version.
    assert_eq!(MAGIC.len(), 8);
    assert!(import(&options, &good(), &()).is_ok());
}

#[test]
fn a_file_that_grows_out_of_all_proportion_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let zeros = "0".repeat(1 << 20);
    let path = forge(folder.path(), |out| {
        for _ in 0..40 {
            out.put(Kind::Metadata, &("commit", &zeros));
        }
    });
    let error = Reader::open(&path).err().unwrap().to_string();
    assert!(error.contains("too large"), "{error}");
    // A file with a smaller stated size ends there.
    patch(&path, 8, &(1u64 << 20).to_le_bytes());
    let mut reader = Reader::open(&path).unwrap();
    assert!(reader.next().is_err());
}

#[test]
fn what_does_not_fit_below_the_ceiling_is_refused() {
    let repo = Repo::new("//- a.py\ndef f():\n    pass\n");
    let folder = tempfile::tempdir().unwrap();
    let mut options = IndexOptions::new(repo.path(), &repo.path().join(".devbooks"));
    options.memory_limit = Some(1);
    let refused = |write: &dyn Fn(&mut Writer)| {
        let forged = forge(folder.path(), |out| write(out));
        let error = import(&options, &forged, &()).unwrap_err().to_string();
        assert!(error.contains("below the memory ceiling"), "{error}");
    };
    refused(&|out| {
        for at in 0..30_000 {
            out.put(Kind::File, &file(&format!("{at}.py")));
        }
    });
    refused(&|out| {
        out.put(Kind::File, &file("a.py"));
        out.put(Kind::Node, &node("n", "a.py"));
        for _ in 0..50_000 {
            let import = store::ImportRecord {
                source_id: "n".to_owned(),
                line: 1,
                specifier: "m".to_owned(),
                target_id: None,
                kind: store::ImportKind::Module,
                names: String::new(),
                flags: store::ImportFlags::default(),
            };
            out.put(Kind::Import, &import);
        }
    });
}

/// A project of two files, and an index of it with false facts for the first.
struct Lie {
    repo: Repo,
    folder: tempfile::TempDir,
    options: IndexOptions,
}

const SOURCE: &str = "def f():\n    pass\n";

impl Lie {
    fn new() -> Lie {
        let repo = Repo::new(&format!("//- a.py\n{SOURCE}//- b.py\nx = 1\n"));
        let options = IndexOptions {
            threads: 1,
            ..IndexOptions::new(repo.path(), &repo.path().join(".devbooks"))
        };
        Lie {
            repo,
            folder: tempfile::tempdir().unwrap(),
            options,
        }
    }

    /// Imports an index once for each of these facts of the first file. Returns how often they were refused.
    fn import(&self, facts: &[FileFacts]) -> u64 {
        let hash = cache::content_hash(SOURCE.as_bytes());
        let known = FileRecord {
            hash: hex::encode(&hash),
            size: SOURCE.len() as u64,
            ..file("a.py")
        };
        let forged = forge(self.folder.path(), |out| {
            out.put(Kind::File, &known);
            out.put(Kind::Node, &node("n", "a.py"));
            for facts in facts {
                out.put(Kind::Facts, &(hash, facts));
            }
        });
        let options = IndexOptions {
            force: true,
            ..self.options.clone()
        };
        import(&options, &forged, &()).unwrap().refused
    }

    fn knows(&self, symbol: &str) -> bool {
        let store = SqliteStore::open_read_only(&self.options.db_path).unwrap();
        !store.find_symbol(symbol).unwrap().is_empty()
    }

    fn update(&self, force: bool) {
        let options = IndexOptions {
            force,
            ..self.options.clone()
        };
        update_all(&options, &()).unwrap();
    }
}

fn facts(source: &str) -> FileFacts {
    languages::extract(Language::Python, source)
}

#[test]
fn facts_that_cannot_be_are_not_taken_and_the_file_is_read() {
    let lie = Lie::new();
    let mut ring = facts(SOURCE);
    ring.scopes[1].parent = Some(ScopeId(1));
    let mut large = facts(SOURCE);
    large.types = vec![TypeExpr::Unknown; 1 << 20];
    let of_another = facts("def f():\n    pass\n\n\n\n\n\n\ndef g(): pass\n");
    for forged in [ring, large, of_another] {
        assert_eq!(lie.import(&[forged]), 1);
        lie.update(false);
        assert!(lie.knows("f") && !lie.knows("g"));
    }
    // Facts of one content are imported once.
    assert_eq!(lie.import(&vec![facts(SOURCE); 20]), 0);
}

#[test]
fn what_an_archive_says_stays_out_of_the_own_cache_and_has_an_end() {
    let ends: [fn(&Lie); 2] = [
        |lie| lie.update(true),
        |lie| {
            assert!(forget_imported(&lie.options.state_dir, &lie.options.db_path).unwrap());
            std::fs::remove_file(&lie.options.db_path).unwrap();
            lie.update(false);
        },
    ];
    for end in ends {
        let lie = Lie::new();
        assert_eq!(lie.import(&[facts("def g():\n    pass\n")]), 0);
        // Another schema of links makes all files be linked again.
        let mut store = SqliteStore::open(&lie.options.db_path).unwrap();
        store.set_metadata("version_stamp", "{}").unwrap();
        drop(store);
        lie.update(false);
        assert!(lie.knows("g"), "the archive is believed");
        let own = FactsCache::open(&lie.options.state_dir.join("ast-cache"));
        let key = cache::cache_key(cache::content_hash(SOURCE.as_bytes()), Language::Python);
        assert!(own.get(&key).is_none() && own.len() == 1);
        end(&lie);
        assert!(lie.knows("f") && !lie.knows("g"));
        assert!(!crate::imported::is_there(
            &lie.options.state_dir,
            &lie.options.db_path
        ));
        assert!(!forget_imported(&lie.options.state_dir, &lie.options.db_path).unwrap());
    }
    let lie = Lie::new();
    lie.update(false);
    assert!(
        !lie.repo
            .path()
            .join(".devbooks/ast-cache/imported")
            .exists()
    );
}
