//! Stack traces of Python, IPython and pytest.

use crate::trace::*;

/// The innermost frame is last, followed by the error.
pub(super) const FORMAT: TraceFormat = TraceFormat {
    name: "Python",
    frame,
    innermost_last: true,
    error_last: true,
    ..TraceFormat::NEUTRAL
};

/// `File "x.py", line 12, in f`; IPython's `x.py in f(a)` and `File x.py:12, in f(a)`.
fn frame(line: TraceLine<'_>) -> Option<Frame> {
    let rest = line.text.strip_prefix("File ")?;
    if let Some(rest) = rest.strip_prefix('"') {
        let (path, rest) = rest.split_once('"')?;
        let rest = rest.strip_prefix(", line ")?;
        let digits = rest.find(|c: char| !c.is_ascii_digit());
        let (line, rest) = rest.split_at(digits.unwrap_or(rest.len()));
        let function = rest.strip_prefix(", in ");
        let line = line.parse().ok()?;
        return FrameLocation::from_path_and_line(path, Some(line)).into_frame(function);
    }
    let (at, function) = rest.split_once(", in ")?;
    FrameLocation::parse(at)?.into_frame(function.split('(').next())
}
