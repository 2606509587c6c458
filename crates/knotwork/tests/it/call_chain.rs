//! Call chains: nesting, ways of use, interfaces, callbacks, formats, prepared graphs.

use crate::common::{json, knotwork};
use serde_json::{Value, json};
use testkit::Repo;

const APP: &str = r#"//- .git/HEAD
ref
//- src/shapes.ts
export interface Shape { area(): number; }
export class Circle implements Shape { area(): number { return round(3); } }
export class Square implements Shape { area(): number { return 4; } }
export function round(n: number): number { return clamp(n); }
export function clamp(n: number): number { return n; }
//- src/draw.ts
import { Shape } from "./shapes";
export function draw(shape: Shape): number { return shape.area(); }
//- src/routes.ts
import { handler } from "./handler";
declare const app: any;
app.get("/shapes", handler);
//- src/handler.ts
import { draw } from "./draw";
import { Circle } from "./shapes";
export async function handler(): Promise<number> { return draw(new Circle()); }
//- src/loop.ts
export function ping(n: number): number { return pong(n); }
export function pong(n: number): number { return ping(n); }
//- src/draw.test.ts
import { draw } from "./draw";
test("draws", () => { draw({ area: () => 1 }); });
"#;

fn names(nodes: &Value) -> Vec<&str> {
    let nodes = nodes.as_array().unwrap();
    nodes
        .iter()
        .map(|n| n["symbol_name"].as_str().unwrap())
        .collect()
}

#[test]
fn ac_004_a_chain_of_three_hops_nests() {
    let repo = Repo::new(APP);
    let ask = ["call-chain", "--symbol", "clamp", "--depth", "3"];
    let answer = json(&repo, &ask);
    assert_eq!(answer["target_symbol"], "clamp");
    let round = &answer["paths"][0]["callers"][0];
    let area = &round["callers"][0];
    assert_eq!(
        (&round["symbol_name"], &round["depth"]),
        (&json!("round"), &json!(1))
    );
    assert_eq!(
        (&area["symbol_name"], &area["depth"]),
        (&json!("Circle.area"), &json!(2))
    );
    // First the interface, at the same depth as the implementation, then the interface's callers.
    let through = &area["callers"][0];
    assert_eq!(through["symbol_name"], "Shape.area");
    assert_eq!(through["edge"]["relation"], "overrides");
    assert!(through["edge"]["tier"].is_string());
    assert_eq!(names(&through["callers"])[0], "draw");
}

#[test]
fn ct_005_every_node_has_the_fields_of_the_design() {
    fn check(node: &Value, depth: u64, list: &str) {
        for key in ["symbol_id", "symbol_name", "file_path"] {
            assert!(node[key].is_string(), "{key}: {node}");
        }
        assert!(
            node["line"].is_u64() && node["depth"].as_u64().unwrap() <= depth,
            "{node}"
        );
        for inner in node[list].as_array().into_iter().flatten() {
            check(inner, depth, list);
        }
    }
    let repo = Repo::new(APP);
    for (direction, list) in [("callers", "callers"), ("callees", "callees")] {
        let ask = [
            "call-chain",
            "draw",
            "--direction",
            direction,
            "--depth",
            "4",
        ];
        let answer = json(&repo, &ask);
        assert_eq!(answer["schema_version"], "1.0");
        assert_eq!(
            (&answer["cycle_detected"], &answer["cycle_at"]),
            (&json!(false), &Value::Null)
        );
        check(&answer["paths"][0], 4, list);
    }
    let cycle = json(&repo, &["call-chain", "ping", "--direction", "callees"]);
    assert_eq!(cycle["cycle_detected"], true);
    assert_eq!(cycle["cycle_at"], cycle["paths"][0]["symbol_id"]);
    for (depth, code) in [("0", 1), ("5", 1), ("4", 0)] {
        assert_eq!(
            knotwork(&repo, &["call-chain", "ping", "--depth", depth]).code,
            code
        );
    }
}

#[test]
fn interface_calls_are_expanded_to_their_implementations() {
    let repo = Repo::new(APP);
    let ask = [
        "call-chain",
        "draw",
        "--direction",
        "callees",
        "--depth",
        "2",
    ];
    let answer = json(&repo, &ask);
    let area = &answer["paths"][0]["callees"][0];
    assert_eq!(area["symbol_name"], "Shape.area");
    let implementations = names(&area["callees"]);
    assert_eq!(implementations, ["Circle.area", "Square.area"]);
    assert_eq!(area["callees"][0]["edge"]["tier"], "typed");
}

#[test]
fn a_call_through_a_field_of_c_reaches_the_functions_that_it_holds() {
    let repo = Repo::new(
        "//- entry.h
struct entry { const char *name; int (*exec)(int); };
//- kill.c
#include \"entry.h\"
static int kill_exec(int n) { return n; }
const struct entry kill_entry = { .name = \"kill\", .exec = kill_exec };
//- run.c
#include \"entry.h\"
int run(const struct entry *entry) { return entry->exec(1); }
",
    );
    let answer = json(&repo, &["call-chain", "kill_exec"]);
    let field = &answer["paths"][0]["callers"][0];
    assert_eq!(field["symbol_name"], "entry.exec", "{answer}");
    assert_eq!(names(&field["callers"]), ["run"]);
    let answer = json(&repo, &["call-chain", "run", "--direction", "callees"]);
    let field = &answer["paths"][0]["callees"][0];
    assert_eq!(names(&field["callees"]), ["kill_exec"], "{answer}");
}

#[test]
fn usage_is_traced_from_where_execution_begins() {
    let repo = Repo::new(APP);
    let answer = json(&repo, &["call-chain", "round", "--trace-usage"]);
    let paths = answer["entry_paths"].as_array().unwrap();
    let way = |path: &Value| names(&path["steps"]).join(" ");
    let ways: Vec<String> = paths.iter().map(way).collect();
    assert_eq!(
        ways,
        [
            "src/draw.test.ts draw Shape.area Circle.area round",
            "src/routes.ts handler draw Shape.area Circle.area round"
        ],
        "{answer}"
    );
    assert_eq!(
        (&paths[0]["entry"], &paths[1]["entry"]),
        (&json!("test"), &json!("module"))
    );
    assert_eq!(paths[1]["length"], 5);
    // The handler is passed as a value, not called.
    assert_eq!(paths[1]["steps"][0]["edge"]["site"], "reference");
    assert_eq!(answer["total_entries"], 2);
    let circle = json(&repo, &["call-chain", "ping", "--trace-usage"]);
    assert_eq!(circle["only_cycles"], true, "{circle}");
    let text = knotwork(&repo, &["call-chain", "round", "--trace-usage"]);
    assert!(text.stdout.contains("entry paths: 2 of 2"), "{text:?}");
    assert!(text.stdout.contains("reference at 1"), "{text:?}");
}

#[test]
fn chains_as_markdown_and_mermaid() {
    let repo = Repo::new(APP);
    let ask = |format: &str| {
        let all = [
            "--format",
            format,
            "call-chain",
            "clamp",
            "--depth",
            "3",
            "--trace-usage",
        ];
        let said = knotwork(&repo, &all);
        assert_eq!(said.code, 0, "{said:?}");
        said.stdout
    };
    let markdown = ask("md");
    assert!(
        markdown.starts_with("# Call chain of `clamp`"),
        "{markdown}"
    );
    assert!(
        markdown.contains("- `round` `src/shapes.ts:4` — call at 4, "),
        "{markdown}"
    );
    assert!(markdown.contains("## entry paths"), "{markdown}");
    let drawing = ask("mermaid");
    assert!(
        drawing.starts_with("graph LR\n  n0[\"clamp<br/>src/shapes.ts:5\"]"),
        "{drawing}"
    );
    assert!(drawing.contains("-.->|overrides "), "{drawing}");
    assert!(ask("tree").contains("└─ round"));
}

#[test]
fn a_prepared_graph_stands_in_for_the_project_s_own() {
    let repo = Repo::new(
        "//- .git/HEAD\nref\n//- graph.json\n{\"main\": [\"run\"], \"run\": [\"testFunc\"]}\n//- bad.json\n{\n",
    );
    let ask = [
        "call-chain",
        "--symbol",
        "testFunc",
        "--depth",
        "3",
        "--mock-ckb",
        "graph.json",
    ];
    let answer = json(&repo, &ask);
    let run = &answer["paths"][0]["callers"][0];
    assert_eq!(run["symbol_name"], "run");
    assert_eq!(run["callers"][0]["symbol_name"], "main");
    for (file, symbol, message) in [
        ("graph.json", "nobody", "symbol not found: nobody"),
        ("bad.json", "run", "invalid call graph"),
        ("none.json", "run", "cannot read none.json"),
    ] {
        let said = knotwork(&repo, &["call-chain", symbol, "--mock-ckb", file]);
        assert_eq!(said.code, 1, "{said:?}");
        assert!(said.stderr.contains(message), "{said:?}");
    }
}

#[test]
fn members_of_an_interface_lead_to_what_object_literals_hold() {
    let repo = Repo::new(
        "//- package.json\n{\"name\":\"i\"}\n//- src/ev.ts\nexport interface Ev { assign(x: number): number; other: () => void }\n//- src/a.ts\nimport { Ev } from './ev'\nexport const direct: Ev = { assign(x) { return x }, other() {} }\nexport function make(): Ev { return { assign(x: number) { return x * 2 }, other: () => {} } }\nexport function create(): Ev {\n  function assign(x: number) { return helper(x) }\n  const helper = (x: number) => x\n  const other = () => {}\n  return { assign, other }\n}\nexport function plain() { function assign() {} return { assign } }\n//- src/use.ts\nimport { Ev } from './ev'\nexport function use(ev: Ev) { return ev.assign(1) }\n",
    );
    let below = json(
        &repo,
        &[
            "call-chain",
            "Ev.assign",
            "--direction",
            "callees",
            "--depth",
            "1",
        ],
    );
    let callees = below["paths"][0]["callees"].as_array().unwrap();
    let mut names: Vec<&str> = callees
        .iter()
        .map(|callee| callee["symbol_name"].as_str().unwrap())
        .collect();
    names.sort_unstable();
    assert_eq!(
        names,
        ["create.assign", "direct.assign", "make.assign"],
        "{below}"
    );
    let above = json(&repo, &["call-chain", "helper"]);
    let text = above.to_string();
    for name in ["create.assign", "Ev.assign"] {
        assert!(text.contains(name), "{name} in {text}");
    }
    let impact = json(&repo, &["impact", "create.assign"]);
    assert!(
        impact["affected"].to_string().contains("\"use\""),
        "{impact}"
    );
}

#[test]
fn skipped_files_that_may_call_are_named() {
    let repo = Repo::new(
        "//- .git/HEAD\nref\n//- b.py\ndef target(): pass\ndef other(): pass\n//- a.py\nfrom b import target\ndef known(): target()\n",
    );
    repo.write(
        "c.py",
        "from b import target\ndef hidden(): target()\nx = \"\0\"\n",
    );
    for ask in [["call-chain", "target"], ["impact", "target"]] {
        let notes = json(&repo, &ask)["index"]["notes"].to_string();
        assert!(
            notes.contains("skipped, and may call target: c.py"),
            "{notes}"
        );
    }
    let notes = json(&repo, &["call-chain", "other"])["index"]["notes"].to_string();
    assert!(!notes.contains("skipped"), "{notes}");
}

#[test]
fn the_prototype_of_a_function_is_no_second_definition() {
    let repo = Repo::new(
        "//- .git/HEAD\nref\n//- a.h\n#define API(type) extern type\nAPI(int) answer(int x);\nint only_declared(void);\n//- a.c\n#include \"a.h\"\nint answer(int x) { return x; }\n//- b.c\n#include \"a.h\"\nint ask(void) { return answer(only_declared()); }\n",
    );
    let chain = json(&repo, &["call-chain", "answer"]);
    assert!(chain["definitions"].is_null(), "{chain}");
    let text = chain.to_string();
    assert!(text.contains("a.c") && text.contains("\"ask\""), "{text}");
    let declared = json(&repo, &["call-chain", "only_declared"]).to_string();
    assert!(declared.contains("\"ask\""), "{declared}");
}
