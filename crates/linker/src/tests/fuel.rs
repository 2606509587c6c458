//! Limits on linking: whatever a file holds, linking its sites ends and reports those it gave up.

use super::tiny::{call_lines, facts, langs, repo};
use crate::fuel::{Fuel, MANY, NAMESAKES};
use crate::{FileId, LinkOutcome, SharedTime, UnresolvedReason, link_file, link_file_but};
use base::{Cancel, Language, thread_time};
use std::rc::Rc;
use std::time::Duration;

fn fuel_for(text: &str) -> Rc<Fuel> {
    Fuel::for_file(
        &facts(Language::Lua, text),
        &Cancel::default(),
        &SharedTime::default(),
    )
}

#[test]
fn a_site_ends_and_the_next_begins_with_what_is_left() {
    let fuel = fuel_for("fn f() {}\n");
    assert!(fuel.spend(10_000));
    assert!(!fuel.spend(1_000_000));
    assert!(fuel.ran_out());
    assert!(!fuel.spend(1), "nothing is left of the site");
    let cuts = fuel.cut_count();
    assert!(cuts >= 2);
    fuel.begin_site();
    assert!(!fuel.ran_out());
    assert_eq!(fuel.cut_count(), cuts);
}

#[test]
fn all_sites_of_a_file_share_what_its_size_allows() {
    let small = fuel_for("fn f() {}\n");
    let large = fuel_for(&"fn f() { g(1) }\n".repeat(1_000));
    let spend_all = |fuel: &Fuel| {
        for _ in 0..1_000 {
            fuel.begin_site();
            while fuel.spend(100) {}
        }
        fuel.spent_steps()
    };
    let (of_small, of_large) = (spend_all(&small), spend_all(&large));
    assert!((10_000..11_000).contains(&of_small), "{of_small}");
    assert!(of_large > 100_000 && of_large < 1_000_000, "{of_large}");
    // Refused steps do not count as taken.
    assert!(!small.spend(5_000));
    assert_eq!(small.spent_steps(), of_small);
}

#[test]
fn nesting_ends_and_comes_back() {
    let fuel = fuel_for("fn f() {}\n");
    let mut depth = 0;
    while fuel.enter_level() {
        depth += 1;
    }
    assert_eq!(depth, 256);
    assert!(fuel.ran_out());
    fuel.leave_level();
    assert!(fuel.enter_level());
    assert!(!fuel.enter_level());
}

#[test]
fn many_namesakes_are_too_many_and_few_cost_little() {
    let fuel = fuel_for("fn f() {}\n");
    assert!(fuel.spend_on_namesakes(1));
    assert_eq!(fuel.spent_steps(), 0);
    assert!(fuel.spend_on_namesakes(10 * MANY));
    assert_eq!(fuel.spent_steps(), 10);
    assert!(fuel.spend_on_namesakes(NAMESAKES));
    assert!(!fuel.ran_out());
    let cuts = fuel.cut_count();
    assert!(!fuel.spend_on_namesakes(NAMESAKES + 1));
    assert!(fuel.ran_out());
    // It is too large wherever it is asked for: no answer elsewhere would differ.
    assert_eq!(fuel.cut_count(), cuts);
}

#[test]
fn entries_of_tables_have_a_budget_of_their_own() {
    let fuel = Fuel::for_table_entry();
    assert!(fuel.spend(5_000));
    assert!(!fuel.spend(1));
    fuel.begin_site();
    assert!(!fuel.spend(1));
}

#[test]
fn once_it_is_cancelled_there_is_none() {
    let cancel = Cancel::default();
    let fuel = Fuel::for_file(
        &facts(Language::Lua, "fn f() {}\n"),
        &cancel,
        &SharedTime::default(),
    );
    assert!(fuel.spend(10));
    cancel.set();
    assert!(!fuel.spend(1));
    fuel.begin_site();
    assert!(!fuel.spend(1));
}

fn reasons(fixture: &str) -> Vec<LinkOutcome> {
    let repo = repo(fixture);
    link_file(&repo, &langs(&repo), FileId(0)).calls
}

const GIVEN_UP: LinkOutcome = LinkOutcome::Unresolved(UnresolvedReason::TooComplex);

#[test]
fn classes_that_extend_one_another_in_all_ways_end() {
    let mut fixture = String::from("//- a.lua\n");
    for n in 0..60 {
        let all: Vec<String> = (0..60)
            .filter(|m| *m != n)
            .map(|m| format!("C{m}"))
            .collect();
        fixture += &format!("class C{n}: {} {{}}\n", all.join(", "));
    }
    fixture += "fn f(c: C0) { c.gone() }\n";
    let found = reasons(&fixture);
    assert_eq!(found.len(), 1);
    assert!(matches!(found[0], LinkOutcome::Unresolved(_)), "{found:?}");
}

#[test]
fn aliases_that_double_end_and_say_so() {
    let mut fixture = String::from("//- a.lua\nclass A { fn m(self) {} }\nalias D0<T> = (T, T)\n");
    for n in 1..40 {
        fixture += &format!("alias D{n}<T> = D{}<(T, T)>\n", n - 1);
    }
    fixture += "fn f(x: D39<A>) { x.0.m() }\n";
    assert_eq!(reasons(&fixture), [GIVEN_UP]);
}

#[test]
fn long_chains_of_calls_end_and_say_so() {
    let mut fixture = String::from("//- a.lua\nclass A { fn m(self) {} }\nfn f0() = new A()\n");
    for n in 1..200 {
        fixture += &format!("fn f{n}() = f{}()\n", n - 1);
    }
    let short = format!("{fixture}fn use() {{ f20().m() }}\n");
    let long = format!("{fixture}fn use() {{ f199().m() }}\n");
    assert!(matches!(
        reasons(&short).last(),
        Some(LinkOutcome::Targets(..))
    ));
    assert_eq!(reasons(&long).last(), Some(&GIVEN_UP));
}

#[test]
fn a_cut_answer_is_no_answer_for_the_next_site() {
    // The first site is cut far from the end of the chain. Its partial answers are not remembered for the next sites.
    let mut fixture = String::from("//- a.lua\nclass A { fn m(self) {} }\nfn f0() = new A()\n");
    for n in 1..100 {
        fixture += &format!("fn f{n}() = f{}()\n", n - 1);
    }
    let fixture = format!("{fixture}fn use() {{ f99().m() f20().m() f5().m() }}\n");
    let repo = repo(&fixture);
    let linked = link_file(&repo, &langs(&repo), FileId(0));
    let lines = call_lines(&repo, FileId(0), &linked);
    let of_use: Vec<&str> = lines
        .iter()
        .map(|l| &**l)
        .filter(|l| l.contains(" m "))
        .collect();
    assert_eq!(
        of_use,
        [
            "a.lua:102 m -> ? too complex",
            "a.lua:102 m -> a.lua:A.m@1 [typed]",
            "a.lua:102 m -> a.lua:A.m@1 [typed]",
        ]
    );
}

#[test]
fn linking_a_file_costs_what_it_has() {
    // Twice as many classes, calls and names: about twice as many steps, not four times.
    let steps = |count: usize| {
        let mut fixture = String::from("//- a.lua\n");
        for n in 0..count {
            fixture += &format!(
                "class C{n} {{ fn m(self) = new C{n}() fn same(self) {{}} }}\nfn f{n}(x: C{n}) {{ x.m().m().same() g(x) }}\n"
            );
        }
        let repo = repo(&fixture);
        link_file(&repo, &langs(&repo), FileId(0)).steps
    };
    let (one, two) = (steps(200), steps(400));
    assert!(one > 200);
    assert!(two < one * 5 / 2, "{one} and {two}");
}

#[test]
fn more_namesakes_than_anybody_writes_are_none() {
    let many = "fn f(a) {}\n".repeat(NAMESAKES + 1);
    let found = reasons(&format!("//- a.lua\n{many}f(1)\n"));
    assert_eq!(found, [GIVEN_UP]);
    let members = "fn m(self, a) {}\n".repeat(NAMESAKES + 1);
    let found = reasons(&format!(
        "//- a.lua\nclass A {{\n{members}}}\nfn g(x: A) {{ x.m(1) }}\n"
    ));
    assert_eq!(found, [GIVEN_UP]);
}

#[test]
fn cancelled_linking_finds_nothing_and_ends() {
    let repo = repo("//- a.lua\nfn f() {}\nf()\n");
    repo.cancel.set();
    let linked = link_file(&repo, &langs(&repo), FileId(0));
    assert_eq!(linked.calls.len(), 1);
    assert!(matches!(
        linked.calls[0],
        LinkOutcome::Unresolved(_) | LinkOutcome::Targets(..)
    ));
    assert_eq!(linked.steps, 0);
}

#[test]
fn a_file_whose_computing_time_is_used_up_is_given_up_as_a_whole() {
    let mut repo = repo("//- a.lua\nfn g() {}\ng()\ng()\ng()\n");
    repo.time = SharedTime::new(Duration::ZERO);
    let langs = langs(&repo);
    // Work that no step counts, before the second of the calls is linked.
    let slow_second = |line: u32, _: u32| {
        let start = thread_time();
        while line == 3 && thread_time() - start < Duration::from_secs(1) {}
        line == 4
    };
    let late = link_file_but(&repo, &langs, FileId(0), &slow_second);
    assert_eq!(late.calls, [GIVEN_UP, GIVEN_UP, LinkOutcome::Nothing]);
    let linked = link_file(&repo, &langs, FileId(0)).calls;
    assert!(
        linked
            .iter()
            .all(|call| matches!(call, LinkOutcome::Targets(..)))
    );
}
