//! Facts of Rust files.
//!
//! How Rust is written down in the common tables, where they leave a choice:
//! - Members of impls, traits, enums and structs are children of their definition and are not bound
//!   in its scope; that scope (kind `Class`) binds type parameters only, so look-ups pass through it.
//! - Path roots are names of their own: `crate`, `self`, `super`, and `::` for a leading `::`.
//! - `Self` is [`TypeExpr::SelfType`], `self` is [`Expr::This`] of the impl or trait around it.
//! - Tuple structs and tuple variants have a `callable` that gives the type itself; tuple structs
//!   have fields `0`, `1`, …, and `x.0` is a member of that name also where `x` is a tuple.
//! - A struct pattern's fields are members of a [`Expr::Payload`] with index [`WHOLE_VARIANT`].
//! - `Iterator<Item = T>` is written as `Iterator<T>`, with an argument by name; `impl A + B` and `dyn A + B` as `All`;
//!   `<T as Trait>` as `All([T, Trait])`.
//! - Bounds of an associated type are its `supers`.
//! - `#[path = "p"] mod m;` adds an import of the literal path whose owner is the module `m`.
//! - Ranges are lists of their bounds; an index by a list is a slice.
//! - The `condition` of what stands under `cfg` is the predicate, of several `all(…)`, those of what encloses it included. A
//!   macro call around items counts as the predicate `name!`: the macro may leave them out.
//! - `name!()` among items, with `macro_rules! name { () => { items } }` in the same file, is those items.
//! - `name!(A, b)` among items, with `macro_rules! name { ($x:ident, …) => { items } }` before it in the same file, is those
//!   items with what was given for `$x`. What is named by an argument stands where the argument does.
//! - `name!(…, red(), blue() -> T)` among the members of an impl or trait, with a macro of another file, has methods `red` and
//!   `blue`, which give a `T`.
//! - A rule of a macro that gives an expression is an anonymous function in it, with the names `$x` as parameters. Its calls
//!   are not recorded.
//! - A macro whose first rule gives what is inside of its argument (`match $e { Ok(v) => v, … }`) has an `Expr::Try` as value.
//!
//! [`TypeExpr::SelfType`]: syntax::facts::TypeExpr::SelfType
//! [`Expr::This`]: syntax::facts::Expr::This
//! [`Expr::Payload`]: syntax::facts::Expr::Payload

mod blocks;
mod calls;
pub(super) mod cfg;
mod exprs;
mod imports;
mod items;
mod macro_items;
mod macro_members;
mod macro_rules;
mod macros;
mod patterns;
mod types;

use base::SymbolKind;
use rustc_hash::FxHashSet;
use syntax::builder::Builder;
use syntax::complexity::Rules;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// The grammar.
pub(super) fn grammar() -> tree_sitter::Language {
    tree_sitter_rust::LANGUAGE.into()
}

/// Reads a whole file.
pub(super) fn walk(builder: &mut Builder<'_>, root: Node<'_>) {
    let source = builder.source;
    let own_macros = macro_items::macro_rules_names(source);
    let unknown = builder.add_expr(Expr::Unknown);
    let unknown_type = builder.add_type(TypeExpr::Unknown);
    let mut walker = Walker {
        b: builder,
        unknown,
        unknown_type,
        literals: [None; 8],
        self_types: Vec::new(),
        returns: Vec::new(),
        functions: 0,
        in_test: false,
        in_extern_block: false,
        in_own_macro: false,
        in_macro_rule: false,
        arguments: Vec::new(),
        spelled_out: Vec::new(),
        again: macros::ReparseBudget::for_source(source),
        own_macros,
    };
    walker.visit_statements(root);
}

const RULES: Rules = Rules {
    nesting: &[
        "if_expression",
        "match_expression",
        "for_expression",
        "while_expression",
        "loop_expression",
    ],
    no_path: &["match_expression"],
    arms: &["match_arm"],
    elses: &["else_clause"],
    else_paths: &[],
    logical: (&["binary_expression"], &["&&", "||"]),
    jumps: &[],
    functions: &["closure_expression", "function_item"],
    words: &["if", "match", "for", "while", "loop", "else"],
    signs: &["=>", "&&", "||"],
};

/// The state of a walk through one file.
struct Walker<'b, 's> {
    b: &'b mut Builder<'s>,
    unknown: ExprId,
    unknown_type: TypeId,
    literals: [Option<ExprId>; 8],
    /// Impls, traits and types around the current place: what `Self` means.
    self_types: Vec<DefId>,
    /// Returned expressions of the functions around the current place; none where the type is written.
    returns: Vec<Option<Vec<ExprId>>>,
    /// How many functions are around the current place.
    functions: u32,
    /// Whether the current place is compiled for tests alone.
    in_test: bool,
    /// Whether it is an `extern` block.
    in_extern_block: bool,
    /// Whether it is the definition of a macro, read where the macro is called.
    in_own_macro: bool,
    /// Whether it is what a rule of a macro gives: `$` is part of names there.
    in_macro_rule: bool,
    /// What the names with `$` stand for, in items that a macro call writes.
    arguments: Vec<macro_rules::MacroArgument<'s>>,
    /// Where macros begin whose items were read at their call.
    spelled_out: Vec<usize>,
    /// What parsing again what is given to macros may still take.
    again: macros::ReparseBudget,
    /// Names of the macros that the file has.
    own_macros: FxHashSet<&'s str>,
}

impl<'s> Walker<'_, 's> {
    /// The expression of a literal; one for each primitive.
    fn literal(&mut self, primitive: Primitive) -> ExprId {
        let slot = primitive as usize;
        if let Some(id) = self.literals[slot] {
            return id;
        }
        let id = self.b.add_expr(Expr::Literal(primitive));
        self.literals[slot] = Some(id);
        id
    }

    /// What `Self` means here.
    fn current_self_type(&self) -> Option<DefId> {
        self.self_types.last().copied()
    }

    /// The impl or trait whose member would be defined here.
    fn member_of(&self) -> Option<DefId> {
        let owner = self.b.current_owner()?;
        let def = self.b.facts().def(owner);
        let holds = matches!(def.kind, SymbolKind::Impl | SymbolKind::Trait);
        (holds && def.body == Some(self.b.current_scope())).then_some(owner)
    }

    /// Runs `f` one level deeper, unless that is too deep.
    fn with_depth_check<T>(&mut self, otherwise: T, f: impl FnOnce(&mut Self) -> T) -> T {
        if !self.b.enter_level() {
            return otherwise;
        }
        let out = f(self);
        self.b.leave_level();
        out
    }
}

/// Comments and attributes can stand between any two nodes.
fn is_comment_or_attribute(kind: &str) -> bool {
    matches!(
        kind,
        "line_comment" | "block_comment" | "attribute_item" | "inner_attribute_item"
    )
}

/// The first named child that is code.
fn first_child(node: Node<'_>) -> Option<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).find(|c| {
        !is_comment_or_attribute(c.kind_name())
            && !matches!(c.kind_name(), "label" | "mutable_specifier")
    })
}

/// The first child of that kind.
fn child_of_kind<'t>(node: Node<'t>, kind: &str) -> Option<Node<'t>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor)
        .find(|c| c.kind_name() == kind)
}
