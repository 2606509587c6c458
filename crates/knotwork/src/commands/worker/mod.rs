//! `knotwork worker`: takes commits from the queue of the shared store, indexes them, and publishes their graphs.

mod clone;
mod git;

use crate::command::{Command, Row, Run};
use crate::environment::{self, GlobalArgs, Limits};
use crate::format::TEXT_OR_JSON;
use crate::printer::{CommandResult, Printer};
use crate::progress::DebugLog;
use crate::text::{format_count, format_plural};
use clap::Args;
use clone::{Checkout, Source};
use engine::{Cancel, Engine, EngineError, IndexRequest, Settings, SharedRepository};
use serde_json::json;
use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use store_postgres::{Added, Job, JobState, JobStatus, NewJob, Queue};

/// The time between looks at an empty queue.
const POLL: Duration = Duration::from_secs(1);

/// The time between looks at signals and leases.
const LOOK: Duration = Duration::from_millis(50);

/// The time until a database that cannot be reached is asked again.
const UNREACHABLE: Duration = Duration::from_secs(5);

/// The most jobs that a status lists.
const LISTED: i64 = 50;

pub(super) const COMMAND: Command = Command {
    name: "worker",
    aliases: &[],
    about: "Index repositories for a shared store: take commits from its queue",
    examples: &[
        "knotwork worker --add https://example.org/team/project.git --commit main",
        "knotwork worker             until it is interrupted",
        "knotwork worker --status    how far the queue is",
    ],
    part_examples: &[],
    formats: TEXT_OR_JSON,
    part_formats: &[],
    operations: &[],
    readme: Row {
        usage: "`worker`, `worker --add SOURCE`, `worker --status`",
        tool: None,
        answers: "[indexes repositories for a shared store](docs/scale.md#workers), from a queue",
    },
    readme_chinese: None,
    run: &Run::in_process(work_for_queue),
};

/// Index repositories for a shared store: take commits from its queue, clone, index and publish them, until interrupted. Any number of
/// workers may run, on any machines. Needs GRAPH_BACKEND=postgres and GRAPH_DB_URL
#[derive(Debug, Args)]
struct WorkerArgs {
    /// Add a repository to the queue, by the address or folder that it is cloned from, instead of working
    #[arg(long, value_name = "SOURCE")]
    add: Option<String>,
    /// The commit, branch or tag to index, a branch before a tag [default: HEAD of the source]
    #[arg(long, value_name = "REF", requires = "add")]
    commit: Option<String>,
    /// The repository's name in the shared store [default: its address without protocol, user, port and ending]
    #[arg(long, value_name = "NAME", requires = "add")]
    name: Option<String>,
    /// End when the queue is empty
    #[arg(long, conflicts_with = "add")]
    once: bool,
    /// Show the queue, instead of working
    #[arg(long, conflicts_with_all = ["add", "once"])]
    status: bool,
    /// Seconds without a sign of life after which another worker takes a job over
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    lease: u32,
}

fn work_for_queue(given: &GlobalArgs, args: WorkerArgs, printer: &Printer) -> CommandResult {
    let json = printer.is_json(TEXT_OR_JSON)?;
    let queue = open_queue()?;
    if args.status {
        return print_status(&queue, json, printer);
    }
    if let Some(source) = &args.add {
        return add_job(&queue, source, &args, json, printer);
    }
    let worker = Worker {
        given,
        queue,
        name: worker_name()?,
        lease: Duration::from_secs(u64::from(args.lease)),
        stop: stop_flag(),
        printer,
        json,
    };
    worker.take_jobs(args.once)
}

fn open_queue() -> Result<Queue, EngineError> {
    let Some(pool) = environment::shared_pool(environment::MOST_CONNECTIONS)? else {
        return Err(
            EngineError::bad_arguments("a worker needs the database of a shared store")
                .with_hint("set GRAPH_BACKEND=postgres and GRAPH_DB_URL"),
        );
    };
    Ok(Queue::open(&pool)?)
}

/// A flag that is set when the process is asked to end. A second signal ends it at once, with its child processes.
fn stop_flag() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let signals = [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM].map(|signal| {
        let came = Arc::new(AtomicBool::new(false));
        // If this fails, the signal simply ends the process.
        let _ = signal_hook::flag::register(signal, came.clone());
        (signal, came)
    });
    let seen = stop.clone();
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(LOOK);
            for (signal, came) in &signals {
                if came.swap(false, Ordering::Relaxed) && seen.swap(true, Ordering::Relaxed) {
                    guard::program::end_running_programs();
                    std::process::exit(128 + signal);
                }
            }
        }
    });
    stop
}

/// A cancel flag that is set when the process is asked to end.
fn cancel_at_signals() -> Cancel {
    let (stop, cancel) = (stop_flag(), Cancel::default());
    let given = cancel.clone();
    std::thread::spawn(move || {
        while !stop.load(Ordering::Relaxed) {
            std::thread::sleep(LOOK);
        }
        given.set();
    });
    cancel
}

/// A name that no other worker has.
fn worker_name() -> Result<String, EngineError> {
    let random = server::mcp::Http::new_token()
        .map_err(|e| EngineError::runtime_failure(format!("no random numbers: {e}")))?;
    Ok(format!("{}-{}", std::process::id(), &random[..16]))
}

fn add_job(
    queue: &Queue,
    source: &str,
    args: &WorkerArgs,
    json: bool,
    printer: &Printer,
) -> CommandResult {
    let source = Source::parse(source)?;
    let named = args.name.clone().or_else(|| source.repository_name());
    let Some(repository) = named else {
        return Err(
            EngineError::bad_arguments("this repository has no name in the shared store")
                .with_hint("--name example.org/team/project")
                .into(),
        );
    };
    let commit = source.resolve(
        args.commit.as_deref().unwrap_or("HEAD"),
        &environment::worker_folder()?,
        &cancel_at_signals(),
    )?;
    let job = NewJob {
        repository,
        source: source.address().to_owned(),
        commit,
    };
    let Added { before, is_queued } = queue.add(&job).map_err(EngineError::from)?;
    let outcome = match (before, is_queued) {
        (None, _) => "added",
        (Some(JobState::Failed), _) => "failed earlier; queued again",
        (Some(JobState::Done), true) => "was indexed before others; added again",
        (Some(JobState::Done), false) => "was indexed already",
        (Some(_), true) => "was in the queue, and moves to its end",
        (Some(_), false) => "is in the queue already",
    };
    if json {
        return printer.print_json(&json!({
            "repository": job.repository, "commit": job.commit, "source": git::without_user(&job.source),
            "before": before.map(JobState::as_str),
        }));
    }
    printer.print_text(&format!("{} at {}: {outcome}", job.repository, job.commit))
}

fn print_status(queue: &Queue, json: bool, printer: &Printer) -> CommandResult {
    let counts = queue.counts().map_err(EngineError::from)?;
    let jobs = queue.jobs(LISTED).map_err(EngineError::from)?;
    if json {
        let jobs: Vec<_> = jobs.iter().map(job_json).collect();
        let [waiting, running, done, failed] = counts;
        return printer.print_json(&json!({
            "server": queue.server(),
            "waiting": waiting, "running": running, "done": done, "failed": failed, "jobs": jobs,
        }));
    }
    let [waiting, running, done, failed] = counts;
    let mut out = format!("{waiting} waiting, {running} running, {done} done, {failed} failed\n");
    for job in &jobs {
        let JobStatus {
            work,
            state,
            attempts,
            ..
        } = job;
        let _ = write!(
            out,
            "{:8} {} {}",
            state.as_str(),
            work.repository,
            work.commit
        );
        if *attempts > 1 {
            let _ = write!(out, ", attempt {attempts}");
        }
        if let Some(error) = &job.error {
            let _ = write!(out, ": {error}");
        }
        out.push('\n');
    }
    printer.print_text(&out)
}

fn job_json(job: &JobStatus) -> serde_json::Value {
    json!({
        "repository": job.work.repository,
        "commit": job.work.commit,
        "source": git::without_user(&job.work.source),
        "state": job.state.as_str(),
        "attempts": job.attempts,
        "publications": job.publications,
        "worker": job.worker,
        "error": job.error,
    })
}

struct Worker<'a> {
    given: &'a GlobalArgs,
    queue: Queue,
    name: String,
    lease: Duration,
    stop: Arc<AtomicBool>,
    printer: &'a Printer,
    json: bool,
}

impl Worker<'_> {
    fn take_jobs(&self, once: bool) -> CommandResult {
        self.printer.print_note(&format!(
            "worker {} takes jobs from {}",
            self.name,
            self.queue.server()
        ));
        while !self.is_stopped() {
            match self.queue.take(&self.name, self.lease) {
                Ok(Some(job)) => self.work_on(&job)?,
                Ok(None) if once => break,
                Ok(None) => self.pause(POLL),
                Err(error) if once => return Err(EngineError::from(error).into()),
                // The database may become reachable again.
                Err(error) => {
                    self.printer.print_note(&format!("warning: {error}"));
                    self.pause(UNREACHABLE);
                }
            }
        }
        Ok(())
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn pause(&self, time: Duration) {
        let until = Instant::now() + time;
        while Instant::now() < until && !self.is_stopped() {
            std::thread::sleep(LOOK);
        }
    }

    /// Does a job, renewing its lease meanwhile.
    fn work_on(&self, job: &Job) -> CommandResult {
        let started = Instant::now();
        let cancel = Cancel::default();
        let over = AtomicBool::new(false);
        let done = std::thread::scope(|scope| {
            scope.spawn(|| self.keep(job, &cancel, &over));
            let done = self.index(job, &cancel);
            over.store(true, Ordering::Relaxed);
            done
        });
        let what = format!("{} at {}", job.work.repository, job.work.commit);
        match done {
            Ok(rows) => self.print_done(job, rows, started.elapsed()),
            Err(_) if self.is_stopped() => {
                // If this fails as well, the lease expires by itself.
                let _ = self.queue.give_back(job);
                self.printer
                    .print_note(&format!("returned to the queue: {what}"));
                Ok(())
            }
            Err(error) => {
                let reason = failure_text(&error);
                self.printer.print_note(&format!(
                    "warning: {what}, attempt {}: {reason}",
                    job.attempt
                ));
                if let Err(error) = self.queue.fail(job, &reason) {
                    self.printer.print_note(&format!("warning: {error}"));
                }
                Ok(())
            }
        }
    }

    fn print_done(&self, job: &Job, rows: Option<u64>, took: Duration) -> CommandResult {
        if self.json {
            return self.printer.print_json(&json!({
                "repository": job.work.repository, "commit": job.work.commit, "rows": rows,
                "duration_ms": took.as_millis() as u64,
            }));
        }
        let outcome = match rows {
            Some(rows) => format!("{} published", format_plural(rows, "row")),
            None => "as it was".to_owned(),
        };
        self.printer.print_text(&format!(
            "{} at {}: {outcome}, {} ms",
            job.work.repository,
            job.work.commit,
            format_count(took.as_millis() as u64)
        ))
    }

    /// Renews the lease of a job until the job is over. Cancels the work if another worker has the job, or if this worker is to
    /// end.
    fn keep(&self, job: &Job, cancel: &Cancel, over: &AtomicBool) {
        let mut renewed = Instant::now();
        while !over.load(Ordering::Relaxed) {
            std::thread::sleep(LOOK);
            if self.is_stopped() {
                cancel.set();
            }
            if renewed.elapsed() < self.lease / 3 {
                continue;
            }
            match self.queue.renew(job, self.lease) {
                Ok(false) if !over.load(Ordering::Relaxed) => cancel.set(),
                // The job may be locked because its graph is being published. Publishing checks the owner of the job itself.
                _ => {}
            }
            renewed = Instant::now();
        }
    }

    /// Clones, indexes and publishes. Returns the number of rows written; none if the shared store already had this graph.
    fn index(&self, job: &Job, cancel: &Cancel) -> Result<Option<u64>, EngineError> {
        let source = Source::parse(&job.work.source)?;
        let folder = environment::worker_folder()?;
        let checkout = Checkout::create(&folder, &source, &job.work.commit, cancel)?;
        let given = GlobalArgs {
            project: Some(checkout.path()),
            folder: None,
            set: self.given.set.clone(),
        };
        let settings = environment::read_settings(&given, &Limits::default())?;
        let settings = Settings {
            // Variables may name folders of another project, and links in the commit may lead anywhere.
            state_dir: Some(checkout.state_dir()),
            db_path: None,
            scip_path: None,
            facts_dir: None,
            shared: Some(SharedRepository {
                stores: Arc::new(self.queue.stores_of(job)),
                name: Some(job.work.repository.clone()),
            }),
            ..settings
        };
        let engine = Engine::open(settings, Box::new(DebugLog::with_warnings()))?;
        let answer = engine.with_cancel(cancel).index(&IndexRequest::default())?;
        let published = answer.shared.map(|shared| shared.published);
        Ok(published.filter(|p| !p.was_current).map(|p| p.rows))
    }
}
/// An error as it is kept for all readers of the queue. Git repeats addresses, and the user's configuration may put tokens
/// into them, which git itself only hides before a `@`.
fn failure_text(error: &dyn std::fmt::Display) -> String {
    let text = error.to_string();
    base::secret::redact_secrets(&text).0.into_owned()
}

#[cfg(test)]
mod tests {
    use super::failure_text;

    #[test]
    fn a_token_in_an_address_is_not_kept() {
        let token = "ghp_0123456789abcdefghijklmnopqrstuvwxAB";
        let error = format!("git: unable to access 'https://h/x.git?access_token={token}/'");
        let text = failure_text(&error);
        assert!(
            text.starts_with("git: unable") && !text.contains(token),
            "{text}"
        );
    }
}
