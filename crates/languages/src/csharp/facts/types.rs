//! Written types.

use super::{Walker, children_of_kind, has_word};
use syntax::facts::*;
use syntax::fields::{Fields, child_of_kind};
use tree_sitter::Node;

/// Most dimensions of an array, less one, that are told apart.
const MAX_RANK: usize = 31;

impl Walker<'_, '_> {
    /// Reads a type, and records references to its names.
    pub(super) fn ty(&mut self, node: Node<'_>) -> TypeId {
        if !self.b.enter_level() {
            return self.b.add_type(TypeExpr::Unknown);
        }
        let ty = self.ty_inner(node);
        self.b.leave_level();
        ty
    }

    fn ty_inner(&mut self, node: Node<'_>) -> TypeId {
        match node.kind_name() {
            "identifier" | "generic_name" | "qualified_name" | "alias_qualified_name" => {
                self.named(node, true)
            }
            "predefined_type" => self.predefined(node),
            "nullable_type" => {
                let inner = self.inner_type(node);
                self.b.add_type(TypeExpr::Optional(inner))
            }
            "array_type" => self.array_type(node),
            "tuple_type" => self.tuple_type(node),
            "ref_type" | "scoped_type" => self.inner_type(node),
            _ => self.b.add_type(TypeExpr::Unknown),
        }
    }

    fn inner_type(&mut self, node: Node<'_>) -> TypeId {
        match node.field("type") {
            Some(inner) => self.ty(inner),
            None => self.b.add_type(TypeExpr::Unknown),
        }
    }

    /// Reads a type that is written out, not `var`.
    pub(super) fn written_type(&mut self, node: Option<Node<'_>>) -> Option<TypeId> {
        let node = node?;
        let is_var = node.kind_name() == "implicit_type" || self.b.text(node) == "var";
        (!is_var).then(|| self.ty(node))
    }

    fn predefined(&mut self, node: Node<'_>) -> TypeId {
        let name = self.b.intern_node_text(node);
        self.type_by_name(name, Box::default(), node)
    }

    /// A type of a single name.
    fn type_by_name(&mut self, name: NameId, args: Box<[TypeId]>, at: Node<'_>) -> TypeId {
        let scope = self.b.current_scope();
        self.b.add_type(TypeExpr::Named {
            path: Box::from([name]),
            args,
            scope,
            at: at.start_byte() as u32,
        })
    }

    /// A type of `System` that the source does not name, such as `Type` for `typeof(T)`.
    pub(super) fn system_type(&mut self, name: &str) -> TypeId {
        let path = ["System", name].map(|part| self.b.intern_owned_name(part));
        self.b.add_type(TypeExpr::Named {
            path: path.into(),
            args: Box::default(),
            scope: FILE_SCOPE,
            at: 0,
        })
    }

    /// The class of `new T(…)`. Its last name is a call, so no reference is recorded for it. Also returns the node of
    /// the last name.
    pub(super) fn constructed_type<'t>(&mut self, node: Node<'t>) -> (TypeId, Node<'t>) {
        match node.kind_name() {
            "identifier" | "generic_name" | "qualified_name" | "alias_qualified_name" => {
                let ty = self.named(node, false);
                (ty, last_identifier(node))
            }
            _ => (self.ty(node), node),
        }
    }

    /// The class of an attribute. Its name ends in `Attribute`, even if the source leaves that out.
    pub(super) fn attribute_type<'t>(&mut self, node: Node<'t>) -> (TypeId, Node<'t>) {
        let (ty, name_node) = self.constructed_type(node);
        let text = self.b.text(name_node);
        if text.ends_with("Attribute") {
            return (ty, name_node);
        }
        let full = self.b.intern_owned_name(&format!("{text}Attribute"));
        if let TypeExpr::Named { path, .. } = &mut self.b.facts_mut().types[ty.index()]
            && let Some(last) = path.last_mut()
        {
            *last = full;
        }
        (ty, name_node)
    }

    fn named(&mut self, node: Node<'_>, note: bool) -> TypeId {
        let mut parts = Vec::new();
        let mut is_global = false;
        let mut next = Some(node);
        while let Some(part) = next {
            parts.push(part.field("name").filter(|_| is_path(part)).unwrap_or(part));
            is_global |= part.kind_name() == "alias_qualified_name";
            next = part.field("qualifier");
        }
        parts.reverse();
        let Some(last) = parts.last().copied() else {
            return self.b.add_type(TypeExpr::Unknown);
        };
        let mut args = Vec::new();
        let mut path = Vec::new();
        for part in &parts {
            args = self.type_arguments_of(*part);
            path.push(self.b.intern_node_text(identifier_of(*part)));
        }
        let scope = if is_global {
            FILE_SCOPE
        } else {
            self.b.current_scope()
        };
        let at = node.start_byte() as u32;
        let ty = self.b.add_type(TypeExpr::Named {
            path: path.into(),
            args: args.into(),
            scope,
            at,
        });
        if note {
            self.b
                .add_reference(RefTarget::Type(ty), identifier_of(last));
        }
        ty
    }

    /// The type arguments of a name. `A<,>` has unknown ones.
    pub(super) fn type_arguments_of(&mut self, node: Node<'_>) -> Vec<TypeId> {
        let Some(list) = child_of_kind(node, "type_argument_list") else {
            return Vec::new();
        };
        let mut cursor = list.walk();
        let written: Vec<Node<'_>> = list
            .named_children(&mut cursor)
            .filter(|c| !c.is_extra())
            .collect();
        if !written.is_empty() {
            return written.into_iter().map(|t| self.ty(t)).collect();
        }
        (0..=count_of(list, ","))
            .map(|_| self.b.add_type(TypeExpr::Unknown))
            .collect()
    }

    /// `T[][,]` is an array of arrays with two dimensions: the first brackets are the outermost.
    fn array_type(&mut self, node: Node<'_>) -> TypeId {
        let mut ranks = Vec::new();
        let mut next = node;
        loop {
            ranks.push(next.field("rank"));
            match next.field("type") {
                Some(inner) if inner.kind_name() == "array_type" => next = inner,
                _ => break,
            }
        }
        let mut ty = self.inner_type(next);
        for rank in ranks {
            let mut commas = 0;
            if let Some(rank) = rank {
                for size in super::expressions(rank) {
                    self.expr(size);
                }
                commas = count_of(rank, ",");
            }
            ty = self.array_of(ty, commas);
        }
        ty
    }

    /// An array. One with several dimensions is a type of its own: `System.[,]`.
    fn array_of(&mut self, element: TypeId, commas: usize) -> TypeId {
        if commas == 0 {
            return self.b.add_type(TypeExpr::Array(element));
        }
        let name = format!("[{}]", ",".repeat(commas.min(MAX_RANK)));
        let path = ["System", &name].map(|part| self.b.intern_owned_name(part));
        self.b.add_type(TypeExpr::Named {
            path: path.into(),
            args: Box::from([element]),
            scope: FILE_SCOPE,
            at: 0,
        })
    }

    /// `(int a, string b)`. An element with a name is recorded as a binding.
    fn tuple_type(&mut self, node: Node<'_>) -> TypeId {
        let mut parts = Vec::new();
        for element in children_of_kind(node, "tuple_element") {
            let mut ty = self.inner_type(element);
            if let Some(name) = element.field("name") {
                let name = self.b.intern_node_text(name);
                ty = self.b.add_type(TypeExpr::Binding(name, ty));
            }
            parts.push(ty);
        }
        self.b.add_type(TypeExpr::Tuple(parts.into()))
    }

    /// The type parameters of a definition, bound in the current scope, with their constraints.
    pub(super) fn type_parameters(&mut self, def: DefId, node: Node<'_>) {
        let Some(list) = child_of_kind(node, "type_parameter_list") else {
            return;
        };
        let mut out: Vec<TypeParam> = Vec::new();
        for param in children_of_kind(list, "type_parameter") {
            self.attributes_in(param);
            let Some(name) = param.field("name") else {
                continue;
            };
            let name = self.b.intern_node_text(name);
            let at = out.len() as u32;
            self.b
                .bind(name, Namespace::TYPE, Bound::TypeParam(def, at));
            out.push(TypeParam {
                name,
                bounds: Box::default(),
                default: None,
            });
        }
        for clause in children_of_kind(node, "type_parameter_constraints_clause") {
            self.constraints(clause, &mut out);
        }
        self.b.def_mut(def).type_params = out.into();
    }

    fn constraints(&mut self, clause: Node<'_>, params: &mut [TypeParam]) {
        let Some(name) = child_of_kind(clause, "identifier") else {
            return;
        };
        let name = self.b.intern_node_text(name);
        let all = children_of_kind(clause, "type_parameter_constraint");
        let mut kind = None;
        let mut bounds = Vec::new();
        for constraint in all {
            match constraint.field("type").map(|t| (self.b.text(t), t)) {
                Some(("unmanaged", _)) => kind = Some("ValueType"),
                Some(("notnull", _)) => {}
                Some((_, written)) => bounds.push(self.ty(written)),
                None if has_word(constraint, "struct") => kind = Some("ValueType"),
                None if has_word(constraint, "unmanaged") => kind = Some("ValueType"),
                None if has_word(constraint, "class") => kind = Some("Object"),
                None => {}
            }
        }
        let kind = kind.map(|kind| self.system_type(kind));
        if let Some(param) = params.iter_mut().find(|p| p.name == name) {
            param.bounds = bounds.into();
            param.default = kind;
        }
    }
}

/// How many unnamed children have a given text.
pub(super) fn count_of(node: Node<'_>, word: &str) -> usize {
    let mut cursor = node.walk();
    let children = node.children(&mut cursor);
    children.filter(|c| c.kind_name() == word).count()
}

fn is_path(node: Node<'_>) -> bool {
    matches!(
        node.kind_name(),
        "qualified_name" | "alias_qualified_name" | "member_access_expression"
    )
}

/// The identifier of a name with or without type arguments.
pub(super) fn identifier_of(node: Node<'_>) -> Node<'_> {
    match node.kind_name() {
        "generic_name" => child_of_kind(node, "identifier").unwrap_or(node),
        _ => node,
    }
}

/// The last identifier of a dotted name.
fn last_identifier(node: Node<'_>) -> Node<'_> {
    let last = node.field("name").filter(|_| is_path(node)).unwrap_or(node);
    identifier_of(last)
}
