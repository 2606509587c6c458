//! Objects that code works on without naming them: `this` of classes, extensions and lambdas.

use super::Kotlin;
use base::facts::*;
use linker::eval::Eval;
use linker::repo::{FileId, GlobalDef, Repo};
use linker::ty::*;

/// An object on which members are called by their names alone.
#[derive(Debug, Clone)]
pub(super) struct Implicit {
    pub(super) ty: Ty,
    /// Whether only what belongs to the class itself is visible: its companion, types and constants.
    pub(super) is_static: bool,
}

/// A walk over the scopes around a place, from the innermost to the outermost but that of the file.
pub(super) struct ScopeWalk {
    file: FileId,
    next: Option<ScopeId>,
    /// Whether the walk left a class that has no object of the class around it.
    is_static: bool,
}

impl ScopeWalk {
    pub(super) fn next_scope(&mut self, repo: &Repo) -> Option<ScopeId> {
        let id = self.next?;
        let here = repo.facts(self.file).scope(id);
        if here.kind == ScopeKind::File {
            return None;
        }
        self.next = here.parent;
        Some(id)
    }
}

impl Kotlin {
    pub(super) fn walk(&self, file: FileId, scope: ScopeId) -> ScopeWalk {
        ScopeWalk {
            file,
            next: Some(scope),
            is_static: false,
        }
    }

    /// The objects that a scope adds, nearest first.
    pub(super) fn implicit_at(
        &self,
        ev: &mut Eval<'_>,
        walk: &mut ScopeWalk,
        id: ScopeId,
    ) -> Vec<Implicit> {
        let repo = ev.repo;
        let here = repo.facts(walk.file).scope(id);
        let Some(owner) = here.owner else {
            return Vec::new();
        };
        let def = GlobalDef {
            file: walk.file,
            def: owner,
        };
        match here.kind {
            ScopeKind::Function => {
                let ty = self.receiver_of_function(ev, def);
                let ty = ty.map(|ty| Implicit {
                    ty,
                    is_static: false,
                });
                ty.into_iter().collect()
            }
            ScopeKind::Class => {
                let mut out = Vec::new();
                let ty = ev.identity_instance(def);
                if !walk.is_static {
                    out.push(Implicit {
                        ty: ty.clone(),
                        is_static: false,
                    });
                }
                out.push(Implicit {
                    ty,
                    is_static: true,
                });
                let flags = repo.def(def).flags;
                walk.is_static |= flags.has(DefFlags::STATIC) || flags.has(DefFlags::OBJECT);
                out
            }
            _ => Vec::new(),
        }
    }

    /// The receiver of an extension or of a lambda.
    fn receiver_of_function(&self, ev: &mut Eval<'_>, def: GlobalDef) -> Option<Ty> {
        let callable = ev.repo.def(def).callable.as_deref()?;
        let first = callable.params.first()?;
        let ty = match first.kind {
            ParamKind::Receiver => ev.lower_type(def.file, first.ty?),
            ParamKind::KeywordOnly => ev.type_of_param(def, 0),
            _ => return None,
        };
        (!matches!(ty, Ty::Unknown | Ty::Null)).then_some(ty)
    }

    /// All objects around a place, nearest first.
    pub(super) fn implicits(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        scope: ScopeId,
    ) -> Vec<Implicit> {
        let repo = ev.repo;
        let mut out = Vec::new();
        let mut walk = self.walk(file, scope);
        while let Some(id) = walk.next_scope(repo) {
            if !ev.spend(1) {
                break;
            }
            out.extend(self.implicit_at(ev, &mut walk, id));
        }
        out
    }

    /// The value of `this` or `this@label`.
    pub(super) fn this(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        scope: ScopeId,
        name: NameId,
        at: u32,
    ) -> Ty {
        let repo = ev.repo;
        let facts = repo.facts(file);
        let label = facts.name(name).strip_prefix("this@");
        let mut walk = self.walk(file, scope);
        while let Some(id) = walk.next_scope(repo) {
            if !ev.spend(1) {
                return Ty::Unknown;
            }
            let here = facts.scope(id);
            if label.is_none()
                && here.kind == ScopeKind::Block
                && let Some(binding) = repo.binding_at(file, id, name, at, Namespace::VALUE)
            {
                let to = binding.to;
                let found = ev.resolve_binding(file, name, id, to, Namespace::VALUE);
                return ev.type_of_entity(&found, None);
            }
            let Some(owner) = here.owner else { continue };
            let is_wanted = match label {
                None => true,
                Some(label) => label_of(facts, owner) == label,
            };
            let mut found = self.implicit_at(ev, &mut walk, id).into_iter();
            if let Some(first) = found.next().filter(|_| is_wanted) {
                return first.ty;
            }
        }
        Ty::Unknown
    }
}

/// The name that `this@name` uses for a definition.
fn label_of(facts: &FileFacts, def: DefId) -> &str {
    let def = facts.def(def);
    let first = def.callable.as_deref().and_then(|c| c.params.first());
    match first.filter(|first| first.kind == ParamKind::KeywordOnly) {
        Some(first) => facts.name(first.name),
        None => facts.name(def.name),
    }
}
