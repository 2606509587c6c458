//! Functions, constructors, initialisers.

use super::headers::Parts;
use super::{Frame, Walker, code_children, is_comment, is_type};
use base::SymbolKind;
use syntax::facts::*;
use syntax::fields::{Fields, child_of_kind};
use tree_sitter::Node;

/// Maximum number of returned expressions that are kept.
pub(super) const MAX_RETURNS: usize = 8;

impl<'s> Walker<'_, 's> {
    pub(super) fn function_declaration(&mut self, node: Node<'_>) {
        let Some(name_node) = node.field("name") else {
            return;
        };
        let kind = if self.is_in_function() || self.classes.is_empty() {
            SymbolKind::Function
        } else {
            SymbolKind::Method
        };
        let name = self.name(name_node);
        let def = self.b.add_def(name, kind, node, name_node);
        self.bind_definition(name, node, def);
        let body = child_of_kind(node, "function_body");
        let list = child_of_kind(node, "function_value_parameters");
        let mut header = self.header(node);
        let in_interface = self.classes.last().is_some_and(|c| c.is_interface);
        header.is_abstract |= body.is_none() && in_interface;
        let parts = Parts {
            name: Some(name_node),
            body,
            parameters: list,
        };
        self.set_header(def, node, &header, parts);
        let is_main = self.b.text(name_node) == "main" && self.classes.is_empty();
        if is_main && !self.is_in_function() {
            self.b.def_mut(def).flags.set(DefFlags::ENTRY);
        }
        self.b.open_def(def, ScopeKind::Function);
        self.type_parameters(def, node);
        let receiver = receiver_type(node, name_node);
        self.function_contents(def, node, receiver, self.b.text(name_node));
        self.b.close_def();
        self.set_complexity(def, body);
    }

    fn set_complexity(&mut self, def: DefId, body: Option<Node<'_>>) {
        if let Some(body) = body {
            self.b.set_complexity(def, body, &super::super::COMPLEXITY);
        }
    }

    /// The receiver, parameters, result and body of a function whose scope is open.
    pub(super) fn function_contents(
        &mut self,
        def: DefId,
        node: Node<'_>,
        receiver: Option<Node<'_>>,
        label: &'s str,
    ) {
        let mut params = Vec::new();
        if let Some(receiver) = receiver {
            params.push(self.receiver(receiver));
            self.b.def_mut(def).flags.set(DefFlags::EXTENSION);
        }
        let list = child_of_kind(node, "function_value_parameters");
        let ret = list.and_then(|list| result_type(node, list));
        let outer = self.push_frame(label, false);
        if let Some(list) = list {
            self.parameters(def, list, params);
        } else {
            self.set_params(def, params);
        }
        let ret = ret.map(|ret| self.ty(ret));
        if let Some(callable) = &mut self.b.def_mut(def).callable {
            callable.ret = ret;
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.ret = ret;
        }
        if let Some(body) = child_of_kind(node, "function_body") {
            self.function_body(body, ret);
        }
        let returns = self.pop_frame(outer);
        if ret.is_none()
            && let Some(callable) = &mut self.b.def_mut(def).callable
        {
            callable.returns = returns;
        }
    }

    /// The receiver of an extension as a parameter.
    pub(super) fn receiver(&mut self, written: Node<'_>) -> Param {
        let ty = Some(self.ty(written));
        Param {
            name: self.b.intern_name("this"),
            ty,
            default: None,
            kind: ParamKind::Receiver,
        }
    }

    /// Opens a frame for returned values; returns the error names of the function around.
    pub(super) fn push_frame(&mut self, label: &'s str, is_lambda: bool) -> Vec<&'s str> {
        self.frames.push(Frame {
            label,
            is_lambda,
            ret: None,
            returns: Vec::new(),
        });
        std::mem::take(&mut self.handlers)
    }

    /// Closes the innermost frame, and gives its returned values.
    pub(super) fn pop_frame(&mut self, handlers: Vec<&'s str>) -> Vec<ExprId> {
        self.handlers = handlers;
        let mut returns = self.frames.pop().map(|f| f.returns).unwrap_or_default();
        returns.truncate(MAX_RETURNS);
        returns
    }

    /// Reads a block, or `= value`, which is then a returned value.
    pub(super) fn function_body(&mut self, body: Node<'_>, ret: Option<TypeId>) {
        let Some(inner) = super::first_code_child(body) else {
            return;
        };
        if inner.kind_name() == "block" {
            self.block(inner);
            return;
        }
        let value = self.expr_expecting(inner, ret);
        if let Some(frame) = self.frames.last_mut() {
            frame.returns.push(value);
        }
    }

    fn set_params(&mut self, def: DefId, params: Vec<Param>) {
        for (param, n) in params.iter().zip(0..) {
            if param.kind != ParamKind::Receiver {
                let to = Bound::Param(def, n);
                self.b.bind(param.name, Namespace::VALUE, to);
            }
        }
        self.b.def_mut(def).callable = Some(Box::new(Callable {
            params,
            ..Callable::default()
        }));
    }

    /// Reads a list of parameters, binds them and sets them behind those that are given.
    pub(super) fn parameters(&mut self, def: DefId, list: Node<'_>, mut params: Vec<Param>) {
        let mut defaults: Vec<(usize, Node<'_>)> = Vec::new();
        let mut is_variadic = false;
        let mut cursor = list.walk();
        let children: Vec<Node<'_>> = list.named_children(&mut cursor).collect();
        for child in children {
            match child.kind_name() {
                "parameter_modifiers" => {
                    self.annotations_in(child);
                    is_variadic = self.b.text(child).contains("vararg");
                }
                "parameter" => {
                    let Some(name) = child_of_kind(child, "identifier") else {
                        continue;
                    };
                    let ty = code_children(child).into_iter().find(|c| is_type(*c));
                    let ty = ty.map(|ty| self.ty(ty));
                    params.push(Param {
                        name: self.name(name),
                        ty,
                        default: None,
                        kind: if is_variadic {
                            ParamKind::Variadic
                        } else {
                            ParamKind::Plain
                        },
                    });
                    is_variadic = false;
                }
                _ if is_comment(child) => {}
                _ => {
                    if let Some(param) = params.last_mut() {
                        if param.kind == ParamKind::Plain {
                            param.kind = ParamKind::Optional;
                        }
                        defaults.push((params.len() - 1, child));
                    }
                }
            }
        }
        let types: Vec<Option<TypeId>> = params.iter().map(|param| param.ty).collect();
        self.set_params(def, params);
        for (n, default) in defaults {
            let value = self.expr_expecting(default, types[n]);
            if let Some(callable) = &mut self.b.def_mut(def).callable {
                callable.params[n].default = Some(value);
            }
        }
    }

    pub(super) fn secondary_constructor(&mut self, node: Node<'_>) {
        let word = super::word_child(node, "constructor").unwrap_or(node);
        let name = self.b.intern_owned_name("constructor");
        let def = self.b.add_def(name, SymbolKind::Constructor, node, word);
        let body = child_of_kind(node, "block");
        let list = child_of_kind(node, "function_value_parameters");
        let header = self.header(node);
        let parts = Parts {
            name: Some(word),
            body,
            parameters: list,
        };
        self.set_header(def, node, &header, parts);
        self.b.open_def(def, ScopeKind::Function);
        let handlers = self.push_frame("constructor", false);
        if let Some(list) = list {
            self.parameters(def, list, Vec::new());
        }
        if let Some(call) = child_of_kind(node, "constructor_delegation_call") {
            self.delegation_call(call);
        }
        if let Some(body) = body {
            self.block(body);
        }
        self.pop_frame(handlers);
        self.b.close_def();
        self.set_complexity(def, body);
    }

    /// `: this(…)`, `: super(…)`.
    fn delegation_call(&mut self, node: Node<'_>) {
        let Some(class) = self.current_class() else {
            return;
        };
        let own = super::word_child(node, "this");
        let at = own.or_else(|| super::word_child(node, "super"));
        let callee = self.b.add_expr(match own {
            Some(_) => Expr::This(class),
            None => Expr::Super(class),
        });
        let args = child_of_kind(node, "value_arguments").map(|l| self.arguments(l));
        self.add_call(
            callee,
            args.unwrap_or_default(),
            Box::default(),
            at.unwrap_or(node),
        );
    }

    /// `init { … }`.
    pub(super) fn initializer(&mut self, node: Node<'_>) {
        if let Some(block) = child_of_kind(node, "block") {
            let handlers = self.push_frame("init", false);
            self.in_constructor(|walker| walker.block(block));
            self.pop_frame(handlers);
        }
    }
}

/// The written type of the receiver, which stands before the name.
pub(super) fn receiver_type<'t>(node: Node<'t>, name: Node<'_>) -> Option<Node<'t>> {
    code_children(node)
        .into_iter()
        .take_while(|child| child.start_byte() < name.start_byte())
        .find(|child| is_type(*child))
}

/// The written result type, which stands behind the parameters.
fn result_type<'t>(node: Node<'t>, list: Node<'_>) -> Option<Node<'t>> {
    code_children(node)
        .into_iter()
        .find(|child| is_type(*child) && child.start_byte() >= list.end_byte())
}
