//! Expressions: names, members, literals, conditions.

use super::types::{count_of, identifier_of};
use super::{Walker, children_of_kind, constants, first_expression, last_expression};
use syntax::facts::*;
use syntax::fields::{Fields, child_of_kind};
use tree_sitter::Node;

/// Maximum number of arms of a switch that contribute to its type.
const MAX_ARMS: usize = 8;

impl<'s> Walker<'_, 's> {
    /// An expression; records the calls, references and writes inside it.
    pub(super) fn expr(&mut self, node: Node<'_>) -> ExprId {
        self.expr_expecting(node, None)
    }

    /// Reads an expression where a type is expected. `new(…)` and function literals take that type.
    pub(super) fn expr_expecting(&mut self, node: Node<'_>, expected: Option<TypeId>) -> ExprId {
        if !self.b.enter_level() {
            return self.b.add_expr(Expr::Unknown);
        }
        let expr = match self.shaped_by_place(node, expected) {
            Some(expr) => expr,
            None => self.expr_inner(node),
        };
        self.b.leave_level();
        expr
    }

    /// Reads an expression whose type depends on the place where it is used.
    fn shaped_by_place(&mut self, node: Node<'_>, expected: Option<TypeId>) -> Option<ExprId> {
        Some(match node.kind_name() {
            "implicit_object_creation_expression" => self.implicit_creation(node, expected),
            "initializer_expression" | "collection_expression" => self.collection(node, expected),
            "conditional_expression" => self.conditional(node, expected),
            "parenthesized_expression" | "checked_expression" => {
                let inner = first_expression(node)?;
                self.expr_expecting(inner, expected)
            }
            "switch_expression" => self.switch_expression(node, expected),
            "lambda_expression" | "anonymous_method_expression" => {
                let expr = self.lambda(node);
                if let (Expr::Function(def), Some(ty)) = (self.b.facts().expr(expr), expected) {
                    let def = *def;
                    self.b.def_mut(def).ty = Some(ty);
                }
                expr
            }
            _ => return None,
        })
    }

    fn expr_inner(&mut self, node: Node<'_>) -> ExprId {
        match node.kind_name() {
            "identifier" | "generic_name" => self.name(node),
            "qualified_name" | "member_access_expression" => self.member_access(node),
            "alias_qualified_name" => self.global_name(node),
            "conditional_access_expression" => self.conditional_access(node),
            "invocation_expression" => self.invocation(node),
            "object_creation_expression" => self.creation(node),
            "anonymous_object_creation_expression" => self.anonymous_object(node),
            "array_creation_expression" | "stackalloc_expression" => self.array_creation(node),
            "implicit_array_creation_expression" | "implicit_stackalloc_expression" => {
                let list = child_of_kind(node, "initializer_expression");
                let value = self.collection(list.unwrap_or(node), None);
                // The element of an array with several dimensions is nested in several lists.
                if count_of(node, ",") > 0 {
                    return self.b.add_expr(Expr::Unknown);
                }
                value
            }
            "with_expression" => self.with(node),
            "binary_expression" => self.binary(node),
            "assignment_expression" => self.assignment(node),
            "prefix_unary_expression" | "postfix_unary_expression" => self.unary(node),
            "as_expression" => self.cast_by(node, "left", "right"),
            "cast_expression" => self.cast_by(node, "value", "type"),
            "is_expression" => self.is_type(node),
            "is_pattern_expression" => self.is_pattern(node),
            "element_access_expression" => self.element_access(node),
            "tuple_expression" => self.tuple(node),
            "query_expression" => self.query(node),
            "await_expression" => {
                let inner = self.first_inside(node);
                self.b.add_expr(Expr::Await(inner))
            }
            "ref_expression" => self.first_inside(node),
            "throw_expression" => {
                self.mark_throw(node);
                self.first_inside(node);
                self.b.add_expr(Expr::Either(Box::default()))
            }
            "default_expression" => self.default(node),
            "typeof_expression" => self.type_of(node),
            "declaration_expression" => self.declaration_expression(node),
            "interpolated_string_expression" => self.interpolated(node),
            "predefined_type" | "array_type" | "nullable_type" | "tuple_type" => {
                let ty = self.ty(node);
                self.b.add_expr(Expr::Type(ty))
            }
            "this" => self.of_this(Expr::This),
            "base" => self.of_this(Expr::Super),
            _ => self.literal(node),
        }
    }

    fn literal(&mut self, node: Node<'_>) -> ExprId {
        let primitive = match node.kind_name() {
            "string_literal" | "verbatim_string_literal" | "raw_string_literal" => {
                Primitive::String
            }
            "integer_literal" => return self.number(node, Primitive::Int),
            "real_literal" => return self.number(node, Primitive::Float),
            "boolean_literal" => Primitive::Bool,
            "character_literal" => Primitive::Char,
            "null_literal" => Primitive::Null,
            "sizeof_expression" => Primitive::Int,
            _ => return self.unknown(node),
        };
        self.b.add_expr(Expr::Literal(primitive))
    }

    /// `1` is an `int` and `1.0` a `double`. A suffix or the size gives another type.
    fn number(&mut self, node: Node<'_>, primitive: Primitive) -> ExprId {
        let text = self.b.text(node).to_ascii_lowercase();
        let name = if primitive == Primitive::Int {
            let (value, suffix) = constants::whole_number(&text);
            match (suffix, value) {
                ("", Some(value)) if value <= i32::MAX as u64 => {
                    return self.int_constant(value as i32);
                }
                ("" | "u", Some(value)) if value <= u32::MAX.into() => "UInt32",
                ("" | "l", Some(value)) if value <= i64::MAX as u64 => "Int64",
                ("" | "l", None) => "Int64",
                _ => "UInt64",
            }
        } else {
            match text.as_bytes().last() {
                Some(b'f') => "Single",
                Some(b'm') => "Decimal",
                _ => return self.b.add_expr(Expr::Literal(primitive)),
            }
        };
        let literal = self.b.add_expr(Expr::Literal(primitive));
        let ty = self.system_type(name);
        self.b.add_expr(Expr::Cast(literal, ty))
    }

    /// An expression of unknown type. Its contents are read nevertheless.
    pub(super) fn unknown(&mut self, node: Node<'_>) -> ExprId {
        self.statements(node);
        self.b.add_expr(Expr::Unknown)
    }

    pub(super) fn first_inside(&mut self, node: Node<'_>) -> ExprId {
        match first_expression(node) {
            Some(inner) => self.expr(inner),
            None => self.b.add_expr(Expr::Unknown),
        }
    }

    pub(super) fn expr_in_field(&mut self, node: Node<'_>, name: &'static str) -> ExprId {
        match node.field(name) {
            Some(child) => self.expr(child),
            None => self.b.add_expr(Expr::Unknown),
        }
    }

    /// `this` or `base` of the enclosing class.
    fn of_this(&mut self, make: fn(DefId) -> Expr) -> ExprId {
        let expr = self.current_type().map_or(Expr::Unknown, make);
        self.b.add_expr(expr)
    }

    fn name(&mut self, node: Node<'_>) -> ExprId {
        self.type_arguments_of(node);
        let at = identifier_of(node);
        let expr = self.b.add_name_expr(at);
        self.b.add_reference(RefTarget::Expr(expr), at);
        expr
    }

    /// `global::A`.
    fn global_name(&mut self, node: Node<'_>) -> ExprId {
        let Some(name_node) = node.field("name").map(identifier_of) else {
            return self.unknown(node);
        };
        let name = self.b.intern_node_text(name_node);
        self.b.add_expr(Expr::Name {
            name,
            scope: FILE_SCOPE,
            at: name_node.start_byte() as u32,
        })
    }

    fn member_access(&mut self, node: Node<'_>) -> ExprId {
        let object = node
            .field("expression")
            .or_else(|| node.field("qualifier"))
            .map(|object| self.object(object));
        let (Some(object), Some(name)) = (object, node.field("name")) else {
            return self.b.add_expr(Expr::Unknown);
        };
        self.type_arguments_of(name);
        self.member_of(object, identifier_of(name))
    }

    pub(super) fn member_of(&mut self, object: ExprId, name_node: Node<'_>) -> ExprId {
        let name = self.b.intern_node_text(name_node);
        let expr = self.b.add_expr(Expr::Member { object, name });
        self.b.add_reference(RefTarget::Expr(expr), name_node);
        expr
    }

    /// The object before a dot. A name with type arguments is a type there.
    pub(super) fn object(&mut self, node: Node<'_>) -> ExprId {
        match node.kind_name() {
            "generic_name" => {
                let ty = self.ty(node);
                self.b.add_expr(Expr::Type(ty))
            }
            "qualified_name" | "member_access_expression" if ends_generic(node) => {
                self.generic_object(node)
            }
            _ => self.expr(node),
        }
    }

    /// `A.B<C>` before a dot.
    fn generic_object(&mut self, node: Node<'_>) -> ExprId {
        let mut path = Vec::new();
        let mut next = Some(node);
        while let Some(at) = next {
            let is_part = !matches!(at.kind_name(), "identifier" | "generic_name");
            let name = at.field("name").filter(|_| is_part).unwrap_or(at);
            if !matches!(name.kind_name(), "identifier" | "generic_name") {
                return self.unknown(node);
            }
            path.push(self.b.intern_node_text(identifier_of(name)));
            next = at
                .field("expression")
                .or_else(|| at.field("qualifier"))
                .filter(|_| is_part);
        }
        path.reverse();
        let args = node.field("name").map(|name| self.type_arguments_of(name));
        let scope = self.b.current_scope();
        let ty = self.b.add_type(TypeExpr::Named {
            path: path.into(),
            args: args.unwrap_or_default().into(),
            scope,
            at: node.start_byte() as u32,
        });
        self.b.add_expr(Expr::Type(ty))
    }

    /// `a?.b`, `a?[i]`.
    fn conditional_access(&mut self, node: Node<'_>) -> ExprId {
        let object = self.expr_in_field(node, "condition");
        let object = self.b.add_expr(Expr::Try(object));
        if let Some(binding) = child_of_kind(node, "member_binding_expression") {
            let Some(name) = binding.field("name") else {
                return self.b.add_expr(Expr::Unknown);
            };
            self.type_arguments_of(name);
            return self.member_of(object, identifier_of(name));
        }
        match child_of_kind(node, "element_binding_expression") {
            Some(list) => self.index_of(object, list),
            None => self.b.add_expr(Expr::Unknown),
        }
    }

    fn element_access(&mut self, node: Node<'_>) -> ExprId {
        let object = self.expr_in_field(node, "expression");
        match node.field("subscript") {
            Some(list) => self.index_of(object, list),
            None => self.b.add_expr(Expr::Unknown),
        }
    }

    pub(super) fn index_of(&mut self, object: ExprId, list: Node<'_>) -> ExprId {
        let indexes: Vec<ExprId> = children_of_kind(list, "argument")
            .into_iter()
            .filter_map(last_expression)
            .map(|index| self.expr(index))
            .collect();
        match indexes.first() {
            Some(index) => self.b.add_expr(Expr::Index {
                object,
                index: *index,
            }),
            None => self.b.add_expr(Expr::Unknown),
        }
    }

    fn conditional(&mut self, node: Node<'_>, expected: Option<TypeId>) -> ExprId {
        self.expr_in_field(node, "condition");
        let parts: Vec<ExprId> = ["consequence", "alternative"]
            .into_iter()
            .filter_map(|field| node.field(field))
            .map(|part| self.expr_expecting(part, expected))
            .collect();
        self.b.add_expr(Expr::Either(parts.into()))
    }

    fn cast_by(&mut self, node: Node<'_>, value: &'static str, ty: &'static str) -> ExprId {
        let ty = node.field(ty).map(|t| self.ty(t));
        let Some(ty) = ty else {
            return self.unknown(node);
        };
        let value = match node.field(value) {
            Some(value) => self.expr_expecting(value, Some(ty)),
            None => self.b.add_expr(Expr::Unknown),
        };
        self.b.add_expr(Expr::Cast(value, ty))
    }

    fn is_type(&mut self, node: Node<'_>) -> ExprId {
        self.expr_in_field(node, "left");
        if let Some(ty) = node.field("right") {
            self.ty(ty);
        }
        self.b.add_expr(Expr::Literal(Primitive::Bool))
    }

    fn is_pattern(&mut self, node: Node<'_>) -> ExprId {
        let value = self.expr_in_field(node, "expression");
        if let Some(pattern) = node.field("pattern") {
            self.pattern(pattern, value);
        }
        self.b.add_expr(Expr::Literal(Primitive::Bool))
    }

    fn switch_expression(&mut self, node: Node<'_>, expected: Option<TypeId>) -> ExprId {
        let value = self.first_inside(node);
        let mut arms = Vec::new();
        for arm in children_of_kind(node, "switch_expression_arm") {
            self.b.open_scope(ScopeKind::Block, None);
            let parts = super::expressions(arm);
            if let [pattern, rest @ .., result] = &parts[..] {
                self.pattern(*pattern, value);
                for guard in rest {
                    self.statements(*guard);
                }
                arms.push(self.expr_expecting(*result, expected));
            }
            self.b.close_scope();
        }
        arms.truncate(MAX_ARMS);
        self.b.add_expr(Expr::Either(arms.into()))
    }

    /// A tuple literal. Its parts have the written names, or the names of their values.
    fn tuple(&mut self, node: Node<'_>) -> ExprId {
        let mut parts = Vec::new();
        let mut names = Vec::new();
        for argument in children_of_kind(node, "argument") {
            let Some(value) = last_expression(argument) else {
                continue;
            };
            parts.push(self.expr(value));
            let name = argument.field("name").or_else(|| implied_name(value));
            names.push(name.map(|n| self.b.intern_node_text(n)));
        }
        if names.iter().all(Option::is_none) {
            return self.b.add_expr(Expr::Tuple(parts.into()));
        }
        let mut fields = Vec::new();
        for (n, (part, name)) in parts.iter().zip(names).enumerate() {
            let numbered = self.b.intern_owned_name(&format!("Item{}", n + 1));
            fields.push((numbered, *part));
            fields.extend(name.map(|name| (name, *part)));
        }
        self.b.add_expr(Expr::Object(fields.into()))
    }

    fn default(&mut self, node: Node<'_>) -> ExprId {
        let null = self.b.add_expr(Expr::Literal(Primitive::Null));
        match node.field("type") {
            Some(ty) => {
                let ty = self.ty(ty);
                self.b.add_expr(Expr::Cast(null, ty))
            }
            None => null,
        }
    }

    fn type_of(&mut self, node: Node<'_>) -> ExprId {
        if let Some(ty) = node.field("type") {
            self.ty(ty);
        }
        let ty = self.system_type("Type");
        let unknown = self.b.add_expr(Expr::Unknown);
        self.b.add_expr(Expr::Cast(unknown, ty))
    }

    /// `T x`, except in the arguments of a call.
    fn declaration_expression(&mut self, node: Node<'_>) -> ExprId {
        let ty = self.written_type(node.field("type"));
        if let Some(name) = node.field("name") {
            self.bind_local(name, ty, None);
        }
        let unknown = self.b.add_expr(Expr::Unknown);
        match ty {
            Some(ty) => self.b.add_expr(Expr::Cast(unknown, ty)),
            None => unknown,
        }
    }

    fn interpolated(&mut self, node: Node<'_>) -> ExprId {
        for part in children_of_kind(node, "interpolation") {
            for inner in super::expressions(part) {
                if !inner.kind_name().starts_with("interpolation_") {
                    self.expr(inner);
                }
            }
        }
        self.b.add_expr(Expr::Literal(Primitive::String))
    }
}

/// Whether the last name of a path has type arguments.
fn ends_generic(node: Node<'_>) -> bool {
    node.field("name")
        .is_some_and(|name| name.kind_name() == "generic_name")
}

/// The name that a part of a tuple or anonymous object gets from its value.
pub(super) fn implied_name(value: Node<'_>) -> Option<Node<'_>> {
    match value.kind_name() {
        "identifier" => Some(value),
        "member_access_expression" => value.field("name").map(identifier_of),
        _ => None,
    }
}
