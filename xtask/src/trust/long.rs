//! `trust fuzz` and `trust soak`: rows that run other tasks of this program for a long time, in processes of their
//! own.

use super::{Args, Figure};
use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::Command;

/// The default minutes for each fuzz target.
const FUZZ_MINUTES: f64 = 60.0;

/// The default minutes of the soak test.
const SOAK_MINUTES: f64 = 120.0;

/// Runs every fuzz target for `--minutes`: no crash, no hang, no excessive memory.
pub(super) fn fuzz(args: &Args) -> Result<Vec<Figure>> {
    let minutes = args.minutes.unwrap_or(FUZZ_MINUTES);
    let seconds = ((minutes * 60.0) as u64).max(1).to_string();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/fuzz_targets");
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .with_context(|| folder.display().to_string())?
        .filter_map(|entry| entry.ok()?.path().file_stem()?.to_str().map(str::to_owned))
        .collect();
    names.sort();
    let mut figures = vec![Figure::note("minutes each", format!("{minutes}"))];
    for name in names {
        let mut command = Command::new(std::env::current_exe()?);
        command.args([
            "fuzz",
            "--seconds",
            &seconds,
            "--seed",
            &args.seed.to_string(),
            &name,
        ]);
        let output = command.output()?;
        let said = String::from_utf8_lossy(&output.stdout);
        let last = said
            .lines()
            .find(|line| line.starts_with(&name))
            .unwrap_or("no outcome");
        let value = last
            .trim_start_matches(&name)
            .trim_start_matches(':')
            .trim();
        figures.push(Figure::new(
            &name,
            value.to_owned(),
            "nothing found",
            output.status.success(),
        ));
    }
    Ok(figures)
}

/// Runs two clients and an editor for `--minutes`: no answer names a line that does not exist, and no query fails.
pub(super) fn soak(args: &Args) -> Result<Vec<Figure>> {
    let Some(repo) = args.corpus.first() else {
        bail!("needs a repository: --corpus DIR");
    };
    let minutes = args.minutes.unwrap_or(SOAK_MINUTES);
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["eval", "fresh", "--minutes", &minutes.to_string()]);
    command.args(["--seed", &args.seed.to_string()]);
    command
        .arg("--repo")
        .arg(repo)
        .arg("--binary")
        .arg(super::binary(args)?);
    // The run takes hours, so its output is shown as it comes.
    let status = command.status()?;
    let outcome = if status.success() { "clean" } else { "failed" };
    Ok(vec![
        Figure::note("minutes", format!("{minutes}")),
        Figure::new(
            "answers while files change",
            outcome.to_owned(),
            "clean",
            status.success(),
        ),
    ])
}
