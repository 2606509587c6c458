//! Method names that do not identify the receiver: classes of the standard library and of widely used packages have
//! them, too.

use crate::names::NameLists;
use std::sync::LazyLock;

static NAMES: LazyLock<NameLists> =
    LazyLock::new(|| NameLists::parse(include_str!("../common_methods.txt")));

/// Whether a method of that name may well come from outside the repository.
pub(super) fn is_common_method_name(name: &str) -> bool {
    name.starts_with("__") || NAMES.has("methods", name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_names_are_known() {
        assert!(
            is_common_method_name("append")
                && is_common_method_name("__init__")
                && !is_common_method_name("start_capturing")
        );
    }
}
