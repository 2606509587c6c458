//! Parsing of a language model's answer, which is not trusted: prose around the JSON, code fences, invalid indexes, scores beyond
//! the scale.

use serde_json::Value;

/// The most bytes of an answer that are read.
const MOST: usize = 64 << 10;
/// The most characters of a reason.
const REASON: usize = 200;

/// A row that can be used.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Row {
    pub(super) index: usize,
    pub(super) score: f64,
    pub(super) reason: Option<String>,
}

/// The rankings found in an answer.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct ParsedRankings {
    pub(super) rows: Vec<Row>,
    pub(super) discarded: usize,
    /// The reason why there are no rows.
    pub(super) problem: String,
}

/// The rows of the first array in the text that holds rankings. The first of several rows for one index counts.
pub(super) fn parse_rankings(text: &str, candidates: usize) -> ParsedRankings {
    let end = (0..=text.len().min(MOST))
        .rev()
        .find(|at| text.is_char_boundary(*at));
    let text = &text[..end.unwrap_or(0)];
    let Some(items) = find_rankings_array(text) else {
        return ParsedRankings {
            problem: "the answer has no JSON array of rankings".to_owned(),
            ..ParsedRankings::default()
        };
    };
    let mut found = ParsedRankings::default();
    let mut seen = vec![false; candidates];
    for item in &items {
        match parse_row(item).filter(|row| row.index < candidates && !seen[row.index]) {
            Some(row) => {
                seen[row.index] = true;
                found.rows.push(row);
            }
            None => found.discarded += 1,
        }
    }
    if found.rows.is_empty() {
        found.problem = "the answer has no score from 0 to 10 for any candidate".to_owned();
    }
    found
}

/// The first array anywhere in the text that contains a ranking.
fn find_rankings_array(text: &str) -> Option<Vec<Value>> {
    let starts = text.match_indices('[').map(|(at, _)| at);
    // Deep or broken nesting costs little: the parser stops at its first error, and at 128 levels.
    starts.take(1_000).find_map(|at| {
        let mut reader = serde_json::Deserializer::from_str(&text[at..]).into_iter::<Vec<Value>>();
        let items = reader.next()?.ok()?;
        let ranking = |item: &Value| item.get("index").is_some() && item.get("score").is_some();
        items.iter().any(ranking).then_some(items)
    })
}

fn parse_row(item: &Value) -> Option<Row> {
    let index = parse_number(item.get("index")?)?;
    let score = parse_number(item.get("score")?)?;
    let whole = index >= 0.0 && index.fract() == 0.0 && index < 1e6;
    if !whole || !(0.0..=10.0).contains(&score) {
        return None;
    }
    let reason = item.get("reason").and_then(Value::as_str).map(|reason| {
        let clean = reason.chars().map(|c| if c.is_control() { ' ' } else { c });
        clean.take(REASON).collect::<String>().trim().to_owned()
    });
    Some(Row {
        index: index as usize,
        score,
        reason: reason.filter(|r| !r.is_empty()),
    })
}

/// A number, also one written as text.
fn parse_number(value: &Value) -> Option<f64> {
    match value {
        Value::String(text) => text.trim().parse().ok().filter(|n: &f64| n.is_finite()),
        other => other.as_f64(),
    }
}
