//! Arguments as terms: texts with inserted values, names, calls, objects.
//!
//! The kinds of nodes are those of all grammars together. A kind with the same name in two grammars means the same.

use super::names::NAMES;
use crate::builder::{Stop, head};
use crate::fields::Fields;
use base::list::{self, WordList};
use base::remote::{CallTerm, Term};
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::sync::LazyLock;
use tree_sitter::Node;

/// Functions that make a text from a text.
static TEXT_MAKERS: WordList =
    LazyLock::new(|| list::words(list::section(NAMES, "text makers")).collect());

/// Methods that add to a router and return it.
static BUILDING: WordList =
    LazyLock::new(|| list::words(list::section(NAMES, "building")).collect());

/// Most bytes of a text or a name that are kept.
const LONGEST_TEXT: usize = 240;
/// Most bytes of a GraphQL document that are kept.
const LONGEST_DOCUMENT: usize = 4_000;
/// Most terms of one call.
const MOST_TERMS: u32 = 40;
/// Deepest nesting of calls, objects and lists.
const MOST_NESTING: u32 = 5;
/// Deepest nesting of texts: operations, parentheses, functions that make a text from a text.
const MOST_TEXT_NESTING: u32 = 16;
/// Most bytes of a text while it is composed: more than are kept of any text but a document.
const LONGEST_MADE: usize = 1_024;
/// Most parentheses around a value that is inserted into a text.
const MOST_PARENTHESES: usize = 16;
/// Most bytes of a dotted name.
const LONGEST_NAME: usize = 120;

/// Steps for reading the terms of a file: a base, and a number for each byte. The contents of a call are read for each
/// call around it.
const STEPS: (usize, usize) = (20_000, 16);
/// Steps between two checks whether the marks are still wanted.
const STOP_EVERY: usize = 4_096;
/// Bytes of a text that are read or copied in one step.
const PER_STEP: usize = 64;

/// The text that a name of the file stands for.
struct Constant {
    /// The only text assigned to the name; `None` if there are several.
    only: Option<String>,
    /// The last text assigned.
    last: String,
    /// Where the last text holds: the bytes of the function around it.
    within: Option<(usize, usize)>,
}

/// Reads terms from nodes.
pub(super) struct TermReader<'s> {
    pub(super) source: &'s str,
    constants: FxHashMap<String, Constant>,
    /// Terms left for the current call.
    left: u32,
    /// Steps left for the file, and the steps that it had.
    steps: Cell<usize>,
    all_steps: usize,
    /// Whether something was left out because the steps ran out.
    ran_out: Cell<bool>,
    /// Returns whether the marks are no longer wanted.
    stop: Stop<'s>,
    /// Steps left until the next such check.
    until_stop: Cell<usize>,
}

/// The parts of a call.
pub(super) struct CallParts<'t> {
    /// The last name of the callee.
    pub(super) name: Node<'t>,
    pub(super) receiver: Option<Node<'t>>,
    /// The node of the arguments.
    pub(super) arguments: Option<Node<'t>>,
}

impl<'s> TermReader<'s> {
    pub(super) fn new(source: &'s str, stop: Stop<'s>) -> TermReader<'s> {
        let steps = STEPS.0 + STEPS.1 * source.len();
        TermReader {
            source,
            constants: FxHashMap::default(),
            left: 0,
            steps: Cell::new(steps),
            all_steps: steps,
            ran_out: Cell::new(false),
            stop,
            until_stop: Cell::new(STOP_EVERY),
        }
    }

    /// Takes `steps` steps; false if fewer are left, and from then on.
    pub(super) fn spend(&self, steps: usize) -> bool {
        let left = self.steps.get().checked_sub(steps);
        self.steps.set(left.unwrap_or(0));
        let until_stop = self.until_stop.get().checked_sub(steps);
        self.until_stop.set(until_stop.unwrap_or(STOP_EVERY));
        let is_stopped = until_stop.is_none() && (self.stop)();
        let ran_out = self.ran_out.get() || left.is_none() || is_stopped;
        self.ran_out.set(ran_out);
        !ran_out
    }

    /// The steps taken so far.
    pub(super) fn spent(&self) -> usize {
        self.all_steps - self.steps.get()
    }

    /// Whether something was left out because the steps ran out.
    pub(super) fn ran_out(&self) -> bool {
        self.ran_out.get()
    }

    /// A copy of a text, cut to the longest that is composed.
    fn made(&self, text: &str) -> String {
        let text = head(text, LONGEST_MADE);
        self.spend(1 + text.len() / PER_STEP);
        text.to_owned()
    }

    fn raw(&self, node: Node<'_>) -> &'s str {
        self.source.get(node.byte_range()).unwrap_or("")
    }

    /// Records that a name stands for a text, in the whole file or within a function.
    pub(super) fn bind(&mut self, name: &str, text: &str, within: Option<(usize, usize)>) {
        match self.constants.get_mut(name) {
            Some(known) => {
                known.only = known.only.take().filter(|only| only == text);
                text.clone_into(&mut known.last);
                known.within = within;
            }
            None => {
                let constant = Constant {
                    only: Some(text.to_owned()),
                    last: text.to_owned(),
                    within,
                };
                self.constants.insert(name.to_owned(), constant);
            }
        }
    }

    /// The text that a name stands for at a place: the last one that the function around it assigned, or else that of
    /// the whole file.
    fn constant(&self, name: &str, at: usize) -> Option<&str> {
        let bare = || self.constants.get(name.strip_prefix("this.")?);
        let known = self.constants.get(name).or_else(bare)?;
        let is_near = known
            .within
            .is_some_and(|(from, to)| (from..to).contains(&at));
        if is_near {
            Some(&known.last)
        } else {
            known.only.as_deref()
        }
    }

    /// The address that an unknown function makes from a path, if the name is that of an address:
    /// `resourceUrl = config.endpointFor('api/users')`.
    pub(super) fn address_by_call(&mut self, name: &str, value: Node<'_>) -> Option<String> {
        let parts = call_parts(value)?;
        let last = name.rsplit('.').next().unwrap_or(name).to_ascii_lowercase();
        let speaks = ["url", "uri", "endpoint", "href", "address"];
        let is_named = speaks.iter().any(|end| last.ends_with(end));
        let first = parts.arguments.filter(|_| is_named)?.named_child(0)?;
        let first = transparent(first).unwrap_or(first);
        let text = self.text(first, 1)?;
        let is_path = text.contains('/') && !text.starts_with('.') && !text.contains("://");
        is_path.then(|| {
            format!(
                "{{{}}}/{}",
                self.called(&parts),
                text.trim_start_matches('/')
            )
        })
    }

    /// The last name of the callee, without type arguments.
    pub(super) fn called<'t>(&self, parts: &CallParts<'t>) -> &'s str {
        let text = self.raw(parts.name);
        text.split(['<', '\n']).next().unwrap_or(text).trim()
    }

    /// A call with its arguments.
    pub(super) fn call(&mut self, parts: &CallParts<'_>) -> CallTerm {
        self.left = MOST_TERMS;
        self.call_within(parts, 0)
    }

    fn call_within(&mut self, parts: &CallParts<'_>, depth: u32) -> CallTerm {
        let name = head(self.called(parts), LONGEST_TEXT).to_owned();
        let receiver = parts.receiver.map(|node| self.receiver(node, depth + 1));
        let mut args = Vec::new();
        if let Some(list) = parts.arguments {
            if is_text(list.kind_name()) {
                args.push(self.document(list));
            } else {
                let mut cursor = list.walk();
                for argument in list.named_children(&mut cursor) {
                    if self.left == 0 || !self.spend(1) {
                        break;
                    }
                    if !is_comment(argument) {
                        args.push(self.term(argument, depth + 1));
                    }
                }
            }
        }
        while args.last() == Some(&Term::Other) {
            args.pop();
        }
        CallTerm {
            name,
            receiver,
            args,
        }
    }

    /// The expression before the last name of a call: a name, or an earlier call.
    fn receiver(&mut self, node: Node<'_>, depth: u32) -> Term {
        let mut node = node;
        let mut left = LONGEST_CHAIN;
        // Of a chain that builds a router, only the beginning matters.
        while let Some(parts) = call_parts(node)
            && is_building(self.called(&parts))
            && !is_route_alone(self.called(&parts), parts.arguments)
            && let Some(before) = parts.receiver
        {
            if left == 0 || !self.spend(1) {
                return Term::Other;
            }
            left -= 1;
            node = before;
        }
        match self.term(node, depth) {
            found @ (Term::Name(_) | Term::Call(_)) => found,
            _ => Term::Other,
        }
    }

    /// A GraphQL document in a text.
    fn document(&self, node: Node<'_>) -> Term {
        let text = self.raw(node).trim_matches('`');
        Term::Text(head(text, LONGEST_DOCUMENT).to_owned())
    }

    /// A node as a term.
    pub(super) fn term(&mut self, node: Node<'_>, depth: u32) -> Term {
        if self.left == 0 || depth > MOST_NESTING || !self.spend(1) {
            return Term::Other;
        }
        self.left -= 1;
        let kind = node.kind_name();
        if let Some(inner) = transparent(node) {
            return self.term(inner, depth);
        }
        if let Some(text) = self.text(node, depth) {
            return Term::Text(head(&text, LONGEST_TEXT).to_owned());
        }
        if let Some(parts) = call_parts(node) {
            let call = self.call_within(&parts, depth);
            return Term::Call(Box::new(call));
        }
        match kind {
            "keyword_argument"
            | "pair"
            | "keyed_element"
            | "array_element_initializer"
            | "value_argument"
                if node.named_child_count() >= 2 =>
            {
                self.pair(node, depth)
                    .map_or(Term::Other, |(k, v)| Term::Keyword(k, Box::new(v)))
            }
            "object" | "dictionary" | "hash" | "literal_value" => self.object(node, depth),
            "array" | "list" | "tuple" | "array_creation_expression" | "array_expression" => {
                self.list(node, depth)
            }
            "simple_symbol" => {
                let text = self.raw(node).trim_start_matches(':');
                Term::Text(head(text, LONGEST_TEXT).to_owned())
            }
            _ if is_function(kind) => Term::Function,
            _ => match self.dotted(node) {
                Some(name) => self.named_value(name, node),
                None => Term::Other,
            },
        }
    }

    fn object(&mut self, node: Node<'_>, depth: u32) -> Term {
        let mut pairs = Vec::new();
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if !self.spend(1) || pairs.len() >= MOST_TERMS as usize {
                break;
            }
            match child.kind_name() {
                "shorthand_property_identifier" => {
                    let name = self.raw(child).to_owned();
                    pairs.push((name.clone(), self.named_value(name, child)));
                }
                "method_definition" => {
                    if let Some(name) = child.field("name") {
                        pairs.push((self.raw(name).to_owned(), Term::Function));
                    }
                }
                "pair" | "keyed_element" => pairs.extend(self.pair(child, depth + 1)),
                _ => {}
            }
            if self.left == 0 {
                break;
            }
        }
        Term::Object(pairs)
    }

    /// The value of a name.
    fn named_value(&self, name: String, at: Node<'_>) -> Term {
        match self.constant(&name, at.start_byte()) {
            Some(text) => Term::Text(head(text, LONGEST_TEXT).to_owned()),
            None => Term::Name(name),
        }
    }

    fn list(&mut self, node: Node<'_>, depth: u32) -> Term {
        let mut items = Vec::new();
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if self.left == 0 || !self.spend(1) {
                break;
            }
            items.push(self.term(child, depth + 1));
        }
        let is_map = !items.is_empty() && items.iter().all(|i| matches!(i, Term::Keyword(..)));
        if !is_map {
            return Term::List(items);
        }
        let pairs = items.into_iter().filter_map(|item| match item {
            Term::Keyword(key, value) => Some((key, *value)),
            _ => None,
        });
        Term::Object(pairs.collect())
    }

    /// A key with its value, of a pair in any grammar.
    fn pair(&mut self, node: Node<'_>, depth: u32) -> Option<(String, Term)> {
        let last = u32::try_from(node.named_child_count().checked_sub(1)?).ok()?;
        let key = node.field("key").or_else(|| node.field("name"));
        let key = key.or_else(|| node.named_child(0))?;
        let value = node.field("value").or_else(|| node.named_child(last))?;
        let text = self.text(key, depth);
        let name = text.unwrap_or_else(|| {
            let raw = head(self.raw(key), LONGEST_MADE);
            raw.trim_matches([':', '"', '\'']).to_owned()
        });
        (!name.is_empty() && name.len() <= LONGEST_TEXT)
            .then(|| (name, self.term(value, depth + 1)))
    }

    /// The content of a text, with inserted values in braces.
    pub(super) fn text(&mut self, node: Node<'_>, depth: u32) -> Option<String> {
        if !self.spend(1) {
            return None;
        }
        let kind = node.kind_name();
        if is_text(kind) {
            return Some(self.template(node));
        }
        // Deeper nesting is not read.
        if depth >= MOST_TEXT_NESTING {
            return None;
        }
        match kind {
            "concatenated_string" | "parenthesized_expression" | "chained_string" => {
                let mut out = String::new();
                let mut cursor = node.walk();
                let children: Vec<_> = node.named_children(&mut cursor).take(8).collect();
                for child in children {
                    out.push_str(&self.text(child, depth + 1)?);
                }
                Some(self.made(&out))
            }
            "binary_expression" | "binary_operator" | "binary" => self.joined(node, depth),
            "call_expression"
            | "call"
            | "method_invocation"
            | "macro_invocation"
            | "invocation_expression"
            | "new_expression"
            | "function_call_expression" => self.formatted(node, depth),
            _ => None,
        }
    }

    /// A text with its inserted values.
    fn template(&mut self, node: Node<'_>) -> String {
        if node.named_child_count() == 0 {
            return self.literal(self.raw(node));
        }
        let mut out = String::new();
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            let kind = child.kind_name();
            match kind {
                "string_start" | "string_end" | "heredoc_start" | "heredoc_end" => {}
                _ if kind.contains("content") || kind.contains("fragment") => {
                    out.push_str(head(self.raw(child), LONGEST_MADE));
                }
                "escape_sequence" => out.push_str(head(self.raw(child), LONGEST_MADE)),
                _ => out.push_str(&self.placeholder(child)),
            }
            if out.len() > LONGEST_TEXT || !self.spend(1) {
                break;
            }
        }
        self.made(&out)
    }

    /// The content between the quotes of a literal, cut to the longest that is composed.
    fn literal(&self, raw: &str) -> String {
        let raw = raw.trim_start_matches(|c: char| c.is_ascii_alphabetic() || c == '@' || c == '#');
        let raw = raw.trim_end_matches('#').trim_matches(['"', '\'', '`']);
        self.made(raw)
    }

    /// The replacement for an inserted value: the text of a constant, or else its last name in braces.
    fn placeholder(&self, node: Node<'_>) -> String {
        let mut inner = node;
        for _ in 0..MOST_PARENTHESES {
            let is_around = matches!(
                inner.kind_name(),
                "template_substitution" | "interpolation" | "parenthesized_expression"
            );
            if !is_around || !self.spend(1) {
                break;
            }
            match inner.named_child(0) {
                Some(next) => inner = next,
                None => break,
            }
        }
        let Some(name) = self.dotted(inner) else {
            return format!("{{{}}}", self.innermost_name(inner));
        };
        match self.constant(&name, inner.start_byte()) {
            Some(text) => text.to_owned(),
            None => format!("{{{name}}}"),
        }
    }

    /// The name inside a value that a call or an operation makes: `id` of `encodeURIComponent(id)`, `str(id)`.
    fn innermost_name(&self, node: Node<'_>) -> String {
        let mut next = node;
        for _ in 0..4 {
            if let Some(name) = self.dotted(next) {
                return name;
            }
            let arguments = call_parts(next).and_then(|parts| {
                let list = parts.arguments?;
                (list.named_child_count() > 0).then_some(list)
            });
            let inner = match arguments {
                Some(list) => list.named_child(0),
                None => next.named_child(0),
            };
            match inner {
                Some(inner) => next = inner,
                None => break,
            }
        }
        String::new()
    }

    /// `a + b`, `a . b`, where one of them is a text; `a || "text"`; `"…%s" % b`.
    fn joined(&mut self, node: Node<'_>, depth: u32) -> Option<String> {
        let left = node.field("left").or_else(|| node.named_child(0))?;
        let right = node.field("right").or_else(|| node.named_child(1))?;
        let between = self.source.get(left.end_byte()..right.start_byte())?;
        match between.trim() {
            "+" | "." | ".." | "<>" => {
                let (l, r) = (self.text(left, depth + 1), self.text(right, depth + 1));
                if l.is_none() && r.is_none() {
                    return None;
                }
                let l = l.unwrap_or_else(|| self.placeholder(left));
                let r = r.unwrap_or_else(|| self.placeholder(right));
                Some(self.made(&(l + &r)))
            }
            "||" | "??" | "or" => self.text(right, depth + 1),
            "%" => {
                let text = self.text(left, depth + 1)?;
                let values = match right.kind_name() {
                    "tuple" => self.value_names(right, 0),
                    _ => vec![self.value_name(right)],
                };
                Some(self.made(&plain_placeholders(&text, &values)))
            }
            _ => None,
        }
    }

    /// The text that a function makes from a text: `Sprintf("/users/%s", id)`, `"…{}".format(id)`, `format!(…)`,
    /// `new URL(…)`.
    fn formatted(&mut self, node: Node<'_>, depth: u32) -> Option<String> {
        let parts = call_parts(node)?;
        let name = self.called(&parts);
        let lower = name.trim_end_matches('!').to_ascii_lowercase();
        if !TEXT_MAKERS.contains(&&*lower) {
            return None;
        }
        let list = parts.arguments?;
        if matches!(&*lower, "getenv" | "get") {
            // The default value, for a variable that is not set.
            let environment = parts.receiver.map(|r| self.raw(r));
            let is_environment = lower == "getenv"
                || environment.is_some_and(|r| matches!(r, "os.environ" | "ENV" | "process.env"));
            let default = list.named_child(1).filter(|_| is_environment)?;
            return self.text(default, depth + 1);
        }
        if lower == "format"
            && let Some(receiver) = parts.receiver
            && let Some(text) = self.text(receiver, depth + 1)
        {
            let values = self.value_names(list, 0);
            return Some(self.made(&plain_placeholders(&text, &values)));
        }
        let first = list.named_child(0)?;
        let first = transparent(first).unwrap_or(first);
        let first_text = self.text(first, depth + 1);
        match (&*lower, first_text) {
            ("sprintf" | "format" | "formatted", Some(text)) => {
                let values = self.value_names(list, 1);
                Some(self.made(&plain_placeholders(&text, &values)))
            }
            ("url" | "path" | "uri" | "create" | "f" | "str" | "string", Some(text)) => {
                let base = list.named_child(1).filter(|_| lower == "url");
                let base = base.map(|base| self.value_name(base));
                match base.filter(|base| base.contains("://")) {
                    Some(base) if !text.contains("://") => {
                        let text = format!("{base}/{}", text.trim_start_matches('/'));
                        Some(self.made(&text))
                    }
                    _ => text.contains('/').then_some(text),
                }
            }
            ("urljoin", _) => {
                let second = list.named_child(1)?;
                let text = self.text(second, depth + 1)?;
                let base = self.value_name(first);
                let text = format!("{base}/{}", text.trim_start_matches('/'));
                Some(self.made(&text))
            }
            _ => None,
        }
    }

    /// The values that the arguments from a position on insert into a text.
    fn value_names(&mut self, list: Node<'_>, from: usize) -> Vec<String> {
        let mut cursor = list.walk();
        let values = list.named_children(&mut cursor).skip(from).take(8);
        values.map(|value| self.value_name(value)).collect()
    }

    /// The value that an argument inserts into a text: its own text if it is one.
    fn value_name(&mut self, value: Node<'_>) -> String {
        let value = transparent(value).unwrap_or(value);
        let text = is_text(value.kind_name()).then(|| self.text(value, 1));
        text.flatten().unwrap_or_else(|| self.placeholder(value))
    }

    /// The parts of `settings["NAME"]`: a member by a literal name.
    fn element_parts<'t>(&self, node: Node<'t>) -> Option<(Node<'t>, &'s str)> {
        let (object, key) = match node.kind_name() {
            "subscript" => (node.field("value")?, node.field("subscript")?),
            "subscript_expression" => (node.field("object")?, node.field("index")?),
            _ => return None,
        };
        if !is_text(key.kind_name()) {
            return None;
        }
        let key = self.raw(key).trim_matches(['"', '\'']);
        is_plain_key(key).then_some((object, key))
    }

    /// A dotted name; `None` for anything else.
    pub(super) fn dotted(&self, node: Node<'_>) -> Option<String> {
        let mut parts: Vec<&str> = Vec::new();
        let mut next = node;
        for _ in 0..8 {
            if !self.spend(1) {
                return None;
            }
            let kind = next.kind_name();
            match kind {
                "identifier"
                | "property_identifier"
                | "field_identifier"
                | "constant"
                | "type_identifier"
                | "name"
                | "qualified_name"
                | "package_identifier"
                | "shorthand_property_identifier"
                | "namespace_name"
                | "simple_identifier" => {
                    parts.push(self.raw(next));
                    break;
                }
                "variable_name" | "instance_variable" | "class_variable" => {
                    parts.push(self.raw(next).trim_start_matches(['$', '@']));
                    break;
                }
                "this" | "self" | "this_expression" => {
                    parts.push("this");
                    break;
                }
                "scoped_identifier"
                | "scoped_type_identifier"
                | "qualified_type"
                | "generic_type"
                | "scope_resolution" => {
                    parts.push(self.raw(next));
                    break;
                }
                "unary_expression" | "reference_expression" | "pointer_expression" => {
                    next = next.field("operand").or_else(|| next.field("value"))?;
                    continue;
                }
                _ => {}
            }
            if let Some((object, key)) = self.element_parts(next) {
                parts.push(key);
                next = object;
                continue;
            }
            let (object, member) = member_parts(next)?;
            parts.push(self.raw(member).trim_start_matches('$'));
            next = object;
        }
        // `::` is written as a dot.
        if parts.iter().map(|part| part.len()).sum::<usize>() > 2 * LONGEST_NAME {
            return None;
        }
        parts.reverse();
        if let Some(first @ &mut "self") = parts.first_mut() {
            *first = "this";
        }
        let name = parts.join(".").replace("::", ".");
        (!name.is_empty() && name.len() <= LONGEST_NAME && !name.contains(char::is_whitespace))
            .then_some(name)
    }
}

/// Whether a text in quotes can be the name of a member.
fn is_plain_key(key: &str) -> bool {
    !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// Whether a method adds to a router and returns it, so that such calls are chained.
fn is_building(name: &str) -> bool {
    BUILDING.contains(&name)
}

/// Whether a call is `route("/x")` without a handler: it returns the route, and the handlers follow.
pub(super) fn is_route_alone(name: &str, arguments: Option<Node<'_>>) -> bool {
    name == "route" && arguments.is_some_and(|list| list.named_child_count() == 1)
}

/// The only child of a node that adds no meaning.
fn transparent<'t>(node: Node<'t>) -> Option<Node<'t>> {
    match node.kind_name() {
        "await_expression"
        | "await"
        | "as_expression"
        | "non_null_expression"
        | "try_expression"
        | "satisfies_expression"
        | "argument"
        | "literal_element"
        | "expression_list"
        | "parenthesized_expression"
        | "spread_element"
        | "generic_function" => {
            let value = node.field("value").or_else(|| node.field("function"));
            value.or_else(|| node.named_child(0))
        }
        // One element is a value, two are a key with its value.
        "value_argument" | "array_element_initializer" if node.named_child_count() == 1 => {
            node.named_child(0)
        }
        _ => None,
    }
}

pub(super) fn is_text(kind: &str) -> bool {
    matches!(
        kind,
        "string"
            | "template_string"
            | "interpreted_string_literal"
            | "raw_string_literal"
            | "string_literal"
            | "encapsed_string"
            | "interpolated_string_expression"
            | "verbatim_string_literal"
            | "multiline_string_literal"
            | "line_string_literal"
    )
}

/// Whether a node is a function or its body, in any grammar.
pub(super) fn is_function_like(kind: &str) -> bool {
    is_function(kind)
        || kind.contains("function")
        || kind.contains("method_de")
        || kind == "method"
        || kind == "constructor_declaration"
}

fn is_comment(node: Node<'_>) -> bool {
    node.kind_name().ends_with("comment")
}

fn is_function(kind: &str) -> bool {
    matches!(
        kind,
        "arrow_function"
            | "function_expression"
            | "function"
            | "func_literal"
            | "lambda"
            | "lambda_expression"
            | "lambda_literal"
            | "closure_expression"
            | "anonymous_function"
            | "anonymous_function_creation_expression"
            | "block"
            | "do_block"
            | "generator_function"
    )
}

/// The parts of `object.member`.
fn member_parts<'t>(node: Node<'t>) -> Option<(Node<'t>, Node<'t>)> {
    let pair = |object: &'static str, member: &'static str| {
        Some((node.field(object)?, node.field(member)?))
    };
    match node.kind_name() {
        "member_expression" => pair("object", "property"),
        "attribute" => pair("object", "attribute"),
        "selector_expression" => pair("operand", "field"),
        "field_access" => pair("object", "field"),
        "field_expression" => pair("value", "field"),
        "member_access_expression" => pair("expression", "name").or_else(|| pair("object", "name")),
        "class_constant_access_expression" => Some((node.named_child(0)?, node.named_child(1)?)),
        "call" if node.field("arguments").is_none() => pair("receiver", "method"),
        "navigation_expression" => Some((node.named_child(0)?, node.named_child(1)?)),
        _ => None,
    }
}

/// Whether a node of this kind calls something: see [`call_parts`].
pub(super) fn is_call(kind: &str) -> bool {
    matches!(
        kind,
        "call_expression"
            | "invocation_expression"
            | "function_call_expression"
            | "call"
            | "method_invocation"
            | "member_call_expression"
            | "nullsafe_member_call_expression"
            | "scoped_call_expression"
            | "new_expression"
            | "object_creation_expression"
            | "composite_literal"
            | "macro_invocation"
    )
}

/// The parts of a call in any grammar; `None` if the node is no call.
pub(super) fn call_parts<'t>(node: Node<'t>) -> Option<CallParts<'t>> {
    // Looked up only for calls, since most nodes are none.
    let arguments = || node.field("arguments");
    match node.kind_name() {
        "call_expression" | "invocation_expression" | "function_call_expression" => {
            match node.field("function") {
                Some(function) => split_callee(function, arguments()),
                // Kotlin has no fields for the parts.
                None => split_callee(node.named_child(0)?, node.named_child(1)),
            }
        }
        // In Python the field is `function`, in Ruby `method`.
        "call" => match node.field("function") {
            Some(function) => split_callee(function, arguments()),
            None => Some(CallParts {
                name: node.field("method")?,
                receiver: node.field("receiver"),
                arguments: Some(arguments()?),
            }),
        },
        "method_invocation" | "member_call_expression" | "nullsafe_member_call_expression" => {
            Some(CallParts {
                name: node.field("name")?,
                receiver: node.field("object"),
                arguments: arguments(),
            })
        }
        "scoped_call_expression" => Some(CallParts {
            name: node.field("name")?,
            receiver: node.field("scope"),
            arguments: arguments(),
        }),
        "new_expression" => split_callee(node.field("constructor")?, arguments()),
        "object_creation_expression" => {
            let class = node.field("type").or_else(|| node.named_child(0))?;
            split_callee(class, arguments())
        }
        "composite_literal" => split_callee(node.field("type")?, node.field("body")),
        "macro_invocation" => {
            let mut cursor = node.walk();
            let mut children = node.named_children(&mut cursor);
            let tokens = children.find(|c| c.kind_name() == "token_tree");
            Some(CallParts {
                name: node.field("macro")?,
                receiver: None,
                arguments: tokens,
            })
        }
        _ => None,
    }
}

/// A callee as its last name and the expression before it.
fn split_callee<'t>(callee: Node<'t>, arguments: Option<Node<'t>>) -> Option<CallParts<'t>> {
    let callee = match callee.kind_name() {
        "generic_function" => callee.field("function")?,
        "parenthesized_expression" => callee.named_child(0)?,
        "generic_type" => callee.named_child(0)?,
        _ => callee,
    };
    if let Some((object, member)) = member_parts(callee) {
        return Some(CallParts {
            name: member,
            receiver: Some(object),
            arguments,
        });
    }
    match callee.kind_name() {
        "scoped_identifier" | "scoped_type_identifier" | "qualified_name" | "qualified_type" => {
            let name = callee.field("name");
            let last = u32::try_from(callee.named_child_count().checked_sub(1)?).ok()?;
            let name = name.or_else(|| callee.named_child(last))?;
            let before = callee.field("path").or_else(|| callee.named_child(0));
            Some(CallParts {
                name,
                receiver: before.filter(|b| b.id() != name.id()),
                arguments,
            })
        }
        "identifier"
        | "type_identifier"
        | "name"
        | "property_identifier"
        | "constant"
        | "field_identifier" => Some(CallParts {
            name: callee,
            receiver: None,
            arguments,
        }),
        _ => None,
    }
}

/// Most calls of a chain that are followed back to its beginning, from each of them.
const LONGEST_CHAIN: usize = 256;

/// A text with the placeholders of `printf`, `format` and the like written in braces, with names where the values have
/// names.
fn plain_placeholders(text: &str, values: &[String]) -> String {
    let mut out = String::new();
    let mut values = values.iter();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '%' if chars
                .peek()
                .is_some_and(|next| next.is_ascii_alphabetic() || *next == '(') =>
            {
                if chars.next() == Some('(') {
                    let name: String = chars.by_ref().take_while(|c| *c != ')').collect();
                    chars.next();
                    out.push_str(&format!("{{{name}}}"));
                } else {
                    out.push_str(values.next().map_or("{}", |v| v));
                }
            }
            '{' => {
                let name: String = chars.by_ref().take_while(|c| *c != '}').collect();
                let name = name.split([':', '!']).next().unwrap_or_default().to_owned();
                if name.is_empty() || name.bytes().all(|b| b.is_ascii_digit()) {
                    out.push_str(values.next().map_or("{}", |v| v));
                } else {
                    out.push_str(&format!("{{{name}}}"));
                }
            }
            c => out.push(c),
        }
    }
    out
}
