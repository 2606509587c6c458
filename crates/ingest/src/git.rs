//! The checked-out commit, read from git's own files.
//!
//! Links in git's folder are followed, as git does. A target only counts if it looks like a file that git writes. It is
//! opened without blocking and read within limits.

use guard::owner::{Owner, owner_of};
use platform::RealPath;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// Largest file with a single line: `HEAD`, a reference, `commondir`, a `.git` file.
const MOST_LINE: u64 = 8 << 10;
/// Largest configuration of a repository.
const MOST_CONFIG: u64 = 1 << 20;
/// Largest list of packed references, which is read line by line.
const MOST_PACKED: u64 = 512 << 20;

/// The id of the commit at HEAD, if the project is in a git repository that has one.
pub fn head_commit(root: &Path) -> Option<String> {
    let git = git_dir(root)?;
    let head = read_single_line(&git.join("HEAD"))?;
    let Some(reference) = head.strip_prefix("ref: ") else {
        return parse_commit_id(&head);
    };
    let reference = reference.trim();
    if !is_safe_reference_name(reference) {
        return None;
    }
    let common = common_dir(&git);
    [git.join(reference), common.join(reference)]
        .iter()
        .find_map(|path| read_single_line(path))
        .and_then(|text| parse_commit_id(&text))
        .or_else(|| find_packed_ref(&common, reference))
}

/// The branch that is checked out; `HEAD` if a commit is checked out directly.
pub fn branch(root: &Path) -> Option<String> {
    let head = read_single_line(&git_dir(root)?.join("HEAD"))?;
    match head.strip_prefix("ref: ").map(str::trim) {
        Some(reference) if is_safe_reference_name(reference) => {
            let name = reference.strip_prefix("refs/heads/");
            Some(name.unwrap_or(reference).to_owned())
        }
        Some(_) => None,
        None => parse_commit_id(&head).map(|_| "HEAD".to_owned()),
    }
}

/// Contents of a file with one line. One that names a folder of another machine counts as missing: the file may have
/// come with a project.
fn read_single_line(path: &Path) -> Option<String> {
    let text = guard::file::read_user_text(path, MOST_LINE).ok()?;
    let text = text.trim();
    let named = text.strip_prefix("gitdir: ").unwrap_or(text);
    (!platform::file::asks_network(Path::new(named))).then(|| text.to_owned())
}

/// Whether the text names a reference, and nothing outside git's folder.
fn is_safe_reference_name(name: &str) -> bool {
    name.starts_with("refs/") && !name.contains('\\') && name.split('/').all(|part| part != "..")
}

/// The git directory of the repository that holds `root`: a `.git` folder, or the target of a `.git` file (worktrees,
/// submodules).
pub fn git_dir(root: &Path) -> Option<PathBuf> {
    for folder in root.ancestors() {
        let git = folder.join(".git");
        // In a folder that everybody may write to, a repository of another user does not count.
        if owner_of(folder, ".git", None) == Some(Owner::Anybody) {
            continue;
        }
        if git.is_dir() {
            let is_own = !git.is_symlink() || belongs_to(&git, folder);
            return (is_own && has_own_objects(&git)).then_some(git);
        }
        if let Some(text) = read_single_line(&git) {
            return resolve_gitdir_file(folder, &text);
        }
    }
    None
}

/// The folder that a `.git` file points to. Git must take it for a repository, and it must belong to `folder`: it lies
/// within, or says so itself. Otherwise a file shipped with a project could lead to any repository of the user.
fn resolve_gitdir_file(folder: &Path, text: &str) -> Option<PathBuf> {
    let git = folder.join(text.strip_prefix("gitdir: ")?);
    let common = common_dir(&git);
    let is_repository = git.join("HEAD").is_file()
        && common.join("objects").is_dir()
        && common.join("refs").is_dir();
    (is_repository && has_own_objects(&git) && belongs_to(&git, folder)).then_some(git)
}

/// Whether a git folder belongs to a worktree or submodule at `folder`, or lies within it.
fn belongs_to(git: &Path, folder: &Path) -> bool {
    let (Ok(inner), Ok(outer)) = (git.real_path(), folder.real_path()) else {
        return false;
    };
    let names = |path: PathBuf, named: &Path| path.real_path().is_ok_and(|path| path == named);
    // Git writes this for worktrees.
    let back = || {
        let text = read_single_line(&inner.join("gitdir"))?;
        let named = inner.join(text);
        let is_git = named.file_name().is_some_and(|name| name == ".git");
        (is_git && names(named.parent()?.to_path_buf(), &outer)).then_some(())
    };
    // Git writes this for submodules.
    let tree = || {
        let tree = setting(&inner, "[core]", "worktree")?;
        if platform::file::asks_network(Path::new(&tree)) {
            return None;
        }
        names(inner.join(tree), &outer).then_some(())
    };
    inner.starts_with(&outer) || back().is_some() || tree().is_some()
}

/// Whether the `.git` around `root` leads to a repository that does not belong to it.
pub(crate) fn leads_elsewhere(root: &Path) -> bool {
    let mut above = root.ancestors().map(|folder| folder.join(".git"));
    git_dir(root).is_none() && above.any(|git| git.exists())
}

/// The common folder of the repository whose top is `folder`; `None` if `folder` is not a top.
pub(crate) fn common_dir_of_top(folder: &Path) -> Option<PathBuf> {
    git_dir_of_top(folder).map(|git| common_dir(&git))
}

/// The git directory of the repository whose top is `folder`; `None` if `folder` is not a top.
pub(crate) fn git_dir_of_top(folder: &Path) -> Option<PathBuf> {
    let git = folder.join(".git");
    if git.is_dir() {
        has_own_objects(&git).then_some(git)
    } else {
        resolve_gitdir_file(folder, &read_single_line(&git)?)
    }
}

/// Bytes of an object's id in the repository with that git directory.
pub(crate) fn object_id_bytes(git: &Path) -> usize {
    let format = setting(&common_dir(git), "[extensions]", "objectformat");
    match format.as_deref() {
        Some("sha256") => crate::git_index::SHA256,
        _ => crate::git_index::SHA1,
    }
}

/// Whether the repository around `root` is a shallow clone: its history ends before its first commit.
pub fn is_shallow(root: &Path) -> bool {
    git_dir(root).is_some_and(|git| common_dir(&git).join("shallow").is_file())
}

/// The folder that all worktrees of the repository around `root` share.
pub(crate) fn common_dir_around(root: &Path) -> Option<PathBuf> {
    git_dir(root).map(|git| common_dir(&git))
}

/// Longest chain of local clones that is followed.
const MOST_ORIGINS: usize = 4;

/// Identity of the repository around `root`, shared by all its worktrees and clones: the address it was cloned from, or
/// else its own folder. Passwords in addresses are not part of it.
pub(crate) fn repository_identity(root: &Path) -> Option<Vec<u8>> {
    let mut common = common_dir_around(root)?.real_path().ok()?;
    for _ in 0..MOST_ORIGINS {
        let Some(origin) = read_origin_url(&common) else {
            break;
        };
        match origin_as_folder(&origin, &common) {
            None => return Some(normalize_origin_url(&origin).into_bytes()),
            Some(folder) => match git_dir_of_clone(&folder) {
                Some(next) if next != common => common = next,
                _ => break,
            },
        }
    }
    Some(common.as_os_str().as_encoded_bytes().to_vec())
}

/// The public name of the repository around `root`: the address of its `origin`, without protocol, user, port and
/// ending. `None` if it has no `origin`, or if that is a folder of this machine.
pub fn origin_name(root: &Path) -> Option<String> {
    let common = common_dir_around(root)?;
    let origin = read_origin_url(&common)?;
    let is_folder = origin_as_folder(&origin, &common).is_some();
    (!is_folder).then(|| normalize_origin_url(&origin))
}

/// The name of the repository at an address, the same as [`origin_name`] returns for clones of it.
pub fn name_of_address(address: &str) -> String {
    normalize_origin_url(address)
}

/// The address in the configuration of the remote `origin`.
fn read_origin_url(common: &Path) -> Option<String> {
    setting(common, "[remote\"origin\"]", "url")
}

/// The first value of that name in a section of a repository's configuration.
fn setting(common: &Path, wanted: &str, name: &str) -> Option<String> {
    let text = guard::file::read_user_text(&common.join("config"), MOST_CONFIG).ok()?;
    let mut inside = false;
    for line in text.lines().map(str::trim) {
        if line.starts_with('[') {
            let section: String = line.split_whitespace().collect();
            inside = section == wanted;
        } else if let Some((key, value)) = line.split_once('=').filter(|_| inside)
            && key.trim().eq_ignore_ascii_case(name)
        {
            let value = value.trim().trim_matches('"');
            return (!value.is_empty()).then(|| value.to_owned());
        }
    }
    None
}

/// The folder that an address refers to, if it is one.
fn origin_as_folder(origin: &str, common: &Path) -> Option<PathBuf> {
    if platform::file::asks_network(Path::new(origin)) {
        return None;
    }
    if let Some(path) = origin.strip_prefix("file://") {
        return Some(platform::file::from_uri_path(path));
    }
    let path = Path::new(origin);
    let relative = origin.starts_with("./") || origin.starts_with("../");
    if path.is_absolute() {
        Some(path.to_path_buf())
    } else {
        // Relative to the work tree.
        relative.then(|| common.parent().unwrap_or(common).join(path))
    }
}

/// The git folder of a repository, with a work tree or bare.
fn git_dir_of_clone(folder: &Path) -> Option<PathBuf> {
    let git = folder.join(".git");
    let found = if git.exists() {
        common_dir_around(folder)?
    } else {
        folder
            .join("HEAD")
            .is_file()
            .then(|| folder.to_path_buf())?
    };
    found.real_path().ok()
}

/// An address without the parts that may differ between clones, or that are private: protocol, user, password or token,
/// port, query, and ending.
fn normalize_origin_url(origin: &str) -> String {
    let (host, path) = match origin.split_once("://") {
        Some((_, rest)) => {
            let rest = rest.split(['?', '#']).next().unwrap_or(rest);
            split_url(rest)
        }
        None => {
            // user:token@host:path; a path may have an @ as well.
            let head = origin.split('/').next().unwrap_or(origin);
            let rest = head.rfind('@').map_or(origin, |at| &origin[at + 1..]);
            rest.split_once(':').unwrap_or(("", rest))
        }
    };
    let host = without_port(host).to_lowercase();
    let path = path.trim_matches('/');
    format!("{host}/{}", path.strip_suffix(".git").unwrap_or(path))
}

/// The host, with its port, and the path of an address without protocol.
fn split_url(address: &str) -> (&str, &str) {
    let (mut host, mut path) = address.split_once('/').unwrap_or((address, ""));
    // A password with a slash makes an invalid address, and still is not part of the name.
    let is_port = |text: &str| text.chars().all(|c| c.is_ascii_digit());
    let is_cut = !host.contains('@') && host.rsplit_once(':').is_some_and(|(_, p)| !is_port(p));
    if is_cut
        && !host.starts_with('[')
        && let Some(at) = path.rfind('@')
    {
        (host, path) = path[at + 1..]
            .split_once('/')
            .unwrap_or((&path[at + 1..], ""));
    }
    (host.rsplit('@').next().unwrap_or(host), path)
}

fn without_port(host: &str) -> &str {
    match host.split_once(']') {
        // An IPv6 address.
        Some((inside, _)) if host.starts_with('[') => &host[..=inside.len()],
        _ => host.split(':').next().unwrap_or(host),
    }
}

/// Whether the common folder of a git folder belongs to the repository that contains it. Git puts the files of a
/// worktree into `worktrees/NAME` there.
fn has_own_objects(git: &Path) -> bool {
    let common = common_dir(git);
    if common == git {
        return true;
    }
    let (Ok(git), Ok(common)) = (git.real_path(), common.real_path()) else {
        return false;
    };
    git.starts_with(common)
}

/// The folder that all worktrees of a git directory share.
pub(crate) fn common_dir(git: &Path) -> PathBuf {
    match read_single_line(&git.join("commondir")) {
        Some(text) => git.join(text),
        None => git.to_path_buf(),
    }
}

fn find_packed_ref(common: &Path, reference: &str) -> Option<String> {
    let file = guard::open_user_file(&common.join("packed-refs"), MOST_PACKED).ok()?;
    let mut lines = Lines::new(file);
    while let Some(line) = lines.next()? {
        if let Some((id, name)) = line.split_once(' ')
            && name == reference
        {
            return parse_commit_id(id);
        }
    }
    None
}

/// The lines of a file, read one at a time, however long the file is.
struct Lines {
    file: BufReader<File>,
    line: Vec<u8>,
}

impl Lines {
    fn new(file: File) -> Lines {
        Lines {
            file: BufReader::with_capacity(1 << 16, file),
            line: Vec::new(),
        }
    }

    /// The next line, `Some(None)` at the end; `None` if the file is not a list of lines.
    fn next(&mut self) -> Option<Option<&str>> {
        self.line.clear();
        let mut bounded = (&mut self.file).take(MOST_LINE);
        let read = bounded.read_until(b'\n', &mut self.line).ok()?;
        if read == 0 {
            return Some(None);
        }
        if read as u64 == MOST_LINE {
            return None;
        }
        // Names may have any bytes; lines that are not UTF-8 are skipped.
        Some(Some(
            std::str::from_utf8(&self.line).unwrap_or("").trim_end(),
        ))
    }
}

fn parse_commit_id(text: &str) -> Option<String> {
    let hex = text.len() >= 40 && text.bytes().all(|b| b.is_ascii_hexdigit());
    hex.then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn clones_are_known_by_where_they_come_from() {
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str, config: &str| {
            let git = folder.path().join(name).join(".git");
            fs::create_dir_all(&git).unwrap();
            fs::write(git.join("HEAD"), "ref: refs/heads/main\n").unwrap();
            fs::write(git.join("config"), config).unwrap();
            repository_identity(&folder.path().join(name)).unwrap()
        };
        let of =
            |url: &str| format!("[core]\n\tbare = false\n[remote \"origin\"]\n\turl = {url}\n");
        let first = put(
            "first",
            &of("https://user:secret@Example.com/team/shop.git"),
        );
        for (name, url) in [
            ("second", "git@example.com:team/shop.git"),
            ("third", "ssh://git@example.com:2222/team/shop/"),
            ("fourth", "../first"),
        ] {
            assert_eq!(put(name, &of(url)), first, "{name}");
        }
        assert!(!String::from_utf8_lossy(&first).contains("secret"));
        let path = folder.path().join("first").display().to_string();
        assert_eq!(put("fifth", &of(&path)), first);
        for (name, config) in [
            ("other", of("https://example.com/team/other.git")),
            ("alone", String::new()),
            (
                "fork",
                "[remote \"upstream\"]\n\turl = git@example.com:team/shop.git\n".to_owned(),
            ),
            ("itself", of(".")),
        ] {
            assert_ne!(put(name, &config), first, "{name}");
        }
        assert_ne!(put("alone", ""), put("lonely", ""));
    }

    #[test]
    fn a_name_has_no_credentials_and_no_port() {
        for address in [
            "https://example.com/team/shop",
            "https://ann:s3cret@Example.com:8443/team/shop.git",
            "https://ann:s3/cret@example.com/team/shop.git",
            "https://example.com/team/shop.git?token=s3cret#s3cret",
            "ssh://git@example.com:2222/team/shop/",
            "git@example.com:team/shop.git",
            "oauth2:s3cret@example.com:team/shop.git",
        ] {
            assert_eq!(
                name_of_address(address),
                "example.com/team/shop",
                "{address}"
            );
        }
        let name = name_of_address("ssh://git@[2001:DB8::1]:2222/team/shop.git");
        assert_eq!(name, "[2001:db8::1]/team/shop");
        let name = name_of_address("https://example.com/@scope/shop.git");
        assert_eq!(name, "example.com/@scope/shop");
    }

    #[test]
    fn head_is_read_loose_packed_and_detached() {
        let folder = tempfile::tempdir().unwrap();
        let git = folder.path().join(".git");
        fs::create_dir_all(git.join("refs/heads")).unwrap();
        let id = "0123456789abcdef0123456789abcdef01234567";
        assert_eq!(head_commit(folder.path()), None);
        fs::write(git.join("HEAD"), "ref: refs/heads/main\n").unwrap();
        assert_eq!(head_commit(folder.path()), None);
        fs::write(
            git.join("packed-refs"),
            format!("# pack-refs\n{id} refs/heads/main\n"),
        )
        .unwrap();
        assert_eq!(head_commit(folder.path()).as_deref(), Some(id));
        assert_eq!(branch(folder.path()).as_deref(), Some("main"));
        let loose = id.replace('0', "f");
        fs::write(git.join("refs/heads/main"), &loose).unwrap();
        assert_eq!(head_commit(folder.path()), Some(loose));
        fs::write(git.join("HEAD"), id).unwrap();
        assert_eq!(branch(folder.path()).as_deref(), Some("HEAD"));
        assert_eq!(
            head_commit(&folder.path().join(".git")).as_deref(),
            Some(id)
        );
    }

    #[test]
    fn what_git_would_not_take_is_no_repository() {
        let folder = tempfile::tempdir().unwrap();
        let id = "0123456789abcdef0123456789abcdef01234567";
        let project = folder.path().join("project");
        let other = folder.path().join("other");
        fs::create_dir_all(&project).unwrap();
        fs::create_dir_all(&other).unwrap();
        fs::write(other.join("HEAD"), id).unwrap();
        fs::write(project.join(".git"), "gitdir: ../other\n").unwrap();
        assert_eq!(git_dir(&project), None);
        fs::create_dir_all(other.join("objects")).unwrap();
        fs::create_dir_all(other.join("refs")).unwrap();
        // It belongs to another project until it names this one, as a submodule or a worktree does.
        assert_eq!(git_dir(&project), None);
        assert!(leads_elsewhere(&project));
        fs::write(other.join("config"), "[core]\n\tworktree = ../project\n").unwrap();
        assert_eq!(head_commit(&project).as_deref(), Some(id));
        fs::write(other.join("config"), "[core]\n\tworktree = ../first\n").unwrap();
        assert_eq!(git_dir(&project), None);
        fs::write(
            other.join("gitdir"),
            project.join(".git").display().to_string(),
        )
        .unwrap();
        assert_eq!(head_commit(&project).as_deref(), Some(id));
        fs::write(
            project.join(".git"),
            format!("gitdir: ../other{}", " ".repeat(9_000)),
        )
        .unwrap();
        assert_eq!(git_dir(&project), None);
    }

    #[test]
    fn objects_of_another_repository_are_not_borrowed() {
        let folder = tempfile::tempdir().unwrap();
        let id = "0123456789abcdef0123456789abcdef01234567";
        let private = folder.path().join("private/.git");
        let git = folder.path().join("project/.git");
        for git in [&private, &git] {
            fs::create_dir_all(git.join("objects")).unwrap();
            fs::create_dir_all(git.join("refs/heads")).unwrap();
            fs::write(git.join("HEAD"), "ref: refs/heads/main\n").unwrap();
        }
        fs::write(private.join("refs/heads/main"), id).unwrap();
        let project = folder.path().join("project");
        fs::write(git.join("commondir"), private.display().to_string()).unwrap();
        assert_eq!((git_dir(&project), head_commit(&project)), (None, None));
        fs::remove_file(git.join("commondir")).unwrap();
        assert_eq!(git_dir(&project), Some(git.clone()));
        #[cfg(unix)]
        {
            fs::remove_dir_all(&git).unwrap();
            std::os::unix::fs::symlink(&private, &git).unwrap();
            assert_eq!((git_dir(&project), head_commit(&project)), (None, None));
        }
    }

    fn opened(root: &Path) -> Result<gix::Repository, crate::history::HistoryError> {
        let effort = crate::effort::Effort::for_comparison(&base::Cancel::default());
        crate::repository::open_checked(root, &effort)
    }

    #[test]
    fn worktrees_and_submodules_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let git = |at: &Path, arguments: &[&str]| {
            let done = std::process::Command::new("git")
                .args(["-c", "user.name=Ada", "-c", "user.email=ada@example.org"])
                .args(["-c", "protocol.file.allow=always"])
                .args(arguments)
                .current_dir(at)
                .env("GIT_CONFIG_GLOBAL", "/dev/null")
                .output()
                .unwrap();
            assert!(done.status.success(), "{arguments:?} {done:?}");
        };
        let (inner, outer) = (folder.path().join("inner"), folder.path().join("outer"));
        for at in [&inner, &outer] {
            fs::create_dir_all(at).unwrap();
            git(at, &["init", "-q", "-b", "main"]);
            git(at, &["commit", "-q", "--allow-empty", "-m", "first"]);
        }
        git(
            &outer,
            &["submodule", "--quiet", "add", "../inner", "below/part"],
        );
        git(&outer, &["commit", "-q", "-m", "second"]);
        git(&outer, &["worktree", "add", "-q", "../beside"]);
        let beside = folder.path().join("beside");
        git(&beside, &["submodule", "--quiet", "update", "--init"]);
        let part = outer.join("below/part");
        assert!(part.join(".git").is_file() && beside.join(".git").is_file());
        assert_eq!(head_commit(&part), head_commit(&inner));
        assert_eq!(head_commit(&beside), head_commit(&outer));
        assert_eq!(head_commit(&beside.join("below/part")), head_commit(&inner));
        assert!(opened(&part).is_ok());
        assert!(opened(&beside).is_ok());
        assert!(opened(&beside.join("below/part")).is_ok());
        // The same files in another folder.
        let copied = folder.path().join("copied");
        fs::create_dir_all(&copied).unwrap();
        let text = format!("gitdir: {}", outer.join(".git").display());
        fs::write(copied.join(".git"), text).unwrap();
        assert!(leads_elsewhere(&copied));
        let refused = opened(&copied);
        assert!(matches!(
            refused,
            Err(crate::history::HistoryError::Elsewhere(_))
        ));
    }

    #[test]
    fn a_git_folder_kept_elsewhere_is_read_once_it_names_the_project() {
        let folder = tempfile::tempdir().unwrap();
        let git = |at: &Path, arguments: &[&str]| {
            let done = std::process::Command::new("git")
                .args(arguments)
                .current_dir(at)
                .env("GIT_CONFIG_GLOBAL", "/dev/null")
                .output()
                .unwrap();
            assert!(done.status.success(), "{arguments:?} {done:?}");
        };
        let (kept, project) = (
            folder.path().join("kept.git"),
            folder.path().join("project"),
        );
        let separate = format!("--separate-git-dir={}", kept.display());
        git(folder.path(), &["init", "-q", &separate, "project"]);
        let refused = opened(&project).err().unwrap();
        assert!(leads_elsewhere(&project));
        assert!(
            refused.to_string().contains("git config core.worktree"),
            "{refused}"
        );
        git(
            &project,
            &["config", "core.worktree", &project.display().to_string()],
        );
        assert!(opened(&project).is_ok());
    }

    #[test]
    fn references_stay_in_the_folder_of_git() {
        let folder = tempfile::tempdir().unwrap();
        let git = folder.path().join(".git");
        fs::create_dir_all(git.join("refs")).unwrap();
        fs::write(folder.path().join("secret"), "f".repeat(40)).unwrap();
        for reference in ["refs/../../secret", "../secret", "/etc/hostname", "config"] {
            fs::write(git.join("HEAD"), format!("ref: {reference}\n")).unwrap();
            assert_eq!(head_commit(folder.path()), None, "{reference}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn nothing_blocks_and_nothing_is_read_without_end() {
        let folder = tempfile::tempdir().unwrap();
        let git = folder.path().join(".git");
        testkit::make_fifo(&git);
        assert_eq!(head_commit(folder.path()), None);
        fs::remove_file(&git).unwrap();
        std::os::unix::fs::symlink("/dev/zero", &git).unwrap();
        assert_eq!(head_commit(folder.path()), None);
        fs::remove_file(&git).unwrap();
        fs::create_dir_all(&git).unwrap();
        for name in ["HEAD", "packed-refs", "commondir", "config"] {
            fs::write(git.join("HEAD"), "ref: refs/heads/main\n").unwrap();
            let path = git.join(name);
            let _ = fs::remove_file(&path);
            testkit::make_fifo(&path);
            assert_eq!(head_commit(folder.path()), None, "{name}");
            fs::remove_file(&path).unwrap();
            std::os::unix::fs::symlink("/dev/zero", &path).unwrap();
            assert_eq!(head_commit(folder.path()), None, "{name}");
            fs::remove_file(&path).unwrap();
        }
        let file = File::create(git.join("packed-refs")).unwrap();
        fs::write(git.join("HEAD"), "ref: refs/heads/main\n").unwrap();
        file.set_len(MOST_PACKED).unwrap();
        assert_eq!(head_commit(folder.path()), None);
    }
}
