//! Specialised class templates: which of them an instance of a template is. Where its arguments do not tell, it is none of them.

use super::lookup::Owner;
use super::{Family, shapes, standard};
use base::facts::*;
use linker::eval::Eval;
use linker::repo::{FileId, GlobalDef};
use linker::ty::*;

/// More specialisations of one template than this are not compared.
const MOST_COMPARED: usize = 64;
/// Deepest nesting of arguments that is compared.
const MOST_NESTING: u32 = 8;

/// What an instance of a class template is.
#[derive(Debug, PartialEq)]
pub(super) enum Choice {
    /// The template itself.
    Primary,
    /// A specialised one.
    Special(Ty),
    /// One of several, and nothing tells which.
    Open,
}

impl Family {
    /// A written type, where its name is that of a template with specialisations.
    pub(super) fn written_instance(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        ty: TypeId,
    ) -> Option<Ty> {
        let facts = ev.repo.facts(file);
        let TypeExpr::Named {
            path,
            args,
            scope,
            at,
        } = facts.ty(ty)
        else {
            return None;
        };
        let last = ev.repo.sym_of_name(file, *path.last()?);
        if facts.language != base::Language::Cpp || self.names.specialised(last).is_empty() {
            return None;
        }
        let entity = ev.resolve_type_path(file, path, *scope, *at);
        let first = match &entity {
            Entity::Defs(defs) => *defs.first()?,
            _ => return None,
        };
        if !ev.repo.def(first).kind.is_type() {
            return None;
        }
        if args.is_empty() {
            // In a class template, its own name means that instance of it.
            let around = self.class_around(ev, file, *scope)?;
            let name = |d: GlobalDef| ev.repo.sym_of_name(d.file, ev.repo.def(d).name);
            return (name(around) == name(first)).then(|| ev.identity_instance(around));
        }
        let given: Vec<Ty> = args
            .iter()
            .map(|arg| {
                if is_plain(facts, *arg, 0) {
                    ev.lower_type(file, *arg)
                } else {
                    Ty::Unknown
                }
            })
            .collect();
        if !shapes::is_special(ev.repo.def(first)) {
            return Some(ev.instance_of_entity(file, &Entity::def(first), given));
        }
        // The template itself has no body.
        match self.choose_special(ev, first, &given) {
            Choice::Special(found) => Some(found),
            _ => Some(Ty::Unknown),
        }
    }

    /// What an instance of a class is.
    pub(super) fn choice_of(&self, ev: &mut Eval<'_>, ty: &Ty) -> Choice {
        let (Ty::Instance(class, args) | Ty::Class(class, args)) = ty else {
            return Choice::Primary;
        };
        let repo = ev.repo;
        let def = repo.def(*class);
        let name = repo.sym_of_name(class.file, def.name);
        if def.type_params.is_empty()
            || shapes::is_special(def)
            || self.names.specialised(name).is_empty()
            || *ty == ev.identity_instance(*class)
        {
            return Choice::Primary;
        }
        let args = args.clone();
        self.choose_special(ev, *class, &args)
    }

    fn choose_special(&self, ev: &mut Eval<'_>, class: GlobalDef, args: &[Ty]) -> Choice {
        let repo = ev.repo;
        let name = repo.sym_of_name(class.file, repo.def(class).name);
        let all = self.names.specialised(name);
        if all.len() > MOST_COMPARED || !ev.spend(all.len()) {
            return Choice::Open;
        }
        let place = self.place_of(ev, class);
        let (mut found, mut is_open) = (Vec::new(), false);
        for special in all.iter().copied() {
            if self.place_of(ev, special) != place {
                continue;
            }
            match self.is_for(ev, special, args) {
                Some(false) => {}
                None => is_open = true,
                Some(true) => found.push(special),
            }
        }
        let is_whole = |d: &GlobalDef| repo.def(*d).type_params.is_empty();
        if let Some(whole) = found.iter().copied().find(is_whole) {
            return Choice::Special(Ty::instance(whole));
        }
        match found[..] {
            [] if !is_open => Choice::Primary,
            [one] if !is_open => Choice::Special(self.filled(ev, one, args)),
            _ => Choice::Open,
        }
    }

    /// The class or namespace that a class stands in.
    fn place_of(&self, ev: &mut Eval<'_>, class: GlobalDef) -> Option<Owner> {
        let def = ev.repo.def(class);
        if def.callable.is_some() {
            return self.owner(ev, class);
        }
        let outer = def.parent.map(|def| GlobalDef { def, ..class });
        match outer.filter(|outer| ev.repo.def(*outer).kind.is_type()) {
            Some(outer) => Some(Owner::Class(outer)),
            None => Some(Owner::Namespace(self.names.around(ev.repo, class))),
        }
    }

    /// Whether a specialisation is for those arguments; none where that is not known.
    fn is_for(&self, ev: &mut Eval<'_>, special: GlobalDef, args: &[Ty]) -> Option<bool> {
        let facts = ev.repo.facts(special.file);
        let written = written_arguments(facts, special);
        let has_conditions = shapes::has_conditions(ev.repo, special);
        let mut all = (written.len() == args.len() && !has_conditions).then_some(true);
        for (written, given) in written.iter().zip(args) {
            let pattern = ev.lower_type(special.file, *written);
            match compare(special, &pattern, given, 0) {
                Some(false) => return Some(false),
                Some(true) if is_plain(facts, *written, 0) && !is_pointer(facts, *written) => {}
                _ => all = None,
            }
        }
        all
    }

    /// The instance of a specialisation for arguments of its template.
    fn filled(&self, ev: &mut Eval<'_>, special: GlobalDef, args: &[Ty]) -> Ty {
        let facts = ev.repo.facts(special.file);
        let mut env = Vec::new();
        for (written, given) in written_arguments(facts, special).iter().zip(args) {
            let pattern = ev.lower_type(special.file, *written);
            ev.unify(&pattern, given, &mut env);
        }
        let of = |n: u32| {
            let found = env.iter().find(|(key, _)| *key == (special, n));
            found.map(|(_, ty)| ty.clone()).unwrap_or_default()
        };
        let count = ev.repo.def(special).type_params.len() as u32;
        Ty::Instance(special, (0..count).map(of).collect())
    }

    /// A member of an instance of a template with specialisations; none where the template itself is meant.
    pub(super) fn member_of_special(
        &self,
        ev: &mut Eval<'_>,
        object: &Ty,
        name: &str,
    ) -> Option<Entity> {
        match self.choice_of(ev, object) {
            Choice::Primary => None,
            Choice::Special(special) => Some(ev.resolve_member(&special, name).0),
            Choice::Open => Some(Entity::Unknown),
        }
    }

    /// Supertypes, those that are specialised templates among them.
    pub(super) fn chosen_supers(&self, ev: &mut Eval<'_>, ty: GlobalDef) -> Vec<Ty> {
        let written = ev.lower_supertypes(ty);
        let chosen = written.into_iter().map(|of| match self.choice_of(ev, &of) {
            Choice::Primary => of,
            Choice::Special(special) => special,
            Choice::Open => Ty::Unknown,
        });
        chosen.collect()
    }
}

/// The arguments that a specialised template is written with.
fn written_arguments(facts: &FileFacts, special: GlobalDef) -> &[TypeId] {
    match facts.def(special.def).ty.map(|ty| facts.ty(ty)) {
        Some(TypeExpr::Named { args, .. }) => args,
        _ => &[],
    }
}

/// Whether a written type says all that its type has: no reference, and nothing constant.
fn is_plain(facts: &FileFacts, ty: TypeId, nesting: u32) -> bool {
    match facts.ty(ty) {
        _ if nesting > MOST_NESTING => false,
        TypeExpr::Named { args, .. } => args.iter().all(|arg| is_plain(facts, *arg, nesting + 1)),
        TypeExpr::Array(inner) => is_plain(facts, *inner, nesting + 1),
        _ => false,
    }
}

/// Whether a written type is a pointer, or an array, which is written down alike.
fn is_pointer(facts: &FileFacts, ty: TypeId) -> bool {
    matches!(facts.ty(ty), TypeExpr::Array(_))
}

/// Whether an argument is what a specialisation was written for; none where that is not known.
fn compare(special: GlobalDef, pattern: &Ty, given: &Ty, nesting: u32) -> Option<bool> {
    if nesting > MOST_NESTING {
        return None;
    }
    let each = |a: &Args, b: &Args| {
        let mut all = (a.len() == b.len()).then_some(true);
        for (a, b) in a.iter().zip(b.iter()) {
            match compare(special, a, b, nesting + 1) {
                Some(false) => return Some(false),
                Some(true) => {}
                None => all = None,
            }
        }
        all
    };
    match (pattern, given) {
        (Ty::Param(def, n), _) if *def == special && *n != SELF => Some(true),
        (Ty::Instance(a, x), Ty::Instance(b, y)) if a == b => each(x, y),
        (Ty::Instance(..), Ty::Instance(..)) => Some(false),
        (Ty::ExternalInstance(a, x), Ty::ExternalInstance(b, y)) => {
            match (standard::number(pattern), standard::number(given)) {
                (Some(a), Some(b)) => Some(a == b),
                _ if a == b => each(x, y),
                _ => are_distinct(pattern, given).then_some(false),
            }
        }
        (Ty::Instance(..), outside @ Ty::ExternalInstance(..))
        | (outside @ Ty::ExternalInstance(..), Ty::Instance(..)) => {
            is_known(outside).then_some(false)
        }
        _ => None,
    }
}

fn is_known(ty: &Ty) -> bool {
    standard::number(ty).is_some()
        || standard::pointee(ty).is_some()
        || standard::is_known_class(ty)
        || standard::is_void(ty)
}

/// Whether two types from outside are known not to be one. Classes of the standard library may have several names.
fn are_distinct(a: &Ty, b: &Ty) -> bool {
    let are_classes = standard::is_known_class(a) && standard::is_known_class(b);
    is_known(a) && is_known(b) && !are_classes
}
