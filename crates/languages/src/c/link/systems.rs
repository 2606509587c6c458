//! Which paths are of sources for other systems than the usual one.

use base::Language;
use base::list::{self, WordList};
use linker::repo::Repo;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::LazyLock;

const LISTS: &str = include_str!("../systems.txt");

/// Words in paths of sources for other systems than Linux.
static OTHERS: WordList = LazyLock::new(|| list::words(list::section(LISTS, "folders")).collect());

/// The same of words that mean other things as well.
static BESIDE_OTHERS: WordList =
    LazyLock::new(|| list::words(list::section(LISTS, "folders beside others")).collect());

/// Words for the usual system.
static THIS: WordList =
    LazyLock::new(|| list::words(list::section(LISTS, "this system")).collect());

/// The paths that name a system by a word which means other things as well.
#[derive(Default)]
pub(crate) struct Systems {
    /// Folders, and files without their endings.
    named: FxHashSet<Box<str>>,
}

impl Systems {
    /// Looks for such words that stand beside the name of another system: `src/mac` beside `src/linux`.
    pub(super) fn new(repo: &Repo) -> Systems {
        // The systems that each folder has a folder or a file of.
        let mut beside: FxHashMap<&str, FxHashSet<String>> = FxHashMap::default();
        let mut unsure: FxHashSet<&str> = FxHashSet::default();
        for (_, file) in repo.files() {
            if file.facts.language.family() != Language::C {
                continue;
            }
            for (whole, name) in parts(&file.path) {
                let is_unsure = has(&BESIDE_OTHERS, name);
                if is_unsure || has(&OTHERS, name) || has(&THIS, name) {
                    let parent = &whole[..whole.len() - name.len()];
                    beside
                        .entry(parent)
                        .or_default()
                        .insert(name.to_ascii_lowercase());
                }
                if is_unsure {
                    unsure.insert(whole);
                }
            }
        }
        let is_beside_other = |whole: &&str| {
            let parent = whole.rfind('/').map_or(0, |at| at + 1);
            beside
                .get(&whole[..parent])
                .is_some_and(|names| names.len() > 1)
        };
        let named = unsure.into_iter().filter(is_beside_other);
        Systems {
            named: named.map(Box::from).collect(),
        }
    }

    /// The first word of a path that names another system than the usual one.
    pub(super) fn other<'p>(&self, path: &'p str) -> Option<&'p str> {
        parts(path).find_map(|(whole, name)| {
            let mut words = name.split(['-', '_', '.']);
            let word = words.find(|word| has(&OTHERS, word));
            word.or_else(|| self.named.contains(whole).then_some(name))
        })
    }

    /// Whether a path names another system than the one that is usual, and than the one that a file is for.
    pub(super) fn is_for_other(&self, path: &str, home: &str) -> bool {
        let named = self.other(path);
        named.is_some() && named != self.other(home)
    }
}

fn has(list: &WordList, word: &str) -> bool {
    list.iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// The folders of a path and its file, each with the path up to it and its name; the file without its ending.
fn parts(path: &str) -> impl Iterator<Item = (&str, &str)> {
    let ends = path.match_indices('/').map(|(at, _)| at);
    let name_at = path.rfind('/').map_or(0, |at| at + 1);
    let stem = path[name_at..]
        .find('.')
        .map_or(path.len(), |at| name_at + at);
    ends.chain([stem]).map(|end| {
        let whole = &path[..end];
        let from = whole.rfind('/').map_or(0, |at| at + 1);
        (whole, &whole[from..])
    })
}
