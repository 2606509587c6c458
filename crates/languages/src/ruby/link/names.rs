//! Classes, modules and constants of all files by their places: the class around and the name.

use base::facts::*;
use base::{Language, SymbolKind, is_test_path};
use linker::repo::{FileId, GlobalDef, Repo, Sym};
use linker::surface::IndexRemap;
use rustc_hash::FxHashMap;

/// A class or module, by its number.
pub(super) type Class = u32;

/// The class around everything.
pub(super) const TOP: Class = u32::MAX;

/// Most classes of one name that are compared.
const MOST_NAMESAKES: usize = 64;
/// Most names of a path that are followed.
const LONGEST_PATH: usize = 64;

/// A class or module with all places where it is opened.
#[derive(Debug, Default)]
pub(super) struct ClassInfo {
    /// Where it is opened, files of tests last. None if only a class inside of it is known.
    pub(super) parts: Vec<GlobalDef>,
    /// Only files of tests open it.
    of_tests: bool,
    /// The class around and the name.
    pub(super) place: Option<(Class, Sym)>,
}

/// What a place has.
#[derive(Debug, Default)]
struct Slot {
    classes: Vec<Class>,
    constants: Vec<GlobalDef>,
}

/// What a constant denotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Named {
    Class(Class),
    Constant(GlobalDef),
}

/// All classes, modules and constants.
#[derive(Default)]
pub(super) struct Names {
    pub(super) classes: Vec<ClassInfo>,
    of: FxHashMap<GlobalDef, Class>,
    slots: FxHashMap<(Class, Sym), Slot>,
    /// Whether each file is one of tests.
    tests: Vec<bool>,
    paths: Vec<std::sync::Arc<str>>,
    /// Modules that scripts include, so that every object has them.
    pub(super) top_included: Vec<(FileId, Class)>,
}

impl Names {
    pub(super) fn new(repo: &Repo) -> Names {
        let mut out = Names::default();
        let mut files = Vec::new();
        for (id, file) in repo.files() {
            out.tests.push(is_of_tests(&file.path));
            out.paths.push(file.path.clone());
            if file.facts.language == Language::Ruby {
                files.push(id);
            }
        }
        files.sort_by_key(|id| (out.is_test(*id), *id));
        // Paths inside of other classes need all classes first.
        for only_paths in [false, true] {
            for file in &files {
                out.add_file(repo, *file, only_paths);
            }
        }
        for info in &mut out.classes {
            info.parts.dedup();
        }
        out
    }

    fn add_file(&mut self, repo: &Repo, file: FileId, only_paths: bool) {
        let facts = repo.facts(file);
        for (def, at) in facts.defs.iter().zip(0u32..) {
            let id = GlobalDef {
                file,
                def: DefId(at),
            };
            if is_class(def) {
                if self.of.contains_key(&id) {
                    continue;
                }
                if !only_paths && self.waits(facts, def, file) {
                    continue;
                }
                self.add_class(repo, id);
            } else if def.kind == SymbolKind::Constant && only_paths {
                let outer = self.outer_of(facts, def, file);
                let place = self.place_of(repo, id, outer);
                self.slots.entry(place).or_default().constants.push(id);
            }
        }
    }

    /// Whether a class has a path inside of another class, or stands in one that has.
    fn waits(&self, facts: &FileFacts, def: &Def, file: FileId) -> bool {
        if let Some(outer) = class_around(facts, def) {
            let id = GlobalDef { file, def: outer };
            return !self.of.contains_key(&id) || has_path(facts, def);
        }
        false
    }

    fn add_class(&mut self, repo: &Repo, id: GlobalDef) {
        let facts = repo.facts(id.file);
        let def = facts.def(id.def);
        if def.flags.has(DefFlags::ANONYMOUS) && def.ty.is_none() {
            let class = self.new_class(None, id.file);
            self.classes[class as usize].parts.push(id);
            self.of.insert(id, class);
            return;
        }
        let outer = self.outer_of(facts, def, id.file);
        let place = self.place_of(repo, id, outer);
        let class = self.class_for(place, id.file);
        self.classes[class as usize].parts.push(id);
        self.of.insert(id, class);
    }

    /// The class of a place that a file opens. Tests of one name in several files are classes of their own.
    fn class_for(&mut self, place: (Class, Sym), file: FileId) -> Class {
        let is_test = self.is_test(file);
        let known = self.slots.get(&place).map_or(&[][..], |slot| &slot.classes);
        let own = |class: &&Class| {
            let info = &self.classes[**class as usize];
            let is_open = if is_test {
                let is_of_library = info.parts.iter().any(|part| self.is_library(part.file));
                !info.of_tests && (is_of_library || info.parts.is_empty())
            } else {
                !info.of_tests
            };
            is_open || info.parts.iter().any(|part| part.file == file)
        };
        if let Some(found) = known.iter().find(own) {
            return *found;
        }
        let class = self.new_class(Some(place), file);
        self.classes[class as usize].of_tests = is_test;
        self.slots.entry(place).or_default().classes.push(class);
        class
    }

    fn new_class(&mut self, place: Option<(Class, Sym)>, file: FileId) -> Class {
        let class = self.classes.len() as Class;
        self.classes.push(ClassInfo {
            parts: Vec::new(),
            of_tests: self.is_test(file),
            place,
        });
        class
    }

    /// The class whose text a definition stands in.
    fn outer_of(&self, facts: &FileFacts, def: &Def, file: FileId) -> Class {
        let mut next = class_around(facts, def);
        while let Some(outer) = next {
            let it = facts.def(outer);
            let is_nameless = it.flags.has(DefFlags::ANONYMOUS);
            if !is_nameless && let Some(class) = self.of.get(&GlobalDef { file, def: outer }) {
                return *class;
            }
            // What a block of examples defines belongs to the class around it.
            next = class_around(facts, it);
        }
        TOP
    }

    /// The place of a class or constant, which may be written with a path.
    fn place_of(&mut self, repo: &Repo, id: GlobalDef, outer: Class) -> (Class, Sym) {
        let facts = repo.facts(id.file);
        let def = facts.def(id.def);
        let own = (outer, repo.sym_of_name(id.file, def.name));
        let Some(TypeExpr::Named { path, scope, .. }) = def.ty.map(|ty| facts.ty(ty)) else {
            return own;
        };
        let [first, middle @ .., last] = &path[..] else {
            return match (&path[..], *scope == FILE_SCOPE) {
                ([only], true) => (TOP, repo.sym_of_name(id.file, *only)),
                ([only], false) if def.flags.has(DefFlags::ANONYMOUS) => {
                    let sym = repo.sym_of_name(id.file, *only);
                    (self.holder(outer, sym, id.file), sym)
                }
                _ => own,
            };
        };
        let first = repo.sym_of_name(id.file, *first);
        let start = if *scope == FILE_SCOPE { TOP } else { outer };
        let home = self.holder(start, first, id.file);
        let mut class = self.class_for((home, first), id.file);
        for name in middle.iter().take(LONGEST_PATH) {
            class = self.class_for((class, repo.sym_of_name(id.file, *name)), id.file);
        }
        (class, repo.sym_of_name(id.file, *last))
    }

    /// The innermost class from `outer` on that has a class of that name.
    fn holder(&self, outer: Class, name: Sym, file: FileId) -> Class {
        let mut next = outer;
        for _ in 0..LONGEST_PATH {
            if self.class_in(next, name, file).is_some() || next == TOP {
                return next;
            }
            next = self.around(next);
        }
        TOP
    }

    /// The class around a class.
    pub(super) fn around(&self, class: Class) -> Class {
        let info = self.classes.get(class as usize);
        info.and_then(|info| info.place)
            .map_or(TOP, |place| place.0)
    }

    pub(super) fn is_test(&self, file: FileId) -> bool {
        self.tests.get(file.0 as usize).copied().unwrap_or(false)
    }

    /// Whether a file lies where libraries and applications have their code.
    fn is_library(&self, file: FileId) -> bool {
        let path = self.paths.get(file.0 as usize);
        path.is_some_and(|path| path.split('/').any(|s| matches!(s, "lib" | "app")))
    }

    /// The class that a definition opens.
    pub(super) fn class_of(&self, def: GlobalDef) -> Option<Class> {
        self.of.get(&def).copied()
    }

    /// The definition that stands for a class: the first place where it is opened.
    pub(super) fn canonical(&self, class: Class) -> Option<GlobalDef> {
        self.classes.get(class as usize)?.parts.first().copied()
    }

    /// The class of a name directly in another one, as a file sees it.
    pub(super) fn class_in(&self, outer: Class, name: Sym, file: FileId) -> Option<Class> {
        let slot = self.slots.get(&(outer, name))?;
        self.seen_class(slot, file)
    }

    fn seen_class(&self, slot: &Slot, file: FileId) -> Option<Class> {
        let all = &slot.classes;
        let opens = |c: &&Class| {
            let parts = &self.classes[**c as usize].parts;
            parts.iter().any(|part| part.file == file)
        };
        match all[..] {
            [] => None,
            [one] => Some(one),
            _ => all
                .iter()
                .find(opens)
                .copied()
                .or_else(|| self.nearest(all, file)),
        }
    }

    /// Of several classes of tests, the one in whose folder a file lies, if there is only one nearest.
    fn nearest(&self, all: &[Class], file: FileId) -> Option<Class> {
        let here = self.paths.get(file.0 as usize)?;
        let near = |class: &Class| {
            let parts = self.classes[*class as usize].parts.iter();
            let paths = parts.filter_map(|part| self.paths.get(part.file.0 as usize));
            paths
                .map(|path| common_segments(here, path))
                .max()
                .unwrap_or(0)
        };
        if all.len() > MOST_NAMESAKES {
            return None;
        }
        let best = all.iter().map(near).max()?;
        let mut found = all.iter().filter(|class| near(class) == best);
        let first = found.next().copied();
        first.filter(|_| best > 0 && found.next().is_none())
    }

    /// What a name directly in a class denotes.
    pub(super) fn named_in(&self, outer: Class, name: Sym, file: FileId) -> Option<Named> {
        let slot = self.slots.get(&(outer, name))?;
        if let Some(class) = self.seen_class(slot, file) {
            return Some(Named::Class(class));
        }
        let own = slot.constants.iter().find(|c| c.file == file);
        let product = slot.constants.iter().find(|c| !self.is_test(c.file));
        match (own.or(product), &slot.constants[..]) {
            (Some(found), _) => Some(Named::Constant(*found)),
            (None, [only]) => Some(Named::Constant(*only)),
            _ => None,
        }
    }

    /// Updates definitions of a file whose indexes moved.
    pub(super) fn follow(&mut self, file: FileId, moved: &IndexRemap) {
        moved.remap_keys(file, &mut self.of);
        let parts = self.classes.iter_mut().flat_map(|info| &mut info.parts);
        moved.remap_all(file, parts);
        let slots = self.slots.values_mut();
        moved.remap_all(file, slots.flat_map(|slot| &mut slot.constants));
    }

    /// The modules that every object has in a file: those that it includes itself, and in a test those of other tests.
    pub(super) fn included_at_top(&self, file: FileId) -> impl Iterator<Item = Class> + '_ {
        let of_test = self.is_test(file);
        let all = self.top_included.iter();
        all.filter(move |(from, _)| *from == file || of_test && self.is_test(*from))
            .map(|(_, class)| *class)
    }

    /// Whether a place is known at all, though not which class a file means.
    pub(super) fn is_known(&self, outer: Class, name: Sym) -> bool {
        self.slots.contains_key(&(outer, name))
    }

    /// The classes around a scope, innermost first.
    pub(super) fn lexical(&self, facts: &FileFacts, scope: ScopeId, file: FileId) -> Vec<Class> {
        let mut out = Vec::new();
        let mut next = facts.scope(scope).owner;
        while let Some(def) = next {
            if let Some(class) = self.of.get(&GlobalDef { file, def }) {
                out.push(*class);
            }
            if out.len() > LONGEST_PATH {
                break;
            }
            next = facts.def(def).parent;
        }
        out
    }
}

/// Whether a file belongs to tests. A library for tests (`lib/active_support/test_case.rb`) does not.
fn is_of_tests(path: &str) -> bool {
    let is_folder = |names: &[&str]| path.split('/').any(|segment| names.contains(&segment));
    is_test_path(path) && (!is_folder(&["lib"]) || is_folder(&["test", "tests", "spec", "specs"]))
}

fn common_segments(a: &str, b: &str) -> usize {
    a.split('/')
        .zip(b.split('/'))
        .take_while(|(a, b)| a == b)
        .count()
}

/// Whether a definition opens a class or module.
pub(super) fn is_class(def: &Def) -> bool {
    matches!(def.kind, SymbolKind::Class | SymbolKind::Module)
}

/// The nearest class around a definition.
fn class_around(facts: &FileFacts, def: &Def) -> Option<DefId> {
    let mut next = def.parent;
    while let Some(id) = next {
        let it = facts.def(id);
        if is_class(it) {
            return Some(id);
        }
        next = it.parent;
    }
    None
}

fn has_path(facts: &FileFacts, def: &Def) -> bool {
    let path = def.ty.map(|ty| facts.ty(ty));
    matches!(path, Some(TypeExpr::Named { path, scope, .. }) if path.len() > 1 || *scope != FILE_SCOPE)
}
