//! The operations, a module for each: its request, its answer, and the function between them. A new one is its module and a line
//! in the list below. What it asks and answers is taken from its module; what stands in the root of the crate is there for brevity.

pub(crate) mod arguments;
pub(crate) mod clock;
pub(crate) mod hook;
pub mod names;
pub(crate) mod precise;
#[cfg(test)]
mod tests;

use crate::operation_entry::OperationEntry;

/// Makes the modules of the operations and the list of them.
macro_rules! operations {
    ($($module:ident: $($operation:ident),+;)*) => {
        $(pub mod $module;)*

        /// Every operation. Daemon, MCP server and remote calls go through it.
        pub const OPERATIONS: &[OperationEntry] =
            &[$($(OperationEntry::new::<$module::$operation>(),)+)*];
    };
}

// Tools are listed in this order, the most used first.
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
