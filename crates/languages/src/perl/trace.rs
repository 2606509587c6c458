//! Stack traces of Perl.

use crate::trace::*;

/// `Shop::Cart::add(1) called at script.pl line 3`, `Empty at lib/Shop/Cart.pm line 12.`
pub(super) const FORMAT: TraceFormat = TraceFormat {
    name: "Perl",
    frame,
    ..TraceFormat::NEUTRAL
};

fn frame(line: TraceLine<'_>) -> Option<Frame> {
    let (before, at) = line.text.rsplit_once(" at ")?;
    let (path, number) = at.split_once(" line ")?;
    let number = number
        .split(|c: char| !c.is_ascii_digit())
        .next()?
        .parse()
        .ok()?;
    let called = before.strip_suffix(" called");
    let is_perl = [".pl", ".pm", ".t", ".psgi"]
        .iter()
        .any(|end| path.ends_with(end));
    if path.contains(' ') || !(is_perl || called.is_some()) {
        return None;
    }
    let name = called.and_then(|name| name.split('(').next());
    FrameLocation::from_path_and_line(path, Some(number)).into_frame(name)
}
