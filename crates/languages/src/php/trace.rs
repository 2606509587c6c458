//! Stack traces of PHP.

use crate::trace::*;

/// `#0 /x/a.php(12): C->m()`, `in /x/a.php:12`, `in /x/a.php on line 12`.
pub(super) const FORMAT: TraceFormat = TraceFormat {
    name: "Php",
    frame,
    ..TraceFormat::NEUTRAL
};

fn frame(TraceLine { text, .. }: TraceLine<'_>) -> Option<Frame> {
    if !text.contains(".php") {
        return None;
    }
    if let Some(rest) = text.strip_prefix('#') {
        let (_, rest) = rest.split_once(' ')?;
        let (path, rest) = rest.split_once('(')?;
        let (line, rest) = rest.split_once(')')?;
        let name = rest.trim_start_matches(": ").split('(').next();
        return FrameLocation::from_path_and_line(path, line.parse().ok()).into_frame(name);
    }
    let (_, rest) = text.rsplit_once(" in ")?;
    if let Some((path, line)) = rest.split_once(" on line ") {
        let line = line.split(|c: char| !c.is_ascii_digit()).next()?;
        return FrameLocation::from_path_and_line(path, line.parse().ok()).into_frame(None);
    }
    let at = FrameLocation::parse(rest).filter(|at| at.path.ends_with(".php"))?;
    at.into_frame(None)
}
