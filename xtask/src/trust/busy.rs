//! Row `busy`: twenty other processes lock the database at random while it is indexed, updated and queried. A query may
//! fail because the store is busy; nothing else may fail, and no data may be lost.

use super::scene::{Came, QUESTIONS, Scene};
use super::{Args, Figure};
use anyhow::Result;
use rusqlite::Connection;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use testkit::edits::Random;

/// The number of processes that lock the database.
const LOCKERS: usize = 20;
/// The variable that makes a process one of them, with the path of the database.
const DATABASE: &str = "KNOTWORK_TRUST_LOCKER";

/// The locking processes; they are stopped on drop.
struct Lockers(Vec<Child>);

impl Lockers {
    fn start(database: &Path) -> Result<Lockers> {
        let program = std::env::current_exe()?;
        let one = |_| {
            Command::new(&program)
                .args(["trust", "busy"])
                .env(DATABASE, database)
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
        };
        Ok(Lockers((0..LOCKERS).map(one).collect::<Result<_, _>>()?))
    }
}

impl Drop for Lockers {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Runs the row. In a child process it locks the database until it is killed.
pub fn check_busy(args: &Args) -> Result<Vec<Figure>> {
    if let Some(database) = std::env::var_os(DATABASE) {
        lock_for_ever(Path::new(&database));
    }
    let mut scene = Scene::new(args)?;
    let lockers = Lockers::start(&scene.state.join("graph.db"))?;
    let (mut answered, mut busy, mut failed) = (0, 0, Vec::new());
    let until = Instant::now() + Duration::from_secs_f64(args.minutes.unwrap_or(1.0) * 60.0);
    let mut number = 0;
    while Instant::now() < until {
        number += 1;
        if number % 3 == 0 {
            scene.edits.next_edit().apply_to_disk(&scene.root);
        }
        let asked: &[&str] = match number % 11 {
            5 => &["ast-delta"],
            9 => &["index"],
            10 => &["index", "--force"],
            n => QUESTIONS[n % QUESTIONS.len()],
        };
        match scene.ask(asked) {
            Came::Answer(_) => answered += 1,
            // An edit may have removed the symbol.
            Came::Told(said) if said.contains("not found") || said.contains("no symbol") => {
                answered += 1
            }
            Came::Told(said) if said.contains("busy") => busy += 1,
            Came::Told(said) | Came::Broken(said) => failed.push(format!("{asked:?}: {said:.300}")),
        }
    }
    drop(lockers);
    let wrong = super::disk::well(&scene);
    failed
        .iter()
        .take(if args.list { 1_000 } else { 5 })
        .for_each(|said| println!("    {said}"));
    Ok(vec![
        Figure::note("busy: answered", answered.to_string()),
        Figure::note("busy: told to come again", busy.to_string()),
        Figure::new(
            "busy: failed otherwise",
            failed.len().to_string(),
            "none",
            failed.is_empty() && answered > 0,
        ),
        Figure::new(
            "busy: the index in the end",
            wrong
                .clone()
                .unwrap_or_else(|| "like a clean build".to_owned()),
            "like a clean build",
            wrong.is_none(),
        ),
    ])
}

fn lock_for_ever(database: &Path) -> ! {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let seed = now.map_or(0, |t| t.as_nanos() as u64) ^ u64::from(std::process::id());
    let mut random = Random::new(seed);
    loop {
        let _ = lock_once(database, &mut random);
        std::thread::sleep(Duration::from_millis(random.below(600) as u64));
    }
}

fn lock_once(database: &Path, random: &mut Random) -> rusqlite::Result<()> {
    let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_WRITE;
    let connection = Connection::open_with_flags(database, flags)?;
    connection.busy_timeout(Duration::from_millis(50))?;
    let hold = Duration::from_millis(random.below(150) as u64);
    match random.below(8) {
        0 => connection.execute_batch("BEGIN EXCLUSIVE")?,
        1 => connection.execute_batch("BEGIN IMMEDIATE")?,
        2 => connection.execute_batch("PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE")?,
        3 => {
            // Checkpoints the log, and waits for readers meanwhile.
            connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
        }
        _ => {
            connection.execute_batch("BEGIN")?;
            connection.query_row("SELECT count(*) FROM nodes", [], |_| Ok(()))?;
        }
    }
    std::thread::sleep(hold);
    Ok(())
}
