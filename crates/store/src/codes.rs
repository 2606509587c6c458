//! The stored form of tiers, sites, lines and confidences, which all backends share.

use crate::EdgeRecord;
use base::{Site, Tier};

/// The stored form of further lines; `None` if there are none.
pub fn encode_lines(lines: &[u32]) -> Option<String> {
    if lines.is_empty() {
        return None;
    }
    Some(join_lines(lines))
}

/// The stored form of lines.
pub fn join_lines(lines: &[u32]) -> String {
    let words: Vec<String> = lines.iter().map(u32::to_string).collect();
    words.join(",")
}

/// The lines of a stored form.
pub fn decode_lines(stored: Option<String>) -> Vec<u32> {
    let mut lines = Vec::new();
    decode_lines_into(stored.as_deref(), &mut lines);
    lines
}

/// Decodes the lines of a stored form into `lines`.
pub fn decode_lines_into(stored: Option<&str>, lines: &mut Vec<u32>) {
    lines.clear();
    let words = stored.unwrap_or_default().split(',');
    lines.extend(words.filter_map(|word| word.parse::<u32>().ok()));
}

/// The stored form of a tier; `None` for rows added by hand.
pub fn tier_code(tier: Tier) -> Option<u8> {
    match tier {
        Tier::Scip => Some(0),
        Tier::Typed => Some(1),
        Tier::Scoped => Some(2),
        Tier::Named => Some(3),
        Tier::Manual | Tier::Virtual => None,
    }
}

/// The tier of a stored form.
pub fn tier_from_code(code: Option<i64>) -> Tier {
    match code {
        Some(0) => Tier::Scip,
        Some(1) => Tier::Typed,
        Some(2) => Tier::Scoped,
        Some(3) => Tier::Named,
        _ => Tier::Manual,
    }
}

/// The stored form of a site.
pub fn site_code(site: Option<Site>) -> Option<u8> {
    site.map(|s| match s {
        Site::Call => 0,
        Site::Reference => 1,
    })
}

/// The site of a stored form.
pub fn site_from_code(code: Option<i64>) -> Option<Site> {
    match code {
        Some(0) => Some(Site::Call),
        Some(1) => Some(Site::Reference),
        _ => None,
    }
}

/// The confidence to store; `None` if it is that of the tier.
pub fn confidence_to_store(edge: &EdgeRecord) -> Option<f64> {
    (edge.confidence != edge.tier.default_confidence()).then_some(edge.confidence)
}
