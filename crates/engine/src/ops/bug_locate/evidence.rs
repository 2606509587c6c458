//! Evidence about one file, and its summary in words.

use analysis::bug_locate::Signals;

/// The most reasons that are shown.
const TOLD: usize = 4;
/// The most reasons that are kept; beyond it those of least weight are dropped.
const MOST_REASONS: usize = 64;

/// A place in a file, and the weight of the evidence for the bug being there.
#[derive(Debug, Clone)]
pub(super) struct LikelyLocation {
    pub lines: (u32, u32),
    pub weight: f64,
}

/// All evidence about a file.
#[derive(Debug, Clone, Default)]
pub(super) struct Evidence {
    pub signals: Signals,
    /// The best place so far.
    pub spot: Option<LikelyLocation>,
    /// The reasons in words, with their weights.
    pub reasons: Vec<(f64, String)>,
    /// The time of the last change, seconds since 1970.
    pub last_changed: Option<i64>,
    /// Whether the file is a test, generated, vendored or a document.
    pub aside: bool,
}

impl Evidence {
    /// Notes a place; the one of most weight is kept.
    pub(super) fn note_location(&mut self, lines: (u32, u32), weight: f64) {
        if self.spot.as_ref().is_none_or(|spot| weight > spot.weight) {
            self.spot = Some(LikelyLocation { lines, weight });
        }
    }

    /// Notes a reason.
    pub(super) fn add_reason(&mut self, weight: f64, reason: String) {
        if self.reasons.iter().any(|(_, known)| *known == reason) {
            return;
        }
        self.reasons.push((weight, reason));
        if self.reasons.len() > MOST_REASONS {
            let order = |a: &(f64, String), b: &(f64, String)| {
                b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1))
            };
            self.reasons.sort_by(order);
            self.reasons.truncate(MOST_REASONS / 2);
        }
    }

    /// The weightiest reasons in one line.
    pub(super) fn summary(&self) -> String {
        let mut reasons = self.reasons.clone();
        reasons.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        let texts = reasons.into_iter().take(TOLD).map(|(_, text)| text);
        texts.collect::<Vec<_>>().join("; ")
    }
}

#[cfg(test)]
mod tests {
    use super::{Evidence, MOST_REASONS};

    #[test]
    fn of_many_reasons_the_weightiest_are_kept() {
        let mut found = Evidence::default();
        for n in 0..20_000 {
            found.add_reason(f64::from(n % 1_000), format!("reason {n:05}"));
        }
        assert!(found.reasons.len() <= MOST_REASONS);
        assert_eq!(
            found.summary(),
            "reason 00999; reason 01999; reason 02999; reason 03999"
        );
    }
}
