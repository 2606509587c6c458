//! Reading contracts.

use contract::read::{contract_type_of_path, is_openapi, read_contract};
use contract::{Contract, ContractType};

fn read(path: &str, text: &str) -> Contract {
    let kind = contract_type_of_path(path).expect("a contract by its name");
    read_contract(path, text, kind, &|| false).expect("a contract")
}

fn operations(contract: &Contract) -> Vec<String> {
    let operations = contract.operations.iter();
    let lines = operations.map(|op| {
        let http: Vec<String> = op
            .http
            .iter()
            .map(|r| format!("{} {}", r.method, r.path))
            .collect();
        format!(
            "{}:{}({}) {} [{}]",
            op.line,
            op.qualified_name(),
            op.inputs.join(", "),
            op.output.as_deref().unwrap_or("-"),
            http.join(", ")
        )
    });
    lines.collect()
}

#[test]
fn procedures_come_with_their_types_and_http_annotations() {
    let text = r#"syntax = "proto3";
package memos.api.v1;
service MemoService {
  // Creates one.
  rpc CreateMemo(CreateMemoRequest) returns (Memo) {
    option (google.api.http) = {
      post: "/api/v1/memos"
      body: "memo"
      additional_bindings { put: "/api/v1/memo" }
    };
    option (google.api.method_signature) = "memo";
  }
  rpc Watch(stream v2.Event) returns (stream Event);
}
message CreateMemoRequest {
  Memo memo = 1 [(google.api.field_behavior) = REQUIRED];
  message Inner { repeated string names = 1; }
  oneof kind { string a = 2; int32 b = 3; }
  map<string, Memo> more = 4;
}
enum State { NORMAL = 0; ARCHIVED = 1; }
"#;
    let found = read("api.proto", text);
    assert_eq!(found.problems, []);
    assert_eq!(found.package.as_deref(), Some("memos.api.v1"));
    assert_eq!(
        operations(&found),
        [
            "5:MemoService.CreateMemo(CreateMemoRequest) Memo [POST /api/v1/memos, PUT /api/v1/memo]",
            "13:MemoService.Watch(v2.Event) Event []",
        ]
    );
    let types: Vec<(&str, Vec<String>)> = found
        .types
        .iter()
        .map(|t| (t.name.as_str(), t.fields.clone()))
        .collect();
    let texts = |list: &[&str]| list.iter().map(|t| (*t).to_owned()).collect::<Vec<_>>();
    assert_eq!(
        types,
        [
            ("CreateMemoRequest", texts(&["memo", "a", "b", "more"])),
            ("CreateMemoRequest.Inner", texts(&["names"])),
            ("State", texts(&["NORMAL", "ARCHIVED"])),
        ]
    );
}

#[test]
fn what_follows_an_error_is_read_and_the_error_is_told_with_its_line() {
    let text = "syntax = \"proto3\";\nservice A {\n  rpc One(X) returns (Y);\n  rpc ( returns;\n}\nservice B {\n  rpc Two(X) returns (Y);\n}\n";
    let found = read("a.proto", text);
    assert!(operations(&found).iter().any(|op| op.contains("B.Two")));
    assert!(!found.problems.is_empty());
    assert!(
        found
            .problems
            .iter()
            .all(|p| p.file_path == "a.proto" && (2..=8).contains(&p.line))
    );
    let broken = read("openapi.yaml", "openapi: 3.0.0\npaths:\n  /a: [\n  /b: }\n");
    assert_eq!(broken.problems.len(), 1);
    assert!(broken.problems[0].line >= 3, "{:?}", broken.problems);
    let broken = read(
        "s.graphql",
        "type Query {\n  a(: Int\n}\ntype B { c: Int }\n",
    );
    assert!(!broken.problems.is_empty());
    assert!(read("empty.graphql", "").problems.is_empty());
    assert!(read("empty.proto", "").problems.is_empty());
}

#[test]
fn openapi_3_and_2_give_the_same_operations() {
    let three = r#"openapi: 3.0.3
info: {title: Pets, version: "1"}
servers:
  - url: https://pets.example.com/api
paths:
  /pets/{id}:
    parameters:
      - {name: id, in: path, schema: {type: string}}
    get:
      operationId: getPet
      tags: [pets]
      responses:
        "200":
          content:
            application/json:
              schema: {$ref: '#/components/schemas/Pet'}
    x-extra: 1
  x-ignored: {}
components:
  schemas:
    Pet:
      properties:
        name: {type: string}
        child: {$ref: '#/components/schemas/Pet'}
"#;
    let found = read("openapi.yaml", three);
    assert_eq!(
        operations(&found),
        ["9:pets.getPet(string) Pet [GET /api/pets/{id}]"]
    );
    assert_eq!(found.package.as_deref(), Some("Pets"));
    assert_eq!(found.types[0].fields, ["name", "child"]);
    let two = r##"{"swagger": "2.0", "basePath": "/api", "paths": {
  "/pets/{id}": {"get": {"operationId": "getPet", "tags": ["pets"],
    "parameters": [{"name": "id", "in": "path", "type": "string"}],
    "responses": {"200": {"schema": {"$ref": "#/definitions/Pet"}}}}}},
  "definitions": {"Pet": {"properties": {"name": {}}}}}"##;
    let found = read("swagger.json", two);
    assert_eq!(
        operations(&found),
        ["2:pets.getPet(string) Pet [GET /api/pets/{id}]"]
    );
    assert!(!is_openapi("{\"name\": \"openapi-thing\"}"));
    assert!(is_openapi("{\"openapi\":\"3.1.0\"}"));
}

#[test]
fn schemas_that_refer_to_themselves_and_deep_ones_end() {
    let text = "openapi: 3.0.0\npaths: {}\ncomponents:\n  schemas:\n    A: &a\n      properties:\n        me: {$ref: '#/components/schemas/A'}\n    B: *a\n";
    let found = read("openapi.yaml", text);
    assert_eq!(found.types.len(), 2);
    let deep = format!(
        "openapi: 3.0.0\npaths: {}1{}\n",
        "{a: ".repeat(5_000),
        "}".repeat(5_000)
    );
    assert_eq!(read("openapi.yaml", &deep).problems.len(), 1);
    let messages = "message A { ".repeat(3_000) + &"}".repeat(3_000);
    assert!(read("a.proto", &messages).types.len() <= 32);
}

#[test]
fn fields_of_root_types_are_operations_and_documents_ask_for_them() {
    let text = "schema { query: Root mutation: Mutation }\ntype Root {\n  user(id: ID!, full: Boolean): User!\n  users: [User!]!\n}\nextend type Mutation { addUser(input: UserInput!): User }\ninput UserInput { name: String }\ntype User { id: ID!, friends: [User!] }\nenum Role { ADMIN USER }\n";
    let found = read("schema.graphqls", text);
    assert_eq!(
        operations(&found),
        [
            "3:Query.user(ID, Boolean) User []",
            "4:Query.users() User []",
            "6:Mutation.addUser(UserInput) User []",
        ]
    );
    let names: Vec<&str> = found.types.iter().map(|t| t.name.as_str()).collect();
    assert_eq!(names, ["UserInput", "User", "Role"]);
    let asked = read(
        "q.graphql",
        "query Both($id: ID!) {\n  me: user(id: $id) { id }\n  users { id }\n}\nmutation { addUser(input: {name: \"x\"}) { id } }\nfragment F on User { id }\n",
    );
    let uses: Vec<(&str, &str, Vec<String>)> = asked
        .uses
        .iter()
        .map(|u| (u.root.as_str(), u.name.as_str(), u.fields.clone()))
        .collect();
    assert_eq!(
        uses,
        [
            ("Query", "Both", vec!["user".to_owned(), "users".to_owned()]),
            ("Mutation", "", vec!["addUser".to_owned()]),
        ]
    );
}

#[test]
fn names_of_files_say_what_they_may_be() {
    for (path, expected) in [
        ("a/b.proto", Some(ContractType::Proto)),
        ("schema.graphql", Some(ContractType::GraphQl)),
        ("docs/openapi.yml", Some(ContractType::OpenApi)),
        ("api.json", Some(ContractType::OpenApi)),
        ("package.json", None),
        ("src/a.ts", None),
    ] {
        assert_eq!(contract_type_of_path(path), expected, "{path}");
    }
}
