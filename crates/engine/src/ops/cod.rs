//! `cod`: the code base on one page.

use super::arguments::is_in;
use super::boundary::FileRoleRules;
use super::clock;
use super::complexity::Measures;
use crate::graph_state::is_manual_graph;
use crate::operation::{Access, Tool, operation};
use crate::project::Project;
use crate::session::Session;
use crate::workspace::Workspace;
use crate::{EngineError, IndexInfo, unread};
use analysis::overview::{
    FEW_FILES, Overview, OverviewD3, OverviewFile, OverviewInput, OverviewLevel, OverviewOptions,
    OverviewPackage, TopSpans, file_links, overview, symbol_links, top_level_symbols,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use std::time::SystemTime;
use store::{FileRecord, Snapshot};

/// Output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline, description = "")]
pub enum CodFormat {
    /// A Mermaid flowchart
    #[default]
    Mermaid,
    /// Nodes and links as JSON, for D3
    D3json,
}

/// The code base on one page.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(deny_unknown_fields)]
pub struct CodRequest {
    /// Detail: 1 packages, 2 folders, 3 files
    #[cfg_attr(
        feature = "cli",
        arg(long, default_value_t = 2, allow_negative_numbers = true)
    )]
    #[serde(default = "default_level")]
    #[schemars(extend("enum" = [1, 2, 3]))]
    pub level: i64,
    /// Shape of the picture
    #[cfg_attr(feature = "cli", arg(skip))]
    #[serde(default)]
    #[schemars(description = "")]
    pub format: CodFormat,
    /// Only this folder or file
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub module: Option<String>,
    /// Colour hotspots: parts that change often and are complex
    #[cfg_attr(feature = "cli", arg(long, default_value_t = true, num_args = 0..=1, default_missing_value = "true", action = clap::ArgAction::Set))]
    #[serde(default = "default_true")]
    #[schemars(description = "")]
    pub include_hotspots: bool,
    /// Show the complexity of each part
    #[cfg_attr(feature = "cli", arg(long, default_value_t = true, num_args = 0..=1, default_missing_value = "true", action = clap::ArgAction::Set))]
    #[serde(default = "default_true")]
    #[schemars(description = "")]
    pub include_complexity: bool,
    /// Include tests, examples, generated and vendored files
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default)]
    #[schemars(skip)]
    pub all: bool,
    /// Maximum number of parts
    #[cfg_attr(feature = "cli", arg(long, default_value_t = 30))]
    #[serde(default = "default_limit")]
    #[schemars(skip)]
    pub limit: usize,
}

fn default_level() -> i64 {
    2
}

fn default_limit() -> usize {
    30
}

fn default_true() -> bool {
    true
}

impl Default for CodRequest {
    fn default() -> CodRequest {
        CodRequest {
            level: default_level(),
            format: CodFormat::default(),
            module: None,
            include_hotspots: true,
            include_complexity: true,
            all: false,
            limit: default_limit(),
        }
    }
}

/// The picture.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum CodPicture {
    /// The picture as Mermaid.
    Mermaid {
        /// `mermaid`.
        format: CodFormat,
        /// The flowchart.
        diagram: String,
    },
    /// The picture as JSON for D3.
    D3(OverviewD3),
}

/// The picture, and facts about it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CodAnswer {
    /// The version of this shape.
    pub schema_version: &'static str,
    /// The picture.
    #[serde(flatten)]
    pub picture: CodPicture,
    /// The number of files left out of the picture, by role.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub left_out: BTreeMap<String, usize>,
    /// The state of the index.
    pub index: IndexInfo,
}

operation! {
    /// The code base as a diagram.
    CodOperation {
        name: "cod",
        request: CodRequest => CodAnswer,
        access: |_| Access::Read,
        tool: Some(Tool {
            title: "Overview",
            about: "Draw an overview of the code base",
            pages: false,
            core: false,
            writes: false,
        }),
        answer: draw_overview,
    }
}

pub(crate) fn draw_overview(
    workspace: &Workspace,
    request: &CodRequest,
) -> Result<CodAnswer, EngineError> {
    let level = u32::try_from(request.level)
        .ok()
        .and_then(OverviewLevel::from_number)
        .ok_or_else(|| {
            EngineError::bad_arguments(format!(
                "invalid level: {}. Must be 1, 2 or 3",
                request.level
            ))
        })?;
    let module = match request.module.as_deref() {
        Some(module) => workspace.project().relative_path(module)?,
        None => String::new(),
    };
    let ((input, left_out), index) = workspace.ask(|session| {
        unread::note_gaps(session)?;
        unread::note_languages_without_calls(session)?;
        let mut left_out = BTreeMap::new();
        let input = gather_input(session, request, &module, &mut left_out)?;
        Ok((input, left_out))
    })?;
    let made = overview(
        &input,
        &OverviewOptions {
            level: if module.is_empty() {
                level
            } else {
                OverviewLevel::Files
            },
            module,
            limit: request.limit.clamp(2, 400),
            hotspots: request.include_hotspots,
            complexity: request.include_complexity,
        },
    );
    Ok(CodAnswer {
        schema_version: "1.0",
        picture: render_picture(&made, request.format),
        left_out,
        index,
    })
}

/// Files, packages and their uses of each other; for a small module its definitions.
fn gather_input(
    session: &Session<'_>,
    request: &CodRequest,
    module: &str,
    left_out: &mut BTreeMap<String, usize>,
) -> Result<OverviewInput, EngineError> {
    let graph = session.graph()?;
    let mut input = OverviewInput {
        files: collect_files(session, request, module, left_out)?,
        ..OverviewInput::default()
    };
    let inside: Vec<(String, u32)> = input
        .files
        .iter()
        .zip(0..)
        .filter(|(file, _)| is_in(module, &file.path))
        .map(|(file, at)| (file.path.clone(), at))
        .collect();
    let is_folder = || session.project().root.join(module).is_dir();
    if !module.is_empty() && inside.is_empty() && is_folder() {
        return Ok(OverviewInput::default());
    }
    if !module.is_empty() && inside.is_empty() {
        let message = format!("module not found in the index: {module}");
        return Err(EngineError::bad_arguments(message).with_hint(
            "give a folder or file of the project; `knotwork cod generate --level 2` shows folders",
        ));
    }
    let find = |path: &str| {
        let found = input.files.binary_search_by(|f| f.path.as_str().cmp(path));
        found.ok().map(|at| at as u32)
    };
    // In a graph written by hand a node may stand for a folder.
    let place = |path: &str| find(path).or_else(|| find(&folder_entry(path)));
    input.links = file_links(&graph, &place);
    input.packages = find_packages(session.project(), &input.files);
    if !module.is_empty() && inside.len() <= FEW_FILES {
        add_symbols(session, &graph, &mut input, &inside)?;
    }
    Ok(input)
}

fn render_picture(made: &Overview, format: CodFormat) -> CodPicture {
    match format {
        CodFormat::Mermaid => CodPicture::Mermaid {
            format,
            diagram: made.to_mermaid(),
        },
        CodFormat::D3json => CodPicture::D3(made.to_d3(&clock::format_utc(SystemTime::now()))),
    }
}

/// The files shown, in order of path: the project's own code, and everything in the chosen module.
pub(super) fn collect_files(
    session: &Session<'_>,
    request: &CodRequest,
    module: &str,
    left_out: &mut BTreeMap<String, usize>,
) -> Result<Vec<OverviewFile>, EngineError> {
    let heat = if request.include_hotspots {
        session.heat()?
    } else {
        Arc::default()
    };
    let records = session.store().indexed_files()?;
    if records.is_empty() && is_manual_graph(session.store())? {
        return files_of_manual_graph(session);
    }
    let file_roles = FileRoleRules::for_project(session.workspace(), records.len());
    let mut files = Vec::with_capacity(records.len());
    let mut others: Vec<(OverviewFile, &'static str)> = Vec::new();
    // A chosen module of tests is shown as well.
    let inside = |record: &&FileRecord| !module.is_empty() && is_in(module, &record.path);
    let own = |record: &FileRecord| file_roles.of_record(record) == "user";
    let of_others = !records.values().filter(inside).any(own);
    for record in records.values() {
        let file = OverviewFile {
            path: record.path.clone(),
            lines: record.lines,
            complexity: record.complexity,
            heat: heat.score(&record.path),
        };
        let skipped = record.source.starts_with("skipped");
        let kind = file_roles.of_record(record);
        let wanted = of_others && inside(&record);
        if skipped || !(request.all || wanted || kind == "user") {
            others.push((file, if skipped { "skipped" } else { kind }));
        } else {
            files.push(file);
        }
    }
    // A repository that has only tests or examples is shown as well.
    if files.is_empty() {
        files = others.into_iter().map(|(file, _)| file).collect();
        return Ok(files);
    }
    for (_, kind) in others {
        *left_out.entry(kind.to_owned()).or_default() += 1;
    }
    Ok(files)
}

/// The entry of a folder that a node stands for.
fn folder_entry(path: &str) -> String {
    format!("{path}/")
}

/// The files that the nodes of a graph written by hand name; nothing was read of them. A node may also stand for a folder.
fn files_of_manual_graph(session: &Session<'_>) -> Result<Vec<OverviewFile>, EngineError> {
    let mut lines: BTreeMap<String, u32> = BTreeMap::new();
    let mut folders = BTreeSet::new();
    session.store().for_each_node(&mut |node| {
        if node.file_path.is_empty() {
            return;
        }
        let is_folder = matches!(&*node.kind, "module" | "package" | "folder" | "directory");
        let last_name = node.file_path.rsplit('/').next().unwrap_or_default();
        if is_folder && !last_name.contains('.') {
            folders.insert(node.file_path.clone());
        }
        let last = lines.entry(node.file_path).or_default();
        *last = (*last).max(node.line_end.unwrap_or_default());
    })?;
    for path in folders {
        let below = folder_entry(&path);
        let last = lines.remove(&path).unwrap_or_default();
        lines.insert(below, last);
    }
    let file = |(path, lines)| OverviewFile {
        path,
        lines,
        complexity: 0,
        heat: 0.0,
    };
    Ok(lines.into_iter().map(file).collect())
}

/// Endings of the source files of a package, by language.
const RUST: &[&str] = &["rs"];
const SCRIPTS: &[&str] = &[
    "ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs", "vue", "svelte",
];
const PYTHON: &[&str] = &["py", "pyi"];
const GO: &[&str] = &["go"];
const JAVA: &[&str] = &["java", "kt", "kts", "scala", "groovy"];
const PHP: &[&str] = &["php"];

/// Manifests that make a folder a package, with the endings of its files.
const MANIFESTS: [(&str, &[&str]); 9] = [
    ("Cargo.toml", RUST),
    ("package.json", SCRIPTS),
    ("pyproject.toml", PYTHON),
    ("setup.py", PYTHON),
    ("go.mod", GO),
    ("pom.xml", JAVA),
    ("build.gradle", JAVA),
    ("build.gradle.kts", JAVA),
    ("composer.json", PHP),
];

/// The most bytes of a manifest that is read for its name.
const LARGEST: u64 = 1 << 20;

/// Folders above the files that have a manifest, in order.
pub(super) fn find_packages(project: &Project, files: &[OverviewFile]) -> Vec<OverviewPackage> {
    let mut folders: BTreeSet<&str> = BTreeSet::from([""]);
    for file in files {
        let mut path = file.path.as_str();
        while let Some(slash) = path.rfind('/') {
            path = &path[..slash];
            if !folders.insert(path) {
                break;
            }
        }
    }
    let root = &project.root;
    let mut found = Vec::new();
    for folder in folders {
        let first = found.len();
        // Gradle's build files may be named after the module.
        let own = folder.rsplit('/').next().unwrap_or(folder);
        let own = [".gradle", ".gradle.kts"].map(|ending| format!("{own}{ending}"));
        let named = own.iter().map(|name| (name.as_str(), JAVA));
        for (manifest, endings) in MANIFESTS.into_iter().chain(named) {
            let path = match folder {
                "" => manifest.to_owned(),
                folder => format!("{folder}/{manifest}"),
            };
            let known = found[first..].iter();
            if known
                .into_iter()
                .any(|p: &OverviewPackage| p.endings == endings)
            {
                continue;
            }
            let is_file = root
                .join(&path)
                .symlink_metadata()
                .is_ok_and(|m| m.is_file());
            let name = is_file.then(|| package_name(project, &path, manifest));
            found.extend(name.flatten().map(|name| OverviewPackage {
                folder: folder.to_owned(),
                name: if name.is_empty() {
                    folder_label(folder, root)
                } else {
                    name
                },
                endings,
            }));
        }
    }
    found
}

fn folder_label(folder: &str, root: &std::path::Path) -> String {
    match folder.rsplit('/').next() {
        Some(name) if !name.is_empty() => name.to_owned(),
        _ => root
            .file_name()
            .map_or_else(|| "project".into(), |n| n.to_string_lossy())
            .into_owned(),
    }
}

/// The name in a manifest, empty where it has none; none where the manifest makes no package (a Cargo workspace).
fn package_name(project: &Project, path: &str, manifest: &str) -> Option<String> {
    let bytes = project.read(path, LARGEST).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    analysis::lockfiles::package_name(manifest, &text)
}

/// The definitions of a few files instead of the files.
fn add_symbols(
    session: &Session<'_>,
    graph: &Snapshot,
    input: &mut OverviewInput,
    inside: &[(String, u32)],
) -> Result<(), EngineError> {
    let places: Vec<(&str, u32)> = inside
        .iter()
        .map(|(path, at)| (path.as_str(), *at))
        .collect();
    let (mut symbols, of_node) = top_level_symbols(graph, &places);
    let paths: Vec<String> = inside.iter().map(|(path, _)| path.clone()).collect();
    let measures = Measures::read(session, &paths)?;
    let spans = TopSpans::new(&symbols);
    let mut by_name: HashMap<String, u32> = HashMap::new();
    for (symbol, at) in symbols.iter().zip(0..) {
        by_name.entry(symbol.name.clone()).or_insert(at);
    }
    for function in measures.functions() {
        let file = places.iter().find(|(path, _)| *path == function.file_path);
        let Some((_, file)) = file else { continue };
        let first = function.symbol.split('.').next().unwrap_or_default();
        let named = by_name.get(first).copied();
        let at = named.or_else(|| spans.around(*file, function.line));
        let symbol = at.and_then(|at| symbols.get_mut(at as usize));
        if let Some(symbol) = symbol {
            symbol.complexity += function.cyclomatic;
        }
    }
    // A module of at most two definitions is better shown by its files.
    if symbols.len() > 2 || inside.len() == 1 {
        input.symbol_links = symbol_links(graph, &of_node);
        input.symbols = symbols;
    }
    Ok(())
}
