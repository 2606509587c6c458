//! `eval patterns`: the effect of each tuned number of pattern learning. There is no truth of patterns, so the table counts
//! learned patterns, and those lost and gained without a number.

use super::ablation;
use analysis::pattern::PatternTuning;
use anyhow::Result;
use engine::{Engine, IndexRequest, Settings};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Arguments of `eval patterns`.
#[derive(clap::Args)]
pub struct Args {
    /// A repository; may be given several times. Nothing is written there
    #[arg(long, required = true)]
    repo: Vec<PathBuf>,
    /// This number alone; may be given several times
    #[arg(long)]
    number: Vec<String>,
}

/// Patterns, each by the index of its repository and its id.
type Learned = BTreeSet<(usize, String)>;

/// Runs the evaluation.
pub fn evaluate_patterns(args: &Args) -> Result<()> {
    let state = tempfile::tempdir()?;
    let mut engines = Vec::new();
    for (at, root) in args.repo.iter().enumerate() {
        let settings = Settings {
            state_dir: Some(state.path().join(at.to_string())),
            ..Settings::with_start(root)
        };
        let engine = Engine::open(settings, Box::new(()))?;
        engine.index(&IndexRequest::default())?;
        engines.push(engine);
    }
    let learned = |tuning: &PatternTuning| -> Result<Learned> {
        let mut all = Learned::new();
        for (at, engine) in engines.iter().enumerate() {
            let patterns = engine.patterns_with(tuning)?.into_iter();
            all.extend(patterns.map(|pattern| (at, pattern.pattern_id)));
        }
        Ok(all)
    };
    let product = learned(&PatternTuning::default())?;
    let columns = ["learned", "lost", "gained"];
    ablation::print(&columns, &args.number, |tuning: &PatternTuning| {
        let found = learned(tuning)?;
        Ok(vec![
            found.len() as f64,
            product.difference(&found).count() as f64,
            found.difference(&product).count() as f64,
        ])
    })
}
