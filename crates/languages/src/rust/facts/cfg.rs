//! Conditions of `#[cfg(…)]`: whether an item is for tests, and whether it exists only on platforms other than 64-bit
//! Linux. Most compiler indexes are made on Linux.

/// The condition of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Condition {
    /// It is true only in tests.
    pub test: bool,
    /// It is true only on other platforms.
    pub elsewhere: bool,
}

/// The predicate in the arguments of `cfg`, without the outer parentheses.
pub(super) fn strip_cfg_parens(arguments: &str) -> &str {
    let inner = arguments.trim().strip_prefix('(');
    let inner = inner.and_then(|a| a.strip_suffix(')')).unwrap_or("");
    inner.trim().trim_end_matches(',')
}

/// Parses the arguments of `cfg`, with their parentheses.
pub(super) fn parse_condition(arguments: &str) -> Condition {
    let inner = strip_cfg_parens(arguments);
    Condition {
        test: holds_in_build(inner, false) == Some(false)
            && holds_in_build(inner, true) != Some(false),
        elsewhere: holds_in_build(inner, true) == Some(false)
            && holds_in_build(inner, false) == Some(false),
    }
}

fn holds_in_build(predicate: &str, tests: bool) -> Option<bool> {
    cfg_holds(predicate, &|key, _| (key == "test").then_some(tests))
}

/// The known value of a key, or of a key with a value, apart from the platform.
type CfgLookup<'k> = &'k dyn Fn(&str, Option<&str>) -> Option<bool>;

/// Whether a `cfg` predicate is true on 64-bit Linux; `None` if that is unknown.
pub(in crate::rust) fn cfg_holds(predicate: &str, known: CfgLookup<'_>) -> Option<bool> {
    holds_inside(predicate, known, 0)
}

fn holds_inside(predicate: &str, known: CfgLookup<'_>, depth: u32) -> Option<bool> {
    let predicate = predicate.trim();
    if depth > 16 {
        return None;
    }
    if let Some((name, inner)) = predicate.split_once('(')
        && let Some(inner) = inner.strip_suffix(')')
    {
        let mut parts = split_top_level(inner).map(|p| holds_inside(p, known, depth + 1));
        return match name.trim() {
            "not" => parts.next().flatten().map(|b| !b),
            "all" => fold_any_all(parts, false),
            "any" => fold_any_all(parts, true),
            _ => None,
        };
    }
    if let Some((key, value)) = predicate.split_once('=') {
        let value = value.trim().trim_matches('"');
        return match key.trim() {
            "target_os" => Some(value == "linux"),
            "target_family" => Some(value == "unix"),
            "target_pointer_width" => Some(value == "64"),
            "target_arch" => Some(value == "x86_64"),
            "target_endian" => Some(value == "little"),
            "target_has_atomic" => Some(value != "128"),
            key => known(key, Some(value)),
        };
    }
    match predicate {
        "unix" => Some(true),
        "windows" | "miri" | "wasm" => Some(false),
        key => known(key, None),
    }
}

/// `any` (decided by a true one) or `all` (decided by a false one).
fn fold_any_all(parts: impl Iterator<Item = Option<bool>>, decisive: bool) -> Option<bool> {
    let mut known = true;
    for part in parts {
        match part {
            Some(value) if value == decisive => return Some(decisive),
            Some(_) => {}
            None => known = false,
        }
    }
    known.then_some(!decisive)
}

/// The parts between commas that are not in parentheses.
fn split_top_level(inner: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    inner
        .split(move |c| {
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            c == ',' && depth == 0
        })
        .filter(|p| !p.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_and_other_platforms_are_told_apart() {
        let told = |text: &str| {
            let found = parse_condition(text);
            (found.test, found.elsewhere)
        };
        assert_eq!(told("(test)"), (true, false));
        assert_eq!(told("(all(test, feature = \"x\"))"), (true, false));
        assert_eq!(told("(any(test, feature = \"x\"))"), (false, false));
        assert_eq!(told("(not(test))"), (false, false));
        assert_eq!(told("(windows)"), (false, true));
        assert_eq!(told("(not(unix))"), (false, true));
        assert_eq!(told("(any(windows, target_os = \"macos\"))"), (false, true));
        assert_eq!(told("(all(unix, feature = \"x\"))"), (false, false));
        assert_eq!(told("(not(any(unix, windows)))"), (false, true));
    }
}
