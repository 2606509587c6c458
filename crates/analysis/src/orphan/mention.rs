//! Mentions of candidates' names in the text of the whole repository, whatever the language of a file.

use super::Candidate;
use super::scope::{Files, Scopes, file_name};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;
use std::sync::LazyLock;
use store::Snapshot;
use text::list::{self, WordList};

const LISTS: &str = include_str!("names.txt");

/// Candidates by the word to search for, prepared for searching many texts at once.
pub struct Mentions<'g> {
    /// The number of each word, and where its candidates begin and end in `by_word`.
    words: FxHashMap<&'g str, Word>,
    by_word: Vec<u32>,
    /// The paths of files that hold candidates, or in which their names have a meaning.
    files: Files<'g>,
    /// For each of these files, its candidates.
    of_file: Vec<Vec<u32>>,
    /// For each of these files, the lines on which a symbol of such a name is defined, with the word.
    definitions: FxHashMap<u32, FxHashSet<(u32, u32)>>,
    places: Vec<CandidatePlace<'g>>,
    /// The files in which a mention can mean each candidate.
    scopes: Scopes<'g>,
    /// Beginnings of candidates' names, up to an underscore.
    beginnings: FxHashSet<&'g str>,
    /// Files that hold candidates, by the last word of their names.
    stems: FxHashMap<&'g str, Vec<u32>>,
    total: TextMentions,
}

/// A word to search for.
#[derive(Clone, Copy)]
struct Word {
    number: u32,
    first: u32,
    end: u32,
}

impl Word {
    fn candidates(self, by_word: &[u32]) -> &[u32] {
        &by_word[self.first as usize..self.end as usize]
    }
}

/// The candidates of a word that a mention may mean here and that have not enough mentions yet.
struct PendingCandidates {
    candidates: Vec<u32>,
    /// The line of which all of them are known to hold the mention in their own lines.
    line_of_own: u32,
}

/// Where a candidate is, and its name.
struct CandidatePlace<'g> {
    name: &'g str,
    first: u32,
    last: u32,
    file: u32,
    /// Whether its language looks names up while the program runs.
    dynamic: bool,
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
const MANY: u8 = 20;

/// Most paths that are compared with words of configurations, in addition to some for each byte.
const MOST_STEPS: usize = 2_000_000;

/// Mentions that were found in some texts.
#[derive(Debug, Clone, Default)]
pub struct TextMentions {
    /// Mentions of each candidate in code.
    code: Vec<u8>,
    /// Mentions of each candidate in prose: documents and comments.
    prose: Vec<u8>,
    /// Groups whose candidates are all mentioned often enough: in code, and in prose or code.
    saturated: [Vec<bool>; 2],
    /// Files that a configuration names.
    files_in_configuration: FxHashSet<u32>,
    /// Beginnings and ends of names that the program composes while it runs.
    composed_prefixes: FxHashSet<Box<str>>,
    composed_suffixes: FxHashSet<Box<str>>,
    /// Bytes that were read, and number of paths that were compared with words in them.
    bytes: usize,
    steps: usize,
    /// Number of times that a candidate was looked at for a mention.
    #[cfg(test)]
    looks: usize,
}

impl TextMentions {
    /// Whether enough mentions of a candidate are known; for a mention in prose, enough of those.
    fn has_enough_mentions(&self, candidate: u32, in_prose: bool) -> bool {
        let at = candidate as usize;
        self.code[at] >= MANY || in_prose && self.prose[at] >= MANY
    }

    fn resize(&mut self, candidates: usize, groups: usize) {
        self.code.resize(candidates, 0);
        self.prose.resize(candidates, 0);
        for saturated in &mut self.saturated {
            saturated.resize(groups, false);
        }
    }

    fn count(&mut self, candidate: u32, in_prose: bool) {
        let list = if in_prose {
            &mut self.prose
        } else {
            &mut self.code
        };
        let count = &mut list[candidate as usize];
        *count = count.saturating_add(1);
    }

    fn is_saturated(&self, group: u32, in_prose: bool) -> bool {
        self.saturated[usize::from(in_prose)][group as usize]
    }

    fn look(&mut self, _candidates: usize) {
        #[cfg(test)]
        {
            self.looks += _candidates;
        }
    }
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
fn search_word<'g>(candidate: &Candidate<'g>) -> &'g str {
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

impl<'g> Mentions<'g> {
    /// Prepares the search for all candidates.
    pub fn new(graph: &'g Snapshot, candidates: &[Candidate<'g>]) -> Mentions<'g> {
        let mut made = Mentions {
            words: FxHashMap::default(),
            by_word: Vec::new(),
            files: Files::default(),
            of_file: Vec::new(),
            definitions: FxHashMap::default(),
            places: Vec::with_capacity(candidates.len()),
            scopes: Scopes::default(),
            beginnings: FxHashSet::default(),
            stems: FxHashMap::default(),
            total: TextMentions::default(),
        };
        for (at, candidate) in (0..).zip(candidates) {
            made.add_place(at, candidate);
        }
        made.add_words(graph, candidates);
        made.scopes = Scopes::new(graph, candidates, &mut made.files);
        let mut words: Vec<Word> = made.words.values().copied().collect();
        words.sort_unstable_by_key(|word| word.number);
        let named = words.iter().map(|word| word.candidates(&made.by_word));
        made.scopes.group(named, &made.files);
        made.total.resize(candidates.len(), 0);
        made
    }

    fn add_place(&mut self, at: u32, candidate: &Candidate<'g>) {
        let file = self.files.intern(candidate.path);
        if file as usize >= self.of_file.len() {
            self.of_file.resize_with(file as usize + 1, Vec::new);
            let stem = stem(candidate.path);
            let last = stem.rsplit(|c| !is_word(c)).next();
            if let Some(last) = last.filter(|word| !word.is_empty()) {
                self.stems.entry(last).or_default().push(file);
            }
        }
        self.of_file[file as usize].push(at);
        let (first, last) = if candidate.is_file() {
            (0, u32::MAX)
        } else {
            let first = candidate.lines.0.min(candidate.name_line);
            (first, candidate.lines.1.max(first))
        };
        let profile = candidate.profile();
        let name = search_word(candidate);
        let ends = name
            .match_indices('_')
            .map(|(end, _)| end)
            .filter(|end| *end >= LEAST_BEGINNING)
            .take_while(|end| *end < LONGEST_PART);
        self.beginnings.extend(ends.map(|end| &name[..end]));
        self.places.push(CandidatePlace {
            name,
            first,
            last,
            file,
            dynamic: profile.is_none_or(|p| p.modules.names_at_run_time),
        });
    }

    /// Collects the candidates of each word, and the places where symbols of their names are defined.
    fn add_words(&mut self, graph: &'g Snapshot, candidates: &[Candidate<'g>]) {
        let names: Vec<&'g str> = self.places.iter().map(|place| place.name).collect();
        let name = |at: &u32| names[*at as usize];
        let mut order: Vec<u32> = (0..candidates.len() as u32).collect();
        order.sort_by(|a, b| name(a).cmp(name(b)));
        let mut first = 0;
        for (number, same) in (0..).zip(order.chunk_by(|a, b| name(a) == name(b))) {
            let end = first + same.len() as u32;
            let word = Word { number, first, end };
            self.words.insert(name(&same[0]), word);
            first = end;
            let mut symbols: Vec<&'g str> =
                same.iter().map(|c| candidates[*c as usize].name).collect();
            symbols.sort_unstable();
            symbols.dedup();
            for node in symbols.iter().flat_map(|name| graph.nodes_named(name)) {
                let row = graph.name_row(*node);
                let mut lines = graph.incoming(*node, base::EdgeType::Defines);
                let line = lines.find_map(|e| e.line).or(row.line_start).unwrap_or(0);
                let file = self.files.intern(row.file_path);
                let of_file = self.definitions.entry(file).or_default();
                of_file.insert((line, number));
            }
        }
        self.by_word = order;
    }

    /// Looks through one text. Results of several threads are put together with [`Mentions::merge_found`].
    pub fn scan_text(&self, path: &str, text: &[u8], into: &mut TextMentions) {
        into.resize(self.places.len(), self.scopes.group_count());
        let file = self.files.number(path);
        let own = file.and_then(|file| self.of_file.get(file as usize));
        let own = own.map_or(&[][..], Vec::as_slice);
        let defined = file.and_then(|file| self.definitions.get(&file));
        let prose = is_prose(path);
        let configuration = is_configuration(path);
        let mut firsts: Option<FxHashMap<u32, u32>> = None;
        // Candidates of a name that a mention may mean here and that have not enough mentions yet, by the surroundings of the
        // mention.
        let mut waiting: FxHashMap<(u32, bool, bool), PendingCandidates> = FxHashMap::default();
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
                let named =
                    |p: u32| Some(p) != file && names_file(text, start, at, self.files.path(p));
                into.steps += paths.len();
                // If a text repeats a word that is in the names of many files, all of them count as named.
                let all = into.steps > MOST_STEPS + 20 * into.bytes;
                let named = paths.iter().filter(|p| all || named(**p));
                into.files_in_configuration.extend(named);
            }
            if is_quoted(text, start, at) && self.beginnings.contains(token) {
                into.composed_prefixes.insert(format!("{token}_").into());
            }
            let Some(word) = self.words.get(token) else {
                continue;
            };
            if into.is_saturated(word.number, false) {
                continue;
            }
            if defined.is_some_and(|d| d.contains(&(line, word.number))) {
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
            let key = (word.number, quoted, comment);
            let list = match waiting.entry(key) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => new.insert(PendingCandidates {
                    candidates: self.undecided_candidates(path, *word, (quoted, comment), into),
                    line_of_own: 0,
                }),
            };
            // Mentions on one line lie in the same definitions.
            if list.line_of_own == line {
                continue;
            }
            into.look(list.candidates.len());
            let before = list.candidates.len();
            let mut counted = false;
            list.candidates.retain(|candidate| {
                let place = &self.places[*candidate as usize];
                if file == Some(place.file) {
                    // A definition's own comment is directly above it.
                    let firsts =
                        firsts.get_or_insert_with(|| self.first_lines_with_comments(text, own));
                    let first = firsts.get(candidate).copied().unwrap_or(place.first);
                    if (first..=place.last).contains(&line) {
                        return true;
                    }
                }
                counted = true;
                into.count(*candidate, comment);
                !into.has_enough_mentions(*candidate, comment)
            });
            if before > 0 && !counted {
                list.line_of_own = line;
            }
        }
    }

    /// The candidates of a word that a mention in this file may mean and that have not enough mentions yet.
    fn undecided_candidates(
        &self,
        path: &str,
        word: Word,
        (quoted, comment): (bool, bool),
        into: &mut TextMentions,
    ) -> Vec<u32> {
        let mut found = Vec::new();
        let named = word.candidates(&self.by_word);
        let word = (word.number, named);
        for group in self.scopes.meant(word, path, quoted, &self.files) {
            if group.number.is_some_and(|g| into.is_saturated(g, comment)) {
                continue;
            }
            into.look(group.candidates.len());
            let undecided = group.candidates.iter().copied();
            let undecided = undecided.filter(|c| !into.has_enough_mentions(*c, comment));
            let before = found.len();
            let place = (path, quoted);
            found
                .extend(undecided.filter(|c| self.scopes.may_mean(*c, &group, place, &self.files)));
            if let Some(group) = group.number.filter(|_| found.len() == before) {
                into.saturated[usize::from(comment)][group as usize] = true;
            }
        }
        found.sort_unstable();
        found.dedup();
        found
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
            let first = self.places[*candidate as usize].first;
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
        let sum = |all: &mut Vec<u8>, more: &[u8]| {
            let pairs = all.iter_mut().zip(more);
            pairs.for_each(|(a, b)| *a = a.saturating_add(*b));
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
    /// outside its file.
    pub(super) fn find_doubt(&self, candidate: usize, open: bool) -> Option<String> {
        let place = self.places.get(candidate)?;
        let name = place.name;
        if open && self.total.files_in_configuration.contains(&place.file) {
            return Some("a configuration names its file".to_owned());
        }
        let times = |n: u8| match n {
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
        if !place.dynamic {
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
    // No part of a name is as long.
    if token.len() > LONGEST_PART {
        return;
    }
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
    use store::NodeFlags;

    fn starts(text: &str) -> Vec<String> {
        let graph = Snapshot::default();
        let made = Mentions::new(&graph, &[]);
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

    /// A text that lives as long as the test's process.
    fn kept(text: &str) -> &'static str {
        Box::leak(text.to_owned().into_boxed_str())
    }

    fn candidate(name: &str, path: &str, line: u32) -> Candidate<'static> {
        Candidate {
            node: line,
            name: kept(name),
            shown: kept(name),
            kind: "function",
            path: kept(path),
            language: base::Language::from_path(path),
            lines: (line, line),
            name_line: line,
            parent: None,
            decorators: &[],
            may_be_dead: false,
            holds_entry: false,
            file_flags: NodeFlags(0),
            flags: NodeFlags(0),
            file_imported: false,
        }
    }

    fn search(
        graph: &'static Snapshot,
        candidates: &[Candidate<'static>],
        texts: &[(String, String)],
    ) -> (Mentions<'static>, usize) {
        let mut made = Mentions::new(graph, candidates);
        let mut part = TextMentions::default();
        for (path, text) in texts {
            made.scan_text(path, text.as_bytes(), &mut part);
        }
        let looks = part.looks;
        made.merge_found(part);
        (made, looks)
    }

    fn found(candidates: &[Candidate<'static>], path: &str, text: &str) -> Mentions<'static> {
        let texts = [(path.to_owned(), text.to_owned())];
        search(Box::leak(Box::default()), candidates, &texts).0
    }

    /// A graph in which each file defines a function of that name on its first line.
    fn defining(name: &str, paths: &[String]) -> &'static Snapshot {
        let mut builder = Snapshot::builder();
        for path in paths {
            let id = format!("{path}#{name}");
            builder.add_node(&store::NameRow {
                id: &id,
                symbol: name,
                qualified_name: None,
                kind: "function",
                file_path: path,
                line_start: Some(1),
                line_end: Some(1),
                flags: NodeFlags(0),
            });
        }
        Box::leak(Box::new(builder.finish().unwrap()))
    }

    #[test]
    fn candidates_of_one_name_are_looked_up_by_file() {
        // Each file defines the name and mentions it: in a scope of its own, in its folder's, or where it means its own.
        let forms = [("java", true), ("go", false), ("py", false), ("rs", false)];
        for (ending, private) in forms {
            for (quote, text) in [
                ("", "x\ny helper z\n"),
                ("comment ", "x\n# helper\n# helper\n"),
                ("quoted ", "x\n\"helper\"\n# \"helper\"\n"),
            ] {
                let looks = |files: usize| {
                    let paths: Vec<String> =
                        (0..files).map(|n| format!("d{n}/f{n}.{ending}")).collect();
                    let mut all: Vec<Candidate<'static>> = paths
                        .iter()
                        .map(|path| candidate("helper", path, 1))
                        .collect();
                    if private {
                        all.iter_mut()
                            .for_each(|c| c.flags = NodeFlags(NodeFlags::PRIVATE));
                    }
                    let texts: Vec<(String, String)> = paths
                        .iter()
                        .map(|path| (path.clone(), text.to_owned()))
                        .collect();
                    let graph = defining("helper", &paths);
                    let (made, looks) = search(graph, &all, &texts);
                    let counts = made.total.code.iter().zip(&made.total.prose);
                    assert!(
                        counts.clone().all(|(code, prose)| code + prose > 0),
                        "{quote}{ending}: {:?}",
                        counts.take(9).collect::<Vec<_>>()
                    );
                    looks
                };
                let (few, many) = (looks(300), looks(1_200));
                assert!(many < 5 * few, "{quote}{ending}: {few} looks, then {many}");
            }
        }
    }

    #[test]
    fn a_mention_means_candidates_of_its_own_file_or_beside_it() {
        // More candidates than are looked through one by one.
        let paths: Vec<String> = (0..40).map(|n| format!("d{}/f{n}.py", n % 2)).collect();
        let all: Vec<Candidate<'static>> = paths
            .iter()
            .map(|path| candidate("helper", path, 1))
            .collect();
        let texts = [(paths[4].clone(), "x\nhelper()\n".to_owned())];
        let (made, _) = search(defining("helper", &paths), &all, &texts);
        let meant: Vec<usize> = (0..40).filter(|at| made.total.code[*at] > 0).collect();
        assert_eq!(
            meant,
            (0..40).step_by(2).collect::<Vec<_>>(),
            "those of its folder"
        );
        let texts = [("e/other.py".to_owned(), "helper()\n".to_owned())];
        let (made, _) = search(defining("helper", &paths), &all, &texts);
        assert!(
            made.total.code.iter().all(|n| *n == 1),
            "nothing is known there"
        );
    }

    #[test]
    fn definitions_on_one_line_are_not_compared_with_each_other() {
        let looks = |many: usize| {
            let all: Vec<Candidate<'static>> =
                (0..many).map(|_| candidate("f", "a.js", 1)).collect();
            let texts = [("a.js".to_owned(), "function f(){} ".repeat(many))];
            search(Box::leak(Box::default()), &all, &texts).1
        };
        let (few, many) = (looks(300), looks(1_200));
        assert!(many < 5 * few, "{few} looks, then {many}");
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
        let all: Vec<Candidate<'static>> = (0..20_000)
            .map(|n| candidate("go", &format!("d{n}/f{n}.py"), 1))
            .collect();
        let made = found(&all, "x.py", &"# go\n".repeat(100_000));
        assert!(made.total.prose.iter().all(|n| *n == MANY));
        let made = found(&all, "x.json", &"go f7 ".repeat(100_000));
        assert!(made.total.code.iter().all(|n| *n == MANY));
        // A mention after much white space, below many comments, and on one line.
        let text = format!("{}// {}", " ".repeat(500_000), "go ".repeat(200_000));
        assert_eq!(found(&all[..1], "y.ts", &text).total.prose, [MANY]);
        let below: Vec<Candidate<'static>> = (0..50_000)
            .map(|n| candidate(&format!("go{n}"), "c.py", 200_001))
            .collect();
        let text = format!("{}go1; go2", "#\n".repeat(200_000));
        assert_eq!(found(&below, "c.py", &text).total.code, vec![0; 50_000]);
    }
}
