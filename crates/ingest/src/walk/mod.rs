//! Finds the files to index. It honours gitignore rules, follows no links, and reads nothing outside.

mod first;
mod outer;
mod rules;
#[cfg(test)]
mod tests;
mod tracked;
mod tree;

use crate::IngestError;
use base::language::FIRST_LINE;
use base::{LONGEST_PATH, Language};
use first::{First, LeftOutCounts, MOST_LONG, Order};
use guard::Folder;
use guard::list::Kind;
pub(crate) use outer::OuterRules;
use std::collections::BTreeMap;
use std::path::Path;
pub(crate) use tracked::TrackedState;
use tree::{CurrentFolder, Visit, WalkEntry};

/// A source file that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundFile {
    /// Path in the project, with `/`.
    pub path: String,
    /// Its language.
    pub language: Language,
    /// Bytes.
    pub size: u64,
    /// Time of last change of its content, nanoseconds since 1970.
    pub mtime_ns: i64,
    /// When content or entry changed last, nanoseconds since 1970.
    pub touched_ns: i64,
    /// See [`guard::list::Stamp::stat`].
    pub stat: i64,
}

/// A file of any kind that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundText {
    /// Path in the project, with `/`.
    pub path: String,
    /// Bytes.
    pub size: u64,
    /// See [`guard::list::Stamp::stat`].
    pub stat: i64,
}

/// Result of a walk.
#[derive(Debug, Clone, Default)]
pub struct Walked {
    /// Source files, sorted by path.
    pub files: Vec<FoundFile>,
    /// Manifests (`package.json`, `go.mod`, …), sorted by path.
    pub manifests: Vec<FoundManifest>,
    /// Files skipped, by path, with the reason.
    pub skipped: BTreeMap<String, &'static str>,
    /// Number of further files that are left out because of the memory ceiling, by reason.
    pub left_out: BTreeMap<&'static str, u32>,
    /// Number of further files that are skipped without being named, by reason.
    pub unnamed: BTreeMap<&'static str, u32>,
    /// The first files that are too large on their own.
    pub too_large: Vec<String>,
    /// Entries that could not be read, as messages.
    pub problems: Vec<String>,
    /// Files among these that have several names, unordered; at most `MOST_LINKED`.
    pub linked: Vec<FoundText>,
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

/// Why a file in a language without a grammar is not searched.
const LARGE_TEXT: &str = "no grammar, and larger than 1 MiB: not searched";
/// Why a large file of another kind is not searched. It has no code that the graph could miss.
pub const LARGE_OTHER: &str = "larger than 1 MiB: not searched";
/// Reason for skipping a file, or everything in a folder.
const LONG_PATH: &str = "path longer than 1,024 bytes";
const LONG_FOLDER: &str = "folder with a path longer than 1,024 bytes";
/// Reason for skipping files with long paths, if there are many.
const LONG_TOGETHER: &str = "long paths, more than 24 MiB together";
const _: () = assert!(LONGEST_PATH == 1_024 && MOST_LONG == 24 << 20);

/// Most bytes of a manifest that is read.
const MAX_MANIFEST: u64 = 4 << 20;
/// The same of one that programs write, with an entry for each source, and that is read entry by entry.
const MAX_LISTING: u64 = 48 << 20;
/// Such manifests.
const LISTINGS: [&str; 1] = ["compile_commands.json"];

/// Bytes of all manifests together: they are kept in memory.
const MOST_MANIFESTS: u64 = 64 << 20;

/// Most files with several names that are checked one by one; with more, a walk is as good.
pub(crate) const MOST_LINKED: usize = 2_000;

/// Most messages about entries that could not be read; the first ones are kept.
const MOST_PROBLEMS: usize = 200;

/// Whether the file at that path is a manifest that linking reads.
pub fn is_manifest(path: &str) -> bool {
    let mut profiles = Language::ALL.iter().map(|language| language.profile());
    profiles.any(|profile| profile.files.is_manifest(path))
}

/// Whether it is a manifest with an entry for each source.
fn is_listing(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    LISTINGS.contains(&name)
}

/// Limits of a walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Larger sources of a known language are skipped. Bytes.
    pub file_size: u64,
    /// Larger files of other kinds are skipped. Bytes.
    pub text_size: u64,
    /// Most files; those in the fewest folders are taken first.
    pub files: usize,
}

/// Files of no known language above this size are data.
const MAX_TEXT: u64 = 1 << 20;
/// Least memory that an index takes for each file, in bytes: a ceiling is divided by it.
const PER_FILE: u64 = 4 << 10;
/// Most files that are taken without a ceiling.
const MOST_FILES: usize = 2_000_000;
/// Number of files that are tried under any ceiling.
const LEAST_FILES: usize = 20_000;

impl Limits {
    /// Largest size of a file at that path that is indexed.
    pub fn size_for(&self, path: &str) -> u64 {
        match Language::from_path(path) {
            Some(_) => self.file_size,
            None => self.text_size,
        }
    }

    /// Limits for an index that may take that much memory.
    pub fn new(file_size: u64, memory: Option<u64>) -> Limits {
        let files = memory.map_or(MOST_FILES as u64, |memory| memory / PER_FILE);
        Limits {
            file_size,
            text_size: file_size.min(MAX_TEXT),
            files: (files as usize).clamp(LEAST_FILES, MOST_FILES),
        }
    }
}

/// Walks the project. Files over `max_file_size` bytes are skipped and listed as such.
pub fn walk_project(root: &Path, max_file_size: u64) -> Result<Walked, IngestError> {
    walk_within(root, Limits::new(max_file_size, None))
}

/// Walks the project within limits.
pub(crate) fn walk_within(root: &Path, limits: Limits) -> Result<Walked, IngestError> {
    walk_with_texts(root, limits, &|_| false).map(|(walked, _)| walked)
}

/// The results of [`walk_project`] and [`texts`], in one walk.
pub(crate) fn walk_with_texts(
    root: &Path,
    limits: Limits,
    keep: &(dyn Fn(&str) -> bool + Sync),
) -> Result<(Walked, Vec<FoundText>), IngestError> {
    let finds = find(root, limits, keep, true)?;
    let mut unnamed = finds.too_long();
    let mut more = LeftOutCounts::default();
    let mut problems = finds.problems.finish(&mut more);
    if more.many > 0 {
        problems.push(format!("{} more messages like these", more.many));
    }
    let mut left_out = LeftOutCounts::default();
    let files = finds.files.finish(&mut left_out);
    let mut manifests = finds.manifests.finish(&mut left_out);
    let skipped = finds.skipped.finish(&mut left_out);
    // Most texts are also sources, which were counted already.
    let mut texts_left_out = LeftOutCounts::default();
    let texts = finds.texts.finish(&mut texts_left_out);
    let long = left_out.long.max(texts_left_out.long);
    let left_out = left_out.many.max(texts_left_out.many);
    if long > 0 {
        unnamed.insert(LONG_TOGETHER, long as u32);
    }
    let too_much = within_total(&mut manifests);
    if left_out > 0 {
        problems.push(format!(
            "{left_out} files are left out: only {} are taken of each kind, those in few folders first (the number \
             follows the limit of memory)",
            limits.files
        ));
    }
    if too_much > 0 {
        problems.push(format!(
            "{too_much} manifests are left out: all manifests together exceed {MOST_MANIFESTS} bytes"
        ));
    }
    for (reason, count) in &unnamed {
        problems.push(format!("{count} passed over: {reason}"));
    }
    let walked = Walked {
        unnamed,
        left_out: BTreeMap::new(),
        too_large: Vec::new(),
        files,
        manifests,
        skipped: skipped.into_iter().collect(),
        problems,
        linked: finds.linked,
    };
    Ok((walked, texts))
}

/// Drops manifests, those in the most folders first, until the others fit; returns the number dropped.
fn within_total(manifests: &mut Vec<FoundManifest>) -> usize {
    let all = manifests.len();
    if manifests.iter().map(|found| found.size).sum::<u64>() > MOST_MANIFESTS {
        // They were sorted by path before: those of one depth stay so.
        // One that is large by nature is to leave no other out.
        manifests.sort_by_cached_key(|found| (is_listing(&found.path), depth(&found.path)));
        let mut total = 0;
        manifests.retain(|found| {
            total += found.size;
            total <= MOST_MANIFESTS
        });
        manifests.sort_by(|a, b| a.path.cmp(&b.path));
    }
    all - manifests.len()
}

/// Folders above a path.
fn depth(path: &str) -> usize {
    path.bytes().filter(|byte| *byte == b'/').count()
}

/// Something with a path.
trait HasPath {
    /// Its path in the project.
    fn path(&self) -> &str;
}

impl HasPath for FoundFile {
    fn path(&self) -> &str {
        &self.path
    }
}

impl HasPath for FoundManifest {
    fn path(&self) -> &str {
        &self.path
    }
}

impl HasPath for FoundText {
    fn path(&self) -> &str {
        &self.path
    }
}

impl HasPath for (String, &'static str) {
    fn path(&self) -> &str {
        &self.0
    }
}

/// A message.
impl HasPath for String {
    fn path(&self) -> &str {
        self
    }
}

/// The results of one thread, unordered.
struct Finds {
    files: First<FoundFile>,
    manifests: First<FoundManifest>,
    texts: First<FoundText>,
    skipped: First<(String, &'static str)>,
    problems: First<String>,
    /// Files with several names.
    linked: Vec<FoundText>,
    /// Files whose paths are too long.
    long_files: u32,
    /// Folders whose paths are too long.
    long_folders: u32,
}

impl Finds {
    fn new(most: usize) -> Finds {
        Finds {
            files: First::new(most, Order::Shallow),
            manifests: First::new(most, Order::Shallow),
            texts: First::new(most, Order::Shallow),
            skipped: First::new(most, Order::Shallow),
            problems: First::new(MOST_PROBLEMS, Order::Path),
            linked: Vec::new(),
            long_files: 0,
            long_folders: 0,
        }
    }

    /// Numbers of files and folders that are skipped because of long paths, by reason.
    fn too_long(&self) -> BTreeMap<&'static str, u32> {
        let all = [
            (LONG_PATH, self.long_files),
            (LONG_FOLDER, self.long_folders),
        ];
        all.into_iter().filter(|(_, count)| *count > 0).collect()
    }
}

/// A thread's search.
struct Finder<'w> {
    limits: Limits,
    keep: &'w (dyn Fn(&str) -> bool + Sync),
    with_sources: bool,
    own: Finds,
}

/// Walks with as many threads as there are processors, but only a few: the system does most of the work.
fn find(
    root: &Path,
    limits: Limits,
    keep: &(dyn Fn(&str) -> bool + Sync),
    with_sources: bool,
) -> Result<Finds, IngestError> {
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get().min(4));
    let mut finders: Vec<Finder<'_>> = (0..threads)
        .map(|_| Finder {
            limits,
            keep,
            with_sources,
            own: Finds::new(limits.files),
        })
        .collect();
    tree::walk(root, &|name| !is_never_walked(name), &mut finders)?;
    let mut all = Finds::new(limits.files);
    for finder in finders {
        all.files.append(finder.own.files);
        all.manifests.append(finder.own.manifests);
        all.texts.append(finder.own.texts);
        all.skipped.append(finder.own.skipped);
        all.problems.append(finder.own.problems);
        all.linked.extend(finder.own.linked);
        all.long_files += finder.own.long_files;
        all.long_folders += finder.own.long_folders;
    }
    Ok(all)
}

/// Whether a path has no control characters and is not too long. A path with line ends could look like lines of our
/// output. Such files are skipped wherever they are named: on disk and in git's data.
pub fn is_readable_name(path: &str) -> bool {
    path.len() <= LONGEST_PATH && !path.bytes().any(|byte| byte.is_ascii_control())
}

/// Whether folders of that name are skipped everywhere.
pub fn is_never_walked(name: &str) -> bool {
    NEVER.contains(&name)
}

/// Visits every folder that [`walk_project`] enters, before its entries are listed, until `visit` returns false.
/// Returns the files accepted by `keep` that have several names, not all of them if there are more than `MOST_LINKED`,
/// and what git tracks.
pub(crate) fn folders(
    root: &Path,
    keep: &(dyn Fn(&str) -> bool + Sync),
    visit: &mut (dyn FnMut(&Path) -> bool + Send),
) -> (Vec<FoundText>, TrackedState) {
    struct Folders<'f> {
        root: &'f Path,
        keep: &'f (dyn Fn(&str) -> bool + Sync),
        visit: &'f mut (dyn FnMut(&Path) -> bool + Send),
        linked: Vec<FoundText>,
        /// Files that are only read because git tracks them.
        tracked: Vec<String>,
    }
    impl Visit for Folders<'_> {
        fn enter_folder(&mut self, here: &CurrentFolder<'_>) -> bool {
            if here.path.is_empty() {
                (self.visit)(self.root)
            } else {
                (self.visit)(&self.root.join(&*tree::to_os_path(here.path)))
            }
        }

        fn visit_file(&mut self, found: &WalkEntry<'_>) {
            let path = std::str::from_utf8(found.path).ok();
            let Some(path) = path.filter(|path| (self.keep)(path) && !found.is_ignored()) else {
                return;
            };
            if found.depends_on_index() {
                self.tracked.push(path.to_owned());
            }
            if let Some(stamp) = found.folder.stamp(found.name) {
                note_linked(&mut self.linked, path, &stamp);
            }
        }

        fn visit_link(&mut self, _path: &[u8], _is_ignored: &dyn Fn() -> bool) {}

        fn too_long(&mut self) {}

        fn report_problem(&mut self, _message: String) {}
    }
    let mut all = [Folders {
        root,
        keep,
        visit,
        linked: Vec::new(),
        tracked: Vec::new(),
    }];
    // A missing root has no folders.
    let indexes = tree::walk(root, &|name| !is_never_walked(name), &mut all).unwrap_or_default();
    let [folders] = all;
    let tracked = TrackedState::new(root, &indexes, &folders.tracked);
    (folders.linked, tracked)
}

/// Whether [`walk_project`] comes to the file at that path of the project.
pub(crate) fn is_walked(root: &Path, path: &str) -> bool {
    tree::is_on_the_way(root, Path::new(path), &|name| !is_never_walked(name))
}

/// Keeps a regular file that has several names.
fn note_linked(linked: &mut Vec<FoundText>, path: &str, stamp: &guard::list::Stamp) {
    if stamp.is_file() && stamp.links > 1 && linked.len() <= MOST_LINKED {
        linked.push(FoundText {
            path: path.to_owned(),
            size: stamp.size,
            stat: stamp.stat,
        });
    }
}

/// Every regular file of at most `max_file_size` bytes whose path `keep` accepts, by the rules of [`walk_project`],
/// sorted by path.
pub fn texts(
    root: &Path,
    max_file_size: u64,
    keep: &(dyn Fn(&str) -> bool + Sync),
) -> Result<Vec<FoundText>, IngestError> {
    texts_within(root, Limits::new(max_file_size, None), keep)
}

/// As [`texts`], including files that are too large for an index.
pub fn large_texts(
    root: &Path,
    max_file_size: u64,
    keep: &(dyn Fn(&str) -> bool + Sync),
) -> Result<Vec<FoundText>, IngestError> {
    let limits = Limits {
        text_size: max_file_size,
        ..Limits::new(max_file_size, None)
    };
    texts_within(root, limits, keep)
}

/// As [`texts`], within limits.
pub(crate) fn texts_within(
    root: &Path,
    limits: Limits,
    keep: &(dyn Fn(&str) -> bool + Sync),
) -> Result<Vec<FoundText>, IngestError> {
    let found = find(root, limits, keep, false)?.texts;
    Ok(found.finish(&mut LeftOutCounts::default()))
}

/// Size, and [`guard::list::Stamp::stat`].
pub type Stamp = (u64, i64);

/// The stamp of a regular file.
pub fn file_stamp(path: &Path) -> Option<Stamp> {
    stamp_of(&path.symlink_metadata().ok()?)
}

/// Stamp of a file's metadata; `None` if it is no regular file.
pub fn stamp_of(meta: &std::fs::Metadata) -> Option<Stamp> {
    let stamp = guard::list::Stamp::from_metadata(meta);
    meta.is_file().then_some((stamp.size, stamp.stat))
}

impl Visit for Finder<'_> {
    fn enter_folder(&mut self, _here: &CurrentFolder<'_>) -> bool {
        true
    }

    fn visit_file(&mut self, found: &WalkEntry<'_>) {
        if found.path.len() > LONGEST_PATH {
            let name = String::from_utf8_lossy(found.name.as_encoded_bytes());
            if self.is_wanted(&name) && !found.is_ignored() {
                self.own.long_files += 1;
            }
            return;
        }
        let Ok(path) = std::str::from_utf8(found.path) else {
            let shown = String::from_utf8_lossy(found.path).into_owned();
            if self.is_wanted(&shown) && !found.is_ignored() {
                self.own.skipped.push((shown, "name is not UTF-8"));
            }
            return;
        };
        if !is_readable_name(path) {
            if self.is_wanted(path) && !found.is_ignored() {
                let reason = "name has control characters";
                self.own.skipped.push((path.to_owned(), reason));
            }
            return;
        }
        let language = Language::from_path(path).filter(|_| self.with_sources);
        let manifest = self.with_sources && is_manifest(path);
        let is_text = (self.keep)(path);
        // Code that can only be searched: if it is too large for that, it is reported.
        let is_other_code = self.with_sources
            && language.is_none()
            && search::plain::language_without_grammar(path).is_some();
        let may_be_script = self.with_sources && Language::may_be_script(path);
        if language.is_none() && !manifest && !is_text && !is_other_code && !may_be_script {
            return;
        }
        if found.is_ignored() {
            // Some projects ignore `package.json` because of generated ones, but have their own.
            if manifest && found.name == "package.json" && !found.is_in_ignored_folder() {
                self.manifest(path, found.folder.stamp(found.name));
            }
            return;
        }
        let Some(stamp) = found.folder.stamp(found.name) else {
            // It was removed after the folder was listed.
            return;
        };
        // The entry may have changed its kind after the folder was listed.
        if stamp.kind != Kind::File {
            return;
        }
        let language = match language {
            None if may_be_script => script_language(found.folder, found.name, path),
            language => language,
        };
        self.take(path, language, (manifest, is_text), stamp);
    }

    /// What a link leads to may be ignored, or lie elsewhere: a manifest is missed then.
    fn visit_link(&mut self, path: &[u8], is_ignored: &dyn Fn() -> bool) {
        let path = std::str::from_utf8(path).ok();
        let path = path.filter(|path| self.with_sources && is_readable_name(path));
        if let Some(path) = path.filter(|path| is_listing(path) && !is_ignored()) {
            let problem = format!("{path} is a link, and links are not followed: it is not read");
            self.own.problems.push(problem);
        }
    }

    fn too_long(&mut self) {
        self.own.long_folders += 1;
    }

    fn report_problem(&mut self, message: String) {
        self.own.problems.push(message);
    }
}

impl Finder<'_> {
    /// Whether a file of that name would be indexed.
    fn is_wanted(&self, name: &str) -> bool {
        let source = Language::from_path(name).is_some() || is_manifest(name);
        source && self.with_sources || (self.keep)(name)
    }

    fn manifest(&mut self, path: &str, stamp: Option<guard::list::Stamp>) {
        let Some(stamp) = stamp.filter(|s| s.kind == Kind::File) else {
            return;
        };
        let most = if is_listing(path) {
            MAX_LISTING
        } else {
            MAX_MANIFEST
        };
        if stamp.size > most {
            let problem = format!("{path} is larger than {} MiB: it is not read", most >> 20);
            self.own.problems.push(problem);
            return;
        }
        self.own.manifests.push(FoundManifest {
            path: path.to_owned(),
            size: stamp.size,
            mtime_ns: stamp.mtime_ns,
        });
    }

    fn take(
        &mut self,
        path: &str,
        language: Option<Language>,
        (manifest, is_text): (bool, bool),
        stamp: guard::list::Stamp,
    ) {
        let size = stamp.size;
        note_linked(&mut self.own.linked, path, &stamp);
        if is_text && size <= self.limits.size_for(path) {
            self.own.texts.push(FoundText {
                path: path.to_owned(),
                size,
                stat: stamp.stat,
            });
        }
        if manifest {
            self.manifest(path, Some(stamp));
        }
        if language.is_none() && self.with_sources && size > self.limits.text_size {
            let is_code = search::plain::language_without_grammar(path).is_some();
            let reason = match (is_code, is_text) {
                (true, _) => Some(LARGE_TEXT),
                (false, true) => Some(LARGE_OTHER),
                (false, false) => None,
            };
            if let Some(reason) = reason {
                self.own.skipped.push((path.to_owned(), reason));
            }
        }
        match language {
            Some(_) if size > self.limits.file_size => {
                let reason = "larger than --max-file-size";
                self.own.skipped.push((path.to_owned(), reason));
            }
            Some(language) => self.own.files.push(FoundFile {
                path: path.to_owned(),
                language,
                size,
                mtime_ns: stamp.mtime_ns,
                touched_ns: stamp.touched_ns,
                stat: stamp.stat,
            }),
            None => {}
        }
    }
}

/// Whether a file of that name may be in the graph. Whether a file without an ending is a script, only its content says.
pub(crate) fn may_be_source(path: &str) -> bool {
    Language::from_path(path).is_some() || Language::may_be_script(path)
}

/// The language of a file without an ending, by its first line. `name` is relative to `folder`.
pub(crate) fn script_language(
    folder: &Folder,
    name: impl AsRef<Path>,
    path: &str,
) -> Option<Language> {
    if !Language::may_be_script(path) {
        return None;
    }
    let start = folder.read_start(name, FIRST_LINE as u64).ok()?;
    Language::from_first_line(&start)
}

/// Identity of a file, which differs from that of another file with its name; `None` if there is no file.
pub fn file_id(path: &Path) -> Option<(u64, u64)> {
    let found = platform::file::target_details(path).ok()?;
    Some((found.device, found.number))
}
