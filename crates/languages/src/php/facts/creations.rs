//! `new`, classes without a name, attributes.

use super::{TypeFrame, Walker, children, children_of_kind, first_child, is_name};
use base::SymbolKind;
use syntax::facts::*;
use syntax::fields::{Fields, child_of_kind};
use tree_sitter::Node;

impl Walker<'_, '_> {
    pub(super) fn creation(&mut self, node: Node<'_>) -> ExprId {
        if let Some(class) = child_of_kind(node, "anonymous_class") {
            return self.anonymous_class(class);
        }
        let Some(named) = first_child(node) else {
            return self.b.add_expr(Expr::Unknown);
        };
        let (class, place) = if is_name(named) || named.kind_name() == "relative_scope" {
            let ty = self.class_type(named);
            (self.b.add_expr(Expr::Type(ty)), self.last_segment(named))
        } else {
            (self.expr(named), named)
        };
        self.add_creation(class, child_of_kind(node, "arguments"), place)
    }

    fn add_creation(
        &mut self,
        class: ExprId,
        arguments: Option<Node<'_>>,
        place: Node<'_>,
    ) -> ExprId {
        let args = self.plain_arguments(arguments);
        let argc = args.len();
        let new = self.b.add_expr(Expr::New {
            class,
            args: args.into(),
            type_args: Box::default(),
        });
        self.b.add_call(new, CallKind::New, argc, place);
        new
    }

    /// `new class(…) extends A { … }`.
    fn anonymous_class(&mut self, node: Node<'_>) -> ExprId {
        let name = self.b.intern_owned_name("<anonymous>");
        let def = self.b.add_def(name, SymbolKind::Class, node, node);
        self.b.def_mut(def).flags.set(DefFlags::ANONYMOUS);
        let ty = self.b.add_type(TypeExpr::Anonymous(def));
        let class = self.b.add_expr(Expr::Type(ty));
        let new = self.add_creation(class, child_of_kind(node, "arguments"), node);
        let (parent, supers) = self.header_supers(node, &[]);
        self.types.push(TypeFrame {
            def,
            is_trait: false,
            parent,
            assigned: Vec::new(),
        });
        self.type_body(def, node, supers);
        new
    }

    /// The attributes of a declaration.
    pub(super) fn attributes(&mut self, list: Node<'_>, owner: Option<DefId>) {
        for group in children_of_kind(list, "attribute_group") {
            for attribute in children_of_kind(group, "attribute") {
                let Some(name) = first_child(attribute) else {
                    continue;
                };
                let ty = self.class_type(name);
                let place = self.last_segment(name);
                self.mention_type(ty, place);
                let arguments = attribute.field("parameters");
                if let Some(owner) = owner {
                    let mark = self.b.read_decorator(name, arguments);
                    self.b.add_decorator(owner, mark);
                }
                self.plain_arguments(arguments);
            }
        }
    }

    /// Whether a declaration has an attribute whose name ends like that.
    pub(super) fn has_attribute(&self, node: Node<'_>, name: &str) -> bool {
        let Some(list) = node.field("attributes") else {
            return false;
        };
        let groups = children_of_kind(list, "attribute_group");
        let mut attributes = groups.into_iter().flat_map(children);
        attributes.any(|attribute| {
            let written = first_child(attribute).map_or("", |n| self.b.text(n));
            written.rsplit('\\').next() == Some(name)
        })
    }
}
