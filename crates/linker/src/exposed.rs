//! The names that a change of definitions exposes to other files.
//!
//! Other files find a definition by its name. A changed definition counts as one removed and one added. If everything
//! else that others see of the file is as before, another file can be linked differently in two cases only: it has one
//! of the added or removed names, or it reads through a third file that refers to something by such a name. A
//! definition that a language finds by other means than its name is not handled here.

use crate::surface::{
    DefinitionFingerprint, HiddenDefinitions, IndexRemap, Surface, bindings, path_segments,
};
use base::facts::*;
use base::language::FieldLookup;
use base::{Language, SymbolKind};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

/// The most names in one change; with more, everything is linked again.
const MOST_NAMES: usize = 64;

/// The longest chain of definitions that refer to a changed one. With a longer chain, everything is linked again.
const MOST_ROUNDS: usize = 8;

/// Definitions added to and removed from a file, if others see no other change.
#[derive(Debug)]
pub struct ExposedChanges {
    /// How the indexes of the other definitions moved.
    pub moved: IndexRemap,
    /// Added definitions.
    pub(crate) added: Vec<DefId>,
    /// The names under which files look for the added and removed definitions.
    pub(crate) names: FxHashSet<Box<str>>,
    /// Names that also affect a file which only defines something of that name.
    pub(crate) shared: FxHashSet<Box<str>>,
    /// Names of methods that were added to a type or removed from it. A type that inherits them may so implement an interface
    /// in a file that has none of the names.
    pub(crate) inherited: FxHashSet<Box<str>>,
    /// Names of added and removed imports that other files may import through this file.
    pub(crate) reimported_names: FxHashSet<Box<str>>,
    /// Names of added and removed imports in a language where other files cannot import through this file.
    pub(crate) own: FxHashSet<Box<str>>,
    /// Whether imports were added or removed.
    pub(crate) imports: bool,
    /// The surface of everything else, before and after.
    pub(crate) rest: (Surface, Surface),
}

impl ExposedChanges {
    /// The difference between two versions of a file's facts; `None` if others see more than definitions added and
    /// removed by name.
    pub fn diff(old: &FileFacts, new: &FileFacts) -> Option<ExposedChanges> {
        let (before, after) = changed_definitions(old, new)?;
        if !(are_found_by_name_only(old, &before)
            && are_found_by_name_only(new, &after)
            && is_same_module_kind(old, new))
        {
            return None;
        }
        let rest = (
            Surface::from_facts_without(old, &before),
            Surface::from_facts_without(new, &after),
        );
        let mut moved = rest.0.remap_to(&rest.1)?;
        let gone = unmentioned_definitions(old, &before, &rest.0)?;
        let fresh = unmentioned_definitions(new, &after, &rest.1)?;
        moved.mark_removed(gone.iter().copied());
        let (mut names, mut shared) = (FxHashSet::default(), FxHashSet::default());
        for (facts, hidden) in [(old, &before), (new, &after)] {
            collect_lookup_names(facts, hidden, &mut names, &mut shared)?;
        }
        // A new interface may be satisfied by types in other files, and a new method may satisfy interfaces there.
        if has_structural_interface_and_methods(old, &before)
            || has_structural_interface_and_methods(new, &after)
        {
            return None;
        }
        let (mut passed_on, mut own) = (FxHashSet::default(), FxHashSet::default());
        for (facts, hidden) in [(old, &before), (new, &after)] {
            collect_hidden_import_names(facts, hidden, &mut passed_on, &mut own)?;
        }
        let changes = [(old, &before), (new, &after)];
        let inherited = changes
            .iter()
            .flat_map(|(facts, hidden)| inherited_names(facts, hidden));
        let exposed = ExposedChanges {
            inherited: inherited.collect(),
            moved,
            imports: !(before.imports.is_empty() && after.imports.is_empty()),
            reimported_names: passed_on,
            own,
            added: fresh,
            names,
            shared,
            rest,
        };
        exposed.leaves_rest_independent(old, new).then_some(exposed)
    }

    /// The surface of everything else, before and after.
    pub fn surfaces_before_and_after(&self) -> (&Surface, &Surface) {
        (&self.rest.0, &self.rest.1)
    }

    /// The surface of everything else, after.
    pub(crate) fn surface_after(&self) -> &Surface {
        &self.rest.1
    }

    /// Whether the rest of the file refers to nothing that was added or removed.
    fn leaves_rest_independent(&self, old: &FileFacts, new: &FileFacts) -> bool {
        self.names.len() <= MOST_NAMES
            && !self.surface_refers_to_changes(&self.rest.0, old)
            && !self.surface_refers_to_changes(&self.rest.1, new)
    }

    fn surface_refers_to_changes(&self, rest: &Surface, facts: &FileFacts) -> bool {
        let all = [&self.names, &self.reimported_names, &self.own];
        all.iter().any(|names| rest.refers_to_any(facts, names))
            || rest.mentions_any(facts, &self.shared)
    }
}

/// A hash of the name and the enclosing definitions of each definition: equal for definitions of one name in one place.
fn def_place_hashes(facts: &FileFacts) -> Vec<u64> {
    let mut all: Vec<u64> = Vec::with_capacity(facts.defs.len());
    for def in &facts.defs {
        let mut hasher = FxHasher::default();
        let parent = def.parent.and_then(|p| all.get(p.index())).copied();
        let is_impl = def.kind == SymbolKind::Impl;
        (parent, facts.name(def.name), is_impl).hash(&mut hasher);
        // Go methods stand at the top level, so their receiver counts as well.
        let receiver = def.callable.as_ref().and_then(|c| c.receiver);
        receiver.map(|name| facts.name(name)).hash(&mut hasher);
        all.push(hasher.finish());
    }
    all
}

/// A hash of what each import brings, and whether it may be treated as added or removed: it must stand at the top of
/// the file, bring something under a name, and not be conditional.
fn import_hashes(facts: &FileFacts) -> Vec<(u64, bool)> {
    let one = |import: &Import| {
        let name = match import.what {
            Imported::Name(name) | Imported::Static(name) => Some(facts.name(name)),
            _ => None,
        };
        let local = import.local.map(|local| facts.name(local));
        let mut hasher = FxHasher::default();
        (facts.name(import.module), name, local, import.level).hash(&mut hasher);
        std::mem::discriminant(&import.what).hash(&mut hasher);
        (import.type_only, import.visibility as u8).hash(&mut hasher);
        let at_top = import.scope == FILE_SCOPE && import.owner.is_none();
        at_top.hash(&mut hasher);
        let has_name = !matches!(
            import.what,
            Imported::Glob | Imported::StaticGlob | Imported::Dynamic
        );
        let is_conditional = facts.language.profile().modules.conditional;
        (hasher.finish(), at_top && has_name && !is_conditional)
    };
    facts.imports.iter().map(one).collect()
}

/// Adds the names by which hidden imports are known. `None` if the file exports one of them, possibly under another
/// name.
fn collect_hidden_import_names(
    facts: &FileFacts,
    hidden: &HiddenDefinitions,
    passed_on: &mut FxHashSet<Box<str>>,
    own: &mut FxHashSet<Box<str>>,
) -> Option<()> {
    for export in &facts.exports {
        let of_hidden = matches!(export.what, Exported::Import(id) if hidden.imports.contains(&id));
        if of_hidden {
            return None;
        }
    }
    for id in &hidden.imports {
        let import = facts.import(*id);
        let to = if facts.language.profile().modules.passes_imports_on {
            &mut *passed_on
        } else {
            &mut *own
        };
        to.extend(import.local.map(|local| Box::from(facts.name(local))));
        if let Imported::Name(name) | Imported::Static(name) = import.what {
            to.insert(facts.name(name).into());
        }
        if import.local.is_none() && import.what != Imported::SideEffect {
            to.extend(path_segments(facts.name(import.module)).map(Box::from));
        }
        to.remove("");
    }
    Some(())
}

/// The definitions of a file, by place.
struct PlacedDefinitions<'f> {
    facts: &'f FileFacts,
    places: Vec<u64>,
    imports: Vec<(u64, bool)>,
    /// The number of imports with each hash.
    brings: FxHashMap<u64, u32>,
    /// The fingerprint of each definition; `None` for function literals, which are part of others.
    own: Vec<Option<DefinitionFingerprint>>,
    /// The hashes of the definitions at each place, in order.
    at: FxHashMap<u64, Vec<[u8; 32]>>,
}

impl PlacedDefinitions<'_> {
    fn from_facts(facts: &FileFacts) -> PlacedDefinitions<'_> {
        let places = def_place_hashes(facts);
        let bound = bindings(facts, &HiddenDefinitions::default());
        let imports = import_hashes(facts);
        let numbers: Vec<u64> = imports.iter().map(|(number, _)| *number).collect();
        let mut brings = FxHashMap::default();
        for number in &numbers {
            *brings.entry(*number).or_default() += 1;
        }
        let own = facts.defs.iter().zip(0u32..).map(|(def, at)| {
            let is_part = def.flags.has(DefFlags::ANONYMOUS) && def.kind.is_callable();
            (!is_part).then(|| {
                DefinitionFingerprint::from_definition(
                    facts,
                    DefId(at),
                    (&places, &numbers),
                    &bound,
                )
            })
        });
        let own: Vec<Option<DefinitionFingerprint>> = own.collect();
        let mut at: FxHashMap<u64, Vec<[u8; 32]>> = FxHashMap::default();
        for (place, own) in places.iter().zip(&own) {
            let hash = own.as_ref().map_or([0; 32], |own| own.hash);
            at.entry(*place).or_default().push(hash);
        }
        PlacedDefinitions {
            facts,
            places,
            imports,
            brings,
            own,
            at,
        }
    }

    /// The definitions that differ from `other`, those inside them, and those that refer to something by one of
    /// `names`.
    fn hidden_against(
        &self,
        other: &PlacedDefinitions<'_>,
        names: &FxHashSet<Box<str>>,
    ) -> HiddenDefinitions {
        let facts = self.facts;
        let mut out = HiddenDefinitions::default();
        for ((number, can_be), at) in self.imports.iter().zip(0..) {
            if *can_be && self.brings.get(number) != other.brings.get(number) {
                out.imports.insert(ImportId(at));
            }
        }
        let speaks =
            |own: &DefinitionFingerprint| own.spoken.iter().any(|n| names.contains(facts.name(*n)));
        let says = self.places.iter().zip(&self.own).zip(&facts.defs);
        let of_names = says.filter(|((_, own), _)| own.as_ref().is_some_and(speaks));
        let with: FxHashSet<u64> = of_names.map(|((place, _), _)| *place).collect();
        for (at, def) in facts.defs.iter().enumerate() {
            let id = DefId(at as u32);
            let place = &self.places[at];
            let differs = self.at.get(place) != other.at.get(place);
            let inside = def.parent.is_some_and(|p| out.defs.contains(&p));
            if !(differs || inside || with.contains(place)) {
                continue;
            }
            out.defs.insert(id);
            // Other files do not see a local function, unless it is a property of another function.
            let is_local = def.flags.has(DefFlags::LOCAL)
                && !def.flags.has(DefFlags::STATIC)
                && def.kind == SymbolKind::Function;
            let count = |of: &PlacedDefinitions<'_>| of.at.get(place).map_or(0, Vec::len);
            let stays = is_local && inside && count(self) == count(other);
            let is_nameless = def.flags.has(DefFlags::ANONYMOUS) && !is_known_by_name(facts, def);
            if stays || is_nameless {
                out.quiet.insert(id);
            } else if def.parent.is_none() {
                out.names.insert(facts.name(def.name).into());
            }
        }
        out
    }

    /// Whether each hidden definition that both files have may count as removed and added. A type may not: files refer
    /// to more of it than its name.
    fn can_be_replaced(&self, hidden: &HiddenDefinitions, other: &PlacedDefinitions<'_>) -> bool {
        hidden.defs.iter().all(|id| {
            let def = self.facts.def(*id);
            let is_whole = def.kind.is_type() || def.kind == SymbolKind::Impl;
            let place = &self.places[id.index()];
            let inside = def.parent.is_some_and(|p| hidden.defs.contains(&p));
            let count = |of: &PlacedDefinitions<'_>| of.at.get(place).map_or(0, Vec::len);
            !is_whole || inside || count(self) != count(other)
        })
    }
}

/// Whether files look for a member without a node by its name: what PHP's comments declare, and other names of methods
/// of traits.
fn is_known_by_name(facts: &FileFacts, def: &Def) -> bool {
    let in_type = def.parent.is_some_and(|p| facts.def(p).kind.is_type());
    let is_member = matches!(def.kind, SymbolKind::Property | SymbolKind::Method);
    facts.language.profile().linking.users_are_looked_up && in_type && is_member
}

/// The definitions to treat as removed and as added: those that changed, and those of the file that refer to them.
/// `None` if the change cannot be told by names of definitions.
fn changed_definitions(
    old: &FileFacts,
    new: &FileFacts,
) -> Option<(HiddenDefinitions, HiddenDefinitions)> {
    let (was, is) = (
        PlacedDefinitions::from_facts(old),
        PlacedDefinitions::from_facts(new),
    );
    let mut names = FxHashSet::default();
    for _ in 0..MOST_ROUNDS {
        let (before, after) = (
            was.hidden_against(&is, &names),
            is.hidden_against(&was, &names),
        );
        if !(was.can_be_replaced(&before, &is) && is.can_be_replaced(&after, &was)) {
            return None;
        }
        let count = names.len();
        for (facts, hidden) in [(old, &before), (new, &after)] {
            let defs = hidden.defs.iter().filter(|id| !hidden.quiet.contains(id));
            let defs = defs.map(|id| facts.def(*id));
            names.extend(defs.map(|def| Box::from(facts.name(def.name))));
        }
        if names.len() > MOST_NAMES {
            return None;
        }
        if names.len() == count {
            return Some((before, after));
        }
    }
    None
}

/// Whether files find every hidden definition by its name alone.
fn are_found_by_name_only(facts: &FileFacts, hidden: &HiddenDefinitions) -> bool {
    hidden.defs.iter().all(|id| {
        let def = facts.def(*id);
        let parent = def.parent.filter(|p| !hidden.defs.contains(p));
        let around = parent.map(|p| facts.def(p).kind);
        let is_field = matches!(def.kind, SymbolKind::Field | SymbolKind::Property);
        let traits = &facts.language.profile().linking;
        let is_numbered = || {
            facts
                .name(def.name)
                .starts_with(|c: char| c.is_ascii_digit())
        };
        let by_field = match traits.fields {
            FieldLookup::ByName => false,
            FieldLookup::Counted => is_field && parent.is_some(),
            FieldLookup::Numbered => is_field && is_numbered(),
        };
        let implements = def.kind == SymbolKind::Impl && !def.supers.is_empty();
        let uses = def
            .supers
            .iter()
            .any(|(_, kind)| *kind == SuperKind::Embeds);
        let otherwise = by_field
            || traits.implementations && implements
            || traits.users_are_looked_up && uses
            || around.is_some_and(|kind| traits.members_of.contains(&kind))
            || traits.aliases && def.flags.has(DefFlags::ALIAS);
        let whole = matches!(
            def.kind,
            SymbolKind::Module | SymbolKind::Namespace | SymbolKind::Package | SymbolKind::Macro
        );
        let constructs = def.kind == SymbolKind::Constructor && parent.is_some();
        !(otherwise || whole || constructs || def.flags.has(DefFlags::DEFAULT_EXPORT))
    })
}

fn has_structural_interface_and_methods(facts: &FileFacts, hidden: &HiddenDefinitions) -> bool {
    let all = hidden.defs.iter().map(|id| facts.def(*id));
    let is_structural = facts.language.profile().linking.structural_interfaces;
    let is_interface = |d: &Def| d.kind == SymbolKind::Interface;
    let is_method = |d: &Def| d.kind == SymbolKind::Method && d.parent.is_none();
    is_structural && all.clone().any(is_interface) && all.clone().any(is_method)
}

/// Whether both versions are modules or neither is and, where packages are known by their types, both have types or
/// neither has.
fn is_same_module_kind(old: &FileFacts, new: &FileFacts) -> bool {
    let exports = |facts: &FileFacts| facts.exports.is_empty();
    let types = |facts: &FileFacts| {
        let is_type = |d: &Def| d.parent.is_none() && d.kind.is_type();
        facts.defs.iter().any(is_type)
    };
    let by_types = new.language.profile().linking.packages_by_types;
    old.language == new.language
        && exports(old) == exports(new)
        && (!by_types || types(old) == types(new))
}

/// Hidden definitions not mentioned by the visible part. `None` if a named one is mentioned.
fn unmentioned_definitions(
    facts: &FileFacts,
    hidden: &HiddenDefinitions,
    rest: &Surface,
) -> Option<Vec<DefId>> {
    let mentioned: FxHashSet<DefId> = rest.defs().iter().copied().collect();
    let mut out = Vec::with_capacity(hidden.defs.len());
    for id in &hidden.defs {
        if !mentioned.contains(id) {
            out.push(*id);
        } else if !facts.def(*id).flags.has(DefFlags::ANONYMOUS) {
            return None;
        }
    }
    out.sort_unstable();
    Some(out)
}

/// Whether linking looks up this name by itself, though no file mentions it. `~` begins the names of destructors, which C++ calls
/// without naming them.
fn is_looked_up(name: &str) -> bool {
    let is_marked = name.starts_with("__") || name.starts_with(['[', '~']);
    is_marked || is_looked_up_by_a_language(name)
}

/// Whether any language looks up this name by itself. Languages share the names of files, so one counts for all.
fn is_looked_up_by_a_language(name: &str) -> bool {
    let all = Language::ALL.iter();
    all.map(|language| &language.profile().linking)
        .any(|traits| traits.looked_up_names.contains(&name))
}

/// The names of hidden methods whose type is not hidden itself.
fn inherited_names<'a>(
    facts: &'a FileFacts,
    hidden: &'a HiddenDefinitions,
) -> impl Iterator<Item = Box<str>> + 'a {
    let are_inherited = facts.language.profile().linking.inherited_methods_override;
    let hidden_defs = hidden.defs.iter().filter(move |_| are_inherited);
    let methods = hidden_defs.map(|id| facts.def(*id)).filter(|def| {
        let is_whole = |parent: DefId| !hidden.defs.contains(&parent);
        def.kind == SymbolKind::Method && def.parent.is_some_and(is_whole)
    });
    methods.map(|def| Box::from(facts.name(def.name)))
}

/// Adds the names under which files look for hidden definitions. `None` if linking itself looks one of them up.
fn collect_lookup_names(
    facts: &FileFacts,
    hidden: &HiddenDefinitions,
    names: &mut FxHashSet<Box<str>>,
    shared: &mut FxHashSet<Box<str>>,
) -> Option<()> {
    let is_structural = facts.language.profile().linking.structural_interfaces;
    for id in &hidden.defs {
        let def = facts.def(*id);
        if hidden.quiet.contains(id) || def.kind == SymbolKind::Impl {
            continue;
        }
        let name = facts.name(def.name);
        let is_inside = def.parent.is_some_and(|p| hidden.defs.contains(&p));
        if is_looked_up(name) || def.kind == SymbolKind::Constructor {
            if is_inside && !is_structural {
                // It is added or removed together with its class.
                continue;
            }
            return None;
        }
        names.insert(name.into());
        let around = def.parent.map(|p| facts.def(p).kind);
        let of_set = def.kind == SymbolKind::Method || around == Some(SymbolKind::Interface);
        if is_structural && of_set {
            shared.insert(name.into());
        }
    }
    for export in &facts.exports {
        if let (Some(name), Exported::Local(local)) = (export.name, export.what)
            && hidden.names.contains(facts.name(local))
        {
            let name = facts.name(name);
            if is_looked_up_by_a_language(name) {
                return None;
            }
            names.insert(name.into());
        }
    }
    Some(())
}

/// Whether a path has one of the names in it.
pub(crate) fn path_has_any_name(path: &str, names: &FxHashSet<Box<str>>) -> bool {
    path_segments(path).any(|segment| names.contains(segment))
}
