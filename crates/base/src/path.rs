//! What a path alone tells of a file, and paths from others.

use crate::Language;

/// Longest path in a project that is taken, in bytes; files with longer ones are passed over. A file's path is kept with
/// many of its rows, no real repository has one of half that length, and a few folders in each other make one of four
/// times as much for any number of files.
pub const LONGEST_PATH: usize = 1_024;

/// Folders whose files are tests.
const FOLDERS: [&str; 6] = ["test", "tests", "__tests__", "testing", "testdata", "spec"];

/// Whether a file is a test, or lies among tests, by the conventions of the languages. `path` has `/`.
pub fn is_test_path(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let mut folders = lower.split('/');
    let name = folders.next_back().unwrap_or("");
    name.starts_with("test_")
        || Language::ALL.iter().any(|language| {
            let files = &language.profile().files;
            files.test_names.contains(&name) || files.test_endings.iter().any(|end| name.ends_with(end))
        })
        || [".test.", ".spec."].iter().any(|part| name.contains(part))
        // Where Perl's custom of tests in `t` is kept, it is at the root.
        || lower.starts_with("t/")
        || folders.any(|folder| FOLDERS.contains(&folder))
}

/// Joins and normalises; what leads above the root stays at the root.
pub fn join_path(dir: &str, path: &str) -> String {
    let mut parts: Vec<&str> = if path.starts_with('/') {
        Vec::new()
    } else {
        dir.split('/').filter(|p| !p.is_empty()).collect()
    };
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::{is_test_path, join_path};

    #[test]
    fn paths_are_joined() {
        for (dir, path, expected) in [
            ("a/b", "./c/../d.ts", "a/b/d.ts"),
            ("a", "../../..", ""),
            ("", "x", "x"),
            ("a", "/x", "x"),
            ("a", ".", "a"),
        ] {
            assert_eq!(join_path(dir, path), expected, "{dir} and {path}");
        }
    }

    #[test]
    fn tests_are_told_by_name_and_folder() {
        for path in [
            "tsdb/head_test.go",
            "tests/conftest.py",
            "src/a.test.ts",
            "gson/src/test/java/A.java",
            "GsonTest.java",
            "t/unit/tasks.py",
        ] {
            assert!(is_test_path(path), "{path}");
        }
        for path in [
            "src/contest.py",
            "latest.go",
            "src/testify/a.rs",
            "src/t/a.py",
        ] {
            assert!(!is_test_path(path), "{path}");
        }
    }
}
