//! The common definition of a command. Each command is defined once, in its own file in `commands/`.

use crate::environment::{self, GlobalArgs, Limits};
use crate::format::Format;
use crate::printer::{CommandResult, Printer};
use clap::{ArgMatches, Args};
use engine::{Engine, EngineError};

/// A command.
pub(crate) struct Command {
    /// The name: `call-chain`.
    pub name: &'static str,
    /// Other names that the help lists.
    pub aliases: &'static [&'static str],
    /// The purpose in one line.
    pub about: &'static str,
    /// The examples of its help. Text after two spaces is a remark.
    pub examples: &'static [&'static str],
    /// An example for the help of each of its subcommands.
    pub part_examples: &'static [&'static str],
    /// The formats of its answers; the first is the default.
    pub formats: &'static [Format],
    /// The formats of those of its subcommands that have others.
    pub part_formats: &'static [(&'static str, &'static [Format])],
    /// The names of the engine's operations that it runs.
    #[cfg_attr(not(test), allow(dead_code, reason = "for tests and pages"))]
    pub operations: &'static [&'static str],
    /// Its row in README.
    #[cfg_attr(not(test), allow(dead_code, reason = "for the pages"))]
    pub readme: Row,
    /// Its row in the Chinese README, which has the most used commands.
    #[cfg_attr(not(test), allow(dead_code, reason = "for the pages"))]
    pub readme_chinese: Option<Row>,
    /// Its arguments, and the function that runs it.
    pub run: &'static dyn Work,
}

/// A row in a table of commands.
#[cfg_attr(not(test), allow(dead_code, reason = "for the pages"))]
pub(crate) struct Row {
    /// The command line, in backquotes.
    pub usage: &'static str,
    /// The MCP tools, if they differ from those of the command's operations.
    pub tool: Option<&'static str>,
    /// The answer or the effect.
    pub answers: &'static str,
}

/// How a command uses the key that seals indexes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Trust {
    /// Whether it makes a key if there is none.
    pub makes_key: bool,
    /// Whether the user trusts the index as it is.
    pub trusts_index: bool,
    /// Whether the command fails if the key cannot be read.
    pub is_required: bool,
}

impl Trust {
    /// The policy of nearly every command.
    pub(crate) const USUAL: Trust = Trust {
        makes_key: true,
        trusts_index: false,
        is_required: true,
    };
    /// For commands that leave no trace: a command that removes everything must not make a new key.
    pub(crate) const NO_NEW_KEY: Trust = Trust {
        makes_key: false,
        ..Trust::USUAL
    };
}

type OnProject<A> = fn(&Engine, A, &Printer) -> CommandResult;
type InProcess<A> = fn(&GlobalArgs, A, &Printer) -> CommandResult;
type ForClient<A> = fn(Engine, A, Option<String>, &Printer) -> CommandResult;

/// The function of a command with the arguments `A`, and the conditions for running it.
pub(crate) struct Run<A> {
    kind: Kind<A>,
    trust: fn(&A) -> Trust,
    choose_project: fn(&A, &mut GlobalArgs),
    for_client: Option<ForClient<A>>,
}

/// The process in which a command runs, with its function.
enum Kind<A> {
    /// The command depends only on the project, so the project's daemon may answer.
    Question {
        can_run_in_daemon: fn(&A) -> bool,
        run: OnProject<A>,
    },
    /// The command runs on an opened project in this process: it changes stored data, or sends requests to other programs.
    Project(OnProject<A>),
    /// The command opens the project itself, or needs none.
    Process(InProcess<A>),
}

impl<A> Run<A> {
    /// A command that depends only on the project. The daemon may run it if it queries the code or updates the index, and neither
    /// reads nor writes files of the caller.
    pub(crate) const fn question(can_run_in_daemon: fn(&A) -> bool, run: OnProject<A>) -> Run<A> {
        Run::new(Kind::Question {
            can_run_in_daemon,
            run,
        })
    }

    /// A command on an opened project that is never sent to the daemon: it changes stored data, or sends requests to other programs.
    pub(crate) const fn project(run: OnProject<A>) -> Run<A> {
        Run::new(Kind::Project(run))
    }

    /// A command that opens the project itself, or needs none.
    pub(crate) const fn in_process(run: InProcess<A>) -> Run<A> {
        Run::new(Kind::Process(run))
    }

    const fn new(kind: Kind<A>) -> Run<A> {
        Run {
            kind,
            trust: |_| Trust::USUAL,
            choose_project: |_, _| {},
            for_client: None,
        }
    }

    /// Replaces the usual policy.
    pub(crate) const fn with_trust(mut self, trust: fn(&A) -> Trust) -> Run<A> {
        self.trust = trust;
        self
    }

    /// Adds a function for arguments that choose the project.
    pub(crate) const fn with_project(mut self, choose: fn(&A, &mut GlobalArgs)) -> Run<A> {
        self.choose_project = choose;
        self
    }

    /// Adds a function that runs the command in the daemon, with the caller's standard input.
    pub(crate) const fn for_client(mut self, run: ForClient<A>) -> Run<A> {
        self.for_client = Some(run);
        self
    }
}

/// A [`Run`] of any arguments.
pub(crate) trait Work {
    /// Adds its arguments to a command.
    fn add_arguments(&self, command: clap::Command) -> clap::Command;
    /// Takes its arguments from a parsed command line.
    fn read(&'static self, matches: &mut ArgMatches) -> Result<Box<dyn Call>, clap::Error>;
    /// Whether it depends only on the project.
    fn is_question(&self) -> bool;
}

/// A command with its arguments.
pub(crate) trait Call {
    /// How it uses the key.
    fn trust(&self) -> Trust;
    /// Applies the arguments that choose the project.
    fn choose_project(&self, given: &mut GlobalArgs);
    /// Whether it depends only on the project.
    fn is_question(&self) -> bool;
    /// Whether the daemon may run it.
    fn can_run_in_daemon(&self) -> bool;
    /// Runs it in this process.
    fn run_here(self: Box<Self>, given: &GlobalArgs, printer: &Printer) -> CommandResult;
    /// Runs it on an open project for another process, with the standard input of that process.
    #[cfg_attr(not(unix), allow(dead_code, reason = "there is no daemon"))]
    fn run_for_client(
        self: Box<Self>,
        engine: Engine,
        input: Option<String>,
        printer: &Printer,
    ) -> CommandResult;
}

impl<A: Args + 'static> Work for Run<A> {
    fn add_arguments(&self, command: clap::Command) -> clap::Command {
        A::augment_args(command)
    }

    fn read(&'static self, matches: &mut ArgMatches) -> Result<Box<dyn Call>, clap::Error> {
        let args = A::from_arg_matches_mut(matches)?;
        Ok(Box::new(Called { run: self, args }))
    }

    fn is_question(&self) -> bool {
        matches!(self.kind, Kind::Question { .. })
    }
}

/// The function of a command and its arguments.
struct Called<A: 'static> {
    run: &'static Run<A>,
    args: A,
}

impl<A: Args + 'static> Call for Called<A> {
    fn trust(&self) -> Trust {
        (self.run.trust)(&self.args)
    }

    fn choose_project(&self, given: &mut GlobalArgs) {
        (self.run.choose_project)(&self.args, given);
    }

    fn is_question(&self) -> bool {
        self.run.is_question()
    }

    fn can_run_in_daemon(&self) -> bool {
        match self.run.kind {
            Kind::Question {
                can_run_in_daemon, ..
            } => can_run_in_daemon(&self.args),
            Kind::Project(_) | Kind::Process(_) => false,
        }
    }

    fn run_here(self: Box<Self>, given: &GlobalArgs, printer: &Printer) -> CommandResult {
        match self.run.kind {
            Kind::Question { run, .. } | Kind::Project(run) => {
                let engine = environment::open_engine(given, &Limits::default())?;
                run(&engine, self.args, printer)
            }
            Kind::Process(run) => run(given, self.args, printer),
        }
    }

    fn run_for_client(
        self: Box<Self>,
        engine: Engine,
        input: Option<String>,
        printer: &Printer,
    ) -> CommandResult {
        if let Some(run) = self.run.for_client {
            return run(engine, self.args, input, printer);
        }
        match self.run.kind {
            Kind::Question {
                can_run_in_daemon,
                run,
            } if can_run_in_daemon(&self.args) => {
                for warning in engine.config().warnings() {
                    printer.print_note(&format!("warning: {warning}"));
                }
                run(&engine, self.args, printer)
            }
            Kind::Question { .. } | Kind::Project(_) | Kind::Process(_) => {
                Err(EngineError::bad_arguments("this command cannot run in the daemon").into())
            }
        }
    }
}
