//! Limits entries of the audit log on refused requests: whoever has no token must not fill the database.

use std::collections::HashMap;
use std::time::{Duration, Instant};

/// Most entries on refusals of one user in a period; all unknown users count as one.
const MOST: u32 = 20;
/// The period.
const PERIOD: Duration = Duration::from_secs(60);

/// The refusals of the current period, by user; no name stands for unknown tokens.
#[derive(Default)]
pub(super) struct Refusals {
    all: HashMap<Option<String>, Counts>,
}

struct Counts {
    since: Instant,
    written: u32,
    /// Refusals without an entry since the last entry.
    left_out: u64,
}

impl Refusals {
    /// Whether a refusal gets an entry: the number of refusals that got none since the last entry.
    pub(super) fn admit(&mut self, user: Option<&str>, now: Instant) -> Option<u64> {
        let user = user.map(str::to_owned);
        let counts = self.all.entry(user).or_insert(Counts {
            since: now,
            written: 0,
            left_out: 0,
        });
        if now.saturating_duration_since(counts.since) >= PERIOD {
            (counts.since, counts.written) = (now, 0);
        }
        if counts.written == MOST {
            counts.left_out += 1;
            return None;
        }
        counts.written += 1;
        Some(std::mem::take(&mut counts.left_out))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_of_refusals_makes_few_entries() {
        let (mut refusals, start) = (Refusals::default(), Instant::now());
        let mut entries = |user: Option<&str>, after: u64, count: usize| -> Vec<u64> {
            let now = start + Duration::from_secs(after);
            let all = (0..count).filter_map(|_| refusals.admit(user, now));
            all.collect()
        };
        assert_eq!(entries(None, 0, 100_000), [0; 20]);
        // Others have entries of their own.
        assert_eq!(entries(Some("ann"), 1, 3), [0; 3]);
        // The next entry tells of those without one.
        assert_eq!(entries(None, 61, 2), [99_980, 0]);
    }
}
