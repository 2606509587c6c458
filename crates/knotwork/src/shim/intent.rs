//! The wrapper of the intent history and the conversation.

use super::arguments::Arguments;
use super::own::OwnCall;
use super::{Answer, Reply, Script};
use crate::environment;
use engine::{ConversationFile, EngineError, WrapperState};
use serde_json::{Value, json};
use std::time::{SystemTime, UNIX_EPOCH};

pub(super) const INTENT_LEARNER: Script = Script {
    name: "intent-learner",
    usage: "  record SYMBOL SYMBOL_ID [--action view|edit|ignore]
  get-preferences [--top N] [--prefix PREFIX]
  cleanup [--days N]
  context save --query QUERY --symbols A,B | context load | context apply-weight --results JSON
  session new | session list | session clear",
    flags: &[],
    options: &[
        "--action",
        "--top",
        "--prefix",
        "--days",
        "--query",
        "--symbols",
        "--results",
    ],
    run: access_intent_history,
};

/// The most bytes of memory that results may take once they are decoded.
const MOST_DECODED: usize = 128 << 20;

fn access_intent_history(given: Arguments) -> Answer {
    match given.word(0)? {
        "record" => record(&given),
        "get-preferences" | "query" => preferences(&given),
        "cleanup" => {
            let own = OwnCall::new(&["intent", "cleanup"]).common(&given);
            let own = own.args(given.renamed(&[("--days", "--days")]));
            Ok(Reply::json(&own.json()?))
        }
        "context" => context(&given),
        "session" => session(&given),
        _ => Err(given.usage()),
    }
}

fn record(given: &Arguments) -> Answer {
    let (symbol, id) = (given.word(1)?, given.word(2)?);
    let action = given.option("--action").unwrap_or("view");
    if !["view", "edit", "ignore"].contains(&action) {
        let message = format!("invalid action: {action}. Must be view, edit or ignore");
        return Err(Reply::failure(1, message));
    }
    let own = OwnCall::new(&["intent", "record", "--user-action", action]);
    let own = own.value("--query", symbol).value("--symbols", id);
    Ok(Reply::json(&own.common(given).json()?))
}

fn preferences(given: &Arguments) -> Answer {
    let own = OwnCall::new(&["intent", "query"]).common(given);
    let own = own.args(given.renamed(&[("--top", "--limit"), ("--prefix", "--prefix")]));
    let answer = own.json()?;
    if answer["notes"].to_string().contains("is damaged") {
        // Cleanup keeps a damaged file as `.bak` and starts a new one.
        OwnCall::new(&["intent", "cleanup"]).common(given).json()?;
    }
    let empty = Vec::new();
    let all = answer["preferences"].as_array().unwrap_or(&empty);
    let named = all.iter().map(|preference| {
        let id = preference["symbol"].as_str().unwrap_or_default();
        let name = preference["name"].as_str();
        let last = id.rsplit(['#', ':', '/']).next().unwrap_or(id);
        json!({
            "symbol": name.unwrap_or(last), "symbol_id": id, "score": preference["score"],
        })
    });
    Ok(Reply::json(&Value::Array(named.collect())))
}

fn failed(error: &EngineError) -> Reply {
    Reply::failure(error.kind.exit_code(), error)
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map(|s| s.as_secs()).unwrap_or_default()
}

fn file(given: &Arguments) -> Result<ConversationFile, Reply> {
    let open = || {
        let named = environment::shim_place("CONVERSATION_CONTEXT_PATH")?;
        let settings = given.settings()?;
        let place = WrapperState::file(&settings, named, "conversation-context.json")?;
        let is_users = place.is_named && !place.lies_in_project(&settings);
        Ok(if is_users {
            ConversationFile::of_user(place.path)
        } else {
            ConversationFile::new(place.path)
        })
    };
    open().map_err(|e: EngineError| failed(&e))
}

fn context(given: &Arguments) -> Answer {
    match given.word(1)? {
        "save" => {
            let query = given.option("--query").ok_or_else(|| given.usage())?;
            let symbols = given.option("--symbols").unwrap_or_default().split(',');
            let symbols: Vec<String> = symbols
                .map(|symbol| symbol.trim().to_owned())
                .filter(|symbol| !symbol.is_empty())
                .collect();
            let all = file(given)?
                .save(query, &symbols, now())
                .map_err(|e| failed(&e))?;
            Ok(Reply::json(&json!(all)))
        }
        "load" => Ok(Reply::json(&json!(file(given)?.load()))),
        "apply-weight" => {
            let text = given.option("--results").ok_or_else(|| given.usage())?;
            let size = base::json::decoded_size(text.as_bytes());
            if size > MOST_DECODED {
                return Err(Reply::failure(1, "invalid results: too many values"));
            }
            let results: Value = serde_json::from_str(text)
                .map_err(|e| Reply::failure(1, format!("invalid results: {e}")))?;
            let Value::Array(results) = results else {
                return Err(Reply::failure(1, "invalid results: not a list"));
            };
            Ok(Reply::json(&Value::Array(
                file(given)?.load().apply_weight(results),
            )))
        }
        _ => Err(given.usage()),
    }
}

fn session(given: &Arguments) -> Answer {
    match given.word(1)? {
        "new" => {
            let all = file(given)?.begin(now()).map_err(|e| failed(&e))?;
            Ok(Reply::json(&json!({"session_id": all.session_id})))
        }
        "list" => {
            let all = file(given)?.load();
            let known = !all.session_id.is_empty();
            let one = json!({"session_id": all.session_id, "turns": all.context_window.len()});
            let sessions: Vec<Value> = known.then_some(one).into_iter().collect();
            Ok(Reply::json(&json!({"sessions": sessions})))
        }
        "clear" => {
            file(given)?.clear().map_err(|e| failed(&e))?;
            Ok(Reply::json(&json!({"success": true})))
        }
        _ => Err(given.usage()),
    }
}
