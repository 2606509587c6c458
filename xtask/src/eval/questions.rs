//! `eval questions`: hand-written questions to the product itself, beside ranking by counts of
//! words with ripgrep.

use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Arguments of `eval questions`.
#[derive(clap::Args)]
pub struct Args {
    /// A folder of checkouts, `owner+name` each
    #[arg(long)]
    corpus: PathBuf,
    /// The questions, tab-separated
    #[arg(long, default_value = "eval/questions.tsv")]
    questions: PathBuf,
    /// The program; by default the one built beside this
    #[arg(long)]
    knotwork: Option<PathBuf>,
    /// Say what came first for every question
    #[arg(long)]
    detail: bool,
}

struct Question {
    repository: String,
    text: String,
    paths: Vec<String>,
    /// Texts of which one must stand in the answering lines.
    needles: Vec<String>,
}

#[derive(Default)]
struct Tally {
    asked: usize,
    file: usize,
    lines: usize,
    file_in_3: usize,
    ripgrep: usize,
}

/// Words that say nothing about code.
const STOP: [&str; 34] = [
    "the", "and", "for", "from", "into", "with", "how", "where", "which", "what", "are", "was",
    "were", "that", "this", "its", "when", "while", "after", "before", "than", "then", "all",
    "too", "not", "could", "can", "has", "have", "one", "two", "such", "next", "run",
];

/// Runs the evaluation.
pub fn evaluate_questions(args: &Args) -> Result<()> {
    let text = std::fs::read_to_string(&args.questions)
        .with_context(|| args.questions.display().to_string())?;
    let questions = parse(&text)?;
    let state = tempfile::tempdir()?;
    let knotwork = match &args.knotwork {
        Some(path) => path.clone(),
        None => std::env::current_exe()?.with_file_name("knotwork"),
    };
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    for question in &questions {
        let root = args.corpus.join(question.repository.replace('/', "+"));
        if !root.is_dir() {
            bail!("{} is not there", root.display());
        }
        let state = state.path().join(question.repository.replace('/', "+"));
        let results = ask(&knotwork, &root, &state, &question.text)?;
        let grepped = ripgrep(&root, &question.text)?;
        let tally = tallies.entry(&question.repository).or_default();
        judge(tally, question, &root, &results, grepped.first());
        if args.detail {
            detail(question, &root, &results, grepped.first());
        }
    }
    report(&tallies);
    Ok(())
}

fn parse(text: &str) -> Result<Vec<Question>> {
    let lines = text
        .lines()
        .filter(|l| !l.is_empty() && !l.starts_with('#'));
    lines
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            let [repository, text, paths, needles] = fields[..] else {
                bail!("not four fields: {line}");
            };
            Ok(Question {
                repository: repository.to_owned(),
                text: text.to_owned(),
                paths: paths.split('|').map(str::to_owned).collect(),
                needles: needles.split("||").map(str::to_owned).collect(),
            })
        })
        .collect()
}

fn ask(knotwork: &Path, root: &Path, state: &Path, text: &str) -> Result<Vec<Value>> {
    let output = Command::new(knotwork)
        .args(["search", text, "-n", "3", "--format", "json"])
        .current_dir(root)
        .env("DEVBOOKS_DIR", state)
        .output()
        .with_context(|| knotwork.display().to_string())?;
    if !output.status.success() {
        bail!("{text}: {}", String::from_utf8_lossy(&output.stderr));
    }
    let answer: Value = serde_json::from_slice(&output.stdout)?;
    Ok(answer["results"].as_array().cloned().unwrap_or_default())
}

/// Files by the number of distinct words of the question that they contain, then by the number of
/// occurrences.
fn ripgrep(root: &Path, text: &str) -> Result<Vec<String>> {
    let mut found: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let words = text
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .map(str::to_lowercase)
        .filter(|w| w.len() > 2 && !STOP.contains(&w.as_str()));
    for word in words {
        let output = Command::new("rg")
            .args(["--count-matches", "-i", "--no-messages", "--", &word])
            .arg(".")
            .current_dir(root)
            .output()
            .context("rg")?;
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            if let Some((path, count)) = line.rsplit_once(':') {
                let path = path.strip_prefix("./").unwrap_or(path);
                let entry = found.entry(path.to_owned()).or_default();
                entry.0 += 1;
                entry.1 += count.parse::<usize>().unwrap_or(0);
            }
        }
    }
    let mut files: Vec<(String, (usize, usize))> = found.into_iter().collect();
    files.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    Ok(files.into_iter().map(|(path, _)| path).collect())
}

impl Question {
    fn is_file(&self, path: &str) -> bool {
        self.paths.iter().any(|p| match p.strip_suffix('/') {
            Some(folder) => path.starts_with(&format!("{folder}/")),
            None => p == path,
        })
    }

    /// Whether the lines of a result contain the answer.
    fn answers(&self, root: &Path, result: &Value) -> bool {
        let path = result["file_path"].as_str().unwrap_or_default();
        let line = |key: &str| result[key].as_u64().unwrap_or(0) as usize;
        let (from, to) = (line("line_start"), line("line_end"));
        let text = std::fs::read_to_string(root.join(path)).unwrap_or_default();
        let mut lines = text.lines().skip(from.max(1) - 1);
        let shown = lines.by_ref().take((to + 1).saturating_sub(from));
        let has = |line: &str| self.needles.iter().any(|n| line.contains(n.as_str()));
        self.is_file(path) && shown.into_iter().any(has)
    }
}

fn path_of(result: &Value) -> &str {
    result["file_path"].as_str().unwrap_or_default()
}

fn judge(
    tally: &mut Tally,
    question: &Question,
    root: &Path,
    results: &[Value],
    grepped: Option<&String>,
) {
    let is_file = |r: &Value| question.is_file(path_of(r));
    tally.asked += 1;
    tally.file += usize::from(results.first().is_some_and(is_file));
    tally.file_in_3 += usize::from(results.iter().any(is_file));
    tally.lines += usize::from(results.first().is_some_and(|r| question.answers(root, r)));
    tally.ripgrep += usize::from(grepped.is_some_and(|p| question.is_file(p)));
}

fn detail(question: &Question, root: &Path, results: &[Value], grepped: Option<&String>) {
    let mark = |right: bool| if right { "+" } else { "-" };
    let shown = |r: &Value| format!("{}:{} {}", path_of(r), r["line_start"], r["symbol"]);
    let first = results.first();
    println!(
        "{}{} {}  {}\n     {}\n   {} rg {}",
        mark(first.is_some_and(|r| question.is_file(path_of(r)))),
        mark(first.is_some_and(|r| question.answers(root, r))),
        question.repository,
        question.text,
        first.map_or("nothing".to_owned(), shown),
        mark(grepped.is_some_and(|p| question.is_file(p))),
        grepped.map_or("nothing", String::as_str),
    );
}

fn report(tallies: &BTreeMap<&str, Tally>) {
    println!(
        "{:<24} {:>5} {:>11} {:>12} {:>10} {:>13}",
        "repository", "asked", "first: file", "first: lines", "file in 3", "ripgrep: file"
    );
    let mut all = Tally::default();
    let row = |name: &str, t: &Tally| {
        println!(
            "{name:<24} {:>5} {:>11} {:>12} {:>10} {:>13}",
            t.asked, t.file, t.lines, t.file_in_3, t.ripgrep
        );
    };
    for (name, t) in tallies {
        row(name, t);
        all.asked += t.asked;
        all.file += t.file;
        all.lines += t.lines;
        all.file_in_3 += t.file_in_3;
        all.ripgrep += t.ripgrep;
    }
    row("all", &all);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_have_four_fields() {
        let all = parse(include_str!("../../../eval/questions.tsv")).unwrap();
        assert_eq!(all.len(), 50);
        let more = parse(include_str!("../../../eval/questions-more.tsv")).unwrap();
        assert_eq!(more.len(), 78);
        assert!(more.iter().any(|q| q.needles.len() > 1));
        assert!(parse("a\tb\n").is_err());
    }

    #[test]
    fn a_folder_stands_for_all_in_it() {
        let question = Question {
            repository: String::new(),
            text: String::new(),
            paths: vec!["a/".to_owned(), "b.rs".to_owned()],
            needles: Vec::new(),
        };
        assert!(question.is_file("a/x/y.rs") && question.is_file("b.rs"));
        assert!(!question.is_file("ab.rs") && !question.is_file("c/b.rs"));
    }
}
