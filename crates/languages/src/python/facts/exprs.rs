//! Expressions: what they are made of, and the calls and mentions in them.

use super::flow::FrameKind;
use super::{Walker, children};
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Elements of a literal that are kept.
const MAX_ELEMENTS: usize = 16;

impl<'s> Walker<'_, 's> {
    /// Walks an expression and gives what is kept of it.
    pub(super) fn expr(&mut self, node: Node<'_>) -> ExprId {
        if !self.b.enter() {
            return self.unknown();
        }
        let expr = self.expr_inside(node);
        self.b.leave();
        expr
    }

    fn expr_inside(&mut self, node: Node<'_>) -> ExprId {
        match node.kind_name() {
            "identifier" => self.name_use(node),
            "attribute" => self.attribute(node, true),
            "call" => self.call(node, CallKind::Call),
            "string" => self.string(node),
            "concatenated_string" => {
                let mut first = None;
                for part in children(node) {
                    let part = self.expr(part);
                    first.get_or_insert(part);
                }
                first.unwrap_or_else(|| self.unknown())
            }
            "integer" => self.literal(Primitive::Int),
            "float" => self.literal(Primitive::Float),
            "true" | "false" => self.literal(Primitive::Bool),
            "none" => self.literal(Primitive::Null),
            "parenthesized_expression" | "unary_operator" => self.only_child(node),
            "subscript" => self.subscript(node),
            "binary_operator" => self.binary(node),
            "boolean_operator" => self.boolean(node),
            "comparison_operator" | "not_operator" => {
                self.walk_children(node);
                self.literal(Primitive::Bool)
            }
            "conditional_expression" => self.conditional_expression(node),
            "tuple" | "expression_list" | "pattern_list" | "tuple_pattern" => {
                let elements = self.elements(node, usize::MAX);
                self.b.expr(Expr::Tuple(elements))
            }
            "list" | "set" | "list_pattern" => {
                let elements = self.elements(node, MAX_ELEMENTS);
                self.b.expr(Expr::List(elements))
            }
            "dictionary" => self.dictionary(node),
            "list_comprehension"
            | "set_comprehension"
            | "generator_expression"
            | "dictionary_comprehension" => self.comprehension(node),
            "lambda" => {
                let def = self.lambda_def(node, node, None);
                self.b.expr(Expr::Function(def))
            }
            "await" => {
                let inner = self.only_child(node);
                self.b.expr(Expr::Await(inner))
            }
            "yield" => self.yield_expr(node),
            "named_expression" => self.walrus(node),
            "list_splat"
            | "dictionary_splat"
            | "list_splat_pattern"
            | "dictionary_splat_pattern" => {
                let inner = self.only_child(node);
                self.b.expr(Expr::Spread(inner))
            }
            "keyword_argument" => self.keyword_argument(node),
            "assignment" | "augmented_assignment" => self.assignment(node),
            "block" | "function_definition" | "class_definition" | "decorated_definition" => {
                self.block(node);
                self.unknown()
            }
            "comment" | "string_start" | "string_content" | "string_end" | "ellipsis" => {
                self.unknown()
            }
            _ => {
                self.walk_children(node);
                self.unknown()
            }
        }
    }

    fn only_child(&mut self, node: Node<'_>) -> ExprId {
        let mut last = None;
        for child in children(node) {
            last = Some(self.expr(child));
        }
        last.unwrap_or_else(|| self.unknown())
    }

    fn elements(&mut self, node: Node<'_>, most: usize) -> Box<[ExprId]> {
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

    fn name_use(&mut self, node: Node<'_>) -> ExprId {
        let expr = self.b.name_expr(node);
        self.mention_name(expr, node);
        expr
    }

    /// Records the mention of a name. A name of the module stays one where straight-line code rebinds it.
    fn mention_name(&mut self, expr: ExprId, node: Node<'_>) {
        if self.mute {
            return;
        }
        let mut target = expr;
        let frame = self.frame();
        if frame.kind == FrameKind::Module
            && let Expr::Name { name, at, .. } = *self.b.facts().expr(expr)
        {
            let cell = self.frame().cell(name);
            if cell.is_some_and(|c| matches!(c.bound, Bound::Local { .. })) {
                target = self.b.expr(Expr::Name {
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
            return self.unknown();
        };
        let object = self.expr(object);
        let name = self.b.node_name(attribute);
        let member = self.b.expr(Expr::Member { object, name });
        if mention && !self.mute {
            self.b.add_reference(RefTarget::Expr(member), attribute);
        }
        member
    }

    /// What is called: as an expression, but its last name is no mention.
    pub(super) fn callee(&mut self, node: Node<'_>) -> ExprId {
        if !self.b.enter() {
            return self.unknown();
        }
        let expr = match node.kind_name() {
            "identifier" => self.b.name_expr(node),
            "attribute" => self.attribute(node, false),
            "parenthesized_expression" => match node.named_child(0) {
                Some(inner) => self.callee(inner),
                None => self.unknown(),
            },
            _ => self.expr(node),
        };
        self.b.leave();
        expr
    }

    /// The node whose place stands for a call of `callee`.
    pub(super) fn called_name<'t>(&self, callee: Node<'t>) -> Node<'t> {
        let mut node = callee;
        loop {
            let next = match node.kind_name() {
                "attribute" => node.field("attribute"),
                "subscript" => node.field("value"),
                "parenthesized_expression" => node.named_child(0),
                // The place of the inner call is taken by it: the outer one's is its bracket.
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
            return self.unknown();
        };
        let name = match function.kind_name() {
            "identifier" => self.b.text(function),
            "attribute" => function.field("attribute").map_or("", |a| self.b.text(a)),
            _ => "",
        };
        let callee = self.callee(function);
        let args = match arguments.kind_name() {
            "generator_expression" => vec![self.expr(arguments)],
            _ => self.arguments(arguments, name),
        };
        let literals: Vec<DefId> = args.iter().filter_map(|a| self.function_of(*a)).collect();
        let argc = args.len();
        let call = self.b.expr(Expr::Call {
            callee,
            args: args.clone().into(),
            type_args: Box::default(),
        });
        for def in literals {
            let at = args.iter().position(|a| self.function_of(*a) == Some(def));
            if let Some(callable) = &mut self.b.def_mut(def).callable {
                callable.argument_of = at.map(|at| (call, at as u32));
            }
        }
        let name_node = self.called_name(function);
        self.b.add_call(call, kind, argc, name_node);
        self.special_call(name, function, arguments, &args)
            .unwrap_or(call)
    }

    fn function_of(&self, arg: ExprId) -> Option<DefId> {
        match *self.b.facts().expr(arg) {
            Expr::Function(def) => Some(def),
            Expr::Keyword(_, value) => match *self.b.facts().expr(value) {
                Expr::Function(def) => Some(def),
                _ => None,
            },
            _ => None,
        }
    }

    /// Calls that mean more than a call.
    fn special_call(
        &mut self,
        name: &str,
        function: Node<'_>,
        arguments: Node<'_>,
        args: &[ExprId],
    ) -> Option<ExprId> {
        match name {
            "super" if function.kind_name() == "identifier" => {
                let class = self.super_class(arguments)?;
                Some(self.b.expr(Expr::Super(class)))
            }
            "cast" if args.len() == 2 => {
                let written = children(arguments).into_iter().next()?;
                let ty = self.annotation(written)?;
                Some(self.b.expr(Expr::Cast(args[1], ty)))
            }
            "import_module" | "__import__" => {
                self.dynamic_import(function, arguments);
                None
            }
            "extend" | "append" if self.frames.len() == 1 => {
                let object = function.field("object")?;
                if self.b.text(object) == "__all__" {
                    self.export_names(arguments);
                }
                None
            }
            _ => None,
        }
    }

    /// The class whose parent `super()` or `super(Class, self)` means.
    fn super_class(&mut self, arguments: Node<'_>) -> Option<DefId> {
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
            // The type of a cast is recorded as a type.
            let arg = match (callee, i) {
                ("cast", 0) => self.muted(|w| w.expr(child)),
                _ => self.expr(child),
            };
            args.push(arg);
        }
        args
    }

    fn keyword_argument(&mut self, node: Node<'_>) -> ExprId {
        let (Some(name), Some(value)) = (node.field("name"), node.field("value")) else {
            self.walk_children(node);
            return self.unknown();
        };
        let name = self.b.node_name(name);
        let value = self.expr(value);
        self.b.expr(Expr::Keyword(name, value))
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
            self.literal(Primitive::Bytes)
        } else {
            self.literal(Primitive::String)
        }
    }

    fn subscript(&mut self, node: Node<'_>) -> ExprId {
        let Some(value) = node.field("value") else {
            self.walk_children(node);
            return self.unknown();
        };
        let object = self.expr(value);
        let mut cursor = node.walk();
        let mut slice = false;
        let mut indexes = Vec::new();
        for index in node.fields("subscript", &mut cursor) {
            slice |= index.kind_name() == "slice";
            let value = self.expr(index);
            // A literal key is kept with its text.
            let key = match index.kind_name() {
                "string" => self.string_text(index),
                "integer" => Some(self.b.text(index)),
                _ => None,
            };
            indexes.push(match key {
                Some(text) => {
                    let name = self.b.name(text);
                    self.b.expr(Expr::Keyword(name, value))
                }
                None => value,
            });
        }
        let index = match indexes.as_slice() {
            [one] => *one,
            _ => self.b.expr(Expr::Tuple(indexes.into())),
        };
        if slice {
            // A part of a sequence is such a sequence.
            self.b.expr(Expr::Operation(object, index))
        } else {
            self.b.expr(Expr::Index { object, index })
        }
    }

    /// Long sums nest to the left: goes down in a loop.
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
            "binary_operator" => self.unknown(),
            _ => self.expr(left),
        };
        for right in rights.into_iter().rev().flatten() {
            let right = self.expr(right);
            value = self.b.expr(Expr::Operation(value, right));
        }
        value
    }

    fn boolean(&mut self, node: Node<'_>) -> ExprId {
        let (Some(left), Some(right)) = (node.field("left"), node.field("right")) else {
            self.walk_children(node);
            return self.unknown();
        };
        let first = self.expr(left);
        let checks = self.checks(left);
        let and = node
            .field("operator")
            .is_some_and(|o| o.kind_name() == "and");
        let mark = self.mark();
        self.apply(
            if and { &checks.holds } else { &checks.fails },
            left.end_byte() as u32,
        );
        let second = self.expr(right);
        self.widen(mark, node.end_byte() as u32);
        self.either(&[first, second])
    }

    fn conditional_expression(&mut self, node: Node<'_>) -> ExprId {
        let parts = children(node);
        let [then, condition, otherwise] = parts.as_slice() else {
            self.walk_children(node);
            return self.unknown();
        };
        let checks = self.checks(*condition);
        let mark = self.mark();
        self.apply(&checks.holds, then.start_byte() as u32);
        let first = self.expr(*then);
        self.widen(mark, then.end_byte() as u32);
        self.expr(*condition);
        let mark = self.mark();
        self.apply(&checks.fails, otherwise.start_byte() as u32);
        let second = self.expr(*otherwise);
        self.widen(mark, otherwise.end_byte() as u32);
        self.either(&[first, second])
    }

    /// A dictionary by its first key and what its values may be.
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
            if values.len() < super::MAX_VALUES && !values.contains(&value) {
                values.push(value);
            }
        }
        let entry = first_key.map(|key| (key, self.either(&values)));
        self.b.expr(Expr::Dict(entry))
    }

    fn comprehension(&mut self, node: Node<'_>) -> ExprId {
        // The first iterable belongs to the scope outside.
        let parts = children(node);
        let clauses: Vec<Node<'_>> = parts
            .iter()
            .copied()
            .filter(|c| c.kind_name() == "for_in_clause" || c.kind_name() == "if_clause")
            .collect();
        let mut first = None;
        if let Some(clause) = clauses.first() {
            first = Some(self.iterable(*clause));
        }
        self.b.open_scope(ScopeKind::Block, None);
        for clause in clauses {
            if clause.kind_name() == "if_clause" {
                self.walk_children(clause);
                continue;
            }
            let iterated = match first.take() {
                Some(iterated) => iterated,
                None => self.iterable(clause),
            };
            let element = self.b.expr(Expr::Element(iterated));
            if let Some(left) = clause.field("left") {
                self.bind_element(left, element);
            }
        }
        let body = node.field("body");
        let result = match body {
            Some(body) if body.kind_name() == "pair" => {
                let key = body.field("key").map(|k| self.expr(k));
                let value = body.field("value").map(|v| self.expr(v));
                self.b.expr(Expr::Dict(key.zip(value)))
            }
            Some(body) => {
                let value = self.expr(body);
                self.b.expr(Expr::List(Box::new([value])))
            }
            None => self.unknown(),
        };
        self.b.close_scope();
        result
    }

    fn iterable(&mut self, clause: Node<'_>) -> ExprId {
        let mut cursor = clause.walk();
        let parts: Vec<ExprId> = clause
            .fields("right", &mut cursor)
            .map(|right| self.expr(right))
            .collect();
        match parts.as_slice() {
            [one] => *one,
            _ => self.b.expr(Expr::Tuple(parts.into())),
        }
    }

    /// Binds the variables of a comprehension in its own scope.
    fn bind_element(&mut self, target: Node<'_>, value: ExprId) {
        match target.kind_name() {
            "identifier" => {
                let name = self.b.node_name(target);
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
                    let value = self.b.expr(Expr::Part(value, i as u32));
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
        let mut value = self.only_child(node);
        if from {
            value = self.b.expr(Expr::Element(value));
        }
        let frame = self.frame();
        frame.generator = true;
        frame.yields.push(value);
        self.unknown()
    }

    fn walrus(&mut self, node: Node<'_>) -> ExprId {
        let (Some(name), Some(value)) = (node.field("name"), node.field("value")) else {
            self.walk_children(node);
            return self.unknown();
        };
        let value = self.expr(value);
        self.bind_pattern(name, value, node.end_byte() as u32);
        value
    }

    /// A dotted name of a pattern as an expression.
    pub(super) fn dotted_expr(&mut self, node: Node<'_>) -> ExprId {
        let mut expr = None;
        for part in children(node) {
            expr = Some(match expr {
                None => self.b.name_expr(part),
                Some(object) => {
                    let name = self.b.node_name(part);
                    self.b.expr(Expr::Member { object, name })
                }
            });
        }
        expr.unwrap_or_else(|| self.unknown())
    }

    /// Mentions what a dotted name of a pattern names.
    pub(super) fn mention_dotted(&mut self, node: Node<'_>) {
        let expr = self.dotted_expr(node);
        if let Some(last) = children(node).last()
            && !self.mute
        {
            self.b.add_reference(RefTarget::Expr(expr), *last);
        }
    }
}
