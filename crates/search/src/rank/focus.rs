//! Chooses the definition that the query means from a chunk with several.

use super::ChunkHit;
use super::heads::count_shared_stems;
use super::query::Query;
use super::tuning::Tuning;
use crate::prepare::Definition;

/// Narrows a chunk to the definition that has most words of the query, if one clearly has. `text` is the text of
/// the chunk's lines.
pub fn narrow_to_definition(chunk: &mut ChunkHit, text: &str, query: &Query, tuning: &Tuning) {
    let whole = (chunk.start_line, chunk.end_line) == chunk.chunk_lines;
    if !whole || chunk.definitions.len() < 2 {
        return;
    }
    let lines: Vec<&str> = text.lines().collect();
    let all = count_shared_stems(text, query);
    let Some(best) = best_definition(chunk, &lines, query) else {
        return;
    };
    if best.words < tuning.focus_words || (best.words as f32) < tuning.focus * all as f32 {
        return;
    }
    let found = &chunk.definitions[best.at];
    chunk.symbol = Some(found.name.clone());
    chunk.kind.clone_from(&found.kind);
    chunk.start_line = found.start_line.max(chunk.start_line);
    chunk.end_line = found.end_line.min(chunk.end_line);
}

struct Best {
    at: usize,
    words: usize,
}

/// The definition with most of the query's words; none if two have equally many.
fn best_definition(chunk: &ChunkHit, lines: &[&str], query: &Query) -> Option<Best> {
    let (first, last) = chunk.chunk_lines;
    let mut best: Option<Best> = None;
    let mut tie = false;
    // Lines between the end of a definition and the next one belong to the next.
    let mut from = first;
    for (at, def) in chunk.definitions.iter().enumerate() {
        let inside = def.start_line >= first && def.start_line <= last;
        // A function is more than the callbacks inside it, but a type is no more than its methods.
        let only_holds =
            !is_executable_kind(&def.kind) && encloses_another(def, &chunk.definitions);
        if !inside || is_value_kind(&def.kind) || only_holds {
            continue;
        }
        let end = def.end_line.min(last);
        let begin = from.min(def.start_line);
        let range = (begin - first) as usize..=(end.max(begin) - first) as usize;
        let words = lines
            .get(range)
            .map_or(0, |part| count_shared_stems(&part.join("\n"), query));
        from = from.max(end + 1);
        match &best {
            Some(most) if most.words == words => {
                let outer = &chunk.definitions[most.at];
                if is_within(def, outer) {
                    best = Some(Best { at, words })
                } else {
                    tie = true
                }
            }
            Some(most) if most.words > words => {}
            _ => {
                best = Some(Best { at, words });
                tie = false;
            }
        }
    }
    best.filter(|_| !tie)
}

/// Whether a definition of that kind is a single value. It does nothing by itself, and is read with the lines
/// around it.
pub(super) fn is_value_kind(kind: &str) -> bool {
    matches!(
        kind,
        "field" | "property" | "constant" | "variable" | "enum_member" | "type_parameter"
    )
}

/// Whether a definition of that kind is a type.
pub(super) fn is_type_kind(kind: &str) -> bool {
    matches!(
        kind,
        "class" | "interface" | "trait" | "struct" | "enum" | "union" | "type_alias"
    )
}

/// Whether a definition of that kind does something.
pub(super) fn is_executable_kind(kind: &str) -> bool {
    matches!(kind, "function" | "method" | "constructor" | "macro")
}

fn encloses_another(def: &Definition, all: &[Definition]) -> bool {
    all.iter()
        .filter(|other| !is_value_kind(&other.kind))
        .any(|other| is_within(other, def))
}

fn is_within(inner: &Definition, outer: &Definition) -> bool {
    (inner.start_line, inner.end_line) != (outer.start_line, outer.end_line)
        && inner.start_line >= outer.start_line
        && inner.end_line <= outer.end_line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doc::FileRole;
    use crate::rank::Source;

    const TEXT: &str = "class Tree {\n  // Adds a node.\n  insert(node) {\n    rebalance(node);\n  }\n\n  // Looks a route up by its prefix.\n  find(path) {\n    return this.route(path);\n  }\n}\n";

    fn chunk(definitions: &[(&str, u32, u32)]) -> ChunkHit {
        let definition = |(name, start_line, end_line): &(&str, u32, u32)| Definition {
            name: (*name).to_owned(),
            kind: if *name == "Tree" { "class" } else { "method" }.to_owned(),
            start_line: *start_line,
            end_line: *end_line,
            exported: true,
        };
        ChunkHit {
            path: "tree.js".to_owned(),
            start_line: 1,
            end_line: 11,
            chunk_lines: (1, 11),
            symbol: None,
            container: "Tree".to_owned(),
            kind: "file".to_owned(),
            language: "javascript".to_owned(),
            role: FileRole::Source,
            relevance: 1.0,
            source: Source::Keyword,
            definitions: definitions.iter().map(definition).collect(),
        }
    }

    fn shown(query: &str) -> (Option<String>, u32, u32) {
        let all = [("Tree", 1, 11), ("insert", 3, 5), ("find", 8, 10)];
        let mut chunk = chunk(&all);
        narrow_to_definition(&mut chunk, TEXT, &Query::new(query), &Tuning::default());
        (chunk.symbol, chunk.start_line, chunk.end_line)
    }

    #[test]
    fn the_definition_with_the_words_is_shown() {
        let find = (Some("find".to_owned()), 8, 10);
        assert_eq!(shown("look up a route by prefix"), find);
        let insert = (Some("insert".to_owned()), 3, 5);
        assert_eq!(shown("rebalance when a node is added"), insert);
    }

    #[test]
    fn a_callback_stands_for_its_function_only_where_it_has_all() {
        let text = "// Upgrades the connection.\nupgrade(socket) {\n  check(socket);\n  write(() => {\n    const done = () => remove(handler);\n  });\n}\nother() {\n}\n";
        let all = [("upgrade", 2, 7), ("done", 5, 5), ("other", 8, 9)];
        let shown = |query: &str| {
            let mut chunk = chunk(&all);
            (chunk.end_line, chunk.chunk_lines) = (9, (1, 9));
            narrow_to_definition(&mut chunk, text, &Query::new(query), &Tuning::default());
            chunk.symbol
        };
        assert_eq!(
            shown("check the socket and remove the handler").as_deref(),
            Some("upgrade")
        );
        assert_eq!(shown("remove the handler").as_deref(), Some("done"));
    }

    #[test]
    fn where_none_stands_out_the_whole_is_shown() {
        let whole = (None, 1, 11);
        assert_eq!(shown("tree"), whole);
        assert_eq!(shown("node path rebalance route"), whole);
    }
}
