//! `graph-rag` at the command line and over MCP, on small repositories.

use crate::common::client::Client;
use crate::common::{graph, json, knotwork, knotwork_with};
use serde_json::{Value, json as object};
use std::fmt::Write;
use testkit::Repo;

/// A dispatcher and the twenty tools that it calls, each about thirty lines in its own file.
fn tools() -> Repo {
    let mut text = String::from("//- .git/HEAD\nref\n//- src/server.ts\n");
    for n in 0..20 {
        let _ = writeln!(text, "import {{ runTool{n} }} from './tools/tool{n}';");
    }
    text.push_str("\n/** Answers one tool call. */\nexport function handleToolCall(name: string, input: unknown) {\n");
    for n in 0..20 {
        let _ = writeln!(text, "  if (name === 'tool{n}') return runTool{n}(input);");
    }
    text.push_str("  return null;\n}\n");
    for n in 0..20 {
        let _ = write!(
            text,
            "//- src/tools/tool{n}.ts\n/** Runs the handler of one tool call number {n}. */\nexport function runTool{n}(input: unknown) {{\n"
        );
        for line in 0..30 {
            let _ = writeln!(
                text,
                "  const toolValue{line} = prepare{line}(input, {line} + {n});"
            );
        }
        text.push_str("  return input;\n}\n");
    }
    Repo::new(&text)
}

/// A small service: retry, back-off, a logger that everything calls, a test, and something else.
fn service() -> Repo {
    Repo::new(
        "//- .git/HEAD\nref\n\
//- src/retry.py\nfrom src.spread import spread_load\nfrom src.log import log_line\n\n\
class Retry:\n    def __init__(self, attempts):\n        self.attempts = attempts\n\n    \
def run_with_retry(self, request):\n        \"\"\"Sends a request again after a failure.\"\"\"\n        \
for attempt in range(self.attempts):\n            log_line(\"attempt\")\n            \
delay = spread_load(attempt)\n        return delay\n\
//- src/spread.py\nfrom src.log import log_line\n\n\ndef spread_load(n):\n    log_line(\"wait\")\n    return grow(n)\n\n\ndef grow(n):\n    return 2 ** n\n\
//- src/log.py\ndef log_line(text):\n    print(text)\n\
//- src/client.py\nfrom src.retry import Retry\nfrom src.log import log_line\n\n\ndef fetch_page(url):\n    log_line(url)\n    return Retry(3).run_with_retry(url)\n\
//- src/main.py
from src.client import fetch_page


def begin(argument):
    return fetch_page(argument)
\
//- src/colors.py\nfrom src.log import log_line\n\n\ndef paint(shape):\n    log_line(shape)\n    return shape\n\n\ndef mix(a, b):\n    log_line(a)\n    return b\n\n\ndef blend(a):\n    log_line(a)\n    return a\n",
    )
}

fn symbols(answer: &Value) -> Vec<&str> {
    let all = answer["candidates"].as_array().unwrap();
    all.iter().map(|c| c["symbol"].as_str().unwrap()).collect()
}

fn candidate<'a>(answer: &'a Value, symbol: &str) -> &'a Value {
    let all = answer["candidates"].as_array().unwrap();
    let found = all.iter().find(|c| c["symbol"] == symbol);
    found.unwrap_or_else(|| panic!("no {symbol} in {answer}"))
}

/// The estimate of tokens from the number of characters.
fn quarter(text: &str) -> u64 {
    text.trim_end().chars().count().div_ceil(4) as u64
}

#[test]
fn sc_sp_001_budget_pruning() {
    let repo = tools();
    let answer = json(
        &repo,
        &["graph-rag", "search", "handleToolCall", "--budget", "4000"],
    );
    let shown = answer["candidates"].as_array().unwrap();
    let count = answer["token_count"].as_u64().unwrap();
    assert!(count <= 4000 && count > 2000, "{count}");
    assert!(answer["metadata"]["left_out"].as_u64().unwrap() > 0);
    let sum: u64 = shown.iter().map(|c| c["tokens"].as_u64().unwrap()).sum();
    assert!(sum <= count && sum > 0);
    let priorities: Vec<f64> = shown
        .iter()
        .map(|c| c["priority"].as_f64().unwrap())
        .collect();
    assert!(priorities.is_sorted_by(|a, b| a >= b), "{priorities:?}");
    assert_eq!(shown[0]["symbol"], "handleToolCall");
    assert_eq!(shown[0]["distance"], 1);
    assert!(
        shown[0]["snippet"]
            .as_str()
            .unwrap()
            .starts_with("/** Answers one tool call. */")
    );
}

#[test]
fn the_output_never_exceeds_the_budget_in_any_format() {
    let repo = tools();
    for budget in ["150", "400", "900", "2500", "8000"] {
        for format in ["json", "md", "text"] {
            let arguments = [
                "graph-rag",
                "handleToolCall",
                "--budget",
                budget,
                "--format",
                format,
            ];
            let said = knotwork(&repo, &arguments);
            assert_eq!(said.code, 0, "{said:?}");
            let most: u64 = budget.parse().unwrap();
            let empty = said.stdout.contains("\"token_count\":0") || said.stdout.is_empty();
            assert!(
                empty || quarter(&said.stdout) <= most,
                "{arguments:?}: {}",
                said.stdout
            );
        }
    }
}

#[test]
fn sc_sp_004_default_budget_of_the_command() {
    let answer = json(&tools(), &["graph-rag", "handleToolCall"]);
    assert_eq!(answer["metadata"]["budget"], 8000);
    assert!(answer["token_count"].as_u64().unwrap() <= 8000);
    assert!(answer["candidates"].as_array().unwrap().len() > 5);
}

#[test]
fn sc_sp_005_zero_budget() {
    let answer = json(&tools(), &["graph-rag", "handleToolCall", "--budget", "0"]);
    assert_eq!(answer["candidates"], object!([]));
    assert_eq!(answer["token_count"], 0);
}

#[test]
fn sc_sp_006_single_fragment_exceeds_budget() {
    let answer = json(
        &tools(),
        &["graph-rag", "handleToolCall", "--budget", "100"],
    );
    assert_eq!(answer["candidates"], object!([]));
    let warning = answer["warnings"][0].as_str().unwrap();
    assert!(
        warning.contains("too small for any whole fragment"),
        "{warning}"
    );
}

#[test]
fn ct_004_shape_of_the_context() {
    let answer = json(&service(), &["graph-rag", "run_with_retry"]);
    assert_eq!(answer["schema_version"], "1.0");
    assert_eq!(answer["source"], "graph-rag");
    assert_eq!(answer.get("fallback"), None);
    let first = &answer["candidates"][0];
    for field in ["file_path", "symbol", "kind", "source", "snippet"] {
        assert!(first[field].is_string(), "{field}: {first}");
    }
    for field in [
        "line_start",
        "line_end",
        "relevance_score",
        "hotspot",
        "distance",
        "priority",
        "tokens",
    ] {
        assert!(first[field].is_number(), "{field}: {first}");
    }
    assert!(["keyword", "embedding"].contains(&first["source"].as_str().unwrap()));
}

#[test]
fn callers_and_callees_come_with_the_edge_that_led_to_them() {
    let repo = service();
    let answer = json(&repo, &["graph-rag", "run_with_retry"]);
    assert_eq!(symbols(&answer)[0], "Retry.run_with_retry");
    let callee = candidate(&answer, "spread_load");
    assert_eq!(
        (&callee["source"], &callee["distance"]),
        (&object!("graph"), &object!(2))
    );
    assert_eq!(callee["via"]["relation"], "called by");
    assert_eq!(callee["via"]["symbol"], "Retry.run_with_retry");
    assert_eq!(callee["via"]["tier"], "scoped");
    let caller = candidate(&answer, "begin");
    assert_eq!(caller["via"]["relation"], "calls");
    assert_eq!(caller["via"]["at"], "src/main.py:5");
    // Everything calls the logger, so it says nothing about this query.
    assert!(!symbols(&answer).contains(&"log_line"), "{answer}");
    assert!(!symbols(&answer).contains(&"paint"), "{answer}");
}

#[test]
fn imports_that_a_file_uses_are_named_once() {
    let answer = json(
        &service(),
        &["graph-rag", "run_with_retry", "--min-relevance", "0.1"],
    );
    let all = answer["candidates"].as_array().unwrap();
    let named: Vec<_> = all
        .iter()
        .filter(|c| c["file_path"] == "src/retry.py" && c.get("imports").is_some())
        .collect();
    assert_eq!(named.len(), 1, "{answer}");
    let imports = named[0]["imports"].as_array().unwrap();
    assert!(
        imports.contains(&object!("spread_load from src/spread.py")),
        "{imports:?}"
    );
    let sum: u64 = all.iter().map(|c| c["tokens"].as_u64().unwrap()).sum();
    assert!(sum <= answer["token_count"].as_u64().unwrap());
}

#[test]
fn the_same_question_has_the_same_answer() {
    let repo = service();
    let ask = || {
        knotwork(
            &repo,
            &[
                "graph-rag",
                "retry after failure",
                "--format",
                "md",
                "--no-cache",
            ],
        )
        .stdout
    };
    let first = ask();
    assert!(first.contains("### src/retry.py:"), "{first}");
    assert_eq!(ask(), first);
}

#[test]
fn questions_that_nothing_answers_say_so() {
    let repo = service();
    for query in ["zzgrumbl qwxyfloop", "量子もつれの観測装置", "", "   "] {
        let answer = json(&repo, &["graph-rag", query]);
        assert_eq!(answer["candidates"], object!([]), "{query}");
        assert!(answer["warnings"][0].is_string(), "{query}: {answer}");
        assert_eq!(answer["token_count"], 0);
    }
}

#[test]
fn hostile_questions_are_only_text() {
    let repo = service();
    let long = "retry ".repeat(17_000);
    for query in [
        "\"; DROP TABLE nodes; --",
        "NEAR(retry backoff, 3) OR retry* AND NOT (x:y)",
        "x",
        "((((((((((a+)+)+)+)+",
        "retry\u{1}\u{7f}\u{fffd}",
        long.as_str(),
    ] {
        let answer = json(&repo, &["graph-rag", query]);
        assert_eq!(answer["schema_version"], "1.0");
    }
    let answer = json(&repo, &["graph-rag", "run_with_retry"]);
    assert_eq!(symbols(&answer)[0], "Retry.run_with_retry");
}

#[test]
fn arguments_out_of_range_are_refused() {
    let repo = service();
    for (arguments, message) in [
        (["--budget", "-1"], "invalid budget: -1"),
        (["--max-depth", "5"], "invalid max-depth: 5"),
        (["--depth", "0"], "invalid max-depth: 0"),
        (["--top-k", "4"], "invalid top-k: 4"),
        (["--min-relevance", "2"], "invalid min-relevance: 2"),
        (["--budget", "many"], "invalid value 'many'"),
        (
            ["--budget", "99999999999999999999"],
            "invalid value '99999999999999999999'",
        ),
    ] {
        let said = knotwork(&repo, &["graph-rag", "retry", arguments[0], arguments[1]]);
        assert_eq!(said.code, 1, "{arguments:?}: {said:?}");
        assert!(said.stderr.contains(message), "{arguments:?}: {said:?}");
    }
    let huge = json(&repo, &["graph-rag", "retry", "--budget", "9000000000"]);
    assert_eq!(huge["metadata"]["budget"], 200_000);
    assert!(huge["warnings"][0].as_str().unwrap().contains("lowered"));
}

#[test]
fn a_graph_put_in_by_hand_answers_by_names() {
    let repo = graph(&["alpha CALLS beta", "gamma CALLS alpha"]);
    let answer = json(&repo, &["graph-rag", "alpha"]);
    assert_eq!(answer["fallback"]["degraded_to"], "keyword");
    let mut found = symbols(&answer);
    found.sort_unstable();
    assert_eq!(found, ["alpha", "beta", "gamma"]);
}

#[test]
fn without_a_graph_the_chunks_answer() {
    let repo = Repo::new(
        "//- .git/HEAD\nref\n//- lib/backoff.cr\n# Computes the delay before the next retry.\ndef retry_backoff(n)\n  2 ** n\nend\n",
    );
    let answer = json(&repo, &["graph-rag", "retry backoff delay"]);
    assert_eq!(answer["source"], "embedding");
    assert_eq!(answer["fallback"]["degraded_to"], "embedding");
    assert_eq!(answer["candidates"][0]["file_path"], "lib/backoff.cr");
}

#[test]
fn neighbouring_fragments_of_a_file_become_one() {
    let answer = json(
        &service(),
        &["graph-rag", "spread_load", "--min-relevance", "0.1"],
    );
    let lines = |c: &Value| {
        (
            c["line_start"].as_u64().unwrap(),
            c["line_end"].as_u64().unwrap(),
        )
    };
    let all = answer["candidates"].as_array().unwrap();
    let in_file: Vec<_> = all
        .iter()
        .filter(|c| c["file_path"] == "src/spread.py")
        .collect();
    for (at, a) in in_file.iter().enumerate() {
        for b in &in_file[at + 1..] {
            let ((from, to), (other_from, other_to)) = (lines(a), lines(b));
            assert!(to + 2 < other_from || other_to + 2 < from, "{a}\n{b}");
        }
    }
}

#[test]
fn ct_007_token_budget_over_mcp() {
    let repo = tools();
    let mut client = Client::start_with(&repo, &["--preset", "full"]);
    client.initialize();
    let tools = client.ask("tools/list", object!({}));
    let all = tools["result"]["tools"].as_array().unwrap();
    let tool = all.iter().find(|t| t["name"] == "ci_graph_rag").unwrap();
    let properties = &tool["inputSchema"]["properties"];
    assert_eq!(properties["budget"]["default"], 8000);
    assert_eq!(properties["budget"]["minimum"], 0);
    assert_eq!(properties["budget"]["type"], "integer");
    assert_eq!(properties["min_relevance"]["default"], 0.3);
    assert_eq!(properties["min_relevance"]["type"], "number");
    let mut before = 0;
    for budget in [0, 100, 1000, 4000, 16_000] {
        let ask = object!({"query": "handleToolCall", "budget": budget});
        let (text, failed) = client.call_text("ci_graph_rag", ask);
        assert!(!failed, "{text}");
        let answer: Value = serde_json::from_str(&text).unwrap();
        let count = answer["token_count"].as_u64().unwrap();
        assert!(count <= budget && count >= before, "{budget}: {count}");
        assert!(count == 0 || quarter(&text) <= budget, "{budget}: {text}");
        before = count;
    }
    assert!(before > 4000, "{before}");
}

#[test]
fn mcp_answers_with_the_same_context() {
    let repo = service();
    let by_command = json(&repo, &["graph-rag", "run_with_retry", "--no-cache"]);
    let mut client = Client::start(&repo);
    client.initialize();
    let ask = object!({"query": "run_with_retry", "no_cache": true});
    let (answer, failed) = client.call("ci_graph_rag", ask);
    assert!(!failed, "{answer}");
    assert_eq!(answer["candidates"], by_command["candidates"]);
    let markdown =
        object!({"query": "run_with_retry", "format": "md", "token_budget": 300, "depth": 1});
    let (text, failed) = client.call_text("ci_graph_rag", markdown);
    assert!(!failed && text.starts_with("### src/retry.py:"), "{text}");
    assert!(quarter(&text) <= 300, "{text}");
    let (nothing, failed) = client.call_text(
        "ci_graph_rag",
        object!({"query": "zzgrumbl", "format": "md"}),
    );
    assert!(
        !failed && nothing.contains("nothing in this project"),
        "{nothing}"
    );
    let (error, failed) = client.call("ci_graph_rag", object!({"query": "x", "budget": -1}));
    assert!(
        failed
            && error["error"]["message"]
                .as_str()
                .unwrap()
                .contains("invalid budget")
    );
}

#[test]
fn ct_007_token_budget_of_ci_graph_rag() {
    let repo = service();
    let mut client = Client::start(&repo);
    client.initialize();
    for budget in [0u64, 60, 120, 240, 480] {
        let ask = object!({"query": "run_with_retry", "budget": budget, "no_cache": true});
        let (answer, failed) = client.call("ci_graph_rag", ask);
        assert!(!failed, "{answer}");
        let count = answer["token_count"].as_u64().unwrap();
        assert!(count <= budget, "{budget}: {answer}");
        let sum: u64 = answer["candidates"]
            .as_array()
            .unwrap()
            .iter()
            .map(|c| c["tokens"].as_u64().unwrap())
            .sum();
        assert!(sum <= count, "{budget}: {answer}");
        let some = budget >= 240;
        assert_eq!(
            !answer["candidates"].as_array().unwrap().is_empty(),
            some || sum > 0
        );
    }
}

/// Files of cached answers.
fn kept(repo: &Repo) -> Vec<std::path::PathBuf> {
    let folder = repo.file_path(".devbooks/cache/graph-context");
    let Ok(all) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    all.map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn ct_006_answers_are_kept_until_the_index_changes() {
    let repo = service();
    let ask = || json(&repo, &["graph-rag", "run_with_retry"]);
    let first = ask();
    assert_eq!(first["metadata"]["cache"], "miss");
    let second = ask();
    assert_eq!(second["metadata"]["cache"], "hit");
    assert_eq!(second["candidates"], first["candidates"]);
    assert_eq!(second["token_count"], first["token_count"]);
    // Cached answers contain neither the query nor source text.
    for path in kept(&repo) {
        let text = std::fs::read_to_string(path).unwrap();
        assert!(
            !text.contains("Sends a request") && !text.contains("\"query\""),
            "{text}"
        );
    }
    repo.write(
        "src/more.py",
        "from src.retry import Retry\n\n\ndef again():\n    return Retry(1).run_with_retry(1)\n",
    );
    let third = ask();
    assert_eq!(third["metadata"]["cache"], "miss");
    assert!(third.to_string().contains("src/more.py"), "{third}");
}

#[test]
fn options_have_their_own_answers_and_can_do_without() {
    let repo = service();
    let cache = |arguments: &[&str]| {
        let all = [&["graph-rag", "run_with_retry"], arguments].concat();
        json(&repo, &all)["metadata"]["cache"].clone()
    };
    assert_eq!(cache(&[]), "miss");
    assert_eq!(cache(&["--budget", "900"]), "miss");
    assert_eq!(cache(&["--max-depth", "1"]), "miss");
    assert_eq!(cache(&["--budget", "900"]), "hit");
    assert_eq!(cache(&["--no-cache"]), Value::Null);
    assert_eq!(json(&repo, &["cache", "status"])["entries"], 3);
    assert_eq!(json(&repo, &["cache", "clear"])["cleared"], true);
    assert_eq!(cache(&["--budget", "900"]), "miss");
    repo.write("config/features.yaml", "graph_rag:\n  cache_ttl: 0\n");
    assert_eq!(cache(&["--budget", "900"]), Value::Null);
}

#[test]
fn a_damaged_cache_is_passed_over() {
    let repo = service();
    let first = json(&repo, &["graph-rag", "run_with_retry"]);
    for path in kept(&repo) {
        std::fs::write(path, b"\xff{\"key\":").unwrap();
    }
    let again = json(&repo, &["graph-rag", "run_with_retry"]);
    assert_eq!(again["metadata"]["cache"], "miss");
    assert_eq!(again["candidates"], first["candidates"]);
    assert_eq!(
        json(&repo, &["graph-rag", "run_with_retry"])["metadata"]["cache"],
        "hit"
    );
}

#[test]
fn sc_sp_007_intent_preference_integration() {
    let repo = tools();
    let budget = ["graph-rag", "handleToolCall", "--budget", "3000"];
    let before = json(&repo, &budget);
    let shown = symbols(&before);
    let out = (0..20)
        .map(|n| format!("runTool{n}"))
        .find(|name| !shown.contains(&name.as_str()));
    let out = out.unwrap();
    let record = [
        "intent",
        "record",
        "--query",
        "tool",
        "--symbols",
        &out,
        "--user-action",
        "edit",
    ];
    for _ in 0..4 {
        assert_eq!(knotwork(&repo, &record).code, 0);
    }
    let after = json(&repo, &budget);
    assert!(symbols(&after).contains(&out.as_str()), "{out}: {after}");
    let worth =
        |answer: &Value, symbol: &str| candidate(answer, symbol)["priority"].as_f64().unwrap();
    assert!(
        worth(&after, &out) > worth(&after, symbols(&before)[1]) + 0.1,
        "{after}"
    );
    assert!(after["token_count"].as_u64().unwrap() <= 3000);
}

#[test]
fn ct_003_switched_off_it_says_so() {
    let repo = service();
    repo.write("config/features.yaml", "graph_rag:\n  enabled: false\n");
    let answer = json(&repo, &["graph-rag", "run_with_retry"]);
    assert_eq!(answer["candidates"], object!([]));
    assert_eq!(
        answer["warnings"][0],
        "Graph-RAG is disabled (graph_rag.enabled)"
    );
    repo.write(
        "config/features.yaml",
        "graph_rag:\n  token_budget: 4000\n  max_depth: 1\n",
    );
    let metadata = &json(&repo, &["graph-rag", "run_with_retry"])["metadata"];
    assert_eq!(
        (&metadata["budget"], &metadata["max_depth"]),
        (&object!(4000), &object!(1))
    );
}

#[test]
fn a_language_model_may_sort_the_best_again() {
    let repo = service();
    let ask = [
        "graph-rag",
        "run_with_retry",
        "--format",
        "json",
        "--rerank",
        "--no-cache",
    ];
    let plain = json(&repo, &["graph-rag", "run_with_retry", "--no-cache"]);
    assert_eq!(plain["metadata"]["reranked"], false);
    assert_eq!(plain["metadata"]["skip_reason"], "disabled");
    let seam = [(
        "LLM_MOCK_RESPONSE",
        r#"[{"index":1,"score":9,"reason":"it retries"},{"index":0,"score":2}]"#,
    )];
    let said = knotwork_with(&repo, &seam, &ask);
    let sorted: Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(sorted["metadata"]["reranked"], true, "{sorted}");
    assert_ne!(sorted["candidates"][0], plain["candidates"][0]);
    assert_eq!(
        sorted["candidates"][0]["symbol"],
        plain["candidates"][1]["symbol"]
    );
    let said = |at: usize, field: &str| sorted["candidates"][at][field].clone();
    assert_eq!(said(0, "rerank_score"), object!(9.0));
    assert_eq!(said(0, "rerank_reason"), object!("it retries"));
    assert_eq!(said(1, "rerank_score"), object!(2.0));
    let failed = knotwork_with(&repo, &[("LLM_MOCK_RESPONSE", "no")], &ask);
    let failed: Value = serde_json::from_str(&failed.stdout).unwrap();
    assert_eq!(failed["metadata"]["skip_reason"], "invalid_response");
    assert_eq!(failed["candidates"], plain["candidates"]);
}

#[test]
fn a_fragment_too_large_comes_as_its_skeleton_where_that_is_asked_for() {
    let repo = tools();
    let whole = json(&repo, &["graph-rag", "handleToolCall", "--budget", "450"]);
    let asked = [
        "graph-rag",
        "handleToolCall",
        "--budget",
        "450",
        "--skeleton",
    ];
    let answer = json(&repo, &asked);
    assert!(!symbols(&whole).contains(&"handleToolCall"), "{whole}");
    let first = candidate(&answer, "handleToolCall");
    assert_eq!(first["skeleton"], true);
    let snippet = first["snippet"].as_str().unwrap();
    assert!(
        snippet.contains("Answers one tool call.") && snippet.contains("handleToolCall("),
        "{snippet}"
    );
    assert!(answer["token_count"].as_u64().unwrap() <= 450);
}

/// Ten questions, each with the file that answers it. The first place counts fully, any other shown place half.
#[test]
fn ac_002_relevant_context_for_ten_questions() {
    let repo = service();
    let questions = [
        (
            "where is a request sent again after a failure",
            "src/retry.py",
        ),
        ("run_with_retry", "src/retry.py"),
        ("how many attempts does Retry make", "src/retry.py"),
        ("spread_load", "src/spread.py"),
        ("grow exponentially", "src/spread.py"),
        ("log a line", "src/log.py"),
        ("fetch a page from a url", "src/client.py"),
        ("fetch_page", "src/client.py"),
        ("mix two colors", "src/colors.py"),
        ("paint a shape", "src/colors.py"),
    ];
    let mut score = 0.0;
    for (question, file) in questions {
        let answer = json(&repo, &["graph-rag", question, "--budget", "1000"]);
        let all = answer["candidates"].as_array().unwrap();
        score += match all.iter().position(|c| c["file_path"] == file) {
            Some(0) => 1.0,
            Some(_) => 0.5,
            None => 0.0,
        };
    }
    assert!(score >= 7.0, "{score} of 10");
}

#[test]
fn a_real_vocabulary_counts_where_it_is_asked_for() {
    let body: String = (0..40)
        .map(|n| format!("def retry_{n}(attempt):\n    return backoff(attempt, {n})\n\n\n"))
        .collect();
    let repo = Repo::new(&format!(
        "//- .git/HEAD\nref\n//- src/retry.py\ndef backoff(attempt, base):\n    return base * 2 ** attempt\n\n\n{body}"
    ));
    let ask = |counter: &str| {
        let arguments = [
            "graph-rag",
            "retry backoff",
            "--budget",
            "600",
            "--tokenizer",
            counter,
        ];
        crate::common::json(&repo, &arguments)["token_count"]
            .as_u64()
            .unwrap()
    };
    for counter in ["estimate", "cl100k", "o200k"] {
        assert!((1..=600).contains(&ask(counter)), "{counter}");
    }
    let said = crate::common::knotwork(&repo, &["graph-rag", "retry", "--tokenizer", "words"]);
    assert_eq!(said.code, 1, "{said:?}");
}
