//! `knotwork cod`.

use crate::command::{Command, Row, Run};
use crate::format::Format;
use crate::printer::{CommandResult, Printer};
use crate::text::{Style, format_count, format_plural};
use clap::{Args, Subcommand};
use engine::{CodFormat, CodPicture, CodRequest, D3Link, D3Node, Engine, EngineError, OverviewD3};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Formats of the answer; the first is the default.
const FORMATS: &[Format] = &[Format::Mermaid, Format::Text, Format::D3json, Format::Json];

/// The number of used parts that text names for each part, the most used first.
const MOST_USED_PARTS: usize = 6;

pub(super) const COMMAND: Command = Command {
    name: "cod",
    aliases: &[],
    about: "Draw an overview of the code base: packages, folders or files",
    examples: &[
        "knotwork cod generate --level 2 > overview.mmd",
        "knotwork cod module src/server",
    ],
    part_examples: &[
        "knotwork cod generate --level 2 > overview.mmd",
        "knotwork cod module src/server",
    ],
    formats: FORMATS,
    part_formats: &[],
    operations: &["cod"],
    readme: Row {
        usage: "`cod generate`, `cod module PATH`",
        tool: None,
        answers: "the code base as a diagram or as text: packages, folders or files",
    },
    readme_chinese: Some(Row {
        usage: "`cod generate`",
        tool: None,
        answers: "代码库的总览图",
    }),
    run: &Run::question(CodArgs::can_run_in_daemon, draw_overview),
};

/// The code base on one page: packages, folders or files, with what they use of each other.
#[derive(Debug, Args)]
struct CodArgs {
    #[command(subcommand)]
    what: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Draw the whole project, or one module
    Generate {
        #[command(flatten)]
        request: CodRequest,
        /// Output file [default: standard output]
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Draw one folder or file
    Module {
        /// Path of the folder or file
        path: String,
        #[command(flatten)]
        request: CodRequest,
        /// Output file [default: standard output]
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
    },
}

impl CodArgs {
    /// Whether the command writes no file: a file is relative to the caller's folder.
    fn can_run_in_daemon(&self) -> bool {
        match &self.what {
            Action::Generate { output, .. } | Action::Module { output, .. } => output.is_none(),
        }
    }
}

fn draw_overview(engine: &Engine, args: CodArgs, printer: &Printer) -> CommandResult {
    let chosen = printer.choose_format(FORMATS)?;
    let is_for_people = matches!(chosen, Format::Mermaid | Format::Text);
    let format = if chosen == Format::Mermaid {
        CodFormat::Mermaid
    } else {
        CodFormat::D3json
    };
    let (request, output) = match args.what {
        Action::Generate { request, output } => (request, output),
        Action::Module {
            path,
            request,
            output,
        } => {
            let module = Some(path);
            (CodRequest { module, ..request }, output)
        }
    };
    let answer = engine.cod(&CodRequest { format, ..request })?;
    let text = match &answer.picture {
        CodPicture::Mermaid { diagram, .. } => diagram.clone(),
        CodPicture::D3(picture) if chosen == Format::Text => {
            let style = if output.is_some() {
                Style::new(false)
            } else {
                printer.style()
            };
            format_text(picture, style)
        }
        CodPicture::D3(_) => serde_json::to_string(&answer)
            .map_err(|e| EngineError::runtime_failure(format!("not JSON: {e}")))?,
    };
    match output {
        None => printer.print_text(&text)?,
        Some(file) => write_output_file(engine, &file, &text, printer)?,
    }
    if !answer.left_out.is_empty() && is_for_people {
        let kinds = answer.left_out.iter();
        let kinds = kinds.map(|(kind, n)| format_plural(*n as u64, &format!("{kind} file")));
        let kinds: Vec<String> = kinds.collect();
        printer.print_note(&format!("not shown: {} (--all)", kinds.join(", ")));
    }
    if is_for_people {
        printer.print_index_info(&answer.index);
    }
    Ok(())
}

/// A line for each part, and one for the parts that it uses.
fn format_text(picture: &OverviewD3, style: Style) -> String {
    let facts = &picture.metadata;
    let mut out = format!(
        "{} in {}\n",
        format_plural(facts.files as u64, "file"),
        format_plural(facts.total_nodes as u64, "part")
    );
    for node in &picture.nodes {
        let line = format!("{}  {}", style.bold(&node.id), style.dim(&describe(node)));
        let _ = writeln!(out, "{line}");
        let used = format_used(picture, &node.id);
        if !used.is_empty() {
            let _ = writeln!(out, "  uses {used}");
        }
    }
    if facts.edges_folded > 0 {
        let light = format_plural(facts.edges_folded as u64, "light link");
        let _ = writeln!(out, "{light} not shown");
    }
    out
}

/// The facts about a part, such as `folder · 12 files · 3,400 lines · complexity 512 · hotspot 0.4`.
fn describe(node: &D3Node) -> String {
    let mut facts = vec![node.kind.to_owned()];
    if node.files > 0 {
        facts.push(format_plural(node.files as u64, "file"));
    }
    if node.lines > 0 {
        facts.push(format_plural(node.lines, "line"));
    }
    if let Some(complexity) = node.complexity.filter(|&sum| sum > 0) {
        facts.push(format!("complexity {}", format_count(complexity)));
    }
    if let Some(heat) = node.hotspot.filter(|&heat| heat > 0.0) {
        facts.push(format!("hotspot {heat:.2}"));
    }
    if let Some(folded) = &node.folded {
        let names = folded.names.join(", ");
        facts.push(format!("{} more: {names}", folded.count));
    }
    facts.join(" · ")
}

/// The parts that one uses, such as `crates/store (120), crates/base (80) and 3 others`.
fn format_used(picture: &OverviewD3, user: &str) -> String {
    let links = picture.links.iter();
    let mut links: Vec<&D3Link> = links.filter(|link| link.source == user).collect();
    links.sort_by(|a, b| {
        b.weight
            .cmp(&a.weight)
            .then_with(|| a.target.cmp(&b.target))
    });
    let shown = links.iter().take(MOST_USED_PARTS);
    let shown: Vec<String> = shown
        .map(|link| format!("{} ({})", link.target, format_count(u64::from(link.weight))))
        .collect();
    let rest = links.len().saturating_sub(MOST_USED_PARTS) as u64;
    let shown = shown.join(", ");
    if rest == 0 {
        shown
    } else {
        format!("{shown} and {}", format_plural(rest, "other"))
    }
}

fn write_output_file(engine: &Engine, file: &Path, text: &str, printer: &Printer) -> CommandResult {
    let end = if text.ends_with('\n') { "" } else { "\n" };
    crate::input::write_text(engine, file, &format!("{text}{end}"))?;
    printer.print_note(&format!("{} written", file.display()));
    Ok(())
}
