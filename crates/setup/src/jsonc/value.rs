//! Values of JSON, with members in the order of the text.

use super::scan;
use crate::edit_error::Result;
use crate::style::quote;

/// A value with its parts in order.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Json {
    /// A number, text or word, as written.
    Plain(String),
    /// A list.
    List(Vec<Json>),
    /// Members with their keys.
    Object(Vec<(String, Json)>),
}

impl Json {
    /// A text.
    pub(crate) fn text(text: &str) -> Json {
        Json::Plain(quote(text))
    }

    /// A number.
    pub(crate) fn number(number: u32) -> Json {
        Json::Plain(number.to_string())
    }

    /// A truth value.
    pub(crate) fn truth(value: bool) -> Json {
        Json::Plain(value.to_string())
    }

    /// A list of texts.
    pub(crate) fn texts<T: AsRef<str>>(texts: &[T]) -> Json {
        Json::List(texts.iter().map(|text| Json::text(text.as_ref())).collect())
    }

    /// An object.
    pub(crate) fn object(members: Vec<(&str, Json)>) -> Json {
        Json::Object(
            members
                .into_iter()
                .map(|(key, value)| (key.to_owned(), value))
                .collect(),
        )
    }

    /// Whether it is an empty object, list or text, or `null`.
    pub(crate) fn is_blank(&self) -> bool {
        match self {
            Json::Plain(raw) => raw == "null" || raw == "\"\"",
            Json::List(items) => items.is_empty(),
            Json::Object(members) => members.is_empty(),
        }
    }

    /// The value at a place of a checked text.
    pub(super) fn read(text: &str, range: std::ops::Range<usize>) -> Result<Json> {
        let Some(container) = scan::container(text, range.start)? else {
            return Ok(Json::Plain(text[range].to_owned()));
        };
        let mut members = Vec::new();
        for item in container.items {
            members.push((item.key.unwrap_or_default(), Json::read(text, item.value)?));
        }
        Ok(if container.is_object {
            Json::Object(members)
        } else {
            Json::List(members.into_iter().map(|(_, value)| value).collect())
        })
    }

    /// A member of an object.
    pub(crate) fn get(&self, key: &str) -> Option<&Json> {
        let Json::Object(members) = self else {
            return None;
        };
        members
            .iter()
            .find(|(name, _)| name == key)
            .map(|(_, value)| value)
    }

    /// The items of a list; empty for any other value.
    pub(crate) fn items(&self) -> &[Json] {
        match self {
            Json::List(items) => items,
            _ => &[],
        }
    }

    /// The text of a string.
    pub(crate) fn as_text(&self) -> Option<String> {
        match self {
            Json::Plain(raw) => serde_json::from_str(raw).ok(),
            _ => None,
        }
    }

    /// Writes the value on several lines, the first one without indentation.
    pub(super) fn write_lines(&self, style: &super::Style, indent: &str, out: &mut String) {
        let inner = format!("{indent}{}", style.unit);
        match self {
            Json::Plain(raw) => out.push_str(raw),
            // A list of plain values stays on its line.
            Json::List(items) if items.iter().all(|item| matches!(item, Json::Plain(_))) => {
                self.write_line(true, out);
            }
            Json::List(items) => {
                let values = items.iter().map(|item| (None, item));
                write_block(('[', ']'), values, style, [indent, &inner], out);
            }
            Json::Object(members) => {
                let values = members
                    .iter()
                    .map(|(key, value)| (Some(key.as_str()), value));
                write_block(('{', '}'), values, style, [indent, &inner], out);
            }
        }
    }

    /// Writes the value on one line, with or without spaces after commas and colons.
    pub(super) fn write_line(&self, spaced: bool, out: &mut String) {
        let gap = if spaced { " " } else { "" };
        match self {
            Json::Plain(raw) => out.push_str(raw),
            Json::List(items) => {
                out.push('[');
                for (number, item) in items.iter().enumerate() {
                    if number > 0 {
                        out.push(',');
                        out.push_str(gap);
                    }
                    item.write_line(spaced, out);
                }
                out.push(']');
            }
            Json::Object(members) => {
                out.push('{');
                for (number, (key, value)) in members.iter().enumerate() {
                    if number > 0 {
                        out.push(',');
                    }
                    out.push_str(gap);
                    out.push_str(&quote(key));
                    out.push(':');
                    out.push_str(gap);
                    value.write_line(spaced, out);
                }
                if !members.is_empty() {
                    out.push_str(gap);
                }
                out.push('}');
            }
        }
    }
}

fn write_block<'v>(
    (open, close): (char, char),
    values: impl Iterator<Item = (Option<&'v str>, &'v Json)>,
    style: &super::Style,
    [indent, inner]: [&str; 2],
    out: &mut String,
) {
    out.push(open);
    let mut is_first = true;
    for (key, value) in values {
        if !is_first {
            out.push(',');
        }
        is_first = false;
        out.push_str(style.newline);
        out.push_str(inner);
        if let Some(key) = key {
            out.push_str(&quote(key));
            out.push_str(": ");
        }
        value.write_lines(style, inner, out);
    }
    if !is_first {
        out.push_str(style.newline);
        out.push_str(indent);
    }
    out.push(close);
}
