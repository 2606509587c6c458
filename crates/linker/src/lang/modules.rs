//! What a language says of names: what imports bring, what a name means at a place, what a module has.

use crate::eval::Eval;
use crate::lang::ScopedName;
use crate::repo::{FileId, GlobalDef, Repo};
use crate::ty::*;
use base::facts::*;

/// What a language says of names: what imports bring, what a name means at a place, what a module has. Every hook that most languages do not need has a neutral default.
pub trait Modules {
    /// What an import binds, in that namespace. Module imports give [`Entity::Module`] (or `External`).
    fn import(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        import: ImportId,
        namespace: Namespace,
    ) -> Entity;

    /// What of the manifests is left out by a limit, one line each. Manifests do not change while the tables live.
    fn limit_warnings(&self) -> &[String] {
        &[]
    }

    /// The definitions that a file uses of what an import brings on demand, in order of
    /// appearance (Java `import p.*`, which names no file). Default: none.
    fn used_on_demand(
        &self,
        _ev: &mut Eval<'_>,
        _file: FileId,
        _import: ImportId,
    ) -> Vec<GlobalDef> {
        Vec::new()
    }

    /// What a name of a scope denotes that is bound there more than once, where the common rule (the last) does not
    /// hold: Rust, where conditions choose. Default: it holds.
    fn bound_often(
        &self,
        _ev: &Eval<'_>,
        _at: ScopedName,
        _namespace: Namespace,
    ) -> Option<Entity> {
        None
    }

    /// What a name means that no scope of the file binds: same package, glob imports, prelude,
    /// built-ins.
    fn free_name(
        &self,
        _ev: &mut Eval<'_>,
        _file: FileId,
        _name: NameId,
        _scope: ScopeId,
        _namespace: Namespace,
    ) -> Entity {
        Entity::Unknown
    }

    /// What a name means at a place, where the common rule (innermost scope, then
    /// [`Modules::free_name`]) is not the language's; the object comes along for inherited members.
    fn lexical(
        &self,
        _ev: &mut Eval<'_>,
        _file: FileId,
        _name: NameId,
        _scope: ScopeId,
        _at: u32,
        _namespace: Namespace,
    ) -> Option<(Entity, Option<Ty>)> {
        None
    }

    /// An exported or visible name of a module.
    fn module_member(
        &self,
        ev: &mut Eval<'_>,
        module: u32,
        name: &str,
        namespace: Namespace,
    ) -> Entity;

    /// The file that a module mainly is: the target of IMPORTS edges.
    fn module_file(&self, repo: &Repo, module: u32) -> Option<FileId>;

    /// The file that an import names, which is loaded for it, wherever what it brings is defined. None for languages
    /// that do not load files one by one, and where it names nothing of the repository. It depends on the import and on
    /// which files there are, not on what stands in them.
    fn named_file(&self, _repo: &Repo, _file: FileId, _import: ImportId) -> Option<FileId> {
        None
    }

    /// Whether look-ups from inner scopes see the members of an enclosing class (Java: yes).
    fn through_classes(&self) -> bool {
        false
    }

    /// Whether a name that is not bound in any scope may be a member of an enclosing class or its
    /// supertypes (Java: yes). The evaluator then looks there before [`Modules::free_name`].
    fn implicit_this(&self) -> bool {
        false
    }

    /// A last resort for `object.name(…)` with an object of unknown type: the only definition of
    /// that name among those that are reachable by imports, tier `named`. Default: none.
    fn only_reachable(
        &self,
        _ev: &mut Eval<'_>,
        _callee: (FileId, ExprId),
        _name: NameId,
    ) -> Option<GlobalDef> {
        None
    }

    /// A last resort for `name(…)` of a name that the file sees nowhere: the only definition of that name that other files can
    /// use, tier `named`. Default: none.
    fn only_linked(&self, _ev: &mut Eval<'_>, _file: FileId, _name: NameId) -> Option<GlobalDef> {
        None
    }
}
