//! Patterns that are learned from a fixture and checked against it.

use crate::common::client::Client;
use crate::common::{graph, json, knotwork};
use serde_json::{Value, json};
use testkit::Repo;

/// Four similar stores, and one that differs.
fn stores() -> Repo {
    let mut text = String::from(
        "//- .git/HEAD\nref\n//- src/base.py\nclass Store:\n    def open_file(self, path):\n        return path\n    def close_file(self):\n        return None\n\nclass StoreError(Exception):\n    pass\n",
    );
    for name in ["user", "order", "item", "price"] {
        let class = format!("{}{}Store", name[..1].to_uppercase(), &name[1..]);
        text.push_str(&format!(
            "//- src/stores/{name}_store.py\nfrom src.base import Store, StoreError\n\nclass {class}(Store):\n    def load_all(self):\n        self.open_file('{name}')\n        try:\n            rows = list(self.rows)\n        except ValueError as err:\n            raise StoreError('{name}') from err\n        self.close_file()\n        return rows\n"
        ));
    }
    text.push_str("//- src/stores/odd.py\nfrom src.base import Store, StoreError\n\nclass OddThing(Store):\n    def loadAll(self):\n        self.open_file('odd')\n        try:\n            return list(self.rows)\n        except ValueError as e:\n            raise StoreError('odd')\n");
    Repo::new(&text)
}

fn ids(answer: &Value) -> Vec<&str> {
    let patterns = answer["patterns"].as_array().unwrap();
    patterns
        .iter()
        .map(|p| p["pattern_id"].as_str().unwrap())
        .collect()
}

#[test]
fn ac_006_at_least_three_frequent_patterns_are_found() {
    let repo = stores();
    let answer = json(
        &repo,
        &[
            "pattern",
            "learn",
            "--auto-discover",
            "--min-frequency",
            "3",
        ],
    );
    let patterns = answer["patterns"].as_array().unwrap();
    let frequent = patterns
        .iter()
        .filter(|p| p["frequency"].as_u64() >= Some(3));
    assert!(frequent.count() >= 3, "{answer}");
    let ids = ids(&answer);
    for id in [
        "naming:subtype:Store@src/base.py:*Store",
        "structure:subtype:Store@src/base.py:load_all:with",
        "sequence:then:Store.open_file@src/base.py => Store.close_file@src/base.py:with",
        "error:python:raise:chained",
        "error:python:name:err",
    ] {
        assert!(ids.contains(&id), "{id}: {ids:?}");
    }
    let kinds: std::collections::BTreeSet<&str> = patterns
        .iter()
        .map(|p| p["kind"].as_str().unwrap())
        .collect();
    assert_eq!(kinds.len(), 5, "{kinds:?}");
}

#[test]
fn ct_pd_002_patterns_are_kept_merged_and_predefined_ones_stay() {
    let repo = stores();
    let path = ".devbooks/learned-patterns.json";
    let own = json!({"pattern_id": "singleton", "name": "ours", "confidence": 0.9});
    repo.write(
        path,
        &json!({"schema_version": "1.0", "patterns": [own]}).to_string(),
    );
    json(&repo, &["pattern", "learn"]);
    let read = || -> Value {
        serde_json::from_str(&std::fs::read_to_string(repo.file_path(path)).unwrap()).unwrap()
    };
    let first = read();
    assert_eq!(first["schema_version"], "1.0");
    assert_eq!(
        first["patterns"][0], own,
        "what others put in stays as it is"
    );
    let count = first["patterns"].as_array().unwrap().len();
    assert!(count > 3);
    json(&repo, &["pattern", "learn"]);
    let second = read();
    assert_eq!(
        second["patterns"].as_array().unwrap().len(),
        count,
        "nothing stands twice"
    );
    assert_eq!(
        second["patterns"][1]["first_seen"],
        first["patterns"][1]["first_seen"]
    );
    let files: Vec<String> = std::fs::read_dir(repo.file_path(".devbooks"))
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    assert!(!files.iter().any(|f| f.ends_with(".tmp")), "{files:?}");
}

#[test]
fn code_that_breaks_a_pattern_is_told_with_examples() {
    let repo = stores();
    json(&repo, &["pattern", "learn"]);
    let answer = json(&repo, &["pattern", "check"]);
    let found = answer["deviations"].as_array().unwrap();
    assert!(
        found.iter().all(|d| d["file"] == "src/stores/odd.py"),
        "{answer}"
    );
    let of = |id: &str| {
        found
            .iter()
            .find(|d| d["pattern_id"].as_str().unwrap().starts_with(id))
            .unwrap()
    };
    assert_eq!(of("naming:subtype")["found"], "*Thing");
    assert_eq!(of("naming:subtype")["symbol"], "OddThing");
    assert_eq!(of("error:python:name")["line"], 8);
    assert_eq!(of("error:python:raise")["found"], "unchained");
    assert_eq!(of("sequence:")["line"], 5);
    assert_eq!(of("sequence:")["examples"].as_array().unwrap().len(), 3);
    let elsewhere = json(&repo, &["pattern", "check", "--path", "src/base.py"]);
    assert_eq!(elsewhere["total"], 0);
    let naming = json(&repo, &["pattern", "check", "--type", "naming"]);
    assert!(
        naming["deviations"]
            .as_array()
            .unwrap()
            .iter()
            .all(|d| d["kind"] == "naming")
    );
}

#[test]
fn few_nodes_say_nothing() {
    let repo = graph(&["a CALLS b"]);
    let said = knotwork(
        &repo,
        &["pattern", "learn", "--auto-discover", "--format", "json"],
    );
    assert_eq!(said.code, 0, "{said:?}");
    assert!(
        said.stdout
            .contains("Insufficient data for pattern discovery (need >= 10 nodes)"),
        "{said:?}"
    );
    let said = knotwork(&repo, &["pattern", "check"]);
    assert_eq!(said.code, 1, "{said:?}");
    assert!(said.stderr.contains("knotwork pattern learn"), "{said:?}");
}

#[test]
fn a_malformed_file_is_kept_aside() {
    let repo = stores();
    repo.write(".devbooks/learned-patterns.json", "{\"patterns\": [");
    assert_eq!(knotwork(&repo, &["pattern", "check"]).code, 3);
    let answer = json(&repo, &["pattern", "learn"]);
    assert!(
        answer["warnings"][0]
            .as_str()
            .unwrap()
            .contains("learned-patterns.json.bak"),
        "{answer}"
    );
    let kept =
        std::fs::read_to_string(repo.file_path(".devbooks/learned-patterns.json.bak")).unwrap();
    assert_eq!(kept, "{\"patterns\": [");
    assert!(json(&repo, &["pattern", "list"])["total"].as_u64().unwrap() > 3);
}

#[test]
fn confidence_fades_and_arguments_are_checked() {
    let repo = stores();
    json(&repo, &["pattern", "learn"]);
    let path = ".devbooks/learned-patterns.json";
    let mut kept: Value =
        serde_json::from_str(&std::fs::read_to_string(repo.file_path(path)).unwrap()).unwrap();
    let total = kept["patterns"].as_array().unwrap().len();
    kept["patterns"][0]["last_confirmed"] = json!(0);
    repo.write(path, &kept.to_string());
    json(&repo, &["pattern", "decay"]);
    assert_eq!(json(&repo, &["pattern", "list"])["total"], total - 1);
    for wrong in [
        ["--min-frequency", "0"],
        ["--min-frequency", "101"],
        ["--patterns", "/etc/x.json"],
    ] {
        let said = knotwork(&repo, &["pattern", "learn", wrong[0], wrong[1]]);
        assert_eq!(said.code, 1, "{said:?}");
    }
    let off = [
        "--set",
        "features.pattern_discovery.enabled=false",
        "pattern",
        "learn",
    ];
    let said = knotwork(&repo, &off);
    assert!(
        said.stderr.contains("Pattern discovery is disabled"),
        "{said:?}"
    );
}

#[test]
fn the_tool_learns_and_checks() {
    let repo = stores();
    let mut client = Client::start(&repo);
    client.initialize();
    let (answer, failed) = client.call(
        "ci_pattern",
        json!({"action": "learn", "auto_discover": true}),
    );
    assert!(!failed, "{answer}");
    let (answer, failed) = client.call("ci_pattern", json!({"action": "check"}));
    assert!(!failed, "{answer}");
    assert_eq!(answer["deviations"][0]["file"], "src/stores/odd.py");
}

#[test]
fn a_client_writes_over_no_file_of_the_project() {
    let repo = stores();
    json(&repo, &["pattern", "learn"]);
    let source = std::fs::read_to_string(repo.file_path("src/stores/odd.py")).unwrap();
    let mut client = Client::start(&repo);
    client.initialize();
    for action in ["learn", "decay"] {
        let request = json!({"action": action, "patterns": "src/stores/odd.py"});
        let (answer, failed) = client.call("ci_pattern", request);
        assert!(failed, "{answer}");
    }
    drop(client);
    repo.write("src/package.json", "{\"patterns\": [], \"name\": \"ours\"}");
    repo.write("src/notes.bak", "[1]");
    for place in [
        "src/stores/odd.py",
        "src/package.json",
        "src/notes.bak",
        "src",
        ".git/config",
        ".devbooks/graph.db",
        ".devbooks/new.json",
        "src/.GIT/new.json",
    ] {
        let said = knotwork(&repo, &["pattern", "learn", "--patterns", place]);
        assert_ne!(said.code, 0, "{place}: {said:?}");
        let said = knotwork(&repo, &["pattern", "decay", "--patterns", place]);
        assert_ne!(said.code, 0, "{place}: {said:?}");
    }
    let now = std::fs::read_to_string(repo.file_path("src/stores/odd.py")).unwrap();
    assert_eq!(now, source);
    assert!(!repo.file_path("src/package.json.bak").exists());
    assert!(!repo.file_path("src/stores/odd.json.bak").exists());
    json(&repo, &["pattern", "learn", "--patterns", "src/own.json"]);
    json(&repo, &["pattern", "learn", "--patterns", "src/own.json"]);
    assert!(!repo.file_path("src/own.json.bak").exists());
}
