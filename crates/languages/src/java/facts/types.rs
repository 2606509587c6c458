//! Written types.

use super::{Walker, is_annotation, is_comment};
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

impl Walker<'_, '_> {
    /// A type; records references to its names.
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
            "type_identifier"
            | "identifier"
            | "scoped_type_identifier"
            | "scoped_identifier"
            | "field_access" => self.named(node, Box::default(), true),
            "void_type" | "integral_type" | "floating_point_type" | "boolean_type" => {
                self.primitive(node)
            }
            "generic_type" => self.generic(node),
            "array_type" => self.array_type(node),
            "annotated_type" => self.lower_annotated_type(node),
            "wildcard" => self.lower_wildcard(node),
            "catch_type" => {
                let parts = self.lower_types_in(node);
                match parts.as_slice() {
                    [one] => *one,
                    _ => self.b.add_type(TypeExpr::Union(parts.into())),
                }
            }
            _ => self.b.add_type(TypeExpr::Unknown),
        }
    }

    /// Every type directly inside a node; annotations are read on the way.
    pub(super) fn lower_types_in(&mut self, node: Node<'_>) -> Vec<TypeId> {
        let mut out = Vec::new();
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if is_annotation(child) {
                self.annotation(child);
            } else if !is_comment(child) {
                out.push(self.ty(child));
            }
        }
        out
    }

    /// A primitive or `void`, as a name that nothing binds.
    pub(super) fn primitive(&mut self, node: Node<'_>) -> TypeId {
        let path = Box::from([self.b.intern_node_text(node)]);
        let scope = self.b.current_scope();
        let at = node.start_byte() as u32;
        self.b.add_type(TypeExpr::Named {
            path,
            args: Box::default(),
            scope,
            at,
        })
    }

    /// A name with type arguments that is not in the source in this form (`Class<Foo>` for `Foo.class`).
    pub(super) fn add_synthetic_type(
        &mut self,
        name: &str,
        args: Box<[TypeId]>,
        at: Node<'_>,
    ) -> TypeId {
        let path = Box::from([self.b.intern_owned_name(name)]);
        let scope = self.b.current_scope();
        let at = at.start_byte() as u32;
        self.b.add_type(TypeExpr::Named {
            path,
            args,
            scope,
            at,
        })
    }

    /// The class of `new T(…)` or `@T`. Its last name is a call, so no reference is recorded for it. Also returns the
    /// node of the last name.
    pub(super) fn lower_constructed_type<'t>(&mut self, node: Node<'t>) -> (TypeId, Node<'t>) {
        let mut name = node;
        let mut args = Box::default();
        if matches!(node.kind_name(), "generic_type" | "annotated_type") {
            let mut cursor = node.walk();
            for child in node.named_children(&mut cursor) {
                match child.kind_name() {
                    "type_arguments" => args = self.lower_types_in(child).into(),
                    _ if is_annotation(child) => self.annotation(child),
                    _ if is_comment(child) => {}
                    _ => name = child,
                }
            }
        }
        let ty = self.named(name, args, false);
        (ty, last_segment(name))
    }

    fn named(&mut self, node: Node<'_>, args: Box<[TypeId]>, note: bool) -> TypeId {
        let mut parts = Vec::new();
        self.collect_type_segments(node, &mut parts);
        let Some(last) = parts.last().copied() else {
            return self.b.add_type(TypeExpr::Unknown);
        };
        let scope = self.b.current_scope();
        let at = node.start_byte() as u32;
        let path: Box<[NameId]> = parts.iter().map(|p| self.b.intern_node_text(*p)).collect();
        for (i, part) in parts.iter().enumerate().take(parts.len() - 1) {
            // The outer classes (`Outer` of `Outer.Inner`); package names are in lower case.
            if self.b.text(*part).starts_with(|c: char| c.is_uppercase()) {
                let prefix = path[..=i].into();
                let ty = self.b.add_type(TypeExpr::Named {
                    path: prefix,
                    args: Box::default(),
                    scope,
                    at,
                });
                self.b.add_reference(RefTarget::Type(ty), *part);
            }
        }
        let ty = self.b.add_type(TypeExpr::Named {
            path,
            args,
            scope,
            at,
        });
        if note {
            self.b.add_reference(RefTarget::Type(ty), last);
        }
        ty
    }

    /// The identifiers of a dotted type. Type arguments in between are read, but left out.
    fn collect_type_segments<'t>(&mut self, node: Node<'t>, out: &mut Vec<Node<'t>>) {
        match node.kind_name() {
            "type_identifier" | "identifier" => out.push(node),
            "type_arguments" => {
                self.lower_types_in(node);
            }
            _ if !self.b.enter_level() => {}
            _ => {
                let mut cursor = node.walk();
                for child in node.named_children(&mut cursor) {
                    if is_annotation(child) {
                        self.annotation(child);
                    } else if !is_comment(child) {
                        self.collect_type_segments(child, out);
                    }
                }
                self.b.leave_level();
            }
        }
    }

    fn generic(&mut self, node: Node<'_>) -> TypeId {
        let mut cursor = node.walk();
        let mut name = None;
        let mut args = Box::default();
        for child in node.named_children(&mut cursor) {
            match child.kind_name() {
                "type_arguments" => args = self.lower_types_in(child).into(),
                _ if is_comment(child) => {}
                _ => name = Some(child),
            }
        }
        match name {
            Some(name) => self.named(name, args, true),
            None => self.b.add_type(TypeExpr::Unknown),
        }
    }

    fn array_type(&mut self, node: Node<'_>) -> TypeId {
        let Some(element) = node.field("element") else {
            return self.b.add_type(TypeExpr::Unknown);
        };
        let ty = self.ty(element);
        self.wrap_array_dimensions(ty, node.field("dimensions"))
    }

    /// `T` with the `[]`s of a declarator.
    pub(super) fn wrap_array_dimensions(
        &mut self,
        mut ty: TypeId,
        dimensions: Option<Node<'_>>,
    ) -> TypeId {
        if let Some(dimensions) = dimensions {
            let mut cursor = dimensions.walk();
            let count = dimensions
                .children(&mut cursor)
                .filter(|c| c.kind_name() == "[")
                .count();
            for _ in 0..count {
                ty = self.b.add_type(TypeExpr::Array(ty));
            }
        }
        ty
    }

    fn lower_annotated_type(&mut self, node: Node<'_>) -> TypeId {
        let types = self.lower_types_in(node);
        match types.last() {
            Some(ty) => *ty,
            None => self.b.add_type(TypeExpr::Unknown),
        }
    }

    /// A wildcard becomes its bound, upper or lower.
    fn lower_wildcard(&mut self, node: Node<'_>) -> TypeId {
        let mut bound = None;
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match child.kind_name() {
                "super" => {}
                _ if is_annotation(child) => self.annotation(child),
                _ if is_comment(child) => {}
                _ => bound = Some(self.ty(child)),
            }
        }
        match bound {
            Some(bound) => bound,
            None => self.b.add_type(TypeExpr::Unknown),
        }
    }

    /// The type parameters of a definition, bound in the current scope.
    pub(super) fn visit_type_params(&mut self, def: DefId, node: Option<Node<'_>>) {
        let Some(node) = node else {
            return;
        };
        let mut cursor = node.walk();
        let params: Vec<Node<'_>> = node
            .named_children(&mut cursor)
            .filter(|c| c.kind_name() == "type_parameter")
            .collect();
        let mut out = Vec::with_capacity(params.len());
        for param in &params {
            let mut cursor = param.walk();
            for child in param.named_children(&mut cursor) {
                if is_annotation(child) {
                    self.annotation(child);
                } else if matches!(child.kind_name(), "type_identifier" | "identifier") {
                    let name = self.b.intern_node_text(child);
                    let at = out.len() as u32;
                    self.b
                        .bind(name, Namespace::TYPE, Bound::TypeParam(def, at));
                    out.push(TypeParam {
                        name,
                        bounds: Box::default(),
                        default: None,
                    });
                }
            }
        }
        for (param, slot) in params.iter().zip(out.iter_mut()) {
            if let Some(bound) = super::child_of_kind(*param, "type_bound") {
                slot.bounds = self.lower_types_in(bound).into();
            }
        }
        self.b.def_mut(def).type_params = out.into();
    }
}

/// The last identifier of a dotted name.
fn last_segment(node: Node<'_>) -> Node<'_> {
    let mut at = node;
    while let Some(last) = super::last_child(at) {
        at = last;
    }
    at
}
