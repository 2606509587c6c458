//! Functions, methods, initialisers, subscripts, and their parameters.

use super::headers::Header;
use super::types::is_type;
use super::{
    Expected, FunctionFrame, RULES, SUBSCRIPT, TypeKind, Walker, children, children_with_fields,
    named_children,
};
use base::SymbolKind;
use syntax::facts::*;
use syntax::fields::{Fields, child_of_kind};
use tree_sitter::Node;

/// How parameters without a written label are called.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Labels {
    /// The name is the label, too.
    Names,
    /// They have none: subscripts, operators.
    Nothing,
}

impl<'s> Walker<'_, 's> {
    pub(super) fn function(&mut self, node: Node<'_>, doc: Option<&str>) {
        let Some((name, name_node, kind)) = self.function_name(node) else {
            return;
        };
        let def = self.b.add_def(name, kind, node, name_node);
        let header = self.header(node);
        let local = self.is_in_function();
        if local {
            self.b.bind(name, Namespace::VALUE, Bound::Def(def));
        }
        let accessors = child_of_kind(node, "computed_property");
        let body = node.field("body").or(accessors);
        let end = body.map_or(node.end_byte(), |b| b.start_byte());
        self.set_header(def, &header, end as u32, doc);
        self.set_function_flags(def, node, &header);
        let is_static = if self.is_in(TypeKind::Extension) || !local {
            std::mem::replace(&mut self.is_static, header.is_static)
        } else {
            self.is_static
        };
        self.b.open_def(def, ScopeKind::Function);
        self.type_parameters(def, node, Vec::new());
        let is_operator = !self
            .b
            .text(name_node)
            .starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '`');
        let labels = if is_operator || node.kind_name() == "subscript_declaration" {
            Labels::Nothing
        } else {
            Labels::Names
        };
        let params = self.parameters(def, node, labels);
        let ret = self.result(node);
        self.b.def_mut(def).callable = Some(Box::new(Callable {
            params,
            ret,
            ..Callable::default()
        }));
        match accessors {
            Some(accessors) => self.accessors(accessors, ret),
            None => self.function_body(body, ret),
        }
        self.b.close_def();
        self.is_static = is_static;
        if let Some(body) = node.field("body") {
            self.b.set_complexity(def, body, &RULES);
        }
    }

    /// The name of a function, its node and its kind.
    fn function_name<'t>(&mut self, node: Node<'t>) -> Option<(NameId, Node<'t>, SymbolKind)> {
        let in_type = !self.is_in_function() && self.current_type().is_some();
        let method = if in_type {
            SymbolKind::Method
        } else {
            SymbolKind::Function
        };
        let fixed = |text: &str| children(node).into_iter().find(|c| c.kind_name() == text);
        Some(match node.kind_name() {
            "init_declaration" => {
                let at = node.field("name")?;
                (self.b.intern_name("init"), at, SymbolKind::Constructor)
            }
            "deinit_declaration" => {
                let at = fixed("deinit")?;
                (self.b.intern_name("deinit"), at, method)
            }
            "subscript_declaration" => {
                let at = fixed("subscript")?;
                (self.b.intern_name(SUBSCRIPT), at, method)
            }
            "macro_declaration" => {
                let at = child_of_kind(node, "simple_identifier")?;
                (self.b.intern_node_text(at), at, SymbolKind::Macro)
            }
            _ => {
                let at = node.field("name")?;
                let text = self.b.text(at).trim_matches('`');
                (self.b.intern_name(text), at, method)
            }
        })
    }

    fn set_function_flags(&mut self, def: DefId, node: Node<'_>, header: &Header<'_>) {
        let name = self.b.facts().name(self.b.facts().def(def).name);
        let has_params = child_of_kind(node, "parameter").is_some();
        let has_tests = self.types.last().is_some_and(|t| t.has_tests);
        let is_case = has_tests && name.starts_with("test") && !has_params && !header.is_static;
        let is_test = is_case || self.has_attribute(header, "Test");
        let is_main = header.is_static && name == "main" && !has_params;
        let is_required = self.is_in(TypeKind::Protocol);
        let flags = [
            (is_test, DefFlags::TEST),
            (is_main, DefFlags::ENTRY),
            (is_required, DefFlags::ABSTRACT),
        ];
        for (_, flag) in flags.into_iter().filter(|(is_set, _)| *is_set) {
            self.b.def_mut(def).flags.set(flag);
        }
    }

    /// The type behind `->`.
    pub(super) fn result(&mut self, node: Node<'_>) -> Option<TypeId> {
        let mut cursor = node.walk();
        let behind = node.children(&mut cursor);
        let mut behind = behind.skip_while(|c| c.kind_name() != "->");
        let written = behind.find(|c| is_type(c.kind_name()));
        let has_none = written.is_none() && !matches!(node.kind_name(), "init_declaration");
        match written {
            Some(written) => Some(self.ty(written)),
            None if has_none => Some(self.b.add_type(TypeExpr::Tuple(Box::default()))),
            None => None,
        }
    }

    /// Reads and binds the parameters of a function, which is open.
    pub(super) fn parameters(&mut self, def: DefId, node: Node<'_>, labels: Labels) -> Vec<Param> {
        let mut out: Vec<Param> = Vec::new();
        for (child, field) in children_with_fields(node) {
            if field == "default_value" {
                let ty = out.last().and_then(|p| p.ty);
                let expected = ty.map_or(Expected::Nothing, Expected::Type);
                let value = self.expr_expecting(child, expected);
                if let Some(last) = out.last_mut() {
                    last.default = Some(value);
                    last.kind = ParamKind::Optional;
                }
            } else if child.kind_name() == "parameter" {
                out.extend(self.parameter(child, labels));
            }
        }
        for (param, n) in out.iter().zip(0..) {
            self.b
                .bind(param.name, Namespace::VALUE, Bound::Param(def, n));
        }
        out
    }

    fn parameter(&mut self, node: Node<'_>, labels: Labels) -> Option<Param> {
        let name_node = node.field("name")?;
        let text = self.b.text(name_node).trim_matches('`');
        let name = self.b.intern_name(text);
        let written = named_children(node)
            .into_iter()
            .find(|c| is_type(c.kind_name()));
        let mut ty = written.map(|written| self.ty(written));
        if let Some(whole) = self.with_swallowed_params(node, ty) {
            ty = Some(whole);
        }
        let modifiers = child_of_kind(node, "parameter_modifiers");
        if modifiers.is_some_and(|m| self.b.text(m).contains("@autoclosure"))
            && let Some(TypeExpr::Function { ret, .. }) = ty.map(|ty| self.b.facts().ty(ty))
        {
            ty = *ret;
        }
        let label = match (node.field("external_name"), labels) {
            (Some(label), _) => self.b.text(label).trim_matches('`'),
            (None, Labels::Names) => text,
            (None, Labels::Nothing) => "_",
        };
        let is_variadic = children(node).iter().any(|c| c.kind_name() == "...");
        if label != text {
            let label = self.b.intern_name(label);
            let unknown = || TypeExpr::Unknown;
            let inner = match ty {
                Some(ty) => ty,
                None => self.b.add_type(unknown()),
            };
            ty = Some(self.b.add_type(TypeExpr::Binding(label, inner)));
        }
        let kind = if is_variadic {
            ParamKind::Variadic
        } else {
            ParamKind::Plain
        };
        Some(Param {
            name,
            ty,
            default: None,
            kind,
        })
    }

    /// The grammar takes the parameters of `@Sendable (A) async -> B` for arguments of the attribute.
    fn with_swallowed_params(&mut self, node: Node<'_>, ty: Option<TypeId>) -> Option<TypeId> {
        let TypeExpr::Function { params, ret } = self.b.facts().ty(ty?) else {
            return None;
        };
        let ret = *ret;
        let modifiers = child_of_kind(node, "type_modifiers").filter(|_| params.is_empty())?;
        let attribute = named_children(modifiers).pop()?;
        let mut params = Vec::new();
        for argument in named_children(attribute).into_iter().skip(1) {
            let ty = self.type_from_expr(argument);
            params.push(match ty {
                Some(ty) => ty,
                None => self.b.add_type(TypeExpr::Unknown),
            });
        }
        (!params.is_empty()).then(|| {
            self.b.add_type(TypeExpr::Function {
                params: params.into(),
                ret,
            })
        })
    }

    /// Reads the body of a function. A single expression is its result.
    pub(super) fn function_body(&mut self, body: Option<Node<'_>>, ret: Option<TypeId>) {
        let Some(body) = body else {
            return;
        };
        self.frames.push(FunctionFrame::Function(ret));
        let is_awaited = std::mem::replace(&mut self.is_awaited, false);
        self.block_body(body, ret.map_or(Expected::Nothing, Expected::Type));
        self.is_awaited = is_awaited;
        self.frames.pop();
    }

    /// Reads the statements of a block in the current scope. If it is a single expression, returns that.
    pub(super) fn block_body(&mut self, block: Node<'_>, expected: Expected) -> Option<ExprId> {
        let statements = match block.kind_name() {
            "statements" => block,
            _ => child_of_kind(block, "statements")?,
        };
        if let [one] = named_children(statements)[..]
            && is_value(one.kind_name())
        {
            return Some(self.expr_expecting(one, expected));
        }
        self.body(statements);
        None
    }
}

/// Whether a statement may be the value of its block.
fn is_value(kind: &str) -> bool {
    !matches!(
        kind,
        "property_declaration"
            | "function_declaration"
            | "class_declaration"
            | "protocol_declaration"
            | "typealias_declaration"
            | "control_transfer_statement"
            | "assignment"
            | "for_statement"
            | "while_statement"
            | "repeat_while_statement"
            | "do_statement"
            | "guard_statement"
            | "directive"
            | "ERROR"
            | "import_declaration"
    )
}
