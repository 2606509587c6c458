//! Declarations, functions and their parameters, variables.

use super::{DefName, Frame, RULES, ThisRef, Walker, has_token};
use base::{SymbolKind, Visibility};
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

impl<'t> Walker<'_, '_, 't> {
    /// Reads a declaration; `false` if the node is not one. `outer` is the whole statement.
    pub(super) fn visit_declaration(
        &mut self,
        node: Node<'t>,
        outer: Node<'t>,
        flags: DefFlags,
    ) -> bool {
        match node.kind_name() {
            "function_declaration" | "generator_function_declaration" | "function_signature" => {
                self.function_declaration(node, outer, flags);
            }
            "class_declaration" | "abstract_class_declaration" => {
                self.class_declaration(node, outer, flags);
            }
            "lexical_declaration" | "variable_declaration" | "using_declaration" => {
                self.visit_variable_declaration(node, outer, flags);
            }
            "interface_declaration" => self.visit_interface(node, outer, flags),
            "type_alias_declaration" => self.type_alias(node, outer, flags),
            "enum_declaration" => self.visit_enum(node, outer, flags),
            "internal_module" | "module" => self.visit_namespace(node, outer, flags),
            "ambient_declaration" => self.visit_ambient_declaration(node, outer, flags),
            "import_statement" => self.import_statement(node),
            "import_alias" => self.import_alias(node, flags),
            "export_statement" => self.export_statement(node),
            _ => return false,
        }
        true
    }

    fn visit_ambient_declaration(&mut self, node: Node<'t>, outer: Node<'t>, flags: DefFlags) {
        self.ambient += 1;
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if child.kind_name() == "statement_block" {
                self.visit_global_declarations(child);
            } else {
                self.visit_declaration(child, outer, flags);
            }
        }
        self.ambient -= 1;
    }

    /// The block of `declare global`: its names do not belong to the file, and precede those of the file inside the
    /// block.
    fn visit_global_declarations(&mut self, block: Node<'t>) {
        let defs = self.b.facts().defs.len();
        let around = std::mem::replace(&mut self.in_global, true);
        self.b.open_scope(ScopeKind::Block, None);
        self.visit_statements(block);
        self.b.close_scope();
        self.in_global = around;
        let facts = self.b.facts_mut();
        for def in facts.defs[defs..].iter_mut().filter(|d| d.parent.is_none()) {
            def.flags.set(DefFlags::GLOBAL);
        }
    }

    fn function_declaration(&mut self, node: Node<'t>, outer: Node<'t>, mut flags: DefFlags) {
        let Some(at) = node.field("name") else {
            return;
        };
        let name = self.b.intern_node_text(at);
        if node.kind_name() == "function_signature" {
            flags.set(DefFlags::DECLARATION_ONLY);
        }
        let named = DefName {
            name: Some(name),
            at,
            outer,
            kind: SymbolKind::Function,
            flags,
        };
        let scope = self.b.current_scope();
        let id = self.function(node, named, None);
        self.b
            .bind_in(scope, name, Namespace::VALUE, 0, Bound::Def(id));
        self.record_top_level(scope, name, id);
    }

    pub(super) fn record_top_level(&mut self, scope: ScopeId, name: NameId, id: DefId) {
        if scope == FILE_SCOPE && !self.in_global {
            self.top.insert(name, id);
        }
    }

    /// Adds a definition with the properties that all kinds share; it is neither opened nor bound.
    pub(super) fn add_def(&mut self, named: &DefName<'t>) -> DefId {
        let name = match named.name {
            Some(name) => name,
            None => self.b.intern_name("<anonymous>"),
        };
        let id = self.b.add_def(name, named.kind, named.outer, named.at);
        let mut flags = named.flags;
        flags.set(self.context_flags());
        if named.name.is_none() {
            flags.set(DefFlags::ANONYMOUS);
        }
        let hidden =
            self.in_function() && self.b.current_owner().is_some_and(|o| self.is_function(o));
        let def = self.b.def_mut(id);
        def.flags = flags;
        if hidden {
            def.visibility = Visibility::Private;
        }
        if named.name.is_some() {
            self.attach_doc(id);
        }
        id
    }

    fn is_function(&self, id: DefId) -> bool {
        self.b.facts().def(id).callable.is_some() || self.b.facts().def(id).kind.is_callable()
    }

    /// Reads a function, method or function literal in any syntax. `this` is the meaning of `this` inside; `None` keeps
    /// the outer one (arrow functions).
    pub(super) fn function(
        &mut self,
        node: Node<'t>,
        mut named: DefName<'t>,
        this: Option<ThisRef>,
    ) -> DefId {
        if has_token(node, "async") {
            named.flags.set(DefFlags::ASYNC);
        }
        if node.kind_name().starts_with("generator") || has_token(node, "*") {
            named.flags.set(DefFlags::GENERATOR);
        }
        self.functions.push(node.start_byte() as u32);
        let id = self.add_def(&named);
        self.b.def_mut(id).callable = Some(Box::default());
        let body = node.field("body");
        self.set_signature(id, named.outer, body);
        let this = match (node.kind_name(), this) {
            ("arrow_function", _) => None,
            (_, None) => Some(self.this_of_plain_function(id, &named)),
            (_, this) => this,
        };
        let scope = self.b.open_def(id, ScopeKind::Function);
        self.bind_own_name(node, id, scope);
        self.frames.push(Frame {
            var_scope: scope,
            returns: None,
            result: None,
            yields: Vec::new(),
        });
        self.this
            .push(this.unwrap_or_else(|| self.this.last().copied().unwrap_or(ThisRef::None)));
        let doc = self.read_function_doc(named.outer);
        let doc = doc.or_else(|| self.read_function_doc(node));
        self.docs.push(doc);
        if let Some(whole) = self.function_type_from_doc(named.outer) {
            let def = self.b.def_mut(id);
            def.ty = def.ty.or(Some(whole));
        }
        let callable = self.visit_callable(node, named.outer, id, body);
        self.docs.pop();
        self.this.pop();
        self.frames.pop();
        self.b.def_mut(id).callable = Some(Box::new(callable));
        self.b.close_def();
        self.declare_assigned_fields(id);
        if let Some(body) = body.filter(|_| named.name.is_some()) {
            self.b.set_complexity(id, body, &RULES);
        }
        id
    }

    /// Binds a function expression's own name, by which it can call itself.
    fn bind_own_name(&mut self, node: Node<'t>, id: DefId, scope: ScopeId) {
        if !matches!(
            node.kind_name(),
            "function_expression" | "generator_function"
        ) {
            return;
        }
        if let Some(own) = node.field("name") {
            let name = self.b.intern_node_text(own);
            self.b
                .bind_in(scope, name, Namespace::VALUE, 0, Bound::Def(id));
        }
    }

    /// In JavaScript a function with a capitalized name counts as a constructor.
    fn this_of_plain_function(&mut self, id: DefId, named: &DefName<'t>) -> ThisRef {
        let capital = named.name.is_some_and(|n| {
            let text = self.b.facts().name(n);
            text.starts_with(|c: char| c.is_ascii_uppercase())
        });
        if capital && self.is_javascript() {
            ThisRef::Instance(id)
        } else {
            ThisRef::None
        }
    }

    /// Reads type parameters, parameters, return type and body; the function's scope is open.
    fn visit_callable(
        &mut self,
        node: Node<'t>,
        outer: Node<'t>,
        id: DefId,
        body: Option<Node<'t>>,
    ) -> Callable {
        let mut callable = Callable::default();
        if let Some(list) = node.field("type_parameters") {
            self.type_params(id, list);
        } else {
            self.bind_doc_templates(id, outer);
        }
        if let Some(list) = node.field("parameters") {
            self.visit_params(id, list, &mut callable);
        } else if let Some(single) = node.field("parameter") {
            self.visit_param(id, single, &mut callable);
        }
        let ret = node.field("return_type").or_else(|| node.field("type"));
        callable.ret = ret.map(|r| self.ty(r));
        let flags = self.b.facts().def(id).flags;
        let is_async = flags.has(DefFlags::ASYNC);
        // The type in a comment may be unusable, so the returned expressions count as well.
        let infers = callable.ret.is_none();
        if infers {
            callable.ret = self.result_type_from_doc(node, flags.has(DefFlags::GETTER));
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.returns = infers.then(Vec::new);
            frame.result = callable.ret.filter(|_| !is_async);
        }
        if let Some(body) = body {
            if body.kind_name() == "statement_block" {
                self.visit_statements(body);
            } else {
                let value = self.visit_returned_expr(body);
                if infers {
                    callable.returns.push(value);
                }
                if callable.ret.is_none() {
                    callable.ret = self.inferred_predicate(node, body);
                }
            }
        }
        if let Some(frame) = self.frames.last_mut() {
            callable
                .returns
                .extend(frame.returns.take().unwrap_or_default());
            callable.yields = std::mem::take(&mut frame.yields);
        }
        callable
    }

    /// A returned expression. A literal there is expected to have the function's written result type.
    pub(super) fn visit_returned_expr(&mut self, node: Node<'t>) -> ExprId {
        let result = self.frames.last().and_then(|f| f.result);
        let Some(result) = result else {
            return self.expr(node);
        };
        self.visit_expr_with_expected_type(node, result)
    }

    /// An expression in a place with an expected type.
    pub(super) fn visit_expr_with_expected_type(&mut self, node: Node<'t>, ty: TypeId) -> ExprId {
        if strip_parens_and_casts(node).kind_name() == "object" {
            self.expected = Some(ty);
        }
        let value = self.expr(node);
        self.expected = None;
        self.set_expected_type(value, ty);
        value
    }

    pub(super) fn visit_params(&mut self, id: DefId, list: Node<'t>, callable: &mut Callable) {
        let mut cursor = list.walk();
        for child in list.named_children(&mut cursor) {
            if child.kind_name() != "comment" && child.kind_name() != "decorator" {
                self.visit_param(id, child, callable);
            }
        }
    }

    /// One parameter: `required_parameter`, `optional_parameter`, or a bare pattern (JavaScript).
    fn visit_param(&mut self, id: DefId, node: Node<'t>, callable: &mut Callable) {
        let mut pattern = node;
        let mut kind = ParamKind::Plain;
        let mut default = None;
        match node.kind_name() {
            "required_parameter" | "optional_parameter" => {
                let inner = node.field("pattern").or_else(|| node.field("name"));
                pattern = inner.unwrap_or(node);
                default = node.field("value");
                if node.kind_name() == "optional_parameter" {
                    kind = ParamKind::Optional;
                }
                self.param_decorators(node);
            }
            "assignment_pattern" => {
                pattern = node.field("left").unwrap_or(node);
                default = node.field("right");
            }
            _ => {}
        }
        if pattern.kind_name() == "rest_pattern" {
            pattern = pattern.named_child(0).unwrap_or(pattern);
            kind = ParamKind::Variadic;
        }
        let written = node.field("type");
        let mut ty = written.map(|t| self.ty(t));
        if kind == ParamKind::Variadic {
            ty = ty.map(|t| self.element_type(t));
        }
        if ty.is_none() {
            let index = callable.params.len();
            ty = self.param_type_from_doc(pattern, index, kind == ParamKind::Variadic);
        }
        let value = default.map(|d| self.expr(d));
        if default.is_some() {
            kind = ParamKind::Optional;
        }
        let index = callable.params.len() as u32;
        let bound = Bound::Param(id, index);
        let name = match pattern.kind_name() {
            "identifier" | "this" | "undefined" => {
                let name = self.b.intern_node_text(pattern);
                if pattern.kind_name() == "this" {
                    kind = ParamKind::Receiver;
                    if let Some(this) = self.this.last_mut() {
                        *this = ThisRef::Param;
                    }
                }
                self.b.bind(name, Namespace::VALUE, bound);
                name
            }
            _ => {
                self.bind_destructured_param(pattern, index, bound);
                self.b.intern_name("_")
            }
        };
        callable.params.push(Param {
            name,
            ty,
            default: value,
            kind,
        });
        self.add_parameter_property(node, pattern, ty);
    }

    /// The whole parameter gets a name that no source can contain, so that the pattern can refer to it.
    fn bind_destructured_param(&mut self, pattern: Node<'t>, index: u32, bound: Bound) {
        let whole = self.b.intern_owned_name(&format!("<parameter {index}>"));
        self.b.bind(whole, Namespace::VALUE, bound);
        let scope = self.b.current_scope();
        let at = pattern.start_byte() as u32;
        let value = self.b.add_expr(Expr::Name {
            name: whole,
            scope,
            at,
        });
        self.bind_pattern_in(pattern, None, Some(value), scope);
    }

    fn param_decorators(&mut self, node: Node<'t>) {
        let mut cursor = node.walk();
        for decorator in node.fields("decorator", &mut cursor) {
            self.visit_decorator(decorator);
        }
    }

    /// `constructor(private x: Foo)` declares a field of the class.
    fn add_parameter_property(&mut self, node: Node<'t>, pattern: Node<'t>, ty: Option<TypeId>) {
        let modified = ["accessibility_modifier", "override_modifier", "readonly"];
        let declares = node.kind_name().ends_with("_parameter")
            && modified.iter().any(|m| has_token(node, m))
            && pattern.kind_name() == "identifier";
        let Some(class) = self.classes.last().copied().filter(|_| declares) else {
            return;
        };
        let name = self.b.intern_node_text(pattern);
        let id = self.b.add_def(name, SymbolKind::Field, node, pattern);
        let visibility = self.visibility(node);
        let scope = self.b.facts().def(class).body.unwrap_or(FILE_SCOPE);
        let def = self.b.def_mut(id);
        def.parent = Some(class);
        def.scope = scope;
        def.ty = ty;
        def.visibility = visibility;
        def.signature = (node.start_byte() as u32, node.end_byte() as u32);
    }

    pub(super) fn visibility(&self, node: Node<'t>) -> Visibility {
        let mut cursor = node.walk();
        let modifier = node
            .named_children(&mut cursor)
            .find(|c| c.kind_name() == "accessibility_modifier");
        match modifier.map(|m| self.b.text(m)) {
            Some("private") => Visibility::Private,
            Some("protected") => Visibility::Protected,
            _ => Visibility::Public,
        }
    }

    fn visit_variable_declaration(&mut self, node: Node<'t>, outer: Node<'t>, flags: DefFlags) {
        let keyword = node.child(0).map_or("", |c| c.kind_name());
        let mut cursor = node.walk();
        let declarators: Vec<_> = node
            .named_children(&mut cursor)
            .filter(|c| c.kind_name() == "variable_declarator")
            .collect();
        for declarator in &declarators {
            let outer = if declarators.len() == 1 {
                outer
            } else {
                *declarator
            };
            self.visit_variable_declarator(*declarator, outer, keyword, flags);
        }
    }

    fn visit_variable_declarator(
        &mut self,
        node: Node<'t>,
        outer: Node<'t>,
        keyword: &str,
        flags: DefFlags,
    ) {
        let Some(pattern) = node.field("name") else {
            return;
        };
        let value = node.field("value");
        if value.is_some_and(|v| self.try_visit_require(pattern, v)) {
            return;
        }
        let scope = match keyword {
            "var" => self.var_scope(),
            _ => self.b.current_scope(),
        };
        let kind = match keyword {
            "const" | "using" => SymbolKind::Constant,
            _ => SymbolKind::Variable,
        };
        if pattern.kind_name() == "identifier" {
            self.visit_named_variable(node, pattern, value, scope, kind, outer, flags);
            return;
        }
        let ty = node.field("type").map(|t| self.ty(t));
        let value = value.map(|v| self.expr(v));
        if self.is_module_scope(scope) {
            self.define_pattern(pattern, ty, value, kind, outer, flags);
        } else {
            self.bind_pattern_in(pattern, ty, value, scope);
        }
    }

    pub(super) fn is_module_scope(&self, scope: ScopeId) -> bool {
        let kind = self.b.facts().scope(scope).kind;
        matches!(kind, ScopeKind::File | ScopeKind::Module)
    }

    #[allow(clippy::too_many_arguments)]
    fn visit_named_variable(
        &mut self,
        node: Node<'t>,
        pattern: Node<'t>,
        value: Option<Node<'t>>,
        scope: ScopeId,
        kind: SymbolKind,
        outer: Node<'t>,
        flags: DefFlags,
    ) {
        let name = self.b.intern_node_text(pattern);
        let written = node.field("type");
        let is_any =
            written.is_some_and(|t| self.b.text(t).trim_start_matches(':').trim() == "any");
        let unchecked = is_any && value.is_some() && kind == SymbolKind::Variable;
        let mut named = DefName {
            name: Some(name),
            at: pattern,
            outer,
            kind,
            flags,
        };
        let literal = value
            .map(strip_parens_and_casts)
            .filter(|v| is_function_literal(*v));
        if let Some(literal) = literal {
            let ty = written.map(|t| self.ty(t));
            let (id, namespace) = self.visit_bound_literal(literal, &mut named);
            if ty.is_some() {
                self.b.def_mut(id).ty = ty;
            }
            self.b.bind_in(scope, name, namespace, 0, Bound::Def(id));
            self.record_top_level(scope, name, id);
        } else if self.is_module_scope(scope) {
            let id = self.add_def(&named);
            self.set_signature(id, outer, None);
            self.b
                .bind_in(scope, name, Namespace::VALUE, 0, Bound::Def(id));
            self.b.open_owner(id);
            let ty = written.map(|t| self.ty(t));
            let ty = ty.or_else(|| self.type_from_doc_before(outer));
            self.expected = ty.filter(|_| {
                value.is_some_and(|v| strip_parens_and_casts(v).kind_name() == "object")
            });
            let value = value.map(|v| self.visit_owned_value(v, id));
            self.expected = None;
            self.b.close_owner();
            self.note_object(scope, name, value);
            let def = self.b.def_mut(id);
            def.ty = ty;
            def.value = value;
            if ty.is_none() && self.is_javascript() && kind == SymbolKind::Variable {
                let assigned = self.assigned_first(value, Some(id));
                self.untyped.insert((scope, name), assigned);
            }
            if unchecked {
                self.unchecked.insert((scope, name), Some(id));
            }
        } else {
            let ty = written.map(|t| self.ty(t));
            let ty = ty.or_else(|| self.type_from_doc_before(outer));
            let value = match (value, ty) {
                (Some(value), Some(ty)) => Some(self.visit_expr_with_expected_type(value, ty)),
                (value, _) => value.map(|v| self.expr(v)),
            };
            self.note_object(scope, name, value);
            let is_variable = kind == SymbolKind::Variable;
            match ty {
                // A JavaScript variable may have any value after its first.
                None if is_variable && (value.is_none() || self.is_javascript()) => {
                    let assigned = self.assigned_first(value, None);
                    self.untyped.insert((scope, name), assigned);
                }
                Some(ty) if is_variable && !unchecked => self.note_declared(scope, name, ty),
                _ => {}
            }
            if unchecked {
                self.unchecked.insert((scope, name), None);
            }
            let to = Bound::Local { ty, value };
            self.b.bind_in(scope, name, Namespace::VALUE, 0, to);
        }
    }

    /// A function or class literal that is named by the variable it is assigned to.
    pub(super) fn visit_bound_literal(
        &mut self,
        literal: Node<'t>,
        named: &mut DefName<'t>,
    ) -> (DefId, Namespace) {
        if literal.kind_name() == "class" {
            named.kind = SymbolKind::Class;
            return (self.visit_class(literal, *named), Namespace::BOTH);
        }
        named.kind = match named.kind {
            SymbolKind::Field | SymbolKind::Property | SymbolKind::Method => SymbolKind::Method,
            _ => SymbolKind::Function,
        };
        (self.function(literal, *named, None), Namespace::VALUE)
    }
}

/// The expression inside parentheses, casts and non-null marks.
pub(super) fn strip_parens_and_casts(mut node: Node<'_>) -> Node<'_> {
    while matches!(
        node.kind_name(),
        "parenthesized_expression"
            | "as_expression"
            | "satisfies_expression"
            | "non_null_expression"
    ) {
        match node.named_child(0) {
            Some(inner) if inner.kind_name() != "comment" => node = inner,
            _ => break,
        }
    }
    node
}

/// Whether a node is a function or class literal.
pub(super) fn is_function_literal(node: Node<'_>) -> bool {
    matches!(
        node.kind_name(),
        "arrow_function" | "function_expression" | "generator_function" | "class"
    )
}
