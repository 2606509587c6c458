//! The folders in which agents keep their settings.

use std::path::{Path, PathBuf};

/// A folder that paths of settings begin with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Base {
    /// The user's home.
    Home,
    /// `XDG_CONFIG_HOME`, or `~/.config`.
    Config,
    /// The folder for data of desktop programs: as `Config` on Linux, `~/Library/Application Support` on macOS, `%APPDATA%` on
    /// Windows.
    AppData,
    /// `CLAUDE_CONFIG_DIR`, or `~/.claude`.
    Claude,
    /// The folder of Claude Code's `.claude.json`: `CLAUDE_CONFIG_DIR`, or the home.
    ClaudeState,
    /// `CODEX_HOME`, or `~/.codex`.
    Codex,
    /// The project's root.
    Project,
}

/// The folders of this user and of the project, as the caller found them.
#[derive(Debug, Clone, Default)]
pub struct Places {
    /// The user's home.
    pub home: PathBuf,
    /// `XDG_CONFIG_HOME`, where it is set.
    pub config: Option<PathBuf>,
    /// The folder for data of desktop programs, where it is not that of configurations.
    pub app_data: Option<PathBuf>,
    /// `CLAUDE_CONFIG_DIR`, where it is set.
    pub claude: Option<PathBuf>,
    /// `CODEX_HOME`, where it is set.
    pub codex: Option<PathBuf>,
    /// The folder in which the journal is kept: that for this program's own data.
    pub data: PathBuf,
    /// The project's root, where there is a project.
    pub project: Option<PathBuf>,
    /// Absolute folders in which programs are searched for.
    pub search_path: Vec<PathBuf>,
}

/// A path below a base.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct At(pub(crate) Base, pub(crate) &'static str);

/// A file with the folder that no link may lead out of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileLocation {
    pub(crate) root: PathBuf,
    pub(crate) path: PathBuf,
    /// The most bytes that are read of it.
    pub(crate) largest: u64,
}

/// The most bytes of a file of the user. Claude Code keeps its history in the file that also has the servers.
const LARGEST_OF_USER: u64 = 64 << 20;

/// The most bytes of a file of the project, which a repository may bring.
const LARGEST_OF_PROJECT: u64 = 1 << 20;

impl Places {
    /// A base's folder; none for the project where there is none.
    fn base(&self, base: Base) -> Option<PathBuf> {
        let home = &self.home;
        let config = || self.config.clone().unwrap_or_else(|| home.join(".config"));
        Some(match base {
            Base::Home => home.clone(),
            Base::Config => config(),
            Base::AppData => self.app_data.clone().unwrap_or_else(config),
            Base::Claude => self.claude.clone().unwrap_or_else(|| home.join(".claude")),
            Base::ClaudeState => self.claude.clone().unwrap_or_else(|| home.clone()),
            Base::Codex => self.codex.clone().unwrap_or_else(|| home.join(".codex")),
            Base::Project => return self.project.clone(),
        })
    }

    pub(crate) fn place(&self, At(base, path): At) -> Option<FileLocation> {
        let folder = self.base(base)?;
        let path = folder.join(path);
        // A path below the home has the home as its root, since the folder may not exist yet.
        let root = if base != Base::Project && folder.starts_with(&self.home) {
            self.home.clone()
        } else {
            folder
        };
        let largest = if base == Base::Project {
            LARGEST_OF_PROJECT
        } else {
            LARGEST_OF_USER
        };
        Some(FileLocation {
            root,
            path,
            largest,
        })
    }

    /// The first file that exists; else the first whose folder does; else the first. On Windows, files of desktop programs
    /// come before those of `.config`.
    pub(crate) fn choose(&self, files: &[At]) -> Option<FileLocation> {
        let mut files = files.to_vec();
        files.sort_by_key(|At(base, _)| cfg!(windows) && *base == Base::Config);
        let all: Vec<FileLocation> = files.iter().filter_map(|at| self.place(*at)).collect();
        let exists = |path: &Path| path.symlink_metadata().is_ok();
        let file = all.iter().find(|place| exists(&place.path));
        let folder = || {
            all.iter()
                .find(|place| place.path.parent().is_some_and(exists))
        };
        file.or_else(folder).or(all.first()).cloned()
    }

    /// Whether anything exists at a path below a base.
    pub(crate) fn exists(&self, at: At) -> bool {
        self.place(at)
            .is_some_and(|place| place.path.symlink_metadata().is_ok())
    }

    /// The path of a program in the search path.
    pub fn find_program(&self, name: &str) -> Option<PathBuf> {
        let names = if cfg!(windows) {
            vec![format!("{name}.exe"), format!("{name}.cmd")]
        } else {
            vec![name.to_owned()]
        };
        let all = self
            .search_path
            .iter()
            .flat_map(|folder| names.iter().map(|name| folder.join(name)));
        all.into_iter().find(|path| path.is_file())
    }

    /// A path as a person writes it: with `~` for the home.
    pub fn show(&self, path: &Path) -> String {
        match path.strip_prefix(&self.home) {
            Ok(rest) if !self.home.as_os_str().is_empty() => {
                format!("~/{}", platform::file::to_slashes(rest).display())
            }
            _ => path.display().to_string(),
        }
    }
}
