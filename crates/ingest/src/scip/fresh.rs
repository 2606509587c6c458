//! Checks whether an index describes the present file.
//!
//! Times alone do not decide (a checkout is newer than an index that came with it), so the text is compared: every
//! identifier that the index names must be there as a whole word, and every definition must have its name. Added text
//! moves everything after it. Text added after the last identifier of the index moves nothing, so a file that was
//! touched after the index was written must have no definition there.

use super::define::DefinedDocument;
use super::lines::{LONGEST_NAME, Lines};
use super::symbol::{GlobalSymbol, Suffix};
use super::{DEFINITION, SourceFile};
use syntax::facts::{Def, DefFlags};

/// Why the index does not describe the file; `None` if it does.
pub(super) fn staleness_reason(
    defined: &DefinedDocument<'_>,
    source: &SourceFile<'_>,
    lines: &Lines<'_>,
    touched_since: bool,
) -> Option<String> {
    for occurrence in &defined.document.occurrences {
        let range = occurrence.range;
        let Some(bytes) = lines.byte_range(range) else {
            return Some(format!(
                "line {} differs from the index",
                range.start_line + 1
            ));
        };
        let moved = match lines.is_whole_word(bytes) {
            Some(whole) => !whole,
            None => false,
        };
        let renamed = occurrence.roles & DEFINITION != 0
            && !text_matches_symbol(lines.slice(bytes), occurrence.symbol);
        if moved || renamed {
            return Some(format!(
                "line {} differs from the index",
                range.start_line + 1
            ));
        }
    }
    if touched_since {
        return find_definition_added_at_end(defined, source);
    }
    None
}

/// Whether the text of a definition can be the symbol's name. Only plain names are compared.
fn text_matches_symbol(text: &str, symbol: &str) -> bool {
    let Some(global) = GlobalSymbol::parse(symbol) else {
        return true;
    };
    let Some(last) = global.last_descriptor() else {
        return true;
    };
    // Many occurrences may have the same long range.
    let plain = |name: &str| {
        (1..=LONGEST_NAME).contains(&name.len())
            && name.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    let compared =
        matches!(last.suffix, Suffix::Type | Suffix::Method) && plain(&last.name) && plain(text);
    !compared || last.name == text || matches!(text, "default" | "constructor" | "function")
}

/// Most characters of a name that are shown.
const NAME_SHOWN: usize = 200;

/// A definition after everything that the index names.
fn find_definition_added_at_end(
    defined: &DefinedDocument<'_>,
    source: &SourceFile<'_>,
) -> Option<String> {
    let occurrences = &defined.document.occurrences;
    let last = occurrences
        .iter()
        .map(|o| o.range.start_line)
        .max()
        .unwrap_or_default();
    let behind = |d: &&Def| d.name_line > last + 1 && !d.flags.has(DefFlags::ANONYMOUS);
    let def = source.facts.defs.iter().find(behind)?;
    let name = source.facts.name(def.name);
    let name: String = name.chars().take(NAME_SHOWN).collect();
    Some(format!(
        "{name} on line {} is not in the index",
        def.name_line
    ))
}
