//! Calls of methods.

use super::{Walker, children, first_child};
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Methods that call the method whose symbol is their first argument.
const SENDERS: &[&str] = &["send", "__send__", "public_send", "try", "try!"];
/// Methods that do not return.
const LEAVING: &[&str] = &["raise", "fail", "exit", "exit!", "abort", "throw"];

/// The parts of a call.
#[derive(Clone, Copy)]
pub(super) struct Parts<'t> {
    pub(super) node: Node<'t>,
    pub(super) receiver: Option<Node<'t>>,
    pub(super) name: Node<'t>,
    pub(super) arguments: Option<Node<'t>>,
    pub(super) block: Option<Node<'t>>,
}

impl<'t> Parts<'t> {
    /// The written arguments.
    pub(super) fn list(&self) -> Vec<Node<'t>> {
        self.arguments.map(children).unwrap_or_default()
    }
}

impl<'s> Walker<'_, 's> {
    /// What a call of a name on an object means.
    pub(super) fn callee(&mut self, object: ExprId, name: Node<'_>, on_self: bool) -> ExprId {
        let text = self.b.text(name).trim_start_matches(':');
        let name = self.b.intern_name(text);
        self.callee_named(object, name, on_self)
    }

    pub(super) fn callee_named(&mut self, object: ExprId, name: NameId, on_self: bool) -> ExprId {
        let made = if on_self {
            Expr::Scoped { object, name }
        } else {
            Expr::Member { object, name }
        };
        self.b.add_expr(made)
    }

    /// A name alone that is no variable.
    pub(super) fn self_call(&mut self, name: Node<'_>) -> ExprId {
        if self.bare_word(name) {
            return self.unknown;
        }
        if let Some(value) = self.described(name) {
            return value;
        }
        let object = self.self_expr();
        let callee = self.callee(object, name, true);
        let call = self.b.add_expr(Expr::Call {
            callee,
            args: Box::default(),
            type_args: Box::default(),
        });
        self.b.add_call(call, CallKind::Call, 0, name);
        let text = self.b.text(name);
        if LEAVING.contains(&text) {
            self.frame().is_dead = true;
        }
        self.made_object((object, true), text, call)
    }

    pub(super) fn call(&mut self, node: Node<'_>) -> ExprId {
        let Some(name) = node.field("method").or(node.field("receiver")) else {
            self.children_of(node);
            return self.unknown;
        };
        let parts = Parts {
            node,
            receiver: node.field("receiver"),
            name,
            arguments: node.field("arguments"),
            block: node.field("block"),
        };
        if node.field("method").is_none() {
            return self.call_of_value(parts);
        }
        if name.kind_name() == "super" {
            return self.super_call(parts);
        }
        let text = self.b.text(name);
        if parts.receiver.is_none() {
            if let Some(value) = self.special_call(parts, text) {
                return value;
            }
        } else if let Some(value) = self.special_member_call(parts, text) {
            return value;
        }
        self.plain_call(parts)
    }

    /// A call that is nothing but a call.
    pub(super) fn plain_call(&mut self, parts: Parts<'_>) -> ExprId {
        let text = self.b.text(parts.name);
        let on_self = parts.receiver.is_none();
        let object = self.expr_or_self(parts.receiver);
        if self.calls_block(parts, text) {
            let values = self.arguments(parts).0;
            self.yielded(values);
        }
        let is_sender = SENDERS.contains(&text);
        if is_sender && let Some(sent) = self.sent_call(parts, object) {
            return sent;
        }
        let callee = self.callee(object, parts.name, on_self);
        let kept = self.finish_call(parts, callee);
        if on_self && LEAVING.contains(&text) {
            self.frame().is_dead = true;
        }
        self.made_object((object, on_self), text, kept)
    }

    /// Adds a call with its arguments and its block.
    pub(super) fn finish_call(&mut self, parts: Parts<'_>, callee: ExprId) -> ExprId {
        let (mut args, given) = self.arguments(parts);
        let count = args.len();
        let call = self.b.add_expr(Expr::Unknown);
        if let Some(function) = self.block_of_call(parts.node, given, call) {
            args.push(self.b.add_expr(Expr::Function(function)));
        }
        let made = Expr::Call {
            callee,
            args: args.into(),
            type_args: Box::default(),
        };
        self.b.set_expr(call, made);
        self.b.add_call(call, CallKind::Call, count, parts.name);
        self.pass(parts, call);
        call
    }

    /// Adds a call of a method of the class around that defines something.
    pub(super) fn macro_call(&mut self, parts: Parts<'_>) {
        let object = self.self_expr();
        let callee = self.callee(object, parts.name, true);
        let call = self.b.add_expr(Expr::Call {
            callee,
            args: Box::default(),
            type_args: Box::default(),
        });
        let count = parts.list().len();
        self.b.add_call(call, CallKind::Call, count, parts.name);
    }

    /// Remembers what a call gives to a method of the class around.
    fn pass(&mut self, parts: Parts<'_>, call: ExprId) {
        let Expr::Call { args, .. } = self.b.facts().expr(call) else {
            return;
        };
        let args = args.to_vec();
        if args.is_empty() || self.class_around().is_none() {
            return;
        }
        let receiver = parts.receiver.map(|r| self.b.text(r));
        let class = self
            .class_around()
            .map(|class| self.b.facts().def(class).name);
        let names_class = match (receiver, class) {
            (Some(text), Some(class)) => self.b.facts().name(class) == text,
            _ => false,
        };
        let text = self.b.text(parts.name);
        let of_class = matches!(self.frame().own, super::context::Own::Class(_));
        let on_class = of_class && matches!(receiver, None | Some("self")) || names_class;
        let on_class = on_class || receiver == Some("self.class");
        let (name, is_static) = match (on_class, text) {
            (true, "new") => ("initialize", false),
            (true, text) => (text, true),
            (false, text) if matches!(receiver, None | Some("self")) => (text, false),
            _ => return,
        };
        let name = self.b.intern_owned_name(name);
        self.context().passed.push((name, is_static, args));
    }

    /// The result of `new` on the class itself is an object of the class on which the method was called.
    fn made_object(
        &mut self,
        (object, on_self): (ExprId, bool),
        name: &str,
        call: ExprId,
    ) -> ExprId {
        if !matches!(name, "new" | "allocate") {
            return call;
        }
        let super::context::Own::Class(class) = self.frame().own else {
            return call;
        };
        if !on_self && object != self.self_expr() {
            return call;
        }
        let own = self.b.add_type(TypeExpr::SelfType(class));
        self.b.add_expr(Expr::Cast(call, own))
    }

    /// Arguments, and the one that is the block.
    pub(super) fn arguments<'t>(&mut self, parts: Parts<'t>) -> (Vec<ExprId>, Option<Node<'t>>) {
        let mut args = Vec::new();
        let mut given = None;
        for item in parts.list() {
            match item.kind_name() {
                "block_argument" => given = Some(item),
                "splat_argument" => {
                    let inner = first_child(item);
                    let inner = self.expr_or_unknown(inner);
                    args.push(self.b.add_expr(Expr::Spread(inner)));
                }
                "forward_argument" => {
                    args.push(self.b.add_expr(Expr::Spread(self.unknown)));
                }
                "pair" => args.push(self.named_argument(item)),
                _ => args.push(self.argument_value(item)),
            }
        }
        (args, given)
    }

    fn named_argument(&mut self, pair: Node<'_>) -> ExprId {
        let key = pair.field("key");
        let is_name = key.is_some_and(|key| key.kind_name() == "hash_key_symbol");
        let value = self.argument_value(pair);
        match key.filter(|_| is_name) {
            Some(key) => {
                let name = self.b.intern_node_text(key);
                self.b.add_expr(Expr::Keyword(name, value))
            }
            None => value,
        }
    }

    /// Whether a call runs the block of the method: `block.call(…)`.
    fn calls_block(&mut self, parts: Parts<'_>, name: &str) -> bool {
        let Some(receiver) = parts.receiver.filter(|r| r.kind_name() == "identifier") else {
            return false;
        };
        let known = self.b.find_name(self.b.text(receiver));
        known.is_some() && known == self.frame().block && matches!(name, "call" | "yield" | "===")
    }

    /// `value.(…)`.
    fn call_of_value(&mut self, parts: Parts<'_>) -> ExprId {
        let object = self.expr_or_unknown(parts.receiver);
        if self.calls_block(parts, "call") {
            let values = self.arguments(parts).0;
            self.yielded(values);
        }
        let name = self.b.intern_owned_name("call");
        let callee = self.callee_named(object, name, false);
        self.finish_call(parts, callee)
    }

    /// `object.send(:name, …)`.
    fn sent_call(&mut self, parts: Parts<'_>, object: ExprId) -> Option<ExprId> {
        let list = parts.list();
        let symbol = list.first().filter(|s| is_literal_name(**s))?;
        let text = literal_name(self.b.text(*symbol));
        if text.is_empty() {
            return None;
        }
        let name = self.b.intern_name(text);
        let callee = self.callee_named(object, name, parts.receiver.is_none());
        let (mut args, given) = self.arguments(parts);
        args.remove(0);
        let count = args.len();
        let call = self.b.add_expr(Expr::Unknown);
        if let Some(function) = self.block_of_call(parts.node, given, call) {
            args.push(self.b.add_expr(Expr::Function(function)));
        }
        let made = Expr::Call {
            callee,
            args: args.into(),
            type_args: Box::default(),
        };
        self.b.set_expr(call, made);
        self.b.add_call(call, CallKind::Call, count, *symbol);
        Some(call)
    }

    /// `super` without arguments passes those of the method.
    pub(super) fn bare_super(&mut self, node: Node<'_>) -> ExprId {
        let Some(callee) = self.super_callee() else {
            return self.unknown;
        };
        let call = self.b.add_expr(Expr::Call {
            callee,
            args: Box::default(),
            type_args: Box::default(),
        });
        self.b.add_call(call, CallKind::Call, 0, node);
        call
    }

    fn super_call(&mut self, parts: Parts<'_>) -> ExprId {
        match self.super_callee() {
            Some(callee) => self.finish_call(parts, callee),
            None => {
                self.children_of(parts.node);
                self.unknown
            }
        }
    }

    fn super_callee(&mut self) -> Option<ExprId> {
        let method = self.frame().method?;
        Some(self.b.add_expr(Expr::Super(method)))
    }

    /// Calls without a receiver that mean more than a call. `None` if it is an ordinary one.
    fn special_call(&mut self, parts: Parts<'_>, name: &str) -> Option<ExprId> {
        if let Some(value) = self.example_call(parts, name) {
            return Some(value);
        }
        match name {
            "require" | "require_relative" | "load" | "autoload" | "require_dependency" => {
                self.require(parts, name)
            }
            "include" | "extend" | "prepend" => self.mixin(parts, name),
            "private"
            | "protected"
            | "public"
            | "module_function"
            | "private_class_method"
            | "public_class_method"
            | "private_constant" => self.visibility_call(parts, name),
            "attr_reader"
            | "attr_writer"
            | "attr_accessor"
            | "attr"
            | "cattr_accessor"
            | "cattr_reader"
            | "cattr_writer"
            | "mattr_accessor"
            | "mattr_reader"
            | "mattr_writer"
            | "class_attribute"
            | "thread_mattr_accessor" => self.attributes(parts, name),
            "alias_method" => self.alias_method(parts),
            "define_method" | "define_singleton_method" => self.define_method(parts, name),
            "delegate" => self.delegate(parts),
            "def_delegators"
            | "def_delegator"
            | "def_instance_delegators"
            | "def_instance_delegator" => self.forward(parts, name),
            "sig" => self.sig(parts),
            "lambda" | "proc" => self.lambda_call(parts),
            "class_methods" => self.class_methods(parts),
            "method" => self.method_mention(parts),
            "loop" => None,
            _ => self.callbacks(parts, name),
        }
    }

    /// `lambda { |x| … }`.
    fn lambda_call(&mut self, parts: Parts<'_>) -> Option<ExprId> {
        let block = parts.block.filter(|_| parts.arguments.is_none())?;
        let def = self.block(block, None);
        Some(self.b.add_expr(Expr::Function(def)))
    }

    /// `method(:name)` mentions the method.
    fn method_mention(&mut self, parts: Parts<'_>) -> Option<ExprId> {
        let [symbol] = parts.list()[..] else {
            return None;
        };
        if !is_literal_name(symbol) {
            return None;
        }
        let object = self.expr_or_self(parts.receiver);
        let callee = self.callee(object, symbol, parts.receiver.is_none());
        self.b.add_reference(RefTarget::Expr(callee), symbol);
        Some(self.unknown)
    }

    /// Calls with a receiver that mean more than a call.
    fn special_member_call(&mut self, parts: Parts<'_>, name: &str) -> Option<ExprId> {
        let receiver = parts.receiver?;
        match name {
            "class_eval" | "module_eval" | "class_exec" | "module_exec" => {
                self.reopened(parts, receiver)
            }
            "include" | "extend" | "prepend" => self.mixin_of_other(parts, receiver, name),
            "new" => self.made_by_new(parts, receiver),
            "instance_eval" | "instance_exec" | "define_method" | "define_singleton_method" => {
                self.foreign_block(parts)
            }
            "method" | "public_method" | "instance_method" => self.method_mention(parts),
            "describe"
            | "context"
            | "shared_context"
            | "shared_examples"
            | "shared_examples_for"
                if self.b.text(receiver) == "RSpec" =>
            {
                self.example_call(parts, name)
            }
            "configure" if self.b.text(receiver) == "RSpec" => self.configuration(parts),
            _ => None,
        }
    }

    /// A call whose block has a `self` of which nothing is known.
    fn foreign_block(&mut self, parts: Parts<'_>) -> Option<ExprId> {
        let block = parts.block?;
        let object = self.expr_or_self(parts.receiver);
        let (args, _) = self.arguments(parts);
        let count = args.len();
        let callee = self.callee(object, parts.name, parts.receiver.is_none());
        let call = self.b.add_expr(Expr::Call {
            callee,
            args: args.into(),
            type_args: Box::default(),
        });
        self.b.add_call(call, CallKind::Call, count, parts.name);
        self.block_with_self(block, super::context::Own::Unknown, None);
        Some(call)
    }
}

/// Whether a node is a symbol or a text without parts that are filled in.
pub(super) fn is_literal_name(node: Node<'_>) -> bool {
    match node.kind_name() {
        "simple_symbol" => true,
        "string" => {
            matches!(children(node)[..], [only] if only.kind_name() == "string_content")
        }
        _ => false,
    }
}

/// The name in a symbol or a text.
pub(super) fn literal_name(text: &str) -> &str {
    text.trim_start_matches(':').trim_matches(['"', '\''])
}
