//! Items: functions, types, traits, impls, modules, constants.

use super::{RULES, Walker, cfg, child_of_kind, is_comment_or_attribute};
use base::list::{self, WordList};
use base::{DEAD_CODE, SymbolKind, Visibility};
use std::sync::LazyLock;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::{Node, Range};

/// A longer declaration of a constant or field ends at its value.
const MAX_DECLARATION: usize = 160;

/// Traits that `derive` names without any import.
const STD_DERIVES: &[&str] = &[
    "Debug",
    "Clone",
    "Copy",
    "PartialEq",
    "Eq",
    "PartialOrd",
    "Ord",
    "Hash",
    "Default",
];

/// Attributes and documentation before an item.
#[derive(Default)]
pub(super) struct PendingAttributes<'s> {
    /// Line and byte of the first attribute.
    start: Option<(u32, u32)>,
    doc: String,
    test: bool,
    elsewhere: bool,
    /// The predicates of `cfg`.
    conditions: Vec<&'s str>,
    path: Option<&'s str>,
    decorators: Vec<ExprId>,
    /// The traits in `derive`.
    derives: Vec<Box<[NameId]>>,
    /// All attributes but documentation and conditions.
    marks: Vec<Mark>,
    /// Ranges of the values of test cases, with their parentheses.
    cases: Vec<Range>,
    /// Ranges of other values among the arguments of attributes: `#[error("…", f(x))]`,
    /// `#[arg(default_value_t = f())]`.
    values: Vec<Range>,
}

/// Attributes without calls among their arguments.
static NO_VALUES: WordList = LazyLock::new(|| {
    list::words(list::section(
        include_str!("../attributes.txt"),
        "no values",
    ))
    .collect()
});

/// Attributes whose arguments are values for a test.
const CASES: [&str; 3] = ["case", "test_case", "test_matrix"];

impl<'s> Walker<'_, 's> {
    /// Adds a comment if it documents the next item.
    pub(super) fn push_doc_comment(&mut self, node: Node<'_>, pending: &mut PendingAttributes<'s>) {
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

    /// Adds an attribute of the next item.
    pub(super) fn push_attribute(&mut self, node: Node<'_>, pending: &mut PendingAttributes<'s>) {
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
            let condition = cfg::parse_condition(self.b.text(arguments));
            pending.test |= condition.test;
            pending.elsewhere |= condition.elsewhere;
            pending
                .conditions
                .push(cfg::strip_cfg_parens(self.b.text(arguments)));
        }
        if last == "path"
            && let Some(value) = attribute.field("value")
        {
            pending.path = Some(self.b.text(value).trim_matches('"'));
        }
        if !matches!(last, "doc" | "cfg") {
            let mut mark = self.b.read_decorator(path, arguments);
            let is_dead = arguments.is_some_and(|list| self.b.text(list).contains(DEAD_CODE));
            if is_dead && matches!(last, "allow" | "expect") {
                mark.detail = Some(self.b.intern_owned_name(DEAD_CODE));
            }
            pending.marks.push(mark);
        }
        let mut segments = self.b.text(path).split("::").map(str::trim);
        if let Some(arguments) = arguments.filter(|_| segments.any(|s| CASES.contains(&s))) {
            pending.cases.push(arguments.range());
        } else if let Some(arguments) = arguments.filter(|_| !NO_VALUES.contains(&last)) {
            self.push_attribute_values(arguments, pending);
        }
        if let Some(arguments) = arguments.filter(|_| last == "derive") {
            self.push_derives(arguments, pending);
        }
        let builtin = matches!(last, "path" | "cfg" | "doc" | "allow" | "derive" | "inline");
        if !builtin {
            let callee = self.add_path_expr(path);
            let decorator = if arguments.is_some() {
                self.b.add_expr(Expr::Call {
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

    /// Adds attribute arguments that may contain calls: values after `=`, and arguments after a format string.
    /// Other names with parentheses are keywords of the attribute.
    fn push_attribute_values(&mut self, arguments: Node<'_>, pending: &mut PendingAttributes<'s>) {
        let mut cursor = arguments.walk();
        let all: Vec<Node<'_>> = arguments.children(&mut cursor).collect();
        let inside = all.get(1..all.len().saturating_sub(1)).unwrap_or(&[]);
        let mut after_text = false;
        for part in inside.split(|token| token.kind_name() == ",") {
            let value = match part {
                [name, sign, value @ ..]
                    if name.kind_name() == "identifier" && sign.kind_name() == "=" =>
                {
                    value
                }
                value if after_text => value,
                _ => &[],
            };
            after_text |= matches!(part, [text] if text.kind_name().ends_with("string_literal"));
            let calls = value.iter().any(|t| t.kind_name() == "token_tree");
            if let ([first, ..], [.., last], true) = (value, value, calls) {
                pending.values.push(super::macros::make_range(
                    (first.start_byte(), first.start_position()),
                    (last.end_byte(), last.end_position()),
                ));
            }
        }
    }

    /// Adds the paths in `derive(…)`, except traits of the standard library.
    fn push_derives(&mut self, arguments: Node<'_>, pending: &mut PendingAttributes<'s>) {
        const MOST: usize = 32;
        let text = self.b.text(arguments);
        let inner = text.trim_start_matches('(').trim_end_matches(')');
        for path in inner.split(',').map(str::trim) {
            let plain =
                |s: &str| !s.is_empty() && s.chars().all(|c| c.is_alphanumeric() || c == '_');
            let known = path.is_empty() || STD_DERIVES.contains(&path);
            if known || pending.derives.len() >= MOST || !path.split("::").all(plain) {
                continue;
            }
            let path = path.split("::").map(|s| self.b.intern_name(s)).collect();
            pending.derives.push(path);
        }
    }

    /// Adds the derived traits of a type to its supertypes.
    fn set_derives_as_supertypes(
        &mut self,
        node: Node<'_>,
        id: DefId,
        derives: Vec<Box<[NameId]>>,
    ) {
        let (scope, at) = (self.b.current_scope(), node.start_byte() as u32);
        let named = derives.into_iter().map(|path| {
            let ty = self.b.add_type(TypeExpr::Named {
                path,
                args: Box::default(),
                scope,
                at,
            });
            (ty, SuperKind::Derives)
        });
        let supers = named.collect();
        self.b.def_mut(id).supers = supers;
    }

    /// Reads an item; `false` if the node is not one.
    pub(super) fn visit_item(
        &mut self,
        node: Node<'_>,
        pending: &mut PendingAttributes<'s>,
    ) -> bool {
        if !self.b.enter_level() {
            return true;
        }
        let around = self.push_cfg_conditions(&pending.conditions);
        let in_test = self.in_test;
        self.in_test |= pending.test;
        let is_item = match node.kind_name() {
            "function_item" | "function_signature_item" => self.visit_function(node, pending),
            "struct_item" | "union_item" => self.visit_struct_or_union(node, pending),
            "enum_item" => self.visit_enum(node, pending),
            "trait_item" => self.trait_item(node, pending),
            "impl_item" => self.impl_item(node, pending),
            "mod_item" => self.visit_module(node, pending),
            "const_item" | "static_item" => self.visit_const_or_static(node, pending),
            "type_item" | "associated_type" => self.visit_type_alias(node, pending),
            "macro_definition" => self.macro_definition(node, pending),
            "foreign_mod_item" => self.visit_extern_block(node),
            "use_declaration" => {
                self.use_declaration(node);
                Some(())
            }
            "extern_crate_declaration" => {
                self.extern_crate(node);
                Some(())
            }
            // A macro call among items stands for items.
            "macro_invocation" if self.functions == 0 => {
                self.visit_item_macro(node);
                Some(())
            }
            _ => {
                self.in_test = in_test;
                self.b.set_condition(around);
                self.b.leave_level();
                return false;
            }
        };
        // An item without a name (after a syntax error) still has contents.
        if is_item.is_none() {
            self.visit_children(node);
        }
        self.in_test = in_test;
        self.b.set_condition(around);
        self.b.leave_level();
        true
    }

    /// Adds predicates to the condition of the following definitions; returns the previous condition.
    pub(super) fn push_cfg_conditions(&mut self, predicates: &[&str]) -> Option<NameId> {
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
            [one] => self.b.intern_owned_name(one),
            _ => self
                .b
                .intern_owned_name(&format!("all({})", all.join(", "))),
        };
        self.b.set_condition(Some(condition));
        around
    }

    /// Adds the definition of an item with the properties that all items have.
    pub(super) fn add_item_def(
        &mut self,
        node: Node<'_>,
        name_node: Node<'_>,
        kind: SymbolKind,
        pending: &mut PendingAttributes<'s>,
    ) -> DefId {
        let name = self.intern_identifier(name_node);
        let id = self.b.add_def(name, kind, node, name_node);
        let visibility = self.effective_visibility(node);
        let end = self.signature_end(node);
        let local = self.functions > 0;
        let (in_extern_block, from_macro) = (self.in_extern_block, self.in_own_macro);
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
        // Its body or value is elsewhere.
        if in_extern_block {
            def.flags.set(DefFlags::ABSTRACT);
        }
        if from_macro {
            def.flags.set(DefFlags::FROM_MACRO);
        }
        self.place_at_macro_argument(id, name_node);
        for mark in pending.marks {
            self.b.add_decorator(id, mark);
        }
        if let Some(path) = pending.path {
            self.add_path_attribute(id, path, node.start_position().row as u32 + 1);
        }
        if !pending.values.is_empty() {
            self.b.open_owner(id);
            self.functions += 1;
            for value in pending.values {
                self.visit_fragment(value);
            }
            self.functions -= 1;
            self.b.close_owner();
        }
        id
    }

    /// The written visibility, or that of the enclosing trait or enum, whose members have none of their own.
    fn effective_visibility(&self, node: Node<'_>) -> Visibility {
        if let Some(written) = self.written_visibility(node) {
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

    fn visit_function(
        &mut self,
        node: Node<'_>,
        pending: &mut PendingAttributes<'s>,
    ) -> Option<()> {
        let name = node.field("name")?;
        let member = self.member_of();
        let kind = match member {
            Some(_) => SymbolKind::Method,
            None => SymbolKind::Function,
        };
        let cases = std::mem::take(&mut pending.cases);
        let id = self.add_item_def(node, name, kind, pending);
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
        let params = self.visit_parameters(node, id);
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
        for values in cases {
            self.visit_case_values(values);
        }
        if let Some(body) = body {
            self.returns.push(None);
            let tail = self.visit_statements(body);
            self.returns.pop();
            if member.is_some() && tail.is_some_and(|tail| self.is_recursive_self_call(tail, bound))
            {
                self.b.def_mut(id).flags.set(DefFlags::DELEGATES);
            }
            self.b.set_complexity(id, body, &RULES);
        }
        self.functions -= 1;
        self.b.close_def();
        Some(())
    }

    /// Whether an expression is `self.name(…)`.
    fn is_recursive_self_call(&self, expr: ExprId, name: NameId) -> bool {
        let facts = self.b.facts();
        let Expr::Call { callee, .. } = facts.expr(expr) else {
            return false;
        };
        matches!(facts.expr(*callee), Expr::Member { object, name: called }
            if *called == name && matches!(facts.expr(*object), Expr::This(_)))
    }

    fn visit_struct_or_union(
        &mut self,
        node: Node<'_>,
        pending: &mut PendingAttributes<'s>,
    ) -> Option<()> {
        let name = node.field("name")?;
        let kind = match node.kind_name() {
            "union_item" => SymbolKind::Union,
            _ => SymbolKind::Struct,
        };
        let derives = std::mem::take(&mut pending.derives);
        let id = self.add_item_def(node, name, kind, pending);
        self.set_derives_as_supertypes(node, id, derives);
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
            self.visit_fields(body, id, true);
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

    /// Fields of a struct or variant. Positional fields make `owner` callable; if `numbered`, they are fields `0`, `1`,
    /// ….
    fn visit_fields(&mut self, body: Node<'_>, owner: DefId, numbered: bool) {
        let named = body.kind_name() == "field_declaration_list";
        let mut pending = PendingAttributes::default();
        let mut visibility = None;
        let mut params = Vec::new();
        let mut cursor = body.walk();
        for child in body.named_children(&mut cursor) {
            match child.kind_name() {
                "line_comment" | "block_comment" => self.push_doc_comment(child, &mut pending),
                "attribute_item" => self.push_attribute(child, &mut pending),
                "field_declaration" => self.visit_named_field(child, &mut pending),
                "visibility_modifier" => visibility = Some(child),
                _ if named => {}
                _ => {
                    let ty = self.visit_positional_field(
                        child,
                        params.len(),
                        numbered,
                        visibility.take(),
                    );
                    params.push(ty);
                    pending = PendingAttributes::default();
                }
            }
        }
        if !named {
            self.set_tuple_constructor(owner, params);
        }
    }

    fn set_tuple_constructor(&mut self, owner: DefId, types: Vec<TypeId>) {
        let name = self.b.intern_owned_name("_");
        let ret = self
            .current_self_type()
            .map(|def| self.b.add_type(TypeExpr::SelfType(def)));
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

    fn visit_named_field(&mut self, node: Node<'_>, pending: &mut PendingAttributes<'s>) {
        let Some(name) = node.field("name") else {
            return;
        };
        let around = self.push_cfg_conditions(&pending.conditions);
        let id = self.add_item_def(node, name, SymbolKind::Field, pending);
        self.b.set_condition(around);
        let ty = node.field("type").map(|t| self.ty(t));
        self.b.def_mut(id).ty = ty;
    }

    fn visit_positional_field(
        &mut self,
        node: Node<'_>,
        index: usize,
        numbered: bool,
        visibility: Option<Node<'_>>,
    ) -> TypeId {
        let ty = self.ty(node);
        if numbered {
            let name = self.b.intern_owned_name(&index.to_string());
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

    fn visit_enum(&mut self, node: Node<'_>, pending: &mut PendingAttributes<'s>) -> Option<()> {
        let name = node.field("name")?;
        let derives = std::mem::take(&mut pending.derives);
        let id = self.add_item_def(node, name, SymbolKind::Enum, pending);
        self.set_derives_as_supertypes(node, id, derives);
        let bound = self.b.facts().def(id).name;
        self.b.bind(bound, Namespace::TYPE, Bound::Def(id));
        let visibility = self.b.facts().def(id).visibility;
        self.open_type(node, id);
        if let Some(body) = node.field("body") {
            let mut pending = PendingAttributes::default();
            let mut cursor = body.walk();
            for child in body.named_children(&mut cursor) {
                match child.kind_name() {
                    "line_comment" | "block_comment" => self.push_doc_comment(child, &mut pending),
                    "attribute_item" => self.push_attribute(child, &mut pending),
                    "enum_variant" => self.visit_variant(child, visibility, &mut pending),
                    _ => {}
                }
            }
        }
        self.close_type();
        Some(())
    }

    fn visit_variant(
        &mut self,
        node: Node<'_>,
        visibility: Visibility,
        pending: &mut PendingAttributes<'s>,
    ) {
        let Some(name) = node.field("name") else {
            return;
        };
        let id = self.add_item_def(node, name, SymbolKind::EnumMember, pending);
        let end = node.end_byte() as u32;
        let def = self.b.def_mut(id);
        def.visibility = visibility;
        def.signature.1 = end;
        if visibility == Visibility::Public {
            def.flags.set(DefFlags::EXPORTED);
        }
        if let Some(body) = node.field("body") {
            self.b.open_owner(id);
            self.visit_fields(body, id, false);
            self.b.close_owner();
        }
        if let Some(value) = node.field("value") {
            let value = self.expr(value);
            self.b.def_mut(id).value = Some(value);
        }
    }

    fn trait_item(&mut self, node: Node<'_>, pending: &mut PendingAttributes<'s>) -> Option<()> {
        let name = node.field("name")?;
        let id = self.add_item_def(node, name, SymbolKind::Trait, pending);
        let bound = self.b.facts().def(id).name;
        self.b.bind(bound, Namespace::TYPE, Bound::Def(id));
        self.open_type(node, id);
        self.set_bounds_as_supertypes(node, id);
        if let Some(body) = node.field("body") {
            self.with_no_enclosing_function(|w| w.visit_statements(body));
        }
        self.close_type();
        Some(())
    }

    fn set_bounds_as_supertypes(&mut self, node: Node<'_>, id: DefId) {
        let bounds = self.type_args(node.field("bounds"));
        self.b.def_mut(id).supers = bounds.iter().map(|b| (*b, SuperKind::Extends)).collect();
    }

    fn impl_item(&mut self, node: Node<'_>, pending: &mut PendingAttributes<'s>) -> Option<()> {
        let ty = node.field("type")?;
        let id = self.add_item_def(node, ty, SymbolKind::Impl, pending);
        let name = self.intern_impl_name(ty);
        self.b.def_mut(id).name = name;
        self.open_type(node, id);
        let self_type = self.ty(ty);
        self.b.def_mut(id).ty = Some(self_type);
        if let Some(of) = node.field("trait") {
            let of = self.ty(of);
            self.b.def_mut(id).supers = Box::new([(of, SuperKind::Implements)]);
        }
        if let Some(body) = node.field("body") {
            self.with_no_enclosing_function(|w| w.visit_statements(body));
        }
        self.close_type();
        Some(())
    }

    /// The text of the self type. For a named type, its last segment without arguments, so that members are called
    /// `Type.method`.
    fn intern_impl_name(&mut self, ty: Node<'_>) -> NameId {
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
        match self.b.text(node) {
            name if name.starts_with('$') => self.intern_macro_type_name(name),
            _ => self.intern_identifier(node),
        }
    }

    /// Members of impls and traits are not local, even inside a function.
    fn with_no_enclosing_function<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        let functions = std::mem::take(&mut self.functions);
        let out = f(self);
        self.functions = functions;
        out
    }

    fn visit_module(&mut self, node: Node<'_>, pending: &mut PendingAttributes<'s>) -> Option<()> {
        let name = node.field("name")?;
        let id = self.add_item_def(node, name, SymbolKind::Module, pending);
        let bound = self.b.facts().def(id).name;
        self.b.bind(bound, Namespace::TYPE, Bound::Def(id));
        match node.field("body") {
            Some(body) => {
                self.b.open_def(id, ScopeKind::Module);
                let self_types = std::mem::take(&mut self.self_types);
                self.with_no_enclosing_function(|w| w.visit_statements(body));
                self.self_types = self_types;
                self.b.close_def();
            }
            None => self.b.def_mut(id).flags.set(DefFlags::OUT_OF_LINE),
        }
        Some(())
    }

    fn visit_const_or_static(
        &mut self,
        node: Node<'_>,
        pending: &mut PendingAttributes<'s>,
    ) -> Option<()> {
        let name = node.field("name")?;
        let kind = if node.kind_name() == "static_item" {
            SymbolKind::Variable
        } else {
            SymbolKind::Constant
        };
        let member = self.member_of();
        let id = self.add_item_def(node, name, kind, pending);
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

    fn visit_type_alias(
        &mut self,
        node: Node<'_>,
        pending: &mut PendingAttributes<'s>,
    ) -> Option<()> {
        let name = node.field("name")?;
        let member = self.member_of();
        let id = self.add_item_def(node, name, SymbolKind::TypeAlias, pending);
        if member.is_none() {
            let bound = self.b.facts().def(id).name;
            self.b.bind(bound, Namespace::TYPE, Bound::Def(id));
        }
        self.b.open_def(id, ScopeKind::Class);
        self.type_params(node, id);
        self.set_bounds_as_supertypes(node, id);
        let ty = node.field("type").map(|t| self.ty(t));
        self.b.def_mut(id).ty = ty;
        self.b.close_def();
        Some(())
    }

    fn macro_definition(
        &mut self,
        node: Node<'_>,
        pending: &mut PendingAttributes<'s>,
    ) -> Option<()> {
        let name = node.field("name")?;
        let start = pending
            .start
            .map_or(node.start_byte(), |(_, byte)| byte as usize);
        let before = self.b.source.get(start..node.start_byte()).unwrap_or("");
        let exported = before.contains("macro_export");
        let id = self.add_item_def(node, name, SymbolKind::Macro, pending);
        let bound = self.b.facts().def(id).name;
        self.b.bind(bound, Namespace::MACRO, Bound::Def(id));
        let rule = child_of_kind(node, "macro_rule");
        if rule.is_some_and(|rule| self.unwraps_first_argument(rule)) {
            let inside = self.b.add_expr(Expr::Try(self.unknown));
            self.b.def_mut(id).value = Some(inside);
        }
        self.visit_macro_rules(node, id);
        let def = self.b.def_mut(id);
        if exported {
            def.visibility = Visibility::Public;
            def.flags.set(DefFlags::EXPORTED);
        } else {
            def.visibility = Visibility::Package;
        }
        Some(())
    }

    fn visit_extern_block(&mut self, node: Node<'_>) -> Option<()> {
        let body = node.field("body")?;
        let outer = std::mem::replace(&mut self.in_extern_block, true);
        self.visit_statements(body);
        self.in_extern_block = outer;
        Some(())
    }

    /// Parameters, bound in the open scope of `def`.
    pub(super) fn visit_parameters(&mut self, node: Node<'_>, def: DefId) -> Vec<Param> {
        let mut params = Vec::new();
        let Some(list) = node.field("parameters") else {
            return params;
        };
        let mut cursor = list.walk();
        for child in list.children(&mut cursor) {
            let counts = child.is_named() || child.kind_name() == "_";
            if !counts || is_comment_or_attribute(child.kind_name()) {
                continue;
            }
            let index = params.len() as u32;
            let param = match child.kind_name() {
                "self_parameter" => self.self_parameter(child),
                "parameter" => {
                    let ty = child.field("type").map(|t| self.ty(t));
                    let pattern = child.field("pattern");
                    self.bind_parameter(pattern, ty, def, index)
                }
                "variadic_parameter" => Param {
                    name: self.b.intern_owned_name("_"),
                    ty: None,
                    default: None,
                    kind: ParamKind::Variadic,
                },
                // Closure parameters without a type, and types without a name (2015 traits).
                _ => self.bind_parameter(Some(child), None, def, index),
            };
            params.push(param);
        }
        params
    }

    fn self_parameter(&mut self, node: Node<'_>) -> Param {
        let ty = self
            .current_self_type()
            .map(|d| self.b.add_type(TypeExpr::SelfType(d)));
        let by_reference = self.b.text(node).starts_with('&');
        let ty = match ty {
            Some(ty) if by_reference => Some(self.b.add_type(TypeExpr::Reference(ty))),
            other => other,
        };
        Param {
            name: self.b.intern_owned_name("self"),
            ty,
            default: None,
            kind: ParamKind::Receiver,
        }
    }

    fn bind_parameter(
        &mut self,
        pattern: Option<Node<'_>>,
        ty: Option<TypeId>,
        def: DefId,
        index: u32,
    ) -> Param {
        let mut kind = ParamKind::Plain;
        let mut name = self.b.intern_owned_name("_");
        if let Some(pattern) = pattern {
            let plain = self.plain_identifier(pattern);
            match plain {
                _ if self.b.text(pattern) == "self" => {
                    name = self.b.intern_owned_name("self");
                    kind = ParamKind::Receiver;
                }
                Some(identifier) => {
                    name = self.intern_identifier(identifier);
                    let to = Bound::Param(def, index);
                    self.b.bind(name, Namespace::VALUE, to);
                }
                None => {
                    // The parameter gets a name of its own, so that the names of the pattern can refer to it.
                    name = self.b.intern_owned_name(&format!("_{index}"));
                    let to = Bound::Param(def, index);
                    self.b.bind(name, Namespace::VALUE, to);
                    let scope = self.b.current_scope();
                    let at = pattern.start_byte() as u32;
                    let value = self.b.add_expr(Expr::Name { name, scope, at });
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
