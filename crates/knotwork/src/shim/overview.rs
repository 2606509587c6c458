//! The wrapper of the overview.

use super::arguments::Arguments;
use super::own::OwnCall;
use super::{Answer, Reply, Script};
use serde_json::{Value, json};
use std::path::Path;

pub(super) const COD: Script = Script {
    name: "cod-visualizer",
    usage: "  generate --level 1|2|3 [--format mermaid|d3json] [--output FILE] [--include-hotspots] [--include-complexity]
  module PATH [--format mermaid|d3json] [--output FILE]",
    flags: &["--include-hotspots", "--include-complexity"],
    options: &["--level", "--output"],
    run: draw,
};

fn draw(given: Arguments) -> Answer {
    let action = given.action()?.to_owned();
    let words = given.words.iter().skip(1).cloned();
    let format = given.option("--format").unwrap_or("mermaid");
    let level = given.option("--level");
    let is_level = |level: &&str| matches!(*level, "1" | "2" | "3");
    let own = OwnCall::new(&["cod", &action])
        .operands(words)
        .args(given.renamed(&[("--output", "--output")]));
    let own = match level.filter(is_level) {
        Some(level) => own.value("--level", level),
        None => own,
    };
    let mut reply = own.common(&given).value("--format", format).quiet()?;
    if reply.code != 0 && reply.err.contains("path outside the project") {
        reply = draw_outside(&given, format)?;
    }
    // Diagrams of the earlier implementation ran from top to bottom.
    let out = match reply.out.strip_prefix("graph LR") {
        Some(rest) => format!("graph TD{rest}"),
        None => reply.out,
    };
    // An invalid level counted as the usual one there.
    let wrong = level.filter(|level| !is_level(level));
    let wrong = wrong.map(|level| format!("Invalid level: {level}. Must be 1, 2 or 3; 2 is shown"));
    let out = match wrong {
        Some(note) if reply.code == 0 => with_note(&out, format, &note),
        _ => out,
    };
    Ok(Reply { out, ..reply })
}

/// The picture of a folder outside the project: nothing of the project lies there.
fn draw_outside(given: &Arguments, format: &str) -> Answer {
    let path = given.word(1)?;
    if !Path::new(path).is_dir() {
        return Err(Reply::failure(1, format!("module not found: {path}")));
    }
    let note = "Empty: nothing of the project lies there";
    if format == "mermaid" {
        return Ok(Reply::text(format!("graph LR\n  %% {note}\n")));
    }
    let whole = OwnCall::new(&["cod", "generate"]).common(given);
    let whole = whole.value("--format", format).quiet()?;
    let Ok(mut answer) = serde_json::from_str::<Value>(&whole.out) else {
        return Ok(whole);
    };
    for list in ["nodes", "links", "groups"] {
        if answer[list].is_array() {
            answer[list] = json!([]);
        }
    }
    for count in ["total_nodes", "total_edges"] {
        answer["metadata"][count] = json!(0);
    }
    answer["note"] = note.into();
    Ok(Reply::json(&answer))
}

fn with_note(out: &str, format: &str, note: &str) -> String {
    if format == "mermaid" {
        return format!("{out}  %% {note}\n");
    }
    match serde_json::from_str::<Value>(out) {
        Ok(mut answer) => {
            answer["note"] = note.into();
            Reply::json(&answer).out
        }
        Err(_) => out.to_owned(),
    }
}
