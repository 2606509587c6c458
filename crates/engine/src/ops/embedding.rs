//! `embedding`: builds, shows and removes the vectors of the chunks.

use crate::EngineError;
use crate::embedder::EmbedderChoice;
use crate::operation::{Access, NoArguments, Removed, operation};
use crate::update;
use crate::workspace::Workspace;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ingest::EmbedReport;
use schemars::JsonSchema;
use search::index::Index;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// Build or update the vectors of the chunks.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(deny_unknown_fields)]
pub struct EmbeddingRequest {
    /// Send files to the provider again even if they were sent today
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default)]
    pub force: bool,
}

/// The state of the vectors.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct EmbeddingAnswer {
    /// The provider that the configuration names.
    pub provider: String,
    /// The name of the model whose vectors are used.
    pub model: String,
    /// The number of values of a vector.
    pub dimensions: usize,
    /// Whether there is an index.
    pub exists: bool,
    /// The number of files in it.
    pub files: usize,
    /// The number of chunks in it.
    pub chunks: usize,
    /// The number of chunks that wait for a vector.
    pub missing: usize,
    /// The number of chunks that this run sent to the provider.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<usize>,
    /// The file that was written for other programs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub written: Vec<String>,
    /// The reason why another model is used than the chosen one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fallback: Option<String>,
}

/// The content of `metadata.json`, which describes `index.tsv`.
#[derive(Debug, Serialize)]
struct Metadata<'a> {
    schema_version: &'static str,
    provider: &'a str,
    model: &'a str,
    dimensions: usize,
    files: usize,
    chunks: usize,
    vectors: usize,
    columns: [&'static str; 4],
    encoding: &'static str,
    created_at: u64,
}

operation! {
    /// Build of a provider's vectors.
    EmbeddingBuildOperation {
        name: "embedding-build",
        request: EmbeddingRequest => EmbeddingAnswer,
        access: |_| Access::Index,
        tool: None,
        answer: build,
    }
}

operation! {
    /// The state of the vectors.
    EmbeddingStatusOperation {
        name: "embedding-status",
        request: NoArguments => EmbeddingAnswer,
        access: |_| Access::Read,
        tool: None,
        answer: |workspace, _| status(workspace),
    }
}

operation! {
    /// Removal of vectors.
    EmbeddingClearOperation {
        name: "embedding-clear",
        request: NoArguments => Removed,
        access: |_| Access::Write,
        tool: None,
        answer: |workspace, _| clear(workspace).map(Removed::new),
    }
}

/// Builds the vectors, and writes them as text as well.
pub(crate) fn build(
    workspace: &Workspace,
    request: &EmbeddingRequest,
) -> Result<EmbeddingAnswer, EngineError> {
    workspace.project().prepare_state()?;
    let (own, _) = update::chunks(workspace, false)?;
    let (index, report) = match update::update_embeddings(workspace, request.force)? {
        None => (own, None),
        Some((Some(index), report)) => (Arc::new(index), Some(report)),
        Some((None, report)) => (own, Some(report)),
    };
    let mut answer = describe_index(workspace, &index);
    add_report(&mut answer, report);
    answer.written = export_vectors(workspace, &index, &answer)?;
    Ok(answer)
}

/// The state of the vectors. Sends no request and changes nothing.
pub(crate) fn status(workspace: &Workspace) -> Result<EmbeddingAnswer, EngineError> {
    let options = workspace.options();
    let own = || Index::open(&ingest::chunks_folder(&options)).ok();
    let (index, missing, fallback) = match workspace.embedder() {
        EmbedderChoice::BuiltIn => (own(), 0, None),
        EmbedderChoice::Missing(error) => (own(), 0, Some(error.to_string())),
        EmbedderChoice::Provider { embedder, .. } => {
            let model = embedder.model();
            match ingest::open_embedded(&options, model) {
                Some((index, missing)) => (Some(index), missing, None),
                None => (
                    own(),
                    0,
                    Some(format!("there are no vectors of {model} yet")),
                ),
            }
        }
    };
    let mut answer = match &index {
        Some(index) => describe_index(workspace, index),
        None => EmbeddingAnswer {
            provider: workspace.config().embedding().provider,
            ..EmbeddingAnswer::default()
        },
    };
    answer.missing = missing;
    answer.fallback = fallback;
    let written = export_paths(workspace)
        .into_iter()
        .filter(|path| path.is_file());
    answer.written = written.map(|path| path.display().to_string()).collect();
    Ok(answer)
}

/// Removes the chunks and their vectors, also those made by a provider. Returns the removed folders.
pub(crate) fn clear(workspace: &Workspace) -> Result<Vec<String>, EngineError> {
    let options = workspace.options();
    let folders = [
        ingest::chunks_folder(&options),
        ingest::embeddings_folder(&options),
    ];
    let mut removed = Vec::new();
    for folder in folders {
        match guard::state::remove_folder_below(&options.state_dir, &folder) {
            Ok(true) => removed.push(folder.display().to_string()),
            Ok(false) => {}
            Err(e) => return Err(io_error("remove", &folder, &std::io::Error::other(e))),
        }
    }
    Ok(removed)
}

/// The vectors that a run of `index` made with a provider; none where the built-in model is chosen.
pub(crate) fn after_index(workspace: &Workspace) -> Result<Option<EmbeddingAnswer>, EngineError> {
    let Some((index, report)) = update::update_embeddings(workspace, false)? else {
        return Ok(None);
    };
    let mut answer = match index {
        Some(index) => describe_index(workspace, &index),
        None => status(workspace)?,
    };
    add_report(&mut answer, Some(report));
    Ok(Some(answer))
}

fn describe_index(workspace: &Workspace, index: &Index) -> EmbeddingAnswer {
    EmbeddingAnswer {
        provider: workspace.config().embedding().provider,
        model: index.model().name.clone(),
        dimensions: index.model().dimensions,
        exists: true,
        files: index.file_count(),
        chunks: index.chunk_count(),
        ..EmbeddingAnswer::default()
    }
}

fn export_paths(workspace: &Workspace) -> [PathBuf; 2] {
    let folder = ingest::embeddings_folder(&workspace.options());
    [folder.join("index.tsv"), folder.join("metadata.json")]
}

/// Writes `index.tsv` with a line for each vector, and `metadata.json`.
fn export_vectors(
    workspace: &Workspace,
    index: &Index,
    answer: &EmbeddingAnswer,
) -> Result<Vec<String>, EngineError> {
    let [table, metadata] = export_paths(workspace);
    let folder = ingest::embeddings_folder(&workspace.options());
    guard::state::create_private_folders(&folder)
        .map_err(|e| io_error("write", &folder, &std::io::Error::other(e)))?;
    let mut vectors = 0;
    write_atomically(&table, |out| {
        vectors = write_table(index, out)?;
        Ok(())
    })?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let described = Metadata {
        schema_version: "1.0",
        provider: &answer.provider,
        model: &answer.model,
        dimensions: answer.dimensions,
        files: answer.files,
        chunks: answer.chunks,
        vectors,
        columns: ["file", "chunk_id", "content_hash", "vector"],
        encoding: "base64 of 32-bit floats, little-endian",
        created_at: now.map_or(0, |d| d.as_secs()),
    };
    write_atomically(&metadata, |out| {
        serde_json::to_writer_pretty(&mut *out, &described)?;
        out.write_all(b"\n")
    })?;
    Ok(vec![
        table.display().to_string(),
        metadata.display().to_string(),
    ])
}

fn add_report(answer: &mut EmbeddingAnswer, report: Option<EmbedReport>) {
    let Some(report) = report else { return };
    answer.asked = Some(report.asked);
    answer.missing = report.missing;
    answer.fallback = report.problem.map(|problem| {
        let rest = match report.asked + report.kept {
            0 => format!("the vectors are those of {}", answer.model),
            _ => format!("{} chunks are found by words alone", report.missing),
        };
        format!("{problem}; {rest}")
    });
}

/// Writes a line for each chunk that has a vector, by file and place. Returns their number.
fn write_table(index: &Index, out: &mut dyn Write) -> std::io::Result<usize> {
    let mut rows = BTreeMap::new();
    index.each_chunk(|chunk| {
        let Some(vector) = chunk.vector else { return };
        let bytes: Vec<u8> = vector.iter().flat_map(|v| v.to_le_bytes()).collect();
        let place = (chunk.path.to_owned(), chunk.start_line, chunk.end_line);
        rows.insert(place, (chunk.hash, STANDARD.encode(bytes)));
    });
    for ((path, start, end), (hash, vector)) in &rows {
        let file = escape_tsv(path);
        writeln!(out, "{file}\t{file}:{start}-{end}\t{hash:08x}\t{vector}")?;
    }
    Ok(rows.len())
}

/// The path escaped, so that it stays on one line and in one column.
fn escape_tsv(path: &str) -> String {
    path.replace('\\', "\\\\")
        .replace('\t', "\\t")
        .replace('\n', "\\n")
        .replace('\r', "\\r")
}

/// Writes a temporary file and moves it to its place when it is complete.
fn write_atomically(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> std::io::Result<()>,
) -> Result<(), EngineError> {
    let beside = path.with_extension("new");
    let mut options = guard::state::private_file_options();
    let opened = options
        .write(true)
        .create(true)
        .truncate(true)
        .open(&beside);
    let written = opened.and_then(|file| {
        let mut out = BufWriter::new(file);
        write(&mut out)?;
        out.flush()?;
        platform::file::replace(&beside, path)
    });
    written.map_err(|e| io_error("write", path, &e))
}

fn io_error(what: &str, path: &Path, error: &std::io::Error) -> EngineError {
    EngineError::runtime_failure(format!("cannot {what} {}: {error}", path.display()))
}
