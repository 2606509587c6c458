//! Written types.

use super::{NameKind, Walker, named_parts};
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

impl<'s> Walker<'_, 's> {
    /// A written type; records references to the names in it.
    pub(super) fn lower_type(&mut self, node: Node<'_>) -> TypeId {
        if !self.b.enter_level() {
            return self.b.add_type(TypeExpr::Unknown);
        }
        let ty = self.lower_type_inner(node);
        self.b.leave_level();
        ty
    }

    fn lower_type_inner(&mut self, node: Node<'_>) -> TypeId {
        let written = match node.kind_name() {
            "type_identifier" | "identifier" => {
                return self.lower_unqualified_type(node, Box::default());
            }
            "qualified_type" => return self.lower_qualified_type(node, Box::default()),
            "selector_expression" => return self.lower_qualified_type(node, Box::default()),
            "generic_type" => return self.lower_generic_type(node),
            // A pointer type that the grammar reads as an expression.
            "pointer_type" | "unary_expression" => match node.named_child(0) {
                Some(inner) => TypeExpr::Reference(self.lower_type(inner)),
                None => TypeExpr::Unknown,
            },
            "parenthesized_type" | "negated_type" => return self.lower_only_child(node),
            "type_elem" | "type_constraint" => return self.lower_union(node),
            "struct_type" => TypeExpr::Anonymous(self.anonymous_struct(node)),
            "interface_type" if node.named_child_count() == 0 => TypeExpr::Unknown,
            "interface_type" => TypeExpr::Anonymous(self.anonymous_interface(node)),
            "array_type" | "slice_type" | "implicit_length_array_type" => {
                if let Some(length) = node.field("length") {
                    self.expr(length);
                }
                TypeExpr::Array(self.lower_type_in_field(node, "element"))
            }
            "map_type" => {
                let key = self.lower_type_in_field(node, "key");
                TypeExpr::Map(key, self.lower_type_in_field(node, "value"))
            }
            "channel_type" => TypeExpr::Channel(self.lower_type_in_field(node, "value")),
            "function_type" => self.function_type(node),
            _ => {
                self.visit_children(node);
                TypeExpr::Unknown
            }
        };
        self.b.add_type(written)
    }

    fn lower_type_in_field(&mut self, node: Node<'_>, field: &'static str) -> TypeId {
        match node.field(field) {
            Some(inner) => self.lower_type(inner),
            None => self.b.add_type(TypeExpr::Unknown),
        }
    }

    fn lower_only_child(&mut self, node: Node<'_>) -> TypeId {
        match node.named_child(0) {
            Some(inner) => self.lower_type(inner),
            None => self.b.add_type(TypeExpr::Unknown),
        }
    }

    fn lower_union(&mut self, node: Node<'_>) -> TypeId {
        let members = named_parts(node);
        match members.as_slice() {
            [only] => self.lower_type(*only),
            _ => {
                let types = members.into_iter().map(|m| self.lower_type(m)).collect();
                self.b.add_type(TypeExpr::Union(types))
            }
        }
    }

    /// A name without a package.
    pub(super) fn lower_unqualified_type(&mut self, node: Node<'_>, args: Box<[TypeId]>) -> TypeId {
        let text = self.b.text(node);
        let name = self.b.intern_name(text);
        let shadowed = self.find_local(name) == Some(NameKind::Type);
        if !shadowed {
            if let Some(primitive) = predeclared_primitive(text) {
                return self.b.add_type(TypeExpr::Primitive(primitive));
            }
            if text == "any" || text == "comparable" {
                return self.b.add_type(TypeExpr::Unknown);
            }
        }
        let ty = self.add_named_type(Box::new([name]), args, node);
        if !shadowed && text != "error" {
            self.b.add_reference(RefTarget::Type(ty), node);
        }
        ty
    }

    /// `package.Name`, written as a type or as an expression.
    fn lower_qualified_type(&mut self, node: Node<'_>, args: Box<[TypeId]>) -> TypeId {
        let package = node.field("package").or_else(|| node.field("operand"));
        let name = node.field("name").or_else(|| node.field("field"));
        let (Some(package), Some(name)) = (package, name) else {
            return self.b.add_type(TypeExpr::Unknown);
        };
        let path = [
            self.b.intern_node_text(package),
            self.b.intern_node_text(name),
        ];
        let ty = self.add_named_type(Box::new(path), args, node);
        self.b.add_reference(RefTarget::Type(ty), name);
        ty
    }

    fn lower_generic_type(&mut self, node: Node<'_>) -> TypeId {
        let args: Box<[TypeId]> = match node.field("type_arguments") {
            Some(list) => named_parts(list)
                .into_iter()
                .map(|a| self.lower_type(a))
                .collect(),
            None => Box::default(),
        };
        match node.field("type") {
            Some(name) if name.kind_name() == "qualified_type" => {
                self.lower_qualified_type(name, args)
            }
            Some(name) => self.lower_unqualified_type(name, args),
            None => self.b.add_type(TypeExpr::Unknown),
        }
    }

    fn add_named_type(
        &mut self,
        path: Box<[NameId]>,
        args: Box<[TypeId]>,
        node: Node<'_>,
    ) -> TypeId {
        let scope = self.b.current_scope();
        self.b.add_type(TypeExpr::Named {
            path,
            args,
            scope,
            at: node.start_byte() as u32,
        })
    }

    fn function_type(&mut self, node: Node<'_>) -> TypeExpr {
        let mut params = Vec::new();
        if let Some(list) = node.field("parameters") {
            for declaration in named_parts(list) {
                let Some(written) = declaration.field("type") else {
                    continue;
                };
                let mut ty = self.lower_type(written);
                if declaration.kind_name() == "variadic_parameter_declaration" {
                    ty = self.b.add_type(TypeExpr::Array(ty));
                }
                let count = super::named_children_in_field(declaration, "name")
                    .len()
                    .max(1);
                params.extend(std::iter::repeat_n(ty, count));
            }
        }
        let ret = node
            .field("result")
            .and_then(|result| self.visit_results(result, false));
        TypeExpr::Function {
            params: params.into(),
            ret,
        }
    }
}

/// Predeclared types, which have no member in the repository.
pub(super) fn predeclared_primitive(name: &str) -> Option<Primitive> {
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
