//! `eval incremental`: whether updates give the same rows as a clean build, over sequences of edits to
//! fixtures or over the commits of a repository.

#[path = "../../../crates/ingest/tests/it/common/sequence.rs"]
mod sequence;
#[path = "../../../crates/ingest/tests/it/common/state.rs"]
mod state;

pub(crate) use sequence::compare;

use anyhow::{Context, Result, bail};
use ingest::{
    ChunkUpdateScope, DeltaRequest, IndexOptions, ResidentCell, UpdateMethod, update_all,
    update_incremental,
};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Arguments of `eval incremental`.
#[derive(clap::Args)]
pub struct Args {
    /// Sequences of edits to make.
    #[arg(long, default_value_t = 0)]
    sequences: u64,
    /// The first sequence.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// A git repository whose commits are replayed.
    #[arg(long)]
    repo: Option<PathBuf>,
    /// How many of its commits.
    #[arg(long, default_value_t = 100)]
    commits: usize,
    /// Compare after every so many commits.
    #[arg(long, default_value_t = 1)]
    every: usize,
}

pub fn evaluate_incremental(args: &Args) -> Result<()> {
    if args.sequences > 0 {
        sequences(args)?;
    }
    match &args.repo {
        Some(repo) => replay(repo, args),
        None => Ok(()),
    }
}

fn sequences(args: &Args) -> Result<()> {
    let (short, right, next) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicU64::new(0));
    let beside = AtomicUsize::new(0);
    let wrong = Mutex::new(Vec::new());
    let work = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            if at >= args.sequences {
                return;
            }
            match sequence::sequence(args.seed + at) {
                Ok(done) => {
                    short.fetch_add(done.short, Ordering::Relaxed);
                    beside.fetch_add(done.beside, Ordering::Relaxed);
                    let done = right.fetch_add(1, Ordering::Relaxed) + 1;
                    if done.is_multiple_of(100) {
                        println!("{done} sequences");
                    }
                }
                Err(found) => wrong
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .push(found),
            }
        }
    };
    std::thread::scope(|scope| {
        // Each build uses several threads for most of its work.
        (0..2).for_each(|_| drop(scope.spawn(work)));
    });
    let wrong = wrong.into_inner().unwrap_or_else(PoisonError::into_inner);
    wrong.iter().take(3).for_each(|found| println!("{found}"));
    let right = right.into_inner();
    println!(
        "{right} of {} sequences of {} edits equal a clean build after every edit; {} of {} updates linked only the files \
         that changed, {} of them with others that mention what came or went",
        args.sequences,
        sequence::STEPS,
        short.load(Ordering::Relaxed),
        right * sequence::STEPS,
        beside.load(Ordering::Relaxed)
    );
    if wrong.is_empty() {
        Ok(())
    } else {
        bail!("{} sequences differ", wrong.len())
    }
}

fn git(folder: &Path, arguments: &[&str]) -> Result<String> {
    let mut command = Command::new("git");
    let done = command.current_dir(folder).args(arguments).output()?;
    if !done.status.success() {
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        bail!("git {arguments:?}: {said}");
    }
    Ok(String::from_utf8(done.stdout)?)
}

/// Checks out one commit after the other, oldest first, and updates the index each time.
fn replay(repo: &Path, args: &Args) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let clone = folder.path().join("clone");
    let from = repo
        .canonicalize()
        .with_context(|| repo.display().to_string())?;
    let (from, to) = (from.to_string_lossy(), clone.to_string_lossy());
    git(
        folder.path(),
        &["clone", "-q", "--shared", "--no-checkout", &from, &to],
    )?;
    let count = format!("--max-count={}", args.commits + 1);
    let commits = git(&clone, &["rev-list", "--first-parent", &count, "HEAD"])?;
    let commits: Vec<&str> = commits.lines().rev().collect();
    let residence = ResidentCell::default();
    let ours = IndexOptions::new(&clone, &folder.path().join("ours"));
    let (mut updates, mut cleans, mut ways) = (Vec::new(), Vec::new(), [0; 4]);
    for (at, commit) in commits.iter().enumerate() {
        git(&clone, &["checkout", "-q", "--force", commit])?;
        let ask = DeltaRequest {
            chunks: ChunkUpdateScope::All,
            ..DeltaRequest::default()
        };
        let report = update_incremental(&ours, &residence, ask, &())?;
        updates.push(Duration::from_secs_f64(report.duration_ms / 1_000.0));
        ways[report.way as usize] += 1;
        if at % args.every != 0 {
            continue;
        }
        let clean = tempfile::tempdir()?;
        let theirs = IndexOptions::new(&clone, clean.path());
        let since = Instant::now();
        update_all(&theirs, &())?;
        cleans.push(since.elapsed());
        if let Some(found) = sequence::compare(&ours, &theirs) {
            bail!("after {commit}, commit {at}:\n{found}");
        }
    }
    let of = |way: UpdateMethod| ways[way as usize];
    println!(
        "{} commits of {}: equal to a clean build at each of {} looks; {} linked only the files that changed, {} all \
         files, {} built anew",
        commits.len(),
        repo.display(),
        cleans.len(),
        of(UpdateMethod::Files),
        of(UpdateMethod::All) + of(UpdateMethod::Lost),
        of(UpdateMethod::Rebuilt)
    );
    println!(
        "update p50 {:?}, p95 {:?}; clean build p50 {:?}",
        crate::bench::percentile(&mut updates, 0.5),
        crate::bench::percentile(&mut updates, 0.95),
        crate::bench::percentile(&mut cleans, 0.5)
    );
    Ok(())
}
