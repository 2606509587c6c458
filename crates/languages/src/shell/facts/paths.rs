//! Paths that words mean, as far as they can be known without running the script: relative to the script, or to the root of the
//! repository.

use super::Walker;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Deepest nesting of substitutions that is followed.
const MOST_NESTED: u32 = 16;
/// Most bytes of a path.
const MOST_BYTES: usize = 4_096;

/// What stands for the output of commands that are not known.
const COMMANDS: &str = "(…)";

/// Where a path begins.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Anchor {
    /// As it is written.
    Written,
    /// The folder of the script.
    Folder,
    /// The script itself.
    File,
    /// The root of the repository.
    Root,
    /// What a variable holds that is not known; its name, if it is a variable.
    Unknown(String),
}

/// A path: where it begins, and the text behind that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PathValue {
    anchor: Anchor,
    rest: String,
}

impl PathValue {
    fn new(anchor: Anchor) -> PathValue {
        let rest = String::new();
        PathValue { anchor, rest }
    }

    fn unknown(name: &str) -> PathValue {
        PathValue::new(Anchor::Unknown(name.to_owned()))
    }

    fn written(text: &str) -> PathValue {
        let text = text.get(..MOST_BYTES).unwrap_or(text);
        PathValue {
            anchor: Anchor::Written,
            rest: text.to_owned(),
        }
    }

    /// Whether it begins at the script or at what is not known, and so may have been made of an earlier value.
    pub(super) fn is_unknown(&self) -> bool {
        matches!(self.anchor, Anchor::Unknown(_))
    }

    /// Whether it begins at the script or at the root.
    pub(super) fn is_anchored(&self) -> bool {
        matches!(self.anchor, Anchor::File | Anchor::Folder | Anchor::Root)
    }

    /// This path with another word behind it.
    fn push(self, other: PathValue) -> PathValue {
        let is_empty = self.anchor == Anchor::Written && self.rest.is_empty();
        if is_empty || other.is_unknown() {
            return other;
        }
        if other.anchor != Anchor::Written || self.rest.len() + other.rest.len() > MOST_BYTES {
            return PathValue::unknown("");
        }
        let anchor = match self.anchor {
            Anchor::File if !other.rest.is_empty() => Anchor::Unknown(String::new()),
            anchor => anchor,
        };
        let rest = self.rest + &other.rest;
        PathValue { anchor, rest }
    }

    /// The folder of this path.
    fn parent(self) -> PathValue {
        if self.anchor == Anchor::File {
            return PathValue::new(Anchor::Folder);
        }
        let rest = self.rest.trim_end_matches('/');
        let rest = match rest.rsplit_once('/') {
            Some((_, "..")) | None if self.anchor != Anchor::Written => format!("{rest}/.."),
            Some((folder, _)) => folder.to_owned(),
            None => ".".to_owned(),
        };
        PathValue { rest, ..self }
    }

    /// The path as imports state it: `./a` beside the script, `//a` below the root, `$x/a` behind a variable that is not known.
    /// `None` if it is no path of another file.
    pub(super) fn module(&self) -> Option<String> {
        let rest = &self.rest;
        let is_below = rest.starts_with('/') && rest.len() > 1;
        match &self.anchor {
            Anchor::Written => (!rest.is_empty()).then(|| rest.clone()),
            Anchor::Folder => is_below.then(|| format!(".{rest}")),
            Anchor::Root => is_below.then(|| format!("/{rest}")),
            Anchor::File => None,
            Anchor::Unknown(name) => Some(format!("${name}{rest}")),
        }
    }
}

impl<'s, 't> Walker<'_, 's, 't> {
    /// Notes the path that a variable gets.
    pub(super) fn note_path(&mut self, name: &'s str, value: Option<Node<'t>>) {
        let path = match value {
            Some(value) => self.path_of(value, 0),
            None => PathValue::unknown(name),
        };
        let before = self.paths.get(name);
        // Loops that follow links make a path of itself in ways that are not read.
        let is_made_of_itself = path.is_unknown() && before.is_some_and(PathValue::is_anchored);
        if !is_made_of_itself || value.is_none() {
            self.paths.insert(name, path);
        }
    }

    /// The path that a word means.
    pub(super) fn path_of(&self, node: Node<'t>, depth: u32) -> PathValue {
        if depth >= MOST_NESTED {
            return PathValue::unknown("");
        }
        match node.kind_name() {
            "word" | "number" | "raw_string" => self.written_path(node),
            "string_content" => PathValue::written(self.text(node)),
            "string" | "concatenation" => {
                let mut cursor = node.walk();
                let parts = node.named_children(&mut cursor);
                let empty = PathValue::new(Anchor::Written);
                parts.fold(empty, |path, part| path.push(self.path_of(part, depth + 1)))
            }
            "simple_expansion" => self.path_of_variable(self.text(node).trim_start_matches('$')),
            "expansion" => self.path_of_expansion(self.text(node)),
            "command_substitution" => self.path_of_commands(node, depth + 1),
            _ => PathValue::unknown(""),
        }
    }

    fn written_path(&self, node: Node<'t>) -> PathValue {
        let text = self.plain_text(node).unwrap_or_default();
        if node.kind_name() == "word" && text.contains(['*', '?', '[', '{']) {
            return PathValue::unknown("");
        }
        PathValue::written(text)
    }

    fn path_of_variable(&self, name: &str) -> PathValue {
        match name {
            "0" | "BASH_SOURCE" | "BATS_TEST_FILENAME" => PathValue::new(Anchor::File),
            "BATS_TEST_DIRNAME" => PathValue::new(Anchor::Folder),
            name => match self.paths.get(name) {
                Some(known) if !known.is_unknown() || !known.rest.is_empty() => known.clone(),
                _ => PathValue::unknown(name),
            },
        }
    }

    /// `${a}`, `${a%/*}`, `${BASH_SOURCE[0]:-$0}`.
    fn path_of_expansion(&self, text: &str) -> PathValue {
        let inner = text
            .strip_prefix("${")
            .and_then(|text| text.strip_suffix('}'));
        let Some(inner) = inner else {
            return PathValue::unknown("");
        };
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let end = inner.find(|c| !is_part(c)).unwrap_or(inner.len());
        let (name, operator) = inner.split_at(end);
        let operator = operator.strip_prefix("[0]").unwrap_or(operator);
        let path = self.path_of_variable(name);
        match operator {
            "" => path,
            "%/*" => path.parent(),
            _ if operator.starts_with(":-") || operator.starts_with('-') => path,
            _ => PathValue::unknown(""),
        }
    }

    /// `$(dirname "$0")`, `$(cd "$a" && pwd)`, `$(git rev-parse --show-toplevel)`.
    fn path_of_commands(&self, node: Node<'t>, depth: u32) -> PathValue {
        let mut commands = Vec::new();
        flatten(node, &mut commands, depth);
        let Some(first) = commands.first() else {
            return PathValue::unknown(COMMANDS);
        };
        let mut cursor = first.walk();
        let args: Vec<Node<'t>> = first.fields("argument", &mut cursor).collect();
        let is_word = |arg: &&Node<'t>| !self.text(**arg).starts_with('-');
        let last = args.iter().rfind(is_word);
        let path = || {
            last.map_or_else(
                || PathValue::unknown(""),
                |arg| self.path_of(*arg, depth + 1),
            )
        };
        let name = first.field("name").map_or("", |name| self.text(name));
        let others = commands.get(1..).unwrap_or_default();
        let is_printed = |command: &Node<'t>| {
            let name = command.field("name");
            name.is_some_and(|name| matches!(self.text(name), "pwd" | "echo" | "printf"))
        };
        match name.trim_start_matches('\\') {
            "cd" | "pushd" if others.iter().all(is_printed) && !others.is_empty() => path(),
            "dirname" if others.is_empty() => path().parent(),
            "readlink" | "realpath" if others.is_empty() => path(),
            "git" if args.iter().any(|arg| self.text(*arg) == "--show-toplevel") => {
                PathValue::new(Anchor::Root)
            }
            _ => PathValue::unknown(COMMANDS),
        }
    }
}

/// The commands of a list, in order, without redirections.
fn flatten<'t>(node: Node<'t>, out: &mut Vec<Node<'t>>, depth: u32) {
    if depth > MOST_NESTED || out.len() > MOST_NESTED as usize {
        return;
    }
    let mut cursor = node.walk();
    for child in node.named_children(&mut cursor) {
        match child.kind_name() {
            "list" | "redirected_statement" => flatten(child, out, depth + 1),
            "file_redirect" | "comment" => {}
            _ => out.push(child),
        }
    }
}
