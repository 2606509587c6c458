//! The pipeline as a whole: what is built, what a change costs, and that an update equals a clean build.

use ingest::{IndexOptions, IndexReport, Strategy, check_freshness, update};
use std::fs;
use std::path::Path;
use store::sqlite::SqliteStore;
use store::{EdgeRecord, GraphStore, NodeRecord};

struct Project(tempfile::TempDir);

impl Project {
    fn new(files: &[(&str, &str)]) -> Project {
        let project = Project(tempfile::tempdir().unwrap());
        for (path, text) in files {
            project.write(path, text);
        }
        project
    }

    fn root(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn options(&self) -> IndexOptions {
        IndexOptions::new(self.root(), &self.root().join(".devbooks"))
    }

    fn update(&self) -> IndexReport {
        update(&self.options(), &()).unwrap()
    }

    /// All rows, without the times.
    fn rows(&self, database: &Path) -> (Vec<NodeRecord>, Vec<EdgeRecord>) {
        let store = SqliteStore::open_read_only(database).unwrap();
        let (mut nodes, mut edges) = (Vec::new(), Vec::new());
        store.for_each_node(&mut |n| nodes.push(n)).unwrap();
        store.for_each_edge(&mut |e| edges.push(e)).unwrap();
        (nodes, edges)
    }

    fn assert_equals_clean_build(&self) {
        let clean = tempfile::tempdir().unwrap();
        let options = IndexOptions::new(self.root(), clean.path());
        update(&options, &()).unwrap();
        let (here, there) = (
            self.rows(&self.options().db_path),
            self.rows(&options.db_path),
        );
        assert_eq!(here.0, there.0, "nodes");
        assert_eq!(here.1, there.1, "edges");
        assert!(!here.0.is_empty());
    }
}

const LIB: &str =
    "def helper(x):\n    return x\n\nclass Tool:\n    def run(self):\n        return helper(1)\n";
const APP: &str = "from lib import helper, Tool\n\ndef main():\n    helper(2)\n    Tool().run()\n";

fn calls(project: &Project) -> Vec<String> {
    let (nodes, edges) = project.rows(&project.options().db_path);
    let name = |id: &str| {
        let node = nodes.iter().find(|n| n.id == id).unwrap();
        node.qualified_name
            .clone()
            .unwrap_or_else(|| node.symbol.clone())
    };
    let mut out: Vec<String> = edges
        .iter()
        .filter(|e| e.site == Some(base::Site::Call))
        .map(|e| {
            format!(
                "{} -> {} [{}]",
                name(&e.source_id),
                name(&e.target_id),
                e.tier
            )
        })
        .collect();
    out.sort();
    out
}

#[test]
fn a_build_links_over_files_and_a_second_one_does_nothing() {
    let project = Project::new(&[("lib.py", LIB), ("app.py", APP)]);
    let report = project.update();
    assert_eq!((report.strategy, report.files), (Strategy::FullRebuild, 2));
    let calls = calls(&project);
    assert!(
        calls.contains(&"main -> helper [scoped]".to_owned()),
        "{calls:?}"
    );
    assert!(
        calls.contains(&"main -> Tool.run [typed]".to_owned()),
        "{calls:?}"
    );
    assert_eq!(project.update().strategy, Strategy::UpToDate);
    let ignore = fs::read_to_string(project.root().join(".devbooks/.gitignore")).unwrap();
    assert!(ignore.contains('*'));
}

/// The number of other files that use each file, from the store.
fn users(project: &Project) -> String {
    let store = SqliteStore::open_read_only(&project.options().db_path).unwrap();
    store.metadata(ingest::FILE_USERS).unwrap().unwrap()
}

#[test]
fn users_of_files_are_counted_by_builds_and_updates_alike() {
    let project = Project::new(&[("lib.py", LIB), ("app.py", APP), ("b.py", APP)]);
    project.update();
    assert_eq!(users(&project), r#"{"lib.py":2}"#);
    project.write("b.py", "import app\n\napp.main()\n");
    assert_eq!(project.update().strategy, Strategy::Incremental);
    assert_eq!(users(&project), r#"{"app.py":1,"lib.py":1}"#);
}

#[test]
fn an_update_equals_a_clean_build_after_each_edit() {
    let project = Project::new(&[("lib.py", LIB), ("app.py", APP)]);
    project.update();
    let edits: [(&str, Option<&str>); 6] = [
        (
            "lib.py",
            Some("def helper(x, y=1):\n    return x\n\nclass Tool:\n    pass\n"),
        ),
        ("extra.py", Some("from app import main\nmain()\n")),
        ("app.py", Some("def main(:\n    broken(\n")),
        ("app.py", Some(APP)),
        ("lib.py", None),
        ("lib.py", Some(LIB)),
    ];
    for (path, text) in edits {
        match text {
            Some(text) => project.write(path, text),
            None => fs::remove_file(project.root().join(path)).unwrap(),
        }
        assert_eq!(project.update().strategy, Strategy::Incremental);
        project.assert_equals_clean_build();
    }
}

#[test]
fn what_cannot_be_indexed_is_passed_over_and_counted() {
    let project = Project::new(&[
        ("ok.py", "x = 1\n"),
        ("big.py", &"x = 1\n".repeat(3_000_000)),
        ("node_modules/a/index.js", "module.exports = 1\n"),
        ("ignored.py", "x = 1\n"),
        (".gitignore", "ignored.py\n"),
    ]);
    let latin = b"# caf\xe9\ndef f(): pass\n";
    fs::write(project.root().join("latin.py"), latin).unwrap();
    fs::write(project.root().join("binary.py"), b"\0\x01\x02").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("/etc/passwd", project.root().join("link.py")).unwrap();
    let report = project.update();
    assert_eq!(report.files, 2);
    assert_eq!(report.skipped.get("binary"), Some(&1));
    assert_eq!(report.skipped.get("larger than --max-file-size"), Some(&1));
    // A skipped file is not read again until it changes.
    assert_eq!(project.update().strategy, Strategy::UpToDate);
    assert!(
        check_freshness(&project.options())
            .unwrap()
            .changed
            .is_empty()
    );
}

#[test]
fn an_empty_project_gives_an_empty_graph() {
    let project = Project::new(&[]);
    let report = project.update();
    assert_eq!((report.files, report.nodes, report.edges), (0, 0, 0));
    assert!(
        report
            .warnings
            .iter()
            .any(|w| w.contains("no file in a language"))
    );
    let fresh = check_freshness(&project.options()).unwrap();
    assert!(fresh.exists && fresh.changed.is_empty() && fresh.removed.is_empty());
}

#[test]
fn check_tells_what_changed_and_writes_nothing() {
    let project = Project::new(&[("a.py", "x = 1\n"), ("b.py", "y = 1\n")]);
    assert!(!check_freshness(&project.options()).unwrap().exists);
    project.update();
    project.write("a.py", "x = 12345\n");
    fs::remove_file(project.root().join("b.py")).unwrap();
    let fresh = check_freshness(&project.options()).unwrap();
    assert_eq!(
        (fresh.changed, fresh.removed),
        (vec!["a.py".to_owned()], vec!["b.py".to_owned()])
    );
}

#[test]
fn a_damaged_database_is_moved_aside_and_built_anew() {
    let project = Project::new(&[("lib.py", LIB), ("app.py", APP)]);
    project.update();
    let database = project.options().db_path;
    fs::write(&database, b"this is no database, whatever its name says").unwrap();
    for side in ["graph.db-wal", "graph.db-shm"] {
        let _ = fs::remove_file(project.root().join(".devbooks").join(side));
    }
    let report = project.update();
    assert_eq!(report.strategy, Strategy::FullRebuild);
    assert!(
        report
            .warnings
            .iter()
            .any(|w| w.contains("graph.db.corrupt-")),
        "{:?}",
        report.warnings
    );
    project.assert_equals_clean_build();
}
