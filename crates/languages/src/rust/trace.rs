//! Panics and backtraces of Rust.

use crate::trace::*;

/// The name is on the line before its place.
pub(super) const FORMAT: TraceFormat = TraceFormat {
    name: "Rust",
    frame,
    name_line,
    ..TraceFormat::NEUTRAL
};

fn frame(line: TraceLine<'_>) -> Option<Frame> {
    let place = location_after_at(&line).filter(|at| at.path.ends_with(".rs"));
    match place {
        Some(at) => at.into_frame(line.pending),
        None => panic(line.text),
    }
}

/// `thread 'main' panicked at src/main.rs:2:5:` and `panicked at 'text', src/main.rs:2:5`.
fn panic(text: &str) -> Option<Frame> {
    let (_, rest) = text.split_once("panicked at ")?;
    let rest = rest.trim_end_matches(':');
    let at = match rest.rsplit_once("', ") {
        Some((_, at)) => at,
        None => rest,
    };
    FrameLocation::parse(at)?.into_frame(None)
}

/// `   3: crate::module::function`, the line before `at ./src/x.rs:1:2`.
fn name_line(line: &str) -> Option<&str> {
    let text = line.trim_start();
    let (number, name) = text.split_once(": ")?;
    let is_name = !number.is_empty()
        && number.chars().all(|c| c.is_ascii_digit())
        && !name.contains(' ')
        && name.contains("::");
    is_name.then(|| function_name(text))
}
