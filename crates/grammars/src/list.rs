//! The packed grammars, as the build script declares them.

#![allow(unsafe_code)]

use crate::Grammar;
use crate::language::{Functions, Layout, Scanner};
use grammar_tables::Numbers;
use std::ffi::{c_char, c_uint, c_void};
use std::sync::OnceLock;

/// Declares a grammar and its functions, which the build script compiled.
macro_rules! declare {
    (
        $grammar:ident, $folder:literal, $size:literal, [$($numbers:tt)*],
        $layout:expr,
        $lex:ident,
        $(keywords $keywords:ident,)?
        $(scanner $create:ident $destroy:ident $scan:ident $serialize:ident $deserialize:ident,)?
    ) => {
        // SAFETY: these are the signatures of the functions in `parser.h`.
        unsafe extern "C" {
            fn $lex(lexer: *mut c_void, state: u16) -> bool;
            $(fn $keywords(lexer: *mut c_void, state: u16) -> bool;)?
            $(
                fn $create() -> *mut c_void;
                fn $destroy(scanner: *mut c_void);
                fn $scan(scanner: *mut c_void, lexer: *mut c_void, valid: *const bool) -> bool;
                fn $serialize(scanner: *mut c_void, buffer: *mut c_char) -> c_uint;
                fn $deserialize(scanner: *mut c_void, buffer: *const c_char, length: c_uint);
            )?
        }

        #[doc = concat!("The grammar `", $folder, "`.")]
        pub static $grammar: Grammar = Grammar {
            packed: include_bytes!(concat!(env!("OUT_DIR"), "/", $folder, "/tables.zst")),
            size: $size,
            numbers: Numbers { $($numbers)* },
            layout: $layout,
            functions: Functions {
                lex: $lex,
                lex_keywords: option!($($keywords)?),
                scanner: option!($(Scanner {
                    create: $create,
                    destroy: $destroy,
                    scan: $scan,
                    serialize: $serialize,
                    deserialize: $deserialize,
                })?),
            },
            unpacked: OnceLock::new(),
        };
    };
}

/// What is given, or nothing.
macro_rules! option {
    () => {
        None
    };
    ($value:expr) => {
        Some($value)
    };
}

include!(concat!(env!("OUT_DIR"), "/generated.rs"));
