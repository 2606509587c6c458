//! Edits JSON with comments in place: all bytes outside of the change stay.

mod scan;
mod value;

pub(crate) use value::Json;

use crate::edit_error::{EditError, Result};
use crate::style::{newline_of, quote};
use scan::{Container, Item};
use std::ops::Range;

/// A step from a value to one of its parts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Step<'k> {
    /// The member of an object.
    Key(&'k str),
    /// The item of a list.
    Index(usize),
}

/// Steps through objects.
#[cfg(test)]
fn keys<'k>(path: &[&'k str]) -> Vec<Step<'k>> {
    path.iter().map(|key| Step::Key(key)).collect()
}

/// The notation of a file.
struct Style {
    /// One level of indentation.
    unit: String,
    newline: &'static str,
    /// Whether everything is on one line.
    is_one_line: bool,
    /// Whether a space follows a colon.
    is_spaced: bool,
}

impl Style {
    fn detect(text: &str) -> Style {
        let body = text.trim();
        let indented = text.lines().find(|line| {
            line.starts_with([' ', '\t']) && line.trim_start().starts_with(['"', '{', '['])
        });
        let unit = indented.map(|line| &line[..line.len() - line.trim_start().len()]);
        Style {
            unit: unit.unwrap_or("  ").to_owned(),
            newline: newline_of(text),
            is_one_line: !body.contains('\n') && body.len() > 2,
            is_spaced: body.contains(": ") || !body.contains(':'),
        }
    }
}

/// Whether a text is JSON with comments whose value, if any, is an object.
pub(crate) fn check(text: &str) -> Result<()> {
    match scan::document(text)? {
        Some(root) if text.as_bytes()[root.start] != b'{' => Err(EditError::text_is_no("object")),
        _ => Ok(()),
    }
}

/// Whether there is a value at a path.
pub(crate) fn contains(text: &str, path: &[Step<'_>]) -> bool {
    matches!(find(text, path), Ok(Some(_)))
}

/// The value at a path; none if it is missing. An error if its text is longer than `longest`: decoded, it may take many times as
/// much.
pub(crate) fn read_short_value(
    text: &str,
    path: &[Step<'_>],
    longest: usize,
) -> Result<Option<Json>> {
    match find(text, path)? {
        Some(range) if range.len() > longest => Err(EditError::LongEntry {
            kib: longest.div_ceil(1 << 10),
        }),
        Some(range) => Json::read(text, range).map(Some),
        None => Ok(None),
    }
}

/// The value at a path; none if it is missing.
pub(crate) fn read_value(text: &str, path: &[Step<'_>]) -> Result<Option<Json>> {
    match find(text, path)? {
        Some(range) => Json::read(text, range).map(Some),
        None => Ok(None),
    }
}

/// Adds a member to the object at a path, after its last one. Missing objects on the path are created. The member must not exist.
pub(crate) fn insert(text: &str, path: &[&str], key: &str, value: &Json) -> Result<String> {
    check(text)?;
    let style = Style::detect(text);
    let Some(root) = scan::document(text)? else {
        let whole = wrap(path, Json::Object(vec![(key.to_owned(), value.clone())]));
        let mut out = text.to_owned();
        if !text.trim_start_matches('\u{feff}').is_empty() && !text.ends_with('\n') {
            out.push_str(style.newline);
        }
        whole.write_lines(&style, "", &mut out);
        out.push_str(style.newline);
        return Ok(out);
    };
    let mut at = root;
    for (number, part) in path.iter().enumerate() {
        let around = object_at(text, at.start, &path[..number])?;
        match only_item(&around, part)? {
            Some(item) => at = item.value.clone(),
            None => {
                let value = Json::Object(vec![(key.to_owned(), value.clone())]);
                let value = wrap(&path[number + 1..], value);
                return Ok(add_item(text, &around, Some(part), &value, &style));
            }
        }
    }
    let around = object_at(text, at.start, path)?;
    if only_item(&around, key)?.is_some() {
        return Err(EditError::KeyExists(key.to_owned()));
    }
    Ok(add_item(text, &around, Some(key), value, &style))
}

/// Adds an item at the end of the list at a path, which must exist.
pub(crate) fn push(text: &str, path: &[Step<'_>], value: &Json) -> Result<String> {
    let range = find(text, path)?.ok_or(EditError::NoList)?;
    let list = scan::container(text, range.start)?;
    let list = list
        .filter(|list| !list.is_object)
        .ok_or(EditError::NoList)?;
    Ok(add_item(text, &list, None, value, &Style::detect(text)))
}

/// Removes the value at a path. An object or list that becomes empty stays.
pub(crate) fn remove(text: &str, path: &[Step<'_>]) -> Result<String> {
    let Some((last, before)) = path.split_last() else {
        return Ok(text.to_owned());
    };
    let Some(range) = find(text, before)? else {
        return Ok(text.to_owned());
    };
    let around = scan::container(text, range.start)?;
    let index = around.as_ref().and_then(|around| position(around, last));
    match (around, index) {
        (Some(around), Some(index)) => Ok(remove_item(text, &around, index)),
        _ => Ok(text.to_owned()),
    }
}

/// Whether the object or list at a path has no parts and no comments.
pub(crate) fn is_empty(text: &str, path: &[Step<'_>]) -> Result<bool> {
    let Some(range) = find(text, path)? else {
        return Ok(false);
    };
    let inside = text.get(range.start + 1..range.end - 1).unwrap_or("x");
    Ok(matches!(text.as_bytes()[range.start], b'{' | b'[') && inside.trim().is_empty())
}

fn wrap(path: &[&str], value: Json) -> Json {
    path.iter().rev().fold(value, |inner, key| {
        Json::Object(vec![((*key).to_owned(), inner)])
    })
}

fn find(text: &str, path: &[Step<'_>]) -> Result<Option<Range<usize>>> {
    let Some(mut at) = scan::document(text)? else {
        return Ok(None);
    };
    for step in path {
        let Some(around) = scan::container(text, at.start)? else {
            return Ok(None);
        };
        if let Step::Key(key) = step {
            only_item(&around, key)?;
        }
        match position(&around, step) {
            Some(index) => at = around.items[index].value.clone(),
            None => return Ok(None),
        }
    }
    Ok(Some(at))
}

fn position(around: &Container, step: &Step<'_>) -> Option<usize> {
    match step {
        Step::Key(key) => around
            .items
            .iter()
            .position(|item| item.key.as_deref() == Some(*key)),
        Step::Index(index) => (*index < around.items.len() && !around.is_object).then_some(*index),
    }
}

fn object_at(text: &str, at: usize, path: &[&str]) -> Result<Container> {
    let found = scan::container(text, at)?.filter(|found| found.is_object);
    found.ok_or_else(|| EditError::WrongKind {
        value: path.join("."),
        wanted: "object",
    })
}

/// The member with a key. An error if there are two: which one counts is not guessed.
fn only_item<'c>(around: &'c Container, key: &str) -> Result<Option<&'c Item>> {
    let mut all = around
        .items
        .iter()
        .filter(|item| item.key.as_deref() == Some(key));
    match (all.next(), all.next()) {
        (_, Some(_)) => Err(EditError::TwiceTheKey(key.to_owned())),
        (found, None) => Ok(found),
    }
}

/// The whitespace at the beginning of the line of a place.
fn indent_of(text: &str, at: usize) -> &str {
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let line = text[start..at].trim_start_matches('\u{feff}');
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

fn add_item(
    text: &str,
    around: &Container,
    key: Option<&str>,
    value: &Json,
    style: &Style,
) -> String {
    let inside = &text[around.open + 1..around.close];
    let is_on_lines = match around.items.first() {
        Some(first) => text[around.open..first.start].contains('\n'),
        None => !style.is_one_line,
    };
    let own = indent_of(text, around.open);
    let indent = match around.items.first().filter(|_| is_on_lines) {
        Some(first) => indent_of(text, first.start).to_owned(),
        None => format!("{own}{}", style.unit),
    };
    let mut item = key.map_or_else(String::new, |key| {
        let gap = if is_on_lines || style.is_spaced {
            " "
        } else {
            ""
        };
        format!("{}:{gap}", quote(key))
    });
    if is_on_lines {
        value.write_lines(style, &indent, &mut item);
    } else {
        value.write_line(style.is_spaced, &mut item);
    }
    let line = format!("{}{indent}", style.newline);
    let Some(last) = around.items.last() else {
        if !is_on_lines {
            return splice(text, &[(around.open + 1, &item)]);
        }
        // The member comes after comments, if there are any.
        let at = around.open + 1 + inside.trim_end().len();
        let rest = &text[at..around.close];
        let end = if rest.contains('\n') {
            String::new()
        } else {
            format!("{}{own}", style.newline)
        };
        return splice(text, &[(at, &format!("{line}{item}{end}"))]);
    };
    let gap = if style.is_spaced { " " } else { "" };
    let before = if is_on_lines { line } else { gap.to_owned() };
    // A comment after the last item stays on its line.
    let behind = |at| {
        if is_on_lines {
            scan::end_of_line_trivia(text, at)
        } else {
            at
        }
    };
    match last.comma {
        // A file with a comma after the last item gets one there again.
        Some(comma) => {
            let at = behind(comma + 1);
            splice(text, &[(at, &format!("{before}{item},"))])
        }
        None => {
            let at = behind(last.value.end);
            splice(
                text,
                &[(last.value.end, ","), (at, &format!("{before}{item}"))],
            )
        }
    }
}

fn remove_item(text: &str, around: &Container, index: usize) -> String {
    let item = &around.items[index];
    let from = text[..item.start].trim_end().len().max(around.open + 1);
    let out = cut(text, around, index, from);
    // After a comment that ends with its line, the rest of the item's own line would become part of it.
    match scan::document(&out) {
        Ok(_) => out,
        Err(_) => cut(text, around, index, item.start),
    }
}

/// The text without an item, cut from `from` on.
fn cut(text: &str, around: &Container, index: usize, from: usize) -> String {
    let item = &around.items[index];
    let to = item.comma.map_or(item.value.end, |comma| comma + 1);
    let mut out = text.to_owned();
    out.replace_range(from..to, "");
    let is_last = index + 1 == around.items.len();
    if let (true, None, Some(before)) = (is_last, item.comma, index.checked_sub(1))
        && let Some(comma) = around.items[before].comma
    {
        out.replace_range(comma..=comma, "");
    }
    let close = around.close + out.len() - text.len();
    let inside = around.open + 1..close;
    if out[inside.clone()].trim().is_empty() {
        out.replace_range(inside, "");
    }
    out
}

/// The text with parts inserted, in the order of their offsets.
fn splice(text: &str, parts: &[(usize, &str)]) -> String {
    let mut out = String::with_capacity(text.len() + 256);
    let mut done = 0;
    for (at, part) in parts {
        out.push_str(&text[done..*at]);
        out.push_str(part);
        done = *at;
    }
    out + &text[done..]
}

#[cfg(test)]
mod tests;
