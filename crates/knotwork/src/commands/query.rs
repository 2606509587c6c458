//! The query of a command, as positional arguments or as `--query`.

use clap::Args;

/// A question.
#[derive(Debug, Args)]
pub(crate) struct QueryArg {
    /// A question, keywords, an error message or a name
    #[arg(value_name = "QUERY", required_unless_present = "named_query")]
    words: Vec<String>,
    /// Same as QUERY
    #[arg(
        long = "query",
        short = 'q',
        id = "named_query",
        value_name = "QUERY",
        conflicts_with = "words"
    )]
    named: Option<String>,
}

impl QueryArg {
    /// The query. Several arguments, which a shell makes of text without quotes, are joined.
    pub(crate) fn into_query(self) -> String {
        self.named.unwrap_or_else(|| self.words.join(" "))
    }
}
