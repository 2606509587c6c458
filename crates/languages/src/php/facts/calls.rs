//! Calls of functions and methods, members, constants, callables.

use super::{Walker, children, first_child, is_name};
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Functions of PHP that call an argument at once, with its position.
const CALLERS: &[(&str, usize)] = &[
    ("array_all", 1),
    ("array_any", 1),
    ("array_filter", 1),
    ("array_find", 1),
    ("array_find_key", 1),
    ("array_map", 0),
    ("array_reduce", 1),
    ("array_walk", 1),
    ("array_walk_recursive", 1),
    ("call_user_func", 0),
    ("call_user_func_array", 0),
    ("forward_static_call", 0),
    ("forward_static_call_array", 0),
    ("iterator_apply", 1),
    ("preg_replace_callback", 1),
    ("uasort", 1),
    ("uksort", 1),
    ("usort", 1),
];

/// The arguments of a call.
struct Arguments {
    values: Vec<ExprId>,
    /// `f(...)`: the function itself, without a call.
    is_first_class: bool,
}

impl Walker<'_, '_> {
    pub(super) fn function_call(&mut self, node: Node<'_>) -> ExprId {
        let Some(function) = node.field("function") else {
            self.read_children(node);
            return self.b.add_expr(Expr::Unknown);
        };
        if !is_name(function) {
            let value = self.expr(function);
            // What a property holds is called, not a method of that name.
            let callee = match self.b.facts().expr(value) {
                Expr::Member { .. } | Expr::Scoped { .. } => self.b.add_expr(Expr::Borrowed(value)),
                _ => value,
            };
            return self.call(node, callee, function, None);
        }
        let text = self.b.text(function);
        let callee = self.named_function(function);
        let name = text.trim_start_matches('\\');
        if name.eq_ignore_ascii_case("define") {
            self.defined_constant(node);
        }
        let called = CALLERS.iter().find(|(known, _)| *known == name);
        let place = self.last_segment(function);
        self.call(node, callee, place, called.map(|(_, position)| *position))
    }

    /// The function that a name denotes: by its whole name, or one of the namespace or of PHP.
    fn named_function(&mut self, name: Node<'_>) -> ExprId {
        let text = self.b.text(name);
        let imported = self.names.functions.get(&text.to_ascii_lowercase());
        match self.names.member(text, imported) {
            Some(whole) => {
                let ty = self.type_of_path(&whole, Box::default());
                self.b.add_expr(Expr::Type(ty))
            }
            None => self.b.add_name_expr(name),
        }
    }

    /// `define('NAME', …)`.
    fn defined_constant(&mut self, call: Node<'_>) {
        let first = call.field("arguments").and_then(first_child);
        let string = first.and_then(first_child);
        let content = string.and_then(first_child);
        let is_plain =
            |c: &Node<'_>| c.kind_name() == "string_content" && is_identifier(self.b.text(*c));
        if let Some(content) = content.filter(is_plain) {
            self.constant_definition(call, content);
        }
    }

    pub(super) fn method_call(&mut self, node: Node<'_>) -> ExprId {
        let object = match node.field("object") {
            Some(object) => self.expr(object),
            None => self.b.add_expr(Expr::Unknown),
        };
        self.member_call(node, object)
    }

    pub(super) fn static_call(&mut self, node: Node<'_>) -> ExprId {
        let object = match node.field("scope") {
            Some(scope) => self.scope_object(scope),
            None => self.b.add_expr(Expr::Unknown),
        };
        self.member_call(node, object)
    }

    fn member_call(&mut self, node: Node<'_>, object: ExprId) -> ExprId {
        let Some(name_node) = node.field("name") else {
            self.read_children(node);
            return self.b.add_expr(Expr::Unknown);
        };
        let callee = if name_node.kind_name() == "name" {
            let name = self.b.intern_node_text(name_node);
            self.b.add_expr(Expr::Member { object, name })
        } else {
            // The name is known only when it runs.
            self.expr(name_node);
            self.b.add_expr(Expr::Unknown)
        };
        self.call(node, callee, name_node, None)
    }

    /// The call of a callee with the arguments of `node`; a callback is called as well.
    fn call(
        &mut self,
        node: Node<'_>,
        callee: ExprId,
        place: Node<'_>,
        callback: Option<usize>,
    ) -> ExprId {
        let arguments = self.arguments(node.field("arguments"), callback);
        if arguments.is_first_class {
            if !matches!(self.b.facts().expr(callee), Expr::Unknown) {
                self.mention(callee, place);
            }
            return callee;
        }
        let args = arguments.values;
        let argc = args.len();
        let callbacks = self.function_literals(&args);
        let call = self.b.add_expr(Expr::Call {
            callee,
            args: args.into(),
            type_args: Box::default(),
        });
        self.link_callbacks(&callbacks, call);
        self.b.add_call(call, CallKind::Call, argc, place);
        call
    }

    /// Adds the mention of a function, method or member.
    fn mention(&mut self, expr: ExprId, place: Node<'_>) {
        let what = match self.b.facts().expr(expr) {
            Expr::Type(ty) => RefTarget::Type(*ty),
            _ => RefTarget::Expr(expr),
        };
        self.b.add_reference(what, place);
    }

    /// Reads the arguments of a creation.
    pub(super) fn plain_arguments(&mut self, list: Option<Node<'_>>) -> Vec<ExprId> {
        self.arguments(list, None).values
    }

    fn arguments(&mut self, list: Option<Node<'_>>, callback: Option<usize>) -> Arguments {
        let mut out = Arguments {
            values: Vec::new(),
            is_first_class: false,
        };
        for (at, argument) in list
            .map(children)
            .unwrap_or_default()
            .into_iter()
            .enumerate()
        {
            if argument.kind_name() == "variadic_placeholder" {
                out.is_first_class = true;
                continue;
            }
            let name = argument.field("name");
            let value = match argument.kind_name() {
                "argument" => children(argument).into_iter().find(|c| Some(*c) != name),
                _ => Some(argument),
            };
            let Some(value) = value else { continue };
            let mut read = match value.kind_name() {
                "variadic_unpacking" => {
                    let inner = first_child(value).map(|inner| self.expr(inner));
                    let inner = inner.unwrap_or_else(|| self.b.add_expr(Expr::Unknown));
                    self.b.add_expr(Expr::Spread(inner))
                }
                "argument_placeholder" => self.b.add_expr(Expr::Unknown),
                _ if callback == Some(at) => self.callback(value),
                _ => self.expr(value),
            };
            if let Some(name) = name {
                let name = self.b.intern_node_text(name);
                read = self.b.add_expr(Expr::Keyword(name, read));
            }
            out.values.push(read);
        }
        out
    }

    /// An argument that the function calls: `'f'`, `'A::m'`, `[$x, 'm']`.
    fn callback(&mut self, node: Node<'_>) -> ExprId {
        let Some((callee, place)) = self.callable(node) else {
            return self.expr(node);
        };
        let call = self.b.add_expr(Expr::Call {
            callee,
            args: Box::default(),
            type_args: Box::default(),
        });
        self.b.add_call(call, CallKind::Call, 0, place);
        callee
    }

    /// The function or method that a text or an array names, and where.
    fn callable<'t>(&mut self, node: Node<'t>) -> Option<(ExprId, Node<'t>)> {
        if node.kind_name() == "array_creation_expression" {
            return self.method_of_array(node);
        }
        let text = literal_text(node).map(|content| self.b.text(content))?;
        let is_path = |text: &str| {
            let mut segments = text.trim_start_matches('\\').split('\\');
            segments.all(is_identifier)
        };
        match text.split_once("::") {
            Some((class, method)) if is_path(class) && is_identifier(method) => {
                let object = self.type_of_path(class, Box::default());
                let object = self.b.add_expr(Expr::Type(object));
                let name = self.b.intern_owned_name(method);
                Some((self.b.add_expr(Expr::Member { object, name }), node))
            }
            None if is_path(text) => {
                let ty = self.type_of_path(text, Box::default());
                Some((self.b.add_expr(Expr::Type(ty)), node))
            }
            _ => None,
        }
    }

    /// The method in `[$this, 'm']`, and its place.
    fn method_of_array<'t>(&mut self, node: Node<'t>) -> Option<(ExprId, Node<'t>)> {
        let items = children(node);
        let [object, name] = items[..] else {
            return None;
        };
        let (object, name) = (only_child(object)?, only_child(name)?);
        let content = literal_text(name)?;
        let text = self.b.text(content);
        if !is_identifier(text) {
            return None;
        }
        let object = match (object.kind_name(), self.class_constant(object)) {
            (_, Some(class)) => self.scope_object(class),
            ("variable_name" | "object_creation_expression", _) => self.expr(object),
            ("member_access_expression" | "member_call_expression", _) => self.expr(object),
            _ => return None,
        };
        let method = self.b.intern_owned_name(text);
        let member = Expr::Member {
            object,
            name: method,
        };
        Some((self.b.add_expr(member), name))
    }

    /// An array that may be a method: on `$this`, or on a class.
    pub(super) fn callable_array(&mut self, node: Node<'_>) -> Option<ExprId> {
        let first = first_child(node).and_then(only_child)?;
        let is_own = first.kind_name() == "variable_name" && self.b.text(first) == "$this";
        if !is_own && self.class_constant(first).is_none() {
            return None;
        }
        let (expr, place) = self.method_of_array(node)?;
        self.mention(expr, place);
        Some(expr)
    }

    /// Function literals among arguments, with their positions.
    fn function_literals(&self, args: &[ExprId]) -> Vec<(DefId, u32)> {
        let facts = self.b.facts();
        let mut out = Vec::new();
        for (at, arg) in args.iter().enumerate() {
            if let Expr::Function(def) = facts.expr(*arg) {
                out.push((*def, at as u32));
            }
        }
        out
    }

    fn link_callbacks(&mut self, callbacks: &[(DefId, u32)], call: ExprId) {
        for (def, position) in callbacks {
            if let Some(callable) = &mut self.b.def_mut(*def).callable {
                callable.argument_of = Some((call, *position));
            }
        }
    }

    /// What stands before `::`.
    fn scope_object(&mut self, scope: Node<'_>) -> ExprId {
        let text = self.b.text(scope);
        if text.eq_ignore_ascii_case("parent") {
            return match self.current_type() {
                Some(class) => self.b.add_expr(Expr::Super(class)),
                None => self.b.add_expr(Expr::Unknown),
            };
        }
        if is_name(scope) || scope.kind_name() == "relative_scope" {
            let ty = self.class_type(scope);
            let place = self.last_segment(scope);
            self.mention_type(ty, place);
            return self.b.add_expr(Expr::Type(ty));
        }
        self.expr(scope)
    }

    /// `$object->name`.
    pub(super) fn member(&mut self, node: Node<'_>) -> ExprId {
        let object = match node.field("object") {
            Some(object) => self.expr(object),
            None => self.b.add_expr(Expr::Unknown),
        };
        let Some(name) = node.field("name").filter(|n| n.kind_name() == "name") else {
            if let Some(name) = node.field("name") {
                self.expr(name);
            }
            return self.b.add_expr(Expr::Unknown);
        };
        let member = self.member_of(object, name);
        match self.own_property(node) {
            Some(checked) if self.is_narrowed(checked) => {
                let scope = self.frame().scope;
                let at = super::start(node);
                self.b.add_expr(Expr::Name {
                    name: checked,
                    scope,
                    at,
                })
            }
            _ => member,
        }
    }

    fn member_of(&mut self, object: ExprId, name_node: Node<'_>) -> ExprId {
        let name = self.b.intern_node_text(name_node);
        let member = self.b.add_expr(Expr::Member { object, name });
        self.b.add_reference(RefTarget::Expr(member), name_node);
        member
    }

    /// `A::$name`.
    pub(super) fn static_property(&mut self, node: Node<'_>) -> ExprId {
        let object = match node.field("scope") {
            Some(scope) => self.scope_object(scope),
            None => self.b.add_expr(Expr::Unknown),
        };
        let name = node
            .field("name")
            .filter(|n| n.kind_name() == "variable_name");
        match name.and_then(first_child) {
            Some(name) => self.member_of(object, name),
            None => self.b.add_expr(Expr::Unknown),
        }
    }

    /// `A::NAME`, `A::class`.
    pub(super) fn class_member(&mut self, node: Node<'_>) -> ExprId {
        let parts = children(node);
        let [scope, name] = parts[..] else {
            self.read_children(node);
            return self.b.add_expr(Expr::Unknown);
        };
        let object = self.scope_object(scope);
        if self.b.text(name).eq_ignore_ascii_case("class") {
            return match self.class_constant(node) {
                Some(_) => object,
                None => self.b.add_expr(Expr::Unknown),
            };
        }
        if name.kind_name() != "name" {
            self.expr(name);
            return self.b.add_expr(Expr::Unknown);
        }
        self.member_of(object, name)
    }

    /// A constant by its name.
    pub(super) fn constant(&mut self, node: Node<'_>) -> ExprId {
        let text = self.b.text(node);
        if text.starts_with("__") && text.ends_with("__") {
            return self.b.add_expr(Expr::Literal(Primitive::String));
        }
        let imported = self.names.constants.get(text);
        let expr = match self.names.member(text, imported) {
            Some(whole) => {
                let ty = self.type_of_path(&whole, Box::default());
                let place = self.last_segment(node);
                self.b.add_reference(RefTarget::Type(ty), place);
                return self.b.add_expr(Expr::Unknown);
            }
            None => self.b.add_name_expr(node),
        };
        self.b.add_reference(RefTarget::Expr(expr), node);
        expr
    }
}

/// The value of an array's element without a key.
fn only_child(item: Node<'_>) -> Option<Node<'_>> {
    match children(item)[..] {
        [only] if item.kind_name() == "array_element_initializer" => Some(only),
        _ => None,
    }
}

/// The text of a string without parts that are filled in.
fn literal_text(node: Node<'_>) -> Option<Node<'_>> {
    if !matches!(node.kind_name(), "string" | "encapsed_string") {
        return None;
    }
    match children(node)[..] {
        [only] if only.kind_name() == "string_content" => Some(only),
        _ => None,
    }
}

fn is_identifier(text: &str) -> bool {
    let mut chars = text.chars();
    let is_start = |c: char| c.is_alphabetic() || c == '_';
    chars.next().is_some_and(is_start)
        && chars.all(|c| c.is_alphanumeric() || c == '_')
        && text.len() < 200
}
