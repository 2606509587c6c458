//! Documents for search: a file's definitions, from its facts or from the form of its lines.

use base::SymbolKind;
use search::doc::{DefDoc, FileDoc};
use search::plain;
use syntax::facts::{Def, DefFlags, FileFacts};

/// The search document of a file that was read with a grammar.
pub fn file_doc<'a>(path: &'a str, text: &'a str, facts: &'a FileFacts) -> FileDoc<'a> {
    let language = facts.language.as_str();
    let role = plain::role_of(path, language, facts.generated);
    let mut definitions: Vec<DefDoc<'a>> = facts
        .defs
        .iter()
        .filter(|def| is_searchable(def))
        .map(|def| def_doc(facts, def))
        .collect();
    definitions.sort_by_key(|d| (d.start_line, std::cmp::Reverse(d.end_line)));
    FileDoc::from_text(path, language, role, text, &definitions)
}

/// The search document of a file in a language without a grammar; `None` for data.
pub fn plain_file_doc<'a>(path: &'a str, text: &'a str) -> Option<FileDoc<'a>> {
    plain::file_doc(path, text)
}

fn is_searchable(def: &Def) -> bool {
    let hidden = def.flags.has(DefFlags::ANONYMOUS) || def.flags.has(DefFlags::LOCAL);
    !hidden && !matches!(def.kind, SymbolKind::File | SymbolKind::Package)
}

fn def_doc<'a>(facts: &'a FileFacts, def: &'a Def) -> DefDoc<'a> {
    DefDoc {
        name: facts.name(def.name),
        kind: def.kind.as_str(),
        signature: &def.signature_text,
        // Comments are part of the text and indexed with it.
        doc: "",
        start_line: def.span.start_line,
        end_line: def.span.end_line,
        exported: def.flags.has(DefFlags::EXPORTED),
    }
}
