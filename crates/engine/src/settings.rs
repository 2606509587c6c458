//! Settings of the caller before a project is opened. The binary fills them from flags and environment.

use crate::config::Override;
use crate::{Providers, SharedRepository};
use std::path::PathBuf;
use std::sync::Arc;

/// The places of the project and its state, and the resources that an index may use.
#[derive(Debug, Clone)]
pub struct Settings {
    /// A folder inside the project.
    pub start: PathBuf,
    /// Whether the user named that folder. A folder that was not named is a project only if something in it says so.
    pub is_named: bool,
    /// Folders that are no project unless they are named: the user's home, and those for temporary files.
    pub shared_folders: Vec<PathBuf>,
    /// Another folder instead of `.devbooks/`.
    pub state_dir: Option<PathBuf>,
    /// Another path for the graph's database.
    pub db_path: Option<PathBuf>,
    /// A SCIP index to read; by default `index.scip` in the project's root.
    pub scip_path: Option<PathBuf>,
    /// The most bytes of a file; larger ones are skipped and counted. None for the limit of the last build.
    pub max_file_size: Option<u64>,
    /// The number of threads for reading and parsing; 0 for one per core.
    pub threads: usize,
    /// The ceiling on memory in bytes, where none was chosen; none for no limit.
    pub memory_limit: Option<u64>,
    /// Whether many questions will come. Then the graph is kept in memory and the files are watched.
    pub long_running: bool,
    /// Whether answers say that a watcher vouches for their freshness. Off where they must equal those of a process that walks
    /// the tree.
    pub says_watched: bool,
    /// Another folder for the facts cache.
    pub facts_dir: Option<PathBuf>,
    /// The user's folder for data shared by worktrees and clones of one repository.
    pub shared_dir: Option<PathBuf>,
    /// The user's folder for the state of projects that cannot hold it themselves: those of other users, and those that cannot
    /// be written to.
    pub homeless_dir: Option<PathBuf>,
    /// The id of the user for whom `root` acts, by `sudo`.
    pub caller: Option<u32>,
    /// Notes to give once a project is opened.
    pub notes: Vec<String>,
    /// Another path for `config/features.yaml`.
    pub features_path: Option<PathBuf>,
    /// Another path for `intent-history.json`.
    pub intent_path: Option<PathBuf>,
    /// The file that lists the repositories of a federation, where the user named one.
    pub federation_path: Option<PathBuf>,
    /// Another path for `federation-index.json`.
    pub federation_index_path: Option<PathBuf>,
    /// Another folder for `cache/`; each project has its own folder in it.
    pub cache_dir: Option<PathBuf>,
    /// The user's own configuration file.
    pub user_config: Option<PathBuf>,
    /// Values from flags and the environment, strongest first.
    pub overrides: Vec<Override>,
    /// The part of the user's environment that other programs may see. Where it is empty, no programs are found.
    pub environment: guard::program::Environment,
    /// Access to models outside this process, if there is any.
    pub providers: Option<Arc<dyn Providers>>,
    /// The shared store, where the user chose one.
    pub shared: Option<SharedRepository>,
}

impl Settings {
    /// Default settings for the project around a folder.
    pub fn with_start(start: impl Into<PathBuf>) -> Settings {
        Settings {
            start: start.into(),
            is_named: true,
            shared_folders: Vec::new(),
            state_dir: None,
            db_path: None,
            scip_path: None,
            max_file_size: None,
            threads: 0,
            memory_limit: None,
            long_running: false,
            says_watched: true,
            facts_dir: None,
            shared_dir: None,
            homeless_dir: None,
            caller: None,
            notes: Vec::new(),
            features_path: None,
            intent_path: None,
            federation_path: None,
            federation_index_path: None,
            cache_dir: None,
            user_config: None,
            overrides: Vec::new(),
            environment: guard::program::Environment::default(),
            providers: None,
            shared: None,
        }
    }
}
