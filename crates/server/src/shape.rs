//! An estimate of the values in a JSON message, made before it is decoded: a few bytes of text may take some hundred bytes of
//! memory.

use serde::Deserialize;
use serde_json::Value;

/// The most values of one message. Requests have tens or hundreds; decoded twice, this many take about 200 MB.
pub(crate) const MOST_VALUES: usize = 200_000;
/// The values above which messages are decoded one at a time.
pub(crate) const MANY_VALUES: usize = 10_000;
/// The most nodes and edges of one message that imports them.
const MOST_RECORDS: usize = 250_000;
/// The most values of such a message: a record has a dozen fields.
const MOST_OF_BATCH: usize = 3_000_000;

/// The error for a message with more values.
const TOO_MANY: &str = "the message has more than 200,000 values";
/// The error for an import with more records or values.
const TOO_MANY_RECORDS: &str =
    "the batch has more than 250,000 records or 3,000,000 values: send it in parts";

/// A close lower bound of the values in a JSON text, and the number of objects among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Count {
    values: usize,
    objects: usize,
}

/// Counts until there are more values than any message may have. A text that is not JSON gives some number too.
fn count(text: &[u8]) -> Count {
    let (mut values, mut objects) = (1, 0);
    let mut in_string = false;
    let mut escaped = false;
    for byte in text {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b',' | b'[' | b'{' if !in_string => {
                values += 1;
                objects += usize::from(*byte == b'{');
                if values > MOST_OF_BATCH {
                    break;
                }
            }
            _ => {}
        }
    }
    Count { values, objects }
}

/// The approximate number of values in a JSON text.
pub(crate) fn values(text: &[u8]) -> usize {
    count(text).values
}

/// Whether a text of JSON has more values than a message may have: each takes some hundred bytes once it is decoded.
pub fn has_too_many_values(text: &[u8]) -> bool {
    values(text) > MOST_VALUES
}

/// The error for a JSON text with more values than a message may have. Imports into the graph may have more.
pub(crate) fn too_much(text: &[u8]) -> Option<&'static str> {
    let Count { values, objects } = count(text);
    if values <= MOST_VALUES {
        None
    } else if !is_batch(text) {
        Some(TOO_MANY)
    } else {
        // A few objects are around the records.
        let is_large = values > MOST_OF_BATCH || objects > MOST_RECORDS + 8;
        is_large.then_some(TOO_MANY_RECORDS)
    }
}

/// The id of a request of JSON-RPC that cannot be decoded, if it can be read all the same. None where the text names no method,
/// or more than one id: an error must not answer another message.
pub(crate) fn request_id(text: &[u8]) -> Option<Value> {
    let (mut depth, mut at) = (0, 0);
    let (mut id, mut ids, mut has_method) = (None, 0, false);
    while at < text.len() {
        match text[at] {
            b'"' => {
                let end = end_of_string(text, at)?;
                if depth == 1 && text[end..].trim_ascii_start().starts_with(b":") {
                    let key = &text[at..end];
                    has_method |= key == b"\"method\"";
                    if key == b"\"id\"" {
                        ids += 1;
                        let after = text[end..].trim_ascii_start().get(1..)?;
                        id = scalar(after.trim_ascii_start());
                    }
                }
                at = end;
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth > 0 => depth -= 1,
            _ => {}
        }
        if depth == 0 && !text[at].is_ascii_whitespace() {
            break;
        }
        // A list is a batch of requests, which have ids of their own.
        if depth == 1 && text[at] == b'[' {
            return None;
        }
        at += 1;
    }
    id.filter(|_| has_method && ids == 1)
}

/// The place behind a string that begins at `start`; none where it does not end.
fn end_of_string(text: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    loop {
        match text.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

/// The string or whole number at the beginning of a text, as ids are.
fn scalar(text: &[u8]) -> Option<Value> {
    const LONGEST: usize = 256;
    let is_end = |byte: &u8| matches!(byte, b',' | b'}') || byte.is_ascii_whitespace();
    let end = match text.first()? {
        b'"' => end_of_string(text, 0)?,
        _ => text.iter().take(LONGEST).position(is_end)?,
    };
    let value: Value = serde_json::from_slice(text.get(..end.min(LONGEST))?).ok()?;
    let is_id = value.is_string() || value.is_i64() || value.is_u64();
    is_id.then_some(value)
}

/// The head of a message: a daemon's request, or a call of the protocol.
#[derive(Deserialize)]
struct Head {
    action: Option<String>,
    payload: Option<Call>,
    params: Option<Call>,
}

#[derive(Deserialize)]
struct Call {
    name: Option<String>,
    action: Option<String>,
    arguments: Option<Arguments>,
}

#[derive(Deserialize)]
struct Arguments {
    action: Option<String>,
}

/// Whether a message imports nodes and edges. No memory is allocated for its values.
fn is_batch(text: &[u8]) -> bool {
    let Ok(head) = serde_json::from_slice::<Head>(text) else {
        return false;
    };
    let imports =
        |action: Option<String>| matches!(action.as_deref(), Some("batch-import" | "batch_import"));
    let tool = |call: Option<Call>| {
        call.is_some_and(|call| {
            call.name.as_deref() == Some("ci_graph_store")
                && imports(call.arguments.and_then(|arguments| arguments.action))
        })
    };
    match head.action.as_deref() {
        Some("write") => true,
        Some("graph-store") => imports(head.payload.and_then(|call| call.action)),
        Some("tool") => tool(head.payload),
        _ => tool(head.params),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_are_counted_outside_of_texts() {
        for (text, values, objects) in [
            (&b"7"[..], 1, 0),
            (b"[1,2,3]", 4, 0),
            (br#"{"a,[{":"\"[,{","b":{"c":[]}}"#, 5, 2),
            (br#"{"":0}"#, 2, 1),
            (br#""\\",[]"#, 3, 0),
        ] {
            let text_shown = String::from_utf8_lossy(text);
            assert_eq!(count(text), Count { values, objects }, "{text_shown}");
        }
        assert!(too_much("{\"\":0},".repeat(MOST_VALUES).as_bytes()).is_some());
        assert_eq!(too_much(&b"x".repeat(4 * MOST_VALUES)), None);
    }

    #[test]
    fn the_id_of_a_request_is_read_where_the_rest_cannot_be() {
        for (text, id) in [
            (
                r#"{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":"\ud800"}}"#,
                json!(7),
            ),
            (
                r#"{"method":"x","params":{"id":1,"a":[1e999]} , "id" : "a\"b" }"#,
                json!("a\"b"),
            ),
            (r#"{"id":-3,"method":"x","params":{"q":"#, json!(-3)),
            // An answer of the client, and messages whose id is not certain.
            (
                r#"{"jsonrpc":"2.0","id":7,"result":{"a":"\ud800"}}"#,
                Value::Null,
            ),
            (
                r#"{"id":7,"method":"x","id":8,"params":"\ud800"}"#,
                Value::Null,
            ),
            (r#"[{"id":7,"method":"x"}"#, Value::Null),
            (r#"{"params":{"id":7,"method":"x"}"#, Value::Null),
            (r#"{"method":"x","id":[7]}"#, Value::Null),
            (r#"{"method":"x","id":1.5}"#, Value::Null),
            (r#"{"method":"x","id":"open"#, Value::Null),
            (r#"x {"method":"x","id":7}"#, Value::Null),
            ("", Value::Null),
        ] {
            let found = request_id(text.as_bytes()).unwrap_or_default();
            assert_eq!(found, id, "{text}");
        }
    }

    #[test]
    fn imports_into_the_graph_may_be_large() {
        let node = r#"{"id":"a","symbol":"a","kind":"function","file_path":"a.rs","line_start":1,"line_end":2,
            "qualified_name":"a","signature":"a()","doc":"A.","flags":1,"scip_symbol":null},"#;
        let batch = |count: usize| format!("{{\"nodes\":[{}{{}}]}}", node.repeat(count));
        let forms = |count: usize| {
            let batch = batch(count);
            let call = format!("{{\"action\":\"batch_import\",\"payload\":{batch}}}");
            let tool = format!("{{\"name\":\"ci_graph_store\",\"arguments\":{call}}}");
            [
                format!("{{\"action\":\"write\",\"payload\":{batch}}}"),
                format!("{{\"payload\":{call},\"action\":\"graph-store\"}}"),
                format!("{{\"action\":\"tool\",\"payload\":{tool}}}"),
                format!(
                    "{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{tool}}}"
                ),
            ]
        };
        for message in forms(100_000) {
            assert_eq!(too_much(message.as_bytes()), None, "{}", &message[..80]);
            let other = message.replacen("graph_store", "search", 1);
            let other = other.replacen("batch_import", "find-path", 1);
            let other = other.replacen("\"write\"", "\"query\"", 1);
            assert_eq!(too_much(other.as_bytes()), Some(TOO_MANY));
        }
        for message in forms(260_000) {
            assert_eq!(too_much(message.as_bytes()), Some(TOO_MANY_RECORDS));
        }
        let empty = "{},".repeat(300_000);
        let message = format!("{{\"action\":\"write\",\"payload\":{{\"nodes\":[{empty}0]}}}}");
        assert_eq!(too_much(message.as_bytes()), Some(TOO_MANY_RECORDS));
    }
}
