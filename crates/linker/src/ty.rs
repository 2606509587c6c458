//! Types and entities: what the linker knows of a value or a name.

use crate::repo::{FileId, GlobalDef};
use base::Language;
use base::facts::ExprId;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Type arguments; empty if unknown.
pub type Args = Arc<[Ty]>;

/// In [`Ty::Param`]: not a type parameter, but the receiver's own type (`Self`, polymorphic `this`).
pub const SELF: u32 = u32::MAX;

/// Longest dotted symbol, in bytes.
const MAX_SYMBOL: usize = 1_000;

/// Something outside the repository.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct External {
    /// An npm, PyPI, crate, Go module or Java package. Standard libraries go by their module (`node:fs`, `os.path`,
    /// `std`, `fmt`, `java.util`).
    pub package: Arc<str>,
    /// Dotted symbol within the package; empty for the package itself.
    pub symbol: Arc<str>,
}

impl External {
    /// A symbol of a package.
    pub fn new(package: &str, symbol: &str) -> External {
        External {
            package: package.into(),
            symbol: symbol.into(),
        }
    }

    /// A member of it.
    pub fn member(&self, name: &str) -> External {
        let symbol = if self.symbol.is_empty() {
            name.into()
        } else if self.symbol.len() > MAX_SYMBOL {
            // A longer chain of names would be kept in full at each step.
            self.symbol.clone()
        } else {
            format!("{}.{name}", self.symbol).into()
        };
        External {
            package: self.package.clone(),
            symbol,
        }
    }
}

/// A module, by its number in the tables of its language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ModuleId {
    /// The family (see [`Language::family`]).
    pub family: Language,
    /// The number.
    pub index: u32,
}

/// The entity that a name or path denotes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Entity {
    /// Unknown.
    #[default]
    Unknown,
    /// Definitions of the repository: one, or overloads, or merged declarations.
    Defs(Arc<[GlobalDef]>),
    /// A module.
    Module(ModuleId),
    /// Something outside the repository.
    External(External),
    /// A value of known type that is no definition (a local variable).
    Value(Ty),
    /// One of several, which branches of the code choose between: two or more, each of them known and none of this kind.
    Either(Arc<[Entity]>),
}

impl Entity {
    /// An entity of one definition.
    pub fn def(def: GlobalDef) -> Entity {
        Entity::Defs(Arc::from([def]))
    }

    /// An entity of several definitions; unknown if there are none.
    pub fn defs(defs: Vec<GlobalDef>) -> Entity {
        if defs.is_empty() {
            Entity::Unknown
        } else {
            Entity::Defs(defs.into())
        }
    }

    /// A choice of entities. Unknown ones are left out, and a null counts only if there is nothing else.
    pub fn either(parts: impl IntoIterator<Item = Entity>) -> Entity {
        let mut out: Vec<Entity> = Vec::new();
        let mut null = Entity::Unknown;
        for part in parts {
            match part {
                Entity::Either(inner) => {
                    let fresh = inner.iter().filter(|one| !out.contains(one));
                    let fresh: Vec<Entity> = fresh.cloned().collect();
                    out.extend(fresh);
                }
                part @ Entity::Value(Ty::Null) => null = part,
                part if part.is_unknown() || out.contains(&part) => {}
                part => out.push(part),
            }
        }
        match out.len() {
            0 => null,
            1 => out.pop().unwrap_or_default(),
            _ => Entity::Either(out.into()),
        }
    }

    /// The entities of a choice. For any other entity, the entity itself.
    pub fn alternatives(&self) -> &[Entity] {
        match self {
            Entity::Either(parts) => parts,
            other => std::slice::from_ref(other),
        }
    }

    /// An entity outside the repository.
    pub fn external(package: &str, symbol: &str) -> Entity {
        Entity::External(External::new(package, symbol))
    }

    /// Whether nothing is known.
    pub fn is_unknown(&self) -> bool {
        matches!(self, Entity::Unknown | Entity::Value(Ty::Unknown))
    }

    /// This entity, or the other if this is unknown.
    pub fn or_else(self, other: impl FnOnce() -> Entity) -> Entity {
        if self.is_unknown() { other() } else { self }
    }
}

/// The type of a value.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub enum Ty {
    /// Not known.
    #[default]
    Unknown,
    /// An instance of a class, struct, interface, trait, enum.
    Instance(GlobalDef, Args),
    /// The class itself as a value.
    Class(GlobalDef, Args),
    /// A function or a set of overloads; for methods, the type they were taken from.
    Function(Arc<[GlobalDef]>, Option<Arc<Ty>>),
    /// `super` in that class: members are looked up above the class, on the same receiver.
    Super(GlobalDef),
    /// A module.
    Module(ModuleId),
    /// An object literal.
    Object(FileId, ExprId),
    /// A class, function or module outside the repository, as a value.
    External(External),
    /// A value whose class is outside the repository (`list`, `Vec`, `Promise`), with type arguments.
    ExternalInstance(External, Args),
    /// A tuple, or several results.
    Tuple(Args),
    /// A function of which only the type is known: parameter types and result type.
    Callable(Args, Arc<Ty>),
    /// The class of a value whose type is not known yet (`type[T]`).
    ClassOf(Arc<Ty>),
    /// A type parameter of a definition, or (with [`SELF`]) the receiver's own type.
    Param(GlobalDef, u32),
    /// One of several types: at least two, none unknown, none null.
    Union(Args),
    /// null, None, nil, undefined.
    Null,
}

impl Ty {
    /// An instance without type arguments.
    pub fn instance(def: GlobalDef) -> Ty {
        Ty::Instance(def, no_args())
    }

    /// An instance of something outside the repository.
    pub fn external(package: &str, symbol: &str, args: Vec<Ty>) -> Ty {
        Ty::ExternalInstance(External::new(package, symbol), args.into())
    }

    /// The class of a value of that type.
    pub fn class_of(of: &Ty) -> Ty {
        match of {
            Ty::Instance(def, args) => Ty::Class(*def, args.clone()),
            Ty::ExternalInstance(external, _) => Ty::External(external.clone()),
            Ty::Param(..) => Ty::ClassOf(Arc::new(of.clone())),
            Ty::Union(parts) => Ty::union(parts.iter().map(Ty::class_of)),
            _ => Ty::Unknown,
        }
    }

    /// Whether nothing is known.
    pub fn is_unknown(&self) -> bool {
        matches!(self, Ty::Unknown)
    }

    /// This type, or the other if this is unknown.
    pub fn or_else(self, other: impl FnOnce() -> Ty) -> Ty {
        if self.is_unknown() { other() } else { self }
    }

    /// The union of several types. Nulls and unknown types are left out, equal types and nested unions merged.
    pub fn union(parts: impl IntoIterator<Item = Ty>) -> Ty {
        let mut out = Distinct::default();
        let mut null = false;
        for part in parts {
            match part {
                Ty::Unknown => {}
                Ty::Null => null = true,
                Ty::Union(inner) => inner.iter().for_each(|ty| out.add(ty.clone())),
                other => out.add(other),
            }
        }
        let mut out = out.all;
        match out.len() {
            0 if null => Ty::Null,
            0 => Ty::Unknown,
            1 => out.pop().unwrap_or_default(),
            _ => Ty::Union(out.into()),
        }
    }

    /// The parts of a union, or the type itself.
    pub fn alternatives(&self) -> &[Ty] {
        match self {
            Ty::Union(parts) => parts,
            other => std::slice::from_ref(other),
        }
    }

    /// The n-th type argument; unknown if there is none.
    pub fn arg(&self, n: usize) -> Ty {
        match self {
            Ty::Instance(_, args) | Ty::Class(_, args) | Ty::ExternalInstance(_, args) => {
                args.get(n).cloned().unwrap_or_default()
            }
            _ => Ty::Unknown,
        }
    }

    /// Whether it mentions one of those definitions, or an object literal of a file.
    pub fn mentions_any(&self, def: &dyn Fn(GlobalDef) -> bool, file: FileId) -> bool {
        let all = |args: &[Ty]| args.iter().any(|ty| ty.mentions_any(def, file));
        match self {
            Ty::Instance(of, args) | Ty::Class(of, args) => def(*of) || all(args),
            Ty::Function(functions, on) => {
                functions.iter().any(|f| def(*f)) || on.iter().any(|ty| ty.mentions_any(def, file))
            }
            Ty::Super(of) | Ty::Param(of, _) => def(*of),
            Ty::Object(of, _) => *of == file,
            Ty::ExternalInstance(_, args) | Ty::Tuple(args) | Ty::Union(args) => all(args),
            Ty::Callable(args, result) => all(args) || result.mentions_any(def, file),
            Ty::ClassOf(of) => of.mentions_any(def, file),
            Ty::Unknown | Ty::Module(_) | Ty::External(_) | Ty::Null => false,
        }
    }

    /// The number of its parts, written out: a type built from itself over and over is small in memory. `None` if there
    /// are more than `most`.
    pub(crate) fn size(&self, most: usize) -> Option<usize> {
        Some(most - self.subtract_size(most)?)
    }

    /// The number of parts that it holds in memory; a shared part counts once. For types that are not large, written
    /// out.
    pub(crate) fn held(&self) -> usize {
        self.held_beside(&mut FxHashSet::default())
    }

    /// The same, without the lists that are already counted, by address.
    fn held_beside(&self, known: &mut FxHashSet<*const Ty>) -> usize {
        let mut all = |args: &[Ty]| -> usize {
            if args.is_empty() || !known.insert(args.as_ptr()) {
                return 0;
            }
            args.iter().map(|ty| ty.held_beside(known)).sum()
        };
        let within = match self {
            Ty::Instance(_, args)
            | Ty::Class(_, args)
            | Ty::ExternalInstance(_, args)
            | Ty::Tuple(args)
            | Ty::Union(args) => all(args),
            Ty::Callable(params, result) => all(params) + result.held_beside(known),
            Ty::ClassOf(of) => of.held_beside(known),
            Ty::Function(functions, on) => {
                functions.len() + on.as_ref().map_or(0, |on| on.held_beside(known))
            }
            _ => 0,
        };
        within + 1
    }

    /// `left` minus the number of parts; `None` if there are more.
    fn subtract_size(&self, left: usize) -> Option<usize> {
        let left = left.checked_sub(1)?;
        let all = |args: &[Ty], left| {
            args.iter()
                .try_fold(left, |left, ty| ty.subtract_size(left))
        };
        match self {
            Ty::Instance(_, args)
            | Ty::Class(_, args)
            | Ty::ExternalInstance(_, args)
            | Ty::Tuple(args)
            | Ty::Union(args) => all(args, left),
            Ty::Callable(params, result) => result.subtract_size(all(params, left)?),
            Ty::ClassOf(of) => of.subtract_size(left),
            Ty::Function(functions, on) => {
                let left = left.checked_sub(functions.len())?;
                on.as_ref().map_or(Some(left), |on| on.subtract_size(left))
            }
            _ => Some(left),
        }
    }

    /// Whether it is an instance of that external class.
    pub fn is_external(&self, package: &str, symbol: &str) -> bool {
        matches!(self, Ty::ExternalInstance(e, _) if &*e.package == package && &*e.symbol == symbol)
    }
}

/// Up to this many types are compared one by one; more are looked up.
const FEW: usize = 16;

/// Types without duplicates, in order of arrival.
#[derive(Default)]
struct Distinct {
    all: Vec<Ty>,
    /// The same types as a set, if there are many.
    known: FxHashSet<Ty>,
}

impl Distinct {
    fn add(&mut self, ty: Ty) {
        if self.all.len() < FEW {
            if !self.all.contains(&ty) {
                self.all.push(ty);
            }
            return;
        }
        if self.known.is_empty() {
            self.known.extend(self.all.iter().cloned());
        }
        if self.known.insert(ty.clone()) {
            self.all.push(ty);
        }
    }
}

/// No type arguments.
pub fn no_args() -> Args {
    Arc::from([])
}
