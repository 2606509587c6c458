//! Developer tasks: evaluation, benchmarks, generated files. Prints; is no part of the product.

mod eval;
#[cfg(test)]
mod tidy;
mod truth;

use anyhow::Result;
use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "xtask", about = "Evaluation, benchmarks and generated files")]
struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Writes the truth of call sites from a SCIP index, one JSON object a line.
    Truth(truth::scip::Args),
    /// Measures answers against data that others made.
    #[command(subcommand)]
    Eval(Eval),
}

#[derive(Subcommand)]
enum Eval {
    /// Precision and recall of call edges made from syntax trees alone.
    Calls(eval::calls::Args),
}

fn main() -> Result<()> {
    match Args::parse().task {
        Task::Truth(args) => truth::scip::run(&args),
        Task::Eval(Eval::Calls(args)) => eval::calls::run(&args),
    }
}
