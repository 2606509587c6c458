//! `bench index` and `bench scip`: time, memory and size of an index build.

use super::process::{Spent, folder_size, measure};
use super::{Common, megabytes, milliseconds, percentile, row};
use anyhow::{Context, Result};
use ingest::walk::{FoundFile, walk_project};
use protobuf::Message;
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

const MAX_FILE_SIZE: u64 = 1 << 20;
const THREADS: usize = 2;

/// Builds an index from nothing, beside bare parsing of the same files on as many threads.
pub fn index(common: &Common) -> Result<()> {
    let binary = common.binary()?;
    let walked = walk_project(&common.repo, MAX_FILE_SIZE)?;
    let bytes: u64 = walked.files.iter().map(|f| f.size).sum();
    // One run warms the file cache.
    parse(&common.repo, &walked.files)?;
    let (mut bare, mut ours, mut peak, mut size) = (Vec::new(), Vec::new(), 0, 0);
    for _ in 0..common.runs.max(1) {
        bare.push(parse(&common.repo, &walked.files)?);
        let state = tempfile::tempdir()?;
        let mut command = index_command(&binary, &common.repo, state.path(), &[]);
        if let Some(ceiling) = common.memory {
            command.args(["--memory", &ceiling.to_string()]);
        }
        let spent = measure(&mut command)?;
        ours.push(spent.time);
        peak = peak.max(spent.peak);
        size = folder_size(state.path());
    }
    let bare = percentile(&mut bare, 0.5);
    let ours = percentile(&mut ours, 0.5);
    println!(
        "{}: {} files, {} of source, {THREADS} threads, middle of {} runs",
        common.repo.display(),
        walked.files.len(),
        megabytes(bytes),
        common.runs.max(1)
    );
    let ratio = ours.as_secs_f64() / bare.as_secs_f64();
    row(
        "cold index",
        &milliseconds(ours),
        &format!("bare parse {}", milliseconds(bare)),
        &format!("2.5 x, is {ratio:.2} x"),
        ratio <= 2.5,
    );
    let allowed = 250_000_000 + 12 * bytes;
    row(
        "peak memory",
        &megabytes(peak),
        "250 MB + 12 B per byte",
        &megabytes(allowed),
        peak <= allowed,
    );
    // Without `--memory`, the default ceiling is the bound.
    let (ceiling, whose) = match common.memory {
        Some(ceiling) => (ceiling, "--memory"),
        None => (usual_ceiling(), "the default ceiling"),
    };
    row(
        "peak memory and ceiling",
        &megabytes(peak),
        &format!("{whose}, {}", megabytes(ceiling)),
        &megabytes(ceiling),
        peak <= ceiling,
    );
    let share = size as f64 / bytes.max(1) as f64;
    row(
        "index on disk",
        &megabytes(size),
        &format!("source {}", megabytes(bytes)),
        &format!("2.5 x, is {share:.2} x"),
        share <= 2.5,
    );
    Ok(())
}

/// The default ceiling on memory in bytes: a quarter of the machine's memory, at least 512 MiB.
pub fn usual_ceiling() -> u64 {
    let machine = effective_limits::memory_limit().unwrap_or(0);
    (machine / 4).max(512 << 20)
}

/// Reads and parses every file and drops the trees.
fn parse(root: &Path, files: &[FoundFile]) -> Result<Duration> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(THREADS)
        .build()?;
    let started = Instant::now();
    pool.install(|| {
        files.par_iter().for_each(|file| {
            let bytes = std::fs::read(root.join(&file.path)).unwrap_or_default();
            let source = String::from_utf8_lossy(&bytes);
            std::hint::black_box(languages::parse_only(file.language, &source));
        });
    });
    Ok(started.elapsed())
}

fn index_command(binary: &Path, repo: &Path, state: &Path, more: &[&str]) -> Command {
    let mut command = command(binary, repo, state);
    command
        .args(["index", "--format", "json", "--threads"])
        .arg(THREADS.to_string())
        .args(more);
    command
}

/// The binary as a command in a repository, with its state in another folder.
pub fn command(binary: &Path, repo: &Path, state: &Path) -> Command {
    let mut command = Command::new(binary);
    command
        .arg("-C")
        .arg(repo)
        .env("DEVBOOKS_DIR", state)
        .env_remove("GRAPH_DB_PATH")
        .env_remove("SCIP_INDEX_PATH")
        // The build must find nothing in a shared cache.
        .env("KNOTWORK_CACHE_SHARED", "false");
    if let Some(data) = crate::belief::data() {
        command.env("XDG_DATA_HOME", data);
    }
    command
}

/// Arguments of `bench scip`.
#[derive(clap::Args)]
pub struct ScipArgs {
    #[command(flatten)]
    common: Common,
    /// The SCIP index of that repository.
    #[arg(long)]
    index: PathBuf,
}

/// Imports a SCIP index, beside decoding it and dropping the result.
pub fn scip(args: &ScipArgs) -> Result<()> {
    let common = &args.common;
    let binary = common.binary()?;
    let index = args.index.canonicalize()?;
    let (mut decode, mut plain, mut with) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..common.runs.max(1) {
        let started = Instant::now();
        let bytes = std::fs::read(&index).with_context(|| index.display().to_string())?;
        drop(std::hint::black_box(scip::types::Index::parse_from_bytes(
            &bytes,
        )?));
        decode.push(started.elapsed());
        plain.push(cold(&binary, &common.repo, None)?.time);
        with.push(cold(&binary, &common.repo, Some(&index))?.time);
    }
    let decode = percentile(&mut decode, 0.5);
    let plain = percentile(&mut plain, 0.5);
    let with = percentile(&mut with, 0.5);
    let import = with.saturating_sub(plain);
    let ratio = import.as_secs_f64() / decode.as_secs_f64();
    println!(
        "cold index {} without, {} with the SCIP index",
        milliseconds(plain),
        milliseconds(with)
    );
    row(
        "SCIP import (difference)",
        &milliseconds(import),
        &format!("decode {}", milliseconds(decode)),
        &format!("4 x, is {ratio:.2} x"),
        ratio <= 4.0,
    );
    Ok(())
}

fn cold(binary: &Path, repo: &Path, scip: Option<&Path>) -> Result<Spent> {
    let state = tempfile::tempdir()?;
    let mut command = index_command(binary, repo, state.path(), &[]);
    if let Some(scip) = scip {
        command.env("SCIP_INDEX_PATH", scip);
    }
    measure(&mut command)
}
