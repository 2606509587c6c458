//! The rules of macros in a file: those that produce expressions become functions of their arguments, and those that
//! produce items are expanded at their calls. A name with `$` is read as a name; see [`super`].

use super::Walker;
use super::macros::range_inside_delimiters;
use base::SymbolKind;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::{Node, Range};

/// Most rules of a macro that are read.
const MOST_RULES: usize = 16;
/// Most names of a rule that is read.
const MOST_NAMES: usize = 16;

/// Fragments that a name in a pattern may stand for.
const FRAGMENTS: [&str; 7] = ["ident", "literal", "tt", "block", "expr", "ty", "path"];

/// Keywords that begin neither an expression nor a type.
const ITEM_WORDS: [&str; 10] = [
    "pub", "struct", "enum", "trait", "type", "mod", "use", "static", "let", "where",
];

/// The argument for a name with `$`.
#[derive(Clone, Copy)]
pub(super) struct MacroArgument<'s> {
    /// The name, with `$`.
    name: &'s str,
    /// The range of the argument.
    range: Range,
    /// The call.
    call: Range,
}

/// The arguments matched by the names of a pattern: once, and in each repetition.
#[derive(Default)]
struct Matched<'s> {
    once: Vec<(&'s str, Range)>,
    turns: Vec<Vec<(&'s str, Range)>>,
}

impl<'s> Walker<'_, 's> {
    // ---- rules that produce expressions ----

    /// Reads the rules of a macro that produce an expression from plain arguments, up to the first with another
    /// pattern.
    pub(super) fn visit_macro_rules(&mut self, node: Node<'_>, id: DefId) {
        if self.in_macro_rule || !self.b.enter_level() {
            return;
        }
        self.b.open_owner(id);
        let mut cursor = node.walk();
        let rules = node.named_children(&mut cursor);
        let rules = rules.filter(|c| c.kind_name() == "macro_rule");
        for rule in rules.take(MOST_RULES) {
            let names = rule.field("left").and_then(|left| self.plain_pattern(left));
            let (Some(names), Some(right)) = (names, rule.field("right")) else {
                break;
            };
            self.visit_macro_rule(rule, &names, right);
        }
        self.b.close_owner();
        self.b.leave_level();
    }

    /// The names of `($a:expr, $b:ident)`.
    fn plain_pattern(&self, left: Node<'_>) -> Option<Vec<&'s str>> {
        let mut names = Vec::new();
        let mut cursor = left.walk();
        for child in left.named_children(&mut cursor) {
            match child.kind_name() {
                "token_binding_pattern" => names.push(self.b.text(child.field("name")?)),
                // `$(,)?` at the end of a pattern.
                "token_repetition_pattern" if self.b.text(child) == "$(,)?" => {}
                _ => return None,
            }
        }
        let mut cursor = left.walk();
        let mut signs = left.children(&mut cursor).filter(|c| !c.is_named());
        let plain = signs.all(|c| matches!(c.kind_name(), "," | "(" | ")" | "[" | "]" | "{" | "}"));
        (plain && names.len() <= MOST_NAMES).then_some(names)
    }

    fn visit_macro_rule(&mut self, rule: Node<'_>, names: &[&'s str], right: Node<'_>) {
        let end = if self.b.text(right).starts_with('{') {
            ""
        } else {
            ";"
        };
        self.in_macro_rule = true;
        let tree = self.parse_fragment(right.range(), "", end);
        if let Some(tree) = tree {
            let root = tree.root_node();
            if !root.has_error() && !has_items(root) {
                self.add_rule_function(rule, names, root);
            }
        }
        self.in_macro_rule = false;
    }

    fn add_rule_function(&mut self, rule: Node<'_>, names: &[&'s str], root: Node<'_>) {
        let Some(body) = root.named_child(0) else {
            return;
        };
        let facts = self.b.facts();
        let (calls, references, writes, marks) = (
            facts.calls.len(),
            facts.references.len(),
            facts.writes.len(),
            facts.marks.len(),
        );
        let name = self.b.intern_owned_name("<anonymous>");
        let id = self.b.add_def(name, SymbolKind::Function, rule, rule);
        let flags = &mut self.b.def_mut(id).flags;
        flags.set(DefFlags::ANONYMOUS);
        flags.set(DefFlags::LOCAL);
        self.b.open_def(id, ScopeKind::Function);
        let self_types = std::mem::take(&mut self.self_types);
        self.functions += 1;
        self.returns.push(None);
        let mut params = Vec::new();
        for (name, index) in names.iter().zip(0..) {
            let name = self.b.intern_name(name);
            self.b.bind(name, Namespace::VALUE, Bound::Param(id, index));
            params.push(Param {
                name,
                ty: None,
                default: None,
                kind: ParamKind::Plain,
            });
        }
        let inner = match body.kind_name() {
            "expression_statement" => super::first_child(body).unwrap_or(body),
            _ => body,
        };
        let value = self.expr(inner);
        self.returns.pop();
        self.functions -= 1;
        self.self_types = self_types;
        self.b.def_mut(id).callable = Some(Box::new(Callable {
            params,
            returns: vec![value],
            ..Callable::default()
        }));
        self.b.close_def();
        // The calls of a rule happen where the macro is called.
        let facts = self.b.facts_mut();
        facts.calls.truncate(calls);
        facts.references.truncate(references);
        facts.writes.truncate(writes);
        facts.marks.truncate(marks);
    }

    // ---- rules that produce items ----

    /// Reads the items that a macro of the file produces for a call with arguments; false if there are none that can be
    /// read.
    pub(super) fn expand_with_arguments(&mut self, call: Node<'_>, tokens: Node<'_>) -> bool {
        let Some(path) = call
            .field("macro")
            .filter(|p| p.kind_name() == "identifier")
        else {
            return false;
        };
        let name = self.b.text(path);
        if self.in_macro_rule || tokens.named_child_count() == 0 || !self.own_macros.contains(name)
        {
            return false;
        }
        let Some(definition) = self.find_own_macro(call, name) else {
            return false;
        };
        let given = inner_tokens(tokens);
        let mut cursor = definition.walk();
        let rules = definition.named_children(&mut cursor);
        let rules = rules.filter(|c| c.kind_name() == "macro_rule");
        for rule in rules.take(MOST_RULES) {
            let (Some(left), Some(right)) = (rule.field("left"), rule.field("right")) else {
                continue;
            };
            // Each call reads the pattern again. If it is unclear whether a rule matches, later rules are not tried.
            let price = given.len() / 8 + left.byte_range().len() / 4;
            if !self.again.spend(price) || !self.is_readable_pattern(left) {
                return false;
            }
            if let Some(matched) = self.match_rule(left, &given) {
                return self.visit_rule_items(call, right, &matched);
            }
        }
        false
    }

    /// Whether [`Self::match_tokens`] can handle a pattern: names, words and symbols, and one repetition of these.
    fn is_readable_pattern(&self, left: Node<'_>) -> bool {
        let plain = |part: &Node<'_>| self.is_plain_part(*part);
        // Brackets may only contain plain parts: `$name:ident()`, `[$a:ty]`.
        let known = |part: &Node<'_>| match part.kind_name() {
            "token_tree_pattern" => inner_tokens(*part).iter().all(plain),
            _ => plain(part),
        };
        let mut repetitions = 0;
        inner_tokens(left).iter().all(|part| {
            if part.kind_name() != "token_repetition_pattern" {
                return known(part);
            }
            let inside = inner_tokens(*part);
            repetitions += usize::from(!self.is_spare_sign(&inside));
            repetitions < 2 && inside.iter().all(known)
        })
    }

    /// Whether a part of a pattern is a name, a word or a symbol.
    fn is_plain_part(&self, part: Node<'_>) -> bool {
        match part.kind_name() {
            "token_binding_pattern" => part
                .field("type")
                .is_some_and(|fragment| FRAGMENTS.contains(&self.b.text(fragment))),
            kind => !kind.ends_with("_pattern"),
        }
    }

    /// Whether a repetition such as `$(,)?` contains only a symbol.
    fn is_spare_sign(&self, inside: &[Node<'_>]) -> bool {
        matches!(inside, [one] if matches!(self.b.text(*one), "," | ";"))
    }

    fn match_rule(&self, left: Node<'_>, given: &[Node<'_>]) -> Option<Matched<'s>> {
        let mut matched = Matched::default();
        let end = self.match_tokens(
            &inner_tokens(left),
            given,
            0,
            Some(&mut matched.turns),
            &mut matched.once,
        )?;
        (end == given.len()).then_some(matched)
    }

    /// Matches a pattern from one token on, with one level of repetition; returns where it ends.
    fn match_tokens(
        &self,
        pattern: &[Node<'_>],
        given: &[Node<'_>],
        mut at: usize,
        mut turns: Option<&mut Vec<Vec<(&'s str, Range)>>>,
        names: &mut Vec<(&'s str, Range)>,
    ) -> Option<usize> {
        for (place, part) in pattern.iter().enumerate() {
            match part.kind_name() {
                "token_binding_pattern" => {
                    let (name, fragment) = (part.field("name")?, part.field("type")?);
                    let stop = pattern.get(place + 1).map(|next| self.b.text(*next));
                    let end = self.end_of_fragment(self.b.text(fragment), given, at, stop)?;
                    let (first, last) = (given.get(at)?, given.get(end.checked_sub(1)?)?);
                    let range = super::macros::make_range(
                        (first.start_byte(), first.start_position()),
                        (last.end_byte(), last.end_position()),
                    );
                    names.push((self.b.text(name), range));
                    at = end;
                }
                "token_repetition_pattern" => {
                    let inside = inner_tokens(*part);
                    if self.is_spare_sign(&inside) {
                        let is_it =
                            |token: &Node<'_>| self.b.text(*token) == self.b.text(inside[0]);
                        at += usize::from(given.get(at).is_some_and(is_it));
                        continue;
                    }
                    let all = turns.take()?;
                    let separator = self.separator(*part);
                    while at < given.len() {
                        let mut turn = Vec::new();
                        let Some(end) = self.match_tokens(&inside, given, at, None, &mut turn)
                        else {
                            break;
                        };
                        if end == at {
                            break;
                        }
                        (at, _) = (end, all.push(turn));
                        if separator.is_empty() {
                            continue;
                        }
                        let more = given.get(at).is_some_and(|t| self.b.text(*t) == separator);
                        if !more || at + 1 == given.len() {
                            break;
                        }
                        at += 1;
                    }
                }
                "token_tree_pattern" => {
                    self.match_brackets(*part, *given.get(at)?, names)?;
                    at += 1;
                }
                _ if self.b.text(*part) == self.b.text(*given.get(at)?) => at += 1,
                _ => return None,
            }
        }
        Some(at)
    }

    /// Matches brackets in a pattern with the same brackets in the call.
    fn match_brackets(
        &self,
        pattern: Node<'_>,
        given: Node<'_>,
        names: &mut Vec<(&'s str, Range)>,
    ) -> Option<()> {
        let bracket = |node: Node<'_>| self.b.text(node).chars().next();
        if given.kind_name() != "token_tree" || bracket(pattern) != bracket(given) {
            return None;
        }
        let tokens = inner_tokens(given);
        let end = self.match_tokens(&inner_tokens(pattern), &tokens, 0, None, names)?;
        (end == tokens.len()).then_some(())
    }

    /// The end of the fragment that begins at a token.
    fn end_of_fragment(
        &self,
        fragment: &str,
        given: &[Node<'_>],
        at: usize,
        stop: Option<&str>,
    ) -> Option<usize> {
        let first = given.get(at)?;
        let is_word = matches!(first.kind_name(), "identifier" | "primitive_type");
        match fragment {
            "ident" => is_word.then_some(at + 1),
            "literal" => first.kind_name().ends_with("_literal").then_some(at + 1),
            "tt" => Some(at + 1),
            "block" => (first.kind_name() == "token_tree").then_some(at + 1),
            _ if ITEM_WORDS.contains(&self.b.text(*first)) => None,
            "expr" | "ty" | "path" => {
                let mut angles = 0i32;
                let end = given[at..].iter().position(|token| {
                    let text = self.b.text(*token);
                    match text {
                        "<" => angles += 1,
                        ">" => angles -= 1,
                        _ => {}
                    }
                    let open = fragment != "expr" && angles > 0;
                    !open && (matches!(text, "," | ";" | "=>") || stop == Some(text))
                });
                let end = end.map_or(given.len(), |n| at + n);
                (end > at).then_some(end)
            }
            _ => None,
        }
    }

    /// The separator of a repetition.
    fn separator(&self, repetition: Node<'_>) -> &'s str {
        let text = self.b.text(repetition).trim_end_matches(['*', '+', '?']);
        let after = text.rfind(')').map_or("", |at| &text[at + 1..]);
        after.trim()
    }

    /// Reads the items of a rule with its names filled in: items outside of the repetition once, those inside for each
    /// repetition.
    fn visit_rule_items(&mut self, call: Node<'_>, right: Node<'_>, matched: &Matched<'s>) -> bool {
        let inside = range_inside_delimiters(right);
        let mut start = (inside.start_byte, inside.start_point);
        let mut found = false;
        let mut cursor = right.walk();
        for child in right.named_children(&mut cursor) {
            if child.kind_name() != "token_repetition" {
                continue;
            }
            let before =
                super::macros::make_range(start, (child.start_byte(), child.start_position()));
            found |= self.visit_items_filled(call, before, [[].as_slice()], &matched.once);
            let turns = matched.turns.iter().map(Vec::as_slice);
            found |=
                self.visit_items_filled(call, range_of_repetition(child), turns, &matched.once);
            start = (child.end_byte(), child.end_position());
        }
        let rest = super::macros::make_range(start, (inside.end_byte, inside.end_point));
        found | self.visit_items_filled(call, rest, [[].as_slice()], &matched.once)
    }

    /// Reads a range of a rule as items, once for each repetition: with the names of that repetition and those matched
    /// once.
    fn visit_items_filled<'m>(
        &mut self,
        call: Node<'_>,
        stretch: Range,
        turns: impl IntoIterator<Item = &'m [(&'s str, Range)]>,
        once: &[(&'s str, Range)],
    ) -> bool
    where
        's: 'm,
    {
        let text = self.b.source.get(stretch.start_byte..stretch.end_byte);
        if text.is_none_or(|t| t.trim().is_empty()) {
            return false;
        }
        self.in_macro_rule = true;
        let tree = self.parse_fragment(stretch, "", "");
        let tree = tree.filter(|t| super::macro_items::has_only_items(t.root_node()));
        let outer = std::mem::replace(&mut self.in_own_macro, true);
        let mut found = false;
        if let Some(tree) = tree {
            for names in turns {
                // Each name is copied, and searched among all.
                let price = 4 * (names.len() + once.len());
                if !self
                    .again
                    .spend(stretch.end_byte - stretch.start_byte + price)
                {
                    self.b.facts_mut().too_deep += 1;
                    break;
                }
                let arguments = names.iter().chain(once).map(|(name, range)| MacroArgument {
                    name,
                    range: *range,
                    call: call.range(),
                });
                self.arguments = arguments.collect();
                found = true;
                self.with_depth_check((), |w| {
                    w.visit_statements(tree.root_node());
                });
            }
        }
        self.arguments.clear();
        self.in_own_macro = outer;
        self.in_macro_rule = false;
        found
    }

    // ---- names with `$` ----

    fn macro_argument(&self, name: &str) -> Option<MacroArgument<'s>> {
        self.arguments.iter().find(|a| a.name == name).copied()
    }

    /// A name with `$`: its argument, if that is a single word.
    pub(super) fn intern_macro_name(&mut self, name: &'s str) -> NameId {
        if name == "$crate" {
            return self.b.intern_name("crate");
        }
        let given = self.macro_argument(name);
        let text = given.and_then(|a| self.b.source.get(a.range.start_byte..a.range.end_byte));
        match text {
            Some(text) if is_word(text) => {
                let text = text.strip_prefix("r#").unwrap_or(text);
                self.b.intern_name(text)
            }
            _ => self.b.intern_name(name),
        }
    }

    /// The last name of the type that is the argument for a name with `$`.
    pub(super) fn intern_macro_type_name(&mut self, name: &'s str) -> NameId {
        let given = self.macro_argument(name);
        let text = given.and_then(|a| self.b.source.get(a.range.start_byte..a.range.end_byte));
        let head = text.and_then(|text| text.split('<').next()).unwrap_or("");
        let last = head.rsplit([':', ' ', '&']).next().unwrap_or("").trim();
        if is_word(last) {
            self.b.intern_name(last)
        } else {
            self.intern_macro_name(name)
        }
    }

    /// Whether a node is a name with `$` whose argument is more than a word.
    pub(super) fn is_macro_argument(&self, node: Node<'_>) -> bool {
        let text = self.b.text(node);
        text.starts_with('$') && self.macro_argument(text).is_some()
    }

    /// The type that is the argument for a name.
    pub(super) fn type_of_macro_argument(&mut self, node: Node<'_>) -> TypeId {
        let Some(given) = self.macro_argument(self.b.text(node)) else {
            return self.unknown_type;
        };
        // The argument is part of the call, where `$` has no meaning.
        let arguments = std::mem::take(&mut self.arguments);
        self.in_macro_rule = false;
        let ty = self.type_in(given.range);
        self.in_macro_rule = true;
        self.arguments = arguments;
        ty
    }

    /// The type in a range of the file.
    pub(super) fn type_in(&mut self, range: Range) -> TypeId {
        let tree = self.parse_fragment(range, "0 as ", ";");
        let ty = tree.and_then(|tree| {
            let root = tree.root_node();
            let cast = root.named_child(0).and_then(super::first_child);
            let cast =
                cast.filter(|c| c.kind_name() == "type_cast_expression" && !root.has_error());
            cast.and_then(|c| c.field("type")).map(|ty| self.ty(ty))
        });
        ty.unwrap_or(self.unknown_type)
    }

    /// A definition that is named by an argument has the place of the argument, and the macro call as its text.
    pub(super) fn place_at_macro_argument(&mut self, id: DefId, name_node: Node<'_>) {
        let name = self.b.text(name_node);
        let Some(given) = Some(name)
            .filter(|n| n.starts_with('$'))
            .and_then(|n| self.macro_argument(n))
        else {
            return;
        };
        let def = self.b.def_mut(id);
        def.name_line = given.range.start_point.row as u32 + 1;
        def.name_column = given.range.start_point.column as u32;
        def.span = base::Span {
            start_line: given.call.start_point.row as u32 + 1,
            end_line: given.call.end_point.row as u32 + 1,
            start_byte: given.call.start_byte as u32,
            end_byte: given.call.end_byte as u32,
        };
        def.signature = (def.span.start_byte, def.span.end_byte);
    }
}

fn is_word(text: &str) -> bool {
    !text.is_empty()
        && text
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '#'))
}

/// The tokens inside a pair of delimiters; for a repetition, the repeated ones.
fn inner_tokens<'t>(tree: Node<'t>) -> Vec<Node<'t>> {
    let mut cursor = tree.walk();
    let mut all: Vec<Node<'t>> = tree
        .children(&mut cursor)
        .filter(|c| !matches!(c.kind_name(), "line_comment" | "block_comment"))
        .collect();
    let is = |node: Option<&Node<'t>>, kinds: &[&str]| {
        node.is_some_and(|n| kinds.contains(&n.kind_name()))
    };
    if tree.kind_name().starts_with("token_repetition") {
        let open = all.iter().position(|n| n.kind_name() == "(");
        let close = all.iter().rposition(|n| n.kind_name() == ")");
        return match (open, close) {
            (Some(open), Some(close)) if open < close => all[open + 1..close].to_vec(),
            _ => Vec::new(),
        };
    }
    if is(all.last(), &[")", "]", "}"]) {
        all.pop();
    }
    if is(all.first(), &["(", "[", "{"]) {
        all.remove(0);
    }
    all
}

/// The range between the brackets of `$( … )*`.
fn range_of_repetition(repetition: Node<'_>) -> Range {
    let mut cursor = repetition.walk();
    let all: Vec<Node<'_>> = repetition.children(&mut cursor).collect();
    let open = all.iter().find(|n| n.kind_name() == "(");
    let close = all.iter().rfind(|n| n.kind_name() == ")");
    match (open, close) {
        (Some(open), Some(close)) => super::macros::make_range(
            (open.end_byte(), open.end_position()),
            (close.start_byte(), close.start_position()),
        ),
        _ => repetition.range(),
    }
}

/// Whether a tree contains items anywhere.
fn has_items(root: Node<'_>) -> bool {
    let mut cursor = root.walk();
    loop {
        let kind = cursor.node().kind_name();
        if kind.ends_with("_item") && !kind.ends_with("attribute_item")
            || matches!(
                kind,
                "macro_definition" | "use_declaration" | "extern_crate_declaration"
            )
        {
            return true;
        }
        if cursor.goto_first_child() || cursor.goto_next_sibling() {
            continue;
        }
        loop {
            if !cursor.goto_parent() {
                return false;
            }
            if cursor.goto_next_sibling() {
                break;
            }
        }
    }
}
