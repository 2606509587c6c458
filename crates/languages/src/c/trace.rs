//! Stack traces of the tools that debug C: gdb, lldb, sanitizers, Valgrind.

use crate::list::{self, WordList};
use crate::trace::*;
use std::sync::LazyLock;

/// `#1  0x0000 in f (c=0x1) at server.c:12` (gdb), `#0 0x4b5c in f /x/a.c:1:2` (sanitizers), `frame #1: 0x1 bin`f(c=1) at
/// a.c:1:2` (lldb), `==1==    by 0x10: f (a.c:5)` (Valgrind).
pub(super) const FORMAT: TraceFormat = TraceFormat {
    name: "C",
    frame,
    ..TraceFormat::NEUTRAL
};

fn frame(TraceLine { text, .. }: TraceLine<'_>) -> Option<Frame> {
    if text.starts_with("==") {
        return valgrind_frame(text);
    }
    let text = text.strip_prefix("* ").unwrap_or(text).trim_start();
    let text = text.strip_prefix("frame ").unwrap_or(text);
    let rest = text.strip_prefix('#')?;
    let digits = rest
        .find(|c: char| !c.is_ascii_digit())
        .filter(|at| *at > 0)?;
    let rest = rest[digits..].trim_start_matches(':').trim_start();
    // An address, if there is one.
    let rest = match rest
        .strip_prefix("0x")
        .and_then(|rest| rest.split_once(' '))
    {
        Some((_, rest)) => rest.strip_prefix("in ").unwrap_or(rest),
        None => rest,
    };
    let rest = rest.split_once('`').map_or(rest, |(_, rest)| rest);
    if let Some((name, at)) = rest.rsplit_once(" at ") {
        let at = at.split_whitespace().next()?;
        let at = FrameLocation::parse(at).filter(|at| is_debugged_path(at.path))?;
        return at.into_frame(Some(name_without_parameters(name)));
    }
    let (name, at) = rest.rsplit_once(' ')?;
    let at = FrameLocation::parse(at).filter(|at| is_debugged_path(at.path))?;
    at.into_frame(Some(name_without_parameters(name)))
}

/// `==1234==    at 0x4C2FB0F: malloc (vg_replace_malloc.c:299)`.
fn valgrind_frame(text: &str) -> Option<Frame> {
    let (_, rest) = text.strip_prefix("==")?.split_once("== ")?;
    let rest = rest.trim_start();
    let rest = rest.strip_prefix("at 0x").or(rest.strip_prefix("by 0x"))?;
    let (name, at) = rest.split_once(": ")?.1.rsplit_once(" (")?;
    let at = FrameLocation::parse(at.strip_suffix(')')?)?;
    at.into_frame(Some(name_without_parameters(name)))
}

/// The name without its parameters.
fn name_without_parameters(text: &str) -> &str {
    // `operator()(int)` has two pairs, and the first is part of its name.
    let name = text.split_once(" (").map_or(text, |(name, _)| name);
    match name.find('(') {
        Some(at) if at > 0 && !name.contains("operator(") => &name[..at],
        _ => name,
    }
}

/// Endings of files in languages that these tools debug.
static DEBUGGED: WordList = LazyLock::new(|| list::words(include_str!("debugged.txt")).collect());

/// Whether a path has such an ending.
fn is_debugged_path(path: &str) -> bool {
    let end = path.rsplit('.').next().unwrap_or_default();
    DEBUGGED.contains(&end)
}
