#!/usr/bin/env bash
# Runs the tests of the crates that have `unsafe` code under AddressSanitizer. It needs Linux on x86-64 and no nightly
# toolchain: the stable one ships the runtime, and RUSTC_BOOTSTRAP lets it take the flag.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export RUSTC_BOOTSTRAP=1 RUSTFLAGS="-Zsanitizer=address"
# A target folder of its own: the flags differ from those of every other build.
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-target}/sanitize
exec cargo test --target x86_64-unknown-linux-gnu --lib -p search -p solution "$@"
