//! When an import takes effect, by the text around it: when the file is loaded, only later, or never, because it is
//! there for types or for what is said in comments.

use base::Language;

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

/// How the import of `name` at a line (from 1) is loaded.
pub fn loading(lines: &[&str], line: u32, name: &str, language: Option<Language>) -> Loading {
    let Some(at) = (line as usize)
        .checked_sub(1)
        .filter(|at| *at < lines.len())
    else {
        return Loading::AtOnce;
    };
    match language {
        Some(Language::Python) => python(lines, at),
        Some(Language::TypeScript | Language::Tsx | Language::JavaScript) => {
            script(lines, at, name)
        }
        Some(Language::Java) => java(lines, at),
        _ => Loading::AtOnce,
    }
}

fn python(lines: &[&str], at: usize) -> Loading {
    let starts = |at: &usize| {
        let line = lines[*at].trim_start();
        line.starts_with("from ") || line.starts_with("import ")
    };
    let lowest = at.saturating_sub(MOST_LINES);
    // The names of an import may stand on lines of their own.
    let first = (lowest..=at).rev().find(starts).unwrap_or(at);
    enclosed(lines, first)
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
        if text.starts_with("def ") || text.starts_with("async def ") {
            return Loading::Later;
        }
        if text.starts_with("if ") && text.contains("TYPE_CHECKING") && !text.contains("not ") {
            return Loading::TypeOnly;
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

fn script(lines: &[&str], at: usize, name: &str) -> Loading {
    let line = lines[at].trim_start();
    if line.contains("import(") {
        return Loading::Later;
    }
    if line.contains("require(") {
        // At the margin it runs when the file does.
        return match width(lines[at]) {
            0 => Loading::AtOnce,
            _ => Loading::Later,
        };
    }
    let lowest = at.saturating_sub(MOST_LINES);
    let starts = |at: &usize| {
        let line = lines[*at].trim_start();
        line.starts_with("import ") || line.starts_with("import{") || line.starts_with("export ")
    };
    let Some(first) = (lowest..=at).rev().find(starts) else {
        return Loading::AtOnce;
    };
    let head = lines[first].trim_start();
    let typed = ["import type ", "export type "];
    if typed.iter().any(|t| head.starts_with(t)) && !head.starts_with("import type from") {
        return Loading::TypeOnly;
    }
    // `import { type A, b } from`: one name alone.
    let marked =
        |line: &&str| line.contains(&format!("type {name}")) && !line.contains("import type");
    match !name.is_empty() && lines[first..=at].iter().any(marked) {
        true => Loading::TypeOnly,
        false => Loading::AtOnce,
    }
}

/// The compiler drops every import of Java; what is left is what the code mentions. Many are there for `{@link}` alone.
fn java(lines: &[&str], at: usize) -> Loading {
    let Some(rest) = lines[at].trim_start().strip_prefix("import ") else {
        return Loading::AtOnce;
    };
    let path = rest.split(';').next().unwrap_or(rest).trim();
    let name = path.rsplit('.').next().unwrap_or(path);
    if name.is_empty() || name == "*" {
        return Loading::AtOnce;
    }
    let mut in_comment = false;
    for line in lines {
        let mentions = line.contains(name);
        if !in_comment && !mentions && !line.contains("/*") {
            continue;
        }
        if mentions && in_comment && !line.contains("*/") {
            continue;
        }
        let code = without_comments(line, &mut in_comment);
        if !code.trim_start().starts_with("import ") && has_word(&code, name) {
            return Loading::AtOnce;
        }
    }
    Loading::TypeOnly
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

/// Whether a name stands in a text as a word of its own.
fn has_word(text: &str, name: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    text.match_indices(name)
        .any(|(at, _)| !text[..at].ends_with(part) && !text[at + name.len()..].starts_with(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loading_at(language: Language, text: &str, line: u32, name: &str) -> Loading {
        let lines: Vec<&str> = text.lines().collect();
        loading(&lines, line, name, Some(language))
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
            loading(&lines, 5, "", Some(Language::Python)),
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
}
