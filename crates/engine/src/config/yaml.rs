//! A configuration file as dotted keys with the line of each.

use text::yaml::{ErrorKind, Field, Options, Value};

/// A value in a file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Leaf {
    /// The dotted key.
    pub key: String,
    /// The text of the value; none where it is a list or an alias.
    pub text: Option<String>,
    /// The line, from 1.
    pub line: usize,
}

/// The reason why a file cannot be read, with the line.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ParseError {
    pub line: usize,
    pub reason: String,
}

/// The most values of a file: no configuration has more.
const MOST_LEAVES: usize = 10_000;
const YAML: Options = Options {
    events: 100_000,
    depth: 16,
    odd_key: Some("?"),
    refuse_aliases: false,
};

/// Reads the file's values in their order. Only the first document counts; a comment alone is a valid file.
pub(crate) fn parse_leaves(text: &str) -> Result<Vec<Leaf>, ParseError> {
    let document = text::yaml::read(text, YAML).map_err(|error| ParseError {
        line: error.line,
        reason: match error.kind {
            ErrorKind::Syntax(reason) => reason,
            _ => TOO_LONG.to_owned(),
        },
    })?;
    let mut found = Vec::new();
    if let Some((_, Value::Map(fields))) = document {
        collect("", fields, &mut found)?;
    }
    Ok(found)
}

const TOO_LONG: &str = "too deep or too long for a configuration";

/// The values of a mapping whose own key is `prefix`.
fn collect(prefix: &str, fields: Vec<Field>, found: &mut Vec<Leaf>) -> Result<(), ParseError> {
    for Field { key, line, value } in fields {
        let key = match prefix {
            "" => key,
            prefix => format!("{prefix}.{key}"),
        };
        let text = match value {
            Value::Map(inner) => {
                collect(&key, inner, found)?;
                continue;
            }
            // An empty value, `~` and `null` leave the key as it is.
            Value::Text(text) if matches!(text.as_str(), "" | "~" | "null") => continue,
            Value::Text(text) => Some(text),
            Value::List(_) | Value::Alias => None,
        };
        if found.len() == MOST_LEAVES {
            let reason = TOO_LONG.to_owned();
            return Err(ParseError { line, reason });
        }
        found.push(Leaf { key, text, line });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        let leaf = |l: Leaf| format!("{}:{}={}", l.line, l.key, l.text.unwrap_or("?".to_owned()));
        parse_leaves(text).unwrap().into_iter().map(leaf).collect()
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
        let broken = parse_leaves("a: 1\nb: [1,\nc: }\n").unwrap_err();
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
            let _ = parse_leaves(&text);
        }
    }
}
