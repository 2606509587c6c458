//! `knotwork rerank`.

use crate::command::{Command, Row, Run};
use crate::format::JSON_OR_TEXT;
use crate::printer::{CommandResult, Printer};
use crate::text::Style;
use clap::Args;
use engine::{Engine, EngineError, LlmProvider, RerankAnswer, RerankRequest};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The most bytes of an input.
const MOST: u64 = 16 << 20;

pub(super) const COMMAND: Command = Command {
    name: "rerank",
    aliases: &[],
    about: "Re-rank search results with a language model",
    examples: &[
        "knotwork search \"parse dates\" --format json | knotwork rerank --query \"parse dates\" --input - --provider ollama",
    ],
    part_examples: &[],
    formats: JSON_OR_TEXT,
    part_formats: &[],
    operations: &["rerank"],
    readme: Row {
        usage: "`rerank --query Q --input F`",
        tool: Some("`ci_graph_rag` `rerank`"),
        answers: "results sorted again by a language model; off by default",
    },
    readme_chinese: None,
    run: &Run::project(rerank_results),
};

/// Sort results again by what a language model says of their relevance. Off unless the configuration says
/// `reranker.enabled: true` or one of --provider and --mock-llm is given; then the results stay in their order.
#[derive(Debug, Args)]
struct RerankArgs {
    /// The search query
    #[arg(long, short)]
    query: String,
    /// The results as JSON: a list, or an answer of `search` or `graph-rag`; `-` for standard input
    #[arg(long, short, value_name = "FILE")]
    input: PathBuf,
    /// The model's provider. Its key is read from the environment
    #[arg(long, value_enum)]
    provider: Option<LlmProvider>,
    /// Use this text as the model's answer (for tests)
    #[arg(long, value_name = "ANSWER", hide = true)]
    mock_llm: Option<String>,
    /// Ignore the cached answer
    #[arg(long)]
    no_cache: bool,
}

fn rerank_results(engine: &Engine, args: RerankArgs, printer: &Printer) -> CommandResult {
    let json = printer.is_json(JSON_OR_TEXT)?;
    let candidates = engine::read_candidates(&read_candidates_file(&args.input)?)?;
    let answer = engine.rerank(&RerankRequest {
        query: args.query,
        candidates,
        provider: args.provider,
        mock_llm: args.mock_llm,
        no_cache: args.no_cache,
    })?;
    if json {
        return printer.print_json(&answer);
    }
    printer.print_text(&format_text(&answer, printer.style()))?;
    if let Some(reason) = answer.metadata.skip_reason {
        let reason = serde_json::to_value(reason).unwrap_or_default();
        let detail = answer.metadata.detail.as_deref().unwrap_or_default();
        printer.print_note(&format!(
            "note: not re-ranked ({}) {detail}",
            reason.as_str().unwrap_or_default()
        ));
    }
    Ok(())
}

fn read_candidates_file(path: &Path) -> Result<String, EngineError> {
    crate::input::read_text(path, MOST)
}

fn format_text(answer: &RerankAnswer, style: Style) -> String {
    let mut out = String::new();
    for result in &answer.ranked_results {
        let field = |name: &str| result.fields.get(name).and_then(|v| v.as_str());
        let place = field("file_path").or(field("path")).or(field("snippet"));
        let place = place.unwrap_or("?").lines().next().unwrap_or_default();
        let score = match result.ranked.score {
            Some(score) => format!("{score:4.1}"),
            None => "   –".to_owned(),
        };
        let _ = writeln!(
            out,
            "{score}  {}  (was {}) {}",
            style.bold(place),
            result.ranked.original_rank,
            style.dim(result.ranked.reason.as_deref().unwrap_or_default())
        );
    }
    out
}
