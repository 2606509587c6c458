//! Lists of names in the data files of languages: names available without an import, and names of standard libraries.

use rustc_hash::{FxHashMap, FxHashSet};

/// The lines of a data file, without empty ones and comments.
pub(crate) fn lines(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines()
        .filter(|line| !line.is_empty() && !line.starts_with("# "))
}

/// The lists of a file. Each begins with its name in brackets. Names are separated by white space, and `# ` begins a
/// comment.
pub(crate) struct NameLists(FxHashMap<&'static str, FxHashSet<&'static str>>);

impl NameLists {
    pub(crate) fn parse(text: &'static str) -> NameLists {
        let mut lists: FxHashMap<&str, FxHashSet<&str>> = FxHashMap::default();
        let mut list = "";
        for line in lines(text) {
            match line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
                Some(name) => list = name,
                None => lists
                    .entry(list)
                    .or_default()
                    .extend(line.split_whitespace()),
            }
        }
        NameLists(lists)
    }

    /// Whether a list has a name.
    pub(crate) fn has(&self, list: &str, name: &str) -> bool {
        self.0.get(list).is_some_and(|names| names.contains(name))
    }
}

#[cfg(test)]
mod tests {
    use super::NameLists;

    #[test]
    fn lists_are_told_apart() {
        let lists = NameLists::parse("# A comment.\n[one]\na b\nc\n[two]\n__main__\n");
        assert!(lists.has("one", "c") && lists.has("two", "__main__"));
        assert!(!lists.has("two", "a") && !lists.has("one", "A"));
        assert!(!lists.has("three", "a"));
    }
}
