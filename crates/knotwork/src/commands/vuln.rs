//! `knotwork vuln`.

use crate::command::{Command, Row, Run};
use crate::environment::GlobalArgs;
use crate::format::Format;
use crate::printer::{CommandResult, FINDINGS, Failure, MISSING_DEPENDENCY, Printer};
use crate::text::{Style, format_plural};
use clap::{Args, Subcommand};
use engine::{
    Engine, EngineError, SeverityArg, Trace, VulnAction, VulnAnswer, VulnFormat, VulnFound,
    VulnReport, VulnRequest,
};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Formats of the answer; the first is the default.
const FORMATS: &[Format] = &[Format::Text, Format::Json, Format::Md];

pub(super) const COMMAND: Command = Command {
    name: "vuln",
    aliases: &[],
    about: "Find known vulnerabilities in dependencies and who uses them",
    examples: &[
        "knotwork vuln scan --online",
        "npm audit --json | knotwork vuln parse --input -",
        "knotwork vuln trace lodash",
    ],
    part_examples: &[
        "knotwork vuln scan --online --strict",
        "npm audit --json | knotwork vuln parse --input -",
        "knotwork vuln trace lodash",
    ],
    formats: FORMATS,
    part_formats: &[],
    operations: &["vuln"],
    readme: Row {
        usage: "`vuln scan`, `vuln parse`, `vuln trace PACKAGE`",
        tool: None,
        answers: "[known vulnerabilities](docs/analyses.md#vulnerabilities-vuln), with the code that uses the package",
    },
    readme_chinese: None,
    run: &Run::question(VulnArgs::can_run_in_daemon, show_vulnerabilities)
        .with_project(VulnArgs::choose_project),
};

/// Known vulnerabilities of the packages in use, the ways to them, and the code that uses them.
#[derive(Debug, Args)]
struct VulnArgs {
    #[command(subcommand)]
    what: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Run the installed audit tools
    ///
    /// The tools get copies of the lock files. They get neither the project's configuration nor your environment
    /// variables. Without --online only databases on this machine are used (osv-scanner, cargo audit). npm audit,
    /// pip-audit and govulncheck have no such database and run only with --online.
    Scan {
        /// Allow the tools to use the network. Names and versions of packages, also of private ones, are sent to the
        /// registries and databases of the tools [default: vuln.online]
        #[arg(long)]
        online: bool,
        #[command(flatten)]
        filter: Filter,
        #[command(flatten)]
        place: LockFileArgs,
    },
    /// Read reports of npm audit, osv-scanner, cargo audit, pip-audit or govulncheck, or CycloneDX
    Parse {
        /// The report as JSON (- for standard input)
        #[arg(long, value_name = "AUDIT.json")]
        input: PathBuf,
        #[command(flatten)]
        filter: Filter,
        #[command(flatten)]
        place: LockFileArgs,
    },
    /// Show where a package comes from and which code uses it
    Trace {
        /// Name of the package, as in the lock file
        package: String,
        #[command(flatten)]
        place: LockFileArgs,
    },
}

#[derive(Debug, Args)]
struct Filter {
    /// Minimum severity to report [default: vuln.severity, which is moderate]
    #[arg(long, value_enum, ignore_case = true)]
    severity: Option<SeverityArg>,
    /// Include packages that only development needs
    #[arg(long)]
    include_dev: bool,
    /// Exit with code 4 if a vulnerability is reported, and with code 2 if nothing could be checked
    #[arg(long)]
    strict: bool,
}

#[derive(Debug, Args)]
struct LockFileArgs {
    /// Only lock files in this folder
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Maximum number of files and functions to list for a package
    #[arg(long, default_value_t = 20)]
    places: usize,
}

/// The most bytes of a report that are read.
const MOST_INPUT: u64 = 64 << 20;

impl VulnArgs {
    /// Whether the command asks about the code alone: tools and reports belong to the caller's environment.
    fn can_run_in_daemon(&self) -> bool {
        matches!(&self.what, Action::Trace { place, .. } if place.dir.is_none())
    }

    /// Where a folder is given, chooses the project around it.
    fn choose_project(&self, given: &mut GlobalArgs) {
        if let Some(dir) = &self.lock_file_args().dir {
            given.project = Some(match &given.project {
                Some(project) => project.join(dir),
                None => dir.clone(),
            });
        }
    }

    fn lock_file_args(&self) -> &LockFileArgs {
        match &self.what {
            Action::Scan { place, .. }
            | Action::Parse { place, .. }
            | Action::Trace { place, .. } => place,
        }
    }

    fn is_strict(&self) -> bool {
        match &self.what {
            Action::Scan { filter, .. } | Action::Parse { filter, .. } => filter.strict,
            Action::Trace { .. } => false,
        }
    }

    fn into_request(self) -> Result<VulnRequest, EngineError> {
        let dir = self.lock_file_args().dir.as_ref().map(|_| ".".to_owned());
        let places = self.lock_file_args().places;
        let request = match self.what {
            Action::Scan { online, filter, .. } => VulnRequest {
                online,
                ..request_with_filter(VulnAction::Scan, filter)
            },
            Action::Parse { input, filter, .. } => VulnRequest {
                report: Some(read_scanner_report(&input)?),
                ..request_with_filter(VulnAction::Parse, filter)
            },
            Action::Trace { package, .. } => VulnRequest {
                action: VulnAction::Trace,
                package: Some(package),
                ..VulnRequest::default()
            },
        };
        Ok(VulnRequest {
            dir,
            places,
            ..request
        })
    }
}

fn request_with_filter(action: VulnAction, filter: Filter) -> VulnRequest {
    VulnRequest {
        action,
        severity: filter.severity,
        include_dev: filter.include_dev,
        ..VulnRequest::default()
    }
}

fn read_scanner_report(input: &Path) -> Result<String, EngineError> {
    crate::input::read_text(input, MOST_INPUT)
}

fn show_vulnerabilities(engine: &Engine, args: VulnArgs, printer: &Printer) -> CommandResult {
    let format = printer.choose_format(FORMATS)?;
    let strict = args.is_strict();
    let mut request = args.into_request()?;
    if format == Format::Md {
        request.format = VulnFormat::Md;
    }
    request.online |= engine.config().flag("vuln.online");
    let answer = engine.vuln(&request)?;
    match format {
        Format::Json => printer.print_json(&answer)?,
        Format::Md => printer.print_text(&answer.to_markdown())?,
        _ => {
            printer.print_text(&format_text(&answer, printer.style()))?;
            for warning in &answer.warnings {
                printer.print_note(&format!("warning: {warning}"));
            }
            for problem in &answer.problems {
                printer.print_note(&format!("warning: lock file not read: {problem}"));
            }
            printer.print_index_info(&answer.index);
        }
    }
    match strict_exit_code(&answer).filter(|_| strict) {
        Some(code) => Err(Failure::Said(code)),
        None => Ok(()),
    }
}

/// The exit code of a strict check; none where nothing is found.
fn strict_exit_code(answer: &VulnAnswer) -> Option<u8> {
    match &answer.found {
        VulnFound::Report { report, .. } if report.total > 0 => Some(FINDINGS),
        VulnFound::Report { .. } if !was_anything_asked(answer) => Some(MISSING_DEPENDENCY),
        _ => None,
    }
}

/// Whether at least one check ran. If not, the warnings say why.
fn was_anything_asked(answer: &VulnAnswer) -> bool {
    let says_nothing_checked = |warning: &String| warning.ends_with("nothing was checked");
    !answer.warnings.iter().any(says_nothing_checked)
}

fn format_text(answer: &VulnAnswer, style: Style) -> String {
    match &answer.found {
        VulnFound::Report { report, .. } => {
            let was_all_read = answer.problems.is_empty();
            format_report(report, was_anything_asked(answer), was_all_read, style)
        }
        VulnFound::Trace(trace) => format_trace(trace, style),
    }
}

fn format_report(report: &VulnReport, asked: bool, all_read: bool, style: Style) -> String {
    let hidden = report.below_threshold + report.dev_left_out;
    let counts = &report.by_severity;
    let many = match report.total {
        1 => "1 vulnerability".to_owned(),
        n => format!("{n} vulnerabilities"),
    };
    let mut out = match report.total {
        0 if !asked => "Nothing was checked\n".to_owned(),
        0 if !all_read => {
            format!(
                "No vulnerabilities found in the lock files that were read ({hidden} left out)\n"
            )
        }
        0 => format!("No vulnerabilities found ({hidden} left out)\n"),
        _ => format!(
            "{many}: {} critical, {} high, {} moderate, {} low ({hidden} left out)\n",
            counts.critical, counts.high, counts.moderate, counts.low
        ),
    };
    for v in &report.vulnerabilities {
        // Titles come from others and must not look like a line of this program.
        let line = |text: &str| guard::text::escape_line(text).into_owned();
        let _ = writeln!(
            out,
            "{}  {} {}  {}  {}",
            v.severity.as_str(),
            style.bold(&line(&v.name)),
            line(&v.version),
            line(&v.title),
            style.dim(&line(&v.id))
        );
        if !v.path.is_empty() {
            let _ = writeln!(out, "  {}", line(&v.path.join(" → ")));
        }
        if !v.fixed_in.is_empty() {
            let _ = writeln!(out, "  fixed in {}", line(&v.fixed_in.join(", ")));
        }
        write_uses(&mut out, &v.affected_files, &v.functions, style);
    }
    out
}

fn format_trace(trace: &Trace, style: Style) -> String {
    let mut out = String::new();
    for found in &trace.found {
        let dev = if found.dev {
            ", for development alone"
        } else {
            ""
        };
        let _ = writeln!(
            out,
            "{} {}  {}",
            style.bold(&found.name),
            found.version,
            style.dim(&format!("{}{dev}", found.lock_file))
        );
        for way in &found.paths {
            let mark = match (way.indirect, way.dev) {
                (true, _) => "  (the lock file does not say which package needs it)",
                (false, true) => "  (development)",
                _ => "",
            };
            let _ = writeln!(out, "  {}{mark}", way.path.join(" → "));
        }
        let more = found.total_paths - found.paths.len();
        if more > 0 {
            let _ = writeln!(out, "  {}", format_plural(more as u64, "more way"));
        }
    }
    if trace.affected_files.is_empty() {
        out.push_str("no file of the project is known to use it\n");
    }
    write_uses(&mut out, &trace.affected_files, &trace.functions, style);
    if trace.places_left_out > 0 {
        let _ = writeln!(out, "{} more (--places)", trace.places_left_out);
    }
    out
}

fn write_uses(
    out: &mut String,
    files: &[engine::FileUse],
    functions: &[engine::FunctionUse],
    style: Style,
) {
    for file in files {
        let _ = writeln!(
            out,
            "  used at {}:{}  {}",
            file.file_path,
            file.line,
            style.dim(&format_first_names(&file.symbols))
        );
    }
    for function in functions {
        let mark = if function.at_fault { "  at fault" } else { "" };
        let _ = writeln!(
            out,
            "  in {}  {}:{}{mark}",
            style.bold(&function.symbol),
            function.file_path,
            function.line
        );
    }
}

/// The first of many names, and the number of further ones.
fn format_first_names(names: &[String]) -> String {
    let more = names.len().saturating_sub(FEW);
    let shown = names[..names.len() - more].join(", ");
    match more {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// The most names of symbols shown for a file.
const FEW: usize = 6;
