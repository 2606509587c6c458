//! Blocks and lambdas.

use super::context::Own;
use super::flow::Frame;
use super::{Walker, children, first_child};
use base::SymbolKind;
use syntax::facts::*;
use syntax::fields::{Fields, child_of_kind};
use tree_sitter::Node;

impl Walker<'_, '_> {
    /// Reads a block that belongs to a call; its `self` is that of the code around.
    pub(super) fn block(&mut self, node: Node<'_>, call: Option<ExprId>) -> DefId {
        let def = self.open_function(node, call);
        let mark = self.open_loop(node.start_byte() as u32);
        self.frame().results.push(Vec::new());
        let outer = self.open_class_block();
        self.block_parameters(def, node);
        let value = self.block_body(node);
        if let Some(outer) = outer {
            self.frame().self_expr = outer;
        }
        let mut results = self.frame().results.pop().unwrap_or_default();
        if !std::mem::take(&mut self.frame().is_dead) {
            results.push(value);
        }
        self.close_loop(mark, true);
        self.finish_function(def, results);
        def
    }

    /// Reads a block whose `self` is another; it sees the variables around.
    pub(super) fn block_with_self(&mut self, node: Node<'_>, own: Own, method: Option<DefId>) {
        let def = self.open_function(node, None);
        let results = self.body_with_self((node, def), own, method);
        self.finish_function(def, results);
    }

    /// The body of a block as that of a method or class; returns its results.
    pub(super) fn body_with_self(
        &mut self,
        (node, def): (Node<'_>, DefId),
        own: Own,
        method: Option<DefId>,
    ) -> Vec<ExprId> {
        let scope = self.b.current_scope();
        let mut frame = Frame::new(scope, own);
        frame.sees_around = true;
        frame.method = method;
        frame.results.push(Vec::new());
        self.frames.push(frame);
        self.block_parameters(def, node);
        let value = self.block_body(node);
        let mut results = Vec::new();
        if let Some(mut frame) = self.frames.pop() {
            results = frame.returns;
            results.extend(frame.results.pop().unwrap_or_default());
            if !frame.is_dead {
                results.push(value);
            }
        }
        results
    }

    /// In a block that stands in the body of a class, `self` is the class or, if a method is made of the block, one of
    /// its objects. Returns the value of `self` around the block, if it differs.
    fn open_class_block(&mut self) -> Option<Option<ExprId>> {
        let frame = self.frame();
        let (Own::Class(class), None) = (frame.own, frame.method) else {
            return None;
        };
        if frame.results.len() > 1 {
            return None;
        }
        let outer = frame.self_expr;
        let of_class = self.class_expr(class);
        let of_object = self.b.add_expr(Expr::This(class));
        let either = Expr::Either(Box::from([of_class, of_object]));
        let either = self.b.add_expr(either);
        self.frame().self_expr = Some(either);
        Some(outer)
    }

    fn block_body(&mut self, node: Node<'_>) -> ExprId {
        match node.field("body") {
            Some(body) => self.expr(body),
            None => self.b.add_expr(Expr::Literal(Primitive::Null)),
        }
    }

    /// Opens a function without a name. Everything up to [`Walker::finish_function`] belongs to it.
    fn open_function(&mut self, node: Node<'_>, call: Option<ExprId>) -> DefId {
        let name = self.b.intern_owned_name("<anonymous>");
        let def = self.b.add_def(name, SymbolKind::Function, node, node);
        let made = self.b.def_mut(def);
        made.flags.set(DefFlags::ANONYMOUS);
        made.flags.set(DefFlags::LOCAL);
        made.value = call;
        self.b.open_def(def, ScopeKind::Function);
        def
    }

    fn finish_function(&mut self, def: DefId, mut results: Vec<ExprId>) {
        self.b.close_def();
        results.truncate(super::methods::MAX_RETURNS);
        if let Some(callable) = &mut self.b.def_mut(def).callable {
            callable.returns = results;
        }
    }

    /// Parameters of a block; `_1` and `it` if it has none.
    fn block_parameters(&mut self, def: DefId, node: Node<'_>) {
        match node.field("parameters") {
            Some(list) => self.parameters(def, list, &[]),
            None => {
                let first = self.b.intern_owned_name("_1");
                self.b.def_mut(def).callable = Some(Box::new(Callable {
                    params: vec![Param {
                        name: first,
                        ty: None,
                        default: None,
                        kind: ParamKind::Plain,
                    }],
                    ..Callable::default()
                }));
                let scope = self.b.current_scope();
                self.b
                    .bind_in(scope, first, Namespace::VALUE, 0, Bound::Param(def, 0));
                let value = self.b.add_expr(Expr::Name {
                    name: first,
                    scope,
                    at: 0,
                });
                let it = self.b.intern_owned_name("it");
                self.set_variable(first, value);
                self.set_variable(it, value);
            }
        }
    }

    /// `->(x) { … }`.
    pub(super) fn lambda(&mut self, node: Node<'_>) -> ExprId {
        let Some(body) = node.field("body") else {
            self.children_of(node);
            return self.unknown;
        };
        let def = self.open_function(node, None);
        let mark = self.open_loop(node.start_byte() as u32);
        self.frame().results.push(Vec::new());
        let returned = self.frame().returns.len();
        match node.field("parameters") {
            Some(list) => self.parameters(def, list, &[]),
            None => self.block_parameters(def, body),
        }
        let value = self.block_body(body);
        let mut results = self.frame().results.pop().unwrap_or_default();
        // `return` in a lambda ends the lambda.
        let returned = self.frame().returns.split_off(returned);
        results.extend(returned);
        if !std::mem::take(&mut self.frame().is_dead) {
            results.push(value);
        }
        self.close_loop(mark, true);
        self.finish_function(def, results);
        self.b.add_expr(Expr::Function(def))
    }

    /// `&:name` as a block: a function that calls the method on its parameter.
    pub(super) fn symbol_block(&mut self, symbol: Node<'_>, call: ExprId) -> DefId {
        let def = self.open_function(symbol, Some(call));
        let param = self.b.intern_owned_name("_1");
        self.b.def_mut(def).callable = Some(Box::new(Callable {
            params: vec![Param {
                name: param,
                ty: None,
                default: None,
                kind: ParamKind::Plain,
            }],
            ..Callable::default()
        }));
        let scope = self.b.current_scope();
        self.b
            .bind_in(scope, param, Namespace::VALUE, 0, Bound::Param(def, 0));
        let object = self.b.add_expr(Expr::Name {
            name: param,
            scope,
            at: 0,
        });
        let text = self.b.text(symbol).trim_start_matches(':');
        let name = self.b.intern_name(text);
        let callee = self.b.add_expr(Expr::Member { object, name });
        let result = self.b.add_expr(Expr::Call {
            callee,
            args: Box::default(),
            type_args: Box::default(),
        });
        self.b.add_call(result, CallKind::Call, 0, symbol);
        self.finish_function(def, vec![result]);
        def
    }

    /// The block of a call, written behind it or given with `&`: the function, if it is known.
    pub(super) fn block_of_call(
        &mut self,
        node: Node<'_>,
        given: Option<Node<'_>>,
        call: ExprId,
    ) -> Option<DefId> {
        if let Some(block) = node.field("block") {
            return Some(self.block(block, Some(call)));
        }
        let given = given?;
        let Some(inner) = first_child(given) else {
            // `&` alone passes the block on.
            self.passed_block(call);
            return None;
        };
        match inner.kind_name() {
            "simple_symbol" => return Some(self.symbol_block(inner, call)),
            "call" => {
                if let Some(name) = self.named_method(inner) {
                    let object = self.expr_or_self(inner.field("receiver"));
                    let callee = self.callee(object, name, inner.field("receiver").is_none());
                    let made = self.b.add_expr(Expr::Call {
                        callee,
                        args: Box::default(),
                        type_args: Box::default(),
                    });
                    self.b.add_call(made, CallKind::Call, 1, name);
                    return None;
                }
            }
            "identifier" => {
                let name = self.b.find_name(self.b.text(inner));
                if name.is_some() && name == self.frame().block {
                    self.passed_block(call);
                    return None;
                }
            }
            _ => {}
        }
        let value = self.expr(inner);
        match self.b.facts().expr(value) {
            Expr::Function(def) => Some(*def),
            _ => None,
        }
    }

    /// The method's own block is given on to another call.
    fn passed_block(&mut self, call: ExprId) {
        let first = self.b.add_expr(Expr::Expected(call, 0));
        self.yielded(vec![first]);
    }

    /// The symbol of `method(:name)`.
    fn named_method<'t>(&self, call: Node<'t>) -> Option<Node<'t>> {
        let name = call.field("method")?;
        let is_method = matches!(self.b.text(name), "method" | "public_method");
        let arguments = children(call.field("arguments").filter(|_| is_method)?);
        match arguments[..] {
            [only] if only.kind_name() == "simple_symbol" => Some(only),
            _ => None,
        }
    }

    pub(super) fn expr_or_self(&mut self, node: Option<Node<'_>>) -> ExprId {
        match node {
            Some(node) => self.expr(node),
            None => self.self_expr(),
        }
    }

    /// The parts of `(a, b)` among the parameters of a block.
    pub(super) fn destructured(&mut self, node: Node<'_>, value: ExprId, nesting: u32) {
        if nesting > 32 {
            return;
        }
        for (part, at) in children(node).into_iter().zip(0u32..) {
            let piece = self.b.add_expr(Expr::Part(value, at));
            match part.kind_name() {
                "destructured_parameter" => self.destructured(part, piece, nesting + 1),
                "identifier" => {
                    let name = self.b.intern_node_text(part);
                    self.set_variable(name, piece);
                }
                _ => {
                    if let Some(name) = part.field("name").or(child_of_kind(part, "identifier")) {
                        let name = self.b.intern_node_text(name);
                        let unknown = self.unknown;
                        self.set_variable(name, unknown);
                    }
                }
            }
        }
    }
}
