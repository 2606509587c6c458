#!/usr/bin/env bash
# All that must pass. Installs what it needs: rustfmt and clippy by rustup, the MCP client and a PostgreSQL by pip in
# virtual environments below the target folder, the MCP clients and what drives a browser by npm there, too, and Chromium by
# the system's packages.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf '\n== %s\n' "$*" >&2; }

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

debian() {
    command -v apt-get >/dev/null || { echo "needs $*: install it with your package manager" >&2; exit 2; }
    as_root apt-get update -qq && as_root apt-get install -y -qq "$@" >/dev/null
}

command -v cargo >/dev/null || { echo "needs cargo: see https://rustup.rs" >&2; exit 2; }
command -v cc >/dev/null || debian build-essential
command -v git >/dev/null || debian git
python3 -c 'import ensurepip, venv' 2>/dev/null || debian python3 python3-venv
cargo fmt --version >/dev/null 2>&1 || rustup component add rustfmt
cargo clippy --version >/dev/null 2>&1 || rustup component add clippy

target=${CARGO_TARGET_DIR:-target}

say "format"
bash scripts/format.sh --check
say "clippy"
cargo clippy --quiet --workspace -- -D warnings
# Helpers of tests may unwrap as the tests do.
cargo clippy --quiet --workspace --all-targets -- -D warnings -A clippy::unwrap_used
say "PostgreSQL"
database=$target/pgserver
[ -x "$database/bin/python" ] || python3 -m venv "$database"
"$database/bin/python" -W ignore -c 'import pgserver' 2>/dev/null || "$database/bin/pip" install --quiet pgserver
# Without it the tests of the shared store would be skipped.
export KNOTWORK_TEST_POSTGRES=required
say "tests"
cargo test --quiet --workspace
say "documentation"
RUSTDOCFLAGS="-D warnings" cargo doc --quiet --workspace --no-deps --document-private-items
if cargo deny --version >/dev/null 2>&1; then
    say "dependencies"
    cargo deny --log-level error check licenses bans sources
fi
# Known holes of dependencies. The databases come over the network; where it cannot be reached, that is said.
if cargo deny --version >/dev/null 2>&1 && say "advisories"; then
    if cargo deny --log-level off fetch db; then
        cargo deny --log-level error check advisories
    else
        echo "not checked: the advisory database could not be fetched" >&2
    fi
fi
if cargo audit --version >/dev/null 2>&1 && say "audit"; then
    if [ -d "${CARGO_HOME:-$HOME/.cargo}/advisory-db" ] || cargo audit --quiet --json >/dev/null 2>&1; then
        cargo audit --quiet --stale
    else
        echo "not checked: the advisory database could not be fetched" >&2
    fi
fi
# Tests of the command have built it.
say "MCP client"
venv=$target/mcp-client
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/python" -c 'import mcp.client.client' 2>/dev/null || "$venv/bin/pip" install --quiet --upgrade "mcp>=2"
"$venv/bin/python" eval/mcp_client_test.py "$target/debug/knotwork"
command -v npm >/dev/null || debian nodejs npm
packages=$target/mcp-client-npm
mkdir -p "$packages"
[ -d "$packages/node_modules/@modelcontextprotocol/client" ] ||
    npm --prefix "$packages" install --silent --no-fund --no-audit @modelcontextprotocol/sdk@1 @modelcontextprotocol/client@2 >&2
cp eval/mcp_client_test.mjs "$packages/"
node "$packages/mcp_client_test.mjs" "$target/debug/knotwork"
say "viewer in Chromium"
pages=$target/view-test
command -v node >/dev/null && command -v npm >/dev/null || debian nodejs npm
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
[ -n "$chromium" ] || { debian chromium; chromium=$(command -v chromium); }
mkdir -p "$pages"
[ -d "$pages/node_modules/axe-core" ] && [ -d "$pages/node_modules/playwright-core" ] ||
    npm install --silent --no-audit --no-fund --prefix "$pages" playwright-core axe-core
CHROMIUM=$chromium node eval/view_test.mjs "$target/debug/knotwork" "$pages"
say "all passed"
