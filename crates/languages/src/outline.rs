//! Facts of languages of which names alone are read: definitions by the kinds of their nodes, with documentation, parameters and
//! complexity. There are no calls, references or imports.

use base::{SymbolKind, Visibility};
use syntax::builder::Builder;
use syntax::complexity;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Bytes before a comment that are looked at for code on its line.
const MOST_BEFORE: usize = 200;

/// How definitions stand in the trees of a language.
pub(crate) struct Outline {
    /// The kinds of nodes that define something.
    pub(crate) definitions: &'static [Definition],
    /// Kinds of nodes that are comments.
    pub(crate) comments: &'static [&'static str],
    /// What counts for complexity.
    pub(crate) complexity: &'static complexity::Rules,
}

/// A kind of node that defines something.
pub(crate) struct Definition {
    /// The kind.
    pub(crate) node: &'static str,
    /// The field that has the name. Of a path, the last part is the name.
    pub(crate) name: &'static str,
    /// The kind of node that the name must be; any where it is empty.
    pub(crate) name_node: &'static str,
    /// What it defines.
    pub(crate) kind: SymbolKind,
    /// What it defines inside a type or module.
    pub(crate) kind_inside: SymbolKind,
    /// Whether it belongs to the type, not to its instances.
    pub(crate) is_static: bool,
}

impl Definition {
    /// A definition that is the same everywhere, with its name in the field `name`.
    pub(crate) const fn new(node: &'static str, kind: SymbolKind) -> Definition {
        Definition {
            node,
            name: "name",
            name_node: "",
            kind,
            kind_inside: kind,
            is_static: false,
        }
    }
}

/// Reads a whole file.
pub(crate) fn walk(builder: &mut Builder<'_>, root: Node<'_>, outline: &'static Outline) {
    let mut walker = Walker {
        b: builder,
        outline,
        doc: Vec::new(),
        doc_end: 0,
    };
    walker.children(root);
}

struct Walker<'b, 's> {
    b: &'b mut Builder<'s>,
    outline: &'static Outline,
    /// The comments that stand below each other, up to where the walk is.
    doc: Vec<&'s str>,
    /// The row after the last of them.
    doc_end: usize,
}

impl<'s> Walker<'_, 's> {
    fn children(&mut self, node: Node<'_>) {
        if !self.b.enter_level() {
            return;
        }
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if self.outline.comments.contains(&child.kind_name()) {
                self.comment(child);
            } else if !self.definition(child) {
                self.children(child);
            }
        }
        self.b.leave_level();
    }

    /// Takes up a comment, unless it stands behind code.
    fn comment(&mut self, node: Node<'_>) {
        let start = node.start_position();
        let before = self.b.source.as_bytes();
        let before = &before[node.start_byte() - start.column..node.start_byte()];
        if before.len() > MOST_BEFORE || !before.trim_ascii().is_empty() {
            return;
        }
        if start.row != self.doc_end {
            self.doc.clear();
        }
        self.doc.push(self.b.text(node));
        self.doc_end = node.end_position().row + usize::from(node.end_position().column > 0);
    }

    /// The comments right above a definition.
    fn take_doc(&mut self, node: Node<'_>) -> String {
        let lines = std::mem::take(&mut self.doc);
        if node.start_position().row != self.doc_end {
            return String::new();
        }
        let lines = lines.iter().flat_map(|comment| comment.lines());
        let plain = lines.map(|line| {
            line.trim()
                .trim_start_matches(['#', '/', '*', '-', ';', '!'])
                .trim()
        });
        plain.collect::<Vec<_>>().join("\n")
    }

    /// Whether the node is a definition, which was then read with all that is inside.
    fn definition(&mut self, node: Node<'_>) -> bool {
        let kind = node.kind_name();
        let mut known = self.outline.definitions.iter();
        let Some(rule) = known.find(|rule| rule.node == kind) else {
            return false;
        };
        let Some(name) = node.field(rule.name) else {
            return false;
        };
        if !rule.name_node.is_empty() && name.kind_name() != rule.name_node {
            return false;
        }
        let name = name.field("name").unwrap_or(name);
        if self.b.text(name).is_empty() {
            return false;
        }
        let owner = self.b.current_owner();
        let in_type = owner.is_some_and(|owner| !self.b.facts().def(owner).kind.is_callable());
        let kind = if in_type { rule.kind_inside } else { rule.kind };
        let doc = self.take_doc(node);
        let id = self.b.intern_node_text(name);
        let def = self.b.add_def(id, kind, node, name);
        self.b.set_doc(def, &doc);
        self.describe(def, node, rule);
        self.b.open_def(def, scope_kind(kind));
        self.children(node);
        self.b.close_def();
        true
    }

    /// Flags, signature, parameters and complexity.
    fn describe(&mut self, def: DefId, node: Node<'_>, rule: &Definition) {
        let body = node.field("body");
        let parameters = node.field("parameters");
        let params = parameters.map(|list| self.parameters(list));
        let made = self.b.def_mut(def);
        made.flags.set(DefFlags::EXPORTED);
        if rule.is_static {
            made.flags.set(DefFlags::STATIC);
        }
        made.visibility = Visibility::Public;
        if let Some(list) = parameters {
            made.signature.1 = list.end_byte() as u32;
        } else if let Some(body) = body {
            made.signature.1 = made.signature.1.min(body.start_byte() as u32);
        }
        if made.kind.is_callable() {
            made.callable = Some(Box::new(Callable {
                params: params.unwrap_or_default(),
                ..Callable::default()
            }));
            if let Some(body) = body {
                self.b.set_complexity(def, body, self.outline.complexity);
            }
        }
    }

    fn parameters(&mut self, list: Node<'_>) -> Vec<Param> {
        let mut cursor = list.walk();
        let mut out = Vec::new();
        for child in list.named_children(&mut cursor) {
            if self.outline.comments.contains(&child.kind_name()) {
                continue;
            }
            let name = child.field("name").unwrap_or(child);
            out.push(Param {
                name: self.b.intern_node_text(name),
                ty: None,
                default: None,
                kind: ParamKind::Optional,
            });
        }
        out
    }
}

fn scope_kind(kind: SymbolKind) -> ScopeKind {
    if kind.is_callable() {
        ScopeKind::Function
    } else {
        ScopeKind::Class
    }
}
