//! What a language adds to the common evaluator: hooks in five traits, one for each kind of question.

mod calls;
mod incremental;
mod members;
mod modules;
mod platform;

pub use calls::Calls;
pub use incremental::Incremental;
pub use members::Members;
pub use modules::Modules;
pub use platform::Platform;

use crate::eval::Eval;
use crate::repo::{FileId, GlobalDef, Repo, Sym};
use crate::surface::IndexRemap;
use crate::ty::*;
use base::Language;
use base::facts::*;

/// A call, as hooks see it.
#[derive(Debug, Clone, Copy)]
pub struct CallView<'a> {
    /// The file in which it stands.
    pub file: FileId,
    /// The [`Expr::Call`] or [`Expr::New`].
    pub expr: ExprId,
    /// Its arguments.
    pub args: &'a [ExprId],
    /// Its explicit type arguments.
    pub type_args: &'a [TypeId],
}

/// What the callee of a call denotes, the right overload chosen.
#[derive(Debug, Clone)]
pub enum Called {
    /// That, and the object it was taken from.
    Found(Entity, Option<Ty>),
    /// One of several overloads that cannot be told apart, and the object.
    Ambiguous(Vec<GlobalDef>, Option<Ty>),
}

impl Default for Called {
    fn default() -> Called {
        Called::Found(Entity::Unknown, None)
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

/// A name as a scope of a file binds it.
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

/// Definitions that came to files or went from them.
#[derive(Debug, Clone, Copy)]
pub struct DefinitionChanges<'a> {
    /// Those that came, in order.
    pub fresh: &'a [GlobalDef],
    /// What those that came or went are called.
    pub names: &'a [Sym],
    /// Every file of the language that has or had one of the names, in order.
    pub files: &'a [FileId],
    /// Those of them with other imports than before.
    pub imports: &'a [FileId],
}

impl DefinitionChanges<'_> {
    /// What is new in files of a language.
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

    /// The definitions of those files that have one of the names, in order.
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

/// Containers that languages write with syntax of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Container {
    /// A list literal, `T[]`.
    List,
    /// A dictionary literal, `map[K]V`: key and value.
    Map,
    /// `chan T`.
    Channel,
}

/// Makes the tables of a language's family over a repository.
pub type MakeTables = fn(Language, &Repo) -> Box<dyn Lang>;

/// The languages of a repository.
pub struct Langs {
    make: MakeTables,
    all: Vec<(Language, Box<dyn Lang>)>,
}

impl Langs {
    /// Follows files whose facts were replaced in `repo` by others that look the same from outside. False where the
    /// tables would not be the same as those of a build from the beginning: then everything is to be linked with new
    /// ones.
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

    /// What of the manifests is left out by a limit of any language, one line each.
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

/// Semantics of nothing: of a language of which a repository has no file, or whose names alone are read.
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
