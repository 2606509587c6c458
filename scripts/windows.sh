#!/usr/bin/env bash
# Checks and builds the program for Windows on Linux, and runs it under Wine on a small repository.
# usage: scripts/windows.sh [check|build|test|run]   (default: all of them)
# What is not installed is skipped with a message: the Rust target, MinGW, Wine.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

target=x86_64-pc-windows-gnu
out=${CARGO_TARGET_DIR:-target}
program=$out/$target/debug/knotwork.exe
what=${1:-all}

say() { printf '\n== %s\n' "$*" >&2; }
skip() {
    echo "skip  $*" >&2
    exit 0
}

if [ "$what" != run ]; then
    rustc --print target-libdir --target "$target" 2>/dev/null | xargs -r test -d || skip "needs: rustup target add $target"
    command -v x86_64-w64-mingw32-gcc >/dev/null || skip "needs MinGW (Debian: gcc-mingw-w64-x86-64 g++-mingw-w64-x86-64)"
fi
if [ "$what" = check ] || [ "$what" = all ]; then
    say "check for $target"
    cargo check --quiet --target "$target" -p knotwork
    [ "$what" = all ] || exit 0
fi
if [ "$what" = build ] || [ "$what" = all ]; then
    say "build for $target"
    cargo build --quiet --target "$target" -p knotwork
    [ "$what" = all ] || exit 0
fi

wine=$(command -v wine64 || command -v wine || true)
[ -n "$wine" ] || skip "needs Wine (Debian: wine64)"
command -v git >/dev/null || skip "needs git"
[ -e "$program" ] || [ "$what" = test ] || skip "$program is not built"

work=$(mktemp -d)
export WINEPREFIX=$work/wine WINEDEBUG=-all
stop() {
    (cd "$work/shop" 2>/dev/null && "$wine" "$program" daemon stop >/dev/null 2>&1) || true
    wineserver -k >/dev/null 2>&1 || true
    rm -rf "$work"
}
trap stop EXIT
"$wine" winecfg -v win10 >/dev/null 2>&1
# Wine before version 9 lacks a library from which Rust's standard library takes random numbers.
prng=$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll
if [ ! -e "$prng" ]; then
    cat >"$work/prng.c" <<'C'
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size) { return SystemFunction036(data, (ULONG)size); }
C
    x86_64-w64-mingw32-gcc -shared -o "$prng" "$work/prng.c" -ladvapi32
fi

if [ "$what" = test ] || [ "$what" = all ]; then
    say "tests of the platform layer"
    CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER=$wine cargo test --quiet --target "$target" -p platform
    [ "$what" = all ] || exit 0
fi

say "run under Wine"
program=$(realpath "$program")
export HOME=$work/home
mkdir -p "$HOME" "$work/shop/src"
cat >"$work/shop/src/a.py" <<'PY'
def refresh_token(old):
    return check_token(old)


def check_token(token):
    return len(token) > 3
PY
cat >"$work/shop/src/main.rs" <<'RS'
mod price;

fn main() {
    println!("{}", price::total(&[1, 2]));
}
RS
cat >"$work/shop/src/price.rs" <<'RS'
pub fn total(all: &[u32]) -> u32 {
    all.iter().map(|one| with_tax(*one)).sum()
}

fn with_tax(one: u32) -> u32 {
    one + one / 5
}
RS
cd "$work/shop"
git init -q . && git add -A
git -c user.name=test -c user.email=test@example.com commit -qm first

failed=0
# One run: a name, a pattern that its output must have, and the arguments. Standard input comes from $input.
input=/dev/null
try() {
    local name=$1 wanted=$2 said
    shift 2
    # To a file: Wine's own processes keep standard error open.
    timeout 180 "$wine" "$program" "$@" <"$input" >"$work/said" 2>&1 || true
    said=$(cat "$work/said")
    if grep -Eq "$wanted" <<<"$said"; then
        echo "ok    $name"
    else
        printf 'FAIL  %s\n%s\n' "$name" "$said"
        failed=1
    fi
}

try version '^knotwork [0-9]' --version
try index 'symbols|nodes|indexed' index
try "index status" 'files' index status
try search '^src/a\.py' search refresh_token
if grep -q 'not trusted' "$work/said"; then
    echo "FAIL  the index of this user is not trusted"
    failed=1
fi
try symbol 'src/price\.rs' graph-store find-symbol with_tax
try call-chain 'total' call-chain with_tax
try impact 'total' impact with_tax
try "a path with \\" 'price' search total --path 'src\price.rs'
printf 'def appears_now():\n    return refresh_token(1)\n' >src/b.py
try "a new file" 'src/b\.py' search appears_now
try setup 'mcpServers' setup --print --client claude-code
try doctor 'index' doctor
try "daemon start" 'Daemon started' daemon start
try "daemon status" 'running' daemon status
try "a question to the daemon" 'total' call-chain with_tax
try "daemon stats" 'requests|connections' daemon stats
try "daemon stop" 'stopped gracefully' daemon stop
try "daemon is gone" 'stopped' daemon status
input=$work/mcp.in
cat >"$input" <<'JSON'
{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/list"}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"ci_search","arguments":{"query":"with_tax"}}}
JSON
try "mcp: initialize" '"serverInfo"' mcp
try "mcp: tools/list" '"inputSchema"' mcp
try "mcp: tools/call" 'src/price\.rs' mcp
[ "$failed" = 0 ] || exit 1
say "all passed"
