//! Expressions, calls, and `require`.

use super::tables::is_named;
use super::{Walker, non_comment_children};
use base::Visibility;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Most fields of a table constructor that are kept.
const MAX_FIELDS: usize = 256;

impl<'s> Walker<'_, 's> {
    /// The expressions of a list.
    pub(super) fn exprs(&mut self, list: Node<'_>) -> Vec<ExprId> {
        non_comment_children(list)
            .into_iter()
            .map(|e| self.visit_expr(e))
            .collect()
    }

    pub(super) fn visit_expr(&mut self, node: Node<'_>) -> ExprId {
        if !self.b.enter_level() {
            return self.b.add_expr(Expr::Unknown);
        }
        let made = self.expr_now(node, true);
        self.b.leave_level();
        made
    }

    /// An expression. If `mentions` is false, its own name is not a reference, since it is called or written.
    fn expr_now(&mut self, node: Node<'_>, mentions: bool) -> ExprId {
        match node.kind_name() {
            "identifier" => {
                let made = self.b.add_name_expr(node);
                if mentions {
                    self.b.add_reference(RefTarget::Expr(made), node);
                }
                made
            }
            "dot_index_expression" => self.visit_selector(node, "field", mentions),
            "method_index_expression" => self.visit_selector(node, "method", mentions),
            "bracket_index_expression" => self.index(node),
            "function_call" => self.call(node),
            "function_definition" => {
                let def = self.function_literal(node);
                self.b.add_expr(Expr::Function(def))
            }
            "parenthesized_expression" => match non_comment_children(node).first() {
                Some(inner) => self.visit_expr(*inner),
                None => self.b.add_expr(Expr::Unknown),
            },
            "table_constructor" => self.table(node),
            "binary_expression" => self.binary(node),
            "unary_expression" => self.unary(node),
            "string" => self.b.add_expr(Expr::Literal(Primitive::String)),
            "number" => self.b.add_expr(Expr::Literal(Primitive::Float)),
            "true" | "false" => self.b.add_expr(Expr::Literal(Primitive::Bool)),
            "nil" => self.b.add_expr(Expr::Literal(Primitive::Null)),
            _ => self.b.add_expr(Expr::Unknown),
        }
    }

    fn visit_selector(&mut self, node: Node<'_>, field: &'static str, mentions: bool) -> ExprId {
        let (Some(table), Some(name)) = (node.field("table"), node.field(field)) else {
            return self.b.add_expr(Expr::Unknown);
        };
        let object = self.visit_expr(table);
        let id = self.b.intern_node_text(name);
        let made = self.b.add_expr(Expr::Member { object, name: id });
        if mentions {
            self.b.add_reference(RefTarget::Expr(made), name);
        }
        made
    }

    fn index(&mut self, node: Node<'_>) -> ExprId {
        let (Some(table), Some(field)) = (node.field("table"), node.field("field")) else {
            return self.b.add_expr(Expr::Unknown);
        };
        let object = self.visit_expr(table);
        if let Some(text) = self.string_text(field) {
            let name = self.b.intern_name(text);
            return self.b.add_expr(Expr::Member { object, name });
        }
        let index = self.visit_expr(field);
        self.b.add_expr(Expr::Index { object, index })
    }

    fn call(&mut self, node: Node<'_>) -> ExprId {
        if self.required(node).is_some() {
            return self.required_value(node);
        }
        let Some(callee) = node.field("name") else {
            return self.b.add_expr(Expr::Unknown);
        };
        let called = if self.b.enter_level() {
            let made = self.expr_now(callee, false);
            self.b.leave_level();
            made
        } else {
            self.b.add_expr(Expr::Unknown)
        };
        let arguments = node
            .field("arguments")
            .map(non_comment_children)
            .unwrap_or_default();
        let args: Vec<ExprId> = arguments.into_iter().map(|a| self.visit_expr(a)).collect();
        let argc = args.len();
        let made = self.b.add_expr(Expr::Call {
            callee: called,
            args: args.into(),
            type_args: Box::default(),
        });
        let name = callee
            .field("field")
            .or_else(|| callee.field("method"))
            .unwrap_or(callee);
        self.b.add_call(made, CallKind::Call, argc, name);
        made
    }

    fn table(&mut self, node: Node<'_>) -> ExprId {
        let (mut named, mut listed) = (Vec::new(), Vec::new());
        for field in non_comment_children(node) {
            let value = match field.field("value") {
                Some(value) => self.visit_expr(value),
                None => continue,
            };
            match field.field("name") {
                Some(name) if is_named(field) => {
                    named.push((self.b.intern_node_text(name), value));
                }
                Some(key) => {
                    if let Some(text) = self.string_text(key) {
                        named.push((self.b.intern_name(text), value));
                    } else {
                        self.visit_expr(key);
                    }
                }
                None => listed.push(value),
            }
        }
        named.truncate(MAX_FIELDS);
        listed.truncate(MAX_FIELDS);
        if named.is_empty() && !listed.is_empty() {
            self.b.add_expr(Expr::List(listed.into()))
        } else {
            self.b.add_expr(Expr::Object(named.into()))
        }
    }

    fn binary(&mut self, node: Node<'_>) -> ExprId {
        let (Some(left), Some(right)) = (node.field("left"), node.field("right")) else {
            return self.b.add_expr(Expr::Unknown);
        };
        let operator = node.field("operator").map_or("", |o| o.kind());
        let (left, right) = (self.visit_expr(left), self.visit_expr(right));
        match operator {
            // `a and b` is `b` if `a` is true.
            "and" => right,
            "or" => self.b.add_expr(Expr::Either([left, right].into())),
            "==" | "~=" | "<" | ">" | "<=" | ">=" => {
                self.b.add_expr(Expr::Literal(Primitive::Bool))
            }
            ".." => self.b.add_expr(Expr::Literal(Primitive::String)),
            _ => self.b.add_expr(Expr::Operation(left, right)),
        }
    }

    fn unary(&mut self, node: Node<'_>) -> ExprId {
        let inner = node.field("operand").map(|o| self.visit_expr(o));
        match (node.field("operator").map(|o| o.kind()), inner) {
            (Some("not"), _) => self.b.add_expr(Expr::Literal(Primitive::Bool)),
            (Some("#"), _) => self.b.add_expr(Expr::Literal(Primitive::Int)),
            (_, Some(inner)) => inner,
            (_, None) => self.b.add_expr(Expr::Unknown),
        }
    }

    /// The target of an assignment that is not a definition.
    pub(super) fn written(&mut self, target: Node<'_>) {
        let made = self.expr_now(target, false);
        let is_path = matches!(
            self.b.facts().expr(made),
            Expr::Name { .. } | Expr::Member { .. }
        );
        if is_path {
            let name = target.field("field").unwrap_or(target);
            self.b.add_write(made, name);
        }
    }

    // ---- modules ----

    /// The module of `require "a.b"`, with a literal.
    pub(super) fn required(&self, node: Node<'_>) -> Option<&'s str> {
        let callee = node
            .field("name")
            .filter(|_| node.kind_name() == "function_call")?;
        if callee.kind_name() != "identifier" || self.b.text(callee) != "require" {
            return None;
        }
        let facts = self.b.facts();
        let here = Some(self.b.current_scope());
        let mut around = std::iter::successors(here, |s| facts.scope(*s).parent);
        if !self.own_require.is_empty() && around.any(|s| self.own_require.contains(&s)) {
            return None;
        }
        match non_comment_children(node.field("arguments")?).as_slice() {
            [one] => self.string_text(*one),
            _ => None,
        }
    }

    /// Records the import of a `require`.
    pub(super) fn import(&mut self, call: Node<'_>, local: Option<Node<'_>>) -> ImportId {
        let module = self.required(call).unwrap_or_default();
        let import = Import {
            module: self.b.intern_name(module),
            what: Imported::Module,
            local: local.map(|l| self.b.intern_node_text(l)),
            scope: self.b.current_scope(),
            owner: self.b.current_owner(),
            level: 0,
            type_only: false,
            unused: false,
            visibility: Visibility::Private,
            line: call.start_position().row as u32 + 1,
            condition: None,
        };
        self.b.add_import(import)
    }

    /// A `require` that is not assigned to a variable: a name that cannot be written in Lua stands for it.
    fn required_value(&mut self, call: Node<'_>) -> ExprId {
        let import = self.import(call, None);
        let text = format!("require {}", self.required(call).unwrap_or_default());
        let name = self.b.intern_owned_name(&text);
        let (scope, at) = (self.b.current_scope(), call.start_byte() as u32);
        self.b
            .bind_in(scope, name, Namespace::VALUE, at, Bound::Import(import));
        self.b.add_expr(Expr::Name { name, scope, at })
    }

    /// The text of a string without escapes.
    pub(super) fn string_text(&self, node: Node<'_>) -> Option<&'s str> {
        let content = node
            .field("content")
            .filter(|_| node.kind_name() == "string")?;
        non_comment_children(content)
            .is_empty()
            .then(|| self.b.text(content))
    }
}
