//! Names of operations that get special treatment in some front end. A name that changes here changes there as well.

use crate::operation::Operation;

/// See [`Operation::NAME`].
pub const AST_DELTA: &str = super::delta::AstDeltaOperation::NAME;
/// See [`Operation::NAME`].
pub const ARCH_CHECK: &str = super::arch_check::ArchCheckOperation::NAME;
/// See [`Operation::NAME`].
pub const BOUNDARY: &str = super::boundary::BoundaryOperation::NAME;
/// See [`Operation::NAME`].
pub const CALL_CHAIN: &str = super::call_chain::CallChainOperation::NAME;
/// See [`Operation::NAME`].
pub const COD: &str = super::cod::CodOperation::NAME;
/// See [`Operation::NAME`].
pub const FEDERATION: &str = super::federation::FederationOperation::NAME;
/// See [`Operation::NAME`].
pub const GRAPH_RAG: &str = super::graph_rag::GraphRagOperation::NAME;
/// See [`Operation::NAME`].
pub const GRAPH_STORE: &str = super::graph_store::GraphStoreOperation::NAME;
/// See [`Operation::NAME`].
pub const IMPACT: &str = super::impact::ImpactOperation::NAME;
/// See [`Operation::NAME`].
pub const INDEX_STATUS: &str = super::index::IndexStatusOperation::NAME;
/// See [`Operation::NAME`].
pub const SEARCH: &str = super::search::SearchOperation::NAME;
/// See [`Operation::NAME`].
pub const VULN: &str = super::vuln::VulnOperation::NAME;
