//! A configuration file as dotted keys with the line of each.

use saphyr_parser::{Event, Parser};

/// A value in a file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Leaf {
    /// The dotted key.
    pub key: String,
    /// Its text; none where it is a list, or refers to another place.
    pub text: Option<String>,
    /// Its line, from 1.
    pub line: usize,
}

/// Why a file cannot be read.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Broken {
    pub line: usize,
    pub reason: String,
}

/// More than any configuration has: a file that has more is none.
const MOST_LEAVES: usize = 10_000;
const DEEPEST: usize = 16;

/// What encloses the next event.
enum Within {
    /// A mapping with its prefix, and the key that waits for its value.
    Mapping(String, Option<(String, usize)>),
    /// A list: its key was told when it began.
    List,
}

/// Reads the file's values in their order. Only the first document counts.
pub(crate) fn leaves(text: &str) -> Result<Vec<Leaf>, Broken> {
    let mut found = Vec::new();
    let mut stack: Vec<Within> = Vec::new();
    // A comment alone is a valid file.
    for event in Parser::new_from_str(text.trim_start_matches('\u{feff}')) {
        let (event, span) = event.map_err(|error| Broken {
            line: error.marker().line(),
            reason: error.info().to_owned(),
        })?;
        let line = span.start.line();
        if stack.len() > DEEPEST || found.len() > MOST_LEAVES {
            let reason = "too deep or too long for a configuration".to_owned();
            return Err(Broken { line, reason });
        }
        match event {
            Event::Scalar(text, ..) => scalar(&mut stack, &mut found, text.into_owned(), line),
            Event::Alias(_) => other(&mut stack, &mut found, line),
            Event::SequenceStart(..) => {
                other(&mut stack, &mut found, line);
                stack.push(Within::List);
            }
            Event::MappingStart(..) => match stack.last_mut() {
                None => stack.push(Within::Mapping(String::new(), None)),
                Some(Within::Mapping(prefix, waiting)) => {
                    let inner = waiting.take().map(|(key, _)| join(prefix, &key));
                    stack.push(inner.map_or(Within::List, |p| Within::Mapping(p, None)));
                }
                Some(Within::List) => stack.push(Within::List),
            },
            Event::SequenceEnd | Event::MappingEnd => {
                stack.pop();
            }
            Event::DocumentEnd => break,
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentStart(_) => {}
        }
    }
    Ok(found)
}

fn join(prefix: &str, key: &str) -> String {
    if prefix.is_empty() {
        key.to_owned()
    } else {
        format!("{prefix}.{key}")
    }
}

/// A key, or the value of the key before it.
fn scalar(stack: &mut [Within], found: &mut Vec<Leaf>, text: String, line: usize) {
    let Some(Within::Mapping(prefix, waiting)) = stack.last_mut() else {
        return;
    };
    match waiting.take() {
        None => *waiting = Some((text, line)),
        // Nothing, `~` and `null` leave the key as it is.
        Some(_) if matches!(text.as_str(), "" | "~" | "null") => {}
        Some((key, line)) => found.push(Leaf {
            key: join(prefix, &key),
            text: Some(text),
            line,
        }),
    }
}

/// Something that is no value of ours.
fn other(stack: &mut [Within], found: &mut Vec<Leaf>, line: usize) {
    let Some(Within::Mapping(prefix, waiting)) = stack.last_mut() else {
        return;
    };
    match waiting.take() {
        // A key that is no text has no name; its value is passed over.
        None => *waiting = Some(("?".to_owned(), line)),
        Some((key, line)) => found.push(Leaf {
            key: join(prefix, &key),
            text: None,
            line,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        let leaf = |l: Leaf| format!("{}:{}={}", l.line, l.key, l.text.unwrap_or("?".to_owned()));
        leaves(text).unwrap().into_iter().map(leaf).collect()
    }

    #[test]
    fn values_come_with_their_dotted_keys_and_lines() {
        let text = "# ours\nfeatures:\n  daemon:\n    enabled: false # off\n\n    max_restarts: 5\n  ckb: {enabled: \"no\"}\ngraph_rag:\n  top_k:\nx: y\n";
        assert_eq!(
            shown(text),
            [
                "4:features.daemon.enabled=false",
                "6:features.daemon.max_restarts=5",
                "7:features.ckb.enabled=no",
                "10:x=y"
            ]
        );
    }

    #[test]
    fn lists_and_references_are_no_values() {
        assert_eq!(
            shown("a: [1, {b: 2}]\nc: &x 1\nd: *x\ne: 2\n"),
            ["1:a=?", "2:c=1", "3:d=?", "4:e=2"]
        );
        assert_eq!(shown("- a\n- b: c\n"), [""; 0]);
        assert_eq!(shown(""), [""; 0]);
        assert_eq!(shown("just words"), [""; 0]);
    }

    #[test]
    fn a_damaged_file_says_where() {
        let broken = leaves("a: 1\nb: [1,\nc: }\n").unwrap_err();
        assert!((2..=4).contains(&broken.line), "{broken:?}");
        assert!(!broken.reason.is_empty());
    }

    #[test]
    fn hostile_files_end_soon() {
        for text in [
            "[".repeat(200_000),
            "{a: ".repeat(100_000),
            "a: &x [*x, *x]\n".repeat(20_000),
            "- ".repeat(50_000),
            "\u{0}\u{1}\u{fffd}: \t".repeat(1_000),
            "? ".repeat(50_000),
        ] {
            let _ = leaves(&text);
        }
    }
}
