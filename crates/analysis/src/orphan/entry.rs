//! What is called from outside the repository's own code: by a framework, a base class, the language or a person.

use super::Candidate;
use super::block::enclosed;
use super::package::{ProjectFiles, is_public_api};
use crate::Loading;
use base::Language;
use store::NodeFlags;

/// Why a candidate is not reported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Doubt {
    /// It is an entry point, or of a kind about which nothing can be said.
    Entry,
    /// It may have users outside the repository.
    Possible(String),
}

fn possible_doubt(reason: &str) -> Option<Doubt> {
    Some(Doubt::Possible(reason.to_owned()))
}

/// Folders whose files are run or loaded by somebody else, each by its name.
const ENTRY_FOLDERS: [&str; 38] = [
    "test",
    "tests",
    "__tests__",
    "__mocks__",
    "testdata",
    "fixtures",
    "spec",
    "e2e",
    "examples",
    "example",
    "samples",
    "sample",
    "demo",
    "demos",
    "docs",
    "doc",
    "scripts",
    "script",
    "bin",
    "tools",
    "tool",
    "hack",
    "benchmarks",
    "benchmark",
    "benches",
    "bench",
    "perf",
    "migrations",
    "pages",
    "routes",
    "app",
    "plugins",
    "commands",
    "locales",
    "stories",
    "playground",
    "templates",
    "cmd",
];

/// Names of files, up to the first dot, that a tool or framework looks for.
const ENTRY_FILES: [&str; 46] = [
    "index",
    "main",
    "__main__",
    "__init__",
    "mod",
    "lib",
    "build",
    "setup",
    "conftest",
    "manage",
    "wsgi",
    "asgi",
    "settings",
    "urls",
    "admin",
    "apps",
    "models",
    "conf",
    "noxfile",
    "tasks",
    "fabfile",
    "gulpfile",
    "gruntfile",
    "webpack",
    "rollup",
    "vite",
    "jest",
    "vitest",
    "karma",
    "babel",
    "tailwind",
    "postcss",
    "next",
    "nuxt",
    "svelte",
    "server",
    "app",
    "middleware",
    "instrumentation",
    "doc",
    "setuptests",
    "setupproxy",
    "reportwebvitals",
    "service-worker",
    "serviceworker",
    "sw",
];

fn file_stem(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split('.').next().unwrap_or(name).to_ascii_lowercase()
}

/// Whether a file is run or loaded by its name or folder.
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

/// Whether a path lies among tests, examples or what they read, whatever their folder is called exactly.
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

/// Why a candidate that nothing mentions may be needed all the same.
pub(super) fn find_doubt(candidate: &Candidate, world: &mut dyn ProjectFiles) -> Option<Doubt> {
    if candidate.flags.contains(NodeFlags::MANUAL) {
        return manual_node_doubt(candidate);
    }
    if candidate.is_file() {
        return file_doubt(candidate, world);
    }
    if is_reserved_name(candidate) || is_sample(&candidate.path) {
        return Some(Doubt::Entry);
    }
    let head = signature_lines(candidate, world);
    let text = head.join("\n");
    let found = match candidate.language() {
        Some(Language::Python) => python_doubt(candidate, &text, world),
        Some(Language::TypeScript | Language::Tsx | Language::JavaScript) => {
            script_doubt(candidate, &text, world)
        }
        Some(Language::Go) => go_doubt(candidate, &text, world),
        Some(Language::Rust) => rust_doubt(candidate, &head, world),
        Some(Language::Java) => java_doubt(candidate, &text, world),
        Some(Language::Lua) | None => Some(Doubt::Entry),
    };
    if found.is_some() {
        return found;
    }
    let member_of_exported = candidate.parent.as_ref().is_none_or(|p| p.exported);
    let open = candidate.is_exported() || (name_is_public(candidate) && member_of_exported);
    if open && is_public_api(candidate, world) {
        possible_doubt("it is visible to users of the package")
    } else {
        None
    }
}

/// Members without a word of visibility are public where the language says so.
fn name_is_public(candidate: &Candidate) -> bool {
    let private = candidate.flags.contains(NodeFlags::PRIVATE);
    match candidate.language() {
        Some(Language::Python) => !candidate.name.starts_with('_'),
        Some(Language::TypeScript | Language::Tsx | Language::JavaScript) => {
            candidate.kind == "method" && !private && !candidate.name.starts_with('#')
        }
        _ => false,
    }
}

/// A node that somebody put in: its name and path are all that is known.
fn manual_node_doubt(candidate: &Candidate) -> Option<Doubt> {
    let name = candidate.name.to_ascii_lowercase();
    let stem = name.split('.').next().unwrap_or(&name);
    let entry = matches!(
        stem,
        "main" | "index" | "__main__" | "__init__" | "setup" | "conftest"
    ) || is_manual_entry_path(&candidate.path)
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

/// The lines from the first decorator, attribute or modifier to the end of the signature.
fn signature_lines(candidate: &Candidate, world: &mut dyn ProjectFiles) -> Vec<String> {
    let first = candidate.lines.0.min(candidate.name_line).max(1);
    // Attributes and annotations that the span may leave out.
    let above = world.lines(&candidate.path, first.saturating_sub(12).max(1), first - 1);
    let kept = above.iter().rev().take_while(|line| {
        let line = line.trim_start();
        line.starts_with("#[")
            || line.starts_with('@')
            || line.starts_with("//")
            || line.starts_with('*')
    });
    let mut head: Vec<String> = kept.cloned().collect();
    head.reverse();
    head.extend(world.lines(&candidate.path, first, candidate.name_line.max(first) + 6));
    head
}

/// Names that the language or every tool knows.
fn is_reserved_name(candidate: &Candidate) -> bool {
    let name = candidate.name.as_str();
    let plain = name.trim_start_matches(['_', '#', '$']);
    plain.is_empty()
        || matches!(name, "main" | "default" | "constructor" | "<anonymous>")
        || (name.starts_with("__") && name.ends_with("__"))
        || !name
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '#'))
}

fn file_doubt(candidate: &Candidate, world: &mut dyn ProjectFiles) -> Option<Doubt> {
    let path = candidate.path.as_str();
    let loads = matches!(
        candidate.language(),
        Some(Language::TypeScript | Language::Tsx | Language::JavaScript | Language::Python)
    );
    // Other languages compile what lies in a folder.
    if !loads || is_entry_file(path) {
        return Some(Doubt::Entry);
    }
    // Nothing but declarations for others to see.
    let lines = world.lines(path, 1, 4_000);
    let run = |line: &String| {
        line.starts_with("if __name__")
            || line.starts_with("#!")
            || line.contains("@ts-nocheck generated")
    };
    if lines.iter().any(run) || lines.iter().all(|line| line.trim().is_empty()) {
        return Some(Doubt::Entry);
    }
    if is_public_api(candidate, world) {
        possible_doubt("users of the package may import it")
    } else {
        None
    }
}

/// Decorators that register nothing.
const PLAIN_DECORATORS: [&str; 22] = [
    "property",
    "staticmethod",
    "classmethod",
    "abstractmethod",
    "abc.abstractmethod",
    "cached_property",
    "functools.cached_property",
    "lru_cache",
    "functools.lru_cache",
    "cache",
    "functools.cache",
    "wraps",
    "functools.wraps",
    "contextmanager",
    "contextlib.contextmanager",
    "dataclass",
    "dataclasses.dataclass",
    "total_ordering",
    "functools.total_ordering",
    "final",
    "typing.final",
    "override",
];

fn decorator_name(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix('@')?;
    let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.'));
    Some(&rest[..end.unwrap_or(rest.len())])
}

fn has_registering_decorator(text: &str, plain: &[&str]) -> bool {
    let mut decorators = text.lines().filter_map(decorator_name);
    decorators.any(|d| !d.is_empty() && !plain.contains(&d))
}

/// The lines of the class around a candidate, up to the end of its head.
fn parent_signature(candidate: &Candidate, world: &mut dyn ProjectFiles) -> String {
    let Some(parent) = candidate.parent.as_ref().filter(|p| p.line > 0) else {
        return String::new();
    };
    let above = world.lines(
        &candidate.path,
        parent.line.saturating_sub(6).max(1),
        parent.line - 1,
    );
    let marks = above
        .iter()
        .rev()
        .take_while(|l| l.trim_start().starts_with(['@', '#']));
    let mut lines: Vec<String> = marks.cloned().collect();
    for line in world.lines(&candidate.path, parent.line, parent.line + 20) {
        let decorated = line.trim_start().starts_with('@');
        let trimmed = line.trim_end();
        let ends = !decorated && (trimmed.ends_with('{') || trimmed.ends_with(':'));
        lines.push(line);
        if ends {
            break;
        }
    }
    lines.join("\n")
}

fn python_doubt(candidate: &Candidate, text: &str, world: &mut dyn ProjectFiles) -> Option<Doubt> {
    let name = candidate.name.as_str();
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
        || has_registering_decorator(text, &PLAIN_DECORATORS)
    {
        return Some(Doubt::Entry);
    }
    // What is there for checkers of types is read by these.
    if candidate.parent.is_none() && is_in_type_checking_block(candidate, world) {
        return Some(Doubt::Entry);
    }
    let file = file_stem(&candidate.path);
    let configured = [
        "conftest", "settings", "urls", "admin", "apps", "conf", "noxfile", "tasks", "fabfile",
    ];
    let migrations = ["migrations", "alembic", "versions"];
    if configured.contains(&file.as_str())
        || candidate.path.split('/').any(|f| migrations.contains(&f))
    {
        return Some(Doubt::Entry);
    }
    match candidate.kind.as_str() {
        "class" | "enum" | "interface" => {
            let head = text_from(text, "class ");
            has_python_bases(head)
                .then(|| Doubt::Possible("its base classes may find it".to_owned()))
        }
        "method" => inherited_member_doubt(candidate, world),
        // `_ = x` and the like, and what a module says about itself.
        "variable" | "constant" if name.trim_matches('_').len() < 2 => Some(Doubt::Entry),
        _ => None,
    }
}

/// Lines above a definition that are searched for the block around it.
const MOST_ABOVE: u32 = 1_000;

/// Whether a definition at the level of its file stands in a block for checkers of types.
fn is_in_type_checking_block(candidate: &Candidate, world: &mut dyn ProjectFiles) -> bool {
    let line = candidate.name_line;
    let own = world.lines(&candidate.path, line, line);
    // What is not indented is in no block.
    if line == 0 || !own.iter().any(|own| own.starts_with([' ', '\t'])) {
        return false;
    }
    let before = world.lines(
        &candidate.path,
        line.saturating_sub(MOST_ABOVE).max(1),
        line,
    );
    enclosed(&before, before.len().saturating_sub(1)) == Loading::TypeOnly
}

fn text_from<'t>(text: &'t str, word: &str) -> &'t str {
    text.find(word).map_or("", |at| &text[at..])
}

/// Whether a Python class has bases other than `object`.
fn has_python_bases(head: &str) -> bool {
    let end = head.find(':').unwrap_or(head.len());
    let Some(open) = head[..end].find('(') else {
        return false;
    };
    let close = head.find(')').unwrap_or(head.len());
    let bases = head.get(open + 1..close).unwrap_or_default().trim();
    !bases.is_empty() && bases != "object"
}

/// A method may be called by a base class that the graph does not know.
fn inherited_member_doubt(candidate: &Candidate, world: &mut dyn ProjectFiles) -> Option<Doubt> {
    let parent = candidate.parent.as_ref()?;
    if !matches!(parent.kind.as_str(), "class" | "struct" | "enum") {
        return Some(Doubt::Entry);
    }
    let head = parent_signature(candidate, world);
    if has_registering_decorator(&head, &PLAIN_DECORATORS) {
        return Some(Doubt::Entry);
    }
    let inherits = match candidate.language() {
        Some(Language::Python) => has_python_bases(text_from(&head, "class ")),
        _ => {
            let head = text_from(&head, "class ");
            let head = head.split('{').next().unwrap_or(head);
            head.contains(" extends ") || head.contains(" implements ")
        }
    };
    if inherits || parent.inherits {
        possible_doubt("a base class may call it")
    } else {
        None
    }
}

/// Exports that frameworks for the web look for by name.
const CONVENTIONAL: [&str; 34] = [
    "getServerSideProps",
    "getStaticProps",
    "getStaticPaths",
    "getInitialProps",
    "generateMetadata",
    "generateStaticParams",
    "generateViewport",
    "metadata",
    "viewport",
    "config",
    "loader",
    "action",
    "links",
    "meta",
    "headers",
    "handle",
    "shouldRevalidate",
    "ErrorBoundary",
    "HydrateFallback",
    "revalidate",
    "dynamic",
    "runtime",
    "preferredRegion",
    "GET",
    "POST",
    "PUT",
    "PATCH",
    "DELETE",
    "HEAD",
    "OPTIONS",
    "load",
    "actions",
    "handler",
    "prerender",
];

fn script_doubt(candidate: &Candidate, text: &str, world: &mut dyn ProjectFiles) -> Option<Doubt> {
    let name = candidate.name.as_str();
    let path = candidate.path.as_str();
    let own = world.lines(path, candidate.name_line, candidate.name_line);
    let own = own.first().map(String::as_str).unwrap_or_default();
    if text.contains("export default") && own.contains("export default") {
        return Some(Doubt::Entry);
    }
    let declared = path.contains(".d.") || own.trim_start().starts_with("declare ");
    if !declares_name(own, name) {
        return Some(Doubt::Entry);
    }
    // A leading underscore says that it is not to be used.
    if declared || has_registering_decorator(text, &[]) || name.starts_with('_') {
        return Some(Doubt::Entry);
    }
    if candidate.is_exported() && (CONVENTIONAL.contains(&name) || is_entry_file(path)) {
        return possible_doubt("a framework may look for it");
    }
    match (&candidate.parent, candidate.kind.as_str()) {
        (Some(parent), "method") if parent.kind == "class" => {
            let private = candidate.flags.contains(NodeFlags::PRIVATE) || name.starts_with('#');
            // Who has the right members is taken for what is asked for.
            let open = || possible_doubt("it may satisfy an interface");
            inherited_member_doubt(candidate, world).or_else(|| if private { None } else { open() })
        }
        // Members of object literals, namespaces and declared modules.
        (Some(_), _) | (None, "method") => Some(Doubt::Entry),
        _ => None,
    }
}

/// Whether a line declares the name; function expressions have names for themselves alone.
fn declares_name(line: &str, name: &str) -> bool {
    let Some(at) = line.rfind(name) else {
        return true;
    };
    let before = line[..at].trim_end().trim_end_matches('*').trim_end();
    let Some(before) = before.strip_suffix("function") else {
        return true;
    };
    // Indented ones are elements of something.
    let words = [
        "",
        "export",
        "async",
        "export async",
        "export default",
        "export default async",
        "declare",
    ];
    words.contains(&before.trim()) && !line.starts_with([' ', '\t'])
}

fn go_doubt(candidate: &Candidate, text: &str, world: &mut dyn ProjectFiles) -> Option<Doubt> {
    let name = candidate.name.as_str();
    let tool = ["Test", "Benchmark", "Example", "Fuzz"];
    if name == "init" || tool.iter().any(|p| name.starts_with(p)) {
        return Some(Doubt::Entry);
    }
    if text.contains("//export ") || text.contains("//go:linkname") {
        return Some(Doubt::Entry);
    }
    match candidate.kind.as_str() {
        // It may be what an interface of another module asks for.
        "method" if candidate.is_exported() => possible_doubt("it may satisfy an interface"),
        "constant" | "variable" => {
            let own = world.lines(&candidate.path, candidate.name_line, candidate.name_line);
            let alone = own
                .first()
                .is_some_and(|l| l.starts_with("const ") || l.starts_with("var "));
            // Tables of constants are complete for their own sake.
            (!alone).then_some(Doubt::Entry)
        }
        "function" => {
            let own = world.lines(&candidate.path, candidate.lines.0, candidate.lines.1);
            // A body in assembly or another object file.
            (!own.iter().any(|l| l.contains('{'))).then_some(Doubt::Entry)
        }
        _ => None,
    }
}

/// Attributes that register nothing.
const PLAIN_ATTRIBUTES: [&str; 19] = [
    "inline",
    "must_use",
    "cfg",
    "cfg_attr",
    "derive",
    "allow",
    "warn",
    "deny",
    "expect",
    "doc",
    "deprecated",
    "non_exhaustive",
    "repr",
    "track_caller",
    "cold",
    "rustfmt",
    "clippy",
    "serde",
    "default",
];

fn rust_doubt(
    candidate: &Candidate,
    head: &[String],
    world: &mut dyn ProjectFiles,
) -> Option<Doubt> {
    for line in head.iter().map(|l| l.trim_start()) {
        let Some(rest) = line.strip_prefix("#[") else {
            continue;
        };
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'));
        if !PLAIN_ATTRIBUTES.contains(&&rest[..end.unwrap_or(rest.len())]) {
            return Some(Doubt::Entry);
        }
    }
    if candidate.name.starts_with('_') {
        return Some(Doubt::Entry);
    }
    let block = enclosing_block_head(candidate, world)?;
    let block = block.trim_start().trim_start_matches("unsafe ");
    let of_trait = block.starts_with("impl") && block.contains(" for ");
    let foreign =
        block.starts_with("extern") || block.contains("trait ") || block.contains("macro_rules");
    (of_trait || foreign).then_some(Doubt::Entry)
}

/// The line that opens the block around a definition that is indented; heads over several lines in one.
fn enclosing_block_head(candidate: &Candidate, world: &mut dyn ProjectFiles) -> Option<String> {
    let from = candidate.name_line.saturating_sub(3_000).max(1);
    let lines = world.lines(&candidate.path, from, candidate.name_line);
    let indent = |line: &str| line.len() - line.trim_start().len();
    let own = indent(lines.last()?);
    let opens = |line: &&String| {
        let text = line.trim_start();
        indent(line) < own && !text.is_empty() && !text.starts_with(['#', '/', '}', ')', '>', '*'])
    };
    let at = lines.iter().rposition(|line| opens(&line))?;
    // `where` clauses and long heads go on above or below.
    let head: Vec<&str> = lines[at.saturating_sub(6)..=at]
        .iter()
        .map(|l| l.trim())
        .collect();
    let starts = |l: &str| {
        [
            "impl",
            "unsafe impl",
            "trait",
            "pub trait",
            "extern",
            "mod",
            "pub mod",
        ]
        .iter()
        .any(|w| l.starts_with(w))
    };
    let first = head
        .iter()
        .rposition(|l| starts(l))
        .unwrap_or(head.len() - 1);
    Some(head[first..].join(" "))
}

/// Annotations that register nothing.
const PLAIN_ANNOTATIONS: [&str; 16] = [
    "Deprecated",
    "SuppressWarnings",
    "Nullable",
    "NonNull",
    "Nonnull",
    "NotNull",
    "VisibleForTesting",
    "SafeVarargs",
    "FunctionalInterface",
    "CheckReturnValue",
    "CanIgnoreReturnValue",
    "Contract",
    "SuppressFBWarnings",
    "ThreadSafe",
    "Immutable",
    "GuardedBy",
];

/// Methods that serialization and the like call by name.
const JAVA_HOOKS: [&str; 10] = [
    "readObject",
    "writeObject",
    "readResolve",
    "writeReplace",
    "readObjectNoData",
    "finalize",
    "serialVersionUID",
    "valueOf",
    "premain",
    "agentmain",
];

fn is_type_definition(candidate: &Candidate) -> bool {
    matches!(
        candidate.kind.as_str(),
        "class" | "interface" | "enum" | "struct"
    )
}

/// Whether a class of Java is started, or wired together, by others than this code.
fn has_java_entry_point(candidate: &Candidate, world: &mut dyn ProjectFiles) -> bool {
    let lines = world.lines(&candidate.path, candidate.lines.0, candidate.lines.1);
    lines
        .iter()
        .any(|l| l.contains(" static void main(") || l.trim_start().starts_with("@Test"))
}

fn java_doubt(candidate: &Candidate, text: &str, world: &mut dyn ProjectFiles) -> Option<Doubt> {
    let name = candidate.name.as_str();
    if JAVA_HOOKS.contains(&name) || has_registering_decorator(text, &PLAIN_ANNOTATIONS) {
        return Some(Doubt::Entry);
    }
    if is_type_definition(candidate) && has_java_entry_point(candidate, world) {
        return Some(Doubt::Entry);
    }
    if candidate.kind == "method" {
        let private = text.contains("private ");
        let parent = candidate.parent.as_ref().map_or("", |p| p.kind.as_str());
        if !matches!(parent, "class" | "enum" | "struct") {
            return Some(Doubt::Entry);
        }
        let head = parent_signature(candidate, world);
        if has_registering_decorator(&head, &PLAIN_ANNOTATIONS) {
            return possible_doubt("its class is registered");
        }
        return if private {
            None
        } else {
            inherited_member_doubt(candidate, world)
        };
    }
    None
}
