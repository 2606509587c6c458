//! `knotwork setup`.

use crate::command::{Command, Row, Run, Trust};
use crate::environment::{self, GlobalArgs};
use crate::format::TEXT_OR_JSON;
use crate::printer::{CommandResult, FAILED, Failure, Printer};
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use engine::EngineError;
use serde_json::json;
use setup::{CLIENTS, Client, Outcome, Part, Places, Request, Scope, Status};

pub(super) const COMMAND: Command = Command {
    name: "setup",
    aliases: &[],
    about: "Add the server, hooks and skill to coding agents, or take them out again",
    examples: &[
        "knotwork setup                                for the agents that are found, in all projects",
        "knotwork setup --client cursor --scope project",
        "knotwork setup --hook --skill --dry-run",
        "knotwork setup --remove",
    ],
    part_examples: &[],
    formats: TEXT_OR_JSON,
    part_formats: &[],
    operations: &[],
    readme: Row {
        usage: "`setup`, `setup --remove`",
        tool: None,
        answers: "[adds Knotwork to your coding agents](docs/agents.md), and takes it out without a trace",
    },
    readme_chinese: None,
    run: &Run::in_process(set_up_agents).with_trust(|_| Trust::NO_NEW_KEY),
};

/// Add Knotwork to the coding agents of this machine, or take it out again.
///
/// Finds the agents that are there and adds the MCP server to each in its own format. Comments, order and all else in their files
/// stay. A second run changes nothing; --remove gives back the bytes that were there before. CLAUDE.md and AGENTS.md are
/// touched only with --instructions.
#[derive(Debug, Args)]
struct SetupArgs {
    /// Only these agents, found or not [default: all that are found]
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = PossibleValuesParser::new(CLIENTS.iter().map(|client| client.name)))]
    client: Vec<String>,
    /// Where the setting applies [default: user; with --remove: everywhere]
    #[arg(long, value_enum)]
    scope: Option<ScopeArg>,
    /// Also add hooks that give context to prompts (Claude Code, Codex)
    #[arg(long)]
    hook: bool,
    /// Also add the skill that teaches the command line
    #[arg(long)]
    skill: bool,
    /// Also add a few lines to the agent's instructions, such as AGENTS.md
    #[arg(long)]
    instructions: bool,
    /// Take out what was added; with --hook, --skill or --instructions only that
    #[arg(long)]
    remove: bool,
    /// Print what would be written by hand, and write nothing
    #[arg(long, conflicts_with_all = ["remove", "dry_run"])]
    print: bool,
    /// Say what would be done, and do nothing
    #[arg(long)]
    dry_run: bool,
}

/// Where settings count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ScopeArg {
    /// In all projects of this user
    User,
    /// In this project, for all who work on it
    Project,
    /// In this project, for this user alone
    Local,
}

impl From<ScopeArg> for Scope {
    fn from(scope: ScopeArg) -> Scope {
        match scope {
            ScopeArg::User => Scope::User,
            ScopeArg::Project => Scope::Project,
            ScopeArg::Local => Scope::Local,
        }
    }
}

fn set_up_agents(given: &GlobalArgs, args: SetupArgs, printer: &Printer) -> CommandResult {
    let as_json = printer.is_json(TEXT_OR_JSON)?;
    let places = environment::setup_places(environment::find_project(given)?)?;
    let scopes = scopes(&args, &places)?;
    let clients = clients(&args, &places);
    if clients.is_empty() && !as_json {
        let names: Vec<&str> = CLIENTS.iter().map(|client| client.name).collect();
        return printer.print_text(&format!(
            "No agent was found. Choose with --client: {}",
            names.join(", ")
        ));
    }
    let program = environment::own_program(&places)?;
    let request = |scope: Scope| Request {
        places: &places,
        clients: clients.clone(),
        scope,
        parts: parts(&args),
        program: program.clone(),
        dry_run: args.dry_run,
        // Entries that others committed to the project are removed only if the user names the scope.
        only_recorded: args.scope.is_none() && scope != Scope::User,
    };
    let requests: Vec<Request<'_>> = scopes.into_iter().map(request).collect();
    if args.print {
        return print_by_hand(&requests[0], &places, as_json, printer);
    }
    let done = if args.remove {
        setup::remove(&requests)
    } else {
        setup::add(&requests[0])
    };
    let done = done.map_err(|e| EngineError::runtime_failure(e.to_string()))?;
    report(&args, &places, &done, as_json, printer)
}

/// The scopes: for adding one alone.
fn scopes(args: &SetupArgs, places: &Places) -> Result<Vec<Scope>, EngineError> {
    let scopes = match args.scope {
        Some(scope) => vec![scope.into()],
        None if args.remove && places.project.is_some() => {
            vec![Scope::User, Scope::Project, Scope::Local]
        }
        None => vec![Scope::User],
    };
    if scopes[0] != Scope::User && places.project.is_none() {
        return Err(EngineError::bad_arguments("there is no project here")
            .with_hint("go into a project, or name one with -C"));
    }
    Ok(scopes)
}

fn clients(args: &SetupArgs, places: &Places) -> Vec<&'static Client> {
    let is_asked = |client: &&Client| {
        if args.client.is_empty() {
            // An agent that was uninstalled may have left its settings.
            args.remove || client.is_there(places)
        } else {
            args.client.iter().any(|name| name == client.name)
        }
    };
    CLIENTS.iter().filter(is_asked).collect()
}

fn parts(args: &SetupArgs) -> Vec<Part> {
    let chosen = [
        (Part::Hook, args.hook),
        (Part::Skill, args.skill),
        (Part::Instructions, args.instructions),
    ];
    let chosen = chosen.into_iter().filter(|(_, is_chosen)| *is_chosen);
    let chosen: Vec<Part> = chosen.map(|(part, _)| part).collect();
    match (args.remove, chosen.is_empty()) {
        (true, true) => Part::ALL.to_vec(),
        (true, false) => chosen,
        (false, _) => std::iter::once(Part::Server).chain(chosen).collect(),
    }
}

fn titles(outcome: &Outcome) -> String {
    let titles: Vec<&str> = outcome.clients.iter().map(|client| client.title).collect();
    titles.join(", ")
}

fn print_by_hand(
    request: &Request<'_>,
    places: &Places,
    as_json: bool,
    printer: &Printer,
) -> CommandResult {
    let printed = setup::print(request);
    if as_json {
        let entries = printed.iter().map(|(outcome, text)| {
            json!({"clients": names(outcome), "part": outcome.part.name(), "file": outcome.path, "text": text})
        });
        return printer.print_json(&json!({ "entries": entries.collect::<Vec<_>>() }));
    }
    let blocks = printed.iter().map(|(outcome, text)| {
        let path = outcome.path.as_deref().map(|path| places.show(path));
        let pages: Vec<&str> = outcome.clients.iter().map(|client| client.page).collect();
        format!(
            "{}: {}\n{}\n{}\n",
            titles(outcome),
            path.unwrap_or_default(),
            pages.join(" "),
            text.trim_end()
        )
    });
    printer.print_text(&blocks.collect::<Vec<_>>().join("\n"))
}

fn names(outcome: &Outcome) -> Vec<&'static str> {
    outcome.clients.iter().map(|client| client.name).collect()
}

fn report(
    args: &SetupArgs,
    places: &Places,
    done: &[Outcome],
    as_json: bool,
    printer: &Printer,
) -> CommandResult {
    // A feature that an agent lacks is reported only if the user asked for that agent.
    let is_told = |outcome: &&Outcome| match outcome.status {
        Status::Absent => false,
        Status::Unsupported => !args.client.is_empty() || outcome.part == Part::Server,
        _ => true,
    };
    let shown: Vec<&Outcome> = done.iter().filter(is_told).collect();
    if as_json {
        let entries = shown.iter().map(|outcome| {
            json!({
                "clients": names(outcome), "part": outcome.part.name(), "status": outcome.status.name(),
                "file": outcome.path, "note": outcome.note,
            })
        });
        printer.print_json(
            &json!({"dry_run": args.dry_run, "entries": entries.collect::<Vec<_>>()}),
        )?;
    } else {
        printer.print_text(&text(args, places, &shown))?;
    }
    for project in other_projects(args, places) {
        printer.print_note(&format!(
            "also set up in {0}: knotwork setup --remove -C {0}",
            project.display()
        ));
    }
    let failed = shown
        .iter()
        .filter(|outcome| outcome.status == Status::Failed)
        .count();
    if failed == 0 {
        return Ok(());
    }
    if as_json {
        return Err(Failure::Said(FAILED));
    }
    Err(
        EngineError::runtime_failure(format!("{failed} of {} were not changed", shown.len()))
            .with_hint("these files were not changed; correct them and try again")
            .into(),
    )
}

fn text(args: &SetupArgs, places: &Places, told: &[&Outcome]) -> String {
    let rows: Vec<[String; 4]> = told
        .iter()
        .map(|outcome| {
            let path = outcome
                .path
                .as_deref()
                .map(|path| places.show(path))
                .unwrap_or_default();
            let rest = [path, outcome.note.clone()];
            let rest: Vec<&str> = rest
                .iter()
                .map(String::as_str)
                .filter(|text| !text.is_empty())
                .collect();
            let status = outcome.status.name().to_owned();
            [
                titles(outcome),
                outcome.part.name().to_owned(),
                status,
                rest.join(": "),
            ]
        })
        .collect();
    let width = |column: usize| {
        rows.iter()
            .map(|row| row[column].chars().count())
            .max()
            .unwrap_or(0)
    };
    let [first, second, third] = [width(0).min(32), width(1), width(2)];
    let lines = rows.iter().map(|[titles, part, status, rest]| {
        format!("{titles:first$}  {part:second$}  {status:third$}  {rest}")
    });
    let mut lines: Vec<String> = lines.map(|line| line.trim_end().to_owned()).collect();
    let changed = told
        .iter()
        .filter(|o| matches!(o.status, Status::Added | Status::Updated));
    let after = changed
        .filter(|o| o.part == Part::Server && !args.dry_run)
        .flat_map(|o| &o.clients);
    let next: Vec<String> = after
        .map(|client| format!("  {}: {}", client.title, client.after))
        .collect();
    if !next.is_empty() {
        lines.push("Then:".to_owned());
        lines.extend(next);
    }
    match (lines.is_empty(), args.dry_run) {
        (true, _) if args.remove => "There is nothing to remove.".to_owned(),
        (_, true) => format!(
            "Nothing was written. This would be done:\n{}",
            lines.join("\n")
        ),
        _ => lines.join("\n"),
    }
}

/// Other projects whose files keep entries when everything is removed here.
fn other_projects(args: &SetupArgs, places: &Places) -> Vec<std::path::PathBuf> {
    if !args.remove || args.scope.is_some() || args.dry_run {
        return Vec::new();
    }
    let all = setup::recorded_projects(places).unwrap_or_default();
    let others = all
        .into_iter()
        .filter(|project| Some(project) != places.project.as_ref());
    others.collect()
}
