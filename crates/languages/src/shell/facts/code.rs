//! Code in texts: arguments of `trap`, `eval` and `alias`. Only the commands' names are read.

use super::{Walker, is_plain_name};
use tree_sitter::Node;

/// Words before the name of a command.
const LEADING: [&str; 14] = [
    "if", "then", "elif", "else", "fi", "do", "done", "while", "until", "!", "{", "}", "time",
    "esac",
];
/// Words whose command has no name.
const NAMELESS: [&str; 5] = ["for", "case", "select", "function", "in"];

impl<'s> Walker<'_, 's, '_> {
    /// The commands in a text are calls at the place of a node.
    pub(super) fn code(&mut self, text: &'s str, at: Node<'_>) {
        for name in command_names(text) {
            self.call(at, name, 0, None);
        }
    }
}

/// The names of the commands in a text.
pub(super) fn command_names(text: &str) -> Vec<&str> {
    commands(text).into_iter().filter_map(name_of).collect()
}

/// The simple commands in a text.
fn commands(text: &str) -> Vec<&str> {
    let (mut found, mut start, mut quote) = (Vec::new(), 0, None);
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None | Some('"'), '\\') => {
                chars.next();
            }
            (None, '"' | '\'') => quote = Some(c),
            (None, ';' | '&' | '|' | '\n' | '`') => {
                found.push(&text[start..at]);
                start = at + c.len_utf8();
            }
            // `f()` is a definition, `$(f)` and `(f)` are commands.
            (None, '(') if !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_') => {
                found.push(&text[start..at]);
                start = at + 1;
            }
            (None, ')') => {
                found.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(&text[start..]);
    found
}

/// The name of a simple command.
fn name_of(command: &str) -> Option<&str> {
    for word in command.split_whitespace() {
        if NAMELESS.contains(&word) {
            return None;
        }
        let is_assignment = word.find('=').is_some_and(|at| {
            let name = &word[..at];
            !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_')
        });
        if !is_assignment && !LEADING.contains(&word) {
            let word = word.trim_start_matches('\\');
            return is_plain_name(word).then_some(word);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::command_names;

    #[test]
    fn commands_of_a_text_have_names() {
        let of = |text| command_names(text).join(" ");
        assert_eq!(of("cleanup; x \"a; b\" && y | z"), "cleanup x y z");
        assert_eq!(of("A=1 f a; if g; then h; fi"), "f g h");
        assert_eq!(of("for x in a; do f $x; done"), "f");
        assert_eq!(of("x=$(f a); (g)"), "f g");
        assert_eq!(of("f() { g; }"), "g");
        assert_eq!(of("$f a; \"g\" b; \\h"), "h");
        assert_eq!(of("- "), "-");
    }
}
