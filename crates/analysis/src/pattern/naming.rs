//! Naming: the case of names, if a language leaves a choice, and first and last words that related names share.

use super::{
    Code, Observation, Observations, OwnFiles, PatternKind, PatternTuning, file_name, parent_folder,
};
use base::Language;
use base::language::{FunctionCase, LanguageProfile};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;
use store::{NodeFlags, Snapshot};
use text::identifier::{Digits, borders};
use text::list::{self, WordList};

const LISTS: &str = include_str!("names.txt");

/// Names of files that tools require.
static FIXED: WordList = LazyLock::new(|| list::words(list::section(LISTS, "files")).collect());

/// The case of a name; `None` for single words, which fit several cases.
fn detect_case(name: &str) -> Option<&'static str> {
    let name = name.trim_matches(['_', '$']);
    let has = |f: fn(char) -> bool| name.chars().any(f);
    let (upper, lower) = (has(char::is_uppercase), has(char::is_lowercase));
    let first = name.chars().next()?;
    match (name.contains('-'), name.contains('_')) {
        (true, false) if !upper => Some("kebab-case"),
        (false, true) if !upper => Some("snake_case"),
        (false, true) if !lower => Some("SCREAMING_SNAKE_CASE"),
        (false, false) if upper && lower && first.is_uppercase() => Some("PascalCase"),
        (false, false) if upper && lower => Some("camelCase"),
        _ => None,
    }
}

/// The words of a name in any case.
pub(super) fn split_words(name: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for part in name.split(['_', '-', '$', '.']).filter(|p| !p.is_empty()) {
        let mut start = 0;
        borders(part, Digits::EndWords, |at| {
            found.push(&part[start..at]);
            start = at;
        });
        found.push(&part[start..]);
    }
    found
}

/// The last word of a name, without a version.
fn last_word(name: &str) -> Option<&str> {
    let is_version = |word: &&str| {
        let rest = word.trim_start_matches(['v', 'V']);
        rest.len() < word.len() && rest.chars().all(|c| c.is_ascii_digit())
    };
    let mut words = split_words(name).into_iter().rev();
    words.find(|word| !is_version(word))
}

fn profile_of(path: &str) -> Option<&'static LanguageProfile> {
    Some(Language::from_path(path)?.profile())
}

/// The word for a language in patterns.
pub(super) fn language_word(path: &str) -> Option<&'static str> {
    Some(Language::from_path(path)?.as_str())
}

pub(super) fn observe_names(
    code: &Code<'_>,
    own: &OwnFiles,
    families: &SubtypesByBase,
    known: &BTreeSet<String>,
    least: usize,
    out: &mut Observations,
) {
    for path in code.files {
        observe_file_name(path, out);
    }
    for path in code.tests {
        observe_test_name(path, out);
    }
    observe_symbol_names(code.graph, own, out);
    observe_subtype_names(code.graph, families, known, least, out);
    observe_names_by_folder((code, own), known, least, out);
}

fn naming_observation<'a>(
    key: &'a str,
    value: &'a str,
    file: &'a str,
    line: u32,
    symbol: &'a str,
) -> Observation<'a> {
    Observation {
        kind: PatternKind::Naming,
        key,
        value,
        file,
        line,
        symbol,
    }
}

fn observe_file_name(path: &str, out: &mut Observations) {
    let Some(profile) = profile_of(path).filter(|p| p.naming.file_case) else {
        return;
    };
    let word = profile.name;
    let stem = file_name(path).split('.').next().unwrap_or_default();
    if FIXED.contains(&stem.to_lowercase().as_str()) {
        return;
    }
    if let Some(case) = detect_case(stem) {
        out.push(naming_observation(
            &format!("naming:file:{word}"),
            case,
            path,
            1,
            "",
        ));
    }
}

fn observe_test_name(path: &str, out: &mut Observations) {
    let Some(profile) = profile_of(path) else {
        return;
    };
    let word = profile.name;
    let name = file_name(path);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let mut forms = profile.naming.test_names.iter();
    if let Some((form, _)) = forms.find(|(_, name)| name.fits(stem)) {
        out.push(naming_observation(
            &format!("naming:test:{word}"),
            form,
            path,
            1,
            "",
        ));
    }
}

fn observe_symbol_names(graph: &Snapshot, own: &OwnFiles, out: &mut Observations) {
    for node in (0..graph.node_count() as u32).filter(|node| own.contains_node(graph, *node)) {
        let row = graph.name_row(node);
        let skipped = NodeFlags::TEST | NodeFlags::LOCAL;
        if row.flags.0 & skipped != 0 || row.symbol.starts_with("__") {
            continue;
        }
        let what = match row.kind {
            "function" | "method" => "function",
            "constant" => "constant",
            _ => continue,
        };
        let Some(profile) = profile_of(row.file_path) else {
            continue;
        };
        let word = profile.name;
        let open = match (what, profile.naming.function_case) {
            ("constant", _) => {
                profile.naming.constant_case && row.flags.contains(NodeFlags::EXPORTED)
            }
            (_, FunctionCase::Fixed) => false,
            (_, FunctionCase::Functions) => row.kind == "function",
            (_, FunctionCase::All) => true,
        };
        if !open {
            continue;
        }
        if let Some(case) = detect_case(row.symbol) {
            let line = row.line_start.unwrap_or(1);
            out.push(naming_observation(
                &format!("naming:{what}:{word}"),
                case,
                row.file_path,
                line,
                row.symbol,
            ));
        }
    }
}

/// Subtypes of each type here, by the type's name with its file.
pub(super) type SubtypesByBase = BTreeMap<String, Vec<u32>>;

/// Subtypes of each type here that has several, in order of name.
pub(super) fn collect_subtypes(graph: &Snapshot, own: &OwnFiles) -> SubtypesByBase {
    let mut found: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
    for node in (0..graph.node_count() as u32).filter(|node| own.contains_node(graph, *node)) {
        for relation in graph.relations_out(node) {
            if matches!(relation.kind, "extends" | "implements") {
                let base = graph.name_row(relation.other);
                let name = format!("{}@{}", base.symbol, base.file_path);
                found.entry(name).or_default().insert(node);
            }
        }
    }
    found
        .into_iter()
        .map(|(k, v)| (k, v.into_iter().collect()))
        .collect()
}

fn observe_subtype_names(
    graph: &Snapshot,
    families: &SubtypesByBase,
    known: &BTreeSet<String>,
    least: usize,
    out: &mut Observations,
) {
    for (base, members) in families {
        let key = format!("naming:subtype:{base}");
        if members.len() < least && !known.contains(&key) {
            continue;
        }
        for member in members {
            let row = graph.name_row(*member);
            let Some(last) = last_word(row.symbol) else {
                continue;
            };
            let value = format!("*{last}");
            out.push(naming_observation(
                &key,
                &value,
                row.file_path,
                row.line_start.unwrap_or(1),
                row.symbol,
            ));
        }
    }
}

/// Observes the last words of class names and the first words of exported functions, in folders with several of them.
fn observe_names_by_folder(
    (code, own): (&Code<'_>, &OwnFiles),
    known: &BTreeSet<String>,
    least: usize,
    out: &mut Observations,
) {
    let graph = code.graph;
    let mut found: NamesByFolder<'_> = BTreeMap::new();
    for node in (0..graph.node_count() as u32).filter(|node| own.contains_node(graph, *node)) {
        let row = graph.name_row(node);
        let test = row.flags.0 & (NodeFlags::TEST | NodeFlags::LOCAL) != 0;
        if test || row.qualified_name.is_some() {
            continue;
        }
        let all = split_words(row.symbol);
        // A single word has no part in common with others.
        if all.len() < 2 {
            continue;
        }
        let (what, word) = match row.kind {
            "class" | "struct" => (NamedKind::Class, all[all.len() - 1]),
            "function" if row.flags.contains(NodeFlags::EXPORTED) => (NamedKind::Function, all[0]),
            _ => continue,
        };
        let of = found.entry((what, parent_folder(row.file_path)));
        of.or_default().push((node, word));
    }
    let kept = distinctive_folders(&found, (known, least), code.tuning);
    for (what, folder) in kept {
        let key = what.key(folder);
        for (node, word) in found.get(&(what, folder)).into_iter().flatten() {
            let row = graph.name_row(*node);
            let value = match what {
                NamedKind::Class => format!("*{word}"),
                NamedKind::Function => format!("{word}*"),
            };
            let line = row.line_start.unwrap_or(1);
            out.push(naming_observation(
                &key,
                &value,
                row.file_path,
                line,
                row.symbol,
            ));
        }
    }
}

/// What is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum NamedKind {
    Class,
    Function,
}

impl NamedKind {
    /// The key of the choice of names in a folder.
    fn key(self, folder: &str) -> String {
        let word = match self {
            NamedKind::Class => "class",
            NamedKind::Function => "function",
        };
        format!("naming:folder:{word}:{folder}")
    }
}

/// For each folder, the nodes with the word that they may share.
type NamesByFolder<'g> = BTreeMap<(NamedKind, &'g str), Vec<(u32, &'g str)>>;

/// Folders whose habit is special to them: one that is usual elsewhere too tells nothing. In Go, constructors begin with `New`
/// everywhere.
fn distinctive_folders<'g>(
    found: &NamesByFolder<'g>,
    (known, least): (&BTreeSet<String>, usize),
    tuning: &PatternTuning,
) -> Vec<(NamedKind, &'g str)> {
    let mut anywhere: BTreeMap<(NamedKind, &str), usize> = BTreeMap::new();
    let mut total: BTreeMap<NamedKind, usize> = BTreeMap::new();
    for ((what, _), all) in found {
        *total.entry(*what).or_default() += all.len();
        for (_, word) in all {
            *anywhere.entry((*what, *word)).or_default() += 1;
        }
    }
    let is_kept = |what: NamedKind, folder: &str, all: &[(u32, &str)]| {
        let (own, own_count) = most_common_word(all);
        let elsewhere = anywhere.get(&(what, own)).copied().unwrap_or(0) - own_count;
        let others = total.get(&what).copied().unwrap_or(0) - all.len();
        let telling = all.len() >= least.max(tuning.naming_names)
            && elsewhere as f64 <= tuning.naming_common * others as f64;
        telling || known.contains(&what.key(folder))
    };
    let kept = found
        .iter()
        .filter(|((what, folder), all)| is_kept(*what, folder, all));
    kept.map(|(place, _)| *place).collect()
}

/// The word that most have, with their number.
fn most_common_word<'g>(all: &[(u32, &'g str)]) -> (&'g str, usize) {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, word) in all {
        *counts.entry(*word).or_default() += 1;
    }
    let most = counts.into_iter().max_by_key(|(_, count)| *count);
    most.unwrap_or(("", 0))
}

#[cfg(test)]
mod tests {
    use super::{detect_case, last_word, split_words};

    #[test]
    fn cases_and_words() {
        for (name, expected) in [
            ("get_user", Some("snake_case")),
            ("getUser", Some("camelCase")),
            ("GetUser", Some("PascalCase")),
            ("MAX_SIZE", Some("SCREAMING_SNAKE_CASE")),
            ("date-utils", Some("kebab-case")),
            ("__private_name", Some("snake_case")),
            ("get", None),
            ("X", None),
        ] {
            assert_eq!(detect_case(name), expected, "{name}");
        }
        assert_eq!(last_word("HeadAppenderV2"), Some("Appender"));
        assert_eq!(split_words("HTTPServerError"), ["HTTP", "Server", "Error"]);
        assert_eq!(split_words("parse_int2Float"), ["parse", "int2", "Float"]);
    }
}
