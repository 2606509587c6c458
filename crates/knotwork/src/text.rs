//! Formatting of text answers: emphasis, counts, places.

/// Emphasis, if the terminal shows it and the user wants it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style {
    on: bool,
}

impl Style {
    pub(crate) fn new(on: bool) -> Style {
        Style { on }
    }

    /// Whether emphasis is on.
    pub(crate) fn is_enabled(self) -> bool {
        self.on
    }

    pub(crate) fn bold(self, text: &str) -> String {
        self.with_code("1", text)
    }

    pub(crate) fn dim(self, text: &str) -> String {
        self.with_code("2", text)
    }

    fn with_code(self, code: &str, text: &str) -> String {
        if self.on {
            format!("\u{1b}[{code}m{text}\u{1b}[0m")
        } else {
            text.to_owned()
        }
    }
}

/// A number such as `12,345`.
pub(crate) fn format_count(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Rounds to two digits: for a call that leads to one of three targets, `0.32666666666666666` would be noise.
pub(crate) fn round_confidence(confidence: f64) -> f64 {
    (confidence * 100.0).round() / 100.0
}

/// A count such as `1 file` or `2 files`.
pub(crate) fn format_plural(number: u64, what: &str) -> String {
    let end = if number == 1 { "" } else { "s" };
    format!("{} {what}{end}", format_count(number))
}

/// A percentage such as `61%`; `-` for a share of nothing.
pub(crate) fn format_percent(part: u64, whole: u64) -> String {
    match (part * 100 + whole / 2).checked_div(whole) {
        Some(share) => format!("{share}%"),
        None => "-".to_owned(),
    }
}

/// A size such as `1.4 MB`, in powers of ten.
pub(crate) fn format_size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.2} GB", bytes as f64 / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(format_count(0), "0");
        assert_eq!(format_count(1234567), "1,234,567");
        assert_eq!(format_plural(1, "file"), "1 file");
        assert_eq!(format_percent(2, 3), "67%");
        assert_eq!(format_percent(0, 0), "-");
        assert_eq!(format_size(1_440_000), "1.4 MB");
    }

    #[test]
    fn emphasis_can_be_off() {
        assert_eq!(Style::new(false).bold("x"), "x");
        assert!(Style::new(true).dim("x").contains("\u{1b}[2m"));
    }
}
