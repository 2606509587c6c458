//! Stored contracts and virtual edges are trusted only if this user's program wrote them, and answers always reflect the
//! current files.

use crate::common::{json, knotwork, knotwork_with};
use serde_json::{Value, json};
use std::path::Path;
use testkit::{Repo, run_program};

const BINARY: &str = env!("CARGO_BIN_EXE_knotwork");

const SHOP: &str = r#"//- shop/.git/HEAD
ref: refs/heads/main
//- shop/web.js
const express = require('express'); const app = express();
function cart(req, res) { res.json([]) }
app.get('/api/cart/items', cart)
export async function loadOrders() { return fetch('/api/orders/list') }
export async function loadCart() { return fetch('/api/cart/items') }
//- api/.git/HEAD
ref: refs/heads/main
//- api/server.js
const express = require('express'); const app = express();
function listOrders(req, res) { res.json([]) }
app.get('/api/orders/list', listOrders)
//- list.yaml
repositories:
  - {name: api, path: api}
"#;

const MEMO: &str = r#"//- .git/HEAD
ref: refs/heads/main
//- a.py
def run():
    pass
//- memo.proto
syntax = "proto3";
service MemoService { rpc CreateMemo (Req) returns (Res); }
message Req {}
message Res {}
"#;

fn found(repo: &Repo, symbol: &str) -> Value {
    json(repo, &["federation", "search", symbol])["total"].clone()
}

/// Runs `knotwork` in a folder of a tree; returns the JSON answer.
fn in_folder(folder: &Path, arguments: &[&str]) -> Value {
    let arguments = [&["--format", "json"], arguments].concat();
    let said = run_program(BINARY, folder, &arguments, &[]);
    serde_json::from_str(&said.stdout).unwrap_or_else(|_| panic!("{said:?}"))
}

#[test]
fn an_index_of_contracts_that_a_repository_brings_counts_as_none() {
    let repo = Repo::new(MEMO);
    let forged = json!({
        "schema_version": "1.0", "indexed_at": "2099-01-01T00:00:00Z",
        "repositories": [{"name": "payments", "status": "indexed", "contracts": [{
            "path": "trusted/pay.proto", "type": "proto", "types": [], "symbols": [], "hash": "0",
            "operations": [{"service": "Forged", "name": "PayOut", "line": 7, "inputs": []}],
        }]}],
    });
    repo.write(".devbooks/federation-index.json", &forged.to_string());
    assert_eq!(found(&repo, "PayOut"), 0);
    assert_eq!(found(&repo, "CreateMemo"), 1);
    let status = json(&repo, &["federation", "status"]);
    assert_eq!(status["indexed_at"], Value::Null, "{status}");
    // Our own file is trusted, but not with an added word, nor in another project.
    knotwork(&repo, &["federation", "update"]);
    let path = repo.file_path(".devbooks/federation-index.json");
    let own = std::fs::read_to_string(path).unwrap();
    let status = json(&repo, &["federation", "status"]);
    assert_eq!(status["repositories"][0]["operations"], 1, "{status}");
    let changed = own.replace("\"CreateMemo\"", "\"PayOut\"");
    assert_ne!(changed, own);
    repo.write(".devbooks/federation-index.json", &changed);
    assert_eq!(found(&repo, "PayOut"), 0);
    let other = Repo::new("//- .git/HEAD\nref: refs/heads/main\n");
    other.write(".devbooks/federation-index.json", &own);
    assert_eq!(found(&other, "CreateMemo"), 0);
}

#[test]
fn a_search_finds_what_contracts_say_now() {
    let repo = Repo::new(MEMO);
    repo.write("lib/tags.proto", "syntax = \"proto3\";\nmessage Tag {}\n");
    repo.write(
        "config/federation.yaml",
        "repositories:\n  - {name: lib, path: lib}\n",
    );
    knotwork(&repo, &["federation", "update"]);
    assert_eq!(found(&repo, "CreateMemo"), 1);
    repo.write(
        "memo.proto",
        "syntax = \"proto3\";\nservice MemoService { rpc DropMemo (Req) returns (Res); }\n",
    );
    std::fs::remove_file(repo.file_path("lib/tags.proto")).unwrap();
    repo.write("lib/new.proto", "syntax = \"proto3\";\nmessage Label {}\n");
    let counts = ["CreateMemo", "DropMemo", "Tag", "Label"].map(|name| found(&repo, name));
    assert_eq!(counts, [json!(0), json!(1), json!(0), json!(1)]);
    let status = json(&repo, &["federation", "status"]);
    assert_eq!(status["repositories"][0]["types"], 0, "{status}");
}

#[test]
fn contracts_of_other_repositories_are_those_of_now_or_of_a_time_that_is_told() {
    let tree = Repo::new(SHOP);
    tree.write("api/a.proto", "syntax = \"proto3\";\nmessage Old {}\n");
    let shop = tree.file_path("shop");
    let list = tree.file_path("list.yaml").display().to_string();
    in_folder(&shop, &["federation", "update", "--config", &list]);
    tree.write("api/a.proto", "syntax = \"proto3\";\nmessage New {}\n");
    let search = ["federation", "search", "New"];
    let answer = in_folder(&shop, &[&search[..], &["--config", &list]].concat());
    assert_eq!(answer["total"], 1, "{answer}");
    let answer = in_folder(&shop, &["federation", "search", "Old"]);
    let told = answer["warnings"].to_string();
    assert!(
        told.contains("api is not read again") && told.contains("as of 20"),
        "{told}"
    );
}

#[test]
fn secrets_in_the_list_of_repositories_are_not_shown() {
    let repo = Repo::new(MEMO);
    let token = format!("ghp_{}", "a1B2c3D4e5".repeat(3) + "f6G7h8");
    let line = format!("https://ci-bot:{token}@github.com/acme/x");
    repo.write(
        "config/federation.yaml",
        &format!("repositories:\n  - path: {line}\n  - {{name: \"{token}\", path: sub}}\n"),
    );
    for action in [&["update"][..], &["status"], &["search", "Memo"]] {
        let arguments = [&["--format", "json", "federation"], action].concat();
        let said = knotwork(&repo, &arguments);
        assert_eq!(said.code, 0, "{said:?}");
        let said = format!("{said:?}");
        assert!(!said.contains(&token), "{said}");
    }
    let kept = repo.file_path(".devbooks/federation-index.json");
    assert!(!std::fs::read_to_string(kept).unwrap().contains(&token));
}

#[test]
fn a_name_to_search_for_has_a_longest_length() {
    let repo = Repo::new(MEMO);
    let longest = "x".repeat(1_000);
    assert_eq!(found(&repo, &longest), 0);
    let said = knotwork(&repo, &["federation", "search", &format!("{longest}x")]);
    assert_eq!(said.code, 1, "{said:?}");
    assert!(said.stderr.contains("too long"), "{said:?}");
}

#[test]
fn the_index_of_contracts_replaces_no_other_file() {
    let repo = Repo::new(MEMO);
    repo.write("notes.txt", "my words\n");
    repo.write("notes.json", "{\"my\": \"words\"}\n");
    for place in ["notes.txt", "notes.json", ".git/config2"] {
        let environment = [("FEDERATION_INDEX", place)];
        for action in ["update", "generate-virtual-edges"] {
            let said = knotwork_with(&repo, &environment, &["federation", action]);
            assert_eq!(said.code, 1, "{place}: {said:?}");
            assert!(said.stderr.contains("FEDERATION_INDEX"), "{said:?}");
        }
    }
    let text = |path: &str| std::fs::read_to_string(repo.file_path(path));
    assert_eq!(text("notes.txt").unwrap(), "my words\n");
    assert!(text(".git/config2").is_err());
    let environment = [("FEDERATION_INDEX", "state.json")];
    for _ in 0..2 {
        let said = knotwork_with(&repo, &environment, &["federation", "update"]);
        assert_eq!(said.code, 0, "{said:?}");
    }
    assert!(text("state.json").unwrap().contains("CreateMemo"));
}

#[test]
fn a_stored_edge_whose_own_end_changed_is_not_given_for_fresh() {
    let tree = Repo::new(SHOP);
    let shop = tree.file_path("shop");
    let list = tree.file_path("list.yaml").display().to_string();
    let generate = ["federation", "generate-virtual-edges", "--config", &list];
    let made = in_folder(&shop, &generate);
    assert_eq!(made["total"], 2, "{made}");
    let query = ["federation", "query-virtual", "loadOrders"];
    let answer = in_folder(&shop, &query);
    assert_eq!(answer["total"], 1, "{answer}");
    let edge = &answer["edges"][0];
    assert!(
        edge["found_at"].is_string() && edge.get("changed_since").is_none(),
        "{edge}"
    );
    let notes = answer["index"]["notes"].to_string();
    assert!(notes.contains("between repositories are as of"), "{answer}");
    // Another part of the file changed, so the edge still holds.
    let text = std::fs::read_to_string(shop.join("web.js")).unwrap();
    tree.write("shop/web.js", &format!("// first\n{text}"));
    let answer = in_folder(&shop, &query);
    assert!(
        answer["edges"][0].get("changed_since").is_none(),
        "{answer}"
    );
    assert_eq!(answer["edges"][0]["source_line"], 5, "{answer}");
    // The request has another route now.
    tree.write("shop/web.js", &text.replace("orders/list", "orders/all"));
    let answer = in_folder(&shop, &query);
    assert_eq!(answer["edges"][0]["changed_since"], true, "{answer}");
    let impact = in_folder(&shop, &["impact", "loadOrders", "--virtual-edges"]);
    assert_eq!(
        impact["virtual_edges"][0]["changed_since"], true,
        "{impact}"
    );
    // The request was removed.
    tree.write(
        "shop/web.js",
        &text.replace("fetch('/api/orders/list')", "1"),
    );
    let answer = in_folder(&shop, &query);
    assert_eq!(answer["total"], 0, "{answer}");
    let notes = answer["index"]["notes"].to_string();
    assert!(
        notes.contains("left out") && notes.contains("--sync"),
        "{answer}"
    );
    let impact = in_folder(&shop, &["impact", "loadOrders", "--virtual-edges"]);
    assert!(
        impact.get("virtual_edges").is_none_or(|v| v == &json!([])),
        "{impact}"
    );
}

#[test]
fn sync_removes_edges_of_repositories_and_names_that_are_no_more() {
    let tree = Repo::new(SHOP);
    let shop = tree.file_path("shop");
    let list = tree.file_path("list.yaml").display().to_string();
    let generate = ["federation", "generate-virtual-edges", "--config", &list];
    in_folder(&shop, &generate);
    // The list cannot be read, so nothing is known about the other repositories.
    tree.write("list.yaml", "repositories: [\n");
    let sync = [&generate[..], &["--sync"]].concat();
    assert_eq!(in_folder(&shop, &sync)["removed"], 0);
    // An edge under an earlier name of the repository.
    tree.write("list.yaml", "repositories:\n  - {name: api, path: api}\n");
    let renamed = tree.file_path("market");
    std::fs::rename(&shop, &renamed).unwrap();
    let query = ["federation", "query-virtual", "loadCart"];
    assert_eq!(in_folder(&renamed, &query)["total"], 1);
    let synced = in_folder(&renamed, &sync);
    assert_eq!(
        (&synced["total"], &synced["removed"]),
        (&json!(2), &json!(2)),
        "{synced}"
    );
    // The list no longer contains the repository.
    tree.write("list.yaml", "repositories: []\n");
    let synced = in_folder(&renamed, &sync);
    assert_eq!(
        (&synced["total"], &synced["removed"]),
        (&json!(1), &json!(1)),
        "{synced}"
    );
    let answer = in_folder(&renamed, &["federation", "query-virtual", "loadOrders"]);
    assert_eq!(answer["total"], 0, "{answer}");
}

#[test]
fn state_of_repositories_that_are_no_more_is_removed() {
    let tree = Repo::new(SHOP);
    let shop = tree.file_path("shop");
    let list = tree.file_path("list.yaml").display().to_string();
    let generate = ["federation", "generate-virtual-edges", "--config", &list];
    let sync = [&generate[..], &["--sync"]].concat();
    let kept = || {
        let entries = std::fs::read_dir(shop.join(".devbooks/federation")).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    };
    tree.write("list.yaml", "repositories:\n  - {name: api, path: api}\n");
    in_folder(&shop, &sync);
    assert!(kept()[0].starts_with("api-"), "{:?}", kept());
    // A folder without a name of our scheme is left alone.
    std::fs::create_dir(shop.join(".devbooks/federation/mine")).unwrap();
    // The state of a repository that is missing for now is kept.
    tree.write("list.yaml", "repositories:\n  - {name: api, path: gone}\n");
    in_folder(&shop, &sync);
    assert_eq!(kept().len(), 2, "{:?}", kept());
    tree.write("list.yaml", "repositories:\n  - {name: other, path: api}\n");
    in_folder(&shop, &generate);
    assert_eq!(kept().len(), 3, "only --sync removes: {:?}", kept());
    in_folder(&shop, &sync);
    assert!(
        kept().len() == 2 && kept()[1].starts_with("other-"),
        "{:?}",
        kept()
    );
    in_folder(&shop, &["cache", "clear"]);
    assert_eq!(kept(), ["mine"]);
    let made = in_folder(&shop, &sync);
    assert!(made["total"].as_u64().unwrap() > 0, "{made}");
}

#[test]
fn folders_within_each_other_divide_a_project_once() {
    let repo = Repo::new(MEMO);
    for (path, route) in [
        ("a/one.js", "one"),
        ("a/b/two.js", "two"),
        ("three.js", "three"),
    ] {
        let asks = ["one", "two", "three"].map(|name| format!("  fetch('/of/{name}');\n"));
        let text = format!(
            "const app = require('express')();\napp.get('/of/{route}', h);\nfunction h() {{}}\nfunction ask() {{\n{}}}\n",
            asks.concat()
        );
        repo.write(path, &text);
    }
    repo.write(
        "config/federation.yaml",
        "repositories:\n  - {name: a, path: a}\n  - {name: b, path: a/b}\n  - {name: again, path: ./a}\n",
    );
    let made = json(&repo, &["federation", "generate-virtual-edges"]);
    assert_eq!(
        (&made["providers"], &made["consumers"]),
        (&json!(3), &json!(9)),
        "{made}"
    );
    assert_eq!(
        made["repositories"].as_array().unwrap()[1..],
        [json!("a"), json!("b")]
    );
    let told = made["warnings"].to_string();
    assert!(told.contains("again is skipped"), "{told}");
}

#[cfg(unix)]
#[test]
fn a_link_in_place_of_a_store_is_not_followed() {
    let tree = Repo::new(SHOP);
    let shop = tree.file_path("shop");
    let list = tree.file_path("list.yaml").display().to_string();
    let update = ["federation", "update", "--config", &list];
    in_folder(&shop, &update);
    let stores = shop.join(".devbooks/federation");
    let store = std::fs::read_dir(&stores).unwrap().next().unwrap();
    let name = store.unwrap().file_name();
    for place in [stores.join(&name), stores] {
        let victim = Repo::new("//- graph.db\nmine\n");
        std::fs::remove_dir_all(&place).unwrap();
        std::os::unix::fs::symlink(victim.path(), &place).unwrap();
        let answer = in_folder(&shop, &update);
        assert_eq!(answer["repositories"][1]["status"], "failed", "{answer}");
        // The second file is the fixture's own marker.
        assert_eq!(std::fs::read_dir(victim.path()).unwrap().count(), 2);
        let text = std::fs::read_to_string(victim.file_path("graph.db")).unwrap();
        assert_eq!(text, "mine\n");
        std::fs::remove_file(&place).unwrap();
        if place.parent().unwrap().ends_with("federation") {
            std::fs::create_dir(&place).unwrap();
        }
    }
}

#[test]
fn large_contracts_are_read() {
    let repo = Repo::new(MEMO);
    let filler = "// A comment of a contract that is long.\n".repeat(30_000);
    let text = format!("syntax = \"proto3\";\n{filler}message Large {{}}\n");
    assert!(text.len() > 1 << 20);
    repo.write("large.proto", &text);
    assert_eq!(found(&repo, "Large"), 1);
}
