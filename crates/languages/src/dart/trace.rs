//! Stack traces of Dart.

use crate::trace::*;

/// `#0      Cart.add (package:shop/cart.dart:12:5)`.
pub(super) const FORMAT: TraceFormat = TraceFormat {
    name: "Dart",
    frame,
    ..TraceFormat::NEUTRAL
};

fn frame(line: TraceLine<'_>) -> Option<Frame> {
    let rest = line.text.strip_prefix('#')?;
    let rest = rest
        .trim_start_matches(|c: char| c.is_ascii_digit())
        .trim_start();
    let (name, at) = rest.strip_suffix(')')?.rsplit_once(" (")?;
    let at = FrameLocation::parse(at)?;
    if !at.path.ends_with(".dart") {
        return None;
    }
    // What is in `lib` is imported as `package:shop/cart.dart`.
    let path = match at.path.strip_prefix("package:") {
        Some(package) => package.split_once('/').map_or(package, |(_, path)| path),
        None => at.path,
    };
    let name = name.split(".<").next();
    FrameLocation { path, ..at }.into_frame(name)
}
