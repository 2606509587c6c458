//! `knotwork solution`: solved problems, kept over all projects.

mod show;

use crate::environment::{self, GlobalArgs};
use crate::format::Format;
use crate::printer::{CommandResult, Failure, Printer};
use clap::{Args, Subcommand, ValueEnum};
use engine::EngineError;
use serde_json::json;
use solution::{
    Backend, GetRequest, Kind, ListTagsRequest, Memory, ModelChoice, SaveRequest, SearchRequest,
    Solution, SolutionError,
};
use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Solved problems, kept over all projects in ~/.solution-memory (SOLUTION_MEMORY_PATH moves it).
#[derive(Debug, Args)]
pub(crate) struct SolutionArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Save a solved problem. If the same problem is known, it is updated
    Save(SaveArgs),
    /// Find solutions by a problem or an error message
    Search(SearchRequest),
    /// Show a solution in full
    Get(GetRequest),
    /// List tags by category, with counts
    #[command(visible_alias = "tags")]
    ListTags(ListTagsRequest),
    /// Change fields of a solution. The earlier state is kept in its history
    Update(UpdateArgs),
    /// Delete a solution. Its last state is kept in its history
    Delete(DeleteArgs),
    /// Write every solution as JSON Lines
    Export(ExportArgs),
    /// Read solutions from JSON Lines
    Import(ImportArgs),
    /// Show earlier states of a solution
    History(GetRequest),
    /// Show the number of solutions, where they are stored, and the model
    Stats,
    /// Show where vectors are stored, or move them to another store
    Backend(BackendArgs),
    /// Show which model makes the vectors, or choose another and rebuild all vectors
    Model(ModelArgs),
}

#[derive(Debug, Args)]
struct SaveArgs {
    #[command(flatten)]
    request: SaveRequest,
    /// A JSON file with the fields of save_solution (- for standard input)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["title", "problem", "solution"])]
    from: Option<PathBuf>,
}

#[derive(Debug, Args)]
struct UpdateArgs {
    /// Id of the node
    id: String,
    /// The problem in one line
    #[arg(long)]
    title: Option<String>,
    /// What went wrong
    #[arg(long)]
    problem: Option<String>,
    /// What solved it
    #[arg(long)]
    solution: Option<String>,
    /// Why it went wrong
    #[arg(long)]
    root_cause: Option<String>,
    /// Error messages. They replace the present ones
    #[arg(long = "error-message", value_name = "TEXT")]
    error_messages: Option<Vec<String>>,
    /// Tags. They replace the present ones
    #[arg(long = "tag", value_name = "TAG")]
    tags: Option<Vec<String>>,
    /// Name of the project
    #[arg(long)]
    project_name: Option<String>,
}

#[derive(Debug, Args)]
struct DeleteArgs {
    /// Id of the node
    id: String,
    /// Also remove its history, so that nothing remains
    #[arg(long)]
    forget: bool,
}

#[derive(Debug, Args)]
struct ExportArgs {
    /// Output file [default: standard output]
    file: Option<PathBuf>,
}

#[derive(Debug, Args)]
struct ImportArgs {
    /// Input file (- for standard input)
    file: PathBuf,
}

#[derive(Debug, Args)]
struct BackendArgs {
    /// Move the vectors to this store
    #[arg(value_enum)]
    to: Option<BackendName>,
    /// URL of the Chroma server
    #[arg(long, default_value = "http://127.0.0.1:8000")]
    url: String,
}

#[derive(Debug, Args)]
struct ModelArgs {
    /// The model
    #[arg(value_enum)]
    to: Option<ModelName>,
    /// The provider's name for the model, e.g. nomic-embed-text
    #[arg(long)]
    name: Option<String>,
    /// URL of the provider
    #[arg(long)]
    url: Option<String>,
    /// Dimension of the vectors, if the model offers a choice
    #[arg(long)]
    dimension: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ModelName {
    /// all-MiniLM-L6-v2, which ships with the program
    Minilm,
    /// The built-in code search model: faster, weaker on prose
    Code,
    /// OpenAI, or a server with the same API. Problems are sent to it
    #[value(name = "openai")]
    OpenAi,
    /// Azure OpenAI. Problems are sent to it
    Azure,
    /// Ollama
    Ollama,
    /// Fixed vectors (for tests)
    #[value(hide = true)]
    Mock,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum BackendName {
    /// In the database of solutions
    Embedded,
    /// On a Chroma server
    Chroma,
}

pub(crate) fn run(given: &GlobalArgs, args: SolutionArgs, printer: &Printer) -> CommandResult {
    let json = printer.is_json(Format::Text)?;
    let memory = environment::solutions(given)?;
    let out = Out { printer, json };
    let done = match args.what {
        What::Save(args) => save(&memory, args, &out),
        What::Search(request) => {
            let answer = memory.search(&request).map_err(failed)?;
            out.notes(answer.fallback.as_deref(), &answer.notes);
            out.answer(&answer, || show::found(&answer))
        }
        What::Get(request) => {
            let found = memory.get(&request).map_err(failed)?;
            out.answer(&found, || show::whole(&found))
        }
        What::ListTags(request) => {
            let answer = memory.list_tags(&request).map_err(failed)?;
            out.answer(&answer, || show::tags(&answer))
        }
        What::Update(args) => update(&memory, args, &out),
        What::Delete(args) => {
            memory.delete(&args.id, args.forget).map_err(failed)?;
            let message = if args.forget {
                "forgotten"
            } else {
                "deleted; its last state is in its history"
            };
            out.answer(&json!({"id": args.id, "message": message}), || {
                message.to_owned()
            })
        }
        What::Export(args) => export(&memory, args.file.as_deref(), printer),
        What::Import(args) => import(&memory, &args.file, &out),
        What::History(request) => {
            let versions = memory.history(&request.id).map_err(failed)?;
            out.answer(&json!({"versions": versions}), || show::history(&versions))
        }
        What::Stats => {
            let stats = memory.stats().map_err(failed)?;
            out.answer(&stats, || show::stats(&stats))
        }
        What::Backend(args) => backend(&memory, &args, &out),
        What::Model(args) => model(&memory, &args, &out),
    };
    out.notes(None, &memory.take_notes());
    done
}

/// Answers as JSON or text; talk beside it.
struct Out<'a> {
    printer: &'a Printer,
    json: bool,
}

impl Out<'_> {
    fn answer(
        &self,
        answer: &impl serde::Serialize,
        text: impl FnOnce() -> String,
    ) -> CommandResult {
        if self.json {
            self.printer.json(answer)
        } else {
            self.printer.text(&text())
        }
    }

    fn notes(&self, fallback: Option<&str>, notes: &[String]) {
        for note in fallback.into_iter().chain(notes.iter().map(String::as_str)) {
            self.printer.say(&format!("note: {note}"));
        }
    }
}

/// The error as the command line tells it.
pub(crate) fn failed(error: SolutionError) -> Failure {
    let mut told = match error.kind {
        Kind::BadArguments => EngineError::bad(error.message),
        Kind::Missing => EngineError::missing(error.message),
        Kind::Failure => EngineError::failure(error.message),
    };
    if let Some(hint) = error.hint {
        told = told.hint(hint);
    }
    told.into()
}

fn unreadable(path: &Path, error: &std::io::Error) -> Failure {
    EngineError::bad(format!("cannot open {}: {error}", path.display())).into()
}

/// Bytes of a file with one solution.
const MOST_SOLUTION: u64 = 16 << 20;

fn save(memory: &Memory, args: SaveArgs, out: &Out<'_>) -> CommandResult {
    let mut request = args.request;
    if let Some(file) = &args.from {
        let text = crate::input::read(file, MOST_SOLUTION)?;
        request = serde_json::from_str(&text)
            .map_err(|e| EngineError::bad(format!("{}: {e}", file.display())))?;
    }
    saved(memory, &request, out)
}

fn saved(memory: &Memory, request: &SaveRequest, out: &Out<'_>) -> CommandResult {
    let answer = memory.save(request).map_err(failed)?;
    out.notes(None, &answer.notes);
    out.answer(&answer, || show::saved(&answer))
}

fn update(memory: &Memory, args: UpdateArgs, out: &Out<'_>) -> CommandResult {
    let now: Solution = memory.get(&GetRequest { id: args.id }).map_err(failed)?;
    let request = SaveRequest {
        title: args.title.unwrap_or(now.title),
        problem: args.problem.unwrap_or(now.problem),
        solution: args.solution.unwrap_or(now.solution),
        root_cause: args.root_cause.or(now.root_cause),
        error_messages: args.error_messages.unwrap_or(now.error_messages),
        tags: args.tags.unwrap_or(now.tags),
        project_name: Some(args.project_name.unwrap_or(now.project_name)),
        update: Some(now.id),
    };
    saved(memory, &request, out)
}

fn export(memory: &Memory, file: Option<&Path>, printer: &Printer) -> CommandResult {
    let done = match file {
        Some(path) => {
            let file = private_file(path).map_err(|e| unreadable(path, &e))?;
            let mut out = BufWriter::new(file);
            let done = memory.export(&mut out).map_err(failed)?;
            out.flush().map_err(Failure::Output)?;
            done
        }
        None => {
            let mut lines = Vec::new();
            let done = memory.export(&mut lines).map_err(failed)?;
            if !lines.is_empty() {
                printer.text(&String::from_utf8_lossy(&lines))?;
            }
            done
        }
    };
    printer.say(&format!("{} solution(s) exported", done.exported));
    Ok(())
}

/// What the store holds is nobody else's business, in a file either.
fn private_file(path: &Path) -> std::io::Result<File> {
    if path.symlink_metadata().is_ok_and(|found| !found.is_file()) {
        let why = "is a symbolic link or not a regular file; nothing is written there";
        return Err(std::io::Error::other(why));
    }
    let mut options = guard::state::options();
    options.create(true).truncate(true).write(true).open(path)
}

fn import(memory: &Memory, file: &Path, out: &Out<'_>) -> CommandResult {
    let answer = if file.as_os_str() == "-" {
        memory.import(&mut std::io::stdin().lock())
    } else {
        let opened = guard::open_named(file, u64::MAX);
        let opened = opened.map_err(|e| EngineError::bad(e.to_string()))?;
        memory.import(&mut BufReader::new(opened))
    };
    let answer = answer.map_err(failed)?;
    out.notes(None, &answer.notes);
    out.notes(None, &answer.refused);
    if answer.imported + answer.updated + answer.known > 0 {
        out.printer.say("making vectors");
        let done = memory.catch_up(std::time::Duration::MAX).map_err(failed)?;
        out.notes(done.why.as_deref(), &[]);
    }
    out.answer(&answer, || show::imported(&answer))
}

fn backend(memory: &Memory, args: &BackendArgs, out: &Out<'_>) -> CommandResult {
    if let Some(to) = args.to {
        let to = match to {
            BackendName::Embedded => Backend::Embedded,
            BackendName::Chroma => Backend::Chroma(args.url.clone()),
        };
        let done = memory.move_to(&to).map_err(failed)?;
        out.notes(done.why.as_deref(), &[]);
        out.printer.say(&format!(
            "{} vector(s) moved, {} wait",
            done.made, done.waiting
        ));
    }
    let backend = memory.backend().map_err(failed)?;
    let url = match &backend {
        Backend::Chroma(url) => Some(url.clone()),
        Backend::Embedded => None,
    };
    let shown = || {
        [Some(backend.name().to_owned()), url.clone()]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(" ")
    };
    out.answer(&json!({"backend": backend.name(), "url": url}), shown)
}

fn model(memory: &Memory, args: &ModelArgs, out: &Out<'_>) -> CommandResult {
    if let Some(to) = args.to {
        let kind = to.to_possible_value();
        let kind = kind.map(|v| v.get_name().to_owned()).unwrap_or_default();
        let choice = (to != ModelName::Minilm).then(|| ModelChoice {
            kind,
            name: args.name.clone(),
            url: args.url.clone(),
            dimension: args.dimension,
        });
        out.printer.say("making vectors");
        let done = memory.choose(choice.as_ref(), std::time::Duration::MAX);
        let done = done.map_err(failed)?;
        out.notes(done.why.as_deref(), &[]);
        out.printer.say(&format!(
            "{} vector(s) made, {} wait",
            done.made, done.waiting
        ));
    }
    let now = memory.model().map_err(failed)?;
    let shown = || format!("{} ({} numbers)", now.model, now.dimension);
    out.answer(&now, shown)
}
