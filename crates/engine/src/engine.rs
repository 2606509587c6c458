//! The front door: an opened project and the questions that may be put to it.

use crate::inputs::Inputs;
use crate::ops::{
    arch_check, boundary, bug_locate, cache, call_chain, cod, complexity, delta, embedding,
    federation, graph_rag, graph_store, hook, hotspot, impact, index, intent, layout, pattern,
    rerank, scip, search, symbol, vuln,
};
use crate::workspace::Workspace;
use crate::{
    AnswerObserver, ArchCheckAnswer, ArchCheckRequest, AstDeltaAnswer, AstDeltaRequest,
    BoundaryAnswer, BoundaryRequest, BugLocateAnswer, BugLocateRequest, CacheAnswer,
    CallChainAnswer, CallChainRequest, Cancel, CodAnswer, CodRequest, ComplexityAnswer,
    ComplexityRequest, Config, EmbeddingAnswer, EmbeddingRequest, EngineError, ExportReport,
    FederationAnswer, FederationRequest, GraphRagAnswer, GraphRagRequest, GraphRagTuning,
    GraphStoreAnswer, GraphStoreRequest, HookAnswer, HookTuning, HotspotAnswer, HotspotRequest,
    ImpactAnswer, ImpactRequest, ImportAnswer, IndexAnswer, IndexRequest, IntentAnswer,
    IntentRequest, LayoutAnswer, LayoutRequest, Operation, PatternAnswer, PatternRequest, Progress,
    RerankAnswer, RerankRequest, ScipAnswer, ScipRequest, SearchAnswer, SearchRequest,
    SearchResult, Settings, StatusAnswer, SymbolAnswer, SymbolRequest, UserAction, VulnAnswer,
    VulnRequest, Warm,
};
use analysis::OrphanTuning;
use analysis::bug_locate::Tuning;
use analysis::pattern::{Pattern, PatternTuning};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// A project that can be asked.
///
/// Questions bring the index up to date first: they build it where there is none, and read changed
/// files again. A graph that was put in by hand is left as it is.
pub struct Engine {
    workspace: Arc<Workspace>,
}

impl Engine {
    /// Finds the project around `settings.start`. Reads and writes nothing else yet.
    pub fn open(
        settings: Settings,
        progress: Box<dyn Progress + Send>,
    ) -> Result<Engine, EngineError> {
        let progress: Arc<dyn Progress + Send> = Arc::from(progress);
        let inputs = Inputs::find(settings)?;
        let notes = inputs.settings.notes.iter().chain(&inputs.project.note);
        for note in notes {
            progress.warning(format_args!("{note}"));
        }
        for warning in inputs.config.warnings() {
            progress.warning(format_args!("{warning}"));
        }
        Ok(Engine::from_workspace(Workspace::new(inputs, progress)))
    }

    fn from_workspace(workspace: Workspace) -> Engine {
        Engine {
            workspace: Arc::new(workspace),
        }
    }

    /// The same project for a caller in another of its folders: relative paths are taken from that folder. Caches are shared.
    pub fn with_current_dir(&self, folder: &Path) -> Result<Engine, EngineError> {
        self.workspace
            .with_current_dir(folder)
            .map(Engine::from_workspace)
    }

    /// The same project for a question that can be cancelled: it then ends at its next step. Caches are shared.
    pub fn with_cancel(&self, cancel: &Cancel) -> Engine {
        Engine::from_workspace(self.workspace.with_cancel(cancel))
    }

    /// Sets who counts the answers of this project, through all doors. The first one stays.
    pub fn observe_answers(&self, observer: Arc<dyn AnswerObserver>) {
        self.workspace.observe_answers(observer);
    }

    /// Whether a configuration file has changed since the project was opened.
    pub fn configuration_changed(&self) -> bool {
        self.workspace.inputs().configuration_changed()
    }

    /// The project's root.
    pub fn root(&self) -> &Path {
        self.workspace.root()
    }

    /// The graph's database.
    pub fn database(&self) -> &Path {
        self.workspace.database()
    }

    /// The configuration, as it was when the project was opened.
    pub fn config(&self) -> &Config {
        self.workspace.config()
    }

    pub(crate) fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    /// Answers a request of any operation, in the same way as for a client. A new operation needs no method of its own.
    ///
    /// The methods for single operations stay for two reasons. Some of them do more than a client may request, such as sending
    /// names of packages to a registry. The others are shorter to call.
    ///
    /// # Errors
    /// As the operation.
    pub fn answer<O: Operation>(&self, request: &O::Request) -> Result<O::Answer, EngineError> {
        O::answer(&self.workspace, request)
    }

    /// Builds the index or brings it up to date.
    pub fn index(&self, request: &IndexRequest) -> Result<IndexAnswer, EngineError> {
        index::build_index(&self.workspace, request)
    }

    /// The state of the index; changes nothing.
    pub fn index_status(&self) -> Result<StatusAnswer, EngineError> {
        index::index_status(&self.workspace)
    }

    /// Removes the index; gives the files removed.
    pub fn index_clear(&self) -> Result<Vec<String>, EngineError> {
        index::clear_index(&self.workspace)
    }

    /// Brings the index up to date, and writes it to a file that another machine can import.
    pub fn index_export(&self, file: &Path) -> Result<ExportReport, EngineError> {
        index::export_index(&self.workspace, file)
    }

    /// Begins with the index of a file that another machine exported, and reads the files that differ here. An index that is
    /// there is replaced only if `force`.
    pub fn index_import(&self, file: &Path, force: bool) -> Result<ImportAnswer, EngineError> {
        index::import_index(&self.workspace, file, force)
    }

    /// Brings the index up to date after files changed.
    pub fn ast_delta(&self, request: &AstDeltaRequest) -> Result<AstDeltaAnswer, EngineError> {
        delta::update_index(&self.workspace, request)
    }

    /// An operation on the graph store itself.
    pub fn graph_store(
        &self,
        request: &GraphStoreRequest,
    ) -> Result<GraphStoreAnswer, EngineError> {
        graph_store::answer_graph_question(&self.workspace, request)
    }

    /// Writes the whole graph as JSON, or one record a line.
    pub fn export(&self, out: &mut dyn std::io::Write, lines: bool) -> Result<(), EngineError> {
        graph_store::export(&self.workspace, out, lines)
    }

    /// Imports a SCIP index.
    pub fn scip_parse(&self, request: &ScipRequest) -> Result<ScipAnswer, EngineError> {
        scip::read_scip_index(&self.workspace, request)
    }

    /// Finds chunks, symbols or lines.
    pub fn search(&self, request: &SearchRequest) -> Result<SearchAnswer, EngineError> {
        search::find_matches(&self.workspace, request)
    }

    /// The source that answers a question, within a budget of tokens.
    pub fn graph_rag(&self, request: &GraphRagRequest) -> Result<GraphRagAnswer, EngineError> {
        graph_rag::collect_context(&self.workspace, request)
    }

    /// The source that answers a question, with other parameters than the product's: for an evaluation.
    pub fn graph_rag_with(
        &self,
        request: &GraphRagRequest,
        tuning: &GraphRagTuning,
    ) -> Result<GraphRagAnswer, EngineError> {
        graph_rag::collect_with(&self.workspace, request, tuning)
    }

    /// Follows calls from a symbol.
    pub fn call_chain(&self, request: &CallChainRequest) -> Result<CallChainAnswer, EngineError> {
        call_chain::trace_calls(&self.workspace, request)
    }

    /// The symbols and files that a change may affect.
    pub fn impact(&self, request: &ImpactRequest) -> Result<ImpactAnswer, EngineError> {
        impact::assess_impact(&self.workspace, request)
    }

    /// Patterns that this code follows nearly always, and the places that deviate.
    pub fn pattern(&self, request: &PatternRequest) -> Result<PatternAnswer, EngineError> {
        pattern::answer_patterns(&self.workspace, request)
    }

    /// Patterns learned with other parameters than the product's, and not stored: for an evaluation.
    pub fn patterns_with(&self, tuning: &PatternTuning) -> Result<Vec<Pattern>, EngineError> {
        pattern::learn_with(&self.workspace, tuning)
    }

    /// Cycles, layer rules and symbols without a user.
    pub fn arch_check(&self, request: &ArchCheckRequest) -> Result<ArchCheckAnswer, EngineError> {
        arch_check::check_architecture(&self.workspace, request)
    }

    /// Cycles, layer rules and symbols without a user, with other parameters than the product's: for an evaluation.
    pub fn arch_check_with(
        &self,
        request: &ArchCheckRequest,
        tuning: &OrphanTuning,
    ) -> Result<ArchCheckAnswer, EngineError> {
        arch_check::check_with(&self.workspace, request, tuning)
    }

    /// Likely places of the bug behind an error or a report.
    pub fn bug_locate(&self, request: &BugLocateRequest) -> Result<BugLocateAnswer, EngineError> {
        bug_locate::locate_bug(&self.workspace, request)
    }

    /// Likely places of a bug, with other parameters than the product's: for an evaluation.
    pub fn bug_locate_with(
        &self,
        request: &BugLocateRequest,
        tuning: &Tuning,
    ) -> Result<BugLocateAnswer, EngineError> {
        bug_locate::run_with(&self.workspace, request, tuning)
    }

    /// Files that change often and are complex.
    pub fn hotspots(&self, request: &HotspotRequest) -> Result<HotspotAnswer, EngineError> {
        hotspot::rank_hotspots(&self.workspace, request)
    }

    /// The role of a file: own, library, generated and so on.
    pub fn boundary(&self, request: &BoundaryRequest) -> Result<BoundaryAnswer, EngineError> {
        boundary::classify_path(&self.workspace, request)
    }

    /// The roles of many files and folders, from one state of the index and of the rules.
    pub fn boundaries(&self, paths: &[String]) -> Result<Vec<BoundaryAnswer>, EngineError> {
        boundary::classify_paths(&self.workspace, paths)
    }

    /// The code base as a diagram.
    pub fn cod(&self, request: &CodRequest) -> Result<CodAnswer, EngineError> {
        cod::draw_overview(&self.workspace, request)
    }

    /// The complexity of functions.
    pub fn complexity(&self, request: &ComplexityRequest) -> Result<ComplexityAnswer, EngineError> {
        complexity::measure_complexity(&self.workspace, request)
    }

    /// Positions of folders, files and symbols for a picture.
    pub fn layout(&self, request: &LayoutRequest) -> Result<LayoutAnswer, EngineError> {
        layout::place_parts(&self.workspace, request)
    }

    /// Facts about one symbol or file, except its calls.
    pub fn symbol(&self, request: &SymbolRequest) -> Result<SymbolAnswer, EngineError> {
        symbol::describe_symbol(&self.workspace, request)
    }

    /// Contracts of several repositories, and the virtual edges between their users and providers.
    pub fn federation(&self, request: &FederationRequest) -> Result<FederationAnswer, EngineError> {
        federation::answer_federation(&self.workspace, request)
    }

    /// Known vulnerabilities of the packages in use.
    pub fn vuln(&self, request: &VulnRequest) -> Result<VulnAnswer, EngineError> {
        vuln::report_vulnerabilities(&self.workspace, request)
    }

    /// Known vulnerabilities for a program that asks in the user's name. Names of packages leave the machine only where the
    /// user's own configuration allows it.
    pub fn vuln_for_client(&self, request: &VulnRequest) -> Result<VulnAnswer, EngineError> {
        vuln::answer_client(&self.workspace, request)
    }

    /// Sorts results again by a language model's judgement.
    pub fn rerank(&self, request: &RerankRequest) -> Result<RerankAnswer, EngineError> {
        rerank::rerank_candidates(&self.workspace, request)
    }

    /// Builds the vectors, and writes them as text as well.
    pub fn embedding_build(
        &self,
        request: &EmbeddingRequest,
    ) -> Result<EmbeddingAnswer, EngineError> {
        embedding::build(&self.workspace, request)
    }

    /// The state of the vectors. Sends no request and changes nothing.
    pub fn embedding_status(&self) -> Result<EmbeddingAnswer, EngineError> {
        embedding::status(&self.workspace)
    }

    /// Removes the chunks and their vectors, also those that a provider made; gives the folders removed.
    pub fn embedding_clear(&self) -> Result<Vec<String>, EngineError> {
        embedding::clear(&self.workspace)
    }

    /// The number of cached answers.
    pub fn cache_status(&self) -> CacheAnswer {
        cache::status(&self.workspace)
    }

    /// Removes every cached answer.
    pub fn cache_clear(&self) -> Result<CacheAnswer, EngineError> {
        cache::clear(&self.workspace)
    }

    /// Records, queries or cleans the intent history.
    pub fn intent(&self, request: &IntentRequest) -> Result<IntentAnswer, EngineError> {
        intent::answer_intent(&self.workspace, request)
    }

    /// Records what a search showed, so that opening or editing it later tells what was meant. Never fails: a search must not
    /// fail because of ranking.
    pub fn record_search_results(&self, query: &str, results: &[SearchResult]) {
        intent::record_search_results(&self.workspace, query, results);
    }

    /// Records that a file was opened or edited; `lines` are the lines concerned, where known. An opened file counts only where a
    /// search showed it a short time ago; an edited one always. Returns whether it was recorded. Never fails.
    pub fn record_file_action(
        &self,
        path: &str,
        lines: Option<(u32, u32)>,
        action: UserAction,
    ) -> bool {
        intent::record_file_action(&self.workspace, path, lines, action)
    }

    /// Records that a symbol was asked about. It counts only where a search showed it a short time ago. Never fails.
    pub fn record_symbol_use(&self, symbol: &str) -> bool {
        intent::record_symbol_use(&self.workspace, symbol)
    }

    /// Context for a prompt. Always returns by the deadline.
    pub fn hook_prompt(&self, text: &str, deadline: Instant) -> HookAnswer {
        self.hook_prompt_with(text, deadline, &HookTuning::default())
    }

    /// Context for a prompt, with other parameters than the product's: for an evaluation.
    pub fn hook_prompt_with(
        &self,
        text: &str,
        deadline: Instant,
        tuning: &HookTuning,
    ) -> HookAnswer {
        hook::prompt(&self.workspace, text, deadline, tuning)
    }

    /// A text for an agent at the start of a session; none outside a repository or where it is switched off. Reads no file of the
    /// project.
    pub fn hook_session(&self) -> Option<String> {
        hook::session::session_start(&self.workspace)
    }

    /// The definitions of a name that a tool is about to search for. None if the project has no such name or the hook is switched
    /// off. Answers from the last index, and only with lines that still contain the name.
    pub fn hook_search(&self, pattern: &str) -> Option<String> {
        hook::session::search(&self.workspace, pattern)
    }

    /// A number that changes when files change; none without a watcher.
    pub fn change_count(&self) -> Option<u64> {
        self.workspace.resident()?.change_count()
    }

    /// Starts the watcher where there is none, and waits until it runs or has failed.
    pub fn start_watcher(&self) {
        self.workspace.start_watcher();
    }

    /// The commit that is checked out.
    pub fn head_commit(&self) -> Option<String> {
        ingest::git::head_commit(self.root())
    }

    /// Brings graph and chunks up to date. An error is left to the next question.
    pub fn update_all(&self) {
        self.workspace.update_all();
    }

    /// Prepares an existing index for its first search in words. An error is left to the next question.
    pub fn warm_up_search(&self) {
        self.workspace.warm_up_search();
    }

    /// Prepares everything for a first question: index, graph in memory, chunks, model, hotspots.
    pub fn warm_up(&self) -> Result<Warm, EngineError> {
        self.workspace.warm_up()
    }
}
