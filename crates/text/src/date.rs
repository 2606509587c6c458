//! Moments as text.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::Offset;

/// Formats seconds since 1970 in UTC, as `2024-02-29T23:59:59Z`. A time outside the years of the calendar (±9999)
/// becomes its first or last moment: commits may have any date.
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

/// Parses a moment in ISO 8601, or as SQLite writes it, to seconds since 1970: `2026-01-31`, `2026-01-31 12:00:00`,
/// `2026-01-31T12:00:00.5+02:00`. Without an offset it is in UTC. `None` for anything else.
pub fn parse_moment(text: &str) -> Option<i64> {
    if let Ok(moment) = text.parse::<Timestamp>() {
        return Some(moment.as_second());
    }
    // A text with an offset that is not a valid moment is not read as a date.
    let has_offset = text.ends_with(['Z', 'z']) || text.contains('+');
    let date: DateTime = text.parse().ok().filter(|_| !has_offset)?;
    Some(Offset::UTC.to_timestamp(date).ok()?.as_second())
}

/// Formats seconds since 1970 as SQLite writes moments: `2026-01-31 12:00:00`, in UTC.
pub fn to_sqlite(seconds: i64) -> String {
    utc(seconds)
        .replace('T', " ")
        .trim_end_matches('Z')
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::{parse_moment, to_sqlite, utc};

    #[test]
    fn moments_are_read_in_all_their_forms() {
        let noon = Some(1_769_860_800);
        for text in [
            "2026-01-31 12:00:00",
            "2026-01-31T12:00:00",
            "2026-01-31T12:00:00Z",
            "2026-01-31T14:00:00.25+02:00",
            "2026-01-31 12:00:00.999",
        ] {
            assert_eq!(parse_moment(text), noon, "{text}");
        }
        assert_eq!(parse_moment("2026-01-31"), Some(1_769_817_600));
        assert_eq!(to_sqlite(1_769_860_800), "2026-01-31 12:00:00");
        for text in [
            "9999-99-99 00:00:00",
            "2026-13-01",
            "yesterday",
            "",
            "12:00:00",
        ] {
            assert_eq!(parse_moment(text), None, "{text}");
        }
    }

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
