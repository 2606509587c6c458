//! Checks facts that another process produced. Code that reads checked facts never meets an index without a row, nor an
//! endless loop.

use crate::facts::{Bound, Def, DefId, Expr, FILE_SCOPE, FileFacts, Mark, Scope, TypeExpr};
use crate::facts_rows::{NamesRows, Row};

/// The deepest nesting of scopes and of definitions. Sources are read to a depth of 1,500, and one level opens only a
/// few scopes.
const DEEPEST: u32 = 6_000;

impl FileFacts {
    /// Whether these facts are possible for that source: every index has a row, parents come first, no row leads back
    /// to itself, and ranges and lines lie within the source. The facts may still be wrong about the content.
    ///
    /// The facts of a parser are always sound. The check takes time in proportion to the facts and to the source.
    pub fn is_sound(&self, source: &str) -> bool {
        let place = SourceBounds::new(source);
        let is_first = |scope: &Scope| scope.parent.is_none();
        place.has_lines(self.lines)
            && self.scopes.first().is_some_and(is_first)
            && self.has_rows_of_all()
            && self.has_sound_scopes()
            && self.has_sound_defs(&place)
            && self.has_sound_bindings(&place)
            && self.has_sound_values(&place)
            && self.has_sound_sites(&place)
            && self.is_acyclic()
    }

    /// Whether these facts are possible for that source in a language of which only names are read: they are sound, and
    /// have nothing that only other languages have.
    pub fn are_sound_names_of(&self, source: &str) -> bool {
        let beyond_names = self.exprs.len()
            + self.types.len()
            + self.imports.len()
            + self.choices.len()
            + self.exports.len()
            + self.calls.len()
            + self.references.len()
            + self.writes.len();
        beyond_names == 0
            && self.package.is_none()
            && self.constraint.is_none()
            && self.unparsed.is_none()
            && self.bindings.iter().all(|b| matches!(b.to, Bound::Def(_)))
            && self.marks.iter().all(is_call_of_other_program)
            && self.is_sound(source)
    }

    fn has_row(&self, row: Row) -> bool {
        let (at, count) = match row {
            Row::Name(id) => (id.index(), self.names.len()),
            Row::Def(id) => (id.index(), self.defs.len()),
            Row::Scope(id) => (id.index(), self.scopes.len()),
            Row::Expr(id) => (id.index(), self.exprs.len()),
            Row::Type(id) => (id.index(), self.types.len()),
            Row::Import(id) => (id.index(), self.imports.len()),
            Row::Choice(id) => (id.index(), self.choices.len()),
        };
        at < count
    }

    fn has_rows_of(&self, table: &[impl NamesRows]) -> bool {
        table.iter().all(|named| {
            let mut all = true;
            named.rows(&mut |row| all &= self.has_row(row));
            all
        })
    }

    fn has_rows_of_all(&self) -> bool {
        let mut of_file = self.package.iter().chain(&self.constraint);
        of_file.all(|name| self.has_row((*name).into()))
            && self.has_rows_of(&self.defs)
            && self.has_rows_of(&self.scopes)
            && self.has_rows_of(&self.bindings)
            && self.has_rows_of(&self.exprs)
            && self.has_rows_of(&self.types)
            && self.has_rows_of(&self.imports)
            && self.has_rows_of(&self.choices)
            && self.has_rows_of(&self.exports)
            && self.has_rows_of(&self.calls)
            && self.has_rows_of(&self.references)
            && self.has_rows_of(&self.writes)
            && self.has_rows_of(&self.marks)
    }

    /// Whether parents come first, and each scope lies within the one that its owner lies in.
    fn has_sound_scopes(&self) -> bool {
        let parents = self.scopes.iter().map(|scope| scope.parent);
        are_parents_first(parents.map(|parent| parent.map(|scope| scope.index())))
            && self.scopes.iter().enumerate().all(|(at, scope)| {
                let owner = scope.owner.map(|owner| self.def(owner));
                (scope.parent.is_none() == (at == FILE_SCOPE.index()))
                    && owner.is_none_or(|owner| owner.scope.index() < at.max(1))
            })
    }

    fn has_sound_defs(&self, place: &SourceBounds<'_>) -> bool {
        let parents = self.defs.iter().map(|def| def.parent);
        are_parents_first(parents.map(|parent| parent.map(DefId::index)))
            && self.defs.iter().all(|def| self.is_sound_def(def, place))
    }

    fn is_sound_def(&self, def: &Def, place: &SourceBounds<'_>) -> bool {
        place.has_stretch(def.span.start_byte, def.span.end_byte)
            && place.has_stretch(def.signature.0, def.signature.1)
            && (1..=def.span.end_line).contains(&def.span.start_line)
            && place.has_line(def.span.end_line)
            && place.has_site(def.name_line, def.name_column)
    }

    fn has_sound_bindings(&self, place: &SourceBounds<'_>) -> bool {
        let is_sound = |to: &Bound| match *to {
            Bound::Param(def, at) => {
                let callable = self.def(def).callable.as_ref();
                callable.is_some_and(|callable| (at as usize) < callable.params.len())
            }
            Bound::TypeParam(def, at) => (at as usize) < self.def(def).type_params.len(),
            _ => true,
        };
        let is_choice = |to: &Bound| matches!(to, Bound::Either(_));
        (self.choices.iter().flatten()).all(|to| is_sound(to) && !is_choice(to))
            && (self.bindings.iter())
                .all(|binding| place.has_byte(binding.from) && is_sound(&binding.to))
            && self.bindings.is_sorted_by_key(|binding| binding.scope)
    }

    fn has_sound_values(&self, place: &SourceBounds<'_>) -> bool {
        self.exprs.iter().all(|value| match value {
            Expr::Name { at, .. } => place.has_byte(*at),
            _ => true,
        }) && self.types.iter().all(|ty| match ty {
            TypeExpr::Named { path, at, .. } => !path.is_empty() && place.has_byte(*at),
            _ => true,
        })
    }

    fn has_sound_sites(&self, place: &SourceBounds<'_>) -> bool {
        let lines = (self.imports.iter().map(|import| import.line))
            .chain(self.exports.iter().map(|export| export.line))
            .chain(self.marks.iter().map(|mark| mark.line));
        let sites = (self.calls.iter().map(|site| (site.line, site.column)))
            .chain(self.references.iter().map(|site| (site.line, site.column)))
            .chain(self.writes.iter().map(|site| (site.line, site.column)));
        lines.into_iter().all(|line| place.has_line(line))
            && sites
                .into_iter()
                .all(|(line, column)| place.has_site(line, column))
    }

    /// Whether no expression and no type is a part of itself. What a call expects is no part: in Swift, `.name` as an argument
    /// refers to the call around it. Evaluation takes fuel for it.
    fn is_acyclic(&self) -> bool {
        let exprs = self.exprs.len();
        let mut states = vec![State::New; exprs + self.types.len()];
        let mut open: Vec<usize> = Vec::new();
        let mut parts: Vec<usize> = Vec::new();
        for start in 0..states.len() {
            if states[start] == State::New {
                open.push(start);
            }
            while let Some(at) = open.pop() {
                match states[at] {
                    State::New => {}
                    State::Open => {
                        // All parts are done.
                        states[at] = State::Done;
                        continue;
                    }
                    State::Done => continue,
                }
                states[at] = State::Open;
                open.push(at);
                parts.clear();
                let mut see = |row: Row| match row {
                    Row::Expr(id) => parts.push(id.index()),
                    Row::Type(id) => parts.push(exprs + id.index()),
                    _ => {}
                };
                match self.exprs.get(at) {
                    Some(Expr::Expected(..)) => {}
                    Some(value) => value.rows(&mut see),
                    None => self.types[at - exprs].rows(&mut see),
                }
                for part in &parts {
                    match states[*part] {
                        State::New => open.push(*part),
                        State::Open => return false,
                        State::Done => {}
                    }
                }
            }
        }
        true
    }
}

/// How far a row was checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Open,
    Done,
}

/// Whether each parent comes before its children, and none is nested too deeply.
fn are_parents_first(parents: impl Iterator<Item = Option<usize>>) -> bool {
    let mut depths: Vec<u32> = Vec::new();
    for parent in parents {
        let depth = match parent {
            None => 0,
            Some(parent) => match depths.get(parent) {
                Some(depth) if *depth < DEEPEST => depth + 1,
                _ => return false,
            },
        };
        depths.push(depth);
    }
    true
}

/// Calls to other programs are read in every language.
fn is_call_of_other_program(mark: &Mark) -> bool {
    mark.kind.is_remote() && mark.name.is_some() && mark.detail.is_some()
}

/// The ranges of lines and bytes that facts may refer to.
struct SourceBounds<'s> {
    source: &'s str,
    lines: usize,
}

impl SourceBounds<'_> {
    fn new(source: &str) -> SourceBounds<'_> {
        SourceBounds {
            source,
            lines: source.lines().count(),
        }
    }

    fn has_lines(&self, lines: u32) -> bool {
        lines as usize <= self.lines + 1
    }

    /// A line, from 1. The end of a source may count as one more.
    fn has_line(&self, line: u32) -> bool {
        (1..=self.lines + 1).contains(&(line as usize))
    }

    fn has_site(&self, line: u32, column: u32) -> bool {
        self.has_line(line) && self.has_byte(column)
    }

    fn has_byte(&self, at: u32) -> bool {
        at as usize <= self.source.len()
    }

    fn has_stretch(&self, from: u32, to: u32) -> bool {
        self.source.get(from as usize..to as usize).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::{CallKind, CallSite, ExprId, NameId, ScopeId, TypeId};
    use crate::{Language, MarkKind};

    #[test]
    fn facts_of_nothing_are_sound_and_those_of_calls_are_no_names() {
        let facts = FileFacts::empty(Language::Ruby);
        assert!(facts.are_sound_names_of(""));
        let mut headless = facts.clone();
        headless.scopes.clear();
        assert!(!headless.are_sound_names_of(""));
        let mut beyond = facts.clone();
        beyond.scopes.push(Scope {
            parent: Some(ScopeId(1)),
            ..facts.scopes[0].clone()
        });
        assert!(!beyond.are_sound_names_of(""));
        let mut marked = facts.clone();
        let text = marked.names.len();
        marked.names.push("get".into());
        marked.marks.push(Mark {
            kind: MarkKind::RemoteCall,
            owner: None,
            name: Some(NameId(text as u32)),
            detail: Some(NameId(text as u32)),
            line: 1,
        });
        assert!(marked.are_sound_names_of(""));
        marked.marks[0].kind = MarkKind::Decorator;
        assert!(!marked.are_sound_names_of(""));
        marked.marks[0].kind = MarkKind::RemoteCall;
        marked.marks[0].owner = Some(DefId(7));
        assert!(!marked.are_sound_names_of(""));
        let mut named = facts;
        named.package = Some(NameId(0));
        assert!(!named.are_sound_names_of(""));
    }

    /// `f()` in a line of its own.
    fn call() -> FileFacts {
        let mut facts = FileFacts::empty(Language::Python);
        facts.lines = 1;
        facts.names.push("f".into());
        facts.exprs.push(Expr::Name {
            name: NameId(0),
            scope: FILE_SCOPE,
            at: 0,
        });
        facts.exprs.push(Expr::Call {
            callee: ExprId(0),
            args: Box::default(),
            type_args: Box::default(),
        });
        facts.calls.push(CallSite {
            expr: ExprId(1),
            owner: None,
            line: 1,
            column: 0,
            argc: 0,
            kind: CallKind::Call,
        });
        facts
    }

    #[test]
    fn rows_that_are_not_there_and_rings_are_unsound() {
        assert!(call().is_sound("f()\n"));
        type Edit = fn(&mut FileFacts);
        let edits: [Edit; 14] = [
            |f| f.lines = 3,
            |f| f.calls[0].line = 0,
            |f| f.calls[0].line = 3,
            |f| f.calls[0].column = 5,
            |f| f.calls[0].expr = ExprId(2),
            |f| f.calls[0].owner = Some(DefId(0)),
            |f| f.exprs[0] = Expr::Await(ExprId(0)),
            |f| f.exprs[0] = Expr::Await(ExprId(1)),
            |f| {
                f.exprs[0] = Expr::Type(TypeId(0));
                f.types.push(TypeExpr::TypeOf(ExprId(1)));
            },
            |f| f.exprs[0] = Expr::Part(ExprId(9), 0),
            |f| {
                let at = 0;
                let (name, scope) = (NameId(1), FILE_SCOPE);
                f.exprs[0] = Expr::Name { name, scope, at };
            },
            |f| f.scopes[0].parent = Some(FILE_SCOPE),
            |f| f.scopes.push(f.scopes[0].clone()),
            |f| {
                f.types.push(TypeExpr::Named {
                    path: Box::default(),
                    args: Box::default(),
                    scope: FILE_SCOPE,
                    at: 0,
                });
            },
        ];
        for (at, edit) in edits.into_iter().enumerate() {
            let mut facts = call();
            edit(&mut facts);
            assert!(!facts.is_sound("f()\n"), "{at}");
        }
    }

    #[test]
    fn an_argument_may_refer_to_what_its_call_expects() {
        let mut facts = call();
        facts.exprs[1] = Expr::Call {
            callee: ExprId(0),
            args: Box::from([ExprId(2)]),
            type_args: Box::default(),
        };
        facts.exprs.push(Expr::Expected(ExprId(1), 0));
        assert!(facts.is_sound("f()\n"));
        facts.exprs[2] = Expr::Await(ExprId(1));
        assert!(!facts.is_sound("f()\n"));
    }

    #[test]
    fn deep_and_shared_parts_are_sound() {
        let mut facts = call();
        for at in 1..100_000 {
            let part = ExprId(at);
            facts.exprs.push(Expr::Operation(part, part));
        }
        assert!(facts.is_sound("f()\n"));
        let nested = Scope {
            parent: None,
            ..facts.scopes[0].clone()
        };
        facts.scopes.extend((0..DEEPEST).map(|at| Scope {
            parent: Some(ScopeId(at)),
            ..nested.clone()
        }));
        assert!(facts.is_sound("f()\n"));
        facts.scopes.push(Scope {
            parent: Some(ScopeId(DEEPEST)),
            ..nested
        });
        assert!(!facts.is_sound("f()\n"));
    }
}
