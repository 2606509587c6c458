//! The tables over all files: names, children, bindings, replaced and evicted facts.

use super::tiny::{facts, langs, repo};
use crate::lend::FactsSource;
use crate::repo::{FileId, GlobalDef, Manifest, Repo};
use base::Language;
use base::facts::*;
use proptest::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn files_and_names_are_found() {
    let repo = repo(
        "//- b/two.lua\nfn f() {}\n//- a.lua\nclass C { fn f(self) {} fn g(self) {} }\nfn g() {}\n",
    );
    let paths: Vec<&str> = repo.files().map(|(_, f)| &*f.path).collect();
    assert_eq!(paths, ["a.lua", "b/two.lua"]);
    assert_eq!((repo.len(), repo.is_empty()), (2, false));
    assert_eq!(repo.file_at("b/two.lua"), Some(FileId(1)));
    assert_eq!(repo.file_at("two.lua"), None);
    let f = repo.find_sym("f").unwrap();
    assert_eq!(repo.sym_text(f), "f");
    assert_eq!(repo.find_sym("h"), None);
    assert_eq!(repo.files_with(&[f]), [FileId(0), FileId(1)]);
    let c = repo.find_sym("C").unwrap();
    assert_eq!(repo.files_with(&[c]), [FileId(0)]);
    assert_eq!(repo.files_with(&[c, f]), [FileId(0), FileId(1)]);
    assert_eq!(repo.files_with(&[]), []);
    let class = repo.top_level_named(FileId(0), c).next().unwrap();
    assert_eq!(repo.def_name(class), "C");
    let names = |defs: Vec<GlobalDef>| -> Vec<String> {
        defs.into_iter().map(|d| repo.qualified_name(d)).collect()
    };
    let mut own = names(repo.children(class).collect());
    own.sort();
    assert_eq!(own, ["C.f", "C.g"]);
    assert_eq!(names(repo.children_named(class, f).collect()), ["C.f"]);
    let mut top = names(repo.top_level(FileId(0)).collect());
    top.sort();
    assert_eq!(top, ["C", "g"]);
    assert_eq!(repo.top_level_named(FileId(0), f).len(), 0);
}

#[test]
fn paths_of_names_are_told_apart() {
    let repo = repo("//- a.lua\nimport lib/core\nimport plain\nfn f() {}\n");
    let dotted: Vec<&str> = repo.dotted_names().map(|(_, text)| text).collect();
    assert_eq!(dotted, ["lib/core"]);
}

#[test]
fn manifests_are_in_order_of_their_paths() {
    let manifest = |path: &str| Manifest {
        path: path.into(),
        text: "".into(),
    };
    let repo = Repo::new(Vec::new(), vec![manifest("b.toml"), manifest("a.json")]);
    let paths: Vec<&str> = repo.manifests.iter().map(|m| &*m.path).collect();
    assert_eq!(paths, ["a.json", "b.toml"]);
    assert!(repo.is_empty());
}

#[test]
fn replaced_facts_are_found_by_their_new_names() {
    let mut repo = repo("//- a.lua\nfn old() {}\n//- b.lua\nfn old() {}\n");
    let old = repo.find_sym("old").unwrap();
    assert_eq!(repo.files_with(&[old]), [FileId(0), FileId(1)]);
    let new = Arc::new(facts(Language::Lua, "fn new() {}\nfn more() {}\n"));
    repo.replace_facts(FileId(0), new);
    assert_eq!(repo.files_with(&[old]), [FileId(1)]);
    let new = repo.find_sym("new").unwrap();
    assert_eq!(repo.files_with(&[new, old]), [FileId(0), FileId(1)]);
    assert_eq!(repo.file_at("a.lua"), Some(FileId(0)));
    assert_eq!(repo.top_level_named(FileId(0), new).len(), 1);
    assert_eq!(repo.top_level_named(FileId(0), old).len(), 0);
}

#[test]
fn many_replaced_files_are_found_as_few_are() {
    let mut fixture = String::new();
    for n in 0..1_100 {
        fixture += &format!("//- m{n:04}.lua\nfn old() {{}}\n");
    }
    let mut repo = repo(&fixture);
    repo.build_name_index();
    let new = Arc::new(facts(Language::Lua, "fn new() {}\n"));
    for n in 0..1_050 {
        repo.replace_facts(FileId(n), new.clone());
    }
    let old = repo.find_sym("old").unwrap();
    let new = repo.find_sym("new").unwrap();
    let files = |range: std::ops::Range<u32>| range.map(FileId).collect::<Vec<_>>();
    assert_eq!(repo.files_with(&[old]), files(1_050..1_100));
    assert_eq!(repo.files_with(&[new]), files(0..1_050));
}

/// Counts how often facts were asked for.
#[derive(Debug)]
struct Keeper {
    facts: Vec<Arc<FileFacts>>,
    asked: AtomicUsize,
}

impl FactsSource for Keeper {
    fn facts(&self, file: FileId) -> Arc<FileFacts> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        self.facts[file.0 as usize].clone()
    }
}

#[test]
fn lent_facts_come_back_once_and_only_where_they_are_wanted() {
    let mut repo =
        repo("//- a.lua\nimport b.*\nfn f() { g() }\n//- b.lua\nfn g() {}\n//- c.lua\nfn h() {}\n");
    let before = super::tiny::call_lines(
        &repo,
        FileId(0),
        &crate::link_file(&repo, &langs(&repo), FileId(0)),
    );
    let tables = langs(&repo);
    let keeper = Arc::new(Keeper {
        facts: repo.files().map(|(_, f)| f.facts.get().clone()).collect(),
        asked: AtomicUsize::new(0),
    });
    let source: Arc<dyn FactsSource> = keeper.clone();
    repo.evict_facts(&source);
    assert_eq!(keeper.asked.load(Ordering::Relaxed), 0);
    let linked = crate::link_file(&repo, &tables, FileId(0));
    assert_eq!(super::tiny::call_lines(&repo, FileId(0), &linked), before);
    assert_eq!(keeper.asked.load(Ordering::Relaxed), 2);
    crate::link_file(&repo, &tables, FileId(0));
    assert_eq!(keeper.asked.load(Ordering::Relaxed), 2);
    let f = repo.find_sym("f").unwrap();
    assert_eq!(repo.files_with(&[f]), [FileId(0)]);
}

/// A file that binds one name in its own scope once per entry: the namespace, and the byte from which it is visible.
fn bound(entries: &[(u8, u32)]) -> Repo {
    let mut facts = FileFacts::empty(Language::Lua);
    facts.names = vec!["before".into(), "x".into(), "y".into()];
    for name in [NameId(0), NameId(2)] {
        facts.bindings.push(binding(name, 7, 0));
    }
    facts.bindings.extend(
        entries
            .iter()
            .map(|(bits, from)| binding(NameId(1), *bits, *from)),
    );
    Repo::new(vec![("a.lua".into(), Arc::new(facts))], Vec::new())
}

fn binding(name: NameId, bits: u8, from: u32) -> Binding {
    Binding {
        scope: FILE_SCOPE,
        name,
        namespace: Namespace(bits),
        from,
        to: Bound::Local {
            ty: None,
            value: None,
        },
    }
}

proptest! {
    /// However many bindings a name has, and in whatever order, the last that is visible counts.
    #[test]
    fn the_last_visible_binding_counts(
        entries in prop::collection::vec((1u8..8, 0u32..50), 0..80),
        in_order in any::<bool>(),
        one_namespace in any::<bool>(),
        at in 0u32..60,
        wanted in 1u8..8,
    ) {
        let mut entries = entries;
        if in_order {
            entries.sort_by_key(|e| e.1);
        }
        if one_namespace {
            entries.iter_mut().for_each(|e| e.0 = 2);
        }
        let repo = bound(&entries);
        let visible = entries.iter().filter(|(bits, from)| bits & wanted != 0 && *from <= at);
        // Of bindings that begin at the same place, the later one.
        let expected = visible.max_by_key(|(_, from)| *from).copied();
        let found = repo.binding_at(FileId(0), FILE_SCOPE, NameId(1), at, Namespace(wanted));
        let found = found.map(|b| (b.namespace.0, b.from));
        prop_assert_eq!(found, expected);
        let all = repo.bindings_named(FileId(0), FILE_SCOPE, NameId(1));
        let all: Vec<(u8, u32)> = all.map(|b| (b.namespace.0, b.from)).collect();
        prop_assert_eq!(all, entries);
    }
}

#[test]
fn class_scopes_are_seen_from_themselves_alone() {
    let repo = repo("//- a.lua\nclass A { let field = 1 fn m(self) { } }\n");
    let file = FileId(0);
    let facts = repo.facts(file);
    let name = NameId(facts.names.iter().position(|n| &**n == "field").unwrap() as u32);
    let of_kind = |kind| {
        let at = facts.scopes.iter().position(|s| s.kind == kind);
        ScopeId(at.unwrap() as u32)
    };
    let (class, method) = (of_kind(ScopeKind::Class), of_kind(ScopeKind::Function));
    let see = |scope, through| {
        repo.lookup(file, name, scope, u32::MAX, Namespace::VALUE, through)
            .is_some()
    };
    assert!(see(class, false));
    assert!(!see(method, false));
    assert!(see(method, true));
    assert!(!see(FILE_SCOPE, true));
}

#[test]
fn bodies_of_functions_see_the_whole_file() {
    let text = "fn f() { later() }\nlater()\nlet later = f\n";
    let mut facts = facts(Language::Lua, text);
    // As in a language whose variables are not hoisted.
    let end = text.len() as u32;
    facts.bindings.iter_mut().for_each(|b| b.from = end);
    let function = ScopeId(1);
    let name = NameId(facts.names.iter().position(|n| &**n == "later").unwrap() as u32);
    let repo = Repo::new(vec![("a.lua".into(), Arc::new(facts))], Vec::new());
    let see = |scope, at| {
        let found = repo.lookup(FileId(0), name, scope, at, Namespace::VALUE, false);
        found.is_some()
    };
    assert!(see(function, 9));
    assert!(!see(FILE_SCOPE, 19));
    assert!(see(FILE_SCOPE, end));
}

#[test]
fn languages_that_a_repository_lacks_know_nothing() {
    let repo = repo("//- a.lua\nfn f() {}\n//- b.ts\nfn f() {}\n//- c.js\nfn f() {}\n");
    let langs = langs(&repo);
    let limits = langs.limits();
    assert_eq!(limits.len(), 2, "{limits:?}");
    let none = langs.for_language(Language::Python);
    assert_eq!(none.module_file(&repo, 0), None);
    assert!(none.limit_warnings().is_empty());
    let some = langs.for_language(Language::Tsx);
    assert_eq!(some.module_file(&repo, 0), Some(FileId(0)));
}
