//! Counts of outcomes, confidence, and sites whose targets another source gives.

use super::tiny::{call_lines, langs, repo};
use crate::{CallCounts, External, LinkOutcome, UnresolvedReason, confidence, link_file_but};
use base::Tier;

#[test]
fn outcomes_are_counted_by_what_became_of_them() {
    let mut counts = CallCounts::default();
    let targets = LinkOutcome::Targets(Vec::new(), Tier::Typed);
    let outside = LinkOutcome::External(External::new("p", "s"));
    let unknown = LinkOutcome::Unresolved(UnresolvedReason::UnknownName);
    let given_up = LinkOutcome::Unresolved(UnresolvedReason::TooComplex);
    for outcome in [
        &targets,
        &targets,
        &outside,
        &LinkOutcome::Nothing,
        &unknown,
        &given_up,
    ] {
        counts.add(outcome);
    }
    let expected = CallCounts {
        total: 6,
        resolved: 2,
        external: 2,
        unresolved: 2,
        given_up: 1,
    };
    assert_eq!(counts, expected);
}

#[test]
fn targets_share_the_confidence_of_their_tier() {
    let typed = Tier::Typed.default_confidence();
    assert_eq!(confidence(Tier::Typed, 1), typed);
    assert_eq!(confidence(Tier::Typed, 4), typed / 4.0);
    assert_eq!(confidence(Tier::Typed, 0), typed);
}

#[test]
fn what_is_known_from_elsewhere_is_passed_over() {
    let repo = repo(
        "//- a.lua
fn f() {}
fn g() { f() f() }
let x = f
fn h() { x = f }
",
    );
    let langs = langs(&repo);
    let file = repo.file_at("a.lua").unwrap();
    let first_of_line_two = |line, column| (line, column) == (2, 9) || line > 2;
    let linked = link_file_but(&repo, &langs, file, &first_of_line_two);
    assert_eq!(
        call_lines(&repo, file, &linked),
        ["a.lua:2 f -> nothing", "a.lua:2 f -> a.lua:f@1 [scoped]"]
    );
    assert!(linked.references.iter().all(|r| *r == LinkOutcome::Nothing));
    assert_eq!(linked.writes, [LinkOutcome::Nothing]);
}

#[test]
fn files_are_linked_in_order_whatever_the_number_of_threads() {
    let mut fixture = String::new();
    for n in 0..40 {
        let next = (n + 1) % 40;
        fixture += &format!(
            "//- m{n:02}.lua\nimport m{next:02}.*\nfn f{n}() {{ f{next}() g{next}() }}\nfn g{n}() {{}}\n"
        );
    }
    let repo = repo(&fixture);
    let langs = langs(&repo);
    let linked_with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let pool = pool.build().expect("a pool");
        let done = std::sync::atomic::AtomicUsize::new(0);
        let count = || {
            done.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        };
        let all = pool.install(|| crate::link(&repo, &langs, &count));
        assert_eq!(done.into_inner(), 40);
        let steps: Vec<u64> = all.iter().map(|l| l.steps).collect();
        let calls: Vec<_> = all.into_iter().map(|l| l.calls).collect();
        (calls, steps)
    };
    let one = linked_with(1);
    assert_eq!(one, linked_with(4));
    let resolved = |o: &&LinkOutcome| matches!(o, LinkOutcome::Targets(..));
    assert_eq!(one.0.iter().flatten().filter(resolved).count(), 80);
}

#[test]
fn every_reason_has_a_word_of_its_own() {
    let reasons = [
        UnresolvedReason::UnknownName,
        UnresolvedReason::UnknownReceiver,
        UnresolvedReason::NoSuchMember,
        UnresolvedReason::UnresolvedImport,
        UnresolvedReason::Dynamic,
        UnresolvedReason::Ambiguous,
        UnresolvedReason::Computed,
        UnresolvedReason::TooComplex,
    ];
    let words: std::collections::BTreeSet<&str> = reasons.iter().map(|r| r.as_str()).collect();
    assert_eq!(words.len(), reasons.len());
}

#[test]
fn what_is_called_without_a_name_is_computed() {
    super::tiny::check(
        "//- a.lua
import b
fn f(x) { x[0]() x.y[1]() (x or x)() b() }
//- b.lua
fn g() {}
",
        "a.lua:2 (…) -> ? dynamic call
a.lua:2 (…) -> ? dynamic call
a.lua:2 (…) -> ? dynamic call
a.lua:2 (…) -> ? dynamic call
a.lua:2 b -> ? dynamic call",
    );
}
