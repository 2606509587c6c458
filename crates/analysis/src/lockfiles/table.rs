//! The builder that every reader fills: packages by name and version, edges, roots.

use super::{Ecosystem, LockedPackage, Lockfile, Root, RootDependency};
use base::secret::{TextKind, mask_secrets};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The most packages: a lock file with more is not read.
pub(super) const MOST_PACKAGES: usize = 200_000;

/// A lock file under construction.
pub(super) struct LockfileBuilder {
    ecosystem: Ecosystem,
    format: String,
    packages: Vec<LockedPackage>,
    index: FxHashMap<(String, String), u32>,
    roots: BTreeMap<String, Vec<RootDependency>>,
}

/// Names and versions shorter than this contain no key. Most are shorter.
const SHORTEST_SECRET: usize = 16;

/// Most bytes of a name or version; the rest of a longer one is cut. A name is repeated in each route to the packages above it.
const LONGEST_NAME: usize = 1_000;

/// A name or version for display: without line ends and other control characters, which no registry has and which would pass
/// for several lines, and without secrets, which may be in the addresses of private packages.
fn sanitize_name(name: &str) -> Cow<'_, str> {
    let mut starts = name.char_indices().map(|(at, _)| at);
    let end = starts.find(|at| *at >= LONGEST_NAME);
    let mut name = match end {
        Some(end) => Cow::Owned(format!("{}…", &name[..end])),
        None => Cow::Borrowed(name),
    };
    if name.contains(char::is_control) {
        name = Cow::Owned(name.replace(char::is_control, "\u{fffd}"));
    }
    if name.len() >= SHORTEST_SECRET && name.bytes().any(|b| b.is_ascii_digit()) {
        Cow::Owned(mask_secrets(name.into_owned(), TextKind::Other))
    } else {
        name
    }
}

impl LockfileBuilder {
    pub(super) fn new(ecosystem: Ecosystem, format: impl Into<String>) -> LockfileBuilder {
        LockfileBuilder {
            ecosystem,
            format: format.into(),
            packages: Vec::new(),
            index: FxHashMap::default(),
            roots: BTreeMap::new(),
        }
    }

    /// Whether there are more packages than are read.
    pub(super) fn is_full(&self) -> bool {
        self.packages.len() > MOST_PACKAGES
    }

    /// The number of a package; a new one is added. Above the limit all new ones share a number: the file is not used then.
    pub(super) fn add_package(&mut self, name: &str, version: &str) -> u32 {
        let (name, version) = (&*sanitize_name(name), &*sanitize_name(version));
        let key = (name.to_owned(), version.to_owned());
        if self.is_full() {
            return self.index.get(&key).copied().unwrap_or_default();
        }
        let next = self.packages.len() as u32;
        let number = *self.index.entry(key).or_insert(next);
        if number == next {
            self.packages.push(LockedPackage {
                name: name.to_owned(),
                version: version.to_owned(),
                dependencies: Vec::new(),
                dev: false,
            });
        }
        number
    }

    pub(super) fn add_dependency(&mut self, from: u32, to: u32) {
        if let Some(package) = self.packages.get_mut(from as usize) {
            package.dependencies.push(to);
        }
    }

    /// Adds a part of the repository, also one without dependencies.
    pub(super) fn add_root(&mut self, name: &str) {
        self.roots
            .entry(sanitize_name(name).into_owned())
            .or_default();
    }

    /// Adds a direct dependency of a part of the repository.
    pub(super) fn add_direct_dependency(&mut self, root: &str, package: u32, dev: bool) {
        self.add_root_dependency(root, package, dev, false);
    }

    /// Adds a dependency of a part of the repository whose route is not known.
    pub(super) fn add_indirect_dependency(&mut self, root: &str, package: u32, dev: bool) {
        self.add_root_dependency(root, package, dev, true);
    }

    fn add_root_dependency(&mut self, root: &str, package: u32, dev: bool, indirect: bool) {
        let needs = self
            .roots
            .entry(sanitize_name(root).into_owned())
            .or_default();
        needs.push(RootDependency {
            package,
            dev,
            indirect,
        });
    }

    /// Attaches packages that nothing needs to the root: a lock file lists only wanted packages.
    pub(super) fn attach_unrequested_packages(&mut self, root: &str, dev: impl Fn(&str) -> bool) {
        let mut wanted = vec![false; self.packages.len()];
        let asked = self.packages.iter().flat_map(|p| &p.dependencies).copied();
        let direct = self.roots.values().flatten().map(|need| need.package);
        for number in asked.chain(direct) {
            if let Some(wanted) = wanted.get_mut(number as usize) {
                *wanted = true;
            }
        }
        for (number, _) in wanted.iter().enumerate().filter(|(_, wanted)| !**wanted) {
            let dev = dev(&self.packages[number].name);
            self.add_direct_dependency(root, number as u32, dev);
        }
    }

    /// The lock file: sorted, without duplicates, with the packages for development alone marked.
    pub(super) fn into_lockfile(self, path: &str) -> Lockfile {
        let mut order: Vec<u32> = (0..self.packages.len() as u32).collect();
        order.sort_by(|a, b| {
            let of = |n: &u32| {
                let p = &self.packages[*n as usize];
                (&p.name, &p.version)
            };
            of(a).cmp(&of(b))
        });
        let mut place = vec![0u32; order.len()];
        for (new, old) in order.iter().enumerate() {
            place[*old as usize] = new as u32;
        }
        let moved = |numbers: &mut Vec<u32>| {
            numbers.iter_mut().for_each(|n| *n = place[*n as usize]);
            numbers.sort_unstable();
            numbers.dedup();
        };
        let mut packages = self.packages;
        packages.iter_mut().for_each(|p| moved(&mut p.dependencies));
        packages.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
        let roots = self.roots.into_iter().map(|(name, mut needs)| {
            needs
                .iter_mut()
                .for_each(|need| need.package = place[need.package as usize]);
            needs.sort_unstable();
            // A dependency in two lists counts as one that is not for development.
            needs.dedup_by_key(|need| need.package);
            Root {
                name,
                dependencies: needs,
            }
        });
        let mut file = Lockfile {
            path: path.to_owned(),
            ecosystem: self.ecosystem,
            format: self.format,
            packages,
            roots: roots.collect(),
        };
        mark_dev_only(&mut file);
        file
    }
}

/// Marks the packages that only development dependencies of the roots lead to.
fn mark_dev_only(file: &mut Lockfile) {
    let mut ships = vec![false; file.packages.len()];
    let needs = file.roots.iter().flat_map(|root| &root.dependencies);
    let mut open: Vec<u32> = needs.filter(|n| !n.dev).map(|n| n.package).collect();
    while let Some(number) = open.pop() {
        let Some(seen) = ships.get_mut(number as usize) else {
            continue;
        };
        if !std::mem::replace(seen, true) {
            open.extend(&file.packages[number as usize].dependencies);
        }
    }
    for (package, ships) in file.packages.iter_mut().zip(ships) {
        package.dev = !ships;
    }
}
