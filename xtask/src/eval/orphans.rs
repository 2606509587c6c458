//! `eval orphans`: how many of the symbols that the product reports as unused really are, and whether these come first.
//! The truth is a SCIP index of the same commit or, if there is none, the truth of call sites.

use super::ablation;
use super::search::mean;
use crate::truth;
use analysis::{Orphan, OrphanTuning};
use anyhow::{Context, Result, bail};
use engine::{ArchCheckRequest, Engine, IndexRequest, Settings};
use protobuf::Message;
use scip::types::{Document, Index};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

/// Arguments of `eval orphans`.
#[derive(clap::Args)]
pub struct Args {
    /// The checkout; may be given more than once, with one --truth each
    #[arg(long, required = true)]
    repo: Vec<PathBuf>,
    /// An index.scip, or a .jsonl of call sites
    #[arg(long, required = true)]
    truth: Vec<PathBuf>,
    /// Take each tuned number out in turn: a Markdown table of what that costs
    #[arg(long)]
    ablate: bool,
    /// With `--ablate`: this number alone; may be given several times
    #[arg(long)]
    number: Vec<String>,
    /// Where to keep the product's state; by default in a folder that is gone afterwards
    #[arg(long)]
    state: Option<PathBuf>,
    /// Say what is wrong, at most so many
    #[arg(long, default_value_t = 10)]
    show: usize,
}

/// The verdict of the truth on a reported symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Right,
    Wrong,
    Unknown,
}

#[derive(Default)]
struct Tally {
    right: usize,
    wrong: Vec<String>,
    unknown: usize,
}

/// A repository with its truth.
struct Repository {
    name: String,
    engine: Engine,
    truth: Truth,
}

/// Measures and prints.
pub fn evaluate_orphans(args: &Args) -> Result<()> {
    if args.repo.len() != args.truth.len() {
        bail!("as many --truth as --repo");
    }
    let gone = tempfile::tempdir()?;
    let state = args.state.as_deref().unwrap_or(gone.path());
    let pairs = args.repo.iter().zip(&args.truth);
    let repositories: Vec<Repository> = pairs
        .map(|(repo, file)| Repository::open(repo, file, state))
        .collect::<Result<_>>()?;
    let mut all = (0, 0);
    for repository in &repositories {
        println!("//- {}", repository.name);
        let mut judged = repository.judged(&OrphanTuning::default())?;
        let tallies = tally(&judged);
        for (group, tally) in &tallies {
            print_tally(group, tally, args.show);
        }
        if let Some(tally) = tallies.get(REPORTED) {
            all = (all.0 + tally.right, all.1 + tally.judged());
        }
        let surest_first = average_precision(judged.iter());
        judged.sort_by(|(a, _), (b, _)| (&a.file_path, a.line).cmp(&(&b.file_path, b.line)));
        println!(
            "average precision, surest first {surest_first:.3}, in the order of paths {:.3}",
            average_precision(judged.iter())
        );
    }
    println!(
        "all reported: {} of {} right, precision {:.3}",
        all.0,
        all.1,
        all.0 as f64 / all.1.max(1) as f64
    );
    if args.ablate {
        let columns = ["average precision", "average precision of sure reports"];
        ablation::print(&columns, &args.number, |tuning: &OrphanTuning| {
            let (mut of_all, mut of_sure) = (Vec::new(), Vec::new());
            for repository in &repositories {
                let judged = repository.judged(tuning)?;
                of_all.push(average_precision(judged.iter()));
                let sure = judged.iter().filter(|(orphan, _)| orphan.doubt.is_none());
                of_sure.push(average_precision(sure));
            }
            Ok(vec![mean(of_all.into_iter()), mean(of_sure.into_iter())])
        })?;
    }
    Ok(())
}

/// The default list; other symbols are only possible orphans.
const REPORTED: &str = "reported";

impl Tally {
    fn judged(&self) -> usize {
        self.right + self.wrong.len()
    }
}

fn print_tally(group: &str, tally: &Tally, show: usize) {
    let judged = tally.judged();
    let share = tally.right as f64 / judged.max(1) as f64;
    println!(
        "{group:<48} {judged:>5} judged  {:>5} right  precision {share:.3}  ({} unknown)",
        tally.right, tally.unknown
    );
    for line in tally.wrong.iter().take(show) {
        println!("    wrong: {line}");
    }
}

impl Repository {
    /// Indexes a repository.
    fn open(repo: &Path, truth: &Path, state: &Path) -> Result<Repository> {
        let name = repo.file_name().unwrap_or_default().to_string_lossy();
        let settings = Settings {
            state_dir: Some(state.join(&*name)),
            ..Settings::with_start(repo)
        };
        let engine = Engine::open(settings, Box::new(()))?;
        engine.index(&IndexRequest::default())?;
        Ok(Repository {
            name: name.into_owned(),
            engine,
            truth: Truth::read(truth, repo)?,
        })
    }

    /// Every report, also of possible orphans, in the order of the answer.
    fn judged(&self, tuning: &OrphanTuning) -> Result<Vec<(Orphan, Verdict)>> {
        let request = ArchCheckRequest {
            orphan_check: true,
            possible: true,
            ..ArchCheckRequest::default()
        };
        let orphans = self.engine.arch_check_with(&request, tuning)?.orphans;
        let judge = |orphan: Orphan| {
            let verdict = self.truth.verdict(&orphan);
            (orphan, verdict)
        };
        Ok(orphans.into_iter().map(judge).collect())
    }
}

fn tally(judged: &[(Orphan, Verdict)]) -> BTreeMap<String, Tally> {
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    for (orphan, verdict) in judged {
        let group = match &orphan.doubt {
            None => REPORTED.to_owned(),
            Some(doubt) => doubt.chars().filter(|c| !c.is_ascii_digit()).collect(),
        };
        let tally = tallies.entry(group).or_default();
        match verdict {
            Verdict::Right => tally.right += 1,
            Verdict::Unknown => tally.unknown += 1,
            Verdict::Wrong => tally.wrong.push(format!(
                "{}:{} {} {}",
                orphan.file_path, orphan.line, orphan.kind, orphan.symbol
            )),
        }
    }
    tallies
}

/// The mean, over right reports, of the share of right ones among those up to each. Unknown ones are left out.
fn average_precision<'r>(reports: impl Iterator<Item = &'r (Orphan, Verdict)>) -> f64 {
    let (mut right, mut judged) = (0.0, 0.0);
    let mut precisions = Vec::new();
    for (_, verdict) in reports.filter(|(_, verdict)| *verdict != Verdict::Unknown) {
        judged += 1.0;
        if *verdict == Verdict::Right {
            right += 1.0;
            precisions.push(right / judged);
        }
    }
    mean(precisions.into_iter())
}

/// Definitions and uses.
struct Truth {
    /// Symbols defined at a line of a file, with their names.
    defined: HashMap<(String, u32), Vec<String>>,
    /// Symbols that are mentioned, with the files that mention them.
    used: HashMap<String, HashSet<String>>,
    /// Files in the truth.
    files: HashSet<String>,
    /// Call targets, if the truth knows calls only.
    called: HashSet<(String, u32)>,
}

impl Truth {
    fn read(file: &Path, repo: &Path) -> Result<Truth> {
        let mut truth = Truth {
            defined: HashMap::new(),
            used: HashMap::new(),
            files: HashSet::new(),
            called: HashSet::new(),
        };
        if file.extension().is_some_and(|e| e == "jsonl") {
            for site in truth::read(file)? {
                truth.files.insert(site.file.clone());
                let places = site.places().into_iter().map(|p| (p.file, p.line));
                truth.called.extend(places);
            }
            return Ok(truth);
        }
        let bytes = std::fs::read(file).with_context(|| file.display().to_string())?;
        let index = Index::parse_from_bytes(&bytes).with_context(|| file.display().to_string())?;
        let prefix = truth::scip::prefix(&index, repo);
        for document in &index.documents {
            truth.add(&format!("{prefix}{}", document.relative_path), document);
        }
        Ok(truth)
    }

    fn add(&mut self, path: &str, document: &Document) {
        self.files.insert(path.to_owned());
        for occurrence in &document.occurrences {
            let symbol = if occurrence.symbol.starts_with("local ") {
                format!("{path} {}", occurrence.symbol)
            } else {
                occurrence.symbol.clone()
            };
            let line = occurrence.range.first().copied().unwrap_or(0) as u32 + 1;
            if occurrence.symbol_roles & 1 != 0 {
                let here = self.defined.entry((path.to_owned(), line)).or_default();
                here.push(symbol);
            } else {
                self.used.entry(symbol).or_default().insert(path.to_owned());
            }
        }
        for information in &document.symbols {
            for related in &information.relationships {
                // An implementation or override is reached through the symbol that it implements.
                if related.is_implementation {
                    let user = self.used.entry(information.symbol.clone()).or_default();
                    user.insert(String::new());
                }
            }
        }
    }

    fn verdict(&self, orphan: &Orphan) -> Verdict {
        let (path, line) = (orphan.file_path.as_str(), orphan.line);
        let (shown, kind) = (orphan.symbol.as_str(), orphan.kind.as_str());
        if !self.called.is_empty() {
            return match (self.called.contains(&(path.to_owned(), line)), kind) {
                (true, _) => Verdict::Wrong,
                (false, "function" | "method") if self.files.contains(path) => Verdict::Right,
                _ => Verdict::Unknown,
            };
        }
        if kind == "file" {
            return self.file(path);
        }
        let name = shown.rsplit('.').next().unwrap_or(shown);
        let here = self.defined.get(&(path.to_owned(), line));
        let named = |s: &&String| is_called(s, name);
        let found: Vec<&String> = here.into_iter().flatten().filter(named).collect();
        if found.is_empty() {
            Verdict::Unknown
        } else if found.iter().any(|s| self.used.contains_key(*s)) {
            Verdict::Wrong
        } else {
            Verdict::Right
        }
    }

    /// The verdict on a file: it is used if another file mentions one of its definitions.
    fn file(&self, path: &str) -> Verdict {
        if !self.files.contains(path) {
            return Verdict::Unknown;
        }
        let own = self.defined.iter().filter(|((p, _), _)| p == path);
        let used = own.flat_map(|(_, symbols)| symbols).any(|symbol| {
            let users = self.used.get(symbol);
            users.is_some_and(|users| users.iter().any(|p| p != path))
        });
        if used { Verdict::Wrong } else { Verdict::Right }
    }
}

/// Whether the last descriptor of a symbol has that name.
fn is_called(symbol: &str, name: &str) -> bool {
    let bare = symbol.trim_end_matches(['.', '#', ':', '/', '!']);
    let bare = bare.strip_suffix("()").unwrap_or(bare);
    let bare = bare.rsplit_once("(+").map_or(bare, |(before, _)| before);
    let last = bare
        .rsplit(['/', '#', '.', '`', ':', ']'])
        .find(|part| !part.is_empty());
    last == Some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn right_reports_at_the_end_lower_the_average_precision() {
        let of = |verdicts: &[Verdict]| {
            let orphan = |verdict: &Verdict| {
                let orphan = Orphan {
                    symbol: String::new(),
                    kind: String::new(),
                    file_path: String::new(),
                    line: 1,
                    suggestion: String::new(),
                    confidence: 0.9,
                    doubt: None,
                };
                (orphan, *verdict)
            };
            let reports: Vec<(Orphan, Verdict)> = verdicts.iter().map(orphan).collect();
            average_precision(reports.iter())
        };
        let (right, wrong, unknown) = (Verdict::Right, Verdict::Wrong, Verdict::Unknown);
        assert_eq!(of(&[right, unknown, right, wrong]), 1.0);
        assert_eq!(of(&[wrong, unknown, right]), 0.5);
        assert_eq!(of(&[wrong]), 0.0);
    }

    #[test]
    fn the_last_descriptor_names_a_symbol() {
        assert!(is_called(
            "scip-python python requests 2 `requests.api`/get().",
            "get"
        ));
        assert!(is_called(
            "scip-typescript npm zod 4 src/`a.ts`/Zod#parse().",
            "parse"
        ));
        assert!(is_called(
            "rust-analyzer cargo z 1 util/impl#[Fzf]new().",
            "new"
        ));
        assert!(is_called("scip-typescript npm zod 4 src/`a.ts`/T#", "T"));
        assert!(!is_called(
            "scip-python python requests 2 `requests.api`/get().(url)",
            "get"
        ));
    }
}
