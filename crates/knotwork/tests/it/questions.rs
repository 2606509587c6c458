//! Queries about repositories; each builds and refreshes the index by itself.

use crate::common::{json, knotwork, knotwork_with};
use serde_json::json;
use testkit::Repo;

const SHOP: &str = r#"
//- src/price.py
class Item:
    def __init__(self, amount: int):
        self.amount = amount

    def price(self) -> int:
        return rounded(self.amount)


def rounded(n: int) -> int:
    return int(n)
//- src/cart.py
from price import Item, rounded


class Cart:
    def __init__(self):
        self.items: list[Item] = []

    def total(self) -> int:
        return rounded(self.sum())

    def sum(self) -> int:
        return sum(item.price() for item in self.items)
//- src/main.py
from cart import Cart


def checkout(cart: Cart) -> int:
    return cart.total()
"#;

fn shop() -> Repo {
    Repo::new(SHOP.trim_start())
}

#[test]
fn a_question_builds_the_index_by_itself() {
    let repo = shop();
    let answer = json(&repo, &["call-chain", "Cart.total", "--direction", "both"]);
    let target = &answer["paths"][0];
    assert_eq!(target["symbol_name"], "Cart.total");
    assert_eq!(target["callers"][0]["symbol_name"], "checkout");
    let callees = target["callees"].as_array().unwrap();
    let mut names: Vec<_> = callees
        .iter()
        .filter_map(|c| c["symbol_name"].as_str())
        .collect();
    names.sort_unstable();
    assert_eq!(names, ["Cart.sum", "rounded"]);
    for edge in [&target["callers"][0]["edge"], &target["callees"][0]["edge"]] {
        assert!(
            ["typed", "scoped"].contains(&edge["tier"].as_str().unwrap()),
            "{edge}"
        );
        assert!(edge["confidence"].as_f64().unwrap() > 0.9);
        assert_eq!(edge["site"], "call");
        assert!(edge["line"].is_u64());
    }
    assert_eq!(answer["index"]["fresh"], true);
    assert_eq!(answer["index"]["reindexed_files"], 3);
    assert_eq!(
        std::fs::read_to_string(repo.file_path(".devbooks/.gitignore")).unwrap(),
        "*\n"
    );
}

#[test]
fn a_changed_file_is_read_again_before_the_answer() {
    let repo = shop();
    let before = json(&repo, &["impact", "rounded"]);
    assert!(before["total_affected"].as_u64().unwrap() >= 2);
    let symbols = |answer: &serde_json::Value| answer["affected"].to_string();
    assert!(!symbols(&before).contains("discount"));
    repo.write(
        "src/sale.py",
        "from price import rounded\n\n\ndef discount(n):\n    return rounded(n // 2)\n",
    );
    let after = json(&repo, &["impact", "rounded"]);
    assert!(symbols(&after).contains("discount"), "{after}");
    assert_eq!(after["index"]["reindexed_files"], 1);
    std::fs::remove_file(repo.file_path("src/sale.py")).unwrap();
    let gone = json(&repo, &["impact", "rounded"]);
    assert_eq!(gone["affected"], before["affected"]);
}

#[test]
fn index_reports_one_line_of_json_and_status_agrees() {
    let repo = shop();
    repo.commit_all();
    let said = knotwork(&repo, &["index", "--format", "json"]);
    assert_eq!(said.code, 0, "{said:?}");
    assert_eq!(said.stdout.lines().count(), 1);
    let report: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(report["strategy"], "FULL_REBUILD");
    assert_eq!(report["files"], 3);
    assert_eq!(report["languages"]["python"], 3);
    let calls = &report["calls"];
    let sum = ["resolved", "external", "unresolved"]
        .iter()
        .map(|k| calls[*k].as_u64().unwrap());
    assert_eq!(sum.sum::<u64>(), calls["total"].as_u64().unwrap());
    let status = json(&repo, &["index", "status"]);
    assert_eq!(
        (&status["exists"], &status["index"]["fresh"]),
        (&json!(true), &json!(true))
    );
    assert_eq!(status["graph"]["nodes"], report["nodes"]);
    assert_eq!(status["index"]["commit"], report["commit"]);
    assert!(report["commit"].is_string());
    let again = json(&repo, &["index"]);
    assert_eq!(again["strategy"], "UP_TO_DATE");
    assert_eq!(
        json(&repo, &["index", "--force"])["strategy"],
        "FULL_REBUILD"
    );
}

#[test]
fn files_without_a_grammar_are_counted_and_named() {
    let repo = Repo::new(
        "//- a.nim\nproc helper(): int = 1\n//- b.py\ndef f():\n    pass\n//- c.md\n# C\n",
    );
    let status = json(&repo, &["index", "status"]);
    assert_eq!(status["text_only"], json!(null), "there is no index yet");
    json(&repo, &["index"]);
    let status = json(&repo, &["index", "status"]);
    assert_eq!(status["text_only"], json!({"nim": 1}));
    let said = knotwork(&repo, &["impact", "a.nim"]);
    let told = said.stderr;
    assert!(told.contains("no grammar for nim:"), "{told}");
}

#[test]
fn of_a_language_that_is_read_by_name_it_is_said_that_calls_are_not() {
    let repo = Repo::new(
        "//- a.dart\nclass Cart {\n  /// Adds.\n  int add(int item) {\n    return item;\n  }\n}\n//- b.py\ndef f():\n    pass\n",
    );
    json(&repo, &["index"]);
    let status = json(&repo, &["index", "status"]);
    assert_eq!(status["names_only"], json!({"dart": 1}));
    let unread = "calls and imports are not";
    for command in ["call-chain", "impact"] {
        let of_dart = json(&repo, &[command, "add"]);
        let note = of_dart["index"]["notes"][0].as_str().unwrap();
        assert!(note.contains("of dart") && note.contains(unread), "{note}");
        let of_python = json(&repo, &[command, "f"]);
        assert_eq!(of_python["index"]["notes"], json!(null));
    }
    let found = json(&repo, &["search", "--mode", "symbol", "Cart.add"]);
    let first = &found["results"][0];
    assert_eq!(
        (&first["symbol"], &first["kind"]),
        (&json!("Cart.add"), &json!("method"))
    );
}

#[test]
fn status_changes_nothing_and_clear_removes_the_index() {
    let repo = shop();
    let status = json(&repo, &["index", "status"]);
    assert_eq!(status["exists"], false);
    assert!(!repo.file_path(".devbooks").exists());
    knotwork(&repo, &["index"]);
    repo.write("src/new.py", "x = 1\n");
    let stale = json(&repo, &["index", "status"]);
    assert_eq!(
        (&stale["changes"], &stale["changed"]),
        (&json!(1), &json!(["src/new.py"]))
    );
    assert_eq!(stale["index"]["fresh"], false);
    assert_eq!(knotwork(&repo, &["index", "clear"]).code, 0);
    assert!(!repo.file_path(".devbooks/graph.db").exists());
}

#[test]
fn search_finds_names_and_shows_the_source() {
    let repo = shop();
    let answer = json(&repo, &["search", "checkot", "--mode", "symbol"]);
    let first = &answer["results"][0];
    assert_eq!(
        (&first["symbol"], &first["file_path"]),
        (&json!("checkout"), &json!("src/main.py"))
    );
    assert_eq!(
        (&first["kind"], &first["source"]),
        (&json!("function"), &json!("keyword"))
    );
    assert!(
        first["snippet"]
            .as_str()
            .unwrap()
            .contains("def checkout(cart: Cart)")
    );
    assert!(first["relevance_score"].as_f64().unwrap() <= 1.0);
    let classes = json(
        &repo,
        &["search", "cart", "--kind", "class", "--mode", "symbol"],
    );
    assert_eq!(classes["results"].as_array().unwrap().len(), 1);
    let below = json(
        &repo,
        &[
            "search",
            "total",
            "--path",
            "src/main.py",
            "--mode",
            "symbol",
        ],
    );
    assert_eq!(below["results"], json!([]));
    let words = json(&repo, &["search", "cart total", "--mode", "keyword"]);
    let symbol = words["results"][0]["symbol"].as_str().unwrap();
    assert!(symbol.starts_with("Cart"), "{symbol}");
    assert_eq!(knotwork(&repo, &["search", "x", "--kind", "klass"]).code, 1);
}

#[test]
fn a_query_needs_no_quotes() {
    let repo = shop();
    let plain = json(&repo, &["search", "sum", "of", "prices", "--limit", "3"]);
    assert_eq!(plain["query"], "sum of prices");
    let quoted = json(&repo, &["search", "sum of prices", "-n", "3"]);
    assert_eq!(plain["results"], quoted["results"]);
    let context = |words: &[&str]| {
        let answer = json(&repo, &[&["graph-rag"], words].concat());
        answer["candidates"].clone()
    };
    assert_eq!(
        context(&["sum", "of", "prices"]),
        context(&["sum of prices"])
    );
}

#[test]
fn questions_work_from_any_folder_inside() {
    let repo = shop();
    repo.commit_all();
    let inside = repo.file_path("src");
    let said = testkit::run_program(
        env!("CARGO_BIN_EXE_knotwork"),
        &inside,
        &["impact", "file", "price.py", "--format", "json"],
        &[],
    );
    assert_eq!(said.code, 0, "{said:?}");
    assert!(
        said.stdout.contains("\"root\":\"src/price.py\""),
        "{said:?}"
    );
    assert!(repo.file_path(".devbooks/graph.db").exists());
    assert!(!inside.join(".devbooks").exists());
}

#[test]
fn text_is_for_reading() {
    let repo = shop();
    let said = knotwork(&repo, &["call-chain", "rounded"]);
    assert!(said.stdout.contains("└─"), "{said:?}");
    assert!(
        !said.stdout.contains('\u{1b}'),
        "no colours into a pipe: {said:?}"
    );
    assert!(said.stderr.contains("index: "), "{said:?}");
    let summary = knotwork(&repo, &["index", "--format", "text"]);
    assert!(summary.stdout.contains("python 3"), "{summary:?}");
}

#[test]
fn an_empty_folder_gives_an_empty_graph() {
    let repo = Repo::new("//- notes.txt\nnothing\n");
    let report = json(&repo, &["index"]);
    assert_eq!(report["files"], 0);
    let found = json(&repo, &["search", "anything"]);
    assert_eq!(found["results"], json!([]));
    let nowhere = knotwork(&repo, &["-C", "no/such/folder", "index"]);
    assert_eq!(nowhere.code, 1);
    assert!(nowhere.stderr.contains("no such folder"), "{nowhere:?}");
}

#[test]
fn a_limit_of_size_holds_until_another_is_given() {
    let repo = shop();
    let limited = json(&repo, &["index", "--max-file-size", "150"]);
    let kept = limited["files"].as_u64().unwrap();
    assert!(kept < 3, "{limited}");
    json(&repo, &["search", "x"]);
    assert_eq!(json(&repo, &["index"])["files"], kept);
    assert_eq!(
        json(&repo, &["index", "--max-file-size", "1MiB"])["files"],
        3
    );
}

#[test]
fn a_damaged_database_is_moved_aside_and_the_answer_says_so() {
    let repo = shop();
    knotwork(&repo, &["index"]);
    repo.write(".devbooks/graph.db", "this is no database");
    let answer = json(&repo, &["impact", "rounded"]);
    assert!(answer["total_affected"].as_u64().unwrap() >= 2);
    assert!(
        answer["index"]["notes"].to_string().contains("damaged"),
        "{answer}"
    );
    let aside = std::fs::read_dir(repo.file_path(".devbooks"))
        .unwrap()
        .flatten();
    assert!(
        aside
            .into_iter()
            .any(|e| e.file_name().to_string_lossy().contains("corrupt-"))
    );
}

#[test]
fn state_can_lie_elsewhere() {
    let repo = shop();
    let state = Repo::new("//- keep\n");
    let place = state.file_path("state");
    let said = knotwork_with(
        &repo,
        &[("DEVBOOKS_DIR", place.to_str().unwrap())],
        &["search", "rounded", "--format", "json"],
    );
    assert_eq!(said.code, 0, "{said:?}");
    assert!(place.join("graph.db").exists());
    assert!(!repo.file_path(".devbooks").exists());
}

#[test]
fn files_passed_over_are_not_looked_at_again_until_they_change() {
    let repo = shop();
    let long = format!("var a={};", "(1+2)+".repeat(20_000) + "0");
    repo.write("dist/app.min.js", &long);
    let first = json(&repo, &["index"]);
    assert_eq!(first["skipped"]["minified"], 1, "{first}");
    let again = json(&repo, &["index"]);
    assert_eq!(again["strategy"], "UP_TO_DATE");
    assert_eq!(again["skipped"], first["skipped"]);
    assert_eq!(again["nodes"], first["nodes"]);
    assert_eq!(json(&repo, &["index", "status"])["index"]["fresh"], true);
    repo.write("dist/app.min.js", "function small() {}\n");
    assert_eq!(json(&repo, &["index"])["files"], 4);
}

#[test]
fn a_question_about_an_unchanged_tree_needs_no_writer() {
    let repo = Repo::new("//- a.py\ndef f():\n    pass\n\ndef g():\n    f()\n");
    json(&repo, &["index"]);
    let lock = std::fs::File::create(repo.file_path(".devbooks/graph.db.lock")).unwrap();
    lock.lock().unwrap();
    let chain = json(&repo, &["call-chain", "f"]);
    assert_eq!(chain["index"]["fresh"], true);
    assert_eq!(chain["paths"][0]["callers"][0]["symbol_name"], "g");
    repo.write("a.py", "def f():\n    pass\n\ndef other():\n    f()\n");
    let chain = json(&repo, &["call-chain", "f"]);
    assert_eq!(chain["index"]["fresh"], false);
    assert_eq!(chain["paths"][0]["callers"][0]["symbol_name"], "g");
    drop(lock);
    let chain = json(&repo, &["call-chain", "f"]);
    assert_eq!(chain["index"]["reindexed_files"], 1);
    assert_eq!(chain["paths"][0]["callers"][0]["symbol_name"], "other");
}

#[test]
fn answers_of_the_store_say_how_fresh_the_index_is() {
    let repo = Repo::new("//- a.py\ndef f():\n    pass\n");
    let stats = json(&repo, &["graph-store", "stats"]);
    assert_eq!(stats["index"]["fresh"], true);
    let list = knotwork(&repo, &["graph-store", "find-symbol", "f"]);
    assert!(list.stdout.starts_with("[{"), "{list:?}");
    assert!(list.stderr.starts_with("index: fresh"), "{list:?}");
}

#[test]
fn details_come_only_where_they_are_asked_for() {
    let repo = Repo::new("//- a.py\ndef f():\n    pass\n");
    let quiet = knotwork(&repo, &["search", "f", "--format", "json"]);
    assert!(!quiet.stderr.contains("debug:"), "{quiet:?}");
    repo.write("a.py", "def f():\n    return 1\n");
    let set = [("DEVBOOKS_DEBUG", "1")];
    let loud = knotwork_with(&repo, &set, &["search", "f", "--format", "json"]);
    assert!(loud.stderr.contains("changed: [\"a.py\"]"), "{loud:?}");
    let off = [("DEVBOOKS_DEBUG", "0")];
    let quiet = knotwork_with(&repo, &off, &["search", "f", "--format", "json"]);
    assert!(!quiet.stderr.contains("debug:"), "{quiet:?}");
}

#[test]
fn chunks_follow_the_files() {
    let repo = Repo::new(
        "//- retry.py\ndef wait_before_retry(attempt):\n    \"\"\"Exponential back-off with jitter.\"\"\"\n    return 2 ** attempt\n\
         //- parser.c\n/* Reads the header of a packet. */\nint read_packet_header(char *bytes) {\n    return bytes[0];\n}\n\
         //- notes.md\n# Releases\n\nHow a release is made.\n",
    );
    let first = |query: &str| {
        let answer = json(&repo, &["search", query]);
        assert_eq!(answer["mode"], "hybrid");
        let path = answer["results"][0]["file_path"].as_str();
        path.unwrap_or("nothing").to_owned()
    };
    assert_eq!(first("exponential back-off with jitter"), "retry.py");
    // For C names and text are indexed.
    assert_eq!(first("packet header"), "parser.c");
    repo.write(
        "zoo.go",
        "package zoo\n\n// Feeds the giraffe.\nfunc FeedGiraffe() {}\n",
    );
    std::fs::remove_file(repo.file_path("parser.c")).unwrap();
    assert_eq!(first("feed giraffe"), "zoo.go");
    assert_ne!(first("packet header"), "parser.c");
    assert_eq!(
        knotwork(&repo, &["search", "x", "--min-relevance", "2"]).code,
        1
    );
    // A damaged index is built anew. The answer is the same whatever the damage, and its index state reports it.
    let whole = json(&repo, &["search", "feed giraffe"]);
    for rubbish in [&b"rubbish"[..], b"\xff\xfe\0", b""] {
        for entry in std::fs::read_dir(repo.file_path(".devbooks/search")).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                std::fs::write(path, rubbish).unwrap();
            }
        }
        let mut answer = json(&repo, &["search", "feed giraffe"]);
        let said = answer["index"]["notes"].to_string();
        assert!(said.contains("it was rebuilt"), "{answer}");
        answer["index"] = whole["index"].clone();
        assert_eq!(answer, whole);
    }
}

#[test]
fn a_chunk_has_its_name_in_the_graph() {
    let repo = Repo::new(
        "//- go.mod\nmodule zoo\n//- zoo.go\npackage zoo\n\n// Keeper looks after animals.\ntype Keeper struct{}\n\n// Feed gives hay to every giraffe of the zoo.\nfunc (k *Keeper) Feed() int {\n\treturn 1\n}\n",
    );
    let answer = json(&repo, &["search", "Feed"]);
    let first = &answer["results"][0];
    assert_eq!(first["symbol"], "Keeper.Feed", "{answer}");
    let chain = json(
        &repo,
        &[
            "call-chain",
            first["id"].as_str().unwrap(),
            "--direction",
            "both",
        ],
    );
    assert_eq!(chain["paths"][0]["symbol_name"], "Keeper.Feed", "{chain}");
}

#[test]
fn a_name_of_several_definitions_is_answered_for_all_of_them() {
    let repo = Repo::new(
        "//- a.py\nclass Seldom:\n    def text(self):\n        pass\n\n\nclass Often:\n    def text(self):\n        pass\n\n\n\
         def one(a: Often, b: Seldom, c):\n    a.text()\n    b.text()\n    c.text()\n\n\ndef two():\n    Often().text()\n",
    );
    let answer = json(&repo, &["call-chain", "text"]);
    let names = |list: &serde_json::Value, field: &str| -> Vec<String> {
        let items = list.as_array().unwrap().iter();
        items
            .map(|item| item[field].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(
        names(&answer["paths"], "symbol_name"),
        ["Often.text", "Seldom.text"],
        "{answer}"
    );
    let callers = &answer["paths"][0]["callers"];
    assert_eq!(names(callers, "symbol_name"), ["one", "two"], "{answer}");
    assert_eq!(answer["definitions"]["total"], 2);
    assert_eq!(answer["definitions"]["shown"][0]["calls"], 2);
    assert_eq!(answer["unresolved"]["calls"], 1);
    assert_eq!(answer["unresolved"]["such_as"], json!(["a.py:14"]));
    let unresolved = json(&repo, &["graph-store", "find-unresolved", "text"]);
    assert_eq!(unresolved, json!([{"file_path": "a.py", "lines": [14]}]));
    let one = json(&repo, &["call-chain", "Seldom.text"]);
    assert!(one.get("definitions").is_none(), "{one}");
    assert_eq!(names(&one["paths"][0]["callers"], "symbol_name"), ["one"]);
    let impact = json(&repo, &["impact", "text"]);
    assert_eq!(impact["definitions"]["total"], 2, "{impact}");
    assert_eq!(impact["total_affected"], 2, "{impact}");
    let said = knotwork(&repo, &["call-chain", "text"]);
    assert!(
        said.stdout.contains("text has 2 definitions") && said.stdout.contains("1 unresolved call"),
        "{said:?}"
    );
}

#[test]
fn what_is_not_in_the_graph_is_named_with_its_reason() {
    let repo = shop();
    repo.write("src/small.min.py", &"a=1;".repeat(20_000));
    repo.write("native/fast.nim", "proc fast(): int = 1\n");
    let long = format!(
        "{}\ndef last():\n    return 1\n",
        "x = [1, 2, 3]\n".repeat(100_000)
    );
    repo.write("src/long.py", &long);
    let status = |repo: &Repo| {
        json(repo, &["index"]);
        json(repo, &["index", "status"])
    };
    let answer = status(&repo);
    assert_eq!(
        answer["skipped_files"],
        json!({"src/small.min.py": "minified"}),
        "{answer}"
    );
    let found = json(&repo, &["call-chain", "last"]);
    assert_eq!(found["paths"][0]["file_path"], "src/long.py", "{found}");
    let named = knotwork(&repo, &["index", "status"]);
    assert!(
        named.stdout.contains("src/small.min.py: minified"),
        "{named:?}"
    );
    for command in [
        ["impact", "src/small.min.py"],
        ["call-chain", "src/small.min.py:1"],
    ] {
        let said = knotwork(&repo, &command);
        assert_eq!(said.code, 1);
        assert!(
            said.stderr.contains("not in the graph: minified"),
            "{said:?}"
        );
    }
    let unknown = knotwork(&repo, &["call-chain", "fast"]);
    assert!(
        unknown.stderr.contains("1 file in nim, 1 skipped file"),
        "{unknown:?}"
    );
    std::fs::remove_file(repo.file_path("src/small.min.py")).unwrap();
    let answer = status(&repo);
    assert_eq!(answer["skipped_files"], json!({}), "{answer}");
}

#[test]
fn an_error_from_a_last_state_says_that_it_is_one() {
    let repo = shop();
    json(&repo, &["index"]);
    let lock = std::fs::File::open(repo.file_path(".devbooks/graph.db.lock")).unwrap();
    lock.lock().unwrap();
    repo.write("src/late.py", "def late():\n    return 1\n");
    let said = knotwork(&repo, &["call-chain", "late"]);
    assert_eq!(said.code, 1, "{said:?}");
    assert!(
        said.stderr.contains("symbol not found: late")
            && said.stderr.contains("the index is not up to date"),
        "{said:?}"
    );
    lock.unlock().unwrap();
    let found = json(&repo, &["call-chain", "late"]);
    assert_eq!(found["paths"][0]["file_path"], "src/late.py", "{found}");
}
