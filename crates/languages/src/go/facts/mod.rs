//! Facts of Go files. One [`Walker`] visits the tree; the modules hold its parts by topic.

mod calls;
mod declarations;
mod docs;
mod exprs;
mod functions;
mod imports;
mod literals;
mod statements;
mod structs;
mod types;

use base::Visibility;
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::builder::Builder;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// The grammar.
pub(super) fn grammar() -> tree_sitter::Language {
    grammars::GO.language()
}

/// Reads a whole file.
pub(super) fn walk(builder: &mut Builder<'_>, root: Node<'_>) {
    let mut walker = Walker {
        b: builder,
        locals: Vec::new(),
        places: FxHashMap::default(),
        scope_starts: Vec::new(),
        packages: FxHashSet::default(),
        globals: FxHashMap::default(),
        functions: 0,
        visible_from: 0,
        is_called_from_outside: false,
    };
    walker.scan_globals(root);
    walker.file(root);
}

/// The kind of a name at a place, as far as the walk itself can tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NameKind {
    /// A type of this file or function, or a type parameter.
    Type,
    /// A variable, constant, parameter or function.
    Value,
}

/// The walk over one file.
struct Walker<'b, 's> {
    b: &'b mut Builder<'s>,
    /// Names bound in the current function, innermost last. Go binds names before their use, so this list decides
    /// whether a name is local.
    locals: Vec<(NameId, NameKind)>,
    /// The positions of each name in `locals`.
    places: FxHashMap<NameId, Vec<usize>>,
    /// The position in `locals` at which each open scope starts.
    scope_starts: Vec<usize>,
    /// Local names of imports.
    packages: FxHashSet<NameId>,
    /// Functions and types that this file declares at package level.
    globals: FxHashMap<&'s str, NameKind>,
    /// Number of open functions.
    functions: u32,
    /// The byte from which the current signature's parameters are visible.
    visible_from: u32,
    /// Whether a comment right above says that the next definition is called from outside the source.
    is_called_from_outside: bool,
}

impl<'s> Walker<'_, 's> {
    /// Records the file's functions and types before the walk. A call of a name must know whether it is a conversion,
    /// or a built-in that the file redeclares.
    fn scan_globals(&mut self, root: Node<'_>) {
        let mut cursor = root.walk();
        for node in root.named_children(&mut cursor) {
            match node.kind_name() {
                "function_declaration" => {
                    if let Some(name) = node.field("name") {
                        self.globals.insert(self.b.text(name), NameKind::Value);
                    }
                }
                "type_declaration" => {
                    let mut specs = node.walk();
                    for spec in node.named_children(&mut specs) {
                        if let Some(name) = spec.field("name") {
                            self.globals.insert(self.b.text(name), NameKind::Type);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn file(&mut self, root: Node<'_>) {
        let mut docs = docs::Docs::default();
        let mut cursor = root.walk();
        for node in root.named_children(&mut cursor) {
            if node.kind_name() == "comment" {
                self.visit_build_constraint(node);
                docs.comment(self.b, node);
                continue;
            }
            self.is_called_from_outside = docs.take_directive(node);
            let doc = docs.take(node);
            self.visit_top_level(node, doc);
            self.is_called_from_outside = false;
            docs.note_declaration_end(node);
        }
    }

    fn visit_top_level(&mut self, node: Node<'_>, doc: Option<String>) {
        match node.kind_name() {
            "package_clause" => {
                if let Some(name) = node.named_child(0) {
                    let name = self.b.intern_node_text(name);
                    self.b.facts_mut().package = Some(name);
                }
            }
            "import_declaration" => self.visit_import_declaration(node),
            "function_declaration" => self.function(node, doc),
            "method_declaration" => self.method(node, doc),
            "const_declaration" => self.visit_const_declaration(node, doc),
            "var_declaration" => self.visit_var_declaration(node, doc),
            "type_declaration" => self.type_declaration(node, doc),
            _ => self.visit_statement(node),
        }
    }

    fn visit_build_constraint(&mut self, comment: Node<'_>) {
        if let Some(rest) = self.b.text(comment).strip_prefix("//go:build ") {
            let name = self.b.intern_name(rest.trim());
            self.b.facts_mut().constraint.get_or_insert(name);
        }
    }

    /// Opens a block.
    fn open_block(&mut self) {
        self.b.open_scope(ScopeKind::Block, None);
        self.scope_starts.push(self.locals.len());
    }

    /// Closes the block of [`Walker::open_block`].
    fn close_block(&mut self) {
        self.b.close_scope();
        let mark = self.scope_starts.pop().unwrap_or(0);
        self.truncate_locals(mark);
    }

    /// Opens a definition with its scope.
    fn open_def(&mut self, def: DefId, kind: ScopeKind) {
        self.b.open_def(def, kind);
        self.scope_starts.push(self.locals.len());
    }

    /// Closes the definition of [`Walker::open_def`].
    fn close_def(&mut self) {
        self.b.close_def();
        let mark = self.scope_starts.pop().unwrap_or(0);
        self.truncate_locals(mark);
    }

    /// Binds a name in a function. Go has one namespace for values and types.
    fn bind_local(&mut self, name: NameId, from: u32, to: Bound, known: NameKind) {
        let scope = self.b.current_scope();
        self.b.bind_in(scope, name, Namespace::BOTH, from, to);
        let at = self.locals.len();
        self.locals.push((name, known));
        self.places.entry(name).or_default().push(at);
    }

    /// The kind of a name that the open functions bind.
    fn find_local(&self, name: NameId) -> Option<NameKind> {
        let last = self.places.get(&name)?.last()?;
        Some(self.locals[*last].1)
    }

    /// Removes the local names bound since `mark`.
    fn truncate_locals(&mut self, mark: usize) {
        for (name, _) in self.locals.drain(mark..) {
            if let Some(places) = self.places.get_mut(&name) {
                places.pop();
            }
        }
    }

    /// Whether the innermost scope already binds the name (`:=` then assigns).
    fn is_bound_in_innermost(&self, name: NameId) -> bool {
        let from = self.scope_starts.last().copied().unwrap_or(0);
        let last = self.places.get(&name).and_then(|places| places.last());
        last.is_some_and(|last| *last >= from)
    }

    /// The kind of a name, as far as this file shows.
    fn kind_of_name(&mut self, node: Node<'_>) -> Option<NameKind> {
        let name = self.b.intern_node_text(node);
        self.find_local(name)
            .or_else(|| self.globals.get(self.b.text(node)).copied())
    }

    /// Sets the properties that follow from the name: exported if it begins with an upper-case letter. Also sets
    /// whether it is local to a function.
    fn set_visibility(&mut self, def: DefId, name: &str) {
        let local = self.functions > 0;
        let exported = name.chars().next().is_some_and(char::is_uppercase);
        let entry = self.b.def_mut(def);
        entry.visibility = match (local, exported) {
            (true, _) => Visibility::Private,
            (false, true) => Visibility::Public,
            (false, false) => Visibility::Package,
        };
        if local {
            entry.flags.set(DefFlags::LOCAL);
        } else if exported {
            entry.flags.set(DefFlags::EXPORTED);
        }
    }

    fn set_doc(&mut self, def: DefId, doc: Option<&str>) {
        if let Some(doc) = doc {
            self.b.set_doc(def, doc);
        }
    }
}

/// The expression or type inside any parentheses.
fn strip_parentheses(mut node: Node<'_>) -> Node<'_> {
    while matches!(
        node.kind_name(),
        "parenthesized_expression" | "parenthesized_type"
    ) {
        match node.named_child(0) {
            Some(inner) => node = inner,
            None => break,
        }
    }
    node
}

/// Named children without comments.
fn named_parts<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    let children = node.named_children(&mut cursor);
    children.filter(|n| n.kind_name() != "comment").collect()
}

/// Children in that field without punctuation.
fn named_children_in_field<'t>(node: Node<'t>, field: &'static str) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    let children = node.fields(field, &mut cursor);
    children.filter(Node::is_named).collect()
}
