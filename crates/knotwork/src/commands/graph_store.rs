//! `knotwork graph-store`.

use crate::command::{Command, Row, Run};
use crate::format::{JSON_OR_TEXT, TEXT_OR_JSON};
use crate::printer::{CommandResult, Failure, Printer};
use clap::Args;
use engine::{Engine, EngineError, GraphStoreRequest};
use serde_json::Value;

pub(super) const COMMAND: Command = Command {
    name: "graph-store",
    aliases: &[],
    about: "Read or write nodes and edges of the graph directly",
    examples: &[
        "knotwork graph-store find-symbol TokenStore.refresh",
        "knotwork graph-store query \"SELECT kind, count(*) FROM nodes GROUP BY kind\"",
    ],
    part_examples: &[
        "knotwork graph-store init",
        "knotwork graph-store add-node --id n1 --symbol run --kind function --file src/run.py",
        "knotwork graph-store get-node --id n1",
        "knotwork graph-store update-node --id n1 --line-start 12",
        "knotwork graph-store delete-node --id n1",
        "knotwork graph-store add-edge --source n1 --target n2 --type CALLS",
        "knotwork graph-store get-edge --id e1",
        "knotwork graph-store update-edge --id e1 --line 12",
        "knotwork graph-store delete-edge --id e1",
        "knotwork graph-store query-edges --from n1 --type CALLS",
        "knotwork graph-store find-symbol TokenStore.refresh",
        "knotwork graph-store find-file src/auth.py",
        "knotwork graph-store find-unresolved refresh --limit 20",
        "knotwork graph-store find-orphans --limit 20 --format text",
        "knotwork graph-store find-path --from n1 --to n2 --edge-types CALLS",
        "knotwork graph-store batch-import --file graph.json",
        "knotwork graph-store stats",
        "knotwork graph-store query \"SELECT kind, count(*) FROM nodes GROUP BY kind\"",
        "knotwork graph-store migrate",
        "knotwork graph-store vacuum",
        "knotwork graph-store export --lines > graph.jsonl",
    ],
    formats: JSON_OR_TEXT,
    part_formats: &[("init", TEXT_OR_JSON)],
    operations: &["graph-store"],
    readme: Row {
        usage: "`graph-store …`",
        tool: None,
        answers: "nodes, edges, paths, orphans, read-only SQL",
    },
    readme_chinese: None,
    run: &Run::question(GraphStoreArgs::can_run_in_daemon, access_graph_store),
};

/// Nodes and edges as they are kept. Answers are JSON unless `--format text` asks for a table.
#[derive(Debug, Args)]
struct GraphStoreArgs {
    #[command(subcommand)]
    request: GraphStoreRequest,
}

impl GraphStoreArgs {
    /// Whether the command only reads, and answers with one value.
    fn can_run_in_daemon(&self) -> bool {
        // An export is written piece by piece.
        !self.request.is_write() && !matches!(self.request, GraphStoreRequest::Export { .. })
    }
}

fn access_graph_store(engine: &Engine, args: GraphStoreArgs, printer: &Printer) -> CommandResult {
    let json = printer.is_json(JSON_OR_TEXT)?;
    let mut request = args.request;
    match &mut request {
        GraphStoreRequest::Export { lines } => return export_to_stdout(engine, *lines),
        GraphStoreRequest::BatchImport(batch) => {
            // The caller reads the file itself, wherever it is.
            if let Some(file) = batch.file.take() {
                let read: engine::BatchArgs = read_batch(&file)?;
                (batch.nodes, batch.edges) = (read.nodes, read.edges);
            }
        }
        _ => {}
    }
    let answer = engine.graph_store(&request)?;
    for note in &answer.notes {
        printer.print_note(&format!("warning: {note}"));
    }
    let inside = json && answer.data.is_object();
    if json {
        printer.print_json(&answer.to_json())?;
    } else {
        printer.print_text(&format_table(&answer.data))?;
    }
    // An answer that is a list has no field for the state of the index.
    match &answer.index {
        Some(index) if !inside => printer.print_index_info(index),
        _ => {}
    }
    Ok(())
}

/// The most bytes of a batch.
const MOST_BATCH: u64 = 256 << 20;

fn read_batch(file: &str) -> Result<engine::BatchArgs, EngineError> {
    let text = crate::input::read_text(std::path::Path::new(file), MOST_BATCH)?;
    engine::parse_batch(&text, file)
}

fn export_to_stdout(engine: &Engine, lines: bool) -> CommandResult {
    let out = EscapingWriter {
        out: IgnoreBrokenPipe(std::io::stdout().lock()),
        incomplete_utf8: Vec::new(),
    };
    let mut out = std::io::BufWriter::new(out);
    engine.export(&mut out, lines)?;
    std::io::Write::flush(&mut out).map_err(Failure::Output)
}

/// A writer that escapes hidden characters; the JSON keeps its meaning.
struct EscapingWriter<W> {
    out: W,
    /// The first bytes of a UTF-8 character whose rest has not been written yet.
    incomplete_utf8: Vec<u8>,
}

impl<W: std::io::Write> std::io::Write for EscapingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.incomplete_utf8.extend_from_slice(bytes);
        let whole = match std::str::from_utf8(&self.incomplete_utf8) {
            Ok(text) => text.len(),
            Err(error) => error.valid_up_to(),
        };
        let rest = self.incomplete_utf8.split_off(whole);
        let text = String::from_utf8_lossy(&self.incomplete_utf8);
        self.out
            .write_all(guard::text::escape_multiline(&text).as_bytes())?;
        self.incomplete_utf8 = rest;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.out.flush()
    }
}

/// A writer that ignores output after the reader has closed the pipe.
struct IgnoreBrokenPipe<W>(W);

impl<W: std::io::Write> std::io::Write for IgnoreBrokenPipe<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match self.0.write(bytes) {
            Err(e) if e.kind() == std::io::ErrorKind::BrokenPipe => Ok(bytes.len()),
            other => other,
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        match self.0.flush() {
            Err(e) if e.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
            other => other,
        }
    }
}

/// Rows as tab-separated lines; an object as `key<TAB>value` lines.
fn format_table(data: &Value) -> String {
    match data {
        Value::Array(rows) => rows.iter().map(format_row).collect(),
        Value::Object(fields) => match (fields.get("columns"), fields.get("rows")) {
            (Some(Value::Array(columns)), Some(Value::Array(rows))) => {
                let all = std::iter::once(columns).chain(rows.iter().filter_map(Value::as_array));
                all.map(|cells| join_cells(cells.iter())).collect()
            }
            _ => fields
                .iter()
                .map(|(key, value)| format!("{key}\t{}\n", format_cell(value)))
                .collect(),
        },
        other => format_cell(other),
    }
}

fn format_row(value: &Value) -> String {
    match value {
        Value::Object(fields) => join_cells(fields.values()),
        other => format!("{}\n", format_cell(other)),
    }
}

fn join_cells<'a>(cells: impl Iterator<Item = &'a Value>) -> String {
    let cells: Vec<String> = cells.map(format_cell).collect();
    format!("{}\n", cells.join("\t"))
}

fn format_cell(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "-".to_owned(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::format_table;
    use serde_json::json;

    #[test]
    fn answers_become_lines() {
        assert_eq!(format_table(&json!([{"a": 1, "b": null}])), "1\t-\n");
        assert_eq!(
            format_table(&json!({"columns": ["n"], "rows": [[1], ["x"]], "truncated": false})),
            "n\n1\nx\n"
        );
        assert_eq!(format_table(&json!({"status": "ok"})), "status\tok\n");
    }
}
