//! Further events: the start of a session, and a tool that is about to search.

use crate::project::Project;
use crate::unread;
use crate::workspace::Workspace;
use ::search::index::Index;
use ::search::rank::{self, RankMode};
use ::store::{GraphStore, SqliteStore};
use std::fmt::Write;
use std::io::Read;
use std::path::Path;
use store::{Name, Names};

/// The most files of a repository whose index is built while the user waits.
const SMALL: u32 = 1_500;

/// Files that were read only as text are not mentioned if the graph has more than this many times as many files.
const UNMENTIONED: usize = 10;

/// The length in bytes of a name that a tool searches for. Shorter words are usually no names, and longer ones never are.
const NAME_BYTES: std::ops::RangeInclusive<usize> = 4..=100;

/// Lines below the first one of a definition in which its name may stand: behind decorators and documentation.
const NAME_LINES: u32 = 8;

/// The most definitions named for a tool's pattern.
const PLACES: usize = 4;
/// The most alternatives of a pattern that are looked at, and the most names among them that are looked up.
const MOST_ALTERNATIVES: usize = 12;
const MOST_NAMES: usize = 3;

/// Whether a repository is known to be small, by the number of entries in git's index file. That file begins with `DIRC`, a
/// version and the number of entries, four bytes each.
pub(super) fn is_small(root: &Path) -> bool {
    let Some(git) = ingest::git::git_dir(root).filter(|_| root.join(".git").exists()) else {
        return false;
    };
    let mut header = [0u8; 12];
    let index = guard::open_user_file(&git.join("index"), u64::MAX);
    let read = match index {
        Ok(mut file) => file.read_exact(&mut header).is_ok(),
        // Without an index file nothing was ever added.
        Err(error) => return error.is_missing(),
    };
    let count = u32::from_be_bytes([header[8], header[9], header[10], header[11]]);
    read && header.starts_with(b"DIRC") && count <= SMALL
}

/// A text for an agent at the start of a session; none outside a repository or where it is switched off. Reads no file of the
/// project.
pub(crate) fn session_start(workspace: &Workspace) -> Option<String> {
    let settings = workspace.config().hook();
    if !settings.enabled || !settings.session_start {
        return None;
    }
    let project = workspace.project();
    let Ok(store) = SqliteStore::open_read_only(&project.db_path) else {
        let is_repository = project.root.join(".git").exists();
        return is_repository.then(|| {
            "Knotwork has no index of this project yet. Run `knotwork index` to build it."
                .to_owned()
        });
    };
    let files = store.indexed_files().ok()?.into_values();
    let read = files
        .filter(|file| !file.source.starts_with("skipped: "))
        .count();
    if read == 0 {
        return Some(
            "Knotwork has no code graph of this project: there is no grammar for its languages. \
             `knotwork search WORDS` (MCP: ci_search) finds code in its files as text."
                .to_owned(),
        );
    }
    let texts = unread::last_files_without_grammar(workspace);
    let unread = match texts {
        0 => String::new(),
        texts if texts * UNMENTIONED < read => String::new(),
        texts => format!("; {texts} files of code are not in it and are searched as text alone"),
    };
    Some(format!(
        "Knotwork has a code graph of this project ({read} files{unread}). `knotwork search WORDS`, `knotwork call-chain \
         SYMBOL` and `knotwork impact SYMBOL` (MCP: ci_search, ci_call_chain, ci_impact) answer faster than reading \
         files; they bring the graph up to date by themselves."
    ))
}

/// The definitions of names that a tool is about to search for; none where the pattern has no name of this project or the hook is
/// switched off. Answers from the last index, and only with lines that still contain the name.
pub(crate) fn search(workspace: &Workspace, pattern: &str) -> Option<String> {
    let settings = workspace.config().hook();
    if !settings.enabled || !settings.tools {
        return None;
    }
    let names = searched_names(pattern);
    if names.is_empty() {
        return None;
    }
    let store = SqliteStore::open_read_only(&workspace.project().db_path).ok()?;
    let descriptions: Vec<String> = names
        .into_iter()
        .filter_map(|name| describe_definitions(workspace, &store, name))
        .collect();
    (!descriptions.is_empty())
        .then(|| format!("{}\n{}", descriptions.join("\n"), guard::text::IS_DATA))
}

/// A path or name of the repository, shortened and quoted: it may contain anything.
fn excerpt(text: &str) -> String {
    const LONGEST: usize = 200;
    let line = guard::text::escape_line(text).replace('`', "'");
    let cut: String = line.chars().take(LONGEST).collect();
    let dots = if cut.len() < line.len() { "…" } else { "" };
    format!("{cut}{dots}")
}

/// The definitions of a name as text, if it has any.
fn describe_definitions(workspace: &Workspace, store: &SqliteStore, name: &str) -> Option<String> {
    let mut places = store.by_symbol(name).ok()?;
    let is_in_graph = !places.is_empty();
    if !is_in_graph {
        places = definitions_in_text(workspace, name);
    }
    places.retain(|place| is_symbol_current(workspace.project(), place));
    if places.is_empty() {
        return None;
    }
    let total = places.len();
    let mut text = format!("Knotwork: {name} is defined at ");
    for (number, place) in places.iter().take(PLACES).enumerate() {
        let comma = if number > 0 { ", " } else { "" };
        let line = place.line_start.unwrap_or(1);
        let _ = write!(
            text,
            "{comma}`{}:{line}` ({} `{}`)",
            excerpt(&place.file_path),
            place.kind,
            excerpt(place.qualified_or_symbol())
        );
    }
    if total > PLACES {
        let _ = write!(text, " and {} more places", total - PLACES);
    }
    text.push('.');
    if is_in_graph {
        let _ = write!(text, " `knotwork call-chain {name}` lists its callers.");
    }
    Some(text)
}

/// Definitions of a name in languages without a grammar, which the search index recognizes by the form of their lines.
fn definitions_in_text(workspace: &Workspace, name: &str) -> Vec<Name> {
    let Ok(index) = Index::open(&ingest::chunks_folder(&workspace.options())) else {
        return Vec::new();
    };
    let found = rank::search(
        &index,
        None,
        &rank::Request {
            query: name,
            mode: RankMode::Keyword,
            limit: PLACES * 2,
            filter: &::search::Filter::default(),
            min_relevance: 0.0,
            following_relevance: 0.0,
            project: None,
            tuning: &rank::Tuning::default(),
        },
    );
    let mut places = Vec::new();
    for hit in found.chunks {
        let defines = hit.definitions.iter().filter(|def| def.name == name);
        places.extend(defines.map(|def| Name {
            symbol: name.to_owned(),
            kind: def.kind.clone(),
            file_path: hit.path.clone(),
            line_start: Some(def.start_line),
            line_end: Some(def.end_line),
            ..Name::default()
        }));
    }
    places
}

/// Whether a definition is still at its place in the graph. Where only its first line is known, a few further ones are read too.
pub(super) fn is_symbol_current(project: &Project, place: &Name) -> bool {
    let line = place.line_start.unwrap_or(0);
    let most = line + NAME_LINES;
    let end = place.line_end.unwrap_or(most).min(most);
    let text = crate::snippet::read_masked_lines(project, &place.file_path, line, end);
    line > 0 && text.is_some_and(|text| text.contains(&place.symbol))
}

/// The names that a pattern searches for: a single one, or its alternatives (`a|b`, `(a|b)`).
fn searched_names(pattern: &str) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    // Alternatives with a character class are left out.
    let alternatives = pattern.split('|').take(MOST_ALTERNATIVES);
    for part in alternatives.filter(|part| !part.contains(['[', ']'])) {
        let part = part.strip_suffix('\\').unwrap_or(part);
        let part = part.trim_start_matches("(?:").trim_start_matches("\\(");
        let opened = part.trim().trim_start_matches(['(', '^']);
        let closed = opened
            .trim_end_matches("\\)")
            .trim_end_matches([')', '?', '$']);
        if let Some(name) = single_name(closed).filter(|name| !names.contains(name)) {
            names.push(name);
        }
    }
    names.truncate(MOST_NAMES);
    names
}

/// The one name that a pattern searches for.
fn single_name(pattern: &str) -> Option<&str> {
    let mut name = pattern.trim().trim_start_matches('^').trim_end_matches('$');
    name = name.strip_prefix("\\b").unwrap_or(name);
    name = name.strip_suffix("\\b").unwrap_or(name);
    for word in [
        "function ",
        "class ",
        "def ",
        "fn ",
        "func ",
        "struct ",
        "interface ",
        "trait ",
        "enum ",
        "type ",
    ] {
        name = name.strip_prefix(word).unwrap_or(name);
    }
    name = name.trim_end_matches(['(', '\\']);
    let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_')
        && name.chars().any(char::is_alphabetic);
    (is_name && NAME_BYTES.contains(&name.len())).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::Repo;

    #[test]
    fn a_pattern_may_be_a_name() {
        assert_eq!(single_name("parse_config"), Some("parse_config"));
        assert_eq!(single_name(r"\bparse_config\("), Some("parse_config"));
        assert_eq!(single_name("class Index"), Some("Index"));
        assert_eq!(single_name(r"fn\s+open"), None);
        let names = |pattern| searched_names(pattern).join(" ");
        assert_eq!(names("parse_config|open_index"), "parse_config open_index");
        assert_eq!(
            names(r"parse_config\|open_index"),
            "parse_config open_index"
        );
        assert_eq!(names(r"(class Index|def open_index\()"), "Index open_index");
        assert_eq!(names(r"\bparse_config\(|x|[a|bcde]|a.*b"), "parse_config");
        assert_eq!(names(&"name|".repeat(9_000)), "name");
        assert_eq!(single_name("x"), None);
        assert_eq!(single_name("1234"), None);
    }

    #[test]
    fn git_says_how_large_a_repository_is() {
        let repo = Repo::new("//- a.py\nx = 1\n");
        assert!(!is_small(repo.path()), "no repository");
        repo.commit_all();
        assert!(is_small(repo.path()));
        let mut header = b"DIRC\0\0\0\x02".to_vec();
        header.extend(200_000u32.to_be_bytes());
        std::fs::write(repo.file_path(".git/index"), header).unwrap();
        assert!(!is_small(repo.path()));
        std::fs::write(repo.file_path(".git/index"), "rubbish that is long enough").unwrap();
        assert!(!is_small(repo.path()));
    }
}
