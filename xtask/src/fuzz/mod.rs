//! `fuzz`: runs the targets of `fuzz/` on mutations of the corpus, without a nightly toolchain.
//!
//! A target runs in its own process under a watchdog. An input on which it hangs, takes too much memory or dies is a
//! finding, and a new process continues with other mutations.

mod mutate;
#[path = "../../../fuzz/targets.rs"]
mod targets;
mod watch;

use anyhow::{Context, Result, bail};
use mutate::mutate;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use testkit::edits::Random;
use watch::{Limits, Watch};

/// The stack size of the thread that runs a target, the same as for indexing workers.
const STACK: usize = 64 << 20;

/// Mutations kept in memory as starting points, besides the corpus.
const POOL: usize = 256;

/// A target stops after this many findings.
const MOST_FOUND: usize = 10;

/// The exit code of a process that ended by itself is this number plus the number of its findings.
const FOUND: i32 = 100;

/// The time for a process to start, and to write down its findings.
const GRACE: Duration = Duration::from_secs(30);

/// Arguments of `fuzz`.
#[derive(clap::Args, Clone)]
pub struct Args {
    /// How long each target runs.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// The start of the random numbers: the same gives the same run.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// An input that takes longer is a finding. Seconds.
    #[arg(long, default_value_t = 10)]
    limit: u64,
    /// An input that takes more memory is a finding. MiB.
    #[arg(long, default_value_t = 1_024)]
    memory: u64,
    /// Instead: this one input.
    #[arg(long)]
    input: Option<PathBuf>,
    /// Where the process that runs the target leaves the input that it is at.
    #[arg(long, hide = true)]
    last: Option<PathBuf>,
    /// A target, or `all`; `facts_LANGUAGE` reads sources of a language.
    target: String,
}

impl Args {
    fn limits(&self) -> Limits {
        Limits {
            time: Duration::from_secs(self.limit),
            memory: self.memory << 20,
        }
    }
}

/// Runs the targets and prints; fails if there was a finding.
pub fn fuzz_all(args: &Args) -> Result<()> {
    if let Some(last) = &args.last {
        let found = fuzz_as_child(args, last)?;
        std::process::exit(FOUND + found as i32);
    }
    let known = targets::names();
    let is_chosen = |name: &&String| args.target == "all" || args.target == **name;
    let chosen: Vec<&String> = known.iter().filter(is_chosen).collect();
    if chosen.is_empty() {
        bail!("no target {}; there are: {}", args.target, known.join(", "));
    }
    let mut found = 0;
    for name in chosen {
        found += match &args.input {
            Some(input) => usize::from(one(args, name, input)?.is_some()),
            None => supervise(args, name)?,
        };
    }
    if found > 0 {
        bail!("{found} inputs found");
    }
    Ok(())
}

/// Runs a target in processes of its own until the time is up. Returns the number of findings.
fn supervise(args: &Args, name: &str) -> Result<usize> {
    let end = Instant::now() + Duration::from_secs(args.seconds);
    let (mut found, mut seed) = (0, args.seed);
    while found < MOST_FOUND {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            break;
        }
        let part = Args {
            seconds: left.as_secs().max(1),
            seed,
            ..args.clone()
        };
        let last = last_of(name);
        let ended = child(&part, name, None, &last, left)?;
        match ended {
            Ended::Itself(count) => {
                found += count;
                // If a watchdog ended the process, the next one continues after that input.
                if count == 0 {
                    break;
                }
            }
            Ended::Otherwise(how) => {
                let data = std::fs::read(&last).with_context(|| last.display().to_string())?;
                let at = keep(name, &data)?;
                // The machine may have been busy, so an input is a finding only if it fails again.
                match one(args, name, &at)? {
                    Some(_) => found += 1,
                    None => println!("  {}: {how}, but not again", at.display()),
                }
            }
        }
        let _ = std::fs::remove_file(&last);
        seed = seed.wrapping_add(0x9e37_79b9);
    }
    Ok(found)
}

/// Runs one input in its own process. Returns the failure, if any.
fn one(args: &Args, name: &str, input: &Path) -> Result<Option<String>> {
    let last = last_of(name);
    let time = Duration::from_secs(args.limit);
    let failure = match child(args, name, Some(input), &last, time)? {
        Ended::Itself(0) => None,
        Ended::Itself(_) => Some("failed".to_owned()),
        Ended::Otherwise(how) => Some(how),
    };
    let _ = std::fs::remove_file(&last);
    if let Some(failure) = &failure {
        println!("{name}: {}: {failure}; again with", input.display());
        let limits = format!("--limit {} --memory {}", args.limit, args.memory);
        println!(
            "  cargo xtask fuzz {limits} --input {} {name}",
            input.display()
        );
    }
    Ok(failure)
}

/// How the process of a target ended.
enum Ended {
    /// By itself, with this many findings.
    Itself(usize),
    /// Killed by its watchdog, the system or its parent.
    Otherwise(String),
}

fn last_of(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("knotwork-fuzz-{name}-{}", std::process::id()))
}

fn child(
    args: &Args,
    name: &str,
    input: Option<&Path>,
    last: &Path,
    time: Duration,
) -> Result<Ended> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["fuzz", name, "--last"]).arg(last);
    for (option, value) in [
        ("--seconds", args.seconds),
        ("--seed", args.seed),
        ("--limit", args.limit),
        ("--memory", args.memory),
    ] {
        command.arg(option).arg(value.to_string());
    }
    if let Some(input) = input {
        command.arg("--input").arg(input);
    }
    let mut child = command.spawn()?;
    let end = Instant::now() + time + Duration::from_secs(args.limit) * 2 + GRACE;
    loop {
        if let Some(status) = child.try_wait()? {
            let found = status.code().and_then(|code| code.checked_sub(FOUND));
            return Ok(match found.and_then(|n| usize::try_from(n).ok()) {
                Some(found) => Ended::Itself(found),
                None => Ended::Otherwise(watch::cause(status)),
            });
        }
        if Instant::now() >= end {
            child.kill()?;
            child.wait()?;
            return Ok(Ended::Otherwise("does not end".to_owned()));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The work of a target's process. Returns the number of findings.
fn fuzz_as_child(args: &Args, last: &Path) -> Result<usize> {
    let name = args.target.as_str();
    let watch = Watch::start(args.limits(), |cause| std::process::exit(cause.code()));
    if let Some(input) = &args.input {
        let data = std::fs::read(input).with_context(|| input.display().to_string())?;
        let (spent, failure) = on_thread(|| watch.during(|| time_target(name, &data)));
        let said = failure.as_deref().unwrap_or("fine");
        println!("{name}: {} bytes, {spent:.1?}, {said}", data.len());
        return Ok(usize::from(failure.is_some()));
    }
    let limit = Limit::Time(Instant::now() + Duration::from_secs(args.seconds));
    let outcome = on_thread(|| fuzz(name, args.seed, &limit, &watch, last))?;
    println!(
        "{name}: {} inputs, slowest {:.1?}, {} found",
        outcome.inputs,
        outcome.slowest,
        outcome.findings.len()
    );
    for finding in &outcome.findings {
        println!("  {finding}");
    }
    Ok(outcome.findings.len())
}

enum Limit {
    Time(Instant),
    #[cfg(test)]
    Inputs(u64),
}

/// The results of a run.
struct Outcome {
    inputs: u64,
    slowest: Duration,
    findings: Vec<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz")
}

/// The inputs in a target's corpus, sorted by name.
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

/// Runs a target on its corpus and on mutations. `last` always holds the current input, for the parent if the process
/// dies.
fn fuzz(name: &str, seed: u64, limit: &Limit, watch: &Watch, last: &Path) -> Result<Outcome> {
    let mut pool = corpus(name)?;
    let kept = pool.len();
    let mut random = Random::new(seed);
    let mut outcome = Outcome {
        inputs: 0,
        slowest: Duration::ZERO,
        findings: Vec::new(),
    };
    loop {
        let over = match limit {
            Limit::Time(end) => Instant::now() >= *end,
            #[cfg(test)]
            Limit::Inputs(end) => outcome.inputs >= *end,
        };
        if over || outcome.findings.len() >= MOST_FOUND {
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
        std::fs::write(last, &data).with_context(|| last.display().to_string())?;
        let (spent, failure) = watch.during(|| time_target(name, &data));
        outcome.slowest = outcome.slowest.max(spent);
        if let Some(failure) = failure {
            let at = keep(name, &data)?;
            let at = at.display();
            let again = format!("cargo xtask fuzz --input {at} {name}");
            let finding = format!("{at}: {failure}; again with\n    {again}");
            outcome.findings.push(finding);
        } else if pool.len() < kept + POOL {
            pool.push(data);
        } else {
            let at = kept + random.below(POOL);
            pool[at] = data;
        }
    }
    Ok(outcome)
}

/// A random index; half of the time it is one of the first, which are the corpus.
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

/// Runs a target once. Returns the duration, and the panic message if it panicked.
fn time_target(name: &str, data: &[u8]) -> (Duration, Option<String>) {
    let started = Instant::now();
    let result = catch_unwind(AssertUnwindSafe(|| targets::run_target(name, data)));
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

    const LIMITS: Limits = Limits {
        time: Duration::from_secs(120),
        memory: 4 << 30,
    };

    #[test]
    fn every_target_has_a_corpus_and_stands_some_mutations_of_it() {
        for name in targets::names() {
            let name = name.as_str();
            // The cargo-fuzz target `facts` takes the language as an argument.
            let file = name.split_once("facts_").map_or(name, |_| "facts");
            let target = root().join(format!("fuzz_targets/{file}.rs"));
            let text = std::fs::read_to_string(&target).unwrap();
            let said = if file == "facts" {
                "facts_{language}"
            } else {
                name
            };
            assert!(text.contains(&format!("{said}\"")), "{name}");
            let watch = Watch::start(LIMITS, |cause| panic!("{cause:?}"));
            let last = tempfile::NamedTempFile::new().unwrap();
            let limit = Limit::Inputs(60);
            let outcome = on_thread(|| fuzz(name, 7, &limit, &watch, last.path())).unwrap();
            assert_eq!(outcome.findings, Vec::<String>::new(), "{name}");
            assert_eq!(outcome.inputs, 60);
        }
    }
}
