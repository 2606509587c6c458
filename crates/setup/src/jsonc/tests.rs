//! Tests of editing in place.

use super::*;
use proptest::prelude::*;

fn value() -> Json {
    Json::object(vec![
        ("command", Json::text("knotwork")),
        ("args", Json::texts(&["mcp"])),
    ])
}

fn with(text: &str) -> String {
    let out = insert(text, &["mcpServers"], "knotwork", &value())
        .unwrap_or_else(|e| panic!("{e}: {text}"));
    let found = read_value(&out, &keys(&["mcpServers", "knotwork"])).unwrap();
    assert_eq!(found, Some(value()), "{out}");
    out
}

#[test]
fn a_member_goes_behind_the_last_in_the_style_of_the_file() {
    for (before, after) in [
        (
            "",
            "{\n  \"mcpServers\": {\n    \"knotwork\": {\n      \"command\": \"knotwork\",\n      \"args\": [\"mcp\"]\n    }\n  }\n}\n",
        ),
        (
            "{}",
            "{\n  \"mcpServers\": {\n    \"knotwork\": {\n      \"command\": \"knotwork\",\n      \"args\": [\"mcp\"]\n    }\n  }\n}",
        ),
        (
            "{\"a\":1}",
            "{\"a\":1,\"mcpServers\":{\"knotwork\":{\"command\":\"knotwork\",\"args\":[\"mcp\"]}}}",
        ),
        (
            "{ \"a\": 1 }",
            "{ \"a\": 1, \"mcpServers\": { \"knotwork\": { \"command\": \"knotwork\", \"args\": [\"mcp\"] } } }",
        ),
        (
            "{\n\t\"mcpServers\": {\n\t\t\"b\": {}, // the b\n\t},\n}\n",
            "{\n\t\"mcpServers\": {\n\t\t\"b\": {}, // the b\n\t\t\"knotwork\": {\n\t\t\t\"command\": \"knotwork\",\n\t\t\t\"args\": [\"mcp\"]\n\t\t},\n\t},\n}\n",
        ),
        (
            "{\r\n    \"mcpServers\": {}  /* none */\r\n}",
            "{\r\n    \"mcpServers\": {\r\n        \"knotwork\": {\r\n            \"command\": \"knotwork\",\r\n            \"args\": [\"mcp\"]\r\n        }\r\n    }  /* none */\r\n}",
        ),
        (
            "{\n  \"mcpServers\": {\n    // nothing yet\n  }\n}",
            "{\n  \"mcpServers\": {\n    // nothing yet\n    \"knotwork\": {\n      \"command\": \"knotwork\",\n      \"args\": [\"mcp\"]\n    }\n  }\n}",
        ),
        (
            "{\n  \"mcpServers\": {\n    \"b\": 1 // the last\n  }\n}",
            "{\n  \"mcpServers\": {\n    \"b\": 1, // the last\n    \"knotwork\": {\n      \"command\": \"knotwork\",\n      \"args\": [\"mcp\"]\n    }\n  }\n}",
        ),
    ] {
        assert_eq!(with(before), after);
    }
    let only_comments = with("// mine\n");
    assert!(only_comments.starts_with("// mine\n{\n"), "{only_comments}");
}

#[test]
fn removing_leaves_the_rest() {
    for (before, after) in [
        ("{\"mcpServers\":{\"knotwork\":1}}", "{\"mcpServers\":{}}"),
        (
            "{\"mcpServers\":{\"a\":1,\"knotwork\":1}}",
            "{\"mcpServers\":{\"a\":1}}",
        ),
        (
            "{\"mcpServers\":{\"knotwork\":1,\"a\":1}}",
            "{\"mcpServers\":{\"a\":1}}",
        ),
        (
            "{\"mcpServers\":{\"a\":1,\n\"knotwork\":1,\n}}",
            "{\"mcpServers\":{\"a\":1,\n}}",
        ),
        (
            "{\"mcpServers\": { \"a\": 1, // of a\n \"knotwork\": 1 } }",
            "{\"mcpServers\": { \"a\": 1 // of a\n  } }",
        ),
        (
            "{\"mcpServers\":{\n // of a\n \"a\": 1,\n \"knotwork\": 1 // mine\n}}",
            "{\"mcpServers\":{\n // of a\n \"a\": 1 // mine\n}}",
        ),
    ] {
        assert_eq!(
            remove(before, &keys(&["mcpServers", "knotwork"])).unwrap(),
            after
        );
    }
}

#[test]
fn damaged_text_is_refused_with_its_line() {
    for text in [
        "{",
        "{\"a\": 1,,}",
        "{} {}",
        "{\"a\" 1}",
        "{\"a\": }",
        "{a: 1}",
        "{\"a\": 1 \"b\": 2}",
        "[1]",
        "nonsense",
        "{\"a\": 01}",
        "{\"a\": \"x\n\"}",
        "{/*",
        "{\"a\": 'x'}",
        "{\"mcpServers\": []}",
        "{\"mcpServers\": 1}",
        "{\"a\":1,\"mcpServers\":{},\"mcpServers\":{}}",
    ] {
        let found = insert(text, &["mcpServers"], "knotwork", &value());
        assert!(found.is_err(), "{text}: {found:?}");
    }
    let error = check("{\n\"a\": 1\n\"b\": 2}").unwrap_err();
    assert!(
        matches!(error, EditError::Syntax { line: 3, .. }),
        "{error}"
    );
    assert!(check(&"[".repeat(100_000)).is_err());
    assert!(
        insert(
            "{\"mcpServers\":{\"knotwork\":1}}",
            &["mcpServers"],
            "knotwork",
            &value()
        )
        .is_err()
    );
    assert!(check("{\"mcp\\u0053ervers\": {}, \"mcpServers\": {}}").is_ok());
    assert!(with("{\"\\u006dcpServers\": {}}").len() > 10);
}

/// JSON with comments, odd spaces and trailing commas.
fn text() -> impl Strategy<Value = String> {
    let gap = prop::sample::select(vec![
        "",
        " ",
        "\n",
        "\n\t",
        "\r\n",
        " // x\n",
        "/* y */",
        "\n  // z\n    ",
    ]);
    let plain = prop::sample::select(vec![
        "1",
        "-2.5e3",
        "true",
        "null",
        "\"\"",
        "\"a // b\"",
        "\"\\\"}\"",
        "\"ü\"",
    ]);
    let leaf = (gap.clone(), plain, gap.clone()).prop_map(|(a, v, b)| format!("{a}{v}{b}"));
    let value = leaf.prop_recursive(3, 20, 4, move |inner| {
        let items = prop::collection::vec(inner.clone(), 0..4);
        let list = (items, any::<bool>(), gap.clone()).prop_map(|(items, comma, gap)| {
            let comma = if comma && !items.is_empty() { "," } else { "" };
            format!("[{}{comma}{gap}]", items.join(","))
        });
        let members = prop::collection::vec((gap.clone(), inner), 0..4);
        let object = (members, any::<bool>(), gap.clone()).prop_map(|(members, comma, gap)| {
            let comma = if comma && !members.is_empty() {
                ","
            } else {
                ""
            };
            let members: Vec<String> = members
                .iter()
                .enumerate()
                .map(|(n, (gap, value))| format!("{gap}\"k{n}\"{gap}:{value}"))
                .collect();
            format!("{{{}{comma}{gap}}}", members.join(","))
        });
        prop_oneof![list, object]
    });
    (value, 0..3usize).prop_map(|(value, kind)| match kind {
        0 => format!("{{\"k\": {value}}}"),
        1 => format!("{{\n  \"mcpServers\": {{\"other\":{value}}},\n}}\n"),
        _ => format!("{{\"k\":{value},\"mcpServers\":{{}}}}"),
    })
}

proptest! {
    #[test]
    fn what_is_added_can_be_taken_out_and_all_else_stays(text in text()) {
        let steps = keys(&["mcpServers", "knotwork"]);
        let before = read_value(&text, &[]).unwrap();
        let added = with(&text);
        let removed = remove(&added, &steps).unwrap();
        check(&removed).unwrap();
        let mut after = read_value(&removed, &[]).unwrap();
        if read_value(&text, &steps[..1]).unwrap().is_none()
            && let Some(Json::Object(members)) = &mut after
        {
            members.retain(|(key, _)| key != "mcpServers");
        }
        prop_assert_eq!(after, before);
        // Every comment is still there.
        for mark in ["// x", "/* y */", "// z"] {
            prop_assert_eq!(added.matches(mark).count(), text.matches(mark).count());
        }
    }

    #[test]
    fn plain_json_is_read_as_any_parser_reads_it(text in "[\\[\\]{}\",:0-9a\\\\ .e-]{0,20}") {
        let theirs = serde_json::from_str::<serde_json::Value>(&text).is_ok();
        if theirs {
            prop_assert!(scan::document(&text).is_ok(), "{}", text);
        }
    }
}
