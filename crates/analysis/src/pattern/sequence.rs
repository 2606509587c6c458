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

/// How much oftener than asked for calls of different things must follow each other, and in how many folders: what is
/// written once and copied within a folder follows itself.
const UNRELATED: usize = 4;
const FOLDERS: usize = 3;

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
    let pairs = pairs(code, &bodies, &callers, (&names, &outside), least);
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
        let markup = row.file_path.ends_with("sx");
        let untold = |name: &str| is_everyday(name) || (markup && is_element(name));
        for (line, name) in outside.filter(|(_, name)| !untold(name)) {
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

/// A component of others, which is drawn inside another rather than called after it.
fn is_element(name: &str) -> bool {
    let last = name.rsplit('.').next().unwrap_or(name);
    last.starts_with(char::is_uppercase)
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

/// How many functions have two calls after each other, of those that are neither seldom nor common.
fn together(bodies: &[Body], callers: &[usize], least: usize) -> FxHashMap<(u32, u32), usize> {
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
    together
}

/// Pairs of calls of which the second follows the first nearly always, and seldom stands elsewhere; for each first
/// call the best second.
fn pairs(
    code: &Code<'_>,
    bodies: &[Body],
    callers: &[usize],
    (names, outside): (&[String], &[bool]),
    least: usize,
) -> Vec<(u32, u32)> {
    let together = together(bodies, callers, least);
    // In a small repository a few calls are a large share.
    let total = bodies.len().max(200) as f64;
    let mut best: BTreeMap<u32, (bool, usize, u32)> = BTreeMap::new();
    for ((first, second), count) in together {
        let sure = count as f64 / callers[first as usize] as f64;
        let anywhere = callers[second as usize] as f64 / total;
        // How others' packages are used together says little of this code.
        let both = outside[first as usize] && outside[second as usize];
        let related = relation(&names[first as usize], &names[second as usize]);
        let least = match (related, both) {
            (Relation::Pair, false) => least,
            (Relation::SameOwner, false) => least + 1,
            (Relation::None, false) => UNRELATED * least,
            (Relation::None, true) => continue,
            (_, true) => (2 * least).max(5),
        };
        // Of one thing, or of one package of others that has many.
        let related = related == Relation::Pair || (related == Relation::SameOwner && !both);
        if count < least || sure < super::LEAST_CONFIDENCE || sure < LIFT * anywhere {
            continue;
        }
        let entry = best.entry(first).or_insert((related, count, second));
        // The more telling one: of the same thing, more often together, then the one that is called less elsewhere.
        let rank = |(related, count, call): (bool, usize, u32)| {
            let less = std::cmp::Reverse((callers[call as usize], call));
            (related, count, less)
        };
        if rank((related, count, second)) > rank(*entry) {
            *entry = (related, count, second);
        }
    }
    let spread = |(related, _, first, second): &(bool, usize, u32, u32)| {
        is_spread(code, bodies, (*first, *second), *related)
    };
    let found = best.into_iter().map(|(a, (r, n, b))| (r, n, a, b));
    let found = found.filter(spread).map(|(_, n, a, b)| (n, a, b));
    let mut found: Vec<(usize, u32, u32)> = found.collect();
    found.sort_by_key(|(n, a, b)| (std::cmp::Reverse(*n), *a, *b));
    found.truncate(MOST_PAIRS);
    found.into_iter().map(|(_, a, b)| (a, b)).collect()
}

/// Whether both calls stand together in two files, or where they are of different things in several folders.
fn is_spread(code: &Code<'_>, bodies: &[Body], (first, second): (u32, u32), related: bool) -> bool {
    let has = |body: &&Body, call: u32| body.calls.iter().any(|(_, c)| *c == call);
    let both = bodies.iter().filter(|b| has(b, first) && has(b, second));
    let paths: BTreeSet<&str> = both.map(|b| code.graph.row(b.node).file_path).collect();
    let folders: BTreeSet<&str> = paths.iter().map(|path| super::folder(path)).collect();
    paths.len() >= 2 && (related || folders.len() >= FOLDERS)
}

/// What is done and undone.
const UNDONE: [(&str, &str); 16] = [
    ("open", "close"),
    ("begin", "end"),
    ("begin", "commit"),
    ("start", "stop"),
    ("start", "end"),
    ("start", "finish"),
    ("lock", "unlock"),
    ("acquire", "release"),
    ("push", "pop"),
    ("enter", "exit"),
    ("enter", "leave"),
    ("connect", "disconnect"),
    ("attach", "detach"),
    ("subscribe", "unsubscribe"),
    ("register", "unregister"),
    ("setup", "teardown"),
];

/// What two calls have to do with each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Relation {
    /// The second undoes the first, or is a call on what the first made.
    Pair,
    /// They are of one type, module or file.
    SameOwner,
    /// Nothing that names tell.
    None,
}

fn relation(first: &str, second: &str) -> Relation {
    let (one, other) = (super::bare(first), super::bare(second));
    let verb = |name: &str| {
        let last = name.rsplit('.').next().unwrap_or(name);
        let words = super::naming::words(last);
        words
            .first()
            .map(|word| word.to_lowercase())
            .unwrap_or_default()
    };
    let (does, undoes) = (verb(one), verb(other));
    let made = other
        .strip_prefix(one)
        .is_some_and(|rest| rest.starts_with(['.', '(']));
    if made || UNDONE.iter().any(|(a, b)| *a == does && *b == undoes) {
        return Relation::Pair;
    }
    let owner = |name: &str| {
        name.rsplit_once('.')
            .map_or("", |(owner, _)| owner)
            .to_owned()
    };
    let same = !owner(one).is_empty() && owner(one) == owner(other);
    let here = one.len() < first.len() && first[one.len()..] == second[other.len()..];
    match same || here {
        true => Relation::SameOwner,
        false => Relation::None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Relation, relation};

    #[test]
    fn calls_of_one_thing_are_related() {
        use Relation::{None, Pair, SameOwner};
        for (first, second, expected) in [
            ("Store.open@a.py", "Store.load@a.py", SameOwner),
            ("sync.Mutex.Lock", "sync.Mutex.Unlock", Pair),
            ("time.NewTicker", "time.NewTicker().Stop", Pair),
            ("extract@a.ts", "finalize@a.ts", SameOwner),
            ("openFile@a.ts", "closeAll@b.ts", Pair),
            ("Key.intern@a.rs", "std.Map.clone", None),
            ("Format.parse@a.java", "Reader.path@b.java", None),
            ("extract@a.ts", "finalize@b.ts", None),
        ] {
            assert_eq!(relation(first, second), expected, "{first} {second}");
        }
    }
}
