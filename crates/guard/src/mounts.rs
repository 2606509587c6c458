//! Finds the file systems that a folder and its contents belong to, if the system tells.

use std::path::{Path, PathBuf};

/// Kinds of file systems that only this machine changes, so that it reports every change. File systems of other
/// machines, and those that a program emulates, are excluded.
const LOCAL: &str = include_str!("local_filesystems.txt");

/// A file system at its mount point.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Mount {
    place: PathBuf,
    kind: String,
    /// Its number, its device, and which of its folders is mounted.
    identity: String,
}

/// The file systems at, above and beneath a folder. If two values are equal, nothing was mounted or unmounted there in
/// between.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Mounts {
    mounts: Vec<Mount>,
    root: PathBuf,
}

impl Mounts {
    /// Current mounts of a folder; `None` if the system does not tell.
    #[cfg(target_os = "linux")]
    pub fn below(folder: &Path) -> Option<Mounts> {
        let list = crate::holder::read_proc_file("/proc/self/mountinfo")?;
        Some(Mounts::parse(&list, folder))
    }

    /// Other systems tell at most what the folder itself is on.
    #[cfg(not(target_os = "linux"))]
    pub fn below(folder: &Path) -> Option<Mounts> {
        let kind = platform::file::network_disk(folder)?;
        let mount = Mount {
            place: folder.to_path_buf(),
            kind: kind.to_owned(),
            identity: String::new(),
        };
        Some(Mounts {
            mounts: vec![mount],
            root: folder.to_path_buf(),
        })
    }

    /// Kind and place of a file system, at or beneath the folder, that others may change without a notice.
    pub fn find_remote(&self) -> Option<(&str, &Path)> {
        let above = |mount: &&Mount| self.root.starts_with(&mount.place);
        let depth = |mount: &&Mount| mount.place.components().count();
        // Of several mounts at one place, the last one is on top.
        let own = self.mounts.iter().filter(above).max_by_key(depth);
        let beneath = self.mounts.iter().filter(|mount| !above(mount));
        let remote = own
            .into_iter()
            .chain(beneath)
            .find(|mount| !is_local(&mount.kind));
        remote.map(|mount| (mount.kind.as_str(), mount.place.as_path()))
    }

    #[cfg(any(target_os = "linux", test))]
    fn parse(list: &str, root: &Path) -> Mounts {
        let concerns =
            |mount: &Mount| root.starts_with(&mount.place) || mount.place.starts_with(root);
        Mounts {
            mounts: list
                .lines()
                .filter_map(parse_mount_line)
                .filter(concerns)
                .collect(),
            root: root.to_path_buf(),
        }
    }
}

fn is_local(kind: &str) -> bool {
    let lines = LOCAL.lines().filter(|line| !line.starts_with("# "));
    lines
        .flat_map(str::split_whitespace)
        .any(|local| local == kind)
}

/// A line such as `36 35 98:0 /inside /mnt/a rw,noatime master:1 - ext4 /dev/root rw`.
#[cfg(any(target_os = "linux", test))]
fn parse_mount_line(line: &str) -> Option<Mount> {
    let (mount, system) = line.split_once(" - ")?;
    let words: Vec<&str> = mount.split(' ').take(5).collect();
    let [number, _, device, inside, place] = words[..] else {
        return None;
    };
    Some(Mount {
        place: unescape(place),
        kind: system.split(' ').next()?.to_owned(),
        identity: format!("{number} {device} {inside}"),
    })
}

/// Decodes a path, in which blanks, tabs, line ends and backslashes are written like `\040`.
#[cfg(any(target_os = "linux", test))]
fn unescape(place: &str) -> PathBuf {
    let mut out = String::with_capacity(place.len());
    let mut rest = place;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let code = rest.get(at + 1..at + 4);
        match code.and_then(|code| u8::from_str_radix(code, 8).ok()) {
            Some(byte) if byte.is_ascii() => {
                out.push(char::from(byte));
                rest = &rest[at + 4..];
            }
            _ => {
                out.push('\\');
                rest = &rest[at + 1..];
            }
        }
    }
    out.push_str(rest);
    out.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "27 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n\
        30 27 0:30 / /homes rw - nfs4 box:/homes rw\n\
        31 27 0:31 /x /srv/a\\040b rw master:1 - xfs /dev/vdb rw\n\
        32 31 0:32 / /srv/a\\040b/gen rw - fuse.sshfs far: rw\n\
        a line of another shape\n";

    fn mounts_below(root: &str) -> Mounts {
        Mounts::parse(LIST, Path::new(root))
    }

    #[test]
    fn systems_of_other_machines_are_told_from_those_of_this_one() {
        assert_eq!(mounts_below("/opt/project").find_remote(), None);
        assert_eq!(mounts_below("/homestead").find_remote(), None);
        let home = mounts_below("/homes/project");
        assert_eq!(home.find_remote(), Some(("nfs4", Path::new("/homes"))));
        let beneath = mounts_below("/srv/a b");
        assert_eq!(
            beneath.find_remote(),
            Some(("fuse.sshfs", Path::new("/srv/a b/gen")))
        );
        // A mount beside the folder does not concern it.
        assert_eq!(mounts_below("/srv/a b/src").find_remote(), None);
    }

    #[test]
    fn what_is_mounted_over_a_folder_makes_a_difference() {
        let project = Path::new("/opt/project");
        let before = Mounts::parse(LIST, project);
        let with = |line: &str| Mounts::parse(&format!("{LIST}{line}\n"), project);
        assert_eq!(before, with("33 27 0:33 / /elsewhere rw - tmpfs x rw"));
        for line in [
            "33 27 0:33 / /opt/project/src rw - tmpfs x rw",
            "33 27 0:33 / /opt rw - tmpfs x rw",
            "33 27 254:0 /other /opt/project rw - ext4 /dev/vda rw",
        ] {
            assert_ne!(before, with(line), "{line}");
        }
        let covered = with(
            "33 27 0:33 / /opt/project rw - tmpfs x rw\n34 27 0:34 / /opt/project rw - 9p x rw",
        );
        assert_eq!(covered.find_remote(), Some(("9p", project)));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_system_says_what_stands_at_the_root() {
        let mounts = Mounts::below(Path::new("/")).unwrap();
        assert!(!mounts.mounts.is_empty());
        assert_eq!(Some(mounts), Mounts::below(Path::new("/")));
    }
}
