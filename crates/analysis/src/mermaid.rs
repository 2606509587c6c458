//! Escapes text for Markdown, and for the labels of Mermaid pictures in it.

/// Inline code of Markdown, on one line and unbroken by backticks in the text.
pub(crate) fn inline_code(text: &str) -> String {
    let clean = text.replace(['\n', '\r'], " ");
    if clean.contains('`') {
        format!("`` {clean} ``")
    } else {
        format!("`{clean}`")
    }
}

/// A name as a Mermaid label, to be put between double quotes. Everything that Mermaid's lexer or its Markdown and HTML reading
/// of labels could take for syntax becomes a character code (`#nn;`); line ends and control characters become spaces. A label
/// that begins like a list (`1. x`, `- x`) would be drawn as one, so its list marker becomes a code too.
pub fn escape_label(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut digits = 0;
    let mut begins = true;
    for c in text.chars() {
        let is_mark = begins
            && match c {
                '-' | '+' => digits == 0,
                '.' | ')' => digits > 0,
                _ => false,
            };
        digits += usize::from(c.is_ascii_digit());
        begins &= c.is_ascii_digit() || (c.is_whitespace() && digits == 0);
        match c {
            c if is_mark => out.push_str(&format!("#{};", u32::from(c))),
            '_' | '.' | '/' | '-' | ' ' | ':' | ',' | '(' | ')' | '=' | '+' | '@' | '$' | '…'
            | '·' => out.push(c),
            c if c.is_alphanumeric() => out.push(c),
            c if c.is_control() || c.is_whitespace() => out.push(' '),
            c => out.push_str(&format!("#{};", u32::from(c))),
        }
    }
    // An empty label, or one of spaces, is a syntax error.
    if out.trim().is_empty() {
        "?".to_owned()
    } else {
        out
    }
}

#[cfg(test)]
mod tests {
    use super::escape_label;

    #[test]
    fn syntax_becomes_character_codes() {
        assert_eq!(escape_label("a.b_c"), "a.b_c");
        assert_eq!(escape_label("x\"];end"), "x#34;#93;#59;end");
        assert_eq!(escape_label("Vec<T>"), "Vec#60;T#62;");
        assert_eq!(escape_label("`md` #1"), "#96;md#96; #35;1");
        assert_eq!(escape_label("two\nlines"), "two lines");
        assert_eq!(escape_label("1. one"), "1#46; one");
        assert_eq!(escape_label("- a-b"), "#45; a-b");
        assert_eq!(escape_label("v1.2-3"), "v1.2-3");
        assert_eq!(escape_label(".config"), ".config");
        assert_eq!(escape_label("名前"), "名前");
        assert_eq!(escape_label(" "), "?");
    }
}
