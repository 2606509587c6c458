//! Marks: facts about a place in the source that are no names, calls or imports.

use serde::{Deserialize, Serialize};

/// The detail of an attribute that allows unused code: `#[allow(dead_code)]`.
pub const DEAD_CODE: &str = "dead_code";

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// Kind of a mark, as a small number (column `kind`). New kinds go to the end.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum MarkKind {
            $($(#[$doc])* $name,)*
        }

        impl MarkKind {
            /// Every kind, in order of their numbers.
            pub const ALL: &[MarkKind] = &[$(MarkKind::$name,)*];
        }
    };
}

kinds! {
    /// A definition has a decorator, an annotation or an attribute. Name: as written, without arguments. Detail: its literal
    /// arguments.
    Decorator,
    /// A handler names the errors that it catches. Name: the handler's name for the error, empty if it has none.
    Catch,
    /// A handler catches everything without naming an error: `except:`, `catch {`.
    CatchAll,
    /// An error is made and thrown outside of a handler; in ECMAScript anywhere. Name: its class.
    Throw,
    /// An error is made and thrown in a handler, and keeps the handled error as its cause. Name: its class.
    Rethrow,
    /// As `Rethrow`, without the cause.
    RethrowWithoutCause,
    /// Go: `fmt.Errorf` wraps an error with `%w`.
    Wrap,
    /// Go: `fmt.Errorf` is given `err` and does not wrap it.
    Flatten,
    /// Go: `errors.Is`.
    CompareByIs,
    /// Go: `err` is compared with something other than `nil` by an operator.
    CompareByOperator,
    /// Go: `if err != nil` returns `err` itself.
    ReturnPlain,
    /// Go: `if err != nil` returns an error that is made from `err`.
    ReturnWrapped,
    /// Rust: `.unwrap()`.
    Unwrap,
    /// Rust: `.expect(…)`.
    Expect,
    /// Rust: `.with_context(…)`.
    ContextLazy,
    /// Rust: `.context(format!(…))`.
    ContextFormat,
    /// Python: `from __future__ import annotations`.
    PostponedAnnotations,
    /// A call that may lead to another program, or that declares how others reach this one. Name: the last name of the
    /// callee. Detail: the call as JSON, see [`crate::remote`].
    RemoteCall,
    /// A name is assigned a text that is a path or an address. Name: the name, dotted. Detail: the text.
    RemoteText,
}

impl MarkKind {
    /// Whether it concerns other programs.
    pub fn is_remote(self) -> bool {
        matches!(self, MarkKind::RemoteCall | MarkKind::RemoteText)
    }

    /// The stored form.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The kind of a stored number; `None` for another number.
    pub fn from_code(code: u8) -> Option<MarkKind> {
        MarkKind::ALL.get(usize::from(code)).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_read_back() {
        for kind in MarkKind::ALL {
            assert_eq!(MarkKind::from_code(kind.code()), Some(*kind));
        }
        assert_eq!(MarkKind::from_code(MarkKind::ALL.len() as u8), None);
    }
}
