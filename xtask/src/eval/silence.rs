//! `eval silence`: how often the prompt hook stays silent on prompts that are not about the code.

use super::ablation;
use super::search::mean;
use super::search_data::{self, Question};
use anyhow::{Context, Result, bail};
use engine::{Engine, HookTuning, IndexRequest, Settings};
use search::prune::estimate_tokens;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Arguments of `eval silence`.
#[derive(clap::Args)]
pub struct Args {
    /// Folder of checkouts, `<owner>+<name>` each; nothing is written there
    #[arg(long)]
    corpus: PathBuf,
    /// Prompts, each with its group before it and a tab between
    #[arg(long, default_value = "eval/prompts-silent.tsv")]
    prompts: PathBuf,
    /// The binary to ask [default: knotwork beside this program]
    #[arg(long)]
    binary: Option<PathBuf>,
    /// Only these checkouts
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Take each tuned number out in turn: a Markdown table of what that costs, also for these questions (.tsv)
    #[arg(long)]
    ablate: Vec<PathBuf>,
    /// With `--ablate`: this number alone; may be given several times
    #[arg(long)]
    number: Vec<String>,
    /// Print the prompts that were answered
    #[arg(long)]
    noise: bool,
}

/// The time limit of an answer: long enough that the clock never decides.
const DEADLINE: Duration = Duration::from_secs(60);

/// The numbers of prompts sent and answered.
type Counts = BTreeMap<String, (usize, usize)>;

/// Runs the evaluation.
pub fn evaluate_silence(args: &Args) -> Result<()> {
    let beside = std::env::current_exe()?.with_file_name("knotwork");
    let binary = args.binary.clone().unwrap_or(beside);
    let text = std::fs::read_to_string(&args.prompts)
        .with_context(|| args.prompts.display().to_string())?;
    let prompts: Vec<(&str, &str)> = text.lines().filter_map(|l| l.split_once('\t')).collect();
    if prompts.is_empty() {
        bail!("{}: no prompts", args.prompts.display());
    }
    if !args.ablate.is_empty() {
        return ablate(args, &prompts);
    }
    let state = tempfile::tempdir()?;
    let mut counts = Counts::new();
    let mut checkouts: Vec<PathBuf> = std::fs::read_dir(&args.corpus)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.is_dir())
        .collect();
    checkouts.sort();
    for root in checkouts {
        let name = root
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if !args.only.is_empty() && !args.only.contains(&name) {
            continue;
        }
        let state = state.path().join(&name);
        ask(&binary, &root, &state, &["index"])?;
        for (group, prompt) in &prompts {
            let said = ask(&binary, &root, &state, &["hook", "--prompt", prompt])?;
            let silent = serde_json::from_str::<Value>(&said)? == serde_json::json!({});
            let count = counts.entry((*group).to_owned()).or_default();
            count.0 += 1;
            count.1 += usize::from(!silent);
            if !silent && args.noise {
                println!("{name}: {prompt}");
            }
        }
    }
    let all = counts.values().fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
    counts.insert("all".to_owned(), all);
    for (group, (asked, answered)) in counts {
        let silent = 1.0 - answered as f64 / asked.max(1) as f64;
        println!(
            "{group:<8} {asked:>6} prompts, silent {:.1}%",
            silent * 100.0
        );
    }
    Ok(())
}

/// Prints the value of each tuned number, for small talk and for questions about the code.
fn ablate(args: &Args, prompts: &[(&str, &str)]) -> Result<()> {
    let state = tempfile::tempdir()?;
    let mut asked: Vec<(Arc<Engine>, Vec<Question>)> = Vec::new();
    for file in &args.ablate {
        for (name, questions) in search_data::questions(file)? {
            let name = name.replace('/', "+");
            let root = args.corpus.join(&name);
            if !root.is_dir() || !(args.only.is_empty() || args.only.contains(&name)) {
                continue;
            }
            let settings = Settings {
                state_dir: Some(state.path().join(&name)),
                ..Settings::with_start(&root)
            };
            let engine = Engine::open(settings, Box::new(()))?;
            engine.index(&IndexRequest::default())?;
            asked.push((Arc::new(engine), questions));
        }
    }
    let columns = [
        "silent where nothing is asked",
        "holds a relevant file",
        "tokens",
    ];
    ablation::print(&columns, &args.number, |tuning: &HookTuning| {
        let (mut silent, mut held, mut tokens) = (Vec::new(), Vec::new(), Vec::new());
        for (engine, questions) in &asked {
            let said = |text: &str| {
                let deadline = Instant::now() + DEADLINE;
                let answer = engine.hook_prompt_with(text, deadline, tuning);
                answer.additional_context
            };
            for (_, prompt) in prompts {
                silent.push(f64::from(u8::from(said(prompt).is_empty())));
            }
            for question in questions {
                let context = said(&question.query);
                let holds = question.relevant().any(|path| context.contains(path));
                held.push(f64::from(u8::from(holds)));
                tokens.push(estimate_tokens(&context) as f64);
            }
        }
        let all = [silent, held, tokens];
        Ok(all.map(|of| mean(of.into_iter())).to_vec())
    })
}

fn ask(binary: &Path, root: &Path, state: &Path, arguments: &[&str]) -> Result<String> {
    let said = Command::new(binary)
        .args(arguments)
        .current_dir(root)
        .env("DEVBOOKS_DIR", state)
        .stdin(Stdio::null())
        .output()?;
    if !said.status.success() {
        bail!("{arguments:?}: {}", String::from_utf8_lossy(&said.stderr));
    }
    Ok(String::from_utf8_lossy(&said.stdout).into_owned())
}
