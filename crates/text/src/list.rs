//! Lists of words in files beside the code: one entry a line. Lines that begin with `#` and a space name the list, its source
//! and its licence.

/// The entries, without the space around them.
pub fn entries(file: &str) -> impl Iterator<Item = &str> {
    let lines = file.lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with("# "))
}

/// The words of all entries, if a line holds several.
pub fn words(file: &str) -> impl Iterator<Item = &str> {
    entries(file).flat_map(str::split_whitespace)
}

/// Entries of two columns with a tab between them; others are passed over.
pub fn pairs(file: &str) -> impl Iterator<Item = (&str, &str)> {
    entries(file).filter_map(|line| line.split_once('\t'))
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
}
