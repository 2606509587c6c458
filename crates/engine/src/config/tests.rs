//! Layers, warnings and output of the configuration.

use super::*;
use testkit::Repo;

fn source(repo: &Repo, path: &str) -> Source {
    Source {
        path: repo.file_path(path),
        within: (path != "user.yaml").then(|| repo.path().to_path_buf()),
        is_users: path == "user.yaml",
        may_be_others: path.starts_with("config/"),
        is_read: false,
    }
}

/// The configuration of a fixture with any of the three files.
fn load(repo: &Repo, overrides: &[Override]) -> Config {
    let files = [".devbooks/config.yaml", "config/features.yaml", "user.yaml"];
    Config::load(files.map(|f| source(repo, f)).to_vec(), overrides)
}

fn given(key: &str, value: &str, origin: Origin) -> Override {
    Override {
        key: key.to_owned(),
        value: value.to_owned(),
        origin,
    }
}

/// Warnings without the fixture's own folder.
fn warnings(repo: &Repo, config: &Config) -> Vec<String> {
    let folder = format!("{}/", repo.path().display());
    let all = config.warnings().iter();
    all.map(|w| w.to_string().replace(&folder, "")).collect()
}

#[test]
fn ct_008_defaults_are_those_of_the_design() {
    let config = Config::default();
    let rag = config.graph_rag();
    assert!(rag.enabled);
    assert_eq!((rag.max_depth, rag.top_k, rag.token_budget), (2, 10, 8000));
    assert_eq!(rag.cache_ttl.as_secs(), 300);
    assert_eq!(rag.min_relevance, 0.3);
    let rerank = config.reranker();
    assert!(!rerank.enabled);
    assert_eq!(rerank.provider, "anthropic");
    assert_eq!(rerank.timeout.as_millis(), 2000);
    let embedding = config.embedding();
    assert!(embedding.auto_build && embedding.fallback_to_keyword);
    assert_eq!(embedding.provider, "builtin");
    assert_eq!(config.integer("features.daemon.max_restarts"), 3);
    assert_eq!(
        config.integer("features.pattern_discovery.min_frequency"),
        3
    );
    let features = config.features();
    assert!(features.graph_store && features.scip_parser && features.daemon);
    assert!(features.orphan_detection && features.pattern_discovery && features.ckb);
}

#[test]
fn every_section_reads_keys_that_exist() {
    // A misspelt key would read as off, 0 or empty.
    let config = Config::default();
    assert!(config.hook().enabled && config.hook().session_start && config.hook().tools);
    assert!(config.hook().timeout.as_millis() > 0 && config.hook().max_characters > 0);
    assert!(config.embedding().timeout.as_secs() > 0 && config.embedding().batch_size > 0);
    assert!(config.features().intent);
    for key in KEYS {
        assert!(config.get(key.name).is_some());
    }
}

#[test]
fn a_flag_wins_over_the_environment_over_the_project_over_the_user() {
    let repo = Repo::new(
        "//- .devbooks/config.yaml\ngraph_rag:\n  max_depth: 3\n  top_k: 20\n//- config/features.yaml\nfeatures:\n  \
         graph_rag:\n    top_k: 30\n    cache_ttl: 60\n//- user.yaml\ngraph_rag:\n  max_depth: 1\n  cache_ttl: 10\n  \
         min_relevance: 0.5\n",
    );
    let overrides = [
        given("graph_rag.max_depth", "4", Origin::Flag("--set".to_owned())),
        given(
            "graph_rag.max_depth",
            "1",
            Origin::Environment("X".to_owned()),
        ),
    ];
    let config = load(&repo, &overrides);
    assert_eq!(warnings(&repo, &config), [""; 0]);
    let rag = config.graph_rag();
    assert_eq!((rag.max_depth, rag.top_k), (4, 20));
    assert_eq!((rag.cache_ttl.as_secs(), rag.min_relevance), (60, 0.5));
    let place = |key: &str| config.get(key).unwrap().1.clone();
    assert_eq!(
        place("graph_rag.top_k"),
        Origin::Project(repo.file_path(".devbooks/config.yaml"), 3)
    );
    assert_eq!(
        place("graph_rag.min_relevance"),
        Origin::User(repo.file_path("user.yaml"), 4)
    );
    assert_eq!(place("graph_rag.enabled"), Origin::Default);
}

#[test]
fn ct_009_an_invalid_value_warns_with_file_line_and_key_and_the_default_holds() {
    let repo = Repo::new(
        "//- .devbooks/config.yaml\n# limits\ngraph_rag:\n  max_depth: 9\n  token_budget: lots\n  enabled: [true]\n",
    );
    let config = load(&repo, &[]);
    assert_eq!(config.graph_rag(), Config::default().graph_rag());
    assert_eq!(
        warnings(&repo, &config),
        [
            ".devbooks/config.yaml:3: graph_rag.max_depth: `9` must be a whole number from 1 to 4; the default 2 is used",
            ".devbooks/config.yaml:4: graph_rag.token_budget: `lots` must be a whole number from 4000 to 16000; the default 8000 is used",
            ".devbooks/config.yaml:5: graph_rag.enabled: must be a single value; the default true is used",
        ]
    );
}

#[test]
fn an_invalid_value_leaves_the_weaker_one() {
    let repo = Repo::new(
        "//- .devbooks/config.yaml\ngraph_rag: {top_k: 1}\n//- user.yaml\ngraph_rag:\n  top_k: 7\n",
    );
    let config = load(&repo, &[]);
    assert_eq!(config.graph_rag().top_k, 7);
    assert!(warnings(&repo, &config)[0].ends_with("; 7 from user.yaml:2 is used"));
}

#[test]
fn ct_010_old_files_are_read_and_unknown_keys_name_the_nearest() {
    let repo = Repo::new(
        "//- user.yaml\nfeatures:\n  llm_rerank:\n    enabled: true\n    provider: ollama\n    \
         model: claude-3-haiku\n  daemn:\n    enabled: false\n  nothing_like_it: 1\n",
    );
    let config = load(&repo, &[]);
    let rerank = config.reranker();
    assert!(rerank.enabled);
    assert_eq!(rerank.provider, "ollama");
    assert_eq!(rerank.model.as_deref(), Some("claude-3-haiku"));
    assert_eq!(
        warnings(&repo, &config),
        [
            "user.yaml:7: features.daemn.enabled: unknown key; did you mean features.daemon.enabled?",
            "user.yaml:8: features.nothing_like_it: unknown key",
        ]
    );
}

#[test]
fn many_unknown_keys_of_a_file_are_one_warning() {
    let repo = Repo::new(
        "//- user.yaml\nfeatures:\n  daemn:\n    enabled: false\n  one: 1\n  two: 2\n  three: 3\n  four: 4\n  five: 5\n",
    );
    let config = load(&repo, &[]);
    assert_eq!(
        warnings(&repo, &config),
        [
            "user.yaml:3: features.daemn.enabled: unknown key; did you mean features.daemon.enabled?",
            "user.yaml: 5 unknown keys: features.one, features.two, features.three and 2 more",
        ]
    );
}

#[test]
fn off_wins_where_a_feature_is_named_twice_in_a_file() {
    for text in [
        "features:\n  llm_rerank: {enabled: false}\nreranker: {enabled: true}\n",
        "reranker: {enabled: true}\nfeatures:\n  llm_rerank: {enabled: false}\n",
    ] {
        let repo = Repo::new(&format!("//- user.yaml\n{text}"));
        let config = load(&repo, &[]);
        assert!(!config.reranker().enabled, "{text}");
        assert_eq!(config.warnings().len(), 1);
    }
}

/// All keys that decide what leaves the machine, or that store data which the user may not want stored.
const USERS: &str = "embedding:\n  provider: openai\n  base_url: http://example.org\n  model: m\n  dimensions: 3\n\
    reranker:\n  enabled: true\n  provider: openai\n  model: m\n  base_url: http://example.org\n\
    vuln:\n  online: true\nintent:\n  enabled: true\ncache:\n  shared: true\nhook:\n  enabled: true\n";

#[test]
fn a_repository_cannot_choose_what_leaves_the_machine() {
    for file in [".devbooks/config.yaml", "config/features.yaml"] {
        let repo = Repo::new(&format!("//- {file}\n{USERS}"));
        let config = load(&repo, &[]);
        assert_eq!(config.values, Config::default().values);
        let warnings = warnings(&repo, &config);
        // The three values that are defaults are not refused.
        assert_eq!(warnings.len(), 9, "{warnings:?}");
        assert_eq!(
            warnings[0],
            format!(
                "{file}:2: embedding.provider: cannot be set by a project to anything but builtin; set it in the user's own file \
                 (user.yaml), with KNOTWORK_EMBEDDING_PROVIDER or --set; the default builtin is used"
            )
        );
        assert!(warnings[1].starts_with(&format!(
            "{file}:3: embedding.base_url: cannot be set by a project; "
        )));
    }
    let repo = Repo::new(&format!("//- user.yaml\n{USERS}"));
    let config = load(&repo, &[]);
    assert_eq!(warnings(&repo, &config), [""; 0]);
    assert_eq!(config.embedding().provider, "openai");
    assert!(config.reranker().enabled && config.flag("vuln.online"));
    // Older names mean the same keys.
    let text = "features:\n  llm_rerank:\n    enabled: yes\n    provider: openai\n";
    let repo = Repo::new(&format!("//- config/features.yaml\n{text}"));
    assert_eq!(load(&repo, &[]).values, Config::default().values);
}

#[test]
fn a_repository_may_switch_off_and_not_on_again() {
    let off = "embedding: {provider: builtin}\nreranker: {enabled: off}\nintent: {enabled: no}\n\
        cache: {shared: false}\nvuln: {online: false}\n";
    let repo = Repo::new(&format!(
        "//- .devbooks/config.yaml\n{off}\n//- user.yaml\n{USERS}"
    ));
    let config = load(&repo, &[]);
    assert_eq!(warnings(&repo, &config), [""; 0]);
    assert_eq!(config.embedding().provider, "builtin");
    assert!(!config.reranker().enabled && !config.features().intent);
    assert!(!config.shares_facts_across_clones() && !config.flag("vuln.online"));
    // A feature that the user switched off stays off.
    let repo = Repo::new(&format!(
        "//- .devbooks/config.yaml\n{USERS}\n//- user.yaml\n{off}"
    ));
    let config = load(&repo, &[]);
    assert_eq!(config.embedding().provider, "builtin");
    assert!(!config.reranker().enabled && !config.features().intent);
    assert!(!config.shares_facts_across_clones() && !config.flag("vuln.online"));
}

#[test]
fn what_may_leave_the_machine_is_the_users_to_set() {
    // A new key of these sections needs a decision.
    let free = [
        "embedding.auto_build",
        "embedding.batch_size",
        "embedding.fallback_to_keyword",
        "embedding.timeout_ms",
        "reranker.timeout_ms",
        "vuln.severity",
        "vuln.timeout_ms",
    ];
    for key in KEYS {
        let section = key.name.split('.').next().unwrap();
        let sends = ["embedding", "reranker", "vuln"].contains(&section);
        if sends && !free.contains(&key.name) {
            assert_ne!(key.scope, Scope::Anywhere, "{}", key.name);
        }
    }
}

#[test]
fn secrets_are_refused_and_never_shown() {
    let repo = Repo::new(
        "//- user.yaml\nembedding:\n  api_key: sk-very-secret\n  provider: sk-very-secret-0123456789\n",
    );
    let config = load(&repo, &[]);
    let warnings = warnings(&repo, &config);
    assert!(
        warnings[0].contains("environment variables only"),
        "{warnings:?}"
    );
    let shown = serde_json::to_string(&config.show()).unwrap();
    assert!(!shown.contains("sk-very") && !format!("{warnings:?}").contains("sk-very"));
}

#[test]
fn the_login_of_an_address_is_not_shown() {
    let repo = Repo::new(
        "//- user.yaml\nembedding:\n  base_url: http://me:hunter2@localhost:1/v1?a=b@c\n",
    );
    let shown = serde_json::to_string(&load(&repo, &[]).show()).unwrap();
    assert!(
        shown.contains("http://****@localhost:1/v1?a=b@c") && !shown.contains("hunter2"),
        "{shown}"
    );
}

#[test]
fn a_file_of_another_program_is_left_alone() {
    let repo = Repo::new("//- config/features.yaml\nnew_checkout:\n  rollout: 50%\n");
    let config = load(&repo, &[]);
    assert_eq!(warnings(&repo, &config), [""; 0]);
    assert!(config.show().files.is_empty());
}

#[test]
fn damaged_files_are_named_and_ignored() {
    let repo = Repo::new("//- .devbooks/config.yaml\ngraph_rag:\n  top_k: 20\n bad: [\n");
    std::fs::write(repo.file_path("user.yaml"), b"\xff\xfe\x00").unwrap();
    let config = load(&repo, &[]);
    assert_eq!(config.graph_rag().top_k, 10);
    let warnings = warnings(&repo, &config);
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    assert!(warnings[0].starts_with(".devbooks/config.yaml:"));
    assert!(warnings[0].contains("invalid YAML"));
    assert_eq!(warnings[1], "user.yaml: is not UTF-8; it is ignored");
}

#[test]
fn everything_is_shown_with_its_place() {
    let repo = Repo::new("//- .devbooks/config.yaml\n\nintent:\n  enabled: off\n");
    let environment = Origin::Environment("CKB_ENABLED".to_owned());
    let config = load(
        &repo,
        &[given("features.ckb.enabled", "false", environment)],
    );
    let shown = config.show();
    assert_eq!(shown.values.len(), KEYS.len());
    let text = shown.to_text();
    let line = |key: &str| {
        let found = text.lines().find(|l| l.starts_with(key)).unwrap();
        found.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert!(line("intent.enabled").starts_with("intent.enabled false "));
    assert!(line("intent.enabled").ends_with(".devbooks/config.yaml:3"));
    assert_eq!(
        line("features.ckb.enabled"),
        "features.ckb.enabled false environment CKB_ENABLED"
    );
    assert_eq!(line("reranker.model"), "reranker.model haiku default");
}

#[test]
fn the_reference_lists_every_key() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/configuration.md");
    let text = std::fs::read_to_string(path).unwrap();
    let rows: Vec<&str> = text.lines().filter(|l| l.starts_with("| `")).collect();
    let row = |key: &Key| {
        let user = match key.scope {
            Scope::Anywhere => String::new(),
            Scope::User => " (user's file only)".to_owned(),
            Scope::UserOr(only) => format!(" (a project may only set it to {only})"),
        };
        let default = key.kind.default();
        let (name, allowed, about) = (key.name, key.kind.describe_allowed(), key.about);
        format!("| `{name}` | {default} | {allowed} | {about}{user} |")
    };
    let expected: Vec<String> = KEYS.iter().map(row).collect();
    assert_eq!(
        rows, expected,
        "docs/configuration.md is not as the keys are"
    );
}

#[cfg(unix)]
#[test]
fn a_projects_file_is_no_link_that_leads_out_and_never_blocks() {
    let repo = Repo::new("//- outside.yaml\nhook:\n  enabled: false\n//- project/x\n");
    let load = |path: &str| {
        let root = repo.file_path("project");
        let source = Source {
            path: root.join(path),
            within: Some(root),
            is_users: false,
            may_be_others: false,
            is_read: false,
        };
        let config = Config::load(vec![source], &[]);
        let said = config.warnings().first().map(|w| w.message.clone());
        (config.hook().enabled, said.unwrap_or_default())
    };
    repo.make_link("project/a.yaml", "../outside.yaml");
    repo.make_link("project/b.yaml", "/dev/zero");
    repo.make_link("project/c", "..");
    for path in ["a.yaml", "b.yaml", "c/outside.yaml"] {
        let (enabled, said) = load(path);
        assert!(enabled && said.contains("leads outside"), "{path}: {said}");
    }
    repo.make_fifo("project/d.yaml");
    assert_eq!(
        load("d.yaml"),
        (
            true,
            "is not a regular file of at most 1 MiB; it is ignored".to_owned()
        )
    );
    repo.write("project/e.yaml", "hook:\n  enabled: false\n");
    repo.make_link("project/f.yaml", "e.yaml");
    assert!(!load("f.yaml").0);
}
