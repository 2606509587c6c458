//! `eval kill`: kills processes at random moments of an index build, an update, a daemon's write and a solution's
//! save. After each kill the store must open, pass SQLite's integrity check and answer. The next update must give the
//! same rows as a clean build, and no acknowledged solution may be lost.

use super::incremental::compare;
use crate::bench::index::command;
use crate::resident::Resident;
use anyhow::{Context, Result, bail};
use ingest::{IndexOptions, update_all};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use store::sqlite::SqliteStore;
use testkit::edits::Random;

/// Arguments of `eval kill`.
#[derive(clap::Args)]
pub struct Args {
    /// A repository; it is copied.
    #[arg(long)]
    repo: PathBuf,
    /// How many processes are killed at each of the four moments.
    #[arg(long, default_value_t = 125)]
    count: usize,
    /// The binary [default: knotwork beside this program].
    #[arg(long)]
    binary: Option<PathBuf>,
    /// Where the random numbers begin.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// A random share of a time, up to a tenth more than all of it.
fn within(random: &mut Random, time: Duration) -> Duration {
    Duration::from_micros(random.below(time.as_micros() as usize * 11 / 10) as u64)
}

struct Scene {
    binary: PathBuf,
    root: PathBuf,
    state: PathBuf,
    files: Vec<String>,
    random: Random,
}

/// The results of the kills at one kind of moment.
#[derive(Default)]
pub struct Tally {
    /// Processes that were killed while they worked.
    pub killed: usize,
    /// Processes that had ended before.
    pub late: usize,
    /// Problems found afterwards.
    pub wrong: Vec<String>,
}

impl Tally {
    fn row(&self, what: &str) {
        let all = self.killed + self.late;
        println!(
            "{what:<14} {:>4} of {all} well ({} killed in the middle, {} had ended)",
            all - self.wrong.len(),
            self.killed,
            self.late
        );
        self.wrong
            .iter()
            .take(5)
            .for_each(|why| println!("    {why}"));
    }

    fn note(&mut self, was_killed: bool, wrong: Option<String>) {
        if was_killed {
            self.killed += 1
        } else {
            self.late += 1
        }
        self.wrong.extend(wrong);
    }
}

/// Runs the evaluation; fails if data was lost or damaged.
pub fn evaluate_kills(args: &Args) -> Result<()> {
    let beside = std::env::current_exe()?.with_file_name("knotwork");
    let binary = args.binary.clone().unwrap_or(beside).canonicalize()?;
    let mut wrong = 0;
    for (what, tally) in measure(&args.repo, &binary, args.count, args.seed)? {
        tally.row(what);
        wrong += tally.wrong.len();
    }
    match wrong {
        0 => Ok(()),
        _ => bail!("{wrong} kills left damage"),
    }
}

/// Kills `count` processes at each of the four kinds of moments.
pub fn measure(
    repo: &Path,
    binary: &Path,
    count: usize,
    seed: u64,
) -> Result<Vec<(&'static str, Tally)>> {
    let folder = tempfile::tempdir()?;
    let root = folder.path().join("repo");
    let copied = Command::new("cp").arg("-a").arg(repo).arg(&root).status()?;
    if !copied.success() {
        bail!("{}: cannot be copied", repo.display());
    }
    let files = ingest::walk::walk_project(&root, 1 << 20)?.files;
    let mut scene = Scene {
        binary: binary.to_path_buf(),
        root: root.canonicalize()?,
        state: folder.path().join("state"),
        files: files.into_iter().map(|f| f.path).collect(),
        random: Random::new(seed),
    };
    Ok(vec![
        ("index", indexes(&mut scene, count)?),
        ("update", updates(&mut scene, count)?),
        ("daemon", daemons(&mut scene, count)?),
        ("solutions", solutions(&mut scene, folder.path(), count)?),
    ])
}

/// Kills a child after a time. Returns whether it was still running.
fn kill_after(mut child: Child, time: Duration) -> Result<bool> {
    std::thread::sleep(time);
    let ran = child.try_wait()?.is_none();
    let _ = child.kill();
    child.wait()?;
    Ok(ran)
}

impl Scene {
    fn command(&self) -> Command {
        let mut command = command(&self.binary, &self.root, &self.state);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    fn timed(&self, arguments: &[&str]) -> Result<Duration> {
        let since = Instant::now();
        let status = self.command().args(arguments).status()?;
        if status.success() {
            Ok(since.elapsed())
        } else {
            bail!("{arguments:?}: {status}")
        }
    }

    /// Changes a random file as an editor might: removes or repeats some lines, or inserts one. Returns its path.
    fn edit(&mut self) -> Result<String> {
        let path = self.files[self.random.below(self.files.len())].clone();
        let at = self.root.join(&path);
        let text = String::from_utf8_lossy(&std::fs::read(&at)?).into_owned();
        let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
        let from = self.random.below(lines.len() + 1);
        let to = (from + self.random.below(12)).min(lines.len());
        let moved: Vec<&str> = lines[from..to].to_vec();
        match self.random.below(3) {
            0 => drop(lines.drain(from..to)),
            1 => drop(lines.splice(from..from, moved)),
            _ => lines.insert(0, "\n"),
        }
        std::fs::write(&at, lines.concat())?;
        Ok(path)
    }

    /// The damage after a kill, if any. Checks the database first, then an answer, then every row.
    fn damage(&self) -> Option<String> {
        let db = self.state.join("graph.db");
        // A process that was killed early may have left no database, which is fine.
        if db.exists() {
            let checked = SqliteStore::open(&db).and_then(|store| store.check_integrity());
            if let Err(error) = checked {
                return Some(format!("integrity: {error}"));
            }
        }
        let asked = command(&self.binary, &self.root, &self.state)
            .args(["search", "where are options read", "--format", "json"])
            .output();
        match asked {
            Ok(output) if output.status.success() => {}
            Ok(output) => return Some(String::from_utf8_lossy(&output.stderr).into_owned()),
            Err(error) => return Some(error.to_string()),
        }
        let clean = tempfile::tempdir().ok()?;
        let theirs = IndexOptions::new(&self.root, clean.path());
        if let Err(error) = update_all(&theirs, &()) {
            return Some(error.to_string());
        }
        compare(&IndexOptions::new(&self.root, &self.state), &theirs)
    }
}

fn indexes(scene: &mut Scene, count: usize) -> Result<Tally> {
    let whole = scene.timed(&["index", "--force"])?;
    let mut tally = Tally::default();
    for number in 0..count {
        // Every other build starts from nothing.
        if number % 2 == 0 {
            std::fs::remove_dir_all(&scene.state)?;
        }
        let child = scene.command().args(["index", "--force"]).spawn()?;
        let ran = kill_after(child, within(&mut scene.random, whole))?;
        tally.note(ran, scene.damage());
    }
    Ok(tally)
}

fn updates(scene: &mut Scene, count: usize) -> Result<Tally> {
    scene.timed(&["index"])?;
    let path = scene.edit()?;
    let whole = scene.timed(&["ast-delta", &path])?;
    let mut tally = Tally::default();
    for _ in 0..count {
        for _ in 0..=scene.random.below(3) {
            scene.edit()?;
        }
        let child = scene.command().arg("ast-delta").spawn()?;
        let ran = kill_after(child, within(&mut scene.random, whole))?;
        tally.note(ran, scene.damage());
    }
    Ok(tally)
}

fn daemons(scene: &mut Scene, count: usize) -> Result<Tally> {
    scene.timed(&["index"])?;
    let mut tally = Tally::default();
    for _ in 0..count {
        let daemon = Resident::start(&scene.binary, &scene.root, &scene.state)?;
        let mut wire = daemon.connect()?;
        wire.ask("ast-delta", json!({}))?;
        let path = scene.edit()?;
        let time = within(&mut scene.random, Duration::from_millis(60));
        let pid = daemon.pid.to_string();
        let asks =
            std::thread::spawn(move || wire.ask("ast-delta", json!({"file": path})).is_err());
        std::thread::sleep(time);
        Command::new("kill").args(["-s", "KILL", &pid]).status()?;
        let cut = asks.join().unwrap_or(true);
        // The daemon that was started afterwards is stopped when this is dropped.
        drop(daemon);
        tally.note(cut, scene.damage());
    }
    Ok(tally)
}

/// Kills a server that does nothing but save solutions, then checks that all acknowledged solutions exist.
fn solutions(scene: &mut Scene, folder: &Path, count: usize) -> Result<Tally> {
    let memory = folder.join("memory");
    let mut tally = Tally::default();
    let mut known: Vec<String> = Vec::new();
    for round in 0..count {
        let mut server = Command::new(&scene.binary)
            .args(["mcp", "--only", "solutions"])
            .env("SOLUTION_MEMORY_PATH", &memory)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let saved = Arc::new(Mutex::new(Vec::new()));
        let talk = talk(&mut server, round, saved.clone())?;
        let ran = kill_after(
            server,
            within(&mut scene.random, Duration::from_millis(500)),
        )?;
        let _ = talk.join();
        let saved = std::mem::take(&mut *saved.lock().unwrap_or_else(PoisonError::into_inner));
        tally.note(ran, lost(&memory, &known, &saved));
        known.extend(saved);
    }
    println!("               {} solutions were acknowledged", known.len());
    Ok(tally)
}

/// Sends saves one after the other and records the returned ids.
fn talk(
    server: &mut Child,
    round: usize,
    saved: Arc<Mutex<Vec<String>>>,
) -> Result<std::thread::JoinHandle<()>> {
    let mut input = server.stdin.take().context("no standard input")?;
    let output = server.stdout.take().context("no standard output")?;
    let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": {"name": "eval", "version": "0"}}});
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    Ok(std::thread::spawn(move || {
        let mut lines = BufReader::new(output).lines();
        let mut tell = |message: &Value| writeln!(input, "{message}").is_ok();
        if !tell(&hello) || lines.next().is_none() || !tell(&ready) {
            return;
        }
        for number in 1.. {
            let save = json!({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {
                "name": "save_solution", "arguments": {
                    "title": format!("Problem {number} of round {round}"),
                    "problem": format!("Service {round}-{number} answers with status 50{}", number % 5),
                    "solution": format!("Restart part {number}")}}});
            if !tell(&save) {
                return;
            }
            let Some(Ok(line)) = lines.next() else { return };
            let answer: Value = serde_json::from_str(&line).unwrap_or_default();
            let text = answer["result"]["content"][0]["text"].as_str();
            let value: Value = text
                .and_then(|text| serde_json::from_str(text).ok())
                .unwrap_or_default();
            if let Some(id) = value["id"].as_str() {
                let mut saved = saved.lock().unwrap_or_else(PoisonError::into_inner);
                saved.push(id.to_owned());
            }
        }
    }))
}

/// Damage to the memory, or a missing solution.
fn lost(folder: &Path, known: &[String], saved: &[String]) -> Option<String> {
    let path = folder.join("solutions.db");
    if !path.exists() {
        return (!known.is_empty() || !saved.is_empty()).then(|| "the store is gone".to_owned());
    }
    let said = rusqlite::Connection::open(&path)
        .and_then(|c| c.query_row("PRAGMA integrity_check(1)", [], |r| r.get::<_, String>(0)));
    match said {
        Ok(said) if said == "ok" => {}
        Ok(said) => return Some(said),
        Err(error) => return Some(error.to_string()),
    }
    let memory = solution::Memory::new(solution::Options::for_folder(folder));
    let count = match memory.stats() {
        Ok(stats) => stats.solutions as usize,
        Err(error) => return Some(error.to_string()),
    };
    let gone = saved.iter().filter(|id| {
        let request = solution::GetRequest { id: (*id).clone() };
        memory.get(&request).is_err()
    });
    let gone = gone.count();
    let notes = memory.take_notes();
    if gone > 0 || count < known.len() + saved.len() || !notes.is_empty() {
        return Some(format!(
            "{gone} of {} new ones gone, {count} kept of {}; {notes:?}",
            saved.len(),
            known.len() + saved.len()
        ));
    }
    None
}
