//! Stack traces of Go.

use crate::trace::*;

/// The name is on the line before its place.
pub(super) const FORMAT: TraceFormat = TraceFormat {
    name: "Go",
    frame,
    name_line,
    ..TraceFormat::NEUTRAL
};

/// `\t/x/server.go:12 +0x1d`.
fn frame(line: TraceLine<'_>) -> Option<Frame> {
    let at = line.text.split(" +0x").next()?;
    let place = FrameLocation::parse(at.trim_end())?;
    let indented = line.line.starts_with([' ', '\t']);
    let ok = place.path.ends_with(".go") && !place.path.contains(' ');
    if !ok || (!indented && line.pending.is_none()) {
        return None;
    }
    place.into_frame(line.pending)
}

/// `main.(*Server).run(0xc000…)`, the line before `\t/x/server.go:12 +0x1d`.
fn name_line(line: &str) -> Option<&str> {
    if let Some(name) = line.strip_prefix("created by ") {
        return Some(function_name(name));
    }
    let name = line.rsplit_once('(').map_or("", |(name, _)| name);
    let called = line.ends_with(')') && !line.starts_with([' ', '\t']);
    (called && name.contains('.') && !name.contains(' ')).then(|| function_name(line))
}
