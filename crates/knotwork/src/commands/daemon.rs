//! `knotwork daemon`.

use crate::command::{Command, Row, Run};
use crate::environment::GlobalArgs;
use crate::format::JSON_OR_TEXT;
use crate::printer::{CommandResult, Printer};
use clap::{Args, Subcommand};

pub(super) const COMMAND: Command = Command {
    name: "daemon",
    aliases: &[],
    about: "Run a background process that keeps the graph in memory",
    examples: &["knotwork daemon start", "knotwork daemon status"],
    part_examples: &[
        "knotwork daemon start",
        "knotwork daemon stop",
        "knotwork daemon restart",
        "knotwork daemon status",
        "knotwork daemon warmup",
        "knotwork daemon run",
        "knotwork daemon ping",
        "knotwork daemon query \"SELECT count(*) FROM nodes\"",
        "knotwork daemon stats",
    ],
    formats: JSON_OR_TEXT,
    part_formats: &[],
    operations: &[],
    readme: Row {
        usage: "`daemon start`, `stop`, `status`",
        tool: None,
        answers: "[keeps the graph in memory](docs/daemon.md) for commands, hook and MCP server",
    },
    readme_chinese: None,
    run: &Run::in_process(control_daemon),
};

/// Keep the graph in memory between questions. Commands and the hook ask it where it runs, and do the work themselves
/// where it does not.
#[derive(Debug, Args)]
struct DaemonArgs {
    #[command(subcommand)]
    what: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Start the daemon in the background. It is restarted after a crash
    Start,
    /// Stop the daemon within two seconds. Quick requests may finish
    Stop,
    /// Stop the daemon if it runs, then start it
    Restart,
    /// Show whether the daemon runs, and since when
    Status,
    /// Load into memory what the first questions need. Without a daemon, only prepare the index
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

fn control_daemon(given: &GlobalArgs, args: DaemonArgs, printer: &Printer) -> CommandResult {
    process::answer_action(given, args.what, printer)
}

mod process {
    use super::Action;
    use crate::environment::{self, GlobalArgs, Limits, duration_variable};
    use crate::format::JSON_OR_TEXT;
    use crate::host::Host;
    use crate::printer::{CommandResult, Printer};
    use crate::progress::DebugLog;
    use engine::config::{DaemonConfig, Origin};
    use engine::{Engine, EngineError, Location, Settings};
    use guard::state;
    use serde_json::{Value, json};
    use server::client::{Client, ClientError};
    use server::daemon::control::{self, Stopped};
    use server::daemon::supervise::{SupervisionConfig, SupervisorOutcome, run_supervisor};
    use server::daemon::{Config, DaemonError, Files, Options, run_daemon};
    use std::fmt::Display;
    use std::io::{ErrorKind, Write};
    use std::path::Path;
    use std::process::Command;
    use std::sync::Arc;
    use std::time::Duration;

    /// The variable for the time that the allocator keeps unused memory, milliseconds.
    const PURGE: &str = "MIMALLOC_PURGE_DELAY";

    /// The time limit for the answer to a ping.
    const PING: Duration = Duration::from_secs(2);

    /// A project and its daemon's files and settings.
    struct DaemonProject {
        settings: Settings,
        location: Location,
        files: Files,
        config: DaemonConfig,
    }

    pub(super) fn answer_action(
        given: &GlobalArgs,
        what: Action,
        printer: &Printer,
    ) -> CommandResult {
        let place = open_daemon_project(given)?;
        match what {
            Action::Start => start(&place, printer),
            Action::Stop => stop(&place, printer),
            Action::Restart => {
                match stop(&place, printer) {
                    Ok(()) => {}
                    Err(failure) => return Err(failure),
                }
                start(&place, printer)
            }
            Action::Status => status(&place, printer),
            Action::Run { .. } if !place.config.enabled => note_disabled(printer),
            Action::Run { supervised } => run_in_foreground(place, supervised),
            Action::Supervise { adopt } => supervise_project(&place, adopt),
            Action::Warmup => warm_up(&place, printer),
            Action::Ping => print_answer(&place, "ping", &json!({}), printer),
            Action::Query { sql, params } => {
                let params: Vec<Value> = params.iter().map(|text| number_or_text(text)).collect();
                print_answer(
                    &place,
                    "query",
                    &json!({"sql": sql, "params": params}),
                    printer,
                )
            }
            Action::Stats { prometheus: false } => {
                print_answer(&place, "stats", &json!({}), printer)
            }
            Action::Stats { prometheus: true } => {
                let data = request(&place, "stats", &json!({"format": "prometheus"}))?;
                printer.print_text(data["text"].as_str().unwrap_or_default())
            }
        }
    }

    fn open_daemon_project(given: &GlobalArgs) -> Result<DaemonProject, EngineError> {
        let settings = environment::read_settings(given, &Limits::default())?;
        let location = engine::locate(&settings)?;
        // Answers are about the whole project, whatever folder the daemon was started in.
        let settings = Settings {
            start: location.root.clone(),
            long_running: true,
            says_watched: false,
            ..settings
        };
        let engine = Engine::open(settings.clone(), Box::new(DebugLog::from_environment()))?;
        Ok(DaemonProject {
            files: environment::daemon_files(&location.state_dir),
            config: engine.config().daemon(),
            location,
            settings,
        })
    }

    /// The text as a number, if it is one.
    fn number_or_text(text: &str) -> Value {
        let number = serde_json::from_str::<serde_json::Number>(text);
        number.map_or_else(|_| Value::from(text), Value::Number)
    }

    /// Switched off on purpose, so this is no error: a script that starts it everywhere goes on.
    fn note_disabled(printer: &Printer) -> CommandResult {
        printer.print_note("The daemon is disabled (features.daemon.enabled)");
        Ok(())
    }

    fn start(place: &DaemonProject, printer: &Printer) -> CommandResult {
        if !place.config.enabled {
            return note_disabled(printer);
        }
        if control::remove_stale_files(&place.files) {
            printer.print_note("Cleaning stale PID file");
        }
        create_state_folder(place)?;
        let command = own_command(
            place,
            if place.config.auto_restart {
                &["supervise"]
            } else {
                &["run"]
            },
        )?;
        let pid = control::start_and_wait(&place.files, command).map_err(to_engine_error)?;
        printer.print_text(&format!("Daemon started (PID: {pid})"))
    }

    /// Creates the state folder, as an index would. The project's own folder is never created: it may just have been moved.
    fn create_state_folder(place: &DaemonProject) -> Result<(), EngineError> {
        let (root, folder) = (&place.location.root, &place.location.state_dir);
        let fail = |e: &dyn Display| {
            EngineError::runtime_failure(format!("cannot write {}: {e}", folder.display()))
                .with_hint("set DEVBOOKS_DIR to a folder that can be written")
        };
        let above = folder.parent().unwrap_or(root);
        let made = match above.strip_prefix(root) {
            Ok(inside) => create_folders_below(root, inside),
            Err(_) => std::fs::create_dir_all(above),
        };
        made.map_err(|e| fail(&e))?;
        state::create_private_folder(folder).map_err(|e| fail(&e))?;
        let ignore = folder.join(".gitignore");
        let made = state::private_file_options()
            .write(true)
            .create_new(true)
            .open(ignore)
            .and_then(|mut file| file.write_all(b"*\n"));
        match made {
            Err(e) if e.kind() == ErrorKind::AlreadyExists => Ok(()),
            made => made.map_err(|e| fail(&e)),
        }
    }

    /// Creates folders below one that must exist.
    fn create_folders_below(root: &Path, inside: &Path) -> std::io::Result<()> {
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

    /// A command that runs this program for the same project and with the same settings, in any folder.
    fn own_command(place: &DaemonProject, what: &[&str]) -> Result<Command, EngineError> {
        let program = std::env::current_exe()
            .map_err(|e| EngineError::runtime_failure(format!("cannot find this program: {e}")))?;
        let mut command = guard::program::respawn_command(&program);
        command.arg("--project").arg(&place.location.root);
        let ceiling = place.settings.overrides.iter();
        let ceiling = ceiling.filter(|o| o.key == "limits.memory");
        for given in ceiling.filter(|o| matches!(o.origin, Origin::Flag(_))) {
            command.arg("--memory").arg(&given.value);
        }
        command.arg("daemon").args(what);
        command.envs(environment::absolute_path_variables());
        // The allocator returns memory at once after an index is built: a long-running process should be small.
        if std::env::var_os(PURGE).is_none() {
            command.env(PURGE, "0");
        }
        Ok(command)
    }

    /// A factory for copies of a command, so that it can be run repeatedly.
    fn command_factory(program: Command) -> Box<dyn Fn() -> Command + Send + Sync> {
        Box::new(move || {
            let mut command = guard::program::respawn_command(program.get_program().as_ref());
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
        match control::stop_daemon(&place.files) {
            Ok(Stopped::Gracefully) => printer.print_text("Daemon stopped gracefully"),
            Ok(Stopped::Killed(pid)) => {
                printer.print_text(&format!("Daemon killed (PID: {pid}): it did not answer"))
            }
            Err(DaemonError::NotRunning) => printer.print_text("Daemon is not running"),
            Err(error) => Err(to_engine_error(error).into()),
        }
    }

    fn status(place: &DaemonProject, printer: &Printer) -> CommandResult {
        let json = printer.is_json(JSON_OR_TEXT)?;
        let answer = control::daemon_status(&place.files);
        if json {
            return printer.print_json(&answer);
        }
        if !answer.running {
            let reason = answer
                .reason
                .map(|why| format!(": {why}"))
                .unwrap_or_default();
            let state = answer.state.unwrap_or_else(|| "stopped".to_owned());
            return printer.print_text(&format!("{state}{reason}"));
        }
        let number = |n: Option<u64>| n.map_or_else(|| "unknown".to_owned(), |n| n.to_string());
        printer.print_text(&format!(
            "{}\npid         {}\nuptime      {} s\nqueue_size  {}\nheartbeat   {}\n",
            answer.state.as_deref().unwrap_or("running"),
            number(answer.pid.map(u64::from)),
            number(answer.uptime_seconds),
            number(answer.queue_size),
            number(answer.last_heartbeat),
        ))
    }

    fn run_in_foreground(place: DaemonProject, supervised: bool) -> CommandResult {
        create_state_folder(&place)?;
        let supervisor = if supervised {
            Some(command_factory(own_command(
                &place,
                &["supervise", "--adopt"],
            )?))
        } else {
            None
        };
        let defaults = Config::default();
        let options = Options {
            fingerprint: environment::environment_fingerprint(
                &place.settings,
                &place.location.root,
            ),
            settings: place.settings,
            progress: || Box::new(DebugLog::from_environment()),
            files: place.files,
            config: Config {
                queue: place.config.queue_size,
                idle: duration_variable("DAEMON_IDLE_MS").or(place.config.idle),
                beat: duration_variable("DAEMON_HEARTBEAT_MS").unwrap_or(defaults.beat),
                request_time: duration_variable("DAEMON_REQUEST_MS")
                    .unwrap_or(defaults.request_time),
                answer_time: duration_variable("DAEMON_ANSWER_MS").unwrap_or(defaults.answer_time),
                delay: duration_variable("DAEMON_MOCK_DELAY_MS").unwrap_or(defaults.delay),
                readers: 0,
            },
            commands: Arc::new(Host),
            supervisor,
        };
        run_daemon(options).map_err(|e| to_engine_error(e).into())
    }

    fn supervise_project(place: &DaemonProject, adopt: bool) -> CommandResult {
        let defaults = SupervisionConfig::default();
        let patience = SupervisionConfig {
            wait: duration_variable("DAEMON_BACKOFF_MS").unwrap_or(defaults.wait),
            silence: duration_variable("DAEMON_SILENCE_MS").unwrap_or(defaults.silence),
            most: place.config.max_restarts,
            ..defaults
        };
        let command = command_factory(own_command(place, &["run", "--supervised"])?);
        match run_supervisor(&place.files, &patience, adopt, command).map_err(to_engine_error)? {
            SupervisorOutcome::Well => Ok(()),
            SupervisorOutcome::AlreadyRunning => {
                let pid = place.files.daemon_pid().unwrap_or(0);
                Err(to_engine_error(DaemonError::AlreadyRunning(pid)).into())
            }
            SupervisorOutcome::Failed => {
                Err(EngineError::runtime_failure("the daemon crashed too often").into())
            }
        }
    }

    /// Asks the daemon, or does itself what outlives this process: it brings the index up to date.
    fn warm_up(place: &DaemonProject, printer: &Printer) -> CommandResult {
        if Client::connect(&place.files).is_some() {
            return print_answer(place, "warmup", &json!({}), printer);
        }
        let settings = Settings {
            long_running: false,
            ..place.settings.clone()
        };
        let engine = Engine::open(settings, Box::new(DebugLog::from_environment()))?;
        print_data(&server::daemon::warm_up(&engine)?, printer)
    }

    fn print_answer(
        place: &DaemonProject,
        action: &str,
        payload: &Value,
        printer: &Printer,
    ) -> CommandResult {
        print_data(&request(place, action, payload)?, printer)
    }

    fn print_data(data: &Value, printer: &Printer) -> CommandResult {
        if printer.is_json(JSON_OR_TEXT)? {
            printer.print_json(data)
        } else {
            match data.as_object() {
                Some(fields) => {
                    let lines = fields
                        .iter()
                        .map(|(key, value)| format!("{key}\t{value}\n"));
                    printer.print_text(&lines.collect::<String>())
                }
                None => printer.print_json(data),
            }
        }
    }

    fn request(place: &DaemonProject, action: &str, payload: &Value) -> Result<Value, EngineError> {
        let gone = || {
            EngineError::bad_arguments("the daemon is not running")
                .with_hint("knotwork daemon start")
        };
        let mut client = Client::connect(&place.files).ok_or_else(gone)?;
        let answer = match action {
            "ping" => client.request(action, payload, PING),
            _ => client.request_while_alive(&place.files, action, payload),
        };
        answer.map_err(|error| match error {
            ClientError::Refused { message, .. } => EngineError::bad_arguments(message),
            other => EngineError::runtime_failure(other.to_string()),
        })
    }

    fn to_engine_error(error: DaemonError) -> EngineError {
        let message = error.to_string();
        let is_closed = |source: &std::io::Error| {
            let kind = source.kind();
            matches!(
                kind,
                ErrorKind::ReadOnlyFilesystem | ErrorKind::PermissionDenied
            )
        };
        match error {
            DaemonError::Io { source, .. } if is_closed(&source) => {
                EngineError::runtime_failure(message)
                    .with_hint("set DEVBOOKS_DIR to a folder that can be written")
            }
            DaemonError::AlreadyRunning(_) | DaemonError::NotRunning => {
                EngineError::bad_arguments(message)
            }
            _ => EngineError::runtime_failure(message),
        }
    }
}
