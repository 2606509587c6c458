//! Written types: constants, the types of comments, and `sig`.

use super::Walker;
use super::calls::Parts;
use super::comments::Tags;
use super::{children, first_child};
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Longest text of a type that is read.
const LONGEST: usize = 400;
/// Deepest nesting of types in types.
const MAX_NESTING: u32 = 12;
/// Longest path of names.
const LONGEST_PATH: usize = 64;

/// What a `sig` says of the next method.
#[derive(Debug, Clone, Default)]
pub(super) struct Signature {
    pub(super) params: Vec<(NameId, TypeId)>,
    pub(super) ret: Option<TypeId>,
}

impl<'s> Walker<'_, 's> {
    /// The class that a constant names, as a type.
    pub(super) fn class_type(&mut self, node: Node<'_>) -> TypeId {
        let text = self.b.text(node);
        let path = self.class_path(text);
        self.type_of_path(path, Vec::new())
    }

    /// A type with a name from the top.
    pub(super) fn named_type(&mut self, name: &str) -> TypeId {
        let name = self.b.intern_owned_name(name);
        self.b.add_type(TypeExpr::Named {
            path: Box::from([name]),
            args: Box::default(),
            scope: FILE_SCOPE,
            at: 0,
        })
    }

    /// The names of a path, and the scope from which the first is looked up.
    fn class_path(&mut self, text: &str) -> (Vec<NameId>, ScopeId) {
        let scope = if text.starts_with("::") {
            FILE_SCOPE
        } else {
            self.constant_scope()
        };
        let names = text.split("::").map(str::trim).filter(|n| !n.is_empty());
        let is_name = |n: &str| n.chars().all(|c| c.is_alphanumeric() || c == '_');
        let mut path = Vec::new();
        for name in names.take(LONGEST_PATH) {
            if !is_name(name) {
                return (Vec::new(), scope);
            }
            path.push(self.b.intern_owned_name(name));
        }
        (path, scope)
    }

    fn type_of_path(&mut self, (path, scope): (Vec<NameId>, ScopeId), args: Vec<TypeId>) -> TypeId {
        if path.is_empty() {
            return self.b.add_type(TypeExpr::Unknown);
        }
        self.b.add_type(TypeExpr::Named {
            path: path.into(),
            args: args.into(),
            scope,
            at: 0,
        })
    }

    /// The type in a comment; `None` if it says nothing.
    pub(super) fn written_type(&mut self, text: &str) -> Option<TypeId> {
        if text.len() > LONGEST {
            return None;
        }
        self.union_type(text, 0)
    }

    fn union_type(&mut self, text: &str, nesting: u32) -> Option<TypeId> {
        if nesting > MAX_NESTING {
            return None;
        }
        let mut parts = Vec::new();
        for part in split_types(text, ',') {
            // A part of which nothing is known may be anything.
            parts.push(self.single_type(part.trim(), nesting)?);
        }
        match parts[..] {
            [] => None,
            [one] => Some(one),
            _ => Some(self.b.add_type(TypeExpr::Union(parts.into()))),
        }
    }

    fn single_type(&mut self, text: &str, nesting: u32) -> Option<TypeId> {
        match text {
            "nil" | "void" | "NilClass" => {
                return Some(self.b.add_type(TypeExpr::Primitive(Primitive::Null)));
            }
            "true" | "false" | "Boolean" | "Bool" | "boolean" | "bool" => {
                return Some(self.b.add_type(TypeExpr::Primitive(Primitive::Bool)));
            }
            "self" => {
                let class = self.class_around()?;
                return Some(self.b.add_type(TypeExpr::SelfType(class)));
            }
            _ => {}
        }
        let open = text.find(['<', '{', '(']);
        let (name, inner) = match open {
            Some(at) => (&text[..at], Some(&text[at + 1..text.len().max(at + 2) - 1])),
            None => (text, None),
        };
        if !name
            .trim_start_matches(':')
            .starts_with(|c: char| c.is_ascii_uppercase())
        {
            return None;
        }
        let mut args = Vec::new();
        if let Some(inner) = inner
            && text.is_char_boundary(text.len() - 1)
        {
            for part in split_key(inner) {
                let known = self.union_type(part, nesting + 1);
                args.push(known.unwrap_or_else(|| self.b.add_type(TypeExpr::Unknown)));
            }
        }
        let path = self.class_path(name);
        Some(self.type_of_path(path, args))
    }

    /// The value of a variable with `@type` above its assignment.
    pub(super) fn declared_value(&mut self, comments: &[&'s str], value: ExprId) -> ExprId {
        let ty = Tags::parse(comments)
            .ty
            .and_then(|ty| self.written_type(ty));
        match ty {
            Some(ty) => self.b.add_expr(Expr::Cast(value, ty)),
            None => value,
        }
    }

    /// `sig { params(x: A).returns(B) }`, for the method that follows.
    pub(super) fn sig(&mut self, parts: Parts<'_>) -> Option<ExprId> {
        let block = parts.block?;
        let body = block.field("body")?;
        let mut found = Signature::default();
        let mut next = first_child(body);
        while let Some(call) = next.filter(|c| c.kind_name() == "call") {
            let name = call.field("method").map_or("", |m| self.b.text(m));
            let list = call.field("arguments").map(children).unwrap_or_default();
            match name {
                "returns" => found.ret = list.first().and_then(|ty| self.sorbet_type(*ty, 0)),
                "params" => {
                    for pair in list.iter().filter(|p| p.kind_name() == "pair") {
                        let (Some(key), Some(value)) = (pair.field("key"), pair.field("value"))
                        else {
                            continue;
                        };
                        let name = self.b.intern_node_text(key);
                        if let Some(ty) = self.sorbet_type(value, 0) {
                            found.params.push((name, ty));
                        }
                    }
                }
                _ => {}
            }
            next = call.field("receiver");
        }
        self.signature = Some(found);
        Some(self.unknown)
    }

    /// A type of Sorbet: `A`, `T.nilable(A)`, `T::Array[A]`.
    fn sorbet_type(&mut self, node: Node<'_>, nesting: u32) -> Option<TypeId> {
        if nesting > MAX_NESTING {
            return None;
        }
        match node.kind_name() {
            "constant" | "scope_resolution" => match self.b.text(node) {
                "T::Boolean" => Some(self.b.add_type(TypeExpr::Primitive(Primitive::Bool))),
                _ => Some(self.class_type(node)),
            },
            "call" => {
                let of_t = node
                    .field("receiver")
                    .is_some_and(|r| self.b.text(r) == "T");
                let name = node.field("method").map_or("", |m| self.b.text(m));
                let list = node.field("arguments").map(children).unwrap_or_default();
                match name {
                    "nilable" | "must" if of_t => self.sorbet_type(*list.first()?, nesting + 1),
                    "any" if of_t => {
                        let mut parts = Vec::new();
                        for part in list {
                            parts.push(self.sorbet_type(part, nesting + 1)?);
                        }
                        Some(self.b.add_type(TypeExpr::Union(parts.into())))
                    }
                    "attached_class" | "self_type" if of_t => {
                        let class = self.class_around()?;
                        Some(self.b.add_type(TypeExpr::SelfType(class)))
                    }
                    _ => None,
                }
            }
            "element_reference" => {
                let object = node.field("object")?;
                let name = self.b.text(object).strip_prefix("T::")?;
                let mut args = Vec::new();
                for part in children(node) {
                    if part != object {
                        let known = self.sorbet_type(part, nesting + 1);
                        args.push(known.unwrap_or_else(|| self.b.add_type(TypeExpr::Unknown)));
                    }
                }
                let name = self.b.intern_owned_name(name);
                Some(self.type_of_path((vec![name], FILE_SCOPE), args))
            }
            _ => None,
        }
    }
}

/// The parts of a text between separators that are not in brackets.
fn split_types(text: &str, separator: char) -> Vec<&str> {
    let (mut depth, mut from, mut out) = (0i32, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '<' | '{' | '(' | '[' => depth += 1,
            // The end of `=>` closes nothing.
            '>' if text[..at].ends_with('=') => {}
            '>' | '}' | ')' | ']' => depth -= 1,
            _ if c == separator && depth == 0 => {
                out.push(&text[from..at]);
                from = at + c.len_utf8();
            }
            _ => {}
        }
    }
    out.push(&text[from..]);
    out.retain(|part| !part.trim().is_empty());
    out
}

/// Key and value of `K => V`; otherwise the arguments of `A, B`.
fn split_key(text: &str) -> Vec<&str> {
    match text.split_once("=>") {
        Some((key, value)) => vec![key, value],
        None => match split_types(text, ',')[..] {
            [key, value] => vec![key, value],
            _ => vec![text],
        },
    }
}
