#!/usr/bin/env bash
# Checks and builds the program for Windows on Linux, and runs it under Wine on a small repository.
# usage: scripts/windows.sh [check|build|test|run]   (default: all of them)
# What is not installed is skipped with a message: the Rust target, MinGW, Wine.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
here=$PWD

target=x86_64-pc-windows-gnu
out=${CARGO_TARGET_DIR:-target}
program=$out/$target/debug/knotwork.exe
what=${1:-all}
# The client of PyPI, if scripts/test.sh has installed it.
client=${MCP_CLIENT_PYTHON:-$(realpath -m "$out/mcp-client/bin/python")}

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
# As on Windows: the folder of the user is named by USERPROFILE.
unset HOME
user=$WINEPREFIX/drive_c/users/$(id -un)
mkdir -p "$work/shop/src"
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
# Ends a process as the task manager does. The `taskkill` of Wine gives it another exit code.
cat >"$work/end.c" <<'C'
#include <stdlib.h>
#include <windows.h>
int main(int count, char **words) {
    HANDLE process = OpenProcess(PROCESS_TERMINATE, FALSE, count > 1 ? atoi(words[1]) : 0);
    return process && TerminateProcess(process, 1) ? 0 : 2;
}
C
x86_64-w64-mingw32-gcc -o "$work/end.exe" "$work/end.c"
cat >"$work/shop/src/größe.py" <<'PY'
def weigh_parcel(weight):
    return weight
PY
cd "$work/shop"
# As Git for Windows sets it up: LF in the repository, CRLF on the disk.
sed -i 's/$/\r/' src/*
as_user=(-c user.name=test -c user.email=test@example.com -c core.autocrlf=true -c core.safecrlf=false)
git init -q . && git "${as_user[@]}" add -A
git "${as_user[@]}" commit -qm first

# A folder in which the paths of the index are longer than the 260 characters that programs of Windows could once use.
# Wine itself does not tell the real path of a folder that is longer.
long=$work
while [ ${#long} -lt 236 ]; do long=$long/$(printf 'x%.0s' {1..12}); done
mkdir -p "$long"
git init -q "$long"
printf 'def found_below():\n    return 1\n' >"$long/deep.py"

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
try "index again" '0 read|up to date|nothing|unchanged' index
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
try "a name that is not ASCII" 'src/größe\.py' search weigh_parcel
touch src/a.py
try "line ends of git" '^0 symbols' impact --since HEAD --format text
sed -i 's/> 3/> 4/' src/a.py
try "a changed line" 'a\.py \(modified, \+1 -1\)' impact --since HEAD --format text
try ast-delta 'a\.py|updated|up to date' ast-delta src/a.py
try "a path that is too long for Windows" 'deep\.py' -C "$(winepath -w "$long")" search found_below
try orphans '.' arch-check
try cod 'src' cod generate --format text
try hotspot 'commit' hotspot --format text
try view 'shop.html written' view --export shop.html
grep -q refresh_token shop.html || { echo "FAIL  the exported page is empty"; failed=1; }
rm -f shop.html
try hook 'additionalContext' hook --prompt 'why does refresh_token fail in src/a.py'
try setup 'mcpServers' setup --print --client claude-code
try "setup writes" 'hook +added' setup --client claude-code --hook --skill
grep -Eq '"command": "[A-Za-z]:/[^\\ ]*knotwork\.exe hook"' "$user/.claude/settings.json" ||
    { echo "FAIL  the hook has another form"; cat "$user/.claude/settings.json"; failed=1; }
try "setup again" 'hook +unchanged' setup --client claude-code --hook
try "setup for a desktop program" '~/AppData/Roaming/Zed/settings\.json' setup --client zed
try "setup takes it out" 'hook +removed' setup --remove
try doctor 'index' doctor
try "daemon start" 'Daemon started' daemon start
try "daemon status" 'running' daemon status
try "a question to the daemon" 'total' call-chain with_tax
try "daemon stats" 'requests|connections' daemon stats
killed=$("$wine" "$program" daemon status 2>/dev/null </dev/null | grep -o '"pid":[0-9]*' | cut -d: -f2)
"$wine" "$work/end.exe" "$killed" >/dev/null 2>&1 </dev/null || true
for _ in $(seq 20); do
    "$wine" "$program" daemon status </dev/null 2>/dev/null | grep -q '"running":true' && break
    sleep 1
done
try "a killed daemon is started again" '"running":true' daemon status
try "daemon stop" 'stopped gracefully' daemon stop
try "daemon is gone" 'stopped' daemon status --format text
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
if [ -x "$client" ]; then
    printf '#!/bin/sh\nexec "%s" "%s" "$@"\n' "$wine" "$program" >"$work/knotwork"
    chmod +x "$work/knotwork"
    if timeout 600 "$client" "$here/eval/mcp_client_test.py" "$work/knotwork" /Z: >"$work/said" 2>&1; then
        echo "ok    mcp: the client of PyPI"
    else
        echo "FAIL  mcp: the client of PyPI"
        cat "$work/said"
        failed=1
    fi
fi
[ "$failed" = 0 ] || exit 1
say "all passed"
