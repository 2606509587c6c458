//! Time that a thread and a process have computed.

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

/// The time for which this thread has computed so far, in steps of the system's clock (1 to 16 milliseconds).
pub fn thread_time() -> Duration {
    // SAFETY: the number that stands for the calling thread needs no care.
    read(GetThreadTimes, unsafe { GetCurrentThread() })
}

/// The time for which all threads of this process have computed so far.
pub fn process_time() -> Duration {
    // SAFETY: the number that stands for this process needs no care.
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
    // Steps of 100 nanoseconds.
    Duration::from_nanos((steps(kernel) + steps(user)) * 100)
}
