//! Types that pass through calls: of Ruby's own methods, and of blocks.

use super::Ruby;
use super::platform::{self, RUBY, Template};
use base::facts::*;
use linker::eval::Eval;
use linker::lang::{CallView, Called};
use linker::repo::GlobalDef;
use linker::ty::*;

impl Ruby {
    /// The result of a method of Ruby.
    pub(super) fn platform_result(
        &self,
        ev: &mut Eval<'_>,
        callee: &External,
        receiver: Option<&Ty>,
        call: CallView<'_>,
    ) -> Ty {
        let name = callee.symbol.rsplit('.').next().unwrap_or_default();
        let Some(receiver) = receiver else {
            return Ty::Unknown;
        };
        match (name, receiver) {
            ("class" | "singleton_class", Ty::Instance(..) | Ty::Param(..)) => {
                return Ty::class_of(receiver);
            }
            ("new" | "allocate", Ty::External(class)) => {
                return Ty::ExternalInstance(class.clone(), no_args());
            }
            ("new" | "allocate", Ty::Class(class, _)) => return Ty::instance(*class),
            ("Array", _) => {
                let given = self.argument(ev, call, 0);
                let element = platform::element(&given);
                return platform::array(element.or_else(|| given));
            }
            _ => {}
        }
        if matches!(receiver, Ty::External(_)) {
            return self.constructed_value(ev, callee, call);
        }
        let class = platform::class_name(receiver).unwrap_or("Object");
        let known = platform::member(class, name);
        if let (Ty::Instance(..), None) = (receiver, known) {
            return self.enumerated(ev, receiver, name, call);
        }
        match known {
            Some(member) => self.filled(ev, &member.result, receiver, call),
            None => Ty::Unknown,
        }
    }

    /// `Set[1, 2]`, `Array.new(3) { … }`, `Set.new(list)`.
    fn constructed_value(&self, ev: &mut Eval<'_>, callee: &External, call: CallView<'_>) -> Ty {
        if &*callee.package != RUBY {
            return Ty::Unknown;
        }
        match &*callee.symbol {
            "Set.[]" | "Array.[]" => {
                let given = self.argument(ev, call, 0);
                let class = callee.symbol.split('.').next().unwrap_or_default();
                Ty::external(RUBY, class, vec![given])
            }
            _ => Ty::Unknown,
        }
    }

    /// A method of `Enumerable` on a class of the repository, whose `each` says what its elements are.
    fn enumerated(&self, ev: &mut Eval<'_>, receiver: &Ty, name: &str, call: CallView<'_>) -> Ty {
        let Some(member) = platform::member("Enumerable", name) else {
            return Ty::Unknown;
        };
        let element = self.element_of(ev, receiver);
        let as_list = Ty::external(RUBY, "Enumerable", vec![element]);
        match &member.result {
            Template::This => receiver.clone(),
            result => self.filled(ev, result, &as_list, call),
        }
    }

    /// What an iteration over a value gives.
    pub(super) fn element_of(&self, ev: &mut Eval<'_>, of: &Ty) -> Ty {
        match of {
            Ty::Instance(..) | Ty::Param(..) => {
                let Called::Found(Entity::Defs(defs), _) = self.method_of_type(ev, of, "each")
                else {
                    return Ty::Unknown;
                };
                let given = self.yielded(ev, &defs, of);
                given.into_iter().next().unwrap_or_default()
            }
            Ty::Union(parts) => {
                let parts: Vec<Ty> = parts.iter().map(|part| self.element_of(ev, part)).collect();
                Ty::union(parts)
            }
            other => platform::element(other),
        }
    }

    /// A template with its parts.
    fn filled(
        &self,
        ev: &mut Eval<'_>,
        template: &Template,
        receiver: &Ty,
        call: CallView<'_>,
    ) -> Ty {
        match template {
            Template::Arg(n) => match receiver {
                Ty::Tuple(parts) => Ty::union(parts.iter().cloned()),
                other => other.arg(*n),
            },
            Template::Element => platform::element(receiver),
            Template::Of(n) => self.argument(ev, call, *n),
            Template::Result => self.block_result(ev, call),
            Template::Flat => {
                let result = self.block_result(ev, call);
                let element = self.element_of(ev, &result);
                element.or_else(|| result)
            }
            Template::This => receiver.clone(),
            Template::Named(external, args) => {
                let args = args.iter().map(|arg| self.filled(ev, arg, receiver, call));
                let args: Vec<Ty> = args.collect();
                Ty::ExternalInstance(external.clone(), args.into())
            }
            Template::Tuple(parts) => {
                let parts = parts
                    .iter()
                    .map(|part| self.filled(ev, part, receiver, call));
                let parts: Vec<Ty> = parts.collect();
                Ty::Tuple(parts.into())
            }
            Template::Unknown => Ty::Unknown,
        }
    }

    fn argument(&self, ev: &mut Eval<'_>, call: CallView<'_>, n: usize) -> Ty {
        match call.args.get(n) {
            Some(arg) => ev.type_of_expr(call.file, *arg),
            None => Ty::Unknown,
        }
    }

    /// The result of the block of a call.
    fn block_result(&self, ev: &mut Eval<'_>, call: CallView<'_>) -> Ty {
        let facts = ev.repo.facts(call.file);
        match call.args.last().map(|last| facts.expr(*last)) {
            Some(Expr::Function(def)) => ev.result_type(GlobalDef {
                file: call.file,
                def: *def,
            }),
            _ => Ty::Unknown,
        }
    }

    /// The types that a call gives to its block.
    pub(super) fn given_to_block(&self, ev: &mut Eval<'_>, call: CallView<'_>) -> Vec<Ty> {
        match ev.resolve_callee_by_lang(call.file, call.expr) {
            Some(Called::Found(Entity::Defs(defs), receiver)) => {
                let receiver = receiver.unwrap_or_default();
                self.yielded(ev, &defs, &receiver)
            }
            Some(Called::Found(Entity::External(external), Some(receiver))) => {
                let name = external.symbol.rsplit('.').next().unwrap_or_default();
                let parts = receiver.alternatives().iter();
                let all: Vec<Vec<Ty>> = parts
                    .map(|part| self.given_by_platform(ev, part, name, call))
                    .collect();
                merged(all)
            }
            _ => Vec::new(),
        }
    }

    fn given_by_platform(
        &self,
        ev: &mut Eval<'_>,
        receiver: &Ty,
        name: &str,
        call: CallView<'_>,
    ) -> Vec<Ty> {
        let class = platform::class_name(receiver).unwrap_or("Object");
        let known = platform::member(class, name);
        if let Some(member) = known {
            let block = member.block.iter();
            return block
                .map(|part| self.filled(ev, part, receiver, call))
                .collect();
        }
        if matches!(receiver, Ty::Instance(..) | Ty::Param(..))
            && let Some(member) = platform::member("Enumerable", name)
        {
            let element = self.element_of(ev, receiver);
            let as_list = Ty::external(RUBY, "Enumerable", vec![element]);
            let block = member.block.iter();
            return block
                .map(|part| self.filled(ev, part, &as_list, call))
                .collect();
        }
        if let ("new", Ty::External(class)) = (name, receiver) {
            return vec![Ty::ExternalInstance(class.clone(), no_args())];
        }
        Vec::new()
    }

    /// The types that methods give to their blocks.
    fn yielded(&self, ev: &mut Eval<'_>, defs: &[GlobalDef], receiver: &Ty) -> Vec<Ty> {
        let repo = ev.repo;
        let mut all = Vec::new();
        for def in defs.iter().take(4) {
            let Some(callable) = repo.def(*def).callable.as_deref() else {
                continue;
            };
            for given in &callable.yields {
                let Ty::Tuple(parts) = ev.type_of_expr(def.file, *given) else {
                    continue;
                };
                let parts = parts.iter();
                let parts: Vec<Ty> = parts.map(|ty| ev.substitute(ty, Some(receiver))).collect();
                all.push(parts);
            }
        }
        merged(all)
    }

    /// The types of the parameters of a block.
    pub(super) fn block_shape(&self, ev: &mut Eval<'_>, function: GlobalDef) -> Ty {
        let repo = ev.repo;
        let def = repo.def(function);
        let Some(call) = def.value.filter(|_| def.flags.has(DefFlags::ANONYMOUS)) else {
            return Ty::Unknown;
        };
        if !matches!(repo.facts(function.file).expr(call), Expr::Call { .. }) {
            return Ty::Unknown;
        }
        let view = ev.call_view(function.file, call);
        let mut given = self.given_to_block(ev, view);
        let count = def.callable.as_ref().map_or(0, |c| c.params.len());
        // One value with several parts fills several parameters.
        if let ([Ty::Tuple(parts)], true) = (&given[..], count > 1) {
            given = parts.to_vec();
        }
        // Several values are one array for a single parameter only where it asks for them in brackets.
        Ty::Callable(given.into(), Default::default())
    }
}

/// The types at each position of several lists.
fn merged(all: Vec<Vec<Ty>>) -> Vec<Ty> {
    let longest = all.iter().map(Vec::len).max().unwrap_or(0);
    let at = |n: usize| {
        let parts = all.iter().filter_map(|one| one.get(n).cloned());
        Ty::union(parts.collect::<Vec<Ty>>())
    };
    (0..longest).map(at).collect()
}
