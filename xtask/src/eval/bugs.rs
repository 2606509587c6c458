//! `eval bugs`: bug location on real fixes. The query is the message of the fix or the user's issue; the tree is the
//! parent commit. Measures whether the first candidates contain a file that the fix changed, beside plain BM25 over
//! the same files.

use super::bugs_ablation::Ablation;
use super::bugs_report;
use super::judge_words::Bm25;
use analysis::bug_locate::Signals;
use anyhow::{Context, Result, bail};
use engine::{Engine, Settings};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// The number of candidates that are requested.
const TOP: usize = 200;

/// Arguments of `eval bugs`.
#[derive(clap::Args)]
pub struct Args {
    /// Cases, one JSON object a line
    #[arg(long, env = "KNOTWORK_BUG_CASES")]
    cases: PathBuf,
    /// Folder of clones, `<owner>+<name>` each
    #[arg(long)]
    corpus: PathBuf,
    /// Where checkouts are kept between runs; else they are removed afterwards
    #[arg(long)]
    work: Option<PathBuf>,
    /// The program; else the one beside this
    #[arg(long)]
    binary: Option<PathBuf>,
    /// Only repositories whose name holds this
    #[arg(long)]
    repo: Option<String>,
    /// Only so many cases of each repository
    #[arg(long)]
    limit: Option<usize>,
    /// Take each tuned number out in turn: a Markdown table of what that costs
    #[arg(long)]
    ablate: bool,
    /// With `--ablate`: this number alone; may be given several times
    #[arg(long)]
    number: Vec<String>,
    /// Print cases of which no changed file is among the first five
    #[arg(long)]
    misses: bool,
    /// Write every case's candidates with their signals, one JSON object a line
    #[arg(long)]
    dump: Option<PathBuf>,
}

/// A case, as stored in the data file.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Case {
    /// The name of the case.
    #[serde(default)]
    pub id: String,
    /// `owner/name`.
    pub repo: String,
    /// The file ending of the case's sources.
    pub lang: String,
    /// The commit before the fix.
    pub parent_commit: String,
    /// The query.
    pub text: String,
    /// Files that the fix changed.
    pub gold_files: Vec<String>,
    /// Whether the query contains a word of a changed file's name.
    pub stem_word_in_text: Option<bool>,
}

/// A candidate of the product.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Candidate {
    /// The candidate's file.
    pub file_path: String,
    /// The confidence, 0–1.
    pub confidence: f64,
    /// The signals behind the candidate.
    pub signals: Signals,
}

#[derive(Deserialize)]
struct Answer {
    candidates: Vec<Candidate>,
}

/// A case with its results.
#[derive(Debug, Clone, Serialize)]
pub struct Outcome {
    /// The case.
    pub case: Case,
    /// The product's candidates among the sources of the language.
    pub candidates: Vec<Candidate>,
    /// The rank of the first changed file by BM25, from 1.
    pub bm25: Option<usize>,
    /// The duration of the query, with index and history already loaded.
    pub took: Duration,
}

/// Runs the evaluation.
pub fn evaluate_bugs(args: &Args) -> Result<()> {
    let beside = std::env::current_exe()?.with_file_name("knotwork");
    let binary = args.binary.clone().unwrap_or(beside).canonicalize()?;
    let text = fs::read_to_string(&args.cases).with_context(|| args.cases.display().to_string())?;
    let mut by_repo: BTreeMap<String, Vec<Case>> = BTreeMap::new();
    for line in text.lines().filter(|l| !l.trim().is_empty()) {
        let case: Case = serde_json::from_str(line)?;
        by_repo.entry(case.repo.clone()).or_default().push(case);
    }
    let temporary = tempfile::tempdir()?;
    let work = args
        .work
        .clone()
        .unwrap_or_else(|| temporary.path().to_owned());
    let mut outcomes = Vec::new();
    let mut ablation = Ablation::new(&args.number);
    let mut skipped = 0;
    for (repo, mut cases) in by_repo {
        let clone = args.corpus.join(repo.replace('/', "+"));
        if args.repo.as_ref().is_some_and(|only| !repo.contains(only)) {
            continue;
        }
        if !clone.is_dir() {
            skipped += cases.len();
            continue;
        }
        cases.truncate(args.limit.unwrap_or(usize::MAX));
        let place = Checkout::new(&clone, &work.join(repo.replace('/', "+")))?;
        let engine = args.ablate.then(|| place.engine()).transpose()?;
        for case in cases {
            let asked = place.ask(&binary, &case);
            if let (Some(engine), Ok(_)) = (&engine, &asked) {
                ablation.ask(engine, &case, &place.sources(&case.lang)?)?;
            }
            match asked {
                Ok(outcome) => outcomes.push(outcome),
                Err(error) => {
                    eprintln!("{} {}: {error:#}", case.repo, case.id);
                    skipped += 1;
                }
            }
        }
        eprintln!("{repo}: asked");
    }
    if let Some(file) = &args.dump {
        let lines: Result<Vec<String>, _> = outcomes.iter().map(serde_json::to_string).collect();
        fs::write(file, lines?.join("\n"))?;
    }
    println!("skipped cases, of repositories or commits that are not there: {skipped}\n");
    bugs_report::print(&outcomes, args.misses);
    if args.ablate {
        ablation.print();
    }
    Ok(())
}

/// A checkout that moves from commit to commit, so that each index is an update.
pub struct Checkout {
    folder: PathBuf,
}

impl Checkout {
    /// A copy of a clone that shares its objects. No file is there yet.
    pub fn new(clone: &Path, folder: &Path) -> Result<Checkout> {
        if !folder.join(".git").exists() {
            fs::create_dir_all(folder.parent().unwrap_or(folder))?;
            let done = Command::new("git")
                .args(["clone", "-q", "--shared", "--no-checkout"])
                .args([clone, folder])
                .status()?;
            if !done.success() {
                bail!("{}: cannot be cloned", clone.display());
            }
        }
        Ok(Checkout {
            folder: folder.to_owned(),
        })
    }

    /// An engine in this process, with its own index.
    pub fn engine(&self) -> Result<Engine> {
        let state = self.folder.with_extension("state");
        fs::create_dir_all(&state)?;
        let settings = Settings {
            state_dir: Some(state),
            ..Settings::with_start(&self.folder)
        };
        Ok(Engine::open(settings, Box::new(()))?)
    }

    fn ask(&self, binary: &Path, case: &Case) -> Result<Outcome> {
        self.check_out(&case.parent_commit)?;
        // A first query loads index and history, so that the measured one times the ranking.
        self.locate(binary, "warm")?;
        let since = Instant::now();
        let answer = self.locate(binary, &case.text)?;
        let took = since.elapsed();
        let sources = self.sources(&case.lang)?;
        let bm25 = Bm25::new(&sources).order(&case.text);
        let first = bm25.iter().position(|path| case.gold_files.contains(path));
        let is_source = |c: &Candidate| sources.contains_key(&c.file_path);
        Ok(Outcome {
            case: case.clone(),
            candidates: answer.candidates.into_iter().filter(is_source).collect(),
            bm25: first.map(|at| at + 1),
            took,
        })
    }

    /// Writes the files of a commit into the folder. Blobs that a partial clone lacks are left out.
    pub fn check_out(&self, commit: &str) -> Result<()> {
        let before = self.git(&["ls-files", "-z"])?;
        self.git(&["update-ref", "--no-deref", "HEAD", commit])?;
        self.git(&["read-tree", commit])?;
        let after = self.git(&["ls-files", "-z"])?;
        let after: BTreeSet<&str> = after.split('\0').collect();
        for gone in before
            .split('\0')
            .filter(|path| !path.is_empty() && !after.contains(path))
        {
            let _ = fs::remove_file(self.folder.join(gone));
        }
        Command::new("git")
            .args(["checkout-index", "-a", "-f", "-q"])
            .current_dir(&self.folder)
            .output()?;
        Ok(())
    }

    fn git(&self, arguments: &[&str]) -> Result<String> {
        let done = Command::new("git")
            .args(arguments)
            .current_dir(&self.folder)
            .output()?;
        if !done.status.success() {
            bail!(
                "git {arguments:?}: {}",
                String::from_utf8_lossy(&done.stderr)
            );
        }
        Ok(String::from_utf8_lossy(&done.stdout).into_owned())
    }

    fn locate(&self, binary: &Path, text: &str) -> Result<Answer> {
        let top = TOP.to_string();
        let said = Command::new(binary)
            .args([
                "bug-locate",
                "--explain",
                "--top-n",
                &top,
                "--format",
                "json",
                "--error",
                text,
            ])
            .current_dir(&self.folder)
            .output()?;
        if !said.status.success() {
            bail!("{}", String::from_utf8_lossy(&said.stderr));
        }
        Ok(serde_json::from_slice(&said.stdout)?)
    }

    /// Non-test sources of the language, by path.
    fn sources(&self, lang: &str) -> Result<BTreeMap<String, String>> {
        let ends: &[&str] = match lang {
            "ts" => &["ts", "tsx", "mts", "cts"],
            other => &[other],
        };
        let listed = self.git(&["ls-files", "-z"])?;
        let mut sources = BTreeMap::new();
        for path in listed.split('\0').filter(|p| !base::is_test_path(p)) {
            let end = path.rsplit_once('.').map_or("", |(_, end)| end);
            if ends.contains(&end)
                && let Ok(bytes) = fs::read(self.folder.join(path))
            {
                sources.insert(
                    path.to_owned(),
                    String::from_utf8_lossy(&bytes).into_owned(),
                );
            }
        }
        Ok(sources)
    }
}
