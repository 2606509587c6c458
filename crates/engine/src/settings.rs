//! What the caller decides before a project is opened. The binary fills it from flags and environment.

use crate::Providers;
use crate::config::Override;
use std::path::PathBuf;
use std::sync::Arc;

/// Where the project and its state lie, and what an index may use.
#[derive(Debug, Clone)]
pub struct Settings {
    /// A folder inside the project.
    pub start: PathBuf,
    /// Whether the user named that folder. One where a program merely stands is a project only if something there says so.
    pub is_named: bool,
    /// Folders that are no project of anybody, unless they are named: the user's home, and those for temporary files.
    pub shared_folders: Vec<PathBuf>,
    /// Another place for `.devbooks/`.
    pub state_dir: Option<PathBuf>,
    /// Another place for the graph's database.
    pub db_path: Option<PathBuf>,
    /// A SCIP index to read; by default `index.scip` in the project's root.
    pub scip_path: Option<PathBuf>,
    /// Larger files are passed over and counted. Bytes; none for what the index was last built with.
    pub max_file_size: Option<u64>,
    /// Threads for reading and parsing; 0 for one per core.
    pub threads: usize,
    /// The ceiling on memory where nobody chose one. Bytes; none for no end.
    pub memory_limit: Option<u64>,
    /// Whether many questions will come: keep the graph in memory and watch the files.
    pub long_running: bool,
    /// Whether answers tell that a watch vouches for their freshness. Off where they stand for those of a process that
    /// walks the tree, and are to be the same.
    pub says_watched: bool,
    /// Another place for the facts cache.
    pub facts_dir: Option<PathBuf>,
    /// The user's folder for what worktrees and clones of one repository share.
    pub shared_dir: Option<PathBuf>,
    /// The user's folder for state of projects that is not kept in them: those of others, and those that cannot be written.
    pub homeless_dir: Option<PathBuf>,
    /// The number of the user that `root` acts for, by `sudo`.
    pub caller: Option<u32>,
    /// What is to be said once a project is opened.
    pub notes: Vec<String>,
    /// Another place for `config/features.yaml`.
    pub features_path: Option<PathBuf>,
    /// Another place for `intent-history.json`.
    pub intent_path: Option<PathBuf>,
    /// The file that lists the repositories of a federation, where the user named one.
    pub federation_path: Option<PathBuf>,
    /// Another place for `federation-index.json`.
    pub federation_index_path: Option<PathBuf>,
    /// Another place for `cache/`; projects do not meet in it.
    pub cache_dir: Option<PathBuf>,
    /// The user's own configuration file.
    pub user_config: Option<PathBuf>,
    /// Values from flags and the environment, strongest first.
    pub overrides: Vec<Override>,
    /// What other programs may know of the user's environment; empty for none, and then none is found.
    pub environment: guard::program::Environment,
    /// Who makes models outside this process; none for none.
    pub providers: Option<Arc<dyn Providers>>,
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
        }
    }
}
