//! Tests of all commands, and of the tables in the READMEs and in `docs` that are made from the lists of commands and operations.
//! `cargo xtask docs` writes these tables.

use super::COMMANDS;
use crate::command::{Command, Row};
use engine::{OPERATIONS, OperationEntry};
use server::daemon::OwnAction;
use std::fmt::Write;
use std::path::Path;

/// The most characters of a line of prose.
const WIDTH: usize = 140;

/// The name of the tool of an operation, where it is offered to MCP clients.
fn tool(operation: &OperationEntry) -> Option<String> {
    operation.tool?;
    Some(format!("`ci_{}`", operation.name.replace('-', "_")))
}

/// The tools of a command, in backquotes.
fn tools(command: &Command, row: &Row) -> String {
    if let Some(tool) = row.tool {
        return tool.to_owned();
    }
    let names = command.operations.iter();
    let operations = names.map(|name| engine::operation(name).unwrap_or_else(|| panic!("{name}")));
    let tools: Vec<String> = operations.filter_map(tool).collect();
    if tools.is_empty() {
        return "–".to_owned();
    }
    tools.join(", ")
}

fn table(head: &str, row_of: impl Fn(&Command) -> Option<&Row>) -> String {
    let mut out = format!("{head}\n| --- | --- | --- |\n");
    for command in COMMANDS {
        if let Some(row) = row_of(command) {
            let tools = tools(command, row);
            let _ = writeln!(out, "| {} | {tools} | {} |", row.usage, row.answers);
        }
    }
    out
}

/// The daemon's own actions and the names of all operations, each in lines of prose.
fn actions() -> String {
    let own = OwnAction::ALL.into_iter().filter_map(|own| {
        Some(match own.documented_payload()? {
            "" => format!("`{}`", own.name()),
            payload => format!("`{}` ({payload})", own.name()),
        })
    });
    let operations = OPERATIONS.iter();
    let operations = operations.map(|operation| format!("`{}`", operation.name));
    let (own, operations) = (own.collect::<Vec<_>>(), operations.collect::<Vec<_>>());
    format!(
        "Own actions:\n{}\nOperations:\n{}",
        prose(&own),
        prose(&operations)
    )
}

/// A list in lines of prose, with commas and a full stop.
fn prose(words: &[String]) -> String {
    let (mut out, mut line) = (String::new(), String::new());
    for (at, word) in words.iter().enumerate() {
        let end = if at + 1 < words.len() { "," } else { "." };
        let word = format!("{word}{end}");
        if line.len() + word.len() >= WIDTH {
            let _ = writeln!(out, "{line}");
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(&word);
    }
    format!("{out}{line}\n")
}

/// Compares the part of a page between its marks with the expected text. With `UPDATE_DOCS` set, it writes that text instead.
fn check(page: &str, name: &str, made: &str) {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join(page);
    let text = std::fs::read_to_string(&path).unwrap();
    let begin = format!("<!-- {name}: made by `cargo xtask docs` -->\n");
    let end = format!("<!-- end of {name} -->\n");
    let (before, rest) = text.split_once(&begin).expect("the first mark");
    let (found, after) = rest.split_once(&end).expect("the last mark");
    // Without an empty line, a table next to a comment is no table.
    let made = format!("\n{made}\n");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, [before, &begin, &made, &end, after].concat()).unwrap();
        return;
    }
    assert_eq!(
        found, made,
        "{page} is not up to date: run cargo xtask docs"
    );
}

#[test]
fn readme_has_every_command() {
    let made = table("| command | MCP tool | answers |", |command| {
        Some(&command.readme)
    });
    check("README.md", "commands", &made);
}

#[test]
fn the_chinese_readme_has_the_most_used_commands() {
    let made = table("| 命令 | MCP 工具 | 回答 |", |command| {
        command.readme_chinese.as_ref()
    });
    check("README.zh-CN.md", "commands", &made);
}

#[test]
fn the_page_of_the_daemon_has_every_operation() {
    check("docs/daemon.md", "actions", &actions());
}

#[test]
fn every_operation_has_a_command() {
    for operation in OPERATIONS {
        let mut commands = COMMANDS.iter();
        let has_command = commands.any(|command| command.operations.contains(&operation.name));
        assert!(has_command, "no command runs {}", operation.name);
    }
}

/// The first word of a row is the name of its command.
#[test]
fn rows_are_about_their_commands() {
    for command in COMMANDS {
        for row in [Some(&command.readme), command.readme_chinese.as_ref()] {
            let Some(row) = row else { continue };
            let typed = row.usage.strip_prefix('`').unwrap_or_default();
            let first = typed.split(['`', ' ']).next();
            assert_eq!(first, Some(command.name));
            for cell in [row.usage, row.answers, row.tool.unwrap_or_default()] {
                assert!(!cell.contains('|') && !cell.contains('\n'), "{cell}");
            }
        }
    }
}
