//! Filters on the names that a search may find.

use store::NameRow;
use text::glob::fits_across;

/// Filters by kind and path; an empty filter lets everything through.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Filter {
    /// Kinds, as words (`function`, `class`, …).
    pub kinds: Vec<String>,
    /// A path: a folder or file, or a pattern with `*`, `**` and `?`.
    pub path: Option<String>,
}

impl Filter {
    /// Whether a name passes.
    pub(crate) fn allows(&self, row: &NameRow<'_>) -> bool {
        self.allows_kind(row.kind) && self.allows_path(row.file_path)
    }

    /// Whether a kind passes.
    pub(crate) fn allows_kind(&self, kind: &str) -> bool {
        self.kinds.is_empty() || self.kinds.iter().any(|k| k == kind)
    }

    /// Whether a path passes.
    pub fn allows_path(&self, path: &str) -> bool {
        self.path.as_deref().is_none_or(|p| path_matches(p, path))
    }
}

/// Whether a path matches. A pattern without wildcards matches itself and everything below it.
fn path_matches(pattern: &str, path: &str) -> bool {
    let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
    if !pattern.contains(['*', '?']) {
        let folder = pattern.trim_end_matches('/');
        return match path.strip_prefix(folder) {
            Some(rest) => folder.is_empty() || rest.is_empty() || rest.starts_with('/'),
            None => false,
        };
    }
    if pattern.contains('/') {
        return fits_across(pattern.as_bytes(), path.as_bytes());
    }
    // A pattern without a folder is compared with the file's name alone.
    let name = path.rsplit('/').next().unwrap_or(path);
    fits_across(pattern.as_bytes(), name.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::path_matches;

    #[test]
    fn folders_names_and_patterns() {
        for (pattern, path, expected) in [
            ("src", "src/a.rs", true),
            ("src/", "src/a.rs", true),
            ("src/a.rs", "src/a.rs", true),
            ("src", "srcs/a.rs", false),
            ("*.rs", "src/deep/a.rs", true),
            ("src/*.rs", "src/deep/a.rs", false),
            ("src/**/*.rs", "src/deep/er/a.rs", true),
            ("src/**/*.rs", "src/a.rs", true),
            ("**/test/**", "a/test/b.py", true),
            ("?.ts", "src/a.ts", true),
            ("./src", "src/a.ts", true),
            ("src/**", "src/a/b.ts", true),
            ("a*b*c/*.ts", "axbyc/z.ts", true),
            ("a*b*c/*.ts", "axbyd/z.ts", false),
            ("**/a/**/b", "x/a/y/z/b", true),
            ("**/a/**/b", "a/b", true),
            ("**/a/**/b", "ab", false),
            ("x/?", "x/é", false),
        ] {
            assert_eq!(path_matches(pattern, path), expected, "{pattern} {path}");
        }
    }

    #[test]
    fn hostile_patterns_end() {
        let pattern = "**/a*".repeat(2_000);
        assert!(!path_matches(&pattern, &"a/".repeat(500)));
        assert!(path_matches(&"*".repeat(5_000), "src/a.ts"));
    }
}
