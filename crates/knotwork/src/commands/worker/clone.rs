//! Clones one commit of a repository with git, and runs nothing of the repository.

use super::git::{Failure, Git, PROTOCOLS, without_user};
use engine::{Cancel, EngineError};
use platform::RealPath;
use std::path::{Path, PathBuf};

/// Attributes with precedence over those of the repository: no file passes through a filter, whatever filters the user has
/// configured.
const ATTRIBUTES: &str = "* -filter\n";

/// The repository that is cloned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Source {
    address: String,
}

impl Source {
    /// Accepts a URL of a known protocol, `user@host:path`, or a folder, which is made absolute.
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
            // Some hosts take a token as the user name. It would stand in the queue, where others can read it.
            let is_secret = |user: &str| user.contains(':') || (protocol != "ssh" && user != "git");
            if host
                .rsplit_once('@')
                .is_some_and(|(user, _)| is_secret(user))
            {
                return Err(refused(
                    "its address holds a user name or a password; leave them out, and git takes them from its own settings",
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
        let folder = folder.real_path();
        let folder = folder.map_err(|e| refused(&format!("{text}: {e}")))?;
        match folder.to_str() {
            Some(address) => Ok(Source {
                address: address.to_owned(),
            }),
            None => Err(refused("the folder's name is not UTF-8")),
        }
    }

    /// The address that is passed to git.
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

    /// The name in the shared store, derived from the address.
    pub(super) fn repository_name(&self) -> Option<String> {
        match self.folder() {
            Some(folder) => engine::repository_name_of_folder(folder),
            None => Some(engine::repository_name_of_address(&self.address)),
        }
    }

    /// The full number of the commit that a reference names in the remote: a branch, or else a tag, as in `git clone --branch`. Git
    /// runs in the folder `around`.
    pub(super) fn resolve(
        &self,
        reference: &str,
        around: &Path,
        cancel: &Cancel,
    ) -> Result<String, EngineError> {
        if is_commit(reference) {
            return Ok(reference.to_owned());
        }
        let refused = || {
            EngineError::bad_arguments(format!(
                "{} has no {reference}",
                without_user(&self.address)
            ))
        };
        if !is_reference(reference) {
            return Err(refused());
        }
        create_folder(around)?;
        let names = full_names(reference);
        let mut words = vec!["ls-remote", "--", &self.address];
        words.extend(names.iter().map(String::as_str));
        let output = Git::in_folder(around, cancel)?.run_step(&words)?;
        // Git also lists references that only end with the name.
        let found: Vec<(&str, &str)> = output
            .lines()
            .filter_map(|line| line.split_once('\t'))
            .collect();
        let commit = |name: &String| {
            let found = found.iter().find(|(_, found)| found == name)?;
            is_commit(found.0).then(|| found.0.to_owned())
        };
        names.iter().find_map(commit).ok_or_else(refused)
    }
}

/// The full names that a reference may mean; the first that exists counts. An annotated tag is an object of its own, and `^{}` is
/// the commit that it names.
fn full_names(reference: &str) -> Vec<String> {
    if reference == "HEAD" {
        return vec![reference.to_owned()];
    }
    if reference.starts_with("refs/") {
        return vec![format!("{reference}^{{}}"), reference.to_owned()];
    }
    vec![
        format!("refs/heads/{reference}"),
        format!("refs/tags/{reference}^{{}}"),
        format!("refs/tags/{reference}"),
    ]
}

/// Whether a text can be the name of a reference. Others are patterns, or options: see git-check-ref-format(1).
fn is_reference(text: &str) -> bool {
    let is_odd = |c: char| c.is_control() || " ~^:?*[\\".contains(c);
    let is_part =
        |part: &str| !part.is_empty() && !part.starts_with('.') && !part.ends_with(".lock");
    !text.starts_with('-')
        && !text.ends_with('.')
        && !text.contains(is_odd)
        && !text.contains("..")
        && !text.contains("@{")
        && text.split('/').all(is_part)
}

/// Whether a text is a commit's full number.
fn is_commit(text: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
    matches!(text.len(), 40 | 64) && text.chars().all(is_digit)
}

fn create_folder(folder: &Path) -> Result<(), EngineError> {
    guard::state::create_private_folders(folder)
        .map_err(|e| EngineError::runtime_failure(format!("{}: {e}", folder.display())))
}

/// The files of one commit and their index, in a folder that is removed on drop.
pub(super) struct Checkout {
    around: PathBuf,
    folder: PathBuf,
}

impl Checkout {
    /// Fetches only that commit if the source allows it, else everything.
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
        for folder in [checkout.path(), checkout.state_dir()] {
            guard::state::create_private_folder(&folder).map_err(|e| failed(&e))?;
        }
        checkout.fill(source.address(), commit, cancel)?;
        Ok(checkout)
    }

    fn fill(&self, address: &str, commit: &str, cancel: &Cancel) -> Result<(), EngineError> {
        let folder = self.path();
        let git = Git::in_own_folder(&folder, cancel)?;
        git.run_step(&["init", "--quiet"])?;
        let info = folder.join(".git/info");
        create_folder(&info)?;
        guard::state::replace_file(&info.join("attributes"), ATTRIBUTES.as_bytes())
            .map_err(|e| EngineError::runtime_failure(format!("{}: {e}", folder.display())))?;
        git.run_step(&["remote", "add", "origin", address])?;
        let alone = [
            "fetch",
            "--quiet",
            "--no-tags",
            "--depth=1",
            "origin",
            commit,
        ];
        match git.run_step(&alone) {
            Ok(_) => {}
            Err(Failure::Git(_)) => {
                git.run_step(&[
                    "fetch",
                    "--quiet",
                    "--tags",
                    "origin",
                    "+refs/heads/*:refs/remotes/origin/*",
                ])?;
            }
            Err(ended) => return Err(ended.into()),
        }
        git.check_size(commit)?;
        git.run_step(&["checkout", "--quiet", "--detach", commit, "--"])?;
        Ok(())
    }

    /// The folder of the files.
    pub(super) fn path(&self) -> PathBuf {
        self.folder.join("files")
    }

    /// The folder for the index. It lies beside the files, where no link of the commit can redirect it.
    pub(super) fn state_dir(&self) -> PathBuf {
        self.folder.join("index")
    }
}

impl Drop for Checkout {
    fn drop(&mut self) {
        // Files that cannot be removed are left.
        let _ = guard::state::remove_folder_below(&self.around, &self.folder);
    }
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
        let refused = Source::parse("https://u:s3cret@host/a")
            .unwrap_err()
            .to_string();
        assert!(!refused.contains("s3cret"), "{refused}");
        for text in ["https://ghp_s3cret@h/x", "http://u@h/x", "git://u@h/x"] {
            let refused = Source::parse(text).unwrap_err().to_string();
            assert!(!refused.contains("s3cret"), "{refused}");
        }
        let name = Source::parse("https://git@Host:8/a/b.git")
            .unwrap()
            .repository_name();
        assert_eq!(name.unwrap(), "host/a/b");
    }

    #[test]
    fn no_file_of_a_checkout_has_a_filter() {
        let repo = testkit::Repo::new("//- a.txt\nx\n//- .gitattributes\n*.txt filter=any\n");
        repo.commit_all();
        let commit = git(repo.path(), &["rev-parse", "HEAD"]);
        let around = tempfile::TempDir::new().unwrap();
        let source = Source::parse(repo.path().to_str().unwrap()).unwrap();
        let cancel = Cancel::default();
        let checkout = Checkout::create(around.path(), &source, &commit, &cancel).unwrap();
        let said = git(&checkout.path(), &["check-attr", "filter", "--", "a.txt"]);
        assert_eq!(said, "a.txt: filter: unset");
    }

    /// Runs git in a repository.
    fn git(folder: &Path, words: &[&str]) -> String {
        let mut git = std::process::Command::new("git");
        git.args(["-c", "user.name=a", "-c", "user.email=a@b"]);
        let done = git.args(words).current_dir(folder).output().unwrap();
        String::from_utf8(done.stdout).unwrap().trim().to_owned()
    }

    #[test]
    fn references_lead_to_commits_and_branches_come_first() {
        let repo = testkit::Repo::new("//- a.txt\nx\n");
        repo.commit_all();
        let first = git(repo.path(), &["rev-parse", "HEAD"]);
        for words in [
            &["tag", "-a", "-m", "text", "v1.0"][..],
            &["tag", "main"],
            &["tag", "deep/v1.0"],
        ] {
            git(repo.path(), words);
        }
        repo.write("a.txt", "y\n");
        git(repo.path(), &["commit", "-a", "-m", "second"]);
        let second = git(repo.path(), &["rev-parse", "HEAD"]);
        assert_ne!(first, second);
        git(repo.path(), &["branch", "-f", "main", &second]);
        git(repo.path(), &["branch", "deep/main"]);
        let around = tempfile::TempDir::new().unwrap();
        let source = Source::parse(repo.path().to_str().unwrap()).unwrap();
        let resolve =
            |reference: &str| source.resolve(reference, around.path(), &Cancel::default());
        for (reference, commit) in [
            ("HEAD", &second),
            ("main", &second),
            ("v1.0", &first),
            ("refs/tags/v1.0", &first),
            ("refs/tags/main", &first),
            ("refs/heads/main", &second),
        ] {
            assert_eq!(
                resolve(reference).ok().as_ref(),
                Some(commit),
                "{reference}"
            );
        }
        for none in [
            "v*", "v1.?", "[v]1.0", "1.0", "", "-h", "v1.0^{}", "a..b", "@{u}", "heads",
        ] {
            assert!(resolve(none).is_err(), "{none}");
        }
        // A tag's own object is no commit.
        let object = git(repo.path(), &["rev-parse", "v1.0"]);
        let refused = Checkout::create(around.path(), &source, &object, &Cancel::default());
        let refused = refused.err().unwrap().to_string();
        assert!(refused.contains("no commit"), "{refused}");
        let unknown = "0a".repeat(20);
        let refused = Checkout::create(around.path(), &source, &unknown, &Cancel::default());
        let refused = refused.err().unwrap().to_string();
        assert!(refused.contains("no such commit"), "{refused}");
    }

    #[test]
    fn a_commit_that_a_little_data_makes_large_is_not_checked_out() {
        let repo = testkit::Repo::new("//- a/a.txt\nx\n");
        repo.commit_all();
        // The same folder many times within itself.
        let mut entry = format!(
            "100644 blob {}\tf",
            git(repo.path(), &["hash-object", "-w", "a/a.txt"])
        );
        for _ in 0..6 {
            let lines: Vec<String> = (0..10).map(|at| format!("{entry}{at}\n")).collect();
            std::fs::write(repo.path().join("lines"), lines.concat()).unwrap();
            let mut make = std::process::Command::new("git");
            let lines = std::fs::File::open(repo.path().join("lines")).unwrap();
            make.arg("mktree").current_dir(repo.path()).stdin(lines);
            let tree = String::from_utf8(make.output().unwrap().stdout).unwrap();
            entry = format!("040000 tree {}\tf", tree.trim());
        }
        let tree = entry.split([' ', '\t']).nth(2).unwrap().to_owned();
        let commit = git(repo.path(), &["commit-tree", "-m", "many", &tree]);
        git(repo.path(), &["branch", "-f", "many", &commit]);
        let around = tempfile::TempDir::new().unwrap();
        let source = Source::parse(repo.path().to_str().unwrap()).unwrap();
        let refused = Checkout::create(around.path(), &source, &commit, &Cancel::default());
        let refused = refused.err().unwrap().to_string();
        assert!(refused.contains("too much"), "{refused}");
        assert!(around.path().read_dir().unwrap().next().is_none());
    }

    #[cfg(unix)]
    #[test]
    fn no_link_of_a_commit_leads_to_the_place_of_its_index() {
        let elsewhere = tempfile::TempDir::new().unwrap();
        let repo = testkit::Repo::new("//- a.txt\nx\n");
        for name in [".devbooks", "index"] {
            std::os::unix::fs::symlink(elsewhere.path(), repo.path().join(name)).unwrap();
        }
        repo.commit_all();
        let commit = git(repo.path(), &["rev-parse", "HEAD"]);
        let around = tempfile::TempDir::new().unwrap();
        let source = Source::parse(repo.path().to_str().unwrap()).unwrap();
        let checkout =
            Checkout::create(around.path(), &source, &commit, &Cancel::default()).unwrap();
        assert!(checkout.path().join("index").is_symlink());
        let state = checkout.state_dir().canonicalize().unwrap();
        assert!(state.starts_with(around.path().canonicalize().unwrap()));
        assert!(!state.starts_with(checkout.path()));
    }

    #[test]
    fn a_job_that_is_given_up_runs_no_git() {
        let repo = testkit::Repo::new("//- a.txt\nx\n");
        repo.commit_all();
        let commit = git(repo.path(), &["rev-parse", "HEAD"]);
        let around = tempfile::TempDir::new().unwrap();
        let source = Source::parse(repo.path().to_str().unwrap()).unwrap();
        let cancel = Cancel::default();
        cancel.set();
        let ended = Checkout::create(around.path(), &source, &commit, &cancel);
        assert!(ended.err().unwrap().to_string().contains("given up"));
    }

    #[test]
    fn commits_are_named_in_full() {
        assert!(is_commit(&"0a".repeat(20)) && is_commit(&"0a".repeat(32)));
        for text in ["HEAD", "abc", &"0A".repeat(20), &"0g".repeat(20)] {
            assert!(!is_commit(text), "{text}");
        }
    }
}
