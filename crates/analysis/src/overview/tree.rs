//! Files as a tree of folders, opened from the top down.

use super::OverviewFile;
use std::collections::BTreeMap;

/// A folder with what is in it. The first is the root.
pub(super) struct Folder {
    /// Its path; empty for the root.
    pub(super) path: String,
    pub(super) folders: Vec<usize>,
    /// Files that lie in it itself.
    pub(super) files: Vec<u32>,
    /// Lines of all that is in it.
    pub(super) lines: u64,
    /// Number of all files in it.
    pub(super) count: usize,
}

pub(super) struct Tree {
    pub(super) folders: Vec<Folder>,
}

impl Tree {
    /// Of the files at these places.
    pub(super) fn new(files: &[OverviewFile], places: impl Iterator<Item = u32>) -> Tree {
        let mut tree = Tree { folders: vec![] };
        let mut known: BTreeMap<String, usize> = BTreeMap::new();
        tree.folder_index("", &mut known);
        for at in places {
            let file = &files[at as usize];
            let path = file.path.rfind('/').map_or("", |slash| &file.path[..slash]);
            let mut folder = tree.folder_index(path, &mut known);
            tree.folders[folder].files.push(at);
            loop {
                tree.folders[folder].lines += u64::from(file.lines.max(1));
                tree.folders[folder].count += 1;
                let path = &tree.folders[folder].path;
                if path.is_empty() {
                    break;
                }
                let above = path.rfind('/').map_or("", |slash| &path[..slash]);
                folder = known[above];
            }
        }
        tree
    }

    fn folder_index(&mut self, path: &str, known: &mut BTreeMap<String, usize>) -> usize {
        if let Some(found) = known.get(path) {
            return *found;
        }
        let number = self.folders.len();
        self.folders.push(Folder {
            path: path.to_owned(),
            folders: Vec::new(),
            files: Vec::new(),
            lines: 0,
            count: 0,
        });
        known.insert(path.to_owned(), number);
        if !path.is_empty() {
            let above = path.rfind('/').map_or("", |slash| &path[..slash]);
            let above = self.folder_index(above, known);
            self.folders[above].folders.push(number);
        }
        number
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

    /// The first folder from here down that has more than one thing in it.
    pub(super) fn skip_single_folders(&self, mut folder: usize) -> usize {
        while let [only] = self.folders[folder].folders[..]
            && self.folders[folder].files.is_empty()
        {
            folder = only;
        }
        folder
    }
}

/// A part of a tree.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    /// A folder with all that is in it.
    Folder(usize),
    /// The files that lie in a folder itself.
    Own(usize),
    /// A file.
    File(u32),
    /// Parts of a folder that have no room of their own.
    Rest(usize, Vec<Part>),
}

/// From so many parts on a picture of the whole says enough.
const ENOUGH: usize = 5;

/// Opens folders, the largest first, until `limit` parts are there. With `to_files` folders are opened down to files, with
/// `shallow` no further than is needed to see something.
pub(super) fn split_into_parts(
    tree: &Tree,
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
            // Too much to show all: its largest parts, and the rest together.
            let keep = if shallow {
                room - 1
            } else {
                // Half of the room: what is large may be opened further.
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

fn parts_of_folder(tree: &Tree, folder: usize, to_files: bool) -> Vec<Part> {
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
    tree: &Tree,
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
