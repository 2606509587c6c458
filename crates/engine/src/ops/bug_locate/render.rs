//! The answer as Markdown.

use super::request::BugLocateAnswer;
use std::fmt::Write;

impl BugLocateAnswer {
    /// A table, and a line for each source that was not available.
    pub fn to_markdown(&self) -> String {
        let mut out = String::from("# Where the bug may be\n\n");
        if self.candidates.is_empty() {
            out.push_str("The report names nothing in this repository.\n");
        } else {
            out.push_str("| rank | place | confidence | reason | hotspot | last changed |\n");
            out.push_str("| ---: | --- | ---: | --- | --- | --- |\n");
        }
        for c in &self.candidates {
            let (from, to) = c.line_range;
            let symbol = c
                .symbol
                .as_deref()
                .map_or_else(String::new, |s| format!(" `{s}`"));
            let date = c
                .last_modified
                .as_deref()
                .and_then(|d| d.get(..10))
                .unwrap_or("");
            let _ = writeln!(
                out,
                "| {} | `{}:{from}-{to}`{symbol} | {} | {} | {} | {date} |",
                c.rank,
                c.file_path,
                c.confidence,
                c.reason.replace('|', "\\|"),
                if c.is_hotspot { "yes" } else { "" },
            );
        }
        for c in &self.candidates {
            if let Some(impact) = &c.impact {
                let _ = writeln!(
                    out,
                    "\n{}. A change of `{}` may affect {} symbols ({} in tests): {}.",
                    c.rank,
                    c.symbol.as_deref().unwrap_or(&c.file_path),
                    impact.total_affected,
                    impact.tests,
                    impact.affected_files.join(", ")
                );
            }
        }
        for warning in &self.warnings {
            let _ = writeln!(out, "\n{warning}");
        }
        out
    }
}
