//! Positions in code, and the traits in scope there.

use super::Rust;
use super::resolve::ResolutionTrail;
use base::Visibility;
use base::facts::*;
use linker::eval::{Eval, MANY};
use linker::repo::{FileId, GlobalDef};
use linker::ty::*;
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// Most expressions that are visited to find the scope of one.
const MOST_STEPS: usize = 64;

/// The position of code, as far as its expressions show it.
#[derive(Debug, Clone, Copy)]
pub(super) struct CodePosition {
    /// The file.
    pub file: FileId,
    within: ScopeLimit,
}

#[derive(Debug, Clone, Copy)]
enum ScopeLimit {
    /// Anywhere in the file.
    File,
    Scope(ScopeId),
    /// Anywhere in an impl or trait.
    Def(DefId),
}

/// A part of a file whose imports are searched.
#[derive(Debug, Clone, Copy)]
enum Part {
    File,
    /// A single scope, without outer and inner ones.
    Scope(ScopeId),
    /// All scopes inside a definition.
    Def(DefId),
}

impl CodePosition {
    /// Anywhere in a file.
    pub(super) fn file(file: FileId) -> CodePosition {
        let within = ScopeLimit::File;
        CodePosition { file, within }
    }

    /// The position of an expression: that of its first name, or of one of its arguments.
    pub(super) fn of_expr(facts: &FileFacts, file: FileId, expr: ExprId) -> CodePosition {
        let mut next = vec![expr];
        let mut best = CodePosition::file(file);
        for _ in 0..MOST_STEPS {
            let Some(expr) = next.pop() else { break };
            match facts.expr(expr) {
                Expr::Name { scope, .. } => {
                    let within = ScopeLimit::Scope(*scope);
                    return CodePosition { file, within };
                }
                Expr::This(def) => best.within = ScopeLimit::Def(*def),
                Expr::Call { callee, args, .. } => {
                    next.extend(args.iter().rev());
                    next.push(*callee);
                }
                Expr::New { class, .. } => next.push(*class),
                Expr::Member { object, .. }
                | Expr::Scoped { object, .. }
                | Expr::Index { object, .. } => next.push(*object),
                Expr::Element(of)
                | Expr::Part(of, _)
                | Expr::Borrowed(of)
                | Expr::Await(of)
                | Expr::Try(of)
                | Expr::Expanded(of)
                | Expr::Cast(of, _)
                | Expr::Without(of, _) => next.push(*of),
                Expr::Operation(a, b) => next.extend([*b, *a]),
                Expr::Either(parts) | Expr::Tuple(parts) | Expr::List(parts) => {
                    next.extend(parts.iter().take(2));
                }
                Expr::Type(ty) => {
                    if let TypeExpr::Named { scope, .. } = facts.ty(*ty) {
                        let within = ScopeLimit::Scope(*scope);
                        return CodePosition { file, within };
                    }
                }
                _ => {}
            }
        }
        best
    }
}

impl Part {
    /// A number that identifies a part of a file.
    fn key(self) -> u32 {
        const DEF: u32 = 1 << 31;
        match self {
            Part::File => u32::MAX,
            Part::Scope(scope) => scope.index() as u32,
            Part::Def(def) => def.index() as u32 | DEF,
        }
    }

    /// Whether a scope and a definition are inside the part.
    fn holds(self, facts: &FileFacts, (scope, owner): (ScopeId, Option<DefId>)) -> bool {
        match self {
            Part::File => true,
            Part::Scope(own) => own == scope,
            Part::Def(outer) => {
                let mut above = std::iter::successors(owner, |def| facts.def(*def).parent);
                above.any(|def| def == outer)
            }
        }
    }
}

/// A trait, and the file whose code needs it in scope.
struct TraitQuery {
    of_trait: GlobalDef,
    file: FileId,
    /// Searched modules, with the fewest globs to each.
    seen: RefCell<FxHashMap<u32, u32>>,
}

/// Longest chain of glob imports to a trait.
const MOST_GLOBS: u32 = 6;

impl Rust {
    /// Whether code at a position can call a method of a trait, which must be in scope.
    pub(super) fn is_trait_method_visible(
        &self,
        ev: &mut Eval<'_>,
        place: CodePosition,
        member: GlobalDef,
    ) -> bool {
        self.trait_of_method(ev.repo, member)
            .is_none_or(|t| self.is_trait_visible(ev, place, t))
    }

    /// Whether a trait is in scope at a position. Imports of a block count only inside it, and those of a module not in
    /// inner modules.
    pub(super) fn is_trait_visible(
        &self,
        ev: &mut Eval<'_>,
        place: CodePosition,
        of_trait: GlobalDef,
    ) -> bool {
        let mut next = match place.within {
            ScopeLimit::File => return self.does_part_bring(ev, place.file, Part::File, of_trait),
            ScopeLimit::Scope(scope) => Some(scope),
            ScopeLimit::Def(def) => {
                if self.does_part_bring(ev, place.file, Part::Def(def), of_trait) {
                    return true;
                }
                Some(ev.repo.facts(place.file).def(def).scope)
            }
        };
        while let Some(scope) = next {
            if self.does_part_bring(ev, place.file, Part::Scope(scope), of_trait) {
                return true;
            }
            let here = ev.repo.facts(place.file).scope(scope);
            let is_module = matches!(here.kind, ScopeKind::Module | ScopeKind::File);
            next = here.parent.filter(|_| !is_module);
        }
        false
    }

    /// Whether a part of a file defines or imports a trait, possibly by a glob.
    fn does_part_bring(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        part: Part,
        of_trait: GlobalDef,
    ) -> bool {
        ev.memoize_visibility(file, part.key(), of_trait, |ev| {
            let facts = ev.repo.facts(file);
            let brings = |of: (ScopeId, Option<DefId>)| part.holds(facts, of);
            if of_trait.file == file && brings((facts.def(of_trait.def).scope, None)) {
                return true;
            }
            if !ev.spend(facts.imports.len() / MANY) {
                return false;
            }
            let sought = TraitQuery {
                of_trait,
                file,
                seen: RefCell::default(),
            };
            let imports = facts.imports.iter().zip(0..);
            let mut own = imports.filter(|(import, _)| brings((import.scope, import.owner)));
            own.any(|(import, at)| {
                self.import_brings_trait(ev, (file, ImportId(at)), import, &sought, 0)
            })
        })
    }

    /// Whether a glob import of a module brings a trait: the module defines it, or imports it under any name. Its
    /// private imports are visible only inside it.
    fn glob_brings_trait(
        &self,
        ev: &Eval<'_>,
        from: &Entity,
        sought: &TraitQuery,
        depth: u32,
    ) -> bool {
        let repo = ev.repo;
        let Entity::Module(module) = from else {
            return false;
        };
        let home = self.modules.all.get(module.index as usize);
        let Some(home) = home.filter(|_| depth < MOST_GLOBS) else {
            return false;
        };
        let mut seen = sought.seen.borrow_mut();
        let before = seen.entry(module.index).or_insert(u32::MAX);
        if *before <= depth {
            return false;
        }
        *before = depth;
        drop(seen);
        let of_trait = sought.of_trait;
        if of_trait.file == home.file && repo.def(of_trait).scope == home.scope {
            return true;
        }
        let inside = self.modules.is_file_within(sought.file, module.index);
        let facts = repo.facts(home.file);
        let own = facts.imports.iter().zip(0..);
        let mut own = own.filter(|(import, _)| {
            import.scope == home.scope && (inside || import.visibility != Visibility::Private)
        });
        own.any(|(import, at)| {
            self.import_brings_trait(ev, (home.file, ImportId(at)), import, sought, depth)
        })
    }

    /// Whether an import brings a trait.
    fn import_brings_trait(
        &self,
        ev: &Eval<'_>,
        (file, at): (FileId, ImportId),
        import: &Import,
        sought: &TraitQuery,
        depth: u32,
    ) -> bool {
        if !matches!(import.what, Imported::Name(_) | Imported::Glob) {
            return false;
        }
        if !ev.fuel().spend(1) {
            return false;
        }
        let trail = &mut ResolutionTrail::new(ev.fuel());
        let from = self.resolve_use(ev.repo, file, at, Namespace::TYPE, trail);
        match import.what {
            Imported::Glob => self.glob_brings_trait(ev, &from, sought, depth + 1),
            _ => matches!(from, Entity::Defs(defs) if defs.contains(&sought.of_trait)),
        }
    }
}
