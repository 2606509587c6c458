#!/usr/bin/env bash
# Formats all sources; with --check, says what is not formatted. The modules in the lists of languages, operations and commands are
# named in macros, where cargo does not find them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

cargo fmt --all "$@"
rustfmt --edition 2024 "$@" \
    crates/languages/src/*/profile.rs \
    crates/engine/src/ops/{*.rs,*/mod.rs} \
    crates/knotwork/src/commands/{*.rs,*/mod.rs}
