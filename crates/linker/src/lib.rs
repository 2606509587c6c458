//! Linking: resolves the calls, references and imports of all files. It is the only stage that reads across files.
//!
//! Its input is the facts of all files and the text of manifests. It also computes the surface of a file, and which
//! files have to be linked again after a change.
//!
//! Rules of one language come through the trait [`lang::Lang`].
//!
//! Never knows: syntax trees, files on disk, the facts cache, the store.

pub mod call;
mod choice;
mod clock;
mod context;
pub mod definition_changes;
pub mod eval;
pub mod exposed;
mod expr;
pub mod fuel;
pub mod glob;
mod inherited;
mod instance;
pub mod lang;
mod lend;
pub mod member;
pub mod paths;
pub mod repo;
mod substitution;
pub mod surface;
#[cfg(test)]
mod tests;
pub mod ty;

pub use call::{LinkOutcome, UnresolvedReason};
pub use clock::SharedTime;
pub use lang::{Langs, MakeTables};
pub use lend::{Facts, FactsSource};
pub use repo::{FileId, GlobalDef, Manifest, Repo};
pub use ty::External;

use base::Tier;
use base::facts::*;
use eval::Eval;
use lang::Overloading;
use rayon::prelude::*;

/// The result of linking one file.
#[derive(Debug, Clone, Default)]
pub struct LinkedFile {
    /// The outcome of each call site, in the order of [`FileFacts::calls`].
    pub calls: Vec<LinkOutcome>,
    /// The outcome of each reference, in the order of [`FileFacts::references`].
    pub references: Vec<LinkOutcome>,
    /// The outcome of each write, in the order of [`FileFacts::writes`].
    pub writes: Vec<LinkOutcome>,
    /// The target of each import, in the order of [`FileFacts::imports`].
    pub imports: Vec<ImportTarget>,
    /// The file that each import names, where its language loads files one by one; see [`lang::Modules::named_file`].
    pub named_files: Vec<Option<FileId>>,
    /// Supertypes and overridden methods.
    pub relations: Vec<Relation>,
    /// Steps that linking the file took.
    pub steps: u64,
}

/// The target of an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ImportTarget {
    /// A file as a whole.
    File(FileId),
    /// Definitions.
    Defs(Vec<GlobalDef>),
    /// Something outside the repository.
    External(External),
    /// The target is unknown.
    Unresolved,
}

/// A relation between two definitions of the repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Relation {
    /// The subclass, implementer or overriding method.
    pub from: GlobalDef,
    /// The superclass, interface or overridden method.
    pub to: GlobalDef,
    /// The kind of the relation.
    pub kind: RelationKind,
}

/// Kinds of [`Relation`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RelationKind {
    /// A class extends a class, a trait a trait.
    Extends,
    /// A type implements an interface or trait.
    Implements,
    /// A method overrides or implements another.
    Overrides,
    /// Go embedding.
    Embeds,
}

impl RelationKind {
    /// The kind as the store and all answers write it.
    pub fn as_str(self) -> &'static str {
        match self {
            RelationKind::Extends => "extends",
            RelationKind::Implements => "implements",
            RelationKind::Overrides => "overrides",
            RelationKind::Embeds => "embeds",
        }
    }
}

/// Links every file, in parallel on the current rayon pool. The result is in the order of the repository's files and
/// does not depend on the number of threads.
pub fn link(repo: &Repo, langs: &Langs, done: &(dyn Fn() + Sync)) -> Vec<LinkedFile> {
    let ids: Vec<FileId> = repo.files().map(|(id, _)| id).collect();
    ids.par_iter()
        .map(|id| {
            let linked = link_file(repo, langs, *id);
            done();
            linked
        })
        .collect()
}

/// Links one file.
pub fn link_file(repo: &Repo, langs: &Langs, file: FileId) -> LinkedFile {
    link_file_but(repo, langs, file, &|_, _| false)
}

/// Like [`link_file`], but resolves nothing at the places in `known`: lines (from 1) and columns whose targets another
/// source gives.
pub fn link_file_but(
    repo: &Repo,
    langs: &Langs,
    file: FileId,
    known: &dyn Fn(u32, u32) -> bool,
) -> LinkedFile {
    let facts = repo.facts(file);
    let mut ev = Eval::new(repo, langs, file);
    let linked = link_sites(&mut ev, file, facts, known);
    if ev.is_late() {
        return LinkedFile::given_up(facts, ev.spent_steps(), known);
    }
    linked
}

/// Links the sites of one file. Once its computing time is used up, the rest is given up.
fn link_sites(
    ev: &mut Eval<'_>,
    file: FileId,
    facts: &FileFacts,
    known: &dyn Fn(u32, u32) -> bool,
) -> LinkedFile {
    let unless_known = |ev: &mut Eval<'_>, at: (u32, u32), link: &dyn Fn(&mut Eval<'_>) -> _| {
        if known(at.0, at.1) {
            return LinkOutcome::Nothing;
        }
        if ev.is_late() {
            return GIVEN_UP;
        }
        link(ev)
    };
    let calls = facts
        .calls
        .iter()
        .map(|site| unless_known(ev, (site.line, site.column), &|ev| ev.link_call(file, site)));
    let calls = calls.collect();
    let references = facts.references.iter().map(|site| {
        let link = |ev: &mut Eval<'_>| ev.link_mention(file, site.what);
        unless_known(ev, (site.line, site.column), &link)
    });
    let references = references.collect();
    let writes = facts.writes.iter().map(|site| {
        let link = |ev: &mut Eval<'_>| ev.link_mention(file, RefTarget::Expr(site.target));
        unless_known(ev, (site.line, site.column), &link)
    });
    let writes = writes.collect();
    let imports = (0..facts.imports.len() as u32).map(|import| {
        if ev.is_late() {
            return ImportTarget::Unresolved;
        }
        import_target(ev, file, ImportId(import))
    });
    let imports = imports.collect();
    let lang = ev.lang_of_file(file);
    let named_files = (0..facts.imports.len() as u32).map(|import| {
        if ev.is_late() {
            return None;
        }
        lang.named_file(ev.repo, file, ImportId(import))
    });
    let named_files = named_files.collect();
    let relations = if ev.is_late() {
        Vec::new()
    } else {
        relations(ev, file)
    };
    LinkedFile {
        calls,
        references,
        writes,
        imports,
        named_files,
        relations,
        steps: ev.spent_steps(),
    }
}

const GIVEN_UP: LinkOutcome = LinkOutcome::Unresolved(UnresolvedReason::TooComplex);

impl LinkedFile {
    /// The result for a file whose computing time ran out: all sites are given up. To keep those that were linked before would
    /// give a different graph each time.
    fn given_up(facts: &FileFacts, steps: u64, known: &dyn Fn(u32, u32) -> bool) -> LinkedFile {
        let outcome = |line, column| {
            if known(line, column) {
                LinkOutcome::Nothing
            } else {
                GIVEN_UP
            }
        };
        let references = facts.references.iter();
        LinkedFile {
            calls: (facts
                .calls
                .iter()
                .map(|site| outcome(site.line, site.column)))
            .collect(),
            references: references
                .map(|site| outcome(site.line, site.column))
                .collect(),
            writes: (facts
                .writes
                .iter()
                .map(|site| outcome(site.line, site.column)))
            .collect(),
            imports: facts
                .imports
                .iter()
                .map(|_| ImportTarget::Unresolved)
                .collect(),
            named_files: facts.imports.iter().map(|_| None).collect(),
            relations: Vec::new(),
            steps,
        }
    }
}

fn import_target(ev: &mut Eval<'_>, file: FileId, import: ImportId) -> ImportTarget {
    ev.begin_site(file);
    let mut entity = ev.resolve_import(file, import, Namespace::VALUE);
    if entity.is_unknown() {
        entity = ev.resolve_import(file, import, Namespace::TYPE);
    }
    if entity.is_unknown() {
        entity = ev.resolve_import(file, import, Namespace::MACRO);
    }
    // Of several targets, definitions count before files, and files before symbols outside the repository.
    let each = entity.alternatives().iter();
    let mut each = each.map(|part| target_of_entity(ev, file, import, part));
    let first = each.next().unwrap_or(ImportTarget::Unresolved);
    each.fold(first, |found, next| match (found, next) {
        (ImportTarget::Defs(mut all), ImportTarget::Defs(more)) => {
            all.extend(more);
            ImportTarget::Defs(all)
        }
        (found @ ImportTarget::Defs(_), _) => found,
        (_, next @ ImportTarget::Defs(_)) => next,
        (found @ ImportTarget::File(_), _) => found,
        (_, next @ ImportTarget::File(_)) => next,
        (found @ ImportTarget::External(_), _) => found,
        (_, next) => next,
    })
}

fn target_of_entity(
    ev: &mut Eval<'_>,
    file: FileId,
    import: ImportId,
    entity: &ty::Entity,
) -> ImportTarget {
    match entity {
        ty::Entity::Module(module) => {
            let lang = ev.lang_of_family(module.family);
            let used = lang.used_on_demand(ev, file, import);
            if !used.is_empty() {
                return ImportTarget::Defs(used);
            }
            match lang.module_file(ev.repo, module.index) {
                Some(file) => ImportTarget::File(file),
                None => ImportTarget::Unresolved,
            }
        }
        ty::Entity::Defs(defs) => ImportTarget::Defs(defs.to_vec()),
        ty::Entity::External(external) | ty::Entity::Value(ty::Ty::External(external)) => {
            ImportTarget::External(external.clone())
        }
        _ => ImportTarget::Unresolved,
    }
}

fn relations(ev: &mut Eval<'_>, file: FileId) -> Vec<Relation> {
    let facts = ev.repo.facts(file);
    let mut out = Vec::new();
    for (i, def) in facts.defs.iter().enumerate() {
        if def.kind.is_type() && ev.is_late() {
            break;
        }
        let id = GlobalDef {
            file,
            def: DefId(i as u32),
        };
        if def.kind.is_type() {
            ev.begin_site(file);
            type_relations(ev, id, id, &mut out);
            ev.begin_site(file);
            inherited::overrides_of_inherited(ev, id, &mut out);
        } else if def.kind == base::SymbolKind::Impl && !def.supers.is_empty() {
            ev.begin_site(file);
            if let ty::Ty::Instance(class, _) = ev.self_type(id) {
                type_relations(ev, id, class, &mut out);
            }
        }
        if def.kind.is_type() || def.kind == base::SymbolKind::TypeAlias {
            ev.begin_site(file);
            implementations(ev, id, &mut out);
        }
    }
    members_of_literals(ev, file, &mut out);
    let overrides = ev.lang_of_file(file).held_by_members(ev, file);
    out.extend(overrides.into_iter().map(|(from, to)| Relation {
        from,
        to,
        kind: RelationKind::Overrides,
    }));
    out.sort_unstable();
    out.dedup();
    out
}

/// Functions in object literals that implement members of the type that the context expects. The function is written
/// there or named there (`const e: Ev = {…}`, `return { assign }`).
fn members_of_literals(ev: &mut Eval<'_>, file: FileId, out: &mut Vec<Relation>) {
    let facts = ev.repo.facts(file);
    for (i, def) in facts.defs.iter().enumerate() {
        let is_node = !def.flags.has(DefFlags::ANONYMOUS);
        if let Some(ty) = def.ty.filter(|_| def.kind.is_callable() && is_node) {
            let def = DefId(i as u32);
            member_of_expected(ev, GlobalDef { file, def }, (file, ty), out);
        }
    }
    for expr in &facts.exprs {
        let Expr::Cast(value, ty) = expr else {
            continue;
        };
        let is_promise = matches!(facts.ty(*ty), TypeExpr::Projection(..));
        if !is_promise || !matches!(facts.expr(*value), Expr::Name { .. }) {
            continue;
        }
        ev.begin_site(file);
        let (named, _) = ev.resolve_expr(file, *value, Namespace::VALUE);
        if let ty::Entity::Defs(defs) = named
            && let [one] = defs[..]
            && one.file == file
            && ev.repo.def(one).kind.is_callable()
        {
            member_of_expected(ev, one, (file, *ty), out);
        }
    }
}

/// Adds that a function implements the member of a type with that name, if the type is one of the repository.
fn member_of_expected(
    ev: &mut Eval<'_>,
    from: GlobalDef,
    (file, ty): (FileId, TypeId),
    out: &mut Vec<Relation>,
) {
    let facts = ev.repo.facts(file);
    let TypeExpr::Projection(of, name) = facts.ty(ty) else {
        return;
    };
    // A function that is only passed as an argument implements nothing that others would look up.
    if !is_written(facts, *of) {
        return;
    }
    ev.begin_site(file);
    let of = ev.lower_type(file, *of);
    for part in of.alternatives() {
        let (found, _) = ev.resolve_member(part, facts.name(*name));
        let ty::Entity::Defs(defs) = found else {
            continue;
        };
        let is_member = |to: &GlobalDef| {
            let kind = ev.repo.def(*to).kind;
            *to != from && matches!(kind, base::SymbolKind::Method | base::SymbolKind::Field)
        };
        let members: Vec<GlobalDef> = defs.iter().copied().filter(is_member).collect();
        if let [to] = members[..] {
            out.push(Relation {
                from,
                to,
                kind: RelationKind::Overrides,
            });
        }
    }
}

/// Whether a type, or the type that it is a member of, is written and is not that of a parameter.
fn is_written(facts: &FileFacts, mut ty: TypeId) -> bool {
    // Types refer only to earlier types, so the loop ends.
    while let TypeExpr::Projection(of, _) = facts.ty(ty) {
        if of.index() >= ty.index() {
            return false;
        }
        ty = *of;
    }
    !matches!(facts.ty(ty), TypeExpr::TypeOf(_))
}

/// The interfaces that a type implements without declaring them.
fn implementations(ev: &mut Eval<'_>, id: GlobalDef, out: &mut Vec<Relation>) {
    let lang = ev.lang_of_file(id.file);
    for implementation in lang.implemented(ev, id) {
        out.push(Relation {
            from: id,
            to: implementation.interface,
            kind: RelationKind::Implements,
        });
        let methods = implementation.methods.into_iter();
        out.extend(methods.map(|(from, to)| Relation {
            from,
            to,
            kind: RelationKind::Overrides,
        }));
    }
}

/// Relations from the supertypes of `holder`, a type or impl. The relations belong to `class`.
fn type_relations(ev: &mut Eval<'_>, holder: GlobalDef, class: GlobalDef, out: &mut Vec<Relation>) {
    let facts = ev.repo.facts(holder.file);
    let def = facts.def(holder.def);
    if def.supers.is_empty() {
        return;
    }
    let repo = ev.repo;
    let is_method = |d: &GlobalDef| repo.def(*d).kind == base::SymbolKind::Method;
    let methods: Vec<GlobalDef> = repo.children(holder).filter(is_method).collect();
    for (written, kind) in &def.supers {
        let supers = ev.lower_type(holder.file, *written);
        for part in supers.alternatives() {
            let ty::Ty::Instance(to, _) = part else {
                continue;
            };
            let derived = *kind == SuperKind::Derives;
            if *to == class || derived && repo.def(*to).kind != base::SymbolKind::Trait {
                continue;
            }
            let kind = match kind {
                SuperKind::Extends => RelationKind::Extends,
                SuperKind::Implements | SuperKind::Derives => RelationKind::Implements,
                SuperKind::Embeds => RelationKind::Embeds,
            };
            out.push(Relation {
                from: class,
                to: *to,
                kind,
            });
            overrides(ev, &methods, part, out);
        }
    }
}

/// Adds the methods of a type that override one of `above`.
pub(crate) fn overrides(
    ev: &mut Eval<'_>,
    methods: &[GlobalDef],
    above: &ty::Ty,
    out: &mut Vec<Relation>,
) {
    for method in methods.iter().copied() {
        // The work is supertypes times methods, so it takes fuel.
        if !ev.spend(1) {
            return;
        }
        let name = ev.repo.def_name(method).to_owned();
        let (found, holder) = ev.resolve_member(above, &name);
        let ty::Entity::Defs(defs) = found else {
            continue;
        };
        let lang = ev.lang_of_file(method.file);
        let overloading = lang.overloading();
        let is_only = defs.len() == 1 && overloading == Overloading::None;
        let params = |d: GlobalDef| ev.repo.def(d).callable.as_ref().map(|c| c.params.len());
        let same: Vec<GlobalDef> = defs
            .iter()
            .copied()
            .filter(|d| *d != method && ev.repo.def(*d).kind == base::SymbolKind::Method)
            .filter(|d| is_only || params(*d) == params(method))
            .filter(|d| lang.may_override(ev.repo, method, *d))
            .collect();
        let holder = holder.as_ref().unwrap_or(above);
        let to = match same[..] {
            [to] if overloading == Overloading::ByTypes
                && have_other_param_types(ev, method, (to, Some(holder))) =>
            {
                None
            }
            [to] if has_better_overload(ev, method, methods, (to, holder)) => None,
            [to] => Some(to),
            _ => with_same_param_types(ev, method, &same, holder),
        };
        if let Some(to) = to {
            relate_definitions(ev, method, to, out);
        }
    }
}

/// Adds that a method overrides another. Both are named by the definitions that have their bodies, since calls lead there.
fn relate_definitions(
    ev: &mut Eval<'_>,
    method: GlobalDef,
    above: GlobalDef,
    out: &mut Vec<Relation>,
) {
    let own = ev.lang_of_file(method.file).definitions_of(ev, method);
    let above = ev.lang_of_file(above.file).definitions_of(ev, above);
    if !ev.spend(own.len() * above.len()) {
        return;
    }
    for from in own {
        out.extend(above.iter().map(|to| Relation {
            from,
            to: *to,
            kind: RelationKind::Overrides,
        }));
    }
}

/// Whether another of `methods` with the name of `method` has the parameter types of the method above, and those of `method`
/// differ. `above` is the method above and the type that has it.
fn has_better_overload(
    ev: &mut Eval<'_>,
    method: GlobalDef,
    methods: &[GlobalDef],
    above: (GlobalDef, &ty::Ty),
) -> bool {
    let repo = ev.repo;
    let name = repo.def_name(method);
    let has_body = |d: &GlobalDef| !repo.def(*d).flags.has(DefFlags::DECLARATION_ONLY);
    let others: Vec<GlobalDef> = methods
        .iter()
        .copied()
        .filter(|d| *d != method && repo.def_name(*d) == name && has_body(d))
        .collect();
    if others.is_empty() || !has_body(&method) || !ev.spend(others.len()) {
        return false;
    }
    let wanted = written_param_types(ev, above.0, Some(above.1));
    let mut agrees = |d: GlobalDef| {
        let own = written_param_types(ev, d, None);
        own == wanted && !own.contains(&ty::Ty::Unknown)
    };
    !agrees(method) && others.into_iter().any(agrees)
}

/// Whether a parameter of two methods has types of different classes, so that neither can stand for the other.
fn have_other_param_types(
    ev: &mut Eval<'_>,
    method: GlobalDef,
    (other, holder): (GlobalDef, Option<&ty::Ty>),
) -> bool {
    let own = written_param_types(ev, method, None);
    let theirs = written_param_types(ev, other, holder);
    let is_class = |ty: &ty::Ty| matches!(ty, ty::Ty::Instance(..) | ty::Ty::ExternalInstance(..));
    let mut pairs = own.iter().zip(&theirs);
    pairs.any(|(a, b)| is_class(a) && is_class(b) && !have_same_class(a, b))
}

/// Of several methods of one name, the one whose parameter types equal those of `method`, seen from the type that has
/// them. If none is equal, the one whose types agree when type arguments are ignored.
fn with_same_param_types(
    ev: &mut Eval<'_>,
    method: GlobalDef,
    several: &[GlobalDef],
    holder: &ty::Ty,
) -> Option<GlobalDef> {
    if several.len() < 2 || !ev.spend(several.len()) {
        return None;
    }
    let own = written_param_types(ev, method, None);
    let theirs: Vec<Vec<ty::Ty>> = several
        .iter()
        .map(|d| written_param_types(ev, *d, Some(holder)))
        .collect();
    let only = |agree: &dyn Fn(&ty::Ty, &ty::Ty) -> bool| {
        let all = |theirs: &[ty::Ty]| own.iter().zip(theirs).all(|(a, b)| agree(a, b));
        let mut found = theirs.iter().zip(several).filter(|(theirs, _)| all(theirs));
        let first = found.next().map(|(_, d)| *d);
        first.filter(|_| found.next().is_none())
    };
    only(&|a, b| a == b && *a != ty::Ty::Unknown).or_else(|| only(&have_same_class))
}

fn written_param_types(
    ev: &mut Eval<'_>,
    method: GlobalDef,
    holder: Option<&ty::Ty>,
) -> Vec<ty::Ty> {
    let callable = ev.repo.def(method).callable.as_deref();
    let written = callable.map_or(&[][..], |c| &c.params);
    let lowered = written.iter().map(|param| {
        let ty = param.ty.map(|ty| ev.lower_type(method.file, ty));
        ev.substitute(&ty.unwrap_or_default(), holder)
    });
    lowered.collect()
}

/// Whether two types are of one class. A type parameter agrees with any class.
fn have_same_class(a: &ty::Ty, b: &ty::Ty) -> bool {
    match (a, b) {
        (ty::Ty::Param(..), _) | (_, ty::Ty::Param(..)) => true,
        (ty::Ty::Instance(a, _), ty::Ty::Instance(b, _)) => a == b,
        (ty::Ty::ExternalInstance(a, _), ty::Ty::ExternalInstance(b, _)) => a == b,
        _ => false,
    }
}

/// Counts of call sites by outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct CallCounts {
    /// All call sites.
    pub total: u64,
    /// With an edge inside the repository.
    pub resolved: u64,
    /// Leading outside the repository.
    pub external: u64,
    /// With unknown target.
    pub unresolved: u64,
    /// The part of `unresolved` for which the search was stopped because it took too many steps.
    #[serde(default)]
    pub given_up: u64,
}

impl CallCounts {
    /// Counts one outcome.
    pub fn add(&mut self, outcome: &LinkOutcome) {
        self.total += 1;
        match outcome {
            LinkOutcome::Targets(..) => self.resolved += 1,
            LinkOutcome::External(_) | LinkOutcome::Nothing => self.external += 1,
            LinkOutcome::Unresolved(reason) => {
                self.unresolved += 1;
                self.given_up += u64::from(*reason == UnresolvedReason::TooComplex);
            }
        }
    }
}

/// The confidence of an edge from 0 to 1: that of the tier, divided among the targets of one site.
pub fn confidence(tier: Tier, targets: usize) -> f64 {
    tier.default_confidence() / targets.max(1) as f64
}
