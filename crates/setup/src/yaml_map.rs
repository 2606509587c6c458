//! One mapping below `extensions` in Goose's `config.yaml`. Lines are inserted; no other line is written
//! again.

use crate::NAME;
use crate::edit_error::{EditError, Result};
use crate::server::{DECIDING, Server};
use crate::style::{newline_of, quote};
use text::yaml::{self, Field, Options, Value};

const EXTENSIONS: &str = "extensions";

const OPTIONS: Options = Options {
    events: 200_000,
    depth: 60,
    odd_key: Some("?"),
    refuse_aliases: false,
};

/// Seconds that Goose waits for a tool.
const TIMEOUT: u32 = 300;

/// The first mapping of a text; empty for a text without one.
fn parse(text: &str) -> Result<Vec<Field>> {
    let body = text.trim_start_matches('\u{feff}');
    let is_further = |line: &str| line.starts_with("---") || line.starts_with("...");
    let first = body
        .lines()
        .position(|line| !line.trim().is_empty() && !line.starts_with('#'));
    if body
        .lines()
        .enumerate()
        .any(|(number, line)| is_further(line) && Some(number) != first)
    {
        return Err(EditError::SeveralDocuments);
    }
    match yaml::read(text, OPTIONS) {
        Ok(None) => Ok(Vec::new()),
        Ok(Some((_, Value::Map(fields)))) => Ok(fields),
        Ok(Some((_, Value::Text(text)))) if text.is_empty() || text == "~" => Ok(Vec::new()),
        Ok(Some(_)) => Err(EditError::text_is_no("mapping")),
        Err(e) => Err(EditError::Syntax {
            line: e.line,
            fault: format!("{:?}", e.kind),
        }),
    }
}

fn field<'f>(fields: &'f [Field], key: &str) -> Result<Option<&'f Field>> {
    let mut all = fields.iter().filter(|field| field.key == key);
    match (all.next(), all.next()) {
        (_, Some(_)) => Err(EditError::TwiceTheKey(key.to_owned())),
        (found, None) => Ok(found),
    }
}

/// The server's mapping.
pub(crate) fn read_server(text: &str) -> Result<Option<Server>> {
    let fields = parse(text)?;
    let Some(Field {
        value: Value::Map(extensions),
        ..
    }) = field(&fields, EXTENSIONS)?
    else {
        return Ok(None);
    };
    let Some(Field { value: found, .. }) = field(extensions, NAME)? else {
        return Ok(None);
    };
    let text = |value: &Value| value.text().unwrap_or_default().to_owned();
    let args = match found.get("args") {
        Some(Value::List(items)) => items.iter().map(|(_, item)| text(item)).collect(),
        _ => Vec::new(),
    };
    Ok(Some(Server {
        command: found.get("cmd").map(text).unwrap_or_default(),
        args,
        has_more: DECIDING.iter().any(|key| {
            found.get(key).is_some_and(|value| match value {
                Value::Map(fields) => !fields.is_empty(),
                Value::List(items) => !items.is_empty(),
                Value::Text(text) => !text.is_empty(),
                _ => true,
            })
        }),
    }))
}

/// The lines of the server's mapping.
fn block(server: &Server, indent: &str) -> String {
    let args: Vec<String> = server.args.iter().map(|arg| quote(arg)).collect();
    let lines = [
        format!("{NAME}:"),
        format!("  cmd: {}", quote(&server.command)),
        format!("  args: [{}]", args.join(", ")),
        "  enabled: true".to_owned(),
        "  envs: {}".to_owned(),
        format!("  name: {NAME}"),
        format!("  timeout: {TIMEOUT}"),
        "  type: stdio".to_owned(),
    ];
    lines.map(|line| format!("{indent}{line}\n")).concat()
}

/// Adds the mapping after the last extension.
pub(crate) fn add(text: &str, server: &Server) -> Result<String> {
    let fields = parse(text)?;
    let newline = newline_of(text);
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let by_hand = || EditError::NoPlace {
        section: EXTENSIONS,
        part: "a line",
        entry: block(server, "  "),
    };
    let out = match field(&fields, EXTENSIONS)? {
        None => {
            let head = format!("{EXTENSIONS}:\n{}", block(server, "  "));
            put(&lines, lines.len(), &head, newline)
        }
        Some(Field {
            line,
            value: Value::Map(extensions),
            ..
        }) if !extensions.is_empty() => {
            let first = lines
                .get(extensions[0].line - 1)
                .filter(|_| extensions[0].line > *line)
                .ok_or_else(by_hand)?;
            let indent = &first[..indentation(first)];
            let end = end_of_region(&fields, &lines, *line);
            put(&lines, end, &block(server, indent), newline)
        }
        Some(Field { line, .. }) => {
            let own = lines.get(line - 1).ok_or_else(by_hand)?.trim_end();
            let bare = own.split(" #").next().unwrap_or_default().trim_end();
            if bare == format!("{EXTENSIONS}:") {
                put(&lines, *line, &block(server, "  "), newline)
            } else if bare == format!("{EXTENSIONS}: {{}}") {
                let head = own.replacen(": {}", ":", 1) + newline;
                let mut lines = lines.clone();
                lines[line - 1] = &head;
                put(&lines, *line, &block(server, "  "), newline)
            } else {
                return Err(by_hand());
            }
        }
    };
    match read_server(&out) {
        Ok(Some(found)) if found == *server && without(&parse(&out)?) == without(&fields) => {
            Ok(out)
        }
        _ => Err(by_hand()),
    }
}

/// Whether there are extensions, or a place for them.
pub(crate) fn has_extensions(text: &str) -> bool {
    parse(text).is_ok_and(|fields| fields.iter().any(|field| field.key == EXTENSIONS))
}

/// Removes the mapping. The key around it is removed as well if it has nothing else, unless it is to be
/// kept.
pub(crate) fn remove(text: &str, keep_container: bool) -> Result<String> {
    let fields = parse(text)?;
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let Some(Field {
        line: head,
        value: Value::Map(extensions),
        ..
    }) = field(&fields, EXTENSIONS)?
    else {
        return Ok(text.to_owned());
    };
    let Some(Field { line: from, .. }) = field(extensions, NAME)? else {
        return Ok(text.to_owned());
    };
    let by_hand = || EditError::Inseparable {
        section: EXTENSIONS,
    };
    let indent = indentation(lines.get(from - 1).ok_or_else(by_hand)?);
    let rest = lines.iter().skip(*from);
    let inside = rest
        .take_while(|line| line.trim().is_empty() || indentation(line) > indent)
        .count();
    let own = &lines[from - 1..from + inside];
    let blank = own
        .iter()
        .rev()
        .take_while(|line| line.trim().is_empty())
        .count();
    let to = from + inside - blank;
    let is_alone = extensions.len() == 1 && !keep_container && head + 1 == *from;
    let start = if is_alone { head - 1 } else { from - 1 };
    let out = lines[..start].concat() + &lines[to..].concat();
    let is_same = read_server(&out)?.is_none() && without(&parse(&out)?) == without(&fields);
    if is_same { Ok(out) } else { Err(by_hand()) }
}

/// All fields but our mapping, without line numbers.
fn without(fields: &[Field]) -> Vec<(String, Vec<String>)> {
    let plain = |value: &Value| format!("{:?}", strip_lines(value));
    let parts = fields.iter().map(|Field { key, value, .. }| match value {
        Value::Map(parts) if key == EXTENSIONS => {
            let others = parts.iter().filter(|part| part.key != NAME);
            (
                key.clone(),
                others
                    .map(|part| format!("{} {}", part.key, plain(&part.value)))
                    .collect(),
            )
        }
        Value::Text(_) if key == EXTENSIONS => (key.clone(), Vec::new()),
        value => (key.clone(), vec![plain(value)]),
    });
    parts
        .filter(|(key, parts): &(String, Vec<String>)| key != EXTENSIONS || !parts.is_empty())
        .collect()
}

fn strip_lines(value: &Value) -> Value {
    match value {
        Value::List(items) => Value::List(
            items
                .iter()
                .map(|(_, item)| (0, strip_lines(item)))
                .collect(),
        ),
        Value::Map(parts) => Value::Map(
            parts
                .iter()
                .map(|field| Field {
                    key: field.key.clone(),
                    line: 0,
                    value: strip_lines(&field.value),
                })
                .collect(),
        ),
        other => other.clone(),
    }
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// The number of lines up to the end of the value of the key on a line.
fn end_of_region(fields: &[Field], lines: &[&str], line: usize) -> usize {
    let next = fields
        .iter()
        .map(|field| field.line)
        .filter(|at| *at > line)
        .min();
    let end = next.map_or(lines.len(), |next| next - 1);
    let is_inside = |line: &&str| !line.trim().is_empty() && indentation(line) > 0;
    let last = lines[line..end].iter().rposition(is_inside);
    last.map_or(line, |last| line + last + 1)
}

fn put(lines: &[&str], at: usize, block: &str, newline: &str) -> String {
    let mut out = lines[..at].concat();
    if !out.is_empty() && !out.ends_with('\n') {
        out.push_str(newline);
    }
    out.push_str(&block.replace('\n', newline));
    out + &lines[at..].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server() -> Server {
        Server {
            command: "/opt/knotwork".to_owned(),
            args: vec!["mcp".to_owned()],
            has_more: false,
        }
    }

    #[test]
    fn a_mapping_is_added_and_taken_out() {
        for text in [
            "",
            "# mine\nGOOSE_MODE: \"smart_approve\"\n",
            "extensions:\n  developer:\n    bundled: true   # odd\n    type: builtin\n\n# about that\nGOOSE_MODE: auto\n",
            "extensions:\n    a:\n        type: builtin\n        text: |\n            # no comment\n\n            more\n",
            "extensions:\r\n  a:\r\n    type: builtin\r\nx: 1\r\n",
            "extensions:\n  a:\n    type: builtin",
            "extensions:\nx: 1\n",
        ] {
            let with = add(text, &server()).unwrap();
            assert_eq!(read_server(&with).unwrap(), Some(server()), "{with}");
            let out = remove(&with, has_extensions(text)).unwrap();
            assert_eq!(out.trim_end(), text.trim_end());
            for line in text.lines() {
                assert!(with.contains(line), "{line}");
            }
        }
        let with = add("extensions: {} # none\nx: 1\n", &server()).unwrap();
        assert!(
            with.starts_with("extensions: # none\n  knotwork:\n"),
            "{with}"
        );
    }

    #[test]
    fn what_cannot_be_edited_is_refused() {
        for text in [
            "extensions: {a: {type: builtin}}\n",
            "- 1\n",
            "a: [\n",
            "a: 1\n---\nb: 2\n",
            "extensions: 5\n",
        ] {
            assert!(add(text, &server()).is_err(), "{text}");
        }
    }
}
