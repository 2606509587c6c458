//! Evaluations of answers against independent data.

mod ablation;
pub mod bugs;
mod bugs_ablation;
mod bugs_report;
pub mod calls;
pub mod chunks;
pub mod context;
mod corpus;
#[cfg(unix)]
pub mod fresh;
pub mod incremental;
mod judge;
mod judge_words;
#[cfg(unix)]
pub mod kill;
mod micro;
mod name_forms;
pub mod names;
pub mod orphans;
pub mod patterns;
pub mod prompts;
pub mod questions;
mod report;
pub mod search;
pub mod search_data;
mod search_tune;
pub mod silence;
pub mod solutions;
pub mod unresolved;
