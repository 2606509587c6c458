//! `knotwork embedding`.

use crate::command::{Command, Row, Run};
use crate::environment::{self, GlobalArgs, Limits};
use crate::format::TEXT_OR_JSON;
use crate::printer::{CommandResult, Printer};
use crate::text::{format_count, format_plural};
use clap::{Args, Subcommand, ValueEnum};
use engine::{EmbeddingAnswer, EmbeddingProvider, EmbeddingRequest, Engine};
use std::fmt::Write;

pub(super) const COMMAND: Command = Command {
    name: "embedding",
    aliases: &[],
    about: "Build, inspect or remove the embeddings of a provider",
    examples: &[
        "knotwork embedding build --provider ollama",
        "knotwork embedding status",
    ],
    part_examples: &[
        "knotwork embedding build --provider ollama",
        "knotwork embedding status",
        "knotwork embedding clear",
    ],
    formats: TEXT_OR_JSON,
    part_formats: &[],
    operations: &["embedding-build", "embedding-status", "embedding-clear"],
    readme: Row {
        usage: "`embedding build`, `status`, `clear`",
        tool: Some("`ci_index_status`"),
        answers: "the vectors of the chunks",
    },
    readme_chinese: None,
    run: &Run::in_process(manage_embeddings),
};

/// Vectors of chunks: build, inspect, remove.
#[derive(Debug, Args)]
struct EmbeddingArgs {
    #[command(subcommand)]
    what: Action,
    /// The embedding provider, instead of the configured one. Keys are read from the environment
    #[arg(long, value_enum, global = true)]
    provider: Option<EmbeddingProvider>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Build or update the embeddings, and write .devbooks/embeddings/index.tsv
    Build(EmbeddingRequest),
    /// Show the state of the embeddings. Sends nothing and changes nothing
    Status,
    /// Remove all embeddings, including those made by a provider
    Clear,
}

fn manage_embeddings(given: &GlobalArgs, args: EmbeddingArgs, printer: &Printer) -> CommandResult {
    let mut given = given.clone();
    let name = args.provider.and_then(|p| p.to_possible_value());
    if let Some(name) = name {
        given
            .set
            .push(format!("embedding.provider={}", name.get_name()));
    }
    let json = printer.is_json(TEXT_OR_JSON)?;
    let engine = environment::open_engine(&given, &Limits::default())?;
    let answer = match args.what {
        Action::Build(request) => engine.embedding_build(&request)?,
        Action::Status => engine.embedding_status()?,
        Action::Clear => return clear_index(&engine, json, printer),
    };
    // The progress bar is removed before the result is printed.
    drop(engine);
    if let Some(fallback) = &answer.fallback {
        printer.print_note(&format!("warning: {fallback}"));
    }
    if json {
        printer.print_json(&answer)
    } else {
        printer.print_text(&format_text(&answer))
    }
}

fn clear_index(engine: &Engine, json: bool, printer: &Printer) -> CommandResult {
    let removed = engine.embedding_clear()?;
    if json {
        return printer.print_json(&serde_json::json!({"status": "ok", "removed": removed}));
    }
    match removed.as_slice() {
        [] => printer.print_text("there were none"),
        removed => printer.print_text(&format!("removed {}", removed.join(", "))),
    }
}

fn format_text(answer: &EmbeddingAnswer) -> String {
    if !answer.exists {
        return format!("provider  {}\nindex     none yet\n", answer.provider);
    }
    let mut out = format!(
        "provider  {}\nmodel     {}, {} values\nindex     {} in {}\n",
        answer.provider,
        answer.model,
        answer.dimensions,
        format_plural(answer.chunks as u64, "chunk"),
        format_plural(answer.files as u64, "file"),
    );
    if let Some(asked) = answer.asked {
        let _ = writeln!(out, "asked     {}", format_plural(asked as u64, "chunk"));
    }
    if answer.missing > 0 {
        let missing = format_count(answer.missing as u64);
        let _ = writeln!(out, "missing   {missing}, found by words alone");
    }
    for path in &answer.written {
        let _ = writeln!(out, "written   {path}");
    }
    out
}
