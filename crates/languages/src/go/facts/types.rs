//! Written types.

use super::{NameKind, Walker, parts};
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

impl<'s> Walker<'_, 's> {
    /// A written type, with mentions of the names in it.
    pub(super) fn ty(&mut self, node: Node<'_>) -> TypeId {
        if !self.b.enter() {
            return self.b.ty(TypeExpr::Unknown);
        }
        let ty = self.ty_inner(node);
        self.b.leave();
        ty
    }

    fn ty_inner(&mut self, node: Node<'_>) -> TypeId {
        let written = match node.kind_name() {
            "type_identifier" | "identifier" => return self.plain_type(node, Box::default()),
            "qualified_type" => return self.qualified(node, Box::default()),
            "selector_expression" => return self.qualified(node, Box::default()),
            "generic_type" => return self.generic(node),
            // A pointer type that the grammar took for an expression.
            "pointer_type" | "unary_expression" => match node.named_child(0) {
                Some(inner) => TypeExpr::Reference(self.ty(inner)),
                None => TypeExpr::Unknown,
            },
            "parenthesized_type" | "negated_type" => return self.only_child(node),
            "type_elem" | "type_constraint" => return self.union(node),
            "struct_type" => TypeExpr::Anonymous(self.anonymous_struct(node)),
            "interface_type" if node.named_child_count() == 0 => TypeExpr::Unknown,
            "interface_type" => TypeExpr::Anonymous(self.anonymous_interface(node)),
            "array_type" | "slice_type" | "implicit_length_array_type" => {
                if let Some(length) = node.field("length") {
                    self.expr(length);
                }
                TypeExpr::Array(self.field_type(node, "element"))
            }
            "map_type" => {
                let key = self.field_type(node, "key");
                TypeExpr::Map(key, self.field_type(node, "value"))
            }
            "channel_type" => TypeExpr::Channel(self.field_type(node, "value")),
            "function_type" => self.function_type(node),
            _ => {
                self.children(node);
                TypeExpr::Unknown
            }
        };
        self.b.ty(written)
    }

    fn field_type(&mut self, node: Node<'_>, field: &'static str) -> TypeId {
        match node.field(field) {
            Some(inner) => self.ty(inner),
            None => self.b.ty(TypeExpr::Unknown),
        }
    }

    fn only_child(&mut self, node: Node<'_>) -> TypeId {
        match node.named_child(0) {
            Some(inner) => self.ty(inner),
            None => self.b.ty(TypeExpr::Unknown),
        }
    }

    fn union(&mut self, node: Node<'_>) -> TypeId {
        let members = parts(node);
        match members.as_slice() {
            [only] => self.ty(*only),
            _ => {
                let types = members.into_iter().map(|m| self.ty(m)).collect();
                self.b.ty(TypeExpr::Union(types))
            }
        }
    }

    /// A name without a package.
    pub(super) fn plain_type(&mut self, node: Node<'_>, args: Box<[TypeId]>) -> TypeId {
        let text = self.b.text(node);
        let name = self.b.name(text);
        let shadowed = self.local(name) == Some(NameKind::Type);
        if !shadowed {
            if let Some(primitive) = primitive(text) {
                return self.b.ty(TypeExpr::Primitive(primitive));
            }
            if text == "any" || text == "comparable" {
                return self.b.ty(TypeExpr::Unknown);
            }
        }
        let ty = self.named(Box::new([name]), args, node);
        if !shadowed && text != "error" {
            self.b.add_reference(RefTarget::Type(ty), node);
        }
        ty
    }

    /// `package.Name`, written as a type or as an expression.
    fn qualified(&mut self, node: Node<'_>, args: Box<[TypeId]>) -> TypeId {
        let package = node.field("package").or_else(|| node.field("operand"));
        let name = node.field("name").or_else(|| node.field("field"));
        let (Some(package), Some(name)) = (package, name) else {
            return self.b.ty(TypeExpr::Unknown);
        };
        let path = [self.b.node_name(package), self.b.node_name(name)];
        let ty = self.named(Box::new(path), args, node);
        self.b.add_reference(RefTarget::Type(ty), name);
        ty
    }

    fn generic(&mut self, node: Node<'_>) -> TypeId {
        let args: Box<[TypeId]> = match node.field("type_arguments") {
            Some(list) => parts(list).into_iter().map(|a| self.ty(a)).collect(),
            None => Box::default(),
        };
        match node.field("type") {
            Some(name) if name.kind_name() == "qualified_type" => self.qualified(name, args),
            Some(name) => self.plain_type(name, args),
            None => self.b.ty(TypeExpr::Unknown),
        }
    }

    fn named(&mut self, path: Box<[NameId]>, args: Box<[TypeId]>, node: Node<'_>) -> TypeId {
        let scope = self.b.scope();
        self.b.ty(TypeExpr::Named {
            path,
            args,
            scope,
            at: node.start_byte() as u32,
        })
    }

    fn function_type(&mut self, node: Node<'_>) -> TypeExpr {
        let mut params = Vec::new();
        if let Some(list) = node.field("parameters") {
            for declaration in parts(list) {
                let Some(written) = declaration.field("type") else {
                    continue;
                };
                let mut ty = self.ty(written);
                if declaration.kind_name() == "variadic_parameter_declaration" {
                    ty = self.b.ty(TypeExpr::Array(ty));
                }
                let count = super::in_field(declaration, "name").len().max(1);
                params.extend(std::iter::repeat_n(ty, count));
            }
        }
        let ret = node
            .field("result")
            .and_then(|result| self.results(result, false));
        TypeExpr::Function {
            params: params.into(),
            ret,
        }
    }
}

/// Predeclared types that can hold no member of the repository.
pub(super) fn primitive(name: &str) -> Option<Primitive> {
    Some(match name {
        "string" => Primitive::String,
        "bool" => Primitive::Bool,
        "rune" => Primitive::Char,
        "int" | "int8" | "int16" | "int32" | "int64" | "uint" | "uint8" | "uint16" | "uint32"
        | "uint64" | "uintptr" | "byte" => Primitive::Int,
        "float32" | "float64" | "complex64" | "complex128" => Primitive::Float,
        _ => return None,
    })
}
