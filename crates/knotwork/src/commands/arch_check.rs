//! `knotwork arch-check`.

use crate::command::{Command, Row, Run};
use crate::format::{Format, TEXT_OR_JSON};
use crate::printer::{CommandResult, FINDINGS, Failure, Printer};
use crate::text::{Style, format_plural};
use clap::{Args, Subcommand};
use engine::{ArchCheckAnswer, ArchCheckRequest, CycleStep, Engine, EngineError};
use std::fmt::Write;

/// Formats of the answer; the first is the default.
const FORMATS: &[Format] = &[Format::Text, Format::Json, Format::Md, Format::Sarif];

pub(super) const COMMAND: Command = Command {
    name: "arch-check",
    aliases: &[],
    about: "Check for import cycles, broken layer rules and unused symbols",
    examples: &[
        "knotwork arch-check --cycle-check",
        "knotwork arch-check --orphan-check --scope 'src/**'",
        "knotwork arch-check init && knotwork arch-check --rules config/arch-rules.yaml --strict",
    ],
    part_examples: &["knotwork arch-check init --output -"],
    formats: FORMATS,
    part_formats: &[("init", TEXT_OR_JSON)],
    operations: &["arch-check"],
    readme: Row {
        usage: "`arch-check`",
        tool: None,
        answers: "[cycles, broken layer rules, orphans](docs/analyses.md); `--strict` for CI, `--format sarif`",
    },
    readme_chinese: Some(Row {
        usage: "`arch-check`",
        tool: None,
        answers: "循环依赖、违反的分层规则、无人使用的符号",
    }),
    run: &Run::question(ArchCheckArgs::can_run_in_daemon, check_architecture),
};

/// Cycles, layer rules and symbols without a user.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
struct ArchCheckArgs {
    #[command(flatten)]
    request: ArchCheckRequest,
    /// Exit with code 4 if there is a cycle or a broken rule of severity error; with --orphan-check alone, also an orphan
    #[arg(long)]
    strict: bool,
    /// Maximum number of cycles, of broken rules and of orphans to list. 0 lists all; all are counted
    #[arg(long, short = 'n', default_value_t = 0)]
    limit: usize,
    #[command(subcommand)]
    what: Option<Action>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Write layer rules that fit the present graph
    Init {
        /// Output file (- for standard output)
        #[arg(long, short, default_value = "config/arch-rules.yaml")]
        output: String,
        /// Overwrite an existing file
        #[arg(long)]
        force: bool,
    },
}

impl ArchCheckArgs {
    /// Whether the command only reads.
    fn can_run_in_daemon(&self) -> bool {
        self.what.is_none()
    }
}

fn check_architecture(engine: &Engine, args: ArchCheckArgs, printer: &Printer) -> CommandResult {
    if let Some(Action::Init { output, force }) = args.what {
        return write_starter_rules(engine, &output, force, printer);
    }
    let format = printer.choose_format(FORMATS)?;
    let mut answer = engine.arch_check(&args.request)?;
    if args.limit > 0 {
        leave_first(&mut answer, args.limit);
    }
    match format {
        Format::Json => printer.print_json(&answer)?,
        Format::Sarif => printer.print_json(&answer.to_sarif())?,
        Format::Md => printer.print_text(&answer.to_markdown())?,
        _ => printer.print_text(&format_text(&answer, printer.style()))?,
    }
    if format != Format::Json {
        for warning in &answer.warnings {
            printer.print_note(&format!("warning: {warning}"));
        }
        printer.print_index_info(&answer.index);
    }
    if args.strict && answer.summary.blocked {
        Err(Failure::Said(FINDINGS))
    } else {
        Ok(())
    }
}

/// Keeps the first findings of each kind, and notes how many more there are.
fn leave_first(answer: &mut ArchCheckAnswer, limit: usize) {
    let counts = [
        ("cycle", answer.cycles.len()),
        ("violation", answer.violations.len()),
        ("orphan", answer.orphans.len()),
    ];
    answer.cycles.truncate(limit);
    answer.violations.truncate(limit);
    answer.orphans.truncate(limit);
    let more = counts.map(|(what, all)| (what, all.saturating_sub(limit) as u64));
    let more = more.into_iter().filter(|(_, more)| *more > 0);
    let more: Vec<String> = more
        .map(|(what, more)| format_plural(more, &format!("more {what}")))
        .collect();
    if !more.is_empty() {
        let line = format!("{} not listed (--limit)", more.join(", "));
        answer.warnings.push(line);
    }
}

fn write_starter_rules(
    engine: &Engine,
    output: &str,
    force: bool,
    printer: &Printer,
) -> CommandResult {
    let request = ArchCheckRequest {
        starter: true,
        ..ArchCheckRequest::default()
    };
    let answer = engine.arch_check(&request)?;
    let rules = answer.starter.unwrap_or_default();
    if output == "-" {
        return printer.print_text(&rules);
    }
    let file = engine.root().join(output);
    if file.symlink_metadata().is_ok() && !force {
        return Err(
            EngineError::bad_arguments(format!("{output} is there already"))
                .with_hint("--force writes over it, --output names another file")
                .into(),
        );
    }
    let fail = |e: guard::OpenError| {
        EngineError::runtime_failure(format!("cannot write {output}: {}", e.reason()))
    };
    if let Some(folder) = file.parent() {
        guard::output::create_user_folder(folder, engine.root()).map_err(fail)?;
    }
    crate::input::write_text(engine, &file, &rules)?;
    if printer.is_json(TEXT_OR_JSON)? {
        return printer.print_json(&serde_json::json!({"status": "ok", "file": output}));
    }
    printer.print_text(&format!(
        "{output} written; check with `knotwork arch-check --rules {output}`"
    ))
}

/// The most cuts of one cycle that are shown.
const CUTS: usize = 3;

fn format_text(answer: &ArchCheckAnswer, style: Style) -> String {
    let summary = &answer.summary;
    let in_tests = match summary.cycles_in_tests {
        0 => String::new(),
        n => format!(" ({n} among tests)"),
    };
    let cycles = format_plural(summary.total_cycles as u64, "cycle");
    // A check that was not run is not shown as a count of zero.
    let counts = [
        ("cycles", format!("{cycles}{in_tests}")),
        (
            "rules",
            format_plural(summary.total_violations as u64, "violation"),
        ),
        (
            "orphans",
            format_plural(summary.orphan_count as u64, "orphan"),
        ),
    ];
    let counts = counts.iter().filter(|c| summary.checked.contains(&c.0));
    let counts: Vec<&str> = counts.map(|c| c.1.as_str()).collect();
    let mut out = format!(
        "{} checked: {}\n",
        format_plural(answer.files_checked as u64, "file"),
        counts.join(", "),
    );
    for cycle in &answer.cycles {
        let _ = writeln!(out, "cycle  {}", style.bold(&cycle.path.join(" → ")));
        for step in &cycle.steps {
            let _ = writeln!(out, "  {}", style.dim(&format_cycle_step(step)));
        }
        let more = cycle.members.len().saturating_sub(cycle.path.len() - 1);
        if more > 0 {
            let _ = writeln!(
                out,
                "  {} on other ways around",
                format_plural(more as u64, "more member")
            );
        }
        for cut in cycle.cuts.iter().take(CUTS) {
            let _ = writeln!(
                out,
                "  cut {} → {}: {}",
                cut.from,
                cut.to,
                format_plural(u64::from(cut.sites), "use")
            );
        }
        if cycle.cuts.len() > CUTS {
            let _ = writeln!(out, "  and {} more cuts", cycle.cuts.len() - CUTS);
        }
    }
    for v in &answer.violations {
        let _ = writeln!(
            out,
            "{}  {}:{} needs {}  {}",
            v.rule,
            style.bold(&v.file),
            v.line,
            v.target,
            style.dim(&v.reason)
        );
    }
    for orphan in &answer.orphans {
        let _ = writeln!(
            out,
            "orphan  {}:{}  {} {}  {}",
            orphan.file_path,
            orphan.line,
            orphan.kind,
            style.bold(&orphan.symbol),
            style.dim(orphan.doubt.as_ref().unwrap_or(&orphan.suggestion))
        );
    }
    out
}

fn format_cycle_step(step: &CycleStep) -> String {
    format!(
        "{}:{} needs {} ({})",
        step.file_path,
        step.line,
        step.to,
        format_plural(u64::from(step.sites), "use")
    )
}
