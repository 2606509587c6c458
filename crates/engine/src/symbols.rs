//! Resolution of an argument, as a person writes it, to the nodes that it means.
//!
//! Accepted: an id, `name`, `Class.method`, `module.name`, `path:line`, `path:name`, `path::name`.

use crate::EngineError;
use crate::error::Candidate;
use crate::graph_state::GraphState;
use crate::inherited::inherited_members;
use crate::project::Project;
use crate::session::Session;
use crate::unread;
use analysis::EdgeDirection;
use base::{EdgeType, Language, Site, SymbolKind};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use store::{Name, Names, NodeFlags};

/// Candidates shown before the list is cut.
const SHOWN: usize = 12;
/// The most definitions of one name that an answer is about; further ones are counted.
const MOST_DEFINITIONS: usize = 60;

/// The definitions that an argument means, where it is the name of several symbols.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Definitions {
    /// The number of symbols with the name.
    pub total: usize,
    /// The definitions that the answer is about, the most used first.
    pub shown: Vec<Definition>,
}

/// One of several symbols of a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Definition {
    /// Name, dotted within its file.
    pub symbol: String,
    /// The kind of symbol.
    pub kind: String,
    /// `path:line`, which chooses it.
    pub place: String,
    /// The id, which chooses it too.
    pub id: String,
    /// The number of calls that lead to it.
    pub calls: usize,
    /// The number of those calls that are in tests.
    pub calls_in_tests: usize,
}

impl Definitions {
    /// One line: the number of definitions, and how to choose one.
    pub fn to_line(&self, name: &str) -> String {
        let first = &self.shown[0];
        let by_name = self.shown.iter().any(|d| d.symbol != first.symbol);
        let by = if by_name {
            "Class.method"
        } else {
            "path::name"
        };
        let shown = match self.total - self.shown.len() {
            0 => String::new(),
            more => format!(" ({more} not shown)"),
        };
        format!(
            "{name} has {} definitions{shown}, the most called first; choose one by path:line (such as {}), {by} or id",
            self.total, first.place
        )
    }
}

/// Ids of the nodes that an argument means, the most used symbol first. With the definitions to choose from, where it means
/// several symbols.
pub(crate) fn resolve_all(
    session: &Session<'_>,
    argument: &str,
) -> Result<(Vec<String>, Option<Definitions>), EngineError> {
    let argument = argument.trim();
    let (names, project) = (session.names(), session.project());
    let found = match find_nodes(names, project, argument)? {
        Lookup::Found(found) => found,
        Lookup::NoFile(path) => return Err(missing_file_error(session, &path)?),
        Lookup::NoSymbol => {
            // A path that leads out of the project gives that error.
            if argument.contains('/') {
                project.relative_path(argument)?;
            }
            let found = inherited_definitions(session, argument)?;
            if !found.is_empty() {
                session.note(inherited_line(argument, &found));
                return group_definitions(session, found);
            }
            let error = unknown_symbol_error(names, argument)?;
            return Err(match unread::unread_line(session)? {
                Some(line) => {
                    let hint = error.hint.clone().unwrap_or_default();
                    error.with_hint(format!("{hint}; {line}"))
                }
                None => error,
            });
        }
    };
    group_definitions(session, found)
}

/// The definitions that `Type.member` means where the type only inherits the member.
fn inherited_definitions(session: &Session<'_>, argument: &str) -> Result<Vec<Name>, EngineError> {
    let name = to_dotted(argument);
    let Some((of, member)) = name.rsplit_once('.') else {
        return Ok(Vec::new());
    };
    let types = definitions_by_name(session.names(), of)?;
    inherited_members(session, types, member)
}

/// `ByteBuf does not define release: ReferenceCounted.release, which it inherits`.
fn inherited_line(argument: &str, found: &[Name]) -> String {
    let (of, member) = argument
        .rsplit_once(['.', ':', '#'])
        .unwrap_or((argument, argument));
    let of = of.trim_end_matches(':');
    let from = found.iter().map(name_of).collect::<BTreeSet<_>>();
    let from: Vec<&str> = from.into_iter().take(SHOWN).collect();
    format!(
        "{of} does not define {member} itself; it inherits {}",
        from.join(", ")
    )
}

/// Ids of nodes, the most used symbol first. With the definitions to choose from, where they are of several symbols.
fn group_definitions(
    session: &Session<'_>,
    found: Vec<Name>,
) -> Result<(Vec<String>, Option<Definitions>), EngineError> {
    if is_single_symbol(&found) {
        return Ok((found.into_iter().map(|node| node.id).collect(), None));
    }
    let mut groups = count_calls(session, group_by_symbol(found))?;
    leave_out_prototypes(&mut groups);
    if let [(nodes, _)] = &groups[..] {
        return Ok((nodes.iter().map(|node| node.id.clone()).collect(), None));
    }
    groups.sort_by_cached_key(|(nodes, (calls, _))| {
        let first = &nodes[0];
        let is_test = base::is_test_path(&first.file_path);
        (
            is_test,
            Reverse(*calls),
            first.file_path.clone(),
            first.line_start,
        )
    });
    let total = groups.len();
    groups.truncate(MOST_DEFINITIONS);
    let shown = groups.iter().map(|(nodes, (calls, calls_in_tests))| {
        let Candidate {
            symbol,
            kind,
            place,
            id,
        } = to_candidate(&nodes[0]);
        Definition {
            symbol,
            kind,
            place,
            id,
            calls: *calls,
            calls_in_tests: *calls_in_tests,
        }
    });
    let shown = shown.collect();
    let ids = groups.into_iter().flat_map(|(nodes, _)| nodes);
    let ids = ids.map(|node| node.id).collect();
    Ok((ids, Some(Definitions { total, shown })))
}

/// Leaves out prototypes that are never called, if definitions have that name. A header of C declares each function that a
/// source defines, and calls lead to the definition.
fn leave_out_prototypes(groups: &mut Vec<CountedSymbol>) {
    let is_declared = |nodes: &[Name]| {
        let mut nodes = nodes.iter();
        nodes.all(|node| node.flags.contains(NodeFlags::DECLARED))
    };
    let key = |node: &Name| (name_of(node).to_owned(), node.kind.clone());
    let defined = groups.iter().filter(|(nodes, _)| !is_declared(nodes));
    let defined: BTreeSet<(String, String)> = defined.map(|(nodes, _)| key(&nodes[0])).collect();
    groups.retain(|(nodes, (calls, _))| {
        *calls > 0 || !is_declared(nodes) || !defined.contains(&key(&nodes[0]))
    });
}

/// An error for a path that is no file of the graph; with the reason, where the file was skipped.
pub(crate) fn missing_file_error(
    session: &Session<'_>,
    path: &str,
) -> Result<EngineError, EngineError> {
    let error = unknown_file_error(session.names(), session.project(), path)?;
    let reason = match session.project().relative_path(path) {
        Ok(path) => unread::skipped_reason(session, &path)?,
        Err(_) => None,
    };
    Ok(match reason {
        Some(reason) => error.with_hint(format!("it is there, but not in the graph: {reason}")),
        None => error,
    })
}

/// Nodes grouped by place, name and kind, in order of appearance.
fn group_by_symbol(found: Vec<Name>) -> Vec<Vec<Name>> {
    let mut groups: Vec<Vec<Name>> = Vec::new();
    let mut at: HashMap<(String, String, String), usize> = HashMap::new();
    for node in found {
        let key = (
            node.file_path.clone(),
            name_of(&node).to_owned(),
            node.kind.clone(),
        );
        let group = *at.entry(key).or_insert(groups.len());
        match groups.get_mut(group) {
            Some(nodes) => nodes.push(node),
            None => groups.push(vec![node]),
        }
    }
    groups
}

/// Nodes of one symbol, with the number of calls that lead to them, and the number of those in tests.
type CountedSymbol = (Vec<Name>, (usize, usize));

/// Symbols with the number of calls that lead to each, and the number of those in tests.
fn count_calls(
    session: &Session<'_>,
    groups: Vec<Vec<Name>>,
) -> Result<Vec<CountedSymbol>, EngineError> {
    let mut counted = Vec::with_capacity(groups.len());
    for nodes in groups {
        let ids: Vec<String> = nodes.iter().map(|node| node.id.clone()).collect();
        let calls = session.on_graph(&ids, |graph, keys| {
            let mut callers = Vec::new();
            for key in keys {
                graph.visit_edges(*key, EdgeDirection::In, &[EdgeType::Calls], &mut |edge| {
                    if edge.site != Some(Site::Reference) {
                        callers.push((edge.to, 1 + edge.more_lines.len()));
                    }
                })?;
            }
            let (mut all, mut in_tests) = (0, 0);
            for (caller, calls) in callers {
                all += calls;
                in_tests += if graph.location(caller)?.test {
                    calls
                } else {
                    0
                };
            }
            Ok((all, in_tests))
        })?;
        counted.push((nodes, calls));
    }
    Ok(counted)
}

/// Ids of the nodes that an argument means: one, or several that are one symbol (overloads).
pub(crate) fn resolve(
    state: &GraphState,
    project: &Project,
    argument: &str,
) -> Result<Vec<String>, EngineError> {
    let argument = argument.trim();
    let found = match find_nodes(state.names(), project, argument)? {
        Lookup::Found(found) => found,
        Lookup::NoFile(path) => return Err(unknown_file_error(state.names(), project, &path)?),
        Lookup::NoSymbol => return Err(unknown_symbol_error(state.names(), argument)?),
    };
    let found = require_single_symbol(argument, found)?;
    Ok(found.into_iter().map(|node| node.id).collect())
}

/// The result of looking up an argument.
enum Lookup {
    /// All nodes found, of one symbol or of several.
    Found(Vec<Name>),
    /// A path that is no file of the graph.
    NoFile(String),
    /// No symbol found.
    NoSymbol,
}

fn find_nodes(names: &dyn Names, project: &Project, argument: &str) -> Result<Lookup, EngineError> {
    if argument.is_empty() {
        return Err(EngineError::bad_arguments("no symbol given")
            .with_hint("give a name, Class.method, path:line, path::name or an id"));
    }
    if let Some(node) = names.by_id(argument)? {
        return Ok(Lookup::Found(vec![node]));
    }
    if let Some((path, line)) = parse_path_line(argument) {
        return definition_at_line(names, project, path, line);
    }
    let in_path = argument
        .split_once("::")
        .or_else(|| argument.rsplit_once(':'));
    if let Some((path, name)) = in_path
        && let Some(found) = definitions_in_file(names, project, path, name)?
    {
        return Ok(Lookup::Found(found));
    }
    let found = definitions_by_name(names, argument)?;
    Ok(if !found.is_empty() {
        Lookup::Found(found)
    } else if is_path(project, argument) {
        Lookup::NoFile(argument.to_owned())
    } else {
        Lookup::NoSymbol
    })
}

/// The path of the index that an argument means, if it is a file there.
pub(crate) fn indexed_file(
    names: &dyn Names,
    project: &Project,
    argument: &str,
) -> Result<Option<String>, EngineError> {
    let Ok(path) = project.relative_path(argument) else {
        return Ok(None);
    };
    Ok((!names.by_file(&path)?.is_empty()).then_some(path))
}

/// `path:line`, where the part before the last colon looks like a path.
fn parse_path_line(argument: &str) -> Option<(&str, u32)> {
    let (path, line) = argument.rsplit_once(':')?;
    let line = line.parse().ok()?;
    (path.contains(['.', '/']) && !path.ends_with(':')).then_some((path, line))
}

/// The innermost definition around a line; the file itself where there is none.
fn definition_at_line(
    names: &dyn Names,
    project: &Project,
    path: &str,
    line: u32,
) -> Result<Lookup, EngineError> {
    let relative = project.relative_path(path)?;
    let nodes = names.by_file(&relative)?;
    if nodes.is_empty() {
        return Ok(Lookup::NoFile(relative));
    }
    let whole = nodes.iter().find(|node| node.kind == "file");
    if let Some(last) = whole
        .and_then(|file| file.line_end)
        .filter(|last| *last < line)
    {
        return Err(EngineError::bad_arguments(format!(
            "no line {line} in {relative}: it ends at line {last}"
        )));
    }
    let encloses = |node: &&Name| match (node.line_start, node.line_end) {
        (Some(from), Some(to)) => from <= line && line <= to,
        _ => false,
    };
    let length = |node: &Name| {
        let lines = node.line_end.unwrap_or(0) - node.line_start.unwrap_or(0);
        // A function comes before a variable on the same line, whatever the order of their ids.
        let callable = SymbolKind::parse(&node.kind).is_some_and(SymbolKind::is_callable);
        (node.kind == "file", lines, !callable, node.id.clone())
    };
    let innermost = nodes
        .iter()
        .filter(encloses)
        .min_by_key(|node| length(node));
    let file = || nodes.iter().find(|node| node.kind == "file");
    match innermost.or_else(file) {
        Some(node) => Ok(Lookup::Found(vec![node.clone()])),
        None => Err(EngineError::bad_arguments(format!(
            "no definition at {relative}:{line}"
        ))),
    }
}

/// Definitions of a file by name; none where the path is no file of the index.
fn definitions_in_file(
    names: &dyn Names,
    project: &Project,
    path: &str,
    name: &str,
) -> Result<Option<Vec<Name>>, EngineError> {
    let Some(path) = indexed_file(names, project, path)? else {
        return Ok(None);
    };
    let name = to_dotted(name);
    let mut found = names.by_file(&path)?;
    found.retain(|node| {
        node.kind != "file" && (node.symbol == name || has_qualified_suffix(node, &name))
    });
    if found.is_empty() {
        return Err(
            EngineError::bad_arguments(format!("symbol not found: {name} in {path}")).with_hint(
                format!("`knotwork graph-store find-file {path}` lists the symbols of the file"),
            ),
        );
    }
    Ok(Some(found))
}

fn definitions_by_name(names: &dyn Names, argument: &str) -> Result<Vec<Name>, EngineError> {
    let name = to_dotted(argument);
    let mut found = names.by_symbol(&name)?;
    if found.is_empty()
        && let Some((before, last)) = name.rsplit_once('.')
    {
        found = names.by_symbol(last)?;
        found.retain(|node| matches_module_path(node, before, last));
    }
    // A function inside a function can be asked for like any other; a variable there cannot.
    let is_definition = |node: &Name| {
        let callable = SymbolKind::parse(&node.kind).is_some_and(SymbolKind::is_callable);
        let local = node.flags.contains(NodeFlags::LOCAL) && !callable;
        node.kind != "file" && !local && node.kind != "parameter"
    };
    if found.iter().any(is_definition) {
        found.retain(is_definition);
    }
    found.sort_by(|a, b| {
        (&a.file_path, a.line_start, &a.id).cmp(&(&b.file_path, b.line_start, &b.id))
    });
    found.dedup_by(|a, b| a.id == b.id);
    Ok(found)
}

/// `a::b` and `a#b` as `a.b`.
fn to_dotted(name: &str) -> String {
    name.replace("::", ".").replace('#', ".")
}

/// Whether a node's dotted name is `name` or ends in it.
fn has_qualified_suffix(node: &Name, name: &str) -> bool {
    let Some(full) = node.qualified_name.as_deref() else {
        return false;
    };
    full.strip_suffix(name)
        .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

/// Whether `before.last` names the node through its module: `sessions.Session.send`, `chi.NewRouter`,
/// `requests.sessions.Session`.
fn matches_module_path(node: &Name, before: &str, last: &str) -> bool {
    let path = &node.file_path;
    let stem = path
        .rsplit_once('.')
        .map_or(path.as_str(), |(stem, _)| stem);
    let file = stem.replace('/', ".");
    let folder = stem
        .rsplit_once('/')
        .map(|(folder, _)| folder.replace('/', "."));
    let inner = node.qualified_name.as_deref().unwrap_or(last);
    let wanted = format!("{before}.{last}");
    [Some(file), folder].into_iter().flatten().any(|module| {
        let full = format!("{module}.{inner}");
        full.strip_suffix(wanted.as_str())
            .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    })
}

/// Whether all nodes are one symbol: of one place and name, or a class with its constructors.
fn is_single_symbol(found: &[Name]) -> bool {
    let same = |a: &Name, b: &Name| {
        a.file_path == b.file_path && name_of(a) == name_of(b) && a.kind == b.kind
    };
    if found.iter().all(|node| same(node, &found[0])) {
        return true;
    }
    // A class and its constructors have one name.
    let types = |node: &&Name| SymbolKind::parse(&node.kind).is_some_and(SymbolKind::is_type);
    let Some(class) = found.iter().find(types) else {
        return false;
    };
    let own = |node: &Name| {
        let home = node
            .qualified_or_symbol()
            .rsplit_once('.')
            .map(|(home, _)| home);
        node.kind == "constructor"
            && node.file_path == class.file_path
            && home == Some(class.qualified_or_symbol())
    };
    found.iter().all(|node| node.id == class.id || own(node))
}

/// An error where the nodes are of several symbols: the caller has to choose.
fn require_single_symbol(argument: &str, found: Vec<Name>) -> Result<Vec<Name>, EngineError> {
    if is_single_symbol(&found) {
        return Ok(found);
    }
    let total = found.len();
    let mut error = EngineError::bad_arguments(format!(
        "ambiguous symbol: {argument} has {total} definitions"
    ));
    error.candidates = found.iter().take(SHOWN).map(to_candidate).collect();
    let more = match total.saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" ({more} more not shown)"),
    };
    let example = error
        .candidates
        .first()
        .map(|c| c.place.clone())
        .unwrap_or_default();
    // A dotted name that all nodes share does not tell them apart.
    let named = found
        .iter()
        .any(|n| n.qualified_or_symbol() != found[0].qualified_or_symbol());
    let by = if named { "Class.method" } else { "path::name" };
    Err(error.with_hint(format!(
        "choose one by path:line (e.g. {example}), {by} or id{more}"
    )))
}

/// An error for a path that is no file of the index, with files of the same name.
fn unknown_file_error(
    names: &dyn Names,
    project: &Project,
    path: &str,
) -> Result<EngineError, EngineError> {
    let name = path
        .trim_end_matches('/')
        .rsplit('/')
        .next()
        .unwrap_or(path);
    // A path outside the project gives that error, whatever its language.
    if let Err(outside) = project.relative_path(path) {
        return Ok(outside);
    }
    let on_disk = project.resolve_on_disk(path);
    if on_disk.as_deref().is_some_and(Path::is_dir) {
        return Ok(EngineError::bad_arguments(format!("{path} is a folder"))
            .with_hint("give a file, path:line or a symbol"));
    }
    let mut error = EngineError::bad_arguments(format!("file not found in the index: {path}"));
    let mut alike = names.by_symbol(name)?;
    alike.retain(|node| node.kind == "file");
    alike.sort_by(|a, b| a.file_path.cmp(&b.file_path));
    error.candidates = alike.iter().take(SHOWN).map(to_candidate).collect();
    let without_grammar = search::plain::language_without_grammar(path);
    if let (true, Some(language)) = (on_disk.is_some(), without_grammar) {
        return Ok(error.with_hint(format!(
            "there is no grammar for {language}: the file is found by search, but its definitions and calls are not in the graph"
        )));
    }
    let hint = if !error.candidates.is_empty() {
        "files of that name are listed"
    } else if on_disk.is_some() && search::plain::language_of(path).is_some() {
        "it is there, but not in the graph: no definitions and calls are read of such a file"
    } else if on_disk.is_some() {
        "it is there, but not read: its name is that of a file without text, or with secrets"
    } else {
        "there is no such file; paths are relative to the project's root or the current folder"
    };
    Ok(error.with_hint(hint))
}

/// Whether an argument was meant as a file or folder.
fn is_path(project: &Project, argument: &str) -> bool {
    let names_file = argument.contains('/') && Language::from_path(argument).is_some();
    names_file
        || project
            .relative_path(argument)
            .is_ok_and(|path| project.resolve_on_disk(&path).is_some())
}

fn unknown_symbol_error(names: &dyn Names, argument: &str) -> Result<EngineError, EngineError> {
    let filter = search::Filter::default();
    let nearest = search::search_symbols(names, argument, search::Mode::Symbol, &filter, 5)?;
    let mut hits = nearest.hits;
    if hits.is_empty() {
        let last = argument.rsplit(['.', ':', '#']).next().unwrap_or(argument);
        // A name of two letters is similar to every name.
        let last = if last.len() > 2 { last } else { argument };
        hits = search::search_symbols(names, last, search::Mode::Symbol, &filter, 5)?.hits;
    }
    let same = definitions_named_alike(names, argument)?;
    let what = if search::plain::known_language_of(argument).is_some() {
        "file or symbol"
    } else {
        "symbol"
    };
    let mut error = EngineError::bad_arguments(format!("{what} not found: {argument}"));
    if !same.is_empty() {
        error.candidates = same.iter().map(to_candidate).collect();
        return Ok(error.with_hint("definitions of that name elsewhere are listed"));
    }
    error.candidates = hits
        .into_iter()
        .map(|hit| Candidate {
            symbol: hit.qualified_name.unwrap_or(hit.symbol),
            kind: hit.kind,
            place: format!("{}:{}", hit.file_path, hit.line_start),
            id: hit.id,
        })
        .collect();
    Ok(if error.candidates.is_empty() {
        error.with_hint("look for it with `knotwork search --mode keyword WORDS`")
    } else {
        error.with_hint("the nearest names are listed")
    })
}

/// For a `Type.member` that does not exist: members of that name in other types, those of types with similar names first.
fn definitions_named_alike(names: &dyn Names, argument: &str) -> Result<Vec<Name>, EngineError> {
    let name = to_dotted(argument);
    let Some((before, last)) = name.rsplit_once('.') else {
        return Ok(Vec::new());
    };
    let mut found = definitions_by_name(names, last)?;
    let of = before.rsplit('.').next().unwrap_or(before).to_lowercase();
    let is_other = |node: &Name| {
        let owner = node.qualified_or_symbol().rsplit_once('.');
        let owner = owner.map_or(String::new(), |(owner, _)| owner.to_lowercase());
        of.is_empty() || !(owner.contains(&of) || (!owner.is_empty() && of.contains(&owner)))
    };
    found.sort_by_cached_key(|node| (is_other(node), base::is_test_path(&node.file_path)));
    found.truncate(SHOWN);
    Ok(found)
}

fn name_of(node: &Name) -> &str {
    node.qualified_name.as_deref().unwrap_or(&node.symbol)
}

fn to_candidate(node: &Name) -> Candidate {
    Candidate {
        symbol: name_of(node).to_owned(),
        kind: node.kind.clone(),
        place: format!("{}:{}", node.file_path, node.line_start.unwrap_or(0)),
        id: node.id.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question_store::QuestionStore;
    use crate::{IndexInfo, Settings};
    use std::sync::Arc;
    use store::{GraphStore, NodeRecord, SqliteStore};
    use testkit::Repo;

    struct Fixture {
        repo: Repo,
    }

    /// Nodes as `kind qualified.name path from-to`.
    fn fixture(nodes: &[&str]) -> Fixture {
        let repo = Repo::new("//- .git/HEAD\nref\n");
        let mut store = SqliteStore::open(&repo.file_path("g.db")).unwrap();
        for (at, line) in nodes.iter().enumerate() {
            let words: Vec<&str> = line.split(' ').collect();
            let (from, to) = words[3].split_once('-').unwrap();
            let symbol = words[1].rsplit('.').next().unwrap();
            let node = NodeRecord {
                id: format!("id{at}"),
                symbol: symbol.to_owned(),
                kind: words[0].to_owned(),
                file_path: words[2].to_owned(),
                line_start: from.parse().ok(),
                line_end: to.parse().ok(),
                qualified_name: (words[1] != symbol).then(|| words[1].to_owned()),
                ..NodeRecord::default()
            };
            store.put_node(&node).unwrap();
        }
        Fixture { repo }
    }

    impl Fixture {
        fn ask(&self, argument: &str) -> Result<String, EngineError> {
            let project = Project::find(&Settings::with_start(self.repo.path())).unwrap();
            let open = GraphState {
                store: QuestionStore::Local(
                    SqliteStore::open(&self.repo.file_path("g.db")).unwrap(),
                ),
                version: None,
                memory: None,
                index: IndexInfo::default(),
                watcher_settled: false,
            };
            let in_store = resolve(&open, &project, argument);
            let memory = open.store.snapshot().unwrap();
            let in_memory = GraphState {
                memory: Some(Arc::new(memory)),
                ..open
            };
            assert_eq!(resolve(&in_memory, &project, argument), in_store);
            in_store.map(|ids| ids.join(" "))
        }
    }

    fn python() -> Fixture {
        fixture(&[
            "file sessions.py src/req/sessions.py 1-99",
            "class Session src/req/sessions.py 10-60",
            "method Session.send src/req/sessions.py 20-40",
            "method Adapter.send src/req/adapters.py 5-9",
            "function send src/req/api.py 1-3",
            "method Over.load src/over.ts 1-1",
            "method Over.load src/over.ts 2-5",
        ])
    }

    #[test]
    fn every_form_of_a_symbol_is_understood() {
        let repo = python();
        for (argument, id) in [
            ("id2", "id2"),
            ("Session", "id1"),
            ("Session.send", "id2"),
            ("Session::send", "id2"),
            ("Session#send", "id2"),
            ("sessions.Session.send", "id2"),
            ("req.sessions.Session", "id1"),
            ("api.send", "id4"),
            ("src/req/sessions.py:30", "id2"),
            ("src/req/sessions.py:15", "id1"),
            ("src/req/sessions.py:3", "id0"),
            ("src/req/adapters.py::send", "id3"),
            ("src/req/sessions.py::Session.send", "id2"),
        ] {
            assert_eq!(repo.ask(argument).as_deref(), Ok(id), "{argument}");
        }
    }

    #[test]
    fn overloads_are_one_symbol() {
        assert_eq!(python().ask("Over.load").as_deref(), Ok("id5 id6"));
    }

    #[test]
    fn a_class_is_one_symbol_with_its_constructors() {
        let java = fixture(&[
            "class Gson src/Gson.java 1-90",
            "constructor Gson.Gson src/Gson.java 3-5",
            "constructor Gson.Gson src/Gson.java 7-9",
        ]);
        assert_eq!(java.ask("Gson").as_deref(), Ok("id0 id1 id2"));
        let two = fixture(&["class A.Box a.java 1-9", "class B.Box b.java 1-9"]);
        assert!(two.ask("Box").is_err());
    }

    #[test]
    fn an_ambiguous_name_lists_its_places() {
        let error = python().ask("send").unwrap_err();
        assert_eq!(error.message, "ambiguous symbol: send has 3 definitions");
        let places: Vec<_> = error.candidates.iter().map(|c| c.place.as_str()).collect();
        assert_eq!(
            places,
            [
                "src/req/adapters.py:5",
                "src/req/api.py:1",
                "src/req/sessions.py:20"
            ]
        );
        assert!(error.hint.unwrap().contains("src/req/adapters.py:5"));
    }

    #[test]
    fn what_cannot_tell_them_apart_is_not_offered() {
        let hint = |nodes: &[&str]| fixture(nodes).ask("Wheel.next").unwrap_err().hint.unwrap();
        let same = ["method Wheel.next a.rs 1-9", "method Wheel.next b.rs 1-9"];
        assert_eq!(
            hint(&same),
            "choose one by path:line (e.g. a.rs:1), path::name or id"
        );
        let other = [
            "method Wheel.next a.rs 1-9",
            "method New.Wheel.next b.rs 1-9",
        ];
        assert!(hint(&other).contains("Class.method"));
    }

    #[test]
    fn places_that_are_not_there_are_named() {
        let repo = python();
        let told = |argument: &str| {
            let error = repo.ask(argument).unwrap_err();
            let places: Vec<_> = error.candidates.iter().map(|c| c.place.clone()).collect();
            format!("{} {}", error.message, places.join(" "))
                .trim_end()
                .to_owned()
        };
        assert_eq!(
            told("src/req/sessions.py:100"),
            "no line 100 in src/req/sessions.py: it ends at line 99"
        );
        assert_eq!(
            told("src/gone.py"),
            "file not found in the index: src/gone.py"
        );
        assert_eq!(
            told("src/gone.py:7"),
            "file not found in the index: src/gone.py"
        );
        assert_eq!(told(".git"), ".git is a folder");
        assert_eq!(
            told("lib/sessions.py"),
            "file not found in the index: lib/sessions.py src/req/sessions.py:1"
        );
    }

    #[test]
    fn an_unknown_name_offers_the_nearest() {
        let error = python().ask("Sesion").unwrap_err();
        assert_eq!(error.message, "symbol not found: Sesion");
        assert_eq!(error.candidates[0].symbol, "Session");
        let container = python().ask("Sessions.sned").unwrap_err();
        assert_eq!(container.candidates[0].symbol, "Session.send");
    }
}
