//! The text of files, each read once for an answer.

use crate::project::Project;
use base::secret::{self, TextKind};
use std::collections::BTreeMap;

/// Larger files are not shown.
const MAX_BYTES: u64 = 4 << 20;

/// Lines above a definition that are looked at for its documentation.
const MAX_LEAD: u32 = 40;

/// See the module.
pub(super) struct Sources<'p> {
    project: &'p Project,
    files: BTreeMap<String, Option<Vec<String>>>,
}

impl<'p> Sources<'p> {
    pub(super) fn new(project: &'p Project) -> Sources<'p> {
        Sources {
            project,
            files: BTreeMap::new(),
        }
    }

    /// The lines of a file; none where it is gone, too large, or lies outside the project.
    pub(super) fn file(&mut self, path: &str) -> Option<&[String]> {
        if !self.files.contains_key(path) {
            let lines = read(self.project, path);
            self.files.insert(path.to_owned(), lines);
        }
        self.files.get(path)?.as_deref()
    }

    /// Some lines, without the indentation common to all and without empty lines at either end.
    pub(super) fn text(&mut self, path: &str, start: u32, end: u32) -> Option<String> {
        let lines = self.file(path)?;
        let from = (start.max(1) - 1) as usize;
        let to = (end as usize).min(lines.len());
        dedent(lines.get(from..to)?)
    }

    /// The first line of the comment and the annotations right above a line.
    pub(super) fn lead(&mut self, path: &str, line: u32) -> u32 {
        let Some(lines) = self.file(path) else {
            return line;
        };
        let above = |line: u32| lines.get(line.checked_sub(2)? as usize);
        let mut first = line;
        while first > 1 && line - first < MAX_LEAD && above(first).is_some_and(|l| leads(l)) {
            first -= 1;
        }
        first
    }
}

fn read(project: &Project, path: &str) -> Option<Vec<String>> {
    let real = project.on_disk(path).filter(|real| real.is_file())?;
    if real.metadata().ok()?.len() > MAX_BYTES {
        return None;
    }
    let bytes = std::fs::read(real).ok()?;
    let text = secret::mask(
        String::from_utf8_lossy(&bytes).into_owned(),
        TextKind::of_path(path),
    );
    Some(
        text.lines()
            .map(|line| line.trim_end().to_owned())
            .collect(),
    )
}

/// Whether a line belongs to the definition below it.
fn leads(line: &str) -> bool {
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
            Some(before) => shared(before, indent),
        });
    }
    let cut = common.unwrap_or("").len();
    let cut: Vec<&str> = lines.iter().map(|l| l.get(cut..).unwrap_or("")).collect();
    Some(cut.join("\n"))
}

/// What both begin with.
fn shared<'a>(a: &'a str, b: &str) -> &'a str {
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
            "== a.rs\nimpl X {\n    other();\n    /// Runs.\n    #[inline]\n    fn run() {\n        go()\n\n    }\n}\n",
        );
        let project = Project::find(&Settings::at(repo.path())).unwrap();
        let mut sources = Sources::new(&project);
        assert_eq!(sources.lead("a.rs", 5), 3);
        assert_eq!(
            sources.text("a.rs", 3, 8).unwrap(),
            "/// Runs.\n#[inline]\nfn run() {\n    go()\n\n}"
        );
        assert_eq!(sources.text("a.rs", 7, 7), None);
        assert_eq!(sources.text("a.rs", 99, 120), None);
        assert_eq!(sources.text("../a.rs", 1, 2), None);
        assert_eq!(sources.lead("gone.rs", 5), 5);
    }

    #[test]
    fn mixed_indentation_is_cut_where_it_is_the_same() {
        let lines = ["\t\tx", "\t  y", ""].map(str::to_owned);
        assert_eq!(dedent(&lines).unwrap(), "\tx\n  y");
    }
}
