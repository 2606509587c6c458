//! Choosing what an answer shows within a budget of tokens.
//!
//! Pure: what a fragment is worth ([`priority()`]), what a text costs ([`estimate_tokens`]), which fragments are
//! shown ([`select_fragments()`]), and what stands for one that is too large ([`render_skeleton()`]).

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
