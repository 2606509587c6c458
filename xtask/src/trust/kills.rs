//! Row `kills`: `kill -9` at random moments of an index, an update, a daemon's write and a solution's save.

use super::{Args, Figure};
use crate::eval::kill;
use anyhow::Result;

/// Runs a quarter of `--count` kills at each kind of moment.
pub fn check_kills(args: &Args) -> Result<Vec<Figure>> {
    let folder = tempfile::tempdir()?;
    let repo = match &args.repo {
        Some(repo) => repo.clone(),
        None => {
            let repo = folder.path().join("repo");
            std::fs::create_dir(&repo)?;
            testkit::edits::write_all(&repo, testkit::edits::Edits::new(args.seed).tree());
            repo
        }
    };
    let each = args.count.div_ceil(4);
    let tallies = kill::measure(&repo, &super::binary(args)?, each, args.seed)?;
    let mut figures = Vec::new();
    for (what, tally) in tallies {
        tally
            .wrong
            .iter()
            .take(5)
            .for_each(|why| println!("    {why}"));
        let all = tally.killed + tally.late;
        figures.push(Figure::new(
            &format!("kills: {what} ({} in the middle)", tally.killed),
            format!("{} of {all} well", all - tally.wrong.len()),
            "all",
            tally.wrong.is_empty(),
        ));
    }
    Ok(figures)
}
