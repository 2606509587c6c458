//! Results from elsewhere: a list of texts or objects, or an answer of `search` or `graph-rag`.

use super::RerankCandidate;
use crate::EngineError;
use serde_json::{Map, Value};

/// The most results that are read.
const MOST: usize = 1_000;

/// A result with all fields that came with it.
pub(super) struct Candidate {
    pub(super) fields: Map<String, Value>,
    place: String,
    text: String,
}

impl Candidate {
    pub(super) fn as_rerank_candidate(&self) -> RerankCandidate<'_> {
        RerankCandidate {
            place: &self.place,
            text: &self.text,
        }
    }
}

/// The results in a JSON text: an array, or an object with `candidates` or `results`.
pub fn read_candidates(text: &str) -> Result<Vec<Value>, EngineError> {
    let hint = "give an array of results, or an answer of `search` or `graph-rag`";
    let value =
        analysis::bounded_json(text.trim_start_matches('\u{feff}').as_bytes()).map_err(|e| {
            EngineError::bad_arguments(format!("the input is no JSON: {e}")).with_hint(hint)
        })?;
    let list =
        match value {
            Value::Array(items) => Some(items),
            Value::Object(mut fields) => ["candidates", "results", "ranked_results"]
                .iter()
                .find_map(|name| match fields.remove(*name) {
                    Some(Value::Array(items)) => Some(items),
                    _ => None,
                }),
            _ => None,
        };
    list.ok_or_else(|| {
        EngineError::bad_arguments("the input has no list of results").with_hint(hint)
    })
}

/// Reads each result.
pub(super) fn parse_candidates(values: &[Value]) -> Result<Vec<Candidate>, EngineError> {
    if values.len() > MOST {
        let given = values.len();
        return Err(EngineError::bad_arguments(format!(
            "{given} candidates; at most {MOST}"
        )));
    }
    let read = |(at, value)| {
        parse_candidate(value).ok_or_else(|| {
            EngineError::bad_arguments(format!("candidate {at} has no text")).with_hint(
                "a candidate is a text, or an object with `snippet`, `content`, `text` or `code`",
            )
        })
    };
    values.iter().enumerate().map(read).collect()
}

fn parse_candidate(value: &Value) -> Option<Candidate> {
    let fields = match value {
        Value::String(text) => {
            let snippet = Value::String(text.clone());
            Map::from_iter([("snippet".to_owned(), snippet)])
        }
        Value::Object(fields) => fields.clone(),
        _ => return None,
    };
    let text = |names: &[&str]| {
        let found = names.iter().find_map(|name| fields.get(*name)?.as_str());
        found.unwrap_or_default().to_owned()
    };
    let line = |names: &[&str]| names.iter().find_map(|name| fields.get(*name)?.as_u64());
    let body = text(&["snippet", "content", "text", "code", "source_code"]);
    let symbol = text(&["symbol", "name"]);
    let mut place = text(&["file_path", "path", "file"]);
    if body.is_empty() && symbol.is_empty() && place.is_empty() {
        return None;
    }
    if let Some(first) = line(&["line_start", "start_line", "line"]) {
        place.push_str(&format!(":{first}"));
        if let Some(last) = line(&["line_end", "end_line"]) {
            place.push_str(&format!("-{last}"));
        }
    }
    if !symbol.is_empty() {
        place.push_str(&format!(" {symbol}"));
    }
    // Fields of an earlier ranking are dropped.
    let mut fields = fields;
    for ours in ["index", "original_rank", "score", "reason"] {
        fields.remove(ours);
    }
    Some(Candidate {
        fields,
        place,
        text: body,
    })
}
