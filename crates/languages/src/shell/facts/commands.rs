//! Commands: which functions they call and name.

use super::code::command_names;
use super::{Walker, is_plain_name};
use crate::outline::FoundDefinition;
use base::SymbolKind;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Programs that run a script.
const SHELLS: [&str; 6] = ["bash", "sh", "zsh", "dash", "ksh", "ash"];

/// A command: its name and its arguments.
pub(super) struct Command<'s, 't> {
    /// The node of the name.
    pub(super) at: Node<'t>,
    pub(super) name: &'s str,
    pub(super) args: Vec<Node<'t>>,
}

impl<'s, 't> Walker<'_, 's, 't> {
    pub(super) fn command(&mut self, node: Node<'t>) {
        let name = node.field("name");
        let mut cursor = node.walk();
        let mut args: Vec<Node<'t>> = node.fields("argument", &mut cursor).collect();
        let mut cursor = node.walk();
        let children: Vec<Node<'t>> = node.named_children(&mut cursor).collect();
        for child in children {
            if Some(child) == name {
                self.children(child);
            } else if child.kind_name() == "variable_assignment" {
                // It holds for this command alone.
                self.value_of(child);
            } else {
                self.visit(child);
            }
        }
        // The grammar reads a line that begins with a backslash as arguments of the command above.
        while let Some(next) = args
            .iter()
            .rposition(|arg| self.text(*arg).starts_with('\n'))
        {
            let rest = args.split_off(next);
            if let Some((at, args)) = rest.split_first() {
                let name = self.text(*at).trim_start().trim_start_matches('\\');
                let (at, args) = (*at, args.to_vec());
                self.named_command(node, Command { at, name, args });
            }
        }
        let Some(at) = name else { return };
        match self.plain_text(at) {
            Some(name) => self.named_command(node, Command { at, name, args }),
            None => {
                self.computed_command(at, args.len());
                self.run_script(at, at);
            }
        }
    }

    fn named_command(&mut self, node: Node<'t>, command: Command<'s, 't>) {
        let Command { at, name, ref args } = command;
        if name == "}" && args.is_empty() {
            return self.close_test(node);
        }
        if name == "@test" {
            let is_open = args.last().is_some_and(|last| self.text(*last) == "{");
            let is_outside = self.functions.is_empty() || self.test.is_some();
            if let Some(title) = args.first().filter(|_| is_open && is_outside) {
                self.open_test(node, *title);
            }
            return;
        }
        if !is_plain_name(name) {
            return;
        }
        let callee = self.call(at, name, args.len(), None);
        match name {
            "time" => self.called_by_word(args, None),
            "coproc" => self.coprocess(args),
            "run" => self.called_by_word(args, Some(callee)),
            "trap" => self.trapped(args),
            "eval" => self.evaluated(args),
            "alias" => self.aliases(node, args),
            "complete" => self.completions(args),
            "type" | "command" => self.asked(name, args),
            "read" | "mapfile" | "readarray" | "getopts" => self.read_into(args),
            "printf" => self.printed_into(args),
            "source" | "." => self.source(&command),
            "load" | "bats_load_library" if self.may_load => self.load(&command),
            _ if name.contains('/') => self.run_script(at, at),
            _ if SHELLS.contains(&name) => self.run_by_shell(args),
            _ => {}
        }
    }

    /// The text of a word in which nothing is expanded.
    pub(super) fn plain_text(&self, node: Node<'t>) -> Option<&'s str> {
        let node = match node.kind_name() {
            "command_name" => node.named_child(0)?,
            _ => node,
        };
        let text = self.text(node);
        match node.kind_name() {
            "word" | "number" => Some(text.trim_start_matches('\\')),
            "raw_string" => text.strip_prefix('\'')?.strip_suffix('\''),
            "string" => {
                let mut cursor = node.walk();
                let mut parts = node.named_children(&mut cursor);
                let is_plain = parts.all(|part| part.kind_name() == "string_content");
                let text = text.strip_prefix('"')?.strip_suffix('"')?;
                is_plain.then_some(text)
            }
            _ => None,
        }
    }

    /// The first argument that is no option is a command.
    fn called_by_word(&mut self, args: &[Node<'t>], runner: Option<ExprId>) {
        let is_option = |text: &str| {
            let number = text.strip_prefix(['-', '!']);
            text.starts_with('-') || text == "!" || number.is_some_and(|n| n.parse::<u8>().is_ok())
        };
        let words = args.iter().map(|arg| (*arg, self.plain_text(*arg)));
        let mut words = words.skip_while(|(_, text)| text.is_some_and(is_option));
        let argc = args.len();
        match words.next() {
            Some((at, Some(name))) if is_plain_name(name) => {
                self.call(at, name, argc, runner);
            }
            Some((at, None)) if runner.is_none() => self.computed_command(at, argc),
            _ => {}
        }
    }

    /// `coproc f`, `coproc NAME { f; }`.
    fn coprocess(&mut self, args: &[Node<'t>]) {
        let is_named = args.get(1).is_some_and(|arg| self.text(*arg) == "{");
        let is_group = args.first().is_some_and(|arg| self.text(*arg) == "{");
        let skipped = 2 * usize::from(is_named) + usize::from(is_group);
        self.called_by_word(args.get(skipped..).unwrap_or_default(), None);
    }

    /// `trap 'a; b' EXIT`.
    fn trapped(&mut self, args: &[Node<'t>]) {
        let mut args = args.iter().filter(|arg| self.text(**arg) != "--");
        let Some(action) = args.next().filter(|_| args.next().is_some()) else {
            return;
        };
        if let Some(text) = self.leading_text(*action)
            && !text.starts_with('-')
        {
            self.code(text, *action);
        }
    }

    /// `eval f "$x"`, `eval "f $x"`.
    fn evaluated(&mut self, args: &[Node<'t>]) {
        let Some(first) = args.first() else { return };
        if let Some(text) = self.leading_text(*first) {
            self.code(text, *first);
        } else {
            self.computed_command(*first, 0);
        }
    }

    /// The text of a word up to what is expanded in it. In front of that, only whole commands and whole names count.
    fn leading_text(&self, node: Node<'t>) -> Option<&'s str> {
        if let Some(text) = self.plain_text(node) {
            return Some(text);
        }
        let first = node
            .named_child(0)
            .filter(|_| node.kind_name() == "string")?;
        if first.kind_name() != "string_content" || first.start_byte() != node.start_byte() + 1 {
            return None;
        }
        let text = self.text(first);
        let end = text.rfind(|c: char| c.is_whitespace() || c == ';')?;
        Some(&text[..end])
    }

    /// `alias a='b c'`.
    fn aliases(&mut self, node: Node<'t>, args: &[Node<'t>]) {
        for arg in args {
            let text = self.text(*arg);
            let Some((name, value)) = text.split_once('=') else {
                continue;
            };
            if name.is_empty() || name.starts_with(['-', '"', '\'', '$']) {
                continue;
            }
            let mut found = FoundDefinition::new(node, *arg, SymbolKind::Function);
            found.name = Some(name);
            found.flags.set(DefFlags::ALIAS);
            let def = self.define_function(&found, node.end_byte());
            self.o.b.open_owner(def);
            self.code(value.trim_matches(['\'', '"']), *arg);
            self.o.b.close_owner();
        }
    }

    /// `complete -F f command`.
    fn completions(&mut self, args: &[Node<'t>]) {
        let options = args.windows(2).filter(|two| self.text(two[0]) == "-F");
        let named: Vec<Node<'t>> = options.map(|two| two[1]).collect();
        self.mention_all(&named);
    }

    /// `type f`, `command -v f`.
    fn asked(&mut self, name: &str, args: &[Node<'t>]) {
        let mut options = args.iter().map(|arg| self.text(*arg));
        if name == "type" || options.any(|option| option == "-v" || option == "-V") {
            self.mention_all(args);
        }
    }

    /// The functions that words name.
    pub(super) fn mention_all(&mut self, words: &[Node<'t>]) {
        for word in words {
            let name = self.plain_text(*word).unwrap_or_default();
            if is_plain_name(name) && !name.starts_with('-') {
                self.mention(*word, name);
            }
        }
    }

    /// `PROMPT_COMMAND=f`: the shell runs it.
    pub(super) fn prompted(&mut self, value: Node<'t>) {
        for name in self
            .plain_text(value)
            .map(command_names)
            .unwrap_or_default()
        {
            self.mention(value, name);
        }
    }

    /// `bash scripts/build.sh`.
    fn run_by_shell(&mut self, args: &[Node<'t>]) {
        let is_option = |arg: &&Node<'t>| self.text(**arg).starts_with(['-', '+']);
        let options = args.iter().take_while(is_option);
        let has_text = options.clone().any(|arg| self.text(*arg).contains('c'));
        let skipped = options.count();
        if let Some(script) = args.get(skipped).filter(|_| !has_text) {
            self.run_script(*script, *script);
        }
    }
}
