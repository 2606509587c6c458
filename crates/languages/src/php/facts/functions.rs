//! Functions, methods, closures, parameters.

use super::docblock::DocBlock;
use super::flow::UNKNOWN;
use super::headers::{Modifiers, Parts};
use super::types::WrittenType;
use super::{Frame, LeadingComments, RULES, Walker, children, first_child, start};
use base::{SymbolKind, Visibility};
use syntax::facts::*;
use syntax::fields::{Fields, child_of_kind};
use tree_sitter::Node;

/// Most returned expressions that are kept.
const MAX_RETURNS: usize = 8;

impl<'s> Walker<'_, 's> {
    pub(super) fn function(&mut self, node: Node<'_>, above: LeadingComments<'_, 's>) {
        self.named_function_definition(node, SymbolKind::Function, above);
    }

    pub(super) fn method(&mut self, node: Node<'_>, above: LeadingComments<'_, 's>) {
        let kind = if self.current_type().is_some() {
            SymbolKind::Method
        } else {
            SymbolKind::Function
        };
        self.named_function_definition(node, kind, above);
    }

    fn named_function_definition(
        &mut self,
        node: Node<'_>,
        kind: SymbolKind,
        above: LeadingComments<'_, 's>,
    ) {
        let Some(name_node) = node.field("name") else {
            return;
        };
        let name = self.b.intern_node_text(name_node);
        let def = self.b.add_def(name, kind, node, name_node);
        let body = node.field("body");
        let mut modifiers = self.modifiers(node);
        modifiers.is_abstract |= kind == SymbolKind::Method && body.is_none();
        let parts = Parts {
            body,
            parameters: node.field("parameters"),
            name: None,
        };
        self.set_header(def, node, modifiers, parts, above);
        let doc = above.block().map(DocBlock::parse).unwrap_or_default();
        if kind == SymbolKind::Method && self.is_test(node, above) {
            self.b.def_mut(def).flags.set(DefFlags::TEST);
        }
        // Inside of the function, `$this` and `self` belong to its class, and to none in a function.
        let hidden = match kind {
            SymbolKind::Method => Vec::new(),
            _ => std::mem::take(&mut self.types),
        };
        self.function_contents(def, node, &doc);
        if kind != SymbolKind::Method {
            self.types = hidden;
        }
        if let Some(body) = body {
            self.b.set_complexity(def, body, &RULES);
        }
    }

    /// Whether a method is a test, by the conventions of PHPUnit.
    fn is_test(&self, node: Node<'_>, above: LeadingComments<'_, 's>) -> bool {
        let name = node.field("name").map_or("", |n| self.b.text(n));
        let by_comment = above.block().is_some_and(|block| block.contains("@test"));
        let is_named = name.starts_with("test") && self.extends_test_case();
        is_named || by_comment || self.has_attribute(node, "Test")
    }

    fn extends_test_case(&self) -> bool {
        let facts = self.b.facts();
        let parent = self.types.last().and_then(|class| class.parent);
        match parent.map(|ty| facts.ty(ty)) {
            Some(TypeExpr::Named { path, .. }) => path
                .last()
                .is_some_and(|last| facts.name(*last).ends_with("TestCase")),
            _ => false,
        }
    }

    /// Reads parameters and body of a function.
    fn function_contents(&mut self, def: DefId, node: Node<'_>, doc: &DocBlock) {
        let scope = self.b.open_def(def, ScopeKind::Function);
        self.frames.push(Frame::new(scope));
        let templates = self.open_templates(def, doc);
        let native = node.field("return_type").map(|ty| self.native_type(ty));
        let written = doc.ret.as_ref().map(|ty| self.doc_type(ty));
        let ret = self.better_type(native, written);
        let params = self.parameters(def, node, doc);
        self.b.def_mut(def).callable = Some(Box::new(Callable {
            params,
            ret,
            ..Callable::default()
        }));
        if let Some(clause) = child_of_kind(node, "anonymous_function_use_clause") {
            self.captured_variables(clause);
        }
        if let Some(body) = node.field("body") {
            if body.kind_name() == "compound_statement" {
                self.declaration(body, LeadingComments::default());
            } else {
                let value = self.expr(body);
                self.frame().returns.push(value);
            }
        }
        self.templates.truncate(templates);
        self.close_function(def);
    }

    fn close_function(&mut self, def: DefId) {
        self.b.close_def();
        let Some(mut frame) = self.frames.pop() else {
            return;
        };
        frame.returns.truncate(MAX_RETURNS);
        let made = self.b.def_mut(def);
        if frame.is_generator {
            made.flags.set(DefFlags::GENERATOR);
        }
        if let Some(callable) = &mut made.callable {
            callable.returns = frame.returns;
            callable.yields = frame.yields;
        }
    }

    /// The type in the declaration or that in the comment, whichever says more.
    pub(super) fn better_type(
        &mut self,
        native: Option<WrittenType>,
        written: Option<TypeId>,
    ) -> Option<TypeId> {
        let facts = self.b.facts();
        let says = |ty: &TypeId| !super::classes::is_vague(facts, *ty);
        let is_list = |ty: &TypeId| matches!(facts.ty(*ty), TypeExpr::Array(_));
        let is_generic = |ty: &TypeId| match facts.ty(*ty) {
            TypeExpr::Named { args, .. } => !args.is_empty(),
            TypeExpr::All(_) => true,
            // A type parameter.
            _ => false,
        };
        let is_param = |ty: &TypeId| match facts.ty(*ty) {
            TypeExpr::Named { scope, .. } => *scope != FILE_SCOPE,
            _ => false,
        };
        match (native, written) {
            (None, written) => written,
            (Some(native), None) => Some(native.ty),
            (Some(native), Some(written)) => {
                let is_better = if native.is_class {
                    is_generic(&written) || is_param(&written)
                } else {
                    says(&written) || is_list(&written)
                };
                Some(if is_better { written } else { native.ty })
            }
        }
    }

    fn parameters(&mut self, def: DefId, node: Node<'_>, doc: &DocBlock) -> Vec<Param> {
        let mut out = Vec::new();
        let list = node.field("parameters").map(children).unwrap_or_default();
        for param in list {
            if let Some(made) = self.parameter(param, doc, (def, out.len() as u32)) {
                out.push(made);
            }
        }
        out
    }

    /// A parameter, which is bound as the n-th of a function.
    fn parameter(&mut self, node: Node<'_>, doc: &DocBlock, place: (DefId, u32)) -> Option<Param> {
        let kind = match node.kind_name() {
            "variadic_parameter" => ParamKind::Variadic,
            "simple_parameter" | "property_promotion_parameter" => {
                match node.field("default_value") {
                    Some(_) => ParamKind::Optional,
                    None => ParamKind::Plain,
                }
            }
            _ => return None,
        };
        let mut name_node = node.field("name")?;
        if name_node.kind_name() == "by_ref" {
            name_node = first_child(name_node)?;
        }
        let text = self.b.text(name_node);
        let name = self.b.intern_name(text.trim_start_matches('$'));
        let variable = self.b.intern_name(text);
        if let Some(list) = node.field("attributes") {
            self.attributes(list, None);
        }
        let native = node.field("type").map(|ty| self.native_type(ty));
        let written = doc
            .params
            .iter()
            .find(|(n, _)| text.get(1..) == Some(n.as_str()));
        let written = written.map(|(_, ty)| self.doc_type(ty));
        let ty = self.better_type(native, written);
        let default = node.field("default_value").map(|value| self.expr(value));
        let (def, n) = place;
        self.bind_variable(variable, Bound::Param(def, n), 0);
        if node.kind_name() == "property_promotion_parameter" {
            self.promoted(node, name_node, ty, place);
        }
        Some(Param {
            name,
            ty,
            default,
            kind,
        })
    }

    /// A constructor parameter that is a property of the class.
    fn promoted(
        &mut self,
        node: Node<'_>,
        name_node: Node<'_>,
        ty: Option<TypeId>,
        place: (DefId, u32),
    ) {
        let Some(name) = first_child(name_node) else {
            return;
        };
        let id = self.b.intern_node_text(name);
        let def = self.b.add_def(id, SymbolKind::Property, node, name);
        let mut modifiers = Modifiers::default();
        if let Some(written) = node.field("visibility") {
            modifiers.visibility = self.visibility(written);
        }
        let parts = Parts {
            name: Some(name),
            ..Parts::default()
        };
        self.set_header(def, node, modifiers, parts, LeadingComments::default());
        let class = self.b.facts().def(place.0).parent;
        let made = self.b.def_mut(def);
        made.parent = class;
        made.ty = ty;
        if let Some(hooks) = child_of_kind(node, "property_hook_list") {
            self.property_hooks(hooks);
        }
    }

    /// `use ($x, &$y)`.
    fn captured_variables(&mut self, clause: Node<'_>) {
        let outer = self
            .frames
            .len()
            .checked_sub(2)
            .map(|at| self.frames[at].scope);
        for captured in children(clause) {
            let is_reference = captured.kind_name() == "by_ref";
            let name_node = if is_reference {
                first_child(captured)
            } else {
                Some(captured)
            };
            let Some(name_node) = name_node else { continue };
            let name = self.b.intern_node_text(name_node);
            let value = outer.filter(|_| !is_reference).map(|scope| {
                self.b.add_expr(Expr::Name {
                    name,
                    scope,
                    at: start(clause),
                })
            });
            let bound = match value {
                Some(_) => Bound::Local { ty: None, value },
                None => UNKNOWN,
            };
            self.bind_variable(name, bound, 0);
        }
    }

    pub(super) fn closure(&mut self, node: Node<'_>) -> ExprId {
        self.function_literal(node, DefFlags::default())
    }

    /// `fn ($x) => …`, which sees the variables around it.
    pub(super) fn arrow_function(&mut self, node: Node<'_>) -> ExprId {
        self.function_literal(node, DefFlags::SEES_AROUND)
    }

    fn function_literal(&mut self, node: Node<'_>, flags: DefFlags) -> ExprId {
        let name = self.b.intern_owned_name("<anonymous>");
        let def = self.b.add_def(name, SymbolKind::Function, node, node);
        let made = self.b.def_mut(def);
        made.flags = flags;
        made.flags.set(DefFlags::ANONYMOUS);
        made.flags.set(DefFlags::LOCAL);
        made.visibility = Visibility::Private;
        if let Some(list) = node.field("attributes") {
            self.attributes(list, None);
        }
        let declared = std::mem::take(&mut self.declared);
        let next_variable = self.next_variable.take();
        self.function_contents(def, node, &DocBlock::default());
        self.declared = declared;
        self.next_variable = next_variable;
        if let Some(body) = node.field("body") {
            self.b.set_complexity(def, body, &RULES);
        }
        self.b.add_expr(Expr::Function(def))
    }
}
