//! Long lists in pages: an answer that was cut says where it goes on.
//!
//! Nothing is kept between pages: the question is answered again, and what was shown already is left out.

use super::budget::truncate_to_fit;
use super::tools::CodeTool;
use engine::EngineError;
use serde_json::{Map, Value};

/// Room for the cursor itself.
const ROOM: usize = 48;

/// Which part of a list is asked for.
pub(crate) struct Page {
    /// How many entries have been shown.
    pub(crate) first: usize,
    list: Option<&'static str>,
    /// Of the tool and its arguments: a cursor goes with its question.
    call_fingerprint: u64,
}

impl Page {
    /// Takes the cursor out of a call's arguments.
    pub(crate) fn from_arguments(
        tool: CodeTool,
        arguments: &mut Map<String, Value>,
    ) -> Result<Page, EngineError> {
        let cursor = match tool.list_field() {
            Some(_) => arguments.remove("cursor"),
            None => None,
        };
        let text = Value::Object(arguments.clone()).to_string();
        let mark = base::fingerprint(&[tool.name().as_bytes(), text.as_bytes()]) & 0xffff_ffff;
        let mut page = Page {
            first: 0,
            list: tool.list_field(),
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

    /// The cursor for what comes after so many entries.
    pub(crate) fn cursor_after(&self, shown: usize) -> String {
        format!("{shown}-{:x}", self.call_fingerprint)
    }

    /// The page of an answer that fits.
    pub(crate) fn paginate(&self, mut answer: Value, characters: usize) -> Value {
        let Some(name) = self.list else {
            return truncate_to_fit(answer, characters);
        };
        let Some(Value::Array(items)) = answer.get_mut(name) else {
            return truncate_to_fit(answer, characters);
        };
        let first = self.first.min(items.len());
        items.drain(..first);
        let there = items.len();
        let mut shown = truncate_to_fit(answer, characters - ROOM);
        let kept = shown[name]
            .as_array()
            .map_or(0, |items| count_entries(items));
        if kept < there
            && let Value::Object(fields) = &mut shown
        {
            fields.insert(
                "next_cursor".to_owned(),
                self.cursor_after(first + kept).into(),
            );
        }
        shown
    }
}

/// Entries without the remark on those that were cut.
fn count_entries(items: &[Value]) -> usize {
    let is_remark = |item: &Value| {
        item.as_object()
            .is_some_and(|o| o.len() == 1 && o.contains_key("more"))
    };
    items.len() - usize::from(items.last().is_some_and(is_remark))
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
