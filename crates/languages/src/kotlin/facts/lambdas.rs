//! Lambdas and anonymous functions.

use super::functions::{MAX_RETURNS, receiver_type};
use super::{Walker, code_children, is_type};
use base::{SymbolKind, Visibility};
use syntax::facts::*;
use syntax::fields::{Fields, child_of_kind};
use tree_sitter::Node;

impl<'s> Walker<'_, 's> {
    fn function_literal(&mut self, node: Node<'_>) -> DefId {
        let name = self.b.intern_owned_name("<anonymous>");
        let def = self.b.add_def(name, SymbolKind::Function, node, node);
        let it = self.b.def_mut(def);
        it.flags.set(DefFlags::ANONYMOUS);
        it.flags.set(DefFlags::LOCAL);
        it.visibility = Visibility::Private;
        def
    }

    /// A lambda. `label` is the name of the function that it is passed to.
    pub(super) fn lambda(&mut self, node: Node<'_>, label: &'s str) -> ExprId {
        let def = self.function_literal(node);
        let receiver = if label.is_empty() { "this" } else { label };
        self.b.open_def(def, ScopeKind::Function);
        let mut params = vec![Param {
            name: self.b.intern_name(receiver.trim_matches('`')),
            ty: None,
            default: None,
            kind: ParamKind::KeywordOnly,
        }];
        let mut parts = Vec::new();
        let list = child_of_kind(node, "lambda_parameters");
        match list {
            Some(list) => self.lambda_parameters(list, &mut params, &mut parts),
            None if super::word_child(node, "->").is_none() => params.push(Param {
                name: self.b.intern_name("it"),
                ty: None,
                default: None,
                kind: ParamKind::Optional,
            }),
            None => {}
        }
        for (param, n) in params.iter().zip(0..).skip(1) {
            let to = Bound::Param(def, n);
            self.b.bind(param.name, Namespace::VALUE, to);
        }
        self.b.def_mut(def).callable = Some(Box::new(Callable {
            params,
            ..Callable::default()
        }));
        for (name, list) in parts {
            let scope = self.b.current_scope();
            let at = list.start_byte() as u32;
            let value = self.b.add_expr(Expr::Name { name, scope, at });
            self.destructure(list, value, list.end_byte() as u32);
        }
        let handlers = self.push_frame(label, true);
        let value = self.block_contents(node);
        let mut returns = self.pop_frame(handlers);
        returns.push(value);
        returns.truncate(MAX_RETURNS);
        if let Some(callable) = &mut self.b.def_mut(def).callable {
            callable.returns = returns;
        }
        self.b.close_def();
        self.b.add_expr(Expr::Function(def))
    }

    fn lambda_parameters<'t>(
        &mut self,
        list: Node<'t>,
        params: &mut Vec<Param>,
        parts: &mut Vec<(NameId, Node<'t>)>,
    ) {
        for child in code_children(list) {
            let (name, ty) = match child.kind_name() {
                "variable_declaration" => {
                    self.annotations_in(child);
                    let Some(name) = child_of_kind(child, "identifier") else {
                        continue;
                    };
                    let ty = code_children(child).into_iter().find(|c| is_type(*c));
                    (self.name(name), ty.map(|ty| self.ty(ty)))
                }
                "multi_variable_declaration" => {
                    let name = format!("({})", params.len());
                    let name = self.b.intern_owned_name(&name);
                    parts.push((name, child));
                    (name, None)
                }
                _ => continue,
            };
            params.push(Param {
                name,
                ty,
                default: None,
                kind: ParamKind::Plain,
            });
        }
    }

    /// `fun(x: Int): Int { … }`.
    pub(super) fn anonymous_function(&mut self, node: Node<'_>) -> ExprId {
        let def = self.function_literal(node);
        self.b.open_def(def, ScopeKind::Function);
        let list = child_of_kind(node, "function_value_parameters");
        let receiver = list.and_then(|list| receiver_type(node, list));
        self.function_contents(def, node, receiver, "fun");
        self.b.close_def();
        self.b.add_expr(Expr::Function(def))
    }

    /// Function literals among the arguments, with their positions.
    pub(super) fn function_literals(&self, args: &[ExprId]) -> Vec<(DefId, u32)> {
        let facts = self.b.facts();
        let mut out = Vec::new();
        for (arg, i) in args.iter().zip(0..) {
            let mut value = *arg;
            if let Expr::Keyword(_, inner) | Expr::Borrowed(inner) = facts.expr(value) {
                value = *inner;
            }
            if let Expr::Function(def) = facts.expr(value) {
                out.push((*def, i));
            }
        }
        out
    }

    /// Notes the calls that say what function literals are.
    pub(super) fn expect_literals(&mut self, literals: Vec<(DefId, u32)>, call: ExprId) {
        for (def, position) in literals {
            let expected = self.b.add_expr(Expr::Expected(call, position));
            self.b.def_mut(def).value = Some(expected);
        }
    }

    /// Reads an expression for which a type is written.
    pub(super) fn expr_expecting(&mut self, node: Node<'_>, ty: Option<TypeId>) -> ExprId {
        let value = self.expr(node);
        if let (Expr::Function(def), Some(ty)) = (self.b.facts().expr(value), ty) {
            let def = *def;
            if self.b.facts().def(def).value.is_none() {
                let unknown = self.b.add_expr(Expr::Unknown);
                let expected = self.b.add_expr(Expr::Cast(unknown, ty));
                self.b.def_mut(def).value = Some(expected);
            }
        }
        value
    }
}
