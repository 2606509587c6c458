//! What is called after what: a function that calls the one nearly always calls the other later on.

use super::{Code, Observation, PatternKind, Place};
use base::{EdgeType, Site};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use store::NodeFlags;

/// What nodes call outside the repository: for each node's id the first line and the name.
pub type Uses = BTreeMap<String, Vec<(u32, String)>>;

/// Functions with more calls than this are lists of everything.
const MOST_CALLS: usize = 80;

/// What more than this share of all functions calls follows anything.
const COMMON: f64 = 0.05;

/// How much likelier the second call must be after the first than anywhere.
const LIFT: f64 = 8.0;

/// Most pairs that are looked at further.
const MOST_PAIRS: usize = 60;

/// A function with its calls in order, each once.
struct Body {
    node: u32,
    calls: Vec<(u32, u32)>,
}

pub(super) fn observe(
    code: &Code<'_>,
    known: &BTreeSet<String>,
    least: usize,
    out: &mut Vec<Observation>,
) {
    let mut names: Vec<String> = Vec::new();
    let bodies = bodies(code, &mut names);
    let mut callers = vec![0usize; names.len()];
    for body in &bodies {
        for (_, call) in &body.calls {
            callers[*call as usize] += 1;
        }
    }
    let outside: Vec<bool> = names.iter().map(|name| super::bare(name) == name).collect();
    let pairs = pairs(code, &bodies, &callers, &outside, least);
    let mut wanted: Vec<(u32, u32)> = pairs;
    let by_name: FxHashMap<&str, u32> = names.iter().map(String::as_str).zip(0..).collect();
    for key in known {
        let Some(rest) = key.strip_prefix("sequence:then:") else {
            continue;
        };
        let Some((first, second)) = rest.split_once(" => ") else {
            continue;
        };
        if let (Some(a), Some(b)) = (by_name.get(first), by_name.get(second)) {
            wanted.push((*a, *b));
        }
    }
    wanted.sort_unstable();
    wanted.dedup();
    for (first, second) in wanted {
        let key = format!(
            "sequence:then:{} => {}",
            names[first as usize], names[second as usize]
        );
        for body in &bodies {
            let Some((line, _)) = body.calls.iter().find(|(_, call)| *call == first) else {
                continue;
            };
            let followed = body
                .calls
                .iter()
                .any(|(at, call)| *call == second && at >= line);
            let row = code.graph.row(body.node);
            out.push(Observation {
                kind: PatternKind::CallSequence,
                key: key.clone(),
                value: if followed { "with" } else { "without" }.to_owned(),
                place: Place {
                    file: row.file_path.to_owned(),
                    line: *line,
                    symbol: row.qualified_name.unwrap_or(row.symbol).to_owned(),
                },
            });
        }
    }
}

/// Every function of the project's own code with what it calls; calls are numbered in `names`.
fn bodies(code: &Code<'_>, names: &mut Vec<String>) -> Vec<Body> {
    let graph = code.graph;
    let own: FxHashSet<&str> = code.texts.iter().map(|(path, _)| path.as_str()).collect();
    let mut numbers: FxHashMap<String, u32> = FxHashMap::default();
    let mut number = |name: String| {
        *numbers.entry(name).or_insert_with_key(|name| {
            names.push(name.clone());
            names.len() as u32 - 1
        })
    };
    let mut found = Vec::new();
    for node in 0..graph.node_count() as u32 {
        let row = graph.row(node);
        let callable = matches!(row.kind, "function" | "method" | "constructor");
        if !callable || row.flags.has(NodeFlags::TEST) || !own.contains(row.file_path) {
            continue;
        }
        let mut calls: Vec<(u32, u32)> = Vec::new();
        for edge in graph.outgoing(node, EdgeType::Calls) {
            let target = graph.row(edge.node);
            let called = edge.site == Some(Site::Call) && edge.node != node;
            if called && matches!(target.kind, "function" | "method" | "macro") {
                let name = target.qualified_name.unwrap_or(target.symbol);
                calls.push((
                    edge.line.unwrap_or(0),
                    number(format!("{name}@{}", target.file_path)),
                ));
            }
        }
        let outside = code.uses.get(row.id).into_iter().flatten();
        for (line, name) in outside.filter(|(_, name)| !is_everyday(name)) {
            calls.push((*line, number(name.clone())));
        }
        calls.sort_unstable();
        let mut seen = FxHashSet::default();
        calls.retain(|(_, call)| seen.insert(*call));
        if (1..=MOST_CALLS).contains(&calls.len()) {
            found.push(Body { node, calls });
        }
    }
    found
}

/// What the language itself gives, and errors, which are made anywhere.
fn is_everyday(name: &str) -> bool {
    let given = [
        "builtins.",
        "ecmascript.",
        "std.Vec",
        "std.Option",
        "std.Result",
        "std.Iterator",
        "std.str",
        "std.String",
    ];
    let error = name.ends_with("Exception") || name.ends_with("Error");
    error || given.iter().any(|g| name.starts_with(g))
}

/// Pairs of calls of which the second follows the first nearly always, and seldom stands elsewhere; for each first
/// call the best second.
fn pairs(
    code: &Code<'_>,
    bodies: &[Body],
    callers: &[usize],
    outside: &[bool],
    least: usize,
) -> Vec<(u32, u32)> {
    let often = |call: u32| callers[call as usize] >= least;
    let rare = |call: u32| (callers[call as usize] as f64) < COMMON * bodies.len().max(200) as f64;
    let mut together: FxHashMap<(u32, u32), usize> = FxHashMap::default();
    for body in bodies {
        let calls: Vec<(u32, u32)> = body
            .calls
            .iter()
            .copied()
            .filter(|(_, c)| often(*c) && rare(*c))
            .collect();
        for (at, (line, first)) in calls.iter().enumerate() {
            for (later, second) in &calls[at + 1..] {
                if later > line {
                    *together.entry((*first, *second)).or_default() += 1;
                }
            }
        }
    }
    // In a small repository a few calls are a large share.
    let total = bodies.len().max(200) as f64;
    let mut best: BTreeMap<u32, (usize, u32)> = BTreeMap::new();
    for ((first, second), count) in together {
        let sure = count as f64 / callers[first as usize] as f64;
        let anywhere = callers[second as usize] as f64 / total;
        // How others' packages are used together says little of this code.
        let both = outside[first as usize] && outside[second as usize];
        let least = if both { (2 * least).max(5) } else { least };
        if count < least || sure < super::LEAST_CONFIDENCE || sure < LIFT * anywhere {
            continue;
        }
        let entry = best.entry(first).or_insert((count, second));
        // The more telling one: more often together, then the one that is called less elsewhere.
        let rank =
            |count: usize, call: u32| (count, std::cmp::Reverse((callers[call as usize], call)));
        if rank(count, second) > rank(entry.0, entry.1) {
            *entry = (count, second);
        }
    }
    let mut found: Vec<(usize, u32, u32)> = best.into_iter().map(|(a, (n, b))| (n, a, b)).collect();
    found.retain(|(_, first, second)| in_two_files(code, bodies, *first, *second));
    found.sort_by_key(|(n, a, b)| (std::cmp::Reverse(*n), *a, *b));
    found.truncate(MOST_PAIRS);
    found.into_iter().map(|(_, a, b)| (a, b)).collect()
}

fn in_two_files(code: &Code<'_>, bodies: &[Body], first: u32, second: u32) -> bool {
    let has = |body: &&Body, call: u32| body.calls.iter().any(|(_, c)| *c == call);
    let both = bodies.iter().filter(|b| has(b, first) && has(b, second));
    let mut files = both.map(|b| code.graph.row(b.node).file_path);
    let Some(one) = files.next() else {
        return false;
    };
    files.any(|path| path != one)
}
