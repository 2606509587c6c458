//! Names that are visible everywhere: the prelude of the standard library, primitive types, macros.

use crate::names::NameLists;
use base::facts::Namespace;
use linker::ty::Entity;
use std::sync::LazyLock;

static NAMES: LazyLock<NameLists> =
    LazyLock::new(|| NameLists::parse(include_str!("../stdlib.txt")));

/// A name of the prelude.
pub(super) fn resolve_prelude_name(name: &str, namespace: Namespace) -> Entity {
    let known = (namespace.intersects(Namespace::TYPE) && NAMES.has("types", name))
        || (namespace.intersects(Namespace::VALUE) && NAMES.has("values", name))
        || (namespace.intersects(Namespace::MACRO) && NAMES.has("macros", name));
    if known {
        Entity::external("std", name)
    } else {
        Entity::Unknown
    }
}

/// Whether the standard library has methods of that name.
pub(super) fn is_common_method_name(name: &str) -> bool {
    NAMES.has("common methods", name)
}

/// Whether a type of that name is a pointer or guard that gives access to the members of its contents.
pub(super) fn is_pointer_name(name: &str) -> bool {
    NAMES.has("pointers", name)
}
