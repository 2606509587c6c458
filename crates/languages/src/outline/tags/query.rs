//! Compiling a query, and collecting its matches.

use super::pattern::{self, Query};
use super::{Candidate, Tags, matching};
use base::SymbolKind;
use rustc_hash::FxHashMap;
use std::cmp::{Ordering, Reverse};
use std::collections::hash_map::Entry;
use std::sync::{Mutex, PoisonError};
use syntax::builder::Builder;
use tree_sitter::{Language, Node};

/// The meaning of a capture.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Definition(SymbolKind),
    Name,
    Owner,
    Parameters,
    Body,
    Visibility,
    Doc,
    OuterDoc,
    Comment,
    Between,
    Closed,
    Wrapper,
    Export,
    ExportAll,
    /// Only predicates use it.
    None,
}

/// Settings of a pattern.
#[derive(Default)]
struct Settings {
    has_rest: bool,
    ends_rest: bool,
    ends_function: bool,
    names: Option<Box<str>>,
    visibility: Option<Box<str>>,
}

/// A query that was compiled.
struct Compiled {
    query: Query,
    roles: Vec<Role>,
    settings: Vec<Settings>,
}

/// A part of a source, in the order of reading.
pub(super) enum Event<'t> {
    Comment(Node<'t>),
    Doc(Node<'t>),
    OuterDoc(Node<'t>),
    Between(Node<'t>),
    Closed(Node<'t>),
    Definition(Box<Candidate<'t>>),
}

impl Event<'_> {
    /// The bytes of the source that it stands for, and its name. What is larger comes first.
    pub(super) fn order(&self) -> (usize, Reverse<usize>, usize) {
        let node = self.node();
        let name = match self {
            Event::Definition(candidate) => candidate.names.first(),
            _ => None,
        };
        let name = name.map_or(0, |(_, name)| name.start_byte());
        (node.start_byte(), Reverse(node.end_byte()), name)
    }

    /// Its node.
    pub(super) fn node(&self) -> Node<'_> {
        match self {
            Event::Comment(node)
            | Event::Doc(node)
            | Event::OuterDoc(node)
            | Event::Between(node)
            | Event::Closed(node) => *node,
            Event::Definition(candidate) => candidate.node,
        }
    }
}

/// The events of a source, in order, and the names that it exports; `None` if it exports all.
pub(super) struct Events<'t> {
    pub(super) events: Vec<Event<'t>>,
    pub(super) exports: Option<Vec<Node<'t>>>,
}

/// A query of a grammar, if it is valid.
type QueryOfGrammar = (Language, &'static str, Option<&'static Compiled>);

/// The queries that were compiled. They are never freed.
static QUERIES: Mutex<Vec<QueryOfGrammar>> = Mutex::new(Vec::new());

fn compiled(tags: &'static Tags, grammar: &Language) -> Option<&'static Compiled> {
    let mut all = QUERIES.lock().unwrap_or_else(PoisonError::into_inner);
    let is_known =
        |(of, text, _): &&QueryOfGrammar| of == grammar && std::ptr::eq(*text, tags.query);
    if let Some((_, _, query)) = all.iter().find(is_known) {
        return *query;
    }
    let query = compile(tags.query, grammar).map(|query| &*Box::leak(Box::new(query)));
    all.push((grammar.clone(), tags.query, query));
    query
}

fn compile(text: &str, grammar: &Language) -> Option<Compiled> {
    let query = pattern::parse(text, grammar).ok()?;
    let roles = query.captures.iter().map(|name| role(name)).collect();
    let settings = query
        .patterns
        .iter()
        .map(|pattern| settings(&pattern.settings));
    let settings = settings.collect();
    Some(Compiled {
        query,
        roles,
        settings,
    })
}

fn role(name: &str) -> Role {
    if let Some(word) = name.strip_prefix("definition.") {
        return SymbolKind::parse(word).map_or(Role::None, Role::Definition);
    }
    match name {
        "name" => Role::Name,
        "owner" => Role::Owner,
        "parameters" => Role::Parameters,
        "body" => Role::Body,
        "visibility" => Role::Visibility,
        "doc" => Role::Doc,
        "doc.outer" => Role::OuterDoc,
        "comment" => Role::Comment,
        "between" => Role::Between,
        "closed" => Role::Closed,
        "wrapper" => Role::Wrapper,
        "export" => Role::Export,
        "export.all" => Role::ExportAll,
        _ => Role::None,
    }
}

fn settings(written: &[(String, String)]) -> Settings {
    let mut settings = Settings::default();
    for (key, value) in written {
        match key.as_str() {
            "rest" => settings.has_rest = true,
            "ends-rest" => settings.ends_rest = true,
            "ends-function" => settings.ends_function = true,
            "names" => settings.names = Some(value.as_str().into()),
            "visibility" => settings.visibility = Some(value.as_str().into()),
            _ => {}
        }
    }
    settings
}

/// The events of a tree. `None` if the query is not valid for the grammar.
pub(super) fn events<'t>(
    builder: &mut Builder<'_>,
    root: Node<'t>,
    tags: &'static Tags,
) -> Option<Events<'t>> {
    let compiled = compiled(tags, &root.language())?;
    let (source, stop) = (builder.source, builder.stop_check());
    let mut collector = Collector::new(source, compiled);
    let steps = matching::find(
        &compiled.query,
        (root, source),
        stop,
        &mut |pattern, captures| {
            let captures = captures
                .iter()
                .map(|(at, node)| (compiled.roles[*at], *node));
            collector.add(pattern, captures.collect());
        },
    );
    builder.count_steps(steps);
    Some(collector.finish())
}

struct Collector<'t, 's> {
    source: &'s str,
    compiled: &'static Compiled,
    events: Vec<Event<'t>>,
    exports: Vec<Node<'t>>,
    exports_all: bool,
    /// Definitions by the byte of their name, or by their own where several names make one.
    candidates: FxHashMap<(usize, bool), Candidate<'t>>,
}

impl<'t, 's> Collector<'t, 's> {
    fn new(source: &'s str, compiled: &'static Compiled) -> Collector<'t, 's> {
        Collector {
            source,
            compiled,
            events: Vec::new(),
            exports: Vec::new(),
            exports_all: false,
            candidates: FxHashMap::default(),
        }
    }

    fn add(&mut self, pattern: usize, captures: Vec<(Role, Node<'t>)>) {
        let is_definition = |role: &Role| matches!(role, Role::Definition(_));
        if captures.iter().any(|(role, _)| is_definition(role)) {
            self.add_definition(pattern, &captures);
            return;
        }
        for (role, node) in captures {
            match role {
                Role::Comment => self.events.push(Event::Comment(node)),
                Role::Doc => self.events.push(Event::Doc(node)),
                Role::OuterDoc => self.events.push(Event::OuterDoc(node)),
                Role::Between => self.events.push(Event::Between(node)),
                Role::Closed => self.events.push(Event::Closed(node)),
                Role::Export => self.exports.push(node),
                Role::ExportAll => self.exports_all = true,
                _ => {}
            }
        }
    }

    /// Of several matches with the same name, that of the first pattern counts. Further matches of that pattern add what
    /// is repeated: a query finds each parameter by itself.
    fn add_definition(&mut self, pattern: usize, captures: &[(Role, Node<'t>)]) {
        let Some(candidate) = self.candidate(pattern, captures) else {
            return;
        };
        let Some((_, at)) = candidate.names.first() else {
            return;
        };
        let has_one_name = self.compiled.settings[pattern].names.is_some();
        let at = if has_one_name { candidate.node } else { *at };
        match self.candidates.entry((at.start_byte(), has_one_name)) {
            Entry::Vacant(entry) => {
                entry.insert(candidate);
            }
            Entry::Occupied(mut entry) => match candidate.pattern.cmp(&entry.get().pattern) {
                Ordering::Less => {
                    entry.insert(candidate);
                }
                Ordering::Equal => entry.get_mut().add_parts(candidate),
                Ordering::Greater => {}
            },
        }
    }

    fn candidate(&self, pattern: usize, captures: &[(Role, Node<'t>)]) -> Option<Candidate<'t>> {
        let (kind, node) = captures.iter().find_map(|(role, node)| match role {
            Role::Definition(kind) => Some((*kind, *node)),
            _ => None,
        })?;
        let settings = &self.compiled.settings[pattern];
        let of = |wanted: Role| {
            let all = captures.iter().filter(move |(role, _)| *role == wanted);
            all.map(|(_, node)| *node)
        };
        let names = of(Role::Name).filter_map(|node| Some((self.name(node)?, node)));
        let written = of(Role::Visibility).next().and_then(|node| self.text(node));
        let visibility = written.or(settings.visibility.as_deref());
        Some(Candidate {
            node,
            names: names.collect(),
            kind,
            owner: of(Role::Owner).find_map(|node| self.name(node)),
            parameters: of(Role::Parameters).collect(),
            body: of(Role::Body).next(),
            visibility: visibility.map(str::to_owned),
            doc: of(Role::Doc).collect(),
            wrapper: of(Role::Wrapper).next(),
            has_rest: settings.has_rest,
            ends_rest: settings.ends_rest,
            ends_function: settings.ends_function,
            pattern,
        })
    }

    fn text(&self, node: Node<'_>) -> Option<&'s str> {
        self.source.get(node.byte_range())
    }

    fn name(&self, node: Node<'_>) -> Option<String> {
        let name = plain_name(self.text(node)?);
        (!name.is_empty()).then(|| name.to_owned())
    }

    fn finish(mut self) -> Events<'t> {
        for mut candidate in self.candidates.into_values() {
            let settings = &self.compiled.settings[candidate.pattern];
            candidate.join_names(settings.names.as_deref());
            self.events.push(Event::Definition(Box::new(candidate)));
        }
        self.events.sort_by_key(Event::order);
        let lists_exports = !self.exports_all && !self.exports.is_empty();
        Events {
            events: self.events,
            exports: lists_exports.then_some(self.exports),
        }
    }
}

impl<'t> Candidate<'t> {
    /// Adds the parts of another match of the same definition.
    fn add_parts(&mut self, other: Candidate<'t>) {
        let is_new = |known: &[Node<'t>], node: &Node<'t>| {
            known
                .last()
                .is_none_or(|l| l.end_byte() <= node.start_byte())
        };
        for (name, at) in other.names {
            let last = self.names.last();
            if last.is_none_or(|(_, last)| last.end_byte() <= at.start_byte()) {
                self.names.push((name, at));
            }
        }
        for node in other.parameters {
            if is_new(&self.parameters, &node) {
                self.parameters.push(node);
            }
        }
        self.body = self.body.or(other.body);
        self.wrapper = self.wrapper.or(other.wrapper);
        self.owner = self.owner.take().or(other.owner);
        self.visibility = self.visibility.take().or(other.visibility);
        if self.doc.is_empty() {
            self.doc = other.doc;
        }
    }

    /// Joins the names as the settings of their pattern say. With `:`, the name is a selector of Objective-C, which ends
    /// with it if there are parameters.
    fn join_names(&mut self, settings: Option<&str>) {
        let (Some(separator), Some((_, first))) = (settings, self.names.first()) else {
            return;
        };
        let first = *first;
        if separator == "last" {
            self.names.drain(..self.names.len() - 1);
            return;
        }
        let is_selector = separator == ":" && !self.parameters.is_empty();
        let parts: Vec<&str> = self.names.iter().map(|(name, _)| name.as_str()).collect();
        let end = if is_selector { separator } else { "" };
        self.names = vec![(format!("{}{end}", parts.join(separator)), first)];
    }
}

/// A name without quotes and the like around it.
pub(super) fn plain_name(text: &str) -> &str {
    const AROUND: [(&str, &str); 5] =
        [("\"", "\""), ("'", "'"), ("`", "`"), ("[", "]"), ("(", ")")];
    let text = text.trim();
    let inside = |(open, close): &(&str, &str)| {
        let inside = text.strip_prefix(open)?.strip_suffix(close)?;
        (!inside.trim().is_empty()).then(|| inside.trim())
    };
    AROUND.iter().find_map(inside).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::plain_name;

    #[test]
    fn quotes_are_no_part_of_a_name() {
        for (text, name) in [
            ("\"a b\"", "a b"),
            ("( >>= )", ">>="),
            ("foldl'", "foldl'"),
            ("[x]", "x"),
            ("()", "()"),
            ("\"", "\""),
            ("", ""),
        ] {
            assert_eq!(plain_name(text), name);
        }
    }
}
