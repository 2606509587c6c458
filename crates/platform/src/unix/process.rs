//! Processes: their groups, their limits, and how they end.

use rustix::process::{Pid, Resource, Rlimit, Signal, getrlimit, setrlimit};
use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus};

/// Signals that another process or the system sends. A program's own fault does not cause them.
const FROM_OTHERS: [Signal; 5] = [
    Signal::KILL,
    Signal::TERM,
    Signal::INT,
    Signal::HUP,
    Signal::QUIT,
];

/// The processes that a child starts, as far as the system keeps them together. They are those of its process group, if it
/// leads one.
#[derive(Debug)]
pub struct Group(());

/// Makes a command lead its own process group, so that the whole group can be ended.
pub fn lead_group(command: &mut Command) {
    command.process_group(0);
}

/// Starts a command, together with the group of what it will start.
///
/// # Errors
/// It cannot be started.
pub fn spawn_in_group(command: &mut Command) -> io::Result<(Child, Group)> {
    Ok((command.spawn()?, Group(())))
}

impl Group {
    /// Ends all processes of the group. Only for a child that has not been reaped, so that its number is still its own.
    pub fn kill(&self, child: &Child) {
        use rustix::process::{getpgid, kill_process_group};
        if let Some(pid) = Pid::from_raw(child.id() as i32)
            && getpgid(Some(pid)) == Ok(pid)
        {
            // It fails if no process is left.
            let _ = kill_process_group(pid, Signal::KILL);
        }
    }
}

/// Whether a child has ended. It is not reaped yet, so its number still identifies its group.
pub fn has_ended(child: &mut Child) -> io::Result<bool> {
    use rustix::process::{WaitId, WaitIdOptions, waitid};
    let Some(pid) = Pid::from_raw(child.id() as i32) else {
        return Ok(true);
    };
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    match waitid(WaitId::Pid(pid), options) {
        Ok(status) => Ok(status.is_some()),
        Err(rustix::io::Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Whether another process ended it, by one of the signals that a program's own fault does not cause.
pub fn was_ended_by_others(status: ExitStatus) -> bool {
    let signal = status.signal();
    signal.is_some_and(|signal| FROM_OTHERS.iter().any(|other| other.as_raw() == signal))
}

/// Whether another process may have ended it. A signal leaves no doubt here.
pub fn may_be_ended_by_others(status: ExitStatus) -> bool {
    was_ended_by_others(status)
}

/// The file name of a program.
pub fn program_name(name: &str) -> String {
    name.to_owned()
}

/// Makes a command run apart from this process's terminal and folder. The supervisor begins a session of its own.
pub fn detach(_: &mut Command) {}

/// Begins a new session, so that closing a terminal does not end this process.
pub fn begin_session() {
    let _ = rustix::process::setsid();
}

/// Asks a process to end. Returns whether the system can do that.
pub fn ask_to_end(process: u32) -> bool {
    signal(process, Signal::TERM)
}

/// Ends a process at once. Returns whether the number can be that of a process.
pub fn kill(process: u32) -> bool {
    signal(process, Signal::KILL)
}

fn signal(process: u32, signal: Signal) -> bool {
    let Some(pid) = i32::try_from(process).ok().and_then(Pid::from_raw) else {
        return false;
    };
    let _ = rustix::process::kill_process(pid, signal);
    true
}

/// A number that changes once the process that started this one is gone.
pub fn parent() -> i32 {
    rustix::process::getppid().map_or(0, |parent| parent.as_raw_nonzero().get())
}

/// Confines this process. From now on it opens no file and no connection, starts no thread and no program, and leaves no core
/// dump. Its address space is limited to `memory` bytes. Limits that the system does not have are skipped.
pub fn confine(memory: u64) {
    let limits = [
        (Resource::As, memory),
        (Resource::Core, 0),
        (Resource::Fsize, 0),
        // Open files stay open.
        (Resource::Nofile, 3),
        (Resource::Nproc, 0),
    ];
    for (resource, most) in limits {
        let limit = Rlimit {
            current: Some(most),
            maximum: Some(most),
        };
        // A limit that is already lower must not be raised.
        let _ = setrlimit(resource, limit);
    }
}

/// Raises the limit of open files, so that as many clients can connect as the system allows this user.
pub fn raise_open_file_limit() {
    let mut limit = getrlimit(Resource::Nofile);
    let wanted = limit.maximum.unwrap_or(1 << 16).min(1 << 16);
    if limit.current.is_some_and(|now| now < wanted) {
        limit.current = Some(wanted);
        // If this fails, fewer clients can connect.
        let _ = setrlimit(Resource::Nofile, limit);
    }
}

/// The memory that this process uses, as reported by the system.
#[derive(Debug)]
pub struct UsedMemory {
    /// It stays open, since a confined process cannot open it.
    #[cfg(target_os = "linux")]
    statm: Option<std::fs::File>,
}

impl UsedMemory {
    /// Prepares reading. To be called before [`confine`].
    pub fn open() -> UsedMemory {
        UsedMemory {
            #[cfg(target_os = "linux")]
            statm: std::fs::File::open("/proc/self/statm").ok(),
        }
    }

    /// Bytes in use; 0 if the system does not know.
    pub fn bytes(&self) -> u64 {
        self.pages().unwrap_or(0) * rustix::param::page_size() as u64
    }

    #[cfg(target_os = "linux")]
    fn pages(&self) -> Option<u64> {
        use std::os::unix::fs::FileExt;
        let mut text = [0; 128];
        let read = self.statm.as_ref()?.read_at(&mut text, 0).ok()?;
        let text = str::from_utf8(text.get(..read)?).ok()?;
        text.split(' ').nth(1)?.parse().ok()
    }

    #[cfg(not(target_os = "linux"))]
    fn pages(&self) -> Option<u64> {
        None
    }
}
