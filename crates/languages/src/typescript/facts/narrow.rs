//! Narrowing: the types of plain names that follow from a condition.

use super::Walker;
use super::defs::strip_parens_and_casts;
use super::patterns::{Progress, is_own_statement};
use rustc_hash::FxHashSet;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// A name and the type that a condition gives it.
pub(super) struct Narrowing<'t> {
    name: Node<'t>,
    to: NarrowTo<'t>,
}

/// A narrowing that ends when the name is assigned: from a condition, or from the first value.
#[derive(Clone, Copy)]
pub(super) struct Narrowed {
    /// A place at which the name has its meaning without the condition.
    outside: (ScopeId, u32),
    /// The declared type of the variable, if it is declared here.
    declared: Option<TypeId>,
    /// Whether an assignment has ended it.
    ended: bool,
    since: Progress,
}

enum NarrowTo<'t> {
    Class(Node<'t>),
    NotClass(Node<'t>),
    Primitive(Primitive),
    NotPrimitive(Primitive),
    /// The type in the predicate of the called function.
    Predicate(Node<'t>),
}

/// Most parts of a condition that are read.
const MOST: usize = 32;

impl<'t> Walker<'_, '_, 't> {
    /// The narrowings that apply if `condition` is `truth`.
    pub(super) fn narrowings_where(
        &self,
        condition: Option<Node<'t>>,
        truth: bool,
    ) -> Vec<Narrowing<'t>> {
        let mut found = Vec::new();
        let mut open: Vec<(Node<'t>, bool)> = condition.map(|c| (c, truth)).into_iter().collect();
        let mut seen = 0;
        while let Some((node, truth)) = open.pop() {
            seen += 1;
            if seen > MOST {
                break;
            }
            let node = strip_parens_and_casts(node);
            match node.kind_name() {
                "unary_expression" => {
                    let not = node.field("operator").is_some_and(|o| o.kind_name() == "!");
                    let argument = node.field("argument");
                    open.extend(argument.filter(|_| not).map(|a| (a, !truth)));
                }
                "binary_expression" => self.narrow_binary(node, truth, &mut open, &mut found),
                "call_expression" if truth => found.extend(narrow_call(node)),
                _ => {}
            }
        }
        found
    }

    fn narrow_binary(
        &self,
        node: Node<'t>,
        truth: bool,
        open: &mut Vec<(Node<'t>, bool)>,
        found: &mut Vec<Narrowing<'t>>,
    ) {
        let part = |field| node.field(field);
        let (Some(left), Some(right), Some(operator)) =
            (part("left"), part("right"), part("operator"))
        else {
            return;
        };
        match (operator.kind_name(), truth) {
            ("&&", true) | ("||", false) => open.extend([(left, truth), (right, truth)]),
            ("instanceof", _) => {
                let class = matches!(right.kind_name(), "identifier" | "member_expression");
                if class && left.kind_name() == "identifier" {
                    let to = if truth {
                        NarrowTo::Class(right)
                    } else {
                        NarrowTo::NotClass(right)
                    };
                    found.push(Narrowing { name: left, to });
                }
            }
            ("===" | "==", _) => found.extend(self.narrow_typeof(left, right, truth)),
            ("!==" | "!=", _) => found.extend(self.narrow_typeof(left, right, !truth)),
            _ => {}
        }
    }

    fn narrow_typeof(&self, left: Node<'t>, right: Node<'t>, equal: bool) -> Option<Narrowing<'t>> {
        let typeof_of = |n: Node<'t>| {
            let operator = n.field("operator")?;
            let argument = n.field("argument")?;
            (operator.kind_name() == "typeof" && argument.kind_name() == "identifier")
                .then_some(argument)
        };
        if left.kind_name() != "unary_expression" || right.kind_name() != "string" {
            return None;
        }
        let name = typeof_of(left)?;
        let primitive = match super::unquote(self.b.text(right)) {
            "string" => Primitive::String,
            "number" => Primitive::Int,
            "boolean" => Primitive::Bool,
            _ => return None,
        };
        let to = if equal {
            NarrowTo::Primitive(primitive)
        } else {
            NarrowTo::NotPrimitive(primitive)
        };
        Some(Narrowing { name, to })
    }

    /// Binds narrowed names in a scope, visible from byte `from`.
    pub(super) fn apply_narrowing(
        &mut self,
        narrowed: &[Narrowing<'t>],
        scope: ScopeId,
        from: u32,
    ) {
        // The remaining type of a name for which the condition excludes several types.
        let mut left_of: Vec<(NameId, ExprId)> = Vec::new();
        for narrowing in narrowed {
            let name = self.b.intern_node_text(narrowing.name);
            let outside = self.outside_of_narrowing(narrowing.name, scope, from);
            let known = self.narrowed_here(outside, None);
            match self.narrowed.get_mut((scope, name)) {
                Some(kept) => kept.ended = false,
                None => self.narrowed.insert((scope, name), known),
            }
            let ty = match narrowing.to {
                NarrowTo::Predicate(function) => {
                    self.narrow_by_predicate(narrowing.name, function, outside, (scope, from));
                    continue;
                }
                NarrowTo::Class(class) | NarrowTo::NotClass(class) => {
                    self.type_of_class_path(class)
                }
                NarrowTo::Primitive(primitive) | NarrowTo::NotPrimitive(primitive) => {
                    Some(self.b.add_type(TypeExpr::Primitive(primitive)))
                }
            };
            let Some(ty) = ty else { continue };
            let to = match narrowing.to {
                NarrowTo::NotClass(_) | NarrowTo::NotPrimitive(_) => {
                    let (scope, at) = outside;
                    let before = left_of.iter().rev().find(|(n, _)| *n == name);
                    let whole = match before {
                        Some((_, left)) => *left,
                        None => self.b.add_expr(Expr::Name { name, scope, at }),
                    };
                    let left = self.b.add_expr(Expr::Without(whole, ty));
                    left_of.push((name, left));
                    Bound::Local {
                        ty: None,
                        value: Some(left),
                    }
                }
                _ => Bound::Local {
                    ty: Some(ty),
                    value: None,
                },
            };
            self.bind_narrowed((scope, name), from, to);
        }
    }

    /// The result type of `x => x instanceof C`: where it is true, the argument is a `C`.
    pub(super) fn inferred_predicate(
        &mut self,
        function: Node<'t>,
        body: Node<'t>,
    ) -> Option<TypeId> {
        let body = super::defs::strip_parens_and_casts(body);
        let operator = body.field("operator").map(|operator| operator.kind_name());
        let (left, class) = (body.field("left")?, body.field("right")?);
        let list = function
            .field("parameters")
            .and_then(|list| list.named_child(0));
        let param = function.field("parameter").or(list)?;
        let param = param.field("pattern").unwrap_or(param);
        let is_argument =
            left.kind_name() == "identifier" && self.b.text(left) == self.b.text(param);
        if operator != Some("instanceof") || !is_argument {
            return None;
        }
        let class = self.type_of_class_path(class)?;
        let is = self.b.intern_owned_name(super::PREDICATE);
        Some(self.b.add_type(TypeExpr::Projection(class, is)))
    }

    /// The type of a name or path after `instanceof`.
    fn type_of_class_path(&mut self, class: Node<'t>) -> Option<TypeId> {
        let path = self.collect_type_path(class)?;
        let scope = self.b.current_scope();
        Some(self.b.add_type(TypeExpr::Named {
            path,
            args: Box::default(),
            scope,
            at: class.start_byte() as u32,
        }))
    }

    /// If the function is no predicate, the name keeps its type: the linker decides that.
    fn narrow_by_predicate(
        &mut self,
        name: Node<'t>,
        function: Node<'t>,
        outside: (ScopeId, u32),
        (scope, from): (ScopeId, u32),
    ) {
        let Some(variant) = self.add_unmentioned_path(function) else {
            return;
        };
        let id = self.b.intern_node_text(name);
        let value = self.b.add_expr(Expr::Name {
            name: id,
            scope: outside.0,
            at: outside.1,
        });
        let payload = self.b.add_expr(Expr::Payload {
            value,
            variant,
            index: 0,
        });
        let to = Bound::Local {
            ty: None,
            value: Some(payload),
        };
        self.bind_narrowed((scope, id), from, to);
    }

    /// A place at which a name that is narrowed in a scope has its meaning without that.
    fn outside_of_narrowing(&self, name: Node<'t>, scope: ScopeId, from: u32) -> (ScopeId, u32) {
        let own = scope == self.b.current_scope() && from == 0;
        let around = self.b.facts().scope(scope).parent.filter(|_| own);
        (around.unwrap_or(scope), name.start_byte() as u32)
    }

    /// Records that a variable is declared with a type and a first value, which may show which part of the type it has.
    /// The type may be a union, or an alias of one.
    pub(super) fn note_declared(&mut self, scope: ScopeId, name: NameId, ty: TypeId) {
        let may_be_union = matches!(
            self.b.facts().ty(ty),
            TypeExpr::Named { .. }
                | TypeExpr::Union(_)
                | TypeExpr::Optional(_)
                | TypeExpr::All(_)
                | TypeExpr::TypeOf(_)
                | TypeExpr::Projection(..)
        );
        if may_be_union {
            let known = self.narrowed_here((scope, 0), Some(ty));
            self.narrowed.insert((scope, name), known);
        }
    }

    fn narrowed_here(&self, outside: (ScopeId, u32), declared: Option<TypeId>) -> Narrowed {
        Narrowed {
            outside,
            declared,
            ended: false,
            since: self.progress(),
        }
    }

    fn bind_narrowed(&mut self, (scope, name): (ScopeId, NameId), from: u32, to: Bound) {
        self.narrowings.insert(self.b.facts().bindings.len());
        self.b.bind_in(scope, name, Namespace::VALUE, from, to);
    }

    /// An assignment ends the narrowing of a name by conditions and first values. From there on it has its declared
    /// type, and directly after the assignment the part of it that the value has. A variable without a type has `any` of
    /// its values instead.
    pub(super) fn end_narrowing(
        &mut self,
        target: Node<'t>,
        value: Option<ExprId>,
        any: Option<Option<ExprId>>,
    ) {
        let name = self.b.intern_node_text(target);
        if !self.narrowed.has_name(name) {
            return;
        }
        let ended = self.narrowed_around(name);
        let Some((_, outermost)) = ended.last().copied() else {
            return;
        };
        let any = any.filter(|_| outermost.declared.is_none());
        let ty = match any {
            Some(_) => None,
            None => Some(self.type_without_narrowing(name, &outermost)),
        };
        let assignment = target.parent().unwrap_or(target);
        let end = assignment.end_byte() as u32;
        let lasts = |n: &Narrowed| any.is_some() || !n.ended;
        for (scope, narrowed) in ended.iter().filter(|(_, n)| lasts(n)) {
            let from = self.end_or_earlier(narrowed.since, end);
            let value = any.flatten();
            let to = Bound::Local { ty, value };
            self.bind_narrowed((*scope, name), from, to);
            if let Some(kept) = self.narrowed.get_mut((*scope, name)) {
                kept.ended = true;
            }
        }
        if value.is_some()
            && outermost.since.frames == self.frames.len()
            && is_own_statement(assignment)
        {
            let here = self.b.current_scope();
            let known = self.narrowed_here(outermost.outside, outermost.declared);
            self.narrowed.insert((here, name), known);
            let to = Bound::Local { ty, value };
            self.bind_narrowed((here, name), end, to);
        }
    }

    fn type_without_narrowing(&mut self, name: NameId, outermost: &Narrowed) -> TypeId {
        let (scope, at) = outermost.outside;
        outermost.declared.unwrap_or_else(|| {
            let declared = self.b.add_expr(Expr::Name { name, scope, at });
            self.b.add_type(TypeExpr::TypeOf(declared))
        })
    }

    /// The scopes that narrow a name, from here outwards up to the one that declares it.
    fn narrowed_around(&self, name: NameId) -> Vec<(ScopeId, Narrowed)> {
        // Earlier bindings than this belong to other functions.
        const RECENT: usize = 2_000;
        let facts = self.b.facts();
        let here = Some(self.b.current_scope());
        let around = || std::iter::successors(here, |s| facts.scope(*s).parent);
        let kept = |s: ScopeId| Some((s, *self.narrowed.get((s, name))?));
        if !around().any(|s| kept(s).is_some()) {
            return Vec::new();
        }
        let numbers = 0..facts.bindings.len();
        let recent = numbers.rev().zip(facts.bindings.iter().rev()).take(RECENT);
        let declared: FxHashSet<ScopeId> = recent
            .filter(|(n, b)| b.name == name && !self.narrowings.contains(n))
            .map(|(_, b)| b.scope)
            .collect();
        let mut found = Vec::new();
        for scope in around() {
            found.extend(kept(scope));
            if declared.contains(&scope) {
                break;
            }
        }
        found
    }

    /// A name or path as an expression, without recording sites.
    fn add_unmentioned_path(&mut self, node: Node<'t>) -> Option<ExprId> {
        match node.kind_name() {
            "identifier" => Some(self.b.add_name_expr(node)),
            "member_expression" => {
                let object = node.field("object")?;
                let property = node.field("property")?;
                if object.kind_name() != "identifier" {
                    return None;
                }
                let object = self.b.add_name_expr(object);
                let name = self.b.intern_node_text(property);
                Some(self.b.add_expr(Expr::Member { object, name }))
            }
            _ => None,
        }
    }
}

/// `isFoo(x)`: a call with one plain name.
fn narrow_call(node: Node<'_>) -> Option<Narrowing<'_>> {
    let function = node.field("function")?;
    let name = node.field("arguments")?.named_child(0)?;
    let plain = matches!(function.kind_name(), "identifier" | "member_expression");
    (plain && name.kind_name() == "identifier").then_some(Narrowing {
        name,
        to: NarrowTo::Predicate(function),
    })
}
