//! `config/federation.yaml`: the repositories that belong together.
//!
//! A configuration file in the project may name only folders of the project. Folders elsewhere are read only if the user's
//! own configuration allows them (`federation.allow`), or if the file itself lies outside the project: then the user wrote
//! it for several projects.

use super::discover;
use super::repositories::local_name;
use crate::EngineError;
use crate::ops::arch_check::rules::blank_secrets;
use crate::workspace::Workspace;
use platform::RealPath;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use text::yaml::{self, ErrorKind, Value};

/// The most bytes of the file: a larger one lists more than anybody has.
const LARGEST: u64 = 1 << 20;
/// The most repositories in one file.
const MOST_REPOSITORIES: usize = 500;

const LIMITS: yaml::Options = yaml::Options {
    events: 50_000,
    depth: 16,
    odd_key: Some(""),
    refuse_aliases: true,
};

/// A repository of the configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Repository {
    /// Its name.
    pub name: String,
    /// Its location.
    pub place: Location,
    /// Patterns of its contracts; none for all.
    pub patterns: Vec<String>,
}

/// The location of a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Location {
    /// A folder of this project.
    Inside(String),
    /// A folder elsewhere, which may be read.
    Outside(PathBuf),
    /// A repository that is not read, with the reason.
    Unread {
        /// `missing` or `refused`.
        status: &'static str,
        /// The reason.
        reason: String,
    },
}

/// The content of the configuration.
#[derive(Debug, Default)]
pub(super) struct FederationConfig {
    /// The path of the file as shown to people, if there is a file.
    pub file: Option<String>,
    /// The repositories, in the file's order.
    pub repositories: Vec<Repository>,
    /// Problems with entries that cannot be used.
    pub warnings: Vec<String>,
    /// Whether the file could not be read, or not all of it.
    pub is_partial: bool,
}

/// The files that are looked for in a project.
const USUAL: [&str; 2] = ["config/federation.yaml", ".devbooks/federation.yaml"];

impl FederationConfig {
    /// Reads the file that was named, else the user's, else the project's. Without one there are no other repositories.
    pub(super) fn read(
        workspace: &Workspace,
        named: Option<&Path>,
    ) -> Result<FederationConfig, EngineError> {
        let project = workspace.project();
        let given = named.or(workspace.settings().federation_path.as_deref());
        if let Some(path) = given {
            let path = project.start.join(path);
            let real = path.real_path().map_err(|e| {
                EngineError::bad_arguments(format!("no such file: {}: {e}", path.display()))
            })?;
            let text = guard::file::read_user_text(&real, LARGEST).map_err(|e| {
                EngineError::bad_arguments(format!("{}: {}", path.display(), e.reason()))
            })?;
            // A link in the project that leads out of it does not make the file the user's.
            let is_inside = |path: &Path| path.starts_with(&project.root);
            let is_users = !is_inside(&real) && !is_inside(&normalized(&path));
            let base = match (is_users, real.parent()) {
                (true, Some(folder)) => folder.to_path_buf(),
                _ => project.root.clone(),
            };
            let shown = path.display().to_string();
            return Ok(parse(workspace, &shown, &text, (&base, is_users)));
        }
        for path in USUAL {
            match project.read_text(path, LARGEST) {
                Ok(text) => {
                    let base = project.root.clone();
                    return Ok(parse(workspace, path, &text, (&base, false)));
                }
                Err(error) if error.is_missing() => {}
                Err(error) => {
                    return Ok(FederationConfig {
                        file: Some(path.to_owned()),
                        repositories: Vec::new(),
                        warnings: vec![format!("{path}: {}; it is not used", error.reason())],
                        is_partial: true,
                    });
                }
            }
        }
        Ok(FederationConfig::default())
    }
}

fn parse(
    workspace: &Workspace,
    file: &str,
    text: &str,
    (base, is_users): (&Path, bool),
) -> FederationConfig {
    let mut config = FederationConfig {
        file: Some(file.to_owned()),
        ..FederationConfig::default()
    };
    // Names and paths are shown and stored, so secrets in them are masked.
    let text = &blank_secrets(text);
    config.is_partial = true;
    let root = match yaml::read(text, LIMITS) {
        Ok(Some((_, root))) => root,
        Ok(None) => {
            config.is_partial = false;
            return config;
        }
        Err(error) => {
            let reason = match error.kind {
                ErrorKind::Syntax(reason) => reason,
                ErrorKind::Limits => "too long, or nested too deeply".to_owned(),
                ErrorKind::Key => "a key is no text".to_owned(),
                ErrorKind::Alias => "references are not followed".to_owned(),
            };
            let line = error.line;
            config
                .warnings
                .push(format!("{file}:{line}: {reason}; it is not used"));
            return config;
        }
    };
    // The predecessor's file has everything below one key.
    let root = root.get("federation").unwrap_or(&root);
    let listed = root.get("repositories").or_else(|| root.get("repos"));
    let found = discover::discovered(root);
    let none = Vec::new();
    let listed = match listed {
        Some(Value::List(listed)) => listed,
        _ if found.is_some() => &none,
        _ => {
            config
                .warnings
                .push(format!("{file}: invalid: it has no list `repositories`"));
            return config;
        }
    };
    config.is_partial = listed.len() > MOST_REPOSITORIES;
    // This project's own name is taken.
    let names = BTreeSet::from([local_name(workspace)]);
    let mut listing = Listing {
        workspace,
        file,
        base,
        is_users,
        config,
        names,
        places: BTreeSet::new(),
    };
    for (line, one) in listed {
        if !listing.has_room(*line) {
            break;
        }
        listing.add_listed(*line, one);
    }
    if let Some(found) = found {
        listing.add_discovered(&found);
    }
    listing.config
}

/// The repositories of a file, while it is read.
struct Listing<'w> {
    workspace: &'w Workspace,
    /// The file, as shown to people.
    file: &'w str,
    /// The folder that relative paths begin at.
    base: &'w Path,
    /// Whether the file is the user's own, and may name any folder.
    is_users: bool,
    config: FederationConfig,
    names: BTreeSet<String>,
    places: BTreeSet<PathBuf>,
}

impl Listing<'_> {
    /// Whether another repository may be listed. If not, a warning says so.
    fn has_room(&mut self, line: usize) -> bool {
        let has_room = self.config.repositories.len() < MOST_REPOSITORIES;
        if !has_room {
            self.warn(
                line,
                &format!("the rest is left out: more than {MOST_REPOSITORIES} repositories"),
            );
        }
        has_room
    }

    fn warn(&mut self, line: usize, what: &str) {
        self.config
            .warnings
            .push(format!("{}:{line}: {what}", self.file));
    }

    fn add_listed(&mut self, line: usize, one: &Value) {
        let path = match one {
            Value::Text(path) => Some(path.as_str()),
            one => one.get("path").and_then(Value::text),
        };
        let Some(path) = path else {
            let what = if one.get("url").or(one.get("git")).is_some() {
                "only folders of this machine are read; give `path`"
            } else {
                "has no `path`"
            };
            self.warn(line, &format!("a repository {what}"));
            return;
        };
        let last = Path::new(path)
            .file_name()
            .map(|n| n.to_string_lossy().into_owned());
        let name = one.get("name").and_then(Value::text).map(str::to_owned);
        let name = name.or(last).unwrap_or_else(|| path.to_owned());
        if !self.names.insert(name.clone()) {
            self.warn(line, &format!("{name} is there twice; the first counts"));
            return;
        }
        let place = locate(self.workspace, self.base, path, self.is_users);
        let folder = match &place {
            Location::Inside(folder) => Some(self.workspace.root().join(folder)),
            Location::Outside(folder) => Some(folder.clone()),
            Location::Unread { .. } => None,
        };
        if folder.is_some_and(|folder| !self.places.insert(folder)) {
            let what = "is skipped: its folder is there under another name";
            self.warn(line, &format!("{name} {what}"));
            return;
        }
        if let Location::Unread { status, reason } = &place {
            self.warn(line, &format!("{name} is skipped: {status}: {reason}"));
        }
        self.config.repositories.push(Repository {
            name,
            place,
            patterns: discover::patterns(one),
        });
    }

    fn may_search(&self, folder: &Path) -> bool {
        self.is_users
            || folder.starts_with(self.workspace.root())
            || is_allowed(self.workspace, folder)
    }

    /// Adds the repositories in the folders that are searched, but for those that are listed, and this project.
    fn add_discovered(&mut self, found: &discover::Discovery) {
        for (line, path) in &found.paths {
            let pattern = normalized(&self.base.join(path));
            let fixed = discover::fixed_part(&pattern);
            // A link in the project may lead out of it. The path decides first, before the disk is read.
            if !self.may_search(&fixed) || !self.may_search(&resolved(&fixed)) {
                self.warn(
                    *line,
                    &format!("{path} is not searched: it lies outside the project"),
                );
                continue;
            }
            for folder in discover::folders(&pattern) {
                let is_project = crate::project::is_project_folder(&folder);
                let shown = folder.display().to_string();
                let place = locate(self.workspace, self.base, &shown, self.is_users);
                let real = match &place {
                    Location::Inside(inside) if !inside.is_empty() => {
                        self.workspace.root().join(inside)
                    }
                    Location::Outside(real) => real.clone(),
                    _ => continue,
                };
                let name = real
                    .file_name()
                    .map(|name| name.to_string_lossy().into_owned());
                let (true, Some(name)) = (is_project, name) else {
                    continue;
                };
                if self.names.contains(&name) || self.places.contains(&real) {
                    continue;
                }
                if !self.has_room(*line) {
                    return;
                }
                self.names.insert(name.clone());
                self.places.insert(real);
                self.config.repositories.push(Repository {
                    name,
                    place,
                    patterns: found.patterns.clone(),
                });
            }
        }
    }
}

/// The place that a path leads to, and whether it may be read.
fn locate(workspace: &Workspace, base: &Path, path: &str, is_users: bool) -> Location {
    let project = workspace.project();
    let named = base.join(path);
    // The path decides whether the place lies outside, before the disk is read: a project must not learn this way which
    // files exist elsewhere.
    let lies_inside = normalized(&named).starts_with(&project.root);
    let allowed = |real: &Path| is_users || is_allowed(workspace, real);
    let refused = || Location::Unread {
        status: "refused",
        reason: format!(
            "{path} lies outside the project, and the project's own file may not name it; \
             allow its folder with federation.allow in your own configuration"
        ),
    };
    if !lies_inside && !allowed(&normalized(&named)) {
        return refused();
    }
    let Ok(real) = named.real_path() else {
        return Location::Unread {
            status: "missing",
            reason: format!("{path} not found"),
        };
    };
    if let Ok(inside) = real.strip_prefix(&project.root) {
        if !real.is_dir() {
            return Location::Unread {
                status: "missing",
                reason: format!("{path} is no folder"),
            };
        }
        return Location::Inside(inside.to_string_lossy().replace('\\', "/"));
    }
    if !allowed(&real) {
        return refused();
    }
    if real.is_dir() {
        Location::Outside(real)
    } else {
        Location::Unread {
            status: "missing",
            reason: format!("{path} is no folder"),
        }
    }
}

/// The place that a path leads to; the path itself where there is none.
fn resolved(path: &Path) -> PathBuf {
    path.real_path().unwrap_or_else(|_| path.to_path_buf())
}

/// A path without `.` and `..`.
fn normalized(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::CurDir => {}
            std::path::Component::ParentDir => {
                out.pop();
            }
            part => out.push(part),
        }
    }
    out
}

/// Whether the user's own configuration allows a folder.
fn is_allowed(workspace: &Workspace, real: &Path) -> bool {
    let listed = workspace
        .config()
        .text("federation.allow")
        .unwrap_or_default();
    let folders = listed.split([',', ';']).map(str::trim);
    let mut folders = folders.filter(|folder| !folder.is_empty());
    folders.any(|folder| {
        let folder = Path::new(folder);
        let canonical = folder.real_path();
        folder.is_absolute()
            && (real.starts_with(folder) || canonical.is_ok_and(|folder| real.starts_with(folder)))
    })
}
