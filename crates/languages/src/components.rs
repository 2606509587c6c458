//! Strongly connected components of a graph.

/// The component of each node, by Tarjan's algorithm without recursion. Components are numbered in the order in which the walk
/// leaves them, so that one reaches only components of lower numbers.
pub(crate) fn strong_components(edges: &[Vec<u32>]) -> Vec<u32> {
    const NONE: u32 = u32::MAX;
    let (mut order, mut low) = (vec![NONE; edges.len()], vec![0u32; edges.len()]);
    let mut ring_of = vec![NONE; edges.len()];
    let (mut stack, mut count, mut rings) = (Vec::new(), 0, 0);
    for start in 0..edges.len() {
        if order[start] != NONE {
            continue;
        }
        let mut path: Vec<(usize, usize)> = vec![(start, 0)];
        while let Some((at, edge)) = path.last_mut() {
            let at = *at;
            if *edge == 0 && order[at] == NONE {
                (order[at], low[at]) = (count, count);
                count += 1;
                stack.push(at);
            }
            if let Some(to) = edges[at].get(*edge) {
                let to = *to as usize;
                *edge += 1;
                if order[to] == NONE {
                    path.push((to, 0));
                } else if ring_of[to] == NONE {
                    low[at] = low[at].min(order[to]);
                }
                continue;
            }
            path.pop();
            if let Some((above, _)) = path.last() {
                low[*above] = low[*above].min(low[at]);
            }
            if low[at] == order[at] {
                while let Some(of) = stack.pop() {
                    ring_of[of] = rings;
                    if of == at {
                        break;
                    }
                }
                rings += 1;
            }
        }
    }
    ring_of
}

#[cfg(test)]
mod tests {
    #[test]
    fn nodes_that_reach_each_other_are_one_ring() {
        let edges = [vec![1], vec![2], vec![0, 3], vec![4], vec![], vec![3, 5]];
        let of = super::strong_components(&edges);
        assert!(of[0] == of[1] && of[1] == of[2]);
        assert!(of[3] != of[0] && of[3] != of[4] && of[5] != of[3]);
        assert!(of[4] < of[3] && of[3] < of[0] && of[3] < of[5]);
    }
}
