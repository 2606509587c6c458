//! Files as a tree of folders, opened from the top down.

use super::OverviewFile;
use rustc_hash::FxHashMap;

/// A folder with its contents. The first is the root.
pub(super) struct Folder<'f> {
    /// Its path, as in the files' paths; empty for the root.
    pub(super) path: &'f str,
    pub(super) folders: Vec<usize>,
    /// Files directly in it.
    pub(super) files: Vec<u32>,
    /// Lines of all its files.
    pub(super) lines: u64,
    /// Number of all files in it.
    pub(super) count: usize,
}

pub(super) struct Tree<'f> {
    pub(super) folders: Vec<Folder<'f>>,
}

impl<'f> Tree<'f> {
    /// Creates the tree of the files with these indexes.
    pub(super) fn new(files: &'f [OverviewFile], places: impl Iterator<Item = u32>) -> Tree<'f> {
        let mut tree = Tree { folders: vec![] };
        let mut known: FxHashMap<&'f str, usize> = FxHashMap::default();
        tree.folder_index("", &mut known);
        for at in places {
            let file = &files[at as usize];
            let number = tree.folder_index(parent_folder(&file.path), &mut known);
            let folder = &mut tree.folders[number];
            folder.files.push(at);
            folder.lines += u64::from(file.lines.max(1));
            folder.count += 1;
        }
        tree.add_up(&known);
        tree
    }

    /// Adds the sums of each folder to those above it, the innermost first: once for each folder, not for each file.
    fn add_up(&mut self, known: &FxHashMap<&'f str, usize>) {
        let mut order: Vec<usize> = (1..self.folders.len()).collect();
        order.sort_by_key(|at| std::cmp::Reverse(self.folders[*at].path.len()));
        for at in order {
            let folder = &self.folders[at];
            let (lines, count, around) = (
                folder.lines,
                folder.count,
                known[parent_folder(folder.path)],
            );
            self.folders[around].lines += lines;
            self.folders[around].count += count;
        }
    }

    /// The number of a folder. If it does not exist yet, it is added with the folders above it.
    fn folder_index(&mut self, path: &'f str, known: &mut FxHashMap<&'f str, usize>) -> usize {
        let wanted = known.get(path).copied().unwrap_or(self.folders.len());
        let mut inner = None;
        let mut here = path;
        loop {
            let there = known.get(here).copied();
            let number = there.unwrap_or(self.folders.len());
            if there.is_none() {
                known.insert(here, number);
                self.folders.push(Folder {
                    path: here,
                    folders: Vec::new(),
                    files: Vec::new(),
                    lines: 0,
                    count: 0,
                });
            }
            self.folders[number].folders.extend(inner);
            if there.is_some() || here.is_empty() {
                return wanted;
            }
            inner = Some(number);
            here = parent_folder(here);
        }
    }

    /// Every file in a folder and below.
    pub(super) fn all_files(&self, folder: usize) -> Vec<u32> {
        let mut found = Vec::new();
        let mut open = vec![folder];
        while let Some(at) = open.pop() {
            found.extend(&self.folders[at].files);
            open.extend(&self.folders[at].folders);
        }
        found.sort_unstable();
        found
    }

    /// The first folder from here down that contains more than one entry.
    pub(super) fn skip_single_folders(&self, mut folder: usize) -> usize {
        while let [only] = self.folders[folder].folders[..]
            && self.folders[folder].files.is_empty()
        {
            folder = only;
        }
        folder
    }
}

/// The folder around a file or folder; empty for the root.
fn parent_folder(path: &str) -> &str {
    path.rfind('/').map_or("", |slash| &path[..slash])
}

/// A part of a tree.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    /// A folder with all its contents.
    Folder(usize),
    /// The files directly in a folder.
    Own(usize),
    /// A file.
    File(u32),
    /// Parts of a folder that are folded into one.
    Rest(usize, Vec<Part>),
}

/// Number of parts from which on a picture of the whole is detailed enough.
const ENOUGH: usize = 5;

/// Opens folders, the largest first, until `limit` parts are there. With `to_files` folders are opened down to files, with
/// `shallow` no further than is needed to see something.
pub(super) fn split_into_parts(
    tree: &Tree<'_>,
    start: usize,
    limit: usize,
    to_files: bool,
    shallow: bool,
    lines: &dyn Fn(u32) -> u64,
) -> Vec<Part> {
    if tree.folders[start].count == 0 {
        return Vec::new();
    }
    let mut parts = vec![Part::Folder(tree.skip_single_folders(start))];
    let mut closed: Vec<usize> = Vec::new();
    while !(shallow && parts.len() >= ENOUGH) {
        let openable = parts
            .iter()
            .enumerate()
            .filter_map(|(at, part)| match part {
                Part::Folder(folder) if !closed.contains(folder) => Some((at, *folder)),
                _ => None,
            });
        let size = |folder: usize| (tree.folders[folder].lines, std::cmp::Reverse(folder));
        let Some((at, folder)) = openable.max_by_key(|(_, folder)| size(*folder)) else {
            break;
        };
        let inside = parts_of_folder(tree, folder, to_files);
        let room = limit - (parts.len() - 1);
        let is_file = matches!(inside[..], [Part::File(_)]);
        if inside.len() <= 1 && !is_file {
            closed.push(folder);
        } else if inside.len() <= room {
            parts.splice(at..=at, inside);
        } else if room >= 3 && tree.folders[folder].lines * 4 >= tree.folders[start].lines {
            // If there are too many parts, the largest are shown, and the others as one.
            let keep = if shallow {
                room - 1
            } else {
                // Half of the room is kept, since large parts may be opened further.
                (room - 1).min((room / 2).max(2))
            };
            parts.splice(
                at..=at,
                fold_smallest_parts(tree, folder, inside, keep, lines),
            );
        } else {
            closed.push(folder);
        }
    }
    parts
}

fn parts_of_folder(tree: &Tree<'_>, folder: usize, to_files: bool) -> Vec<Part> {
    let here = &tree.folders[folder];
    let mut parts: Vec<Part> = here
        .folders
        .iter()
        .map(|f| Part::Folder(tree.skip_single_folders(*f)))
        .collect();
    if to_files {
        parts.extend(here.files.iter().map(|file| Part::File(*file)));
    } else if !here.files.is_empty() {
        parts.push(Part::Own(folder));
    }
    parts
}

fn fold_smallest_parts(
    tree: &Tree<'_>,
    folder: usize,
    mut inside: Vec<Part>,
    keep: usize,
    lines: &dyn Fn(u32) -> u64,
) -> Vec<Part> {
    let size = |part: &Part| match part {
        Part::Folder(f) => tree.folders[*f].lines,
        Part::Own(f) => tree.folders[*f].files.iter().map(|f| lines(*f)).sum(),
        Part::File(f) => lines(*f),
        Part::Rest(..) => 0,
    };
    inside.sort_by_key(|part| (std::cmp::Reverse(size(part)), part.clone()));
    let rest = inside.split_off(keep);
    inside.push(Part::Rest(folder, rest));
    inside
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_below_many_folders_are_added_up_once() {
        let deep = "d/".repeat(5_000);
        let file = |at: u32| OverviewFile {
            path: format!("{deep}{at}.py"),
            lines: 2,
            ..OverviewFile::default()
        };
        let files: Vec<OverviewFile> = (0..1_000).map(file).collect();
        let tree = Tree::new(&files, 0..1_000);
        assert_eq!(tree.folders.len(), 5_001);
        assert_eq!(
            (tree.folders[0].count, tree.folders[0].lines),
            (1_000, 2_000)
        );
    }
}
