//! Advisories joined with lock files and with the code that uses the packages.

use super::advisory::{Advisory, Severity};
use super::locked::{LockIndex, UseIndex, ecosystem_of, packages_of_advisories};
use super::{ImportMatcher, range};
use crate::lockfiles::{Ecosystem, Lockfile, Route};
use rustc_hash::FxHashSet;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Most versions that are compared with ranges, in one report.
const RANGE_STEPS: usize = 200_000;

/// The most packages in lock files that advisories are compared with, in one report.
const PLACED_STEPS: usize = 5_000_000;

/// The most bytes of the vulnerabilities of a report; the rest is counted.
const MOST_BYTES: usize = 32 << 20;

/// Most symbols that are listed for a file or function.
const MOST_SYMBOLS: usize = 200;

/// Options of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReportOptions {
    /// The least severity.
    pub threshold: Severity,
    /// Whether packages for development alone are included.
    pub include_dev: bool,
    /// Most routes to a package that are listed.
    pub routes: usize,
    /// Most files and functions that are listed for a package.
    pub places: usize,
}

/// A place that uses a symbol of a package, as the graph knows it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PackageUse {
    /// The package as the graph names it.
    pub package: String,
    /// The symbol in it, dotted; empty for the package itself.
    pub symbol: String,
    /// Path of the file.
    pub file_path: String,
    /// The first line.
    pub line: u32,
    /// The number of calls.
    pub count: u32,
    /// The function around it; `None` at the level of the file.
    pub function: Option<(String, u32)>,
    /// Whether it is in a test, an example or the like: the project's own code is listed first.
    pub aside: bool,
}

/// Number of vulnerabilities of each severity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct SeverityCounts {
    /// Critical.
    pub critical: usize,
    /// High.
    pub high: usize,
    /// Moderate.
    pub moderate: usize,
    /// Low.
    pub low: usize,
}

impl SeverityCounts {
    fn increment(&mut self, severity: Severity) {
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
    /// Symbols of the package that it uses.
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
    /// Symbols of the package that it uses.
    pub uses: Vec<String>,
    /// Whether the advisory names it as vulnerable.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub at_fault: bool,
}

/// A vulnerability of a package in use.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Vulnerability {
    /// The package.
    pub name: String,
    /// The version in use; empty if no lock file and no tool has it.
    pub version: String,
    /// Severity.
    pub severity: Severity,
    /// Whether the severity is assumed to be moderate because no tool gives it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub severity_assumed: bool,
    /// Summary in one line.
    pub title: String,
    /// The shortest route from the project to the package, as `name@version`.
    pub path: Vec<String>,
    /// Further routes, one for each direct dependency.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub more_paths: Vec<Vec<String>>,
    /// The advisory.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// Its other names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    /// Ecosystem of the package.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ecosystem: Option<Ecosystem>,
    /// Address of the description.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub url: String,
    /// Affected versions.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub range: String,
    /// Versions that fix it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fixed_in: Vec<String>,
    /// The lock file that names the package.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub lock_file: String,
    /// Whether it is for development alone.
    pub dev: bool,
    /// Tools that report it.
    pub sources: Vec<String>,
    /// Files that use the package, by path; empty for packages that only other packages use.
    pub affected_files: Vec<FileUse>,
    /// Functions that use the package.
    pub functions: Vec<FunctionUse>,
    /// Number of files and functions that are not listed.
    #[serde(skip_serializing_if = "is_zero")]
    pub places_left_out: usize,
}

fn is_zero(n: &usize) -> bool {
    *n == 0
}

/// The vulnerabilities after all filters.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct VulnReport {
    /// Number of vulnerabilities, after the filters.
    pub total: usize,
    /// Number of each severity.
    pub by_severity: SeverityCounts,
    /// The vulnerabilities, worst first, then by name.
    pub vulnerabilities: Vec<Vulnerability>,
    /// The number of those below the threshold.
    pub below_threshold: usize,
    /// The number of those left out because they are for development alone.
    pub dev_left_out: usize,
    /// The number of those that are counted but not listed: the mildest of too many.
    #[serde(skip_serializing_if = "is_zero")]
    pub not_listed: usize,
    /// The number of advisories that were not compared with the lock files, because there are too many.
    #[serde(skip_serializing_if = "is_zero")]
    pub not_compared: usize,
    /// Number of packages whose routes are not known, because there are too many.
    #[serde(skip_serializing_if = "is_zero")]
    pub ways_left_out: usize,
}

/// A package as a lock file names it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TracedPackage {
    /// Its name.
    pub name: String,
    /// Its version; empty if none is pinned.
    pub version: String,
    /// Ecosystem of the package.
    pub ecosystem: Ecosystem,
    /// The lock file.
    pub lock_file: String,
    /// Whether it is for development alone.
    pub dev: bool,
    /// DependentsIndex to it, shortest first.
    pub paths: Vec<Route>,
    /// Number of routes, one for each direct dependency that leads there.
    pub total_paths: usize,
}

/// The origin of a package, and its users.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Trace {
    /// The package that was asked for.
    pub package: String,
    /// Its places in lock files.
    pub found: Vec<TracedPackage>,
    /// Files that use it.
    pub affected_files: Vec<FileUse>,
    /// Functions that use it.
    pub functions: Vec<FunctionUse>,
    /// Number of files and functions that are not listed.
    #[serde(skip_serializing_if = "is_zero")]
    pub places_left_out: usize,
    /// Number of packages whose routes are not known, because there are too many.
    #[serde(skip_serializing_if = "is_zero")]
    pub ways_left_out: usize,
}

/// The packages that a name means, as lock files have them.
pub fn packages_named(files: &[Lockfile], package: &str) -> BTreeSet<(Ecosystem, String)> {
    named_by(&LockIndex::new(files), package)
}

fn named_by(index: &LockIndex<'_>, package: &str) -> BTreeSet<(Ecosystem, String)> {
    let found = index.instances(None, package).into_iter();
    found
        .map(|(file, at)| (file.ecosystem, file.packages[at as usize].name.clone()))
        .collect()
}

/// Joins merged advisories with the lock files and with the places that use the packages.
pub fn build_report(
    advisories: &[Advisory],
    files: &[Lockfile],
    uses: &[PackageUse],
    options: &ReportOptions,
) -> VulnReport {
    let mut out = VulnReport::default();
    let mut index = LockIndex::new(files);
    let mut places = UseIndex::new(&packages_of_advisories(advisories, &index), files, uses);
    let mut placing = AdvisoryMatcher::default();
    let mut left = MOST_BYTES;
    // The worst first: if there is no room for all, the mildest are left out.
    let mut order: Vec<&Advisory> = advisories.iter().collect();
    order.sort_by_key(|advisory| std::cmp::Reverse(advisory.severity.unwrap_or_default()));
    for advisory in order {
        let severity = advisory.severity.unwrap_or_default();
        let Some(versions) = placing.versions(advisory, &index) else {
            out.not_compared += 1;
            continue;
        };
        let ecosystem = ecosystem_of(advisory, &index);
        for (version, at) in versions {
            if is_dev(advisory, &at) && !options.include_dev {
                out.dev_left_out += 1;
                continue;
            }
            if severity < options.threshold {
                out.below_threshold += 1;
                continue;
            }
            out.by_severity.increment(severity);
            let Some(less) = left.checked_sub(advisory.bytes()) else {
                left = 0;
                out.not_listed += 1;
                continue;
            };
            let mut one = build_vulnerability(advisory, version, &at, &mut index, options.routes);
            let ways = std::iter::once(&one.path).chain(&one.more_paths).flatten();
            left = less.saturating_sub(ways.map(|name| name.len() + 24).sum());
            if let Some(ecosystem) = ecosystem {
                let at: Vec<&Lockfile> = at.iter().map(|(file, _)| *file).collect();
                let found = places.users_of(ecosystem, advisory, &at, options.places);
                left = left.saturating_sub(bytes_of(&found));
                one.affected_files = found.files;
                one.functions = found.functions;
                one.places_left_out = found.left_out;
            }
            out.vulnerabilities.push(one);
        }
    }
    out.ways_left_out = index.ways_left_out;
    out.total = out.vulnerabilities.len() + out.not_listed;
    out.vulnerabilities.sort_by(|a, b| {
        let a_key = (&a.name, &a.version, &a.id);
        let order = b.severity.cmp(&a.severity);
        order.then_with(|| a_key.cmp(&(&b.name, &b.version, &b.id)))
    });
    out
}

/// Approximate bytes of places.
fn bytes_of(places: &Places) -> usize {
    let names = |names: &[String]| names.iter().map(|name| name.len() + 24).sum::<usize>();
    let files = places.files.iter();
    let files = files.map(|f| f.file_path.len() + names(&f.symbols));
    let functions = places.functions.iter();
    let functions = functions.map(|f| f.file_path.len() + f.symbol.len() + names(&f.uses));
    files.chain(functions).map(|bytes| bytes + 100).sum()
}

/// The places of a package in lock files.
type LockfileLines<'f> = Vec<(&'f Lockfile, u32)>;

/// Finds the versions in use that advisories are about, within a bound on work.
struct AdvisoryMatcher {
    steps: usize,
    ranges: usize,
}

impl Default for AdvisoryMatcher {
    fn default() -> AdvisoryMatcher {
        AdvisoryMatcher {
            steps: PLACED_STEPS,
            ranges: RANGE_STEPS,
        }
    }
}

impl AdvisoryMatcher {
    /// An entry for each affected version of the package in use; without a place if no lock file has it.
    fn versions<'f>(
        &mut self,
        advisory: &Advisory,
        index: &LockIndex<'f>,
    ) -> Option<BTreeMap<String, LockfileLines<'f>>> {
        let instances = index.instances(advisory.ecosystem, &advisory.package);
        self.steps = self.steps.checked_sub(instances.len())?;
        let mut by_version: BTreeMap<&str, LockfileLines<'_>> = BTreeMap::new();
        for (file, at) in instances {
            let version = file.packages[at as usize].version.as_str();
            by_version.entry(version).or_default().push((file, at));
        }
        if advisory.version.is_empty() {
            self.ranges = self.ranges.checked_sub(by_version.len())?;
        }
        let is_affected = |version: &str| match advisory.version.as_str() {
            "" => range::contains(&advisory.range, version).unwrap_or(true),
            said => is_same_version(said, version),
        };
        let affected = by_version.into_iter().filter(|(v, _)| is_affected(v));
        let mut affected: BTreeMap<String, LockfileLines<'f>> =
            affected.map(|(v, at)| (v.to_owned(), at)).collect();
        if affected.is_empty() {
            affected.insert(advisory.version.clone(), Vec::new());
        }
        Some(affected)
    }
}

fn is_dev(advisory: &Advisory, at: &[(&Lockfile, u32)]) -> bool {
    if at.is_empty() {
        return advisory.dev.unwrap_or(false);
    }
    let mut locked = at.iter().map(|(file, n)| &file.packages[*n as usize]);
    locked.all(|package| package.dev)
}

/// Whether two versions are equal: `v1.2.3` is `1.2.3`; a version that is not pinned may be any.
fn is_same_version(reported: &str, version: &str) -> bool {
    version.is_empty() || reported.trim_start_matches('v') == version.trim_start_matches('v')
}

fn build_vulnerability<'f>(
    advisory: &Advisory,
    version: String,
    at: &[(&'f Lockfile, u32)],
    index: &mut LockIndex<'f>,
    most: usize,
) -> Vulnerability {
    let mut ways: Vec<Route> = Vec::new();
    for (file, number) in at {
        ways.extend(index.ways(file, *number, most).0);
    }
    // Files one after the other; routes that are not for development come first.
    ways.sort_by_key(|way| (way.dev, way.indirect, way.path.len()));
    let mut paths: Vec<Vec<String>> = ways.into_iter().map(|way| way.path).collect();
    if paths.is_empty() {
        paths.clone_from(&advisory.paths);
    }
    paths.truncate(most.max(1));
    let dev = is_dev(advisory, at);
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

/// Files and functions that use a package.
#[derive(Debug, Clone, Default)]
pub(super) struct Places {
    pub(super) files: Vec<FileUse>,
    pub(super) functions: Vec<FunctionUse>,
    /// How many are not listed.
    pub(super) left_out: usize,
}

/// Vulnerable functions, by each name under which the graph may know them.
struct Faults(FxHashSet<String>);

impl Faults {
    fn new(faults: &BTreeSet<String>) -> Faults {
        let mut names = FxHashSet::default();
        for fault in faults {
            let fault = fault.replace("::", ".");
            let starts = fault.match_indices('.').map(|(at, _)| at + 1);
            // The last parts identify the function.
            let starts: Vec<usize> = starts.collect();
            let from = starts.len().saturating_sub(MOST_PARTS);
            names.extend(starts[from..].iter().map(|at| fault[*at..].to_owned()));
            names.insert(fault);
        }
        Faults(names)
    }

    /// `time::OffsetDateTime::now` names the symbol that the graph calls `OffsetDateTime.now`.
    fn has(&self, symbol: &str) -> bool {
        !symbol.is_empty() && self.0.contains(symbol)
    }
}

/// Most parts of the name of a vulnerable function that are compared.
const MOST_PARTS: usize = 20;

/// Files and functions, those that use a vulnerable symbol first, and the number left out.
pub(super) fn group_uses<'u>(
    uses: impl Iterator<Item = &'u PackageUse>,
    faults: &BTreeSet<String>,
    most: usize,
) -> Places {
    let faults = Faults::new(faults);
    let mut files: BTreeMap<(bool, &str), InFile<'_>> = BTreeMap::new();
    let mut functions: BTreeMap<(bool, &str, u32, &str), InFunction<'_>> = BTreeMap::new();
    for place in uses {
        let file = files.entry((place.aside, &place.file_path)).or_default();
        file.line = file.line.map(|l| l.min(place.line)).or(Some(place.line));
        file.calls = file.calls.saturating_add(place.count);
        file.symbols.insert(&place.symbol);
        if let Some((name, line)) = &place.function {
            let key = (place.aside, place.file_path.as_str(), *line, name.as_str());
            let function = functions.entry(key).or_default();
            function.uses.insert(&place.symbol);
            function.at_fault |= faults.has(&place.symbol);
        }
    }
    let left = files.len().saturating_sub(most) + functions.len().saturating_sub(most);
    let files = files.into_iter().take(most);
    let files = files.map(|((_, path), file)| FileUse {
        file_path: path.to_owned(),
        line: file.line.unwrap_or_default(),
        calls: file.calls,
        symbols: first_symbols(file.symbols),
    });
    let mut functions: Vec<_> = functions.into_iter().collect();
    functions.sort_by_key(|(_, function)| !function.at_fault);
    let functions = functions.into_iter().take(most);
    let functions = functions.map(|((_, path, line, name), function)| FunctionUse {
        symbol: name.to_owned(),
        file_path: path.to_owned(),
        line,
        uses: first_symbols(function.uses),
        at_fault: function.at_fault,
    });
    Places {
        files: files.collect(),
        functions: functions.collect(),
        left_out: left,
    }
}

/// Uses of a package in a file.
#[derive(Default)]
struct InFile<'u> {
    line: Option<u32>,
    calls: u32,
    symbols: BTreeSet<&'u str>,
}

/// Uses of a package in a function.
#[derive(Default)]
struct InFunction<'u> {
    uses: BTreeSet<&'u str>,
    at_fault: bool,
}

/// Symbols by name, and how many more there are.
fn first_symbols(mut symbols: BTreeSet<&str>) -> Vec<String> {
    symbols.remove("");
    let more = symbols.len().saturating_sub(MOST_SYMBOLS);
    let names = symbols.into_iter().take(MOST_SYMBOLS).map(str::to_owned);
    let more = (more > 0).then(|| format!("… ({more} more)"));
    names.chain(more).collect()
}

/// Traces a package: its origin and its users.
pub fn trace_package(
    package: &str,
    files: &[Lockfile],
    uses: &[PackageUse],
    most_paths: usize,
    most_places: usize,
) -> Trace {
    let mut index = LockIndex::new(files);
    let at = index.instances(None, package);
    let importers: Vec<ImportMatcher> = named_by(&index, package)
        .into_iter()
        .map(|(ecosystem, name)| ImportMatcher::new(ecosystem, &name, files))
        .collect();
    let found = at.iter().map(|(file, number)| {
        let locked = &file.packages[*number as usize];
        let (paths, total_paths) = index.ways(file, *number, most_paths);
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
    let mut found: Vec<TracedPackage> = found.collect();
    // The project's own lock file comes before those of tools and examples inside it.
    found.sort_by_key(|package| package.lock_file.matches('/').count());
    let named = |external: &str| importers.iter().any(|i| i.refers_to_package(external));
    let mut known: BTreeMap<&str, bool> = BTreeMap::new();
    let used = uses.iter().filter(|u| {
        let known = known.entry(&u.package).or_insert_with(|| named(&u.package));
        u.package == package || *known
    });
    let places = group_uses(used, &BTreeSet::new(), most_places);
    Trace {
        package: package.to_owned(),
        found,
        affected_files: places.files,
        functions: places.functions,
        places_left_out: places.left_out,
        ways_left_out: index.ways_left_out,
    }
}
