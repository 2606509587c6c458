//! `knotwork watch`.

use crate::command::{Command, Row, Run};
use crate::environment::{self, GlobalArgs, Limits};
use crate::format::TEXT_OR_JSON;
use crate::printer::{CommandResult, Printer};
use crate::progress::DebugLog;
use crate::text::format_plural;
use clap::Args;
use engine::{Engine, EngineError, IndexAnswer, IndexRequest, Settings};
use std::time::{Duration, Instant};

/// The time between checks for changes.
const GLANCE: Duration = Duration::from_millis(50);

/// The longest delay of an update while changes never pause.
const LONGEST: Duration = Duration::from_secs(5);

/// The time between walks of the tree where no watcher is available.
const POLL: Duration = Duration::from_secs(2);

pub(super) const COMMAND: Command = Command {
    name: "watch",
    aliases: &[],
    about: "Update the index whenever files change",
    examples: &["knotwork watch --debounce 500"],
    part_examples: &[],
    formats: TEXT_OR_JSON,
    part_formats: &[],
    operations: &[],
    readme: Row {
        usage: "`watch`",
        tool: None,
        answers: "updates the index in the foreground while files change",
    },
    readme_chinese: None,
    run: &Run::in_process(watch_files),
};

/// Keep the index up to date while files change, until it is interrupted.
#[derive(Debug, Args)]
struct WatchArgs {
    /// Wait until no file has changed for this many milliseconds
    #[arg(long, value_name = "MS", default_value_t = 200)]
    debounce: u64,
    /// Scan the project every this many seconds, instead of using file system events
    #[arg(long, value_name = "SECONDS")]
    poll: Option<f64>,
}

fn watch_files(given: &GlobalArgs, args: WatchArgs, printer: &Printer) -> CommandResult {
    let json = printer.is_json(TEXT_OR_JSON)?;
    let poll = match args.poll {
        Some(seconds) => Some(Duration::try_from_secs_f64(seconds).map_err(|_| {
            EngineError::bad_arguments(format!(
                "invalid --poll: {seconds}. Must be a number of seconds"
            ))
        })?),
        None => None,
    };
    let settings = Settings {
        long_running: poll.is_none(),
        ..environment::read_settings(given, &Limits::default())?
    };
    let engine = Engine::open(settings, Box::new(DebugLog::with_warnings()))?;
    let watch = Watch {
        engine: &engine,
        printer,
        quiet: Duration::from_millis(args.debounce),
        poll: poll.unwrap_or(POLL),
    };
    printer.print_note(&format!("watching {}", engine.root().display()));
    watch.update_on_changes(&|answer| print_update(answer, json, printer))
}

/// Prints a line for each update.
fn print_update(answer: &IndexAnswer, json: bool, printer: &Printer) -> CommandResult {
    if json {
        return printer.print_json(answer);
    }
    let report = &answer.report;
    printer.print_text(&format!(
        "{} read, {} removed, {} ms",
        format_plural(u64::from(report.files_updated), "file"),
        report.files_removed,
        report.duration_ms
    ))
}

struct Watch<'a> {
    engine: &'a Engine,
    printer: &'a Printer,
    /// The time without changes before an update.
    quiet: Duration,
    poll: Duration,
}

impl Watch<'_> {
    fn update_on_changes(
        &self,
        on_update: &dyn Fn(&IndexAnswer) -> CommandResult,
    ) -> CommandResult {
        on_update(&self.engine.index(&IndexRequest::default())?)?;
        loop {
            // The watcher runs before the tree is walked, so that no change falls between the two.
            self.engine.start_watcher();
            let known = self.change_state();
            match self.engine.index(&IndexRequest::default()) {
                Ok(answer) => {
                    let report = &answer.report;
                    if report.files_updated + report.files_removed > 0 {
                        on_update(&answer)?;
                    }
                    self.wait_for_quiet_change(&known);
                }
                // A busy index becomes free again.
                Err(error) => {
                    self.printer.print_note(&format!("warning: {error}"));
                    std::thread::sleep(self.poll);
                }
            }
        }
    }

    /// The watcher's count of changes, and the commit at HEAD; none without a watcher.
    fn change_state(&self) -> Option<(u64, Option<String>)> {
        Some((self.engine.change_count()?, self.engine.head_commit()))
    }

    /// Waits for a change, then until there has been none for a while. Only the fact is kept, however many files a checkout
    /// changes.
    fn wait_for_quiet_change(&self, known: &Option<(u64, Option<String>)>) {
        if known.is_none() {
            return std::thread::sleep(self.poll);
        }
        while self.change_state() == *known {
            std::thread::sleep(GLANCE);
        }
        let began = Instant::now();
        let (mut last, mut since) = (self.change_state(), Instant::now());
        while since.elapsed() < self.quiet && began.elapsed() < LONGEST {
            std::thread::sleep(GLANCE.min(self.quiet));
            let now = self.change_state();
            if now != last {
                (last, since) = (now, Instant::now());
            }
        }
    }
}
