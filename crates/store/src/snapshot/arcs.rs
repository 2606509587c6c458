//! Edges as compressed sparse rows: 16 bytes for each edge and direction.

use base::{EdgeType, Site, Tier};

/// The number that means no line or no file.
pub(super) const NONE: u32 = u32::MAX;

/// Most edges that can have extra data: limited by the bits for their number.
const MOST_EXTRAS: u32 = (1 << 25) - 1;

/// An edge at one of its ends. `bits` holds, from the top: 2 bits for the type, 3 for the tier, 2 for the site, 25 for
/// the number of its `Extra` (0 for none).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PackedEdge {
    pub bits: u32,
    pub other: u32,
    pub line: u32,
    pub file: u32,
}

impl PackedEdge {
    /// Packs the fields into bits; `None` if `extra` is out of range.
    pub(super) fn pack_bits(
        edge_type: EdgeType,
        tier: Tier,
        site: Option<Site>,
        extra: usize,
    ) -> Option<u32> {
        let extra = u32::try_from(extra).ok().filter(|e| *e <= MOST_EXTRAS)?;
        let site = match site {
            None => 0,
            Some(Site::Call) => 1,
            Some(Site::Reference) => 2,
        };
        Some(edge_type_code(edge_type) << 30 | (tier as u32) << 27 | site << 25 | extra)
    }

    pub(super) fn edge_type(&self) -> EdgeType {
        EdgeType::ALL[(self.bits >> 30) as usize]
    }

    pub(super) fn tier(&self) -> Tier {
        let at = (self.bits >> 27 & 7) as usize;
        Tier::ALL.get(at).copied().unwrap_or(Tier::Manual)
    }

    pub(super) fn site(&self) -> Option<Site> {
        match self.bits >> 25 & 3 {
            1 => Some(Site::Call),
            2 => Some(Site::Reference),
            _ => None,
        }
    }

    pub(super) fn extra_index(&self) -> usize {
        (self.bits & MOST_EXTRAS) as usize
    }

    /// Sorted by type first, so that edges of one type are adjacent.
    fn sort_key(&self) -> (u32, u32, u32, u32, u32) {
        (self.bits >> 30, self.other, self.line, self.file, self.bits)
    }
}

fn edge_type_code(edge_type: EdgeType) -> u32 {
    edge_type as u32
}

/// The arcs of node `n` are `arcs[starts[n]..starts[n + 1]]`.
#[derive(Debug, Default)]
pub(super) struct EdgeTable {
    starts: Vec<u32>,
    arcs: Vec<PackedEdge>,
}

impl EdgeTable {
    /// Builds the table from edges, each with the node at which it is stored.
    pub(super) fn from_edges(nodes: usize, edges: &[(u32, PackedEdge)]) -> EdgeTable {
        let mut starts = vec![0u32; nodes + 1];
        for (from, _) in edges {
            starts[*from as usize + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let filler = PackedEdge {
            bits: 0,
            other: 0,
            line: NONE,
            file: NONE,
        };
        let mut arcs = vec![filler; edges.len()];
        let mut next = starts.clone();
        for (from, arc) in edges {
            let slot = &mut next[*from as usize];
            arcs[*slot as usize] = *arc;
            *slot += 1;
        }
        for bounds in starts.windows(2) {
            arcs[bounds[0] as usize..bounds[1] as usize].sort_unstable_by_key(PackedEdge::sort_key);
        }
        EdgeTable { starts, arcs }
    }

    pub(super) fn len(&self) -> usize {
        self.arcs.len()
    }

    pub(super) fn edges_of_node(&self, node: u32) -> &[PackedEdge] {
        let at = node as usize;
        match (self.starts.get(at), self.starts.get(at + 1)) {
            (Some(from), Some(to)) => &self.arcs[*from as usize..*to as usize],
            _ => &[],
        }
    }

    /// Edges of one type.
    pub(super) fn edges_of_type(&self, node: u32, only: EdgeType) -> &[PackedEdge] {
        let arcs = self.edges_of_node(node);
        let from = arcs.partition_point(|a| a.bits >> 30 < edge_type_code(only));
        let to = arcs.partition_point(|a| a.bits >> 30 <= edge_type_code(only));
        &arcs[from..to]
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.starts.len() * size_of::<u32>() + self.arcs.len() * size_of::<PackedEdge>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_property_survives_its_bits() {
        for edge_type in EdgeType::ALL {
            for tier in Tier::ALL {
                for site in [None, Some(Site::Call), Some(Site::Reference)] {
                    for extra in [0, 1, MOST_EXTRAS as usize] {
                        let arc = PackedEdge {
                            bits: PackedEdge::pack_bits(edge_type, tier, site, extra).unwrap(),
                            other: 0,
                            line: 0,
                            file: 0,
                        };
                        assert_eq!(
                            (arc.edge_type(), arc.tier(), arc.site(), arc.extra_index()),
                            (edge_type, tier, site, extra)
                        );
                    }
                }
            }
        }
        assert_eq!(
            PackedEdge::pack_bits(EdgeType::Calls, Tier::Scip, None, 1 << 25),
            None
        );
    }
}
