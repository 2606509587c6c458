//! Walks a tree and collects the definitions of an outline.

use super::{FoundDefinition, Outline, child_of_kind, doc};
use base::{SymbolKind, Visibility};
use syntax::builder::{Builder, head};
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Most bytes before a comment that are searched for code on its line.
const MOST_BEFORE: usize = 200;
/// Most bytes of a definition before its name that are searched for keywords.
const MOST_HEAD: usize = 512;

/// Reads a whole file.
pub(crate) fn walk(builder: &mut Builder<'_>, root: Node<'_>, outline: &'static Outline) {
    Walker::new(builder, outline).children(root);
}

/// The walk over a file.
pub(crate) struct Walker<'b, 's> {
    /// The builder of the facts.
    pub(crate) b: &'b mut Builder<'s>,
    outline: &'static Outline,
    /// The adjacent comment lines directly before the walk's position.
    doc: Vec<&'s str>,
    /// Documentation there that is no comment.
    text: String,
    /// The row after the last of them.
    doc_end: usize,
    /// Start of the wrapper that the walk is in: byte, row.
    pub(crate) wrapper: Option<(usize, usize)>,
    /// The visibility of the following definitions, if a line before sets it.
    pub(crate) section: Option<Visibility>,
    /// Type parameters that stand in the wrapper, before what has them.
    pub(crate) type_params: Vec<TypeParam>,
}

impl<'b, 's> Walker<'b, 's> {
    /// A walk at the start of a file.
    pub(crate) fn new(builder: &'b mut Builder<'s>, outline: &'static Outline) -> Walker<'b, 's> {
        Walker {
            b: builder,
            outline,
            doc: Vec::new(),
            text: String::new(),
            doc_end: 0,
            wrapper: None,
            section: None,
            type_params: Vec::new(),
        }
    }
}

impl<'s> Walker<'_, 's> {
    /// Reads the contents of a node.
    pub(crate) fn children(&mut self, node: Node<'_>) {
        if !self.b.enter_level() {
            return;
        }
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            self.visit(child);
        }
        self.b.leave_level();
    }

    /// Reads a node.
    pub(crate) fn visit(&mut self, node: Node<'_>) {
        let kind = node.kind_name();
        if self.outline.comments.contains(&kind) {
            self.comment(node);
        } else if self.outline.wrappers.contains(&kind) {
            let at = (node.start_byte(), node.start_position().row);
            let outer = self.wrapper;
            self.wrapper = outer.or(Some(at));
            self.children(node);
            self.wrapper = outer;
            if outer.is_none() {
                self.type_params.clear();
            }
        } else if self.outline.closed.contains(&kind) {
        } else if !(self.outline.special)(self, node) {
            self.children(node);
        }
    }

    /// Adds a comment, unless it follows code on its line.
    pub(crate) fn comment(&mut self, node: Node<'_>) {
        let start = node.start_position();
        let before = self.b.source.as_bytes();
        let line = node.start_byte().saturating_sub(start.column);
        let before = before.get(line..node.start_byte()).unwrap_or_default();
        if before.len() > MOST_BEFORE || !before.trim_ascii().is_empty() {
            return;
        }
        if start.row != self.doc_end {
            self.doc.clear();
            self.text.clear();
        }
        self.doc.push(self.b.text(node));
        self.doc_end = row_after(node);
    }

    /// Adds documentation that is no comment. A blank line may follow it.
    pub(super) fn add_documentation(&mut self, text: String, node: Node<'_>) {
        let rest = self.b.source.get(node.end_byte()..).unwrap_or_default();
        let mut lines = head(rest, MOST_HEAD).split('\n').take(2);
        let is_blank = |line: Option<&str>| line.is_some_and(|line| line.trim().is_empty());
        let is_followed_by_blank = is_blank(lines.next()) && is_blank(lines.next());
        self.doc.clear();
        self.text = text;
        self.doc_end = node.end_position().row + 1 + usize::from(is_followed_by_blank);
    }

    /// Passes over a node that may stand between documentation and a definition.
    pub(super) fn skip_between(&mut self, node: Node<'_>) {
        if node.start_position().row == self.doc_end {
            self.doc_end = row_after(node);
        }
    }

    /// The comments right above a row.
    fn take_doc(&mut self, row: usize) -> String {
        let comments = std::mem::take(&mut self.doc);
        let text = std::mem::take(&mut self.text);
        if row != self.doc_end {
            return String::new();
        }
        if text.is_empty() {
            return doc::plain_text(&comments);
        }
        text
    }

    /// Whether the current place is inside a function.
    pub(crate) fn is_local(&self) -> bool {
        self.owner_kind().is_some_and(SymbolKind::is_callable)
    }

    /// The kind of the enclosing definition.
    pub(crate) fn owner_kind(&self) -> Option<SymbolKind> {
        let owner = self.b.current_owner()?;
        Some(self.b.facts().def(owner).kind)
    }

    /// Whether the current place is inside a type.
    pub(crate) fn is_member(&self) -> bool {
        let is_type = |kind: SymbolKind| match kind {
            SymbolKind::Namespace | SymbolKind::Package => false,
            SymbolKind::Module => self.outline.module_methods,
            kind => !kind.is_callable(),
        };
        self.owner_kind().is_some_and(is_type)
    }

    /// Adds a definition, and reads its contents as its own. `inner` is the default visibility of its contents.
    pub(crate) fn define_in_section(
        &mut self,
        found: FoundDefinition<'_, '_>,
        inner: Option<Visibility>,
    ) {
        let node = found.node;
        let def = self.declare(&found);
        let kind = self.b.facts().def(def).kind;
        let section = std::mem::replace(&mut self.section, inner);
        let wrapper = self.wrapper.take();
        self.b.open_def(def, scope_kind(kind));
        self.children(node);
        self.b.close_def();
        (self.section, self.wrapper) = (section, wrapper);
    }

    /// Adds a definition without its contents.
    pub(crate) fn declare(&mut self, found: &FoundDefinition<'_, '_>) -> DefId {
        let (node, at) = (found.node, found.at);
        let wrapper = self.wrapper;
        let row = wrapper.map_or(node.start_position().row, |(_, row)| row);
        let doc = self.take_doc(row);
        let text = self.b.text(at);
        let id = match found.name {
            Some(name) => self.b.intern_owned_name(name),
            None => self.b.intern_name(text),
        };
        let def = self.b.add_def(id, found.kind, node, at);
        self.b.set_doc(def, &doc);
        let params = self.parameters_of(&found.parameters);
        let receiver = found.receiver.map(|name| self.b.intern_owned_name(name));
        let visibility = self.visibility(found);
        let flags = self.flags(found);
        let end = self.signature_end(found);
        let made = self.b.def_mut(def);
        if let Some((byte, row)) = wrapper {
            made.span.start_byte = byte as u32;
            made.span.start_line = row as u32 + 1;
            made.signature.0 = byte as u32;
        }
        if let Some(end) = end {
            made.signature.1 = (end as u32).max(made.signature.0);
        }
        made.flags = flags;
        made.visibility = visibility;
        if visibility != Visibility::Private {
            made.flags.set(DefFlags::EXPORTED);
        }
        if found.kind.is_callable() {
            made.callable = Some(Box::new(Callable {
                params,
                receiver,
                ..Callable::default()
            }));
            if let Some(body) = found.body {
                self.b.set_complexity(def, body, self.outline.complexity);
            }
        }
        def
    }

    /// The end of the signature: the first part that does not belong to it. `None` if that is the end of the line.
    fn signature_end(&self, found: &FoundDefinition<'_, '_>) -> Option<usize> {
        let last = found.parameters.last().map(|list| list.end_byte());
        let body = found.body.map(|body| body.start_byte());
        // Attributes may precede the name on earlier lines.
        let line = line_end(self.b.source, found.node, found.at);
        let end = match (body, last) {
            (_, Some(last)) if !self.outline.results_follow => last,
            (Some(body), _) if !self.outline.results_follow => body.min(line),
            (Some(body), last) => last.map_or(body, |last| body.max(last)),
            (None, Some(_)) => found.node.end_byte(),
            (None, None) => line,
        };
        let start = found.node.start_byte();
        let text = self.b.source.get(start..end)?;
        let text = text.trim_end_matches([' ', '\t', '\r', '\n', '{', '=', ';', ',']);
        Some(start + text.len())
    }

    /// The text of a definition before its name.
    fn head(&self, node: Node<'_>, at: Node<'_>) -> &'s str {
        let text = self.b.source.get(node.start_byte()..at.start_byte());
        head(text.unwrap_or_default(), MOST_HEAD)
    }

    /// The flags that follow from the keywords before a name.
    fn flags(&self, found: &FoundDefinition<'_, '_>) -> DefFlags {
        let mut flags = found.flags;
        let is_member = self.is_member() || found.receiver.is_some();
        for word in words(self.head(found.node, found.at)) {
            match word {
                "static" if is_member => flags.set(DefFlags::STATIC),
                "abstract" => flags.set(DefFlags::ABSTRACT),
                "override" => flags.set(DefFlags::OVERRIDES),
                "async" | "suspend" => flags.set(DefFlags::ASYNC),
                _ => {}
            }
        }
        flags
    }

    fn visibility(&self, found: &FoundDefinition<'_, '_>) -> Visibility {
        if let Some(known) = found.visibility {
            return known;
        }
        let written = words(self.head(found.node, found.at)).find_map(|word| {
            let mut known = self.outline.visibility.iter();
            known.find(|(w, _)| *w == word).map(|(_, v)| *v)
        });
        let default_visibility = match self.owner_kind() {
            Some(SymbolKind::Class | SymbolKind::Struct) => self.outline.default_visibility.1,
            Some(kind) if kind.is_type() => Visibility::Public,
            _ => self.outline.default_visibility.0,
        };
        written.or(self.section).unwrap_or(default_visibility)
    }

    /// The parameters in some lists.
    pub(super) fn parameters_of(&mut self, lists: &[Node<'_>]) -> Vec<Param> {
        lists
            .iter()
            .flat_map(|list| self.parameters(*list))
            .collect()
    }

    fn parameters(&mut self, list: Node<'_>) -> Vec<Param> {
        if self.outline.comments.contains(&list.kind_name()) {
            return Vec::new();
        }
        let mut out = Vec::new();
        if is_parameter(list) {
            out.extend(self.parameter(list));
            return out;
        }
        let mut cursor = list.walk();
        for child in list.named_children(&mut cursor) {
            if !self.outline.comments.contains(&child.kind_name()) {
                out.extend(self.parameter(child));
            }
        }
        out
    }

    fn parameter(&mut self, node: Node<'_>) -> Option<Param> {
        let name = parameter_name(node)?;
        let text = self.b.text(name);
        let is_literal = text.starts_with(|c: char| c.is_ascii_digit() || c == '"');
        if is_literal || !text.contains(char::is_alphanumeric) {
            return None;
        }
        Some(Param {
            name: self.b.intern_node_text(name),
            ty: None,
            default: None,
            kind: ParamKind::Optional,
        })
    }
}

/// Kinds of nodes that can be the name of a parameter.
const NAMES: [&str; 17] = [
    "identifier",
    "simple_identifier",
    "field_identifier",
    "variable_name",
    "name",
    "word",
    "block_parameter",
    "splat_parameter",
    "constant",
    "lower_case_identifier",
    "lower_pattern",
    "identifier_pattern",
    "long_identifier_or_op",
    "typed_expression",
    "formal_parameter",
    "scalar",
    "varname",
];

/// Whether a node is a parameter itself, not a parameter list.
fn is_parameter(node: Node<'_>) -> bool {
    node.kind_name() == "parameter"
}

/// The name in a parameter; `None` if it has none.
fn parameter_name(node: Node<'_>) -> Option<Node<'_>> {
    let mut node = node;
    // Real code has no more declarators around a name than this.
    for _ in 0..16 {
        if node.named_child_count() == 0 {
            let is_type = node.kind_name().contains("type");
            return (!is_type).then_some(node);
        }
        let inner = node.field("name").or_else(|| node.field("declarator"));
        let inner = inner.or_else(|| node.field("pattern"));
        let inner = inner.or_else(|| child_of_kind(node, &NAMES));
        let inner = inner.or_else(|| {
            let kind = node.kind_name();
            kind.contains("declarator")
                .then(|| node.named_child(0))
                .flatten()
        });
        node = inner?;
    }
    None
}

/// The row after a node.
fn row_after(node: Node<'_>) -> usize {
    node.end_position().row + usize::from(node.end_position().column > 0)
}

/// The end of the line of a name within its definition.
fn line_end(source: &str, node: Node<'_>, at: Node<'_>) -> usize {
    let start = at.start_byte();
    let text = source.get(start..node.end_byte()).unwrap_or_default();
    let text = head(text, syntax::builder::MAX_HEAD_BYTES);
    start + text.find('\n').unwrap_or(text.len())
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
}

fn scope_kind(kind: SymbolKind) -> ScopeKind {
    if kind.is_callable() {
        ScopeKind::Function
    } else {
        ScopeKind::Class
    }
}
