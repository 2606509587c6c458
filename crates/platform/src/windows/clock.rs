//! Computing time of a thread and of a process.

use std::time::Duration;
use windows_sys::Win32::Foundation::{FILETIME, HANDLE};
use windows_sys::Win32::System::Threading::{
    GetCurrentProcess, GetCurrentThread, GetProcessTimes, GetThreadTimes,
};

type ReadTimes = unsafe extern "system" fn(
    HANDLE,
    *mut FILETIME,
    *mut FILETIME,
    *mut FILETIME,
    *mut FILETIME,
) -> i32;

/// The computing time of this thread so far, in steps of the system's clock (1 to 16 milliseconds).
pub fn thread_time() -> Duration {
    // SAFETY: a pseudo handle, which is never closed.
    read(GetThreadTimes, unsafe { GetCurrentThread() })
}

/// The computing time of all threads of this process so far.
pub fn process_time() -> Duration {
    // SAFETY: a pseudo handle, which is never closed.
    read(GetProcessTimes, unsafe { GetCurrentProcess() })
}

fn read(call: ReadTimes, of: HANDLE) -> Duration {
    let mut times = [FILETIME::default(); 4];
    let [created, ended, kernel, user] = &mut times;
    // SAFETY: four structures that live until the call returns.
    if unsafe { call(of, created, ended, kernel, user) } == 0 {
        return Duration::ZERO;
    }
    let steps =
        |time: &FILETIME| u64::from(time.dwHighDateTime) << 32 | u64::from(time.dwLowDateTime);
    // The system counts steps of 100 nanoseconds.
    Duration::from_nanos((steps(kernel) + steps(user)) * 100)
}
