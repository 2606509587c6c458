//! Finds the tables of a file that have functions. It runs before the walk, since a table is defined before its
//! functions.

use super::non_comment_children;
use rustc_hash::FxHashMap;
use syntax::builder::Builder;
use syntax::fields::Fields;
use tree_sitter::Node;

/// How a table is used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct TableUse {
    /// One of its functions is called with `:`, or it is the `__index` of others: it has instances.
    pub(super) is_class: bool,
}

/// The tables that get functions at the file's top level, by name.
pub(super) fn used<'s>(b: &Builder<'s>, root: Node<'_>) -> FxHashMap<&'s str, TableUse> {
    let mut found = FxHashMap::default();
    for node in non_comment_children(root) {
        match node.kind_name() {
            "function_declaration" => collect_tables(b, node, &mut found),
            "assignment_statement" => assigned(b, node, &mut found),
            "variable_declaration" => {
                for inner in non_comment_children(node) {
                    if inner.kind_name() == "assignment_statement" {
                        assigned(b, inner, &mut found);
                    }
                }
            }
            _ => {}
        }
    }
    found
}

fn collect_tables<'s>(b: &Builder<'s>, node: Node<'_>, found: &mut FxHashMap<&'s str, TableUse>) {
    let Some(name) = node.field("name") else {
        return;
    };
    if let Some(table) = table_of(name) {
        let entry: &mut TableUse = found.entry(b.text(table)).or_default();
        entry.is_class |= name.kind_name() == "method_index_expression";
    }
}

/// `T.f = function …`, `T.__index = T`, `T = { f = function … }`.
fn assigned<'s>(b: &Builder<'s>, node: Node<'_>, found: &mut FxHashMap<&'s str, TableUse>) {
    for (target, value) in pairs(node) {
        match value.kind_name() {
            "function_definition" => {
                if let Some(table) = table_of(target) {
                    found.entry(b.text(table)).or_default();
                }
            }
            "table_constructor" if target.kind_name() == "identifier" => {
                let is_function = |field: &Node<'_>| {
                    let value = field.field("value");
                    value.is_some_and(|v| v.kind_name() == "function_definition")
                        && is_named(*field)
                };
                if non_comment_children(value).iter().any(is_function) {
                    found.entry(b.text(target)).or_default();
                }
            }
            _ => {}
        }
        let is_index = target
            .field("field")
            .is_some_and(|field| b.text(field) == "__index");
        if let Some(table) = table_of(target).filter(|_| is_index) {
            found.entry(b.text(table)).or_default().is_class = true;
        }
    }
}

/// Whether a field of a constructor has a name, not a computed key (`[name] = …`).
pub(super) fn is_named(field: Node<'_>) -> bool {
    let is_key = field.child(0).is_some_and(|first| first.kind() == "[");
    let name = field.field("name").filter(|_| !is_key);
    name.is_some_and(|name| name.kind_name() == "identifier")
}

/// The table of `T.name` or `T:name`, if it is a name.
pub(super) fn table_of<'t>(target: Node<'t>) -> Option<Node<'t>> {
    let is_member = matches!(
        target.kind_name(),
        "dot_index_expression" | "method_index_expression"
    );
    let table = target.field("table").filter(|_| is_member)?;
    (table.kind_name() == "identifier").then_some(table)
}

/// The targets of an assignment with their values.
pub(super) fn pairs(node: Node<'_>) -> Vec<(Node<'_>, Node<'_>)> {
    let lists = non_comment_children(node);
    let of_kind = |kind: &str| lists.iter().find(|n| n.kind_name() == kind);
    let (Some(targets), Some(values)) = (of_kind("variable_list"), of_kind("expression_list"))
    else {
        return Vec::new();
    };
    names(*targets)
        .into_iter()
        .zip(non_comment_children(*values))
        .collect()
}

/// The names of a list of variables, attributes (`<const>`) left out.
pub(super) fn names(list: Node<'_>) -> Vec<Node<'_>> {
    let mut all = non_comment_children(list);
    all.retain(|n| n.kind_name() != "attribute");
    all
}
