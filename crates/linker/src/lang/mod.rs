//! The hooks by which a language extends the common evaluator: five traits, one for each kind of question.

mod calls;
mod incremental;
mod members;
mod modules;
mod platform;

pub use calls::Calls;
pub use incremental::Incremental;
pub use members::{Members, Overloading};
pub use modules::Modules;
pub use platform::Platform;

use crate::eval::Eval;
use crate::repo::{FileId, GlobalDef, Repo, Sym};
use crate::surface::IndexRemap;
use crate::ty::*;
use base::Language;
use base::facts::*;

/// A call as hooks see it.
#[derive(Debug, Clone, Copy)]
pub struct CallView<'a> {
    /// The file of the call.
    pub file: FileId,
    /// The [`Expr::Call`] or [`Expr::New`].
    pub expr: ExprId,
    /// Its arguments.
    pub args: &'a [ExprId],
    /// Its explicit type arguments.
    pub type_args: &'a [TypeId],
}

/// The entity that the callee of a call denotes, after choosing the overload.
#[derive(Debug, Clone)]
pub enum Called {
    /// The callee, and the object that it was taken from.
    Found(Entity, Option<Ty>),
    /// Overloads that are ambiguous, and the object that they were taken from.
    Ambiguous(Vec<GlobalDef>, Option<Ty>),
    /// No definition is called here: a value is read, or a call goes on with its next parameter list (Scala). The type
    /// of the result.
    Value(Ty),
}

impl Default for Called {
    fn default() -> Called {
        Called::Found(Entity::Unknown, None)
    }
}

impl Called {
    /// The callee on a value of one of several types. `callee_on` gives that of each. Those in the repository count before
    /// others, and several of them are ambiguous.
    pub fn on_any(parts: &[Ty], mut callee_on: impl FnMut(&Ty) -> Called) -> Called {
        let mut found: Vec<(Entity, Option<Ty>)> = Vec::new();
        for part in parts {
            match callee_on(part) {
                Called::Found(entity, owner) if !entity.is_unknown() => {
                    if !found.iter().any(|f| f.0 == entity) {
                        found.push((entity, owner));
                    }
                }
                Called::Found(..) | Called::Value(_) => {}
                ambiguous @ Called::Ambiguous(..) => return ambiguous,
            }
        }
        let is_inside = |e: &Entity| matches!(e, Entity::Defs(_));
        if found.iter().any(|f| is_inside(&f.0)) {
            found.retain(|f| is_inside(&f.0));
        }
        match found.len() {
            0 => Called::Found(Entity::Unknown, Some(Ty::Unknown)),
            1 => {
                let (entity, owner) = found.swap_remove(0);
                Called::Found(entity, owner)
            }
            _ => {
                let mut defs = Vec::new();
                for (entity, _) in &found {
                    if let Entity::Defs(more) = entity {
                        defs.extend(more.iter().copied());
                    }
                }
                Called::Ambiguous(defs, found.swap_remove(0).1)
            }
        }
    }
}

/// An interface that a type implements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Implementation {
    /// The interface.
    pub interface: GlobalDef,
    /// Methods of the type, each with the interface's method that it implements.
    pub methods: Vec<(GlobalDef, GlobalDef)>,
}

/// A name in a scope of a file.
#[derive(Debug, Clone, Copy)]
pub struct ScopedName {
    /// The file.
    pub file: FileId,
    /// The scope.
    pub scope: ScopeId,
    /// The name.
    pub name: NameId,
}

/// A language's semantics, built once per link over the whole repository.
pub trait Lang: Modules + Members + Calls + Platform + Incremental + Send + Sync {}

impl<T: Modules + Members + Calls + Platform + Incremental + Send + Sync> Lang for T {}

/// Definitions added to files and removed from them.
#[derive(Debug, Clone, Copy)]
pub struct DefinitionChanges<'a> {
    /// Added definitions, in order.
    pub fresh: &'a [GlobalDef],
    /// The names of added and removed definitions.
    pub names: &'a [Sym],
    /// Every file of the language that has or had one of the names, in order.
    pub files: &'a [FileId],
    /// The files of these whose imports differ from before.
    pub imports: &'a [FileId],
}

impl DefinitionChanges<'_> {
    /// The changes in files of one language family.
    fn for_language<'a>(
        &self,
        repo: &Repo,
        family: Language,
        kept: &'a mut LanguageChanges,
    ) -> DefinitionChanges<'a>
    where
        Self: 'a,
    {
        let own = |file: &FileId| repo.language(*file).family() == family;
        kept.fresh = self
            .fresh
            .iter()
            .filter(|d| own(&d.file))
            .copied()
            .collect();
        kept.files = self.files.iter().filter(|f| own(f)).copied().collect();
        kept.imports = self.imports.iter().filter(|f| own(f)).copied().collect();
        kept.names = self.names.to_vec();
        DefinitionChanges {
            fresh: &kept.fresh,
            names: &kept.names,
            files: &kept.files,
            imports: &kept.imports,
        }
    }

    /// The definitions of [`DefinitionChanges::files`] that have one of the names, in order.
    pub fn named<'r>(&'r self, repo: &'r Repo) -> impl Iterator<Item = (Sym, GlobalDef)> + 'r {
        self.files.iter().flat_map(move |file| {
            let defs = repo.facts(*file).defs.iter().zip(0u32..);
            defs.filter_map(move |(def, at)| {
                let name = repo.sym_of_name(*file, def.name);
                let (file, def) = (*file, DefId(at));
                self.names
                    .contains(&name)
                    .then_some((name, GlobalDef { file, def }))
            })
        })
    }
}

/// The parts of [`DefinitionChanges`] for one language.
#[derive(Default)]
struct LanguageChanges {
    fresh: Vec<GlobalDef>,
    names: Vec<Sym>,
    files: Vec<FileId>,
    imports: Vec<FileId>,
}

/// Containers for which languages have their own syntax.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Container {
    /// A list literal, `T[]`.
    List,
    /// A dictionary literal, `map[K]V`: key and value.
    Map,
    /// `chan T`.
    Channel,
}

/// A function that builds the tables of a language family over a repository.
pub type MakeTables = fn(Language, &Repo) -> Box<dyn Lang>;

/// The languages of a repository.
pub struct Langs {
    make: MakeTables,
    all: Vec<(Language, Box<dyn Lang>)>,
}

impl Langs {
    /// Updates the tables after facts in `repo` were replaced by others with the same surface. False if the tables
    /// would differ from those of a full build; everything must then be linked with new tables.
    pub fn follow(
        &mut self,
        repo: &Repo,
        changes: &[(FileId, IndexRemap)],
        news: &DefinitionChanges<'_>,
    ) -> bool {
        for (family, lang) in &mut self.all {
            let own = changes
                .iter()
                .filter(|(file, _)| repo.language(*file).family() == *family);
            let own: Vec<&(FileId, IndexRemap)> = own.collect();
            let follows = |(file, moved): &&(FileId, IndexRemap)| lang.follow(repo, *file, moved);
            let followed = own.iter().all(follows);
            let mut kept = LanguageChanges::default();
            let news = news.for_language(repo, *family, &mut kept);
            let is_news = !own.is_empty() && !news.files.is_empty();
            if followed && (!is_news || lang.renew(repo, &news)) {
                continue;
            }
            if !lang.can_be_made_again() {
                return false;
            }
            *lang = (self.make)(*family, repo);
        }
        let changed = changes.iter().map(|(file, _)| file);
        let beside = news.files.iter();
        let beside = beside.filter(|f| !changes.iter().any(|(file, _)| file == *f));
        changed.chain(beside).all(|file| {
            self.for_language(repo.language(*file))
                .agrees(repo, self, *file)
        })
    }

    /// Builds the tables of each language that the repository has.
    pub fn new(repo: &Repo, make: MakeTables) -> Langs {
        let mut families: Vec<Language> = repo
            .files()
            .map(|(_, f)| f.facts.language.family())
            .collect();
        families.sort_unstable();
        families.dedup();
        let all = families
            .into_iter()
            .map(|family| {
                let lang = make(family, repo);
                (family, lang)
            })
            .collect();
        let langs = Langs { make, all };
        for (_, lang) in &langs.all {
            lang.prepare(repo, &langs);
        }
        langs
    }

    /// Parts of manifests that limits of the languages leave out, one line each.
    pub fn limits(&self) -> Vec<String> {
        let limits = self.all.iter().flat_map(|(_, lang)| lang.limit_warnings());
        limits.cloned().collect()
    }

    /// The semantics of a language's family.
    pub fn for_language(&self, language: Language) -> &dyn Lang {
        let family = language.family();
        self.all
            .iter()
            .find(|(l, _)| *l == family)
            .map_or(&NoLang as &dyn Lang, |(_, lang)| lang.as_ref())
    }
}

/// Semantics that know nothing: for a language without files in the repository, or one of which only names are read.
pub struct NoLang;

impl Modules for NoLang {
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

impl Members for NoLang {}

impl Calls for NoLang {}

impl Platform for NoLang {}

impl Incremental for NoLang {}
