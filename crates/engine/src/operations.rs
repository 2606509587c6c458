//! The table of operations: daemon and MCP server go through [`OPERATIONS`].

use crate::operation::{Access, Operation, Tool};
use crate::{Engine, EngineError, ops};
use serde::Deserialize;
use serde_json::Value;

/// An operation as daemon and MCP server see it: requests and answers are JSON.
#[derive(Clone, Copy)]
pub struct OperationEntry {
    /// See [`Operation::NAME`].
    pub name: &'static str,
    /// See [`Operation::TOOL`].
    pub tool: Option<Tool>,
    schema: fn() -> Value,
    access: fn(&Value) -> Option<Access>,
    value: fn(&Engine, Value) -> Result<Value, RunError>,
    text: fn(&Engine, Value) -> Result<String, RunError>,
}

enum RunError {
    /// The request does not have the expected shape.
    Request(serde_json::Error),
    Engine(EngineError),
}

impl RunError {
    fn into_engine_error(self, called: &str) -> EngineError {
        match self {
            RunError::Request(error) => {
                EngineError::bad_arguments(format!("wrong {called}: {error}"))
            }
            RunError::Engine(error) => error,
        }
    }
}

fn answer<O: Operation>(engine: &Engine, request: Value) -> Result<O::Answer, RunError> {
    let request = serde_json::from_value(request).map_err(RunError::Request)?;
    O::run(engine.workspace(), &request).map_err(RunError::Engine)
}

fn not_json(error: serde_json::Error) -> RunError {
    RunError::Engine(EngineError::runtime_failure(format!("not JSON: {error}")))
}

impl OperationEntry {
    const fn new<O: Operation>() -> OperationEntry {
        OperationEntry {
            name: O::NAME,
            tool: O::TOOL,
            schema: || {
                let generator = schemars::SchemaGenerator::default();
                generator.into_root_schema_for::<O::Request>().to_value()
            },
            access: |request| {
                let request = O::Request::deserialize(request).ok()?;
                Some(O::access(&request))
            },
            value: |engine, request| {
                let answer = answer::<O>(engine, request)?;
                serde_json::to_value(&answer).map_err(not_json)
            },
            text: |engine, request| {
                let answer = answer::<O>(engine, request)?;
                serde_json::to_string(&answer).map_err(not_json)
            },
        }
    }

    /// The schema of its request.
    pub fn schema(&self) -> Value {
        (self.schema)()
    }

    /// The effect of a request. A request with a wrong shape counts as reading: it is refused before it does anything.
    pub fn access(&self, request: &Value) -> Access {
        (self.access)(request).unwrap_or(Access::Read)
    }

    /// Answers a request as JSON; `called` is the client's word for it (`arguments`, `payload`), for messages.
    ///
    /// # Errors
    /// If the request does not have the expected shape, and as the operation.
    pub fn value(
        &self,
        engine: &Engine,
        request: Value,
        called: &str,
    ) -> Result<Value, EngineError> {
        (self.value)(engine, request).map_err(|error| error.into_engine_error(called))
    }

    /// Answers a request as text: fields in the order of the answer's type, numbers as short as they can be.
    ///
    /// # Errors
    /// As [`OperationEntry::value`].
    pub fn text(
        &self,
        engine: &Engine,
        request: Value,
        called: &str,
    ) -> Result<String, EngineError> {
        (self.text)(engine, request).map_err(|error| error.into_engine_error(called))
    }
}

impl std::fmt::Debug for OperationEntry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("OperationEntry").field(&self.name).finish()
    }
}

/// Every operation; tools are listed in this order.
pub const OPERATIONS: &[OperationEntry] = &[
    OperationEntry::new::<ops::search::SearchOperation>(),
    OperationEntry::new::<ops::graph_rag::GraphRagOperation>(),
    OperationEntry::new::<ops::call_chain::CallChainOperation>(),
    OperationEntry::new::<ops::impact::ImpactOperation>(),
    OperationEntry::new::<ops::bug_locate::BugLocateOperation>(),
    OperationEntry::new::<ops::hotspot::HotspotOperation>(),
    OperationEntry::new::<ops::index::IndexStatusOperation>(),
    OperationEntry::new::<ops::delta::AstDeltaOperation>(),
    OperationEntry::new::<ops::graph_store::GraphStoreOperation>(),
    OperationEntry::new::<crate::intent::IntentOperation>(),
    OperationEntry::new::<ops::arch_check::ArchCheckOperation>(),
    OperationEntry::new::<ops::pattern::PatternOperation>(),
    OperationEntry::new::<ops::vuln::VulnOperation>(),
    OperationEntry::new::<ops::federation::FederationOperation>(),
    OperationEntry::new::<ops::cod::CodOperation>(),
    OperationEntry::new::<ops::complexity::ComplexityOperation>(),
    OperationEntry::new::<ops::layout::LayoutOperation>(),
    OperationEntry::new::<ops::symbol::SymbolOperation>(),
    OperationEntry::new::<ops::boundary::BoundaryOperation>(),
    OperationEntry::new::<ops::rerank::RerankOperation>(),
    OperationEntry::new::<ops::index::IndexOperation>(),
    OperationEntry::new::<ops::index::IndexClearOperation>(),
    OperationEntry::new::<ops::scip::ScipOperation>(),
    OperationEntry::new::<ops::embedding::EmbeddingBuildOperation>(),
    OperationEntry::new::<ops::embedding::EmbeddingStatusOperation>(),
    OperationEntry::new::<ops::embedding::EmbeddingClearOperation>(),
    OperationEntry::new::<ops::cache::CacheStatusOperation>(),
    OperationEntry::new::<ops::cache::CacheClearOperation>(),
];

/// Names of operations that get special treatment in some front end. A name that changes here changes there as well.
pub mod names {
    use crate::operation::Operation;
    use crate::ops;

    /// See [`Operation::NAME`].
    pub const AST_DELTA: &str = ops::delta::AstDeltaOperation::NAME;
    /// See [`Operation::NAME`].
    pub const ARCH_CHECK: &str = ops::arch_check::ArchCheckOperation::NAME;
    /// See [`Operation::NAME`].
    pub const BOUNDARY: &str = ops::boundary::BoundaryOperation::NAME;
    /// See [`Operation::NAME`].
    pub const CALL_CHAIN: &str = ops::call_chain::CallChainOperation::NAME;
    /// See [`Operation::NAME`].
    pub const COD: &str = ops::cod::CodOperation::NAME;
    /// See [`Operation::NAME`].
    pub const GRAPH_RAG: &str = ops::graph_rag::GraphRagOperation::NAME;
    /// See [`Operation::NAME`].
    pub const GRAPH_STORE: &str = ops::graph_store::GraphStoreOperation::NAME;
    /// See [`Operation::NAME`].
    pub const IMPACT: &str = ops::impact::ImpactOperation::NAME;
    /// See [`Operation::NAME`].
    pub const INDEX_STATUS: &str = ops::index::IndexStatusOperation::NAME;
    /// See [`Operation::NAME`].
    pub const RERANK: &str = ops::rerank::RerankOperation::NAME;
    /// See [`Operation::NAME`].
    pub const SEARCH: &str = ops::search::SearchOperation::NAME;
    /// See [`Operation::NAME`].
    pub const VULN: &str = ops::vuln::VulnOperation::NAME;
}

/// The operation with that name.
pub fn operation(name: &str) -> Option<&'static OperationEntry> {
    OPERATIONS.iter().find(|entry| entry.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn access(name: &str, request: Value) -> Access {
        operation(name).unwrap().access(&request)
    }

    #[test]
    fn names_are_used_once() {
        let mut names: Vec<&str> = OPERATIONS.iter().map(|entry| entry.name).collect();
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn what_writes_says_so() {
        assert_eq!(access("search", json!({"query": "x"})), Access::Read);
        assert_eq!(access("arch-check", json!({})), Access::Read);
        for name in ["index", "scip", "embedding-build", "ast-delta"] {
            assert_eq!(access(name, json!({})), Access::Index, "{name}");
        }
        for name in ["index-clear", "embedding-clear", "cache-clear"] {
            assert_eq!(access(name, json!({})), Access::Write, "{name}");
        }
        for (name, action, expected) in [
            ("pattern", "check", Access::Read),
            ("pattern", "list", Access::Read),
            ("pattern", "learn", Access::Write),
            ("pattern", "decay", Access::Write),
            ("intent", "query", Access::Read),
            ("intent", "record", Access::Write),
            ("intent", "cleanup", Access::Write),
            ("index-status", "status", Access::Read),
            ("index-status", "build", Access::Index),
            ("index-status", "clear", Access::Write),
            ("graph-store", "stats", Access::Read),
            ("graph-store", "export", Access::Read),
            ("graph-store", "find_orphans", Access::Read),
            ("graph-store", "vacuum", Access::Write),
            ("graph-store", "init", Access::Write),
            ("federation", "status", Access::Read),
            ("federation", "search", Access::Read),
            ("federation", "query-virtual", Access::Read),
            ("federation", "endpoints", Access::Read),
            ("federation", "update", Access::Write),
            ("federation", "generate-virtual-edges", Access::Write),
        ] {
            assert_eq!(
                access(name, json!({ "action": action })),
                expected,
                "{name} {action}"
            );
        }
        let node = json!({"action": "add_node", "payload": {"id": "a", "symbol": "a", "kind": "x", "file": "a"}});
        assert_eq!(access("graph-store", node), Access::Write);
    }
}
