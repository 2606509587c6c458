//! Cloning one commit of a repository with git, of which nothing is run.

use engine::{Cancel, EngineError};
use guard::program::{Environment, Limits, Program, find_program, run_program};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The longest that git may take for one step.
const LONGEST: Duration = Duration::from_secs(1_800);

/// The most that git prints for one step: references of a repository with a hundred thousand of them.
const MOST_OUTPUT: u64 = 16 << 20;

/// The protocols that git may use.
const PROTOCOLS: &str = "https:http:ssh:git:file";

/// Settings with which git runs no program of the repository.
const SETTINGS: [&str; 4] = [
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "submodule.recurse=false",
    "protocol.ext.allow=never",
];

/// Attributes that come before those of the repository: no file is given to a filter, whichever the user's settings have.
const ATTRIBUTES: &str = "* -filter\n";

/// Where a repository is cloned from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Source {
    address: String,
}

impl Source {
    /// An address of a protocol that is known, `user@host:path`, or a folder, which is made absolute.
    pub(super) fn parse(text: &str) -> Result<Source, EngineError> {
        let refused = |why: &str| {
            EngineError::bad_arguments(format!("not a repository to clone: {why}"))
                .with_hint("https://host/team/project.git, git@host:team/project.git, or a folder")
        };
        if text.is_empty() || text.starts_with('-') || text.chars().any(char::is_control) {
            return Err(refused("it is empty, or begins with a dash"));
        }
        if let Some((protocol, rest)) = text.split_once("://") {
            let host = rest.split('/').next().unwrap_or_default();
            if host
                .rsplit_once('@')
                .is_some_and(|(user, _)| user.contains(':'))
            {
                // It would stand in the queue, for all who may read that.
                return Err(refused(
                    "a password is in its address; git's own settings know where to find it",
                ));
            }
            return if PROTOCOLS.split(':').any(|known| known == protocol) {
                Ok(Source {
                    address: text.to_owned(),
                })
            } else {
                Err(refused("its protocol is not known"))
            };
        }
        if text.contains("::") {
            return Err(refused("remote helpers are not used"));
        }
        let before_slash = text.split('/').next().unwrap_or_default();
        if before_slash.contains(':') && !Path::new(text).exists() {
            return Ok(Source {
                address: text.to_owned(),
            });
        }
        let folder = Path::new(text);
        let folder = folder.canonicalize();
        let folder = folder.map_err(|e| refused(&format!("{text}: {e}")))?;
        match folder.to_str() {
            Some(address) => Ok(Source {
                address: address.to_owned(),
            }),
            None => Err(refused("the folder's name is not UTF-8")),
        }
    }

    /// What git is told.
    pub(super) fn address(&self) -> &str {
        &self.address
    }

    fn folder(&self) -> Option<&Path> {
        let folder = self
            .address
            .strip_prefix("file://")
            .unwrap_or(&self.address);
        Some(Path::new(folder)).filter(|folder| folder.is_absolute())
    }

    /// The name in the shared store that its address gives.
    pub(super) fn repository_name(&self) -> Option<String> {
        match self.folder() {
            Some(folder) => engine::repository_name_of_folder(folder),
            None => Some(engine::repository_name_of_address(&self.address)),
        }
    }

    /// The full number of a commit that a reference names there. Git runs in the folder `around`.
    pub(super) fn resolve(&self, reference: &str, around: &Path) -> Result<String, EngineError> {
        if is_commit(reference) {
            return Ok(reference.to_owned());
        }
        let refused = || {
            EngineError::bad_arguments(format!(
                "{} has no {reference}",
                without_user(&self.address)
            ))
        };
        if reference.starts_with('-') {
            return Err(refused());
        }
        create_folder(around)?;
        let git = Git::new(around)?;
        let said = git.run(&["ls-remote", "--", &self.address, reference])?;
        let mut found: Vec<(&str, &str)> = said
            .lines()
            .filter_map(|line| line.split_once('\t'))
            .collect();
        // A tag's own object comes before the commit that it names.
        found.sort_by_key(|(_, name)| (!name.ends_with("^{}"), name.len()));
        match found.first() {
            Some((commit, _)) if is_commit(commit) => Ok((*commit).to_owned()),
            _ => Err(refused()),
        }
    }
}

/// Whether a text is a commit's full number.
fn is_commit(text: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
    matches!(text.len(), 40 | 64) && text.chars().all(is_digit)
}

/// An address without what stands before `@` in it, which may be a password.
pub(super) fn without_user(address: &str) -> String {
    match address.split_once("://") {
        Some((protocol, rest)) => {
            let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
            let host = host.rsplit('@').next().unwrap_or(host);
            format!("{protocol}://{host}/{path}")
        }
        None => address.to_owned(),
    }
}

fn create_folder(folder: &Path) -> Result<(), EngineError> {
    guard::state::create_private_folders(folder)
        .map_err(|e| EngineError::runtime_failure(format!("{}: {e}", folder.display())))
}

/// The files of one commit, in a folder that is removed in the end.
pub(super) struct Checkout {
    around: PathBuf,
    folder: PathBuf,
}

impl Checkout {
    /// Fetches that commit alone where the source allows it, else everything.
    pub(super) fn create(
        around: &Path,
        source: &Source,
        commit: &str,
        cancel: &Cancel,
    ) -> Result<Checkout, EngineError> {
        if !is_commit(commit) {
            return Err(EngineError::bad_arguments(format!(
                "not a commit: {commit:?}"
            )));
        }
        let failed = |e: &dyn std::fmt::Display| {
            EngineError::runtime_failure(format!("{}: {e}", around.display()))
        };
        create_folder(around)?;
        let folder = guard::state::temp_path_beside(&around.join("checkout"));
        let folder = folder.map_err(|e| failed(&e))?;
        guard::state::create_private_folder(&folder).map_err(|e| failed(&e))?;
        let checkout = Checkout {
            around: around.to_owned(),
            folder,
        };
        let git = Git::new(&checkout.folder)?;
        let address = source.address();
        let step = |words: &[&str]| {
            if cancel.is_set() {
                return Err(EngineError::runtime_failure("the job was given up"));
            }
            git.run(words)
        };
        step(&["init", "--quiet"])?;
        let info = checkout.folder.join(".git/info");
        create_folder(&info)?;
        guard::state::replace_file(&info.join("attributes"), ATTRIBUTES.as_bytes())
            .map_err(|e| failed(&e))?;
        step(&["remote", "add", "origin", address])?;
        let alone = [
            "fetch",
            "--quiet",
            "--no-tags",
            "--depth=1",
            "origin",
            commit,
        ];
        if step(&alone).is_err() {
            step(&[
                "fetch",
                "--quiet",
                "--tags",
                "origin",
                "+refs/heads/*:refs/remotes/origin/*",
            ])?;
        }
        step(&["checkout", "--quiet", "--detach", commit, "--"])?;
        Ok(checkout)
    }

    pub(super) fn path(&self) -> &Path {
        &self.folder
    }
}

impl Drop for Checkout {
    fn drop(&mut self) {
        // What cannot be removed is left.
        let _ = guard::state::remove_folder_below(&self.around, &self.folder);
    }
}

/// Git, as the user's own search path has it.
struct Git<'f> {
    program: Program,
    environment: Environment,
    folder: &'f Path,
}

impl Git<'_> {
    fn new(folder: &Path) -> Result<Git<'_>, EngineError> {
        let environment = Environment::from_variables(|name| std::env::var_os(name));
        match find_program("git", &environment, folder) {
            Some(program) => Ok(Git {
                program,
                environment,
                folder,
            }),
            None => Err(EngineError::missing_dependency("git is not installed")),
        }
    }

    /// Runs a step, which has to succeed. Credentials come from the user's own settings of git and SSH; nobody is asked.
    fn run(&self, words: &[&str]) -> Result<String, EngineError> {
        let mut command = self.program.isolated_command(self.folder);
        for setting in SETTINGS {
            command.args(["-c", setting]);
        }
        let home = ["HOME", "XDG_CONFIG_HOME"];
        let home = home
            .iter()
            .filter_map(|name| Some((name, self.environment.get(name)?)));
        command
            .args(words)
            .envs(self.environment.network_variables())
            .envs(home)
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_ALLOW_PROTOCOL", PROTOCOLS)
            .env("GIT_SSH_COMMAND", "ssh -o BatchMode=yes");
        let limits = Limits {
            time: LONGEST,
            output: MOST_OUTPUT,
        };
        let step = words.first().copied().unwrap_or_default();
        let failed = |why: &str| EngineError::runtime_failure(format!("git {step}: {why}"));
        let done = run_program(&mut command, &limits).map_err(|e| failed(&e.to_string()))?;
        match done.code {
            Some(0) => Ok(done.out),
            _ => Err(failed(&hide_users(&done.complaint))),
        }
    }
}

/// What git complains of, without credentials of addresses in it.
fn hide_users(text: &str) -> String {
    let words = text.split(' ').map(|word| {
        if word.contains("://") && word.contains('@') {
            let quote = word.starts_with('\'');
            let bare = without_user(word.trim_start_matches('\''));
            if quote { format!("'{bare}") } else { bare }
        } else {
            word.to_owned()
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_git_would_take_for_an_option_or_a_program_is_refused() {
        for text in [
            "",
            "-u/x",
            "--upload-pack=x",
            "ext::sh -c x",
            "fd::7",
            "ftp://h/x",
            "a\nb",
        ] {
            assert!(Source::parse(text).is_err(), "{text}");
        }
        for text in [
            "https://h/x.git",
            "ssh://g@h/x",
            "git@h:team/x.git",
            "file:///x",
        ] {
            assert_eq!(Source::parse(text).unwrap().address(), text);
        }
        let here = Source::parse(".").unwrap();
        assert!(Path::new(here.address()).is_absolute());
    }

    #[test]
    fn credentials_in_addresses_are_not_shown() {
        assert_eq!(without_user("https://u:s3cret@h:8/a/b"), "https://h:8/a/b");
        assert_eq!(without_user("git@h:a/b"), "git@h:a/b");
        let said = hide_users("fatal: unable to access 'https://u:s3cret@h/a/': no");
        assert_eq!(said, "fatal: unable to access 'https://h/a/': no");
        let refused = Source::parse("https://u:s3cret@host/a")
            .unwrap_err()
            .to_string();
        assert!(!refused.contains("s3cret"), "{refused}");
        let name = Source::parse("https://u@Host:8/a/b.git")
            .unwrap()
            .repository_name();
        assert_eq!(name.unwrap(), "host/a/b");
    }

    #[test]
    fn no_file_of_a_checkout_has_a_filter() {
        let repo = testkit::Repo::new("== a.txt\nx\n== .gitattributes\n*.txt filter=any\n");
        repo.commit_all();
        let git = |folder: &Path, words: &[&str]| {
            let mut git = std::process::Command::new("git");
            let done = git.args(words).current_dir(folder).output().unwrap();
            String::from_utf8(done.stdout).unwrap()
        };
        let commit = git(repo.path(), &["rev-parse", "HEAD"]);
        let around = tempfile::TempDir::new().unwrap();
        let source = Source::parse(repo.path().to_str().unwrap()).unwrap();
        let cancel = Cancel::default();
        let checkout = Checkout::create(around.path(), &source, commit.trim(), &cancel).unwrap();
        let said = git(checkout.path(), &["check-attr", "filter", "--", "a.txt"]);
        assert_eq!(said, "a.txt: filter: unset\n");
    }

    #[test]
    fn commits_are_named_in_full() {
        assert!(is_commit(&"0a".repeat(20)) && is_commit(&"0a".repeat(32)));
        for text in ["HEAD", "abc", &"0A".repeat(20), &"0g".repeat(20)] {
            assert!(!is_commit(text), "{text}");
        }
    }
}
