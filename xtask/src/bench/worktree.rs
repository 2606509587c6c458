//! `bench worktree`: the first index of a second worktree beside that of the first.

use super::process::measure;
use super::{Common, milliseconds, percentile, row};
use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Arguments of `bench worktree`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    common: Common,
    /// How many commits a third worktree is behind.
    #[arg(long, default_value_t = 20)]
    behind: u32,
}

/// The largest share of the first build's cost that a second worktree may take.
const SHARE: f64 = 0.25;

/// Indexes a clone, a worktree of it at the same commit, and one some commits behind.
pub fn measure_worktree(args: &Args) -> Result<()> {
    let binary = args.common.binary()?;
    let repo = args.common.repo.canonicalize()?;
    let (mut first, mut same, mut behind) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..args.common.runs.max(1) {
        let folder = tempfile::tempdir()?;
        let at = |name: &str| folder.path().join(name);
        git(
            &repo,
            &["clone", "-q", "--shared", ".", path(&at("first"))?],
        )?;
        let add = ["worktree", "add", "-q", "--detach"];
        let back = format!("HEAD~{}", args.behind);
        for (name, commit) in [("same", "HEAD"), ("behind", &*back)] {
            git(
                &at("first"),
                &[&add[..], &[path(&at(name))?, commit]].concat(),
            )?;
        }
        let index = |name: &str| -> Result<Duration> {
            let mut command = Command::new(&binary);
            command.arg("-C").arg(at(name)).arg("index");
            command.env("XDG_CACHE_HOME", at("cache"));
            for other in ["DEVBOOKS_DIR", "GRAPH_DB_PATH", "SCIP_INDEX_PATH"] {
                command.env_remove(other);
            }
            Ok(measure(command.env("KNOTWORK_CACHE_SHARED", "true"))?.time)
        };
        first.push(index("first")?);
        same.push(index("same")?);
        behind.push(index("behind")?);
    }
    let first = percentile(&mut first, 0.5);
    // The cost for a worktree that is some commits behind depends on the changes, so it has no
    // bound.
    let behind_by = format!("{} commits behind", args.behind);
    let all = [
        ("at the same commit", &mut same, SHARE),
        (&behind_by, &mut behind, 1.0),
    ];
    for (what, times, bound) in all {
        let time = percentile(times, 0.5);
        let share = time.as_secs_f64() / first.as_secs_f64();
        row(
            &format!("worktree {what}"),
            &milliseconds(time),
            &format!("first index {}", milliseconds(first)),
            &format!("{bound} x, is {share:.2} x"),
            share <= bound,
        );
    }
    Ok(())
}

fn path(path: &Path) -> Result<&str> {
    path.to_str().context("a path that is no text")
}

fn git(folder: &Path, arguments: &[&str]) -> Result<()> {
    let done = Command::new("git")
        .args(arguments)
        .current_dir(folder)
        .status()?;
    if !done.success() {
        bail!("git {}: {done}", arguments.join(" "));
    }
    Ok(())
}
