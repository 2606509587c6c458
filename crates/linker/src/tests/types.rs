//! Types as values: unions, sizes, the definitions they mention, substitution.

use super::tiny::{langs, repo};
use crate::eval::Eval;
use crate::repo::{FileId, GlobalDef};
use crate::ty::*;
use base::facts::{DefId, ExprId};
use proptest::prelude::*;
use std::sync::Arc;

fn def(n: u32) -> GlobalDef {
    GlobalDef {
        file: FileId(n / 10),
        def: DefId(n % 10),
    }
}

/// Types of all kinds, not deeply nested.
fn any_type() -> impl Strategy<Value = Ty> {
    let leaf = prop_oneof![
        Just(Ty::Unknown),
        Just(Ty::Null),
        (0..40u32).prop_map(|n| Ty::instance(def(n))),
        (0..40u32).prop_map(|n| Ty::Class(def(n), no_args())),
        (0..40u32, 0..3u32).prop_map(|(n, p)| Ty::Param(def(n), p)),
        (0..40u32).prop_map(|n| Ty::Super(def(n))),
        (0..4u32).prop_map(|n| Ty::Object(FileId(n), ExprId(n))),
        (0..40u32).prop_map(|n| Ty::Function([def(n)].into(), None)),
        "[a-c]".prop_map(|name| Ty::External(External::new("p", &name))),
    ];
    leaf.prop_recursive(3, 24, 3, |inner| {
        let args = prop::collection::vec(inner, 0..3);
        prop_oneof![
            (0..40u32, args.clone()).prop_map(|(n, a)| Ty::Instance(def(n), a.into())),
            args.clone().prop_map(|a| Ty::Tuple(a.into())),
            args.clone().prop_map(|a| Ty::external("p", "x", a)),
            args.clone().prop_map(Ty::union),
            args.prop_map(|a| {
                let result = a.first().cloned().unwrap_or_default();
                Ty::Callable(a.into(), Arc::new(result))
            }),
        ]
    })
}

proptest! {
    #[test]
    fn unions_are_flat_and_have_each_part_once(parts in prop::collection::vec(any_type(), 0..30)) {
        let union = Ty::union(parts.clone());
        let all: Vec<&Ty> = union.alternatives().iter().collect();
        for (at, part) in all.iter().enumerate() {
            prop_assert!(!matches!(part, Ty::Union(_)));
            prop_assert!(!all[..at].contains(part));
            if all.len() > 1 {
                prop_assert!(!matches!(part, Ty::Unknown | Ty::Null));
            }
        }
        // Nothing is lost, and the order is that of the parts.
        for part in parts.iter().flat_map(|p| p.alternatives()) {
            let kept = matches!(part, Ty::Unknown | Ty::Null) || all.contains(&part);
            prop_assert!(kept, "{part:?} of {parts:?}");
        }
        prop_assert_eq!(Ty::union([union.clone(), union.clone()]), union);
    }

    #[test]
    fn a_type_is_as_large_as_its_parts(parts in prop::collection::vec(any_type(), 1..4)) {
        let sizes: Option<Vec<usize>> = parts.iter().map(|p| p.size(10_000)).collect();
        let sum: usize = sizes.unwrap().iter().sum();
        let tuple = Ty::Tuple(parts.into());
        prop_assert_eq!(tuple.size(10_000), Some(sum + 1));
        prop_assert_eq!(tuple.size(sum), None);
        prop_assert_eq!(tuple.size(sum + 1), Some(sum + 1));
        prop_assert!(tuple.held() <= sum + 1);
    }

    #[test]
    fn what_a_type_rests_on_is_found_at_any_depth(ty in any_type(), n in 0..40u32) {
        let wanted = def(n);
        let nowhere = FileId(99);
        let is_wanted = |d: GlobalDef| d == wanted;
        let found = ty.mentions_any(&is_wanted, nowhere);
        let text = format!("{ty:?}");
        let shown = format!("{wanted:?}");
        prop_assert_eq!(found, text.contains(&shown), "{} in {}", shown, text);
        let deeper = Ty::Tuple([Ty::Null, ty.clone()].into());
        prop_assert_eq!(deeper.mentions_any(&is_wanted, nowhere), found);
        let of_object = ty.mentions_any(&|_| false, FileId(1));
        prop_assert_eq!(of_object, text.contains("Object(FileId(1)"));
    }

    #[test]
    fn filling_in_reaches_every_parameter(ty in any_type()) {
        let (made, visited) = crate::substitution::replace(&ty, &|_, _| Some(Ty::Null));
        prop_assert!(!format!("{made:?}").contains("Param("), "{made:?}");
        prop_assert!(visited >= 1);
        let (same, _) = crate::substitution::replace(&ty, &|_, _| None);
        prop_assert_eq!(same, ty);
    }
}

#[test]
fn symbols_outside_do_not_grow_without_end() {
    let mut external = External::new("p", "");
    assert_eq!(&*external.member("a").symbol, "a");
    for _ in 0..10_000 {
        external = external.member("name");
    }
    assert!(external.symbol.len() < 1_100, "{}", external.symbol.len());
    assert!(external.symbol.starts_with("name.name"));
}

#[test]
fn an_entity_gives_way_where_it_says_nothing() {
    let known = Entity::external("p", "s");
    assert_eq!(Entity::Unknown.or_else(|| known.clone()), known);
    assert_eq!(Entity::Value(Ty::Unknown).or_else(|| known.clone()), known);
    assert_eq!(known.clone().or_else(|| Entity::Unknown), known);
    assert_eq!(
        Entity::Value(Ty::Null).or_else(|| known),
        Entity::Value(Ty::Null)
    );
    assert!(Entity::defs(Vec::new()).is_unknown());
    assert!(!Entity::def(def(1)).is_unknown());
    assert_eq!(Ty::Unknown.or_else(|| Ty::Null), Ty::Null);
    assert_eq!(Ty::Null.or_else(|| Ty::Unknown), Ty::Null);
}

#[test]
fn parts_that_are_held_many_times_count_once_in_memory() {
    let many: Args = vec![Ty::instance(def(1)); 50].into();
    let twice = Ty::Tuple([Ty::Tuple(many.clone()), Ty::Tuple(many)].into());
    assert_eq!(twice.size(1_000), Some(103));
    assert_eq!(twice.held(), 53);
}

#[test]
fn subtypes_are_told_by_their_ancestors() {
    let repo = repo("//- a.lua\nclass A {}\nclass B: A {}\nclass C: B {}\nclass D {}\n");
    let langs = langs(&repo);
    let file = repo.file_at("a.lua").unwrap();
    let class = |n| GlobalDef {
        file,
        def: DefId(n),
    };
    let mut ev = Eval::new(&repo, &langs, file);
    ev.begin_site(file);
    for (below, above, expected) in [
        (2, 0, true),
        (2, 2, true),
        (0, 2, false),
        (3, 0, false),
        (1, 0, true),
    ] {
        let ty = Ty::instance(class(below));
        assert_eq!(
            ev.is_subtype_of(&ty, class(above)),
            expected,
            "{below} {above}"
        );
        let itself = Ty::Class(class(below), no_args());
        assert_eq!(ev.is_subtype_of(&itself, class(above)), expected);
    }
    assert!(!ev.is_subtype_of(&Ty::Null, class(0)));
}

#[test]
fn unification_notes_what_comes_first() {
    let repo = repo(
        "//- a.lua
class A {}
class B: A {}
class Box<T> {}
class BoxOfA: Box<A> {}
fn f<T, U>(a: T) {}
",
    );
    let langs = langs(&repo);
    let file = repo.file_at("a.lua").unwrap();
    let id = |n| GlobalDef {
        file,
        def: DefId(n),
    };
    let (a, b, boxed, box_of_a, f) = (id(0), id(1), id(2), id(3), id(4));
    let param = |n| Ty::Param(f, n);
    let mut ev = Eval::new(&repo, &langs, file);
    let mut unify = |pattern: &Ty, actual: &Ty| {
        ev.begin_site(file);
        let mut env = Vec::new();
        ev.unify(pattern, actual, &mut env);
        env
    };
    let instance = Ty::instance;
    assert_eq!(unify(&param(0), &instance(a)), [((f, 0), instance(a))]);
    assert_eq!(unify(&param(0), &Ty::Null), []);
    assert_eq!(unify(&param(0), &Ty::Unknown), []);
    let pair = Ty::Tuple([param(0), param(0), param(1)].into());
    let actual = Ty::Tuple([instance(b), instance(a), instance(a)].into());
    assert_eq!(
        unify(&pair, &actual),
        [((f, 0), instance(b)), ((f, 1), instance(a))]
    );
    let of_box = Ty::Instance(boxed, [param(0)].into());
    assert_eq!(unify(&of_box, &instance(box_of_a)), [((f, 0), instance(a))]);
    assert_eq!(unify(&of_box, &instance(a)), []);
    let list = |of: Ty| Ty::external("tiny", "list", vec![of]);
    assert_eq!(
        unify(&list(param(1)), &list(instance(a))),
        [((f, 1), instance(a))]
    );
    let map = Ty::external("tiny", "map", vec![instance(a)]);
    assert_eq!(unify(&list(param(1)), &map), []);
    let union = Ty::Union([Ty::Null, param(0)].into());
    assert_eq!(unify(&union, &instance(a)), [((f, 0), instance(a))]);
    let callable = |ret: Ty| Ty::Callable(no_args(), Arc::new(ret));
    assert_eq!(
        unify(&callable(param(0)), &callable(instance(a))),
        [((f, 0), instance(a))]
    );
    let class = |d, arg: Ty| Ty::Class(d, [arg].into());
    assert_eq!(
        unify(&class(boxed, param(0)), &class(boxed, instance(b))),
        [((f, 0), instance(b))]
    );
    assert_eq!(
        unify(&class(boxed, param(0)), &class(box_of_a, instance(b))),
        []
    );
}
