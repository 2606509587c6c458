//! What includes lead to, as a plain walk finds it, and the work for it.

use super::*;
use proptest::prelude::*;

const UNLIMITED: Limits = Limits {
    spans: usize::MAX,
    walk: usize::MAX,
};

/// Whether a walk from one file comes to another.
fn is_reached(edges: &[Vec<u32>], from: u32, to: u32) -> bool {
    let mut found = vec![from];
    let mut at = 0;
    while let Some(here) = found.get(at).copied() {
        at += 1;
        for next in &edges[here as usize] {
            if !found.contains(next) {
                found.push(*next);
            }
        }
    }
    found.contains(&to)
}

fn includes() -> impl Strategy<Value = Vec<Vec<u32>>> {
    let files = 1u32..24;
    files.prop_flat_map(|count| {
        let one = proptest::collection::vec(0..count, 0..5);
        proptest::collection::vec(one, count as usize)
    })
}

proptest! {
    /// However many spans may be kept, all is found that a walk finds.
    #[test]
    fn what_is_reached_is_what_a_walk_finds(edges in includes(), spans in 0usize..60) {
        for limits in [UNLIMITED, Limits { spans, ..UNLIMITED }] {
            let reach = Reach::within(&edges, limits);
            let count = edges.len() as u32;
            for (from, to) in (0..count).flat_map(|from| (0..count).map(move |to| (from, to))) {
                let expected = is_reached(&edges, from, to);
                prop_assert_eq!(reach.leads(FileId(from), FileId(to)), expected, "{} to {}", from, to);
            }
        }
    }
}

/// Headers that each include some of those before them, by the distance, and a source for each header which includes the last one.
fn headers_and_sources(count: u32, distances: Range<u32>) -> Vec<Vec<u32>> {
    let before = |at: u32| distances.clone().filter_map(move |d| at.checked_sub(d));
    let headers = (0..count).map(|at| before(at).collect());
    let sources = (0..count).map(|_| vec![count - 1]);
    headers.chain(sources).collect()
}

/// One header that includes all others, and sources that include it.
fn umbrella(count: u32) -> Vec<Vec<u32>> {
    let headers = (0..count).map(|_| Vec::<u32>::new());
    let all: Vec<u32> = (0..count).collect();
    let sources = (0..count).map(|_| vec![count]);
    headers.chain([all]).chain(sources).collect()
}

/// Makes the includes of that many headers and sources.
type MakeEdges<'a> = &'a dyn Fn(u32) -> Vec<Vec<u32>>;

#[test]
fn twice_as_many_headers_take_twice_the_work_and_memory() {
    let shapes: [(&str, MakeEdges<'_>); 3] = [
        ("chain", &|count| headers_and_sources(count, 1..2)),
        ("twenty includes", &|count| {
            headers_and_sources(count, 1..21)
        }),
        ("umbrella", &umbrella),
    ];
    for (shape, edges) in shapes {
        let of = |count: u32| {
            let edges = edges(count);
            let reach = Reach::within(&edges, UNLIMITED);
            assert!(
                reach.leads(FileId(edges.len() as u32 - 1), FileId(0)),
                "{shape}"
            );
            let files = (0..edges.len() as u32).map(FileId);
            let asked: usize = files.map(|file| reach.steps(file)).sum();
            reach.read + reach.spans.len() + asked
        };
        let (one, two) = (of(500), of(1_000));
        assert!(two <= one * 2 + one / 20, "{shape}: {one}, then {two}");
    }
}

#[test]
fn beyond_the_limits_the_nearest_files_are_reached() {
    let edges = headers_and_sources(100, 1..2);
    let source = FileId(199);
    let limits = Limits {
        spans: 50,
        walk: 10,
    };
    let reach = Reach::within(&edges, limits);
    assert!(reach.leads(FileId(49), FileId(0)));
    assert!(reach.leads(source, FileId(95)));
    assert!(!reach.leads(source, FileId(80)));
    assert_eq!(reach.steps(source), 10);
}
