//! Methods and their parameters.

use super::comments::Tags;
use super::context::Own;
use super::flow::Frame;
use super::{RULES, Walker, children};
use base::{SymbolKind, Visibility};
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Most returned expressions that are kept.
pub(super) const MAX_RETURNS: usize = 8;

impl<'s> Walker<'_, 's> {
    /// `def name … end`, `def self.name … end`. Its value is the symbol of its name.
    pub(super) fn method(&mut self, node: Node<'_>) -> ExprId {
        let comments = std::mem::take(&mut self.tag_lines);
        let Some(name_node) = node.field("name") else {
            self.children_of(node);
            return self.unknown;
        };
        let (own, class) = self.owner_of_method(node);
        let kind = match class {
            Some(_) => SymbolKind::Method,
            None => SymbolKind::Function,
        };
        let text = self.b.text(name_node).trim_start_matches(':');
        let name = self.b.intern_name(text);
        let def = self.b.add_def(name, kind, node, name_node);
        let is_static = matches!(own, Own::Class(_));
        let context = self.context();
        let mut visibility = Visibility::Public;
        if node.kind_name() == "method" && class.is_some() {
            visibility = context.visibility;
        }
        let makes_functions = context.makes_functions && !is_static;
        if class.is_some() {
            context.methods.insert((name, is_static), def);
        }
        let made = self.b.def_mut(def);
        made.parent = class;
        made.visibility = visibility;
        if is_static {
            made.flags.set(DefFlags::STATIC);
        }
        if makes_functions {
            made.flags.set(DefFlags::MODULE_FUNCTION);
        }
        self.end_signature(def, node);
        self.document(def, &comments);
        if self.is_test_method(text, class) {
            self.b.def_mut(def).flags.set(DefFlags::TEST);
        }
        let tags = Tags::parse(&comments);
        self.method_contents(def, node, own, &tags);
        if let Some(body) = node.field("body") {
            self.b.set_complexity(def, body, &RULES);
        }
        self.b.add_expr(Expr::Literal(Primitive::Char))
    }

    /// What `self` is inside of a method, and the class that has the method.
    fn owner_of_method(&mut self, node: Node<'_>) -> (Own, Option<DefId>) {
        let class = self.class_around();
        let is_singleton = self.context().is_singleton;
        let Some(object) = node.field("object") else {
            return match class {
                Some(class) if is_singleton => (Own::Class(class), Some(class)),
                Some(class) => (Own::Instance(class), Some(class)),
                None => (Own::Main, None),
            };
        };
        let text = self.b.text(object);
        let is_self = text == "self";
        match class {
            Some(class) if is_self => (Own::Class(class), Some(class)),
            // `def Name.method` inside of `class Name`.
            Some(class) if self.b.facts().name(self.b.facts().def(class).name) == text => {
                (Own::Class(class), Some(class))
            }
            Some(class) => {
                self.expr(object);
                (Own::Unknown, Some(class))
            }
            None if is_self => (Own::Main, None),
            None => {
                self.expr(object);
                (Own::Unknown, None)
            }
        }
    }

    /// Reads parameters and body of a method.
    fn method_contents(&mut self, def: DefId, node: Node<'_>, own: Own, tags: &Tags<'s>) {
        let scope = self.b.open_def(def, ScopeKind::Function);
        let mut frame = Frame::new(scope, own);
        frame.method = Some(def);
        self.frames.push(frame);
        let signature = self.signature.take();
        let ret = match &signature {
            Some(signature) => signature.ret,
            None => tags.ret.as_ref().and_then(|ty| self.written_type(ty)),
        };
        self.b.def_mut(def).callable = Some(Box::default());
        if let Some(list) = node.field("parameters") {
            let types = self.parameter_types(signature.as_ref(), tags);
            self.parameters(def, list, &types);
        }
        let value = match node.field("body") {
            Some(body) => self.expr(body),
            None => self.b.add_expr(Expr::Literal(Primitive::Null)),
        };
        self.close_method(def, value, ret);
        self.written_yields(def, tags);
    }

    /// The types that a comment gives to the parameters of the block.
    fn written_yields(&mut self, def: DefId, tags: &Tags<'s>) {
        let mut parts = Vec::new();
        for (_, ty) in &tags.yielded {
            let part = match self.written_type(ty) {
                Some(ty) => self.b.add_expr(Expr::Cast(self.unknown, ty)),
                None => self.unknown,
            };
            parts.push(part);
        }
        if parts.is_empty() {
            return;
        }
        let given = self.b.add_expr(Expr::Tuple(parts.into()));
        if let Some(callable) = &mut self.b.def_mut(def).callable {
            callable.yields = vec![given];
        }
    }

    fn parameter_types(
        &mut self,
        signature: Option<&super::types::Signature>,
        tags: &Tags<'s>,
    ) -> Vec<(NameId, TypeId)> {
        if let Some(signature) = signature {
            return signature.params.clone();
        }
        let mut types = Vec::new();
        for (name, ty) in &tags.params {
            if let Some(ty) = self.written_type(ty) {
                types.push((self.b.intern_name(name), ty));
            }
        }
        types
    }

    /// Ends a method that has that value at its end.
    pub(super) fn close_method(&mut self, def: DefId, value: ExprId, ret: Option<TypeId>) {
        self.b.close_def();
        let Some(mut frame) = self.frames.pop() else {
            return;
        };
        if !frame.is_dead {
            frame.returns.push(value);
        }
        if frame.returns.len() > MAX_RETURNS {
            frame.returns.clear();
        }
        if let Some(callable) = &mut self.b.def_mut(def).callable {
            callable.ret = ret;
            callable.returns = frame.returns;
            callable.yields = frame.yields;
        }
    }

    /// Binds parameters and records them.
    pub(super) fn parameters(&mut self, def: DefId, list: Node<'_>, types: &[(NameId, TypeId)]) {
        let scope = self.b.current_scope();
        let mut params: Vec<Param> = Vec::new();
        let mut parts = Vec::new();
        let nodes = children(list);
        for (node, at) in nodes.into_iter().zip(0u32..) {
            let (kind, name_node) = match node.kind_name() {
                "identifier" => (ParamKind::Plain, Some(node)),
                "optional_parameter" => (ParamKind::Optional, node.field("name")),
                "keyword_parameter" => (ParamKind::KeywordOnly, node.field("name")),
                "splat_parameter" => (ParamKind::Variadic, node.field("name")),
                "hash_splat_parameter" => (ParamKind::Keywords, node.field("name")),
                "block_parameter" => (ParamKind::KeywordOnly, node.field("name")),
                "destructured_parameter" => (ParamKind::Plain, None),
                "forward_parameter" => (ParamKind::Variadic, None),
                _ => (ParamKind::Plain, None),
            };
            let name = match name_node {
                Some(name) => self.b.intern_node_text(name),
                None => self.b.intern_owned_name(&format!("_{}", params.len())),
            };
            let default = node.field("value").map(|value| self.expr(value));
            let ty = types.iter().find(|(n, _)| *n == name).map(|(_, ty)| *ty);
            params.push(Param {
                name,
                ty,
                default,
                kind,
            });
            let value = self.b.add_expr(Expr::Name { name, scope, at: 0 });
            if node.kind_name() == "block_parameter" {
                let callable = self.type_by_name("Proc");
                self.frame().block = Some(name);
                self.set_variable(name, callable);
            } else {
                self.set_variable(name, value);
            }
            let to = Bound::Param(def, at);
            self.b.bind_in(scope, name, Namespace::VALUE, 0, to);
            if node.kind_name() == "destructured_parameter" {
                parts.push((node, value));
            }
        }
        let callable = Callable {
            params,
            ..Callable::default()
        };
        self.b.def_mut(def).callable = Some(Box::new(callable));
        for (node, value) in parts {
            self.destructured(node, value, 0);
        }
    }

    /// The end of the signature: before the body, or the end of the line of the name.
    pub(super) fn end_signature(&mut self, def: DefId, node: Node<'_>) {
        let last = node
            .field("parameters")
            .or(node.field("superclass"))
            .or(node.field("name"));
        let Some(last) = last else {
            return;
        };
        let made = self.b.def_mut(def);
        made.signature.1 = (last.end_byte() as u32).max(made.signature.0);
    }

    /// Sets the documentation of a definition from the comment above it.
    pub(super) fn document(&mut self, def: DefId, comments: &[&'s str]) {
        let text = crate::outline::doc::plain_text(comments);
        self.b.set_doc(def, &text);
    }

    /// Whether a method is a test, by the conventions of minitest and test-unit.
    fn is_test_method(&self, name: &str, class: Option<DefId>) -> bool {
        let Some(class) = class.filter(|_| name.starts_with("test_")) else {
            return false;
        };
        let facts = self.b.facts();
        let supers = &facts.def(class).supers;
        supers.iter().any(|(ty, kind)| {
            *kind == SuperKind::Extends
                && match facts.ty(*ty) {
                    TypeExpr::Named { path, .. } => path.last().is_some_and(|last| {
                        let last = facts.name(*last);
                        last.contains("Test") || last == "Spec"
                    }),
                    _ => false,
                }
        })
    }
}
