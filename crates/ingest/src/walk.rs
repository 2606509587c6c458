//! Finds the files to index: gitignore rules honoured, links not followed, nothing outside read.

use crate::IngestError;
use base::Language;
use ignore::{DirEntry, ParallelVisitor, ParallelVisitorBuilder, WalkBuilder, WalkState};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::UNIX_EPOCH;

/// A source file that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundFile {
    /// Path in the project, with `/`.
    pub path: String,
    /// Its language.
    pub language: Language,
    /// Bytes.
    pub size: u64,
    /// Time of last change, nanoseconds since 1970.
    pub mtime_ns: i64,
}

/// A file of any kind that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundText {
    /// Path in the project, with `/`.
    pub path: String,
    /// Bytes.
    pub size: u64,
    /// Time of last change, nanoseconds since 1970.
    pub mtime_ns: i64,
}

/// What a walk found.
#[derive(Debug, Clone, Default)]
pub struct Walked {
    /// Source files, sorted by path.
    pub files: Vec<FoundFile>,
    /// Manifests (`package.json`, `go.mod`, …), sorted by path.
    pub manifests: Vec<FoundManifest>,
    /// Files passed over, by path, with the reason.
    pub skipped: BTreeMap<String, &'static str>,
    /// Entries that could not be read, as messages.
    pub problems: Vec<String>,
}

/// A manifest that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundManifest {
    /// Path in the project, with `/`.
    pub path: String,
    /// Bytes.
    pub size: u64,
    /// Time of last change, nanoseconds since 1970.
    pub mtime_ns: i64,
}

/// Folders that are never walked, whatever the ignore files say.
const NEVER: &[&str] = &[
    ".git",
    ".devbooks",
    ".hg",
    ".svn",
    "node_modules",
    "__pycache__",
    ".venv",
    ".tox",
];

/// Largest manifest that is read.
const MAX_MANIFEST: u64 = 4 << 20;

const MANIFESTS: &[&str] = &[
    "package.json",
    "pnpm-workspace.yaml",
    "jsconfig.json",
    "go.mod",
    "go.work",
    "Cargo.toml",
    "pyproject.toml",
    "setup.cfg",
    "setup.py",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "settings.gradle",
    "settings.gradle.kts",
];

/// Whether the file at that path is a manifest that linking reads.
pub fn is_manifest(path: &str) -> bool {
    let mut segments = path.rsplit('/');
    let name = segments.next().unwrap_or(path);
    if MANIFESTS.contains(&name) {
        return true;
    }
    // Configurations that others extend have any name, in a folder of such.
    let shared = |dir: &str| dir.contains("tsconfig") || dir.contains("typescript-config");
    name.ends_with(".json") && (name.contains("tsconfig") || segments.next().is_some_and(shared))
}

/// Walks the project. Files over `max_file_size` bytes are passed over and said so.
pub fn walk(root: &Path, max_file_size: u64) -> Result<Walked, IngestError> {
    walk_with_texts(root, max_file_size, &|_| false).map(|(walked, _)| walked)
}

/// What [`walk`] and [`texts`] find, in one walk.
pub(crate) fn walk_with_texts(
    root: &Path,
    max_file_size: u64,
    keep: &(dyn Fn(&str) -> bool + Sync),
) -> Result<(Walked, Vec<FoundText>), IngestError> {
    let Finds {
        mut walked,
        mut texts,
    } = find(root, max_file_size, keep, true)?;
    walked.files.sort_by(|a, b| a.path.cmp(&b.path));
    walked.manifests.sort_by(|a, b| a.path.cmp(&b.path));
    walked.manifests.dedup_by(|a, b| a.path == b.path);
    walked.problems.sort();
    texts.sort_by(|a, b| a.path.cmp(&b.path));
    Ok((walked, texts))
}

/// What one thread found, in no order.
#[derive(Default)]
struct Finds {
    walked: Walked,
    texts: Vec<FoundText>,
}

/// What one thread looks for; what it found is added to the whole when it ends.
struct Finder<'w> {
    root: &'w Path,
    max_file_size: u64,
    keep: &'w (dyn Fn(&str) -> bool + Sync),
    with_sources: bool,
    own: Finds,
    all: &'w Mutex<Finds>,
}

impl Drop for Finder<'_> {
    fn drop(&mut self) {
        let own = std::mem::take(&mut self.own);
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        all.walked.files.extend(own.walked.files);
        all.walked.manifests.extend(own.walked.manifests);
        all.walked.skipped.extend(own.walked.skipped);
        all.walked.problems.extend(own.walked.problems);
        all.texts.extend(own.texts);
    }
}

impl ParallelVisitor for Finder<'_> {
    fn visit(&mut self, entry: Result<DirEntry, ignore::Error>) -> WalkState {
        match entry {
            Ok(entry) => self.entry(&entry),
            Err(error) => self.own.walked.problems.push(error.to_string()),
        }
        WalkState::Continue
    }
}

impl<'w> ParallelVisitorBuilder<'w> for Finder<'w> {
    fn build(&mut self) -> Box<dyn ParallelVisitor + 'w> {
        Box::new(Finder {
            own: Finds::default(),
            ..*self
        })
    }
}

/// Walks with as many threads as there are processors, a few at most: it is the system that is busy.
fn find(
    root: &Path,
    max_file_size: u64,
    keep: &(dyn Fn(&str) -> bool + Sync),
    with_sources: bool,
) -> Result<Finds, IngestError> {
    if !root.is_dir() {
        return Err(IngestError::NoProject(root.display().to_string()));
    }
    let all = Mutex::new(Finds::default());
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get().min(4));
    walker(root)
        .threads(threads)
        .build_parallel()
        .visit(&mut Finder {
            root,
            max_file_size,
            keep,
            with_sources,
            own: Finds::default(),
            all: &all,
        });
    Ok(all.into_inner().unwrap_or_else(PoisonError::into_inner))
}

fn walker(root: &Path) -> WalkBuilder {
    let mut builder = WalkBuilder::new(root);
    builder
        .hidden(false)
        .follow_links(false)
        .require_git(false)
        .filter_entry(|entry| {
            let name = entry.file_name().to_str().unwrap_or("");
            !(entry.file_type().is_some_and(|t| t.is_dir()) && is_never_walked(name))
        });
    builder
}

/// Whether a path has no control characters. One with line ends could pass for lines of ours wherever it is shown; such
/// files are passed over.
pub fn is_readable_name(path: &str) -> bool {
    !path.bytes().any(|byte| byte.is_ascii_control())
}

/// Whether folders of that name are passed over wherever they are.
pub fn is_never_walked(name: &str) -> bool {
    NEVER.contains(&name)
}

/// Shows every folder that [`walk`] enters, before its entries are listed, until `visit` says no.
pub fn folders(root: &Path, visit: &mut dyn FnMut(&Path) -> bool) {
    for entry in walker(root).build().flatten() {
        if entry.file_type().is_some_and(|t| t.is_dir()) && !visit(entry.path()) {
            return;
        }
    }
}

/// Every regular file of at most `max_file_size` bytes whose path `keep` takes, by the rules of [`walk`], sorted
/// by path.
pub fn texts(
    root: &Path,
    max_file_size: u64,
    keep: &(dyn Fn(&str) -> bool + Sync),
) -> Result<Vec<FoundText>, IngestError> {
    let mut found = find(root, max_file_size, keep, false)?.texts;
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

/// Some repositories ignore `package.json` for the sake of generated ones, yet track their own.
fn package_manifest(root: &Path, dir: &Path, walked: &mut Walked) {
    let at = dir.join("package.json");
    let Ok(meta) = at.symlink_metadata() else {
        return;
    };
    let relative = at.strip_prefix(root).ok().and_then(Path::to_str);
    let Some(relative) = relative.filter(|_| meta.is_file() && meta.len() <= MAX_MANIFEST) else {
        return;
    };
    walked.manifests.push(FoundManifest {
        path: relative.replace('\\', "/"),
        size: meta.len(),
        mtime_ns: mtime_ns(&meta),
    });
}

/// Size and time of change, nanoseconds since 1970.
pub type Stamp = (u64, i64);

/// Size and time of change of a regular file.
pub fn file_stamp(path: &Path) -> Option<Stamp> {
    stamp_of(&path.symlink_metadata().ok()?)
}

/// The same of what the system says; none where that is no regular file.
pub fn stamp_of(meta: &std::fs::Metadata) -> Option<Stamp> {
    meta.is_file().then(|| (meta.len(), mtime_ns(meta)))
}

fn mtime_ns(meta: &std::fs::Metadata) -> i64 {
    meta.modified()
        .ok()
        .and_then(|t| t.duration_since(UNIX_EPOCH).ok())
        .map_or(0, |d| d.as_nanos().min(i64::MAX as u128) as i64)
}

impl Finder<'_> {
    fn entry(&mut self, entry: &DirEntry) {
        let kind = entry.file_type();
        if kind.is_some_and(|t| t.is_dir()) {
            if self.with_sources {
                package_manifest(self.root, entry.path(), &mut self.own.walked);
            }
            return;
        }
        // A regular file only: no directory, link, FIFO, socket or device.
        if !kind.is_some_and(|t| t.is_file()) {
            return;
        }
        let Ok(relative) = entry.path().strip_prefix(self.root) else {
            return;
        };
        let Some(path) = relative.to_str() else {
            let shown = relative.to_string_lossy().into_owned();
            if Language::of_path(&shown).is_some() {
                let reason = "name is not UTF-8";
                self.own.walked.skipped.insert(shown, reason);
            }
            return;
        };
        let path = match std::path::MAIN_SEPARATOR {
            '/' => path.to_owned(),
            _ => path.replace('\\', "/"),
        };
        if !is_readable_name(&path) {
            if Language::of_path(&path).is_some() {
                let reason = "name has control characters";
                self.own.walked.skipped.insert(path, reason);
            }
            return;
        }
        self.file(path, entry);
    }

    fn file(&mut self, path: String, entry: &DirEntry) {
        let language = Language::of_path(&path).filter(|_| self.with_sources);
        let manifest = self.with_sources && is_manifest(&path);
        let is_text = (self.keep)(&path);
        if language.is_none() && !manifest && !is_text {
            return;
        }
        let meta = match entry.metadata() {
            Ok(meta) => meta,
            Err(error) => {
                if language.is_some() || manifest {
                    let problem = format!("{path}: {error}");
                    self.own.walked.problems.push(problem);
                }
                return;
            }
        };
        let (size, mtime_ns) = (meta.len(), mtime_ns(&meta));
        if is_text && size <= self.max_file_size {
            self.own.texts.push(FoundText {
                path: path.clone(),
                size,
                mtime_ns,
            });
        }
        let walked = &mut self.own.walked;
        if manifest && size <= MAX_MANIFEST {
            walked.manifests.push(FoundManifest {
                path: path.clone(),
                size,
                mtime_ns,
            });
        }
        match language {
            Some(_) if size > self.max_file_size => {
                walked.skipped.insert(path, "larger than --max-file-size");
            }
            Some(language) => walked.files.push(FoundFile {
                path,
                language,
                size,
                mtime_ns,
            }),
            None => {}
        }
    }
}

/// What tells a file from another one that has its name; none where there is no file.
#[cfg(unix)]
pub fn file_id(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    let found = path.metadata().ok()?;
    Some((found.dev(), found.ino()))
}

/// What tells a file from another one that has its name; none where there is no file.
#[cfg(not(unix))]
pub fn file_id(path: &Path) -> Option<(u64, u64)> {
    let made = path.metadata().ok()?.created().ok()?;
    let since = made.duration_since(std::time::UNIX_EPOCH).ok()?;
    Some((since.as_secs(), u64::from(since.subsec_nanos())))
}

#[cfg(test)]
mod tests {
    use super::is_manifest;

    #[test]
    fn shared_compiler_configurations_are_manifests() {
        for (path, expected) in [
            ("a/tsconfig.app.json", true),
            ("base.tsconfig.json", true),
            ("tools/typescript-config/base.json", true),
            ("typescript-config/deep/base.json", false),
            ("src/base.json", false),
            ("go.work", true),
            ("tsconfig.ts", false),
        ] {
            assert_eq!(is_manifest(path), expected, "{path}");
        }
    }
}
