//! Path patterns of manifests: `*` and `?` within a segment, `**` over segments, `{a,b}`.

/// Whether a path matches a pattern, both with `/` and without a leading `./`.
pub(super) fn matches(pattern: &str, path: &str) -> bool {
    alternatives(pattern).iter().any(|p| {
        let pattern: Vec<&str> = p.split('/').filter(|s| !matches!(*s, "" | ".")).collect();
        let path: Vec<&str> = path.split('/').filter(|s| !s.is_empty()).collect();
        segments(&pattern, &path)
    })
}

/// Most patterns that one with braces is written out to.
const MAX_ALTERNATIVES: usize = 64;

/// A pattern with its braces written out.
fn alternatives(pattern: &str) -> Vec<String> {
    let mut done = Vec::new();
    let mut open = vec![pattern.to_owned()];
    while let Some(next) = open.pop() {
        let braces = next
            .find('{')
            .and_then(|from| Some((from, from + next[from..].find('}')?)));
        match braces {
            Some((from, to)) if open.len() + done.len() < MAX_ALTERNATIVES => {
                let choices = next[from + 1..to].rsplit(',');
                open.extend(choices.map(|c| format!("{}{c}{}", &next[..from], &next[to + 1..])));
            }
            _ => done.push(next),
        }
    }
    done
}

fn segments(pattern: &[&str], path: &[&str]) -> bool {
    // The place to come back to: after the last `**`, one segment further each time.
    let mut retry: Option<(usize, usize)> = None;
    let (mut p, mut s) = (0, 0);
    while s < path.len() {
        match pattern.get(p) {
            Some(&"**") => {
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
    pattern[p..].iter().all(|rest| *rest == "**")
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

    #[test]
    fn hostile_patterns_take_no_time() {
        let path = "a/".repeat(2_000) + "b";
        assert!(!matches(&"**/a/".repeat(200), &path));
        assert!(!matches(&"*a".repeat(200), &"a".repeat(100)));
        assert!(!matches(&"{a,b}".repeat(60), "none"));
    }
}
