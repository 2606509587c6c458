//! Memory that the facts of a file take. The figure is the same for the same facts, on every machine and in every run.

use crate::facts::{Bound, Callable, Def, Expr, FileFacts, TypeExpr};
use std::mem::size_of;

/// Bytes of an allocation in addition to those requested: allocators round up.
const ALLOCATION: usize = 8;

fn heap_size<T>(count: usize) -> usize {
    match count {
        0 => 0,
        _ => count * size_of::<T>() + ALLOCATION,
    }
}

/// Shrinks a table. Tables that grew step by step have room for up to twice as much, and allocators do not shrink a block to
/// half.
fn shrink_if_loose<T>(table: &mut Vec<T>) {
    if table.capacity() > table.len() + table.len() / 8 {
        let mut small = Vec::with_capacity(table.len());
        small.append(table);
        *table = small;
    }
}

impl FileFacts {
    /// Frees the memory that the tables have allocated and do not use.
    pub fn shrink_tables(&mut self) {
        shrink_if_loose(&mut self.names);
        shrink_if_loose(&mut self.defs);
        shrink_if_loose(&mut self.scopes);
        shrink_if_loose(&mut self.bindings);
        shrink_if_loose(&mut self.exprs);
        shrink_if_loose(&mut self.types);
        shrink_if_loose(&mut self.imports);
        shrink_if_loose(&mut self.choices);
        shrink_if_loose(&mut self.exports);
        shrink_if_loose(&mut self.calls);
        shrink_if_loose(&mut self.references);
        shrink_if_loose(&mut self.writes);
        shrink_if_loose(&mut self.marks);
    }

    /// About how many bytes of memory the facts take.
    pub fn heap_bytes(&self) -> u64 {
        let texts: usize = self
            .names
            .iter()
            .map(|name| heap_size::<u8>(name.len()))
            .sum();
        let defs: usize = self.defs.iter().map(def_size).sum();
        let exprs: usize = self.exprs.iter().map(expr_size).sum();
        let types: usize = self.types.iter().map(type_expr_size).sum();
        let choices = self.choices.iter().map(|all| heap_size::<Bound>(all.len()));
        let choices: usize = choices.sum();
        let flat = tables_size(&[
            (self.names.len(), size_of::<Box<str>>()),
            (self.scopes.len(), size_of_val_of(&self.scopes)),
            (self.bindings.len(), size_of_val_of(&self.bindings)),
            (self.imports.len(), size_of_val_of(&self.imports)),
            (self.choices.len(), size_of_val_of(&self.choices)),
            (self.exports.len(), size_of_val_of(&self.exports)),
            (self.calls.len(), size_of_val_of(&self.calls)),
            (self.references.len(), size_of_val_of(&self.references)),
            (self.writes.len(), size_of_val_of(&self.writes)),
            (self.marks.len(), size_of_val_of(&self.marks)),
        ]);
        (size_of::<FileFacts>() + texts + defs + exprs + types + choices + flat) as u64
    }
}

fn size_of_val_of<T>(_: &[T]) -> usize {
    size_of::<T>()
}

fn tables_size(all: &[(usize, usize)]) -> usize {
    all.iter()
        .map(|(count, size)| count * size + ALLOCATION)
        .sum()
}

fn def_size(def: &Def) -> usize {
    let callable = def.callable.as_deref().map_or(0, callable_size);
    let doc = def
        .doc
        .as_deref()
        .map_or(0, |doc| heap_size::<u8>(doc.len()));
    let params: usize = def.type_params.iter().map(|p| 4 * p.bounds.len()).sum();
    size_of::<Def>()
        + heap_size::<u8>(def.signature_text.len())
        + doc
        + callable
        + params
        + 16 * def.type_params.len()
        + 8 * def.supers.len()
        + 4 * def.decorators.len()
}

fn callable_size(callable: &Callable) -> usize {
    size_of::<Callable>()
        + 32 * callable.params.len()
        + 4 * (callable.returns.len() + callable.yields.len())
        + ALLOCATION
}

fn expr_size(expr: &Expr) -> usize {
    let beside = match expr {
        Expr::Call {
            args, type_args, ..
        }
        | Expr::New {
            args, type_args, ..
        } => heap_size::<u32>(args.len()) + heap_size::<u32>(type_args.len()),
        Expr::Either(parts) | Expr::Tuple(parts) | Expr::List(parts) => {
            heap_size::<u32>(parts.len())
        }
        Expr::Object(fields) => heap_size::<u64>(fields.len()),
        _ => 0,
    };
    size_of::<Expr>() + beside
}

fn type_expr_size(ty: &TypeExpr) -> usize {
    let beside = match ty {
        TypeExpr::Named { path, args, .. } => {
            heap_size::<u32>(path.len()) + heap_size::<u32>(args.len())
        }
        TypeExpr::Union(parts) | TypeExpr::All(parts) | TypeExpr::Tuple(parts) => {
            heap_size::<u32>(parts.len())
        }
        TypeExpr::Function { params, .. } => heap_size::<u32>(params.len()),
        _ => 0,
    };
    size_of::<TypeExpr>() + beside
}
