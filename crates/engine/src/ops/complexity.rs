//! `complexity`: the complexity of functions.

use super::arguments::{in_range, is_in};
use super::boundary::FileRoleRules;
use crate::graph_state::GraphState;
use crate::operation::{Access, DoorDefault, Tool, operation};
use crate::session::Session;
use crate::workspace::Workspace;
use crate::{EngineError, IndexInfo, unread};
use analysis::{
    ComplexityLimits, ComplexitySort, FileComplexity, FunctionMeasure, mark_and_sort, sum_by_file,
};
use base::stack::on_deep_stack;
use base::{Language, hex};
use guard::Folder;
use guard::seal;
use ingest::cache::{self, FactsCache};
use ingest::text::{self, Decoded};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;
use store::FileRecord;
use syntax::facts::{Def, DefFlags, DefId, FileFacts, ParamKind};

/// What to sort by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
#[schemars(inline, description = "")]
pub enum SortArg {
    /// Cyclomatic complexity: decision points + 1
    Cyclomatic,
    /// Cognitive complexity: breaks in the flow, weighted by nesting
    #[default]
    Cognitive,
    /// Number of lines
    Lines,
    /// Deepest nesting of control structures
    Nesting,
    /// Number of parameters
    Parameters,
}

/// How hard functions are to follow.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(deny_unknown_fields)]
pub struct ComplexityRequest {
    /// A folder or file
    #[cfg_attr(feature = "cli", arg(value_name = "PATH"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Sort order
    #[cfg_attr(feature = "cli", arg(long, value_enum, default_value_t))]
    #[serde(default)]
    #[schemars(description = "")]
    pub sort: SortArg,
    /// Maximum number of functions and files to list
    #[cfg_attr(
        feature = "cli",
        arg(
            long = "limit",
            short = 'n',
            aliases = ["top", "top-n"],
            default_value_t = TOP.command_line,
            allow_negative_numbers = true
        )
    )]
    #[serde(
        default = "default_top",
        rename = "limit",
        alias = "top",
        alias = "top_n"
    )]
    #[schemars(description = "")]
    pub top: i64,
    /// Only functions that exceed a limit
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default)]
    #[schemars(description = "")]
    pub over: bool,
    /// Include tests, examples, generated and vendored files
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default)]
    #[schemars(skip)]
    pub all: bool,
    /// Limit of cyclomatic complexity
    #[cfg_attr(feature = "cli", arg(long, default_value_t = 10))]
    #[serde(default = "default_max_cyclomatic")]
    #[schemars(skip)]
    pub max_cyclomatic: u32,
    /// Limit of cognitive complexity
    #[cfg_attr(feature = "cli", arg(long, default_value_t = 15))]
    #[serde(default = "default_max_cognitive")]
    #[schemars(skip)]
    pub max_cognitive: u32,
    /// Limit of lines
    #[cfg_attr(feature = "cli", arg(long, default_value_t = 60))]
    #[serde(default = "default_max_lines")]
    #[schemars(skip)]
    pub max_lines: u32,
    /// Limit of nesting
    #[cfg_attr(feature = "cli", arg(long, default_value_t = 4))]
    #[serde(default = "default_max_nesting")]
    #[schemars(skip)]
    pub max_nesting: u32,
    /// Limit of parameters
    #[cfg_attr(feature = "cli", arg(long, default_value_t = 6))]
    #[serde(default = "default_max_parameters")]
    #[schemars(skip)]
    pub max_parameters: u32,
}

/// Default number of entries. An agent pays for every line that it reads; a person scrolls.
const TOP: DoorDefault<i64> = DoorDefault {
    command_line: 20,
    client: 10,
};

fn default_top() -> i64 {
    TOP.client
}

fn default_max_cyclomatic() -> u32 {
    ComplexityLimits::default().cyclomatic
}

fn default_max_cognitive() -> u32 {
    ComplexityLimits::default().cognitive
}

fn default_max_lines() -> u32 {
    ComplexityLimits::default().lines
}

fn default_max_nesting() -> u32 {
    ComplexityLimits::default().nesting
}

fn default_max_parameters() -> u32 {
    ComplexityLimits::default().parameters
}

/// The measures.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComplexityAnswer {
    /// The version of this shape.
    pub schema_version: &'static str,
    /// The folder or file; empty for everything.
    pub path: String,
    /// The limits.
    pub limits: ComplexityLimits,
    /// The number of functions measured.
    pub total_functions: usize,
    /// The number of files with functions.
    pub total_files: usize,
    /// The number of functions over a limit.
    pub over: usize,
    /// The worst functions first.
    pub functions: Vec<FunctionMeasure>,
    /// The worst files first.
    pub files: Vec<FileComplexity>,
    /// The files that could not be measured, with the reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The state of the index.
    pub index: IndexInfo,
}

impl ComplexityRequest {
    fn limits(&self) -> ComplexityLimits {
        ComplexityLimits {
            cyclomatic: self.max_cyclomatic,
            cognitive: self.max_cognitive,
            lines: self.max_lines,
            nesting: self.max_nesting,
            parameters: self.max_parameters,
        }
    }

    fn order(&self) -> ComplexitySort {
        match self.sort {
            SortArg::Cyclomatic => ComplexitySort::Cyclomatic,
            SortArg::Cognitive => ComplexitySort::Cognitive,
            SortArg::Lines => ComplexitySort::Lines,
            SortArg::Nesting => ComplexitySort::Nesting,
            SortArg::Parameters => ComplexitySort::Parameters,
        }
    }
}

operation! {
    /// Functions that are hard to follow.
    ComplexityOperation {
        name: "complexity",
        request: ComplexityRequest => ComplexityAnswer,
        access: |_| Access::Read,
        tool: Some(Tool {
            title: "Complexity",
            about: "List complex functions",
            pages: true,
            core: false,
            writes: false,
        }),
        answer: measure_complexity,
    }
}

pub(crate) fn measure_complexity(
    workspace: &Workspace,
    request: &ComplexityRequest,
) -> Result<ComplexityAnswer, EngineError> {
    let top = in_range("limit", request.top, 1, 10_000)? as usize;
    let path = match request.path.as_deref() {
        Some(path) => workspace.project().relative_path(path)?,
        None => String::new(),
    };
    let (answer, index) = workspace.ask(|session| {
        unread::note_gaps(session)?;
        measure_in_parallel(session, request, &path, top)
    })?;
    Ok(ComplexityAnswer { index, ..answer })
}

/// The answer besides the state of the index.
fn measure_in_parallel(
    session: &Session<'_>,
    request: &ComplexityRequest,
    path: &str,
    top: usize,
) -> Result<ComplexityAnswer, EngineError> {
    let (limits, sort) = (request.limits(), request.order());
    let records = session.store().indexed_files()?;
    let file_roles = FileRoleRules::for_project(session.workspace(), records.len());
    let inside = |record: &&FileRecord| is_in(path, &record.path);
    // A path that was named is measured whatever its role.
    let wanted = |record: &&FileRecord| {
        request.all || !path.is_empty() || file_roles.of_record(record) == "user"
    };
    let chosen: Vec<&FileRecord> = records.values().filter(inside).filter(wanted).collect();
    if chosen.is_empty() && !path.is_empty() && records.values().filter(inside).count() == 0 {
        let message = format!("path not found in the index: {path}");
        return Err(EngineError::bad_arguments(message)
            .with_hint("`knotwork index status` lists skipped files and why"));
    }
    let measures = Measures::measure(session, &chosen);
    let mut warnings = Vec::new();
    if measures.unread_count > 0 {
        warnings.push(format!("{} files could not be read", measures.unread_count));
    }
    let functions = mark_and_sort(measures.functions, &limits, sort);
    if functions.is_empty() {
        warnings.push("no function in a language with a grammar".to_owned());
    }
    let mut files = sum_by_file(&functions, sort);
    let over = functions.iter().filter(|f| !f.over.is_empty()).count();
    let total_files = files.len();
    let total_functions = functions.len();
    let shown = functions
        .into_iter()
        .filter(|f| !request.over || !f.over.is_empty());
    files.truncate(top);
    Ok(ComplexityAnswer {
        schema_version: "1.0",
        path: path.to_owned(),
        limits,
        total_functions,
        total_files,
        over,
        functions: shown.take(top).collect(),
        files,
        warnings,
        index: IndexInfo::default(),
    })
}

/// The functions of files, measured.
#[derive(Default)]
pub(super) struct Measures {
    functions: Vec<FunctionMeasure>,
    unread_count: usize,
}

/// The measures of the functions of one content.
type FunctionMeasures = Vec<FunctionMeasure>;

/// The number of new files up to which parsing them is quicker than opening the facts cache.
const FEW: usize = 40;

impl Measures {
    /// Measures the files at these paths.
    pub(super) fn read(session: &Session<'_>, paths: &[String]) -> Result<Measures, EngineError> {
        let records = session.store().indexed_files()?;
        let chosen: Vec<&FileRecord> = paths.iter().filter_map(|p| records.get(p)).collect();
        Ok(Measures::measure(session, &chosen))
    }

    pub(super) fn functions(&self) -> &[FunctionMeasure] {
        &self.functions
    }

    /// Measures files as the index has them. Measures are cached by content.
    fn measure(session: &Session<'_>, records: &[&FileRecord]) -> Measures {
        let kept_at = session.project().cache_dir.join("complexity.tsv");
        let mut kept = MeasureCache::read(&kept_at);
        let skipped = |record: &&&FileRecord| !record.source.starts_with("skipped");
        let readable: Vec<(&FileRecord, Language)> = records
            .iter()
            .filter(skipped)
            .filter_map(|record| Some((*record, Language::from_name(&record.language)?)))
            .collect();
        let missing: Vec<(&FileRecord, Language)> = readable
            .iter()
            .filter(|(record, language)| !kept.0.contains_key(&cache_key(record, *language)))
            .copied()
            .collect();
        if !missing.is_empty() {
            for (key, lines) in measure_missing(session.workspace(), &missing) {
                kept.0.insert(key, lines);
            }
            kept.write(&kept_at, &session.state);
        }
        let mut found = Measures::default();
        for (record, language) in readable {
            match kept.0.get(&cache_key(record, language)) {
                None => found.unread_count += 1,
                Some(lines) => found
                    .functions
                    .extend(lines.iter().map(|f| FunctionMeasure {
                        file_path: record.path.clone(),
                        ..f.clone()
                    })),
            }
        }
        found
    }
}

/// The functions of a file, measured, whatever is known of other files. None where it cannot be read.
pub(super) fn functions_of(
    workspace: &Workspace,
    record: &FileRecord,
) -> Option<Arc<[FunctionMeasure]>> {
    if record.source.starts_with("skipped") {
        return None;
    }
    let language = Language::from_name(&record.language)?;
    let kept = &workspace.shared().recent_measures;
    if let Some(known) = kept.get(&record.hash, language) {
        return Some(known);
    }
    let (_, measured) = measure_missing(workspace, &[(record, language)]).pop()?;
    let functions = Arc::from(measured);
    kept.put(&record.hash, language, &functions);
    Some(functions)
}

/// The key includes the language, because the same bytes may be read as two languages.
fn cache_key(record: &FileRecord, language: Language) -> String {
    format!("{} {}", record.hash, language.as_str())
}

/// Measures files on all threads: from their cached facts where there are any, else from their text.
fn measure_missing(
    workspace: &Workspace,
    missing: &[(&FileRecord, Language)],
) -> Vec<(String, FunctionMeasures)> {
    let options = workspace.options();
    let folder = options
        .facts_dir
        .unwrap_or_else(|| options.state_dir.join("ast-cache"));
    let facts = if missing.len() > FEW {
        FactsCache::open(&folder)
    } else {
        FactsCache::empty()
    };
    let Ok(root) = Folder::open(&workspace.project().root) else {
        return Vec::new();
    };
    let root = &root;
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let share = missing.len().div_ceil(threads).max(1);
    std::thread::scope(|scope| {
        let work = missing.chunks(share).map(|chunk| {
            let facts = &facts;
            let measure = move || -> Vec<(String, FunctionMeasures)> {
                let one = |(record, language): &(&FileRecord, Language)| {
                    let lines = measure_file(root, facts, record, *language)?;
                    Some((cache_key(record, *language), lines))
                };
                chunk.iter().filter_map(one).collect()
            };
            // Facts of deeply nested code are not in the cache.
            scope.spawn(move || on_deep_stack(measure))
        });
        let work: Vec<_> = work.collect();
        // A file that cannot be measured is left out.
        let done = work.into_iter().filter_map(|thread| thread.join().ok());
        done.flatten().collect()
    })
}

fn measure_file(
    root: &Folder,
    facts: &FactsCache,
    record: &FileRecord,
    language: Language,
) -> Option<FunctionMeasures> {
    if let Some(known) =
        hex::decode(&record.hash).and_then(|h| facts.get(&cache::cache_key(h, language)))
    {
        return Some(measures_from_facts(&known));
    }
    let limit = record.size.max(1 << 16);
    let bytes = root.read(&record.path, limit).ok()?;
    match text::decode_masked(&record.path, bytes) {
        Decoded::Text(text) => Some(measures_from_facts(&languages::extract(language, &text))),
        Decoded::Not(_) => None,
    }
}

/// The functions with a name and a body.
fn measures_from_facts(facts: &FileFacts) -> FunctionMeasures {
    let defs = facts.defs.iter().zip(0..);
    defs.filter(|(def, _)| is_measured(def))
        .map(|(def, number)| {
            let parameters = def.callable.as_ref().map_or(0, |callable| {
                let own = callable.params.iter();
                own.filter(|p| p.kind != ParamKind::Receiver).count()
            });
            FunctionMeasure {
                symbol: facts.qualified_name(DefId(number)),
                kind: def.kind.as_str().to_owned(),
                line: def.span.start_line,
                line_end: def.span.end_line,
                lines: def.span.end_line - def.span.start_line + 1,
                cyclomatic: u32::from(def.complexity.cyclomatic),
                cognitive: u32::from(def.complexity.cognitive),
                nesting: u32::from(def.complexity.nesting),
                parameters: parameters as u32,
                ..FunctionMeasure::default()
            }
        })
        .collect()
}

fn is_measured(def: &Def) -> bool {
    let bodiless = [
        DefFlags::ANONYMOUS,
        DefFlags::ABSTRACT,
        DefFlags::DECLARATION_ONLY,
    ];
    def.complexity.cyclomatic > 0 && !bodiless.iter().any(|flag| def.flags.has(*flag))
}

/// Measures by content, kept between questions.
#[derive(Default)]
struct MeasureCache(BTreeMap<String, FunctionMeasures>);

/// The first line of the file. The number changes with the way of measuring.
fn cache_header() -> String {
    format!("complexity 1 {}", languages::FACTS_VERSION)
}

/// The kind of file, for its seal.
const KIND: &str = "complexity";
/// The most bytes of that file; a longer one was not written by this program.
const LONGEST: u64 = 1 << 30;

/// The last line of that file: without it the file is half-written.
const END: &str = "end";

impl MeasureCache {
    fn read(path: &Path) -> MeasureCache {
        let text = seal::read_sealed(path, KIND, LONGEST).unwrap_or_default();
        let text = std::str::from_utf8(&text).unwrap_or_default();
        MeasureCache::parse(text).unwrap_or_default()
    }

    fn parse(text: &str) -> Option<MeasureCache> {
        let body = text
            .strip_prefix(&cache_header())?
            .trim_end()
            .strip_suffix(END)?;
        let mut kept = MeasureCache::default();
        let mut open: Option<(String, FunctionMeasures)> = None;
        for line in body.lines().filter(|line| !line.is_empty()) {
            match line.strip_prefix("= ") {
                Some(key) => {
                    kept.0.extend(open.replace((key.to_owned(), Vec::new())));
                }
                None => open.as_mut()?.1.push(parse_cached_function(line)?),
            }
        }
        kept.0.extend(open);
        Some(kept)
    }

    /// Writes the measures, without those of contents that the index no longer has. Errors are ignored: the files are then
    /// measured again.
    fn write(&mut self, path: &Path, state: &GraphState) {
        let Ok(records) = state.store.indexed_files() else {
            return;
        };
        let alive: BTreeSet<&str> = records.values().map(|r| r.hash.as_str()).collect();
        let is_alive = |key: &String| key.split(' ').next().is_some_and(|h| alive.contains(h));
        let mut text = format!("{}\n", cache_header());
        for (key, lines) in self.0.iter().filter(|(key, _)| is_alive(key)) {
            let _ = writeln!(text, "= {key}");
            for f in lines.iter().filter(|f| !f.symbol.contains(['\n', '\t'])) {
                let _ = writeln!(
                    text,
                    "{} {} {} {} {} {} {}\t{}",
                    f.line,
                    f.line_end,
                    f.cyclomatic,
                    f.cognitive,
                    f.nesting,
                    f.parameters,
                    f.kind,
                    f.symbol
                );
            }
        }
        text.push_str(END);
        text.push('\n');
        let folder = path.parent().map(guard::state::create_private_folders);
        if folder.is_some_and(|made| made.is_ok()) {
            let _ = seal::write_sealed(path, KIND, text.as_bytes());
        }
    }
}

fn parse_cached_function(line: &str) -> Option<FunctionMeasure> {
    let (measures, symbol) = line.split_once('\t')?;
    let mut words = measures.split(' ');
    let mut number = || words.next()?.parse::<u32>().ok();
    let (line, line_end) = (number()?, number()?);
    let (cyclomatic, cognitive, nesting, parameters) = (number()?, number()?, number()?, number()?);
    Some(FunctionMeasure {
        symbol: symbol.to_owned(),
        kind: words.next()?.to_owned(),
        line,
        line_end,
        lines: line_end.checked_sub(line)? + 1,
        cyclomatic,
        cognitive,
        nesting,
        parameters,
        ..FunctionMeasure::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_file_of_measures_is_none() {
        let text = format!(
            "{}\n= ab python\n3 9 4 5 2 1 method\tA.b\nend\n",
            cache_header()
        );
        let kept = MeasureCache::parse(&text).unwrap();
        let f = &kept.0["ab python"][0];
        assert_eq!((f.symbol.as_str(), f.lines, f.cognitive), ("A.b", 7, 5));
        assert!(MeasureCache::parse(&text[..text.len() - 5]).is_none());
        assert!(MeasureCache::parse("complexity 0 0\nend\n").is_none());
        assert!(MeasureCache::parse("").is_none());
    }

    #[test]
    fn functions_with_a_body_are_measured() {
        let text = "class A:\n    def b(self, x, *rest):\n        if x and rest:\n            return 1\n        return lambda y: y\n";
        let lines = measures_from_facts(&languages::extract(Language::Python, text));
        assert_eq!(lines.len(), 1);
        let f = &lines[0];
        assert_eq!((f.symbol.as_str(), f.parameters, f.lines), ("A.b", 2, 4));
        assert_eq!((f.cyclomatic, f.nesting), (3, 1));
    }
}
