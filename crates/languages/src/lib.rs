//! The languages. Each has a folder with its data (`profile.rs`), the code that reads its files, the rules for its
//! names, members and calls, and its fixtures. Languages are registered in `base::language`; `support` returns the code
//! of each.
//!
//! Never knows: files on disk, the facts cache, the store.

mod ancestry;
mod c;
mod clojure;
mod components;
mod conditions;
mod cpp;
mod csharp;
mod dart;
mod definitions;
mod elixir;
mod elm;
mod erlang;
#[cfg(test)]
mod fixture;
mod fsharp;
mod gdscript;
mod go;
mod groovy;
mod haskell;
mod isolation;
mod java;
mod julia;
mod kotlin;
mod lua;
mod names;
mod nix;
mod objc;
mod ocaml;
mod outline;
mod perl;
mod php;
mod protobuf;
mod python;
mod r;
mod reach;
#[cfg(test)]
mod remote_tests;
mod ruby;
mod rust;
mod scala;
mod shell;
mod solidity;
mod sql;
mod support;
mod swift;
mod terraform;
#[cfg(test)]
mod tests;
mod type_text;
mod typescript;
mod zig;

use base::language::ParserIsolation;
use base::{FileFacts, Language};
pub use isolation::{Isolation, isolate};
use linker::{Langs, Repo};
use support::Support;
use syntax::Reader;
use syntax::builder::{Builder, Stop};

/// Goes up whenever facts of the same bytes change their shape or content: caches of older versions
/// are not read.
pub const FACTS_VERSION: u32 = 45;

/// The code of each language's folder.
fn support(language: Language) -> &'static Support {
    match language {
        Language::TypeScript => &typescript::TYPESCRIPT,
        Language::Tsx => &typescript::TSX,
        Language::JavaScript => &typescript::JAVASCRIPT,
        Language::Python => &python::SUPPORT,
        Language::Go => &go::SUPPORT,
        Language::Rust => &rust::SUPPORT,
        Language::Java => &kotlin::JAVA,
        Language::Lua => &lua::SUPPORT,
        Language::Ruby => &ruby::SUPPORT,
        Language::C => &c::SUPPORT,
        Language::Cpp => &cpp::SUPPORT,
        Language::CSharp => &csharp::SUPPORT,
        Language::Php => &php::SUPPORT,
        Language::Kotlin => &kotlin::SUPPORT,
        Language::Swift => &swift::SUPPORT,
        Language::Scala => &scala::SUPPORT,
        Language::Shell => &shell::SUPPORT,
        Language::Elixir => &elixir::SUPPORT,
        Language::Erlang => &erlang::SUPPORT,
        Language::Haskell => &haskell::SUPPORT,
        Language::Ocaml => &ocaml::SUPPORT,
        Language::OcamlInterface => &ocaml::INTERFACE,
        Language::Zig => &zig::SUPPORT,
        Language::Dart => &dart::SUPPORT,
        Language::R => &r::SUPPORT,
        Language::Julia => &julia::SUPPORT,
        Language::Perl => &perl::SUPPORT,
        Language::ObjC => &objc::SUPPORT,
        Language::Groovy => &groovy::SUPPORT,
        Language::Clojure => &clojure::SUPPORT,
        Language::FSharp => &fsharp::SUPPORT,
        Language::Solidity => &solidity::SUPPORT,
        Language::Sql => &sql::SUPPORT,
        Language::Protobuf => &protobuf::SUPPORT,
        Language::Terraform => &terraform::SUPPORT,
        Language::Nix => &nix::SUPPORT,
        Language::GdScript => &gdscript::SUPPORT,
        Language::Elm => &elm::SUPPORT,
    }
}

/// The reader of a source, for the language that it is in if its file ending may mean several.
fn reader(language: Language, source: &str) -> Reader {
    let language = (support(language).dialect)(source).unwrap_or(language);
    let support = support(language);
    Reader {
        language,
        grammar: support.grammar,
        walk: support.walk,
        is_documentation: support.is_documentation,
        mend: support.mend,
        prepare: support.prepare,
        is_misread: support.is_misread,
        scanner: support.scanner,
    }
}

/// Whether a source is in a language that is not read, though it has an ending of this one.
fn is_foreign(language: Language, source: &str) -> bool {
    (support(language).is_foreign)(source)
}

/// The facts of a source that is not read.
fn without_facts(language: Language, source: &str) -> FileFacts {
    Builder::new(language, source, &|| false).finish()
}

/// A shorter source takes at most a few megabytes and milliseconds, so a process of its own is not worthwhile.
const MIN_BOUNDED: usize = 600;

/// The isolation for parsing a source; `None` if it is parsed in this process.
fn isolation_of(reader: &Reader, source: &str) -> Option<&'static dyn Isolation> {
    match reader.language.profile().isolation {
        ParserIsolation::None => None,
        ParserIsolation::Bounded if source.len() < MIN_BOUNDED => None,
        ParserIsolation::Bounded | ParserIsolation::Separate | ParserIsolation::Checked => {
            isolation::installed()
        }
    }
}

/// The facts of a file. A file with syntax errors has facts as far as they can be read. If a file takes the parser far
/// too long, only its beginning is read, or nothing, and [`FileFacts::parse_gave_up`] is set.
pub fn extract(language: Language, source: &str) -> FileFacts {
    extract_unless(language, source, &|| false)
}

/// The same in this process, with the number of steps: reports of the parser, and nodes entered.
pub fn extract_counted(language: Language, source: &str) -> (FileFacts, u64) {
    if is_foreign(language, source) {
        return (without_facts(language, source), 0);
    }
    syntax::extract(reader(language, source), source, &|| false)
}

/// The same, but if `stop` returns true the facts are incomplete and must not be used.
pub fn extract_unless(language: Language, source: &str, stop: Stop<'_>) -> FileFacts {
    if is_foreign(language, source) {
        return without_facts(language, source);
    }
    let reader = reader(language, source);
    match isolation_of(&reader, source) {
        Some(isolation) => isolation.extract(reader.language, source, stop),
        None => syntax::extract(reader, source, stop).0,
    }
}

/// The same in this process, whatever isolation is installed: for the isolated process itself.
pub fn extract_here(language: Language, source: &str, stop: Stop<'_>) -> FileFacts {
    if is_foreign(language, source) {
        return without_facts(language, source);
    }
    syntax::extract(reader(language, source), source, stop).0
}

/// Parses in this process without limits, and drops the tree: the baseline for benchmarks. Returns whether there was a
/// tree.
pub fn parse_only(language: Language, source: &str) -> bool {
    syntax::parse_only(reader(language, source), source)
}

/// For each line of the source, whether it has code; empty lines have none. If the source cannot be read as a whole,
/// every line counts as code.
pub fn code_lines(language: Language, source: &str) -> Vec<bool> {
    if is_foreign(language, source) {
        return vec![true; source.lines().count()];
    }
    let reader = reader(language, source);
    match isolation_of(&reader, source) {
        Some(isolation) => isolation.code_lines(reader.language, source),
        None => syntax::lines_with_code(reader, source),
    }
}

/// The same in this process, whatever isolation is installed.
pub fn code_lines_here(language: Language, source: &str) -> Vec<bool> {
    if is_foreign(language, source) {
        return vec![true; source.lines().count()];
    }
    syntax::lines_with_code(reader(language, source), source)
}

/// The semantics of the languages that a repository has.
pub fn tables(repo: &Repo) -> Langs {
    Langs::new(repo, |family, repo| (support(family).tables)(repo))
}
