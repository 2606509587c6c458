//! `bench search`: building, opening, updating and querying the search index, directly through the
//! library.

use super::{megabytes, milliseconds, percentile, row};
use crate::eval::search_data::{prepare_file, read};
use anyhow::Result;
use rayon::prelude::*;
use search::embed::CodeModel;
use search::index::{self, Index, Model};
use search::prepare::Prepared;
use search::rank::{RankMode, Request, Tuning, search};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Arguments of `bench search`.
#[derive(clap::Args)]
pub struct Args {
    /// The repository to index
    #[arg(long)]
    repo: PathBuf,
    /// Chunks in the index: the repository is repeated under other names until there are so many
    #[arg(long, default_value_t = 100_000)]
    chunks: usize,
}

const QUERIES: [&str; 16] = [
    "where is the retry backoff computed",
    "parse the configuration file",
    "HTTP request timeout handling",
    "Parser",
    "getUserById",
    "cannot read property of undefined",
    "how are routes registered and resolved to handlers",
    "error: connection refused by host",
    "src/main",
    "cache eviction policy",
    "serialize a struct to JSON",
    "list files in a directory recursively",
    "test for unicode normalisation",
    "read write lock contention",
    "設定ファイルを解析する",
    "zqxw flurbo grumbitz",
];

/// Runs the benchmark.
pub fn measure_search(args: &Args) -> Result<()> {
    let texts = read(&args.repo, &args.repo, true);
    let bytes: u64 = texts.values().map(|t| t.len() as u64).sum();
    let start = Instant::now();
    let model = CodeModel::get()?;
    let loaded = start.elapsed();
    let before = processor();
    let prepared: Vec<Prepared> = texts
        .par_iter()
        .filter_map(|(path, text)| prepare_file(path, text, model))
        .collect();
    let all = processor() - before;
    let before = processor();
    texts.par_iter().for_each(|(path, text)| {
        if let Some(language) = base::Language::from_path(path) {
            std::hint::black_box(languages::extract(language, text));
        }
    });
    let parsing = processor() - before;
    let folder = tempfile::tempdir()?;
    let start = Instant::now();
    let once = index::build(
        folder.path(),
        &Model::from_embedder(model),
        prepared.clone(),
    )?;
    let building = start.elapsed();
    println!(
        "{}: {} files, {} chunks",
        args.repo.display(),
        once.files,
        once.chunks
    );
    let share = once.bytes as f64 / bytes.max(1) as f64;
    row(
        "terms and vectors, processor",
        &milliseconds(all.saturating_sub(parsing)),
        &format!("{}, facts {}", megabytes(bytes), milliseconds(parsing)),
        "-",
        true,
    );
    row(
        "write the index",
        &milliseconds(building),
        &megabytes(bytes),
        "-",
        true,
    );
    row(
        "size",
        &megabytes(once.bytes),
        &format!("{share:.2} x source"),
        "0.5 x",
        share <= 0.5,
    );
    let many = repeat(&prepared, args.chunks.div_ceil(once.chunks.max(1)));
    let written = index::build(folder.path(), &Model::from_embedder(model), many)?;
    println!("{} chunks:", written.chunks);
    row("load the model", &milliseconds(loaded), "-", "-", true);
    let start = Instant::now();
    let open = Index::open(folder.path())?;
    row(
        "open",
        &milliseconds(start.elapsed()),
        &megabytes(written.bytes),
        "-",
        true,
    );
    ask(&open, model);
    update(folder.path(), &prepared, &Model::from_embedder(model))
}

/// The processor time of this process so far, if the system provides it. It is steadier than the
/// clock on a busy machine.
pub(super) fn processor() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after = stat.rsplit(')').next().unwrap_or_default();
    let ticks: u64 = after
        .split_whitespace()
        .skip(11)
        .take(2)
        .filter_map(|n| n.parse::<u64>().ok())
        .sum();
    Duration::from_millis(ticks * 10)
}

fn repeat(prepared: &[Prepared], times: usize) -> Vec<Prepared> {
    (0..times)
        .flat_map(|copy| {
            prepared
                .iter()
                .map(move |p| p.renamed(format!("copy{copy}/{}", p.path())))
        })
        .collect()
}

fn ask(open: &Index, model: &CodeModel) {
    for mode in [RankMode::Hybrid, RankMode::Keyword, RankMode::Semantic] {
        let mut first = Duration::ZERO;
        let before = processor();
        let mut times: Vec<Duration> = Vec::new();
        let mut worst = (Duration::ZERO, "");
        for round in 0..12 {
            for query in QUERIES {
                let request = Request {
                    query,
                    mode,
                    limit: 10,
                    filter: &search::Filter::default(),
                    min_relevance: 0.0,
                    following_relevance: 0.0,
                    project: None,
                    tuning: &Tuning::default(),
                };
                let start = Instant::now();
                let answer = search(open, Some(model), &request);
                let time = start.elapsed();
                std::hint::black_box(answer);
                if round == 0 {
                    first = first.max(time);
                } else {
                    times.push(time);
                    worst = worst.max((time, query));
                }
            }
        }
        let p95 = percentile(&mut times, 0.95);
        row(
            &format!("{mode:?}, p95"),
            &milliseconds(p95),
            &format!(
                "median {}, first {}",
                milliseconds(percentile(&mut times, 0.5)),
                milliseconds(first)
            ),
            "5 ms",
            p95 <= Duration::from_millis(5),
        );
        let each = (processor() - before) / (12 * QUERIES.len() as u32);
        println!(
            "    processor time each {}, slowest: {:?} {}",
            milliseconds(each),
            worst.1,
            milliseconds(worst.0)
        );
    }
}

fn update(folder: &std::path::Path, prepared: &[Prepared], model: &Model) -> Result<()> {
    let mut times = Vec::new();
    for file in prepared.iter().take(12) {
        let changed = vec![file.renamed(format!("copy0/{}", file.path()))];
        let start = Instant::now();
        index::commit(folder, model, changed, &[])?;
        times.push(start.elapsed());
    }
    let p95 = percentile(&mut times, 0.95);
    row("one file changed, p95", &milliseconds(p95), "-", "-", true);
    Ok(())
}
