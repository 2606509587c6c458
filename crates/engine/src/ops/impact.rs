//! `impact`: what a change of a symbol or file may affect.

use super::call_chain::in_range;
use crate::{Engine, EngineError, IndexInfo, symbols};
use analysis::{Impact, ImpactOptions};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Shapes of the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum ImpactFormat {
    /// JSON
    #[default]
    Json,
    /// A Markdown table
    Md,
    /// A Mermaid flowchart
    Mermaid,
}

/// What a change may affect.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(deny_unknown_fields)]
pub struct ImpactRequest {
    /// name, Class.method, path:line, path::name, id, or the path of a file
    #[cfg_attr(feature = "cli", arg(skip))]
    pub symbol: String,
    /// The symbol is the path of a file
    #[cfg_attr(feature = "cli", arg(skip))]
    #[serde(default)]
    #[schemars(skip)]
    pub file: bool,
    /// Hops, 1-10
    #[cfg_attr(
        feature = "cli",
        arg(long, default_value_t = 5, allow_negative_numbers = true)
    )]
    #[serde(default = "default_depth")]
    #[schemars(range(min = 1, max = 10))]
    pub depth: i64,
    /// The least impact that counts, 0-1; impact is 0.8^depth
    #[cfg_attr(
        feature = "cli",
        arg(long, default_value_t = 0.1, allow_negative_numbers = true)
    )]
    #[serde(default = "default_threshold")]
    pub threshold: f64,
    /// Entries listed; of more, those of one file are one entry; 0 for every symbol
    #[cfg_attr(feature = "cli", arg(long, default_value_t = 60))]
    #[serde(default = "default_limit")]
    #[schemars(skip)]
    pub limit: usize,
    /// Shape of the answer
    #[cfg_attr(feature = "cli", arg(skip))]
    #[serde(default)]
    pub format: ImpactFormat,
}

fn default_depth() -> i64 {
    5
}

fn default_limit() -> usize {
    25
}

fn default_threshold() -> f64 {
    0.1
}

/// The impact, and the state of the index.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ImpactAnswer {
    /// The impact.
    #[serde(flatten)]
    pub impact: Impact,
    /// The state of the index.
    pub index: IndexInfo,
}

impl ImpactAnswer {
    /// The answer as Markdown.
    pub fn to_markdown(&self) -> String {
        analysis::to_markdown(&self.impact)
    }

    /// The answer as a Mermaid flowchart.
    pub fn to_mermaid(&self) -> String {
        analysis::to_mermaid(&self.impact)
    }
}

pub(crate) fn run(engine: &Engine, request: &ImpactRequest) -> Result<ImpactAnswer, EngineError> {
    if !(0.0..=1.0).contains(&request.threshold) {
        return Err(EngineError::bad(format!(
            "Invalid threshold: {}. Must be between 0 and 1",
            request.threshold
        )));
    }
    let options = ImpactOptions {
        depth: in_range("depth", request.depth, 1, 10)?,
        threshold: request.threshold,
        limit: request.limit,
    };
    if request.file {
        // Before anything is indexed: a path outside is refused at once.
        engine.project().relative(&request.symbol)?;
    }
    let open = engine.for_question()?;
    let file = symbols::indexed_file(open.names(), engine.project(), &request.symbol)?;
    let (root, ids) = match file {
        Some(path) => {
            let mut nodes = open.names().by_file(&path)?;
            // The file stands for what is in it.
            if nodes.iter().any(|node| node.kind == "file") {
                nodes.retain(|node| node.kind == "file");
            }
            (path, nodes.into_iter().map(|node| node.id).collect())
        }
        None if request.file => {
            return Err(EngineError::bad(format!(
                "file not found in the index: {}",
                request.symbol
            ))
            .hint("`knotwork index status` says what was passed over and why"));
        }
        None => {
            let ids = symbols::resolve(&open, engine.project(), &request.symbol)?;
            (request.symbol.clone(), ids)
        }
    };
    let impact = open.on_graph(&ids, |graph, keys| {
        analysis::impact(graph, &root, keys, &options)
    })?;
    Ok(ImpactAnswer {
        impact,
        index: engine.done(open),
    })
}
