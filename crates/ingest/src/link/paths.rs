//! Paths in the project, with `/`; the root is the empty path.

/// The folder of a path, empty at the root.
pub(super) fn directory(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(dir, _)| dir)
}

/// The last segment of a path.
pub(super) fn file_name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// A folder and all above it, the root last.
pub(super) fn ancestors(dir: &str) -> impl Iterator<Item = &str> {
    let mut next = Some(dir);
    std::iter::from_fn(move || {
        let here = next?;
        next = match here {
            "" => None,
            _ => Some(directory(here)),
        };
        Some(here)
    })
}

/// The rest of `path` below `dir`.
pub(super) fn inside<'p>(path: &'p str, dir: &str) -> Option<&'p str> {
    if dir.is_empty() {
        return Some(path);
    }
    path.strip_prefix(dir)?.strip_prefix('/')
}

/// Joins and normalises; what leads above the root stays at the root.
pub(super) fn join(dir: &str, path: &str) -> String {
    let mut parts: Vec<&str> = match path.starts_with('/') {
        true => Vec::new(),
        false => dir.split('/').filter(|p| !p.is_empty()).collect(),
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
    use super::*;

    #[test]
    fn paths_are_joined_and_cut() {
        for (dir, path, expected) in [
            ("a/b", "./c/../d.ts", "a/b/d.ts"),
            ("a", "../../..", ""),
            ("", "x", "x"),
            ("a", "/x", "x"),
            ("a", ".", "a"),
        ] {
            assert_eq!(join(dir, path), expected, "{dir} and {path}");
        }
        assert_eq!(ancestors("a/b").collect::<Vec<_>>(), ["a/b", "a", ""]);
        assert_eq!(inside("a/b/c", "a/b"), Some("c"));
        assert_eq!(inside("a/bc", "a/b"), None);
        assert_eq!((directory("a/b"), file_name("a/b")), ("a", "b"));
        assert_eq!((directory("b"), file_name("b")), ("", "b"));
    }
}
