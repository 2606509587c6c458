//! `eval orphans`: how many of the symbols that the product reports as unused really are. The truth is a SCIP index
//! of the same commit or, if there is none, the truth of call sites.

use crate::truth;
use anyhow::{Context, Result, bail};
use protobuf::Message;
use scip::types::{Document, Index};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Arguments of `eval orphans`.
#[derive(clap::Args)]
pub struct Args {
    /// The checkout; may be given more than once, with one --truth each
    #[arg(long, required = true)]
    repo: Vec<PathBuf>,
    /// An index.scip, or a .jsonl of call sites
    #[arg(long, required = true)]
    truth: Vec<PathBuf>,
    /// The program; by default the one built beside this
    #[arg(long)]
    knotwork: Option<PathBuf>,
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

/// Measures and prints.
pub fn evaluate_orphans(args: &Args) -> Result<()> {
    if args.repo.len() != args.truth.len() {
        bail!("as many --truth as --repo");
    }
    let knotwork = match &args.knotwork {
        Some(path) => path.clone(),
        None => std::env::current_exe()?.with_file_name("knotwork"),
    };
    let gone = tempfile::tempdir()?;
    let mut all = (0, 0);
    for (repo, file) in args.repo.iter().zip(&args.truth) {
        let name = repo.file_name().unwrap_or_default().to_string_lossy();
        let state = args.state.as_deref().unwrap_or(gone.path()).join(&*name);
        let truth = Truth::read(file, repo)?;
        let tallies = measure(&knotwork, repo, &state, &truth)?;
        println!("//- {name}");
        for (group, tally) in &tallies {
            let judged = tally.right + tally.wrong.len();
            let share = tally.right as f64 / judged.max(1) as f64;
            println!(
                "{group:<48} {judged:>5} judged  {:>5} right  precision {share:.3}  ({} unknown)",
                tally.right, tally.unknown
            );
            for line in tally.wrong.iter().take(args.show) {
                println!("    wrong: {line}");
            }
            if group == REPORTED {
                all = (all.0 + tally.right, all.1 + judged);
            }
        }
    }
    println!(
        "all reported: {} of {} right, precision {:.3}",
        all.0,
        all.1,
        all.0 as f64 / all.1.max(1) as f64
    );
    Ok(())
}

/// The default list; other symbols are only possible orphans.
const REPORTED: &str = "reported";

fn measure(
    knotwork: &Path,
    repo: &Path,
    state: &Path,
    truth: &Truth,
) -> Result<BTreeMap<String, Tally>> {
    let output = Command::new(knotwork)
        .args([
            "arch-check",
            "--orphan-check",
            "--possible",
            "--format",
            "json",
        ])
        .current_dir(repo)
        .env("DEVBOOKS_DIR", state)
        .env("KNOTWORK_CACHE_SHARED", "false")
        .output()
        .with_context(|| knotwork.display().to_string())?;
    if !output.status.success() {
        bail!(
            "{}: {}",
            repo.display(),
            String::from_utf8_lossy(&output.stderr)
        );
    }
    let answer: Value = serde_json::from_slice(&output.stdout)?;
    let orphans = answer["orphans"].as_array().context("no list of orphans")?;
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    for orphan in orphans {
        let text = |key: &str| orphan[key].as_str().unwrap_or_default().to_owned();
        let group = match orphan["doubt"].as_str() {
            None => REPORTED.to_owned(),
            Some(doubt) => doubt.chars().filter(|c| !c.is_ascii_digit()).collect(),
        };
        let line = orphan["line"].as_u64().unwrap_or_default() as u32;
        let (path, symbol, kind) = (text("file_path"), text("symbol"), text("kind"));
        let tally = tallies.entry(group).or_default();
        match truth.verdict(&path, line, &symbol, &kind) {
            Verdict::Right => tally.right += 1,
            Verdict::Unknown => tally.unknown += 1,
            Verdict::Wrong => tally.wrong.push(format!("{path}:{line} {kind} {symbol}")),
        }
    }
    Ok(tallies)
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

    fn verdict(&self, path: &str, line: u32, shown: &str, kind: &str) -> Verdict {
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
    use super::is_called;

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
