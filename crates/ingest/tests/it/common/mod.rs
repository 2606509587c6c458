//! What tests over whole indexes share.

pub(crate) mod sequence;
#[allow(dead_code)]
pub(crate) mod state;
