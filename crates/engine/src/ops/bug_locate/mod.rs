//! `bug-locate`: likely places of the bug behind an error, a stack trace or a report.

mod evidence;
mod frames;
mod functions;
mod gather;
mod near;
mod origin;
mod packages;
mod past;
mod render;
mod request;

pub use request::{
    BugCandidate, BugImpact, BugLocateAnswer, BugLocateRequest, BugRanker, FrameCount,
};

use super::arguments::in_range;
use crate::operation::{Access, Tool, operation};
use crate::session::Session;
use crate::workspace::Workspace;
use crate::{EngineError, IndexInfo};
use analysis::bug_locate::{self, Ranker, Tuning};
use gather::EvidenceCollector;

/// The most bytes of a report that are read.
const MOST_BYTES: usize = 256 << 10;

operation! {
    /// Likely places of a bug.
    BugLocateOperation {
        name: "bug-locate",
        request: BugLocateRequest => BugLocateAnswer,
        access: |_| Access::Read,
        tool: Some(Tool {
            title: "Locate a bug",
            about: "Find the likely place of a bug from an error, a stack trace or a report",
            pages: true,
            core: false,
            writes: false,
        }),
        answer: locate_bug,
    }
}

pub(crate) fn locate_bug(
    workspace: &Workspace,
    request: &BugLocateRequest,
) -> Result<BugLocateAnswer, EngineError> {
    run_with(workspace, request, &Tuning::default())
}

/// Locates a bug with other parameters than the product's.
pub(crate) fn run_with(
    workspace: &Workspace,
    request: &BugLocateRequest,
    tuning: &Tuning,
) -> Result<BugLocateAnswer, EngineError> {
    let top = in_range("limit", request.top_n, 1, 200)? as usize;
    let depth = in_range("history-depth", request.history_depth, 1, 10_000)? as usize;
    let reach = in_range("impact-depth", request.impact_depth, 1, 10)?;
    let ranker = match request.ranker {
        BugRanker::Design => Ranker::Design,
        BugRanker::Evidence => Ranker::Evidence,
    };
    let text = request.text();
    if text.trim().is_empty() {
        return Err(EngineError::bad_arguments("no error given")
            .with_hint("give the message or the trace: bug-locate TEXT, bug-locate --stacktrace FILE, or bug-locate - for standard input"));
    }
    let text = truncate_text(&text);
    let clues = bug_locate::extract_clues(text);
    let depths = Depths {
        history: depth,
        impact: reach,
    };
    let (answer, index) = workspace.ask(|session| {
        let gathered = EvidenceCollector::new(&session.state, &clues, tuning)?;
        locate(session, request, gathered, (ranker, top), depths)
    })?;
    Ok(BugLocateAnswer { index, ..answer })
}

/// The depths of the search.
#[derive(Clone, Copy)]
struct Depths {
    /// The number of commits.
    history: usize,
    /// The number of hops from a candidate.
    impact: u32,
}

/// The answer besides the state of the index.
fn locate(
    session: &Session<'_>,
    request: &BugLocateRequest,
    mut gathered: EvidenceCollector<'_>,
    (ranker, top): (Ranker, usize),
    depths: Depths,
) -> Result<BugLocateAnswer, EngineError> {
    gathered.load_history(session.workspace());
    session.check_cancelled()?;
    gathered.score_words(session)?;
    gathered.score_frames(session)?;
    gathered.score_names(&session.state)?;
    session.check_cancelled()?;
    gathered.find_message_origins(session.project())?;
    session.check_cancelled()?;
    gathered.score_history(session, depths.history)?;
    session.check_cancelled()?;
    gathered.score_call_neighbors(&session.state)?;
    gathered.score_coupled_files(ranker);
    let mut candidates = gathered.rank(ranker, top);
    let hot_from = gathered.hotspot_threshold();
    for candidate in &mut candidates {
        gathered.describe_candidate(&session.state, candidate, hot_from)?;
        candidate.signals = candidate.signals.filter(|_| request.explain);
        if request.with_impact {
            candidate.impact = Some(near::impact_of_candidate(
                &gathered,
                &session.state,
                candidate,
                depths.impact,
            )?);
        }
    }
    let (frames, warnings) = (gathered.frame_count(), gathered.warnings);
    Ok(BugLocateAnswer {
        schema_version: "1.0",
        ranker: ranker.as_str(),
        formula: formula_in_words(ranker),
        candidates,
        frames,
        warnings,
        index: IndexInfo::default(),
    })
}

fn truncate_text(text: &str) -> &str {
    let mut end = text.len().min(MOST_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// The formula behind the confidence, for people who add it up.
fn formula_in_words(ranker: Ranker) -> &'static str {
    match ranker {
        Ranker::Design => {
            "confidence = 0.4*call_chain + 0.3*history + 0.15*hotspot + 0.15*error_pattern"
        }
        Ranker::Evidence => {
            "confidence = weighted signals (--explain lists them); scores are the parts of --ranker design"
        }
    }
}
