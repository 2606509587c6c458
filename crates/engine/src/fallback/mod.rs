//! Answers where there is no graph: it is switched off, or can neither be read nor built. CKB is asked first, if one is
//! configured; else the files are searched line by line. Such an answer always says what it is.

mod call_chain;
mod context;
mod linear;
mod lines;

pub(crate) use call_chain::call_graph;
pub(crate) use context::{context_without_graph, search_without_graph};
pub(crate) use linear::{LinearHit, linear_search};

use crate::ops::graph_rag::answer::Fallback;
use crate::workspace::Workspace;
use crate::{CodeBackend, EngineError, IndexInfo, ProviderError};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The longest that a linear search takes.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);
/// The note on a linear search that stopped before its end.
pub(crate) const CUT: &str =
    "some of the files were searched line by line, until a limit was reached";
/// The longest wait for CKB.
const CKB_PATIENCE: Duration = Duration::from_secs(3);

/// A question's answer from the graph, or the reason why there is no graph to ask.
pub(crate) enum GraphAnswer<T> {
    Graph(T),
    Without(String),
}

/// Asks the graph, unless it is switched off or turns out to be unavailable.
pub(crate) fn ask_graph<T>(
    workspace: &Workspace,
    ask: impl FnOnce() -> Result<T, EngineError>,
) -> Result<GraphAnswer<T>, EngineError> {
    if !workspace.config().features().graph_store {
        let why = "the graph store is switched off (features.graph_store.enabled)";
        return Ok(GraphAnswer::Without(why.to_owned()));
    }
    match ask() {
        Ok(answer) => Ok(GraphAnswer::Graph(answer)),
        Err(error) if error.no_graph => Ok(GraphAnswer::Without(error.message)),
        Err(error) => Err(error),
    }
}

/// The source that answered instead of the graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Substitute {
    Ckb,
    Linear,
}

impl Substitute {
    /// The confidence of a call from this source. It is below 1, since equal names need not mean the same function.
    pub(crate) fn confidence(self) -> f64 {
        match self {
            Substitute::Ckb => 0.8,
            Substitute::Linear => 0.5,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Substitute::Ckb => "ckb",
            Substitute::Linear => "linear",
        }
    }
}

/// The source of an answer without the graph.
pub(crate) struct Origin {
    pub instead: Substitute,
    /// The error of CKB, where it was asked and failed.
    pub failed: Option<String>,
    /// Whether a limit of time or number left out files.
    pub is_cut: bool,
}

/// The fallback of an answer without the graph, and the state of the index to go with it.
pub(crate) fn describe(origin: &Origin, why: &str) -> (Fallback, IndexInfo) {
    let instead = origin.instead;
    let what = match instead {
        Substitute::Ckb => "CKB answered",
        Substitute::Linear if origin.is_cut => CUT,
        Substitute::Linear => "the files were searched line by line",
    };
    let failed = origin.failed.as_deref();
    let ckb = failed.map_or_else(String::new, |error| format!("; {error}"));
    let detail = format!("no graph: {why}{ckb}; {what}");
    let index = IndexInfo::stale(None, None, &detail);
    let fallback = Fallback {
        reason: "no_graph".to_owned(),
        degraded_to: instead.word().to_owned(),
        detail,
    };
    (fallback, index)
}

/// The configured CKB server. None if none is configured, or if it is switched off.
fn code_backend(workspace: &Workspace) -> Result<Option<Arc<dyn CodeBackend>>, ProviderError> {
    let config = workspace.config();
    let address = config.ckb_address().filter(|_| config.features().ckb);
    let (Some(address), Some(providers)) = (address, &workspace.settings().providers) else {
        return Ok(None);
    };
    providers.code_backend(&address).map(Some)
}

fn ckb_deadline() -> Instant {
    Instant::now() + CKB_PATIENCE
}
