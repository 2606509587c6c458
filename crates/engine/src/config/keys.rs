//! All keys: their values, defaults and effects.

use super::value::Kind;
use strsim::levenshtein;

/// The files that may set a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Any file.
    Anywhere,
    /// Only the user's file, the environment and flags. A repository that somebody else wrote must not choose where code and
    /// keys are sent, or which program is run.
    User,
    /// Like [`Scope::User`], but a project's file may set this one value. With that value no data leaves the machine or is
    /// stored.
    UserOr(&'static str),
}

/// A key.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Key {
    /// The dotted name.
    pub name: &'static str,
    /// The type of its values.
    pub kind: Kind,
    /// The effect of the key.
    pub about: &'static str,
    /// The files that may set it.
    pub scope: Scope,
    /// An environment variable of its own that sets it.
    pub variable: Option<&'static str>,
}

const fn any_scope_key(name: &'static str, kind: Kind, about: &'static str) -> Key {
    Key {
        name,
        kind,
        about,
        scope: Scope::Anywhere,
        variable: None,
    }
}

const fn user_key(name: &'static str, kind: Kind, about: &'static str) -> Key {
    Key {
        scope: Scope::User,
        ..any_scope_key(name, kind, about)
    }
}

/// A key that a project may only switch off.
const fn project_may_disable_key(name: &'static str, kind: Kind, about: &'static str) -> Key {
    Key {
        scope: Scope::UserOr("false"),
        ..any_scope_key(name, kind, about)
    }
}

const fn integer(default: i64, min: i64, max: i64) -> Kind {
    Kind::Integer { default, min, max }
}

const fn number(default: f64, min: f64, max: f64) -> Kind {
    Kind::Number { default, min, max }
}

/// The first is the default. `auto` is an explicit choice: a key in the environment alone must not send source code to anybody.
const PROVIDERS: &[&str] = &["builtin", "auto", "openai", "azure", "ollama", "mock"];
const SEVERITIES: &[&str] = &["moderate", "low", "high", "critical"];
const LLMS: &[&str] = &["anthropic", "openai", "ollama"];

/// The least ceiling on memory: the program, its model and the database's cache take a third of it.
const LEAST_MEMORY: u64 = 256 << 20;

/// All keys, sorted by name.
pub const KEYS: &[Key] = &[
    Key {
        variable: Some("ARCH_RULES_FILE"),
        ..any_scope_key(
            "arch.rules",
            Kind::Text(None),
            "file with layer rules, used if no file is given [default: config/arch-rules.yaml, .devbooks/arch-rules.yaml]",
        )
    },
    project_may_disable_key(
        "cache.shared",
        Kind::Flag(true),
        "worktrees and clones of one repository share the facts of files, in the user's own cache folder, and a first index begins with that of another",
    ),
    any_scope_key(
        "embedding.auto_build",
        Kind::Flag(true),
        "build a missing index automatically",
    ),
    user_key(
        "embedding.base_url",
        Kind::Text(None),
        "URL of the embedding provider [default: its own address]",
    ),
    any_scope_key(
        "embedding.batch_size",
        integer(64, 1, 2048),
        "texts in one request to a provider",
    ),
    user_key(
        "embedding.dimensions",
        integer(0, 0, 8192),
        "length of a provider's vectors; 0 for the model's own",
    ),
    any_scope_key(
        "embedding.fallback_to_keyword",
        Kind::Flag(true),
        "search by words where a provider fails",
    ),
    user_key(
        "embedding.model",
        Kind::Text(None),
        "the provider's model [default: the provider's usual one]",
    ),
    Key {
        scope: Scope::UserOr("builtin"),
        ..any_scope_key(
            "embedding.provider",
            Kind::Word(PROVIDERS),
            "the embedding provider; builtin needs no key and no network",
        )
    },
    any_scope_key(
        "embedding.timeout_ms",
        integer(30_000, 500, 600_000),
        "longest wait for one answer of a provider",
    ),
    Key {
        variable: Some("CKB_URL"),
        ..user_key(
            "features.ckb.base_url",
            Kind::Text(None),
            "the address of a CKB server, asked where there is no graph",
        )
    },
    Key {
        variable: Some("CKB_ENABLED"),
        ..any_scope_key(
            "features.ckb.enabled",
            Kind::Flag(true),
            "ask CKB where there is no graph and base_url names a server; CKB is never needed",
        )
    },
    any_scope_key(
        "features.daemon.auto_restart",
        Kind::Flag(true),
        "start the daemon again after a crash",
    ),
    any_scope_key(
        "features.daemon.enabled",
        Kind::Flag(true),
        "use a resident daemon",
    ),
    any_scope_key(
        "features.daemon.idle_seconds",
        integer(3_600, 0, 31_536_000),
        "the daemon stops after this time without a request; 0 for never",
    ),
    Key {
        variable: Some("DAEMON_MAX_RESTARTS"),
        ..any_scope_key(
            "features.daemon.max_restarts",
            integer(3, 1, 10),
            "restarts before the daemon stays down",
        )
    },
    Key {
        variable: Some("DAEMON_QUEUE_SIZE"),
        ..any_scope_key(
            "features.daemon.queue_size",
            integer(10, 1, 10_000),
            "maximum number of waiting requests; further ones are refused as busy",
        )
    },
    any_scope_key(
        "features.graph_store.enabled",
        Kind::Flag(true),
        "the graph; without it call chains come from CKB or a linear search",
    ),
    any_scope_key(
        "features.graph_store.wal_mode",
        Kind::Flag(true),
        "write-ahead log, so that reading goes on while something writes",
    ),
    any_scope_key(
        "features.orphan_detection.enabled",
        Kind::Flag(true),
        "find unused symbols",
    ),
    any_scope_key(
        "features.pattern_discovery.enabled",
        Kind::Flag(true),
        "learning patterns",
    ),
    any_scope_key(
        "features.pattern_discovery.min_frequency",
        integer(3, 1, 100),
        "how often a pattern must occur",
    ),
    any_scope_key(
        "features.scip_parser.enabled",
        Kind::Flag(true),
        "reading SCIP indexes",
    ),
    any_scope_key(
        "features.scip_parser.fallback_regex",
        Kind::Flag(true),
        "build the graph from syntax trees if the SCIP index is damaged",
    ),
    user_key(
        "federation.allow",
        Kind::Text(None),
        "folders outside the project, separated by commas, that a project's federation.yaml may name",
    ),
    any_scope_key(
        "graph_rag.cache_ttl",
        integer(300, 0, 86_400),
        "how many seconds an answer stays in the cache; 0 for none",
    ),
    any_scope_key(
        "graph_rag.enabled",
        Kind::Flag(true),
        "context from search and graph",
    ),
    any_scope_key(
        "graph_rag.max_depth",
        integer(2, 1, 4),
        "steps from an anchor through the graph",
    ),
    any_scope_key(
        "graph_rag.min_relevance",
        number(0.3, 0.0, 1.0),
        "least relevance of an anchor",
    ),
    any_scope_key(
        "graph_rag.token_budget",
        integer(8_000, 4_000, 16_000),
        "most tokens of an answer",
    ),
    any_scope_key(
        "graph_rag.top_k",
        integer(10, 5, 50),
        "anchors taken from search",
    ),
    project_may_disable_key(
        "hook.enabled",
        Kind::Flag(true),
        "whether the prompt hook says anything",
    ),
    any_scope_key(
        "hook.max_characters",
        integer(5_000, 500, 9_999),
        "most characters added to a prompt",
    ),
    project_may_disable_key(
        "hook.session_start",
        Kind::Flag(true),
        "one line about the index when a session starts",
    ),
    any_scope_key(
        "hook.timeout_ms",
        integer(2_500, 50, 2_900),
        "the hook's own deadline",
    ),
    project_may_disable_key(
        "hook.tools",
        Kind::Flag(true),
        "before an agent searches for a name, tell it what the graph knows of it",
    ),
    project_may_disable_key(
        "intent.enabled",
        Kind::Flag(true),
        "remember, on this machine alone, which symbols were opened and edited after a search",
    ),
    user_key(
        "limits.memory",
        Kind::Size { min: LEAST_MEMORY },
        "memory ceiling for indexing, questions and daemon; what does not fit is left out and reported [default: a quarter of the machine's, at least 512 MB]",
    ),
    user_key(
        "reranker.base_url",
        Kind::Text(None),
        "URL of the language model [default: its own address]",
    ),
    project_may_disable_key(
        "reranker.enabled",
        Kind::Flag(false),
        "let a language model sort the best results again",
    ),
    user_key(
        "reranker.model",
        Kind::Text(Some("haiku")),
        "the language model; haiku is Anthropic's, the other providers have their own default",
    ),
    user_key(
        "reranker.provider",
        Kind::Word(LLMS),
        "whose language model",
    ),
    any_scope_key(
        "reranker.timeout_ms",
        integer(2_000, 500, 10_000),
        "longest wait for re-ranking, tries included",
    ),
    project_may_disable_key(
        "vuln.online",
        Kind::Flag(false),
        "allow audit tools to use the network, also for agents; names and versions of packages are sent",
    ),
    Key {
        variable: Some("VULN_SEVERITY_THRESHOLD"),
        ..any_scope_key(
            "vuln.severity",
            Kind::Word(SEVERITIES),
            "minimum severity of a vulnerability to report",
        )
    },
    any_scope_key(
        "vuln.timeout_ms",
        integer(60_000, 100, 600_000),
        "longest wait for one run of an audit tool",
    ),
];

impl Key {
    /// Whether a project's file may set this value.
    pub(crate) fn may_be_set_by_project(&self, text: Option<&str>) -> bool {
        match self.scope {
            Scope::Anywhere => true,
            Scope::User => false,
            Scope::UserOr(only) => {
                let value = text.and_then(|text| self.kind.parse_value(text).ok());
                value.is_some() && value == self.kind.parse_value(only).ok()
            }
        }
    }

    /// Whether a text gives the default, so that ignoring it changes nothing.
    pub(crate) fn is_default(&self, text: Option<&str>) -> bool {
        let value = text.and_then(|text| self.kind.parse_value(text).ok());
        value.is_some_and(|value| value == self.kind.default())
    }

    /// The environment variable made from its name, besides one of its own.
    pub fn variable_name(&self) -> String {
        format!("KNOTWORK_{}", self.name.replace('.', "_").to_uppercase())
    }
}

/// The position of a key in [`KEYS`].
pub(crate) fn key_index(name: &str) -> Option<usize> {
    KEYS.binary_search_by(|key| key.name.cmp(name)).ok()
}

/// The key that a name in a file means. `features.X` and `X` are the same where only one of them exists, and `llm_rerank` is an
/// older name of the re-ranker.
pub fn find(name: &str) -> Option<&'static Key> {
    resolve_alias(name).and_then(|position| KEYS.get(position))
}

/// The position of the key that [`find`] gives.
pub(crate) fn resolve_alias(name: &str) -> Option<usize> {
    let bare = name.strip_prefix("features.").unwrap_or(name);
    let bare = match bare.strip_prefix("llm_rerank.") {
        Some(rest) => format!("reranker.{rest}"),
        None => bare.to_owned(),
    };
    key_index(name)
        .or_else(|| key_index(&bare))
        .or_else(|| key_index(&format!("features.{bare}")))
}

/// The known key with the most similar name, if one is similar.
pub(crate) fn suggest_key(name: &str) -> Option<&'static str> {
    let near = |key: &'static Key| {
        let distance = [key.name, key.name.trim_start_matches("features.")]
            .into_iter()
            .map(|known| levenshtein(name, known))
            .min()?;
        // Two typing errors; more make another word.
        (distance <= 2.max(name.len() / 6)).then_some((distance, key.name))
    };
    // A name much longer than any key is not a misspelt key.
    if name.len() > 80 {
        return None;
    }
    KEYS.iter().filter_map(near).min().map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_sorted_and_their_defaults_are_allowed() {
        assert!(KEYS.is_sorted_by(|a, b| a.name < b.name));
        for key in KEYS {
            let default = key.kind.default();
            if default != super::super::Value::Unset {
                assert_eq!(
                    key.kind.parse_value(&default.to_string()),
                    Ok(default),
                    "{}",
                    key.name
                );
            }
        }
    }

    #[test]
    fn a_key_has_its_older_names_too() {
        let name = |text| find(text).map(|key| key.name);
        assert_eq!(
            name("features.llm_rerank.timeout_ms"),
            Some("reranker.timeout_ms")
        );
        assert_eq!(
            name("features.graph_rag.enabled"),
            Some("graph_rag.enabled")
        );
        assert_eq!(name("daemon.enabled"), Some("features.daemon.enabled"));
        assert_eq!(name("graph_rag"), None);
    }

    #[test]
    fn the_nearest_key_is_named() {
        assert_eq!(
            suggest_key("graph_rag.max_dept"),
            Some("graph_rag.max_depth")
        );
        assert_eq!(suggest_key("graphrag.top_k"), Some("graph_rag.top_k"));
        assert_eq!(
            suggest_key("orphan_detecton.enabled"),
            Some("features.orphan_detection.enabled")
        );
        assert_eq!(suggest_key("new_checkout.enabled"), None);
    }
}
