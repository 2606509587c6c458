//! Row `disk`: limits the size of files, with a smaller limit in each run, as on a full disk. The program gets an error,
//! or a signal kills it. With the limit lifted, everything must work again.

use super::scene::{Came, QUESTIONS, Scene, came};
use super::{Args, Figure};
use anyhow::Result;

/// The size limits, in blocks of 512 bytes.
const BLOCKS: &[u32] = &[
    0, 1, 2, 8, 9, 16, 32, 48, 64, 100, 150, 200, 300, 500, 1_000,
];

/// The commands that run under a limit: an index build, an update and queries.
const RUNS: &[&[&str]] = &[
    &["index", "--force", "--format", "json"],
    &["ast-delta", "--format", "json"],
    &[
        "search",
        "--mode",
        "symbol",
        "only_callee",
        "--format",
        "json",
    ],
    &["call-chain", "only_callee", "--format", "json"],
    &["search", "harbour fee of a ship", "--format", "json"],
];

/// Runs the row.
pub fn check_disk(args: &Args) -> Result<Vec<Figure>> {
    let mut scene = Scene::new(args)?;
    let (mut broken, mut after) = (Vec::new(), Vec::new());
    let mut runs = 0;
    for blocks in BLOCKS {
        for (way, trap) in [("told", "trap '' XFSZ; "), ("killed", "")] {
            for arguments in RUNS {
                // An edit makes sure that there is something to write.
                scene.edits.next_edit().apply_to_disk(&scene.root);
                if runs % 4 == 0 {
                    let _ = std::fs::remove_dir_all(&scene.state);
                }
                runs += 1;
                let limited = format!("ulimit -c 0; ulimit -f {blocks}; {trap}true");
                let met = came(&mut scene.after(&limited, arguments));
                let what = format!("{blocks} blocks, {way}, {arguments:?}");
                match met {
                    Came::Broken(how) if way == "told" || how.contains("panicked at") => {
                        broken.push(format!("{what}: {how}"));
                    }
                    _ => {}
                }
                let clean = scene.ask(QUESTIONS[runs % QUESTIONS.len()]);
                if let Came::Told(how) | Came::Broken(how) = clean {
                    after.push(format!("{what}: {how}"));
                }
            }
        }
    }
    let healthy = well(&scene);
    for said in broken
        .iter()
        .chain(&after)
        .take(if args.list { 1_000 } else { 6 })
    {
        println!("    {said:.400}");
    }
    Ok(vec![
        Figure::new(
            "full disk: panics, hangs, silent ends",
            format!("{} of {runs}", broken.len()),
            "none",
            broken.is_empty(),
        ),
        Figure::new(
            "full disk: questions that fail afterwards",
            format!("{} of {runs}", after.len()),
            "none",
            after.is_empty(),
        ),
        Figure::new(
            "full disk: the index in the end",
            healthy
                .clone()
                .unwrap_or_else(|| "like a clean build".to_owned()),
            "like a clean build",
            healthy.is_none(),
        ),
    ])
}

/// The difference between the index and a clean build, row for row; none if they are equal.
pub fn well(scene: &Scene) -> Option<String> {
    if let Came::Told(how) | Came::Broken(how) = scene.ask(&["index"]) {
        return Some(how);
    }
    let clean = tempfile::tempdir().ok()?;
    let theirs = ingest::IndexOptions::new(&scene.root, clean.path());
    if let Err(error) = ingest::update_all(&theirs, &()) {
        return Some(error.to_string());
    }
    let ours = ingest::IndexOptions::new(&scene.root, &scene.state);
    crate::eval::incremental::compare(&ours, &theirs)
}
