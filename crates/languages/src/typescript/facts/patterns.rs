//! Patterns: destructuring as members and parts, and assignments to names.

use super::scoped::Scoped;
use super::{DefName, Walker};
use base::SymbolKind;
use rustc_hash::FxHashSet;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// A name that a pattern binds, with the value it takes.
struct PatternBinding<'t> {
    at: Node<'t>,
    value: Option<ExprId>,
}

/// The position of the walk at some place.
#[derive(Clone, Copy)]
pub(super) struct Progress {
    /// Number of enclosing loops, of open functions, and of functions so far.
    loops: usize,
    pub(super) frames: usize,
    functions: usize,
}

/// The values assigned to a variable without a type.
pub(super) struct Assigned {
    values: Vec<ExprId>,
    /// Its definition, if it has one.
    def: Option<DefId>,
    declared: Progress,
    /// The last place after which it had a single value.
    exact: Option<Progress>,
}

/// With more assignments, a variable may have any value.
const MOST_VALUES: usize = 32;

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
            let name = self.b.intern_node_text(pattern);
            let to = Bound::Local { ty, value };
            self.b.bind_in(scope, name, Namespace::VALUE, 0, to);
            return;
        }
        for bind in self.bind_pattern(pattern, ty, value) {
            let name = self.b.intern_node_text(bind.at);
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
        for bind in self.bind_pattern(pattern, ty, value) {
            let name = self.b.intern_node_text(bind.at);
            let named = DefName {
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

    /// The names in a pattern. A written type is stored as a cast of the value.
    fn bind_pattern(
        &mut self,
        pattern: Node<'t>,
        ty: Option<TypeId>,
        value: Option<ExprId>,
    ) -> Vec<PatternBinding<'t>> {
        let value = match ty {
            Some(ty) => {
                let inner = value.unwrap_or(self.unknown);
                Some(self.b.add_expr(Expr::Cast(inner, ty)))
            }
            None => value,
        };
        let mut binds = Vec::new();
        self.collect_bindings(pattern, value, &mut binds);
        binds
    }

    fn collect_bindings(
        &mut self,
        node: Node<'t>,
        value: Option<ExprId>,
        out: &mut Vec<PatternBinding<'t>>,
    ) {
        if !self.b.enter_level() {
            return;
        }
        match node.kind_name() {
            "identifier" | "shorthand_property_identifier_pattern" => {
                out.push(PatternBinding { at: node, value });
            }
            "object_pattern" => {
                let mut cursor = node.walk();
                for child in node.named_children(&mut cursor) {
                    self.collect_property(child, value, out);
                }
            }
            "array_pattern" => self.collect_array(node, value, out),
            "assignment_pattern" | "object_assignment_pattern" => {
                let value = self.value_or_default(node, value);
                if let Some(left) = node.field("left") {
                    self.collect_bindings(left, value, out);
                }
            }
            "rest_pattern" => {
                if let Some(inner) = node.named_child(0) {
                    self.collect_bindings(inner, value, out);
                }
            }
            "comment" => {}
            _ => {
                self.expr(node);
            }
        }
        self.b.leave_level();
    }

    fn collect_property(
        &mut self,
        node: Node<'t>,
        value: Option<ExprId>,
        out: &mut Vec<PatternBinding<'t>>,
    ) {
        match node.kind_name() {
            "shorthand_property_identifier_pattern" => {
                let value = self.add_member_expr(value, node);
                out.push(PatternBinding { at: node, value });
            }
            "pair_pattern" => {
                let key = node.field("key");
                let member = match key {
                    Some(key) if key.kind_name() != "computed_property_name" => {
                        self.add_member_expr(value, key)
                    }
                    Some(key) => {
                        self.expressions(key);
                        None
                    }
                    None => None,
                };
                if let Some(inner) = node.field("value") {
                    self.collect_bindings(inner, member, out);
                }
            }
            "object_assignment_pattern" => {
                let Some(left) = node.field("left") else {
                    return;
                };
                let member = self.add_member_expr(value, left);
                let value = self.value_or_default(node, member);
                self.collect_bindings(left, value, out);
            }
            // The rest of an object has no type that the facts can express.
            "rest_pattern" => self.collect_bindings(node, None, out),
            _ => {}
        }
    }

    fn collect_array(
        &mut self,
        node: Node<'t>,
        value: Option<ExprId>,
        out: &mut Vec<PatternBinding<'t>>,
    ) {
        let mut index = 0;
        let mut cursor = node.walk();
        for child in node.children(&mut cursor) {
            match child.kind_name() {
                "," => index += 1,
                "[" | "]" | "comment" => {}
                "rest_pattern" => self.collect_bindings(child, value, out),
                _ => {
                    let part = value.map(|v| self.part_of(v, index));
                    self.collect_bindings(child, part, out);
                }
            }
        }
    }

    /// The n-th part of a value. Where the value is written out, that is its n-th element.
    fn part_of(&mut self, value: ExprId, n: u32) -> ExprId {
        let facts = self.b.facts();
        if let Expr::List(elements) = facts.expr(value) {
            let before = elements.get(..=n as usize).unwrap_or_default();
            let is_spread = |e: &ExprId| matches!(facts.expr(*e), Expr::Element(_));
            if let Some(part) = before.last().filter(|_| !before.iter().any(is_spread)) {
                return *part;
            }
        }
        self.b.add_expr(Expr::Part(value, n))
    }

    /// The value or its default; only the default if the value is unknown.
    fn value_or_default(&mut self, node: Node<'t>, value: Option<ExprId>) -> Option<ExprId> {
        let default = node.field("right").map(|d| self.expr(d));
        match (value, default) {
            (Some(value), Some(default)) if default != self.unknown => {
                Some(self.b.add_expr(Expr::Either(Box::new([value, default]))))
            }
            (Some(value), _) => Some(value),
            (None, default) => default,
        }
    }

    fn add_member_expr(&mut self, value: Option<ExprId>, key: Node<'t>) -> Option<ExprId> {
        let object = value?;
        let text = super::unquote(self.b.text(key));
        let name = self.b.intern_name(text);
        let member = self.b.add_expr(Expr::Member { object, name });
        self.b.add_reference(RefTarget::Expr(member), key);
        Some(member)
    }

    /// An assignment to a pattern or name that is declared elsewhere.
    pub(super) fn assign_pattern(&mut self, pattern: Node<'t>, value: ExprId) {
        match pattern.kind_name() {
            "object_pattern" | "array_pattern" => {
                for bind in self.bind_pattern(pattern, None, Some(value)) {
                    let target = self.b.add_name_expr(bind.at);
                    self.b.add_write(target, bind.at);
                    self.note_assignment(bind.at, bind.value);
                }
            }
            _ => self.add_write(pattern, Some(value)),
        }
    }

    /// A write to a name, member or index.
    pub(super) fn add_write(&mut self, target: Node<'t>, value: Option<ExprId>) {
        let target = super::defs::strip_parens_and_casts(target);
        match target.kind_name() {
            "identifier" => {
                let id = self.b.add_name_expr(target);
                self.b.add_write(id, target);
                self.note_assignment(target, value);
            }
            "member_expression" => {
                let id = self.visit_expr_unmentioned(target);
                if let Some(property) = target.field("property") {
                    self.b.add_write(id, property);
                }
            }
            _ => {
                self.expr(target);
            }
        }
    }

    /// Updates the known values of a name after an assignment.
    fn note_assignment(&mut self, target: Node<'t>, value: Option<ExprId>) {
        let any = value.and_then(|value| self.rebind_untyped(target, value));
        self.end_narrowing(target, value, any);
        self.forget_first_value(target);
    }

    /// `let x: any = first; … x = second;`: compilers do not treat it as still the first value.
    fn forget_first_value(&mut self, target: Node<'t>) {
        let name = self.b.intern_node_text(target);
        let Some(scope) = self.scope_among(name, |w| &w.unchecked) else {
            return;
        };
        match self.unchecked.remove((scope, name)).flatten() {
            Some(def) => self.b.def_mut(def).value = None,
            None => {
                let to = Bound::Local {
                    ty: None,
                    value: None,
                };
                self.b.bind_in(scope, name, Namespace::VALUE, 0, to);
            }
        }
    }

    /// A variable that is declared here, with its first value.
    pub(super) fn assigned_first(&self, value: Option<ExprId>, def: Option<DefId>) -> Assigned {
        Assigned {
            values: value.into_iter().collect(),
            def,
            declared: self.progress(),
            exact: None,
        }
    }

    /// The present position of the walk.
    pub(super) fn progress(&self) -> Progress {
        Progress {
            loops: self.loops.len(),
            frames: self.frames.len(),
            functions: self.functions.len(),
        }
    }

    /// `let x; … x = value;`: from here on, the variable has one of the values assigned so far. After an assignment in
    /// the block that declares it, it has exactly that value. For such a variable, returns one of all values, if they are
    /// known.
    fn rebind_untyped(&mut self, target: Node<'t>, value: ExprId) -> Option<Option<ExprId>> {
        let name = self.b.intern_node_text(target);
        let scope = self.scope_among(name, |w| &w.untyped)?;
        let key = (scope, name);
        let mut assigned = self.untyped.remove(key)?;
        if assigned.values.len() <= MOST_VALUES {
            assigned.values.push(value);
        }
        let any = match assigned.values[..] {
            [one] => Some(one),
            ref all if all.len() <= MOST_VALUES => {
                let all = all.into();
                Some(self.b.add_expr(Expr::Either(all)))
            }
            _ => None,
        };
        if let Some(def) = assigned.def {
            self.b.def_mut(def).value = any;
        } else {
            let assignment = target.parent().unwrap_or(target);
            self.bind_assigned(key, &mut assigned, any, assignment);
        }
        self.untyped.insert(key, assigned);
        Some(any)
    }

    fn bind_assigned(
        &mut self,
        (scope, name): (ScopeId, NameId),
        assigned: &mut Assigned,
        any: Option<ExprId>,
        assignment: Node<'t>,
    ) {
        let end = assignment.end_byte() as u32;
        for since in std::iter::once(assigned.declared).chain(assigned.exact) {
            let from = self.end_or_earlier(since, end);
            let to = Bound::Local {
                ty: None,
                value: any,
            };
            self.b.bind_in(scope, name, Namespace::VALUE, from, to);
        }
        let is_exact = scope == self.b.current_scope()
            && assigned.declared.frames == self.frames.len()
            && is_own_statement(assignment);
        if is_exact && assigned.values.len() > 1 && any.is_some() {
            let to = Bound::Local {
                ty: None,
                value: assigned.values.last().copied(),
            };
            self.b.bind_in(scope, name, Namespace::VALUE, end, to);
            assigned.exact = Some(self.progress());
        }
    }

    /// The end of an assignment, or an earlier position: a loop returns to code before it, and a function may run after
    /// it.
    pub(super) fn end_or_earlier(&self, since: Progress, end: u32) -> u32 {
        let loops = self.loops.get(since.loops).copied();
        let functions = self.functions.get(since.functions).copied();
        loops.into_iter().chain(functions).fold(end, u32::min)
    }

    /// The scope of the variable that `name` means here, if it is in the table.
    pub(super) fn scope_among<T>(
        &self,
        name: NameId,
        kept: impl Fn(&Self) -> &Scoped<T>,
    ) -> Option<ScopeId> {
        let kept = kept(self);
        if !kept.has_name(name) {
            return None;
        }
        // Earlier bindings than this belong to other functions.
        const RECENT: usize = 2_000;
        let facts = self.b.facts();
        let mut nearer = FxHashSet::default();
        let mut next = Some(self.b.current_scope());
        while let Some(scope) = next {
            if kept.get((scope, name)).is_some() {
                let numbers = (0..facts.bindings.len()).rev();
                let mut recent = numbers.zip(facts.bindings.iter().rev()).take(RECENT);
                let shadowed = recent.any(|(n, b)| {
                    b.name == name && nearer.contains(&b.scope) && !self.narrowings.contains(&n)
                });
                return (!shadowed).then_some(scope);
            }
            nearer.insert(scope);
            next = facts.scope(scope).parent;
        }
        None
    }
}

/// Whether an assignment is a statement of a block, so that later code of the block runs after it.
pub(super) fn is_own_statement(assignment: Node<'_>) -> bool {
    let statement = assignment
        .parent()
        .filter(|p| p.kind_name() == "expression_statement");
    let block = statement.and_then(|s| s.parent());
    block.is_some_and(|b| {
        matches!(
            b.kind_name(),
            "statement_block" | "if_statement" | "else_clause"
        )
    })
}
