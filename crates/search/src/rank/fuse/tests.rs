//! The order of files and chunks, and the lines that are shown of them.

use super::*;
use crate::doc::{ChunkDoc, DefDoc, FileDoc};
use crate::embed::MockEmbedder;
use crate::index::Model;
use crate::prepare::prepare;
use crate::rank::{self, Tuning};

fn def(name: &str, kind: &str, start_line: u32, end_line: u32) -> Definition {
    Definition {
        name: name.to_owned(),
        kind: kind.to_owned(),
        start_line,
        end_line,
        ..Definition::default()
    }
}

/// The chunk that comes first of two. Each is given by the kind of its definition, the name around it, and
/// its text.
fn first_of(chunks: [(&'static str, &'static str, &'static str); 2]) -> u32 {
    let chunk = |(at, (kind, container, text)): (u32, (&'static str, _, _))| ChunkDoc {
        start_line: at,
        end_line: at,
        text,
        container,
        definitions: Some(kind)
            .filter(|kind| !kind.is_empty())
            .map(|kind| DefDoc {
                name: "x",
                kind,
                start_line: at,
                end_line: at,
                ..DefDoc::default()
            })
            .into_iter()
            .collect(),
    };
    let doc = FileDoc {
        path: "a.go",
        chunks: (1..).zip(chunks).map(chunk).collect(),
        ..FileDoc::default()
    };
    let model = Model::from_embedder(&MockEmbedder::default());
    let index = Index::in_memory(&model, vec![prepare(&doc, None).unwrap()]).unwrap();
    let request = Request {
        query: "relabel by expressions",
        mode: RankMode::Keyword,
        limit: 5,
        filter: &Default::default(),
        min_relevance: 0.0,
        following_relevance: 0.0,
        project: None,
        tuning: &Tuning::default(),
    };
    rank::search(&index, None, &request).chunks[0].start_line
}

#[test]
fn what_only_declares_steps_back() {
    let text = "relabel by expressions";
    let function = ("function", "", "relabel by some other expressions");
    assert_eq!(first_of([("constant", "", text), function]), 2);
    assert_eq!(first_of([("", "", text), function]), 2);
    assert_eq!(first_of([("struct", "", text), function]), 2);
    // The middle of a function stays in its place.
    assert_eq!(first_of([("", "Relabel", text), function]), 1);
}

#[test]
fn files_that_do_something_stand_before_files_that_declare() {
    let defs = |kind| DefDoc {
        name: "x",
        kind,
        start_line: 1,
        end_line: 2,
        ..DefDoc::default()
    };
    let file = |path, kind| {
        let text = "relabel by expressions\nand more\n";
        let doc = FileDoc::from_text(path, "java", FileRole::Source, text, &[defs(kind)]);
        prepare(&doc, None).unwrap()
    };
    let files = vec![file("a/A.java", "interface"), file("b/B.java", "method")];
    let index = Index::in_memory(&Model::default(), files).unwrap();
    let first = |file_contents, declaration| {
        let request = Request {
            query: "relabel by expressions",
            mode: RankMode::Keyword,
            limit: 1,
            filter: &Default::default(),
            min_relevance: 0.0,
            following_relevance: 0.0,
            project: None,
            tuning: &Tuning {
                file_contents,
                declaration,
                ..Tuning::default()
            },
        };
        rank::search(&index, None, &request).chunks[0].path.clone()
    };
    assert_eq!(first(0.0, 0.0), "a/A.java");
    assert_eq!(first(0.2, 0.0), "b/B.java");
    // Both files have types alone.
    assert_eq!(first(0.0, 0.5), "b/B.java");
}

/// The results of a question in words in a Python file with these definitions.
fn shown(text: &str, defs: &[DefDoc<'_>], query: &str) -> Vec<rank::ChunkHit> {
    let doc = FileDoc::from_text("a.py", "python", FileRole::Source, text, defs);
    assert!(doc.chunks.len() > 2);
    let index = Index::in_memory(&Model::default(), vec![prepare(&doc, None).unwrap()]).unwrap();
    let request = Request {
        query,
        mode: RankMode::Keyword,
        limit: 99,
        filter: &Default::default(),
        min_relevance: 0.0,
        following_relevance: 0.0,
        project: None,
        tuning: &Tuning::default(),
    };
    rank::search(&index, None, &request).chunks
}

#[test]
fn the_rest_of_a_long_function_is_called_by_it() {
    let body = "    relabel_by_expressions(set)\n".repeat(200);
    let text = format!("def run(set):\n{body}    done()\n\n\ndef end():\n    pass\n");
    let defs = [(1, 202, "run"), (205, 206, "end")].map(|(start_line, end_line, name)| DefDoc {
        name,
        kind: "function",
        start_line,
        end_line,
        ..DefDoc::default()
    });
    let found = shown(&text, &defs, "relabel the set by expressions");
    let rest = found.iter().find(|p| p.start_line > 1 && p.end_line < 203);
    let rest = rest.map(|p| (p.symbol.as_deref(), p.kind.as_str()));
    assert_eq!(rest, Some((Some("run"), "function")));
}

#[test]
fn what_follows_a_function_is_not_called_by_it() {
    // A long function with few or many lines after it, in which no further definition is known.
    let behind = |more: usize| {
        let body = "    relabel_by_expressions(set)\n".repeat(200);
        let text = format!(
            "def run(set):\n{body}    done()\n{}",
            "broken(\n".repeat(more)
        );
        let run = DefDoc {
            name: "run",
            kind: "function",
            start_line: 1,
            end_line: 202,
            ..DefDoc::default()
        };
        shown(&text, &[run], "relabel the broken set by expressions")
    };
    for more in [0, 1, 3, 60] {
        let found = behind(more);
        let named = found.iter().filter(|p| p.symbol.as_deref() == Some("run"));
        for hit in named.clone() {
            assert!(hit.end_line <= 202, "{more}: {hit:?}");
        }
        assert!(named.count() > 1, "{more}");
    }
}

#[test]
fn a_chunk_is_called_by_what_takes_most_of_it() {
    let all = [
        def("limit", "constant", 3, 3),
        def("run", "function", 5, 29),
        def("end", "function", 30, 34),
    ];
    let name =
        |lines, kinds: &[String]| main_definition(&all, lines, kinds).map(|d| d.name.as_str());
    assert_eq!(name((1, 36), &[]), Some("run"));
    assert_eq!(name((1, 90), &[]), None);
    assert_eq!(name((1, 90), &["constant".to_owned()]), Some("limit"));
    assert_eq!(name((1, 90), &["class".to_owned()]), None);
    let only = &all[..1];
    assert!(main_definition(only, (1, 90), &[]).is_some());
    assert!(main_definition(&[], (1, 90), &[]).is_none());
}

#[test]
fn the_order_of_values_does_not_matter() {
    let values: Vec<f32> = (0..10_000)
        .map(|i| ((i * 7919) % 1_000) as f32 / 333.0)
        .collect();
    let layout = Layout::new(&[]);
    let forward = ScoreScale::from_values(&values, &layout);
    let mut values = values;
    values.reverse();
    let backward = ScoreScale::from_values(&values, &layout);
    assert_eq!(forward.mean, backward.mean);
    assert_eq!(forward.deviation, backward.deviation);
    assert!((ScoreScale::from_values(&[1.0, 3.0], &layout).deviation - 1.0).abs() < 1e-5);
    // A dead file does not count.
    let layout = Layout {
        all_alive: false,
        alive: vec![true, false],
        owner: vec![0, 1],
        ..layout
    };
    assert!((ScoreScale::from_values(&[2.0, 9.0], &layout).mean - 2.0).abs() < 1e-3);
}

/// Searches plain files by words; the lines of documents can be read.
fn search_files(files: &[(&str, String)], query: &str, limit: usize) -> rank::Answer {
    struct Lines<'f>(&'f [(&'f str, String)]);
    impl rank::ProjectView for Lines<'_> {
        fn centrality(&self, _: &str) -> f32 {
            0.0
        }

        fn lines(&self, path: &str, first: u32, last: u32) -> Option<String> {
            let (_, text) = self.0.iter().find(|(name, _)| *name == path)?;
            let lines = text.lines().skip(first as usize - 1);
            let lines = lines.take((last + 1 - first) as usize);
            Some(lines.collect::<Vec<_>>().join("\n"))
        }
    }
    let prepared = files.iter().map(|(path, text)| {
        let doc = crate::plain::file_doc(path, text).unwrap();
        prepare(&doc, None).unwrap()
    });
    let index = Index::in_memory(&Model::default(), prepared.collect()).unwrap();
    let request = Request {
        query,
        mode: RankMode::Keyword,
        limit,
        filter: &Default::default(),
        min_relevance: rank::MIN_RELEVANCE,
        following_relevance: rank::MIN_RELEVANCE,
        project: Some(&Lines(files)),
        tuning: &Tuning::default(),
    };
    rank::search(&index, None, &request)
}

#[test]
fn a_question_about_the_whole_is_answered_behind_the_banner() {
    let badges = "[![Build](https://a.example/b.svg)](https://a.example)\n".repeat(12);
    let readme = format!(
        "# Thing\n\n<p align=\"center\">\n<img src=\"logo.png\">\n</p>\n\n{badges}\nThing reads repositories and answers \
         questions about them, whatever language they are written in.\n\n## Architecture\n\nA reader, an index and a server.\n"
    );
    let line = |query: &str| {
        let answer = search_files(&[("README.md", readme.clone())], query, 3);
        let first = answer.chunks[0].start_line as usize;
        readme.lines().nth(first - 1).unwrap().to_owned()
    };
    assert!(line("what does this project do").starts_with("Thing reads"));
    assert_eq!(line("explain the architecture"), "## Architecture");
}

#[test]
fn how_many_there_are_does_not_depend_on_the_limit() {
    let files: Vec<(String, String)> = (0..20)
        .map(|i| {
            (
                format!("src/a{i}.rb"),
                format!("def a{i}\n  retry_backoff\nend\n"),
            )
        })
        .collect();
    let files: Vec<(&str, String)> = files.iter().map(|(p, t)| (p.as_str(), t.clone())).collect();
    let total = |limit: usize| search_files(&files, "retry backoff", limit).total;
    assert_eq!(total(1), 20);
    assert_eq!(total(7), 20);
    assert_eq!(total(50), 20);
    assert_eq!(search_files(&files, "retry backoff", 7).chunks.len(), 7);
}

#[test]
fn a_sentence_is_answered_by_the_place_that_does_it() {
    let about = "def a\n  x\nend\n\n".repeat(30);
    let files = [
        // One file has the name of the subject; others have its words here and there.
        ("src/worker.rb", format!("# The worker.\n{about}# Tasks of a process.\n{about}# What is cancelled.\n{about}")),
        ("src/stop.rb", "def stop_all(process)\n  # Tasks of the worker are cancelled when it dies.\n  process.tasks.each(&:cancel)\nend\n".to_owned()),
    ];
    let first = |query: &str| search_files(&files, query, 3).chunks[0].path.clone();
    assert_eq!(
        first("which tasks are cancelled when a worker process dies"),
        "src/stop.rb"
    );
    assert_eq!(first("worker"), "src/worker.rb");
}
