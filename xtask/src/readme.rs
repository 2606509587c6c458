//! The table of commands in README, compared with the operations of the engine.

use crate::tidy::files;
use engine::{OPERATIONS, OperationEntry};
use std::collections::BTreeSet;

/// Commands that are not operations on a project's graph.
const OTHERS: &[&str] = &[
    "solution",
    "config",
    "daemon",
    "watch",
    "hook",
    "mcp",
    "shims",
    "setup",
    "doctor",
    "projects",
    "purge",
    "worker",
    "serve",
    "view",
    "completions",
    "man",
];

/// Operations without a command of their own: only the viewer calls them.
const OF_THE_VIEWER: &[&str] = &["layout", "symbol"];

/// A row: the commands' first words, and the tools.
struct Row {
    commands: BTreeSet<String>,
    tools: BTreeSet<String>,
}

/// The texts between backquotes in a cell.
fn quoted(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

fn rows() -> Vec<Row> {
    let page = files(&["README.md"]);
    let page = page.iter().find(|(path, _)| path == "README.md").unwrap();
    let table = page.1.split_once("| command | MCP tool |").unwrap().1;
    let lines = table
        .lines()
        .skip(2)
        .take_while(|line| line.starts_with('|'));
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('|').collect();
        let first = |text: &str| text.split(' ').next().unwrap_or_default().to_owned();
        Row {
            commands: quoted(cells[1]).map(first).collect(),
            tools: quoted(cells[2])
                .filter(|tool| tool.starts_with("ci_"))
                .map(str::to_owned)
                .collect(),
        }
    };
    lines.map(row).collect()
}

/// Whether a row is about an operation: `index-status` is `index status` at the command line.
fn is_about(row: &Row, operation: &OperationEntry) -> bool {
    let prefix = operation.name.split('-').next().unwrap_or_default();
    let is_of_viewer = OF_THE_VIEWER.contains(&operation.name) && row.commands.contains("view");
    is_of_viewer || row.commands.contains(operation.name) || row.commands.contains(prefix)
}

fn tool(operation: &OperationEntry) -> Option<String> {
    operation.tool?;
    Some(format!("ci_{}", operation.name.replace('-', "_")))
}

#[test]
fn the_table_of_commands_is_that_of_the_operations() {
    let rows = rows();
    let tools: BTreeSet<String> = OPERATIONS.iter().filter_map(tool).collect();
    for operation in OPERATIONS {
        let own: Vec<&Row> = rows.iter().filter(|row| is_about(row, operation)).collect();
        assert!(!own.is_empty(), "README has no row for {}", operation.name);
        if let Some(tool) = tool(operation) {
            let told = own.iter().any(|row| row.tools.contains(&tool));
            assert!(told, "README does not name {tool}");
        }
    }
    for row in &rows {
        let unknown: Vec<&String> = row.tools.difference(&tools).collect();
        assert!(unknown.is_empty(), "no such tools: {unknown:?}");
        let is_known = OPERATIONS.iter().any(|operation| is_about(row, operation));
        let is_other = OTHERS.iter().any(|other| row.commands.contains(*other));
        assert!(is_known || is_other, "no operation: {:?}", row.commands);
    }
}

#[test]
fn the_actions_of_the_daemon_are_those_of_the_operations() {
    let page = files(&["daemon.md"]);
    let (_, page) = page
        .iter()
        .find(|(path, _)| path == "docs/daemon.md")
        .unwrap();
    let (_, list) = page.split_once("every operation by its").unwrap();
    let list = list.split("\n\n").next().unwrap();
    let named: BTreeSet<&str> = quoted(list)
        .filter(|name| *name != "hook" && *name != "config")
        .collect();
    let all: BTreeSet<&str> = OPERATIONS.iter().map(|operation| operation.name).collect();
    assert_eq!(named, all);
}

/// Every file that the pages name in backquotes exists.
#[test]
fn files_that_are_named_are_there() {
    let root = crate::tidy::root();
    let mut gone = Vec::new();
    for (path, text) in files(&[".md"]) {
        if path.starts_with("CHANGELOG") {
            continue;
        }
        for name in quoted(&text) {
            let is_path = [
                "crates/",
                "xtask/",
                "docs/",
                "eval/",
                "training/",
                "scripts/",
            ]
            .iter()
            .any(|folder| name.starts_with(folder));
            let is_plain = name
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c));
            let is_pattern = name.contains("LANGUAGE");
            if is_path && is_plain && !is_pattern && !root.join(name).exists() {
                gone.push(format!("{path}: {name}"));
            }
        }
    }
    assert!(gone.is_empty(), "not there: {gone:#?}");
}
