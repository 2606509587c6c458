//! The texts of files, each read once for an answer.

use crate::embedder::SearchIndex;
use crate::project::Project;
use crate::snippet::FileSnapshot;
use std::collections::{BTreeMap, BTreeSet};

/// The most lines above a definition that are searched for its documentation.
const MAX_LEAD: u32 = 40;

/// Texts of files, by path.
pub(super) struct Sources<'p> {
    project: &'p Project,
    /// The chunks that tell which state of a file is meant, where there are any.
    chunks: Option<&'p SearchIndex>,
    files: BTreeMap<String, Option<Vec<String>>>,
    moved: BTreeSet<String>,
}

impl<'p> Sources<'p> {
    pub(super) fn new(project: &'p Project, chunks: Option<&'p SearchIndex>) -> Sources<'p> {
        Sources {
            project,
            chunks,
            files: BTreeMap::new(),
            moved: BTreeSet::new(),
        }
    }

    /// Requested files that are gone or differ from their chunks.
    pub(super) fn into_changed_files(self) -> BTreeSet<String> {
        self.moved
    }

    /// Whether a file still has the state that its chunks are of, so that its lines can be shown.
    pub(super) fn is_unchanged(&mut self, path: &str) -> bool {
        self.file(path);
        self.chunks.is_none() || !self.moved.contains(path)
    }

    /// The lines of a file; none where it has changed, is too large, or is outside the project.
    pub(super) fn file(&mut self, path: &str) -> Option<&[String]> {
        if !self.files.contains_key(path) {
            let source = FileSnapshot::read(self.project, path);
            let is_meant =
                |source: &FileSnapshot| self.chunks.is_none_or(|p| p.is_file_current(path, source));
            let source = source.filter(is_meant);
            if source.is_none() {
                self.moved.insert(path.to_owned());
            }
            let lines = source.and_then(|source| source.masked_text());
            let cut = |text: String| text.lines().map(|l| l.trim_end().to_owned()).collect();
            let lines = lines.map(cut);
            self.files.insert(path.to_owned(), lines);
        }
        self.files.get(path)?.as_deref()
    }

    /// The lines `start` to `end`, without their common indentation and without empty lines at either end.
    pub(super) fn text(&mut self, path: &str, start: u32, end: u32) -> Option<String> {
        let lines = self.file(path)?;
        let from = (start.max(1) - 1) as usize;
        let to = (end as usize).min(lines.len());
        dedent(lines.get(from..to)?)
    }

    /// The first line of the comments and annotations directly above a line.
    pub(super) fn first_comment_line(&mut self, path: &str, line: u32) -> u32 {
        let Some(lines) = self.file(path) else {
            return line;
        };
        let above = |line: u32| lines.get(line.checked_sub(2)? as usize);
        let mut first = line;
        while first > 1
            && line - first < MAX_LEAD
            && above(first).is_some_and(|l| is_comment_or_annotation(l))
        {
            first -= 1;
        }
        first
    }
}

/// Whether a line looks like a comment or an annotation, so that it belongs to the definition below it.
fn is_comment_or_annotation(line: &str) -> bool {
    let line = line.trim_start();
    let marks = [
        "//", "/*", "* ", "*/", "# ", "#[", "@", "--", ";;", "'''", "\"\"\"",
    ];
    line == "*" || line == "#" || marks.iter().any(|mark| line.starts_with(mark))
}

fn dedent(lines: &[String]) -> Option<String> {
    let first = lines.iter().position(|l| !l.is_empty())?;
    let last = lines.iter().rposition(|l| !l.is_empty())?;
    let lines = &lines[first..=last];
    let mut common: Option<&str> = None;
    for line in lines.iter().filter(|l| !l.is_empty()) {
        let indent = &line[..line.len() - line.trim_start().len()];
        common = Some(match common {
            None => indent,
            Some(before) => common_prefix(before, indent),
        });
    }
    let cut = common.unwrap_or("").len();
    let cut: Vec<&str> = lines.iter().map(|l| l.get(cut..).unwrap_or("")).collect();
    Some(cut.join("\n"))
}

/// The common beginning of two texts.
fn common_prefix<'a>(a: &'a str, b: &str) -> &'a str {
    let same = a.char_indices().zip(b.chars()).find(|((_, x), y)| x != y);
    let length = same.map_or(a.len().min(b.len()), |((at, _), _)| at);
    a.get(..length).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Settings;
    use testkit::Repo;

    #[test]
    fn lines_come_with_their_documentation_and_without_indentation() {
        let repo = Repo::new(
            "//- a.rs\nimpl X {\n    other();\n    /// Runs.\n    #[inline]\n    fn run() {\n        go()\n\n    }\n}\n",
        );
        let project = Project::find(&Settings::with_start(repo.path())).unwrap();
        let mut sources = Sources::new(&project, None);
        assert_eq!(sources.first_comment_line("a.rs", 5), 3);
        assert_eq!(
            sources.text("a.rs", 3, 8).unwrap(),
            "/// Runs.\n#[inline]\nfn run() {\n    go()\n\n}"
        );
        assert_eq!(sources.text("a.rs", 7, 7), None);
        assert_eq!(sources.text("a.rs", 99, 120), None);
        assert_eq!(sources.text("../a.rs", 1, 2), None);
        assert_eq!(sources.first_comment_line("gone.rs", 5), 5);
        let moved: Vec<String> = sources.into_changed_files().into_iter().collect();
        assert_eq!(moved, ["../a.rs", "gone.rs"]);
    }

    #[test]
    fn mixed_indentation_is_cut_where_it_is_the_same() {
        let lines = ["\t\tx", "\t  y", ""].map(str::to_owned);
        assert_eq!(dedent(&lines).unwrap(), "\tx\n  y");
    }
}
