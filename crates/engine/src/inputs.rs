//! The inputs of an index: the project, its settings and what follows from them.

use crate::config::{Config, Source};
use crate::project::Project;
use crate::{EngineError, Settings};
use guard::seal;
use ingest::IndexOptions;
use platform::RealPath;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use store::{GraphStore, SqliteStore};

/// A project with the caller's settings.
#[derive(Debug, Clone)]
pub(crate) struct Inputs {
    pub settings: Settings,
    pub project: Project,
    pub config: Config,
    /// Sizes and times of the configuration's files before they were read.
    config_stamps: Vec<Option<(u64, SystemTime)>>,
}

/// The path, size in bytes and time of a SCIP index when it was looked at.
pub(crate) type ScipStamp = Option<(PathBuf, u64, Option<SystemTime>)>;

impl Inputs {
    /// Finds the project and reads its configuration.
    pub(crate) fn find(settings: Settings) -> Result<Inputs, EngineError> {
        let project = Project::find(&settings)?;
        let sources = config_sources(&settings, &project);
        let read = file_stamps(&sources);
        let config = Config::load(sources, &settings.overrides);
        Ok(Inputs {
            settings,
            project,
            config,
            config_stamps: read,
        })
    }

    /// Whether a configuration file was added, removed or written since.
    pub(crate) fn configuration_changed(&self) -> bool {
        file_stamps(&config_sources(&self.settings, &self.project)) != self.config_stamps
    }

    /// The options for indexing. A limit of file size once given holds until another is given, so that the next question does not
    /// build another graph.
    pub(crate) fn options(&self) -> IndexOptions {
        self.options_for_store(
            SqliteStore::open_read_only(&self.project.db_path)
                .ok()
                .as_ref(),
        )
    }

    /// The options for indexing, where the store is open already.
    pub(crate) fn options_for_store(&self, store: Option<&SqliteStore>) -> IndexOptions {
        let defaults = IndexOptions::new(&self.project.root, &self.project.state_dir);
        let before = || build_option(store?, "max_file_size");
        let limit = self.settings.max_file_size.or_else(before);
        IndexOptions {
            db_path: self.project.db_path.clone(),
            scip_path: self.scip_path(),
            max_file_size: limit.unwrap_or(defaults.max_file_size),
            threads: self.settings.threads,
            memory_limit: self.memory_ceiling_for_store(store),
            facts_dir: self
                .settings
                .facts_dir
                .as_deref()
                .map(guard::state::resolve_existing_part),
            shared_dir: self
                .settings
                .shared_dir
                .clone()
                .filter(|_| self.config.shares_facts_across_clones()),
            ..defaults
        }
    }

    /// The ceiling on memory: the configured one, else the one under which the present index left files out, else the default.
    /// Keeping the index's own ceiling means that the next question does not build another graph.
    fn memory_ceiling_for_store(&self, store: Option<&SqliteStore>) -> Option<u64> {
        let before = || Some(ingest::LeftOut::from_store(store?)?.ceiling);
        let usual = self.settings.memory_limit;
        self.config.memory_ceiling().or_else(before).or(usual)
    }

    /// The ceiling on memory for what is kept between questions.
    pub(crate) fn memory_ceiling(&self) -> Option<u64> {
        self.config.memory_ceiling().or(self.settings.memory_limit)
    }

    /// The SCIP index to read: the one that was named, else the newer of the project's own index and the one that `--precise`
    /// wrote.
    pub(crate) fn scip_path(&self) -> Option<PathBuf> {
        if !self.config.features().scip_parser {
            return None;
        }
        if let Some(path) = &self.settings.scip_path {
            return Some(std::path::absolute(path).unwrap_or_else(|_| path.clone()));
        }
        // An index in the repository must not be a link that leads out of it.
        let is_inside = |folder: &Path| {
            guard::Folder::open(folder).is_ok_and(|folder| folder.has_file("index.scip"))
        };
        [&self.project.state_dir, &self.project.root]
            .into_iter()
            .filter(|folder| is_inside(folder))
            .map(|folder| folder.join("index.scip"))
            .filter(|path| *path != self.precise_scip_path() || seal::has_valid_seal(path))
            .max_by_key(|path| modified_time(path))
    }

    /// The path where `--precise` writes an index. A file there without this user's seal is not read.
    pub(crate) fn precise_scip_path(&self) -> PathBuf {
        self.project.state_dir.join("index.scip")
    }

    /// The present stamp of the SCIP index.
    pub(crate) fn scip_stamp(&self) -> ScipStamp {
        let path = self.scip_path()?;
        let size = path.metadata().map_or(0, |m| m.len());
        let written = modified_time(&path);
        Some((path, size, written))
    }
}

/// The places of configuration files, strongest first.
fn config_sources(settings: &Settings, project: &Project) -> Vec<Source> {
    let of = |path: PathBuf| Source {
        path,
        within: Some(project.root.clone()),
        is_users: false,
        may_be_others: false,
        is_read: false,
    };
    let features = match &settings.features_path {
        // The environment is the user's. A file of the project stays the project's, whoever names it.
        Some(path) => Source {
            within: None,
            is_users: !is_within(path, &project.root),
            ..of(path.clone())
        },
        None => Source {
            may_be_others: true,
            ..of(project.root.join("config/features.yaml"))
        },
    };
    let mut all = vec![of(project.state_dir.join("config.yaml")), features];
    all.extend(settings.user_config.iter().map(|path| Source {
        within: None,
        is_users: true,
        ..of(path.clone())
    }));
    all
}

/// Whether a file lies in a folder, links followed.
fn is_within(path: &Path, folder: &Path) -> bool {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let real = path.real_path().unwrap_or_else(|_| path.clone());
    path.starts_with(folder) || real.starts_with(folder)
}

fn file_stamps(sources: &[Source]) -> Vec<Option<(u64, SystemTime)>> {
    let stamp = |source: &Source| {
        let found = source.path.metadata().ok()?;
        Some((found.len(), found.modified().ok()?))
    };
    sources.iter().map(stamp).collect()
}

fn modified_time(path: &Path) -> Option<SystemTime> {
    path.metadata().and_then(|m| m.modified()).ok()
}

/// A number from the version stamp of the last build.
fn build_option(store: &SqliteStore, key: &str) -> Option<u64> {
    let stamp = store.metadata("version_stamp").ok()??;
    let stamp: serde_json::Value = serde_json::from_str(&stamp).ok()?;
    stamp.get(key)?.as_u64()
}
