//! Choices that are visible in rows of the store: how modules are imported, and how errors are handled.

use super::{Observation, Observations, PatternKind, PatternTuning};
use base::language::RuleSet;
use base::{EdgeType, Language, MarkKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::LazyLock;
use store::{GraphStore, ImportFlags, ImportKind, ImportRow, MarkRow, Snapshot, StoreError};
use text::list::{self, WordList};

const LISTS: &str = include_str!("names.txt");

/// Modules of Node that can be imported with and without `node:`.
static NODE: WordList =
    LazyLock::new(|| list::words(list::section(LISTS, "node modules")).collect());

/// Endings of modules of ECMAScript, which an import may leave out.
const SCRIPTS: [&str; 9] = ["js", "ts", "mjs", "cjs", "mts", "cts", "jsx", "tsx", "es6"];

/// Endings of files that are no module of ECMAScript: the ending must be written.
static OTHER_FILES: WordList =
    LazyLock::new(|| list::words(list::section(LISTS, "other endings")).collect());

/// Observations of imports and error handling in the given files, from the store. The graph is of the store's state.
pub fn observe_statements(
    store: &dyn GraphStore,
    graph: &Snapshot,
    files: &[String],
    tuning: &PatternTuning,
) -> Result<Observations, StoreError> {
    let own: FxHashSet<&str> = files.iter().map(String::as_str).collect();
    let mut imports = ImportObserver::default();
    imports.found.begin_source();
    store.for_each_import(&mut |import| {
        if own.contains(import.path) {
            imports.observe(import);
        }
    })?;
    let mut found = imports.found;
    found.begin_source();
    let mut futures: FxHashMap<&str, u32> = FxHashMap::default();
    store.for_each_mark(&mut |mark| {
        if mark.kind == MarkKind::Decorator {
            return;
        }
        let node = graph.node_index(mark.source_id);
        let path = node.map(|node| graph.name_row(node).file_path);
        let Some(path) = path.filter(|path| own.contains(path)) else {
            return;
        };
        if mark.kind == MarkKind::PostponedAnnotations {
            futures.insert(path, mark.lines.first().copied().unwrap_or(1));
        } else {
            observe_error(path, mark, &mut found);
        }
    })?;
    observe_postponed_annotations((graph, files), &futures, tuning, &mut found);
    Ok(found)
}

/// Observes imports in the order of the store: those of a file together.
#[derive(Default)]
struct ImportObserver {
    found: Observations,
    /// The present file, and the modules that it has named so far: an import statement has a row for each line and target.
    path: String,
    named: FxHashSet<String>,
}

impl ImportObserver {
    fn observe(&mut self, import: ImportRow<'_>) {
        if self.path != import.path {
            self.path = import.path.to_owned();
            self.named.clear();
        }
        match rules_of(import.path) {
            RuleSet::Python => self.observe_python(import),
            RuleSet::Script => self.observe_script(import),
            RuleSet::Go | RuleSet::Rust | RuleSet::Java | RuleSet::None => {}
        }
    }

    fn push(&mut self, key: &str, value: &str, line: u32) {
        let kind = PatternKind::Import;
        self.found
            .push(observation(kind, (key, value), &self.path, line));
    }

    fn observe_python(&mut self, import: ImportRow<'_>) {
        if import.kind != ImportKind::Module {
            return;
        }
        let name = match import.names {
            "" => import.specifier,
            name => name,
        };
        let key = format!("import:alias:python:{}", import.specifier);
        self.push(&key, name, import.line);
    }

    fn observe_script(&mut self, import: ImportRow<'_>) {
        let specifier = import.specifier;
        if import.kind == ImportKind::Module && !import.flags.has(ImportFlags::REEXPORT) {
            let key = format!("import:alias:script:{specifier}");
            self.push(&key, import.names, import.line);
        }
        // `import("url")` may be a type, and modules that Node loads as they are (`.mjs`) leave nothing to choose.
        if import.kind == ImportKind::Dynamic || !self.named.insert(specifier.to_owned()) {
            return;
        }
        let plain = specifier.strip_prefix("node:");
        if NODE.contains(&plain.unwrap_or(specifier)) {
            let value = if plain.is_some() { "node:" } else { "bare" };
            self.push("import:node:prefix", value, import.line);
        }
        let relative = specifier.starts_with("./") || specifier.starts_with("../");
        if relative
            && !self.path.ends_with(".mjs")
            && !import.flags.has(ImportFlags::REEXPORT)
            && let Some(value) = written_ending(specifier)
        {
            self.push("import:script:extension", &value, import.line);
        }
    }
}

/// Observes which Python modules postpone annotations, among those that may have any. `futures` has the line of the import.
fn observe_postponed_annotations(
    (graph, files): (&Snapshot, &[String]),
    futures: &FxHashMap<&str, u32>,
    tuning: &PatternTuning,
    out: &mut Observations,
) {
    let is_python = |path: &&String| rules_of(path) == RuleSet::Python;
    for path in files.iter().filter(is_python) {
        let line = futures.get(path.as_str()).copied();
        if line.is_none() && !may_have_annotations(graph, path, tuning) {
            continue;
        }
        let value = if line.is_some() { "with" } else { "without" };
        let choice = ("import:python:future", value);
        out.push(observation(
            PatternKind::Import,
            choice,
            path,
            line.unwrap_or(1),
        ));
    }
}

/// Ending of a relative specifier; `None` if there was no choice.
fn written_ending(specifier: &str) -> Option<String> {
    let last = specifier.rsplit('/').next().unwrap_or(specifier);
    match last.rsplit_once('.') {
        Some((_, ending)) if SCRIPTS.contains(&ending) => Some(format!(".{ending}")),
        Some((_, ending)) if OTHER_FILES.contains(&ending) => None,
        _ => Some("none".to_owned()),
    }
}

/// Whether a module of Python is of some size and defines functions or classes.
fn may_have_annotations(graph: &Snapshot, path: &str, tuning: &PatternTuning) -> bool {
    let nodes = graph.nodes_of_file(path);
    let Some(file) = nodes.iter().find(|n| graph.name_row(**n).kind == "file") else {
        return false;
    };
    let large = graph.name_row(*file).line_end.unwrap_or(0) > tuning.future_lines;
    let defines = |node: u32| {
        matches!(
            graph.name_row(node).kind,
            "function" | "class" | "interface" | "enum"
        )
    };
    large
        && graph
            .outgoing(*file, EdgeType::Defines)
            .any(|edge| defines(edge.node))
}

fn observation<'a>(
    kind: PatternKind,
    (key, value): (&'a str, &'a str),
    file: &'a str,
    line: u32,
) -> Observation<'a> {
    Observation {
        kind,
        key,
        value,
        file,
        line,
        symbol: "",
    }
}

/// Observations of a mark on error handling, one for each of its lines.
fn observe_error(path: &str, mark: MarkRow<'_>, out: &mut Observations) {
    let rules = rules_of(path);
    let chosen = question_and_answer(rules, mark.kind, mark.name);
    let name = caught_name(rules, mark.kind, mark.name);
    for both in chosen.into_iter().chain(name) {
        for line in mark.lines {
            out.push(observation(PatternKind::ErrorHandling, both, path, *line));
        }
    }
}

fn rules_of(path: &str) -> RuleSet {
    Language::from_path(path).map_or(RuleSet::None, |language| language.profile().rules)
}

/// The question that a mark answers, and the answer.
fn question_and_answer(
    rules: RuleSet,
    kind: MarkKind,
    name: &str,
) -> Option<(&'static str, &'static str)> {
    let found = match (rules, kind) {
        (RuleSet::Python, MarkKind::Catch) => ("error:python:except", "typed"),
        (RuleSet::Python, MarkKind::CatchAll) => ("error:python:except", "bare"),
        (RuleSet::Python, MarkKind::Rethrow) => ("error:python:raise", "chained"),
        (RuleSet::Python, MarkKind::RethrowWithoutCause) => ("error:python:raise", "unchained"),
        (RuleSet::Java, MarkKind::Rethrow) => ("error:java:cause", "kept"),
        (RuleSet::Java, MarkKind::RethrowWithoutCause) => ("error:java:cause", "lost"),
        (RuleSet::Script, MarkKind::Throw) if name == "Error" => ("error:script:throw", "Error"),
        (RuleSet::Script, MarkKind::Throw) => ("error:script:throw", "own"),
        (_, MarkKind::Wrap) => ("error:go:wrap", "wrapped"),
        (_, MarkKind::Flatten) => ("error:go:wrap", "flattened"),
        (_, MarkKind::CompareByIs) => ("error:go:compare", "errors.Is"),
        (_, MarkKind::CompareByOperator) => ("error:go:compare", "compared"),
        (_, MarkKind::ReturnPlain) => ("error:go:return", "as it is"),
        (_, MarkKind::ReturnWrapped) => ("error:go:return", "wrapped"),
        (_, MarkKind::Unwrap) => ("error:rust:panic", "unwrap"),
        (_, MarkKind::Expect) => ("error:rust:panic", "expect"),
        (_, MarkKind::ContextLazy) => ("error:rust:context", "with_context"),
        (_, MarkKind::ContextFormat) => ("error:rust:context", "context of format!"),
        _ => return None,
    };
    Some(found)
}

/// Name of the error in a handler, unless the name says that it is not used.
fn caught_name(rules: RuleSet, kind: MarkKind, name: &str) -> Option<(&'static str, &str)> {
    let unused = ["_", "ignore", "expected", "unused"];
    if kind != MarkKind::Catch || name.is_empty() || unused.iter().any(|u| name.starts_with(u)) {
        return None;
    }
    let key = match rules {
        RuleSet::Python => "error:python:name",
        RuleSet::Script => "error:script:name",
        RuleSet::Java => "error:java:name",
        RuleSet::Go | RuleSet::Rust | RuleSet::None => return None,
    };
    Some((key, name))
}

/// A pattern of this module in words.
pub(super) fn describe(key: &str, value: &str) -> String {
    match (key, value) {
        ("import:python:future", _) => {
            "Files begin with `from __future__ import annotations`".to_owned()
        }
        ("import:node:prefix", "node:") => "Modules of Node are imported with `node:`".to_owned(),
        ("import:node:prefix", _) => "Modules of Node are imported without `node:`".to_owned(),
        ("import:script:extension", "none") => {
            "Relative imports leave the extension out".to_owned()
        }
        ("import:script:extension", _) => format!("Relative imports end in `{value}`"),
        ("error:python:raise", "chained") => {
            "Errors raised in a handler name their cause (`raise … from`)".to_owned()
        }
        ("error:python:raise", _) => {
            "Errors raised in a handler do not name their cause".to_owned()
        }
        ("error:python:except", "typed") => "Handlers say which errors they catch".to_owned(),
        ("error:python:except", _) => "Handlers catch everything".to_owned(),
        ("error:python:name" | "error:script:name" | "error:java:name", _) => {
            format!("A caught error is called `{value}`")
        }
        ("error:script:throw", "own") => {
            "Errors that are thrown have classes of their own".to_owned()
        }
        ("error:script:throw", _) => "Errors that are thrown are plain `Error`s".to_owned(),
        ("error:go:wrap", "wrapped") => "Errors are wrapped with `%w`".to_owned(),
        ("error:go:wrap", _) => "Errors are formatted as text, not wrapped".to_owned(),
        ("error:go:compare", "errors.Is") => "Errors are compared with `errors.Is`".to_owned(),
        ("error:go:compare", _) => "Errors are compared with `==`".to_owned(),
        ("error:go:return", _) => format!("Errors are returned {value}"),
        ("error:rust:panic", "expect") => {
            "Values that cannot fail say why (`expect`, not `unwrap`)".to_owned()
        }
        ("error:rust:panic", _) => "What cannot fail is unwrapped".to_owned(),
        ("error:rust:context", _) => format!("Errors get their context by `{value}`"),
        ("error:java:cause", "kept") => "Errors thrown in a handler keep their cause".to_owned(),
        ("error:java:cause", _) => "Errors thrown in a handler lose their cause".to_owned(),
        _ => format!("{key}: {value}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(found: &Observations) -> Vec<String> {
        let all = (0..found.len() as u32).map(|at| found.get(at));
        all.map(|o| format!("{} {}={}", o.line, o.key, o.value))
            .collect()
    }

    fn errors(path: &str, kind: MarkKind, name: &str) -> Vec<String> {
        let mut out = Observations::default();
        out.begin_source();
        let mark = MarkRow {
            source_id: "f",
            kind,
            name,
            detail: "",
            lines: &[3, 9],
        };
        observe_error(path, mark, &mut out);
        shown(&out)
    }

    #[test]
    fn marks_answer_the_question_of_their_language() {
        assert_eq!(
            errors("a.py", MarkKind::Catch, "err"),
            [
                "3 error:python:except=typed",
                "9 error:python:except=typed",
                "3 error:python:name=err",
                "9 error:python:name=err"
            ]
        );
        assert_eq!(
            errors("a.py", MarkKind::Catch, "_ignored").len(),
            2,
            "a name that says that it is not used is no choice"
        );
        assert_eq!(
            errors("a.ts", MarkKind::Catch, "e")[0],
            "3 error:script:name=e"
        );
        assert_eq!(
            errors("a.ts", MarkKind::Throw, "Error")[0],
            "3 error:script:throw=Error"
        );
        assert_eq!(
            errors("a.ts", MarkKind::Throw, "NotFound")[0],
            "3 error:script:throw=own"
        );
        assert_eq!(
            errors("A.java", MarkKind::Rethrow, "Bad")[0],
            "3 error:java:cause=kept"
        );
        assert!(errors("a.py", MarkKind::Throw, "Bad").is_empty());
        assert!(errors("A.java", MarkKind::Throw, "Bad").is_empty());
    }

    fn imports(path: &str, rows: &[(u32, &str, ImportKind, &str, u8)]) -> Vec<String> {
        let mut seen = ImportObserver::default();
        seen.found.begin_source();
        for (line, specifier, kind, names, flags) in rows {
            seen.observe(ImportRow {
                path,
                line: *line,
                specifier,
                target: None,
                kind: *kind,
                names,
                flags: ImportFlags(*flags),
            });
        }
        shown(&seen.found)
    }

    #[test]
    fn a_module_counts_once_for_a_file_of_ecmascript() {
        let rows = [
            (1, "node:fs", ImportKind::Names, "readFile", 0),
            (2, "./a.js", ImportKind::Names, "a", 0),
            (3, "./a.js", ImportKind::Names, "b", 0),
            (4, "./b.js", ImportKind::All, "", ImportFlags::REEXPORT),
            (5, "./c.vue", ImportKind::Names, "C", 0),
            (6, "./d.service", ImportKind::Names, "D", 0),
            (7, "zod", ImportKind::Module, "z", 0),
            (8, "path", ImportKind::Names, "join", 0),
        ];
        assert_eq!(
            imports("a.ts", &rows),
            [
                "1 import:node:prefix=node:",
                "2 import:script:extension=.js",
                "6 import:script:extension=none",
                "7 import:alias:script:zod=z",
                "8 import:node:prefix=bare"
            ]
        );
    }

    #[test]
    fn modules_of_python_have_their_names() {
        let rows = [
            (1, "numpy", ImportKind::Module, "np", 0),
            (2, "os.path", ImportKind::Module, "", 0),
            (3, "typing", ImportKind::Names, "Any", 0),
        ];
        assert_eq!(
            imports("a.py", &rows),
            [
                "1 import:alias:python:numpy=np",
                "2 import:alias:python:os.path=os.path"
            ]
        );
    }
}
