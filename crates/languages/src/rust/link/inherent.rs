//! Methods that types of the standard library have themselves: they go before those of any trait that is in scope.

use crate::names::NameLists;
use std::sync::LazyLock;

/// Methods by type.
static METHODS: LazyLock<NameLists> =
    LazyLock::new(|| NameLists::parse(include_str!("../inherent.txt")));

/// Whether a type has a method of that name itself, not through a trait or through what it derefs to.
pub(super) fn is_own_method(key: &str, name: &str) -> bool {
    let list = match key {
        "BTreeMap" => "HashMap",
        "BTreeSet" => "HashSet",
        "RangeInclusive" | "RangeFrom" | "RangeTo" | "RangeToInclusive" => "Range",
        key => key,
    };
    METHODS.has(list, name)
}
