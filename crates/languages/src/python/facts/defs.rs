//! Functions, lambdas, parameters, decorators.

use super::flow::{FlowBinding, Frame, FrameKind};
use super::{RULES, Walker, children};
use base::{SymbolKind, Visibility};
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

const MAX_RETURNS: usize = 8;
const MAX_YIELDS: usize = 4;

/// A parameter before its type is read.
struct RawParam<'t> {
    name: Node<'t>,
    ty: Option<Node<'t>>,
    default: Option<ExprId>,
    kind: ParamKind,
}

impl<'s> Walker<'_, 's> {
    pub(super) fn visit_decorated_definition(&mut self, node: Node<'_>) {
        let mut decorators = Vec::new();
        for child in children(node) {
            if child.kind_name() == "decorator" {
                decorators.push(child);
            }
        }
        let Some(definition) = node.field("definition") else {
            self.walk_children(node);
            return;
        };
        match definition.kind_name() {
            "class_definition" => self.visit_class(definition, node, &decorators),
            _ => self.function(definition, node, &decorators),
        }
    }

    /// Decorators as expressions, each a call site.
    pub(super) fn visit_decorators(&mut self, decorators: &[Node<'_>]) -> Box<[ExprId]> {
        let mut exprs = Vec::new();
        for decorator in decorators {
            let Some(inner) = decorator.named_child(0) else {
                continue;
            };
            if inner.kind_name() == "call" {
                exprs.push(self.call(inner, CallKind::Decorator));
                continue;
            }
            let expr = self.visit_callee(inner);
            let name = self.callee_name_node(inner);
            self.b.add_call(expr, CallKind::Decorator, 1, name);
            exprs.push(expr);
        }
        exprs.into()
    }

    /// Sets the properties that decorators give to a definition.
    pub(super) fn mark_decorators(&mut self, def: DefId, decorators: &[Node<'_>]) {
        for inner in decorators.iter().filter_map(|d| d.named_child(0)) {
            let (name, arguments) = match inner.kind_name() {
                "call" => (
                    inner.field("function").unwrap_or(inner),
                    inner.field("arguments"),
                ),
                _ => (inner, None),
            };
            let mark = self.b.read_decorator(name, arguments);
            self.b.add_decorator(def, mark);
        }
    }

    pub(super) fn function(&mut self, node: Node<'_>, whole: Node<'_>, decorators: &[Node<'_>]) {
        let Some(name_node) = node.field("name") else {
            self.walk_children(node);
            return;
        };
        if !self.b.enter_level() {
            return;
        }
        let decorator_exprs = self.visit_decorators(decorators);
        let raw = node
            .field("parameters")
            .map(|p| self.read_raw_params(p))
            .unwrap_or_default();
        let name = self.b.intern_node_text(name_node);
        let class = self.current_class_body();
        let kind = match (class, self.b.text(name_node)) {
            (Some(_), "__init__") => SymbolKind::Constructor,
            (Some(_), _) => SymbolKind::Method,
            (None, _) => SymbolKind::Function,
        };
        let outer = self.enter_definition_scope();
        let def = self.b.add_def(name, kind, whole, name_node);
        let flags = self.function_flags(node, decorators);
        let conditional = self.is_conditional();
        let entry = self.b.def_mut(def);
        entry.flags = flags;
        entry.decorators = decorator_exprs;
        if conditional {
            entry.flags.set(DefFlags::CONDITIONAL);
        }
        self.set_name_flags(def, name_node, class.is_some());
        self.mark_decorators(def, decorators);
        let body = node.field("body");
        self.set_signature(def, node, body);
        self.visit_function_inside(def, node, raw, class);
        self.leave_definition_scope(outer);
        // A setter belongs to its getter: the name still means the property.
        if !(flags.has(DefFlags::SETTER) && self.current_frame().is_bound(name)) {
            self.mark_redefined(name);
            self.bind_definition(name, Bound::Def(def), node.end_byte() as u32);
        }
        self.b.leave_level();
    }

    fn visit_function_inside(
        &mut self,
        def: DefId,
        node: Node<'_>,
        raw: Vec<RawParam<'_>>,
        class: Option<DefId>,
    ) {
        let outer_scope = self.b.current_scope();
        let scope = self.b.open_def(def, ScopeKind::Function);
        self.visit_type_params(node, def, scope);
        let generic = !self.b.facts().def(def).type_params.is_empty();
        let type_scope = if generic { scope } else { outer_scope };
        self.met_typevars.clear();
        let mut frame = Frame::new(FrameKind::Function, scope, scope, Some(def));
        let flags = self.b.facts().def(def).flags;
        let mut params = Vec::new();
        for (i, raw) in raw.into_iter().enumerate() {
            let ty = raw
                .ty
                .and_then(|ty| self.lower_annotation_in(ty, type_scope, Some(scope)));
            let mut kind = raw.kind;
            let name = match raw.name.kind_name() {
                "identifier" => self.b.intern_node_text(raw.name),
                _ => self.b.intern_name("_"),
            };
            if let (0, Some(class)) = (i, class)
                && !flags.has(DefFlags::STATIC)
                && matches!(kind, ParamKind::Plain | ParamKind::Optional)
            {
                kind = ParamKind::Receiver;
                frame.receiver = Some((name, class));
            }
            params.push(Param {
                name,
                ty,
                default: raw.default,
                kind,
            });
            let bound = Bound::Param(def, i as u32);
            self.b.bind(name, Namespace::VALUE, bound);
            frame.mark_bound(name);
            frame.set_cell(
                name,
                FlowBinding {
                    bound,
                    at: 0,
                    wide: None,
                },
            );
        }
        let ret = node
            .field("return_type")
            .and_then(|ty| self.lower_annotation_in(ty, type_scope, Some(scope)));
        self.declare_typevars(def, scope);
        self.b.def_mut(def).callable = Some(Box::new(Callable {
            params,
            ret,
            ..Callable::default()
        }));
        self.frames.push(frame);
        let in_handler = std::mem::take(&mut self.in_handler);
        self.function_body(def, node, ret.is_some());
        self.in_handler = in_handler;
        let frame = self.frames.pop();
        let mut given: Vec<(NameId, ExprId)> = frame.map_or_else(Vec::new, |frame| {
            // What it binds itself is of no concern outside.
            let passed = frame.given_inside.iter();
            let passed = passed.filter(|(name, _)| !frame.is_bound(**name));
            passed.map(|(name, value)| (*name, *value)).collect()
        });
        given.sort_unstable_by_key(|(name, _)| *name);
        for (name, value) in given {
            self.keep_given_inside(name, value);
        }
        self.b.close_def();
    }

    fn function_body(&mut self, def: DefId, node: Node<'_>, typed: bool) {
        let Some(body) = node.field("body") else {
            return;
        };
        self.b.set_complexity(def, body, &RULES);
        if node.kind_name() == "lambda" {
            let value = self.expr(body);
            self.current_frame().returns.push(value);
        } else {
            self.docstring(def, body);
            self.visit_block(body);
        }
        self.store_results(def, typed);
    }

    /// Moves the results collected by the frame into the callable.
    fn store_results(&mut self, def: DefId, typed: bool) {
        let frame = self.current_frame();
        let mut returns = std::mem::take(&mut frame.returns);
        let mut yields = std::mem::take(&mut frame.yields);
        let generator = frame.generator;
        returns.retain(|r| !self.is_null_or_unknown(*r));
        returns.truncate(if typed { 0 } else { MAX_RETURNS });
        yields.truncate(MAX_YIELDS);
        let entry = self.b.def_mut(def);
        if generator {
            entry.flags.set(DefFlags::GENERATOR);
        }
        if let Some(callable) = &mut entry.callable {
            callable.returns = returns;
            callable.yields = yields;
        }
    }

    /// A lambda; `name` if it is assigned to one.
    pub(super) fn lambda_def(
        &mut self,
        whole: Node<'_>,
        lambda: Node<'_>,
        name: Option<Node<'_>>,
    ) -> DefId {
        let raw = lambda
            .field("parameters")
            .map(|p| self.read_raw_params(p))
            .unwrap_or_default();
        let outer = match name {
            Some(_) => self.enter_definition_scope(),
            None => false,
        };
        let def = match name {
            Some(node) => {
                let name = self.b.intern_node_text(node);
                let kind = match self.current_class_body() {
                    Some(_) => SymbolKind::Method,
                    None => SymbolKind::Function,
                };
                self.b.add_def(name, kind, whole, node)
            }
            None => {
                let name = self.b.intern_name("<anonymous>");
                let def = self.b.add_def(name, SymbolKind::Function, lambda, lambda);
                self.b.def_mut(def).flags.set(DefFlags::ANONYMOUS);
                def
            }
        };
        let local = self.in_function();
        if local {
            self.b.def_mut(def).flags.set(DefFlags::LOCAL);
        }
        let class = match name {
            Some(node) => {
                self.set_name_flags(
                    def,
                    node,
                    self.frames
                        .last()
                        .is_some_and(|f| f.kind == FrameKind::Class),
                );
                self.current_class_body()
            }
            None => None,
        };
        self.visit_lambda_inside(def, lambda, raw, class);
        self.leave_definition_scope(outer);
        def
    }

    fn visit_lambda_inside(
        &mut self,
        def: DefId,
        lambda: Node<'_>,
        raw: Vec<RawParam<'_>>,
        class: Option<DefId>,
    ) {
        if !self.b.enter_level() {
            return;
        }
        self.visit_function_inside(def, lambda, raw, class);
        self.b.leave_level();
    }

    /// Parameters with their defaults, which are evaluated outside the function.
    fn read_raw_params<'t>(&mut self, node: Node<'t>) -> Vec<RawParam<'t>> {
        let mut raw = Vec::new();
        let mut keyword_only = false;
        for child in children(node) {
            let ty = child.field("type");
            let default = child.field("value").map(|value| self.expr(value));
            let name = match child.kind_name() {
                "default_parameter" | "typed_default_parameter" => child.field("name"),
                "typed_parameter" => child.named_child(0),
                "keyword_separator" => {
                    keyword_only = true;
                    None
                }
                "positional_separator" => None,
                _ => Some(child),
            };
            let Some(name) = name else { continue };
            let (name, kind) = match name.kind_name() {
                "list_splat_pattern" => {
                    keyword_only = true;
                    (name.named_child(0), ParamKind::Variadic)
                }
                "dictionary_splat_pattern" => (name.named_child(0), ParamKind::Keywords),
                _ if keyword_only => (Some(name), ParamKind::KeywordOnly),
                _ if default.is_some() => (Some(name), ParamKind::Optional),
                _ => (Some(name), ParamKind::Plain),
            };
            if let Some(name) = name {
                raw.push(RawParam {
                    name,
                    ty,
                    default,
                    kind,
                });
            }
        }
        raw
    }

    fn function_flags(&mut self, node: Node<'_>, decorators: &[Node<'_>]) -> DefFlags {
        let mut flags = DefFlags::default();
        if node.child(0).is_some_and(|c| c.kind_name() == "async") {
            flags.set(DefFlags::ASYNC);
        }
        let name = node.field("name").map_or("", |n| self.b.text(n));
        match name {
            // They are class methods without a decorator.
            "__init_subclass__" | "__class_getitem__" => flags.set(DefFlags::CLASS_METHOD),
            _ => {}
        }
        for decorator in decorators {
            let Some(inner) = decorator.named_child(0) else {
                continue;
            };
            let text = self.b.text(inner);
            let text = text.split('(').next().unwrap_or(text);
            let last = text.rsplit('.').next().unwrap_or(text).trim();
            match last {
                "property" | "cached_property" | "lazy_property" | "abstractproperty" | "reify"
                | "hybrid_property" | "getter" => flags.set(DefFlags::GETTER),
                "setter" | "deleter" if text.contains('.') => flags.set(DefFlags::SETTER),
                "staticmethod" | "abstractstaticmethod" => flags.set(DefFlags::STATIC),
                "classmethod" | "abstractclassmethod" => flags.set(DefFlags::CLASS_METHOD),
                "overload" => flags.set(DefFlags::DECLARATION_ONLY),
                _ => {}
            }
            if last.starts_with("abstract") {
                flags.set(DefFlags::ABSTRACT);
            }
        }
        flags
    }

    /// Flags that follow from name and place.
    pub(super) fn set_name_flags(&mut self, def: DefId, name_node: Node<'_>, member: bool) {
        let text = self.b.text(name_node);
        let local = self.in_function();
        let type_checking = self.type_checking;
        let test_class = self
            .current_class_body()
            .is_some_and(|c| self.b.facts().def(c).flags.has(DefFlags::TEST));
        let is_class = self.b.facts().def(def).kind.is_type();
        let test = if is_class {
            text.starts_with("Test")
        } else {
            text.starts_with("test_") || (text.starts_with("test") && test_class)
        };
        let entry = self.b.def_mut(def);
        entry.visibility = visibility_of_name(text, member);
        if local {
            entry.flags.set(DefFlags::LOCAL);
        } else if !member && !text.starts_with('_') {
            entry.flags.set(DefFlags::EXPORTED);
        }
        if test && (!member || test_class || is_class) {
            entry.flags.set(DefFlags::TEST);
        }
        if type_checking {
            entry.flags.set(DefFlags::TYPE_ONLY);
        }
    }

    /// Marks earlier functions and classes of that name in this scope as replaced by the next one.
    pub(super) fn mark_redefined(&mut self, name: NameId) {
        if let Some(Bound::Def(earlier)) = self.current_frame().current_cell(name).map(|c| c.bound)
            && self.b.facts().def(earlier).callable.is_some()
        {
            self.b.def_mut(earlier).flags.set(DefFlags::CONDITIONAL);
        }
    }

    /// The signature: from `def` or `class` to the colon.
    pub(super) fn set_signature(&mut self, def: DefId, node: Node<'_>, body: Option<Node<'_>>) {
        let mut cursor = node.walk();
        let colon = node
            .children(&mut cursor)
            .filter(|c| c.kind_name() == ":")
            .last()
            .map(|c| c.start_byte());
        let end = colon.or(body.map(|b| b.start_byte()));
        let end = end.unwrap_or(node.end_byte()) as u32;
        self.b.def_mut(def).signature = (node.start_byte() as u32, end);
    }

    pub(super) fn docstring(&mut self, def: DefId, body: Node<'_>) {
        let first = children(body).into_iter().next();
        let Some(string) = first
            .filter(|n| n.kind_name() == "expression_statement")
            .and_then(|n| n.named_child(0))
            .filter(|n| n.kind_name() == "string")
        else {
            return;
        };
        let text = self.b.text(string);
        let text = text.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let text = text.trim_matches(|c| c == '"' || c == '\'');
        self.b.set_doc(def, text);
    }

    /// Definitions of a module belong to the file's scope, not to that of its straight-line code.
    pub(super) fn enter_definition_scope(&mut self) -> bool {
        let module = self.current_frame().kind == FrameKind::Module;
        if module {
            self.b.reopen_scope(FILE_SCOPE);
        }
        module
    }

    pub(super) fn leave_definition_scope(&mut self, entered: bool) {
        if entered {
            self.b.close_scope();
        }
    }

    /// The class whose body is being read.
    pub(super) fn current_class_body(&self) -> Option<DefId> {
        let frame = self.frames.last()?;
        frame.def.filter(|_| frame.kind == FrameKind::Class)
    }

    /// The name of a member as Python looks it up: inside a class, `__x` becomes `_Class__x`.
    pub(super) fn member_name(&mut self, node: Node<'_>) -> NameId {
        let text = self.b.text(node);
        let class = self
            .frames
            .iter()
            .rev()
            .find(|f| f.kind == FrameKind::Class);
        let class = class.and_then(|f| f.def);
        // Its definition has the written name, by which others look it up.
        let written = self.b.intern_node_text(node);
        let Some(class) = class.filter(|_| text.starts_with("__") && !text.ends_with("__")) else {
            return written;
        };
        let facts = self.b.facts();
        match facts.name(facts.def(class).name).trim_start_matches('_') {
            "" => written,
            class => {
                let own = format!("_{class}{text}");
                self.b.intern_owned_name(&own)
            }
        }
    }

    pub(super) fn in_function(&self) -> bool {
        self.frames.iter().any(|f| f.kind == FrameKind::Function)
    }
}

/// The visibility by the naming rule.
pub(super) fn visibility_of_name(name: &str, member: bool) -> Visibility {
    let dunder = name.starts_with("__") && name.ends_with("__");
    match (dunder, name.starts_with("__"), name.starts_with('_')) {
        (true, _, _) | (_, _, false) => Visibility::Public,
        (_, true, _) => Visibility::Private,
        _ if member => Visibility::Protected,
        _ => Visibility::Private,
    }
}
