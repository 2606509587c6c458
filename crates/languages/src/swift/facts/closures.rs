//! Closures.

use super::types::is_type;
use super::{
    ClosureFrame, Expected, FunctionFrame, RULES, Walker, children_of_kind, named_children,
};
use base::{SymbolKind, Visibility};
use syntax::facts::*;
use syntax::fields::{Fields, child_of_kind};
use tree_sitter::Node;

/// Maximum number of returned expressions that are kept.
const MAX_RETURNS: usize = 8;
/// Bytes of a closure that are searched for a dot.
const LONGEST_BODY: usize = 1_000;
/// Maximum number of parameters that a body may use by number.
const MOST_NUMBERED: u32 = 16;

impl<'s> Walker<'_, 's> {
    /// A closure. `expected` is the function type that its context gives it.
    pub(super) fn closure(&mut self, node: Node<'_>, expected: Expected) -> ExprId {
        let name = self.b.intern_name("<anonymous>");
        let def = self.b.add_def(name, SymbolKind::Function, node, node);
        let ty = match expected {
            Expected::Type(ty) => Some(ty),
            Expected::Like(_) => self.expected_type(expected),
            _ => None,
        };
        let result = self.closure_result(node, expected);
        let captures = child_of_kind(node, "captures");
        let captures = captures.or_else(|| child_of_kind(node, "capture_list"));
        let captured = captures.map(|list| self.captures(list)).unwrap_or_default();
        let it = self.b.def_mut(def);
        it.flags.set(DefFlags::ANONYMOUS);
        it.flags.set(DefFlags::LOCAL);
        it.visibility = Visibility::Private;
        it.ty = ty;
        self.b.open_def(def, ScopeKind::Function);
        for (name, value) in captured {
            let to = Bound::Local {
                ty: None,
                value: Some(value),
            };
            self.b.bind(name, Namespace::VALUE, to);
        }
        let header = child_of_kind(node, "lambda_function_type");
        let params = header.and_then(|h| child_of_kind(h, "lambda_function_type_parameters"));
        let mut params = params.map(|list| self.closure_params(def, list));
        let ret = header.and_then(|h| self.written_result(h));
        self.frames.push(FunctionFrame::Closure(ClosureFrame {
            returns: Vec::new(),
            expected: ret.map_or(result, Expected::Type),
            numbered: 0,
            has_params: params.is_some() || header.is_some(),
        }));
        let expected = ret.map_or(result, Expected::Type);
        let is_awaited = std::mem::replace(&mut self.is_awaited, false);
        let value = self.block_body(node, expected);
        self.is_awaited = is_awaited;
        let frame = match self.frames.pop() {
            Some(FunctionFrame::Closure(frame)) => frame,
            _ => return self.b.add_expr(Expr::Unknown),
        };
        if params.is_none() {
            params = Some(self.numbered_params(def, frame.numbered));
        }
        let mut returns = frame.returns;
        returns.extend(value);
        returns.truncate(MAX_RETURNS);
        self.b.close_def();
        self.b.def_mut(def).callable = Some(Box::new(Callable {
            params: params.unwrap_or_default(),
            ret,
            returns,
            ..Callable::default()
        }));
        self.b.set_complexity(def, node, &RULES);
        self.b.add_expr(Expr::Function(def))
    }

    /// The type that is expected of the closure's result: what a call of the expected function gives.
    fn closure_result(&mut self, node: Node<'_>, expected: Expected) -> Expected {
        let is_needed = matches!(expected, Expected::Argument(..) | Expected::Like(_));
        match expected {
            Expected::Type(ty) => match self.b.facts().ty(ty) {
                TypeExpr::Function { ret: Some(ret), .. } => Expected::Type(*ret),
                _ => Expected::Nothing,
            },
            // Only what begins with a dot needs it.
            _ if is_needed
                && syntax::builder::head(self.b.text(node), LONGEST_BODY).contains('.') =>
            {
                let Some(callee) = self.expected_value(expected) else {
                    return Expected::Nothing;
                };
                let result = self.b.add_expr(Expr::Call {
                    callee,
                    args: Box::default(),
                    type_args: Box::default(),
                });
                Expected::Like(result)
            }
            _ => Expected::Nothing,
        }
    }

    /// `[weak self, x = y]`
    fn captures(&mut self, list: Node<'_>) -> Vec<(NameId, ExprId)> {
        let mut out = Vec::new();
        for item in children_of_kind(list, "capture_list_item") {
            let Some(name) = item.field("name") else {
                continue;
            };
            if let Some(value) = item.field("value") {
                let value = self.expr(value);
                out.push((self.b.intern_node_text(name), value));
            }
        }
        out
    }

    fn written_result(&mut self, header: Node<'_>) -> Option<TypeId> {
        let mut cursor = header.walk();
        let behind = header.children(&mut cursor);
        let mut behind = behind.skip_while(|c| c.kind_name() != "->");
        let written = behind.find(|c| is_type(c.kind_name()))?;
        Some(self.ty(written))
    }

    fn closure_params(&mut self, def: DefId, list: Node<'_>) -> Vec<Param> {
        let mut out = Vec::new();
        for param in children_of_kind(list, "lambda_parameter") {
            let name_node = param.field("name").filter(|n| !is_type(n.kind_name()));
            let name_node = name_node.or_else(|| named_children(param).into_iter().next());
            let Some(name_node) = name_node else {
                continue;
            };
            let written = named_children(param)
                .into_iter()
                .find(|c| is_type(c.kind_name()));
            let ty = written.map(|written| self.ty(written));
            let name = self.b.intern_node_text(name_node);
            let n = out.len() as u32;
            self.b.bind(name, Namespace::VALUE, Bound::Param(def, n));
            out.push(Param {
                name,
                ty,
                default: None,
                kind: ParamKind::Plain,
            });
        }
        out
    }

    /// Counts the use of `$N` in the innermost closure that does not name its parameters.
    pub(super) fn count_numbered(&mut self, number: u32) {
        for frame in self.frames.iter_mut().rev() {
            if let FunctionFrame::Closure(frame) = frame
                && !frame.has_params
            {
                frame.numbered = frame.numbered.max(number.saturating_add(1));
                return;
            }
        }
    }

    fn numbered_params(&mut self, def: DefId, count: u32) -> Vec<Param> {
        let mut out = Vec::new();
        for n in 0..count.min(MOST_NUMBERED) {
            let name = self.b.intern_owned_name(&format!("${n}"));
            self.b.bind(name, Namespace::VALUE, Bound::Param(def, n));
            out.push(Param {
                name,
                ty: None,
                default: None,
                kind: ParamKind::Plain,
            });
        }
        out
    }
}
