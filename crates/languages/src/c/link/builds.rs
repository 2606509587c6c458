//! Reads `compile_commands.json`: the folders in which a build looks for headers.

use base::Language;
use linker::paths::{file_name, parent_dir, strip_dir};
use linker::repo::Repo;
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;

/// Most decoded bytes of such a file.
const MOST_DECODED: usize = 64 << 20;
/// The longest folder or source path of a command, in bytes.
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

struct Command {
    directory: String,
    file: String,
    words: Vec<String>,
}

impl Command {
    fn new(value: &Value) -> Option<Command> {
        let text = |name: &str| value.get(name).and_then(Value::as_str);
        let path = |name: &str| text(name).filter(|path| path.len() <= LONGEST_PATH);
        let arguments = value.get("arguments").and_then(Value::as_array);
        let given = arguments.into_iter().flatten().filter_map(Value::as_str);
        let whole = text("command").unwrap_or_default().split_whitespace();
        Some(Command {
            directory: path("directory")?.to_owned(),
            file: path("file")?.to_owned(),
            words: given.chain(whole).map(str::to_owned).collect(),
        })
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
            let is_known = file_name(&manifest.path) == "compile_commands.json";
            if !is_known || base::json::decoded_size(manifest.text.as_bytes()) > MOST_DECODED {
                continue;
            }
            let commands: Vec<Value> = serde_json::from_str(&manifest.text).unwrap_or_default();
            for command in commands.iter().filter_map(Command::new) {
                let Some((root, file)) = root_and_source(repo, &command) else {
                    continue;
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
            }
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
    let words = &command.words;
    let flags = [
        ("-iquote", FolderOrder::Quoted),
        ("-isystem", FolderOrder::System),
        ("-I", FolderOrder::All),
    ];
    let flagged = words.iter().enumerate().filter_map(|(at, word)| {
        let mut found = flags.iter();
        let (rest, order) =
            found.find_map(|(flag, order)| Some((word.strip_prefix(flag)?, *order)))?;
        Some((at, rest, order))
    });
    let mut out = Vec::new();
    for (at, rest, order) in flagged.take(MOST_FOLDERS) {
        let folder = match rest {
            "" => words.get(at + 1).map_or("", |next| next),
            rest => rest,
        };
        let whole = absolute_path(&command.directory, folder.trim_matches('"'));
        let is_root = whole == root;
        let below = strip_dir(&whole, root).or(is_root.then_some(""));
        out.extend(below.map(|below| Folder {
            path: below.trim_start_matches('/').to_owned(),
            order,
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
    use super::absolute_path;

    #[test]
    fn paths_are_seen_from_the_folder_of_the_build() {
        assert_eq!(absolute_path("/a/build", "../src/x.c"), "/a/src/x.c");
        assert_eq!(absolute_path("/a", "/b/./c"), "/b/c");
    }
}
