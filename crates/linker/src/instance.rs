//! Values of written types: instances of definitions, with type arguments filled in.

use crate::eval::Eval;
use crate::repo::{FileId, GlobalDef};
use crate::ty::*;
use base::SymbolKind;
use base::facts::*;

impl Eval<'_> {
    /// The type of a value whose written type denotes `entity`.
    pub fn instance_of_entity(&mut self, file: FileId, entity: &Entity, args: Vec<Ty>) -> Ty {
        let lang = self.lang_of_file(file);
        match entity {
            Entity::Either(parts) => self.type_of_any(parts, |ev, part| {
                ev.instance_of_entity(file, part, args.clone())
            }),
            Entity::Defs(defs) => match self.pick_type_def(defs) {
                Some(def) => self.instance_of_def(def, args),
                None => Ty::Unknown,
            },
            Entity::External(external) => lang
                .external_type(self, external, &args)
                .unwrap_or_else(|| Ty::ExternalInstance(external.clone(), args.into())),
            Entity::Value(Ty::Class(def, own)) => {
                let args = if args.is_empty() {
                    own.clone()
                } else {
                    args.into()
                };
                Ty::Instance(*def, args)
            }
            Entity::Value(Ty::External(external)) => {
                Ty::ExternalInstance(external.clone(), args.into())
            }
            // A variable that holds one of several classes.
            Entity::Value(Ty::Union(parts)) => {
                let parts: Vec<Entity> = parts.iter().cloned().map(Entity::Value).collect();
                self.type_of_any(&parts, |ev, part| {
                    ev.instance_of_entity(file, part, args.clone())
                })
            }
            Entity::Value(other) => other.clone(),
            Entity::Module(_) | Entity::Unknown => Ty::Unknown,
        }
    }

    fn pick_type_def(&self, defs: &[GlobalDef]) -> Option<GlobalDef> {
        let is_type = |d: &GlobalDef| {
            let kind = self.repo.def(*d).kind;
            kind.is_type() || kind == SymbolKind::TypeAlias
        };
        defs.iter()
            .copied()
            .find(is_type)
            .or_else(|| defs.first().copied())
    }

    fn instance_of_def(&mut self, id: GlobalDef, args: Vec<Ty>) -> Ty {
        let def = self.repo.def(id);
        let args = self.fill_default_args(id, args);
        match def.kind {
            kind if kind.is_type() => Ty::Instance(id, args.into()),
            SymbolKind::TypeAlias if self.lang_of_file(id.file).defines_type(self, id) => {
                Ty::Instance(id, args.into())
            }
            SymbolKind::TypeAlias => {
                let aliased = def
                    .ty
                    .map(|ty| self.lower_type(id.file, ty))
                    .unwrap_or_default();
                // In a comment, an alias of an unknown type excludes no type.
                if aliased.is_unknown() {
                    return if def.flags.has(DefFlags::ANONYMOUS) {
                        Ty::Unknown
                    } else {
                        Ty::Instance(id, args.into())
                    };
                }
                self.substitute(&aliased, Some(&Ty::Instance(id, args.into())))
            }
            SymbolKind::EnumMember => match def.parent {
                Some(parent) => Ty::instance(GlobalDef {
                    file: id.file,
                    def: parent,
                }),
                None => Ty::Unknown,
            },
            // A variable that stands for a type (`T = TypeVar("T")`).
            _ if !def.type_params.is_empty() && !def.kind.is_callable() => Ty::Param(id, 0),
            // A variable that holds a class (`Base = declarative_base()`, `const C = class {}`).
            _ => match self.type_of_def(id) {
                Ty::Class(class, own) => {
                    Ty::Instance(class, if args.is_empty() { own } else { args.into() })
                }
                Ty::External(external) => Ty::ExternalInstance(external, args.into()),
                classes @ Ty::Union(_) => {
                    let classes = Entity::Value(classes);
                    self.instance_of_entity(id.file, &classes, args)
                }
                _ => Ty::Unknown,
            },
        }
    }

    /// Type arguments that are left out take the parameters' defaults.
    fn fill_default_args(&mut self, id: GlobalDef, mut args: Vec<Ty>) -> Vec<Ty> {
        let params = &self.repo.def(id).type_params;
        while let Some(param) = params.get(args.len()) {
            let Some(default) = param.default else { break };
            if !self.spend(args.len()) {
                break;
            }
            let default = self.lower_type(id.file, default);
            let so_far = Ty::Instance(id, args.clone().into());
            args.push(self.substitute(&default, Some(&so_far)));
        }
        args
    }
}
