//! Calls to other programs: marks of calls and of texts.

use crate::extract;
use base::{Language, MarkKind};

/// The marks of a kind: line, owner, name, detail.
fn marks(language: Language, source: &str, kind: MarkKind) -> Vec<String> {
    let facts = extract(language, source);
    let of_kind = facts.marks.iter().filter(|mark| mark.kind == kind);
    let line = |mark: &base::facts::Mark| {
        let owner = mark.owner.map(|owner| facts.qualified_name(owner));
        let detail = mark.detail.map_or("", |detail| facts.name(detail));
        format!("{} {} {detail}", mark.line, owner.unwrap_or_default())
    };
    of_kind.map(line).collect()
}

#[test]
fn texts_hold_what_is_put_into_them_by_its_name() {
    let source = "const BASE = '/api';\nexport function load(id: string) {\n  return fetch(`${BASE}/users/${encodeURIComponent(id)}`);\n}\n";
    assert_eq!(
        marks(Language::TypeScript, source, MarkKind::RemoteCall),
        [r#"3 load {"n":"fetch","a":[{"t":"/api/users/{id}"}]}"#]
    );
    assert_eq!(
        marks(Language::TypeScript, source, MarkKind::RemoteText),
        ["1 BASE /api"]
    );
    let source = "def load(base, id):\n    requests.get(base + \"/users/%s\" % id)\n";
    assert_eq!(
        marks(Language::Python, source, MarkKind::RemoteCall),
        [r#"2 load {"n":"get","r":{"n":"requests"},"a":[{"t":"{base}/users/{id}"}]}"#]
    );
}

#[test]
fn calls_on_stubs_are_kept_and_others_of_their_names_are_not() {
    let source = "def run(channel):\n    stub = cart_pb2_grpc.CartServiceStub(channel)\n    stub.GetCart(request)\n    other.GetCart(request)\n";
    assert_eq!(
        marks(Language::Python, source, MarkKind::RemoteCall),
        [
            r#"2 run {"to":"stub","n":"CartServiceStub","r":{"n":"cart_pb2_grpc"},"a":[{"n":"channel"}]}"#,
            r#"3 run {"n":"GetCart","r":{"n":"stub"},"a":[{"n":"request"}]}"#,
        ]
    );
    let plain = "def run(values):\n    return values.get(\"key\"), open(\"file\")\n";
    assert!(marks(Language::Python, plain, MarkKind::RemoteCall).is_empty());
}

#[test]
fn calls_that_are_nested_or_many_are_bounded() {
    let nested = format!("get('/x', {}1{})\n", "[".repeat(3_000), "]".repeat(3_000));
    assert_eq!(
        marks(Language::JavaScript, &nested, MarkKind::RemoteCall).len(),
        1
    );
    let chain = format!("x{}\n", ".get('/x')".repeat(2_000));
    let found = marks(Language::JavaScript, &chain, MarkKind::RemoteCall);
    assert!(found.iter().all(|mark| mark.len() < 1_300));
    let many = "app.get('/x', handler);\n".repeat(30_000);
    let found = marks(Language::JavaScript, &many, MarkKind::RemoteCall);
    assert_eq!(found.len(), 20_000);
}

/// Steps of reading a source.
fn steps(language: Language, source: &str) -> u64 {
    base::stack::on_deep_stack(|| crate::extract_counted(language, source).1)
}

#[test]
fn texts_within_each_other_are_read_to_a_depth() {
    for (language, before) in [
        (Language::JavaScript, "x = \"/a\" + "),
        (Language::Python, "x = \"/a\" + "),
        (Language::Lua, "x = \"/a\" .. "),
    ] {
        for (open, count) in [("(\n", 300_000), ("String(\n", 150_000)] {
            let (open, close) = (open.repeat(count), ")".repeat(count));
            // It ends, and the stack is large enough.
            steps(language, &format!("{before}{open}\"/b\"{close}\n"));
        }
    }
}

/// Makes a source from a piece and a count.
type MakeSource = fn(&str, usize) -> String;

#[test]
fn what_stands_within_each_other_takes_steps_in_proportion() {
    let lines = |piece: &str, count: usize| piece.repeat(count);
    let sources: [(&str, MakeSource); 6] = [
        ("path(\n", |open, n| {
            format!("x = {}\"/b\"{}\n", open.repeat(n), ")".repeat(n))
        }),
        ("a.format(\n", |open, n| {
            format!("x = {}\"/b\"{}\n", open.repeat(n), ")".repeat(n))
        }),
        ("fetch(\n\"/a\" + ", |open, n| {
            format!("x = {}\"/b\"{}\n", open.repeat(n), ")".repeat(n))
        }),
        ("{\n", |open, n| {
            format!(
                "{}{}{}",
                open.repeat(n),
                "a=\"b\";\n".repeat(n),
                "}\n".repeat(n)
            )
        }),
        (".get('/x')\n", |piece, n| format!("x{}\n", piece.repeat(n))),
        ("fetch(`/a${`/b${", |open, n| {
            format!("x = {}c{}\n", open.repeat(n), "}`}`)".repeat(n))
        }),
    ];
    for (piece, source) in sources {
        let count = 3_000;
        let (once, twice) = (source(piece, count), source(piece, 2 * count));
        let most = |source: &str| 40_000 + 64 * source.len() as u64;
        let bounds = (most(&once), most(&twice));
        let (once, twice) = (
            steps(Language::JavaScript, &once),
            steps(Language::JavaScript, &twice),
        );
        assert!(
            once <= bounds.0 && twice <= bounds.1,
            "{piece}: {once} {twice} {bounds:?}"
        );
    }
    // Real code has steps to spare and is read completely.
    let plain = lines(
        "app.get(\"/users/\" + id, wrap(handlers.show), { url: `${BASE}/x`, method: \"GET\" });\n",
        2_000,
    );
    let facts = extract(Language::JavaScript, &plain);
    let kept = facts
        .marks
        .iter()
        .filter(|mark| mark.kind == MarkKind::RemoteCall);
    assert_eq!((kept.count(), facts.too_deep), (2_000, 0));
}

/// The definitions that contain the requests of a source.
fn owners_of_requests(language: Language, source: &str) -> Vec<String> {
    let facts = extract(language, source);
    let requests = facts.marks.iter();
    let requests = requests.filter(|mark| mark.kind == MarkKind::RemoteCall);
    let owner = |mark: &base::facts::Mark| {
        let owner = mark.owner.map(|id| facts.name(facts.def(id).name));
        owner.unwrap_or_default().to_owned()
    };
    requests.map(owner).collect()
}

#[test]
fn a_request_is_in_the_definition_around_it_whatever_fields_are_assigned() {
    let source = "class Api { constructor(t) { this.token = t; }\n load() { this.all = fetch('/all'); return fetch('/v1'); } }\nexport function later() { return fetch('/v2'); }\n";
    assert_eq!(
        owners_of_requests(Language::JavaScript, source),
        ["load", "load", "later"]
    );
    let source =
        "class A:\n    def later(self):\n        self.b = 1\n        return requests.get('/v1')\n";
    assert_eq!(owners_of_requests(Language::Python, source), ["later"]);
}
