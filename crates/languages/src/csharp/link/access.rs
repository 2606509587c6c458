//! Who may name a member: the types around a call, and the access that the member allows.

use super::CSharp;
use base::Visibility;
use base::facts::*;
use linker::lang::CallView;
use linker::repo::{FileId, GlobalDef, Repo};
use linker::ty::*;

/// Most types around a call.
const MAX_AROUND: usize = 64;

/// Where a call stands.
pub(super) struct CallPlace {
    pub(super) file: FileId,
    /// The innermost definition around it.
    pub(super) owner: Option<DefId>,
    /// The types around it, innermost first, each by the part that stands for it.
    pub(super) types: Vec<GlobalDef>,
}

impl CallPlace {
    /// Whether a definition is around the call. Its type parameters stand for types there and nowhere else.
    pub(super) fn is_inside(&self, repo: &Repo, def: GlobalDef) -> bool {
        let mut next = self.owner;
        while let Some(at) = next {
            if def.file == self.file && def.def == at {
                return true;
            }
            next = repo.facts(self.file).def(at).parent;
        }
        self.types.contains(&def)
    }
}

impl CSharp {
    /// The place of a call. The calls of a file are in the order of their expressions.
    pub(super) fn place_of_call(&self, repo: &Repo, view: CallView<'_>) -> CallPlace {
        let facts = repo.facts(view.file);
        let at = facts.calls.partition_point(|call| call.expr < view.expr);
        let site = facts.calls.get(at).filter(|call| call.expr == view.expr);
        let owner = site.and_then(|site| site.owner);
        let mut types = Vec::new();
        let mut next = owner;
        while let Some(def) = next
            && types.len() < MAX_AROUND
        {
            if facts.def(def).kind.is_type() {
                types.push(self.parts.whole(GlobalDef {
                    file: view.file,
                    def,
                }));
            }
            next = facts.def(def).parent;
        }
        CallPlace {
            file: view.file,
            owner,
            types,
        }
    }

    /// Whether a call can name a member of `holder` on that object. Members of other projects that only their own project may
    /// name count as named: the project may have made them known to this one.
    pub(super) fn is_accessible(
        &self,
        repo: &Repo,
        member: GlobalDef,
        holder: GlobalDef,
        object: &Ty,
        place: &CallPlace,
    ) -> bool {
        let def = repo.def(member);
        match def.visibility {
            Visibility::Private => place.types.contains(&holder),
            Visibility::Protected => {
                is_also_internal(def) || self.is_heir_around(holder, object, place)
            }
            _ => true,
        }
    }

    /// Whether a call stands in a type that inherits from `holder`, and its object is an instance of that type.
    fn is_heir_around(&self, holder: GlobalDef, object: &Ty, place: &CallPlace) -> bool {
        let seen_as = match object {
            Ty::Instance(class, _) => Some(self.parts.whole(*class)),
            _ => None,
        };
        place.types.iter().any(|around| {
            // A supertype that is not known may lead to the holder.
            let may_inherit = self.hierarchy.is_subclass_of(*around, holder)
                || self.hierarchy.has_unknown_supertype(*around);
            let fits = |class: GlobalDef| {
                self.hierarchy.is_subclass_of(class, *around)
                    || self.hierarchy.has_unknown_supertype(class)
            };
            may_inherit && seen_as.is_none_or(fits)
        })
    }

    /// Whether another project declares a member for itself alone. It may have made it known to this project all the same.
    pub(super) fn is_of_other_project(&self, repo: &Repo, member: GlobalDef, from: FileId) -> bool {
        let def = repo.def(member);
        let is_internal = def.visibility == Visibility::Package
            || (def.visibility == Visibility::Protected && is_also_internal(def));
        is_internal && self.names.project(member.file) != self.names.project(from)
    }
}

/// Whether a protected member is `protected internal`, so that its whole project may name it.
pub(super) fn is_also_internal(def: &Def) -> bool {
    let mut words = def.signature_text.split_whitespace();
    let is_modifier = |word: &&str| {
        matches!(
            *word,
            "public"
                | "private"
                | "protected"
                | "internal"
                | "static"
                | "virtual"
                | "override"
                | "abstract"
                | "sealed"
                | "new"
                | "async"
                | "unsafe"
                | "extern"
                | "readonly"
                | "partial"
                | "required"
                | "volatile"
                | "const"
        ) || word.starts_with('[')
            || word.ends_with(']')
    };
    let mut modifiers = words.by_ref().take_while(is_modifier);
    modifiers.any(|word| word == "internal")
}
