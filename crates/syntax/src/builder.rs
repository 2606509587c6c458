//! Collects the facts of one file while a language module walks its syntax tree.

use crate::complexity;
use crate::facts::*;
use base::scopes::ScopeIndex;
use base::{Language, Span, SymbolKind, Visibility};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::rc::Rc;
use tree_sitter::Node;

/// Subtrees that nest deeper than this are not read.
pub const MAX_DEPTH: u32 = 1_500;

const MAX_DOC_BYTES: usize = 400;
const MAX_SIGNATURE_BYTES: usize = 200;
/// Most bytes of a text that are read for a signature or for documentation. One statement may declare a hundred
/// thousand names, and each of them has the whole statement as its text.
pub const MAX_HEAD_BYTES: usize = 4096;

/// Bindings that are always allowed, however short the source is.
const LEAST_BINDINGS: usize = 4096;

/// Returns whether the facts are no longer wanted.
pub type Stop<'s> = &'s dyn Fn() -> bool;

/// Steps down the tree between two checks whether to stop.
const STEPS: u32 = 4_096;

/// Collects facts. A language module opens scopes, adds definitions, bindings, expressions and sites, and finally calls
/// [`Builder::finish`].
pub struct Builder<'s> {
    /// The source text.
    pub source: &'s str,
    /// The text that was parsed, if the source was mended; see [`crate::Reader::mend`].
    pub mended: Option<String>,
    facts: FileFacts,
    interned: FxHashMap<&'s str, NameId>,
    interned_owned: FxHashMap<String, NameId>,
    scopes: Vec<ScopeId>,
    owners: Vec<DefId>,
    depth: u32,
    stop: Stop<'s>,
    steps: u32,
    /// Nodes visited to measure complexity.
    measured: u64,
    stopped: bool,
    complexity: Option<(Rc<complexity::Table>, Vec<u32>)>,
    condition: Option<NameId>,
}

impl<'s> Builder<'s> {
    /// Starts with the file's own scope open.
    pub fn new(language: Language, source: &'s str, stop: Stop<'s>) -> Builder<'s> {
        let mut facts = FileFacts::empty(language);
        facts.lines = line_count(source);
        Builder {
            source,
            mended: None,
            facts,
            interned: FxHashMap::default(),
            interned_owned: FxHashMap::default(),
            scopes: vec![FILE_SCOPE],
            owners: Vec::new(),
            depth: 0,
            stop,
            steps: 0,
            measured: 0,
            stopped: false,
            complexity: None,
            condition: None,
        }
    }

    /// Sets the condition of definitions and imports added from here on; returns the previous one.
    pub fn set_condition(&mut self, condition: Option<NameId>) -> Option<NameId> {
        std::mem::replace(&mut self.condition, condition)
    }

    /// The condition of definitions and imports added now.
    pub fn condition(&self) -> Option<NameId> {
        self.condition
    }

    /// Enters one level; returns `false` (and counts it) if that is too deep. Each `true` needs a
    /// [`Builder::leave_level`].
    pub fn enter_level(&mut self) -> bool {
        self.steps += 1;
        if self.steps.is_multiple_of(STEPS) {
            self.stopped |= (self.stop)();
        }
        if self.depth >= MAX_DEPTH || self.stopped {
            self.facts.too_deep += 1;
            return false;
        }
        self.depth += 1;
        true
    }

    /// Number of calls of [`Builder::enter_level`], and of nodes visited to measure complexity.
    pub fn visit_count(&self) -> u64 {
        u64::from(self.steps) + self.measured
    }

    /// Counts steps taken outside the walk.
    pub fn count_steps(&mut self, steps: u64) {
        self.measured += steps;
    }

    /// Whether the most bindings of a source are reached: one for each byte. Names are bound anew where branches meet,
    /// so deep nesting makes more bindings than there are names. The rest of such a file is not read.
    pub fn is_full(&self) -> bool {
        self.facts.bindings.len() >= self.source.len().max(LEAST_BINDINGS)
    }

    /// The check whether the facts are no longer wanted.
    pub fn stop_check(&self) -> Stop<'s> {
        self.stop
    }

    /// Leaves a level that [`Builder::enter_level`] entered.
    pub fn leave_level(&mut self) {
        self.depth -= 1;
    }

    /// The text of a node.
    pub fn text(&self, node: Node<'_>) -> &'s str {
        self.source.get(node.byte_range()).unwrap_or("")
    }

    /// The id of an existing name.
    pub fn find_name(&self, text: &str) -> Option<NameId> {
        let known = self.interned.get(text);
        known.or_else(|| self.interned_owned.get(text)).copied()
    }

    /// The id of a name.
    pub fn intern_name(&mut self, text: &'s str) -> NameId {
        if let Some(id) = self.interned.get(text) {
            return *id;
        }
        if let Some(id) = self.interned_owned.get(text) {
            self.interned.insert(text, *id);
            return *id;
        }
        if let Cow::Owned(plain) = shown_name(text) {
            let id = self.intern_owned_name(&plain);
            self.interned.insert(text, id);
            return id;
        }
        let id = NameId(self.facts.names.len() as u32);
        self.facts.names.push(text.into());
        self.interned.insert(text, id);
        id
    }

    /// The id of a name that is not in the source in this form.
    pub fn intern_owned_name(&mut self, text: &str) -> NameId {
        let text = &*shown_name(text);
        if let Some(id) = self
            .interned
            .get(text)
            .or_else(|| self.interned_owned.get(text))
        {
            return *id;
        }
        let id = NameId(self.facts.names.len() as u32);
        self.facts.names.push(text.into());
        self.interned_owned.insert(text.to_owned(), id);
        id
    }

    /// The id of a text that is not a name. Its caller limits its length; control characters are replaced.
    pub(crate) fn intern_text(&mut self, text: &str) -> NameId {
        let text = text.replace(|c: char| c.is_ascii_control(), "\u{fffd}");
        if let Some(id) = self.find_name(&text) {
            return id;
        }
        let id = NameId(self.facts.names.len() as u32);
        self.facts.names.push(text.as_str().into());
        self.interned_owned.insert(text, id);
        id
    }

    /// The id of a node's text as a name.
    pub fn intern_node_text(&mut self, node: Node<'_>) -> NameId {
        self.intern_name(self.text(node))
    }

    /// The innermost open scope.
    pub fn current_scope(&self) -> ScopeId {
        self.scopes.last().copied().unwrap_or(FILE_SCOPE)
    }

    /// The open scopes, from the file's own to the innermost.
    pub fn open_scopes(&self) -> &[ScopeId] {
        &self.scopes
    }

    /// The innermost open definition.
    pub fn current_owner(&self) -> Option<DefId> {
        self.owners.last().copied()
    }

    /// Opens a scope. `owner` is the definition that it belongs to.
    pub fn open_scope(&mut self, kind: ScopeKind, owner: Option<DefId>) -> ScopeId {
        let id = ScopeId(self.facts.scopes.len() as u32);
        self.facts.scopes.push(Scope {
            parent: Some(self.current_scope()),
            kind,
            owner,
        });
        self.scopes.push(id);
        id
    }

    /// Closes the innermost scope.
    pub fn close_scope(&mut self) {
        if self.scopes.len() > 1 {
            self.scopes.pop();
        }
    }

    /// Adds a definition in the current scope, with neutral values for everything not given; change these through
    /// [`Builder::def_mut`]. It is not bound: see [`Builder::bind`].
    pub fn add_def(
        &mut self,
        name: NameId,
        kind: SymbolKind,
        node: Node<'_>,
        name_node: Node<'_>,
    ) -> DefId {
        let id = DefId(self.facts.defs.len() as u32);
        let at = name_node.start_position();
        let mut span = span_of(node);
        // A part may have been parsed with an end that lies beyond the source.
        span.end_byte = span.end_byte.min(self.source.len() as u32);
        span.start_byte = span.start_byte.min(span.end_byte);
        self.facts.defs.push(Def {
            name,
            kind,
            parent: self.current_owner(),
            scope: self.current_scope(),
            body: None,
            span,
            name_line: at.row as u32 + 1,
            name_column: at.column as u32,
            signature: (span.start_byte, first_line_end(self.source, span)),
            signature_text: Box::default(),
            doc: None,
            visibility: Visibility::Public,
            flags: DefFlags::default(),
            type_params: Box::default(),
            supers: Box::default(),
            callable: None,
            ty: None,
            value: None,
            decorators: Box::default(),
            complexity: Complexity::default(),
            condition: self.condition,
        });
        id
    }

    /// A definition, to be changed.
    pub fn def_mut(&mut self, id: DefId) -> &mut Def {
        &mut self.facts.defs[id.index()]
    }

    /// The facts so far.
    pub fn facts(&self) -> &FileFacts {
        &self.facts
    }

    /// The facts so far, to be changed (package, errors and the like).
    pub fn facts_mut(&mut self) -> &mut FileFacts {
        &mut self.facts
    }

    /// Opens a definition and its body scope. Everything up to [`Builder::close_def`] belongs to it.
    pub fn open_def(&mut self, id: DefId, kind: ScopeKind) -> ScopeId {
        let scope = self.open_scope(kind, Some(id));
        self.facts.defs[id.index()].body = Some(scope);
        self.owners.push(id);
        scope
    }

    /// Closes the innermost definition and its scope.
    pub fn close_def(&mut self) {
        self.owners.pop();
        self.close_scope();
    }

    /// Opens a definition that has no scope of its own (a field with an initial value).
    pub fn open_owner(&mut self, id: DefId) {
        self.owners.push(id);
    }

    /// Closes the owner that [`Builder::open_owner`] opened.
    pub fn close_owner(&mut self) {
        self.owners.pop();
    }

    /// Opens an existing scope again (Python methods look past their class's scope, TypeScript
    /// namespaces merge).
    pub fn reopen_scope(&mut self, scope: ScopeId) {
        self.scopes.push(scope);
    }

    /// Binds a name in a scope.
    pub fn bind_in(
        &mut self,
        scope: ScopeId,
        name: NameId,
        namespace: Namespace,
        from: u32,
        to: Bound,
    ) {
        if self.is_full() {
            self.stopped = true;
            return;
        }
        self.facts.bindings.push(Binding {
            scope,
            name,
            namespace,
            from,
            to,
        });
    }

    /// Binds a name in the current scope, visible in all of it.
    pub fn bind(&mut self, name: NameId, namespace: Namespace, to: Bound) {
        self.bind_in(self.current_scope(), name, namespace, 0, to);
    }

    /// Adds an expression.
    pub fn add_expr(&mut self, expr: Expr) -> ExprId {
        let id = ExprId(self.facts.exprs.len() as u32);
        self.facts.exprs.push(expr);
        id
    }

    /// Replaces an expression after later code said more about it.
    pub fn set_expr(&mut self, id: ExprId, expr: Expr) {
        self.facts.exprs[id.index()] = expr;
    }

    /// Adds the use of a name in the current scope.
    pub fn add_name_expr(&mut self, node: Node<'_>) -> ExprId {
        let name = self.intern_node_text(node);
        let scope = self.current_scope();
        self.add_expr(Expr::Name {
            name,
            scope,
            at: node.start_byte() as u32,
        })
    }

    /// Adds a written type.
    pub fn add_type(&mut self, ty: TypeExpr) -> TypeId {
        let id = TypeId(self.facts.types.len() as u32);
        self.facts.types.push(ty);
        id
    }

    /// Adds an import. It is not bound: see [`Builder::bind`].
    pub fn add_import(&mut self, mut import: Import) -> ImportId {
        let id = ImportId(self.facts.imports.len() as u32);
        import.condition = self.condition;
        self.facts.imports.push(import);
        id
    }

    /// Adds an export.
    pub fn add_export(&mut self, export: Export) {
        self.facts.exports.push(export);
    }

    /// Adds a call. `name_node` is the called name (for `a.b.c()`, `c`).
    pub fn add_call(&mut self, expr: ExprId, kind: CallKind, argc: usize, name_node: Node<'_>) {
        let at = name_node.start_position();
        let owner = self.facts.enclosing_node_def(self.current_owner());
        self.facts.calls.push(CallSite {
            expr,
            owner,
            line: at.row as u32 + 1,
            column: at.column as u32,
            argc: argc.min(u16::MAX as usize) as u16,
            kind,
        });
    }

    /// Adds a reference. References to local variables, parameters and type parameters are dropped at the end, so
    /// callers need not filter them.
    pub fn add_reference(&mut self, what: RefTarget, name_node: Node<'_>) {
        let at = name_node.start_position();
        let owner = self.facts.enclosing_node_def(self.current_owner());
        self.facts.references.push(RefSite {
            what,
            owner,
            line: at.row as u32 + 1,
            column: at.column as u32,
        });
    }

    /// Adds a write. Writes to local variables and parameters are dropped at the end.
    pub fn add_write(&mut self, target: ExprId, name_node: Node<'_>) {
        let at = name_node.start_position();
        let owner = self.facts.enclosing_node_def(self.current_owner());
        self.facts.writes.push(WriteSite {
            target,
            owner,
            line: at.row as u32 + 1,
            column: at.column as u32,
        });
    }

    /// Sets the documentation from cleaned text: its first paragraph, at most 400 bytes.
    pub fn set_doc(&mut self, id: DefId, text: &str) {
        let first = first_paragraph(text);
        if !first.is_empty() {
            self.facts.defs[id.index()].doc = Some(first.into());
        }
    }

    /// Sets cyclomatic and cognitive complexity from the body of a function.
    pub fn set_complexity(&mut self, id: DefId, body: Node<'_>, rules: &'static complexity::Rules) {
        let (source, language) = (self.source, self.facts.language);
        let (table, marks) = self.complexity.get_or_insert_with(|| {
            let table = complexity::table_for(language, rules, &body.language());
            (table, complexity::find_marks(source, rules))
        });
        let (complexity, visited) = complexity::measure(body, table, source, marks);
        self.facts.defs[id.index()].complexity = complexity;
        self.measured += visited;
    }

    /// Sorts bindings, drops sites that concern local names only, and writes signatures.
    pub fn finish(mut self) -> FileFacts {
        self.facts.bindings.sort_by_key(|b| b.scope);
        self.drop_local_sites();
        self.write_signatures();
        self.facts.generated = has_generated_header(self.source);
        self.facts.is_program |= has_interpreter_line(self.source);
        self.facts.is_blank = self.source.trim().is_empty();
        self.facts.shrink_tables();
        self.facts
    }

    fn write_signatures(&mut self) {
        for def in &mut self.facts.defs {
            if !def.flags.has(DefFlags::ANONYMOUS) {
                let (from, to) = def.signature;
                let text = self.source.get(from as usize..to as usize).unwrap_or("");
                def.signature_text = fold_whitespace(text).into();
            }
        }
    }

    fn drop_local_sites(&mut self) {
        let bindings = &Bindings::new(&self.facts);
        let keep_reference: Vec<bool> = bindings
            .facts
            .references
            .iter()
            .map(|site| match site.what {
                RefTarget::Expr(expr) => !is_local(bindings, expr),
                RefTarget::Type(ty) => !is_local_type(bindings, ty),
            })
            .collect();
        let keep_write: Vec<bool> = bindings
            .facts
            .writes
            .iter()
            .map(|site| !is_local(bindings, site.target))
            .collect();
        let keep_call: Vec<bool> = bindings
            .facts
            .calls
            .iter()
            .map(|site| match bindings.facts.expr(site.expr) {
                Expr::Bare(path) => !is_local(bindings, *path),
                _ => true,
            })
            .collect();
        let mut kept = keep_call.into_iter();
        self.facts.calls.retain(|_| kept.next().unwrap_or(true));
        let mut kept = keep_reference.into_iter();
        self.facts
            .references
            .retain(|_| kept.next().unwrap_or(true));
        let mut kept = keep_write.into_iter();
        self.facts.writes.retain(|_| kept.next().unwrap_or(true));
    }
}

/// The bindings of a file, sorted by scope, name, and first visible byte.
struct Bindings<'f> {
    facts: &'f FileFacts,
    scopes: ScopeIndex,
    /// Scope, name, `from`, and index of the binding; sorted.
    sorted: Vec<(ScopeId, NameId, u32, u32)>,
}

impl<'f> Bindings<'f> {
    fn new(facts: &'f FileFacts) -> Bindings<'f> {
        let all = facts.bindings.iter().zip(0u32..);
        let mut sorted: Vec<_> = all.map(|(b, i)| (b.scope, b.name, b.from, i)).collect();
        sorted.sort_unstable();
        let scopes = ScopeIndex::new(facts);
        Bindings {
            facts,
            scopes,
            sorted,
        }
    }

    /// The binding that a use of a name in `scope` at byte `at` sees, by the lexical rules that all languages share:
    /// that of the innermost scope which binds the name in that namespace, and in it the last one visible at `at`.
    fn lookup(
        &self,
        name: NameId,
        scope: ScopeId,
        at: u32,
        namespace: Namespace,
    ) -> Option<&'f Binding> {
        self.scopes.around(self.facts, name, scope).find_map(|id| {
            // A function's body runs after the whole file: it sees the file's last binding.
            let is_file = self.facts.scope(id).kind == ScopeKind::File;
            let is_later = is_file && self.scopes.is_in_function(self.facts, scope);
            let at = if is_later { u32::MAX } else { at };
            let seen = |b: &(ScopeId, NameId, u32, u32)| (b.0, b.1, b.2) <= (id, name, at);
            let before = &self.sorted[..self.sorted.partition_point(seen)];
            let named = before.iter().rev().take_while(|b| (b.0, b.1) == (id, name));
            let mut found = named.map(|b| &self.facts.bindings[b.3 as usize]);
            found.find(|b| b.namespace.intersects(namespace))
        })
    }
}

fn is_local(bindings: &Bindings<'_>, expr: ExprId) -> bool {
    let Expr::Name { name, scope, at } = *bindings.facts.expr(expr) else {
        return false;
    };
    let bound = bindings.lookup(name, scope, at, Namespace::VALUE);
    let bound = bound.map(|b| b.to);
    matches!(bound, Some(Bound::Local { .. } | Bound::Param(..)))
}

fn is_local_type(bindings: &Bindings<'_>, ty: TypeId) -> bool {
    let TypeExpr::Named {
        path, scope, at, ..
    } = bindings.facts.ty(ty)
    else {
        return false;
    };
    let Some(first) = path.first() else {
        return true;
    };
    let bound = bindings.lookup(*first, *scope, *at, Namespace::TYPE);
    matches!(bound.map(|b| b.to), Some(Bound::TypeParam(..)))
}

/// Bytes of the longest name that is stored in full. Names of members contain those of their owners, and many tables
/// store them.
const LONGEST_NAME: usize = 512;
/// Bytes that are stored of a longer name.
const LONG_NAME_HEAD: usize = 256;

/// A name as it is stored: without line ends and other control characters, and of limited length.
///
/// A quoted name may have any character, and would look like several lines when shown. A long one is cut and ends with
/// a fingerprint of the whole, so that two names with the same beginning stay distinct.
fn shown_name(name: &str) -> Cow<'_, str> {
    if name.len() > LONGEST_NAME {
        let whole = base::fingerprint(&[name.as_bytes()]);
        let mut head = LONG_NAME_HEAD;
        while !name.is_char_boundary(head) {
            head -= 1;
        }
        let head = shown_name(&name[..head]);
        return Cow::Owned(format!("{head}…{whole:016x}"));
    }
    if name.bytes().any(|byte| byte.is_ascii_control()) {
        Cow::Owned(name.replace(|c: char| c.is_ascii_control(), "\u{fffd}"))
    } else {
        Cow::Borrowed(name)
    }
}

/// Number of lines, as `str::lines` counts.
fn line_count(source: &str) -> u32 {
    let breaks = source.bytes().filter(|b| *b == b'\n').count();
    let open = !source.is_empty() && !source.ends_with('\n');
    breaks as u32 + u32::from(open)
}

/// The span of a node.
pub fn span_of(node: Node<'_>) -> Span {
    let end = node.end_position();
    // A node that ends with the line break ends on the line before.
    let end_row = if end.column == 0 && end.row > node.start_position().row {
        end.row - 1
    } else {
        end.row
    };
    Span {
        start_line: node.start_position().row as u32 + 1,
        end_line: end_row as u32 + 1,
        start_byte: node.start_byte() as u32,
        end_byte: node.end_byte() as u32,
    }
}

/// The end of a definition's first line, or of its first bytes if that line is very long.
fn first_line_end(source: &str, span: Span) -> u32 {
    let text = source
        .get(span.start_byte as usize..span.end_byte as usize)
        .unwrap_or("");
    let read = head(text, MAX_HEAD_BYTES);
    span.start_byte + read.find('\n').unwrap_or(read.len()) as u32
}

/// Lines that are read for the header.
const HEADER_LINES: usize = 40;

/// Whether the header says that the file was generated. A licence and build conditions may come first, so comments are
/// read up to the first line of code. The first lines are read in any case, since some programs write the notice into a
/// literal.
fn has_generated_header(text: &str) -> bool {
    const FIRST: usize = 6;
    const COMMENTS: [&str; 9] = ["//", "/*", "*", "#", "--", ";", "\"\"\"", "'''", "<!--"];
    let mut is_header = true;
    let lines = text.lines().take(HEADER_LINES).enumerate();
    let mut header = lines.take_while(|(at, line)| {
        let line = line.trim_start();
        is_header &= line.is_empty() || COMMENTS.iter().any(|mark| line.starts_with(mark));
        is_header || *at < FIRST
    });
    header.any(|(_, line)| {
        line.len() < 400
            && (line.contains("@generated")
                || (line.contains("enerated") && line.contains("DO NOT EDIT")))
    })
}

/// Whether the first line names the program that runs the file. Rust attributes begin alike and do not count.
fn has_interpreter_line(text: &str) -> bool {
    text.starts_with("#!") && !text.starts_with("#![")
}

/// Text with its white space folded, at most 200 bytes.
fn fold_whitespace(text: &str) -> String {
    let read = head(text, MAX_HEAD_BYTES);
    let mut out = String::new();
    for word in read.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
        if out.len() > MAX_SIGNATURE_BYTES {
            break;
        }
    }
    if out.len() > MAX_SIGNATURE_BYTES || read.len() < text.len() {
        out.truncate(head(&out, MAX_SIGNATURE_BYTES).len());
        out.push('…');
    }
    out
}

fn first_paragraph(text: &str) -> String {
    let mut out = String::new();
    for line in head(text.trim_start(), MAX_HEAD_BYTES).lines() {
        let line = line.trim();
        if line.is_empty() {
            break;
        }
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(line);
        if out.len() > MAX_DOC_BYTES {
            break;
        }
    }
    out.truncate(head(&out, MAX_DOC_BYTES).len());
    out
}

/// Whether a text has more than `most` bytes. Carriage returns do not count, so both kinds of line ends give the same.
pub fn is_longer(text: &str, most: usize) -> bool {
    let counted = || text.bytes().filter(|byte| *byte != b'\r').count();
    text.len() > most && (text.len() > 2 * most || counted() > most)
}

/// The beginning of a text, at most `most` bytes.
pub fn head(text: &str, most: usize) -> &str {
    let mut end = most.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn carriage_returns_do_not_make_a_text_longer() {
        assert!(!is_longer("a\r\nb", 3) && is_longer("a\r\nb", 2));
        assert!(!is_longer("", 0) && is_longer("abc", 2));
        assert!(is_longer(&"\r".repeat(9), 4), "it is not read to its end");
    }

    #[test]
    fn long_names_are_cut_and_stay_different() {
        let name = |last: &str| format!("{}{last}", "é".repeat(50_000));
        let (one, other) = (name("a"), name("b"));
        let (one, other) = (shown_name(&one), shown_name(&other));
        assert!(one.len() < LONGEST_NAME && one != other, "{one} {other}");
        assert!(one.starts_with("éé"));
        assert_eq!(
            shown_name(&"x".repeat(LONGEST_NAME)),
            "x".repeat(LONGEST_NAME)
        );
        assert_eq!(shown_name(&one), one);
        assert_eq!(shown_name("a\nb"), "a\u{fffd}b");
    }

    #[test]
    fn long_statements_are_read_at_their_head() {
        let names = "é,".repeat(100_000);
        let signature = fold_whitespace(&names);
        assert!(signature.len() <= MAX_SIGNATURE_BYTES + '…'.len_utf8());
        assert!(signature.ends_with('…'));
        // Text after that much white space is not searched.
        let spread = format!("a{}b", " ".repeat(MAX_HEAD_BYTES));
        assert_eq!(fold_whitespace(&spread), "a…");
        assert_eq!(fold_whitespace("fn  f( )\n  {"), "fn f( ) {");
        let doc = first_paragraph(&names);
        assert!((MAX_DOC_BYTES - 1..=MAX_DOC_BYTES).contains(&doc.len()));
        assert_eq!(first_paragraph("\n One.\n Two.\n\n Three."), "One. Two.");
    }
}
