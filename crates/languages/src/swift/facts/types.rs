//! Written types, type parameters and their constraints.

use super::{Expected, Walker, children, children_of_kind, named_children};
use syntax::facts::*;
use syntax::fields::{Fields, child_of_kind};
use tree_sitter::Node;

/// Kinds of nodes that are types.
pub(super) fn is_type(kind: &str) -> bool {
    matches!(
        kind,
        "user_type"
            | "array_type"
            | "dictionary_type"
            | "optional_type"
            | "tuple_type"
            | "function_type"
            | "existential_type"
            | "opaque_type"
            | "protocol_composition_type"
            | "metatype"
            | "type_pack_expansion"
            | "type_parameter_pack"
            | "suppressed_constraint"
            | "bracket_qualified_type"
    )
}

/// The first child that is a type.
pub(super) fn type_child(node: Node<'_>) -> Option<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor)
        .find(|c| is_type(c.kind_name()))
}

impl<'s> Walker<'_, 's> {
    /// A written type; records the references in it.
    pub(super) fn ty(&mut self, node: Node<'_>) -> TypeId {
        if !self.b.enter_level() {
            return self.b.add_type(TypeExpr::Unknown);
        }
        let ty = self.ty_inner(node);
        self.b.leave_level();
        ty
    }

    fn ty_inner(&mut self, node: Node<'_>) -> TypeId {
        let written = match node.kind_name() {
            "user_type" => return self.user_type(node),
            "array_type" => match type_child(node) {
                Some(element) => TypeExpr::Array(self.ty(element)),
                None => TypeExpr::Unknown,
            },
            "dictionary_type" => {
                let mut parts = named_children(node);
                parts.retain(|part| is_type(part.kind_name()));
                match parts[..] {
                    [key, value] => {
                        let key = self.ty(key);
                        TypeExpr::Map(key, self.ty(value))
                    }
                    _ => TypeExpr::Unknown,
                }
            }
            "optional_type" => return self.optional_type(node),
            "tuple_type" => return self.tuple_type(node),
            "function_type" => self.function_type(node),
            "protocol_composition_type" => {
                let parts = named_children(node);
                let parts: Vec<TypeId> = parts.into_iter().map(|part| self.ty(part)).collect();
                TypeExpr::All(parts.into())
            }
            "metatype" => match type_child(node) {
                Some(of) => {
                    let of = self.ty(of);
                    return self.metatype(of);
                }
                None => TypeExpr::Unknown,
            },
            "existential_type" | "opaque_type" => match type_child(node) {
                Some(inner) => return self.ty(inner),
                None => TypeExpr::Unknown,
            },
            _ => {
                if let Some(inner) = type_child(node) {
                    self.ty(inner);
                }
                TypeExpr::Unknown
            }
        };
        self.b.add_type(written)
    }

    /// The type as a value: `T.Type`.
    fn metatype(&mut self, of: TypeId) -> TypeId {
        let value = self.b.add_expr(Expr::Type(of));
        self.b.add_type(TypeExpr::TypeOf(value))
    }

    fn optional_type(&mut self, node: Node<'_>) -> TypeId {
        let Some(inner) = node.field("wrapped").or_else(|| type_child(node)) else {
            return self.b.add_type(TypeExpr::Unknown);
        };
        let mut ty = self.ty(inner);
        let marks = children(node);
        let marks = marks.iter().filter(|c| c.kind_name() == "?").count();
        for _ in 0..marks.clamp(1, 4) {
            ty = self.b.add_type(TypeExpr::Optional(ty));
        }
        ty
    }

    /// `(A, name: B)`. Parentheses around one type mean that type.
    fn tuple_type(&mut self, node: Node<'_>) -> TypeId {
        let mut parts = Vec::new();
        for item in children_of_kind(node, "tuple_type_item") {
            let Some(written) = type_child(item) else {
                continue;
            };
            let ty = self.ty(written);
            let label = child_of_kind(item, "simple_identifier");
            parts.push((ty, label));
        }
        if let [(one, None)] = parts[..] {
            return one;
        }
        let parts: Vec<TypeId> = parts
            .into_iter()
            .map(|(ty, label)| self.labelled(ty, label))
            .collect();
        self.b.add_type(TypeExpr::Tuple(parts.into()))
    }

    fn labelled(&mut self, ty: TypeId, label: Option<Node<'_>>) -> TypeId {
        match label {
            Some(label) => {
                let label = self.b.intern_node_text(label);
                self.b.add_type(TypeExpr::Binding(label, ty))
            }
            None => ty,
        }
    }

    fn function_type(&mut self, node: Node<'_>) -> TypeExpr {
        let mut params = Vec::new();
        match node.field("params") {
            Some(list) if list.kind_name() == "tuple_type" => {
                for item in children_of_kind(list, "tuple_type_item") {
                    if let Some(written) = type_child(item) {
                        params.push(self.ty(written));
                    }
                }
            }
            // The grammar takes the word of `() async -> T` for a type.
            Some(one) if !matches!(self.b.text(one), "async" | "throws") => {
                params.push(self.ty(one));
            }
            _ => {}
        }
        let mut cursor = node.walk();
        let behind = node.children(&mut cursor);
        let mut behind = behind.skip_while(|c| c.kind_name() != "->");
        let ret = behind.find(|c| is_type(c.kind_name()));
        let ret = ret.map(|ret| self.ty(ret));
        TypeExpr::Function {
            params: params.into(),
            ret,
        }
    }

    fn user_type(&mut self, node: Node<'_>) -> TypeId {
        let mut path: Vec<(&'s str, Node<'_>)> = Vec::new();
        let mut args: Vec<TypeId> = Vec::new();
        for part in named_children(node) {
            match part.kind_name() {
                "type_identifier" | "simple_identifier" => {
                    path.push((self.b.text(part), part));
                    args.clear();
                }
                "type_arguments" => {
                    let written = named_children(part);
                    args = written.into_iter().map(|arg| self.ty(arg)).collect();
                }
                _ => {}
            }
        }
        let is_meta = path.len() > 1 && matches!(path.last(), Some(("Type" | "Protocol", _)));
        if is_meta {
            path.pop();
        }
        let ty = self.named_type(&path, args, node);
        if is_meta {
            return self.metatype(ty);
        }
        ty
    }

    fn named_type(
        &mut self,
        path: &[(&'s str, Node<'_>)],
        args: Vec<TypeId>,
        node: Node<'_>,
    ) -> TypeId {
        let (path, last) = match (path, self.current_type()) {
            ([], _) => return self.b.add_type(TypeExpr::Unknown),
            ([("Self", _)], Some(def)) => return self.b.add_type(TypeExpr::SelfType(def)),
            ([("Void", _)], _) => return self.b.add_type(TypeExpr::Tuple(Box::default())),
            ([("Self", _), rest @ .., (_, last)], Some(def)) => {
                let of = self.b.add_type(TypeExpr::SelfType(def));
                let mut ty = of;
                for (name, _) in rest {
                    let name = self.b.intern_name(name);
                    ty = self.b.add_type(TypeExpr::Projection(ty, name));
                }
                let name = self.b.intern_node_text(*last);
                return self.b.add_type(TypeExpr::Projection(ty, name));
            }
            ([.., (_, last)], _) => (path, *last),
        };
        let path: Vec<NameId> = path
            .iter()
            .map(|(name, _)| self.b.intern_name(name))
            .collect();
        let scope = self.b.current_scope();
        let ty = self.b.add_type(TypeExpr::Named {
            path: path.into(),
            args: args.into(),
            scope,
            at: node.start_byte() as u32,
        });
        self.b.add_reference(RefTarget::Type(ty), last);
        ty
    }

    /// An expression that is a type in fact: `[Foo]` of `[Foo]()`. `None` if it cannot be one.
    pub(super) fn type_from_expr(&mut self, node: Node<'_>) -> Option<TypeId> {
        if !self.b.enter_level() {
            return None;
        }
        let ty = self.type_from_expr_inner(node);
        self.b.leave_level();
        ty
    }

    fn type_from_expr_inner(&mut self, node: Node<'_>) -> Option<TypeId> {
        match node.kind_name() {
            "simple_identifier" => {
                let text = self.b.text(node);
                let is_type = text.starts_with(char::is_uppercase);
                is_type.then(|| self.named_type(&[(text, node)], Vec::new(), node))
            }
            "navigation_expression" => {
                let mut path = Vec::new();
                let mut at = node;
                while at.kind_name() == "navigation_expression" {
                    let name = at.field("suffix")?.field("suffix")?;
                    path.push((self.b.text(name), name));
                    at = at.field("target")?;
                }
                if at.kind_name() != "simple_identifier" {
                    return None;
                }
                path.push((self.b.text(at), at));
                path.reverse();
                let is_type = path.last()?.0.starts_with(char::is_uppercase);
                is_type.then(|| self.named_type(&path, Vec::new(), node))
            }
            "array_literal" => match named_children(node)[..] {
                [element] => {
                    let element = self.type_from_expr(element)?;
                    Some(self.b.add_type(TypeExpr::Array(element)))
                }
                _ => None,
            },
            "dictionary_literal" => match named_children(node)[..] {
                [key, value] => {
                    let key = self.type_from_expr(key)?;
                    let value = self.type_from_expr(value)?;
                    Some(self.b.add_type(TypeExpr::Map(key, value)))
                }
                _ => None,
            },
            "postfix_expression" => {
                let inner = self.type_from_expr(node.field("target")?)?;
                Some(self.b.add_type(TypeExpr::Optional(inner)))
            }
            "constructor_expression" => Some(self.ty(node.field("constructed_type")?)),
            "optional_type" | "user_type" | "array_type" | "dictionary_type" => Some(self.ty(node)),
            _ => None,
        }
    }

    /// The expected type as a written one.
    pub(super) fn expected_type(&mut self, expected: Expected) -> Option<TypeId> {
        let expr = match expected {
            Expected::Nothing => return None,
            Expected::Type(ty) => return Some(ty),
            Expected::Argument(..) | Expected::Like(_) => self.expected_value(expected)?,
        };
        Some(self.b.add_type(TypeExpr::TypeOf(expr)))
    }

    /// A value of the expected type.
    pub(super) fn expected_value(&mut self, expected: Expected) -> Option<ExprId> {
        match expected {
            Expected::Nothing => None,
            Expected::Type(ty) => {
                let unknown = self.b.add_expr(Expr::Unknown);
                Some(self.b.add_expr(Expr::Cast(unknown, ty)))
            }
            Expected::Argument(call, n) => Some(self.b.add_expr(Expr::Expected(call, n))),
            Expected::Like(expr) => Some(expr),
        }
    }

    /// The type that is expected of the elements of a list.
    pub(super) fn expected_element(&mut self, expected: Expected) -> Expected {
        match expected {
            Expected::Type(ty) => match self.b.facts().ty(ty) {
                TypeExpr::Array(element) => return Expected::Type(*element),
                TypeExpr::Named { args, .. } if args.len() == 1 => return Expected::Type(args[0]),
                _ => {}
            },
            Expected::Nothing => return Expected::Nothing,
            _ => {}
        }
        match self.expected_value(expected) {
            Some(value) => Expected::Like(self.b.add_expr(Expr::Element(value))),
            None => Expected::Nothing,
        }
    }

    /// Reads the type parameters and constraints of a definition, which is open with a scope around it.
    pub(super) fn type_parameters(&mut self, def: DefId, node: Node<'_>, more: Vec<TypeParam>) {
        let mut params = Vec::new();
        let mut bounds = Vec::new();
        if let Some(list) = child_of_kind(node, "type_parameters") {
            for param in children_of_kind(list, "type_parameter") {
                let name = child_of_kind(param, "type_identifier");
                let name = name.or_else(|| {
                    let pack = child_of_kind(param, "type_parameter_pack")?;
                    child_of_kind(type_child(pack)?, "type_identifier")
                });
                if let Some(name) = name {
                    let name = self.b.intern_node_text(name);
                    let at = params.len();
                    params.push(TypeParam {
                        name,
                        bounds: Box::default(),
                        default: None,
                    });
                    let bound = param.field("name").filter(|b| is_type(b.kind_name()));
                    bounds.extend(bound.map(|bound| (at, bound)));
                }
            }
        }
        for param in more {
            if !params.iter().any(|p| p.name == param.name) {
                params.push(param);
            }
        }
        for (param, n) in params.iter().zip(0..) {
            self.b
                .bind(param.name, Namespace::TYPE, Bound::TypeParam(def, n));
        }
        for (at, bound) in bounds {
            let bound = self.ty(bound);
            add_bound(&mut params[at], bound);
        }
        self.constraints(node, &mut params);
        self.b.def_mut(def).type_params = params.into();
    }

    fn constraints(&mut self, node: Node<'_>, params: &mut [TypeParam]) {
        for (path, ty) in self.written_constraints(node) {
            match path[..] {
                [name] => {
                    if let Some(param) = params.iter_mut().find(|p| p.name == name) {
                        add_bound(param, ty);
                    }
                }
                [name, of] => {
                    let Some(param) = params.iter_mut().find(|p| p.name == name) else {
                        continue;
                    };
                    let binding = self.b.add_type(TypeExpr::Binding(of, ty));
                    let bounds: Vec<TypeId> = param.bounds.to_vec();
                    let bounds = bounds.into_iter().map(|b| self.with_argument(b, binding));
                    param.bounds = bounds.collect();
                }
                _ => {}
            }
        }
    }

    /// The constraints of a `where` clause: what is constrained, and the type.
    pub(super) fn written_constraints(&mut self, node: Node<'_>) -> Vec<(Vec<NameId>, TypeId)> {
        let mut out = Vec::new();
        let Some(list) = child_of_kind(node, "type_constraints") else {
            return out;
        };
        for constraint in children_of_kind(list, "type_constraint") {
            let Some(inner) = constraint.named_child(0) else {
                continue;
            };
            let parts = named_children(inner);
            let [of, .., ty] = parts[..] else {
                continue;
            };
            let mut path = Vec::new();
            for part in named_children(of) {
                if matches!(part.kind_name(), "simple_identifier" | "type_identifier") {
                    path.push(self.b.intern_node_text(part));
                }
            }
            if is_type(ty.kind_name()) {
                let ty = self.ty(ty);
                out.push((path, ty));
            }
        }
        out
    }

    /// A named type with one more argument.
    pub(super) fn with_argument(&mut self, ty: TypeId, arg: TypeId) -> TypeId {
        let TypeExpr::Named {
            path,
            args,
            scope,
            at,
        } = self.b.facts().ty(ty).clone()
        else {
            return ty;
        };
        let args: Vec<TypeId> = args.iter().copied().chain([arg]).collect();
        self.b.add_type(TypeExpr::Named {
            path,
            args: args.into(),
            scope,
            at,
        })
    }
}

fn add_bound(param: &mut TypeParam, bound: TypeId) {
    let all: Vec<TypeId> = param.bounds.iter().copied().chain([bound]).collect();
    param.bounds = all.into();
}
