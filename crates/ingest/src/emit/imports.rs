//! Rows of a file's imports: the names in each statement, and the file that it imports.

use super::Emitter;
use base::{Language, NodeId, SymbolKind, Visibility};
use linker::{FileId, GlobalDef, ImportTarget, LinkedFile};
use std::collections::BTreeSet;
use store::{GraphImport, ImportFlags, ImportKind};
use syntax::facts::*;

/// If an import names more definitions than this, its edges lead to their files. Overloads and variants by platform are
/// fewer. A thousand files that import a thousand functions of one name would otherwise make a million edges without
/// information.
const MAX_IMPORTED_DEFINITIONS: usize = 16;
/// Most files that one import leads to, the first ones in order.
const MAX_IMPORTED_FILES: usize = 64;

impl Emitter<'_> {
    /// The target nodes of an import's edges: the definitions that it names, or their files if there are too many.
    pub(super) fn imported_nodes(&self, defs: &[GlobalDef]) -> Vec<NodeId> {
        let file_node = |file| self.nodes.nodes_of_file(file).file;
        if defs.len() > MAX_IMPORTED_DEFINITIONS {
            return files_of_definitions(defs).map(file_node).collect();
        }
        let node = |def: &GlobalDef| self.node_of(*def).unwrap_or(file_node(def.file));
        defs.iter().map(node).collect()
    }

    /// Builds the rows of imports. Names share a row if line, module and target file are the same.
    pub(super) fn import_rows(&mut self, linked: &LinkedFile) {
        let facts = self.repo.file(self.file).facts.get().clone();
        let imports = facts.imports.iter().zip(&linked.imports);
        for ((import, target), named) in imports.zip(&linked.named_files) {
            // Python's facts list `import a.b` twice: for the name `a`, and for the module `a.b`. In JavaScript only
            // comments import types.
            let modules = &facts.language.profile().modules;
            let in_comment = import.type_only && modules.types_in_comments;
            if import.what == Imported::Root || in_comment {
                continue;
            }
            let row = self.import_row(&facts, import, target);
            let files = match (facts.language.imports_by_file(), named) {
                (true, named) => Vec::from_iter(*named),
                (false, _) => files_of(target),
            };
            if files.is_empty() {
                self.add_import(row);
                continue;
            }
            for file in files {
                let target = Some(self.nodes.nodes_of_file(file).file);
                let row = row.clone();
                self.add_import(GraphImport { target, ..row });
            }
        }
    }

    fn import_row(&self, facts: &FileFacts, import: &Import, target: &ImportTarget) -> GraphImport {
        let (kind, name) = import_kind_and_name(import);
        let module = facts.name(import.module);
        let specifier = match import.level {
            0 => module.to_owned(),
            level => format!("{}{module}", ".".repeat(level as usize)),
        };
        let names = name.map_or("", |name| facts.name(name));
        GraphImport {
            source: self.own_nodes().file,
            line: import.line,
            specifier,
            target: None,
            kind,
            names: names.to_owned(),
            flags: self.import_flags(facts, import, target),
        }
    }

    fn import_flags(
        &self,
        facts: &FileFacts,
        import: &Import,
        target: &ImportTarget,
    ) -> ImportFlags {
        let mut flags = 0;
        let mut set = |on: bool, bit: u8| flags |= if on { bit } else { 0 };
        let modules = &facts.language.profile().modules;
        let is_promise = import.what == Imported::Dynamic && modules.expressions_load_later;
        // The part of the file that was not read may use it.
        let is_unused = import.unused && !facts.is_incomplete();
        set(import.type_only || is_unused, ImportFlags::TYPE_ONLY);
        set(
            is_promise || in_function(facts, import.scope),
            ImportFlags::DEFERRED,
        );
        // In a language where every name can be imported, a visible import has no special meaning.
        let is_passed_on = import.visibility != Visibility::Private && !modules.passes_imports_on;
        set(is_passed_on, ImportFlags::REEXPORT);
        set(self.is_erased(facts.language, target), ImportFlags::ERASED);
        ImportFlags(flags)
    }

    /// Whether the compiler drops an import because of its target: interfaces and type aliases of TypeScript.
    fn is_erased(&self, language: Language, target: &ImportTarget) -> bool {
        let ImportTarget::Defs(defs) = target else {
            return false;
        };
        language.profile().modules.erases_types
            && !defs.is_empty()
            && defs.iter().all(|def| {
                let kind = self.repo.def(*def).kind;
                matches!(kind, SymbolKind::Interface | SymbolKind::TypeAlias)
            })
    }

    fn add_import(&mut self, import: GraphImport) {
        let rows = &mut self.rows.graph.imports;
        let last = rows.last_mut().filter(|last| {
            import.kind == ImportKind::Names
                && last.kind == import.kind
                && last.line == import.line
                && last.flags == import.flags
                && last.target == import.target
                && last.specifier == import.specifier
        });
        match last {
            Some(last) => {
                last.names.push(',');
                last.names.push_str(&import.names);
            }
            None => rows.push(import),
        }
    }
}

/// Kind of an import, with the name for its row.
fn import_kind_and_name(import: &Import) -> (ImportKind, Option<NameId>) {
    match import.what {
        Imported::Name(name) | Imported::Static(name) => (ImportKind::Names, Some(name)),
        Imported::Default => (ImportKind::Names, import.local),
        Imported::Module | Imported::Root => (ImportKind::Module, import.local),
        Imported::Glob | Imported::StaticGlob => (ImportKind::All, None),
        Imported::SideEffect => (ImportKind::SideEffect, None),
        Imported::Dynamic => (ImportKind::Dynamic, None),
    }
}

/// Whether a scope is part of a function.
fn in_function(facts: &FileFacts, scope: ScopeId) -> bool {
    let mut next = Some(scope);
    while let Some(at) = next {
        let scope = facts.scope(at);
        if scope.kind == ScopeKind::Function {
            return true;
        }
        next = scope.parent;
    }
    false
}

/// The files that an import leads to, in order.
fn files_of(target: &ImportTarget) -> Vec<FileId> {
    match target {
        ImportTarget::File(file) => vec![*file],
        ImportTarget::Defs(defs) => files_of_definitions(defs).collect(),
        ImportTarget::External(_) | ImportTarget::Unresolved => Vec::new(),
    }
}

fn files_of_definitions(defs: &[GlobalDef]) -> impl Iterator<Item = FileId> {
    let files = BTreeSet::from_iter(defs.iter().map(|def| def.file));
    files.into_iter().take(MAX_IMPORTED_FILES)
}
