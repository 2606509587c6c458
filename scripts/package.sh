#!/usr/bin/env bash
# Packs a release binary that is already built: archive, wheel (pip, uvx), npm packages (npx), MCP bundle, checksums.
# usage: scripts/package.sh [BINARY [OUT [TARGET]]]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

binary=${1:-${CARGO_TARGET_DIR:-target}/release/knotwork}
out=${2:-${CARGO_TARGET_DIR:-target}/package}
[ -f "$binary" ] || { echo "no binary at $binary: cargo build --release -p knotwork" >&2; exit 2; }
command -v python3 >/dev/null || { echo "needs python3" >&2; exit 2; }

version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
stripped=$binary
if [ -z "${3:-}" ] && command -v strip >/dev/null; then
    stripped=$(mktemp)
    trap 'rm -f "$stripped"' EXIT
    cp "$binary" "$stripped"
    strip "$stripped"
    chmod 755 "$stripped"
fi
python3 packaging/build.py "$stripped" "$out" "$version" ${3:+"$3"}
