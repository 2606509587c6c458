//! `knotwork solution`: solved problems of all projects.

mod show;

use crate::command::{Command, Row, Run};
use crate::commands::query::QueryArg;
use crate::environment::{self, GlobalArgs};
use crate::format::TEXT_OR_JSON;
use crate::printer::{CommandResult, Failure, Printer};
use clap::{Args, Subcommand, ValueEnum};
use engine::EngineError;
use platform::RealPath;
use serde_json::json;
use solution::{
    Backend, GetRequest, Kind, ListTagsRequest, Memory, ModelChoice, SaveAnswer, SaveRequest,
    SearchRequest, SolutionError, UpdateRequest,
};
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};

pub(super) const COMMAND: Command = Command {
    name: "solution",
    aliases: &[],
    about: "Save and find solved problems across all projects",
    examples: &[
        "knotwork solution save --title \"Port is taken\" --problem \"EADDRINUSE on start\" --solution \"Stop the old server\"",
        "knotwork solution search \"EADDRINUSE\"",
    ],
    part_examples: &[
        "knotwork solution save --title \"Port is taken\" --problem \"EADDRINUSE on start\" --solution \"Stop the old server\"",
        "knotwork solution search \"EADDRINUSE\" --mode keyword",
        "knotwork solution get 1f0c",
        "knotwork solution list-tags",
        "knotwork solution update 1f0c --title \"Port 8080 is taken\"",
        "knotwork solution delete 1f0c",
        "knotwork solution export solutions.json",
        "knotwork solution import solutions.json",
        "knotwork solution history 1f0c",
        "knotwork solution stats",
        "knotwork solution backend",
        "knotwork solution model",
    ],
    formats: TEXT_OR_JSON,
    part_formats: &[],
    operations: &[],
    readme: Row {
        usage: "`solution save`, `search`, …",
        tool: Some("`save_solution`, …"),
        answers: "[problems that you solved, in every project](docs/solutions.md)",
    },
    readme_chinese: Some(Row {
        usage: "`solution save`、`search`",
        tool: Some("`save_solution` 等"),
        answers: "跨项目的解题记忆",
    }),
    run: &Run::in_process(manage_solutions),
};

/// Solved problems, kept over all projects in ~/.solution-memory (SOLUTION_MEMORY_PATH moves it).
#[derive(Debug, Args)]
struct SolutionArgs {
    #[command(subcommand)]
    what: Action,
}

/// A search.
#[derive(Debug, Args)]
pub(crate) struct SearchArgs {
    #[command(flatten)]
    query: QueryArg,
    #[command(flatten)]
    request: SearchRequest,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Save a solved problem. If the same problem is known, it is updated
    Save(SaveArgs),
    /// Find solutions by a problem or an error message
    Search(SearchArgs),
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
    /// Id of the solution
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
    /// Id of the solution
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

fn manage_solutions(given: &GlobalArgs, args: SolutionArgs, printer: &Printer) -> CommandResult {
    let json = printer.is_json(TEXT_OR_JSON)?;
    let memory = environment::open_solution_memory(given)?;
    let out = OutputMode { printer, json };
    let done = match args.what {
        Action::Save(args) => save(&memory, args, &out),
        Action::Search(args) => {
            let mut request = args.request;
            request.query = args.query.into_query();
            let answer = memory.search(&request).map_err(to_failure)?;
            out.print_notes(answer.fallback.as_deref(), &answer.notes);
            out.print_answer(&answer, || show::format_results(&answer))
        }
        Action::Get(request) => {
            let found = memory.get(&request).map_err(to_failure)?;
            out.print_answer(&found, || show::format_solution(&found))
        }
        Action::ListTags(request) => {
            let answer = memory.list_tags(&request).map_err(to_failure)?;
            out.print_answer(&answer, || show::format_tags(&answer))
        }
        Action::Update(args) => update(&memory, args, &out),
        Action::Delete(args) => {
            memory.delete(&args.id, args.forget).map_err(to_failure)?;
            let message = if args.forget {
                "forgotten"
            } else {
                "deleted; its last state is in its history"
            };
            out.print_answer(&json!({"id": args.id, "message": message}), || {
                message.to_owned()
            })
        }
        Action::Export(args) => export(&memory, args.file.as_deref(), printer),
        Action::Import(args) => import(&memory, &args.file, &out),
        Action::History(request) => {
            let versions = memory.history(&request.id).map_err(to_failure)?;
            out.print_answer(&json!({"versions": versions}), || {
                show::format_history(&versions)
            })
        }
        Action::Stats => {
            let stats = memory.stats().map_err(to_failure)?;
            out.print_answer(&stats, || show::format_stats(&stats))
        }
        Action::Backend(args) => show_or_change_backend(&memory, &args, &out),
        Action::Model(args) => show_or_change_model(&memory, &args, &out),
    };
    out.print_notes(None, &memory.take_notes());
    done
}

/// Prints answers as JSON or text, and notes beside them.
struct OutputMode<'a> {
    printer: &'a Printer,
    json: bool,
}

impl OutputMode<'_> {
    fn print_answer(
        &self,
        answer: &impl serde::Serialize,
        text: impl FnOnce() -> String,
    ) -> CommandResult {
        if self.json {
            self.printer.print_json(answer)
        } else {
            self.printer.print_text(&text())
        }
    }

    fn print_notes(&self, fallback: Option<&str>, notes: &[String]) {
        for note in fallback.into_iter().chain(notes.iter().map(String::as_str)) {
            self.printer.print_note(&format!("note: {note}"));
        }
    }
}

/// The error as a failure of the command line.
pub(crate) fn to_failure(error: SolutionError) -> Failure {
    let mut converted = match error.kind {
        Kind::BadArguments => EngineError::bad_arguments(error.message),
        Kind::Missing => EngineError::missing_dependency(error.message),
        Kind::Failure => EngineError::runtime_failure(error.message),
    };
    if let Some(hint) = error.hint {
        converted = converted.with_hint(hint);
    }
    converted.into()
}

fn cannot_open_error(path: &Path, error: &std::io::Error) -> Failure {
    EngineError::bad_arguments(format!("cannot open {}: {error}", path.display())).into()
}

/// The most bytes of a file with one solution.
const MOST_SOLUTION: u64 = 16 << 20;

fn save(memory: &Memory, args: SaveArgs, out: &OutputMode<'_>) -> CommandResult {
    let mut request = args.request;
    if let Some(file) = &args.from {
        let text = crate::input::read_text(file, MOST_SOLUTION)?;
        request = serde_json::from_str(&text)
            .map_err(|e| EngineError::bad_arguments(format!("{}: {e}", file.display())))?;
    }
    save_and_print(memory, &request, out)
}

fn save_and_print(memory: &Memory, request: &SaveRequest, out: &OutputMode<'_>) -> CommandResult {
    let answer = memory.save(request).map_err(to_failure)?;
    print_saved(&answer, out)
}

fn print_saved(answer: &SaveAnswer, out: &OutputMode<'_>) -> CommandResult {
    out.print_notes(None, &answer.notes);
    out.print_answer(answer, || show::format_saved(answer))
}

fn update(memory: &Memory, args: UpdateArgs, out: &OutputMode<'_>) -> CommandResult {
    let change = UpdateRequest {
        id: args.id,
        title: args.title,
        problem: args.problem,
        solution: args.solution,
        root_cause: args.root_cause,
        error_messages: args.error_messages,
        tags: args.tags,
        project_name: args.project_name,
    };
    let answer = memory.update(&change).map_err(to_failure)?;
    print_saved(&answer, out)
}

fn export(memory: &Memory, file: Option<&Path>, printer: &Printer) -> CommandResult {
    let done = match file {
        Some(path) => {
            refuse_inside_store(memory, path)?;
            let mut lines = Vec::new();
            let done = memory.export(&mut lines).map_err(to_failure)?;
            replace_private_file(path, &lines).map_err(|e| cannot_open_error(path, &e))?;
            done
        }
        None => {
            let mut lines = Vec::new();
            let done = memory.export(&mut lines).map_err(to_failure)?;
            if !lines.is_empty() {
                printer.print_text(&String::from_utf8_lossy(&lines))?;
            }
            done
        }
    };
    printer.print_note(&format!("{} solution(s) exported", done.exported));
    Ok(())
}

/// Refuses a path inside the store: an export over its own files would destroy them.
fn refuse_inside_store(memory: &Memory, path: &Path) -> CommandResult {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new(".")).real_path();
    let store = memory.folder().real_path();
    match (folder, store) {
        (Ok(folder), Ok(store)) if folder.starts_with(&store) => {
            let message = format!("{} lies in the store of solutions", path.display());
            Err(EngineError::bad_arguments(message)
                .with_hint("write the export to another folder")
                .into())
        }
        _ => Ok(()),
    }
}

/// Writes a file that is readable by its user alone, as a whole or not at all: an earlier export stays until the new one is
/// complete.
fn replace_private_file(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    if path.symlink_metadata().is_ok_and(|found| !found.is_file()) {
        let why = "is a symbolic link or not a regular file; nothing is written there";
        return Err(std::io::Error::other(why));
    }
    let beside = guard::state::temp_path_beside(path)?;
    let write = || {
        let mut options = guard::state::private_file_options();
        let mut file = options.create_new(true).write(true).open(&beside)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        platform::file::replace(&beside, path)
    };
    write().inspect_err(|_| {
        // The file may not have been created at all.
        let _ = std::fs::remove_file(&beside);
    })
}

fn import(memory: &Memory, file: &Path, out: &OutputMode<'_>) -> CommandResult {
    let answer = if file.as_os_str() == "-" {
        memory.import(&mut std::io::stdin().lock())
    } else {
        let opened = guard::open_user_file(file, u64::MAX);
        let opened = opened.map_err(|e| EngineError::bad_arguments(e.to_string()))?;
        memory.import(&mut BufReader::new(opened))
    };
    let answer = answer.map_err(to_failure)?;
    out.print_notes(None, &answer.notes);
    out.print_notes(None, &answer.refused);
    if answer.imported + answer.updated + answer.known > 0 {
        out.printer.print_note("making vectors");
        let done = memory
            .compute_missing_vectors(std::time::Duration::MAX)
            .map_err(to_failure)?;
        out.print_notes(done.why.as_deref(), &[]);
    }
    out.print_answer(&answer, || show::format_imported(&answer))?;
    match answer.refused.len() {
        0 => Ok(()),
        // Without an error, a user who then deletes the other store would lose these lines.
        _ => Err(EngineError::runtime_failure("some lines were not imported")
            .with_hint("the notes above name the lines; correct these lines and import them again")
            .into()),
    }
}

fn show_or_change_backend(
    memory: &Memory,
    args: &BackendArgs,
    out: &OutputMode<'_>,
) -> CommandResult {
    if let Some(to) = args.to {
        let to = match to {
            BackendName::Embedded => Backend::Embedded,
            BackendName::Chroma => Backend::Chroma(args.url.clone()),
        };
        let done = memory.migrate_backend(&to).map_err(to_failure)?;
        out.print_notes(done.why.as_deref(), &[]);
        out.printer.print_note(&format!(
            "{} vector(s) moved, {} wait",
            done.made, done.waiting
        ));
    }
    let backend = memory.backend().map_err(to_failure)?;
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
    out.print_answer(&json!({"backend": backend.name(), "url": url}), shown)
}

fn show_or_change_model(memory: &Memory, args: &ModelArgs, out: &OutputMode<'_>) -> CommandResult {
    if let Some(to) = args.to {
        let kind = to.to_possible_value();
        let kind = kind.map(|v| v.get_name().to_owned()).unwrap_or_default();
        let choice = (to != ModelName::Minilm).then(|| ModelChoice {
            kind,
            name: args.name.clone(),
            url: args.url.clone(),
            dimension: args.dimension,
        });
        out.printer.print_note("making vectors");
        let done = memory.change_model(choice.as_ref(), std::time::Duration::MAX);
        let done = done.map_err(to_failure)?;
        out.print_notes(done.why.as_deref(), &[]);
        out.printer.print_note(&format!(
            "{} vector(s) made, {} wait",
            done.made, done.waiting
        ));
    }
    let now = memory.model_in_use().map_err(to_failure)?;
    let shown = || format!("{} ({} numbers)", now.model, now.dimension);
    out.print_answer(&now, shown)
}
