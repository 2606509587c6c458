//! Points in time as seconds and as ISO 8601.

use std::time::{SystemTime, UNIX_EPOCH};

/// Seconds since 1970.
pub(crate) fn seconds(time: SystemTime) -> u64 {
    let since = time.duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}

/// The present time, in seconds since 1970.
pub(crate) fn now_seconds() -> u64 {
    seconds(SystemTime::now())
}

/// The time in UTC, such as `2024-02-29T23:59:59Z`.
pub(crate) fn format_utc(time: SystemTime) -> String {
    text::date::utc(i64::try_from(seconds(time)).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn moments() {
        for (seconds, expected) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_251_199, "2024-02-29T23:59:59Z"),
            (1_735_689_600, "2025-01-01T00:00:00Z"),
        ] {
            assert_eq!(
                format_utc(UNIX_EPOCH + Duration::from_secs(seconds)),
                expected
            );
        }
    }
}
