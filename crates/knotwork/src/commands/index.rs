//! `knotwork index` and `knotwork index status`.

use crate::command::{Command, Row, Run, Trust};
use crate::environment::{self, GlobalArgs, Limits};
use crate::format::TEXT_OR_JSON;
use crate::printer::{CommandResult, Printer};
use crate::text::{format_count, format_percent, format_plural, format_size};
use clap::{Args, Subcommand};
use engine::config::parse_byte_size;
use engine::{ImportAnswer, IndexAnswer, IndexRequest, StatusAnswer};
use guard::text::escape_line;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

pub(super) const COMMAND: Command = Command {
    name: "index",
    aliases: &[],
    about: "Build the index, or update it",
    examples: &[
        "knotwork index            build or update the index of this project",
        "knotwork index status     compare the index with the files; list what is not read",
        "knotwork index --precise --trust-repository",
        "knotwork index export index.knotwork && knotwork index import index.knotwork --force",
    ],
    part_examples: &[
        "knotwork index status --format json",
        "knotwork index clear",
        "knotwork index export index.knotwork",
        "knotwork index import index.knotwork --force",
    ],
    formats: TEXT_OR_JSON,
    part_formats: &[],
    operations: &["index", "index-status", "index-clear"],
    readme: Row {
        usage: "`index`, `index status`, `index export FILE`, `index import FILE`",
        tool: None,
        answers: "builds or refreshes the graph; [one file for other machines](docs/scale.md#an-index-from-ci); `--precise --trust-repository` runs installed SCIP indexers, which run code of the repository; `--memory 1GB` sets a ceiling",
    },
    readme_chinese: None,
    run: &Run::in_process(manage_index).with_trust(IndexArgs::trust),
};

/// Build the index, or bring it up to date.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
struct IndexArgs {
    #[command(flatten)]
    request: IndexRequest,
    /// Skip source files larger than this. Other files are searched up to 1MiB [default: 16MiB]
    #[arg(long, value_name = "SIZE", value_parser = parse_byte_size)]
    max_file_size: Option<u64>,
    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Trust the index that is found, and sign it with your key. Use it for an index that was restored from a cache or
    /// came with an image. Otherwise an index is used only if you wrote it on this machine. KNOTWORK_TRUST_INDEX=1
    /// does the same for every command
    #[arg(long)]
    trust_index: bool,
    #[command(subcommand)]
    what: Option<Action>,
}

impl IndexArgs {
    fn trust(&self) -> Trust {
        Trust {
            trusts_index: self.trust_index,
            ..Trust::USUAL
        }
    }
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Compare the index with the files on disk. Changes nothing
    Status,
    /// Remove the index
    Clear,
    /// Write the index to a file, for other machines: graph, chunks, vectors and the content hash of each file. Brings the index
    /// up to date first
    Export {
        /// The file to write
        file: PathBuf,
    },
    /// Start from an exported index. Facts of files with the same content are trusted; others are read. Import only files that
    /// you trust
    Import {
        /// The file to read
        file: PathBuf,
        /// Replace the index that is there
        #[arg(long)]
        force: bool,
    },
}

fn manage_index(given: &GlobalArgs, args: IndexArgs, printer: &Printer) -> CommandResult {
    let limits = Limits {
        max_file_size: args.max_file_size,
        threads: args.threads,
    };
    let engine = environment::open_engine(given, &limits)?;
    match args.what {
        Some(Action::Status) => print_status(&engine, printer),
        Some(Action::Clear) => {
            let json = printer.is_json(TEXT_OR_JSON)?;
            let removed = engine.index_clear()?;
            if json {
                return printer
                    .print_json(&serde_json::json!({"status": "ok", "removed": removed}));
            }
            match removed.as_slice() {
                [] => printer.print_text("there was no index"),
                removed => printer.print_text(&format!("removed {}", removed.join(", "))),
            }
        }
        Some(Action::Export { file }) => {
            let json = printer.is_json(TEXT_OR_JSON)?;
            let report = engine.index_export(&file)?;
            drop(engine);
            if json {
                return printer.print_json(&report);
            }
            printer.print_text(&format!(
                "{}: {} in the graph, {} to search, {}\n",
                escape_line(&file.display().to_string()),
                format_plural(report.files, "file"),
                format_plural(report.texts, "text"),
                format_size(report.bytes),
            ))
        }
        Some(Action::Import { file, force }) => {
            let json = printer.is_json(TEXT_OR_JSON)?;
            let answer = engine.index_import(&file, force)?;
            drop(engine);
            if json {
                return printer.print_json(&answer);
            }
            print_notes(&answer.index, printer);
            printer.print_text(&format_import(&answer))
        }
        None => {
            let json = printer.is_json(TEXT_OR_JSON)?;
            let answer = engine.index(&args.request)?;
            // The progress bar is removed before the result is printed.
            drop(engine);
            print_notes(&answer, printer);
            if json {
                return printer.print_json(&answer);
            }
            printer.print_text(&format_summary(&answer))
        }
    }
}

/// Prints notes on whatever did not go as the user wanted.
fn print_notes(answer: &IndexAnswer, printer: &Printer) {
    for run in &answer.precise {
        match (&run.problem, &run.install) {
            (Some(problem), Some(install)) => {
                printer.print_note(&format!("note: {}: {problem}", run.indexer));
                printer.print_note(&format!("hint: {install}"));
            }
            (Some(problem), None) => {
                printer.print_note(&format!("warning: {} failed: {problem}", run.indexer));
            }
            _ => {}
        }
    }
    for warning in &answer.report.warnings {
        printer.print_note(&format!("warning: {warning}"));
    }
    let vectors = answer.embedding.as_ref();
    if let Some(fallback) = vectors.and_then(|e| e.fallback.as_ref()) {
        printer.print_note(&format!("warning: {fallback}"));
    }
}

fn format_import(answer: &ImportAnswer) -> String {
    let imported = &answer.imported;
    let commit = imported.commit.as_deref().unwrap_or("no commit");
    let refused = match imported.refused {
        0 => String::new(),
        count => format!(
            "what it says of {} cannot be, or is too large, and was not taken\n",
            format_plural(count, "file")
        ),
    };
    format!(
        "imported the index of {commit}: {} of {} the same here, {} to search\n{refused}{}",
        format_count(imported.same),
        format_plural(imported.files, "file"),
        format_plural(imported.texts, "text"),
        format_summary(&answer.index),
    )
}

/// The shares of call sites by what they resolve to: an edge, something external, nothing.
fn describe_call_shares(total: u64, shares: [u64; 3]) -> String {
    let [resolved, external, unresolved] = shares.map(|part| format_percent(part, total));
    format!("{resolved} with an edge, {external} external, {unresolved} unresolved")
}

fn format_summary(answer: &IndexAnswer) -> String {
    let report = &answer.report;
    let mut out = format!(
        "{} ({}): {} read, {} removed, {:.1} s\n",
        format_plural(u64::from(report.files), "file"),
        format_counts(&report.languages),
        format_count(u64::from(report.files_updated)),
        format_count(u64::from(report.files_removed)),
        report.duration_ms as f64 / 1000.0,
    );
    if let Some(root) = &report.taken_from {
        let _ = writeln!(out, "begun with the index of {root}");
    }
    let _ = writeln!(
        out,
        "{} nodes, {} edges",
        format_count(report.nodes),
        format_count(report.edges)
    );
    if let Some(shared) = &answer.shared {
        let rows = if shared.published.was_current {
            "as it was".to_owned()
        } else {
            format!("{} rows", format_count(shared.published.rows))
        };
        let _ = writeln!(
            out,
            "published as {} to {}: {rows}",
            shared.repository, shared.server
        );
        if shared.dirty > 0 {
            let _ = writeln!(
                out,
                "dirty: {} not as the commit has them",
                format_plural(shared.dirty as u64, "file")
            );
        }
    }
    let calls = &report.calls;
    let shares = [calls.resolved, calls.external, calls.unresolved];
    let shares = describe_call_shares(calls.total, shares);
    let total = format_count(calls.total);
    let _ = writeln!(out, "{total} call sites: {shares}");
    if calls.given_up > 0 {
        let sites = format_plural(calls.given_up, "call site");
        let _ = writeln!(out, "{sites} unresolved: linking took too much work");
    }
    if !report.text_only.is_empty() {
        let languages = format_counts(&report.text_only);
        let _ = writeln!(
            out,
            "as text: {languages} (no grammar: found by search, not in the graph)"
        );
    }
    if report.files_with_errors > 0 {
        let files = format_plural(u64::from(report.files_with_errors), "file");
        let _ = writeln!(
            out,
            "{files} with syntax errors: parts may be unread (`knotwork index status` lists them)"
        );
    }
    if !report.skipped.is_empty() {
        let _ = writeln!(out, "passed over: {}", format_counts(&report.skipped));
    }
    if report.files_given_up > 0 {
        let files = format_plural(u64::from(report.files_given_up), "file");
        let _ = writeln!(
            out,
            "{files} read in part: too much work, or nested too deeply"
        );
    }
    if let Some(scip) = report.scip.as_ref().filter(|s| s.problem.is_none()) {
        let _ = writeln!(
            out,
            "{} from the SCIP index ({})",
            format_plural(u64::from(scip.files), "file"),
            scip.tools.join(", ")
        );
    }
    if let Some(vectors) = &answer.embedding {
        let asked = format_plural(vectors.asked.unwrap_or(0) as u64, "chunk");
        let _ = writeln!(out, "vectors of {}: {asked} asked for", vectors.model);
    }
    for run in answer.precise.iter().filter(|run| run.ran) {
        let _ = writeln!(out, "imported what {} wrote", run.indexer);
    }
    out
}

fn print_status(engine: &engine::Engine, printer: &Printer) -> CommandResult {
    let json = printer.is_json(TEXT_OR_JSON)?;
    let answer = engine.index_status()?;
    if json {
        return printer.print_json(&answer);
    }
    printer.print_text(&format_status(&answer))
}

/// The most files named that are not in the graph, or only in part.
const SHOWN: usize = 20;

fn format_status(answer: &StatusAnswer) -> String {
    let mut out = format!("project   {}\n", answer.project);
    if !answer.exists {
        out.push_str("index     none yet; any question builds it, or `knotwork index`\n");
        return out;
    }
    let state = match answer.changes {
        0 => "fresh".to_owned(),
        n => format!("{} changed since", format_plural(n as u64, "file")),
    };
    let commit = answer.index.commit.as_deref().unwrap_or("no commit");
    let _ = writeln!(out, "index     {state}, {commit}");
    let _ = writeln!(out, "files     {}", format_counts(&answer.languages));
    if !answer.names_only.is_empty() {
        let languages = format_counts(&answer.names_only);
        let _ = writeln!(
            out,
            "by name   {languages} (definitions are in the graph, calls and imports are not)"
        );
    }
    if !answer.text_only.is_empty() {
        let languages = format_counts(&answer.text_only);
        let _ = writeln!(
            out,
            "as text   {languages} (no grammar: found by search, not in the graph)"
        );
    }
    if !answer.skipped.is_empty() {
        let _ = writeln!(out, "passed    {}", format_counts(&answer.skipped));
    }
    let skipped = answer.skipped_files.iter();
    let skipped = skipped.map(|(path, reason)| format!("{}: {reason}", escape_line(path)));
    push_files(&mut out, skipped);
    if answer.files_with_syntax_errors > 0 {
        let files = format_plural(u64::from(answer.files_with_syntax_errors), "file");
        let _ = writeln!(
            out,
            "syntax    {files} with syntax errors (parts may be unread)"
        );
        let damaged = answer.syntax_error_files.iter();
        push_files(&mut out, damaged.map(|path| escape_line(path).into_owned()));
    }
    if let Some(graph) = &answer.graph {
        let types: Vec<String> = graph
            .edges_by_type
            .iter()
            .map(|(kind, n)| format!("{kind} {}", format_count(*n)))
            .collect();
        let tiers: Vec<String> = graph
            .edges_by_tier
            .iter()
            .map(|(tier, n)| format!("{tier} {}", format_count(*n)))
            .collect();
        let _ = writeln!(out, "nodes     {}", format_count(graph.nodes));
        let _ = writeln!(
            out,
            "edges     {} ({})",
            format_count(graph.edges),
            types.join(", ")
        );
        let _ = writeln!(out, "tiers     {}", tiers.join(", "));
        let _ = writeln!(
            out,
            "database  {} ({})",
            answer.database,
            format_size(graph.db_size_bytes)
        );
    }
    let vectors = &answer.embedding;
    if vectors.exists {
        let chunks = format_plural(vectors.chunks as u64, "chunk");
        let _ = writeln!(out, "vectors   {chunks}, {}", vectors.model);
    }
    let calls = &answer.calls;
    let shares = [calls.resolved, calls.external, calls.unresolved];
    let shares = describe_call_shares(calls.total, shares);
    let total = format_count(calls.total);
    let _ = writeln!(out, "calls     {total}: {shares}");
    if calls.given_up > 0 {
        let sites = format_plural(calls.given_up, "call site");
        let _ = writeln!(out, "given up  {sites}: linking took too much work");
        let files = answer.given_up_files.iter();
        let files = files.map(|(path, n)| format!("{}: {}", escape_line(path), format_count(*n)));
        push_files(&mut out, files);
    }
    for note in &answer.index.notes {
        let _ = writeln!(out, "note      {note}");
    }
    for path in answer.changed.iter().chain(&answer.removed).take(10) {
        let _ = writeln!(out, "changed   {path}");
    }
    out
}

/// Adds the first of some files, a line each, and the number of further ones.
fn push_files(out: &mut String, files: impl ExactSizeIterator<Item = String>) {
    let more = files.len().saturating_sub(SHOWN);
    for file in files.take(SHOWN) {
        let _ = writeln!(out, "          {file}");
    }
    if more > 0 {
        let _ = writeln!(out, "          and {more} more: --format json lists them");
    }
}

fn format_counts(counts: &BTreeMap<String, u32>) -> String {
    if counts.is_empty() {
        return "none".to_owned();
    }
    let mut sorted: Vec<_> = counts.iter().collect();
    sorted.sort_by_key(|(name, n)| (std::cmp::Reverse(**n), name.as_str()));
    let parts: Vec<String> = sorted
        .iter()
        .map(|(name, n)| format!("{name} {}", format_count(u64::from(**n))))
        .collect();
    parts.join(", ")
}
