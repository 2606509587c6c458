//! GraphQL: the fields of root types, other types, and the requests of documents.

use super::tree::{Source, child, children, line, note_errors};
use super::{MOST_ENTRIES, MOST_INPUTS, name};
use crate::{Contract, ContractType, DeclaredType, GraphQlUse, Operation};
use rustc_hash::FxHashMap;
use tree_sitter::Node;

/// The most fields of one selection.
const MOST_FIELDS: usize = 100;

/// Reads a schema, operations, or both.
pub fn read_graphql(path: &str, text: &str, stop: &dyn Fn() -> bool) -> Contract {
    let mut contract = Contract::new(path, ContractType::GraphQl);
    if text.trim().is_empty() {
        return contract;
    }
    let grammar = grammars::GRAPHQL.language();
    let Some((tree, whole)) = syntax::parse_text(&grammar, text, stop) else {
        contract.problem(1, "could not be parsed within bounds");
        return contract;
    };
    let source = Source { text };
    note_errors(&mut contract, &source, &tree, whole);
    let definitions = definitions(tree.root_node());
    let roots = root_types(&source, &definitions);
    for node in definitions {
        if contract.operations.len() + contract.types.len() >= MOST_ENTRIES {
            contract.problem(line(node), "the rest is left out: there is too much of it");
            break;
        }
        match node.kind() {
            "operation_definition" => contract.uses.extend(read_use(&source, node)),
            "object_type_definition" | "object_type_extension" => {
                read_object(&mut contract, &source, node, &roots);
            }
            kind if kind.ends_with("_type_definition") => read_type(&mut contract, &source, node),
            _ => {}
        }
    }
    contract
}

/// The requests of a GraphQL document in code; its first line is that of the code.
pub fn read_graphql_document(
    text: &str,
    first_line: u32,
    stop: &dyn Fn() -> bool,
) -> Vec<GraphQlUse> {
    let mut uses = read_graphql("", text, stop).uses;
    for one in &mut uses {
        one.line += first_line.saturating_sub(1);
    }
    uses
}

/// The definitions of a document, including those within syntax errors.
fn definitions<'t>(root: Node<'t>) -> Vec<Node<'t>> {
    let mut found = Vec::new();
    let mut next = vec![root];
    while let Some(node) = next.pop() {
        match node.kind() {
            "source_file"
            | "document"
            | "definition"
            | "executable_definition"
            | "type_system_definition"
            | "type_system_extension"
            | "type_definition"
            | "type_extension"
            | "ERROR" => next.extend(children(node)),
            _ => found.push(node),
        }
    }
    found.sort_by_key(|node| node.start_byte());
    found
}

/// The names of the root types, each with its role: `Query`, `Mutation`, `Subscription`, and those that `schema {
/// … }` names.
fn root_types(source: &Source<'_>, definitions: &[Node<'_>]) -> FxHashMap<String, String> {
    let usual = ["Query", "Mutation", "Subscription"];
    let mut roots: FxHashMap<String, String> = usual
        .iter()
        .map(|name| ((*name).to_owned(), (*name).to_owned()))
        .collect();
    let schemas = definitions
        .iter()
        .filter(|d| d.kind().starts_with("schema_"));
    for root in schemas.flat_map(|schema| children(*schema)) {
        let kind = child(root, "operation_type").map(|k| source.text_of(k));
        let name = child(root, "named_type").map(|n| source.text_of(n));
        if let (Some(kind), Some(name)) = (kind, name) {
            roots.insert(name.to_owned(), capitalised(kind));
        }
    }
    roots
}

fn capitalised(word: &str) -> String {
    let mut chars = word.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}

fn read_object(
    contract: &mut Contract,
    source: &Source<'_>,
    node: Node<'_>,
    roots: &FxHashMap<String, String>,
) {
    let Some(root) = child(node, "name").and_then(|name| roots.get(source.text_of(name))) else {
        read_type(contract, source, node);
        return;
    };
    let fields = child(node, "fields_definition");
    for field in fields.into_iter().flat_map(children) {
        let Some(called) = child(field, "name") else {
            continue;
        };
        if contract.operations.len() >= MOST_ENTRIES {
            return;
        }
        let arguments = child(field, "arguments_definition");
        let inputs = arguments.into_iter().flat_map(children);
        let inputs = inputs.filter_map(|a| child(a, "type"));
        contract.operations.push(Operation {
            service: Some(name(root)),
            name: name(source.text_of(called)),
            line: line(field),
            inputs: inputs
                .take(MOST_INPUTS)
                .map(|t| plain_type(source.text_of(t)))
                .collect(),
            output: child(field, "type").map(|t| plain_type(source.text_of(t))),
            http: Vec::new(),
        });
    }
}

/// A type without its marks for lists and null.
fn plain_type(text: &str) -> String {
    name(text.trim_matches(['[', ']', '!', ' ']))
}

fn read_type(contract: &mut Contract, source: &Source<'_>, node: Node<'_>) {
    let Some(called) = child(node, "name") else {
        return;
    };
    let bodies = [
        "fields_definition",
        "input_fields_definition",
        "enum_values_definition",
    ];
    let body = bodies.iter().find_map(|kind| child(node, kind));
    let parts = body.into_iter().flat_map(children);
    let names = parts.filter_map(|p| child(p, "name").or_else(|| child(p, "enum_value")));
    contract.types.push(DeclaredType {
        name: name(source.text_of(called)),
        line: line(node),
        fields: names.map(|n| name(source.text_of(n))).collect(),
    });
}

fn read_use(source: &Source<'_>, node: Node<'_>) -> Option<GraphQlUse> {
    let set = child(node, "selection_set")?;
    let kind = child(node, "operation_type").map_or("query", |k| source.text_of(k));
    let fields = children(set).into_iter().take(MOST_FIELDS);
    let fields = fields.filter_map(|s| child(s, "field"));
    let fields = fields.filter_map(|f| child(f, "name"));
    Some(GraphQlUse {
        root: capitalised(kind),
        name: child(node, "name").map_or(String::new(), |n| name(source.text_of(n))),
        fields: fields.map(|n| name(source.text_of(n))).collect(),
        line: line(node),
    })
}
