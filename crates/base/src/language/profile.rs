//! Facts about a language that need no file to be read. The folder of each language fills one [`LanguageProfile`]. Fields that
//! it does not mention stay neutral: nothing is special, and nothing is claimed.

use super::Language;
use crate::SymbolKind;
use crate::trace::TraceFormat;

/// A language as data.
#[derive(Debug)]
pub struct LanguageProfile {
    /// The word in the store and in every answer: the variant's name in lower case.
    pub name: &'static str,
    /// Endings of its files, without the dot.
    pub extensions: &'static [&'static str],
    /// Whole names of files of the language that have another ending, or none.
    pub file_names: &'static [&'static str],
    /// The language that stands for a family of languages which import each other's files; `None` if it is itself.
    pub family: Option<Language>,
    /// Other languages whose code calls this one's as it calls its own.
    pub called_by: &'static [Language],
    /// Depth of the analysis.
    pub depth: Depth,
    /// Where its files are parsed.
    pub isolation: ParserIsolation,
    /// Naming of files.
    pub files: FileConventions,
    /// Comments.
    pub comments: CommentSyntax,
    /// Modules and imports.
    pub modules: ModuleTraits,
    /// Facts that linking needs before it consults the language's tables.
    pub linking: LinkTraits,
    /// Naming choices that the language leaves open.
    pub naming: NamingConventions,
    /// The package whose files make a program.
    pub program_package: Option<&'static str>,
    /// The class that every class has for a base, so that naming it says nothing.
    pub universal_base: Option<&'static str>,
    /// The rules for orphans and patterns that were written for it.
    pub rules: RuleSet,
    /// Format of its runtime's stack traces.
    pub traces: Option<&'static TraceFormat>,
}

/// Where the files of a language are parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParserIsolation {
    /// In this process: somebody has read the grammar's scanner, which is C code, for loops that do not end with the file,
    /// assertions, and state that grows beyond its room.
    None,
    /// In a process of its own, since the grammar has sources whose recovery takes memory out of proportion. Its scanner was
    /// read, or there is none, so that its answers are believed.
    Bounded,
    /// In a process of its own whose answers are checked: nobody has read the scanner.
    Checked,
}

impl LanguageProfile {
    /// Profile of a language of which nothing is known.
    pub const NEUTRAL: LanguageProfile = LanguageProfile {
        name: "",
        extensions: &[],
        file_names: &[],
        family: None,
        called_by: &[],
        depth: Depth::Names,
        isolation: ParserIsolation::Checked,
        files: FileConventions::NEUTRAL,
        comments: CommentSyntax::NEUTRAL,
        modules: ModuleTraits::NEUTRAL,
        linking: LinkTraits::NEUTRAL,
        naming: NamingConventions::NEUTRAL,
        program_package: None,
        universal_base: None,
        rules: RuleSet::None,
        traces: None,
    };
}

/// Depth of a language's analysis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Definitions alone. Callers are not known, and every answer about calls says so.
    Names,
    /// Definitions, imports and calls.
    Calls,
}

/// Naming of a language's files.
#[derive(Debug)]
pub struct FileConventions {
    /// Ends of names of test files, in lower case, beside those of every language (`test_x`, `x.test.y`).
    pub test_endings: &'static [&'static str],
    /// Beginnings of names of test files, in place of `test_` and of the ends `_spec` and `-spec`, where a language's programs
    /// give files such names that are no tests; empty elsewhere.
    pub own_test_prefixes: &'static [&'static str],
    /// Whole names of test files.
    pub test_names: &'static [&'static str],
    /// Ends of names of files that programs write.
    pub generated_endings: &'static [&'static str],
    /// Names that the language itself asks for, so that no project chose them.
    pub required_names: &'static [&'static str],
    /// Manifests that linking reads.
    pub manifests: &'static [&'static str],
    /// Manifests that may have any name.
    pub shared_configuration: Option<SharedConfiguration>,
}

/// Configuration files that others extend: they have any name, in a folder of such.
#[derive(Debug)]
pub struct SharedConfiguration {
    /// The end of their names.
    pub ending: &'static str,
    /// Part that the name of each contains.
    pub name_part: &'static str,
    /// Or else in that of its folder.
    pub folder_parts: &'static [&'static str],
}

impl FileConventions {
    /// No conventions.
    pub const NEUTRAL: FileConventions = FileConventions {
        test_endings: &[],
        own_test_prefixes: &[],
        test_names: &[],
        generated_endings: &[],
        required_names: &[],
        manifests: &[],
        shared_configuration: None,
    };

    /// Whether the file at that path is a manifest that linking reads.
    pub fn is_manifest(&self, path: &str) -> bool {
        let mut segments = path.rsplit('/');
        let name = segments.next().unwrap_or(path);
        let shared = |shared: &SharedConfiguration| {
            let of_such =
                |folder: &str| shared.folder_parts.iter().any(|part| folder.contains(part));
            name.ends_with(shared.ending)
                && (name.contains(shared.name_part) || segments.next().is_some_and(of_such))
        };
        self.manifests.contains(&name) || self.shared_configuration.as_ref().is_some_and(shared)
    }
}

/// Comments of a language.
#[derive(Debug)]
pub struct CommentSyntax {
    /// Signs that begin a comment to the end of the line.
    pub line: &'static [&'static str],
    /// Signs that begin and end a comment of several lines.
    pub block: &'static [(&'static str, &'static str)],
    /// Whether documentation is written as an ordinary string.
    pub documentation_strings: bool,
}

impl CommentSyntax {
    /// `//` and `/* */`.
    pub const C_LIKE: CommentSyntax = CommentSyntax {
        line: &["//"],
        block: &[("/*", "*/")],
        documentation_strings: false,
    };

    /// No comments are known.
    pub const NEUTRAL: CommentSyntax = CommentSyntax {
        line: &[],
        block: &[],
        documentation_strings: false,
    };

    /// Whether a line may be one of a comment: it begins one, or has the `*` of the lines between.
    pub fn may_be_comment(&self, line: &str) -> bool {
        let line = line.trim_start();
        let inside = |(open, _): &(&str, &str)| {
            line.starts_with(open) || *open == "/*" && line.starts_with('*')
        };
        self.line.iter().any(|mark| line.starts_with(mark)) || self.block.iter().any(inside)
    }
}

/// The unit between which cycles of dependencies are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CycleUnit {
    /// Files are loaded one by one.
    File,
    /// A folder is a package. Files with these endings lie in it, but do not belong to its package.
    Folder {
        /// Ends of the names of those files.
        apart: &'static [&'static str],
    },
    /// Cycles inside the compiled unit do not count.
    None,
}

/// Modules and imports of a language.
#[derive(Debug)]
pub struct ModuleTraits {
    /// Whether files are loaded one by one, as import statements name them.
    pub by_file: bool,
    /// The unit between which cycles of dependencies are counted.
    pub cycle_unit: CycleUnit,
    /// Whether every name that a file imports can be imported from it.
    pub passes_imports_on: bool,
    /// Whether an import that is an expression loads later (`import("x")`).
    pub expressions_load_later: bool,
    /// Whether types in comments import the names that they use.
    pub types_in_comments: bool,
    /// Whether interfaces and type aliases do not exist when the program runs.
    pub erases_types: bool,
    /// Whether the names in the body of a function are looked up when it runs.
    pub late_names: bool,
    /// Whether conditions of a build choose between modules of one name.
    pub conditional: bool,
    /// Whether a name can be reached by its text while the program runs.
    pub names_at_run_time: bool,
}

impl ModuleTraits {
    /// Traits of a language without special rules.
    pub const NEUTRAL: ModuleTraits = ModuleTraits {
        by_file: false,
        cycle_unit: CycleUnit::File,
        passes_imports_on: false,
        expressions_load_later: true,
        types_in_comments: false,
        erases_types: false,
        late_names: false,
        conditional: false,
        names_at_run_time: true,
    };
}

/// Fields that are found by other ways than their names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldLookup {
    /// There are no such fields.
    ByName,
    /// Named fields of types: patterns count them.
    Counted,
    /// Tuple fields: patterns bind them by position.
    Numbered,
}

/// Facts that linking needs before it consults the language's tables: how a change of one file may show in another. If a
/// definition that is found by other ways than its name changes, it is not linked alone: all files are linked.
#[derive(Debug)]
pub struct LinkTraits {
    /// Fields that are found by other ways than their names.
    pub fields: FieldLookup,
    /// Whether implementations are looked up from other definitions (Rust's `impl Trait for`).
    pub implementations: bool,
    /// Kinds whose members decide which other definitions fit them, whatever these mention.
    pub members_of: &'static [SymbolKind],
    /// Whether an alias makes a type that gets members from elsewhere.
    pub aliases: bool,
    /// Whether types fit interfaces by the names of their methods alone, without saying so.
    pub structural_interfaces: bool,
    /// Whether a package is there for others only if it has types.
    pub packages_by_types: bool,
    /// Whether the path of an import passes through definitions: enums in Rust, classes in Java.
    pub paths_name_definitions: bool,
    /// Whether a package may have another name than the end of its path.
    pub packages_named_apart: bool,
    /// Whether a conversion to a type looks like a call.
    pub conversions_look_like_calls: bool,
    /// Whether a static and an instance member may share a name.
    pub statics_share_names: bool,
    /// Names of definitions that linking looks up without a mention in a file: the language's own syntax calls them.
    pub looked_up_names: &'static [&'static str],
}

impl LinkTraits {
    /// Everything is found by its name.
    pub const NEUTRAL: LinkTraits = LinkTraits {
        fields: FieldLookup::ByName,
        implementations: false,
        members_of: &[],
        aliases: false,
        structural_interfaces: false,
        packages_by_types: false,
        paths_name_definitions: false,
        packages_named_apart: false,
        conversions_look_like_calls: false,
        statics_share_names: false,
        looked_up_names: &[],
    };
}

/// Functions whose names may be written in one case or another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FunctionCase {
    /// No functions: the language or its tools fix the case.
    Fixed,
    /// Functions that are no methods. A method may override one of a base elsewhere, which has its own case.
    Functions,
    /// All.
    All,
}

/// A naming scheme of test files: `stem` is the name without the last ending.
#[derive(Debug, Clone, Copy)]
pub enum TestName {
    /// The stem begins so.
    Begins(&'static str),
    /// The stem ends so.
    Ends(&'static str),
}

impl TestName {
    /// Whether a stem is of that way.
    pub fn fits(self, stem: &str) -> bool {
        match self {
            TestName::Begins(text) => stem.starts_with(text),
            TestName::Ends(text) => stem.ends_with(text),
        }
    }
}

/// Naming choices that a language leaves open, so that a project may have a pattern.
#[derive(Debug)]
pub struct NamingConventions {
    /// Whether files may be named in one case or another.
    pub file_case: bool,
    /// Functions whose names may be written in one case or another.
    pub function_case: FunctionCase,
    /// Whether exported constants may.
    pub constant_case: bool,
    /// The naming schemes of test files, each as patterns show it; the first that fits counts. Empty if there is only one
    /// scheme.
    pub test_names: &'static [(&'static str, TestName)],
}

impl NamingConventions {
    /// Conventions of a language that leaves nothing open.
    pub const NEUTRAL: NamingConventions = NamingConventions {
        file_case: false,
        function_case: FunctionCase::Fixed,
        constant_case: false,
        test_names: &[],
    };
}

/// Rules of `analysis` that are written by hand for a language: which definitions are needed though nothing mentions them,
/// which ones its packages publish, and which choices stand in its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleSet {
    /// No rules: no patterns are taken from the text, and no definition is reported as an orphan.
    None,
    /// TypeScript and JavaScript.
    Script,
    /// Python.
    Python,
    /// Go.
    Go,
    /// Rust.
    Rust,
    /// Java.
    Java,
}
