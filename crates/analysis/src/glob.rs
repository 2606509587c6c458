//! Path patterns of rules and exclusions: `*` and `?` within a folder, `**` over folders, `{a,b}`. A pattern without wildcards
//! means a file, or a folder with all its contents. A pattern without a slash is matched against names alone.

use text::glob::{expand_braces, matches_path};

/// Most bytes of a pattern in a file of the project. People write no longer ones, and the cost grows with the length.
pub const LONGEST_PATTERN: usize = 1_000;

/// A parsed pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glob {
    text: String,
    alternatives: Vec<Vec<String>>,
}

/// Steps that may be spent on matching many patterns against many paths. They grow with the number of paths.
#[derive(Debug)]
pub struct GlobBudget(u64);

impl GlobBudget {
    /// A budget for `paths` paths: some seconds at most if these are few.
    pub fn for_paths(paths: usize) -> GlobBudget {
        GlobBudget(50_000_000 + 500 * paths as u64)
    }

    /// Takes the cost of matching each of the patterns against `paths` paths. False if the budget does not suffice.
    pub fn try_spend(&mut self, globs: &[Glob], paths: usize) -> bool {
        let one: u64 = globs.iter().map(Glob::match_cost).sum();
        match self.0.checked_sub(one.saturating_mul(paths as u64)) {
            Some(left) => {
                self.0 = left;
                true
            }
            None => false,
        }
    }
}

impl Glob {
    /// Parses a pattern; every text is a pattern.
    pub fn new(text: &str) -> Glob {
        let bare = text.trim().trim_start_matches("./");
        let alternatives = expand_braces(bare)
            .iter()
            .map(|one| parse_segments(one))
            .collect();
        Glob {
            text: text.trim().to_owned(),
            alternatives,
        }
    }

    /// The pattern as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Cost of matching one path: a wildcard is tried at every place of a name.
    fn match_cost(&self) -> u64 {
        let of = |segment: &String| {
            if segment.contains('*') {
                2 + segment.len() as u64 / 2
            } else {
                1
            }
        };
        let all = self.alternatives.iter().flatten();
        all.map(of).sum::<u64>().max(1)
    }

    /// Whether the pattern matches a path of the project, with `/`.
    pub fn matches(&self, path: &str) -> bool {
        let path: Vec<&str> = path.split('/').collect();
        self.alternatives
            .iter()
            .any(|pattern| matches_path(pattern, &path))
    }
}

fn parse_segments(pattern: &str) -> Vec<String> {
    let folder = pattern.ends_with('/');
    let parts = pattern.split('/').filter(|s| !matches!(*s, "" | "."));
    let mut out: Vec<String> = parts.map(str::to_owned).collect();
    let plain = !pattern.contains(['*', '?']);
    if !folder && out.len() == 1 && out[0] != "**" {
        // A name anywhere; without wildcards also a folder anywhere.
        out.insert(0, "**".to_owned());
    }
    if folder || plain {
        out.push("**".to_owned());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::Glob;

    #[test]
    fn files_folders_and_wildcards() {
        for (pattern, path, expected) in [
            ("src/ui/**", "src/ui/a/b.ts", true),
            ("src/ui/**", "src/uix/b.ts", false),
            ("src/ui", "src/ui/b.ts", true),
            ("src/ui/", "src/ui/b.ts", true),
            ("src/ui/b.ts", "src/ui/b.ts", true),
            ("ui", "src/ui/b.ts", true),
            ("*.test.ts", "src/deep/a.test.ts", true),
            ("src/*.ts", "src/deep/a.ts", false),
            ("src/**/*.ts", "src/a.ts", true),
            ("**/generated/**", "a/generated/b.go", true),
            ("{a,b}/*.py", "b/x.py", true),
            ("{a,b}/*.py", "c/x.py", false),
            ("**", "x", true),
            ("./src/a.ts", "src/a.ts", true),
            ("b.t?", "src/b.ts", true),
        ] {
            assert_eq!(
                Glob::new(pattern).matches(path),
                expected,
                "{pattern} {path}"
            );
        }
    }
}
