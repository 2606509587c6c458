#!/usr/bin/env bash
# Builds the release binary of each target and packs all of them into one folder (scripts/package.sh).
# usage: scripts/release.sh TARGET...
# Each target needs its Rust target (rustup target add) and its C compiler:
#   x86_64-unknown-linux-gnu, aarch64-unknown-linux-gnu    cc; elsewhere gcc-aarch64-linux-gnu
#   x86_64-unknown-linux-musl                              musl-gcc (Debian: musl-tools)
#   x86_64-pc-windows-gnu                                  MinGW (Debian: gcc-mingw-w64-x86-64 g++-mingw-w64-x86-64)
#   x86_64-pc-windows-msvc, aarch64-pc-windows-msvc        Visual Studio, on Windows
#   x86_64-apple-darwin, aarch64-apple-darwin              Xcode, on macOS
# Of two targets with one package for npm (gnu and musl, gnu and msvc), the last one counts.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

[ $# -gt 0 ] || { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0" >&2; exit 1; }
folder=${CARGO_TARGET_DIR:-target}
for target in "$@"; do
    program=knotwork
    case $target in
        *-windows-*) program=knotwork.exe ;;
        aarch64-unknown-linux-gnu)
            if [ "$(uname -m)" != aarch64 ]; then
                export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
            fi
            ;;
    esac
    cargo build --release --locked -p knotwork --target "$target"
    bash scripts/package.sh "$folder/$target/release/$program" "$folder/package" "$target"
done
