//! Developer tasks: evaluation, benchmarks, generated files. Prints; is no part of the product.

mod belief;
mod bench;
#[cfg(test)]
mod circles;
mod compare;
mod docs;
mod eval;
mod fuzz;
#[cfg(test)]
mod opens;
#[cfg(test)]
mod plugins;
#[cfg(test)]
mod readme;
#[cfg(unix)]
mod resident;
#[cfg(test)]
mod tidy;
mod trust;
mod truth;
#[cfg(test)]
mod word_lists;

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
    /// Writes the tables in README and docs that are made from the lists of commands, operations and languages.
    Docs,
    /// Runs targets of `fuzz/` on mutations of the kept inputs.
    Fuzz(fuzz::Args),
    /// Tries what the program does with content that nobody has vetted.
    Trust(trust::Args),
    /// Measures time, memory and size beside references of the same run.
    #[command(subcommand)]
    Bench(Bench),
    /// Compares Knotwork with other programs on the same repositories.
    Compare(compare::Args),
}

#[derive(Subcommand)]
enum Eval {
    /// Files change while a daemon is asked: no answer names a line that is no longer there.
    #[cfg(unix)]
    Fresh(eval::fresh::Args),
    /// Processes killed at random moments: nothing is damaged, nothing that was saved is lost.
    #[cfg(unix)]
    Kill(eval::kill::Args),
    /// A changed file among the first candidates, from the fix's own description, beside BM25.
    Bugs(eval::bugs::Args),
    /// Precision and recall of call edges made from syntax trees alone.
    Calls(eval::calls::Args),
    /// Calls of a checkout that lead nowhere known, by reason and name.
    Unresolved(eval::unresolved::Args),
    /// Hand-written questions to the product, beside ripgrep.
    Questions(eval::questions::Args),
    /// Documented functions found by their documentation: the right chunk first.
    Chunks(eval::chunks::Args),
    /// NDCG@10 and tokens to a relevant file, beside BM25.
    Search(eval::search::Args),
    /// Contexts within a budget that contain a relevant file, or a function that a fix changed.
    Context(eval::context::Args),
    /// Definitions found by queries made from their names.
    Names(eval::names::Args),
    /// What Graph-RAG and the prompt hook give for a question: relevant files held, tokens.
    Prompts(eval::prompts::Args),
    /// Whether updates give, row for row, what a clean build gives.
    Incremental(eval::incremental::Args),
    /// Paraphrased problems to the solution memory: recall@5 and MRR of its modes.
    Solutions(eval::solutions::Args),
    /// Symbols reported without a user that really have none.
    Orphans(eval::orphans::Args),
    /// Patterns that are learned with and without each tuned number.
    Patterns(eval::patterns::Args),
    /// How often the prompt hook stays silent on prompts that are not about the code.
    Silence(eval::silence::Args),
}

#[derive(Subcommand)]
enum Bench {
    /// The daemon: hot questions, many clients, whole processes, memory at rest.
    #[cfg(unix)]
    Daemon(bench::Common),
    /// Cold index beside bare parsing, peak memory, size on disk.
    Index(bench::Common),
    /// The search index: build, open, update, ask.
    Search(bench::search::Args),
    /// Import of a SCIP index beside decoding it.
    Scip(bench::index::ScipArgs),
    /// Structural queries on a warm server.
    Query(bench::Common),
    /// The solution memory: saving, searching among many.
    Solutions(bench::solutions::Args),
    /// The prompt hook as a whole process.
    Hook(bench::Common),
    /// Start of the MCP server.
    Startup(bench::Common),
    /// Update of one file in repositories of several sizes.
    Delta(bench::delta::Args),
    /// First index of a second worktree beside that of the first.
    Worktree(bench::worktree::Args),
    /// How time and memory of an index grow with the source.
    Growth(bench::growth::Args),
}

fn main() -> Result<()> {
    match Args::parse().task {
        Task::Docs => docs::write_docs(),
        Task::Compare(args) => compare::compare_programs(&args),
        Task::Truth(args) => truth::scip::compare_with_scip(&args),
        #[cfg(unix)]
        Task::Eval(Eval::Fresh(args)) => eval::fresh::evaluate_freshness(&args),
        #[cfg(unix)]
        Task::Eval(Eval::Kill(args)) => eval::kill::evaluate_kills(&args),
        #[cfg(unix)]
        Task::Bench(Bench::Daemon(common)) => bench::daemon::measure_daemon(&common),
        Task::Eval(Eval::Bugs(args)) => eval::bugs::evaluate_bugs(&args),
        Task::Eval(Eval::Calls(args)) => eval::calls::evaluate_calls(&args),
        Task::Eval(Eval::Unresolved(args)) => eval::unresolved::count_unresolved(&args),
        Task::Eval(Eval::Questions(args)) => eval::questions::evaluate_questions(&args),
        Task::Eval(Eval::Chunks(args)) => eval::chunks::evaluate_chunks(&args),
        Task::Eval(Eval::Search(args)) => eval::search::evaluate_search(&args),
        Task::Eval(Eval::Context(args)) => eval::context::evaluate_context(&args),
        Task::Eval(Eval::Names(args)) => eval::names::evaluate_names(&args),
        Task::Eval(Eval::Prompts(args)) => eval::prompts::evaluate_prompts(&args),
        Task::Eval(Eval::Incremental(args)) => eval::incremental::evaluate_incremental(&args),
        Task::Bench(Bench::Delta(args)) => bench::delta::measure_delta(&args),
        Task::Bench(Bench::Worktree(args)) => bench::worktree::measure_worktree(&args),
        Task::Bench(Bench::Growth(args)) => bench::growth::measure_growth(&args),
        Task::Fuzz(args) => fuzz::fuzz_all(&args),
        Task::Trust(args) => trust::check_promises(&args),
        Task::Bench(Bench::Index(common)) => bench::index::index(&common),
        Task::Bench(Bench::Search(args)) => bench::search::measure_search(&args),
        Task::Bench(Bench::Scip(args)) => bench::index::scip(&args),
        Task::Bench(Bench::Query(common)) => bench::serve::query(&common),
        Task::Eval(Eval::Solutions(args)) => eval::solutions::evaluate_solutions(&args),
        Task::Bench(Bench::Solutions(args)) => bench::solutions::measure_solutions(&args),
        Task::Eval(Eval::Orphans(args)) => eval::orphans::evaluate_orphans(&args),
        Task::Eval(Eval::Patterns(args)) => eval::patterns::evaluate_patterns(&args),
        Task::Eval(Eval::Silence(args)) => eval::silence::evaluate_silence(&args),
        Task::Bench(Bench::Hook(common)) => bench::hook::measure_hook(&common),
        Task::Bench(Bench::Startup(common)) => bench::serve::startup(&common),
    }
}
