//! Path patterns of rules and exclusions: `*` and `?` within a folder, `**` over folders, `{a,b}`. A pattern without
//! wildcards stands for a file or for a folder with all that is in it; one without a slash looks at names alone.

/// A pattern, ready to be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glob {
    text: String,
    alternatives: Vec<Vec<String>>,
}

/// Most patterns that one with braces is written out to.
const MOST: usize = 64;

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

/// A pattern with its braces written out.
fn written_out(text: &str) -> Vec<String> {
    let mut done = Vec::new();
    let mut open = vec![text.to_owned()];
    while let Some(next) = open.pop() {
        let from = next.find('{');
        let braces = from.and_then(|from| Some((from, from + next[from..].find('}')?)));
        match braces {
            Some((from, to)) if open.len() + done.len() < MOST => {
                let choices = next[from + 1..to].split(',');
                open.extend(choices.map(|c| format!("{}{c}{}", &next[..from], &next[to + 1..])));
            }
            _ => done.push(next),
        }
    }
    done.sort();
    done
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

fn fits(pattern: &[String], path: &[&str]) -> bool {
    // The place to come back to: after the last `**`, one folder further each time.
    let mut retry: Option<(usize, usize)> = None;
    let (mut p, mut s) = (0, 0);
    while s < path.len() {
        match pattern.get(p).map(String::as_str) {
            Some("**") => {
                retry = Some((p + 1, s));
                p += 1;
                continue;
            }
            Some(one) if segment(one.as_bytes(), path[s].as_bytes()) => {
                (p, s) = (p + 1, s + 1);
                continue;
            }
            _ => {}
        }
        match retry {
            Some((after, at)) => {
                retry = Some((after, at + 1));
                (p, s) = (after, at + 1);
            }
            None => return false,
        }
    }
    pattern[p..].iter().all(|rest| rest == "**")
}

fn segment(pattern: &[u8], text: &[u8]) -> bool {
    let mut retry: Option<(usize, usize)> = None;
    let (mut p, mut t) = (0, 0);
    while t < text.len() {
        match pattern.get(p) {
            Some(b'*') => {
                retry = Some((p + 1, t));
                p += 1;
            }
            Some(c) if *c == b'?' || *c == text[t] => (p, t) = (p + 1, t + 1),
            _ => match retry {
                Some((after, at)) => {
                    retry = Some((after, at + 1));
                    (p, t) = (after, at + 1);
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|c| *c == b'*')
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

    #[test]
    fn hostile_patterns_end() {
        let path = "a/".repeat(2_000) + "b";
        assert!(!Glob::new(&("**/a/".repeat(200) + "z")).matches(&path));
        assert!(!Glob::new(&"*a".repeat(200)).matches(&"a".repeat(100)));
        assert!(!Glob::new(&"{a,b}".repeat(60)).matches("none"));
    }
}
