//! The index as a whole: updates against clean builds, damage, readers beside writers.

use super::*;
use crate::doc::{ChunkDoc, DefDoc, FileDoc};
use crate::embed::MockEmbedder;
use crate::filter::Filter;
use crate::prepare::prepare;
use crate::rank::{Answer, RankMode, Request, Tuning, search};
use proptest::prelude::*;

fn model() -> Model {
    Model::from_embedder(&MockEmbedder::default())
}

fn file(path: &str, text: &str) -> Prepared {
    let doc = FileDoc {
        path,
        language: "text",
        hash: text.len() as u64,
        chunks: text
            .split("\n\n")
            .enumerate()
            .map(|(at, part)| ChunkDoc {
                start_line: at as u32 + 1,
                end_line: at as u32 + 1,
                text: part,
                definitions: vec![DefDoc {
                    name: part.split(' ').next().unwrap_or(""),
                    kind: "function",
                    start_line: at as u32 + 1,
                    end_line: at as u32 + 1,
                    ..DefDoc::default()
                }],
                container: "",
            })
            .collect(),
        ..FileDoc::default()
    };
    prepare(&doc, Some(&MockEmbedder::default())).unwrap()
}

fn ask(index: &Index, query: &str) -> Answer {
    let request = Request {
        query,
        mode: RankMode::Hybrid,
        limit: 20,
        filter: &Filter::default(),
        min_relevance: 0.0,
        following_relevance: 0.0,
        project: None,
        tuning: &Tuning::default(),
    };
    search(index, Some(&MockEmbedder::default()), &request)
}

const WORDS: [&str; 12] = [
    "parseConfig",
    "open",
    "socket",
    "retry",
    "backoff",
    "HTTPServer",
    "cache",
    "evict",
    "token",
    "設定",
    "user_id",
    "render",
];

#[derive(Debug, Clone)]
enum Step {
    Write(usize, Vec<usize>),
    Remove(usize),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (0..24usize, prop::collection::vec(0..13usize, 1..20)).prop_map(|(f, w)| Step::Write(f, w)),
        1 => (0..24usize).prop_map(Step::Remove),
    ]
}

fn text_of(words: &[usize]) -> String {
    let all: Vec<&str> = words
        .iter()
        .map(|w| WORDS.get(*w).copied().unwrap_or("\n\n"))
        .collect();
    all.join(" ")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Any sequence of commits answers like a clean build, and a merge writes the same bytes.
    #[test]
    fn updates_equal_a_clean_build(steps in prop::collection::vec(prop::collection::vec(step(), 1..6), 1..14)) {
        let (updated, clean) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let mut state: BTreeMap<String, String> =
            (0..6).map(|i| (format!("src/f{i}.rs"), format!("open {} retry", WORDS[i]))).collect();
        let all = |state: &BTreeMap<String, String>| -> Vec<Prepared> {
            state.iter().map(|(p, t)| file(p, t)).collect()
        };
        build(updated.path(), &model(), all(&state)).unwrap();
        for batch in steps {
            let (mut changed, mut removed) = (BTreeMap::new(), Vec::new());
            for step in batch {
                match step {
                    Step::Write(f, words) => {
                        let (path, text) = (format!("src/f{f}.rs"), text_of(&words));
                        removed.retain(|p| p != &path);
                        state.insert(path.clone(), text.clone());
                        changed.insert(path, text);
                    }
                    Step::Remove(f) => {
                        let path = format!("src/f{f}.rs");
                        state.remove(&path);
                        changed.remove(&path);
                        removed.push(path);
                    }
                }
            }
            commit(updated.path(), &model(), all(&changed), &removed).unwrap();
        }
        build(clean.path(), &model(), all(&state)).unwrap();
        let (a, b) = (Index::open(updated.path()).unwrap(), Index::open(clean.path()).unwrap());
        prop_assert_eq!(a.content_hashes(), b.content_hashes());
        prop_assert_eq!((a.chunk_count(), a.lengths), (b.chunk_count(), b.lengths));
        for query in ["retry backoff", "parseConfig", "設定", "http server cache", "src/f3.rs"] {
            prop_assert_eq!(ask(&a, query), ask(&b, query));
        }
        let entries = Manifest::read(updated.path()).unwrap().segments;
        let mut live = merge::live_files(&a.parts, &entries).unwrap();
        live.sort_by(|x, y| x.path.cmp(&y.path));
        prop_assert_eq!(live, all(&state));
    }
}

fn small(folder: &Path) {
    let files = vec![
        file("a.rs", "open the socket"),
        file("b.rs", "retry backoff\n\nclose it"),
    ];
    build(folder, &model(), files).unwrap();
}

fn segment_of(folder: &Path) -> PathBuf {
    folder.join(&Manifest::read(folder).unwrap().segments[0].file)
}

#[test]
fn what_is_indexed_is_found() {
    let folder = tempfile::tempdir().unwrap();
    small(folder.path());
    let index = Index::open(folder.path()).unwrap();
    let answer = ask(&index, "retry backoff");
    assert_eq!(answer.chunks[0].path, "b.rs");
    assert_eq!(answer.chunks[0].symbol.as_deref(), Some("retry"));
    assert_eq!(
        index.content_hash("a.rs"),
        Some("open the socket".len() as u64)
    );
    assert_eq!(index.content_hash("c.rs"), None);
}

#[test]
fn damage_is_reported_not_read() {
    let folder = tempfile::tempdir().unwrap();
    assert!(matches!(
        Index::open(folder.path()),
        Err(IndexError::Missing(_))
    ));
    small(folder.path());
    let segment = segment_of(folder.path());
    let whole = std::fs::read(&segment).unwrap();
    // A segment cut anywhere, or changed in its header, is refused when it is opened.
    for cut in [0, 10, 60, whole.len() / 2, whole.len() - 1] {
        std::fs::write(&segment, &whole[..cut]).unwrap();
        let opened = Index::open(folder.path());
        assert!(
            matches!(
                opened,
                Err(IndexError::Unusable { .. } | IndexError::Io { .. })
            ),
            "{cut}"
        );
    }
    // A segment changed anywhere after the header is refused when it is read.
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x55;
        std::fs::write(&segment, &bytes).unwrap();
        let opened = Index::open(folder.path());
        assert!(
            matches!(opened, Err(IndexError::Unusable { .. })),
            "byte {at}"
        );
    }
    std::fs::remove_file(&segment).unwrap();
    assert!(matches!(
        Index::open(folder.path()),
        Err(IndexError::Unusable { .. })
    ));
}

#[test]
fn a_segment_that_is_cut_short_in_place_changes_no_open_index() {
    let folder = tempfile::tempdir().unwrap();
    small(folder.path());
    let index = Index::open(folder.path()).unwrap();
    let before = ask(&index, "retry backoff");
    let segment = segment_of(folder.path());
    let file = std::fs::OpenOptions::new().write(true).open(&segment);
    file.unwrap().set_len(0).unwrap();
    assert_eq!(ask(&index, "retry backoff"), before);
    assert_eq!(ask(&index, "socket").chunks[0].path, "a.rs");
    let opened = Index::open(folder.path());
    assert!(matches!(opened, Err(IndexError::Unusable { .. })));
    let again = commit(
        folder.path(),
        &model(),
        vec![self::file("c.rs", "new")],
        &[],
    );
    assert!(matches!(again, Err(IndexError::Unusable { .. })));
}

#[test]
fn an_index_for_updates_alone_knows_its_files() {
    let folder = tempfile::tempdir().unwrap();
    small(folder.path());
    let index = Index::open_tables(folder.path()).unwrap();
    assert_eq!(index.content_hashes().len(), 2);
    assert_eq!(index.content_hash("c.rs"), None);
    append(&index, folder.path(), vec![file("c.rs", "evict")], &[]).unwrap();
    let whole = Index::open(folder.path()).unwrap();
    assert_eq!(ask(&whole, "evict").chunks[0].path, "c.rs");
}

#[cfg(unix)]
#[test]
fn what_is_written_is_for_its_owner_alone_and_a_link_is_not_followed() {
    use std::os::unix::fs::PermissionsExt;
    let outside = tempfile::tempdir().unwrap();
    let folder = outside.path().join("search");
    small(&folder);
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&folder), 0o700);
    for entry in folder.read_dir().unwrap() {
        assert_eq!(mode(&entry.unwrap().path()), 0o600);
    }
    let segment = segment_of(&folder);
    let elsewhere = outside.path().join("elsewhere");
    std::fs::rename(&segment, &elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, &segment).unwrap();
    assert!(Index::open(&folder).is_err());
}

#[test]
fn a_manifest_names_files_of_its_own_folder() {
    let folder = tempfile::tempdir().unwrap();
    small(folder.path());
    let mut manifest = Manifest::read(folder.path()).unwrap();
    manifest.segments[0].file = format!("segment-/../{}", manifest.segments[0].file);
    manifest.write(folder.path()).unwrap();
    let opened = Index::open(folder.path());
    assert!(matches!(opened, Err(IndexError::Unusable { .. })));
}

#[test]
fn a_damaged_manifest_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    small(folder.path());
    let manifest = folder.path().join("manifest.json");
    let text = std::fs::read_to_string(&manifest).unwrap();
    for damaged in [
        "",
        "x\n{}",
        &text.replace("dimensions", "dimensionz"),
        &text[..text.len() / 2],
    ] {
        std::fs::write(&manifest, damaged).unwrap();
        assert!(
            matches!(Index::open(folder.path()), Err(IndexError::Unusable { .. })),
            "{damaged}"
        );
    }
}

#[test]
fn another_model_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    small(folder.path());
    let other = Model {
        name: "other".to_owned(),
        dimensions: 64,
    };
    let refused = commit(folder.path(), &other, Vec::new(), &[]);
    assert!(matches!(refused, Err(IndexError::Unusable { .. })));
}

#[test]
fn readers_keep_what_they_opened() {
    let folder = tempfile::tempdir().unwrap();
    small(folder.path());
    let before = Index::open(folder.path()).unwrap();
    let changed = vec![file("b.rs", "entirely different")];
    commit(folder.path(), &model(), changed, &["a.rs".to_owned()]).unwrap();
    assert_eq!(ask(&before, "retry backoff").chunks[0].path, "b.rs");
    let after = Index::open(folder.path()).unwrap();
    assert_eq!(
        after.content_hashes().into_keys().collect::<Vec<_>>(),
        ["b.rs"]
    );
    assert!(after.generation() > before.generation());
}

#[test]
fn an_embedder_that_is_down_degrades_to_words() {
    let folder = tempfile::tempdir().unwrap();
    small(folder.path());
    let index = Index::open(folder.path()).unwrap();
    let request = Request {
        query: "retry backoff",
        mode: RankMode::Hybrid,
        limit: 5,
        filter: &Filter::default(),
        min_relevance: 0.0,
        following_relevance: 0.0,
        project: None,
        tuning: &Tuning::default(),
    };
    let answer = search(&index, Some(&MockEmbedder { down: true }), &request);
    assert_eq!(answer.mode, RankMode::Keyword);
    assert!(answer.fallback.unwrap().to_string().contains("down"));
    assert_eq!(answer.chunks[0].path, "b.rs");
}

/// Changes of the index, and the two steps of a merge.
#[derive(Debug, Clone)]
enum Doing {
    Change(Vec<Step>),
    /// A merge begins.
    Prepare,
    /// The merge ends.
    Install,
}

fn doing() -> impl Strategy<Value = Doing> {
    prop_oneof![
        6 => prop::collection::vec(step(), 1..4).prop_map(Doing::Change),
        2 => Just(Doing::Prepare),
        2 => Just(Doing::Install),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Changes continue during a merge. None is lost or undone by it.
    #[test]
    fn merges_beside_changes_equal_a_clean_build(doings in prop::collection::vec(doing(), 1..60)) {
        let (updated, clean) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let mut state: BTreeMap<String, String> =
            (0..24).map(|i| (format!("src/f{i}.rs"), format!("open {} retry", WORDS[i % 12]))).collect();
        let all = |state: &BTreeMap<String, String>| -> Vec<Prepared> {
            state.iter().map(|(p, t)| file(p, t)).collect()
        };
        build(updated.path(), &model(), all(&state)).unwrap();
        let mut merge = None;
        for doing in doings {
            let steps = match doing {
                Doing::Prepare => {
                    merge = Merge::prepare(updated.path()).unwrap();
                    continue;
                }
                Doing::Install => {
                    merge.take().map(|merge| merge.install(updated.path()).unwrap());
                    continue;
                }
                Doing::Change(steps) => steps,
            };
            for one in steps {
                let index = Index::open_tables(updated.path()).unwrap();
                let (changed, removed) = match one {
                    Step::Write(f, words) => {
                        let (path, text) = (format!("src/f{f}.rs"), text_of(&words));
                        state.insert(path.clone(), text.clone());
                        (vec![file(&path, &text)], Vec::new())
                    }
                    Step::Remove(f) => {
                        let path = format!("src/f{f}.rs");
                        state.remove(&path);
                        (Vec::new(), vec![path])
                    }
                };
                append(&index, updated.path(), changed, &removed).unwrap();
            }
        }
        build(clean.path(), &model(), all(&state)).unwrap();
        let (a, b) = (Index::open(updated.path()).unwrap(), Index::open(clean.path()).unwrap());
        prop_assert_eq!(a.content_hashes(), b.content_hashes());
        prop_assert_eq!((a.chunk_count(), a.lengths), (b.chunk_count(), b.lengths));
        for query in ["retry backoff", "parseConfig", "設定", "src/f3.rs"] {
            prop_assert_eq!(ask(&a, query), ask(&b, query));
        }
    }
}

#[test]
fn a_file_that_keeps_changing_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let many: Vec<Prepared> = (0..100)
        .map(|i| file(&format!("f{i:02}.rs"), "open the socket"))
        .collect();
    build(folder.path(), &model(), many).unwrap();
    for round in 0..50 {
        let index = Index::open_tables(folder.path()).unwrap();
        let changed = vec![file("f07.rs", &format!("retry {round}"))];
        let due = append(&index, folder.path(), changed, &[]).unwrap();
        assert!(!due, "round {round}: one segment stands beside the first");
        assert_eq!(Manifest::read(folder.path()).unwrap().segments.len(), 2);
    }
}

#[test]
fn what_has_become_many_is_merged_with_its_like() {
    // For each case: files and dead ones of each segment, the changed files, and the number of
    // segments that stay.
    for (sizes, changed, kept) in [
        (&[(1000, 0)][..], 1, 1),
        (
            &[(1000, 6), (1, 0), (1, 0), (1, 0), (1, 0), (1, 0), (1, 0)],
            1,
            7,
        ),
        (
            &[
                (1000, 7),
                (1, 0),
                (1, 0),
                (1, 0),
                (1, 0),
                (1, 0),
                (1, 0),
                (1, 0),
            ],
            1,
            1,
        ),
        (
            &[
                (1000, 40),
                (32, 0),
                (8, 0),
                (1, 0),
                (1, 0),
                (1, 0),
                (1, 0),
                (1, 0),
            ],
            1,
            2,
        ),
        (
            &[
                (1000, 90),
                (64, 0),
                (16, 0),
                (4, 0),
                (1, 0),
                (1, 0),
                (1, 0),
                (1, 0),
            ],
            0,
            2,
        ),
        (
            &[
                (4000, 0),
                (700, 0),
                (200, 0),
                (60, 0),
                (18, 0),
                (5, 0),
                (1, 0),
                (1, 1),
            ],
            1,
            6,
        ),
        (&[(1000, 300), (210, 0)], 1, 0),
        (&[(0, 0)], 3, 0),
    ] {
        assert_eq!(
            merge::count_segments_to_keep(sizes, changed),
            kept,
            "{sizes:?}"
        );
    }
}

#[test]
fn segments_written_early_answer_like_a_clean_build_and_merge_into_its_bytes() {
    let (early, clean) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let all: Vec<Prepared> = (0..100)
        .map(|i| {
            file(
                &format!("src/f{i:02}.rs"),
                &text_of(&[i % 12, (i * 5) % 12, i % 7]),
            )
        })
        .collect();
    build(clean.path(), &model(), all.clone()).unwrap();
    let mut spill = PendingSegments::new(early.path(), &model());
    for some in all.chunks(7) {
        spill.write(some.to_vec()).unwrap();
    }
    assert_eq!(spill.paths().unwrap().len(), 100);
    spill.commit(true, &[]).unwrap();
    let (index, whole) = (
        Index::open(early.path()).unwrap(),
        Index::open(clean.path()).unwrap(),
    );
    assert_eq!(index.parts.len(), 15);
    assert_eq!(index.content_hashes(), whole.content_hashes());
    for query in ["open socket", "retry", "user_id"] {
        assert_eq!(ask(&index, query), ask(&whole, query), "{query}");
    }
    // Segments too large to be read at once stay as they are.
    assert!(
        Merge::prepare_with_limit(early.path(), 16)
            .unwrap()
            .is_none()
    );
    let changed = vec![file("src/f03.rs", "render token")];
    commit_with_limit(early.path(), &model(), changed.clone(), &[], 16).unwrap();
    assert!(Index::open(early.path()).unwrap().parts.len() > 15);
    let merge = Merge::prepare(early.path()).unwrap().unwrap();
    merge.install(early.path()).unwrap();
    let anew = tempfile::tempdir().unwrap();
    let rest = all.into_iter().filter(|f| f.path != changed[0].path);
    let rest = rest.chain(changed.clone()).collect();
    build(anew.path(), &model(), rest).unwrap();
    let bytes = |folder: &Path| {
        let index = Index::open(folder).unwrap();
        assert_eq!(index.parts.len(), 1);
        std::fs::read(index.parts[0].segment.path_on_disk()).unwrap()
    };
    assert!(bytes(early.path()) == bytes(anew.path()));
}

#[test]
fn an_update_written_early_replaces_what_was_there() {
    let folder = tempfile::tempdir().unwrap();
    let before: Vec<Prepared> = (0..20)
        .map(|i| file(&format!("f{i:02}.rs"), "open socket"))
        .collect();
    build(folder.path(), &model(), before).unwrap();
    let mut spill = PendingSegments::new(folder.path(), &model());
    spill
        .write(
            (0..5)
                .map(|i| file(&format!("f{i:02}.rs"), "evict cache"))
                .collect(),
        )
        .unwrap();
    spill
        .write(
            (5..9)
                .map(|i| file(&format!("f{i:02}.rs"), "evict token"))
                .collect(),
        )
        .unwrap();
    spill.commit(false, &["f19.rs".to_owned()]).unwrap();
    let index = Index::open(folder.path()).unwrap();
    assert_eq!(index.file_count(), 19);
    let with_word = |query| {
        let request = Request {
            query,
            mode: RankMode::Keyword,
            limit: 20,
            filter: &Filter::default(),
            min_relevance: 0.0,
            following_relevance: 0.0,
            project: None,
            tuning: &Tuning::default(),
        };
        search(&index, None, &request).chunks.len()
    };
    assert_eq!(with_word("evict"), 9);
    assert_eq!(with_word("socket"), 10);
}

#[test]
fn pieces_have_the_files_of_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let text = |number: usize| {
        let words = (0..number % 7 + 1).map(|at| format!("word{number}x{at} shared"));
        words.collect::<Vec<_>>().join("\n\n")
    };
    let path = |number: usize| format!("folder{}/file{number}", number % 3);
    let files = (0..40).map(|number| file(&path(number), &text(number)));
    build(folder.path(), &model(), files.collect()).unwrap();
    let changed = vec![file("new", "alone shared")];
    let before = Index::open_tables(folder.path()).unwrap();
    append(&before, folder.path(), changed, &[path(4)]).unwrap();
    let index = Index::open(folder.path()).unwrap();
    let read = |most: u64| {
        let (mut all, mut pieces) = (Vec::new(), Vec::new());
        let keep = |path: &str| (!path.ends_with('7')).then_some(9);
        let is_whole = index.read_back_files(keep, most, &mut |files| {
            pieces.push(files.iter().map(Prepared::memory_size).sum::<u64>());
            all.extend(files);
            Ok::<(), ()>(())
        });
        assert_eq!(is_whole, Ok(true));
        (all, pieces)
    };
    let (whole, pieces) = read(u64::MAX);
    assert_eq!((whole.len(), pieces.len()), (36, 2));
    let most = pieces[0] / 5;
    let (parts, pieces) = read(most);
    assert_eq!(parts, whole);
    // What is estimated is near what is taken.
    assert!(pieces.len() >= 5 && pieces.iter().all(|taken| *taken <= most));
    assert_eq!(read(1).1.len(), 36);
}
