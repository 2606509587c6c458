//! Hooks for names: what imports bring, what a name means at a place, what a module exports.

use crate::eval::Eval;
use crate::lang::ScopedName;
use crate::repo::{FileId, GlobalDef, Repo};
use crate::ty::*;
use base::facts::*;

/// Hooks for names: what imports bring, what a name means at a place, what a module exports. A hook that most languages
/// do not need has a neutral default.
pub trait Modules {
    /// The entity that an import binds in a namespace. For module imports, [`Entity::Module`] (or `External`).
    fn import(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        import: ImportId,
        namespace: Namespace,
    ) -> Entity;

    /// Parts of manifests that limits leave out, one line each. Manifests do not change while the tables are in use.
    fn limit_warnings(&self) -> &[String] {
        &[]
    }

    /// The definitions that a file uses from an import on demand (Java `import p.*`, which names no file), in order of
    /// appearance. Default: none.
    fn used_on_demand(
        &self,
        _ev: &mut Eval<'_>,
        _file: FileId,
        _import: ImportId,
    ) -> Vec<GlobalDef> {
        Vec::new()
    }

    /// The entity of a name that a scope binds more than once, where the common rule (the last binding) does not hold:
    /// in Rust, conditions decide. Default: the common rule.
    fn bound_often(
        &self,
        _ev: &Eval<'_>,
        _at: ScopedName,
        _namespace: Namespace,
    ) -> Option<Entity> {
        None
    }

    /// The entity of a name that no scope of the file binds: from the same package, glob imports, prelude, built-ins.
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

    /// The entity that a name denotes at a place, in a language where the common rule (innermost scope, then
    /// [`Modules::free_name`]) does not hold. For inherited members, also the type of the object.
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

    /// The main file of a module: the target of IMPORTS edges.
    fn module_file(&self, repo: &Repo, module: u32) -> Option<FileId>;

    /// The file that an import names and loads, wherever the imported definitions are. `None` for languages that do not
    /// load files one by one, and for imports that name no file of the repository. It depends on the import and on the
    /// set of files, not on their content.
    fn named_file(&self, _repo: &Repo, _file: FileId, _import: ImportId) -> Option<FileId> {
        None
    }

    /// Whether look-ups from inner scopes see the members of an enclosing class (Java: yes).
    fn through_classes(&self) -> bool {
        false
    }

    /// Whether a name that no scope binds may be a member of an enclosing class or its supertypes (Java: yes). The
    /// evaluator then looks there before [`Modules::free_name`].
    fn implicit_this(&self) -> bool {
        false
    }

    /// A last resort for `object.name(…)` on an object of unknown type, with tier `named`: the only definition of that
    /// name that imports reach. Default: none.
    fn only_reachable(
        &self,
        _ev: &mut Eval<'_>,
        _callee: (FileId, ExprId),
        _name: NameId,
    ) -> Option<GlobalDef> {
        None
    }

    /// A last resort for `name(…)` of a name that is not visible in the file, with tier `named`: the only definition of
    /// that name that other files can use. Default: none.
    fn only_linked(&self, _ev: &mut Eval<'_>, _file: FileId, _name: NameId) -> Option<GlobalDef> {
        None
    }
}
