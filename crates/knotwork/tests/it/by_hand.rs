//! Questions about a graph that was written by hand.

use crate::common::{graph, json, knotwork};
use serde_json::json;

const CHAIN: [&str; 4] = ["a CALLS b", "b CALLS c", "c CALLS d", "d CALLS e"];

#[test]
fn ct_003_impact_has_the_shape_of_the_design() {
    let repo = graph(&CHAIN);
    let answer = json(&repo, &["impact", "analyze", "e"]);
    assert_eq!(answer["root"], "e");
    assert_eq!(answer["depth"], 5);
    assert_eq!(answer["total_affected"], 4);
    for affected in answer["affected"].as_array().unwrap() {
        assert!(affected["symbol"].is_string());
        assert!(affected["depth"].is_u64());
        assert!(affected["impact"].is_f64());
        assert_eq!(affected["edge"]["tier"], "manual");
        assert_eq!(affected["edge"]["confidence"], 1.0);
    }
}

#[test]
fn ct_004_impact_is_08_to_the_power_of_the_depth() {
    let repo = graph(&CHAIN);
    let answer = json(&repo, &["impact", "analyze", "e", "--depth", "3"]);
    let affected = answer["affected"].as_array().unwrap();
    let impacts: Vec<_> = affected
        .iter()
        .map(|a| (&a["symbol"], &a["impact"]))
        .collect();
    let (d, c, b) = (json!("d"), json!("c"), json!("b"));
    assert_eq!(
        impacts,
        [(&d, &json!(0.8)), (&c, &json!(0.64)), (&b, &json!(0.512))]
    );
    let near = json(&repo, &["impact", "e", "--threshold", "0.7"]);
    assert_eq!(near["total_affected"], 1);
}

#[test]
fn impact_draws_and_writes() {
    let repo = graph(&["a CALLS b"]);
    let drawn = knotwork(&repo, &["impact", "b", "--format", "mermaid"]);
    assert!(drawn.stdout.starts_with("graph RL\n"), "{drawn:?}");
    assert!(drawn.stdout.contains("n1 -->|calls| n0"), "{drawn:?}");
    let table = knotwork(&repo, &["impact", "b", "--format", "md"]);
    assert!(table.stdout.contains("| 1 | 0.8 | `a` |"), "{table:?}");
    let file = json(&repo, &["impact", "file", "src/x.ts"]);
    assert_eq!(file["root"], "src/x.ts");
}

#[test]
fn wrong_depths_thresholds_and_names_are_explained() {
    let repo = graph(&CHAIN);
    for (arguments, message) in [
        (
            &["impact", "a", "--depth", "-1"][..],
            "invalid depth: -1. Must be between 1 and 10",
        ),
        (
            &["impact", "a", "--threshold", "1.5"],
            "invalid threshold: 1.5. Must be between 0 and 1",
        ),
        (
            &["call-chain", "--symbol", "a", "--depth", "5"],
            "invalid depth: 5. Must be between 1 and 4",
        ),
        (&["impact", "nobody"], "symbol not found: nobody"),
        (
            &["impact", "file", "../../etc/passwd"],
            "path outside the project",
        ),
    ] {
        let said = knotwork(&repo, arguments);
        assert_eq!(said.code, 1, "{said:?}");
        assert!(said.stderr.contains(message), "{arguments:?}: {said:?}");
        assert!(said.stdout.is_empty(), "{said:?}");
    }
    assert_eq!(knotwork(&repo, &["impact"]).code, 1);
}

#[test]
fn ct_005_call_chain_nests_and_finds_cycles() {
    let repo = graph(&["a CALLS b", "b CALLS c", "c CALLS a"]);
    let answer = json(
        &repo,
        &[
            "call-chain",
            "--symbol",
            "a",
            "--direction",
            "callees",
            "--depth",
            "3",
        ],
    );
    assert_eq!(answer["schema_version"], "1.0");
    assert_eq!(answer["target_symbol"], "a");
    assert_eq!(
        (&answer["depth"], &answer["direction"]),
        (&json!(3), &json!("callees"))
    );
    let b = &answer["paths"][0]["callees"][0];
    assert_eq!((&b["symbol_id"], &b["depth"]), (&json!("b"), &json!(1)));
    let again = &b["callees"][0]["callees"][0];
    assert_eq!(
        (&again["symbol_id"], &again["cycle"]),
        (&json!("a"), &json!(true))
    );
    assert_eq!(
        (&answer["cycle_detected"], &answer["cycle_at"]),
        (&json!(true), &json!("a"))
    );
    let tree = knotwork(&repo, &["call-chain", "a", "--direction", "callees"]);
    assert!(tree.stdout.contains("└─ b"), "{tree:?}");
}

#[test]
fn errors_are_json_where_json_is_asked_for() {
    let repo = graph(&CHAIN);
    let said = knotwork(&repo, &["call-chain", "bb", "--format", "json"]);
    assert_eq!(said.code, 1);
    let answer: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(answer["error"]["kind"], "bad_arguments");
    assert!(said.stderr.contains("hint:"), "{said:?}");
}
