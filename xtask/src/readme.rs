//! Statements of the pages about the repository.

use crate::tidy::files;

/// The texts between backquotes.
fn quoted(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

/// Every file that the pages name in backquotes exists.
#[test]
fn files_that_are_named_are_there() {
    let root = crate::tidy::root();
    let mut gone = Vec::new();
    for (path, text) in files(&[".md"]) {
        if path.starts_with("CHANGELOG") {
            continue;
        }
        for name in quoted(&text) {
            let is_path = [
                "crates/",
                "xtask/",
                "docs/",
                "eval/",
                "training/",
                "scripts/",
            ]
            .iter()
            .any(|folder| name.starts_with(folder));
            let is_plain = name
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c));
            let is_pattern = name.contains("LANGUAGE");
            if is_path && is_plain && !is_pattern && !root.join(name).exists() {
                gone.push(format!("{path}: {name}"));
            }
        }
    }
    assert!(gone.is_empty(), "not there: {gone:#?}");
}
