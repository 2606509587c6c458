//! Frames of machine code without debug information: such a backtrace names functions alone.

use base::trace::{Frame, TraceFormat, TraceLine};

/// Format of `backtrace_symbols` in C libraries.
pub(super) const FORMAT: TraceFormat = TraceFormat {
    name: "Native",
    frame: parse_frame,
    ..TraceFormat::NEUTRAL
};

/// `redis-server *:6379(processCommand+0x41f)[0x55a8]` (glibc), `3   redis-server   0x0000000104 processCommand + 60` (macOS).
fn parse_frame(TraceLine { text, .. }: TraceLine<'_>) -> Option<Frame> {
    let name = glibc_name(text).or_else(|| macos_name(text))?;
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '.' | '$');
    let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    (is_name && name.chars().all(is_word)).then(|| Frame {
        path: String::new(),
        line: None,
        column: None,
        function: Some(name.to_owned()),
    })
}

fn glibc_name(text: &str) -> Option<&str> {
    let (before, address) = text.rsplit_once('[')?;
    let is_address = address.starts_with("0x") && address.ends_with(']');
    let call = before.trim_end().strip_suffix(')')?;
    let (_, call) = call.rsplit_once('(').filter(|_| is_address)?;
    Some(call.split_once("+0x")?.0)
}

fn macos_name(text: &str) -> Option<&str> {
    let mut words = text.split_whitespace();
    let is_number = words.next()?.bytes().all(|byte| byte.is_ascii_digit());
    let _program = words.next()?;
    let is_address = words.next()?.starts_with("0x");
    let name = words.next()?;
    let has_offset = words.next()? == "+" && words.next()?.parse::<u64>().is_ok();
    (is_number && is_address && has_offset).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_read_where_no_file_is_named() {
        let name = |text| {
            let line = TraceLine {
                line: text,
                text,
                pending: None,
            };
            parse_frame(line)?.function
        };
        for (text, expected) in [
            (
                "redis-server *:6379(processCommand+0x41f)[0x55a8]",
                Some("processCommand"),
            ),
            ("./server(run_loop+0x3a) [0x4006f1]", Some("run_loop")),
            ("/lib/x86_64-linux-gnu/libc.so.6(+0x42520)[0x7f]", None),
            (
                "3   redis-server   0x0000000104f1 processCommand + 60",
                Some("processCommand"),
            ),
            ("call f(x+0x1) and see [0x2]", None),
            ("1 apple 0x3 pears + plums", None),
            ("array[0x12]", None),
        ] {
            assert_eq!(name(text).as_deref(), expected, "{text}");
        }
    }
}
