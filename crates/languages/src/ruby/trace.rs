//! Stack traces of Ruby.

use crate::trace::*;

/// `x.rb:12:in 'm'`, with `from ` before it.
pub(super) const FORMAT: TraceFormat = TraceFormat {
    name: "Ruby",
    frame,
    ..TraceFormat::NEUTRAL
};

fn frame(line: TraceLine<'_>) -> Option<Frame> {
    let text = line.text.strip_prefix("from ").unwrap_or(line.text);
    let (at, name) = text.split_once(":in ")?;
    let (path, line) = at.rsplit_once(':')?;
    let line = line.parse().ok()?;
    let name = name.trim_start_matches(['`', '\'']);
    let name = name.split(['\'', '`']).next();
    let path = path.rsplit(' ').next()?;
    FrameLocation::from_path_and_line(path, Some(line)).into_frame(name)
}
