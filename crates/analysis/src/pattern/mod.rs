//! Patterns of a code base, learned from itself: names, order of calls, structure, imports, handling of errors.
//!
//! All patterns have one form: at each place of some kind (`key`), a value was chosen (`value`). A value that is nearly always
//! chosen is a pattern, and the other places are its exceptions.

mod import;
mod naming;
mod observed;
mod sequence;
mod statement;
mod structure;
mod tuning;

pub use observed::{Observation, Observations};
pub use sequence::ExternalCalls;
pub use statement::observe_statements;
pub use tuning::PatternTuning;

use base::secret::{TextKind, mask_secrets};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use store::Snapshot;

/// The least nodes of a graph from which patterns are learned.
pub const LEAST_NODES: usize = 10;

/// Most patterns of one kind.
pub const MOST_OF_KIND: usize = 20;

/// Most examples that are kept with a pattern.
const EXAMPLES: usize = 3;

/// Bytes of a text of a kept pattern: the file may be the repository's.
const LONGEST_TEXT: usize = 1_024;

/// Most deviations that are listed; the rest is counted.
pub const MOST_DEVIATIONS: usize = 10_000;

/// Most bytes of their texts: each repeats the texts of its pattern.
const MOST_TEXT: usize = 16 << 20;

/// Subject of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PatternKind {
    /// Naming of symbols.
    Naming,
    /// Order of calls.
    CallSequence,
    /// Members of types, files of folders, tests of sources.
    Structure,
    /// Imports and their style.
    Import,
    /// Handling of errors.
    ErrorHandling,
}

impl PatternKind {
    /// The word in files and answers.
    pub fn as_str(self) -> &'static str {
        match self {
            PatternKind::Naming => "naming",
            PatternKind::CallSequence => "call_sequence",
            PatternKind::Structure => "structure",
            PatternKind::Import => "import",
            PatternKind::ErrorHandling => "error_handling",
        }
    }
}

/// A place in the source.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SourceLocation {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// Symbol at the place.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub symbol: String,
}

/// A stored pattern.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Pattern {
    /// A name that stays the same.
    pub pattern_id: String,
    /// Subject.
    pub kind: PatternKind,
    /// Description for people.
    pub description: String,
    /// See [`Observation::key`].
    pub key: String,
    /// See [`Observation::value`].
    pub value: String,
    /// Places that follow it.
    pub frequency: usize,
    /// Places that do not.
    pub exceptions: usize,
    /// Number of files that follow it.
    pub files: usize,
    /// Followed / (followed + not followed).
    pub confidence: f64,
    /// Some places that follow it.
    pub examples: Vec<SourceLocation>,
    /// `learned`, or another source; only learned patterns are changed.
    pub source: String,
    /// The time when it was first learned, seconds since 1970.
    pub first_seen: u64,
    /// The time when it was last found to hold, seconds since 1970.
    pub last_confirmed: u64,
}

impl Pattern {
    /// Prepares a pattern from a file for use and display: likely secrets are masked, and texts and examples are cut. `None` if
    /// its names are longer than any that is learned.
    pub fn from_file(mut self) -> Option<Pattern> {
        let names = [&mut self.pattern_id, &mut self.key, &mut self.value];
        for name in names {
            if name.len() > LONGEST_TEXT {
                return None;
            }
            *name = mask_secrets(std::mem::take(name), TextKind::Code);
        }
        self.description = cut_and_masked(std::mem::take(&mut self.description));
        self.examples.truncate(EXAMPLES);
        for place in &mut self.examples {
            place.file = cut_and_masked(std::mem::take(&mut place.file));
            place.symbol = cut_and_masked(std::mem::take(&mut place.symbol));
        }
        Some(self)
    }
}

/// A text of a file, cut and without likely secrets.
fn cut_and_masked(text: String) -> String {
    let Some(end) = text
        .char_indices()
        .map(|(at, _)| at)
        .find(|at| *at > LONGEST_TEXT)
    else {
        return mask_secrets(text, TextKind::Other);
    };
    format!("{}…", mask_secrets(text[..end].to_owned(), TextKind::Other))
}

/// A place that does not follow a pattern. All such places share the pattern's texts.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Deviation {
    /// The pattern.
    #[serde(serialize_with = "shared")]
    pub pattern_id: Arc<str>,
    /// Subject of the pattern.
    pub kind: PatternKind,
    /// Description for people.
    #[serde(serialize_with = "shared")]
    pub description: Arc<str>,
    /// The file.
    pub file: String,
    /// The line.
    pub line: u32,
    /// Symbol at the place.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub symbol: String,
    /// Value that was chosen instead.
    pub found: String,
    /// Share of places that follow the pattern, 0–1.
    pub confidence: f64,
    /// Some places that follow it.
    #[serde(serialize_with = "shared")]
    pub examples: Arc<[SourceLocation]>,
}

impl Deviation {
    /// Bytes of its texts.
    fn size(&self) -> usize {
        let place = |p: &SourceLocation| p.file.len() + p.symbol.len();
        let texts = self.pattern_id.len() + self.description.len();
        let examples: usize = self.examples.iter().map(place).sum();
        texts + examples + self.file.len() + self.symbol.len() + self.found.len()
    }
}

fn shared<T, S>(value: &Arc<T>, serializer: S) -> Result<S::Ok, S::Error>
where
    T: Serialize + ?Sized,
    S: serde::Serializer,
{
    value.as_ref().serialize(serializer)
}

/// Input of the observation.
pub struct Code<'a> {
    /// The graph.
    pub graph: &'a Snapshot,
    /// Calls of nodes to packages outside the repository.
    pub uses: &'a ExternalCalls,
    /// Files of the project's own code that are no tests, in order of path.
    pub files: &'a [String],
    /// All files of tests, in order of path.
    pub tests: &'a [String],
    /// Numbers; [`PatternTuning::default`] outside of evaluations.
    pub tuning: &'a PatternTuning,
}

/// Whether each file of the graph is observed, by file number.
struct OwnFiles(Vec<bool>);

impl OwnFiles {
    fn from_code(code: &Code<'_>) -> OwnFiles {
        let paths: FxHashSet<&str> = code.files.iter().map(String::as_str).collect();
        let files = 0..code.graph.file_count() as u32;
        let own = files.map(|file| paths.contains(code.graph.file_path(file)));
        OwnFiles(own.collect())
    }

    /// Whether the node lies in one of the files.
    fn contains_node(&self, graph: &Snapshot, node: u32) -> bool {
        let file = graph.location(node).file;
        self.0.get(file as usize).copied().unwrap_or(false)
    }
}

/// Choices and their places, added to those of [`observe_statements`]. Choices of `known` keys are reported even if they are
/// rare.
pub fn observe_all(
    code: &Code<'_>,
    statements: Observations,
    known: &BTreeSet<String>,
    least: usize,
) -> Observations {
    let own = OwnFiles::from_code(code);
    let mut found = statements;
    let families = naming::collect_subtypes(code.graph, &own);
    found.begin_source();
    naming::observe_names(code, &own, &families, known, least, &mut found);
    found.begin_source();
    structure::observe_structure((code, &families), known, least, &mut found);
    found.begin_source();
    import::observe_imports((code, &own), known, least, &mut found);
    found.begin_source();
    sequence::observe_sequences((code, &own), known, least, &mut found);
    found
}

/// Learns the patterns among the observations, the surest and most frequent of each kind first.
pub fn learn_patterns(
    observations: &Observations,
    least: usize,
    tuning: &PatternTuning,
    now: u64,
) -> Vec<Pattern> {
    let order = observations.by_choice();
    let choices = order.chunk_by(|a, b| observations.is_one_choice(*a, *b));
    let mut found: Vec<Pattern> = choices
        .filter_map(|all| build_pattern((observations, all), least, tuning, now))
        .collect();
    let weight = |p: &Pattern| p.confidence * (p.frequency as f64).ln_1p();
    found.sort_by(|a, b| {
        a.kind
            .cmp(&b.kind)
            .then_with(|| weight(b).total_cmp(&weight(a)))
            .then_with(|| a.pattern_id.cmp(&b.pattern_id))
    });
    let mut of_kind: FxHashMap<PatternKind, usize> = FxHashMap::default();
    found.retain(|p| {
        let count = of_kind.entry(p.kind).or_default();
        *count += 1;
        *count <= MOST_OF_KIND
    });
    found
}

/// The pattern of one choice: `all` are its observations.
fn build_pattern(
    (observations, all): (&Observations, &[u32]),
    least: usize,
    tuning: &PatternTuning,
    now: u64,
) -> Option<Pattern> {
    let of_choice = || all.iter().map(|at| observations.get(*at));
    let (kind, key) = of_choice().next().map(|one| (one.kind, one.key))?;
    let mut values: BTreeMap<&str, usize> = BTreeMap::new();
    for one in of_choice() {
        *values.entry(one.value).or_default() += 1;
    }
    let (value, frequency) = values
        .iter()
        .max_by_key(|(value, n)| (**n, std::cmp::Reverse(**value)))?;
    let exceptions = all.len() - frequency;
    let confidence = *frequency as f64 / all.len() as f64;
    if *frequency < least.max(1) || confidence < tuning.confidence {
        return None;
    }
    // The first place of each file, so that the examples come from more than one author.
    let mut files: BTreeMap<&str, (u32, &str)> = BTreeMap::new();
    for one in of_choice().filter(|one| one.value == *value) {
        let place = (one.line, one.symbol);
        let first = files.entry(one.file).or_insert(place);
        *first = (*first).min(place);
    }
    // Equal names in one folder may be copies of each other.
    let folders: BTreeSet<&str> = files.keys().map(|file| parent_folder(file)).collect();
    let copied = folders.len() < 2 && *frequency < tuning.alias_in_folder;
    let rare = files.len() < tuning.files || (key.starts_with("import:alias:") && copied);
    // A rare choice is not a pattern, nor is a rule of the language or the absence of something.
    if rare || is_trivial(key, value, exceptions) {
        return None;
    }
    let to_location = |(file, (line, symbol)): (&&str, &(u32, &str))| SourceLocation {
        file: (*file).to_owned(),
        line: *line,
        symbol: (*symbol).to_owned(),
    };
    Some(Pattern {
        pattern_id: format!("{}:{value}", key),
        kind,
        description: describe(key, value),
        key: key.to_owned(),
        value: (*value).to_owned(),
        frequency: *frequency,
        exceptions,
        files: files.len(),
        confidence: (confidence * 1000.0).round() / 1000.0,
        examples: files.iter().take(EXAMPLES).map(to_location).collect(),
        source: "learned".to_owned(),
        first_seen: now,
        last_confirmed: now,
    })
}

/// Whether the value is the absence of something, or a rule of the language that has no exceptions.
fn is_trivial(key: &str, value: &str, exceptions: usize) -> bool {
    let absent = value == "without";
    // Bad habits are not reported as patterns.
    let bad = matches!(
        (key, value),
        ("error:python:raise", "unchained")
            | ("error:python:except", "bare")
            | ("error:go:wrap", "flattened")
            | ("error:go:compare", "compared")
            | ("error:go:return", "as it is")
            | ("error:rust:panic", "unwrap")
            | ("error:java:cause", "lost")
    );
    // A module imported under its own name.
    let plain = key.strip_prefix("import:alias:").is_some_and(|rest| {
        let module = rest.split_once(':').map_or(rest, |(_, module)| module);
        let mut parts = module.rsplit('/').map(|p| p.split('.').next().unwrap_or(p));
        // `../core/index.js` stands for the folder.
        let last = parts.find(|part| *part != "index").unwrap_or(module);
        value == module || (exceptions == 0 && value == last)
    });
    let mandated = key.starts_with("naming:function:") || key.starts_with("naming:class:");
    absent || bad || plain || (mandated && exceptions == 0)
}

/// A pattern in words.
fn describe(key: &str, value: &str) -> String {
    let parts: Vec<&str> = key.splitn(3, ':').collect();
    let rest = parts.get(2).copied().unwrap_or_default();
    match (parts[0], parts.get(1).copied().unwrap_or_default()) {
        ("naming", "file") => format!("Files of {rest} are named in {value}"),
        ("naming", "test") => format!("Tests of {rest} are in files called {value}"),
        ("naming", "function") => format!("Functions of {rest} are named in {value}"),
        ("naming", "class") => format!("Classes of {rest} are named in {value}"),
        ("naming", "constant") => format!("Constants of {rest} are named in {value}"),
        ("naming", "subtype") => format!("What extends {} is called {value}", strip_origin(rest)),
        ("naming", "folder") => {
            let (what, folder) = rest.split_once(':').unwrap_or(("class", rest));
            let plural = if what == "class" {
                "Classes"
            } else {
                "Functions"
            };
            format!("{plural} in {folder} are called {value}")
        }
        ("sequence", "then") => {
            let (first, second) = rest.split_once(" => ").unwrap_or((rest, ""));
            format!(
                "{} is followed by {}",
                strip_origin(first),
                strip_origin(second)
            )
        }
        ("structure", "subtype") => {
            let (base, member) = rest.rsplit_once(':').unwrap_or((rest, ""));
            format!("What extends {} defines {member}", strip_origin(base))
        }
        ("structure", "folder") => {
            let (folder, name) = rest.rsplit_once(':').unwrap_or((rest, ""));
            format!("Each folder in {folder} has {name}")
        }
        ("structure", "companion") => {
            format!("Source files of {rest} have tests of their own name")
        }
        ("import", "folder") => {
            let (folder, what) = rest.split_once(':').unwrap_or((rest, ""));
            format!("Files in {folder} import {what}")
        }
        ("import", "alias") => {
            let (_, what) = rest.split_once(':').unwrap_or(("", rest));
            format!("{what} is imported as {value}")
        }
        _ => statement::describe(key, value),
    }
}

/// A symbol's name without the file after it.
fn strip_origin(name: &str) -> &str {
    match name.rfind('@') {
        // Packages of npm may begin with `@`.
        None | Some(0) => name,
        Some(at) => &name[..at],
    }
}

/// Places in the given files that do not follow a pattern, in order of file and line. Only as many as an answer shows, with the
/// total number.
pub fn find_deviations(
    patterns: &[Pattern],
    observations: &Observations,
    is_asked: &dyn Fn(&str) -> bool,
) -> (Vec<Deviation>, usize) {
    let by_key: FxHashMap<&str, &Pattern> = patterns.iter().map(|p| (p.key.as_str(), p)).collect();
    let mut found: Vec<(&Pattern, u32)> = (0..observations.len() as u32)
        .filter_map(|at| {
            let one = observations.get(at);
            let pattern = *by_key.get(one.key)?;
            let differs = pattern.value != one.value && is_asked(one.file);
            differs.then_some((pattern, at))
        })
        .collect();
    found.sort_by(|(p, a), (q, b)| {
        let (a, b) = (observations.get(*a), observations.get(*b));
        (a.file, a.line, &p.pattern_id).cmp(&(b.file, b.line, &q.pattern_id))
    });
    let total = found.len();
    let mut texts: FxHashMap<&str, PatternTexts> = FxHashMap::default();
    let mut left = MOST_TEXT;
    let listed = found.into_iter().take(MOST_DEVIATIONS);
    let listed = listed.map(|(pattern, one)| {
        let texts = texts
            .entry(&pattern.key)
            .or_insert_with(|| PatternTexts::new(pattern));
        texts.to_deviation(pattern, observations.get(one))
    });
    let fits = |one: &Deviation| match left.checked_sub(one.size()) {
        Some(less) => {
            left = less;
            true
        }
        None => false,
    };
    (listed.take_while(fits).collect(), total)
}

/// Texts of a pattern, shared by all places that do not follow it.
struct PatternTexts {
    pattern_id: Arc<str>,
    description: Arc<str>,
    examples: Arc<[SourceLocation]>,
}

impl PatternTexts {
    fn new(pattern: &Pattern) -> PatternTexts {
        PatternTexts {
            pattern_id: pattern.pattern_id.as_str().into(),
            description: pattern.description.as_str().into(),
            examples: pattern.examples.as_slice().into(),
        }
    }

    fn to_deviation(&self, pattern: &Pattern, one: Observation<'_>) -> Deviation {
        Deviation {
            pattern_id: Arc::clone(&self.pattern_id),
            kind: pattern.kind,
            description: Arc::clone(&self.description),
            file: one.file.to_owned(),
            line: one.line,
            symbol: one.symbol.to_owned(),
            found: one.value.to_owned(),
            confidence: pattern.confidence,
            examples: Arc::clone(&self.examples),
        }
    }
}

/// Merges old and new patterns. A learned pattern that still holds keeps its age, one that no longer holds is dropped, and
/// patterns from elsewhere stay as they are.
pub fn merge_patterns(old: Vec<Pattern>, new: Vec<Pattern>) -> Vec<Pattern> {
    let mut ages: FxHashMap<String, u64> = FxHashMap::default();
    let mut merged = Vec::new();
    for pattern in old {
        match pattern.source.as_str() {
            "learned" => drop(ages.insert(pattern.pattern_id, pattern.first_seen)),
            _ => merged.push(pattern),
        }
    }
    let taken: BTreeSet<String> = merged.iter().map(|p| p.pattern_id.clone()).collect();
    for mut pattern in new {
        if taken.contains(&pattern.pattern_id) {
            continue;
        }
        if let Some(age) = ages.get(&pattern.pattern_id) {
            pattern.first_seen = pattern.first_seen.min(*age);
        }
        merged.push(pattern);
    }
    merged
}

/// A folder of a path; `.` for the root.
fn parent_folder(path: &str) -> &str {
    path.rsplit_once('/').map_or(".", |(folder, _)| folder)
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests;
