//! Kinds and visibility of symbols.

use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! kinds {
    ($($(#[$doc:meta])* $variant:ident => $word:literal,)*) => {
        /// Kind of a node. The words are those of the language-server field.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum SymbolKind { $($(#[$doc])* $variant,)* }

        impl SymbolKind {
            /// Every kind.
            pub const ALL: &'static [SymbolKind] = &[$(SymbolKind::$variant,)*];

            /// The word in the store and in every answer.
            pub fn as_str(self) -> &'static str {
                match self { $(SymbolKind::$variant => $word,)* }
            }
        }
    };
}

kinds! {
    /// A source file (also means its module-level code).
    File => "file",
    /// A module, or a Rust `mod`.
    Module => "module",
    /// A TypeScript namespace.
    Namespace => "namespace",
    /// A package.
    Package => "package",
    /// A class.
    Class => "class",
    /// An interface or protocol.
    Interface => "interface",
    /// A Rust trait.
    Trait => "trait",
    /// A struct or record.
    Struct => "struct",
    /// A union type definition (Rust `union`).
    Union => "union",
    /// An enum.
    Enum => "enum",
    /// A member of an enum.
    EnumMember => "enum_member",
    /// A function.
    Function => "function",
    /// A method.
    Method => "method",
    /// A constructor.
    Constructor => "constructor",
    /// A field of a struct or class.
    Field => "field",
    /// A property with accessors.
    Property => "property",
    /// A module-level or static variable.
    Variable => "variable",
    /// A constant.
    Constant => "constant",
    /// A type alias or associated type.
    TypeAlias => "type_alias",
    /// A macro.
    Macro => "macro",
    /// A Rust `impl` block: holds methods, is no node of its own.
    Impl => "impl",
    /// A parameter.
    Parameter => "parameter",
    /// A type parameter.
    TypeParameter => "type_parameter",
    /// A symbol local to a function (from SCIP).
    Local => "local",
    /// Anything else.
    Other => "other",
}

impl SymbolKind {
    /// The kind of that word, if there is one.
    pub fn parse(word: &str) -> Option<SymbolKind> {
        SymbolKind::ALL.iter().copied().find(|k| k.as_str() == word)
    }

    /// Whether it can be called like a function.
    pub fn is_callable(self) -> bool {
        matches!(
            self,
            SymbolKind::Function | SymbolKind::Method | SymbolKind::Constructor | SymbolKind::Macro
        )
    }

    /// Whether it names a type that can have members.
    pub fn is_type(self) -> bool {
        matches!(
            self,
            SymbolKind::Class
                | SymbolKind::Interface
                | SymbolKind::Trait
                | SymbolKind::Struct
                | SymbolKind::Union
                | SymbolKind::Enum
        )
    }
}

impl fmt::Display for SymbolKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Visibility of a symbol, as written (or as the language's naming rule says).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// Everybody.
    #[default]
    Public,
    /// The package or crate.
    Package,
    /// The class and its subclasses.
    Protected,
    /// The class, file or module.
    Private,
}

impl Visibility {
    /// The word in the store and in every answer.
    pub fn as_str(self) -> &'static str {
        match self {
            Visibility::Public => "public",
            Visibility::Package => "package",
            Visibility::Protected => "protected",
            Visibility::Private => "private",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_survive_their_words_and_words_are_unique() {
        for kind in SymbolKind::ALL {
            assert_eq!(SymbolKind::parse(kind.as_str()), Some(*kind));
        }
    }
}
