//! `compare`: starts the comparison with other programs that `eval/compare` holds, and passes paths to it.
//!
//! The scripts measure programs that are installed from package registries, so they are no part of a build or a test.

use anyhow::{Context, Result, ensure};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Arguments of `compare`.
#[derive(clap::Args)]
pub struct Args {
    /// A Python of version 3.11 or later with the packages that `eval/compare/README.md` lists.
    #[arg(long, default_value = "python3")]
    python: PathBuf,
    /// Folder of the installed programs, one folder each.
    #[arg(long)]
    tools: PathBuf,
    /// Folder of checkouts, `<owner>+<name>` each.
    #[arg(long)]
    repos: PathBuf,
    /// Folder of truth, `<owner>+<name>.jsonl` each.
    #[arg(long)]
    truth: PathBuf,
    /// Labelled queries, one JSON object a line.
    #[arg(long, env = "KNOTWORK_SEARCH_QUERIES")]
    queries: PathBuf,
    /// Issues with the functions that their fixes changed, one JSON object a line. Runs the simulated agents too.
    #[arg(long)]
    issues: Option<PathBuf>,
    /// Folder for the results, which are not measured again where they are there.
    #[arg(long)]
    out: PathBuf,
    /// The binary to measure [default: knotwork beside this program].
    #[arg(long)]
    binary: Option<PathBuf>,
    /// Only this program; may be given more than once.
    #[arg(long)]
    only: Vec<String>,
    /// Only this repository, as `owner/name`; may be given more than once.
    #[arg(long)]
    repo: Vec<String>,
}

/// Measures what was not measured yet, and prints the tables.
pub fn compare_programs(args: &Args) -> Result<()> {
    let binary = crate::bench::binary(args.binary.as_deref())?;
    std::fs::create_dir_all(&args.out).with_context(|| args.out.display().to_string())?;
    let mut measure = script(args, "compare.py");
    measure.args(paths(&[
        ("--tools", &args.tools),
        ("--repos", &args.repos),
        ("--truth", &args.truth),
        ("--queries", &args.queries),
        ("--binary", &binary),
        ("--out", &args.out),
    ]));
    for program in &args.only {
        measure.args(["--only", program]);
    }
    for repository in &args.repo {
        measure.args(["--repo", repository]);
    }
    run_to_success(measure)?;
    let mut report = script(args, "report.py");
    report.arg(&args.out);
    report.args(paths(&[("--repos", &args.repos), ("--truth", &args.truth)]));
    run_to_success(report)?;
    let Some(issues) = &args.issues else {
        return Ok(());
    };
    let rows = args.out.join("agent.jsonl");
    let mut agents = script(args, "agent.py");
    agents.args(paths(&[
        ("--repos", &args.repos),
        ("--issues", issues),
        ("--queries", &args.queries),
        ("--binary", &binary),
        ("--out", &rows),
    ]));
    run_to_success(agents)
}

/// Python with one of the scripts.
fn script(args: &Args, name: &str) -> Command {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../eval/compare");
    let mut command = Command::new(&args.python);
    command.arg(folder.join(name));
    command
}

/// Options and their paths, in the order of a command line.
fn paths<'p>(options: &[(&'p str, &'p PathBuf)]) -> Vec<&'p OsStr> {
    let pairs = options.iter();
    pairs
        .flat_map(|(option, path)| [OsStr::new(*option), path.as_os_str()])
        .collect()
}

fn run_to_success(mut command: Command) -> Result<()> {
    let done = command
        .status()
        .with_context(|| format!("cannot run {}", command.get_program().display()))?;
    ensure!(done.success(), "{command:?} failed: {done}");
    Ok(())
}
