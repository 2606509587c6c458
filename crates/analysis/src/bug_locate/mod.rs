//! Ranks files by how likely they hold a bug, from the stack traces, messages and names in a report and from the files'
//! history.
//!
//! Pure: the caller gathers [`Signals`] of files, [`Ranker`] weighs them.

mod clues;
mod message;
mod native;
mod rank;
mod source_map;
mod trace;
mod tuning;

pub use clues::{Clues, extract_clues};
pub use message::{Match, Pattern, find_string_literals};
pub use rank::{Ranker, Scores, Signals};
pub use source_map::SourceMap;
pub use trace::{Frame, Trace, TraceLanguage, parse_stack_traces};
pub use tuning::{Gathering, Places, Reasons, Tuning, Weights};
