//! The facts of all files, with the indexes for look-ups.

use crate::clock::SharedTime;
use crate::lend::{Facts, FactsSource};
use base::Cancel;
use base::Language;
use base::facts::*;
use base::scopes::ScopeIndex;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, OnceLock};

/// A file of the repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// A definition of the repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GlobalDef {
    /// Its file.
    pub file: FileId,
    /// Its index in the file's facts.
    pub def: DefId,
}

/// A name, interned over the whole repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sym(pub u32);

/// A file with its facts and look-up tables.
#[derive(Debug)]
pub struct SourceFile {
    /// Path in the project, with `/`.
    pub path: Arc<str>,
    /// The facts of the file.
    pub facts: Facts,
    syms: Vec<Sym>,
    /// `(parent or MAX, name, def)`, sorted.
    children: Vec<(u32, Sym, DefId)>,
    /// Indexes into `facts.bindings` with their names, sorted by scope, name, order of appearance.
    bindings: Vec<(NameId, u32)>,
    /// The end of each scope's bindings.
    scope_ends: Vec<u32>,
    /// Whether later bindings of one scope and name become visible later.
    in_order: bool,
    /// Whether a type of the file has several supertypes.
    combines_supertypes: bool,
    /// The scopes that bind each name.
    scopes: ScopeIndex,
    /// Names with so many bindings in one scope that searching from the end would be slow.
    crowds: FxHashMap<(ScopeId, NameId), BindingList>,
}

/// The bindings of one name in one scope, for each namespace: the byte from which each is visible, and its index in
/// `facts.bindings`, sorted by the byte.
type BindingList = [Vec<(u32, u32)>; NAMESPACES];

/// Namespaces that a binding can be in.
const NAMESPACES: usize = 3;

/// With at most this many bindings of one name in one scope, they are searched one by one.
const FEW_BINDINGS: usize = 32;

impl SourceFile {
    fn bindings_named(&self, scope: ScopeId, name: NameId) -> &[(NameId, u32)] {
        let bounds = scope.index().checked_sub(1);
        let start = bounds.map_or(0, |before| self.scope_ends[before] as usize);
        let of_scope = &self.bindings[start..self.scope_ends[scope.index()] as usize];
        let from = of_scope.partition_point(|(n, _)| *n < name);
        let named = &of_scope[from..];
        &named[..named.partition_point(|(n, _)| *n == name)]
    }

    /// The binding that a use at byte `at` sees, of a name that is bound often.
    fn last_visible_of_crowd(
        &self,
        crowd: &BindingList,
        at: u32,
        namespace: Namespace,
    ) -> Option<&Binding> {
        let lists = crowd.iter().zip(0u8..);
        let wanted = lists.filter(|(_, bit)| Namespace(1 << bit).intersects(namespace));
        let last = wanted.filter_map(|(list, _)| {
            let seen = list.partition_point(|(from, _)| *from <= at);
            list[..seen].last()
        });
        let (_, found) = last.max()?;
        Some(&self.facts.bindings[*found as usize])
    }
}

/// A manifest (`package.json`, `go.mod`, …): its path and text.
#[derive(Debug, Clone)]
pub struct Manifest {
    /// Path in the project, with `/`.
    pub path: Arc<str>,
    /// Its text.
    pub text: Arc<str>,
}

/// The whole repository, read-only.
#[derive(Debug, Default)]
pub struct Repo {
    files: Vec<SourceFile>,
    by_path: FxHashMap<Arc<str>, FileId>,
    names: Vec<Arc<str>>,
    interned: FxHashMap<Arc<str>, Sym>,
    /// The names that are dotted paths of several names.
    paths: Vec<Sym>,
    /// The index from names to files, built when first needed.
    by_name: OnceLock<ByName>,
    /// Files whose facts were replaced after the index was built.
    replaced: FxHashSet<FileId>,
    /// Manifests, sorted by path.
    pub manifests: Vec<Manifest>,
    /// Cancels linking. Results computed after it is set are useless.
    pub cancel: Cancel,
    /// The computing time that files share. Each update starts with a new one.
    pub time: SharedTime,
}

const NO_PARENT: u32 = u32::MAX;

/// With more replaced files than this, the index by name is built anew.
const MOST_REPLACED: usize = 1_000;

/// An index from each name to the files that have it.
#[derive(Debug)]
struct ByName {
    /// The end of each name's files.
    ends: Vec<u32>,
    files: Vec<FileId>,
}

impl ByName {
    fn new(files: &[SourceFile], names: usize) -> ByName {
        let mut ends = vec![0u32; names];
        for sym in files.iter().flat_map(|f| &f.syms) {
            ends[sym.0 as usize] += 1;
        }
        let mut sum = 0;
        for end in &mut ends {
            // Each entry starts as the beginning of its files; filling them in moves it to the end.
            sum += std::mem::replace(end, sum);
        }
        let mut out = vec![FileId(0); sum as usize];
        for (file, id) in files.iter().zip(0..) {
            for sym in &file.syms {
                let at = &mut ends[sym.0 as usize];
                out[*at as usize] = FileId(id);
                *at += 1;
            }
        }
        ByName { ends, files: out }
    }

    fn files_with_name(&self, name: Sym) -> &[FileId] {
        let at = name.0 as usize;
        let Some(end) = self.ends.get(at) else {
            return &[];
        };
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.files[start as usize..*end as usize]
    }
}

impl Repo {
    /// Builds the tables. `files` must be sorted by path.
    pub fn new(files: Vec<(Arc<str>, Arc<FileFacts>)>, mut manifests: Vec<Manifest>) -> Repo {
        manifests.sort_by(|a, b| a.path.cmp(&b.path));
        let mut repo = Repo {
            manifests,
            ..Repo::default()
        };
        for (path, facts) in files {
            repo.add_file(path, facts);
        }
        repo
    }

    fn add_file(&mut self, path: Arc<str>, facts: Arc<FileFacts>) {
        let id = FileId(self.files.len() as u32);
        self.by_path.insert(path.clone(), id);
        let file = self.build_source_file(path, facts);
        self.files.push(file);
    }

    /// Replaces the facts of a file.
    pub fn replace_facts(&mut self, id: FileId, facts: Arc<FileFacts>) {
        let path = self.file(id).path.clone();
        self.files[id.0 as usize] = self.build_source_file(path, facts);
        self.replaced.insert(id);
        if self.replaced.len() > MOST_REPLACED {
            self.by_name = OnceLock::new();
            self.replaced.clear();
        }
    }

    fn build_source_file(&mut self, path: Arc<str>, facts: Arc<FileFacts>) -> SourceFile {
        let syms: Vec<Sym> = facts.names.iter().map(|n| self.intern(n)).collect();
        let mut children: Vec<(u32, Sym, DefId)> = facts
            .defs
            .iter()
            .enumerate()
            .map(|(i, d)| {
                (
                    d.parent.map_or(NO_PARENT, |p| p.0),
                    syms[d.name.index()],
                    DefId(i as u32),
                )
            })
            .collect();
        children.sort_unstable();
        let (bindings, scope_ends) = sort_bindings(&facts);
        let in_order = bindings.windows(2).all(|pair| {
            let [a, b] = [pair[0], pair[1]].map(|(_, i)| &facts.bindings[i as usize]);
            (a.scope, a.name) != (b.scope, b.name) || a.from <= b.from
        });
        let crowds = collect_crowds(&facts, &bindings);
        let scopes = ScopeIndex::new(&facts);
        let combines_supertypes = facts.defs.iter().any(|def| def.supers.len() > 1);
        SourceFile {
            path,
            facts: facts.into(),
            syms,
            children,
            bindings,
            scope_ends,
            in_order,
            combines_supertypes,
            scopes,
            crowds,
        }
    }

    fn intern(&mut self, name: &str) -> Sym {
        if let Some(sym) = self.interned.get(name) {
            return *sym;
        }
        let sym = Sym(self.names.len() as u32);
        let name: Arc<str> = name.into();
        if name.contains(['.', ':', '/']) {
            self.paths.push(sym);
        }
        self.names.push(name.clone());
        self.interned.insert(name, sym);
        sym
    }

    /// Every file with its id, in order of path.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files
            .iter()
            .enumerate()
            .map(|(i, f)| (FileId(i as u32), f))
    }

    /// Number of files.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether there is no file.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// A file.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// A file's facts.
    pub fn facts(&self, id: FileId) -> &FileFacts {
        &self.files[id.0 as usize].facts
    }

    /// The file with that path.
    pub fn file_at(&self, path: &str) -> Option<FileId> {
        self.by_path.get(path).copied()
    }

    /// The language of a file.
    pub fn language(&self, id: FileId) -> Language {
        self.facts(id).language
    }

    /// The id of a name, if any file has it.
    pub fn find_sym(&self, name: &str) -> Option<Sym> {
        self.interned.get(name).copied()
    }

    /// The names that are dotted paths of several names.
    pub fn dotted_names(&self) -> impl Iterator<Item = (Sym, &str)> {
        self.paths.iter().map(|sym| (*sym, self.sym_text(*sym)))
    }

    /// The files that have one of these names, in order of path.
    pub fn files_with(&self, names: &[Sym]) -> Vec<FileId> {
        let by_name = self.by_name();
        let known = names
            .iter()
            .flat_map(|name| by_name.files_with_name(*name))
            .copied();
        let known = known.filter(|file| !self.replaced.contains(file));
        let wanted: FxHashSet<Sym> = names.iter().copied().collect();
        let has = |file: &FileId| self.file(*file).syms.iter().any(|sym| wanted.contains(sym));
        let replaced = self.replaced.iter().copied().filter(has);
        let mut found: Vec<FileId> = known.chain(replaced).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The files with a type that has several supertypes, in order.
    pub fn files_combining_supertypes(&self) -> impl Iterator<Item = FileId> + '_ {
        let numbered = (0..).zip(&self.files);
        numbered.filter_map(|(id, file)| file.combines_supertypes.then_some(FileId(id)))
    }

    fn by_name(&self) -> &ByName {
        self.by_name
            .get_or_init(|| ByName::new(&self.files, self.names.len()))
    }

    /// Drops all facts and the tables that are quick to rebuild; `source` supplies the facts again.
    pub fn evict_facts(&mut self, source: &Arc<dyn FactsSource>) {
        for (file, id) in self.files.iter_mut().zip(0..) {
            file.facts.lend(source.clone(), FileId(id));
        }
        self.by_name = OnceLock::new();
        self.replaced.clear();
    }

    /// Builds the index that [`Repo::files_with`] needs.
    pub fn build_name_index(&self) {
        self.by_name();
    }

    /// The text of a name.
    pub fn sym_text(&self, sym: Sym) -> &str {
        &self.names[sym.0 as usize]
    }

    /// The repository-wide id of a name of a file.
    pub fn sym_of_name(&self, file: FileId, name: NameId) -> Sym {
        self.file(file).syms[name.index()]
    }

    /// A definition.
    pub fn def(&self, id: GlobalDef) -> &Def {
        self.facts(id.file).def(id.def)
    }

    /// A definition's name.
    pub fn def_name(&self, id: GlobalDef) -> &str {
        let facts = self.facts(id.file);
        facts.name(facts.def(id.def).name)
    }

    /// The definitions of that name directly inside `parent`, in order of appearance.
    pub fn children_named(
        &self,
        parent: GlobalDef,
        name: Sym,
    ) -> impl ExactSizeIterator<Item = GlobalDef> + '_ {
        self.children_range(parent.file, parent.def.0, name)
    }

    /// The definitions of that name at the top level of a file, in order of appearance.
    pub fn top_level_named(
        &self,
        file: FileId,
        name: Sym,
    ) -> impl ExactSizeIterator<Item = GlobalDef> + '_ {
        self.children_range(file, NO_PARENT, name)
    }

    fn children_range(
        &self,
        file: FileId,
        parent: u32,
        name: Sym,
    ) -> impl ExactSizeIterator<Item = GlobalDef> + '_ {
        let children = &self.file(file).children;
        let from = children.partition_point(|c| (c.0, c.1) < (parent, name));
        // A single definition needs no second search.
        let count = match children.get(from + 1) {
            Some(next) if (next.0, next.1) == (parent, name) => {
                children[from..].partition_point(|c| (c.0, c.1) == (parent, name))
            }
            _ => usize::from(
                children
                    .get(from)
                    .is_some_and(|c| (c.0, c.1) == (parent, name)),
            ),
        };
        let named = children[from..from + count].iter();
        named.map(move |c| GlobalDef { file, def: c.2 })
    }

    /// How many definitions are directly inside `parent`.
    pub fn child_count(&self, parent: GlobalDef) -> usize {
        let children = &self.file(parent.file).children;
        let from = children.partition_point(|c| c.0 < parent.def.0);
        children[from..].partition_point(|c| c.0 == parent.def.0)
    }

    /// Every definition directly inside `parent`, by name.
    pub fn children(&self, parent: GlobalDef) -> impl Iterator<Item = GlobalDef> + '_ {
        let children = &self.file(parent.file).children;
        let from = children.partition_point(|c| c.0 < parent.def.0);
        children[from..]
            .iter()
            .take_while(move |c| c.0 == parent.def.0)
            .map(move |c| GlobalDef {
                file: parent.file,
                def: c.2,
            })
    }

    /// Every definition at the top level of a file, by name.
    pub fn top_level(&self, file: FileId) -> impl Iterator<Item = GlobalDef> + '_ {
        let children = &self.file(file).children;
        let from = children.partition_point(|c| c.0 < NO_PARENT);
        children[from..]
            .iter()
            .map(move |c| GlobalDef { file, def: c.2 })
    }

    /// The bindings of a name in one scope, in order of appearance.
    pub fn bindings_named(
        &self,
        file: FileId,
        scope: ScopeId,
        name: NameId,
    ) -> impl DoubleEndedIterator<Item = &Binding> + ExactSizeIterator + '_ {
        let source = self.file(file);
        let named = source.bindings_named(scope, name).iter();
        named.map(|(_, i)| &source.facts.bindings[*i as usize])
    }

    /// The last binding of a name in one scope that a use at byte `at` sees.
    pub fn binding_at(
        &self,
        file: FileId,
        scope: ScopeId,
        name: NameId,
        at: u32,
        namespace: Namespace,
    ) -> Option<&Binding> {
        let source = self.file(file);
        let binding = |i: &u32| &source.facts.bindings[*i as usize];
        let mut named = source.bindings_named(scope, name);
        let are_many = named.len() > FEW_BINDINGS;
        if are_many {
            if let Some(crowd) = source.crowds.get(&(scope, name)) {
                return source.last_visible_of_crowd(crowd, at, namespace);
            }
            // All bindings have the same namespaces and are in order.
            if !binding(&named[0].1).namespace.intersects(namespace) {
                return None;
            }
        }
        if source.in_order || are_many {
            let seen = named.partition_point(|(_, i)| binding(i).from <= at);
            named = &named[..seen];
            let mut last = named.iter().rev().map(|(_, i)| binding(i));
            return last.find(|b| b.namespace.intersects(namespace));
        }
        let named = named.iter().map(|(_, i)| binding(i));
        let seen = named.filter(|b| b.from <= at && b.namespace.intersects(namespace));
        seen.max_by_key(|b| b.from)
    }

    /// The binding that a use sees: that of the innermost scope which binds the name in that namespace, and in it the
    /// last one visible at `at`. Class scopes are seen only from themselves, not from scopes inside them, unless
    /// `through_classes`.
    pub fn lookup(
        &self,
        file: FileId,
        name: NameId,
        scope: ScopeId,
        at: u32,
        namespace: Namespace,
        through_classes: bool,
    ) -> Option<&Binding> {
        let source = self.file(file);
        let facts = &source.facts;
        self.scopes_binding(file, name, scope).find_map(|id| {
            let here = facts.scope(id);
            if here.kind == ScopeKind::Class && id != scope && !through_classes {
                return None;
            }
            // A function's body runs after the whole file: it sees the file's last binding.
            let is_later =
                here.kind == ScopeKind::File && source.scopes.is_in_function(facts, scope);
            let at = if is_later { u32::MAX } else { at };
            self.binding_at(file, id, name, at, namespace)
        })
    }

    /// The scopes at and around `scope` that may bind a name, innermost first.
    pub fn scopes_binding(
        &self,
        file: FileId,
        name: NameId,
        scope: ScopeId,
    ) -> impl Iterator<Item = ScopeId> + '_ {
        let source = self.file(file);
        source.scopes.around(&source.facts, name, scope)
    }

    /// The name by which a node is known within its file: `Class.method`; Go methods by their
    /// receiver's type.
    pub fn qualified_name(&self, id: GlobalDef) -> String {
        self.facts(id.file).qualified_name(id.def)
    }
}

/// The bindings of a file sorted by scope and, within it, by name; and the end of each scope's bindings.
fn sort_bindings(facts: &FileFacts) -> (Vec<(NameId, u32)>, Vec<u32>) {
    let all = facts.bindings.iter().zip(0u32..);
    let mut bindings: Vec<(NameId, u32)> = all.map(|(b, i)| (b.name, i)).collect();
    let mut ends = Vec::with_capacity(facts.scopes.len());
    let mut from = 0;
    for scope in 0..facts.scopes.len() {
        let of_scope = facts.bindings[from..].iter();
        let count = of_scope.take_while(|b| b.scope.index() == scope).count();
        bindings[from..from + count].sort_unstable();
        from += count;
        ends.push(from as u32);
    }
    (bindings, ends)
}

/// The names with many bindings in one scope that are in several namespaces or out of order.
fn collect_crowds(
    facts: &FileFacts,
    bindings: &[(NameId, u32)],
) -> FxHashMap<(ScopeId, NameId), BindingList> {
    let of = |(_, i): &(NameId, u32)| &facts.bindings[*i as usize];
    let mut found = FxHashMap::default();
    let same = |a: &(NameId, u32), b: &(NameId, u32)| (of(a).scope, a.0) == (of(b).scope, b.0);
    for group in bindings.chunk_by(same).filter(|g| g.len() > FEW_BINDINGS) {
        let plain = |w: &[(NameId, u32)]| {
            let (a, b) = (of(&w[0]), of(&w[1]));
            a.namespace == b.namespace && a.from <= b.from
        };
        if group.windows(2).all(plain) {
            continue;
        }
        let mut crowd = BindingList::default();
        for (binding, (_, i)) in group.iter().map(|entry| (of(entry), entry)) {
            for (list, bit) in crowd.iter_mut().zip(0u8..) {
                if binding.namespace.intersects(Namespace(1 << bit)) {
                    list.push((binding.from, *i));
                }
            }
        }
        crowd.iter_mut().for_each(|list| list.sort_unstable());
        found.insert((of(&group[0]).scope, group[0].0), crowd);
    }
    found
}
