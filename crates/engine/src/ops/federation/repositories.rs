//! Opening the repositories of a federation. What lies elsewhere is indexed as a project of its own, with its state in this
//! project's folder, so that nothing is written there.

use super::config::{FederationConfig, Location, Repository};
use super::surface::{contract_files, read_contracts, read_surface};
use crate::inputs::Inputs;
use crate::session::Session;
use crate::workspace::Workspace;
use crate::{EngineError, Settings};
use analysis::Glob;
use contract::Contract;
use contract::link::RepoSurface;
use std::path::Path;
use std::sync::Arc;

/// A repository with its contracts.
pub(super) struct Opened {
    /// Its name.
    pub name: String,
    /// Its contracts with their hashes.
    pub contracts: Vec<(Contract, String)>,
    /// The project that it is; none for a folder of this one.
    workspace: Option<Workspace>,
    /// The folder of its project that it is; empty for all of it.
    folder: String,
}

impl Opened {
    /// This project, without the folders that are repositories of their own.
    pub(super) fn this(
        session: &Session<'_>,
        config: &FederationConfig,
    ) -> Result<Vec<Opened>, EngineError> {
        let files = contract_files(session.project())?;
        let mut rest = read_contracts(session, &files)?;
        let mut opened = Vec::new();
        for repository in &config.repositories {
            let Location::Inside(folder) = &repository.place else {
                continue;
            };
            let own = |contract: &Contract| is_below(&contract.path, folder);
            let (mine, others) = rest.into_iter().partition(|(c, _)| own(c));
            rest = others;
            opened.push(Opened {
                name: repository.name.clone(),
                contracts: chosen(mine, repository, folder),
                workspace: None,
                folder: folder.clone(),
            });
        }
        opened.insert(
            0,
            Opened {
                name: local_name(session.workspace()),
                contracts: rest,
                workspace: None,
                folder: String::new(),
            },
        );
        Ok(opened)
    }

    /// A repository that lies elsewhere.
    pub(super) fn elsewhere(
        workspace: &Workspace,
        repository: &Repository,
        path: &Path,
    ) -> Result<Opened, EngineError> {
        let other = open(workspace, &repository.name, path)?;
        let folder = path
            .strip_prefix(other.root())
            .map(|rest| rest.to_string_lossy());
        let folder = folder.map(|f| f.into_owned()).unwrap_or_default();
        let (contracts, _) = other.ask(|session| {
            let files = contract_files(session.project())?;
            read_contracts(session, &files)
        })?;
        let own = contracts
            .into_iter()
            .filter(|(c, _)| is_below(&c.path, &folder));
        Ok(Opened {
            name: repository.name.clone(),
            contracts: chosen(own.collect(), repository, &folder),
            workspace: Some(other),
            folder,
        })
    }

    /// The folder of this project that it is; none for the project itself, and for what lies elsewhere.
    pub(super) fn inner_folder(&self) -> Option<String> {
        let is_inner = self.workspace.is_none() && !self.folder.is_empty();
        is_inner.then(|| self.folder.clone())
    }

    /// What it provides and uses.
    pub(super) fn surface(
        &self,
        here: &Session<'_>,
        inside: &[String],
        others: &[&Contract],
    ) -> Result<RepoSurface, EngineError> {
        let contracts = self.contracts.iter().map(|(c, _)| c.clone()).collect();
        let mut surface = match &self.workspace {
            Some(other) => {
                let read = other.ask(|session| {
                    let contracts: Vec<Contract> = Vec::clone(&contracts);
                    read_surface(session, &self.name, contracts, others)
                });
                read?.0
            }
            None => read_surface(here, &self.name, contracts, others)?,
        };
        let own = |path: &str| {
            is_below(path, &self.folder)
                && (!self.folder.is_empty() || !inside.iter().any(|f| is_below(path, f)))
        };
        let only_part = !self.folder.is_empty() || self.workspace.is_none();
        if only_part {
            surface.endpoints.retain(|e| own(&e.file_path));
            surface.imports.retain(|i| own(&i.place.file_path));
            surface.contracts.retain(|c| own(&c.path));
            surface
                .named
                .retain(|p| p.file_path.is_empty() || own(&p.file_path));
        }
        if self.workspace.is_none() && !self.folder.is_empty() {
            surface.named.clear();
        }
        Ok(surface)
    }
}

/// The name of this project: that of its folder.
pub(crate) fn local_name(workspace: &Workspace) -> String {
    let name = workspace.root().file_name();
    name.map_or("local".to_owned(), |name| {
        name.to_string_lossy().into_owned()
    })
}

fn is_below(path: &str, folder: &str) -> bool {
    folder.is_empty()
        || path
            .strip_prefix(folder)
            .is_some_and(|rest| rest.starts_with('/'))
}

/// The contracts that the patterns of a repository choose.
fn chosen(
    contracts: Vec<(Contract, String)>,
    repository: &Repository,
    folder: &str,
) -> Vec<(Contract, String)> {
    if repository.patterns.is_empty() {
        return contracts;
    }
    let patterns: Vec<Glob> = repository.patterns.iter().map(|p| Glob::new(p)).collect();
    let fits = |path: &str| {
        let inner = path
            .strip_prefix(folder)
            .unwrap_or(path)
            .trim_start_matches('/');
        patterns.iter().any(|p| p.matches(inner) || p.matches(path))
    };
    contracts
        .into_iter()
        .filter(|(c, _)| fits(&c.path))
        .collect()
}

/// Opens a project that lies elsewhere.
fn open(workspace: &Workspace, name: &str, path: &Path) -> Result<Workspace, EngineError> {
    let safe: String = name
        .chars()
        .map(|c| {
            if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') {
                c
            } else {
                '_'
            }
        })
        .collect();
    let number = base::fingerprint(&[path.as_os_str().as_encoded_bytes()]);
    let folder = format!("{}-{number:016x}", safe.trim_start_matches('.'));
    let state = workspace
        .project()
        .state_dir
        .join("federation")
        .join(folder);
    let settings = Settings {
        start: path.to_path_buf(),
        is_named: true,
        state_dir: Some(state),
        db_path: None,
        scip_path: None,
        features_path: None,
        intent_path: None,
        cache_dir: None,
        facts_dir: None,
        federation_path: None,
        long_running: false,
        notes: Vec::new(),
        ..workspace.settings().clone()
    };
    let inputs = Inputs::find(settings)?;
    let progress = Arc::new(());
    Ok(Workspace::new(inputs, progress).with_cancel(workspace.cancel()))
}
