//! Facts about a language that need no file to be read. The folder of each language fills one [`LanguageProfile`].
//! Fields that it does not mention are neutral: no special rule applies.

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
    /// Programs that run its scripts, without a version, as the first line of a script names them.
    pub interpreters: &'static [&'static str],
    /// The language that represents its family, whose languages import each other's files; `None` if it is this one.
    pub family: Option<Language>,
    /// Other languages whose code calls this one's functions like their own.
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
    /// The package that makes its files a program.
    pub program_package: Option<&'static str>,
    /// The base class of every class; naming it says nothing.
    pub universal_base: Option<&'static str>,
    /// The rules for orphans and patterns that were written for it.
    pub rules: RuleSet,
    /// Format of its runtime's stack traces.
    pub traces: Option<&'static TraceFormat>,
    /// Whether an assigned text may stand without quotes, as in a shell (`PASSWORD=value ./run`).
    pub has_bare_texts: bool,
    /// Files of the language that are never read, as a clause for answers about callers; `None` if all are.
    pub unread_files: Option<&'static str>,
}

/// Where the files of a language are parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParserIsolation {
    /// In this process. A person has read the grammar's scanner, which is C code, and looked for loops that do not end
    /// with the file, assertions, and state that outgrows its buffer.
    None,
    /// In a process of its own: error recovery of the grammar takes too much memory on some sources. Its scanner was
    /// read, or there is none, so its answers are trusted.
    Bounded,
    /// In a process of its own, however short the source: not all of the scanner was read. Its answers are checked as those
    /// of a language with calls.
    Separate,
    /// In a process of its own whose answers are checked: nobody has read the scanner.
    Checked,
}

impl LanguageProfile {
    /// Profile of a language of which nothing is known.
    pub const NEUTRAL: LanguageProfile = LanguageProfile {
        name: "",
        extensions: &[],
        file_names: &[],
        interpreters: &[],
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
        has_bare_texts: false,
        unread_files: None,
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
    /// Ends of names of test files, in lower case, in addition to those of every language (`test_x`, `x.test.y`).
    pub test_endings: &'static [&'static str],
    /// Beginnings of names of test files, instead of `test_` and of the ends `_spec` and `-spec`: for languages in
    /// which programs give such names to files that are no tests. Empty otherwise.
    pub own_test_prefixes: &'static [&'static str],
    /// Whole names of test files.
    pub test_names: &'static [&'static str],
    /// Ends of names of generated files.
    pub generated_endings: &'static [&'static str],
    /// Names that the language itself requires, so that no project chose them.
    pub required_names: &'static [&'static str],
    /// Manifests that linking reads.
    pub manifests: &'static [&'static str],
    /// Manifests that may have any name.
    pub shared_configuration: Option<SharedConfiguration>,
}

/// Configuration files that others extend. They have any name, or lie in a folder for such files.
#[derive(Debug)]
pub struct SharedConfiguration {
    /// The end of their names.
    pub ending: &'static str,
    /// A part that the name of such a file contains.
    pub name_part: &'static str,
    /// Otherwise, the name of its folder contains one of these parts.
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

    /// Whether a line may belong to a comment: it begins one, or begins with the `*` of a comment's inner lines.
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
    /// A folder is a package. Files with these endings lie in it, but do not belong to it.
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
    /// Whether names in the body of a function are looked up when it runs.
    pub late_names: bool,
    /// Whether build conditions choose between modules of one name.
    pub conditional: bool,
    /// Whether code can reach a name by a string while the program runs.
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

/// Fields that are found by something other than their name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldLookup {
    /// There are no such fields.
    ByName,
    /// Named fields of types: patterns count them.
    Counted,
    /// Tuple fields: patterns bind them by position.
    Numbered,
}

/// Facts that linking needs before it consults the language's tables: how a change of one file may affect another. If a
/// definition that is found by something other than its name changes, all files are linked again.
#[derive(Debug)]
pub struct LinkTraits {
    /// Fields that are found by something other than their name.
    pub fields: FieldLookup,
    /// Whether implementations are looked up from other definitions (Rust's `impl Trait for`).
    pub implementations: bool,
    /// Kinds whose members decide which other definitions fit them, even if nothing refers to these members.
    pub members_of: &'static [SymbolKind],
    /// Whether a type that takes members from another is looked up from that other one (PHP's traits).
    pub users_are_looked_up: bool,
    /// Whether an alias makes a type or namespace that other places add members to.
    pub aliases: bool,
    /// Whether a type implements an interface by the names of its methods alone, without declaring it.
    pub structural_interfaces: bool,
    /// Whether a method that a type inherits from one supertype overrides that of another supertype (Java, C#, Python, TypeScript).
    pub inherited_methods_override: bool,
    /// Whether other code sees a package only if it has types.
    pub packages_by_types: bool,
    /// Whether the path of an import passes through definitions: enums in Rust, classes in Java.
    pub paths_name_definitions: bool,
    /// Whether the name of a package may differ from the end of its path.
    pub packages_named_apart: bool,
    /// Whether a conversion to a type looks like a call.
    pub conversions_look_like_calls: bool,
    /// Whether a static and an instance member may share a name.
    pub statics_share_names: bool,
    /// Bytes of a call while its file is linked, as measured with calls within each other: candidates, types of its
    /// expressions, rows.
    pub bytes_of_a_call: u64,
    /// Names of definitions that linking looks up though no file mentions them: the language's own syntax calls them.
    pub looked_up_names: &'static [&'static str],
}

impl LinkTraits {
    /// Everything is found by its name.
    pub const NEUTRAL: LinkTraits = LinkTraits {
        fields: FieldLookup::ByName,
        implementations: false,
        members_of: &[],
        users_are_looked_up: false,
        aliases: false,
        structural_interfaces: false,
        inherited_methods_override: false,
        packages_by_types: false,
        paths_name_definitions: false,
        packages_named_apart: false,
        conversions_look_like_calls: false,
        statics_share_names: false,
        // Measured with Python: 500.
        bytes_of_a_call: 550,
        looked_up_names: &[],
    };
}

/// Functions whose names a project may write in a case of its choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FunctionCase {
    /// No functions: the language or its tools fix the case.
    Fixed,
    /// Functions that are not methods. A method may override one of an external base class, which has its own case.
    Functions,
    /// All.
    All,
}

/// A naming scheme of test files. `stem` is the name without its last ending.
#[derive(Debug, Clone, Copy)]
pub enum TestName {
    /// The stem begins with this.
    Begins(&'static str),
    /// The stem ends with this.
    Ends(&'static str),
}

impl TestName {
    /// Whether a stem follows this scheme.
    pub fn fits(self, stem: &str) -> bool {
        match self {
            TestName::Begins(text) => stem.starts_with(text),
            TestName::Ends(text) => stem.ends_with(text),
        }
    }
}

/// Naming choices that a language leaves open, so that each project may have its own pattern.
#[derive(Debug)]
pub struct NamingConventions {
    /// Whether a project chooses the case of file names.
    pub file_case: bool,
    /// Functions whose names a project may write in a case of its choice.
    pub function_case: FunctionCase,
    /// Whether a project chooses the case of exported constants.
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

/// Rules of `analysis` that are written by hand for a language: which definitions are needed though nothing refers to
/// them, which ones its packages publish, and which conventions its text shows.
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
