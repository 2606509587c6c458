//! The wrapper of the federation.

use super::arguments::Arguments;
use super::own::OwnCall;
use super::{Answer, Reply, Script};
use engine::VirtualEdgeTable;
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};

pub(super) const FEDERATION: Script = Script {
    name: "federation-lite",
    usage: "  --update --config FILE | --status | --search SYMBOL [--format json|text]
  generate-virtual-edges --config FILE --local-repo DIR --db FILE [--min-confidence N] [--sync]
  query-virtual SYMBOL --db FILE [--min-confidence N] [--format json|text]",
    flags: &["--update", "--status", "--sync"],
    options: &[
        "--config",
        "--search",
        "--local-repo",
        "--db",
        "--min-confidence",
        "--confidence",
    ],
    run: ask_federation,
};

/// The most edges that go into a table of another program.
const MOST_EDGES: &str = "100000";

fn ask_federation(given: Arguments) -> Answer {
    let action = given.words.first().map(String::as_str);
    let config = || given.renamed(&[("--config", "--config")]);
    let call = |action: &str| OwnCall::new(&["federation", action]);
    let own = match (action, given.option("--search")) {
        (None, Some(symbol)) => call("search").operand(symbol),
        (Some("search"), _) => call("search").operand(given.word(1)?),
        (None, None) if given.has("--update") => call("update").args(config()),
        (Some("update"), _) => call("update").args(config()),
        (Some("generate-virtual-edges"), _) => return generate(&given),
        (Some("query-virtual"), _) => return query(&given),
        (None, None) | (Some("status"), _) if given.has("--status") || action.is_some() => {
            call("status").args(config())
        }
        _ => return Err(given.usage()),
    };
    super::analyses::pass(at_project(own, &given), &given)
}

/// The project, and the database if it is one of this program.
fn at_project(own: OwnCall, given: &Arguments) -> OwnCall {
    let own = match given.option("--local-repo") {
        Some(folder) => own.value("--project", folder),
        None => own,
    };
    let database = given
        .option("--db")
        .filter(|_| foreign_database(given).is_none());
    own.variable("GRAPH_DB_PATH", database)
}

/// The named database, if another program made it.
fn foreign_database(given: &Arguments) -> Option<PathBuf> {
    let path = std::path::absolute(Path::new(given.option("--db")?)).ok()?;
    VirtualEdgeTable::is_foreign(&path).then_some(path)
}

fn edge_options(given: &Arguments) -> Vec<String> {
    given.renamed(&[
        ("--min-confidence", "--confidence"),
        ("--confidence", "--confidence"),
        ("--sync", "--sync"),
    ])
}

fn generate(given: &Arguments) -> Answer {
    let own = OwnCall::new(&["federation", "generate-virtual-edges"])
        .args(given.renamed(&[("--config", "--config")]))
        .args(edge_options(given));
    let own = at_project(own, given);
    let Some(path) = foreign_database(given) else {
        return super::analyses::pass(own, given);
    };
    let mut answer = own.value("--limit", MOST_EDGES).common(given).json()?;
    let edges: Vec<Map<String, Value>> = match answer["edges"].take() {
        Value::Array(all) => all.into_iter().filter_map(into_object).collect(),
        _ => Vec::new(),
    };
    let named = answer["repositories"].as_array().into_iter().flatten();
    let named = named.filter_map(Value::as_str).map(str::to_owned);
    let synced: Vec<String> = named.filter(|_| given.has("--sync")).collect();
    let write = || VirtualEdgeTable::open(&path)?.write(&edges, &synced);
    let counts = write().map_err(|e| Reply::failure(3, e))?;
    let counts = into_object(json!(counts)).unwrap_or_default();
    for (name, count) in counts {
        answer[name] = count;
    }
    answer["edges"] = json!(edges);
    answer["status"] = "ok".into();
    answer["db_path"] = path.display().to_string().into();
    Ok(Reply::json(&answer))
}

fn into_object(value: Value) -> Option<Map<String, Value>> {
    match value {
        Value::Object(fields) => Some(fields),
        _ => None,
    }
}

fn query(given: &Arguments) -> Answer {
    let symbol = given.word(1)?;
    let Some(path) = foreign_database(given) else {
        let own = OwnCall::new(&["federation", "query-virtual"]).operand(symbol);
        let own = own.args(edge_options(given));
        return super::analyses::pass(at_project(own, given), given);
    };
    let least = given
        .option("--min-confidence")
        .or(given.option("--confidence"));
    let least: f64 = least
        .map_or(Ok(0.0), str::parse)
        .map_err(|_| Reply::failure(1, "invalid confidence: not a number"))?;
    let read = || VirtualEdgeTable::open(&path)?.find(symbol, least);
    let rows = read().map_err(|e| Reply::failure(3, e))?;
    if given.is_text() {
        let text = |row: &Value, name: &str| row[name].as_str().unwrap_or_default().to_owned();
        let lines = rows.iter().map(|row| {
            format!(
                "{}:{} -> {}:{}  {}  {}\n",
                text(row, "source_repo"),
                text(row, "source_symbol"),
                text(row, "target_repo"),
                text(row, "target_symbol"),
                text(row, "contract_type"),
                row["confidence"],
            )
        });
        return Ok(Reply::text(lines.collect::<String>()));
    }
    Ok(Reply::json(&Value::Array(rows)))
}
