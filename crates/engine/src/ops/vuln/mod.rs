//! `vuln`: known vulnerabilities of the packages in use, the dependency paths to them, and the code that uses them.

mod copies;
mod gather;
mod tools;

use super::clock;
use crate::operation::{Access, Tool, operation};
use crate::workspace::Workspace;
use crate::{EngineError, IndexInfo};
use analysis::lockfiles::{LockProblem, Lockfile};
use analysis::vuln::{
    self, Advisory, Audit, ReportOptions, Severity, Trace, VulnReport, merge_advisories,
    parse_audit,
};
use gather::LockfileSet;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::time::SystemTime;
pub use tools::ToolRun;

/// The most dependency paths to a package that are listed.
const ROUTES: usize = 5;

/// The most files and functions of a package that are listed.
const MOST_PLACES: usize = 1_000;

/// What to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline, description = "")]
pub enum VulnAction {
    /// Run the installed audit tools
    #[default]
    Scan,
    /// Show where a package comes from and which code uses it
    Trace,
    /// Read a tool's report instead of running the tools
    #[schemars(skip)]
    Parse,
}

/// Minimum severity to report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
#[schemars(inline, description = "")]
pub enum SeverityArg {
    /// All
    Low,
    /// Moderate (also called medium)
    Moderate,
    /// High
    High,
    /// Critical
    Critical,
}

/// Output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline, description = "")]
pub enum VulnFormat {
    /// JSON
    #[default]
    Json,
    /// Markdown
    Md,
}

/// Known vulnerabilities of the packages in use.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VulnRequest {
    /// The action
    #[schemars(description = "")]
    pub action: VulnAction,
    /// Name of the package (trace)
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub package: Option<String>,
    /// The least that is reported; the configured one where none is given
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(description = "", extend("default" = "moderate"))]
    pub severity: Option<SeverityArg>,
    /// Include packages that only development needs
    #[serde(default)]
    #[schemars(description = "")]
    pub include_dev: bool,
    /// Ask over the network too, where the user allows that
    #[serde(default)]
    #[schemars(description = "")]
    pub online: bool,
    /// Output format
    #[serde(default)]
    #[schemars(description = "")]
    pub format: VulnFormat,
    /// Lock files below this folder of the project alone
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub dir: Option<String>,
    /// For parse: the text of the report
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub report: Option<String>,
    /// Files and functions that are listed of a package
    #[serde(default = "default_places")]
    #[schemars(skip)]
    pub places: usize,
}

fn default_places() -> usize {
    5
}

/// A lock file that was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LockFileInfo {
    /// The path.
    pub file_path: String,
    /// The format.
    pub format: String,
    /// The ecosystem of the packages.
    pub ecosystem: String,
    /// The number of packages.
    pub packages: usize,
}

/// The result.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum VulnFound {
    /// The result of scan and parse.
    Report {
        /// The time, in UTC (ISO 8601).
        scan_time: String,
        /// Minimum severity to report.
        severity_threshold: Severity,
        /// Whether packages for development alone are reported.
        include_dev: bool,
        /// The vulnerabilities.
        #[serde(flatten)]
        report: VulnReport,
        /// The results of running the tools.
        tools: Vec<ToolRun>,
    },
    /// The result of trace.
    Trace(Trace),
}

/// The result, and what it is based on.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VulnAnswer {
    /// The version of this shape.
    pub schema_version: &'static str,
    /// The result.
    #[serde(flatten)]
    pub found: VulnFound,
    /// Lock files that were read.
    pub lock_files: Vec<LockFileInfo>,
    /// Lock files that could not be read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<LockProblem>,
    /// Gaps of the answer, with the reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The state of the index.
    pub index: IndexInfo,
}

impl VulnAnswer {
    /// The answer as Markdown.
    pub fn to_markdown(&self) -> String {
        let mut out = match &self.found {
            VulnFound::Report { report, .. } => {
                vuln::report_to_markdown(report, self.problems.is_empty())
            }
            VulnFound::Trace(trace) => vuln::trace_to_markdown(trace),
        };
        for warning in &self.warnings {
            out.push_str(&format!("\n> {warning}\n"));
        }
        for problem in &self.problems {
            out.push_str(&format!("\n> not read: {problem}\n"));
        }
        out
    }
}

/// Known vulnerabilities for a program that asks in the user's name. Names of packages leave the machine only where the user's
/// own configuration allows it.
pub(crate) fn answer_client(
    workspace: &Workspace,
    request: &VulnRequest,
) -> Result<VulnAnswer, EngineError> {
    let may = workspace.config().flag("vuln.online");
    let request_within = VulnRequest {
        online: request.online && may,
        ..request.clone()
    };
    let mut answer = report_vulnerabilities(workspace, &request_within)?;
    if request.online && !may {
        let message =
            "asked without the network: vuln.online in the user's own configuration allows it";
        answer.warnings.insert(0, message.to_owned());
    }
    Ok(answer)
}

operation! {
    /// Known vulnerabilities.
    VulnOperation {
        name: "vuln",
        request: VulnRequest => VulnAnswer,
        access: |_| Access::Read,
        tool: Some(Tool {
            title: "Vulnerabilities",
            about: "Find known vulnerabilities in dependencies and who uses them",
            pages: true,
            core: false,
            writes: false,
        }),
        answer: answer_client,
    }
}

/// Known vulnerabilities of the packages in use.
pub(crate) fn report_vulnerabilities(
    workspace: &Workspace,
    request: &VulnRequest,
) -> Result<VulnAnswer, EngineError> {
    // Errors in the arguments are reported before anything is read.
    let folder = match &request.dir {
        Some(dir) => {
            let project = workspace.project();
            let folder = project.relative_path(dir)?;
            if !project.root.join(&folder).is_dir() {
                return Err(EngineError::bad_arguments(format!("no such folder: {dir}")));
            }
            folder
        }
        None => String::new(),
    };
    let parsed = match (request.action, &request.report) {
        (VulnAction::Parse, None) => return Err(EngineError::bad_arguments("no report given")),
        (VulnAction::Parse, Some(text)) => Some(parse_report(text)?),
        _ => None,
    };
    let package = match (request.action, request.package.as_deref()) {
        (VulnAction::Trace, None | Some("")) => {
            return Err(EngineError::bad_arguments("no package given")
                .with_hint("trace needs the name of a package, e.g. lodash"));
        }
        (VulnAction::Trace, Some(package)) => Some(package.to_owned()),
        _ => None,
    };
    let locks = LockfileSet::read(workspace, &folder)?;
    if let Some(package) = package {
        return trace_package(workspace, request, &package, locks);
    }
    let left_out = parsed.as_ref().map_or(0, |audit| audit.left_out);
    let notes = parsed
        .as_ref()
        .map_or(Vec::new(), |audit| audit.notes.clone());
    let (advisories, tools) = match parsed {
        Some(audit) => (audit.advisories, Vec::new()),
        None => tools::run_tools(workspace, &locks, request.online),
    };
    workspace.check_cancelled()?;
    let mut answer = answer_with_report(workspace, request, advisories, tools, locks)?;
    answer.warnings.extend(notes);
    if left_out > 0 {
        let message = format!("{left_out} findings are left out: the report has too many");
        answer.warnings.push(message);
    }
    Ok(answer)
}

fn parse_report(text: &str) -> Result<Audit, EngineError> {
    parse_audit(text).map_err(|error| EngineError::bad_arguments(error.to_string()))
}

fn answer_with_report(
    workspace: &Workspace,
    request: &VulnRequest,
    advisories: Vec<Advisory>,
    tools: Vec<ToolRun>,
    locks: LockfileSet,
) -> Result<VulnAnswer, EngineError> {
    let threshold = match request.severity {
        Some(SeverityArg::Low) => Severity::Low,
        Some(SeverityArg::Moderate) => Severity::Moderate,
        Some(SeverityArg::High) => Severity::High,
        Some(SeverityArg::Critical) => Severity::Critical,
        None => {
            let severity = workspace.config().text("vuln.severity").unwrap_or_default();
            Severity::parse(severity).unwrap_or_default()
        }
    };
    let options = ReportOptions {
        threshold,
        include_dev: request.include_dev,
        routes: ROUTES,
        places: request.places.min(MOST_PLACES),
    };
    let advisories = merge_advisories(advisories);
    let (uses, index) =
        workspace.ask(|session| gather::find_package_uses(session, &locks.files, &advisories))?;
    let report = vuln::build_report(&advisories, &locks.files, &uses, &options);
    let mut warnings = Vec::new();
    if request.action == VulnAction::Scan {
        warnings.extend(tools::incompleteness_notes(&tools, &locks));
    }
    warnings.extend(assumed_severity_note(&report));
    warnings.extend(notes_on_unlisted_findings(&report));
    Ok(VulnAnswer {
        schema_version: "1.0",
        found: VulnFound::Report {
            scan_time: clock::format_utc(SystemTime::now()),
            severity_threshold: threshold,
            include_dev: request.include_dev,
            report,
            tools,
        },
        lock_files: locks.to_infos(),
        problems: locks.problems,
        warnings,
        index,
    })
}

/// Notes on findings that the report does not list because there are too many.
fn notes_on_unlisted_findings(report: &VulnReport) -> Vec<String> {
    let counts = [
        (
            report.not_listed,
            "of the mildest vulnerabilities are counted and not listed",
        ),
        (
            report.not_compared,
            "advisories were not compared with the lock files",
        ),
        (
            report.ways_left_out,
            "packages are so deep or so many that the ways to them are not known",
        ),
    ];
    let counts = counts.iter().filter(|(many, _)| *many > 0);
    counts
        .map(|(many, what)| format!("{many} {what}"))
        .collect()
}

/// A note on vulnerabilities whose severity is assumed, because no source gives it.
fn assumed_severity_note(report: &VulnReport) -> Option<String> {
    let all = report.vulnerabilities.iter();
    let assumed = all.filter(|v| v.severity_assumed).count();
    (assumed > 0)
        .then(|| format!("the tool gave no severity for {assumed}; they are counted as moderate"))
}

fn trace_package(
    workspace: &Workspace,
    request: &VulnRequest,
    package: &str,
    locks: LockfileSet,
) -> Result<VulnAnswer, EngineError> {
    // The package by its names in lock files, and by its name in the code.
    let named = vuln::packages_named(&locks.files, package).into_iter();
    let named = named.map(|(ecosystem, name)| (Some(ecosystem), name));
    let wanted: Vec<Advisory> = named
        .chain([(None, package.to_owned())])
        .map(|(ecosystem, package)| Advisory {
            package,
            ecosystem,
            ..Advisory::default()
        })
        .collect();
    let (uses, index) =
        workspace.ask(|session| gather::find_package_uses(session, &locks.files, &wanted))?;
    let trace = vuln::trace_package(
        package,
        &locks.files,
        &uses,
        ROUTES,
        request.places.min(MOST_PLACES),
    );
    if trace.found.is_empty() && trace.affected_files.is_empty() {
        let mut error = EngineError::bad_arguments(format!("package not found: {package}"));
        let near = locks.similar_packages(package);
        let own = |file: &&Lockfile| file.roots.iter().any(|root| root.name == package);
        if let Some(file) = locks.files.iter().find(own) {
            let hint = format!("{package} is a part of the project itself ({})", file.path);
            return Err(error.with_hint(hint));
        }
        error = if near.is_empty() {
            error.with_hint(locks.searched_files_note())
        } else {
            error.with_hint(format!("near it: {}", near.join(", ")))
        };
        return Err(error);
    }
    let mut warnings = Vec::new();
    if trace.found.is_empty() {
        let message =
            format!("{package} is in no lock file, but the code imports it under that name");
        warnings.push(message);
    }
    warnings.extend(gather::missing_imports_note(&trace));
    if trace.ways_left_out > 0 {
        let message = format!(
            "of {} packages the dependency paths are unknown",
            trace.ways_left_out
        );
        warnings.push(message);
    }
    Ok(VulnAnswer {
        schema_version: "1.0",
        found: VulnFound::Trace(trace),
        lock_files: locks.to_infos(),
        problems: locks.problems,
        warnings,
        index,
    })
}
