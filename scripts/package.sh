#!/usr/bin/env bash
# Packs a release binary that is already built: archive, wheel (pip, uvx), npm packages (npx), MCP bundle, checksums.
# usage: scripts/package.sh [BINARY [OUT [TARGET]]]
# Packages of several targets may share OUT. `scripts/release.sh` builds and packs them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

binary=${1:-${CARGO_TARGET_DIR:-target}/release/knotwork}
out=${2:-${CARGO_TARGET_DIR:-target}/package}
target=${3:-}
[ -f "$binary" ] || { echo "no binary at $binary: cargo build --release -p knotwork" >&2; exit 2; }
command -v python3 >/dev/null || { echo "needs python3" >&2; exit 2; }

# What removes the debug information of a target's programs here. Those of other targets are packed as they are.
case $target in
    '') strip=strip ;;
    x86_64-pc-windows-gnu) strip=x86_64-w64-mingw32-strip ;;
    "$(uname -m)"-unknown-linux-*) strip=strip ;;
    aarch64-unknown-linux-*) strip=aarch64-linux-gnu-strip ;;
    *) strip= ;;
esac
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
stripped=$binary
if [ -n "$strip" ] && command -v "$strip" >/dev/null; then
    stripped=$(mktemp)
    trap 'rm -f "$stripped"' EXIT
    cp "$binary" "$stripped"
    "$strip" "$stripped"
    chmod 755 "$stripped"
fi
python3 packaging/build.py "$stripped" "$out" "$version" ${target:+"$target"}
