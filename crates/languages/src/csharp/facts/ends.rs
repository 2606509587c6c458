//! Whether the end of a block can be reached. A lambda that only throws fits delegates with a result, too.

use super::{children_of_kind, first_expression};
use syntax::fields::{Fields, child_of_kind};
use tree_sitter::Node;

/// Most statements inside one another that are looked into.
const MAX_DEPTH: u32 = 20;
/// Most nodes that are searched for a statement that leaves a loop or function.
const MAX_NODES: usize = 2_000;

/// Whether the end of a statement can be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Reached,
    Never,
    Unknown,
}

/// The end of a block that returns no value.
pub(super) fn of_block(block: Node<'_>) -> End {
    match of_statement(block, 0) {
        End::Reached => End::Reached,
        end => match leaves(block, &["return_statement", "yield_statement"]) {
            Some(false) => end,
            Some(true) => End::Reached,
            None => End::Unknown,
        },
    }
}

fn of_statement(node: Node<'_>, depth: u32) -> End {
    if depth > MAX_DEPTH {
        return End::Unknown;
    }
    let inner =
        |child: Option<Node<'_>>| child.map_or(End::Reached, |c| of_statement(c, depth + 1));
    match node.kind_name() {
        "throw_statement" => End::Never,
        "block" => inner(last_statement(node)),
        "while_statement" => of_loop(node, node.field("condition")),
        "for_statement" => of_loop(node, node.field("condition")),
        "if_statement" => {
            let branches = ["consequence", "alternative"].map(|field| inner(node.field(field)));
            both(branches)
        }
        "try_statement" => {
            let mut end = inner(node.field("body"));
            for clause in children_of_kind(node, "catch_clause") {
                end = both([end, inner(clause.field("body"))]);
            }
            let last =
                child_of_kind(node, "finally_clause").and_then(|c| child_of_kind(c, "block"));
            match last.map(|block| inner(Some(block))) {
                Some(End::Never) => End::Never,
                _ => end,
            }
        }
        "lock_statement" | "using_statement" | "fixed_statement" | "checked_statement"
        | "unsafe_statement" => inner(node.field("body").or_else(|| child_of_kind(node, "block"))),
        "switch_statement" | "goto_statement" | "labeled_statement" | "do_statement" => {
            End::Unknown
        }
        _ => End::Reached,
    }
}

fn last_statement(block: Node<'_>) -> Option<Node<'_>> {
    let mut cursor = block.walk();
    block
        .named_children(&mut cursor)
        .filter(|c| !c.is_extra() && c.kind_name() != "local_function_statement")
        .last()
}

/// A loop without a condition, or with one that always holds, ends only by `break`.
fn of_loop(node: Node<'_>, condition: Option<Node<'_>>) -> End {
    let is_endless = match condition {
        None => true,
        Some(condition) => {
            condition.kind_name() == "boolean_literal"
                && first_expression(condition).is_none_or(|word| word.kind_name() == "true")
                && condition.end_byte() - condition.start_byte() == "true".len()
        }
    };
    if !is_endless {
        return match condition.map_or("", |c| c.kind_name()) {
            // The value of a name or of an operation may be constant.
            "identifier" | "binary_expression" | "parenthesized_expression" => End::Unknown,
            _ => End::Reached,
        };
    }
    match leaves(node, &["break_statement", "goto_statement"]) {
        Some(false) => End::Never,
        Some(true) | None => End::Unknown,
    }
}

fn both(ends: [End; 2]) -> End {
    match ends {
        [End::Never, End::Never] => End::Never,
        [End::Reached, _] | [_, End::Reached] => End::Reached,
        _ => End::Unknown,
    }
}

/// Whether a node has a statement of one of these kinds, outside of functions in it; `None` if there is too much to search.
fn leaves(node: Node<'_>, kinds: &[&str]) -> Option<bool> {
    let mut open = vec![node];
    let mut count = 0;
    while let Some(next) = open.pop() {
        count += 1;
        if count > MAX_NODES {
            return None;
        }
        let kind = next.kind_name();
        if kinds.contains(&kind) {
            return Some(true);
        }
        let is_function = matches!(
            kind,
            "lambda_expression" | "anonymous_method_expression" | "local_function_statement"
        );
        if !is_function {
            let mut cursor = next.walk();
            open.extend(next.named_children(&mut cursor));
        }
    }
    Some(false)
}
