//! Writes the tables in the pages that lists of the program make. The tests that compare them write them.

use anyhow::{Context, Result, ensure};
use std::process::Command;

/// Where the tests are, and their names.
const TESTS: [(&[&str], &str); 2] = [
    (&["--workspace", "--bin", "knotwork"], "commands::tests::"),
    (
        &["--package", "languages", "--lib"],
        "the_docs_have_every_language",
    ),
];

/// Runs the tests.
pub(crate) fn run() -> Result<()> {
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
