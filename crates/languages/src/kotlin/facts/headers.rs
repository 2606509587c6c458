//! What stands before a declaration: modifiers, annotations, the comment above.

use super::{Walker, children_of_kind, is_type, types::last_identifier};
use base::Visibility;
use syntax::builder::{MAX_HEAD_BYTES, head};
use syntax::facts::*;
use syntax::fields::{Fields, child_of_kind};
use tree_sitter::Node;

/// Annotations of test functions.
const TESTS: &[&str] = &[
    "Test",
    "ParameterizedTest",
    "RepeatedTest",
    "TestFactory",
    "TestTemplate",
];

/// The modifiers of a declaration.
#[derive(Default)]
pub(super) struct Header<'t> {
    pub(super) visibility: Visibility,
    pub(super) is_abstract: bool,
    pub(super) is_override: bool,
    pub(super) is_suspend: bool,
    pub(super) is_const: bool,
    pub(super) is_enum: bool,
    pub(super) is_expect: bool,
    pub(super) is_inner: bool,
    pub(super) annotations: Vec<Node<'t>>,
}

/// The parts of a declaration that bound its signature.
#[derive(Default, Clone, Copy)]
pub(super) struct Parts<'t> {
    pub(super) name: Option<Node<'t>>,
    pub(super) body: Option<Node<'t>>,
    pub(super) parameters: Option<Node<'t>>,
}

impl<'s> Walker<'_, 's> {
    pub(super) fn header<'t>(&self, node: Node<'t>) -> Header<'t> {
        let mut out = Header::default();
        let Some(list) = child_of_kind(node, "modifiers") else {
            return out;
        };
        let mut cursor = list.walk();
        for child in list.named_children(&mut cursor) {
            if child.kind_name() == "annotation" {
                out.annotations.push(child);
                continue;
            }
            match self.b.text(child) {
                "private" => out.visibility = Visibility::Private,
                "protected" => out.visibility = Visibility::Protected,
                "internal" => out.visibility = Visibility::Package,
                "abstract" => out.is_abstract = true,
                "override" => out.is_override = true,
                "suspend" => out.is_suspend = true,
                "const" => out.is_const = true,
                "enum" => out.is_enum = true,
                "expect" => out.is_expect = true,
                "inner" => out.is_inner = true,
                _ => {}
            }
        }
        out
    }

    /// Sets what a declaration says before its body.
    pub(super) fn set_header(
        &mut self,
        def: DefId,
        node: Node<'_>,
        header: &Header<'_>,
        parts: Parts<'_>,
    ) {
        let doc = self.take_doc(node.start_position().row);
        self.b.set_doc(def, &doc);
        let name = parts.name.unwrap_or(node).start_byte();
        let end = self.signature_end(node, name, parts);
        let is_local = self.is_in_function();
        let made = self.b.def_mut(def);
        made.signature.1 = end.max(made.signature.0);
        made.visibility = header.visibility;
        let flags = [
            (is_local, DefFlags::LOCAL),
            (header.is_abstract, DefFlags::ABSTRACT),
            (header.is_override, DefFlags::OVERRIDES),
            (header.is_suspend, DefFlags::ASYNC),
            (header.is_expect, DefFlags::DECLARATION_ONLY),
            (header.visibility != Visibility::Private, DefFlags::EXPORTED),
        ];
        for (_, flag) in flags.into_iter().filter(|(is_set, _)| *is_set) {
            made.flags.set(flag);
        }
        self.set_annotations(def, &header.annotations);
    }

    /// The end of the signature: its body, or the end of the line of the name.
    fn signature_end(&self, node: Node<'_>, name: usize, parts: Parts<'_>) -> u32 {
        let last = parts.parameters.map(|list| list.end_byte());
        let body = parts.body.map(|body| body.start_byte());
        let end = match (body, last) {
            (Some(body), last) => last.map_or(body, |last| body.max(last)),
            (None, Some(_)) => node.end_byte(),
            (None, None) => {
                let text = self.b.source.get(name..node.end_byte()).unwrap_or_default();
                let text = head(text, MAX_HEAD_BYTES);
                name + text.find('\n').unwrap_or(text.len())
            }
        };
        let start = node.start_byte();
        let text = self.b.source.get(start..end).unwrap_or_default();
        let text = text.trim_end_matches([' ', '\t', '\r', '\n', '{', '=', ';', ',']);
        (start + text.len()) as u32
    }

    fn set_annotations(&mut self, def: DefId, annotations: &[Node<'_>]) {
        if annotations.is_empty() {
            return;
        }
        self.b.open_owner(def);
        let mut decorators = Vec::new();
        let mut marks = Vec::new();
        let mut is_test = false;
        let mut is_hidden = false;
        for annotation in annotations {
            for used in annotation_uses(*annotation) {
                decorators.push(self.annotation_use(used));
                let ty = if is_type(used) {
                    Some(used)
                } else {
                    super::first_code_child(used)
                };
                let Some(ty) = ty else { continue };
                is_test |= TESTS.contains(&self.b.text(last_identifier(ty)));
                let list = child_of_kind(used, "value_arguments");
                is_hidden |= list.is_some_and(|list| {
                    let text = head(self.b.text(list), MAX_HEAD_BYTES);
                    text.contains("DeprecationLevel.HIDDEN")
                });
                marks.push(self.b.read_decorator(ty, list));
            }
        }
        self.b.close_owner();
        let it = self.b.def_mut(def);
        it.decorators = decorators.into();
        if is_hidden {
            it.flags.set(DefFlags::HIDDEN);
        }
        if is_test && it.kind.is_callable() {
            it.flags.set(DefFlags::TEST);
        }
        for mark in marks {
            self.b.add_decorator(def, mark);
        }
    }

    /// Reads annotations that belong to no definition of their own: those of parameters and expressions.
    pub(super) fn annotation(&mut self, node: Node<'_>) {
        for used in annotation_uses(node) {
            self.annotation_use(used);
        }
    }

    /// Reads the annotations among the children of a node.
    pub(super) fn annotations_in(&mut self, node: Node<'_>) {
        for annotation in children_of_kind(node, "annotation") {
            self.annotation(annotation);
        }
    }

    /// An annotation as a call of its class.
    pub(super) fn annotation_use(&mut self, node: Node<'_>) -> ExprId {
        if !self.b.enter_level() {
            return self.b.add_expr(Expr::Unknown);
        }
        let ty_node = if is_type(node) {
            Some(node)
        } else {
            super::first_code_child(node)
        };
        let expr = match ty_node {
            None => self.b.add_expr(Expr::Unknown),
            Some(ty_node) => {
                let ty = self.constructed_type(ty_node);
                let callee = self.b.add_expr(Expr::Type(ty));
                let args = child_of_kind(node, "value_arguments").map(|l| self.arguments(l));
                let argc = args.as_ref().map_or(0, Vec::len);
                let expr = match args {
                    None => callee,
                    Some(args) => self.b.add_expr(Expr::Call {
                        callee,
                        args: args.into(),
                        type_args: Box::default(),
                    }),
                };
                let name = last_identifier(ty_node);
                self.b.add_call(expr, CallKind::Decorator, argc, name);
                expr
            }
        };
        self.b.leave_level();
        expr
    }
}

/// The classes that an annotation names: one, or several in brackets.
fn annotation_uses(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor)
        .filter(|child| child.kind_name() == "constructor_invocation" || is_type(*child))
        .collect()
}
