//! The front door: one [`Engine`] for a project, one request and one answer type for each operation.
//!
//! The command line, the MCP schemas and the wire all come from the request types here.
//! Never knows: sockets, JSON-RPC, terminals, environment variables.

mod checkout;
pub mod config;
mod damaged;
mod embedder;
mod engine;
mod error;
mod fallback;
mod file_cache;
mod freshness;
mod graph_state;
mod heat;
mod inherited;
mod inputs;
mod llm;
mod memory;
mod not_ready;
mod observer;
mod operation;
mod operation_entry;
pub mod ops;
mod prior;
mod project;
mod projects;
mod providers;
mod published_texts;
mod question_store;
mod read;
mod recent_measures;
mod repair;
mod resident_state;
mod session;
mod settings;
mod shared;
mod snippet;
mod symbols;
mod unread;
mod unresolved_calls;
mod update;
mod warm;
mod watched_state;
mod workspace;
mod wrapper_state;

pub use checkout::{Checkout, read_working_tree};
pub use config::Config;
pub use engine::Engine;
pub use error::{Candidate, EngineError, ErrorKind};
pub use file_cache::{CacheOutcome, FileCache, FileCacheStats, append_to_log};
pub use freshness::IndexInfo;
pub use ingest::git::{
    name_of_address as repository_name_of_address, origin_name as repository_name_of_folder,
};
pub use ingest::{
    Cancel, DeltaCounts, ExportReport, ImportReport, Progress, WorkerOptions, isolate_parsers,
    serve_parser,
};
pub use llm::{Llm, LlmError};
pub use observer::{AnswerObserver, ContextReport};
pub use operation::{Access, DoorDefault, NoArguments, Operation, Removed, Tool};
pub use operation_entry::OperationEntry;
pub use ops::arch_check::{
    ArchCheckAnswer, ArchCheckRequest, ArchSummary, CycleLevelArg, OnViolation,
};
pub use ops::boundary::{BoundaryAnswer, BoundaryFile, BoundaryRequest};
pub use ops::bug_locate::{
    BugCandidate, BugImpact, BugLocateAnswer, BugLocateRequest, BugRanker, FrameCount,
};
pub use ops::cache::{CacheAnswer, CachePart};
pub use ops::call_chain::{CallChainAnswer, CallChainRequest, DirectionArg};
pub use ops::cod::{CodAnswer, CodFormat, CodPicture, CodRequest};
pub use ops::complexity::{ComplexityAnswer, ComplexityRequest, SortArg};
pub use ops::delta::{AstDeltaAnswer, AstDeltaRequest, DeltaStrategy};
pub use ops::embedding::{EmbeddingAnswer, EmbeddingRequest};
pub use ops::federation::{
    ContractMatch, EdgeCounts, FederatedRepository, FederationAction, FederationAnswer,
    FederationFound, FederationRequest, VirtualEdge,
};
pub use ops::graph_rag::{
    CandidateEdge, CandidateSource, ContextCandidate, ContextFormat, ContextMetadata,
    ContextSource, Fallback, GraphRagAnswer, GraphRagRequest, GraphRagTuning, TokenCounter,
};
pub use ops::graph_store::{
    BatchArgs, GraphStoreAnswer, GraphStoreCall, GraphStoreRequest, parse_batch,
};
pub use ops::hook::{
    HookAnswer, HookCandidate, HookContext, HookFallback, HookTuning, may_be_about_code,
};
pub use ops::hotspot::{HotspotAnswer, HotspotRequest};
pub use ops::impact::diff::{ChangedFile, ChangedSymbol, DiffImpact};
pub use ops::impact::reach::{ImpactReach, Owned, TestFile};
pub use ops::impact::{ImpactAnswer, ImpactFormat, ImpactRequest};
pub use ops::index::{
    ImportAnswer, IndexAnswer, IndexRequest, IndexStatusAction, IndexStatusRequest, StatusAnswer,
};
pub use ops::intent::conversation::{Conversation, ConversationFile, Turn};
pub use ops::intent::{
    IntentAction, IntentAnswer, IntentRequest, Preference, Preferences, UserAction,
};
pub use ops::layout::{LayoutAnswer, LayoutLinks, LayoutNodes, LayoutRequest};
pub use ops::pattern::{PatternAction, PatternAnswer, PatternKindArg, PatternRequest};
pub use ops::precise::{Indexer, PreciseRun};
pub use ops::rerank::{
    Judge, MAX_CANDIDATES, Ranked, RankedResult, RerankAnswer, RerankCandidate, RerankMetadata,
    RerankOptions, RerankRequest, Reranked, SkipReason, read_candidates, rerank,
};
pub use ops::scip::{ScipAnswer, ScipRequest};
pub use ops::search::{SearchAnswer, SearchMode, SearchRequest, SearchResult};
pub use ops::symbol::{
    CommitNote, FileHistory, SourceText, SymbolAnswer, SymbolMember, SymbolRequest,
};
pub use ops::vuln::{
    LockFileInfo, SeverityArg, ToolRun, VulnAction, VulnAnswer, VulnFormat, VulnFound, VulnRequest,
};
pub use ops::{OPERATIONS, names, operation};
pub use project::{Location, is_project_folder, locate};
pub use projects::{
    IndexedProject, check_is_index, folder_size, indexed_projects, is_name_of, measure_project,
    remove_entries, remove_project,
};
pub use providers::{
    BackendError, CodeBackend, CodeSymbol, EmbeddingChoice, EmbeddingProvider, LlmChoice,
    LlmProvider, ProviderError, Providers,
};
pub use question_store::SharedRepository;
pub use search::rank::words_of as words_of_query;
pub use settings::Settings;
pub use shared::PublishAnswer;
pub use symbols::{Definition, Definitions};
pub use unresolved_calls::UnresolvedCalls;
pub use warm::Warm;
pub use wrapper_state::WrapperState;

/// Facts of a single file.
pub use analysis::bug_locate::{Scores as BugScores, Signals as BugSignals};
/// The picture of `cod` as nodes and links.
pub use analysis::overview::{D3Link, D3Node, OverviewD3};
/// Shapes of the analyses' answers.
pub use analysis::vuln::{FileUse, FunctionUse, Trace, VulnReport};
pub use analysis::{
    Affected, CallChain, ChainEdge, ChainNode, ComplexityLimits, Cycle, CycleStep, EntryPath,
    FileComplexity, FoldedTests, FunctionMeasure, Hotspot, Impact, ImpactEdge, Orphan, Severity,
    Usage, UsageStep, Violation,
};
/// Measures of a hotspot.
pub use analysis::{CoupledFile, HotspotParts};
/// The table of virtual edges in another program's database.
pub use store::{EdgeTableCounts, VirtualEdgeTable};
/// A cache of subgraphs for programs around this one.
pub use store::{SubgraphCache, SubgraphCacheStats};
