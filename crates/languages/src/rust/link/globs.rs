//! Finds the modules that can reach a name through glob imports.
//!
//! Globs lead from module to module, often in cycles. Modules of one cycle reach the same names, so a cycle is one node
//! of the graph. The graph is built once for all files, from paths and modules alone, so it does not depend on earlier
//! questions.

use super::modules::{Extern, Modules, split_use_path};
use crate::components::strong_components;
use base::Visibility;
use base::facts::*;
use linker::repo::{FileId, Repo, Sym};
use rustc_hash::FxHashSet;

/// With more modules that hold a name, there is no answer for it.
const MOST_HOLDERS: usize = 64;
/// Most nodes that are visited for one question.
const MOST_RINGS: usize = 256;

/// The graph of glob imports.
#[derive(Default)]
pub(super) struct GlobGraph {
    /// The nodes of each module: with all its globs, as code inside of it sees them, and with those that it shows.
    ring_of: Vec<u32>,
    rings: Vec<Ring>,
    /// Names of all macros.
    macros: FxHashSet<Sym>,
}

/// Modules that reach each other.
#[derive(Default)]
struct Ring {
    /// Nodes that it reaches in one step.
    next: Vec<u32>,
    /// Whether it has globs whose targets cannot be told from paths alone.
    is_open: bool,
}

/// The result of looking up a name through globs.
pub(super) enum GlobLookup {
    /// None of the modules holds it.
    Nowhere,
    /// This module alone holds it.
    In(u32),
    /// It has to be searched.
    Maybe,
}

impl GlobGraph {
    /// Builds the graph.
    pub(super) fn new(repo: &Repo, modules: &Modules) -> GlobGraph {
        let mut edges: Vec<Vec<u32>> = vec![Vec::new(); 2 * modules.all.len()];
        let mut open = vec![false; 2 * modules.all.len()];
        for (at, module) in modules.all.iter().enumerate() {
            let globs = modules.globs.get(&(module.file, module.scope));
            let globs = globs.map_or(&[][..], |globs| globs);
            let facts = repo.facts(module.file);
            let is_open = modules.has_undeclared(at as u32)
                || globs.len() > 1 && globs.iter().any(|g| facts.import(*g).condition.is_some());
            let (inside, shown) = (2 * at, 2 * at + 1);
            (open[inside], open[shown]) = (is_open, is_open);
            for glob in globs {
                let is_shown = facts.import(*glob).visibility != Visibility::Private;
                match target(repo, modules, at as u32, (module.file, *glob)) {
                    Target::Module(to) => {
                        let to = node(to, modules.is_within(at as u32, to));
                        edges[inside].push(to);
                        edges[shown].extend(is_shown.then_some(to));
                    }
                    Target::Outside => {}
                    Target::Unclear => {
                        open[inside] = true;
                        open[shown] |= is_shown;
                    }
                }
            }
        }
        let ring_of = strong_components(&edges);
        let count = ring_of.iter().max().map_or(0, |last| *last as usize + 1);
        let mut all: Vec<Ring> = Vec::new();
        all.resize_with(count, Ring::default);
        for (at, ring) in ring_of.iter().enumerate() {
            let here = &mut all[*ring as usize];
            here.is_open |= open[at];
            let next = edges[at].iter().map(|to| ring_of[*to as usize]);
            here.next.extend(next.filter(|to| to != ring));
        }
        for ring in &mut all {
            ring.next.sort_unstable();
            ring.next.dedup();
        }
        GlobGraph {
            ring_of,
            rings: all,
            macros: modules.macros.keys().map(|(_, name)| *name).collect(),
        }
    }

    /// Whether a macro has that name.
    pub(super) fn is_macro(&self, name: Sym) -> bool {
        self.macros.contains(&name)
    }

    /// Finds a name from a module. `holders` are the modules that hold it, with `true` if it may also be found in
    /// another way. `is_inside`: the code that asks is in the module. Returns the number of steps as well.
    pub(super) fn find(
        &self,
        at: u32,
        is_inside: bool,
        holders: &[(u32, bool)],
    ) -> (GlobLookup, usize) {
        if holders.len() > MOST_HOLDERS {
            return (GlobLookup::Maybe, 0);
        }
        let mut seen = FxHashSet::default();
        let mut next = vec![self.ring_of[node(at, is_inside) as usize]];
        while let Some(ring) = next.pop() {
            if !seen.insert(ring) {
                continue;
            }
            let here = &self.rings[ring as usize];
            if here.is_open || seen.len() > MOST_RINGS {
                return (GlobLookup::Maybe, seen.len());
            }
            next.extend(&here.next);
        }
        let is_seen = |at, inside| seen.contains(&self.ring_of[node(at, inside) as usize]);
        let reached = |of: &&(u32, bool)| is_seen(of.0, true) || is_seen(of.0, false);
        let mut reached = holders.iter().filter(reached);
        let found = match (reached.next(), reached.next()) {
            (None, _) => GlobLookup::Nowhere,
            (Some((one, false)), None) if *one != at => GlobLookup::In(*one),
            _ => GlobLookup::Maybe,
        };
        (found, seen.len())
    }
}

/// The node of a module, as seen from inside of it or from elsewhere.
fn node(module: u32, is_inside: bool) -> u32 {
    2 * module + u32::from(!is_inside)
}

enum Target {
    Module(u32),
    Outside,
    Unclear,
}

/// The target of a glob, as far as modules of that name show it.
fn target(repo: &Repo, modules: &Modules, at: u32, (file, glob): (FileId, ImportId)) -> Target {
    let facts = repo.facts(file);
    let path = split_use_path(facts.name(facts.import(glob).module));
    let Some((first, rest)) = path.split_first() else {
        return Target::Unclear;
    };
    let krate = &modules.crates[modules.all[at as usize].krate as usize];
    let mut rest = rest.iter();
    let mut module = match *first {
        "crate" | "$crate" => Some(krate.root),
        "self" => Some(at),
        "super" => match modules.all[at as usize].parent {
            Some(parent) => Some(parent),
            None => return Target::Outside,
        },
        "::" => match rest.next().and_then(|name| krate.externs.get(*name)) {
            Some(Extern::Crate(other)) => Some(modules.crates[*other as usize].root),
            Some(Extern::Package(_)) => return Target::Outside,
            None => None,
        },
        name => match krate.externs.get(name) {
            Some(Extern::Crate(other)) => Some(modules.crates[*other as usize].root),
            Some(Extern::Package(_)) => return Target::Outside,
            // The glob itself does not bring the name with which its path begins.
            None => child(repo, modules, (at, 1), name),
        },
    };
    for name in rest {
        module = module.and_then(|at| match *name {
            "self" => Some(at),
            "super" => modules.all[at as usize].parent,
            name => child(repo, modules, (at, 0), name),
        });
    }
    module.map_or(Target::Unclear, Target::Module)
}

/// The module that a name means inside another: one that is declared there, or one that a glob there leads to. In code that
/// compiles, the latter is the only thing of that name, if there is only one. Of the globs there, `others` lead elsewhere.
fn child(repo: &Repo, modules: &Modules, (at, others): (u32, usize), name: &str) -> Option<u32> {
    if let Some(found) = only_child(repo, modules, at, name) {
        return Some(found);
    }
    let [holder] = modules.bindings.holders_of(repo.find_sym(name)?) else {
        return None;
    };
    let here = &modules.all[at as usize];
    let globs = modules.globs.get(&(here.file, here.scope));
    let may_lead_there = globs.is_some_and(|globs| globs.len() > others);
    only_child(repo, modules, *holder, name).filter(|_| may_lead_there)
}

/// The module of that name inside another, if nothing else there has the name.
fn only_child(repo: &Repo, modules: &Modules, at: u32, name: &str) -> Option<u32> {
    let bound = repo
        .find_sym(name)
        .and_then(|name| modules.bindings.get(at, name));
    let alone = bound.is_none_or(|bound| bound.len() < 2);
    modules.find_child(repo, at, name).filter(|_| alone)
}
