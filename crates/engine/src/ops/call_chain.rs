//! `call-chain`: who calls a symbol, and what it calls.

use crate::{Engine, EngineError, IndexInfo, symbols};
use analysis::{CallChain, CallChainOptions, Direction};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which way to follow calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum DirectionArg {
    /// What calls it
    #[default]
    Callers,
    /// What it calls
    Callees,
    /// Both
    Both,
}

/// Follow calls from a symbol.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(deny_unknown_fields)]
pub struct CallChainRequest {
    /// name, Class.method, path:line, path::name or id
    #[cfg_attr(feature = "cli", arg(skip))]
    pub symbol: String,
    /// Which way to follow calls
    #[cfg_attr(feature = "cli", arg(long, short, value_enum, default_value_t))]
    #[serde(default)]
    pub direction: DirectionArg,
    /// Hops, 1-4
    #[cfg_attr(
        feature = "cli",
        arg(long, default_value_t = 2, allow_negative_numbers = true)
    )]
    #[serde(default = "default_depth")]
    #[schemars(range(min = 1, max = 4))]
    pub depth: i64,
    /// Count mentions (callbacks passed on, types) as well as calls
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default)]
    pub references: bool,
    /// At most so many nodes
    #[cfg_attr(feature = "cli", arg(long, default_value_t = 200))]
    #[serde(default = "default_limit")]
    #[schemars(skip)]
    pub limit: usize,
}

fn default_depth() -> i64 {
    2
}

fn default_limit() -> usize {
    80
}

/// The chain, and the state of the index.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CallChainAnswer {
    /// The chain.
    #[serde(flatten)]
    pub chain: CallChain,
    /// The state of the index.
    pub index: IndexInfo,
}

pub(crate) fn run(
    engine: &Engine,
    request: &CallChainRequest,
) -> Result<CallChainAnswer, EngineError> {
    let options = CallChainOptions {
        direction: match request.direction {
            DirectionArg::Callers => Direction::Callers,
            DirectionArg::Callees => Direction::Callees,
            DirectionArg::Both => Direction::Both,
        },
        depth: in_range("depth", request.depth, 1, 4)?,
        references: request.references,
        limit: request.limit,
    };
    let open = engine.for_question()?;
    let ids = symbols::resolve(&open, engine.project(), &request.symbol)?;
    let mut chain = open.on_graph(&ids, |graph, keys| {
        analysis::call_chain(graph, keys, &options)
    })?;
    chain.target_symbol = request.symbol.clone();
    Ok(CallChainAnswer {
        chain,
        index: engine.done(open),
    })
}

/// A number within bounds, or the message that names them.
pub(crate) fn in_range(what: &str, value: i64, from: u32, to: u32) -> Result<u32, EngineError> {
    match u32::try_from(value) {
        Ok(value) if (from..=to).contains(&value) => Ok(value),
        _ => Err(EngineError::bad(format!(
            "Invalid {what}: {value}. Must be between {from} and {to}"
        ))),
    }
}
