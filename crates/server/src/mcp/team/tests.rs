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

/// A database that fails, and says where it is.
struct BrokenTeam;

const DATABASE: &str = "postgresql://db.example:5432/graphs";

impl Team for BrokenTeam {
    fn admit(&self, _: &str) -> Result<Admission, EngineError> {
        Ok(Admission::Unknown)
    }
    fn repositories(&self) -> Result<Vec<Repository>, EngineError> {
        let error = format!("{DATABASE} cannot be reached: connection refused");
        Err(EngineError::runtime_failure(error).with_hint("ask again"))
    }
    fn most_promising(&self, _: &[String], _: &str, _: usize) -> Result<Vec<String>, EngineError> {
        Err(EngineError::bad_arguments(format!(
            "no graph database at {DATABASE}: nobody has published a"
        )))
    }
    fn settings(&self, _: &str) -> Settings {
        unreachable!("no repository is opened")
    }
    fn log(&self, _: &AuditEntry) -> Result<(), EngineError> {
        Ok(())
    }
    fn database(&self) -> String {
        DATABASE.to_owned()
    }
    fn check(&self) -> Result<(), EngineError> {
        Ok(())
    }
    fn may_read(&self, _: &Member, _: &str) -> bool {
        true
    }
}

#[test]
fn a_member_is_not_told_where_the_database_is() {
    let state = TeamServer::new(Arc::new(BrokenTeam)).state;
    let failed = BrokenTeam.repositories().unwrap_err();
    let told = state.for_member(failed);
    assert_eq!(told.message, NOT_ANSWERED);
    assert_eq!(told.hint.as_deref(), Some("ask again"));
    let refused = BrokenTeam.most_promising(&[], "", 1).unwrap_err();
    let told = state.for_member(refused);
    assert_eq!(
        told.message,
        "no graph database at the database: nobody has published a"
    );
}

#[test]
fn repositories_are_listed_in_pages() {
    let all: Vec<Repository> = (0..5)
        .map(|n| Repository {
            name: format!("r{n}"),
            commit: None,
            is_dirty: false,
        })
        .collect();
    let mut rest: Vec<&Repository> = all.iter().collect();
    let list = |all: &[&Repository], arguments: Value| {
        let arguments = arguments.as_object().unwrap();
        let answer = ListPage::read(arguments).map(|page| page.list(all));
        answer.map_err(|error| error.message)
    };
    let names = |answer: &Value| -> Vec<String> {
        let listed = answer["repositories"].as_array().unwrap().iter();
        listed
            .map(|one| one["name"].as_str().unwrap().to_owned())
            .collect()
    };
    let first = list(&rest, json!({"limit": 2})).unwrap();
    assert_eq!(names(&first), ["r0", "r1"]);
    assert_eq!(first["total"], 5);
    // What goes between two pages moves none of the others.
    rest.remove(1);
    let cursor = first["next_cursor"].clone();
    let second = list(&rest, json!({"limit": 2, "cursor": cursor})).unwrap();
    assert_eq!(names(&second), ["r2", "r3"]);
    let last = list(&rest, json!({"cursor": second["next_cursor"]})).unwrap();
    assert_eq!(names(&last), ["r4"]);
    assert!(last.get("next_cursor").is_none());
    for wrong in [
        json!({"limit": 0}),
        json!({"limit": 5_000}),
        json!({"cursor": 3}),
    ] {
        assert!(list(&rest, wrong.clone()).is_err(), "{wrong}");
    }
}
