//! Expressions.

use super::{Walker, children, first_child};
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Most elements of an array that are kept.
const MOST_ELEMENTS: usize = 64;

impl Walker<'_, '_> {
    /// Reads an expression or a statement; returns its value.
    pub(super) fn expr(&mut self, node: Node<'_>) -> ExprId {
        if !self.b.enter_level() {
            return self.unknown;
        }
        let found = self.expr_inside(node);
        self.b.leave_level();
        found
    }

    fn expr_inside(&mut self, node: Node<'_>) -> ExprId {
        match node.kind_name() {
            "identifier" => self.identifier(node),
            "instance_variable" | "class_variable" | "global_variable" => self.field_mention(node),
            "constant" | "scope_resolution" => self.constant(node),
            "self" => self.self_expr(),
            "super" => self.bare_super(node),
            "call" => self.call(node),
            "assignment" => self.assignment(node),
            "operator_assignment" => self.operator_assignment(node),
            "element_reference" => self.element(node),
            "binary" => self.binary(node),
            "unary" => self.unary(node),
            "method" | "singleton_method" => self.method(node),
            "class" | "module" => self.class(node),
            "singleton_class" => self.singleton_class(node),
            "lambda" => self.lambda(node),
            "array" => self.array(node),
            "hash" => self.hash(node),
            "alias" => self.alias(node),
            "undef" | "comment" | "uninterpreted" => self.unknown,
            "return" | "next" | "break" | "redo" | "retry" | "yield" => self.jump(node),
            "parenthesized_statements"
            | "then"
            | "block_body"
            | "begin_block"
            | "end_block"
            | "interpolation"
            | "program" => self.statements(node),
            "begin" | "body_statement" => self.body(node),
            kind => match self.branching(node, kind) {
                Some(value) => value,
                None => self.literal(node, kind),
            },
        }
    }

    fn literal(&mut self, node: Node<'_>, kind: &str) -> ExprId {
        let primitive = match kind {
            "string" | "chained_string" | "subshell" | "heredoc_beginning" | "character" => {
                self.children_of(node);
                Primitive::String
            }
            "simple_symbol" | "hash_key_symbol" => Primitive::Char,
            "delimited_symbol" => {
                self.children_of(node);
                Primitive::Char
            }
            "regex" => {
                self.children_of(node);
                Primitive::Regex
            }
            "integer" => Primitive::Int,
            "float" => Primitive::Float,
            "true" | "false" => Primitive::Bool,
            "nil" => Primitive::Null,
            "line" => Primitive::Int,
            "file" => Primitive::String,
            "string_array" | "symbol_array" => return self.words(node, kind),
            "range" => {
                self.children_of(node);
                return self.type_by_name("Range");
            }
            _ => {
                // A part of a damaged source may be any statement.
                if kind == "ERROR" {
                    return self.statements(node);
                }
                self.children_of(node);
                return self.unknown;
            }
        };
        self.b.add_expr(Expr::Literal(primitive))
    }

    fn words(&mut self, node: Node<'_>, kind: &str) -> ExprId {
        self.children_of(node);
        let element = match kind {
            "string_array" => Primitive::String,
            _ => Primitive::Char,
        };
        let element = self.b.add_expr(Expr::Literal(element));
        self.b.add_expr(Expr::List(Box::from([element])))
    }

    /// A local variable, or a call without arguments.
    fn identifier(&mut self, node: Node<'_>) -> ExprId {
        let text = self.b.text(node);
        let known = self.b.find_name(text);
        if let Some(value) = known.and_then(|name| self.variable(name)) {
            return value;
        }
        match text {
            "block_given?" | "__method__" | "binding" => self.unknown,
            _ => self.self_call(node),
        }
    }

    fn field_mention(&mut self, node: Node<'_>) -> ExprId {
        let field = self.field(node, None);
        self.b.add_reference(RefTarget::Expr(field), node);
        field
    }

    /// A constant, with the classes around it.
    pub(super) fn constant(&mut self, node: Node<'_>) -> ExprId {
        let (found, name) = self.constant_path(node);
        if let Some(name) = name {
            self.b.add_reference(RefTarget::Expr(found), name);
        }
        found
    }

    /// A constant without a mention of it.
    fn constant_path<'t>(&mut self, node: Node<'t>) -> (ExprId, Option<Node<'t>>) {
        if node.kind_name() == "constant" {
            let name = self.b.intern_node_text(node);
            let scope = self.constant_scope();
            return (
                self.b.add_expr(Expr::Name { name, scope, at: 0 }),
                Some(node),
            );
        }
        let Some(name_node) = node.field("name") else {
            self.children_of(node);
            return (self.unknown, None);
        };
        let name = self.b.intern_node_text(name_node);
        let found = match node.field("scope") {
            Some(outer) => {
                let object = self.expr(outer);
                self.b.add_expr(Expr::Scoped { object, name })
            }
            None => self.b.add_expr(Expr::Name {
                name,
                scope: FILE_SCOPE,
                at: 0,
            }),
        };
        (found, Some(name_node))
    }

    fn array(&mut self, node: Node<'_>) -> ExprId {
        let mut values = Vec::new();
        for item in children(node) {
            let value = self.argument_value(item);
            if values.len() < MOST_ELEMENTS {
                values.push(value);
            }
        }
        self.b.add_expr(Expr::List(values.into()))
    }

    fn hash(&mut self, node: Node<'_>) -> ExprId {
        let mut keys = Vec::new();
        let mut values = Vec::new();
        for item in children(node) {
            if item.kind_name() != "pair" {
                self.argument_value(item);
                continue;
            }
            let key = self.expr_or_unknown(item.field("key"));
            let value = self.pair_value(item);
            if values.len() < MOST_ELEMENTS {
                keys.push(key);
                values.push(value);
            }
        }
        if values.is_empty() {
            return self.b.add_expr(Expr::Dict(None));
        }
        let key = keys.first().copied().unwrap_or(self.unknown);
        let value = self.all_of(values);
        self.b.add_expr(Expr::Dict(Some((key, value))))
    }

    /// Any of many values.
    fn all_of(&mut self, values: Vec<ExprId>) -> ExprId {
        match values[..] {
            [one] => one,
            _ => self.b.add_expr(Expr::Either(values.into())),
        }
    }

    /// The value of a pair; `key:` alone means the variable or method of that name.
    pub(super) fn pair_value(&mut self, pair: Node<'_>) -> ExprId {
        if let Some(value) = pair.field("value") {
            return self.expr(value);
        }
        match pair.field("key") {
            Some(key) if key.kind_name() == "hash_key_symbol" => {
                let known = self.b.find_name(self.b.text(key));
                match known.and_then(|name| self.variable(name)) {
                    Some(value) => value,
                    None => self.self_call(key),
                }
            }
            _ => self.unknown,
        }
    }

    /// A value in a list of arguments or elements.
    pub(super) fn argument_value(&mut self, item: Node<'_>) -> ExprId {
        match item.kind_name() {
            "splat_argument" => {
                let inner = first_child(item);
                let inner = self.expr_or_unknown(inner);
                self.b.add_expr(Expr::Element(inner))
            }
            "pair" => {
                if let Some(key) = item
                    .field("key")
                    .filter(|k| k.kind_name() != "hash_key_symbol")
                {
                    self.expr(key);
                }
                self.pair_value(item)
            }
            "hash_splat_argument" | "block_argument" => {
                self.children_of(item);
                self.unknown
            }
            _ => self.expr(item),
        }
    }

    fn binary(&mut self, node: Node<'_>) -> ExprId {
        let (spine, first) = syntax::fields::left_spine(node);
        let mut left = self.expr_or_unknown(first);
        let mut left_node = first;
        for part in spine.into_iter().rev() {
            left = self.binary_part(part, left, left_node);
            left_node = Some(part);
        }
        left
    }

    /// One operator, with the value on its left.
    fn binary_part(&mut self, node: Node<'_>, left: ExprId, left_node: Option<Node<'_>>) -> ExprId {
        let Some(operator) = node.field("operator") else {
            self.children_of(node);
            return self.unknown;
        };
        let word = self.b.text(operator);
        if matches!(word, "&&" | "and" | "||" | "or") {
            let is_and = matches!(word, "&&" | "and");
            let found = left_node.map(|left| self.checks(left)).unwrap_or_default();
            let holds = if is_and {
                found.when_true
            } else {
                found.when_false
            };
            let mark = self.mark();
            self.narrow(&holds);
            let right = self.expr_or_unknown(node.field("right"));
            let mut run = self.end_branch(mark);
            self.drop_checks(&mut run, &holds);
            // `x or return` goes on where the left side holds.
            self.join(&[run, super::flow::Branch::empty()]);
            if is_and {
                return right;
            }
            return self.b.add_expr(Expr::Either(Box::from([left, right])));
        }
        let right = self.expr_or_unknown(node.field("right"));
        let name = match word {
            "!=" => "==",
            "!~" => "=~",
            other => other,
        };
        let name = self.b.intern_owned_name(name);
        let callee = self.b.add_expr(Expr::Member { object: left, name });
        let call = self.b.add_expr(Expr::Call {
            callee,
            args: Box::from([right]),
            type_args: Box::default(),
        });
        self.b.add_call(call, CallKind::Operator, 1, operator);
        match word {
            "==" | "!=" | "<" | ">" | "<=" | ">=" | "!~" | "===" => {
                self.b.add_expr(Expr::Literal(Primitive::Bool))
            }
            _ => call,
        }
    }

    fn unary(&mut self, node: Node<'_>) -> ExprId {
        let operator = node.field("operator");
        let value = self.expr_or_unknown(node.field("operand"));
        let name = match operator.map_or("", |o| self.b.text(o)) {
            "-" => "-@",
            "+" => "+@",
            "~" => "~",
            _ => return self.b.add_expr(Expr::Literal(Primitive::Bool)),
        };
        let name = self.b.intern_owned_name(name);
        let callee = self.b.add_expr(Expr::Member {
            object: value,
            name,
        });
        let call = self.b.add_expr(Expr::Call {
            callee,
            args: Box::default(),
            type_args: Box::default(),
        });
        if let Some(operator) = operator {
            self.b.add_call(call, CallKind::Operator, 0, operator);
        }
        call
    }

    /// `object[index]`.
    fn element(&mut self, node: Node<'_>) -> ExprId {
        let object_node = node.field("object");
        let object = self.expr_or_unknown(object_node);
        let mut args = Vec::new();
        for item in children(node) {
            if Some(item) != object_node && Some(item) != node.field("block") {
                args.push(self.argument_value(item));
            }
        }
        self.element_call(node, object, "[]", args)
    }

    /// A call of `[]` or `[]=`.
    pub(super) fn element_call(
        &mut self,
        node: Node<'_>,
        object: ExprId,
        name: &str,
        args: Vec<ExprId>,
    ) -> ExprId {
        let name = self.b.intern_owned_name(name);
        let count = args.len();
        let callee = self.b.add_expr(Expr::Member { object, name });
        let call = self.b.add_expr(Expr::Call {
            callee,
            args: args.into(),
            type_args: Box::default(),
        });
        let mut cursor = node.walk();
        let bracket = node.children(&mut cursor).find(|c| c.kind() == "[");
        self.b
            .add_call(call, CallKind::Operator, count, bracket.unwrap_or(node));
        call
    }
}
