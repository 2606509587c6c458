//! Methods that Python calls when an attribute is read (`__get__`) and when an object is made (`__new__`).

use base::SymbolKind;
use base::facts::*;
use linker::eval::Eval;
use linker::repo::GlobalDef;
use linker::ty::*;

/// What reading an attribute of a class gives on an instance: of a value with `__get__`, what that gives.
pub(super) fn read_attribute(ev: &mut Eval<'_>, field: GlobalDef, value: Ty, object: &Ty) -> Ty {
    let def = ev.repo.def(field);
    let is_of_class = def.kind == SymbolKind::Field && def.flags.has(DefFlags::STATIC);
    let is_instance = matches!(object, Ty::Instance(..) | Ty::Param(_, SELF));
    // What is written as the attribute's type is the type of what it gives, as with fields of models.
    if !is_of_class || !is_instance || def.ty.is_some() {
        return value;
    }
    ev.map_alternatives(&value, |ev, part| match part {
        Ty::Instance(descriptor, _) => {
            let (get, holder) = ev.resolve_member(part, "__get__");
            let Entity::Defs(get) = get else {
                return part.clone();
            };
            let given = ev.result_type(get[0]);
            let given = ev.substitute(&given, holder.as_ref());
            // The descriptor itself is what the class gives.
            let is_other = |ty: &&Ty| !matches!(ty, Ty::Instance(of, _) if of == descriptor);
            let others = given.alternatives().iter().filter(is_other);
            Ty::union(others.cloned())
        }
        other => other.clone(),
    })
}

/// What a class gives when it is called, where its `__new__` returns something else than an instance of it; otherwise unknown.
pub(super) fn made_by_new(ev: &mut Eval<'_>, class: GlobalDef) -> Ty {
    let Some(sym) = ev.repo.find_sym("__new__") else {
        return Ty::Unknown;
    };
    for ty in ev.member_search_order(&Ty::instance(class)) {
        // An outside class may have its own.
        let (Ty::Instance(holder, _) | Ty::Class(holder, _)) = ty else {
            return Ty::Unknown;
        };
        let found = ev.members_declared_by(holder, sym);
        if let Some(new) = found.first().copied() {
            return result_of_new(ev, class, holder, new);
        }
    }
    Ty::Unknown
}

fn result_of_new(ev: &mut Eval<'_>, class: GlobalDef, holder: GlobalDef, new: GlobalDef) -> Ty {
    let repo = ev.repo;
    let Some(callable) = repo.def(new).callable.as_deref() else {
        return Ty::Unknown;
    };
    let given = ev.result_type(new);
    let is_own = |ty: &Ty| matches!(ty, Ty::Instance(of, _) | Ty::Param(of, SELF) if *of == class || *of == holder);
    let is_class = |ty: &Ty| matches!(ty, Ty::Instance(..));
    let all = given.alternatives();
    if all.iter().any(|ty| !is_class(ty) && !is_own(ty)) || all.iter().all(is_own) {
        return Ty::Unknown;
    }
    // `return super().__new__(cls)` says nothing that is known here: it makes an instance.
    let mut returned = callable.returns.iter();
    let makes_own = callable.ret.is_none()
        && returned.any(|value| ev.type_of_expr(new.file, *value).is_unknown());
    let own = makes_own || all.iter().any(is_own);
    let others = all.iter().filter(|ty| !is_own(ty)).cloned();
    Ty::union(others.chain(own.then(|| Ty::instance(class))))
}
