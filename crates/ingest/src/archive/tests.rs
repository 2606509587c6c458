//! Files that somebody forged: sizes, order, paths and rows, each with a checksum that is right.

use super::stream::{Reader, Writer};
use super::{Header, Kind, MAGIC, import};
use crate::IndexOptions;
use serde::Serialize;
use std::path::{Path, PathBuf};
use store::FileRecord;
use testkit::Repo;

/// Writes records as they are given.
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

/// The same file with other bytes at a place, and the checksum that belongs to it.
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
    let repo = Repo::new("== a.py\ndef f():\n    pass\n");
    let folder = tempfile::tempdir().unwrap();
    let options = IndexOptions::new(repo.path(), &repo.path().join(".devbooks"));
    let refused = |why: &str, path: &Path| {
        let error = import(&options, path, &()).unwrap_err().to_string();
        assert!(error.contains(why), "{why}: {error}");
        assert!(!options.db_path.exists());
        assert!(!options.state_dir.join("import").exists());
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
    forged("cannot be read", &|out| out.put(Kind::Node, &7u8));
    forged("the chunks of a file", &|out| {
        out.put(Kind::Chunks, &([0u8; 16], vec![1u8, 2, 3]));
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
    // What is left takes a table of its own version only.
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
    // One that says that it is smaller ends where it says.
    patch(&path, 8, &(1u64 << 20).to_le_bytes());
    let mut reader = Reader::open(&path).unwrap();
    assert!(reader.next().is_err());
}
