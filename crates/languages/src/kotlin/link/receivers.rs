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

impl Implicit {
    /// Whether there is an object, but its type is not known.
    pub(super) fn is_unknown(&self) -> bool {
        self.ty.is_unknown()
    }
}

/// A walk over the scopes around a place, from the innermost to the outermost but that of the file.
pub(super) struct ScopeWalk {
    file: FileId,
    next: Option<ScopeId>,
    /// The byte of the place.
    at: u32,
    /// Whether the walk left a class that has no object of the class around it.
    is_static: bool,
}

/// The name `this`, which is the first of every file.
const THIS: NameId = NameId(0);

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
    pub(super) fn walk(&self, file: FileId, scope: ScopeId, at: u32) -> ScopeWalk {
        ScopeWalk {
            file,
            at,
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
        if here.kind == ScopeKind::Block {
            let ty = self.narrowed_this(ev, walk.file, id, walk.at);
            let ty = ty.map(|ty| Implicit {
                ty,
                is_static: false,
            });
            return ty.into_iter().collect();
        }
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

    /// The type that a check gives to `this` in a block.
    fn narrowed_this(&self, ev: &mut Eval<'_>, file: FileId, id: ScopeId, at: u32) -> Option<Ty> {
        let repo = ev.repo;
        let binding = repo.binding_at(file, id, THIS, at, Namespace::VALUE)?;
        let Bound::Local { ty: Some(ty), .. } = binding.to else {
            return None;
        };
        let ty = ev.lower_type(file, ty);
        let is_this = repo.facts(file).name(THIS) == "this";
        (is_this && !ty.is_unknown()).then_some(ty)
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
        let is_lambda = first.kind == ParamKind::KeywordOnly;
        if ty.is_unknown() && is_lambda && !self.has_unknown_receiver(ev, def) {
            return None;
        }
        (ty != Ty::Null).then_some(ty)
    }

    /// All objects around a place, nearest first.
    pub(super) fn implicits(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        scope: ScopeId,
        at: u32,
    ) -> Vec<Implicit> {
        let repo = ev.repo;
        let mut out = Vec::new();
        let mut walk = self.walk(file, scope, at);
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
        let mut walk = self.walk(file, scope, at);
        while let Some(id) = walk.next_scope(repo) {
            if !ev.spend(1) {
                return Ty::Unknown;
            }
            let owner = facts.scope(id).owner;
            let is_wanted = match (label, owner) {
                (None, _) => true,
                (Some(label), Some(owner)) => label_of(facts, owner) == label,
                (Some(_), None) => false,
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
