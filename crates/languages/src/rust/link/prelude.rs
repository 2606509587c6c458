//! Names that are known everywhere: the prelude of the standard library, primitive types, macros.

use base::facts::Namespace;
use linker::ty::Entity;

const TYPES: &[&str] = &[
    "Option",
    "Result",
    "Vec",
    "String",
    "Box",
    "ToString",
    "ToOwned",
    "Clone",
    "Copy",
    "Send",
    "Sync",
    "Sized",
    "Drop",
    "Fn",
    "FnMut",
    "FnOnce",
    "Iterator",
    "IntoIterator",
    "Extend",
    "DoubleEndedIterator",
    "ExactSizeIterator",
    "Default",
    "PartialEq",
    "Eq",
    "PartialOrd",
    "Ord",
    "AsRef",
    "AsMut",
    "Into",
    "From",
    "TryFrom",
    "TryInto",
    "FromIterator",
    "Unpin",
    "Debug",
    "Hash",
    "str",
    "char",
    "bool",
    "u8",
    "u16",
    "u32",
    "u64",
    "u128",
    "usize",
    "i8",
    "i16",
    "i32",
    "i64",
    "i128",
    "isize",
    "f32",
    "f64",
];

const VALUES: &[&str] = &["Some", "None", "Ok", "Err", "drop"];

const MACROS: &[&str] = &[
    "println",
    "print",
    "eprintln",
    "eprint",
    "format",
    "write",
    "writeln",
    "panic",
    "assert",
    "assert_eq",
    "assert_ne",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "vec",
    "dbg",
    "todo",
    "unimplemented",
    "unreachable",
    "matches",
    "concat",
    "stringify",
    "env",
    "option_env",
    "include",
    "include_str",
    "include_bytes",
    "line",
    "column",
    "file",
    "module_path",
    "cfg",
    "compile_error",
    "thread_local",
    "format_args",
    "try",
    "macro_rules",
    "global_asm",
    "asm",
];

/// A name of the prelude.
pub(super) fn resolve_prelude_name(name: &str, namespace: Namespace) -> Entity {
    let known = (namespace.intersects(Namespace::TYPE) && TYPES.contains(&name))
        || (namespace.intersects(Namespace::VALUE) && VALUES.contains(&name))
        || (namespace.intersects(Namespace::MACRO) && MACROS.contains(&name));
    if known {
        Entity::external("std", name)
    } else {
        Entity::Unknown
    }
}
