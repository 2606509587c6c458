//! `eval unresolved`: calls of a checkout without a known target, counted by reason and called name, with a sample to
//! read.

use super::corpus::Corpus;
use anyhow::Result;
use linker::LinkOutcome;
use std::collections::BTreeMap;
use std::path::PathBuf;
use syntax::facts::CallKind;

/// Arguments of `eval unresolved`.
#[derive(clap::Args)]
pub struct Args {
    /// A checkout.
    dir: PathBuf,
    /// Only calls in files whose path contains this.
    #[arg(long)]
    file: Option<String>,
    /// Only calls whose reason contains this.
    #[arg(long)]
    reason: Option<String>,
    /// How many calls are shown, evenly over all of them.
    #[arg(long, default_value_t = 30)]
    sample: usize,
    /// How many called names are shown for each reason.
    #[arg(long, default_value_t = 15)]
    names: usize,
}

struct Unresolved {
    reason: String,
    name: String,
    place: String,
}

/// Counts and prints the calls.
pub fn count_unresolved(args: &Args) -> Result<()> {
    let corpus = Corpus::link(&args.dir);
    let (total, found) = collect(&corpus, args);
    println!("{} of {total} calls lead nowhere known", found.len());
    let mut reasons: BTreeMap<&str, BTreeMap<&str, u32>> = BTreeMap::new();
    for call in &found {
        let names = reasons.entry(&call.reason).or_default();
        *names.entry(&call.name).or_default() += 1;
    }
    for (reason, names) in reasons {
        let mut names: Vec<(&str, u32)> = names.into_iter().collect();
        names.sort_by_key(|(name, count)| (std::cmp::Reverse(*count), *name));
        let all: u32 = names.iter().map(|(_, count)| count).sum();
        let most: Vec<String> = names
            .iter()
            .take(args.names)
            .map(|(name, count)| format!("{name} {count}"))
            .collect();
        println!("{all:>7}  {reason}: {}", most.join(", "));
    }
    let step = (found.len() / args.sample.max(1)).max(1);
    for call in found.iter().step_by(step).take(args.sample) {
        println!("  {} [{}]", call.place, call.reason);
    }
    Ok(())
}

fn collect(corpus: &Corpus, args: &Args) -> (usize, Vec<Unresolved>) {
    let (mut total, mut found) = (0, Vec::new());
    let wanted = |text: &str, part: &Option<String>| part.as_ref().is_none_or(|p| text.contains(p));
    for (id, file) in corpus.repo.files() {
        if !wanted(&file.path, &args.file) {
            continue;
        }
        let text = std::fs::read_to_string(args.dir.join(&*file.path)).unwrap_or_default();
        let lines: Vec<&str> = text.lines().collect();
        for (call, outcome) in file
            .facts
            .calls
            .iter()
            .zip(&corpus.linked[id.0 as usize].calls)
        {
            if call.kind == CallKind::Literal {
                continue;
            }
            total += 1;
            let LinkOutcome::Unresolved(reason) = outcome else {
                continue;
            };
            let reason = reason.as_str().to_owned();
            if !wanted(&reason, &args.reason) {
                continue;
            }
            let line = lines.get(call.line as usize - 1).copied().unwrap_or("");
            let rest = line.get(call.column as usize..).unwrap_or("");
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '$');
            found.push(Unresolved {
                reason,
                name: rest[..end.unwrap_or(rest.len())].to_owned(),
                place: format!("{}:{}  {}", file.path, call.line, line.trim()),
            });
        }
    }
    (total, found)
}
