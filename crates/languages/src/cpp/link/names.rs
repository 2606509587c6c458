//! Tables over all files: namespaces and their members, definitions outside of their classes, names that `using` brings.

use crate::c::link::{is_global, is_macro};
use base::facts::*;
use base::{Language, SymbolKind};
use linker::repo::{FileId, GlobalDef, Repo, Sym};
use linker::surface::IndexRemap;
use rustc_hash::{FxHashMap, FxHashSet};

/// The global namespace.
pub(super) const GLOBAL: u32 = 0;
/// Maximum number of parts of a path that are followed to its first name.
const MOST_LINKS: usize = 64;
/// Maximum number of namespace aliases that are followed for one directive.
const MOST_ALIASES: u32 = 64;
/// Maximum number of scopes around a directive that are searched.
const MOST_SCOPES: usize = 256;

/// An expression in a file, for which a name stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Brought {
    pub(super) file: FileId,
    pub(super) what: ExprId,
}

/// The target of `using namespace`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Directed {
    /// A namespace of the repository.
    Namespace(u32),
    /// The standard library.
    Standard,
}

/// A `using namespace` that other files see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Directive {
    pub(super) file: FileId,
    pub(super) to: Directed,
}

/// A namespace of the repository. Several files may open it.
#[derive(Debug, Default)]
struct NamespaceInfo {
    parent: u32,
    name: Option<Sym>,
    /// Its inline namespaces. Their members are its own.
    inline: Vec<u32>,
}

/// The names that the files define and bring.
#[derive(Debug, Default)]
pub(super) struct Names {
    namespaces: Vec<NamespaceInfo>,
    by_name: FxHashMap<(u32, Sym), u32>,
    of_def: FxHashMap<GlobalDef, u32>,
    members: FxHashMap<(u32, Sym), Vec<GlobalDef>>,
    /// Of these, the types, so that nobody looks through many variables of a name for one.
    types: FxHashMap<(u32, Sym), Vec<GlobalDef>>,
    /// What is defined outside of the class or namespace that it is named with, by the last name before `::` and its own.
    outside: FxHashMap<(Sym, Sym), Vec<GlobalDef>>,
    /// The types among them.
    outside_types: FxHashMap<(Sym, Sym), Vec<GlobalDef>>,
    /// Class templates that are specialised for some arguments.
    specialised: FxHashMap<Sym, Vec<GlobalDef>>,
    /// Members of class templates that are defined for some arguments: class and member.
    specialised_members: FxHashSet<(Sym, Sym)>,
    /// Constants of enums, by the class around the enum.
    constants: FxHashMap<(GlobalDef, Sym), Vec<GlobalDef>>,
    brought: FxHashMap<(u32, Sym), Vec<Brought>>,
    in_class: FxHashMap<GlobalDef, Vec<(Sym, Brought)>>,
    /// The targets of `using namespace`, by the scope that contains it.
    directives: FxHashMap<(FileId, ScopeId), Vec<Directed>>,
    /// The same, by the namespace that contains it.
    shared: FxHashMap<u32, Vec<Directive>>,
    macros: FxHashSet<Sym>,
    /// The namespaces that each macro opens.
    opened: FxHashMap<Sym, Vec<Sym>>,
    has_cpp: bool,
}

impl Names {
    pub(super) fn new(repo: &Repo) -> Names {
        let mut names = Names::default();
        names.namespaces.push(NamespaceInfo::default());
        let mut files = repo.files();
        names.has_cpp = files.any(|(_, source)| source.facts.language == Language::Cpp);
        if !names.has_cpp {
            return names;
        }
        for (file, source) in repo.files() {
            if source.facts.language == Language::Cpp {
                names.add_opened(repo, file, &source.facts);
            }
        }
        for (file, source) in repo.files() {
            let facts = &*source.facts;
            if facts.language.family() == Language::C {
                names.add_file(repo, file, facts);
            }
        }
        for (file, source) in repo.files() {
            names.add_brought_names(repo, file, &source.facts);
        }
        // Any file may bring the name that a directive uses, so this comes last.
        for (file, source) in repo.files() {
            names.add_directives(repo, file, &source.facts);
        }
        names
    }

    /// Reads which namespaces the macros of a file open. If several macros have the same name, the first counts.
    fn add_opened(&mut self, repo: &Repo, file: FileId, facts: &FileFacts) {
        for def in &facts.defs {
            let is_macro = def.kind == SymbolKind::Constant && def.ty.is_none();
            let Some(at) = def.value.filter(|_| is_macro) else {
                continue;
            };
            let Some(path) = path_of(facts, at) else {
                continue;
            };
            let first = path.first.map(|(name, _, _)| name);
            let names = first.into_iter().chain(path.rest.into_iter().rev());
            let path = names.map(|name| repo.sym_of_name(file, name)).collect();
            let name = repo.sym_of_name(file, def.name);
            self.opened.entry(name).or_insert(path);
        }
    }

    fn add_file(&mut self, repo: &Repo, file: FileId, facts: &FileFacts) {
        for (def, at) in facts.defs.iter().zip(0u32..) {
            let id = GlobalDef {
                file,
                def: DefId(at),
            };
            if is_macro(def) {
                // C decides which definition of a macro holds.
                self.macros.insert(repo.sym_of_name(file, def.name));
                continue;
            }
            if facts.language == Language::C {
                if is_global(facts, def) {
                    let name = repo.sym_of_name(file, def.name);
                    self.add_member(GLOBAL, name, id, def);
                }
            } else {
                self.add_def(repo, facts, id, def);
            }
        }
    }

    fn add_def(&mut self, repo: &Repo, facts: &FileFacts, id: GlobalDef, def: &Def) {
        let name = repo.sym_of_name(id.file, def.name);
        if def.flags.has(DefFlags::ANONYMOUS) && def.kind == SymbolKind::Namespace {
            let parent = def.parent.map(|def| GlobalDef { def, ..id });
            if let Some(mut at) = self.namespace_below(parent) {
                for inner in self.opened.get(&name).cloned().unwrap_or_default() {
                    at = self.open(at, inner, false);
                }
                self.of_def.insert(id, at);
            }
            return;
        }
        if def.flags.has(DefFlags::ANONYMOUS) || def.flags.has(DefFlags::LOCAL) {
            return;
        }
        if super::shapes::is_special(def) {
            self.specialised.entry(name).or_default().push(id);
        }
        if let Some(receiver) = def.callable.as_ref().and_then(|c| c.receiver) {
            let path = facts.name(receiver);
            let last = path.rsplit('.').next().unwrap_or(path);
            if let Some(last) = repo.find_sym(last) {
                self.outside.entry((last, name)).or_default().push(id);
                if def.kind.is_callable() && def.flags.has(DefFlags::SPECIAL) {
                    self.specialised_members.insert((last, name));
                }
                if def.kind.is_type() {
                    let types = self.outside_types.entry((last, name)).or_default();
                    types.push(id);
                }
            }
            return;
        }
        let parent = def.parent.map(|def| GlobalDef { def, ..id });
        let Some(namespace) = self.namespace_below(parent) else {
            self.add_constant(facts, id, def, name);
            return;
        };
        if def.kind == SymbolKind::Namespace {
            let number = self.open(namespace, name, def.flags.has(DefFlags::SPECIAL));
            self.of_def.insert(id, number);
        } else {
            self.add_member(namespace, name, id, def);
        }
    }

    fn add_member(&mut self, namespace: u32, name: Sym, id: GlobalDef, def: &Def) {
        self.members.entry((namespace, name)).or_default().push(id);
        if def.kind.is_type() {
            self.types.entry((namespace, name)).or_default().push(id);
        }
    }

    /// Constants of an enum are also members of the class around the enum.
    fn add_constant(&mut self, facts: &FileFacts, id: GlobalDef, def: &Def, name: Sym) {
        let Some(around) = def.parent.filter(|_| def.kind == SymbolKind::EnumMember) else {
            return;
        };
        let list = facts.def(around);
        if list.kind != SymbolKind::Enum || list.flags.has(DefFlags::SPECIAL) {
            return;
        }
        let outer = list.parent.map(|def| GlobalDef { def, ..id });
        match (self.namespace_below(outer), outer) {
            (Some(namespace), _) => self.members.entry((namespace, name)).or_default().push(id),
            (None, Some(class)) => self.constants.entry((class, name)).or_default().push(id),
            (None, None) => {}
        }
    }

    fn open(&mut self, parent: u32, name: Sym, is_inline: bool) -> u32 {
        let next = self.namespaces.len() as u32;
        let number = *self.by_name.entry((parent, name)).or_insert(next);
        if number == next {
            self.namespaces.push(NamespaceInfo {
                parent,
                name: Some(name),
                inline: Vec::new(),
            });
        }
        let inline = &mut self.namespaces[parent as usize].inline;
        if is_inline && !inline.contains(&number) {
            inline.push(number);
        }
        number
    }

    /// The namespace that a parent stands for; `None` if the parent is another kind of definition.
    fn namespace_below(&self, parent: Option<GlobalDef>) -> Option<u32> {
        match parent {
            None => Some(GLOBAL),
            Some(parent) => self.of_def.get(&parent).copied(),
        }
    }

    /// Adds the names that `using` and `namespace a = b` bring in a file.
    fn add_brought_names(&mut self, repo: &Repo, file: FileId, facts: &FileFacts) {
        if facts.language != Language::Cpp {
            return;
        }
        for export in &facts.exports {
            if let (Some(name), Exported::Expr(what)) = (export.name, export.what)
                && let Some(scope) = first_scope(facts, what)
            {
                let name = repo.sym_of_name(file, name);
                self.add_brought_name(facts, scope, name, Brought { file, what });
            }
        }
    }

    fn add_brought_name(&mut self, facts: &FileFacts, scope: ScopeId, name: Sym, of: Brought) {
        let here = facts.scope(around_blocks(facts, scope));
        let owner = here.owner.map(|def| GlobalDef { file: of.file, def });
        match (here.kind, owner) {
            (ScopeKind::File | ScopeKind::Module, _) => {
                if let Some(namespace) = self.namespace_below(owner) {
                    self.brought.entry((namespace, name)).or_default().push(of);
                }
            }
            (ScopeKind::Class, Some(class)) => {
                self.in_class.entry(class).or_default().push((name, of));
            }
            _ => {}
        }
    }

    /// Adds the namespaces that `using namespace` brings in a file.
    fn add_directives(&mut self, repo: &Repo, file: FileId, facts: &FileFacts) {
        if facts.language != Language::Cpp {
            return;
        }
        for export in &facts.exports {
            if let (None, Exported::Expr(what)) = (export.name, export.what)
                && let Some(scope) = first_scope(facts, what)
                && let Some(to) = self.directed(repo, Brought { file, what }, &mut { MOST_ALIASES })
            {
                self.directives.entry((file, scope)).or_default().push(to);
                let here = facts.scope(around_blocks(facts, scope));
                let owner = here.owner.map(|def| GlobalDef { file, def });
                if matches!(here.kind, ScopeKind::File | ScopeKind::Module)
                    && let Some(namespace) = self.namespace_below(owner)
                {
                    let all = self.shared.entry(namespace).or_default();
                    all.push(Directive { file, to });
                }
            }
        }
    }

    /// Resolves the path of a directive. Other directives count only if they stand before it, in a scope around it. So no two
    /// directives wait for each other.
    fn directed(&self, repo: &Repo, of: Brought, left: &mut u32) -> Option<Directed> {
        *left = left.checked_sub(1)?;
        let facts = repo.facts(of.file);
        let mut path = path_of(facts, of.what)?;
        let (first, scope, at) = path.first?;
        let mut found = match facts.name(first) {
            "::" => Directed::Namespace(GLOBAL),
            text => {
                let named = self.first_of_path(repo, (of.file, first), (scope, at), left);
                let is_standard = text == super::standard::STD;
                named.or_else(|| is_standard.then_some(Directed::Standard))?
            }
        };
        while let Some(name) = path.rest.pop() {
            let Directed::Namespace(namespace) = found else {
                return Some(found);
            };
            let name = repo.sym_of_name(of.file, name);
            let inner = self.namespace_named(repo, namespace, name, left);
            let is_standard = || self.root(repo, namespace) == super::standard::STD;
            found = inner.or_else(|| is_standard().then_some(Directed::Standard))?;
        }
        Some(found)
    }

    /// The namespace that the first name of a path means in a scope.
    fn first_of_path(
        &self,
        repo: &Repo,
        (file, name): (FileId, NameId),
        (scope, at): (ScopeId, u32),
        left: &mut u32,
    ) -> Option<Directed> {
        let facts = repo.facts(file);
        let sym = repo.sym_of_name(file, name);
        let mut next = Some(scope);
        for _ in 0..MOST_SCOPES {
            let id = next?;
            if let Some(binding) = repo.binding_at(file, id, name, at, Namespace::TYPE)
                && let Bound::Local {
                    value: Some(what), ..
                } = binding.to
            {
                return self.directed(repo, Brought { file, what }, left);
            }
            let here = facts.scope(id);
            let owner = here.owner.map(|def| GlobalDef { file, def });
            let mut around = match (here.kind, owner) {
                (ScopeKind::File, _) => Some(GLOBAL),
                (ScopeKind::Module, Some(def)) => self.of_def(def),
                (ScopeKind::Function, Some(def)) => Some(self.around(repo, def)),
                _ => None,
            };
            while let Some(namespace) = around {
                if let Some(found) = self.namespace_named(repo, namespace, sym, left) {
                    return Some(found);
                }
                around = (namespace != GLOBAL).then(|| self.parent(namespace));
            }
            for before in self.directives(file, id) {
                if let Directed::Namespace(namespace) = before
                    && let Some(inner) = self.inner(*namespace, sym)
                {
                    return Some(Directed::Namespace(inner));
                }
            }
            next = here.parent;
        }
        None
    }

    /// The namespace with a name inside another one, or the namespace for which an alias of that name stands.
    fn namespace_named(
        &self,
        repo: &Repo,
        namespace: u32,
        name: Sym,
        left: &mut u32,
    ) -> Option<Directed> {
        if let Some(inner) = self.inner(namespace, name) {
            return Some(Directed::Namespace(inner));
        }
        let alias = self.brought(namespace, name).first()?;
        self.directed(repo, *alias, left)
    }

    /// The namespace that a definition opens.
    pub(super) fn of_def(&self, def: GlobalDef) -> Option<u32> {
        self.of_def.get(&def).copied()
    }

    /// The innermost namespace around a definition.
    pub(super) fn around(&self, repo: &Repo, def: GlobalDef) -> u32 {
        let mut next = repo.def(def).parent;
        while let Some(parent) = next {
            let id = GlobalDef { def: parent, ..def };
            if let Some(found) = self.of_def(id) {
                return found;
            }
            next = repo.def(id).parent;
        }
        GLOBAL
    }

    pub(super) fn parent(&self, namespace: u32) -> u32 {
        self.namespaces[namespace as usize].parent
    }

    pub(super) fn inner(&self, namespace: u32, name: Sym) -> Option<u32> {
        let found = self.by_name.get(&(namespace, name)).copied();
        found.or_else(|| {
            let inline = &self.namespaces[namespace as usize].inline;
            let mut inner = inline.iter().take(8);
            inner.find_map(|inner| self.by_name.get(&(*inner, name)).copied())
        })
    }

    pub(super) fn inline(&self, namespace: u32) -> &[u32] {
        &self.namespaces[namespace as usize].inline
    }

    /// The outermost name of a namespace.
    pub(super) fn root<'r>(&self, repo: &'r Repo, namespace: u32) -> &'r str {
        let mut at = namespace;
        while self.parent(at) != GLOBAL {
            at = self.parent(at);
        }
        let name = self.namespaces[at as usize].name;
        name.map_or("", |name| repo.sym_text(name))
    }

    pub(super) fn members(&self, namespace: u32, name: Sym) -> &[GlobalDef] {
        self.members.get(&(namespace, name)).map_or(&[], |all| all)
    }

    /// The type of a name that a namespace has, if it is the only one.
    pub(super) fn only_type(&self, namespace: u32, name: Sym) -> Option<GlobalDef> {
        match self
            .types
            .get(&(namespace, name))
            .map_or(&[][..], |all| all)
        {
            [one] => Some(*one),
            _ => None,
        }
    }

    /// Whether a namespace or one of its inline ones has a name at all.
    pub(super) fn has_members(&self, namespace: u32, name: Sym) -> bool {
        let inline = self.inline(namespace).iter();
        let mut all = std::iter::once(&namespace).chain(inline);
        all.any(|namespace| self.members.contains_key(&(*namespace, name)))
    }

    pub(super) fn outside(&self, last: Sym, name: Sym) -> &[GlobalDef] {
        self.outside.get(&(last, name)).map_or(&[], |all| all)
    }

    /// The types that are defined outside of their class.
    pub(super) fn outside_types(&self, last: Sym, name: Sym) -> &[GlobalDef] {
        let all = self.outside_types.get(&(last, name));
        all.map_or(&[], |all| all)
    }

    /// The specialisations of class templates of a name.
    pub(super) fn specialised(&self, name: Sym) -> &[GlobalDef] {
        self.specialised.get(&name).map_or(&[], |all| all)
    }

    /// Whether a class of that name has a member that is defined for some arguments of the class.
    pub(super) fn is_specialised_member(&self, class: Sym, member: Sym) -> bool {
        self.specialised_members.contains(&(class, member))
    }

    pub(super) fn constants(&self, class: GlobalDef, name: Sym) -> &[GlobalDef] {
        self.constants.get(&(class, name)).map_or(&[], |all| all)
    }

    pub(super) fn brought(&self, namespace: u32, name: Sym) -> &[Brought] {
        self.brought.get(&(namespace, name)).map_or(&[], |all| all)
    }

    /// The expressions that `using` brings to a class under a name.
    pub(super) fn in_class(&self, class: GlobalDef, name: Sym) -> impl Iterator<Item = Brought> {
        let all = self.in_class.get(&class).map_or(&[][..], |all| all);
        all.iter()
            .filter(move |(n, _)| *n == name)
            .map(|(_, of)| *of)
    }

    pub(super) fn directives(&self, file: FileId, scope: ScopeId) -> &[Directed] {
        self.directives.get(&(file, scope)).map_or(&[], |all| all)
    }

    pub(super) fn shared(&self, namespace: u32) -> &[Directive] {
        self.shared.get(&namespace).map_or(&[], |all| all)
    }

    pub(super) fn is_macro(&self, name: Sym) -> bool {
        self.macros.contains(&name)
    }

    /// Whether the repository has no file of C++, so that the tables are empty.
    pub(super) fn is_of_c(&self) -> bool {
        !self.has_cpp
    }

    /// Updates the tables for a file whose facts were replaced, while other files see no difference.
    pub(super) fn follow(&mut self, repo: &Repo, file: FileId, moved: &IndexRemap) {
        if !self.has_cpp {
            return;
        }
        let lists = self.members.values_mut();
        let lists = lists.chain(self.outside.values_mut());
        let lists = lists.chain(self.outside_types.values_mut());
        let lists = lists.chain(self.specialised.values_mut());
        let lists = lists.chain(self.types.values_mut());
        moved.remap_all(file, lists.chain(self.constants.values_mut()).flatten());
        moved.remap_keys(file, &mut self.of_def);
        let constants = std::mem::take(&mut self.constants);
        let moved = constants
            .into_iter()
            .map(|((class, name), all)| ((moved.remap_gdef(file, class), name), all));
        self.constants = moved.collect();
        self.bring_again(repo, file);
    }

    /// Reads again what a file brings, since the tables refer to expressions by their number in the file.
    fn bring_again(&mut self, repo: &Repo, file: FileId) {
        for all in self.brought.values_mut() {
            all.retain(|of| of.file != file);
        }
        for all in self.shared.values_mut() {
            all.retain(|of| of.file != file);
        }
        self.directives.retain(|(of, _), _| *of != file);
        self.in_class.retain(|class, _| class.file != file);
        let facts = repo.facts(file);
        self.add_brought_names(repo, file, facts);
        for all in self.brought.values_mut() {
            all.sort_by_key(|of| (of.file, of.what));
        }
        self.add_directives(repo, file, facts);
        for all in self.shared.values_mut() {
            all.sort_by_key(|of| of.file);
        }
    }
}

/// A path of names.
struct NamePath {
    /// The first name, its scope, and the byte at which it is used.
    first: Option<(NameId, ScopeId, u32)>,
    /// The other names, last first.
    rest: Vec<NameId>,
}

fn path_of(facts: &FileFacts, what: ExprId) -> Option<NamePath> {
    let mut path = NamePath {
        first: None,
        rest: Vec::new(),
    };
    let mut at = what;
    for _ in 0..MOST_LINKS {
        match facts.expr(at) {
            Expr::Scoped { object, name } => {
                path.rest.push(*name);
                at = *object;
            }
            Expr::Name { name, scope, at } => {
                path.first = Some((*name, *scope, *at));
                return Some(path);
            }
            _ => return None,
        }
    }
    None
}

/// The innermost scope that is not a block. Templates have blocks of their own.
fn around_blocks(facts: &FileFacts, scope: ScopeId) -> ScopeId {
    let mut scope = scope;
    while facts.scope(scope).kind == ScopeKind::Block
        && let Some(parent) = facts.scope(scope).parent
    {
        scope = parent;
    }
    scope
}

/// The scope in which a path begins.
fn first_scope(facts: &FileFacts, path: ExprId) -> Option<ScopeId> {
    let mut next = path;
    for _ in 0..MOST_LINKS {
        match facts.expr(next) {
            Expr::Scoped { object, .. } => next = *object,
            Expr::Name { scope, .. } => return Some(*scope),
            Expr::Type(ty) => {
                return match facts.ty(*ty) {
                    TypeExpr::Named { scope, .. } => Some(*scope),
                    _ => None,
                };
            }
            _ => return None,
        }
    }
    None
}
