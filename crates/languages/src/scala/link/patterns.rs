//! The parts that patterns take out of values.

use super::{Scala, is_object, stdlib};
use base::SymbolKind;
use base::facts::*;
use linker::eval::Eval;
use linker::repo::GlobalDef;
use linker::ty::*;

impl Scala {
    /// The type of a part of a value that a class or extractor takes apart.
    pub(super) fn part_of_pattern(
        &self,
        ev: &mut Eval<'_>,
        value: &Ty,
        variant: &Entity,
        index: u32,
    ) -> Ty {
        let value = &ev.resolve_type_param(value);
        match variant {
            Entity::External(external) => stdlib::part(external, value, index),
            Entity::Value(Ty::External(external)) => stdlib::part(external, value, index),
            Entity::Defs(defs) => match defs.first() {
                Some(first) => self.part_by(ev, value, *first, index),
                None => Ty::Unknown,
            },
            _ => Ty::Unknown,
        }
    }

    fn part_by(&self, ev: &mut Eval<'_>, value: &Ty, by: GlobalDef, index: u32) -> Ty {
        let repo = ev.repo;
        let def = repo.def(by);
        if !is_object(def) && (def.kind.is_type() || def.kind == SymbolKind::EnumMember) {
            return self.part_of_class(ev, value, by, index);
        }
        if !is_object(def) {
            // A value that has `unapply`.
            let of = ev.type_of_def(by);
            return self.part_of_extractor(ev, value, &of, index);
        }
        let object = Ty::instance(by);
        let found = self.part_of_extractor(ev, value, &object, index);
        if !found.is_unknown() {
            return found;
        }
        match self.companion(ev, by) {
            Some(class) => self.part_of_class(ev, value, class, index),
            None => Ty::Unknown,
        }
    }

    /// A parameter of the constructor of a class, whose type arguments the value determines.
    fn part_of_class(&self, ev: &mut Eval<'_>, value: &Ty, class: GlobalDef, index: u32) -> Ty {
        let own = ev.identity_instance(class);
        let mut env = Vec::new();
        if let Ty::Instance(of, _) = value {
            let above = ev.member_search_order(&own);
            let seen = above
                .into_iter()
                .find(|t| matches!(t, Ty::Instance(def, _) if def == of));
            if let Some(seen) = seen {
                ev.unify(&seen, value, &mut env);
            }
        }
        if index == WHOLE_VARIANT {
            return match ev.repo.def(class).kind {
                SymbolKind::EnumMember => value.clone(),
                _ => ev.substitute_env(&own, &env),
            };
        }
        let callable = ev.repo.def(class).callable.as_deref();
        let param = callable.and_then(|c| {
            c.params
                .get(index as usize)
                .or(c.params.last().filter(|p| p.kind == ParamKind::Variadic))
        });
        let Some(ty) = param.and_then(|p| p.ty) else {
            return Ty::Unknown;
        };
        let ty = ev.lower_type(class.file, ty);
        ev.substitute_env(&ty, &env)
    }

    /// What `unapply` gives: the value in an option, or one of several.
    fn part_of_extractor(&self, ev: &mut Eval<'_>, value: &Ty, object: &Ty, index: u32) -> Ty {
        for name in ["unapply", "unapplySeq"] {
            let (found, receiver) = self.member_of_type(ev, object, name, Namespace::VALUE);
            let Entity::Defs(defs) = found else {
                continue;
            };
            let [method] = defs[..] else {
                return Ty::Unknown;
            };
            if index == WHOLE_VARIANT || !ev.repo.def(method).kind.is_callable() {
                return Ty::Unknown;
            }
            let callable = ev.repo.def(method).callable.as_deref();
            let param = callable.and_then(|c| c.params.first()).and_then(|p| p.ty);
            let mut env = Vec::new();
            if let Some(ty) = param {
                let pattern = ev.lower_type(method.file, ty);
                ev.unify(&pattern, value, &mut env);
            }
            let result = ev.result_type(method);
            let result = ev.substitute_env(&result, &env);
            let result = ev.substitute(&result, receiver.as_ref());
            let inner = stdlib::element(&result);
            if name == "unapplySeq" {
                return match inner {
                    Ty::Tuple(_) => Ty::Unknown,
                    of => stdlib::element(&of),
                };
            }
            return match inner {
                Ty::Tuple(parts) => parts.get(index as usize).cloned().unwrap_or_default(),
                one if index == 0 => one,
                _ => Ty::Unknown,
            };
        }
        Ty::Unknown
    }
}
