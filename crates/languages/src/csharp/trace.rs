//! Stack traces of .NET.

use crate::trace::*;

/// `at Shop.Cart.Add(Item item) in C:\x\Cart.cs:line 42`.
pub(super) const FORMAT: TraceFormat = TraceFormat {
    name: "CSharp",
    frame,
    ..TraceFormat::NEUTRAL
};

fn frame(line: TraceLine<'_>) -> Option<Frame> {
    let (name, place) = rest_after_at(&line)?.rsplit_once(" in ")?;
    let (path, number) = place.rsplit_once(":line ")?;
    let at = FrameLocation::from_path_and_line(path, number.trim().parse().ok());
    at.into_frame(name.split('(').next())
}
