//! The choice of fragments for an answer within a budget of tokens.
//!
//! All functions are pure: the value of a fragment ([`priority()`]), the cost of a text ([`estimate_tokens`]),
//! the choice of fragments ([`select_fragments()`]), and a skeleton for a fragment that is too large
//! ([`render_skeleton()`]).

mod priority;
mod select;
mod skeleton;
mod tokenizer;
mod tokens;

pub use priority::priority;
pub use select::{Chosen, Fragment, Selection, TokenCosts, select_fragments};
pub use skeleton::{Outline, render_skeleton};
pub use tokenizer::Tokenizer;
pub use tokens::estimate_tokens;
