//! Stack traces of Julia.

use crate::trace::*;

/// `[1] add(cart::Cart)`, and on the next line `@ Shop ~/shop/src/Shop.jl:12`.
pub(super) const FORMAT: TraceFormat = TraceFormat {
    name: "Julia",
    frame,
    name_line,
    ..TraceFormat::NEUTRAL
};

fn frame(line: TraceLine<'_>) -> Option<Frame> {
    let at = match line.text.strip_prefix("@ ") {
        // The module is missing for code of the main program.
        Some(place) => place.rsplit(' ').find(|word| word.contains(".jl:"))?,
        None => line.text.rsplit_once(" at ")?.1,
    };
    let at = FrameLocation::parse(at.trim_start_matches("~/"))?;
    if !at.path.ends_with(".jl") {
        return None;
    }
    let name = line.pending.or_else(|| numbered(line.text));
    at.into_frame(name)
}

fn name_line(line: &str) -> Option<&str> {
    if line.contains(" at ") {
        return None;
    }
    numbered(line.trim_start())
}

/// The function of `[1] add(cart::Cart)`.
fn numbered(text: &str) -> Option<&str> {
    let (number, rest) = text.strip_prefix('[')?.split_once("] ")?;
    if number.is_empty() || !number.chars().all(|c| c.is_ascii_digit()) {
        return None;
    }
    rest.split(['(', '{', ' ']).next()
}
