//! What calls of the standard library give, and what they pass to closures.

use super::Swift;
use super::overloads::{is_operator, value_of};
use super::platform::{self, Member, Template, named, optional, standard, unwrapped};
use base::SymbolKind;
use base::facts::*;
use linker::eval::Eval;
use linker::lang::CallView;
use linker::repo::{FileId, GlobalDef};
use linker::ty::*;

impl Swift {
    /// The member of the standard library that a call means, and the type that has it.
    fn called_member(
        &self,
        callee: &External,
        receiver: Option<&Ty>,
    ) -> Option<(&'static Member, Ty)> {
        let name = callee.symbol.rsplit('.').next()?;
        if !callee.symbol.contains('.') {
            let function = standard().function(&callee.symbol)?;
            return Some((function, Ty::Unknown));
        }
        let receiver = match receiver? {
            Ty::External(external) => Ty::ExternalInstance(external.clone(), no_args()),
            other => other.clone(),
        };
        standard().member(&receiver, &format!("{name}()"))
    }

    /// The type that a call of something outside the repository gives.
    pub(super) fn platform_result(
        &self,
        ev: &mut Eval<'_>,
        callee: &External,
        receiver: Option<&Ty>,
        view: CallView<'_>,
    ) -> Ty {
        if is_operator(&callee.symbol) {
            return self.operator_result(ev, &callee.symbol, view);
        }
        match (&*callee.symbol, receiver) {
            ("RawRepresentable.init", Some(Ty::Class(def, args) | Ty::Instance(def, args))) => {
                return optional(Ty::Instance(*def, args.clone()));
            }
            ("type", None) => {
                let Some(arg) = view.args.first() else {
                    return Ty::Unknown;
                };
                let value = value_of(ev.repo, view.file, *arg);
                let of = ev.type_of_expr(view.file, value);
                return self.meta(ev, &of);
            }
            _ => {}
        }
        if let Some((member, holder)) = self.called_member(callee, receiver) {
            let object = receiver.cloned().unwrap_or_default();
            return self.instantiate(ev, &member.ty, &holder, &object, Some(view));
        }
        if let Some(of) = callee.symbol.strip_suffix(".init") {
            return match receiver {
                Some(Ty::ExternalInstance(external, args)) if &*external.symbol == of => {
                    self.made(ev, external, args, view)
                }
                _ => Ty::ExternalInstance(External::new(&callee.package, of), no_args()),
            };
        }
        Ty::Unknown
    }

    /// An instance that an initialiser makes. A collection of a sequence has its elements.
    fn made(&self, ev: &mut Eval<'_>, external: &External, args: &Args, view: CallView<'_>) -> Ty {
        let is_collection = matches!(
            &*external.symbol,
            "Array" | "Set" | "ContiguousArray" | "ArraySlice" | "AnySequence" | "AnyCollection"
        );
        if args.is_empty()
            && is_collection
            && let Some(first) = view.args.first()
        {
            let value = value_of(ev.repo, view.file, *first);
            let of = ev.type_of_expr(view.file, value);
            let is_repeating = matches!(ev.repo.facts(view.file).expr(*first), Expr::Keyword(..));
            let element = if is_repeating {
                of
            } else {
                self.element_of(ev, &of)
            };
            return Ty::ExternalInstance(external.clone(), [element].into());
        }
        Ty::ExternalInstance(external.clone(), args.clone())
    }

    /// The type of a closure's parameter in a call of something outside the repository.
    pub(super) fn platform_callback(
        &self,
        ev: &mut Eval<'_>,
        callee: &External,
        receiver: Option<&Ty>,
        view: CallView<'_>,
        (arg, param): (u32, u32),
    ) -> Ty {
        let Some((member, holder)) = self.called_member(callee, receiver) else {
            return Ty::Unknown;
        };
        let object = receiver.cloned().unwrap_or_default();
        // `sorted(by:)` and the like: the closure's parameters are those of the data.
        let closure = view
            .args
            .get(arg as usize)
            .map(|arg| value_of(ev.repo, view.file, *arg));
        let count = closure.map_or(0, |closure| self.param_count(ev, view.file, closure));
        if let [one] = &member.closure[..]
            && count > 1
        {
            // The parts of a tuple are parameters of their own.
            let whole = self.instantiate_for_closure(ev, one, &holder, &object, view);
            return match whole {
                Ty::Tuple(parts) | Ty::ExternalInstance(_, parts) => {
                    parts.get(param as usize).cloned().unwrap_or_default()
                }
                _ => Ty::Unknown,
            };
        }
        match member.closure.get(param as usize) {
            Some(template) => self.instantiate_for_closure(ev, template, &holder, &object, view),
            None => Ty::Unknown,
        }
    }

    fn param_count(&self, ev: &Eval<'_>, file: FileId, closure: ExprId) -> usize {
        let facts = ev.repo.facts(file);
        match facts.expr(closure) {
            Expr::Function(def) => {
                let callable = facts.def(*def).callable.as_deref();
                callable.map_or(0, |c| c.params.len())
            }
            _ => 0,
        }
    }

    /// The function type that a call of something outside the repository expects of an argument.
    pub(super) fn platform_param(
        &self,
        ev: &mut Eval<'_>,
        callee: &External,
        receiver: Option<&Ty>,
    ) -> Ty {
        if is_operator(&callee.symbol) {
            return Ty::Unknown;
        }
        let name = callee.symbol.rsplit('.').next().unwrap_or("");
        let receiver = receiver.cloned().unwrap_or_default();
        match name {
            "append" | "insert" | "contains" | "firstIndex" | "lastIndex" | "remove" | "update" => {
                self.element_of(ev, &receiver)
            }
            "updateValue" => receiver.arg(1),
            _ => Ty::Unknown,
        }
    }

    /// A template, where the type of a closure's result is not needed.
    fn instantiate_for_closure(
        &self,
        ev: &mut Eval<'_>,
        template: &Template,
        holder: &Ty,
        object: &Ty,
        view: CallView<'_>,
    ) -> Ty {
        match template {
            Template::Result => Ty::Unknown,
            _ => self.instantiate(ev, template, holder, object, Some(view)),
        }
    }

    /// A type of the data, for an object and a call.
    pub(super) fn instantiate(
        &self,
        ev: &mut Eval<'_>,
        template: &Template,
        holder: &Ty,
        object: &Ty,
        view: Option<CallView<'_>>,
    ) -> Ty {
        let inner = |ev: &mut Eval<'_>, t: &Template| self.instantiate(ev, t, holder, object, view);
        match template {
            Template::Param(n) => holder.arg(*n),
            Template::This => match object {
                Ty::External(external) => Ty::ExternalInstance(external.clone(), no_args()),
                Ty::Class(def, args) => Ty::Instance(*def, args.clone()),
                other => other.clone(),
            },
            Template::Result => match view {
                Some(view) => self.result_of_closure(ev, view),
                None => Ty::Unknown,
            },
            Template::Argument => match view.and_then(|v| Some((v.file, *v.args.first()?))) {
                Some((file, arg)) => {
                    let value = value_of(ev.repo, file, arg);
                    ev.type_of_expr(file, value)
                }
                None => Ty::Unknown,
            },
            Template::Unwrap(of) => {
                let of = inner(ev, of);
                unwrapped(&of)
            }
            Template::Element(of) => {
                let of = inner(ev, of);
                self.element_of(ev, &of)
            }
            Template::Named(name, args) => {
                let args: Vec<Ty> = args.iter().map(|t| inner(ev, t)).collect();
                match (*name, &args[..]) {
                    ("Optional", [one]) => optional(one.clone()),
                    _ => named(name, args),
                }
            }
            Template::Tuple(parts) => {
                let types: Vec<Ty> = parts.iter().map(|(_, t)| inner(ev, t)).collect();
                let labels: Vec<&str> = parts.iter().map(|(label, _)| *label).collect();
                platform::tuple(&labels, types)
            }
        }
    }

    /// The result of the function that is passed to a call.
    fn result_of_closure(&self, ev: &mut Eval<'_>, view: CallView<'_>) -> Ty {
        for arg in view.args {
            let value = value_of(ev.repo, view.file, *arg);
            if let Expr::Function(def) = ev.repo.facts(view.file).expr(value) {
                return ev.result_type(GlobalDef {
                    file: view.file,
                    def: *def,
                });
            }
        }
        let Some(last) = view.args.last() else {
            return Ty::Unknown;
        };
        let value = value_of(ev.repo, view.file, *last);
        match ev.type_of_expr(view.file, value) {
            Ty::Function(defs, owner) => match defs[..] {
                [one] => {
                    let raw = self.result_of(ev, one);
                    ev.substitute(&raw, owner.as_deref())
                }
                _ => match owner.as_deref() {
                    // Several initialisers make instances of one type.
                    Some(Ty::Class(def, args)) => Ty::Instance(*def, args.clone()),
                    _ => Ty::Unknown,
                },
            },
            Ty::Callable(_, result) => (*result).clone(),
            Ty::Class(def, args) => Ty::Instance(def, args),
            _ => Ty::Unknown,
        }
    }

    /// The result type of a function, or what an initialiser makes.
    pub(super) fn result_of(&self, ev: &mut Eval<'_>, function: GlobalDef) -> Ty {
        ev.result_type(function)
    }

    /// What an initialiser makes: an instance of its type, or an optional one.
    pub(super) fn made_by(&self, ev: &mut Eval<'_>, function: GlobalDef) -> Ty {
        let repo = ev.repo;
        let def = repo.def(function);
        let (SymbolKind::Constructor, Some(parent)) = (def.kind, def.parent) else {
            return Ty::Unknown;
        };
        let owner = GlobalDef {
            file: function.file,
            def: parent,
        };
        let whole = self.tables.whole(owner);
        let instance = if repo.def(whole).kind == SymbolKind::Impl {
            self.self_of(ev, owner)
        } else if repo.def(whole).type_params.is_empty()
            || repo.def(whole).kind == SymbolKind::Interface
        {
            Ty::Param(whole, SELF)
        } else {
            ev.identity_instance(whole)
        };
        if def.signature_text.contains("init?") {
            return optional(instance);
        }
        instance
    }

    /// The element type of an iteration over a value.
    pub(super) fn element_of(&self, ev: &mut Eval<'_>, of: &Ty) -> Ty {
        let opened = ev.resolve_type_param(of);
        match &opened {
            Ty::ExternalInstance(..) => {
                let supers = standard().with_supers(&opened);
                let sequence = supers
                    .iter()
                    .find(|ty| matches!(platform::symbol(ty), Some("Sequence" | "AsyncSequence")));
                sequence.map(|ty| ty.arg(0)).unwrap_or_default()
            }
            Ty::Instance(def, _) => self.element_of_own(ev, self.tables.whole(*def), &opened),
            Ty::Union(parts) => {
                let parts: Vec<Ty> = parts.iter().map(|p| self.element_of(ev, p)).collect();
                Ty::union(parts)
            }
            _ => Ty::Unknown,
        }
    }

    /// The element type of a sequence of the repository.
    fn element_of_own(&self, ev: &mut Eval<'_>, class: GlobalDef, of: &Ty) -> Ty {
        let written = self.associated(ev, class, "Element");
        if !written.is_unknown() {
            return ev.substitute(&written, Some(of));
        }
        for maker in ["makeIterator", "makeAsyncIterator", "next"] {
            let Some(found) = self.find_members(ev, of, maker) else {
                continue;
            };
            let Some(method) = found.first().copied() else {
                continue;
            };
            let raw = ev.result_type(method);
            let result = ev.substitute(&raw, Some(of));
            if maker == "next" {
                return unwrapped(&result);
            }
            if let Ty::Instance(..) = &result
                && result != *of
            {
                let Some(next) = self.find_members(ev, &result, "next") else {
                    return Ty::Unknown;
                };
                let Some(next) = next.first().copied() else {
                    return Ty::Unknown;
                };
                let raw = ev.result_type(next);
                let element = ev.substitute(&raw, Some(&result));
                return unwrapped(&element);
            }
            if let Ty::ExternalInstance(..) = &result {
                return result.arg(0);
            }
        }
        let order = ev.member_search_order(of);
        let mut outside = order
            .iter()
            .filter(|ty| matches!(ty, Ty::ExternalInstance(..)))
            .flat_map(|ty| standard().with_supers(ty));
        let sequence =
            outside.find(|ty| matches!(platform::symbol(ty), Some("Sequence" | "AsyncSequence")));
        sequence.map(|ty| ty.arg(0)).unwrap_or_default()
    }

    /// The payload of a case that a pattern matches.
    pub(super) fn payload_of(
        &self,
        ev: &mut Eval<'_>,
        value: &Ty,
        variant: &Entity,
        index: u32,
    ) -> Ty {
        if let Entity::Defs(defs) = variant
            && let Some(case) = defs.first().copied()
        {
            let callable = ev.repo.def(case).callable.as_deref();
            let ty = callable
                .and_then(|c| c.params.get(index as usize))
                .and_then(|p| p.ty);
            let ty = ty
                .map(|ty| ev.lower_type(case.file, ty))
                .unwrap_or_default();
            return ev.substitute(&ty, Some(&unwrapped(value)));
        }
        match variant {
            Entity::External(external) => {
                let opened = ev.resolve_type_param(value);
                match external.symbol.rsplit('.').next() {
                    Some("some" | "success") => opened.arg(0),
                    Some("failure") => opened.arg(1),
                    _ => Ty::Unknown,
                }
            }
            _ => Ty::Unknown,
        }
    }

    /// A type in terms of an extension's type, seen from an object.
    pub(super) fn seen_from(
        &self,
        ev: &mut Eval<'_>,
        ty: &Ty,
        member: GlobalDef,
        owner: &Ty,
    ) -> Ty {
        let mut env = Vec::new();
        self.bind_owner(ev, member, Some(owner), &mut env);
        let filled = ev.substitute_env(ty, &env);
        ev.substitute(&filled, Some(owner))
    }

    /// Adds what the type parameters of an extension of a type outside the repository are for an object.
    pub(super) fn bind_owner(
        &self,
        ev: &mut Eval<'_>,
        member: GlobalDef,
        owner: Option<&Ty>,
        env: &mut Vec<((GlobalDef, u32), Ty)>,
    ) {
        let (Some(owner), Some(parent)) = (owner, ev.repo.def(member).parent) else {
            return;
        };
        let part = GlobalDef {
            file: member.file,
            def: parent,
        };
        let Some(super::tables::Extended::Outside(external)) = self.tables.extended(part) else {
            return;
        };
        let wanted = Ty::ExternalInstance(external.clone(), no_args());
        let Some(Ty::ExternalInstance(_, args)) = self.seen_as_type(ev, owner, &wanted) else {
            return;
        };
        for (arg, n) in args.iter().zip(0..) {
            if !arg.is_unknown() {
                env.push(((part, n), arg.clone()));
            }
        }
    }
}
