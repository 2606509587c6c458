//! `eval search`: search with labelled queries. Measures NDCG@10 by file, and whether a relevant file is within
//! the first tokens of the answer. Beside it: BM25 alone in the same run, and published figures of other
//! systems.

use super::ablation;
use super::search_data::{self, Repository};
use super::search_tune;
use anyhow::Result;
use base::tuning::Table;
use rayon::prelude::*;
use search::embed::CodeModel;
use search::rank::{
    ChunkHit, ProjectView, Query, RankMode, Request, Tuning, build_snippet, search,
};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// Arguments of `eval search`.
#[derive(clap::Args)]
pub struct Args {
    /// Folder of checkouts, `<owner>+<name>` each
    #[arg(long)]
    corpus: PathBuf,
    /// Queries with their relevant files: one JSON object a line, or a table of `eval questions` (.tsv)
    #[arg(long, env = "KNOTWORK_SEARCH_QUERIES")]
    queries: PathBuf,
    /// Index documents and configuration too
    #[arg(long)]
    all_files: bool,
    /// Take each tuned number out in turn: a Markdown table of what that costs
    #[arg(long)]
    ablate: bool,
    /// With `--ablate`: this number alone; may be given several times
    #[arg(long)]
    number: Vec<String>,
    /// Choose weights, with and without each repository
    #[arg(long)]
    tune: bool,
    /// With `--tune`: also choose without each repository in turn
    #[arg(long)]
    folds: bool,
    /// Other weights, `name=value`
    #[arg(long)]
    set: Vec<String>,
    /// Other weights to measure beside the product's, `name=value,…`; may be given several times
    #[arg(long = "try")]
    tries: Vec<String>,
    /// Relevance of the first answer: to a repository's own queries, to those about others, to nonsense
    #[arg(long)]
    calibrate: bool,
    /// Print queries whose first file is wrong
    #[arg(long)]
    misses: bool,
}

/// Token budgets within which a relevant file should stand.
pub const BUDGETS: [usize; 4] = [500, 1_000, 2_000, 4_000];

/// The scores of one query.
#[derive(Debug, Clone, Copy, Default)]
pub struct Score {
    /// NDCG@10 over files.
    pub ndcg: f64,
    /// 1 if the first file is relevant, else 0.
    pub first: f64,
    /// 1 for each budget that contains a relevant file, else 0.
    pub within: [f64; 4],
}

/// Runs the evaluation.
pub fn evaluate_search(args: &Args) -> Result<()> {
    let (repositories, skipped) = search_data::load(&args.queries, &args.corpus, args.all_files)?;
    for r in &repositories {
        println!(
            "{:<20} {:>5} files {:>6} chunks {:>6.2} MB, index {:.2} x in {:.0} ms",
            r.name,
            r.index.file_count(),
            r.index.chunk_count(),
            r.bytes as f64 / 1e6,
            r.index.size_in_bytes() as f64 / r.bytes.max(1) as f64,
            r.millis
        );
    }
    println!("skipped queries of repositories that are not there: {skipped}\n");
    let tuning = tuning_with(args.set.iter().map(String::as_str))?;
    if args.tries.is_empty() {
        report(&repositories, &tuning);
    } else {
        compare(&repositories, &tuning, &args.tries)?;
    }
    if args.misses {
        misses(&repositories, &tuning);
    }
    if args.calibrate {
        calibrate(&repositories, &tuning);
    }
    if args.ablate {
        ablate(&repositories, &args.number)?;
    }
    if args.tune {
        search_tune::tune_search(&repositories, &tuning, args.folds);
    }
    Ok(())
}

fn tuning_with<'p>(pairs: impl Iterator<Item = &'p str>) -> Result<Tuning> {
    let mut tuning = Tuning::default();
    for pair in pairs {
        let (name, value) = pair.split_once('=').unwrap_or((pair, "0"));
        if !tuning.set(name, value.parse()?) {
            anyhow::bail!("no number is called {name}");
        }
    }
    Ok(tuning)
}

/// Compares the default weights with others: NDCG@10, the share of queries with a relevant file first, and
/// NDCG@10 by language.
fn compare(repositories: &[Repository], tuning: &Tuning, tries: &[String]) -> Result<()> {
    let mut settings = vec![("the product's", tuning.clone())];
    for text in tries {
        settings.push((text, tuning_with(text.split(','))?));
    }
    let languages: BTreeSet<&str> = repositories.iter().map(|r| r.lang.as_str()).collect();
    print!("{:>7}{:>7}", "NDCG@10", "first");
    languages.iter().for_each(|name| print!("{name:>8}"));
    println!();
    for (name, tuning) in settings {
        let scores = evaluate(repositories, RankMode::Hybrid, &tuning);
        let of = |language: &str| {
            let scores = scores.iter();
            let scores = scores.filter(|(r, _, _)| repositories[*r].lang == language);
            mean(scores.map(|s| s.2.ndcg))
        };
        print!("{:>7.3}", mean(scores.iter().map(|s| s.2.ndcg)));
        print!("{:>7.3}", mean(scores.iter().map(|s| s.2.first)));
        languages
            .iter()
            .for_each(|name| print!("{:>8.3}", of(name)));
        println!("  {name}");
    }
    Ok(())
}

/// Every system of the table.
fn systems(tuning: &Tuning) -> Vec<(&'static str, RankMode, Tuning)> {
    let plain = Tuning::bm25_only();
    let files = Tuning {
        lexical: 0.0,
        file: 1.0,
        ..plain.clone()
    };
    let fields = Tuning {
        chunk_weight: tuning.chunk_weight,
        ..plain.clone()
    };
    let vectors = Tuning {
        lexical: 0.0,
        vector: 1.0,
        vector_symbol: 1.0,
        ..plain.clone()
    };
    let fused = Tuning {
        lexical: 2.0,
        vector: 1.0,
        vector_symbol: 1.0,
        ..fields.clone()
    };
    vec![
        ("BM25, whole files", RankMode::Keyword, files),
        ("BM25, chunks", RankMode::Keyword, plain),
        ("BM25F, chunks", RankMode::Keyword, fields),
        ("vectors", RankMode::Semantic, vectors),
        ("BM25F + vectors", RankMode::Hybrid, fused),
        ("keyword with rules", RankMode::Keyword, tuning.clone()),
        ("semantic with rules", RankMode::Semantic, tuning.clone()),
        ("hybrid", RankMode::Hybrid, tuning.clone()),
    ]
}

fn report(repositories: &[Repository], tuning: &Tuning) {
    let mut groups: BTreeSet<String> = BTreeSet::new();
    for r in repositories {
        groups.insert(format!("1 {}", r.lang));
        groups.extend(r.rows.iter().map(|row| format!("2 {}", row.category)));
    }
    let names: Vec<&String> = groups.iter().collect();
    print!("{:<22}{:>7}", "NDCG@10", "all");
    names
        .iter()
        .for_each(|n| print!("{:>8}", n[2..].chars().take(7).collect::<String>()));
    println!("{:>8}{:>7}{:>7}{:>7}", "@500", "@1k", "@2k", "@4k");
    for (name, mode, tuning) in systems(tuning) {
        let scores = evaluate(repositories, mode, &tuning);
        let mut by: BTreeMap<String, Vec<f64>> = BTreeMap::new();
        for (r, row, score) in &scores {
            by.entry(format!("1 {}", repositories[*r].lang))
                .or_default()
                .push(score.ndcg);
            let category = &repositories[*r].rows[*row].category;
            by.entry(format!("2 {category}"))
                .or_default()
                .push(score.ndcg);
        }
        print!("{name:<22}{:>7.3}", mean(scores.iter().map(|s| s.2.ndcg)));
        names
            .iter()
            .for_each(|n| print!("{:>8.3}", mean(by[*n].iter().copied())));
        for budget in 0..BUDGETS.len() {
            let width = if budget == 0 { 8 } else { 7 };
            print!(
                "{:>width$.3}",
                mean(scores.iter().map(|s| s.2.within[budget]))
            );
        }
        println!();
    }
    println!(
        "\npublished, on a set of which this is a part: BM25 .673, semble .854 (@500 .685 @1k .849 @2k .938 @4k .976),"
    );
    println!("a transformer hybrid of 137M parameters .862, ripgrep .126");
}

/// Prints the value of each tuned number of ranking.
fn ablate(repositories: &[Repository], only: &[String]) -> Result<()> {
    let columns = ["NDCG@10", "relevant file in 500 tokens", "told apart"];
    ablation::print(&columns, only, |tuning: &Tuning| {
        let scores = evaluate(repositories, RankMode::Hybrid, tuning);
        Ok(vec![
            mean(scores.iter().map(|s| s.2.ndcg)),
            mean(scores.iter().map(|s| s.2.within[0])),
            told_apart(repositories, tuning),
        ])
    })
}

/// How well relevance separates own from foreign queries: over all pairs, how often the first answer to a query
/// about this repository has a higher relevance than that to a query about another one. 1 is perfect, 0.5 is
/// chance.
fn told_apart(repositories: &[Repository], tuning: &Tuning) -> f64 {
    let asked = |shift: usize| -> Vec<f32> {
        let all: Vec<(&Repository, &str)> = repositories
            .iter()
            .enumerate()
            .flat_map(|(at, repository)| {
                let of = &repositories[(at + shift) % repositories.len()];
                of.rows
                    .iter()
                    .map(move |row| (repository, row.query.as_str()))
            })
            .collect();
        let sure = |(repository, query): &(&Repository, &str)| {
            let first = ask(repository, query, RankMode::Hybrid, tuning);
            let first = first.first().map_or(0.0, |chunk| chunk.relevance);
            if first < tuning.min_relevance {
                0.0
            } else {
                first
            }
        };
        all.par_iter().map(sure).collect()
    };
    let (own, other) = (asked(0), asked(1));
    let pairs = own.iter().flat_map(|a| other.iter().map(move |b| (a, b)));
    mean(pairs.map(|(own, other)| match own.total_cmp(other) {
        std::cmp::Ordering::Greater => 1.0,
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Less => 0.0,
    }))
}

/// The mean; 0 if there are no values.
pub fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0.0), |(s, n), v| (s + v, n + 1.0));
    if count > 0.0 { sum / count } else { 0.0 }
}

/// The repository, row and score of every query.
pub fn evaluate(
    repositories: &[Repository],
    mode: RankMode,
    tuning: &Tuning,
) -> Vec<(usize, usize, Score)> {
    let all: Vec<(usize, usize)> = repositories
        .iter()
        .enumerate()
        .flat_map(|(r, repository)| (0..repository.rows.len()).map(move |row| (r, row)))
        .collect();
    all.par_iter()
        .map(|(r, row)| (*r, *row, score(&repositories[*r], *row, mode, tuning)))
        .collect()
}

fn score(repository: &Repository, row: usize, mode: RankMode, tuning: &Tuning) -> Score {
    let row = &repository.rows[row];
    let chunks = ask(repository, &row.query, mode, tuning);
    let mut files: Vec<&str> = Vec::new();
    for p in &chunks {
        if !files.contains(&p.path.as_str()) {
            files.push(&p.path);
        }
    }
    let first = files.first().and_then(|file| row.gains.get(*file));
    Score {
        first: f64::from(u8::from(first.is_some_and(|gain| *gain >= 2.0))),
        ndcg: ndcg(&files, &row.gains),
        within: within(repository, &row.query, &chunks, &row.gains),
    }
}

/// A repository of the evaluation, as ranking needs it.
struct View<'r>(&'r Repository);

impl ProjectView for View<'_> {
    fn centrality(&self, path: &str) -> f32 {
        self.0.central.get(path).copied().unwrap_or(0.0)
    }

    fn lines(&self, path: &str, first: u32, last: u32) -> Option<String> {
        Some(self.0.lines(path, first, last))
    }
}

fn ask(repository: &Repository, query: &str, mode: RankMode, tuning: &Tuning) -> Vec<ChunkHit> {
    let embedder = CodeModel::get().ok();
    let view = View(repository);
    let request = Request {
        query,
        mode,
        limit: 60,
        filter: &search::Filter::default(),
        min_relevance: 0.0,
        following_relevance: 0.0,
        project: Some(&view),
        tuning,
    };
    let embedder = embedder.map(|e| e as &dyn search::embed::Embedder);
    search(&repository.index, embedder, &request).chunks
}

fn ndcg(files: &[&str], gains: &BTreeMap<String, f64>) -> f64 {
    let discount = |at: usize| ((at + 2) as f64).log2();
    let found: f64 = files
        .iter()
        .take(10)
        .enumerate()
        .map(|(at, f)| gains.get(*f).copied().unwrap_or(0.0) / discount(at))
        .sum();
    let mut ideal: Vec<f64> = gains.values().copied().collect();
    ideal.sort_by(|a, b| b.total_cmp(a));
    let best: f64 = ideal
        .iter()
        .take(10)
        .enumerate()
        .map(|(at, g)| g / discount(at))
        .sum();
    if best > 0.0 { found / best } else { 0.0 }
}

/// Walks through the answer as printed.
fn within(
    repository: &Repository,
    query: &str,
    chunks: &[ChunkHit],
    gains: &BTreeMap<String, f64>,
) -> [f64; 4] {
    let parsed = Query::new(query);
    let mut characters = 0;
    for p in chunks {
        characters += printed(repository, p, &parsed).chars().count();
        if gains.get(&p.path).copied().unwrap_or(0.0) >= 2.0 {
            let tokens = characters.div_ceil(4);
            return BUDGETS.map(|b| f64::from(u8::from(tokens <= b)));
        }
    }
    [0.0; 4]
}

/// A chunk as a terminal or an agent sees it.
fn printed(repository: &Repository, p: &ChunkHit, query: &Query) -> String {
    let text = repository.lines(&p.path, p.start_line, p.end_line);
    let symbol = p.symbol.as_deref().unwrap_or("");
    let shown = build_snippet(&text, query, 3);
    format!(
        "{}:{}-{} {} {symbol}\n{shown}\n\n",
        p.path, p.start_line, p.end_line, p.kind
    )
}

const NONSENSE: [&str; 8] = [
    "flurbo grumbitz zqxw",
    "asdfghjkl qwertzuiop",
    "xkcdplonk",
    "wuzzle frobnitz the quuxinator",
    "lorem ipsum dolor sit amet consectetur",
    "blorptastic snarkle",
    "zzzzzz",
    "量子もつれの観測装置",
];

/// Relevance of the first chunk, as percentiles over queries.
fn calibrate(repositories: &[Repository], tuning: &Tuning) {
    println!("\nrelevance of the first chunk          5%    25%    50%    75%    95%");
    let show = |name: &str, mut all: Vec<f32>| {
        all.sort_by(f32::total_cmp);
        print!("{name:<34}");
        for share in [0.05, 0.25, 0.5, 0.75, 0.95] {
            print!("{:>7.2}", all[((all.len() - 1) as f64 * share) as usize]);
        }
        println!();
    };
    let first = |r: &Repository, query: &str| {
        ask(r, query, RankMode::Hybrid, tuning)
            .first()
            .map_or(0.0, |p| p.relevance)
    };
    let (mut own, mut other, mut nonsense) = (Vec::new(), Vec::new(), Vec::new());
    for (at, r) in repositories.iter().enumerate() {
        own.extend(r.rows.iter().map(|row| first(r, &row.query)));
        let next = &repositories[(at + 3) % repositories.len()];
        other.extend(next.rows.iter().map(|row| first(r, &row.query)));
        nonsense.extend(NONSENSE.iter().map(|query| first(r, query)));
    }
    show("its own queries", own);
    show("queries about another repository", other);
    show("nonsense", nonsense);
}

fn misses(repositories: &[Repository], tuning: &Tuning) {
    println!("\nqueries below 0.99");
    for repository in repositories {
        for (at, row) in repository.rows.iter().enumerate() {
            let score = score(repository, at, RankMode::Hybrid, tuning).ndcg;
            if score > 0.99 {
                continue;
            }
            let chunks = ask(repository, &row.query, RankMode::Hybrid, tuning);
            let mut files: Vec<&str> = Vec::new();
            for p in &chunks {
                if !files.contains(&p.path.as_str()) && files.len() < 5 {
                    files.push(&p.path);
                }
            }
            println!(
                "{score:.2} {} [{}] {:?} -> {}",
                repository.name, row.category, row.gains, row.query
            );
            println!("     {}", files.join("  "));
        }
    }
}
