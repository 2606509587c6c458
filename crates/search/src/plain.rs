//! Files in languages without a grammar: definitions found by the form of lines.
//!
//! A line that looks like a definition gives a name, and its indentation tells where the definition ends. That is good enough
//! to cut files and to name chunks, and serves nothing else.

use crate::comments::{self, OpenBlockComment};
use crate::doc::{DefDoc, FileDoc, FileRole};
use base::Language;
use base::language::FileConventions;
use rustc_hash::FxHashSet;
use std::sync::LazyLock;
use text::list::{self, WordList};
use text::truncate_bytes;

const ROLES: &str = include_str!("plain/roles.txt");

/// Files longer than this are data.
const MAX_BYTES: usize = 1 << 20;

static ENDINGS: LazyLock<Vec<(&str, &str)>> =
    LazyLock::new(|| list::pairs(include_str!("plain/endings.tsv")).collect());

/// Languages of prose, data, markup and builds.
static NOT_CODE: WordList =
    LazyLock::new(|| list::words(list::section(ROLES, "not code")).collect());

/// The programming language of a file that is searched as text alone. It has no grammar here, so its definitions and calls are
/// not in the graph. None for other files.
pub fn language_without_grammar(path: &str) -> Option<&'static str> {
    let language = language_of(path).filter(|language| !NOT_CODE.contains(language))?;
    Language::from_path(path).is_none().then_some(language)
}

static NAMES: LazyLock<Vec<(&str, &str)>> =
    LazyLock::new(|| list::pairs(include_str!("plain/names.tsv")).collect());

/// The language of a file's ending, without the dot.
pub fn language_of_ending(ending: &str) -> Option<&'static str> {
    let lower = ending.to_ascii_lowercase();
    let read = Language::from_extension(&lower).map(Language::as_str);
    let by_look = || ENDINGS.iter().find(|(e, _)| *e == lower).map(|(_, l)| *l);
    read.or_else(by_look)
}

/// Whether a file of that name, in lower case, is a lock file: tools write it, and its many names would hide all other
/// results. A contract about locks (`distributed-lock.proto`) is none.
fn is_lock_file(name: &str) -> bool {
    name.ends_with(".lock")
        || name.ends_with(".sum")
        || matches!(
            name,
            "package-lock.json" | "pnpm-lock.yaml" | "conda-lock.yml" | "conda-lock.yaml"
        )
}

/// The language of a path, if its name tells that it is text.
pub fn known_language_of(path: &str) -> Option<&'static str> {
    let name = path.rsplit('/').next().unwrap_or(path);
    if let Some(language) = Language::from_file_name(name) {
        return Some(language.as_str());
    }
    let name = name.to_ascii_lowercase();
    if let Some((_, language)) = NAMES.iter().find(|(n, _)| *n == name) {
        return Some(language);
    }
    if is_lock_file(&name) {
        return None;
    }
    language_of_ending(name.rsplit_once('.')?.1)
}

/// The language of a path that is searched as text. A name that tells nothing may be that of a text; its content decides. None
/// for files that are not searched: lock files, and those whose names say that they hold no text, or secrets.
pub fn language_of(path: &str) -> Option<&'static str> {
    known_language_of(path).or_else(|| may_be_text(path).then_some("text"))
}

static BINARY_ENDINGS: LazyLock<FxHashSet<&str>> = LazyLock::new(|| unread("binary endings"));
static SECRET_ENDINGS: LazyLock<FxHashSet<&str>> = LazyLock::new(|| unread("secret endings"));
static SECRET_NAMES: LazyLock<FxHashSet<&str>> = LazyLock::new(|| unread("secret names"));
static RULES: LazyLock<FxHashSet<&str>> = LazyLock::new(|| unread("rules"));
static TEMPORARY_ENDINGS: LazyLock<FxHashSet<&str>> = LazyLock::new(|| unread("temporary endings"));

fn unread(section: &str) -> FxHashSet<&'static str> {
    let file = include_str!("plain/unread.txt");
    list::words(list::section(file, section)).collect()
}

fn may_be_text(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let name = name.to_ascii_lowercase();
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let is_temporary = name.ends_with('~') || name.starts_with(".#") || name.starts_with('#');
    // `.env.local` is one of these, too.
    let is_secret = SECRET_NAMES.contains(name.as_str()) || name.starts_with(".env.");
    let endings = [&BINARY_ENDINGS, &SECRET_ENDINGS, &TEMPORARY_ENDINGS];
    let is_left_out = endings.iter().any(|endings| endings.contains(ending));
    let is_rule = RULES.contains(name.as_str());
    !(is_temporary || is_secret || is_left_out || is_rule || is_lock_file(&name))
}

/// The evidence for the role of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RoleReason {
    /// The file is in a folder of that name.
    Folder(String),
    /// The file's name contains that text.
    Name(&'static str),
    /// Its first lines say so.
    Header,
    /// It is written in that language.
    Language,
    /// There is no evidence for another role than the project's own code.
    Nothing,
}

/// Folders of other projects' code.
static VENDOR_FOLDERS: WordList =
    LazyLock::new(|| list::words(list::section(ROLES, "vendor folders")).collect());

/// Parts of names of files that programs write.
static GENERATED_NAMES: WordList =
    LazyLock::new(|| list::words(list::section(ROLES, "generated names")).collect());

/// Folders of examples and benchmarks.
static EXAMPLE_FOLDERS: WordList =
    LazyLock::new(|| list::words(list::section(ROLES, "example folders")).collect());

/// The role of a file, by its path and language.
pub fn role_of(path: &str, language: &str, generated: bool) -> FileRole {
    role_with_reason(path, language, generated).0
}

/// The role of a file, with the evidence for it.
pub fn role_with_reason(path: &str, language: &str, generated: bool) -> (FileRole, RoleReason) {
    let lower = path.to_ascii_lowercase();
    let mut folders: Vec<&str> = lower.split('/').collect();
    let name = folders.pop().unwrap_or_default();
    let within = |names: &[&str]| {
        let found = folders.iter().find(|f| names.contains(f));
        found.map(|folder| RoleReason::Folder((*folder).to_owned()))
    };
    let named = |parts: &[&'static str]| {
        let found = parts.iter().find(|part| name.contains(**part));
        found.map(|part| RoleReason::Name(part))
    };
    if let Some(why) = within(&VENDOR_FOLDERS) {
        return (FileRole::Vendor, why);
    }
    if generated {
        return (FileRole::Generated, RoleReason::Header);
    }
    let conventional = || {
        let all = conventions().flat_map(|files| files.generated_endings);
        let found = all.copied().find(|end| name.ends_with(end));
        found.map(RoleReason::Name)
    };
    let by_name = named(&GENERATED_NAMES).or_else(conventional);
    if let Some(why) = by_name.or_else(|| within(&["generated", "__generated__"])) {
        return (FileRole::Generated, why);
    }
    if let Some(why) = test_reason(path, name, &folders) {
        return (FileRole::Test, why);
    }
    let by_name = || named(&["_benchmark.", ".bench."]);
    if let Some(why) = within(&EXAMPLE_FOLDERS).or_else(by_name) {
        return (FileRole::Example, why);
    }
    match language {
        "markdown" | "rst" | "asciidoc" | "text" => (FileRole::Document, RoleReason::Language),
        "yaml" | "toml" | "json" | "ini" | "xml" | "css" | "html" => {
            (FileRole::Config, RoleReason::Language)
        }
        _ => (FileRole::Source, RoleReason::Nothing),
    }
}

/// The naming conventions for files of each language.
fn conventions() -> impl Iterator<Item = &'static FileConventions> {
    Language::ALL
        .iter()
        .map(|language| &language.profile().files)
}

/// The evidence that a file is a test; none if there is none.
fn test_reason(path: &str, name: &str, folders: &[&str]) -> Option<RoleReason> {
    const PARTS: [&str; 8] = [
        "_test.", "_tests.", "_spec.", ".test.", ".spec.", "-test.", "-spec.", ".snap",
    ];
    let original = path.rsplit('/').next().unwrap_or(path);
    let stem = original.split('.').next().unwrap_or(original);
    if let Some(folder) = base::test_folder(folders) {
        return Some(RoleReason::Folder(folder.to_owned()));
    }
    if let Some(prefix) = base::test_name_prefix(name) {
        return Some(RoleReason::Name(prefix));
    }
    let has_own_names = base::Language::from_path(name)
        .is_some_and(|language| !language.profile().files.own_test_prefixes.is_empty());
    let mut whole = conventions().flat_map(|files| files.test_names);
    let part = PARTS.iter().find(|part| {
        let is_spec = matches!(**part, "_spec." | "-spec.");
        name.contains(**part) && !(is_spec && has_own_names)
    });
    let ends = ["Test", "Tests", "Spec", "TestCase", "IT"];
    // The name must be a word of its own: `LICENSE-MIT` is none of these.
    let begins_word = |before: &str| before.ends_with(|c: char| c.is_lowercase() || c.is_numeric());
    let end = ends
        .iter()
        .find(|end| stem.strip_suffix(**end).is_some_and(begins_word));
    let whole = whole.find(|whole| **whole == name);
    whole.or(part).or(end).map(|found| RoleReason::Name(found))
}

/// A file of any language, cut by the form of its lines. None for data files.
pub fn file_doc<'a>(path: &'a str, text: &'a str) -> Option<FileDoc<'a>> {
    let language = language_of(path)?;
    if text.len() > MAX_BYTES || is_data(text) {
        return None;
    }
    let definitions = outline_definitions(language, text);
    let role = role_of(path, language, is_generated(text));
    Some(FileDoc::from_text(path, language, role, text, &definitions))
}

/// Whether the first lines say that a program wrote the file.
fn is_generated(text: &str) -> bool {
    text.lines().take(8).any(|line| {
        let lower = line.to_ascii_lowercase();
        lower.contains("do not edit")
            || lower.contains("@generated")
            || lower.contains("autogenerated")
    })
}

fn is_data(text: &str) -> bool {
    let lines = text.lines().count().max(1);
    text.contains('\0') || text.len() / lines > 400
}

/// A definition that is still open while lines are read.
struct Open {
    at: usize,
    indent: usize,
}

/// Definitions found by the form of lines, in order.
pub fn outline_definitions<'a>(language: &str, text: &'a str) -> Vec<DefDoc<'a>> {
    let mut all: Vec<DefDoc<'a>> = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    let mut block = OpenBlockComment::None;
    let mut last_filled = 0;
    let style = OutlineStyle::for_language(language);
    let mut lines = text.lines().peekable();
    let mut number = 0u32;
    while let Some(line) = lines.next() {
        number += 1;
        let trimmed = line.trim();
        if trimmed.is_empty() {
            continue;
        }
        let heading = style == OutlineStyle::Prose;
        if !heading && comments::comment_text(trimmed, &mut block).is_some() {
            continue;
        }
        let next = lines.peek().map_or("", |l| l.trim());
        let indent = indentation(line);
        let found = match style {
            OutlineStyle::Prose => parse_heading(trimmed, next),
            OutlineStyle::Keys => parse_key(line),
            OutlineStyle::Code => parse_definition(trimmed, next, indent),
        };
        let depth = found.as_ref().map_or(indent, |f| f.level.unwrap_or(indent));
        let continues = if style == OutlineStyle::Code {
            is_continuation(trimmed)
        } else {
            None
        };
        let ends = |o: &Open| match continues {
            Some(closing) => closing && depth < o.indent,
            None => depth <= o.indent && (found.is_some() || style == OutlineStyle::Code),
        };
        while open.last().is_some_and(ends) {
            if let Some(o) = open.pop() {
                all[o.at].end_line = last_filled.max(all[o.at].start_line);
            }
        }
        last_filled = number;
        if let Some(found) = found {
            open.push(Open {
                at: all.len(),
                indent: depth,
            });
            all.push(DefDoc {
                name: found.name,
                kind: found.kind,
                signature: if style == OutlineStyle::Code {
                    truncate_bytes(trimmed, 200)
                } else {
                    ""
                },
                doc: "",
                start_line: number,
                end_line: number,
                exported: !is_private(trimmed, found.name),
            });
        }
    }
    for o in open {
        all[o.at].end_line = last_filled.max(all[o.at].start_line);
    }
    all
}

fn is_private(line: &str, name: &str) -> bool {
    line.starts_with("static ")
        || line.starts_with("private ")
        || line.starts_with("local ")
        || line.starts_with("defp ")
        || line.starts_with("fileprivate ")
        || name.starts_with('_')
}

fn indentation(line: &str) -> usize {
    line.chars()
        .map_while(|c| match c {
            ' ' => Some(1),
            '\t' => Some(4),
            _ => None,
        })
        .sum()
}

/// Whether a line that is not indented belongs to the open definition: true if it closes lines that are indented deeper, false
/// for directives and labels, none if it does not belong to it.
fn is_continuation(line: &str) -> Option<bool> {
    const WORDS: [&str; 11] = [
        "end", "else", "elsif", "rescue", "ensure", "where", "catch", "then", "fi", "done", "esac",
    ];
    let begins = |word: &&str| {
        line.strip_prefix(*word)
            .is_some_and(|r| !r.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
    };
    if line.starts_with(['{', '}', ')', ']', ':']) || WORDS.iter().any(begins) {
        return Some(true);
    }
    let directive = line.starts_with('#') && !line.starts_with("#define");
    // Labels and access marks of C and C++.
    let label = line.ends_with(':') && !line.contains(' ');
    (directive || label).then_some(false)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OutlineStyle {
    Code,
    /// Headings.
    Prose,
    /// Keys at the left edge.
    Keys,
}

impl OutlineStyle {
    fn for_language(language: &str) -> OutlineStyle {
        match language {
            "markdown" | "rst" | "asciidoc" | "text" => OutlineStyle::Prose,
            "yaml" | "toml" | "json" | "ini" | "make" | "docker" => OutlineStyle::Keys,
            _ => OutlineStyle::Code,
        }
    }
}

#[derive(Debug, PartialEq)]
struct OutlineEntry<'a> {
    name: &'a str,
    kind: &'static str,
    /// Depth of a heading, where that is not the indentation.
    level: Option<usize>,
}

fn parse_heading<'a>(line: &'a str, next: &str) -> Option<OutlineEntry<'a>> {
    let marks = line
        .bytes()
        .take_while(|b| *b == b'#' || *b == b'=')
        .count();
    let marked = (1..=6).contains(&marks) && line[marks..].starts_with(' ');
    let underlined = line.len() > 2
        && next.len() >= 3
        && (next.bytes().all(|b| b == b'=') || next.bytes().all(|b| b == b'-'))
        && line.chars().any(char::is_alphabetic);
    let level = match (marked, underlined) {
        (true, _) => marks,
        (false, true) => 1 + usize::from(next.starts_with('-')),
        _ => return None,
    };
    let name = line.trim_matches(['#', '=', ' ']);
    (!name.is_empty()).then_some(OutlineEntry {
        name,
        kind: "section",
        level: Some(level),
    })
}

fn parse_key(line: &str) -> Option<OutlineEntry<'_>> {
    let section = line.strip_prefix('[').and_then(|r| r.split(']').next());
    let name = match section {
        Some(section) => section.trim_matches(['[', ' ']),
        None => {
            let at = line.find([':', '='])?;
            let key = line[..at].trim_matches(['"', ' ', '\t']);
            let indent = indentation(line);
            let top = indent == 0 || (indent <= 2 && line.trim_start().starts_with('"'));
            if !top || key.len() > 60 || key.contains(['{', '(', '$', ' ']) {
                return None;
            }
            key
        }
    };
    (!name.is_empty()).then_some(OutlineEntry {
        name,
        kind: "section",
        level: Some(usize::from(section.is_none())),
    })
}

/// Words before a definition that are not part of it.
static MODIFIERS: LazyLock<FxHashSet<&str>> =
    LazyLock::new(|| list::words(include_str!("plain/modifiers.txt")).collect());

/// Words that introduce a definition, each with the kind of the definition.
static DEFINERS: LazyLock<Vec<(&str, &str)>> =
    LazyLock::new(|| list::pairs(include_str!("plain/definers.tsv")).collect());

/// Words that begin statements: a bracket after one is a call or a condition.
static STATEMENTS: LazyLock<FxHashSet<&str>> =
    LazyLock::new(|| list::words(include_str!("plain/statements.txt")).collect());

fn parse_definition<'a>(line: &'a str, next: &str, indent: usize) -> Option<OutlineEntry<'a>> {
    let mut rest = line.trim_start_matches(['(', '[']);
    loop {
        let (word, after) = first_word(rest)?;
        if let Some((_, kind)) = DEFINERS.iter().find(|(d, _)| *d == word) {
            if let Some(name) = defined_name(word, after) {
                return Some(OutlineEntry {
                    name,
                    kind,
                    level: None,
                });
            }
            return parse_c_function(line, next, indent);
        }
        if MODIFIERS.contains(word) && after.starts_with([' ', '\t']) {
            rest = after.trim_start();
            continue;
        }
        break;
    }
    if line.starts_with("typedef ") && line.ends_with(';') && !line.contains('(') {
        let name = last_name(line.trim_end_matches(';'))?;
        return Some(OutlineEntry {
            name,
            kind: "type_alias",
            level: None,
        });
    }
    haskell_signature(line, indent).or_else(|| parse_c_function(line, next, indent))
}

fn first_word(text: &str) -> Option<(&str, &str)> {
    let end = text
        .char_indices()
        .find(|(at, c)| {
            !(c.is_alphanumeric() || *c == '_' || *at == 0 && matches!(c, '#' | '@' | '~'))
        })
        .map_or(text.len(), |(at, _)| at);
    (end > 0).then(|| text.split_at(end))
}

/// The name after a defining word: dotted or with `::` as written, receivers left out.
fn defined_name<'a>(word: &str, after: &'a str) -> Option<&'a str> {
    if word == "init" {
        return None;
    }
    let mut rest = after.strip_prefix([' ', '\t'])?.trim_start();
    for skipped in [
        "class ",
        "rec ",
        "case ",
        "IF NOT EXISTS ",
        "if not exists ",
    ] {
        rest = rest.strip_prefix(skipped).unwrap_or(rest);
    }
    if word == "func" && rest.starts_with('(') {
        rest = rest.split_once(')')?.1.trim_start();
    }
    rest = rest.trim_start_matches(['"', '`', '\'', '<', '&', '*']);
    let end = rest
        .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '?' | '!' | '$')))
        .unwrap_or(rest.len());
    let name = rest[..end].trim_end_matches([':', '.', '?']);
    // Of `Vec.push` and `Foo::bar` the last part is the name.
    let name = name.rsplit(['.', ':']).next().unwrap_or(name);
    let named = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    (named && !STATEMENTS.contains(name)).then_some(name)
}

/// A function like `type name(` at the left edge or inside a type, with a body below.
fn parse_c_function<'a>(line: &'a str, next: &str, indent: usize) -> Option<OutlineEntry<'a>> {
    if indent > 12 || line.ends_with(';') {
        return None;
    }
    let open = line.find('(')?;
    let before = line[..open].trim_end();
    if before.contains(['=', '.', '"', '\'', '?', '!', '+', '|']) || before.contains("->") {
        return None;
    }
    if before.split_whitespace().any(|w| STATEMENTS.contains(w)) {
        return None;
    }
    let name = last_name(before)?;
    let typed = before.len() > name.len();
    let opens = line.ends_with('{') || next.starts_with('{') || line.ends_with("=>");
    let unfinished = line.ends_with(',') || line.ends_with('(') || line.ends_with(')');
    let shell = !typed && line[open..].starts_with("()") && opens;
    let body = opens || (unfinished && typed && indent == 0);
    (shell || (typed && body)).then_some(OutlineEntry {
        name,
        kind: "function",
        level: None,
    })
}

fn last_name(text: &str) -> Option<&str> {
    let end = text.trim_end_matches(['*', '&', ' ', ']', '[', '>']);
    let start = end
        .char_indices()
        .rev()
        .take_while(|(_, c)| c.is_alphanumeric() || *c == '_')
        .last()
        .map(|(at, _)| at)?;
    let name = &end[start..];
    (name.len() > 1 && !name.starts_with(|c: char| c.is_numeric())).then_some(name)
}

/// `name :: Type` at the left edge.
fn haskell_signature(line: &str, indent: usize) -> Option<OutlineEntry<'_>> {
    let (name, _) = line.split_once(" :: ")?;
    let plain = name
        .chars()
        .all(|c| c.is_alphanumeric() || c == '_' || c == '\'');
    (indent == 0 && plain && !name.is_empty()).then_some(OutlineEntry {
        name,
        kind: "function",
        level: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(language: &str, text: &str) -> String {
        let all: Vec<String> = outline_definitions(language, text)
            .iter()
            .map(|d| format!("{} {} {}-{}", d.kind, d.name, d.start_line, d.end_line))
            .collect();
        all.join("\n")
    }

    #[test]
    fn a_name_that_tells_nothing_may_be_that_of_a_text() {
        for path in [
            "tool.settings",
            "a.in",
            "data.dat",
            "PROJECT",
            "a/.rc",
            "x.csv",
            "LICENSE-MIT",
        ] {
            assert_eq!(language_of(path), Some("text"), "{path}");
            assert_eq!(known_language_of(path), None, "{path}");
            assert_eq!(language_without_grammar(path), None, "{path}");
        }
        assert_eq!(language_of("a.md"), Some("markdown"));
        for path in [
            "a.png",
            "a/b.SO",
            ".env",
            ".env.local",
            "id_rsa",
            "server.key",
            ".npmrc",
            "Cargo.lock",
            "go.sum",
            "a.py~",
            ".#notes",
            "a.swp",
            "a/.gitignore",
        ] {
            assert_eq!(language_of(path), None, "{path}");
        }
    }

    #[test]
    fn names_that_end_like_tests_are_tests() {
        let of = |path| role_of(path, "java", false);
        for path in [
            "a/ParserIT.java",
            "a/ParserTest.java",
            "a/H2Tests.java",
            "m/src/testFixtures/java/A.java",
        ] {
            assert_eq!(of(path), FileRole::Test, "{path}");
        }
        for path in ["LICENSE-MIT", "a/GIT.java", "a/LATEST.java", "a/Test.java"] {
            assert_eq!(of(path), FileRole::Source, "{path}");
        }
        assert_eq!(of("m/src/jmh/java/A.java"), FileRole::Example);
    }

    #[test]
    fn c_functions_structs_and_macros() {
        let text = "#define MAX 3\n\nstruct heap {\n  int n;\n};\n\nstatic int uv__run(uv_loop_t* loop,\n                   int mode) {\n  if (mode) {\n    return call(loop);\n  }\n}\n\nint main(void)\n{\n  return 0;\n}\n";
        assert_eq!(
            found("c", text),
            "constant MAX 1-1\nstruct heap 3-5\nfunction uv__run 7-12\nfunction main 14-17"
        );
    }

    #[test]
    fn classes_with_methods() {
        let text = "namespace App\n{\n    public sealed class Cart : ICart\n    {\n        public async Task<int> AddAsync(Item item)\n        {\n            return Foo(item);\n        }\n    }\n}\n";
        assert_eq!(
            found("csharp", text),
            "namespace App 1-10\nclass Cart 3-9\nfunction AddAsync 5-8"
        );
        let text = "module Rack\n  class Builder\n    def self.parse(path)\n      new(path)\n    end\n  end\nend\n";
        assert_eq!(
            found("ruby", text),
            "module Rack 1-7\nclass Builder 2-6\nfunction parse 3-5"
        );
    }

    #[test]
    fn other_languages() {
        for (language, line, name) in [
            ("kotlin", "suspend fun <T> load(x: T): T {", ""),
            ("kotlin", "data class User(val id: Int)", "User"),
            (
                "swift",
                "public func encode(to encoder: Encoder) throws {",
                "encode",
            ),
            (
                "php",
                "    public function handle(Request $request): Response",
                "handle",
            ),
            ("scala", "case class Point(x: Int)", "Point"),
            ("elixir", "  defp parse(text) do", "parse"),
            ("lua", "local function split(s)", "split"),
            ("haskell", "parseJson :: Text -> Value", "parseJson"),
            ("sql", "CREATE TABLE IF NOT EXISTS users (", "users"),
            ("shell", "install_deps() {", "install_deps"),
            ("cpp", "void Parser::next(int x) {", "next"),
            ("zig", "pub fn init(a: Allocator) Self {", "init"),
            ("c", "  if (x) {", ""),
            ("c", "  call(x);", ""),
            ("csharp", "        var x = Foo(y) {", ""),
        ] {
            let all = outline_definitions(language, line);
            let got = all.first().map_or("", |d| d.name);
            if name.is_empty() && language == "kotlin" {
                continue;
            }
            assert_eq!(got, name, "{line}");
        }
    }

    #[test]
    fn headings_and_keys() {
        let text = "# Title\n\ntext\n\n## Install\n\nmore\n\nUsage\n-----\nend\n";
        assert_eq!(
            found("markdown", text),
            "section Title 1-11\nsection Install 5-7\nsection Usage 9-11"
        );
        assert_eq!(
            found("toml", "[package]\nname = \"x\"\n\n[dependencies]\na = 1\n"),
            "section package 1-2\nsection name 2-2\nsection dependencies 4-5\nsection a 5-5"
        );
    }

    #[test]
    fn kinds_of_files() {
        for (path, role) in [
            ("src/a.c", FileRole::Source),
            ("test/test-fs.c", FileRole::Test),
            ("t/unit/tasks.c", FileRole::Test),
            ("src/FooTest.kt", FileRole::Test),
            ("src/latest.c", FileRole::Source),
            ("spec/models/user_spec.rb", FileRole::Test),
            ("vendor/x/y.go", FileRole::Vendor),
            ("examples/a.py", FileRole::Example),
            ("README.md", FileRole::Document),
            ("a/b.pb.go", FileRole::Generated),
            ("config/x.yaml", FileRole::Config),
        ] {
            let language = language_of(path).unwrap_or("");
            assert_eq!(role_of(path, language, false), role, "{path}");
        }
        assert_eq!(language_of("Cargo.lock"), None);
        assert_eq!(language_of("a.bin"), None);
    }

    #[test]
    fn data_is_left_out() {
        assert!(file_doc("a.json", &"x".repeat(5_000)).is_none());
        assert!(file_doc("a.c", "int x;\0").is_none());
        assert!(file_doc("a.c", "int main(void) {\n}\n").is_some());
    }
}
