//! Classes, interfaces, objects, enums, companions, object literals, type aliases.

use super::headers::Parts;
use super::{ClassFrame, Walker, children_of_kind, code_children, is_type, word_child};
use base::{SymbolKind, Visibility};
use syntax::facts::*;
use syntax::fields::{Fields, child_of_kind};
use tree_sitter::Node;

impl Walker<'_, '_> {
    pub(super) fn class_declaration(&mut self, node: Node<'_>) {
        let Some(name_node) = node.field("name") else {
            return;
        };
        let header = self.header(node);
        let body = class_body_of(node);
        let is_interface = word_child(node, "interface").is_some();
        let kind = if is_interface {
            SymbolKind::Interface
        } else if header.is_enum || body.is_some_and(|b| b.kind_name() == "enum_class_body") {
            SymbolKind::Enum
        } else {
            SymbolKind::Class
        };
        let name = self.name(name_node);
        let def = self.b.add_def(name, kind, node, name_node);
        self.bind_definition(name, node, def);
        let parts = Parts {
            name: Some(name_node),
            body,
            parameters: None,
        };
        self.set_header(def, node, &header, parts);
        if is_interface {
            self.b.def_mut(def).flags.set(DefFlags::ABSTRACT);
        }
        // Only an inner class has an object of the class around.
        if !self.classes.is_empty() && !self.is_in_function() && !header.is_inner {
            self.b.def_mut(def).flags.set(DefFlags::STATIC);
        }
        self.class_contents(def, node, body);
    }

    /// Binds a class or function. One inside of a function is visible from its declaration on.
    pub(super) fn bind_definition(&mut self, name: NameId, node: Node<'_>, def: DefId) {
        let from = if self.is_in_function() {
            node.start_byte() as u32
        } else {
            0
        };
        let scope = self.b.current_scope();
        let namespace = if self.b.facts().def(def).kind.is_callable() {
            Namespace::VALUE
        } else {
            Namespace::BOTH
        };
        self.b
            .bind_in(scope, name, namespace, from, Bound::Def(def));
    }

    pub(super) fn object_declaration(&mut self, node: Node<'_>) {
        let Some(name_node) = node.field("name") else {
            return;
        };
        let name = self.name(name_node);
        let flag = DefFlags::OBJECT;
        self.object(node, (name, name_node), flag);
    }

    pub(super) fn companion_object(&mut self, node: Node<'_>) {
        let written = node.field("name");
        let name_node = written.or_else(|| word_child(node, "object"));
        let name_node = name_node.unwrap_or(node);
        let name = match written {
            Some(written) => self.name(written),
            None => self.b.intern_owned_name("Companion"),
        };
        let mut flag = DefFlags::OBJECT;
        flag.set(DefFlags::COMPANION);
        self.object(node, (name, name_node), flag);
    }

    fn object(&mut self, node: Node<'_>, named: (NameId, Node<'_>), flag: DefFlags) {
        let (name, name_node) = named;
        let def = self.b.add_def(name, SymbolKind::Class, node, name_node);
        self.b.def_mut(def).flags.set(flag);
        self.bind_definition(name, node, def);
        let header = self.header(node);
        let body = class_body_of(node);
        let parts = Parts {
            name: Some(name_node),
            body,
            parameters: None,
        };
        self.set_header(def, node, &header, parts);
        self.class_contents(def, node, body);
    }

    /// Type parameters, supertypes, the primary constructor and the members of a class.
    fn class_contents(&mut self, def: DefId, node: Node<'_>, body: Option<Node<'_>>) {
        self.b.open_scope(ScopeKind::Block, None);
        self.b.open_owner(def);
        self.type_parameters(def, node);
        let specifiers = child_of_kind(node, "delegation_specifiers");
        if let Some(specifiers) = specifiers {
            self.supertypes(def, specifiers);
        }
        self.b.close_owner();
        self.open_class(def);
        let frames = std::mem::take(&mut self.frames);
        self.primary_constructor(def, node);
        if let Some(specifiers) = specifiers {
            self.super_calls(def, specifiers);
        }
        let body = body.or_else(|| specifiers.and_then(body_behind_delegate));
        if let Some(body) = body {
            self.members(body);
        }
        self.frames = frames;
        self.close_class();
        self.b.close_scope();
    }

    fn open_class(&mut self, def: DefId) {
        let kind = self.b.facts().def(def).kind;
        self.b.open_def(def, ScopeKind::Class);
        self.classes.push(ClassFrame {
            def,
            constructor: None,
            is_interface: kind == SymbolKind::Interface,
        });
    }

    fn close_class(&mut self) {
        self.classes.pop();
        self.b.close_def();
    }

    fn members(&mut self, body: Node<'_>) {
        if self.b.enter_level() {
            self.statements(body);
            self.b.leave_level();
        }
    }

    fn supertypes(&mut self, def: DefId, specifiers: Node<'_>) {
        let is_interface = self.b.facts().def(def).kind == SymbolKind::Interface;
        let mut supers = Vec::new();
        for specifier in children_of_kind(specifiers, "delegation_specifier") {
            let Some(inner) = code_children(specifier)
                .into_iter()
                .find(|c| c.kind_name() != "annotation")
            else {
                continue;
            };
            let (written, is_class) = match inner.kind_name() {
                "constructor_invocation" => (super::first_code_child(inner), true),
                "explicit_delegation" => (super::first_code_child(inner), false),
                _ => (Some(inner), false),
            };
            let Some(written) = written else { continue };
            let ty = if is_class {
                self.constructed_type(written)
            } else {
                self.ty(written)
            };
            let kind = if is_class || is_interface {
                SuperKind::Extends
            } else {
                SuperKind::Implements
            };
            supers.push((ty, kind));
        }
        self.b.def_mut(def).supers = supers.into();
    }

    /// The calls of constructors in the list of supertypes, and the values to which interfaces are delegated.
    fn super_calls(&mut self, def: DefId, specifiers: Node<'_>) {
        self.in_constructor(|walker| {
            let written = children_of_kind(specifiers, "delegation_specifier");
            let supers = walker.b.facts().def(def).supers.clone();
            for (specifier, (ty, _)) in written.into_iter().zip(supers) {
                walker.annotations_in(specifier);
                if let Some(call) = child_of_kind(specifier, "constructor_invocation") {
                    walker.constructor_call(call, ty);
                } else if let Some(by) = child_of_kind(specifier, "explicit_delegation")
                    && let Some(value) = code_children(by).get(1)
                {
                    let body = body_behind_delegate(specifiers);
                    let behind = body.and_then(|_| super::first_code_child(*value));
                    walker.expr(behind.unwrap_or(*value));
                }
            }
        });
    }

    /// `Base(1, 2)` in a list of supertypes.
    fn constructor_call(&mut self, node: Node<'_>, ty: TypeId) {
        let Some(written) = super::first_code_child(node) else {
            return;
        };
        let args = child_of_kind(node, "value_arguments").map(|l| self.arguments(l));
        let args = args.unwrap_or_default();
        let class = self.b.add_expr(Expr::Type(ty));
        self.new_call(class, args, super::types::last_identifier(written));
    }

    /// Adds the call of a constructor.
    pub(super) fn new_call(&mut self, class: ExprId, args: Vec<ExprId>, at: Node<'_>) -> ExprId {
        let argc = args.len();
        let literals = self.function_literals(&args);
        let call = self.b.add_expr(Expr::New {
            class,
            args: args.into(),
            type_args: Box::default(),
        });
        self.expect_literals(literals, call);
        self.b.add_call(call, CallKind::New, argc, at);
        call
    }

    /// Reads code that sees the parameters of the primary constructor.
    pub(super) fn in_constructor<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let scope = self.classes.last().and_then(|class| class.constructor);
        if let Some(scope) = scope {
            self.b.reopen_scope(scope);
        }
        let found = read(self);
        if scope.is_some() {
            self.b.close_scope();
        }
        found
    }

    fn primary_constructor(&mut self, def: DefId, node: Node<'_>) {
        let Some(constructor) = child_of_kind(node, "primary_constructor") else {
            return;
        };
        if let Some(modifiers) = child_of_kind(constructor, "modifiers") {
            self.annotations_in(modifiers);
            if self.header(constructor).visibility == Visibility::Private {
                self.b.def_mut(def).flags.set(DefFlags::PRIVATE_CONSTRUCTOR);
            }
        }
        let Some(list) = child_of_kind(constructor, "class_parameters") else {
            return;
        };
        let written = children_of_kind(list, "class_parameter");
        let scope = self.b.open_scope(ScopeKind::Block, None);
        let mut params = Vec::new();
        let mut defaults = Vec::new();
        let mut types = Vec::new();
        for param in &written {
            let Some(name_node) = child_of_kind(*param, "identifier") else {
                continue;
            };
            let name = self.name(name_node);
            let ty = code_children(*param).into_iter().find(|c| is_type(*c));
            let ty = ty.map(|ty| self.ty(ty));
            types.push(ty);
            let default = word_child(*param, "=").and_then(|_| code_children(*param).pop());
            let is_variadic = child_of_kind(*param, "modifiers")
                .is_some_and(|m| self.b.text(m).contains("vararg"));
            let kind = match (is_variadic, default) {
                (true, _) => ParamKind::Variadic,
                (_, Some(_)) => ParamKind::Optional,
                _ => ParamKind::Plain,
            };
            params.push(Param {
                name,
                ty,
                default: None,
                kind,
            });
            defaults.push(default);
        }
        for (param, n) in params.iter().zip(0..) {
            let to = Bound::Param(def, n);
            self.b.bind_in(scope, param.name, Namespace::VALUE, 0, to);
        }
        self.b.def_mut(def).callable = Some(Box::new(Callable {
            params,
            ..Callable::default()
        }));
        for (n, default) in defaults.into_iter().enumerate() {
            let Some(default) = default else { continue };
            let value = self.expr_expecting(default, types[n]);
            if let Some(callable) = &mut self.b.def_mut(def).callable {
                callable.params[n].default = Some(value);
            }
        }
        self.b.close_scope();
        if let Some(class) = self.classes.last_mut() {
            class.constructor = Some(scope);
        }
        self.constructor_properties(&written);
    }

    /// The properties that a primary constructor declares with `val` and `var`.
    fn constructor_properties(&mut self, written: &[Node<'_>]) {
        let Some(class) = self.current_class() else {
            return;
        };
        let named = written
            .iter()
            .filter(|param| child_of_kind(**param, "identifier").is_some());
        for (param, n) in named.zip(0..) {
            let is_property = ["val", "var"]
                .iter()
                .any(|word| word_child(*param, word).is_some());
            let header = self.header(*param);
            let Some(name_node) = child_of_kind(*param, "identifier").filter(|_| is_property)
            else {
                for annotation in header.annotations {
                    self.annotation(annotation);
                }
                continue;
            };
            let callable = self.b.facts().def(class).callable.as_deref();
            let declared = callable.and_then(|c| c.params.get(n));
            let (ty, kind) = declared.map_or((None, ParamKind::Plain), |p| (p.ty, p.kind));
            let ty = match (ty, kind) {
                (Some(ty), ParamKind::Variadic) => Some(self.b.add_type(TypeExpr::Array(ty))),
                (ty, _) => ty,
            };
            let name = self.name(name_node);
            let def = self
                .b
                .add_def(name, SymbolKind::Property, *param, name_node);
            self.b.bind(name, Namespace::VALUE, Bound::Def(def));
            let parts = Parts {
                name: Some(name_node),
                ..Parts::default()
            };
            self.set_header(def, *param, &header, parts);
            self.b.def_mut(def).ty = ty;
        }
    }

    pub(super) fn enum_entry(&mut self, node: Node<'_>) {
        let Some(name_node) = child_of_kind(node, "identifier") else {
            return;
        };
        let name = self.name(name_node);
        let def = self
            .b
            .add_def(name, SymbolKind::EnumMember, node, name_node);
        self.b.bind(name, Namespace::VALUE, Bound::Def(def));
        let header = self.header(node);
        let parts = Parts {
            name: Some(name_node),
            body: class_body_of(node),
            parameters: None,
        };
        self.set_header(def, node, &header, parts);
        self.b.open_owner(def);
        if let Some(list) = child_of_kind(node, "value_arguments")
            && let Some(class) = self.current_class()
        {
            let ty = self.b.add_type(TypeExpr::SelfType(class));
            let args = self.in_constructor(|walker| walker.arguments(list));
            let class = self.b.add_expr(Expr::Type(ty));
            self.new_call(class, args, name_node);
        }
        self.b.close_owner();
        if let Some(body) = child_of_kind(node, "class_body") {
            if let Some(class) = self.current_class() {
                let ty = self.b.add_type(TypeExpr::SelfType(class));
                self.b.def_mut(def).supers = Box::from([(ty, SuperKind::Extends)]);
            }
            self.open_class(def);
            let frames = std::mem::take(&mut self.frames);
            self.members(body);
            self.frames = frames;
            self.close_class();
        }
    }

    /// `object : A(), B { … }`.
    pub(super) fn object_literal(&mut self, node: Node<'_>) -> ExprId {
        let name = self.b.intern_owned_name("<anonymous>");
        let def = self.b.add_def(name, SymbolKind::Class, node, node);
        let it = self.b.def_mut(def);
        it.flags.set(DefFlags::ANONYMOUS);
        it.visibility = Visibility::Private;
        let body = child_of_kind(node, "class_body");
        self.class_contents(def, node, body);
        let class = self.b.add_expr(Expr::Function(def));
        self.b.add_expr(Expr::New {
            class,
            args: Box::default(),
            type_args: Box::default(),
        })
    }

    pub(super) fn type_alias(&mut self, node: Node<'_>) {
        let Some(name_node) = node.field("type").filter(|n| n.kind_name() == "identifier") else {
            return;
        };
        let name = self.name(name_node);
        let def = self.b.add_def(name, SymbolKind::TypeAlias, node, name_node);
        self.bind_definition(name, node, def);
        let header = self.header(node);
        let parts = Parts {
            name: Some(name_node),
            ..Parts::default()
        };
        self.set_header(def, node, &header, parts);
        self.b.open_def(def, ScopeKind::Block);
        self.type_parameters(def, node);
        let written = code_children(node).into_iter().rfind(|c| is_type(*c));
        let ty = written.map(|written| self.ty(written));
        self.b.def_mut(def).ty = ty;
        self.b.close_def();
    }
}

/// The body of a class behind `by value`, which the grammar reads as a lambda that `value` is called with.
fn body_behind_delegate(specifiers: Node<'_>) -> Option<Node<'_>> {
    let last = children_of_kind(specifiers, "delegation_specifier").pop()?;
    let delegation = child_of_kind(last, "explicit_delegation")?;
    let call = code_children(delegation).pop()?;
    if call.kind_name() != "call_expression" || child_of_kind(call, "value_arguments").is_some() {
        return None;
    }
    let lambda = child_of_kind(child_of_kind(call, "annotated_lambda")?, "lambda_literal")?;
    let first = super::first_code_child(lambda)?;
    first
        .kind_name()
        .ends_with("_declaration")
        .then_some(lambda)
}

/// The body of a class or enum.
fn class_body_of(node: Node<'_>) -> Option<Node<'_>> {
    child_of_kind(node, "class_body").or_else(|| child_of_kind(node, "enum_class_body"))
}
