//! `eval names`: definitions found by queries that are made from their names (`name_forms.rs`). That gives many queries
//! with a known answer in any repository.

use super::ablation;
use super::name_forms::{FORMS, Form, is_of_owner};
use anyhow::{Context, Result};
use base::EdgeType;
use engine::{Engine, IndexRequest, Settings};
use rayon::prelude::*;
use search::{NameTuning, can_be_found, search_symbols_with};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use store::{GraphStore, Name, Snapshot, SqliteStore};

/// Arguments of `eval names`.
#[derive(clap::Args)]
pub struct Args {
    /// A repository; may be given several times. Nothing is written there
    #[arg(long, required = true)]
    repo: Vec<PathBuf>,
    /// Most names asked for in each
    #[arg(long, default_value_t = 100)]
    sample: usize,
    /// Take each tuned number out in turn: a Markdown table of what that costs
    #[arg(long)]
    ablate: bool,
    /// With `--ablate`: this number alone; may be given several times
    #[arg(long)]
    number: Vec<String>,
    /// Print queries of which the first ten results lack the definition
    #[arg(long)]
    misses: bool,
}

/// The number of results that count.
const TOP: usize = 10;

struct Query {
    /// The number of its form.
    form: usize,
    text: String,
    symbol: String,
    /// Whether another file uses a definition of that name.
    is_used: bool,
}

struct Repository {
    name: String,
    graph: Snapshot,
    queries: Vec<Query>,
}

#[derive(Default, Clone, Copy)]
struct Tally {
    asked: f64,
    first: f64,
    found: f64,
    reciprocal: f64,
}

impl Tally {
    fn add(&mut self, rank: Option<usize>) {
        self.asked += 1.0;
        self.first += f64::from(u8::from(rank == Some(0)));
        self.found += f64::from(u8::from(rank.is_some()));
        self.reciprocal += rank.map_or(0.0, |rank| 1.0 / (rank + 1) as f64);
    }

    fn shares(&self) -> [f64; 3] {
        let asked = self.asked.max(1.0);
        [self.first, self.found, self.reciprocal].map(|sum| sum / asked)
    }
}

/// Runs the evaluation.
pub fn evaluate_names(args: &Args) -> Result<()> {
    let repositories: Vec<Repository> = args
        .repo
        .iter()
        .map(|root| load(root, args.sample))
        .collect::<Result<_>>()?;
    report(&repositories, args.misses)?;
    if args.ablate {
        let columns = [
            "right first",
            "right in ten",
            "MRR@10",
            "MRR@10 of names in use",
        ];
        ablation::print(&columns, &args.number, |tuning: &NameTuning| {
            let (mut all, mut used) = (Tally::default(), Tally::default());
            for repository in &repositories {
                for (query, rank) in repository.queries.iter().zip(repository.ranks(tuning)?) {
                    all.add(rank);
                    if query.is_used {
                        used.add(rank);
                    }
                }
            }
            let [first, found, reciprocal] = all.shares();
            Ok(vec![first, found, reciprocal, used.shares()[2]])
        })?;
    }
    Ok(())
}

fn report(repositories: &[Repository], misses: bool) -> Result<()> {
    let mut by_form = vec![Tally::default(); FORMS.len()];
    let mut used = Tally::default();
    println!(
        "{:<28} {:>6} {:>8} {:>8} {:>8}",
        "", "asked", "first", "in ten", "MRR@10"
    );
    for repository in repositories {
        let mut all = Tally::default();
        let ranks = repository.ranks(&NameTuning::default())?;
        for (query, rank) in repository.queries.iter().zip(ranks) {
            all.add(rank);
            by_form[query.form].add(rank);
            if query.is_used {
                used.add(rank);
            }
            if misses && rank.is_none() {
                let form = FORMS[query.form].name;
                println!("  {form}: {} for {}", query.text, query.symbol);
            }
        }
        row(&repository.name, &all);
    }
    println!();
    for (form, tally) in FORMS.iter().zip(&by_form) {
        row(form.name, tally);
    }
    row("names in use", &used);
    Ok(())
}

fn row(name: &str, tally: &Tally) {
    let [first, found, reciprocal] = tally.shares();
    println!(
        "{name:<28} {:>6} {first:>8.3} {found:>8.3} {reciprocal:>8.3}",
        tally.asked
    );
}

/// Indexes a repository and makes its queries.
fn load(root: &Path, sample: usize) -> Result<Repository> {
    let state = tempfile::tempdir()?;
    let settings = Settings {
        state_dir: Some(state.path().to_owned()),
        ..Settings::with_start(root)
    };
    let engine = Engine::open(settings, Box::new(()))?;
    engine.index(&IndexRequest::default())?;
    let store = SqliteStore::open_read_only(engine.database())
        .with_context(|| root.display().to_string())?;
    let graph = store.snapshot()?;
    let name = root.file_name().unwrap_or_default().to_string_lossy();
    Ok(Repository {
        name: name.into_owned(),
        queries: queries(&graph, sample),
        graph,
    })
}

/// Chooses names by a hash, each once, and asks for each in every form.
fn queries(graph: &Snapshot, sample: usize) -> Vec<Query> {
    let mut by_name: BTreeMap<(u64, &str), u32> = BTreeMap::new();
    for node in 0..graph.node_count() as u32 {
        let row = graph.name_row(node);
        if can_be_found(&row) {
            let key = (base::fingerprint(&[row.symbol.as_bytes()]), row.symbol);
            by_name.entry(key).or_insert(node);
        }
    }
    let mut queries = Vec::new();
    for ((_, symbol), node) in by_name.into_iter().take(sample) {
        let definition = Name::from(graph.name_row(node));
        let is_used = is_used(graph, symbol);
        for (form, text) in made(&definition) {
            queries.push(Query {
                form,
                text,
                symbol: symbol.to_owned(),
                is_used,
            });
        }
    }
    queries
}

/// The queries for a definition, each with the number of its form.
fn made(definition: &Name) -> impl Iterator<Item = (usize, String)> {
    let forms = FORMS.iter().enumerate();
    forms.filter_map(|(at, form)| Some((at, form.query(definition)?)))
}

/// Whether a file calls, imports or writes to a definition of that name in another file.
fn is_used(graph: &Snapshot, symbol: &str) -> bool {
    let file = |node: u32| graph.location(node).file;
    let uses = [EdgeType::Calls, EdgeType::Imports, EdgeType::Modifies];
    graph.nodes_named(symbol).iter().any(|node| {
        let users = uses.iter().flat_map(|of| graph.incoming(*node, *of));
        users.into_iter().any(|user| file(user.node) != file(*node))
    })
}

impl Repository {
    /// The rank of the first right result of each query, from 0.
    fn ranks(&self, tuning: &NameTuning) -> Result<Vec<Option<usize>>> {
        let ranks = self.queries.par_iter().map(|query| {
            let form = &FORMS[query.form];
            let asked = (query.text.as_str(), form.mode);
            let found = search_symbols_with(&self.graph, asked, TOP, tuning)?;
            Ok(found.hits.iter().position(|hit| is_right(query, form, hit)))
        });
        ranks.collect()
    }
}

/// Whether a result is a definition of the name, with the owner or path that the query asks for.
fn is_right(query: &Query, form: &Form, hit: &search::Hit) -> bool {
    let around = (hit.qualified_name.as_deref(), hit.file_path.as_str());
    hit.symbol == query.symbol && (!form.names_owner() || is_of_owner(&query.text, around))
}
