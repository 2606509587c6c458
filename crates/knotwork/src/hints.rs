//! Suggestions for words that people type instead of a command's real name.

use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Words that people try, and the commands that they mean.
const MEANT: &[(&str, &str)] = &[
    ("analyze", "index"),
    ("callees", "call-chain NAME --direction callees"),
    ("callers", "call-chain NAME --direction callers"),
    ("cycles", "arch-check --cycle-check"),
    ("definition", "graph-store find-symbol NAME"),
    ("graph", "call-chain NAME"),
    ("init", "index"),
    ("orphans", "arch-check --orphan-check"),
    ("outline", "cod generate"),
    ("overview", "cod generate"),
    ("query", "search QUERY"),
    ("references", "call-chain NAME --direction callers"),
    ("stats", "graph-store stats"),
    ("status", "index status"),
    ("symbol", "graph-store find-symbol NAME"),
];

/// The command that the user probably meant by an unknown word.
pub(crate) fn meant_command(error: &clap::Error) -> Option<&'static str> {
    if error.kind() != ErrorKind::InvalidSubcommand {
        return None;
    }
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else {
        return None;
    };
    let found = MEANT.iter().find(|(tried, _)| tried == word);
    found.map(|(_, meant)| *meant)
}

#[cfg(test)]
mod tests {
    use super::{MEANT, meant_command};
    use crate::cli::Cli;
    use std::ffi::OsString;

    #[test]
    fn what_is_meant_is_a_command() {
        for (tried, meant) in MEANT {
            let Err(error) = Cli::read(["knotwork", tried].map(OsString::from)) else {
                panic!("{tried} is a command");
            };
            assert_eq!(meant_command(&error), Some(*meant), "{tried}");
            let words = std::iter::once("knotwork").chain(meant.split(' '));
            let read = Cli::read(words.map(OsString::from));
            assert!(read.is_ok(), "{meant}: {}", read.err().unwrap());
        }
        let unknown = Cli::read(["knotwork", "frobnicate"].map(OsString::from));
        assert!(meant_command(&unknown.err().unwrap()).is_none());
    }
}
