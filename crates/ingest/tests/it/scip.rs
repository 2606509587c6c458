//! Import of SCIP indexes, on tiny indexes made here.

use crate::common::state;
use base::{EdgeType, Site, Tier};
use ingest::emit::{FileNodes, assign_file_keys, assign_nodes};
use ingest::scip::{
    DEFINITION, IMPORT, READ, ScipError, ScipImport, SourceFile, Sources, WRITE, import_index,
};
use ingest::{
    ChunkUpdateScope, DeltaRequest, IndexOptions, ResidentCell, UpdateMethod, update_all,
    update_incremental,
};
use scip::types::{
    Document, Index, Metadata, Occurrence, Relationship, SymbolInformation, ToolInfo,
};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, SystemTime};
use store::sqlite::SqliteStore;
use store::{GraphEdge, GraphStore, NodeFlags};
use syntax::FileFacts;
use tempfile::TempDir;

/// A repository in memory, with an index that is built from words of its files.
struct Project {
    files: BTreeMap<String, (String, FileFacts, FileNodes)>,
    documents: BTreeMap<String, Document>,
    modified: SystemTime,
}

impl Project {
    fn new(files: &[(&str, &str)]) -> Project {
        let mut project = Project {
            files: BTreeMap::new(),
            documents: BTreeMap::new(),
            modified: SystemTime::UNIX_EPOCH,
        };
        for (path, text) in files {
            project.put(path, text);
            let document = Document {
                relative_path: (*path).to_owned(),
                ..Document::default()
            };
            project.documents.insert((*path).to_owned(), document);
        }
        project
    }

    /// Writes a file without changing the index.
    fn put(&mut self, path: &str, text: &str) {
        let facts = languages::extract(base::Language::from_path(path).unwrap(), text);
        let nodes = assign_nodes(assign_file_keys([path].into_iter())[0], &facts);
        self.files
            .insert(path.to_owned(), (text.to_owned(), facts, nodes));
    }

    /// Adds an occurrence at the `nth` place (from 0) of `word` in the file.
    fn mention(&mut self, path: &str, word: &str, nth: usize, symbol: &str, roles: u32) {
        let text = &self.files[path].0;
        let at = text
            .match_indices(word)
            .nth(nth)
            .expect("the word is there")
            .0;
        let line = text[..at].matches('\n').count();
        let start = text[..at].rfind('\n').map_or(0, |n| n + 1);
        let column = text[start..at].encode_utf16().count() as i32;
        let occurrence = Occurrence {
            range: vec![
                line as i32,
                column,
                column + word.encode_utf16().count() as i32,
            ],
            symbol: symbol.to_owned(),
            symbol_roles: roles as i32,
            ..Occurrence::default()
        };
        self.documents
            .get_mut(path)
            .unwrap()
            .occurrences
            .push(occurrence);
    }

    fn relate(&mut self, path: &str, from: &str, to: &str) {
        let relationship = Relationship {
            symbol: to.to_owned(),
            is_implementation: true,
            ..Relationship::default()
        };
        let info = SymbolInformation {
            symbol: from.to_owned(),
            relationships: vec![relationship],
            ..SymbolInformation::default()
        };
        self.documents.get_mut(path).unwrap().symbols.push(info);
    }

    fn write(&self, at: &Path) {
        let tool = ToolInfo {
            name: "scip-test".to_owned(),
            ..ToolInfo::default()
        };
        let metadata = Metadata {
            tool_info: Some(tool).into(),
            ..Metadata::default()
        };
        let index = Index {
            metadata: Some(metadata).into(),
            documents: self.documents.values().cloned().collect(),
            ..Index::default()
        };
        scip::write_message_to_file(at, index).unwrap();
    }

    fn import(&self) -> ScipImport {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("index.scip");
        self.write(&path);
        import_index(&path, "index.scip", self).unwrap()
    }

    /// The node of a definition of the syntax tree.
    fn node(&self, path: &str, name: &str) -> String {
        let (_, _, nodes) = &self.files[path];
        let at = nodes
            .qualified
            .iter()
            .position(|q| q == name)
            .expect("the definition");
        nodes.of_def[at].unwrap().to_string()
    }

    fn file_node(&self, path: &str) -> String {
        self.files[path].2.file.to_string()
    }
}

impl Sources for Project {
    fn contains(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    fn source_file(&self, path: &str) -> Option<SourceFile<'_>> {
        let (text, facts, nodes) = self.files.get(path)?;
        Some(SourceFile {
            text: Cow::Borrowed(text),
            facts: Cow::Borrowed(facts),
            nodes: Cow::Borrowed(&nodes.of_def),
            file_node: nodes.file,
            modified: Some(self.modified),
        })
    }
}

const LIB: &str = "export function greet(name) { return name }\nexport let count = 0\n";
const APP: &str = "import { greet, count } from './lib'\nfunction main() {\n  greet('\u{e9}\u{1f600}'); const f = greet\n  count = 1\n  return count\n}\n";
const GREET: &str = "scip-test npm p 1 `lib.ts`/greet().";
const COUNT: &str = "scip-test npm p 1 `lib.ts`/count.";
const MAIN: &str = "scip-test npm p 1 `app.ts`/main().";

fn two_files() -> Project {
    let mut project = Project::new(&[("lib.ts", LIB), ("app.ts", APP)]);
    project.mention("lib.ts", "greet", 0, GREET, DEFINITION);
    project.mention("lib.ts", "name", 0, "local 0", DEFINITION);
    project.mention("lib.ts", "name", 1, "local 0", 0);
    project.mention("lib.ts", "count", 0, COUNT, DEFINITION);
    project.mention("app.ts", "greet", 0, GREET, IMPORT);
    project.mention("app.ts", "main", 0, MAIN, DEFINITION);
    project.mention("app.ts", "greet", 1, GREET, 0);
    project.mention("app.ts", "count", 1, COUNT, WRITE);
    project.mention("app.ts", "count", 2, COUNT, READ);
    project
}

fn edges(import: &ScipImport) -> Vec<&GraphEdge> {
    import.documents.iter().flat_map(|d| &d.edges).collect()
}

fn found<'i>(import: &'i ScipImport, edge_type: EdgeType, target: &str) -> Vec<&'i GraphEdge> {
    let mut all = edges(import);
    all.retain(|e| e.edge_type == edge_type && e.target.to_string() == target);
    all
}

#[test]
fn ct_sp_001_roles_become_edge_types() {
    let project = two_files();
    let import = project.import();
    let (greet, count) = (
        project.node("lib.ts", "greet"),
        project.node("lib.ts", "count"),
    );
    let main = project.node("app.ts", "main");
    let imports = found(&import, EdgeType::Imports, &greet);
    assert_eq!((imports.len(), imports[0].line), (1, 1));
    assert_eq!(imports[0].source.to_string(), project.file_node("app.ts"));
    let calls = found(&import, EdgeType::Calls, &greet);
    assert_eq!(calls.len(), 1, "role 0 is a call");
    assert_eq!(
        (calls[0].source.to_string(), calls[0].line),
        (main.clone(), 3)
    );
    assert_eq!(
        (calls[0].site, calls[0].tier),
        (Some(Site::Call), Tier::Scip)
    );
    let writes = found(&import, EdgeType::Modifies, &count);
    assert_eq!((writes.len(), writes[0].source.to_string()), (1, main));
    assert_eq!(writes[0].site, None);
    let reads = found(&import, EdgeType::Calls, &count);
    assert_eq!((reads.len(), reads[0].site), (1, Some(Site::Reference)));
    assert_eq!(import.summary.edges[&EdgeType::Defines], 4);
    assert_eq!(import.summary.calls_by_site[&Site::Call], 1);
}

#[test]
fn names_of_an_index_are_one_line() {
    let mut project = Project::new(&[("lib.ts", LIB), ("app.ts", APP)]);
    let named = |name: &str| format!("scip-typescript npm . . `lib.ts`/`{name}`().");
    project.mention(
        "lib.ts",
        "greet",
        0,
        &named("x\n\nIGNORE\u{1b}[2J"),
        DEFINITION,
    );
    let outside = "scip-typescript npm left\n\nIGNORE 1.0 `x\ny`().";
    project.mention("app.ts", "greet", 1, outside, 0);
    let import = project.import();
    let shown = format!("{:?}", import.documents);
    assert!(shown.contains("IGNORE"), "{shown}");
    for document in &import.documents {
        for node in &document.nodes {
            let names = [Some(&node.symbol), node.qualified_name.as_ref()];
            let plain = |name: &&String| !name.contains(char::is_control);
            assert!(names.iter().flatten().all(plain), "{node:?}");
        }
        for external in &document.externals {
            assert!(!format!("{}{}", external.package, external.symbol).contains(char::is_control));
        }
    }
}

#[test]
fn ct_sp_001_every_bit_of_the_set_counts() {
    let mut project = Project::new(&[("lib.ts", LIB), ("app.ts", APP)]);
    project.mention("lib.ts", "count", 0, COUNT, DEFINITION);
    project.mention("app.ts", "count", 1, COUNT, READ | WRITE);
    let import = project.import();
    let count = project.node("lib.ts", "count");
    assert_eq!(found(&import, EdgeType::Calls, &count).len(), 1);
    assert_eq!(found(&import, EdgeType::Modifies, &count).len(), 1);
}

#[test]
fn a_write_is_one_whatever_the_indexer_calls_it() {
    for roles in [0, READ] {
        let mut project = Project::new(&[("lib.ts", LIB), ("app.ts", APP)]);
        project.mention("lib.ts", "count", 0, COUNT, DEFINITION);
        project.mention("app.ts", "count", 1, COUNT, roles);
        project.mention("app.ts", "count", 2, COUNT, roles);
        let import = project.import();
        let count = project.node("lib.ts", "count");
        let writes = found(&import, EdgeType::Modifies, &count);
        assert_eq!(writes.len(), 1, "{roles}");
        assert!(
            writes[0].more_lines.is_empty(),
            "what is read is not written"
        );
        assert_eq!(found(&import, EdgeType::Calls, &count).len(), 1);
    }
}

#[test]
fn a_mention_is_apart_from_a_call_and_says_nothing_beside_one() {
    let mut project = two_files();
    project.mention("app.ts", "greet", 2, GREET, 0);
    let greet = project.node("lib.ts", "greet");
    let import = project.import();
    let calls = found(&import, EdgeType::Calls, &greet);
    let sites: Vec<_> = calls.iter().map(|e| e.site).collect();
    assert_eq!(sites, [Some(Site::Call)]);
    let document = import
        .documents
        .iter()
        .find(|d| d.path == "app.ts")
        .unwrap();
    // Columns in bytes, after two characters of two and of four bytes.
    assert!(document.covered.contains(&(2, 2)));
    let behind = APP.lines().nth(2).unwrap().rfind("greet").unwrap() as u32;
    assert!(
        document.covered.contains(&(2, behind)),
        "{:?}",
        document.covered
    );
    assert_eq!(document.calls_resolved, 1);
}

#[test]
fn local_symbols_are_nodes_of_their_document_and_marked() {
    let project = two_files();
    let import = project.import();
    let locals: Vec<_> = import.documents.iter().flat_map(|d| &d.nodes).collect();
    assert_eq!(
        locals.len(),
        1,
        "everything else is a definition of the tree"
    );
    let local = locals[0];
    assert_eq!(
        (local.symbol.as_str(), local.file_path.as_str()),
        ("name", "lib.ts")
    );
    assert_eq!((local.kind.as_str(), local.line_start), ("local", Some(1)));
    assert!(local.flags.contains(NodeFlags::LOCAL));
    let inside = found(&import, EdgeType::Defines, &local.id);
    assert_eq!(
        inside[0].source.to_string(),
        project.node("lib.ts", "greet")
    );
    assert!(
        found(&import, EdgeType::Calls, &local.id).is_empty(),
        "that it is mentioned says nothing"
    );
}

#[test]
fn the_same_index_gives_the_same_rows() {
    let project = two_files();
    let rows = |i: ScipImport| {
        let rows = i
            .documents
            .into_iter()
            .map(|d| (d.nodes, d.edges, d.relations, d.externals));
        rows.collect::<Vec<_>>()
    };
    assert_eq!(rows(project.import()), rows(project.import()));
}

#[test]
fn relationships_lead_to_the_relations_table() {
    let text = "interface Shape { area(): number }\nclass Square implements Shape { area() { return 1 } }\n";
    let mut project = Project::new(&[("s.ts", text)]);
    let symbol = |s: &str| format!("scip-test npm p 1 `s.ts`/{s}");
    project.mention("s.ts", "Shape", 0, &symbol("Shape#"), DEFINITION);
    project.mention("s.ts", "area", 0, &symbol("Shape#area()."), DEFINITION);
    project.mention("s.ts", "Square", 0, &symbol("Square#"), DEFINITION);
    project.mention("s.ts", "area", 1, &symbol("Square#area()."), DEFINITION);
    project.relate("s.ts", &symbol("Square#"), &symbol("Shape#"));
    project.relate("s.ts", &symbol("Square#area()."), &symbol("Shape#area()."));
    project.relate("s.ts", &symbol("Square#"), &symbol("Gone#"));
    let import = project.import();
    let relations: Vec<_> = import.documents[0]
        .relations
        .iter()
        .map(|r| (r.source_id.clone(), r.target_id.clone(), r.kind.as_str()))
        .collect();
    let node = |name: &str| project.node("s.ts", name);
    let wanted = [
        (node("Square"), node("Shape"), "implements"),
        (node("Square.area"), node("Shape.area"), "overrides"),
    ];
    assert_eq!(relations, wanted);
}

#[test]
fn an_installed_copy_of_the_project_is_not_outside() {
    let text = "def f(): pass\ndef g(): f()\n";
    let mut project = Project::new(&[("f.py", text)]);
    let own = "scip-python python my_project 1 `my.f`/f().";
    project.mention("f.py", "f", 1, own, 1);
    project.mention(
        "f.py",
        "f",
        1,
        "scip-python python My-Project 0.9 `my.f`/f().",
        0,
    );
    let import = project.import();
    assert_eq!(import.documents[0].externals, []);
    assert_eq!(import.documents[0].calls_external, 0);
    assert!(
        import.documents[0].covered.is_empty(),
        "the linker may resolve it"
    );
}

#[test]
fn what_is_outside_is_counted_by_package() {
    let text =
        "import fs from 'fs'\nexport function f() { fs.readFileSync('x'); fs.readFileSync('y') }\n";
    let mut project = Project::new(&[("f.ts", text)]);
    let read = "scip-test npm @types/node 20 `fs.d.ts`/`\"fs\"`/readFileSync().";
    project.mention("f.ts", "fs", 0, "local 9", 0);
    project.mention("f.ts", "readFileSync", 0, read, 0);
    project.mention("f.ts", "readFileSync", 1, read, 0);
    let import = project.import();
    let external = &import.documents[0].externals[0];
    assert_eq!(
        (&*external.package, &*external.symbol),
        ("node:fs", "readFileSync")
    );
    assert_eq!((external.count, external.line), (2, 2));
    assert_eq!(external.source.to_string(), project.node("f.ts", "f"));
    assert_eq!(import.documents[0].calls_external, 2);
    assert!(
        edges(&import).is_empty(),
        "a local symbol without a definition is nothing"
    );
}

#[test]
fn a_file_that_changed_since_is_passed_over_and_others_stay() {
    let mut project = two_files();
    project.put("app.ts", &format!("// one line more\n{APP}"));
    let import = project.import();
    let paths: Vec<_> = import.documents.iter().map(|d| d.path.as_str()).collect();
    assert_eq!(paths, ["lib.ts"]);
    assert_eq!(import.passed_over.len(), 1);
    assert!(
        import.passed_over[0].reason.starts_with("stale"),
        "{:?}",
        import.passed_over
    );
}

#[test]
fn a_definition_added_at_the_end_after_the_index_makes_a_file_stale() {
    let mut project = two_files();
    project.put("app.ts", &format!("{APP}\nfunction late() {{ main() }}\n"));
    let taken = project.import().documents.len();
    assert_eq!(
        taken, 2,
        "older than the index: what that lacks is its business"
    );
    project.modified = SystemTime::now() + Duration::from_secs(60);
    let import = project.import();
    assert_eq!(import.passed_over.len(), 1);
    assert!(
        import.passed_over[0].reason.contains("late on line 8"),
        "{:?}",
        import.passed_over
    );
}

#[test]
fn a_changed_file_is_still_found_by_name_from_others() {
    let mut project = two_files();
    project.put("lib.ts", &format!("\n\n{LIB}"));
    let import = project.import();
    let greet = project.node("lib.ts", "greet");
    assert_eq!(found(&import, EdgeType::Calls, &greet).len(), 1);
}

#[test]
fn documents_outside_the_project_are_never_opened() {
    let mut project = two_files();
    for path in ["../secret.ts", "/etc/passwd", "gone.ts"] {
        let document = Document {
            relative_path: path.to_owned(),
            ..Document::default()
        };
        project.documents.insert(path.to_owned(), document);
    }
    let import = project.import();
    assert_eq!(import.documents.len(), 2);
    let passed: Vec<_> = import.passed_over.iter().map(|p| p.path.as_str()).collect();
    assert_eq!(passed, ["../secret.ts", "/etc/passwd", "gone.ts"]);
}

#[test]
fn ct_sp_002_a_missing_index_and_a_damaged_one_are_told_apart() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("index.scip");
    let project = two_files();
    let missing = import_index(&path, "index.scip", &project).unwrap_err();
    assert!(matches!(missing, ScipError::Missing(_)));
    assert_eq!(missing.to_string(), "SCIP index not found: index.scip");
    project.write(&path);
    let whole = std::fs::read(&path).unwrap();
    for bytes in [
        &b"this is no index"[..],
        &[0xff; 40],
        &whole[..whole.len() - 3],
        b"",
    ] {
        std::fs::write(&path, bytes).unwrap();
        let damaged = import_index(&path, "index.scip", &project).unwrap_err();
        assert!(matches!(damaged, ScipError::Damaged { .. }), "{damaged}");
    }
}

#[test]
fn an_index_that_takes_more_memory_than_it_may_is_told_and_not_read() {
    let repo = TempDir::new().unwrap();
    let root = repo.path();
    std::fs::write(root.join("a.ts"), "export function f() { return f() }\n").unwrap();
    let path = root.join("index.scip");
    // Each occurrence takes two bytes here, and a hundred times as many when decoded.
    let document = Document {
        relative_path: "a.ts".to_owned(),
        occurrences: vec![Occurrence::default(); 100_000],
        ..Document::default()
    };
    let index = Index {
        documents: vec![document],
        ..Index::default()
    };
    scip::write_message_to_file(&path, index).unwrap();
    let options = |memory: u64| IndexOptions {
        scip_path: Some(path.clone()),
        memory_limit: Some(memory),
        ..IndexOptions::new(root, &root.join(".devbooks"))
    };
    let told = |report: &ingest::IndexReport| report.warnings.join("\n");
    let low = update_all(&options(160 << 20), &()).unwrap();
    assert!(told(&low).contains("memory ceiling"), "{:?}", low.warnings);
    assert!(told(&low).contains("index.scip"), "{:?}", low.warnings);
    assert!(low.scip.unwrap().problem.is_some());
    // The state stays the same, and a check reports it.
    let again = update_all(&options(160 << 20), &()).unwrap();
    assert_eq!(again.strategy, ingest::Strategy::UpToDate);
    let state = ingest::check_freshness(&options(160 << 20)).unwrap();
    assert!(state.is_fresh());
    assert!(
        state.warnings.iter().any(|w| w.contains("SCIP index")),
        "{:?}",
        state.warnings
    );
    // Below a higher ceiling it is read.
    assert!(
        !ingest::check_freshness(&options(4 << 30))
            .unwrap()
            .is_fresh()
    );
    let high = update_all(&options(4 << 30), &()).unwrap();
    assert!(high.scip.unwrap().problem.is_none(), "{:?}", high.warnings);
    assert_eq!(
        ingest::check_freshness(&options(4 << 30)).unwrap().warnings,
        Vec::<String>::new()
    );
}

#[test]
fn no_byte_of_an_index_can_break_the_import() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("index.scip");
    let project = two_files();
    project.write(&path);
    let whole = std::fs::read(&path).unwrap();
    let mut taken = 0;
    for at in 0..whole.len() {
        for flip in [0x01, 0x80, 0xff] {
            let mut bytes = whole.clone();
            bytes[at] ^= flip;
            // Either result is accepted; there must be no panic.
            taken += usize::from(ingest::scip::import_bytes(&bytes, None, &project).is_ok());
        }
    }
    assert!(taken > 0 && taken < whole.len() * 3);
}

/// AC-002 and AC-N04: every document is imported, and every symbol has a node.
#[test]
fn ac_002_ac_n04_a_whole_project_is_covered() {
    let count = 40;
    let texts: Vec<(String, String)> = (0..count)
        .map(|n| {
            let next = (n + 1) % count;
            let text = format!(
                "import {{ f{next}_ }} from './m{next}'\nexport function f{n}_(a) {{ return f{next}_(a) }}\n\
                 export class C{n} {{ run() {{ return f{n}_(1) }} }}\n"
            );
            (format!("src/m{n}.ts"), text)
        })
        .collect();
    let files: Vec<(&str, &str)> = texts
        .iter()
        .map(|(p, t)| (p.as_str(), t.as_str()))
        .collect();
    let mut project = Project::new(&files);
    for n in 0..count {
        let next = (n + 1) % count;
        let path = format!("src/m{n}.ts");
        let symbol = |m: usize, s: &str| format!("scip-test npm p 1 src/`m{m}.ts`/{s}");
        let (own, other) = (format!("f{n}_"), format!("f{next}_"));
        project.mention(&path, &own, 0, &symbol(n, &format!("{own}().")), DEFINITION);
        project.mention(&path, &own, 1, &symbol(n, &format!("{own}().")), 0);
        project.mention(&path, &other, 0, &symbol(next, &format!("{other}().")), 0);
        project.mention(&path, &other, 1, &symbol(next, &format!("{other}().")), 0);
        project.mention(
            &path,
            &format!("C{n}"),
            0,
            &symbol(n, &format!("C{n}#")),
            DEFINITION,
        );
        project.mention(
            &path,
            "run",
            0,
            &symbol(n, &format!("C{n}#run().")),
            DEFINITION,
        );
    }
    let import = project.import();
    assert_eq!(import.documents.len(), count, "{:?}", import.passed_over);
    assert_eq!(import.summary.documents, count);
    assert_eq!(import.summary.symbols, count * 3);
    assert_eq!(import.summary.edges[&EdgeType::Defines], count * 3);
    let nodes: usize = import
        .documents
        .iter()
        .map(|d| d.named.len() + d.nodes.len())
        .sum();
    assert!(nodes >= import.summary.symbols);
    assert_eq!(import.summary.calls_by_site[&Site::Call], count * 2);
    let key = |e: &&GraphEdge| (e.source, e.target, e.edge_type, e.site);
    let unique: BTreeSet<_> = edges(&import).iter().map(key).collect();
    assert_eq!(unique.len(), edges(&import).len());
}

/// The files that use the index, after an update that is compared with a clean build.
fn by_index(root: &Path, residence: &ResidentCell, paths: &[&str]) -> (UpdateMethod, Vec<String>) {
    let options = |state: &Path| IndexOptions {
        scip_path: Some(root.join("index.scip")),
        threads: 2,
        ..IndexOptions::new(root, state)
    };
    let paths: Vec<String> = paths.iter().map(|path| (*path).to_owned()).collect();
    let ask = DeltaRequest {
        paths: &paths,
        no_other_changes: true,
        chunks: ChunkUpdateScope::Named,
    };
    let ours = options(&root.join(".devbooks"));
    let way = update_incremental(&ours, residence, ask, &()).unwrap().way;
    let clean = TempDir::new().unwrap();
    let theirs = options(clean.path());
    update_all(&theirs, &()).unwrap();
    let graphs = (state::graph(&ours.db_path), state::graph(&theirs.db_path));
    let different = state::difference(&graphs.0, &graphs.1);
    assert!(different.is_none(), "{}", different.unwrap());
    let files = SqliteStore::open_read_only(&ours.db_path)
        .unwrap()
        .indexed_files();
    let files = files.unwrap().into_values();
    let by_index = files.filter(|file| file.source == "scip");
    (way, by_index.map(|file| file.path).collect())
}

#[test]
fn a_newer_index_wins_and_files_that_change_after_it_go_by_their_trees() {
    let folder = TempDir::new().unwrap();
    let (root, mut project) = (folder.path(), two_files());
    let residence = ResidentCell::default();
    for (path, text) in [("lib.ts", LIB), ("app.ts", APP)] {
        std::fs::write(root.join(path), text).unwrap();
    }
    assert_eq!(by_index(root, &residence, &[]).1, [""; 0]);
    // Now a resident process has everything that an update of single files needs.
    assert_eq!(
        by_index(root, &residence, &[]),
        (UpdateMethod::Files, vec![])
    );
    project.write(&root.join("index.scip"));
    let both = vec!["app.ts".to_owned(), "lib.ts".to_owned()];
    assert_eq!(
        by_index(root, &residence, &[]),
        (UpdateMethod::All, both.clone())
    );
    let text = format!("// one line more\n{APP}");
    std::fs::write(root.join("app.ts"), &text).unwrap();
    let changed = by_index(root, &residence, &["app.ts"]);
    assert_eq!(changed, (UpdateMethod::All, both[1..].to_vec()));
    project.put("app.ts", &text);
    project
        .documents
        .get_mut("app.ts")
        .unwrap()
        .occurrences
        .clear();
    project.mention("app.ts", "greet", 1, GREET, 0);
    project.write(&root.join("index.scip"));
    assert_eq!(by_index(root, &residence, &[]), (UpdateMethod::All, both));
    std::fs::remove_file(root.join("index.scip")).unwrap();
    assert_eq!(by_index(root, &residence, &[]).1, [""; 0]);
    std::fs::write(root.join("app.ts"), APP).unwrap();
    assert_eq!(by_index(root, &residence, &["app.ts"]).1, [""; 0]);
}

#[test]
fn documents_below_a_long_root_are_counted_and_not_all_named() {
    let deep = ["d".repeat(250).as_str(); 3].join("/");
    let mut project = Project::new(&[(&format!("{deep}/!.py"), "def f():\n    pass\n")]);
    project.documents.clear();
    let mut document = |path: String| {
        let document = Document {
            relative_path: path.clone(),
            ..Document::default()
        };
        project.documents.insert(path, document);
    };
    // The first document is one of those that determine the root.
    document("!.py".to_owned());
    document("b".repeat(2_000));
    (0..300_000).for_each(|at| document(at.to_string()));
    let tool = ToolInfo::default();
    let index = Index {
        metadata: Some(Metadata {
            tool_info: Some(tool).into(),
            project_root: format!("file:///project/{deep}"),
            ..Metadata::default()
        })
        .into(),
        documents: project.documents.values().cloned().collect(),
        ..Index::default()
    };
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("index.scip");
    scip::write_message_to_file(&path, index).unwrap();
    let import_index = import_index(&path, "index.scip", &project).unwrap();
    assert_eq!(import_index.documents.len(), 1);
    assert_eq!(import_index.passed_over.len(), ingest::scip::MOST_NAMED);
    let more = &import_index.passed_over_more;
    let named = ingest::scip::MOST_NAMED as u64;
    assert_eq!(more["not in the graph"], 300_000 - named);
    assert_eq!(more["path longer than 1,024 bytes"], 1);
}
