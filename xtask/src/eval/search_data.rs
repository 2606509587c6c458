//! Labelled queries and their repositories, indexed as the product does it.

use super::corpus::Corpus;
use anyhow::{Context, Result};
use base::Language;
use linker::LinkOutcome;
use rayon::prelude::*;
use search::embed::CodeModel;
use search::index::{Index, Model};
use search::plain;
use search::prepare::{Prepared, prepare};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// A line of the file.
#[derive(Deserialize)]
struct Raw {
    repo: String,
    lang: String,
    benchmark_root: String,
    query: String,
    category: String,
    relevant: Vec<String>,
    secondary: Vec<String>,
}

/// A query with the gains of files.
pub struct Row {
    /// The query as written.
    pub query: String,
    /// The category as labelled.
    pub category: String,
    /// The gain by file: 2 if relevant, 1 if secondary.
    pub gains: BTreeMap<String, f64>,
}

/// A repository with its queries.
pub struct Repository {
    /// `owner/name`.
    pub name: String,
    /// The language as labelled.
    pub lang: String,
    /// The queries about the repository.
    pub rows: Vec<Row>,
    /// The search index.
    pub index: Index,
    /// The centrality of each file, 0–1: the number of files that use it, on a logarithmic scale.
    pub central: BTreeMap<String, f32>,
    /// Bytes of the indexed texts.
    pub bytes: u64,
    /// The time for reading and indexing, in milliseconds.
    pub millis: f64,
    texts: BTreeMap<String, String>,
}

impl Repository {
    /// The text of some lines of a file.
    pub fn lines(&self, path: &str, from: u32, to: u32) -> String {
        let text = self.texts.get(path).map_or("", String::as_str);
        let wanted: Vec<&str> = text
            .lines()
            .skip(from.saturating_sub(1) as usize)
            .take((to + 1 - from) as usize)
            .collect();
        wanted.join("\n")
    }
}

/// A question with the files that answer it.
pub struct Question {
    /// The question as written.
    pub query: String,
    /// The gain by file: 2 if relevant, 1 if secondary.
    pub gains: BTreeMap<String, f64>,
}

impl Question {
    /// Whether a file answers it.
    pub fn is_relevant(&self, path: &str) -> bool {
        self.gains.get(path).is_some_and(|gain| *gain >= 2.0)
    }

    /// The files that answer it.
    pub fn relevant(&self) -> impl Iterator<Item = &str> {
        let files = self.gains.keys().map(String::as_str);
        files.filter(|path| self.is_relevant(path))
    }
}

/// All questions, by repository.
pub fn questions(queries: &Path) -> Result<BTreeMap<String, Vec<Question>>> {
    let question = |raw: Raw| {
        let row = row(raw);
        Question {
            query: row.query,
            gains: row.gains,
        }
    };
    let all = read_queries(queries)?.into_iter();
    Ok(all
        .map(|(name, rows)| (name, rows.into_iter().map(question).collect()))
        .collect())
}

fn read_queries(queries: &Path) -> Result<BTreeMap<String, Vec<Raw>>> {
    let text = std::fs::read_to_string(queries)
        .with_context(|| format!("reading {}", queries.display()))?;
    let table = queries.extension().is_some_and(|end| end == "tsv");
    let mut by: BTreeMap<String, Vec<Raw>> = BTreeMap::new();
    for line in text.lines().filter(|l| !l.trim().is_empty()) {
        let raw: Raw = if table {
            let Some(raw) = written(line) else { continue };
            raw
        } else {
            serde_json::from_str(line)?
        };
        by.entry(raw.repo.clone()).or_default().push(raw);
    }
    Ok(by)
}

/// Parses a line of `eval questions`: repository, question, answering files. Skips comments, and questions whose answer
/// is a whole folder.
fn written(line: &str) -> Option<Raw> {
    let mut cells = line.split('\t').filter(|_| !line.starts_with('#'));
    let (repo, query, paths) = (cells.next()?, cells.next()?, cells.next()?);
    let files: Vec<String> = paths.split('|').map(str::to_owned).collect();
    files.iter().all(|path| !path.ends_with('/')).then(|| Raw {
        repo: repo.to_owned(),
        lang: "all".to_owned(),
        benchmark_root: ".".to_owned(),
        query: query.to_owned(),
        category: "written".to_owned(),
        relevant: files,
        secondary: Vec::new(),
    })
}

/// All repositories that exist locally, and the number of skipped queries.
pub fn load(queries: &Path, corpus: &Path, all_files: bool) -> Result<(Vec<Repository>, usize)> {
    let mut all = Vec::new();
    let mut skipped = 0;
    for (name, rows) in read_queries(queries)? {
        let root = corpus.join(name.replace('/', "+"));
        if !root.is_dir() {
            skipped += rows.len();
            continue;
        }
        all.push(index(name, &root, rows, all_files)?);
    }
    Ok((all, skipped))
}

fn index(name: String, root: &Path, rows: Vec<Raw>, all_files: bool) -> Result<Repository> {
    let below = rows
        .first()
        .map_or(".", |r| r.benchmark_root.as_str())
        .to_owned();
    let texts = read(root, &root.join(&below), all_files);
    let model = CodeModel::get()?;
    let start = Instant::now();
    let prepared: Vec<Prepared> = texts
        .par_iter()
        .filter_map(|(path, text)| prepare_file(path, text, model))
        .collect();
    let index = Index::in_memory(&Model::from_embedder(model), prepared)?;
    Ok(Repository {
        central: central(&root.join(&below), &below),
        lang: rows.first().map(|r| r.lang.clone()).unwrap_or_default(),
        rows: rows.into_iter().map(row).collect(),
        bytes: texts.values().map(|t| t.len() as u64).sum(),
        millis: start.elapsed().as_secs_f64() * 1e3,
        name,
        index,
        texts,
    })
}

/// Computes centrality from the linker's edges, as in the product's graph.
fn central(root: &Path, below: &str) -> BTreeMap<String, f32> {
    let corpus = Corpus::link(root);
    let ids: Vec<_> = corpus
        .repo
        .files()
        .map(|(id, file)| (id, file.path.to_string()))
        .collect();
    let mut users: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    for (at, linked) in corpus.linked.iter().enumerate() {
        let outcomes = linked.calls.iter().chain(&linked.references);
        let defs = outcomes.filter_map(|o| match o {
            LinkOutcome::Targets(defs, _) => Some(defs.iter().map(|d| d.file)),
            _ => None,
        });
        for file in defs.flatten() {
            if let Some((_, path)) = ids
                .iter()
                .find(|(id, _)| *id == file)
                .filter(|_| ids[at].0 != file)
            {
                users.entry(path.clone()).or_default().insert(at);
            }
        }
    }
    let most = users.values().map(BTreeSet::len).max().unwrap_or(1);
    let prefix = if below == "." {
        String::new()
    } else {
        format!("{below}/")
    };
    users
        .into_iter()
        .map(|(path, by)| {
            (
                format!("{prefix}{path}"),
                search::rank::centrality(by.len(), most),
            )
        })
        .collect()
}

fn row(raw: Raw) -> Row {
    let mut gains = BTreeMap::new();
    let file = |p: &str| match p.rsplit_once(':') {
        Some((file, lines)) if lines.starts_with(|c: char| c.is_ascii_digit()) => file.to_owned(),
        _ => p.to_owned(),
    };
    raw.secondary.iter().for_each(|p| {
        gains.insert(file(p), 1.0);
    });
    raw.relevant.iter().for_each(|p| {
        gains.insert(file(p), 2.0);
    });
    Row {
        query: raw.query,
        category: raw.category,
        gains,
    }
}

/// Searchable texts below a folder, by path from `root`.
pub fn read(root: &Path, below: &Path, all_files: bool) -> BTreeMap<String, String> {
    let paths: Vec<PathBuf> = ignore::WalkBuilder::new(below)
        .build()
        .filter_map(Result::ok)
        .filter(|e| e.file_type().is_some_and(|t| t.is_file()))
        .filter(|e| e.metadata().is_ok_and(|m| m.len() <= 1 << 20))
        .map(ignore::DirEntry::into_path)
        .collect();
    paths
        .into_par_iter()
        .filter_map(|at| {
            let path = at.strip_prefix(root).ok()?.to_str()?;
            let path = path.strip_prefix("./").unwrap_or(path).to_owned();
            let language = plain::language_of(&path)?;
            if !all_files && !is_code(language) {
                return None;
            }
            Some((path, String::from_utf8(std::fs::read(&at).ok()?).ok()?))
        })
        .collect()
}

fn is_code(language: &str) -> bool {
    !matches!(
        language,
        "markdown"
            | "rst"
            | "asciidoc"
            | "text"
            | "yaml"
            | "toml"
            | "json"
            | "ini"
            | "xml"
            | "css"
            | "html"
    )
}

/// Prepares a file for the index as the product does.
pub fn prepare_file(path: &str, text: &str, model: &CodeModel) -> Option<Prepared> {
    match Language::from_path(path) {
        Some(language) => {
            let facts = languages::extract(language, text);
            prepare(
                &ingest::search_doc::file_doc(path, text, &facts),
                Some(model),
            )
            .ok()
        }
        None => prepare(&plain::file_doc(path, text)?, Some(model)).ok(),
    }
}
