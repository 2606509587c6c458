//! The key test cases of the original design, by their numbers, over the store itself.

#![allow(clippy::unwrap_used)]

use solution::{
    Category, GetRequest, ListTagsRequest, Memory, Options, SaveRequest, SearchMode, SearchRequest,
};
use std::sync::Arc;

fn memory(folder: &std::path::Path) -> Memory {
    Memory::new(Options::for_folder(folder))
}

fn request(title: &str, problem: &str, solution: &str) -> SaveRequest {
    SaveRequest {
        title: title.to_owned(),
        problem: problem.to_owned(),
        solution: solution.to_owned(),
        ..SaveRequest::default()
    }
}

fn fill(memory: &Memory) -> Vec<String> {
    let saved = [
        (
            "Redis connection refused in Docker",
            "The Node app cannot reach Redis from its container: connect ECONNREFUSED 127.0.0.1:6379",
            "Use the service name redis instead of localhost in the URL",
        ),
        (
            "PostgreSQL deadlock on bulk update",
            "Two workers update the same rows in another order and one is killed: deadlock detected",
            "Sort the rows by id before the update",
        ),
        (
            "React list renders too often",
            "Every key press renders the whole list again and the page feels slow",
            "Memoise the rows and give them stable keys",
        ),
        (
            "数据库连接池耗尽",
            "高峰期接口报错，HikariCP 获取连接超时",
            "把连接在 finally 里归还，并把池的上限调到 50",
        ),
    ];
    let save =
        |(title, problem, solution)| memory.save(&request(title, problem, solution)).unwrap().id;
    saved.into_iter().map(save).collect()
}

#[test]
fn case_1_what_was_saved_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let memory = memory(folder.path());
    let ids = fill(&memory);
    for (query, at) in [
        ("container cannot connect to cache server", 0),
        ("deadlock detected", 1),
        ("component re-renders on each keystroke", 2),
        ("连接池获取连接超时", 3),
        ("connection pool exhausted at peak time", 3),
    ] {
        let answer = memory.search(&SearchRequest::new(query)).unwrap();
        assert_eq!(answer.results[0].id, ids[at], "{query}: {answer:#?}");
        assert_eq!(answer.mode, SearchMode::Hybrid);
        assert_eq!(answer.fallback, None);
    }
    // Another process finds it too.
    let again = self::memory(folder.path());
    let answer = again.search(&SearchRequest::new("ECONNREFUSED")).unwrap();
    assert_eq!(answer.results[0].id, ids[0]);
    let whole = again.get(&GetRequest { id: ids[0].clone() }).unwrap();
    assert_eq!(
        whole.solution,
        "Use the service name redis instead of localhost in the URL"
    );
    assert_eq!(whole.root_cause, None);
    assert_eq!(whole.created_at.len(), 19);
}

#[test]
fn case_2_results_are_sorted_by_relevance() {
    let folder = tempfile::tempdir().unwrap();
    let memory = memory(folder.path());
    fill(&memory);
    for mode in [
        SearchMode::Hybrid,
        SearchMode::Semantic,
        SearchMode::Keyword,
    ] {
        let answer = memory
            .search(&SearchRequest {
                search_mode: mode,
                limit: 20,
                ..SearchRequest::new("database connection timeout deadlock slow page")
            })
            .unwrap();
        assert!(!answer.results.is_empty());
        assert_eq!(answer.mode, mode);
        for pair in answer.results.windows(2) {
            assert!(pair[0].relevance >= pair[1].relevance, "{answer:#?}");
        }
        for found in &answer.results {
            for score in [found.relevance, found.semantic_score, found.keyword_score] {
                assert!((0.0..=1.0).contains(&score));
            }
        }
        assert!(answer.total >= answer.results.len());
    }
}

#[test]
fn case_3_tags_filter() {
    let folder = tempfile::tempdir().unwrap();
    let memory = memory(folder.path());
    let with = |title: &str, tags: &[&str]| {
        let mut save = request(title, &format!("{title}: the request fails"), "Try again");
        save.tags = tags.iter().map(|t| (*t).to_owned()).collect();
        memory.save(&save).unwrap().id
    };
    let both = with("Timeout in the shop", &["Python", "timeout"]);
    let one = with("Timeout in the forum", &["python"]);
    with("Timeout in the wiki", &["php"]);
    let search = |tags: &[&str]| -> Vec<String> {
        let request = SearchRequest {
            tags: tags.iter().map(|t| (*t).to_owned()).collect(),
            ..SearchRequest::new("timeout")
        };
        let mut ids: Vec<String> = memory
            .search(&request)
            .unwrap()
            .results
            .into_iter()
            .map(|f| f.id)
            .collect();
        ids.sort();
        ids
    };
    let sorted = |ids: &[&String]| {
        let mut ids: Vec<String> = ids.iter().map(|id| (*id).clone()).collect();
        ids.sort();
        ids
    };
    assert_eq!(search(&["python"]), sorted(&[&both, &one]));
    assert_eq!(search(&["PYTHON", "timeout"]), [both]);
    assert_eq!(search(&["ruby"]), [""; 0]);
    assert_eq!(search(&[]).len(), 3);
    let tags = memory.list_tags(&ListTagsRequest::default()).unwrap().tags;
    let shown: Vec<String> = tags
        .iter()
        .map(|t| format!("{} {} {}", t.category, t.name, t.count))
        .collect();
    assert_eq!(
        shown,
        [
            "tech_stack Python 1",
            "tech_stack php 1",
            "tech_stack python 1",
            "problem_type timeout 1"
        ]
    );
    let kinds = ListTagsRequest {
        category: Some(Category::ProblemType),
    };
    assert_eq!(memory.list_tags(&kinds).unwrap().tags.len(), 1);
}

#[test]
fn case_4_nothing_found_is_an_empty_list() {
    let folder = tempfile::tempdir().unwrap();
    let memory = memory(folder.path());
    let empty = memory.search(&SearchRequest::new("anything")).unwrap();
    assert_eq!((empty.results.len(), empty.total), (0, 0));
    assert_eq!(empty.fallback, None);
    fill(&memory);
    let none = memory.search(&SearchRequest::new("zqxv wvutq")).unwrap();
    assert_eq!((none.results.len(), none.total), (0, 0), "{none:#?}");
    assert!(memory.list_tags(&ListTagsRequest::default()).is_ok());
}

#[test]
fn case_5_concurrent_writers_do_not_conflict() {
    let folder = tempfile::tempdir().unwrap();
    let writers: Vec<_> = (0..4)
        .map(|writer| {
            let memory = Arc::new(memory(folder.path()));
            std::thread::spawn(move || {
                for n in 0..50 {
                    let title = format!("Problem {n} of writer {writer}");
                    memory
                        .save(&request(&title, &format!("It fails at step {n}"), "Fixed"))
                        .unwrap();
                }
            })
        })
        .collect();
    writers.into_iter().for_each(|w| w.join().unwrap());
    let stats = memory(folder.path()).stats().unwrap();
    assert_eq!(
        (stats.solutions, stats.vectors, stats.pending),
        (200, 200, 0)
    );
}
