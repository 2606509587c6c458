//! Row `damage`: each page of each index file is overwritten, zeroed, half written, cut off, or followed by more.
//! Afterwards each query must be answered as before, or fail with a message.

use super::scene::{Came, QUESTIONS, Scene};
use super::{Args, Figure};
use crate::resident::Resident;
use anyhow::{Context, Result};
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use testkit::edits::Random;

/// The size of a page in bytes.
const PAGE: u64 = 4096;
/// The most pages tested per file; of a longer file they are spread over all of it.
const MOST: u64 = 48;

/// The kind of damage to a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Random,
    Zero,
    /// Only the first part of the page was written.
    Torn,
    /// The file ends at the page.
    Cut,
    /// Extra bytes follow the end of the file.
    Longer,
}

const KINDS: [Kind; 5] = [
    Kind::Random,
    Kind::Zero,
    Kind::Torn,
    Kind::Cut,
    Kind::Longer,
];

#[derive(Default)]
struct Tally {
    damages: usize,
    asked: usize,
    refused: Vec<String>,
    wrong: Vec<String>,
    broken: Vec<String>,
}

impl Tally {
    fn figures(self, what: &str, args: &Args) -> Vec<Figure> {
        let few = |all: &[String]| {
            let most = if args.list { all.len() } else { 5 };
            all.iter().take(most).for_each(|one| println!("    {one}"));
        };
        [&self.broken, &self.wrong, &self.refused]
            .into_iter()
            .for_each(|all| few(all));
        let all = self.asked;
        let none = |what: String, found: &[String]| {
            let value = format!("{} of {all}", found.len());
            Figure::new(&what, value, "none", found.is_empty())
        };
        vec![
            Figure::note(&format!("{what}: pages damaged"), self.damages.to_string()),
            none(format!("{what}: panics, hangs, signals"), &self.broken),
            none(format!("{what}: wrong answers"), &self.wrong),
            none(format!("{what}: refused"), &self.refused),
        ]
    }

    fn note(&mut self, what: String, came: &Came, expected: &Came) {
        self.asked += 1;
        match came {
            came if came == expected => {}
            Came::Answer(value) => self.wrong.push(format!("{what}: {value:.300}")),
            Came::Told(said) => self.refused.push(format!("{what}: {said:.300}")),
            Came::Broken(how) => self.broken.push(format!("{what}: {how:.300}")),
        }
    }
}

/// Damages all files, first while no process has them open, then while a daemon has.
pub fn check_damage(args: &Args) -> Result<Vec<Figure>> {
    let scene = Scene::new(args)?;
    let expected = scene.all();
    // The second round answers from data cached by the first.
    let again = scene.all();
    let same = expected == again;
    let mut figures = vec![Figure::new(
        "answers without damage",
        format!("{} questions", expected.len()),
        "the same twice",
        same && expected.iter().all(|came| matches!(came, Came::Answer(_))),
    )];
    let mut random = Random::new(args.seed);
    let cold = cold(&scene, &expected, &mut random)?;
    figures.extend(cold.figures("nobody has it open", args));
    let held = held(&scene, &expected, &mut random)?;
    figures.extend(held.figures("a daemon has it open", args));
    Ok(figures)
}

fn cold(scene: &Scene, expected: &[Came], random: &mut Random) -> Result<Tally> {
    let mut tally = Tally::default();
    let mut first = 0;
    for file in scene.files() {
        let pages = pages_of(&file, random);
        for kind in KINDS {
            for page in &pages {
                // An earlier query may have replaced the file.
                if !damage(&file, *page, kind, random)? {
                    continue;
                }
                tally.damages += 1;
                let name = file.strip_prefix(&scene.state).unwrap_or(&file);
                // Each query is the first one in its turn, and another one follows it.
                for n in [first, first + 1] {
                    let n = n % QUESTIONS.len();
                    let came = scene.ask(QUESTIONS[n]);
                    let what = format!(
                        "{} page {page} {kind:?}, {:?}",
                        name.display(),
                        QUESTIONS[n]
                    );
                    tally.note(what, &came, &expected[n]);
                }
                first += 1;
                if matches!(kind, Kind::Longer) {
                    break;
                }
            }
        }
    }
    Ok(tally)
}

/// Damages files beside a running daemon. The memory that SQLite shares between processes is left out: no program
/// survives when its mapped pages are removed.
fn held(scene: &Scene, expected: &[Came], random: &mut Random) -> Result<Tally> {
    let mut tally = Tally::default();
    let daemon = Resident::start_with(scene.program(), &scene.state)?;
    let asks = [
        ("call-chain", serde_json::json!({"symbol": "only_callee"})),
        (
            "search",
            serde_json::json!({"query": "how is the harbour fee of a ship worked out"}),
        ),
        (
            "search",
            serde_json::json!({"query": "only_callee", "mode": "symbol"}),
        ),
    ];
    let ask = |n: usize| -> Came {
        let (action, payload) = &asks[n % asks.len()];
        let answer = daemon
            .connect()
            .and_then(|mut wire| wire.ask(action, payload.clone()));
        match answer {
            Err(error) => Came::Broken(error.to_string()),
            Ok((_, answer)) if answer["status"] == "ok" => {
                Came::Answer(answer["data"]["index"]["fresh"].clone())
            }
            Ok((_, answer)) => Came::Told(answer["error_message"].to_string()),
        }
    };
    let _ = expected;
    let well = Came::Answer(true.into());
    let mut number = 0;
    for file in scene.files() {
        let name = file.strip_prefix(&scene.state).unwrap_or(&file).to_owned();
        let text = name.to_string_lossy().into_owned();
        if text.starts_with("daemon") || text.ends_with("-shm") || text.starts_with("cookies") {
            continue;
        }
        for kind in KINDS {
            for page in pages_of(&file, random).into_iter().take(6) {
                if !damage(&file, page, kind, random)? {
                    continue;
                }
                tally.damages += 1;
                for _ in 0..2 {
                    number += 1;
                    let what = format!("{text} page {page} {kind:?}");
                    tally.note(what, &ask(number), &well);
                }
                // A changed source file makes the daemon write as well.
                if number % 6 == 0 {
                    let path = scene.root.join(format!("new{number}.py"));
                    std::fs::write(path, format!("def new{number}():\n    pass\n"))?;
                    let what = format!("{text} page {page} {kind:?}, after an edit");
                    tally.note(what, &ask(number), &well);
                }
            }
        }
    }
    let pid = daemon.connect()?.ask("ping", serde_json::json!({}))?.1["data"]["pid"].clone();
    if pid.as_u64() != Some(daemon.pid) {
        tally
            .broken
            .push(format!("the daemon is another one: {pid}"));
    }
    Ok(tally)
}

fn pages_of(file: &Path, random: &mut Random) -> Vec<u64> {
    let length = file.metadata().map_or(0, |m| m.len());
    let pages = length.div_ceil(PAGE).max(1);
    if pages <= MOST {
        return (0..pages).collect();
    }
    let step = pages / MOST;
    let mut some: Vec<u64> = (0..MOST)
        .map(|n| n * step + random.below(step as usize) as u64)
        .collect();
    // The first pages identify the file.
    some.extend([0, 1, 2, 3, pages - 1]);
    some.sort_unstable();
    some.dedup();
    some
}

/// Damages a page. Returns whether the page existed.
fn damage(file: &Path, page: u64, kind: Kind, random: &mut Random) -> Result<bool> {
    let at = page * PAGE;
    let Ok(found) = file.symlink_metadata() else {
        return Ok(false);
    };
    let length = found.len();
    if at >= length || !found.is_file() {
        return Ok(false);
    }
    let mut open = std::fs::OpenOptions::new()
        .write(true)
        .open(file)
        .with_context(|| file.display().to_string())?;
    let size = PAGE.min(length - at);
    let mut noise =
        |bytes: u64| -> Vec<u8> { (0..bytes).map(|_| random.below(256) as u8).collect() };
    let bytes = match kind {
        Kind::Random => noise(size),
        Kind::Zero => vec![0; size as usize],
        Kind::Torn => noise(size / 2),
        Kind::Cut => {
            open.set_len(at)?;
            return Ok(true);
        }
        Kind::Longer => {
            open.seek(SeekFrom::End(0))?;
            open.write_all(&noise(PAGE))?;
            return Ok(true);
        }
    };
    open.seek(SeekFrom::Start(at))?;
    open.write_all(&bytes)?;
    Ok(true)
}
