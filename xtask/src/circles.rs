//! A test for dependency cycles between files. Files of one crate that need each other can only be read together, so each
//! remaining cycle is listed in ARCHITECTURE with its reason.
//!
//! A file may use definitions of the `mod.rs` in its own folder. That is one module in several files and not counted.

use crate::tidy::files;
use std::collections::{BTreeMap, BTreeSet};

/// The most cycles of a crate.
const MOST: usize = 10;

/// The modules of a crate, as `a::b`, with their text. Comments, string literals and tests are left out.
type Modules = BTreeMap<String, String>;

/// The imports of a module, and the rest of its text.
#[derive(Default)]
struct Names {
    /// Paths that the module imports for its own use.
    used: Vec<Vec<String>>,
    /// Paths that the module re-exports, by name.
    handed_on: BTreeMap<String, Vec<String>>,
    /// Modules that the module re-exports as a whole.
    all_of: Vec<Vec<String>>,
    children: BTreeSet<String>,
    /// The module's text without `use` items.
    rest: String,
}

struct Crate {
    modules: BTreeMap<String, Names>,
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The text without comments, string and character literals, and test modules.
fn plain(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < chars.len() {
        let (c, next) = (chars[at], chars.get(at + 1).copied().unwrap_or(' '));
        let raw = c == 'r'
            && (next == '"' || next == '#')
            && !out.ends_with(|c: char| is_word(c) && c != 'b');
        if c == '/' && next == '/' {
            while at < chars.len() && chars[at] != '\n' {
                at += 1;
            }
        } else if c == '/' && next == '*' {
            at += 2;
            while at < chars.len() && !(chars[at] == '*' && chars.get(at + 1) == Some(&'/')) {
                at += 1;
            }
            at += 2;
        } else if let Some(end) = raw.then(|| raw_end(&chars, at)).flatten() {
            out.push_str("\"\"");
            at = end;
        } else if c == '"' {
            at += 1;
            while at < chars.len() && chars[at] != '"' {
                at += if chars[at] == '\\' { 2 } else { 1 };
            }
            out.push_str("\"\"");
            at += 1;
        } else if c == '\'' && (next == '\\' || chars.get(at + 2) == Some(&'\'')) {
            at += if next == '\\' { 3 } else { 2 };
            while at < chars.len() && chars[at] != '\'' {
                at += 1;
            }
            at += 1;
        } else {
            out.push(c);
            at += 1;
        }
    }
    without_tests(&out)
}

/// The position after the raw string literal that begins here, if one does.
fn raw_end(chars: &[char], at: usize) -> Option<usize> {
    let hashes = chars[at + 1..].iter().take_while(|c| **c == '#').count();
    let open = at + 1 + hashes;
    if chars.get(open) != Some(&'"') {
        return None;
    }
    let mut close = open + 1;
    while close < chars.len() {
        let marks = chars[close + 1..].iter().take_while(|c| **c == '#');
        if chars[close] == '"' && marks.count() >= hashes {
            return Some(close + 1 + hashes);
        }
        close += 1;
    }
    None
}

/// The text without test modules. They follow `#[cfg(test)]`: `mod tests;`, or a block that ends at a brace in the first
/// column.
fn without_tests(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.trim() != "#[cfg(test)]" {
            out.push_str(line);
            out.push('\n');
            continue;
        }
        let Some(item) = lines.next() else { break };
        if item.contains("mod ") && item.trim_end().ends_with('{') {
            for line in lines.by_ref() {
                if line.starts_with('}') {
                    break;
                }
            }
        }
    }
    out
}

/// The paths of a `use`, each with the name that it gets in the module.
fn paths(tree: &str, before: &[String], out: &mut Vec<(Vec<String>, String)>) {
    let tree = tree.trim();
    if let Some((head, body)) = tree.split_once('{') {
        let mut path = before.to_vec();
        path.extend(segments(head));
        let body = body.rsplit_once('}').map_or(body, |(body, _)| body);
        let (mut depth, mut from) = (0, 0);
        for (at, c) in body.char_indices().chain([(body.len(), ',')]) {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    if !body[from..at].trim().is_empty() {
                        paths(&body[from..at], &path, out);
                    }
                    from = at + 1;
                }
                _ => {}
            }
        }
        return;
    }
    let (path, alias) = match tree.split_once(" as ") {
        Some((path, alias)) => (path, Some(alias.trim().to_owned())),
        None => (tree, None),
    };
    let mut all = before.to_vec();
    all.extend(segments(path));
    if all.len() > 1 && all.last().is_some_and(|last| last == "self") {
        all.pop();
    }
    let name = alias.or_else(|| all.last().cloned()).unwrap_or_default();
    out.push((all, name));
}

fn segments(path: &str) -> Vec<String> {
    let parts = path.split("::").map(str::trim);
    parts.filter(|s| !s.is_empty()).map(str::to_owned).collect()
}

/// The modules that a macro declares from a list: the first word of each line.
fn listed_modules(text: &str) -> impl Iterator<Item = &str> {
    let makes_modules = text.contains("mod $module;");
    let is_head = |line: &str| line.ends_with("! {") && !line.starts_with("macro_rules");
    let list = text.lines().skip_while(move |line| !is_head(line)).skip(1);
    let list = list.take_while(move |line| makes_modules && !line.starts_with('}'));
    list.filter_map(|line| line.split(|c| !is_word(c)).find(|word| !word.is_empty()))
}

impl Names {
    fn read(text: &str) -> Names {
        let mut names = Names::default();
        for child in listed_modules(text) {
            names.used.push(vec![child.to_owned()]);
            names.children.insert(child.to_owned());
        }
        let mut statement: Option<(bool, String)> = None;
        for line in text.lines() {
            if let Some((_, so_far)) = &mut statement {
                so_far.push_str(line);
            } else {
                let bare = line.trim_start();
                let (is_handed_on, item) = match bare.strip_prefix("pub") {
                    Some(rest) if rest.starts_with('(') => {
                        (true, rest.split_once(')').map_or(rest, |(_, rest)| rest))
                    }
                    Some(rest) if rest.starts_with(' ') => (true, rest),
                    _ => (false, bare),
                };
                let item = item.trim_start();
                if let Some(tree) = item.strip_prefix("use ") {
                    statement = Some((is_handed_on, tree.to_owned()));
                } else {
                    let child = item.strip_prefix("mod ").and_then(|m| m.strip_suffix(';'));
                    names.children.extend(child.map(str::to_owned));
                    names.rest.push_str(line);
                    names.rest.push('\n');
                }
            }
            if let Some((is_handed_on, tree)) = statement.take_if(|(_, tree)| tree.contains(';')) {
                names.add_use(is_handed_on, tree.trim_end().trim_end_matches(';'));
            }
        }
        names
    }

    fn add_use(&mut self, is_handed_on: bool, tree: &str) {
        let mut found = Vec::new();
        paths(tree, &[], &mut found);
        for (mut path, name) in found {
            if name == "*" {
                path.pop();
            }
            if !is_handed_on {
                self.used.push(path);
            } else if name == "*" {
                self.all_of.push(path);
            } else {
                self.handed_on.insert(name, path);
            }
        }
    }

    fn defines(&self, name: &str) -> bool {
        let kinds = ["struct", "enum", "trait", "fn", "type", "const", "static"];
        let mut words = self.rest.split(|c| !is_word(c)).filter(|w| !w.is_empty());
        let mut last = "";
        words.any(|word| {
            let found = word == name && kinds.contains(&last);
            last = word;
            found
        })
    }

    /// Paths in the code that begin with `crate`, `self`, `super` or a child module.
    fn inline(&self) -> Vec<Vec<String>> {
        let mut found = Vec::new();
        for part in self.rest.split(|c: char| !is_word(c) && c != ':') {
            let path = segments(part);
            let first = path.first().map(String::as_str).unwrap_or_default();
            let begins =
                matches!(first, "crate" | "self" | "super") || self.children.contains(first);
            if begins && path.len() > 1 && part.starts_with(first) {
                found.push(path);
            }
        }
        found
    }
}

impl Crate {
    fn new(modules: &Modules) -> Crate {
        let read = |(name, text): (&String, &String)| (name.clone(), Names::read(text));
        Crate {
            modules: modules.iter().map(read).collect(),
        }
    }

    /// A path from the crate's root; none if it leads out of the crate.
    fn absolute(&self, module: &str, path: &[String]) -> Option<Vec<String>> {
        let mut base = segments(module);
        let mut rest = path;
        match rest.first()?.as_str() {
            "crate" => {
                base.clear();
                rest = &rest[1..];
            }
            "self" => rest = &rest[1..],
            "super" => {
                while rest.first().is_some_and(|s| s == "super") {
                    base.pop();
                    rest = &rest[1..];
                }
            }
            child if self.modules[module].children.contains(child) => {}
            _ => return None,
        }
        base.extend(rest.iter().cloned());
        Some(base)
    }

    /// The file that defines the item at a path.
    fn resolve(&self, path: &[String], depth: usize) -> Option<String> {
        for length in (0..=path.len()).rev() {
            let module = path[..length].join("::");
            let Some(names) = self.modules.get(&module) else {
                continue;
            };
            let Some((next, rest)) = path[length..].split_first() else {
                return Some(module);
            };
            if depth > 9 {
                return Some(module);
            }
            let onward = |to: &[String], rest: &[String]| {
                let mut to = self.absolute(&module, to)?;
                to.extend(rest.iter().cloned());
                self.resolve(&to, depth + 1)
            };
            if let Some(to) = names.handed_on.get(next) {
                return onward(to, rest);
            }
            for to in &names.all_of {
                let from = self.absolute(&module, to).map(|to| to.join("::"));
                let from = from.and_then(|from| self.modules.get(&from));
                if from.is_some_and(|from| from.defines(next)) {
                    return onward(to, &path[length..]);
                }
            }
            return Some(module);
        }
        None
    }

    /// The files that each file depends on.
    fn needs(&self) -> BTreeMap<&str, BTreeSet<&str>> {
        let mut all = BTreeMap::new();
        for (module, names) in &self.modules {
            let mut needs = BTreeSet::new();
            for path in names.used.iter().chain(&names.inline()) {
                let path = self.absolute(module, path);
                let file = path.and_then(|path| self.resolve(&path, 0));
                let file = file.and_then(|file| self.modules.get_key_value(&file));
                needs.extend(file.map(|(file, _)| file.as_str()));
            }
            let is_own_folder =
                |file: &str| file.is_empty() || module.starts_with(&format!("{file}::"));
            needs.retain(|file| *file != module && !is_own_folder(file));
            all.insert(module.as_str(), needs);
        }
        all
    }

    /// Sets of files that all depend on each other, directly or not.
    fn circles(&self) -> Vec<Vec<String>> {
        let needs = self.needs();
        let reached = |from: &str| {
            let mut seen = BTreeSet::new();
            let mut open: Vec<&str> = needs[from].iter().copied().collect();
            while let Some(file) = open.pop() {
                if seen.insert(file.to_owned()) {
                    open.extend(&needs[file]);
                }
            }
            seen
        };
        let reach: BTreeMap<&str, BTreeSet<String>> =
            needs.keys().map(|file| (*file, reached(file))).collect();
        let mut circles = BTreeSet::new();
        for (file, all) in &reach {
            let back = |other: &&String| reach[other.as_str()].contains(*file);
            let circle: Vec<String> = all.iter().filter(back).cloned().collect();
            if circle.len() > 1 {
                circles.insert(circle);
            }
        }
        circles.into_iter().collect()
    }
}

/// The crates with their modules.
fn crates() -> BTreeMap<String, Modules> {
    let mut all: BTreeMap<String, Modules> = BTreeMap::new();
    for (path, text) in files(&[".rs"]) {
        let inside = path.strip_prefix("crates/").unwrap_or(&path);
        let Some((name, file)) = inside.split_once("/src/") else {
            continue;
        };
        let mut module: Vec<&str> = file.trim_end_matches(".rs").split('/').collect();
        if module.iter().any(|part| *part == "tests" || *part == "bin") {
            continue;
        }
        module.pop_if(|last| matches!(*last, "mod" | "lib" | "main"));
        let modules = all.entry(name.to_owned()).or_default();
        modules.insert(module.join("::"), plain(&text));
    }
    all
}

/// A cycle that ARCHITECTURE allows.
#[derive(Debug)]
struct Allowed {
    name: String,
    /// One file of the cycle.
    file: String,
    count: usize,
}

/// The rows of the table in ARCHITECTURE.
fn allowed() -> Vec<Allowed> {
    let page = files(&["ARCHITECTURE.md"]);
    let section = page[0].1.split_once("## Circles of files");
    let (_, section) = section.expect("ARCHITECTURE names circles of files");
    let section = section.split("\n## ").next().unwrap_or_default();
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('|').map(|cell| cell.trim()).collect();
        assert!(cells[4].len() > 20, "no reason: {line}");
        Allowed {
            name: cells[1].trim_matches('`').to_owned(),
            file: cells[2].trim_matches('`').to_owned(),
            count: cells[3].parse().expect("a number of files"),
        }
    };
    rows.map(row).collect()
}

#[test]
fn circles_of_files_are_few_and_have_a_reason() {
    let mut allowed = allowed();
    let mut unexplained = Vec::new();
    for (name, modules) in crates() {
        let circles = Crate::new(&modules).circles();
        assert!(circles.len() <= MOST, "{name}: {circles:#?}");
        for circle in circles {
            let row = allowed.iter().position(|row| {
                row.name == name && circle.contains(&row.file) && circle.len() == row.count
            });
            match row {
                Some(row) => drop(allowed.remove(row)),
                None => unexplained.push((name.clone(), circle)),
            }
        }
    }
    assert!(
        unexplained.is_empty() && allowed.is_empty(),
        "not in ARCHITECTURE: {unexplained:#?}, no circles any more: {allowed:#?}"
    );
}

#[test]
fn circles_are_found() {
    let modules = |all: &[(&str, &str)]| -> Modules {
        all.iter()
            .map(|(name, text)| ((*name).to_owned(), plain(text)))
            .collect()
    };
    let circles = |all: &[(&str, &str)]| Crate::new(&modules(all)).circles();
    let root = (
        "",
        "mod a;\nmod b;\nmod c;\npub use a::{\n    A,\n    B as C,\n};\n",
    );
    // Through a re-export of the root, and through a path in the code.
    let all = [
        root,
        ("a", "use crate::{b::f, c};\npub struct A;\n"),
        ("b", "fn f() -> crate::A {}\n"),
        ("c", "// crate::a::A\nconst T: &str = \"crate::a::A\";\n"),
    ];
    assert_eq!(circles(&all), [["a", "b"]]);
    // Tests do not count, nor do definitions in the folder's own `mod.rs`.
    let all = [
        root,
        ("a", "mod d;\nuse d::g;\nstruct A;\n"),
        ("a::d", "use super::A;\nuse crate::b;\nfn g() {}\n"),
        ("b", "#[cfg(test)]\nmod tests {\n    use crate::a::A;\n}\n"),
        ("c", ""),
    ];
    assert!(circles(&all).is_empty());
    let all = [
        root,
        ("a", "mod d;\nuse d::g;\n"),
        ("a::d", "use crate::b::h;\nfn g() {}\n"),
        ("b", "use crate::c::i;\n"),
        ("c", "pub use crate::a::*;\nuse super::a;\n"),
    ];
    assert_eq!(circles(&all), [["a", "a::d", "b", "c"]]);
}
