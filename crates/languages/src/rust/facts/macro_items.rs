//! Macro calls among items. Tokens that parse as an item are that item; other tokens make no definition.

use super::items::PendingAttributes;
use super::macros::{make_range, range_inside_delimiters};
use super::{Walker, cfg, child_of_kind, is_comment_or_attribute};
use base::SymbolKind;
use rustc_hash::FxHashSet;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::{Node, Range};

/// A range of tokens that may be one item: up to a `;` or a block in braces.
struct TokenRun<'t> {
    range: Range,
    tokens: Vec<Node<'t>>,
}

impl<'s> Walker<'_, 's> {
    /// A macro call among items: its tokens are items if they parse as such.
    pub(super) fn visit_item_macro(&mut self, node: Node<'_>) {
        let Some(tokens) = child_of_kind(node, "token_tree") else {
            self.visit_macro_call(node);
            return;
        };
        let braces = self.b.text(tokens).starts_with('{');
        let end = if braces { "" } else { ";" };
        let whole = self.parse_fragment(range_inside_delimiters(tokens), "", end);
        let reads = |root: Node<'_>| has_only_items(root) || (braces && !root.has_error());
        let whole = whole.filter(|tree| reads(tree.root_node()));
        let defs = self.b.facts().defs.len();
        if whole.is_none() && self.expand_with_arguments(node, tokens) {
            let calls = self.b.facts().calls.len();
            self.visit_macro_call(node);
            self.drop_calls_of_named(defs, calls);
            return;
        }
        if !braces && whole.is_none() && tokens.named_child_count() > 0 {
            if self.define_named_methods(node, tokens) {
                self.visit_macro_name(node);
            } else {
                self.visit_macro_call(node);
            }
            return;
        }
        let Some((call, name)) = self.add_macro_call_site(node) else {
            return;
        };
        self.b.add_call(call, CallKind::Macro, 0, name);
        if tokens.named_child_count() == 0 {
            self.expand_local_macro(node, name);
        }
        let from = self.b.facts().defs.len();
        // The macro may put the items under a condition.
        let may_leave_out = format!("{}!", self.b.text(name));
        let around = match self.b.text(name) {
            "thread_local" | "cfg_if" => self.push_cfg_conditions(&[]),
            _ => self.push_cfg_conditions(&[&may_leave_out]),
        };
        match whole {
            Some(tree) => {
                self.visit_statements(tree.root_node());
            }
            None => self.with_depth_check((), |w| w.visit_token_runs(tokens)),
        }
        self.b.set_condition(around);
        if self.b.text(name) == "thread_local" {
            self.wrap_thread_local_types(from);
        }
    }

    /// Drops `name()` among the arguments of a macro that defines a function `name`: it is not a call.
    fn drop_calls_of_named(&mut self, defs: usize, calls: usize) {
        let facts = self.b.facts_mut();
        let written: Vec<NameId> = facts.defs[defs..].iter().map(|def| def.name).collect();
        let own = facts.calls.split_off(calls);
        let is_named = |site: &CallSite| match facts.exprs[site.expr.index()] {
            Expr::Call { callee, .. } => {
                matches!(facts.exprs[callee.index()], Expr::Name { name, .. } if written.contains(&name))
            }
            _ => false,
        };
        let kept: Vec<CallSite> = own.into_iter().filter(|s| !is_named(s)).collect();
        facts.calls.extend(kept);
    }

    /// Records the call of a macro, without its arguments.
    fn visit_macro_name(&mut self, node: Node<'_>) {
        if let Some((call, name)) = self.add_macro_call_site(node) {
            self.b.add_call(call, CallKind::Macro, 0, name);
        }
    }

    /// `name!();`, if the file has `macro_rules! name { () => { items } }`: reads those items.
    fn expand_local_macro(&mut self, call: Node<'_>, name: Node<'_>) {
        let text = self.b.text(name);
        if !self.own_macros.contains(text) {
            return;
        }
        let Some(found) = self.find_own_macro(call, text) else {
            return;
        };
        let Some(rule) = child_of_kind(found, "macro_rule") else {
            return;
        };
        let (Some(left), Some(right)) = (rule.field("left"), rule.field("right")) else {
            return;
        };
        let place = found.start_byte();
        if left.named_child_count() > 0 || self.spelled_out.contains(&place) {
            return;
        }
        let tree = self.parse_fragment(range_inside_delimiters(right), "", "");
        if let Some(tree) = tree.filter(|t| !t.root_node().has_error()) {
            self.spelled_out.push(place);
            let outer = std::mem::replace(&mut self.in_own_macro, true);
            self.with_depth_check((), |w| {
                w.visit_statements(tree.root_node());
            });
            self.in_own_macro = outer;
        }
    }

    /// The definition of a macro among the items of the file that a call sees: the last one before it, else the first.
    pub(super) fn find_own_macro<'t>(&mut self, call: Node<'t>, name: &str) -> Option<Node<'t>> {
        let (mut root, mut height) = (call, 0usize);
        while let Some(above) = root.parent() {
            (root, height) = (above, height + 1);
        }
        // Each step upwards starts at the root, and the definition is searched among all items there.
        if !self
            .again
            .spend(height * height / 8 + root.child_count() as usize)
        {
            self.b.facts_mut().too_deep += 1;
            return None;
        }
        let mut found: Option<Node<'t>> = None;
        let mut cursor = root.walk();
        for child in root.named_children(&mut cursor) {
            let is_it = child.kind_name() == "macro_definition"
                && child.field("name").is_some_and(|n| self.b.text(n) == name);
            if is_it && (found.is_none() || child.start_byte() < call.start_byte()) {
                found = Some(child);
            }
        }
        found
    }

    /// `thread_local! { static A: T = value; }` makes a key and not a `T`.
    fn wrap_thread_local_types(&mut self, from: usize) {
        let path = ["std", "thread", "LocalKey"].map(|segment| self.b.intern_owned_name(segment));
        for at in from..self.b.facts().defs.len() {
            let def = self.b.facts().def(DefId(at as u32));
            let (SymbolKind::Variable, Some(inner)) = (def.kind, def.ty) else {
                continue;
            };
            let key = self.b.add_type(TypeExpr::Named {
                path: path.into(),
                args: [inner].into(),
                scope: FILE_SCOPE,
                at: 0,
            });
            let def = self.b.def_mut(DefId(at as u32));
            (def.ty, def.value) = (Some(key), None);
        }
    }

    /// Reads tokens in braces that are not items as a whole.
    fn visit_token_runs(&mut self, tokens: Node<'_>) {
        if let Some(tree) = self.parse_fragment(range_inside_delimiters(tokens), "", "")
            && has_only_items(tree.root_node())
        {
            self.visit_statements(tree.root_node());
            return;
        }
        // The predicates of the branches of `if #[cfg(…)] { … } else { … }` so far.
        let mut taken = Vec::new();
        for stretch in split_token_runs(tokens) {
            if !self.try_visit_cfg_if_branch(&stretch, &mut taken)
                && !self.try_visit_as_items(&stretch, None)
                && !self.try_visit_static_ref(&stretch)
                && !self.try_visit_bitflags(&stretch)
            {
                self.visit_fragments_between(&stretch.tokens, stretch.range);
            }
        }
    }

    /// Reads a range of tokens if it parses as items.
    fn try_visit_as_items(&mut self, stretch: &TokenRun<'_>, blank: Option<Node<'_>>) -> bool {
        let blank = blank.map(|b| b.byte_range()).unwrap_or_default();
        let tree = self.parse_fragment_blanked(stretch.range, blank, "", "");
        let Some(tree) = tree.filter(|t| has_only_items(t.root_node())) else {
            return false;
        };
        self.visit_statements(tree.root_node());
        true
    }

    /// `static ref NAME: Type = value;`
    fn try_visit_static_ref(&mut self, stretch: &TokenRun<'_>) -> bool {
        let word = stretch
            .tokens
            .windows(2)
            .find(|pair| self.b.text(pair[0]) == "static" && self.b.text(pair[1]) == "ref");
        word.is_some_and(|pair| self.try_visit_as_items(stretch, Some(pair[1])))
    }

    /// `if #[cfg(…)] { items } else { items }`: reads both branches; one of them is for other platforms.
    fn try_visit_cfg_if_branch(
        &mut self,
        stretch: &TokenRun<'_>,
        taken: &mut Vec<&'s str>,
    ) -> bool {
        let mut tokens = &stretch.tokens[..];
        let otherwise = tokens.first().is_some_and(|t| self.b.text(*t) == "else");
        if otherwise {
            tokens = &tokens[1..];
        } else {
            taken.clear();
        }
        let body = match tokens {
            [r#if, hash, condition, body]
                if self.b.text(*r#if) == "if" && self.b.text(*hash) == "#" =>
            {
                let text = self.b.text(*condition).trim_matches(['[', ']']).trim();
                let Some(arguments) = text.strip_prefix("cfg") else {
                    return false;
                };
                Some((*body, Some(cfg::strip_cfg_parens(arguments))))
            }
            [body] if otherwise => Some((*body, None)),
            _ => None,
        };
        let Some((body, own)) = body.filter(|b| b.0.kind_name() == "token_tree") else {
            return false;
        };
        let others = (!taken.is_empty()).then(|| format!("not(any({}))", taken.join(", ")));
        let predicates: Vec<&str> = own.into_iter().chain(others.as_deref()).collect();
        let elsewhere =
            cfg::parse_condition(&format!("(all({}))", predicates.join(", "))).elsewhere;
        let from = self.b.facts().defs.len();
        let around = self.push_cfg_conditions(&predicates);
        self.with_depth_check((), |w| w.visit_token_runs(body));
        self.b.set_condition(around);
        if elsewhere {
            for def in &mut self.b.facts_mut().defs[from..] {
                def.flags.set(DefFlags::CONDITIONAL);
            }
        }
        taken.extend(own);
        true
    }

    /// `struct Flags: u32 { const A = 1; }`: a struct with constants of its own type.
    fn try_visit_bitflags(&mut self, stretch: &TokenRun<'_>) -> bool {
        let text = |at: usize| stretch.tokens.get(at).map_or("", |t| self.b.text(*t));
        let at = (0..stretch.tokens.len()).find(|at| text(*at) == "struct" && text(at + 2) == ":");
        let (Some(at), Some(body)) = (at, stretch.tokens.last()) else {
            return false;
        };
        if body.kind_name() != "token_tree" || !self.b.text(*body).starts_with('{') {
            return false;
        }
        let from = stretch.range;
        let head = make_range(
            (from.start_byte, from.start_point),
            (body.start_byte(), body.start_position()),
        );
        let blank = stretch.tokens[at + 2].start_byte()..body.start_byte();
        let id = DefId(self.b.facts().defs.len() as u32);
        let tree = self.parse_fragment_blanked(head, blank, "", ";");
        let Some(tree) = tree.filter(|t| has_only_items(t.root_node())) else {
            return false;
        };
        self.visit_statements(tree.root_node());
        if self.b.facts().defs.len() <= id.index() {
            return true;
        }
        let end = body.end_position().row as u32 + 1;
        let span = &mut self.b.def_mut(id).span;
        (span.end_line, span.end_byte) = (end, body.end_byte() as u32);
        self.b.open_owner(id);
        for constant in split_token_runs(*body) {
            self.visit_bitflag(&constant, id);
        }
        self.b.close_owner();
        true
    }

    /// `const NAME = value;`
    fn visit_bitflag(&mut self, stretch: &TokenRun<'_>, owner: DefId) {
        let is_const = |t: &&Node<'_>| self.b.text(**t) == "const";
        let Some(word) = stretch.tokens.iter().find(is_const) else {
            return;
        };
        let statement = make_range(
            (word.start_byte(), word.start_position()),
            (stretch.range.end_byte, stretch.range.end_point),
        );
        let keyword = word.byte_range();
        // Same length: `let` and two blanks.
        let Some(tree) = self.parse_fragment_replaced(statement, keyword, "let  ") else {
            return;
        };
        let root = tree.root_node();
        let declared = root.named_child(0).filter(|_| !root.has_error());
        let Some((node, name)) = declared.and_then(|n| Some((n, n.field("pattern")?))) else {
            return;
        };
        if name.kind_name() != "identifier" {
            return;
        }
        let visibility = self.b.facts().def(owner).visibility;
        let id = self.add_item_def(
            node,
            name,
            SymbolKind::Constant,
            &mut PendingAttributes::default(),
        );
        let ty = self.b.add_type(TypeExpr::SelfType(owner));
        let def = self.b.def_mut(id);
        def.visibility = visibility;
        def.flags.set(DefFlags::STATIC);
        def.ty = Some(ty);
        if let Some(value) = node.field("value") {
            self.b.open_owner(id);
            self.expr(value);
            self.b.close_owner();
        }
    }
}

/// The names after `macro_rules!` in a source.
pub(super) fn macro_rules_names(source: &str) -> FxHashSet<&str> {
    let after = source.split("macro_rules").skip(1);
    let name = |rest: &'_ str| -> Option<(usize, usize)> {
        let rest_of = |text: &str| text.trim_start().len();
        let bang = rest.len() - rest_of(rest);
        let name = rest[bang..].strip_prefix('!')?;
        let start = rest.len() - rest_of(name);
        let end = rest[start..].find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '#')));
        Some((start, end.map_or(rest.len(), |end| start + end)))
    };
    let names = after.filter_map(|rest| name(rest).map(|(from, to)| &rest[from..to]));
    names.collect()
}

/// Whether a tree contains only items.
pub(super) fn has_only_items(root: Node<'_>) -> bool {
    if root.has_error() {
        return false;
    }
    let mut cursor = root.walk();
    let mut children = root
        .named_children(&mut cursor)
        .filter(|c| !is_comment_or_attribute(c.kind_name()));
    let is_item = |c: Node<'_>| {
        c.kind_name().ends_with("_item")
            || matches!(
                c.kind_name(),
                "macro_definition" | "use_declaration" | "extern_crate_declaration"
            )
    };
    children.next().is_some_and(is_item)
        && children
            .all(|c| is_item(c) || matches!(c.kind_name(), "macro_invocation" | "empty_statement"))
}

/// The token ranges of a token tree.
fn split_token_runs<'t>(tokens: Node<'t>) -> Vec<TokenRun<'t>> {
    let inside = range_inside_delimiters(tokens);
    let mut out = Vec::new();
    let mut start = (inside.start_byte, inside.start_point);
    let mut pending = Vec::new();
    let mut cursor = tokens.walk();
    for child in tokens.children(&mut cursor) {
        let outside = child.start_byte() < inside.start_byte || child.end_byte() > inside.end_byte;
        if outside || is_comment_or_attribute(child.kind_name()) {
            continue;
        }
        pending.push(child);
        let block = child.kind_name() == "token_tree"
            && child.child(0).is_some_and(|c| c.kind_name() == "{");
        if block || child.kind_name() == ";" {
            let end = (child.end_byte(), child.end_position());
            out.push(TokenRun {
                range: make_range(start, end),
                tokens: std::mem::take(&mut pending),
            });
            start = end;
        }
    }
    if !pending.is_empty() {
        out.push(TokenRun {
            range: make_range(start, (inside.end_byte, inside.end_point)),
            tokens: pending,
        });
    }
    out
}
