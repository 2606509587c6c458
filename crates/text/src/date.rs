//! Moments as text.

use jiff::Timestamp;

/// Seconds since 1970 in UTC, as `2024-02-29T23:59:59Z`. What lies outside the years that the calendar has (±9999) is
/// shown as its first or last moment: dates of commits may be anything.
pub fn utc(seconds: i64) -> String {
    let nearest = if seconds < 0 {
        Timestamp::MIN
    } else {
        Timestamp::MAX
    };
    let moment = Timestamp::from_second(seconds);
    let whole = moment.unwrap_or(nearest).as_second();
    Timestamp::from_second(whole).map_or_else(|_| nearest.to_string(), |moment| moment.to_string())
}

#[cfg(test)]
mod tests {
    use super::utc;

    #[test]
    fn moments_are_of_the_calendar() {
        for (seconds, expected) in [
            (0, "1970-01-01T00:00:00Z"),
            (-1, "1969-12-31T23:59:59Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_251_199, "2024-02-29T23:59:59Z"),
            (1_717_243_445, "2024-06-01T12:04:05Z"),
            (1_735_689_600, "2025-01-01T00:00:00Z"),
            (1_798_761_599, "2026-12-31T23:59:59Z"),
            (i64::MAX, "9999-12-30T22:00:00Z"),
        ] {
            assert_eq!(utc(seconds), expected);
        }
        assert!(utc(i64::MIN).starts_with("-009999-01-"));
    }
}
