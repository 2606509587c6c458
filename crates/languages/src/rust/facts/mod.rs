//! Facts of Rust files.
//!
//! How the common tables represent Rust, where they leave a choice:
//! - Members of impls, traits, enums and structs are children of their definition and are not bound
//!   in its scope. That scope (kind `Class`) only binds type parameters, so look-ups pass through it.
//! - Path roots are names of their own: `crate`, `self`, `super`, and `::` for a leading `::`.
//! - `Self` is [`TypeExpr::SelfType`], `self` is [`Expr::This`] of the enclosing impl or trait.
//! - Tuple structs and tuple variants have a `callable` that returns the type itself. Tuple structs
//!   have fields `0`, `1`, …, and `x.0` is a member of that name even if `x` is a tuple.
//! - A struct pattern's fields are members of a [`Expr::Payload`] with index [`WHOLE_VARIANT`].
//! - `Iterator<Item = T>` is written as `Iterator<T>`, with a named argument; `impl A + B` and `dyn A + B` as `All`;
//!   `<T as Trait>` as `All([T, Trait])`.
//! - Bounds of an associated type are its `supers`.
//! - `#[path = "p"] mod m;` adds an import of the literal path whose owner is the module `m`.
//! - Ranges are lists of their bounds; an index by a list is a slice.
//! - The `condition` of a definition under `cfg` is the predicate, or `all(…)` of several, including those of enclosing
//!   definitions. A macro call around items counts as the predicate `name!`: the macro may leave them out.
//! - `name!()` among items, with `macro_rules! name { () => { items } }` in the same file, stands for those items.
//! - `name!(A, b)` among items, with `macro_rules! name { ($x:ident, …) => { items } }` before it in the same file, stands
//!   for those items with the argument in place of `$x`. A definition that is named by an argument has its place.
//! - `name!(…, red(), blue() -> T)` among the members of an impl or trait, with a macro of another file, defines methods
//!   `red` and `blue` with the result `T`.
//! - A macro rule that produces an expression is an anonymous function in the macro, with the names `$x` as parameters.
//!   Its calls are not recorded.
//! - A macro whose first rule returns the contents of its argument (`match $e { Ok(v) => v, … }`) has an `Expr::Try` as
//!   value.
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
use syntax::fields::{Fields, child_of_kind};
use tree_sitter::Node;

/// The grammar.
pub(super) fn grammar() -> tree_sitter::Language {
    grammars::RUST.language()
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
    /// Enclosing impls, traits and types, for the meaning of `Self`.
    self_types: Vec<DefId>,
    /// Returned expressions of the enclosing functions; `None` if the type is written.
    returns: Vec<Option<Vec<ExprId>>>,
    /// Number of enclosing functions.
    functions: u32,
    /// Whether the current place is compiled only for tests.
    in_test: bool,
    /// Whether it is in an `extern` block.
    in_extern_block: bool,
    /// Whether it is in the definition of a macro that is read at a call of the macro.
    in_own_macro: bool,
    /// Whether it is in the body of a macro rule, where `$` is part of names.
    in_macro_rule: bool,
    /// The arguments for names with `$`, in items that a macro call produces.
    arguments: Vec<macro_rules::MacroArgument<'s>>,
    /// Starts of macros whose items were read at a call.
    spelled_out: Vec<usize>,
    /// The remaining budget for parsing macro arguments again.
    again: macros::ReparseBudget,
    /// Names of the macros of the file.
    own_macros: FxHashSet<&'s str>,
}

impl<'s> Walker<'_, 's> {
    /// The shared expression for literals of a primitive.
    fn literal(&mut self, primitive: Primitive) -> ExprId {
        let slot = primitive as usize;
        if let Some(id) = self.literals[slot] {
            return id;
        }
        let id = self.b.add_expr(Expr::Literal(primitive));
        self.literals[slot] = Some(id);
        id
    }

    /// The definition that `Self` means here.
    fn current_self_type(&self) -> Option<DefId> {
        self.self_types.last().copied()
    }

    /// The impl or trait whose member a definition here would be.
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

/// Comments and attributes may stand between any two nodes.
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
