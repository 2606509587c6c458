//! Children by the names of their fields.
//!
//! The library compares a field's name with all names of the grammar at each question, which is a noticeable part
//! of reading a tree. Here each name is looked up once for each thread and grammar.

use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::num::NonZeroU16;
use tree_sitter::{Language, Node, TreeCursor};

/// Fields of one grammar: by where the name's text lies, which is the same for each place in the code.
type Known = FxHashMap<(*const u8, usize), Option<NonZeroU16>>;

thread_local! {
    static FIELDS: RefCell<Vec<(Language, Known)>> = const { RefCell::new(Vec::new()) };
}

fn field_id(node: Node<'_>, name: &'static str) -> Option<NonZeroU16> {
    let grammar = node.language();
    FIELDS.with_borrow_mut(|all| {
        let at = match all.iter().position(|(known, _)| *known == *grammar) {
            Some(at) => at,
            None => {
                all.push(((*grammar).clone(), Known::default()));
                all.len() - 1
            }
        };
        *all[at]
            .1
            .entry((name.as_ptr(), name.len()))
            .or_insert_with(|| grammar.field_id_for_name(name))
    })
}

/// What the nodes of a tree are asked for most.
pub(crate) trait Fields<'t>: Sized {
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
