//! Constant whole numbers. They convert to small types into which their values fit, and zero converts to every enum.

use super::CSharp;
use super::fit::Fit;
use super::tables::{nullable, system_name, tables};
use base::SymbolKind;
use base::facts::*;
use linker::eval::Eval;
use linker::repo::{FileId, GlobalDef};
use linker::ty::*;

/// Most constants that are followed to a value.
const MAX_DEPTH: u32 = 8;

/// What is known of a constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Constant {
    /// An `int` from 1 to 127.
    Small,
    /// An `int` of this value.
    Int(i32),
    /// An `int` of a value that is not known.
    Unknown,
    /// A `long` that is not negative.
    Long,
}

/// Whether constants of a type convert to smaller types.
pub(super) fn may_be_constant(ty: &Ty) -> bool {
    matches!(system_name(ty), Some("Int32" | "Int64"))
}

/// The constant that an expression of type `int` or `long` is; `None` if it is none.
pub(super) fn constant(
    ev: &mut Eval<'_>,
    file: FileId,
    expr: ExprId,
    depth: u32,
) -> Option<Constant> {
    if depth > MAX_DEPTH || !ev.spend(1) {
        return None;
    }
    let depth = depth + 1;
    let facts = ev.repo.facts(file);
    match facts.expr(expr) {
        Expr::Literal(Primitive::Int) => Some(Constant::Small),
        Expr::Cast(inner, ty) => {
            let ty = ev.lower_type(file, *ty);
            let is_int = system_name(&ty) == Some("Int32");
            match facts.expr(*inner) {
                Expr::Part(literal, value) if is_literal(facts, *literal) => {
                    is_int.then_some(Constant::Int(*value as i32))
                }
                _ if !is_int && is_literal(facts, *inner) => Some(Constant::Long),
                _ if is_int => constant(ev, file, *inner, depth),
                _ => None,
            }
        }
        Expr::Operation(left, right) => {
            let both = [*left, *right].map(|side| constant(ev, file, side, depth));
            both.iter()
                .all(Option::is_some)
                .then_some(Constant::Unknown)
        }
        Expr::Name { name, scope, at } => {
            let local = ev
                .repo
                .lookup(file, *name, *scope, *at, Namespace::VALUE, true);
            match local.map(|binding| binding.to) {
                Some(Bound::Local { value, .. }) => match facts.expr(value?) {
                    Expr::Borrowed(value) => constant(ev, file, *value, depth),
                    _ => None,
                },
                Some(Bound::Param(..)) => None,
                _ => member(ev, file, expr, depth),
            }
        }
        Expr::Member { .. } => member(ev, file, expr, depth),
        _ => None,
    }
}

fn is_literal(facts: &FileFacts, expr: ExprId) -> bool {
    *facts.expr(expr) == Expr::Literal(Primitive::Int)
}

/// The constant that a name or member leads to.
fn member(ev: &mut Eval<'_>, file: FileId, expr: ExprId, depth: u32) -> Option<Constant> {
    let (Entity::Defs(defs), _) = ev.resolve_expr(file, expr, Namespace::VALUE) else {
        return None;
    };
    let first: GlobalDef = *defs.first()?;
    let def = ev.repo.def(first);
    if def.kind != SymbolKind::Constant {
        return None;
    }
    let known = def
        .value
        .and_then(|value| constant(ev, first.file, value, depth));
    Some(known.unwrap_or(Constant::Unknown))
}

impl CSharp {
    /// How well a constant fits a smaller type or an enum; `None` if it has no rule of its own there.
    pub(super) fn constant_fit(
        &self,
        ev: &mut Eval<'_>,
        constant: Constant,
        to: &Ty,
    ) -> Option<Fit> {
        let to = nullable(to).unwrap_or_else(|| to.clone());
        let strict = |fits: bool| Some(if fits { Fit::Strict } else { Fit::No });
        if constant == Constant::Long {
            return (system_name(&to) == Some("UInt64")).then_some(Fit::Strict);
        }
        if let Some((least, most)) = system_name(&to).and_then(range) {
            return match constant {
                Constant::Small => Some(Fit::Strict),
                Constant::Int(value) => strict((least..=most).contains(&i64::from(value))),
                _ => Some(Fit::Maybe),
            };
        }
        let is_enum = match &to {
            Ty::Instance(def, _) => ev.repo.def(*def).kind == SymbolKind::Enum,
            Ty::ExternalInstance(external, _) => {
                return match constant {
                    Constant::Int(0) | Constant::Unknown if !tables().knows(external) => {
                        Some(Fit::Maybe)
                    }
                    _ => None,
                };
            }
            _ => false,
        };
        match constant {
            _ if !is_enum => None,
            Constant::Int(value) => strict(value == 0),
            Constant::Unknown => Some(Fit::Maybe),
            _ => Some(Fit::No),
        }
    }
}

/// The least and the greatest number that a small type holds.
fn range(name: &str) -> Option<(i64, i64)> {
    Some(match name {
        "SByte" => (i8::MIN.into(), i8::MAX.into()),
        "Byte" => (0, u8::MAX.into()),
        "Int16" => (i16::MIN.into(), i16::MAX.into()),
        "UInt16" => (0, u16::MAX.into()),
        "UInt32" | "UInt64" => (0, i64::MAX),
        _ => return None,
    })
}
