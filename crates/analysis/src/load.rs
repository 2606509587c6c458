//! When an import takes effect, by the text around it: when the file is loaded, only later, or never, because it is
//! there for types or for what is said in comments.

use base::Language;
use rustc_hash::{FxHashMap, FxHashSet};

/// When an import takes effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Loading {
    /// As soon as the file is loaded.
    AtOnce,
    /// When a function runs: an import in its body, or `import()`.
    Later,
    /// Never: `import type`, `if TYPE_CHECKING`, a name of Java that only comments mention.
    TypeOnly,
}

/// Lines that are searched upwards for what an import belongs to.
const MOST_LINES: usize = 200;
/// Bytes of a name that are compared.
const LONGEST_NAME: usize = 256;

/// The lines of a file, with what was found out for many of its imports.
pub struct Imports<'l> {
    lines: &'l [&'l str],
    language: Option<Language>,
    /// Python: when each line runs.
    blocks: Option<Vec<Loading>>,
    /// Java: words of the code.
    words: Option<FxHashSet<String>>,
    /// By line.
    statements: FxHashMap<usize, Statement<'l>>,
}

/// What the statement around a line says.
enum Statement<'l> {
    /// The same for every name.
    Is(Loading),
    /// What follows the word `type`, in order: names that begin one of these are there for types alone.
    Marks(Vec<&'l str>),
}

impl<'l> Imports<'l> {
    /// Of a file.
    pub fn new(lines: &'l [&'l str], language: Option<Language>) -> Imports<'l> {
        Imports {
            lines,
            language,
            blocks: None,
            words: None,
            statements: FxHashMap::default(),
        }
    }

    /// How the import of `name` at a line (from 1) is loaded.
    pub fn loading(&mut self, line: u32, name: &str) -> Loading {
        let Some(at) = (line as usize)
            .checked_sub(1)
            .filter(|at| *at < self.lines.len())
        else {
            return Loading::AtOnce;
        };
        let lines = self.lines;
        match self.language {
            Some(Language::Python) => {
                let blocks = self.blocks.get_or_insert_with(|| blocks(lines));
                let found = self.statements.entry(at);
                match found.or_insert_with(|| Statement::Is(blocks[python_start(lines, at)])) {
                    Statement::Is(loading) => *loading,
                    Statement::Marks(_) => Loading::AtOnce,
                }
            }
            Some(Language::TypeScript | Language::Tsx | Language::JavaScript) => {
                match self
                    .statements
                    .entry(at)
                    .or_insert_with(|| script(lines, at))
                {
                    Statement::Is(loading) => *loading,
                    Statement::Marks(marks) => marked(marks, name),
                }
            }
            Some(Language::Java) => {
                let words = &mut self.words;
                java(lines[at], || words.get_or_insert_with(|| code_words(lines)))
            }
            _ => Loading::AtOnce,
        }
    }
}

/// The line on which an import of Python begins: its names may stand on lines of their own.
fn python_start(lines: &[&str], at: usize) -> usize {
    let starts = |at: &usize| {
        let line = lines[*at].trim_start();
        line.starts_with("from ") || line.starts_with("import ")
    };
    let lowest = at.saturating_sub(MOST_LINES);
    (lowest..=at).rev().find(starts).unwrap_or(at)
}

/// When each line of Python runs, as [`enclosed`] says of one.
fn blocks(lines: &[&str]) -> Vec<Loading> {
    // Blocks that are open: how far they are indented, and when what is in them runs. Each is further in than the one before.
    let mut open: Vec<(usize, Loading)> = Vec::new();
    let mut found = Vec::with_capacity(lines.len());
    for line in lines {
        let (text, indent) = (line.trim_start(), width(line));
        let inside = open.partition_point(|(outer, _)| *outer < indent);
        let around = match inside.checked_sub(1) {
            Some(at) => open[at].1,
            None => Loading::AtOnce,
        };
        found.push(around);
        if text.is_empty() || text.starts_with('#') || !opens_block(text) {
            continue;
        }
        open.truncate(inside);
        open.push((indent, opened(text).unwrap_or(around)));
    }
    found
}

/// When what stands in a block of Python runs, where its first line says so.
fn opened(text: &str) -> Option<Loading> {
    if text.starts_with("def ") || text.starts_with("async def ") {
        return Some(Loading::Later);
    }
    let types = text.starts_with("if ") && text.contains("TYPE_CHECKING");
    (types && !text.contains("not ")).then_some(Loading::TypeOnly)
}

/// When a line of Python runs, by the blocks around it.
pub(crate) fn enclosed<T: AsRef<str>>(lines: &[T], at: usize) -> Loading {
    let line = |at: usize| lines.get(at).map_or("", AsRef::as_ref);
    let mut indent = width(line(at));
    for line in (0..at).rev().map(line) {
        if indent == 0 {
            break;
        }
        let text = line.trim_start();
        if text.is_empty() || text.starts_with('#') || width(line) >= indent {
            continue;
        }
        // Only what opens a block encloses: brackets, documentation and long lines may stand anywhere.
        if !opens_block(text) {
            continue;
        }
        indent = width(line);
        if let Some(found) = opened(text) {
            return found;
        }
    }
    Loading::AtOnce
}

/// Whether a line of Python opens a block.
fn opens_block(text: &str) -> bool {
    let words = [
        "def", "async", "class", "if", "elif", "else", "for", "while", "try", "except", "finally",
        "with", "match", "case",
    ];
    let end = text
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(text.len());
    // Prose may begin with such a word, but does not end as code does.
    let code = text.split(" #").next().unwrap_or(text).trim_end();
    let ends = code.ends_with([':', '(', ',', '\\', '[', '{']) || text.starts_with("def ");
    words.contains(&&text[..end]) && ends
}

fn width(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

fn script<'l>(lines: &'l [&'l str], at: usize) -> Statement<'l> {
    let line = lines[at].trim_start();
    if line.contains("import(") {
        return Statement::Is(Loading::Later);
    }
    if line.contains("require(") {
        // At the margin it runs when the file does.
        return Statement::Is(match width(lines[at]) {
            0 => Loading::AtOnce,
            _ => Loading::Later,
        });
    }
    let lowest = at.saturating_sub(MOST_LINES);
    let starts = |at: &usize| {
        let line = lines[*at].trim_start();
        line.starts_with("import ") || line.starts_with("import{") || line.starts_with("export ")
    };
    let Some(first) = (lowest..=at).rev().find(starts) else {
        return Statement::Is(Loading::AtOnce);
    };
    let head = lines[first].trim_start();
    let typed = ["import type ", "export type "];
    if typed.iter().any(|t| head.starts_with(t)) && !head.starts_with("import type from") {
        return Statement::Is(Loading::TypeOnly);
    }
    // `import { type A, b } from`: one name alone.
    let own = lines[first..=at].iter();
    let own = own.filter(|line| !line.contains("import type"));
    let mut marks: Vec<&str> = own
        .flat_map(|line| {
            line.match_indices("type ")
                .map(|(at, mark)| &line[at + mark.len()..])
        })
        .map(|rest| rest.get(..LONGEST_NAME).unwrap_or(rest))
        .collect();
    marks.sort_unstable();
    Statement::Marks(marks)
}

/// Whether one of the marks, which are in order, begins with the name.
fn marked(marks: &[&str], name: &str) -> Loading {
    let at = marks.partition_point(|mark| *mark < name);
    let found = marks.get(at).is_some_and(|mark| mark.starts_with(name));
    if !name.is_empty() && found {
        Loading::TypeOnly
    } else {
        Loading::AtOnce
    }
}

/// The compiler drops every import of Java; what is left is what the code mentions. Many are there for `{@link}` alone.
fn java<'w>(line: &str, words: impl FnOnce() -> &'w mut FxHashSet<String>) -> Loading {
    let Some(rest) = line.trim_start().strip_prefix("import ") else {
        return Loading::AtOnce;
    };
    let path = rest.split(';').next().unwrap_or(rest).trim();
    let name = path.rsplit('.').next().unwrap_or(path);
    if name.is_empty() || !name.chars().all(is_part) {
        return Loading::AtOnce;
    }
    if words().contains(name) {
        Loading::AtOnce
    } else {
        Loading::TypeOnly
    }
}

/// The words of a file of Java beside comments and imports.
fn code_words(lines: &[&str]) -> FxHashSet<String> {
    let mut in_comment = false;
    let mut found = FxHashSet::default();
    for line in lines {
        let code = without_comments(line, &mut in_comment);
        if code.trim_start().starts_with("import ") {
            continue;
        }
        for word in code.split(|c| !is_part(c)).filter(|w| !w.is_empty()) {
            if !found.contains(word) {
                found.insert(word.to_owned());
            }
        }
    }
    found
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// A line of a language with `//` and `/* */`, without its comments; `in_comment` is where the line begins and ends.
fn without_comments(line: &str, in_comment: &mut bool) -> String {
    let mut code = String::new();
    let mut quote = None;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        let next = chars.peek().copied();
        match (*in_comment, quote, c, next) {
            (true, _, '*', Some('/')) => {
                chars.next();
                *in_comment = false;
            }
            (true, ..) => {}
            (false, Some(_), '\\', _) => {
                chars.next();
            }
            (false, Some(open), c, _) => {
                code.push(c);
                if c == open {
                    quote = None;
                }
            }
            (false, None, '/', Some('/')) => break,
            (false, None, '/', Some('*')) => {
                chars.next();
                *in_comment = true;
                code.push(' ');
            }
            (false, None, c, _) => {
                if matches!(c, '"' | '\'') {
                    quote = Some(c);
                }
                code.push(c);
            }
        }
    }
    code
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loading_at(language: Language, text: &str, line: u32, name: &str) -> Loading {
        let lines: Vec<&str> = text.lines().collect();
        Imports::new(&lines, Some(language)).loading(line, name)
    }

    #[test]
    fn python_imports() {
        let text = "import a\nif TYPE_CHECKING:\n    from b import (\n        C,\n    )\ntry:\n    import d\nexcept ImportError:\n    pass\ndef f(\n    x,\n):\n    if x:\n        from e import g\nclass K:\n    import h\nif not TYPE_CHECKING:\n    import i\n";
        let of = |line| loading_at(Language::Python, text, line, "");
        assert_eq!(of(1), Loading::AtOnce);
        assert_eq!(of(3), Loading::TypeOnly);
        assert_eq!(of(4), Loading::TypeOnly);
        assert_eq!(of(7), Loading::AtOnce);
        assert_eq!(of(14), Loading::Later);
        assert_eq!(of(16), Loading::AtOnce);
        assert_eq!(of(18), Loading::AtOnce);
        assert_eq!(of(99), Loading::AtOnce);
        let documented = "def f():\n    \"\"\"Says\nat the margin.\n    \"\"\"\n    import a\n";
        let lines: Vec<&str> = documented.lines().collect();
        assert_eq!(
            Imports::new(&lines, Some(Language::Python)).loading(5, ""),
            Loading::Later
        );
    }

    #[test]
    fn typescript_imports() {
        let text = "import { a } from './a';\nimport type { B } from './b';\nimport {\n  c,\n  type D,\n} from './c';\nexport type { E } from './e';\nexport * from './f';\nconst g = await import('./g');\nfunction h() {\n  return require('./h');\n}\nimport type from './i';\n";
        let of = |line, name| loading_at(Language::TypeScript, text, line, name);
        assert_eq!(of(1, "a"), Loading::AtOnce);
        assert_eq!(of(2, "B"), Loading::TypeOnly);
        assert_eq!(of(4, "c"), Loading::AtOnce);
        assert_eq!(of(5, "D"), Loading::TypeOnly);
        assert_eq!(of(7, "E"), Loading::TypeOnly);
        assert_eq!(of(8, ""), Loading::AtOnce);
        assert_eq!(of(9, ""), Loading::Later);
        assert_eq!(of(11, ""), Loading::Later);
        assert_eq!(of(13, ""), Loading::AtOnce);
    }

    #[test]
    fn java_imports_that_only_comments_mention() {
        let text = "package p;\nimport q.Linked;\nimport q.Used;\nimport q.*;\nimport static q.K.made;\nimport q.Quoted;\nimport q.Behind;\n/* Linked\n Linked */\n/**\n * {@link Linked} of {@link Used}\n */\nclass A { // Linked\n  /* Linked */ Used used = /* Linked */ made(\"http://x\", Quoted.A);\n  String s = \"/*\"; Behind b; LinkedList list;\n}\n";
        let of = |line| loading_at(Language::Java, text, line, "");
        assert_eq!(of(2), Loading::TypeOnly);
        for line in [3, 4, 5, 6, 7] {
            assert_eq!(of(line), Loading::AtOnce, "{line}");
        }
    }

    #[test]
    fn many_imports_of_one_file_are_looked_at_together() {
        let many = |text: &str, language: Language, name: &dyn Fn(u32) -> String| -> usize {
            let lines: Vec<&str> = text.lines().collect();
            let mut file = Imports::new(&lines, Some(language));
            let all = (0..50_000).map(|n| file.loading(2 + n % lines.len() as u32, &name(n)));
            all.filter(|l| *l == Loading::AtOnce).count()
        };
        let python = format!("if x:\n{}", "    from b import c\n".repeat(50_000));
        many(&python, Language::Python, &|_| String::new());
        let java: String = (0..50_000).map(|n| format!("import q.B{n};\n")).collect();
        many(&format!("package p;\n{java}"), Language::Java, &|n| {
            format!("B{n}")
        });
        let names: String = (0..50_000).map(|n| format!("type b{n}, c{n}, ")).collect();
        let script = format!("\nimport {{ {names} }} from './b';\n");
        let lines: Vec<&str> = script.lines().collect();
        let mut file = Imports::new(&lines, Some(Language::TypeScript));
        for n in 0..50_000 {
            assert_eq!(file.loading(2, &format!("b{n}")), Loading::TypeOnly);
            assert_eq!(file.loading(2, &format!("c{n}")), Loading::AtOnce);
        }
    }
}
