//! Definitions by their positions in a source.

use base::SymbolKind;
use base::facts::*;
use std::cmp::Reverse;

/// A definition and the one around it.
struct Placed {
    start: u32,
    end: u32,
    id: DefId,
    /// The number of the innermost definition around it.
    around: Option<usize>,
}

/// The definitions of a file in order of their start. The order and the parents in the facts do not show nesting: a
/// field belongs to the class, but the assignment that declares it is in a method.
pub(super) struct Owners(Vec<Placed>);

impl Owners {
    pub(super) fn new(facts: &FileFacts) -> Owners {
        let defs = facts.defs.iter().enumerate().map(|(id, def)| Placed {
            start: def.span.start_byte,
            end: def.span.end_byte,
            id: DefId(id as u32),
            around: None,
        });
        let mut all: Vec<Placed> = defs.collect();
        all.sort_by_key(|one| (one.start, Reverse(one.end), one.id.0));
        let mut open: Vec<usize> = Vec::new();
        for at in 0..all.len() {
            while open
                .last()
                .is_some_and(|last| all[*last].end <= all[at].start)
            {
                open.pop();
            }
            all[at].around = open.last().copied();
            open.push(at);
        }
        Owners(all)
    }

    /// The innermost definition around a byte. A field that an assignment outside the class body declares owns nothing.
    pub(super) fn owner_at(&self, facts: &FileFacts, byte: u32) -> Option<DefId> {
        let begun = self.0.partition_point(|one| one.start <= byte);
        let mut next = begun.checked_sub(1);
        while let Some(at) = next {
            let one = &self.0[at];
            if byte < one.end && !self.is_declared_elsewhere(facts, one) {
                return Some(one.id);
            }
            next = one.around;
        }
        None
    }

    fn is_declared_elsewhere(&self, facts: &FileFacts, one: &Placed) -> bool {
        let def = facts.def(one.id);
        let around = one.around.map(|around| self.0[around].id);
        def.kind == SymbolKind::Field && def.parent.is_some() && def.parent != around
    }
}
