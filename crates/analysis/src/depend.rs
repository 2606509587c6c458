//! Dependencies between files, with their places: the base of cycles, layer rules and starters.
//!
//! An import leads to the file that its statement names, which is loaded for it. The graph's edge goes further, to the
//! definition of the name, through every file that only passes it on.

use base::{EdgeType, Language, Site, Tier};
use rustc_hash::FxHashMap;
use store::{GraphStore, ImportFlags, ImportRow, Neighbor, Snapshot, StoreError};

/// When a dependency takes effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Loading {
    /// When the file is loaded.
    AtOnce,
    /// When a function runs: an import in its body, or `import()`.
    Later,
    /// Never: `import type`, `if TYPE_CHECKING`, a name of Java that only comments mention.
    TypeOnly,
}

impl Loading {
    fn of_import(flags: ImportFlags) -> Loading {
        if flags.has(ImportFlags::TYPE_ONLY) {
            Loading::TypeOnly
        } else if flags.has(ImportFlags::DEFERRED) {
            Loading::Later
        } else {
            Loading::AtOnce
        }
    }
}

/// A place at which one file needs another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Use {
    /// The file that needs, an index into [`FileUses::paths`].
    pub from: u32,
    /// The file that is needed.
    pub to: u32,
    /// Line, from 1; 0 if it is not known.
    pub line: u32,
    /// Whether it is an import; otherwise it is a call or mention.
    pub import: bool,
    /// When it takes effect.
    pub loading: Loading,
    /// Whether the dependency is on types alone, so that the compiler drops the import.
    pub type_only: bool,
    /// Number of names that are needed there.
    pub names: u32,
}

/// All dependencies between files.
#[derive(Debug, Clone, Default)]
pub struct FileUses {
    /// Paths in order.
    pub paths: Vec<String>,
    /// Whether a file is one of tests.
    pub tests: Vec<bool>,
    /// The language of each file.
    pub languages: Vec<Option<Language>>,
    /// Dependencies, in order of both files and the line, imports before calls of the same line.
    pub uses: Vec<Use>,
}

impl FileUses {
    /// Reads the imports of the store, and the graph of the same state. Calls and mentions count only if `calls` is on; imports
    /// always do.
    pub fn read(
        store: &dyn GraphStore,
        graph: &Snapshot,
        calls: bool,
    ) -> Result<FileUses, StoreError> {
        let mut found = FileUses::default();
        let numbers = found.add_files(graph);
        store.for_each_import(&mut |import| found.add_import(import))?;
        found.add_edges(graph, &numbers, calls);
        found
            .uses
            .sort_unstable_by_key(|u| (u.from, u.to, u.line, !u.import, *u));
        Ok(found)
    }

    /// Puts the files of a graph in order; returns their numbers by those of the graph.
    fn add_files(&mut self, graph: &Snapshot) -> FxHashMap<u32, u32> {
        let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
        let mut order: Vec<(&str, u32, bool)> = Vec::new();
        for node in 0..graph.node_count() as u32 {
            let file = graph.location(node).file;
            if let std::collections::hash_map::Entry::Vacant(slot) = numbers.entry(file) {
                slot.insert(0);
                order.push((graph.file_path(file), file, graph.is_test_file(file)));
            }
        }
        order.sort_unstable();
        for (at, (path, file, test)) in order.into_iter().enumerate() {
            numbers.insert(file, at as u32);
            self.paths.push(path.to_owned());
            self.tests.push(test);
            self.languages.push(graph.language(path));
        }
        numbers
    }

    fn number(&self, path: &str) -> Option<u32> {
        let found = self.paths.binary_search_by(|p| p.as_str().cmp(path));
        found.ok().map(|at| at as u32)
    }

    fn add_import(&mut self, import: ImportRow<'_>) {
        let ends = (
            self.number(import.path),
            import.target.and_then(|path| self.number(path)),
        );
        let (Some(from), Some(to)) = ends else { return };
        if from == to {
            return;
        }
        self.uses.push(Use {
            from,
            to,
            line: import.line,
            import: true,
            loading: Loading::of_import(import.flags),
            type_only: import.flags.has(ImportFlags::ERASED),
            names: 1 + import.names.matches(',').count() as u32,
        });
    }

    /// Adds calls, and imports that were added by hand.
    fn add_edges(&mut self, graph: &Snapshot, numbers: &FxHashMap<u32, u32>, calls: bool) {
        let number = |node: u32| numbers.get(&graph.location(node).file).copied();
        for node in 0..graph.node_count() as u32 {
            let Some(from) = number(node) else { continue };
            for edge in graph.outgoing(node, EdgeType::Imports) {
                if let (Tier::Manual, Some(to)) = (edge.tier, number(edge.node)) {
                    self.add_edge(&edge, (from, to), Loading::AtOnce, false);
                }
            }
            if !calls {
                continue;
            }
            let language = self.language(from);
            let late = language.is_some_and(|l| l.profile().modules.late_names);
            let is_body = matches!(graph.name_row(node).kind, "function" | "method");
            let loading = if late && is_body {
                Loading::Later
            } else {
                Loading::AtOnce
            };
            for edge in graph.outgoing(node, EdgeType::Calls) {
                let Some(to) = number(edge.node) else {
                    continue;
                };
                let type_only = edge.site == Some(Site::Reference)
                    && is_erased(self.language(from), graph.name_row(edge.node).kind);
                self.add_edge(&edge, (from, to), loading, type_only);
            }
        }
    }

    fn add_edge(
        &mut self,
        edge: &Neighbor<'_>,
        (from, to): (u32, u32),
        loading: Loading,
        type_only: bool,
    ) {
        if from == to {
            return;
        }
        let first = edge.line.unwrap_or(0);
        let lines = std::iter::once(first).chain(edge.more_lines.iter().copied());
        self.uses.extend(lines.map(|line| Use {
            from,
            to,
            line,
            import: edge.edge_type == EdgeType::Imports,
            loading,
            type_only,
            names: 1,
        }));
    }

    /// The language of a file.
    pub fn language(&self, file: u32) -> Option<Language> {
        self.languages[file as usize]
    }

    /// Keeps dependencies between files that both pass.
    pub fn retain(&mut self, keep: impl Fn(&str) -> bool) {
        let kept: Vec<bool> = self.paths.iter().map(|path| keep(path)).collect();
        self.uses
            .retain(|u| kept[u.from as usize] && kept[u.to as usize]);
    }
}

/// Whether a mention of such a symbol is erased before the program runs.
fn is_erased(language: Option<Language>, kind: &str) -> bool {
    language.is_some_and(|l| l.profile().modules.erases_types)
        && matches!(kind, "interface" | "type_alias")
}
