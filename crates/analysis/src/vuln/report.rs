//! Advisories joined with lock files and with the code that uses the packages.

use super::advisory::{Advisory, Severity};
use super::{Importers, range};
use crate::lockfiles::{Ecosystem, Lockfile, Route, routes};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// What is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReportOptions {
    /// The least severity.
    pub threshold: Severity,
    /// Also packages for development alone.
    pub include_dev: bool,
    /// Ways to a package that are listed.
    pub routes: usize,
    /// Files and functions that are listed of a package.
    pub places: usize,
}

/// A place that uses a symbol of a package, as the graph knows it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PackageUse {
    /// The package as the graph names it.
    pub package: String,
    /// The symbol in it, dotted; empty for the package itself.
    pub symbol: String,
    /// Where it stands.
    pub file_path: String,
    /// The first line.
    pub line: u32,
    /// Calls.
    pub count: u32,
    /// The function around it; none at the level of the file.
    pub function: Option<(String, u32)>,
    /// Whether it stands in a test, an example or the like: the project's own code comes first.
    pub aside: bool,
}

/// How many there are of each severity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct BySeverity {
    /// Critical.
    pub critical: usize,
    /// High.
    pub high: usize,
    /// Moderate.
    pub moderate: usize,
    /// Low.
    pub low: usize,
}

impl BySeverity {
    fn count(&mut self, severity: Severity) {
        *match severity {
            Severity::Critical => &mut self.critical,
            Severity::High => &mut self.high,
            Severity::Moderate => &mut self.moderate,
            Severity::Low => &mut self.low,
        } += 1;
    }
}

/// A file that uses a package.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileUse {
    /// The file.
    pub file_path: String,
    /// The first line.
    pub line: u32,
    /// Calls of the package in it.
    pub calls: u32,
    /// What of the package it uses.
    pub symbols: Vec<String>,
}

/// A function that uses a package.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FunctionUse {
    /// Its name, dotted within its file.
    pub symbol: String,
    /// Its file.
    pub file_path: String,
    /// Its first line.
    pub line: u32,
    /// What of the package it uses.
    pub uses: Vec<String>,
    /// Whether that is what the advisory names as at fault.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub at_fault: bool,
}

/// A vulnerability of a package in use.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Vulnerability {
    /// The package.
    pub name: String,
    /// The version in use; empty where no lock file and no tool says.
    pub version: String,
    /// How bad it is.
    pub severity: Severity,
    /// The tool did not say how bad; moderate is assumed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub severity_assumed: bool,
    /// One line.
    pub title: String,
    /// The shortest way from the project to the package, as `name@version`.
    pub path: Vec<String>,
    /// Further ways, one for each dependency of the project's own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub more_paths: Vec<Vec<String>>,
    /// The advisory.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// Its other names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    /// Whose package.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ecosystem: Option<Ecosystem>,
    /// Where it is described.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub url: String,
    /// Versions that are affected.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub range: String,
    /// Versions that mend it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fixed_in: Vec<String>,
    /// The lock file that names the package.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub lock_file: String,
    /// For development alone.
    pub dev: bool,
    /// Tools that report it.
    pub sources: Vec<String>,
    /// Files that use the package, by path; packages used by other packages alone have none.
    pub affected_files: Vec<FileUse>,
    /// Functions that use the package.
    pub functions: Vec<FunctionUse>,
    /// Files and functions that are not listed.
    #[serde(skip_serializing_if = "is_zero")]
    pub places_left_out: usize,
}

fn is_zero(n: &usize) -> bool {
    *n == 0
}

/// The vulnerabilities in force.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct VulnReport {
    /// How many, after the filters.
    pub total: usize,
    /// Of each severity.
    pub by_severity: BySeverity,
    /// The worst first, then by name.
    pub vulnerabilities: Vec<Vulnerability>,
    /// Milder than the threshold.
    pub below_threshold: usize,
    /// Left out because they are for development alone.
    pub dev_left_out: usize,
}

/// A package as a lock file names it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TracedPackage {
    /// Its name.
    pub name: String,
    /// Its version; empty where none is pinned.
    pub version: String,
    /// Whose package.
    pub ecosystem: Ecosystem,
    /// The lock file.
    pub lock_file: String,
    /// For development alone.
    pub dev: bool,
    /// Ways to it, shortest first.
    pub paths: Vec<Route>,
    /// How many there are, one for each dependency of the project's own that leads there.
    pub total_paths: usize,
}

/// Where a package comes from and who uses it.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Trace {
    /// The package that was asked for.
    pub package: String,
    /// Where it stands in lock files.
    pub found: Vec<TracedPackage>,
    /// Files that use it.
    pub affected_files: Vec<FileUse>,
    /// Functions that use it.
    pub functions: Vec<FunctionUse>,
    /// Files and functions that are not listed.
    #[serde(skip_serializing_if = "is_zero")]
    pub places_left_out: usize,
}

/// Where a package stands in the lock files.
fn instances<'f>(
    files: &'f [Lockfile],
    ecosystem: Option<Ecosystem>,
    package: &str,
) -> Vec<(&'f Lockfile, u32)> {
    let mut found = Vec::new();
    let of = files
        .iter()
        .filter(|f| ecosystem.is_none_or(|e| e == f.ecosystem));
    for file in of {
        let wanted = file.ecosystem.normal(package);
        // An artifact is known by its own name too.
        let bare = file.ecosystem == Ecosystem::Maven && !package.contains(':');
        for (locked, at) in file.packages.iter().zip(0..) {
            let artifact = locked.name.split_once(':').map(|(_, artifact)| artifact);
            let is_it = bare && artifact == Some(package);
            if is_it || file.ecosystem.normal(&locked.name) == wanted {
                found.push((file, at));
            }
        }
    }
    found
}

/// The packages that a name means, as lock files have them.
pub fn named(files: &[Lockfile], package: &str) -> BTreeSet<(Ecosystem, String)> {
    let found = instances(files, None, package).into_iter();
    found
        .map(|(file, at)| (file.ecosystem, file.packages[at as usize].name.clone()))
        .collect()
}

/// Joins merged advisories with the lock files and with the places that use the packages.
pub fn report(
    advisories: &[Advisory],
    files: &[Lockfile],
    uses: &[PackageUse],
    options: &ReportOptions,
) -> VulnReport {
    let mut out = VulnReport::default();
    for advisory in advisories {
        let severity = advisory.severity.unwrap_or_default();
        for (one, at) in placed(advisory, files, options.routes) {
            if one.dev && !options.include_dev {
                out.dev_left_out += 1;
            } else if severity < options.threshold {
                out.below_threshold += 1;
            } else {
                out.by_severity.count(severity);
                let places = places_of(advisory, files, &at, uses, options.places);
                out.vulnerabilities.push(Vulnerability {
                    affected_files: places.0,
                    functions: places.1,
                    places_left_out: places.2,
                    ..one
                });
            }
        }
    }
    out.total = out.vulnerabilities.len();
    out.vulnerabilities.sort_by(|a, b| {
        let key = |v: &Vulnerability| (v.name.clone(), v.version.clone(), v.id.clone());
        b.severity
            .cmp(&a.severity)
            .then_with(|| key(a).cmp(&key(b)))
    });
    out
}

/// An entry for each version of the package in use that is affected; one without a version where no lock file has it.
fn placed<'f>(
    advisory: &Advisory,
    files: &'f [Lockfile],
    most: usize,
) -> Vec<(Vulnerability, Vec<&'f Lockfile>)> {
    let mut by_version: BTreeMap<String, Vec<(&Lockfile, u32)>> = BTreeMap::new();
    for (file, at) in instances(files, advisory.ecosystem, &advisory.package) {
        let version = &file.packages[at as usize].version;
        let affected = match advisory.version.as_str() {
            "" => range::contains(&advisory.range, version).unwrap_or(true),
            said => same_version(said, version),
        };
        if affected {
            by_version
                .entry(version.clone())
                .or_default()
                .push((file, at));
        }
    }
    if by_version.is_empty() {
        by_version.insert(advisory.version.clone(), Vec::new());
    }
    let found = by_version.into_iter();
    found
        .map(|(version, at)| {
            let of = at.iter().map(|(file, _)| *file).collect();
            (vulnerability(advisory, version, &at, most), of)
        })
        .collect()
}

/// `v1.2.3` is `1.2.3`; a version that is not pinned may be any.
fn same_version(said: &str, version: &str) -> bool {
    let bare = |v: &str| v.trim_start_matches('v').to_owned();
    version.is_empty() || bare(said) == bare(version)
}

fn vulnerability(
    advisory: &Advisory,
    version: String,
    at: &[(&Lockfile, u32)],
    most: usize,
) -> Vulnerability {
    let mut ways: Vec<Route> = Vec::new();
    for (file, number) in at {
        ways.extend(routes(file, *number, most).0);
    }
    // Files one after the other; a way that ships comes before one for development.
    ways.sort_by_key(|way| (way.dev, way.indirect, way.path.len()));
    let mut paths: Vec<Vec<String>> = ways.into_iter().map(|way| way.path).collect();
    if paths.is_empty() {
        paths.clone_from(&advisory.paths);
    }
    paths.truncate(most.max(1));
    let locked = at.iter().map(|(file, n)| &file.packages[*n as usize]);
    let dev = if at.is_empty() {
        advisory.dev.unwrap_or(false)
    } else {
        locked.into_iter().all(|package| package.dev)
    };
    let mut paths = paths.into_iter();
    Vulnerability {
        name: advisory.package.clone(),
        version,
        severity: advisory.severity.unwrap_or_default(),
        severity_assumed: advisory.severity.is_none(),
        title: advisory.title.clone(),
        path: paths.next().unwrap_or_default(),
        more_paths: paths.collect(),
        id: advisory.id.clone(),
        aliases: advisory.aliases.iter().cloned().collect(),
        ecosystem: advisory.ecosystem.or(at.first().map(|(f, _)| f.ecosystem)),
        url: advisory.url.clone(),
        range: advisory.range.clone(),
        fixed_in: advisory.fixed.iter().cloned().collect(),
        lock_file: at.first().map(|(f, _)| f.path.clone()).unwrap_or_default(),
        dev,
        sources: advisory.sources.iter().cloned().collect(),
        affected_files: Vec::new(),
        functions: Vec::new(),
        places_left_out: 0,
    }
}

fn places_of(
    advisory: &Advisory,
    files: &[Lockfile],
    at: &[&Lockfile],
    uses: &[PackageUse],
    most: usize,
) -> (Vec<FileUse>, Vec<FunctionUse>, usize) {
    let found = instances(files, advisory.ecosystem, &advisory.package);
    let ecosystem = advisory
        .ecosystem
        .or(found.first().map(|(f, _)| f.ecosystem));
    let Some(ecosystem) = ecosystem else {
        return (Vec::new(), Vec::new(), 0);
    };
    let importers = Importers::new(ecosystem, &advisory.package, files);
    // A file gets its packages from the nearest lock file above it.
    let is_here = |path: &str| {
        let nearest = nearest(files, ecosystem, path);
        nearest.is_none_or(|file| at.is_empty() || at.iter().any(|f| f.path == file.path))
    };
    let uses = uses
        .iter()
        .filter(|u| importers.means(&u.package) && is_here(&u.file_path));
    places(uses, &advisory.symbols, most)
}

/// The lock file of an ecosystem whose folder is the nearest above a path.
fn nearest<'f>(files: &'f [Lockfile], ecosystem: Ecosystem, path: &str) -> Option<&'f Lockfile> {
    let above = |file: &&Lockfile| {
        let folder = file.path.rfind('/').map_or("", |at| &file.path[..=at]);
        file.ecosystem == ecosystem && path.starts_with(folder)
    };
    files
        .iter()
        .filter(above)
        .max_by_key(|file| file.path.rfind('/'))
}

/// Files and functions, what is at fault first, and how many are left out.
fn places<'u>(
    uses: impl Iterator<Item = &'u PackageUse>,
    faults: &BTreeSet<String>,
    most: usize,
) -> (Vec<FileUse>, Vec<FunctionUse>, usize) {
    let mut files: BTreeMap<(bool, &str), FileUse> = BTreeMap::new();
    let mut functions: BTreeMap<(bool, &str, u32, &str), FunctionUse> = BTreeMap::new();
    for place in uses {
        let file = files
            .entry((place.aside, &place.file_path))
            .or_insert_with(|| FileUse {
                file_path: place.file_path.clone(),
                line: place.line,
                calls: 0,
                symbols: Vec::new(),
            });
        file.line = file.line.min(place.line);
        file.calls += place.count;
        add(&mut file.symbols, &place.symbol);
        let Some((name, line)) = &place.function else {
            continue;
        };
        let function = functions
            .entry((place.aside, &place.file_path, *line, name))
            .or_insert_with(|| FunctionUse {
                symbol: name.clone(),
                file_path: place.file_path.clone(),
                line: *line,
                uses: Vec::new(),
                at_fault: false,
            });
        add(&mut function.uses, &place.symbol);
        function.at_fault |= faults.iter().any(|fault| is_fault(fault, &place.symbol));
    }
    let mut files: Vec<FileUse> = files.into_values().collect();
    let mut functions: Vec<FunctionUse> = functions.into_values().collect();
    functions.sort_by_key(|f| !f.at_fault);
    let left = files.len().saturating_sub(most) + functions.len().saturating_sub(most);
    files.truncate(most);
    functions.truncate(most);
    (files, functions, left)
}

fn add(list: &mut Vec<String>, symbol: &str) {
    if let Err(at) = list.binary_search_by(|s| s.as_str().cmp(symbol))
        && !symbol.is_empty()
    {
        list.insert(at, symbol.to_owned());
    }
}

/// `time::OffsetDateTime::now` names what the graph calls `OffsetDateTime.now`.
fn is_fault(fault: &str, symbol: &str) -> bool {
    let fault = fault.replace("::", ".");
    let rest = fault.strip_suffix(symbol);
    !symbol.is_empty() && rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

/// Where a package comes from and who uses it.
pub fn trace(
    package: &str,
    files: &[Lockfile],
    uses: &[PackageUse],
    most_paths: usize,
    most_places: usize,
) -> Trace {
    let at = instances(files, None, package);
    let found = at.iter().map(|(file, number)| {
        let locked = &file.packages[*number as usize];
        let (paths, total_paths) = routes(file, *number, most_paths);
        TracedPackage {
            name: locked.name.clone(),
            version: locked.version.clone(),
            ecosystem: file.ecosystem,
            lock_file: file.path.clone(),
            dev: locked.dev,
            paths,
            total_paths,
        }
    });
    let importers: Vec<Importers> = named(files, package)
        .into_iter()
        .map(|(ecosystem, name)| Importers::new(ecosystem, &name, files))
        .collect();
    let used = uses
        .iter()
        .filter(|u| u.package == package || importers.iter().any(|i| i.means(&u.package)));
    let (affected_files, functions, places_left_out) = places(used, &BTreeSet::new(), most_places);
    Trace {
        package: package.to_owned(),
        found: found.collect(),
        affected_files,
        functions,
        places_left_out,
    }
}
