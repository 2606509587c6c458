//! An index of a project's lock files: there may be as many advisories as packages.

use super::ImportMatcher;
use super::advisory::Advisory;
use super::imports::{ImporterIndex, Names};
use super::report::{PackageUse, Places, group_uses};
use crate::lockfiles::{DependentsIndex, Ecosystem, Lockfile, Route};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Most packages that are visited for the routes to others, in one answer.
const WAY_STEPS: u64 = 5_000_000;

/// Most places that are examined, in one answer.
const PLACE_STEPS: u64 = 5_000_000;

const ECOSYSTEMS: [Ecosystem; 7] = [
    Ecosystem::Npm,
    Ecosystem::Cargo,
    Ecosystem::PyPi,
    Ecosystem::Go,
    Ecosystem::Packagist,
    Ecosystem::RubyGems,
    Ecosystem::Maven,
];

/// Positions of packages in lock files, by their names.
pub(super) struct LockIndex<'f> {
    files: &'f [Lockfile],
    names: FxHashMap<(Ecosystem, String), Vec<(u32, u32)>>,
    /// Positions of Maven packages, by the artifact's own name.
    artifacts: FxHashMap<&'f str, Vec<(u32, u32)>>,
    ways: Vec<Option<DependentsIndex<'f>>>,
    steps: u64,
    /// Number of packages whose routes are not known, because finding them would take too long.
    pub(super) ways_left_out: usize,
}

impl<'f> LockIndex<'f> {
    pub(super) fn new(files: &'f [Lockfile]) -> LockIndex<'f> {
        let mut names: FxHashMap<(Ecosystem, String), Vec<(u32, u32)>> = FxHashMap::default();
        let mut artifacts: FxHashMap<&str, Vec<(u32, u32)>> = FxHashMap::default();
        for (file, number) in files.iter().zip(0..) {
            for (package, at) in file.packages.iter().zip(0..) {
                let key = (file.ecosystem, file.ecosystem.normalize_name(&package.name));
                names.entry(key).or_default().push((number, at));
                let artifact = package.name.split_once(':').map(|(_, artifact)| artifact);
                if let Some(artifact) = artifact.filter(|_| file.ecosystem == Ecosystem::Maven) {
                    artifacts.entry(artifact).or_default().push((number, at));
                }
            }
        }
        LockIndex {
            files,
            names,
            artifacts,
            ways: files.iter().map(|_| None).collect(),
            steps: WAY_STEPS,
            ways_left_out: 0,
        }
    }

    /// Positions of a package, in the order of the files.
    pub(super) fn instances(
        &self,
        ecosystem: Option<Ecosystem>,
        package: &str,
    ) -> Vec<(&'f Lockfile, u32)> {
        let of = |e: &Ecosystem| ecosystem.is_none_or(|ecosystem| ecosystem == *e);
        let mut found: Vec<(u32, u32)> = Vec::new();
        for ecosystem in ECOSYSTEMS.into_iter().filter(of) {
            let named = self
                .names
                .get(&(ecosystem, ecosystem.normalize_name(package)));
            found.extend(named.into_iter().flatten());
            // An artifact is known by its own name too.
            if ecosystem == Ecosystem::Maven && !package.contains(':') {
                found.extend(self.artifacts.get(package).into_iter().flatten());
            }
        }
        found.sort_unstable();
        found.dedup();
        let place = |(file, at): (u32, u32)| (&self.files[file as usize], at);
        found.into_iter().map(place).collect()
    }

    /// Routes to a package; empty if finding them would take too long.
    pub(super) fn ways(
        &mut self,
        file: &'f Lockfile,
        package: u32,
        most: usize,
    ) -> (Vec<Route>, usize) {
        let number = self.files.iter().position(|f| std::ptr::eq(f, file));
        let known = number.and_then(|number| self.ways.get_mut(number));
        let found = known.and_then(|known| {
            let ways = known.get_or_insert_with(|| DependentsIndex::new(file));
            ways.to(package, most, &mut self.steps)
        });
        if found.is_none() {
            self.steps = 0;
            self.ways_left_out += 1;
        }
        found.unwrap_or_default()
    }
}

/// The places that use packages, by package.
pub(super) struct UseIndex<'u> {
    /// Places by the package that they name.
    places: FxHashMap<&'u str, Vec<&'u PackageUse>>,
    /// Names of a package in code, by its name in advisories.
    called: FxHashMap<(Ecosystem, &'u str), Vec<&'u str>>,
    /// The last lock file of each folder.
    folders: FxHashMap<(Ecosystem, &'u str), &'u str>,
    steps: u64,
    /// Results of earlier lookups.
    known: FxHashMap<(Ecosystem, &'u str, Vec<&'u str>), Places>,
}

impl<'u> UseIndex<'u> {
    pub(super) fn new(
        wanted: &BTreeSet<(Ecosystem, &'u str)>,
        files: &'u [Lockfile],
        uses: &'u [PackageUse],
    ) -> UseIndex<'u> {
        let mut places: FxHashMap<&str, Vec<&PackageUse>> = FxHashMap::default();
        for one in uses {
            places.entry(&one.package).or_default().push(one);
        }
        let names = Names::new(files);
        let importers = ImporterIndex::new(wanted.iter().map(|(e, p)| names.importers(*e, p)));
        let wanted: Vec<(Ecosystem, &str)> = wanted.iter().copied().collect();
        let mut called: FxHashMap<(Ecosystem, &str), Vec<&str>> = FxHashMap::default();
        let mut externals: Vec<&str> = places.keys().copied().collect();
        externals.sort_unstable();
        for external in externals {
            for number in importers.find(external) {
                called.entry(wanted[number]).or_default().push(external);
            }
        }
        let folder = |f: &'u Lockfile| f.path.rfind('/').map_or("", |at| &f.path[..=at]);
        let folders = files
            .iter()
            .map(|f| ((f.ecosystem, folder(f)), f.path.as_str()));
        UseIndex {
            places,
            called,
            folders: folders.collect(),
            steps: PLACE_STEPS,
            known: FxHashMap::default(),
        }
    }

    /// Files and functions that use a package, given the lock files that have it.
    pub(super) fn users_of(
        &mut self,
        ecosystem: Ecosystem,
        advisory: &'u Advisory,
        at: &[&'u Lockfile],
        most: usize,
    ) -> Places {
        let package = advisory.package.as_str();
        let mut paths: Vec<&str> = at.iter().map(|f| f.path.as_str()).collect();
        paths.sort_unstable();
        paths.dedup();
        let key = (ecosystem, package, paths);
        // Vulnerable functions differ between advisories.
        let shared = advisory.symbols.is_empty();
        if let Some(known) = self.known.get(&key).filter(|_| shared) {
            let cost = (known.files.len() + known.functions.len()) as u64;
            if let Some(left) = self.steps.checked_sub(cost) {
                self.steps = left;
                return known.clone();
            }
        }
        let called = self.called.get(&(ecosystem, package));
        let called = called.into_iter().flatten();
        let all: Vec<&PackageUse> = called
            .filter_map(|external| self.places.get(external))
            .flatten()
            .copied()
            .collect();
        let Some(left) = self.steps.checked_sub(all.len() as u64) else {
            return Places {
                left_out: all.len(),
                ..Places::default()
            };
        };
        self.steps = left;
        let inside: FxHashSet<&str> = key.2.iter().copied().collect();
        let is_here = |one: &&PackageUse| {
            let nearest = self.nearest(ecosystem, &one.file_path);
            nearest.is_none_or(|file| inside.is_empty() || inside.contains(file))
        };
        let found = group_uses(all.into_iter().filter(is_here), &advisory.symbols, most);
        if shared {
            self.known.insert(key, found.clone());
        }
        found
    }

    /// The lock file of an ecosystem in the nearest folder above a path: a file gets its packages from there.
    fn nearest(&self, ecosystem: Ecosystem, path: &str) -> Option<&'u str> {
        let ends = path.rmatch_indices('/').map(|(at, _)| at + 1).chain([0]);
        let mut folders = ends.map(|end| &path[..end]);
        folders.find_map(|folder| self.folders.get(&(ecosystem, folder)).copied())
    }
}

/// Packages of the advisories, including those without a known ecosystem.
pub(super) fn packages_of_advisories<'a>(
    advisories: &'a [Advisory],
    index: &LockIndex<'_>,
) -> BTreeSet<(Ecosystem, &'a str)> {
    let of = |advisory: &'a Advisory| {
        let ecosystem = ecosystem_of(advisory, index)?;
        Some((ecosystem, advisory.package.as_str()))
    };
    advisories.iter().filter_map(of).collect()
}

/// Ecosystem of the package. If the tool does not say: that of the first lock file that has it.
pub(super) fn ecosystem_of(advisory: &Advisory, index: &LockIndex<'_>) -> Option<Ecosystem> {
    let first = || {
        let found = index.instances(None, &advisory.package);
        found.first().map(|(file, _)| file.ecosystem)
    };
    advisory.ecosystem.or_else(first)
}

impl ImportMatcher {
    /// Index of the matchers of several packages, so that they can be searched together.
    pub fn index(packages: &BTreeSet<(Ecosystem, &str)>, files: &[Lockfile]) -> ImporterIndex {
        let names = Names::new(files);
        ImporterIndex::new(packages.iter().map(|(e, p)| names.importers(*e, p)))
    }
}
