//! Fixtures for tests: small repositories written down as one text.
//!
//! Never knows: the code under test.

pub mod edits;
mod fixture;
pub mod http;
pub mod postgres;

pub use fixture::{FixtureFile, parse_fixture};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Makes a FIFO.
///
/// # Panics
/// When it cannot be made.
#[cfg(unix)]
pub fn make_fifo(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status();
    assert!(
        made.is_ok_and(|status| status.success()),
        "no FIFO at {}",
        path.display()
    );
}

/// A folder with files, removed when this is dropped.
pub struct Repo {
    folder: tempfile::TempDir,
}

impl Repo {
    /// Writes files from a text, in which each file begins with a line `//- path`.
    ///
    /// # Panics
    /// If the text does not begin with `== ` or a file cannot be written.
    pub fn new(text: &str) -> Repo {
        let folder = match tempfile::Builder::new().prefix("repo").tempdir() {
            Ok(folder) => folder,
            Err(error) => panic!("no folder for a fixture: {error}"),
        };
        let repo = Repo { folder };
        // The empty marker makes the folder a project.
        if let Err(error) = std::fs::create_dir(repo.folder.path().join(".hg")) {
            panic!("no mark in a fixture: {error}");
        }
        let files = parse_fixture(text);
        assert!(
            !files.is_empty() || text.trim().is_empty(),
            "a fixture begins with `//- path`"
        );
        for file in files {
            repo.write(file.path, file.text);
        }
        repo
    }

    /// Its folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Path of a file in it.
    pub fn file_path(&self, path: &str) -> PathBuf {
        self.path().join(path)
    }

    /// Writes a file, with the folders around it.
    ///
    /// # Panics
    /// When it cannot be written.
    pub fn write(&self, path: &str, body: &str) {
        let file = self.file_path(path);
        let written = match file.parent() {
            Some(folder) => std::fs::create_dir_all(folder),
            None => Ok(()),
        }
        .and_then(|()| std::fs::write(&file, body));
        if let Err(error) = written {
            panic!("cannot write {}: {error}", file.display());
        }
    }

    /// Clears a file's path: creates its folder, and removes a file there. A FIFO is never opened.
    #[cfg(unix)]
    fn clear_path(&self, path: &str) -> PathBuf {
        let file = self.file_path(path);
        if let Some(folder) = file.parent()
            && let Err(error) = std::fs::create_dir_all(folder)
        {
            panic!("cannot make {}: {error}", folder.display());
        }
        // If it does not exist, it is not in the way.
        let _ = std::fs::remove_file(&file);
        file
    }

    /// Makes a FIFO in place of a file: a careless open of it blocks for ever.
    #[cfg(unix)]
    pub fn make_fifo(&self, path: &str) {
        make_fifo(&self.clear_path(path));
    }

    /// Makes a link in place of a file.
    ///
    /// # Panics
    /// When it cannot be made.
    #[cfg(unix)]
    pub fn make_link(&self, path: &str, target: impl AsRef<Path>) {
        let file = self.clear_path(path);
        let made = std::os::unix::fs::symlink(target.as_ref(), &file);
        if let Err(error) = made {
            panic!("cannot make a link at {}: {error}", file.display());
        }
    }

    /// Writes a file of `bytes` zeros, which takes no space on the disk.
    ///
    /// # Panics
    /// When it cannot be written.
    pub fn write_sparse(&self, path: &str, bytes: u64) {
        self.write(path, "");
        let file = self.file_path(path);
        let opened = std::fs::OpenOptions::new().write(true).open(&file);
        if let Err(error) = opened.and_then(|file| file.set_len(bytes)) {
            panic!("cannot write {}: {error}", file.display());
        }
    }

    /// Makes it a git repository with everything in one commit.
    ///
    /// # Panics
    /// When git fails.
    pub fn commit_all(&self) {
        for arguments in [
            &["init", "-q"][..],
            &["add", "-A"],
            &[
                "-c",
                "user.name=t",
                "-c",
                "user.email=t@example.org",
                "commit",
                "-qm",
                "all",
            ],
        ] {
            self.git(arguments);
        }
    }

    /// Runs git in the folder and returns what it prints.
    ///
    /// # Panics
    /// When git fails.
    pub fn git(&self, arguments: &[&str]) -> String {
        let done = Command::new("git")
            .args(arguments)
            .current_dir(self.path())
            .output();
        match done {
            Ok(done) if done.status.success() => String::from_utf8_lossy(&done.stdout).into_owned(),
            other => panic!("git {arguments:?}: {other:?}"),
        }
    }
}

/// Output of a command.
#[derive(Debug)]
pub struct CommandOutput {
    /// Exit code, -1 if it was killed.
    pub code: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

/// Runs a program in a folder, without the environment variables that move a project's state.
///
/// # Panics
/// When it cannot be started.
pub fn run_program(
    program: &str,
    folder: &Path,
    arguments: &[&str],
    environment: &[(&str, &str)],
) -> CommandOutput {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null());
    for name in [
        "DEVBOOKS_DIR",
        "GRAPH_DB_PATH",
        "SCIP_INDEX_PATH",
        "GRAPH_BACKEND",
        "GRAPH_DB_URL",
        "GRAPH_REPOSITORY",
        "DEVBOOKS_DEBUG",
        "OPENAI_API_KEY",
        "OPENAI_BASE_URL",
        "AZURE_OPENAI_API_KEY",
        "AZURE_OPENAI_ENDPOINT",
        "AZURE_OPENAI_DEPLOYMENT",
        "ANTHROPIC_API_KEY",
        "ANTHROPIC_BASE_URL",
        "OLLAMA_HOST",
        "LLM_MOCK_RESPONSE",
        "LLM_MOCK_DELAY_MS",
        "LLM_MOCK_FAIL_COUNT",
        "FEATURES_CONFIG",
        "INTENT_HISTORY_PATH",
        "AST_CACHE_DIR",
        "CKB_ENABLED",
    ] {
        command.env_remove(name);
    }
    // The user who runs the tests may have a configuration.
    command.env("XDG_CONFIG_HOME", folder.join("no-configuration"));
    // A test must not see the caches that another test leaves for its worktrees.
    command.env("KNOTWORK_CACHE_SHARED", "false");
    command.envs(environment.iter().copied());
    match command.output() {
        Ok(Output {
            status,
            stdout,
            stderr,
        }) => CommandOutput {
            code: status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&stdout).into_owned(),
            stderr: String::from_utf8_lossy(&stderr).into_owned(),
        },
        Err(error) => panic!("cannot start {program}: {error}"),
    }
}
