//! Lists of words in files beside the code, one entry per line. Lines that begin with `#` and a space name the list,
//! its source and its licence. A file may hold several lists, each after a line with its name in brackets.
//!
//! `base`, which depends on no crate, compiles this file as well.

use std::sync::LazyLock;

/// The words of a list, in its order.
pub type WordList = LazyLock<Vec<&'static str>>;

/// The entries, without surrounding white space.
pub fn entries(file: &str) -> impl Iterator<Item = &str> {
    let lines = file.lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with("# "))
}

/// The words of all entries, for lists with several words in a line.
pub fn words(file: &str) -> impl Iterator<Item = &str> {
    entries(file).flat_map(str::split_whitespace)
}

/// Entries of two columns with a tab between them; others are skipped.
pub fn pairs(file: &str) -> impl Iterator<Item = (&str, &str)> {
    entries(file).filter_map(|line| line.split_once('\t'))
}

/// One list of a file that holds several: the lines after `[name]`, up to the next such line.
pub fn section<'f>(file: &'f str, name: &str) -> &'f str {
    let mut start = None;
    let mut at = 0;
    for line in file.split_inclusive('\n') {
        let heading = line.trim_end();
        let heading = heading.strip_prefix('[').and_then(|h| h.strip_suffix(']'));
        if let Some(heading) = heading {
            if let Some(start) = start {
                return &file[start..at];
            }
            start = (heading == name).then_some(at + line.len());
        }
        at += line.len();
    }
    debug_assert!(start.is_some(), "no list is called {name}");
    start.map_or("", |start| &file[start..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_blank_lines_are_no_entries() {
        let file = "# what it is\n\na b\n  c\td \n#if\n";
        assert_eq!(entries(file).collect::<Vec<_>>(), ["a b", "c\td", "#if"]);
        assert_eq!(words(file).count(), 5);
        assert_eq!(pairs(file).collect::<Vec<_>>(), [("c", "d")]);
    }

    #[test]
    fn a_file_may_hold_several_lists() {
        let file = "# what it is\n[one]\n# of the first\na b\n[]\n[two words]\nc\n";
        assert_eq!(words(section(file, "one")).collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(words(section(file, "two words")).collect::<Vec<_>>(), ["c"]);
        assert_eq!(section(file, ""), "");
    }
}
