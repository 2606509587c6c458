//! The daemon itself: one thread for all sockets, a few for the work.

use super::actions::{self, Commands, Context};
use super::anchor::Anchor;
use super::files::{self, Files};
use super::log::{LARGEST, Log};
use super::metrics::{Gauges, Metrics};
use super::protocol::{self, Request};
use super::queue::{Queue, Refused, Ticket};
use super::{DaemonError, connection, supervise};
use crate::connections::{Connections, Limits, Owner};
use crate::mcp::Progresses;
use engine::{Cancel, Engine, EngineError, GraphStoreRequest, Settings};
use serde_json::{Value, json};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::net::UnixListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::{Semaphore, watch};

/// How often the daemon looks whether anybody needs it still.
const TICK: Duration = Duration::from_millis(500);

/// How often it looks whether somebody would start it again.
const SUPERVISED_TICK: Duration = Duration::from_secs(2);

/// Why it ends where the project was moved or removed.
const GONE: &str = "the project is gone";

/// How often it looks whether files have changed, so that the next question need not read them.
const FRESH_TICK: Duration = Duration::from_millis(400);

/// Clients at once, and bytes of their requests and answers; beyond, the one that is missed least makes room.
const ROOM: Limits = Limits {
    connections: 4_096,
    bytes: 128 << 20,
};

/// How long a request that is being worked on when the daemon is stopped may take to its end.
const GRACE: Duration = Duration::from_millis(800);

/// How long it may take to its next step, once it was told to end.
const LAST_STEP: Duration = Duration::from_millis(500);

/// The process ends so long after it was told to, whatever it is at: the system gives its locks back, and what is being
/// written is whole without its end.
const HARD_END: Duration = Duration::from_millis(1_600);

/// How a daemon behaves.
#[derive(Debug, Clone)]
pub struct Config {
    /// How many requests may wait.
    pub queue: usize,
    /// How many questions are worked on at once; 0 for one per core.
    pub readers: usize,
    /// It ends itself after this time without a request; none for never.
    pub idle: Option<Duration>,
    /// How often it writes its heartbeat.
    pub beat: Duration,
    /// How long a request may take from its first byte to its last.
    pub request_time: Duration,
    /// How long a client may let an answer lie.
    pub answer_time: Duration,
    /// Added to every request, for tests.
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

/// What a daemon is made of.
pub struct Options {
    /// The project.
    pub settings: Settings,
    /// Who hears of the engine's work.
    pub progress: Progresses,
    /// Its files.
    pub files: Files,
    /// How it behaves.
    pub config: Config,
    /// The program and environment that its answers depend on.
    pub stamp: String,
    /// Who runs commands.
    pub commands: Arc<dyn Commands>,
    /// Makes another supervisor where the one that started this daemon is gone; none where it was started without.
    pub supervisor: Option<Box<dyn Fn() -> Command + Send + Sync>>,
}

/// What all clients share.
pub(crate) struct Shared {
    options: Options,
    queue: Arc<Queue>,
    pub(crate) metrics: Metrics,
    pub(crate) log: Log,
    engine: Mutex<Option<Arc<Engine>>>,
    used: Mutex<Instant>,
    counts: Mutex<(u64, u64)>,
    anchor: Arc<Anchor>,
    connections: Arc<Connections>,
    /// Long requests are worked on one after the other.
    pub(crate) large: Semaphore,
    /// Whether the graph is being counted.
    counting: AtomicBool,
    /// Requests read and not yet answered.
    pub(crate) answering: AtomicUsize,
    end: watch::Sender<Option<&'static str>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Serves until it is told to stop, or nobody needs it any more.
///
/// Errors: [`DaemonError::AlreadyRunning`] where the project has a daemon.
pub fn serve(options: Options) -> Result<(), DaemonError> {
    files::keep_private();
    crate::raise_limits();
    let files = options.files.clone();
    let anchor = Arc::new(Anchor::at(&options.settings.start, &files.state_dir)?);
    let Some(_held) = files.lock()? else {
        return Err(DaemonError::AlreadyRunning(files.running().unwrap_or(0)));
    };
    let pid = std::process::id();
    files::replace(&files.pid, &format!("{pid}\n")).map_err(|e| DaemonError::io(&files.pid, e))?;
    files
        .beat(files::now(), 0)
        .map_err(|e| DaemonError::io(&files.heartbeat, e))?;
    let log = Log::open(&files.log, LARGEST);
    log.say(format_args!(
        "started, version {}",
        env!("CARGO_PKG_VERSION")
    ));
    let served = listen(options, log, anchor.clone());
    clean(&files, &anchor);
    served
}

/// Removes what this daemon leaves behind, unless its folder is now somebody else's.
fn clean(files: &Files, anchor: &Anchor) {
    if anchor.holds() {
        files.clean();
    }
}

fn listen(options: Options, log: Log, anchor: Arc<Anchor>) -> Result<(), DaemonError> {
    let files = options.files.clone();
    let fail = |source| DaemonError::io(&files.socket, source);
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    let readers = match options.config.readers {
        0 => cores.clamp(2, 8),
        given => given,
    };
    let queue = Queue::start(options.config.queue, readers).map_err(fail)?;
    let shared = Arc::new(Shared {
        queue,
        metrics: Metrics::new(),
        log,
        engine: Mutex::default(),
        used: Mutex::new(Instant::now()),
        counts: Mutex::default(),
        anchor,
        connections: Connections::new(ROOM),
        large: Semaphore::new(1),
        counting: AtomicBool::new(false),
        answering: AtomicUsize::new(0),
        end: watch::Sender::new(None),
        options,
    });
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(2)
        .thread_keep_alive(Duration::from_secs(2))
        .build()
        .map_err(fail)?;
    let served = runtime.block_on(run_loop(shared));
    runtime.shutdown_background();
    served
}

async fn run_loop(shared: Arc<Shared>) -> Result<(), DaemonError> {
    let files = &shared.options.files;
    let address = files.bind_address()?;
    let listener = UnixListener::bind(&address).map_err(|e| DaemonError::io(&address, e))?;
    files::close_to_others(&address)?;
    let ours = identity(&address);
    let mut ending = shared.end.subscribe();
    let first = shared.clone();
    // What goes wrong is told to whoever asks first.
    tokio::task::spawn_blocking(move || first.engine().map(|engine| engine.warm_up_search()));
    let background = [
        tokio::spawn(beat(shared.clone())),
        tokio::spawn(look_around(shared.clone(), address.clone(), ours)),
        tokio::spawn(heed_signals(shared.clone())),
        tokio::spawn(keep_fresh(shared.clone())),
        tokio::spawn(keep_supervised(shared.clone())),
    ];
    loop {
        tokio::select! {
            met = listener.accept() => match met {
                Ok((stream, _)) => meet(&shared, stream),
                // Out of file descriptors, most likely.
                Err(_) => {
                    shared.connections.make_room();
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
            },
            _ = ending.changed() => break,
        }
    }
    let why = ending.borrow().unwrap_or("told to");
    shared.log.say(format_args!("stopping: {why}"));
    end_hard(files.clone(), shared.anchor.clone());
    drop(listener);
    if identity(&address) == ours {
        let _ = files::remove(&address);
    }
    shared.queue.close();
    // What is written where the project no longer is makes that place anew.
    let grace = if why == GONE { Duration::ZERO } else { GRACE };
    finish(&shared, grace).await;
    background.iter().for_each(tokio::task::JoinHandle::abort);
    shared.log.say("stopped");
    Ok(())
}

fn meet(shared: &Arc<Shared>, stream: tokio::net::UnixStream) {
    let metrics = &shared.metrics;
    metrics.count(&metrics.connections);
    let Some(place) = shared.connections.enter(owner(&stream)) else {
        metrics.count(&metrics.busy);
        let _ = stream.try_write(protocol::busy().as_bytes());
        return;
    };
    metrics.open.fetch_add(1, Ordering::Relaxed);
    let shared = shared.clone();
    tokio::spawn(async move {
        connection::serve(shared.clone(), stream, place).await;
        shared.metrics.open.fetch_sub(1, Ordering::Relaxed);
    });
}

/// The process on the other side, where the system knows it.
fn owner(stream: &tokio::net::UnixStream) -> Owner {
    let process = stream.peer_cred().ok().and_then(|peer| peer.pid());
    process.map_or_else(|| "unknown".into(), |pid| format!("process {pid}").into())
}

/// Waits until what is being worked on is done and its answers are sent; what takes longer is told to end, and then
/// given up.
async fn finish(shared: &Shared, grace: Duration) {
    let since = Instant::now();
    let is_done = || shared.queue.sizes().1 + shared.answering.load(Ordering::SeqCst) == 0;
    while since.elapsed() < grace + LAST_STEP {
        if is_done() {
            return;
        }
        if since.elapsed() >= grace {
            shared.queue.cancel();
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    shared
        .log
        .say("a request was cancelled because it took too long");
}

/// Ends this process soon, also where it is stuck.
fn end_hard(files: Files, anchor: Arc<Anchor>) {
    let thread = std::thread::Builder::new().name("end".to_owned());
    let _ = thread.spawn(move || {
        std::thread::sleep(HARD_END);
        clean(&files, &anchor);
        std::process::exit(0);
    });
}

async fn heed_signals(shared: Arc<Shared>) {
    let of = |kind| signal(kind).ok();
    let (Some(mut term), Some(mut int), Some(mut hup)) = (
        of(SignalKind::terminate()),
        of(SignalKind::interrupt()),
        of(SignalKind::hangup()),
    ) else {
        return;
    };
    loop {
        tokio::select! {
            _ = term.recv() => shared.stop("told to"),
            _ = int.recv() => shared.stop("interrupted"),
            // The terminal that it was started from is closed: no matter.
            _ = hup.recv() => {}
        }
    }
}

async fn beat(shared: Arc<Shared>) {
    for count in 1.. {
        tokio::time::sleep(shared.config().beat).await;
        let _ = shared.options.files.beat(files::now(), count);
    }
}

/// Ends the daemon where nobody asks any more, or nobody can.
async fn look_around(shared: Arc<Shared>, address: PathBuf, ours: Option<(u64, u64)>) {
    let idle = shared.config().idle;
    let program = program_stamp();
    let tick = idle.map_or(TICK, |idle| {
        (idle / 4).clamp(Duration::from_millis(20), TICK)
    });
    loop {
        tokio::time::sleep(tick).await;
        let silent = lock(&shared.used).elapsed();
        let working = shared.queue.sizes() != (0, 0);
        if idle.is_some_and(|idle| silent >= idle) && !working {
            shared.stop("nobody asked anything for long");
        }
        if !shared.anchor.holds() {
            shared.stop(GONE);
        }
        if ours.is_none() || identity(&address) != ours {
            shared.stop("its socket is gone");
        }
        // Commands of the new one would refuse to ask it.
        if program_stamp() != program {
            shared.stop("the program was replaced");
        }
    }
}

/// Starts another supervisor where the first is gone: the next crash would be the last otherwise.
async fn keep_supervised(shared: Arc<Shared>) {
    let Some(make) = &shared.options.supervisor else {
        return;
    };
    loop {
        tokio::time::sleep(SUPERVISED_TICK).await;
        let needs_none = shared.is_ending() || !shared.anchor.holds();
        if needs_none || shared.options.files.monitor().is_some() {
            continue;
        }
        shared.log.say("its supervisor ended: starting another");
        let mut command = make();
        command.stdin(Stdio::null());
        match supervise::start(command) {
            // Whatever becomes of it, it is waited for; the next look finds out.
            Ok(mut child) => drop(tokio::spawn(async move { child.wait().await })),
            Err(error) => shared
                .log
                .say(format_args!("it cannot be started: {error}")),
        }
    }
}

/// Reads files again soon after they changed, so that the next question finds it done.
async fn keep_fresh(shared: Arc<Shared>) {
    let (mut known, mut before) = (None, None);
    loop {
        tokio::time::sleep(FRESH_TICK).await;
        let Some(engine) = shared.opened().filter(|_| shared.anchor.holds()) else {
            continue;
        };
        let heard = engine.change_count();
        // Quiet for a moment, and not what it was when the graph was last looked at.
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

impl Shared {
    pub(crate) fn config(&self) -> &Config {
        &self.options.config
    }

    /// Notes that somebody needs the daemon.
    pub(crate) fn touch(&self) {
        *lock(&self.used) = Instant::now();
    }

    pub(crate) fn is_ending(&self) -> bool {
        self.end.borrow().is_some()
    }

    pub(crate) fn stop(&self, why: &'static str) {
        self.end.send_if_modified(|end| {
            let first = end.is_none();
            end.get_or_insert(why);
            first
        });
    }

    /// What is answered without waiting, however many wait.
    pub(crate) async fn at_once(
        self: &Arc<Shared>,
        request: &Request,
        since: Instant,
    ) -> Option<String> {
        let took = || since.elapsed();
        match request.action.as_str() {
            "ping" => {
                let data = json!({
                    "pong": true, "pid": std::process::id(), "version": env!("CARGO_PKG_VERSION"),
                    "uptime_seconds": self.metrics.uptime().as_secs(),
                    "queue_size": self.queue.sizes().0,
                    "last_heartbeat": self.options.files.last_heartbeat(),
                });
                Some(protocol::answered(&data.to_string(), took()))
            }
            "stats" => {
                self.count_graph().await;
                let data = match request.payload.get("format").and_then(Value::as_str) {
                    Some("prometheus") => json!({ "text": self.metrics.to_text(&self.gauges()) }),
                    _ => self.metrics.to_json(&self.gauges()),
                };
                Some(protocol::answered(&data.to_string(), took()))
            }
            "shutdown" => {
                self.stop("asked to");
                Some(protocol::answered("{\"stopping\":true}", took()))
            }
            _ => None,
        }
    }

    /// Puts a request in the queue. Errors: that it was not taken, or is none.
    pub(crate) fn enqueue(
        self: &Arc<Shared>,
        action: String,
        payload: Value,
        since: Instant,
    ) -> Result<Ticket, Result<Refused, String>> {
        let action = action.replace('_', "-");
        let Some((name, kind)) = actions::find(&action, &payload) else {
            return Err(Err(format!("Unknown action: {action}")));
        };
        let shared = self.clone();
        let work = move |cancel: &_| {
            shared.mock_delay(cancel);
            let said = shared.work(name, payload, cancel);
            let took = since.elapsed();
            shared.metrics.answered(name, took, said.is_err());
            match said {
                Ok(data) => protocol::answered(&data, took),
                Err(error) => protocol::refused(&error, took),
            }
        };
        self.queue.push(kind, Box::new(work)).map_err(Ok)
    }

    fn work(
        &self,
        action: &'static str,
        payload: Value,
        cancel: &Cancel,
    ) -> Result<String, EngineError> {
        if !self.anchor.holds() {
            self.stop(GONE);
            return Err(EngineError::failure(GONE));
        }
        let engine = Arc::new(self.engine()?.with_cancel(cancel));
        let context = Context {
            engine: &engine,
            commands: &*self.options.commands,
            stamp: &self.options.stamp,
            metrics: &self.metrics,
            cancel,
        };
        actions::run(&context, action, payload)
    }

    /// The project, opened when it is first asked, and again when its configuration has changed.
    fn engine(&self) -> Result<Arc<Engine>, EngineError> {
        let mut slot = lock(&self.engine);
        if let Some(engine) = slot
            .as_ref()
            .filter(|engine| !engine.configuration_changed())
        {
            return Ok(engine.clone());
        }
        let opened = Engine::open(self.options.settings.clone(), (self.options.progress)())?;
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
        let (waiting, running) = self.queue.sizes();
        let (nodes, edges) = *lock(&self.counts);
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
            evicted: self.connections.counts().1,
        }
    }

    /// Counts nodes and edges where a graph is open, unless that takes long.
    async fn count_graph(self: &Arc<Shared>) {
        let Some(engine) = self.opened().filter(|engine| engine.database().exists()) else {
            return;
        };
        // However many ask, one counts.
        if self.counting.swap(true, Ordering::SeqCst) {
            return;
        }
        let (shared, counted) = (self.clone(), Counted(self.clone()));
        let counting = tokio::task::spawn_blocking(move || {
            let _counted = counted;
            if let Ok(answer) = engine.graph_store(&GraphStoreRequest::Stats {}) {
                let number = |name: &str| answer.data[name].as_u64().unwrap_or(0);
                *lock(&shared.counts) = (number("nodes"), number("edges"));
            }
        });
        let _ = tokio::time::timeout(Duration::from_millis(200), counting).await;
    }

    /// The project, where it is open and nobody is about to open it: that may take long.
    fn opened(&self) -> Option<Arc<Engine>> {
        self.engine.try_lock().ok()?.clone()
    }
}

/// The graph is being counted until this is dropped.
struct Counted(Arc<Shared>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.counting.store(false, Ordering::SeqCst);
    }
}

/// What tells this program from another one in its place.
fn program_stamp() -> Option<(u64, std::time::SystemTime)> {
    let found = std::env::current_exe().ok()?.metadata().ok()?;
    Some((found.len(), found.modified().ok()?))
}

/// What tells a file from another one in its place.
fn identity(path: &Path) -> Option<(u64, u64)> {
    let found = path.symlink_metadata().ok()?;
    Some((found.dev(), found.ino()))
}
