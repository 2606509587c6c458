//! Tests of parsing within limits: if a source would take far too long, a half of it is read, then a quarter, and so
//! on.

use super::walk::{defs, facts, rust, tree, typescript};
use crate::builder::Stop;
use crate::parse::{
    Parsed, ScannerLimits, parse_prefix, parse_range, parse_time_limit, parser_steps,
};
use crate::read::{Reader, extract, parse, parse_only};
use std::time::Duration;
use tree_sitter::{Parser, Point, Range};

fn rust_parser() -> Parser {
    let mut parser = Parser::new();
    parser
        .set_language(&tree_sitter_rust::LANGUAGE.into())
        .unwrap();
    parser
}

fn prefix(source: &str, stop: Stop<'_>) -> Option<Parsed> {
    let mut left = parse_time_limit(source.len());
    let none = ScannerLimits::NONE;
    parse_prefix(&mut rust_parser(), source, none, (&mut left, stop))
}

/// Each line may open a raw string, whose end is searched in the whole rest.
fn bad_lines(lines: usize) -> String {
    format!("{}\n", "r#\"".repeat(20)).repeat(lines)
}

fn good_lines(lines: usize) -> String {
    (0..lines).map(|n| format!("fn good{n}() {{}}\n")).collect()
}

#[test]
fn a_source_out_of_proportion_is_read_up_to_a_part_of_whole_lines() {
    let good = good_lines(4_000);
    let source = format!("{good}{}", bad_lines(6_000));
    let parsed = prefix(&source, &|| false).expect("a part");
    assert!(!parsed.whole);
    let end = parsed.tree.root_node().end_byte();
    assert!(
        end < source.len() && end >= 1_024,
        "{end} of {}",
        source.len()
    );
    assert!(source[..end].ends_with('\n'), "whole lines");
    // The rest of the source was halved, not searched line by line.
    let (facts, _) = extract(rust(), &source, &|| false);
    assert!(facts.parse_gave_up);
    assert!(facts.syntax_errors >= 1);
    assert_eq!(facts.lines as usize, source.lines().count());
    assert!(facts.defs.len() > 100, "{}", facts.defs.len());
}

#[test]
fn a_source_that_is_bad_from_the_beginning_gives_nothing() {
    let (facts, _) = extract(rust(), &bad_lines(8_000), &|| false);
    assert!(facts.parse_gave_up);
    assert_eq!(facts.syntax_errors, 1);
    assert!(facts.defs.is_empty() && facts.calls.is_empty());
    assert_eq!(facts.lines, 8_000);
}

#[test]
fn what_one_parse_gave_up_does_not_show_in_the_next() {
    let good = good_lines(50);
    let alone = extract(rust(), &good, &|| false).0;
    extract(rust(), &bad_lines(8_000), &|| false);
    let after = extract(rust(), &good, &|| false).0;
    assert_eq!(alone, after);
    assert_eq!(after.defs.len(), 50);
    assert!(!after.parse_gave_up);
}

#[test]
fn a_source_of_one_line_is_cut_between_characters() {
    // No line ends to cut at, and characters of three bytes everywhere.
    let source = "r#\"€".repeat(160_000);
    let parsed = prefix(&source, &|| false);
    if let Some(parsed) = parsed {
        assert!(!parsed.whole);
        assert!(source.is_char_boundary(parsed.tree.root_node().end_byte()));
    }
}

#[test]
fn small_sources_are_read_whole_whatever_they_hold() {
    for source in [
        "",
        "\n",
        "}",
        "fn f( {",
        "r#\"",
        "\u{feff}fn f() {}",
        "fn f() {}\0",
    ] {
        let parsed = prefix(source, &|| false).expect("a tree");
        assert!(parsed.whole, "{source:?}");
    }
    assert_eq!(
        extract(rust(), "fn f() {}\0fn g() {}", &|| false)
            .0
            .defs
            .len(),
        2
    );
}

#[test]
fn who_wants_nothing_any_more_gets_nothing() {
    let source = good_lines(20_000);
    assert!(prefix(&source, &|| true).is_none());
    let (facts, _) = extract(rust(), &source, &|| true);
    assert!(facts.parse_gave_up && facts.defs.is_empty());
    // The parser still works.
    let again = extract(rust(), &source, &|| false).0;
    assert_eq!(again.defs.len(), 20_000);
}

#[test]
fn the_same_bytes_take_the_same_steps() {
    let source = good_lines(2_000);
    let steps = || extract(rust(), &source, &|| false).1;
    let first = steps();
    assert_eq!(first, steps());
    let twice = extract(rust(), &source.repeat(2), &|| false).1;
    assert!(twice > first && twice < first * 3, "{first} and {twice}");
    let before = parser_steps();
    let mut left = parse_time_limit(source.len());
    assert!(parse(rust(), &source, (&mut left, &|| false)).is_some());
    assert!(parser_steps() > before);
    // Nodes that were entered count as well.
    let walked = extract(typescript(), &"f(1);\n".repeat(2_000), &|| false).1;
    assert!(walked > 6_000, "{walked}");
}

#[test]
fn a_larger_file_may_take_longer() {
    assert_eq!(parse_time_limit(0), Duration::from_millis(200));
    assert_eq!(
        parse_time_limit(1_000_000) - parse_time_limit(0),
        Duration::from_secs(20)
    );
}

fn range(source: &str, start: usize, end: usize) -> Range {
    let point = |at: usize| {
        let before = &source[..at];
        let row = before.matches('\n').count();
        Point::new(row, at - before.rfind('\n').map_or(0, |n| n + 1))
    };
    Range {
        start_byte: start,
        end_byte: end,
        start_point: point(start),
        end_point: point(end),
    }
}

#[test]
fn a_stretch_is_parsed_as_if_it_stood_alone() {
    let source = "not rust at all ((( \nfn inside() {}\n))) nor this\n";
    let (start, end) = (21, 35);
    assert_eq!(&source[start..end], "fn inside() {}");
    let mut parser = rust_parser();
    let mut left = parse_time_limit(source.len());
    let mut input = |at: usize, _: Point| &source.as_bytes()[at.min(source.len())..];
    let stretch = range(source, start, end);
    let tree = parse_range(&mut parser, stretch, (&mut left, &|| false), &mut input).unwrap();
    let root = tree.root_node();
    assert!(!root.has_error(), "{}", root.to_sexp());
    let item = root.named_child(0).unwrap();
    assert_eq!(
        (item.kind(), item.start_byte(), item.end_byte()),
        ("function_item", start, end)
    );
    assert_eq!(item.start_position().row, 1);
    // A range that ends before it begins is invalid.
    let backwards = Range {
        start_byte: end,
        end_byte: start,
        ..stretch
    };
    assert!(parse_range(&mut parser, backwards, (&mut left, &|| false), &mut input).is_none());
    // No time is left.
    let mut none = Duration::ZERO;
    let long = good_lines(5_000);
    let mut input = |at: usize, _: Point| &long.as_bytes()[at.min(long.len())..];
    let whole = range(&long, 0, long.len());
    assert!(parse_range(&mut parser, whole, (&mut none, &|| false), &mut input).is_none());
}

#[test]
fn errors_are_counted_once_each() {
    assert_eq!(facts("f(1); g(2);\n").syntax_errors, 0);
    let one = facts("function f( { }\n").syntax_errors;
    assert!(one >= 1);
    let two = facts("function f( { }\nlet ok = 1;\nfunction g( { }\n").syntax_errors;
    assert!(two > one, "{one} and {two}");
    let missing = facts("let x = (1;\n");
    assert_eq!(missing.syntax_errors, 1);
}

#[test]
fn a_source_is_mended_where_that_has_fewer_errors() {
    let mending = |mend: fn(&str) -> Option<String>| {
        let reader = Reader {
            mend,
            ..typescript()
        };
        let (facts, _) = extract(reader, "let a = 1 @@ 2;\nfunction later() {}\n", &|| false);
        (facts.syntax_errors, defs(&facts))
    };
    let (errors, _) = mending(|_| None);
    assert!(errors > 0);
    let (mended, found) = mending(|source| Some(source.replace("@@", "+ ")));
    assert_eq!(mended, 0);
    assert_eq!(found, ["a", "later"]);
    // With another number of bytes, positions would not be those of the source.
    assert_eq!(mending(|source| Some(source.replace("@@", "+"))).0, errors);
    // A mended source with more errors is not taken.
    assert_eq!(mending(|source| Some("@".repeat(source.len()))).0, errors);
    // A mended source of the same length is not taken either if it would lose a definition.
    let (_, found) = mending(|source| Some(source.replace("function later() {}", &" ".repeat(19))));
    assert!(found.contains(&"later".to_owned()), "{found:?}");
    // Names are those of the original source.
    let reader = Reader {
        mend: |source| Some(source.replace("@@b", "abc")),
        ..typescript()
    };
    let (facts, _) = extract(reader, "let x = f;\nlet @@b = 1;\n", &|| false);
    assert!(!defs(&facts).contains(&"abc".to_owned()));
    // A source without errors is not mended at all.
    let reader = Reader {
        mend: |_| panic!("nothing to mend"),
        ..typescript()
    };
    assert_eq!(extract(reader, "f(1);\n", &|| false).0.calls.len(), 1);
}

#[test]
fn the_reference_parses_without_bounds() {
    assert!(parse_only(typescript(), "f(1);"));
    assert!(parse_only(rust(), "fn f() {"));
    // The block borders of the input have no effect.
    let long = format!("let x = [{}];\n", "'é€𝒳', ".repeat(3_000));
    let mut left = parse_time_limit(long.len());
    let parsed = parse(typescript(), &long, (&mut left, &|| false)).unwrap();
    assert!(parsed.whole);
    assert_eq!(
        parsed.tree.root_node().to_sexp(),
        tree(&long).root_node().to_sexp()
    );
}

#[test]
fn a_scanner_is_given_no_more_than_it_can_take() {
    let scanner = ScannerLimits {
        readable: |source| source.find("// beyond").unwrap_or(source.len()),
        ..ScannerLimits::NONE
    };
    let reader = Reader {
        scanner,
        ..typescript()
    };
    let (facts, _) = extract(
        reader,
        "function f() {}\n// beyond\nfunction g() {}\n",
        &|| false,
    );
    assert!(facts.parse_gave_up);
    assert_eq!(defs(&facts), ["f"]);
    let (facts, _) = extract(reader, "function f() {}\n", &|| false);
    assert!(!facts.parse_gave_up);
}

#[test]
fn a_last_line_is_given_its_end() {
    let parse = |source: &str, needs_final_newline| {
        let scanner = ScannerLimits {
            needs_final_newline,
            ..ScannerLimits::NONE
        };
        let mut left = parse_time_limit(source.len());
        let stop: Stop<'_> = &|| false;
        let parsed = parse_prefix(&mut rust_parser(), source, scanner, (&mut left, stop));
        let parsed = parsed.expect("a tree");
        assert!(parsed.whole);
        parsed.tree.root_node().end_byte()
    };
    // The root ends where the file does.
    assert_eq!(parse("fn f() {}", false), 9);
    assert_eq!(parse("fn f() {}", true), 10);
    assert_eq!(parse("fn f() {}\n", true), 10);
}
