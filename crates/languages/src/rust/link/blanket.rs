//! Type parameters of traits that types have by a blanket impl: `impl<T, U: Styled<Item = T>> Stylize<T> for U`.

use super::{Rust, builtins};
use base::SymbolKind;
use base::facts::*;
use linker::eval::{Eval, MANY};
use linker::repo::GlobalDef;
use linker::ty::*;

impl Rust {
    /// The value of a type parameter of a trait, or of a blanket impl, for a receiver that has the trait by that impl.
    pub(super) fn param_of_blanket(
        &self,
        ev: &mut Eval<'_>,
        holder: GlobalDef,
        n: u32,
        receiver: &Ty,
    ) -> Option<Ty> {
        let blanket = &self.impls.blanket;
        if !ev.spend(blanket.len() / MANY) {
            return None;
        }
        if ev.repo.def(holder).kind == SymbolKind::Impl {
            let (_, param) = *blanket.iter().find(|(of_impl, _)| *of_impl == holder)?;
            return self.param_of_impl(ev, (holder, param), n, receiver);
        }
        let of_it =
            |(of_impl, _): &&(GlobalDef, u32)| self.impls.trait_of.get(of_impl) == Some(&holder);
        for (of_impl, param) in blanket.iter().filter(of_it).copied() {
            if !self.satisfies_bounds(ev, receiver, of_impl, param) {
                continue;
            }
            let (written, _) = *ev.repo.def(of_impl).supers.first()?;
            let of = ev.lower_type(of_impl.file, written);
            return match of.arg(n as usize) {
                Ty::Param(def, m) if def == of_impl => {
                    self.param_of_impl(ev, (of_impl, param), m, receiver)
                }
                Ty::Unknown => None,
                other => Some(other),
            };
        }
        None
    }

    /// The value of the n-th type parameter of a blanket impl, from the bounds of the parameter that is the
    /// implementing type.
    fn param_of_impl(
        &self,
        ev: &mut Eval<'_>,
        (of_impl, param): (GlobalDef, u32),
        n: u32,
        receiver: &Ty,
    ) -> Option<Ty> {
        if n == param {
            return Some(receiver.clone());
        }
        let facts = ev.repo.facts(of_impl.file);
        let bounds = &ev.repo.def(of_impl).type_params.get(param as usize)?.bounds;
        let wanted = Ty::Param(of_impl, n);
        for bound in bounds {
            let TypeExpr::Named { args, .. } = facts.ty(*bound) else {
                continue;
            };
            let Ty::Instance(of_trait, lowered) = ev.lower_type(of_impl.file, *bound) else {
                continue;
            };
            for arg in args {
                let TypeExpr::Binding(name, ty) = facts.ty(*arg) else {
                    continue;
                };
                if ev.lower_type(of_impl.file, *ty) == wanted {
                    let name = facts.name(*name);
                    return self.associated_type_of_trait(ev, receiver, of_trait, name);
                }
            }
            if let Some(place) = lowered.iter().position(|arg| *arg == wanted) {
                let above = ev.member_search_order(receiver);
                let found = above
                    .iter()
                    .find(|ty| matches!(ty, Ty::Instance(def, _) if *def == of_trait));
                return found.map(|ty| ty.arg(place)).filter(|ty| !ty.is_unknown());
            }
        }
        None
    }

    /// The associated type in the impl of a trait for a type.
    fn associated_type_of_trait(
        &self,
        ev: &mut Eval<'_>,
        of: &Ty,
        of_trait: GlobalDef,
        name: &str,
    ) -> Option<Ty> {
        let sym = ev.repo.find_sym(name)?;
        let impls = match of {
            Ty::Instance(def, _) | Ty::Class(def, _) => &self.impls.of.get(def)?.traits,
            Ty::ExternalInstance(external, _) | Ty::External(external) => {
                let key = builtins::external_type_key(external);
                self.impls.outside.get(&key)?
            }
            _ => return None,
        };
        if !ev.spend(impls.len() / MANY) {
            return None;
        }
        let of_it = |i: &&GlobalDef| self.impls.trait_of.get(i) == Some(&of_trait);
        let mut aliases = impls
            .iter()
            .filter(of_it)
            .flat_map(|i| ev.repo.children_named(*i, sym));
        let alias = aliases.next()?;
        let ty = ev.instance_of_entity(alias.file, &Entity::def(alias), Vec::new());
        let ty = ev.substitute(&ty, Some(of));
        (!ty.is_unknown()).then_some(ty)
    }
}
