//! Protocol Buffers, of which only names are read: messages with their fields, enums, services with their calls.

#[cfg(test)]
mod tests;

use crate::outline::{self, Tags};
use crate::support::Support;

/// The code.
pub(crate) const SUPPORT: Support = Support::new(
    || grammars::PROTO.language(),
    |builder, root| outline::walk_tags(builder, root, &TAGS),
);

static TAGS: Tags = Tags::new(include_str!("tags.scm"));
