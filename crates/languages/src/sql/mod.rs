//! SQL, of which only names are read: tables with their columns, views, types, functions, triggers.

mod prepare;
#[cfg(test)]
mod tests;

use crate::outline::{self, Tags};
use crate::support::Support;

/// The code.
pub(crate) const SUPPORT: Support = Support {
    prepare: prepare::prepare,
    ..Support::new(
        || grammars::SEQUEL.language(),
        |builder, root| outline::walk_tags(builder, root, &TAGS),
    )
};

static TAGS: Tags = Tags::new(include_str!("tags.scm"));
