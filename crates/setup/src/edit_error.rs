//! Why a settings file cannot be edited.

/// The reason why a settings file is left as it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// The text breaks the rules of its format.
    #[error("line {line}: {fault}")]
    Syntax {
        /// The line, from 1.
        line: usize,
        /// The fault.
        fault: String,
    },
    /// A value is of another kind than this program expects.
    #[error("{value} is no {wanted}")]
    WrongKind {
        /// The value: a path of keys, or `it` for the whole text.
        value: String,
        /// The kind that is expected.
        wanted: &'static str,
    },
    /// YAML with more than one document.
    #[error("it holds several documents")]
    SeveralDocuments,
    /// TOML that would take too much memory.
    #[error("it has too many tables and values")]
    TooLarge,
    /// The entry of this program is longer than any that it writes.
    #[error("the entry has more than {kib} KiB")]
    LongEntry {
        /// The largest size, in KiB.
        kib: usize,
    },
    /// There are more hooks of this program than it can have added.
    #[error("it has {count} hooks of knotwork, more than {most}; take them out by hand")]
    TooManyHooks {
        /// Their number.
        count: usize,
        /// The largest number that is edited.
        most: usize,
    },
    /// A key stands twice in one object. Which one counts is not guessed.
    #[error("the key {0} stands in it twice")]
    TwiceTheKey(String),
    /// A key that is to be added exists.
    #[error("the key {0} is there already")]
    KeyExists(String),
    /// The list to which something is to be added is missing.
    #[error("the list is not there")]
    NoList,
    /// Nothing can be added to a section without rewriting it.
    #[error("{section} is in a form that {part} cannot be added to; add by hand:\n{entry}")]
    NoPlace {
        /// The section.
        section: &'static str,
        /// What would be added: a line, a table.
        part: &'static str,
        /// The entry, as a person would write it.
        entry: String,
    },
    /// The entry of this program cannot be separated from its neighbours.
    #[error(
        "{section}.{} cannot be told from the rest; take it out by hand",
        crate::NAME
    )]
    Inseparable {
        /// The section.
        section: &'static str,
    },
}

impl EditError {
    /// The whole text is of another kind than expected.
    pub(crate) fn text_is_no(wanted: &'static str) -> EditError {
        EditError::WrongKind {
            value: "it".to_owned(),
            wanted,
        }
    }
}

/// The result of reading or editing a settings file.
pub(crate) type Result<T> = std::result::Result<T, EditError>;
