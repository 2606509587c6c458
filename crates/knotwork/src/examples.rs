//! Examples below the help of each command.

pub(crate) const INDEX: &str = "\
Examples:
  knotwork index            build or update the index of this project
  knotwork index status     compare the index with the files; list what is not read
  knotwork index --precise --trust-repository
  knotwork index export index.knotwork && knotwork index import index.knotwork --force";

pub(crate) const AST_DELTA: &str = "\
Examples:
  knotwork ast-delta src/parser.py
  knotwork ast-delta --since HEAD~1";

pub(crate) const EMBEDDING: &str = "\
Examples:
  knotwork embedding build --provider ollama
  knotwork embedding status";

pub(crate) const VIEW: &str = "\
Examples:
  knotwork view
  knotwork view --no-open --port 8080
  knotwork view --export code.html";

pub(crate) const SEARCH: &str = "\
Examples:
  knotwork search \"where are access tokens refreshed\"
  knotwork search --mode symbol TokenStore
  knotwork search --mode regex 'raise [A-Z][a-z]+' --path src";

pub(crate) const GRAPH_RAG: &str = "\
Examples:
  knotwork graph-rag \"how is a request authenticated\"
  knotwork graph-rag \"retry with back-off\" --budget 4000 --format md";

pub(crate) const CALL_CHAIN: &str = "\
Examples:
  knotwork call-chain TokenStore.refresh
  knotwork call-chain src/auth.py:42 --direction callees --depth 3";

pub(crate) const IMPACT: &str = "\
Examples:
  knotwork impact TokenStore.refresh
  knotwork impact file src/auth.py
  knotwork impact --since main";

pub(crate) const BUG_LOCATE: &str = "\
Examples:
  knotwork bug-locate \"KeyError: 'expires_in'\"
  pytest 2>&1 | knotwork bug-locate
  knotwork bug-locate --stacktrace crash.log --with-impact";

pub(crate) const HOTSPOT: &str = "\
Examples:
  knotwork hotspot --days 90 --limit 10
  knotwork hotspot --coupling";

pub(crate) const ARCH_CHECK: &str = "\
Examples:
  knotwork arch-check --cycle-check
  knotwork arch-check --orphan-check --scope 'src/**'
  knotwork arch-check init && knotwork arch-check --rules config/arch-rules.yaml --strict";

pub(crate) const COD: &str = "\
Examples:
  knotwork cod generate --level 2 > overview.mmd
  knotwork cod module src/server";

pub(crate) const COMPLEXITY: &str = "\
Examples:
  knotwork complexity --limit 10
  knotwork complexity src --over --strict";

pub(crate) const BOUNDARY: &str = "\
Examples:
  knotwork boundary --path vendor/lib.js
  knotwork boundary --path . --batch";

pub(crate) const PATTERN: &str = "\
Examples:
  knotwork pattern learn
  knotwork pattern check";

pub(crate) const VULN: &str = "\
Examples:
  knotwork vuln scan --online
  npm audit --json | knotwork vuln parse --input -
  knotwork vuln trace lodash";

pub(crate) const FEDERATION: &str = "\
Examples:
  knotwork federation update
  knotwork federation search UserService
  knotwork federation generate-virtual-edges --sync
  knotwork federation query-virtual UserService.GetUser";

pub(crate) const RERANK: &str = "\
Example:
  knotwork search \"parse dates\" --format json | knotwork rerank --query \"parse dates\" --input - --provider ollama";

pub(crate) const GRAPH_STORE: &str = "\
Examples:
  knotwork graph-store find-symbol TokenStore.refresh
  knotwork graph-store query \"SELECT kind, count(*) FROM nodes GROUP BY kind\"";

pub(crate) const SCIP: &str = "\
Example:
  scip-typescript index && knotwork scip parse";

pub(crate) const INTENT: &str = "\
Examples:
  knotwork intent record --query \"token refresh\" --symbols TokenStore.refresh --user-action edit
  knotwork intent query --limit 5";

pub(crate) const HOOK: &str = "\
Examples:
  knotwork hook install     for all projects of this user
  knotwork hook --prompt \"why does the token refresh fail\"";

pub(crate) const SOLUTION: &str = "\
Examples:
  knotwork solution save --title \"Port is taken\" --problem \"EADDRINUSE on start\" --solution \"Stop the old server\"
  knotwork solution search \"EADDRINUSE\"";

pub(crate) const SETUP: &str = "\
Examples:
  knotwork setup                                for the agents that are found, in all projects
  knotwork setup --client cursor --scope project
  knotwork setup --hook --skill --dry-run
  knotwork setup --remove";

pub(crate) const DOCTOR: &str = "\
Example:
  knotwork doctor";

pub(crate) const PROJECTS: &str = "\
Example:
  knotwork projects";

pub(crate) const PURGE: &str = "\
Examples:
  knotwork purge --dry-run         say what would be removed for this project
  knotwork purge --all --yes       everything but saved solutions
  knotwork purge --all --solutions --yes";

pub(crate) const CONFIG: &str = "\
Example:
  knotwork config show";

pub(crate) const SHIMS: &str = "\
Example:
  knotwork shims install tools";

pub(crate) const CACHE: &str = "\
Example:
  knotwork cache status";

pub(crate) const DAEMON: &str = "\
Examples:
  knotwork daemon start
  knotwork daemon status";

pub(crate) const WATCH: &str = "\
Example:
  knotwork watch --debounce 500";

pub(crate) const WORKER: &str = "\
Examples:
  knotwork worker --add https://example.org/team/project.git --commit main
  knotwork worker             until it is interrupted
  knotwork worker --status    how far the queue is";

pub(crate) const SERVE: &str = "\
Examples:
  knotwork serve --add-user ann --repositories 'example.org/team/*'
  knotwork serve --http 127.0.0.1:8765
  knotwork serve --users";

pub(crate) const MCP: &str = "\
Examples:
  knotwork mcp                        for a client that starts the server
  knotwork mcp --preset full          for a client that lists every tool
  knotwork mcp --http 127.0.0.1:8765  for clients that connect";

pub(crate) const COMPLETIONS: &str = "\
Examples:
  knotwork completions bash > ~/.local/share/bash-completion/completions/knotwork
  knotwork completions zsh > ~/.zfunc/_knotwork
  knotwork completions fish > ~/.config/fish/completions/knotwork.fish";

pub(crate) const MAN: &str = "\
Example:
  knotwork man --output ~/.local/share/man/man1";

/// An example for each subcommand.
pub(crate) const PARTS: &[&str] = &[
    "knotwork index status --format json",
    "knotwork index clear",
    "knotwork index export index.knotwork",
    "knotwork index import index.knotwork --force",
    "knotwork embedding build --provider ollama",
    "knotwork embedding status",
    "knotwork embedding clear",
    "knotwork graph-rag search \"how is a request authenticated\"",
    "knotwork impact analyze TokenStore.refresh",
    "knotwork impact file src/auth.py",
    "knotwork arch-check init --output -",
    "knotwork cod generate --level 2 > overview.mmd",
    "knotwork cod module src/server",
    "knotwork pattern learn",
    "knotwork pattern check --strict",
    "knotwork pattern list",
    "knotwork pattern decay",
    "knotwork vuln scan --online --strict",
    "npm audit --json | knotwork vuln parse --input -",
    "knotwork vuln trace lodash",
    "knotwork federation status",
    "knotwork federation update --config config/federation.yaml",
    "knotwork federation search UserService --virtual-edges",
    "knotwork federation generate-virtual-edges --sync",
    "knotwork federation query-virtual UserService.GetUser --confidence 0.8",
    "knotwork federation endpoints",
    "knotwork graph-store init",
    "knotwork graph-store add-node --id n1 --symbol run --kind function --file src/run.py",
    "knotwork graph-store get-node --id n1",
    "knotwork graph-store update-node --id n1 --line-start 12",
    "knotwork graph-store delete-node --id n1",
    "knotwork graph-store add-edge --source n1 --target n2 --type CALLS",
    "knotwork graph-store get-edge --id e1",
    "knotwork graph-store update-edge --id e1 --line 12",
    "knotwork graph-store delete-edge --id e1",
    "knotwork graph-store query-edges --from n1 --type CALLS",
    "knotwork graph-store find-symbol TokenStore.refresh",
    "knotwork graph-store find-file src/auth.py",
    "knotwork graph-store find-unresolved refresh --limit 20",
    "knotwork graph-store find-orphans --limit 20 --format text",
    "knotwork graph-store find-path --from n1 --to n2 --edge-types CALLS",
    "knotwork graph-store batch-import --file graph.json",
    "knotwork graph-store stats",
    "knotwork graph-store query \"SELECT kind, count(*) FROM nodes GROUP BY kind\"",
    "knotwork graph-store migrate",
    "knotwork graph-store vacuum",
    "knotwork graph-store export --lines > graph.jsonl",
    "knotwork scip parse",
    "knotwork hook install",
    "knotwork hook uninstall",
    "knotwork solution save --title \"Port is taken\" --problem \"EADDRINUSE on start\" --solution \"Stop the old server\"",
    "knotwork solution search \"EADDRINUSE\" --mode keyword",
    "knotwork solution get 1f0c",
    "knotwork solution list-tags",
    "knotwork solution update 1f0c --title \"Port 8080 is taken\"",
    "knotwork solution delete 1f0c",
    "knotwork solution export solutions.json",
    "knotwork solution import solutions.json",
    "knotwork solution history 1f0c",
    "knotwork solution stats",
    "knotwork solution backend",
    "knotwork solution model",
    "knotwork config show",
    "knotwork shims install tools",
    "knotwork shims list",
    "knotwork cache status",
    "knotwork cache clear",
    "knotwork daemon start",
    "knotwork daemon stop",
    "knotwork daemon restart",
    "knotwork daemon status",
    "knotwork daemon warmup",
    "knotwork daemon run",
    "knotwork daemon ping",
    "knotwork daemon query \"SELECT count(*) FROM nodes\"",
    "knotwork daemon stats",
];

/// The example of a subcommand: `command` is `graph-store stats`.
pub(crate) fn of_part(command: &str) -> Option<&'static str> {
    let call = format!("knotwork {command}");
    let is_of = |example: &&&str| {
        let rest = example.split_once(&*call).map(|(_, rest)| rest);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    };
    PARTS.iter().find(is_of).copied()
}
