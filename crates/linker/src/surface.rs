//! The surface of a file: the part of its facts that linking other files may read.
//!
//! Linking reads another file from its definitions, imports and exports, and follows what these refer to: written
//! types, returned and assigned expressions, the bindings of the names in them. This module walks all of it and writes
//! it down, with numbers in order of first mention instead of indexes, and ranks instead of byte positions. Two
//! versions of a file with the same written surface therefore look the same from every other file. They differ only in
//! bodies that no other file reads.

use crate::repo::{FileId, GlobalDef};
use base::SymbolKind;
use base::facts::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// The part of a file that others see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Surface {
    /// Hash of everything that was walked.
    hash: [u8; 32],
    /// The definitions that were walked, in order of first mention.
    defs: Vec<DefId>,
    /// The scopes that were walked, in order of first mention.
    scopes: Vec<ScopeId>,
    /// Names by which the surface refers to something.
    spoken: FxHashSet<NameId>,
    /// These, and the names of everything that was walked.
    names: FxHashSet<NameId>,
}

/// How the indexes of a file moved while its surface stayed the same.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct IndexRemap {
    defs: FxHashMap<DefId, DefId>,
    scopes: FxHashMap<ScopeId, ScopeId>,
}

/// The index of a removed definition.
const GONE: DefId = DefId(u32::MAX);

/// Definitions and imports that the walk skips, with the names under which files look for the definitions.
#[derive(Debug, Default)]
pub(crate) struct HiddenDefinitions {
    pub(crate) defs: FxHashSet<DefId>,
    pub(crate) names: FxHashSet<Box<str>>,
    /// The hidden definitions that no file looks for.
    pub(crate) quiet: FxHashSet<DefId>,
    /// Hidden imports.
    pub(crate) imports: FxHashSet<ImportId>,
}

impl HiddenDefinitions {
    fn hides_binding(&self, facts: &FileFacts, to: Bound) -> bool {
        match to {
            Bound::Def(def) => self.defs.contains(&def),
            Bound::Import(import) => self.imports.contains(&import),
            // All entities of a choice have one name, so it is hidden if one of them is.
            Bound::Either(choice) => {
                let all = facts.choice(choice).iter();
                all.copied().any(|one| self.hides_binding(facts, one))
            }
            Bound::Local { .. } | Bound::Param(..) | Bound::TypeParam(..) => false,
        }
    }
}

impl Surface {
    /// The surface of a file with these facts.
    pub fn from_facts(facts: &FileFacts) -> Surface {
        Surface::from_facts_without(facts, &HiddenDefinitions::default())
    }

    /// The surface without hidden definitions, except those that the rest of it mentions.
    pub(crate) fn from_facts_without(facts: &FileFacts, hidden: &HiddenDefinitions) -> Surface {
        let bindings = bindings(facts, hidden);
        let mut walk = SurfaceWriter::new(facts, hidden, &bindings);
        walk.write_roots();
        walk.write_reachable();
        walk.finish()
    }

    /// Whether it refers to something by one of these names. Others may then see, through it, what the name means.
    pub(crate) fn refers_to_any(&self, facts: &FileFacts, names: &FxHashSet<Box<str>>) -> bool {
        let spoken = self.spoken.iter().any(|n| names.contains(facts.name(*n)));
        spoken
            || facts
                .imports
                .iter()
                .any(|i| import_path_has_name(facts, i, names))
    }

    /// Whether one of these names occurs in it at all.
    pub(crate) fn mentions_any(&self, facts: &FileFacts, names: &FxHashSet<Box<str>>) -> bool {
        self.names.iter().any(|n| names.contains(facts.name(*n)))
    }

    /// How indexes moved from this surface to `new`; `None` if the surfaces differ.
    pub fn remap_to(&self, new: &Surface) -> Option<IndexRemap> {
        (self.hash == new.hash).then(|| IndexRemap {
            defs: changed_pairs(&self.defs, &new.defs),
            scopes: changed_pairs(&self.scopes, &new.scopes),
        })
    }

    /// The definitions that were walked.
    pub fn defs(&self) -> &[DefId] {
        &self.defs
    }
}

/// Whether the path of an import names definitions of files: enums in Rust, classes in Java.
fn import_path_has_name(facts: &FileFacts, import: &Import, names: &FxHashSet<Box<str>>) -> bool {
    let by_name = facts.language.profile().linking.paths_name_definitions;
    by_name && path_segments(facts.name(import.module)).any(|segment| names.contains(segment))
}

/// The names in a path.
pub(crate) fn path_segments(path: &str) -> impl Iterator<Item = &str> {
    path.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'))
}

/// The pairs whose index changed.
fn changed_pairs<T: Copy + Eq + std::hash::Hash>(old: &[T], new: &[T]) -> FxHashMap<T, T> {
    let both = old.iter().copied().zip(new.iter().copied());
    both.filter(|(old, new)| old != new).collect()
}

impl IndexRemap {
    /// Whether every index still means the same.
    pub fn is_identity(&self) -> bool {
        self.defs.is_empty() && self.scopes.is_empty()
    }

    /// Records removed definitions.
    pub(crate) fn mark_removed(&mut self, gone: impl Iterator<Item = DefId>) {
        self.defs.extend(gone.map(|def| (def, GONE)));
    }

    /// Whether a definition still exists after it was remapped.
    pub fn is_live(def: &GlobalDef) -> bool {
        def.def != GONE
    }

    /// The new index of the definition `old`.
    pub fn remap_def(&self, old: DefId) -> DefId {
        self.defs.get(&old).copied().unwrap_or(old)
    }

    /// The new index of the scope `old`.
    pub fn remap_scope(&self, old: ScopeId) -> ScopeId {
        self.scopes.get(&old).copied().unwrap_or(old)
    }

    /// The new index of the definition `old`, if it is in `file`.
    pub fn remap_gdef(&self, file: FileId, old: GlobalDef) -> GlobalDef {
        if old.file == file {
            GlobalDef {
                file,
                def: self.remap_def(old.def),
            }
        } else {
            old
        }
    }

    /// Remaps many definitions.
    pub fn remap_all<'d>(&self, file: FileId, defs: impl Iterator<Item = &'d mut GlobalDef>) {
        if !self.defs.is_empty() {
            defs.for_each(|def| *def = self.remap_gdef(file, *def));
        }
    }

    /// Remaps the keys of a table.
    pub fn remap_keys<V>(&self, file: FileId, table: &mut FxHashMap<GlobalDef, V>) {
        let gone = |def: &&GlobalDef| def.file == file && self.defs.contains_key(&def.def);
        let old: Vec<GlobalDef> = table.keys().filter(gone).copied().collect();
        let taken = old
            .into_iter()
            .filter_map(|def| Some((def, table.remove(&def)?)));
        let taken: Vec<(GlobalDef, V)> = taken.collect();
        table.extend(
            taken
                .into_iter()
                .map(|(def, value)| (self.remap_gdef(file, def), value)),
        );
    }
}

enum Task {
    /// The definition itself.
    Def(DefId),
    /// The types and values that it refers to.
    Inside(DefId),
    Scope(ScopeId),
    Expr(ExprId),
    Type(TypeId),
    /// The bindings of a name, from a scope outwards.
    Name(ScopeId, NameId),
}

/// Numbers in order of first mention.
struct FirstMentionNumbers<T>(FxHashMap<T, u32>);

impl<T: Copy + Eq + std::hash::Hash> FirstMentionNumbers<T> {
    /// The number, and whether this is the first mention.
    fn intern(&mut self, item: T) -> (u32, bool) {
        let next = self.0.len() as u32;
        let number = *self.0.entry(item).or_insert(next);
        (number, number == next)
    }
}

/// Stable numbers of all definitions and all imports of a file.
pub(crate) type Places<'f> = (&'f [u64], &'f [u64]);

/// The content of one definition; it refers to other definitions of the file by their place.
#[derive(Debug)]
pub(crate) struct DefinitionFingerprint {
    /// Hash of the content.
    pub(crate) hash: [u8; 32],
    /// Names by which it refers to something.
    pub(crate) spoken: FxHashSet<NameId>,
}

impl DefinitionFingerprint {
    /// Walks one definition.
    pub(crate) fn from_definition(
        facts: &FileFacts,
        id: DefId,
        places: Places<'_>,
        bindings: &Bindings,
    ) -> DefinitionFingerprint {
        let hidden = HiddenDefinitions::default();
        let mut walk = SurfaceWriter::new(facts, &hidden, bindings);
        walk.only = Some((id, places));
        walk.write_def_ref_with_contents(id);
        walk.write_reachable();
        let surface = walk.finish();
        DefinitionFingerprint {
            hash: surface.hash,
            spoken: surface.spoken,
        }
    }
}

struct SurfaceWriter<'f> {
    facts: &'f FileFacts,
    hidden: &'f HiddenDefinitions,
    /// If only one definition is walked: its id, and the numbers that stand for the others.
    only: Option<(DefId, Places<'f>)>,
    /// The number that stands for each import.
    numbers: Vec<u32>,
    spoken: FxHashSet<NameId>,
    out: Vec<u8>,
    open: VecDeque<Task>,
    names: FirstMentionNumbers<NameId>,
    defs: FirstMentionNumbers<DefId>,
    scopes: FirstMentionNumbers<ScopeId>,
    exprs: FirstMentionNumbers<ExprId>,
    types: FirstMentionNumbers<TypeId>,
    inside: FxHashSet<DefId>,
    looked_up: FxHashSet<(ScopeId, NameId)>,
    in_order: (Vec<DefId>, Vec<ScopeId>),
    /// Byte positions in order of mention.
    positions: Vec<u32>,
    bindings: &'f Bindings,
}

/// Indexes of bindings, by scope and name.
pub(crate) type Bindings = FxHashMap<(ScopeId, NameId), Vec<u32>>;

/// The bindings of a file, without those to hidden definitions and imports.
pub(crate) fn bindings(facts: &FileFacts, hidden: &HiddenDefinitions) -> Bindings {
    let mut bindings = Bindings::default();
    for (at, binding) in facts.bindings.iter().enumerate() {
        if hidden.hides_binding(facts, binding.to) {
            continue;
        }
        let key = (binding.scope, binding.name);
        bindings.entry(key).or_default().push(at as u32);
    }
    bindings
}

impl<'f> SurfaceWriter<'f> {
    fn new(
        facts: &'f FileFacts,
        hidden: &'f HiddenDefinitions,
        bindings: &'f Bindings,
    ) -> SurfaceWriter<'f> {
        let mut count = 0;
        let number = |at: u32| {
            let is_hidden = hidden.imports.contains(&ImportId(at));
            count += u32::from(!is_hidden);
            if is_hidden { u32::MAX } else { count }
        };
        SurfaceWriter {
            facts,
            hidden,
            numbers: (0..facts.imports.len() as u32).map(number).collect(),
            only: None,
            spoken: FxHashSet::default(),
            out: Vec::with_capacity(4096),
            open: VecDeque::new(),
            names: FirstMentionNumbers(FxHashMap::default()),
            defs: FirstMentionNumbers(FxHashMap::default()),
            scopes: FirstMentionNumbers(FxHashMap::default()),
            exprs: FirstMentionNumbers(FxHashMap::default()),
            types: FirstMentionNumbers(FxHashMap::default()),
            inside: FxHashSet::default(),
            looked_up: FxHashSet::default(),
            in_order: (Vec::new(), Vec::new()),
            positions: Vec::new(),
            bindings,
        }
    }

    /// Writes what the tables over all files are built from, and where a look into the file begins.
    fn write_roots(&mut self) {
        let facts = self.facts;
        self.write_u32(facts.language as u32);
        self.write_option(facts.package, SurfaceWriter::write_name);
        self.write_option(facts.constraint, SurfaceWriter::write_name);
        self.write_u32((facts.imports.len() - self.hidden.imports.len()) as u32);
        for (import, at) in facts.imports.iter().zip(0..) {
            if !self.hidden.imports.contains(&ImportId(at)) {
                self.write_import(import);
            }
        }
        let hidden = self.hidden;
        let shown = |e: &&Export| {
            let local =
                matches!(e.what, Exported::Local(name) if hidden.names.contains(facts.name(name)));
            !local
        };
        let exports = facts.exports.iter().filter(shown);
        self.write_u32(exports.clone().count() as u32);
        for export in exports {
            self.write_export(export);
        }
        for (at, def) in facts.defs.iter().enumerate() {
            let id = DefId(at as u32);
            // Function literals are seen through what mentions them, and the rules of a macro through the macro.
            let is_literal = def.flags.has(DefFlags::ANONYMOUS) && def.kind.is_callable();
            if is_literal || self.hidden.defs.contains(&id) {
                continue;
            }
            self.write_def_ref(id);
            let is_type = def.kind.is_type() || def.kind == SymbolKind::Impl;
            if is_type || !def.flags.has(DefFlags::LOCAL) {
                self.queue_contents(id);
            }
        }
        for binding in &facts.bindings {
            if self.hidden.hides_binding(facts, binding.to) {
                continue;
            }
            let kind = facts.scope(binding.scope).kind;
            if matches!(kind, ScopeKind::File | ScopeKind::Module | ScopeKind::Class) {
                self.write_scope_ref(binding.scope);
                self.write_name(binding.name);
                self.queue_name_lookup(binding.scope, binding.name);
            }
        }
    }

    fn write_reachable(&mut self) {
        while let Some(task) = self.open.pop_front() {
            match task {
                Task::Def(id) => self.write_def(id),
                Task::Inside(id) => self.write_contents(id),
                Task::Scope(id) => self.write_scope(id),
                Task::Expr(id) => self.write_expr(id),
                Task::Type(id) => self.write_type(id),
                Task::Name(scope, name) => self.write_bindings(scope, name),
            }
        }
    }

    fn finish(mut self) -> Surface {
        let ranks = ranks_of(&self.positions);
        ranks.iter().for_each(|rank| self.write_u32(*rank));
        // The order of two definitions can decide between them.
        let order: Vec<u32> = self.in_order.0.iter().map(|d| d.0).collect();
        ranks_of(&order)
            .iter()
            .for_each(|rank| self.write_u32(*rank));
        Surface {
            hash: *blake3::hash(&self.out).as_bytes(),
            defs: self.in_order.0,
            scopes: self.in_order.1,
            spoken: self.spoken,
            names: self.names.0.into_keys().collect(),
        }
    }

    // ---- mentions ----

    fn write_u32(&mut self, number: u32) {
        self.out.extend(number.to_le_bytes());
    }

    fn write_option<T>(&mut self, item: Option<T>, write: fn(&mut Self, T)) {
        self.write_u32(u32::from(item.is_some()));
        if let Some(item) = item {
            write(self, item);
        }
    }

    fn write_all<T: Copy>(&mut self, items: &[T], write: fn(&mut Self, T)) {
        self.write_u32(items.len() as u32);
        items.iter().for_each(|item| write(self, *item));
    }

    fn record_position(&mut self, at: u32) {
        self.positions.push(at);
    }

    fn write_name(&mut self, id: NameId) {
        let (number, first) = self.names.intern(id);
        self.write_u32(number);
        if first {
            let text = self.facts.name(id);
            self.write_u32(text.len() as u32);
            self.out.extend(text.as_bytes());
        }
    }

    /// Writes a name that refers to something.
    fn write_reference(&mut self, id: NameId) {
        self.write_name(id);
        self.spoken.insert(id);
    }

    fn write_def_ref(&mut self, id: DefId) {
        if let Some(place) = self.placeholder_of(id) {
            self.out.extend(place.to_le_bytes());
            return;
        }
        let (number, first) = self.defs.intern(id);
        self.write_u32(number);
        if first {
            self.in_order.0.push(id);
            self.open.push_back(Task::Def(id));
        }
    }

    /// Writes a definition whose types and values are read through this mention.
    fn write_def_ref_with_contents(&mut self, id: DefId) {
        self.write_def_ref(id);
        self.queue_contents(id);
    }

    /// The number that stands for a definition that is not walked.
    fn placeholder_of(&self, id: DefId) -> Option<u64> {
        let (start, (places, _)) = self.only?;
        let is_part = id == start || self.facts.def(id).flags.has(DefFlags::ANONYMOUS);
        places.get(id.index()).copied().filter(|_| !is_part)
    }

    fn queue_contents(&mut self, id: DefId) {
        if self.placeholder_of(id).is_some() {
            return;
        }
        if self.inside.insert(id) {
            self.open.push_back(Task::Inside(id));
        }
    }

    fn write_scope_ref(&mut self, id: ScopeId) {
        let (number, first) = self.scopes.intern(id);
        self.write_u32(number);
        if first {
            self.in_order.1.push(id);
            self.open.push_back(Task::Scope(id));
        }
    }

    fn write_expr_ref(&mut self, id: ExprId) {
        let (number, first) = self.exprs.intern(id);
        self.write_u32(number);
        if first {
            self.open.push_back(Task::Expr(id));
        }
    }

    fn write_type_ref(&mut self, id: TypeId) {
        let (number, first) = self.types.intern(id);
        self.write_u32(number);
        if first {
            self.open.push_back(Task::Type(id));
        }
    }

    fn queue_name_lookup(&mut self, scope: ScopeId, name: NameId) {
        if self.looked_up.insert((scope, name)) {
            self.open.push_back(Task::Name(scope, name));
        }
    }

    // ---- contents of what is mentioned ----

    fn write_import(&mut self, import: &Import) {
        self.write_name(import.module);
        match import.what {
            Imported::Name(name) | Imported::Static(name) => {
                // Others also look the import up under its own name.
                if import.local.is_some_and(|local| local != name) {
                    self.spoken.insert(name);
                }
                self.out.push(if matches!(import.what, Imported::Name(_)) {
                    100
                } else {
                    101
                });
                self.write_name(name);
            }
            other => self.out.push(match other {
                Imported::Module => 0,
                Imported::Root => 1,
                Imported::Default => 2,
                Imported::Glob => 3,
                Imported::SideEffect => 4,
                Imported::StaticGlob => 5,
                _ => 6,
            }),
        }
        self.write_option(import.local, SurfaceWriter::write_name);
        self.write_scope_ref(import.scope);
        self.write_option(import.owner, SurfaceWriter::write_def_ref);
        self.write_u32(import.level);
        self.out.push(u8::from(import.type_only));
        self.out.push(import.visibility as u8);
        self.write_option(import.condition, SurfaceWriter::write_name);
    }

    fn write_export(&mut self, export: &Export) {
        self.write_option(export.name, SurfaceWriter::write_name);
        match export.what {
            Exported::Local(name) => {
                self.out.push(0);
                self.write_name(name);
                self.queue_name_lookup(FILE_SCOPE, name);
                if export.name != Some(name) {
                    self.spoken.insert(name);
                }
            }
            Exported::Expr(expr) => {
                self.out.push(1);
                self.write_expr_ref(expr);
            }
            Exported::Import(import) => {
                self.out.push(2);
                self.write_u32(self.numbers[import.index()]);
                if let Imported::Name(name) = self.facts.import(import).what
                    && export.name != Some(name)
                {
                    self.spoken.insert(name);
                }
            }
            Exported::Whole(expr) => {
                self.out.push(3);
                self.write_expr_ref(expr);
            }
        }
    }

    fn write_def(&mut self, id: DefId) {
        let def = self.facts.def(id);
        self.write_name(def.name);
        self.write_u32(def.kind as u32);
        self.write_u32(def.flags.0 & DefFlags::FOR_LINKING.0);
        self.out.push(def.visibility as u8);
        self.write_option(def.condition, SurfaceWriter::write_name);
        self.write_option(def.parent, SurfaceWriter::write_def_ref);
        self.write_scope_ref(def.scope);
        self.write_option(def.body, SurfaceWriter::write_scope_ref);
        self.write_u32(
            def.callable
                .as_ref()
                .map_or(u32::MAX, |c| c.params.len() as u32),
        );
        if let Some(callable) = &def.callable {
            self.write_option(callable.receiver, SurfaceWriter::write_reference);
            for param in &callable.params {
                self.write_name(param.name);
                self.out.push(param.kind as u8);
            }
            for count in &callable.lists {
                self.write_u32(*count);
            }
        }
    }

    fn write_contents(&mut self, id: DefId) {
        let def = self.facts.def(id);
        let (number, _) = self.defs.intern(id);
        self.write_u32(number);
        self.write_u32(def.type_params.len() as u32);
        for param in &def.type_params {
            self.write_name(param.name);
            self.write_all(&param.bounds, SurfaceWriter::write_type_ref);
            self.write_option(param.default, SurfaceWriter::write_type_ref);
        }
        self.write_u32(def.supers.len() as u32);
        for (ty, kind) in &def.supers {
            self.write_type_ref(*ty);
            self.out.push(*kind as u8);
        }
        self.write_option(def.ty, SurfaceWriter::write_type_ref);
        self.write_option(def.value, SurfaceWriter::write_expr_ref);
        self.write_all(&def.decorators, SurfaceWriter::write_expr_ref);
        if def.kind == SymbolKind::Macro {
            let rules = rules_of_macro(self.facts, id);
            self.write_all(&rules, SurfaceWriter::write_def_ref_with_contents);
        }
        let Some(callable) = &def.callable else {
            return;
        };
        for param in &callable.params {
            self.write_option(param.ty, SurfaceWriter::write_type_ref);
            self.write_option(param.default, SurfaceWriter::write_expr_ref);
        }
        self.write_option(callable.ret, SurfaceWriter::write_type_ref);
        self.write_all(&callable.returns, SurfaceWriter::write_expr_ref);
        self.write_all(&callable.yields, SurfaceWriter::write_expr_ref);
        if let Some((call, at)) = callable.argument_of {
            self.write_expr_ref(call);
            self.write_u32(at);
        }
    }

    fn write_scope(&mut self, id: ScopeId) {
        let scope = self.facts.scope(id);
        self.out.push(scope.kind as u8);
        self.write_option(scope.parent, SurfaceWriter::write_scope_ref);
        match scope.kind {
            ScopeKind::Class => {
                self.write_option(scope.owner, SurfaceWriter::write_def_ref_with_contents)
            }
            _ => self.write_option(scope.owner, SurfaceWriter::write_def_ref),
        }
    }

    /// Writes every binding of the name in the scope and those around it. The language decides which of them counts.
    fn write_bindings(&mut self, scope: ScopeId, name: NameId) {
        let found = self.bindings.get(&(scope, name)).cloned();
        let found = found.unwrap_or_default();
        self.write_u32(found.len() as u32);
        for at in found {
            let binding = &self.facts.bindings[at as usize];
            self.out.push(binding.namespace.0);
            self.record_position(binding.from);
            self.write_bound(binding.to);
        }
        // Scopes in between are written with the scopes inside them.
        let mut above = self.facts.scope(scope).parent;
        while let Some(parent) = above {
            if self.bindings.contains_key(&(parent, name)) {
                self.write_scope_ref(parent);
                self.queue_name_lookup(parent, name);
                return;
            }
            above = self.facts.scope(parent).parent;
        }
    }

    fn write_bound(&mut self, to: Bound) {
        match to {
            Bound::Def(def) => {
                self.out.push(0);
                self.write_def_ref_with_contents(def);
            }
            Bound::Import(import) => {
                self.out.push(1);
                match self.only {
                    Some((_, (_, places))) => {
                        self.out.extend(places[import.index()].to_le_bytes());
                    }
                    None => self.write_u32(self.numbers[import.index()]),
                }
            }
            Bound::Local { ty, value } => {
                self.out.push(2);
                self.write_option(ty, SurfaceWriter::write_type_ref);
                self.write_option(value, SurfaceWriter::write_expr_ref);
            }
            Bound::Param(def, n) => {
                self.out.push(3);
                self.write_def_ref_with_contents(def);
                self.write_u32(n);
            }
            Bound::TypeParam(def, n) => {
                self.out.push(4);
                self.write_def_ref_with_contents(def);
                self.write_u32(n);
            }
            Bound::Either(choice) => {
                self.out.push(5);
                self.write_all(self.facts.choice(choice), SurfaceWriter::write_bound);
            }
        }
    }

    fn write_type(&mut self, id: TypeId) {
        let ty = self.facts.ty(id);
        self.write_variant_tag(ty);
        match ty {
            TypeExpr::Unknown => {}
            TypeExpr::Named {
                path,
                args,
                scope,
                at,
            } => {
                self.write_all(path, SurfaceWriter::write_reference);
                self.write_all(args, SurfaceWriter::write_type_ref);
                self.write_scope_ref(*scope);
                self.record_position(*at);
                if let Some(first) = path.first() {
                    self.queue_name_lookup(*scope, *first);
                }
            }
            TypeExpr::Primitive(primitive) => self.out.push(*primitive as u8),
            TypeExpr::Array(inner)
            | TypeExpr::Channel(inner)
            | TypeExpr::Optional(inner)
            | TypeExpr::Reference(inner) => self.write_type_ref(*inner),
            TypeExpr::Map(key, value) => {
                self.write_all(&[*key, *value], SurfaceWriter::write_type_ref)
            }
            TypeExpr::Union(parts) | TypeExpr::All(parts) | TypeExpr::Tuple(parts) => {
                self.write_all(parts, SurfaceWriter::write_type_ref);
            }
            TypeExpr::Function { params, ret } => {
                self.write_all(params, SurfaceWriter::write_type_ref);
                self.write_option(*ret, SurfaceWriter::write_type_ref);
            }
            TypeExpr::SelfType(def) | TypeExpr::Anonymous(def) => {
                self.write_def_ref_with_contents(*def)
            }
            TypeExpr::TypeOf(expr) => self.write_expr_ref(*expr),
            TypeExpr::Projection(of, name) | TypeExpr::Binding(name, of) => {
                self.write_type_ref(*of);
                self.write_reference(*name);
            }
        }
    }

    fn write_expr(&mut self, id: ExprId) {
        let expr = self.facts.expr(id);
        self.write_variant_tag(expr);
        match expr {
            Expr::Unknown => {}
            Expr::Name { name, scope, at } => {
                self.write_reference(*name);
                self.write_scope_ref(*scope);
                self.record_position(*at);
                self.queue_name_lookup(*scope, *name);
            }
            Expr::This(def) | Expr::Super(def) | Expr::Function(def) => {
                self.write_def_ref_with_contents(*def)
            }
            Expr::Member { object, name } | Expr::Scoped { object, name } => {
                self.write_expr_ref(*object);
                self.write_reference(*name);
            }
            Expr::Type(ty) => self.write_type_ref(*ty),
            Expr::Call {
                callee: of,
                args,
                type_args,
            }
            | Expr::New {
                class: of,
                args,
                type_args,
            } => {
                self.write_expr_ref(*of);
                self.write_all(args, SurfaceWriter::write_expr_ref);
                self.write_all(type_args, SurfaceWriter::write_type_ref);
            }
            Expr::Keyword(name, value) => {
                self.write_reference(*name);
                self.write_expr_ref(*value);
            }
            Expr::Spread(inner)
            | Expr::Element(inner)
            | Expr::Key(inner)
            | Expr::Enter(inner)
            | Expr::Borrowed(inner)
            | Expr::Bare(inner)
            | Expr::Await(inner)
            | Expr::Expanded(inner)
            | Expr::Try(inner) => self.write_expr_ref(*inner),
            Expr::Index { object, index } => {
                self.write_all(&[*object, *index], SurfaceWriter::write_expr_ref)
            }
            Expr::Operation(left, right) => {
                self.write_all(&[*left, *right], SurfaceWriter::write_expr_ref)
            }
            Expr::Part(inner, n) | Expr::Expected(inner, n) => {
                self.write_expr_ref(*inner);
                self.write_u32(*n);
            }
            Expr::Payload {
                value,
                variant,
                index,
            } => {
                self.write_all(&[*value, *variant], SurfaceWriter::write_expr_ref);
                self.write_u32(*index);
            }
            Expr::Cast(inner, ty) | Expr::Without(inner, ty) => {
                self.write_expr_ref(*inner);
                self.write_type_ref(*ty);
            }
            Expr::Either(parts) | Expr::Tuple(parts) | Expr::List(parts) => {
                self.write_all(parts, SurfaceWriter::write_expr_ref);
            }
            Expr::Dict(first) => {
                self.write_u32(u32::from(first.is_some()));
                if let Some((key, value)) = first {
                    self.write_all(&[*key, *value], SurfaceWriter::write_expr_ref);
                }
            }
            Expr::Object(fields) => {
                self.write_u32(fields.len() as u32);
                for (name, value) in fields {
                    self.write_reference(*name);
                    self.write_expr_ref(*value);
                }
            }
            Expr::Literal(primitive) => self.out.push(*primitive as u8),
        }
    }

    /// Writes the kind of an expression or type. The number holds for this process alone: surfaces are not stored.
    fn write_variant_tag<T>(&mut self, of: &T) {
        use std::hash::{Hash, Hasher};
        let mut hasher = rustc_hash::FxHasher::default();
        std::mem::discriminant(of).hash(&mut hasher);
        self.out.extend(hasher.finish().to_le_bytes());
    }
}

/// The rules of a macro, which are functions without a name. A call in any file reads them, though nothing mentions
/// them. The contents of a definition follow it directly.
fn rules_of_macro(facts: &FileFacts, id: DefId) -> Vec<DefId> {
    let after = facts.defs.iter().enumerate().skip(id.index() + 1);
    let inside = after.take_while(|(_, def)| def.parent.is_some_and(|parent| parent >= id));
    let rules = inside.filter(|(_, def)| {
        let is_literal = def.flags.has(DefFlags::ANONYMOUS) && def.kind.is_callable();
        is_literal && def.parent == Some(id)
    });
    rules.map(|(at, _)| DefId(at as u32)).collect()
}

/// The rank of each number: how many distinct numbers are smaller.
fn ranks_of(numbers: &[u32]) -> Vec<u32> {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    let rank = |number: &u32| sorted.partition_point(|other| other < number) as u32;
    numbers.iter().map(rank).collect()
}
