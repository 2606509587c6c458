//! Resolves dotted names to files: the tree of modules, and the roots from which imports start.

use base::Language;
use linker::repo::{FileId, Manifest, Repo};
use rustc_hash::{FxHashMap, FxHashSet};

/// A directory or file that can be imported.
#[derive(Debug, Default)]
pub(super) struct Node {
    /// The directory that contains it.
    pub(super) parent: Option<u32>,
    children: FxHashMap<Box<str>, u32>,
    /// The `.py` file; for a package, its `__init__.py`.
    pub(super) file: Option<FileId>,
    /// The `.pyi` file.
    pub(super) stub: Option<FileId>,
    path: String,
    package: bool,
}

/// The target of a dotted name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ModuleResolution {
    /// A module of the repository.
    Module(u32),
    /// The name starts in the repository, but does not exist there.
    Missing,
    /// It is not in the repository.
    Outside,
}

/// All modules of a repository. A module's number is its index in the tree of directories and files.
#[derive(Debug, Default)]
pub(super) struct Modules {
    nodes: Vec<Node>,
    of_file: FxHashMap<FileId, u32>,
    /// Directories from which absolute imports start, best first.
    roots: Vec<u32>,
    /// Roots by the names that can be imported from them, best first; at most [`MOST_NAMESAKES`] for each name.
    roots_with: FxHashMap<Box<str>, Vec<u32>>,
}

/// Most roots with a module of one name that an import searches.
const MOST_NAMESAKES: usize = 64;

/// Most parts of a module's path that are followed for one import, over all roots.
const MOST_SEGMENTS: usize = 512;

impl Modules {
    /// Builds the tree and guesses the roots.
    pub(super) fn new(repo: &Repo) -> Modules {
        let mut modules = Modules {
            nodes: vec![Node::default()],
            ..Modules::default()
        };
        let mut dirs = FxHashMap::default();
        dirs.insert(String::new(), 0);
        for (id, file) in repo.files() {
            if file.facts.language == Language::Python {
                modules.add(&mut dirs, id, &file.path);
            }
        }
        modules.find_roots(&dirs, &repo.manifests);
        modules.index_roots();
        modules.attach_stub_folders(&dirs);
        modules
    }

    /// Records which roots have which names, so that an import need not search each root.
    fn index_roots(&mut self) {
        let mut roots_with: FxHashMap<Box<str>, Vec<u32>> = FxHashMap::default();
        for root in &self.roots {
            for name in self.nodes[*root as usize].children.keys() {
                let roots = roots_with.entry(name.clone()).or_default();
                if roots.len() < MOST_NAMESAKES {
                    roots.push(*root);
                }
            }
        }
        self.roots_with = roots_with;
    }

    fn add(&mut self, dirs: &mut FxHashMap<String, u32>, id: FileId, path: &str) {
        let (dir, name) = path.rsplit_once('/').unwrap_or(("", path));
        let Some((stem, extension)) = name.rsplit_once('.') else {
            return;
        };
        let parent = self.dir_node(dirs, dir);
        let node = if stem == "__init__" {
            self.mark_as_package(parent, dir);
            parent
        } else {
            self.file_node(parent, stem, path)
        };
        let entry = &mut self.nodes[node as usize];
        if extension == "pyi" {
            entry.stub = Some(id);
        } else {
            entry.file = Some(id);
        }
        self.of_file.insert(id, node);
    }

    /// The node of a directory; creates it and those above.
    fn dir_node(&mut self, dirs: &mut FxHashMap<String, u32>, path: &str) -> u32 {
        if let Some(node) = dirs.get(path) {
            return *node;
        }
        let (above, name) = path.rsplit_once('/').unwrap_or(("", path));
        let parent = self.dir_node(dirs, above);
        let node = self.push_node(parent, path);
        dirs.insert(path.to_owned(), node);
        // A module replaces a bare directory of its name.
        self.nodes[parent as usize]
            .children
            .entry(name.into())
            .or_insert(node);
        node
    }

    fn file_node(&mut self, parent: u32, stem: &str, path: &str) -> u32 {
        if let Some(known) = self.nodes[parent as usize].children.get(stem).copied() {
            let entry = &self.nodes[known as usize];
            if entry.path.ends_with(".py") || entry.path.ends_with(".pyi") {
                return known;
            }
            let node = self.push_node(parent, path);
            if !self.nodes[known as usize].package {
                self.nodes[parent as usize]
                    .children
                    .insert(stem.into(), node);
            }
            return node;
        }
        let node = self.push_node(parent, path);
        self.nodes[parent as usize]
            .children
            .insert(stem.into(), node);
        node
    }

    /// A package takes precedence over a module of its name.
    fn mark_as_package(&mut self, node: u32, path: &str) {
        self.nodes[node as usize].package = true;
        let name = path.rsplit('/').next().unwrap_or(path);
        if let Some(parent) = self.nodes[node as usize].parent {
            self.nodes[parent as usize]
                .children
                .insert(name.into(), node);
        }
    }

    fn push_node(&mut self, parent: u32, path: &str) -> u32 {
        self.nodes.push(Node {
            parent: Some(parent),
            path: path.to_owned(),
            ..Node::default()
        });
        self.nodes.len() as u32 - 1
    }

    fn find_roots(&mut self, dirs: &FxHashMap<String, u32>, manifests: &[Manifest]) {
        let mut roots: Vec<String> = Vec::new();
        for manifest in manifests {
            let (dir, name) = manifest
                .path
                .rsplit_once('/')
                .unwrap_or(("", &manifest.path));
            if !matches!(name, "pyproject.toml" | "setup.py" | "setup.cfg") {
                continue;
            }
            let mut places = vec!["src".to_owned(), "lib".to_owned(), "python".to_owned()];
            places.extend(declared_roots(&manifest.text));
            for place in places {
                roots.push(join(dir, place.trim_matches('/')));
            }
            roots.push(dir.to_owned());
        }
        roots.push(String::new());
        // A directory with a top-level package is a root; shallow ones come first.
        let mut holders: Vec<&str> = self
            .nodes
            .iter()
            .filter(|n| n.package)
            .filter_map(|n| n.parent)
            .map(|p| &self.nodes[p as usize])
            .filter(|n| !n.package)
            .map(|n| n.path.as_str())
            .collect();
        holders.sort_by_key(|p| (p.matches('/').count(), *p));
        roots.extend(holders.into_iter().map(str::to_owned));
        let mut known = FxHashSet::default();
        for root in roots {
            let Some(node) = dirs.get(root.trim_start_matches("./")).copied() else {
                continue;
            };
            if !self.nodes[node as usize].package && known.insert(node) {
                self.roots.push(node);
            }
        }
    }

    /// Attaches stubs in folders of their own to the modules that they describe: `name-stubs/`, and the contents of
    /// `stubs/` and `typings/`.
    fn attach_stub_folders(&mut self, dirs: &FxHashMap<String, u32>) {
        let mut folders: Vec<(&String, u32)> = dirs.iter().map(|(p, n)| (p, *n)).collect();
        folders.sort_unstable();
        for (path, folder) in folders {
            let name = path.rsplit('/').next().unwrap_or(path);
            if let Some(of) = name.strip_suffix("-stubs") {
                self.attach_stubs_of(of, folder);
            } else if matches!(name, "stubs" | "typings") && !self.node(folder).package {
                let children = self.node(folder).children.iter();
                let mut children: Vec<(Box<str>, u32)> =
                    children.map(|(name, node)| (name.clone(), *node)).collect();
                children.sort_unstable();
                for (name, node) in children {
                    self.attach_stubs_of(&name, node);
                }
            }
        }
    }

    /// Attaches stubs to the module of that name, beside the folder or below a root.
    fn attach_stubs_of(&mut self, name: &str, stubs: u32) {
        let beside = self.node(stubs).parent.into_iter();
        // Those that have the name: folders of stubs times roots may be many.
        let roots = self.roots_with.get(name).map_or(&[][..], Vec::as_slice);
        let roots = roots.iter().copied();
        let mut found = beside
            .chain(roots)
            .filter_map(|root| self.child(root, name));
        if let Some(module) = found.find(|m| *m != stubs && !self.is_stub_alone(*m)) {
            self.attach_stubs(module, stubs);
        }
    }

    fn attach_stubs(&mut self, module: u32, stubs: u32) {
        let mut open = vec![(module, stubs)];
        while let Some((module, stubs)) = open.pop() {
            if let (Some(stub), Some(_), None) = (
                self.node(stubs).stub,
                self.node(module).file,
                self.node(module).stub,
            ) {
                self.nodes[module as usize].stub = Some(stub);
                self.of_file.insert(stub, module);
            }
            let children = self.node(stubs).children.iter();
            let pairs = children.filter_map(|(name, at)| Some((self.child(module, name)?, *at)));
            open.extend(pairs.filter(|(module, at)| module != at));
        }
    }

    /// The stub of a source file, if it has one.
    pub(super) fn stub_of(&self, file: FileId) -> Option<FileId> {
        let node = self.node(self.module_of_file(file)?);
        node.stub.filter(|_| node.file == Some(file))
    }

    /// The source file that a stub describes.
    pub(super) fn source_of(&self, stub: FileId) -> Option<FileId> {
        let node = self.node(self.module_of_file(stub)?);
        node.file.filter(|_| node.stub == Some(stub))
    }

    /// A module.
    pub(super) fn node(&self, module: u32) -> &Node {
        &self.nodes[module as usize]
    }

    /// The module of a file.
    pub(super) fn module_of_file(&self, file: FileId) -> Option<u32> {
        self.of_file.get(&file).copied()
    }

    /// A module or package directly inside a package.
    pub(super) fn child(&self, module: u32, name: &str) -> Option<u32> {
        self.nodes[module as usize].children.get(name).copied()
    }

    /// The package from which relative imports of a file start.
    fn package_of(&self, file: FileId) -> Option<u32> {
        let module = self.module_of_file(file)?;
        let node = self.node(module);
        let path = &node.path;
        if path.ends_with(".py") || path.ends_with(".pyi") {
            node.parent
        } else {
            Some(module)
        }
    }

    /// `from ..a.b import …`: the module named after the dots.
    pub(super) fn resolve_relative(
        &self,
        file: FileId,
        level: u32,
        path: &str,
    ) -> ModuleResolution {
        let mut at = self.package_of(file);
        for _ in 1..level {
            at = at.and_then(|node| self.node(node).parent);
        }
        match at.and_then(|node| self.find_descendant(node, path)) {
            Some(module) => ModuleResolution::Module(module),
            None => ModuleResolution::Missing,
        }
    }

    fn find_descendant(&self, from: u32, path: &str) -> Option<u32> {
        if path.is_empty() {
            return Some(from);
        }
        path.split('.')
            .try_fold(from, |node, segment| self.child(node, segment))
    }

    /// `import a.b`: the module, as seen from a file. If `stdlib` is set, the first segment is also a module of the
    /// standard library; only packages and modules of a root take precedence over that.
    pub(super) fn resolve_absolute(
        &self,
        file: FileId,
        path: &str,
        stdlib: bool,
    ) -> ModuleResolution {
        let first = path.split('.').next().unwrap_or(path);
        let own = self
            .module_of_file(file)
            .map_or("", |m| self.node(m).path.as_str());
        let mut missing = false;
        let named = self.roots_with.get(first).map_or(&[][..], Vec::as_slice);
        let around = self.roots_containing(named, own);
        let segments = path.split('.').count();
        let mut left = MOST_SEGMENTS;
        for (at, root) in around.iter().chain(named).enumerate() {
            let Some(top) = self.child(*root, first) else {
                continue;
            };
            // If there are only stubs, in a folder that does not contain the file, they describe external code: a type
            // checker ships them.
            let is_elsewhere = at >= around.len();
            if is_elsewhere && self.is_stub_alone(top) {
                continue;
            }
            let regular = self.has_file(top);
            if stdlib && !regular {
                continue;
            }
            left = left.saturating_sub(segments);
            if left == 0 {
                break;
            }
            let found = self.find_descendant(*root, path);
            if let Some(module) = found.filter(|m| !(is_elsewhere && self.is_stub_alone(*m))) {
                return ModuleResolution::Module(module);
            }
            missing |= regular;
        }
        if !missing
            && !stdlib
            && let Some(dir) = self.package_of(file)
            && !self.node(dir).package
            && let Some(module) = self.find_descendant(dir, path)
        {
            return ModuleResolution::Module(module);
        }
        if missing {
            ModuleResolution::Missing
        } else {
            ModuleResolution::Outside
        }
    }

    fn is_stub_alone(&self, module: u32) -> bool {
        let node = self.node(module);
        node.stub.is_some() && node.file.is_none()
    }

    fn has_file(&self, module: u32) -> bool {
        let node = self.node(module);
        node.file.is_some() || node.stub.is_some()
    }

    /// The roots that contain a path, innermost first.
    fn roots_containing(&self, roots: &[u32], path: &str) -> Vec<u32> {
        let mut around: Vec<u32> = roots
            .iter()
            .copied()
            .filter(|r| {
                let root = &self.node(*r).path;
                root.is_empty()
                    || path
                        .strip_prefix(root.as_str())
                        .is_some_and(|rest| rest.starts_with('/'))
            })
            .collect();
        around.sort_by_key(|r| std::cmp::Reverse(self.node(*r).path.len()));
        around
    }
}

fn join(dir: &str, name: &str) -> String {
    match (dir.is_empty(), name.is_empty() || name == ".") {
        (_, true) => dir.to_owned(),
        (true, _) => name.to_owned(),
        _ => format!("{dir}/{name}"),
    }
}

/// Directories of packages that a manifest names: `where = ["lib"]`, `package-dir = {"" = "lib"}`,
/// `package_dir={"": "lib"}`, `package_dir =\n  =lib`.
fn declared_roots(text: &str) -> Vec<String> {
    let mut roots: Vec<String> = Vec::new();
    for key in ["where", "package-dir", "package_dir", "from"] {
        for (at, _) in text.match_indices(key) {
            let rest = text[at + key.len()..].trim_start();
            let Some(rest) = rest.strip_prefix('=') else {
                continue;
            };
            let rest = rest.trim_start();
            let bytes = &rest.as_bytes()[..rest.len().min(LONGEST_DECLARATION)];
            let close = match bytes.first() {
                Some(b'[') => b']',
                Some(b'{') => b'}',
                _ => b'\n',
            };
            let value = match bytes.iter().position(|byte| *byte == close) {
                Some(end) => &rest[..end],
                None if close == b'\n' && bytes.len() == rest.len() => rest,
                // A list without an end is ignored.
                None => continue,
            };
            let words = value.split(|c: char| !(c.is_alphanumeric() || "_-./".contains(c)));
            roots.extend(words.filter(|w| !w.is_empty()).map(str::to_owned));
            if roots.len() > MOST_DECLARED {
                return roots;
            }
        }
    }
    roots
}

/// Most bytes of a list of folders, and most folders of one manifest, that are read.
const LONGEST_DECLARATION: usize = 4_096;
const MOST_DECLARED: usize = 1_000;

#[cfg(test)]
mod tests {
    use super::*;
    use base::FileFacts;
    use std::sync::Arc;

    #[test]
    fn a_list_of_roots_that_nothing_closes_says_nothing() {
        assert_eq!(
            declared_roots("x = 1\nwhere = [\"a\", 'b/c']"),
            ["a", "b/c"]
        );
        assert_eq!(declared_roots("where = src"), ["src"]);
        assert!(declared_roots(&"from=[".repeat(8_333)).is_empty());
        let many = "from=[a]".repeat(100_000);
        assert!(declared_roots(&many).len() <= MOST_DECLARED + 1);
    }

    fn modules(paths: &[&str], manifests: &[(&str, &str)]) -> (Repo, Modules) {
        let mut paths = paths.to_vec();
        paths.sort_unstable();
        let files = paths
            .iter()
            .map(|p| (Arc::from(*p), Arc::new(FileFacts::empty(Language::Python))))
            .collect();
        let manifests = manifests
            .iter()
            .map(|(path, text)| Manifest {
                path: Arc::from(*path),
                text: Arc::from(*text),
            })
            .collect();
        let repo = Repo::new(files, manifests);
        let modules = Modules::new(&repo);
        (repo, modules)
    }

    fn path_of<'m>(repo: &'m Repo, modules: &'m Modules, found: ModuleResolution) -> &'m str {
        match found {
            ModuleResolution::Module(module) => {
                let node = modules.node(module);
                match node.file.or(node.stub) {
                    Some(file) => &repo.file(file).path,
                    None => &node.path,
                }
            }
            ModuleResolution::Missing => "missing",
            ModuleResolution::Outside => "outside",
        }
    }

    #[test]
    fn roots_are_guessed_from_the_tree_and_from_manifests() {
        let (repo, modules) = modules(
            &[
                "src/pkg/__init__.py",
                "src/pkg/sub/mod.py",
                "src/pkg/json.py",
                "code/ns/tool.py",
                "tests/helper.py",
                "tests/test_a.py",
                "tests/fixtures/pkg/__init__.py",
            ],
            &[("setup.cfg", "[options]\npackage_dir =\n  = code\n")],
        );
        let from = |file: &str, name: &str, stdlib| {
            let file = repo.file_at(file).expect("file");
            path_of(
                &repo,
                &modules,
                modules.resolve_absolute(file, name, stdlib),
            )
            .to_owned()
        };
        assert_eq!(from("tests/test_a.py", "pkg", false), "src/pkg/__init__.py");
        assert_eq!(
            from("tests/test_a.py", "pkg.sub.mod", false),
            "src/pkg/sub/mod.py"
        );
        assert_eq!(from("tests/test_a.py", "ns.tool", false), "code/ns/tool.py");
        assert_eq!(from("tests/test_a.py", "helper", false), "tests/helper.py");
        assert_eq!(from("tests/test_a.py", "pkg.gone", false), "missing");
        assert_eq!(from("tests/test_a.py", "requests.api", false), "outside");
        assert_eq!(from("src/pkg/__init__.py", "json", true), "outside");
        assert_eq!(from("src/pkg/__init__.py", "json", false), "outside");
    }

    #[test]
    fn stubs_that_are_brought_along_describe_code_elsewhere() {
        let (repo, modules) = modules(
            &[
                "checker/__init__.py",
                "checker/build.py",
                "checker/typeshed/stdlib/os/__init__.pyi",
                "checker/typeshed/stdlib/posixpath.pyi",
                "checker/typeshed/stubs/attrs/attr/__init__.pyi",
                "checker/typeshed/stubs/google/google/protobuf/message.pyi",
                "own/__init__.py",
                "own/fast.pyi",
            ],
            &[],
        );
        let from = |file: &str, name: &str, stdlib| {
            let file = repo.file_at(file).expect("file");
            let found = modules.resolve_absolute(file, name, stdlib);
            path_of(&repo, &modules, found).to_owned()
        };
        assert_eq!(from("checker/build.py", "os", true), "outside");
        assert_eq!(from("checker/build.py", "attr", false), "outside");
        assert_eq!(
            from("checker/build.py", "google.protobuf.message", false),
            "outside"
        );
        assert_eq!(from("checker/build.py", "own.fast", false), "own/fast.pyi");
        let inside = "checker/typeshed/stdlib/os/__init__.pyi";
        assert_eq!(
            from(inside, "posixpath", true),
            "checker/typeshed/stdlib/posixpath.pyi"
        );
    }

    #[test]
    fn relative_imports_climb() {
        let (repo, modules) = modules(
            &[
                "p/__init__.py",
                "p/a.py",
                "p/q/__init__.py",
                "p/q/b.py",
                "p/a/c.py",
            ],
            &[],
        );
        let from = |file: &str, level, name: &str| {
            let file = repo.file_at(file).expect("file");
            path_of(&repo, &modules, modules.resolve_relative(file, level, name)).to_owned()
        };
        assert_eq!(from("p/q/b.py", 1, ""), "p/q/__init__.py");
        assert_eq!(from("p/q/__init__.py", 1, "b"), "p/q/b.py");
        assert_eq!(from("p/q/b.py", 2, "a"), "p/a.py");
        assert_eq!(from("p/q/b.py", 2, "gone"), "missing");
        assert_eq!(from("p/q/b.py", 9, "a"), "missing");
    }

    #[test]
    fn a_stub_stands_beside_its_module() {
        let (repo, modules) = modules(&["p/__init__.py", "p/a.py", "p/a.pyi", "p/b.pyi"], &[]);
        let file = repo.file_at("p/__init__.py").expect("file");
        assert_eq!(
            path_of(&repo, &modules, modules.resolve_relative(file, 1, "a")),
            "p/a.py"
        );
        assert_eq!(
            path_of(&repo, &modules, modules.resolve_relative(file, 1, "b")),
            "p/b.pyi"
        );
    }
}
