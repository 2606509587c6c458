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
    let name = name.split('(').next().map(written_name);
    at.into_frame(name.as_deref())
}

/// A name as the source has it. The compiler gives names like `Cart.<AddAsync>d__5.MoveNext` to the bodies of
/// asynchronous methods, iterators, lambdas and local functions, and ``Cart`1[T]`` to generic types.
fn written_name(name: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in name.trim().split('.') {
        let part = part.split(['`', '[']).next().unwrap_or(part);
        let made = part.strip_prefix('<').and_then(|rest| rest.split_once('>'));
        match made {
            // `<>c`, `<>c__DisplayClass1_0`: a class for lambdas.
            Some(("", _)) => {}
            Some((method, _)) => {
                parts.push(method);
                return parts.join(".");
            }
            None => parts.push(part),
        }
    }
    // `..ctor` and `..cctor` are constructors.
    if let [.., class, "", "ctor" | "cctor"] = parts[..] {
        parts.truncate(parts.len() - 2);
        parts.push(class);
    }
    parts.join(".")
}
