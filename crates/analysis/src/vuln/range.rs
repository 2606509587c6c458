//! Version ranges as in npm's advisories: comparators side by side, alternatives separated by `||`.

use std::cmp::Ordering;

/// Whether a version lies in a range; `None` if the range or the version is not understood.
pub(super) fn contains(range: &str, version: &str) -> Option<bool> {
    let version = Version::parse(version)?;
    let mut any = false;
    for alternative in range.split("||") {
        any |= all_comparators_hold(alternative, &version)?;
    }
    Some(any)
}

fn all_comparators_hold(alternative: &str, version: &Version<'_>) -> Option<bool> {
    let text = alternative.trim();
    if text.is_empty() || text == "*" {
        return Some(true);
    }
    if let Some((from, to)) = text.split_once(" - ") {
        let (from, to) = (Version::parse(from)?, Version::parse(to)?);
        return Some(version.cmp(&from).is_ge() && version.cmp(&to).is_le());
    }
    let mut holds = true;
    let mut operator = String::new();
    for word in text.split([' ', ',']).filter(|w| !w.is_empty()) {
        let end = word.find(|c| !matches!(c, '<' | '>' | '='));
        let (sign, number) = word.split_at(end.unwrap_or(word.len()));
        operator.push_str(sign);
        if number.is_empty() {
            continue;
        }
        let order = version.cmp(&Version::parse(number)?);
        holds &= match operator.as_str() {
            "<" => order.is_lt(),
            "<=" => order.is_le(),
            ">" => order.is_gt(),
            ">=" => order.is_ge(),
            "" | "=" | "==" => order.is_eq(),
            _ => return None,
        };
        operator.clear();
    }
    operator.is_empty().then_some(holds)
}

/// Numbers, and the pre-release after a `-`: a version with one comes before the same version without.
struct Version<'a> {
    numbers: Vec<u64>,
    pre: Option<&'a str>,
}

impl<'a> Version<'a> {
    fn parse(text: &'a str) -> Option<Version<'a>> {
        let text = text.trim().trim_start_matches('v');
        let text = text.split('+').next().unwrap_or(text);
        let (numbers, pre) = match text.split_once('-') {
            Some((numbers, pre)) => (numbers, Some(pre)),
            None => (text, None),
        };
        let numbers = numbers.split('.').map(|n| n.parse().ok());
        let numbers = numbers.collect::<Option<Vec<u64>>>()?;
        Some(Version { numbers, pre })
    }

    fn cmp(&self, other: &Version<'_>) -> Ordering {
        let length = self.numbers.len().max(other.numbers.len());
        let at = |v: &Version<'_>, n: usize| v.numbers.get(n).copied().unwrap_or(0);
        let numbers = (0..length).map(|n| at(self, n).cmp(&at(other, n)));
        let order = numbers.into_iter().find(|o| o.is_ne());
        order.unwrap_or_else(|| match (self.pre, other.pre) {
            (Some(a), Some(b)) => a.cmp(b),
            (a, b) => b.is_some().cmp(&a.is_some()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::contains;

    #[test]
    fn ranges_of_advisories() {
        for (range, version, expected) in [
            ("<4.17.21", "4.17.20", Some(true)),
            ("<4.17.21", "4.17.21", Some(false)),
            (">=1.0.0 <1.2.6", "1.2.5", Some(true)),
            (">= 1.0.0 < 1.2.6", "0.9.0", Some(false)),
            ("<0.2.1 || >=1.0.0 <1.2.3", "1.2.0", Some(true)),
            ("<0.2.1 || >=1.0.0 <1.2.3", "0.3.0", Some(false)),
            ("1.0.0 - 2.0.0", "2.0.0", Some(true)),
            ("*", "7.1.0", Some(true)),
            ("<2.0.0", "2.0.0-rc.1", Some(true)),
            ("^1.0.0", "1.1.0", None),
            ("<1.0.0", "git+ssh", None),
        ] {
            assert_eq!(contains(range, version), expected, "{range} {version}");
        }
    }
}
