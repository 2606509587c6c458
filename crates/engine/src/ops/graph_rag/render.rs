//! A context as text, Markdown or JSON, and its cost in tokens.

use super::answer::{ContextCandidate, GraphRagAnswer};
use super::request::ContextFormat;
use guard::text::{code_fence, escape_line, escape_multiline};
use search::prune::Tokenizer;
use std::fmt::Write;

/// The format of an answer, and the tokenizer that counts its tokens.
pub(super) type Shape = (ContextFormat, Tokenizer);

/// Tokens reserved in JSON for numbers that are not known before everything is chosen.
const SLACK: usize = 12;

impl GraphRagAnswer {
    /// The candidates as Markdown, nothing else.
    pub fn to_markdown(&self) -> String {
        join_candidates(&self.candidates, candidate_markdown)
    }

    /// The candidates as plain text.
    pub fn to_text(&self) -> String {
        join_candidates(&self.candidates, candidate_text)
    }
}

fn join_candidates(
    candidates: &[ContextCandidate],
    one: fn(&ContextCandidate) -> String,
) -> String {
    let all: Vec<String> = candidates.iter().map(one).collect();
    all.join("\n")
}

/// The number of tokens of one candidate with its heading.
pub(super) fn candidate_tokens(candidate: &ContextCandidate, (format, tokenizer): Shape) -> usize {
    let shown = match format {
        ContextFormat::Json => candidate_json(candidate),
        ContextFormat::Md => candidate_markdown(candidate) + "\n",
        ContextFormat::Text => candidate_text(candidate) + "\n",
    };
    // The parts of a text cost at least as much as the whole, apart from one token at each joint.
    tokenizer.count(&shown) + usize::from(tokenizer != Tokenizer::Estimate)
}

/// The number of tokens around the candidates.
pub(super) fn overhead_tokens(answer: &GraphRagAnswer, (format, tokenizer): Shape) -> usize {
    match format {
        ContextFormat::Json => {
            serde_json::to_string(answer).map_or(0, |s| tokenizer.count(&s)) + SLACK
        }
        ContextFormat::Md | ContextFormat::Text => 0,
    }
}

fn candidate_json(candidate: &ContextCandidate) -> String {
    let mut text = serde_json::to_string(candidate).unwrap_or_default();
    text.push(',');
    text
}

fn candidate_markdown(candidate: &ContextCandidate) -> String {
    let mut out = format!("### {}\n", describe_location(candidate));
    if let Some(how) = describe_edge(candidate) {
        let _ = writeln!(out, "{how}");
    }
    if let Some(imports) = describe_imports(candidate) {
        let _ = writeln!(out, "{imports}");
    }
    let snippet = escape_multiline(&candidate.snippet);
    let fence = code_fence(&snippet);
    let language = highlight_language(&candidate.file_path);
    let _ = writeln!(out, "{fence}{language}\n{snippet}\n{fence}");
    out
}

fn candidate_text(candidate: &ContextCandidate) -> String {
    let mut out = format!(
        "{}  {:.2}\n",
        describe_location(candidate),
        candidate.relevance_score
    );
    if let Some(how) = describe_edge(candidate) {
        let _ = writeln!(out, "  {how}");
    }
    if let Some(imports) = describe_imports(candidate) {
        let _ = writeln!(out, "  {imports}");
    }
    for line in escape_multiline(&candidate.snippet).lines() {
        let _ = if line.is_empty() {
            writeln!(out)
        } else {
            writeln!(out, "    {line}")
        };
    }
    out
}

/// The place and name, such as `src/a.rs:10-42 function retry, also backoff`.
fn describe_location(candidate: &ContextCandidate) -> String {
    let ContextCandidate {
        file_path,
        line_start,
        line_end,
        ..
    } = candidate;
    let mut out = format!("{}:{line_start}-{line_end}", escape_line(file_path));
    if !candidate.symbol.is_empty() {
        let _ = write!(
            out,
            " {} {}",
            candidate.kind,
            escape_line(&candidate.symbol)
        );
    }
    if !candidate.also.is_empty() {
        let _ = write!(out, ", also {}", escape_line(&candidate.also.join(", ")));
    }
    if candidate.skeleton {
        out.push_str(" (signatures only)");
    }
    out
}

/// The edge, such as `called by run at src/b.rs:12 · typed 0.98`.
fn describe_edge(candidate: &ContextCandidate) -> Option<String> {
    let via = candidate.via.as_ref()?;
    let at = via
        .at
        .as_ref()
        .map_or(String::new(), |at| format!(" at {at}"));
    let how = format!(
        "{} {}{at} · {} {}",
        via.relation, via.symbol, via.tier, via.confidence
    );
    Some(escape_line(&how).into_owned())
}

/// The imports, such as `imports spread_load from src/spread.py`.
fn describe_imports(candidate: &ContextCandidate) -> Option<String> {
    let all = &candidate.imports;
    (!all.is_empty()).then(|| format!("imports {}", escape_line(&all.join(", "))))
}

/// The ending of a path, which highlighters know.
fn highlight_language(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    match name.rsplit_once('.') {
        Some((_, ending)) if ending.chars().all(|c| c.is_ascii_alphanumeric()) => ending,
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::super::answer::{CandidateEdge, CandidateSource, ContextMetadata};
    use super::*;
    use base::Tier;
    use proptest::prelude::*;

    fn candidate(snippet: &str) -> ContextCandidate {
        ContextCandidate {
            file_path: "src/a.rs".to_owned(),
            line_start: 3,
            line_end: 9,
            symbol: "Retry.run".to_owned(),
            kind: "method".to_owned(),
            relevance_score: 0.812,
            hotspot: 0.0,
            distance: 2,
            preference: 0.0,
            priority: 0.475,
            tokens: 40,
            rerank_score: None,
            rerank_reason: None,
            source: CandidateSource::Graph,
            via: Some(CandidateEdge {
                relation: "called by".to_owned(),
                symbol: "main".to_owned(),
                tier: Tier::Typed,
                confidence: 0.98,
                at: Some("src/main.rs:7".to_owned()),
            }),
            also: Vec::new(),
            imports: Vec::new(),
            skeleton: false,
            snippet: snippet.to_owned(),
        }
    }

    #[test]
    fn edges_and_places_are_said() {
        let markdown = candidate_markdown(&candidate("fn run() {}"));
        assert_eq!(
            markdown,
            "### src/a.rs:3-9 method Retry.run\ncalled by main at src/main.rs:7 · typed 0.98\n```rs\nfn run() {}\n```\n"
        );
        let text = candidate_text(&candidate("fn run() {\n\n}"));
        assert!(text.starts_with("src/a.rs:3-9 method Retry.run  0.81\n  called by main at"));
        assert!(text.ends_with("    fn run() {\n\n    }\n"));
    }

    #[test]
    fn a_fence_within_does_not_end_the_block() {
        let markdown = candidate_markdown(&candidate("````\ncode\n````"));
        assert!(
            markdown.contains("`````rs\n````\ncode\n````\n`````\n"),
            "{markdown}"
        );
    }

    const SHAPES: [Shape; 6] = [
        (ContextFormat::Json, Tokenizer::Estimate),
        (ContextFormat::Md, Tokenizer::Estimate),
        (ContextFormat::Text, Tokenizer::Estimate),
        (ContextFormat::Json, Tokenizer::O200k),
        (ContextFormat::Md, Tokenizer::Cl100k),
        (ContextFormat::Text, Tokenizer::O200k),
    ];

    proptest! {
        #[test]
        fn parts_cost_at_least_what_the_whole_costs(
            snippets in prop::collection::vec("[ -~\n\u{4e00}-\u{4e40}]{0,200}", 1..6)
        ) {
            for (format, tokenizer) in SHAPES {
                let shape = (format, tokenizer);
                let mut answer = GraphRagAnswer::empty(ContextMetadata::default());
                let around = overhead_tokens(&answer, shape);
                answer.candidates = snippets.iter().map(|s| candidate(s)).collect();
                let parts: usize = answer.candidates.iter().map(|c| candidate_tokens(c, shape)).sum();
                answer.token_count = 123_456;
                let whole = match format {
                    ContextFormat::Json => serde_json::to_string(&answer).unwrap(),
                    ContextFormat::Md => answer.to_markdown(),
                    ContextFormat::Text => answer.to_text(),
                };
                prop_assert!(tokenizer.count(&whole) <= around + parts);
            }
        }
    }
}
