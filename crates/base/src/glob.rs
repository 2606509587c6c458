//! Path patterns: `*` and `?` within a folder or name, `**` over folders, `{a,b}`.

/// Most patterns that one with braces is written out to.
const MOST: usize = 64;

/// A pattern with its braces written out, in order.
pub fn written_out(pattern: &str) -> Vec<String> {
    let mut done = Vec::new();
    let mut open = vec![pattern.to_owned()];
    while let Some(next) = open.pop() {
        let from = next.find('{');
        let braces = from.and_then(|from| Some((from, from + next[from..].find('}')?)));
        let braces = braces.filter(|(from, to)| next[*from..*to].matches(',').count() < MOST);
        match braces {
            Some((from, to)) if open.len() + done.len() < MOST => {
                let choices = next[from + 1..to].rsplit(',');
                open.extend(choices.map(|c| format!("{}{c}{}", &next[..from], &next[to + 1..])));
            }
            _ => done.push(next),
        }
    }
    done
}

/// Whether a path fits a pattern, both cut at their slashes; the pattern without braces. It takes no more than the
/// product of both lengths.
pub fn fits<S: AsRef<str>>(pattern: &[S], path: &[&str]) -> bool {
    // The place to come back to: after the last `**`, one folder further each time.
    let mut retry: Option<(usize, usize)> = None;
    let (mut p, mut s) = (0, 0);
    while s < path.len() {
        match pattern.get(p).map(AsRef::as_ref) {
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
    pattern[p..].iter().all(|rest| rest.as_ref() == "**")
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
    use super::{fits, written_out};

    fn matches(pattern: &str, path: &str) -> bool {
        let path: Vec<&str> = path.split('/').collect();
        let all = written_out(pattern);
        all.iter()
            .any(|one| fits(&one.split('/').collect::<Vec<_>>(), &path))
    }

    #[test]
    fn wildcards_and_braces() {
        for (pattern, path, expected) in [
            ("a/*", "a/b", true),
            ("a/*", "a/b/c", false),
            ("a/**", "a", true),
            ("**/a/**/b", "a/x/a/y/b", true),
            ("**/a/**", "b/c", false),
            ("a?c*e", "abcde", true),
            ("{a,b}/{c,d}", "b/c", true),
            ("{a,b}", "c", false),
            ("{a", "{a", true),
        ] {
            assert_eq!(matches(pattern, path), expected, "{pattern} and {path}");
        }
        assert_eq!(written_out("{a,b}{c,d}"), ["ac", "ad", "bc", "bd"]);
    }

    #[test]
    fn hostile_patterns_take_no_time() {
        let path = "a/".repeat(2_000) + "b";
        assert!(!matches(&("**/a/".repeat(200) + "z"), &path));
        assert!(!matches(&"*a".repeat(200), &"a".repeat(100)));
        assert!(!matches(&"{a,b}".repeat(60), "none"));
        let (choices, rest) = ("a,".repeat(50_000), "b".repeat(50_000));
        assert_eq!(written_out(&format!("{{{choices}}}{rest}")).len(), 1);
    }
}
