//! Written types.

use super::{Walker, field_nodes, first_part, parts};
use syntax::facts::*;
use syntax::fields::{Fields, child_of_kind};
use tree_sitter::Node;

impl Walker<'_, '_> {
    /// Reads a type, and records references to its names.
    pub(super) fn ty(&mut self, node: Node<'_>) -> TypeId {
        if !self.b.enter_level() {
            return self.b.add_type(TypeExpr::Unknown);
        }
        let ty = self.ty_inside(node);
        self.b.leave_level();
        ty
    }

    fn ty_inside(&mut self, node: Node<'_>) -> TypeId {
        match node.kind_name() {
            "type_identifier"
            | "identifier"
            | "operator_identifier"
            | "stable_type_identifier"
            | "stable_identifier" => self.named(node, Vec::new(), true),
            "generic_type" => self.generic(node, true),
            "applied_constructor_type" | "annotated_type" | "existential_type" => {
                self.first_type(node)
            }
            "lazy_parameter_type" | "repeated_parameter_type" => match node.field("type") {
                Some(inner) => self.ty(inner),
                None => self.b.add_type(TypeExpr::Unknown),
            },
            "capturing_type" => match node.field("base") {
                Some(base) => self.ty(base),
                None => self.b.add_type(TypeExpr::Unknown),
            },
            "compound_type" => self.compound(node),
            "infix_type" => self.infix_type(node),
            "tuple_type" => self.tuple_type(node),
            "function_type" => self.function_type(node),
            "singleton_type" => self.singleton(node),
            "projected_type" => self.projected(node),
            "literal_type" => self.literal_type(node),
            _ => self.b.add_type(TypeExpr::Unknown),
        }
    }

    fn first_type(&mut self, node: Node<'_>) -> TypeId {
        match first_part(node) {
            Some(inner) => self.ty(inner),
            None => self.b.add_type(TypeExpr::Unknown),
        }
    }

    /// The class of `new T(…)` or of an annotation. Its last name is a call, so no reference is recorded for it. Also
    /// returns the node of that name.
    pub(super) fn constructed_type<'t>(&mut self, node: Node<'t>) -> (TypeId, Node<'t>) {
        match node.kind_name() {
            "type_identifier"
            | "identifier"
            | "operator_identifier"
            | "stable_type_identifier"
            | "stable_identifier" => {
                let ty = self.named(node, Vec::new(), false);
                (ty, last_name(node))
            }
            "generic_type" => {
                let name = node.field("type").map_or(node, last_name);
                (self.generic(node, false), name)
            }
            "applied_constructor_type" | "annotated_type" => match first_part(node) {
                Some(inner) if self.b.enter_level() => {
                    let found = self.constructed_type(inner);
                    self.b.leave_level();
                    found
                }
                _ => (self.b.add_type(TypeExpr::Unknown), node),
            },
            _ => (self.ty(node), node),
        }
    }

    fn generic(&mut self, node: Node<'_>, note: bool) -> TypeId {
        let args = node
            .field("type_arguments")
            .map(|list| self.type_arguments(list))
            .unwrap_or_default();
        let Some(of) = node.field("type") else {
            return self.b.add_type(TypeExpr::Unknown);
        };
        match of.kind_name() {
            "type_identifier" | "stable_type_identifier" => self.named(of, args, note),
            _ => self.ty(of),
        }
    }

    pub(super) fn type_arguments(&mut self, list: Node<'_>) -> Vec<TypeId> {
        parts(list)
            .into_iter()
            .map(|arg| match arg.kind_name() {
                "named_type_argument" => match arg.field("type") {
                    Some(ty) => self.ty(ty),
                    None => self.b.add_type(TypeExpr::Unknown),
                },
                _ => self.ty(arg),
            })
            .collect()
    }

    /// A name or path, in the namespace of types.
    fn named(&mut self, node: Node<'_>, args: Vec<TypeId>, note: bool) -> TypeId {
        let mut names = Vec::new();
        path_names(node, &mut names);
        let Some(last) = names.last().copied() else {
            return self.b.add_type(TypeExpr::Unknown);
        };
        if self.b.text(last).starts_with(['_', '?']) && self.b.text(last).len() == 1 {
            return self.b.add_type(TypeExpr::Unknown);
        }
        let path: Vec<NameId> = names.iter().map(|n| self.plain_name(*n)).collect();
        let scope = self.b.current_scope();
        let ty = self.b.add_type(TypeExpr::Named {
            path: path.into(),
            args: args.into(),
            scope,
            at: node.start_byte() as u32,
        });
        if note {
            self.b.add_reference(RefTarget::Type(ty), last);
        }
        ty
    }

    /// `A with B { … }`.
    fn compound(&mut self, node: Node<'_>) -> TypeId {
        let base = node.field("base").map(|base| self.ty(base));
        let mut all: Vec<TypeId> = base.into_iter().collect();
        for extra in field_nodes(node, "extra") {
            all.push(self.ty(extra));
        }
        match all[..] {
            [one] => one,
            _ => self.b.add_type(TypeExpr::All(all.into())),
        }
    }

    /// `A & B`, `A | B`, `A :: B`.
    fn infix_type(&mut self, node: Node<'_>) -> TypeId {
        let (Some(left), Some(operator), Some(right)) = (
            node.field("left"),
            node.field("operator"),
            node.field("right"),
        ) else {
            return self.b.add_type(TypeExpr::Unknown);
        };
        let (left, right) = (self.ty(left), self.ty(right));
        match self.b.text(operator) {
            "&" => self.b.add_type(TypeExpr::All(Box::from([left, right]))),
            "|" => self.b.add_type(TypeExpr::Unknown),
            _ => self.named(operator, vec![left, right], true),
        }
    }

    fn tuple_type(&mut self, node: Node<'_>) -> TypeId {
        let parts: Vec<TypeId> = parts(node).into_iter().map(|part| self.ty(part)).collect();
        match parts[..] {
            [one] => one,
            _ => self.b.add_type(TypeExpr::Tuple(parts.into())),
        }
    }

    fn function_type(&mut self, node: Node<'_>) -> TypeId {
        let params = match node.field("parameter_types") {
            Some(list) => {
                let written: Vec<Node<'_>> = parts(list);
                let written = written.into_iter();
                let types = written.filter(|p| p.kind_name() != "erased_modifier");
                types.map(|p| self.ty(p)).collect()
            }
            None => Vec::new(),
        };
        let ret = node.field("return_type").map(|ret| self.ty(ret));
        if node.field("type_parameters").is_some() {
            return self.b.add_type(TypeExpr::Unknown);
        }
        self.b.add_type(TypeExpr::Function {
            params: params.into(),
            ret,
        })
    }

    /// `x.type`: the type of the value.
    fn singleton(&mut self, node: Node<'_>) -> TypeId {
        let Some(path) = first_part(node) else {
            return self.b.add_type(TypeExpr::Unknown);
        };
        if self.b.text(path) == "this" {
            return match self.current_type() {
                Some(def) => self.b.add_type(TypeExpr::SelfType(def)),
                None => self.b.add_type(TypeExpr::Unknown),
            };
        }
        let value = self.stable_path(path);
        self.b.add_type(TypeExpr::TypeOf(value))
    }

    /// `A#B`.
    fn projected(&mut self, node: Node<'_>) -> TypeId {
        let (Some(of), Some(selector)) = (node.field("type"), node.field("selector")) else {
            return self.b.add_type(TypeExpr::Unknown);
        };
        let of = self.ty(of);
        let name = self.plain_name(selector);
        self.b.add_type(TypeExpr::Projection(of, name))
    }

    fn literal_type(&mut self, node: Node<'_>) -> TypeId {
        let primitive = match first_part(node).map_or("", |n| n.kind_name()) {
            "string" => Primitive::String,
            "integer_literal" => Primitive::Int,
            "boolean_literal" => Primitive::Bool,
            "character_literal" => Primitive::Char,
            _ => return self.b.add_type(TypeExpr::Unknown),
        };
        self.b.add_type(TypeExpr::Primitive(primitive))
    }

    /// Binds the type parameters of a list in the current scope, behind those in `out`.
    pub(super) fn type_parameters(&mut self, def: DefId, list: Node<'_>, out: &mut Vec<TypeParam>) {
        for child in parts(list) {
            match child.kind_name() {
                "covariant_type_parameter" | "contravariant_type_parameter" => {
                    if let Some(name) = child.field("name") {
                        self.type_parameter(def, name, out);
                    }
                    for bound in field_nodes(child, "bound") {
                        self.bound(bound, out);
                    }
                }
                "identifier" | "operator_identifier" | "type_identifier" | "wildcard" => {
                    self.type_parameter(def, child, out);
                }
                "upper_bound" | "lower_bound" | "context_bound" | "view_bound" => {
                    self.bound(child, out);
                }
                _ => {}
            }
        }
    }

    fn type_parameter(&mut self, def: DefId, name: Node<'_>, out: &mut Vec<TypeParam>) {
        let name = self.plain_name(name);
        let at = out.len() as u32;
        self.b
            .bind(name, Namespace::TYPE, Bound::TypeParam(def, at));
        out.push(TypeParam {
            name,
            bounds: Box::default(),
            default: None,
        });
    }

    /// A bound of the last type parameter. Only upper bounds say what a value has.
    fn bound(&mut self, bound: Node<'_>, out: &mut [TypeParam]) {
        let Some(written) = bound.field("type") else {
            return;
        };
        let ty = self.ty(written);
        if let (Some(last), "upper_bound") = (out.last_mut(), bound.kind_name()) {
            last.bounds = Box::from([ty]);
        }
    }

    /// A path of values, such as `a.b`, read as values.
    pub(super) fn stable_path(&mut self, node: Node<'_>) -> ExprId {
        let mut names = Vec::new();
        path_names(node, &mut names);
        let mut names = names.into_iter();
        let Some(first) = names.next() else {
            return self.b.add_expr(Expr::Unknown);
        };
        let mut path = self.name_path(first);
        for name_node in names {
            let object = self.b.add_expr(Expr::Bare(path));
            let name = self.plain_name(name_node);
            path = self.b.add_expr(Expr::Member { object, name });
        }
        self.b.add_expr(Expr::Bare(path))
    }
}

/// The identifiers of a path. The part before the last name is a path itself.
pub(super) fn path_names<'t>(node: Node<'t>, out: &mut Vec<Node<'t>>) {
    let mut last_names = Vec::new();
    let mut next = Some(node);
    while let Some(part) = next {
        next = None;
        if part.named_child_count() == 0 {
            last_names.push(part);
            break;
        }
        let inside = parts(part);
        if let Some((last, before)) = inside.split_last() {
            last_names.push(*last);
            next = before.first().copied();
        }
    }
    out.extend(last_names.into_iter().rev());
}

/// The last identifier of a path.
pub(super) fn last_name(node: Node<'_>) -> Node<'_> {
    let mut cursor = node.walk();
    let last = node
        .named_children(&mut cursor)
        .filter(|child| !super::is_comment(*child))
        .last();
    match node.kind_name() {
        "stable_type_identifier" | "stable_identifier" => last.unwrap_or(node),
        _ => child_of_kind(node, "type_identifier").unwrap_or(node),
    }
}
