//! Expressions: names, members, calls, operators, and the sites that they make.

use super::defs::{is_function_literal, strip_parens_and_casts};
use super::{DefName, ThisRef, Walker};
use base::SymbolKind;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

impl<'t> Walker<'_, '_, 't> {
    /// Reads an expression with all sites in it.
    pub(super) fn expr(&mut self, node: Node<'t>) -> ExprId {
        self.visit_expr_with(node, true)
    }

    /// Reads an expression whose outermost name is called or written and therefore not recorded as a reference.
    pub(super) fn visit_expr_unmentioned(&mut self, node: Node<'t>) -> ExprId {
        self.visit_expr_with(node, false)
    }

    fn visit_expr_with(&mut self, node: Node<'t>, mention: bool) -> ExprId {
        if !self.b.enter_level() {
            return self.unknown;
        }
        let id = self.expr_inner(node, mention);
        self.b.leave_level();
        id
    }

    fn expr_inner(&mut self, node: Node<'t>, mention: bool) -> ExprId {
        match node.kind_name() {
            "identifier" | "shorthand_property_identifier" => self.identifier(node, mention),
            "member_expression" | "nested_identifier" => self.member(node, mention),
            "call_expression" => self.call(node),
            "new_expression" => self.new_expression(node),
            "subscript_expression" => self.subscript(node),
            "this" => self.this_expr(node),
            "super" => match self.classes.last() {
                Some(class) => self.b.add_expr(Expr::Super(*class)),
                None => self.unknown,
            },
            "arrow_function" | "function_expression" | "generator_function" => {
                self.function_literal(node)
            }
            "class" => self.class_literal(node),
            "object" => self.visit_object(node, None),
            "array" => self.visit_array(node),
            "parenthesized_expression" => {
                let inner = self.only_child(node, mention);
                match self.type_from_doc_before(node) {
                    Some(ty) => self.b.add_expr(Expr::Cast(inner, ty)),
                    None => inner,
                }
            }
            "non_null_expression" => self.only_child(node, mention),
            "as_expression" | "satisfies_expression" | "instantiation_expression" => {
                self.cast(node, mention)
            }
            "type_assertion" => self.type_assertion(node),
            "await_expression" => {
                let inner = self.only_child(node, true);
                self.b.add_expr(Expr::Await(inner))
            }
            "yield_expression" => self.yield_expression(node),
            "assignment_expression" => self.visit_assignment(node),
            "augmented_assignment_expression" => self.visit_augmented_assignment(node),
            "update_expression" => {
                if let Some(argument) = node.field("argument") {
                    self.add_write(argument, None);
                }
                self.literal(Primitive::Int)
            }
            "binary_expression" => self.binary(node),
            "unary_expression" => self.unary(node),
            "ternary_expression" => self.ternary(node),
            "sequence_expression" => self.visit_sequence(node),
            "template_string" => {
                self.visit_template_substitutions(node);
                self.literal(Primitive::String)
            }
            "jsx_element" | "jsx_self_closing_element" | "jsx_fragment" => self.visit_jsx(node),
            "string" => self.literal(Primitive::String),
            "number" => {
                if self.b.text(node).contains('.') {
                    self.literal(Primitive::Float)
                } else {
                    self.literal(Primitive::Int)
                }
            }
            "true" | "false" => self.literal(Primitive::Bool),
            "null" | "undefined" => self.literal(Primitive::Null),
            "regex" => self.literal(Primitive::Regex),
            "spread_element" => {
                let inner = self.only_child(node, true);
                self.b.add_expr(Expr::Spread(inner))
            }
            "comment" | "meta_property" | "import" | "property_identifier" => self.unknown,
            "statement_block" => {
                self.statement(node);
                self.unknown
            }
            _ => self.visit_unknown(node),
        }
    }

    /// A node of unknown kind (including errors): everything in it is read.
    fn visit_unknown(&mut self, node: Node<'t>) -> ExprId {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            self.statement(child);
        }
        self.unknown
    }

    fn identifier(&mut self, node: Node<'t>, mention: bool) -> ExprId {
        let id = self.b.add_name_expr(node);
        if mention {
            self.b.add_reference(RefTarget::Expr(id), node);
        }
        id
    }

    fn member(&mut self, node: Node<'t>, mention: bool) -> ExprId {
        let (Some(object), Some(property)) = (node.field("object"), node.field("property")) else {
            return self.visit_unknown(node);
        };
        let object = self.expr(object);
        let name = self.b.intern_node_text(property);
        let id = self.b.add_expr(Expr::Member { object, name });
        if mention {
            self.b.add_reference(RefTarget::Expr(id), property);
        }
        id
    }

    fn subscript(&mut self, node: Node<'t>) -> ExprId {
        let object = match node.field("object") {
            Some(object) => self.expr(object),
            None => self.unknown,
        };
        let Some(index) = node.field("index") else {
            return self.unknown;
        };
        if index.kind_name() == "string" {
            let text = super::unquote(self.b.text(index));
            let name = self.b.intern_name(text);
            return self.b.add_expr(Expr::Member { object, name });
        }
        let mut value = self.expr(index);
        if index.kind_name() == "number" {
            // The number says which part of a tuple it is.
            let name = self.b.intern_node_text(index);
            value = self.b.add_expr(Expr::Keyword(name, value));
        }
        let index = value;
        self.b.add_expr(Expr::Index { object, index })
    }

    fn this_expr(&mut self, node: Node<'t>) -> ExprId {
        match self.this.last().copied().unwrap_or(ThisRef::None) {
            ThisRef::None => self.unknown,
            ThisRef::Instance(class) => self.b.add_expr(Expr::This(class)),
            ThisRef::Class(class) => self.b.add_expr(Expr::Function(class)),
            ThisRef::Param => self.b.add_name_expr(node),
        }
    }

    fn function_literal(&mut self, node: Node<'t>) -> ExprId {
        let own = node.field("name");
        let named = DefName {
            name: own.map(|n| self.b.intern_node_text(n)),
            at: own.unwrap_or(node),
            outer: node,
            kind: SymbolKind::Function,
            flags: own_name_flags(own),
        };
        let id = self.function(node, named, None);
        self.b.add_expr(Expr::Function(id))
    }

    fn class_literal(&mut self, node: Node<'t>) -> ExprId {
        let own = node.field("name");
        let named = DefName {
            name: own.map(|n| self.b.intern_node_text(n)),
            at: own.unwrap_or(node),
            outer: node,
            kind: SymbolKind::Class,
            flags: own_name_flags(own),
        };
        let id = self.visit_class(node, named);
        self.b.add_expr(Expr::Function(id))
    }

    /// The value of a definition that owns its contents: members of an object literal become its children.
    pub(super) fn visit_owned_value(&mut self, node: Node<'t>, owner: DefId) -> ExprId {
        let inner = strip_parens_and_casts(node);
        if inner.kind_name() == "object" && inner != node {
            return self.visit_owned_under_cast(node, owner);
        }
        match inner.kind_name() {
            "object" => self.visit_object(inner, Some(owner)),
            _ => self.expr(node),
        }
    }

    fn visit_owned_under_cast(&mut self, node: Node<'t>, owner: DefId) -> ExprId {
        if !self.b.enter_level() {
            return self.unknown;
        }
        let inner = match node.named_child(0) {
            Some(inner) => self.visit_owned_value(inner, owner),
            None => self.unknown,
        };
        let written = node
            .named_child(1)
            .filter(|_| node.kind_name() != "parenthesized_expression");
        let ty = written.map(|t| self.ty(t));
        self.b.leave_level();
        match ty {
            Some(ty) if node.kind_name() == "as_expression" => {
                self.b.add_expr(Expr::Cast(inner, ty))
            }
            _ => inner,
        }
    }

    /// The single expression in parentheses, `await`, `x!` and the like.
    fn only_child(&mut self, node: Node<'t>, mention: bool) -> ExprId {
        let mut cursor = node.walk();
        let inner = node
            .named_children(&mut cursor)
            .find(|c| c.kind_name() != "comment");
        match inner {
            Some(inner) => self.visit_expr_with(inner, mention),
            None => self.unknown,
        }
    }

    fn cast(&mut self, node: Node<'t>, mention: bool) -> ExprId {
        let mut cursor = node.walk();
        let mut parts = node
            .named_children(&mut cursor)
            .filter(|c| c.kind_name() != "comment");
        let (value, written) = (parts.next(), parts.next());
        let value = match value {
            Some(value) => self.visit_expr_with(value, mention),
            None => self.unknown,
        };
        let Some(written) = written else {
            return value;
        };
        let ty = self.ty(written);
        match node.kind_name() {
            "as_expression" => self.b.add_expr(Expr::Cast(value, ty)),
            _ => value,
        }
    }

    /// `<T>value`.
    fn type_assertion(&mut self, node: Node<'t>) -> ExprId {
        let ty = match node.named_child(0) {
            Some(arguments) => self.lower_type_args(arguments).first().copied(),
            None => None,
        };
        let value = match node.named_child(1) {
            Some(value) => self.expr(value),
            None => self.unknown,
        };
        match ty {
            Some(ty) => self.b.add_expr(Expr::Cast(value, ty)),
            None => value,
        }
    }

    fn yield_expression(&mut self, node: Node<'t>) -> ExprId {
        const MOST: usize = 4;
        let delegates = super::has_token(node, "*");
        let mut value = self.only_child(node, true);
        if delegates {
            value = self.b.add_expr(Expr::Element(value));
        }
        if let Some(frame) = self.frames.last_mut()
            && frame.yields.len() < MOST
        {
            frame.yields.push(value);
        }
        self.unknown
    }

    fn visit_augmented_assignment(&mut self, node: Node<'t>) -> ExprId {
        let right = node.field("right").map(|r| self.expr(r));
        let operator = node.field("operator").map(|o| o.kind_name());
        if let Some(left) = node.field("left") {
            let assigns = matches!(operator, Some("??=" | "||=" | "&&="));
            self.add_write(left, right.filter(|_| assigns));
        }
        right.unwrap_or(self.unknown)
    }

    fn binary(&mut self, node: Node<'t>) -> ExprId {
        let operator = node.field("operator").map_or("", |o| o.kind_name());
        let left_node = node.field("left");
        let left = left_node.map_or(self.unknown, |l| self.expr(l));
        let right_node = node.field("right");
        let right = match operator {
            "&&" => self.visit_narrowed_expr(left_node, true, right_node),
            "||" => self.visit_narrowed_expr(left_node, false, right_node),
            _ => right_node.map_or(self.unknown, |r| self.expr(r)),
        };
        match operator {
            "&&" => right,
            "||" | "??" => self.b.add_expr(Expr::Either(Box::new([left, right]))),
            "+" | "-" | "*" | "/" | "%" | "**" | "&" | "|" | "^" | "<<" | ">>" | ">>>" => {
                self.add_arithmetic(operator, left, right)
            }
            _ => self.literal(Primitive::Bool),
        }
    }

    fn add_arithmetic(&mut self, operator: &str, left: ExprId, right: ExprId) -> ExprId {
        let string = self.literal(Primitive::String);
        match operator {
            "+" if left == string || right == string => string,
            "+" => self.b.add_expr(Expr::Operation(left, right)),
            _ => self.literal(Primitive::Int),
        }
    }

    /// An expression that is evaluated only if `condition` is `truth`.
    fn visit_narrowed_expr(
        &mut self,
        condition: Option<Node<'t>>,
        truth: bool,
        node: Option<Node<'t>>,
    ) -> ExprId {
        let Some(node) = node else {
            return self.unknown;
        };
        let narrowed = self.narrowings_where(condition, truth);
        if narrowed.is_empty() {
            return self.expr(node);
        }
        let scope = self.b.open_scope(ScopeKind::Block, None);
        self.apply_narrowing(&narrowed, scope, 0);
        let id = self.expr(node);
        self.b.close_scope();
        id
    }

    fn unary(&mut self, node: Node<'t>) -> ExprId {
        let operator = node.field("operator").map_or("", |o| o.kind_name());
        let argument = node.field("argument");
        let value = match argument {
            Some(target) if operator == "delete" => {
                self.add_write(target, None);
                self.unknown
            }
            Some(argument) => self.expr(argument),
            None => self.unknown,
        };
        match operator {
            "!" | "delete" => self.literal(Primitive::Bool),
            "typeof" => self.literal(Primitive::String),
            "void" => self.literal(Primitive::Null),
            "-" | "+" | "~" => self.literal(Primitive::Int),
            _ => value,
        }
    }

    fn ternary(&mut self, node: Node<'t>) -> ExprId {
        let condition = node.field("condition");
        if let Some(condition) = condition {
            self.expr(condition);
        }
        let yes = self.visit_narrowed_expr(condition, true, node.field("consequence"));
        let no = self.visit_narrowed_expr(condition, false, node.field("alternative"));
        if yes == no {
            return yes;
        }
        self.b.add_expr(Expr::Either(Box::new([yes, no])))
    }

    fn visit_sequence(&mut self, node: Node<'t>) -> ExprId {
        let mut last = self.unknown;
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if child.kind_name() != "comment" {
                last = self.expr(child);
            }
        }
        last
    }

    /// The expressions in a template string.
    fn visit_template_substitutions(&mut self, node: Node<'t>) {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if child.kind_name() == "template_substitution" {
                self.expressions(child);
            }
        }
    }

    fn call(&mut self, node: Node<'t>) -> ExprId {
        let Some(function) = node.field("function") else {
            return self.visit_unknown(node);
        };
        if let Some(module) = self.visit_module_call(node, function) {
            return module;
        }
        let callee = self.visit_expr_unmentioned(function);
        let type_args = match node.field("type_arguments") {
            Some(list) => self.lower_type_args(list),
            None => Box::default(),
        };
        let args = self.arguments(node.field("arguments"));
        self.record_pushed(function, &args);
        let argc = args.len();
        let literals = self.literal_args(&args);
        let id = self.b.add_expr(Expr::Call {
            callee,
            args,
            type_args,
        });
        self.set_argument_of(id, &literals);
        if let Some(name) = self.called_name(function) {
            self.b.add_call(id, CallKind::Call, argc, name);
        }
        id
    }

    fn new_expression(&mut self, node: Node<'t>) -> ExprId {
        let Some(constructor) = node.field("constructor") else {
            return self.visit_unknown(node);
        };
        let class = self.visit_expr_unmentioned(constructor);
        let type_args = match node.field("type_arguments") {
            Some(list) => self.lower_type_args(list),
            None => Box::default(),
        };
        let args = self.arguments(node.field("arguments"));
        let argc = args.len();
        let literals = self.literal_args(&args);
        let id = self.b.add_expr(Expr::New {
            class,
            args,
            type_args,
        });
        self.set_argument_of(id, &literals);
        if let Some(name) = self.called_name(constructor) {
            self.b.add_call(id, CallKind::New, argc, name);
        }
        id
    }

    /// Arguments in parentheses, or a tagged template's substitutions after its strings.
    fn arguments(&mut self, node: Option<Node<'t>>) -> Box<[ExprId]> {
        let Some(node) = node else {
            return Box::default();
        };
        if node.kind_name() == "template_string" {
            self.visit_template_substitutions(node);
            return Box::default();
        }
        let mut args = Vec::new();
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if child.kind_name() != "comment" {
                let literal = self.literal_argument(child);
                args.push(literal.unwrap_or_else(|| self.expr(child)));
            }
        }
        args.into_boxed_slice()
    }

    /// The literals of functions and objects among arguments, with their positions.
    fn literal_args(&self, args: &[ExprId]) -> Vec<(ExprId, u32)> {
        let is_literal = |arg: &ExprId| {
            let expr = self.b.facts().expr(*arg);
            matches!(expr, Expr::Function(_) | Expr::Object(_))
        };
        let numbered = args.iter().zip(0..);
        let found = numbered.filter(|(arg, _)| is_literal(arg));
        found.map(|(arg, at)| (*arg, at)).collect()
    }

    /// Records in literals the call whose arguments they are.
    fn set_argument_of(&mut self, call: ExprId, literals: &[(ExprId, u32)]) {
        for (literal, at) in literals {
            match *self.b.facts().expr(*literal) {
                Expr::Function(def) => {
                    if let Some(callable) = self.b.def_mut(def).callable.as_mut() {
                        callable.argument_of = Some((call, *at));
                    }
                }
                _ if self.has_untyped_members(*literal) => {
                    let expected = self.b.add_expr(Expr::Expected(call, *at));
                    let ty = self.b.add_type(TypeExpr::TypeOf(expected));
                    self.set_expected_of_members(*literal, ty);
                }
                _ => {}
            }
        }
    }

    /// The name at which a compiler records the reference of a call; `None` for literals called at once.
    pub(super) fn called_name(&self, function: Node<'t>) -> Option<Node<'t>> {
        let function = strip_parens_and_casts(function);
        match function.kind_name() {
            "identifier" | "super" => Some(function),
            "member_expression" | "nested_identifier" => function.field("property"),
            "subscript_expression" => function.field("index"),
            "instantiation_expression" => self.called_name(function.named_child(0)?),
            "call_expression" => function.field("arguments"),
            _ if is_function_literal(function) => None,
            _ => Some(function),
        }
    }
}

/// Flags of a function or class expression, by whether it has a name of its own.
fn own_name_flags(own: Option<Node<'_>>) -> DefFlags {
    own.map_or(DefFlags::default(), |_| DefFlags::OWN_NAME)
}
