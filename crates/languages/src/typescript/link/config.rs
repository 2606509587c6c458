//! Compiler configurations: `tsconfig*.json` and `jsconfig.json`, those that they extend, the files that they include
//! and the projects that they refer to.

use super::manifest::Manifests;
use super::patterns::MOST_TARGETS;
use linker::glob;
use linker::paths::{ancestors, join, parent_dir, strip_dir};
use rustc_hash::FxHashMap;
use serde_json::Value;
use std::collections::{BTreeMap, HashSet, VecDeque};
use std::sync::{Arc, OnceLock};

/// Longest chain of `extends`.
const MAX_EXTENDS: u32 = 16;

/// Most projects that a configuration refers to, directly or through others; the rest is left out.
const MOST_PROJECTS: usize = 1_000;

/// Most references that are followed for that; the rest is left out, since projects may all refer to each other.
const MOST_REFERENCES: usize = 20_000;

/// Most patterns of `include` or `exclude`; the rest is left out, since each is compared with each file.
const MOST_PATTERNS: usize = 1_000;

/// Most entries of `files`; the rest is left out.
const MOST_FILES: usize = 10_000;

/// Most list entries in which `${configDir}` is expanded, over all configurations: each configuration that inherits
/// such a list needs a copy.
const MOST_EXPANDED: usize = 200_000;

/// Most configurations with the same output folder that are used to find the source of a built file.
const MOST_WRITERS: usize = 8;

/// Bytes of the targets of `paths`, joined to their folders, that every configuration may have.
const LEAST_JOINED: usize = 1 << 16;

/// Most growth of the targets of `paths` by joining them to their folders.
const MOST_GROWTH: usize = 16;

/// The placeholder for the folder of the configuration that is read, not of the one that contains it.
const CONFIG_DIR: &str = "${configDir}";

/// The part of a compiler configuration that matters for module resolution. Paths are relative to the project.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct TsConfig {
    /// The folder that contains it.
    pub dir: String,
    /// `paths`: patterns with their targets, joined to the folder that they are relative to. Shared by all
    /// configurations that extend the one with this list.
    pub paths: Arc<Vec<(String, Vec<String>)>>,
    /// `baseUrl`.
    pub base_url: Option<String>,
    /// `rootDirs`.
    pub root_dirs: Arc<Vec<String>>,
    /// `outDir` and `declarationDir`.
    pub out_dirs: Vec<String>,
    /// `rootDir`.
    pub root_dir: Option<String>,
    /// `files`; `None` if not written.
    files: Option<Arc<Vec<String>>>,
    /// `include`; `None` if not written.
    include: Option<Arc<Vec<String>>>,
    exclude: Option<Arc<Vec<String>>>,
    /// Paths of the configurations that `references` names.
    references: Vec<String>,
    /// The same, as indexes into [`Configs::list`].
    referred: Vec<usize>,
    /// Indexes of this configuration and all that it refers to in [`Configs::list`], nearest first; computed when first
    /// needed.
    projects: OnceLock<Vec<usize>>,
}

/// Index of a configuration in [`Configs::list`]; `None` for the one whose projects are searched.
type ListIndex = Option<usize>;

/// Configurations by their output folders, so that the search for those of a file does not depend on their number.
#[derive(Debug, Default)]
pub(crate) struct Writers {
    /// Ranks, nearest first, with the indexes of configurations.
    by_folder: FxHashMap<String, Vec<(usize, ListIndex)>>,
}

impl Writers {
    /// `configs` must be in order, nearest first.
    fn new<'c>(configs: impl Iterator<Item = (ListIndex, &'c TsConfig)>) -> Writers {
        let mut writers = Writers::default();
        for (rank, (index, config)) in configs.enumerate() {
            for folder in &config.out_dirs {
                let known = writers.by_folder.entry(folder.clone()).or_default();
                if known.len() < MOST_WRITERS {
                    known.push((rank, index));
                }
            }
        }
        writers
    }

    /// The configurations that write a file, by rank.
    fn indexes_of(&self, file: &str) -> Vec<ListIndex> {
        if self.by_folder.is_empty() {
            return Vec::new();
        }
        let folders = ancestors(parent_dir(file));
        let found = folders.filter_map(|folder| self.by_folder.get(folder));
        let mut found: Vec<(usize, ListIndex)> = found.flatten().copied().collect();
        found.sort_unstable();
        found.dedup();
        found.into_iter().map(|(_, index)| index).collect()
    }
}

/// The configurations of a repository.
#[derive(Debug, Default)]
pub(crate) struct Configs {
    /// All, in order of path.
    list: Vec<TsConfig>,
    /// The index of each in `list`, by path.
    all: BTreeMap<String, usize>,
    /// Their paths, by folder.
    folders: BTreeMap<String, Vec<String>>,
    /// The configuration of each folder as a whole.
    pub(super) of_folder: BTreeMap<String, TsConfig>,
    /// Those that write to a folder below their own.
    below_own: Writers,
    /// Entries that limits leave out, one line each.
    pub(super) limits: Vec<String>,
}

impl Configs {
    /// Reads the configurations among the parsed manifests. `packages` resolves `extends` with a package name.
    pub(super) fn read(raw: &BTreeMap<String, Value>, packages: &Manifests) -> Configs {
        let mut configs = Configs::default();
        let (mut known, mut expanded) = (BTreeMap::new(), 0);
        for path in raw.keys() {
            let name = path.rsplit('/').next().unwrap_or("");
            if name != "package.json" {
                let mut config = read_config(path, raw, packages, (0, &mut known));
                config.resolve_own_values(path, raw, &mut expanded);
                configs.add(path, name, config);
            }
        }
        for config in &mut configs.list {
            let places = config.references.iter();
            config.referred = places.filter_map(|p| configs.all.get(p).copied()).collect();
        }
        configs.below_own = configs.writers_below_own();
        configs.limits = configs.limit_warnings();
        if expanded >= MOST_EXPANDED {
            let entries = format!("{MOST_EXPANDED} entries with {CONFIG_DIR}");
            configs
                .limits
                .push(format!("compiler configurations: more than {entries}"));
        }
        configs
    }

    /// The configurations of which a part is left out.
    fn limit_warnings(&self) -> Vec<String> {
        let references: usize = self.list.iter().map(|c| c.referred.len()).sum();
        // With fewer, no limit can be exceeded.
        let many = self.list.len() > MOST_PROJECTS || references > MOST_REFERENCES;
        let mut limits = Vec::new();
        for (path, at) in &self.all {
            let config = &self.list[*at];
            let mut note = |most: usize, what: &str| {
                limits.push(format!("{path}: more than {most} {what}"));
            };
            if config.paths.iter().any(|(_, to)| to.len() > MOST_TARGETS) {
                note(MOST_TARGETS, "targets of a name in `paths`");
            }
            if config.root_dirs.len() > MOST_TARGETS {
                note(MOST_TARGETS, "folders in `rootDirs`");
            }
            let patterns = [&config.include, &config.exclude];
            if patterns
                .into_iter()
                .flatten()
                .any(|p| p.len() > MOST_PATTERNS)
            {
                note(MOST_PATTERNS, "patterns of `include` or `exclude`");
            }
            if config
                .files
                .as_ref()
                .is_some_and(|files| files.len() > MOST_FILES)
            {
                note(MOST_FILES, "entries of `files`");
            }
            if many && self.transitive_references(config).1 {
                note(MOST_PROJECTS, "projects, or too many references to them");
            }
        }
        limits
    }

    /// The configuration of a folder is its `tsconfig.json`. If that has no paths of its own (only a list of
    /// references), it is the first `tsconfig.*.json` that has.
    fn add(&mut self, path: &str, name: &str, config: TsConfig) {
        self.all.insert(path.to_owned(), self.list.len());
        self.list.push(config.clone());
        let folder = self.folders.entry(config.dir.clone()).or_default();
        folder.push(path.to_owned());
        if !is_config(name) {
            return;
        }
        let main = name == "tsconfig.json";
        match self.of_folder.get_mut(&config.dir) {
            None => {
                self.of_folder.insert(config.dir.clone(), config);
            }
            Some(known) if main && !config.paths.is_empty() => *known = config,
            Some(known) if known.paths.is_empty() && known.base_url.is_none() => {
                let root_dirs = std::mem::take(&mut known.root_dirs);
                *known = config;
                if known.root_dirs.is_empty() {
                    known.root_dirs = root_dirs;
                }
            }
            Some(_) => {}
        }
    }

    /// The configuration that compiles a file: that of the nearest folder whose `tsconfig.json` includes the file,
    /// directly or through a project that it refers to.
    pub(super) fn governing_config(&self, file: &str) -> Option<&TsConfig> {
        let mut left = PatternFuel::new();
        for dir in ancestors(parent_dir(file)) {
            let main = ["tsconfig.json", "jsconfig.json"];
            let Some(place) = main.iter().find_map(|n| self.all.get(&join(dir, n))) else {
                continue;
            };
            let found = self
                .config_with_references_at(*place)
                .find(|c| c.includes(file, &mut left));
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// A configuration that governs a file, and all that it refers to, nearest first.
    pub(super) fn config_with_references<'c>(
        &'c self,
        config: &'c TsConfig,
    ) -> impl Iterator<Item = &'c TsConfig> {
        let others = self.projects_of(config).iter();
        std::iter::once(config).chain(others.filter_map(|at| self.list.get(*at)))
    }

    /// The projects that a configuration refers to, directly or through others, nearest first, as indexes into
    /// [`Configs::list`].
    fn projects_of<'c>(&self, config: &'c TsConfig) -> &'c [usize] {
        let find = || self.transitive_references(config).0;
        config.projects.get_or_init(find)
    }

    fn config_with_references_at(&self, place: usize) -> impl Iterator<Item = &TsConfig> {
        let config = self.list.get(place);
        config
            .into_iter()
            .flat_map(|config| self.config_with_references(config))
    }

    /// The same, computed; and whether a limit left some out.
    fn transitive_references(&self, config: &TsConfig) -> (Vec<usize>, bool) {
        let mut seen = HashSet::new();
        let mut found = Vec::new();
        let mut looked_at = config.referred.len();
        let mut open: VecDeque<usize> = config.referred.iter().copied().collect();
        while let Some(place) = open.pop_front() {
            if !seen.insert(place) {
                continue;
            }
            found.push(place);
            let next = self.list.get(place).map_or(&[][..], |c| &c.referred);
            looked_at += next.len();
            open.extend(next);
            if found.len() >= MOST_PROJECTS || looked_at > MOST_REFERENCES {
                let cut = open.iter().any(|place| !seen.contains(place));
                return (found, cut);
            }
        }
        (found, false)
    }

    /// Every configuration that writes to a folder below its own, those in the deepest folders first.
    fn writers_below_own(&self) -> Writers {
        let mut folders: Vec<(&String, &Vec<String>)> = self.folders.iter().collect();
        folders.sort_by_key(|(dir, _)| std::cmp::Reverse(dir.len()));
        let paths = folders.into_iter().flat_map(|(_, paths)| paths);
        let places = paths.filter_map(|path| self.all.get(path).copied());
        let configs = places.filter_map(|place| Some((Some(place), self.list.get(place)?)));
        let is_below = |config: &TsConfig| {
            let mut folders = config.out_dirs.iter();
            folders.all(|out| strip_dir(out, &config.dir).is_some())
        };
        Writers::new(configs.filter(|(_, config)| is_below(config)))
    }

    /// The configurations that write a file to a folder below their own, those in the deepest folders first. With a
    /// `dir`, only those in that folder.
    pub(super) fn writers_above<'c>(
        &'c self,
        file: &str,
        dir: Option<&'c str>,
    ) -> impl Iterator<Item = &'c TsConfig> {
        let indexes = self.below_own.indexes_of(file).into_iter().flatten();
        let configs = indexes.filter_map(|index| self.list.get(index));
        configs.filter(move |config| dir.is_none_or(|dir| config.dir == dir))
    }

    /// A configuration and its projects, by output folder.
    pub(super) fn writers_of(&self, config: &TsConfig) -> Writers {
        let projects = self.projects_of(config).iter();
        let projects = projects.filter_map(|at| Some((Some(*at), self.list.get(*at)?)));
        Writers::new(std::iter::once((None, config)).chain(projects))
    }

    /// A configuration and its projects that write a file, nearest first.
    pub(super) fn written_by<'c>(
        &'c self,
        config: &'c TsConfig,
        writers: &Writers,
        file: &str,
    ) -> Vec<&'c TsConfig> {
        let project = |index: ListIndex| match index {
            Some(at) => self.list.get(at),
            None => Some(config),
        };
        let indexes = writers.indexes_of(file).into_iter();
        indexes.filter_map(project).collect()
    }
}

impl TsConfig {
    /// A target of `paths` with `*` replaced.
    pub(super) fn expand_target(&self, written: &str, star: &str) -> String {
        match written.strip_prefix(CONFIG_DIR) {
            Some(rest) => join(&self.dir, rest.trim_start_matches('/')).replacen('*', star, 1),
            None => written.replacen('*', star, 1),
        }
    }

    /// Possible sources of a compiled file.
    pub(super) fn possible_sources(&self, compiled: &str) -> Vec<String> {
        let rest = self
            .out_dirs
            .iter()
            .find_map(|out| strip_dir(compiled, out));
        let Some(rest) = rest else {
            return Vec::new();
        };
        let roots = match &self.root_dir {
            Some(root) => vec![root.clone()],
            None => vec![self.dir.clone(), join(&self.dir, "src")],
        };
        roots.iter().map(|root| join(root, rest)).collect()
    }

    fn includes(&self, file: &str, left: &mut PatternFuel) -> bool {
        if self
            .files
            .iter()
            .any(|files| files.iter().any(|f| f == file))
        {
            return true;
        }
        let matched = match (&self.include, &self.files) {
            (Some(patterns), _) => any_covers(patterns, file, left),
            (None, Some(_)) => false,
            (None, None) => strip_dir(file, &self.dir).is_some(),
        };
        let excluded = match &self.exclude {
            Some(patterns) if matched => any_covers(patterns, file, left),
            Some(_) => true,
            None => self.out_dirs.iter().any(|d| strip_dir(file, d).is_some()),
        };
        matched && !excluded
    }

    /// Resolves values that depend on the configuration that is read, not on those that it extends.
    fn resolve_own_values(
        &mut self,
        path: &str,
        raw: &BTreeMap<String, Value>,
        expanded: &mut usize,
    ) {
        self.dir = parent_dir(path).to_owned();
        let dir = self.dir.clone();
        let expand = |text: &mut String| {
            if let Some(rest) = text.strip_prefix(CONFIG_DIR) {
                *text = join(&dir, rest.trim_start_matches('/'));
            }
        };
        let own = self.out_dirs.iter_mut().chain(&mut self.base_url);
        own.chain(&mut self.root_dir).for_each(expand);
        let patterns = [&mut self.files, &mut self.include, &mut self.exclude];
        let lists = patterns.into_iter().flatten().chain([&mut self.root_dirs]);
        for list in lists {
            // A list that needs no change stays shared.
            if *expanded < MOST_EXPANDED && list.iter().any(|text| text.starts_with(CONFIG_DIR)) {
                *expanded += list.len();
                Arc::make_mut(list).iter_mut().for_each(expand);
            }
        }
        let Some(Value::Array(references)) = raw.get(path).and_then(|v| v.get("references")) else {
            return;
        };
        self.references = references
            .iter()
            .filter_map(|r| r.get("path").and_then(Value::as_str))
            .filter_map(|r| {
                let at = join(&dir, r);
                let tries = [join(&at, "tsconfig.json"), at];
                tries.into_iter().find(|p| raw.contains_key(p))
            })
            .collect();
    }
}

/// Limits on the patterns of `include` and `exclude` for one file, over all configurations that may apply to it.
struct PatternFuel {
    /// Patterns that are examined.
    looks: usize,
    /// Patterns that are matched completely.
    matches: usize,
}

impl PatternFuel {
    fn new() -> PatternFuel {
        PatternFuel {
            looks: 8_192,
            matches: 256,
        }
    }
}

fn any_covers(patterns: &[String], file: &str, left: &mut PatternFuel) -> bool {
    let mut all = patterns.iter().take(MOST_PATTERNS);
    all.any(|pattern| {
        if left.looks == 0 || left.matches == 0 {
            return false;
        }
        left.looks -= 1;
        pattern_covers(pattern, file, left)
    })
}

/// Whether a pattern of `include` or `exclude` covers a file, directly or as a folder.
fn pattern_covers(pattern: &str, file: &str, left: &mut PatternFuel) -> bool {
    // Most patterns begin with a different folder.
    let literal = pattern
        .split(['*', '?', '{', '[', '\\'])
        .next()
        .unwrap_or("");
    let folder = literal.rfind('/').map_or("", |at| &literal[..=at]);
    let plain = !folder.starts_with('/') && !folder.contains("./") && !folder.contains("//");
    if plain && !file.starts_with(folder) {
        return false;
    }
    left.matches -= 1;
    glob::matches(pattern, file) || glob::matches(&format!("{pattern}/**/*"), file)
}

/// Whether a file of that name is a configuration for its folder.
pub(super) fn is_config(name: &str) -> bool {
    name == "jsconfig.json" || (name.starts_with("tsconfig") && name.ends_with(".json"))
}

/// Reads a configuration and those that it extends, each once, since many can extend the same.
fn read_config(
    path: &str,
    raw: &BTreeMap<String, Value>,
    packages: &Manifests,
    (depth, known): (u32, &mut BTreeMap<String, TsConfig>),
) -> TsConfig {
    if let Some(config) = known.get(path) {
        return config.clone();
    }
    let Some(value) = raw.get(path).filter(|_| depth < MAX_EXTENDS) else {
        return TsConfig::default();
    };
    // A configuration that extends itself inherits nothing.
    known.insert(path.to_owned(), TsConfig::default());
    let dir = parent_dir(path);
    let mut config = TsConfig::default();
    for base in extends_entries(value) {
        if let Some(base) = resolve_extends(dir, base, raw, packages) {
            let base = read_config(&base, raw, packages, (depth + 1, known));
            overlay_config(&mut config, base);
        }
    }
    let nothing = Value::Null;
    let options = value.get("compilerOptions").unwrap_or(&nothing);
    let folder = |key: &str| Some(join_config_path(dir, options.get(key)?.as_str()?));
    // One more entry than is used shows that some are left out.
    let list = |of: &Value, key: &str, most: usize| {
        let list = of.get(key)?.as_array()?;
        let texts = list.iter().filter_map(Value::as_str).take(most + 1);
        let joined = texts.map(|t| join_config_path(dir, t));
        Some(Arc::new(joined.collect::<Vec<_>>()))
    };
    let own = TsConfig {
        paths: Arc::new(read_paths(dir, options)),
        base_url: folder("baseUrl"),
        root_dirs: list(options, "rootDirs", MOST_TARGETS).unwrap_or_default(),
        out_dirs: ["outDir", "declarationDir"]
            .iter()
            .filter_map(|key| folder(key))
            .collect(),
        root_dir: folder("rootDir"),
        files: list(value, "files", MOST_FILES),
        include: list(value, "include", MOST_PATTERNS),
        exclude: list(value, "exclude", MOST_PATTERNS),
        ..TsConfig::default()
    };
    overlay_config(&mut config, own);
    known.insert(path.to_owned(), config.clone());
    config
}

fn overlay_config(config: &mut TsConfig, over: TsConfig) {
    if !over.paths.is_empty() {
        config.paths = over.paths;
    }
    if !over.root_dirs.is_empty() {
        config.root_dirs = over.root_dirs;
    }
    if !over.out_dirs.is_empty() {
        config.out_dirs = over.out_dirs;
    }
    config.base_url = over.base_url.or(config.base_url.take());
    config.root_dir = over.root_dir.or(config.root_dir.take());
    config.files = over.files.or(config.files.take());
    config.include = over.include.or(config.include.take());
    config.exclude = over.exclude.or(config.exclude.take());
}

/// A path in a configuration, relative to that folder.
fn join_config_path(dir: &str, path: &str) -> String {
    if path.starts_with(CONFIG_DIR) {
        path.to_owned()
    } else {
        join(dir, path)
    }
}

fn read_paths(dir: &str, options: &Value) -> Vec<(String, Vec<String>)> {
    let base = match options.get("baseUrl").and_then(Value::as_str) {
        Some(base) => join_config_path(dir, base),
        None => dir.to_owned(),
    };
    let Some(paths) = options.get("paths").and_then(Value::as_object) else {
        return Vec::new();
    };
    // A short target becomes long by its base, so the total growth is limited.
    let written = paths.values().filter_map(Value::as_array).flatten();
    let written: usize = written
        .filter_map(Value::as_str)
        .map(|text| text.len() + 1)
        .sum();
    let mut left = LEAST_JOINED + MOST_GROWTH * written;
    paths
        .iter()
        .map(|(pattern, targets)| {
            let targets = targets.as_array().into_iter().flatten();
            let texts = targets.filter_map(Value::as_str).take(MOST_TARGETS + 1);
            let texts = texts.take_while(|text| {
                let joined = base.len() + text.len();
                let fits = joined <= left;
                left = left.saturating_sub(joined);
                fits
            });
            let placed = texts.map(|t| match base.strip_prefix(CONFIG_DIR) {
                Some(rest) if !t.starts_with(CONFIG_DIR) => format!("{CONFIG_DIR}{rest}/{t}"),
                _ => join_config_path(&base, t),
            });
            (pattern.clone(), placed.collect())
        })
        .collect()
}

fn extends_entries(value: &Value) -> Vec<&str> {
    match value.get("extends") {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

fn resolve_extends(
    dir: &str,
    base: &str,
    raw: &BTreeMap<String, Value>,
    packages: &Manifests,
) -> Option<String> {
    let path = if base.starts_with('.') {
        join(dir, base)
    } else {
        packages.path_in_package(base)?
    };
    let tries = [
        path.clone(),
        format!("{path}.json"),
        join(&path, "tsconfig.json"),
    ];
    tries.into_iter().find(|p| raw.contains_key(p))
}

#[cfg(test)]
mod tests {
    use super::*;
    use linker::repo::Manifest;

    fn read(manifests: &[(&str, &str)]) -> Manifests {
        let manifests: Vec<Manifest> = manifests
            .iter()
            .map(|(path, text)| Manifest {
                path: (*path).into(),
                text: (*text).into(),
            })
            .collect();
        Manifests::read(&manifests)
    }

    #[test]
    fn configurations_extend_each_other() {
        let all = read(&[
            (
                "tsconfig.base.json",
                r#"{"compilerOptions":{"baseUrl":".","paths":{"@/*":["src/*"]}}}"#,
            ),
            (
                "app/tsconfig.json",
                r#"{"extends":"../tsconfig.base","compilerOptions":{"outDir":"dist"}}"#,
            ),
            (
                "lib/tsconfig.json",
                r#"{"extends":["../tsconfig.base", "@s/config/tsconfig.lib.json"]}"#,
            ),
            ("tools/config/package.json", r#"{"name":"@s/config"}"#),
            (
                "tools/config/tsconfig.lib.json",
                r#"{"compilerOptions":{"rootDir":"${configDir}/source","paths":{"~/*":["${configDir}/in/*"]}}}"#,
            ),
        ]);
        let app = &all.configs.of_folder["app"];
        assert_eq!(*app.paths, [("@/*".to_owned(), vec!["src/*".to_owned()])]);
        assert_eq!(app.out_dirs, ["app/dist"]);
        let lib = &all.configs.of_folder["lib"];
        let (pattern, targets) = &lib.paths[0];
        assert_eq!((pattern.as_str(), lib.paths.len()), ("~/*", 1));
        assert_eq!(lib.expand_target(&targets[0], "x"), "lib/in/x");
        assert_eq!(lib.base_url.as_deref(), Some(""));
        assert_eq!(lib.root_dir.as_deref(), Some("lib/source"));
    }

    #[test]
    fn a_file_belongs_to_the_project_that_includes_it() {
        let all = read(&[
            (
                "tsconfig.json",
                r#"{"files":[],"references":[{"path":"./tsconfig.app.json"},{"path":"./tools"},{"path":"./gone"}]}"#,
            ),
            (
                "tsconfig.app.json",
                r#"{"include":["src"],"exclude":["src/**/*.test.ts"],"references":[{"path":"tsconfig.test.json"},{"path":"."}]}"#,
            ),
            (
                "tsconfig.test.json",
                r#"{"include":["src/**/*.test.ts"],"compilerOptions":{"rootDir":"t"}}"#,
            ),
            ("tools/tsconfig.json", r#"{"files":["one.ts"]}"#),
        ]);
        let config = |file: &str| {
            let found = all.configs.governing_config(file)?;
            let (all_list, all) = (&all.configs.list, &all.configs.all);
            let is_it = |at: usize| std::ptr::eq(&raw const all_list[at], found);
            let path = all.iter().find(|(_, at)| is_it(**at))?.0;
            Some(path.as_str())
        };
        assert_eq!(config("src/a/b.ts"), Some("tsconfig.app.json"));
        assert_eq!(config("src/a/b.test.ts"), Some("tsconfig.test.json"));
        assert_eq!(config("tools/one.ts"), Some("tools/tsconfig.json"));
        assert_eq!(config("tools/two.ts"), None);
        assert_eq!(config("vite.config.ts"), None);
    }

    #[test]
    fn projects_that_all_refer_to_each_other_have_a_bound() {
        let path = |n: usize| format!("p{n}/tsconfig.json");
        let references = (0..200).map(|n| format!(r#"{{"path":"../p{n}"}}"#));
        let references = references.collect::<Vec<_>>().join(",");
        let text = format!(r#"{{"files":[],"references":[{references}]}}"#);
        let paths: Vec<String> = (0..200).map(path).collect();
        let manifests: Vec<(&str, &str)> = paths.iter().map(|p| (&**p, &*text)).collect();
        let all = read(&manifests);
        assert_eq!(all.configs.governing_config("p7/a.ts"), None);
        // Computed once, and cached.
        let config = &all.configs.list[all.configs.all["p7/tsconfig.json"]];
        let found = config.projects.get().unwrap();
        assert_eq!(found.len(), MOST_REFERENCES / 200);
    }
}
