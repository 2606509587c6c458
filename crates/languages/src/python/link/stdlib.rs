//! Built-in names and modules of Python.

use crate::names::NameLists;
use std::sync::LazyLock;

static NAMES: LazyLock<NameLists> =
    LazyLock::new(|| NameLists::parse(include_str!("../stdlib.txt")));

/// Whether a top-level module is of the standard library.
pub(super) fn is_module(name: &str) -> bool {
    NAMES.has("modules", name)
}

/// Whether a name is bound everywhere.
pub(super) fn is_builtin(name: &str) -> bool {
    NAMES.has("builtins", name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_and_builtins_are_known() {
        assert!(is_module("os") && !is_module("requests"));
        assert!(is_builtin("len") && !is_builtin("foo"));
    }
}
