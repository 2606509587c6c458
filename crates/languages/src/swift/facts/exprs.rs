//! Expressions that are no chains: literals, collections, conditions, casts, key paths, assignments.

use super::chains::{Link, Start};
use super::types::{is_type, type_child};
use super::{Expected, Walker, children_of_kind, children_with_fields, named_children};
use base::{SymbolKind, Visibility};
use syntax::facts::*;
use syntax::fields::{Fields, child_of_kind};
use tree_sitter::Node;

/// Maximum number of elements of a list, or of branches, that contribute to a type.
const MAX_ELEMENTS: usize = 8;

impl<'s> Walker<'_, 's> {
    /// An expression; records the calls, references and writes inside it.
    pub(super) fn expr(&mut self, node: Node<'_>) -> ExprId {
        self.expr_expecting(node, Expected::Nothing)
    }

    /// Reads an expression where a type is expected.
    pub(super) fn expr_expecting(&mut self, node: Node<'_>, expected: Expected) -> ExprId {
        if !self.b.enter_level() {
            return self.b.add_expr(Expr::Unknown);
        }
        let expr = self.chain(node, expected);
        self.b.leave_level();
        expr
    }

    /// An operand that has no links.
    pub(super) fn operand(&mut self, node: Node<'_>, expected: Expected) -> ExprId {
        match node.kind_name() {
            "line_string_literal" | "multi_line_string_literal" | "raw_string_literal" => {
                self.interpolations(node);
                self.b.add_expr(Expr::Literal(Primitive::String))
            }
            "integer_literal" | "hex_literal" | "oct_literal" | "bin_literal" => {
                self.literal_as(Primitive::Int, expected)
            }
            "real_literal" => self.literal_as(Primitive::Float, expected),
            "boolean_literal" => self.b.add_expr(Expr::Literal(Primitive::Bool)),
            "regex_literal" => self.b.add_expr(Expr::Literal(Primitive::Regex)),
            "nil_literal" => self.b.add_expr(Expr::Literal(Primitive::Null)),
            "self_expression" => self.this(node),
            "super_expression" => {
                let expr = self.current_type().map_or(Expr::Unknown, Expr::Super);
                self.b.add_expr(expr)
            }
            "tuple_expression" => self.tuple(node, expected),
            "array_literal" => self.array(node, expected),
            "dictionary_literal" => self.dictionary(node, expected),
            "lambda_literal" => self.closure(node, expected),
            "if_statement" => self.if_value(node, expected),
            "switch_statement" => self.switch_value(node, expected),
            "assignment" => self.assignment(node),
            "macro_invocation" => self.macro_call(node),
            "directly_assignable_expression" => match node.named_child(0) {
                Some(inner) => self.expr_expecting(inner, expected),
                None => self.b.add_expr(Expr::Unknown),
            },
            "special_literal" => {
                let is_line = self.b.text(node).ends_with("line");
                let primitive = if is_line {
                    Primitive::Int
                } else {
                    Primitive::String
                };
                self.b.add_expr(Expr::Literal(primitive))
            }
            "statements" | "function_body" => {
                self.body(node);
                self.b.add_expr(Expr::Unknown)
            }
            _ => self.unknown(node),
        }
    }

    /// A number. It takes the type that is expected, if that is written.
    fn literal_as(&mut self, primitive: Primitive, expected: Expected) -> ExprId {
        let literal = self.b.add_expr(Expr::Literal(primitive));
        match expected {
            Expected::Type(ty) => self.b.add_expr(Expr::Cast(literal, ty)),
            _ => literal,
        }
    }

    /// `self`. In a static method it is the type.
    fn this(&mut self, node: Node<'_>) -> ExprId {
        let Some(def) = self.current_type() else {
            return self.b.add_expr(Expr::Unknown);
        };
        if !self.is_static {
            return self.b.add_expr(Expr::This(def));
        }
        let name = self.b.intern_name("Self");
        let scope = self.b.current_scope();
        self.b.add_expr(Expr::Name {
            name,
            scope,
            at: node.start_byte() as u32,
        })
    }

    /// An expression of unknown type. Its contents are read nevertheless.
    pub(super) fn unknown(&mut self, node: Node<'_>) -> ExprId {
        for child in named_children(node) {
            if is_type(child.kind_name()) {
                self.ty(child);
            } else if child.kind_name() == "statements" {
                self.body(child);
            } else {
                self.declaration(child, None);
            }
        }
        self.b.add_expr(Expr::Unknown)
    }

    fn interpolations(&mut self, node: Node<'_>) {
        for part in named_children(node) {
            if matches!(
                part.kind_name(),
                "interpolated_expression" | "raw_str_interpolation"
            ) {
                self.unknown(part);
            }
        }
    }

    pub(super) fn ternary(
        &mut self,
        node: Node<'_>,
        links: &[Link<'_>],
        expected: Expected,
    ) -> ExprId {
        if let Some(condition) = node.field("condition") {
            self.expr(condition);
        }
        let mut parts = Vec::new();
        if let Some(part) = node.field("if_true") {
            parts.push(self.expr_expecting(part, expected));
        }
        if let Some(part) = node.field("if_false") {
            parts.push(self.chain_on(part, links, expected, None));
        }
        self.b.add_expr(Expr::Either(parts.into()))
    }

    /// `a as T`, `a as? T`, `a as! T`.
    pub(super) fn cast(&mut self, node: Node<'_>, expected: Expected) -> ExprId {
        let Some(written) = type_child(node) else {
            return self.unknown(node);
        };
        let mut ty = self.ty(written);
        let operator = child_of_kind(node, "as_operator").map_or("as", |o| self.b.text(o));
        let wanted = match operator {
            "as" => Expected::Type(ty),
            _ => expected,
        };
        let value = match node.field("expr") {
            Some(value) => self.expr_expecting(value, wanted),
            None => self.b.add_expr(Expr::Unknown),
        };
        if operator == "as?" {
            ty = self.b.add_type(TypeExpr::Optional(ty));
        }
        self.b.add_expr(Expr::Cast(value, ty))
    }

    /// `a is T`.
    pub(super) fn check(&mut self, node: Node<'_>) -> ExprId {
        if let Some(target) = node.field("target") {
            self.expr(target);
        }
        if let Some(written) = type_child(node) {
            self.ty(written);
        }
        self.b.add_expr(Expr::Literal(Primitive::Bool))
    }

    /// `\T.a.b` is a function of a `T`.
    pub(super) fn key_path(&mut self, node: Node<'_>, links: &[Link<'_>]) -> ExprId {
        let name = self.b.intern_name("<anonymous>");
        let def = self.b.add_def(name, SymbolKind::Function, node, node);
        let it = self.b.def_mut(def);
        it.flags.set(DefFlags::ANONYMOUS);
        it.flags.set(DefFlags::LOCAL);
        it.visibility = Visibility::Private;
        self.b.open_def(def, ScopeKind::Function);
        let root = match named_children(node).into_iter().next() {
            Some(first) if first.kind_name() == "type_identifier" => {
                let name = self.b.intern_node_text(first);
                let scope = self.b.current_scope();
                let ty = self.b.add_type(TypeExpr::Named {
                    path: [name].into(),
                    args: Box::default(),
                    scope,
                    at: first.start_byte() as u32,
                });
                self.b.add_reference(RefTarget::Type(ty), first);
                Some(ty)
            }
            Some(first) => Some(self.ty(first)),
            None => None,
        };
        let param = self.b.intern_name("$0");
        self.b.bind(param, Namespace::VALUE, Bound::Param(def, 0));
        let scope = self.b.current_scope();
        let object = self.b.add_expr(Expr::Name {
            name: param,
            scope,
            at: node.end_byte() as u32,
        });
        let start = Start {
            expr: object,
            name: node,
            is_open: false,
        };
        let value = self.apply(start, links);
        self.b.close_def();
        self.b.def_mut(def).callable = Some(Box::new(Callable {
            params: vec![Param {
                name: param,
                ty: root,
                default: None,
                kind: ParamKind::Plain,
            }],
            returns: vec![value],
            ..Callable::default()
        }));
        self.b.add_expr(Expr::Function(def))
    }

    /// A tuple. Its parts may have names. Parentheses around one expression mean that expression.
    fn tuple(&mut self, node: Node<'_>, expected: Expected) -> ExprId {
        let mut parts: Vec<(Option<NameId>, ExprId)> = Vec::new();
        let mut label = None;
        let values = children_with_fields(node);
        let count = values.iter().filter(|(_, field)| *field == "value").count();
        for (child, field) in values {
            match field {
                "name" => label = Some(self.b.intern_node_text(child)),
                "value" => {
                    let wanted = if count == 1 {
                        expected
                    } else {
                        self.expected_part(expected, parts.len())
                    };
                    let value = self.expr_expecting(child, wanted);
                    parts.push((label.take(), value));
                }
                _ => {}
            }
        }
        if let [(None, one)] = parts[..] {
            return one;
        }
        if parts.iter().all(|(label, _)| label.is_none()) {
            let parts: Vec<ExprId> = parts.into_iter().map(|(_, part)| part).collect();
            return self.b.add_expr(Expr::Tuple(parts.into()));
        }
        let mut types = Vec::new();
        for (label, part) in &parts {
            let ty = self.b.add_type(TypeExpr::TypeOf(*part));
            types.push(match label {
                Some(label) => self.b.add_type(TypeExpr::Binding(*label, ty)),
                None => ty,
            });
        }
        let ty = self.b.add_type(TypeExpr::Tuple(types.into()));
        let unknown = self.b.add_expr(Expr::Unknown);
        self.b.add_expr(Expr::Cast(unknown, ty))
    }

    fn expected_part(&mut self, expected: Expected, n: usize) -> Expected {
        let Expected::Type(ty) = expected else {
            return Expected::Nothing;
        };
        match self.b.facts().ty(ty) {
            TypeExpr::Tuple(parts) => parts
                .get(n)
                .map_or(Expected::Nothing, |part| Expected::Type(*part)),
            _ => Expected::Nothing,
        }
    }

    fn array(&mut self, node: Node<'_>, expected: Expected) -> ExprId {
        let element = self.expected_element(expected);
        let mut items = Vec::new();
        for child in named_children(node) {
            items.push(self.expr_expecting(child, element));
        }
        items.truncate(MAX_ELEMENTS);
        let list = self.b.add_expr(Expr::List(items.into()));
        self.as_expected(list, expected)
    }

    fn dictionary(&mut self, node: Node<'_>, expected: Expected) -> ExprId {
        let value_type = match expected {
            Expected::Type(ty) => match self.b.facts().ty(ty) {
                TypeExpr::Map(_, value) => Expected::Type(*value),
                _ => Expected::Nothing,
            },
            _ => Expected::Nothing,
        };
        let (mut key, mut first) = (None, None);
        for (child, field) in children_with_fields(node) {
            match field {
                "key" => {
                    let read = self.expr(child);
                    key.get_or_insert(read);
                }
                "value" => {
                    let read = self.expr_expecting(child, value_type);
                    first.get_or_insert(read);
                }
                _ => {}
            }
        }
        let dict = self.b.add_expr(Expr::Dict(key.zip(first)));
        self.as_expected(dict, expected)
    }

    /// A literal takes the written type that is expected of it: it may be a set.
    fn as_expected(&mut self, literal: ExprId, expected: Expected) -> ExprId {
        match expected {
            Expected::Type(ty) => self.b.add_expr(Expr::Cast(literal, ty)),
            _ => literal,
        }
    }

    /// `#name(…)`. Its arguments are read as written.
    fn macro_call(&mut self, node: Node<'_>) -> ExprId {
        let Some(name_node) = child_of_kind(node, "simple_identifier") else {
            return self.unknown(node);
        };
        let callee = self.name(name_node);
        let suffixes = children_of_kind(node, "call_suffix");
        self.call_of_kind(callee, name_node, &suffixes, CallKind::Macro);
        self.b.add_expr(Expr::Unknown)
    }

    /// `a = b`, `a += b`.
    fn assignment(&mut self, node: Node<'_>) -> ExprId {
        let (Some(left), Some(right)) = (node.field("target"), node.field("result")) else {
            return self.unknown(node);
        };
        let left = match left.kind_name() {
            "directly_assignable_expression" => left.named_child(0).unwrap_or(left),
            _ => left,
        };
        let target = self.expr(left);
        self.writes(target, left);
        let operator = node.field("operator");
        let is_plain = operator.is_none_or(|o| self.b.text(o) == "=");
        let is_wildcard = self.b.text(left) == "_";
        let expected = if is_wildcard {
            Expected::Nothing
        } else {
            Expected::Like(target)
        };
        let value = self.expr_expecting(right, expected);
        if let (false, Some(operator)) = (is_plain, operator) {
            let name = self.b.intern_node_text(operator);
            let scope = self.b.current_scope();
            let callee = self.b.add_expr(Expr::Name {
                name,
                scope,
                at: operator.start_byte() as u32,
            });
            let call = self.b.add_expr(Expr::Call {
                callee,
                args: [target, value].into(),
                type_args: Box::default(),
            });
            self.b.add_call(call, CallKind::Operator, 2, operator);
        }
        self.b.add_expr(Expr::Unknown)
    }

    /// Records the writes to a target, which may be a tuple.
    fn writes(&mut self, target: ExprId, node: Node<'_>) {
        let parts = match self.b.facts().expr(target) {
            Expr::Tuple(parts) => parts.to_vec(),
            _ => return self.write_to(target, node),
        };
        let nodes: Vec<Node<'_>> = children_with_fields(node)
            .into_iter()
            .filter(|(_, field)| *field == "value")
            .map(|(child, _)| child)
            .collect();
        for (part, node) in parts.into_iter().zip(nodes) {
            self.write_to(part, node);
        }
    }
}
