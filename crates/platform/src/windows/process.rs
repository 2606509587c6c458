//! Processes. A child and all processes that it starts belong to a job. The job limits and ends all of them.

use super::{check, own};
use std::io;
use std::os::windows::io::{AsRawHandle, IntoRawHandle, OwnedHandle};
use std::os::windows::process::CommandExt;
use std::process::{Child, Command, ExitStatus};
use windows_sys::Win32::Foundation::{
    HANDLE, HANDLE_FLAG_INHERIT, SetHandleInformation, WAIT_OBJECT_0,
};
use windows_sys::Win32::System::Diagnostics::ToolHelp::{
    CreateToolhelp32Snapshot, TH32CS_SNAPTHREAD, THREADENTRY32, Thread32First, Thread32Next,
};
use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_ACTIVE_PROCESS,
    JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
    JOB_OBJECT_LIMIT_PROCESS_MEMORY, JOBOBJECT_EXTENDED_LIMIT_INFORMATION,
    JobObjectExtendedLimitInformation, SetInformationJobObject, TerminateJobObject,
};
use windows_sys::Win32::System::ProcessStatus::{K32GetProcessMemoryInfo, PROCESS_MEMORY_COUNTERS};
use windows_sys::Win32::System::Threading::{
    CREATE_NEW_PROCESS_GROUP, CREATE_NO_WINDOW, CREATE_SUSPENDED, GetCurrentProcess, OpenProcess,
    OpenThread, PROCESS_SYNCHRONIZE, PROCESS_TERMINATE, ResumeThread, THREAD_SUSPEND_RESUME,
    TerminateProcess, WaitForSingleObject,
};

/// Exit code of a process that [`kill`] or a job ended. None of our programs uses it.
const KILLED: u32 = 0xC000_013A;

/// Maximum time for which [`kill`] waits for the end, in milliseconds.
const KILL_WAIT: u32 = 2_000;

/// The job of a child and of all processes that it starts. They end with it, even if this process is killed.
#[derive(Debug)]
pub struct Group(OwnedHandle);

/// Nothing to set. [`spawn_in_group`] creates the job.
pub fn lead_group(_: &mut Command) {}

/// Starts a command in a job of its own. The child gets no window and no input from the terminal.
///
/// # Errors
/// It cannot be started.
pub fn spawn_in_group(command: &mut Command) -> io::Result<(Child, Group)> {
    let job = create_job(JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE, 0)?;
    // The child must not start anything before it belongs to the job.
    command.creation_flags(CREATE_SUSPENDED | CREATE_NO_WINDOW);
    let mut child = command.spawn()?;
    // SAFETY: two open handles.
    let assigned =
        check(unsafe { AssignProcessToJobObject(job.as_raw_handle(), child.as_raw_handle()) });
    match assigned.and_then(|()| resume(child.id())) {
        Ok(()) => Ok((child, Group(job))),
        Err(error) => {
            let _ = child.kill();
            let _ = child.wait();
            Err(error)
        }
    }
}

fn create_job(flags: u32, memory: u64) -> io::Result<OwnedHandle> {
    // SAFETY: no attributes and no name.
    let job = own(unsafe { CreateJobObjectW(std::ptr::null(), std::ptr::null()) })?;
    let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
    limits.BasicLimitInformation.LimitFlags = flags;
    limits.BasicLimitInformation.ActiveProcessLimit = 1;
    limits.ProcessMemoryLimit = usize::try_from(memory).unwrap_or(usize::MAX);
    // SAFETY: a structure of that kind and of that size.
    check(unsafe {
        SetInformationJobObject(
            job.as_raw_handle(),
            JobObjectExtendedLimitInformation,
            (&raw const limits).cast(),
            size_of::<JOBOBJECT_EXTENDED_LIMIT_INFORMATION>() as u32,
        )
    })?;
    Ok(job)
}

/// Lets the only thread of a process begin.
fn resume(process: u32) -> io::Result<()> {
    // SAFETY: numbers are passed, and no pointers.
    let list = own(unsafe { CreateToolhelp32Snapshot(TH32CS_SNAPTHREAD, 0) })?;
    let mut entry = THREADENTRY32 {
        dwSize: size_of::<THREADENTRY32>() as u32,
        ..THREADENTRY32::default()
    };
    // SAFETY: an open handle and a structure that says its size.
    let mut more = unsafe { Thread32First(list.as_raw_handle(), &mut entry) };
    while more != 0 {
        if entry.th32OwnerProcessID == process {
            // SAFETY: numbers are passed, and no pointers.
            let thread = own(unsafe { OpenThread(THREAD_SUSPEND_RESUME, 0, entry.th32ThreadID) })?;
            // SAFETY: an open handle.
            if unsafe { ResumeThread(thread.as_raw_handle()) } == u32::MAX {
                return Err(io::Error::last_os_error());
            }
            return Ok(());
        }
        // SAFETY: as above.
        more = unsafe { Thread32Next(list.as_raw_handle(), &mut entry) };
    }
    Err(io::Error::other("the new process has no thread"))
}

impl Group {
    /// Ends all processes of the job.
    pub fn kill(&self, _: &Child) {
        // SAFETY: an open handle. They may have ended already.
        unsafe { TerminateJobObject(self.0.as_raw_handle(), KILLED) };
    }
}

/// Whether a child has ended.
pub fn has_ended(child: &mut Child) -> io::Result<bool> {
    Ok(child.try_wait()?.is_some())
}

/// Whether another process ended it. A program that the task manager ends has the exit code 1, as many failing programs have,
/// so it is not recognised.
pub fn was_ended_by_others(status: ExitStatus) -> bool {
    status.code() == Some(KILLED as i32)
}

/// Whether another process may have ended it. Who ends a process chooses its exit code. The task manager and `taskkill`
/// choose 1, which a program may return by itself.
pub fn may_be_ended_by_others(status: ExitStatus) -> bool {
    was_ended_by_others(status) || status.code() == Some(1)
}

/// The file name of a program. Batch files are not started: their shell reads arguments in a way of its own.
pub fn program_name(name: &str) -> String {
    if name.contains('.') {
        return name.to_owned();
    }
    format!("{name}.exe")
}

/// Makes a command run apart from this process's terminal. It must not keep the pipes of this process open, because readers of
/// these pipes would wait for its end.
pub fn detach(command: &mut Command) {
    command.creation_flags(CREATE_NO_WINDOW | CREATE_NEW_PROCESS_GROUP);
    let own = [
        std::io::stdin().as_raw_handle(),
        std::io::stdout().as_raw_handle(),
        std::io::stderr().as_raw_handle(),
    ];
    for handle in own {
        // SAFETY: a handle of this process, or none, which is refused.
        unsafe { SetHandleInformation(handle, HANDLE_FLAG_INHERIT, 0) };
    }
}

/// Nothing to do. [`detach`] has separated it from the terminal.
pub fn begin_session() {}

/// Returns false. Windows has no request to end that every process understands.
pub fn ask_to_end(_: u32) -> bool {
    false
}

/// Ends a process at once. Returns whether the number can be that of a process.
pub fn kill(process: u32) -> bool {
    // SAFETY: numbers are passed, and no pointers.
    let opened = unsafe { OpenProcess(PROCESS_TERMINATE | PROCESS_SYNCHRONIZE, 0, process) };
    // The process may have ended already.
    if let Ok(opened) = own(opened) {
        // SAFETY: an open handle.
        unsafe {
            TerminateProcess(opened.as_raw_handle(), KILLED);
            let _ended = WaitForSingleObject(opened.as_raw_handle(), KILL_WAIT) == WAIT_OBJECT_0;
        }
    }
    process != 0
}

/// Always the same number. The job ends a worker when the process that started it is gone.
pub fn parent() -> i32 {
    0
}

/// Confines this process. From now on it starts no program, and its memory is limited to `memory` bytes. It may still open
/// files and connections, since the system has no limit for these. Steps that fail are skipped.
pub fn confine(memory: u64) {
    let flags = JOB_OBJECT_LIMIT_PROCESS_MEMORY
        | JOB_OBJECT_LIMIT_ACTIVE_PROCESS
        | JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION;
    if let Ok(job) = create_job(flags, memory) {
        // SAFETY: an open handle, and a pseudo handle of this process. The job lasts as long as the process.
        unsafe { AssignProcessToJobObject(job.into_raw_handle(), GetCurrentProcess()) };
    }
}

/// Nothing to do. Windows has no such limit.
pub fn raise_open_file_limit() {}

/// The memory that this process uses, as reported by the system.
#[derive(Debug)]
pub struct UsedMemory(());

impl UsedMemory {
    /// Prepares reading.
    pub fn open() -> UsedMemory {
        UsedMemory(())
    }

    /// Bytes in use; 0 if the system does not know.
    pub fn bytes(&self) -> u64 {
        let mut found = PROCESS_MEMORY_COUNTERS::default();
        let size = size_of::<PROCESS_MEMORY_COUNTERS>() as u32;
        // SAFETY: a pseudo handle, which is never closed.
        let process: HANDLE = unsafe { GetCurrentProcess() };
        // SAFETY: a structure of that size.
        match unsafe { K32GetProcessMemoryInfo(process, &mut found, size) } {
            0 => 0,
            _ => found.WorkingSetSize as u64,
        }
    }
}
