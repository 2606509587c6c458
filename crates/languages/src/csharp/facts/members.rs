//! Methods, constructors, operators, local functions, properties, indexers, events, fields.

use super::headers::Header;
use super::{FunctionFrame, TypeKind, Walker, children_of_kind, has_word};
use base::SymbolKind;
use syntax::builder::is_longer;
use syntax::facts::*;
use syntax::fields::{Fields, child_of_kind};
use tree_sitter::Node;

/// Longer initial values are left out of a signature.
const MAX_VALUE_BYTES: usize = 120;

impl<'s> Walker<'_, 's> {
    pub(super) fn function(&mut self, node: Node<'_>, doc: Option<&str>) {
        let Some((name, name_node, kind)) = self.function_name(node) else {
            return;
        };
        let def = self.b.add_def(name, kind, node, name_node);
        if kind != SymbolKind::Constructor {
            self.b.bind(name, Namespace::VALUE, Bound::Def(def));
        }
        let body = node.field("body");
        let mut header = self.header(node);
        header.is_abstract |= body.is_none() && self.is_in(TypeKind::Interface);
        let initializer = child_of_kind(node, "constructor_initializer");
        let end = body.map(|b| b.start_byte() as u32);
        self.set_header(def, &header, end, doc);
        self.set_function_flags(def, node, &header, body);
        self.b.open_def(def, ScopeKind::Function);
        self.type_parameters(def, node);
        let params = node.field("parameters").map(|list| self.parameters(list));
        let params = params.unwrap_or_default();
        self.bind_parameters(def, &params);
        if params
            .first()
            .is_some_and(|p| p.kind == ParamKind::Receiver)
        {
            self.b.def_mut(def).flags.set(DefFlags::EXTENSION);
        }
        let ret = node.field("returns").or_else(|| node.field("type"));
        let ret = ret.map(|t| self.ty(t));
        self.b.def_mut(def).callable = Some(Box::new(Callable {
            params,
            ret,
            ..Callable::default()
        }));
        let returned = ret.map(|ret| self.returned_type(ret, header.is_async));
        if let Some(initializer) = initializer {
            self.constructor_initializer(initializer);
        }
        self.function_body(body, returned);
        self.b.close_def();
        self.set_complexity(def, body);
    }

    /// The name of a function, its node and its kind.
    fn function_name<'t>(&mut self, node: Node<'t>) -> Option<(NameId, Node<'t>, SymbolKind)> {
        let named = |walker: &mut Self, at: Node<'t>, prefix: &str| {
            let name = format!("{prefix}{}", walker.b.text(at));
            walker.b.intern_owned_name(&name)
        };
        Some(match node.kind_name() {
            "operator_declaration" => {
                let at = node.field("operator")?;
                (named(self, at, "operator "), at, SymbolKind::Method)
            }
            "conversion_operator_declaration" => {
                let at = node.field("type")?;
                (named(self, at, "operator "), at, SymbolKind::Method)
            }
            "destructor_declaration" => {
                let at = node.field("name")?;
                (named(self, at, "~"), at, SymbolKind::Method)
            }
            kind => {
                let at = node.field("name")?;
                let symbol = match kind {
                    "constructor_declaration" => SymbolKind::Constructor,
                    "local_function_statement" => SymbolKind::Function,
                    _ if self.current_type().is_none() => SymbolKind::Function,
                    _ => SymbolKind::Method,
                };
                (self.b.intern_node_text(at), at, symbol)
            }
        })
    }

    fn set_function_flags(
        &mut self,
        def: DefId,
        node: Node<'_>,
        header: &Header<'_>,
        body: Option<Node<'_>>,
    ) {
        let is_explicit = child_of_kind(node, "explicit_interface_specifier").is_some();
        let is_main =
            header.is_static && self.b.facts().name(self.b.facts().def(def).name) == "Main";
        let is_test = self.is_test(header);
        let is_elsewhere = header.is_partial && body.is_none() && !header.is_extern;
        let flags = [
            (is_explicit, DefFlags::EXPLICIT),
            (is_main, DefFlags::ENTRY),
            (is_test, DefFlags::TEST),
            (is_elsewhere, DefFlags::DECLARATION_ONLY),
        ];
        for (_, flag) in flags.into_iter().filter(|(is_set, _)| *is_set) {
            self.b.def_mut(def).flags.set(flag);
        }
    }

    /// The type of the values that `return` gives. In an `async` function this is the type inside the task.
    pub(super) fn returned_type(&self, ret: TypeId, is_async: bool) -> TypeId {
        match self.b.facts().ty(ret) {
            TypeExpr::Named { args, .. } if is_async => match args[..] {
                [inner] => inner,
                _ => ret,
            },
            _ => ret,
        }
    }

    /// Reads a block, or `=> value`.
    pub(super) fn function_body(&mut self, body: Option<Node<'_>>, returned: Option<TypeId>) {
        let Some(body) = body else {
            return;
        };
        self.frames.push(FunctionFrame::Method(returned));
        let handlers = std::mem::take(&mut self.handlers);
        if body.kind_name() == "arrow_expression_clause" {
            if let Some(value) = super::first_expression(body) {
                self.expr_expecting(value, returned);
            }
        } else {
            self.statements(body);
        }
        self.handlers = handlers;
        self.frames.pop();
    }

    pub(super) fn bind_parameters(&mut self, def: DefId, params: &[Param]) {
        for (i, param) in params.iter().enumerate() {
            self.b
                .bind(param.name, Namespace::VALUE, Bound::Param(def, i as u32));
        }
    }

    /// The parameters of a list. `params T[] rest` is variadic, and its type is that of the elements.
    pub(super) fn parameters(&mut self, list: Node<'_>) -> Vec<Param> {
        let mut out: Vec<Param> = children_of_kind(list, "parameter")
            .into_iter()
            .filter_map(|node| self.parameter(node))
            .collect();
        if has_word(list, "params") {
            out.extend(self.parameter_array(list));
        }
        out
    }

    fn parameter(&mut self, node: Node<'_>) -> Option<Param> {
        let name_node = node.field("name")?;
        self.attributes_in(node);
        let modifiers = children_of_kind(node, "modifier");
        let has = |word: &str| modifiers.iter().any(|m| self.b.text(*m) == word);
        let is_receiver = has("this");
        let references = if is_receiver {
            0
        } else if has("out") {
            3
        } else if has("in") || has("readonly") {
            2
        } else {
            usize::from(has("ref"))
        };
        let mut ty = node.field("type").map(|t| self.ty(t));
        for _ in 0..references {
            ty = ty.map(|ty| self.b.add_type(TypeExpr::Reference(ty)));
        }
        let default = has_word(node, "=").then(|| super::last_expression(node));
        let default = default
            .flatten()
            .map(|value| self.expr_expecting(value, ty));
        let kind = match (is_receiver, default) {
            (true, _) => ParamKind::Receiver,
            (_, Some(_)) => ParamKind::Optional,
            _ => ParamKind::Plain,
        };
        let name = self.b.intern_node_text(name_node);
        Some(Param {
            name,
            ty,
            default,
            kind,
        })
    }

    fn parameter_array(&mut self, list: Node<'_>) -> Option<Param> {
        let (written, name_node) = (list.field("type")?, list.field("name")?);
        let whole = self.ty(written);
        let (ty, kind) = match self.b.facts().ty(whole) {
            TypeExpr::Array(element) => (*element, ParamKind::Variadic),
            TypeExpr::Named { args, .. } if args.len() == 1 => (args[0], ParamKind::Variadic),
            _ => (whole, ParamKind::Plain),
        };
        let name = self.b.intern_node_text(name_node);
        Some(Param {
            name,
            ty: Some(ty),
            default: None,
            kind,
        })
    }

    /// Properties, indexers, and events with accessors.
    pub(super) fn property(&mut self, node: Node<'_>, doc: Option<&str>) {
        let is_indexer = node.kind_name() == "indexer_declaration";
        let this = super::word_child(node, "this");
        let Some(name_node) = node.field("name").or(this) else {
            return;
        };
        let kind = match node.kind_name() {
            "event_declaration" => SymbolKind::Field,
            _ => SymbolKind::Property,
        };
        let name = self.b.intern_node_text(name_node);
        let def = self.b.add_def(name, kind, node, name_node);
        if !is_indexer {
            self.b.bind(name, Namespace::VALUE, Bound::Def(def));
        }
        let mut header = self.header(node);
        header.is_abstract |= self.is_in(TypeKind::Interface);
        self.set_header(def, &header, None, doc);
        if child_of_kind(node, "explicit_interface_specifier").is_some() {
            self.b.def_mut(def).flags.set(DefFlags::EXPLICIT);
        }
        self.b.open_def(def, ScopeKind::Function);
        let ty = node.field("type").map(|t| self.ty(t));
        self.b.def_mut(def).ty = ty;
        if let Some(list) = node.field("parameters") {
            let params = self.parameters(list);
            self.bind_parameters(def, &params);
            self.b.def_mut(def).callable = Some(Box::new(Callable {
                params,
                ret: ty,
                ..Callable::default()
            }));
        }
        self.accessors(node, ty);
        self.b.close_def();
    }

    fn accessors(&mut self, node: Node<'_>, ty: Option<TypeId>) {
        if let Some(value) = node.field("value") {
            if value.kind_name() == "arrow_expression_clause" {
                self.function_body(Some(value), ty);
            } else {
                self.frames.push(FunctionFrame::Method(None));
                self.expr_expecting(value, ty);
                self.frames.pop();
            }
        }
        let Some(list) = node.field("accessors") else {
            return;
        };
        for accessor in children_of_kind(list, "accessor_declaration") {
            self.attributes_in(accessor);
            self.b.open_scope(ScopeKind::Block, None);
            let is_getter = accessor
                .field("name")
                .is_some_and(|n| self.b.text(n) == "get");
            if !is_getter {
                let name = self.b.intern_name("value");
                let value = Bound::Local { ty, value: None };
                self.b.bind(name, Namespace::VALUE, value);
            }
            let returned = if is_getter { ty } else { None };
            self.function_body(accessor.field("body"), returned);
            self.b.close_scope();
        }
    }

    pub(super) fn field(&mut self, node: Node<'_>, doc: Option<&str>) {
        let Some(declaration) = child_of_kind(node, "variable_declaration") else {
            return;
        };
        let mut header = self.header(node);
        let kind = if header.is_const {
            SymbolKind::Constant
        } else {
            SymbolKind::Field
        };
        header.is_static |= header.is_const;
        let declarators = children_of_kind(declaration, "variable_declarator");
        let mut ty = None;
        for declarator in &declarators {
            let Some(name_node) = declarator.field("name") else {
                continue;
            };
            let name = self.b.intern_node_text(name_node);
            let def = self.b.add_def(name, kind, node, name_node);
            self.b.bind(name, Namespace::VALUE, Bound::Def(def));
            let value = initial_value(*declarator);
            let long = value.filter(|v| is_longer(self.b.text(*v), MAX_VALUE_BYTES));
            let end = long.map_or(node.end_byte(), |v| v.start_byte());
            self.set_header(def, &header, Some(end as u32), doc);
            header.attributes.clear();
            self.b.open_owner(def);
            if ty.is_none() {
                ty = declaration.field("type").map(|t| self.ty(t));
            }
            self.b.def_mut(def).ty = ty;
            if let Some(value) = value {
                self.frames.push(FunctionFrame::Method(None));
                let value = self.expr_expecting(value, ty);
                self.frames.pop();
                self.b.def_mut(def).value = Some(value);
            }
            self.b.close_owner();
        }
    }
}

/// The value behind `=` in a declarator.
pub(super) fn initial_value(declarator: Node<'_>) -> Option<Node<'_>> {
    has_word(declarator, "=").then(|| super::last_expression(declarator))?
}
