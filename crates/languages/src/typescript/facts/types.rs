//! Written types, type parameters, literal object types.

use super::{DefName, Walker, unquote};
use base::SymbolKind;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

impl<'t> Walker<'_, '_, 't> {
    /// Reads a type, or an annotation around one.
    pub(super) fn ty(&mut self, node: Node<'t>) -> TypeId {
        if !self.b.enter_level() {
            return self.unknown_type;
        }
        let id = self.ty_inner(node);
        self.b.leave_level();
        id
    }

    fn ty_inner(&mut self, node: Node<'t>) -> TypeId {
        match node.kind_name() {
            "type_identifier"
            | "identifier"
            | "nested_type_identifier"
            | "member_expression"
            | "call_expression" => self.named_type(node, Box::default()),
            "generic_type" => self.generic(node),
            "predefined_type" => self.lower_predefined_type(node),
            "array_type" => {
                let element = self.lower_first_type(node);
                self.b.add_type(TypeExpr::Array(element))
            }
            "tuple_type" => self.tuple(node),
            "union_type" => self.union(node),
            "intersection_type" => self.intersection(node),
            "object_type" => self.object_type(node),
            "function_type" => self.function_type(node),
            "constructor_type" => self.constructor_type(node),
            "literal_type" => self.literal_type(node),
            "template_literal_type" => {
                self.visit_types_inside(node);
                self.b.add_type(TypeExpr::Primitive(Primitive::String))
            }
            "this_type" | "this" => self.this_type(),
            "type_query" => self.type_query(node),
            "lookup_type" => self.lower_indexed_access(node),
            "type_predicate_annotation" | "type_predicate" => match node.field("type") {
                Some(ty) => {
                    let ty = self.ty(ty);
                    let is = self.b.intern_owned_name(super::PREDICATE);
                    self.b.add_type(TypeExpr::Projection(ty, is))
                }
                None => self.lower_first_type(node),
            },
            "asserts_annotation" | "asserts" => self.lower_asserts(node),
            "type_annotation"
            | "parenthesized_type"
            | "readonly_type"
            | "constraint"
            | "default_type"
            | "rest_type"
            | "opting_type_annotation"
            | "omitting_type_annotation"
            | "adding_type_annotation" => self.lower_first_type(node),
            "optional_type" => {
                let inner = self.lower_first_type(node);
                self.b.add_type(TypeExpr::Optional(inner))
            }
            "required_parameter" | "optional_parameter" => match node.field("type") {
                Some(ty) => self.ty(ty),
                None => self.lower_first_type(node),
            },
            "conditional_type" => self.lower_conditional_type(node),
            "comment" => self.unknown_type,
            _ => self.visit_types_inside(node),
        }
    }

    /// Types in a node without a form in the facts; references to their names are still recorded.
    fn visit_types_inside(&mut self, node: Node<'t>) -> TypeId {
        let infers = node.kind_name() == "infer_type";
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if infers && child.kind_name() == "type_identifier" {
                continue;
            }
            if may_hold_types(child.kind_name()) {
                self.ty(child);
            }
        }
        self.unknown_type
    }

    fn lower_first_type(&mut self, node: Node<'t>) -> TypeId {
        let mut cursor = node.walk();
        let inner = node
            .named_children(&mut cursor)
            .find(|c| c.kind_name() != "comment");
        match inner {
            Some(inner) => self.ty(inner),
            None => self.unknown_type,
        }
    }

    /// Segments of `a.b.C`, from a type or an expression; `None` if it contains anything else.
    pub(super) fn collect_type_path(&mut self, node: Node<'t>) -> Option<Box<[NameId]>> {
        const MOST: usize = 16;
        let mut path = Vec::new();
        let mut node = node;
        loop {
            let (object, last) = match node.kind_name() {
                "identifier" | "type_identifier" | "property_identifier" => (None, node),
                "nested_type_identifier" => (node.field("module"), node.field("name")?),
                "nested_identifier" | "member_expression" => {
                    (Some(node.field("object")?), node.field("property")?)
                }
                "call_expression" if is_import_call(node) => {
                    path.push(self.bind_module_of_import_type(node)?);
                    break;
                }
                _ => return None,
            };
            path.push(self.b.intern_node_text(last));
            match object {
                Some(object) if path.len() < MOST => node = object,
                Some(_) => return None,
                None => break,
            }
        }
        path.reverse();
        Some(path.into_boxed_slice())
    }

    fn named_type(&mut self, node: Node<'t>, args: Box<[TypeId]>) -> TypeId {
        let Some(path) = self.collect_type_path(node) else {
            return self.unknown_type;
        };
        let scope = self.b.current_scope();
        let id = self.b.add_type(TypeExpr::Named {
            path,
            args,
            scope,
            at: node.start_byte() as u32,
        });
        let last = node.field("name").or_else(|| node.field("property"));
        self.b
            .add_reference(RefTarget::Type(id), last.unwrap_or(node));
        if let Some(module) = node.field("module") {
            self.expr(module);
        }
        id
    }

    fn generic(&mut self, node: Node<'t>) -> TypeId {
        let args = match node.field("type_arguments") {
            Some(list) => self.lower_type_args(list),
            None => Box::default(),
        };
        match node.field("name") {
            Some(name) => self.named_type(name, args),
            None => self.unknown_type,
        }
    }

    /// The types in `<A, B>`.
    pub(super) fn lower_type_args(&mut self, list: Node<'t>) -> Box<[TypeId]> {
        let mut args = Vec::new();
        let mut cursor = list.walk();
        for child in list.named_children(&mut cursor) {
            if child.kind_name() != "comment" {
                args.push(self.ty(child));
            }
        }
        args.into_boxed_slice()
    }

    fn primitive(&mut self, primitive: Primitive) -> TypeId {
        self.b.add_type(TypeExpr::Primitive(primitive))
    }

    fn lower_predefined_type(&mut self, node: Node<'t>) -> TypeId {
        match self.b.text(node) {
            "string" => self.primitive(Primitive::String),
            "number" | "bigint" => self.primitive(Primitive::Int),
            "boolean" => self.primitive(Primitive::Bool),
            "void" | "never" => self.primitive(Primitive::Null),
            _ => self.unknown_type,
        }
    }

    fn literal_type(&mut self, node: Node<'t>) -> TypeId {
        let Some(literal) = node.named_child(0) else {
            return self.unknown_type;
        };
        match literal.kind_name() {
            "unary_expression" => self.primitive(Primitive::Int),
            "null" | "undefined" => self.primitive(Primitive::Null),
            _ => match literal_primitive(literal) {
                Some(primitive) => self.type_of_literal(literal, primitive),
                None => self.unknown_type,
            },
        }
    }

    /// The type with a literal as its only value: the primitive type, named by the literal's text.
    fn type_of_literal(&mut self, literal: Node<'t>, primitive: Primitive) -> TypeId {
        let ty = self.primitive(primitive);
        let text = unquote(self.b.text(literal));
        if text.len() > MOST_TEXT {
            return ty;
        }
        let name = self.b.intern_name(text);
        self.b.add_type(TypeExpr::Binding(name, ty))
    }

    /// A literal argument is stored with its text, since overloads may depend on it.
    pub(super) fn literal_argument(&mut self, node: Node<'t>) -> Option<ExprId> {
        let primitive = literal_primitive(node)?;
        if let Some(known) = self.texts.get(self.b.text(node)) {
            return Some(*known);
        }
        let ty = self.type_of_literal(node, primitive);
        let literal = self.expr(node);
        let id = self.b.add_expr(Expr::Cast(literal, ty));
        let text = self.b.text(node);
        if text.len() <= MOST_TEXT {
            self.texts.insert(text.into(), id);
        }
        Some(id)
    }

    fn tuple(&mut self, node: Node<'t>) -> TypeId {
        let parts = self.lower_type_args(node);
        self.b.add_type(TypeExpr::Tuple(parts))
    }

    fn union(&mut self, node: Node<'t>) -> TypeId {
        let mut parts = Vec::new();
        self.collect_chain_parts(node, "union_type", &mut parts);
        let before = parts.len();
        let null = TypeExpr::Primitive(Primitive::Null);
        parts.retain(|p| *self.b.facts().ty(*p) != null);
        let optional = parts.len() < before;
        let inner = match parts.as_slice() {
            [] => return self.primitive(Primitive::Null),
            [one] => *one,
            _ => self.b.add_type(TypeExpr::Union(parts.into_boxed_slice())),
        };
        if optional {
            self.b.add_type(TypeExpr::Optional(inner))
        } else {
            inner
        }
    }

    fn intersection(&mut self, node: Node<'t>) -> TypeId {
        let mut parts = Vec::new();
        self.collect_chain_parts(node, "intersection_type", &mut parts);
        self.b.add_type(TypeExpr::All(parts.into_boxed_slice()))
    }

    /// The parts of a left-nested chain `A | B | C`, in order.
    fn collect_chain_parts(&mut self, node: Node<'t>, kind: &str, parts: &mut Vec<TypeId>) {
        let mut chain = vec![node];
        let mut rest = Vec::new();
        while let Some(node) = chain.pop() {
            let mut cursor = node.walk();
            let mut children: Vec<_> = node.named_children(&mut cursor).collect();
            children.retain(|c| c.kind_name() != "comment");
            if children.first().is_some_and(|c| c.kind_name() == kind) {
                chain.push(children.remove(0));
            }
            rest.push(children);
        }
        for child in rest.into_iter().rev().flatten() {
            parts.push(self.ty(child));
        }
    }

    /// `asserts x is T` means the same as `x is T`; `asserts x` does not concern types.
    fn lower_asserts(&mut self, node: Node<'t>) -> TypeId {
        match node.named_child(0) {
            Some(inner)
                if inner.kind_name() == "asserts" || inner.kind_name() == "type_predicate" =>
            {
                self.ty(inner)
            }
            _ => self.b.add_type(TypeExpr::Primitive(Primitive::Null)),
        }
    }

    /// Either branch: the syntax does not show which one the compiler takes.
    fn lower_conditional_type(&mut self, node: Node<'t>) -> TypeId {
        for field in ["left", "right"] {
            if let Some(part) = node.field(field) {
                self.ty(part);
            }
        }
        let branch = |field| node.field(field);
        let branches = [branch("consequence"), branch("alternative")];
        let parts: Vec<TypeId> = branches.into_iter().flatten().map(|b| self.ty(b)).collect();
        self.b.add_type(TypeExpr::Union(parts.into_boxed_slice()))
    }

    fn this_type(&mut self) -> TypeId {
        match self.classes.last() {
            Some(class) => self.b.add_type(TypeExpr::SelfType(*class)),
            None => self.unknown_type,
        }
    }

    fn type_query(&mut self, node: Node<'t>) -> TypeId {
        match node.named_child(0) {
            Some(inner) => {
                let value = self.expr(inner);
                self.b.add_type(TypeExpr::TypeOf(value))
            }
            None => self.unknown_type,
        }
    }

    /// `T["name"]`; `T[number]` is the projection to `number`.
    fn lower_indexed_access(&mut self, node: Node<'t>) -> TypeId {
        let (Some(object), Some(index)) = (node.named_child(0), node.named_child(1)) else {
            return self.visit_types_inside(node);
        };
        let object = self.ty(object);
        let text = match index.kind_name() {
            "literal_type" => self.b.text(index),
            "predefined_type" => self.b.text(index),
            _ => {
                self.ty(index);
                return self.unknown_type;
            }
        };
        let name = self.b.intern_name(unquote(text));
        self.b.add_type(TypeExpr::Projection(object, name))
    }

    fn function_type(&mut self, node: Node<'t>) -> TypeId {
        if node.field("type_parameters").is_some() {
            let id = self.anonymous_type(node);
            self.b.open_def(id, ScopeKind::Class);
            self.add_call_signature(node, "__call", DefFlags::default());
            self.b.close_def();
            return self.b.add_type(TypeExpr::Anonymous(id));
        }
        let params = match node.field("parameters") {
            Some(list) => self.parameter_types(list),
            None => Box::default(),
        };
        let ret = node.field("return_type").map(|r| self.ty(r));
        self.b.add_type(TypeExpr::Function { params, ret })
    }

    fn parameter_types(&mut self, list: Node<'t>) -> Box<[TypeId]> {
        let mut types = Vec::new();
        let mut cursor = list.walk();
        for child in list.named_children(&mut cursor) {
            if child.kind_name() == "comment" {
                continue;
            }
            types.push(match child.field("type") {
                Some(ty) => self.ty(ty),
                None => self.unknown_type,
            });
        }
        types.into_boxed_slice()
    }

    fn constructor_type(&mut self, node: Node<'t>) -> TypeId {
        let id = self.anonymous_type(node);
        self.b.open_def(id, ScopeKind::Class);
        self.add_call_signature(node, "__new", DefFlags::default());
        self.b.close_def();
        self.b.add_type(TypeExpr::Anonymous(id))
    }

    fn object_type(&mut self, node: Node<'t>) -> TypeId {
        let id = self.anonymous_type(node);
        self.b.open_def(id, ScopeKind::Class);
        self.type_members(node);
        self.b.close_def();
        self.b.add_type(TypeExpr::Anonymous(id))
    }

    fn anonymous_type(&mut self, node: Node<'t>) -> DefId {
        self.add_def(&DefName {
            name: None,
            at: node,
            outer: node,
            kind: SymbolKind::Interface,
            flags: DefFlags::default(),
        })
    }

    /// The element of an array type, for rest parameters.
    pub(super) fn element_type(&mut self, ty: TypeId) -> TypeId {
        match self.b.facts().ty(ty) {
            TypeExpr::Array(element) => *element,
            TypeExpr::Tuple(parts) => {
                let parts = parts.clone();
                self.b.add_type(TypeExpr::Union(parts))
            }
            TypeExpr::Named { args, .. } if args.len() == 1 => args[0],
            _ => self.unknown_type,
        }
    }

    /// Binds type parameters in the open scope of `def` and reads their bounds.
    pub(super) fn type_params(&mut self, def: DefId, list: Node<'t>) {
        let mut cursor = list.walk();
        let nodes: Vec<_> = list
            .named_children(&mut cursor)
            .filter(|c| c.kind_name() == "type_parameter")
            .collect();
        let mut params = Vec::new();
        for (i, node) in nodes.iter().enumerate() {
            let name = match node.field("name") {
                Some(name) => self.b.intern_node_text(name),
                None => self.b.intern_name("_"),
            };
            let to = Bound::TypeParam(def, i as u32);
            self.b.bind(name, Namespace::TYPE, to);
            params.push(TypeParam {
                name,
                bounds: Box::default(),
                default: None,
            });
        }
        for (param, node) in params.iter_mut().zip(&nodes) {
            if let Some(bound) = node.field("constraint") {
                param.bounds = Box::new([self.ty(bound)]);
            }
            param.default = node.field("value").map(|v| self.ty(v));
        }
        self.b.def_mut(def).type_params = params.into_boxed_slice();
    }
}

/// Longer literals are stored without their text.
const MOST_TEXT: usize = 64;

fn literal_primitive(literal: Node<'_>) -> Option<Primitive> {
    match literal.kind_name() {
        "string" => Some(Primitive::String),
        "number" => Some(Primitive::Int),
        "true" | "false" => Some(Primitive::Bool),
        _ => None,
    }
}

/// Whether a call expression in a type is `import("m")`.
fn is_import_call(node: Node<'_>) -> bool {
    node.field("function")
        .is_some_and(|f| f.kind_name() == "import")
}

/// Whether a node in a type may contain types.
fn may_hold_types(kind: &str) -> bool {
    !matches!(
        kind,
        "comment" | "identifier" | "string_fragment" | "property_identifier"
    )
}
