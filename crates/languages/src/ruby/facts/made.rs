//! Methods and classes that calls make: attributes, aliases, delegation, structures.

use super::calls::{Parts, is_literal_name, literal_name};
use super::context::{Context, Own};
use super::{Walker, children};
use base::SymbolKind;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

impl<'s> Walker<'_, 's> {
    /// `attr_reader :a, :b`: properties with the values of the fields of their names.
    pub(super) fn attributes(&mut self, parts: Parts<'_>, called: &str) -> Option<ExprId> {
        self.class_around()?;
        if self.frame().method.is_some() {
            return None;
        }
        let comments = std::mem::take(&mut self.tag_lines);
        if !called.starts_with("attr") {
            self.macro_call(parts);
        }
        let is_static =
            self.context().is_singleton || matches!(called.as_bytes()[0], b'c' | b'm' | b't');
        let written = match self.signature.take() {
            Some(signature) => signature.ret,
            None => {
                let tags = super::comments::Tags::parse(&comments);
                tags.ret.as_ref().and_then(|ty| self.written_type(ty))
            }
        };
        for symbol in parts.list() {
            if !is_literal_name(symbol) {
                self.argument_value(symbol);
                continue;
            }
            let text = literal_name(self.b.text(symbol));
            let def = self.declare_member((parts.node, symbol), text, SymbolKind::Property);
            if is_static {
                self.b.def_mut(def).flags.set(DefFlags::STATIC);
            }
            if called.ends_with("_writer") {
                self.b.def_mut(def).flags.set(DefFlags::SETTER);
            }
            if called.ends_with("_reader") || called == "attr" {
                self.b.def_mut(def).flags.set(DefFlags::GETTER);
            }
            self.document(def, &comments);
            let sign = if called.starts_with("attr") {
                "@"
            } else {
                "@@"
            };
            let field = self.b.intern_owned_name(&format!("{sign}{text}"));
            let object = self.own_object(is_static);
            let value = self.b.add_expr(Expr::Member {
                object,
                name: field,
            });
            let made = self.b.def_mut(def);
            made.value = Some(value);
            made.ty = written;
        }
        Some(self.unknown)
    }

    /// An object of the class around, or the class.
    pub(super) fn own_object(&mut self, is_static: bool) -> ExprId {
        match self.class_around() {
            Some(class) if is_static => self.class_expr(class),
            Some(class) => self.b.add_expr(Expr::This(class)),
            None => self.unknown,
        }
    }

    /// Adds a member under the name in a symbol.
    fn declare_member(
        &mut self,
        (node, symbol): (Node<'_>, Node<'_>),
        name: &str,
        kind: SymbolKind,
    ) -> DefId {
        let name = self.b.intern_owned_name(name);
        let def = self.add_member(name, kind, node, symbol);
        let end = node.end_byte() as u32;
        let text = self.b.source.get(node.byte_range()).unwrap_or("");
        let first = text
            .find('\n')
            .map_or(end, |at| node.start_byte() as u32 + at as u32);
        let made = self.b.def_mut(def);
        made.signature.1 = first.min(end).max(made.signature.0);
        let is_static = self.context().is_singleton;
        let visibility = self.context().visibility;
        let made = self.b.def_mut(def);
        made.visibility = visibility;
        if is_static {
            made.flags.set(DefFlags::STATIC);
        }
        self.context().methods.insert((name, is_static), def);
        def
    }

    /// `alias new old`.
    pub(super) fn alias(&mut self, node: Node<'_>) -> ExprId {
        if let (Some(name), Some(old)) = (node.field("name"), node.field("alias"))
            && name.kind_name() != "global_variable"
        {
            self.declare_alias(node, name, old);
        }
        self.unknown
    }

    pub(super) fn alias_method(&mut self, parts: Parts<'_>) -> Option<ExprId> {
        let [name, old] = parts.list()[..] else {
            return None;
        };
        if !is_literal_name(name) || !is_literal_name(old) {
            return None;
        }
        self.declare_alias(parts.node, name, old);
        Some(self.unknown)
    }

    fn declare_alias(&mut self, node: Node<'_>, name: Node<'_>, old: Node<'_>) {
        let comments = std::mem::take(&mut self.tag_lines);
        let text = literal_name(self.b.text(name));
        let def = self.declare_member((node, name), text, SymbolKind::Method);
        self.document(def, &comments);
        let is_static = self.context().is_singleton;
        let object = self.own_object(is_static);
        let old_name = self.b.intern_name(literal_name(self.b.text(old)));
        let value = self.b.add_expr(Expr::Member {
            object,
            name: old_name,
        });
        let made = self.b.def_mut(def);
        made.flags.set(DefFlags::ALIAS);
        made.value = Some(value);
        made.callable = Some(Box::default());
        self.b.add_reference(RefTarget::Expr(value), old);
    }

    /// `define_method(:name) { … }`.
    pub(super) fn define_method(&mut self, parts: Parts<'_>, called: &str) -> Option<ExprId> {
        let comments = std::mem::take(&mut self.tag_lines);
        let list = parts.list();
        let first = list.first().copied();
        let own = self.frame().own;
        let is_literal = first.is_some_and(is_literal_name);
        let in_class = matches!(own, Own::Class(_)) && self.frame().method.is_none();
        let (Some(symbol), Some(block), true, true) = (first, parts.block, is_literal, in_class)
        else {
            let block = parts.block?;
            for item in list {
                self.argument_value(item);
            }
            let class = self.class_around();
            let own = class.map_or(Own::Unknown, Own::Instance);
            self.block_with_self(block, own, None);
            return Some(self.unknown);
        };
        let text = literal_name(self.b.text(symbol));
        let def = self.declare_member((parts.node, symbol), text, SymbolKind::Method);
        self.document(def, &comments);
        let is_static = self.context().is_singleton || called == "define_singleton_method";
        if is_static {
            self.b.def_mut(def).flags.set(DefFlags::STATIC);
        }
        let class = self.class_around();
        let own = match class {
            Some(class) if is_static => Own::Class(class),
            Some(class) => Own::Instance(class),
            None => Own::Main,
        };
        self.method_of_block((def, block), own);
        Some(self.b.add_expr(Expr::Literal(Primitive::Char)))
    }

    /// Reads a block as the body of a method.
    pub(super) fn method_of_block(&mut self, (def, block): (DefId, Node<'_>), own: Own) {
        self.b.open_def(def, ScopeKind::Function);
        let results = self.body_with_self((block, def), own, Some(def));
        self.b.close_def();
        if let Some(callable) = &mut self.b.def_mut(def).callable {
            callable.returns = results;
            callable.returns.truncate(super::methods::MAX_RETURNS);
        }
        self.b.set_complexity(def, block, &super::RULES);
    }

    /// `delegate :a, :b, to: :other`.
    pub(super) fn delegate(&mut self, parts: Parts<'_>) -> Option<ExprId> {
        self.class_around()?;
        let list = parts.list();
        let key = |item: &&Node<'_>| {
            item.kind_name() == "pair" && item.field("key").is_some_and(|k| self.b.text(k) == "to")
        };
        let to = list.iter().find(key)?.field("value")?;
        let target = self.delegation_target(to)?;
        self.macro_call(parts);
        for symbol in list.iter().filter(|s| is_literal_name(**s)) {
            let name = literal_name(self.b.text(*symbol));
            self.declare_delegation(parts.node, (*symbol, name), (target, name));
        }
        for item in list {
            if item.kind_name() == "pair" && item.field("value") != Some(to) {
                self.argument_value(item);
            }
        }
        Some(self.unknown)
    }

    /// The object that a symbol of `delegate` names.
    fn delegation_target(&mut self, to: Node<'_>) -> Option<ExprId> {
        if !is_literal_name(to) {
            return None;
        }
        let text = literal_name(self.b.text(to));
        let is_static = self.context().is_singleton;
        let object = self.own_object(is_static);
        let name = self.b.intern_owned_name(text);
        if text == "class" {
            return Some(self.own_object(true));
        }
        if text.starts_with('@') {
            return Some(self.b.add_expr(Expr::Member { object, name }));
        }
        let callee = self.callee_named(object, name, true);
        Some(self.b.add_expr(Expr::Call {
            callee,
            args: Box::default(),
            type_args: Box::default(),
        }))
    }

    /// A method that calls another on a part of the object.
    fn declare_delegation(
        &mut self,
        node: Node<'_>,
        (symbol, name): (Node<'_>, &str),
        (target, called): (ExprId, &str),
    ) {
        let def = self.declare_member((node, symbol), name, SymbolKind::Method);
        let called = self.b.intern_owned_name(called);
        let callee = self.b.add_expr(Expr::Member {
            object: target,
            name: called,
        });
        let result = self.b.add_expr(Expr::Call {
            callee,
            args: Box::default(),
            type_args: Box::default(),
        });
        self.b.def_mut(def).callable = Some(Box::new(Callable {
            returns: vec![result],
            ..Callable::default()
        }));
        self.b.open_owner(def);
        self.b.add_call(result, CallKind::Call, 0, symbol);
        self.b.close_owner();
    }

    /// `def_delegators :@list, :size`, `def_delegator :@list, :size, :count`.
    pub(super) fn forward(&mut self, parts: Parts<'_>, called: &str) -> Option<ExprId> {
        self.class_around()?;
        let list = parts.list();
        let [accessor, names @ ..] = &list[..] else {
            return None;
        };
        let target = self.delegation_target(*accessor)?;
        let text = |this: &Self, node: &Node<'_>| literal_name(this.b.text(*node));
        if called.ends_with('s') {
            for symbol in names.iter().filter(|s| is_literal_name(**s)) {
                let name = text(self, symbol);
                self.declare_delegation(parts.node, (*symbol, name), (target, name));
            }
        } else if let [old, rest @ ..] = names {
            let symbol = rest.first().unwrap_or(old);
            let (name, old) = (text(self, symbol), text(self, old));
            self.declare_delegation(parts.node, (*symbol, name), (target, old));
        }
        Some(self.unknown)
    }

    /// `NAME = Struct.new(:a) do … end`, `NAME = Class.new(Base)`: a class.
    pub(super) fn made_class(
        &mut self,
        node: Node<'_>,
        (left, name_node): (Node<'_>, Node<'_>),
        right: Node<'_>,
        tags: &[&'s str],
    ) -> Option<ExprId> {
        let making = self.making(right)?;
        let name = self.b.intern_node_text(name_node);
        let kind = match making {
            "Module" => SymbolKind::Module,
            _ => SymbolKind::Class,
        };
        let def = self.add_member(name, kind, node, name_node);
        let ty = self.class_type(left);
        self.b.def_mut(def).ty = Some(ty);
        let end = name_node.end_byte() as u32;
        let made = self.b.def_mut(def);
        made.signature.1 = end.max(made.signature.0);
        self.document(def, tags);
        self.contents_of_made(def, right, making);
        Some(self.b.add_expr(Expr::Function(def)))
    }

    /// `Class.new(Base) { … }` where no constant is assigned.
    pub(super) fn made_by_new(&mut self, parts: Parts<'_>, receiver: Node<'_>) -> Option<ExprId> {
        if receiver.kind_name() != "constant" {
            return None;
        }
        let making = self.making(parts.node)?;
        let name = self.b.intern_owned_name("<anonymous>");
        let kind = match making {
            "Module" => SymbolKind::Module,
            _ => SymbolKind::Class,
        };
        let def = self.b.add_def(name, kind, parts.node, parts.name);
        self.b.def_mut(def).flags.set(DefFlags::ANONYMOUS);
        self.contents_of_made(def, parts.node, making);
        Some(self.b.add_expr(Expr::Function(def)))
    }

    /// What a call makes: `Class`, `Module`, `Struct` or `Data`.
    fn making(&self, call: Node<'_>) -> Option<&'static str> {
        if call.kind_name() != "call" {
            return None;
        }
        let receiver = self.b.text(call.field("receiver")?);
        let method = self.b.text(call.field("method")?);
        match (receiver.trim_start_matches("::"), method) {
            ("Class", "new") => Some("Class"),
            ("Module", "new") => Some("Module"),
            ("Struct", "new") => Some("Struct"),
            ("Data", "define") => Some("Data"),
            _ => None,
        }
    }

    /// The superclass, the fields and the body of a class that a call makes.
    fn contents_of_made(&mut self, def: DefId, call: Node<'_>, making: &'static str) {
        let list = call.field("arguments").map(children).unwrap_or_default();
        if making == "Class" {
            if let Some(parent) = list.first() {
                self.expr(*parent);
                self.add_super(def, *parent, SuperKind::Extends);
            }
        } else if making != "Module" {
            let ty = self.named_type(making);
            self.push_super(def, ty, SuperKind::Extends);
        }
        let scope = self.constant_scope();
        self.b.open_def(def, ScopeKind::Class);
        let mut context = Context::new(Some(def), scope);
        context.is_group = false;
        self.contexts.push(context);
        if matches!(making, "Struct" | "Data") {
            self.structure_fields(call, &list);
        }
        let block = call.field("block");
        if let Some(block) = block {
            self.block_with_self(block, Own::Class(def), None);
        }
        self.close_context();
        self.b.close_def();
    }

    pub(super) fn structure_fields(&mut self, node: Node<'_>, list: &[Node<'_>]) {
        for symbol in list {
            if symbol.kind_name() == "simple_symbol" {
                let name = literal_name(self.b.text(*symbol));
                self.declare_member((node, *symbol), name, SymbolKind::Property);
            } else {
                self.argument_value(*symbol);
            }
        }
    }

    /// Whether an expression makes a structure: `class A < Struct.new(:x)`.
    pub(super) fn structure(&mut self, node: Node<'_>) -> Option<TypeId> {
        let making = self.making(node)?;
        if !matches!(making, "Struct" | "Data") {
            return None;
        }
        Some(self.named_type(making))
    }
}
