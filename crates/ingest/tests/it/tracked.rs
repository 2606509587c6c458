//! Files that git tracks although a rule ignores them, and files that it does not: updates equal clean builds.

use crate::common::state;
use ingest::{
    ChunkUpdateScope, DeltaRequest, IndexOptions, ResidentCell, update_all, update_chunks,
    update_incremental,
};
use tempfile::TempDir;
use testkit::Repo;

/// Updates these files, and compares the graph and the searched files with a clean build. Returns the files.
fn updated(repo: &Repo, residence: &ResidentCell, paths: &[&str]) -> Vec<String> {
    let root = repo.path();
    let paths: Vec<String> = paths.iter().map(|path| (*path).to_owned()).collect();
    let ask = DeltaRequest {
        paths: &paths,
        no_other_changes: true,
        chunks: ChunkUpdateScope::Named,
    };
    let ours = IndexOptions::new(root, &root.join(".devbooks"));
    update_incremental(&ours, residence, ask, &()).unwrap();
    let clean = TempDir::new().unwrap();
    let theirs = IndexOptions::new(root, clean.path());
    update_all(&theirs, &()).unwrap();
    let graphs = (state::graph(&ours.db_path), state::graph(&theirs.db_path));
    let different = state::difference(&graphs.0, &graphs.1);
    assert!(different.is_none(), "{}", different.unwrap());
    let searched = |options: &IndexOptions| {
        let folder = ingest::chunks_folder(options);
        let index = search::index::Index::open(&folder).unwrap();
        index.content_hashes().into_keys().collect::<Vec<String>>()
    };
    // Asked before anything else brings it up to date.
    let files = searched(&ours);
    assert_eq!(files, searched(&theirs));
    assert!(update_chunks(&ours, &()).unwrap().1.rebuilt.is_none());
    files
}

#[test]
fn an_update_reads_what_git_tracks_and_nothing_else_that_is_ignored() {
    let repo = Repo::new(
        "//- .gitignore\nlib/\n*.gen.md\n//- a.py\ndef target():\n    pass\n//- lib/u.py\nfrom a import target\ndef user():\n    target()\n//- lib/v.py\nx = 1\n//- b.gen.md\nwords\n",
    );
    repo.commit_all();
    repo.git(&["add", "-f", "lib/u.py"]);
    let root = repo.path();
    let options = IndexOptions::new(root, &root.join(".devbooks"));
    update_all(&options, &()).unwrap();
    let residence = ResidentCell::default();
    residence.preload(&options).unwrap();
    let expected = ["a.py", "lib/u.py"].map(str::to_owned).to_vec();
    assert_eq!(updated(&repo, &residence, &[]), expected);
    repo.write(
        "lib/u.py",
        "from a import target\ndef another():\n    target()\n",
    );
    assert_eq!(updated(&repo, &residence, &["lib/u.py"]), expected);
    repo.write("b.gen.md", "other words\n");
    assert_eq!(updated(&repo, &residence, &["b.gen.md"]), expected);
    repo.write("c.gen.md", "new words\n");
    assert_eq!(updated(&repo, &residence, &["c.gen.md"]), expected);
}
