//! Errors of Bash.

use crate::trace::*;

/// `./a.sh: line 12: x: command not found`.
pub(super) const FORMAT: TraceFormat = TraceFormat {
    name: "Shell",
    frame,
    ..TraceFormat::NEUTRAL
};

fn frame(line: TraceLine<'_>) -> Option<Frame> {
    let (path, rest) = line.text.split_once(": line ")?;
    let (number, _) = rest.split_once(':')?;
    let number = number.parse().ok()?;
    // A message may precede it.
    let path = path.rsplit(' ').next()?;
    FrameLocation::from_path_and_line(path, Some(number)).into_frame(None)
}
