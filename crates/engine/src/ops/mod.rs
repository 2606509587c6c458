//! The operations. Each has a module with its request, its answer, and the function between them. A new operation needs its module
//! and a line in the list below. Other crates import its types from its module; the root of the crate repeats many for brevity.

pub(crate) mod arguments;
pub(crate) mod clock;
pub(crate) mod hook;
pub mod names;
pub(crate) mod precise;
#[cfg(test)]
mod tests;

use crate::operation_entry::OperationEntry;

/// Declares the modules of the operations and makes the list.
macro_rules! operations {
    ($($module:ident: $($operation:ident),+;)*) => {
        $(pub mod $module;)*

        /// Every operation. The daemon, the MCP server and remote calls use this list.
        pub const OPERATIONS: &[OperationEntry] =
            &[$($(OperationEntry::new::<$module::$operation>(),)+)*];
    };
}

// MCP clients see the tools in this order, the most used first.
operations! {
    search: SearchOperation;
    graph_rag: GraphRagOperation;
    call_chain: CallChainOperation;
    impact: ImpactOperation;
    bug_locate: BugLocateOperation;
    hotspot: HotspotOperation;
    index: IndexStatusOperation, IndexOperation, IndexClearOperation;
    delta: AstDeltaOperation;
    graph_store: GraphStoreOperation;
    intent: IntentOperation;
    arch_check: ArchCheckOperation;
    pattern: PatternOperation;
    vuln: VulnOperation;
    federation: FederationOperation;
    cod: CodOperation;
    complexity: ComplexityOperation;
    layout: LayoutOperation;
    symbol: SymbolOperation;
    boundary: BoundaryOperation;
    rerank: RerankOperation;
    scip: ScipOperation;
    embedding: EmbeddingBuildOperation, EmbeddingStatusOperation, EmbeddingClearOperation;
    cache: CacheStatusOperation, CacheClearOperation;
}

/// The operation with that name.
pub fn operation(name: &str) -> Option<&'static OperationEntry> {
    OPERATIONS.iter().find(|entry| entry.name == name)
}
