//! The process that holds a lock of the daemon: which one it is, and whether its number may be used here.
//!
//! A process id is valid within one system. The project's folder may be shared with a container or another host. Their locks are
//! seen here, but their process ids belong to other processes here. So a signal is sent only to a process that has the lock's file
//! open in this system. Other holders are asked over the socket. Only Linux tells which files a process has open; elsewhere the
//! process id in a held lock is trusted.

use guard::state;
use platform::process;
use std::fs::File;
use std::io::{Error, Seek, Write};
use std::path::{Path, PathBuf};

/// The holder of a lock, as it noted itself in the lock's file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Holder {
    /// Its process id, as its own system counts; 0 if it is not known.
    pub(crate) pid: u32,
    /// A random word that no other process has; empty where a daemon of an earlier version left no note.
    pub(crate) instance: String,
    lock: PathBuf,
}

impl Holder {
    /// The holder that the text of a lock's file names, where it does.
    pub(super) fn parse(lock: &Path, text: &str) -> Option<Holder> {
        let mut words = text.split_whitespace();
        let (pid, instance) = (words.next()?, words.next()?);
        Some(Holder {
            pid: pid.parse().ok()?,
            instance: instance.to_owned(),
            lock: lock.to_path_buf(),
        })
    }

    /// A holder of an earlier version, which left its number in a pid file.
    pub(super) fn without_note(lock: &Path, pid: u32) -> Holder {
        Holder {
            pid,
            instance: String::new(),
            lock: lock.to_path_buf(),
        }
    }

    /// Whether the text is its process id.
    pub(super) fn has_id(&self, text: &str) -> bool {
        text.parse() == Ok(self.pid)
    }

    /// Whether the process with its number in this system is the holder.
    pub(crate) fn is_of_this_system(&self) -> bool {
        guard::holder::has_file_open(self.pid, &self.lock).unwrap_or(true)
    }

    /// Asks it to end; returns whether its number may be used for that, and the system can do so.
    pub(crate) fn ask_to_end(&self) -> bool {
        self.is_of_this_system() && process::ask_to_end(self.pid)
    }

    /// Ends it at once; returns whether its number may be used for that.
    pub(crate) fn kill(&self) -> bool {
        self.is_of_this_system() && process::kill(self.pid)
    }
}

/// The random word of this process.
pub(crate) fn own_instance() -> &'static str {
    static WORD: std::sync::OnceLock<String> = std::sync::OnceLock::new();
    WORD.get_or_init(|| {
        let mut bytes = [0; 8];
        // Without random bytes the word is zero, and does not tell this process from others.
        let _ = getrandom::fill(&mut bytes);
        format!("{:016x}", u64::from_le_bytes(bytes))
    })
}

/// Notes this process in the file of a lock that it holds, or beside it where nobody else can read a locked file. A file with a second name may be anybody's, and is left as it is.
pub(super) fn write_note(mut file: &File, lock: &Path) -> Result<(), Error> {
    let (pid, instance) = (std::process::id(), own_instance());
    let text = format!("{pid} {instance}\n");
    let place = platform::file::lock_note(lock);
    if place != lock {
        return state::replace_file(&place, text.as_bytes());
    }
    if platform::file::open_details(file)?.links != 1 {
        return Ok(());
    }
    file.set_len(0)?;
    file.rewind()?;
    file.write_all(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Child, Command};

    struct Sleeper(Child);

    impl Sleeper {
        fn start() -> Sleeper {
            Sleeper(Command::new("sleep").arg("600").spawn().unwrap())
        }
    }

    impl Drop for Sleeper {
        fn drop(&mut self) {
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_number_of_another_system_is_sent_no_signal() {
        let folder = tempfile::tempdir().unwrap();
        let lock = folder.path().join("daemon.lock");
        let held = File::create(&lock).unwrap();
        // The lock is held in a container, where the holder has the number of a process here.
        let mut victim = Sleeper::start();
        let pid = victim.0.id();
        for holder in [
            Holder::parse(&lock, &format!("{pid} abc\n")).unwrap(),
            Holder::without_note(&lock, pid),
        ] {
            assert_eq!(holder.pid, pid);
            assert!(!holder.kill());
            assert_eq!(victim.0.try_wait().unwrap(), None);
        }
        write_note(&held, &lock).unwrap();
        let text = std::fs::read_to_string(&lock).unwrap();
        let holder = Holder::parse(&lock, &text).unwrap();
        assert_eq!(holder.pid, std::process::id());
        assert_eq!(holder.instance, own_instance());
        assert!(holder.is_of_this_system());
        drop(held);
        assert!(!holder.is_of_this_system());
    }

    #[test]
    fn a_lock_with_a_second_name_is_not_written_to() {
        let folder = tempfile::tempdir().unwrap();
        let (lock, mine) = (folder.path().join("lock"), folder.path().join("mine"));
        std::fs::write(&mine, "mine").unwrap();
        std::fs::hard_link(&mine, &lock).unwrap();
        let file = File::options().write(true).open(&lock).unwrap();
        write_note(&file, &lock).unwrap();
        assert_eq!(std::fs::read_to_string(&mine).unwrap(), "mine");
    }
}
