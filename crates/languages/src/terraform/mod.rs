//! Terraform, of which only names are read: blocks by their addresses, local values.

#[cfg(test)]
mod tests;

use crate::outline::{self, Tags};
use crate::support::Support;

/// The code.
pub(crate) const SUPPORT: Support = Support::new(
    || grammars::HCL.language(),
    |builder, root| outline::walk_tags(builder, root, &TAGS),
);

static TAGS: Tags = Tags {
    separator: Some("."),
    ..Tags::new(include_str!("tags.scm"))
};
