//! A small walk over trees of TypeScript, as a language would have one: functions, classes, variables, names and calls.

use crate::builder::Builder;
use crate::complexity::Rules;
use crate::facts::*;
use crate::fields::Fields;
use crate::parse::ScannerLimits;
use crate::read::{Reader, extract};
use base::{Language, SymbolKind};
use tree_sitter::{Node, Parser, Tree};

/// Complexity rules of TypeScript.
pub(super) const RULES: Rules = Rules {
    nesting: &[
        "if_statement",
        "for_statement",
        "while_statement",
        "switch_statement",
        "ternary_expression",
        "catch_clause",
    ],
    no_path: &["switch_statement"],
    arms: &["switch_case", "switch_default"],
    elses: &["else_clause"],
    else_paths: &[],
    logical: (&["binary_expression"], &["&&", "||"]),
    jumps: &["labeled_statement"],
    functions: &["arrow_function", "function_expression"],
    words: &[
        "if", "for", "while", "switch", "case", "default", "catch", "else", "function",
    ],
    signs: &["?", "&&", "||", "=>", ":"],
};

pub(super) fn typescript() -> Reader {
    Reader {
        language: Language::TypeScript,
        grammar: || tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
        walk,
        is_documentation: |_| false,
        mend: |_| None,
        is_misread: |_| false,
        prepare: |_| None,
        scanner: ScannerLimits::NONE,
    }
}

pub(super) fn rust() -> Reader {
    Reader {
        language: Language::Rust,
        grammar: || tree_sitter_rust::LANGUAGE.into(),
        walk: walk_rust,
        is_documentation: |_| false,
        mend: |_| None,
        is_misread: |_| false,
        prepare: |_| None,
        scanner: ScannerLimits::NONE,
    }
}

/// The facts of a source of TypeScript.
pub(super) fn facts(source: &str) -> FileFacts {
    extract(typescript(), source, &|| false).0
}

/// The tree of a source of TypeScript.
pub(super) fn tree(source: &str) -> Tree {
    let mut parser = Parser::new();
    let grammar = tree_sitter_typescript::LANGUAGE_TYPESCRIPT;
    parser.set_language(&grammar.into()).unwrap();
    parser.parse(source, None).unwrap()
}

/// The names of the definitions, as they are known within the file.
pub(super) fn defs(facts: &FileFacts) -> Vec<String> {
    let all = (0..facts.defs.len() as u32).map(DefId);
    all.map(|id| facts.qualified_name(id)).collect()
}

fn walk(b: &mut Builder<'_>, node: Node<'_>) {
    if !b.enter_level() {
        return;
    }
    match node.kind_name() {
        "function_declaration" | "method_definition" | "arrow_function" => function(b, node),
        "class_declaration" => class(b, node),
        "variable_declarator" => variable(b, node),
        "call_expression" => call(b, node),
        "import_statement" => import(b, node),
        "assignment_expression" => {
            if let Some(left) = node.field("left")
                && left.kind_name() == "identifier"
            {
                let target = b.add_name_expr(left);
                b.add_write(target, left);
            }
            if let Some(right) = node.field("right") {
                walk(b, right);
            }
        }
        "identifier" => {
            let expr = b.add_name_expr(node);
            b.add_reference(RefTarget::Expr(expr), node);
        }
        "type_identifier" => {
            let name = b.intern_node_text(node);
            let (scope, at) = (b.current_scope(), node.start_byte() as u32);
            let ty = b.add_type(TypeExpr::Named {
                path: [name].into(),
                args: Box::default(),
                scope,
                at,
            });
            b.add_reference(RefTarget::Type(ty), node);
        }
        "statement_block" => {
            b.open_scope(ScopeKind::Block, None);
            children(b, node);
            b.close_scope();
        }
        _ => children(b, node),
    }
    b.leave_level();
}

fn children(b: &mut Builder<'_>, node: Node<'_>) {
    let mut cursor = node.walk();
    for child in node.named_children(&mut cursor) {
        walk(b, child);
    }
}

fn function(b: &mut Builder<'_>, node: Node<'_>) {
    let kind = match node.kind_name() {
        "method_definition" => SymbolKind::Method,
        _ => SymbolKind::Function,
    };
    let named = node.field("name");
    let name = match named {
        Some(name) => b.intern_node_text(name),
        None => b.intern_owned_name("<anonymous>"),
    };
    let def = b.add_def(name, kind, node, named.unwrap_or(node));
    match named {
        Some(_) => b.bind(name, Namespace::VALUE, Bound::Def(def)),
        None => b.def_mut(def).flags.set(DefFlags::ANONYMOUS),
    }
    b.open_def(def, ScopeKind::Function);
    if let Some(parameters) = node.field("type_parameters") {
        let mut cursor = parameters.walk();
        for (parameter, n) in parameters.named_children(&mut cursor).zip(0..) {
            if let Some(name) = parameter.field("name") {
                let name = b.intern_node_text(name);
                b.bind(name, Namespace::TYPE, Bound::TypeParam(def, n));
            }
        }
    }
    if let Some(parameters) = node.field("parameters") {
        let mut cursor = parameters.walk();
        for (parameter, n) in parameters.named_children(&mut cursor).zip(0..) {
            if let Some(pattern) = parameter.field("pattern") {
                let name = b.intern_node_text(pattern);
                b.bind(name, Namespace::VALUE, Bound::Param(def, n));
            }
            if let Some(ty) = parameter.field("type") {
                walk(b, ty);
            }
        }
    }
    if let Some(body) = node.field("body") {
        b.set_complexity(def, body, &RULES);
        walk(b, body);
    }
    b.close_def();
}

fn class(b: &mut Builder<'_>, node: Node<'_>) {
    let (Some(name_node), Some(body)) = (node.field("name"), node.field("body")) else {
        return;
    };
    let name = b.intern_node_text(name_node);
    let def = b.add_def(name, SymbolKind::Class, node, name_node);
    b.bind(name, Namespace::BOTH, Bound::Def(def));
    b.open_def(def, ScopeKind::Class);
    children(b, body);
    b.close_def();
}

/// A variable: at the level of the file a definition, else a local that is visible after its value.
fn variable(b: &mut Builder<'_>, node: Node<'_>) {
    let Some(name_node) = node.field("name") else {
        return;
    };
    let name = b.intern_node_text(name_node);
    if b.current_scope() == FILE_SCOPE {
        let def = b.add_def(name, SymbolKind::Variable, node, name_node);
        b.bind(name, Namespace::VALUE, Bound::Def(def));
        b.open_owner(def);
        if let Some(value) = node.field("value") {
            walk(b, value);
        }
        b.close_owner();
        return;
    }
    if let Some(value) = node.field("value") {
        walk(b, value);
    }
    let scope = b.current_scope();
    let to = Bound::Local {
        ty: None,
        value: None,
    };
    let from = node.end_byte() as u32;
    b.bind_in(scope, name, Namespace::VALUE, from, to);
}

fn call(b: &mut Builder<'_>, node: Node<'_>) {
    let (Some(callee), Some(args)) = (node.field("function"), node.field("arguments")) else {
        return;
    };
    let callee_expr = b.add_name_expr(callee);
    let argc = args.named_child_count();
    let call = b.add_expr(Expr::Call {
        callee: callee_expr,
        args: Box::default(),
        type_args: Box::default(),
    });
    b.add_call(call, CallKind::Call, argc, callee);
    children(b, args);
}

fn import(b: &mut Builder<'_>, node: Node<'_>) {
    let Some(source) = node.field("source") else {
        return;
    };
    let module = b.intern_node_text(source);
    let (scope, owner) = (b.current_scope(), b.current_owner());
    let import = b.add_import(Import {
        module,
        what: Imported::Module,
        local: Some(module),
        scope,
        owner,
        level: 0,
        type_only: false,
        unused: false,
        visibility: base::Visibility::Private,
        line: node.start_position().row as u32 + 1,
        condition: None,
    });
    b.bind(module, Namespace::ALL, Bound::Import(import));
}

/// Functions of Rust alone.
fn walk_rust(b: &mut Builder<'_>, node: Node<'_>) {
    let mut cursor = node.walk();
    for child in node.named_children(&mut cursor) {
        if child.kind_name() == "function_item"
            && let Some(name_node) = child.field("name")
        {
            let name = b.intern_node_text(name_node);
            b.add_def(name, SymbolKind::Function, child, name_node);
        }
    }
}
