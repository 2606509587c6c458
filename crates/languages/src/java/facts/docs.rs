//! Javadoc comments as plain text.

use super::Walker;
use syntax::builder::{MAX_HEAD_BYTES, head};
use syntax::facts::DefId;
use tree_sitter::Node;

impl Walker<'_, '_> {
    /// Sets the documentation from the comment before a declaration, if it is a Javadoc one.
    pub(super) fn set_javadoc(&mut self, def: DefId, comment: Option<Node<'_>>) {
        let Some(comment) = comment else {
            return;
        };
        let text = self.b.text(comment);
        if let Some(inner) = text.strip_prefix("/**").and_then(|t| t.strip_suffix("*/")) {
            let cleaned = clean(head(inner, MAX_HEAD_BYTES));
            self.b.set_doc(def, &cleaned);
        }
    }
}

/// The text before the first block tag or paragraph mark, without stars and inline tags.
fn clean(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let line = line.trim().trim_start_matches('*').trim();
        if line.starts_with('@') {
            break;
        }
        if line.is_empty() {
            if out.trim().is_empty() {
                continue;
            }
            break;
        }
        let (line, ends) = match line.find("<p>").or_else(|| line.find("<p/>")) {
            Some(at) => (&line[..at], true),
            None => (line, false),
        };
        out.push_str(line);
        out.push('\n');
        if ends && !out.trim().is_empty() {
            break;
        }
        if out.len() > 1_000 {
            break;
        }
    }
    strip_html_tags(&strip_inline_tags(&out))
}

/// `{@code x}` becomes `x`, `{@link Foo#bar label}` becomes `Foo#bar label`.
fn strip_inline_tags(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("{@") {
        out.push_str(&rest[..at]);
        let inner = &rest[at + 2..];
        let end = inner.find('}').unwrap_or(inner.len());
        let words = inner[..end].trim();
        out.push_str(
            words
                .split_once(char::is_whitespace)
                .map_or("", |w| w.1.trim()),
        );
        rest = inner.get(end + 1..).unwrap_or("");
    }
    out.push_str(rest);
    out
}

/// Removes HTML tags; a `<` that opens none stays.
fn strip_html_tags(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        out.push_str(&rest[..at]);
        let tag = &rest[at + 1..];
        let opens = tag
            .chars()
            .next()
            .is_some_and(|c| c == '/' || c.is_ascii_lowercase());
        match tag.find('>') {
            Some(end) if opens && !tag[..end].contains('<') => rest = &tag[end + 1..],
            _ => {
                out.push('<');
                rest = tag;
            }
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::clean;

    #[test]
    fn javadoc_is_cut_at_tags_and_paragraphs() {
        assert_eq!(
            clean(
                "\n * Reads a {@code int} <em>fast</em>.\n * See {@link Foo}.\n *\n * <p>More.\n"
            )
            .trim(),
            "Reads a int fast.\nSee Foo."
        );
        assert_eq!(clean(" One line. @no tag ").trim(), "One line. @no tag");
        assert_eq!(clean("\n * Text.\n * @param x y\n").trim(), "Text.");
        assert_eq!(clean("if a < b then").trim(), "if a < b then");
    }
}
