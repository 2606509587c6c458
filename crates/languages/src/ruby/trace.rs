//! Stack traces of Ruby.

use crate::trace::*;

/// `x.rb:12:in 'm'`, optionally after `from `.
pub(super) const FORMAT: TraceFormat = TraceFormat {
    name: "Ruby",
    frame,
    ..TraceFormat::NEUTRAL
};

fn frame(line: TraceLine<'_>) -> Option<Frame> {
    let text = line.text.strip_prefix("from ").unwrap_or(line.text);
    // RSpec writes a `# ` before a place.
    let text = text.trim_start_matches("# ");
    let (at, name) = text.split_once(":in ")?;
    let (path, line) = at.rsplit_once(':')?;
    let line = line.parse().ok()?;
    let name = name.trim_start_matches(['`', '\'']);
    let name = name.split(['\'', '`']).next();
    let name = name.map(strip_block);
    let path = path.rsplit(' ').next()?;
    FrameLocation::from_path_and_line(path, Some(line)).into_frame(name)
}

/// The method of `block (2 levels) in run` and `rescue in run`.
fn strip_block(name: &str) -> &str {
    let parts = ["block ", "rescue ", "ensure "];
    match name.rsplit_once(" in ") {
        Some((_, name_of_method)) if parts.iter().any(|part| name.starts_with(part)) => {
            name_of_method
        }
        _ => name,
    }
}
