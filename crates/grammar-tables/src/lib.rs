//! Which grammars the program packs, and what their generated parsers (`parser.c`) hold: numbers, tables, and the C code
//! of the lexer. [`read_parser`] reads them from the text, in the byte layout of tree-sitter's `parser.h`.
//!
//! Never knows: where the sources lie, compilers, compression, running parsers.

mod actions;
mod arrays;
mod constants;
mod parser;
mod source;
mod strings;
mod tokens;

pub use parser::{Numbers, ParserTables, Table, read_parser};

/// A grammar that is packed.
#[derive(Debug)]
pub struct GrammarSource {
    /// Its name in the program: small letters, digits and `_`.
    pub name: &'static str,
    /// The package that has its source.
    pub package: &'static str,
    /// The folder of `parser.c` in the package.
    pub folder: &'static str,
}

const fn grammar(name: &'static str, package: &'static str, folder: &'static str) -> GrammarSource {
    GrammarSource {
        name,
        package,
        folder,
    }
}

/// All grammars that are packed.
pub const GRAMMARS: &[GrammarSource] = &[
    grammar("bash", "tree-sitter-bash", "src"),
    grammar("c", "tree-sitter-c", "src"),
    grammar("c_sharp", "tree-sitter-c-sharp", "src"),
    grammar("clojure", "arborium-clojure", "grammar/src"),
    grammar("cpp", "tree-sitter-cpp", "src"),
    grammar("dart", "tree-sitter-dart", "src"),
    grammar("elixir", "tree-sitter-elixir", "src"),
    grammar("elm", "tree-sitter-elm", "src"),
    grammar("erlang", "tree-sitter-erlang", "src"),
    grammar("fsharp", "tree-sitter-fsharp", "fsharp/src"),
    grammar("gdscript", "tree-sitter-gdscript", "src"),
    grammar("go", "tree-sitter-go", "src"),
    grammar("graphql", "tree-sitter-graphql", "src"),
    grammar("groovy", "tree-sitter-groovy", "src"),
    grammar("haskell", "tree-sitter-haskell", "src"),
    grammar("hcl", "tree-sitter-hcl", "src"),
    grammar("java", "tree-sitter-java", "src"),
    grammar("javascript", "tree-sitter-javascript", "src"),
    grammar("julia", "tree-sitter-julia", "src"),
    grammar("kotlin", "tree-sitter-kotlin-ng", "src"),
    grammar("lua", "tree-sitter-lua", "src"),
    grammar("nix", "tree-sitter-nix", "src"),
    grammar("objc", "tree-sitter-objc", "src"),
    grammar("ocaml", "tree-sitter-ocaml", "grammars/ocaml/src"),
    grammar(
        "ocaml_interface",
        "tree-sitter-ocaml",
        "grammars/interface/src",
    ),
    grammar("perl", "arborium-perl", "grammar/src"),
    grammar("php", "tree-sitter-php", "php/src"),
    grammar("proto", "tree-sitter-proto", "src"),
    grammar("python", "tree-sitter-python", "src"),
    grammar("r", "tree-sitter-r", "src"),
    grammar("ruby", "tree-sitter-ruby", "src"),
    grammar("rust", "tree-sitter-rust", "src"),
    grammar("scala", "tree-sitter-scala", "src"),
    grammar("sequel", "tree-sitter-sequel", "src"),
    grammar("solidity", "tree-sitter-solidity", "src"),
    grammar("swift", "tree-sitter-swift", "src"),
    grammar("tsx", "tree-sitter-typescript", "tsx/src"),
    grammar("typescript", "tree-sitter-typescript", "typescript/src"),
    grammar("zig", "tree-sitter-zig", "src"),
];

/// A generated parser has another form than those that are known.
#[derive(Debug, thiserror::Error)]
#[error("line {line} of the generated parser: {what}")]
pub struct ReadError {
    /// The line, from 1.
    pub line: usize,
    /// What was expected.
    pub what: String,
}
