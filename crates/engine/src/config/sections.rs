//! The configuration in sections, one for each of its users.

use super::Config;
use super::layers::Origin;
use super::value::Value;
use std::time::Duration;

/// Graph-RAG.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GraphRagConfig {
    /// Whether Graph-RAG is on.
    pub enabled: bool,
    /// The most hops from an anchor, 1–4.
    pub max_depth: u32,
    /// The budget of an answer in tokens, 4,000–16,000.
    pub token_budget: usize,
    /// The time for which an answer is cached; zero for not at all.
    pub cache_ttl: Duration,
    /// The most anchors, 5–50.
    pub top_k: usize,
    /// The least relevance of an anchor, 0–1.
    pub min_relevance: f64,
}

/// Re-ranking by a language model.
#[derive(Debug, Clone, PartialEq)]
pub struct RerankConfig {
    /// Whether re-ranking is on.
    pub enabled: bool,
    /// The place where it was switched off. No flag of a question switches it on again.
    pub switched_off: Option<String>,
    /// The provider: `anthropic`, `openai` or `ollama`.
    pub provider: String,
    /// The model, if one was chosen.
    pub model: Option<String>,
    /// Another address of the provider.
    pub base_url: Option<String>,
    /// The time limit, with all attempts.
    pub timeout: Duration,
}

/// The embedder.
#[derive(Debug, Clone, PartialEq)]
pub struct EmbeddingConfig {
    /// The provider: `auto`, `builtin`, `openai`, `azure`, `ollama` or `mock`.
    pub provider: String,
    /// The model, if one was chosen.
    pub model: Option<String>,
    /// Another address of the provider.
    pub base_url: Option<String>,
    /// The dimensions of a vector, if a number was chosen.
    pub dimensions: Option<usize>,
    /// The most texts in one request.
    pub batch_size: usize,
    /// The time limit of one request.
    pub timeout: Duration,
    /// Whether a missing index is built automatically.
    pub auto_build: bool,
    /// Whether a search by words is the fallback where a provider fails.
    pub fallback_to_keyword: bool,
}

/// The prompt hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HookConfig {
    /// Whether the hook adds anything.
    pub enabled: bool,
    /// The most characters added to a prompt.
    pub max_characters: usize,
    /// The time limit of the hook.
    pub timeout: Duration,
    /// Whether the hook adds a text at the start of a session.
    pub session_start: bool,
    /// Whether the hook adds a text before a tool searches.
    pub tools: bool,
}

/// The resident daemon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DaemonConfig {
    /// Whether a daemon is allowed.
    pub enabled: bool,
    /// Whether the daemon is restarted after a crash.
    pub auto_restart: bool,
    /// The most restarts.
    pub max_restarts: u32,
    /// The most requests that may wait.
    pub queue_size: usize,
    /// The time without a request after which it ends itself; none for never.
    pub idle: Option<Duration>,
}

/// Features that are on or off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FeatureFlags {
    /// The graph store's own commands.
    pub graph_store: bool,
    /// Reading SCIP indexes.
    pub scip_parser: bool,
    /// Whether syntax trees are the fallback for a damaged SCIP index.
    pub scip_fallback: bool,
    /// The resident daemon.
    pub daemon: bool,
    /// Finding symbols without a user.
    pub orphan_detection: bool,
    /// Learning patterns.
    pub pattern_discovery: bool,
    /// Asking CKB.
    pub ckb: bool,
    /// The history of opened and edited files.
    pub intent: bool,
}

impl Config {
    /// The least number of times that a pattern must be followed, 1–100.
    pub fn min_pattern_frequency(&self) -> usize {
        self.usize_value("features.pattern_discovery.min_frequency")
    }

    /// Graph-RAG's settings.
    pub fn graph_rag(&self) -> GraphRagConfig {
        GraphRagConfig {
            enabled: self.flag("graph_rag.enabled"),
            max_depth: self.usize_value("graph_rag.max_depth") as u32,
            token_budget: self.usize_value("graph_rag.token_budget"),
            cache_ttl: Duration::from_secs(self.usize_value("graph_rag.cache_ttl") as u64),
            top_k: self.usize_value("graph_rag.top_k"),
            min_relevance: self.number("graph_rag.min_relevance"),
        }
    }

    /// The re-ranker's settings.
    pub fn reranker(&self) -> RerankConfig {
        RerankConfig {
            enabled: self.flag("reranker.enabled"),
            switched_off: match self.get("reranker.enabled") {
                Some((Value::Flag(false), origin)) if *origin != Origin::Default => {
                    Some(origin.to_string())
                }
                _ => None,
            },
            provider: self.owned_text("reranker.provider").unwrap_or_default(),
            model: self
                .owned_text("reranker.model")
                .filter(|_| self.is_set("reranker.model")),
            base_url: self.owned_text("reranker.base_url"),
            timeout: self.duration_millis("reranker.timeout_ms"),
        }
    }

    /// The embedder's settings.
    pub fn embedding(&self) -> EmbeddingConfig {
        EmbeddingConfig {
            provider: self.owned_text("embedding.provider").unwrap_or_default(),
            model: self.owned_text("embedding.model"),
            base_url: self.owned_text("embedding.base_url"),
            dimensions: Some(self.usize_value("embedding.dimensions")).filter(|n| *n > 0),
            batch_size: self.usize_value("embedding.batch_size"),
            timeout: self.duration_millis("embedding.timeout_ms"),
            auto_build: self.flag("embedding.auto_build"),
            fallback_to_keyword: self.flag("embedding.fallback_to_keyword"),
        }
    }

    /// The prompt hook's settings.
    pub fn hook(&self) -> HookConfig {
        HookConfig {
            enabled: self.flag("hook.enabled"),
            max_characters: self.usize_value("hook.max_characters"),
            timeout: self.duration_millis("hook.timeout_ms"),
            session_start: self.flag("hook.session_start"),
            tools: self.flag("hook.tools"),
        }
    }

    /// Whether worktrees and clones of one repository share the facts of files.
    pub fn shares_facts_across_clones(&self) -> bool {
        self.flag("cache.shared")
    }

    /// The daemon's settings.
    pub fn daemon(&self) -> DaemonConfig {
        let idle = self.usize_value("features.daemon.idle_seconds") as u64;
        DaemonConfig {
            enabled: self.flag("features.daemon.enabled"),
            auto_restart: self.flag("features.daemon.auto_restart"),
            max_restarts: self.usize_value("features.daemon.max_restarts") as u32,
            queue_size: self.usize_value("features.daemon.queue_size"),
            idle: (idle > 0).then(|| Duration::from_secs(idle)),
        }
    }

    /// The address of CKB, if one is configured.
    pub fn ckb_address(&self) -> Option<String> {
        self.owned_text("features.ckb.base_url")
            .filter(|_| self.is_set("features.ckb.base_url"))
    }

    /// The features that are on.
    pub fn features(&self) -> FeatureFlags {
        FeatureFlags {
            graph_store: self.flag("features.graph_store.enabled"),
            scip_parser: self.flag("features.scip_parser.enabled"),
            scip_fallback: self.flag("features.scip_parser.fallback_regex"),
            daemon: self.flag("features.daemon.enabled"),
            orphan_detection: self.flag("features.orphan_detection.enabled"),
            pattern_discovery: self.flag("features.pattern_discovery.enabled"),
            ckb: self.flag("features.ckb.enabled"),
            intent: self.flag("intent.enabled"),
        }
    }

    /// The ceiling on memory in bytes, if one was chosen.
    pub fn memory_ceiling(&self) -> Option<u64> {
        self.is_set("limits.memory")
            .then(|| self.integer("limits.memory").unsigned_abs())
    }

    fn usize_value(&self, name: &str) -> usize {
        usize::try_from(self.integer(name)).unwrap_or_default()
    }

    fn duration_millis(&self, name: &str) -> Duration {
        Duration::from_millis(self.usize_value(name) as u64)
    }

    fn owned_text(&self, name: &str) -> Option<String> {
        self.text(name).map(str::to_owned)
    }
}
