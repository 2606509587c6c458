//! Stack traces of Erlang.

use crate::trace::*;

/// `in function  cart:add/2 (src/cart.erl, line 12)`, `{cart,add,2,[{file,"src/cart.erl"},{line,12}]}`.
pub(super) const FORMAT: TraceFormat = TraceFormat {
    name: "Erlang",
    frame,
    ..TraceFormat::NEUTRAL
};

fn frame(line: TraceLine<'_>) -> Option<Frame> {
    shell_frame(line.text).or_else(|| term_frame(line.text))
}

fn shell_frame(text: &str) -> Option<Frame> {
    let (before, at) = text.rsplit_once(" (")?;
    let (path, line) = at.split_once(", line ")?;
    let line = line.split(')').next()?.parse().ok()?;
    let name = before.rsplit(' ').next()?;
    path.contains(".erl").then_some(())?;
    FrameLocation::from_path_and_line(path, Some(line)).into_frame(Some(&function(name)))
}

fn term_frame(text: &str) -> Option<Frame> {
    let start = text.find("{file,\"")?;
    let (path, rest) = text[start + "{file,\"".len()..].split_once('"')?;
    let (_, line) = rest.split_once("{line,")?;
    let line = line.split('}').next()?.parse().ok()?;
    let head = text[..start].trim_start_matches(['[', '{', ' ']);
    let mut parts = head.split(',');
    let (module, name) = (parts.next()?, parts.next()?);
    FrameLocation::from_path_and_line(path, Some(line))
        .into_frame(Some(&format!("{module}.{name}")))
}

/// `cart:add/2` is `cart.add`.
fn function(name: &str) -> String {
    name.split('/').next().unwrap_or(name).replace(':', ".")
}
