//! Facts of Lua files: functions, tables with functions, calls, and modules by `require`.
//!
//! A table at the file's top level that has functions is a definition, and the functions are its members. It is a class
//! if one of them is called with `:`, otherwise a namespace.

mod assigned;
mod defs;
mod docs;
mod exprs;
mod tables;

use assigned::Declared;
use docs::Docs;
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::builder::Builder;
use syntax::complexity;
use syntax::facts::*;
use syntax::fields::Fields;
use tables::TableUse;
use tree_sitter::Node;

/// The grammar.
pub(super) fn grammar() -> tree_sitter::Language {
    grammars::LUA.language()
}

/// Reads a whole file.
pub(super) fn walk(builder: &mut Builder<'_>, root: Node<'_>) {
    let tables = tables::used(builder, root);
    let mut walker = Walker {
        b: builder,
        tables,
        owners: FxHashMap::default(),
        at_top: FxHashSet::default(),
        own_require: FxHashSet::default(),
        variables: assigned::Variables::default(),
        fields: Vec::new(),
        loops: Vec::new(),
        functions: Vec::new(),
        nesting: 0,
        doc: None,
    };
    walker.statements(root);
    walker.assign_fields();
}

const RULES: complexity::Rules = complexity::Rules {
    nesting: &[
        "if_statement",
        "for_statement",
        "while_statement",
        "repeat_statement",
    ],
    no_path: &[],
    arms: &[],
    elses: &["elseif_statement", "else_statement"],
    else_paths: &["elseif_statement"],
    logical: (&["binary_expression"], &["and", "or"]),
    jumps: &["goto_statement"],
    functions: &["function_definition", "function_declaration"],
    words: &[
        "if", "for", "while", "repeat", "elseif", "else", "and", "or", "goto", "function",
    ],
    signs: &[],
};

/// The state of the walk.
struct Walker<'b, 's> {
    b: &'b mut Builder<'s>,
    /// The tables of the file's top level that have functions, by name.
    tables: FxHashMap<&'s str, TableUse>,
    /// The definitions of these tables, as far as reached.
    owners: FxHashMap<&'s str, DefId>,
    /// The names that the file's scope binds so far.
    at_top: FxHashSet<NameId>,
    /// Scopes in which `require` is a local of the file.
    own_require: FxHashSet<ScopeId>,
    /// Names by the scope that declares them, with the values of variables.
    variables: assigned::Variables,
    /// Assignments to fields of table literals: table, field, value.
    fields: Vec<(ExprId, NameId, ExprId)>,
    /// Starts of the enclosing loops, innermost last.
    loops: Vec<u32>,
    /// Starts of the functions so far.
    functions: Vec<u32>,
    /// The number of functions around the current statement.
    nesting: u32,
    /// The comment above the current statement.
    doc: Option<String>,
}

impl<'s> Walker<'_, 's> {
    /// The statements of a block, a file or any other node with statements.
    fn statements(&mut self, node: Node<'_>) {
        let mut docs = Docs::default();
        let mut cursor = node.walk();
        let loops = self.loops.len();
        for child in node.named_children(&mut cursor) {
            if is_jumped_back_to(child) {
                self.loops.push(child.start_byte() as u32);
            }
            if child.kind_name() == "comment" {
                docs.push_comment(self.b.text(child), child);
                continue;
            }
            self.doc = docs.take_doc_for(child);
            self.statement(child);
        }
        self.loops.truncate(loops);
    }

    fn statement(&mut self, node: Node<'_>) {
        if !self.b.enter_level() {
            return;
        }
        let loops = self.loops.len();
        if matches!(
            node.kind_name(),
            "for_statement" | "while_statement" | "repeat_statement"
        ) {
            self.loops.push(node.start_byte() as u32);
        }
        match node.kind_name() {
            "function_declaration" => self.function_declaration(node),
            "variable_declaration" => self.local(node),
            "assignment_statement" => self.assignment(node),
            "return_statement" => self.returned(node),
            "for_statement" => self.for_loop(node),
            "function_call" => {
                self.visit_expr(node);
            }
            "repeat_statement" => self.repeat(node),
            "do_statement" | "while_statement" | "if_statement" | "elseif_statement"
            | "else_statement" => self.branch(node),
            _ => {}
        }
        self.loops.truncate(loops);
        self.b.leave_level();
    }

    /// A statement with a condition, blocks, and further branches.
    fn branch(&mut self, node: Node<'_>) {
        for child in non_comment_children(node) {
            match child.kind_name() {
                "block" => self.block(child),
                "elseif_statement" | "else_statement" => self.statement(child),
                _ => {
                    self.visit_expr(child);
                }
            }
        }
    }

    /// The condition sees the local variables of the body.
    fn repeat(&mut self, node: Node<'_>) {
        self.b.open_scope(ScopeKind::Block, None);
        if let Some(body) = node.field("body") {
            self.statements(body);
        }
        if let Some(condition) = node.field("condition") {
            self.visit_expr(condition);
        }
        self.b.close_scope();
    }

    fn block(&mut self, node: Node<'_>) {
        self.b.open_scope(ScopeKind::Block, None);
        self.statements(node);
        self.b.close_scope();
    }

    fn for_loop(&mut self, node: Node<'_>) {
        self.b.open_scope(ScopeKind::Block, None);
        if let Some(clause) = node.field("clause") {
            let mut names = Vec::new();
            let mut elements = None;
            for child in non_comment_children(clause) {
                match child.kind_name() {
                    "variable_list" => names.extend(non_comment_children(child)),
                    "expression_list" => {
                        let values = self.exprs(child);
                        elements = self.elements_of(&values);
                    }
                    "identifier" if clause.field("name") == Some(child) => names.push(child),
                    _ => {
                        self.visit_expr(child);
                    }
                }
            }
            for (at, name) in names.into_iter().enumerate() {
                let element = elements.filter(|_| at == 1);
                self.bind_local(name, element, node.start_byte());
                if element.is_none() {
                    let name = self.b.intern_node_text(name);
                    let here = self.b.current_scope();
                    self.note_variable((here, name), Declared::Unknown);
                }
            }
        }
        if let Some(body) = node.field("body") {
            self.statements(body);
        }
        self.b.close_scope();
    }

    /// The elements of `ipairs({ a, b })`, one of which the second variable of a loop is.
    fn elements_of(&mut self, iterated: &[ExprId]) -> Option<ExprId> {
        let facts = self.b.facts();
        let Expr::Call { callee, args, .. } = facts.expr(*iterated.first()?) else {
            return None;
        };
        let Expr::Name { name, .. } = facts.expr(*callee) else {
            return None;
        };
        let Expr::List(parts) = facts.expr(*args.first()?) else {
            return None;
        };
        let is_known = matches!(facts.name(*name), "ipairs" | "pairs");
        let parts = parts.clone();
        match parts.len() {
            1 if is_known => Some(parts[0]),
            2..=assigned::MOST_VALUES if is_known => Some(self.b.add_expr(Expr::Either(parts))),
            _ => None,
        }
    }

    /// Binds a local variable that is not a definition, visible from a byte on.
    fn bind_local(&mut self, name: Node<'_>, value: Option<ExprId>, from: usize) {
        let id = self.b.intern_node_text(name);
        let scope = self.b.current_scope();
        if scope == FILE_SCOPE {
            self.at_top.insert(id);
        }
        let same = value.is_some_and(
            |v| matches!(self.b.facts().expr(v), Expr::Name { name, .. } if *name == id),
        );
        if !same {
            self.note_own_require(id, scope);
        }
        let to = Bound::Local { ty: None, value };
        self.b.bind_in(scope, id, Namespace::VALUE, from as u32, to);
        self.note_variable((scope, id), Declared::Variable(value, None));
    }

    /// Records a `require` of the file's own (`local function require`, a parameter of that name), whose result is
    /// unknown. `local require = require` is the same function.
    fn note_own_require(&mut self, name: NameId, scope: ScopeId) {
        if self.b.facts().name(name) == "require" {
            self.own_require.insert(scope);
        }
    }

    /// `return`: the result of a function, or the value of the module.
    fn returned(&mut self, node: Node<'_>) {
        let Some(list) = non_comment_children(node).into_iter().next() else {
            return;
        };
        let values = self.exprs(list);
        let Some(first) = values.first().copied() else {
            return;
        };
        let value = if values.len() > 1 {
            self.b.add_expr(Expr::Tuple(values.into()))
        } else {
            first
        };
        match self.visit_function() {
            Some(def) => self.note_return(def, value),
            None if self.b.current_scope() == FILE_SCOPE => {
                self.b.add_export(Export {
                    name: None,
                    what: Exported::Whole(value),
                    line: node.start_position().row as u32 + 1,
                });
            }
            None => {}
        }
    }
}

/// Whether a statement is a label that code behind it may jump to: one at the end of its block serves as `continue`.
fn is_jumped_back_to(node: Node<'_>) -> bool {
    let mut next = node.next_named_sibling();
    while let Some(comment) = next.filter(|n| n.kind_name() == "comment") {
        next = comment.next_named_sibling();
    }
    node.kind_name() == "label_statement" && next.is_some()
}

/// The named children of a node, comments left out.
fn non_comment_children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor)
        .filter(|n| n.kind_name() != "comment")
        .collect()
}
