//! `eval solutions`: search in the solution memory with paraphrased problems. Prints recall@5 and MRR of the
//! three modes and of the ways to fuse them.

use super::ablation;
use anyhow::{Context, Result, bail};
use solution::{Fusion, Memory, Options, SaveRequest, SearchMode, SearchRequest, Tuning};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Arguments of `eval solutions`.
#[derive(clap::Args)]
pub struct Args {
    /// Problems with their paraphrases
    #[arg(long, default_value = "eval/solutions.tsv")]
    data: PathBuf,
    /// Print questions whose solution is not first in hybrid mode
    #[arg(long)]
    misses: bool,
    /// Take each tuned number out in turn: a Markdown table of what that costs
    #[arg(long)]
    ablate: bool,
    /// Also weights of the semantic half from 0.3 to 0.9
    #[arg(long)]
    alphas: bool,
}

/// A solution with a query for it.
pub struct Pair {
    /// Languages of query and solution: `en`, `zh`, `zh>en`, `en>zh`.
    pub language: String,
    /// The solution; only its title if another pair contains it.
    pub save: SaveRequest,
    /// The query.
    pub query: String,
}

/// The pairs of a file.
pub fn read(path: &std::path::Path) -> Result<Vec<Pair>> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            let [language, title, problem, error, solution, query] = cells[..] else {
                bail!("{}: no six cells: {line}", path.display());
            };
            let errors = Some(error.to_owned()).filter(|e| !e.is_empty());
            Ok(Pair {
                language: language.to_owned(),
                save: SaveRequest {
                    title: title.to_owned(),
                    problem: problem.to_owned(),
                    solution: solution.to_owned(),
                    error_messages: errors.into_iter().collect(),
                    ..SaveRequest::default()
                },
                query: query.to_owned(),
            })
        })
        .collect()
}

#[derive(Default, Clone)]
struct Sum {
    asked: usize,
    first: usize,
    five: usize,
    reciprocal: f64,
}

impl Sum {
    fn add(&mut self, rank: Option<usize>) {
        self.asked += 1;
        if let Some(rank) = rank {
            self.first += usize::from(rank == 1);
            self.five += usize::from(rank <= 5);
            self.reciprocal += 1.0 / rank as f64;
        }
    }

    fn cells(&self) -> String {
        let share = |n: usize| n as f64 / self.asked.max(1) as f64;
        format!(
            "{:.3}  {:.3}  {:.3}",
            share(self.five),
            self.reciprocal / self.asked.max(1) as f64,
            share(self.first)
        )
    }
}

/// Runs the evaluation.
pub fn evaluate_solutions(args: &Args) -> Result<()> {
    let pairs = read(&args.data)?;
    let folder = tempfile::tempdir()?;
    let memory = Memory::new(Options::for_folder(folder.path()));
    let mut ids: HashMap<&str, String> = HashMap::new();
    for pair in pairs.iter().filter(|p| !p.save.problem.is_empty()) {
        let saved = memory
            .save(&pair.save)
            .with_context(|| pair.save.title.clone())?;
        ids.insert(&pair.save.title, saved.id);
    }
    println!("{} solutions, {} questions", ids.len(), pairs.len());
    println!("{:<22} {:<8} recall@5    MRR    first", "mode", "language");
    let ask = |mode, fusion, alpha| {
        move |query: &str| SearchRequest {
            search_mode: mode,
            fusion,
            alpha,
            limit: 20,
            ..SearchRequest::new(query)
        }
    };
    let alpha = solution::ALPHA;
    for (name, mode, fusion) in [
        ("keyword", SearchMode::Keyword, Fusion::Weighted),
        ("semantic", SearchMode::Semantic, Fusion::Weighted),
        ("hybrid", SearchMode::Hybrid, Fusion::Weighted),
        ("hybrid, ranks", SearchMode::Hybrid, Fusion::Rrf),
    ] {
        let misses = args.misses && name == "hybrid";
        measure(
            &memory,
            &pairs,
            &ids,
            name,
            misses,
            &ask(mode, fusion, alpha),
        )?;
    }
    if args.alphas {
        for alpha in [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9] {
            let name = format!("hybrid, alpha {alpha}");
            let ask = ask(SearchMode::Hybrid, Fusion::Weighted, alpha);
            measure(&memory, &pairs, &ids, &name, false, &ask)?;
        }
    }
    if args.ablate {
        ablate(folder.path(), &pairs, &ids)?;
    }
    Ok(())
}

/// Prints the value of each tuned number.
fn ablate(folder: &Path, pairs: &[Pair], ids: &HashMap<&str, String>) -> Result<()> {
    let columns = ["recall@5", "MRR", "MRR by reciprocal ranks"];
    ablation::print(&columns, &[], |tuning: &Tuning| {
        let memory = Memory::new(Options::for_folder(folder)).with_tuning(tuning.clone());
        let mut sums = [Sum::default(), Sum::default()];
        for pair in pairs {
            for (sum, fusion) in sums.iter_mut().zip([Fusion::Weighted, Fusion::Rrf]) {
                let request = SearchRequest {
                    fusion,
                    alpha: tuning.alpha,
                    limit: 20,
                    ..SearchRequest::new(&pair.query)
                };
                let wanted = &ids[pair.save.title.as_str()];
                let results = memory.search(&request)?.results;
                let place = results.iter().position(|found| found.id == *wanted);
                sum.add(place.map(|at| at + 1));
            }
        }
        let [both, ranks] = sums;
        let asked = both.asked.max(1) as f64;
        Ok(vec![
            both.five as f64 / asked,
            both.reciprocal / asked,
            ranks.reciprocal / asked,
        ])
    })
}

fn measure(
    memory: &Memory,
    pairs: &[Pair],
    ids: &HashMap<&str, String>,
    name: &str,
    misses: bool,
    ask: &dyn Fn(&str) -> SearchRequest,
) -> Result<()> {
    let mut sums: Vec<(&str, Sum)> = Vec::new();
    let mut all = Sum::default();
    for pair in pairs {
        let wanted = ids.get(pair.save.title.as_str());
        let wanted = wanted.with_context(|| format!("no solution {}", pair.save.title))?;
        let answer = memory.search(&ask(&pair.query))?;
        let rank = answer
            .results
            .iter()
            .position(|f| f.id == *wanted)
            .map(|at| at + 1);
        if !sums.iter().any(|(language, _)| *language == pair.language) {
            sums.push((&pair.language, Sum::default()));
        }
        for (_, sum) in sums
            .iter_mut()
            .filter(|(language, _)| *language == pair.language)
        {
            sum.add(rank);
        }
        all.add(rank);
        if misses && rank != Some(1) {
            let first = answer.results.first().map_or("", |f| f.title.as_str());
            println!(
                "  {rank:?}  {}  wanted: {}  first: {first}",
                pair.query, pair.save.title
            );
        }
    }
    for (language, sum) in &sums {
        println!("{name:<22} {language:<8} {}", sum.cells());
    }
    println!("{name:<22} {:<8} {}", "all", all.cells());
    Ok(())
}
