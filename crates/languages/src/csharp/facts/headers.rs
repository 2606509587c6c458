//! Modifiers and attributes before a declaration.

use super::{TypeKind, Walker, children_of_kind};
use base::Visibility;
use syntax::facts::*;
use syntax::fields::{Fields, child_of_kind};
use tree_sitter::Node;

/// Attributes of test methods in xUnit, NUnit and MSTest.
const TESTS: &[&str] = &[
    "Fact",
    "Theory",
    "SkippableFact",
    "SkippableTheory",
    "Test",
    "TestCase",
    "TestCaseSource",
    "TestMethod",
    "DataTestMethod",
];

/// The modifiers of a declaration.
#[derive(Default)]
pub(super) struct Header<'t> {
    pub(super) visibility: Option<Visibility>,
    pub(super) is_static: bool,
    pub(super) is_abstract: bool,
    pub(super) is_partial: bool,
    pub(super) is_override: bool,
    pub(super) is_async: bool,
    pub(super) is_const: bool,
    pub(super) is_extern: bool,
    pub(super) attributes: Vec<Node<'t>>,
}

impl<'s> Walker<'_, 's> {
    pub(super) fn header<'t>(&self, node: Node<'t>) -> Header<'t> {
        let mut out = Header::default();
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match child.kind_name() {
                "attribute_list" => out.attributes.extend(children_of_kind(child, "attribute")),
                "preproc_if_in_attribute_list" => {}
                "modifier" => self.modifier(child, &mut out),
                "comment" => {}
                _ => break,
            }
        }
        out
    }

    fn modifier(&self, node: Node<'_>, out: &mut Header<'_>) {
        let seen = |visibility: Option<Visibility>, word| visibility.or(Some(word));
        match self.b.text(node) {
            "public" => out.visibility = Some(Visibility::Public),
            "private" => out.visibility = seen(out.visibility, Visibility::Private),
            "protected" => out.visibility = Some(Visibility::Protected),
            "internal" => out.visibility = seen(out.visibility, Visibility::Package),
            "static" => out.is_static = true,
            "abstract" => out.is_abstract = true,
            "partial" => out.is_partial = true,
            "override" => out.is_override = true,
            "async" => out.is_async = true,
            "const" => out.is_const = true,
            "extern" => out.is_extern = true,
            _ => {}
        }
    }

    /// The visibility of a declaration without an access modifier.
    fn default_visibility(&self) -> Visibility {
        let is_public = self.is_in(TypeKind::Interface) || self.is_in(TypeKind::Enum);
        match (self.current_type().is_some(), self.is_in_function()) {
            (_, true) => Visibility::Package,
            (true, _) if is_public => Visibility::Public,
            (true, _) => Visibility::Private,
            (false, _) => Visibility::Package,
        }
    }

    /// Sets visibility, flags, signature, documentation and attributes of a definition. Its signature ends before
    /// `body`.
    pub(super) fn set_header(
        &mut self,
        def: DefId,
        header: &Header<'_>,
        body: Option<u32>,
        doc: Option<&str>,
    ) {
        let visibility = header
            .visibility
            .unwrap_or_else(|| self.default_visibility());
        let local = self.is_in_function();
        let is_seen = matches!(visibility, Visibility::Public | Visibility::Protected);
        let flags = [
            (local, DefFlags::LOCAL),
            (!local && is_seen, DefFlags::EXPORTED),
            (header.is_static, DefFlags::STATIC),
            (header.is_abstract, DefFlags::ABSTRACT),
            (header.is_override, DefFlags::REPLACES),
            (header.is_override, DefFlags::OVERRIDES),
            (header.is_async, DefFlags::ASYNC),
            (self.conditions > 0, DefFlags::CONDITIONAL),
        ];
        let it = self.b.def_mut(def);
        it.visibility = visibility;
        for (_, flag) in flags.into_iter().filter(|(is_set, _)| *is_set) {
            it.flags.set(flag);
        }
        let end = body.unwrap_or(it.span.end_byte);
        self.end_signature(def, end);
        if let Some(doc) = doc {
            self.b.set_doc(def, doc);
        }
        self.set_attributes(def, &header.attributes);
    }

    fn set_attributes(&mut self, def: DefId, attributes: &[Node<'_>]) {
        if attributes.is_empty() {
            return;
        }
        self.b.open_owner(def);
        let decorators: Vec<ExprId> = attributes.iter().map(|a| self.attribute(*a)).collect();
        self.b.close_owner();
        self.b.def_mut(def).decorators = decorators.into();
        for attribute in attributes {
            let Some(name) = attribute.field("name") else {
                continue;
            };
            let list = child_of_kind(*attribute, "attribute_argument_list");
            let mark = self.b.read_decorator(name, list);
            self.b.add_decorator(def, mark);
        }
    }

    /// Whether one of the attributes makes a method a test.
    pub(super) fn is_test(&self, header: &Header<'_>) -> bool {
        header.attributes.iter().any(|attribute| {
            let name = attribute.field("name").map_or("", |n| self.b.text(n));
            let name = name.rsplit('.').next().unwrap_or(name);
            TESTS.contains(&name.strip_suffix("Attribute").unwrap_or(name))
        })
    }

    /// Reads attributes that belong to no definition of their own: those of parameters and of the assembly.
    pub(super) fn attributes_in(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match child.kind_name() {
                "attribute" => {
                    self.attribute(child);
                }
                "attribute_list" => {
                    for attribute in children_of_kind(child, "attribute") {
                        self.attribute(attribute);
                    }
                }
                _ => {}
            }
        }
    }

    /// An attribute as a call of its class.
    fn attribute(&mut self, node: Node<'_>) -> ExprId {
        let Some(name) = node.field("name") else {
            return self.b.add_expr(Expr::Unknown);
        };
        if !self.b.enter_level() {
            return self.b.add_expr(Expr::Unknown);
        }
        let (ty, name_node) = self.attribute_type(name);
        let callee = self.b.add_expr(Expr::Type(ty));
        let list = child_of_kind(node, "attribute_argument_list");
        let args = list.map(|l| self.attribute_arguments(l));
        let argc = args.as_ref().map_or(0, Vec::len);
        let expr = match args {
            None => callee,
            Some(args) => self.b.add_expr(Expr::Call {
                callee,
                args: args.into(),
                type_args: Box::default(),
            }),
        };
        self.b.add_call(expr, CallKind::Decorator, argc, name_node);
        self.b.leave_level();
        expr
    }

    /// The arguments of an attribute. Properties that it sets (`Name = 1`) are not arguments of the constructor.
    fn attribute_arguments(&mut self, list: Node<'_>) -> Vec<ExprId> {
        let mut out = Vec::new();
        for argument in children_of_kind(list, "attribute_argument") {
            let Some(value) = super::last_expression(argument) else {
                continue;
            };
            let expr = self.expr(value);
            match argument.field("name") {
                None => out.push(expr),
                Some(name) if super::has_word(argument, ":") => {
                    let name = self.b.intern_node_text(name);
                    out.push(self.b.add_expr(Expr::Keyword(name, expr)));
                }
                Some(_) => {}
            }
        }
        out
    }
}
