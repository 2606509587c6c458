//! SCIP symbols as text: package, descriptors, names.
//!
//! `<scheme> <manager> <package> <version> <descriptor>…`, or `local <id>`. Spaces within a part are doubled. Names
//! that are not plain identifiers are in backticks, which are doubled inside.

use std::borrow::Cow;

/// Kind of a descriptor, as its last characters give it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Suffix {
    /// `name/`
    Namespace,
    /// `name#`
    Type,
    /// `name.`
    Term,
    /// `name().`
    Method,
    /// `[name]`
    TypeParameter,
    /// `(name)`
    Parameter,
    /// `name:`
    Meta,
    /// `name!`
    Macro,
}

/// A part of a symbol's path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Descriptor<'a> {
    /// The name without backticks.
    pub name: Cow<'a, str>,
    /// Kind.
    pub suffix: Suffix,
}

/// A symbol that is not local to a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GlobalSymbol<'a> {
    /// The indexer's scheme.
    pub scheme: Cow<'a, str>,
    /// The package manager; empty if there is none.
    pub manager: Cow<'a, str>,
    /// The package's name; empty if there is none.
    pub package: Cow<'a, str>,
    /// The package's version; empty if there is none.
    pub version: Cow<'a, str>,
    /// The path within the package.
    pub descriptors: Vec<Descriptor<'a>>,
}

/// Whether the symbol belongs to its document alone.
pub fn is_local(symbol: &str) -> bool {
    symbol.starts_with("local ")
}

impl<'a> GlobalSymbol<'a> {
    /// Parses a symbol; `None` for a local one and for text that is not a symbol.
    pub fn parse(symbol: &'a str) -> Option<GlobalSymbol<'a>> {
        if is_local(symbol) {
            return None;
        }
        let mut rest = symbol;
        let mut part = || parse_space_terminated(&mut rest);
        let (scheme, manager, package, version) = (part()?, part()?, part()?, part()?);
        let mut descriptors = Vec::new();
        while !rest.is_empty() {
            descriptors.push(parse_descriptor(&mut rest)?);
        }
        Some(GlobalSymbol {
            scheme,
            manager,
            package,
            version,
            descriptors,
        })
    }

    /// The path below namespaces, dotted: `Class.method`.
    pub fn qualified_name(&self) -> String {
        let inner = |d: &&Descriptor<'_>| d.suffix != Suffix::Namespace;
        let names: Vec<&str> = self
            .descriptors
            .iter()
            .filter(inner)
            .map(|d| &*d.name)
            .collect();
        names.join(".")
    }

    /// The last part.
    pub fn last_descriptor(&self) -> Option<&Descriptor<'a>> {
        self.descriptors.last()
    }
}

fn parse_space_terminated<'a>(rest: &mut &'a str) -> Option<Cow<'a, str>> {
    let text = *rest;
    let mut from = 0;
    loop {
        let at = from + text[from..].find(' ')?;
        if text[at + 1..].starts_with(' ') {
            from = at + 2;
            continue;
        }
        *rest = &text[at + 1..];
        let part = &text[..at];
        return Some(match part {
            "." => Cow::Borrowed(""),
            _ if part.contains("  ") => Cow::Owned(part.replace("  ", " ")),
            _ => Cow::Borrowed(part),
        });
    }
}

fn parse_descriptor<'a>(rest: &mut &'a str) -> Option<Descriptor<'a>> {
    if let Some(inner) = rest.strip_prefix('(') {
        *rest = inner;
        return parse_bracketed(rest, ')', Suffix::Parameter);
    }
    if let Some(inner) = rest.strip_prefix('[') {
        *rest = inner;
        return parse_bracketed(rest, ']', Suffix::TypeParameter);
    }
    let name = parse_name(rest)?;
    let mark = rest.chars().next()?;
    *rest = &rest[mark.len_utf8()..];
    let suffix = match mark {
        '/' => Suffix::Namespace,
        '#' => Suffix::Type,
        '.' => Suffix::Term,
        ':' => Suffix::Meta,
        '!' => Suffix::Macro,
        '(' => {
            let end = rest.find(").")?;
            *rest = &rest[end + 2..];
            Suffix::Method
        }
        _ => return None,
    };
    Some(Descriptor { name, suffix })
}

fn parse_bracketed<'a>(rest: &mut &'a str, close: char, suffix: Suffix) -> Option<Descriptor<'a>> {
    let name = parse_name(rest)?;
    *rest = rest.strip_prefix(close)?;
    Some(Descriptor { name, suffix })
}

fn parse_name<'a>(rest: &mut &'a str) -> Option<Cow<'a, str>> {
    let Some(quoted) = rest.strip_prefix('`') else {
        let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '+' | '-' | '$');
        let end = rest.find(|c| !plain(c))?;
        let (name, after) = rest.split_at(end);
        *rest = after;
        return Some(Cow::Borrowed(name));
    };
    let mut from = 0;
    loop {
        let at = from + quoted[from..].find('`')?;
        if quoted[at + 1..].starts_with('`') {
            from = at + 2;
            continue;
        }
        *rest = &quoted[at + 1..];
        let name = &quoted[..at];
        return Some(if name.contains("``") {
            Cow::Owned(name.replace("``", "`"))
        } else {
            Cow::Borrowed(name)
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(symbol: &str) -> Vec<(String, Suffix)> {
        let global = GlobalSymbol::parse(symbol).unwrap();
        let pair = |d: &Descriptor<'_>| (d.name.to_string(), d.suffix);
        global.descriptors.iter().map(pair).collect()
    }

    #[test]
    fn descriptors_are_read_with_their_suffixes() {
        let symbol = "scip-typescript npm my  pkg 1.0 src/`a b.ts`/Class#`<get>x`().(arg)";
        let global = GlobalSymbol::parse(symbol).unwrap();
        assert_eq!((&*global.manager, &*global.package), ("npm", "my pkg"));
        assert_eq!(global.qualified_name(), "Class.<get>x.arg");
        assert_eq!(
            parts(symbol),
            [
                ("src".to_owned(), Suffix::Namespace),
                ("a b.ts".to_owned(), Suffix::Namespace),
                ("Class".to_owned(), Suffix::Type),
                ("<get>x".to_owned(), Suffix::Method),
                ("arg".to_owned(), Suffix::Parameter),
            ]
        );
        assert_eq!(
            parts("s . . . f(+1).[T]m!k:`a``b`.")[4],
            ("a`b".to_owned(), Suffix::Term)
        );
    }

    #[test]
    fn what_is_no_symbol_gives_none() {
        for text in [
            "",
            "local 4",
            "one two",
            "a b c d e",
            "a b c d `e",
            "a b c d e(f",
            "a b c d é",
        ] {
            assert_eq!(GlobalSymbol::parse(text), None, "{text}");
        }
        assert!(is_local("local 4"));
    }
}
