//! Members that a type only inherits: `ByteBuf.release`, where an interface above defines `release`.

use crate::EngineError;
use crate::session::Session;
use analysis::EdgeDirection;
use base::SymbolKind;
use std::collections::BTreeSet;
use store::Name;

/// The most types looked at on the way up.
const MOST_TYPES: usize = 64;

/// The nearest definitions of a member above some types; nodes that are no types are passed over.
pub(crate) fn inherited_members(
    session: &Session<'_>,
    mut types: Vec<Name>,
    member: &str,
) -> Result<Vec<Name>, EngineError> {
    types.retain(is_type);
    let candidates = session.names().by_symbol(member)?;
    let mut seen: BTreeSet<String> = types.iter().map(|node| node.id.clone()).collect();
    while !types.is_empty() && !candidates.is_empty() && seen.len() <= MOST_TYPES {
        types = supertypes(session, &types)?;
        types.retain(|node| seen.insert(node.id.clone()));
        let is_member = |node: &&Name| types.iter().any(|of| is_member_of(node, of));
        let found: Vec<Name> = candidates.iter().filter(is_member).cloned().collect();
        if !found.is_empty() {
            return Ok(found);
        }
    }
    Ok(Vec::new())
}

fn is_type(node: &Name) -> bool {
    SymbolKind::parse(&node.kind).is_some_and(SymbolKind::is_type)
}

fn is_member_of(node: &Name, of: &Name) -> bool {
    let owner = node.qualified_or_symbol().rsplit_once('.');
    node.file_path == of.file_path
        && owner.is_some_and(|(owner, _)| owner == of.qualified_or_symbol())
}

/// The types that these types extend and implement.
fn supertypes(session: &Session<'_>, types: &[Name]) -> Result<Vec<Name>, EngineError> {
    let ids: Vec<String> = types.iter().map(|node| node.id.clone()).collect();
    session.on_graph(&ids, |graph, keys| {
        let mut above = Vec::new();
        for key in keys {
            graph.visit_relations(*key, EdgeDirection::Out, &mut |to, kind, _| {
                if kind != "overrides" {
                    above.push(to);
                }
            })?;
        }
        above.sort_unstable();
        above.dedup();
        let mut found = Vec::new();
        for key in above.into_iter().take(MOST_TYPES) {
            graph.visit_node(key, &mut |row| found.push(Name::from(row)))?;
        }
        Ok(found)
    })
}
