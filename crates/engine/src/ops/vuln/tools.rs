//! The audit tools: which apply, how they are called so that they run nothing of the project's own, what became of them.

use super::gather::Locks;
use super::run_tool::{self, Said};
use crate::Engine;
use analysis::lockfiles::{Ecosystem, Lockfile};
use analysis::vuln::{Advisory, parse_audit};
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Lock files given to one call of a tool, and calls of one tool.
const MOST_FILES: usize = 100;

/// What became of a tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ToolRun {
    /// Its name.
    pub tool: String,
    /// Whether it ran and its report was read, for one lock file at least.
    pub ran: bool,
    /// Reports that were read.
    pub reports: usize,
    /// Why not, or what of it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// The command that installs it, where it is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub install: Option<String>,
}

/// A tool.
struct Tool {
    name: &'static str,
    program: &'static str,
    /// Whose packages it knows; none for all.
    ecosystem: Option<Ecosystem>,
    install: &'static str,
    /// Its calls, each with the folder in which it runs.
    calls: fn(&Calls<'_>) -> Vec<Call>,
}

struct Calls<'a> {
    root: &'a Path,
    files: Vec<&'a Lockfile>,
    /// For files that a tool is given.
    scratch: &'a Path,
}

#[derive(Default)]
struct Call {
    folder: PathBuf,
    arguments: Vec<String>,
    environment: Vec<(&'static str, &'static str)>,
}

const TOOLS: [Tool; 5] = [
    Tool {
        name: "osv-scanner",
        program: "osv-scanner",
        ecosystem: None,
        install: "go install github.com/google/osv-scanner/v2/cmd/osv-scanner@latest",
        calls: osv_scanner,
    },
    Tool {
        name: "npm audit",
        program: "npm",
        ecosystem: Some(Ecosystem::Npm),
        install: "install Node.js from nodejs.org",
        calls: npm,
    },
    Tool {
        name: "cargo audit",
        // Not through cargo, which reads configuration of the project and may fetch toolchains.
        program: "cargo-audit",
        ecosystem: Some(Ecosystem::Cargo),
        install: "cargo install cargo-audit",
        calls: cargo_audit,
    },
    Tool {
        name: "pip-audit",
        program: "pip-audit",
        ecosystem: Some(Ecosystem::PyPi),
        install: "pip install pip-audit",
        calls: pip_audit,
    },
    Tool {
        name: "govulncheck",
        program: "govulncheck",
        ecosystem: Some(Ecosystem::Go),
        install: "go install golang.org/x/vuln/cmd/govulncheck@latest",
        calls: govulncheck,
    },
];

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn folder_of(root: &Path, file: &Lockfile) -> PathBuf {
    let path = root.join(&file.path);
    path.parent().unwrap_or(root).to_path_buf()
}

fn osv_scanner(calls: &Calls<'_>) -> Vec<Call> {
    let files = calls.files.iter().take(MOST_FILES);
    let mut arguments = words(&["--format", "json"]);
    for file in files {
        let path = calls.root.join(&file.path);
        arguments.push("--lockfile".to_owned());
        arguments.push(format!("{}:{}", usual_name(file), path.display()));
    }
    vec![Call {
        folder: calls.root.to_path_buf(),
        arguments,
        ..Call::default()
    }]
}

/// The name by which osv-scanner knows a format, whatever the file is called.
fn usual_name(file: &Lockfile) -> &str {
    match file.format.split(' ').next().unwrap_or_default() {
        "package-lock" => "package-lock.json",
        "pnpm-lock" => "pnpm-lock.yaml",
        "yarn" => "yarn.lock",
        other => other,
    }
}

fn npm(calls: &Calls<'_>) -> Vec<Call> {
    let files = calls.files.iter();
    let own = files.filter(|file| file.format.starts_with("package-lock"));
    let folders: BTreeSet<PathBuf> = own.map(|file| folder_of(calls.root, file)).collect();
    let call = |folder| Call {
        folder,
        arguments: words(&["audit", "--json", "--package-lock-only", "--ignore-scripts"]),
        ..Call::default()
    };
    folders.into_iter().map(call).collect()
}

fn cargo_audit(calls: &Calls<'_>) -> Vec<Call> {
    let files = calls.files.iter();
    let own = files.filter(|file| file.ecosystem == Ecosystem::Cargo);
    own.map(|file| {
        let path = calls.root.join(&file.path);
        let mut arguments = words(&["audit", "--json", "--file"]);
        arguments.push(path.to_string_lossy().into_owned());
        Call {
            // A folder of ours: no configuration of the project is read.
            folder: calls.scratch.to_path_buf(),
            arguments,
            ..Call::default()
        }
    })
    .collect()
}

/// Given the project's files, pip would build its packages. What is pinned is written down anew, and nothing is resolved.
fn pip_audit(calls: &Calls<'_>) -> Vec<Call> {
    let files = calls.files.iter();
    let own = files.filter(|file| file.ecosystem == Ecosystem::PyPi);
    let mut all = Vec::new();
    for (file, number) in own.zip(0..) {
        let mut pins = String::new();
        for package in file.packages.iter().filter(|p| !p.version.is_empty()) {
            let _ = writeln!(pins, "{}=={}", package.name, package.version);
        }
        let path = calls.scratch.join(format!("requirements-{number}.txt"));
        if pins.is_empty() || std::fs::write(&path, pins).is_err() {
            continue;
        }
        let mut arguments = words(&[
            "--format",
            "json",
            "--progress-spinner",
            "off",
            "--no-deps",
            "--disable-pip",
            "--requirement",
        ]);
        arguments.push(path.to_string_lossy().into_owned());
        all.push(Call {
            folder: calls.scratch.to_path_buf(),
            arguments,
            ..Call::default()
        });
    }
    all
}

fn govulncheck(calls: &Calls<'_>) -> Vec<Call> {
    let files = calls.files.iter();
    let own = files.filter(|file| file.ecosystem == Ecosystem::Go);
    let call = |file: &&Lockfile| Call {
        folder: folder_of(calls.root, file),
        arguments: words(&["-json", "./..."]),
        // A module must not choose the toolchain, nor have its C compiled.
        environment: vec![
            ("GOTOOLCHAIN", "local"),
            ("CGO_ENABLED", "0"),
            ("GOFLAGS", "-mod=readonly"),
        ],
    };
    own.map(call).collect()
}

/// Runs the tools that are installed and have something to do.
pub(super) fn run(engine: &Engine, locks: &Locks) -> (Vec<Advisory>, Vec<ToolRun>) {
    let limit = Duration::from_millis(engine.config().integer("vuln.timeout_ms").max(0) as u64);
    let mut found = Vec::new();
    let mut runs = Vec::new();
    let scratch = Scratch::new(&engine.project().cache_dir);
    for tool in &TOOLS {
        let applies = match tool.ecosystem {
            Some(ecosystem) => locks.has(ecosystem),
            None => !locks.files.is_empty(),
        };
        if applies {
            engine.progress().stage(tool.name, 0);
            let (advisories, run) = run_one(engine, tool, locks, &scratch, limit);
            found.extend(advisories);
            runs.extend(run);
        }
    }
    (found, runs)
}

/// None where the tool has nothing to read here.
fn run_one(
    engine: &Engine,
    tool: &Tool,
    locks: &Locks,
    scratch: &Result<Scratch, String>,
    limit: Duration,
) -> (Vec<Advisory>, Option<ToolRun>) {
    let root = &engine.project().root;
    let mut run = ToolRun {
        tool: tool.name.to_owned(),
        ran: false,
        reports: 0,
        problem: None,
        install: None,
    };
    let Some(program) = run_tool::installed(tool.program, root) else {
        run.problem = Some("not installed".to_owned());
        run.install = Some(tool.install.to_owned());
        return (Vec::new(), Some(run));
    };
    let scratch = match scratch {
        Ok(scratch) => scratch.0.as_path(),
        Err(problem) => {
            run.problem = Some(problem.clone());
            return (Vec::new(), Some(run));
        }
    };
    let calls = (tool.calls)(&Calls {
        root,
        files: locks.files.iter().collect(),
        scratch,
    });
    if calls.is_empty() {
        return (Vec::new(), None);
    }
    let mut found = Vec::new();
    for call in calls.into_iter().take(MOST_FILES) {
        let mut command = Command::new(&program);
        command.args(call.arguments).current_dir(&call.folder);
        command.envs(call.environment);
        let said = run_tool::run(&mut command, limit);
        match said.and_then(|said| read(tool, &said)) {
            Ok(advisories) => {
                run.ran = true;
                run.reports += 1;
                found.extend(advisories);
            }
            Err(problem) => {
                let here = call.folder.strip_prefix(root).unwrap_or(Path::new(""));
                let here = here.to_string_lossy();
                run.problem.get_or_insert(match here.is_empty() {
                    true => problem,
                    false => format!("in {here}: {problem}"),
                });
            }
        }
    }
    (found, Some(run))
}

/// The exit code of osv-scanner where lock files name no package.
const NO_PACKAGES: i32 = 128;

fn read(tool: &Tool, said: &Said) -> Result<Vec<Advisory>, String> {
    // osv-scanner prints nothing where it finds no package.
    let nothing = said.out.trim().is_empty();
    if nothing && tool.ecosystem.is_none() && matches!(said.code, Some(0 | NO_PACKAGES)) {
        return Ok(Vec::new());
    }
    if nothing && let Some(code) = said.code {
        let complaint = &said.complaint;
        return Err(format!(
            "it printed no report (exit code {code}): {complaint}"
        ));
    }
    let parsed = parse_audit(&said.out).map(|(_, found)| found);
    parsed.map_err(|error| match said.complaint.is_empty() {
        true => error.to_string(),
        false => format!("{error}: {}", said.complaint),
    })
}

/// A folder that is gone when this is dropped.
struct Scratch(PathBuf);

impl Scratch {
    fn new(cache: &Path) -> Result<Scratch, String> {
        let folder = cache.join(format!("vuln-{}", std::process::id()));
        std::fs::create_dir_all(&folder)
            .map_err(|e| format!("cannot write {}: {e}", folder.display()))?;
        Ok(Scratch(folder))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What is left behind is in a cache.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What a scan cannot know, and why.
pub(super) fn why_incomplete(runs: &[ToolRun], locks: &Locks) -> Vec<String> {
    if locks.files.is_empty() && locks.problems.is_empty() {
        return vec!["no lock file in the project: there is nothing to check".to_owned()];
    }
    let mut warnings = Vec::new();
    if locks.files.is_empty() {
        warnings.push("no lock file could be read: nothing was checked".to_owned());
    } else if !runs.iter().any(|run| run.ran) {
        let names: Vec<&str> = runs.iter().map(|run| run.tool.as_str()).collect();
        warnings.push(match names.is_empty() {
            true => "no audit tool for these lock files is known: nothing was checked".to_owned(),
            false => format!(
                "no audit tool could be asked ({}): nothing was checked",
                names.join(", ")
            ),
        });
    }
    for run in runs {
        if let Some(problem) = &run.problem {
            let install = run.install.as_ref();
            let install = install.map_or(String::new(), |i| format!(" (install: {i})"));
            warnings.push(format!("{}: {problem}{install}", run.tool));
        }
    }
    warnings
}
