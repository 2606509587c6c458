//! `fuzz`: the targets of `fuzz/` on mutations of the kept inputs, without a nightly toolchain.

mod mutate;
#[path = "../../../fuzz/targets.rs"]
mod targets;

use anyhow::{Context, Result, bail};
use mutate::mutate;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use testkit::edits::Random;

/// Stack of the thread that runs a target: what indexing gives its workers.
const STACK: usize = 64 << 20;

/// An input that takes longer is kept as a finding.
const SLOW: Duration = Duration::from_secs(8);

/// Mutations kept in memory as starting points, besides the corpus.
const POOL: usize = 256;

/// Arguments of `fuzz`.
#[derive(clap::Args)]
pub struct Args {
    /// How long each target runs.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// The start of the random numbers: the same gives the same run.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Instead: this one input.
    #[arg(long)]
    input: Option<PathBuf>,
    /// A target of `fuzz/fuzz_targets`, or `all`.
    target: String,
}

/// Runs and prints; an error where an input was found that a target cannot stand.
pub fn run(args: &Args) -> Result<()> {
    let chosen: Vec<&str> = targets::TARGETS
        .iter()
        .map(|t| t.0)
        .filter(|name| args.target == "all" || args.target == *name)
        .collect();
    if chosen.is_empty() {
        let known: Vec<&str> = targets::TARGETS.iter().map(|t| t.0).collect();
        bail!("no target {}; there are: {}", args.target, known.join(", "));
    }
    let mut found = 0;
    for name in chosen {
        if let Some(input) = &args.input {
            let data = std::fs::read(input).with_context(|| input.display().to_string())?;
            let (spent, failure) = on_thread(|| execute(name, &data));
            println!(
                "{name}: {} bytes, {spent:.1?}, {}",
                data.len(),
                failure.as_deref().unwrap_or("fine")
            );
            found += usize::from(failure.is_some());
            continue;
        }
        let limit = Limit::Time(Instant::now() + Duration::from_secs(args.seconds));
        let outcome = on_thread(|| fuzz(name, args.seed, &limit))?;
        println!(
            "{name}: {} inputs, slowest {:.1?}, {} found",
            outcome.inputs,
            outcome.slowest,
            outcome.findings.len()
        );
        for finding in &outcome.findings {
            println!("  {finding}");
        }
        found += outcome.findings.len();
    }
    if found > 0 {
        bail!("{found} inputs found");
    }
    Ok(())
}

enum Limit {
    Time(Instant),
    #[cfg(test)]
    Inputs(u64),
}

/// What a run found.
struct Outcome {
    inputs: u64,
    slowest: Duration,
    findings: Vec<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz")
}

/// The kept inputs of a target, in order of name.
fn corpus(name: &str) -> Result<Vec<Vec<u8>>> {
    let folder = root().join("corpus").join(name);
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .with_context(|| folder.display().to_string())?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_>>()?;
    files.sort();
    files
        .iter()
        .map(|f| std::fs::read(f).with_context(|| f.display().to_string()))
        .collect()
}

fn fuzz(name: &str, seed: u64, limit: &Limit) -> Result<Outcome> {
    let mut pool = corpus(name)?;
    let kept = pool.len();
    let mut random = Random::new(seed);
    let mut outcome = Outcome {
        inputs: 0,
        slowest: Duration::ZERO,
        findings: Vec::new(),
    };
    // What the process dies of (a stack that is full) leaves its input here.
    let last = std::env::temp_dir().join(format!("knotwork-fuzz-{name}-{}", std::process::id()));
    loop {
        let over = match limit {
            Limit::Time(end) => Instant::now() >= *end,
            #[cfg(test)]
            Limit::Inputs(end) => outcome.inputs >= *end,
        };
        if over || outcome.findings.len() >= 10 {
            break;
        }
        let data = match pool
            .get(outcome.inputs as usize)
            .filter(|_| (outcome.inputs as usize) < kept)
        {
            Some(seed) => seed.clone(),
            None => {
                let at = random_index(&mut random, pool.len());
                mutate(&mut random, &pool[at], &pool)
            }
        };
        outcome.inputs += 1;
        std::fs::write(&last, &data).with_context(|| last.display().to_string())?;
        let (spent, failure) = execute(name, &data);
        outcome.slowest = outcome.slowest.max(spent);
        // The machine may have had other things to do: only what is slow twice is.
        let slow = spent > SLOW && execute(name, &data).0 > SLOW;
        let failure = failure.or_else(|| slow.then(|| format!("takes {spent:.1?}")));
        if let Some(failure) = failure {
            let at = keep(name, &data)?;
            outcome
                .findings
                .push(format!("{}: {failure}", at.display()));
        } else if pool.len() < kept + POOL {
            pool.push(data);
        } else {
            let at = kept + random.below(POOL);
            pool[at] = data;
        }
    }
    // It served its purpose.
    let _ = std::fs::remove_file(&last);
    Ok(outcome)
}

/// Half of the time one of the first, which are the kept inputs.
fn random_index(random: &mut Random, length: usize) -> usize {
    match random.below(2) {
        0 => random.below(length.min(8)),
        _ => random.below(length),
    }
}

fn keep(name: &str, data: &[u8]) -> Result<PathBuf> {
    let folder = root().join("artifacts").join(name);
    std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let hash = data.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let at = folder.join(format!("found-{hash:016x}"));
    std::fs::write(&at, data).with_context(|| at.display().to_string())?;
    Ok(at)
}

/// Runs a target once: how long it took, and what it panicked with.
fn execute(name: &str, data: &[u8]) -> (Duration, Option<String>) {
    let started = Instant::now();
    let result = catch_unwind(AssertUnwindSafe(|| targets::run(name, data)));
    let failure = result.err().map(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()));
        text.unwrap_or_else(|| "panic".to_owned())
    });
    (started.elapsed(), failure)
}

fn on_thread<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK);
        let handle = thread.spawn_scoped(scope, work);
        match handle.map(|h| h.join()) {
            Ok(Ok(value)) => value,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(error) => panic!("no thread: {error}"),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_has_a_corpus_and_stands_some_mutations_of_it() {
        for (name, _) in targets::TARGETS {
            let target = root().join(format!("fuzz_targets/{name}.rs"));
            let text = std::fs::read_to_string(&target).unwrap();
            assert!(text.contains(&format!("{name:?}")), "{name}");
            let outcome = on_thread(|| fuzz(name, 7, &Limit::Inputs(60))).unwrap();
            assert_eq!(outcome.findings, Vec::<String>::new(), "{name}");
            assert_eq!(outcome.inputs, 60);
        }
    }
}
