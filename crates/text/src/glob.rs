//! Path patterns in the dialects of several tools: `*` and `?` within a folder or name, `**` over folders, `{a,b}`.
//!
//! Nothing is compiled. Matching takes at most the product of both lengths, because patterns may come from a hostile
//! repository (`docs/design/path-patterns.md`).

/// Most patterns that one pattern with braces expands to.
const MOST: usize = 64;

/// A pattern with its braces expanded, in order.
pub fn expand_braces(pattern: &str) -> Vec<String> {
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

/// Whether a path matches a pattern without braces, both split at their slashes. It takes at most the product of both
/// lengths.
pub fn matches_path<S: AsRef<str>>(pattern: &[S], path: &[&str]) -> bool {
    // The place to go back to: after the last `**`, one folder further on each retry.
    let mut retry: Option<(usize, usize)> = None;
    let (mut p, mut s) = (0, 0);
    while s < path.len() {
        match pattern.get(p).map(AsRef::as_ref) {
            Some("**") => {
                retry = Some((p + 1, s));
                p += 1;
                continue;
            }
            Some(one) if matches_segment(one.as_bytes(), path[s].as_bytes()) => {
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

/// Whether a name without slashes matches a pattern, in which `any` stands for any number of elements and `one` for
/// exactly one. The elements are bytes or characters.
pub fn wildcard<T: PartialEq>(pattern: &[T], name: &[T], any: &T, one: &T) -> bool {
    let mut retry: Option<(usize, usize)> = None;
    let (mut p, mut t) = (0, 0);
    while t < name.len() {
        match pattern.get(p) {
            Some(c) if c == any => {
                retry = Some((p + 1, t));
                p += 1;
            }
            Some(c) if c == one || *c == name[t] => (p, t) = (p + 1, t + 1),
            _ => match retry {
                Some((after, at)) => {
                    retry = Some((after, at + 1));
                    (p, t) = (after, at + 1);
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|c| c == any)
}

fn matches_segment(pattern: &[u8], text: &[u8]) -> bool {
    wildcard(pattern, text, &b'*', &b'?')
}

/// Whether a path matches a pattern in which `**` crosses folders at any place, as in `src/**.rs`; `?` is one byte and
/// `*` any number of them within a folder. There are no braces.
///
/// Walks the pattern once with all places that it may have reached in the text. The time is at most the product of both
/// lengths.
pub fn fits_across(pattern: &[u8], text: &[u8]) -> bool {
    let mut places = vec![false; text.len() + 1];
    places[0] = true;
    let mut rest = pattern;
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        if let Some(after) = pattern_folders(*first, rest) {
            rest = after;
            skip_folders(&mut places, text);
        } else if *first == b'*' {
            let any = rest.first() == Some(&b'*');
            rest = &rest[usize::from(any)..];
            for at in 0..text.len() {
                places[at + 1] |= places[at] && (any || text[at] != b'/');
            }
        } else {
            for at in (0..text.len()).rev() {
                let fits = text[at] == *first || (*first == b'?' && text[at] != b'/');
                places[at + 1] = places[at] && fits;
            }
            places[0] = false;
        }
    }
    places[text.len()]
}

/// The pattern after `**/`, if it begins with that.
fn pattern_folders(first: u8, rest: &[u8]) -> Option<&[u8]> {
    rest.strip_prefix(b"*/").filter(|_| first == b'*')
}

/// Moves each place to all places after a later `/`.
fn skip_folders(places: &mut [bool], text: &[u8]) {
    let mut come = false;
    for at in 0..text.len() {
        come |= places[at];
        places[at + 1] |= come && text[at] == b'/';
    }
}

#[cfg(test)]
mod tests {
    use super::{expand_braces, fits_across, matches_path, wildcard};

    fn matches(pattern: &str, path: &str) -> bool {
        let path: Vec<&str> = path.split('/').collect();
        let all = expand_braces(pattern);
        all.iter()
            .any(|one| matches_path(&one.split('/').collect::<Vec<_>>(), &path))
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
        assert_eq!(expand_braces("{a,b}{c,d}"), ["ac", "ad", "bc", "bd"]);
    }

    #[test]
    fn hostile_patterns_take_no_time() {
        let path = "a/".repeat(2_000) + "b";
        assert!(!matches(&("**/a/".repeat(200) + "z"), &path));
        assert!(!matches(&"*a".repeat(200), &"a".repeat(100)));
        assert!(!matches(&"{a,b}".repeat(60), "none"));
        let (choices, rest) = ("a,".repeat(50_000), "b".repeat(50_000));
        assert_eq!(expand_braces(&format!("{{{choices}}}{rest}")).len(), 1);
    }

    #[test]
    fn stars_cross_folders_where_that_is_asked() {
        for (pattern, path, expected) in [
            ("src/**.ts", "src/a/b.ts", true),
            ("src/**/*.ts", "src/b.ts", true),
            ("src/*.ts", "src/a/b.ts", false),
            ("src/**", "src", false),
            ("{a,b}", "a", false),
        ] {
            let got = fits_across(pattern.as_bytes(), path.as_bytes());
            assert_eq!(got, expected, "{pattern} and {path}");
        }
        let pattern = "**/a*".repeat(2_000);
        assert!(!fits_across(pattern.as_bytes(), &b"a/".repeat(500)));
    }

    #[test]
    fn one_is_a_byte_or_a_character() {
        assert!(!wildcard("x?".as_bytes(), "xé".as_bytes(), &b'*', &b'?'));
        let (pattern, name) = (['x', '?'], ['x', 'é']);
        assert!(wildcard(&pattern, &name, &'*', &'?'));
    }
}
