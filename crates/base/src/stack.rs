//! Stacks for code that recurses as deeply as a source nests.

/// Bytes of the stack of a thread that reads sources. The deepest nesting that is read needs some megabytes; threads
/// have two by default.
pub const DEEP_STACK: usize = 64 << 20;

/// Runs work on a thread with such a stack, and waits for it. If no thread can be started, it runs on this one.
pub fn on_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let mut work = Some(work);
    let done = std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(DEEP_STACK);
        let thread = builder.spawn_scoped(scope, || work.take().map(|work| work()));
        match thread.ok()?.join() {
            Ok(done) => done,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    });
    match (done, work) {
        (Some(done), _) => done,
        (None, Some(work)) => work(),
        (None, None) => unreachable!("work that was taken is done"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deep_work_fits() {
        fn depth(left: u32) -> u64 {
            let room = std::hint::black_box([u64::from(left); 64]);
            if left == 0 {
                room[0]
            } else {
                depth(left - 1) + room[1] - u64::from(left) + 1
            }
        }
        assert_eq!(on_deep_stack(|| depth(20_000)), 20_000);
    }
}
