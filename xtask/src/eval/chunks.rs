//! `eval chunks`: whether the first chunk of an answer is the right one.
//!
//! The query is the first sentence of a function's documentation, which is removed from the text before indexing
//! (the idea of CodeSearchNet, Husain et al. 2019). That gives many queries with one right definition each, in
//! any repository.

use super::ablation;
use super::search_data::{prepare_file, read};
use anyhow::{Context, Result, bail};
use base::tuning::Table;
use base::{Language, SymbolKind};
use rayon::prelude::*;
use search::Filter;
use search::doc::FileRole;
use search::embed::CodeModel;
use search::index::{Index, Model};
use search::prepare::Prepared;
use search::rank::{RankMode, Request, Tuning, search};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use syntax::facts::{Def, FileFacts};

/// Arguments of `eval chunks`.
#[derive(clap::Args)]
pub struct Args {
    /// A repository; may be given several times
    #[arg(long, required = true)]
    repo: Vec<PathBuf>,
    /// Most functions asked for in each
    #[arg(long, default_value_t = 100)]
    sample: usize,
    /// Other weights to measure beside the product's, `name=value,…`; may be given several times
    #[arg(long = "try")]
    tries: Vec<String>,
    /// Leave the documentation but for the sentence that is asked
    #[arg(long)]
    rest: bool,
    /// Take each tuned number out in turn: a Markdown table of what that costs
    #[arg(long)]
    ablate: bool,
    /// With `--ablate`: this number alone; may be given several times
    #[arg(long)]
    number: Vec<String>,
    /// Say what came first where that is wrong
    #[arg(long)]
    detail: bool,
}

struct Question {
    text: String,
    path: String,
    line: u32,
}

struct Repository {
    name: String,
    index: Index,
    questions: Vec<Question>,
}

#[derive(Default, Clone, Copy)]
struct Tally {
    asked: f64,
    file: f64,
    chunk: f64,
    reciprocal: f64,
    /// The number of answers that contain the right file, and how many of these show the right chunk before other
    /// chunks of the file.
    found: f64,
    within: f64,
    /// Lines of the first chunk.
    lines: f64,
}

/// Runs the evaluation.
pub fn evaluate_chunks(args: &Args) -> Result<()> {
    let model = CodeModel::get()?;
    let repositories: Vec<Repository> = args
        .repo
        .iter()
        .map(|root| load(root, args, model))
        .collect::<Result<_>>()?;
    println!(
        "{:<28} {:>5} {:>7} {:>9} {:>7} {:>12} {:>6}",
        "repository", "asked", "file@1", "chunk@1", "MRR@10", "within file", "lines"
    );
    let mut settings = vec![("the product's".to_owned(), Tuning::default())];
    for text in &args.tries {
        settings.push((text.clone(), tuning(text)?));
    }
    for (name, tuning) in settings {
        println!("{name}");
        let mut all = Tally::default();
        for repository in &repositories {
            let tally = measure(repository, model, &tuning, args.detail);
            row(&repository.name, &tally);
            all.add(&tally);
        }
        row("all", &all);
    }
    if args.ablate {
        let columns = [
            "right file first",
            "right chunk first",
            "right chunk of its file first",
        ];
        ablation::print(&columns, &args.number, |tuning: &Tuning| {
            let mut all = Tally::default();
            for repository in &repositories {
                all.add(&measure(repository, model, tuning, false));
            }
            Ok(vec![
                all.file / all.asked,
                all.chunk / all.asked,
                all.within / all.found,
            ])
        })?;
    }
    Ok(())
}

fn tuning(text: &str) -> Result<Tuning> {
    let mut tuning = Tuning::default();
    for part in text.split(',') {
        let (name, value) = part.split_once('=').context("name=value")?;
        if !tuning.set(name, value.parse()?) {
            bail!("no number is called {name}");
        }
    }
    Ok(tuning)
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.asked += other.asked;
        self.file += other.file;
        self.chunk += other.chunk;
        self.reciprocal += other.reciprocal;
        self.found += other.found;
        self.within += other.within;
        self.lines += other.lines;
    }
}

fn row(name: &str, t: &Tally) {
    let share = |value: f64, of: f64| value / of.max(1.0);
    println!(
        "  {name:<26} {:>5} {:>7.3} {:>9.3} {:>7.3} {:>12.3} {:>6.1}",
        t.asked,
        share(t.file, t.asked),
        share(t.chunk, t.asked),
        share(t.reciprocal, t.asked),
        share(t.within, t.found),
        share(t.lines, t.asked)
    );
}

fn load(root: &Path, args: &Args, model: &CodeModel) -> Result<Repository> {
    let mut texts = read(root, root, true);
    let questions = questions(&mut texts, args.sample, args.rest);
    if questions.is_empty() {
        bail!("{}: no documented functions", root.display());
    }
    let prepared: Vec<Prepared> = texts
        .par_iter()
        .filter_map(|(path, text)| prepare_file(path, text, model))
        .collect();
    let name = root.file_name().unwrap_or_default().to_string_lossy();
    Ok(Repository {
        name: name.into_owned(),
        index: Index::in_memory(&Model::from_embedder(model), prepared)?,
        questions,
    })
}

/// Chooses functions by a hash of their positions, and removes their documentation from the texts, or only its
/// first sentence.
fn questions(texts: &mut BTreeMap<String, String>, sample: usize, rest: bool) -> Vec<Question> {
    let mut all: Vec<(u64, Question)> = texts
        .par_iter()
        .flat_map_iter(|(path, text)| of_file(path, text))
        .collect();
    all.sort_by_key(|(hash, _)| *hash);
    all.truncate(sample);
    for (_, question) in &all {
        if let Some(text) = texts.get_mut(&question.path) {
            let without = without_doc(text, question.line);
            *text = if rest {
                with_rest(text, &without, &question.text)
            } else {
                without
            };
        }
    }
    all.into_iter().map(|(_, question)| question).collect()
}

fn of_file(path: &str, text: &str) -> Vec<(u64, Question)> {
    let Some(language) = Language::from_path(path) else {
        return Vec::new();
    };
    let facts = languages::extract(language, text);
    let own = search::plain::role_of(path, language.as_str(), facts.generated);
    if own != FileRole::Source {
        return Vec::new();
    }
    let defs = facts.defs.iter();
    defs.filter_map(|def| question(path, &facts, def)).collect()
}

fn question(path: &str, facts: &FileFacts, def: &Def) -> Option<(u64, Question)> {
    let callable = matches!(def.kind, SymbolKind::Function | SymbolKind::Method);
    let lines = def.span.end_line - def.span.start_line;
    let doc = def.doc.as_deref().filter(|_| callable && lines >= 3)?;
    let end = doc.find(". ").unwrap_or(doc.len());
    let name = facts.name(def.name);
    let words: Vec<&str> = doc[..end]
        .trim_end_matches('.')
        .split_whitespace()
        .filter(|word| !word.contains(name))
        .collect();
    if !(5..=25).contains(&words.len()) {
        return None;
    }
    let mut hasher = DefaultHasher::new();
    (path, def.span.start_line).hash(&mut hasher);
    let question = Question {
        text: words.join(" "),
        path: path.to_owned(),
        line: def.span.start_line,
    };
    Some((hasher.finish(), question))
}

/// The text with the comment above a line and the docstring below it blanked. Line numbers stay the same.
fn without_doc(text: &str, line: u32) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let at = (line as usize).saturating_sub(1).min(lines.len());
    let is_comment = |l: &str| {
        let l = l.trim_start();
        ["//", "/*", "*", "#"]
            .iter()
            .any(|mark| l.starts_with(mark))
            && !l.starts_with("#[")
    };
    for above in (0..at).rev() {
        let mark = lines[above].trim_start();
        if is_comment(mark) {
            lines[above] = "";
        } else if !(mark.starts_with('@') || mark.starts_with("#[")) {
            break;
        }
    }
    let quote = |l: &str| l.contains("\"\"\"") || l.contains("'''");
    let first = (at + 1..lines.len().min(at + 12)).find(|l| quote(lines[*l]));
    if let Some(first) = first
        && lines[first]
            .trim_start()
            .trim_start_matches(['r', 'R', 'u'])
            .starts_with(['"', '\''])
    {
        let once = lines[first].matches("\"\"\"").count() + lines[first].matches("'''").count();
        let last = match once {
            1 => (first + 1..lines.len()).find(|l| quote(lines[*l])),
            _ => Some(first),
        };
        lines[first..=last.unwrap_or(first)].fill("");
    }
    lines.join("\n") + "\n"
}

/// The text without the documentation lines that hold the query: of the lines that `without` removes, those up to
/// the last word of the query.
fn with_rest(text: &str, without: &str, question: &str) -> String {
    let mut left = question.split_whitespace().count();
    let mut asked: Vec<&str> = question.split_whitespace().collect();
    let mut lines = Vec::new();
    for (line, kept) in text.lines().zip(without.lines()) {
        if line == kept || left == 0 {
            lines.push(line);
            continue;
        }
        for word in line.split_whitespace() {
            let word = word.trim_matches(['"', '\'', '.']);
            if let Some(at) = asked.iter().position(|w| *w == word) {
                asked.remove(at);
                left = asked.len();
            }
        }
        lines.push("");
    }
    lines.join("\n") + "\n"
}

fn measure(repository: &Repository, model: &CodeModel, tuning: &Tuning, detail: bool) -> Tally {
    let one = |question: &Question| {
        let answer = search(
            &repository.index,
            Some(model),
            &Request {
                query: &question.text,
                mode: RankMode::Hybrid,
                limit: 10,
                filter: &Filter::default(),
                min_relevance: 0.0,
                following_relevance: 0.0,
                project: None,
                tuning,
            },
        );
        let right = |p: &search::rank::ChunkHit| {
            p.path == question.path && (p.start_line..=p.end_line).contains(&question.line)
        };
        let yes = |b: bool| f64::from(u8::from(b));
        let first = answer.chunks.first();
        let rank = answer.chunks.iter().position(right);
        if let Some(p) = first.filter(|p| detail && !right(p)) {
            println!(
                "  {}\n      wanted {}:{}\n      rank {rank:?}, first {}:{}-{} {} in {:?}",
                question.text,
                question.path,
                question.line,
                p.path,
                p.start_line,
                p.end_line,
                p.symbol.as_deref().unwrap_or("-"),
                p.chunk_lines,
            );
        }
        let of_file = answer.chunks.iter().find(|p| p.path == question.path);
        Tally {
            asked: 1.0,
            file: yes(first.is_some_and(|p| p.path == question.path)),
            chunk: yes(first.is_some_and(right)),
            reciprocal: rank.map_or(0.0, |r| 1.0 / (r + 1) as f64),
            found: yes(of_file.is_some()),
            within: yes(of_file.is_some_and(right)),
            lines: first.map_or(0.0, |p| f64::from(p.end_line + 1 - p.start_line)),
        }
    };
    let all: Vec<Tally> = repository.questions.par_iter().map(one).collect();
    let mut sum = Tally::default();
    all.iter().for_each(|t| sum.add(t));
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documentation_is_taken_out_and_lines_stay() {
        let go = "package a\n\n// Run starts.\n// More.\nfunc Run() {\n}\n";
        assert_eq!(without_doc(go, 5), "package a\n\n\n\nfunc Run() {\n}\n");
        let python =
            "def run(\n    a,\n):\n    \"\"\"Starts.\n\n    More.\n    \"\"\"\n    x = 'a'\n";
        assert_eq!(
            without_doc(python, 1),
            "def run(\n    a,\n):\n\n\n\n\n    x = 'a'\n"
        );
        let bare = "def run():\n    return \"\"\"x\"\"\"\n";
        assert_eq!(without_doc(bare, 1), bare);
    }

    #[test]
    fn functions_with_a_sentence_are_asked_for() {
        let text = "package a\n\n// Run starts the engine and waits until it is warm. More.\nfunc Run() {\n\tx()\n\ty()\n\tz()\n}\n";
        let mut texts = BTreeMap::from([("a.go".to_owned(), text.to_owned())]);
        let all = questions(&mut texts, 5, false);
        assert_eq!(all.len(), 1);
        assert_eq!(all[0].text, "starts the engine and waits until it is warm");
        assert_eq!(all[0].line, 4);
        assert!(!texts["a.go"].contains("warm"));
    }

    #[test]
    fn the_rest_of_the_documentation_can_stay() {
        let go = "package a\n\n// Run starts the engine\n// and waits.\n// It may be slow.\nfunc Run() {\n}\n";
        let left = with_rest(go, &without_doc(go, 6), "starts the engine and waits");
        assert_eq!(
            left,
            "package a\n\n\n\n// It may be slow.\nfunc Run() {\n}\n"
        );
    }
}
