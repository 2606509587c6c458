//! Order of calls: a function that calls one nearly always calls the other later.

use super::{Code, Observation, Observations, OwnFiles, PatternKind, PatternTuning};
use base::{EdgeType, Site};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;
use store::NodeFlags;
use text::list;

/// Calls of nodes to symbols outside the repository.
#[derive(Debug, Default)]
pub struct ExternalCalls {
    names: Vec<String>,
    /// Number of a name, by package and symbol.
    numbers: FxHashMap<String, FxHashMap<String, u32>>,
    /// For each node: the first line of each call, and the number of its name.
    calls_by_node: FxHashMap<u32, Vec<(u32, u32)>>,
}

impl ExternalCalls {
    /// Records that a node calls a symbol of a package, first at that line.
    pub fn add(&mut self, node: u32, line: u32, package: &str, symbol: &str) {
        let known = self.numbers.get(package).and_then(|of| of.get(symbol));
        let number = known.copied().unwrap_or_else(|| {
            let number = self.names.len() as u32;
            self.names.push(format!("{package}.{symbol}"));
            let of = self.numbers.entry(package.to_owned()).or_default();
            of.insert(symbol.to_owned(), number);
            number
        });
        self.calls_by_node
            .entry(node)
            .or_default()
            .push((line, number));
    }

    /// Calls of a node, in order of line and name.
    fn calls_from(&self, node: u32) -> Vec<(u32, &str)> {
        let all = self.calls_by_node.get(&node).into_iter().flatten();
        let mut all: Vec<(u32, &str)> = all
            .map(|(line, number)| (*line, self.names[*number as usize].as_str()))
            .collect();
        all.sort_unstable();
        all
    }
}

/// Functions with more calls are ignored: they are lists of everything.
const MOST_CALLS: usize = 80;

/// Most pairs that are examined further.
const MOST_PAIRS: usize = 60;

/// A function with its calls in order, each once.
struct Body {
    node: u32,
    calls: Vec<(u32, u32)>,
}

pub(super) fn observe_sequences(
    (code, own): (&Code<'_>, &OwnFiles),
    known: &BTreeSet<String>,
    least: usize,
    out: &mut Observations,
) {
    let mut names: Vec<String> = Vec::new();
    let bodies = collect_bodies(code, own, &mut names);
    let mut callers: Vec<Vec<u32>> = vec![Vec::new(); names.len()];
    for (body, at) in bodies.iter().zip(0..) {
        for (_, call) in &body.calls {
            callers[*call as usize].push(at);
        }
    }
    let outside: Vec<bool> = names
        .iter()
        .map(|name| super::strip_origin(name) == name)
        .collect();
    let pairs = find_pairs(code, &bodies, &callers, (&names, &outside), least);
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
        for body in callers[first as usize]
            .iter()
            .map(|at| &bodies[*at as usize])
        {
            let Some((line, _)) = body.calls.iter().find(|(_, call)| *call == first) else {
                continue;
            };
            let followed = body
                .calls
                .iter()
                .any(|(at, call)| *call == second && at >= line);
            let row = code.graph.name_row(body.node);
            out.push(Observation {
                kind: PatternKind::CallSequence,
                key: &key,
                value: if followed { "with" } else { "without" },
                file: row.file_path,
                line: *line,
                symbol: row.qualified_name.unwrap_or(row.symbol),
            });
        }
    }
}

/// Every function of the project's own code with its calls; calls are numbered in `names`.
fn collect_bodies(code: &Code<'_>, own: &OwnFiles, names: &mut Vec<String>) -> Vec<Body> {
    let graph = code.graph;
    // For each called node: the number of its name; `None` if a call of it is not informative.
    let mut called: FxHashMap<u32, Option<u32>> = FxHashMap::default();
    let mut numbers: FxHashMap<String, u32> = FxHashMap::default();
    let mut number = |name: String| {
        *numbers.entry(name).or_insert_with_key(|name| {
            names.push(name.clone());
            names.len() as u32 - 1
        })
    };
    let mut found = Vec::new();
    for node in (0..graph.node_count() as u32).filter(|node| own.contains_node(graph, *node)) {
        let row = graph.name_row(node);
        let callable = matches!(row.kind, "function" | "method" | "constructor");
        if !callable || row.flags.contains(NodeFlags::TEST) {
            continue;
        }
        let mut calls: Vec<(u32, u32)> = Vec::new();
        for edge in graph.outgoing(node, EdgeType::Calls) {
            if edge.site != Some(Site::Call) || edge.node == node {
                continue;
            }
            let name = called.entry(edge.node).or_insert_with(|| {
                let target = graph.name_row(edge.node);
                let name = target.qualified_name.unwrap_or(target.symbol);
                matches!(target.kind, "function" | "method" | "macro")
                    .then(|| number(format!("{name}@{}", target.file_path)))
            });
            calls.extend(name.map(|name| (edge.line.unwrap_or(0), name)));
        }
        let markup = row.file_path.ends_with("sx");
        let untold =
            |name: &str| is_builtin_or_error(name) || (markup && is_component_element(name));
        for (line, name) in code.uses.calls_from(node) {
            if !untold(name) {
                calls.push((line, number(name.to_owned())));
            }
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

/// Whether the name is an element of another component, which is drawn inside it rather than called after it.
fn is_component_element(name: &str) -> bool {
    let last = name.rsplit('.').next().unwrap_or(name);
    last.starts_with(char::is_uppercase)
}

/// Whether the name is part of the language itself, or an error, which is made anywhere.
fn is_builtin_or_error(name: &str) -> bool {
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

/// The bodies, and for each call the bodies that have it.
struct Calls<'b> {
    bodies: &'b [Body],
    callers: &'b [Vec<u32>],
    least: usize,
    tuning: &'b PatternTuning,
}

impl Calls<'_> {
    /// Whether a call is neither rare nor common.
    fn is_informative(&self, call: u32) -> bool {
        let callers = self.callers[call as usize].len();
        let functions = self.bodies.len().max(self.tuning.sequence_functions);
        let common = self.tuning.sequence_common * functions as f64;
        callers >= self.least && (callers as f64) < common
    }

    /// Calls that follow a call, each with the number of functions. They are counted for one call at a time: all pairs of all
    /// functions would take memory with the square of their lengths.
    fn count_followers(&self, first: u32) -> FxHashMap<u32, usize> {
        let mut following: FxHashMap<u32, usize> = FxHashMap::default();
        for at in &self.callers[first as usize] {
            let calls = &self.bodies[*at as usize].calls;
            let Some((line, _)) = calls.iter().find(|(_, call)| *call == first) else {
                continue;
            };
            let later = calls
                .iter()
                .filter(|(at, call)| at > line && self.is_informative(*call));
            later.for_each(|(_, call)| *following.entry(*call).or_default() += 1);
        }
        following
    }
}

/// Pairs of calls in which the second nearly always follows the first, and seldom occurs elsewhere. For each first call, the
/// best second one.
fn find_pairs(
    code: &Code<'_>,
    bodies: &[Body],
    callers: &[Vec<u32>],
    (names, outside): (&[String], &[bool]),
    least: usize,
) -> Vec<(u32, u32)> {
    let tuning = code.tuning;
    let calls = Calls {
        bodies,
        callers,
        least,
        tuning,
    };
    let firsts = (0..callers.len() as u32).filter(|call| calls.is_informative(*call));
    let together = firsts.flat_map(|first| {
        let following = calls.count_followers(first);
        following
            .into_iter()
            .map(move |(second, count)| ((first, second), count))
    });
    // In a small repository a few calls would be a large share, so a minimum is used.
    let total = bodies.len().max(tuning.sequence_functions) as f64;
    let mut best: BTreeMap<u32, (bool, usize, u32)> = BTreeMap::new();
    for ((first, second), count) in together {
        let sure = count as f64 / callers[first as usize].len() as f64;
        let anywhere = callers[second as usize].len() as f64 / total;
        if count < least || sure < tuning.confidence || sure < tuning.sequence_lift * anywhere {
            continue;
        }
        // Two calls to other people's packages tell little about this code.
        let both = outside[first as usize] && outside[second as usize];
        let related = relation_between(&names[first as usize], &names[second as usize]);
        let least = match (related, both) {
            (Relation::Pair, false) => least,
            (Relation::SameOwner, false) => least + tuning.sequence_owner_more,
            (Relation::None, false) => tuning.sequence_unrelated * least,
            (Relation::None, true) => continue,
            (_, true) => (tuning.sequence_outside * least).max(tuning.sequence_outside_least),
        };
        // Both belong to one type or module; two calls to packages of others are related only as a pair.
        let related = related == Relation::Pair || (related == Relation::SameOwner && !both);
        if count < least {
            continue;
        }
        let entry = best.entry(first).or_insert((related, count, second));
        // Rank of a pair: first a related one, then the more frequent, then the one whose second call is rarer elsewhere.
        let rank = |(related, count, call): (bool, usize, u32)| {
            let less = std::cmp::Reverse((callers[call as usize].len(), call));
            (related, count, less)
        };
        if rank((related, count, second)) > rank(*entry) {
            *entry = (related, count, second);
        }
    }
    let spread = |(related, _, first, second): &(bool, usize, u32, u32)| {
        is_spread(code, (bodies, &callers[*first as usize]), *second, *related)
    };
    let found = best.into_iter().map(|(a, (r, n, b))| (r, n, a, b));
    let found = found.filter(spread).map(|(_, n, a, b)| (n, a, b));
    let mut found: Vec<(usize, u32, u32)> = found.collect();
    found.sort_by_key(|(n, a, b)| (std::cmp::Reverse(*n), *a, *b));
    found.truncate(MOST_PAIRS);
    found.into_iter().map(|(_, a, b)| (a, b)).collect()
}

/// Whether both calls occur together in two files, or, if they are not related, in several folders.
fn is_spread(
    code: &Code<'_>,
    (bodies, callers): (&[Body], &[u32]),
    second: u32,
    related: bool,
) -> bool {
    let has = |body: &&Body| body.calls.iter().any(|(_, c)| *c == second);
    let both = callers.iter().map(|at| &bodies[*at as usize]).filter(has);
    let paths: BTreeSet<&str> = both
        .map(|b| code.graph.name_row(b.node).file_path)
        .collect();
    let folders: BTreeSet<&str> = paths
        .iter()
        .map(|path| super::parent_folder(path))
        .collect();
    paths.len() >= code.tuning.files && (related || folders.len() >= code.tuning.sequence_folders)
}

/// Pairs of words for doing and undoing.
static UNDONE: LazyLock<Vec<(&str, &str)>> =
    LazyLock::new(|| list::pairs(include_str!("undone.tsv")).collect());

/// Relation between two calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Relation {
    /// The second undoes the first, or is a call on the first one's result.
    Pair,
    /// Both are of one type, module or file.
    SameOwner,
    /// No relation that the names show.
    None,
}

fn relation_between(first: &str, second: &str) -> Relation {
    let (one, other) = (super::strip_origin(first), super::strip_origin(second));
    let verb = |name: &str| {
        let last = name.rsplit('.').next().unwrap_or(name);
        let words = super::naming::split_words(last);
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
    if same || here {
        Relation::SameOwner
    } else {
        Relation::None
    }
}

#[cfg(test)]
mod tests {
    use super::{Relation, relation_between};

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
            assert_eq!(
                relation_between(first, second),
                expected,
                "{first} {second}"
            );
        }
    }
}
