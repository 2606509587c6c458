//! Reports as Markdown.

use super::{FileUse, FunctionUse, Severity, Trace, VulnReport, Vulnerability};
use std::fmt::Write;

/// A report as a table, and the places behind it. `all_read` is whether all lock files were read.
pub fn report_to_markdown(report: &VulnReport, all_read: bool) -> String {
    let mut out = String::from("# Vulnerabilities\n\n");
    if report.vulnerabilities.is_empty() {
        out.push_str("No vulnerabilities found");
        if !all_read {
            out.push_str(" in the lock files that were read");
        }
        let hidden = [
            (report.below_threshold, "below the threshold"),
            (report.dev_left_out, "in packages for development alone"),
        ];
        let hidden = hidden.iter().filter(|(n, _)| *n > 0);
        let hidden: Vec<String> = hidden.map(|(n, what)| format!("{n} {what}")).collect();
        if !hidden.is_empty() {
            let _ = write!(out, " ({} left out)", hidden.join(", "));
        }
        out.push_str(".\n");
        return out;
    }
    let counts = &report.by_severity;
    let _ = writeln!(
        out,
        "{} in all: {} critical, {} high, {} moderate, {} low.\n",
        report.total, counts.critical, counts.high, counts.moderate, counts.low
    );
    out.push_str("| Severity | Package | Version | Advisory | Title | Fixed in | Path |\n");
    out.push_str("| --- | --- | --- | --- | --- | --- | --- |\n");
    for v in &report.vulnerabilities {
        write_row(&mut out, v);
    }
    for v in &report.vulnerabilities {
        if !v.affected_files.is_empty() {
            let _ = writeln!(
                out,
                "\n## {} {}: used by\n",
                escape_cell(&v.name),
                escape_cell(&v.version)
            );
            write_places(&mut out, &v.affected_files, &v.functions, v.places_left_out);
        }
    }
    out
}

fn write_row(out: &mut String, v: &Vulnerability) {
    let advisory = match (v.id.is_empty(), v.url.is_empty()) {
        (_, true) => escape_cell(&v.id),
        (true, false) => format!("<{}>", v.url),
        (false, false) => format!("[{}]({})", escape_cell(&v.id), v.url),
    };
    let dev = if v.dev { " (development)" } else { "" };
    let assumed = if v.severity_assumed { " (assumed)" } else { "" };
    let _ = writeln!(
        out,
        "| {}{assumed} | {}{dev} | {} | {advisory} | {} | {} | {} |",
        badge(v.severity),
        escape_cell(&v.name),
        escape_cell(&v.version),
        escape_cell(&v.title),
        escape_cell(&v.fixed_in.join(", ")),
        escape_cell(&v.path.join(" → "))
    );
}

fn badge(severity: Severity) -> &'static str {
    match severity {
        Severity::Critical => "🔴 critical",
        Severity::High => "🟠 high",
        Severity::Moderate => "🟡 moderate",
        Severity::Low => "🔵 low",
    }
}

/// Escapes a text for a table.
fn escape_cell(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('|', "\\|");
    let text = text.replace('<', "&lt;").replace(['\n', '\r'], " ");
    text.trim().to_owned()
}

fn write_places(out: &mut String, files: &[FileUse], functions: &[FunctionUse], left: usize) {
    for file in files {
        let _ = writeln!(
            out,
            "- `{}:{}` {}",
            file.file_path,
            file.line,
            escape_cell(&file.symbols.join(", "))
        );
    }
    for function in functions {
        let mark = if function.at_fault {
            " **at fault**"
        } else {
            ""
        };
        let _ = writeln!(
            out,
            "  - `{}` at `{}:{}`{mark}",
            function.symbol, function.file_path, function.line
        );
    }
    if left > 0 {
        let _ = writeln!(out, "- {left} more");
    }
}

/// Renders the origin of a package and its users.
pub fn trace_to_markdown(trace: &Trace) -> String {
    let mut out = format!("# {}\n", escape_cell(&trace.package));
    for found in &trace.found {
        let dev = if found.dev {
            ", for development alone"
        } else {
            ""
        };
        let _ = writeln!(
            out,
            "\n## {} {} in `{}` ({}{dev})\n",
            escape_cell(&found.name),
            escape_cell(&found.version),
            found.lock_file,
            found.ecosystem.as_str()
        );
        for way in &found.paths {
            let mark = match (way.indirect, way.dev) {
                (true, _) => " (the lock file does not say which package needs it)",
                (false, true) => " (development)",
                _ => "",
            };
            let _ = writeln!(out, "- {}{mark}", escape_cell(&way.path.join(" → ")));
        }
        if found.total_paths > found.paths.len() {
            let _ = writeln!(out, "- {} more", found.total_paths - found.paths.len());
        }
    }
    if trace.affected_files.is_empty() {
        out.push_str("\nNo file of the project is known to use it.\n");
    } else {
        out.push_str("\n## Used by\n\n");
        let left = trace.places_left_out;
        write_places(&mut out, &trace.affected_files, &trace.functions, left);
    }
    out
}
