//! Chooses among functions of one name. The number of arguments decides first, then their types as far as they are known, then
//! whether the object is constant.

use super::binding::{self, Argument, Rank};
use super::braces::{self, Listed};
use super::fit::Fit;
use super::{Family, constant, operators, shapes, standard};
use crate::c::link::preference;
use base::SymbolKind;
use base::facts::*;
use linker::eval::Eval;
use linker::lang::{CallView, Called};
use linker::repo::GlobalDef;
use linker::ty::*;
use rustc_hash::FxHashMap;
use std::cmp::Ordering;

/// Maximum number of functions that are compared.
const MOST_CANDIDATES: usize = 60;
/// Maximum number of arguments that are compared.
const MOST_ARGUMENTS: usize = 16;
/// Maximum nesting of types that are compared.
const MOST_NESTING: u32 = 8;

impl Family {
    /// The entity that the callee of a call denotes, with the overload chosen.
    pub(super) fn callee(&self, ev: &mut Eval<'_>, call: CallView<'_>) -> Option<Called> {
        let facts = ev.repo.facts(call.file);
        let Expr::Call { callee, .. } = facts.expr(call.expr) else {
            return None;
        };
        if let Some(operator) = operators::of_call(facts, call, *callee) {
            return Some(self.by_sign(ev, call, operator));
        }
        let (mut entity, receiver) = ev.resolve_expr(call.file, *callee, Namespace::VALUE);
        if let Expr::Name { name, .. } = facts.expr(*callee) {
            let name = ev.repo.sym_of_name(call.file, *name);
            entity = self.with_namespaces_of_arguments(ev, call, name, entity);
        }
        let Entity::Defs(defs) = &entity else {
            return Some(Called::Found(entity, receiver));
        };
        let repo = ev.repo;
        let is_function = |d: &GlobalDef| {
            let kind = repo.def(*d).kind;
            kind.is_callable() && kind != SymbolKind::Macro
        };
        if !defs.iter().all(is_function) {
            return Some(Called::Found(self.called_value(ev, entity), receiver));
        }
        let defs = defs.clone();
        let object = constant::Object {
            file: call.file,
            callee: *callee,
        };
        Some(
            match self.select(ev, &defs, receiver.as_ref(), call, Some(object)) {
                Selected::One(def) if self.is_specialised_member(ev, def) => {
                    Called::Ambiguous(vec![def], receiver)
                }
                Selected::One(def) => Called::Found(Entity::def(def), receiver),
                Selected::None => Called::Found(Entity::Unknown, receiver),
                Selected::Several(all) => Called::Ambiguous(all, receiver),
            },
        )
    }

    /// Whether a member of a class template has another definition for some arguments.
    fn is_specialised_member(&self, ev: &Eval<'_>, member: GlobalDef) -> bool {
        let repo = ev.repo;
        let def = repo.def(member);
        let class = def.parent.map(|def| GlobalDef { def, ..member });
        let class = class.filter(|class| !shapes::is_special(repo.def(*class)));
        class.is_some_and(|class| {
            let of_class = repo.sym_of_name(class.file, repo.def(class).name);
            let name = repo.sym_of_name(member.file, def.name);
            self.names.is_specialised_member(of_class, name)
        })
    }

    /// What a call of a variable or field means, where its type says so.
    fn called_value(&self, ev: &mut Eval<'_>, entity: Entity) -> Entity {
        let Entity::Defs(defs) = &entity else {
            return entity;
        };
        let [first, ..] = defs[..] else {
            return entity;
        };
        let kind = ev.repo.def(first).kind;
        if !matches!(
            kind,
            SymbolKind::Field | SymbolKind::Variable | SymbolKind::Constant
        ) || ev.repo.def(first).ty.is_none()
        {
            return entity;
        }
        match ev.type_of_def(first) {
            ty @ (Ty::Instance(..) | Ty::ExternalInstance(..)) => Entity::Value(ty),
            _ => entity,
        }
    }

    /// Adds functions in the namespaces of the arguments' classes (argument-dependent lookup). A member of a class prevents it.
    pub(super) fn with_namespaces_of_arguments(
        &self,
        ev: &mut Eval<'_>,
        call: CallView<'_>,
        name: linker::repo::Sym,
        found: Entity,
    ) -> Entity {
        let repo = ev.repo;
        let mut all: Vec<GlobalDef> = match &found {
            Entity::Defs(defs) => {
                let is_free = |d: &GlobalDef| repo.def(*d).kind == SymbolKind::Function;
                if !defs.iter().all(is_free) {
                    return found;
                }
                defs.to_vec()
            }
            Entity::Unknown => Vec::new(),
            _ => return found,
        };
        let mut namespaces: Vec<u32> = Vec::new();
        for argument in call.args.iter().take(MOST_ARGUMENTS) {
            let ty = ev.type_of_expr(call.file, *argument);
            let ty = standard::pointee(&ty).unwrap_or(ty);
            let ty = ev.resolve_type_param(&ty);
            self.add_namespaces(ev, &ty, &mut namespaces, 0);
        }
        let wanted = super::lookup::Wanted {
            file: call.file,
            name,
            namespace: Namespace::VALUE,
        };
        for namespace in namespaces {
            let Entity::Defs(more) = self.in_namespace(ev, wanted, namespace) else {
                continue;
            };
            let functions = more
                .iter()
                .filter(|d| repo.def(**d).kind == SymbolKind::Function);
            for def in functions {
                if !ev.spend(1) {
                    return Entity::Unknown;
                }
                if !all.contains(def) {
                    all.push(*def);
                }
            }
        }
        if all.is_empty() {
            found
        } else {
            Entity::defs(all)
        }
    }

    /// Adds the namespaces of a class, of its base classes and of its template arguments.
    fn add_namespaces(&self, ev: &mut Eval<'_>, ty: &Ty, namespaces: &mut Vec<u32>, nesting: u32) {
        let Ty::Instance(class, args) = ty else {
            return;
        };
        if nesting > MOST_NESTING || !ev.spend(1) {
            return;
        }
        let order = ev.linearize_definition(*class);
        for part in order.iter().take(MOST_ARGUMENTS) {
            if let Ty::Instance(class, _) = part {
                let namespace = self.names.around(ev.repo, *class);
                if !namespaces.contains(&namespace) {
                    namespaces.push(namespace);
                }
            }
        }
        for argument in args.iter().take(MOST_ARGUMENTS) {
            let of = standard::pointee(argument).unwrap_or_else(|| argument.clone());
            self.add_namespaces(ev, &of, namespaces, nesting + 1);
        }
    }

    /// The function that a call means.
    pub(super) fn select(
        &self,
        ev: &mut Eval<'_>,
        defs: &[GlobalDef],
        receiver: Option<&Ty>,
        call: CallView<'_>,
        object: Option<constant::Object>,
    ) -> Selected {
        if !ev.spend_on_namesakes(defs.len()) {
            return Selected::Several(Vec::new());
        }
        let repo = ev.repo;
        let built = preference::in_usual_build(repo, defs);
        let mut fitting = with_arity(ev, &built, call);
        // Where arguments of a template are written, a template is meant. Which of its specialisations, is not known.
        let is_template = |d: &GlobalDef| !repo.def(*d).type_params.is_empty();
        let is_special = |d: &GlobalDef| repo.def(*d).flags.has(DefFlags::SPECIAL);
        if !call.type_args.is_empty() && fitting.iter().any(is_template) {
            fitting.retain(|d| is_template(d) || is_special(d));
            if fitting.iter().any(is_special) && fitting.len() > 1 {
                return Selected::Several(fitting);
            }
        }
        if fitting.len() > MOST_CANDIDATES {
            return Selected::Several(fitting);
        }
        let mut all = self.once_each(ev, fitting);
        if all.len() > 1
            && let Some(object) = object
        {
            all = constant::callable(self, ev, all, object);
        }
        if all.len() > 1 {
            all = self.best_by_types(ev, all, receiver, call, object);
        }
        if all.len() > 1
            && let Some(object) = object
        {
            all = constant::by_object(self, ev, all, object);
        }
        match all[..] {
            [] => Selected::None,
            [one] => Selected::One(one),
            _ => Selected::Several(all),
        }
    }

    /// Keeps one of the declarations and definitions of each function: the definition.
    fn once_each(&self, ev: &mut Eval<'_>, all: Vec<GlobalDef>) -> Vec<GlobalDef> {
        let repo = ev.repo;
        let mut kept: Vec<GlobalDef> = Vec::new();
        for def in all {
            let around = |d: GlobalDef| match repo.def(d).parent {
                Some(def) if repo.def(GlobalDef { def, ..d }).kind.is_type() => {
                    (Some(GlobalDef { def, ..d }), 0)
                }
                _ => (None, self.names.around(repo, d)),
            };
            let same = kept.iter().position(|k| {
                // Two definitions with bodies in one file are two functions. Something that is not recorded tells them apart,
                // such as constraints or `enable_if`.
                let is_whole = |d: GlobalDef| {
                    let of = repo.def(d);
                    !of.flags.has(DefFlags::DECLARATION_ONLY) && of.condition.is_none()
                };
                let are_two = k.file == def.file && is_whole(*k) && is_whole(def);
                !are_two && around(*k) == around(def) && shapes::have_same_parameters(repo, *k, def)
            });
            let is_open = |d: GlobalDef| repo.def(d).flags.has(DefFlags::DECLARATION_ONLY);
            match same {
                None => kept.push(def),
                Some(at) if is_open(kept[at]) && !is_open(def) => kept[at] = def,
                Some(at)
                    if !preference::is_default(repo, kept[at])
                        && preference::is_default(repo, def)
                        && is_open(kept[at]) == is_open(def) =>
                {
                    kept[at] = def;
                }
                Some(_) => {}
            }
        }
        kept
    }

    /// The type of a parameter as it is written.
    pub(super) fn param_type(&self, ev: &mut Eval<'_>, function: GlobalDef, n: usize) -> Ty {
        let callable = ev.repo.def(function).callable.as_deref();
        let params = callable.map_or(&[][..], |callable| &callable.params);
        let param = params.get(n).or(params.last());
        let ty = param.and_then(|param| param.ty);
        ty.map(|ty| ev.lower_type(function.file, ty))
            .unwrap_or_default()
    }

    /// Keeps the functions that fit the arguments and that no other function fits better.
    fn best_by_types(
        &self,
        ev: &mut Eval<'_>,
        all: Vec<GlobalDef>,
        receiver: Option<&Ty>,
        call: CallView<'_>,
        object: Option<constant::Object>,
    ) -> Vec<GlobalDef> {
        let args = self.types_of_arguments(ev, call);
        // Where all take the object alike, it does not matter what it is.
        let object = object.filter(|_| !constant::take_object_alike(ev.repo, &all));
        let object = object.map(|object| constant::of_object(self, ev, object));
        let mut given = Vec::with_capacity(args.len());
        for (n, (ty, arg)) in args.iter().zip(call.args).enumerate() {
            let depends = binding::depends_on_argument(ev, &all, n);
            given.push(Argument::new(
                self,
                ev,
                (call.file, *arg),
                ty.clone(),
                depends,
            ));
        }
        let site = Site {
            given: &given,
            receiver,
            call,
            object,
        };
        let mut ranked: Vec<(GlobalDef, Vec<(Fit, Ty)>)> = Vec::new();
        let mut ranks: FxHashMap<GlobalDef, Vec<Rank>> = FxHashMap::default();
        let mut is_open: Vec<GlobalDef> = Vec::new();
        for def in all {
            let (mut fits, bound) = self.fits_of(ev, def, &site);
            if self.is_excluded(ev, def, &site, &fits, &mut is_open) {
                match fits.first_mut() {
                    Some((fit, _)) => *fit = Fit::No,
                    None => fits.push((Fit::No, Ty::Unknown)),
                }
            }
            ranks.insert(def, bound);
            ranked.push((def, fits));
        }
        self.prefer_nearer(ev, &args, &mut ranked);
        let suits = |fits: &[(Fit, Ty)]| fits.iter().all(|(fit, _)| *fit != Fit::No);
        if ranked.iter().any(|(_, fits)| suits(fits)) {
            ranked.retain(|(_, fits)| suits(fits));
        }
        if !ev.spend(ranked.len() * ranked.len() / 4) {
            return ranked.into_iter().map(|(def, _)| def).collect();
        }
        let contest = Contest {
            repo: ev.repo,
            given: &given,
            ranks: &ranks,
            is_open: &is_open,
        };
        let best = ranked.iter().position(|(def, fits)| {
            ranked.iter().all(|(other, others)| {
                def == other || contest.is_better((*def, fits), (*other, others))
            })
        });
        match best {
            Some(at) => vec![ranked[at].0],
            None => {
                // Functions that differ only in being constant methods stay together.
                let beaten = |one: &(GlobalDef, Vec<(Fit, Ty)>)| {
                    ranked.iter().any(|(other, others)| {
                        *other != one.0 && contest.is_better((*other, others), (one.0, &one.1))
                    })
                };
                let left = ranked.iter().filter(|one| !beaten(one));
                left.map(|(def, _)| *def).collect()
            }
        }
    }

    /// How well the arguments of a call fit a function, and how well its parameters are bound to them. The object of the call is
    /// one more argument.
    fn fits_of(
        &self,
        ev: &mut Eval<'_>,
        def: GlobalDef,
        site: &Site<'_>,
    ) -> (Vec<(Fit, Ty)>, Vec<Rank>) {
        let mut fits = Vec::with_capacity(site.given.len());
        let mut bound = Vec::with_capacity(site.given.len() + 1);
        for (n, arg) in site.given.iter().enumerate() {
            if shapes::is_ellipsis(ev.repo, def, n) {
                fits.push((Fit::Ellipsis, Ty::Unknown));
                bound.push(Rank::Neutral);
                continue;
            }
            let param = self.param_type(ev, def, n);
            let param = ev.substitute(&param, site.receiver);
            let kind = binding::kind(ev, def, n);
            let mut fit = self.fit(ev, &arg.ty, &param);
            fit = binding::with_null(arg, fit, &param);
            let is_inferred = site.call.type_args.is_empty();
            if binding::cannot_bind(arg, kind, fit, &param)
                || is_inferred && binding::cannot_infer(def, arg, &param, fit)
            {
                fit = Fit::No;
            }
            bound.push(binding::rank(arg, kind, fit));
            fits.push((fit, param));
        }
        if let Some((place, constant)) = site.object {
            bound.push(binding::rank_of_object(ev.repo.def(def), place, constant));
        }
        (fits, bound)
    }

    /// Whether a template certainly does not count: its arguments contradict one another, or a condition does not hold. Where that
    /// is not known, it is added to those that are open.
    fn is_excluded(
        &self,
        ev: &mut Eval<'_>,
        def: GlobalDef,
        site: &Site<'_>,
        fits: &[(Fit, Ty)],
        is_open: &mut Vec<GlobalDef>,
    ) -> bool {
        let params: Vec<Ty> = fits.iter().map(|(_, param)| param.clone()).collect();
        let pairs: Vec<(&Argument, Ty)> = site.given.iter().zip(params.iter().cloned()).collect();
        if site.call.type_args.is_empty() && binding::contradict(ev, def, &pairs) {
            return true;
        }
        if !shapes::has_conditions(ev.repo, def) {
            return false;
        }
        let holds = self.conditions_hold(ev, def, site.call, site.given, &params);
        if holds.is_none() {
            is_open.push(def);
        }
        holds == Some(false)
    }

    /// If an argument fits several base classes, the nearest fits best. The others count as any conversion.
    fn prefer_nearer(
        &self,
        ev: &mut Eval<'_>,
        args: &[Ty],
        ranked: &mut [(GlobalDef, Vec<(Fit, Ty)>)],
    ) {
        for (n, given) in args.iter().enumerate() {
            let given = standard::pointee(given).unwrap_or_else(|| given.clone());
            if !matches!(given, Ty::Instance(..)) {
                continue;
            }
            let base = |(fit, param): &(Fit, Ty)| {
                let param = standard::pointee(param).unwrap_or_else(|| param.clone());
                match param {
                    Ty::Instance(..) if *fit == Fit::Near => Some(param),
                    _ => None,
                }
            };
            let bases: Vec<Option<Ty>> =
                ranked.iter().map(|(_, fits)| base(fits.get(n)?)).collect();
            let mut known: Vec<&Ty> = bases.iter().flatten().collect();
            known.dedup();
            if known.len() < 2 || !ev.spend(known.len() * known.len() / 4) {
                continue;
            }
            // A base of a base that fits is farther away.
            let far: Vec<bool> = bases
                .iter()
                .map(|one| match one {
                    Some(far @ Ty::Instance(class, _)) => known
                        .iter()
                        .any(|near| *near != far && ev.is_subtype_of(near, *class)),
                    _ => false,
                })
                .collect();
            for ((_, fits), _) in ranked.iter_mut().zip(far).filter(|(_, far)| *far) {
                if let Some((fit, _)) = fits.get_mut(n) {
                    *fit = Fit::Loose;
                }
            }
        }
    }

    /// The constructors that a class declares.
    pub(super) fn constructors(&self, ev: &mut Eval<'_>, class: GlobalDef) -> Vec<GlobalDef> {
        let repo = ev.repo;
        let name = repo.sym_of_name(class.file, repo.def(class).name);
        let named = repo.children_named(class, name);
        if !ev.spend_on_namesakes(named.len()) {
            return Vec::new();
        }
        named
            .filter(|d| repo.def(*d).kind == SymbolKind::Constructor)
            .collect()
    }

    /// The constructor that creates an object. `None` if the class declares none, or if several fit.
    pub(super) fn constructor_for(
        &self,
        ev: &mut Eval<'_>,
        class: GlobalDef,
        call: CallView<'_>,
    ) -> Vec<GlobalDef> {
        let all = self.constructors(ev, class);
        if all.is_empty() {
            let is_explicit = !matches!(ev.repo.facts(call.file).expr(call.expr), Expr::New { .. });
            return if is_explicit { vec![class] } else { Vec::new() };
        }
        if braces::is_braced(ev.repo.facts(call.file), call.expr) {
            let object = ev.type_of_expr(call.file, call.expr);
            let given = self.types_of_arguments(ev, call);
            match self.by_list(ev, &all, &object, &given) {
                Listed::No => {}
                Listed::Yes(suiting) => {
                    let each = self.once_each(ev, suiting);
                    return if each.len() == 1 { each } else { Vec::new() };
                }
                Listed::Open(suiting) => {
                    let is_other = |d: &GlobalDef| !suiting.contains(d);
                    let others = with_arity(ev, &all, call).into_iter().any(|d| is_other(&d));
                    let each = self.once_each(ev, suiting);
                    return if each.len() == 1 && !others {
                        each
                    } else {
                        Vec::new()
                    };
                }
            }
        }
        match self.select(ev, &all, None, call, None) {
            Selected::One(def) => vec![def],
            _ => Vec::new(),
        }
    }

    fn types_of_arguments(&self, ev: &mut Eval<'_>, call: CallView<'_>) -> Vec<Ty> {
        let given = call.args.iter().take(MOST_ARGUMENTS);
        given.map(|arg| ev.type_of_expr(call.file, *arg)).collect()
    }
}

/// The outcome of choosing among several functions.
#[derive(Debug, Clone)]
pub(super) enum Selected {
    One(GlobalDef),
    /// None takes this number of arguments.
    None,
    /// Functions that cannot be told apart.
    Several(Vec<GlobalDef>),
}

/// Keeps the functions that take the number of arguments of a call.
fn with_arity(ev: &Eval<'_>, defs: &[GlobalDef], call: CallView<'_>) -> Vec<GlobalDef> {
    let facts = ev.repo.facts(call.file);
    let is_spread = call
        .args
        .iter()
        .any(|arg| matches!(facts.expr(*arg), Expr::Spread(_)));
    let count = call.args.len();
    let fits = |d: &&GlobalDef| {
        let (least, most) = shapes::arity(ev.repo, **d);
        is_spread || (least <= count && count <= most)
    };
    defs.iter().filter(fits).copied().collect()
}

/// A call among whose functions one is chosen.
struct Site<'a> {
    given: &'a [Argument],
    receiver: Option<&'a Ty>,
    call: CallView<'a>,
    /// Whether its object has a place, and whether it is constant.
    object: Option<(Option<bool>, Option<bool>)>,
}

/// What functions are compared by.
struct Contest<'a> {
    repo: &'a linker::repo::Repo,
    given: &'a [Argument],
    ranks: &'a FxHashMap<GlobalDef, Vec<Rank>>,
    /// Templates with conditions of which nobody knows whether they hold.
    is_open: &'a [GlobalDef],
}

impl Contest<'_> {
    /// Whether one function suits better than another: no worse for any argument and better for one, or as well and no template. A
    /// template with open conditions is never known to.
    fn is_better(
        &self,
        (one, fits): (GlobalDef, &[(Fit, Ty)]),
        (other, others): (GlobalDef, &[(Fit, Ty)]),
    ) -> bool {
        if self.is_open.contains(&one) {
            return false;
        }
        let (Some(bound), Some(theirs_bound)) = (self.ranks.get(&one), self.ranks.get(&other))
        else {
            return false;
        };
        let mut is_better = false;
        for (n, ((fit, param), (against, theirs))) in fits.iter().zip(others).enumerate() {
            let is_list = self.given.get(n).is_some_and(|given| given.is_list);
            let takes_list = |ty: &Ty| standard::listed(ty).is_some();
            let is_open = matches!(fit, Fit::Maybe | Fit::Perhaps)
                || *against == Fit::Maybe
                || *against == Fit::Perhaps && *fit <= Fit::Converted;
            // A list of initial values comes before everything else that a list in braces may be.
            if is_list && takes_list(param) != takes_list(theirs) && !is_open {
                // Compilers differ on one value of a class, where a template takes lists of any type.
                let stands_alone = |fit: Fit, ty: &Ty| {
                    matches!(ty, Ty::Instance(..)) && matches!(fit, Fit::Exact | Fit::Near)
                };
                let is_alone = stands_alone(*fit, param) || stands_alone(*against, theirs);
                let is_inferred = [(one, param), (other, theirs)]
                    .iter()
                    .any(|(def, ty)| takes_list(ty) && binding::mentions(ty, *def, 0));
                if takes_list(theirs) || is_alone && is_inferred {
                    return false;
                }
                is_better = true;
                continue;
            }
            let is_same = param == theirs && !param.is_unknown();
            if !is_same && (is_open || fit < against) {
                return false;
            }
            if !is_same && fit > against {
                is_better = true;
                continue;
            }
            let (Some(a), Some(b)) = (bound.get(n), theirs_bound.get(n)) else {
                continue;
            };
            match (binding::is_better(*a, *b), binding::is_better(*b, *a)) {
                (Some(true), _) => is_better = true,
                (None, _) | (_, Some(true)) => return false,
                _ => {}
            }
        }
        let objects = bound.iter().zip(theirs_bound).skip(self.given.len());
        for (a, b) in objects {
            match (binding::is_better(*a, *b), binding::is_better(*b, *a)) {
                (Some(true), _) => is_better = true,
                (None, _) | (_, Some(true)) => return false,
                _ => {}
            }
        }
        let is_template = |d: GlobalDef| !self.repo.def(d).type_params.is_empty();
        match (is_template(one), is_template(other)) {
            _ if is_better => true,
            (false, true) => true,
            (true, true) => is_more_special(fits, others),
            _ => false,
        }
    }
}

/// Whether the parameters of one template are more special than those of another: one of them is, and none is less so.
fn is_more_special(fits: &[(Fit, Ty)], others: &[(Fit, Ty)]) -> bool {
    let mut wins = false;
    for ((_, a), (_, b)) in fits.iter().zip(others) {
        match specificity(a, b, 0) {
            Ordering::Greater => wins = true,
            Ordering::Less => return false,
            Ordering::Equal => {}
        }
    }
    wins
}

/// Whether one written type is more special than another: `Box<T>` and `T*` are more special than `T`.
fn specificity(a: &Ty, b: &Ty, nesting: u32) -> Ordering {
    let is_param = |ty: &Ty| matches!(ty, Ty::Param(_, n) if *n != SELF);
    match (is_param(a), is_param(b)) {
        _ if nesting > MOST_NESTING => return Ordering::Equal,
        (false, true) if !a.is_unknown() => return Ordering::Greater,
        (true, false) if !b.is_unknown() => return Ordering::Less,
        _ => {}
    }
    let (x, y) = match (a, b) {
        (Ty::Instance(a, x), Ty::Instance(b, y)) if a == b => (x, y),
        (Ty::ExternalInstance(a, x), Ty::ExternalInstance(b, y)) if a == b => (x, y),
        _ => return Ordering::Equal,
    };
    let each = x.iter().zip(y.iter());
    let each = each.map(|(a, b)| specificity(a, b, nesting + 1));
    let mut found = Ordering::Equal;
    for one in each.filter(|one| *one != Ordering::Equal) {
        if found != Ordering::Equal && found != one {
            return Ordering::Equal;
        }
        found = one;
    }
    found
}
