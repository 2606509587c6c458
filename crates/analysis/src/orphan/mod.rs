//! Symbols and files without a user.
//!
//! Three sieves, each finer and more costly than the one before: the graph (no edge comes in), the text of the whole repository
//! (the name occurs nowhere else, so that no unresolved call, configuration or string can mean it), and the facts of the
//! definition (no framework, base class or reader of an API calls it from outside).
//!
//! The second sieve reads texts again because nothing else can answer it: configurations, templates, documents and languages
//! without a grammar have no facts, and a name in a string is no fact.

mod entry;
mod mention;
mod package;
mod scope;

pub use mention::{Mentions, TextMentions};
pub use package::ProjectFiles;

use base::language::{LanguageProfile, RuleSet};
use base::{DEAD_CODE, EdgeType, Language, MarkKind};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;
use store::{GraphStore, NodeFlags, NodeLocation, Snapshot, StoreError};

base::tuning! {
    /// The confidence that a symbol has no user, 0–1. The numbers order the reports; they decide nothing.
    pub struct OrphanTuning {
        /// Nothing refers to it, and nothing outside its file can.
        private: f64 = 0.95, neutral 1.0;
        /// Nothing refers to it, but others may import it.
        exported: f64 = 0.9, neutral 1.0;
        /// Something at its definition, or in documents and comments, may mean it.
        doubtful: f64 = 0.5, neutral 1.0;
        /// Its name occurs elsewhere in code.
        mentioned: f64 = 0.3, neutral 1.0;
    }
}

/// A symbol or file that nothing in the graph uses. There may be as many as the graph has nodes, so all texts are the graph's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate<'g> {
    /// Its number in the snapshot.
    pub node: u32,
    /// The name.
    pub name: &'g str,
    /// The dotted name within its file; the path for a file.
    pub shown: &'g str,
    /// Kind of symbol.
    pub kind: &'g str,
    /// Its file.
    pub path: &'g str,
    /// Its language.
    pub language: Option<Language>,
    /// First and last line; 0 if not known.
    pub lines: (u32, u32),
    /// The line of its name.
    pub name_line: u32,
    /// Definition that it is a member of, other than the file.
    pub parent: Option<Parent<'g>>,
    /// Names of its decorators, annotations or attributes.
    pub decorators: &'g [Box<str>],
    /// Whether an attribute allows it to be unused.
    pub may_be_dead: bool,
    /// Whether it contains something that is started from outside: a test, an entry point, or a symbol that a decorator may
    /// register.
    pub holds_entry: bool,
    /// Properties of its file.
    pub file_flags: NodeFlags,
    /// Properties.
    pub flags: NodeFlags,
    /// Whether something imports its file as a whole, so that each export may be reached.
    pub file_imported: bool,
}

/// The definition that a candidate is a member of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parent<'g> {
    /// Kind of symbol.
    pub kind: &'g str,
    /// Names of its decorators, annotations or attributes.
    pub decorators: &'g [Box<str>],
    /// Properties.
    pub flags: NodeFlags,
    /// Whether it has a supertype here.
    pub inherits: bool,
}

impl Parent<'_> {
    /// Whether it is visible outside its file.
    fn is_exported(&self) -> bool {
        self.flags.contains(NodeFlags::EXPORTED)
    }
}

/// The names of the decorators of each node that has any.
#[derive(Debug, Clone, Default)]
pub struct Decorators {
    names: FxHashMap<u32, Vec<Box<str>>>,
    /// Nodes with an attribute that allows them to be unused.
    may_be_dead: FxHashSet<u32>,
}

impl Decorators {
    /// Reads the decorators of the store, whose state must be that of the graph.
    pub fn read(store: &dyn GraphStore, graph: &Snapshot) -> Result<Decorators, StoreError> {
        let mut found = Decorators::default();
        store.for_each_mark(&mut |mark| {
            if mark.kind == MarkKind::Decorator
                && let Some(node) = graph.node_index(mark.source_id)
            {
                let names = found.names.entry(node).or_default();
                names.push(mark.name.into());
                if mark.detail == DEAD_CODE {
                    found.may_be_dead.insert(node);
                }
            }
        })?;
        Ok(found)
    }

    fn names(&self, node: u32) -> &[Box<str>] {
        self.names.get(&node).map_or(&[], Vec::as_slice)
    }
}

impl Candidate<'_> {
    /// Profile of its language.
    pub(crate) fn profile(&self) -> Option<&'static LanguageProfile> {
        self.language.map(Language::profile)
    }

    /// Whether it is a file.
    pub fn is_file(&self) -> bool {
        self.kind == "file"
    }

    fn is_exported(&self) -> bool {
        self.flags.contains(NodeFlags::EXPORTED)
    }
}

/// An orphan in the answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Orphan {
    /// The dotted name within its file; the path for a file.
    pub symbol: String,
    /// Kind of symbol.
    pub kind: String,
    /// Its file.
    pub file_path: String,
    /// Its first line.
    pub line: u32,
    /// Suggestion for the reader.
    pub suggestion: String,
    /// Confidence that nothing needs it, 0–1.
    pub confidence: f64,
    /// Reason for the doubt, for an orphan that is only possible.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doubt: Option<String>,
}

/// Kinds of candidates. Data members, such as fields and members of enums, are read in too many ways that no source names.
const KINDS: [&str; 13] = [
    "function",
    "method",
    "class",
    "interface",
    "trait",
    "struct",
    "union",
    "enum",
    "type_alias",
    "constant",
    "variable",
    "macro",
    "file",
];

/// Most definitions around a node that are looked at.
const MOST_AROUND: usize = 32;

/// The structure of the graph that orphans are found in.
struct UsageTree<'g> {
    graph: &'g Snapshot,
    /// The node that defines each node, and the line of its name.
    parent: Vec<Option<(u32, u32)>>,
    used: Vec<bool>,
    /// See [`Candidate::holds_entry`].
    holds_entry: Vec<bool>,
    decorators: &'g Decorators,
}

impl<'g> UsageTree<'g> {
    fn new(graph: &'g Snapshot, decorators: &'g Decorators) -> UsageTree<'g> {
        let count = graph.node_count();
        let mut shape = UsageTree {
            graph,
            parent: vec![None; count],
            used: vec![false; count],
            holds_entry: vec![false; count],
            decorators,
        };
        for node in 0..count as u32 {
            for edge in graph.outgoing(node, EdgeType::Defines) {
                shape.parent[edge.node as usize] = Some((node, edge.line.unwrap_or(0)));
            }
        }
        for node in 0..count as u32 {
            if graph.name_row(node).flags.0 & (NodeFlags::TEST | NodeFlags::ENTRY) != 0 {
                shape.mark_holders(node);
            }
        }
        for (node, names) in &decorators.names {
            let language = graph.language(graph.name_row(*node).file_path);
            let rules = language.map_or(RuleSet::None, |l| l.profile().rules);
            if entry::may_register(rules, names) {
                shape.mark_holders(*node);
            }
        }
        for node in 0..count as u32 {
            for only in [EdgeType::Calls, EdgeType::Imports, EdgeType::Modifies] {
                for edge in graph.outgoing(node, only) {
                    shape.mark_used(node, edge.node);
                }
            }
            let related = graph.relations_out(node);
            let related: Vec<(u32, bool)> = related
                .map(|relation| (relation.other, relation.kind == "overrides"))
                .collect();
            for (to, overrides) in related {
                // A caller of the overridden method may call this one.
                if overrides {
                    shape.used[node as usize] = true;
                }
                shape.mark_used(node, to);
            }
        }
        shape
    }

    /// The nodes around one, itself first.
    fn ancestors(&self, node: u32) -> impl Iterator<Item = u32> {
        let up = move |node: &u32| self.parent[*node as usize].map(|(parent, _)| parent);
        std::iter::successors(Some(node), up).take(MOST_AROUND)
    }

    /// Whether an attribute on it, or on a definition around it, allows it to be unused.
    fn may_be_dead(&self, node: u32) -> bool {
        let allowed = &self.decorators.may_be_dead;
        self.ancestors(node).any(|around| allowed.contains(&around))
    }

    fn mark_holders(&mut self, node: u32) {
        let holders: Vec<u32> = self.ancestors(node).skip(1).collect();
        for holder in holders {
            self.holds_entry[holder as usize] = true;
        }
    }

    /// Marks a use of `to`: it also counts for all nodes around `to` that do not contain the user.
    fn mark_used(&mut self, from: u32, to: u32) {
        let holders: Vec<u32> = self.ancestors(to).collect();
        for holder in holders {
            if self.ancestors(from).any(|n| n == holder) {
                break;
            }
            self.used[holder as usize] = true;
        }
    }

    fn parent_of(&self, node: u32) -> Option<Parent<'g>> {
        let (parent, _) = self.parent[node as usize]?;
        let row = self.graph.name_row(parent);
        if row.kind == "file" {
            return None;
        }
        let mut supers = self.graph.relations_out(parent);
        Some(Parent {
            kind: row.kind,
            decorators: self.decorators.names(parent),
            flags: row.flags,
            inherits: supers.any(|relation| relation.kind != "overrides"),
        })
    }
}

/// Nodes that nothing uses, in order of path and line, containers before their members. `allowed` says which files are
/// searched.
pub fn find_candidates<'g>(
    graph: &'g Snapshot,
    decorators: &'g Decorators,
    allowed: &dyn Fn(&str) -> bool,
) -> Vec<Candidate<'g>> {
    let shape = UsageTree::new(graph, decorators);
    let mut files: FxHashMap<u32, bool> = FxHashMap::default();
    let mut found = Vec::new();
    for node in 0..graph.node_count() as u32 {
        let row = graph.name_row(node);
        let by_hand = row.flags.contains(NodeFlags::MANUAL);
        let skipped = NodeFlags::TEST | NodeFlags::LOCAL | NodeFlags::ABSTRACT;
        if shape.used[node as usize] || row.flags.0 & skipped != 0 {
            continue;
        }
        if !by_hand && !KINDS.contains(&row.kind) {
            continue;
        }
        let NodeLocation { file, test, .. } = graph.location(node);
        let looked_at = *files.entry(file).or_insert_with(|| allowed(row.file_path));
        if test || !looked_at {
            continue;
        }
        let file_node = graph.nodes_of_file(row.file_path);
        let file_node = file_node
            .iter()
            .find(|n| graph.name_row(**n).kind == "file");
        let whole = file_node.is_some_and(|f| graph.incoming(*f, EdgeType::Imports).len() > 0);
        let name_line = shape.parent[node as usize].map_or(0, |(_, line)| line);
        let shown = match row.kind {
            "file" => row.file_path,
            _ => row.qualified_name.unwrap_or(row.symbol),
        };
        found.push(Candidate {
            node,
            name: row.symbol,
            shown,
            kind: row.kind,
            path: row.file_path,
            language: graph.language(row.file_path),
            lines: (row.line_start.unwrap_or(0), row.line_end.unwrap_or(0)),
            name_line: if name_line > 0 {
                name_line
            } else {
                row.line_start.unwrap_or(0)
            },
            parent: shape.parent_of(node),
            decorators: decorators.names(node),
            may_be_dead: shape.may_be_dead(node),
            holds_entry: shape.holds_entry[node as usize],
            file_flags: file_node.map_or(NodeFlags(0), |f| graph.name_row(*f).flags),
            flags: row.flags,
            file_imported: whole,
        });
    }
    found.sort_unstable_by(|a, b| (a.path, a.lines, a.node).cmp(&(b.path, b.lines, b.node)));
    found
}

/// Which orphans are listed.
pub struct OrphanList<'a> {
    /// Also those that are only possible.
    pub possible: bool,
    /// Whether orphans of a file are listed.
    pub is_wanted: &'a dyn Fn(&str) -> bool,
    /// Most orphans: the surest come first.
    pub most: usize,
    /// Numbers; [`OrphanTuning::default`] outside of evaluations.
    pub tuning: &'a OrphanTuning,
}

/// Orphans that were found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Orphans {
    /// Surest first, then in order of path and line; those that are only possible come last.
    pub listed: Vec<Orphan>,
    /// Number of those that are sure, listed or not.
    pub sure: usize,
    /// Number of those that are not listed, because there are too many.
    pub left_out: usize,
}

/// Turns candidates into orphans once the text has been searched.
pub fn judge_candidates(
    graph: &Snapshot,
    candidates: &[Candidate<'_>],
    mentions: &Mentions<'_>,
    world: &mut dyn ProjectFiles,
    list: &OrphanList<'_>,
) -> Orphans {
    let mut answer = Orphans::default();
    // The place of each among the candidates, and its confidence. Reports are texts, and are made for those that are listed.
    let mut found: Vec<(f64, usize)> = Vec::new();
    // A member of a reported orphan is not reported again; files come first.
    let mut reported = vec![false; graph.node_count()];
    let files = candidates.iter().enumerate().filter(|(_, c)| c.is_file());
    let others = candidates.iter().enumerate().filter(|(_, c)| !c.is_file());
    for (at, candidate) in files.chain(others) {
        if is_inside_reported(graph, candidate.node, &reported) {
            continue;
        }
        let doubt = match find_doubt(at, candidate, mentions, world) {
            Some(entry::Doubt::Entry) => continue,
            Some(entry::Doubt::Possible(doubt)) => Some(doubt),
            None => None,
        };
        // A file that is only a possible orphan may contain a sure one.
        if let Some(reported) = reported.get_mut(candidate.node as usize) {
            *reported |= !candidate.is_file() || doubt.is_none();
        }
        let is_listed = list.possible || doubt.is_none();
        if is_listed && (list.is_wanted)(candidate.path) {
            answer.sure += usize::from(doubt.is_none());
            found.push((confidence(candidate, doubt.as_deref(), list.tuning), at));
        }
    }
    let place = |at: usize| {
        let candidate = &candidates[at];
        (candidate.path, candidate.name_line, candidate.shown)
    };
    found.sort_by(|a, b| {
        b.0.total_cmp(&a.0)
            .then_with(|| place(a.1).cmp(&place(b.1)))
    });
    answer.left_out = found.len().saturating_sub(list.most);
    found.truncate(list.most);
    for (confidence, at) in found {
        let candidate = &candidates[at];
        let doubt = match find_doubt(at, candidate, mentions, world) {
            Some(entry::Doubt::Possible(doubt)) => Some(doubt),
            Some(entry::Doubt::Entry) | None => None,
        };
        answer
            .listed
            .push(build_orphan(candidate, doubt, confidence));
    }
    answer
}

/// Whether a definition around a node is reported.
fn is_inside_reported(graph: &Snapshot, node: u32, reported: &[bool]) -> bool {
    let up = |node: &u32| {
        let around = graph.incoming(*node, EdgeType::Defines);
        around.map(|edge| edge.node).max()
    };
    std::iter::successors(up(&node), up)
        .take(MOST_AROUND)
        .any(|around| reported.get(around as usize) == Some(&true))
}

/// The reason why a candidate may be needed.
fn find_doubt(
    at: usize,
    candidate: &Candidate<'_>,
    mentions: &Mentions<'_>,
    world: &mut dyn ProjectFiles,
) -> Option<entry::Doubt> {
    let by_hand = candidate.flags.contains(NodeFlags::MANUAL);
    let open = candidate.is_exported() || candidate.is_file();
    let mentioned = mentions.find_doubt(at, open);
    // Names of a graph that was added by hand need not be those of any text.
    let Some(mentioned) = mentioned.filter(|_| !by_hand) else {
        return entry::find_doubt(candidate, world);
    };
    match entry::find_doubt(candidate, world) {
        Some(entry::Doubt::Entry) => Some(entry::Doubt::Entry),
        _ => Some(entry::Doubt::Possible(mentioned)),
    }
}

fn confidence(candidate: &Candidate<'_>, doubt: Option<&str>, tuning: &OrphanTuning) -> f64 {
    let by_hand = candidate.flags.contains(NodeFlags::MANUAL);
    match (doubt, candidate.is_exported() && !by_hand) {
        (Some(doubt), _) if doubt.contains("in code") => tuning.mentioned,
        (Some(_), _) => tuning.doubtful,
        (None, true) => tuning.exported,
        (None, false) => tuning.private,
    }
}

fn build_orphan(candidate: &Candidate<'_>, doubt: Option<String>, confidence: f64) -> Orphan {
    let by_hand = candidate.flags.contains(NodeFlags::MANUAL);
    let lines = candidate.lines.1.saturating_sub(candidate.lines.0) + 1;
    let size = match (candidate.lines.0, lines) {
        (0, _) => String::new(),
        (_, 1) => " (1 line)".to_owned(),
        (_, n) => format!(" ({n} lines)"),
    };
    let suggestion = if by_hand {
        "No edge leads to it: connect it, or remove it from the graph".to_owned()
    } else if candidate.is_file() {
        format!("Nothing imports this file: delete it{size}, or import it where it is needed")
    } else if candidate.is_exported() {
        format!(
            "Exported, but nothing in the repository refers to it: delete it{size}, or exclude it if others import it"
        )
    } else {
        format!("Nothing in the repository refers to it: delete it{size}")
    };
    Orphan {
        symbol: candidate.shown.to_owned(),
        kind: candidate.kind.to_owned(),
        file_path: candidate.path.to_owned(),
        line: candidate.name_line,
        suggestion,
        confidence,
        doubt,
    }
}
