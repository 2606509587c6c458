//! Methods, values, type aliases.

use super::classes::parameter_kind;
use super::types::last_name;
use super::{RULES, Walker, children_of_kind, field_nodes, has_word, parts};
use base::SymbolKind;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Parameters so far, with the counts of their lists.
#[derive(Default)]
struct Parameters {
    all: Vec<Param>,
    lists: Vec<u32>,
    types: Vec<TypeParam>,
}

impl Walker<'_, '_> {
    /// Whether a definition here is a member of a type.
    fn is_member(&self) -> bool {
        let owner = self.current_type().map(|def| self.b.facts().def(def).kind);
        !self.is_local && owner.is_some_and(|kind| kind != SymbolKind::Module)
    }

    /// A method. `extensions` has the extension around it, if it is in one.
    pub(super) fn function(
        &mut self,
        node: Node<'_>,
        doc: Option<&str>,
        extensions: Vec<Node<'_>>,
    ) {
        let Some(name_node) = node.field("name") else {
            return;
        };
        let is_constructor = self.b.text(name_node) == "this";
        let kind = match self.is_member() {
            true if is_constructor => SymbolKind::Constructor,
            true => SymbolKind::Method,
            false => SymbolKind::Function,
        };
        let name = self.plain_name(name_node);
        let def = self.b.add_def(name, kind, node, name_node);
        if !is_constructor {
            self.b.bind(name, Namespace::VALUE, Bound::Def(def));
        }
        let body = node.field("body");
        self.set_header(def, node, body, doc);
        if body.is_none() {
            self.b.def_mut(def).flags.set(DefFlags::ABSTRACT);
        }
        if !extensions.is_empty() {
            self.b.def_mut(def).flags.set(DefFlags::EXTENSION);
        }
        if self.b.text(name_node) == "main" && self.is_in_object() {
            self.b.def_mut(def).flags.set(DefFlags::ENTRY);
        }
        self.b.open_def(def, ScopeKind::Function);
        let was_local = std::mem::replace(&mut self.is_local, true);
        let mut found = Parameters::default();
        for extension in extensions {
            self.extension_parameters(def, extension, &mut found);
        }
        for list in field_nodes(node, "parameters") {
            match list.kind_name() {
                "type_parameters" => self.type_parameters(def, list, &mut found.types),
                "parameters" => self.parameter_list(def, list, &mut found),
                _ => {}
            }
        }
        let ret = node.field("return_type").map(|ret| self.ty(ret));
        let it = self.b.def_mut(def);
        it.type_params = found.types.into();
        it.callable = Some(Box::new(Callable {
            params: found.all,
            lists: found.lists.into(),
            ret,
            ..Callable::default()
        }));
        if let Some(body) = body {
            self.function_body(def, node, body);
        }
        self.is_local = was_local;
        self.b.close_def();
        if let Some(body) = body {
            self.b.set_complexity(def, body, &RULES);
        }
    }

    fn is_in_object(&self) -> bool {
        let flags = self.current_type().map(|def| self.b.facts().def(def).flags);
        flags.is_some_and(|flags| flags.has(DefFlags::OBJECT))
    }

    fn function_body(&mut self, def: DefId, node: Node<'_>, body: Node<'_>) {
        let ret = self
            .b
            .facts()
            .def(def)
            .callable
            .as_ref()
            .and_then(|c| c.ret);
        let value = self.full_expecting(body, ret);
        if ret.is_none()
            && has_word(node, "=")
            && let Some(callable) = &mut self.b.def_mut(def).callable
        {
            callable.returns = vec![value];
        }
    }

    /// The parameters of an extension: the object, and those that the compiler fills in.
    fn extension_parameters(&mut self, def: DefId, node: Node<'_>, found: &mut Parameters) {
        if let Some(list) = node.field("type_parameters") {
            self.type_parameters(def, list, &mut found.types);
        }
        for list in field_nodes(node, "parameters") {
            let from = found.all.len();
            self.parameter_list(def, list, found);
            found.lists.pop();
            for param in &mut found.all[from..] {
                if param.kind != ParamKind::KeywordOnly {
                    param.kind = ParamKind::Receiver;
                }
            }
        }
    }

    fn parameter_list(&mut self, def: DefId, list: Node<'_>, found: &mut Parameters) {
        let implicit = has_word(list, "implicit") || has_word(list, "using");
        let mut count = 0;
        for node in children_of_kind(list, "parameter") {
            let Some(name_node) = node.field("name") else {
                continue;
            };
            let written = node.field("type").filter(Node::is_named);
            let ty = match written {
                Some(ty) => Some(self.ty(ty)),
                None => {
                    let mut types = field_nodes(node, "type").into_iter();
                    types.next().map(|ty| self.ty(ty))
                }
            };
            let name = self.plain_name(name_node);
            let at = found.all.len() as u32;
            self.b.bind(name, Namespace::VALUE, Bound::Param(def, at));
            let default = node.field("default_value");
            let default = default.map(|value| self.full_expecting(value, ty));
            count += 1;
            found.all.push(Param {
                name,
                ty,
                default,
                kind: parameter_kind(node, implicit, default.is_some()),
            });
        }
        if count == 0 && implicit {
            // `(using A, B)`: parameters without names.
            for ty in parts(list) {
                let name = self.b.intern_owned_name("_");
                let ty = Some(self.ty(ty));
                count += 1;
                found.all.push(Param {
                    name,
                    ty,
                    default: None,
                    kind: ParamKind::KeywordOnly,
                });
            }
        }
        found.lists.push(count);
    }

    /// The value of a member or of a default argument, in a scope of its own.
    pub(super) fn initial_value(&mut self, value: Node<'_>, ty: Option<TypeId>) -> ExprId {
        let was_local = std::mem::replace(&mut self.is_local, true);
        self.b.open_scope(ScopeKind::Block, None);
        let value = self.full_expecting(value, ty);
        self.b.close_scope();
        self.is_local = was_local;
        value
    }

    /// The kind of a value here.
    fn value_kind(&self) -> SymbolKind {
        match self.current_type() {
            Some(_) => SymbolKind::Property,
            None => SymbolKind::Variable,
        }
    }

    /// `val a = e`, `var a, b: T = e`, `val (a, b) = e`.
    pub(super) fn value_definition(&mut self, node: Node<'_>, doc: Option<&str>) {
        let (Some(pattern), Some(value)) = (node.field("pattern"), node.field("value")) else {
            return;
        };
        if self.is_local {
            return self.local_value(node, pattern, value);
        }
        let names = match pattern.kind_name() {
            "identifier" | "operator_identifier" => vec![pattern],
            "identifiers" => parts(pattern),
            _ => return self.members_of_pattern(node, pattern, value, doc),
        };
        let kind = self.value_kind();
        let defs: Vec<DefId> = names
            .iter()
            .map(|name_node| self.value_member(node, *name_node, kind, doc))
            .collect();
        let Some(first) = defs.first().copied() else {
            return;
        };
        self.b.open_owner(first);
        let ty = node.field("type").map(|ty| self.ty(ty));
        let value = self.initial_value(value, ty);
        self.b.close_owner();
        for def in defs {
            let it = self.b.def_mut(def);
            (it.ty, it.value) = (ty, Some(value));
        }
    }

    fn value_member(
        &mut self,
        node: Node<'_>,
        name_node: Node<'_>,
        kind: SymbolKind,
        doc: Option<&str>,
    ) -> DefId {
        let name = self.plain_name(name_node);
        let def = self.b.add_def(name, kind, node, name_node);
        self.b.bind(name, Namespace::VALUE, Bound::Def(def));
        // A long value is no part of the signature.
        let value = node.field("value");
        let rows = |v: &Node<'_>| v.end_position().row > node.start_position().row;
        self.set_header(def, node, value.filter(rows), doc);
        def
    }

    /// `val Some(a) = e` as members.
    fn members_of_pattern(
        &mut self,
        node: Node<'_>,
        pattern: Node<'_>,
        value: Node<'_>,
        doc: Option<&str>,
    ) {
        let ty = node.field("type").map(|ty| self.ty(ty));
        let mut value = self.initial_value(value, ty);
        if let Some(ty) = ty {
            value = self.b.add_expr(Expr::Cast(value, ty));
        }
        let kind = self.value_kind();
        for bound in self.pattern(pattern, value) {
            let def = self.value_member(node, bound.node, kind, doc);
            let it = self.b.def_mut(def);
            (it.ty, it.value) = (bound.ty, Some(bound.value));
        }
    }

    /// A value in a block. It is visible behind its definition.
    fn local_value(&mut self, node: Node<'_>, pattern: Node<'_>, value: Node<'_>) {
        let ty = node.field("type").map(|ty| self.ty(ty));
        let value = self.full_expecting(value, ty);
        let from = node.end_byte() as u32;
        let scope = self.b.current_scope();
        let names = match pattern.kind_name() {
            "identifier" | "operator_identifier" => vec![pattern],
            "identifiers" => parts(pattern),
            _ => {
                let value = match ty {
                    Some(ty) => self.b.add_expr(Expr::Cast(value, ty)),
                    None => value,
                };
                let bound = self.pattern(pattern, value);
                return self.bind_all(bound, from);
            }
        };
        for name in names {
            let name = self.plain_name(name);
            let value = Some(value);
            let to = Bound::Local { ty, value };
            self.b.bind_in(scope, name, Namespace::VALUE, from, to);
        }
    }

    /// `val a: T` without a value.
    pub(super) fn value_declaration(&mut self, node: Node<'_>, doc: Option<&str>) {
        let names = field_nodes(node, "name");
        let kind = self.value_kind();
        let mut ty = None;
        for name_node in names {
            let def = self.value_member(node, name_node, kind, doc);
            self.b.def_mut(def).flags.set(DefFlags::ABSTRACT);
            if ty.is_none() {
                self.b.open_owner(def);
                ty = node.field("type").map(|ty| self.ty(ty));
                self.b.close_owner();
            }
            self.b.def_mut(def).ty = ty;
        }
    }

    /// `type A = B`, `type A <: B`, `opaque type A = B`.
    pub(super) fn type_alias(&mut self, node: Node<'_>, doc: Option<&str>) {
        let Some(name_node) = node.field("name") else {
            return;
        };
        let name = self.plain_name(last_name(name_node));
        let def = self.b.add_def(name, SymbolKind::TypeAlias, node, name_node);
        self.b.bind(name, Namespace::TYPE, Bound::Def(def));
        self.set_header(def, node, None, doc);
        let is_opaque = super::children_of_kind(node, "opaque_modifier").len() == 1;
        self.b.open_scope(ScopeKind::Block, None);
        self.b.open_owner(def);
        let mut params = Vec::new();
        if let Some(list) = node.field("type_parameters") {
            self.type_parameters(def, list, &mut params);
        }
        self.b.def_mut(def).type_params = params.into();
        let written = node.field("type");
        let upper = field_nodes(node, "bound");
        let upper = upper.into_iter().find(|b| b.kind_name() == "upper_bound");
        let upper = upper.and_then(|bound| bound.field("type"));
        let ty = written.or(upper).map(|ty| self.ty(ty));
        if !is_opaque {
            self.b.def_mut(def).ty = ty;
        }
        if written.is_none() {
            self.b.def_mut(def).flags.set(DefFlags::ABSTRACT);
        }
        self.b.close_owner();
        self.b.close_scope();
    }
}
