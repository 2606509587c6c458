//! Stack traces of OCaml.

use crate::trace::*;

/// `Called from Shop.add in file "src/shop.ml", line 12, characters 4-19`.
pub(super) const FORMAT: TraceFormat = TraceFormat {
    name: "OCaml",
    frame,
    ..TraceFormat::NEUTRAL
};

fn frame(line: TraceLine<'_>) -> Option<Frame> {
    const STARTS: [&str; 4] = [
        "Raised at ",
        "Called from ",
        "Re-raised at ",
        "Raised by primitive operation at ",
    ];
    let text = STARTS
        .iter()
        .find_map(|start| line.text.strip_prefix(start))?;
    let (name, at) = match text.split_once("file \"") {
        Some((name, at)) => (name.trim_end().trim_end_matches("in").trim_end(), at),
        None => return None,
    };
    let (path, rest) = at.split_once('"')?;
    let (_, line) = rest.split_once("line ")?;
    let line = line
        .split(|c: char| !c.is_ascii_digit())
        .next()?
        .parse()
        .ok()?;
    // Modules of a library are `Shop__Cart`.
    let name = name.rsplit("__").next();
    FrameLocation::from_path_and_line(path, Some(line)).into_frame(name)
}
