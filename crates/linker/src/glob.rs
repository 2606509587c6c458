//! Path patterns of manifests.

use text::glob::{expand_braces, matches_path};

/// Whether a path matches a pattern, both with `/` and without a leading `./`.
pub fn matches(pattern: &str, path: &str) -> bool {
    expand_braces(pattern).iter().any(|p| {
        let pattern: Vec<&str> = p.split('/').filter(|s| !matches!(*s, "" | ".")).collect();
        let path: Vec<&str> = path.split('/').filter(|s| !s.is_empty()).collect();
        matches_path(&pattern, &path)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_whole_paths() {
        for (pattern, path, expected) in [
            ("packages/*", "packages/one", true),
            ("./packages/*", "packages/one", true),
            ("packages/*", "packages/one/two", false),
            ("packages/**", "packages/one/two", true),
            ("packages/**", "packages", true),
            ("**/test/**", "a/b/test/c", true),
            ("**/test/**", "a/b/c", false),
            ("src/**/*.ts", "src/a.ts", true),
            ("src/**/*.ts", "src/a/b.tsx", false),
            ("{apps,libs}/*", "libs/one", true),
            ("{apps,libs}/*", "lib/one", false),
            ("a?c*e", "abcde", true),
            ("**/a/**/b", "a/x/a/y/b", true),
            (".", "", true),
            ("*", "", false),
        ] {
            assert_eq!(matches(pattern, path), expected, "{pattern} and {path}");
        }
    }
}
