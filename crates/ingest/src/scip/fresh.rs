//! Whether an index describes a file as it is now.
//!
//! Times alone do not tell (a checkout is newer than an index that came with it), so the text decides: every
//! identifier that the index names must stand there as a whole word, and every definition must have its name.
//! A file that was touched after the index was written must in addition have no definition that the index lacks.

use super::define::Defined;
use super::lines::Lines;
use super::symbol::{Global, Suffix};
use super::{DEFINITION, SourceFile};
use base::SymbolKind;
use rustc_hash::FxHashSet;
use syntax::facts::DefFlags;

/// Why the index does not describe the file; none where it does.
pub(super) fn stale(
    defined: &Defined<'_>,
    source: &SourceFile<'_>,
    lines: &Lines<'_>,
    touched_since: bool,
) -> Option<String> {
    for occurrence in &defined.document.occurrences {
        let range = occurrence.range;
        let Some(bytes) = lines.bytes(range) else {
            return Some(format!("line {} is not as the index has it", range.start_line + 1));
        };
        let moved = match lines.is_whole_word(bytes) {
            Some(whole) => !whole,
            None => false,
        };
        let renamed = occurrence.roles & DEFINITION != 0
            && !names_it(lines.slice(bytes), occurrence.symbol);
        if moved || renamed {
            return Some(format!("line {} is not as the index has it", range.start_line + 1));
        }
    }
    if touched_since {
        return unknown_definition(defined, source);
    }
    None
}

/// Whether the text of a definition can be the symbol's name. Only plain names are compared.
fn names_it(text: &str, symbol: &str) -> bool {
    let Some(global) = Global::parse(symbol) else {
        return true;
    };
    let Some(last) = global.last() else {
        return true;
    };
    let plain = |name: &str| {
        !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    let compared = matches!(last.suffix, Suffix::Type | Suffix::Method)
        && plain(&last.name)
        && plain(text);
    !compared || last.name == text || matches!(text, "default" | "constructor" | "function")
}

/// A definition of the tree that the index does not have at its place.
fn unknown_definition(defined: &Defined<'_>, source: &SourceFile<'_>) -> Option<String> {
    let known: FxHashSet<u32> = defined.named.iter().map(|(def, _)| def.0).collect();
    let positions: FxHashSet<u32> = defined
        .document
        .occurrences
        .iter()
        .filter(|o| o.roles & DEFINITION != 0)
        .map(|o| o.range.start_line)
        .collect();
    for (at, def) in source.facts.defs.iter().enumerate() {
        let counts = matches!(
            def.kind,
            SymbolKind::Function | SymbolKind::Method | SymbolKind::Class | SymbolKind::Interface
        ) && !def.flags.has(DefFlags::ANONYMOUS)
            && !def.flags.has(DefFlags::LOCAL);
        let line = def.name_line.saturating_sub(1);
        if counts && !known.contains(&(at as u32)) && !positions.contains(&line) {
            let name = source.facts.name(def.name);
            return Some(format!("{name} on line {} is not in the index", def.name_line));
        }
    }
    None
}
