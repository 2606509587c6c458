//! Runs git for the worker: it can be cancelled at once, must make progress, and has limits on data, disk and memory.

use engine::{Cancel, EngineError};
use guard::program::{
    Environment, Limits, Program, ProgramOutput, RunError, find_program, run_program_reading,
};
use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The longest time for one step of git.
const LONGEST: Duration = Duration::from_secs(1_800);

/// The longest time without progress; longer where the use of the processor cannot be measured.
const LONGEST_SILENCE: Duration =
    Duration::from_secs(if cfg!(target_os = "linux") { 180 } else { 900 });

/// The least change that counts as progress: bytes, or hundredths of a second of processor time.
const LEAST_PROGRESS: (u64, u64) = (64 << 10, 100);

/// The time between two checks of progress: at least the first value, and at least this many times the duration of a check.
const LOOK: (Duration, u32) = (Duration::from_secs(2), 20);

/// The most bytes that git may print in one step: enough for the references of a repository with a hundred thousand of them.
const MOST_OUTPUT: u64 = 16 << 20;

/// The most bytes in the folder, fetched and checked out.
const MOST_FOLDER: u64 = 32 << 30;

/// The most memory of git without mapped files, in bytes: for steps that fill a folder, and for steps that only query a remote.
const MOST_MEMORY: (u64, u64) = (2 << 30, 512 << 20);

/// The bytes that must stay free on the disk.
const LEFT_FREE: u64 = 1 << 30;

/// The most files of a commit, and the most bytes.
const MOST: Size = Size {
    files: 1_000_000,
    bytes: 16 << 30,
};

/// The size that a commit may always have, however little was fetched.
const ALWAYS: Size = Size {
    files: 50_000,
    bytes: 512 << 20,
};

/// The most bytes of files for each fetched byte. Sources usually expand four to ten times.
const MOST_BYTES_OF_BYTE: u64 = 200;

/// Fetched bytes for each file beyond [`ALWAYS`].
const LEAST_BYTES_OF_FILE: u64 = 4;

/// The overhead of a file on the disk, in bytes.
const BESIDE: u64 = 4 << 10;

/// The protocols that git may use.
pub(super) const PROTOCOLS: &str = "https:http:ssh:git:file";

/// Settings with which git runs no program of the repository.
const SETTINGS: [&str; 4] = [
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "submodule.recurse=false",
    "protocol.ext.allow=never",
];

/// The reason why a step failed.
pub(super) enum Failure {
    /// Git ended with an error of its own.
    Git(EngineError),
    /// The worker ended git, or could not run it. A second attempt in another way would fail too.
    Ended(EngineError),
}

impl From<Failure> for EngineError {
    fn from(failure: Failure) -> EngineError {
        match failure {
            Failure::Git(error) | Failure::Ended(error) => error,
        }
    }
}

/// A number of files, and their bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Size {
    files: u64,
    bytes: u64,
}

impl Size {
    /// The largest size of a commit for this many fetched bytes.
    fn most_of(fetched: u64) -> Size {
        let files = ALWAYS.files + fetched / LEAST_BYTES_OF_FILE;
        let becoming = fetched.saturating_mul(MOST_BYTES_OF_BYTE);
        let bytes = ALWAYS.bytes.saturating_add(becoming);
        Size {
            files: files.min(MOST.files),
            bytes: bytes.min(MOST.bytes),
        }
    }

    fn on_disk(self) -> u64 {
        self.bytes + self.files * BESIDE
    }
}

/// Git, as found on the user's own search path.
pub(super) struct Git<'f> {
    program: Program,
    environment: Environment,
    folder: &'f Path,
    /// The folder that git fills, if any.
    filled: Option<&'f Path>,
    cancel: &'f Cancel,
}

impl<'f> Git<'f> {
    /// Git in a folder of its own, which only this step fills.
    pub(super) fn in_own_folder(
        folder: &'f Path,
        cancel: &'f Cancel,
    ) -> Result<Git<'f>, EngineError> {
        let git = Git::in_folder(folder, cancel)?;
        let filled = Some(folder);
        Ok(Git { filled, ..git })
    }

    /// Git in a folder to which it writes nothing.
    pub(super) fn in_folder(folder: &'f Path, cancel: &'f Cancel) -> Result<Git<'f>, EngineError> {
        let environment = Environment::from_variables(|name| std::env::var_os(name));
        match find_program("git", &environment, folder) {
            Some(program) => Ok(Git {
                program,
                environment,
                folder,
                filled: None,
                cancel,
            }),
            None => Err(EngineError::missing_dependency("git is not installed")),
        }
    }

    /// Runs a step that must succeed. Returns its output.
    pub(super) fn run_step(&self, words: &[&str]) -> Result<String, Failure> {
        let mut out = Vec::new();
        let mut keep = |part: &[u8]| {
            out.extend_from_slice(part);
            Ok(())
        };
        self.run_reading(words, MOST_OUTPUT, &mut keep)?;
        Ok(String::from_utf8_lossy(&out).into_owned())
    }

    /// Credentials come from the user's own settings of git and SSH; git never prompts.
    fn run_reading(
        &self,
        words: &[&str],
        most: u64,
        take: &mut dyn FnMut(&[u8]) -> Result<(), RunError>,
    ) -> Result<(), Failure> {
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
            output: most,
        };
        let step = words.first().copied().unwrap_or_default();
        let failed = |why: &str| EngineError::runtime_failure(format!("git {step}: {why}"));
        let printed = Cell::new(0);
        let mut progress = Progress::new(self.filled);
        let mut watch = || {
            if self.cancel.is_set() {
                return Err(RunError::Cancelled);
            }
            progress.look(printed.get())
        };
        let mut take = |part: &[u8]| {
            printed.set(printed.get() + part.len() as u64);
            take(part)
        };
        let done = run_program_reading(&mut command, &limits, &mut watch, &mut take);
        match done {
            Ok(ProgramOutput { code: Some(0), .. }) => Ok(()),
            Ok(done) => Err(Failure::Git(failed(&hide_users(&done.complaint)))),
            Err(error) => Err(Failure::Ended(failed(&error.to_string()))),
        }
    }

    /// Checks the size of a commit. Fails if the commit does not exist or is no commit, or if its files are too many or too large
    /// for the fetched bytes or for the disk.
    pub(super) fn check_size(&self, commit: &str) -> Result<(), EngineError> {
        let refused = |why: String| EngineError::runtime_failure(format!("{commit}: {why}"));
        let named = format!("{commit}^{{commit}}");
        let found = match self.run_step(&["rev-parse", "--verify", "--quiet", &named]) {
            Ok(found) => found,
            // Git prints nothing if it finds no commit.
            Err(Failure::Git(_)) => {
                return Err(refused("the source has no such commit".to_owned()));
            }
            Err(ended) => return Err(ended.into()),
        };
        if found.trim() != commit {
            return Err(refused("it is no commit".to_owned()));
        }
        let most = Size::most_of(folder_size(&self.folder.join(".git")));
        let mut size = Size::default();
        let mut lines = EntrySizes::default();
        let mut take = |part: &[u8]| {
            lines.read(part, &mut |bytes| {
                size.files += 1;
                size.bytes = size.bytes.saturating_add(bytes);
            });
            if size.files > most.files || size.bytes > most.bytes {
                return Err(RunError::Stopped(format!(
                    "more than {} files or {} MiB, which is too much for what was fetched",
                    most.files,
                    most.bytes >> 20
                )));
            }
            Ok(())
        };
        let list = ["ls-tree", "-r", "-l", "-z", "--full-tree", commit];
        self.run_reading(&list, u64::MAX, &mut take)?;
        match platform::file::free_space(self.folder) {
            Some(free) if free < size.on_disk().saturating_add(LEFT_FREE) => Err(refused(format!(
                "its {} MiB would fill the disk",
                size.on_disk() >> 20
            ))),
            _ => Ok(()),
        }
    }
}

/// The sizes in the lines of `git ls-tree -r -l -z`: `mode kind number size TAB path NUL`.
#[derive(Default)]
struct EntrySizes {
    /// The current line up to its path.
    head: Vec<u8>,
    in_path: bool,
}

impl EntrySizes {
    fn read(&mut self, part: &[u8], found: &mut dyn FnMut(u64)) {
        for byte in part {
            match byte {
                0 => {
                    let head = String::from_utf8_lossy(&self.head);
                    // A submodule has `-`: its files are not checked out.
                    found(
                        head.split_whitespace()
                            .nth(3)
                            .and_then(|n| n.parse().ok())
                            .unwrap_or(0),
                    );
                    self.head.clear();
                    self.in_path = false;
                }
                b'\t' => self.in_path = true,
                _ if self.in_path => {}
                other => self.head.push(*other),
            }
        }
    }
}

/// The progress of a step since the last change.
struct Progress<'f> {
    folder: Option<&'f Path>,
    next: Instant,
    since: Instant,
    bytes: u64,
    work: u64,
}

impl Progress<'_> {
    fn new(folder: Option<&Path>) -> Progress<'_> {
        let now = Instant::now();
        Progress {
            folder,
            next: now + LOOK.0,
            since: now,
            bytes: folder.map_or(0, folder_size),
            work: 0,
        }
    }

    /// Checks the limits from time to time. Fails after a long time without progress, or if git took too much of the disk or of
    /// memory.
    fn look(&mut self, printed: u64) -> Result<(), RunError> {
        let now = Instant::now();
        if now < self.next {
            return Ok(());
        }
        let bytes = printed + self.folder.map_or(0, folder_size);
        if bytes > MOST_FOLDER {
            return Err(RunError::Stopped(format!(
                "more than {} MiB came",
                bytes >> 20
            )));
        }
        let free = self.folder.and_then(platform::file::free_space);
        if free.is_some_and(|free| free < LEFT_FREE) {
            return Err(RunError::Stopped("the disk is almost full".to_owned()));
        }
        let (work, memory) = children();
        let (filling, asking) = MOST_MEMORY;
        let most = if self.folder.is_some() {
            filling
        } else {
            asking
        };
        if memory > most {
            return Err(RunError::Stopped(format!(
                "took more than {} MiB of memory",
                most >> 20
            )));
        }
        self.next = Instant::now() + LOOK.0.max(now.elapsed() * LOOK.1);
        self.note(now, bytes, work)
    }

    fn note(&mut self, now: Instant, bytes: u64, work: u64) -> Result<(), RunError> {
        let (least_bytes, least_work) = LEAST_PROGRESS;
        // Moved and removed files count as progress as well.
        let is_progress = bytes.abs_diff(self.bytes) >= least_bytes
            || work.saturating_sub(self.work) >= least_work;
        if is_progress {
            (self.since, self.bytes, self.work) = (now, bytes, work);
        } else if now - self.since >= LONGEST_SILENCE {
            let seconds = LONGEST_SILENCE.as_secs();
            return Err(RunError::Stopped(format!("nothing came for {seconds} s")));
        }
        Ok(())
    }
}

/// The bytes of the files in a folder. Files that appear or vanish meanwhile may or may not count.
fn folder_size(folder: &Path) -> u64 {
    let mut open: Vec<PathBuf> = vec![folder.to_owned()];
    let mut bytes = 0;
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.metadata() {
                Ok(found) if found.is_dir() => open.push(entry.path()),
                Ok(found) => bytes += found.len(),
                Err(_) => {}
            }
        }
    }
    bytes
}

/// The most bytes of a status file of a process.
#[cfg(target_os = "linux")]
const LARGEST_STATUS: u64 = 64 << 10;

/// The processor time of this program's child processes in hundredths of a second, and their own memory in bytes.
#[cfg(target_os = "linux")]
fn children() -> (u64, u64) {
    let numbers = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let stats = numbers.filter_map(|entry| {
        entry.file_name().to_str()?.parse::<u32>().ok()?;
        guard::file::read_user_text(&entry.path().join("stat"), LARGEST_STATUS).ok()
    });
    let all: Vec<ProcessWork> = stats.filter_map(|stat| ProcessWork::parse(&stat)).collect();
    let mut found = vec![std::process::id()];
    let (mut next, mut work, mut memory) = (0, 0, 0);
    while let Some(parent) = found.get(next).copied() {
        next += 1;
        for child in all.iter().filter(|process| process.parent == parent) {
            work += child.work;
            memory += own_memory(child.number);
            found.push(child.number);
        }
    }
    (work, memory)
}

#[cfg(not(target_os = "linux"))]
fn children() -> (u64, u64) {
    (0, 0)
}

/// The memory of a process in bytes, without mapped files.
#[cfg(target_os = "linux")]
fn own_memory(process: u32) -> u64 {
    let path = format!("/proc/{process}/status");
    let status = guard::file::read_user_text(Path::new(&path), LARGEST_STATUS).unwrap_or_default();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("RssAnon:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or_default() << 10
}

/// A process, with the processor time of itself and of its children that have ended.
#[cfg(target_os = "linux")]
#[derive(Debug, PartialEq)]
struct ProcessWork {
    number: u32,
    parent: u32,
    work: u64,
}

#[cfg(target_os = "linux")]
impl ProcessWork {
    /// Reads `/proc/NUMBER/stat`: see proc(5).
    fn parse(stat: &str) -> Option<ProcessWork> {
        let number = stat.split(' ').next()?.parse().ok()?;
        // The name is in parentheses and may contain anything.
        let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(1);
        let parent = fields.next()?.parse().ok()?;
        let work = fields.skip(9).take(4).map_while(|n| n.parse::<u64>().ok());
        Some(ProcessWork {
            number,
            parent,
            work: work.sum(),
        })
    }
}

/// An address without the part before `@`, which may hold a password.
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

/// The error messages of git, without credentials in addresses.
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
    fn credentials_in_complaints_are_not_shown() {
        let said = hide_users("fatal: unable to access 'https://u:s3cret@h/a/': no");
        assert_eq!(said, "fatal: unable to access 'https://h/a/': no");
    }

    #[test]
    fn a_silence_ends_and_a_trickle_is_one() {
        let folder = tempfile::TempDir::new().unwrap();
        let mut progress = Progress::new(Some(folder.path()));
        let begin = progress.since;
        let half = LONGEST_SILENCE / 2;
        assert!(progress.note(begin + half, 10, 10).is_ok());
        let (bytes, work) = LEAST_PROGRESS;
        assert!(progress.note(begin + half, bytes, 10).is_ok());
        assert!(progress.note(begin + half * 2, bytes + 99, 20).is_ok());
        assert!(
            progress
                .note(begin + half * 3, bytes + 999, work + 10)
                .is_ok()
        );
        assert!(
            progress
                .note(begin + half * 4, bytes + 999, work + 10)
                .is_ok()
        );
        let silent = progress.note(begin + half * 5, bytes + 999, work + 20);
        assert!(silent.unwrap_err().to_string().contains("nothing came"));
    }

    #[test]
    fn sizes_are_read_wherever_the_output_is_cut() {
        let out =
            b"100644 blob 0a    12\ta b\x00160000 commit 0b       -\tsub\x00100755 blob 0c 7\tx\ty\0";
        for cut in 0..out.len() {
            let (mut sizes, mut found) = (EntrySizes::default(), Vec::new());
            for part in [&out[..cut], &out[cut..]] {
                sizes.read(part, &mut |size| found.push(size));
            }
            assert_eq!(found, [12, 0, 7]);
        }
    }

    #[test]
    fn a_little_data_becomes_no_large_checkout() {
        let small = Size::most_of(176 << 10);
        assert!(small.bytes < 1_000 << 20 && small.files < 200_000);
        assert_eq!(Size::most_of(u64::MAX), MOST);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn work_of_a_process_is_read_behind_any_name() {
        let stat = "7 (a) 1 (b) S 3 7 7 0 -1 4194560 100 0 0 0 11 22 33 44 20 0 1 0 5";
        let expected = ProcessWork {
            number: 7,
            parent: 3,
            work: 110,
        };
        assert_eq!(ProcessWork::parse(stat), Some(expected));
    }
}
