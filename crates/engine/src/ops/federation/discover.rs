//! `auto_discover` of a federation file: repositories that are found in folders, as the predecessor's file asks for them.

use analysis::{Glob, LONGEST_PATTERN};
use std::path::{Component, Path, PathBuf};
use text::yaml::Value;

/// The most paths that are searched.
const MOST_PATHS: usize = 50;
/// The most entries of a folder that are looked at.
const MOST_ENTRIES: usize = 5_000;
/// The most folders that one path leads to.
const MOST_FOLDERS: usize = 1_000;

/// What is searched for repositories.
pub(super) struct Discovery {
    /// The paths, with the line of each. A part of them may have wildcards.
    pub paths: Vec<(usize, String)>,
    /// Patterns of contracts in what is found; none for all.
    pub patterns: Vec<String>,
}

/// The discovery that a file switches on.
pub(super) fn discovered(root: &Value) -> Option<Discovery> {
    let section = root.get("auto_discover")?;
    let is_on = |value: &str| matches!(value, "true" | "yes" | "on");
    if !section
        .get("enabled")
        .and_then(Value::text)
        .is_some_and(is_on)
    {
        return None;
    }
    let Some(Value::List(listed)) = section.get("search_paths") else {
        return None;
    };
    let paths = listed.iter().filter_map(|(line, one)| {
        let path = one.text()?;
        (path.len() <= LONGEST_PATTERN).then(|| (*line, path.to_owned()))
    });
    Some(Discovery {
        paths: paths.take(MOST_PATHS).collect(),
        patterns: patterns(section),
    })
}

/// The patterns of contracts that an entry gives; none for all.
pub(super) fn patterns(value: &Value) -> Vec<String> {
    let keys = ["contracts", "contract_patterns", "patterns"];
    let list = keys.iter().find_map(|key| value.get(key));
    match list {
        Some(Value::List(items)) => {
            let texts = items.iter().filter_map(|(_, item)| item.text());
            let texts = texts.filter(|text| text.len() <= LONGEST_PATTERN);
            texts.take(100).map(str::to_owned).collect()
        }
        _ => Vec::new(),
    }
}

fn has_wildcard(part: &Component<'_>) -> bool {
    part.as_os_str().to_string_lossy().contains(['*', '?'])
}

/// The part of a path before its first wildcard.
pub(super) fn fixed_part(pattern: &Path) -> PathBuf {
    pattern
        .components()
        .take_while(|part| !has_wildcard(part))
        .collect()
}

/// The folders that a path leads to, in order of their names. Folders of hidden names are left out.
pub(super) fn folders(pattern: &Path) -> Vec<PathBuf> {
    let mut found = vec![PathBuf::new()];
    let mut is_fixed = true;
    for part in pattern.components() {
        if !has_wildcard(&part) {
            for folder in &mut found {
                folder.push(part);
            }
            // The place of the fixed part was looked at. No link is followed from there on.
            let is_folder = |path: &PathBuf| path.symlink_metadata().is_ok_and(|f| f.is_dir());
            found.retain(|folder| is_fixed || is_folder(folder));
            continue;
        }
        is_fixed = false;
        let glob = Glob::new(&part.as_os_str().to_string_lossy());
        let mut inside = Vec::new();
        for folder in &found {
            let entries = folder.read_dir().into_iter().flatten();
            for entry in entries.take(MOST_ENTRIES).flatten() {
                let name = entry.file_name().to_string_lossy().into_owned();
                let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
                if is_folder && !name.starts_with('.') && glob.matches(&name) {
                    inside.push(entry.path());
                }
            }
        }
        inside.sort();
        inside.truncate(MOST_FOLDERS);
        found = inside;
    }
    found.retain(|folder| folder.is_dir());
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::Repo;

    #[test]
    fn wildcards_lead_to_folders_alone() {
        let repo =
            Repo::new("//- a/x.proto\nx\n//- b/y.proto\ny\n//- .hidden/z\nz\n//- c.txt\nc\n");
        let of = |pattern: &str| {
            let found = folders(&repo.path().join(pattern));
            let names = found.iter().map(|f| f.strip_prefix(repo.path()).unwrap());
            names.map(|f| f.display().to_string()).collect::<Vec<_>>()
        };
        assert_eq!(of("*"), ["a", "b"]);
        assert_eq!(of("b"), ["b"]);
        assert!(of("c.txt").is_empty() && of("*/none").is_empty());
        assert_eq!(fixed_part(Path::new("/srv/*/api")), Path::new("/srv"));
    }
}
