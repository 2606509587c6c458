//! Finds the files to index: gitignore rules honoured, links not followed, nothing outside read.

use crate::IngestError;
use base::Language;
use ignore::WalkBuilder;
use std::collections::BTreeMap;
use std::path::Path;
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
    keep: &dyn Fn(&str) -> bool,
) -> Result<(Walked, Vec<FoundText>), IngestError> {
    if !root.is_dir() {
        return Err(IngestError::NoProject(root.display().to_string()));
    }
    let (mut walked, mut texts) = (Walked::default(), Vec::new());
    for entry in walker(root) {
        match entry {
            Ok(entry) => {
                visit(root, &entry, max_file_size, &mut walked);
                texts.extend(text(root, &entry, max_file_size, keep));
            }
            Err(error) => walked.problems.push(error.to_string()),
        }
    }
    walked.files.sort_by(|a, b| a.path.cmp(&b.path));
    walked.manifests.sort_by(|a, b| a.path.cmp(&b.path));
    walked.manifests.dedup_by(|a, b| a.path == b.path);
    texts.sort_by(|a, b| a.path.cmp(&b.path));
    Ok((walked, texts))
}

fn walker(root: &Path) -> ignore::Walk {
    WalkBuilder::new(root)
        .hidden(false)
        .follow_links(false)
        .require_git(false)
        .filter_entry(|entry| {
            let name = entry.file_name().to_str().unwrap_or("");
            !(entry.file_type().is_some_and(|t| t.is_dir()) && is_never_walked(name))
        })
        .build()
}

/// Whether folders of that name are passed over wherever they are.
pub fn is_never_walked(name: &str) -> bool {
    NEVER.contains(&name)
}

/// Shows every folder that [`walk`] enters, before its entries are listed, until `visit` says no.
pub fn folders(root: &Path, visit: &mut dyn FnMut(&Path) -> bool) {
    for entry in walker(root).flatten() {
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
    keep: &dyn Fn(&str) -> bool,
) -> Result<Vec<FoundText>, IngestError> {
    if !root.is_dir() {
        return Err(IngestError::NoProject(root.display().to_string()));
    }
    let entries = walker(root).flatten();
    let mut found: Vec<FoundText> = entries
        .filter_map(|entry| text(root, &entry, max_file_size, keep))
        .collect();
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

fn text(
    root: &Path,
    entry: &ignore::DirEntry,
    max_file_size: u64,
    keep: &dyn Fn(&str) -> bool,
) -> Option<FoundText> {
    if !entry.file_type().is_some_and(|t| t.is_file()) {
        return None;
    }
    let path = entry.path().strip_prefix(root).ok()?.to_str()?;
    let meta = keep(path).then(|| entry.metadata().ok()).flatten()?;
    (meta.len() <= max_file_size).then(|| FoundText {
        path: path.replace(std::path::MAIN_SEPARATOR, "/"),
        size: meta.len(),
        mtime_ns: mtime_ns(&meta),
    })
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

/// Size and time of change of a regular file.
pub(crate) fn file_stamp(path: &Path) -> Option<(u64, i64)> {
    let meta = path.symlink_metadata().ok()?;
    meta.is_file().then(|| (meta.len(), mtime_ns(&meta)))
}

fn mtime_ns(meta: &std::fs::Metadata) -> i64 {
    meta.modified()
        .ok()
        .and_then(|t| t.duration_since(UNIX_EPOCH).ok())
        .map_or(0, |d| d.as_nanos().min(i64::MAX as u128) as i64)
}

fn visit(root: &Path, entry: &ignore::DirEntry, max_file_size: u64, walked: &mut Walked) {
    if entry.file_type().is_some_and(|t| t.is_dir()) {
        package_manifest(root, entry.path(), walked);
        return;
    }
    // A regular file only: no directory, link, FIFO, socket or device.
    if !entry.file_type().is_some_and(|t| t.is_file()) {
        return;
    }
    let Ok(relative) = entry.path().strip_prefix(root) else {
        return;
    };
    let Some(path) = relative.to_str() else {
        let shown = relative.to_string_lossy().into_owned();
        if Language::of_path(&shown).is_some() {
            walked.skipped.insert(shown, "name is not UTF-8");
        }
        return;
    };
    let path = if std::path::MAIN_SEPARATOR == '/' {
        path.to_owned()
    } else {
        path.replace('\\', "/")
    };
    let language = Language::of_path(&path);
    let manifest = is_manifest(&path);
    if language.is_none() && !manifest {
        return;
    }
    let meta = match entry.metadata() {
        Ok(meta) => meta,
        Err(error) => {
            walked.problems.push(format!("{path}: {error}"));
            return;
        }
    };
    let mtime_ns = mtime_ns(&meta);
    if manifest && meta.len() <= MAX_MANIFEST {
        walked.manifests.push(FoundManifest {
            path: path.clone(),
            size: meta.len(),
            mtime_ns,
        });
    }
    if let Some(language) = language {
        if meta.len() > max_file_size {
            walked.skipped.insert(path, "larger than --max-file-size");
        } else {
            walked.files.push(FoundFile {
                path,
                language,
                size: meta.len(),
                mtime_ns,
            });
        }
    }
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
