//! `knotwork graph-store`: operations, messages and exit codes.

use crate::common::{graph, json, knotwork, knotwork_with};
use serde_json::json;
use testkit::Repo;

fn empty() -> Repo {
    let repo = Repo::new("//- .git/HEAD\nref\n");
    let said = knotwork(&repo, &["graph-store", "init"]);
    assert_eq!(said.code, 0, "{said:?}");
    repo
}

fn add_node(repo: &Repo, id: &str) {
    let arguments = [
        "graph-store",
        "add-node",
        "--id",
        id,
        "--symbol",
        id,
        "--kind",
        "function",
        "--file",
        "a.ts",
    ];
    assert_eq!(knotwork(repo, &arguments).code, 0);
}

#[test]
fn ct_gs_001_the_schema_is_that_of_the_design() {
    let repo = empty();
    for (table, columns) in [
        (
            "nodes",
            "id,symbol,kind,file_path,line_start,line_end,created_at",
        ),
        (
            "edges",
            "id,source_id,target_id,edge_type,file_path,line,created_at",
        ),
        ("metadata", "key,value"),
    ] {
        let sql = format!("SELECT {columns} FROM {table} LIMIT 0");
        let answer = json(&repo, &["graph-store", "query", "--sql", &sql]);
        let expected: Vec<&str> = columns.split(',').collect();
        assert_eq!(answer["columns"], json!(expected));
    }
}

#[test]
fn init_keeps_what_is_there() {
    let repo = empty();
    add_node(&repo, "a");
    let said = knotwork(&repo, &["graph-store", "init"]);
    assert_eq!(said.code, 0);
    assert!(
        said.stderr
            .contains("Database already exists, skipping initialization"),
        "{said:?}"
    );
    assert_eq!(json(&repo, &["graph-store", "stats"])["nodes"], 1);
}

#[test]
fn an_empty_graph_has_no_orphans_and_counts_nothing() {
    let repo = empty();
    assert_eq!(json(&repo, &["graph-store", "find-orphans"]), json!([]));
    let stats = json(&repo, &["graph-store", "stats"]);
    assert_eq!(stats["nodes"], 0);
    assert_eq!(
        stats["edges_by_type"],
        json!({"DEFINES": 0, "IMPORTS": 0, "CALLS": 0, "MODIFIES": 0})
    );
    assert!(stats["db_size_bytes"].as_u64().unwrap() > 0);
}

#[test]
fn languages_without_rules_have_no_orphans() {
    let repo = Repo::new(
        "//- .git/HEAD\nref\n//- a.cc\nvoid alone() {}\nvoid other() {}\n//- b.py\ndef alone():\n    pass\n",
    );
    let said = knotwork(&repo, &["graph-store", "find-orphans", "--limit", "1"]);
    assert!(said.stdout.contains("\"b.py\""), "{said:?}");
    assert!(!said.stdout.contains("a.cc"), "{said:?}");
    assert!(
        said.stderr.contains("no orphans of cpp are listed"),
        "{said:?}"
    );
}

#[test]
fn nodes_and_edges_are_added_shown_changed_and_deleted() {
    let repo = empty();
    add_node(&repo, "a");
    add_node(&repo, "b");
    let add = [
        "graph-store",
        "add-edge",
        "--source",
        "a",
        "--target",
        "b",
        "--type",
        "CALLS",
        "--id",
        "e1",
        "--line",
        "7",
    ];
    assert_eq!(knotwork(&repo, &add).code, 0);
    let edges = json(
        &repo,
        &[
            "graph-store",
            "query-edges",
            "--from",
            "a",
            "--type",
            "CALLS",
        ],
    );
    assert_eq!(edges[0]["target_id"], "b");
    assert_eq!(edges[0]["line"], 7);
    let into = json(&repo, &["graph-store", "query-edges", "--to", "b"]);
    assert_eq!(into.as_array().unwrap().len(), 1);
    let changed = json(
        &repo,
        &[
            "graph-store",
            "update-edge",
            "--id",
            "e1",
            "--type",
            "IMPORTS",
        ],
    );
    assert_eq!(changed["edge_type"], "IMPORTS");
    assert_eq!(
        json(&repo, &["graph-store", "get-edge", "--id", "e1"])["edge_type"],
        "IMPORTS"
    );
    let node = json(
        &repo,
        &["graph-store", "update-node", "--id", "a", "--kind", "class"],
    );
    assert_eq!(
        (&node["kind"], &node["symbol"]),
        (&json!("class"), &json!("a"))
    );
    json(&repo, &["graph-store", "delete-edge", "--id", "e1"]);
    json(&repo, &["graph-store", "delete-node", "--id", "a"]);
    let gone = knotwork(&repo, &["graph-store", "get-node", "--id", "a"]);
    assert_eq!(gone.code, 1);
    assert!(gone.stderr.contains("node not found: a"), "{gone:?}");
}

#[test]
fn ct_gs_002_another_edge_type_is_refused_and_nothing_is_written() {
    let repo = empty();
    add_node(&repo, "a");
    add_node(&repo, "b");
    for wrong in ["CALL", "calls", "Calls", "EXTENDS", ""] {
        let said = knotwork(
            &repo,
            &[
                "graph-store",
                "add-edge",
                "--source",
                "a",
                "--target",
                "b",
                "--type",
                wrong,
            ],
        );
        assert_eq!(said.code, 1, "{said:?}");
        let message = format!(
            "Invalid edge type: {wrong}. Must be one of: DEFINES, IMPORTS, CALLS, MODIFIES"
        );
        assert!(said.stderr.contains(&message), "{said:?}");
    }
    assert_eq!(json(&repo, &["graph-store", "stats"])["edges"], 0);
}

#[test]
fn ct_gs_003_a_bad_record_rolls_the_whole_batch_back() {
    let repo = empty();
    repo.write(
        "bad.json",
        r#"{"nodes": [{"id": "a", "symbol": "a", "kind": "function", "file_path": "a.ts"},
            {"id": "b", "symbol": "b", "kind": "function"}], "edges": []}"#,
    );
    let said = knotwork(
        &repo,
        &["graph-store", "batch-import", "--file", "bad.json"],
    );
    assert_eq!(said.code, 1);
    assert!(said.stderr.contains("node 1"), "{said:?}");
    assert_eq!(json(&repo, &["graph-store", "stats"])["nodes"], 0);
    repo.write("torn.json", "{\"nodes\": [");
    let torn = knotwork(
        &repo,
        &["graph-store", "batch-import", "--file", "torn.json"],
    );
    assert_eq!(torn.code, 1);
    assert!(torn.stderr.contains("hint:"), "{torn:?}");
}

#[test]
fn paths_outside_the_project_do_not_come_into_the_graph() {
    let repo = graph(&["a CALLS b"]);
    let before = json(&repo, &["graph-store", "export"]);
    let batch = |path: &str| {
        let node =
            serde_json::json!({"id": "x", "symbol": "x", "kind": "function", "file_path": path});
        let edge =
            serde_json::json!({"source": "a", "target": "b", "type": "IMPORTS", "file": path});
        [
            serde_json::json!({"nodes": [node]}),
            serde_json::json!({"edges": [edge]}),
        ]
    };
    let node = ["--id", "x", "--symbol", "x", "--kind", "function"];
    let edge = ["--source", "a", "--target", "b", "--type", "IMPORTS"];
    for path in ["/etc/passwd", "../secret.py", "src/../../secret.py"] {
        let mut asked: Vec<Vec<&str>> = vec![
            [&["add-node"], &node[..], &["--file", path]].concat(),
            [&["add-edge"], &edge[..], &["--file", path]].concat(),
            vec!["update-node", "--id", "a", "--file", path],
        ];
        for (name, batch) in ["nodes.json", "edges.json"].iter().zip(batch(path)) {
            repo.write(name, &batch.to_string());
            asked.push(vec!["batch-import", "--file", name]);
        }
        for asked in asked {
            let said = knotwork(&repo, &[&["graph-store"], &asked[..]].concat());
            assert_eq!(said.code, 1, "{asked:?}: {said:?}");
            assert!(said.stderr.contains("outside the project"), "{said:?}");
        }
    }
    assert_eq!(json(&repo, &["graph-store", "export"]), before);
    let [nodes, _] = batch("./src/../src//new.py");
    repo.write("nodes.json", &nodes.to_string());
    json(
        &repo,
        &["graph-store", "batch-import", "--file", "nodes.json"],
    );
    let kept = json(&repo, &["graph-store", "get-node", "--id", "x"]);
    assert_eq!(kept["file_path"], "src/new.py");
    let inside = repo.path().canonicalize().unwrap().join("src/y.py");
    let inside = inside.to_str().unwrap();
    json(
        &repo,
        &["graph-store", "update-node", "--id", "x", "--file", inside],
    );
    let kept = json(&repo, &["graph-store", "get-node", "--id", "x"]);
    assert_eq!(kept["file_path"], "src/y.py");
}

#[test]
fn paths_are_found_along_the_types_asked_for() {
    let repo = graph(&["a CALLS b", "b CALLS c", "a IMPORTS c"]);
    let any = json(
        &repo,
        &["graph-store", "find-path", "--from", "a", "--to", "c"],
    );
    assert_eq!((&any["found"], &any["length"]), (&json!(true), &json!(1)));
    let calls = json(
        &repo,
        &[
            "graph-store",
            "find-path",
            "--from",
            "a",
            "--to",
            "c",
            "--edge-types",
            "CALLS",
        ],
    );
    assert_eq!(calls["path"], json!(["a", "b", "c"]));
    let back = json(
        &repo,
        &["graph-store", "find-path", "--from", "c", "--to", "a"],
    );
    assert_eq!(back["found"], false);
}

#[test]
fn sql_reads_with_bound_parameters_and_never_writes() {
    let repo = graph(&["a CALLS b"]);
    let answer = json(
        &repo,
        &[
            "graph-store",
            "query",
            "--sql",
            "SELECT id FROM nodes WHERE id = ?1",
            "--param",
            "a' OR '1'='1",
        ],
    );
    assert_eq!(answer["rows"], json!([]));
    for sql in [
        "DELETE FROM nodes",
        "DROP TABLE nodes",
        "UPDATE nodes SET kind = 'x'",
        "ATTACH '/etc/x' AS y",
    ] {
        let said = knotwork(&repo, &["graph-store", "query", "--sql", sql]);
        assert_eq!(said.code, 1, "{sql}: {said:?}");
        assert!(said.stderr.contains("query refused"), "{sql}: {said:?}");
    }
    assert_eq!(json(&repo, &["graph-store", "stats"])["nodes"], 2);
}

#[test]
fn what_is_exported_can_be_imported() {
    let repo = graph(&["a CALLS b", "b MODIFIES c"]);
    let exported = knotwork(&repo, &["graph-store", "export"]);
    assert_eq!(exported.code, 0);
    let copy = empty();
    copy.write("all.json", &exported.stdout);
    let said = json(
        &copy,
        &["graph-store", "batch-import", "--file", "all.json"],
    );
    assert_eq!((&said["nodes"], &said["edges"]), (&json!(3), &json!(2)));
    assert_eq!(
        knotwork(&copy, &["graph-store", "export"]).stdout,
        exported.stdout
    );
}

#[test]
fn the_database_can_lie_elsewhere() {
    let repo = Repo::new("//- .git/HEAD\nref\n");
    let place = repo.file_path("other/place.db");
    let place = place.to_str().unwrap();
    let there = [("GRAPH_DB_PATH", place)];
    let none = knotwork_with(&repo, &there, &["graph-store", "stats"]);
    assert_eq!(none.code, 1);
    assert!(none.stderr.contains("graph-store init"), "{none:?}");
    assert_eq!(
        knotwork_with(&repo, &there, &["graph-store", "init"]).code,
        0
    );
    assert_eq!(
        knotwork_with(&repo, &there, &["graph-store", "stats"]).code,
        0
    );
    assert!(!repo.file_path(".devbooks").exists());
}

#[test]
fn migration_says_where_it_stands() {
    let repo = empty();
    assert_eq!(
        json(&repo, &["graph-store", "migrate", "--check"])["status"],
        "UP_TO_DATE"
    );
    assert_eq!(
        json(&repo, &["graph-store", "migrate", "--apply"])["status"],
        "UP_TO_DATE"
    );
}

#[test]
fn wrong_arguments_and_a_backend_without_an_address_end_with_1() {
    let repo = empty();
    for arguments in [
        &["graph-store", "add-node", "--id", "x"][..],
        &["graph-store", "no-such"],
        &["graph-store", "query-edges"],
        &["no-such-command"],
        &["graph-store", "stats", "--format", "mermaid"],
    ] {
        assert_eq!(knotwork(&repo, arguments).code, 1, "{arguments:?}");
    }
    let secret = "host=db password=s3cret";
    for variables in [
        &[("GRAPH_BACKEND", "postgres")][..],
        &[("GRAPH_BACKEND", "oracle")],
        &[("GRAPH_BACKEND", "postgres"), ("GRAPH_DB_URL", secret)],
    ] {
        let refused = knotwork_with(&repo, variables, &["graph-store", "stats"]);
        assert_eq!(refused.code, 1, "{refused:?}");
        assert!(!refused.stderr.contains("s3cret"), "{refused:?}");
    }
    assert_eq!(knotwork(&repo, &["--version"]).code, 0);
    assert!(
        knotwork(&repo, &["graph-store", "--help"])
            .stdout
            .contains("find-orphans")
    );
}
