//! `hotspot`: files that change often and are complex.

use super::call_chain::in_range;
use crate::{Engine, EngineError, IndexInfo, heat};
use analysis::{Hotspot, hotspots};
use ingest::history::{Changes, HistoryError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::time::{SystemTime, UNIX_EPOCH};
use store::GraphStore;

const DAY: i64 = 86_400;
/// Commits that are read at most.
const MOST_COMMITS: usize = 200_000;

/// Files that change often and are complex.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(deny_unknown_fields)]
pub struct HotspotRequest {
    /// Days of history, back from today
    #[cfg_attr(
        feature = "cli",
        arg(long, default_value_t = 30, allow_negative_numbers = true)
    )]
    #[serde(default = "default_days")]
    pub days: i64,
    /// Most files
    #[cfg_attr(
        feature = "cli",
        arg(
            long,
            visible_alias = "top-n",
            default_value_t = 20,
            allow_negative_numbers = true
        )
    )]
    #[serde(default = "default_top")]
    pub top: i64,
    /// Only below this folder, or where this pattern (*, **) matches
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
}

fn default_days() -> i64 {
    30
}

fn default_top() -> i64 {
    20
}

impl Default for HotspotRequest {
    fn default() -> HotspotRequest {
        HotspotRequest {
            days: default_days(),
            top: default_top(),
            path: None,
        }
    }
}

/// The hottest files.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HotspotAnswer {
    /// Of this shape.
    pub schema_version: &'static str,
    /// Days of history that were asked for.
    pub days: i64,
    /// Commits in that time, merges left out.
    pub commits: usize,
    /// Files with a score.
    pub total: usize,
    /// The hottest first.
    pub hotspots: Vec<Hotspot>,
    /// Why there are none, or that the history does not reach back so far.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The state of the index.
    pub index: IndexInfo,
}

pub(crate) fn run(engine: &Engine, request: &HotspotRequest) -> Result<HotspotAnswer, EngineError> {
    let days = in_range("days", request.days, 1, 36_500)?;
    let top = in_range("top", request.top, 1, 10_000)? as usize;
    let path = match &request.path {
        Some(path) if path.contains(['*', '?']) => Some(path.clone()),
        Some(path) => Some(engine.project().relative(path)?),
        None => None,
    };
    let filter = search::Filter {
        kinds: Vec::new(),
        path,
    };
    let open = engine.for_question()?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let since = now.map_or(0, |d| d.as_secs() as i64) - i64::from(days) * DAY;
    let mut answer = HotspotAnswer {
        schema_version: "1.0",
        days: request.days,
        commits: 0,
        total: 0,
        hotspots: Vec::new(),
        warnings: Vec::new(),
        index: IndexInfo::default(),
    };
    match heat::since(engine, since, MOST_COMMITS) {
        Ok(history) => {
            answer.commits = history.commits.iter().filter(|c| c.time >= since).count();
            let changes = history.changes(since);
            let files = open.store.files()?;
            let measured = files.values().filter(|f| filter.allows_path(&f.path));
            let measures: Vec<_> = measured
                .filter_map(|f| {
                    let changed: &Changes = changes.get(f.path.as_str())?;
                    Some(heat::measure(f, changed.commits, changed.weight))
                })
                .collect();
            answer.hotspots = hotspots(&measures);
            answer.warnings.extend(why_none(&answer, history.newest()));
        }
        Err(error @ (HistoryError::NoRepository(_) | HistoryError::Empty(_))) => {
            answer
                .warnings
                .push(format!("{error}: no history to rank by"));
        }
        Err(error) => return Err(EngineError::failure(error.to_string())),
    }
    answer.total = answer.hotspots.len();
    answer.hotspots.truncate(top);
    for h in &mut answer.hotspots {
        h.score = (h.score * 1000.0).round() / 1000.0;
        h.frequency = (h.frequency * 100.0).round() / 100.0;
    }
    answer.index = engine.done(open);
    Ok(answer)
}

fn why_none(answer: &HotspotAnswer, newest: i64) -> Option<String> {
    let days = answer.days;
    match (answer.commits, answer.hotspots.is_empty()) {
        (0, _) => Some(format!(
            "no commit in the last {days} days; the newest is {} days old (--days)",
            days_since(newest)
        )),
        (_, true) => Some(format!(
            "no file with functions was changed in the last {days} days"
        )),
        _ => None,
    }
}

fn days_since(time: i64) -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    (now.map_or(0, |d| d.as_secs() as i64) - time).max(0) / DAY
}
