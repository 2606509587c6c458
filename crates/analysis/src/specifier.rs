//! What the import statements of a file name, and which file that is.
//!
//! The graph leads an import to what is imported, through every file that only passes it on. Whoever asks which file
//! loads which must know the one that the statement names.

use base::Language;

/// An import statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// Its first line, from 1.
    pub first: u32,
    /// Its last line.
    pub last: u32,
    /// What it names, as it is written: `./a`, `..b`, `a.b`.
    pub module: String,
    /// Python: names that may be modules themselves.
    pub names: Vec<String>,
    /// Whether it says that it is for types alone.
    pub type_only: bool,
}

/// Lines that one statement may take.
const MOST_LINES: usize = 300;

/// Folders of a path beyond which no statement is followed: each is taken apart for each statement.
const DEEPEST: usize = 200;

/// Lines that are read ahead in one file. What never ends costs a part of what is left.
struct Ahead(usize);

impl Ahead {
    /// So that a file may be read some times over.
    fn for_lines(lines: &[&str]) -> Ahead {
        Ahead(100_000 + 16 * lines.iter().map(|line| line.len() + 1).sum::<usize>())
    }

    fn pays(&mut self, line: &str) -> bool {
        let left = self.0.checked_sub(line.len() + 1);
        self.0 = left.unwrap_or(0);
        left.is_some()
    }
}

/// The import statements of a file, where its language loads files one by one.
pub fn statements(text: &str, language: Option<Language>) -> Vec<Statement> {
    let lines: Vec<&str> = text.lines().collect();
    match language {
        Some(Language::TypeScript | Language::Tsx | Language::JavaScript) => script(&lines),
        Some(Language::Python) => python(&lines),
        _ => Vec::new(),
    }
}

/// The files of the project that a statement names; `known` says which paths there are.
pub fn resolve(
    path: &str,
    statement: &Statement,
    language: Option<Language>,
    known: &dyn Fn(&str) -> bool,
) -> Vec<String> {
    if path.split('/').count() > DEEPEST {
        return Vec::new();
    }
    match language {
        Some(Language::Python) => python_files(path, statement, known),
        _ => script_file(path, &statement.module, known)
            .into_iter()
            .collect(),
    }
}

/// The text between the first quotes, if it begins with one.
fn quoted(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let inner = &text[1..];
    Some(&inner[..inner.find(quote)?])
}

fn script(lines: &[&str]) -> Vec<Statement> {
    let begins = [
        "import ",
        "import{",
        "import*",
        "export {",
        "export{",
        "export *",
        "export*",
        "export type {",
        "export type *",
    ];
    let mut found = Vec::new();
    let mut ahead = Ahead::for_lines(lines);
    let mut at = 0;
    while at < lines.len() {
        let text = lines[at].trim_start();
        if begins.iter().any(|b| text.starts_with(b))
            && let Some((last, module)) = script_end(lines, at, &mut ahead)
        {
            found.push(Statement {
                first: at as u32 + 1,
                last: last as u32 + 1,
                module,
                names: Vec::new(),
                type_only: is_for_types(&lines[at..=last].join(" ")),
            });
            at = last + 1;
            continue;
        }
        let calls = ["require(", "import("]
            .iter()
            .find_map(|call| text.split_once(call));
        if let Some(module) = calls
            .and_then(|(_, rest)| quoted(rest))
            .filter(|_| !text.starts_with("//"))
        {
            found.push(Statement {
                first: at as u32 + 1,
                last: at as u32 + 1,
                module: module.to_owned(),
                names: Vec::new(),
                type_only: false,
            });
        }
        at += 1;
    }
    found
}

/// The last line of a statement, and the module that it names.
fn script_end(lines: &[&str], first: usize, ahead: &mut Ahead) -> Option<(usize, String)> {
    for (at, line) in lines.iter().enumerate().skip(first).take(MOST_LINES) {
        if !ahead.pays(line) {
            return None;
        }
        let text = line.trim_start();
        let from = text
            .strip_prefix("from ")
            .or_else(|| text.rsplit_once(" from ").map(|(_, r)| r));
        let from = from.or_else(|| text.rsplit_once("}from").map(|(_, r)| r));
        let side = text.strip_prefix("import ").filter(|_| at == first);
        if let Some(module) = from.and_then(quoted).or_else(|| side.and_then(quoted)) {
            return Some((at, module.to_owned()));
        }
        // A list that is exported from here alone, or the end of another statement.
        if text.contains(';')
            || text.starts_with('}')
            || (at > first && text.starts_with("import "))
        {
            return None;
        }
    }
    None
}

fn is_for_types(statement: &str) -> bool {
    let statement = statement.trim_start();
    if statement.starts_with("import type ") || statement.starts_with("export type ") {
        return !statement.starts_with("import type from ");
    }
    let Some((before, rest)) = statement.split_once('{') else {
        return false;
    };
    let inner = rest.split('}').next().unwrap_or_default();
    let mut names = inner
        .split(',')
        .map(str::trim)
        .filter(|n| !n.is_empty())
        .peekable();
    let alone = before.trim() == "import" || before.trim() == "export";
    alone && names.peek().is_some() && names.all(|n| n.starts_with("type "))
}

fn script_file(path: &str, module: &str, known: &dyn Fn(&str) -> bool) -> Option<String> {
    if !module.starts_with('.') {
        return None;
    }
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let base = join(folder, module)?;
    let known = |path: String| known(&path).then_some(path);
    if let Some(found) = known(base.clone()) {
        return Some(found);
    }
    // What is written for the built file leads to its source.
    for (built, source) in [
        (".js", ".ts"),
        (".js", ".tsx"),
        (".jsx", ".tsx"),
        (".mjs", ".mts"),
        (".cjs", ".cts"),
    ] {
        if let Some(stem) = base.strip_suffix(built)
            && let Some(found) = known(format!("{stem}{source}"))
        {
            return Some(found);
        }
    }
    let endings = ["ts", "tsx", "d.ts", "js", "jsx", "mjs", "cjs", "mts", "cts"];
    let file = endings.iter().find_map(|e| known(format!("{base}.{e}")));
    file.or_else(|| {
        endings
            .iter()
            .find_map(|e| known(format!("{base}/index.{e}")))
    })
}

/// A path with what follows from it; none where it climbs out.
fn join(folder: &str, relative: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|p| !p.is_empty()).collect();
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            other => parts.push(other),
        }
    }
    Some(parts.join("/"))
}

fn python(lines: &[&str]) -> Vec<Statement> {
    let mut found = Vec::new();
    let mut ahead = Ahead::for_lines(lines);
    let mut quotes = false;
    let mut at = 0;
    while at < lines.len() {
        let text = lines[at].trim_start();
        let marks = text.matches("\"\"\"").count() + text.matches("'''").count();
        let inside = quotes;
        quotes ^= marks % 2 == 1;
        if inside || marks > 0 {
            at += 1;
            continue;
        }
        let (last, whole) = if text.starts_with("from ") || text.starts_with("import ") {
            python_end(lines, at, &mut ahead)
        } else {
            (at, String::new())
        };
        let (first_line, last_line) = (at as u32 + 1, last as u32 + 1);
        let mut add = |module: &str, names: Vec<String>| {
            found.push(Statement {
                first: first_line,
                last: last_line,
                module: module.to_owned(),
                names,
                type_only: false,
            });
        };
        if let Some((module, names)) = whole
            .strip_prefix("from ")
            .and_then(|r| r.split_once(" import "))
        {
            let names = names
                .split(',')
                .map(|n| n.split_whitespace().next().unwrap_or_default());
            let names = names.filter(|n| !n.is_empty()).map(str::to_owned).collect();
            add(module.trim(), names);
        } else if let Some(modules) = whole.strip_prefix("import ") {
            for module in modules.split(',') {
                add(
                    module.split_whitespace().next().unwrap_or_default(),
                    Vec::new(),
                );
            }
        }
        at = last + 1;
    }
    found
}

/// The last line of a statement, and all of it on one line, without brackets and comments.
fn python_end(lines: &[&str], first: usize, ahead: &mut Ahead) -> (usize, String) {
    let mut whole = String::new();
    let mut open = false;
    for (at, line) in lines.iter().enumerate().skip(first).take(MOST_LINES) {
        if !ahead.pays(line) {
            break;
        }
        let code = line.split('#').next().unwrap_or_default();
        open = (open || code.contains('(')) && !code.contains(')');
        let goes_on = code.trim_end().ends_with('\\');
        let code = code.replace(['(', ')', '\\', ';'], " ");
        whole.push_str(code.trim());
        whole.push(' ');
        if !open && !goes_on {
            return (at, whole.split_whitespace().collect::<Vec<_>>().join(" "));
        }
    }
    (first, String::new())
}

fn python_files(path: &str, statement: &Statement, known: &dyn Fn(&str) -> bool) -> Vec<String> {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let module = statement.module.trim_start_matches('.');
    let dots = statement.module.len() - module.len();
    let inner = module.replace('.', "/");
    let file = |base: &str| {
        let package = format!("{base}/__init__.py");
        let package = package.trim_start_matches('/').to_owned();
        let plain = format!("{base}.py");
        [package, plain].into_iter().find(|path| known(path))
    };
    let base = if dots > 0 {
        let up: Vec<&str> = folder.split('/').filter(|p| !p.is_empty()).collect();
        let Some(kept) = up.len().checked_sub(dots - 1) else {
            return Vec::new();
        };
        let mut parts = up[..kept].to_vec();
        parts.extend(inner.split('/').filter(|p| !p.is_empty()));
        Some(parts.join("/"))
    } else {
        let roots = roots(folder, known);
        let bases = roots
            .iter()
            .map(|root| join(root, &inner).unwrap_or_default());
        bases.into_iter().find(|base| file(base).is_some())
    };
    let Some(base) = base else { return Vec::new() };
    let mut found = Vec::new();
    let mut whole = statement.names.is_empty();
    for name in &statement.names {
        match file(&format!("{base}/{name}")) {
            Some(file) => found.push(file),
            None => whole = true,
        }
    }
    if whole {
        found.extend(file(&base));
    }
    found.sort();
    found.dedup();
    found
}

/// Folders from which a file may import: those around it that are no packages, and the usual ones.
fn roots(folder: &str, known: &dyn Fn(&str) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    let mut here = folder;
    loop {
        let package = format!("{here}/__init__.py");
        if !known(package.trim_start_matches('/')) {
            found.push(here.to_owned());
        }
        match here.rsplit_once('/') {
            Some((above, _)) => here = above,
            None if here.is_empty() => break,
            None => here = "",
        }
    }
    found.extend(["src".to_owned(), "lib".to_owned()]);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(language: Language, text: &str) -> Vec<String> {
        let found = statements(text, Some(language));
        let one = |s: &Statement| {
            let mark = if s.type_only { " types" } else { "" };
            format!(
                "{}-{} {} {}{mark}",
                s.first,
                s.last,
                s.module,
                s.names.join(",")
            )
        };
        found.iter().map(one).collect()
    }

    #[test]
    fn statements_of_scripts() {
        let text = "import a from './a';\nimport {\n  b,\n  type C,\n} from './b';\nimport type { D } from './d';\nimport { type E, type F } from './e';\nexport * from './g';\nexport { h };\nexport {\n  i\n} from './i';\nimport './j';\nconst k = require('./k');\nexport const l = 1;\nconst m = () => import('./m');\n";
        assert_eq!(
            shown(Language::TypeScript, text),
            [
                "1-1 ./a ",
                "2-5 ./b ",
                "6-6 ./d  types",
                "7-7 ./e  types",
                "8-8 ./g ",
                "10-12 ./i ",
                "13-13 ./j ",
                "14-14 ./k ",
                "16-16 ./m "
            ]
        );
    }

    #[test]
    fn statements_of_python() {
        let text = "\"\"\"Says\nfrom x import y\n\"\"\"\nfrom . import a, b as c\nfrom ..d.e import (\n    f,  # why\n    g,\n)\nimport h.i, j as k\nfrom l import m \\\n    , n\n";
        assert_eq!(
            shown(Language::Python, text),
            [
                "4-4 . a,b",
                "5-8 ..d.e f,g",
                "9-9 h.i ",
                "9-9 j ",
                "10-11 l m,n"
            ]
        );
    }

    #[test]
    fn the_file_that_is_named_is_found() {
        let files = [
            "src/index.ts",
            "src/a.ts",
            "src/b/index.tsx",
            "p/__init__.py",
            "p/q.py",
            "p/r/__init__.py",
            "p/r/s.py",
        ];
        let known = |path: &str| files.contains(&path);
        let of = |path: &str, module: &str, names: &[&str]| {
            let statement = Statement {
                first: 1,
                last: 1,
                module: module.to_owned(),
                names: names.iter().map(|n| (*n).to_owned()).collect(),
                type_only: false,
            };
            resolve(path, &statement, Language::of_path(path), &known).join(" ")
        };
        assert_eq!(of("src/a.ts", ".", &[]), "src/index.ts");
        assert_eq!(of("src/a.ts", "./index.js", &[]), "src/index.ts");
        assert_eq!(of("src/a.ts", "./b", &[]), "src/b/index.tsx");
        assert_eq!(of("src/b/index.tsx", "../a", &[]), "src/a.ts");
        assert_eq!(of("src/a.ts", "react", &[]), "");
        assert_eq!(of("p/r/s.py", "..", &["q", "x"]), "p/__init__.py p/q.py");
        assert_eq!(of("p/r/s.py", "p.q", &["y"]), "p/q.py");
        assert_eq!(of("p/r/s.py", ".", &["t"]), "p/r/__init__.py");
        assert_eq!(
            of("p/q.py", "q", &[]),
            "",
            "a package's own files are no roots"
        );
        assert_eq!(of("p/r/s.py", ".....x", &[]), "");
    }
}
