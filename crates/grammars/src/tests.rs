//! Packed grammars are compared with the same grammars linked in the plain way.

#![allow(unsafe_code)]

use crate::language::RawLanguage;
use crate::{
    BASH, C, C_SHARP, CLOJURE, CPP, DART, ELIXIR, ELM, ERLANG, FSHARP, GDSCRIPT, GO, GRAPHQL,
    GROOVY, Grammar, HASKELL, HCL, JAVA, JAVASCRIPT, JULIA, KOTLIN, LUA, NIX, OBJC, OCAML,
    OCAML_INTERFACE, PERL, PHP, PROTO, PYTHON, R, RUBY, RUST, SCALA, SEQUEL, SOLIDITY, SWIFT, TSX,
    TYPESCRIPT, ZIG,
};
use std::ffi::{CStr, c_char};
use std::ops::Range;
use std::path::Path;
use tree_sitter::{Language, Node, Parser};

/// Sources of a grammar.
enum Sources {
    /// A folder of `fuzz/corpus`.
    Folder(&'static str),
    Text(&'static str),
}

/// A grammar in both forms, and what is parsed with both.
struct Pair(&'static Grammar, Language, Sources);

const GRAPHQL_TEXT: &str = "\"\"\"A node.\"\"\"\ninterface Node { id: ID! }\n\ntype User implements Node @key(fields: \"id\") {\n  id: ID!\n  name(first: Int = 3): [String!]! # comment\n}\n\nquery Q($id: ID!) { user(id: $id) { ...F ... on User { name } } }\nfragment F on User { id }\nenum Color { RED GREEN }\nunion Any = User | Group\ninput In { a: [Int] = [1, 2] }\nextend type User { age: Int @deprecated(reason: \"x\") }\n";

const PROTO_TEXT: &str = "syntax = \"proto3\";\npackage a.b.c;\nimport public \"other.proto\";\n// comment\nmessage M {\n  reserved 2, 15, 9 to 11;\n  optional string name = 1 [deprecated = true];\n  map<string, Other> all = 3;\n  oneof kind { int32 a = 4; bytes b = 5; }\n  enum E { option allow_alias = true; ZERO = 0; ONE = -1; }\n}\nservice S {\n  rpc Get(stream M) returns (M) {\n    option (google.api.http) = { get: \"/v1/{name}\" additional_bindings { post: \"/v2\" body: \"*\" } };\n  }\n}\n";

fn pairs() -> Vec<Pair> {
    use Sources::{Folder, Text};
    vec![
        Pair(
            &BASH,
            tree_sitter_bash::LANGUAGE.into(),
            Folder("facts_shell"),
        ),
        Pair(&C, tree_sitter_c::LANGUAGE.into(), Folder("facts_c")),
        Pair(
            &C_SHARP,
            tree_sitter_c_sharp::LANGUAGE.into(),
            Folder("facts_csharp"),
        ),
        Pair(
            &CLOJURE,
            arborium_clojure::language().into(),
            Folder("facts_clojure"),
        ),
        Pair(&CPP, tree_sitter_cpp::LANGUAGE.into(), Folder("facts_cpp")),
        Pair(
            &DART,
            tree_sitter_dart::LANGUAGE.into(),
            Folder("facts_dart"),
        ),
        Pair(
            &ELIXIR,
            tree_sitter_elixir::LANGUAGE.into(),
            Folder("facts_elixir"),
        ),
        Pair(&ELM, tree_sitter_elm::LANGUAGE.into(), Folder("facts_elm")),
        Pair(
            &ERLANG,
            tree_sitter_erlang::LANGUAGE.into(),
            Folder("facts_erlang"),
        ),
        Pair(
            &FSHARP,
            tree_sitter_fsharp::LANGUAGE_FSHARP.into(),
            Folder("facts_fsharp"),
        ),
        Pair(
            &GDSCRIPT,
            tree_sitter_gdscript::LANGUAGE.into(),
            Folder("facts_gdscript"),
        ),
        Pair(&GO, tree_sitter_go::LANGUAGE.into(), Folder("facts_go")),
        Pair(
            &GRAPHQL,
            tree_sitter_graphql::LANGUAGE.into(),
            Text(GRAPHQL_TEXT),
        ),
        Pair(
            &GROOVY,
            tree_sitter_groovy::LANGUAGE.into(),
            Folder("facts_groovy"),
        ),
        Pair(
            &HASKELL,
            tree_sitter_haskell::LANGUAGE.into(),
            Folder("facts_haskell"),
        ),
        Pair(
            &HCL,
            tree_sitter_hcl::LANGUAGE.into(),
            Folder("facts_terraform"),
        ),
        Pair(
            &JAVA,
            tree_sitter_java::LANGUAGE.into(),
            Folder("facts_java"),
        ),
        Pair(
            &JAVASCRIPT,
            tree_sitter_javascript::LANGUAGE.into(),
            Folder("facts_javascript"),
        ),
        Pair(
            &JULIA,
            tree_sitter_julia::LANGUAGE.into(),
            Folder("facts_julia"),
        ),
        Pair(
            &KOTLIN,
            tree_sitter_kotlin_ng::LANGUAGE.into(),
            Folder("facts_kotlin"),
        ),
        Pair(&LUA, tree_sitter_lua::LANGUAGE.into(), Folder("facts_lua")),
        Pair(&NIX, tree_sitter_nix::LANGUAGE.into(), Folder("facts_nix")),
        Pair(
            &OBJC,
            tree_sitter_objc::LANGUAGE.into(),
            Folder("facts_objc"),
        ),
        Pair(
            &OCAML,
            tree_sitter_ocaml::LANGUAGE_OCAML.into(),
            Folder("facts_ocaml"),
        ),
        Pair(
            &OCAML_INTERFACE,
            tree_sitter_ocaml::LANGUAGE_OCAML_INTERFACE.into(),
            Folder("facts_ocamlinterface"),
        ),
        Pair(
            &PERL,
            arborium_perl::language().into(),
            Folder("facts_perl"),
        ),
        Pair(
            &PHP,
            tree_sitter_php::LANGUAGE_PHP.into(),
            Folder("facts_php"),
        ),
        Pair(&PROTO, tree_sitter_proto::LANGUAGE.into(), Text(PROTO_TEXT)),
        Pair(
            &PYTHON,
            tree_sitter_python::LANGUAGE.into(),
            Folder("facts_python"),
        ),
        Pair(&R, tree_sitter_r::LANGUAGE.into(), Folder("facts_r")),
        Pair(
            &RUBY,
            tree_sitter_ruby::LANGUAGE.into(),
            Folder("facts_ruby"),
        ),
        Pair(
            &RUST,
            tree_sitter_rust::LANGUAGE.into(),
            Folder("facts_rust"),
        ),
        Pair(
            &SCALA,
            tree_sitter_scala::LANGUAGE.into(),
            Folder("facts_scala"),
        ),
        Pair(
            &SEQUEL,
            tree_sitter_sequel::LANGUAGE.into(),
            Folder("facts_sql"),
        ),
        Pair(
            &SOLIDITY,
            tree_sitter_solidity::LANGUAGE.into(),
            Folder("facts_solidity"),
        ),
        Pair(
            &SWIFT,
            tree_sitter_swift::LANGUAGE.into(),
            Folder("facts_swift"),
        ),
        Pair(
            &TSX,
            tree_sitter_typescript::LANGUAGE_TSX.into(),
            Folder("facts_tsx"),
        ),
        Pair(
            &TYPESCRIPT,
            tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
            Folder("facts_typescript"),
        ),
        Pair(&ZIG, tree_sitter_zig::LANGUAGE.into(), Folder("facts_zig")),
    ]
}

impl Sources {
    fn read(&self) -> Vec<Vec<u8>> {
        let folder = match self {
            Sources::Folder(folder) => folder,
            Sources::Text(text) => return vec![text.as_bytes().to_vec()],
        };
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
        // A grammar that no language uses yet has no folder. Any text exercises it.
        let own = root.join(folder);
        let folder = own.is_dir().then_some(own);
        let folder = folder.unwrap_or_else(|| root.join("facts_swift"));
        let files = std::fs::read_dir(folder).expect("a corpus");
        let read = |file: std::fs::DirEntry| std::fs::read(file.path()).expect("a source");
        files.filter_map(Result::ok).map(read).collect()
    }
}

#[test]
fn every_packed_grammar_is_compared() {
    assert_eq!(pairs().len(), grammar_tables::GRAMMARS.len());
}

/// The bytes at a pointer of the plain language, which has as many as the table of the packed one.
fn plain_bytes(pointer: *const u8, range: &Option<Range<usize>>) -> &'static [u8] {
    let length = range.as_ref().map_or(0, |range| range.len());
    assert_eq!(pointer.is_null(), length == 0);
    if length == 0 {
        return &[];
    }
    // SAFETY: both come from the same declaration in `parser.c`. Were the table longer than the array, the comparison would
    // read constants behind it.
    unsafe { std::slice::from_raw_parts(pointer, length) }
}

fn strings(pointer: *const *const c_char, count: u32) -> Vec<Option<&'static CStr>> {
    let string = |at: u32| {
        // SAFETY: the array has `count` pointers to strings, or null.
        unsafe {
            let string = *pointer.add(at as usize);
            (!string.is_null()).then(|| CStr::from_ptr(string))
        }
    };
    (0..count).map(string).collect()
}

#[test]
fn tables_and_numbers_are_those_that_a_c_compiler_makes() {
    for (at, Pair(grammar, plain, _)) in pairs().into_iter().enumerate() {
        let name = grammar_tables::GRAMMARS[at].name;
        let packed = grammar.language();
        assert_eq!(packed.abi_version(), plain.abi_version(), "{name}");
        let raw: *const RawLanguage = plain.into_raw().cast();
        // SAFETY: members that the version does not have are not read below.
        let version = unsafe { (*raw).abi_version };
        let own = grammar.unpacked.get().expect("it was asked for");
        // SAFETY: a `TSLanguage` of version 15 has all members. Older ones end earlier; they are copied up to there.
        let other: &RawLanguage = if version == 15 {
            unsafe { &*raw }
        } else {
            &older(raw, version)
        };
        compare_numbers(own, other, name);
        let layout = &grammar.layout;
        let tables = [
            (own.parse_table, other.parse_table, &layout.parse_table),
            (
                own.small_parse_table,
                other.small_parse_table,
                &layout.small_parse_table,
            ),
            (
                own.small_parse_table_map,
                other.small_parse_table_map,
                &layout.small_parse_table_map,
            ),
            (
                own.parse_actions,
                other.parse_actions,
                &layout.parse_actions,
            ),
            (
                own.field_map_slices,
                other.field_map_slices,
                &layout.field_map_slices,
            ),
            (
                own.field_map_entries,
                other.field_map_entries,
                &layout.field_map_entries,
            ),
            (
                own.symbol_metadata,
                other.symbol_metadata,
                &layout.symbol_metadata,
            ),
            (
                own.public_symbol_map,
                other.public_symbol_map,
                &layout.public_symbol_map,
            ),
            (own.alias_map, other.alias_map, &layout.alias_map),
            (
                own.alias_sequences,
                other.alias_sequences,
                &layout.alias_sequences,
            ),
            (own.lex_modes, other.lex_modes, &layout.lex_modes),
            (
                own.primary_state_ids,
                other.primary_state_ids,
                &layout.primary_state_ids,
            ),
            (
                own.external_scanner.states,
                other.external_scanner.states,
                &layout.external_states,
            ),
            (
                own.external_scanner.symbol_map.cast(),
                other.external_scanner.symbol_map.cast(),
                &layout.external_symbol_map,
            ),
            (
                own.reserved_words,
                other.reserved_words,
                &layout.reserved_words,
            ),
            (
                own.supertype_symbols,
                other.supertype_symbols,
                &layout.supertype_symbols,
            ),
            (
                own.supertype_map_slices,
                other.supertype_map_slices,
                &layout.supertype_map_slices,
            ),
            (
                own.supertype_map_entries,
                other.supertype_map_entries,
                &layout.supertype_map_entries,
            ),
        ];
        for (table, (own, other, range)) in tables.into_iter().enumerate() {
            let same = plain_bytes(own, range) == plain_bytes(other, range);
            assert!(same, "{name}: table {table} differs");
        }
        let symbols = own.symbol_count + own.alias_count;
        let mut names = vec![(own.symbol_names, other.symbol_names, symbols)];
        if own.field_count > 0 {
            names.push((own.field_names, other.field_names, own.field_count + 1));
        }
        for (own, other, count) in names {
            for (own, other) in strings(own, count).into_iter().zip(strings(other, count)) {
                assert_eq!(own, other, "{name}");
            }
        }
    }
}

/// A copy of a `TSLanguage` that ends early: nothing behind its end.
fn older(raw: *const RawLanguage, version: u32) -> RawLanguage {
    let end = match version {
        13 => std::mem::offset_of!(RawLanguage, primary_state_ids),
        _ => std::mem::offset_of!(RawLanguage, name),
    };
    let mut copy = std::mem::MaybeUninit::<RawLanguage>::zeroed();
    // SAFETY: the original has that many bytes. Zeros are null pointers, no functions and zeros.
    unsafe {
        std::ptr::copy_nonoverlapping(raw.cast::<u8>(), copy.as_mut_ptr().cast(), end);
        copy.assume_init()
    }
}

fn compare_numbers(own: &RawLanguage, other: &RawLanguage, name: &str) {
    let numbers = |raw: &RawLanguage| {
        [
            raw.abi_version,
            raw.symbol_count,
            raw.alias_count,
            raw.token_count,
            raw.external_token_count,
            raw.state_count,
            raw.large_state_count,
            raw.production_id_count,
            raw.field_count,
            u32::from(raw.max_alias_sequence_length),
            u32::from(raw.keyword_capture_token),
            u32::from(raw.max_reserved_word_set_size),
            raw.supertype_count,
        ]
    };
    assert_eq!(numbers(own), numbers(other), "{name}");
    assert_eq!(own.metadata, other.metadata, "{name}");
    let functions = |raw: &RawLanguage| {
        [
            raw.lex_fn.is_some(),
            raw.keyword_lex_fn.is_some(),
            raw.external_scanner.create.is_some(),
            raw.external_scanner.scan.is_some(),
        ]
    };
    assert_eq!(functions(own), functions(other), "{name}");
    let name_of = |raw: &RawLanguage| {
        // SAFETY: the name is a string of C.
        (!raw.name.is_null()).then(|| unsafe { CStr::from_ptr(raw.name) })
    };
    assert_eq!(name_of(own), name_of(other), "{name}");
}

/// All nodes of a tree, with their kinds, fields and places.
fn nodes(language: &Language, source: &[u8]) -> Vec<String> {
    let mut parser = Parser::new();
    parser.set_language(language).expect("the version is known");
    let tree = parser.parse(source, None).expect("no limit was set");
    let mut cursor = tree.walk();
    let mut all = Vec::new();
    let text = |node: Node<'_>, field: Option<&str>| {
        let state = [
            node.parse_state(),
            node.next_parse_state(),
            node.grammar_id(),
            node.kind_id(),
        ];
        let marks = [
            node.is_named(),
            node.is_error(),
            node.is_missing(),
            node.is_extra(),
        ];
        format!(
            "{} {field:?} {:?} {state:?} {marks:?}",
            node.kind(),
            node.byte_range()
        )
    };
    loop {
        all.push(text(cursor.node(), cursor.field_name()));
        if cursor.goto_first_child() || cursor.goto_next_sibling() {
            continue;
        }
        loop {
            if !cursor.goto_parent() {
                return all;
            }
            if cursor.goto_next_sibling() {
                break;
            }
        }
    }
}

/// The source, and damaged forms of it: parts that are cut away, doubled, or replaced.
fn damaged(source: &[u8]) -> Vec<Vec<u8>> {
    let mut all = vec![source.to_vec()];
    let step = (source.len() / 12).max(1);
    for (round, at) in (0..source.len()).step_by(step).enumerate() {
        let end = (at + 1 + 7 * round).min(source.len());
        all.push(source[..at].to_vec());
        all.push([&source[..at], &source[end..]].concat());
        all.push([&source[..end], &source[at..]].concat());
        let sign = [b'{', b')', b'"', b'\'', b'<', 0xFF, 0, b'\n'][round % 8];
        all.push([&source[..at], &[sign][..], &source[end..]].concat());
    }
    all
}

#[test]
fn trees_are_the_same() {
    for (at, Pair(grammar, plain, sources)) in pairs().into_iter().enumerate() {
        let name = grammar_tables::GRAMMARS[at].name;
        let packed = grammar.language();
        let sources = sources.read().into_iter();
        let sources: Vec<Vec<u8>> = sources.flat_map(|source| damaged(&source)).collect();
        assert!(sources.len() > 40, "{name}: {}", sources.len());
        for source in sources {
            assert!(
                nodes(&packed, &source) == nodes(&plain, &source),
                "{name}: {}",
                String::from_utf8_lossy(&source)
            );
        }
    }
}

#[test]
fn a_language_is_unpacked_once() {
    let languages: Vec<Language> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| SCALA.language())).collect();
        let join =
            |thread: std::thread::ScopedJoinHandle<'_, _>| thread.join().expect("a language");
        threads.into_iter().map(join).collect()
    });
    assert!(languages.windows(2).all(|two| two[0] == two[1]));
}

#[test]
fn damaged_bytes_are_an_error() {
    let [length, size] = KOTLIN.sizes();
    assert!(length * 5 < size);
    assert!(crate::unpack(&KOTLIN.packed[..length / 2], size).is_err());
    assert!(crate::unpack(KOTLIN.packed, size + 1).is_err());
    assert!(crate::unpack(KOTLIN.packed, size - 1).is_err());
}
