//! Choices that are seen in the text of a line: how things are imported, and how errors are handled.

use super::{Observation, PatternKind, SourceLocation};
use base::Language;

/// Modules of Node that can be imported with and without `node:`.
const NODE: [&str; 26] = [
    "assert",
    "buffer",
    "child_process",
    "cluster",
    "crypto",
    "dns",
    "events",
    "fs",
    "fs/promises",
    "http",
    "https",
    "module",
    "net",
    "os",
    "path",
    "perf_hooks",
    "process",
    "querystring",
    "readline",
    "stream",
    "timers",
    "tls",
    "url",
    "util",
    "worker_threads",
    "zlib",
];

/// One file's choices.
struct FileObserver<'a> {
    path: &'a str,
    out: &'a mut Vec<Observation>,
}

impl FileObserver<'_> {
    fn observe(&mut self, kind: PatternKind, key: &str, value: &str, at: usize) {
        self.out.push(Observation {
            kind,
            key: key.to_owned(),
            value: value.to_owned(),
            place: SourceLocation {
                file: self.path.to_owned(),
                line: at as u32 + 1,
                symbol: String::new(),
            },
        });
    }

    fn observe_import(&mut self, key: &str, value: &str, at: usize) {
        self.observe(PatternKind::Import, key, value, at);
    }

    fn observe_error(&mut self, key: &str, value: &str, at: usize) {
        self.observe(PatternKind::ErrorHandling, key, value, at);
    }
}

pub(super) fn observe(
    path: &str,
    text: &str,
    language: Option<Language>,
    out: &mut Vec<Observation>,
) {
    let lines: Vec<&str> = text.lines().collect();
    let mut file = FileObserver { path, out };
    match language {
        Some(Language::Python) => observe_python(&mut file, &lines),
        Some(Language::TypeScript | Language::Tsx | Language::JavaScript) => {
            observe_script(&mut file, &lines);
        }
        Some(Language::Go) => observe_go(&mut file, &lines),
        Some(Language::Rust) => observe_rust(&mut file, &lines),
        Some(Language::Java) => observe_java(&mut file, &lines),
        Some(Language::Lua) | None => {}
    }
}

/// The first word of a text and what follows it.
fn split_first_word(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'));
    text.split_at(end.unwrap_or(text.len()))
}

fn observe_python(file: &mut FileObserver<'_>, lines: &[&str]) {
    let code = lines
        .iter()
        .filter(|l| !l.trim().is_empty() && !l.starts_with('#'))
        .count();
    let mut future = None;
    let mut quoted = false;
    // The indentation of the handler around a line, and what it calls the error.
    let mut handler: Option<usize> = None;
    for (at, line) in lines.iter().enumerate() {
        // What stands between three quotes is text.
        let marks = line.matches("\"\"\"").count() + line.matches("'''").count();
        let was_quoted = quoted;
        quoted ^= marks % 2 == 1;
        let text = line.trim_start();
        if was_quoted || text.is_empty() || text.starts_with('#') {
            continue;
        }
        let indent = line.len() - text.len();
        if handler.is_some_and(|h| indent <= h) {
            handler = None;
        }
        if let Some(rest) = text.strip_prefix("import ") {
            observe_import_alias(file, "python", rest, at);
        } else if text.starts_with("from __future__ import annotations") {
            future = Some(at);
        } else if let Some(rest) = text.strip_prefix("except") {
            handler = Some(indent);
            observe_python_handler(file, rest, at);
        } else if let Some(rest) = text.strip_prefix("raise ")
            && handler.is_some()
            && rest.contains('(')
        {
            let end = join_statement(lines, at);
            let chained = if end.contains(" from ") {
                "chained"
            } else {
                "unchained"
            };
            file.observe_error("error:python:raise", chained, at);
        }
    }
    if code > SMALL_MODULE {
        let value = if future.is_some() { "with" } else { "without" };
        file.observe_import("import:python:future", value, future.unwrap_or(0));
    }
}

/// Lines of code of a module that is too small to say what its author chose.
const SMALL_MODULE: usize = 10;

fn observe_python_handler(file: &mut FileObserver<'_>, rest: &str, at: usize) {
    let bare = rest.trim_start().starts_with(':');
    file.observe_error(
        "error:python:except",
        if bare { "bare" } else { "typed" },
        at,
    );
    if let Some((_, name)) = rest.rsplit_once(" as ") {
        observe_caught_name(
            file,
            "error:python:name",
            split_first_word(name.trim_start()).0,
            at,
        );
    }
}

/// Lines of a statement that are read: what is longer is data.
const MOST_STATEMENT: usize = 12;

/// A statement that goes on over several lines, in one.
fn join_statement(lines: &[&str], at: usize) -> String {
    let mut whole = String::new();
    let mut open = 0i32;
    for line in lines[at..].iter().take(MOST_STATEMENT) {
        open += line.matches(['(', '[', '{']).count() as i32;
        open -= line.matches([')', ']', '}']).count() as i32;
        whole.push_str(line);
        whole.push(' ');
        if open <= 0 {
            break;
        }
    }
    whole
}

/// The name of what is caught, unless it says that nothing is made of it.
fn observe_caught_name(file: &mut FileObserver<'_>, key: &str, name: &str, at: usize) {
    let unused = ["ignore", "expected", "unused"];
    if !name.starts_with('_') && !unused.iter().any(|u| name.starts_with(u)) {
        file.observe_error(key, name, at);
    }
}

/// `numpy as np`, or `numpy`.
fn observe_import_alias(file: &mut FileObserver<'_>, language: &str, rest: &str, at: usize) {
    let rest = rest.split(['#', ';']).next().unwrap_or(rest).trim();
    if rest.contains(',') || rest.is_empty() {
        return;
    }
    let (module, name) = match rest.split_once(" as ") {
        Some((module, name)) => (module.trim(), name.trim()),
        None => (rest, rest),
    };
    file.observe_import(&format!("import:alias:{language}:{module}"), name, at);
}

fn observe_script(file: &mut FileObserver<'_>, lines: &[&str]) {
    for (at, line) in lines.iter().enumerate() {
        let text = line.trim_start();
        if text.starts_with("//") || text.starts_with('*') {
            continue;
        }
        if let Some(specifier) = import_specifier(text) {
            if NODE.contains(&specifier.trim_start_matches("node:")) {
                let value = if specifier.starts_with("node:") {
                    "node:"
                } else {
                    "bare"
                };
                file.observe_import("import:node:prefix", value, at);
            }
            let relative = specifier.starts_with("./") || specifier.starts_with("../");
            if relative && !text.starts_with("export ") {
                let last = specifier.rsplit('/').next().unwrap_or(specifier);
                let value = match last.rsplit_once('.') {
                    Some((_, e @ ("js" | "ts" | "mjs" | "jsx" | "tsx"))) => format!(".{e}"),
                    Some((_, "css" | "scss" | "json" | "svg" | "png")) => continue,
                    _ => "none".to_owned(),
                };
                file.observe_import("import:script:extension", &value, at);
            }
            if let Some(rest) = text.strip_prefix("import * as ") {
                file.observe_import(
                    &format!("import:alias:script:{specifier}"),
                    split_first_word(rest).0,
                    at,
                );
            }
        }
        if let Some((_, rest)) = text.split_once("catch (") {
            let name = split_first_word(rest).0;
            if !name.is_empty() && !text.contains(".catch (") {
                observe_caught_name(file, "error:script:name", name, at);
            }
        }
        if let Some((_, rest)) = text.split_once("throw new ") {
            let thrown = split_first_word(rest).0;
            let value = if thrown == "Error" { "Error" } else { "own" };
            file.observe_error("error:script:throw", value, at);
        }
    }
}

/// What an import or `require` names.
fn import_specifier(text: &str) -> Option<&str> {
    let rest = match text.split_once(" from ") {
        Some((_, rest))
            if text.starts_with("import ")
                || text.starts_with("} from")
                || text.starts_with("export ") =>
        {
            rest
        }
        _ if text.starts_with("} from ") => text.strip_prefix("} from ")?,
        _ => text.split_once("require(")?.1,
    };
    let rest = rest.trim_start();
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let inner = &rest[1..];
    Some(&inner[..inner.find(quote)?])
}

fn observe_go(file: &mut FileObserver<'_>, lines: &[&str]) {
    for (at, line) in lines.iter().enumerate() {
        let text = line.trim_start();
        if text.starts_with("//") {
            continue;
        }
        if text.contains("fmt.Errorf(") {
            let given = text.trim_end().ends_with(", err)") || text.contains(", err, ");
            if text.contains("%w") {
                file.observe_error("error:go:wrap", "wrapped", at);
            } else if given {
                file.observe_error("error:go:wrap", "flattened", at);
            }
        }
        let compared = ["err == ", "err != "]
            .iter()
            .find_map(|op| text.split_once(op));
        if let Some((_, right)) = compared
            && !right.starts_with("nil")
        {
            file.observe_error("error:go:compare", "compared", at);
        } else if text.contains("errors.Is(") {
            file.observe_error("error:go:compare", "errors.Is", at);
        }
        if text.starts_with("if err != nil {") {
            let next = lines.get(at + 1).map_or("", |l| l.trim());
            if let Some(given) = next.strip_prefix("return ") {
                let bare = given == "err" || given.ends_with(", err");
                file.observe_error(
                    "error:go:return",
                    if bare { "as it is" } else { "wrapped" },
                    at + 1,
                );
            }
        }
    }
}

fn observe_rust(file: &mut FileObserver<'_>, lines: &[&str]) {
    for (at, line) in lines.iter().enumerate() {
        let text = line.trim_start();
        // Tests stand at the end of a file.
        if text.starts_with("#[cfg(test)]") {
            return;
        }
        if text.starts_with("//") {
            continue;
        }
        if text.contains(".unwrap()") {
            file.observe_error("error:rust:panic", "unwrap", at);
        } else if text.contains(".expect(") {
            file.observe_error("error:rust:panic", "expect", at);
        }
        if text.contains(".with_context(") || text.contains(".context(") {
            let formats = text.contains("format!(");
            let value = match (text.contains(".with_context("), formats) {
                (true, _) => "with_context",
                (false, true) => "context of format!",
                (false, false) => continue,
            };
            file.observe_error("error:rust:context", value, at);
        }
    }
}

fn observe_java(file: &mut FileObserver<'_>, lines: &[&str]) {
    let mut handler: Option<(usize, &str)> = None;
    for (at, line) in lines.iter().enumerate() {
        let text = line.trim_start();
        if text.starts_with("//") || text.starts_with('*') {
            continue;
        }
        let indent = line.len() - text.len();
        if handler.is_some_and(|(from, _)| indent <= from && !text.is_empty()) {
            handler = None;
        }
        if let Some((_, rest)) = text.split_once("catch (") {
            let inner = rest.split(')').next().unwrap_or(rest);
            let name = inner.rsplit(' ').next().unwrap_or_default();
            if !name.is_empty() && inner.contains(' ') {
                observe_caught_name(file, "error:java:name", name, at);
                handler = Some((indent, name));
            }
        } else if text.starts_with("throw new ")
            && let Some((_, name)) = handler
        {
            let whole = join_statement(lines, at);
            let inner = whole
                .rsplit_once(')')
                .map_or(whole.as_str(), |(inner, _)| inner);
            let kept = inner
                .split(|c: char| !c.is_alphanumeric() && c != '_')
                .any(|w| w == name);
            file.observe_error("error:java:cause", if kept { "kept" } else { "lost" }, at);
        }
    }
}

/// A pattern of this module in words.
pub(super) fn describe(key: &str, value: &str) -> String {
    match (key, value) {
        ("import:python:future", _) => {
            "Files begin with `from __future__ import annotations`".to_owned()
        }
        ("import:node:prefix", "node:") => "Modules of Node are imported with `node:`".to_owned(),
        ("import:node:prefix", _) => "Modules of Node are imported without `node:`".to_owned(),
        ("import:script:extension", "none") => {
            "Relative imports leave the extension out".to_owned()
        }
        ("import:script:extension", _) => format!("Relative imports end in `{value}`"),
        ("error:python:raise", "chained") => {
            "Errors raised in a handler name their cause (`raise … from`)".to_owned()
        }
        ("error:python:raise", _) => {
            "Errors raised in a handler do not name their cause".to_owned()
        }
        ("error:python:except", "typed") => "Handlers say which errors they catch".to_owned(),
        ("error:python:except", _) => "Handlers catch everything".to_owned(),
        ("error:python:name" | "error:script:name" | "error:java:name", _) => {
            format!("A caught error is called `{value}`")
        }
        ("error:script:throw", "own") => {
            "Errors that are thrown have classes of their own".to_owned()
        }
        ("error:script:throw", _) => "Errors that are thrown are plain `Error`s".to_owned(),
        ("error:go:wrap", "wrapped") => "Errors are wrapped with `%w`".to_owned(),
        ("error:go:wrap", _) => "Errors are formatted as text, not wrapped".to_owned(),
        ("error:go:compare", "errors.Is") => "Errors are compared with `errors.Is`".to_owned(),
        ("error:go:compare", _) => "Errors are compared with `==`".to_owned(),
        ("error:go:return", _) => format!("Errors are returned {value}"),
        ("error:rust:panic", "expect") => {
            "Values that cannot fail say why (`expect`, not `unwrap`)".to_owned()
        }
        ("error:rust:panic", _) => "What cannot fail is unwrapped".to_owned(),
        ("error:rust:context", _) => format!("Errors get their context by `{value}`"),
        ("error:java:cause", "kept") => "Errors thrown in a handler keep their cause".to_owned(),
        ("error:java:cause", _) => "Errors thrown in a handler lose their cause".to_owned(),
        _ => format!("{key}: {value}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(language: Language, text: &str) -> Vec<String> {
        let mut out = Vec::new();
        observe("a", text, Some(language), &mut out);
        out.iter()
            .map(|o| format!("{} {}={}", o.place.line, o.key, o.value))
            .collect()
    }

    #[test]
    fn python_choices() {
        let text = "import numpy as np\nimport os\n\"\"\"\nimport sys as s\n\"\"\"\ntry:\n    f()\nexcept OSError as err:\n    raise Bad(\n        1\n    ) from err\nexcept:\n    raise Bad(2)\nraise Bad(3)\n";
        assert_eq!(
            seen(Language::Python, text),
            [
                "1 import:alias:python:numpy=np",
                "2 import:alias:python:os=os",
                "8 error:python:except=typed",
                "8 error:python:name=err",
                "9 error:python:raise=chained",
                "12 error:python:except=bare",
                "13 error:python:raise=unchained",
                "1 import:python:future=without"
            ]
        );
    }

    #[test]
    fn script_choices() {
        let text = "import fs from 'node:fs';\nimport {\n  a,\n} from \"./a.js\";\nimport * as z from 'zod';\nconst p = require('path');\ntry {} catch (error) { throw new Error('x'); }\n";
        assert_eq!(
            seen(Language::TypeScript, text),
            [
                "1 import:node:prefix=node:",
                "4 import:script:extension=.js",
                "5 import:alias:script:zod=z",
                "6 import:node:prefix=bare",
                "7 error:script:name=error",
                "7 error:script:throw=Error"
            ]
        );
    }

    #[test]
    fn choices_of_compiled_languages() {
        let go = "if err != nil {\n\treturn nil, fmt.Errorf(\"x: %w\", err)\n}\nif err == io.EOF {\nif errors.Is(err, X) {\n";
        assert_eq!(
            seen(Language::Go, go),
            [
                "2 error:go:return=wrapped",
                "2 error:go:wrap=wrapped",
                "4 error:go:compare=compared",
                "5 error:go:compare=errors.Is"
            ]
        );
        let java = "try {\n} catch (IOException e) {\n  throw new Bad(\"x\", e);\n} catch (Bad ignored) {\n}\n";
        assert_eq!(
            seen(Language::Java, java),
            ["2 error:java:name=e", "3 error:java:cause=kept"]
        );
        let rust = "let a = b.expect(\"c\");\n#[cfg(test)]\nlet d = e.unwrap();\n";
        assert_eq!(seen(Language::Rust, rust), ["1 error:rust:panic=expect"]);
    }
}
