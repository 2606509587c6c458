//! The cost of small hostile texts: it is counted, and never in proportion to a product.

use crate::fixture::{endpoints, links};
use contract::Contract;
use contract::read::{contract_type_of_path, read_contract};
use std::fmt::Write;

fn read(path: &str, text: &str) -> Contract {
    let kind = contract_type_of_path(path).expect("a contract by its name");
    read_contract(path, text, kind, &|| false).expect("a contract")
}

/// The bytes that are kept of a contract.
fn kept(path: &str, text: &str) -> usize {
    serde_json::to_string(&read(path, text))
        .expect("JSON")
        .len()
}

fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(line).collect()
}

#[test]
fn functions_that_mount_themselves_are_followed_once() {
    let text = |mounts: usize| {
        let nests = lines(mounts, |n| format!(".nest(\"/a{n}\", f())"));
        format!(
            "//- a.rs\nfn f() -> Router {{ Router::new().route(\"/x\", get(h)){nests} }}\nfn h() {{}}\n"
        )
    };
    // With five within each other, this did not end before.
    let (three, six) = (endpoints(&text(3)).len(), endpoints(&text(6)).len());
    assert!(three <= 9 && six <= 2 * three, "{three} {six}");
}

#[test]
fn a_registration_adds_the_methods_of_its_class_within_bounds() {
    let text = |count: usize| {
        let methods = lines(count, |n| {
            format!("    def Get{n}(self, a, b):\n        pass\n")
        });
        let calls = lines(count, |n| {
            format!("add_S{n}Servicer_to_server(Impl(), server)\n")
        });
        let services = lines(count, |n| {
            format!("service S{n} {{ rpc Get{n}(M) returns (M); }}\n")
        });
        format!(
            "//- a.proto\nsyntax = \"proto3\";\nmessage M {{}}\n{services}//- a.py\nclass Impl:\n{methods}\n{calls}"
        )
    };
    // All pairs of these would be 90,000.
    let found = endpoints(&text(300)).len();
    assert!((300..=52_000).contains(&found), "{found}");
}

#[test]
fn links_are_bounded_in_all() {
    let text = |count: usize| {
        let topics = lines(count, |n| {
            format!(
                "function f{n}() {{ producer.send({{ topic: 'orders' }}) }}\nfunction g{n}() {{ consumer.subscribe({{ topic: 'orders' }}) }}\n"
            )
        });
        format!("//- a.js\nimport {{ Kafka }} from 'kafkajs';\n{topics}")
    };
    let few = links(&[("a", &text(20))]).len();
    assert_eq!(few, 400);
    let many = links(&[("a", &text(400))]).len();
    assert!(many <= 30_000, "{many}");
}

#[test]
fn names_of_contracts_are_kept_once_and_short() {
    let long = "S".repeat(20_000);
    let rpcs = lines(200, |n| format!("rpc g{n}(M)returns(M);"));
    let text = format!("syntax = \"proto3\";\nmessage M {{}}\nservice {long} {{ {rpcs} }}\n");
    assert!(
        kept("a.proto", &text) < 10 * text.len(),
        "{}",
        kept("a.proto", &text)
    );
    let enums = lines(200, |n| format!("enum g{n}{{A{n}=0;}}"));
    let text = format!("syntax = \"proto3\";\nmessage {long} {{ {enums} }}\n");
    assert!(kept("a.proto", &text) < 10 * text.len());
    let paths = lines(200, |n| format!("  /b{n}: {{get: {{}}}}\n"));
    let text = format!("openapi: 3.0.0\nservers: [{{url: /{long}}}]\npaths:\n{paths}");
    assert!(kept("api.yaml", &text) < 10 * text.len());
    let text = format!(
        "openapi: 3.0.0\npaths:\n  /b:\n    get: {{operationId: {long}, tags: [{long}]}}\n"
    );
    assert!(kept("api.yaml", &text) < 2_000);
}

#[test]
fn a_path_has_each_method_and_its_parameters_within_bounds() {
    let parameters = lines(5_000, |_| "{},".to_owned());
    let mut methods = String::new();
    for n in 0..8 {
        let name: String = "get"
            .chars()
            .enumerate()
            .map(|(at, c)| {
                if n >> at & 1 == 1 {
                    c.to_ascii_uppercase()
                } else {
                    c
                }
            })
            .collect();
        let _ = write!(methods, ", {name}: {{}}");
    }
    let text = format!("openapi: 3.0.0\npaths:\n  /b: {{parameters: [{parameters}]{methods}}}\n");
    let contract = read("api.yaml", &text);
    assert_eq!(contract.operations.len(), 1);
    assert_eq!(contract.operations[0].inputs.len(), 64);
}

#[test]
fn clients_are_told_apart_by_their_service_among_many() {
    let services = lines(300, |n| {
        format!("service Item{n}Service {{ rpc Get(M) returns (M); }}\n")
    });
    let calls = lines(300, |n| {
        format!("function f{n}() {{ item{n}Client.Get() }}\n")
    });
    let text =
        format!("//- a.proto\nsyntax = \"proto3\";\nmessage M {{}}\n{services}//- a.js\n{calls}");
    let found = links(&[("a", &text)]);
    assert_eq!(found.len(), 300, "{found:?}");
}
