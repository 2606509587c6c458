//! The part of the contract about other rows than nodes and edges: imports, unresolved calls, marks.

use super::{file_node, sample_node, two_file_graph};
use crate::{
    GraphChange, GraphStore, ImportFlags, ImportKind, ImportRecord, MarkRecord,
    UnresolvedCallRecord,
};
use base::MarkKind;

fn import(source: &str, target: Option<&str>, line: u32, specifier: &str) -> ImportRecord {
    ImportRecord {
        source_id: source.to_owned(),
        line,
        specifier: specifier.to_owned(),
        target_id: target.map(str::to_owned),
        kind: ImportKind::Names,
        names: "f,g".to_owned(),
        flags: ImportFlags(0),
    }
}

/// Imports as `file:line specifier > target kind names flags`.
fn all_imports(store: &dyn GraphStore) -> Vec<String> {
    let mut all = Vec::new();
    let read = store.for_each_import(&mut |i| {
        all.push(format!(
            "{}:{} {} > {} {:?} {} {}",
            i.path,
            i.line,
            i.specifier,
            i.target.unwrap_or("-"),
            i.kind,
            i.names,
            i.flags.0
        ));
    });
    read.expect("imports");
    all
}

/// Imports are read in the order of their file with every field, are replaced with it, and stay when their target is
/// removed.
pub fn imports_go_with_their_file_and_lead_nowhere_when_their_target_is_gone(
    store: &mut dyn GraphStore,
) {
    let mut last = import("fa", None, 1, "zod");
    (last.kind, last.names) = (ImportKind::SideEffect, String::new());
    last.flags = ImportFlags(ImportFlags::DEFERRED | ImportFlags::ERASED);
    let full = GraphChange {
        clear_all: true,
        nodes: vec![file_node("fa", "a.ts"), file_node("fb", "b.ts")],
        imports: vec![
            import("fa", Some("fb"), 7, "./b"),
            last,
            import("fb", Some("fa"), 2, "./a"),
        ],
        ..two_file_graph()
    };
    let full = GraphChange {
        edges: Vec::new(),
        relations: Vec::new(),
        externals: Vec::new(),
        ..full
    };
    store.apply_change(&full).expect("full");
    let of_b = "b.ts:2 ./a > a.ts Names f,g 0";
    assert_eq!(
        all_imports(store),
        [
            "a.ts:7 ./b > b.ts Names f,g 0",
            "a.ts:1 zod > - SideEffect  10",
            of_b
        ]
    );
    let update = |imports: Vec<ImportRecord>| GraphChange {
        clear_files: vec!["a.ts".to_owned()],
        nodes: vec![file_node("fa", "a.ts")],
        imports,
        ..GraphChange::default()
    };
    let moved = import("fa", Some("fb"), 8, "./b");
    store.apply_change(&update(vec![moved])).expect("update");
    assert_eq!(all_imports(store), ["a.ts:8 ./b > b.ts Names f,g 0", of_b]);
    store.apply_change(&update(Vec::new())).expect("none");
    assert_eq!(all_imports(store), [of_b]);
    let nobody = update(vec![import("fa", Some("nobody"), 1, "./c")]);
    assert!(
        store.apply_change(&nobody).is_err(),
        "a target must be there"
    );
    assert_eq!(all_imports(store), [of_b]);
    let gone = GraphChange {
        removed_files: vec!["a.ts".to_owned()],
        ..GraphChange::default()
    };
    store.apply_change(&gone).expect("gone");
    assert_eq!(all_imports(store), ["b.ts:2 ./a > - Names f,g 0"]);
    assert!(store.delete_node("fb").expect("delete"));
    assert!(all_imports(store).is_empty());
    store.apply_change(&full).expect("full");
    assert!(store.delete_node("fa").expect("delete"));
    assert_eq!(all_imports(store), ["b.ts:2 ./a > - Names f,g 0"]);
    let whole = GraphChange {
        clear_all: true,
        ..GraphChange::default()
    };
    store.apply_change(&whole).expect("whole");
    assert!(all_imports(store).is_empty());
}

/// Marks as `source kind name(detail) lines`.
fn all_marks(store: &dyn GraphStore) -> Vec<String> {
    let mut all = Vec::new();
    let read = store.for_each_mark(&mut |m| {
        let what = format!("{} {:?} {}({})", m.source_id, m.kind, m.name, m.detail);
        all.push(format!("{what} {:?}", m.lines));
    });
    read.expect("marks");
    all
}

/// Marks are read in order with every field, and are replaced and removed with their node.
pub fn marks_go_with_the_node_that_has_them(store: &mut dyn GraphStore) {
    let mark = |source: &str, kind: MarkKind, name: &str, lines: &[u32]| MarkRecord {
        source_id: source.to_owned(),
        kind,
        name: name.to_owned(),
        detail: "1, \"x\"".to_owned(),
        lines: lines.to_vec(),
    };
    let update = |marks: Vec<MarkRecord>| GraphChange {
        clear_files: vec!["a.ts".to_owned()],
        nodes: vec![file_node("fa", "a.ts"), sample_node("f", "f", "a.ts", 3)],
        marks,
        ..GraphChange::default()
    };
    let first = vec![
        mark("fa", MarkKind::Catch, "e", &[4, 9]),
        mark("f", MarkKind::Decorator, "b", &[2]),
        mark("f", MarkKind::Decorator, "a", &[1]),
    ];
    store.apply_change(&update(first.clone())).expect("first");
    let of_a = r#"f Decorator a(1, "x") [1]"#;
    let of_file = r#"fa Catch e(1, "x") [4, 9]"#;
    let all = [of_a, r#"f Decorator b(1, "x") [2]"#, of_file];
    assert_eq!(all_marks(store), all);
    store.apply_change(&update(first.clone())).expect("same");
    assert_eq!(all_marks(store), all);
    let fewer = vec![first[0].clone(), first[2].clone()];
    store.apply_change(&update(fewer)).expect("fewer");
    assert_eq!(all_marks(store), [of_a, of_file]);
    let nobody = update(vec![mark("nobody", MarkKind::Catch, "e", &[1])]);
    assert!(
        store.apply_change(&nobody).is_err(),
        "its node must be there"
    );
    assert_eq!(all_marks(store), [of_a, of_file]);
    assert!(store.delete_node("f").expect("delete"));
    assert_eq!(all_marks(store), [of_file]);
    store.apply_change(&update(first)).expect("again");
    let gone = GraphChange {
        clear_files: vec!["a.ts".to_owned()],
        nodes: vec![file_node("fa", "a.ts")],
        ..GraphChange::default()
    };
    store.apply_change(&gone).expect("gone");
    assert!(all_marks(store).is_empty());
}

/// Unresolved calls are found by their name, and are replaced with their file.
pub fn unresolved_calls_are_found_by_name_and_go_with_their_file(store: &mut dyn GraphStore) {
    let calls = |file: &str, name: &str, lines: &[u32]| UnresolvedCallRecord {
        source_id: file.to_owned(),
        name: name.to_owned(),
        lines: lines.to_vec(),
    };
    let of = |store: &dyn GraphStore, name: &str| store.unresolved_calls(name).expect("calls");
    let place = |path: &str, lines: &[u32]| (path.to_owned(), lines.to_vec());
    let full = GraphChange {
        clear_all: true,
        nodes: vec![file_node("fa", "a.ts"), file_node("fb", "b.ts")],
        unresolved: vec![
            calls("fb", "text", &[2]),
            calls("fa", "text", &[4, 4, 9]),
            calls("fa", "get", &[1]),
        ],
        ..GraphChange::default()
    };
    store.apply_change(&full).expect("full");
    assert_eq!(
        of(store, "text"),
        [place("a.ts", &[4, 4, 9]), place("b.ts", &[2])]
    );
    assert!(of(store, "tex").is_empty());
    assert_eq!(
        store.unresolved_calls_in("fa").expect("calls"),
        [place("get", &[1]), place("text", &[4, 4, 9])]
    );
    assert!(store.unresolved_calls_in("f").expect("calls").is_empty());
    let mut all = Vec::new();
    let mut visit = |calls: UnresolvedCallRecord| all.push((calls.source_id, calls.name));
    store.for_each_unresolved(&mut visit).expect("visit");
    let visited = |file: &str, name: &str| (file.to_owned(), name.to_owned());
    let wanted = [("fa", "get"), ("fa", "text"), ("fb", "text")];
    assert_eq!(all, wanted.map(|(file, name)| visited(file, name)));
    let update = |unresolved: Vec<UnresolvedCallRecord>| GraphChange {
        clear_files: vec!["a.ts".to_owned()],
        nodes: vec![file_node("fa", "a.ts")],
        unresolved,
        ..GraphChange::default()
    };
    let moved = vec![calls("fa", "text", &[5]), calls("fa", "set", &[1])];
    store.apply_change(&update(moved.clone())).expect("update");
    assert_eq!(
        of(store, "text"),
        [place("a.ts", &[5]), place("b.ts", &[2])]
    );
    assert!(of(store, "get").is_empty());
    store.apply_change(&update(moved)).expect("the same again");
    assert_eq!(of(store, "set"), [place("a.ts", &[1])]);
    let nobody = update(vec![calls("nobody", "text", &[1])]);
    assert!(
        store.apply_change(&nobody).is_err(),
        "its file must be there"
    );
    let gone = GraphChange {
        removed_files: vec!["a.ts".to_owned()],
        ..GraphChange::default()
    };
    store.apply_change(&gone).expect("gone");
    assert_eq!(of(store, "text"), [place("b.ts", &[2])]);
    assert!(store.delete_node("fb").expect("delete"));
    assert!(of(store, "text").is_empty());
}
