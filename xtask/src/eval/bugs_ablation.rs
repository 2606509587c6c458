//! The value of each tuned number of bug location.

use super::ablation::{chosen_numbers, is_neutral, print_all};
use super::bugs::Case;
use super::bugs_report::figures;
use analysis::bug_locate::Tuning;
use anyhow::Result;
use base::tuning::{Table, Tuned};
use engine::{BugLocateRequest, Engine};
use std::collections::BTreeMap;

/// The number of candidates that are requested.
const TOP: i64 = 200;
/// The number of candidates that a user sees.
const SHOWN: usize = 5;

/// Ranks of the first changed file: with all numbers, and without each.
pub struct Ablation {
    numbers: Vec<Tuned>,
    full: Variant,
    without: Vec<Variant>,
}

/// The results with one set of numbers.
#[derive(Default, Clone)]
struct Variant {
    places: Vec<Option<usize>>,
    /// The number of cases in which the shown candidates differ from the default.
    changed: usize,
}

/// The part of an answer that a user sees.
type Shown = Vec<(String, (u32, u32), String)>;

impl Ablation {
    /// An ablation of the named numbers, or of all if none is named. No case has run yet.
    pub fn new(only: &[String]) -> Ablation {
        let numbers = chosen_numbers::<Tuning>(only);
        Ablation {
            full: Variant::default(),
            without: vec![Variant::default(); numbers.len()],
            numbers,
        }
    }

    /// Runs a case with every set of numbers; `sources` are the files that count as candidates.
    pub fn ask(
        &mut self,
        engine: &Engine,
        case: &Case,
        sources: &BTreeMap<String, String>,
    ) -> Result<()> {
        let (place, product) = answer(engine, case, sources, &Tuning::default())?;
        self.full.places.push(place);
        for (variant, number) in self.without.iter_mut().zip(&self.numbers) {
            if is_neutral(number) {
                variant.places.push(place);
                continue;
            }
            let (place, shown) = answer(engine, case, sources, &Tuning::without(number))?;
            variant.places.push(place);
            variant.changed += usize::from(shown != product);
        }
        Ok(())
    }

    /// Prints the table.
    pub fn print(&self) {
        let of = |variant: &Variant| {
            let [one, five, _, mrr] = figures(&variant.places);
            let changed = variant.changed as f64 / variant.places.len().max(1) as f64;
            vec![one, five, mrr, changed]
        };
        let without: Vec<Vec<f64>> = self.without.iter().map(of).collect();
        let columns = ["hit@1", "hit@5", "MRR", "answers that change"];
        print_all(&columns, &of(&self.full), (&self.numbers, &without));
    }
}

fn answer(
    engine: &Engine,
    case: &Case,
    sources: &BTreeMap<String, String>,
    tuning: &Tuning,
) -> Result<(Option<usize>, Shown)> {
    let request = BugLocateRequest {
        error: Some(case.text.clone()),
        top_n: TOP,
        ..BugLocateRequest::default()
    };
    let mut candidates = engine.bug_locate_with(&request, tuning)?.candidates;
    let shown = candidates.iter().take(SHOWN);
    let shown = shown.map(|c| (c.file_path.clone(), c.line_range, c.reason.clone()));
    let shown = shown.collect();
    candidates.retain(|c| sources.contains_key(&c.file_path));
    let is_gold = |c: &engine::BugCandidate| case.gold_files.contains(&c.file_path);
    Ok((candidates.iter().position(is_gold).map(|at| at + 1), shown))
}
