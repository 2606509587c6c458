//! Calls that may lead to other programs, or declare how others reach this one: see [`base::remote`].
//!
//! One walk over the tree of a file, the same for all languages. It records what each call says. The meaning is decided
//! later, when the calls of all files are known.

mod names;
mod owners;
mod signs;
mod term;

use crate::builder::{Builder, head};
use crate::facts::*;
use crate::fields::Fields;
use base::MarkKind;
use base::remote::{CallTerm, MOST_REMOTE_MARKS, RemoteCall, Term};
use names::NameClasses;
use owners::Owners;
use rustc_hash::FxHashSet;
use signs::MarkPositions;
use std::cell::RefCell;
use std::rc::Rc;
use term::{CallParts, TermReader, call_parts, is_call, is_function_like, is_route_alone};
use tree_sitter::Node;

/// Most bytes of a recorded call.
const LONGEST_CALL: usize = 1_200;
/// Most bytes of a recorded call with a GraphQL document.
const LONGEST_DOCUMENT: usize = 4_400;
/// Most bytes of a recorded constant.
const LONGEST_CONSTANT: usize = 200;

/// Adds marks of such calls to a file whose definitions are complete.
pub(crate) fn add_remote_marks(builder: &mut Builder<'_>, root: Node<'_>) {
    if !may_speak_of_others(builder.source) {
        return;
    }
    let FoundMarks {
        marks: found,
        steps,
        ran_out,
    } = find_marks(builder, root, MarkPositions::in_source(builder.source));
    builder.count_steps(steps as u64);
    builder.facts_mut().too_deep += u32::from(ran_out);
    // In tests, every source also checks the index of signs.
    #[cfg(debug_assertions)]
    {
        let all = find_marks(builder, root, MarkPositions::everywhere());
        assert!(
            ran_out || all.ran_out || found == all.marks,
            "a part of the tree was passed over"
        );
    }
    if found.is_empty() {
        return;
    }
    let owners = Owners::new(builder.facts());
    for one in found {
        let facts = builder.facts();
        let owner = facts.enclosing_node_def(owners.owner_at(facts, one.at));
        let name = Some(builder.intern_owned_name(&one.name));
        let detail = Some(builder.intern_text(&one.detail));
        let (kind, line) = (one.kind, one.line);
        builder.facts_mut().marks.push(Mark {
            kind,
            owner,
            name,
            detail,
            line,
        });
    }
}

/// The result of a walk.
struct FoundMarks {
    marks: Vec<PendingMark>,
    /// Steps taken to read terms.
    steps: usize,
    /// Whether marks were left out because the steps ran out.
    ran_out: bool,
}

fn find_marks(builder: &Builder<'_>, root: Node<'_>, signs: MarkPositions) -> FoundMarks {
    let mut walk = Walk {
        kinds: node_kinds(&root.language()),
        reader: TermReader::new(builder.source, builder.stop_check()),
        signs,
        stubs: FxHashSet::default(),
        found: Vec::new(),
    };
    walk.visit(root);
    FoundMarks {
        steps: walk.reader.spent(),
        ran_out: walk.reader.ran_out(),
        marks: walk.found,
    }
}

/// Whether a source contains anything that can be a path, an address, a topic or a client.
fn may_speak_of_others(source: &str) -> bool {
    let signs = [
        "\"/",
        "'/",
        "`/",
        // Addresses in comments do not count: most files have that of their licence.
        "\"http",
        "'http",
        "`http",
        "\"ws",
        "'ws",
        "`ws",
        "}/",
        "lient",
        "Stub",
        "stub",
        "opic",
        "gql",
        "ublish",
        "ubscribe",
        "path(",
        "resources ",
        "ervice",
        "Queue",
        "outer",
        "oute(",
    ];
    signs.iter().any(|sign| source.contains(sign))
}

/// A mark without its definition.
#[derive(Debug, PartialEq, Eq)]
struct PendingMark {
    kind: MarkKind,
    name: String,
    detail: String,
    line: u32,
    at: u32,
}

/// The class of a kind of nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NodeKind {
    /// An assignment of a value to a name.
    Binding,
    Call,
    /// Neither the node nor anything inside it is of interest.
    Closed,
    Other,
}

impl NodeKind {
    fn of_name(kind: &str) -> NodeKind {
        if is_binding(kind) {
            NodeKind::Binding
        } else if is_call(kind) {
            NodeKind::Call
        } else if is_closed(kind) {
            NodeKind::Closed
        } else {
            NodeKind::Other
        }
    }
}

thread_local! {
    /// The class of each kind of a grammar, by number, so that names of kinds are not compared at each node.
    static KINDS: RefCell<Vec<(tree_sitter::Language, Rc<[NodeKind]>)>> = const { RefCell::new(Vec::new()) };
}

fn node_kinds(grammar: &tree_sitter::Language) -> Rc<[NodeKind]> {
    KINDS.with_borrow_mut(|all| {
        if let Some((_, kinds)) = all.iter().find(|(known, _)| known == grammar) {
            return kinds.clone();
        }
        let count = u16::try_from(grammar.node_kind_count()).unwrap_or(u16::MAX);
        let kind = |id| match grammar.node_kind_for_id(id) {
            Some(kind) if grammar.node_kind_is_named(id) => NodeKind::of_name(kind),
            _ => NodeKind::Other,
        };
        let kinds: Rc<[NodeKind]> = (0..count).map(kind).collect();
        all.push((grammar.clone(), kinds.clone()));
        kinds
    })
}

struct Walk<'s> {
    kinds: Rc<[NodeKind]>,
    reader: TermReader<'s>,
    /// The signs of which a node must contain one to be entered.
    signs: MarkPositions,
    /// Names that are bound to clients of services.
    stubs: FxHashSet<String>,
    found: Vec<PendingMark>,
}

impl Walk<'_> {
    /// Visits the nodes in order of the source.
    fn visit(&mut self, root: Node<'_>) {
        let mut cursor = root.walk();
        // Ancestors are kept here: the library finds a node's parent from the root, each time.
        let mut around: Vec<Node<'_>> = Vec::new();
        loop {
            let node = cursor.node();
            let kind = self.kind(node);
            if kind != NodeKind::Closed && self.signs.any_in(node.byte_range()) {
                self.look_at(node, kind, &around);
                if cursor.goto_first_child() {
                    around.push(node);
                    continue;
                }
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return;
                }
                around.pop();
            }
            if self.found.len() >= MOST_REMOTE_MARKS || self.reader.ran_out() {
                return;
            }
        }
    }

    fn kind(&self, node: Node<'_>) -> NodeKind {
        let known = self.kinds.get(usize::from(node.kind_id()));
        known.copied().unwrap_or(NodeKind::Other)
    }

    fn look_at(&mut self, node: Node<'_>, kind: NodeKind, around: &[Node<'_>]) {
        match kind {
            NodeKind::Binding => self.look_at_binding(node, around),
            NodeKind::Call => {
                if let Some(parts) = call_parts(node) {
                    self.look_at_call(node, &parts, around);
                }
            }
            NodeKind::Closed | NodeKind::Other => {}
        }
    }

    /// Looks at an assignment of a text to a name; later code may use the name.
    fn look_at_binding(&mut self, node: Node<'_>, around: &[Node<'_>]) {
        let Some((target, value)) = binding_parts(node) else {
            return;
        };
        // A call is looked at by itself; only the texts that functions return are constants.
        let text = self.reader.text(value, 0);
        if text.is_none() && call_parts(value).is_none() {
            return;
        }
        let Some(name) = self.reader.dotted(target) else {
            return;
        };
        let Some(text) = text.or_else(|| self.reader.address_by_call(&name, value)) else {
            return;
        };
        if text.is_empty() || text.len() > LONGEST_CONSTANT || text.contains(char::is_whitespace) {
            return;
        }
        // Code refers to a member of a class through `this`.
        let is_field = matches!(
            node.kind_name(),
            "public_field_definition" | "field_definition"
        );
        let name = if is_field {
            format!("this.{name}")
        } else {
            name
        };
        let mut outer = around.iter().rev();
        let function =
            outer.find(|outer| !self.reader.spend(1) || is_function_like(outer.kind_name()));
        let within = function.map(|f| (f.start_byte(), f.end_byte()));
        self.reader.bind(&name, &text, within);
        let is_address = text.starts_with('/') || text.contains("://");
        let is_path = is_address || text.starts_with('{') && text.contains('/');
        // A local variable of a function is unknown elsewhere.
        let is_known_elsewhere =
            within.is_none() || name.contains('.') || name == name.to_uppercase();
        if is_path && is_known_elsewhere {
            self.push(MarkKind::RemoteText, name, text, node);
        }
    }

    fn look_at_call(&mut self, node: Node<'_>, parts: &CallParts<'_>, around: &[Node<'_>]) {
        let name = self.reader.called(parts);
        if name.is_empty() || name.len() > 80 {
            return;
        }
        let classes = NameClasses::new(name);
        let receiver = parts.receiver;
        if !classes.any() && !self.is_on_client(receiver) {
            return;
        }
        let bound = bound_name(node, around).and_then(|target| self.reader.dotted(target));
        let call = self.reader.call(parts);
        if !self.is_kept(&call, classes, bound.as_deref(), receiver) {
            return;
        }
        if classes.stub
            && let Some(bound) = &bound
            && self.stubs.insert(bound.clone())
        {
            let from = node.end_byte();
            let searched = self.signs.add_name(self.reader.source, bound, from);
            // The search compares a few dozen bytes at once.
            self.reader.spend(searched / 32);
        }
        let name = call.name.clone();
        let most = if classes.graphql {
            LONGEST_DOCUMENT
        } else {
            LONGEST_CALL
        };
        let has_block = node.field("block").is_some() || call.args.contains(&Term::Function);
        let end = has_block.then(|| node.end_position().row as u32 + 1);
        let text = encode(RemoteCall { bound, end, call }, most);
        if let Some(text) = text {
            self.push(MarkKind::RemoteCall, name, text, parts.name);
        }
    }

    /// Whether a call is made on a client of a service: on a name that is bound to one or named like one, or on the
    /// call that makes one.
    fn is_on_client(&self, receiver: Option<Node<'_>>) -> bool {
        let Some(receiver) = receiver else {
            return false;
        };
        if let Some(inner) = call_parts(receiver) {
            return NameClasses::new(self.reader.called(&inner)).stub;
        }
        let name = self.reader.dotted(receiver);
        name.is_some_and(|name| self.stubs.contains(&name) || names::is_client_name(&name))
    }

    fn is_kept(
        &self,
        call: &CallTerm,
        classes: NameClasses,
        bound: Option<&str>,
        receiver: Option<Node<'_>>,
    ) -> bool {
        let has_path = || call.args.iter().any(is_path_like);
        let has_text = || call.args.iter().any(has_any_text);
        let joins = || {
            call.args.iter().any(|arg| match arg {
                Term::Name(_) | Term::Call(_) => true,
                // Laravel: the routes inside the function belong to the group.
                Term::Function => call.name == "group",
                _ => false,
            })
        };
        let on_route = || self.is_on_route(receiver);
        classes.stub
            || classes.with_path && on_route()
            || classes.graphql && has_text()
            || classes.with_path && has_path()
            || classes.joining && (has_path() || receiver.is_some() && joins())
            || classes.making && bound.is_some()
            || classes.topic && has_text()
            || classes.resources && has_text()
            || classes.dispatch && names_procedure(call)
            || classes.after
                && !call.args.is_empty()
                && receiver.is_some_and(|r| call_parts(r).is_some())
            || self.is_on_client(receiver)
    }

    /// Express: `app.route('/books').get(list).post(create)`.
    fn is_on_route(&self, receiver: Option<Node<'_>>) -> bool {
        let mut next = receiver;
        for _ in 0..8 {
            let Some(inner) = next.and_then(call_parts) else {
                return false;
            };
            if is_route_alone(self.reader.called(&inner), inner.arguments) {
                return true;
            }
            next = inner.receiver;
        }
        false
    }

    fn push(&mut self, kind: MarkKind, name: String, detail: String, at: Node<'_>) {
        self.found.push(PendingMark {
            kind,
            name: head(&name, 120).to_owned(),
            detail,
            line: at.start_position().row as u32 + 1,
            at: at.start_byte() as u32,
        });
    }
}

/// The call as text, without the arguments that make it too long.
fn encode(mut call: RemoteCall, most: usize) -> Option<String> {
    let text = serde_json::to_string(&call).ok()?;
    let mut length = text.len();
    if length <= most {
        return Some(text);
    }
    let args = &mut call.call.args;
    while length > most
        && let Some(last) = args.pop()
    {
        let comma = 1;
        length = length.saturating_sub(serde_json::to_string(&last).ok()?.len() + comma);
    }
    let text = serde_json::to_string(&call).ok()?;
    (text.len() <= most).then_some(text)
}

/// Whether a text, or one in an object or by name, can be a path or an address.
fn is_path_like(term: &Term) -> bool {
    match term {
        Term::Text(text) => {
            // Go writes the method before the path.
            let method = text.split(' ').next().unwrap_or_default();
            let is_upper = !method.is_empty() && method.bytes().all(|b| b.is_ascii_uppercase());
            let path = match text.strip_prefix(method) {
                Some(path) if is_upper => path.trim_start(),
                _ => text,
            };
            path.contains('/') && !path.contains(char::is_whitespace) || text.is_empty()
        }
        Term::Object(pairs) => pairs.iter().any(|(_, value)| is_path_like(value)),
        // Rails: `get "status", to: "home#status"`.
        Term::Keyword(name, value) if name == "to" => has_any_text(value),
        Term::Keyword(_, value) => is_path_like(value),
        Term::Call(call) => call.args.iter().any(is_path_like),
        // Its value may be known elsewhere: `USERS_URL`, `settings.usersUri`.
        Term::Name(name) => [
            "url", "uri", "URL", "URI", "Url", "Uri", "endpoint", "ENDPOINT",
        ]
        .iter()
        .any(|end| name.ends_with(end)),
        _ => false,
    }
}

/// Whether a call begins with the names of a service and a procedure, as texts: `rpc.call('UserService', 'GetUser', …)`.
fn names_procedure(call: &CallTerm) -> bool {
    let name = |at| call.positional(at).and_then(Term::text);
    let is_name = |text: &str| {
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
        text.starts_with(char::is_alphabetic) && text.chars().all(is_part)
    };
    match (name(0), name(1)) {
        (Some(service), Some(procedure)) => {
            service.ends_with("ervice") && is_name(service) && is_name(procedure)
        }
        _ => false,
    }
}

fn has_any_text(term: &Term) -> bool {
    match term {
        Term::Text(text) => !text.is_empty(),
        Term::Object(pairs) => pairs.iter().any(|(_, value)| has_any_text(value)),
        Term::Keyword(_, value) => has_any_text(value),
        Term::List(items) => items.iter().any(has_any_text),
        _ => false,
    }
}

/// Whether nodes of this kind contain neither calls to other programs nor constants.
fn is_closed(kind: &str) -> bool {
    kind.ends_with("comment")
        || kind.ends_with("identifier")
        || matches!(
            kind,
            "import_statement"
                | "import_from_statement"
                | "import_declaration"
                | "import_header"
                | "import_list"
                | "package_declaration"
                | "package_clause"
                | "package_header"
                | "use_declaration"
                | "using_directive"
                | "namespace_use_declaration"
                | "preproc_include"
                | "type_annotation"
                | "type_arguments"
                | "type_parameters"
                | "type_parameter_list"
                | "parameter_list"
                | "function_type"
                | "method_signature"
                | "object_type"
                | "property_signature"
                | "union_type"
                | "type_alias_declaration"
                | "generic_type"
                | "visibility_modifier"
        )
}

/// Whether a node of this kind assigns a value to a name.
fn is_binding(kind: &str) -> bool {
    matches!(
        kind,
        "variable_declarator"
            | "const_spec"
            | "var_spec"
            | "assignment"
            | "const_item"
            | "static_item"
            | "assignment_expression"
            | "short_var_declaration"
            | "assignment_statement"
            | "public_field_definition"
            | "field_definition"
            | "let_declaration"
            | "const_element"
    )
}

/// A name and its assigned value; the first pair of several.
fn binding_parts<'t>(node: Node<'t>) -> Option<(Node<'t>, Node<'t>)> {
    let target = ["name", "left", "pattern", "property"]
        .iter()
        .find_map(|field| node.field(field));
    let target = target.or_else(|| node.named_child(0))?;
    let value = ["value", "right"]
        .iter()
        .find_map(|field| node.field(field));
    let value = match value {
        Some(value) => value,
        None => {
            let last = u32::try_from(node.named_child_count().checked_sub(1)?).ok()?;
            node.named_child(last).filter(|v| v.id() != target.id())?
        }
    };
    let single = |node: Node<'t>| {
        let is_list = node.kind_name() == "expression_list";
        if is_list {
            node.named_child(0)
        } else {
            Some(node)
        }
    };
    Some((single(target)?, single(value)?))
}

/// The name that the result of a call is assigned to: `x` of `const x = await call()`.
fn bound_name<'t>(call: Node<'t>, around: &[Node<'t>]) -> Option<Node<'t>> {
    for parent in around.iter().rev().take(4).copied() {
        match parent.kind_name() {
            "await_expression"
            | "await"
            | "as_expression"
            | "parenthesized_expression"
            | "expression_list"
            | "try_expression"
            | "non_null_expression"
            | "argument"
            | "unary_expression"
            | "satisfies_expression"
            | "equals_value_clause" => {}
            kind if is_binding(kind) => {
                let (target, value) = binding_parts(parent)?;
                return (value.byte_range().contains(&call.start_byte())).then_some(target);
            }
            _ => return None,
        }
    }
    None
}
