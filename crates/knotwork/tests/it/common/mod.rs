//! Runs the binary in a fixture.

#![allow(dead_code)]

pub(crate) mod client;
#[cfg(unix)]
pub(crate) mod resident;

use serde_json::Value;
use testkit::{CommandOutput, Repo, run_program};

/// Runs the binary in the fixture's folder.
pub(crate) fn knotwork(repo: &Repo, arguments: &[&str]) -> CommandOutput {
    run_program(env!("CARGO_BIN_EXE_knotwork"), repo.path(), arguments, &[])
}

/// Runs the binary with environment variables.
pub(crate) fn knotwork_with(
    repo: &Repo,
    environment: &[(&str, &str)],
    arguments: &[&str],
) -> CommandOutput {
    run_program(
        env!("CARGO_BIN_EXE_knotwork"),
        repo.path(),
        arguments,
        environment,
    )
}

/// The answer as JSON; the command must succeed.
pub(crate) fn json(repo: &Repo, arguments: &[&str]) -> Value {
    let mut all = arguments.to_vec();
    all.extend(["--format", "json"]);
    let said = knotwork(repo, &all);
    assert_eq!(said.code, 0, "{arguments:?}: {said:?}");
    serde_json::from_str(&said.stdout).unwrap_or_else(|e| panic!("{arguments:?}: {e}: {said:?}"))
}

/// A graph written by hand from `a CALLS b` lines; every name is a function in `src/x.ts`.
pub(crate) fn graph(edges: &[&str]) -> Repo {
    let repo = Repo::new("//- .git/HEAD\nref\n");
    let mut nodes = std::collections::BTreeSet::new();
    let mut records = Vec::new();
    for edge in edges {
        let words: Vec<&str> = edge.split(' ').collect();
        nodes.extend([words[0], words[2]]);
        records.push(serde_json::json!({"source": words[0], "type": words[1], "target": words[2]}));
    }
    let nodes: Vec<Value> = nodes
        .into_iter()
        .map(|n| serde_json::json!({"id": n, "symbol": n, "kind": "function", "file_path": "src/x.ts"}))
        .collect();
    let batch = serde_json::json!({"nodes": nodes, "edges": records});
    repo.write("batch.json", &batch.to_string());
    assert_eq!(knotwork(&repo, &["graph-store", "init"]).code, 0);
    let said = knotwork(
        &repo,
        &["graph-store", "batch-import", "--file", "batch.json"],
    );
    assert_eq!(said.code, 0, "{said:?}");
    repo
}
