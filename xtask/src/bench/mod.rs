//! Benchmarks. Each prints a reference of the same run beside each figure.

#[cfg(unix)]
pub mod daemon;
pub mod delta;
mod graph;
pub mod growth;
pub mod hook;
pub mod index;
pub mod process;
pub mod search;
pub mod serve;
pub mod solutions;
pub mod worktree;

pub(crate) use graph::symbols;

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Arguments that all benchmarks share.
#[derive(clap::Args)]
pub struct Common {
    /// The repository to work on.
    #[arg(long)]
    repo: PathBuf,
    /// The binary to measure [default: knotwork beside this program].
    #[arg(long)]
    binary: Option<PathBuf>,
    /// How often; the middle result counts.
    #[arg(long, default_value_t = 3)]
    runs: usize,
    /// The ceiling on memory below which the index is made, for `bench index`.
    #[arg(long, value_name = "SIZE", value_parser = engine::config::parse_byte_size)]
    memory: Option<u64>,
}

impl Common {
    fn binary(&self) -> Result<PathBuf> {
        binary(self.binary.as_deref())
    }
}

/// The binary to measure: the one given, else the one beside this program.
pub(crate) fn binary(given: Option<&Path>) -> Result<PathBuf> {
    let beside = std::env::current_exe()?.with_file_name("knotwork");
    let binary = given.map_or(beside, Path::to_path_buf);
    if !binary.is_file() {
        bail!(
            "{}: not there; build it with `cargo build --release`",
            binary.display()
        );
    }
    let shown = binary.display().to_string();
    binary.canonicalize().context(shown)
}

/// Prints one line: name, our figure, the reference, the bound, and whether it holds.
fn row(what: &str, ours: &str, reference: &str, asked: &str, holds: bool) {
    let verdict = if holds { "holds" } else { "MISSED" };
    println!("{what:<28} {ours:>14}   reference {reference:<28} asked {asked:<18} {verdict}");
}

pub(crate) fn milliseconds(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1_000.0)
}

pub(crate) fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}

/// The value below which `share` of the sorted times lie.
pub(crate) fn percentile(times: &mut [Duration], share: f64) -> Duration {
    times.sort_unstable();
    let at = ((times.len() as f64 * share).ceil() as usize).clamp(1, times.len().max(1)) - 1;
    times.get(at).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles() {
        let mut times: Vec<Duration> = (1..=100).rev().map(Duration::from_millis).collect();
        assert_eq!(percentile(&mut times, 0.5), Duration::from_millis(50));
        assert_eq!(percentile(&mut times, 0.95), Duration::from_millis(95));
        assert_eq!(percentile(&mut [], 0.95), Duration::ZERO);
    }
}
