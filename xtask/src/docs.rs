//! Writes the tables in the pages that are made from lists in the code. The tests that compare these tables also write them.

use anyhow::{Context, Result, ensure};
use std::process::Command;

/// The options that select a crate, and the names of the tests.
const TESTS: [(&[&str], &str); 2] = [
    (&["--workspace", "--bin", "knotwork"], "commands::tests::"),
    (
        &["--package", "languages", "--lib"],
        "the_docs_have_every_language",
    ),
];

/// Runs the tests.
pub(crate) fn write_docs() -> Result<()> {
    for (target, tests) in TESTS {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let done = Command::new(cargo)
            .args(["test", "--quiet"])
            .args(target)
            .arg(tests)
            .env("UPDATE_DOCS", "1")
            .status()
            .context("cannot run cargo")?;
        ensure!(done.success(), "the tests {tests} failed");
    }
    Ok(())
}
