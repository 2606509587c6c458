//! The audit tools: the choice of tools, their isolation, and their results.
//!
//! A tool sees an empty home, a folder of this program with copies of the lock files' content, and none of the project's
//! configuration. Without the user's consent it sends no requests over the network.

use super::copies::{self, SanitizedLockfile};
use super::gather::LockfileSet;
use crate::project::Project;
use crate::workspace::Workspace;
use analysis::lockfiles::{Ecosystem, Lockfile};
use analysis::vuln::{Advisory, Audit, AuditError, AuditSource, parse_audit};
use guard::program::{self, Environment, Limits, Program, ProgramOutput, RunError};
use platform::RealPath;
use serde::Serialize;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The most calls of one tool.
const MOST_CALLS: usize = 100;

/// The most bytes of a report; a longer text is no report.
const MOST_OUTPUT: u64 = 64 << 20;

/// An address without a server: a tool that would send requests in spite of its settings reaches nothing.
const NOWHERE: &str = "http://127.0.0.1:9";

/// The result of a tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ToolRun {
    /// The tool's name.
    pub tool: String,
    /// Whether the tool ran and its report was read, for at least one lock file.
    pub ran: bool,
    /// The number of reports that were read.
    pub reports: usize,
    /// Whether the tool was not called because it needs the network, which is not allowed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub needs_network: bool,
    /// The reason why it did not run, or the part that failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// What the tool did not check, or says beside vulnerabilities.
    #[serde(skip)]
    notes: Vec<String>,
    /// The command that installs it, where it is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub install: Option<String>,
}

/// A tool.
struct Tool {
    name: &'static str,
    program: &'static str,
    /// The ecosystem whose packages it knows; none for all.
    ecosystem: Option<Ecosystem>,
    install: &'static str,
    calls: fn(&ToolContext<'_>) -> Result<Vec<ToolCall>, Refused>,
}

/// The context from which calls are made.
struct ToolContext<'a> {
    project: &'a Project,
    files: Vec<&'a Lockfile>,
    /// The folder for input files of a tool.
    scratch: &'a Path,
    environment: &'a Environment,
    /// Whether requests over the network are allowed.
    online: bool,
}

/// The reason why a tool is not called.
enum Refused {
    /// The tool only works over the network.
    NeedsNetwork,
    Problem(String),
}

impl From<std::io::Error> for Refused {
    fn from(error: std::io::Error) -> Refused {
        Refused::Problem(format!("cannot write its input: {error}"))
    }
}

#[derive(Default)]
struct ToolCall {
    folder: PathBuf,
    /// The lock file that the call is about, if it is about a single one.
    about: String,
    arguments: Vec<OsString>,
    environment: Vec<(&'static str, OsString)>,
    /// The number of packages that are left out.
    left_out: usize,
}

const TOOLS: [Tool; 5] = [
    Tool {
        name: "osv-scanner",
        program: "osv-scanner",
        ecosystem: None,
        install: "go install github.com/google/osv-scanner/v2/cmd/osv-scanner@latest",
        calls: osv_scanner_calls,
    },
    Tool {
        name: "npm audit",
        program: "npm",
        ecosystem: Some(Ecosystem::Npm),
        install: "install Node.js from nodejs.org",
        calls: npm_calls,
    },
    Tool {
        name: "cargo audit",
        // Not through cargo, which would read the project's configuration and may fetch toolchains.
        program: "cargo-audit",
        ecosystem: Some(Ecosystem::Cargo),
        install: "cargo install cargo-audit",
        calls: cargo_audit_calls,
    },
    Tool {
        name: "pip-audit",
        program: "pip-audit",
        ecosystem: Some(Ecosystem::PyPi),
        install: "pip install pip-audit",
        calls: pip_audit_calls,
    },
    Tool {
        name: "govulncheck",
        program: "govulncheck",
        ecosystem: Some(Ecosystem::Go),
        install: "go install golang.org/x/vuln/cmd/govulncheck@latest",
        calls: govulncheck_calls,
    },
];

fn os_strings(words: &[&str]) -> Vec<OsString> {
    words.iter().map(OsString::from).collect()
}

impl ToolContext<'_> {
    /// The lock files of an ecosystem.
    fn lockfiles_of(&self, ecosystem: Ecosystem) -> impl Iterator<Item = &Lockfile> {
        let files = self.files.iter().copied();
        files.filter(move |file| file.ecosystem == ecosystem)
    }

    /// A folder of the user's home, by a variable or by its usual name.
    fn home_folder(&self, variable: &str, usual: &str) -> Option<PathBuf> {
        let named = self.environment.get(variable).map(PathBuf::from);
        let home = || Some(PathBuf::from(self.environment.get("HOME")?).join(usual));
        named
            .filter(|path| path.is_absolute())
            .or_else(home)
            .filter(|path| !path.starts_with(&self.project.root))
    }
}

/// A call of osv-scanner with one list of everything, in a format that it does not resolve further: in lock files it would look
/// up missing versions.
fn osv_scanner_calls(desk: &ToolContext<'_>) -> Result<Vec<ToolCall>, Refused> {
    let copy = copies::write_osv_list(&desk.files);
    if copy.packages == 0 {
        return Ok(Vec::new());
    }
    let path = desk.scratch.join("osv-scanner.json");
    std::fs::write(&path, copy.text)?;
    let mut arguments = os_strings(&["--format", "json"]);
    if !desk.online {
        arguments.push("--offline".into());
    }
    let mut list = OsString::from("osv-scanner:");
    list.push(path);
    arguments.extend(["--lockfile".into(), list]);
    let databases = desk.home_folder("OSV_SCANNER_LOCAL_DB_CACHE_DIRECTORY", ".cache");
    Ok(vec![ToolCall {
        folder: desk.scratch.to_path_buf(),
        arguments,
        environment: databases
            .map(|folder| ("OSV_SCANNER_LOCAL_DB_CACHE_DIRECTORY", folder.into()))
            .into_iter()
            .collect(),
        ..ToolCall::default()
    }])
}

fn npm_calls(desk: &ToolContext<'_>) -> Result<Vec<ToolCall>, Refused> {
    if !desk.online {
        return Err(Refused::NeedsNetwork);
    }
    let (manifest, copy) = copies::write_npm_lock(&desk.files);
    let folder = desk.scratch.join("npm");
    std::fs::create_dir(&folder)?;
    std::fs::write(folder.join("package.json"), manifest)?;
    std::fs::write(folder.join("package-lock.json"), &copy.text)?;
    let mut arguments = os_strings(&["audit", "--json", "--package-lock-only", "--ignore-scripts"]);
    // With an explicit folder it does not search the folders above for one with settings.
    let mut prefix = OsString::from("--prefix=");
    prefix.push(&folder);
    arguments.push(prefix);
    let file = |name: &str| desk.scratch.join(name).into_os_string();
    let call = ToolCall {
        arguments,
        environment: vec![
            ("npm_config_userconfig", file("no-user-npmrc")),
            ("npm_config_globalconfig", file("no-global-npmrc")),
            ("npm_config_cache", file("npm-cache")),
            ("npm_config_update_notifier", "false".into()),
            ("npm_config_fetch_retries", "1".into()),
            ("npm_config_fetch_retry_mintimeout", "500".into()),
        ],
        folder,
        left_out: copy.left_out,
        ..ToolCall::default()
    };
    Ok(call_if_not_empty(copy, call).into_iter().collect())
}

/// The call, if its input has packages or left some out.
fn call_if_not_empty(copy: SanitizedLockfile, call: ToolCall) -> Option<ToolCall> {
    (copy.packages + copy.left_out > 0).then_some(call)
}

/// Calls of cargo-audit. Its database is in the user's home. Without the network it is neither fetched nor updated.
fn cargo_audit_calls(desk: &ToolContext<'_>) -> Result<Vec<ToolCall>, Refused> {
    let database = desk.home_folder("CARGO_HOME", ".cargo");
    let database = database.map(|home| home.join("advisory-db"));
    let known = database.as_ref().is_some_and(|folder| folder.is_dir());
    if !desk.online && !known {
        return Err(Refused::NeedsNetwork);
    }
    let mut calls = Vec::new();
    for (file, number) in desk.lockfiles_of(Ecosystem::Cargo).zip(0..MOST_CALLS) {
        let text = super::gather::read_lock_text(desk.project, &file.path);
        let text = text.map_err(|error| Refused::Problem(error.to_string()))?;
        let copy = copies::write_cargo_lock(&text);
        let path = desk.scratch.join(format!("Cargo-{number}.lock"));
        std::fs::write(&path, &copy.text)?;
        let mut arguments = os_strings(&["audit", "--json", "--file"]);
        arguments.push(path.into());
        if let Some(database) = &database {
            arguments.extend(["--db".into(), database.into()]);
        }
        if !desk.online {
            arguments.extend(os_strings(&["--no-fetch", "--stale"]));
        }
        let call = ToolCall {
            folder: desk.scratch.to_path_buf(),
            about: file.path.clone(),
            arguments,
            environment: vec![
                ("CARGO_HOME", desk.scratch.join("cargo").into()),
                ("CARGO_NET_OFFLINE", (!desk.online).to_string().into()),
            ],
            left_out: copy.left_out,
        };
        calls.extend(call_if_not_empty(copy, call));
    }
    Ok(calls)
}

/// Calls of pip-audit. With the project's files pip would build its packages. So pinned versions are written anew, and nothing is
/// resolved.
fn pip_audit_calls(desk: &ToolContext<'_>) -> Result<Vec<ToolCall>, Refused> {
    if !desk.online {
        return Err(Refused::NeedsNetwork);
    }
    let mut calls = Vec::new();
    for (file, number) in desk.lockfiles_of(Ecosystem::PyPi).zip(0..MOST_CALLS) {
        let copy = copies::write_requirements(file);
        let path = desk.scratch.join(format!("requirements-{number}.txt"));
        std::fs::write(&path, &copy.text)?;
        let mut arguments = os_strings(&[
            "--format",
            "json",
            "--progress-spinner",
            "off",
            "--no-deps",
            "--disable-pip",
            "--requirement",
        ]);
        arguments.push(path.into());
        let call = ToolCall {
            folder: desk.scratch.to_path_buf(),
            about: file.path.clone(),
            arguments,
            left_out: copy.left_out,
            ..ToolCall::default()
        };
        calls.extend(call_if_not_empty(copy, call));
    }
    Ok(calls)
}

/// Calls of govulncheck. It reads the sources themselves through `go list`, which loads and type-checks them. With these settings
/// that starts no compiler, generator, other toolchain or version control, and fetches no module.
fn govulncheck_calls(desk: &ToolContext<'_>) -> Result<Vec<ToolCall>, Refused> {
    if !desk.online {
        return Err(Refused::NeedsNetwork);
    }
    let own = |name: &str| desk.scratch.join(name).into_os_string();
    let modules = match desk.environment.get("GOMODCACHE") {
        Some(folder) => Some(PathBuf::from(folder)),
        None => desk
            .home_folder("GOPATH", "go")
            .map(|path| path.join("pkg/mod")),
    };
    let call = |file: &Lockfile| {
        let path = desk.project.root.join(&file.path);
        let mut environment: Vec<(&str, OsString)> = vec![
            ("GOENV", "off".into()),
            ("GOTOOLCHAIN", "local".into()),
            ("GOFLAGS", "-mod=readonly -buildvcs=false".into()),
            ("GOPROXY", "off".into()),
            ("GOVCS", "*:off".into()),
            ("GOTELEMETRY", "off".into()),
            ("CGO_ENABLED", "0".into()),
            ("GOPATH", own("go")),
            ("GOCACHE", own("go-cache")),
        ];
        environment.extend(modules.clone().map(|folder| ("GOMODCACHE", folder.into())));
        ToolCall {
            folder: path.parent().unwrap_or(&desk.project.root).to_path_buf(),
            about: file.path.clone(),
            arguments: os_strings(&["-json", "./..."]),
            environment,
            left_out: 0,
        }
    };
    Ok(desk.lockfiles_of(Ecosystem::Go).map(call).collect())
}

/// Runs the tools that are installed and apply here.
pub(super) fn run_tools(
    workspace: &Workspace,
    locks: &LockfileSet,
    online: bool,
) -> (Vec<Advisory>, Vec<ToolRun>) {
    let mut found = Vec::new();
    let mut runs = Vec::new();
    let scratch = create_scratch_folder(workspace);
    for tool in &TOOLS {
        let applies = match tool.ecosystem {
            Some(ecosystem) => locks.has_ecosystem(ecosystem),
            None => !locks.files.is_empty(),
        };
        if applies {
            workspace.progress().stage(tool.name, 0);
            let (advisories, run) = run_tool(workspace, tool, locks, &scratch, online);
            found.extend(advisories);
            runs.extend(run);
        }
    }
    (found, runs)
}

/// Runs a tool. The run is none where it has nothing to read here.
fn run_tool(
    workspace: &Workspace,
    tool: &Tool,
    locks: &LockfileSet,
    scratch: &Result<tempfile::TempDir, ScratchError>,
    online: bool,
) -> (Vec<Advisory>, Option<ToolRun>) {
    let mut run = ToolRun {
        tool: tool.name.to_owned(),
        ran: false,
        reports: 0,
        needs_network: false,
        problem: None,
        notes: Vec::new(),
        install: None,
    };
    let environment = &workspace.settings().environment;
    let Some(program) = program::find_program(tool.program, environment, &workspace.project().root)
    else {
        run.problem = Some("not installed".to_owned());
        run.install = Some(tool.install.to_owned());
        return (Vec::new(), Some(run));
    };
    let scratch = match scratch {
        Ok(scratch) => scratch.path(),
        Err(problem) => {
            run.problem = Some(problem.to_string());
            return (Vec::new(), Some(run));
        }
    };
    let desk = ToolContext {
        project: workspace.project(),
        files: locks.files.iter().collect(),
        scratch,
        environment,
        online,
    };
    let calls = match (tool.calls)(&desk) {
        Ok(calls) if calls.is_empty() => return (Vec::new(), None),
        Ok(calls) => calls,
        Err(Refused::NeedsNetwork) => {
            run.needs_network = true;
            return (Vec::new(), Some(run));
        }
        Err(Refused::Problem(problem)) => {
            run.problem = Some(problem);
            return (Vec::new(), Some(run));
        }
    };
    let found = run_calls(workspace, tool, &program, &desk, calls, &mut run);
    (found, Some(run))
}

/// Makes the calls, and records their results.
fn run_calls(
    workspace: &Workspace,
    tool: &Tool,
    program: &Program,
    desk: &ToolContext<'_>,
    calls: Vec<ToolCall>,
    run: &mut ToolRun,
) -> Vec<Advisory> {
    let limits = Limits {
        time: Duration::from_millis(workspace.config().integer("vuln.timeout_ms").max(0) as u64),
        output: MOST_OUTPUT,
    };
    let mut found = Vec::new();
    let all = calls.len();
    let left_out: usize = calls.iter().map(|call| call.left_out).sum();
    for call in calls.into_iter().take(MOST_CALLS) {
        let mut command = program.isolated_command(&call.folder);
        command
            .envs(isolated_environment(desk))
            .args(call.arguments);
        command.envs(call.environment);
        let output = program::run_program(&mut command, &limits).map_err(ReportError::from);
        match output.and_then(|output| parse_output(tool, &output)) {
            Ok(audit) => {
                run.ran = true;
                run.reports += 1;
                let left = audit.left_out;
                if left > 0 {
                    let message = format!("{left} findings are left out: the report has too many");
                    run.problem.get_or_insert(message);
                }
                run.notes.extend(audit.notes);
                found.extend(audit.advisories);
            }
            Err(problem) => {
                run.problem.get_or_insert(match call.about.as_str() {
                    "" => problem.to_string(),
                    about => format!("of {about}: {problem}"),
                });
            }
        }
    }
    if all > MOST_CALLS {
        let message = format!(
            "{} more lock files than the limit were left out",
            all - MOST_CALLS
        );
        run.problem.get_or_insert(message);
    }
    if left_out > 0 {
        let message =
            format!("{left_out} packages have names or versions that no registry accepts");
        run.problem.get_or_insert(message);
    }
    found
}

/// An empty home, and either the network or an address without a server.
fn isolated_environment(desk: &ToolContext<'_>) -> Vec<(&'static str, OsString)> {
    let home = |name: &str| desk.scratch.join("home").join(name).into_os_string();
    let mut all = vec![
        ("HOME", home("")),
        ("USERPROFILE", home("")),
        ("XDG_CONFIG_HOME", home("config")),
        ("XDG_CACHE_HOME", home("cache")),
        ("XDG_DATA_HOME", home("data")),
        ("XDG_STATE_HOME", home("state")),
        ("TMPDIR", desk.scratch.join("home").into()),
        ("TEMP", desk.scratch.join("home").into()),
        ("TMP", desk.scratch.join("home").into()),
    ];
    if desk.online {
        all.extend(
            desk.environment
                .network_variables()
                .map(|(name, value)| (name, value.to_owned())),
        )
    } else {
        all.extend(
            ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"]
                .into_iter()
                .chain(["http_proxy", "https_proxy", "all_proxy"])
                .map(|name| (name, NOWHERE.into())),
        )
    }
    all
}

/// The exit code of osv-scanner where lock files name no package.
const NO_PACKAGES: i32 = 128;

/// The reason why a tool gave no report that can be read.
#[derive(Debug, thiserror::Error)]
enum ReportError {
    #[error(transparent)]
    Run(#[from] RunError),
    #[error("it printed no report (exit code {code}): {complaint}")]
    NoReport { code: i32, complaint: String },
    #[error(transparent)]
    Unreadable(#[from] AuditError),
    #[error("{error}: {complaint}")]
    UnreadableWithComplaint {
        error: AuditError,
        complaint: String,
    },
}

fn parse_output(tool: &Tool, output: &ProgramOutput) -> Result<Audit, ReportError> {
    // osv-scanner prints nothing where it finds no package.
    let nothing = output.out.trim().is_empty();
    if nothing && tool.ecosystem.is_none() && matches!(output.code, Some(0 | NO_PACKAGES)) {
        return Ok(Audit {
            source: AuditSource::Osv,
            advisories: Vec::new(),
            left_out: 0,
            notes: Vec::new(),
        });
    }
    if nothing && let Some(code) = output.code {
        return Err(ReportError::NoReport {
            code,
            complaint: output.complaint.clone(),
        });
    }
    parse_audit(&output.out).map_err(|error| {
        if output.complaint.is_empty() {
            ReportError::Unreadable(error)
        } else {
            ReportError::UnreadableWithComplaint {
                error,
                complaint: output.complaint.clone(),
            }
        }
    })
}

/// There is no temporary folder for the input of tools.
#[derive(Debug, thiserror::Error)]
#[error("cannot create a folder for its input: {0}")]
struct ScratchError(#[from] std::io::Error);

/// A temporary folder with an empty home in it. It is in the user's own cache: tools search the folders above for settings, and
/// those must be neither the project's nor another user's.
fn create_scratch_folder(workspace: &Workspace) -> Result<tempfile::TempDir, ScratchError> {
    let root = &workspace.project().root;
    let own = workspace.settings().shared_dir.as_ref();
    let own = own.filter(|folder| !folder.starts_with(root));
    let made = own.and_then(|folder| {
        std::fs::create_dir_all(folder).ok()?;
        let folder = folder.real_path().ok()?;
        let outside = !folder.starts_with(root);
        let mut name = tempfile::Builder::new();
        outside.then(|| name.prefix("audit-").tempdir_in(folder).ok())?
    });
    let folder = match made {
        Some(folder) => folder,
        None => tempfile::Builder::new().prefix("audit-").tempdir()?,
    };
    std::fs::create_dir(folder.path().join("home"))?;
    Ok(folder)
}

/// Notes on what a scan cannot know, with the reason.
pub(super) fn incompleteness_notes(runs: &[ToolRun], locks: &LockfileSet) -> Vec<String> {
    if locks.files.is_empty() && locks.problems.is_empty() {
        return vec!["no lock file in the project: there is nothing to check".to_owned()];
    }
    let mut warnings = Vec::new();
    if locks.files.is_empty() {
        warnings.push("no lock file could be read: nothing was checked".to_owned());
    } else if !runs.iter().any(|run| run.ran) {
        let names: Vec<&str> = runs.iter().map(|run| run.tool.as_str()).collect();
        warnings.push(if names.is_empty() {
            "no audit tool for these lock files is known: nothing was checked".to_owned()
        } else {
            format!(
                "no audit tool could run ({}): nothing was checked",
                names.join(", ")
            )
        });
    }
    let silent = runs.iter().filter(|run| run.needs_network);
    let silent: Vec<&str> = silent.map(|run| run.tool.as_str()).collect();
    if !silent.is_empty() {
        warnings.push(format!(
            "not asked, since they ask over the network: {} (`vuln scan --online` asks them; names and versions of \
             packages leave this machine)",
            silent.join(", ")
        ));
    }
    for run in runs {
        if let Some(problem) = &run.problem {
            let install = run.install.as_ref();
            let install = install.map_or(String::new(), |i| format!(" (install: {i})"));
            warnings.push(format!("{}: {problem}{install}", run.tool));
        }
        warnings.extend(run.notes.iter().cloned());
    }
    warnings
}
