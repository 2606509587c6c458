//! The wrapper of the caches: texts by file and query on two levels, and subgraphs by key.

use super::arguments::Arguments;
use super::{Answer, Reply, Script};
use crate::environment;
use engine::{CacheOutcome, EngineError, FileCache, SubgraphCache, WrapperState};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

pub(super) const CACHE_MANAGER: Script = Script {
    name: "cache-manager",
    usage: "  --get FILE --query QUERY [--debug]
  --set FILE --query QUERY --value TEXT
  --clear-l1 | --stats
  cache-set KEY TEXT | cache-get KEY | cache-delete KEY | cache-clear | stats [--format json|text]",
    flags: &["--clear-l1", "--stats"],
    options: &["--get", "--set", "--query", "--value", "--delete"],
    run: manage_cache,
};

/// The most entries of subgraphs.
const MOST_SUBGRAPHS: u64 = 100;
/// The most megabytes of the file cache.
const MOST_MEGABYTES: u64 = 50;

fn number(variable: &str, default: u64) -> u64 {
    let given = environment::shim_text(variable).and_then(|text| text.trim().parse().ok());
    given.unwrap_or(default)
}

fn files(given: &Arguments) -> Result<FileCache, EngineError> {
    let named = environment::shim_place("CACHE_DIR")?;
    let folder = WrapperState::folder(&given.settings()?, named, "cache/files")?;
    Ok(FileCache::new(
        folder.path,
        number("CACHE_MAX_SIZE_MB", MOST_MEGABYTES),
        eviction_log()?,
    ))
}

fn eviction_log() -> Result<Option<PathBuf>, EngineError> {
    environment::shim_place("CACHE_EVICTION_LOG")
}

fn subgraphs(given: &Arguments) -> Result<SubgraphCache, Reply> {
    let place = || {
        let named = environment::shim_place("SUBGRAPH_CACHE_DB")?;
        WrapperState::file(&given.settings()?, named, "subgraph-cache.db")
    };
    let place = place().map_err(|e| failed(&e))?;
    let most = number("CACHE_MAX_SIZE", MOST_SUBGRAPHS);
    SubgraphCache::open(&place.path, most, place.is_named).map_err(|e| Reply::failure(3, e))
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    // Entries written within the same second must keep their order.
    since.map(|s| s.as_millis() as u64).unwrap_or_default()
}

fn failed(error: &EngineError) -> Reply {
    Reply::failure(error.kind.exit_code(), error)
}

fn manage_cache(given: Arguments) -> Answer {
    let query = given.option("--query").unwrap_or_default();
    if let Some(file) = given.option("--get") {
        return read_entry(&given, Path::new(file), query);
    }
    if let Some(file) = given.option("--set") {
        let value = given.option("--value").ok_or_else(|| given.usage())?;
        let done = files(&given).and_then(|files| files.set(Path::new(file), query, value));
        return done.map(|()| Reply::default()).map_err(|e| failed(&e));
    }
    if given.has("--clear-l1") {
        let done = files(&given).and_then(|files| files.clear_first());
        return done
            .map(|()| Reply::text("L1 cache cleared\n"))
            .map_err(|e| failed(&e));
    }
    if given.has("--stats") {
        let files = files(&given).map_err(|e| failed(&e))?;
        return Ok(Reply::json(&json!(files.stats())));
    }
    let fail = |error: &dyn std::fmt::Display| Reply::failure(3, error);
    match given.word(0)? {
        "cache-set" => {
            let (key, value) = (given.word(1)?, given.word(2)?);
            let gone = subgraphs(&given)?
                .set(key, value, now())
                .map_err(|e| fail(&e))?;
            log_evictions(&gone).map_err(|e| failed(&e))?;
            Ok(Reply::default())
        }
        "cache-get" => {
            let found = subgraphs(&given)?.get(given.word(1)?, now());
            match found.map_err(|e| fail(&e))? {
                Some(value) => Ok(Reply::text(format!("{value}\n"))),
                None => Ok(Reply {
                    code: 1,
                    ..Reply::default()
                }),
            }
        }
        "cache-delete" => {
            let key = given.word(1)?;
            subgraphs(&given)?.remove(Some(key)).map_err(|e| fail(&e))?;
            Ok(Reply::default())
        }
        "cache-clear" => {
            subgraphs(&given)?.remove(None).map_err(|e| fail(&e))?;
            Ok(Reply::default())
        }
        "stats" => {
            let stats = subgraphs(&given)?.stats().map_err(|e| fail(&e))?;
            Ok(Reply::json(&json!(stats)))
        }
        _ => Err(given.usage()),
    }
}

fn read_entry(given: &Arguments, file: &Path, query: &str) -> Answer {
    let outcome = files(given).and_then(|files| files.get(file, query));
    let outcome = outcome.map_err(|e| failed(&e))?;
    let (out, note) = match outcome {
        CacheOutcome::Hit(1, text) => (format!("{text}\n"), "L1 cache hit".to_owned()),
        CacheOutcome::Hit(level, text) => (
            format!("{text}\n"),
            format!("L{level} cache hit, validated by mtime and blob hash"),
        ),
        CacheOutcome::Miss(why) => (
            String::new(),
            format!("cache miss: {why} (compared by mtime and blob hash)"),
        ),
        CacheOutcome::Skipped(why) => (
            String::new(),
            format!("cache skipped: {why} (its mtime is less than a second ago)"),
        ),
    };
    Ok(Reply {
        out,
        err: if given.has("--debug") {
            format!("[DEBUG] {note}\n")
        } else {
            String::new()
        },
        code: 0,
    })
}

fn log_evictions(keys: &[String]) -> Result<(), EngineError> {
    if let Some(log) = eviction_log()?.filter(|_| !keys.is_empty()) {
        let lines: String = keys.iter().map(|key| format!("evicted {key}\n")).collect();
        engine::append_to_log(&log, &lines);
    }
    Ok(())
}
