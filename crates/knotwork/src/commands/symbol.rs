//! The symbol of a command, as a positional argument or as `--symbol`.

use clap::Args;

/// A symbol.
#[derive(Debug, Args)]
pub(crate) struct SymbolArg {
    /// The symbol: name, Class.method, module.name, path:line, path::name or id
    #[arg(value_name = "SYMBOL", required_unless_present = "named")]
    positional: Option<String>,
    /// Same as SYMBOL
    #[arg(
        long = "symbol",
        id = "named",
        value_name = "SYMBOL",
        conflicts_with = "positional"
    )]
    named: Option<String>,
}

impl SymbolArg {
    /// The symbol; clap makes sure that there is one.
    pub(crate) fn into_symbol(self) -> String {
        self.positional.or(self.named).unwrap_or_default()
    }
}
