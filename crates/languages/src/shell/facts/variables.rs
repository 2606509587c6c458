//! Variables: definitions and writes of those of the script, and calls of the commands that they hold.

use super::{VARIABLES, Walker, is_plain_name};
use crate::outline::FoundDefinition;
use base::SymbolKind;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// With more values, a variable may hold any command.
const MOST_VALUES: usize = 8;

/// A variable: the function that it is local to, and its name.
pub(super) type Key<'s> = (Option<DefId>, &'s str);

/// The words that a variable holds; `None` if others may be among them.
pub(super) type Assigned<'s> = Option<Vec<&'s str>>;

/// A call of what a variable holds.
pub(super) struct DynamicCall<'s, 't> {
    at: Node<'t>,
    variable: Key<'s>,
    /// Whether the value is split into words.
    is_split: bool,
    owner: Option<DefId>,
    scope: ScopeId,
    position: u32,
    argc: usize,
}

impl<'s, 't> Walker<'_, 's, 't> {
    /// The value of an assignment, and the index of an element.
    pub(super) fn value_of(&mut self, node: Node<'t>) {
        if let Some(index) = node.field("name").and_then(|name| name.field("index")) {
            self.visit(index);
        }
        if let Some(value) = node.field("value") {
            self.visit(value);
        }
    }

    /// `a=b`, which is global unless the function around it declares the name.
    pub(super) fn assignment(&mut self, node: Node<'t>) {
        self.assign(node, node, SymbolKind::Variable);
    }

    /// An assignment. `whole` is the statement that it is part of.
    fn assign(&mut self, node: Node<'t>, whole: Node<'t>, kind: SymbolKind) {
        self.value_of(node);
        let Some(target) = node.field("name") else {
            return;
        };
        let is_element = target.kind_name() == "subscript";
        let Some(at) = (if is_element {
            target.field("name")
        } else {
            Some(target)
        }) else {
            return;
        };
        let name = self.text(at);
        let value = node.field("value");
        if name == "PROMPT_COMMAND"
            && let Some(value) = value
        {
            self.prompted(value);
        }
        let is_whole = !is_element && node.child(1).is_some_and(|sign| sign.kind() == "=");
        self.note_path(name, value.filter(|_| is_whole));
        let word = match value {
            Some(value) => self.plain_text(value),
            None => Some(""),
        };
        self.note_value(name, word.filter(|_| is_whole));
        self.set(at, whole, kind);
    }

    /// A variable gets a value: it is defined or written, unless it is local.
    fn set(&mut self, at: Node<'t>, whole: Node<'t>, kind: SymbolKind) {
        let name = self.text(at);
        if self.is_local(name) {
            return;
        }
        let is_outside = self.functions.is_empty() && self.subshells == 0;
        if is_outside && self.globals.insert(name) {
            let def = self.o.declare(&FoundDefinition::new(whole, at, kind));
            let name = self.o.b.intern_name(name);
            let to = Bound::Def(def);
            self.o.b.bind_in(VARIABLES, name, Namespace::VALUE, 0, to);
        } else if self.subshells == 0 {
            let made = self.variable_expr(name);
            self.o.b.add_write(made, at);
        }
    }

    /// `local a=b`, `declare`, `export`, `readonly`, `typeset`.
    pub(super) fn declaration(&mut self, node: Node<'t>) {
        let word = node.child(0).map_or("", |word| self.text(word));
        let mut cursor = node.walk();
        let children: Vec<Node<'t>> = node.named_children(&mut cursor).collect();
        let is_option = |child: &&Node<'t>| {
            child.kind_name() == "word" && self.text(**child).starts_with(['-', '+'])
        };
        let options: String = children
            .iter()
            .filter(is_option)
            .map(|o| self.text(*o))
            .collect();
        if options.contains(['f', 'F']) {
            let names: Vec<Node<'t>> = children.into_iter().collect();
            return self.mention_functions(&names);
        }
        let is_declared = matches!(word, "local" | "declare" | "typeset");
        let is_local = is_declared && !self.functions.is_empty() && !options.contains('g');
        let is_constant = word == "readonly" || options.contains('r');
        let kind = if is_constant {
            SymbolKind::Constant
        } else {
            SymbolKind::Variable
        };
        for child in children {
            let name = match child.kind_name() {
                "variable_assignment" => child.field("name"),
                "variable_name" => Some(child),
                _ => None,
            };
            match name {
                None => self.visit(child),
                Some(name) => {
                    let text = self.text(name);
                    if let Some(function) = self.functions.last_mut().filter(|_| is_local) {
                        function.locals.insert(text);
                    }
                    if name != child {
                        self.assign(child, node, kind);
                    } else if !is_local && word != "declare" && word != "typeset" {
                        self.variable(child);
                    }
                }
            }
        }
    }

    /// `export -f f`, `declare -f f`.
    fn mention_functions(&mut self, names: &[Node<'t>]) {
        for name in names {
            if name.kind_name() == "variable_name" {
                self.mention(*name, self.text(*name));
            }
        }
        self.mention_all(names);
    }

    /// `unset -f f`, `unset a`.
    pub(super) fn unset(&mut self, node: Node<'t>) {
        let mut cursor = node.walk();
        let children: Vec<Node<'t>> = node.named_children(&mut cursor).collect();
        let is_function = children
            .first()
            .is_some_and(|first| self.text(*first) == "-f");
        if is_function {
            return self.mention_functions(&children);
        }
        for child in children {
            if child.kind_name() == "variable_name" {
                if !self.is_local(self.text(child)) && self.subshells == 0 {
                    let made = self.variable_expr(self.text(child));
                    self.o.b.add_write(made, child);
                }
            } else {
                self.visit(child);
            }
        }
    }

    /// `for a in b c`.
    pub(super) fn loop_over(&mut self, node: Node<'t>) {
        let variable = node.field("variable");
        let mut is_open = false;
        if let Some(variable) = variable {
            let mut cursor = node.walk();
            let values: Vec<Node<'t>> = node.fields("value", &mut cursor).collect();
            is_open = self.note_loop(self.text(variable), &values);
        }
        self.conditions += 1;
        let mut cursor = node.walk();
        let children: Vec<Node<'t>> = node.named_children(&mut cursor).collect();
        for child in children {
            if variable != Some(child) {
                self.visit(child);
            }
        }
        self.conditions -= 1;
        if is_open {
            self.loops.pop();
        }
    }

    /// Notes the values that the variable of a loop takes. Returns whether their paths are kept while the loop is read.
    fn note_loop(&mut self, name: &'s str, values: &[Node<'t>]) -> bool {
        if values.is_empty() {
            self.note_value(name, None);
        }
        let mut paths = Vec::new();
        for value in values {
            let word = self.plain_text(*value).filter(|word| is_plain_name(word));
            self.note_value(name, word);
            if paths.len() <= MOST_VALUES {
                paths.push(self.path_of(*value, 0));
            }
        }
        self.note_path(name, values.last().copied());
        let is_open = (2..=MOST_VALUES).contains(&paths.len());
        if is_open {
            self.loops.push((name, paths));
        }
        is_open
    }

    /// `read a b`: the variables get values that nobody knows.
    pub(super) fn read_into(&mut self, args: &[Node<'t>]) {
        for arg in args {
            let name = self.text(*arg);
            if arg.kind_name() == "word" && is_variable(name) {
                self.note_value(name, None);
                self.note_path(name, None);
                if !self.is_local(name) && self.subshells == 0 {
                    let made = self.variable_expr(name);
                    self.o.b.add_write(made, *arg);
                }
            }
        }
    }

    /// `printf -v a`.
    pub(super) fn printed_into(&mut self, args: &[Node<'t>]) {
        if let [option, name, ..] = args
            && self.text(*option) == "-v"
        {
            self.read_into(&[*name]);
        }
    }

    /// A use of a variable.
    pub(super) fn variable(&mut self, node: Node<'t>) {
        let name = self.text(node);
        if is_variable(name) && !self.is_local(name) {
            let made = self.variable_expr(name);
            self.o.b.add_reference(RefTarget::Expr(made), node);
        }
    }

    /// `${a:=b}` gives a value, too.
    pub(super) fn expansion(&mut self, node: Node<'t>) {
        let mut cursor = node.walk();
        let parts: Vec<Node<'t>> = node.children(&mut cursor).collect();
        let sets = parts.iter().any(|part| matches!(part.kind(), ":=" | "="));
        if let Some(name) = parts
            .iter()
            .find(|part| part.kind_name() == "variable_name")
            && sets
        {
            self.note_value(self.text(*name), None);
        }
        self.children(node);
    }

    fn variable_expr(&mut self, name: &'s str) -> ExprId {
        let name = self.o.b.intern_name(name);
        let scope = VARIABLES;
        self.o.b.add_expr(Expr::Name { name, scope, at: 0 })
    }

    fn is_local(&self, name: &str) -> bool {
        let function = self.current_function();
        function.is_some_and(|function| function.locals.contains(name))
    }

    fn key(&self, name: &'s str) -> Key<'s> {
        let function = self.current_function();
        let function = function.filter(|function| function.locals.contains(name));
        (function.map(|function| function.def), name)
    }

    /// A variable gets a word, or a value that is not known.
    fn note_value(&mut self, name: &'s str, word: Option<&'s str>) {
        let key = self.key(name);
        let known = self.assigned.entry(key).or_insert_with(|| Some(Vec::new()));
        match (known.as_mut(), word) {
            (Some(all), Some(word)) if all.contains(&word) || word.is_empty() => {}
            (Some(all), Some(word)) if all.len() < MOST_VALUES => all.push(word),
            _ => *known = None,
        }
    }

    // ---- calls ----

    /// A command whose name is expanded: `$a`, `"${a}"`, `"${a}_b"`.
    pub(super) fn computed_command(&mut self, at: Node<'t>, argc: usize) {
        let node = match at.kind_name() {
            "command_name" => at.named_child(0).unwrap_or(at),
            _ => at,
        };
        if let Some((name, is_split)) = self.whole_variable(node) {
            let call = DynamicCall {
                at: node,
                variable: self.key(name),
                is_split,
                owner: self.o.b.current_owner(),
                scope: self.o.b.current_scope(),
                position: node.start_byte() as u32,
                argc,
            };
            return self.dynamic.push(call);
        }
        let callee = self.o.b.add_expr(Expr::Unknown);
        self.add_call(node, callee, argc, None);
    }

    /// The variable that a word is, and whether its value is split into words.
    fn whole_variable(&self, node: Node<'t>) -> Option<(&'s str, bool)> {
        let is_string = node.kind_name() == "string";
        let inner = if is_string && node.named_child_count() == 1 {
            node.named_child(0)?
        } else {
            node
        };
        let is_whole = !is_string || inner.byte_range().len() + 2 == node.byte_range().len();
        let text = self.text(inner);
        let name = match inner.kind_name() {
            "simple_expansion" => text.strip_prefix('$')?,
            "expansion" => text.strip_prefix("${")?.strip_suffix('}')?,
            _ => return None,
        };
        (is_whole && is_variable(name)).then_some((name, !is_string))
    }

    /// Adds the calls of variables, now that all their values are known.
    pub(super) fn add_dynamic_calls(&mut self) {
        for call in std::mem::take(&mut self.dynamic) {
            let DynamicCall {
                scope,
                position: at,
                ..
            } = call;
            let mut callees: Vec<ExprId> = Vec::new();
            for word in self.held_words(&call) {
                let name = self.o.b.intern_name(word);
                callees.push(self.o.b.add_expr(Expr::Name { name, scope, at }));
            }
            let callee = match callees[..] {
                [] => self.variable_expr(call.variable.1),
                [one] => one,
                _ => self.o.b.add_expr(Expr::Either(callees.into())),
            };
            if let Some(owner) = call.owner {
                self.o.b.open_owner(owner);
            }
            self.add_call(call.at, callee, call.argc, None);
            if call.owner.is_some() {
                self.o.b.close_owner();
            }
        }
    }

    /// The names of the commands that a variable may hold; none if some are not known.
    fn held_words(&self, call: &DynamicCall<'s, 't>) -> Vec<&'s str> {
        let Some(Some(all)) = self.assigned.get(&call.variable) else {
            return Vec::new();
        };
        let word = |value: &&'s str| {
            let first = value.split_whitespace().next();
            if call.is_split { first } else { Some(*value) }
        };
        let words: Option<Vec<&'s str>> = all.iter().map(word).collect();
        let words = words.unwrap_or_default();
        let are_plain = words.iter().all(|word| is_plain_name(word));
        if are_plain { words } else { Vec::new() }
    }
}

/// Whether a text is the name of a variable, not of a parameter.
pub(super) fn is_variable(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && text != "_"
}
