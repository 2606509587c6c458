//! Methods, constructors, fields, enum constants, initialiser blocks.

use super::classes::{Modifiers, read_modifiers};
use super::{FunctionFrame, Walker, child_of_kind, is_annotation, is_comment};
use base::{SymbolKind, Visibility};
use syntax::builder::is_longer;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Initial values longer than this are left out of a signature.
const MAX_VALUE_BYTES: usize = 120;

const TEST_ANNOTATIONS: &[&str] = &[
    "Test",
    "ParameterizedTest",
    "RepeatedTest",
    "TestFactory",
    "TestTemplate",
];

impl<'s> Walker<'_, 's> {
    pub(super) fn visit_method(&mut self, node: Node<'_>, comment: Option<Node<'_>>) {
        let Some(name_node) = node.field("name") else {
            return;
        };
        let kind = match node.kind_name() {
            "constructor_declaration" | "compact_constructor_declaration" => {
                SymbolKind::Constructor
            }
            _ if self.current_class().is_none() => SymbolKind::Function,
            _ => SymbolKind::Method,
        };
        let name = self.b.intern_node_text(name_node);
        let def = self.b.add_def(name, kind, node, name_node);
        if kind != SymbolKind::Constructor {
            self.b.bind(name, Namespace::MACRO, Bound::Def(def));
        }
        let body = node.field("body");
        let mut modifiers = read_modifiers(node);
        modifiers.is_abstract |= body.is_none() && self.in_interface();
        self.set_declaration_header(def, node, &modifiers, body);
        self.set_javadoc(def, comment);
        if self.is_test(node, &modifiers) {
            self.b.def_mut(def).flags.set(DefFlags::TEST);
        }
        if modifiers.is_static && self.b.text(name_node) == "main" {
            self.b.def_mut(def).flags.set(DefFlags::ENTRY);
        }
        self.visit_signature_and_body(def, node, body);
        self.set_complexity(def, body);
    }

    fn visit_signature_and_body(&mut self, def: DefId, node: Node<'_>, body: Option<Node<'_>>) {
        self.b.open_def(def, ScopeKind::Function);
        self.visit_type_params(def, node.field("type_parameters"));
        let params = self.visit_and_bind_params(def, node);
        let ret = node.field("type").map(|t| {
            let ty = self.ty(t);
            self.wrap_array_dimensions(ty, node.field("dimensions"))
        });
        if let Some(throws) = child_of_kind(node, "throws") {
            self.lower_types_in(throws);
        }
        self.b.def_mut(def).callable = Some(Box::new(Callable {
            params,
            ret,
            ..Callable::default()
        }));
        if let Some(value) = node.field("value") {
            self.expr(value);
        }
        if let Some(body) = body {
            self.frames.push(FunctionFrame::Method(ret));
            let handlers = std::mem::take(&mut self.handlers);
            self.visit_statements(body);
            self.handlers = handlers;
            self.frames.pop();
        }
        self.b.close_def();
    }

    fn visit_and_bind_params(&mut self, def: DefId, node: Node<'_>) -> Vec<Param> {
        let params = match node.field("parameters") {
            Some(list) => self.param_list(list),
            None if node.kind_name() == "compact_constructor_declaration" => self
                .classes
                .last()
                .map(|c| c.components.clone())
                .unwrap_or_default(),
            None => Vec::new(),
        };
        self.bind_params(def, &params);
        params
    }

    pub(super) fn bind_params(&mut self, def: DefId, params: &[Param]) {
        for (i, param) in params.iter().enumerate() {
            self.b
                .bind(param.name, Namespace::VALUE, Bound::Param(def, i as u32));
        }
    }

    pub(super) fn param_list(&mut self, list: Node<'_>) -> Vec<Param> {
        let mut cursor = list.walk();
        let nodes: Vec<Node<'_>> = list.named_children(&mut cursor).collect();
        nodes
            .into_iter()
            .filter_map(|n| self.visit_parameter(n))
            .map(|(param, _)| param)
            .collect()
    }

    /// A parameter and the node of its name.
    pub(super) fn visit_parameter<'t>(&mut self, node: Node<'t>) -> Option<(Param, Node<'t>)> {
        match node.kind_name() {
            "formal_parameter" => {
                let name_node = node.field("name")?;
                self.visit_annotations(node);
                let ty = self.declared_type(node, node.field("dimensions"));
                Some((self.make_param(name_node, ty, ParamKind::Plain), name_node))
            }
            "spread_parameter" => {
                self.visit_annotations(node);
                let declarator = child_of_kind(node, "variable_declarator")?;
                let name_node = declarator.field("name")?;
                let mut cursor = node.walk();
                let ty_node = node.named_children(&mut cursor).find(|c| {
                    !is_comment(*c)
                        && !is_annotation(*c)
                        && !matches!(c.kind_name(), "modifiers" | "variable_declarator")
                });
                let ty = ty_node.map(|t| self.ty(t));
                Some((
                    self.make_param(name_node, ty, ParamKind::Variadic),
                    name_node,
                ))
            }
            "ERROR" => self.visit_annotated_varargs(node),
            _ => None,
        }
    }

    /// `T @A ... name`: the grammar reads `@A ... name` as an annotation with a dotted name.
    fn visit_annotated_varargs<'t>(&mut self, node: Node<'t>) -> Option<(Param, Node<'t>)> {
        let mut cursor = node.walk();
        let children: Vec<Node<'t>> = node
            .named_children(&mut cursor)
            .filter(|c| !is_comment(*c))
            .collect();
        let at = children
            .iter()
            .rposition(|c| c.kind_name() == "marker_annotation")?;
        let dotted = children[at].field("name")?;
        let name_node = dotted.field("name")?;
        if dotted.kind_name() != "scoped_identifier" || !self.b.text(dotted).contains("..") {
            return None;
        }
        let ty = children[..at]
            .iter()
            .rfind(|c| !is_annotation(**c) && c.kind_name() != "modifiers")
            .map(|t| self.ty(*t));
        Some((
            self.make_param(name_node, ty, ParamKind::Variadic),
            name_node,
        ))
    }

    fn make_param(&mut self, name_node: Node<'_>, ty: Option<TypeId>, kind: ParamKind) -> Param {
        let name = self.b.intern_node_text(name_node);
        Param {
            name,
            ty,
            default: None,
            kind,
        }
    }

    /// The type in a declaration's `type` field; `None` for `var`.
    pub(super) fn declared_type(
        &mut self,
        node: Node<'_>,
        dimensions: Option<Node<'_>>,
    ) -> Option<TypeId> {
        let ty = node.field("type")?;
        if self.is_var(ty) {
            return None;
        }
        let ty = self.ty(ty);
        Some(self.wrap_array_dimensions(ty, dimensions))
    }

    pub(super) fn is_var(&self, ty: Node<'_>) -> bool {
        ty.kind_name() == "type_identifier" && self.b.text(ty) == "var"
    }

    pub(super) fn visit_field_declaration(&mut self, node: Node<'_>, comment: Option<Node<'_>>) {
        let mut modifiers = read_modifiers(node);
        let interface = self.in_interface();
        modifiers.is_static |= interface;
        let constant = interface || (modifiers.is_static && modifiers.is_final);
        let kind = if constant {
            SymbolKind::Constant
        } else {
            SymbolKind::Field
        };
        let mut cursor = node.walk();
        let declarators: Vec<Node<'_>> = node.fields("declarator", &mut cursor).collect();
        let mut ty = None;
        for declarator in &declarators {
            let Some(name_node) = declarator.field("name") else {
                continue;
            };
            let whole = if declarators.len() == 1 {
                node
            } else {
                *declarator
            };
            let name = self.b.intern_node_text(name_node);
            let def = self.b.add_def(name, kind, whole, name_node);
            self.b.bind(name, Namespace::VALUE, Bound::Def(def));
            self.set_declaration_header(
                def,
                node,
                &modifiers,
                self.value_too_long_for_signature(*declarator),
            );
            modifiers.annotations.clear();
            self.set_javadoc(def, comment);
            self.b.open_owner(def);
            if ty.is_none() {
                ty = node.field("type").map(|t| self.ty(t));
            }
            self.set_field_type_and_value(def, *declarator, ty);
            self.b.close_owner();
        }
    }

    fn set_field_type_and_value(&mut self, def: DefId, declarator: Node<'_>, ty: Option<TypeId>) {
        let ty = ty.map(|t| self.wrap_array_dimensions(t, declarator.field("dimensions")));
        self.b.def_mut(def).ty = ty;
        if let Some(value) = declarator.field("value") {
            let value = self.visit_expr_with_expected_type(value, ty);
            self.b.def_mut(def).value = Some(value);
        }
    }

    pub(super) fn enum_constant(&mut self, node: Node<'_>, comment: Option<Node<'_>>) {
        let (Some(name_node), Some(of)) = (node.field("name"), self.current_class()) else {
            return;
        };
        let name = self.b.intern_node_text(name_node);
        let def = self
            .b
            .add_def(name, SymbolKind::EnumMember, node, name_node);
        self.b.bind(name, Namespace::VALUE, Bound::Def(def));
        let modifiers = Modifiers {
            visibility: Some(Visibility::Public),
            is_static: true,
            ..read_modifiers(node)
        };
        let body = node.field("body");
        self.set_declaration_header(def, node, &modifiers, body);
        self.set_javadoc(def, comment);
        let ty = self.b.add_type(TypeExpr::SelfType(of));
        self.b.def_mut(def).ty = Some(ty);
        self.b.open_owner(def);
        if let Some(list) = node.field("arguments") {
            let args = self.visit_arguments(list);
            let argc = args.len();
            let class = self.b.add_expr(Expr::Type(ty));
            let value = self.add_new_expr(class, args);
            self.b.add_call(value, CallKind::New, argc, name_node);
            self.b.def_mut(def).value = Some(value);
        }
        if let Some(body) = body {
            self.anonymous_class(body, body, ty);
        }
        self.b.close_owner();
    }

    pub(super) fn visit_initializer_block(&mut self, node: Node<'_>) {
        let block = child_of_kind(node, "block").unwrap_or(node);
        self.b.open_scope(ScopeKind::Block, None);
        self.frames.push(FunctionFrame::Method(None));
        self.visit_statements(block);
        self.frames.pop();
        self.b.close_scope();
    }

    /// Whether it is a test: by annotation, or as in JUnit 3, `public void testX()` in a `…TestCase`.
    fn is_test(&self, node: Node<'_>, modifiers: &Modifiers<'_>) -> bool {
        let annotated = modifiers.annotations.iter().any(|a| {
            let name = a.field("name").map_or("", |n| self.b.text(n));
            TEST_ANNOTATIONS.contains(&name.rsplit('.').next().unwrap_or(name))
        });
        annotated || (self.is_junit3_name(node) && self.extends_test_case())
    }

    fn is_junit3_name(&self, node: Node<'_>) -> bool {
        let starts = |field: &'static str, prefix: &str| {
            node.field(field)
                .is_some_and(|n| self.b.text(n).starts_with(prefix))
        };
        starts("name", "test") && starts("parameters", "()")
    }

    fn extends_test_case(&self) -> bool {
        let facts = self.b.facts();
        let Some(class) = self.current_class() else {
            return false;
        };
        facts
            .def(class)
            .supers
            .iter()
            .any(|(ty, _)| match facts.ty(*ty) {
                TypeExpr::Named { path, .. } => path
                    .last()
                    .is_some_and(|n| facts.name(*n).ends_with("TestCase")),
                _ => false,
            })
    }

    /// The initial value of a declarator if it is too long for a signature.
    fn value_too_long_for_signature<'t>(&self, declarator: Node<'t>) -> Option<Node<'t>> {
        let value = declarator.field("value")?;
        is_longer(self.b.text(value), MAX_VALUE_BYTES).then_some(value)
    }
}
