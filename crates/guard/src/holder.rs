//! Finds which other program holds a lock on a file, if the system tells.

use std::path::Path;

/// The programs that hold a write lock on one of these files, as `name (process 12)`; `None` if the system does not
/// tell.
#[cfg(target_os = "linux")]
pub fn find_lock_holders(files: &[&Path]) -> Option<String> {
    use std::os::unix::fs::MetadataExt;
    let numbers: Vec<u64> = files
        .iter()
        .filter_map(|file| Some(file.symlink_metadata().ok()?.ino()))
        .collect();
    // The list is read in pieces. A line can be missed if others take or release a lock between two of them.
    let found = (0..READINGS).find_map(|reading| {
        if reading > 0 {
            std::thread::sleep(BETWEEN_READINGS);
        }
        let found = list_lock_holders(&numbers)?;
        (!found.is_empty()).then_some(found)
    })?;
    let shown: Vec<String> = found.into_iter().map(describe_process).collect();
    Some(shown.join(", "))
}

/// How often the list is read until a holder is found.
#[cfg(target_os = "linux")]
const READINGS: u32 = 5;
#[cfg(target_os = "linux")]
const BETWEEN_READINGS: std::time::Duration = std::time::Duration::from_millis(5);

/// Other processes that hold one of the files with these inode numbers, from one reading of the list.
#[cfg(target_os = "linux")]
fn list_lock_holders(numbers: &[u64]) -> Option<Vec<u32>> {
    let mut found: Vec<u32> = read_proc_file("/proc/locks")?
        .lines()
        .filter_map(|line| parse_write_lock_line(line, numbers))
        .filter(|process| *process != std::process::id())
        .collect();
    found.sort_unstable();
    found.dedup();
    Some(found)
}

/// Other systems do not tell.
#[cfg(not(target_os = "linux"))]
pub fn find_lock_holders(_files: &[&Path]) -> Option<String> {
    None
}

/// Whether the process with that number has this very file open; `None` if the system does not tell. The number must be
/// one of this system: if `/proc` belongs to another one, the answer is false.
#[cfg(target_os = "linux")]
pub fn has_file_open(process: u32, file: &Path) -> Option<bool> {
    use std::os::unix::fs::MetadataExt;
    let own = std::process::id().to_string();
    let is_own_system = std::fs::read_link("/proc/self").is_ok_and(|me| me == Path::new(&own));
    let Some(sought) = file.symlink_metadata().ok().filter(|_| is_own_system) else {
        return Some(false);
    };
    let is_sought = |entry: std::fs::DirEntry| {
        let found = std::fs::metadata(entry.path());
        found.is_ok_and(|found| (found.dev(), found.ino()) == (sought.dev(), sought.ino()))
    };
    let opened = std::fs::read_dir(format!("/proc/{process}/fd"));
    Some(opened.is_ok_and(|opened| opened.flatten().any(is_sought)))
}

/// Other systems do not tell.
#[cfg(not(target_os = "linux"))]
pub fn has_file_open(_process: u32, _file: &Path) -> Option<bool> {
    None
}

/// The process in a line such as `1: POSIX  ADVISORY  WRITE 24020 fe:00:12517969 0 EOF`, if it concerns one of these
/// files. The device is not compared: some file systems list another device number than their files have.
#[cfg(any(target_os = "linux", test))]
fn parse_write_lock_line(line: &str, numbers: &[u64]) -> Option<u32> {
    if line.contains("->") {
        return None;
    }
    let mut words = line.split_whitespace().skip_while(|word| *word != "WRITE");
    words.next()?;
    let process = words.next()?.parse().ok()?;
    let number = words.next()?.rsplit(':').next()?.parse().ok()?;
    numbers.contains(&number).then_some(process)
}

#[cfg(target_os = "linux")]
fn describe_process(process: u32) -> String {
    let name = read_proc_file(&format!("/proc/{process}/comm"));
    let name = name.map(|name| crate::text::escape_line(name.trim()).into_owned());
    match name.filter(|name| !name.is_empty()) {
        Some(name) => format!("{name} (process {process})"),
        None => format!("process {process}"),
    }
}

/// Reads a file of `/proc`; only the beginning of a long one.
#[cfg(target_os = "linux")]
pub(crate) fn read_proc_file(path: &str) -> Option<String> {
    use std::io::Read;
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).ok()?;
    file.take(1 << 20).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writers_are_read_from_the_list_of_the_system() {
        let line = "1: POSIX  ADVISORY  WRITE 24020 fe:00:12517969 1073741824 1073742335";
        assert_eq!(parse_write_lock_line(line, &[7, 12_517_969]), Some(24_020));
        assert_eq!(parse_write_lock_line(line, &[7]), None);
        let reader = "2: POSIX  ADVISORY  READ 24020 fe:00:12517969 0 EOF";
        assert_eq!(parse_write_lock_line(reader, &[12_517_969]), None);
        // A waiting process is listed below the one that it waits for.
        let waits = "2: -> FLOCK  ADVISORY  WRITE 5 00:2b:7 0 EOF";
        assert_eq!(parse_write_lock_line(waits, &[7]), None);
        // Processes of another container have no number here.
        let hidden = "3: FLOCK  ADVISORY  WRITE -1 00:2b:7 0 EOF";
        assert_eq!(parse_write_lock_line(hidden, &[7]), None);
    }

    #[test]
    fn nobody_holds_what_is_not_there() {
        assert_eq!(find_lock_holders(&[Path::new("/nowhere/at/all")]), None);
    }
}
