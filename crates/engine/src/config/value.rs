//! Types of keys, and parsing of their values.

use serde::Serialize;
use std::fmt;

/// A value.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// On or off.
    Flag(bool),
    /// A whole number.
    Integer(i64),
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
    /// Not set, without a default.
    Unset,
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Flag(flag) => write!(f, "{flag}"),
            Value::Integer(number) => write!(f, "{number}"),
            Value::Number(number) => write!(f, "{number}"),
            Value::Text(text) => f.write_str(text),
            Value::Unset => f.write_str("-"),
        }
    }
}

/// The type of a key's values, and its default.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// On or off.
    Flag(bool),
    /// A whole number within bounds, both inclusive.
    Integer {
        /// The default.
        default: i64,
        /// The lower bound.
        min: i64,
        /// The upper bound.
        max: i64,
    },
    /// A number within bounds, both inclusive.
    Number {
        /// The default.
        default: f64,
        /// The lower bound.
        min: f64,
        /// The upper bound.
        max: f64,
    },
    /// A size in bytes, with `k`, `m`, `g` or `KB`, `MiB` and so on after the number.
    Size {
        /// The lower bound, bytes.
        min: u64,
    },
    /// One of a few words; the first is the default.
    Word(&'static [&'static str]),
    /// Any text on one line.
    Text(Option<&'static str>),
}

/// The most bytes of a text.
const LONGEST: usize = 1_000;

impl Kind {
    /// The default value.
    pub fn default(self) -> Value {
        match self {
            Kind::Flag(flag) => Value::Flag(flag),
            Kind::Integer { default, .. } => Value::Integer(default),
            Kind::Number { default, .. } => Value::Number(default),
            Kind::Size { .. } => Value::Unset,
            Kind::Word(words) => words
                .first()
                .map_or(Value::Unset, |w| Value::Text((*w).to_owned())),
            Kind::Text(default) => default.map_or(Value::Unset, |t| Value::Text(t.to_owned())),
        }
    }

    /// The allowed values, in words for people.
    pub fn describe_allowed(self) -> String {
        match self {
            Kind::Flag(_) => "true or false".to_owned(),
            Kind::Integer { min, max, .. } => format!("a whole number from {min} to {max}"),
            Kind::Number { min, max, .. } => format!("a number from {min} to {max}"),
            Kind::Size { min } => format!("a size of at least {} MB, e.g. 2GB", min >> 20),
            Kind::Word(words) => format!("one of {}", words.join(", ")),
            Kind::Text(_) => "a text".to_owned(),
        }
    }

    /// Reads a value.
    pub fn parse_value(self, text: &str) -> Result<Value, ValueError> {
        let text = text.trim();
        let value = match self {
            Kind::Flag(_) => parse_flag(text).map(Value::Flag),
            Kind::Integer { min, max, .. } => text
                .replace('_', "")
                .parse()
                .ok()
                .filter(|n| (min..=max).contains(n))
                .map(Value::Integer),
            Kind::Number { min, max, .. } => text
                .parse()
                .ok()
                .filter(|n| (min..=max).contains(n))
                .map(Value::Number),
            Kind::Size { min } => parse_byte_size(text)
                .ok()
                .filter(|size| *size >= min)
                .and_then(|size| i64::try_from(size).ok())
                .map(Value::Integer),
            Kind::Word(words) => words
                .iter()
                .find(|word| word.eq_ignore_ascii_case(text))
                .map(|word| Value::Text((*word).to_owned())),
            Kind::Text(_) => {
                (!text.is_empty() && text.len() <= LONGEST && !text.contains(char::is_control))
                    .then(|| Value::Text(text.to_owned()))
            }
        };
        value.ok_or_else(|| ValueError {
            allowed: self.describe_allowed(),
        })
    }
}

/// A text is no allowed value of a key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("must be {allowed}")]
pub struct ValueError {
    /// The allowed values, in words for people.
    pub allowed: String,
}

/// The reason why a text is no size.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SizeError {
    /// The letters after the number are no unit.
    #[error("unknown unit {0}; use KiB, MiB or GiB")]
    UnknownUnit(String),
    /// There is no number.
    #[error("{0} is not a size; write e.g. 1MiB")]
    NoNumber(String),
    /// It has more bytes than can be counted.
    #[error("{0} is too large")]
    TooLarge(String),
}

/// A size in bytes, with `k`, `m`, `g` or `KiB`, `MiB`, `GiB` after the number.
pub fn parse_byte_size(text: &str) -> Result<u64, SizeError> {
    let lower = text.trim().to_lowercase();
    let digits = lower.trim_end_matches(|c: char| c.is_alphabetic());
    let unit: u64 = match lower[digits.len()..]
        .trim_end_matches('b')
        .trim_end_matches('i')
    {
        "" => 1,
        "k" => 1 << 10,
        "m" => 1 << 20,
        "g" => 1 << 30,
        other => return Err(SizeError::UnknownUnit(other.to_owned())),
    };
    let number: u64 = digits
        .trim()
        .parse()
        .map_err(|_| SizeError::NoNumber(text.to_owned()))?;
    number
        .checked_mul(unit)
        .ok_or_else(|| SizeError::TooLarge(text.to_owned()))
}

fn parse_flag(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" | "1" => Some(true),
        "false" | "no" | "off" | "0" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_outside_their_range_are_refused_and_borders_are_in_it() {
        let kind = Kind::Integer {
            default: 2,
            min: 1,
            max: 4,
        };
        assert_eq!(kind.parse_value("4"), Ok(Value::Integer(4)));
        assert_eq!(
            kind.parse_value("5").unwrap_err().to_string(),
            "must be a whole number from 1 to 4"
        );
        assert!(kind.parse_value("0").is_err());
        assert!(kind.parse_value("2.5").is_err());
        assert!(kind.parse_value("99999999999999999999").is_err());
        let kind = Kind::Number {
            default: 0.3,
            min: 0.0,
            max: 1.0,
        };
        assert_eq!(kind.parse_value("1"), Ok(Value::Number(1.0)));
        assert!(kind.parse_value("NaN").is_err());
        assert!(kind.parse_value("inf").is_err());
    }

    #[test]
    fn sizes_are_read_with_their_units_and_not_below_the_least() {
        assert_eq!(parse_byte_size("4096"), Ok(4096));
        assert_eq!(parse_byte_size("2k"), Ok(2048));
        assert_eq!(parse_byte_size("1MiB"), Ok(1 << 20));
        assert_eq!(parse_byte_size("3gb"), Ok(3 << 30));
        assert!(parse_byte_size("1x").is_err());
        assert!(parse_byte_size("").is_err());
        assert!(parse_byte_size("99999999999g").is_err());
        let kind = Kind::Size { min: 256 << 20 };
        assert_eq!(kind.parse_value("1GB"), Ok(Value::Integer(1 << 30)));
        assert_eq!(
            kind.parse_value("255MB").unwrap_err().to_string(),
            "must be a size of at least 256 MB, e.g. 2GB"
        );
    }

    #[test]
    fn words_and_flags_are_read_in_any_case() {
        let kind = Kind::Word(&["auto", "ollama"]);
        assert_eq!(
            kind.parse_value("Ollama"),
            Ok(Value::Text("ollama".to_owned()))
        );
        assert_eq!(
            kind.parse_value("llama").unwrap_err().to_string(),
            "must be one of auto, ollama"
        );
        assert_eq!(Kind::Flag(false).parse_value("On"), Ok(Value::Flag(true)));
        assert!(Kind::Flag(false).parse_value("maybe").is_err());
    }
}
