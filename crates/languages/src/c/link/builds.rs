//! Reads `compile_commands.json`: the folders in which a build looks for headers.

use base::Language;
use linker::paths::{file_name, parent_dir, strip_dir};
use linker::repo::Repo;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, SeqAccess, Visitor};

/// The longest folder or source of a command that is read, in bytes.
const LONGEST_PATH: usize = 4096;
/// Most folders of a command: each header is looked for in each of them.
const MOST_FOLDERS: usize = 256;
/// Most folders above a source that are tried as the repository's root for its command.
const MOST_ROOTS: usize = 64;
/// Most folders that are kept for files which no command compiles.
const MOST_COMMON: usize = 64;

/// The folders of each source that a command compiles.
#[derive(Default)]
pub(super) struct Builds {
    of_file: FxHashMap<String, Vec<u32>>,
    /// For all other files: the folders used by the most sources first.
    common: Vec<u32>,
    folders: Vec<Folder>,
}

/// A folder in which a build looks for headers.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Folder {
    path: String,
    order: FolderOrder,
}

/// When a compiler searches a folder: first those only for quoted names, then those for all, then system folders.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum FolderOrder {
    Quoted,
    All,
    System,
}

/// A command, as far as it is read.
#[derive(Deserialize)]
struct Command {
    #[serde(default)]
    directory: String,
    #[serde(default)]
    file: String,
    /// The command as a list of words.
    #[serde(default)]
    arguments: FolderFlags,
    /// The same as one text.
    #[serde(default)]
    command: FolderFlags,
}

/// The folders that a command's words name for headers, in order.
#[derive(Default)]
struct FolderFlags(Vec<(String, FolderOrder)>);

impl FolderFlags {
    /// Reads words one by one, and keeps those that name folders.
    fn from_words<W: AsRef<str>>(mut words: impl Iterator<Item = W>) -> FolderFlags {
        let mut found = Vec::new();
        while found.len() < MOST_FOLDERS
            && let Some(word) = words.next()
        {
            let Some((rest, order)) = folder_flag(word.as_ref()) else {
                continue;
            };
            let folder = match rest {
                "" => words.next().map(|next| next.as_ref().to_owned()),
                rest => Some(rest.to_owned()),
            };
            found.extend(folder.map(|folder| (folder, order)));
        }
        FolderFlags(found)
    }
}

/// The folder in a flag that names a folder of headers, and its order. The folder is empty if it is in the next word.
fn folder_flag(word: &str) -> Option<(&str, FolderOrder)> {
    let flags = [
        ("-iquote", FolderOrder::Quoted),
        ("-isystem", FolderOrder::System),
        ("-I", FolderOrder::All),
    ];
    let mut flags = flags.into_iter();
    flags.find_map(|(flag, order)| Some((word.strip_prefix(flag)?, order)))
}

impl<'de> Deserialize<'de> for FolderFlags {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<FolderFlags, D::Error> {
        from.deserialize_any(ReadFlags)
    }
}

struct ReadFlags;

impl<'de> Visitor<'de> for ReadFlags {
    type Value = FolderFlags;

    fn expecting(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str("a command")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<FolderFlags, E> {
        Ok(FolderFlags::from_words(text.split_whitespace()))
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<FolderFlags, E> {
        Ok(FolderFlags::default())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut words: A) -> Result<FolderFlags, A::Error> {
        let mut failed = None;
        let next = std::iter::from_fn(|| match words.next_element::<Word>() {
            Ok(word) => word,
            Err(error) => {
                failed = Some(error);
                None
            }
        });
        let found = FolderFlags::from_words(next);
        if let Some(error) = failed {
            return Err(error);
        }
        while words.next_element::<IgnoredAny>()?.is_some() {}
        Ok(found)
    }
}

/// A word of a command. Empty if the JSON has another value there.
struct Word(String);

impl AsRef<str> for Word {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Word, D::Error> {
        String::deserialize(from).map(Word)
    }
}

/// Reads commands one by one: a build may have any number of them.
struct EachCommand<F>(F);

impl<'de, F: FnMut(Command)> Visitor<'de> for EachCommand<F> {
    type Value = ();

    fn expecting(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str("a list of commands")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut commands: A) -> Result<(), A::Error> {
        while let Some(command) = commands.next_element::<Command>()? {
            (self.0)(command);
        }
        Ok(())
    }
}

impl Builds {
    pub(super) fn new(repo: &Repo) -> Builds {
        let mut builds = Builds::default();
        // Other folders hold no header of the repository, and a command may list any number of long ones.
        let known = folders_with_files(repo);
        let mut numbers = FxHashMap::default();
        let mut counts: Vec<usize> = Vec::new();
        for manifest in &repo.manifests {
            if file_name(&manifest.path) != "compile_commands.json" {
                continue;
            }
            let add = EachCommand(|command: Command| {
                let is_long = |path: &str| path.len() > LONGEST_PATH;
                if is_long(&command.directory) || is_long(&command.file) {
                    return;
                }
                let Some((root, file)) = root_and_source(repo, &command) else {
                    return;
                };
                let own = builds.of_file.entry(file).or_default();
                let folders = header_folders(&command, &root).into_iter();
                for folder in folders.filter(|folder| known.contains(&*folder.path)) {
                    let next = builds.folders.len() as u32;
                    let number = *numbers.entry(folder.clone()).or_insert(next);
                    if number == next {
                        builds.folders.push(folder);
                        counts.push(0);
                    }
                    if own.len() < MOST_FOLDERS && !own.contains(&number) {
                        own.push(number);
                        counts[number as usize] += 1;
                    }
                }
            });
            // The commands before a syntax error count.
            let mut text = serde_json::Deserializer::from_str(&manifest.text);
            let _ = text.deserialize_seq(add);
        }
        let mut common: Vec<u32> = (0..builds.folders.len() as u32).collect();
        common.sort_by_key(|number| std::cmp::Reverse(counts[*number as usize]));
        common.truncate(MOST_COMMON);
        builds.common = common;
        builds
    }

    /// The folders in which a file's headers are looked for, in order, for a name in quotes or in angle brackets.
    pub(super) fn folders(&self, file: &str, in_quotes: bool) -> impl Iterator<Item = &str> {
        let found = self.of_file.get(file).unwrap_or(&self.common);
        let folders = found.iter().map(|number| &self.folders[*number as usize]);
        let folders = folders.filter(move |f| in_quotes || f.order != FolderOrder::Quoted);
        folders.map(|folder| &*folder.path)
    }
}

/// The folders that contain C files, directly or further down. The empty path is the repository itself.
fn folders_with_files(repo: &Repo) -> FxHashSet<&str> {
    let mut known = FxHashSet::default();
    for (_, file) in repo.files() {
        if file.facts.language.family() != Language::C {
            continue;
        }
        let mut folder = parent_dir(&file.path);
        while known.insert(folder) && !folder.is_empty() {
            folder = parent_dir(folder);
        }
    }
    known
}

/// The folder that is the repository's root for a command, and the source below it: the longest ending of its path that
/// is a file.
fn root_and_source(repo: &Repo, command: &Command) -> Option<(String, String)> {
    let whole = absolute_path(&command.directory, &command.file);
    let starts = whole.match_indices('/').map(|(at, _)| at + 1);
    let mut starts = std::iter::once(0).chain(starts).take(MOST_ROOTS);
    let start = starts.find(|at| repo.file_at(&whole[*at..]).is_some())?;
    let root = whole[..start].trim_end_matches('/').to_owned();
    Some((root, whole[start..].to_owned()))
}

/// The folders of a command below the root, in the order in which a compiler searches them.
fn header_folders(command: &Command, root: &str) -> Vec<Folder> {
    let both = [&command.arguments, &command.command];
    let flagged = both.into_iter().flat_map(|flags| &flags.0);
    let mut out = Vec::new();
    for (folder, order) in flagged.take(MOST_FOLDERS) {
        let whole = absolute_path(&command.directory, folder.trim_matches('"'));
        let is_root = whole == root;
        let below = strip_dir(&whole, root).or(is_root.then_some(""));
        out.extend(below.map(|below| Folder {
            path: below.trim_start_matches('/').to_owned(),
            order: *order,
        }));
    }
    out.sort_by_key(|folder| folder.order);
    out
}

/// A path relative to a folder, without `.` and `..`.
fn absolute_path(folder: &str, path: &str) -> String {
    let is_absolute = path.starts_with('/') || path.get(1..2) == Some(":");
    let whole = if is_absolute {
        path.to_owned()
    } else {
        format!("{folder}/{path}")
    };
    let mut parts: Vec<&str> = Vec::new();
    let whole = whole.replace('\\', "/");
    for part in whole.split('/') {
        match part {
            "." => {}
            "" if !parts.is_empty() => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::{Command, EachCommand, absolute_path};
    use serde::Deserializer as _;

    #[test]
    fn paths_are_seen_from_the_folder_of_the_build() {
        assert_eq!(absolute_path("/a/build", "../src/x.c"), "/a/src/x.c");
        assert_eq!(absolute_path("/a", "/b/./c"), "/b/c");
    }

    #[test]
    fn commands_are_read_one_by_one_and_only_folders_are_kept() {
        let words = r#"["cc", "-Ia", "-I", "b", "-c", "x.c", "-iquote", "q"]"#;
        let text = format!(
            r#"[{{"directory": "/p", "file": "x.c", "arguments": {words}, "output": {{"a": [1]}}}},
               {{"directory": "/p", "file": "y.c", "command": "cc -Ic y.c -isystem d"}}, 7"#
        );
        let mut found = Vec::new();
        let each = EachCommand(|command: Command| {
            let all = command.arguments.0.into_iter().chain(command.command.0);
            let folders: Vec<String> = all.map(|(folder, _)| folder).collect();
            found.push((command.file, folders));
        });
        let read = serde_json::Deserializer::from_str(&text).deserialize_seq(each);
        assert!(read.is_err());
        let of = |file: &str, folders: &[&str]| {
            let folders = folders.iter().map(|f| (*f).to_owned()).collect();
            (file.to_owned(), folders)
        };
        assert_eq!(found, [of("x.c", &["a", "b", "q"]), of("y.c", &["c", "d"])]);
    }
}
