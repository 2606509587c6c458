//! Facts of TypeScript, TSX, JavaScript and JSX files.
//!
//! One walk over the tree: statements ([`stmts`]), definitions ([`defs`], [`classes`]), expressions
//! ([`exprs`], [`objects`]), patterns, types and modules. Names are resolved later, over bindings.

mod classes;
mod commonjs;
mod defs;
mod exprs;
mod fields;
mod imports;
mod jsdoc;
mod jsdoc_types;
mod jsx;
mod mend;
mod narrow;
mod objects;
mod patterns;
mod scoped;
mod stmts;
mod types;

pub(crate) use mend::{is_misread, mend};

use base::{Language, SymbolKind};
use rustc_hash::{FxHashMap, FxHashSet};
use scoped::Scoped;
use syntax::builder::{Builder, head, is_longer};
use syntax::complexity::Rules;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Reads a whole file.
pub(super) fn walk(builder: &mut Builder<'_>, root: Node<'_>) {
    let mut walker = Walker::new(builder);
    walker.visit_statements(root);
    walker.set_export_flags();
    walker.export_doc_types();
}

/// The name of a projection: the result type `x is T` of a type predicate is stored as the projection of `T` to this
/// name, which no source can contain.
const PREDICATE: &str = "<is>";

const RULES: Rules = Rules {
    nesting: &[
        "if_statement",
        "for_statement",
        "for_in_statement",
        "while_statement",
        "do_statement",
        "catch_clause",
        "ternary_expression",
        "switch_statement",
    ],
    no_path: &["switch_statement"],
    arms: &["switch_case"],
    elses: &["else_clause"],
    else_paths: &[],
    logical: (&["binary_expression"], &["&&", "||", "??"]),
    jumps: &[],
    functions: &[
        "arrow_function",
        "function_expression",
        "function_declaration",
        "generator_function",
        "generator_function_declaration",
        "method_definition",
    ],
    words: &[
        "if", "for", "while", "do", "catch", "switch", "case", "else",
    ],
    signs: &["?", "&&", "||"],
};

/// The meaning of `this` at a place.
#[derive(Clone, Copy)]
enum ThisRef {
    /// Unknown in this file.
    None,
    /// An instance of a class, of a constructor function, or of an object that is a constant's value.
    Instance(DefId),
    /// The class itself, in static members.
    Class(DefId),
    /// The parameter written as `this: T`.
    Param,
}

/// A function whose body is being read. The first frame is that of the file.
struct Frame {
    /// The scope in which `var` binds.
    var_scope: ScopeId,
    /// Returned expressions, if they are needed.
    returns: Option<Vec<ExprId>>,
    /// The written result type of a function that is not `async`.
    result: Option<TypeId>,
    yields: Vec<ExprId>,
}

/// Name and place of a definition; the node of the definition itself is passed separately.
#[derive(Clone, Copy)]
struct DefName<'t> {
    /// The name; `None` for function literals that are not bound to a name.
    name: Option<NameId>,
    /// The node of the name.
    at: Node<'t>,
    /// The whole declaration, with `export` and decorators.
    outer: Node<'t>,
    kind: SymbolKind,
    flags: DefFlags,
}

/// A `this.x = value` that may declare a field.
struct AssignedField<'t> {
    name: NameId,
    at: Node<'t>,
    outer: Node<'t>,
    value: ExprId,
    ty: Option<TypeId>,
}

/// The state of the walk.
struct Walker<'b, 's, 't> {
    b: &'b mut Builder<'s>,
    unknown: ExprId,
    literals: FxHashMap<Primitive, ExprId>,
    /// Literals among arguments, by text.
    texts: FxHashMap<Box<str>, ExprId>,
    unknown_type: TypeId,
    frames: Vec<Frame>,
    this: Vec<ThisRef>,
    /// The innermost class (for `super` and the type `this`).
    classes: Vec<DefId>,
    /// The type expected of the object literal that is read next.
    expected: Option<TypeId>,
    /// The comment directly before the current node.
    doc: Option<Doc>,
    /// The comments of the open functions, innermost last.
    docs: Vec<Option<jsdoc::FunctionDoc>>,
    /// Types that comments declare for the whole file, with their lines.
    declared: Vec<(NameId, DefId, u32)>,
    /// Depth of `declare` blocks, in which nothing has a body.
    ambient: u32,
    /// Whether the walk is in `declare global`.
    in_global: bool,
    /// Fields that constructors declare by assignments.
    assigned: FxHashMap<DefId, Vec<AssignedField<'t>>>,
    /// Members of object literals with assigned values.
    members: fields::AssignedMembers,
    /// The values assigned to `exports.x`.
    exported: FxHashMap<Option<NameId>, Vec<ExprId>>,
    /// Functions and classes of the file's scope so far, for assignments to their prototypes.
    top: FxHashMap<NameId, DefId>,
    /// Namespaces so far with their scopes, to merge them.
    namespaces: FxHashMap<(ScopeId, NameId), ScopeId>,
    /// Local variables that have the type of their assigned values.
    untyped: Scoped<patterns::Assigned>,
    /// Names that conditions or first values narrow so far, by the scope of the narrowing.
    narrowed: Scoped<narrow::Narrowed>,
    /// The numbers of bindings made for narrowing; all others declare names.
    narrowings: FxHashSet<usize>,
    /// Starts of the enclosing loops, innermost last.
    loops: Vec<u32>,
    /// Starts of the functions so far.
    functions: Vec<u32>,
    /// Variables of type `any` with an initial value, with the definitions of those that have one.
    unchecked: Scoped<Option<DefId>>,
    /// Imports for `require()` and `import()` inside expressions.
    module_names: FxHashMap<NameId, ImportId>,
}

/// The bytes of the comments right before a definition.
#[derive(Clone, Copy)]
struct Doc {
    start: usize,
    end: usize,
    last_row: usize,
}

impl<'b, 's, 't> Walker<'b, 's, 't> {
    fn new(b: &'b mut Builder<'s>) -> Walker<'b, 's, 't> {
        let unknown = b.add_expr(Expr::Unknown);
        let unknown_type = b.add_type(TypeExpr::Unknown);
        Walker {
            b,
            unknown,
            literals: FxHashMap::default(),
            texts: FxHashMap::default(),
            unknown_type,
            frames: vec![Frame {
                var_scope: FILE_SCOPE,
                returns: None,
                result: None,
                yields: Vec::new(),
            }],
            this: vec![ThisRef::None],
            classes: Vec::new(),
            expected: None,
            doc: None,
            docs: Vec::new(),
            declared: Vec::new(),
            ambient: 0,
            in_global: false,
            assigned: FxHashMap::default(),
            members: fields::AssignedMembers::default(),
            exported: FxHashMap::default(),
            top: FxHashMap::default(),
            namespaces: FxHashMap::default(),
            untyped: Scoped::default(),
            narrowed: Scoped::default(),
            narrowings: FxHashSet::default(),
            loops: Vec::new(),
            functions: Vec::new(),
            unchecked: Scoped::default(),
            module_names: FxHashMap::default(),
        }
    }

    fn is_javascript(&self) -> bool {
        self.b.facts().language == Language::JavaScript
    }

    fn in_function(&self) -> bool {
        self.frames.len() > 1
    }

    fn context_flags(&self) -> DefFlags {
        let mut flags = DefFlags::default();
        if self.in_function() {
            flags.set(DefFlags::LOCAL);
        }
        if self.ambient > 0 {
            flags.set(DefFlags::DECLARATION_ONLY);
        }
        flags
    }

    fn literal(&mut self, primitive: Primitive) -> ExprId {
        if let Some(id) = self.literals.get(&primitive) {
            return *id;
        }
        let id = self.b.add_expr(Expr::Literal(primitive));
        self.literals.insert(primitive, id);
        id
    }

    /// A comment in a list of statements or members: kept for the next node.
    fn collect_comment(&mut self, node: Node<'t>) {
        self.visit_declaring_comment(node);
        let row = node.start_position().row;
        let continues =
            self.doc.is_some_and(|d| d.last_row + 1 == row) && self.b.text(node).starts_with("//");
        let start = match self.doc {
            Some(doc) if continues => doc.start,
            _ => node.start_byte(),
        };
        self.doc = Some(Doc {
            start,
            end: node.end_byte(),
            last_row: node.end_position().row,
        });
    }

    /// Attaches the comment directly above a definition to it.
    fn attach_doc(&mut self, id: DefId) {
        let Some(doc) = self.doc.take() else { return };
        let row = self.b.facts().def(id).span.start_line as usize - 1;
        if doc.last_row + 1 < row {
            return;
        }
        let text = self.b.source.get(doc.start..doc.end).unwrap_or("");
        self.b.set_doc(id, &clean_comment(text));
    }

    /// Sets the signature: `outer` up to `body`, or all of it.
    fn set_signature(&mut self, id: DefId, outer: Node<'t>, body: Option<Node<'t>>) {
        const MAX: usize = 400;
        let start = signature_start(outer);
        let end = body.map_or(outer.end_byte(), |b| b.start_byte());
        let text = self.b.source.get(start..end).unwrap_or("");
        let mut length = text.trim_end().len();
        if is_longer(&text[..length], MAX) {
            let read = head(text, MAX);
            length = read.find('\n').unwrap_or(read.len());
        }
        self.b.def_mut(id).signature = (start as u32, (start + length) as u32);
    }
}

/// The start of a declaration after its decorators.
fn signature_start(outer: Node<'_>) -> usize {
    let mut cursor = outer.walk();
    let first = outer
        .children(&mut cursor)
        .find(|c| !matches!(c.kind_name(), "decorator" | "comment"));
    first.map_or(outer.start_byte(), |c| c.start_byte())
}

/// Text of a comment without its marks, up to the first tag.
fn clean_comment(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let line = line.trim();
        let line = line
            .trim_start_matches("/**")
            .trim_start_matches("/*")
            .trim_start_matches("//")
            .trim_end_matches("*/")
            .trim()
            .trim_start_matches('*')
            .trim();
        if line.starts_with('@') {
            break;
        }
        out.push_str(line);
        out.push('\n');
    }
    out
}

/// Whether a direct child is that keyword or token.
fn has_token(node: Node<'_>, token: &str) -> bool {
    let mut cursor = node.walk();
    node.children(&mut cursor)
        .take_while(|c| !matches!(c.kind_name(), "statement_block" | "class_body"))
        .any(|c| c.kind_name() == token)
}

/// The text between the quotes of a string node.
fn unquote(text: &str) -> &str {
    let inner = text
        .strip_prefix(['"', '\'', '`'])
        .and_then(|t| t.strip_suffix(['"', '\'', '`']));
    inner.unwrap_or(text)
}
