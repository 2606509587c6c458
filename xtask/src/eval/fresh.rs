//! `eval fresh`: files change while a daemon answers queries. No answer may name a line that no longer exists.
//!
//! Each answer is checked against every state that its files had between the query and the answer.

use crate::bench::process::measure;
use crate::bench::{index, percentile};
use crate::resident::Resident;
use anyhow::{Context, Result, bail};
use base::Language;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use testkit::edits::Random;

/// The number of clients that send queries at once.
const ASKERS: u64 = 2;

/// The most violations that are shown.
const SHOWN: usize = 12;

/// The arguments.
#[derive(clap::Args)]
pub struct Args {
    /// A repository; it is copied.
    #[arg(long)]
    repo: PathBuf,
    /// How long files change.
    #[arg(long, default_value_t = 10.0)]
    minutes: f64,
    /// The binary to measure [default: knotwork beside this program].
    #[arg(long)]
    binary: Option<PathBuf>,
    /// Where the random numbers begin.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// The states of a file over time, each with the number of the edit that began it; none while the file is deleted.
type States = Vec<(u64, Option<State>)>;

/// One state of a file.
struct State {
    text: Arc<str>,
    /// None if the language has no grammar.
    definitions: OnceLock<Option<Definitions>>,
}

/// The definitions of a text.
struct Definitions {
    /// Name, first line (with decorators) and last line of each definition.
    lines: BTreeSet<(String, usize, usize)>,
    /// The qualified names of the definitions in the graph.
    qualified: BTreeSet<String>,
}

impl Definitions {
    fn parse(path: &str, text: &str) -> Option<Definitions> {
        let facts = languages::extract(Language::from_path(path)?, text);
        let lines = facts.defs.iter();
        let lines = lines.map(|d| {
            let (from, to) = (d.span.start_line as usize, d.span.end_line as usize);
            (facts.name(d.name).to_owned(), from, to)
        });
        let ids = (0..facts.defs.len() as u32).map(syntax::facts::DefId);
        Some(Definitions {
            lines: lines.collect(),
            qualified: ids.map(|id| facts.qualified_name(id)).collect(),
        })
    }
}

impl State {
    fn new(text: Arc<str>) -> State {
        State {
            text,
            definitions: OnceLock::new(),
        }
    }

    fn definitions(&self, path: &str) -> Option<&Definitions> {
        let known = self
            .definitions
            .get_or_init(|| Definitions::parse(path, &self.text));
        known.as_ref()
    }

    /// Whether two lines lie inside a definition of that name that begins before them.
    fn encloses(&self, path: &str, name: &str, from: usize, to: usize) -> bool {
        self.definitions(path).is_some_and(|known| {
            let before = (name.to_owned(), 0, 0)..(name.to_owned(), from, 0);
            known.lines.range(before).any(|(_, _, end)| to <= *end)
        })
    }

    /// Whether a definition of that name begins between two lines.
    fn defines(&self, path: &str, name: &str, from: usize, to: usize) -> bool {
        match self.definitions(path) {
            Some(known) => {
                let within = (name.to_owned(), from, 0)..=(name.to_owned(), to, usize::MAX);
                known.lines.range(within).next().is_some()
            }
            None => {
                let lines = self.text.lines().skip(from.saturating_sub(1));
                lines.take(to + 1 - from).any(|line| line.contains(name))
            }
        }
    }
}

/// All edits so far, and the states of all files.
#[derive(Default)]
struct History {
    edits: u64,
    files: BTreeMap<String, States>,
}

impl History {
    /// A file that defined the symbol in each of its states between two edits.
    fn always_defined(&self, symbol: &str, from: u64, to: u64) -> Option<&str> {
        let is_there = |path: &&String| {
            !self.any(path, from, to, &|state| {
                let known = state.and_then(|state| state.definitions(path));
                !known.is_some_and(|known| known.qualified.contains(symbol))
            })
        };
        self.files.keys().find(is_there).map(String::as_str)
    }

    /// Whether a condition holds for some state of the file between two edits.
    fn any(&self, path: &str, from: u64, to: u64, holds: &dyn Fn(Option<&State>) -> bool) -> bool {
        let Some(states) = self.files.get(path) else {
            return true;
        };
        let first = states
            .iter()
            .rposition(|(edit, _)| *edit <= from)
            .unwrap_or(0);
        let within = states[first..].iter().take_while(|(edit, _)| *edit <= to);
        within.into_iter().any(|(_, state)| holds(state.as_ref()))
    }
}

/// Counts of queries and results.
#[derive(Default)]
struct Tally {
    asked: usize,
    claims: usize,
    stale: usize,
    /// Queries whose symbol was not found. The next field counts ambiguous symbols.
    unknown: usize,
    ambiguous: usize,
    busy: usize,
    violations: Vec<String>,
    times: Vec<Duration>,
}

struct Scene {
    root: PathBuf,
    history: Mutex<History>,
    tally: Mutex<Tally>,
    over: AtomicBool,
    names: Vec<String>,
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The interval of progress reports in a long run.
const PROGRESS: Duration = Duration::from_secs(300);

/// Runs the evaluation; fails if an answer named a line that did not exist.
pub fn evaluate_freshness(args: &Args) -> Result<()> {
    let beside = std::env::current_exe()?.with_file_name("knotwork");
    let binary = args.binary.clone().unwrap_or(beside).canonicalize()?;
    let (folder, state) = (tempfile::tempdir()?, tempfile::tempdir()?);
    let root = folder.path().join("repo");
    let copied = Command::new("cp")
        .arg("-a")
        .arg(&args.repo)
        .arg(&root)
        .status()?;
    if !copied.success() {
        bail!("{}: cannot be copied", args.repo.display());
    }
    let root = root.canonicalize()?;
    measure(index::command(&binary, &root, state.path()).args(["index", "--format", "json"]))?;
    let daemon = Resident::start(&binary, &root, state.path())?;
    daemon.connect()?.ask("warmup", json!({}))?;
    let scene = Scene {
        history: Mutex::new(read_files(&root)?),
        names: crate::bench::symbols(&state.path().join("graph.db"), 400)?,
        root,
        tally: Mutex::default(),
        over: AtomicBool::new(false),
    };
    let length = Duration::from_secs_f64(args.minutes * 60.0);
    let since = Instant::now();
    let ended = std::thread::scope(|scope| -> Result<()> {
        let askers: Vec<_> = (0..ASKERS)
            .map(|number| {
                let (scene, daemon) = (&scene, &daemon);
                scope.spawn(move || ask(scene, daemon, Random::new(args.seed * 7 + number + 1)))
            })
            .collect();
        let edited = edit(&scene, length, Random::new(args.seed * 31 + 5));
        scene.over.store(true, Ordering::SeqCst);
        for asker in askers {
            asker
                .join()
                .map_err(|_| anyhow::anyhow!("an asker failed"))??;
        }
        edited
    });
    // Results so far count even if the run ended with an error.
    let reported = report(&scene, since.elapsed());
    ended.and(reported)
}

fn report(scene: &Scene, length: Duration) -> Result<()> {
    let mut tally = lock(&scene.tally);
    let edits = lock(&scene.history).edits;
    let ms = |time: Duration| time.as_secs_f64() * 1_000.0;
    let (half, most) = (
        percentile(&mut tally.times, 0.5),
        percentile(&mut tally.times, 0.95),
    );
    println!(
        "{:.1} min: {edits} edits, {} questions ({} of symbols that edits had removed, {} of ambiguous ones, {} busy, {} from a last state), p50 {:.1} ms, p95 {:.1} ms",
        length.as_secs_f64() / 60.0,
        tally.asked,
        tally.unknown,
        tally.ambiguous,
        tally.busy,
        tally.stale,
        ms(half),
        ms(most),
    );
    println!(
        "{} places held against the files, {} were not there",
        tally.claims,
        tally.violations.len()
    );
    for violation in tally.violations.iter().take(SHOWN) {
        println!("  {violation}");
    }
    if tally.violations.is_empty() {
        Ok(())
    } else {
        bail!("{} places were not there", tally.violations.len())
    }
}

fn read_files(root: &Path) -> Result<History> {
    let mut history = History::default();
    for file in ingest::walk::walk_project(root, 1 << 20)?.files {
        let bytes = std::fs::read(root.join(&file.path))?;
        let text: Arc<str> = String::from_utf8_lossy(&bytes).into();
        let first = vec![(0, Some(State::new(text)))];
        history.files.insert(file.path, first);
    }
    Ok(history)
}

/// Changes files as an editor and a person would, until the time is up.
fn edit(scene: &Scene, length: Duration, mut random: Random) -> Result<()> {
    let paths: Vec<String> = lock(&scene.history).files.keys().cloned().collect();
    let since = Instant::now();
    let mut told = since;
    while since.elapsed() < length {
        if told.elapsed() > PROGRESS {
            told = Instant::now();
            let tally = lock(&scene.tally);
            let minutes = since.elapsed().as_secs() / 60;
            let (asked, wrong) = (tally.asked, tally.violations.len());
            eprintln!("{minutes} min: {asked} questions, {wrong} places were not there");
        }
        let path = &paths[random.below(paths.len())];
        let now = lock(&scene.history).files[path]
            .last()
            .and_then(|(_, state)| state.as_ref().map(|s| s.text.clone()));
        let new = match now {
            // A deleted file comes back.
            None => {
                let first = &lock(&scene.history).files[path][0].1;
                first.as_ref().map(|state| state.text.clone())
            }
            Some(_) if random.below(12) == 0 => None,
            Some(text) => Some(changed(&text, &mut random)),
        };
        // Some editors write a file in two steps.
        if let Some(text) = new.as_deref().filter(|_| random.below(6) == 0) {
            let mut half = text.len() / 2;
            while !text.is_char_boundary(half) {
                half -= 1;
            }
            put(scene, path, Some(text[..half].into()))?;
            std::thread::sleep(Duration::from_millis(random.below(20) as u64));
        }
        put(scene, path, new)?;
        // Sometimes edits come in a burst, as in a checkout.
        let pause = if random.below(20) < 5 {
            1
        } else {
            random.below(500)
        };
        std::thread::sleep(Duration::from_millis(pause as u64));
    }
    Ok(())
}

fn put(scene: &Scene, path: &str, text: Option<Arc<str>>) -> Result<()> {
    let file = scene.root.join(path);
    let mut history = lock(&scene.history);
    match &text {
        Some(text) => std::fs::write(&file, text.as_bytes())?,
        None => std::fs::remove_file(&file)?,
    }
    history.edits += 1;
    let edit = history.edits;
    history
        .files
        .get_mut(path)
        .context("a file that is not known")?
        .push((edit, text.map(State::new)));
    Ok(())
}

/// The text with lines inserted, removed or moved.
fn changed(text: &str, random: &mut Random) -> Arc<str> {
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    let at = random.below(lines.len() + 1);
    match random.below(4) {
        0 => (0..=random.below(30)).for_each(|_| lines.insert(0, "\n")),
        1 => {
            let to = (at + random.below(40)).min(lines.len());
            lines.drain(at..to);
        }
        2 => {
            let to = (at + random.below(15)).min(lines.len());
            let moved: Vec<&str> = lines.drain(at..to).collect();
            let there = random.below(lines.len() + 1);
            lines.splice(there..there, moved);
        }
        _ => lines.truncate(at),
    }
    lines.concat().into()
}

/// Sends queries and checks the answers against the files, until the editor is done.
fn ask(scene: &Scene, daemon: &Resident, mut random: Random) -> Result<()> {
    let mut wire = daemon.connect()?;
    while !scene.over.load(Ordering::SeqCst) {
        let name = &scene.names[random.below(scene.names.len())];
        let (action, payload) = match random.below(5) {
            0 => ("search", json!({"query": format!("what does {name} do")})),
            1 => ("search", json!({"query": name, "mode": "symbol"})),
            2 => (
                "call-chain",
                json!({"symbol": name, "direction": "both", "depth": 2}),
            ),
            3 => ("impact", json!({"symbol": name, "depth": 2})),
            _ => ("graph-rag", json!({"query": format!("how is {name} used")})),
        };
        let from = lock(&scene.history).edits;
        let (took, answer) = wire.ask(action, payload)?;
        let history = lock(&scene.history);
        let to = history.edits;
        let mut tally = lock(&scene.tally);
        tally.asked += 1;
        tally.times.push(took);
        match answer["status"].as_str() {
            Some("ok") => {}
            Some("busy") => {
                tally.busy += 1;
                continue;
            }
            _ => {
                let message = answer["error_message"].as_str().unwrap_or_default();
                refused(
                    &history,
                    &mut tally,
                    RefusedCall {
                        action,
                        name,
                        message,
                    },
                    (from, to),
                );
                continue;
            }
        }
        tally.stale += usize::from(answer["data"]["index"]["fresh"] == false);
        let mut claims = Vec::new();
        collect(&answer["data"], &mut claims);
        for claim in claims {
            tally.claims += 1;
            if !history.any(&claim.path, from, to, &|text| claim.holds(text)) {
                let shown = format!("{action} {name}: {claim:?} (edits {from} to {to})");
                tally.violations.push(shown);
            }
        }
    }
    Ok(())
}

/// A query that was answered with an error.
struct RefusedCall<'a> {
    action: &'a str,
    name: &'a str,
    message: &'a str,
}

/// Checks an error. It is right if the symbol was missing or ambiguous at some moment between query and answer.
fn refused(
    history: &History,
    tally: &mut Tally,
    RefusedCall {
        action,
        name,
        message,
    }: RefusedCall<'_>,
    (from, to): (u64, u64),
) {
    if message.starts_with("ambiguous symbol") {
        tally.ambiguous += 1;
    } else if message.starts_with("symbol not found") {
        tally.unknown += 1;
        if let Some(path) = history.always_defined(name, from, to) {
            let shown =
                format!("{action} {name}: not found, but {path} had it (edits {from} to {to})");
            tally.violations.push(shown);
        }
    } else {
        tally.violations.push(format!("{action} {name}: {message}"));
    }
}

/// A location that an answer names.
#[derive(Debug)]
struct Claim {
    path: String,
    line: usize,
    /// The last line; the first one if the answer names no last line.
    end: usize,
    /// The last part of the definition's name. The definition begins between the two lines, or contains them.
    name: Option<String>,
    snippet: Option<String>,
}

impl Claim {
    fn holds(&self, state: Option<&State>) -> bool {
        let Some(state) = state else {
            return false;
        };
        let text = &*state.text;
        if self.end.max(self.line) > text.lines().count().max(1) {
            return false;
        }
        // In a snippet long lines are cut and secrets are hidden.
        let part = |line: &str| line.trim().trim_end_matches('…').to_owned();
        let shown = |snippet: &str, text: &str| {
            let lines = snippet.lines().filter(|line| !line.contains('*'));
            lines.map(part).all(|line| text.contains(&line))
        };
        let snippet = self.snippet.as_deref();
        if !snippet.is_none_or(|snippet| shown(snippet, text)) {
            return false;
        }
        let Some(name) = self.name.as_deref() else {
            return true;
        };
        let (path, from, to) = (&*self.path, self.line, self.end);
        if state.defines(path, name, from, to) {
            return true;
        }
        // A later chunk of a long definition: its lines must be those that the answer shows. Chunks include the empty
        // line after a definition.
        let lines = text.lines().skip(from.saturating_sub(1));
        let lines: Vec<&str> = lines.take((to + 1).saturating_sub(from)).collect();
        let lines = lines.join("\n");
        let last = from + lines.trim_end().lines().count().saturating_sub(1);
        state.encloses(path, name, from, last)
            && snippet.is_some_and(|snippet| shown(snippet, &lines))
    }
}

/// Collects every location in an answer.
fn collect(value: &Value, claims: &mut Vec<Claim>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect(item, claims)),
        Value::Object(fields) => {
            claims.extend(claim(fields));
            fields.values().for_each(|inner| collect(inner, claims));
        }
        _ => {}
    }
}

/// The location that one object names.
fn claim(fields: &serde_json::Map<String, Value>) -> Option<Claim> {
    let text = |key: &str| fields.get(key).and_then(Value::as_str);
    let number = |key: &str| fields.get(key).and_then(Value::as_u64);
    let line = number("line_start").or(number("line"))? as usize;
    // The location of an edge is the call; a chunk may begin before the definition's name.
    let is_one = ["symbol_name", "id", "impact"]
        .iter()
        .any(|key| fields.contains_key(*key));
    let is_definition = is_one && text("kind") != Some("file") && !fields.contains_key("members");
    let symbol = text("symbol_name").or(text("symbol"));
    let name = symbol.filter(|_| is_definition);
    let name = name.and_then(|name| name.rsplit(['.', ':', '#']).next());
    let is_word = |name: &&str| {
        let mut letters = name.chars();
        !name.is_empty() && letters.all(|c| c.is_alphanumeric() || c == '_')
    };
    Some(Claim {
        path: text("file_path")?.to_owned(),
        line,
        end: number("line_end").map_or(line, |end| end as usize),
        name: name.filter(is_word).map(str::to_owned),
        snippet: text("snippet").map(str::to_owned),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim_of(line: usize, end: usize, name: &str) -> Claim {
        Claim {
            path: "a.py".to_owned(),
            line,
            end,
            name: Some(name.to_owned()),
            snippet: None,
        }
    }

    #[test]
    fn an_answer_is_held_against_every_state_between() {
        let mut history = History::default();
        let text = |text: &str| Some(State::new(Arc::from(text)));
        history.files.insert(
            "a.py".to_owned(),
            vec![
                (0, text("def a():\n    pass\n")),
                (3, None),
                (5, text("\n\ndef a():\n    pass\n")),
            ],
        );
        let holds = |line: usize, from, to| {
            let claim = claim_of(line, line, "a");
            history.any("a.py", from, to, &|state| claim.holds(state))
        };
        assert!(holds(1, 0, 2) && holds(1, 2, 4));
        assert!(!holds(1, 3, 4) && !holds(3, 0, 4));
        assert!(holds(3, 4, 5) && !holds(9, 0, 9));
    }

    #[test]
    fn a_symbol_that_was_there_all_along_is_to_be_found() {
        let mut history = History::default();
        let text = |text: &str| Some(State::new(Arc::from(text)));
        let states = vec![
            (0, text("class A:\n    def a(self):\n        pass\n")),
            (3, text("\n\nclass A:\n    def a(self):\n        pass\n")),
            (5, text("def a():\n    pass\n")),
            (7, None),
        ];
        history.files.insert("a.py".to_owned(), states);
        let there = |symbol: &str, from, to| history.always_defined(symbol, from, to).is_some();
        assert!(there("A.a", 0, 4) && !there("A.a", 4, 5) && !there("A.a", 5, 6));
        assert!(there("a", 5, 6) && !there("a", 0, 4) && !there("a", 5, 7));
    }

    #[test]
    fn a_definition_begins_with_its_decorator_however_long_that_is() {
        let cases = "    1,\n".repeat(300);
        let text = format!("import t\n\n@t.over(\n{cases})\ndef a():\n    b()\n");
        let state = State::new(Arc::from(text));
        let holds = |line, end, name| claim_of(line, end, name).holds(Some(&state));
        assert!(holds(3, 3, "a") && holds(3, 306, "a") && holds(1, 4, "a"));
        // A claim fails at a wrong line, before or within the definition, and at a mere mention.
        assert!(!holds(305, 305, "a") && !holds(2, 2, "a") && !holds(4, 300, "a"));
        assert!(!holds(306, 306, "b"));
        assert!(!holds(3, 400, "a"));
    }

    #[test]
    fn the_rest_of_a_long_definition_is_held_against_its_lines() {
        let body: String = (0..60).map(|n| format!("    step_{n}()\n")).collect();
        let state = State::new(Arc::from(format!(
            "def a():\n{body}\ndef b():\n    end()\n"
        )));
        let holds = |line, end, snippet: &str| {
            let claim = Claim {
                snippet: Some(snippet.to_owned()),
                ..claim_of(line, end, "a")
            };
            claim.holds(Some(&state))
        };
        assert!(holds(40, 50, "    step_40()") && holds(1, 9, "    step_2()"));
        // Lines that have moved, or that belong to another definition.
        assert!(!holds(40, 50, "    step_20()") && !holds(50, 64, "    step_50()"));
    }

    #[test]
    fn every_place_of_an_answer_is_found() {
        let answer = json!({"results": [{"file_path": "a", "line_start": 2, "line_end": 4, "symbol": "x", "id": "1",
            "snippet": "def x"}], "paths": [{"file_path": "b", "line": 1, "symbol_name": "q.y"}],
            "affected": [{"file_path": "c", "line": 7, "symbol": "C.z", "impact": 0.8, "edge": {"file_path": "c", "line": 9}},
                {"file_path": "d.py", "line": 1, "symbol": "d.py", "impact": 0.8, "members": 3}]});
        let mut claims = Vec::new();
        collect(&answer, &mut claims);
        let mut told: Vec<_> = claims
            .iter()
            .map(|c| {
                format!(
                    "{}:{}-{} {}",
                    c.path,
                    c.line,
                    c.end,
                    c.name.as_deref().unwrap_or("")
                )
            })
            .collect();
        told.sort();
        assert_eq!(
            told,
            ["a:2-4 x", "b:1-1 y", "c:7-7 z", "c:9-9 ", "d.py:1-1 "]
        );
    }
}
