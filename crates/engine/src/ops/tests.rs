//! What holds for all operations.

use super::{OPERATIONS, operation};
use crate::Access;
use serde_json::{Value, json};

fn access(name: &str, request: Value) -> Access {
    operation(name).unwrap().access(&request)
}

#[test]
fn names_are_used_once() {
    let mut names: Vec<&str> = OPERATIONS.iter().map(|entry| entry.name).collect();
    names.sort_unstable();
    let count = names.len();
    names.dedup();
    assert_eq!(names.len(), count);
}

#[test]
fn what_writes_says_so() {
    assert_eq!(access("search", json!({"query": "x"})), Access::Read);
    assert_eq!(access("arch-check", json!({})), Access::Read);
    for name in ["index", "scip", "embedding-build", "ast-delta"] {
        assert_eq!(access(name, json!({})), Access::Index, "{name}");
    }
    for name in ["index-clear", "embedding-clear", "cache-clear"] {
        assert_eq!(access(name, json!({})), Access::Write, "{name}");
    }
    for (name, action, expected) in [
        ("pattern", "check", Access::Read),
        ("pattern", "list", Access::Read),
        ("pattern", "learn", Access::Write),
        ("pattern", "decay", Access::Write),
        ("intent", "query", Access::Read),
        ("intent", "record", Access::Write),
        ("intent", "cleanup", Access::Write),
        ("index-status", "status", Access::Read),
        ("index-status", "build", Access::Index),
        ("index-status", "clear", Access::Write),
        ("graph-store", "stats", Access::Read),
        ("graph-store", "export", Access::Read),
        ("graph-store", "find_orphans", Access::Read),
        ("graph-store", "vacuum", Access::Write),
        ("graph-store", "init", Access::Write),
        ("federation", "status", Access::Read),
        ("federation", "search", Access::Read),
        ("federation", "query-virtual", Access::Read),
        ("federation", "endpoints", Access::Read),
        ("federation", "update", Access::Write),
        ("federation", "generate-virtual-edges", Access::Write),
    ] {
        assert_eq!(
            access(name, json!({ "action": action })),
            expected,
            "{name} {action}"
        );
    }
    let node = json!({"action": "add_node", "payload": {"id": "a", "symbol": "a", "kind": "x", "file": "a"}});
    assert_eq!(access("graph-store", node), Access::Write);
}
