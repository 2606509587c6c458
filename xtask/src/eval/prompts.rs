//! `eval prompts`: the context that Graph-RAG and the prompt hook give to an agent. Measures how often it contains a
//! relevant file, its cost in tokens, and the tokens before the first relevant file.

use super::search::mean;
use super::search_data::{self, Question};
use anyhow::{Context, Result, bail};
use search::prune::estimate_tokens;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Arguments of `eval prompts`.
#[derive(clap::Args)]
pub struct Args {
    /// Folder of checkouts, `<owner>+<name>` each; nothing is written there
    #[arg(long)]
    corpus: PathBuf,
    /// Queries with their relevant files, one JSON object a line
    #[arg(long, env = "KNOTWORK_SEARCH_QUERIES")]
    queries: PathBuf,
    /// The binary to ask [default: knotwork beside this program]
    #[arg(long)]
    binary: Option<PathBuf>,
    /// Budgets of tokens
    #[arg(long, value_delimiter = ',', default_values_t = [1_000, 2_000, 4_000, 8_000])]
    budgets: Vec<usize>,
    /// Only repositories whose names contain this
    #[arg(long)]
    only: Option<String>,
    /// Print questions whose context lacks every relevant file
    #[arg(long)]
    misses: bool,
}

/// The value of one answer.
#[derive(Debug, Clone, Copy, Default)]
struct Worth {
    /// Tokens in the whole answer.
    tokens: f64,
    /// 1 if the answer is not empty.
    said: f64,
    /// 1 if the answer contains a relevant file.
    held: f64,
    /// 1 if only the graph led to it.
    by_graph: f64,
    /// Tokens up to and including the first relevant file, if there is one.
    first: Option<usize>,
}

/// Runs the evaluation.
pub fn evaluate_prompts(args: &Args) -> Result<()> {
    let beside = std::env::current_exe()?.with_file_name("knotwork");
    let binary = args.binary.clone().unwrap_or(beside);
    if !binary.is_file() {
        bail!("{}: not there; build it first", binary.display());
    }
    let state = tempfile::tempdir()?;
    let mut graph: BTreeMap<usize, Vec<Worth>> = BTreeMap::new();
    let mut hook: Vec<Worth> = Vec::new();
    let mut skipped = 0;
    for (name, questions) in search_data::questions(&args.queries)? {
        let root = args.corpus.join(name.replace('/', "+"));
        let wanted = args.only.as_ref().is_none_or(|only| name.contains(only));
        if !root.is_dir() || !wanted {
            skipped += questions.len();
            continue;
        }
        let asker = Asker {
            binary: &binary,
            root: &root,
            state: state.path().join(name.replace('/', "+")),
        };
        asker.said(&["index"], None)?;
        let before: usize = hook.len();
        for question in &questions {
            for budget in &args.budgets {
                let worth = asker.context(question, *budget)?;
                if args.misses && worth.held == 0.0 && Some(budget) == args.budgets.last() {
                    println!("{name}: {} -> {:?}", question.query, question.gains);
                }
                graph.entry(*budget).or_default().push(worth);
            }
            hook.push(asker.hook(question)?);
        }
        println!("{name:<24} {:>4} questions", hook.len() - before);
    }
    println!("skipped questions of repositories that are not there: {skipped}\n");
    report(&graph, &hook);
    Ok(())
}

fn report(graph: &BTreeMap<usize, Vec<Worth>>, hook: &[Worth]) {
    println!(
        "{:<22}{:>8}{:>8}{:>9}{:>9}{:>10}{:>8}{:>7}{:>7}{:>7}",
        "", "said", "holds", "by graph", "tokens", "to first", "@500", "@1k", "@2k", "@4k"
    );
    for (budget, worth) in graph {
        row(&format!("graph-rag, {budget}"), worth);
    }
    row("hook", hook);
}

fn row(name: &str, all: &[Worth]) {
    let of = |value: fn(&Worth) -> f64| mean(all.iter().map(value));
    let mut first: Vec<usize> = all.iter().filter_map(|w| w.first).collect();
    first.sort_unstable();
    let median = first.get(first.len() / 2).copied().unwrap_or(0);
    print!(
        "{name:<22}{:>8.3}{:>8.3}{:>9.3}{:>9.0}{median:>10}",
        of(|w| w.said),
        of(|w| w.held),
        of(|w| w.by_graph),
        of(|w| w.tokens),
    );
    for within in [500, 1_000, 2_000, 4_000] {
        let held = first.iter().filter(|tokens| **tokens <= within).count();
        print!("{:>7.3}", held as f64 / all.len().max(1) as f64);
    }
    println!();
}

/// Queries the binary about one repository.
struct Asker<'a> {
    binary: &'a Path,
    root: &'a Path,
    state: PathBuf,
}

impl Asker<'_> {
    fn said(&self, arguments: &[&str], input: Option<&str>) -> Result<String> {
        let mut child = Command::new(self.binary)
            .args(arguments)
            .current_dir(self.root)
            .env("DEVBOOKS_DIR", &self.state)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| self.binary.display().to_string())?;
        if let Some(mut to) = child.stdin.take() {
            // A program that needs no input may have closed it.
            let _ = to.write_all(input.unwrap_or_default().as_bytes());
        }
        let done = child.wait_with_output()?;
        if !done.status.success() {
            bail!("{arguments:?} in {}: {}", self.root.display(), done.status);
        }
        Ok(String::from_utf8_lossy(&done.stdout).into_owned())
    }

    fn context(&self, question: &Question, budget: usize) -> Result<Worth> {
        let budget = budget.to_string();
        let text = self.said(
            &[
                "graph-rag",
                &question.query,
                "--budget",
                &budget,
                "--no-cache",
                "--format",
                "json",
            ],
            None,
        )?;
        let answer: Value = serde_json::from_str(&text)?;
        let mut worth = Worth {
            tokens: answer["token_count"].as_u64().unwrap_or(0) as f64,
            ..Worth::default()
        };
        let mut sum = 0;
        for candidate in answer["candidates"].as_array().into_iter().flatten() {
            worth.said = 1.0;
            sum += candidate["tokens"].as_u64().unwrap_or(0) as usize;
            let path = candidate["file_path"].as_str().unwrap_or("");
            if worth.first.is_none() && question.is_relevant(path) {
                worth.first = Some(sum);
                worth.held = 1.0;
                worth.by_graph = f64::from(u8::from(candidate["source"] == "graph"));
            }
        }
        Ok(worth)
    }

    /// Runs the hook as Claude Code does.
    fn hook(&self, question: &Question) -> Result<Worth> {
        let input = json!({
            "hook_event_name": "UserPromptSubmit",
            "prompt": question.query,
            "cwd": self.root,
            "session_id": "eval",
        });
        let text = self.said(&["hook"], Some(&input.to_string()))?;
        let answer: Value = serde_json::from_str(&text).unwrap_or_default();
        let context = &answer["hookSpecificOutput"]["additionalContext"];
        let context = context.as_str().unwrap_or("");
        let found = question
            .relevant()
            .filter_map(|path| context.find(path))
            .min();
        Ok(Worth {
            tokens: estimate_tokens(context) as f64,
            said: f64::from(u8::from(!context.is_empty())),
            held: f64::from(u8::from(found.is_some())),
            by_graph: 0.0,
            first: found.map(|at| estimate_tokens(context.get(..at).unwrap_or(context))),
        })
    }
}
