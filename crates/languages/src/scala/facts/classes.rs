//! Classes, traits, objects, enums, givens, extensions.

use super::{Walker, children_of_kind, field_nodes, has_word, parts};
use base::SymbolKind;
use syntax::facts::*;
use syntax::fields::{Fields, child_of_kind};
use tree_sitter::Node;

/// A supertype with the arguments for its constructor.
struct Parent<'t> {
    ty: TypeId,
    name: Node<'t>,
    arguments: Vec<Node<'t>>,
}

impl Walker<'_, '_> {
    pub(super) fn class(&mut self, node: Node<'_>, doc: Option<&str>) {
        let Some(name_node) = node.field("name") else {
            return;
        };
        let kind = match node.kind_name() {
            "trait_definition" => SymbolKind::Trait,
            "enum_definition" => SymbolKind::Enum,
            _ => SymbolKind::Class,
        };
        let name = self.plain_name(name_node);
        let def = self.b.add_def(name, kind, node, name_node);
        self.b.bind(name, Namespace::TYPE, Bound::Def(def));
        if has_word(node, "case") {
            self.b.def_mut(def).flags.set(DefFlags::CASE);
        }
        self.template(def, node, doc);
    }

    pub(super) fn object(&mut self, node: Node<'_>, doc: Option<&str>) {
        let Some(name_node) = node.field("name") else {
            return;
        };
        let name = self.plain_name(name_node);
        let def = self.b.add_def(name, SymbolKind::Class, node, name_node);
        self.b.bind(name, Namespace::VALUE, Bound::Def(def));
        self.b.def_mut(def).flags.set(DefFlags::OBJECT);
        self.template(def, node, doc);
    }

    /// Reads type parameters, supertypes and members of a definition that has them.
    pub(super) fn template(&mut self, def: DefId, node: Node<'_>, doc: Option<&str>) {
        let body = node.field("body");
        self.set_header(def, node, body, doc);
        let was_local = std::mem::replace(&mut self.is_local, false);
        self.b.open_scope(ScopeKind::Block, None);
        self.b.open_owner(def);
        if let Some(list) = node.field("type_parameters") {
            let mut params = Vec::new();
            self.type_parameters(def, list, &mut params);
            self.b.def_mut(def).type_params = params.into();
        }
        let extends = node.field("extend");
        let parents = extends.map(|clause| self.parents(clause));
        let parents = parents.unwrap_or_default();
        self.set_supers(def, &parents);
        if let Some(clause) = node.field("derive") {
            for ty in field_nodes(clause, "type") {
                self.ty(ty);
            }
        }
        let lists = field_nodes(node, "class_parameters");
        let typed = self.class_parameter_types(&lists);
        self.b.close_owner();
        self.types.push(def);
        self.b.open_def(def, ScopeKind::Class);
        self.class_parameters(def, &lists, typed);
        self.call_parents(parents);
        if let Some(body) = body {
            self.template_body(def, body);
        }
        self.b.close_def();
        self.types.pop();
        self.b.close_scope();
        self.is_local = was_local;
    }

    fn set_supers(&mut self, def: DefId, parents: &[Parent<'_>]) {
        let supers: Vec<(TypeId, SuperKind)> = parents
            .iter()
            .map(|parent| (parent.ty, SuperKind::Extends))
            .collect();
        let is_app = parents
            .iter()
            .any(|parent| self.b.text(parent.name) == "App");
        let it = self.b.def_mut(def);
        it.supers = supers.into();
        if is_app && it.flags.has(DefFlags::OBJECT) {
            it.flags.set(DefFlags::ENTRY);
        }
    }

    /// The supertypes of an `extends` clause. Their last names are calls where they have arguments.
    fn parents<'t>(&mut self, clause: Node<'t>) -> Vec<Parent<'t>> {
        let mut out: Vec<Parent<'t>> = Vec::new();
        for child in parts(clause) {
            match child.kind_name() {
                "arguments" => {
                    if let Some(last) = out.last_mut() {
                        last.arguments.push(child);
                    }
                }
                "compound_type" => {
                    let base = child.field("base").into_iter();
                    for part in base.chain(field_nodes(child, "extra")) {
                        self.parent(part, &mut out);
                    }
                }
                _ => self.parent(child, &mut out),
            }
        }
        out
    }

    fn parent<'t>(&mut self, node: Node<'t>, out: &mut Vec<Parent<'t>>) {
        if node.kind_name() == "refinement" {
            return;
        }
        let arguments = match node.kind_name() {
            "applied_constructor_type" => children_of_kind(node, "arguments"),
            _ => Vec::new(),
        };
        let (ty, name) = self.constructed_type(node);
        self.b.add_reference(RefTarget::Type(ty), name);
        out.push(Parent {
            ty,
            name,
            arguments,
        });
    }

    /// The calls of the constructors of supertypes that have arguments.
    fn call_parents(&mut self, parents: Vec<Parent<'_>>) {
        for parent in parents {
            if parent.arguments.is_empty() {
                continue;
            }
            let class = self.b.add_expr(Expr::Type(parent.ty));
            let lists = parent.arguments.into_iter();
            let was_local = std::mem::replace(&mut self.is_local, true);
            let args: Vec<ExprId> = lists.flat_map(|list| self.arguments(list)).collect();
            self.is_local = was_local;
            let argc = args.len();
            let new = self.add_new(class, args);
            self.b.add_call(new, CallKind::New, argc, parent.name);
        }
    }

    /// The members, and the self type, which [`Def::ty`] keeps.
    pub(super) fn template_body(&mut self, def: DefId, body: Node<'_>) {
        if let Some(own) = child_of_kind(body, "self_type") {
            let inside = parts(own);
            let mut inside = inside.into_iter();
            let name = inside.next();
            if let Some(written) = inside.next() {
                let ty = self.ty(written);
                self.b.def_mut(def).ty = Some(ty);
            }
            if let Some(name) = name.filter(|n| n.kind_name() == "identifier")
                && self.b.text(name) != "this"
            {
                let name = self.plain_name(name);
                let ty = Some(self.b.add_type(TypeExpr::SelfType(def)));
                let to = Bound::Local { ty, value: None };
                self.b.bind(name, Namespace::VALUE, to);
            }
        }
        self.body(body);
    }

    /// The types of constructor parameters, which do not see the members of the class.
    fn class_parameter_types(&mut self, lists: &[Node<'_>]) -> Vec<Option<TypeId>> {
        let mut types = Vec::new();
        for list in lists {
            for param in children_of_kind(*list, "class_parameter") {
                let ty = param.field("type");
                types.push(ty.filter(Node::is_named).map(|ty| self.ty(ty)));
            }
        }
        types
    }

    /// Parameters of the primary constructor, and the properties that they make.
    fn class_parameters(&mut self, def: DefId, lists: &[Node<'_>], types: Vec<Option<TypeId>>) {
        if lists.is_empty() {
            return;
        }
        let is_case = self.b.facts().def(def).flags.has(DefFlags::CASE);
        let mut types = types.into_iter();
        let mut params: Vec<Param> = Vec::new();
        let mut counts = Vec::new();
        for (at, list) in lists.iter().enumerate() {
            let implicit = has_word(*list, "implicit") || has_word(*list, "using");
            let nodes = children_of_kind(*list, "class_parameter");
            counts.push(nodes.len() as u32);
            for node in nodes {
                let ty = types.next().flatten();
                let Some(name_node) = node.field("name") else {
                    continue;
                };
                let name = self.plain_name(name_node);
                let is_property =
                    has_word(node, "val") || has_word(node, "var") || (is_case && at == 0);
                let to = if is_property {
                    Bound::Def(self.parameter_property(node, name_node, ty))
                } else {
                    Bound::Param(def, params.len() as u32)
                };
                self.b.bind(name, Namespace::VALUE, to);
                let default = node.field("default_value");
                let default = default.map(|value| self.initial_value(value, ty));
                params.push(Param {
                    name,
                    ty,
                    default,
                    kind: parameter_kind(node, implicit, default.is_some()),
                });
            }
        }
        self.b.def_mut(def).callable = Some(Box::new(Callable {
            params,
            lists: counts.into(),
            ..Callable::default()
        }));
    }

    /// A constructor parameter that is a member.
    fn parameter_property(
        &mut self,
        node: Node<'_>,
        name_node: Node<'_>,
        ty: Option<TypeId>,
    ) -> DefId {
        let name = self.plain_name(name_node);
        let property = self.b.add_def(name, SymbolKind::Property, node, name_node);
        self.set_header(property, node, None, None);
        self.b.def_mut(property).ty = ty;
        property
    }

    pub(super) fn enum_cases(&mut self, node: Node<'_>, doc: Option<&str>) {
        for case in parts(node) {
            let Some(name_node) = case.field("name") else {
                continue;
            };
            let name = self.plain_name(name_node);
            let def = self
                .b
                .add_def(name, SymbolKind::EnumMember, case, name_node);
            self.b.bind(name, Namespace::BOTH, Bound::Def(def));
            self.template(def, case, doc);
        }
    }

    /// `given Ord[Int] with { … }`, `given x: T = …`.
    pub(super) fn given(&mut self, node: Node<'_>, doc: Option<&str>) {
        let types = field_nodes(node, "return_type");
        let name_node = node.field("name");
        let at = name_node.or(types.first().copied()).unwrap_or(node);
        let name = match name_node {
            Some(name) => self.plain_name(name),
            None => {
                let text = self.b.text(at);
                let text = format!("given_{}", given_name(text));
                self.b.intern_owned_name(&text)
            }
        };
        let body = node.field("body");
        let members =
            body.filter(|b| matches!(b.kind_name(), "template_body" | "with_template_body"));
        let def = self.b.add_def(name, SymbolKind::Variable, node, at);
        self.b.bind(name, Namespace::VALUE, Bound::Def(def));
        self.set_header(def, node, body, doc);
        self.b.def_mut(def).flags.set(DefFlags::IMPLICIT);
        let was_local = std::mem::replace(&mut self.is_local, false);
        self.b.open_scope(ScopeKind::Block, None);
        self.b.open_owner(def);
        let mut params = Vec::new();
        for list in field_nodes(node, "type_parameters") {
            self.type_parameters(def, list, &mut params);
        }
        self.b.def_mut(def).type_params = params.into();
        for list in field_nodes(node, "parameters") {
            self.given_parameters(list);
        }
        let types: Vec<TypeId> = types.into_iter().map(|ty| self.ty(ty)).collect();
        self.b.def_mut(def).ty = types.first().copied();
        self.b.close_owner();
        match (members, body) {
            (Some(members), _) => {
                let it = self.b.def_mut(def);
                it.flags.set(DefFlags::OBJECT);
                it.kind = SymbolKind::Class;
                it.supers = types.iter().map(|ty| (*ty, SuperKind::Extends)).collect();
                it.ty = None;
                self.types.push(def);
                self.b.open_def(def, ScopeKind::Class);
                self.template_body(def, members);
                self.b.close_def();
                self.types.pop();
            }
            (None, Some(value)) => {
                let ty = types.first().copied();
                self.b.open_owner(def);
                let value = self.initial_value(value, ty);
                self.b.def_mut(def).value = Some(value);
                self.b.close_owner();
            }
            _ => {}
        }
        self.b.close_scope();
        self.is_local = was_local;
    }

    /// Parameters of a given, bound as local values.
    fn given_parameters(&mut self, list: Node<'_>) {
        for param in children_of_kind(list, "parameter") {
            let ty = param.field("type").filter(Node::is_named);
            let ty = ty.map(|ty| self.ty(ty));
            if let Some(name) = param.field("name") {
                let name = self.plain_name(name);
                let to = Bound::Local { ty, value: None };
                self.b.bind(name, Namespace::VALUE, to);
            }
        }
    }

    /// `extension (x: T) def f …`: each method has the parameters of the extension before its own.
    pub(super) fn extension(&mut self, node: Node<'_>) {
        for method in field_nodes(node, "body") {
            self.extension_methods(method, node);
        }
    }

    fn extension_methods(&mut self, node: Node<'_>, extension: Node<'_>) {
        match node.kind_name() {
            "function_definition" | "function_declaration" => {
                self.function(node, None, vec![extension]);
            }
            _ => {
                self.statement(node, None);
            }
        }
    }
}

/// The kind of a parameter.
pub(super) fn parameter_kind(node: Node<'_>, implicit: bool, has_default: bool) -> ParamKind {
    if implicit {
        ParamKind::KeywordOnly
    } else if child_of_kind(node, "repeated_parameter_type").is_some() {
        ParamKind::Variadic
    } else if has_default {
        ParamKind::Optional
    } else {
        ParamKind::Plain
    }
}

/// The name that the compiler gives a given without one.
fn given_name(ty: &str) -> String {
    let words = ty.split(|c: char| !c.is_alphanumeric() && c != '_');
    let words: Vec<&str> = words.filter(|w| !w.is_empty()).take(4).collect();
    words.join("_")
}
