//! What is fuzzed: one function for each target, given any bytes. Shared by the targets of cargo-fuzz
//! here and by `cargo xtask fuzz`, which needs no nightly toolchain.

use base::{Language, NodeId};
use ingest::emit::{assign_file_keys, assign_nodes};
use ingest::scip::{SourceFile, Sources, import_bytes};
use linker::{Manifest, Repo, link_file};
use std::borrow::Cow;
use std::sync::Arc;
use syntax::FileFacts;
use syntax::facts::DefId;

/// A target's name and function.
pub type Target = (&'static str, fn(&[u8]));

/// Every target but those of languages.
pub const TARGETS: [Target; 11] = [
    ("link", link),
    ("manifests", manifests),
    ("scip", scip),
    ("traces", traces),
    ("lockfiles", lockfiles),
    ("audits", audits),
    ("config", config),
    ("prompt", prompt),
    ("protocol", protocol),
    ("query", query),
    ("secrets", secrets),
];

/// The names of all targets: facts of each language come first.
#[allow(dead_code)] // cargo-fuzz has a list of its own.
pub fn names() -> Vec<String> {
    let facts = Language::ALL.iter().map(|l| format!("{FACTS}{l}"));
    facts
        .chain(TARGETS.iter().map(|(name, _)| (*name).to_owned()))
        .collect()
}

/// How targets of languages begin.
const FACTS: &str = "facts_";

/// Runs one target by its name; whether there is such a target.
pub fn run_target(name: &str, data: &[u8]) -> bool {
    if let Some(word) = name.strip_prefix(FACTS) {
        let mut all = Language::ALL.into_iter();
        let language = all.find(|l| l.as_str() == word);
        language.inspect(|l| facts(*l, data)).is_some()
    } else {
        let found = TARGETS.iter().find(|(n, _)| *n == name);
        found.inspect(|(_, target)| target(data)).is_some()
    }
}

/// Facts of a source: every table refers to rows that exist, chunks do not overlap.
fn facts(language: Language, data: &[u8]) {
    let source = String::from_utf8_lossy(data);
    let facts = languages::extract(language, &source);
    let is_def = |def: Option<DefId>| def.is_none_or(|d| d.index() < facts.defs.len());
    for (at, def) in facts.defs.iter().enumerate() {
        assert!(
            def.parent.is_none_or(|p| p.index() < at),
            "a parent stands first"
        );
        assert!(def.scope.index() < facts.scopes.len());
        assert!(def.span.start_byte <= def.span.end_byte);
        assert!(def.span.end_byte as usize <= source.len());
        assert!(def.name.index() < facts.names.len());
        let _ = facts.qualified_name(DefId(at as u32));
    }
    for call in &facts.calls {
        assert!(is_def(call.owner) && call.expr.index() < facts.exprs.len());
    }
    assert!(facts.references.iter().all(|r| is_def(r.owner)));
    assert!(facts.writes.iter().all(|w| is_def(w.owner)));
}

/// Splits `//- path` sections; files of no known language are manifests.
fn repository(text: &str) -> Repo {
    let mut files: Vec<(Arc<str>, Arc<FileFacts>)> = Vec::new();
    let mut manifests = Vec::new();
    for testkit::FixtureFile { path, text } in testkit::parse_fixture(text).into_iter().take(16) {
        let path: Arc<str> = path.into();
        match Language::from_path(&path) {
            Some(language) => files.push((path, Arc::new(languages::extract(language, text)))),
            None => manifests.push(Manifest {
                path,
                text: text.into(),
            }),
        }
    }
    files.sort_by(|a, b| a.0.cmp(&b.0));
    files.dedup_by(|a, b| a.0 == b.0);
    Repo::new(files, manifests)
}

/// Linking of a small repository: an outcome for every site.
fn link(data: &[u8]) {
    let repo = repository(&String::from_utf8_lossy(data));
    let langs = languages::tables(&repo);
    for (id, file) in repo.files() {
        let linked = link_file(&repo, &langs, id);
        assert_eq!(linked.calls.len(), file.facts.calls.len());
        assert_eq!(linked.imports.len(), file.facts.imports.len());
    }
}

/// Sources that use what manifests say.
const AROUND: &str = "\
//- a/b/main.ts
import { x } from '@s/one/deep'; import y from '#in'; import z from '../lib/dist/z.js'; x(); y(); z();
//- a/lib/src/z.ts
export default function z() {}
//- a/main.go
package main
import \"example.com/one/two\"
func main() { two.F() }
//- one/two/two.go
package two
func F() {}
//- src/pkg/__init__.py
def f(): pass
//- test.py
from pkg import f
f()
//- src/lib.rs
pub mod part;
use dep::g; fn main() { g(); crate::part::h(); }
//- src/part.rs
pub fn h() {}
//- p/A.java
package p; import q.*; class A { B b; }
//- q/B.java
package q; public class B {}
";

/// Manifests, of which the first line is the name.
fn manifests(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut all = String::from(AROUND);
    // Each at the root and in a folder.
    let (name, inner) = text.split_once('\n').unwrap_or((&text, ""));
    let inner = inner.replace("//- ", "");
    for folder in ["", "a/"] {
        all.push_str(&format!("//- {folder}{}\n{inner}\n", name.trim()));
    }
    link(all.as_bytes());
}

/// One source that an index may describe.
struct OneFile {
    text: &'static str,
    facts: FileFacts,
    nodes: Vec<Option<NodeId>>,
    file_node: NodeId,
}

const SCIP_PATH: &str = "src/a.ts";
const SCIP_TEXT: &str = "export class A { run() { return b('é'); } }\nfunction b(x: string) { x = x; return new A().run(); }\n";

impl Sources for OneFile {
    fn contains(&self, path: &str) -> bool {
        path == SCIP_PATH
    }

    fn source_file(&self, path: &str) -> Option<SourceFile<'_>> {
        self.contains(path).then(|| SourceFile {
            text: self.text.into(),
            facts: Cow::Borrowed(&self.facts),
            nodes: Cow::Borrowed(&self.nodes),
            file_node: self.file_node,
            modified: None,
        })
    }
}

/// Import of a SCIP index.
fn scip(data: &[u8]) {
    let facts = languages::extract(Language::TypeScript, SCIP_TEXT);
    let nodes = assign_nodes(assign_file_keys([SCIP_PATH].into_iter())[0], &facts);
    let sources = OneFile {
        text: SCIP_TEXT,
        facts,
        file_node: nodes.file,
        nodes: nodes.of_def,
    };
    if let Ok(import) = import_bytes(data, None, &sources) {
        assert!(import.documents.len() <= 1);
        let _ = ingest::scip::document_paths(data);
    }
}

/// Stack traces, messages and source maps of a report: lines and places within bounds.
fn traces(data: &[u8]) {
    use analysis::bug_locate::{
        Gathering, Pattern, SourceMap, extract_clues, find_string_literals, parse_stack_traces,
    };
    let text = String::from_utf8_lossy(data);
    for trace in parse_stack_traces(&text) {
        assert!(
            trace
                .frames
                .iter()
                .all(|f| f.line != Some(0) && !f.path.is_empty())
        );
    }
    let _ = extract_clues(&text);
    for line in text.lines().take(200) {
        for literal in find_string_literals(line) {
            assert!(
                Pattern::new(literal)
                    .find(&text, &Gathering::default())
                    .is_none_or(|found| found.fixed <= text.len())
            );
        }
    }
    if let Some(map) = SourceMap::parse(&text) {
        let _ = map.find_original_position(1, Some(1));
        let _ = map.find_original_position(u32::MAX, None);
    }
}

/// Lock files and manifests, of which the first line is the name: packages refer to packages that are there.
fn lockfiles(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (name, inner) = text.split_once('\n').unwrap_or((&text, ""));
    let _ = analysis::lockfiles::read(name.trim(), inner, &Default::default());
}

/// What audit tools print.
fn audits(data: &[u8]) {
    if let Ok(audit) = analysis::vuln::parse_audit(&String::from_utf8_lossy(data)) {
        let count = audit.advisories.len();
        assert!(analysis::vuln::merge_advisories(audit.advisories).len() <= count);
    }
}

/// A configuration file: whatever it says, every key has a value.
fn config(data: &[u8]) {
    let config = engine::Config::from_project_text(&String::from_utf8_lossy(data));
    for key in engine::config::KEYS {
        assert!(config.get(key.name).is_some(), "{}", key.name);
    }
    let _ = config.show().to_text();
}

/// A prompt as the hook gets it.
fn prompt(data: &[u8]) {
    let _ = engine::may_be_about_code(&String::from_utf8_lossy(data));
}

/// A request to the daemon, and an answer of one.
fn protocol(data: &[u8]) {
    use server::daemon::protocol::{Response, parse_request};
    if let Ok(request) = parse_request(data) {
        assert!(!request.action.is_empty());
    }
    let _ = serde_json::from_slice::<Response>(data);
}

/// A question, and the lines that are shown for it.
fn query(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let query = search::rank::Query::new(&text);
    let shown = search::rank::build_snippet(&text, &query, 3);
    assert!(shown.lines().count() <= 3);
    let _ = search::pattern::compile(&text);
}

/// Secrets are masked without moving a line, and masking again finds nothing.
fn secrets(data: &[u8]) {
    use base::secret::{TextKind, mask_secrets};
    let text = String::from_utf8_lossy(data).into_owned();
    for kind in [TextKind::Code, TextKind::Other] {
        let masked = mask_secrets(text.clone(), kind);
        assert_eq!(masked.lines().count(), text.lines().count());
        assert_eq!(mask_secrets(masked.clone(), kind), masked);
    }
}
