//! The struct by which tree-sitter knows a language, made of unpacked tables and compiled functions.
//!
//! This module is unsafe in three ways, each for a reason:
//!
//! - [`RawLanguage`] has the layout of `TSLanguage` in tree-sitter's `parser.h`, versions 13 to 15. Older versions have
//!   fewer members at the end; tree-sitter looks at the version before it reads these. A test compares every member and
//!   every table with what a C compiler makes of the same source.
//! - It has pointers, so it is not shared between threads by itself. They point to memory that nobody writes or frees.
//! - [`RawLanguage::language`] hands it to tree-sitter.

#![allow(unsafe_code)]

use grammar_tables::Numbers;
use std::ffi::{c_char, c_uint, c_void};
use std::ops::Range;
use std::ptr::null;

/// Where each table lies in the unpacked bytes.
pub(crate) struct Layout {
    pub(crate) parse_table: Option<Range<usize>>,
    pub(crate) small_parse_table: Option<Range<usize>>,
    pub(crate) small_parse_table_map: Option<Range<usize>>,
    pub(crate) parse_actions: Option<Range<usize>>,
    pub(crate) symbol_names: Option<Range<usize>>,
    pub(crate) field_names: Option<Range<usize>>,
    pub(crate) field_map_slices: Option<Range<usize>>,
    pub(crate) field_map_entries: Option<Range<usize>>,
    pub(crate) symbol_metadata: Option<Range<usize>>,
    pub(crate) public_symbol_map: Option<Range<usize>>,
    pub(crate) alias_map: Option<Range<usize>>,
    pub(crate) alias_sequences: Option<Range<usize>>,
    pub(crate) lex_modes: Option<Range<usize>>,
    pub(crate) external_states: Option<Range<usize>>,
    pub(crate) external_symbol_map: Option<Range<usize>>,
    pub(crate) primary_state_ids: Option<Range<usize>>,
    pub(crate) name: Option<Range<usize>>,
    pub(crate) reserved_words: Option<Range<usize>>,
    pub(crate) supertype_symbols: Option<Range<usize>>,
    pub(crate) supertype_map_slices: Option<Range<usize>>,
    pub(crate) supertype_map_entries: Option<Range<usize>>,
}

/// `bool (*)(TSLexer *, TSStateId)`.
pub(crate) type LexFn = unsafe extern "C" fn(*mut c_void, u16) -> bool;
pub(crate) type CreateFn = unsafe extern "C" fn() -> *mut c_void;
pub(crate) type DestroyFn = unsafe extern "C" fn(*mut c_void);
pub(crate) type ScanFn = unsafe extern "C" fn(*mut c_void, *mut c_void, *const bool) -> bool;
pub(crate) type SerializeFn = unsafe extern "C" fn(*mut c_void, *mut c_char) -> c_uint;
pub(crate) type DeserializeFn = unsafe extern "C" fn(*mut c_void, *const c_char, c_uint);

/// The compiled functions of a grammar.
pub(crate) struct Functions {
    pub(crate) lex: LexFn,
    pub(crate) lex_keywords: Option<LexFn>,
    pub(crate) scanner: Option<Scanner>,
}

/// The functions of a scanner.
#[derive(Clone, Copy)]
pub(crate) struct Scanner {
    pub(crate) create: CreateFn,
    pub(crate) destroy: DestroyFn,
    pub(crate) scan: ScanFn,
    pub(crate) serialize: SerializeFn,
    pub(crate) deserialize: DeserializeFn,
}

/// The member `external_scanner` of `TSLanguage`.
#[repr(C)]
pub(crate) struct RawScanner {
    pub(crate) states: *const u8,
    pub(crate) symbol_map: *const u16,
    pub(crate) create: Option<CreateFn>,
    pub(crate) destroy: Option<DestroyFn>,
    pub(crate) scan: Option<ScanFn>,
    pub(crate) serialize: Option<SerializeFn>,
    pub(crate) deserialize: Option<DeserializeFn>,
}

/// `TSLanguage`. Pointers to structs are pointers to bytes here.
#[repr(C)]
pub(crate) struct RawLanguage {
    pub(crate) abi_version: u32,
    pub(crate) symbol_count: u32,
    pub(crate) alias_count: u32,
    pub(crate) token_count: u32,
    pub(crate) external_token_count: u32,
    pub(crate) state_count: u32,
    pub(crate) large_state_count: u32,
    pub(crate) production_id_count: u32,
    pub(crate) field_count: u32,
    pub(crate) max_alias_sequence_length: u16,
    pub(crate) parse_table: *const u8,
    pub(crate) small_parse_table: *const u8,
    pub(crate) small_parse_table_map: *const u8,
    pub(crate) parse_actions: *const u8,
    pub(crate) symbol_names: *const *const c_char,
    pub(crate) field_names: *const *const c_char,
    pub(crate) field_map_slices: *const u8,
    pub(crate) field_map_entries: *const u8,
    pub(crate) symbol_metadata: *const u8,
    pub(crate) public_symbol_map: *const u8,
    pub(crate) alias_map: *const u8,
    pub(crate) alias_sequences: *const u8,
    pub(crate) lex_modes: *const u8,
    pub(crate) lex_fn: Option<LexFn>,
    pub(crate) keyword_lex_fn: Option<LexFn>,
    pub(crate) keyword_capture_token: u16,
    pub(crate) external_scanner: RawScanner,
    // From version 14 on.
    pub(crate) primary_state_ids: *const u8,
    // From version 15 on.
    pub(crate) name: *const c_char,
    pub(crate) reserved_words: *const u8,
    pub(crate) max_reserved_word_set_size: u16,
    pub(crate) supertype_count: u32,
    pub(crate) supertype_symbols: *const u8,
    pub(crate) supertype_map_slices: *const u8,
    pub(crate) supertype_map_entries: *const u8,
    pub(crate) metadata: [u8; 3],
}

// SAFETY: all pointers point to memory that is constant as long as the process lives: leaked tables, leaked lists of
// names, functions.
unsafe impl Send for RawLanguage {}
// SAFETY: as above.
unsafe impl Sync for RawLanguage {}

impl RawLanguage {
    /// The language of unpacked tables.
    pub(crate) fn new(
        tables: &'static [u8],
        numbers: &Numbers,
        layout: &Layout,
        functions: &Functions,
    ) -> RawLanguage {
        let at = |range: &Option<Range<usize>>| {
            let table = range.clone().map(|range| tables[range].as_ptr());
            table.unwrap_or(null())
        };
        let strings = |range: &Option<Range<usize>>, first: usize| {
            let bytes = range.clone().map(|range| &tables[range]);
            bytes.map_or(null(), |bytes| leak_strings(bytes, first).as_ptr())
        };
        let scanner = functions.scanner;
        RawLanguage {
            abi_version: numbers.abi_version,
            symbol_count: numbers.symbol_count,
            alias_count: numbers.alias_count,
            token_count: numbers.token_count,
            external_token_count: numbers.external_token_count,
            state_count: numbers.state_count,
            large_state_count: numbers.large_state_count,
            production_id_count: numbers.production_id_count,
            field_count: numbers.field_count,
            max_alias_sequence_length: numbers.max_alias_sequence_length,
            parse_table: at(&layout.parse_table),
            small_parse_table: at(&layout.small_parse_table),
            small_parse_table_map: at(&layout.small_parse_table_map),
            parse_actions: at(&layout.parse_actions),
            symbol_names: strings(&layout.symbol_names, 0),
            // There is no field 0.
            field_names: strings(&layout.field_names, 1),
            field_map_slices: at(&layout.field_map_slices),
            field_map_entries: at(&layout.field_map_entries),
            symbol_metadata: at(&layout.symbol_metadata),
            public_symbol_map: at(&layout.public_symbol_map),
            alias_map: at(&layout.alias_map),
            alias_sequences: at(&layout.alias_sequences),
            lex_modes: at(&layout.lex_modes),
            lex_fn: Some(functions.lex),
            keyword_lex_fn: functions.lex_keywords,
            keyword_capture_token: numbers.keyword_capture_token,
            external_scanner: RawScanner {
                states: at(&layout.external_states),
                symbol_map: at(&layout.external_symbol_map).cast(),
                create: scanner.map(|scanner| scanner.create),
                destroy: scanner.map(|scanner| scanner.destroy),
                scan: scanner.map(|scanner| scanner.scan),
                serialize: scanner.map(|scanner| scanner.serialize),
                deserialize: scanner.map(|scanner| scanner.deserialize),
            },
            primary_state_ids: at(&layout.primary_state_ids),
            name: at(&layout.name).cast(),
            reserved_words: at(&layout.reserved_words),
            max_reserved_word_set_size: numbers.max_reserved_word_set_size,
            supertype_count: numbers.supertype_count,
            supertype_symbols: at(&layout.supertype_symbols),
            supertype_map_slices: at(&layout.supertype_map_slices),
            supertype_map_entries: at(&layout.supertype_map_entries),
            metadata: numbers.metadata,
        }
    }

    /// The language, as tree-sitter's Rust binding has it.
    pub(crate) fn language(&'static self) -> tree_sitter::Language {
        let raw: *const RawLanguage = self;
        // SAFETY: the struct is a whole `TSLanguage` of its version, with the tables and functions that tree-sitter
        // generated. It lives as long as the process.
        unsafe { tree_sitter::Language::from_raw(raw.cast()) }
    }
}

/// A pointer to each string of the bytes, with null for those before `first`. The strings end with a zero.
fn leak_strings(bytes: &'static [u8], first: usize) -> &'static [*const c_char] {
    let strings = bytes.split_inclusive(|byte| *byte == 0);
    let pointers = strings.map(|string| string.as_ptr().cast());
    let none = std::iter::repeat_n(null(), first);
    none.chain(pointers.skip(first)).collect::<Vec<_>>().leak()
}
