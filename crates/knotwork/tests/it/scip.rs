//! `knotwork scip parse`: messages and exit codes.

use crate::common::{json, knotwork};
use testkit::Repo;

fn repo() -> Repo {
    Repo::new(
        "//- .git/HEAD\nref\n//- a.ts\nexport function f() { return g(); }\nfunction g() { return 1; }\n",
    )
}

/// A SCIP index with its metadata and one document without occurrences.
pub(crate) fn index() -> Vec<u8> {
    let field = |number: u8, bytes: &[u8]| {
        let mut out = vec![number << 3 | 2, bytes.len() as u8];
        out.extend(bytes);
        out
    };
    let tool = [field(1, b"scip-test"), field(2, b"1.0")].concat();
    let metadata = field(2, &tool);
    let document = [field(4, b"typescript"), field(1, b"a.ts")].concat();
    [field(1, &metadata), field(2, &document)].concat()
}

#[test]
fn an_index_that_is_not_there_is_named_with_its_command() {
    let said = knotwork(&repo(), &["scip", "parse"]);
    assert_eq!(said.code, 1);
    assert!(
        said.stderr.contains("SCIP index not found: index.scip"),
        "{said:?}"
    );
    assert!(
        said.stderr.contains("hint:") && said.stderr.contains("npx scip-typescript"),
        "{said:?}"
    );
}

#[test]
fn an_index_is_imported_and_counted() {
    let repo = repo();
    std::fs::write(repo.file_path("index.scip"), index()).unwrap();
    let answer = json(&repo, &["scip", "parse"]);
    assert_eq!(answer["source"], "scip");
    assert_eq!(answer["confidence"], "high");
    assert_eq!(answer["documents"], 1);
    for count in ["symbols", "occurrences"] {
        assert!(answer[count].is_u64(), "{answer}");
    }
    assert!(answer["edges"].is_object());
    let again = knotwork(&repo, &["scip", "parse", "--incremental"]);
    assert!(
        again.stderr.contains("Database up-to-date, skipping parse"),
        "{again:?}"
    );
    let forced = knotwork(&repo, &["scip", "parse", "--force"]);
    assert!(
        forced
            .stderr
            .contains("Force rebuild: cleared existing data"),
        "{forced:?}"
    );
    std::thread::sleep(std::time::Duration::from_millis(20));
    std::fs::write(repo.file_path("index.scip"), index()).unwrap();
    let newer = knotwork(&repo, &["scip", "parse", "--incremental"]);
    assert!(
        newer
            .stderr
            .contains("Incremental update: index newer than database"),
        "{newer:?}"
    );
}

#[test]
fn a_damaged_index_is_refused_where_no_fallback_is_wanted() {
    let repo = repo();
    repo.write("index.scip", "this is no index");
    let off = "features.scip_parser.fallback_regex=false";
    let said = knotwork(&repo, &["--set", off, "scip", "parse"]);
    assert_eq!(said.code, 3, "{said:?}");
    assert!(said.stderr.contains("SCIP parsing failed"), "{said:?}");
    assert!(!repo.file_path(".devbooks/graph.db").exists());
}

#[test]
fn ct_sp_002_a_damaged_index_falls_back_to_syntax_trees() {
    let repo = repo();
    repo.write("index.scip", "this is no index");
    let said = knotwork(&repo, &["scip", "parse", "--format", "json"]);
    assert_eq!(said.code, 0, "{said:?}");
    assert!(
        said.stderr
            .contains("SCIP parsing failed, falling back to regex matching"),
        "{said:?}"
    );
    let answer: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(answer["confidence"], "low");
    let chain = json(&repo, &["call-chain", "g"]);
    assert_eq!(chain["paths"][0]["callers"][0]["symbol_name"], "f");
}
