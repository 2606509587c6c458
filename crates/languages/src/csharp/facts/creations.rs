//! Code that creates objects: of classes, anonymous ones, arrays, collections, and changed copies of records.

use super::exprs::implied_name;
use super::{Walker, children_of_kind, last_expression};
use syntax::facts::*;
use syntax::fields::{Fields, child_of_kind};
use tree_sitter::Node;

/// Maximum number of elements of a list that contribute to its type.
const MAX_ELEMENTS: usize = 16;

impl Walker<'_, '_> {
    /// `new T(…) { … }`.
    pub(super) fn creation(&mut self, node: Node<'_>) -> ExprId {
        let Some(written) = node.field("type") else {
            return self.unknown(node);
        };
        let (ty, name_node) = self.constructed_type(written);
        let class = self.b.add_expr(Expr::Type(ty));
        let arguments = node.field("arguments");
        let new = self.new_with(class, arguments, name_node);
        if let Some(list) = node.field("initializer") {
            self.initializer(list, new);
        }
        new
    }

    /// `new(…)`.
    pub(super) fn implicit_creation(&mut self, node: Node<'_>, expected: Option<TypeId>) -> ExprId {
        let class = match expected {
            Some(ty) => Expr::Type(ty),
            None => Expr::Unknown,
        };
        let class = self.b.add_expr(class);
        let arguments = child_of_kind(node, "argument_list");
        let new = self.new_with(class, arguments, node);
        if let Some(list) = child_of_kind(node, "initializer_expression") {
            self.initializer(list, new);
        }
        new
    }

    fn new_with(
        &mut self,
        class: ExprId,
        arguments: Option<Node<'_>>,
        name_node: Node<'_>,
    ) -> ExprId {
        let open = self.outs.len();
        let args = arguments.map(|list| self.arguments(list));
        let args = args.unwrap_or_default();
        let argc = args.len();
        let literals = self.function_literals(&args);
        let new = self.b.add_expr(Expr::New {
            class,
            args: args.into(),
            type_args: Box::default(),
        });
        self.link_literals(literals, new);
        self.bind_outs(open, new);
        self.b.add_call(new, CallKind::New, argc, name_node);
        new
    }

    /// `{ A = 1, B = { … } }` writes members of the object. Other elements are added to it.
    fn initializer(&mut self, list: Node<'_>, object: ExprId) {
        if !self.b.enter_level() {
            return;
        }
        for item in super::expressions(list) {
            match item.kind_name() {
                "assignment_expression" => self.initialized_member(item, object),
                "initializer_expression" => {
                    for part in super::expressions(item) {
                        self.expr(part);
                    }
                }
                _ => {
                    self.expr(item);
                }
            }
        }
        self.b.leave_level();
    }

    fn initialized_member(&mut self, node: Node<'_>, object: ExprId) {
        let (Some(left), Some(right)) = (node.field("left"), node.field("right")) else {
            return;
        };
        let target = match left.kind_name() {
            "identifier" => {
                let name = self.b.intern_node_text(left);
                let target = self.b.add_expr(Expr::Member { object, name });
                self.b.add_write(target, left);
                target
            }
            "element_binding_expression" => self.index_of(object, left),
            _ => self.expr(left),
        };
        if right.kind_name() == "initializer_expression" {
            return self.initializer(right, target);
        }
        let expected = self.b.add_type(TypeExpr::TypeOf(target));
        self.expr_expecting(right, Some(expected));
    }

    /// `new { A = 1, b.C }`.
    pub(super) fn anonymous_object(&mut self, node: Node<'_>) -> ExprId {
        let mut fields = Vec::new();
        let mut name = None;
        let mut cursor = node.walk();
        let children: Vec<Node<'_>> = node.children(&mut cursor).collect();
        for (at, child) in children.iter().enumerate() {
            if !super::is_expression(*child) {
                continue;
            }
            let is_name = children.get(at + 1).is_some_and(|c| c.kind_name() == "=");
            if is_name {
                name = Some(*child);
                continue;
            }
            let named = name.take().or_else(|| implied_name(*child));
            let value = self.expr(*child);
            if let Some(named) = named {
                fields.push((self.b.intern_node_text(named), value));
            }
        }
        self.b.add_expr(Expr::Object(fields.into()))
    }

    /// `new T[n] { … }`.
    pub(super) fn array_creation(&mut self, node: Node<'_>) -> ExprId {
        let Some(written) = node.field("type") else {
            return self.unknown(node);
        };
        let ty = self.ty(written);
        let list = child_of_kind(node, "initializer_expression");
        let value = match list {
            Some(list) => self.collection(list, Some(ty)),
            None => self.b.add_expr(Expr::Unknown),
        };
        self.b.add_expr(Expr::Cast(value, ty))
    }

    /// `{ a, b }` or `[a, ..b]`. The type of the elements is expected of each of them.
    pub(super) fn collection(&mut self, node: Node<'_>, expected: Option<TypeId>) -> ExprId {
        let element = expected.and_then(|ty| match self.b.facts().ty(ty) {
            TypeExpr::Array(element) => Some(*element),
            TypeExpr::Named { args, .. } if args.len() == 1 => Some(args[0]),
            _ => None,
        });
        let mut items = Vec::new();
        for item in super::expressions(node) {
            let inner = match item.kind_name() {
                "collection_element" => super::first_expression(item).unwrap_or(item),
                _ => item,
            };
            let value = match inner.kind_name() {
                "expression_element" => match last_expression(inner) {
                    Some(value) => self.expr_expecting(value, element),
                    None => continue,
                },
                "spread_element" => {
                    let of = self.first_inside(inner);
                    self.b.add_expr(Expr::Element(of))
                }
                _ => self.expr_expecting(inner, element),
            };
            items.push(value);
        }
        items.truncate(MAX_ELEMENTS);
        let list = self.b.add_expr(Expr::List(items.into()));
        match expected {
            Some(ty) => self.b.add_expr(Expr::Cast(list, ty)),
            None => list,
        }
    }

    /// `value with { A = 1 }`.
    pub(super) fn with(&mut self, node: Node<'_>) -> ExprId {
        let value = self.first_inside(node);
        for item in children_of_kind(node, "with_initializer") {
            let parts = super::expressions(item);
            let [name_node, right] = parts[..] else {
                continue;
            };
            let name = self.b.intern_node_text(name_node);
            let target = self.b.add_expr(Expr::Member {
                object: value,
                name,
            });
            self.b.add_write(target, name_node);
            self.expr(right);
        }
        value
    }
}
