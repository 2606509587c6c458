//! Linking of TypeScript.

use super::eval::Eval;
use super::lang::Lang;
use super::repo::{FileId, Repo};
use super::ty::Entity;
use syntax::facts::{ImportId, Namespace};

/// Modules and semantics of TypeScript.
pub(super) struct TypeScript;

impl TypeScript {
    /// Builds the tables.
    pub(super) fn new(_repo: &Repo) -> TypeScript {
        TypeScript
    }
}

impl Lang for TypeScript {
    fn import(&self, _: &mut Eval<'_>, _: FileId, _: ImportId, _: Namespace) -> Entity {
        Entity::Unknown
    }

    fn module_member(&self, _: &mut Eval<'_>, _: u32, _: &str, _: Namespace) -> Entity {
        Entity::Unknown
    }

    fn module_file(&self, _: &Repo, _: u32) -> Option<FileId> {
        None
    }
}
