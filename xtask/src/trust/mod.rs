//! `trust [ROW…]`: how the program handles untrusted content. Each row prints its figures and their bounds. Without
//! rows all are run. The exit code is not 0 if a bound is missed.

#[cfg(unix)]
mod busy;
mod ceiling;
#[cfg(unix)]
mod clients;
mod confined;
#[cfg(unix)]
mod damage;
#[cfg(unix)]
mod disk;
mod hostile;
#[cfg(unix)]
mod kills;
mod long;
#[cfg(unix)]
mod scene;
mod secrets;

use anyhow::{Result, bail};
use std::path::PathBuf;

/// Arguments of `trust`.
#[derive(clap::Args)]
pub struct Args {
    /// The rows to run [default: all].
    rows: Vec<String>,
    /// The binary to try [default: knotwork beside this program].
    #[arg(long)]
    pub binary: Option<PathBuf>,
    /// Where the random numbers begin.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Names every single finding.
    #[arg(long)]
    pub list: bool,
    /// Public source code, for rows that count false alarms.
    #[arg(long)]
    pub corpus: Vec<PathBuf>,
    /// How long rows that run for a time take [default: fuzz 60 for each target, soak 120, clients 10 at each door,
    /// busy 1].
    #[arg(long)]
    pub minutes: Option<f64>,
    /// How many clients ask at once.
    #[arg(long, default_value_t = 1_000)]
    pub clients: usize,
    /// How many processes are killed.
    #[arg(long, default_value_t = 500)]
    pub count: usize,
    /// A repository to work on [default: a small one that is made]; it is copied.
    #[arg(long)]
    pub repo: Option<PathBuf>,
}

/// One measured figure of a row.
pub struct Figure {
    /// The name of the measurement.
    pub what: String,
    /// The measured value.
    pub value: String,
    /// The bound; empty if the figure is only informative.
    pub bar: String,
    /// Whether the bound is met.
    pub holds: bool,
}

impl Figure {
    /// A figure with a bound.
    pub fn new(what: &str, value: String, bar: &str, holds: bool) -> Figure {
        Figure {
            what: what.to_owned(),
            value,
            bar: bar.to_owned(),
            holds,
        }
    }

    /// A figure without a bound.
    pub fn note(what: &str, value: String) -> Figure {
        Figure::new(what, value, "", true)
    }

    fn print(&self) {
        let verdict = match (self.bar.is_empty(), self.holds) {
            (true, _) => "",
            (_, true) => "holds",
            (_, false) => "MISSED",
        };
        let (what, value, bar) = (&self.what, &self.value, &self.bar);
        println!("{what:<44} {value:>24}   {bar:<28} {verdict}");
    }
}

/// A row: its name, what it is about, and the function that measures it.
struct Row {
    name: &'static str,
    about: &'static str,
    run: fn(&Args) -> Result<Vec<Figure>>,
}

const ROWS: &[Row] = &[
    Row {
        name: "secrets",
        about: "secrets planted in sources and saved solutions, looked for behind every door",
        run: secrets::check_secrets,
    },
    Row {
        name: "confined",
        about: "every command over a hostile repository: no network, no other program, no file outside",
        run: confined::check_confined,
    },
    Row {
        name: "ceiling",
        about: "very many, very large and very deep files below a ceiling of 512 MB",
        run: ceiling::check_ceiling,
    },
    #[cfg(unix)]
    Row {
        name: "hostile",
        about: "files, folders and git objects that are made to stop a program",
        run: hostile::check_hostile,
    },
    Row {
        name: "fuzz",
        about: "every fuzz target under a watchdog",
        run: long::fuzz,
    },
    Row {
        name: "soak",
        about: "files change while a daemon is asked",
        run: long::soak,
    },
    #[cfg(unix)]
    Row {
        name: "clients",
        about: "many clients for minutes, on the daemon's socket and over HTTP",
        run: clients::check_clients,
    },
    #[cfg(unix)]
    Row {
        name: "kills",
        about: "processes killed at random moments: nothing damaged, no acknowledged solution lost",
        run: kills::check_kills,
    },
    #[cfg(unix)]
    Row {
        name: "damage",
        about: "each page of each file of the index damaged: answered as before, or refused in words",
        run: damage::check_damage,
    },
    #[cfg(unix)]
    Row {
        name: "disk",
        about: "a disk that is full: told, and well again afterwards",
        run: disk::check_disk,
    },
    #[cfg(unix)]
    Row {
        name: "busy",
        about: "twenty programs that lock the database at random",
        run: busy::check_busy,
    },
];

/// Runs the requested rows.
pub fn check_promises(args: &Args) -> Result<()> {
    let known: Vec<&str> = ROWS.iter().map(|row| row.name).collect();
    if let Some(unknown) = args.rows.iter().find(|r| !known.contains(&r.as_str())) {
        bail!("no row {unknown}; there are: {}", known.join(", "));
    }
    let asked = |row: &&Row| args.rows.is_empty() || args.rows.iter().any(|r| r == row.name);
    let mut missed = Vec::new();
    for row in ROWS.iter().filter(asked) {
        println!("{}: {}", row.name, row.about);
        let figures = (row.run)(args)?;
        figures.iter().for_each(Figure::print);
        if figures.iter().any(|figure| !figure.holds) {
            missed.push(row.name);
        }
    }
    if !missed.is_empty() {
        bail!("bars missed: {}", missed.join(", "));
    }
    Ok(())
}

/// The binary to test: the given one, else the one beside this program.
fn binary(args: &Args) -> Result<PathBuf> {
    crate::bench::binary(args.binary.as_deref())
}
