//! Adds settings to the files of agents, and removes them.

use crate::client::{Client, Format, Start};
use crate::edit::{Edit, State};
use crate::files::{self, SettingsFile};
use crate::hooks::{self, hook_command};
use crate::journal::{self, Journal, Record};
use crate::part::Part;
use crate::places::{At, FileLocation, Places};
use crate::server::Server;
use crate::{EditError, NAME, SetupError};
use std::path::PathBuf;

/// The scope of settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// In all projects of the user.
    User,
    /// In this project, for all who work on it.
    Project,
    /// In this project, for this user alone.
    Local,
}

/// A request to add or remove settings.
#[derive(Debug)]
pub struct Request<'r> {
    /// The folders of the user and the project.
    pub places: &'r Places,
    /// The agents.
    pub clients: Vec<&'static Client>,
    /// The scope of the settings.
    pub scope: Scope,
    /// The parts that are added or removed.
    pub parts: Vec<Part>,
    /// The path by which this user starts this program.
    pub program: String,
    /// Whether nothing is written, and the answer only tells what would happen.
    pub dry_run: bool,
    /// Whether only additions in the journal are removed. Others may have committed the same entry to their repository.
    pub only_recorded: bool,
}

/// The result for a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Something was added.
    Added,
    /// An entry of an earlier set-up was replaced.
    Updated,
    /// It existed already.
    Unchanged,
    /// The user has something else in its place, which stays.
    Kept,
    /// It was removed.
    Removed,
    /// There was nothing to remove.
    Absent,
    /// The agent has no such settings.
    Unsupported,
    /// The file was not changed, because of an error.
    Failed,
}

impl Status {
    /// The word that is shown.
    pub fn name(self) -> &'static str {
        match self {
            Status::Added => "added",
            Status::Updated => "updated",
            Status::Unchanged => "unchanged",
            Status::Kept => "kept",
            Status::Removed => "removed",
            Status::Absent => "absent",
            Status::Unsupported => "unsupported",
            Status::Failed => "failed",
        }
    }
}

/// The result for agents that share a file.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The agents.
    pub clients: Vec<&'static Client>,
    /// The requested part.
    pub part: Part,
    /// The file; none if the agent has none.
    pub path: Option<PathBuf>,
    /// The result.
    pub status: Status,
    /// The reason, in words; may be empty.
    pub note: String,
}

/// A change for some agents that share a file.
struct Job {
    clients: Vec<&'static Client>,
    part: Part,
    place: FileLocation,
    edit: Edit,
    /// The project's root; none for settings that apply to all projects.
    project: Option<PathBuf>,
    only_recorded: bool,
}

type StepResult = (Status, String);

/// Adds to each agent's files. If one file cannot be changed, the others still are.
///
/// # Errors
/// If the journal cannot be read.
pub fn add(request: &Request<'_>) -> Result<Vec<Outcome>, SetupError> {
    let mut journal = Journal::open(&request.places.data)?;
    let (jobs, mut outcomes) = plan_jobs(request, false);
    for job in jobs {
        let done = add_one(&job, &mut journal, request.dry_run);
        outcomes.push(outcome(job, done));
    }
    Ok(outcomes)
}

/// Removes the additions from each agent's files, in several scopes.
///
/// # Errors
/// If the journal cannot be read.
pub fn remove(requests: &[Request<'_>]) -> Result<Vec<Outcome>, SetupError> {
    let Some(first) = requests.first() else {
        return Ok(Vec::new());
    };
    let mut journal = Journal::open(&first.places.data)?;
    let all = requests
        .iter()
        .flat_map(|request| plan_jobs(request, true).0);
    let mut jobs: Vec<Job> = all.collect();
    // The latest addition is removed first, so that the recorded bytes fit the file.
    jobs.sort_by_key(|job| {
        let position = journal.position(&job.place.path, job.part, job.project.as_deref());
        std::cmp::Reverse(position.map_or(0, |position| position + 1))
    });
    let mut outcomes = Vec::new();
    for mut job in jobs {
        let record = journal.find(&job.place.path, job.part, job.project.as_deref());
        match record {
            None if job.only_recorded => continue,
            Some(record) => {
                let is_in = |client: &&&Client| record.clients.iter().any(|n| n == client.name);
                let known: Vec<&'static Client> =
                    job.clients.iter().filter(is_in).copied().collect();
                if !known.is_empty() {
                    job.clients = known;
                }
            }
            None => {}
        }
        let done = remove_one(&job, &mut journal, first.dry_run);
        outcomes.push(outcome(job, done));
    }
    outcomes.sort_by_key(|done| done.part);
    Ok(outcomes)
}

/// The settings that a person would write by hand for each agent, with the file.
pub fn print(request: &Request<'_>) -> Vec<(Outcome, String)> {
    let (jobs, _) = plan_jobs(request, false);
    let shown = jobs.into_iter().map(|job| {
        let text = job.edit.print();
        (outcome(job, Ok((Status::Absent, String::new()))), text)
    });
    shown.collect()
}

/// The projects for which something was added.
///
/// # Errors
/// If the journal cannot be read.
pub fn recorded_projects(places: &Places) -> Result<Vec<PathBuf>, SetupError> {
    let journal = Journal::open(&places.data)?;
    let mut all: Vec<PathBuf> = journal
        .records()
        .iter()
        .filter_map(|record| record.project.clone())
        .collect();
    all.sort();
    all.dedup();
    Ok(all)
}

fn outcome(job: Job, done: Result<StepResult, SetupError>) -> Outcome {
    let (status, note) = done.unwrap_or_else(|error| (Status::Failed, error.to_string()));
    Outcome {
        clients: job.clients,
        part: job.part,
        path: Some(job.place.path),
        status,
        note,
    }
}

/// The reason why a change is not possible for an agent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
enum PlanError {
    #[error("there is no project here")]
    NoProject,
    #[error("{client} has no {part} in this scope")]
    NoPart {
        client: &'static str,
        part: &'static str,
    },
    #[error(
        "{client} starts servers outside of projects: run this in a project, or name one with -C"
    )]
    StartsElsewhere { client: &'static str },
}

/// The possible changes, and results for those that are not possible. A removal need not know how to add.
fn plan_jobs(request: &Request<'_>, is_removal: bool) -> (Vec<Job>, Vec<Outcome>) {
    let mut jobs: Vec<Job> = Vec::new();
    let mut outcomes = Vec::new();
    for part in &request.parts {
        for client in &request.clients {
            match plan_job(request, client, *part, is_removal) {
                Ok(job) => match jobs
                    .iter_mut()
                    .find(|other| other.place == job.place && other.edit == job.edit)
                {
                    Some(other) => other.clients.push(client),
                    None => jobs.push(job),
                },
                Err(error) => outcomes.push(Outcome {
                    clients: vec![client],
                    part: *part,
                    path: None,
                    status: Status::Unsupported,
                    note: error.to_string(),
                }),
            }
        }
    }
    (jobs, outcomes)
}

fn plan_job(
    request: &Request<'_>,
    client: &'static Client,
    part: Part,
    is_removal: bool,
) -> Result<Job, PlanError> {
    let places = request.places;
    let scope = request.scope;
    if scope != Scope::User && places.project.is_none() {
        return Err(PlanError::NoProject);
    }
    let none = || PlanError::NoPart {
        client: client.title,
        part: part.name(),
    };
    let own = match scope {
        // Other people have the program at another path.
        Scope::Project => NAME,
        Scope::User | Scope::Local => request.program.as_str(),
    };
    let one = |at: Option<At>| at.and_then(|at| places.place(at)).ok_or_else(none);
    let index = usize::from(scope != Scope::User);
    let (place, edit) = match part {
        Part::Server => server_edit(request, client, own, is_removal)?,
        Part::Hook => {
            let (set, files) = client.hooks.ok_or_else(none)?;
            let file = match scope {
                Scope::User => files[0],
                Scope::Project => files[1],
                Scope::Local => files[2],
            };
            (
                one(file)?,
                Edit::Hooks {
                    set,
                    command: hook_command(own),
                },
            )
        }
        Part::Skill if scope == Scope::Local => return Err(none()),
        Part::Skill => {
            let mut place = one(client.skills[index])?;
            place.path = place.path.join(NAME).join("SKILL.md");
            (place, Edit::Whole(crate::SKILL))
        }
        Part::Instructions if scope == Scope::Local => return Err(none()),
        Part::Instructions => (
            one(client.instructions[index])?,
            Edit::Block(crate::INSTRUCTIONS),
        ),
    };
    let project = (scope != Scope::User)
        .then(|| places.project.clone())
        .flatten();
    Ok(Job {
        clients: vec![client],
        part,
        place,
        edit,
        project,
        only_recorded: request.only_recorded,
    })
}

fn server_edit(
    request: &Request<'_>,
    client: &'static Client,
    own: &str,
    is_removal: bool,
) -> Result<(FileLocation, Edit), PlanError> {
    let places = request.places;
    let target = match request.scope {
        Scope::User => client.user,
        Scope::Project => client.project,
        Scope::Local => client.local,
    };
    let target = target.ok_or(PlanError::NoPart {
        client: client.title,
        part: "servers",
    })?;
    let place = places.choose(target.files).ok_or(PlanError::NoProject)?;
    let root = places
        .project
        .as_ref()
        .map(|root| root.display().to_string());
    let mut args = vec!["mcp".to_owned()];
    match (client.start, request.scope) {
        (Start::Variable, _) => args.extend(["-C".to_owned(), "${workspaceFolder}".to_owned()]),
        (Start::Elsewhere, Scope::User) => {
            let root = root.clone().or_else(|| is_removal.then(String::new));
            let root = root.ok_or(PlanError::StartsElsewhere {
                client: client.title,
            })?;
            args.extend(["-C".to_owned(), root]);
        }
        _ => {}
    }
    let server = Server {
        command: own.to_owned(),
        args,
        has_more: false,
    };
    let edit = match target.format {
        Format::Toml => Edit::Toml(server),
        Format::Yaml => Edit::Yaml(server),
        Format::Json(path, entry) => {
            let path = path.iter().map(|key| (*key).to_owned()).collect();
            Edit::Json {
                path,
                entry,
                server,
            }
        }
        Format::JsonOfProject(entry) => {
            let path = vec![
                "projects".to_owned(),
                root.unwrap_or_default(),
                "mcpServers".to_owned(),
            ];
            Edit::Json {
                path,
                entry,
                server,
            }
        }
    };
    Ok((place, edit))
}

fn damaged_error(job: &Job) -> impl Fn(EditError) -> SetupError {
    let path = job.place.path.clone();
    move |reason| SetupError::Damaged {
        path: path.clone(),
        reason,
    }
}

fn client_names(clients: &[&'static Client]) -> Vec<String> {
    clients
        .iter()
        .map(|client| client.name.to_owned())
        .collect()
}

fn add_one(job: &Job, journal: &mut Journal, dry_run: bool) -> Result<StepResult, SetupError> {
    let damaged = damaged_error(job);
    let found = files::read(&job.place)?;
    let text = found.text.as_deref().unwrap_or_default();
    let record = journal
        .find(&job.place.path, job.part, job.project.as_deref())
        .cloned();
    let state = job.edit.state(text).map_err(&damaged)?;
    let base = match state {
        State::Absent => text.to_owned(),
        State::Same => {
            if let Some(record) = record.filter(|_| !dry_run) {
                remember_clients(record, job, journal)?;
            }
            return Ok((Status::Unchanged, String::new()));
        }
        State::Ours | State::Theirs => {
            let entry = job.edit.entry(text).map_err(&damaged)?;
            let is_unchanged = record.as_ref().is_some_and(|record| record.entry == entry);
            // Hooks of an earlier version are not in the journal.
            let is_old_hook = job.part == Part::Hook && record.is_none();
            if !is_unchanged && !is_old_hook {
                return Ok((Status::Kept, kept_note(job, record.is_some())));
            }
            match record.as_ref().and_then(|record| record.undo(text)) {
                Some(before) => before,
                None => job.edit.remove(text, true).map_err(&damaged)?,
            }
        }
    };
    let after = job.edit.add(&base).map_err(&damaged)?;
    let status = if state == State::Absent {
        Status::Added
    } else {
        Status::Updated
    };
    if !dry_run {
        write_recorded(job, journal, record, &found, [&base, &after])?;
    }
    Ok((status, String::new()))
}

fn kept_note(job: &Job, was_ours: bool) -> String {
    let what = match job.part {
        Part::Server => format!("a server named {NAME}"),
        Part::Hook => "a hook".to_owned(),
        Part::Skill => "a skill of this name".to_owned(),
        Part::Instructions => "a block of this name".to_owned(),
    };
    if was_ours {
        format!("{what} stays: it was changed after it had been added")
    } else {
        format!("{what} stays: it was not added by this command")
    }
}

fn remember_clients(
    mut record: Record,
    job: &Job,
    journal: &mut Journal,
) -> Result<(), SetupError> {
    let before = record.clients.len();
    add_names(&mut record.clients, job);
    if record.clients.len() == before {
        return Ok(());
    }
    journal.replace(record)
}

/// Adds the names of a job's agents that are missing.
fn add_names(all: &mut Vec<String>, job: &Job) {
    for name in client_names(&job.clients) {
        if !all.contains(&name) {
            all.push(name);
        }
    }
}

/// Writes the record, then the file, so that every addition has a record.
fn write_recorded(
    job: &Job,
    journal: &mut Journal,
    old: Option<Record>,
    found: &SettingsFile,
    [base, after]: [&str; 2],
) -> Result<(), SetupError> {
    let change = journal::difference(base, after);
    let folder = job.place.path.parent().unwrap_or(&job.place.path);
    let mut clients = old
        .as_ref()
        .map_or_else(Vec::new, |old| old.clients.clone());
    add_names(&mut clients, job);
    let record = Record {
        path: job.place.path.clone(),
        root: job.place.root.clone(),
        part: job.part,
        project: job.project.clone(),
        clients,
        created: found.text.is_none() || old.as_ref().is_some_and(|old| old.created),
        folders: old
            .as_ref()
            .map_or_else(|| files::missing_folders(folder), |old| old.folders.clone()),
        at: change.at,
        removed: change.removed.to_owned(),
        added: change.added.to_owned(),
        after: journal::checksum(after),
        entry: job.edit.entry(after).map_err(damaged_error(job))?,
        had_container: old
            .as_ref()
            .map_or_else(|| job.edit.has_container(base), |old| old.had_container),
    };
    journal.put(record)?;
    let written = files::write(&job.place, found, after);
    if written.is_err() {
        match old {
            Some(old) => journal.put(old)?,
            None => journal.forget(&job.place.path, job.part, job.project.as_deref())?,
        }
    }
    written?;
    if found.text.is_none() && job.project.is_none() {
        files::close_to_others(&job.place.path)?;
    }
    Ok(())
}

fn remove_one(job: &Job, journal: &mut Journal, dry_run: bool) -> Result<StepResult, SetupError> {
    let record = journal
        .find(&job.place.path, job.part, job.project.as_deref())
        .cloned();
    let done = |status| Ok((status, String::new()));
    if let Some(record) = &record {
        let asked = client_names(&job.clients);
        let others: Vec<String> = record
            .clients
            .iter()
            .filter(|name| !asked.contains(name))
            .cloned()
            .collect();
        if !others.is_empty() {
            let note = format!("used by {} as well", others.join(", "));
            if !dry_run && others.len() < record.clients.len() {
                journal.replace(Record {
                    clients: others,
                    ..record.clone()
                })?;
            }
            return Ok((Status::Kept, note));
        }
    }
    let found = files::read(&job.place)?;
    let forget = |journal: &mut Journal| {
        if dry_run {
            Ok(())
        } else {
            journal.forget(&job.place.path, job.part, job.project.as_deref())
        }
    };
    let Some(text) = found.text.as_deref() else {
        forget(journal)?;
        return done(Status::Absent);
    };
    let old = match (&record, job.part) {
        (None, Part::Hook) => read_old_backup(job)?,
        _ => None,
    };
    let Some((mut after, mut is_gone)) = without(job, record.as_ref(), text)? else {
        let is_absent = job.edit.state(text).map_err(damaged_error(job))? == State::Absent;
        forget(journal)?;
        return if is_absent {
            done(Status::Absent)
        } else {
            Ok((Status::Kept, kept_note(job, record.is_some())))
        };
    };
    if let Some(text) = old.as_ref().and_then(|(_, found)| found.text.clone()) {
        is_gone = false;
        if hooks::is_same_otherwise(&after, &text) {
            after = text;
        }
    }
    if !dry_run {
        if is_gone {
            let mut folders = record
                .as_ref()
                .map_or_else(Vec::new, |record| record.folders.clone());
            if let (Part::Skill, Some(own)) = (job.part, job.place.path.parent())
                && !folders.iter().any(|folder| folder == own)
            {
                folders.push(own.to_path_buf());
            }
            files::delete(&job.place, &found, &folders)?;
        } else {
            files::write(&job.place, &found, &after)?;
        }
        if let Some((place, found)) = &old {
            files::delete(place, found, &[])?;
        }
        forget(journal)?;
    }
    done(Status::Removed)
}

/// The copy of the settings that earlier versions left beside them.
fn read_old_backup(job: &Job) -> Result<Option<(FileLocation, SettingsFile)>, SetupError> {
    let path = job.place.path.with_extension("json.knotwork-backup");
    if !path.symlink_metadata().is_ok_and(|found| found.is_file()) {
        return Ok(None);
    }
    let place = FileLocation {
        root: job.place.root.clone(),
        path,
        largest: job.place.largest,
    };
    let found = files::read(&place)?;
    Ok(Some((place, found)))
}

/// The text without the addition, and whether the file is removed. None if nothing of ours is in it.
fn without(
    job: &Job,
    record: Option<&Record>,
    text: &str,
) -> Result<Option<(String, bool)>, SetupError> {
    if let Some(record) = record
        && let Some(before) = record.undo(text)
    {
        let is_gone = record.created && before.is_empty();
        return Ok(Some((before, is_gone)));
    }
    let damaged = damaged_error(job);
    let is_ours = match job.edit.state(text).map_err(&damaged)? {
        State::Absent => false,
        State::Same | State::Ours => true,
        // A file of our own that was changed since belongs to the user.
        State::Theirs => job.part != Part::Skill && record.is_some(),
    };
    if !is_ours {
        return Ok(None);
    }
    let keep = record.is_some_and(|record| record.had_container);
    let after = job.edit.remove(text, keep).map_err(&damaged)?;
    // Hooks of earlier versions, and entries that others committed, have no record here. A server without a record in the user's
    // own settings was written by the user, and the file stays.
    let may_go = match record {
        Some(record) => record.created,
        None => job.part != Part::Server || job.project.is_some(),
    };
    let is_gone = may_go && job.edit.is_blank(&after);
    Ok(Some((after, is_gone)))
}

#[cfg(test)]
pub(crate) mod tests;
