//! Tools, refusals and counts of the server for a team.

use super::*;

#[test]
fn each_tool_takes_a_repository_and_none_reads_files_of_the_server() {
    let tools = tools();
    let names: Vec<&str> = tools.iter().map(|tool| &*tool.name).collect();
    assert_eq!(
        names,
        [
            LIST,
            "ci_search",
            "ci_call_chain",
            "ci_impact",
            "ci_graph_store"
        ]
    );
    for tool in &tools[1..] {
        let schema = Value::Object((*tool.input_schema).clone());
        assert_eq!(schema["properties"]["repository"]["type"], "string");
        let required = schema["required"].as_array().unwrap();
        // A search that names no repository is over all.
        let needs_one = tool.name != "ci_search";
        assert_eq!(
            required.contains(&"repository".into()),
            needs_one,
            "{schema}"
        );
        for local in ["since", "staged", "file"] {
            assert!(schema["properties"].get(local).is_none(), "{schema}");
        }
    }
}

#[test]
fn what_writes_or_reads_files_is_refused() {
    let refuse = |tool: &str, arguments: Value| {
        let tool = CodeTool::parse(tool).unwrap();
        refuse_local(tool, arguments.as_object().unwrap()).is_err()
    };
    assert!(!refuse("ci_call_chain", json!({"symbol": "f"})));
    assert!(!refuse(
        "ci_impact",
        json!({"symbol": "f", "staged": false})
    ));
    assert!(refuse(
        "ci_impact",
        json!({"symbol": "", "since": "HEAD~1"})
    ));
    assert!(refuse("ci_impact", json!({"symbol": "a.py", "file": true})));
    assert!(!refuse("ci_graph_store", json!({"action": "stats"})));
    assert!(refuse("ci_graph_store", json!({"action": "init"})));
    assert!(!refuse(
        "ci_search",
        json!({"query": "f", "mode": "keyword"})
    ));
    assert!(refuse(
        "ci_search",
        json!({"query": "f.*", "mode": "regex"})
    ));
    assert!(refuse(
        "ci_search",
        json!({"query": "f.*", "mode": {"regex": null}})
    ));
}

#[test]
fn counts_are_shown_in_the_format_of_prometheus() {
    let metrics = Metrics::default();
    metrics.count_answer("ci_impact", "ok", std::time::Duration::from_millis(20));
    metrics.count_answer("ci_impact", "ok", std::time::Duration::from_secs(60));
    metrics.count_unknown_token();
    let text = metrics.render(true);
    for line in [
        "knotwork_database_up 1",
        "knotwork_unknown_tokens_total 1",
        "knotwork_answers_total{tool=\"ci_impact\",outcome=\"ok\"} 2",
        "knotwork_answer_seconds_bucket{le=\"0.01\"} 0",
        "knotwork_answer_seconds_bucket{le=\"0.025\"} 1",
        "knotwork_answer_seconds_bucket{le=\"+Inf\"} 2",
        "knotwork_answer_seconds_count 2",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}: {text}");
    }
}
