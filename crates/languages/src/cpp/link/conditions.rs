//! Whether the conditions of a template hold: traits of the standard library for known types, and traits of the repository that
//! are made of these. What cannot be decided stays open.

use super::binding::{Argument, Kind};
use super::fit::Fit;
use super::specialised::Choice;
use super::{Family, binding, shapes, standard};
use crate::cpp::facts::constraints::CONDITION;
use base::SymbolKind;
use base::facts::*;
use linker::eval::Eval;
use linker::lang::CallView;
use linker::repo::{FileId, GlobalDef};
use linker::ty::*;

/// Most traits that lead to one another.
const MOST_DEPTH: u32 = 12;

/// What the parameters of a template are known to be.
type Env = Vec<((GlobalDef, u32), Ty)>;

impl Family {
    /// Whether all conditions of a function template hold for a call; none where that is not known.
    pub(super) fn conditions_hold(
        &self,
        ev: &mut Eval<'_>,
        function: GlobalDef,
        call: CallView<'_>,
        given: &[Argument],
        params: &[Ty],
    ) -> Option<bool> {
        let env = self.inferred(ev, function, call, given, params);
        let all = &ev.repo.def(function).type_params;
        let mut holds = Some(true);
        for bound in all.iter().flat_map(|param| &param.bounds) {
            match self.condition_holds(ev, function.file, *bound, (function, &env), 0) {
                Some(false) => return Some(false),
                Some(true) => {}
                None => holds = None,
            }
        }
        holds
    }

    /// The types of a template's parameters that are certain: those that are written, and those of arguments that are copied.
    fn inferred(
        &self,
        ev: &mut Eval<'_>,
        function: GlobalDef,
        call: CallView<'_>,
        given: &[Argument],
        params: &[Ty],
    ) -> Env {
        let explicit = ev.lower_types(call.file, call.type_args);
        let mut env: Env = explicit
            .into_iter()
            .zip(0..)
            .filter(|(ty, _)| is_certain(ty))
            .map(|(ty, n)| ((function, n), ty))
            .collect();
        for (n, (argument, param)) in given.iter().zip(params).enumerate() {
            // `T&&` makes a reference of the argument's type, and what a pointer leads to may be constant.
            let is_plain = matches!(
                binding::kind(ev, function, n),
                Kind::Value | Kind::Constant | Kind::Given
            );
            if !is_plain
                || argument.is_list
                || shapes::is_pack(ev.repo, function, n)
                || !is_certain(&argument.ty)
            {
                continue;
            }
            let mut found = Vec::new();
            if argument.may_be_array && binding::kind(ev, function, n) != Kind::Value {
                ev.unify(param, &array_or_pointer(), &mut found);
            } else {
                ev.unify(param, &argument.ty, &mut found);
            }
            for (key, ty) in found
                .into_iter()
                .filter(|(key, ty)| key.0 == function && is_certain(ty))
            {
                if !env.iter().any(|(known, _)| *known == key) {
                    env.push((key, ty));
                }
            }
        }
        env
    }

    /// Whether a written condition holds, in the terms of the template that writes it.
    fn condition_holds(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        condition: TypeId,
        of: (GlobalDef, &Env),
        depth: u32,
    ) -> Option<bool> {
        if depth > MOST_DEPTH || !ev.spend(1) {
            return None;
        }
        let depth = depth + 1;
        let facts = ev.repo.facts(file);
        match facts.ty(condition) {
            TypeExpr::Projection(inner, name) if facts.name(*name) == CONDITION => {
                self.condition_holds(ev, file, *inner, of, depth)
            }
            TypeExpr::Optional(inner) => Some(!self.condition_holds(ev, file, *inner, of, depth)?),
            TypeExpr::All(parts) => self.each_holds(ev, (file, parts), of, depth, false),
            TypeExpr::Union(parts) => self.each_holds(ev, (file, parts), of, depth, true),
            TypeExpr::Named {
                path,
                args,
                scope,
                at,
            } => {
                let name = facts.name(*path.last()?);
                match name {
                    "value 1" | "true_type" => return Some(true),
                    "value 0" | "false_type" => return Some(false),
                    "conjunction" | "conjunction_v" => {
                        return self.each_holds(ev, (file, args), of, depth, false);
                    }
                    "disjunction" | "disjunction_v" => {
                        return self.each_holds(ev, (file, args), of, depth, true);
                    }
                    "negation" | "negation_v" => {
                        return Some(!self.condition_holds(ev, file, *args.first()?, of, depth)?);
                    }
                    "bool_constant" => {
                        return self.condition_holds(ev, file, *args.first()?, of, depth);
                    }
                    _ => {}
                }
                let types: Vec<Option<Ty>> = args
                    .iter()
                    .map(|arg| self.argument_type(ev, file, *arg, of, depth))
                    .collect();
                let entity = ev.resolve_type_path(file, path, *scope, *at);
                match &entity {
                    Entity::Defs(defs) => self.own_trait_holds(ev, *defs.first()?, &types, depth),
                    _ => self.standard_trait_holds(ev, name, &types),
                }
            }
            _ => None,
        }
    }

    /// Whether all conditions hold, or any of them; none where that is not known.
    fn each_holds(
        &self,
        ev: &mut Eval<'_>,
        (file, parts): (FileId, &[TypeId]),
        of: (GlobalDef, &Env),
        depth: u32,
        is_any: bool,
    ) -> Option<bool> {
        let mut whole = Some(!is_any);
        for part in parts {
            match self.condition_holds(ev, file, *part, of, depth) {
                Some(holds) if holds == is_any => return Some(is_any),
                Some(_) => {}
                None => whole = None,
            }
        }
        whole
    }

    /// The type of an argument of a trait; none where it is not certain.
    fn argument_type(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        argument: TypeId,
        of: (GlobalDef, &Env),
        depth: u32,
    ) -> Option<Ty> {
        if depth > MOST_DEPTH {
            return None;
        }
        let facts = ev.repo.facts(file);
        let ty = match facts.ty(argument) {
            TypeExpr::Named { path, args, .. } => {
                let name = *path.last()?;
                let own = &ev.repo.def(of.0).type_params;
                let is_own = path.len() == 1 && args.is_empty() && file == of.0.file;
                if let Some(n) = own.iter().position(|p| p.name == name).filter(|_| is_own) {
                    let key = (of.0, n as u32);
                    let known = of.1.iter().find(|(param, _)| *param == key);
                    return known.map(|(_, ty)| ty.clone());
                }
                let is_same_type = matches!(
                    facts.name(name),
                    "remove_cvref_t"
                        | "remove_reference_t"
                        | "remove_const_t"
                        | "remove_cv_t"
                        | "decay_t"
                );
                if is_same_type {
                    return self.argument_type(ev, file, *args.first()?, of, depth + 1);
                }
                if !args.is_empty() {
                    return None;
                }
                ev.lower_type(file, argument)
            }
            TypeExpr::Array(inner) => {
                standard::pointer(self.argument_type(ev, file, *inner, of, depth + 1)?)
            }
            _ => return None,
        };
        is_certain(&ty).then_some(ty)
    }

    /// Whether a trait of the repository holds: an alias of a condition, or a class that inherits from one.
    fn own_trait_holds(
        &self,
        ev: &mut Eval<'_>,
        template: GlobalDef,
        types: &[Option<Ty>],
        depth: u32,
    ) -> Option<bool> {
        let def = ev.repo.def(template);
        if def.kind == SymbolKind::TypeAlias {
            let env = env_of(template, types);
            return self.condition_holds(ev, template.file, def.ty?, (template, &env), depth);
        }
        if !matches!(def.kind, SymbolKind::Class | SymbolKind::Struct) {
            return None;
        }
        let given: Vec<Ty> = types
            .iter()
            .map(|ty| ty.clone().unwrap_or_default())
            .collect();
        if given.len() != def.type_params.len() || shapes::has_conditions(ev.repo, template) {
            return None;
        }
        let (class, env) = match self.choice_of(ev, &Ty::Instance(template, given.into())) {
            Choice::Primary => (template, env_of(template, types)),
            Choice::Special(Ty::Instance(special, args)) => {
                let known: Vec<Option<Ty>> = args
                    .iter()
                    .map(|ty| is_certain(ty).then(|| ty.clone()))
                    .collect();
                (special, env_of(special, &known))
            }
            _ => return None,
        };
        match &ev.repo.def(class).supers[..] {
            [(base, _)] => self.condition_holds(ev, class.file, *base, (class, &env), depth),
            _ => None,
        }
    }

    /// Whether a trait or concept of the standard library holds.
    fn standard_trait_holds(
        &self,
        ev: &mut Eval<'_>,
        name: &str,
        types: &[Option<Ty>],
    ) -> Option<bool> {
        let name = name.strip_suffix("_v").unwrap_or(name);
        let first = types.first()?.as_ref()?;
        let second = || types.get(1)?.as_ref();
        match name {
            "is_same" | "same_as" => {
                let second = second()?;
                let is_open = [first, second].contains(&&array_or_pointer());
                (!is_open || standard::number(second).is_some()).then_some(first == second)
            }
            "is_base_of" => self.is_base(ev, first, second()?),
            "derived_from" => self.is_base(ev, second()?, first),
            "is_convertible" | "convertible_to" => match self.fit(ev, first, second()?) {
                Fit::No => Some(false),
                Fit::Exact | Fit::Near | Fit::Loose | Fit::Converted => Some(true),
                _ => None,
            },
            "is_pointer" if *first == array_or_pointer() => None,
            "is_void" => Some(standard::is_void(first)),
            "is_pointer" => Some(standard::pointee(first).is_some()),
            "is_enum" => Some(is_of_kind(ev, first, true)),
            "is_class" if matches!(first, Ty::Instance(..)) => Some(is_of_kind(ev, first, false)),
            _ => {
                let number = standard::number(first);
                let is_floating = matches!(number, Some("float" | "double" | "double long"));
                Some(match name {
                    "is_integral" | "integral" => number.is_some() && !is_floating,
                    "is_floating_point" | "floating_point" => is_floating,
                    "is_arithmetic" => number.is_some(),
                    "is_unsigned" | "unsigned_integral" => {
                        number.is_some_and(|n| n == "bool" || n.contains("unsigned"))
                    }
                    "is_signed" if matches!(number, Some("char" | "wchar_t")) => return None,
                    "is_signed" => number.is_some_and(|n| n != "bool" && !n.contains("unsigned")),
                    _ => return None,
                })
            }
        }
    }

    fn is_base(&self, ev: &mut Eval<'_>, base: &Ty, derived: &Ty) -> Option<bool> {
        match (base, derived) {
            (Ty::Instance(base, _), Ty::Instance(own, _)) => {
                if base == own || ev.is_subtype_of(derived, *base) {
                    return Some(true);
                }
                (!self.has_unknown_base(ev, derived)).then_some(false)
            }
            (Ty::Instance(..), _) if standard::number(derived).is_some() => Some(false),
            (Ty::Instance(..), _) if standard::pointee(derived).is_some() => Some(false),
            (Ty::Instance(..), _) if *derived == array_or_pointer() => Some(false),
            (_, Ty::Instance(..)) if standard::number(base).is_some() => Some(false),
            _ => None,
        }
    }
}

fn env_of(template: GlobalDef, types: &[Option<Ty>]) -> Env {
    let known = types.iter().zip(0..);
    known
        .filter_map(|(ty, n)| Some(((template, n), ty.clone()?)))
        .collect()
}

/// Whether a type is an enum, or another type of the repository.
fn is_of_kind(ev: &Eval<'_>, ty: &Ty, is_enum: bool) -> bool {
    match ty {
        Ty::Instance(def, _) => (ev.repo.def(*def).kind == SymbolKind::Enum) == is_enum,
        _ => false,
    }
}

/// The type of a reference to an array or a pointer: which of them, is not known.
fn array_or_pointer() -> Ty {
    Ty::external("", "array", Vec::new())
}

/// Whether nothing is open about a type.
fn is_certain(ty: &Ty) -> bool {
    match ty {
        Ty::Instance(_, args) => args.iter().all(is_certain),
        Ty::ExternalInstance(..) => {
            standard::number(ty).is_some()
                || standard::is_void(ty)
                || standard::pointee(ty).is_some_and(|of| is_certain(&of))
                || standard::is_known_class(ty)
        }
        _ => false,
    }
}
