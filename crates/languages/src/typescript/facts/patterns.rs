//! Patterns: destructuring written out as members and parts, assignments to names.

use super::{Named, Walker};
use base::SymbolKind;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// A name that a pattern binds, with the value it takes.
struct Bind<'t> {
    at: Node<'t>,
    value: Option<ExprId>,
}

impl<'t> Walker<'_, '_, 't> {
    /// Binds a pattern's names as local variables.
    pub(super) fn bind_pattern_in(
        &mut self,
        pattern: Node<'t>,
        ty: Option<TypeId>,
        value: Option<ExprId>,
        scope: ScopeId,
    ) {
        if pattern.kind_name() == "identifier" {
            let name = self.b.node_name(pattern);
            let to = Bound::Local { ty, value };
            self.b.bind_in(scope, name, Namespace::VALUE, 0, to);
            return;
        }
        for bind in self.pattern(pattern, ty, value) {
            let name = self.b.node_name(bind.at);
            let to = Bound::Local {
                ty: None,
                value: bind.value,
            };
            self.b.bind_in(scope, name, Namespace::VALUE, 0, to);
        }
    }

    /// Makes a pattern's names definitions of the file or namespace.
    pub(super) fn define_pattern(
        &mut self,
        pattern: Node<'t>,
        ty: Option<TypeId>,
        value: Option<ExprId>,
        kind: SymbolKind,
        outer: Node<'t>,
        flags: DefFlags,
    ) {
        for bind in self.pattern(pattern, ty, value) {
            let name = self.b.node_name(bind.at);
            let named = Named {
                name: Some(name),
                at: bind.at,
                outer,
                kind,
                flags,
            };
            let id = self.add_def(&named);
            self.set_signature(id, outer, None);
            self.b.def_mut(id).value = bind.value;
            self.b.bind(name, Namespace::VALUE, Bound::Def(id));
        }
    }

    /// The names in a pattern. A written type goes with the value as a cast.
    fn pattern(
        &mut self,
        pattern: Node<'t>,
        ty: Option<TypeId>,
        value: Option<ExprId>,
    ) -> Vec<Bind<'t>> {
        let value = match ty {
            Some(ty) => {
                let inner = value.unwrap_or(self.unknown);
                Some(self.b.expr(Expr::Cast(inner, ty)))
            }
            None => value,
        };
        let mut binds = Vec::new();
        self.collect(pattern, value, &mut binds);
        binds
    }

    fn collect(&mut self, node: Node<'t>, value: Option<ExprId>, out: &mut Vec<Bind<'t>>) {
        if !self.b.enter() {
            return;
        }
        match node.kind_name() {
            "identifier" | "shorthand_property_identifier_pattern" => {
                out.push(Bind { at: node, value });
            }
            "object_pattern" => {
                let mut cursor = node.walk();
                for child in node.named_children(&mut cursor) {
                    self.collect_property(child, value, out);
                }
            }
            "array_pattern" => self.collect_array(node, value, out),
            "assignment_pattern" | "object_assignment_pattern" => {
                let value = self.with_default(node, value);
                if let Some(left) = node.field("left") {
                    self.collect(left, value, out);
                }
            }
            "rest_pattern" => {
                if let Some(inner) = node.named_child(0) {
                    self.collect(inner, value, out);
                }
            }
            "comment" => {}
            _ => {
                self.expr(node);
            }
        }
        self.b.leave();
    }

    fn collect_property(&mut self, node: Node<'t>, value: Option<ExprId>, out: &mut Vec<Bind<'t>>) {
        match node.kind_name() {
            "shorthand_property_identifier_pattern" => {
                let value = self.member_of(value, node);
                out.push(Bind { at: node, value });
            }
            "pair_pattern" => {
                let key = node.field("key");
                let member = match key {
                    Some(key) if key.kind_name() != "computed_property_name" => {
                        self.member_of(value, key)
                    }
                    Some(key) => {
                        self.expressions(key);
                        None
                    }
                    None => None,
                };
                if let Some(inner) = node.field("value") {
                    self.collect(inner, member, out);
                }
            }
            "object_assignment_pattern" => {
                let Some(left) = node.field("left") else {
                    return;
                };
                let member = self.member_of(value, left);
                let value = self.with_default(node, member);
                self.collect(left, value, out);
            }
            // What is left over of an object has no type that the facts could say.
            "rest_pattern" => self.collect(node, None, out),
            _ => {}
        }
    }

    fn collect_array(&mut self, node: Node<'t>, value: Option<ExprId>, out: &mut Vec<Bind<'t>>) {
        let mut index = 0;
        let mut cursor = node.walk();
        for child in node.children(&mut cursor) {
            match child.kind_name() {
                "," => index += 1,
                "[" | "]" | "comment" => {}
                "rest_pattern" => self.collect(child, value, out),
                _ => {
                    let part = value.map(|v| self.b.expr(Expr::Part(v, index)));
                    self.collect(child, part, out);
                }
            }
        }
    }

    /// The value or the default that stands for it; a default alone where no value is known.
    fn with_default(&mut self, node: Node<'t>, value: Option<ExprId>) -> Option<ExprId> {
        let default = node.field("right").map(|d| self.expr(d));
        match (value, default) {
            (Some(value), Some(default)) if default != self.unknown => {
                Some(self.b.expr(Expr::Either(Box::new([value, default]))))
            }
            (Some(value), _) => Some(value),
            (None, default) => default,
        }
    }

    fn member_of(&mut self, value: Option<ExprId>, key: Node<'t>) -> Option<ExprId> {
        let object = value?;
        let text = super::unquote(self.b.text(key));
        let name = self.b.name(text);
        let member = self.b.expr(Expr::Member { object, name });
        self.b.add_reference(RefTarget::Expr(member), key);
        Some(member)
    }

    /// An assignment to a pattern or name that is declared elsewhere.
    pub(super) fn assign_pattern(&mut self, pattern: Node<'t>, value: ExprId) {
        match pattern.kind_name() {
            "object_pattern" | "array_pattern" => {
                for bind in self.pattern(pattern, None, Some(value)) {
                    let target = self.b.name_expr(bind.at);
                    self.b.add_write(target, bind.at);
                    if let Some(value) = bind.value {
                        self.rebind_untyped(bind.at, value);
                    }
                }
            }
            _ => self.assign(pattern, Some(value)),
        }
    }

    /// A write to a name, member or index.
    pub(super) fn assign(&mut self, target: Node<'t>, value: Option<ExprId>) {
        let target = super::defs::peel(target);
        match target.kind_name() {
            "identifier" => {
                let id = self.b.name_expr(target);
                self.b.add_write(id, target);
                if let Some(value) = value {
                    self.rebind_untyped(target, value);
                }
            }
            "member_expression" => {
                let id = self.expr_quiet(target);
                if let Some(property) = target.field("property") {
                    self.b.add_write(id, property);
                }
            }
            _ => {
                self.expr(target);
            }
        }
    }

    /// `let x; … x = value;`: from here on the variable has one of the values assigned so far.
    fn rebind_untyped(&mut self, target: Node<'t>, value: ExprId) {
        if self.untyped.is_empty() {
            return;
        }
        let name = self.b.node_name(target);
        let Some(scope) = self.untyped_scope(name) else {
            return;
        };
        let values = self.untyped.entry((scope, name)).or_default();
        values.push(value);
        let value = match values.len() {
            1 => value,
            _ => {
                let all = values.clone().into_boxed_slice();
                self.b.expr(Expr::Either(all))
            }
        };
        let from = target.parent().map_or(target, |p| p).end_byte() as u32;
        let to = Bound::Local {
            ty: None,
            value: Some(value),
        };
        self.b.bind_in(scope, name, Namespace::VALUE, from, to);
    }

    /// The scope of the untyped variable that `name` means here, if it means one.
    fn untyped_scope(&self, name: NameId) -> Option<ScopeId> {
        // Bindings further back than this stand in other functions.
        const RECENT: usize = 2_000;
        let facts = self.b.facts();
        let mut nearer = Vec::new();
        let mut next = Some(self.b.scope());
        while let Some(scope) = next {
            if self.untyped.contains_key(&(scope, name)) {
                let mut recent = facts.bindings.iter().rev().take(RECENT);
                let shadowed = recent.any(|b| b.name == name && nearer.contains(&b.scope));
                return (!shadowed).then_some(scope);
            }
            nearer.push(scope);
            next = facts.scope(scope).parent;
        }
        None
    }
}
