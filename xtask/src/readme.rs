//! The table of commands in README, compared with the operations of the engine.

use crate::tidy::files;
use engine::{OPERATIONS, OperationEntry};
use std::collections::BTreeSet;

/// Commands that are no operations on a project's graph.
const OTHERS: &[&str] = &["solution", "config", "daemon", "watch", "hook", "mcp"];

/// A row: the commands' first words, and the tools.
struct Row {
    commands: BTreeSet<String>,
    tools: BTreeSet<String>,
}

/// The texts between backquotes.
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
    row.commands.contains(operation.name) || row.commands.contains(prefix)
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
