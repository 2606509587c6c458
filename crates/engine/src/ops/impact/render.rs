//! An impact with its consequences, as Markdown and Mermaid.

use super::ImpactAnswer;
use crate::unresolved_calls::UnresolvedCalls;
use std::fmt::Write;

impl ImpactAnswer {
    /// The answer as Markdown.
    pub fn to_markdown(&self) -> String {
        let mut out = analysis::to_markdown(&self.impact);
        if let Some(line) = self.unknown_line() {
            let _ = writeln!(out, "\n{line}");
        }
        for note in self.notes() {
            let _ = writeln!(out, "\n{note}");
        }
        out
    }

    /// The answer as a Mermaid flowchart.
    pub fn to_mermaid(&self) -> String {
        analysis::to_mermaid(&self.impact)
    }

    /// A line on the parts of a diff that the answer does not know; none where it knows all.
    pub fn unknown_line(&self) -> Option<String> {
        let unread = &self.diff.as_ref()?.not_in_graph;
        let named = unread.iter().take(NAMED);
        let named: Vec<String> = named
            .map(|(path, reason)| format!("{path} ({reason})"))
            .collect();
        let more = match unread.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        (!unread.is_empty()).then(|| {
            let named = named.join(", ");
            format!("Not known is what these affect: {named}{more}")
        })
    }

    /// Notes, one line each: changes, tests to run, owners, public API, and what is not counted.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if let Some(definitions) = &self.definitions {
            notes.push(definitions.to_line(&self.impact.root));
        }
        if let Some(diff) = &self.diff {
            let files = diff.changed_files.iter();
            let files = files.map(|f| {
                format!(
                    "{} ({}, +{} -{})",
                    f.file_path, f.change, f.lines_added, f.lines_removed
                )
            });
            push_note(
                &mut notes,
                "Files that differ",
                (files.collect(), diff.total_files),
            );
            let changed = diff.changed.iter();
            let changed =
                changed.map(|c| format!("{} ({}, {}:{})", c.symbol, c.change, c.file_path, c.line));
            push_note(
                &mut notes,
                "Definitions that differ",
                (changed.collect(), diff.total_changed),
            );
            if diff.passed_over > 0 {
                notes.push(format!(
                    "Changed files that were not compared (too large, not text, or too many): {}",
                    diff.passed_over
                ));
            }
            notes.extend(
                diff.still_called.iter().map(|calls| {
                    format!("Removed and still called: {}", describe_unresolved(calls))
                }),
            );
            if diff.removed_unsearched > 0 {
                notes.push(format!(
                    "Removed names whose calls were not looked for: {}",
                    diff.removed_unsearched
                ));
            }
        }
        let tests = self.reach.tests_to_run.iter();
        let tests = tests.map(|t| {
            if t.tests.is_empty() {
                t.file_path.clone()
            } else {
                format!("{} ({})", t.file_path, t.tests.join(", "))
            }
        });
        let total = self.reach.test_files;
        push_note(&mut notes, "Tests to run", (tests.collect(), total));
        let public = self.reach.public_api.clone();
        let total = public.len();
        push_note(&mut notes, "Public API touched", (public, total));
        let owners = self.reach.owners.iter();
        let owners = owners.map(|o| {
            format!(
                "{} ({} changed, {} affected)",
                o.owner, o.changed, o.affected
            )
        });
        let total = owners.len();
        push_note(&mut notes, "Owners", (owners.collect(), total));
        notes.extend(self.reach.owners_unread.clone());
        if let Some(calls) = &self.unresolved {
            notes.push(calls.to_line());
        }
        notes
    }
}

/// The most files that are named as not in the graph.
const NAMED: usize = 3;

/// The most items of a line: a person reads no more, and JSON has all.
const SHOWN: usize = 24;

/// Adds a line with the first items, and their total number.
fn push_note(notes: &mut Vec<String>, head: &str, (items, total): (Vec<String>, usize)) {
    if items.is_empty() {
        return;
    }
    let shown = items[..items.len().min(SHOWN)].join(", ");
    let more = match total.saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more (--format json lists all)"),
    };
    notes.push(format!("{head}: {shown}{more}"));
}

fn describe_unresolved(calls: &UnresolvedCalls) -> String {
    format!(
        "{} calls of {} ({} in tests), such as {}",
        calls.calls,
        calls.name,
        calls.in_tests,
        calls.such_as.join(", ")
    )
}
