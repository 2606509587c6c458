//! Long answers in pages: an answer that does not fit contains a cursor to the next page.
//!
//! Nothing is kept between pages: the question is answered again, and the entries shown before are left out. A cursor
//! contains a fingerprint of these entries. If they have changed, others would be missed or repeated, so the cursor is
//! refused.

use super::entries::{Entries, short_fingerprint};
use super::tools::CodeTool;
use engine::EngineError;
use serde_json::{Map, Value};

/// The most characters of an answer: about 1,900 tokens at four characters each.
pub(crate) const CHARACTERS: usize = 7_600;
/// The characters reserved for the cursor itself.
const ROOM: usize = 100;

/// The requested part of an answer.
pub(crate) struct Page {
    /// The part shown on earlier pages; none for the first page.
    before: Option<ShownBefore>,
    /// The given cursor, where it does not belong to this call.
    invalid: Option<Value>,
    /// A fingerprint of the tool and its arguments: a cursor belongs to its question.
    call_fingerprint: u64,
}

/// The part of an answer that earlier pages have shown.
#[derive(Debug, Clone, Copy, PartialEq)]
struct ShownBefore {
    /// The number of entries, or of lines of a text.
    count: usize,
    /// A fingerprint of them.
    fingerprint: u64,
}

impl Page {
    /// Takes the cursor out of a call's arguments. Whether it belongs to this call is checked later, since the arguments may
    /// contain others that are left out.
    pub(crate) fn from_arguments(tool: CodeTool, arguments: &mut Map<String, Value>) -> Page {
        let cursor = if tool.has_pages() {
            arguments.remove("cursor")
        } else {
            None
        };
        let text = Value::Object(arguments.clone()).to_string();
        let mut page = Page {
            before: None,
            invalid: None,
            call_fingerprint: short_fingerprint(&[tool.name().as_bytes(), text.as_bytes()]),
        };
        if let Some(cursor) = cursor.filter(|cursor| !cursor.is_null()) {
            page.before = page.parse_cursor(&cursor);
            page.invalid = page.before.is_none().then_some(cursor);
        }
        page
    }

    fn parse_cursor(&self, cursor: &Value) -> Option<ShownBefore> {
        let (count, marks) = cursor.as_str()?.split_once('-')?;
        let (call, shown) = marks.split_once('-')?;
        let same = u64::from_str_radix(call, 16).ok()? == self.call_fingerprint;
        let before = ShownBefore {
            count: count.parse().ok()?,
            fingerprint: u64::from_str_radix(shown, 16).ok()?,
        };
        same.then_some(before)
    }

    /// The cursor for the rest of the answer after the part shown.
    fn cursor_after(&self, shown: ShownBefore) -> String {
        let ShownBefore { count, fingerprint } = shown;
        format!("{count}-{:x}-{fingerprint:x}", self.call_fingerprint)
    }

    /// The number of entries or lines shown before.
    ///
    /// # Errors
    /// If the cursor does not belong to this call, or `fingerprint` has another value for the part shown before.
    fn count_shown_before(&self, fingerprint: impl Fn(usize) -> u64) -> Result<usize, EngineError> {
        if let Some(cursor) = &self.invalid {
            return Err(EngineError::bad_arguments(format!(
                "invalid cursor: {}",
                shorten_cursor(cursor)
            ))
            .with_hint("a cursor goes with the arguments of the call that gave it"));
        }
        let Some(before) = self.before else {
            return Ok(0);
        };
        if before.count > 0 && fingerprint(before.count) != before.fingerprint {
            let message = "the answer has changed since the page before";
            return Err(EngineError::bad_arguments(message)
                .with_hint("ask again without cursor; the files were edited meanwhile"));
        }
        Ok(before.count)
    }

    /// The page of an answer that fits.
    pub(crate) fn paginate(&self, answer: Value, characters: usize) -> Result<Value, EngineError> {
        let is_first = self.before.is_none() && self.invalid.is_none();
        if is_first && answer.to_string().len() <= characters {
            return Ok(answer);
        }
        let answer = match answer {
            // A list has no field for a cursor.
            Value::Array(items) => serde_json::json!({ "items": items }),
            answer => answer,
        };
        let entries = Entries::new(answer);
        let first = self.count_shown_before(|count| entries.fingerprint(count))?;
        let page = entries.page(first, characters - ROOM);
        let mut answer = page.answer;
        if let (Value::Object(fields), true) = (&mut answer, page.remaining > 0) {
            let cursor = self.cursor_after(ShownBefore {
                count: page.shown,
                fingerprint: page.fingerprint,
            });
            fields.insert("next_cursor".to_owned(), cursor.into());
            fields.insert("remaining".to_owned(), page.remaining.into());
        }
        Ok(answer)
    }

    /// The page of a text that fits, cut at a line. A line that is longer than a page is cut as well.
    pub(crate) fn paginate_text(
        &self,
        text: &str,
        characters: usize,
    ) -> Result<String, EngineError> {
        let is_first = self.before.is_none() && self.invalid.is_none();
        if is_first && text.len() <= characters {
            return Ok(text.to_owned());
        }
        let lines = fold_lines(text, characters - ROOM);
        let fingerprint = |count| {
            let lines = lines.iter().take(count);
            lines.fold(0, |mark: u64, line| {
                short_fingerprint(&[&mark.to_le_bytes(), line.as_bytes()])
            })
        };
        let first = self.count_shown_before(fingerprint)?;
        let (mut shown, mut page) = (first, String::new());
        for line in lines.iter().skip(first) {
            if shown > first && page.len() + line.len() + ROOM > characters {
                break;
            }
            page.push_str(line);
            page.push('\n');
            shown += 1;
        }
        let remaining = lines.len().saturating_sub(shown);
        if remaining > 0 {
            let cursor = self.cursor_after(ShownBefore {
                count: shown,
                fingerprint: fingerprint(shown),
            });
            page.push_str(&format!("… {remaining} more lines, next_cursor: {cursor}"));
        }
        Ok(page)
    }
}

/// The lines of a text in pieces of at most `longest` bytes, cut after a comma if possible.
fn fold_lines(text: &str, longest: usize) -> Vec<&str> {
    let mut pieces = Vec::new();
    for mut line in text.lines() {
        while line.len() > longest {
            let is_boundary = |at: &usize| line.is_char_boundary(*at);
            let most = (1..=longest).rev().find(is_boundary);
            let most = most.unwrap_or(line.len());
            let comma = line[..most].rfind(", ").map(|at| at + 2);
            let (piece, rest) = line.split_at(comma.unwrap_or(most));
            pieces.push(piece);
            line = rest;
        }
        pieces.push(line);
    }
    pieces
}

/// A cursor, shortened for an error that repeats it.
fn shorten_cursor(cursor: &Value) -> String {
    cursor.to_string().chars().take(60).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn tool(name: &str) -> CodeTool {
        CodeTool::parse(name).unwrap()
    }

    fn answer() -> Value {
        let items: Vec<Value> = (0..100).map(|n| json!({"number": n})).collect();
        json!({"total": 100, "items": items})
    }

    #[test]
    fn pages_follow_one_another_to_the_end() {
        let arguments = json!({"action": "find-orphans"})
            .as_object()
            .cloned()
            .unwrap();
        let (mut cursor, mut seen, mut pages) = (None, Vec::new(), 0);
        loop {
            let mut call = arguments.clone();
            if let Some(cursor) = cursor {
                call.insert("cursor".to_owned(), cursor);
            }
            let page = Page::from_arguments(tool("ci_graph_store"), &mut call);
            let shown = page.paginate(answer(), 400).unwrap();
            assert!(shown.to_string().len() <= 400);
            let items = shown["items"].as_array().unwrap();
            seen.extend(items.iter().filter_map(|item| item["number"].as_u64()));
            let left = shown["remaining"].as_u64().unwrap_or(0) as usize;
            assert_eq!(left, 100 - seen.len());
            pages += 1;
            cursor = shown.get("next_cursor").cloned();
            if cursor.is_none() {
                break;
            }
        }
        assert_eq!(seen, (0..100).collect::<Vec<u64>>());
        assert!(pages > 3);
    }

    #[test]
    fn a_text_comes_in_pages_of_whole_lines() {
        let lines: Vec<String> = (0..60).map(|n| format!("| line {n} |")).collect();
        let text = lines.join("\n");
        let (mut cursor, mut seen) = (None, Vec::new());
        loop {
            let mut call = Map::new();
            call.insert("symbol".to_owned(), "a".into());
            if let Some(cursor) = cursor.take() {
                call.insert("cursor".to_owned(), Value::String(cursor));
            }
            let page = Page::from_arguments(tool("ci_impact"), &mut call);
            let shown = page.paginate_text(&text, 300).unwrap();
            assert!(shown.len() <= 300, "{shown}");
            seen.extend(
                shown
                    .lines()
                    .filter(|l| l.starts_with('|'))
                    .map(str::to_owned),
            );
            match shown.rsplit_once("next_cursor: ") {
                Some((_, next)) => cursor = Some(next.to_owned()),
                None => break,
            }
        }
        assert_eq!(seen, lines);
    }

    #[test]
    fn a_line_that_is_longer_than_a_page_is_cut() {
        let names: Vec<String> = (0..500).map(|n| format!("function_{n}")).collect();
        let text = format!("head\n{}\ntail", names.join(", "));
        let (mut cursor, mut seen) = (None, String::new());
        loop {
            let mut call = Map::new();
            if let Some(cursor) = cursor.take() {
                call.insert("cursor".to_owned(), Value::String(cursor));
            }
            let page = Page::from_arguments(tool("ci_impact"), &mut call);
            let shown = page.paginate_text(&text, 600).unwrap();
            assert!(shown.len() <= 600, "{}", shown.len());
            match shown.split_once("… ") {
                Some((lines, rest)) => {
                    seen.push_str(lines);
                    cursor = rest.split_once("next_cursor: ").map(|(_, c)| c.to_owned());
                }
                None => {
                    seen.push_str(&shown);
                    break;
                }
            }
        }
        assert_eq!(seen.replace('\n', ""), text.replace('\n', ""));
    }

    fn call(query: &str, cursor: Value) -> Page {
        let arguments = json!({"query": query, "cursor": cursor});
        let mut arguments = arguments.as_object().cloned().unwrap();
        let page = Page::from_arguments(tool("ci_search"), &mut arguments);
        assert!(!arguments.contains_key("cursor"));
        page
    }

    #[test]
    fn a_cursor_goes_with_its_question() {
        let first = call("a", Value::Null).paginate(answer(), 400).unwrap();
        let cursor = first["next_cursor"].clone();
        for (query, cursor, right) in [
            ("a", cursor.clone(), true),
            ("b", cursor.clone(), false),
            ("a", json!("10"), false),
            ("a", json!("10-1"), false),
            ("a", json!(10), false),
            ("a", Value::Null, true),
        ] {
            let page = call(query, cursor.clone()).paginate(answer(), 400);
            assert_eq!(page.is_ok(), right, "{query} {cursor}");
        }
    }

    #[test]
    fn a_cursor_ends_where_what_was_shown_changed() {
        let first = call("a", Value::Null).paginate(answer(), 400).unwrap();
        let cursor = first["next_cursor"].clone();
        let changed = |at: usize| {
            let mut answer = answer();
            answer["items"].as_array_mut().unwrap().remove(at);
            call("a", cursor.clone()).paginate(answer, 400)
        };
        let error = changed(3).unwrap_err();
        assert!(error.message.contains("has changed"), "{}", error.message);
        // Later entries may change: no entry is missed or repeated.
        assert_eq!(
            changed(60).unwrap()["items"][0]["number"],
            first["items"].as_array().unwrap().len()
        );

        let lines: Vec<String> = (0..60).map(|n| format!("line {n}")).collect();
        let text = call("a", Value::Null)
            .paginate_text(&lines.join("\n"), 300)
            .unwrap();
        let (_, cursor) = text.rsplit_once("next_cursor: ").unwrap();
        let next =
            |lines: &[String]| call("a", json!(cursor)).paginate_text(&lines.join("\n"), 300);
        assert!(next(&lines).is_ok() && next(&lines[1..]).is_err());
    }
}
