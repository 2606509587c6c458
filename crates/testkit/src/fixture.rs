//! The parser of fixtures: several files in one text. Each file begins with a heading line `//- path`.

/// How a heading begins.
const HEADING: &str = "//- ";

/// A file of a fixture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FixtureFile<'t> {
    /// The path in the heading.
    pub path: &'t str,
    /// The text up to the next heading.
    pub text: &'t str,
}

/// The files of a fixture, in the order of the text. Text before the first heading belongs to no file.
pub fn parse_fixture(fixture: &str) -> Vec<FixtureFile<'_>> {
    let mut files: Vec<FixtureFile<'_>> = Vec::new();
    let (mut at, mut text_start) = (0, 0);
    for line in fixture.split_inclusive('\n') {
        let next = at + line.len();
        if let Some(path) = line.strip_prefix(HEADING) {
            text_start = next;
            files.push(FixtureFile {
                path: path.trim(),
                text: "",
            });
        } else if let Some(file) = files.last_mut() {
            file.text = &fixture[text_start..next];
        }
        at = next;
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_line_that_begins_with_the_mark_is_a_heading() {
        let files = parse_fixture("before\n//- a/b.rs\nf(); //- no\n\n//- empty\n//- c\nlast");
        let files: Vec<(&str, &str)> = files.iter().map(|f| (f.path, f.text)).collect();
        assert_eq!(
            files,
            [("a/b.rs", "f(); //- no\n\n"), ("empty", ""), ("c", "last")]
        );
        assert!(parse_fixture("text").is_empty());
    }
}
