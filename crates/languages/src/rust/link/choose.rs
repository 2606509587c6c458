//! Chooses among several definitions of one name that a call may mean.

use super::code_position::CodePosition;
use super::{Rust, builtins};
use base::SymbolKind;
use base::facts::*;
use linker::eval::Eval;
use linker::lang::CallView;
use linker::repo::{FileId, GlobalDef, Repo};
use linker::ty::*;

impl Rust {
    /// A call means a method rather than a field, the method of an impl rather than the declaration in its trait, and,
    /// of several impls, the one whose parameters accept the arguments.
    pub(super) fn select_called_defs(
        &self,
        ev: &mut Eval<'_>,
        defs: &[GlobalDef],
        call: CallView<'_>,
    ) -> Entity {
        let defs = &self.filter_usable(ev.repo, defs, call.file)[..];
        let is_field = |d: &GlobalDef| ev.repo.def(*d).kind == SymbolKind::Field;
        if !defs.is_empty()
            && defs.iter().all(is_field)
            && let Some(found) = self.method_sharing_field_name(ev, call)
        {
            return found;
        }
        let callable = |d: &GlobalDef| ev.repo.def(*d).kind.is_callable();
        let mut defs: Vec<GlobalDef> = if defs.iter().any(callable) {
            defs.iter().copied().filter(callable).collect()
        } else {
            defs.to_vec()
        };
        if defs.len() > 1 {
            let implemented: Vec<GlobalDef> = defs
                .iter()
                .filter_map(|d| self.trait_of_member(ev.repo, *d))
                .collect();
            defs.retain(|d| {
                let parent = ev.repo.def(*d).parent;
                !implemented
                    .iter()
                    .any(|t| t.file == d.file && Some(t.def) == parent)
            });
        }
        let mut defs = self.prefer_traits_in_scope(ev, defs, call);
        let holders = |d: &GlobalDef| (d.file, ev.repo.def(*d).parent);
        let one_holder = defs.windows(2).all(|w| holders(&w[0]) == holders(&w[1]));
        if defs.len() > 1 && !one_holder {
            defs = self.select_by_receiver(ev, defs, call);
            defs = self.select_by_borrowed_receiver(ev, defs, call);
        }
        if defs.len() > 1 && !one_holder {
            defs = self.select_by_arguments(ev, &defs, call);
            if defs.len() > 1 {
                return Entity::Unknown;
            }
        }
        self.select_impl_by_first_argument(ev, &defs, call)
            .unwrap_or_else(|| Entity::defs(defs))
    }

    /// Of trait methods, those of traits in scope, if there are any: `x.m()` cannot mean another.
    fn prefer_traits_in_scope(
        &self,
        ev: &mut Eval<'_>,
        defs: Vec<GlobalDef>,
        call: CallView<'_>,
    ) -> Vec<GlobalDef> {
        let repo = ev.repo;
        let of_trait = |d: &GlobalDef| self.trait_of_method(repo, *d).is_some();
        let facts = repo.facts(call.file);
        let callee = match facts.expr(call.expr) {
            Expr::Call { callee, .. } => facts.expr(*callee),
            _ => return defs,
        };
        if defs.is_empty() || !defs.iter().all(of_trait) {
            return defs;
        }
        if let Some(named) = trait_of_qualified_path(ev, call.file, callee) {
            let mut of_it = defs.clone();
            of_it.retain(|d| self.trait_of_method(repo, *d) == Some(named));
            return if of_it.is_empty() { defs } else { of_it };
        }
        let place = CodePosition::of_expr(facts, call.file, call.expr);
        let mut seen = defs.clone();
        seen.retain(|d| self.is_trait_method_visible(ev, place, *d));
        if !seen.is_empty() {
            return seen;
        }
        let Expr::Member { object, name } = callee else {
            return defs;
        };
        let object = ev.type_of_expr(call.file, *object);
        // The name of a unit struct is its only value.
        let (Ty::Instance(class, _) | Ty::Class(class, _), Some(name)) =
            (&object, repo.find_sym(facts.name(*name)))
        else {
            return defs;
        };
        // The methods of a trait object are visible anywhere.
        if repo.def(*class).kind == SymbolKind::Trait {
            return defs;
        }
        for ty in ev.member_search_order(&object) {
            let (Ty::Instance(def, _) | Ty::Class(def, _)) = ty else {
                continue;
            };
            let mut found = ev.members_declared_by(def, name);
            found.retain(|d| of_trait(d) && self.is_trait_method_visible(ev, place, *d));
            if !found.is_empty() {
                return found;
            }
        }
        defs
    }

    /// Of methods of several impls, those whose impl is for the receiver with its type arguments: `impl Builder<Ready>`
    /// does not have the methods of `impl Builder<Empty>`.
    fn select_by_receiver(
        &self,
        ev: &mut Eval<'_>,
        defs: Vec<GlobalDef>,
        call: CallView<'_>,
    ) -> Vec<GlobalDef> {
        let Some(object) = receiver_of(ev.repo, call) else {
            return defs;
        };
        let Ty::Instance(class, args) = ev.type_of_expr(call.file, object) else {
            return defs;
        };
        if args.is_empty() {
            return defs;
        }
        let is_of_other = |ev: &mut Eval<'_>, d: &GlobalDef| {
            let holder = ev.repo.def(*d).parent.map(|def| GlobalDef { def, ..*d })?;
            let of_impl = ev.lower_type(holder.file, ev.repo.def(holder).ty?);
            let Ty::Instance(of, written) = of_impl else {
                return None;
            };
            let mut pairs = written.iter().zip(args.iter());
            let differs = |(a, b)| types_match(a, b) == Some(false);
            (of == class && pairs.any(differs)).then_some(())
        };
        let left: Vec<GlobalDef> = defs
            .iter()
            .filter(|d| is_of_other(ev, d).is_none())
            .copied()
            .collect();
        if left.is_empty() { defs } else { left }
    }

    /// Of methods of one trait's impls for `T` and `&T`, those that `x.m()` means: those for `T` if `x` is not known to
    /// be a reference.
    fn select_by_borrowed_receiver(
        &self,
        ev: &mut Eval<'_>,
        defs: Vec<GlobalDef>,
        call: CallView<'_>,
    ) -> Vec<GlobalDef> {
        let Some(object) = receiver_of(ev.repo, call) else {
            return defs;
        };
        let traits: Vec<Ty> = defs.iter().map(|d| trait_around(ev, *d)).collect();
        let one_trait = traits.windows(2).all(|pair| pair[0] == pair[1]);
        if defs.len() < 2 || !one_trait || traits.contains(&Ty::Unknown) {
            return defs;
        }
        let borrowed = self.is_borrowed(ev, call.file, object);
        let found = self.select_by_reference(ev.repo, &defs, borrowed == Some(true));
        if found.is_empty() { defs } else { found }
    }

    /// The method that `Trait::method(value, …)` calls, if the type of the value has its own impl.
    fn select_impl_by_first_argument(
        &self,
        ev: &mut Eval<'_>,
        defs: &[GlobalDef],
        call: CallView<'_>,
    ) -> Option<Entity> {
        let [method] = defs else { return None };
        let def = ev.repo.def(*method);
        let is_of_trait = def
            .parent
            .is_some_and(|p| ev.repo.facts(method.file).def(p).kind == SymbolKind::Trait);
        let facts = ev.repo.facts(call.file);
        let Expr::Call { callee, .. } = facts.expr(call.expr) else {
            return None;
        };
        let by_path = matches!(facts.expr(*callee), Expr::Scoped { .. });
        let first = call
            .args
            .first()
            .filter(|_| is_of_trait && by_path && takes_self(def))?;
        // The name of a unit struct is its only value.
        let (Ty::Instance(of, _) | Ty::Class(of, _)) = ev.type_of_expr(call.file, *first) else {
            return None;
        };
        let sym = ev.repo.sym_of_name(method.file, def.name);
        let own = self.impls.of.get(&of)?.traits.iter();
        let own = own.filter(|i| {
            self.impls.trait_of.get(i)
                == def.parent.map(|def| GlobalDef { def, ..*method }).as_ref()
        });
        let found: Vec<GlobalDef> = own.flat_map(|i| ev.repo.children_named(*i, sym)).collect();
        let mut found = self.filter_usable(ev.repo, &found, call.file);
        if found.len() > 1
            && let Some(borrowed) = self.is_borrowed(ev, call.file, *first)
        {
            found = self.select_by_reference(ev.repo, &found, borrowed);
        }
        match found[..] {
            [one] => Some(Entity::def(one)),
            _ => None,
        }
    }

    /// The called method, if the receiver has a field of the same name.
    fn method_sharing_field_name(&self, ev: &mut Eval<'_>, call: CallView<'_>) -> Option<Entity> {
        let facts = ev.repo.facts(call.file);
        let Expr::Call { callee, .. } = facts.expr(call.expr) else {
            return None;
        };
        let Expr::Member { object, name } = facts.expr(*callee) else {
            return None;
        };
        let name = facts.name(*name);
        let sym = ev.repo.find_sym(name)?;
        let object = ev.type_of_expr(call.file, *object);
        for ty in ev.member_search_order(&object) {
            let (Ty::Instance(def, _) | Ty::Class(def, _)) = ty else {
                continue;
            };
            let mut found = ev.members_declared_by(def, sym);
            found.retain(|d| ev.repo.def(*d).kind.is_callable());
            if !found.is_empty() {
                return Some(self.select_called_defs(ev, &found, call));
            }
        }
        match self.blanket_member(ev, &object, name) {
            Entity::Unknown => None,
            found => Some(found),
        }
    }

    /// The definitions that code of a file can mean: not those for other platforms if there are others, nor impls of
    /// traits in crates on which the file's crate does not depend.
    pub(super) fn filter_usable(
        &self,
        repo: &Repo,
        defs: &[GlobalDef],
        file: FileId,
    ) -> Vec<GlobalDef> {
        let reachable = |d: &&GlobalDef| {
            self.trait_of_member(repo, **d).is_none() || self.modules.can_see(file, d.file)
        };
        let found: Vec<GlobalDef> = defs.iter().filter(reachable).copied().collect();
        if found.len() < 2 {
            return found;
        }
        // A definition is left out only if another one of its kind under a condition stays.
        let present: Vec<SymbolKind> = found
            .iter()
            .filter(|d| {
                repo.def(**d).condition.is_some() && !self.is_excluded_from_build(repo, **d)
            })
            .map(|d| repo.def(*d).kind)
            .collect();
        let elsewhere = |d: &GlobalDef| {
            let def = repo.def(*d);
            let above = def.parent.map(|p| repo.facts(d.file).def(p).flags);
            def.flags.has(DefFlags::CONDITIONAL)
                || above.is_some_and(|f| f.has(DefFlags::CONDITIONAL))
                || present.contains(&def.kind) && self.is_excluded_from_build(repo, *d)
        };
        if found.iter().all(elsewhere) {
            found
        } else {
            found.into_iter().filter(|d| !elsewhere(d)).collect()
        }
    }

    /// The definitions whose parameters accept the arguments of a call.
    pub(super) fn select_by_arguments(
        &self,
        ev: &mut Eval<'_>,
        defs: &[GlobalDef],
        call: CallView<'_>,
    ) -> Vec<GlobalDef> {
        let counted =
            ev.overloads_with_arg_count(&self.filter_usable(ev.repo, defs, call.file), call);
        if counted.len() < 2 {
            return counted;
        }
        let scores: Vec<Option<u32>> = counted
            .iter()
            .map(|d| self.count_fitting_arguments(ev, *d, call))
            .collect();
        let Some(best) = scores.iter().flatten().max() else {
            return Vec::new();
        };
        let best = counted
            .iter()
            .zip(&scores)
            .filter(|(_, score)| score.as_ref() == Some(best))
            .map(|(def, _)| *def)
            .collect();
        let best = prefer_literal_text(ev.repo, best, call);
        self.prefer_by_reference(ev, best, call)
    }

    /// The number of arguments that certainly fit; `None` if one does not fit.
    fn count_fitting_arguments(
        &self,
        ev: &mut Eval<'_>,
        def: GlobalDef,
        call: CallView<'_>,
    ) -> Option<u32> {
        let Some(callable) = ev.repo.def(def).callable.as_deref() else {
            return Some(0);
        };
        let params: Vec<&Param> = callable
            .params
            .iter()
            .filter(|p| p.kind != ParamKind::Receiver || callable.params.len() == call.args.len())
            .collect();
        let mut score = 0;
        for (param, arg) in params.iter().zip(call.args) {
            let Some(ty) = param.ty else { continue };
            let pattern = ev.lower_type(def.file, ty);
            let actual = ev.type_of_expr(call.file, *arg);
            match types_match(&pattern, &actual) {
                Some(true) => score += 1,
                Some(false) => return None,
                None => {}
            }
        }
        Some(score)
    }
}

/// Of functions that fit a string literal equally, those that take `&str`: `From<&str>` rather than `From<Cow<str>>`.
fn prefer_literal_text(repo: &Repo, defs: Vec<GlobalDef>, call: CallView<'_>) -> Vec<GlobalDef> {
    let facts = repo.facts(call.file);
    let is_text = |arg: &ExprId| matches!(facts.expr(*arg), Expr::Literal(Primitive::String));
    let Some(place) = call
        .args
        .iter()
        .position(is_text)
        .filter(|_| defs.len() > 1)
    else {
        return defs;
    };
    let asks_for_text = |def: &GlobalDef| {
        let callable = repo.def(*def).callable.as_deref();
        let mut params = callable.into_iter().flat_map(|c| &c.params);
        let written = params.nth(place).and_then(|param| param.ty);
        let facts = repo.facts(def.file);
        let inner = written.and_then(|ty| match facts.ty(ty) {
            TypeExpr::Reference(inner) => Some(facts.ty(*inner)),
            _ => None,
        });
        matches!(inner, Some(TypeExpr::Primitive(Primitive::String)))
    };
    let found: Vec<GlobalDef> = defs.iter().filter(|d| asks_for_text(d)).copied().collect();
    if found.is_empty() { defs } else { found }
}

/// The receiver in a call of a method: `x` in `x.m()`.
fn receiver_of(repo: &Repo, call: CallView<'_>) -> Option<ExprId> {
    let facts = repo.facts(call.file);
    let Expr::Call { callee, .. } = facts.expr(call.expr) else {
        return None;
    };
    match facts.expr(*callee) {
        Expr::Member { object, .. } => Some(*object),
        _ => None,
    }
}

/// The trait of the impl around a method, with type arguments.
pub(super) fn trait_around(ev: &mut Eval<'_>, method: GlobalDef) -> Ty {
    let repo = ev.repo;
    let holder = repo
        .def(method)
        .parent
        .map(|def| repo.facts(method.file).def(def));
    let written = holder.and_then(|def| def.supers.first());
    written.map_or(Ty::Unknown, |(ty, _)| ev.lower_type(method.file, *ty))
}

/// The trait that `<T as Trait>::method` names.
fn trait_of_qualified_path(ev: &mut Eval<'_>, file: FileId, callee: &Expr) -> Option<GlobalDef> {
    let facts = ev.repo.facts(file);
    let Expr::Scoped { object, .. } = callee else {
        return None;
    };
    let Expr::Type(ty) = facts.expr(*object) else {
        return None;
    };
    let TypeExpr::All(parts) = facts.ty(*ty) else {
        return None;
    };
    let [_, of_trait] = parts[..] else {
        return None;
    };
    match ev.lower_type(file, of_trait) {
        Ty::Instance(def, _) => Some(def),
        _ => None,
    }
}

/// Whether a value of type `actual` fits where `pattern` is required; `None` if unknown.
pub(super) fn types_match(pattern: &Ty, actual: &Ty) -> Option<bool> {
    match (pattern, actual) {
        // The name of a unit struct is its only value.
        (Ty::Instance(a, _), Ty::Instance(b, _) | Ty::Class(b, _)) => Some(a == b),
        (Ty::ExternalInstance(..), Ty::Class(..)) => Some(false),
        // `Color::Red`, of an external enum.
        (Ty::ExternalInstance(a, _), Ty::External(b)) => {
            let (of, _) = b.symbol.rsplit_once('.')?;
            let of = of
                .rsplit('.')
                .next()
                .filter(|of| of.starts_with(char::is_uppercase))?;
            Some(builtins::last_segment(a) == of)
        }
        (Ty::ExternalInstance(a, xs), Ty::ExternalInstance(b, ys)) => {
            let (a, b) = (builtins::last_segment(a), builtins::last_segment(b));
            if a != b {
                return if is_string_type(a) && is_string_type(b) {
                    None
                } else {
                    Some(false)
                };
            }
            match (xs.first(), ys.first()) {
                (Some(x), Some(y)) => types_match(x, y).or(Some(true)),
                _ => Some(true),
            }
        }
        (Ty::Instance(..), Ty::ExternalInstance(..) | Ty::Tuple(_))
        | (Ty::ExternalInstance(..) | Ty::Tuple(_), Ty::Instance(..)) => Some(false),
        (Ty::Tuple(a), Ty::Tuple(b)) => Some(a.len() == b.len()),
        _ => None,
    }
}

fn is_string_type(key: &str) -> bool {
    matches!(key, "str" | "String")
}

/// Whether a definition is a method (takes `self`).
pub(super) fn takes_self(def: &Def) -> bool {
    def.kind == SymbolKind::Method && !def.flags.has(DefFlags::STATIC)
}
