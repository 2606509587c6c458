//! Which files depend on which, with the places: what cycles, layer rules and starters are made of.

use crate::Statement;
use base::{EdgeType, Language, Site};
use rustc_hash::{FxHashMap, FxHashSet};
use store::Snapshot;

/// No node of any snapshot.
const NO_NODE: u32 = u32::MAX;

/// A place at which one file needs another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Use {
    /// The file that needs, an index into [`FileUses::paths`].
    pub from: u32,
    /// The file that is needed.
    pub to: u32,
    /// The line, from 1; 0 where it is not known.
    pub line: u32,
    /// What is needed: a node of the snapshot.
    pub target: u32,
    /// An import, or a call or mention.
    pub import: bool,
    /// What is imported exists for types alone, so that nothing is loaded for it.
    pub type_only: bool,
}

/// All dependencies between files.
#[derive(Debug, Clone, Default)]
pub struct FileUses {
    /// Paths in order.
    pub paths: Vec<String>,
    /// Whether a file is one of tests.
    pub tests: Vec<bool>,
    /// In order of both files and the line, imports before calls of the same line.
    pub uses: Vec<Use>,
}

impl FileUses {
    /// Reads the graph. Calls and mentions count only where `calls` is on; imports always do.
    pub fn from_graph(graph: &Snapshot, calls: bool) -> FileUses {
        let mut found = FileUses::default();
        let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
        let mut order: Vec<(&str, u32, bool)> = Vec::new();
        for node in 0..graph.node_count() as u32 {
            let (file, _, _) = graph.place(node);
            if let std::collections::hash_map::Entry::Vacant(slot) = numbers.entry(file) {
                slot.insert(0);
                order.push((graph.file(file), file, graph.is_test_file(file)));
            }
        }
        order.sort_unstable();
        for (at, (path, file, test)) in order.into_iter().enumerate() {
            numbers.insert(file, at as u32);
            found.paths.push(path.to_owned());
            found.tests.push(test);
        }
        let number = |node: u32| numbers.get(&graph.place(node).0).copied();
        for node in 0..graph.node_count() as u32 {
            let Some(from) = number(node) else { continue };
            for edge in graph.outgoing(node, EdgeType::Imports) {
                let Some(to) = number(edge.node).filter(|to| *to != from) else {
                    continue;
                };
                let kind = graph.row(edge.node).kind;
                let path = &found.paths[from as usize];
                found.uses.extend(lines(&edge).map(|line| Use {
                    from,
                    to,
                    line,
                    target: edge.node,
                    import: true,
                    type_only: erased(path, kind),
                }));
            }
            if !calls {
                continue;
            }
            for edge in graph.outgoing(node, EdgeType::Calls) {
                let Some(to) = number(edge.node).filter(|to| *to != from) else {
                    continue;
                };
                let type_only = edge.site == Some(Site::Reference)
                    && erased(&found.paths[from as usize], graph.row(edge.node).kind);
                found.uses.extend(lines(&edge).map(|line| Use {
                    from,
                    to,
                    line,
                    target: edge.node,
                    import: false,
                    type_only,
                }));
            }
        }
        found
            .uses
            .sort_unstable_by_key(|u| (u.from, u.to, u.line, !u.import, u.target));
        found
    }

    /// Puts the files that statements name in the place of those that the graph leads on to. `named` gives for a file
    /// its statements with the files that they name, by path.
    pub fn name_files(&mut self, named: &FxHashMap<u32, Vec<(Statement, Vec<String>)>>) {
        let mut changed: Vec<Use> = Vec::with_capacity(self.uses.len());
        let mut rest = self.uses.as_slice();
        for from in 0..self.paths.len() as u32 {
            let own = rest.partition_point(|u| u.from <= from);
            let (own, after) = rest.split_at(own);
            rest = after;
            let statements = named.get(&from).map(Vec::as_slice).unwrap_or_default();
            self.name_own(from, own, statements, &mut changed);
        }
        changed.sort_unstable_by_key(|u| (u.from, u.to, u.line, !u.import, u.target));
        changed.dedup();
        self.uses = changed;
    }

    fn name_own(
        &self,
        from: u32,
        own: &[Use],
        statements: &[(Statement, Vec<String>)],
        changed: &mut Vec<Use>,
    ) {
        let number = |path: &String| self.paths.binary_search(path).ok().map(|at| at as u32);
        let mut here = StatementsHere::default();
        for (statement, paths) in statements {
            here.add(statement, paths.iter().filter_map(number));
        }
        let stays = |u: &&Use| !u.import || here.names(u.line, u.to);
        changed.extend(own.iter().filter(stays));
        for one in own.iter().filter(|u| u.import) {
            here.tell(one);
        }
        for (statement, paths) in statements {
            let files = paths.iter().filter_map(number).filter(|to| *to != from);
            let Some(told) = here.by_lines.get(&(statement.first, statement.last)) else {
                continue;
            };
            changed.extend(files.filter(|to| !told.told.contains(to)).map(|to| Use {
                from,
                to,
                line: statement.first,
                target: told.first.map_or(NO_NODE, |u| u.target),
                import: true,
                type_only: statement.type_only || (told.first.is_some() && told.for_types),
            }));
        }
    }

    /// The language of a file.
    pub fn language(&self, file: u32) -> Option<Language> {
        Language::of_path(&self.paths[file as usize])
    }

    /// Keeps dependencies between files that both pass.
    pub fn retain(&mut self, keep: impl Fn(&str) -> bool) {
        let kept: Vec<bool> = self.paths.iter().map(|path| keep(path)).collect();
        self.uses
            .retain(|u| kept[u.from as usize] && kept[u.to as usize]);
    }
}

/// What is known of the statements on some lines; several may stand on one.
struct StatementGroup {
    /// Files that they name.
    files: FxHashSet<u32>,
    /// Files that the graph tells of these lines, the first use, and whether all are for types.
    told: FxHashSet<u32>,
    first: Option<Use>,
    for_types: bool,
}

/// The statements of a file by their first and last line, and these by line.
#[derive(Default)]
struct StatementsHere {
    by_lines: FxHashMap<(u32, u32), StatementGroup>,
    on_line: FxHashMap<u32, Vec<(u32, u32)>>,
}

impl StatementsHere {
    fn add(&mut self, statement: &Statement, files: impl Iterator<Item = u32>) {
        let lines = (statement.first, statement.last);
        let on_line = &mut self.on_line;
        let group = self.by_lines.entry(lines).or_insert_with(|| {
            for line in lines.0..=lines.1 {
                on_line.entry(line).or_default().push(lines);
            }
            StatementGroup {
                files: FxHashSet::default(),
                told: FxHashSet::default(),
                first: None,
                for_types: true,
            }
        });
        group.files.extend(files);
    }

    fn groups(&self, line: u32) -> impl Iterator<Item = &StatementGroup> {
        let lines = self.on_line.get(&line).into_iter().flatten();
        let groups = lines.filter_map(|lines| self.by_lines.get(lines));
        groups.filter(|group| !group.files.is_empty())
    }

    /// Whether a statement on that line names the file, or none that is known stands there.
    fn names(&self, line: u32, file: u32) -> bool {
        let mut groups = self.groups(line).peekable();
        groups.peek().is_none() || groups.any(|group| group.files.contains(&file))
    }

    fn tell(&mut self, one: &Use) {
        for lines in self.on_line.get(&one.line).into_iter().flatten() {
            let Some(group) = self.by_lines.get_mut(lines) else {
                continue;
            };
            group.first.get_or_insert(*one);
            group.for_types &= one.type_only;
            group.told.insert(one.to);
        }
    }
}

fn lines<'a>(edge: &store::Neighbor<'a>) -> impl Iterator<Item = u32> + use<'a> {
    let first = edge.line.unwrap_or(0);
    std::iter::once(first).chain(edge.more_lines.iter().copied())
}

/// Whether the compiler drops an import of such a thing: interfaces and type aliases of TypeScript.
fn erased(path: &str, kind: &str) -> bool {
    matches!(kind, "interface" | "type_alias")
        && matches!(
            Language::of_path(path),
            Some(Language::TypeScript | Language::Tsx)
        )
}
