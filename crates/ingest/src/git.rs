//! The commit that is checked out, read from git's own files.

use guard::owner::{Owner, owner_of};
use std::fs;
use std::path::{Path, PathBuf};

/// The id of the commit at HEAD, if the project stands in a git repository that has one.
pub fn head_commit(root: &Path) -> Option<String> {
    let git = git_dir(root)?;
    let head = fs::read_to_string(git.join("HEAD")).ok()?;
    let head = head.trim();
    let Some(reference) = head.strip_prefix("ref: ") else {
        return commit_id(head);
    };
    let common = common_dir(&git);
    [git.join(reference), common.join(reference)]
        .iter()
        .find_map(|path| fs::read_to_string(path).ok())
        .and_then(|text| commit_id(text.trim()))
        .or_else(|| packed(&common, reference))
}

/// The git directory of the repository that holds `root`: a `.git` folder, or where a `.git` file
/// (worktrees, submodules) points.
pub fn git_dir(root: &Path) -> Option<PathBuf> {
    for folder in root.ancestors() {
        let git = folder.join(".git");
        // Where everybody may put a repository, one of another user is none.
        if owner_of(folder, ".git", None) == Some(Owner::Anybody) {
            continue;
        }
        if git.is_dir() {
            return Some(git);
        }
        if let Ok(text) = fs::read_to_string(&git) {
            let target = text.trim().strip_prefix("gitdir: ")?;
            return Some(folder.join(target));
        }
    }
    None
}

/// Whether the repository around `root` is a shallow clone: its history ends before its first commit.
pub fn is_shallow(root: &Path) -> bool {
    git_dir(root).is_some_and(|git| common_dir(&git).join("shallow").is_file())
}

/// The folder that all worktrees of the repository around `root` share.
pub(crate) fn common_folder(root: &Path) -> Option<PathBuf> {
    git_dir(root).map(|git| common_dir(&git))
}

/// Repositories that were cloned from each other on one machine are followed this far.
const MOST_ORIGINS: usize = 4;

/// What tells the repository around `root`, with all its worktrees and clones, from others: where it was cloned from,
/// or else its own folder. Passwords in addresses are no part of it.
pub(crate) fn identity(root: &Path) -> Option<Vec<u8>> {
    let mut common = common_folder(root)?.canonicalize().ok()?;
    for _ in 0..MOST_ORIGINS {
        let Some(origin) = origin(&common) else { break };
        match folder_of(&origin, &common) {
            None => return Some(normal(&origin).into_bytes()),
            Some(folder) => match bare_or_not(&folder) {
                Some(next) if next != common => common = next,
                _ => break,
            },
        }
    }
    Some(common.as_os_str().as_encoded_bytes().to_vec())
}

/// The address in the configuration of the remote `origin`.
fn origin(common: &Path) -> Option<String> {
    let text = fs::read_to_string(common.join("config")).ok()?;
    let mut inside = false;
    for line in text.lines().map(str::trim) {
        if line.starts_with('[') {
            let section: String = line.split_whitespace().collect();
            inside = section == "[remote\"origin\"]";
        } else if let Some((key, value)) = line.split_once('=').filter(|_| inside)
            && key.trim().eq_ignore_ascii_case("url")
        {
            let value = value.trim().trim_matches('"');
            return (!value.is_empty()).then(|| value.to_owned());
        }
    }
    None
}

/// The folder that an address means, if it is one.
fn folder_of(origin: &str, common: &Path) -> Option<PathBuf> {
    if let Some(path) = origin.strip_prefix("file://") {
        return Some(PathBuf::from(path));
    }
    let path = Path::new(origin);
    let relative = origin.starts_with("./") || origin.starts_with("../");
    match path.is_absolute() {
        true => Some(path.to_path_buf()),
        // Relative to the work tree.
        false => relative.then(|| common.parent().unwrap_or(common).join(path)),
    }
}

/// The git folder of a repository with files, or without.
fn bare_or_not(folder: &Path) -> Option<PathBuf> {
    let git = folder.join(".git");
    let found = match git.exists() {
        true => common_folder(folder)?,
        false => folder
            .join("HEAD")
            .is_file()
            .then(|| folder.to_path_buf())?,
    };
    found.canonicalize().ok()
}

/// An address without what may differ between clones: protocol, user, port, and how it ends.
fn normal(origin: &str) -> String {
    let (host, path) = match origin.split_once("://") {
        Some((_, rest)) => rest.split_once('/').unwrap_or((rest, "")),
        None => origin.split_once(':').unwrap_or(("", origin)),
    };
    let host = host.rsplit('@').next().unwrap_or(host);
    let host = host.split(':').next().unwrap_or(host).to_lowercase();
    let path = path.trim_matches('/');
    format!("{host}/{}", path.strip_suffix(".git").unwrap_or(path))
}

fn common_dir(git: &Path) -> PathBuf {
    match fs::read_to_string(git.join("commondir")) {
        Ok(text) => git.join(text.trim()),
        Err(_) => git.to_path_buf(),
    }
}

fn packed(common: &Path, reference: &str) -> Option<String> {
    let text = fs::read_to_string(common.join("packed-refs")).ok()?;
    text.lines().find_map(|line| {
        let (id, name) = line.split_once(' ')?;
        if name == reference {
            commit_id(id)
        } else {
            None
        }
    })
}

fn commit_id(text: &str) -> Option<String> {
    let hex = text.len() >= 40 && text.bytes().all(|b| b.is_ascii_hexdigit());
    hex.then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_are_known_by_where_they_come_from() {
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str, config: &str| {
            let git = folder.path().join(name).join(".git");
            fs::create_dir_all(&git).unwrap();
            fs::write(git.join("HEAD"), "ref: refs/heads/main\n").unwrap();
            fs::write(git.join("config"), config).unwrap();
            identity(&folder.path().join(name)).unwrap()
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
        let loose = id.replace('0', "f");
        fs::write(git.join("refs/heads/main"), &loose).unwrap();
        assert_eq!(head_commit(folder.path()), Some(loose));
        fs::write(git.join("HEAD"), id).unwrap();
        assert_eq!(
            head_commit(&folder.path().join(".git")).as_deref(),
            Some(id)
        );
    }
}
