//! The languages that Knotwork reads: the list, and the data in the folder of each.

mod profile;

pub use profile::{
    CommentSyntax, CycleUnit, Depth, FieldLookup, FileConventions, FunctionCase, LanguageProfile,
    LinkTraits, ModuleTraits, NamingConventions, ParserIsolation, RuleSet, SharedConfiguration,
    TestName,
};

use serde::{Deserialize, Serialize};
use std::fmt;

/// Makes the enum of languages, and compiles the file `profile.rs` of each folder of `crates/languages/src`.
macro_rules! languages {
    ($($folder:ident, $file:tt => { $($(#[doc = $doc:literal])+ $language:ident = $profile:ident,)+ })+) => {
        $(#[path = $file] mod $folder;)+

        /// A language with a grammar of its own.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(rename_all = "lowercase")]
        pub enum Language {
            $($($(#[doc = $doc])+ $language,)+)+
        }

        impl Language {
            /// Every language.
            pub const ALL: [Language; Language::COUNT] = [$($(Language::$language,)+)+];

            const COUNT: usize = [$($(Language::$language,)+)+].len();

            /// Profile of the language, from its folder.
            pub const fn profile(self) -> &'static LanguageProfile {
                match self {
                    $($(Language::$language => &$folder::$profile,)+)+
                }
            }
        }
    };
}

// The registration. New languages go to the end: the order decides between languages if all else is equal.
languages! {
    typescript, "../../../languages/src/typescript/profile.rs" => {
        /// TypeScript without JSX.
        TypeScript = TYPESCRIPT,
        /// TypeScript with JSX.
        Tsx = TSX,
        /// JavaScript, with or without JSX, CommonJS or ES modules.
        JavaScript = JAVASCRIPT,
    }
    python, "../../../languages/src/python/profile.rs" => {
        /// Python and its stubs.
        Python = PROFILE,
    }
    go, "../../../languages/src/go/profile.rs" => {
        /// Go.
        Go = PROFILE,
    }
    rust, "../../../languages/src/rust/profile.rs" => {
        /// Rust.
        Rust = PROFILE,
    }
    java, "../../../languages/src/java/profile.rs" => {
        /// Java.
        Java = PROFILE,
    }
    lua, "../../../languages/src/lua/profile.rs" => {
        /// Lua.
        Lua = PROFILE,
    }
    ruby, "../../../languages/src/ruby/profile.rs" => {
        /// Ruby.
        Ruby = PROFILE,
    }
    c, "../../../languages/src/c/profile.rs" => {
        /// C.
        C = PROFILE,
    }
    cpp, "../../../languages/src/cpp/profile.rs" => {
        /// C++.
        Cpp = PROFILE,
    }
    csharp, "../../../languages/src/csharp/profile.rs" => {
        /// C#.
        CSharp = PROFILE,
    }
    php, "../../../languages/src/php/profile.rs" => {
        /// PHP.
        Php = PROFILE,
    }
    kotlin, "../../../languages/src/kotlin/profile.rs" => {
        /// Kotlin.
        Kotlin = PROFILE,
    }
    swift, "../../../languages/src/swift/profile.rs" => {
        /// Swift.
        Swift = PROFILE,
    }
    scala, "../../../languages/src/scala/profile.rs" => {
        /// Scala.
        Scala = PROFILE,
    }
    shell, "../../../languages/src/shell/profile.rs" => {
        /// The shell, as Bash reads it.
        Shell = PROFILE,
    }
    elixir, "../../../languages/src/elixir/profile.rs" => {
        /// Elixir.
        Elixir = PROFILE,
    }
    erlang, "../../../languages/src/erlang/profile.rs" => {
        /// Erlang.
        Erlang = PROFILE,
    }
    haskell, "../../../languages/src/haskell/profile.rs" => {
        /// Haskell.
        Haskell = PROFILE,
    }
    ocaml, "../../../languages/src/ocaml/profile.rs" => {
        /// OCaml.
        Ocaml = PROFILE,
        /// Interfaces of OCaml.
        OcamlInterface = INTERFACE,
    }
    zig, "../../../languages/src/zig/profile.rs" => {
        /// Zig.
        Zig = PROFILE,
    }
    dart, "../../../languages/src/dart/profile.rs" => {
        /// Dart.
        Dart = PROFILE,
    }
    r, "../../../languages/src/r/profile.rs" => {
        /// R.
        R = PROFILE,
    }
    julia, "../../../languages/src/julia/profile.rs" => {
        /// Julia.
        Julia = PROFILE,
    }
    perl, "../../../languages/src/perl/profile.rs" => {
        /// Perl.
        Perl = PROFILE,
    }
    objc, "../../../languages/src/objc/profile.rs" => {
        /// Objective-C.
        ObjC = PROFILE,
    }
    groovy, "../../../languages/src/groovy/profile.rs" => {
        /// Groovy, also as Gradle and Jenkins use it.
        Groovy = PROFILE,
    }
    clojure, "../../../languages/src/clojure/profile.rs" => {
        /// Clojure and ClojureScript.
        Clojure = PROFILE,
    }
    fsharp, "../../../languages/src/fsharp/profile.rs" => {
        /// F#.
        FSharp = PROFILE,
    }
    solidity, "../../../languages/src/solidity/profile.rs" => {
        /// Solidity.
        Solidity = PROFILE,
    }
    sql, "../../../languages/src/sql/profile.rs" => {
        /// SQL.
        Sql = PROFILE,
    }
    protobuf, "../../../languages/src/protobuf/profile.rs" => {
        /// Protocol Buffers.
        Protobuf = PROFILE,
    }
    terraform, "../../../languages/src/terraform/profile.rs" => {
        /// Terraform, and other files in the HashiCorp configuration language.
        Terraform = PROFILE,
    }
    nix, "../../../languages/src/nix/profile.rs" => {
        /// Nix.
        Nix = PROFILE,
    }
    gdscript, "../../../languages/src/gdscript/profile.rs" => {
        /// GDScript.
        GdScript = PROFILE,
    }
    elm, "../../../languages/src/elm/profile.rs" => {
        /// Elm.
        Elm = PROFILE,
    }
}

/// Bytes of a file in which its first line must end, as for the kernel's `#!`.
pub const FIRST_LINE: usize = 256;

impl Language {
    /// The language of a file, by its name or its extension. Of scripts without an ending it knows nothing: see
    /// [`Language::of_file`].
    pub fn from_path(path: &str) -> Option<Language> {
        let name = path.rsplit('/').next().unwrap_or(path);
        let by_extension = || Language::from_extension(name.rsplit_once('.')?.1);
        Language::from_file_name(name).or_else(by_extension)
    }

    /// The language of a file, by its name; by its first line if it has no ending. `start` is the file's beginning.
    pub fn of_file(path: &str, start: &[u8]) -> Option<Language> {
        let by_line = || Language::from_first_line(start).filter(|_| Language::may_be_script(path));
        Language::from_path(path).or_else(by_line)
    }

    /// Whether the first line of a file may say its language: its name has no ending.
    pub fn may_be_script(path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        !name.is_empty() && !name.contains('.') && Language::from_file_name(name).is_none()
    }

    /// The language of the interpreter that a script's first line names: `#!/bin/sh`, `#!/usr/bin/env -S python3.12 -u`.
    pub fn from_first_line(start: &[u8]) -> Option<Language> {
        let start = &start[..start.len().min(FIRST_LINE)];
        let line = start.split(|byte| matches!(byte, b'\n' | b'\r')).next()?;
        let line = std::str::from_utf8(line.strip_prefix(b"#!")?).ok()?;
        let mut words = line.split_ascii_whitespace();
        let base_name = |word: &str| word.rsplit('/').next().unwrap_or(word).to_owned();
        let mut program = base_name(words.next()?);
        if program == "env" {
            // Before the program: flags and variables.
            let is_program = |word: &&str| !word.starts_with('-') && !word.contains('=');
            program = base_name(words.find(is_program)?);
        }
        let is_version = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-');
        let program = program.trim_end_matches(is_version);
        let has = |language: &Language| language.profile().interpreters.contains(&program);
        Language::ALL.into_iter().find(has)
    }

    /// The language of files with that whole name.
    pub fn from_file_name(name: &str) -> Option<Language> {
        let has = |language: &Language| language.profile().file_names.contains(&name);
        Language::ALL.into_iter().find(has)
    }

    /// The language of files with that extension, given without the dot.
    pub fn from_extension(extension: &str) -> Option<Language> {
        let has = |language: &Language| language.profile().extensions.contains(&extension);
        Language::ALL.into_iter().find(has)
    }

    /// Whether files are loaded one by one, as import statements name them.
    pub fn imports_by_file(self) -> bool {
        self.profile().modules.by_file
    }

    /// Whether calls of the language are read; if not, only definitions are.
    pub fn has_calls(self) -> bool {
        self.profile().depth == Depth::Calls
    }

    /// Whether its files are parsed in a process of their own.
    pub fn is_isolated(self) -> bool {
        self.profile().isolation != ParserIsolation::None
    }

    /// Whether the answers of that process are checked.
    pub fn is_parser_checked(self) -> bool {
        self.profile().isolation == ParserIsolation::Checked
    }

    /// The language with that word.
    pub fn from_name(name: &str) -> Option<Language> {
        Language::ALL.into_iter().find(|l| l.as_str() == name)
    }

    /// The word in the store and in every answer.
    pub fn as_str(self) -> &'static str {
        self.profile().name
    }

    /// Languages that import each other's files share a family, e.g. TypeScript and JavaScript.
    pub fn family(self) -> Language {
        self.profile().family.unwrap_or(self)
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn extension_decides() {
        assert_eq!(
            Language::from_path("src/a.d.ts"),
            Some(Language::TypeScript)
        );
        assert_eq!(Language::from_path("a/b.pyi"), Some(Language::Python));
        assert_eq!(Language::from_path("Makefile"), None);
        assert_eq!(Language::from_path("a/Rakefile"), Some(Language::Ruby));
        assert_eq!(Language::from_path("a.rs/readme"), None);
    }

    #[test]
    fn profiles_are_filled_and_share_nothing_that_must_be_their_own() {
        let (mut names, mut extensions) = (BTreeSet::new(), BTreeSet::new());
        for language in Language::ALL {
            let profile = language.profile();
            let word = |text: &str| !text.is_empty() && text == text.to_ascii_lowercase();
            assert!(word(profile.name), "{language:?}");
            assert!(names.insert(profile.name), "{language:?}");
            assert_eq!(
                serde_name(language),
                profile.name,
                "the word in caches and in answers is one"
            );
            assert!(!profile.extensions.is_empty(), "{language:?}");
            for extension in profile.extensions {
                assert!(extensions.insert(extension), "{extension} of {language:?}");
            }
            let family = language.family();
            assert_eq!(family.family(), family, "{language:?}");
            for end in profile.files.test_endings {
                assert_eq!(
                    *end,
                    end.to_ascii_lowercase(),
                    "they are compared in lower case"
                );
            }
        }
    }

    #[test]
    fn scripts_without_an_ending_are_known_by_their_first_line() {
        let cases: [(&str, Option<Language>); 9] = [
            ("#!/bin/sh\n", Some(Language::Shell)),
            ("#! /usr/bin/env bash\nset -e", Some(Language::Shell)),
            (
                "#!/usr/bin/env -S LANG=C python3.12 -u\r\n",
                Some(Language::Python),
            ),
            ("#!/usr/bin/env node", Some(Language::JavaScript)),
            ("#!/usr/bin/ruby2.7 -w\n", Some(Language::Ruby)),
            ("#!/usr/bin/awk -f\n", None),
            ("#!\n", None),
            ("# /bin/sh\n", None),
            ("", None),
        ];
        for (start, language) in cases {
            let found = Language::of_file("bin/tool", start.as_bytes());
            assert_eq!(found, language, "{start:?}");
        }
        let start = b"#!/bin/sh\n";
        assert_eq!(Language::of_file("bin/tool.txt", start), None);
        assert_eq!(
            Language::of_file("bin/tool.py", start),
            Some(Language::Python)
        );
        assert_eq!(Language::of_file("a.d/tool", start), Some(Language::Shell));
        // A line that does not end is cut.
        let long = [b"#!/bin/", "a".repeat(10_000).as_bytes()].concat();
        assert_eq!(Language::from_first_line(&long), None);
    }

    fn serde_name(language: Language) -> String {
        format!("{language:?}").to_ascii_lowercase()
    }
}
