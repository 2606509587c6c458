//! Whether a value is a reference: types do not tell, and impls for `T` and `&T` differ only in this.

use super::Rust;
use base::SymbolKind;
use base::facts::*;
use linker::eval::Eval;
use linker::lang::CallView;
use linker::repo::{FileId, GlobalDef, Repo};
use linker::ty::*;

/// Longest chain of variables that are followed.
const MOST_STEPS: usize = 8;

/// External methods that return an owned value.
const OWNING: [&str; 7] = [
    "clone",
    "cloned",
    "collect",
    "to_owned",
    "to_string",
    "to_vec",
    "into_owned",
];

impl Rust {
    /// Whether an expression is a reference; `None` if unknown.
    pub(super) fn is_borrowed(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        mut expr: ExprId,
    ) -> Option<bool> {
        let facts = ev.repo.facts(file);
        for _ in 0..MOST_STEPS {
            let (name, scope, at) = match facts.expr(expr) {
                Expr::Name { name, scope, at } => (*name, *scope, *at),
                Expr::Call { callee, .. } => return self.gives_reference(ev, file, *callee),
                Expr::Member { .. } => return self.gives_reference(ev, file, expr),
                other => return is_borrowed_by_form(other),
            };
            let found = ev
                .repo
                .lookup(file, name, scope, at, Namespace::VALUE, true);
            match found.map(|binding| binding.to) {
                Some(Bound::Param(def, n)) => {
                    let callable = facts.def(def).callable.as_deref();
                    let param = callable.and_then(|c| c.params.get(n as usize))?;
                    return Some(is_reference(facts, param.ty?));
                }
                Some(Bound::Local { ty: Some(ty), .. }) => return Some(is_reference(facts, ty)),
                Some(Bound::Local {
                    value: Some(value), ..
                }) => expr = value,
                Some(Bound::Def(def)) => {
                    return facts.def(def).ty.map(|ty| is_reference(facts, ty));
                }
                // A variant of the prelude, such as `None`.
                None if facts.name(name).starts_with(char::is_uppercase) => return Some(false),
                _ => return None,
            }
        }
        None
    }

    /// Whether the written result of a callee, or type of a member, is a reference.
    fn gives_reference(&self, ev: &mut Eval<'_>, file: FileId, of: ExprId) -> Option<bool> {
        match ev.resolve_expr(file, of, Namespace::VALUE).0 {
            Entity::Defs(defs) => {
                let first = *defs.first()?;
                let def = ev.repo.def(first);
                if matches!(def.kind, SymbolKind::Struct | SymbolKind::EnumMember) {
                    return Some(false);
                }
                let written = match def.callable.as_deref() {
                    Some(callable) => callable.ret?,
                    None => def.ty?,
                };
                if is_reference(ev.repo.facts(first.file), written) {
                    return Some(true);
                }
                // A type parameter may stand for a reference.
                let lowered = ev.lower_type(first.file, written);
                let is_open = matches!(lowered, Ty::Param(_, n) if n != SELF);
                (!is_open).then_some(false)
            }
            Entity::External(external) => {
                let name = super::builtins::last_segment(&external);
                // A variant or a struct is constructed as an owned value.
                let owns = OWNING.contains(&name) || name.starts_with(char::is_uppercase);
                owns.then_some(false)
            }
            _ => None,
        }
    }

    /// Of impls for `T` and `&T`, those that fit the argument.
    pub(super) fn select_by_reference(
        &self,
        repo: &Repo,
        defs: &[GlobalDef],
        borrowed: bool,
    ) -> Vec<GlobalDef> {
        let fits = |d: &&GlobalDef| {
            let holder = repo.def(**d).parent.map(|def| GlobalDef { def, ..**d });
            let ty = holder.and_then(|holder| repo.def(holder).ty);
            ty.is_some_and(|ty| is_reference(repo.facts(d.file), ty) == borrowed)
        };
        defs.iter().filter(fits).copied().collect()
    }

    /// Of functions that fit the arguments equally, those that take a reference if the argument is one, and a value if
    /// it is a value.
    pub(super) fn prefer_by_reference(
        &self,
        ev: &mut Eval<'_>,
        defs: Vec<GlobalDef>,
        call: CallView<'_>,
    ) -> Vec<GlobalDef> {
        let mut left = defs;
        for (place, arg) in call.args.iter().enumerate() {
            if left.len() < 2 {
                break;
            }
            let Some(borrowed) = self.is_borrowed(ev, call.file, *arg) else {
                continue;
            };
            let asks = |d: &&GlobalDef| {
                let callable = ev.repo.def(**d).callable.as_deref();
                let mut params = callable.into_iter().flat_map(|c| &c.params);
                let written = params.nth(place).and_then(|param| param.ty);
                written.is_some_and(|ty| is_reference(ev.repo.facts(d.file), ty) == borrowed)
            };
            let fitting: Vec<GlobalDef> = left.iter().filter(asks).copied().collect();
            if !fitting.is_empty() {
                left = fitting;
            }
        }
        left
    }
}

/// Whether an expression that is not a path is a reference, by its form.
fn is_borrowed_by_form(expr: &Expr) -> Option<bool> {
    match expr {
        Expr::Borrowed(_) => Some(true),
        Expr::Literal(Primitive::String | Primitive::Bytes) => Some(true),
        Expr::Literal(_)
        | Expr::New { .. }
        | Expr::List(_)
        | Expr::Tuple(_)
        | Expr::Operation(..)
        | Expr::Index { .. }
        | Expr::Function(_) => Some(false),
        _ => None,
    }
}

fn is_reference(facts: &FileFacts, ty: TypeId) -> bool {
    matches!(facts.ty(ty), TypeExpr::Reference(_))
}
