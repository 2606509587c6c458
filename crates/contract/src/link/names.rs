//! The similarity of two names.

use super::confidence::NameMatch;

/// Jaro-Winkler similarity from which on names are similar.
const SIMILAR: f64 = 0.88;
/// The least letters of a name that may be the beginning or the end of another.
const LEAST_LETTERS: usize = 4;

/// The most letters of names that are compared letter by letter, which takes the product of their lengths.
const LONGEST_COMPARED: usize = 128;

/// Compares names of functions: equal; equal except for case, underscores, or a word before or after; similar.
pub fn name_similarity(one: &str, other: &str) -> NameMatch {
    if one == other && !one.is_empty() {
        return NameMatch::Exact;
    }
    let (a, b) = (plain(one), plain(other));
    if a.is_empty() || b.is_empty() {
        return NameMatch::None;
    }
    if a == b || is_with_prefix(one, other) || is_with_prefix(other, one) {
        return NameMatch::Prefix;
    }
    let is_short = a.len().max(b.len()) <= LONGEST_COMPARED;
    if is_short && strsim::jaro_winkler(&a, &b) >= SIMILAR {
        NameMatch::Fuzzy
    } else {
        NameMatch::None
    }
}

/// A name without case and underscores.
pub(crate) fn plain(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// Whether `long` is `short` with words before or after it: `getUserById` and `GetUser`.
fn is_with_prefix(long: &str, short: &str) -> bool {
    let words = |name: &str| {
        let mut words = Vec::new();
        text::identifier::words(name, &mut words);
        words.iter().map(|w| w.to_lowercase()).collect::<Vec<_>>()
    };
    let (long, short) = (words(long), words(short));
    let letters: usize = short.iter().map(String::len).sum();
    letters >= LEAST_LETTERS
        && short.len() >= 2
        && long.len() > short.len()
        && (long.starts_with(&short) || long.ends_with(&short))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_in_four_steps() {
        for (one, other, expected) in [
            ("GetUser", "GetUser", NameMatch::Exact),
            ("getUserById", "GetUserById", NameMatch::Prefix),
            ("get_user_by_id", "GetUserById", NameMatch::Prefix),
            ("getUserById", "GetUser", NameMatch::Prefix),
            ("rpcGetUser", "GetUser", NameMatch::Prefix),
            ("getUsers", "getUser", NameMatch::Fuzzy),
            ("createOrder", "GetUser", NameMatch::None),
            ("", "", NameMatch::None),
            ("get", "getUser", NameMatch::None),
        ] {
            assert_eq!(name_similarity(one, other), expected, "{one} {other}");
        }
    }
}
