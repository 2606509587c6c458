//! The field that a value without a name is given to: values are counted through inner structs without braces, as C does.

use super::C;
use base::SymbolKind;
use base::facts::*;
use linker::eval::{Eval, MANY};
use linker::repo::{FileId, GlobalDef};
use linker::ty::Entity;

/// The most nested structs whose fields are counted.
const MOST_LEVELS: usize = 16;
/// The most names for types that are followed from one to the next.
const MOST_ALIASES: usize = 8;

/// The number of values that a field takes.
enum Layout {
    /// One value.
    One,
    /// One text, or as many values as the array is long.
    Text,
    /// Any number of values.
    Array,
    /// The values of its fields. A union takes those of its first field.
    Inner(GlobalDef),
}

/// A place in a struct, and in the structs in it.
struct Position {
    levels: Vec<(Vec<GlobalDef>, usize)>,
}

impl C {
    /// The field at a position as the facts describe it, without the sign before the position.
    pub(super) fn field_at(
        &self,
        ev: &mut Eval<'_>,
        of: GlobalDef,
        position: &str,
    ) -> Option<GlobalDef> {
        let (values, target) = position.rsplit_once(':')?;
        let (after, values) = match values.split_once('+') {
            Some((after, values)) => (Some(after), values),
            None => (None, values),
        };
        let mut place = Position::begin(ev, of, after)?;
        for value in values.split(' ').filter(|value| !value.is_empty()) {
            if let Some(name) = value.strip_prefix('m') {
                let kind = self.kind_of_macro(ev, name)?;
                place.pass(ev, kind)?;
                continue;
            }
            let (count, kind) = value.split_at_checked(value.len() - 1)?;
            let count: usize = count.parse().ok()?;
            if !ev.spend(count / MANY) {
                return None;
            }
            for _ in 0..count {
                place.pass(ev, kind)?;
            }
        }
        place.find(ev, target)
    }

    /// The kind of value that a name stands for. None if it may stand for several values.
    fn kind_of_macro(&self, ev: &mut Eval<'_>, name: &str) -> Option<&'static str> {
        let file = ev.current_file()?;
        let Some(sym) = ev.repo.find_sym(name) else {
            return Some("v");
        };
        let found = ev.memoize_export(file, sym, Namespace::VALUE, |ev| {
            self.seen(ev, file, sym, Namespace::VALUE)
        });
        let Entity::Defs(defs) = found else {
            return Some("v");
        };
        let flags = |def: &GlobalDef| ev.repo.def(*def).flags;
        let is_braced = |def: &GlobalDef| flags(def).has(DefFlags::BRACED);
        let is_macro = |def: &&GlobalDef| ev.repo.def(**def).kind == SymbolKind::Constant;
        let macros: Vec<&GlobalDef> = defs.iter().filter(is_macro).collect();
        match macros.as_slice() {
            [] => Some("v"),
            all if all
                .iter()
                .any(|def| flags(def).has(DefFlags::SEVERAL_VALUES)) =>
            {
                None
            }
            all if all.iter().all(|def| is_braced(def)) => Some("b"),
            all if all.iter().any(|def| is_braced(def)) => None,
            _ => Some("v"),
        }
    }
}

impl Position {
    /// The position of the first field of a struct, or of the field called `after`.
    fn begin(ev: &mut Eval<'_>, of: GlobalDef, after: Option<&str>) -> Option<Position> {
        let fields = fields_of(ev, of)?;
        let at = match after {
            Some(name) => fields.iter().position(|d| ev.repo.def_name(*d) == name)?,
            None => 0,
        };
        Some(Position {
            levels: vec![(fields, at)],
        })
    }

    fn current(&self) -> Option<GlobalDef> {
        let (fields, at) = self.levels.last()?;
        fields.get(*at).copied()
    }

    /// Moves to the field that takes a value of a kind, which may be in an inner struct. None if that field is not known.
    fn find(&mut self, ev: &mut Eval<'_>, kind: &str) -> Option<GlobalDef> {
        loop {
            let field = self.current()?;
            let is_in_anonymous = ev.repo.def(field).flags.has(DefFlags::IN_ANONYMOUS);
            match (layout(ev, field), kind) {
                // In an anonymous struct, the braces may enclose the whole struct.
                (_, "b") => return Some(field).filter(|_| !is_in_anonymous),
                (Layout::One, _) | (Layout::Text, "s") => return Some(field),
                (Layout::Inner(of), _) if self.levels.len() < MOST_LEVELS => {
                    let mut fields = fields_of(ev, of)?;
                    if ev.repo.def(of).kind == SymbolKind::Union {
                        fields.truncate(1);
                    }
                    self.levels.push((fields, 0));
                }
                _ => return None,
            }
        }
    }

    /// Passes over a value of a kind.
    fn pass(&mut self, ev: &mut Eval<'_>, kind: &str) -> Option<()> {
        self.find(ev, kind)?;
        while let Some((fields, at)) = self.levels.last_mut() {
            *at += 1;
            if *at < fields.len() {
                return Some(());
            }
            self.levels.pop();
        }
        None
    }
}

/// The fields of a struct in order, without those that share a place with another. The steps are counted before the work.
fn fields_of(ev: &mut Eval<'_>, of: GlobalDef) -> Option<Vec<GlobalDef>> {
    let repo = ev.repo;
    if !ev.spend(1 + repo.child_count(of) / MANY) {
        return None;
    }
    let is_counted = |d: &GlobalDef| {
        let def = repo.def(*d);
        def.kind == SymbolKind::Field && !def.flags.has(DefFlags::SHARES_PLACE)
    };
    // The repository gives them in order of name.
    let mut fields: Vec<GlobalDef> = repo.children(of).filter(is_counted).collect();
    fields.sort_unstable();
    Some(fields)
}

fn layout(ev: &mut Eval<'_>, field: GlobalDef) -> Layout {
    match ev.repo.def(field).ty {
        Some(ty) => layout_of_type(ev, field.file, ty, 0),
        None => Layout::One,
    }
}

fn layout_of_type(ev: &mut Eval<'_>, file: FileId, ty: TypeId, aliases: usize) -> Layout {
    let facts = ev.repo.facts(file);
    match facts.ty(ty) {
        TypeExpr::Array(of) => match facts.ty(*of) {
            TypeExpr::Primitive(_) => Layout::Text,
            _ => Layout::Array,
        },
        TypeExpr::Anonymous(def) => layout_of_def(ev, GlobalDef { file, def: *def }, aliases),
        TypeExpr::Named { .. } => match ev.resolve_written_type(file, ty) {
            Entity::Defs(defs) => layout_of_def(ev, defs[0], aliases),
            _ => Layout::One,
        },
        _ => Layout::One,
    }
}

fn layout_of_def(ev: &mut Eval<'_>, of: GlobalDef, aliases: usize) -> Layout {
    let def = ev.repo.def(of);
    match (def.kind, def.ty) {
        (SymbolKind::Enum, _) => Layout::One,
        (SymbolKind::TypeAlias, Some(ty)) if aliases < MOST_ALIASES => {
            layout_of_type(ev, of.file, ty, aliases + 1)
        }
        (SymbolKind::TypeAlias, _) => Layout::One,
        // `struct { … } a;`: the field itself has the members.
        _ => Layout::Inner(of),
    }
}
