//! Names and call shapes of an earlier implementation in shell scripts: `knotwork shim NAME ARGS…`, which the wrappers of
//! `knotwork shims install` call. Flags and field names are translated, and the program's own commands answer.
//!
//! An answer in JSON goes to standard output with nothing else on either stream, unless the call fails.

mod analyses;
mod arguments;
mod cache;
mod context;
mod facts;
mod federation;
mod graph;
mod intent;
mod overview;
mod own;

use crate::environment;
use arguments::Arguments;
use serde_json::Value;
use std::io::IsTerminal;
use std::process::ExitCode;

/// The answer of a wrapper.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Reply {
    pub out: String,
    pub err: String,
    pub code: u8,
}

impl Reply {
    fn text(out: impl Into<String>) -> Reply {
        Reply {
            out: out.into(),
            ..Reply::default()
        }
    }

    /// Formats JSON as the program's own commands do, with hidden characters escaped.
    fn json(value: &Value) -> Reply {
        let text = value.to_string();
        Reply::text(format!("{}\n", guard::text::escape_multiline(&text)))
    }

    fn failure(code: u8, message: impl std::fmt::Display) -> Reply {
        Reply {
            err: format!("error: {message}\n"),
            code,
            ..Reply::default()
        }
    }
}

type Answer = Result<Reply, Reply>;

/// A script of the earlier implementation.
struct Script {
    name: &'static str,
    usage: &'static str,
    /// Options without a value.
    flags: &'static [&'static str],
    /// Options with a value.
    options: &'static [&'static str],
    run: fn(Arguments) -> Answer,
}

/// The scripts, by name without `.sh`.
const SCRIPTS: &[&Script] = &[
    &graph::GRAPH_STORE,
    &graph::SCIP_TO_GRAPH,
    &graph::DAEMON,
    &graph::AST_DELTA,
    &graph::INDEXER,
    &graph::EMBEDDING,
    &graph::DEVBOOKS_EMBEDDING,
    &cache::CACHE_MANAGER,
    &context::GRAPH_RAG,
    &context::GRAPH_RAG_CONTEXT,
    &context::CONTEXT_RERANKER,
    &context::CI_SEARCH,
    &context::AUGMENT_CONTEXT,
    &analyses::IMPACT,
    &overview::COD,
    &analyses::VULN,
    &federation::FEDERATION,
    &analyses::GUARD,
    &analyses::PATTERN,
    &analyses::BUG_LOCATOR,
    &analyses::HOTSPOT,
    &analyses::BOUNDARY,
    &analyses::COMPLEXITY,
    &analyses::CALL_CHAIN,
    &analyses::CALL_CHAIN_TRACER,
    &intent::INTENT_LEARNER,
];

/// The names of the wrappers: `graph-store.sh` and so on; `ci-search` has no ending.
pub(crate) fn wrapper_names() -> impl Iterator<Item = String> {
    SCRIPTS.iter().map(|script| match script.name {
        "ci-search" => script.name.to_owned(),
        name => format!("{name}.sh"),
    })
}

/// Whether the program was called as `knotwork shim`.
pub(crate) fn is_asked_for() -> bool {
    std::env::args_os()
        .nth(1)
        .is_some_and(|word| word == "shim")
}

/// Answers a call of a wrapper.
pub(crate) fn answer_wrapper() -> ExitCode {
    let words = std::env::args_os().skip(2);
    let mut words = words.map(|word| word.to_string_lossy().into_owned());
    let installed = environment::install_trust_policy(false);
    let reply = match (installed, words.next()) {
        (Err(error), _) => Reply::failure(error.kind.exit_code(), error),
        (_, Some(name)) => answer(&name, words.collect()),
        (_, None) => Reply::failure(1, "usage: knotwork shim NAME [ARGUMENTS]"),
    };
    // Output for another program is left as it was stored.
    let out = if std::io::stdout().is_terminal() {
        guard::text::escape_multiline(&reply.out)
    } else {
        reply.out.as_str().into()
    };
    // A closed pipe is no error.
    let _ = std::io::Write::write_all(&mut std::io::stdout(), out.as_bytes());
    let _ = std::io::Write::write_all(&mut std::io::stderr(), reply.err.as_bytes());
    ExitCode::from(reply.code)
}

fn answer(name: &str, words: Vec<String>) -> Reply {
    let bare = name.strip_suffix(".sh").unwrap_or(name);
    let Some(script) = SCRIPTS.iter().find(|script| script.name == bare) else {
        let all: Vec<&str> = SCRIPTS.iter().map(|script| script.name).collect();
        let message = format!("no wrapper called {name}; there are {}", all.join(", "));
        return Reply::failure(1, message);
    };
    if words.iter().any(|word| word == "--help" || word == "-h") {
        return Reply::text(help(name, script));
    }
    if words.iter().any(|word| word == "--version") {
        return Reply::text(format!("{name} version {}\n", env!("CARGO_PKG_VERSION")));
    }
    match Arguments::read(script, words).and_then(script.run) {
        Ok(reply) | Err(reply) => reply,
    }
}

fn help(name: &str, script: &Script) -> String {
    format!(
        "DevBooks {} ({name}): answered by knotwork\n\nUsage:\n{}\n\nAll scripts take:\n  \
         --format FORMAT           the form of the answer\n  \
         --cwd DIR                 the project, also --project-root DIR\n  \
         --enable-all-features     switches on what a configuration switched off\n  \
         --help, --version\n",
        title(script.name),
        script.usage
    )
}

/// `Bug Locator` for `bug-locator`.
fn title(name: &str) -> String {
    let words = name.split('-').map(|word| {
        let (first, rest) = word.split_at(1);
        first.to_uppercase() + rest
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn every_wrapper_helps_and_has_a_version() {
        for name in wrapper_names() {
            let help = answer(&name, words("--help"));
            assert_eq!(help.code, 0, "{name}");
            assert!(
                help.out.contains("Usage:") && help.out.contains("  "),
                "{name}"
            );
            let version = answer(&name, words("--version"));
            assert!(version.out.starts_with(&name), "{name}");
            assert_eq!(answer(&name, words("--no-such-option")).code, 1, "{name}");
        }
        assert_eq!(answer("other.sh", Vec::new()).code, 1);
    }
}
