//! Inherent methods of types in the standard library, which precede those of any trait in scope.

use crate::names::NameLists;
use std::sync::LazyLock;

/// Methods by type.
static METHODS: LazyLock<NameLists> =
    LazyLock::new(|| NameLists::parse(include_str!("../inherent.txt")));

/// Whether a type has an inherent method of that name, not one from a trait or by deref.
pub(super) fn is_own_method(key: &str, name: &str) -> bool {
    let list = match key {
        "BTreeMap" => "HashMap",
        "BTreeSet" => "HashSet",
        "RangeInclusive" | "RangeFrom" | "RangeTo" | "RangeToInclusive" => "Range",
        key => key,
    };
    METHODS.has(list, name)
}
