//! Expressions, patterns, switch.

use super::{Walker, child_of_kind, first_code_child, is_comment, last_child};
use syntax::facts::*;
use syntax::fields::{Fields, left_spine};
use tree_sitter::Node;

/// Most arms of a switch that contribute to its type.
const MAX_ARMS: usize = 8;

impl<'s> Walker<'_, 's> {
    /// An expression; records the calls, references and writes inside it.
    pub(super) fn expr(&mut self, node: Node<'_>) -> ExprId {
        if !self.b.enter_level() {
            return self.b.add_expr(Expr::Unknown);
        }
        let expr = self.expr_inner(node);
        self.b.leave_level();
        expr
    }

    fn expr_inner(&mut self, node: Node<'_>) -> ExprId {
        match node.kind_name() {
            "identifier" | "type_identifier" => {
                let expr = self.b.add_name_expr(node);
                self.b.add_reference(RefTarget::Expr(expr), node);
                expr
            }
            "method_invocation" => self.visit_method_invocation(node),
            "field_access" | "scoped_identifier" => self.field_access(node),
            "parenthesized_expression" => self.visit_first_child(node),
            "object_creation_expression" => self.visit_object_creation(node),
            "binary_expression" => self.binary(node),
            "assignment_expression" => self.assignment(node),
            "lambda_expression" => self.lambda(node),
            "method_reference" => self.method_reference(node),
            "ternary_expression" => self.ternary(node),
            "cast_expression" => self.cast(node),
            "instanceof_expression" => self.instance_of(node),
            "switch_expression" => self.switch(node),
            "array_access" => self.array_access(node),
            "array_creation_expression" => self.array_creation(node),
            "array_initializer" | "element_value_array_initializer" => {
                self.visit_array_initializer(node, None)
            }
            "unary_expression" => self.unary(node),
            "update_expression" => self.visit_update(node),
            "class_literal" => self.class_literal(node),
            "explicit_constructor_invocation" => self.constructor_invocation(node),
            "annotation" | "marker_annotation" => self.annotation_expr(node),
            "this" => self.add_this_or_super(Expr::This),
            "super" => self.add_this_or_super(Expr::Super),
            _ => self.literal(node),
        }
    }

    fn literal(&mut self, node: Node<'_>) -> ExprId {
        let primitive = match node.kind_name() {
            "string_literal" => {
                self.interpolations(node);
                Primitive::String
            }
            "decimal_integer_literal"
            | "hex_integer_literal"
            | "octal_integer_literal"
            | "binary_integer_literal" => return self.number_literal(node, Primitive::Int),
            "decimal_floating_point_literal" | "hex_floating_point_literal" => {
                return self.number_literal(node, Primitive::Float);
            }
            "true" | "false" => Primitive::Bool,
            "character_literal" => Primitive::Char,
            "null_literal" => Primitive::Null,
            _ => return self.visit_unknown(node),
        };
        self.b.add_expr(Expr::Literal(primitive))
    }

    /// `1` is an int and `1.0` a double; a suffix makes them a long or a float.
    fn number_literal(&mut self, node: Node<'_>, primitive: Primitive) -> ExprId {
        let text = self.b.text(node);
        let literal = self.b.add_expr(Expr::Literal(primitive));
        let suffixed = match (primitive, text.as_bytes().last()) {
            (Primitive::Int, Some(b'l' | b'L')) => "long",
            (Primitive::Float, Some(b'f' | b'F')) => "float",
            _ => return literal,
        };
        let ty = self.add_synthetic_type(suffixed, Box::default(), node);
        self.b.add_expr(Expr::Cast(literal, ty))
    }

    /// An unknown expression, whose contents are read all the same.
    fn visit_unknown(&mut self, node: Node<'_>) -> ExprId {
        self.visit_statements(node);
        self.b.add_expr(Expr::Unknown)
    }

    fn interpolations(&mut self, node: Node<'_>) {
        if !self.b.text(node).contains("\\{") {
            return;
        }
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if child.kind_name() == "string_interpolation" {
                self.visit_statements(child);
            }
        }
    }

    fn visit_first_child(&mut self, node: Node<'_>) -> ExprId {
        match first_code_child(node) {
            Some(inner) => self.expr(inner),
            None => self.b.add_expr(Expr::Unknown),
        }
    }

    /// A field's expression: `this` or `super` of the class around.
    fn add_this_or_super(&mut self, make: fn(DefId) -> Expr) -> ExprId {
        let expr = self.current_class().map_or(Expr::Unknown, make);
        self.b.add_expr(expr)
    }

    pub(super) fn visit_expr_in_field(&mut self, node: Node<'_>, name: &'static str) -> ExprId {
        match node.field(name) {
            Some(child) => self.expr(child),
            None => self.b.add_expr(Expr::Unknown),
        }
    }

    fn field_access(&mut self, node: Node<'_>) -> ExprId {
        let (object, field) = ("object", "field");
        let (Some(object), Some(field)) = (
            node.field(object).or_else(|| node.field("scope")),
            node.field(field).or_else(|| node.field("name")),
        ) else {
            return self.visit_unknown(node);
        };
        if field.kind_name() == "this" {
            return self.outer_this(object);
        }
        let object = match self.outer_super(node, object) {
            Some(object) => object,
            None => self.expr(object),
        };
        let name = self.b.intern_node_text(field);
        let expr = self.b.add_expr(Expr::Member { object, name });
        self.b.add_reference(RefTarget::Expr(expr), field);
        expr
    }

    /// `Outer.this`.
    fn outer_this(&mut self, object: Node<'_>) -> ExprId {
        match self.find_enclosing_class(self.last_name(object)) {
            Some(def) => self.b.add_expr(Expr::This(def)),
            None => {
                let ty = self.ty(object);
                let unknown = self.b.add_expr(Expr::Unknown);
                self.b.add_expr(Expr::Cast(unknown, ty))
            }
        }
    }

    /// `Outer.super` and `Interface.super`, with a `super` between `object` and the name.
    pub(super) fn outer_super(&mut self, node: Node<'_>, object: Node<'_>) -> Option<ExprId> {
        let behind = self.b.source.get(object.end_byte()..node.end_byte())?;
        if !behind.contains("super") {
            return None;
        }
        let mut cursor = node.walk();
        node.named_children(&mut cursor)
            .find(|c| c.kind_name() == "super" && *c != object)?;
        Some(match self.find_enclosing_class(self.last_name(object)) {
            Some(def) => self.b.add_expr(Expr::Super(def)),
            None => {
                let ty = self.ty(object);
                let this = self.add_this_or_super(Expr::This);
                self.b.add_expr(Expr::Cast(this, ty))
            }
        })
    }

    fn last_name(&self, node: Node<'_>) -> &'s str {
        let text = self.b.text(node);
        text.rsplit('.').next().unwrap_or(text).trim()
    }

    /// Left-nested operations are read in a loop, since concatenations can be long.
    fn binary(&mut self, node: Node<'_>) -> ExprId {
        let (mut spine, left) = left_spine(node);
        let mut result = match left {
            Some(left) => self.expr(left),
            None => self.b.add_expr(Expr::Unknown),
        };
        while let Some(node) = spine.pop() {
            let right = self.visit_expr_in_field(node, "right");
            let operator = node.field("operator").map_or("", |o| self.b.text(o));
            result = self.add_operation(operator, result, right);
        }
        result
    }

    fn add_operation(&mut self, operator: &str, left: ExprId, right: ExprId) -> ExprId {
        const STRING: Expr = Expr::Literal(Primitive::String);
        let facts = self.b.facts();
        let expr = match operator {
            // The distance of a shift says nothing of its type.
            "<<" | ">>" | ">>>" => Expr::Operation(left, left),
            "==" | "!=" | "<" | ">" | "<=" | ">=" | "&&" | "||" => Expr::Literal(Primitive::Bool),
            "+" if *facts.expr(left) == STRING || *facts.expr(right) == STRING => STRING,
            _ => Expr::Operation(left, right),
        };
        self.b.add_expr(expr)
    }

    fn assignment(&mut self, node: Node<'_>) -> ExprId {
        let target = match node.field("left") {
            Some(left) => self.visit_write_target(left),
            None => self.b.add_expr(Expr::Unknown),
        };
        self.visit_expr_in_field(node, "right");
        target
    }

    fn visit_update(&mut self, node: Node<'_>) -> ExprId {
        match first_code_child(node) {
            Some(operand) => self.visit_write_target(operand),
            None => self.b.add_expr(Expr::Unknown),
        }
    }

    /// The target of a write.
    fn visit_write_target(&mut self, node: Node<'_>) -> ExprId {
        match node.kind_name() {
            "identifier" => {
                let expr = self.b.add_name_expr(node);
                self.b.add_write(expr, node);
                expr
            }
            "field_access" => {
                let expr = self.expr(node);
                if let Some(field) = node.field("field") {
                    self.b.add_write(expr, field);
                }
                expr
            }
            "parenthesized_expression" => match first_code_child(node) {
                Some(inner) => self.visit_write_target(inner),
                None => self.b.add_expr(Expr::Unknown),
            },
            _ => self.expr(node),
        }
    }

    fn unary(&mut self, node: Node<'_>) -> ExprId {
        let operand = self.visit_expr_in_field(node, "operand");
        let negates = node
            .field("operator")
            .is_some_and(|o| self.b.text(o) == "!");
        if negates {
            return self.b.add_expr(Expr::Literal(Primitive::Bool));
        }
        self.b.add_expr(Expr::Operation(operand, operand))
    }

    fn ternary(&mut self, node: Node<'_>) -> ExprId {
        self.visit_expr_in_field(node, "condition");
        let parts = ["consequence", "alternative"].map(|side| {
            let value = self.visit_expr_in_field(node, side);
            match node.field(side).filter(|side| self.is_large(*side)) {
                Some(_) => self.b.add_expr(Expr::Operation(value, value)),
                None => value,
            }
        });
        self.b.add_expr(Expr::Either(Box::from(parts)))
    }

    /// Whether a literal may not fit into the smallest type of numbers, so that it does not take that of another operand.
    fn is_large(&self, node: Node<'_>) -> bool {
        let digits = self.b.text(node).bytes().filter(u8::is_ascii_digit);
        let is_number = node.kind_name().ends_with("_integer_literal");
        let is_decimal = node.kind_name() == "decimal_integer_literal";
        let fits = |value: u32| value <= i8::MAX as u32;
        let value = digits.fold(0, |value: u32, digit| {
            value
                .saturating_mul(10)
                .saturating_add(u32::from(digit - b'0'))
        });
        is_number && !(is_decimal && fits(value))
    }

    fn cast(&mut self, node: Node<'_>) -> ExprId {
        let mut cursor = node.walk();
        let types: Vec<Node<'_>> = node.fields("type", &mut cursor).collect();
        let types: Vec<TypeId> = types
            .into_iter()
            .filter(|t| t.is_named())
            .map(|t| self.ty(t))
            .collect();
        let ty = match types.as_slice() {
            [one] => *one,
            _ => self.b.add_type(TypeExpr::All(types.into())),
        };
        let value = match node.field("value") {
            Some(value) => self.visit_expr_with_expected_type(value, Some(ty)),
            None => self.b.add_expr(Expr::Unknown),
        };
        self.b.add_expr(Expr::Cast(value, ty))
    }

    /// The variable of a pattern is bound in the enclosing scope from there on. Its true visibility depends on the
    /// flow, but names rarely collide.
    fn instance_of(&mut self, node: Node<'_>) -> ExprId {
        let value = self.visit_expr_in_field(node, "left");
        if let Some(pattern) = node.field("pattern") {
            self.record_pattern(pattern, value);
        } else if let Some(right) = node.field("right") {
            let ty = self.ty(right);
            if let Some(name_node) = node.field("name") {
                self.bind_local(name_node, Some(ty), Some(value));
            }
        }
        self.b.add_expr(Expr::Literal(Primitive::Bool))
    }

    fn record_pattern(&mut self, node: Node<'_>, value: ExprId) {
        let Some(class) = first_code_child(node) else {
            return;
        };
        let ty = self.ty(class);
        let variant = self.b.add_expr(Expr::Type(ty));
        let Some(body) = child_of_kind(node, "record_pattern_body") else {
            return;
        };
        let mut cursor = body.walk();
        let parts: Vec<Node<'_>> = body
            .named_children(&mut cursor)
            .filter(|c| !is_comment(*c))
            .collect();
        for (index, part) in parts.into_iter().enumerate() {
            let index = index as u32;
            let payload = self.b.add_expr(Expr::Payload {
                value,
                variant,
                index,
            });
            if !self.b.enter_level() {
                return;
            }
            match part.kind_name() {
                "record_pattern" => self.record_pattern(part, payload),
                _ => self.typed_pattern(part, payload),
            }
            self.b.leave_level();
        }
    }

    /// `Type name`, as a pattern.
    fn typed_pattern(&mut self, node: Node<'_>, value: ExprId) {
        let (Some(ty), Some(name_node)) = (first_code_child(node), last_child(node)) else {
            return;
        };
        if ty == name_node {
            return;
        }
        let ty = if self.is_var(ty) {
            None
        } else {
            Some(self.ty(ty))
        };
        self.bind_local(name_node, ty, Some(value));
    }

    fn switch(&mut self, node: Node<'_>) -> ExprId {
        let value = self.visit_expr_in_field(node, "condition");
        self.yields.push(Vec::new());
        self.b.open_scope(ScopeKind::Block, None);
        if let Some(body) = node.field("body") {
            let mut cursor = body.walk();
            for arm in body.named_children(&mut cursor) {
                self.visit_switch_arm(arm, value);
            }
        }
        self.b.close_scope();
        let mut arms = self.yields.pop().unwrap_or_default();
        arms.truncate(MAX_ARMS);
        match arms.as_slice() {
            [] => self.b.add_expr(Expr::Unknown),
            [one] => *one,
            _ => self.b.add_expr(Expr::Either(arms.into())),
        }
    }

    fn visit_switch_arm(&mut self, node: Node<'_>, value: ExprId) {
        let rule = node.kind_name() == "switch_rule";
        if rule {
            self.b.open_scope(ScopeKind::Block, None);
        }
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match child.kind_name() {
                "switch_label" => self.visit_switch_label(child, value),
                "expression_statement" if rule => {
                    let given = self.visit_first_child(child);
                    if let Some(yields) = self.yields.last_mut() {
                        yields.push(given);
                    }
                }
                _ => self.visit_declaration(child, None),
            }
        }
        if rule {
            self.b.close_scope();
        }
    }

    fn visit_switch_label(&mut self, node: Node<'_>, value: ExprId) {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match child.kind_name() {
                "pattern" => match first_code_child(child) {
                    Some(p) if p.kind_name() == "record_pattern" => self.record_pattern(p, value),
                    Some(p) => self.typed_pattern(p, value),
                    None => {}
                },
                "guard" => self.visit_statements(child),
                "identifier" => {
                    // A constant in scope, or one of the enum in the switch.
                    self.expr(child);
                    let name = self.b.intern_node_text(child);
                    let member = self.b.add_expr(Expr::Member {
                        object: value,
                        name,
                    });
                    self.b.add_reference(RefTarget::Expr(member), child);
                }
                _ => self.visit_declaration(child, None),
            }
        }
    }

    fn array_access(&mut self, node: Node<'_>) -> ExprId {
        let object = self.visit_expr_in_field(node, "array");
        let index = self.visit_expr_in_field(node, "index");
        self.b.add_expr(Expr::Index { object, index })
    }

    fn array_creation(&mut self, node: Node<'_>) -> ExprId {
        let Some(element) = node.field("type") else {
            return self.visit_unknown(node);
        };
        let element = self.ty(element);
        let mut ty = element;
        let mut cursor = node.walk();
        for child in node.fields("dimensions", &mut cursor) {
            if child.kind_name() == "dimensions_expr" {
                self.visit_statements(child);
                ty = self.b.add_type(TypeExpr::Array(ty));
            } else {
                ty = self.wrap_array_dimensions(ty, Some(child));
            }
        }
        let value = match node.field("value") {
            Some(value) => self.visit_array_initializer(value, Some(ty)),
            None => self.b.add_expr(Expr::Unknown),
        };
        self.b.add_expr(Expr::Cast(value, ty))
    }

    /// `{a, b}`; lambdas in it take the array's element type.
    fn visit_array_initializer(&mut self, node: Node<'_>, ty: Option<TypeId>) -> ExprId {
        let element = ty.and_then(|t| match self.b.facts().ty(t) {
            TypeExpr::Array(element) => Some(*element),
            _ => None,
        });
        let mut items = Vec::new();
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if !is_comment(child) {
                items.push(self.visit_expr_with_expected_type(child, element));
            }
        }
        self.b.add_expr(Expr::List(items.into()))
    }

    fn class_literal(&mut self, node: Node<'_>) -> ExprId {
        let args: Box<[TypeId]> = first_code_child(node)
            .map(|t| self.ty(t))
            .into_iter()
            .collect();
        let ty = self.add_synthetic_type("Class", args, node);
        let unknown = self.b.add_expr(Expr::Unknown);
        self.b.add_expr(Expr::Cast(unknown, ty))
    }

    /// An expression in a place with an expected type, which function literals keep.
    pub(super) fn visit_expr_with_expected_type(
        &mut self,
        node: Node<'_>,
        ty: Option<TypeId>,
    ) -> ExprId {
        if node.kind_name() == "array_initializer" {
            let list = self.visit_array_initializer(node, ty);
            return match ty {
                Some(ty) => self.b.add_expr(Expr::Cast(list, ty)),
                None => list,
            };
        }
        let expr = self.expr(node);
        if let Some(ty) = ty {
            self.set_expected_type(expr, ty);
        }
        expr
    }

    fn set_expected_type(&mut self, expr: ExprId, ty: TypeId) {
        match self.b.facts().expr(expr) {
            Expr::Function(def) => {
                let def = *def;
                self.b.def_mut(def).ty = Some(ty);
            }
            Expr::Either(parts) => {
                for part in parts.clone() {
                    if let Expr::Function(def) = *self.b.facts().expr(part) {
                        self.b.def_mut(def).ty = Some(ty);
                    }
                }
            }
            _ => {}
        }
    }
}
