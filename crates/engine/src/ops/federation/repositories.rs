//! Opening the repositories of a federation. A repository outside the project is indexed as a project of its own. Its state
//! is in this project's folder, so nothing is written into that repository.

use super::config::{FederationConfig, Location, Repository};
use super::contracts::{ContractBudget, KnownFiles, ReadContract, contract_files, read_contracts};
use super::state_folders;
use super::stored_index::{FederationIndex, OtherFile};
use super::surface::read_surface;
use crate::inputs::Inputs;
use crate::session::Session;
use crate::workspace::Workspace;
use crate::{EngineError, Settings};
use analysis::{Glob, GlobBudget};
use contract::link::RepoSurface;
use contract::{Contract, Fuel};
use rustc_hash::FxHashMap;
use std::path::Path;
use std::sync::Arc;

/// A repository with its contracts.
pub(super) struct Opened {
    /// Its name.
    pub name: String,
    /// Its contracts.
    pub contracts: Vec<ReadContract>,
    /// Files with a contract's name that are no contracts.
    pub others: Vec<OtherFile>,
    /// The root of its project.
    pub root: String,
    /// The project that it belongs to; none for this project and its folders.
    workspace: Option<Workspace>,
    /// The folder of that project that it is; empty for the whole project.
    folder: String,
}

/// Folders of this project that are repositories of their own.
#[derive(Default)]
pub(super) struct Folders(FxHashMap<String, usize>);

impl Folders {
    /// The number of the repository that a file belongs to: that of the deepest folder around it, 0 for the project's own.
    pub(super) fn owner(&self, path: &str) -> usize {
        let mut around = path;
        while !self.0.is_empty() {
            around = around.rfind('/').map_or("", |end| &around[..end]);
            if let Some(number) = self.0.get(around) {
                return *number;
            }
            if around.is_empty() {
                break;
            }
        }
        0
    }
}

impl Opened {
    /// This project, and those of its folders that are repositories of their own.
    pub(super) fn this(
        session: &Session<'_>,
        config: &FederationConfig,
        (known, budget): (Option<&FederationIndex>, &ContractBudget),
    ) -> Result<Vec<Opened>, EngineError> {
        let workspace = session.workspace();
        let root = workspace.root().display().to_string();
        let files = contract_files(session.project())?;
        let read = read_contracts(
            workspace,
            &files,
            &KnownFiles::of_index(known, &root),
            budget,
        )?;
        let part = |name: String, folder: String| Opened {
            name,
            contracts: Vec::new(),
            others: Vec::new(),
            root: root.clone(),
            workspace: None,
            folder,
        };
        let mut opened = vec![part(local_name(workspace), String::new())];
        let mut inside = vec![None];
        for repository in &config.repositories {
            if let Location::Inside(folder) = &repository.place {
                opened.push(part(repository.name.clone(), folder.clone()));
                inside.push(Some(repository));
            }
        }
        opened[0].others = read.others;
        let folders = Opened::folders(&opened);
        let mut budget = GlobBudget::for_paths(read.contracts.len());
        for contract in read.contracts {
            let owner = folders.owner(&contract.contract.path);
            opened[owner].contracts.push(contract);
        }
        for (one, repository) in opened.iter_mut().zip(inside) {
            if let Some(repository) = repository {
                let contracts = std::mem::take(&mut one.contracts);
                one.contracts = chosen_contracts(contracts, repository, &one.folder, &mut budget);
            }
        }
        Ok(opened)
    }

    /// A repository outside the project. It is indexed if `with_code`.
    pub(super) fn elsewhere(
        workspace: &Workspace,
        (repository, path): (&Repository, &Path),
        (known, budget): (Option<&FederationIndex>, &ContractBudget),
        with_code: bool,
    ) -> Result<Opened, EngineError> {
        let other = open(workspace, &repository.name, path)?;
        if with_code {
            other.ask(|_| Ok(()))?;
        }
        let folder = path.strip_prefix(other.root()).map(|rest| {
            platform::file::to_slashes(rest)
                .to_string_lossy()
                .into_owned()
        });
        let folder = folder.unwrap_or_default();
        let root = other.root().display().to_string();
        let mut files = contract_files(other.project())?;
        files.retain(|file| is_below(&file.path, &folder));
        let read = read_contracts(&other, &files, &KnownFiles::of_index(known, &root), budget)?;
        let mut budget = GlobBudget::for_paths(read.contracts.len());
        Ok(Opened {
            name: repository.name.clone(),
            contracts: chosen_contracts(read.contracts, repository, &folder, &mut budget),
            others: read.others,
            root,
            workspace: Some(other),
            folder,
        })
    }

    /// Whether it is this project, or a folder of it.
    pub(super) fn is_here(&self) -> bool {
        self.workspace.is_none()
    }

    /// The folders among repositories, of which the first is this project.
    pub(super) fn folders(opened: &[Opened]) -> Folders {
        let inside = opened.iter().enumerate().skip(1);
        let inside = inside.filter(|(_, one)| one.is_here());
        Folders(
            inside
                .map(|(number, one)| (one.folder.clone(), number))
                .collect(),
        )
    }

    /// The surface of a repository outside the project; none for this project and its folders.
    pub(super) fn surface(
        &self,
        others: &[&Contract],
        fuel: &Fuel,
    ) -> Result<Option<RepoSurface>, EngineError> {
        let Some(other) = &self.workspace else {
            return Ok(None);
        };
        let (mut surface, _) = other.ask(|session| {
            let contracts = self
                .contracts
                .iter()
                .map(|one| Contract::clone(&one.contract));
            read_surface(session, &self.name, (contracts.collect(), others), fuel)
        })?;
        let own = |path: &str| is_below(path, &self.folder);
        surface.endpoints.retain(|e| own(&e.file_path));
        surface.imports.retain(|i| own(&i.place.file_path));
        surface.contracts.retain(|c| own(&c.path));
        surface
            .named
            .retain(|p| p.file_path.is_empty() || own(&p.file_path));
        Ok(Some(surface))
    }
}

/// The name of this project: the name of its folder.
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

/// The contracts that the patterns of a repository choose, in the order of the patterns; all of them if matching would take too
/// long.
fn chosen_contracts(
    contracts: Vec<ReadContract>,
    repository: &Repository,
    folder: &str,
    budget: &mut GlobBudget,
) -> Vec<ReadContract> {
    if repository.patterns.is_empty() {
        return contracts;
    }
    let patterns: Vec<Glob> = repository.patterns.iter().map(|p| Glob::new(p)).collect();
    // Each pattern is tried with and without the folder.
    if !budget.try_spend(&patterns, 2 * contracts.len()) {
        return contracts;
    }
    let pattern_of = |path: &str| {
        let inner = path
            .strip_prefix(folder)
            .unwrap_or(path)
            .trim_start_matches('/');
        patterns
            .iter()
            .position(|p| p.matches(inner) || p.matches(path))
    };
    let chosen = contracts.into_iter();
    let chosen = chosen.filter_map(|one| Some((pattern_of(&one.contract.path)?, one)));
    let mut chosen: Vec<(usize, ReadContract)> = chosen.collect();
    chosen.sort_by_key(|(pattern, _)| *pattern);
    chosen.into_iter().map(|(_, one)| one).collect()
}

/// Opens a project outside this one.
fn open(workspace: &Workspace, name: &str, path: &Path) -> Result<Workspace, EngineError> {
    let state = state_folders::folder_of(workspace.project(), name, path);
    // Nobody named these folders, so a link there may have come with the repository.
    for folder in [state.parent(), Some(&*state)].into_iter().flatten() {
        if let Ok(found) = folder.symlink_metadata()
            && !found.is_dir()
        {
            let message = format!("{} is no folder", folder.display());
            return Err(EngineError::runtime_failure(message));
        }
    }
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
