//! Files that are in no build: `//go:build ignore` marks a program that is run by hand.

use crate::project::Project;
use analysis::{CycleLevel, FileUses, uses_inside_cycles};
use std::collections::BTreeSet;

/// The most bytes of a file that are read before its package clause.
const MOST: u64 = 16 << 10;
/// The most files that are read.
const MOST_FILES: usize = 2_000;
/// Build tags that nobody sets: a file that requires one is in no build.
const UNSET_TAGS: [&str; 5] = ["ignore", "tools", "none", "never", "exclude"];

/// Drops files that are in no build, among those in a cycle.
pub(super) fn retain_built(project: &Project, uses: &mut FileUses, level: CycleLevel) {
    let inside = uses_inside_cycles(uses, level);
    let path = |file: u32| uses.paths[file as usize].as_str();
    let folder = |path: &str| path.rsplit_once('/').map_or(0, |(folder, _)| folder.len());
    // Files of one package form no cycle.
    let across = inside.iter().filter(|one| {
        let (from, to) = (path(one.from), path(one.to));
        from[..folder(from)] != to[..folder(to)]
    });
    let files: BTreeSet<&str> = across.map(|one| path(one.from)).collect();
    let left_out = files
        .into_iter()
        .filter(|path| path.ends_with(".go"))
        .take(MOST_FILES)
        .filter(|path| {
            let text = project.read_start(path, MOST).unwrap_or_default();
            is_left_out(&String::from_utf8_lossy(&text))
        });
    let left_out: BTreeSet<String> = left_out.map(str::to_owned).collect();
    if !left_out.is_empty() {
        uses.retain(|path| !left_out.contains(path));
    }
}

/// Whether the constraint above a Go file's package clause requires a tag that nobody sets.
fn is_left_out(text: &str) -> bool {
    let head = text
        .lines()
        .take_while(|line| !line.starts_with("package "));
    let mut constraints = head.filter_map(|line| {
        let new = line.strip_prefix("//go:build ");
        new.or_else(|| line.strip_prefix("// +build "))
    });
    constraints.any(|expression| {
        let is_choice = expression.contains("||") || expression.contains('!');
        let mut words = expression.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        !is_choice && words.any(|word| UNSET_TAGS.contains(&word))
    })
}

#[cfg(test)]
mod tests {
    use super::is_left_out;

    #[test]
    fn constraints_that_no_build_meets() {
        for text in [
            "//go:build ignore\n\npackage main\n",
            "// Copyright\n\n// +build ignore\n\npackage main\n",
            "//go:build linux && tools\npackage x\n",
        ] {
            assert!(is_left_out(text), "{text}");
        }
        for text in [
            "package main\n//go:build ignore\n",
            "//go:build !ignore\npackage main\n",
            "//go:build ignore || linux\npackage main\n",
            "//go:build linux\npackage main\n",
        ] {
            assert!(!is_left_out(text), "{text}");
        }
    }
}
