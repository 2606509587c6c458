//! `hotspot`: files that change often and are complex.

use super::arguments::in_range;
use super::boundary::FileRoleRules;
use crate::operation::{Access, Tool, operation};
use crate::ops::clock;
use crate::project::Project;
use crate::session::Session;
use crate::workspace::Workspace;
use crate::{EngineError, IndexInfo, heat, unread};
use analysis::{CoupledFile, Hotspot, HotspotFormula, HotspotWeights, hotspots_by};
use ingest::history::{Changes, History, HistoryError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Instant;
use store::FileRecord;

const DAY: i64 = 86_400;
/// The most commits that are read.
const MOST_COMMITS: usize = 200_000;

/// The formula of the score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum HotspotRanker {
    /// The square root of churn × complexity
    #[default]
    Product,
    /// 0.4 churn + 0.3 complexity + 0.2 coupling + 0.1 age
    Design,
}

/// Files that change often and are complex.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(deny_unknown_fields)]
pub struct HotspotRequest {
    /// How many days of history to count
    #[cfg_attr(
        feature = "cli",
        arg(long, default_value_t = 30, allow_negative_numbers = true)
    )]
    #[serde(default = "default_days")]
    pub days: i64,
    /// Maximum number of files
    #[schemars(description = "")]
    #[cfg_attr(
        feature = "cli",
        arg(
            long = "limit",
            short = 'n',
            aliases = ["top", "top-n"],
            default_value_t = 20,
            allow_negative_numbers = true
        )
    )]
    #[serde(
        default = "default_top",
        rename = "limit",
        alias = "top",
        alias = "top_n"
    )]
    pub top: i64,
    /// Only files in this folder, or that match this glob (*, **)
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Add the files that change together with each
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default)]
    pub coupling: bool,
    /// The scoring formula; `design` equals --weighted
    #[cfg_attr(feature = "cli", arg(long, value_enum, default_value_t))]
    #[serde(default)]
    #[schemars(skip)]
    pub ranker: HotspotRanker,
    /// Score by churn, complexity, coupling and age, instead of churn × complexity
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default)]
    #[schemars(skip)]
    pub weighted: bool,
    /// Weights of churn, complexity, coupling and age for --weighted, e.g. 0.4,0.3,0.2,0.1
    #[cfg_attr(
        feature = "cli",
        arg(long, value_delimiter = ',', env = "HOTSPOT_WEIGHTS")
    )]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(skip)]
    pub weights: Vec<f64>,
    /// Scale all measures to 0-1, so that the highest is 1
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default)]
    #[schemars(skip)]
    pub normalized: bool,
    /// Weight recent changes up to twice
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default)]
    #[schemars(skip)]
    pub recency_boost: bool,
    /// Rank tests, examples, generated and vendored files together with the rest
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default)]
    #[schemars(skip)]
    pub all: bool,
}

/// The most files that are named as changing together with one.
const COUPLED: usize = 3;
/// The least common commits of two files that count as coupling.
const TOGETHER: usize = 2;

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
            coupling: false,
            ranker: HotspotRanker::default(),
            weighted: false,
            weights: Vec::new(),
            normalized: false,
            recency_boost: false,
            all: false,
        }
    }
}

impl HotspotRequest {
    fn is_weighted(&self) -> bool {
        self.weighted || self.ranker == HotspotRanker::Design
    }

    /// The formula of the score, in the words of the answer's fields.
    fn formula_in_words(&self) -> String {
        let weights = match self.weights[..] {
            [a, b, c, d] => [a, b, c, d],
            _ => {
                let w = HotspotWeights::default();
                [w.churn, w.complexity, w.coupling, w.age]
            }
        };
        let [a, b, c, d] = weights;
        let sum = format!("{a}*churn_norm + {b}*complexity_norm + {c}*coupling + {d}*age");
        let share = "as a share of the highest";
        match (self.is_weighted(), self.normalized || self.recency_boost) {
            (true, false) => format!("score = {sum}"),
            (true, true) => format!("score = ({sum}) * recency_factor, {share}"),
            (false, false) => format!("score = sqrt(frequency * complexity), {share}"),
            (false, true) => {
                format!("score = sqrt(churn_norm * complexity_norm) * recency_factor, {share}")
            }
        }
    }

    fn formula(&self) -> Result<HotspotFormula, EngineError> {
        let weights = match self.weights[..] {
            [] => HotspotWeights::default(),
            [churn, complexity, coupling, age]
                if self.weights.iter().all(|w| (0.0..=1.0).contains(w)) =>
            {
                HotspotWeights {
                    churn,
                    complexity,
                    coupling,
                    age,
                }
            }
            _ => {
                return Err(EngineError::bad_arguments(
                    "invalid weights. Must be four numbers between 0 and 1",
                )
                .with_hint("churn, complexity, coupling, age: --weights 0.4,0.3,0.2,0.1"));
            }
        };
        Ok(HotspotFormula {
            weights: self.is_weighted().then_some(weights),
            boost: self.recency_boost,
            normalized: self.normalized,
        })
    }
}

/// The hottest files.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HotspotAnswer {
    /// The version of this shape.
    pub schema_version: &'static str,
    /// The formula of the score.
    pub formula: String,
    /// The requested days of history.
    pub days: i64,
    /// The number of commits in that time, without merges.
    pub commits: usize,
    /// The number of files with a score.
    pub total: usize,
    /// The files, hottest first; files that are no handwritten source come last.
    pub hotspots: Vec<Hotspot>,
    /// The reason why there are none, or a note that the history is too short.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The duration, milliseconds.
    pub duration_ms: u64,
    /// The state of the index.
    pub index: IndexInfo,
}

operation! {
    /// Files that change often.
    HotspotOperation {
        name: "hotspot",
        request: HotspotRequest => HotspotAnswer,
        access: |_| Access::Read,
        tool: Some(Tool {
            title: "Hotspots",
            about: "List files that change often and are complex",
            pages: true,
            core: false,
            writes: false,
        }),
        answer: rank_hotspots,
    }
}

pub(crate) fn rank_hotspots(
    workspace: &Workspace,
    request: &HotspotRequest,
) -> Result<HotspotAnswer, EngineError> {
    let started = Instant::now();
    let formula = request.formula()?;
    let days = in_range("days", request.days, 1, 36_500)?;
    let top = in_range("limit", request.top, 1, 10_000)? as usize;
    let path = workspace
        .project()
        .filter_argument(request.path.as_deref())?;
    let filter = search::Filter {
        kinds: Vec::new(),
        path,
    };
    let rank = |session: &Session<'_>| ranked(session, request, &formula, &filter, (days, top));
    let (answer, index) = workspace.ask(rank)?;
    let duration_ms = started.elapsed().as_millis() as u64;
    Ok(HotspotAnswer {
        duration_ms,
        index,
        ..answer
    })
}

/// The answer besides the state of the index.
fn ranked(
    session: &Session<'_>,
    request: &HotspotRequest,
    formula: &HotspotFormula,
    filter: &search::Filter,
    (days, top): (u32, usize),
) -> Result<HotspotAnswer, EngineError> {
    unread::note_gaps(session)?;
    let now = clock::seconds(session.now()) as i64;
    let since = now - i64::from(days) * DAY;
    let mut answer = HotspotAnswer {
        schema_version: "1.0",
        formula: request.formula_in_words(),
        days: request.days,
        commits: 0,
        total: 0,
        hotspots: Vec::new(),
        warnings: Vec::new(),
        duration_ms: 0,
        index: IndexInfo::default(),
    };
    match heat::history_since(session.workspace(), since, MOST_COMMITS) {
        Ok(history) => {
            let files = session.store().indexed_files()?;
            let rules = FileRoleRules::for_project(session.workspace(), files.len());
            let files = files.values().filter(|f| filter.allows_path(&f.path));
            rank_files(
                &mut answer,
                &history,
                files.collect(),
                request,
                formula,
                &RankingWindow {
                    file_roles: &rules,
                    since,
                    now,
                },
            );
            answer.warnings.extend(empty_result_note(
                &answer,
                history.newest_commit_time(),
                now,
            ));
            answer
                .warnings
                .extend(history_gap_note(session.project(), &history, since));
            answer.warnings.extend(history.unread_warning());
            answer.hotspots.truncate(top);
            if request.coupling {
                add_coupled_files(&history, &mut answer.hotspots);
            }
        }
        Err(
            error @ (HistoryError::NoRepository(_)
            | HistoryError::Elsewhere(_)
            | HistoryError::Empty(_)),
        ) => {
            answer
                .warnings
                .push(format!("{error}: no history to rank by"));
        }
        Err(error) => return Err(EngineError::runtime_failure(error.to_string())),
    }
    answer.hotspots.iter_mut().for_each(round_scores);
    Ok(answer)
}

/// The part of the history that counts, and the roles of files.
struct RankingWindow<'r> {
    file_roles: &'r FileRoleRules,
    /// The oldest time that counts, in seconds since 1970.
    since: i64,
    /// The time of the question, in seconds since 1970.
    now: i64,
}

fn rank_files(
    answer: &mut HotspotAnswer,
    history: &History,
    files: Vec<&FileRecord>,
    request: &HotspotRequest,
    formula: &HotspotFormula,
    window: &RankingWindow<'_>,
) {
    answer.commits = history
        .commits
        .iter()
        .filter(|c| c.time >= window.since)
        .count();
    let changes = history.changes_by_file(window.since);
    let bound = if request.is_weighted() {
        history.strongest_coupling_by_file(window.since, TOGETHER)
    } else {
        Default::default()
    };
    let kinds: BTreeMap<&str, &'static str> = files
        .iter()
        .map(|f| (f.path.as_str(), window.file_roles.of_record(f)))
        .collect();
    let measures = files.into_iter().filter_map(|f| {
        let changed: &Changes = changes.get(f.path.as_str())?;
        let mut measure = heat::to_file_measure(f, changed.commits, changed.weight);
        measure.coupling = bound.get(f.path.as_str()).copied().unwrap_or(0.0);
        measure.days = days_since(changed.last, window.now) as f64;
        Some(measure)
    });
    answer.hotspots = hotspots_by(&measures.collect::<Vec<_>>(), formula);
    for hotspot in &mut answer.hotspots {
        let kind = kinds.get(hotspot.file_path.as_str());
        hotspot.role = kind.copied().filter(|kind| *kind != "user");
    }
    if !request.all {
        answer.hotspots.sort_by_key(|h| h.role.is_some());
    }
    answer.total = answer.hotspots.len();
}

fn round_scores(h: &mut Hotspot) {
    let thousandth = |value: f64| (value * 1000.0).round() / 1000.0;
    h.score = thousandth(h.score);
    h.frequency = (h.frequency * 100.0).round() / 100.0;
    if let Some(parts) = &mut h.parts {
        for part in [
            &mut parts.churn_norm,
            &mut parts.complexity_norm,
            &mut parts.coupling,
            &mut parts.age,
            &mut parts.recency_factor,
        ] {
            *part = thousandth(*part);
        }
    }
}

fn add_coupled_files(history: &History, hotspots: &mut [Hotspot]) {
    let paths: Vec<&str> = hotspots.iter().map(|h| h.file_path.as_str()).collect();
    let coupled = history.files_coupled_with_each(&paths, TOGETHER);
    for (hotspot, coupled) in hotspots.iter_mut().zip(coupled) {
        let coupled = coupled.into_iter().take(COUPLED);
        hotspot.coupled = coupled
            .map(|(path, share)| CoupledFile {
                file_path: path.to_owned(),
                share: (share * 1000.0).round() / 1000.0,
            })
            .collect();
    }
}

/// A note on a history that is shorter than requested.
fn history_gap_note(project: &Project, history: &History, since: i64) -> Option<String> {
    let count = history.commits.len();
    let oldest = history.commits.last().map_or(i64::MAX, |c| c.time);
    if ingest::git::is_shallow(&project.root) && oldest > since {
        let many = if count == 1 { "commit" } else { "commits" };
        return Some(format!(
            "this is a shallow clone with {count} usable {many}; `git fetch --unshallow` fetches the others"
        ));
    }
    if history.commits.len() == 1 && history.complete {
        return Some(
            "the history has only one commit, so change counts are not known yet".to_owned(),
        );
    }
    // For a history that was cut, `gap` is the note.
    (!history.complete && !history.cut && oldest > since)
        .then(|| format!("only the newest {count} commits were read"))
}

fn empty_result_note(answer: &HotspotAnswer, newest: i64, now: i64) -> Option<String> {
    let days = answer.days;
    match (answer.commits, answer.hotspots.is_empty()) {
        // Nothing could be compared: the note on the history gives the reason.
        (0, _) if newest <= 0 => None,
        (0, _) => Some(format!(
            "no commit in the last {days} days; the newest is {} days old (--days)",
            days_since(newest, now)
        )),
        (_, true) => Some(format!(
            "no file with functions was changed in the last {days} days"
        )),
        _ => None,
    }
}

fn days_since(time: i64, now: i64) -> i64 {
    (now - time).max(0) / DAY
}
