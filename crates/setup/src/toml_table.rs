//! One table of Codex's `config.toml`. It is added at the end, so that nothing else in the file moves.

use crate::NAME;
use crate::edit_error::{EditError, Result};
use crate::server::{DECIDING, Server};
use crate::style::{newline_of, quote};
use toml::{Table, Value};

const SERVERS: &str = "mcp_servers";

/// The most memory that a file may take as tables, in bytes: a repository may bring one of its own.
const MOST_DECODED: usize = 64 << 20;

fn parse(text: &str) -> Result<Table> {
    let text = text.trim_start_matches('\u{feff}');
    if base::toml::decoded_size(text) > MOST_DECODED {
        return Err(EditError::TooLarge);
    }
    // Only the message is kept: the line may contain a secret.
    text.parse::<Table>().map_err(|e| {
        let before = e.span().and_then(|span| text.get(..span.start));
        let line = before.map_or(1, |before| before.matches('\n').count() + 1);
        EditError::Syntax {
            line,
            fault: e.message().trim().replace('\n', "; "),
        }
    })
}

fn own_table(table: &Table) -> Option<&Value> {
    table.get(SERVERS)?.get(NAME)
}

/// The server's table.
pub(crate) fn read_server(text: &str) -> Result<Option<Server>> {
    let table = parse(text)?;
    let Some(found) = own_table(&table) else {
        return Ok(None);
    };
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let args = found.get("args").and_then(Value::as_array);
    Ok(Some(Server {
        command: found.get("command").map(text).unwrap_or_default(),
        args: args.into_iter().flatten().map(text).collect(),
        has_more: DECIDING.iter().any(|key| found.get(key).is_some()),
    }))
}

/// The table as text.
pub(crate) fn block(server: &Server) -> String {
    let args: Vec<String> = server.args.iter().map(|arg| quote(arg)).collect();
    format!(
        "[{SERVERS}.{NAME}]\ncommand = {}\nargs = [{}]\n",
        quote(&server.command),
        args.join(", ")
    )
}

/// Adds the table at the end.
pub(crate) fn add(text: &str, server: &Server) -> Result<String> {
    parse(text)?;
    let newline = newline_of(text);
    let mut out = text.to_owned();
    if !text.trim_start_matches('\u{feff}').is_empty() {
        if !text.ends_with('\n') {
            out.push_str(newline);
        }
        out.push_str(newline);
    }
    out.push_str(&block(server).replace('\n', newline));
    match read_server(&out) {
        Ok(Some(found)) if found == *server => Ok(out),
        _ => Err(EditError::NoPlace {
            section: SERVERS,
            part: "a table",
            entry: block(server),
        }),
    }
}

/// Removes the table, with its own sub-tables and the empty lines before it.
pub(crate) fn remove(text: &str) -> Result<String> {
    let mut expected = parse(text)?;
    if own_table(&expected).is_none() {
        return Ok(text.to_owned());
    }
    let mut out = String::with_capacity(text.len());
    let mut is_own = false;
    // Comments and empty lines that may belong to the next table.
    let mut waiting = String::new();
    for line in text.split_inclusive('\n') {
        let bare = line.trim();
        if let Some(name) = bare.strip_prefix('[') {
            let name = name.split(']').next().unwrap_or_default().trim();
            let parts: Vec<&str> = name
                .split('.')
                .map(|part| part.trim().trim_matches(['"', '\'']))
                .collect();
            is_own = parts.starts_with(&[SERVERS, NAME]);
            if is_own {
                out.truncate(out.trim_end().len());
                if !out.is_empty() {
                    out.push_str(if line.ends_with("\r\n") { "\r\n" } else { "\n" });
                }
            } else {
                out.push_str(&waiting);
            }
            waiting.clear();
        }
        if !is_own {
            out.push_str(line);
        } else if bare.is_empty() || bare.starts_with('#') {
            waiting.push_str(line);
        } else {
            waiting.clear();
        }
    }
    out.push_str(&waiting);
    let Some(Value::Table(servers)) = expected.get_mut(SERVERS) else {
        return Err(by_hand());
    };
    servers.remove(NAME);
    let is_last = servers.is_empty();
    let found = parse(&out)?;
    let without = |mut table: Table| {
        table.remove(SERVERS);
        table
    };
    let is_same = found == expected || (is_last && found == without(expected));
    if is_same { Ok(out) } else { Err(by_hand()) }
}

fn by_hand() -> EditError {
    EditError::Inseparable { section: SERVERS }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server() -> Server {
        Server {
            command: "/opt/my \"tools\"/knotwork".to_owned(),
            args: vec!["mcp".to_owned()],
            has_more: false,
        }
    }

    #[test]
    fn a_table_is_added_and_taken_out() {
        for text in [
            "",
            "model = \"gpt-5\" # mine\n\n[mcp_servers.context7]\ncommand = \"npx\"\nargs = [\"-y\", \"@upstash/context7-mcp\"]\n",
            "a = 1",
            "a = 1\r\n[b]\r\nc = 2\r\n",
            "[mcp_servers]\n",
        ] {
            let with = add(text, &server()).unwrap();
            assert!(with.starts_with(text), "{with}");
            assert_eq!(read_server(&with).unwrap(), Some(server()));
            assert_eq!(remove(&with).unwrap().trim_end(), text.trim_end());
            assert_eq!(with.contains("\r\n"), text.contains("\r\n"));
        }
    }

    #[test]
    fn an_entry_with_variables_is_not_ours() {
        let with = add("", &server()).unwrap() + "[mcp_servers.knotwork.env]\nPATH = \"./bin\"\n";
        let found = read_server(&with).unwrap().unwrap();
        assert!(found != server() && !found.is_ours());
    }

    #[test]
    fn what_follows_stays_with_its_comments() {
        let with = add("a = 1\n", &server()).unwrap()
            + "\n[mcp_servers.knotwork.env]\nX = \"1\"\n\n# of b\n[b]\nc = [\n[1]\n]\n";
        let out = remove(&with).unwrap();
        assert_eq!(out, "a = 1\n\n# of b\n[b]\nc = [\n[1]\n]\n");
    }

    #[test]
    fn what_cannot_be_edited_is_refused() {
        assert!(add("mcp_servers = { a = { command = \"x\" } }\n", &server()).is_err());
        let said = add("a = 1\nTOKEN = \"secret\" oops\n", &server())
            .unwrap_err()
            .to_string();
        assert!(
            said.starts_with("line 2: ") && !said.contains("secret"),
            "{said}"
        );
        let many = (0..2_000).map(|n| format!("a{n}{}=1\n", ".b".repeat(70)));
        assert!(read_server(&many.collect::<String>()).is_err());
        assert!(remove("mcp_servers = { knotwork = { command = \"x\" }, b = {} }\n").is_err());
    }
}
