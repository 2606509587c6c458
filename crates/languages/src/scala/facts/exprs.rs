//! Expressions: names, members, literals, blocks.

use super::{Walker, first_part, parts};
use syntax::facts::*;
use syntax::fields::{Fields, child_of_kind};
use tree_sitter::Node;

impl Walker<'_, '_> {
    /// A whole expression: `_` in it makes it a function.
    pub(super) fn full(&mut self, node: Node<'_>) -> ExprId {
        if node.kind_name() == "wildcard" {
            return self.expr(node);
        }
        let mut found = Vec::new();
        find_holes(node, &mut found);
        if found.is_empty() {
            self.expr(node)
        } else {
            self.placeholder_function(node, &found)
        }
    }

    /// The same where a type is expected, which a function literal takes.
    pub(super) fn full_expecting(&mut self, node: Node<'_>, expected: Option<TypeId>) -> ExprId {
        let expr = self.full(node);
        if let (Expr::Function(def), Some(ty)) = (self.b.facts().expr(expr), expected) {
            let def = *def;
            self.b.def_mut(def).ty.get_or_insert(ty);
        }
        expr
    }

    /// An expression; records the calls, references and writes inside it.
    pub(super) fn expr(&mut self, node: Node<'_>) -> ExprId {
        if !self.b.enter_level() {
            return self.unknown();
        }
        let expr = self.expr_inside(node);
        self.b.leave_level();
        expr
    }

    pub(super) fn unknown(&mut self) -> ExprId {
        self.b.add_expr(Expr::Unknown)
    }

    fn expr_inside(&mut self, node: Node<'_>) -> ExprId {
        match node.kind_name() {
            "identifier" | "operator_identifier" => self.name(node),
            "wildcard" => self.hole(node),
            "field_expression" => self.field(node),
            "call_expression" => self.call(node),
            "generic_function" => self.generic_call(node),
            "infix_expression" => self.infix(node),
            "prefix_expression" => self.prefix(node),
            "postfix_expression" => self.postfix(node),
            "instance_expression" => self.instance(node),
            "assignment_expression" => self.assignment(node),
            "parenthesized_expression" => match first_part(node) {
                Some(inner) => self.full(inner),
                None => self.unknown(),
            },
            "tuple_expression" => {
                let all = parts(node).into_iter().map(|part| self.full(part));
                let all: Vec<ExprId> = all.collect();
                self.b.add_expr(Expr::Tuple(all.into()))
            }
            "block" | "indented_block" => self.block(node),
            "lambda_expression" => self.lambda(node),
            "case_block" | "indented_cases" => self.case_function(node),
            "if_expression" => self.if_expression(node),
            "match_expression" => self.match_expression(node),
            "try_expression" => self.try_expression(node),
            "for_expression" => self.for_expression(node),
            "ascription_expression" => self.ascription(node),
            "method_value" => self.method_value(node),
            "interpolated_string_expression" => self.interpolated(node),
            "throw_expression" | "return_expression" => {
                self.each(node);
                self.b.add_expr(Expr::Literal(Primitive::Null))
            }
            "vararg" => match first_part(node) {
                Some(inner) => {
                    let inner = self.full(inner);
                    self.b.add_expr(Expr::Spread(inner))
                }
                None => self.unknown(),
            },
            _ => self.literal(node),
        }
    }

    fn literal(&mut self, node: Node<'_>) -> ExprId {
        let primitive = match node.kind_name() {
            "string" => Primitive::String,
            "integer_literal" => return self.number(node, Primitive::Int, &["l"], "Long"),
            "floating_point_literal" => {
                return self.number(node, Primitive::Float, &["f"], "Float");
            }
            "boolean_literal" => Primitive::Bool,
            "character_literal" => Primitive::Char,
            "null_literal" => Primitive::Null,
            "unit" => return self.b.add_expr(Expr::Tuple(Box::default())),
            _ => {
                self.each(node);
                return self.unknown();
            }
        };
        self.b.add_expr(Expr::Literal(primitive))
    }

    /// A number. A suffix gives another type.
    fn number(
        &mut self,
        node: Node<'_>,
        primitive: Primitive,
        suffixes: &[&str],
        other: &str,
    ) -> ExprId {
        let text = self.b.text(node).to_ascii_lowercase();
        let literal = self.b.add_expr(Expr::Literal(primitive));
        let is_hex = text.starts_with("0x");
        if is_hex && primitive == Primitive::Float || !suffixes.iter().any(|s| text.ends_with(s)) {
            return literal;
        }
        let ty = self.type_of_name(other);
        self.b.add_expr(Expr::Cast(literal, ty))
    }

    /// A type by a name that the source does not write.
    pub(super) fn type_of_name(&mut self, name: &str) -> TypeId {
        let path = Box::from([self.b.intern_owned_name(name)]);
        let scope = self.b.current_scope();
        self.b.add_type(TypeExpr::Named {
            path,
            args: Box::default(),
            scope,
            at: self.b.source.len() as u32,
        })
    }

    /// Reads what is inside a node that has no value of its own.
    pub(super) fn each(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if !super::is_comment(child) {
                self.statement(child, None);
            }
        }
    }

    /// The object of a member. A literal is written out as a value of its type, which knows the scope.
    pub(super) fn receiver(&mut self, node: Node<'_>) -> ExprId {
        let object = self.expr(node);
        let name = match self.b.facts().expr(object) {
            Expr::Literal(Primitive::String) => "String",
            Expr::Literal(Primitive::Int) => "Int",
            Expr::Literal(Primitive::Float) => "Double",
            Expr::Literal(Primitive::Bool) => "Boolean",
            Expr::Literal(Primitive::Char) => "Char",
            _ => return object,
        };
        let ty = self.type_of_name(name);
        self.b.add_expr(Expr::Cast(object, ty))
    }

    /// A name as a path, which is not read yet.
    pub(super) fn name_path(&mut self, node: Node<'_>) -> ExprId {
        match (self.b.text(node), self.current_type()) {
            ("this", Some(def)) => self.b.add_expr(Expr::This(def)),
            ("super", Some(def)) => self.b.add_expr(Expr::Super(def)),
            _ => {
                let name = self.plain_name(node);
                let scope = self.b.current_scope();
                self.b.add_expr(Expr::Name {
                    name,
                    scope,
                    at: node.start_byte() as u32,
                })
            }
        }
    }

    fn name(&mut self, node: Node<'_>) -> ExprId {
        let path = self.name_path(node);
        self.bare(path, node)
    }

    /// The value of a path without arguments: a call where it names a method.
    pub(super) fn bare(&mut self, path: ExprId, name_node: Node<'_>) -> ExprId {
        let is_path = matches!(
            self.b.facts().expr(path),
            Expr::Name { .. } | Expr::Member { .. }
        );
        if !is_path {
            return path;
        }
        let value = self.b.add_expr(Expr::Bare(path));
        self.b.add_call(value, CallKind::Call, 0, name_node);
        self.b.add_reference(RefTarget::Expr(path), name_node);
        value
    }

    /// The path of `a.b`.
    pub(super) fn field_path(&mut self, node: Node<'_>) -> ExprId {
        let (Some(value), Some(field)) = (node.field("value"), node.field("field")) else {
            return self.unknown();
        };
        if self.b.text(field) == "this"
            && let Some(outer) = self.type_named(value)
        {
            return self.b.add_expr(Expr::This(outer));
        }
        let object = match self.super_of(value) {
            Some(object) => object,
            None => self.receiver(value),
        };
        let name = self.plain_name(field);
        self.b.add_expr(Expr::Member { object, name })
    }

    /// `super[T]`: the supertype itself.
    fn super_of(&mut self, node: Node<'_>) -> Option<ExprId> {
        if node.kind_name() != "generic_function" {
            return None;
        }
        let function = node.field("function")?;
        if self.b.text(function) != "super" {
            return None;
        }
        let list = node.field("type_arguments")?;
        let ty = self.type_arguments(list).first().copied()?;
        let object = self.unknown();
        Some(self.b.add_expr(Expr::Cast(object, ty)))
    }

    /// The enclosing type of a name: `Outer` in `Outer.this`.
    fn type_named(&self, node: Node<'_>) -> Option<DefId> {
        let name = self.b.find_name(self.b.text(node))?;
        let facts = self.b.facts();
        let mut around = self.types.iter().rev();
        around.find(|def| facts.def(**def).name == name).copied()
    }

    fn field(&mut self, node: Node<'_>) -> ExprId {
        let path = self.field_path(node);
        match node.field("field") {
            Some(name) => self.bare(path, name),
            None => path,
        }
    }

    /// `a op`.
    fn postfix(&mut self, node: Node<'_>) -> ExprId {
        let [value, name_node] = parts(node)[..] else {
            self.each(node);
            return self.unknown();
        };
        let object = self.receiver(value);
        let name = self.plain_name(name_node);
        let path = self.b.add_expr(Expr::Member { object, name });
        self.bare(path, name_node)
    }

    /// `f _`: the function itself.
    fn method_value(&mut self, node: Node<'_>) -> ExprId {
        let Some(function) = first_part(node) else {
            return self.unknown();
        };
        match function.kind_name() {
            "identifier" | "field_expression" => {
                let (path, name_node) = self.callee_path(function);
                self.b.add_reference(RefTarget::Expr(path), name_node);
                path
            }
            _ => self.expr(function),
        }
    }

    fn ascription(&mut self, node: Node<'_>) -> ExprId {
        let inside = parts(node);
        let value = inside.first().map(|value| self.expr(*value));
        let value = value.unwrap_or_else(|| self.unknown());
        let arrow = node.field("return_type").is_some();
        let mut types = super::field_nodes(node, "type").into_iter();
        match types.next() {
            Some(written) if !arrow => {
                let ty = self.ty(written);
                self.b.add_expr(Expr::Cast(value, ty))
            }
            _ => value,
        }
    }

    /// A block: its last expression.
    pub(super) fn block(&mut self, node: Node<'_>) -> ExprId {
        if let [only] = parts(node)[..]
            && only.kind_name() == "lambda_expression"
        {
            return self.expr(only);
        }
        let was_local = std::mem::replace(&mut self.is_local, true);
        self.b.open_scope(ScopeKind::Block, None);
        let last = self.body(node);
        self.b.close_scope();
        self.is_local = was_local;
        last.unwrap_or_else(|| self.b.add_expr(Expr::Tuple(Box::default())))
    }

    /// `s"…$x…"`. Interpolators other than those of the standard library are methods of `StringContext`.
    fn interpolated(&mut self, node: Node<'_>) -> ExprId {
        let mut args = Vec::new();
        if let Some(text) = child_of_kind(node, "interpolated_string") {
            for part in super::children_of_kind(text, "interpolation") {
                if let Some(value) = first_part(part) {
                    args.push(self.full(value));
                }
            }
        }
        let literal = self.b.add_expr(Expr::Literal(Primitive::String));
        let Some(name_node) = node.field("interpolator") else {
            return literal;
        };
        if matches!(self.b.text(name_node), "s" | "f" | "raw") {
            return literal;
        }
        let ty = self.type_of_name("StringContext");
        let object = self.b.add_expr(Expr::Cast(literal, ty));
        let name = self.plain_name(name_node);
        let callee = self.b.add_expr(Expr::Member { object, name });
        self.add_call(callee, args, Vec::new(), CallKind::Operator, name_node)
    }
}

/// The places of `_` that make an expression a function: those that belong to no whole expression inside it.
fn find_holes<'t>(node: Node<'t>, found: &mut Vec<Node<'t>>) {
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        match node.kind_name() {
            "wildcard" => found.push(node),
            "field_expression" | "match_expression" => open.extend(node.field("value")),
            "call_expression" => {
                if let Some(list) = node.field("arguments")
                    && list.kind_name() == "arguments"
                {
                    open.extend(direct_holes(list));
                }
                open.extend(node.field("function"));
            }
            "generic_function" => open.extend(node.field("function")),
            "infix_expression" => {
                open.extend(node.field("right"));
                open.extend(node.field("left"));
            }
            "assignment_expression" => {
                let right = node.field("right");
                open.extend(right.filter(|r| r.kind_name() == "wildcard"));
                open.extend(node.field("left"));
            }
            "prefix_expression" | "postfix_expression" => open.extend(first_part(node)),
            "ascription_expression" => open.extend(first_part(node)),
            "tuple_expression" => open.extend(direct_holes(node)),
            "parenthesized_expression" => open.extend(first_part(node).filter(|n| is_hole(*n))),
            "instance_expression" => {
                for list in super::children_of_kind(node, "arguments") {
                    open.extend(direct_holes(list));
                }
            }
            _ => {}
        }
    }
}

/// The arguments that are `_` themselves, last first.
fn direct_holes(list: Node<'_>) -> Vec<Node<'_>> {
    let mut holes: Vec<Node<'_>> = parts(list).into_iter().filter(|n| is_hole(*n)).collect();
    holes.reverse();
    holes
}

/// Whether a node is `_` or `_: T`.
fn is_hole(node: Node<'_>) -> bool {
    match node.kind_name() {
        "wildcard" => true,
        "ascription_expression" => first_part(node).is_some_and(|n| n.kind_name() == "wildcard"),
        _ => false,
    }
}
