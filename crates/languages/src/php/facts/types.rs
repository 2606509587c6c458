//! Written types: those of declarations, and those of comments.

use super::docblock::DocType;
use super::{Walker, children, first_child};
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Deepest nesting of a type in a comment.
const MAX_NESTING: u32 = 12;

/// What a written type says.
#[derive(Clone, Copy)]
pub(super) struct WrittenType {
    pub(super) ty: TypeId,
    /// Whether it names a class, so that a comment cannot say much more.
    pub(super) is_class: bool,
}

impl Walker<'_, '_> {
    /// The type in a declaration.
    pub(super) fn native_type(&mut self, node: Node<'_>) -> WrittenType {
        if !self.b.enter_level() {
            return self.unknown_type();
        }
        let found = match node.kind_name() {
            "named_type" => match first_child(node) {
                Some(name) => {
                    let ty = self.class_type(name);
                    let place = self.last_segment(name);
                    self.mention_type(ty, place);
                    WrittenType { ty, is_class: true }
                }
                None => self.unknown_type(),
            },
            "optional_type" => match first_child(node) {
                Some(inner) => {
                    let inner = self.native_type(inner);
                    let ty = self.b.add_type(TypeExpr::Optional(inner.ty));
                    WrittenType { ty, ..inner }
                }
                None => self.unknown_type(),
            },
            "union_type" | "disjunctive_normal_form_type" => self.combined(node, TypeExpr::Union),
            "intersection_type" => self.combined(node, TypeExpr::All),
            _ => {
                let text = self.b.text(node);
                if text.eq_ignore_ascii_case("static") {
                    let ty = self.class_type_of("static", Box::default());
                    WrittenType { ty, is_class: true }
                } else {
                    let ty = self.keyword_type(&text.to_ascii_lowercase());
                    let ty = self.b.add_type(ty.unwrap_or(TypeExpr::Unknown));
                    WrittenType {
                        ty,
                        is_class: false,
                    }
                }
            }
        };
        self.b.leave_level();
        found
    }

    fn unknown_type(&mut self) -> WrittenType {
        let ty = self.b.add_type(TypeExpr::Unknown);
        WrittenType {
            ty,
            is_class: false,
        }
    }

    fn combined(&mut self, node: Node<'_>, make: fn(Box<[TypeId]>) -> TypeExpr) -> WrittenType {
        let parts: Vec<WrittenType> = children(node)
            .into_iter()
            .map(|part| self.native_type(part))
            .collect();
        let is_class = parts.iter().any(|part| part.is_class);
        let parts = parts.into_iter().map(|part| part.ty).collect();
        let ty = self.b.add_type(make(parts));
        WrittenType { ty, is_class }
    }

    /// A type that is no class; `None` if the word is not one of these. In lower case.
    fn keyword_type(&mut self, word: &str) -> Option<TypeExpr> {
        let primitive = match word {
            "int" | "integer" | "positive-int" | "negative-int" | "non-negative-int" => {
                Primitive::Int
            }
            "float" | "double" => Primitive::Float,
            "bool" | "boolean" | "true" | "false" => Primitive::Bool,
            "null" => Primitive::Null,
            "string" | "non-empty-string" | "numeric-string" | "literal-string"
            | "lowercase-string" | "truthy-string" | "class-string" | "non-falsy-string"
            | "interface-string" | "trait-string" | "callable-string" => Primitive::String,
            "array" | "list" | "non-empty-array" | "non-empty-list" => {
                let element = self.b.add_type(TypeExpr::Unknown);
                return Some(TypeExpr::Array(element));
            }
            "mixed" | "object" | "callable" | "iterable" | "void" | "never" | "resource"
            | "scalar" | "array-key" | "numeric" | "no-return" | "never-return" | "number"
            | "callback" | "empty" | "key-of" | "value-of" | "int-mask" | "int-mask-of"
            | "non-empty-mixed" => return Some(TypeExpr::Unknown),
            _ => return None,
        };
        Some(TypeExpr::Primitive(primitive))
    }

    /// The type that a comment writes.
    pub(super) fn doc_type(&mut self, ty: &DocType) -> TypeId {
        self.doc_type_at(ty, 0)
    }

    fn doc_type_at(&mut self, ty: &DocType, nesting: u32) -> TypeId {
        if nesting > MAX_NESTING {
            return self.b.add_type(TypeExpr::Unknown);
        }
        let made = match ty {
            DocType::Unknown => TypeExpr::Unknown,
            DocType::Name(name, args) => return self.doc_name(name, args, nesting),
            DocType::Array(element) => TypeExpr::Array(self.doc_type_at(element, nesting + 1)),
            DocType::Optional(inner) => TypeExpr::Optional(self.doc_type_at(inner, nesting + 1)),
            DocType::Tuple(parts) => TypeExpr::Tuple(self.doc_types(parts, nesting)),
            DocType::Union(parts) => TypeExpr::Union(self.doc_types(parts, nesting)),
            DocType::All(parts) => TypeExpr::All(self.doc_types(parts, nesting)),
            DocType::Function(params, ret) => TypeExpr::Function {
                params: self.doc_types(params, nesting),
                ret: ret.as_ref().map(|ret| self.doc_type_at(ret, nesting + 1)),
            },
        };
        self.b.add_type(made)
    }

    fn doc_types(&mut self, types: &[DocType], nesting: u32) -> Box<[TypeId]> {
        types
            .iter()
            .map(|ty| self.doc_type_at(ty, nesting + 1))
            .collect()
    }

    fn doc_name(&mut self, name: &str, args: &[DocType], nesting: u32) -> TypeId {
        if name == "$this" {
            return self.class_type_of("static", Box::default());
        }
        if let Some(param) = self.template(name) {
            return param;
        }
        let word = name.to_ascii_lowercase();
        let is_array = matches!(
            &*word,
            "array" | "list" | "non-empty-array" | "non-empty-list" | "iterable"
        );
        if let (true, Some(element)) = (is_array, args.last()) {
            let element = self.doc_type_at(element, nesting + 1);
            return self.b.add_type(TypeExpr::Array(element));
        }
        if let (true, [of, ..]) = (word.ends_with("class-string"), args) {
            let of = self.doc_type_at(of, nesting + 1);
            return self.type_of_path("class-string", Box::from([of]));
        }
        if let Some(keyword) = self.keyword_type(&word) {
            return self.b.add_type(keyword);
        }
        if name.contains('-') {
            return self.b.add_type(TypeExpr::Unknown);
        }
        let args = self.doc_types(args, nesting);
        self.class_type_of(name, args)
    }

    /// The type parameter of that name.
    fn template(&mut self, name: &str) -> Option<TypeId> {
        let id = self.b.find_name(name)?;
        let (_, scope) = *self.templates.iter().rev().find(|(n, _)| *n == id)?;
        let at = self.b.source.len() as u32;
        Some(self.b.add_type(TypeExpr::Named {
            path: Box::from([id]),
            args: Box::default(),
            scope,
            at,
        }))
    }

    /// Adds the mention of a class.
    pub(super) fn mention_type(&mut self, ty: TypeId, place: Node<'_>) {
        if matches!(self.b.facts().ty(ty), TypeExpr::Named { .. }) {
            self.b.add_reference(RefTarget::Type(ty), place);
        }
    }
}
