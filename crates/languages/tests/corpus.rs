//! Each language's miniature corpus: small programs with the truth of their calls written beside them.
//!
//! A program is a folder `src/LANGUAGE/corpus/PROGRAM`. The truth is in a comment at the end of a line:
//!
//! ```text
//! shape.area() + helper(2);  // calls geometry.ts:Circle.area, :helper
//! ```
//!
//! `:name` is a definition in the same file. A target may end in `@LINE`, which is needed where a file defines a name
//! several times. The comment lists all targets of the line's call sites within the program: a line without a comment has
//! none. Known errors stay visible: `(missed)` marks a true target that is not found, `(wrong)` a target that is found but
//! not true. A mark that is no longer needed fails the test, so that the corpus always shows the present state.
//!
//! Each program is read twice, with the line ends of Unix and with those of Windows.

use base::Language;
use linker::{FileId, GlobalDef, LinkOutcome, Manifest, Repo, link_file};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use syntax::facts::{CallKind, FileFacts};

/// The mark of a target in a line's comment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mark {
    Right,
    Missed,
    Wrong,
}

/// The targets of each line, by path and line.
type Truth = BTreeMap<(String, u32), BTreeMap<String, Mark>>;

/// Counts of one language.
#[derive(Default, Clone, Copy, PartialEq, Debug)]
struct Score {
    right: usize,
    missed: usize,
    wrong: usize,
}

#[test]
fn c_programs_lead_where_their_comments_say() {
    check_language("c", [146, 1, 0]);
}

#[test]
fn cpp_programs_lead_where_their_comments_say() {
    check_language("cpp", [517, 13, 4]);
}

#[test]
fn csharp_programs_lead_where_their_comments_say() {
    check_language("csharp", [679, 0, 0]);
}

#[test]
fn go_programs_lead_where_their_comments_say() {
    check_language("go", [354, 5, 6]);
}

#[test]
fn java_programs_lead_where_their_comments_say() {
    check_language("java", [522, 11, 1]);
}

#[test]
fn kotlin_programs_lead_where_their_comments_say() {
    check_language("kotlin", [447, 2, 0]);
}

#[test]
fn lua_programs_lead_where_their_comments_say() {
    check_language("lua", [141, 52, 5]);
}

#[test]
fn php_programs_lead_where_their_comments_say() {
    check_language("php", [408, 29, 2]);
}

#[test]
fn python_programs_lead_where_their_comments_say() {
    check_language("python", [744, 61, 26]);
}

#[test]
fn ruby_programs_lead_where_their_comments_say() {
    check_language("ruby", [524, 11, 0]);
}

#[test]
fn rust_programs_lead_where_their_comments_say() {
    check_language("rust", [549, 21, 5]);
}

#[test]
fn scala_programs_lead_where_their_comments_say() {
    check_language("scala", [273, 1, 0]);
}

#[test]
fn shell_programs_lead_where_their_comments_say() {
    check_language("shell", [239, 21, 5]);
}

#[test]
fn swift_programs_lead_where_their_comments_say() {
    check_language("swift", [623, 0, 0]);
}

#[test]
fn typescript_programs_lead_where_their_comments_say() {
    check_language("typescript", [439, 32, 7]);
}

/// Checks all programs of a language. `expected` counts the targets that are right, missed and wrong: whoever adds a
/// program or mends linking writes down what that changed.
fn check_language(language: &str, expected: [usize; 3]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("src")
        .join(language)
        .join("corpus");
    let found = subfolders(&folder);
    for line_end in ["\n", "\r\n"] {
        let mut score = Score::default();
        let mut complaints = String::new();
        for program in &found {
            let name = program
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            for complaint in check_program(program, line_end, &mut score) {
                complaints.push_str(&format!("{language}/{name}/{complaint}\n"));
            }
        }
        assert!(complaints.is_empty(), "{line_end:?}:\n{complaints}");
        let counted = [score.right, score.missed, score.wrong];
        assert_eq!(
            counted, expected,
            "right, missed and wrong targets of {language} with {line_end:?}"
        );
    }
}

fn check_program(folder: &Path, line_end: &str, score: &mut Score) -> Vec<String> {
    let mut truth = Truth::new();
    let mut sources: Vec<(Arc<str>, Arc<FileFacts>)> = Vec::new();
    let mut manifests = Vec::new();
    for path in files_below(folder) {
        let text = std::fs::read_to_string(&path).expect("a text of the corpus");
        let text = text.replace("\r\n", "\n").replace('\n', line_end);
        let relative = path.strip_prefix(folder).expect("a path below the program");
        let relative: Arc<str> = relative.to_string_lossy().replace('\\', "/").into();
        match Language::from_path(&relative) {
            Some(language) => {
                read_truth(&relative, &text, &mut truth);
                sources.push((relative, Arc::new(languages::extract(language, &text))));
            }
            None => manifests.push(Manifest {
                path: relative,
                text: text.into(),
            }),
        }
    }
    sources.sort_by(|a, b| a.0.cmp(&b.0));
    let repo = Repo::new(sources, manifests);
    let found = linked_targets(&repo);
    compare(&repo, &truth, &found, score)
}

/// The comments of a file.
fn read_truth(path: &str, text: &str, truth: &mut Truth) {
    for (number, line) in text.lines().enumerate() {
        let comment = ["// calls ", "# calls ", "-- calls "]
            .iter()
            .find_map(|lead| line.split_once(lead));
        let Some((_, targets)) = comment else {
            continue;
        };
        let targets = targets.trim_end_matches("*/").split(',').map(|target| {
            let (target, mark) = match target.trim() {
                t if t.ends_with("(missed)") => (t.trim_end_matches("(missed)"), Mark::Missed),
                t if t.ends_with("(wrong)") => (t.trim_end_matches("(wrong)"), Mark::Wrong),
                t => (t, Mark::Right),
            };
            let target = target.trim();
            let full = match target.strip_prefix(':') {
                Some(name) => format!("{path}:{name}"),
                None => target.to_owned(),
            };
            (full, mark)
        });
        truth.insert((path.to_owned(), number as u32 + 1), targets.collect());
    }
}

/// The targets of the call sites of each line within the program.
fn linked_targets(repo: &Repo) -> BTreeMap<(String, u32), BTreeSet<GlobalDef>> {
    let tables = languages::tables(repo);
    let mut found: BTreeMap<(String, u32), BTreeSet<GlobalDef>> = BTreeMap::new();
    for (id, file) in repo.files() {
        let linked = link_file(repo, &tables, id);
        for (site, outcome) in file.facts.calls.iter().zip(&linked.calls) {
            if let LinkOutcome::Targets(targets, _) = outcome
                && site.kind != CallKind::Literal
            {
                let line = (file.path.to_string(), site.line);
                found
                    .entry(line)
                    .or_default()
                    .extend(targets.iter().copied());
            }
        }
    }
    found
}

/// The differences between the comments and the linked targets.
fn compare(
    repo: &Repo,
    truth: &Truth,
    found: &BTreeMap<(String, u32), BTreeSet<GlobalDef>>,
    score: &mut Score,
) -> Vec<String> {
    let mut complaints = Vec::new();
    let nothing = BTreeSet::new();
    for ((path, line), targets) in truth {
        let here = found.get(&(path.clone(), *line)).unwrap_or(&nothing);
        for (target, mark) in targets {
            let is_found = here.iter().any(|def| names(repo, *def).contains(target));
            match (mark, is_found) {
                (Mark::Right, true) => score.right += 1,
                (Mark::Missed, false) => score.missed += 1,
                (Mark::Wrong, true) => score.wrong += 1,
                (Mark::Right, false) => {
                    complaints.push(format!("{path}:{line}: {target} is not found"))
                }
                (Mark::Missed, true) => {
                    complaints.push(format!(
                        "{path}:{line}: {target} is found now: take the mark away"
                    ));
                }
                (Mark::Wrong, false) => {
                    complaints.push(format!(
                        "{path}:{line}: {target} is not claimed any more: take it away"
                    ));
                }
            }
        }
    }
    for ((path, line), targets) in found {
        let expected = truth.get(&(path.clone(), *line));
        for target in targets {
            let names = names(repo, *target);
            if !expected
                .is_some_and(|expected| names.iter().any(|name| expected.contains_key(name)))
            {
                complaints.push(format!(
                    "{path}:{line}: {} is found, and not written",
                    names[1]
                ));
            }
        }
    }
    complaints.sort();
    complaints
}

/// The ways to write a definition: `file:name` and `file:name@line`.
fn names(repo: &Repo, def: GlobalDef) -> [String; 2] {
    let file: FileId = def.file;
    let plain = format!("{}:{}", repo.file(file).path, repo.qualified_name(def));
    let line = repo.facts(file).defs[def.def.index()].name_line;
    let with_line = format!("{plain}@{line}");
    [plain, with_line]
}

fn subfolders(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder of a corpus");
    let mut folders: Vec<PathBuf> = entries
        .flatten()
        .map(|e| e.path())
        .filter(|p| p.is_dir())
        .collect();
    folders.sort();
    folders
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder)
            .expect("a folder of the corpus")
            .flatten()
        {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}
