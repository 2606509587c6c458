//! `knotwork doctor`.

use crate::command::{Command, Row, Run};
use crate::environment::{self, GlobalArgs, Limits};
use crate::format::TEXT_OR_JSON;
use crate::printer::{CommandResult, FAILED, Failure, Printer};
use crate::progress::DebugLog;
use crate::text::{format_plural, format_size};
use clap::Args;
use engine::{Config, Engine, EngineError};
use platform::RealPath;
use serde::Serialize;
use serde_json::json;
use setup::{CLIENTS, Client, Part, Places, Request, Scope, Status};

pub(super) const COMMAND: Command = Command {
    name: "doctor",
    aliases: &[],
    about: "Check program, index, daemon, agents and providers, and say how to fix each problem",
    examples: &["knotwork doctor"],
    part_examples: &[],
    formats: TEXT_OR_JSON,
    part_formats: &[],
    operations: &[],
    readme: Row {
        usage: "`doctor`",
        tool: None,
        answers: "checks program, index, daemon, agents and providers, and says how to fix each problem",
    },
    readme_chinese: None,
    run: &Run::in_process(diagnose_setup),
};

/// Checks program, index, daemon, agents and providers, and says how to fix each problem.
///
/// It builds no index, changes no settings, starts nothing and asks nobody over the network. Like most commands it makes the user's
/// key where there is none. The exit code is 3 if something is broken.
#[derive(Debug, Args)]
struct DoctorArgs {}

/// How well something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Health {
    Ok,
    /// It works, and could be better.
    Note,
    /// It does not work.
    Broken,
}

/// The result of one check.
#[derive(Debug, Serialize)]
struct Finding {
    what: String,
    health: Health,
    found: String,
    /// How to fix the problem; empty if there is nothing to do.
    mend: String,
}

fn finding(
    what: &str,
    health: Health,
    found: impl Into<String>,
    mend: impl Into<String>,
) -> Finding {
    Finding {
        what: what.to_owned(),
        health,
        found: found.into(),
        mend: mend.into(),
    }
}

fn diagnose_setup(given: &GlobalArgs, _args: DoctorArgs, printer: &Printer) -> CommandResult {
    let as_json = printer.is_json(TEXT_OR_JSON)?;
    let mut all = Vec::new();
    let project = environment::find_project(given)?;
    let places = environment::setup_places(project.clone());
    match &places {
        Ok(places) => all.push(check_program(places)),
        Err(error) => all.push(broken("program", error)),
    }
    match project {
        None => all.push(finding(
            "index",
            Health::Note,
            "there is no project here",
            "go into a project, or name one with -C",
        )),
        Some(_) => check_project(given, &mut all),
    }
    if let Ok(places) = &places
        && let Err(error) = check_clients(places, &mut all)
    {
        all.push(broken("agents", &error));
    }
    let bad = all
        .iter()
        .filter(|finding| finding.health == Health::Broken)
        .count();
    if as_json {
        printer.print_json(&json!({"healthy": bad == 0, "findings": all}))?;
    } else {
        printer.print_text(&text(&all))?;
    }
    if bad == 0 {
        return Ok(());
    }
    if as_json {
        return Err(Failure::Said(FAILED));
    }
    Err(
        EngineError::runtime_failure(format!("{} broken", format_plural(bad as u64, "thing")))
            .with_hint("the lines above say how to fix each problem")
            .into(),
    )
}

fn broken(what: &str, error: &EngineError) -> Finding {
    let mend = error.hint.clone().unwrap_or_default();
    finding(what, Health::Broken, error.message.clone(), mend)
}

fn check_program(places: &Places) -> Finding {
    let version = env!("CARGO_PKG_VERSION");
    let own = match environment::own_program(places) {
        Ok(own) => own,
        Err(error) => return broken("program", &error),
    };
    let real = |path: &std::path::Path| path.real_path().ok();
    let found = format!("{version} at {own}");
    match places.find_program(setup::NAME) {
        Some(path) if real(&path) == real(std::path::Path::new(&own)) => {
            finding("program", Health::Ok, found, "")
        }
        Some(path) => finding(
            "program",
            Health::Note,
            format!("{found}; the search path leads to {}", path.display()),
            "remove one of the two",
        ),
        None => finding(
            "program",
            Health::Note,
            format!("{found}; it is not in the search path"),
            "put its folder into PATH: hooks and settings of projects start `knotwork`",
        ),
    }
}

fn check_project(given: &GlobalArgs, all: &mut Vec<Finding>) {
    let opened = environment::read_settings(given, &Limits::default())
        .and_then(|settings| Engine::open(settings, Box::new(DebugLog::from_environment())));
    let engine = match opened {
        Ok(engine) => engine,
        Err(error) => return all.push(broken("index", &error)),
    };
    all.push(check_index(&engine));
    all.extend(check_daemon(given));
    let warnings = engine.config().warnings();
    all.extend(warnings.iter().map(|warning| {
        finding(
            "settings",
            Health::Note,
            warning.to_string(),
            "`knotwork config show` names each value's file",
        )
    }));
    all.extend(check_providers(engine.config()));
}

fn check_index(engine: &Engine) -> Finding {
    let status = match engine.index_status() {
        Ok(status) => status,
        Err(error) => return broken("index", &error),
    };
    if let Some(note) = status.index.notes.first() {
        return finding("index", Health::Note, note.clone(), "knotwork index");
    }
    if !status.exists {
        let found = format!("none yet for {}", status.project);
        return finding(
            "index",
            Health::Note,
            found,
            "the first question builds it, or: knotwork index",
        );
    }
    let files: u64 = status
        .languages
        .values()
        .map(|count| u64::from(*count))
        .sum();
    let size = std::path::Path::new(&status.database)
        .parent()
        .map_or(0, engine::folder_size);
    let found = format!(
        "{} in {}, {}",
        format_plural(files, "file"),
        status.project,
        format_size(size)
    );
    if status.changes > 0 {
        let changes = format_plural(status.changes as u64, "change");
        return finding(
            "index",
            Health::Ok,
            format!("{found}; {changes} that the next question reads"),
            "",
        );
    }
    finding("index", Health::Ok, found, "")
}

fn check_daemon(given: &GlobalArgs) -> Option<Finding> {
    let place = environment::find_location(given).ok()??;
    let status =
        server::daemon::control::daemon_status(&environment::daemon_files(&place.state_dir));
    let state = status.state.unwrap_or_else(|| "stopped".to_owned());
    Some(match (status.running, status.reason) {
        (true, None) if state != "dead" => finding("daemon", Health::Ok, state, ""),
        (true, _) => finding("daemon", Health::Broken, state, "knotwork daemon restart"),
        (false, Some(reason)) => finding(
            "daemon",
            Health::Note,
            format!("{state}: {reason}"),
            "knotwork daemon start",
        ),
        (false, None) => finding(
            "daemon",
            Health::Ok,
            format!("{state}; commands work without it"),
            "",
        ),
    })
}

/// Checks that the chosen providers have keys. No request is sent.
fn check_providers(config: &Config) -> Vec<Finding> {
    let embedding = config.embedding();
    let reranker = config.reranker();
    let mut chosen = vec![(
        "embedding",
        embedding.provider,
        embedding.base_url.is_some(),
    )];
    if reranker.enabled {
        chosen.push(("re-ranking", reranker.provider, false));
    }
    let check = |(what, provider, has_address): (&str, String, bool)| {
        let needed: &[&str] = match provider.as_str() {
            "openai" if !has_address => &["OPENAI_API_KEY"],
            "azure" => &["AZURE_OPENAI_API_KEY", "AZURE_OPENAI_ENDPOINT"],
            "anthropic" => &["ANTHROPIC_API_KEY"],
            _ => &[],
        };
        let missing: Vec<&str> = needed
            .iter()
            .copied()
            .filter(|name| environment::text_variable(name).is_none())
            .collect();
        if missing.is_empty() {
            finding("provider", Health::Ok, format!("{what}: {provider}"), "")
        } else {
            let found = format!(
                "{what}: {provider}, and {} is not set",
                missing.join(" and ")
            );
            finding(
                "provider",
                Health::Broken,
                found,
                "set it, or choose another provider (`knotwork config show`)",
            )
        }
    };
    chosen.into_iter().map(check).collect()
}

fn check_clients(places: &Places, all: &mut Vec<Finding>) -> Result<(), EngineError> {
    let found: Vec<&'static Client> = CLIENTS
        .iter()
        .filter(|client| client.is_there(places))
        .collect();
    if found.is_empty() {
        let mend = "install one, or choose by name: knotwork setup --client NAME";
        all.push(finding("agents", Health::Note, "none was found", mend));
    }
    for client in found {
        let mut best: Option<Finding> = None;
        for scope in [Scope::Project, Scope::Local, Scope::User] {
            let Some(now) = check_client(client, scope, places)? else {
                continue;
            };
            let is_better = best
                .as_ref()
                .is_none_or(|best| best.health == Health::Note || now.health == Health::Broken);
            if is_better {
                best = Some(now);
            }
        }
        all.extend(best);
    }
    Ok(())
}

/// Whether an agent has the server in a scope; none where it has no such scope.
fn check_client(
    client: &'static Client,
    scope: Scope,
    places: &Places,
) -> Result<Option<Finding>, EngineError> {
    if scope != Scope::User && places.project.is_none() {
        return Ok(None);
    }
    let request = Request {
        places,
        clients: vec![client],
        scope,
        parts: vec![Part::Server],
        program: environment::own_program(places).unwrap_or_default(),
        dry_run: true,
        only_recorded: false,
    };
    let done = setup::add(&request).map_err(|e| EngineError::runtime_failure(e.to_string()))?;
    let Some(outcome) = done.into_iter().next() else {
        return Ok(None);
    };
    let path = outcome.path.as_deref().map(|path| places.show(path));
    let path = path.unwrap_or_default();
    let add = format!("knotwork setup --client {}", client.name);
    let (health, found, mend) = match outcome.status {
        Status::Unchanged => (Health::Ok, path, String::new()),
        // The entry may come from the repository.
        Status::Kept if scope == Scope::Project => (
            Health::Note,
            format!("{path}: an entry that setup did not write; look at what it starts"),
            String::new(),
        ),
        Status::Kept => (
            Health::Ok,
            format!("{path}: an entry of your own"),
            String::new(),
        ),
        Status::Updated => (
            Health::Note,
            format!("{path}: another program or project"),
            add,
        ),
        Status::Failed => (
            Health::Broken,
            outcome.note,
            format!("correct it, then: {add}"),
        ),
        Status::Unsupported if scope == Scope::User => (Health::Note, outcome.note, add),
        Status::Unsupported => return Ok(None),
        Status::Added | Status::Removed | Status::Absent => {
            (Health::Note, "found, without the server".to_owned(), add)
        }
    };
    Ok(Some(finding(client.title, health, found, mend)))
}

fn text(all: &[Finding]) -> String {
    let width = all
        .iter()
        .map(|finding| finding.what.chars().count())
        .max()
        .unwrap_or(0);
    let lines = all.iter().map(|finding| {
        let mark = match finding.health {
            Health::Ok => "ok    ",
            Health::Note => "note  ",
            Health::Broken => "BROKEN",
        };
        let mend = if finding.mend.is_empty() {
            String::new()
        } else {
            format!("\n{:width$}          -> {}", "", finding.mend)
        };
        format!("{mark}  {:width$}  {}{mend}", finding.what, finding.found)
    });
    lines.collect::<Vec<_>>().join("\n")
}
