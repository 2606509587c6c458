//! Reads the matches of a query in the order of the source, and makes definitions of them.

use super::query::{Event, Events, events};
use super::{Candidate, Clauses, Tags};
use crate::outline::{FoundDefinition, Walker, doc};
use base::{SymbolKind, Visibility};
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::builder::{Builder, MAX_HEAD_BYTES, head};
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Reads a whole file.
pub(crate) fn walk_tags(builder: &mut Builder<'_>, root: Node<'_>, tags: &'static Tags) {
    let Some(Events { events, exports }) = events(builder, root, tags) else {
        return;
    };
    let names = exports.map(|nodes| nodes.into_iter().map(|node| builder.text(node)));
    let exports = names.map(Iterator::collect);
    let mut sweep = Sweep {
        walker: Walker::new(builder, &tags.outline),
        tags,
        exports,
        open: Vec::new(),
        closed_until: 0,
        clauses: FxHashMap::default(),
        last: FxHashMap::default(),
    };
    for event in events {
        sweep.read(event);
    }
    let end = sweep.walker.b.source.len();
    sweep.close_until(end.saturating_add(1));
}

/// A definition whose contents are being read.
struct OpenDefinition {
    def: DefId,
    start: usize,
    /// The byte after it.
    end: usize,
    has_rest: bool,
}

/// A clause of a function: its owner, its name, and its number of parameters if that matters.
type ClauseKey = (Option<DefId>, NameId, Option<usize>);

struct Sweep<'b, 's> {
    walker: Walker<'b, 's>,
    tags: &'static Tags,
    exports: Option<FxHashSet<&'s str>>,
    open: Vec<OpenDefinition>,
    /// Nothing before that byte is searched for definitions.
    closed_until: usize,
    clauses: FxHashMap<ClauseKey, DefId>,
    /// The last definition of each owner.
    last: FxHashMap<Option<DefId>, DefId>,
}

impl<'s> Sweep<'_, 's> {
    fn read(&mut self, event: Event<'_>) {
        let start = event.node().start_byte();
        self.close_until(start);
        let is_closed = start < self.closed_until;
        match event {
            Event::Comment(node) if !is_closed && !self.walker.b.text(node).starts_with("#!") => {
                self.walker.comment(node);
            }
            Event::Doc(node) if !is_closed => {
                let text = docstring(self.walker.b.text(node));
                self.walker.add_documentation(text, node);
            }
            Event::OuterDoc(node) if !is_closed => self.document_owner(node),
            Event::Between(node) => self.walker.skip_between(node),
            Event::Closed(node) => self.closed_until = self.closed_until.max(node.end_byte()),
            Event::Definition(candidate) if !is_closed => self.read_definition(*candidate),
            _ => {}
        }
    }

    /// Closes the definitions that end before a byte, or at it.
    fn close_until(&mut self, byte: usize) {
        while self.open.last().is_some_and(|open| open.end <= byte) {
            self.close();
        }
    }

    fn close(&mut self) {
        if self.open.pop().is_some() {
            self.walker.b.close_def();
            self.walker.b.leave_level();
        }
    }

    fn document_owner(&mut self, node: Node<'_>) {
        let text = docstring(self.walker.b.text(node));
        if let Some(owner) = self.walker.b.current_owner()
            && self.walker.b.facts().def(owner).doc.is_none()
        {
            self.walker.b.set_doc(owner, &text);
        }
    }

    fn read_definition(&mut self, mut candidate: Candidate<'_>) {
        if candidate.has_rest || candidate.ends_rest {
            self.end_rest(candidate.node);
        }
        if candidate.ends_function && self.walker.is_local() {
            self.close();
        }
        self.close_same(candidate.node);
        let is_variable = |kind| matches!(kind, SymbolKind::Variable | SymbolKind::Constant);
        if is_variable(candidate.kind) && self.walker.is_local() {
            return;
        }
        if !(self.tags.adjust)(&self.walker, &mut candidate) {
            return;
        }
        if let Some(separator) = self.tags.separator {
            candidate.split_path(separator);
        }
        if self.walker.is_member() {
            candidate.kind = match candidate.kind {
                SymbolKind::Function => SymbolKind::Method,
                SymbolKind::Variable => SymbolKind::Field,
                kind => kind,
            };
        }
        let Some((last, others)) = candidate.names.split_last() else {
            return;
        };
        if self.is_clause(&candidate, &last.0) {
            return;
        }
        for (name, at) in others {
            self.declare(&candidate, name, *at);
        }
        let def = self.declare(&candidate, &last.0, last.1);
        self.open(&candidate, def);
    }

    /// Closes a definition with the same node: several names of one statement stand side by side.
    fn close_same(&mut self, node: Node<'_>) {
        let is_same = |open: &OpenDefinition| {
            (open.start, open.end, open.has_rest) == (node.start_byte(), node.end_byte(), false)
        };
        if self.open.last().is_some_and(is_same) {
            self.close();
        }
    }

    /// Ends a definition that has the rest of what is around it, before the next one of that form.
    fn end_rest(&mut self, next: Node<'_>) {
        if !self.open.last().is_some_and(|open| open.has_rest) {
            return;
        }
        if let Some(open) = self.open.last() {
            let span = &mut self.walker.b.def_mut(open.def).span;
            span.end_byte = next.start_byte() as u32;
            let row = next.start_position().row as u32;
            span.end_line = row.max(span.start_line);
        }
        self.close();
    }

    fn open(&mut self, candidate: &Candidate<'_>, def: DefId) {
        let mut end = candidate.node.end_byte();
        if candidate.has_rest {
            let around = self.open.last().map(|open| open.end);
            end = around.unwrap_or(self.walker.b.source.len());
            let last_line = self.walker.b.facts().lines;
            let around = self.walker.b.current_owner();
            let around = around.map(|owner| self.walker.b.facts().def(owner).span.end_line);
            let span = &mut self.walker.b.def_mut(def).span;
            span.end_byte = span.end_byte.max(end as u32);
            span.end_line = span.end_line.max(around.unwrap_or(last_line));
        }
        if !self.walker.b.enter_level() {
            self.closed_until = self.closed_until.max(end);
            return;
        }
        let kind = self.walker.b.facts().def(def).kind;
        self.walker.b.open_def(def, scope_kind(kind));
        let has_rest = candidate.has_rest;
        let start = candidate.node.start_byte();
        self.open.push(OpenDefinition {
            def,
            start,
            end,
            has_rest,
        });
    }

    fn declare(&mut self, candidate: &Candidate<'_>, name: &str, at: Node<'_>) -> DefId {
        let mut found = FoundDefinition::new(candidate.node, at, candidate.kind);
        found.name = Some(name);
        found.receiver = candidate.owner.as_deref();
        found.parameters.clone_from(&candidate.parameters);
        found.body = candidate.body;
        found.visibility = self.visibility(candidate, name);
        let wrapper = candidate.wrapper;
        self.walker.wrapper = wrapper.map(|node| (node.start_byte(), node.start_position().row));
        let owner = self.walker.b.current_owner();
        let def = self.walker.declare(&found);
        self.walker.wrapper = None;
        self.set_owner(candidate, def);
        if let Some(node) = candidate.doc.first() {
            let text = docstring(self.walker.b.text(*node));
            self.walker.b.set_doc(def, &text);
        }
        if candidate.body.is_none() {
            self.limit_signature(candidate, def, at);
            self.set_complexity(candidate, def);
        }
        self.last.insert(owner, def);
        if let Some(key) = self.clause_key(candidate, name) {
            self.clauses.insert(key, def);
        }
        def
    }

    /// The owner of a definition that is no function, from the path in its name.
    fn set_owner(&mut self, candidate: &Candidate<'_>, def: DefId) {
        if let Some(owner) = candidate
            .owner
            .as_deref()
            .filter(|_| !candidate.kind.is_callable())
        {
            let owner = self.walker.b.intern_owned_name(owner);
            let callable = self.walker.b.def_mut(def).callable.get_or_insert_default();
            callable.receiver = Some(owner);
        }
    }

    /// Without a known body, a signature ends with the line of its last parameter.
    fn limit_signature(&mut self, candidate: &Candidate<'_>, def: DefId, at: Node<'_>) {
        let last = candidate.parameters.last().map_or(at, |list| *list);
        let rest = self.walker.b.source.get(last.end_byte()..);
        let rest = head(rest.unwrap_or_default(), MAX_HEAD_BYTES);
        let rest = rest.split('\n').next().unwrap_or_default();
        let end = last.end_byte() + rest.trim_end_matches([' ', '\r', '{', '=', ';', ',']).len();
        let end = end.min(candidate.node.end_byte().max(last.end_byte()));
        let signature = &mut self.walker.b.def_mut(def).signature;
        signature.1 = (end as u32).max(signature.0);
    }

    fn set_complexity(&mut self, candidate: &Candidate<'_>, def: DefId) {
        if self.walker.b.facts().def(def).kind.is_callable() {
            let rules = self.tags.outline.complexity;
            let body = candidate.body.unwrap_or(candidate.node);
            self.walker.b.set_complexity(def, body, rules);
        }
    }

    fn visibility(&self, candidate: &Candidate<'_>, name: &str) -> Option<Visibility> {
        let mut words = self.tags.outline.visibility.iter();
        if let Some(word) = candidate.visibility.as_deref() {
            let known = words.find(|(known, _)| *known == word);
            return Some(known.map_or(Visibility::Public, |(_, visibility)| *visibility));
        }
        let mut prefixes = self.tags.private_prefixes.iter();
        if prefixes.any(|prefix| name.starts_with(prefix)) {
            return Some(Visibility::Private);
        }
        let may_be_listed = self.is_top_level() && candidate.kind != SymbolKind::Impl;
        let exports = self.exports.as_ref().filter(|_| may_be_listed)?;
        let is_whole = candidate.has_rest || exports.contains(name);
        let visibility = if is_whole {
            Visibility::Public
        } else {
            Visibility::Private
        };
        Some(visibility)
    }

    /// Whether nothing is around the current place but the module that is the file.
    fn is_top_level(&self) -> bool {
        self.open.iter().all(|open| open.has_rest)
    }

    fn clause_key(&self, candidate: &Candidate<'_>, name: &str) -> Option<ClauseKey> {
        let may_have = candidate.kind.is_callable() || candidate.kind == SymbolKind::Variable;
        let arity = match self.tags.clauses {
            _ if !may_have => return None,
            Clauses::Apart => return None,
            Clauses::ByName => None,
            Clauses::ByArity => Some(arity(candidate)),
        };
        let name = self.walker.b.find_name(name)?;
        Some((self.walker.b.current_owner(), name, arity))
    }

    /// Whether the candidate is a further clause of a definition, which then has its contents as well.
    fn is_clause(&mut self, candidate: &Candidate<'_>, name: &str) -> bool {
        let key = self.clause_key(candidate, name);
        let Some(def) = key.and_then(|key| self.clauses.get(&key).copied()) else {
            return false;
        };
        let node = candidate.node;
        self.closed_until = self.closed_until.max(node.end_byte());
        let before = self.walker.b.facts().def(def).complexity;
        self.become_function(candidate, def);
        self.set_complexity(candidate, def);
        let is_last = self.last.get(&self.walker.b.current_owner()) == Some(&def);
        let made = self.walker.b.def_mut(def);
        let added = made.complexity;
        made.complexity = Complexity {
            cyclomatic: before.cyclomatic.saturating_add(added.cyclomatic),
            cognitive: before.cognitive.saturating_add(added.cognitive),
            nesting: before.nesting.max(added.nesting),
        };
        if is_last {
            let span = syntax::builder::span_of(node);
            let most = self.walker.b.source.len() as u32;
            let known = &mut self.walker.b.def_mut(def).span;
            known.end_byte = known.end_byte.max(span.end_byte.min(most));
            known.end_line = known.end_line.max(span.end_line);
        }
        true
    }

    /// A declaration may not show that it is one of a function, or have no parameters: those of its first clause count.
    fn become_function(&mut self, candidate: &Candidate<'_>, def: DefId) {
        let made = self.walker.b.facts().def(def);
        let has_parameters = made.callable.as_ref().is_some_and(|c| !c.params.is_empty());
        if !(candidate.kind.is_callable() || made.kind.is_callable()) || has_parameters {
            return;
        }
        let params = self.walker.parameters_of(&candidate.parameters);
        let made = self.walker.b.def_mut(def);
        if !made.kind.is_callable() {
            made.kind = candidate.kind;
        }
        let callable = made.callable.get_or_insert_default();
        callable.params = params;
    }
}

/// Number of parameters.
fn arity(candidate: &Candidate<'_>) -> usize {
    let is_parameter = |child: &Node<'_>| !child.kind_name().ends_with("comment");
    let lists = candidate.parameters.iter();
    lists
        .map(|list| {
            let mut cursor = list.walk();
            list.named_children(&mut cursor)
                .filter(is_parameter)
                .count()
        })
        .sum()
}

fn scope_kind(kind: SymbolKind) -> ScopeKind {
    if kind.is_callable() {
        ScopeKind::Function
    } else {
        ScopeKind::Class
    }
}

/// The text of documentation that is written as a string, or as a block between lines that begin with `=`. A first
/// paragraph that is indented further than the rest is an example of the call.
fn docstring(text: &str) -> String {
    let text = text.trim_start_matches(['~', 's', 'S', 'r']);
    let text = text.trim_matches(['"', '\'', '\r', '\n']);
    let is_marker =
        |line: &str| line.starts_with('=') && line[1..].starts_with(char::is_alphabetic);
    let lines: Vec<&str> = text.lines().collect();
    let headings = lines
        .iter()
        .rposition(|line| is_marker(line) && !line.starts_with("=cut"));
    let lines = &lines[headings.map_or(0, |at| at + 1)..];
    let indent = |line: &str| line.len() - line.trim_start().len();
    let filled = lines.iter().filter(|line| !line.trim().is_empty());
    // The first line may follow an opening quote.
    let least = filled.clone().skip(1).map(|line| indent(line)).min();
    let least = least.unwrap_or(0);
    let is_example = |line: &&&str| line.trim().is_empty() || indent(line) >= least + 4;
    let example = lines.iter().take_while(is_example).count();
    let prose = if example < lines.len() {
        &lines[example..]
    } else {
        lines
    };
    let prose = prose.iter().filter(|line| !is_marker(line));
    let text: Vec<&str> = prose.map(|line| line.trim()).collect();
    doc::plain_text(&text)
}

#[cfg(test)]
mod tests {
    use super::docstring;

    #[test]
    fn documentation_has_neither_quotes_nor_examples_before_it() {
        for (text, expected) in [
            ("\"Adds one.\"", "Adds one.\n"),
            ("~S\"\"\"\n  Adds one.\n\n  More.\n  \"\"\"", "Adds one.\n"),
            ("\"\"\"\n    add(x)\n\nAdds one.\n\"\"\"", "Adds one.\n"),
            ("=head2 new\n\nOpens one.\n\n=cut", "Opens one.\n"),
        ] {
            assert!(
                docstring(text).starts_with(expected),
                "{text}: {}",
                docstring(text)
            );
        }
    }
}
