//! Path patterns of rules and exclusions: `*` and `?` within a folder, `**` over folders, `{a,b}`. A pattern without
//! wildcards stands for a file or for a folder with all that is in it; one without a slash looks at names alone.

use base::glob::{fits, written_out};

/// A pattern, ready to be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glob {
    text: String,
    alternatives: Vec<Vec<String>>,
}

impl Glob {
    /// Reads a pattern; every text is one.
    pub fn new(text: &str) -> Glob {
        let bare = text.trim().trim_start_matches("./");
        let alternatives = written_out(bare).iter().map(|one| segments(one)).collect();
        Glob {
            text: text.trim().to_owned(),
            alternatives,
        }
    }

    /// The pattern as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether a path of the project, with `/`, fits.
    pub fn matches(&self, path: &str) -> bool {
        let path: Vec<&str> = path.split('/').collect();
        self.alternatives.iter().any(|pattern| fits(pattern, &path))
    }
}

fn segments(pattern: &str) -> Vec<String> {
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
