//! Symbols that are called from outside the repository's own code: by a framework, a base class, the language or a person.

use super::package::{ProjectFiles, foreign_package, is_public_api};
use super::{Candidate, Parent};
use base::Language;
use base::language::RuleSet;
use std::sync::LazyLock;
use store::NodeFlags;
use text::list::{self, WordList};

const LISTS: &str = include_str!("names.txt");

/// The reason why a candidate is not reported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Doubt {
    /// It is an entry point, or of a kind that allows no conclusion.
    Entry,
    /// It may have users outside the repository.
    Possible(String),
}

fn possible_doubt(reason: &str) -> Option<Doubt> {
    Some(Doubt::Possible(reason.to_owned()))
}

/// Folders whose files are run or loaded from outside, each by its name.
static ENTRY_FOLDERS: WordList =
    LazyLock::new(|| list::words(list::section(LISTS, "entry folders")).collect());

/// Names of files, up to the first dot, that a tool or framework looks for.
static ENTRY_FILES: WordList =
    LazyLock::new(|| list::words(list::section(LISTS, "entry files")).collect());

/// Names of files of Python that frameworks load, without their ending.
static CONFIGURED_FILES: WordList =
    LazyLock::new(|| list::words(list::section(LISTS, "configured files")).collect());

fn file_stem(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split('.').next().unwrap_or(name).to_ascii_lowercase()
}

/// Whether tools run or load a file because of its name or folder.
fn is_entry_file(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let parts = [
        ".config.",
        ".test.",
        ".spec.",
        ".stories.",
        ".d.",
        ".e2e.",
        ".setup.",
        ".page.",
        ".worker.",
    ];
    let mut folders = path.split('/').rev().skip(1);
    let tests = ["_test", "_spec", "-test", "-spec", "_tests", "_bench"];
    let stem_of = file_stem(path);
    name.starts_with('.')
        || tests.iter().any(|ending| stem_of.ends_with(ending))
        || stem_of.starts_with("test_")
        || parts.iter().any(|part| name.contains(part))
        || ENTRY_FILES.contains(&stem_of.as_str())
        || folders.any(|f| ENTRY_FOLDERS.contains(&f))
}

/// Whether a path lies among tests, examples or their data, whatever their folder is called exactly.
fn is_sample(path: &str) -> bool {
    let words = [
        "test", "tests", "testing", "example", "examples", "fixture", "fixtures", "sample",
        "samples", "testdata",
    ];
    let mut folders = path.split('/').rev().skip(1);
    folders.any(|folder| {
        folder
            .split(['-', '_', '.'])
            .any(|word| words.contains(&word))
    })
}

/// The reason why a candidate that nothing mentions may still be needed.
pub(super) fn find_doubt(candidate: &Candidate<'_>, world: &mut dyn ProjectFiles) -> Option<Doubt> {
    if candidate.flags.contains(NodeFlags::MANUAL) {
        return manual_node_doubt(candidate);
    }
    if candidate.is_file() {
        return file_doubt(candidate, world);
    }
    if is_reserved_name(candidate) || is_sample(candidate.path) {
        return Some(Doubt::Entry);
    }
    let found = match rules_of(candidate) {
        RuleSet::Python => python_doubt(candidate),
        RuleSet::Script => script_doubt(candidate),
        RuleSet::Go => go_doubt(candidate),
        RuleSet::Rust => rust_doubt(candidate),
        RuleSet::Java => java_doubt(candidate),
        RuleSet::None => Some(Doubt::Entry),
    };
    if found.is_some() {
        return found;
    }
    if candidate.may_be_dead {
        return possible_doubt("its source says that it may be dead code");
    }
    if is_data_of_package(candidate, world) {
        return possible_doubt(IS_DATA);
    }
    let member_of_exported = candidate.parent.as_ref().is_none_or(Parent::is_exported);
    let open = candidate.is_exported() || (name_is_public(candidate) && member_of_exported);
    if open && is_public_api(candidate, world) {
        possible_doubt("it is visible to users of the package")
    } else {
        None
    }
}

/// Whether the name is public: members without a visibility keyword are public in some languages.
fn name_is_public(candidate: &Candidate<'_>) -> bool {
    let private = candidate.flags.contains(NodeFlags::PRIVATE);
    match rules_of(candidate) {
        RuleSet::Python => !candidate.name.starts_with('_'),
        RuleSet::Script => {
            candidate.kind == "method" && !private && !candidate.name.starts_with('#')
        }
        RuleSet::Go | RuleSet::Rust | RuleSet::Java | RuleSet::None => false,
    }
}

fn rules_of(candidate: &Candidate<'_>) -> RuleSet {
    candidate.profile().map_or(RuleSet::None, |p| p.rules)
}

/// A node that was added by hand: only its name and path are known.
fn manual_node_doubt(candidate: &Candidate<'_>) -> Option<Doubt> {
    let name = candidate.name.to_ascii_lowercase();
    let stem = name.split('.').next().unwrap_or(&name);
    let entry = matches!(
        stem,
        "main" | "index" | "__main__" | "__init__" | "setup" | "conftest"
    ) || is_manual_entry_path(candidate.path)
        || name.starts_with("test_");
    entry.then_some(Doubt::Entry)
}

fn is_manual_entry_path(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let marks = [".test.", ".spec.", ".config.", "_test.", ".d.ts"];
    let entry = ["index", "main", "__main__", "setup", "conftest"];
    marks.iter().any(|mark| name.contains(mark))
        || name.starts_with("test_")
        || entry.contains(&file_stem(path).as_str())
        || path
            .split('/')
            .any(|f| matches!(f, "test" | "tests" | "__tests__"))
}

/// Names that the language or every tool knows.
fn is_reserved_name(candidate: &Candidate<'_>) -> bool {
    let name = candidate.name;
    let plain = name.trim_start_matches(['_', '#', '$']);
    plain.is_empty()
        || matches!(name, "main" | "default" | "constructor" | "<anonymous>")
        || (name.starts_with("__") && name.ends_with("__"))
        || !name
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '#'))
}

fn file_doubt(candidate: &Candidate<'_>, world: &mut dyn ProjectFiles) -> Option<Doubt> {
    let path = candidate.path;
    let loads = candidate.profile().is_some_and(|p| p.modules.by_file);
    // Other languages compile all files in a folder. A script without an ending is run.
    if !loads || is_entry_file(path) || Language::may_be_script(path) {
        return Some(Doubt::Entry);
    }
    // An entry point runs without a caller, and an empty file has nothing to use.
    if has_any(candidate.flags, NodeFlags::ENTRY | NodeFlags::BLANK) {
        return Some(Doubt::Entry);
    }
    if is_public_api(candidate, world) {
        return possible_doubt("users of the package may import it");
    }
    if is_data_of_package(candidate, world) {
        possible_doubt(IS_DATA)
    } else {
        None
    }
}

const IS_DATA: &str = "its package is in another language and may read it as data";

/// Whether a candidate lies in a package of another language. Code of many languages lies beside a manifest at the root:
/// there only files are doubted.
fn is_data_of_package(candidate: &Candidate<'_>, world: &mut dyn ProjectFiles) -> bool {
    let Some(language) = candidate.language else {
        return false;
    };
    let folder = foreign_package(candidate.path, language, world);
    folder.is_some_and(|folder| candidate.is_file() || !folder.is_empty())
}

/// Decorators that register nothing.
static PLAIN_DECORATORS: WordList =
    LazyLock::new(|| list::words(list::section(LISTS, "plain decorators")).collect());

/// Whether at least one decorator may register something: it is not in the list of `plain` ones.
fn has_registering(decorators: &[Box<str>], plain: &[&str]) -> bool {
    decorators.iter().any(|name| !plain.contains(&&**name))
}

/// Whether decorators may register the symbol that they decorate.
pub(super) fn may_register(rules: RuleSet, decorators: &[Box<str>]) -> bool {
    let plain: &[&str] = match rules {
        RuleSet::Python => &PLAIN_DECORATORS,
        RuleSet::Java => &PLAIN_ANNOTATIONS,
        RuleSet::Rust => {
            let mut names = decorators.iter().map(|name| first_segment(name));
            return names.any(|name| !PLAIN_ATTRIBUTES.contains(&name));
        }
        RuleSet::Script | RuleSet::Go | RuleSet::None => &[],
    };
    has_registering(decorators, plain)
}

/// Whether one of some properties is set.
fn has_any(flags: NodeFlags, any: u32) -> bool {
    flags.0 & any != 0
}

fn python_doubt(candidate: &Candidate<'_>) -> Option<Doubt> {
    let name = candidate.name;
    let tool = [
        "pytest_",
        "test_",
        "Test",
        "setUp",
        "tearDown",
        "setup_",
        "teardown_",
    ];
    if tool.iter().any(|p| name.starts_with(p))
        || has_registering(candidate.decorators, &PLAIN_DECORATORS)
    {
        return Some(Doubt::Entry);
    }
    // A type checker reads code that is there for types alone.
    if has_any(candidate.flags, NodeFlags::TYPE_ONLY) {
        return Some(Doubt::Entry);
    }
    let file = file_stem(candidate.path);
    let migrations = ["migrations", "alembic", "versions"];
    if CONFIGURED_FILES.contains(&file.as_str())
        || candidate.path.split('/').any(|f| migrations.contains(&f))
    {
        return Some(Doubt::Entry);
    }
    match candidate.kind {
        "class" | "enum" | "interface" => has_any(candidate.flags, NodeFlags::INHERITS)
            .then(|| Doubt::Possible("its base classes may find it".to_owned())),
        "method" => inherited_member_doubt(candidate),
        // `_ = x` and similar names, and a module's variables about itself.
        "variable" | "constant" if name.trim_matches('_').len() < 2 => Some(Doubt::Entry),
        _ => None,
    }
}

/// A method may be called by a base class that the graph does not know.
fn inherited_member_doubt(candidate: &Candidate<'_>) -> Option<Doubt> {
    let parent = candidate.parent.as_ref()?;
    if !matches!(parent.kind, "class" | "struct" | "enum") {
        return Some(Doubt::Entry);
    }
    if may_register(rules_of(candidate), parent.decorators) {
        return Some(Doubt::Entry);
    }
    if has_any(candidate.flags, NodeFlags::OVERRIDES)
        || has_any(parent.flags, NodeFlags::INHERITS)
        || parent.inherits
    {
        possible_doubt("a base class may call it")
    } else {
        None
    }
}

/// Exports that frameworks for the web look for by name.
static CONVENTIONAL: WordList =
    LazyLock::new(|| list::words(list::section(LISTS, "conventional exports")).collect());

fn script_doubt(candidate: &Candidate<'_>) -> Option<Doubt> {
    let name = candidate.name;
    let path = candidate.path;
    let declared = path.contains(".d.") || has_any(candidate.flags, NodeFlags::DECLARED);
    // A leading underscore means that the name is not for use.
    if declared
        || has_any(
            candidate.flags,
            NodeFlags::DEFAULT_EXPORT | NodeFlags::OWN_NAME,
        )
        || !candidate.decorators.is_empty()
        || name.starts_with('_')
    {
        return Some(Doubt::Entry);
    }
    if candidate.is_exported() && (CONVENTIONAL.contains(&name) || is_entry_file(path)) {
        return possible_doubt("a framework may look for it");
    }
    match (&candidate.parent, candidate.kind) {
        (Some(parent), "method") if parent.kind == "class" => {
            let private = has_any(candidate.flags, NodeFlags::PRIVATE) || name.starts_with('#');
            // A type with the right members may satisfy an interface without naming it.
            let open = || possible_doubt("it may satisfy an interface");
            inherited_member_doubt(candidate).or_else(|| if private { None } else { open() })
        }
        // Members of object literals, namespaces and declared modules.
        (Some(_), _) | (None, "method") => Some(Doubt::Entry),
        _ => None,
    }
}

fn go_doubt(candidate: &Candidate<'_>) -> Option<Doubt> {
    let name = candidate.name;
    let tool = ["Test", "Benchmark", "Example", "Fuzz"];
    if name == "init" || tool.iter().any(|p| name.starts_with(p)) {
        return Some(Doubt::Entry);
    }
    // A body in assembly or another object file, and functions that C or the linker calls.
    if has_any(candidate.flags, NodeFlags::DECLARED | NodeFlags::ENTRY) {
        return Some(Doubt::Entry);
    }
    match candidate.kind {
        // An interface of another module may require it.
        "method" if candidate.is_exported() => possible_doubt("it may satisfy an interface"),
        // Tables of constants are kept complete, even if some are unused.
        "constant" | "variable" => {
            has_any(candidate.flags, NodeFlags::GROUPED).then_some(Doubt::Entry)
        }
        _ => None,
    }
}

/// Attributes that register nothing.
static PLAIN_ATTRIBUTES: WordList =
    LazyLock::new(|| list::words(list::section(LISTS, "plain attributes")).collect());

/// The first name of a path of Rust: `tokio` of `tokio::main`.
fn first_segment(path: &str) -> &str {
    path.split("::").next().unwrap_or(path).trim()
}

fn rust_doubt(candidate: &Candidate<'_>) -> Option<Doubt> {
    let registers = may_register(rules_of(candidate), candidate.decorators);
    let of_trait = candidate.parent.as_ref().is_some_and(|p| p.kind == "trait");
    let written_elsewhere = NodeFlags::OVERRIDES | NodeFlags::FROM_MACRO;
    let entry = registers
        || candidate.name.starts_with('_')
        || of_trait
        || has_any(candidate.flags, written_elsewhere);
    entry.then_some(Doubt::Entry)
}

/// Annotations that register nothing.
static PLAIN_ANNOTATIONS: WordList =
    LazyLock::new(|| list::words(list::section(LISTS, "plain annotations")).collect());

/// Methods that serialization and the like call by name.
static JAVA_HOOKS: WordList =
    LazyLock::new(|| list::words(list::section(LISTS, "java hooks")).collect());

fn is_type_definition(candidate: &Candidate<'_>) -> bool {
    matches!(candidate.kind, "class" | "interface" | "enum" | "struct")
}

fn java_doubt(candidate: &Candidate<'_>) -> Option<Doubt> {
    let name = candidate.name;
    let registers = |all: &[Box<str>]| has_registering(all, &PLAIN_ANNOTATIONS);
    // A method that is marked as overriding is called through the overridden method; otherwise the compiler would refuse it.
    if JAVA_HOOKS.contains(&name)
        || registers(candidate.decorators)
        || has_any(candidate.flags, NodeFlags::OVERRIDES)
    {
        return Some(Doubt::Entry);
    }
    // The code in it is started or wired together from outside.
    if is_type_definition(candidate) && candidate.holds_entry {
        return Some(Doubt::Entry);
    }
    if candidate.kind != "method" {
        return None;
    }
    let parent = candidate.parent.as_ref();
    if !parent.is_some_and(|p| matches!(p.kind, "class" | "enum" | "struct")) {
        return Some(Doubt::Entry);
    }
    if parent.is_some_and(|p| registers(p.decorators)) {
        return possible_doubt("its class is registered");
    }
    // Base classes of other packages see only public and protected members; base classes of this package are in the graph.
    if candidate.is_exported() {
        inherited_member_doubt(candidate)
    } else {
        None
    }
}
