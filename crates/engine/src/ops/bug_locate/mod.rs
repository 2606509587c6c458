//! `bug-locate`: where the bug behind an error, a stack trace or a report may be.

mod evidence;
mod frames;
mod gather;
mod near;
mod origin;
mod past;
mod render;
mod request;

pub use request::{
    BugCandidate, BugImpact, BugLocateAnswer, BugLocateRequest, BugRanker, FrameCount,
};

use super::call_chain::in_range;
use crate::operation::{Access, Operation, Tool};
use crate::{Engine, EngineError};
use analysis::bug_locate::{self, Ranker, Tuning};
use gather::Gathered;

/// Bytes of a report that are read.
const MOST_BYTES: usize = 256 << 10;

/// Where a bug may be.
pub(crate) struct BugLocateOperation;

impl Operation for BugLocateOperation {
    const NAME: &'static str = "bug-locate";
    const TOOL: Option<Tool> = Some(Tool {
        about: "Find the likely place of a bug from an error or a stack trace",
        list: Some("candidates"),
        core: false,
    });
    type Request = BugLocateRequest;
    type Answer = BugLocateAnswer;

    fn access(_: &BugLocateRequest) -> Access {
        Access::Read
    }

    fn run(engine: &Engine, request: &BugLocateRequest) -> Result<BugLocateAnswer, EngineError> {
        engine.bug_locate(request)
    }
}

impl Engine {
    /// Where a bug may be, by other numbers than the product's: for an evaluation.
    pub fn bug_locate_with(
        &self,
        request: &BugLocateRequest,
        tuning: &Tuning,
    ) -> Result<BugLocateAnswer, EngineError> {
        locate(self, request, tuning)
    }
}

pub(crate) fn run(
    engine: &Engine,
    request: &BugLocateRequest,
) -> Result<BugLocateAnswer, EngineError> {
    locate(engine, request, &Tuning::default())
}

fn locate(
    engine: &Engine,
    request: &BugLocateRequest,
    tuning: &Tuning,
) -> Result<BugLocateAnswer, EngineError> {
    let top = in_range("top-n", request.top_n, 1, 200)? as usize;
    let depth = in_range("history-depth", request.history_depth, 1, 10_000)? as usize;
    let reach = in_range("impact-depth", request.impact_depth, 1, 10)?;
    let ranker = match request.ranker {
        BugRanker::Design => Ranker::Design,
        BugRanker::Evidence => Ranker::Evidence,
    };
    let text = request.text();
    if text.trim().is_empty() {
        return Err(EngineError::bad("no error given")
            .hint("say what is wrong with --error TEXT, or give a trace with --stacktrace FILE (- for standard input)"));
    }
    let text = cut(&text);
    let clues = bug_locate::clues(text);
    let open = engine.open_current()?;
    let mut gathered = Gathered::new(&open, &clues, tuning)?;
    gathered.history(engine);
    engine.check_cancelled()?;
    gathered.words(engine, &open)?;
    gathered.frames(engine, &open)?;
    gathered.names(&open)?;
    engine.check_cancelled()?;
    gathered.origins(engine)?;
    engine.check_cancelled()?;
    gathered.past(engine, &open, depth)?;
    engine.check_cancelled()?;
    gathered.near(&open)?;
    gathered.together(ranker);
    let mut candidates = gathered.rank(ranker, top);
    let hot_from = gathered.hot_from();
    for candidate in &mut candidates {
        gathered.describe(&open, candidate, hot_from)?;
        candidate.signals = candidate.signals.filter(|_| request.explain);
        if request.with_impact {
            candidate.impact = Some(near::impact(&gathered, &open, candidate, reach)?);
        }
    }
    let (frames, warnings) = (gathered.counted(), gathered.warnings);
    Ok(BugLocateAnswer {
        schema_version: "1.0",
        ranker: ranker.as_str(),
        candidates,
        frames,
        warnings,
        index: engine.finish(open),
    })
}

fn cut(text: &str) -> &str {
    let mut end = text.len().min(MOST_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}
