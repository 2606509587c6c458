//! `layout`: positions of folders, files and symbols for a picture of the code base, and the uses between files.

use super::arguments::is_in;
use super::cod::{self, CodRequest};
use crate::memory::WorkingSet;
use crate::operation::{Access, operation};
use crate::session::Session;
use crate::workspace::Workspace;
use crate::{EngineError, IndexInfo, unread};
use analysis::overview::{FileLink, OverviewFile, file_links};
use analysis::{Circle, LayoutItem, LayoutLink};
use base::{EdgeType, SymbolKind};
use rustc_hash::FxHashMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use store::{NameRow, NodeFlags, Snapshot};

/// The most nodes of an answer.
const MOST_NODES: usize = 200_000;
/// The most links of an answer.
const MOST_LINKS: usize = 50_000;
/// Uses between files and the choice of symbols, for each node and edge. What is drawn has limits of its own.
const WORK: WorkingSet = WorkingSet { node: 48, edge: 16 };
/// The strength of a use within a file, relative to one between files, when positions are computed.
const INNER_USE: f64 = 1.0;

/// What to place.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LayoutRequest {
    /// Only this folder or file
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Place symbols within files
    #[serde(default = "default_true")]
    pub symbols: bool,
    /// Include tests, examples, generated and vendored files
    #[serde(default)]
    pub all: bool,
    /// Maximum number of nodes. Above it, fields and constants are left out, then all symbols, then the smallest files
    #[serde(default = "default_limit")]
    pub limit: usize,
    /// Maximum number of links
    #[serde(default = "default_links")]
    pub links: usize,
}

fn default_true() -> bool {
    true
}

fn default_limit() -> usize {
    50_000
}

fn default_links() -> usize {
    4_000
}

impl Default for LayoutRequest {
    fn default() -> LayoutRequest {
        LayoutRequest {
            path: None,
            symbols: true,
            all: false,
            limit: default_limit(),
            links: default_links(),
        }
    }
}

/// The nodes, as one list for each property. A node comes after the node that contains it; the first is the project.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct LayoutNodes {
    /// Path of a folder or file, id of a symbol.
    pub id: Vec<String>,
    /// Last part of the path, name of a symbol. Folders with one folder in them share a node: `src/main/java`.
    pub name: Vec<String>,
    /// The index of its kind in [`LayoutAnswer::kinds`].
    pub kind: Vec<u32>,
    /// The index of the node that contains it; the first node has its own.
    pub parent: Vec<u32>,
    /// The x coordinate of its circle's centre.
    pub x: Vec<f64>,
    /// The y coordinate of its circle's centre.
    pub y: Vec<f64>,
    /// The radius of its circle.
    pub r: Vec<f64>,
    /// First line of a symbol, 0 of others.
    pub line: Vec<u32>,
    /// Lines of a file or symbol, 0 of folders.
    pub lines: Vec<u32>,
    /// How often and lately a file changed, times its complexity; 0 to 1. A symbol has its file's value.
    pub heat: Vec<f64>,
    /// Sum of the cyclomatic complexity of a file's functions.
    pub complexity: Vec<u32>,
}

/// Uses of one node by another, as one list for each property.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct LayoutLinks {
    /// The index of the file that uses.
    pub from: Vec<u32>,
    /// The index of the file that is used.
    pub to: Vec<u32>,
    /// Number of uses.
    pub weight: Vec<u32>,
}

/// The picture.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LayoutAnswer {
    /// The version of this shape.
    pub schema_version: &'static str,
    /// The folder or file that was asked for; empty for the project.
    pub path: String,
    /// The project's name.
    pub project: String,
    /// Names of kinds: `folder`, `package`, `file`, and those of symbols.
    pub kinds: Vec<String>,
    /// The placed nodes.
    pub nodes: LayoutNodes,
    /// The heaviest uses between files.
    pub links: LayoutLinks,
    /// The number of uses between files, before the limit.
    pub total_links: usize,
    /// The number of files placed.
    pub files: usize,
    /// The number of symbols placed.
    pub symbols: usize,
    /// The number of symbols left out because of the limit.
    pub symbols_left_out: usize,
    /// The number of files left out, by role; `limit` for the smallest ones beyond the limit.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub left_out: BTreeMap<String, usize>,
    /// The state of the index.
    pub index: IndexInfo,
}

operation! {
    /// Positions for a picture.
    LayoutOperation {
        name: "layout",
        request: LayoutRequest => LayoutAnswer,
        access: |_| Access::Read,
        // Positions are for programs that draw, so there is no tool for agents.
        tool: None,
        answer: place_parts,
    }
}

pub(crate) fn place_parts(
    workspace: &Workspace,
    request: &LayoutRequest,
) -> Result<LayoutAnswer, EngineError> {
    let path = match request.path.as_deref() {
        Some(path) => workspace.project().relative_path(path)?,
        None => String::new(),
    };
    let (answer, index) = workspace.ask(|session| {
        unread::note_gaps(session)?;
        place_once(session, request, &path)
    })?;
    Ok(LayoutAnswer { index, ..answer })
}

/// The answer besides the state of the index.
fn place_once(
    session: &Session<'_>,
    request: &LayoutRequest,
    path: &str,
) -> Result<LayoutAnswer, EngineError> {
    let graph = session.graph_for(WORK)?;
    let limit = request.limit.clamp(2, MOST_NODES);
    let mut left_out = BTreeMap::new();
    let asked = CodRequest {
        all: request.all,
        ..CodRequest::default()
    };
    let mut files = cod::collect_files(session, &asked, path, &mut left_out)?;
    files.retain(|file| is_in(path, &file.path));
    if files.is_empty() && !path.is_empty() {
        let message = format!("path not found in the index: {path}");
        return Err(EngineError::bad_arguments(message)
            .with_hint("`knotwork index status` lists skipped files and why"));
    }
    drop_smallest(&mut files, limit / 2, &mut left_out);
    let packages = cod::find_packages(session.project(), &files);
    let packages: BTreeMap<String, String> = packages
        .into_iter()
        .map(|package| (package.folder, package.name))
        .collect();
    let mut drawing = Drawing::new(project_name(session), path);
    let places = drawing.add_files(&files, &packages);
    let symbols = SymbolChoice::new(&graph, &files, request.symbols, limit, drawing.len());
    session.check_cancelled()?;
    let of_node = drawing.add_symbols(&graph, &files, &places, &symbols);
    let place = |path: &str| {
        let found = files.binary_search_by(|file| file.path.as_str().cmp(path));
        found.ok().map(|at| places[at])
    };
    let mut links = file_links(&graph, &place);
    let circles = drawing.circles(&links, &inner_links(&graph, &of_node));
    let total_links = links.len();
    keep_heaviest(&mut links, request.links.min(MOST_LINKS));
    let symbols_placed = of_node.len();
    Ok(LayoutAnswer {
        schema_version: "1.0",
        path: path.to_owned(),
        project: drawing.nodes.name[0].clone(),
        files: files.len(),
        symbols: symbols_placed,
        symbols_left_out: symbols.total - symbols_placed.min(symbols.total),
        links: to_lists(&links),
        total_links,
        left_out,
        index: IndexInfo::default(),
        kinds: drawing.kinds.words,
        nodes: with_positions(drawing.nodes, &circles),
    })
}

fn project_name(session: &Session<'_>) -> String {
    let name = session.project().root.file_name();
    name.map_or_else(|| "project".into(), |name| name.to_string_lossy())
        .into_owned()
}

/// Leaves the largest files, in their order.
fn drop_smallest(
    files: &mut Vec<OverviewFile>,
    most: usize,
    left_out: &mut BTreeMap<String, usize>,
) {
    let surplus = files.len().saturating_sub(most.max(1));
    if surplus == 0 {
        return;
    }
    let mut sizes: Vec<(u32, usize)> = files.iter().map(|file| file.lines).zip(0..).collect();
    sizes.sort_unstable();
    let mut dropped = vec![false; files.len()];
    for (_, at) in &sizes[..surplus] {
        dropped[*at] = true;
    }
    let mut at = 0;
    files.retain(|_| {
        at += 1;
        !dropped[at - 1]
    });
    left_out.insert("limit".to_owned(), surplus);
}

fn keep_heaviest(links: &mut Vec<FileLink>, most: usize) {
    if links.len() > most {
        links.sort_by(|a, b| {
            let heavier = b.weight.total().cmp(&a.weight.total());
            heavier.then_with(|| (a.from, a.to).cmp(&(b.from, b.to)))
        });
        links.truncate(most);
    }
}

fn to_lists(links: &[FileLink]) -> LayoutLinks {
    LayoutLinks {
        from: links.iter().map(|link| link.from).collect(),
        to: links.iter().map(|link| link.to).collect(),
        weight: links.iter().map(|link| link.weight.total()).collect(),
    }
}

fn with_positions(nodes: LayoutNodes, circles: &[Circle]) -> LayoutNodes {
    let rounded = |of: fn(&Circle) -> f64| {
        let all = circles.iter().map(of);
        all.map(|value| (value * 100.0).round() / 100.0).collect()
    };
    LayoutNodes {
        x: rounded(|circle| circle.x),
        y: rounded(|circle| circle.y),
        r: rounded(|circle| circle.r),
        ..nodes
    }
}

/// Words and the numbers that stand for them.
#[derive(Default)]
struct Kinds {
    words: Vec<String>,
    numbers: FxHashMap<String, u32>,
}

impl Kinds {
    fn number(&mut self, word: &str) -> u32 {
        if let Some(number) = self.numbers.get(word) {
            return *number;
        }
        let number = self.words.len() as u32;
        self.words.push(word.to_owned());
        self.numbers.insert(word.to_owned(), number);
        number
    }
}

/// A node to be added.
#[derive(Clone, Copy)]
struct NewNode<'a> {
    id: &'a str,
    name: &'a str,
    kind: &'a str,
    parent: u32,
    line: u32,
    lines: u32,
    heat: f64,
    complexity: u32,
}

/// The nodes so far.
struct Drawing {
    nodes: LayoutNodes,
    kinds: Kinds,
    /// The folder that the picture shows.
    root: String,
}

impl Drawing {
    fn new(name: String, root: &str) -> Drawing {
        let mut drawing = Drawing {
            nodes: LayoutNodes::default(),
            kinds: Kinds::default(),
            root: root.to_owned(),
        };
        drawing.add(NewNode {
            id: root,
            name: root
                .rsplit('/')
                .next()
                .filter(|last| !last.is_empty())
                .unwrap_or(&name),
            kind: "folder",
            parent: 0,
            line: 0,
            lines: 0,
            heat: 0.0,
            complexity: 0,
        });
        drawing
    }

    fn len(&self) -> usize {
        self.nodes.id.len()
    }

    fn add(&mut self, node: NewNode<'_>) -> u32 {
        let at = self.len() as u32;
        let kind = self.kinds.number(node.kind);
        let nodes = &mut self.nodes;
        nodes.id.push(node.id.to_owned());
        nodes.name.push(node.name.to_owned());
        nodes.kind.push(kind);
        nodes.parent.push(node.parent);
        nodes.line.push(node.line);
        nodes.lines.push(node.lines);
        nodes.heat.push((node.heat * 1000.0).round() / 1000.0);
        nodes.complexity.push(node.complexity);
        at
    }

    /// Adds folders and files. Returns the index of each file's node.
    fn add_files(
        &mut self,
        files: &[OverviewFile],
        packages: &BTreeMap<String, String>,
    ) -> Vec<u32> {
        let tree = FolderTree::new(files, &self.root);
        let mut places = vec![0; files.len()];
        let mut open = vec![(self.root.as_str().to_owned(), 0u32)];
        while let Some((folder, parent)) = open.pop() {
            let Some(parts) = tree.0.get(&folder) else {
                continue;
            };
            for at in &parts.files {
                let file = &files[*at];
                // A file that was asked for alone is the picture itself.
                let name = file.path.rsplit('/').next().unwrap_or(&file.path);
                places[*at] = self.add(NewNode {
                    id: &file.path,
                    name,
                    kind: "file",
                    parent,
                    line: 0,
                    lines: file.lines,
                    heat: file.heat,
                    complexity: file.complexity,
                });
            }
            for folder in &parts.folders {
                let inner = tree.without_chain(folder, packages);
                let from = parent_path_length(&self.nodes.id[parent as usize]);
                let (kind, name) = match packages.get(inner) {
                    Some(name) => ("package", name.as_str()),
                    None => ("folder", inner.get(from..).unwrap_or(inner)),
                };
                let at = self.add(NewNode {
                    id: inner,
                    name,
                    kind,
                    parent,
                    line: 0,
                    lines: 0,
                    heat: 0.0,
                    complexity: 0,
                });
                open.push((tree.parts_of(inner, packages).to_owned(), at));
            }
        }
        places
    }

    /// Adds symbols. Returns the index of each symbol's node by its number in the graph.
    fn add_symbols(
        &mut self,
        graph: &Snapshot,
        files: &[OverviewFile],
        places: &[u32],
        choice: &SymbolChoice,
    ) -> FxHashMap<u32, u32> {
        let mut of_node = FxHashMap::default();
        for (file, place) in files.iter().zip(places) {
            let mut named: FxHashMap<&str, u32> = FxHashMap::default();
            for node in graph.nodes_of_file(&file.path) {
                let row = graph.name_row(*node);
                if !choice.takes(&row) {
                    continue;
                }
                let full = row.qualified_name.unwrap_or(row.symbol);
                let around = full.rsplit_once('.').map(|(around, _)| around);
                let parent = around.and_then(|around| named.get(around)).copied();
                let line = row.line_start.unwrap_or(0);
                let at = self.add(NewNode {
                    id: row.id,
                    name: row.symbol,
                    kind: row.kind,
                    parent: parent.unwrap_or(*place),
                    line,
                    lines: (row.line_end.unwrap_or(line) + 1).saturating_sub(line),
                    heat: file.heat,
                    complexity: 0,
                });
                named.entry(full).or_insert(at);
                of_node.insert(*node, at);
            }
        }
        of_node
    }

    fn circles(&self, links: &[FileLink], inner: &[(u32, u32)]) -> Vec<Circle> {
        let nodes = &self.nodes;
        let items: Vec<LayoutItem> = (0..self.len())
            .map(|at| LayoutItem {
                parent: (at > 0).then(|| nodes.parent[at]),
                weight: f64::from(nodes.lines[at].max(1)),
            })
            .collect();
        let between = links.iter().map(|link| LayoutLink {
            from: link.from,
            to: link.to,
            strength: f64::from(link.weight.total()),
        });
        let within = inner.iter().map(|(from, to)| LayoutLink {
            from: *from,
            to: *to,
            strength: INNER_USE,
        });
        let all: Vec<LayoutLink> = between.chain(within).collect();
        analysis::layout(&items, &all)
    }
}

/// The length of a path with a slash after it.
fn parent_path_length(path: &str) -> usize {
    if path.is_empty() { 0 } else { path.len() + 1 }
}

/// The content of a folder.
#[derive(Default)]
struct FolderParts {
    folders: Vec<String>,
    files: Vec<usize>,
}

/// Folders by path.
struct FolderTree(BTreeMap<String, FolderParts>);

impl FolderTree {
    /// The tree of files below a root. The files are in order of path.
    fn new(files: &[OverviewFile], root: &str) -> FolderTree {
        let mut tree: BTreeMap<String, FolderParts> = BTreeMap::new();
        for (file, at) in files.iter().zip(0..) {
            let mut folder = match file.path.rsplit_once('/') {
                Some((folder, _)) if is_in(root, folder) => folder,
                _ => root,
            };
            tree.entry(folder.to_owned()).or_default().files.push(at);
            while folder != root {
                let above = folder.rsplit_once('/').map_or("", |(above, _)| above);
                let above = if is_in(root, above) { above } else { root };
                let is_new = !tree.contains_key(above);
                let parts = tree.entry(above.to_owned()).or_default();
                // In order of path, the files of a folder follow each other.
                if parts.folders.last().is_none_or(|last| last != folder) {
                    parts.folders.push(folder.to_owned());
                }
                if !is_new {
                    break;
                }
                folder = above;
            }
        }
        FolderTree(tree)
    }

    /// The first folder below, or the folder itself, that holds more than one folder or is a package.
    fn without_chain<'t>(
        &'t self,
        folder: &'t str,
        packages: &BTreeMap<String, String>,
    ) -> &'t str {
        let mut at = folder;
        while !packages.contains_key(at)
            && let Some(parts) = self.0.get(at)
            && parts.files.is_empty()
            && let [only] = &parts.folders[..]
        {
            at = only;
        }
        at
    }

    /// The folder whose content is drawn as that of `folder`: a package that holds only `src` shows the content of
    /// `src`.
    fn parts_of<'t>(&'t self, folder: &'t str, packages: &BTreeMap<String, String>) -> &'t str {
        let mut at = folder;
        while let Some(parts) = self.0.get(at)
            && parts.files.is_empty()
            && let [only] = &parts.folders[..]
            && !packages.contains_key(only)
        {
            at = only;
        }
        at
    }
}

/// The choice of symbols to place.
struct SymbolChoice {
    /// Whether any symbols are placed.
    any: bool,
    /// Whether fields, constants and variables are placed.
    values: bool,
    /// The number of all symbols.
    total: usize,
}

impl SymbolChoice {
    fn new(
        graph: &Snapshot,
        files: &[OverviewFile],
        wanted: bool,
        limit: usize,
        placed: usize,
    ) -> SymbolChoice {
        let everything = SymbolChoice {
            any: true,
            values: true,
            total: 0,
        };
        let count = |choice: &SymbolChoice| {
            let nodes = files
                .iter()
                .flat_map(|file| graph.nodes_of_file(&file.path));
            nodes
                .filter(|node| choice.takes(&graph.name_row(**node)))
                .count()
        };
        let total = count(&everything);
        let room = limit.saturating_sub(placed);
        let main = SymbolChoice {
            values: false,
            ..everything
        };
        SymbolChoice {
            any: wanted && (total <= room || count(&main) <= room),
            values: total <= room,
            total,
        }
    }

    fn takes(&self, row: &NameRow<'_>) -> bool {
        let kind = SymbolKind::parse(row.kind);
        let is_main = kind.is_none_or(|kind| kind.is_callable() || kind.is_type());
        self.any
            && (self.values || is_main)
            && row.kind != "file"
            && row.kind != "parameter"
            && !row.flags.contains(NodeFlags::LOCAL)
    }
}

/// Calls within one file between symbols that are placed.
fn inner_links(graph: &Snapshot, of_node: &FxHashMap<u32, u32>) -> Vec<(u32, u32)> {
    let mut found = Vec::new();
    for (node, from) in of_node {
        let file = graph.location(*node).file;
        for edge in graph.outgoing(*node, EdgeType::Calls) {
            if let Some(to) = of_node.get(&edge.node)
                && graph.location(edge.node).file == file
            {
                found.push((*from, *to));
            }
        }
    }
    found.sort_unstable();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str) -> OverviewFile {
        OverviewFile {
            path: path.to_owned(),
            lines: 10,
            complexity: 1,
            heat: 0.0,
        }
    }

    fn names(paths: &[&str], root: &str, packages: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<OverviewFile> = paths.iter().map(|path| file(path)).collect();
        let packages = packages
            .iter()
            .map(|(folder, name)| ((*folder).to_owned(), (*name).to_owned()))
            .collect();
        let mut drawing = Drawing::new("project".to_owned(), root);
        let places = drawing.add_files(&files, &packages);
        assert!(places.iter().all(|place| *place > 0));
        let nodes = &drawing.nodes;
        let line = |at: usize| {
            format!(
                "{} in {}",
                nodes.name[at], nodes.name[nodes.parent[at] as usize]
            )
        };
        (1..drawing.len()).map(line).collect()
    }

    #[test]
    fn folders_with_one_folder_share_a_node() {
        let paths = [
            "README.py",
            "src/main/java/A.java",
            "src/main/java/util/B.java",
        ];
        assert_eq!(
            names(&paths, "", &[]),
            [
                "README.py in project",
                "src/main/java in project",
                "A.java in src/main/java",
                "util in src/main/java",
                "B.java in util"
            ]
        );
    }

    #[test]
    fn a_package_stands_for_its_folder() {
        let paths = ["crates/a/src/lib.rs", "crates/b/src/lib.rs"];
        let packages = [("crates/a", "first"), ("crates/b", "second")];
        let found = names(&paths, "", &packages);
        assert!(found.contains(&"first in crates".to_owned()), "{found:?}");
        assert!(found.contains(&"lib.rs in second".to_owned()), "{found:?}");
    }

    #[test]
    fn a_folder_or_file_can_be_the_whole_picture() {
        assert_eq!(
            names(&["src/a/x.py", "src/a/b/y.py"], "src/a", &[]),
            ["x.py in a", "b in a", "y.py in b"]
        );
        assert_eq!(names(&["src/a/x.py"], "src/a/x.py", &[]), ["x.py in x.py"]);
    }

    #[test]
    fn the_smallest_files_are_dropped_in_order() {
        let mut files: Vec<OverviewFile> = ["a", "b", "c"].map(file).into();
        files[1].lines = 2;
        let mut left_out = BTreeMap::new();
        drop_smallest(&mut files, 2, &mut left_out);
        let left: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(left, ["a", "c"]);
        assert_eq!(left_out["limit"], 1);
    }
}
