//! Facts of Python files.
//!
//! One walk over the tree. Names are followed through branches as the interpreter would bind them, so that a use sees
//! the last assignment before it (see [`flow`]).

mod assign;
mod choices;
mod class;
mod contexts;
mod defs;
mod exprs;
mod flow;
mod imports;
mod loops;
mod matching;
mod stmts;
mod tries;
mod types;
mod walrus;

use flow::{FlowBinding, Frame, FrameKind};
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::builder::Builder;
use syntax::complexity;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// The grammar.
pub(super) fn grammar() -> tree_sitter::Language {
    grammars::PYTHON.language()
}

/// Reads a whole file.
pub(super) fn walk(builder: &mut Builder<'_>, root: Node<'_>) {
    // Straight-line code of a module has its own scope below the file's, in which rebound names are local. Functions
    // see the module's names only through the file's scope.
    let flow = builder.open_scope(ScopeKind::Block, None);
    let mut walker = Walker::new(builder);
    walker
        .frames
        .push(Frame::new(FrameKind::Module, FILE_SCOPE, flow, None));
    walker.visit_block(root);
    walker.finish();
    builder.close_scope();
}

const RULES: complexity::Rules = complexity::Rules {
    nesting: &[
        "if_statement",
        "for_statement",
        "while_statement",
        "except_clause",
        "match_statement",
        "conditional_expression",
    ],
    no_path: &["match_statement"],
    arms: &["case_clause", "for_in_clause", "if_clause"],
    elses: &["elif_clause", "else_clause"],
    else_paths: &["elif_clause"],
    logical: (&["boolean_operator"], &["and", "or"]),
    jumps: &[],
    functions: &["function_definition", "lambda"],
    words: &[
        "if", "for", "while", "except", "match", "case", "elif", "else", "and", "or",
    ],
    signs: &[],
};

/// The state of the walk.
struct Walker<'b, 's> {
    b: &'b mut Builder<'s>,
    frames: Vec<Frame>,
    /// Fields of classes, and variables of the module (under `None`), by name.
    fields: FxHashMap<(Option<DefId>, NameId), DefId>,
    /// All values assigned to a field or module variable.
    values: FxHashMap<DefId, Vec<ExprId>>,
    /// `T = TypeVar("T", bound=…)` of this file, with its bound.
    typevars: FxHashMap<NameId, Option<TypeId>>,
    /// Type variables that enclosing classes declare.
    class_typevars: Vec<FxHashSet<NameId>>,
    /// Type variables used in the types of one signature, in order.
    met_typevars: FxHashMap<NameId, usize>,
    /// What branches bind names to, so far.
    choices: FxHashMap<Box<[Bound]>, ChoiceId>,
    /// The places at which the file binds names, once there is a loop.
    bound_at: Option<FxHashMap<&'s str, Vec<u32>>>,
    /// For each value that stands for a name where the runs of a loop begin: what the name is there.
    run_starts: FxHashMap<ExprId, Vec<Bound>>,
    /// The value of that name before the loop.
    first_values: FxHashMap<ExprId, ExprId>,
    /// What conditions bound names to, by the start of the expression.
    walruses: FxHashMap<usize, (NameId, FlowBinding)>,
    /// What the file defines as contexts that swallow errors, once there is a `with`.
    swallowing: Option<FxHashSet<&'s str>>,
    /// Inside `if TYPE_CHECKING`.
    type_checking: bool,
    /// Jumps and names that `break` and `continue` carried so far.
    carried: usize,
    /// Whether the walk is inside an `except` clause of the current function.
    in_handler: bool,
    /// Whether the walk is in a branch that no current Python version runs.
    dead: bool,
    /// Whether references are not recorded, because they already are in another way.
    mute: bool,
    unknown: Option<ExprId>,
    literals: [Option<ExprId>; 8],
}

/// With more values, a name may have any value.
const MAX_VALUES: usize = 32;

impl<'b, 's> Walker<'b, 's> {
    fn new(b: &'b mut Builder<'s>) -> Walker<'b, 's> {
        Walker {
            b,
            frames: Vec::new(),
            fields: FxHashMap::default(),
            values: FxHashMap::default(),
            typevars: FxHashMap::default(),
            class_typevars: Vec::new(),
            met_typevars: FxHashMap::default(),
            choices: FxHashMap::default(),
            bound_at: None,
            run_starts: FxHashMap::default(),
            first_values: FxHashMap::default(),
            walruses: FxHashMap::default(),
            swallowing: None,
            type_checking: false,
            carried: 0,
            in_handler: false,
            dead: false,
            mute: false,
            unknown: None,
            literals: [None; 8],
        }
    }

    /// The shared unknown expression.
    fn unknown_expr(&mut self) -> ExprId {
        match self.unknown {
            Some(id) => id,
            None => {
                let id = self.b.add_expr(Expr::Unknown);
                self.unknown = Some(id);
                id
            }
        }
    }

    /// The shared expression for a literal of that type.
    fn literal_expr(&mut self, primitive: Primitive) -> ExprId {
        let slot = primitive as usize;
        match self.literals[slot] {
            Some(id) => id,
            None => {
                let id = self.b.add_expr(Expr::Literal(primitive));
                self.literals[slot] = Some(id);
                id
            }
        }
    }

    fn is_null_or_unknown(&self, expr: ExprId) -> bool {
        matches!(
            self.b.facts().expr(expr),
            Expr::Literal(Primitive::Null) | Expr::Unknown
        )
    }

    /// One of these values. `None` counts only if there is no other.
    fn either_expr(&mut self, values: &[ExprId]) -> ExprId {
        let mut kept: Vec<ExprId> = Vec::new();
        let mut seen = FxHashSet::default();
        let mut open: Vec<ExprId> = values.iter().rev().copied().collect();
        while let Some(value) = open.pop() {
            if kept.len() > MAX_VALUES {
                return self.unknown_expr();
            }
            if !seen.insert(value) {
                continue;
            }
            if let Some(start) = self.values_of_run_start(value) {
                open.extend(start);
                continue;
            }
            match self.b.facts().expr(value) {
                Expr::Either(parts) => open.extend(parts.iter().rev()),
                _ if self.is_null_or_unknown(value) => {}
                _ => kept.push(value),
            }
        }
        match kept.as_slice() {
            _ if kept.len() > MAX_VALUES => self.unknown_expr(),
            [] => values
                .first()
                .copied()
                .unwrap_or_else(|| self.unknown_expr()),
            [one] => *one,
            _ => self.b.add_expr(Expr::Either(kept.into())),
        }
    }

    /// If the value stands for that of a name where the runs of a loop begin: the values that the name has there.
    fn values_of_run_start(&self, value: ExprId) -> Option<Vec<ExprId>> {
        let value_of = |bound: &Bound| match bound {
            Bound::Local { ty: None, value } => *value,
            _ => None,
        };
        self.run_starts.get(&value)?.iter().map(value_of).collect()
    }

    /// Records a further value of a field or module variable.
    fn record_value(&mut self, def: DefId, value: Option<ExprId>) {
        let Some(value) = value else { return };
        let values = self.values.entry(def).or_default();
        if values.len() <= MAX_VALUES && !values.contains(&value) {
            values.push(value);
        }
    }

    /// Writes the collected values into their definitions.
    fn finish(&mut self) {
        let mut values: Vec<(DefId, Vec<ExprId>)> = self.values.drain().collect();
        values.sort_unstable_by_key(|(def, _)| *def);
        for (def, values) in values {
            let value = self.either_expr(&values);
            self.b.def_mut(def).value = Some(value);
        }
    }
}

/// The named children of a node, comments left out.
fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor)
        .filter(|n| n.kind_name() != "comment")
        .collect()
}

/// Whether a node is a docstring: a string that stands alone at the start of a block or of the file.
pub(super) fn is_documentation(node: Node<'_>) -> bool {
    let alone = |node: Node<'_>| {
        let parent = node.parent();
        node.prev_named_sibling()
            .is_none_or(|n| n.kind() == "comment")
            && parent.is_some_and(|p| matches!(p.kind(), "block" | "module"))
    };
    node.kind() == "expression_statement"
        && node.named_child_count() == 1
        && node
            .named_child(0)
            .is_some_and(|child| child.kind() == "string")
        && alone(node)
}
