//! `knotwork daemon`.

use crate::environment::GlobalArgs;
use crate::printer::{CommandResult, Printer};
use clap::{Args, Subcommand};

/// Keep the graph in memory between questions. Commands and the hook ask it where it runs, and do the work themselves
/// where it does not.
#[derive(Debug, Args)]
pub(crate) struct DaemonArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Start the daemon in the background. It is restarted after a crash
    Start,
    /// Stop the daemon within two seconds. Quick requests may finish
    Stop,
    /// Stop the daemon if it runs, then start it
    Restart,
    /// Show whether the daemon runs, and since when
    Status,
    /// Load into memory what the first questions need
    Warmup,
    /// Run the daemon in the foreground until it is interrupted
    Run {
        /// Whether a supervisor started it
        #[arg(long, hide = true)]
        supervised: bool,
    },
    /// Start it again whenever it crashes
    #[command(hide = true)]
    Supervise {
        /// Begin with the one that runs
        #[arg(long)]
        adopt: bool,
    },
    /// Check whether the daemon answers
    Ping,
    /// Run a read-only SQL query on the graph
    Query {
        /// The statement. ?1, ?2, … are parameters
        sql: String,
        /// The value of a parameter, in order
        #[arg(long = "param", value_name = "VALUE")]
        params: Vec<String>,
    },
    /// Show counters
    Stats {
        /// Use the text format of Prometheus
        #[arg(long)]
        prometheus: bool,
    },
}

#[cfg(not(unix))]
pub(crate) fn run(_given: &GlobalArgs, _args: DaemonArgs, _printer: &Printer) -> CommandResult {
    let message = "the daemon needs Unix sockets, which this system does not have";
    Err(engine::EngineError::missing(message)
        .hint("all commands work without the daemon")
        .into())
}

#[cfg(unix)]
pub(crate) fn run(given: &GlobalArgs, args: DaemonArgs, printer: &Printer) -> CommandResult {
    unix::run(given, args.what, printer)
}

#[cfg(unix)]
mod unix {
    use super::What;
    use crate::environment::{self, GlobalArgs, Limits, milliseconds};
    use crate::format::Format;
    use crate::host::Host;
    use crate::printer::{CommandResult, Printer};
    use crate::progress::Debug;
    use engine::config::{DaemonConfig, Origin};
    use engine::{Engine, EngineError, Location, Settings};
    use guard::state;
    use serde_json::{Value, json};
    use server::client::{Client, ClientError};
    use server::daemon::control::{self, Stopped};
    use server::daemon::supervise::{Ended, Patience, supervise};
    use server::daemon::{Config, DaemonError, Files, Options, serve};
    use std::fmt::Display;
    use std::io::{ErrorKind, Write};
    use std::path::Path;
    use std::process::Command;
    use std::sync::Arc;
    use std::time::Duration;

    /// How long the allocator keeps memory that nobody uses, milliseconds.
    const PURGE: &str = "MIMALLOC_PURGE_DELAY";

    /// How long the answer to a ping may take.
    const PING: Duration = Duration::from_secs(2);

    /// A project and its daemon's files and settings.
    struct DaemonProject {
        settings: Settings,
        location: Location,
        files: Files,
        config: DaemonConfig,
    }

    pub(super) fn run(given: &GlobalArgs, what: What, printer: &Printer) -> CommandResult {
        let place = find(given)?;
        match what {
            What::Start => start(&place, printer),
            What::Stop => stop(&place, printer),
            What::Restart => {
                match stop(&place, printer) {
                    Ok(()) => {}
                    Err(failure) => return Err(failure),
                }
                start(&place, printer)
            }
            What::Status => status(&place, printer),
            What::Run { supervised } => run_here(place, supervised),
            What::Supervise { adopt } => watch_over(&place, adopt),
            What::Warmup => ask(&place, "warmup", &json!({}), printer),
            What::Ping => ask(&place, "ping", &json!({}), printer),
            What::Query { sql, params } => {
                let params: Vec<Value> = params.iter().map(|text| value(text)).collect();
                ask(
                    &place,
                    "query",
                    &json!({"sql": sql, "params": params}),
                    printer,
                )
            }
            What::Stats { prometheus: false } => ask(&place, "stats", &json!({}), printer),
            What::Stats { prometheus: true } => {
                let data = answer(&place, "stats", &json!({"format": "prometheus"}))?;
                printer.text(data["text"].as_str().unwrap_or_default())
            }
        }
    }

    fn find(given: &GlobalArgs) -> Result<DaemonProject, EngineError> {
        let settings = environment::settings(given, &Limits::default())?;
        let location = engine::locate(&settings)?;
        // Answers are about the whole project, wherever the daemon was started.
        let settings = Settings {
            start: location.root.clone(),
            long_running: true,
            says_watched: false,
            ..settings
        };
        let engine = Engine::open(settings.clone(), Box::new(Debug::from_environment()))?;
        Ok(DaemonProject {
            files: environment::daemon_files(&location.state_dir),
            config: engine.config().daemon(),
            location,
            settings,
        })
    }

    /// A number, or else text.
    fn value(text: &str) -> Value {
        let number = serde_json::from_str::<serde_json::Number>(text);
        number.map_or_else(|_| Value::from(text), Value::Number)
    }

    fn start(place: &DaemonProject, printer: &Printer) -> CommandResult {
        if !place.config.enabled {
            let message = "The daemon is disabled (features.daemon.enabled)";
            return Err(EngineError::bad(message).into());
        }
        if control::clean_stale(&place.files) {
            printer.say("Cleaning stale PID file");
        }
        prepare(place)?;
        let command = child(
            place,
            if place.config.auto_restart {
                &["supervise"]
            } else {
                &["run"]
            },
        )?;
        let pid = control::start(&place.files, command).map_err(failure)?;
        printer.text(&format!("Daemon started (PID: {pid})"))
    }

    /// Makes the state folder, as an index would. The project's own folder is never made: it may just have been moved.
    fn prepare(place: &DaemonProject) -> Result<(), EngineError> {
        let (root, folder) = (&place.location.root, &place.location.state_dir);
        let fail = |e: &dyn Display| {
            EngineError::failure(format!("cannot write {}: {e}", folder.display()))
                .hint("set DEVBOOKS_DIR to a folder that can be written")
        };
        let above = folder.parent().unwrap_or(root);
        let made = match above.strip_prefix(root) {
            Ok(inside) => make_within(root, inside),
            Err(_) => std::fs::create_dir_all(above),
        };
        made.map_err(|e| fail(&e))?;
        state::prepare(folder).map_err(|e| fail(&e))?;
        let ignore = folder.join(".gitignore");
        let made = state::options()
            .write(true)
            .create_new(true)
            .open(ignore)
            .and_then(|mut file| file.write_all(b"*\n"));
        match made {
            Err(e) if e.kind() == ErrorKind::AlreadyExists => Ok(()),
            made => made.map_err(|e| fail(&e)),
        }
    }

    /// Makes folders below one that must be there.
    fn make_within(root: &Path, inside: &Path) -> std::io::Result<()> {
        let mut folder = root.to_path_buf();
        for part in inside {
            folder.push(part);
            match std::fs::create_dir(&folder) {
                Err(e) if e.kind() == ErrorKind::AlreadyExists => {}
                made => made?,
            }
        }
        Ok(())
    }

    /// This program, for the same project and with the same settings, wherever it stands.
    fn child(place: &DaemonProject, what: &[&str]) -> Result<Command, EngineError> {
        let program = std::env::current_exe()
            .map_err(|e| EngineError::failure(format!("cannot find this program: {e}")))?;
        let mut command = guard::program::same_program(&program);
        command.arg("--project").arg(&place.location.root);
        let ceiling = place.settings.overrides.iter();
        let ceiling = ceiling.filter(|o| o.key == "limits.memory");
        for given in ceiling.filter(|o| matches!(o.origin, Origin::Flag(_))) {
            command.arg("--memory").arg(&given.value);
        }
        command.arg("daemon").args(what);
        command.envs(environment::absolute_variables());
        // The allocator gives back at once what an index took: a process that lives long is to be small.
        if std::env::var_os(PURGE).is_none() {
            command.env(PURGE, "0");
        }
        Ok(command)
    }

    /// A command that can be run again and again.
    fn template(program: Command) -> Box<dyn Fn() -> Command + Send + Sync> {
        Box::new(move || {
            let mut command = guard::program::same_program(program.get_program().as_ref());
            command.args(program.get_args());
            for (name, value) in program.get_envs() {
                if let Some(value) = value {
                    command.env(name, value);
                }
            }
            command
        })
    }

    fn stop(place: &DaemonProject, printer: &Printer) -> CommandResult {
        match control::stop(&place.files) {
            Ok(Stopped::Gracefully) => printer.text("Daemon stopped gracefully"),
            Ok(Stopped::Killed(pid)) => {
                printer.text(&format!("Daemon killed (PID: {pid}): it did not answer"))
            }
            Err(DaemonError::NotRunning) => printer.text("Daemon is not running"),
            Err(error) => Err(failure(error).into()),
        }
    }

    fn status(place: &DaemonProject, printer: &Printer) -> CommandResult {
        let json = printer.is_json(Format::Json)?;
        let answer = control::status(&place.files);
        if json {
            return printer.json(&answer);
        }
        if !answer.running {
            let reason = answer
                .reason
                .map(|why| format!(": {why}"))
                .unwrap_or_default();
            let state = answer.state.unwrap_or_else(|| "stopped".to_owned());
            return printer.text(&format!("{state}{reason}"));
        }
        let number = |n: Option<u64>| n.map_or_else(|| "unknown".to_owned(), |n| n.to_string());
        printer.text(&format!(
            "{}\npid         {}\nuptime      {} s\nqueue_size  {}\nheartbeat   {}\n",
            answer.state.as_deref().unwrap_or("running"),
            number(answer.pid.map(u64::from)),
            number(answer.uptime_seconds),
            number(answer.queue_size),
            number(answer.last_heartbeat),
        ))
    }

    fn run_here(place: DaemonProject, supervised: bool) -> CommandResult {
        prepare(&place)?;
        let supervisor = if supervised {
            Some(template(child(&place, &["supervise", "--adopt"])?))
        } else {
            None
        };
        let defaults = Config::default();
        let options = Options {
            stamp: environment::stamp(&place.settings),
            settings: place.settings,
            progress: || Box::new(Debug::from_environment()),
            files: place.files,
            config: Config {
                queue: place.config.queue_size,
                idle: milliseconds("DAEMON_IDLE_MS").or(place.config.idle),
                beat: milliseconds("DAEMON_HEARTBEAT_MS").unwrap_or(defaults.beat),
                request_time: milliseconds("DAEMON_REQUEST_MS").unwrap_or(defaults.request_time),
                answer_time: milliseconds("DAEMON_ANSWER_MS").unwrap_or(defaults.answer_time),
                delay: milliseconds("DAEMON_MOCK_DELAY_MS").unwrap_or(defaults.delay),
                readers: 0,
            },
            commands: Arc::new(Host),
            supervisor,
        };
        serve(options).map_err(|e| failure(e).into())
    }

    fn watch_over(place: &DaemonProject, adopt: bool) -> CommandResult {
        let defaults = Patience::default();
        let patience = Patience {
            wait: milliseconds("DAEMON_BACKOFF_MS").unwrap_or(defaults.wait),
            silence: milliseconds("DAEMON_SILENCE_MS").unwrap_or(defaults.silence),
            most: place.config.max_restarts,
            ..defaults
        };
        let command = template(child(place, &["run", "--supervised"])?);
        match supervise(&place.files, &patience, adopt, command).map_err(failure)? {
            Ended::Well => Ok(()),
            Ended::AlreadyRunning => {
                let pid = place.files.running().unwrap_or(0);
                Err(failure(DaemonError::AlreadyRunning(pid)).into())
            }
            Ended::Failed => Err(EngineError::failure("the daemon crashed too often").into()),
        }
    }

    fn ask(
        place: &DaemonProject,
        action: &str,
        payload: &Value,
        printer: &Printer,
    ) -> CommandResult {
        let data = answer(place, action, payload)?;
        if printer.is_json(Format::Json)? {
            printer.json(&data)
        } else {
            match data.as_object() {
                Some(fields) => {
                    let lines = fields
                        .iter()
                        .map(|(key, value)| format!("{key}\t{value}\n"));
                    printer.text(&lines.collect::<String>())
                }
                None => printer.json(&data),
            }
        }
    }

    fn answer(place: &DaemonProject, action: &str, payload: &Value) -> Result<Value, EngineError> {
        let gone = || EngineError::bad("Daemon is not running").hint("knotwork daemon start");
        let mut client = Client::connect(&place.files).ok_or_else(gone)?;
        let said = match action {
            "ping" => client.ask(action, payload, PING),
            _ => client.ask_patiently(&place.files, action, payload),
        };
        said.map_err(|error| match error {
            ClientError::Refused { message, .. } => EngineError::bad(message),
            other => EngineError::failure(other.to_string()),
        })
    }

    fn failure(error: DaemonError) -> EngineError {
        let message = error.to_string();
        let is_closed = |source: &std::io::Error| {
            let kind = source.kind();
            matches!(
                kind,
                ErrorKind::ReadOnlyFilesystem | ErrorKind::PermissionDenied
            )
        };
        match error {
            DaemonError::Io { source, .. } if is_closed(&source) => EngineError::failure(message)
                .hint("set DEVBOOKS_DIR to a folder that can be written"),
            DaemonError::AlreadyRunning(_) | DaemonError::NotRunning => EngineError::bad(message),
            _ => EngineError::failure(message),
        }
    }
}
