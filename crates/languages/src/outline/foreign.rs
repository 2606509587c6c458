//! Sources whose ending belongs to several languages, of which only one is read.

/// Most bytes of a source that are read.
const MOST: usize = 64 << 10;

/// Beginnings of lines that tell a language from others with the same ending. The text alone decides, so that a file is
/// read the same in every repository.
pub(crate) struct LineStarts {
    /// Those of this language.
    pub(crate) own: &'static [&'static str],
    /// Those of the others.
    pub(crate) others: &'static [&'static str],
}

impl LineStarts {
    /// Whether a source is in one of the other languages: a line begins like theirs, and none like those of this one.
    pub(crate) fn are_of_others(&self, source: &str) -> bool {
        let mut has_others = false;
        for line in syntax::builder::head(source, MOST).lines() {
            let line = line.trim_start();
            if self.own.iter().any(|start| line.starts_with(start)) {
                return false;
            }
            has_others |= self.others.iter().any(|start| line.starts_with(start));
        }
        has_others
    }
}
