//! Clojure and ClojureScript, of which only names are read: the namespace, functions, macros, types, protocols, variables.

#[cfg(test)]
mod tests;

use crate::outline::{self, Outline, Tags};
use crate::support::Support;
use base::Visibility;

/// The code.
pub(crate) const SUPPORT: Support = Support::new(
    || grammars::CLOJURE.language(),
    |builder, root| outline::walk_tags(builder, root, &TAGS),
);

static TAGS: Tags = Tags {
    outline: Outline {
        visibility: &[
            ("defn-", Visibility::Private),
            ("private", Visibility::Private),
            ("defmacro-", Visibility::Private),
        ],
        ..Outline::NEUTRAL
    },
    separator: Some("."),
    ..Tags::new(include_str!("tags.scm"))
};
