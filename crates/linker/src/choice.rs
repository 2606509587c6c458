//! Names that branches of the code bind to different entities: the members and types of such a choice.

use crate::eval::Eval;
use crate::repo::{FileId, GlobalDef};
use crate::ty::*;
use base::facts::*;

impl Eval<'_> {
    /// The entity of a name that branches bind to different entities.
    pub(crate) fn resolve_choice(
        &mut self,
        file: FileId,
        name: NameId,
        scope: ScopeId,
        choice: ChoiceId,
        namespace: Namespace,
    ) -> Entity {
        let repo = self.repo;
        let parts = repo.facts(file).choice(choice);
        let count = repo.bindings_named(file, scope, name).len();
        if !self.spend_on_namesakes(count) || !self.spend(parts.len()) {
            return Entity::Unknown;
        }
        let each = parts.iter().map(|to| match *to {
            Bound::Def(def) => Entity::defs(self.def_with_declarations(file, name, scope, def)),
            Bound::Import(import) => self.resolve_import(file, import, namespace),
            to => self.resolve_binding(file, name, scope, to, namespace),
        });
        let each: Vec<Entity> = each.collect();
        Entity::either(each)
    }

    /// A definition that a scope binds to a name, and the declarations of overloads right before it.
    fn def_with_declarations(
        &self,
        file: FileId,
        name: NameId,
        scope: ScopeId,
        def: DefId,
    ) -> Vec<GlobalDef> {
        let before = self.repo.bindings_named(file, scope, name).rev();
        let before = before.skip_while(|b| b.to != Bound::Def(def)).skip(1);
        let declarations = before.map_while(|b| match b.to {
            Bound::Def(other) => {
                let id = GlobalDef { file, def: other };
                let flags = self.repo.def(id).flags;
                flags.has(DefFlags::DECLARATION_ONLY).then_some(id)
            }
            _ => None,
        });
        let mut found = vec![GlobalDef { file, def }];
        found.extend(declarations);
        found
    }

    /// The members of a choice of entities, and the objects that have one. `find` gives the member of each entity.
    pub(crate) fn member_of_any(
        &mut self,
        parts: &[Entity],
        mut find: impl FnMut(&mut Self, &Entity) -> (Entity, Option<Ty>),
    ) -> (Entity, Option<Ty>) {
        let (mut found, mut objects) = (Vec::new(), Vec::new());
        for part in parts {
            let (member, object) = find(self, part);
            if !member.is_unknown() {
                objects.extend(object);
                found.push(member);
            }
        }
        let object = (!objects.is_empty()).then(|| Ty::union(objects));
        (Entity::either(found), object)
    }

    /// The type of a choice of entities. `find` gives the type of each entity.
    pub(crate) fn type_of_any(
        &mut self,
        parts: &[Entity],
        mut find: impl FnMut(&mut Self, &Entity) -> Ty,
    ) -> Ty {
        let types: Vec<Ty> = parts.iter().map(|part| find(self, part)).collect();
        Ty::union(types)
    }
}
