//! `knotwork hotspot`.

use crate::command::{Command, Row, Run};
use crate::format::{Format, TEXT_OR_JSON};
use crate::printer::{CommandResult, Printer};
use crate::text::{Style, format_count, format_plural};
use clap::Args;
use engine::{Engine, HotspotAnswer, HotspotRequest};
use std::fmt::Write;

pub(super) const COMMAND: Command = Command {
    name: "hotspot",
    aliases: &["hotspots"],
    about: "List files that change often and are complex",
    examples: &[
        "knotwork hotspot --days 90 --limit 10",
        "knotwork hotspot --coupling",
    ],
    part_examples: &[],
    formats: TEXT_OR_JSON,
    part_formats: &[],
    operations: &["hotspot"],
    readme: Row {
        usage: "`hotspot`",
        tool: None,
        answers: "files that change often and are complex",
    },
    readme_chinese: Some(Row {
        usage: "`hotspot`",
        tool: None,
        answers: "常改且复杂的文件",
    }),
    run: &Run::question(|_| true, list_hotspots),
};

/// Files that change often and are complex: change frequency × complexity.
#[derive(Debug, Args)]
struct HotspotArgs {
    #[command(flatten)]
    request: HotspotRequest,
}

fn list_hotspots(engine: &Engine, args: HotspotArgs, printer: &Printer) -> CommandResult {
    let format = printer.choose_format(TEXT_OR_JSON)?;
    let answer = engine.hotspots(&args.request)?;
    if format == Format::Json {
        return printer.print_json(&answer);
    }
    printer.print_text(&format_text(&answer, printer.style()))?;
    for warning in &answer.warnings {
        printer.print_note(warning);
    }
    printer.print_index_info(&answer.index);
    Ok(())
}

fn format_text(answer: &HotspotAnswer, style: Style) -> String {
    let mut out = format!(
        "{} changed in {} of the last {} days\n",
        format_plural(answer.total as u64, "file"),
        format_plural(answer.commits as u64, "commit"),
        answer.days
    );
    for h in &answer.hotspots {
        let _ = writeln!(
            out,
            "{:.3}  {}  {}",
            h.score,
            style.bold(&h.file_path),
            style.dim(&format!(
                "{}{} · complexity {} · {} lines",
                h.role
                    .as_ref()
                    .map_or_else(String::new, |kind| format!("{kind} · ")),
                format_plural(h.commits as u64, "commit"),
                format_count(u64::from(h.complexity)),
                format_count(u64::from(h.lines))
            ))
        );
        if let Some(p) = &h.parts {
            let parts = format!(
                "churn {} · complexity {} · coupling {} · age {} · recency × {}",
                p.churn_norm, p.complexity_norm, p.coupling, p.age, p.recency_factor
            );
            let _ = writeln!(out, "       {}", style.dim(&parts));
        }
        for c in &h.coupled {
            let _ = writeln!(out, "       {:.0}% with {}", c.share * 100.0, c.file_path);
        }
    }
    out
}
