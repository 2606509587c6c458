//! Workspaces: which packages of the repository belong together, and which of them the name of a dependency means. npm,
//! Yarn, Bun (`workspaces`) and pnpm (`pnpm-workspace.yaml`).

use super::manifest::{Manifests, Package};
use linker::glob;
use linker::paths::{ancestors, join, strip_dir};
use linker::repo::Manifest;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The workspaces of a repository.
#[derive(Debug, Default)]
pub(crate) struct Workspaces {
    /// The root of the workspace for each member's folder; the root is a member itself.
    root_of: BTreeMap<String, String>,
    /// Folders of members by workspace root and name; the root itself comes last.
    members: BTreeMap<(String, String), String>,
    /// Folders of members by name alone.
    anywhere: BTreeMap<String, String>,
    /// Entries that limits leave out, one line each.
    pub(super) limits: Vec<String>,
}

/// The meaning of a package's name in a place.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum PackageLocation<'m> {
    /// A folder of the repository, with its manifest if it has one.
    Folder(String, Option<&'m Package>),
    /// A package of a registry.
    Outside,
}

impl Workspaces {
    /// Finds the members of every workspace among the packages.
    pub(super) fn new(
        manifests: &[Manifest],
        raw: &BTreeMap<String, Value>,
        packages: &BTreeMap<String, Package>,
    ) -> Workspaces {
        let mut roots: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for (path, value) in raw {
            if let Some(dir) = manifest_dir(path, "package.json") {
                let listed = value.get("workspaces");
                let listed = listed.and_then(|w| w.get("packages")).or(listed);
                if let Some(list) = listed.and_then(Value::as_array) {
                    let globs = list.iter().filter_map(Value::as_str).map(str::to_owned);
                    roots.insert(dir, globs.collect());
                }
            }
        }
        for manifest in manifests {
            if let Some(dir) = manifest_dir(&manifest.path, "pnpm-workspace.yaml") {
                roots.insert(dir, pnpm_packages(&manifest.text));
            }
        }
        let mut all = Workspaces::default();
        // Deeper workspaces come later, so a package belongs to the innermost one that lists it.
        let mut left = MOST_COMPARED;
        for (root, globs) in &roots {
            all.add_workspace(root, globs, packages, &mut left);
        }
        if left == 0 {
            all.limits.push(format!(
                "the workspaces: more than {MOST_COMPARED} comparisons of patterns with packages"
            ));
        }
        all.index_member_names();
        all
    }

    fn add_workspace(
        &mut self,
        root: &str,
        globs: &[String],
        packages: &BTreeMap<String, Package>,
        left: &mut usize,
    ) {
        let (out, taken): (Vec<&str>, Vec<&str>) = globs
            .iter()
            .map(String::as_str)
            .partition(|g| g.starts_with('!'));
        let taken = Globs::new(taken.into_iter());
        let out = Globs::new(out.into_iter().map(|g| &g[1..]));
        if taken.others.len().max(out.others.len()) > MOST_GLOBS {
            self.limits.push(format!(
                "the workspace of {}: more than {MOST_GLOBS} patterns with wildcards",
                join(root, "package.json")
            ));
        }
        let each = 1 + (taken.others.len() + out.others.len()).min(2 * MOST_GLOBS);
        let mut listed = |dir: &str| {
            let Some(inner) = strip_dir(dir, root).filter(|i| !i.is_empty()) else {
                return false;
            };
            // Workspaces may be nested.
            *left = left.saturating_sub(each);
            *left > 0 && taken.matches(inner) && !out.matches(inner)
        };
        let prefix = if root.is_empty() {
            String::new()
        } else {
            format!("{root}/")
        };
        let below = packages.range(prefix.clone()..);
        let below = below.take_while(|(dir, _)| dir.starts_with(&prefix));
        let own = packages.get_key_value(root);
        for (dir, package) in below.filter(|(dir, _)| listed(dir)).chain(own) {
            self.root_of.insert(dir.clone(), root.to_owned());
            if let Some(name) = package.name.clone() {
                let key = (root.to_owned(), name);
                self.members.entry(key).or_insert_with(|| dir.clone());
            }
        }
    }

    /// The folder of the member of that name in any workspace.
    fn find_in_any(&self, name: &str) -> Option<&String> {
        self.anywhere.get(name)
    }

    /// Indexes members by name. If several workspaces have a member of one name, the first counts unless another is
    /// nearer.
    fn index_member_names(&mut self) {
        for ((_, name), dir) in &self.members {
            let known = self.anywhere.entry(name.clone());
            known.or_insert_with(|| dir.clone());
        }
    }
}

/// Most comparisons of patterns with packages, for all workspaces together.
const MOST_COMPARED: usize = 4_000_000;

/// Most patterns with wildcards in a workspace; the rest is left out, since each is compared with each package.
const MOST_GLOBS: usize = 512;

/// The patterns of a workspace.
struct Globs<'g> {
    /// The patterns without wildcards.
    folders: BTreeSet<&'g str>,
    others: Vec<&'g str>,
}

impl<'g> Globs<'g> {
    fn new(globs: impl Iterator<Item = &'g str>) -> Globs<'g> {
        let plain = |glob: &&str| {
            let name = |c: char| c.is_alphanumeric() || "-_@.+".contains(c);
            let mut names = glob.split('/');
            names.all(|n| n != "." && !n.is_empty() && n.chars().all(name))
        };
        let (folders, others): (Vec<&str>, Vec<&str>) = globs.partition(plain);
        Globs {
            folders: folders.into_iter().collect(),
            others,
        }
    }

    fn matches(&self, path: &str) -> bool {
        self.folders.contains(path)
            || self
                .others
                .iter()
                .take(MOST_GLOBS)
                .any(|g| glob::matches(g, path))
    }
}

impl Manifests {
    /// The meaning of a package's name in files of a folder.
    pub(super) fn locate_package(&self, dir: &str, name: &str) -> Option<PackageLocation<'_>> {
        let around: Vec<&Package> = ancestors(dir)
            .filter_map(|d| self.packages.get(d))
            .collect();
        let home = around.iter().find(|p| p.name.is_some());
        if let Some(own) = home.filter(|p| p.name.as_deref() == Some(name)) {
            return Some(PackageLocation::Folder(own.dir.clone(), Some(own)));
        }
        let written = around
            .iter()
            .find_map(|p| Some((*p, p.dependencies.get(name)?.as_str())));
        let mut name = name;
        if let Some((package, version)) = written {
            if let Some(folder) = local_folder(version) {
                let at = join(&package.dir, folder);
                let package = self.packages.get(&at);
                return Some(PackageLocation::Folder(at, package));
            }
            name = workspace_alias(version).unwrap_or(name);
        }
        let folder = |dir: &String| {
            let package = self.packages.get(dir);
            Some(PackageLocation::Folder(dir.clone(), package))
        };
        let mut here = around.iter();
        if let Some(root) = here.find_map(|p| self.workspaces.root_of.get(&p.dir)) {
            let key = (root.clone(), name.to_owned());
            let takes = |dir: &&String| {
                let member = self.packages.get(*dir).and_then(|p| p.version.as_deref());
                let wanted = written.map(|(_, version)| version);
                !wanted.zip(member).is_some_and(|(w, m)| excludes(w, m))
            };
            if let Some(dir) = self.workspaces.members.get(&key).filter(takes) {
                return folder(dir);
            }
            if written.is_some() {
                return Some(PackageLocation::Outside);
            }
        }
        let other = self.workspaces.find_in_any(name);
        other.or_else(|| self.by_name.get(name)).and_then(folder)
    }
}

/// Whether a version range certainly excludes the version of the workspace's member; a registry then provides the
/// package. Only plain ranges (`^1.2`, `~1.2`, `1.2.3`, separated by `||`) exclude versions.
fn excludes(range: &str, version: &str) -> bool {
    let leading = |text: &str| -> Option<(u64, Option<u64>)> {
        let mut parts = text.split('.');
        let major = parts.next()?.parse().ok()?;
        Some((major, parts.next().and_then(|p| p.parse().ok())))
    };
    // A version that no release has is a placeholder, filled in on publication.
    let Some(own) = leading(version).filter(|_| !version.starts_with("0.0.0")) else {
        return false;
    };
    range.split("||").all(|one| {
        let one = one.trim();
        let plain = one.trim_start_matches(['^', '~', '=', 'v']);
        let wanted = leading(plain).filter(|_| !plain.contains(' '));
        wanted.is_some_and(|(major, minor)| {
            major != own.0 || major == 0 && minor.is_some() && minor != own.1
        })
    })
}

/// The folder in a dependency's version: `file:../x`, `link:`, `portal:`, `workspace:../x`.
fn local_folder(version: &str) -> Option<&str> {
    let local = ["file:", "link:", "portal:"];
    if let Some(path) = local.iter().find_map(|p| version.strip_prefix(p)) {
        return Some(path);
    }
    let path = version.strip_prefix("workspace:")?;
    path.starts_with('.').then_some(path)
}

/// `workspace:other@*`: the member has another name here.
fn workspace_alias(version: &str) -> Option<&str> {
    let (name, _) = version.strip_prefix("workspace:")?.rsplit_once('@')?;
    (!name.is_empty()).then_some(name)
}

/// The folder of a manifest, if that is its name.
fn manifest_dir<'p>(path: &'p str, name: &str) -> Option<&'p str> {
    let dir = path.strip_suffix(name)?;
    match dir {
        "" => Some(""),
        dir => dir.strip_suffix('/'),
    }
}

/// The list `packages` of a `pnpm-workspace.yaml`, in block or flow form.
fn pnpm_packages(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut lines = text.lines().map(strip_yaml_comment);
    let opened = lines.find_map(|line| {
        let key = line.trim_start_matches('\u{feff}');
        let rest = key.strip_prefix("packages").map(str::trim_start)?;
        rest.strip_prefix(':').map(str::trim)
    });
    let Some(first) = opened else {
        return found;
    };
    if let Some(flow) = first.strip_prefix('[') {
        let (mut flow, mut is_open) = (flow.to_owned(), !flow.contains(']'));
        while is_open && let Some(line) = lines.next() {
            flow.push_str(line.trim());
            is_open = !line.contains(']');
        }
        let items = flow.split(']').next().unwrap_or("").split(',');
        found.extend(items.map(unquote).filter(|i| !i.is_empty()));
        return found;
    }
    for line in lines {
        let inner = line.trim();
        match inner.strip_prefix('-') {
            Some(item) => found.push(unquote(item)),
            None if inner.is_empty() => {}
            None => break,
        }
    }
    found
}

/// A line of YAML without its comment.
fn strip_yaml_comment(line: &str) -> &str {
    let mut quote = None;
    let mut before = ' ';
    for (at, c) in line.char_indices() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if c == '#' && before.is_whitespace() => return line[..at].trim_end(),
            // A quote only opens at the start of a value.
            None if matches!(c, '\'' | '"') && matches!(before, ' ' | '\t' | ',' | '[') => {
                quote = Some(c);
            }
            None => {}
        }
        before = c;
    }
    line.trim_end()
}

fn unquote(item: &str) -> String {
    let item = item.trim();
    let inner = ['"', '\'']
        .iter()
        .find_map(|q| item.strip_prefix(*q)?.strip_suffix(*q));
    inner.unwrap_or(item).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_that_a_member_is_out_of_means_the_registry() {
        for (range, version, expected) in [
            ("^1.6.0", "2.12.0", true),
            ("^1.7.1 || ^2.0.0", "2.12.0", false),
            ("^0.3.0", "0.4.1", true),
            ("^0.4.0", "0.4.1", false),
            ("^1", "0.0.0", false),
            ("workspace:*", "2.0.0", false),
            (">=1.0.0", "2.0.0", false),
            ("1 - 3", "2.0.0", false),
            ("latest", "2.0.0", false),
        ] {
            assert_eq!(excludes(range, version), expected, "{range} {version}");
        }
    }

    #[test]
    fn the_list_of_packages_is_read_without_a_yaml_library() {
        for (text, expected) in [
            (
                "packages:\n  - 'a/*'\n  # all\n  - \"!b\" # not\n\n  - c\ncatalog:\n  - d\n",
                vec!["a/*", "!b", "c"],
            ),
            (
                "catalog:\n  x: 1\npackages: [ 'a', \"b/*\",\n  c ]\n",
                vec!["a", "b/*", "c"],
            ),
            ("packages:\n- it's/*\n- .\n", vec!["it's/*", "."]),
            ("minimumReleaseAge: 1\n", vec![]),
            ("packages: [", vec![]),
        ] {
            assert_eq!(pnpm_packages(text), expected, "{text}");
        }
    }
}
