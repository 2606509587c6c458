//! Wrappers around the graph, the index and the daemon.

use super::arguments::Arguments;
use super::own::OwnCall;
use super::{Answer, Reply, Script};
use crate::environment;
use serde_json::json;
use std::time::Duration;

pub(super) const GRAPH_STORE: Script = Script {
    name: "graph-store",
    usage: "  init | stats | find-orphans | vacuum | export
  add-node --id ID --symbol NAME --kind KIND --file PATH [--line-start N --line-end N]
  add-edge --source ID --target ID --type DEFINES|IMPORTS|CALLS|MODIFIES [--file PATH --line N]
  query-edges --from ID | --to ID [--type TYPE]
  get-node ID | find-symbol NAME | query SQL
  find-path --from ID --to ID [--max-depth N] [--edge-types TYPES]
  batch-import --file FILE
  migrate --check | --apply | --status",
    flags: STORE_FLAGS,
    options: STORE_OPTIONS,
    run: graph_store,
};

/// Options of `graph-store` without a value.
const STORE_FLAGS: &[&str] = &[
    "--skip-precompute",
    "--check",
    "--apply",
    "--status",
    "--lines",
];
/// Options of `graph-store` with a value. All keep their names.
const STORE_OPTIONS: &[&str] = &[
    "--id",
    "--symbol",
    "--kind",
    "--file",
    "--line-start",
    "--line-end",
    "--source",
    "--target",
    "--type",
    "--line",
    "--from",
    "--to",
    "--max-depth",
    "--edge-types",
    "--sql",
    "--limit",
];

fn graph_store(given: Arguments) -> Answer {
    let action = given.action()?.to_owned();
    let own_names = STORE_OPTIONS.iter().chain(STORE_FLAGS);
    // The index is always complete: there is nothing to skip.
    let passed = own_names.filter(|name| **name != "--skip-precompute");
    let names: Vec<(&str, &str)> = passed.map(|name| (*name, *name)).collect();
    let words = given.words.iter().skip(1).cloned();
    let own = OwnCall::new(&["graph-store", &action]);
    let own = match action.as_str() {
        "query" if given.option("--sql").is_none() => own.value("--sql", given.word(1)?),
        "get-node" if given.option("--id").is_none() => own.value("--id", given.word(1)?),
        _ => own.operands(words),
    };
    let own = own.args(given.renamed(&names)).common(&given);
    match action.as_str() {
        "init" => {
            // In the earlier implementation the note on an existing database is part of the answer.
            let reply = own.output()?;
            let note = reply.err.contains("already exists");
            Ok(Reply {
                err: if note || reply.code != 0 {
                    reply.err
                } else {
                    String::new()
                },
                ..reply
            })
        }
        _ => own.quiet(),
    }
}

pub(super) const SCIP_TO_GRAPH: Script = Script {
    name: "scip-to-graph",
    usage: "  parse [--incremental] [--force] [--project-root DIR] [--format json|text]",
    flags: &["--incremental", "--force"],
    options: &[],
    run: |given| {
        let action = given.action()?.to_owned();
        let own = OwnCall::new(&["scip", &action]).common(&given);
        let own = own.args(given.renamed(&[
            ("--incremental", "--incremental"),
            ("--force", "--force"),
            ("--format", "--format"),
        ]));
        let reply = own.output()?;
        // Reports go to standard error, so that an answer in JSON stands alone.
        let is_json = given.option("--format") == Some("json");
        Ok(Reply {
            err: if reply.code == 0 && is_json {
                String::new()
            } else {
                reply.err
            },
            ..reply
        })
    },
};

pub(super) const DAEMON: Script = Script {
    name: "daemon",
    usage: "  start | stop | restart | status | ping | warmup | stats\n  query SQL",
    flags: &[],
    options: &[],
    run: control_daemon,
};

/// The wait before the first restart of a crashed daemon, in milliseconds. It doubles with each.
const RESTART_MS: &str = "250";

fn control_daemon(given: Arguments) -> Answer {
    let action = given.action()?.to_owned();
    let words = given.words.iter().skip(1).cloned();
    let own = OwnCall::new(&["daemon", &action])
        .operands(words)
        .common(&given);
    match action.as_str() {
        "start" | "restart" => {
            // In the earlier implementation a crashed daemon was back within a second.
            let own_wait = environment::shim_text("DAEMON_BACKOFF_MS").is_none();
            own.variable("DAEMON_BACKOFF_MS", own_wait.then_some(RESTART_MS))
                .output()
        }
        "stop" => own.output(),
        "ping" => {
            let mut answer = own.json()?;
            answer["status"] = "ok".into();
            Ok(Reply::json(&answer))
        }
        "query" => match own.json() {
            Ok(rows) => Ok(Reply::json(&json!({"status": "ok", "data": rows}))),
            // In the earlier implementation a daemon made an empty database.
            Err(reply) if reply.err.contains("no graph database") => Ok(Reply::json(&json!({
                "status": "ok", "data": [], "message": "there is no graph yet; indexer.sh makes one",
            }))),
            Err(reply) => Err(reply),
        },
        "status" => {
            let mut status = own.json()?;
            let running = status["running"] == true;
            status["status"] = if running { "running" } else { "stopped" }.into();
            if status["queue_size"].is_null() {
                status["queue_size"] = json!(0);
            }
            Ok(Reply::json(&status))
        }
        _ => own.quiet(),
    }
}

pub(super) const AST_DELTA: Script = Script {
    name: "ast-delta",
    usage: "  update FILE | update --force-rebuild\n  batch --since REVISION\n  status | clear-cache",
    flags: &["--force-rebuild"],
    options: &["--since", "--file"],
    run: |given| match given.word(0)? {
        "update" => {
            let own = OwnCall::new(&["ast-delta"]).common(&given);
            let file = given.words.get(1).cloned();
            let file = file.or_else(|| given.option("--file").map(str::to_owned));
            match file {
                Some(file) => {
                    remove_leftovers(&given);
                    let mut answer = own.operand(&file).json()?;
                    let asked = ["DISABLE_TREE_SITTER", "FORCE_SCIP_FALLBACK"];
                    let asked = asked.iter().find(|name| environment::is_variable_on(name));
                    if let Some(name) = asked {
                        answer["note"] = format!(
                            "{name} has no effect: the parsers are built in, so there is no fallback to SCIP; \
                             an index.scip counts where there is one"
                        )
                        .into();
                    }
                    Ok(Reply::json(&answer))
                }
                None if given.has("--force-rebuild") => {
                    Ok(Reply::json(&own.arg("--force-rebuild").json()?))
                }
                None => Err(given.usage()),
            }
        }
        "batch" => {
            let since = given.option("--since").unwrap_or("HEAD~1");
            let own = OwnCall::new(&["ast-delta"])
                .value("--since", since)
                .common(&given);
            Ok(Reply::json(&own.json()?))
        }
        "status" => Ok(Reply::json(
            &OwnCall::new(&["index", "status"]).common(&given).json()?,
        )),
        "clear-cache" => {
            let answer = OwnCall::new(&["cache", "clear"]).common(&given).json()?;
            Ok(Reply::json(&answer))
        }
        _ => Err(given.usage()),
    },
};

/// The age in minutes from which temporary files of the earlier implementation are removed.
const LEFTOVER_MINUTES: u64 = 1;

/// Removes temporary files that the earlier implementation left in the state folder when it was interrupted.
fn remove_leftovers(given: &Arguments) {
    let folder = || Some(engine::locate(&given.settings().ok()?).ok()?.state_dir);
    let Some(folder) =
        folder().filter(|folder| guard::state::is_own_folder(folder).unwrap_or(false))
    else {
        return;
    };
    let minutes = environment::shim_text("AST_DELTA_CLEANUP_MIN_AGE");
    let minutes = minutes.and_then(|text| text.trim().parse().ok());
    let least = Duration::from_secs(60 * minutes.unwrap_or(LEFTOVER_MINUTES));
    for entry in folder.read_dir().into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_leftover = name.starts_with(".ast-delta-temp-") && name.ends_with(".tmp");
        let is_old = || {
            let found = entry.metadata().ok().filter(std::fs::Metadata::is_file);
            let age = found.and_then(|found| found.modified().ok()?.elapsed().ok());
            age.is_some_and(|age| age >= least)
        };
        if is_leftover && is_old() {
            // What cannot be removed is left for the next time.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

pub(super) const INDEXER: Script = Script {
    name: "indexer",
    usage: "  [--force] builds or updates the index\n  status",
    flags: &["--force", "--once", "--dry-run"],
    options: &[],
    run: |given| {
        if given.words.first().is_some_and(|word| word == "status") || given.has("--dry-run") {
            let own = OwnCall::new(&["index", "status"]).common(&given);
            return Ok(Reply::json(&own.json()?));
        }
        let own = OwnCall::new(&["index"]).common(&given);
        let own = own.args(given.renamed(&[("--force", "--force")]));
        Ok(Reply::json(&own.json()?))
    },
};

const EMBEDDING_USAGE: &str =
    "  build [--force] | status | clear\n  search QUERY [--top-k N] [--format json|text]";

pub(super) const EMBEDDING: Script = Script {
    name: "embedding",
    usage: EMBEDDING_USAGE,
    flags: &["--force", "--mock-embedding"],
    options: &["--top-k", "--limit", "--query"],
    run: embedding,
};

pub(super) const DEVBOOKS_EMBEDDING: Script = Script {
    name: "devbooks-embedding",
    usage: EMBEDDING_USAGE,
    flags: &["--force", "--mock-embedding"],
    options: &["--top-k", "--limit", "--query"],
    run: embedding,
};

fn embedding(given: Arguments) -> Answer {
    let mock = given.renamed(&[("--mock-embedding", "--mock-embedding")]);
    let action = given.action()?.to_owned();
    if action == "search" {
        let query = match given.option("--query") {
            Some(query) => query.to_owned(),
            None => given.words[1..].join(" "),
        };
        let own = OwnCall::new(&["search"])
            .value("--query", &query)
            .args(mock);
        let own = own.args(given.renamed(&[("--top-k", "--limit"), ("--limit", "--limit")]));
        let own = own.common(&given);
        return if given.is_text() {
            own.quiet()
        } else {
            Ok(Reply::json(&own.json()?))
        };
    }
    let own = OwnCall::new(&["embedding", &action])
        .args(mock)
        .common(&given);
    own.args(given.renamed(&[("--force", "--force")])).quiet()
}
