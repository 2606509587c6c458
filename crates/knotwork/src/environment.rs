//! Settings from flags and environment variables. Only this module reads them.

use crate::progress::TerminalProgress;
use engine::config::{KEYS, Origin, Override};
use engine::{Engine, EngineError, Settings, SharedRepository};
use guard::seal::{self, Key, KeyError, TrustPolicy};
use guard::state::StateError;
use platform::RealPath;
use providers::{Adapters, Keys};
use solution::{Memory, Options};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// The arguments of all commands.
#[derive(Debug, Clone, Default)]
pub(crate) struct GlobalArgs {
    /// A folder inside the project, as the user named it; none for the current one.
    pub project: Option<PathBuf>,
    /// The caller's current folder, where it is not that of this process.
    pub folder: Option<PathBuf>,
    /// Configuration values, `KEY=VALUE`.
    pub set: Vec<String>,
}

/// Limits of an index, from the flags of `index`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Limits {
    pub max_file_size: Option<u64>,
    pub threads: Option<usize>,
}

/// Opens the project, with warnings on its configuration.
pub(crate) fn open_engine(given: &GlobalArgs, limits: &Limits) -> Result<Engine, EngineError> {
    Engine::open(
        read_settings(given, limits)?,
        Box::new(TerminalProgress::default()),
    )
}

/// The environment fingerprint: a checksum over everything that an answer depends on besides the project's files and the
/// command's arguments. That is this program, and what it reads from its environment. Two processes with the same fingerprint
/// give the same answers.
pub(crate) fn environment_fingerprint(settings: &Settings, root: &Path) -> String {
    let program = std::env::current_exe().and_then(|path| path.metadata());
    let written = program.as_ref().ok().and_then(|m| m.modified().ok());
    // Settings of the daemon and the ceiling on memory do not affect answers.
    let overrides = settings.overrides.iter();
    let is_behaviour = |key: &str| key.starts_with("features.daemon.") || key == "limits.memory";
    let overrides = overrides.filter(|given| !is_behaviour(&given.key));
    let mut parts = format!(
        "{} {root:?} {:?} {written:?} {:?}",
        env!("CARGO_PKG_VERSION"),
        program.map(|m| m.len()).ok(),
        overrides.collect::<Vec<_>>(),
    );
    for path in [
        &settings.state_dir,
        &settings.db_path,
        &settings.scip_path,
        &settings.features_path,
        &settings.intent_path,
        &settings.federation_path,
        &settings.federation_index_path,
        &settings.user_config,
    ] {
        let path = path
            .as_ref()
            .and_then(|path| std::path::absolute(path).ok());
        parts.push_str(&format!(" {path:?}"));
    }
    // The text of a shared store has no credentials.
    parts.push_str(&format!(" {} {:?}", is_variable_on(TRUST), settings.shared));
    let read = std::cell::RefCell::new(parts);
    Keys::from_variables(|name| {
        let value = text_variable(name);
        read.borrow_mut().push_str(&format!(" {name} {value:?}"));
        value
    });
    format!(
        "{:016x}",
        base::fingerprint(&[read.into_inner().as_bytes()])
    )
}

/// The paths of the daemon's files.
pub(crate) fn daemon_files(state_dir: &std::path::Path) -> server::daemon::Files {
    // Used only where the user has no private runtime folder; then the name must distinguish users.
    let shared = || {
        let user = home_variable().unwrap_or_default();
        let user = base::fingerprint(&[user.as_os_str().as_encoded_bytes()]);
        std::env::temp_dir().join(format!("knotwork-{user:x}"))
    };
    let own = path_variable("XDG_RUNTIME_DIR").filter(|folder| folder.is_dir());
    server::daemon::Files::new(
        state_dir,
        &server::daemon::PathOverrides {
            socket: absolute_path_variable("DAEMON_SOCK"),
            pid: absolute_path_variable("DAEMON_PID_FILE"),
            runtime: own.map_or_else(shared, |own| own.join("knotwork")),
        },
    )
}

/// Variables that name files, with absolute paths, for a process that runs in another folder.
pub(crate) fn absolute_path_variables() -> Vec<(&'static str, PathBuf)> {
    let names = [
        "DEVBOOKS_DIR",
        "GRAPH_DB_PATH",
        "SCIP_INDEX_PATH",
        "FEATURES_CONFIG",
        "INTENT_HISTORY_PATH",
        "FEDERATION_CONFIG",
        "FEDERATION_INDEX",
        "DAEMON_SOCK",
        "DAEMON_PID_FILE",
    ];
    names
        .into_iter()
        .filter_map(|name| Some((name, absolute_path_variable(name)?)))
        .collect()
}

fn absolute_path_variable(name: &str) -> Option<PathBuf> {
    std::path::absolute(path_variable(name)?).ok()
}

/// A duration in milliseconds, for tests.
pub(crate) fn duration_variable(name: &str) -> Option<std::time::Duration> {
    let number = text_variable(name)?.trim().parse().ok()?;
    Some(std::time::Duration::from_millis(number))
}

/// Whether a variable is set to anything but 0.
pub(crate) fn is_variable_on(name: &str) -> bool {
    text_variable(name).is_some_and(|value| value != "0")
}

/// Variables of an earlier implementation under their names here, for the commands that its wrappers run.
pub(crate) fn shim_variables() -> Vec<(&'static str, PathBuf)> {
    let features = path_variable("DEVBOOKS_FEATURE_CONFIG").or_else(|| {
        let inside = path_variable("CONFIG_DIR")?.join("features.yaml");
        inside.is_file().then_some(inside)
    });
    let features = features.filter(|_| path_variable("FEATURES_CONFIG").is_none());
    let disabled = is_variable_on("CKB_DISABLED").then(|| PathBuf::from("false"));
    let graph = path_variable("GRAPH_DB").filter(|_| path_variable("GRAPH_DB_PATH").is_none());
    let all = [
        ("FEATURES_CONFIG", features),
        ("CKB_ENABLED", disabled),
        ("GRAPH_DB_PATH", graph),
    ];
    all.into_iter()
        .filter_map(|(name, value)| Some((name, value?)))
        .collect()
}

/// A file or folder that a variable names for the wrappers, as an absolute path.
pub(crate) fn shim_place(variable: &str) -> Result<Option<PathBuf>, EngineError> {
    let named = place_variable(variable)?;
    Ok(named.and_then(|path| std::path::absolute(path).ok()))
}

/// A text or number that a variable holds, for an earlier implementation's wrappers.
pub(crate) fn shim_text(variable: &str) -> Option<String> {
    text_variable(variable).filter(|text| !text.is_empty())
}

/// Settings for the project around the given folder, or around the current one.
pub(crate) fn read_settings(given: &GlobalArgs, limits: &Limits) -> Result<Settings, EngineError> {
    let start = match given.project.as_ref().or(given.folder.as_ref()) {
        Some(folder) => folder.clone(),
        None => std::env::current_dir().map_err(|e| {
            EngineError::bad_arguments(format!("the current folder does not exist: {e}"))
        })?,
    };
    let defaults = location_settings(given, start)?;
    let mut notes = install_trust_policy(false)?;
    let pool = shared_pool(MOST_CONNECTIONS)?;
    notes.extend(pool.as_deref().and_then(unheeded_options));
    Ok(Settings {
        notes,
        scip_path: place_variable("SCIP_INDEX_PATH")?,
        features_path: place_variable("FEATURES_CONFIG")?,
        intent_path: place_variable("INTENT_HISTORY_PATH")?,
        federation_path: place_variable("FEDERATION_CONFIG")?
            .and_then(|path| std::path::absolute(path).ok()),
        federation_index_path: place_variable("FEDERATION_INDEX")?
            .and_then(|path| std::path::absolute(path).ok()),
        facts_dir: place_variable("AST_CACHE_DIR")?,
        shared_dir: user_cache_dir(),
        cache_dir: place_variable("CACHE_DIR")?,
        user_config: user_config_path(),
        overrides: config_overrides(&given.set)?,
        max_file_size: limits.max_file_size,
        threads: limits.threads.unwrap_or(defaults.threads),
        memory_limit: Some(default_memory_limit()),
        environment: guard::program::Environment::from_variables(|name| std::env::var_os(name)),
        shared: pool.map(shared_repository),
        providers: Some(Arc::new(Adapters::new(Keys::from_variables(text_variable)))),
        ..defaults
    })
}

/// Settings that decide where the project around a folder is, and its state.
fn location_settings(given: &GlobalArgs, start: PathBuf) -> Result<Settings, EngineError> {
    Ok(Settings {
        is_named: given.project.is_some(),
        shared_folders: shared_folders(),
        homeless_dir: user_cache_dir().map(|folder| folder.join("projects")),
        caller: text_variable("SUDO_UID").and_then(|number| number.trim().parse().ok()),
        state_dir: place_variable("DEVBOOKS_DIR")?,
        db_path: place_variable("GRAPH_DB_PATH")?,
        ..Settings::with_start(start)
    })
}

/// The most connections of one command to the shared store.
pub(crate) const MOST_CONNECTIONS: usize = 4;

/// The shared store that `GRAPH_BACKEND` and `GRAPH_DB_URL` choose.
fn shared_repository(pool: Arc<store_postgres::Pool>) -> SharedRepository {
    SharedRepository {
        stores: Arc::new(store_postgres::Repositories::new(pool)),
        name: text_variable("GRAPH_REPOSITORY").map(|name| name.trim().to_owned()),
    }
}

/// A note on options in the database's address that are ignored; none if there are none.
pub(crate) fn unheeded_options(pool: &store_postgres::Pool) -> Option<String> {
    let options = pool.server().unheeded_options();
    (!options.is_empty()).then(|| {
        format!(
            "GRAPH_DB_URL: not heeded: {}; connections have limits of their own",
            options.join(", ")
        )
    })
}

/// The shared store that `GRAPH_BACKEND` and `GRAPH_DB_URL` choose, with at most `most` connections.
pub(crate) fn shared_pool(most: usize) -> Result<Option<Arc<store_postgres::Pool>>, EngineError> {
    let backend = text_variable("GRAPH_BACKEND").unwrap_or_default();
    match backend.trim() {
        "" | "sqlite" => return Ok(None),
        "postgres" => {}
        other => {
            let message = format!("GRAPH_BACKEND={other} is not known");
            return Err(EngineError::bad_arguments(message)
                .with_hint("unset it, or set it to sqlite or postgres"));
        }
    }
    let hint = "set GRAPH_DB_URL to postgresql://user:password@host:port/database";
    let Some(address) = text_variable("GRAPH_DB_URL") else {
        let message = "GRAPH_BACKEND=postgres needs the address of a database";
        return Err(EngineError::bad_arguments(message).with_hint(hint));
    };
    let server = store_postgres::Server::parse(address.trim()).map_err(|error| {
        EngineError::bad_arguments(format!("GRAPH_DB_URL: {error}")).with_hint(hint)
    })?;
    // A whole graph is packed more tightly than the server sends it.
    let limits = store_postgres::Limits {
        repository_bytes: default_memory_limit(),
        ..store_postgres::Limits::default()
    };
    Ok(Some(store_postgres::Pool::new(
        server.with_limits(limits),
        most,
    )))
}

/// The folder in which a worker clones repositories.
pub(crate) fn worker_folder() -> Result<PathBuf, EngineError> {
    cache_folder("worker")
}

/// The empty folder that a server for a team opens as its project.
pub(crate) fn server_folder() -> Result<PathBuf, EngineError> {
    cache_folder("serve")
}

fn cache_folder(name: &str) -> Result<PathBuf, EngineError> {
    let folder = user_cache_dir().map(|folder| folder.join(name));
    folder.ok_or_else(|| {
        EngineError::bad_arguments("neither HOME nor XDG_CACHE_HOME is set")
            .with_hint("a folder in the user's cache is needed")
    })
}

/// The user's home and the folders for temporary files, without links.
fn shared_folders() -> Vec<PathBuf> {
    let known = ["/tmp", "/var/tmp", "/dev/shm"].map(PathBuf::from);
    let own = [path_variable("HOME"), path_variable("USERPROFILE")];
    let own = own.into_iter().flatten();
    let all = own.chain([std::env::temp_dir()]).chain(known);
    all.filter_map(|folder| folder.real_path().ok()).collect()
}

/// The variable to trust an index as it is.
const TRUST: &str = "KNOTWORK_TRUST_INDEX";

/// Sets the files that this process trusts: those with the seal of this user's key. Every command and every wrapper does so before
/// anything else; only the first call counts. Returns notes.
pub(crate) fn install_trust_policy(trust: bool) -> Result<Vec<String>, EngineError> {
    static NOTES: OnceLock<Vec<String>> = OnceLock::new();
    if let Some(notes) = NOTES.get().filter(|_| seal::is_enabled()) {
        return Ok(notes.clone());
    }
    let unkept = |why: &dyn std::fmt::Display| {
        let note = format!(
            "no key can be kept ({why}), so every command builds the index anew; set XDG_DATA_HOME to a folder of your own"
        );
        (Key::random(), vec![note])
    };
    let (key, notes) = match user_data_dir() {
        None => unkept(&"neither HOME nor XDG_DATA_HOME is set"),
        Some(folder) => match Key::open_or_create(&folder) {
            Ok(key) => (Ok(key), Vec::new()),
            // Without a home folder a slow answer is better than none. Here the folder exists but is unusable, and the user can
            // correct it.
            Err(
                error @ (KeyError::InTheWay { .. } | KeyError::Folder(StateError::NotAFolder(_))),
            ) => {
                return Err(EngineError::runtime_failure(format!(
                    "the key that signs your indexes cannot be stored: {error}"
                ))
                .with_hint(
                    "remove the file or folder at that path, or set XDG_DATA_HOME to a folder of your own",
                ));
            }
            Err(error) => unkept(&error),
        },
    };
    let key = key.map_err(|e| EngineError::runtime_failure(format!("no random numbers: {e}")))?;
    seal::install_policy(TrustPolicy {
        key,
        named: path_variable("GRAPH_DB_PATH")
            .filter(|path| path.is_absolute())
            .map(|path| guard::state::resolve_existing_part(&path))
            .filter(|path| !is_beside_sources(path))
            .into_iter()
            .collect(),
        everything: trust || is_variable_on(TRUST),
    });
    Ok(NOTES.get_or_init(|| notes).clone())
}

/// Whether this user has a key already.
pub(crate) fn has_key() -> bool {
    user_data_dir().is_some_and(|folder| folder.join("key").symlink_metadata().is_ok())
}

/// Whether a file lies in a repository or a project. A variable such as `GRAPH_DB_PATH=.devbooks/graph.db` names another file in
/// each clone, and a clone or an archive may ship one.
fn is_beside_sources(path: &Path) -> bool {
    path.ancestors().skip(1).any(engine::is_project_folder)
}

/// The user's own folder for data that cannot be recreated.
fn user_data_dir() -> Option<PathBuf> {
    let folder = path_variable("XDG_DATA_HOME")
        .filter(|folder| folder.is_absolute())
        .or_else(|| home_variable().map(|home| home.join(".local").join("share")))
        .or_else(|| path_variable("LOCALAPPDATA"))?;
    Some(folder.join("knotwork"))
}

/// The smallest default ceiling on memory, in bytes.
const LEAST_CEILING: u64 = 512 << 20;

/// The default ceiling on memory in bytes: a quarter of the memory of the machine, or of the container around this process.
fn default_memory_limit() -> u64 {
    let machine = effective_limits::memory_limit().unwrap_or(0);
    (machine / 4).max(LEAST_CEILING)
}

/// The user's solution memory: `SOLUTION_MEMORY_PATH`, or `~/.solution-memory`.
pub(crate) fn open_solution_memory(given: &GlobalArgs) -> Result<Memory, EngineError> {
    let folder = solution_folder()?;
    let start = given.project.clone().map_or_else(std::env::current_dir, Ok);
    Ok(Memory::new(Options {
        project: start
            .ok()
            .and_then(|start| solution::project::git_project_name(&start)),
        models: Some(Arc::new(providers::SolutionModels::new(Adapters::new(
            Keys::from_variables(text_variable),
        )))),
        http: Some(Arc::new(providers::ChromaHttp)),
        ..Options::for_folder(folder)
    }))
}

/// The folder of the solution memory.
pub(crate) fn solution_folder() -> Result<PathBuf, EngineError> {
    let home = home_variable();
    match (place_variable("SOLUTION_MEMORY_PATH")?, home) {
        (Some(path), home) => expand_tilde(path, home.as_deref()),
        (None, Some(home)) => Ok(home.join(".solution-memory")),
        (None, None) => Err(no_home_error(
            "neither SOLUTION_MEMORY_PATH nor HOME is set",
        )),
    }
}

/// Replaces a leading `~` in a path that no shell has expanded.
fn expand_tilde(path: PathBuf, home: Option<&Path>) -> Result<PathBuf, EngineError> {
    let Ok(rest) = path.strip_prefix("~") else {
        return Ok(path);
    };
    match home {
        Some(home) => Ok(home.join(rest)),
        None => Err(no_home_error(
            "SOLUTION_MEMORY_PATH begins with ~ and HOME is not set",
        )),
    }
}

fn no_home_error(message: &str) -> EngineError {
    EngineError::bad_arguments(message)
        .with_hint("set SOLUTION_MEMORY_PATH to a folder of your own")
}

/// A variable's text; none where it is unset or empty.
pub(crate) fn text_variable(name: &str) -> Option<String> {
    let value = std::env::var(name).ok();
    value.filter(|value| !value.trim().is_empty())
}

/// The user's home; the second name is that of Windows.
fn home_variable() -> Option<PathBuf> {
    path_variable("HOME").or_else(|| path_variable("USERPROFILE"))
}

/// The user's own configuration file, whether it exists or not.
fn user_config_path() -> Option<PathBuf> {
    let folder = path_variable("XDG_CONFIG_HOME")
        .filter(|folder| folder.is_absolute())
        .or_else(|| home_variable().map(|home| home.join(".config")))?;
    Some(folder.join("knotwork").join("config.yaml"))
}

/// The user's own folder for data that can be recreated.
fn user_cache_dir() -> Option<PathBuf> {
    let folder = path_variable("XDG_CACHE_HOME")
        .filter(|folder| folder.is_absolute())
        .or_else(|| home_variable().map(|home| home.join(".cache")))?;
    Some(folder.join("knotwork"))
}

/// The folders in which coding agents keep their settings.
pub(crate) fn setup_places(project: Option<PathBuf>) -> Result<setup::Places, EngineError> {
    let home = home_variable();
    let (Some(home), Some(data)) = (home.filter(|home| home.is_absolute()), user_data_dir()) else {
        return Err(EngineError::bad_arguments("HOME is not set")
            .with_hint("set it to your own folder: agents keep their settings there"));
    };
    let absolute = |name: &str| path_variable(name).filter(|folder| folder.is_absolute());
    let app_data = if cfg!(target_os = "macos") {
        Some(home.join("Library/Application Support"))
    } else if cfg!(windows) {
        absolute("APPDATA")
    } else {
        None
    };
    let search_path = std::env::var_os("PATH").unwrap_or_default();
    let search_path = std::env::split_paths(&search_path).filter(|folder| folder.is_absolute());
    Ok(setup::Places {
        config: absolute("XDG_CONFIG_HOME"),
        app_data,
        claude: absolute("CLAUDE_CONFIG_DIR"),
        codex: absolute("CODEX_HOME"),
        data,
        project,
        search_path: search_path.collect(),
        home,
    })
}

/// The root of the project around the given folder or the current one, if there is a project.
pub(crate) fn find_project(given: &GlobalArgs) -> Result<Option<PathBuf>, EngineError> {
    Ok(find_location(given)?.map(|found| found.root))
}

/// The folders of this user in which this program keeps data.
pub(crate) struct UserFolders {
    /// Data that can be recreated.
    pub cache: Option<PathBuf>,
    /// The user's own settings.
    pub config: Option<PathBuf>,
    /// The key that seals indexes, and the journal of `setup`.
    pub data: Option<PathBuf>,
}

pub(crate) fn user_folders() -> UserFolders {
    let config = user_config_path();
    UserFolders {
        cache: user_cache_dir(),
        config: config.and_then(|file| file.parent().map(Path::to_path_buf)),
        data: user_data_dir(),
    }
}

/// The project around the given folder or the current one, if there is one. Nothing is opened or written.
pub(crate) fn find_location(given: &GlobalArgs) -> Result<Option<engine::Location>, EngineError> {
    let start = match &given.project {
        Some(folder) => folder.clone(),
        None => std::env::current_dir().unwrap_or_default(),
    };
    match engine::locate(&location_settings(given, start)?) {
        Ok(found) => Ok(Some(found)),
        Err(error) if given.project.is_some() => Err(error),
        Err(_) => Ok(None),
    }
}

/// The current folder, if it is in no project and is not one that holds many: a wrapper that is started there takes it for
/// the project, as the scripts that it stands for do.
pub(crate) fn folder_without_project() -> Option<PathBuf> {
    let folder = std::env::current_dir().ok()?.real_path().ok()?;
    let given = GlobalArgs::default();
    let is_alone = || matches!(find_location(&given), Ok(None));
    let may_be_project = folder.parent().is_some() && !shared_folders().contains(&folder);
    (may_be_project && is_alone()).then_some(folder)
}

/// The path by which this user starts this program. The entry on the search path is preferred if it leads to this very file,
/// because a package manager may move the file itself.
pub(crate) fn own_program(places: &setup::Places) -> Result<String, EngineError> {
    let own = std::env::current_exe().map_err(|e| {
        EngineError::runtime_failure(format!("cannot tell where this program lies: {e}"))
    })?;
    let is_own = |path: &PathBuf| path.real_path().ok() == own.real_path().ok();
    let found = places.find_program(setup::NAME).filter(is_own);
    Ok(found.unwrap_or(own).display().to_string())
}

/// Configuration values from flags and the environment, strongest first.
fn config_overrides(set: &[String]) -> Result<Vec<Override>, EngineError> {
    let mut all = Vec::new();
    for text in set.iter().rev() {
        let (key, value) = text.split_once('=').ok_or_else(|| {
            EngineError::bad_arguments(format!("invalid --set: {text}"))
                .with_hint("--set graph_rag.max_depth=3")
        })?;
        all.push(Override {
            key: key.trim().to_owned(),
            value: value.to_owned(),
            origin: Origin::Flag("--set".to_owned()),
        });
    }
    for key in KEYS {
        let own = key.variable_name();
        for name in [Some(own.as_str()), key.variable].into_iter().flatten() {
            if let Some(value) = path_variable(name) {
                all.push(Override {
                    key: key.name.to_owned(),
                    value: value.to_string_lossy().into_owned(),
                    origin: Origin::Environment(name.to_owned()),
                });
            }
        }
    }
    Ok(all)
}

/// A variable that names a path. A relative path means another file in each folder, and a repository may contain a link of that
/// name: the path must not lead through one.
fn place_variable(name: &str) -> Result<Option<PathBuf>, EngineError> {
    let Some(path) = path_variable(name).filter(|path| path.is_relative()) else {
        return Ok(path_variable(name));
    };
    let mut at = std::env::current_dir().unwrap_or_default();
    for part in path.components() {
        at.push(part);
        let is_link = at.symlink_metadata().is_ok_and(|found| found.is_symlink());
        if is_link && matches!(part, Component::Normal(_)) {
            let message = format!("{name}: {} is a link", at.display());
            return Err(
                EngineError::bad_arguments(message).with_hint("name the place by an absolute path")
            );
        }
    }
    Ok(Some(path))
}

fn path_variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name)
        .filter(|value| !value.is_empty())
        .map(PathBuf::from)
}
