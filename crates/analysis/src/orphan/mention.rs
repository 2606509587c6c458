//! Mentions of candidates' names in the text of the whole repository, whatever the language of a file.

use super::Candidate;
use base::language::RuleSet;
use base::{EdgeType, Tier};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;
use std::sync::LazyLock;
use store::{NodeFlags, Snapshot};
use text::list::{self, WordList};

const LISTS: &str = include_str!("names.txt");

/// Candidates by the word to search for, prepared for searching many texts at once.
pub struct Mentions {
    /// For each name: its number and its candidates.
    names: FxHashMap<Box<str>, (u32, Vec<u32>)>,
    /// For each file: its number and its candidates.
    of_file: FxHashMap<Box<str>, (u32, Vec<u32>)>,
    /// The number of each candidate's file.
    file: Vec<u32>,
    /// For each file, the lines on which a symbol of such a name is defined, with the name.
    definitions: FxHashMap<Box<str>, FxHashSet<(u32, Box<str>)>>,
    /// First and last line of each candidate, and its name.
    places: Vec<(u32, u32, Box<str>)>,
    /// For each candidate, the files in which a mention can mean it.
    scopes: Vec<MentionScope>,
    /// For each candidate, the path of its file; the meanings of its name elsewhere.
    paths: Vec<Box<str>>,
    meanings: Vec<Meanings>,
    /// For each candidate, whether its language looks names up while the program runs.
    dynamic: Vec<bool>,
    /// Beginnings of candidates' names, up to an underscore.
    beginnings: FxHashSet<Box<str>>,
    /// The last words of the names of files that hold candidates.
    stems: FxHashMap<Box<str>, Vec<Box<str>>>,
    total: TextMentions,
}

/// Most bytes of a part of a name that is searched for among the parts that a program composes names from.
const LONGEST_PART: usize = 256;

/// Least bytes of the beginning of a name up to an underscore, of the beginning of a composed name, of the text before a
/// template's placeholder, and of the end of a composed name. Shorter ones would mean half of all names.
const LEAST_BEGINNING: usize = 4;
const LEAST_START: usize = 3;
const LEAST_TEMPLATE: usize = 2;
const LEAST_END: usize = 4;

/// Number of mentions from which no more are counted.
const MANY: u32 = 20;

/// Most paths that are compared with words of configurations, in addition to some for each byte.
const MOST_STEPS: usize = 2_000_000;

/// Mentions that were found in some texts.
#[derive(Debug, Clone, Default)]
pub struct TextMentions {
    /// Mentions of each candidate in code.
    code: Vec<u32>,
    /// Mentions of each candidate in prose: documents and comments.
    prose: Vec<u32>,
    /// Names whose candidates are all mentioned often enough.
    saturated_names: Vec<bool>,
    /// Files that a configuration names.
    files_in_configuration: FxHashSet<Box<str>>,
    /// Beginnings and ends of names that the program composes while it runs.
    composed_prefixes: FxHashSet<Box<str>>,
    composed_suffixes: FxHashSet<Box<str>>,
    /// Bytes that were read, and number of paths that were compared with words in them.
    bytes: usize,
    steps: usize,
}

impl TextMentions {
    /// Whether enough mentions of a candidate are known; for a mention in prose, enough of those.
    fn has_enough_mentions(&self, candidate: u32, in_prose: bool) -> bool {
        let at = candidate as usize;
        self.code[at] >= MANY || in_prose && self.prose[at] >= MANY
    }

    fn new(count: usize) -> TextMentions {
        TextMentions {
            code: vec![0; count],
            prose: vec![0; count],
            ..TextMentions::default()
        }
    }
}

/// The files in which an unquoted name can mean a candidate.
#[derive(Debug, Clone, Default)]
struct MentionScope {
    /// Only in this file, or in this folder if it ends in a slash.
    only: Option<Box<str>>,
    /// Index of the meanings of its name in `Mentions::meanings`; `None` if they decide nothing.
    others: Option<u32>,
}

impl MentionScope {
    fn contains(&self, path: &str) -> bool {
        match self.only.as_deref() {
            None => true,
            Some(folder) if folder.ends_with('/') => {
                let rest = path.strip_prefix(folder);
                rest.is_some_and(|name| !name.contains('/'))
            }
            Some(file) => file == path,
        }
    }
}

/// Files in which a name has a known meaning: for each, the files that define it.
type Meanings = FxHashMap<Box<str>, FxHashSet<Box<str>>>;

/// Facts that are found once for many candidates.
#[derive(Default)]
struct ScopeBuilder {
    /// Whether a file of ECMAScript has a scope of its own.
    modules: FxHashMap<Box<str>, bool>,
    /// The number of a name's meanings.
    numbers: FxHashMap<Box<str>, u32>,
    meanings: Vec<Meanings>,
}

impl ScopeBuilder {
    fn scope(&mut self, graph: &Snapshot, candidate: &Candidate) -> MentionScope {
        MentionScope {
            only: confining_path(graph, candidate, &mut self.modules),
            others: self.intern_meanings(graph, candidate),
        }
    }

    /// The number of a name's meanings. `None` for members, which are called on values of which too little is known, and for
    /// modules of Rust: which of several `cfg` chooses depends on the platform.
    fn intern_meanings(&mut self, graph: &Snapshot, candidate: &Candidate) -> Option<u32> {
        let member = candidate.parent.is_some() || candidate.kind == "method";
        let is_conditional = candidate.profile().is_some_and(|p| p.modules.conditional);
        if candidate.is_file() || member || is_conditional {
            return None;
        }
        if let Some(number) = self.numbers.get(candidate.name.as_str()) {
            return Some(*number);
        }
        let number = self.meanings.len() as u32;
        self.meanings.push(collect_meanings(graph, &candidate.name));
        self.numbers.insert(candidate.name.as_str().into(), number);
        Some(number)
    }
}

/// The file or folder that a name cannot leave by the rules of its language.
fn confining_path(
    graph: &Snapshot,
    candidate: &Candidate,
    modules: &mut FxHashMap<Box<str>, bool>,
) -> Option<Box<str>> {
    let path = candidate.path.as_str();
    let exported = candidate.flags.contains(NodeFlags::EXPORTED);
    let private = candidate.flags.contains(NodeFlags::PRIVATE);
    if candidate.is_file() || exported {
        return None;
    }
    match candidate.profile()?.rules {
        RuleSet::Go => {
            let (folder, _) = path.rsplit_once('/')?;
            Some(format!("{folder}/").into())
        }
        RuleSet::Java => private.then(|| path.into()),
        RuleSet::Script => {
            let known = modules.get(path).copied();
            let module = known.unwrap_or_else(|| {
                let module = is_ecmascript_module(graph, path);
                modules.insert(path.into(), module);
                module
            });
            let alone = candidate.parent.is_none() && module;
            (alone || candidate.name.starts_with('#')).then(|| path.into())
        }
        RuleSet::Python | RuleSet::Rust | RuleSet::None => None,
    }
}

/// Whether a file of ECMAScript has a scope of its own: it imports or exports.
fn is_ecmascript_module(graph: &Snapshot, path: &str) -> bool {
    graph.nodes_of_file(path).iter().any(|node| {
        graph.name_row(*node).flags.contains(NodeFlags::EXPORTED)
            || graph.outgoing(*node, EdgeType::Imports).len() > 0
    })
}

/// Files that define a name themselves, or that are known to take it from elsewhere.
fn collect_meanings(graph: &Snapshot, name: &str) -> Meanings {
    let mut found = Meanings::default();
    for node in graph.nodes_named(name) {
        let row = graph.name_row(*node);
        if matches!(row.kind, "method" | "field" | "property" | "enum_member") {
            continue;
        }
        let mut add = |path: &str| {
            let of = found.entry(path.into()).or_default();
            of.insert(row.file_path.into());
        };
        add(row.file_path);
        for only in [EdgeType::Imports, EdgeType::Calls] {
            let users = graph
                .incoming(*node, only)
                .filter(|e| e.tier != Tier::Named);
            users
                .filter_map(|e| Some(graph.file_path(e.file?)))
                .for_each(&mut add);
        }
    }
    found
}

/// Whether a candidate at `own` may be meant in a file where the name means a definition of these files. Files of one folder
/// are treated as one, and so are files of one name in the source sets of Java.
fn is_possible_meaning(defining: &FxHashSet<Box<str>>, own: &str) -> bool {
    let folder = |path: &str| path.rsplit_once('/').map_or(0, |(folder, _)| folder.len());
    let beside = |path: &str| {
        path[..folder(path)] == own[..folder(own)] || file_name(path) == file_name(own)
    };
    defining.iter().all(|path| beside(path))
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Endings of files that configure which code tools load and run.
static CONFIGURATION_ENDINGS: WordList =
    LazyLock::new(|| list::words(list::section(LISTS, "configuration endings")).collect());

/// Names of such files.
static CONFIGURATION_FILES: WordList =
    LazyLock::new(|| list::words(list::section(LISTS, "configuration files")).collect());

/// Whether a file configures which code tools load and run.
fn is_configuration(path: &str) -> bool {
    let name = file_name(path);
    let extension = name.rsplit_once('.').map_or("", |(_, e)| e);
    CONFIGURATION_ENDINGS.contains(&extension)
        || CONFIGURATION_FILES.contains(&name)
        || name.contains(".config.")
}

/// The word to search for: the name, or the longest word of a file's stem.
fn search_word(candidate: &Candidate) -> &str {
    if !candidate.is_file() {
        return candidate
            .name
            .trim_start_matches('#')
            .trim_start_matches("r#");
    }
    let stem = candidate.name.split('.').next().unwrap_or_default();
    let words = stem.split(|c: char| !is_word(c));
    words.max_by_key(|w| w.len()).unwrap_or_default()
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

impl Mentions {
    /// Prepares the search for all candidates.
    pub fn new(graph: &Snapshot, candidates: &[Candidate]) -> Mentions {
        let mut made = Mentions {
            names: FxHashMap::default(),
            of_file: FxHashMap::default(),
            file: Vec::with_capacity(candidates.len()),
            definitions: FxHashMap::default(),
            beginnings: FxHashSet::default(),
            stems: FxHashMap::default(),
            places: Vec::with_capacity(candidates.len()),
            scopes: Vec::with_capacity(candidates.len()),
            paths: Vec::with_capacity(candidates.len()),
            meanings: Vec::new(),
            dynamic: Vec::with_capacity(candidates.len()),
            total: TextMentions::new(candidates.len()),
        };
        let mut shared = ScopeBuilder::default();
        for (at, candidate) in candidates.iter().enumerate() {
            let name = search_word(candidate);
            let number = made.names.len() as u32;
            let of_name = made.names.entry(name.into());
            let of_name = &mut of_name.or_insert((number, Vec::new())).1;
            if of_name.is_empty() {
                let file_path = |node: u32| graph.name_row(node).file_path;
                for node in graph.nodes_named(&candidate.name) {
                    let line = graph.incoming(*node, base::EdgeType::Defines);
                    let line = line.filter_map(|e| e.line).next();
                    let line = line.or(graph.name_row(*node).line_start).unwrap_or(0);
                    let of_file = made.definitions.entry(file_path(*node).into());
                    of_file.or_default().insert((line, name.into()));
                }
            }
            of_name.push(at as u32);
            let ends = name
                .match_indices('_')
                .map(|(end, _)| end)
                .filter(|end| *end >= LEAST_BEGINNING);
            made.beginnings.extend(ends.map(|end| name[..end].into()));
            let stem = stem(&candidate.path);
            if let Some(last) = stem
                .rsplit(|c| !is_word(c))
                .next()
                .filter(|w| !w.is_empty())
            {
                let paths = made.stems.entry(last.into()).or_default();
                if paths.last().map(|p| &**p) != Some(candidate.path.as_str()) {
                    paths.push(candidate.path.as_str().into());
                }
            }
            let number = made.of_file.len() as u32;
            let of_file = made.of_file.entry(candidate.path.as_str().into());
            let of_file = of_file.or_insert((number, Vec::new()));
            made.file.push(of_file.0);
            of_file.1.push(at as u32);
            let (first, last) = if candidate.is_file() {
                (0, u32::MAX)
            } else {
                (
                    candidate.lines.0.min(candidate.name_line),
                    candidate.lines.1,
                )
            };
            let profile = candidate.profile();
            let dynamic = profile.is_none_or(|p| p.modules.names_at_run_time);
            made.dynamic.push(dynamic);
            made.scopes.push(shared.scope(graph, candidate));
            made.paths.push(candidate.path.as_str().into());
            made.places.push((first, last.max(first), name.into()));
        }
        made.meanings = shared.meanings;
        made
    }

    /// Looks through one text. Results of several threads are put together with [`Mentions::merge_found`].
    pub fn scan_text(&self, path: &str, text: &[u8], into: &mut TextMentions) {
        into.code.resize(self.places.len(), 0);
        into.prose.resize(self.places.len(), 0);
        let own = self.of_file.get(path);
        let own_file = own.map(|(number, _)| *number);
        into.saturated_names.resize(self.names.len(), false);
        let defined = self.definitions.get(path);
        let prose = is_prose(path);
        let configuration = is_configuration(path);
        let mut firsts: Option<FxHashMap<u32, u32>> = None;
        // Candidates of a name that a mention may mean here and that have not enough mentions yet, by the surroundings of the
        // mention.
        let mut waiting: FxHashMap<(u32, bool, bool), Vec<u32>> = FxHashMap::default();
        let mut indent = None;
        into.bytes += text.len();
        let mut line = 1u32;
        let mut line_start = 0;
        let mut at = 0;
        while at < text.len() {
            let byte = text[at];
            if !is_word_byte(byte) {
                if byte == b'\n' {
                    line += 1;
                    line_start = at + 1;
                }
                at += 1;
                continue;
            }
            let start = at;
            while at < text.len() && is_word_byte(text[at]) {
                at += 1;
            }
            let Ok(token) = std::str::from_utf8(&text[start..at]) else {
                continue;
            };
            record_composed_name(text, start, at, token, into);
            if configuration && let Some(paths) = self.stems.get(token) {
                let named = |p: &str| p != path && names_file(text, start, at, p);
                into.steps += paths.len();
                // If a text repeats a word that is in the names of many files, all of them count as named.
                let all = into.steps > MOST_STEPS + 20 * into.bytes;
                let named = paths.iter().filter(|p| all || named(p));
                into.files_in_configuration.extend(named.cloned());
            }
            if is_quoted(text, start, at) && self.beginnings.contains(token) {
                into.composed_prefixes.insert(format!("{token}_").into());
            }
            let Some((number, named)) = self.names.get(token) else {
                continue;
            };
            if into.saturated_names[*number as usize] {
                continue;
            }
            let is_definition = |d: &FxHashSet<(u32, Box<str>)>| d.contains(&(line, token.into()));
            if defined.is_some_and(is_definition) {
                continue;
            }
            let quoted = start > 0 && is_quote(text[start - 1]);
            let comment = prose || {
                let first = match indent {
                    Some((of, first)) if of == line_start => first,
                    _ => {
                        let blank = |b: &u8| !b.is_ascii_whitespace();
                        let rest = text[line_start..].iter();
                        line_start
                            + rest
                                .take(start - line_start)
                                .take_while(|b| !blank(b))
                                .count()
                    }
                };
                indent = Some((line_start, first));
                begins_comment(&text[first..start])
            };
            let key = (*number, quoted, comment);
            let list = match waiting.entry(key) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => {
                    let list = self.undecided_candidates(path, named, (quoted, comment), into);
                    let enough = list.is_empty()
                        && named.iter().all(|c| into.has_enough_mentions(*c, false));
                    into.saturated_names[*number as usize] |= enough;
                    new.insert(list)
                }
            };
            list.retain(|candidate| {
                let (first, last, _) = &self.places[*candidate as usize];
                if own_file == Some(self.file[*candidate as usize]) {
                    // A definition's own comment is directly above it.
                    let own = own.map(|(_, own)| own.as_slice()).unwrap_or_default();
                    let firsts =
                        firsts.get_or_insert_with(|| self.first_lines_with_comments(text, own));
                    let first = firsts.get(candidate).copied().unwrap_or(*first);
                    if (first..=*last).contains(&line) {
                        return true;
                    }
                }
                if comment {
                    into.prose[*candidate as usize] += 1
                } else {
                    into.code[*candidate as usize] += 1
                }
                !into.has_enough_mentions(*candidate, comment)
            });
        }
    }

    /// The candidates of a name that a mention in this file may mean and that have not enough mentions yet.
    fn undecided_candidates(
        &self,
        path: &str,
        named: &[u32],
        (quoted, comment): (bool, bool),
        into: &TextMentions,
    ) -> Vec<u32> {
        let may = |candidate: &u32| {
            let at = *candidate as usize;
            let scope = &self.scopes[at];
            let means = |others: u32| self.meanings[others as usize].get(path);
            let elsewhere = || {
                let means = scope.others.and_then(means);
                *self.paths[at] != *path
                    && means.is_some_and(|m| !is_possible_meaning(m, &self.paths[at]))
            };
            !into.has_enough_mentions(*candidate, comment)
                && (quoted || scope.contains(path) && !elsewhere())
        };
        named.iter().copied().filter(may).collect()
    }

    /// The first lines of candidates of a text, including the comments directly above them.
    fn first_lines_with_comments(&self, text: &[u8], candidates: &[u32]) -> FxHashMap<u32, u32> {
        let marks = [&b"//"[..], b"#", b"*", b"/*", b"--", b"@"];
        let mut run = 0;
        // Number of comment lines that end with each line.
        let runs = text.split(|b| *b == b'\n').map(|line| {
            let line = line.trim_ascii_start();
            run = if marks.iter().any(|mark| line.starts_with(mark)) {
                run + 1
            } else {
                0
            };
            run
        });
        let runs: Vec<u32> = runs.collect();
        let first = |candidate: &u32| {
            let (first, _, _) = self.places[*candidate as usize];
            let above = (first as usize).checked_sub(2);
            let above = above.map(|at| at.min(runs.len().saturating_sub(1)));
            first
                - above
                    .and_then(|at| runs.get(at))
                    .copied()
                    .unwrap_or(0)
                    .min(first)
        };
        candidates.iter().map(|c| (*c, first(c))).collect()
    }

    /// Adds the mentions that a thread found.
    pub fn merge_found(&mut self, found: TextMentions) {
        let sum = |all: &mut Vec<u32>, more: &[u32]| {
            all.iter_mut().zip(more).for_each(|(a, b)| *a += b);
        };
        sum(&mut self.total.code, &found.code);
        sum(&mut self.total.prose, &found.prose);
        self.total
            .files_in_configuration
            .extend(found.files_in_configuration);
        self.total.composed_prefixes.extend(found.composed_prefixes);
        self.total.composed_suffixes.extend(found.composed_suffixes);
    }

    /// The reason why a candidate may have a user that the graph does not know. `open` is whether the candidate is visible
    /// outside its file `path`.
    pub(super) fn find_doubt(&self, candidate: usize, path: &str, open: bool) -> Option<String> {
        let (_, _, name) = self.places.get(candidate)?;
        if open && self.total.files_in_configuration.contains(path) {
            return Some("a configuration names its file".to_owned());
        }
        let times = |n: u32| match n {
            1 => "once".to_owned(),
            n if n >= MANY => "many times".to_owned(),
            n => format!("{n} times"),
        };
        match (self.total.code[candidate], self.total.prose[candidate]) {
            (0, 0) => {}
            (0, n) => {
                return Some(format!(
                    "the name stands {} in comments or documents",
                    times(n)
                ));
            }
            (n, _) => return Some(format!("the name stands {} elsewhere in code", times(n))),
        }
        if !self.dynamic[candidate] {
            return None;
        }
        let upper = |rest: &str| rest.starts_with(|c: char| c.is_uppercase() || c == '_');
        let composed = |part: &str, begins: bool| {
            let rest = if begins {
                name.strip_prefix(part)
            } else {
                name.strip_suffix(part)
            };
            rest.is_some_and(|rest| {
                !rest.is_empty() && (!begins || part.ends_with('_') || upper(rest))
            })
        };
        // Few lookups, made once for each candidate. Longer parts of a name are ignored: no program composes them, and the
        // work would grow with the square of the name.
        let longest = name.len().min(LONGEST_PART);
        let starts = (LEAST_START..longest).filter_map(|n| name.get(..n));
        let mut starts = starts.filter(|part| self.total.composed_prefixes.contains(*part));
        let start = starts.find(|part| composed(part, true));
        let shortest = name.len().saturating_sub(LONGEST_PART).max(1);
        let ends = (shortest..name.len()).filter_map(|n| name.get(n..));
        let mut ends = ends.filter(|part| self.total.composed_suffixes.contains(*part));
        let part = start.or_else(|| ends.find(|part| composed(part, false)))?;
        Some(format!("names with `{part}` are built at run time"))
    }
}

fn is_quote(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'' | b'`')
}

fn is_quoted(text: &[u8], start: usize, end: usize) -> bool {
    let before = start.checked_sub(1).is_some_and(|at| is_quote(text[at]));
    before && text.get(end).copied().is_some_and(is_quote)
}

/// The name of a file up to its extension.
fn stem(path: &str) -> &str {
    let name = file_name(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Whether the word at a place ends the name of a file: `hooks.py`, `tools.hooks:run`, `./hooks`.
fn names_file(text: &[u8], start: usize, end: usize, path: &str) -> bool {
    let stem = stem(path);
    let Some(first) = end.checked_sub(stem.len()).filter(|first| *first <= start) else {
        return false;
    };
    let extension = &file_name(path)[stem.len()..];
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let folder = folder.rsplit('/').next().unwrap_or(folder);
    let before = &text[..first];
    let in_folder = [b'/', b'.'].iter().any(|mark| {
        before.last() == Some(mark) && before[..first - 1].ends_with(folder.as_bytes())
    });
    text[first..].starts_with(stem.as_bytes())
        && (text[end..].starts_with(extension.as_bytes()) || in_folder)
}

/// Records parts of composed names: `"visit_" + x`, `f"visit_{x}"`, `` `on${x}` ``, `f"{x}_handler"`.
fn record_composed_name(
    text: &[u8],
    start: usize,
    end: usize,
    token: &str,
    into: &mut TextMentions,
) {
    let before = start.checked_sub(1).map(|at| text[at]);
    let after = text.get(end).copied();
    let quote = |byte: Option<u8>| byte.is_some_and(is_quote);
    if token.len() >= LEAST_START {
        let opens = matches!(after, Some(b'{' | b'%'));
        // `$` counts as part of a word.
        let template = token.strip_suffix('$').filter(|_| after == Some(b'{'));
        let joined = || {
            let rest = text[end + 1..].trim_ascii_start();
            rest.starts_with(b"+") || rest.starts_with(b"%") || rest.starts_with(b". ")
        };
        let ends_so = token.ends_with('_');
        let begins = (opens && (ends_so || quote(before)))
            || (quote(before) && quote(after) && (ends_so || joined()));
        if let Some(template) = template.filter(|t| t.len() >= LEAST_TEMPLATE) {
            into.composed_prefixes.insert(template.into());
        } else if begins {
            into.composed_prefixes.insert(token.into());
        }
    }
    if token.len() >= LEAST_END && (token.starts_with('_') || token.starts_with(char::is_uppercase))
    {
        let plus = quote(before) && {
            let rest = text[..start - 1].trim_ascii_end();
            rest.ends_with(b"+")
        };
        if before == Some(b'}') && quote(after) || plus {
            into.composed_suffixes.insert(token.into());
        }
    }
}

/// Whether the text before a word on its line begins a comment.
fn begins_comment(before: &[u8]) -> bool {
    let line = before.trim_ascii_start();
    // Comments that tools act on count as code.
    let acts: [&[u8]; 4] = [b"//go:", b"//export", b"# type:", b"#include"];
    if acts.iter().any(|mark| line.starts_with(mark)) {
        return false;
    }
    let marks: [&[u8]; 5] = [b"//", b"# ", b"* ", b"/*", b"--"];
    marks.iter().any(|mark| line.starts_with(mark))
}

/// Whether a file is written for people.
fn is_prose(path: &str) -> bool {
    let (_, extension) = path.rsplit_once('.').unwrap_or(("", path));
    matches!(
        extension.to_ascii_lowercase().as_str(),
        "md" | "mdx" | "rst" | "txt" | "adoc" | "markdown" | "tex" | "log" | "po" | "pot"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn starts(text: &str) -> Vec<String> {
        let made = Mentions::new(&Snapshot::default(), &[]);
        let mut found = TextMentions::default();
        made.scan_text("a.py", text.as_bytes(), &mut found);
        let all = found
            .composed_prefixes
            .iter()
            .chain(&found.composed_suffixes);
        let mut all: Vec<String> = all.map(|s| s.to_string()).collect();
        all.sort();
        all
    }

    #[test]
    fn names_that_are_put_together_are_noted() {
        for (text, parts) in [
            ("getattr(self, 'visit_' + name)", vec!["visit_"]),
            ("getattr(self, f\"visit_{name}\")", vec!["visit_"]),
            ("getattr(self, \"do_%s\" % x)", vec!["do_"]),
            ("obj[`on${event}`]()", vec!["on"]),
            ("obj['handle' + event]", vec!["handle"]),
            ("getattr(self, f\"{name}_handler\")", vec!["_handler"]),
            ("getattr(self, name + '_handler')", vec!["_handler"]),
            ("print('visit', name_)", vec![]),
            ("if done_ { x }", vec![]),
        ] {
            assert_eq!(starts(text), parts, "{text}");
        }
    }

    #[test]
    fn a_file_is_named_with_its_extension_or_its_folder() {
        let named = |text: &str, path: &str| {
            let end = text.find('|').unwrap();
            let text = text.replace('|', "");
            names_file(text.as_bytes(), end.saturating_sub(5), end, path)
        };
        assert!(named("hooks: x/hooks|.py", "x/hooks.py"));
        assert!(named("run = \"tools.hooks|:main\"", "src/tools/hooks.py"));
        assert!(named("./my-hooks|.js", "lib/my-hooks.js"));
        assert!(!named("git hooks| are", "x/hooks.py"));
        assert!(!named("run other.hooks|:main", "src/tools/hooks.py"));
    }

    fn candidate(name: &str, path: &str, line: u32) -> Candidate {
        Candidate {
            node: line,
            name: name.to_owned(),
            shown: name.to_owned(),
            kind: "function".to_owned(),
            path: path.to_owned(),
            lines: (line, line),
            name_line: line,
            parent: None,
            decorators: Vec::new(),
            may_be_dead: false,
            holds_entry: false,
            file_flags: NodeFlags(0),
            around: Vec::new(),
            flags: NodeFlags(0),
            file_imported: false,
        }
    }

    fn found(candidates: &[Candidate], path: &str, text: &str) -> Mentions {
        let mut made = Mentions::new(&Snapshot::default(), candidates);
        let mut part = TextMentions::default();
        made.scan_text(path, text.as_bytes(), &mut part);
        made.merge_found(part);
        made
    }

    #[test]
    fn mentions_are_counted_by_where_they_stand() {
        let all = [candidate("go", "a.py", 3), candidate("stop", "a.py", 9)];
        let text = "x = 1\n# go\ndef go(): go()\n  # go stop\nstop()\n";
        let made = found(&all, "a.py", text);
        assert_eq!(
            (made.total.code.clone(), made.total.prose.clone()),
            (vec![0, 1], vec![1, 1])
        );
        let made = found(&all, "b.py", "go\n\"go\"\n  # go\n");
        assert_eq!((made.total.code[0], made.total.prose[0]), (2, 1));
    }

    #[test]
    fn many_candidates_of_one_name_and_many_mentions_take_no_time() {
        let all: Vec<Candidate> = (0..20_000)
            .map(|n| candidate("go", &format!("d{n}/f{n}.py"), 1))
            .collect();
        let made = found(&all, "x.py", &"# go\n".repeat(100_000));
        assert!(made.total.prose.iter().all(|n| *n == MANY));
        let made = found(&all, "x.json", &"go f7 ".repeat(100_000));
        assert!(made.total.code.iter().all(|n| *n == MANY));
        // A mention after much white space, below many comments, and on one line.
        let text = format!("{}// {}", " ".repeat(500_000), "go ".repeat(200_000));
        assert_eq!(found(&all[..1], "y.ts", &text).total.prose, [MANY]);
        let below: Vec<Candidate> = (0..50_000)
            .map(|n| candidate(&format!("go{n}"), "c.py", 200_001))
            .collect();
        let text = format!("{}go1; go2", "#\n".repeat(200_000));
        assert_eq!(found(&below, "c.py", &text).total.code, vec![0; 50_000]);
    }
}
