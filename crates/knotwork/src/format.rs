//! Shapes of answers, as `--format` names them.

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
