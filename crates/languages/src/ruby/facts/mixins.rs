//! What classes take over from modules, and the visibility of methods.

use super::calls::{Parts, is_literal_name, literal_name};
use super::context::{Context, EXTENDED, GLOBAL_MIXIN, INCLUDED, Own, PREPENDED};
use super::{Walker, children};
use base::{SymbolKind, Visibility};
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

impl Walker<'_, '_> {
    /// `include A, B` in a class.
    pub(super) fn mixin(&mut self, parts: Parts<'_>, called: &str) -> Option<ExprId> {
        let class = match self.frame().own {
            Own::Class(class) => class,
            Own::Main if called == "include" => return self.script_mixin(parts),
            _ => return None,
        };
        let is_singleton = self.context().is_singleton;
        for module in parts.list() {
            self.argument_value(module);
            let ty = match module.kind_name() {
                "constant" | "scope_resolution" => self.class_type(module),
                "self" => self.b.add_type(TypeExpr::SelfType(class)),
                _ => self.b.add_type(TypeExpr::Unknown),
            };
            match called {
                "extend" => self.hidden_mixin(class, EXTENDED, ty, module),
                _ if is_singleton => self.hidden_mixin(class, EXTENDED, ty, module),
                "prepend" => {
                    self.hidden_mixin(class, PREPENDED, ty, module);
                    self.push_super(class, ty, SuperKind::Embeds);
                }
                _ => self.push_super(class, ty, SuperKind::Embeds),
            }
        }
        Some(self.unknown)
    }

    /// `Other.include(Module)`: the class is opened for it.
    pub(super) fn mixin_of_other(
        &mut self,
        parts: Parts<'_>,
        receiver: Node<'_>,
        called: &str,
    ) -> Option<ExprId> {
        if !matches!(receiver.kind_name(), "constant" | "scope_resolution") {
            return None;
        }
        self.expr(receiver);
        let def = self.open_again(parts, receiver);
        self.mixin(parts, called);
        self.close_again(def);
        Some(self.unknown)
    }

    /// `Other.class_eval do … end`.
    pub(super) fn reopened(&mut self, parts: Parts<'_>, receiver: Node<'_>) -> Option<ExprId> {
        let block = parts.block?;
        if !matches!(receiver.kind_name(), "constant" | "scope_resolution") {
            self.expr(receiver);
            self.block_with_self(block, Own::Unknown, None);
            return Some(self.unknown);
        }
        self.expr(receiver);
        let def = self.open_again(parts, receiver);
        self.block_with_self(block, Own::Class(def), None);
        self.close_again(def);
        Some(self.unknown)
    }

    /// Opens a class by its name, without a node.
    fn open_again(&mut self, parts: Parts<'_>, receiver: Node<'_>) -> DefId {
        let text = self.b.text(receiver);
        let last = text.rsplit("::").next().unwrap_or(text);
        let name = self.b.intern_name(last);
        let ty = self.class_type(receiver);
        let def = self
            .b
            .add_def(name, SymbolKind::Class, parts.node, receiver);
        let made = self.b.def_mut(def);
        made.flags.set(DefFlags::ANONYMOUS);
        made.ty = Some(ty);
        let scope = self.constant_scope();
        let inner = self.b.open_def(def, ScopeKind::Class);
        self.contexts.push(Context::new(Some(def), scope));
        self.frames
            .push(super::flow::Frame::new(inner, Own::Class(def)));
        def
    }

    fn close_again(&mut self, _: DefId) {
        self.frames.pop();
        self.close_context();
        self.b.close_def();
    }

    /// Records a module in a property without a node.
    pub(super) fn hidden_mixin(&mut self, class: DefId, name: &str, ty: TypeId, node: Node<'_>) {
        let name = self.b.intern_owned_name(name);
        let def = self.b.add_def(name, SymbolKind::Property, node, node);
        let made = self.b.def_mut(def);
        made.parent = Some(class);
        made.flags.set(DefFlags::ANONYMOUS);
        made.ty = Some(ty);
    }

    /// `include A` in a script.
    fn script_mixin(&mut self, parts: Parts<'_>) -> Option<ExprId> {
        let list = parts.list();
        for module in &list {
            self.argument_value(*module);
        }
        self.top_mixins(INCLUDED, &list);
        Some(self.unknown)
    }

    /// Records modules that hold beyond the file.
    fn top_mixins(&mut self, name: &str, list: &[Node<'_>]) {
        let is_class = |n: &&Node<'_>| matches!(n.kind_name(), "constant" | "scope_resolution");
        for module in list.iter().filter(is_class) {
            let ty = self.class_type(*module);
            let name = self.b.intern_owned_name(name);
            let def = self.b.add_def(name, SymbolKind::Property, *module, *module);
            let made = self.b.def_mut(def);
            made.parent = None;
            made.flags.set(DefFlags::ANONYMOUS);
            made.ty = Some(ty);
        }
    }

    /// `RSpec.configure { |config| config.include Helpers }`.
    pub(super) fn configuration(&mut self, parts: Parts<'_>) -> Option<ExprId> {
        let block = parts.block?;
        let body = block.field("body")?;
        for statement in children(body) {
            if statement.kind_name() != "call" || statement.field("receiver").is_none() {
                continue;
            }
            match statement.field("method").map(|m| self.b.text(m)) {
                Some("include") => {}
                Some("include_context") => {
                    self.shared_by_all(statement);
                    continue;
                }
                _ => continue,
            }
            let list = statement
                .field("arguments")
                .map(children)
                .unwrap_or_default();
            self.top_mixins(GLOBAL_MIXIN, &list);
        }
        None
    }

    /// `class_methods do … end` of a concern: methods of the classes that include it.
    pub(super) fn class_methods(&mut self, parts: Parts<'_>) -> Option<ExprId> {
        let block = parts.block?;
        let class = self.class_around()?;
        let name = self.b.intern_owned_name("ClassMethods");
        let def = self.add_member(name, SymbolKind::Module, parts.node, parts.name);
        self.b.def_mut(def).parent = Some(class);
        self.b.open_def(def, ScopeKind::Class);
        let scope = self.constant_scope();
        self.contexts.push(Context::new(Some(def), scope));
        self.block_with_self(block, Own::Class(def), None);
        self.close_context();
        self.b.close_def();
        Some(self.unknown)
    }

    /// A word alone that changes what follows: `private`, `module_function`.
    pub(super) fn bare_word(&mut self, name: Node<'_>) -> bool {
        let in_class = matches!(self.frame().own, Own::Class(_)) && self.frame().method.is_none();
        if !in_class {
            return false;
        }
        let visibility = match self.b.text(name) {
            "private" => Visibility::Private,
            "protected" => Visibility::Protected,
            "public" => Visibility::Public,
            "module_function" => {
                self.context().makes_functions = true;
                return true;
            }
            _ => return false,
        };
        self.context().visibility = visibility;
        self.context().makes_functions = false;
        true
    }

    /// `private :a`, `private def a`, `module_function :a`.
    pub(super) fn visibility_call(&mut self, parts: Parts<'_>, called: &str) -> Option<ExprId> {
        if !matches!(self.frame().own, Own::Class(_)) || self.frame().method.is_some() {
            return None;
        }
        let mut names = Vec::new();
        for item in parts.list() {
            let inner = match item.kind_name() {
                "array" => children(item),
                _ => vec![item],
            };
            for item in inner {
                if is_literal_name(item) {
                    names.push(literal_name(self.b.text(item)));
                    continue;
                }
                if matches!(item.kind_name(), "method" | "singleton_method")
                    && let Some(name) = item.field("name")
                {
                    names.push(self.b.text(name));
                }
                self.argument_value(item);
            }
        }
        for name in names {
            let name = self.b.intern_owned_name(name);
            self.set_visibility(name, called);
        }
        Some(self.unknown)
    }

    fn set_visibility(&mut self, name: NameId, called: &str) {
        let is_static = called.ends_with("class_method") || self.context().is_singleton;
        let Some(def) = self.context().methods.get(&(name, is_static)).copied() else {
            return;
        };
        let made = self.b.def_mut(def);
        match called {
            "module_function" => made.flags.set(DefFlags::MODULE_FUNCTION),
            "private" | "private_class_method" => made.visibility = Visibility::Private,
            "protected" => made.visibility = Visibility::Protected,
            _ => made.visibility = Visibility::Public,
        }
    }

    /// Calls of a class body whose symbols name methods of its objects: `before_action :check, if: :ready?`.
    pub(super) fn callbacks(&mut self, parts: Parts<'_>, called: &str) -> Option<ExprId> {
        const LEADS: [&str; 6] = [
            "before_", "after_", "around_", "skip_", "prepend_", "append_",
        ];
        const OTHERS: [&str; 6] = [
            "validate",
            "helper_method",
            "rescue_from",
            "setup",
            "teardown",
            "set_callback",
        ];
        let is_body = matches!(self.frame().own, Own::Class(_)) && self.frame().method.is_none();
        let is_callback =
            OTHERS.contains(&called) || LEADS.iter().any(|lead| called.starts_with(lead));
        if !is_body || !is_callback {
            return None;
        }
        let object = self.own_object(false);
        for item in parts.list() {
            let symbol = match item.kind_name() {
                "pair" => item.field("value"),
                _ => Some(item),
            };
            let Some(symbol) = symbol.filter(|s| s.kind_name() == "simple_symbol") else {
                continue;
            };
            let name = self.b.intern_name(literal_name(self.b.text(symbol)));
            let mentioned = self.b.add_expr(Expr::Member { object, name });
            self.b.add_reference(RefTarget::Expr(mentioned), symbol);
        }
        let block = parts.block?;
        let class = self.class_around()?;
        self.macro_call(parts);
        for item in parts.list() {
            self.argument_value(item);
        }
        self.block_with_self(block, Own::Instance(class), None);
        Some(self.unknown)
    }
}
