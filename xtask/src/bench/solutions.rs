//! `bench solutions`: search among many solutions, including the embedding of the query, and saving.
//!
//! The texts are those of `eval solutions` with other names and numbers. Embedding them all would take hours, so the
//! vector of a repeated text is that of the original plus noise: the cost of a scan does not depend on its result.

use super::search::processor;
use super::{megabytes, milliseconds, percentile, row};
use crate::eval::solutions::{Pair, read};
use anyhow::Result;
use solution::{
    BuiltIn, EmbedError, Embedder, Memory, Options, SaveRequest, SearchMode, SearchRequest,
};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Arguments of `bench solutions`.
#[derive(clap::Args)]
pub struct Args {
    /// How many solutions; may be given more than once
    #[arg(long, default_values_t = [10_000, 100_000])]
    records: Vec<usize>,
    /// Texts to make them from
    #[arg(long, default_value = "eval/solutions.tsv")]
    data: PathBuf,
}

/// Embeds queries with the built-in model; solutions get the vector of their original text plus noise.
#[derive(Default)]
struct Noisy {
    known: Mutex<HashMap<String, Vec<f32>>>,
    noise: Mutex<u64>,
}

impl Embedder for Noisy {
    fn model_name(&self) -> &str {
        BuiltIn.model_name()
    }

    fn dimension(&self) -> usize {
        BuiltIn.dimension()
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let one = |text: &&str| -> Result<Vec<f32>, EmbedError> {
            // A solution's text begins with its number.
            let Some((_, text)) = text.split_once("# ") else {
                return Ok(BuiltIn.embed(&[text])?.remove(0));
            };
            let key = text.lines().next().unwrap_or_default().to_owned();
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            if !known.contains_key(&key) {
                known.insert(key.clone(), BuiltIn.embed(&[text])?.remove(0));
            }
            let mut state = self.noise.lock().unwrap_or_else(PoisonError::into_inner);
            let noisy = known[&key].iter().map(|v| {
                *state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                v + ((*state >> 40) as f32 / (1u64 << 24) as f32 - 0.5) * 0.1
            });
            Ok(noisy.collect())
        };
        texts.iter().map(one).collect()
    }
}

/// Runs the benchmark.
pub fn measure_solutions(args: &Args) -> Result<()> {
    let pairs = read(&args.data)?;
    let start = Instant::now();
    BuiltIn.embed(&["first"]).map_err(anyhow::Error::msg)?;
    println!(
        "model read and first text embedded in {}",
        milliseconds(start.elapsed())
    );
    let before = processor();
    let mut times: Vec<Duration> = pairs
        .iter()
        .map(|pair| {
            let start = Instant::now();
            std::hint::black_box(BuiltIn.embed(&[&pair.query]).is_ok());
            start.elapsed()
        })
        .collect();
    let (half, most) = (percentile(&mut times, 0.5), percentile(&mut times, 0.95));
    println!(
        "a question embedded: median {}, p95 {}, processor {} each",
        milliseconds(half),
        milliseconds(most),
        milliseconds((processor() - before) / pairs.len().max(1) as u32),
    );
    for records in &args.records {
        one_size(&pairs, *records)?;
    }
    Ok(())
}

fn one_size(pairs: &[Pair], records: usize) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let embedder = Arc::new(Noisy::default());
    let options = || Options {
        embedder: embedder.clone(),
        ..Options::for_folder(folder.path())
    };
    let memory = Memory::new(options());
    let whole: Vec<&Pair> = pairs
        .iter()
        .filter(|p| !p.save.problem.is_empty())
        .collect();
    let mut lines = String::new();
    for n in 0..records {
        let save = &whole[n % whole.len()].save;
        lines.push_str(&serde_json::json!({
            "id": format!("00000000-0000-4000-8000-{n:012}"),
            "title": format!("{n}# {}", save.title),
            "problem": format!("{} in service{} of team{}", save.problem, n / whole.len(), n % 97),
            "solution": save.solution,
            "error_messages": save.error_messages,
        }).to_string());
        lines.push('\n');
    }
    let start = Instant::now();
    memory.import(&mut lines.as_bytes())?;
    let imported = start.elapsed();
    memory.compute_missing_vectors(Duration::MAX)?;
    println!(
        "{records} solutions taken in {:.1} s, vectors kept in {:.1} s, {}",
        imported.as_secs_f64(),
        (start.elapsed() - imported).as_secs_f64(),
        megabytes(memory.stats()?.bytes),
    );
    let memory = Memory::new(options());
    let start = Instant::now();
    memory.search(&SearchRequest::new("first question"))?;
    println!(
        "first question of a process: {}",
        milliseconds(start.elapsed())
    );
    let bound = if records > 10_000 { 50 } else { 25 };
    for mode in [
        SearchMode::Hybrid,
        SearchMode::Semantic,
        SearchMode::Keyword,
    ] {
        let mut times = Vec::new();
        let before = processor();
        for pair in pairs {
            let request = SearchRequest {
                search_mode: mode,
                ..SearchRequest::new(pair.query.clone())
            };
            let start = Instant::now();
            memory.search(&request)?;
            times.push(start.elapsed());
        }
        let (half, most) = (percentile(&mut times, 0.5), percentile(&mut times, 0.95));
        row(
            &format!("{records} {mode:?}, p95"),
            &milliseconds(most),
            &format!(
                "median {}, processor {} each",
                milliseconds(half),
                milliseconds((processor() - before) / pairs.len().max(1) as u32)
            ),
            &format!("{bound} ms"),
            most < Duration::from_millis(bound),
        );
    }
    let mut times = Vec::new();
    for n in 0..50 {
        let start = Instant::now();
        memory.save(&SaveRequest {
            title: format!("A new problem, number {n}"),
            problem: format!("It fails at step {n} with another message"),
            solution: "Try again".to_owned(),
            ..SaveRequest::default()
        })?;
        times.push(start.elapsed());
    }
    println!(
        "saving: median {}",
        milliseconds(percentile(&mut times, 0.5))
    );
    Ok(())
}
