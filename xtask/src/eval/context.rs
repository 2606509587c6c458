//! `eval context`: whether the context for a question, within a budget of tokens, contains a relevant file, and the context
//! for an issue a function that its fix changed.

use super::ablation::{chosen_numbers, is_neutral, print_all};
use super::bugs::Checkout;
use super::search_data;
use anyhow::{Context, Result};
use base::tuning::Table;
use engine::{
    ContextCandidate, Engine, GraphRagRequest, GraphRagTuning, IndexRequest, Settings, UserAction,
};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Arguments of `eval context`.
#[derive(clap::Args)]
pub struct Args {
    /// Folder of clones, `<owner>+<name>` each; nothing is written there. Questions are asked about the files as they are
    #[arg(long)]
    corpus: PathBuf,
    /// Questions with their relevant files, one JSON object a line; may be given several times
    #[arg(long)]
    queries: Vec<PathBuf>,
    /// Issues with the functions that their fixes changed, one JSON object a line
    #[arg(long)]
    issues: Vec<PathBuf>,
    /// Budgets of tokens
    #[arg(long, value_delimiter = ',', default_values_t = [1_000, 2_000, 4_000, 8_000])]
    budgets: Vec<i64>,
    /// After each question, record that the user edited the relevant files, so that later questions are asked with preferences
    #[arg(long)]
    choices: bool,
    /// Take each tuned number out in turn: a Markdown table of what that costs
    #[arg(long)]
    ablate: bool,
    /// With `--ablate`: this number alone; may be given several times
    #[arg(long)]
    number: Vec<String>,
}

/// A text to ask, with the places that answer it.
struct Case {
    text: String,
    files: BTreeSet<String>,
    /// Changed functions by file, dotted within it; none for a question.
    functions: BTreeMap<String, BTreeSet<String>>,
    /// Changed lines by file.
    lines: BTreeMap<String, Vec<u32>>,
}

/// An issue, as stored in the data file.
#[derive(Deserialize)]
struct Issue {
    repo: String,
    parent_commit: String,
    text: String,
    gold_files: BTreeSet<String>,
    /// `path:Class.function`.
    gold_functions: Vec<String>,
    gold_lines: BTreeMap<String, Vec<u32>>,
}

/// The number of contexts with each budget that contain what they should.
#[derive(Clone, Default)]
struct Held {
    asked: usize,
    held: Vec<usize>,
}

/// The results with one set of numbers.
#[derive(Clone, Default)]
struct Results {
    /// Relevant files of questions.
    relevant: Held,
    /// Changed files of issues.
    changed: Held,
    /// Changed functions of issues.
    functions: Held,
}

/// Every set of numbers, the product's first, with its results.
struct Variants<'a> {
    budgets: &'a [i64],
    all: Vec<(GraphRagTuning, Results)>,
}

/// Runs the evaluation.
pub fn evaluate_context(args: &Args) -> Result<()> {
    let mut numbers = chosen_numbers::<GraphRagTuning>(&args.number);
    numbers.retain(|number| args.ablate && !is_neutral(number));
    let without = numbers.iter().map(GraphRagTuning::without);
    let tunings = std::iter::once(GraphRagTuning::default()).chain(without);
    let mut variants = Variants {
        budgets: &args.budgets,
        all: tunings.map(|t| (t, Results::default())).collect(),
    };
    let work = tempfile::tempdir()?;
    let mut skipped = 0;
    for file in &args.queries {
        skipped += ask_questions(args, file, work.path(), &mut variants)?;
    }
    for file in &args.issues {
        skipped += ask_issues(args, file, work.path(), &mut variants)?;
    }
    println!("skipped, of repositories or commits that are not there: {skipped}\n");
    let (_, full) = &variants.all[0];
    report(&args.budgets, full);
    if args.ablate {
        let asked = [
            ("relevant file", full.relevant.asked),
            ("changed function", full.functions.asked),
        ];
        let columns: Vec<String> = asked
            .into_iter()
            .filter(|(_, asked)| *asked > 0)
            .flat_map(|(what, _)| args.budgets.iter().map(move |b| format!("{what} in {b}")))
            .collect();
        let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
        let without: Vec<Vec<f64>> = variants.all[1..].iter().map(|(_, r)| r.figures()).collect();
        print_all(&columns, &full.figures(), (&numbers, &without));
    }
    Ok(())
}

fn report(budgets: &[i64], results: &Results) {
    print!("{:<28}{:>7}", "held within a budget of", "asked");
    budgets.iter().for_each(|budget| print!("{budget:>8}"));
    println!();
    for (name, held) in [
        ("relevant file", &results.relevant),
        ("changed file of an issue", &results.changed),
        ("changed function", &results.functions),
    ] {
        print!("{name:<28}{:>7}", held.asked);
        held.shares().for_each(|share| print!("{share:>8.3}"));
        println!();
    }
}

/// Asks the questions of a file. Returns the number of those that were skipped.
fn ask_questions(
    args: &Args,
    file: &Path,
    work: &Path,
    variants: &mut Variants<'_>,
) -> Result<usize> {
    let mut skipped = 0;
    for (repo, questions) in search_data::questions(file)? {
        let name = repo.replace('/', "+");
        let root = args.corpus.join(&name);
        if !root.is_dir() {
            skipped += questions.len();
            continue;
        }
        let settings = Settings {
            state_dir: Some(work.join("questions").join(&name)),
            ..Settings::with_start(&root)
        };
        let engine = Engine::open(settings, Box::new(()))?;
        engine.index(&IndexRequest::default())?;
        for question in &questions {
            let case = Case {
                text: question.query.clone(),
                files: question.relevant().map(str::to_owned).collect(),
                functions: BTreeMap::new(),
                lines: BTreeMap::new(),
            };
            variants.ask(&engine, &case, |results| &mut results.relevant)?;
            for file in case.files.iter().filter(|_| args.choices) {
                engine.record_file_action(file, None, UserAction::Edit);
            }
        }
        println!("{repo:<32} {:>4} questions", questions.len());
    }
    Ok(skipped)
}

/// Asks the issues of a file, each at the commit before its fix. Returns the number of those that were skipped.
fn ask_issues(args: &Args, file: &Path, work: &Path, variants: &mut Variants<'_>) -> Result<usize> {
    let text = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
    let mut by_repo: BTreeMap<String, Vec<Issue>> = BTreeMap::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let issue: Issue = serde_json::from_str(line)?;
        by_repo.entry(issue.repo.clone()).or_default().push(issue);
    }
    let mut skipped = 0;
    for (repo, issues) in by_repo {
        let name = repo.replace('/', "+");
        let clone = args.corpus.join(&name);
        if !clone.is_dir() {
            skipped += issues.len();
            continue;
        }
        let place = Checkout::new(&clone, &work.join("issues").join(&name))?;
        let engine = place.engine()?;
        let count = issues.len();
        for issue in issues {
            if place.check_out(&issue.parent_commit).is_err() {
                skipped += 1;
                continue;
            }
            engine.index(&IndexRequest::default())?;
            let case = Case::from(issue);
            variants.ask(&engine, &case, |results| &mut results.changed)?;
        }
        println!("{repo:<32} {count:>4} issues");
    }
    Ok(skipped)
}

impl From<Issue> for Case {
    fn from(issue: Issue) -> Case {
        let mut functions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for place in &issue.gold_functions {
            if let Some((path, name)) = place.split_once(':') {
                let of_file = functions.entry(path.to_owned()).or_default();
                of_file.insert(name.to_owned());
            }
        }
        Case {
            text: issue.text,
            files: issue.gold_files,
            functions,
            lines: issue.gold_lines,
        }
    }
}

impl Variants<'_> {
    /// Asks with every set of numbers. `files` are the results to which the case's files belong.
    fn ask(
        &mut self,
        engine: &Engine,
        case: &Case,
        files: fn(&mut Results) -> &mut Held,
    ) -> Result<()> {
        for (tuning, results) in &mut self.all {
            let mut with_file = Vec::new();
            let mut with_function = Vec::new();
            for budget in self.budgets {
                let request = GraphRagRequest {
                    budget: Some(*budget),
                    no_cache: true,
                    ..GraphRagRequest::from_query(&*case.text)
                };
                let context = engine.graph_rag_with(&request, tuning)?.candidates;
                with_file.push(context.iter().any(|c| case.files.contains(&c.file_path)));
                with_function.push(context.iter().any(|c| case.holds_function(c)));
            }
            files(results).add(&with_file);
            if !case.functions.is_empty() {
                results.functions.add(&with_function);
            }
        }
        Ok(())
    }
}

impl Case {
    /// Whether a fragment is of a changed function: by its name, or by a changed line in a file with such a function.
    fn holds_function(&self, fragment: &ContextCandidate) -> bool {
        let Some(functions) = self.functions.get(&fragment.file_path) else {
            return false;
        };
        let mut names = std::iter::once(&fragment.symbol).chain(&fragment.also);
        let shown = fragment.line_start..=fragment.line_end;
        let mut lines = self.lines.get(&fragment.file_path).into_iter().flatten();
        names.any(|name| functions.contains(name)) || lines.any(|line| shown.contains(line))
    }
}

impl Held {
    /// Adds a case: whether the context of each budget contains what it should.
    fn add(&mut self, held: &[bool]) {
        self.asked += 1;
        self.held.resize(held.len(), 0);
        for (sum, held) in self.held.iter_mut().zip(held) {
            *sum += usize::from(*held);
        }
    }

    fn shares(&self) -> impl Iterator<Item = f64> {
        let asked = self.asked.max(1) as f64;
        self.held.iter().map(move |held| *held as f64 / asked)
    }
}

impl Results {
    fn figures(&self) -> Vec<f64> {
        self.relevant
            .shares()
            .chain(self.functions.shares())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_is_held_by_its_name_or_by_a_changed_line() {
        let case = Case::from(Issue {
            repo: String::new(),
            parent_commit: String::new(),
            text: String::new(),
            gold_files: BTreeSet::from(["a.py".to_owned(), "b.py".to_owned()]),
            gold_functions: vec!["a.py:Session.send".to_owned()],
            gold_lines: BTreeMap::from([
                ("a.py".to_owned(), vec![40]),
                ("b.py".to_owned(), vec![5]),
            ]),
        });
        let fragment = |path: &str, symbol: &str, lines: (u32, u32)| {
            let text = serde_json::json!({
                "file_path": path, "symbol": symbol, "line_start": lines.0, "line_end": lines.1,
                "kind": "", "relevance_score": 0.0, "hotspot": 0.0, "distance": 1, "priority": 0.0,
                "tokens": 0, "source": "graph", "snippet": "",
            });
            serde_json::from_value::<ContextCandidate>(text).unwrap()
        };
        assert!(case.holds_function(&fragment("a.py", "Session.send", (1, 9))));
        assert!(case.holds_function(&fragment("a.py", "Session", (30, 40))));
        assert!(!case.holds_function(&fragment("a.py", "Session", (1, 9))));
        assert!(!case.holds_function(&fragment("b.py", "other", (1, 9))));
    }

    #[test]
    fn shares_are_of_all_cases() {
        let mut held = Held::default();
        held.add(&[false, true]);
        held.add(&[true, true]);
        assert_eq!(held.shares().collect::<Vec<_>>(), [0.5, 1.0]);
    }
}
