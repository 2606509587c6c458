#!/usr/bin/env bash
# Packs a release binary and installs each package from an empty environment: nothing comes over the network.
# usage: scripts/test-package.sh [BINARY]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
out=$work/out
bash scripts/package.sh "${1:-${CARGO_TARGET_DIR:-target}/release/knotwork}" "$out" >/dev/null
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
mkdir -p "$work/home" "$work/project/src"
printf '[project]\nname = "shop"\n' >"$work/project/pyproject.toml"
printf 'def refresh_token():\n    return 1\n' >"$work/project/src/a.py"
export PATH

# A command with an empty environment and a home of its own.
bare() { (cd "$work/project" && env -i PATH="${BARE_PATH:-$PATH}" HOME="$work/home" "$@"); }

# Version, a question, and a handshake with the server.
check() {
    local name=$1
    shift
    local said
    said=$(bare "$@" --version)
    [ "$said" = "knotwork $version" ] || { echo "$name: $said" >&2; exit 1; }
    bare "$@" search refresh_token 2>/dev/null | grep -q 'src/a.py:1' || { echo "$name: no answer" >&2; exit 1; }
    said=$(printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}' | bare "$@" mcp 2>/dev/null)
    grep -q '"serverInfo"' <<<"$said" || { echo "$name: no handshake: $said" >&2; exit 1; }
    echo "ok    $name"
}

(cd "$out" && if command -v sha256sum >/dev/null; then sha256sum --quiet -c SHA256SUMS; else shasum -a 256 -c SHA256SUMS >/dev/null; fi)
echo "ok    checksums"

mkdir "$work/archive"
tar -xzf "$out"/knotwork-"$version"-*.tar.gz -C "$work/archive"
check archive "$work"/archive/*/knotwork

python3 -m zipfile -e "$out"/*.mcpb "$work/mcpb"
chmod 755 "$work/mcpb/server/knotwork"
check mcpb "$work/mcpb/server/knotwork"

python3 -m venv "$work/venv"
bare "$work/venv/bin/pip" install --quiet --no-index --disable-pip-version-check "$out"/*.whl
check pip "$work/venv/bin/knotwork"
bare "$work/venv/bin/pip" uninstall --quiet --yes knotwork
[ ! -e "$work/venv/bin/knotwork" ] || { echo "pip: the program stayed" >&2; exit 1; }

if command -v uvx >/dev/null; then
    check uvx "$(command -v uvx)" --offline --from "$out"/*.whl knotwork
else
    echo "skip  uvx is not installed"
fi

if command -v npm >/dev/null; then
    mkdir "$work/npm"
    program=$(ls "$out"/knotwork-*-*.tgz | grep -v knotwork-npm)
    bare npm install --silent --offline --no-audit --no-fund --omit=optional --prefix "$work/npm" "$program" "$out"/knotwork-npm-*.tgz
    check npm "$work/npm/node_modules/.bin/knotwork"
    check npx npx --offline --no --prefix "$work/npm" -- knotwork
else
    echo "skip  npm is not installed"
fi
