//! Groups of examples (RSpec, minitest/spec): classes without a name, their examples and what they define with blocks.

use super::calls::{Parts, is_literal_name, literal_name};
use super::context::{Context, GLOBAL_MIXIN, Own};
use super::{Walker, children};
use base::SymbolKind;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

impl<'s> Walker<'_, 's> {
    /// A call that defines a part of a group of examples; `None` if it does not.
    pub(super) fn example_call(&mut self, parts: Parts<'_>, name: &str) -> Option<ExprId> {
        let in_group = self.in_group_body();
        if !in_group && self.frame().own != Own::Main {
            return self.test_block(parts, name);
        }
        match name {
            "describe" | "context" | "feature" | "fdescribe" | "xdescribe" | "fcontext"
            | "xcontext" | "example_group" => self.group(parts, false),
            "shared_examples" | "shared_context" | "shared_examples_for" => self.group(parts, true),
            _ if !in_group => None,
            "it" | "specify" | "example" | "scenario" | "fit" | "xit" | "focus" | "its" => {
                self.example(parts)
            }
            "let" | "let!" | "subject" | "subject!" | "given" | "background" => {
                self.defined_by_block(parts, name)
            }
            "before" | "after" | "around" | "setup" | "teardown" | "prepend_before"
            | "append_after" => self.hook(parts),
            "include_context"
            | "include_examples"
            | "it_behaves_like"
            | "it_should_behave_like" => self.shared(parts),
            _ => None,
        }
    }

    /// Whether the code stands in the body of a group.
    fn in_group_body(&mut self) -> bool {
        let is_group = self.context().is_group;
        is_group && matches!(self.frame().own, Own::Class(_)) && self.frame().method.is_none()
    }

    /// `test "name" do … end` in a class.
    fn test_block(&mut self, parts: Parts<'_>, name: &str) -> Option<ExprId> {
        let is_test = matches!(name, "test" | "should" | "it");
        let in_class = matches!(self.frame().own, Own::Class(_)) && self.frame().method.is_none();
        if !is_test || !in_class {
            return None;
        }
        self.example(parts)
    }

    /// `describe Name do … end`.
    fn group(&mut self, parts: Parts<'_>, is_shared: bool) -> Option<ExprId> {
        let block = parts.block?;
        let list = parts.list();
        for item in &list {
            if item.kind_name() != "string" {
                self.argument_value(*item);
            }
        }
        let outer = self
            .context()
            .def
            .filter(|_| self.contexts.last().is_some_and(|c| c.is_group));
        let name = self.group_name(&list);
        let kind = if is_shared {
            SymbolKind::Module
        } else {
            SymbolKind::Class
        };
        let def = self.b.add_def(name, kind, parts.node, parts.name);
        self.b.def_mut(def).flags.set(DefFlags::ANONYMOUS);
        if let Some(outer) = outer {
            let above = self.b.add_type(TypeExpr::Anonymous(outer));
            self.push_super(def, above, SuperKind::Extends);
        }
        if is_shared && let Some(shared) = list.first().and_then(|n| self.shared_type(*n)) {
            self.b.def_mut(def).ty = Some(shared);
        }
        let described = list
            .first()
            .filter(|n| is_constant(**n))
            .map(|n| self.class_value(*n));
        let described = described.or_else(|| self.contexts.last().and_then(|c| c.described));
        self.b.open_def(def, ScopeKind::Class);
        let scope = self.constant_scope();
        let mut context = Context::new(Some(def), scope);
        context.is_group = true;
        context.described = described;
        self.contexts.push(context);
        self.block_with_self(block, Own::Class(def), None);
        self.close_context();
        self.b.close_def();
        Some(self.unknown)
    }

    fn group_name(&mut self, list: &[Node<'_>]) -> NameId {
        let text = list
            .first()
            .map_or("<anonymous>", |first| self.b.text(*first));
        let text = literal_name(text).to_owned();
        self.b.intern_owned_name(&text)
    }

    /// A constant as a value, without a mention.
    fn class_value(&mut self, node: Node<'_>) -> ExprId {
        let ty = self.class_type(node);
        let name = self.b.intern_owned_name("class");
        let class = self.b.add_type(TypeExpr::Projection(ty, name));
        self.b.add_expr(Expr::Cast(self.unknown, class))
    }

    /// The type that stands for a shared group, by its name.
    fn shared_type(&mut self, name: Node<'_>) -> Option<TypeId> {
        if !is_literal_name(name) {
            return None;
        }
        let text = format!("<shared {}>", literal_name(self.b.text(name)));
        Some(self.named_type(&text))
    }

    /// `it 'does something' do … end`: a test.
    fn example(&mut self, parts: Parts<'_>) -> Option<ExprId> {
        let block = parts.block?;
        let class = self.class_around()?;
        if !self.context().is_group {
            self.macro_call(parts);
        }
        let list = parts.list();
        let first = list.first().copied();
        for item in &list {
            if item.kind_name() != "string" {
                self.argument_value(*item);
            }
        }
        let text = first.map_or("<example>", |first| literal_name(self.b.text(first)));
        let name = self.b.intern_owned_name(text);
        let def = self.add_member(
            name,
            SymbolKind::Function,
            parts.node,
            first.unwrap_or(parts.name),
        );
        self.b.def_mut(def).flags.set(DefFlags::TEST);
        self.b.def_mut(def).flags.set(DefFlags::ENTRY);
        self.end_at_line(def);
        self.method_of_block((def, block), Own::Instance(class));
        Some(self.unknown)
    }

    /// The signature of what a call defines is the rest of its first line.
    fn end_at_line(&mut self, def: DefId) {
        let (from, to) = {
            let span = self.b.facts().def(def).span;
            (span.start_byte, span.end_byte)
        };
        let text = self.b.source.get(from as usize..to as usize).unwrap_or("");
        let text = syntax::builder::head(text, syntax::builder::MAX_HEAD_BYTES);
        let line = text.find('\n').unwrap_or(text.len());
        self.b.def_mut(def).signature.1 = from + line as u32;
    }

    /// `let(:name) { … }`, `subject { … }`.
    fn defined_by_block(&mut self, parts: Parts<'_>, called: &str) -> Option<ExprId> {
        let block = parts.block?;
        let class = self.class_around()?;
        let is_subject = called.starts_with("subject");
        let list = parts.list();
        let name_node = list.first().copied().filter(|n| is_literal_name(*n));
        let text = match name_node {
            Some(node) => literal_name(self.b.text(node)),
            None if is_subject => "subject",
            None => return None,
        };
        let name = self.b.intern_owned_name(text);
        let place = name_node.unwrap_or(parts.name);
        let def = self.add_member(name, SymbolKind::Method, parts.node, place);
        self.end_at_line(def);
        self.context().methods.insert((name, false), def);
        if is_subject {
            let subject = self.b.intern_owned_name("subject");
            self.context().methods.insert((subject, false), def);
            if text != "subject" {
                self.subject_alias(parts, name, class);
            }
        }
        self.method_of_block((def, block), Own::Instance(class));
        Some(self.unknown)
    }

    /// A named subject is also called `subject`.
    fn subject_alias(&mut self, parts: Parts<'_>, name: NameId, class: DefId) {
        let subject = self.b.intern_owned_name("subject");
        let alias = self.add_member(subject, SymbolKind::Method, parts.node, parts.name);
        let object = self.b.add_expr(Expr::This(class));
        let value = self.b.add_expr(Expr::Member { object, name });
        let made = self.b.def_mut(alias);
        made.flags.set(DefFlags::ALIAS);
        made.flags.set(DefFlags::ANONYMOUS);
        made.value = Some(value);
        made.callable = Some(Box::default());
    }

    /// `before { … }`.
    fn hook(&mut self, parts: Parts<'_>) -> Option<ExprId> {
        let block = parts.block?;
        let class = self.class_around()?;
        for item in parts.list() {
            self.argument_value(item);
        }
        self.block_with_self(block, Own::Instance(class), None);
        Some(self.unknown)
    }

    /// `include_context 'name'`: the group takes over a shared one.
    fn shared(&mut self, parts: Parts<'_>) -> Option<ExprId> {
        let class = self.class_around()?;
        let list = parts.list();
        let first = *list.first()?;
        let ty = self.shared_type(first)?;
        self.push_super(class, ty, SuperKind::Embeds);
        for item in &list[1..] {
            self.argument_value(*item);
        }
        if let Some(block) = parts.block {
            self.block_with_self(block, Own::Class(class), None);
        }
        Some(self.unknown)
    }

    /// `config.include_context 'name'` in the configuration of all groups.
    pub(super) fn shared_by_all(&mut self, statement: Node<'_>) {
        let list = statement
            .field("arguments")
            .map(children)
            .unwrap_or_default();
        let Some(first) = list.first().copied() else {
            return;
        };
        if let Some(ty) = self.shared_type(first) {
            let name = self.b.intern_owned_name(GLOBAL_MIXIN);
            let def = self.b.add_def(name, SymbolKind::Property, first, first);
            let made = self.b.def_mut(def);
            made.parent = None;
            made.flags.set(DefFlags::ANONYMOUS);
            made.ty = Some(ty);
        }
    }

    /// `described_class`, and `subject` where no group defines it.
    pub(super) fn described(&mut self, name: Node<'_>) -> Option<ExprId> {
        let text = self.b.text(name);
        if !matches!(text, "described_class" | "subject") || !self.context().is_group {
            return None;
        }
        let described = self.context().described?;
        if text == "described_class" {
            return Some(described);
        }
        let subject = self.b.find_name("subject");
        let is_defined = |c: &Context| subject.is_some_and(|s| c.methods.contains_key(&(s, false)));
        if self.contexts.iter().any(is_defined) {
            return None;
        }
        let new = self.b.intern_owned_name("new");
        let callee = self.callee_named(described, new, false);
        Some(self.b.add_expr(Expr::Call {
            callee,
            args: Box::default(),
            type_args: Box::default(),
        }))
    }
}

fn is_constant(node: Node<'_>) -> bool {
    matches!(node.kind_name(), "constant" | "scope_resolution")
}
