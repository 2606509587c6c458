//! Expressions: their parts, and the calls and references in them.

use super::flow::{Branch, FrameKind};
use super::walrus::is_and;
use super::{Walker, children};
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Most elements of a literal that are kept.
const MAX_ELEMENTS: usize = 16;

impl<'s> Walker<'_, 's> {
    /// Reads an expression; returns the part of it that is kept.
    pub(super) fn expr(&mut self, node: Node<'_>) -> ExprId {
        if !self.b.enter_level() {
            return self.unknown_expr();
        }
        let expr = self.visit_expr_inner(node);
        if may_raise(node) {
            self.current_frame().guarded.may_raise();
        }
        self.b.leave_level();
        expr
    }

    fn visit_expr_inner(&mut self, node: Node<'_>) -> ExprId {
        match node.kind_name() {
            "identifier" => self.visit_name(node),
            "attribute" => self.attribute(node, true),
            "call" => self.call(node, CallKind::Call),
            "string" => self.string(node),
            "concatenated_string" => {
                let mut first = None;
                for part in children(node) {
                    let part = self.expr(part);
                    first.get_or_insert(part);
                }
                first.unwrap_or_else(|| self.unknown_expr())
            }
            "integer" => self.literal_expr(Primitive::Int),
            "float" => self.literal_expr(Primitive::Float),
            "true" | "false" => self.literal_expr(Primitive::Bool),
            "none" => self.literal_expr(Primitive::Null),
            "parenthesized_expression" => self.visit_only_child(node),
            "unary_operator" => {
                let operand = self.visit_only_child(node);
                self.b.add_expr(Expr::Operation(operand, operand))
            }
            "subscript" => self.subscript(node),
            "binary_operator" => self.binary(node),
            "boolean_operator" => self.visit_boolean_operator(node),
            "comparison_operator" | "not_operator" => {
                self.walk_children(node);
                self.literal_expr(Primitive::Bool)
            }
            "conditional_expression" => self.conditional_expression(node),
            "tuple" | "expression_list" | "pattern_list" | "tuple_pattern" => {
                let elements = self.visit_elements(node, usize::MAX);
                self.b.add_expr(Expr::Tuple(elements))
            }
            "list" | "set" | "list_pattern" => {
                let elements = self.visit_elements(node, MAX_ELEMENTS);
                self.b.add_expr(Expr::List(elements))
            }
            "dictionary" => self.dictionary(node),
            "list_comprehension"
            | "set_comprehension"
            | "generator_expression"
            | "dictionary_comprehension" => self.comprehension(node),
            "lambda" => {
                let def = self.lambda_def(node, node, None);
                self.b.add_expr(Expr::Function(def))
            }
            "await" => {
                let inner = self.visit_only_child(node);
                self.b.add_expr(Expr::Await(inner))
            }
            "yield" => self.yield_expr(node),
            "named_expression" => self.visit_walrus(node),
            "list_splat"
            | "dictionary_splat"
            | "list_splat_pattern"
            | "dictionary_splat_pattern" => {
                let inner = self.visit_only_child(node);
                self.b.add_expr(Expr::Spread(inner))
            }
            "keyword_argument" => self.keyword_argument(node),
            "assignment" | "augmented_assignment" => self.visit_assignment(node),
            "block" | "function_definition" | "class_definition" | "decorated_definition" => {
                self.visit_block(node);
                self.unknown_expr()
            }
            "comment" | "string_start" | "string_content" | "string_end" | "ellipsis" => {
                self.unknown_expr()
            }
            _ => {
                self.walk_children(node);
                self.unknown_expr()
            }
        }
    }

    fn visit_only_child(&mut self, node: Node<'_>) -> ExprId {
        let mut last = None;
        for child in children(node) {
            last = Some(self.expr(child));
        }
        last.unwrap_or_else(|| self.unknown_expr())
    }

    fn visit_elements(&mut self, node: Node<'_>, most: usize) -> Box<[ExprId]> {
        let mut elements = Vec::new();
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if child.kind_name() == "comment" {
                continue;
            }
            let element = self.expr(child);
            if elements.len() < most
                && !(elements.len() > 1 && elements.last() == Some(&element) && most != usize::MAX)
            {
                elements.push(element);
            }
        }
        elements.into()
    }

    fn visit_name(&mut self, node: Node<'_>) -> ExprId {
        let expr = self.b.add_name_expr(node);
        self.add_name_reference(expr, node);
        expr
    }

    /// Records the reference to a name. A name of the module is still recorded if straight-line code rebinds it.
    fn add_name_reference(&mut self, expr: ExprId, node: Node<'_>) {
        if self.mute {
            return;
        }
        let mut target = expr;
        let frame = self.current_frame();
        if frame.kind == FrameKind::Module
            && let Expr::Name { name, at, .. } = *self.b.facts().expr(expr)
        {
            let cell = self.current_frame().current_cell(name);
            if cell.is_some_and(|c| matches!(c.bound, Bound::Local { .. })) {
                target = self.b.add_expr(Expr::Name {
                    name,
                    scope: FILE_SCOPE,
                    at,
                });
            }
        }
        self.b.add_reference(RefTarget::Expr(target), node);
    }

    fn attribute(&mut self, node: Node<'_>, mention: bool) -> ExprId {
        let (Some(object), Some(attribute)) = (node.field("object"), node.field("attribute"))
        else {
            self.walk_children(node);
            return self.unknown_expr();
        };
        let object = self.expr(object);
        let name = self.member_name(attribute);
        let member = self.b.add_expr(Expr::Member { object, name });
        if mention && !self.mute {
            self.b.add_reference(RefTarget::Expr(member), attribute);
        }
        member
    }

    /// The callee as an expression; its last name is not a reference.
    pub(super) fn visit_callee(&mut self, node: Node<'_>) -> ExprId {
        if !self.b.enter_level() {
            return self.unknown_expr();
        }
        let expr = match node.kind_name() {
            "identifier" => self.b.add_name_expr(node),
            "attribute" => self.attribute(node, false),
            "parenthesized_expression" => match node.named_child(0) {
                Some(inner) => self.visit_callee(inner),
                None => self.unknown_expr(),
            },
            _ => self.expr(node),
        };
        self.b.leave_level();
        expr
    }

    /// The node whose position is that of a call of `callee`.
    pub(super) fn callee_name_node<'t>(&self, callee: Node<'t>) -> Node<'t> {
        let mut node = callee;
        loop {
            let next = match node.kind_name() {
                "attribute" => node.field("attribute"),
                "subscript" => node.field("value"),
                "parenthesized_expression" => node.named_child(0),
                // The inner call has that position already, so the outer one gets that of its bracket.
                "call" => node.next_sibling(),
                _ => None,
            };
            match next {
                Some(next) if node.kind_name() == "attribute" || node.kind_name() == "call" => {
                    return next;
                }
                Some(next) => node = next,
                None => return node,
            }
        }
    }

    pub(super) fn call(&mut self, node: Node<'_>, kind: CallKind) -> ExprId {
        let (Some(function), Some(arguments)) = (node.field("function"), node.field("arguments"))
        else {
            self.walk_children(node);
            return self.unknown_expr();
        };
        let name = match function.kind_name() {
            "identifier" => self.b.text(function),
            "attribute" => function.field("attribute").map_or("", |a| self.b.text(a)),
            _ => "",
        };
        let callee = self.visit_callee(function);
        let args = match arguments.kind_name() {
            "generator_expression" => vec![self.expr(arguments)],
            _ => self.arguments(arguments, name),
        };
        let numbered = args.iter().zip(0..);
        let literals: Vec<(DefId, u32)> = numbered
            .filter_map(|(a, at)| Some((self.function_literal_of(*a)?, at)))
            .collect();
        let argc = args.len();
        let call = self.b.add_expr(Expr::Call {
            callee,
            args: args.clone().into(),
            type_args: Box::default(),
        });
        // The first position of a literal counts.
        for (def, at) in literals.into_iter().rev() {
            if let Some(callable) = &mut self.b.def_mut(def).callable {
                callable.argument_of = Some((call, at));
            }
        }
        let name_node = self.callee_name_node(function);
        self.b.add_call(call, kind, argc, name_node);
        self.current_frame().guarded.may_raise();
        self.visit_special_call(name, function, arguments, &args)
            .unwrap_or(call)
    }

    fn function_literal_of(&self, arg: ExprId) -> Option<DefId> {
        match *self.b.facts().expr(arg) {
            Expr::Function(def) => Some(def),
            Expr::Keyword(_, value) => match *self.b.facts().expr(value) {
                Expr::Function(def) => Some(def),
                _ => None,
            },
            _ => None,
        }
    }

    /// Calls with a special meaning.
    fn visit_special_call(
        &mut self,
        name: &str,
        function: Node<'_>,
        arguments: Node<'_>,
        args: &[ExprId],
    ) -> Option<ExprId> {
        match name {
            "super" if function.kind_name() == "identifier" => {
                let class = self.class_of_super_call(arguments)?;
                Some(self.b.add_expr(Expr::Super(class)))
            }
            "cast" if args.len() == 2 => {
                let written = children(arguments).into_iter().next()?;
                let ty = self.lower_annotation(written)?;
                Some(self.b.add_expr(Expr::Cast(args[1], ty)))
            }
            "import_module" | "__import__" => {
                self.visit_dynamic_import(function, arguments);
                None
            }
            "extend" | "append" | "appendleft" | "insert" | "add" | "update" => {
                let object = function.field("object")?;
                if self.frames.len() == 1 && self.b.text(object) == "__all__" {
                    self.export_names(arguments);
                }
                if let Some(value) = args.last() {
                    let value = match name {
                        "extend" | "update" => self.b.add_expr(Expr::Element(*value)),
                        _ => *value,
                    };
                    self.record_element(object, value);
                }
                None
            }
            _ => None,
        }
    }

    /// The class to whose parent `super()` or `super(Class, self)` refers.
    fn class_of_super_call(&mut self, arguments: Node<'_>) -> Option<DefId> {
        let innermost = self.enclosing_class()?;
        let Some(first) = children(arguments).into_iter().next() else {
            return Some(innermost);
        };
        let named = self.b.text(first);
        let named = self
            .frames
            .iter()
            .rev()
            .filter(|f| f.kind == FrameKind::Class)
            .filter_map(|f| f.def)
            .find(|d| {
                let facts = self.b.facts();
                facts.name(facts.def(*d).name) == named
            });
        match (named, self.b.text(first)) {
            (Some(class), _) => Some(class),
            (None, "type(self)" | "self.__class__" | "cls" | "__class__") => Some(innermost),
            _ => None,
        }
    }

    fn arguments(&mut self, node: Node<'_>, callee: &str) -> Vec<ExprId> {
        let mut args = Vec::new();
        let mut cursor = node.walk();
        for (i, child) in node.named_children(&mut cursor).enumerate() {
            if child.kind_name() == "comment" {
                continue;
            }
            // The type argument of a cast is recorded as a type.
            let arg = match (callee, i) {
                ("cast", 0) => self.without_references(|w| w.expr(child)),
                _ => self.expr(child),
            };
            args.push(arg);
        }
        args
    }

    fn keyword_argument(&mut self, node: Node<'_>) -> ExprId {
        let (Some(name), Some(value)) = (node.field("name"), node.field("value")) else {
            self.walk_children(node);
            return self.unknown_expr();
        };
        let name = self.b.intern_node_text(name);
        let value = self.expr(value);
        self.b.add_expr(Expr::Keyword(name, value))
    }

    fn string(&mut self, node: Node<'_>) -> ExprId {
        let mut bytes = false;
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match child.kind_name() {
                "string_start" => bytes = self.b.text(child).contains(['b', 'B']),
                "interpolation" => self.walk_children(child),
                _ => {}
            }
        }
        if bytes {
            self.literal_expr(Primitive::Bytes)
        } else {
            self.literal_expr(Primitive::String)
        }
    }

    fn subscript(&mut self, node: Node<'_>) -> ExprId {
        let Some(value) = node.field("value") else {
            self.walk_children(node);
            return self.unknown_expr();
        };
        let object = self.expr(value);
        let mut cursor = node.walk();
        let mut slice = false;
        let mut indexes = Vec::new();
        for index in node.fields("subscript", &mut cursor) {
            slice |= index.kind_name() == "slice";
            let value = self.expr(index);
            // A literal key is stored with its text.
            let key = match index.kind_name() {
                "string" => self.plain_string_text(index),
                "integer" => Some(self.b.text(index)),
                _ => None,
            };
            indexes.push(match key {
                Some(text) => {
                    let name = self.b.intern_name(text);
                    self.b.add_expr(Expr::Keyword(name, value))
                }
                None => value,
            });
        }
        let index = match indexes.as_slice() {
            [one] => *one,
            _ => self.b.add_expr(Expr::Tuple(indexes.into())),
        };
        if slice {
            // A slice of a sequence has the type of the sequence.
            self.b.add_expr(Expr::Operation(object, index))
        } else {
            self.b.add_expr(Expr::Index { object, index })
        }
    }

    /// Long sums nest to the left, so they are read in a loop.
    fn binary(&mut self, node: Node<'_>) -> ExprId {
        let mut rights = Vec::new();
        let mut left = node;
        while left.kind_name() == "binary_operator" {
            rights.push(left.field("right"));
            match left.field("left") {
                Some(next) => left = next,
                None => break,
            }
        }
        let mut value = match left.kind_name() {
            "binary_operator" => self.unknown_expr(),
            _ => self.expr(left),
        };
        for right in rights.into_iter().rev().flatten() {
            let right = self.expr(right);
            value = self.b.add_expr(Expr::Operation(value, right));
        }
        value
    }

    fn visit_boolean_operator(&mut self, node: Node<'_>) -> ExprId {
        let (Some(left), Some(right)) = (node.field("left"), node.field("right")) else {
            self.walk_children(node);
            return self.unknown_expr();
        };
        let first = self.expr(left);
        let checks = self.type_checks(left);
        let holds = if is_and(node) {
            &checks.when_true
        } else {
            &checks.when_false
        };
        let second = self.visit_skippable(right, holds);
        self.either_expr(&[first, second])
    }

    fn conditional_expression(&mut self, node: Node<'_>) -> ExprId {
        let parts = children(node);
        let [then, condition, otherwise] = parts.as_slice() else {
            self.walk_children(node);
            return self.unknown_expr();
        };
        let checks = self.type_checks(*condition);
        let first = self.visit_skippable(*then, &checks.when_true);
        self.expr(*condition);
        let second = self.visit_skippable(*otherwise, &checks.when_false);
        self.either_expr(&[first, second])
    }

    /// A dictionary, by its first key and its possible values.
    fn dictionary(&mut self, node: Node<'_>) -> ExprId {
        let mut first_key = None;
        let mut values = Vec::new();
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            let (Some(key), Some(value)) = (child.field("key"), child.field("value")) else {
                if child.kind_name() != "comment" {
                    self.expr(child);
                }
                continue;
            };
            let key = self.expr(key);
            let value = self.expr(value);
            first_key.get_or_insert(key);
            if values.len() <= super::MAX_VALUES && !values.contains(&value) {
                values.push(value);
            }
        }
        let entry = first_key.map(|key| (key, self.either_expr(&values)));
        self.b.add_expr(Expr::Dict(entry))
    }

    fn comprehension(&mut self, node: Node<'_>) -> ExprId {
        let mark = self.branch_start();
        let known = self.walruses.len();
        let result = self.visit_comprehension(node);
        if self.walruses.len() != known {
            // There may be no element for which a condition is evaluated.
            let evaluated = self.rollback_branch(mark, true);
            let ways = [Branch::empty(), evaluated];
            self.join_branches(&ways, node.end_byte() as u32);
        }
        result
    }

    fn visit_comprehension(&mut self, node: Node<'_>) -> ExprId {
        // The first iterable belongs to the outer scope.
        let parts = children(node);
        let clauses: Vec<Node<'_>> = parts
            .iter()
            .copied()
            .filter(|c| c.kind_name() == "for_in_clause" || c.kind_name() == "if_clause")
            .collect();
        let mut first = None;
        if let Some(clause) = clauses.first() {
            first = Some(self.visit_iterable(*clause));
        }
        self.b.open_scope(ScopeKind::Block, None);
        for clause in clauses {
            if clause.kind_name() == "if_clause" {
                self.walk_children(clause);
                continue;
            }
            let iterated = match first.take() {
                Some(iterated) => iterated,
                None => self.visit_iterable(clause),
            };
            let element = self.b.add_expr(Expr::Element(iterated));
            if let Some(left) = clause.field("left") {
                self.bind_element(left, element);
            }
        }
        let body = node.field("body");
        let result = match body {
            Some(body) if body.kind_name() == "pair" => {
                let key = body.field("key").map(|k| self.expr(k));
                let value = body.field("value").map(|v| self.expr(v));
                self.b.add_expr(Expr::Dict(key.zip(value)))
            }
            Some(body) => {
                let value = self.expr(body);
                self.b.add_expr(Expr::List(Box::new([value])))
            }
            None => self.unknown_expr(),
        };
        self.b.close_scope();
        result
    }

    fn visit_iterable(&mut self, clause: Node<'_>) -> ExprId {
        let mut cursor = clause.walk();
        let parts: Vec<ExprId> = clause
            .fields("right", &mut cursor)
            .map(|right| self.expr(right))
            .collect();
        match parts.as_slice() {
            [one] => *one,
            _ => self.b.add_expr(Expr::Tuple(parts.into())),
        }
    }

    /// Binds the variables of a comprehension in its own scope.
    fn bind_element(&mut self, target: Node<'_>, value: ExprId) {
        match target.kind_name() {
            "identifier" => {
                let name = self.b.intern_node_text(target);
                self.b.bind(
                    name,
                    Namespace::VALUE,
                    Bound::Local {
                        ty: None,
                        value: Some(value),
                    },
                );
            }
            "pattern_list" | "tuple_pattern" | "list_pattern" => {
                for (i, part) in children(target).into_iter().enumerate() {
                    let value = self.b.add_expr(Expr::Part(value, i as u32));
                    self.bind_element(part, value);
                }
            }
            _ => {
                self.expr(target);
            }
        }
    }

    fn yield_expr(&mut self, node: Node<'_>) -> ExprId {
        let from = node.child(1).is_some_and(|c| c.kind_name() == "from");
        let mut value = self.visit_only_child(node);
        if from {
            value = self.b.add_expr(Expr::Element(value));
        }
        let frame = self.current_frame();
        frame.generator = true;
        frame.yields.push(value);
        self.unknown_expr()
    }

    /// A dotted name of a pattern as an expression.
    pub(super) fn add_dotted_expr(&mut self, node: Node<'_>) -> ExprId {
        let mut expr = None;
        for part in children(node) {
            expr = Some(match expr {
                None => self.b.add_name_expr(part),
                Some(object) => {
                    let name = self.b.intern_node_text(part);
                    self.b.add_expr(Expr::Member { object, name })
                }
            });
        }
        expr.unwrap_or_else(|| self.unknown_expr())
    }

    /// Records references to a dotted name of a pattern.
    pub(super) fn add_dotted_reference(&mut self, node: Node<'_>) {
        let expr = self.add_dotted_expr(node);
        if let Some(last) = children(node).last()
            && !self.mute
        {
            self.b.add_reference(RefTarget::Expr(expr), *last);
        }
    }
}

/// Whether an expression may raise, apart from its parts. A name may: it may be unbound.
fn may_raise(node: Node<'_>) -> bool {
    !matches!(
        node.kind_name(),
        "integer"
            | "float"
            | "true"
            | "false"
            | "none"
            | "string"
            | "concatenated_string"
            | "lambda"
            | "named_expression"
            | "parenthesized_expression"
            | "ellipsis"
    )
}
