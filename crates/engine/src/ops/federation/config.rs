//! `config/federation.yaml`: the repositories that belong together.
//!
//! A configuration file in the project may name only folders of the project. Folders elsewhere are read only if the user's
//! own configuration allows them (`federation.allow`), or if the file itself lies outside the project: then the user wrote
//! it for several projects.

use super::repositories::local_name;
use crate::EngineError;
use crate::ops::arch_check::rules::blank_secrets;
use crate::workspace::Workspace;
use analysis::LONGEST_PATTERN;
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
    let Some(Value::List(listed)) = listed else {
        config
            .warnings
            .push(format!("{file}: has no list `repositories`"));
        return config;
    };
    config.is_partial = listed.len() > MOST_REPOSITORIES;
    // This project's own name is taken.
    let mut names = BTreeSet::from([local_name(workspace)]);
    let mut places = BTreeSet::new();
    for (line, one) in listed {
        if config.repositories.len() >= MOST_REPOSITORIES {
            config.warnings.push(format!(
                "{file}:{line}: the rest is left out: more than {MOST_REPOSITORIES} repositories"
            ));
            break;
        }
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
            config
                .warnings
                .push(format!("{file}:{line}: a repository {what}"));
            continue;
        };
        let last = Path::new(path)
            .file_name()
            .map(|n| n.to_string_lossy().into_owned());
        let name = one.get("name").and_then(Value::text).map(str::to_owned);
        let name = name.or(last).unwrap_or_else(|| path.to_owned());
        if !names.insert(name.clone()) {
            config.warnings.push(format!(
                "{file}:{line}: {name} is there twice; the first counts"
            ));
            continue;
        }
        let place = locate(workspace, base, path, is_users);
        let folder = match &place {
            Location::Inside(folder) => Some(workspace.root().join(folder)),
            Location::Outside(folder) => Some(folder.clone()),
            Location::Unread { .. } => None,
        };
        if folder.is_some_and(|folder| !places.insert(folder)) {
            config.warnings.push(format!(
                "{file}:{line}: {name} is skipped: its folder is there under another name"
            ));
            continue;
        }
        if let Location::Unread { status, reason } = &place {
            config.warnings.push(format!(
                "{file}:{line}: {name} is skipped: {status}: {reason}"
            ));
        }
        config.repositories.push(Repository {
            name,
            place,
            patterns: patterns(one),
        });
    }
    config
}

fn patterns(value: &Value) -> Vec<String> {
    let keys = ["contracts", "contract_patterns", "patterns"];
    let list = keys.iter().find_map(|key| value.get(key));
    match list {
        Some(Value::List(items)) => {
            let texts = items.iter().filter_map(|(_, item)| item.text());
            let texts = texts.filter(|text| text.len() <= LONGEST_PATTERN);
            texts.take(100).map(str::to_owned).collect()
        }
        _ => Vec::new(),
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
