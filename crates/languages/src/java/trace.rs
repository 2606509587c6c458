//! Stack traces of Java, Kotlin and Scala.

use crate::trace::*;

/// `at a.b.C.m(C.java:3)`.
pub(super) const FORMAT: TraceFormat = TraceFormat {
    name: "Java",
    frame,
    ..TraceFormat::NEUTRAL
};

/// The path of `a.b.C$D.m(C.java:3)` is `a/b/C.java`.
fn frame(line: TraceLine<'_>) -> Option<Frame> {
    let (name, at) = name_and_place_after_at(&line)?;
    if at.contains(['/', '\\']) {
        return None;
    }
    let (file, line) = location(at)?;
    // `module@1.0/pkg.Class.method`, `app//pkg.Class.method`
    let name = name.rsplit('/').next().unwrap_or(name);
    let parts: Vec<&str> = name.split('.').collect();
    let package = parts.len().saturating_sub(2);
    let mut path = parts[..package].join("/");
    if !path.is_empty() {
        path.push('/');
    }
    path.push_str(file);
    let function = parts[package..].join(".");
    FrameLocation::from_path_and_line(&path, line).into_frame(Some(&function))
}

/// `File.java:12`, `File.kt`.
fn location(at: &str) -> Option<(&str, Option<u32>)> {
    let (file, line) = match at.split_once(':') {
        Some((file, line)) => (file, line.parse().ok()),
        None => (at, None),
    };
    let ends = [".java", ".kt", ".scala", ".groovy", ".clj"];
    ends.iter()
        .any(|e| file.ends_with(e))
        .then_some((file, line))
}
