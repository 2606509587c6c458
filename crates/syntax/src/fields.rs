//! Kinds of nodes, and children by the names of their fields, through caches.
//!
//! At each query, the library compares a field's name with all names of the grammar, and measures and checks the name
//! of a kind. This is a noticeable part of reading a tree. Here each field is looked up once per thread and grammar,
//! and the names of kinds once per grammar.

use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::num::NonZeroU16;
use std::sync::{Mutex, PoisonError};
use tree_sitter::{Language, Node, TreeCursor};

/// Fields of one grammar, by the address of the name's text, which is constant for each place in the code.
type FieldIds = FxHashMap<(*const u8, usize), Option<NonZeroU16>>;

thread_local! {
    static FIELDS: RefCell<Vec<(Language, FieldIds)>> = const { RefCell::new(Vec::new()) };
}

fn field_id(node: Node<'_>, name: &'static str) -> Option<NonZeroU16> {
    let grammar = node.language();
    FIELDS.with_borrow_mut(|all| {
        let at = match all.iter().position(|(known, _)| *known == *grammar) {
            Some(at) => at,
            None => {
                all.push(((*grammar).clone(), FieldIds::default()));
                all.len() - 1
            }
        };
        *all[at]
            .1
            .entry((name.as_ptr(), name.len()))
            .or_insert_with(|| grammar.field_id_for_name(name))
    })
}

/// The nodes of the same kind that nest in each other's `left`, outermost first, and the `left` of the innermost one.
/// Chains of operators can be too long for recursion.
pub fn left_spine(node: Node<'_>) -> (Vec<Node<'_>>, Option<Node<'_>>) {
    let kind = node.kind_name();
    let mut spine = vec![node];
    let mut left = node.field("left");
    while let Some(inner) = left.filter(|left| left.kind_name() == kind) {
        spine.push(inner);
        left = inner.field("left");
    }
    (spine, left)
}

/// The names of a grammar's kinds, by their numbers.
struct Kinds {
    grammar: Language,
    names: Vec<&'static str>,
}

/// One entry for each grammar; never freed.
static KINDS: Mutex<Vec<&'static Kinds>> = Mutex::new(Vec::new());

thread_local! {
    /// Kinds of the grammar that was queried last.
    static LAST: Cell<Option<&'static Kinds>> = const { Cell::new(None) };
}

fn kinds(grammar: &Language) -> &'static Kinds {
    if let Some(last) = LAST.get().filter(|k| k.grammar == *grammar) {
        return last;
    }
    let mut all = KINDS.lock().unwrap_or_else(PoisonError::into_inner);
    let found = all.iter().find(|k| k.grammar == *grammar).copied();
    let kinds = found.unwrap_or_else(|| {
        let own: &'static Language = Box::leak(Box::new(grammar.clone()));
        let count = u16::try_from(own.node_kind_count()).unwrap_or(u16::MAX);
        let name = |id| own.node_kind_for_id(id).unwrap_or_default();
        let new: &'static Kinds = Box::leak(Box::new(Kinds {
            grammar: own.clone(),
            names: (0..count).map(name).collect(),
        }));
        all.push(new);
        new
    });
    LAST.set(Some(kinds));
    kinds
}

/// The first named child of that kind.
pub fn child_of_kind<'t>(node: Node<'t>, kind: &str) -> Option<Node<'t>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor)
        .find(|c| c.kind_name() == kind)
}

/// The most frequent queries on the nodes of a tree.
pub trait Fields<'t>: Sized {
    /// The name of its kind.
    fn kind_name(&self) -> &'t str;
    /// The first child in that field.
    fn field(&self, name: &'static str) -> Option<Node<'t>>;
    /// Every child in that field.
    fn fields<'c>(
        &self,
        name: &'static str,
        cursor: &'c mut TreeCursor<'t>,
    ) -> impl Iterator<Item = Node<'t>> + 'c
    where
        't: 'c;
}

impl<'t> Fields<'t> for Node<'t> {
    fn kind_name(&self) -> &'t str {
        let known = kinds(&self.language())
            .names
            .get(usize::from(self.kind_id()));
        // Error nodes have a kind outside those of the grammar.
        known.copied().unwrap_or_else(|| self.kind())
    }

    fn field(&self, name: &'static str) -> Option<Node<'t>> {
        self.child_by_field_id(field_id(*self, name)?.get())
    }

    fn fields<'c>(
        &self,
        name: &'static str,
        cursor: &'c mut TreeCursor<'t>,
    ) -> impl Iterator<Item = Node<'t>> + 'c
    where
        't: 'c,
    {
        let id = field_id(*self, name);
        id.map(|id| self.children_by_field_id(id, cursor))
            .into_iter()
            .flatten()
    }
}
