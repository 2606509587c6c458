//! Names that PHP has without any source.

use crate::names::NameLists;
use std::sync::LazyLock;

static NAMES: LazyLock<NameLists> =
    LazyLock::new(|| NameLists::parse(include_str!("../stdlib.txt")));

/// The package of what PHP has itself.
pub(super) const PHP: &str = "php";

/// Whether PHP has a function of that name.
pub(super) fn is_function(name: &str) -> bool {
    NAMES.has("functions", &name.to_ascii_lowercase())
}

/// Whether PHP has a class of that name.
pub(super) fn is_class(name: &str) -> bool {
    NAMES.has("classes", name)
}

/// Whether PHP has a constant of that name.
pub(super) fn is_constant(name: &str) -> bool {
    NAMES.has("constants", name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_classes_and_constants_are_known() {
        assert!(is_function("strlen") && is_function("StrLen") && !is_function("Exception"));
        assert!(is_class("Exception") && !is_class("Cart"));
        assert!(is_constant("PHP_EOL") && !is_constant("strlen"));
        assert!(
            !is_function("xdebug_info"),
            "the debugger is no part of PHP"
        );
    }
}
