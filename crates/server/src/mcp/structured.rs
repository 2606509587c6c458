//! Answers as structured content, with a short text beside it: for clients that show their model the structure.

use rmcp::model::{JsonObject, Tool};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::sync::Arc;

/// The most items of the short text.
const MOST_ITEMS: usize = 8;

/// The tool with the schema of its answers.
pub(super) fn with_output_schema(mut tool: Tool) -> Tool {
    tool.output_schema = Some(Arc::new(output_schema()));
    tool
}

/// The schema that all answers share. Each tool adds fields of its own.
fn output_schema() -> JsonObject {
    let schema = json!({
        "type": "object",
        "properties": {
            "index": {
                "type": "object",
                "description": "The state that the answer speaks of: commit, and whether it is fresh",
            },
            "warnings": {"type": "array", "items": {"type": "string"}},
            "next_cursor": {"type": "string", "description": "Pass it as cursor to get the next page"},
            "text": {"type": "string", "description": "An answer that was asked for as text"},
        },
    });
    match schema {
        Value::Object(fields) => fields,
        _ => JsonObject::new(),
    }
}

/// An answer as an object: one that is text or a list becomes a field.
pub(super) fn to_object(answer: &str) -> Value {
    let mut answer = match serde_json::from_str(answer) {
        Ok(Value::Object(fields)) => Value::Object(fields),
        Ok(Value::Array(items)) => json!({ "items": items }),
        _ => json!({ "text": answer }),
    };
    escape_strings(&mut answer);
    answer
}

/// Escapes hidden characters again: reading the text of an answer as JSON has removed the escapes.
pub(super) fn escape_strings(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Cow::Owned(escaped) = guard::text::escape_multiline(text) {
                *text = escaped;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(escape_strings),
        Value::Object(fields) => {
            let escaped = std::mem::take(fields).into_iter().map(|(name, mut value)| {
                escape_strings(&mut value);
                (guard::text::escape_line(&name).into_owned(), value)
            });
            *fields = escaped.collect();
        }
        _ => {}
    }
}

/// The short text: the lengths of the lists, short values, and whether more follows.
pub(super) fn summarize(answer: &Value) -> String {
    let Value::Object(fields) = answer else {
        return String::new();
    };
    if let Some(text) = fields.get("text").and_then(Value::as_str)
        && fields.len() == 1
    {
        return text.to_owned();
    }
    let described = fields.iter().filter_map(|(name, value)| match value {
        Value::Array(items) => Some(format!("{name}: {}", items.len())),
        Value::String(text) if name != "next_cursor" && text.len() <= 80 => {
            Some(format!("{name}: {text}"))
        }
        Value::Number(number) => Some(format!("{name}: {number}")),
        _ => None,
    });
    let mut items: Vec<String> = described.take(MOST_ITEMS).collect();
    if fields.contains_key("next_cursor") {
        items.push("more on the next page".to_owned());
    }
    items.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_answer_is_an_object_with_a_short_text() {
        let list =
            to_object(r#"{"results":[1,2],"total":9,"index":{"fresh":true},"next_cursor":"x"}"#);
        assert_eq!(
            summarize(&list),
            "results: 2; total: 9; more on the next page"
        );
        assert_eq!(summarize(&to_object("graph TD")), "graph TD");
        assert_eq!(to_object("[1]"), json!({"items": [1]}));
        assert_eq!(summarize(&to_object("[1]")), "items: 1");
    }

    #[test]
    fn hidden_characters_are_written_out() {
        let answer = to_object(r#"{"symbol":"a\u202eb","files":[{"x\u200b":"\udb40\udc41"}]}"#);
        let text = format!("{answer} {}", summarize(&answer));
        assert!(!text.contains(guard::text::is_hidden), "{text:?}");
        assert_eq!(answer["symbol"], "a\\u202eb");
    }
}
