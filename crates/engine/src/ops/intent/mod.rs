//! Intent history: which symbols and files were opened and edited after a question, kept on this machine alone.
//!
//! A preference is frequency × 1/(1 + days since the last time) × the mean weight of the actions. Entries older than 90 days are
//! forgotten.

pub(crate) mod conversation;
mod history;
mod preference;
mod recent;

use crate::workspace::Workspace;
pub use preference::{Preference, Preferences};

use crate::EngineError;
use crate::operation::{Access, Tool, operation};
use crate::ops::clock::now_seconds;
use history::{Entry, History};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The age in days beyond which entries are dropped.
pub(crate) const DAYS: u32 = 90;

/// The most characters of a query that are kept.
const LONGEST_QUERY: usize = 200;

/// The most characters of a symbol that are kept.
const LONGEST_SYMBOL: usize = 300;

/// The most symbols of one entry.
const MOST_SYMBOLS: usize = 50;

/// The message where the setting is off.
const DISABLED: &str = "Intent history is disabled (intent.enabled)";

/// What was done with what a question found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum UserAction {
    /// The symbol was opened
    #[default]
    View,
    /// The symbol was edited
    Edit,
    /// The symbol was ignored
    Ignore,
}

/// What to do with the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
#[schemars(inline, description = "")]
pub enum IntentAction {
    /// Record what was done with symbols that a search found
    Record,
    /// List the preferred symbols
    #[cfg_attr(feature = "cli", value(alias = "get-preferences"))]
    #[serde(alias = "get-preferences")]
    Query,
    /// Remove records older than 90 days
    Cleanup,
}

/// Record or query which symbols are worked with.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(deny_unknown_fields)]
pub struct IntentRequest {
    /// The action
    #[schemars(description = "")]
    #[cfg_attr(feature = "cli", arg(value_enum))]
    pub action: IntentAction,
    /// The search query (record)
    #[cfg_attr(feature = "cli", arg(long, short))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// The symbols or files that were found (record)
    #[schemars(description = "What was found (record)")]
    #[cfg_attr(feature = "cli", arg(long, short, value_delimiter = ','))]
    #[serde(default)]
    pub symbols: Vec<String>,
    /// What was done with them (record)
    #[schemars(description = "(record)")]
    #[cfg_attr(feature = "cli", arg(long, value_enum, default_value_t))]
    #[serde(default)]
    pub user_action: UserAction,
    /// Maximum number (query)
    #[schemars(description = "")]
    #[cfg_attr(
        feature = "cli",
        arg(long = "limit", short = 'n', alias = "top", default_value_t = 10)
    )]
    #[serde(
        default = "default_top",
        rename = "limit",
        alias = "top",
        alias = "top_n"
    )]
    pub top: usize,
    /// Only names with this prefix (query)
    #[schemars(description = "(query)")]
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prefix: Option<String>,
    /// Remove records older than this many days (cleanup)
    #[cfg_attr(feature = "cli", arg(long, default_value_t = DAYS))]
    #[serde(default = "default_days")]
    #[schemars(skip)]
    pub days: u32,
}

fn default_days() -> u32 {
    DAYS
}

fn default_top() -> usize {
    10
}

operation! {
    /// The symbols that the user works with.
    IntentOperation {
        name: "intent",
        request: IntentRequest => IntentAnswer,
        access: |request| match request.action {
            IntentAction::Query => Access::Read,
            IntentAction::Record | IntentAction::Cleanup => Access::Write,
        },
        tool: Some(Tool {
            title: "Intent",
            about: "Record or query which symbols were opened or edited",
            pages: false,
            core: false,
            writes: true,
        }),
        answer: answer_intent,
    }
}

/// The outcome.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct IntentAnswer {
    /// Whether it was done. It is not if the history is off.
    pub success: bool,
    /// The preferred symbols, best first (query).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preferences: Option<Vec<Preference>>,
    /// Entries forgotten (cleanup).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cleaned_count: Option<usize>,
    /// Further notes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// Records, queries or cleans the intent history.
pub(crate) fn answer_intent(
    workspace: &Workspace,
    request: &IntentRequest,
) -> Result<IntentAnswer, EngineError> {
    let mut answer = IntentAnswer {
        success: true,
        preferences: None,
        cleaned_count: None,
        notes: Vec::new(),
    };
    let entry = match request.action {
        IntentAction::Record => Some(entry_from_request(request)?),
        _ => None,
    };
    if !workspace.config().features().intent {
        answer.success = false;
        answer.notes.push(DISABLED.to_owned());
        return Ok(answer);
    }
    let history = history(workspace);
    match (request.action, entry) {
        (IntentAction::Query, _) => {
            let top = crate::ops::arguments::in_range("limit", request.top as i64, 1, 1000)?;
            let (entries, notes) = history.read();
            let preferences = Preferences::from_entries(&entries, now_seconds());
            let prefix = request.prefix.as_deref().unwrap_or_default();
            answer.preferences = Some(preferences.top(top as usize, prefix));
            answer.notes = notes;
        }
        (_, entry) => {
            workspace.project().prepare_state()?;
            let days = match request.action {
                IntentAction::Cleanup => {
                    crate::ops::arguments::in_range("days", i64::from(request.days), 0, DAYS)?
                }
                _ => DAYS,
            };
            let changed = history.update(now_seconds(), entry, days)?;
            answer.notes = changed.notes;
            if request.action == IntentAction::Cleanup {
                answer.cleaned_count = Some(changed.forgotten);
            }
        }
    }
    Ok(answer)
}

/// Preferences for ranking: a number from 0 to 1 for a symbol or file, 0 for unknown ones. Empty where the history is off or
/// missing; see [`Preferences::preference_of`] for the scale.
pub(crate) fn preferences(workspace: &Workspace) -> Preferences {
    let path = intent_path(workspace);
    if !workspace.config().features().intent || !path.exists() {
        return Preferences::default();
    }
    Preferences::from_entries(&history(workspace).read_for_ranking(), now_seconds())
}

/// Records what a search showed, so that opening or editing it later tells what was meant. Never fails: a search must not fail
/// because of ranking.
pub(crate) fn record_search_results(
    workspace: &Workspace,
    query: &str,
    results: &[crate::SearchResult],
) {
    if workspace.config().features().intent
        && !results.is_empty()
        && workspace.project().state_dir.is_dir()
    {
        recent::append_search(
            &recent_path(workspace),
            now_seconds(),
            &sanitize_query(query),
            results,
        );
    }
}

/// Records that a file was opened or edited; `lines` are the lines concerned, where known. An opened file counts only where a
/// search showed it a short time ago; an edited one always. Returns whether it was recorded. Never fails.
pub(crate) fn record_file_action(
    workspace: &Workspace,
    path: &str,
    lines: Option<(u32, u32)>,
    action: UserAction,
) -> bool {
    let Ok(path) = workspace.project().relative_path(path) else {
        return false;
    };
    let shown = entry_for_shown_result(workspace, action, |shown| {
        shown.shown_names_in_file(&path, lines)
    });
    let edited = || Entry {
        query: String::new(),
        symbols: vec![path.clone()],
        user_action: action,
        at: now_seconds(),
        name: None,
    };
    let entry = shown.or_else(|| (action == UserAction::Edit).then(edited));
    entry.is_some_and(|entry| append_entry(workspace, entry))
}

/// Records that a symbol was asked for. It counts only where a search showed it a short time ago. Never fails.
pub(crate) fn record_symbol_use(workspace: &Workspace, symbol: &str) -> bool {
    let shown = entry_for_shown_result(workspace, UserAction::View, |shown| {
        shown.shown_names_of_symbol(symbol)
    });
    shown.is_some_and(|entry| append_entry(workspace, entry))
}

fn entry_for_shown_result(
    workspace: &Workspace,
    action: UserAction,
    choose: impl Fn(&recent::RecordedSearch) -> Vec<String>,
) -> Option<Entry> {
    if !workspace.config().features().intent {
        return None;
    }
    // The latest search that showed it is taken as the one that led there.
    let all = recent::read_recent_searches(&recent_path(workspace), now_seconds());
    all.iter().rev().find_map(|shown| {
        let symbols = choose(shown);
        (!symbols.is_empty()).then(|| Entry {
            query: shown.query.clone(),
            symbols,
            user_action: action,
            at: now_seconds(),
            name: None,
        })
    })
}

fn append_entry(workspace: &Workspace, entry: Entry) -> bool {
    workspace.config().features().intent
        && workspace.project().state_dir.is_dir()
        && history(workspace).append(now_seconds(), entry).is_ok()
}

fn intent_path(workspace: &Workspace) -> PathBuf {
    match &workspace.settings().intent_path {
        Some(path) => path.clone(),
        None => workspace.project().state_dir.join("intent-history.json"),
    }
}

fn history(workspace: &Workspace) -> History {
    match &workspace.settings().intent_path {
        Some(path) => History::from_user_path(guard::state::resolve_existing_part(path)),
        None => History::from_default_path(intent_path(workspace)),
    }
}

fn recent_path(workspace: &Workspace) -> PathBuf {
    workspace
        .project()
        .state_dir
        .join("cache/recent-searches.json")
}

/// The entry that a request means.
fn entry_from_request(request: &IntentRequest) -> Result<Entry, EngineError> {
    let query = request.query.as_deref().map(str::trim).unwrap_or_default();
    let symbols = request.symbols.iter();
    let symbols = symbols.map(|s| base::secret::redact_secrets(s.trim()).0.into_owned());
    let mut symbols: Vec<String> = symbols.filter(|s| !s.is_empty()).collect();
    if query.is_empty() || symbols.is_empty() {
        return Err(
            EngineError::bad_arguments("record needs a query and symbols")
                .with_hint("knotwork intent record --query Q --symbols A,B [--user-action edit]"),
        );
    }
    let unfit = |s: &String| s.chars().count() > LONGEST_SYMBOL || s.contains(char::is_control);
    if symbols.len() > MOST_SYMBOLS || symbols.iter().any(unfit) {
        return Err(EngineError::bad_arguments(format!(
            "at most {MOST_SYMBOLS} symbols of at most {LONGEST_SYMBOL} characters each"
        )));
    }
    symbols.sort_unstable();
    symbols.dedup();
    Ok(Entry {
        query: sanitize_query(query),
        name: named_only_symbol(query, &symbols),
        symbols,
        user_action: request.user_action,
        at: now_seconds(),
    })
}

/// The query, where it is the name of the only symbol: `run` for `a.ts::run`.
fn named_only_symbol(query: &str, symbols: &[String]) -> Option<String> {
    let [only] = symbols else {
        return None;
    };
    (only != query && only.ends_with(query)).then(|| query.to_owned())
}

/// A query as it is stored: on one line, cut, with likely secrets masked.
fn sanitize_query(query: &str) -> String {
    let line = query.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = base::secret::redact_secrets(&line).0;
    line.chars().take(LONGEST_QUERY).collect()
}
