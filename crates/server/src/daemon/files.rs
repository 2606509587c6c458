//! The files of a daemon: their places, locks and content.

use super::DaemonError;
use super::holder::{self, Holder};
use super::socket::{self, EndpointPaths};
use guard::{seal, state};
use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The kind of file that the seal of a supervisor's note names.
const STATE: &str = "daemon state";

/// The age beyond which a heartbeat is that of a dead daemon.
pub const DEAD_AFTER: Duration = Duration::from_secs(60);

/// Paths that a caller overrides.
#[derive(Debug, Clone, Default)]
pub struct PathOverrides {
    /// Another path for the socket.
    pub socket: Option<PathBuf>,
    /// Another path for the pid file.
    pub pid: Option<PathBuf>,
    /// A private folder of this user for sockets whose path would be too long.
    pub runtime: PathBuf,
}

/// Paths of all files.
#[derive(Debug, Clone)]
pub struct Files {
    /// The project's state folder.
    pub state_dir: PathBuf,
    /// The socket, or the file that says where it is.
    pub socket: PathBuf,
    /// The file with the daemon's process id.
    pub pid: PathBuf,
    /// The file with the time of the last heartbeat, seconds since 1970.
    pub heartbeat: PathBuf,
    /// The log of the daemon.
    pub log: PathBuf,
    /// The state of a daemon that is not running: `FAILED`, with the reason.
    pub state: PathBuf,
    /// The file with the supervisor's process id.
    pub monitor_pid: PathBuf,
    lock: PathBuf,
    monitor_lock: PathBuf,
    runtime: PathBuf,
}

/// A lock that is released when this is dropped, or when the process ends in any way.
#[derive(Debug)]
pub struct LockGuard {
    file: File,
}

impl LockGuard {
    /// Writes into the lock's file which process holds it.
    fn note_holder(&self, path: &Path) -> Result<(), DaemonError> {
        holder::write_note(&self.file, path).map_err(|e| DaemonError::from_io(path, e))
    }
}

impl Files {
    /// The files of the daemon for the project with this state folder.
    pub fn new(state_dir: &Path, moved: &PathOverrides) -> Files {
        let at = |name: &str| state_dir.join(name);
        Files {
            socket: moved.socket.clone().unwrap_or_else(|| at("daemon.sock")),
            pid: moved.pid.clone().unwrap_or_else(|| at("daemon.pid")),
            heartbeat: at("daemon.heartbeat"),
            log: at("daemon.log"),
            state: at("daemon.state"),
            monitor_pid: at("monitor.pid"),
            lock: at("daemon.lock"),
            monitor_lock: at("monitor.lock"),
            runtime: moved.runtime.clone(),
            state_dir: state_dir.to_path_buf(),
        }
    }

    /// Takes the daemon's lock; none where another process has it. The folder must exist: one that was moved away is not created
    /// again.
    pub fn try_lock_daemon(&self) -> Result<Option<LockGuard>, DaemonError> {
        let Some(guard) = try_lock_file(&self.lock)? else {
            return Ok(None);
        };
        self.check_pid_file()?;
        // An old pid file may name any process by now.
        remove_if_exists(&self.pid).map_err(|e| DaemonError::from_io(&self.pid, e))?;
        guard.note_holder(&self.lock)?;
        Ok(Some(guard))
    }

    /// Refuses a pid file or socket outside the state folder that another daemon or program uses. To be called only while the
    /// project has no daemon.
    pub(crate) fn check_places(&self) -> Result<(), DaemonError> {
        self.check_pid_file()?;
        self.check_socket()
    }

    /// Refuses a pid file outside the state folder, unless the last daemon of this project left it.
    fn check_pid_file(&self) -> Result<(), DaemonError> {
        let before = read_holder(&self.lock);
        let is_ours = |text: &str| before.as_ref().is_some_and(|before| before.has_id(text));
        self.refuse_foreign_file(&self.pid, is_ours)
            .map_err(|e| DaemonError::from_io(&self.pid, e))
    }

    fn check_socket(&self) -> Result<(), DaemonError> {
        self.refuse_foreign_file(&self.socket, socket::is_address)
            .and_then(|()| self.refuse_used_socket())
            .map_err(|e| DaemonError::from_io(&self.socket, e))
    }

    /// Refuses to replace a file outside the state folder that is not the daemon's: the user may have named its path by mistake. A
    /// socket or a link is replaced, and a regular file that is empty or holds one line that is `ours`.
    fn refuse_foreign_file(&self, path: &Path, ours: impl Fn(&str) -> bool) -> std::io::Result<()> {
        if path.starts_with(&self.state_dir) {
            return Ok(());
        }
        match path.symlink_metadata() {
            Ok(found) if found.is_file() && found.len() > 0 => {}
            _ => return Ok(()),
        }
        let is_ours =
            read_note(path).is_some_and(|text| text.lines().count() == 1 && ours(text.trim()));
        if is_ours {
            return Ok(());
        }
        let message = "does not belong to the daemon and is not replaced";
        Err(std::io::Error::new(ErrorKind::AlreadyExists, message))
    }

    /// Takes the supervisor's lock.
    pub fn try_lock_supervisor(&self) -> Result<Option<LockGuard>, DaemonError> {
        let Some(guard) = try_lock_file(&self.monitor_lock)? else {
            return Ok(None);
        };
        remove_if_exists(&self.monitor_pid)
            .map_err(|e| DaemonError::from_io(&self.monitor_pid, e))?;
        guard.note_holder(&self.monitor_lock)?;
        Ok(Some(guard))
    }

    /// The daemon's process id, if one runs, as its own system counts. A pid file without a held lock is ignored.
    pub fn daemon_pid(&self) -> Option<u32> {
        Some(self.daemon_holder()?.pid)
    }

    /// The supervisor's process id, if one runs, as its own system counts.
    pub fn supervisor_pid(&self) -> Option<u32> {
        Some(self.supervisor_holder()?.pid)
    }

    /// The process that holds the daemon's lock.
    pub(crate) fn daemon_holder(&self) -> Option<Holder> {
        find_holder(&self.lock, &self.pid)
    }

    /// The process that holds the supervisor's lock.
    pub(crate) fn supervisor_holder(&self) -> Option<Holder> {
        find_holder(&self.monitor_lock, &self.monitor_pid)
    }

    /// Whether the usual socket is used, which no other project has.
    pub(crate) fn has_own_socket(&self) -> bool {
        self.socket.starts_with(&self.state_dir)
    }

    /// The time of the last heartbeat, seconds since 1970.
    pub fn last_heartbeat(&self) -> Option<u64> {
        let text = self.read_heartbeat()?;
        text.split_whitespace().next()?.parse().ok()
    }

    /// The text of the last heartbeat. A text that differs from the one before is a new heartbeat, whatever the clock says.
    pub(crate) fn read_heartbeat(&self) -> Option<String> {
        read_note(&self.heartbeat)
    }

    /// Writes heartbeat number `count`, with this time in seconds since 1970.
    pub(crate) fn write_heartbeat(&self, at: u64, count: u64) -> std::io::Result<()> {
        replace_text(
            &self.heartbeat,
            &format!("{at} {} {count}\n", std::process::id()),
        )
    }

    /// The supervisor's note on a daemon that is not running, if this user wrote it.
    pub(crate) fn read_state(&self) -> Option<Vec<u8>> {
        seal::read_sealed(&self.state, STATE, LONGEST_NOTE)
    }

    /// Writes the supervisor's note.
    pub(crate) fn write_state(&self, note: &str) -> std::io::Result<()> {
        seal::write_sealed(&self.state, STATE, note.as_bytes())
    }

    /// The path at which to bind the socket. Where its usual path is too long the socket is in the private folder, and a file in
    /// the usual place names it. Anything that was in the place is removed, so only the holder of the lock may call this.
    pub fn prepare_socket_path(&self) -> Result<PathBuf, DaemonError> {
        let fail = |path: &Path| {
            let path = path.to_path_buf();
            move |source| DaemonError::from_io(&path, source)
        };
        self.check_socket()?;
        remove_if_exists(&self.socket).map_err(fail(&self.socket))?;
        socket::prepare(self.endpoint_paths())
    }

    /// The socket to connect to; none where it is missing or not this user's.
    pub fn socket_to_connect(&self) -> Option<PathBuf> {
        socket::find(self.endpoint_paths())
    }

    /// Refuses to take over a socket outside of the state folder on which another daemon listens.
    fn refuse_used_socket(&self) -> std::io::Result<()> {
        if self.has_own_socket()
            || !self
                .socket_to_connect()
                .is_some_and(|at| socket::is_listening(&at))
        {
            return Ok(());
        }
        let message = "is the socket of another daemon, and is not replaced";
        Err(std::io::Error::new(ErrorKind::AddrInUse, message))
    }

    /// Removes all files of a daemon. Those that the user placed elsewhere may be another daemon's by now, and stay then.
    pub fn remove_all(&self) {
        let address = self.socket_to_connect();
        if self.has_own_socket() || !address.as_deref().is_some_and(socket::is_listening) {
            if let Some(address) = address {
                socket::remove(&address);
            }
            let _ = remove_if_exists(&self.socket);
        }
        if self.is_own_pid_file() {
            let _ = remove_if_exists(&self.pid);
        }
        let _ = remove_if_exists(&self.heartbeat);
    }

    /// Whether the pid file is that of the last process that held the daemon's lock.
    fn is_own_pid_file(&self) -> bool {
        self.pid.starts_with(&self.state_dir)
            || read_holder(&self.lock).is_some_and(|holder| {
                read_note(&self.pid).is_some_and(|text| holder.has_id(text.trim()))
            })
    }

    /// Whether there is a pid file of a daemon that no longer runs.
    pub(crate) fn has_stale_pid_file(&self) -> bool {
        self.pid.exists()
            && self.is_own_pid_file()
            && self.daemon_pid().is_none()
            && self.supervisor_pid().is_none()
    }

    /// Where the daemon can be reached.
    pub(super) fn endpoint_paths(&self) -> EndpointPaths<'_> {
        EndpointPaths {
            socket: &self.socket,
            runtime: &self.runtime,
        }
    }
}

/// Seconds since 1970.
pub(crate) fn unix_time() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.unwrap_or_default().as_secs()
}

/// The most bytes of a small file: a number, a path or a note.
const LONGEST_NOTE: u64 = 4_096;

/// The text of a small file; none where it is no regular file of this user.
pub(crate) fn read_note(path: &Path) -> Option<String> {
    let bytes = state::read_own_file(path, LONGEST_NOTE).ok()?;
    String::from_utf8(bytes).ok()
}

/// The process id in a pid file.
pub(crate) fn read_pid(path: &Path) -> Option<u32> {
    read_note(path)?.trim().parse().ok()
}

/// Replaces a file by a text, atomically.
pub(crate) fn replace_text(path: &Path, text: &str) -> std::io::Result<()> {
    state::replace_file(path, text.as_bytes())
}

/// Opens a file for writing. A link, FIFO or device in its place is removed.
pub(crate) fn open_for_writing(path: &Path, append: bool) -> Result<File, DaemonError> {
    let planted = path.symlink_metadata();
    if planted.is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        remove_if_exists(path).map_err(|e| DaemonError::from_io(path, e))?;
    }
    let mut options = state::private_file_options();
    options.create(true).truncate(false);
    if append {
        options.append(true)
    } else {
        options.write(true)
    };
    Ok(state::open_own_file(path, &options)?)
}

/// Removes a file that may be gone already.
pub(crate) fn remove_if_exists(path: &Path) -> std::io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

fn try_lock_file(path: &Path) -> Result<Option<LockGuard>, DaemonError> {
    let fail = |source| DaemonError::from_io(path, source);
    let file = open_for_writing(path, false)?;
    // A process that checks the lock holds it for a moment.
    for _ in 0..10 {
        match file.try_lock() {
            Ok(()) => return Ok(Some(LockGuard { file })),
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(3)),
            Err(TryLockError::Error(source)) => return Err(fail(source)),
        }
    }
    Ok(None)
}

/// The process that a lock's file names. It need not hold the lock any more.
fn read_holder(lock: &Path) -> Option<Holder> {
    Holder::parse(lock, &read_note(&platform::file::lock_note(lock))?)
}

/// The process that holds a lock, if it is held. Daemons of an earlier version left their number in a pid file alone.
fn find_holder(lock: &Path, pid_file: &Path) -> Option<Holder> {
    is_locked(lock).then(|| {
        read_holder(lock)
            .unwrap_or_else(|| Holder::without_note(lock, read_pid(pid_file).unwrap_or(0)))
    })
}

/// Whether a process holds the lock. Checked with a shared lock, which is released at once.
fn is_locked(path: &Path) -> bool {
    let Ok(file) = state::open_own_file(path, state::private_file_options().read(true)) else {
        return false;
    };
    matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use rustix::fs::Mode;
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::os::unix::net::UnixListener;

    fn files(folder: &Path) -> Files {
        let moved = PathOverrides {
            runtime: folder.join("run"),
            ..PathOverrides::default()
        };
        Files::new(folder, &moved)
    }

    #[test]
    fn a_lock_has_one_holder() {
        let folder = tempfile::tempdir().unwrap();
        let files = files(folder.path());
        assert_eq!(files.daemon_pid(), None);
        let held = files.try_lock_daemon().unwrap().unwrap();
        assert!(files.try_lock_daemon().unwrap().is_none());
        assert_eq!(files.daemon_pid(), Some(std::process::id()));
        // The note in the lock's file counts, not a pid file that another daemon may share.
        std::fs::write(&files.pid, "42\n").unwrap();
        assert_eq!(files.daemon_pid(), Some(std::process::id()));
        // A daemon of an earlier version left no note.
        std::fs::write(&files.lock, "").unwrap();
        assert_eq!(files.daemon_pid(), Some(42));
        drop(held);
        assert_eq!(files.daemon_pid(), None);
        assert!(files.try_lock_daemon().unwrap().is_some());
    }

    #[test]
    fn a_pid_file_of_another_daemon_or_program_is_kept() {
        let [one, two, elsewhere] = [(); 3].map(|()| tempfile::tempdir().unwrap());
        let named = PathOverrides {
            pid: Some(elsewhere.path().join("shared.pid")),
            ..PathOverrides::default()
        };
        let [one, two] = [&one, &two].map(|folder| Files::new(folder.path(), &named));
        let shared = &one.pid;
        // The file of another program.
        std::fs::write(shared, "4242\n").unwrap();
        assert!(one.try_lock_daemon().is_err());
        assert!(!one.has_stale_pid_file());
        one.remove_all();
        assert_eq!(std::fs::read_to_string(shared).unwrap(), "4242\n");
        std::fs::remove_file(shared).unwrap();
        // The file of another project's daemon is neither taken over nor removed, and its process is not this project's daemon.
        let held = one.try_lock_daemon().unwrap().unwrap();
        std::fs::write(shared, "77\n").unwrap();
        assert_eq!(one.daemon_pid(), Some(std::process::id()));
        assert!(two.try_lock_daemon().is_err());
        two.remove_all();
        one.remove_all();
        assert!(shared.exists());
        drop(held);
        // The project's own file, left by a killed daemon.
        std::fs::write(shared, format!("{}\n", std::process::id())).unwrap();
        assert!(one.has_stale_pid_file());
        assert!(one.try_lock_daemon().unwrap().is_some());
        assert!(!shared.exists());
    }

    #[test]
    fn a_socket_of_another_daemon_is_kept() {
        let [one, elsewhere] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let named = PathOverrides {
            socket: Some(elsewhere.path().join("shared.sock")),
            ..PathOverrides::default()
        };
        let files = Files::new(one.path(), &named);
        let other = UnixListener::bind(&files.socket).unwrap();
        assert!(files.prepare_socket_path().is_err());
        files.remove_all();
        assert!(files.socket.exists());
        drop(other);
        assert!(files.prepare_socket_path().is_ok());
        drop(UnixListener::bind(&files.socket).unwrap());
        files.remove_all();
        assert!(!files.socket.exists());
    }

    #[test]
    fn a_path_that_is_too_long_is_pointed_to() {
        let folder = tempfile::tempdir().unwrap();
        let deep = folder.path().join("d".repeat(120));
        std::fs::create_dir(&deep).unwrap();
        let moved = PathOverrides {
            runtime: folder.path().join("run"),
            ..PathOverrides::default()
        };
        let files = Files::new(&deep, &moved);
        let address = files.prepare_socket_path().unwrap();
        assert!(address.as_os_str().len() <= 100);
        assert_eq!(files.socket_to_connect(), None, "nobody listens yet");
        let _listener = UnixListener::bind(&address).unwrap();
        assert_eq!(files.socket_to_connect(), Some(address.clone()));
        // A pointer to another socket of this user is not followed.
        let other = folder.path().join("other.sock");
        let _other = UnixListener::bind(&other).unwrap();
        std::fs::write(&files.socket, other.display().to_string()).unwrap();
        assert_eq!(files.socket_to_connect(), None);
        std::fs::write(&files.socket, address.display().to_string()).unwrap();
        files.remove_all();
        assert!(!address.exists() && !files.socket.exists());
    }

    #[test]
    fn what_was_planted_is_neither_followed_nor_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let files = files(folder.path());
        let victim = folder.path().join("victim");
        std::fs::write(&victim, "42").unwrap();
        let all = [
            &files.lock,
            &files.monitor_lock,
            &files.log,
            &files.pid,
            &files.heartbeat,
            &files.state,
            &files.socket,
        ];
        let fifo = |path: &Path| {
            let (kind, mode) = (rustix::fs::FileType::Fifo, Mode::from_raw_mode(0o600));
            rustix::fs::mknodat(rustix::fs::CWD, path, kind, mode, 0).unwrap();
        };
        let link = |path: &Path| std::os::unix::fs::symlink(&victim, path).unwrap();
        for plant in [&fifo as &dyn Fn(&Path), &link] {
            for path in all {
                remove_if_exists(path).unwrap();
                plant(path);
            }
            assert_eq!(
                (
                    files.daemon_pid(),
                    files.supervisor_pid(),
                    files.socket_to_connect()
                ),
                (None, None, None)
            );
            assert_eq!((read_pid(&files.pid), files.last_heartbeat()), (None, None));
            let held = (
                files.try_lock_daemon().unwrap(),
                files.try_lock_supervisor().unwrap(),
            );
            assert!(held.0.is_some() && held.1.is_some());
            files.write_heartbeat(1, 1).unwrap();
            replace_text(&files.pid, "7").unwrap();
            replace_text(&files.state, "{}").unwrap();
            open_for_writing(&files.log, true).unwrap();
            let _listener = UnixListener::bind(files.prepare_socket_path().unwrap()).unwrap();
            for path in [&files.lock, &files.log, &files.pid, &files.heartbeat] {
                let found = path.symlink_metadata().unwrap();
                assert!(found.is_file() && found.mode() & 0o777 == 0o600, "{path:?}");
            }
            assert_eq!(std::fs::read_to_string(&victim).unwrap(), "42");
        }
    }

    #[test]
    fn a_folder_in_a_file_s_place_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let files = files(folder.path());
        std::fs::create_dir(&files.lock).unwrap();
        let error = files.try_lock_daemon().unwrap_err().to_string();
        assert!(
            error.contains("daemon.lock: is not a regular file"),
            "{error}"
        );
    }

    #[test]
    fn a_folder_that_others_may_enter_holds_no_sockets() {
        let folder = tempfile::tempdir().unwrap();
        let run = folder.path().join("run");
        std::fs::create_dir(&run).unwrap();
        std::fs::set_permissions(&run, std::fs::Permissions::from_mode(0o755)).unwrap();
        let deep = folder.path().join("d".repeat(120));
        std::fs::create_dir(&deep).unwrap();
        let moved = PathOverrides {
            runtime: run,
            ..PathOverrides::default()
        };
        assert!(Files::new(&deep, &moved).prepare_socket_path().is_err());
    }

    #[test]
    fn a_file_in_the_socket_s_place_is_no_socket() {
        let folder = tempfile::tempdir().unwrap();
        let files = files(folder.path());
        for text in ["", "hello", "/\n", "../x.sock"] {
            std::fs::write(&files.socket, text).unwrap();
            assert_eq!(files.socket_to_connect(), None, "{text:?}");
        }
        let elsewhere = tempfile::tempdir().unwrap();
        let named = Files {
            socket: elsewhere.path().join("notes.txt"),
            ..files.clone()
        };
        std::fs::write(&named.socket, "mine").unwrap();
        assert!(named.prepare_socket_path().is_err());
        assert!(named.socket.is_file());
        let address = files.prepare_socket_path().unwrap();
        assert_eq!(address, files.socket);
        let _listener = UnixListener::bind(&address).unwrap();
        assert_eq!(files.socket_to_connect(), Some(address));
    }
}
