//! Formats of answers, by their names in `--format`.

use clap::ValueEnum;

/// Shapes of answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// One line of JSON
    Json,
    /// Plain text for people
    Text,
    /// Markdown
    Md,
    /// A Mermaid diagram
    Mermaid,
    /// An indented tree
    Tree,
    /// Nodes and links as JSON, for D3
    D3json,
    /// SARIF 2.1.0, which code hosts show next to the source lines
    Sarif,
}

/// The formats of commands that have text and JSON; the first is the default.
pub(crate) const TEXT_OR_JSON: &[Format] = &[Format::Text, Format::Json];
/// The same formats with JSON as the default, for commands whose output is for programs.
pub(crate) const JSON_OR_TEXT: &[Format] = &[Format::Json, Format::Text];

impl Format {
    /// The name in `--format`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Format::Json => "json",
            Format::Text => "text",
            Format::Md => "md",
            Format::Mermaid => "mermaid",
            Format::Tree => "tree",
            Format::D3json => "d3json",
            Format::Sarif => "sarif",
        }
    }
}
