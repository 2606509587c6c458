//! Protocol Buffers: services with their procedures and HTTP annotations, messages and enumerations.

use super::tree::{Source, child, children, line, note_errors};
use super::{MOST_ENTRIES, name};
use crate::{Contract, ContractType, DeclaredType, HttpRoute, Operation};
use tree_sitter::Node;

/// The deepest nesting of messages.
const DEEPEST: usize = 32;
/// The most further routes of one procedure.
const MOST_BINDINGS: usize = 32;
/// The deepest nesting of blocks of further routes; the rule allows one. Deeper ones are not known.
const DEEPEST_BINDING: u32 = 4;

/// Reads a `.proto` file. Text after an error is read as far as it can be parsed.
pub fn read_proto(path: &str, text: &str, stop: &dyn Fn() -> bool) -> Contract {
    let mut contract = Contract::new(path, ContractType::Proto);
    let grammar = grammars::PROTO.language();
    let Some((tree, whole)) = syntax::parse_text(&grammar, text, stop) else {
        contract.problem(1, "could not be parsed within bounds");
        return contract;
    };
    let source = Source { text };
    note_errors(&mut contract, &source, &tree, whole);
    read_file(&mut contract, &source, tree.root_node());
    contract
}

fn read_file(contract: &mut Contract, source: &Source<'_>, root: Node<'_>) {
    let mut next = vec![root];
    // Errors may contain whole definitions.
    while let Some(node) = next.pop() {
        for node in children(node) {
            if contract.operations.len() + contract.types.len() >= MOST_ENTRIES {
                contract.problem(line(node), "the rest is left out: there is too much of it");
                return;
            }
            match node.kind() {
                "package" => {
                    let package = child(node, "full_ident").map(|name| source.text_of(name));
                    contract.package = package.map(name);
                }
                "service" => read_service(contract, source, node),
                "message" => read_message(contract, source, node, ("", 0)),
                "enum" => read_enum(contract, source, node, ""),
                "ERROR" => next.push(node),
                _ => {}
            }
        }
    }
}

fn read_service(contract: &mut Contract, source: &Source<'_>, node: Node<'_>) {
    let Some(service) = child(node, "service_name") else {
        return;
    };
    let service = name(source.text_of(service));
    for rpc in children(node).into_iter().filter(|c| c.kind() == "rpc") {
        let Some(called) = child(rpc, "rpc_name") else {
            continue;
        };
        if contract.operations.len() >= MOST_ENTRIES {
            return;
        }
        let types: Vec<Node<'_>> = children(rpc)
            .into_iter()
            .filter(|c| c.kind() == "message_or_enum_type")
            .collect();
        let name_of = |at: usize| types.get(at).map(|t| name(source.text_of(*t)));
        let options = children(rpc).into_iter().filter(|c| c.kind() == "option");
        let http = options.flat_map(|option| http_routes(source, option));
        contract.operations.push(Operation {
            service: Some(service.clone()),
            name: name(source.text_of(called)),
            line: line(rpc),
            inputs: name_of(0).into_iter().collect(),
            output: name_of(1),
            http: http.collect(),
        });
    }
}

/// The routes of `option (google.api.http) = { get: "/v1/…" additional_bindings { … } }`.
fn http_routes(source: &Source<'_>, option: Node<'_>) -> Vec<HttpRoute> {
    let name = child(option, "full_ident").map(|name| source.text_of(name));
    let block = child(option, "constant").and_then(|c| child(c, "block_lit"));
    let mut routes = Vec::new();
    if let (Some("google.api.http"), Some(block)) = (name, block) {
        add_routes(source, block, &mut routes, 0);
    }
    routes
}

fn add_routes(source: &Source<'_>, block: Node<'_>, routes: &mut Vec<HttpRoute>, depth: u32) {
    let parts = children(block);
    for (at, key) in parts.iter().enumerate() {
        let Some(value) = parts.get(at + 1) else {
            break;
        };
        let block = match value.kind() {
            "block_lit" => Some(*value),
            _ => child(*value, "block_lit"),
        };
        match (source.text_of(*key), block) {
            (method @ ("get" | "put" | "post" | "delete" | "patch"), None) => {
                let path = name(&unquote(source.text_of(*value)));
                if path.starts_with('/') && routes.len() < MOST_BINDINGS {
                    let method = method.to_ascii_uppercase();
                    routes.push(HttpRoute { method, path });
                }
            }
            ("additional_bindings", Some(inner))
                if routes.len() < MOST_BINDINGS && depth < DEEPEST_BINDING =>
            {
                add_routes(source, inner, routes, depth + 1);
            }
            _ => {}
        }
    }
}

fn unquote(text: &str) -> String {
    // Adjacent literals are one text.
    let mut out = String::new();
    let mut quote = None;
    for c in text.chars() {
        match quote {
            None if c == '"' || c == '\'' => quote = Some(c),
            Some(open) if c == open => quote = None,
            Some(_) => out.push(c),
            None => {}
        }
    }
    out
}

fn read_message(
    contract: &mut Contract,
    source: &Source<'_>,
    node: Node<'_>,
    (around, depth): (&str, usize),
) {
    let called = child(node, "message_name").map(|called| name(source.text_of(called)));
    let (Some(called), Some(body)) = (called, child(node, "message_body")) else {
        return;
    };
    if depth >= DEEPEST || contract.types.len() >= MOST_ENTRIES {
        return;
    }
    let called = within(around, &called);
    let at = contract.types.len();
    contract.types.push(DeclaredType {
        name: called.clone(),
        line: line(node),
        fields: Vec::new(),
    });
    let mut fields = Vec::new();
    for part in children(body) {
        match part.kind() {
            "field" | "map_field" => fields.extend(field_name(source, part)),
            "oneof" => {
                let inner = children(part).into_iter();
                let inner = inner.filter(|c| c.kind() == "oneof_field");
                fields.extend(inner.filter_map(|f| field_name(source, f)));
            }
            "message" => read_message(contract, source, part, (&called, depth + 1)),
            "enum" => read_enum(contract, source, part, &called),
            _ => {}
        }
    }
    contract.types[at].fields = fields;
}

/// The name of a type inside another.
fn within(around: &str, called: &str) -> String {
    match around {
        "" => name(called),
        around => name(&format!("{around}.{}", name(called))),
    }
}

fn field_name(source: &Source<'_>, field: Node<'_>) -> Option<String> {
    child(field, "identifier").map(|field| name(source.text_of(field)))
}

fn read_enum(contract: &mut Contract, source: &Source<'_>, node: Node<'_>, around: &str) {
    let called = child(node, "enum_name").map(|called| source.text_of(called));
    let (Some(called), Some(body)) = (called, child(node, "enum_body")) else {
        return;
    };
    if contract.types.len() >= MOST_ENTRIES {
        return;
    }
    let values = children(body).into_iter();
    let values = values.filter(|c| c.kind() == "enum_field");
    contract.types.push(DeclaredType {
        name: within(around, called),
        line: line(node),
        fields: values.filter_map(|v| field_name(source, v)).collect(),
    });
}
