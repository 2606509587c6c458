//! Long answers in pages: an answer that does not fit says where it goes on.
//!
//! Nothing is kept between pages: the question is answered again, and what was shown already is left out.

use super::entries::Entries;
use super::tools::CodeTool;
use engine::EngineError;
use serde_json::{Map, Value};

/// Characters of an answer: about 1,900 tokens at four characters each.
pub(crate) const CHARACTERS: usize = 7_600;
/// Room for the cursor itself.
const ROOM: usize = 80;

/// Which part of an answer is asked for.
pub(crate) struct Page {
    /// How many entries, or lines of a text, have been shown.
    first: usize,
    /// Of the tool and its arguments: a cursor goes with its question.
    call_fingerprint: u64,
}

impl Page {
    /// Takes the cursor out of a call's arguments.
    pub(crate) fn from_arguments(
        tool: CodeTool,
        arguments: &mut Map<String, Value>,
    ) -> Result<Page, EngineError> {
        let cursor = if tool.has_pages() {
            arguments.remove("cursor")
        } else {
            None
        };
        let text = Value::Object(arguments.clone()).to_string();
        let mark = base::fingerprint(&[tool.name().as_bytes(), text.as_bytes()]) & 0xffff_ffff;
        let mut page = Page {
            first: 0,
            call_fingerprint: mark,
        };
        if let Some(cursor) = cursor.filter(|cursor| !cursor.is_null()) {
            page.first = page.parse_cursor(&cursor).ok_or_else(|| {
                EngineError::bad_arguments(format!("Invalid cursor: {cursor}"))
                    .with_hint("a cursor goes with the arguments of the call that gave it")
            })?;
        }
        Ok(page)
    }

    fn parse_cursor(&self, cursor: &Value) -> Option<usize> {
        let (first, mark) = cursor.as_str()?.split_once('-')?;
        let same = u64::from_str_radix(mark, 16).ok()? == self.call_fingerprint;
        same.then(|| first.parse().ok())?
    }

    /// The cursor for what comes after so much.
    fn cursor_after(&self, shown: usize) -> String {
        format!("{shown}-{:x}", self.call_fingerprint)
    }

    /// The page of an answer that fits.
    pub(crate) fn paginate(&self, answer: Value, characters: usize) -> Value {
        if self.first == 0 && answer.to_string().len() <= characters {
            return answer;
        }
        let answer = match answer {
            // A list has no room for a cursor.
            Value::Array(items) => serde_json::json!({ "items": items }),
            answer => answer,
        };
        let page = Entries::new(answer).page(self.first, characters - ROOM);
        let mut answer = page.answer;
        if let (Value::Object(fields), true) = (&mut answer, page.remaining > 0) {
            fields.insert(
                "next_cursor".to_owned(),
                self.cursor_after(page.shown).into(),
            );
            fields.insert("remaining".to_owned(), page.remaining.into());
        }
        answer
    }

    /// The page of a text that fits, cut at a line.
    pub(crate) fn paginate_text(&self, text: &str, characters: usize) -> String {
        if self.first == 0 && text.len() <= characters {
            return text.to_owned();
        }
        let lines = text.lines().skip(self.first);
        let (mut shown, mut page) = (self.first, String::new());
        for line in lines {
            if shown > self.first && page.len() + line.len() + ROOM > characters {
                break;
            }
            page.push_str(line);
            page.push('\n');
            shown += 1;
        }
        let remaining = text.lines().count().saturating_sub(shown);
        if remaining > 0 {
            let cursor = self.cursor_after(shown);
            page.push_str(&format!("… {remaining} more lines, next_cursor: {cursor}"));
        }
        page
    }
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
            let page = Page::from_arguments(tool("ci_graph_store"), &mut call).unwrap();
            let shown = page.paginate(answer(), 400);
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
            let page = Page::from_arguments(tool("ci_impact"), &mut call).unwrap();
            let shown = page.paginate_text(&text, 300);
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
    fn a_cursor_goes_with_its_question() {
        let mut call = json!({"query": "a"}).as_object().cloned().unwrap();
        let cursor = Page::from_arguments(tool("ci_search"), &mut call)
            .unwrap()
            .cursor_after(10);
        for (query, cursor, right) in [
            ("a", json!(cursor), true),
            ("b", json!(cursor), false),
            ("a", json!("10"), false),
            ("a", json!(10), false),
            ("a", Value::Null, true),
        ] {
            let mut call = json!({"query": query, "cursor": cursor})
                .as_object()
                .cloned()
                .unwrap();
            let page = Page::from_arguments(tool("ci_search"), &mut call);
            assert_eq!(page.is_ok(), right, "{query} {cursor}");
            assert!(!call.contains_key("cursor"));
        }
    }
}
