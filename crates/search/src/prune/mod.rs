//! Choosing what an answer shows within a budget of tokens.
//!
//! Pure: what a fragment is worth ([`priority()`]), what a text costs ([`estimate`]), which fragments are
//! shown ([`select()`]), and what stands for one that is too large ([`skeleton()`]).

mod priority;
mod select;
mod skeleton;
mod tokenizer;
mod tokens;

pub use priority::priority;
pub use select::{Chosen, Fragment, Prices, Selection, select};
pub use skeleton::{Outline, skeleton};
pub use tokenizer::Tokenizer;
pub use tokens::estimate;
