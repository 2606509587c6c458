//! What a language adds to the common evaluator. Every hook has a neutral default.

use crate::eval::Eval;
use crate::repo::{FileId, GDef, Repo, Sym};
use crate::surface::Moved;
use crate::ty::*;
use base::facts::*;
use base::{Language, SymbolKind};

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
    Ambiguous(Vec<GDef>, Option<Ty>),
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
    pub interface: GDef,
    /// Methods of the type, each with the interface's method that it implements.
    pub methods: Vec<(GDef, GDef)>,
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
pub trait Lang: Send + Sync {
    /// What an import binds, in that namespace. Module imports give [`Entity::Module`] (or `External`).
    fn import(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        import: ImportId,
        namespace: Namespace,
    ) -> Entity;

    /// What of the manifests is left out by a limit, one line each. Manifests do not change while the tables live.
    fn limits(&self) -> &[String] {
        &[]
    }

    /// Reads what takes the semantics of all languages to read; called once, before linking.
    fn prepare(&self, _repo: &Repo, _langs: &Langs) {}

    /// Follows a file whose facts were replaced by others that look the same from outside, though indexes may have
    /// moved. False where the tables cannot, and are to be built anew. Default: they hold definitions by index, and
    /// none moved.
    fn follow(&mut self, _repo: &Repo, _file: FileId, moved: &Moved) -> bool {
        moved.is_nothing()
    }

    /// Follows definitions that came and went, behind [`Lang::follow`] for their files, which left those that went
    /// with an index that means nothing. False where the tables cannot, and are to be built anew. Default: they cannot.
    fn renew(&mut self, _repo: &Repo, _news: &DefinitionChanges<'_>) -> bool {
        false
    }

    /// Whether what the tables took from the bodies of a file, which are no part of what others see, is what they
    /// would take now. Not called while files are being linked. Default: they took nothing.
    fn agrees(&self, _repo: &Repo, _langs: &Langs, _file: FileId) -> bool {
        true
    }

    /// What callers are known to pass for the parameter that a call's callee names. Default: unknown.
    fn passed(&self, _ev: &Eval<'_>, _file: FileId, _callee: ExprId) -> Ty {
        Ty::Unknown
    }

    /// The definitions that a file uses of what an import brings on demand, in order of
    /// appearance (Java `import p.*`, which names no file). Default: none.
    fn used_on_demand(&self, _ev: &mut Eval<'_>, _file: FileId, _import: ImportId) -> Vec<GDef> {
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

    /// Of several members of one name in one definition, those that a build has. Default: all.
    fn stands_for(&self, _repo: &Repo, members: Vec<GDef>) -> Vec<GDef> {
        members
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
    /// [`Lang::free_name`]) is not the language's; the object comes along for inherited members.
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

    /// What the callee of a call denotes, in languages where functions are looked up apart from
    /// variables. `None`: as any other expression.
    fn callee(&self, _ev: &mut Eval<'_>, _call: CallView<'_>) -> Option<Called> {
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

    /// Whether look-ups from inner scopes see the members of an enclosing class (Java: yes).
    fn through_classes(&self) -> bool {
        false
    }

    /// Whether a name that is not bound in any scope may be a member of an enclosing class or its
    /// supertypes (Java: yes). The evaluator then looks there before [`Lang::free_name`].
    fn implicit_this(&self) -> bool {
        false
    }

    /// Whether a call of a variable or field leads to the function that it is known to hold, not to
    /// the variable (Python, where `g = f` is an alias).
    fn through_variables(&self) -> bool {
        false
    }

    /// Members of a type that stand outside its definition: Go methods, Rust `impl` blocks.
    fn extra_members(&self, _ev: &mut Eval<'_>, _ty: GDef, _name: Sym) -> Vec<GDef> {
        Vec::new()
    }

    /// Whether a type alias makes a type of its own, with members of its own (Go `type A B`).
    fn defines_type(&self, _ev: &mut Eval<'_>, _alias: GDef) -> bool {
        false
    }

    /// A type parameter as the type of a value. Go: a method's receiver renames those of its type.
    fn type_param(&self, _ev: &mut Eval<'_>, def: GDef, n: u32) -> Ty {
        Ty::Param(def, n)
    }

    /// Direct supertypes, nearest first, as instances; type arguments in terms of the
    /// definition's own parameters. Default: as written in `Def::supers`.
    fn supers(&self, ev: &mut Eval<'_>, ty: GDef) -> Vec<Ty> {
        ev.written_supers(ty)
    }

    /// The interfaces that a type implements without saying so (Go).
    fn implemented(&self, _ev: &mut Eval<'_>, _ty: GDef) -> Vec<Implementation> {
        Vec::new()
    }

    /// The order in which a type and its supertypes are searched, itself first. Default: depth
    /// first, each once. Python: C3.
    fn linearization(&self, ev: &mut Eval<'_>, ty: &Ty) -> Vec<Ty> {
        ev.depth_first(ty)
    }

    /// A member of a type before the common search; `None` leaves it to that.
    fn member(&self, _ev: &mut Eval<'_>, _object: &Ty, _name: &str) -> Option<Entity> {
        None
    }

    /// A member of a type of the repository that neither the type nor what it inherits from or
    /// dereferences to has: Rust blanket impls, derived methods.
    fn missing_member(&self, _ev: &mut Eval<'_>, _object: &Ty, _name: &str) -> Entity {
        Entity::Unknown
    }

    /// A member that the repository gives to a type outside it, seen from `file`: Rust extension
    /// traits.
    fn outside_member(
        &self,
        _ev: &mut Eval<'_>,
        _file: FileId,
        _object: &Ty,
        _name: &str,
    ) -> Option<Entity> {
        None
    }

    /// A type parameter of what extends a type from outside (a Rust impl) as that of the type.
    fn own_param(&self, def: GDef, n: u32) -> (GDef, u32) {
        (def, n)
    }

    /// What a call means of what its callee denotes, where a field and a method may share a name.
    fn called(&self, _ev: &mut Eval<'_>, entity: Entity, _call: CallView<'_>) -> Entity {
        entity
    }

    /// The same for a mention that is no call.
    fn mentioned(&self, _ev: &mut Eval<'_>, entity: Entity) -> Entity {
        entity
    }

    /// The value of a member of something outside the repository, where the language knows it;
    /// the default names the member and knows no more. `instance` tells `x.name` from `X.name`.
    fn external_member(&self, _ev: &mut Eval<'_>, object: &Ty, name: &str) -> Ty {
        match object {
            Ty::External(e) | Ty::ExternalInstance(e, _) => Ty::External(e.member(name)),
            _ => Ty::Unknown,
        }
    }

    /// What calling something outside the repository gives. `receiver` is the object for methods
    /// (`xs.map` on `xs`). Default: unknown.
    fn external_call(
        &self,
        _ev: &mut Eval<'_>,
        _callee: &External,
        _receiver: Option<&Ty>,
        _call: CallView<'_>,
    ) -> Ty {
        Ty::Unknown
    }

    /// The type of parameter `param` of a function literal that is argument `arg` of a call to
    /// something outside the repository (`xs.map(x => …)`).
    fn callback_param(
        &self,
        _ev: &mut Eval<'_>,
        _callee: &External,
        _receiver: Option<&Ty>,
        _call: CallView<'_>,
        _arg: u32,
        _param: u32,
    ) -> Ty {
        Ty::Unknown
    }

    /// A named type outside the repository as the type of a value; `None`: an
    /// [`Ty::ExternalInstance`] of it.
    fn external_type(&self, _ev: &mut Eval<'_>, _name: &External, _args: &[Ty]) -> Option<Ty> {
        None
    }

    /// The type of a primitive.
    fn primitive(&self, _primitive: Primitive) -> Ty {
        Ty::Unknown
    }

    /// The type of a list literal, a dictionary literal, `T[]`, `map[K]V`, `chan T`.
    fn container(&self, _kind: Container, _args: Vec<Ty>) -> Ty {
        Ty::Unknown
    }

    /// What an iteration over a value gives.
    fn element(&self, _ev: &mut Eval<'_>, _of: &Ty) -> Ty {
        Ty::Unknown
    }

    /// The key in an iteration over (key, value).
    fn key(&self, _ev: &mut Eval<'_>, _of: &Ty) -> Ty {
        Ty::Unknown
    }

    /// What `object[index]` gives.
    fn index(&self, ev: &mut Eval<'_>, object: &Ty, _file: FileId, _index: ExprId) -> Ty {
        self.element(ev, object)
    }

    /// The n-th part of a value that is no tuple.
    fn part(&self, ev: &mut Eval<'_>, of: &Ty, _n: u32) -> Ty {
        self.element(ev, of)
    }

    /// What awaiting a value gives. Default: the value.
    fn awaited(&self, _ev: &mut Eval<'_>, of: &Ty) -> Ty {
        of.clone()
    }

    /// What calling an `async` function of that (written or inferred) result gives. Default: the same.
    fn promised(&self, of: Ty) -> Ty {
        of
    }

    /// What calling a generator of these elements gives.
    fn generated(&self, _of: Ty) -> Ty {
        Ty::Unknown
    }

    /// What `e?` gives.
    fn tried(&self, _ev: &mut Eval<'_>, _of: &Ty) -> Ty {
        Ty::Unknown
    }

    /// A written type with holes (`Vec<_>`), filled in from the value that is of it. Default: the type.
    fn completed(&self, _ev: &mut Eval<'_>, written: Ty, _value: (FileId, ExprId)) -> Ty {
        written
    }

    /// What a call of a macro gives, by its first argument.
    fn expanded(&self, _ev: &mut Eval<'_>, _macro: &Entity, _first: (FileId, ExprId)) -> Ty {
        Ty::Unknown
    }

    /// What `with e as x` binds. Default: the value.
    fn entered(&self, _ev: &mut Eval<'_>, of: &Ty) -> Ty {
        of.clone()
    }

    /// The payload of an enum variant matched by a pattern. `variant` is what the path denotes.
    fn payload(&self, _ev: &mut Eval<'_>, _value: &Ty, _variant: &Entity, _index: u32) -> Ty {
        Ty::Unknown
    }

    /// What `left op right` gives. Default: the left operand's type.
    fn operation(&self, _ev: &mut Eval<'_>, left: Ty, _right: Ty) -> Ty {
        left
    }

    /// The operand through which members are reached: `Box<T>`, `Rc<T>`, `Optional`: the inner
    /// type. `None`: it is reached directly. Called when the type itself has no such member.
    fn dereferenced(&self, _ev: &mut Eval<'_>, _of: &Ty) -> Option<Ty> {
        None
    }

    /// The parameters and result of a value that can be called through its type: a functional
    /// interface, a Go func type, an `Fn` bound.
    fn callable_shape(&self, _ev: &mut Eval<'_>, _of: &Ty) -> Option<(Vec<Ty>, Ty)> {
        None
    }

    /// The method that calling an instance calls (`__call__`).
    fn call_instance(&self, _ev: &mut Eval<'_>, _of: &Ty) -> Entity {
        Entity::Unknown
    }

    /// Which of several overloads a call means: the ones that cannot be told apart. Default: those
    /// that can take the number of arguments; where none can, all.
    fn choose(&self, ev: &mut Eval<'_>, overloads: &[GDef], call: CallView<'_>) -> Vec<GDef> {
        ev.by_argument_count(overloads, call)
    }

    /// What constructing a class calls: its constructor, an inherited one, or the class itself.
    fn constructor(&self, _ev: &mut Eval<'_>, class: GDef, _call: CallView<'_>) -> Vec<GDef> {
        vec![class]
    }

    /// What `new value(…)` gives where the value is no class of the repository (a constructor
    /// signature) or its arguments tell more. Unknown leaves it to the common rule.
    fn constructed(
        &self,
        _ev: &mut Eval<'_>,
        _value: &Ty,
        _call: CallView<'_>,
        _args: &[Ty],
    ) -> Ty {
        Ty::Unknown
    }

    /// The type that its place expects of an expression, from which type parameters of a call are
    /// inferred (`const x: Box<Foo> = make((foo) => …)`).
    fn expected(&self, _ev: &mut Eval<'_>, _file: FileId, _expr: ExprId) -> Ty {
        Ty::Unknown
    }

    /// The function type that its place gives a function that is no argument of a call
    /// (`const f: Handler = (event) => …`).
    fn context(&self, _ev: &mut Eval<'_>, _function: GDef) -> Ty {
        Ty::Unknown
    }

    /// A value decorated by these is still itself (`None`), or becomes this.
    fn decorated(&self, _ev: &mut Eval<'_>, _def: GDef) -> Option<Ty> {
        None
    }

    /// The type of an enum member, or of a variable that has neither a written type nor a value.
    /// Default: enum members are instances of their enum.
    fn untyped(&self, ev: &mut Eval<'_>, def: GDef) -> Ty {
        let it = ev.repo.def(def);
        match (it.kind, it.parent) {
            (SymbolKind::EnumMember, Some(parent)) => Ty::instance(GDef {
                file: def.file,
                def: parent,
            }),
            _ => Ty::Unknown,
        }
    }

    /// A last resort for `object.name(…)` with an object of unknown type: the only definition of
    /// that name among those that are reachable by imports, tier `named`. Default: none.
    fn only_reachable(&self, _ev: &mut Eval<'_>, _file: FileId, _name: NameId) -> Option<GDef> {
        None
    }
}

/// Definitions that came to files or went from them.
#[derive(Debug, Clone, Copy)]
pub struct DefinitionChanges<'a> {
    /// Those that came, in order.
    pub fresh: &'a [GDef],
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
    pub fn named<'r>(&'r self, repo: &'r Repo) -> impl Iterator<Item = (Sym, GDef)> + 'r {
        self.files.iter().flat_map(move |file| {
            let defs = repo.facts(*file).defs.iter().zip(0u32..);
            defs.filter_map(move |(def, at)| {
                let name = repo.global(*file, def.name);
                let (file, def) = (*file, DefId(at));
                self.names
                    .contains(&name)
                    .then_some((name, GDef { file, def }))
            })
        })
    }
}

/// The parts of [`DefinitionChanges`] for one language.
#[derive(Default)]
struct LanguageChanges {
    fresh: Vec<GDef>,
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
        changes: &[(FileId, Moved)],
        news: &DefinitionChanges<'_>,
    ) -> bool {
        for (family, lang) in &mut self.all {
            let own = changes
                .iter()
                .filter(|(file, _)| repo.language(*file).family() == *family);
            let own: Vec<&(FileId, Moved)> = own.collect();
            let follows = |(file, moved): &&(FileId, Moved)| lang.follow(repo, *file, moved);
            let followed = own.iter().all(follows);
            let mut kept = LanguageChanges::default();
            let news = news.for_language(repo, *family, &mut kept);
            let is_news = !own.is_empty() && !news.files.is_empty();
            if followed && (!is_news || lang.renew(repo, &news)) {
                continue;
            }
            if *family == Language::Python {
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
        let limits = self.all.iter().flat_map(|(_, lang)| lang.limits());
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

/// Stands where a repository has no file of the language.
struct NoLang;

impl Lang for NoLang {
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
