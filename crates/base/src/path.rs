//! Facts that the path of a file shows, and paths relative to others.

use crate::Language;

/// Longest path in a project that is indexed, in bytes; files with longer paths are skipped. Many rows of a file
/// contain its path. No real repository has a path of half that length, but a few nested folders can give any number of
/// files paths of four times that length.
pub const LONGEST_PATH: usize = 1_024;

/// Folders whose files are tests.
const TEST_FOLDERS: [&str; 10] = [
    "test",
    "tests",
    "__tests__",
    "testing",
    "spec",
    "specs",
    "e2e",
    "test-d",
    "testsuite",
    "test_suite",
];

/// Folders of test data, and of stand-ins for dependencies.
const FIXTURE_FOLDERS: [&str; 10] = [
    "testdata",
    "test-data",
    "test_data",
    "testfixtures",
    "fixtures",
    "__fixtures__",
    "__mocks__",
    "__snapshots__",
    "golden",
    "goldens",
];

/// Ends of names of folders whose files are tests.
const TEST_FOLDER_ENDS: [&str; 4] = ["-tests", "_tests", ".tests", ".test"];

/// The first folder, in lower case, that holds tests or test data.
pub fn test_folder<'f>(folders: &[&'f str]) -> Option<&'f str> {
    let is_of_tests = |folder: &&&str| {
        TEST_FOLDERS.contains(*folder)
            || FIXTURE_FOLDERS.contains(*folder)
            || TEST_FOLDER_ENDS.iter().any(|end| folder.ends_with(end))
    };
    // In Perl projects, tests lie in `t` at the root.
    let of_perl = || folders.first().filter(|folder| **folder == "t");
    let found = folders.iter().find(is_of_tests);
    found.or_else(of_perl).copied()
}

/// The prefix of a test file's name, by the convention of its language; `None` for any other file. `name` is in lower
/// case.
pub fn test_name_prefix(name: &str) -> Option<&'static str> {
    let own = Language::from_path(name).map(|l| l.profile().files.own_test_prefixes);
    let prefixes = own.filter(|own| !own.is_empty()).unwrap_or(&["test_"]);
    let begins = |prefix: &&&str| name.starts_with(**prefix);
    prefixes.iter().find(begins).copied()
}

/// Whether a file is a test, or lies among tests, by the conventions of the languages. `path` has `/`.
pub fn is_test_path(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let mut folders: Vec<&str> = lower.split('/').collect();
    let name = folders.pop().unwrap_or("");
    test_name_prefix(name).is_some()
        || Language::ALL.iter().any(|language| {
            let files = &language.profile().files;
            files.test_names.contains(&name)
                || files.test_endings.iter().any(|end| name.ends_with(end))
        })
        || [".test.", ".spec."].iter().any(|part| name.contains(part))
        || test_folder(&folders).is_some()
}

/// Whether a file is test data, which is not code of the project in any language.
pub fn is_fixture_path(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let mut folders = lower.split('/');
    folders.next_back();
    folders.any(|folder| FIXTURE_FOLDERS.contains(&folder))
}

/// Joins and normalises two paths. A path that leads above the root stays at the root.
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
    use super::{is_fixture_path, is_test_path, join_path};

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
            "runtime-tests/workerd/index.ts",
            "test-data/unit/lib-stub/weakref.pyi",
            "src/__mocks__/fs.js",
            "src/test_utils.rs",
            "src/test_list.py",
        ] {
            assert!(is_test_path(path), "{path}");
        }
        for path in [
            "src/contest.py",
            "latest.go",
            "src/testify/a.rs",
            "src/t/a.py",
            "src/fixtures.py",
            "src/list/test_list.rs",
        ] {
            assert!(!is_test_path(path), "{path}");
        }
    }

    #[test]
    fn what_tests_read_is_told_from_tests() {
        for path in ["a/testdata/x.go", "test-data/unit/a.pyi", "Fixtures/a.ts"] {
            assert!(is_fixture_path(path), "{path}");
        }
        for path in ["tests/a.py", "src/a.test.ts", "fixtures.py"] {
            assert!(!is_fixture_path(path), "{path}");
        }
    }
}
