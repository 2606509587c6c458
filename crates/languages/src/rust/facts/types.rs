//! Written types, type parameters and bounds.

use super::{Walker, child_of_kind, first_child, is_comment_or_attribute};
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

impl<'s> Walker<'_, 's> {
    /// A written type.
    pub(super) fn ty(&mut self, node: Node<'_>) -> TypeId {
        self.with_depth_check(self.unknown_type, |w| w.lower_type_inner(node))
    }

    fn lower_type_inner(&mut self, node: Node<'_>) -> TypeId {
        let expr = match node.kind_name() {
            "type_identifier" | "identifier" if self.is_macro_argument(node) => {
                return self.type_of_macro_argument(node);
            }
            "type_identifier" | "identifier" | "scoped_type_identifier" | "scoped_identifier" => {
                return self.named(node, Box::default());
            }
            "generic_type" | "generic_type_with_turbofish" => return self.generic(node),
            "primitive_type" => TypeExpr::Primitive(primitive(self.b.text(node))),
            "reference_type" | "pointer_type" => match node.field("type") {
                Some(inner) => TypeExpr::Reference(self.ty(inner)),
                None => TypeExpr::Unknown,
            },
            "array_type" => return self.array_type(node),
            "unit_type" => TypeExpr::Tuple(Box::default()),
            "tuple_type" => TypeExpr::Tuple(self.types_in(node)),
            "function_type" => return self.function_type(node),
            "abstract_type" | "dynamic_type" => match node.field("trait") {
                Some(inner) if inner.kind_name() == "bounded_type" => return self.ty(inner),
                Some(inner) => TypeExpr::All(Box::new([self.ty(inner)])),
                None => TypeExpr::Unknown,
            },
            "bounded_type" => TypeExpr::All(self.types_in(node)),
            "higher_ranked_trait_bound" => match node.field("type") {
                Some(inner) => return self.ty(inner),
                None => TypeExpr::Unknown,
            },
            "bracketed_type" => match first_child(node) {
                Some(inner) => return self.ty(inner),
                None => TypeExpr::Unknown,
            },
            "qualified_type" => return self.qualified_type(node),
            "macro_invocation" => {
                self.visit_macro_call(node);
                TypeExpr::Unknown
            }
            _ => return self.unknown_type,
        };
        self.b.add_type(expr)
    }

    /// The types among a node's children. Lifetimes and `?Sized` are left out; const arguments are unknown types.
    fn types_in(&mut self, node: Node<'_>) -> Box<[TypeId]> {
        let mut out = Vec::new();
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match child.kind_name() {
                "lifetime" | "removed_trait_bound" | "use_bounds" | "for_lifetimes" => {}
                "trait_bounds" => out.extend(self.types_in(child)),
                "type_binding" => {
                    let (name, inner) = (child.field("name"), child.field("type"));
                    if let (Some(name), Some(inner)) = (name, inner) {
                        let (name, inner) = (self.intern_identifier(name), self.ty(inner));
                        out.push(self.b.add_type(TypeExpr::Binding(name, inner)));
                    }
                }
                kind if is_comment_or_attribute(kind) => {}
                _ => out.push(self.ty(child)),
            }
        }
        out.into()
    }

    /// The arguments of `<…>`.
    pub(super) fn type_args(&mut self, node: Option<Node<'_>>) -> Box<[TypeId]> {
        node.map_or_else(Box::default, |n| self.types_in(n))
    }

    fn generic(&mut self, node: Node<'_>) -> TypeId {
        let args = self.type_args(node.field("type_arguments"));
        match node.field("type") {
            Some(named) => self.named(named, args),
            None => self.unknown_type,
        }
    }

    fn array_type(&mut self, node: Node<'_>) -> TypeId {
        if let Some(length) = node.field("length") {
            self.expr(length);
        }
        match node.field("element") {
            Some(inner) => {
                let element = self.ty(inner);
                self.b.add_type(TypeExpr::Array(element))
            }
            None => self.unknown_type,
        }
    }

    fn function_type(&mut self, node: Node<'_>) -> TypeId {
        let mut params = Vec::new();
        if let Some(list) = node.field("parameters") {
            let mut cursor = list.walk();
            for child in list.named_children(&mut cursor) {
                match child.kind_name() {
                    "parameter" => match child.field("type") {
                        Some(ty) => params.push(self.ty(ty)),
                        None => params.push(self.unknown_type),
                    },
                    kind if is_comment_or_attribute(kind) => {}
                    _ => params.push(self.ty(child)),
                }
            }
        }
        let ret = node.field("return_type").map(|r| self.ty(r));
        self.b.add_type(TypeExpr::Function {
            params: params.into(),
            ret,
        })
    }

    fn qualified_type(&mut self, node: Node<'_>) -> TypeId {
        let inner = node.field("type").map(|t| self.ty(t));
        let alias = node.field("alias").map(|t| self.ty(t));
        match (inner, alias) {
            (Some(inner), Some(alias)) => self.b.add_type(TypeExpr::All(Box::new([inner, alias]))),
            (Some(inner), None) => inner,
            _ => self.unknown_type,
        }
    }

    /// A name or path of a type, with the arguments of its last segment.
    fn named(&mut self, node: Node<'_>, args: Box<[TypeId]>) -> TypeId {
        let text = self.b.text(node);
        if text == "Self" {
            return match self.current_self_type() {
                Some(def) => self.b.add_type(TypeExpr::SelfType(def)),
                None => self.unknown_type,
            };
        }
        let last = node.field("name").unwrap_or(node);
        let mut path = Vec::new();
        if let Some(base) = self.path_of(node, &mut path) {
            let ty = path.iter().fold(base, |base, name| {
                self.b.add_type(TypeExpr::Projection(base, *name))
            });
            return ty;
        }
        let scope = self.b.current_scope();
        let id = self.b.add_type(TypeExpr::Named {
            path: path.into(),
            args,
            scope,
            at: node.start_byte() as u32,
        });
        self.b.add_reference(RefTarget::Type(id), last);
        id
    }

    /// Collects the names of a path. If it begins with a type that is not a plain name (`<T as Trait>::A`, `Self::A`),
    /// returns that type; the names are then projections of it.
    fn path_of(&mut self, node: Node<'_>, path: &mut Vec<NameId>) -> Option<TypeId> {
        if !self.b.enter_level() {
            return Some(self.unknown_type);
        }
        let base = match node.kind_name() {
            "scoped_type_identifier" | "scoped_identifier" => {
                let base = match node.field("path") {
                    Some(inner) => self.path_of(inner, path),
                    None => {
                        path.push(self.b.intern_owned_name("::"));
                        None
                    }
                };
                if let Some(name) = node.field("name") {
                    path.push(self.intern_identifier(name));
                }
                base
            }
            "generic_type" | "generic_type_with_turbofish" | "bracketed_type" => {
                Some(self.ty(node))
            }
            _ if self.b.text(node) == "Self" => match self.current_self_type() {
                Some(def) => Some(self.b.add_type(TypeExpr::SelfType(def))),
                None => Some(self.unknown_type),
            },
            _ => {
                path.push(self.intern_identifier(node));
                None
            }
        };
        self.b.leave_level();
        base
    }

    /// The name of an identifier, without `r#`.
    pub(super) fn intern_identifier(&mut self, node: Node<'_>) -> NameId {
        let text = self.b.text(node);
        if text.starts_with('$') {
            return self.intern_macro_name(text);
        }
        self.b.intern_name(text.strip_prefix("r#").unwrap_or(text))
    }

    /// Declares the type parameters of an item whose scope is open, including bounds of its `where` clause.
    pub(super) fn type_params(&mut self, item: Node<'_>, def: DefId) {
        let mut params: Vec<ParsedTypeParam> = Vec::new();
        if let Some(list) = item.field("type_parameters") {
            let mut cursor = list.walk();
            for child in list.named_children(&mut cursor) {
                if !matches!(child.kind_name(), "type_parameter" | "const_parameter") {
                    continue;
                }
                let Some(name) = child.field("name") else {
                    continue;
                };
                let name = self.intern_identifier(name);
                let index = params.len() as u32;
                let to = Bound::TypeParam(def, index);
                let namespace = if child.kind_name() == "type_parameter" {
                    Namespace::TYPE
                } else {
                    Namespace::VALUE
                };
                self.b.bind(name, namespace, to);
                let bounds = self.type_args(child.field("bounds"));
                let default = child.field("default_type");
                let default = default.map(|d| self.ty(d));
                params.push(ParsedTypeParam {
                    name,
                    bounds: bounds.into(),
                    default,
                });
            }
        }
        if let Some(clause) = child_of_kind(item, "where_clause") {
            self.visit_where_clause(clause, &mut params);
        }
        self.b.def_mut(def).type_params = params
            .into_iter()
            .map(|param| TypeParam {
                name: param.name,
                bounds: param.bounds.into(),
                default: param.default,
            })
            .collect();
    }

    fn visit_where_clause(&mut self, clause: Node<'_>, params: &mut [ParsedTypeParam]) {
        let mut cursor = clause.walk();
        for predicate in clause.named_children(&mut cursor) {
            if predicate.kind_name() != "where_predicate" {
                continue;
            }
            let bounds = self.type_args(predicate.field("bounds"));
            let Some(left) = predicate.field("left") else {
                continue;
            };
            if left.kind_name() != "type_identifier" {
                if left.kind_name() != "lifetime" {
                    self.ty(left);
                }
                continue;
            }
            let name = self.intern_identifier(left);
            if let Some(param) = params.iter_mut().find(|p| p.name == name) {
                param.bounds.extend(bounds);
            }
        }
    }
}

/// A type parameter while its bounds are being collected.
struct ParsedTypeParam {
    name: NameId,
    bounds: Vec<TypeId>,
    default: Option<TypeId>,
}

fn primitive(text: &str) -> Primitive {
    match text {
        "str" => Primitive::String,
        "bool" => Primitive::Bool,
        "char" => Primitive::Char,
        "f32" | "f64" => Primitive::Float,
        _ => Primitive::Int,
    }
}
