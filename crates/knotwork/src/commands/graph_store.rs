//! `knotwork graph-store`.

use crate::format::Format;
use crate::printer::{CommandResult, Failure, Printer};
use clap::Args;
use engine::{Engine, EngineError, GraphStoreRequest};
use serde_json::Value;

/// Nodes and edges as they are kept. Answers are JSON unless `--format text` asks for a table.
#[derive(Debug, Args)]
pub(crate) struct GraphStoreArgs {
    #[command(subcommand)]
    request: GraphStoreRequest,
}

impl GraphStoreArgs {
    /// Whether it reads only, and answers with one value.
    pub(crate) fn is_question(&self) -> bool {
        // An export is written piece by piece.
        !self.request.writes() && !matches!(self.request, GraphStoreRequest::Export { .. })
    }
}

pub(crate) fn run(engine: &Engine, args: GraphStoreArgs, printer: &Printer) -> CommandResult {
    let json = printer.is_json(Format::Json)?;
    let mut request = args.request;
    match &mut request {
        GraphStoreRequest::Export { lines } => return export(engine, *lines),
        GraphStoreRequest::BatchImport(batch) => {
            // The file is the caller's own to read, wherever it lies.
            if let Some(file) = batch.file.take() {
                let read: engine::BatchArgs = read_batch(&file)?;
                (batch.nodes, batch.edges) = (read.nodes, read.edges);
            }
        }
        _ => {}
    }
    let answer = engine.graph_store(&request)?;
    for note in &answer.notes {
        printer.say(&format!("warning: {note}"));
    }
    let inside = json && answer.data.is_object();
    if json {
        printer.json(&answer.to_json())?;
    } else {
        printer.text(&table(&answer.data))?;
    }
    // A list has no room for it.
    match &answer.index {
        Some(index) if !inside => printer.index(index),
        _ => {}
    }
    Ok(())
}

/// Bytes of a batch.
const MOST_BATCH: u64 = 1 << 30;

fn read_batch(file: &str) -> Result<engine::BatchArgs, EngineError> {
    let text = crate::input::read(std::path::Path::new(file), MOST_BATCH)?;
    serde_json::from_str(&text).map_err(|e| {
        EngineError::bad(format!("not a batch: {file}: {e}"))
            .hint("a batch is a JSON object {\"nodes\": […], \"edges\": […]}")
    })
}

fn export(engine: &Engine, lines: bool) -> CommandResult {
    let out = Escaped {
        out: QuietPipe(std::io::stdout().lock()),
        half: Vec::new(),
    };
    let mut out = std::io::BufWriter::new(out);
    engine.export(&mut out, lines)?;
    std::io::Write::flush(&mut out).map_err(Failure::Output)
}

/// Writes out what is hidden in text; JSON means the same afterwards.
struct Escaped<W> {
    out: W,
    /// The beginning of a letter that was written in part.
    half: Vec<u8>,
}

impl<W: std::io::Write> std::io::Write for Escaped<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.half.extend_from_slice(bytes);
        let whole = match std::str::from_utf8(&self.half) {
            Ok(text) => text.len(),
            Err(error) => error.valid_up_to(),
        };
        let rest = self.half.split_off(whole);
        let text = String::from_utf8_lossy(&self.half);
        self.out.write_all(guard::text::body(&text).as_bytes())?;
        self.half = rest;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.out.flush()
    }
}

/// Swallows what is written after the reader has gone.
struct QuietPipe<W>(W);

impl<W: std::io::Write> std::io::Write for QuietPipe<W> {
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

/// Rows as tab-separated lines, an object as `key<TAB>value` lines.
fn table(data: &Value) -> String {
    match data {
        Value::Array(rows) => rows.iter().map(row).collect(),
        Value::Object(fields) => match (fields.get("columns"), fields.get("rows")) {
            (Some(Value::Array(columns)), Some(Value::Array(rows))) => {
                let all = std::iter::once(columns).chain(rows.iter().filter_map(Value::as_array));
                all.map(|cells| line(cells.iter())).collect()
            }
            _ => fields
                .iter()
                .map(|(key, value)| format!("{key}\t{}\n", cell(value)))
                .collect(),
        },
        other => cell(other),
    }
}

fn row(value: &Value) -> String {
    match value {
        Value::Object(fields) => line(fields.values()),
        other => format!("{}\n", cell(other)),
    }
}

fn line<'a>(cells: impl Iterator<Item = &'a Value>) -> String {
    let cells: Vec<String> = cells.map(cell).collect();
    format!("{}\n", cells.join("\t"))
}

fn cell(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "-".to_owned(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::table;
    use serde_json::json;

    #[test]
    fn answers_become_lines() {
        assert_eq!(table(&json!([{"a": 1, "b": null}])), "1\t-\n");
        assert_eq!(
            table(&json!({"columns": ["n"], "rows": [[1], ["x"]], "truncated": false})),
            "n\n1\nx\n"
        );
        assert_eq!(table(&json!({"status": "ok"})), "status\tok\n");
    }
}
