//! The wrappers with older names, called with files outside of the project.

use crate::common::knotwork;
use crate::shims::Old;
use serde_json::{Value, json};
use std::fs;
use testkit::Repo;

#[test]
fn federation_lite() {
    let old = Old::new("//- src/client.ts\nexport function getUserById(id: string) {}\n");
    old.repo.write("contracts/user.proto", "syntax = \"proto3\";\nservice UserService { rpc GetUserById(Request) returns (Reply); }\nmessage Request { string id = 1; }\nmessage Reply { string name = 1; }\n");
    let folder = old.repo.file_path("contracts").display().to_string();
    let missing = old.repo.file_path("gone").display().to_string();
    old.repo.write("federation.yaml", &format!("repositories:\n  - name: api-contracts\n    path: {folder}\n  - name: gone\n    path: {missing}\n"));
    let updated = old.call(
        "federation-lite.sh --update --config federation.yaml --format json",
        &[],
    );
    assert_eq!(updated.code, 0, "{updated:?}");
    let status = old.json("federation-lite.sh --status");
    assert!(status["repositories"].is_array(), "{status}");
    let found = old.json("federation-lite.sh --search UserService --format json");
    assert!(found.to_string().contains("UserService"), "{found}");
    let made = old.call("federation-lite.sh generate-virtual-edges --config federation.yaml --local-repo . --min-confidence 0.5 --sync", &[]);
    assert_eq!(made.code, 0, "{made:?}");
    let edges = old.call(
        "federation-lite.sh query-virtual getUserById --format json",
        &[],
    );
    assert_eq!(edges.code, 0, "{edges:?}");
    old.fails("federation-lite.sh");
}

/// The predecessor's shape of configuration, index and table of virtual edges.
#[test]
fn federation_of_the_predecessor() {
    let old = Old::new(
        "//- src/client.ts\nexport async function getUserById(id: string) {\n  return await rpc.call('UserService', 'GetUser', { id });\n}\n",
    );
    let others = Repo::new(
        "//- api/.git/HEAD\nref\n//- api/user.proto\nsyntax = \"proto3\";\nservice UserService { rpc GetUser (GetUserRequest) returns (User); }\nmessage User { string id = 1; }\nmessage GetUserRequest { string id = 1; }\n//- notes/a.txt\nx\n",
    );
    let path = |name: &str| others.file_path(name).display().to_string();
    let configure = |listed: &str, search: &str| {
        let text = format!(
            "schema_version: \"1.0.0\"\nfederation:\n  repositories:{listed}\n  auto_discover:\n    enabled: {search}\n    search_paths:\n      - \"{}\"\n",
            path("*")
        );
        others.write("federation.yaml", &text);
    };
    let (file, index, table) = (
        path("federation.yaml"),
        path("index.json"),
        path("edges.db"),
    );
    let environment = [("FEDERATION_INDEX", index.as_str())];
    let update = format!("federation-lite.sh --update --config {file}");
    let indexed =
        || -> Value { serde_json::from_str(&fs::read_to_string(&index).unwrap()).unwrap() };
    configure(" []", "true");
    old.json_with(&update, &environment);
    let found = indexed();
    assert_eq!(
        found["repositories"].as_array().unwrap().len(),
        1,
        "{found}"
    );
    let listed = format!(
        "\n    - name: api\n      path: {}\n    - name: gone\n      path: {}",
        path("api"),
        path("none")
    );
    configure(&listed, "false");
    old.json_with(&update, &environment);
    let found = indexed();
    assert_eq!(
        found["repositories"].as_array().unwrap().len(),
        1,
        "{found}"
    );
    let contract = &found["repositories"][0]["contracts"][0];
    assert_eq!(
        (&contract["path"], &contract["type"]),
        (&json!("user.proto"), &json!("proto"))
    );
    let database = rusqlite::Connection::open(&table).unwrap();
    let columns = "source_repo TEXT NOT NULL, source_symbol TEXT NOT NULL, target_repo TEXT NOT NULL, target_symbol TEXT NOT NULL, confidence REAL NOT NULL, exact_match REAL, contract_type TEXT";
    database
        .execute_batch(&format!(
            "CREATE TABLE virtual_edges (id INTEGER PRIMARY KEY, {columns})"
        ))
        .unwrap();
    let generate = format!(
        "federation-lite.sh generate-virtual-edges --config {file} --db {table} --local-repo ."
    );
    let made = old.json_with(&generate, &environment);
    assert_eq!(
        (&made["edges_created"], &made["total_edges"]),
        (&json!(1), &json!(1)),
        "{made}"
    );
    let rows = old.json(&format!(
        "federation-lite.sh query-virtual getUserById --db {table} --format json"
    ));
    assert_eq!(
        (&rows[0]["confidence"], &rows[0]["exact_match"]),
        (&json!(0.61), &json!(0.7)),
        "{rows}"
    );
    assert_eq!(
        (&rows[0]["source_symbol"], &rows[0]["target_repo"]),
        (&json!("getUserById"), &json!("api"))
    );
    // The procedure is gone, and with it the edge.
    others.write("api/user.proto", "syntax = \"proto3\";\nservice UserService { rpc List (User) returns (User); }\nmessage User { string id = 1; }\n");
    let made = old.json_with(&format!("{generate} --sync"), &environment);
    assert_eq!(
        (&made["edges_removed"], &made["total_edges"]),
        (&json!(1), &json!(0)),
        "{made}"
    );
}

#[test]
fn rules_outside_the_project_are_named_by_the_caller_and_block_as_they_say() {
    let old = Old::new(
        "//- src/ui/a.ts\nimport { b } from '../db/b';\nb();\n//- src/db/b.ts\nexport function b() {}\n",
    );
    let outside = Repo::new("");
    let rules = outside.file_path("rules.yaml").display().to_string();
    let write = |what: &str| {
        let text = format!(
            "rules:\n  - name: r\n    from: src/ui/**\n    cannot_import: [\"src/db/**\"]\n    severity: error\nconfig:\n  on_violation: {what}\n"
        );
        outside.write("rules.yaml", &text);
    };
    let line = format!("dependency-guard.sh --rules {rules} --format json");
    write("warn");
    let answer = old.json(&line);
    assert_eq!(
        (
            &answer["summary"]["blocked"],
            &answer["violations"][0]["line"]
        ),
        (&json!(false), &json!(1)),
        "{answer}"
    );
    write("block");
    let said = old.call(&line, &[]);
    let answer: Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(
        (said.code, &answer["summary"]["blocked"]),
        (1, &json!(true)),
        "{answer}"
    );
    // No argument of the program itself leads out of the project.
    let own = knotwork(&old.repo, &["arch-check", "--rules", &rules]);
    assert!(own.stderr.contains("path outside the project"), "{own:?}");
    let gone = [("ARCH_RULES_FILE", "/nowhere/rules.yaml")];
    let answer = old.json_with("dependency-guard.sh --all --format json", &gone);
    assert_eq!(answer["summary"]["total_violations"], 0, "{answer}");
}
