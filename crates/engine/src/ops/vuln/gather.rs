//! Input of the analysis: the project's lock files, and the places that use the packages in question.

use super::super::boundary::FileRoleRules;
use super::LockFileInfo;
use crate::EngineError;
use crate::project::Project;
use crate::session::Session;
use crate::workspace::Workspace;
use analysis::lockfiles::{self, Ecosystem, LockProblem, Lockfile, Manifests};
use analysis::vuln::{Advisory, ImportMatcher, ImporterIndex, PackageUse, Trace};
use base::SymbolKind;
use std::collections::{BTreeMap, BTreeSet};
use store::Name;

/// The most bytes of a lock file.
const LARGEST: u64 = 16 << 20;
/// The most bytes of a manifest.
const LARGEST_MANIFEST: u64 = 4 << 20;
/// The most bytes of all manifests together, and of all lock files; further ones are not read.
const MOST_BYTES: usize = 64 << 20;
/// The most lock files that are read.
const MOST_FILES: usize = 500;
/// The most files that lists of requirements include.
const MOST_INCLUDED: usize = 100;
/// The most names offered for an unknown one.
const OFFERED: usize = 5;

/// The project's lock files.
#[derive(Default)]
pub(super) struct LockfileSet {
    pub(super) files: Vec<Lockfile>,
    pub(super) problems: Vec<LockProblem>,
}

impl LockfileSet {
    /// The lock files in a folder of the project and below.
    pub(super) fn read(workspace: &Workspace, folder: &str) -> Result<LockfileSet, EngineError> {
        let project = workspace.project();
        let prefix = match folder {
            "" => String::new(),
            folder => format!("{folder}/"),
        };
        let wanted = |path: &str| {
            lockfiles::is_lock_file(path)
                || lockfiles::is_manifest(path)
                || lockfiles::manager_of_unread(path).is_some()
        };
        // Those that are too large are named.
        let mut paths: BTreeSet<String> =
            ingest::walk::large_texts(&project.root, u64::MAX, &wanted)?
                .into_iter()
                .map(|found| found.path)
                .collect();
        paths.extend(find_ignored_lockfiles(project, folder, &prefix));
        let is_inside = |path: &String| path.starts_with(&prefix);
        let mut locks = LockfileSet::default();
        let manifests = paths.iter().filter(|path| lockfiles::is_manifest(path));
        let manifests = locks.read_texts(project, manifests, LARGEST_MANIFEST, |_, path, text| {
            Some((path.to_owned(), text))
        });
        let manifests: Manifests = manifests.into_iter().collect();
        let files = paths.iter().filter(|path| lockfiles::is_lock_file(path));
        let files: Vec<&String> = files.filter(|path| is_inside(path)).collect();
        let more = files.len().saturating_sub(MOST_FILES);
        let mut included = Vec::new();
        let files = files.into_iter().take(MOST_FILES);
        locks.files = locks.read_texts(project, files, LARGEST, |locks, path, text| {
            included.extend(lockfiles::included_files(path, &text));
            let read = lockfiles::read(path, &text, &manifests);
            read.map_err(|problem| locks.problems.push(problem)).ok()
        });
        locks.read_included(project, included);
        let unread = paths.iter().filter(|path| is_inside(path));
        locks.name_unread(unread, more);
        // A file can be both a lock file and a manifest.
        let mut known = BTreeSet::new();
        locks.problems.retain(|p| known.insert(p.file_path.clone()));
        Ok(locks)
    }

    /// Reads the files that lists of requirements include, and those that these include.
    fn read_included(&mut self, project: &Project, mut included: Vec<String>) {
        let mut seen: BTreeSet<String> = self.files.iter().map(|f| f.path.clone()).collect();
        seen.extend(
            self.problems
                .iter()
                .map(|problem| problem.file_path.clone()),
        );
        let mut tried = 0;
        while let Some(path) = included.pop() {
            if !seen.insert(path.clone()) {
                continue;
            }
            tried += 1;
            let read = if tried > MOST_INCLUDED {
                Err(TextError::TooManyIncluded)
            } else {
                read_text(project, &path, LARGEST)
            };
            match read.map(|text| (lockfiles::read_requirements(&path, &text), text)) {
                Ok((Ok(file), text)) => {
                    included.extend(lockfiles::included_files(&path, &text));
                    self.files.push(file);
                }
                Ok((Err(problem), _)) => self.problems.push(problem),
                Err(error) => self.problems.push(LockProblem {
                    file_path: path,
                    line: None,
                    reason: error.to_string(),
                }),
            }
            if tried > MOST_INCLUDED {
                return;
            }
        }
    }

    /// Names lock files that are not read: what is not known is not taken for not there.
    fn name_unread<'p>(&mut self, paths: impl Iterator<Item = &'p String>, more: usize) {
        let unread = paths.filter_map(|path| Some((path, lockfiles::manager_of_unread(path)?)));
        let unread: Vec<(&String, &str)> = unread.collect();
        let named = unread.iter().take(MOST_FILES);
        self.problems
            .extend(named.map(|(path, manager)| LockProblem {
                file_path: (*path).clone(),
                line: None,
                reason: format!("lock files of {manager} are not read"),
            }));
        let more = more + unread.len().saturating_sub(MOST_FILES);
        if more > 0 {
            self.problems.push(LockProblem {
                file_path: "further files".to_owned(),
                line: None,
                reason: format!("{more} more lock files than the limit of {MOST_FILES}"),
            });
        }
    }

    /// The results of `read` for the texts of the files. A file that is too large or unreadable becomes a problem.
    fn read_texts<'p, T>(
        &mut self,
        project: &Project,
        paths: impl Iterator<Item = &'p String>,
        largest: u64,
        mut read: impl FnMut(&mut LockfileSet, &str, String) -> Option<T>,
    ) -> Vec<T> {
        let mut left = MOST_BYTES;
        let mut found = Vec::new();
        for path in paths {
            let reason = match read_text(project, path, largest) {
                Ok(text) if text.len() <= left => {
                    left -= text.len();
                    found.extend(read(self, path, text));
                    continue;
                }
                Ok(_) => format!("the files before it take {} MB", MOST_BYTES >> 20),
                Err(error) => error.to_string(),
            };
            self.problems.push(LockProblem {
                file_path: path.clone(),
                line: None,
                reason,
            });
        }
        found
    }

    pub(super) fn to_infos(&self) -> Vec<LockFileInfo> {
        let info = |file: &Lockfile| LockFileInfo {
            file_path: file.path.clone(),
            format: file.format.clone(),
            ecosystem: file.ecosystem.as_str().to_owned(),
            packages: file.packages.len(),
        };
        self.files.iter().map(info).collect()
    }

    /// Whether there is a lock file of the ecosystem.
    pub(super) fn has_ecosystem(&self, ecosystem: Ecosystem) -> bool {
        self.files.iter().any(|file| file.ecosystem == ecosystem)
    }

    /// A note on the lock files that were searched for a package, and on those that could not be read.
    pub(super) fn searched_files_note(&self) -> String {
        let few = |paths: Vec<&str>| match paths.len() {
            0..=OFFERED => paths.join(", "),
            n => format!("{} and {} more", paths[..OFFERED].join(", "), n - OFFERED),
        };
        let read = few(self.files.iter().map(|f| f.path.as_str()).collect());
        let problems = self.problems.iter().take(OFFERED);
        let unread: Vec<String> = problems.map(|p| format!("not read: {p}")).collect();
        match (read.is_empty(), unread.is_empty()) {
            (true, true) => "there is no lock file in the project".to_owned(),
            (true, false) => unread.join("; "),
            (false, true) => format!("looked in {read}"),
            (false, false) => format!("looked in {read}; {}", unread.join("; ")),
        }
    }

    /// Packages with names similar to a name.
    pub(super) fn similar_packages(&self, name: &str) -> Vec<String> {
        let lower = name.to_lowercase();
        let names = self.files.iter().flat_map(|f| &f.packages);
        let names: BTreeSet<&str> = names.map(|p| p.name.as_str()).collect();
        let mut near: Vec<(usize, &str)> = names
            .into_iter()
            .filter_map(|known| {
                let other = known.to_lowercase();
                let distance = strsim::levenshtein(&lower, &other);
                let contains = lower.len() > 2 && other.contains(&lower);
                let far = 1 + lower.chars().count() / 4;
                (contains || distance <= far).then_some((distance, known))
            })
            .collect();
        near.sort_unstable();
        near.truncate(OFFERED);
        near.into_iter().map(|(_, name)| name.to_owned()).collect()
    }
}

/// Lock files in the folder itself that are ignored by version control: libraries often keep theirs out of it.
fn find_ignored_lockfiles(project: &Project, folder: &str, prefix: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut visit = |name: &std::ffi::OsStr, _kind| {
        let name = name.to_str().unwrap_or_default();
        if lockfiles::is_lock_file(name)
            || lockfiles::is_manifest(name)
            || lockfiles::manager_of_unread(name).is_some()
        {
            found.push(format!("{prefix}{name}"));
        }
        true
    };
    let opened = guard::Folder::open(&project.root).and_then(|root| root.open_folder(folder));
    // A folder that cannot be listed has no lock files.
    let _ = opened.and_then(|folder| folder.visit_entries(&mut visit));
    found.sort();
    found
}

/// The reason why the text of a file is not read.
#[derive(Debug, thiserror::Error)]
pub(super) enum TextError {
    #[error("{}", .0.reason())]
    Unreadable(guard::OpenError),
    #[error("no UTF-8 text")]
    NotText,
    #[error("more than {MOST_INCLUDED} included files")]
    TooManyIncluded,
}

/// The text of a file of the project of at most `largest` bytes.
fn read_text(project: &Project, path: &str, largest: u64) -> Result<String, TextError> {
    let bytes = project.read(path, largest);
    let bytes = bytes.map_err(TextError::Unreadable)?;
    String::from_utf8(bytes).map_err(|_| TextError::NotText)
}

/// The text of a lock file of the project.
pub(super) fn read_lock_text(project: &Project, path: &str) -> Result<String, TextError> {
    read_text(project, path, LARGEST)
}

/// The places where the packages of the advisories are used.
pub(super) fn find_package_uses(
    session: &Session<'_>,
    files: &[Lockfile],
    advisories: &[Advisory],
) -> Result<Vec<PackageUse>, EngineError> {
    let importers = import_matchers(files, advisories);
    let names: BTreeSet<&str> = advisories.iter().map(|a| a.package.as_str()).collect();
    let mut wanted = |package: &str| names.contains(package) || importers.means(package);
    let records = if advisories.is_empty() {
        Vec::new()
    } else {
        session.store().externals_of_packages(&mut wanted)?
    };
    let indexed = session.store().indexed_files()?;
    let file_roles = FileRoleRules::for_project(session.workspace(), indexed.len());
    let aside = |path: &str| {
        let kind = indexed.get(path).map(|record| file_roles.of_record(record));
        kind.is_some_and(|kind| kind != "user")
    };
    let mut known: BTreeMap<String, Option<Name>> = BTreeMap::new();
    let mut found = Vec::with_capacity(records.len());
    for record in records {
        if !known.contains_key(&record.source_id) {
            let node = session.names().by_id(&record.source_id)?;
            known.insert(record.source_id.clone(), node);
        }
        let node = known.get(&record.source_id).and_then(Option::as_ref);
        let is_function =
            |node: &&Name| SymbolKind::parse(&node.kind).is_some_and(SymbolKind::is_callable);
        let node = node.filter(is_function);
        found.push(PackageUse {
            aside: aside(&record.file_path),
            package: record.package,
            symbol: record.symbol,
            file_path: record.file_path,
            line: record.line,
            count: record.count,
            function: node.map(|n| {
                (
                    n.qualified_or_symbol().to_owned(),
                    n.line_start.unwrap_or(0),
                )
            }),
        });
    }
    found.sort_by(|a, b| (&a.file_path, a.line, &a.symbol).cmp(&(&b.file_path, b.line, &b.symbol)));
    Ok(found)
}

fn import_matchers(files: &[Lockfile], advisories: &[Advisory]) -> ImporterIndex {
    let mut pairs: BTreeSet<(Ecosystem, &str)> = BTreeSet::new();
    let here: BTreeSet<Ecosystem> = files.iter().map(|f| f.ecosystem).collect();
    for advisory in advisories {
        match advisory.ecosystem {
            Some(ecosystem) => drop(pairs.insert((ecosystem, &advisory.package))),
            None => pairs.extend(here.iter().map(|e| (*e, advisory.package.as_str()))),
        }
    }
    ImportMatcher::index(&pairs, files)
}

/// A note on languages whose imports are not in the graph.
pub(super) fn missing_imports_note(trace: &Trace) -> Option<String> {
    let blind = [Ecosystem::Packagist, Ecosystem::RubyGems];
    let found = trace.found.iter().find(|f| blind.contains(&f.ecosystem))?;
    Some(format!(
        "users of packages of {} are not known: imports of this language are not read",
        found.ecosystem.as_str()
    ))
}
