//! The findings as Markdown, for a person or a review.

use super::ArchCheckAnswer;
use analysis::{Cycle, Severity};
use std::fmt::Write;

/// The most findings of one kind that are written out.
const SHOWN: usize = 100;

/// A whole answer as Markdown.
pub(super) fn markdown(answer: &ArchCheckAnswer) -> String {
    let mut out = String::from("# Architecture\n");
    if !answer.cycles.is_empty() {
        let _ = writeln!(out, "\n## Cycles ({})\n", answer.cycles.len());
        for cycle in answer.cycles.iter().take(SHOWN) {
            write_cycle(&mut out, cycle);
        }
        write_more_count(&mut out, answer.cycles.len());
    }
    if !answer.violations.is_empty() {
        let _ = writeln!(out, "\n## Violations ({})\n", answer.violations.len());
        out.push_str("| where | needs | rule | severity | reason |\n|---|---|---|---|---|\n");
        for v in answer.violations.iter().take(SHOWN) {
            let severity = match v.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Info => "info",
            };
            let _ = writeln!(
                out,
                "| `{}:{}` | `{}` | {} | {severity} | {} |",
                escape_cell(&v.file),
                v.line,
                escape_cell(&v.target),
                escape_cell(&v.rule),
                escape_cell(&v.reason)
            );
        }
        write_more_count(&mut out, answer.violations.len());
    }
    if !answer.orphans.is_empty() {
        let _ = writeln!(out, "\n## Without a user ({})\n", answer.orphans.len());
        out.push_str("| where | what | suggestion |\n|---|---|---|\n");
        for orphan in answer.orphans.iter().take(SHOWN) {
            let suggestion = orphan.doubt.as_ref().unwrap_or(&orphan.suggestion);
            let _ = writeln!(
                out,
                "| `{}:{}` | {} `{}` | {} |",
                escape_cell(&orphan.file_path),
                orphan.line,
                orphan.kind,
                escape_cell(&orphan.symbol),
                escape_cell(suggestion)
            );
        }
        write_more_count(&mut out, answer.orphans.len());
    }
    let found = [
        answer.cycles.len(),
        answer.violations.len(),
        answer.orphans.len(),
    ];
    if found.iter().sum::<usize>() == 0 {
        out.push_str("\nNothing found.\n");
    }
    for warning in &answer.warnings {
        let _ = writeln!(out, "\n> {warning}");
    }
    out
}

fn write_cycle(out: &mut String, cycle: &Cycle) {
    let path: Vec<String> = cycle.path.iter().map(|p| format!("`{p}`")).collect();
    let _ = writeln!(out, "- {}", path.join(" → "));
    for step in &cycle.steps {
        let _ = writeln!(
            out,
            "  - `{}:{}` needs `{}` ({} sites)",
            step.file_path, step.line, step.to, step.sites
        );
    }
    let more = cycle.members.len() + 1 - cycle.path.len().min(cycle.members.len() + 1);
    if more > 0 {
        let _ = writeln!(out, "  - {more} more members");
    }
    let cuts = cycle.cuts.iter().take(5);
    let cuts: Vec<String> = cuts
        .map(|c| format!("`{}` → `{}` ({} sites)", c.from, c.to, c.sites))
        .collect();
    let _ = writeln!(out, "  - cut: {}", cuts.join(", "));
}

fn write_more_count(out: &mut String, total: usize) {
    if total > SHOWN {
        let _ = writeln!(out, "\n{} more", total - SHOWN);
    }
}

/// A text that does not end a table cell.
fn escape_cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}
