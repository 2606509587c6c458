//! Kinds of SCIP symbols as kinds of ours.

use super::symbol::{Descriptor, Suffix};
use base::SymbolKind;

/// The kind that an index states, by its number in the schema; `None` if it states none, or one without a counterpart
/// here.
pub(super) fn kind_from_number(number: u32) -> Option<SymbolKind> {
    Some(match number {
        7 | 75 => SymbolKind::Class,
        8 => SymbolKind::Constant,
        9 => SymbolKind::Constructor,
        11 => SymbolKind::Enum,
        12 => SymbolKind::EnumMember,
        15 | 77 | 79 => SymbolKind::Field,
        16 => SymbolKind::File,
        17 | 24 | 34 | 40 => SymbolKind::Function,
        18 | 41 | 45 | 72 | 81 => SymbolKind::Property,
        21 | 42 | 62 => SymbolKind::Interface,
        25 => SymbolKind::Macro,
        26 | 66..=71 | 74 | 76 | 80 => SymbolKind::Method,
        29 | 64 => SymbolKind::Module,
        30 => SymbolKind::Namespace,
        35 | 36 => SymbolKind::Package,
        27 | 37 | 38 | 44 | 52 => SymbolKind::Parameter,
        28 | 49 => SymbolKind::Struct,
        53 | 56 | 85 | 86 => SymbolKind::Trait,
        3 | 55 | 73 => SymbolKind::TypeAlias,
        54 => SymbolKind::Class,
        58 => SymbolKind::TypeParameter,
        59 => SymbolKind::Union,
        60 | 61 | 82 => SymbolKind::Variable,
        _ => return None,
    })
}

/// The kind by the last descriptor, given the one before it.
pub(super) fn kind_from_suffix(
    last: &Descriptor<'_>,
    before: Option<&Descriptor<'_>>,
) -> SymbolKind {
    let in_type = before.is_some_and(|d| d.suffix == Suffix::Type);
    match last.suffix {
        Suffix::Namespace => SymbolKind::Namespace,
        Suffix::Type => SymbolKind::Class,
        Suffix::Term if in_type => SymbolKind::Field,
        Suffix::Term => SymbolKind::Variable,
        Suffix::Method if matches!(&*last.name, "<constructor>" | "<init>" | "__init__") => {
            SymbolKind::Constructor
        }
        Suffix::Method if last.name.starts_with("<get>") || last.name.starts_with("<set>") => {
            SymbolKind::Property
        }
        Suffix::Method if in_type => SymbolKind::Method,
        Suffix::Method => SymbolKind::Function,
        Suffix::TypeParameter => SymbolKind::TypeParameter,
        Suffix::Parameter => SymbolKind::Parameter,
        Suffix::Meta => SymbolKind::Property,
        Suffix::Macro => SymbolKind::Macro,
    }
}

#[cfg(test)]
mod tests {
    use super::super::symbol::GlobalSymbol;
    use super::*;

    #[test]
    fn descriptors_tell_kinds() {
        let kind = |symbol: &str| {
            let global = GlobalSymbol::parse(symbol).unwrap();
            let (last, before) = global.descriptors.split_last().unwrap();
            kind_from_suffix(last, before.last())
        };
        assert_eq!(kind("s m p v a/C#"), SymbolKind::Class);
        assert_eq!(kind("s m p v a/C#f()."), SymbolKind::Method);
        assert_eq!(kind("s m p v a/f()."), SymbolKind::Function);
        assert_eq!(kind("s m p v a/C#x."), SymbolKind::Field);
        assert_eq!(kind("s m p v a/x."), SymbolKind::Variable);
        assert_eq!(
            kind("s m p v a/C#`<constructor>`()."),
            SymbolKind::Constructor
        );
        assert_eq!(kind("s m p v a/f().(x)"), SymbolKind::Parameter);
        assert_eq!(kind_from_number(53), Some(SymbolKind::Trait));
        assert_eq!(kind_from_number(0), None);
    }
}
