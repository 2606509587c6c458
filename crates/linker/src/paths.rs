//! Paths in the project, with `/`; the root is the empty path.

pub use base::join_path as join;

/// The folder of a path, empty at the root.
pub fn parent_dir(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(dir, _)| dir)
}

/// The last segment of a path.
pub fn file_name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// A folder and all above it, the root last.
pub fn ancestors(dir: &str) -> impl Iterator<Item = &str> {
    let mut next = Some(dir);
    std::iter::from_fn(move || {
        let here = next?;
        next = match here {
            "" => None,
            _ => Some(parent_dir(here)),
        };
        Some(here)
    })
}

/// The rest of `path` below `dir`.
pub fn strip_dir<'p>(path: &'p str, dir: &str) -> Option<&'p str> {
    if dir.is_empty() {
        return Some(path);
    }
    path.strip_prefix(dir)?.strip_prefix('/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_cut() {
        assert_eq!(ancestors("a/b").collect::<Vec<_>>(), ["a/b", "a", ""]);
        assert_eq!(strip_dir("a/b/c", "a/b"), Some("c"));
        assert_eq!(strip_dir("a/bc", "a/b"), None);
        assert_eq!((parent_dir("a/b"), file_name("a/b")), ("a", "b"));
        assert_eq!((parent_dir("b"), file_name("b")), ("", "b"));
    }
}
