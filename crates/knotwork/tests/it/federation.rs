//! Contracts of several repositories, and virtual edges within one and between several.

use crate::common::client::Client;
use crate::common::{json, knotwork, knotwork_with};
use serde_json::{Value, json};
use testkit::Repo;

const API: &str = r#"//- .git/HEAD
ref
//- api/user.proto
syntax = "proto3";
package users;
service UserService {
  rpc GetUser(GetUserRequest) returns (User);
}
message GetUserRequest { string id = 1; }
//- openapi.yaml
openapi: 3.0.0
info: {title: Users, version: "1"}
paths:
  /users/{id}:
    get:
      operationId: readUser
      responses: {}
//- server.py
from fastapi import FastAPI

app = FastAPI()

@app.get("/users/{id}")
def read_user(id: str):
    return find(id)

def find(id):
    return id
//- user.py
class Users(user_pb2_grpc.UserServiceServicer):
    def GetUser(self, request, context):
        return None
"#;

const WEB: &str = r#"//- .git/HEAD
ref
//- web.ts
export async function loadUser(id: string) {
  return fetch(`/users/${id}`);
}
export function page() {
  return loadUser("7");
}
"#;

/// Server and client in one repository.
fn both() -> Repo {
    let repo = Repo::new(API);
    // The mark of a project is there already.
    for file in testkit::parse_fixture(WEB).iter().skip(1) {
        repo.write(file.path, file.text);
    }
    repo
}

fn symbols(answer: &Value) -> Vec<String> {
    let all = answer["affected"].as_array().unwrap();
    all.iter()
        .map(|a| a["symbol"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn an_impact_crosses_to_the_client_unless_that_is_switched_off() {
    let repo = both();
    let answer = json(&repo, &["impact", "find"]);
    assert_eq!(
        symbols(&answer),
        ["read_user", "loadUser", "page"],
        "{answer}"
    );
    let crossed = &answer["affected"][1]["edge"];
    assert_eq!(crossed["confidence"], 0.905);
    assert_eq!(crossed["evidence"], answer["virtual_edges"][0]["evidence"]);
    assert_eq!(
        (&crossed["via"], &crossed["tier"]),
        (&json!("VIRTUAL_CALLS"), &json!("virtual"))
    );
    assert_eq!(crossed["line"], 2);
    let edge = &answer["virtual_edges"][0];
    assert_eq!(edge["contract_type"], "openapi", "{edge}");
    assert_eq!(edge["confidence"], 0.905);
    assert_eq!(edge["confidence_level"], "high");
    assert!(
        edge["evidence"]
            .as_str()
            .unwrap()
            .contains("openapi.yaml:5"),
        "{edge}"
    );
    for off in ["--no-virtual-edges", "--virtual-edges=false"] {
        let plain = json(&repo, &["impact", "find", off]);
        assert_eq!(symbols(&plain), ["read_user"]);
        let chain = json(&repo, &["call-chain", "read_user", off]);
        assert_eq!(chain["paths"][0]["callers"], json!([]), "{chain}");
    }
    let chain = json(&repo, &["call-chain", "read_user"]);
    let caller = &chain["paths"][0]["callers"][0];
    assert_eq!(caller["symbol_name"], "loadUser", "{chain}");
    assert_eq!(caller["edge"]["evidence"], crossed["evidence"], "{chain}");
    let said = knotwork(&repo, &["call-chain", "loadUser", "--direction", "callees"]);
    assert!(
        said.stdout.contains("virtual 0.91 (fetch requests"),
        "{said:?}"
    );
    // The current files count, not the stored edges.
    repo.write("web.ts", "export const nothing = 1;\n");
    assert_eq!(symbols(&json(&repo, &["impact", "find"])), ["read_user"]);
}

#[test]
fn ct_008_and_ct_009_edges_between_repositories_are_stored_with_their_confidence() {
    let (api, web) = (Repo::new(API), Repo::new(WEB));
    let list = Repo::new("");
    let config = list.file_path("federation.yaml").display().to_string();
    let text = format!(
        "repositories:\n  - name: api\n    path: {}\n  - name: gone\n    path: ./gone\n  - name: api\n    path: ./twice\n",
        api.path().display()
    );
    list.write("federation.yaml", &text);
    let update = json(&web, &["federation", "update", "--config", &config]);
    let states: Vec<(&str, &str)> = update["repositories"]
        .as_array()
        .unwrap()
        .iter()
        .skip(1)
        .map(|r| (r["name"].as_str().unwrap(), r["status"].as_str().unwrap()))
        .collect();
    assert_eq!(
        states,
        [("api", "indexed"), ("gone", "missing")],
        "{update}"
    );
    let warnings = update["warnings"].to_string();
    assert!(
        warnings.contains("gone is skipped") && warnings.contains("twice"),
        "{warnings}"
    );
    let found = json(&web, &["federation", "search", "UserService"]);
    assert_eq!(
        found["results"][0]["symbol"], "UserService.GetUser",
        "{found}"
    );
    assert_eq!(found["results"][0]["repo"], "api");
    let made = json(
        &web,
        &["federation", "generate-virtual-edges", "--config", &config],
    );
    assert_eq!(
        (&made["total"], &made["added"]),
        (&json!(1), &json!(1)),
        "{made}"
    );
    let again = json(
        &web,
        &["federation", "generate-virtual-edges", "--config", &config],
    );
    assert_eq!(
        (&again["added"], &again["updated"]),
        (&json!(0), &json!(0)),
        "{again}"
    );
    let edges = json(&web, &["federation", "query-virtual", "loadUser"]);
    let edge = &edges["edges"][0];
    assert_eq!(edge["target_symbol"], "read_user", "{edges}");
    assert_eq!(edge["target_repo"], "api");
    assert_eq!(edge["confidence"], 0.905);
    let sure = json(
        &web,
        &[
            "federation",
            "query-virtual",
            "loadUser",
            "--confidence",
            "0.95",
        ],
    );
    assert_eq!(sure["total"], 0);
    let sql = "SELECT edge_type, contract_type, confidence_level, exact_match FROM virtual_edges";
    let rows = json(&web, &["graph-store", "query", sql]).to_string();
    assert!(
        rows.contains("VIRTUAL_CALLS") && rows.contains("openapi") && rows.contains("high"),
        "{rows}"
    );
    let across = json(
        &web,
        &[
            "call-chain",
            "page",
            "--direction",
            "callees",
            "--virtual-edges",
        ],
    );
    assert_eq!(
        across["virtual_edges"][0]["target_symbol"], "read_user",
        "{across}"
    );
    // The route was removed.
    api.write("server.py", "def nothing():\n    pass\n");
    api.write("openapi.yaml", "openapi: 3.0.0\npaths: {}\n");
    let stale = json(
        &web,
        &["federation", "generate-virtual-edges", "--config", &config],
    );
    assert_eq!(
        (&stale["outdated"], &stale["removed"]),
        (&json!(1), &json!(0)),
        "{stale}"
    );
    let synced = json(
        &web,
        &[
            "federation",
            "generate-virtual-edges",
            "--sync",
            "--config",
            &config,
        ],
    );
    assert_eq!(
        (&synced["outdated"], &synced["removed"]),
        (&json!(1), &json!(1)),
        "{synced}"
    );
}

#[test]
fn a_project_cannot_have_folders_read_that_lie_outside_of_it() {
    let (victim, web) = (Repo::new(API), Repo::new(WEB));
    let path = victim.path().display().to_string();
    let text = format!("repositories:\n  - name: victim\n    path: {path}\n");
    web.write("config/federation.yaml", &text);
    web.make_link("linked", victim.path());
    web.write(
        "links.yaml",
        "repositories:\n  - {name: victim, path: linked}\n",
    );
    for more in [
        &[][..],
        &["--config", "config/federation.yaml"],
        &["--config", "links.yaml"],
    ] {
        let arguments = [&["federation", "generate-virtual-edges"], more].concat();
        let answer = json(&web, &arguments);
        assert_eq!(answer["total"], 0, "{answer}");
        let told = answer["warnings"].to_string();
        assert!(
            told.contains("refused") && told.contains("federation.allow"),
            "{told}"
        );
        assert!(!answer.to_string().contains("GetUser"), "{answer}");
    }
    // It may not even learn whether that folder exists.
    web.write(
        "config/federation.yaml",
        "repositories:\n  - {name: victim, path: /nowhere/at/all}\n",
    );
    let answer = json(&web, &["federation", "update"]);
    assert!(
        answer["warnings"].to_string().contains("refused"),
        "{answer}"
    );
    // The project cannot grant itself this right.
    web.write("config/federation.yaml", &text);
    web.write(
        ".devbooks/config.yaml",
        &format!("federation:\n  allow: {path}\n"),
    );
    let answer = json(&web, &["federation", "update"]);
    assert!(
        answer["warnings"].to_string().contains("refused"),
        "{answer}"
    );
    // The user can.
    let allowed = format!("federation.allow={path}");
    let answer = json(
        &web,
        &["--set", &allowed, "federation", "generate-virtual-edges"],
    );
    assert_eq!(answer["total"], 1, "{answer}");
}

#[test]
fn a_folder_of_the_project_is_a_repository_as_well() {
    let repo = both();
    repo.write(
        "services/mail/mail.py",
        "import requests\n\ndef send(id):\n    requests.get(f\"http://users/users/{id}\")\n",
    );
    repo.write(
        "config/federation.yaml",
        // As older versions write it.
        "federation:\n  auto_discover: {enabled: false}\n  repositories:\n    - {name: mail, path: services/mail}\n",
    );
    let answer = json(&repo, &["federation", "generate-virtual-edges"]);
    let edges = answer["edges"].as_array().unwrap();
    let from_mail = edges.iter().find(|e| e["source_repo"] == "mail").unwrap();
    assert_eq!(from_mail["source_symbol"], "send");
    assert_eq!(from_mail["target_symbol"], "read_user");
    assert_eq!(edges.len(), 2, "{answer}");
}

#[test]
fn damaged_contracts_and_configurations_are_told_and_the_rest_goes_on() {
    let repo = both();
    repo.write(
        "bad.proto",
        "syntax = \"proto3\";\nservice A {\n  rpc ( returns;\n}\n",
    );
    let answer = json(&repo, &["federation", "update"]);
    let problem = &answer["problems"][0];
    assert!(
        problem["file_path"]
            .as_str()
            .unwrap()
            .ends_with("bad.proto"),
        "{answer}"
    );
    assert!(problem["line"].as_u64().unwrap() >= 2, "{answer}");
    assert!(
        answer["repositories"][0]["operations"].as_u64().unwrap() >= 2,
        "{answer}"
    );
    repo.write("config/federation.yaml", "repositories: [\n");
    let answer = json(&repo, &["federation", "status"]);
    assert!(
        answer["warnings"][0]
            .as_str()
            .unwrap()
            .contains("federation.yaml:"),
        "{answer}"
    );
    let wrong = knotwork(
        &repo,
        &["federation", "query-virtual", "x", "--confidence", "2"],
    );
    assert_eq!(wrong.code, 1, "{wrong:?}");
    let missing = knotwork(&repo, &["federation", "update", "--config", "nowhere.yaml"]);
    assert_eq!(missing.code, 1, "{missing:?}");
}

#[test]
fn symbols_put_in_by_hand_are_linked_by_their_names() {
    let (api, other) = (Repo::new(API), Repo::new("//- .git/HEAD\nref\n"));
    let list = Repo::new("");
    list.write(
        "federation.yaml",
        &format!(
            "repositories:\n  - {{name: api, path: {}}}\n",
            api.path().display()
        ),
    );
    let config = list.file_path("federation.yaml").display().to_string();
    knotwork(&other, &["graph-store", "init"]);
    let node = [
        "graph-store",
        "add-node",
        "--id",
        "n",
        "--symbol",
        "getUserById",
        "--kind",
        "function",
        "--file",
        "a.ts",
    ];
    knotwork(&other, &node);
    let environment = [("FEDERATION_CONFIG", config.as_str())];
    let arguments = ["--format", "json", "federation", "generate-virtual-edges"];
    let said = knotwork_with(&other, &environment, &arguments);
    let made: Value = serde_json::from_str(&said.stdout).unwrap();
    let edge = &made["edges"][0];
    assert_eq!(edge["source_symbol"], "getUserById", "{made}");
    assert_eq!(edge["target_symbol"], "Users.GetUser");
    assert_eq!(edge["confidence"], 0.58);
    assert_eq!(edge["confidence_level"], "medium");
}

#[test]
fn the_tool_of_the_mcp_server_answers_as_the_command_does() {
    let repo = both();
    let mut client = Client::start(&repo);
    client.initialize();
    let (status, _) = client.call("ci_federation", json!({}));
    assert_eq!(status["repositories"][0]["status"], "new", "{status}");
    let (made, _) = client.call(
        "ci_federation",
        json!({"action": "generate-virtual-edges", "sync": true}),
    );
    assert_eq!(made["total"], 1, "{made}");
    let (found, _) = client.call(
        "ci_federation",
        json!({"action": "search", "symbol": "readUser", "virtual_edges": true, "confidence": 0.5}),
    );
    assert_eq!(found["results"][0]["symbol"], "readUser", "{found}");
    let (edges, _) = client.call(
        "ci_federation",
        json!({"action": "query-virtual", "symbol": "read_user"}),
    );
    assert_eq!(edges["edges"][0]["source_symbol"], "loadUser", "{edges}");
    // A client may not name a configuration file.
    let (refused, _) = client.call(
        "ci_federation",
        json!({"action": "update", "config": "/etc/passwd"}),
    );
    assert!(refused.to_string().contains("config"), "{refused}");
}
