//! `knotwork vuln`.

use crate::environment::GlobalArgs;
use crate::format::Format;
use crate::printer::{CommandResult, Printer};
use crate::text::{Style, plural};
use clap::{Args, Subcommand};
use engine::{
    Engine, EngineError, SeverityArg, Trace, VulnAction, VulnAnswer, VulnFormat, VulnFound,
    VulnReport, VulnRequest,
};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Known vulnerabilities of the packages in use, the ways to them, and the code that uses them.
#[derive(Debug, Args)]
pub(crate) struct VulnArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
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
    /// Read a report of npm audit, osv-scanner, cargo audit, pip-audit or govulncheck
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

/// The longest report that is read.
const MOST_INPUT: u64 = 64 << 20;

impl VulnArgs {
    /// Whether it asks about the code alone: tools and reports belong to where the caller stands.
    pub(crate) fn is_question(&self) -> bool {
        matches!(&self.what, What::Trace { place, .. } if place.dir.is_none())
    }

    /// With a folder given, the project is the one around it.
    pub(crate) fn choose_project(&self, given: &mut GlobalArgs) {
        if let Some(dir) = &self.place().dir {
            given.project = Some(match &given.project {
                Some(project) => project.join(dir),
                None => dir.clone(),
            });
        }
    }

    fn place(&self) -> &LockFileArgs {
        match &self.what {
            What::Scan { place, .. } | What::Parse { place, .. } | What::Trace { place, .. } => {
                place
            }
        }
    }

    fn request(self) -> Result<VulnRequest, EngineError> {
        let dir = self.place().dir.as_ref().map(|_| ".".to_owned());
        let places = self.place().places;
        let request = match self.what {
            What::Scan { online, filter, .. } => VulnRequest {
                online,
                ..filtered(VulnAction::Scan, filter)
            },
            What::Parse { input, filter, .. } => VulnRequest {
                report: Some(read(&input)?),
                ..filtered(VulnAction::Parse, filter)
            },
            What::Trace { package, .. } => VulnRequest {
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

fn filtered(action: VulnAction, filter: Filter) -> VulnRequest {
    VulnRequest {
        action,
        severity: filter.severity,
        include_dev: filter.include_dev,
        ..VulnRequest::default()
    }
}

fn read(input: &Path) -> Result<String, EngineError> {
    crate::input::read(input, MOST_INPUT)
}

pub(crate) fn run(engine: &Engine, args: VulnArgs, printer: &Printer) -> CommandResult {
    let formats = [Format::Text, Format::Json, Format::Md];
    let format = printer.format(Format::Text, &formats)?;
    let mut request = args.request()?;
    if format == Format::Md {
        request.format = VulnFormat::Md;
    }
    request.online |= engine.config().flag("vuln.online");
    let answer = engine.vuln(&request)?;
    match format {
        Format::Json => return printer.json(&answer),
        Format::Md => return printer.text(&answer.to_markdown()),
        _ => printer.text(&text(&answer, printer.style()))?,
    }
    for warning in &answer.warnings {
        printer.say(&format!("warning: {warning}"));
    }
    for problem in &answer.problems {
        printer.say(&format!("warning: lock file not read: {problem}"));
    }
    printer.index(&answer.index);
    Ok(())
}

fn text(answer: &VulnAnswer, style: Style) -> String {
    match &answer.found {
        VulnFound::Report { report, .. } => {
            // The warnings say why.
            let told = |w: &String| w.ends_with("nothing was checked");
            let asked = !answer.warnings.iter().any(told);
            report_text(report, asked, style)
        }
        VulnFound::Trace(trace) => trace_text(trace, style),
    }
}

fn report_text(report: &VulnReport, asked: bool, style: Style) -> String {
    let hidden = report.below_threshold + report.dev_left_out;
    let counts = &report.by_severity;
    let many = match report.total {
        1 => "1 vulnerability".to_owned(),
        n => format!("{n} vulnerabilities"),
    };
    let mut out = match report.total {
        0 if !asked => "Nothing was checked\n".to_owned(),
        0 => format!("No vulnerabilities found ({hidden} left out)\n"),
        _ => format!(
            "{many}: {} critical, {} high, {} moderate, {} low ({hidden} left out)\n",
            counts.critical, counts.high, counts.moderate, counts.low
        ),
    };
    for v in &report.vulnerabilities {
        let _ = writeln!(
            out,
            "{}  {} {}  {}  {}",
            v.severity.as_str(),
            style.bold(&v.name),
            v.version,
            v.title,
            style.dim(&v.id)
        );
        if !v.path.is_empty() {
            let _ = writeln!(out, "  {}", v.path.join(" → "));
        }
        if !v.fixed_in.is_empty() {
            let _ = writeln!(out, "  fixed in {}", v.fixed_in.join(", "));
        }
        places(&mut out, &v.affected_files, &v.functions, style);
    }
    out
}

fn trace_text(trace: &Trace, style: Style) -> String {
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
            let _ = writeln!(out, "  {}", plural(more as u64, "more way"));
        }
    }
    if trace.affected_files.is_empty() {
        out.push_str("no file of the project uses it\n");
    }
    places(&mut out, &trace.affected_files, &trace.functions, style);
    if trace.places_left_out > 0 {
        let _ = writeln!(out, "{} more (--places)", trace.places_left_out);
    }
    out
}

fn places(
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
            style.dim(&few(&file.symbols))
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

/// The first of many names.
fn few(names: &[String]) -> String {
    let more = names.len().saturating_sub(FEW);
    let shown = names[..names.len() - more].join(", ");
    match more {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// Names of symbols shown of a file.
const FEW: usize = 6;
