//! The daemon's process: one thread for all sockets, a few for the work.

use super::actions::{self, Action, Commands, Context};
use super::anchor::ProjectFolders;
use super::files::{self, Files};
use super::holder;
use super::log::{LARGEST, Log};
use super::metrics::{Gauges, Metrics};
use super::own_action::OwnAction;
use super::protocol::{self, Request};
use super::queue::{Queue, Refused, Ticket};
use super::signals::StopSignals;
use super::socket::{self, Listener, Stream};
use super::{DaemonError, connection, supervise};
use crate::connections::{Connections, Limits, Owner};
use crate::mcp::ProgressFactory;
use engine::{Cancel, Engine, EngineError, GraphStoreRequest, Settings};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{Semaphore, watch};

/// The time between checks whether the daemon is still needed.
const TICK: Duration = Duration::from_millis(500);

/// The time between checks whether a supervisor runs.
const SUPERVISED_TICK: Duration = Duration::from_secs(2);

/// The reason for ending where the project was moved or removed.
const GONE: &str = "the project is gone";

/// The time between checks for changed files, which are then read before the next question.
const FRESH_TICK: Duration = Duration::from_millis(400);

/// Limits on clients at once, and on the bytes of their requests and answers. Beyond them, the connection that needs its place
/// least is evicted.
const ROOM: Limits = Limits {
    connections: 4_096,
    bytes: 128 << 20,
};

/// The longest that a running request may go on when the daemon is stopped.
const GRACE: Duration = Duration::from_millis(800);

/// The longest that a cancelled request may take to its next step.
const LAST_STEP: Duration = Duration::from_millis(500);

/// The time after which the process ends in any case once it was told to. The system releases its locks, and interrupted writes
/// leave whole files.
const HARD_END: Duration = Duration::from_millis(1_600);

/// Settings of a daemon.
#[derive(Debug, Clone)]
pub struct Config {
    /// The most requests that may wait.
    pub queue: usize,
    /// The most questions that are worked on at once; 0 for one per core.
    pub readers: usize,
    /// The time without a request after which it ends itself; none for never.
    pub idle: Option<Duration>,
    /// The time between heartbeats.
    pub beat: Duration,
    /// The longest that a request may take from its first byte to its last.
    pub request_time: Duration,
    /// The longest that a client may leave an answer unread.
    pub answer_time: Duration,
    /// A delay added to every request, for tests.
    pub delay: Duration,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            queue: 10,
            readers: 0,
            idle: Some(Duration::from_secs(3_600)),
            beat: Duration::from_secs(30),
            request_time: Duration::from_secs(10),
            answer_time: Duration::from_secs(10),
            delay: Duration::ZERO,
        }
    }
}

/// The parts of a daemon.
pub struct Options {
    /// The settings of the project.
    pub settings: Settings,
    /// Makes the receiver of the engine's progress.
    pub progress: ProgressFactory,
    /// The daemon's files.
    pub files: Files,
    /// The daemon's settings.
    pub config: Config,
    /// The environment fingerprint on which its answers depend.
    pub fingerprint: String,
    /// Runs commands.
    pub commands: Arc<dyn Commands>,
    /// Makes another supervisor where the one that started this daemon has ended; none where it was started without one.
    pub supervisor: Option<Box<dyn Fn() -> Command + Send + Sync>>,
}

/// State shared by all clients.
pub(crate) struct Shared {
    options: Options,
    queue: Arc<Queue>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) log: Log,
    engine: Mutex<Option<Arc<Engine>>>,
    last_used: Mutex<Instant>,
    counts: Mutex<(u64, u64)>,
    anchor: Arc<ProjectFolders>,
    connections: Arc<Connections>,
    /// Allows one large request at a time.
    pub(crate) large: Semaphore,
    /// Whether the graph is being counted.
    counting: AtomicBool,
    /// The number of requests read and not yet answered.
    pub(crate) answering: AtomicUsize,
    stop_reason: watch::Sender<Option<&'static str>>,
}

fn lock_ignoring_poison<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Serves until the daemon is stopped, or no longer needed.
///
/// # Errors
/// [`DaemonError::AlreadyRunning`] where the project has a daemon.
pub fn run_daemon(options: Options) -> Result<(), DaemonError> {
    platform::rights::set_private_umask();
    platform::process::raise_open_file_limit();
    let files = options.files.clone();
    let anchor = Arc::new(ProjectFolders::open(
        &options.settings.start,
        &files.state_dir,
    )?);
    let Some(_held) = files.try_lock_daemon()? else {
        return Err(DaemonError::AlreadyRunning(files.daemon_pid().unwrap_or(0)));
    };
    let pid = std::process::id();
    files::replace_text(&files.pid, &format!("{pid}\n"))
        .map_err(|e| DaemonError::from_io(&files.pid, e))?;
    files
        .write_heartbeat(files::unix_time(), 0)
        .map_err(|e| DaemonError::from_io(&files.heartbeat, e))?;
    let log = Log::open(&files.log, LARGEST);
    log.write_line(format_args!(
        "started, version {}",
        env!("CARGO_PKG_VERSION")
    ));
    let served = set_up_and_run(options, log, anchor.clone());
    remove_own_files(&files, &anchor);
    served
}

/// Removes this daemon's files, unless the folder is now another one.
fn remove_own_files(files: &Files, anchor: &ProjectFolders) {
    if anchor.is_unmoved() {
        files.remove_all();
    }
}

fn set_up_and_run(
    options: Options,
    log: Log,
    anchor: Arc<ProjectFolders>,
) -> Result<(), DaemonError> {
    let files = options.files.clone();
    let fail = |source| DaemonError::from_io(&files.socket, source);
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    let readers = match options.config.readers {
        0 => cores.clamp(2, 8),
        given => given,
    };
    let queue = Queue::start(options.config.queue, readers).map_err(fail)?;
    let shared = Arc::new(Shared {
        queue,
        metrics: Arc::new(Metrics::new()),
        log,
        engine: Mutex::default(),
        last_used: Mutex::new(Instant::now()),
        counts: Mutex::default(),
        anchor,
        connections: Connections::new(ROOM),
        large: Semaphore::new(1),
        counting: AtomicBool::new(false),
        answering: AtomicUsize::new(0),
        stop_reason: watch::Sender::new(None),
        options,
    });
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(2)
        .thread_keep_alive(Duration::from_secs(2))
        .build()
        .map_err(fail)?;
    let served = runtime.block_on(accept_loop(shared));
    runtime.shutdown_background();
    served
}

async fn accept_loop(shared: Arc<Shared>) -> Result<(), DaemonError> {
    let files = &shared.options.files;
    let address = files.prepare_socket_path()?;
    let mut listener = Listener::bind(&address).map_err(|e| DaemonError::from_io(&address, e))?;
    let ours = socket::place_identity(files.endpoint_paths(), &address);
    let mut ending = shared.stop_reason.subscribe();
    let first = shared.clone();
    // An error is reported to the first client.
    tokio::task::spawn_blocking(move || first.open_engine().map(|engine| engine.warm_up_search()));
    let background = [
        tokio::spawn(run_heartbeat(shared.clone())),
        tokio::spawn(watch_for_end(shared.clone(), address.clone(), ours)),
        tokio::spawn(handle_signals(shared.clone())),
        tokio::spawn(reindex_after_changes(shared.clone())),
        tokio::spawn(restart_supervisor(shared.clone())),
    ];
    loop {
        tokio::select! {
            met = listener.accept() => match met {
                Ok(stream) => accept_client(&shared, stream),
                // Most likely there are no more file descriptors.
                Err(_) => {
                    shared.connections.evict_for_system();
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
            },
            _ = ending.changed() => break,
        }
    }
    let why = ending.borrow().unwrap_or("told to");
    shared.log.write_line(format_args!("stopping: {why}"));
    exit_after_timeout(files.clone(), shared.anchor.clone());
    drop(listener);
    if socket::place_identity(files.endpoint_paths(), &address) == ours {
        socket::remove(&address);
    }
    shared.queue.close();
    // A write after the project was moved would create its old place again.
    let grace = if why == GONE { Duration::ZERO } else { GRACE };
    drain(&shared, grace).await;
    background.iter().for_each(tokio::task::JoinHandle::abort);
    shared.log.write_line("stopped");
    Ok(())
}

fn accept_client(shared: &Arc<Shared>, stream: Stream) {
    let metrics = &shared.metrics;
    metrics.increment(&metrics.connections);
    let Some(place) = shared.connections.admit(peer_owner(&stream)) else {
        metrics.increment(&metrics.busy);
        let _ = stream.try_write(protocol::busy_line().as_bytes());
        return;
    };
    metrics.open.fetch_add(1, Ordering::Relaxed);
    let shared = shared.clone();
    tokio::spawn(async move {
        connection::serve_client(shared.clone(), stream, place).await;
        shared.metrics.open.fetch_sub(1, Ordering::Relaxed);
    });
}

/// The process on the other side, where the system knows it.
fn peer_owner(stream: &Stream) -> Owner {
    let process = socket::client_process(stream);
    process.map_or_else(|| "unknown".into(), |pid| format!("process {pid}").into())
}

/// Waits until running requests are done and answered. Those that take longer are cancelled, and then given up.
async fn drain(shared: &Shared, grace: Duration) {
    let since = Instant::now();
    let is_done =
        || shared.queue.waiting_and_running().1 + shared.answering.load(Ordering::SeqCst) == 0;
    while since.elapsed() < grace + LAST_STEP {
        if is_done() {
            return;
        }
        if since.elapsed() >= grace {
            shared.queue.cancel_running();
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    shared
        .log
        .write_line("a request was cancelled because it took too long");
}

/// Ends this process after [`HARD_END`], even if it is stuck.
fn exit_after_timeout(files: Files, anchor: Arc<ProjectFolders>) {
    let thread = std::thread::Builder::new().name("end".to_owned());
    let _ = thread.spawn(move || {
        std::thread::sleep(HARD_END);
        remove_own_files(&files, &anchor);
        std::process::exit(0);
    });
}

async fn handle_signals(shared: Arc<Shared>) {
    let listening = StopSignals::listen().and_then(StopSignals::ignoring_hangup);
    let Ok(mut signals) = listening else {
        return;
    };
    loop {
        shared.request_stop(signals.next().await);
    }
}

async fn run_heartbeat(shared: Arc<Shared>) {
    for count in 1.. {
        tokio::time::sleep(shared.config().beat).await;
        let _ = shared
            .options
            .files
            .write_heartbeat(files::unix_time(), count);
    }
}

/// Ends the daemon after a long time without requests, or when no client can reach it any more.
async fn watch_for_end(shared: Arc<Shared>, address: PathBuf, ours: Option<(u64, u64)>) {
    let idle = shared.config().idle;
    let program = program_identity();
    let tick = idle.map_or(TICK, |idle| {
        (idle / 4).clamp(Duration::from_millis(20), TICK)
    });
    loop {
        tokio::time::sleep(tick).await;
        let silent = lock_ignoring_poison(&shared.last_used).elapsed();
        let working = shared.queue.waiting_and_running() != (0, 0);
        if idle.is_some_and(|idle| silent >= idle) && !working {
            shared.request_stop("nobody asked anything for long");
        }
        if !shared.anchor.is_unmoved() {
            shared.request_stop(GONE);
        }
        if ours.is_none()
            || socket::place_identity(shared.options.files.endpoint_paths(), &address) != ours
        {
            shared.request_stop("its socket is gone");
        }
        // Commands of the new program would not use this daemon.
        if program_identity() != program {
            shared.request_stop("the program was replaced");
        }
    }
}

/// Starts another supervisor where the first has ended: otherwise the daemon would not be restarted after a crash.
async fn restart_supervisor(shared: Arc<Shared>) {
    let Some(make) = &shared.options.supervisor else {
        return;
    };
    loop {
        tokio::time::sleep(SUPERVISED_TICK).await;
        let needs_none = shared.is_ending() || !shared.anchor.is_unmoved();
        if needs_none || shared.options.files.supervisor_pid().is_some() {
            continue;
        }
        shared
            .log
            .write_line("its supervisor ended: starting another");
        let mut command = make();
        command.stdin(Stdio::null());
        match supervise::spawn(command) {
            // The task only reaps the child. The next check finds out whether it runs.
            Ok(mut child) => drop(tokio::spawn(async move { child.wait().await })),
            Err(error) => shared
                .log
                .write_line(format_args!("it cannot be started: {error}")),
        }
    }
}

/// Updates the index soon after files changed, so that the next question need not wait for it.
async fn reindex_after_changes(shared: Arc<Shared>) {
    let (mut known, mut before) = (None, None);
    loop {
        tokio::time::sleep(FRESH_TICK).await;
        let Some(engine) = shared
            .engine_if_open()
            .filter(|_| shared.anchor.is_unmoved())
        else {
            continue;
        };
        let heard = engine.change_count();
        // No changes for a moment, but some since the last update.
        if heard == before && heard != known {
            known = heard;
            let work = move |_: &_| {
                engine.update_all();
                String::new()
            };
            if let Ok(ticket) = shared.queue.push(super::queue::Kind::Read, Box::new(work)) {
                let mut ticket = ticket;
                let _ = (&mut ticket.answer).await;
            }
        }
        before = heard;
    }
}

/// The reason why a request is not in the queue.
pub(crate) enum NotQueued {
    /// The queue takes no more requests.
    Refused(Refused),
    /// There is no action of this name.
    UnknownAction(String),
}

impl Shared {
    pub(crate) fn config(&self) -> &Config {
        &self.options.config
    }

    /// Notes that the daemon is in use.
    pub(crate) fn mark_used(&self) {
        *lock_ignoring_poison(&self.last_used) = Instant::now();
    }

    pub(crate) fn is_ending(&self) -> bool {
        self.stop_reason.borrow().is_some()
    }

    pub(crate) fn request_stop(&self, why: &'static str) {
        self.stop_reason.send_if_modified(|end| {
            let first = end.is_none();
            end.get_or_insert(why);
            first
        });
    }

    /// Answers requests that need no place in the queue, however many wait.
    pub(crate) async fn answer_immediately(
        self: &Arc<Shared>,
        request: &Request,
        since: Instant,
    ) -> Option<String> {
        let took = || since.elapsed();
        match OwnAction::parse(&request.action)? {
            OwnAction::Ping => {
                let data = json!({
                    "pong": true, "pid": std::process::id(),
                    "instance": holder::own_instance(), "version": env!("CARGO_PKG_VERSION"),
                    "uptime_seconds": self.metrics.uptime().as_secs(),
                    "queue_size": self.queue.waiting_and_running().0,
                    "last_heartbeat": self.options.files.last_heartbeat(),
                });
                Some(protocol::ok_line(&data.to_string(), took()))
            }
            OwnAction::Stats => {
                self.count_graph().await;
                let data = match request.payload.get("format").and_then(Value::as_str) {
                    Some("prometheus") => {
                        json!({ "text": self.metrics.to_prometheus(&self.gauges()) })
                    }
                    _ => self.metrics.to_json(&self.gauges()),
                };
                Some(protocol::ok_line(&data.to_string(), took()))
            }
            OwnAction::Shutdown => {
                self.request_stop("asked to");
                Some(protocol::ok_line("{\"stopping\":true}", took()))
            }
            _ => None,
        }
    }

    /// Puts a request in the queue.
    pub(crate) fn enqueue(
        self: &Arc<Shared>,
        action: String,
        payload: Value,
        since: Instant,
    ) -> Result<Ticket, NotQueued> {
        let action = action.replace('_', "-");
        let Some((found, kind)) = actions::find_action(&action, &payload) else {
            return Err(NotQueued::UnknownAction(action));
        };
        let shared = self.clone();
        let work = move |cancel: &_| {
            shared.mock_delay(cancel);
            let result = shared.run_job(found, payload, cancel);
            let took = since.elapsed();
            shared
                .metrics
                .record_action(found.name(), took, result.is_err());
            match result {
                Ok(data) => protocol::ok_line(&data, took),
                Err(error) => protocol::error_line(&error, took),
            }
        };
        let pushed = self.queue.push(kind, Box::new(work));
        pushed.map_err(NotQueued::Refused)
    }

    fn run_job(
        &self,
        action: Action,
        payload: Value,
        cancel: &Cancel,
    ) -> Result<String, EngineError> {
        if !self.anchor.is_unmoved() {
            self.request_stop(GONE);
            return Err(EngineError::runtime_failure(GONE));
        }
        let engine = Arc::new(self.open_engine()?.with_cancel(cancel));
        let context = Context {
            engine: &engine,
            commands: &*self.options.commands,
            fingerprint: &self.options.fingerprint,
            cancel,
        };
        actions::run_action(&context, action, payload)
    }

    /// The project, opened at the first question, and again when its configuration has changed.
    fn open_engine(&self) -> Result<Arc<Engine>, EngineError> {
        let mut slot = lock_ignoring_poison(&self.engine);
        if let Some(engine) = slot
            .as_ref()
            .filter(|engine| !engine.configuration_changed())
        {
            return Ok(engine.clone());
        }
        let opened = Engine::open(self.options.settings.clone(), (self.options.progress)())?;
        opened.observe_answers(self.metrics.clone());
        let engine = Arc::new(opened);
        *slot = Some(engine.clone());
        Ok(engine)
    }

    fn mock_delay(&self, cancel: &Cancel) {
        let until = Instant::now() + self.config().delay;
        while Instant::now() < until && !cancel.is_set() {
            std::thread::sleep(Duration::from_millis(5).min(self.config().delay));
        }
    }

    fn gauges(&self) -> Gauges {
        let (waiting, running) = self.queue.waiting_and_running();
        let (nodes, edges) = *lock_ignoring_poison(&self.counts);
        Gauges {
            pid: std::process::id(),
            version: env!("CARGO_PKG_VERSION"),
            project: self.options.settings.start.display().to_string(),
            waiting,
            running,
            last_heartbeat: self.options.files.last_heartbeat(),
            nodes,
            edges,
            resident_bytes: memory_stats::memory_stats().map_or(0, |m| m.physical_mem as u64),
            evicted: self.connections.open_and_evicted_counts().1,
        }
    }

    /// Counts nodes and edges where a graph is open; waits a limited time for the result.
    async fn count_graph(self: &Arc<Shared>) {
        let Some(engine) = self
            .engine_if_open()
            .filter(|engine| engine.database().exists())
        else {
            return;
        };
        // Only one thread counts, however many clients ask.
        if self.counting.swap(true, Ordering::SeqCst) {
            return;
        }
        let (shared, counted) = (self.clone(), CountingGuard(self.clone()));
        let counting = tokio::task::spawn_blocking(move || {
            let _counted = counted;
            if let Ok(answer) = engine.graph_store(&GraphStoreRequest::Stats {}) {
                let number = |name: &str| answer.data[name].as_u64().unwrap_or(0);
                *lock_ignoring_poison(&shared.counts) = (number("nodes"), number("edges"));
            }
        });
        let _ = tokio::time::timeout(Duration::from_millis(200), counting).await;
    }

    /// The project, if it is open and no thread is opening it, which may take long.
    fn engine_if_open(&self) -> Option<Arc<Engine>> {
        self.engine.try_lock().ok()?.clone()
    }
}

/// Guard while the graph is being counted.
struct CountingGuard(Arc<Shared>);

impl Drop for CountingGuard {
    fn drop(&mut self) {
        self.0.counting.store(false, Ordering::SeqCst);
    }
}

/// Size and time of this program, to tell it from another one in its place.
fn program_identity() -> Option<(u64, std::time::SystemTime)> {
    let found = std::env::current_exe().ok()?.metadata().ok()?;
    Some((found.len(), found.modified().ok()?))
}
