//! Names with a special meaning on Windows: devices, streams of a file, names that end in a dot.

use std::path::{Component, Path};

/// Devices of DOS. They exist in every folder, with every extension.
const DEVICES: &[&str] = &["con", "prn", "aux", "nul", "conin$", "conout$"];

/// Devices that are followed by a number.
const NUMBERED: &[&str] = &["com", "lpt"];

/// Why a relative path does not name a file of its folder on Windows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathFault {
    /// A part is the name of a device, such as `NUL` or `aux.rs`.
    Device,
    /// A part has a colon: a drive, or a second stream of a file.
    Colon,
    /// A part ends in a dot or a space. Windows removes it and opens another file.
    Ending,
}

/// Checks that Windows gives no part of a relative path a special meaning. `.` and `..` are left to the caller.
///
/// # Errors
/// The first fault.
pub fn check_portable_path(path: &Path) -> Result<(), PathFault> {
    path.components().try_for_each(|component| match component {
        Component::Normal(name) => check_name(&name.to_string_lossy()),
        Component::Prefix(_) => Err(PathFault::Colon),
        Component::RootDir | Component::CurDir | Component::ParentDir => Ok(()),
    })
}

fn check_name(name: &str) -> Result<(), PathFault> {
    if name.contains(':') {
        return Err(PathFault::Colon);
    }
    let stem = name.split('.').next().unwrap_or_default();
    if is_device(stem.trim_end_matches(' ')) {
        return Err(PathFault::Device);
    }
    if name.ends_with(['.', ' ']) {
        return Err(PathFault::Ending);
    }
    Ok(())
}

fn is_device(stem: &str) -> bool {
    let stem = stem.to_lowercase();
    let is_numbered = |kind: &&str| {
        let number = stem.strip_prefix(*kind).unwrap_or_default();
        // Superscript digits count as well.
        let mut digits = number.chars();
        matches!(
            (digits.next(), digits.next()),
            (Some('0'..='9' | '¹' | '²' | '³'), None)
        )
    };
    DEVICES.contains(&stem.as_str()) || NUMBERED.iter().any(is_numbered)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_windows_reads_in_its_own_way_are_found() {
        let check = |path: &str| check_portable_path(Path::new(path));
        for path in [
            "src/main.rs",
            "../a",
            "./b.c",
            "common/con.text/auxiliary",
            "a b/c.d",
            "com/lpt10",
            ".hidden",
        ] {
            let wanted = if path.contains("con.") {
                Err(PathFault::Device)
            } else {
                Ok(())
            };
            assert_eq!(check(path), wanted, "{path}");
        }
        for path in [
            "CON",
            "src/aux.rs",
            "NUL",
            "a/nul.tar.gz",
            "com1",
            "LPT9.txt",
            "COM¹",
            "prn /x",
            "conin$",
        ] {
            assert_eq!(check(path), Err(PathFault::Device), "{path}");
        }
        for path in ["a.txt:stream", "C:/x", "a/b::$DATA"] {
            assert_eq!(check(path), Err(PathFault::Colon), "{path}");
        }
        for path in ["a.", "dir ./x", "a/b "] {
            assert_eq!(check(path), Err(PathFault::Ending), "{path}");
        }
    }
}
