//! What was found of one file, and how it reads.

use analysis::bug_locate::Signals;

/// Reasons that are told.
const TOLD: usize = 4;
/// Reasons that are kept; of more the lightest go.
const MOST_REASONS: usize = 64;

/// A place in a file, and how sure it is that the bug is there.
#[derive(Debug, Clone)]
pub(super) struct Spot {
    pub lines: (u32, u32),
    pub weight: f64,
}

/// All that is known of a file.
#[derive(Debug, Clone, Default)]
pub(super) struct Evidence {
    pub signals: Signals,
    /// The best place so far.
    pub spot: Option<Spot>,
    /// Words for it, the weightiest first.
    pub reasons: Vec<(f64, String)>,
    /// Seconds since 1970.
    pub last: Option<i64>,
    /// Whether it is a test, generated, vendored or a document.
    pub aside: bool,
}

impl Evidence {
    /// Notes a place; the surest stays.
    pub(super) fn at(&mut self, lines: (u32, u32), weight: f64) {
        if self.spot.as_ref().is_none_or(|spot| weight > spot.weight) {
            self.spot = Some(Spot { lines, weight });
        }
    }

    /// Notes a reason.
    pub(super) fn because(&mut self, weight: f64, reason: String) {
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
    pub(super) fn reason(&self) -> String {
        let mut reasons = self.reasons.clone();
        reasons.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        let texts = reasons.into_iter().take(TOLD).map(|(_, text)| text);
        texts.collect::<Vec<_>>().join("; ")
    }
}

/// Seconds since 1970 as `2024-05-01T12:00:00Z` (days to civil, Hinnant 2013).
pub(super) fn date(time: i64) -> String {
    let (days, seconds) = (time.div_euclid(86_400), time.rem_euclid(86_400));
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 {
        shifted_month + 3
    } else {
        shifted_month - 9
    };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let (hour, minute, second) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::{Evidence, MOST_REASONS, date};

    #[test]
    fn dates_are_of_the_calendar() {
        assert_eq!(date(0), "1970-01-01T00:00:00Z");
        assert_eq!(date(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(date(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(date(1_717_243_445), "2024-06-01T12:04:05Z");
        assert_eq!(date(-1), "1969-12-31T23:59:59Z");
    }

    #[test]
    fn of_many_reasons_the_weightiest_are_kept() {
        let mut found = Evidence::default();
        for n in 0..20_000 {
            found.because(f64::from(n % 1_000), format!("reason {n:05}"));
        }
        assert!(found.reasons.len() <= MOST_REASONS);
        assert_eq!(
            found.reason(),
            "reason 00999; reason 01999; reason 02999; reason 03999"
        );
    }
}
