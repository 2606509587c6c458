//! Items: functions, types, traits, impls, modules, constants.

use super::{RULES, Walker, cfg, child_of_kind, is_extra};
use base::{SymbolKind, Visibility};
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Longer declarations of constants and fields end at their value.
const MAX_DECLARATION: usize = 160;

/// Attributes and documentation that stand before an item.
#[derive(Default)]
pub(super) struct Pending<'s> {
    /// Line and byte of the first attribute.
    start: Option<(u32, u32)>,
    doc: String,
    test: bool,
    elsewhere: bool,
    /// The predicates of `cfg`.
    conditions: Vec<&'s str>,
    path: Option<&'s str>,
    decorators: Vec<ExprId>,
}

impl<'s> Walker<'_, 's> {
    /// Takes in a comment if it documents what follows.
    pub(super) fn comment(&mut self, node: Node<'_>, pending: &mut Pending<'s>) {
        if node.field("outer").is_none() {
            return;
        }
        let Some(doc) = node.field("doc") else {
            return;
        };
        for line in self.b.text(doc).lines() {
            let line = line.trim();
            let line = line.strip_prefix('*').unwrap_or(line);
            pending.doc.push_str(line.trim());
            pending.doc.push('\n');
        }
    }

    /// Takes in an attribute of what follows.
    pub(super) fn attribute(&mut self, node: Node<'_>, pending: &mut Pending<'s>) {
        let start = (
            node.start_position().row as u32 + 1,
            node.start_byte() as u32,
        );
        pending.start.get_or_insert(start);
        let Some(attribute) = child_of_kind(node, "attribute") else {
            return;
        };
        let mut cursor = attribute.walk();
        let Some(path) = attribute.named_children(&mut cursor).next() else {
            return;
        };
        let last = self.b.text(path).rsplit("::").next().unwrap_or("").trim();
        let arguments = attribute.field("arguments");
        pending.test |= match last {
            "rstest" | "test_case" | "bench" | "quickcheck" => true,
            _ if last == "test" || last.ends_with("_test") => true,
            _ => false,
        };
        if let Some(arguments) = arguments.filter(|_| last == "cfg") {
            let condition = cfg::condition(self.b.text(arguments));
            pending.test |= condition.test;
            pending.elsewhere |= condition.elsewhere;
            pending
                .conditions
                .push(cfg::predicate(self.b.text(arguments)));
        }
        if last == "path"
            && let Some(value) = attribute.field("value")
        {
            pending.path = Some(self.b.text(value).trim_matches('"'));
        }
        let builtin = matches!(last, "path" | "cfg" | "doc" | "allow" | "derive" | "inline");
        if !builtin {
            let callee = self.path_expr(path);
            let decorator = if arguments.is_some() {
                self.b.expr(Expr::Call {
                    callee,
                    args: Box::default(),
                    type_args: Box::default(),
                })
            } else {
                callee
            };
            pending.decorators.push(decorator);
        }
    }

    /// Reads an item; `false` if the node is none.
    pub(super) fn item(&mut self, node: Node<'_>, pending: &mut Pending<'s>) -> bool {
        if !self.b.enter() {
            return true;
        }
        let around = self.under(&pending.conditions);
        let is_item = match node.kind_name() {
            "function_item" | "function_signature_item" => self.function(node, pending),
            "struct_item" | "union_item" => self.structure(node, pending),
            "enum_item" => self.enumeration(node, pending),
            "trait_item" => self.trait_item(node, pending),
            "impl_item" => self.impl_item(node, pending),
            "mod_item" => self.module(node, pending),
            "const_item" | "static_item" => self.constant(node, pending),
            "type_item" | "associated_type" => self.alias(node, pending),
            "macro_definition" => self.macro_definition(node, pending),
            "foreign_mod_item" => self.foreign(node),
            "use_declaration" => {
                self.use_declaration(node);
                Some(())
            }
            "extern_crate_declaration" => {
                self.extern_crate(node);
                Some(())
            }
            // A macro among items stands for items.
            "macro_invocation" if self.functions == 0 => {
                self.macro_items(node);
                Some(())
            }
            _ => {
                self.b.set_condition(around);
                self.b.leave();
                return false;
            }
        };
        // An item without a name (after a syntax error) still has an inside.
        if is_item.is_none() {
            self.children(node);
        }
        self.b.set_condition(around);
        self.b.leave();
        true
    }

    /// Puts what comes under some more predicates; gives the condition before.
    pub(super) fn under(&mut self, predicates: &[&str]) -> Option<NameId> {
        let around = self.b.set_condition(None);
        if predicates.is_empty() {
            self.b.set_condition(around);
            return around;
        }
        let outer = around.map(|name| self.b.facts().name(name).to_owned());
        let all: Vec<&str> = outer
            .as_deref()
            .into_iter()
            .chain(predicates.iter().copied())
            .collect();
        let condition = match &all[..] {
            [one] => self.b.name_owned(one),
            _ => self.b.name_owned(&format!("all({})", all.join(", "))),
        };
        self.b.set_condition(Some(condition));
        around
    }

    /// Adds the definition of an item with what all items have.
    pub(super) fn define(
        &mut self,
        node: Node<'_>,
        name_node: Node<'_>,
        kind: SymbolKind,
        pending: &mut Pending<'s>,
    ) -> DefId {
        let name = self.plain_name(name_node);
        let id = self.b.add_def(name, kind, node, name_node);
        let visibility = self.item_visibility(node);
        let end = self.signature_end(node);
        let local = self.functions > 0;
        let pending = std::mem::take(pending);
        self.b.set_doc(id, &pending.doc);
        let def = self.b.def_mut(id);
        if let Some((line, byte)) = pending.start {
            def.span.start_line = line;
            def.span.start_byte = byte;
        }
        def.signature = (node.start_byte() as u32, end);
        def.visibility = visibility;
        def.decorators = pending.decorators.into();
        if visibility == Visibility::Public {
            def.flags.set(DefFlags::EXPORTED);
        }
        if pending.test {
            def.flags.set(DefFlags::TEST);
        }
        if pending.elsewhere {
            def.flags.set(DefFlags::CONDITIONAL);
        }
        if local {
            def.flags.set(DefFlags::LOCAL);
        }
        if let Some(path) = pending.path {
            self.module_path(id, path, node.start_position().row as u32 + 1);
        }
        id
    }

    /// What is written, else that of the trait or enum around it: their members have none of their own.
    fn item_visibility(&self, node: Node<'_>) -> Visibility {
        if let Some(written) = self.visibility(node) {
            return written;
        }
        let Some(owner) = self.member_of() else {
            return Visibility::Private;
        };
        let owner = self.b.facts().def(owner);
        match owner.kind {
            SymbolKind::Trait => owner.visibility,
            SymbolKind::Impl if !owner.supers.is_empty() => Visibility::Public,
            _ => Visibility::Private,
        }
    }

    fn signature_end(&self, node: Node<'_>) -> u32 {
        let mut end = node.end_byte();
        if let Some(body) = node.field("body") {
            if body.kind_name() != "ordered_field_declaration_list" {
                end = body.start_byte();
            }
        } else if let Some(value) = node.field("value")
            && end - node.start_byte() > MAX_DECLARATION
        {
            end = value.start_byte();
        } else if let Some(rule) = child_of_kind(node, "macro_rule") {
            end = rule.start_byte();
        }
        let text = self.b.source.get(node.start_byte()..end).unwrap_or("");
        let text =
            text.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '=' | '{' | '('));
        let cut = if end == node.end_byte() {
            end
        } else {
            node.start_byte() + text.len()
        };
        cut as u32
    }

    fn function(&mut self, node: Node<'_>, pending: &mut Pending<'s>) -> Option<()> {
        let name = node.field("name")?;
        let member = self.member_of();
        let kind = match member {
            Some(_) => SymbolKind::Method,
            None => SymbolKind::Function,
        };
        let id = self.define(node, name, kind, pending);
        let bound = self.b.facts().def(id).name;
        if member.is_none() {
            self.b.bind(bound, Namespace::VALUE, Bound::Def(id));
        }
        let body = node.field("body");
        let mut flags = DefFlags::default();
        if body.is_none() {
            flags.set(DefFlags::ABSTRACT);
        }
        if child_of_kind(node, "function_modifiers")
            .is_some_and(|m| self.b.text(m).split_whitespace().any(|w| w == "async"))
        {
            flags.set(DefFlags::ASYNC);
        }
        self.b.open_def(id, ScopeKind::Function);
        self.functions += 1;
        self.type_params(node, id);
        let params = self.parameters(node, id);
        match params.first() {
            Some(first) if first.kind == ParamKind::Receiver => {
                let reference = first.ty.map(|t| self.b.facts().ty(t));
                if matches!(reference, Some(TypeExpr::Reference(_))) {
                    flags.set(DefFlags::BY_REFERENCE);
                }
            }
            _ if member.is_some() => flags.set(DefFlags::STATIC),
            _ => {}
        }
        let ret = node.field("return_type").map(|r| self.ty(r));
        let def = self.b.def_mut(id);
        def.flags.set(flags);
        def.callable = Some(Box::new(Callable {
            params,
            ret,
            ..Callable::default()
        }));
        if let Some(body) = body {
            self.returns.push(None);
            let tail = self.statements(body);
            self.returns.pop();
            if member.is_some() && tail.is_some_and(|tail| self.calls_itself(tail, bound)) {
                self.b.def_mut(id).flags.set(DefFlags::DELEGATES);
            }
            self.b.set_complexity(id, body, &RULES);
        }
        self.functions -= 1;
        self.b.close_def();
        Some(())
    }

    /// Whether an expression is `self.name(…)`.
    fn calls_itself(&self, expr: ExprId, name: NameId) -> bool {
        let facts = self.b.facts();
        let Expr::Call { callee, .. } = facts.expr(expr) else {
            return false;
        };
        matches!(facts.expr(*callee), Expr::Member { object, name: called }
            if *called == name && matches!(facts.expr(*object), Expr::This(_)))
    }

    fn structure(&mut self, node: Node<'_>, pending: &mut Pending<'s>) -> Option<()> {
        let name = node.field("name")?;
        let kind = match node.kind_name() {
            "union_item" => SymbolKind::Union,
            _ => SymbolKind::Struct,
        };
        let id = self.define(node, name, kind, pending);
        let body = node.field("body");
        let named = body.is_some_and(|b| b.kind_name() == "field_declaration_list");
        let namespace = if named {
            Namespace::TYPE
        } else {
            Namespace::BOTH
        };
        let bound = self.b.facts().def(id).name;
        self.b.bind(bound, namespace, Bound::Def(id));
        self.open_type(node, id);
        if let Some(body) = body {
            self.fields(body, id, true);
        }
        self.close_type();
        Some(())
    }

    fn open_type(&mut self, node: Node<'_>, id: DefId) {
        self.b.open_def(id, ScopeKind::Class);
        self.self_types.push(id);
        self.type_params(node, id);
    }

    fn close_type(&mut self) {
        self.self_types.pop();
        self.b.close_def();
    }

    /// Fields of a struct or variant. Positional ones make `owner` callable; they are fields `0`,
    /// `1`, … if `numbered`.
    fn fields(&mut self, body: Node<'_>, owner: DefId, numbered: bool) {
        let named = body.kind_name() == "field_declaration_list";
        let mut pending = Pending::default();
        let mut visibility = None;
        let mut params = Vec::new();
        let mut cursor = body.walk();
        for child in body.named_children(&mut cursor) {
            match child.kind_name() {
                "line_comment" | "block_comment" => self.comment(child, &mut pending),
                "attribute_item" => self.attribute(child, &mut pending),
                "field_declaration" => self.field(child, &mut pending),
                "visibility_modifier" => visibility = Some(child),
                _ if named => {}
                _ => {
                    let ty = self.positional(child, params.len(), numbered, visibility.take());
                    params.push(ty);
                    pending = Pending::default();
                }
            }
        }
        if !named {
            self.make_constructor(owner, params);
        }
    }

    fn make_constructor(&mut self, owner: DefId, types: Vec<TypeId>) {
        let name = self.b.name_owned("_");
        let ret = self
            .self_def()
            .map(|def| self.b.ty(TypeExpr::SelfType(def)));
        let params = types
            .into_iter()
            .map(|ty| Param {
                name,
                ty: Some(ty),
                default: None,
                kind: ParamKind::Plain,
            })
            .collect();
        self.b.def_mut(owner).callable = Some(Box::new(Callable {
            params,
            ret,
            ..Callable::default()
        }));
    }

    fn field(&mut self, node: Node<'_>, pending: &mut Pending<'s>) {
        let Some(name) = node.field("name") else {
            return;
        };
        let around = self.under(&pending.conditions);
        let id = self.define(node, name, SymbolKind::Field, pending);
        self.b.set_condition(around);
        let ty = node.field("type").map(|t| self.ty(t));
        self.b.def_mut(id).ty = ty;
    }

    fn positional(
        &mut self,
        node: Node<'_>,
        index: usize,
        numbered: bool,
        visibility: Option<Node<'_>>,
    ) -> TypeId {
        let ty = self.ty(node);
        if numbered {
            let name = self.b.name_owned(&index.to_string());
            let id = self.b.add_def(name, SymbolKind::Field, node, node);
            let visibility = match visibility.map(|v| self.b.text(v)) {
                Some("pub") => Visibility::Public,
                Some(_) => Visibility::Package,
                None => Visibility::Private,
            };
            let def = self.b.def_mut(id);
            def.ty = Some(ty);
            def.visibility = visibility;
        }
        ty
    }

    fn enumeration(&mut self, node: Node<'_>, pending: &mut Pending<'s>) -> Option<()> {
        let name = node.field("name")?;
        let id = self.define(node, name, SymbolKind::Enum, pending);
        let bound = self.b.facts().def(id).name;
        self.b.bind(bound, Namespace::TYPE, Bound::Def(id));
        let visibility = self.b.facts().def(id).visibility;
        self.open_type(node, id);
        if let Some(body) = node.field("body") {
            let mut pending = Pending::default();
            let mut cursor = body.walk();
            for child in body.named_children(&mut cursor) {
                match child.kind_name() {
                    "line_comment" | "block_comment" => self.comment(child, &mut pending),
                    "attribute_item" => self.attribute(child, &mut pending),
                    "enum_variant" => self.variant(child, visibility, &mut pending),
                    _ => {}
                }
            }
        }
        self.close_type();
        Some(())
    }

    fn variant(&mut self, node: Node<'_>, visibility: Visibility, pending: &mut Pending<'s>) {
        let Some(name) = node.field("name") else {
            return;
        };
        let id = self.define(node, name, SymbolKind::EnumMember, pending);
        let end = node.end_byte() as u32;
        let def = self.b.def_mut(id);
        def.visibility = visibility;
        def.signature.1 = end;
        if visibility == Visibility::Public {
            def.flags.set(DefFlags::EXPORTED);
        }
        if let Some(body) = node.field("body") {
            self.b.open_owner(id);
            self.fields(body, id, false);
            self.b.close_owner();
        }
        if let Some(value) = node.field("value") {
            let value = self.expr(value);
            self.b.def_mut(id).value = Some(value);
        }
    }

    fn trait_item(&mut self, node: Node<'_>, pending: &mut Pending<'s>) -> Option<()> {
        let name = node.field("name")?;
        let id = self.define(node, name, SymbolKind::Trait, pending);
        let bound = self.b.facts().def(id).name;
        self.b.bind(bound, Namespace::TYPE, Bound::Def(id));
        self.open_type(node, id);
        self.bounds_as_supers(node, id);
        if let Some(body) = node.field("body") {
            self.outside_functions(|w| w.statements(body));
        }
        self.close_type();
        Some(())
    }

    fn bounds_as_supers(&mut self, node: Node<'_>, id: DefId) {
        let bounds = self.type_args(node.field("bounds"));
        self.b.def_mut(id).supers = bounds.iter().map(|b| (*b, SuperKind::Extends)).collect();
    }

    fn impl_item(&mut self, node: Node<'_>, pending: &mut Pending<'s>) -> Option<()> {
        let ty = node.field("type")?;
        let id = self.define(node, ty, SymbolKind::Impl, pending);
        let name = self.impl_name(ty);
        self.b.def_mut(id).name = name;
        self.open_type(node, id);
        let self_type = self.ty(ty);
        self.b.def_mut(id).ty = Some(self_type);
        if let Some(of) = node.field("trait") {
            let of = self.ty(of);
            self.b.def_mut(id).supers = Box::new([(of, SuperKind::Implements)]);
        }
        if let Some(body) = node.field("body") {
            self.outside_functions(|w| w.statements(body));
        }
        self.close_type();
        Some(())
    }

    /// The text of the self type; of a named type its last segment without arguments, so that
    /// members read `Type.method`.
    fn impl_name(&mut self, ty: Node<'_>) -> NameId {
        let mut node = ty;
        loop {
            node = match node.kind_name() {
                "generic_type" => match node.field("type") {
                    Some(inner) => inner,
                    None => break,
                },
                "scoped_type_identifier" => match node.field("name") {
                    Some(inner) => inner,
                    None => break,
                },
                _ => break,
            };
        }
        self.b.node_name(node)
    }

    /// Members of impls and traits are not local, even where these stand in a function.
    fn outside_functions<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        let functions = std::mem::take(&mut self.functions);
        let out = f(self);
        self.functions = functions;
        out
    }

    fn module(&mut self, node: Node<'_>, pending: &mut Pending<'s>) -> Option<()> {
        let name = node.field("name")?;
        let id = self.define(node, name, SymbolKind::Module, pending);
        let bound = self.b.facts().def(id).name;
        self.b.bind(bound, Namespace::TYPE, Bound::Def(id));
        match node.field("body") {
            Some(body) => {
                self.b.open_def(id, ScopeKind::Module);
                let self_types = std::mem::take(&mut self.self_types);
                self.outside_functions(|w| w.statements(body));
                self.self_types = self_types;
                self.b.close_def();
            }
            None => self.b.def_mut(id).flags.set(DefFlags::OUT_OF_LINE),
        }
        Some(())
    }

    fn constant(&mut self, node: Node<'_>, pending: &mut Pending<'s>) -> Option<()> {
        let name = node.field("name")?;
        let kind = if node.kind_name() == "static_item" {
            SymbolKind::Variable
        } else {
            SymbolKind::Constant
        };
        let member = self.member_of();
        let id = self.define(node, name, kind, pending);
        if self.b.text(name) == "_" {
            self.b.def_mut(id).flags.set(DefFlags::ANONYMOUS);
        } else if member.is_none() {
            let bound = self.b.facts().def(id).name;
            self.b.bind(bound, Namespace::VALUE, Bound::Def(id));
        } else {
            self.b.def_mut(id).flags.set(DefFlags::STATIC);
        }
        let ty = node.field("type").map(|t| self.ty(t));
        self.b.def_mut(id).ty = ty;
        if let Some(value) = node.field("value") {
            self.b.open_owner(id);
            self.functions += 1;
            let value = self.expr(value);
            self.functions -= 1;
            self.b.close_owner();
            self.b.def_mut(id).value = Some(value);
        }
        Some(())
    }

    fn alias(&mut self, node: Node<'_>, pending: &mut Pending<'s>) -> Option<()> {
        let name = node.field("name")?;
        let member = self.member_of();
        let id = self.define(node, name, SymbolKind::TypeAlias, pending);
        if member.is_none() {
            let bound = self.b.facts().def(id).name;
            self.b.bind(bound, Namespace::TYPE, Bound::Def(id));
        }
        self.b.open_def(id, ScopeKind::Class);
        self.type_params(node, id);
        self.bounds_as_supers(node, id);
        let ty = node.field("type").map(|t| self.ty(t));
        self.b.def_mut(id).ty = ty;
        self.b.close_def();
        Some(())
    }

    fn macro_definition(&mut self, node: Node<'_>, pending: &mut Pending<'s>) -> Option<()> {
        let name = node.field("name")?;
        let start = pending
            .start
            .map_or(node.start_byte(), |(_, byte)| byte as usize);
        let before = self.b.source.get(start..node.start_byte()).unwrap_or("");
        let exported = before.contains("macro_export");
        let id = self.define(node, name, SymbolKind::Macro, pending);
        let bound = self.b.facts().def(id).name;
        self.b.bind(bound, Namespace::MACRO, Bound::Def(id));
        let rule = child_of_kind(node, "macro_rule");
        if rule.is_some_and(|rule| self.gives_inside(rule)) {
            let inside = self.b.expr(Expr::Try(self.unknown));
            self.b.def_mut(id).value = Some(inside);
        }
        let def = self.b.def_mut(id);
        if exported {
            def.visibility = Visibility::Public;
            def.flags.set(DefFlags::EXPORTED);
        } else {
            def.visibility = Visibility::Package;
        }
        Some(())
    }

    fn foreign(&mut self, node: Node<'_>) -> Option<()> {
        let body = node.field("body")?;
        self.statements(body);
        Some(())
    }

    /// Parameters, bound in the open scope of `def`.
    pub(super) fn parameters(&mut self, node: Node<'_>, def: DefId) -> Vec<Param> {
        let mut params = Vec::new();
        let Some(list) = node.field("parameters") else {
            return params;
        };
        let mut cursor = list.walk();
        for child in list.children(&mut cursor) {
            let counts = child.is_named() || child.kind_name() == "_";
            if !counts || is_extra(child.kind_name()) {
                continue;
            }
            let index = params.len() as u32;
            let param = match child.kind_name() {
                "self_parameter" => self.self_parameter(child),
                "parameter" => {
                    let ty = child.field("type").map(|t| self.ty(t));
                    let pattern = child.field("pattern");
                    self.parameter(pattern, ty, def, index)
                }
                "variadic_parameter" => Param {
                    name: self.b.name_owned("_"),
                    ty: None,
                    default: None,
                    kind: ParamKind::Variadic,
                },
                // Closure parameters without a type, and types alone (2015 traits).
                _ => self.parameter(Some(child), None, def, index),
            };
            params.push(param);
        }
        params
    }

    fn self_parameter(&mut self, node: Node<'_>) -> Param {
        let ty = self.self_def().map(|d| self.b.ty(TypeExpr::SelfType(d)));
        let by_reference = self.b.text(node).starts_with('&');
        let ty = match ty {
            Some(ty) if by_reference => Some(self.b.ty(TypeExpr::Reference(ty))),
            other => other,
        };
        Param {
            name: self.b.name_owned("self"),
            ty,
            default: None,
            kind: ParamKind::Receiver,
        }
    }

    fn parameter(
        &mut self,
        pattern: Option<Node<'_>>,
        ty: Option<TypeId>,
        def: DefId,
        index: u32,
    ) -> Param {
        let mut kind = ParamKind::Plain;
        let mut name = self.b.name_owned("_");
        if let Some(pattern) = pattern {
            let plain = self.plain_binding(pattern);
            match plain {
                _ if self.b.text(pattern) == "self" => {
                    name = self.b.name_owned("self");
                    kind = ParamKind::Receiver;
                }
                Some(identifier) => {
                    name = self.plain_name(identifier);
                    let to = Bound::Param(def, index);
                    self.b.bind(name, Namespace::VALUE, to);
                }
                None => {
                    // A parameter of its own name, so that the pattern's names can refer to it.
                    name = self.b.name_owned(&format!("_{index}"));
                    let to = Bound::Param(def, index);
                    self.b.bind(name, Namespace::VALUE, to);
                    let scope = self.b.scope();
                    let at = pattern.start_byte() as u32;
                    let value = self.b.expr(Expr::Name { name, scope, at });
                    self.pattern(pattern, value, 0);
                }
            }
        }
        Param {
            name,
            ty,
            default: None,
            kind,
        }
    }
}
