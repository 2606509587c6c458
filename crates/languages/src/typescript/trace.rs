//! Stack traces of V8, Firefox and Safari.

use crate::trace::*;

/// `at name (place)` and `name@place`.
pub(super) const FORMAT: TraceFormat = TraceFormat {
    name: "JavaScript",
    frame,
    is_general: true,
    ..TraceFormat::NEUTRAL
};

fn frame(line: TraceLine<'_>) -> Option<Frame> {
    if let Some((name, at)) = name_and_place_after_at(&line) {
        let name = name.trim().trim_start_matches("async ");
        let name = name.split(" [as ").next();
        // `at eval (eval at f (x.js:1:2), <anonymous>:1:1)`
        let at = at.split(", <anonymous>").next().unwrap_or(at);
        return FrameLocation::parse(at)?.into_frame(name);
    }
    match location_after_at(&line) {
        Some(at) => at.into_frame(None),
        None => firefox(line.text),
    }
}

/// `f@http://host/a.js:12:5`.
fn firefox(text: &str) -> Option<Frame> {
    let (name, at) = text.split_once('@')?;
    if name.contains(' ') || !(at.contains("://") || at.starts_with('/')) {
        return None;
    }
    let at = FrameLocation::parse(at)?;
    at.column?;
    at.into_frame(Some(name))
}
