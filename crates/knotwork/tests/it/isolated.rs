//! Parsers in separate processes: a parser that crashes or hangs costs one file.

use crate::common::{json, knotwork};
use base::Language;
use serde_json::json;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use testkit::Repo;

/// The longest wait. It is not a measurement, since test machines are slow.
const PATIENCE: Duration = Duration::from_secs(300);

/// An annotation in a last line without a line end, where the scanner looks for white space.
const KOTLIN: &str = "class A\n@B";

/// Heredoc words that fill the scanner's state plus one byte. Each word by itself fits.
fn ruby() -> String {
    let words = [200, 200, 200, 200, 100, 99];
    let words: Vec<String> = words
        .iter()
        .zip('A'..)
        .map(|(length, letter)| letter.to_string().repeat(*length))
        .collect();
    let openings: Vec<String> = words.iter().map(|word| format!("<<{word}")).collect();
    let bodies: String = words
        .iter()
        .map(|word| format!("marmalade #{{1}}\n{word}\n"))
        .collect();
    format!("class Pantry\nend\nx = [{}]\n{bodies}", openings.join(", "))
}

/// A heredoc word whose length needs more than one byte.
fn long_word() -> String {
    let word = "A".repeat(300);
    format!("class Cellar\nend\nx = <<{word}\nhello #{{1}}\n{word}\n")
}

/// So many open blocks that one more string overflows the scanner.
fn python() -> String {
    let blocks = (0..511).map(|level| format!("{}if a:\n", " ".repeat(level)));
    let blocks: String = blocks.collect();
    format!("{blocks}{}x = 'y'\n", " ".repeat(511))
}

fn hostile() -> Repo {
    let repo =
        Repo::new("//- good.rb\nclass Good\n  def jam\n  end\nend\n//- good.rs\nfn fine() {}\n");
    repo.write("end.kt", KOTLIN);
    repo.write("full.rb", &ruby());
    repo.write("word.rb", &long_word());
    repo.write("deep.py", &python());
    repo
}

/// Runs the binary; it must succeed in time.
fn ends_well(repo: &Repo, words: &[&str]) {
    let started = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_knotwork"))
        .args(words)
        .current_dir(repo.path())
        .env("XDG_CONFIG_HOME", repo.file_path("no-configuration"))
        .env("KNOTWORK_CACHE_SHARED", "false")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if started.elapsed() > PATIENCE {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("{words:?} does not end");
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    assert!(status.success(), "{words:?}: {status}");
}

#[test]
fn a_file_that_ends_its_parser_is_skipped_and_all_others_are_there() {
    let repo = hostile();
    let skipped = json!({"full.rb": "parsing failed"});
    for words in [&["index"][..], &["index"][..], &["index", "--force"][..]] {
        ends_well(&repo, words);
        let status = json(&repo, &["index", "status"]);
        assert_eq!(status["skipped_files"], skipped, "{words:?}: {status}");
        assert_eq!(status["languages"]["kotlin"], 1, "{status}");
        assert_eq!(status["languages"]["ruby"], 2, "{status}");
        assert_eq!(status["languages"]["python"], 1, "{status}");
        assert_eq!(status["index"]["fresh"], true, "{status}");
    }
    let named = knotwork(&repo, &["index", "status"]);
    assert!(
        named.stdout.contains("full.rb: parsing failed"),
        "{named:?}"
    );
    // The file's text is still found.
    let found = json(&repo, &["search", "marmalade"]);
    assert!(found.to_string().contains("full.rb"), "{found}");
    // Other changed files are read, and the file itself once it parses again.
    repo.write("good.rs", "fn better() {}\n");
    ends_well(&repo, &["index"]);
    let status = json(&repo, &["index", "status"]);
    assert_eq!(status["skipped_files"], skipped, "{status}");
    repo.write("full.rb", "class Pantry\nend\n");
    ends_well(&repo, &["index"]);
    let status = json(&repo, &["index", "status"]);
    assert_eq!(status["skipped_files"], json!({}), "{status}");
    assert_eq!(status["languages"]["ruby"], 3, "{status}");
}

#[test]
fn calls_to_other_programs_come_from_workers() {
    let repo = Repo::new(
        "//- routes.php\n<?php\nRoute::get('/users/{id}', [UserController::class, 'show']);\n//- UserController.php\n<?php\nclass UserController {\n    public function show($id) {}\n}\n//- Client.cs\nclass Client {\n    async Task Load() { await httpClient.GetAsync(\"/users/7\"); }\n}\n//- load.kt\nfun load(id: String) = client.get(\"/users/$id\")\n",
    );
    ends_well(&repo, &["index"]);
    let status = json(&repo, &["index", "status"]);
    assert_eq!(status["skipped_files"], json!({}), "{status}");
    let answer = json(&repo, &["impact", "UserController.show"]);
    assert!(answer.to_string().contains("load.kt"), "{answer}");
}

#[test]
fn definitions_come_from_workers() {
    let repo = Repo::new(
        "//- a.kt\nclass Kettle {\n    fun boil() {}\n}\n//- b.php\n<?php\nfunction pour() {}\n",
    );
    ends_well(&repo, &["index"]);
    for name in ["boil", "pour"] {
        let found = json(&repo, &["call-chain", name]);
        assert!(found.to_string().contains(name), "{found}");
    }
}

/// Sources for which error recovery copies all open state for each alternative: a file of this size takes
/// gigabytes.
#[cfg(target_os = "linux")]
#[test]
fn recovery_that_takes_too_much_memory_costs_its_file() {
    let repo = Repo::new("//- fine.go\npackage fine\n\nfunc Fine() {}\n");
    repo.write(
        "a.c",
        &format!("int f() {{\n{}", "x => x => x => x =>\n".repeat(1_000)),
    );
    repo.write("A.java", &"x => x => x => x =>\n".repeat(1_000));
    repo.write("a.rs", &"x ( = > x ( = > x ( = >\n".repeat(1_000));
    ends_well(&repo, &["index"]);
    let status = json(&repo, &["index", "status"]);
    let why = "parsing took too much memory";
    let skipped = json!({"a.c": why, "A.java": why, "a.rs": why});
    assert_eq!(status["skipped_files"], skipped, "{status}");
    assert_eq!(status["languages"]["go"], 1, "{status}");
}

#[test]
fn calls_of_other_programs_come_from_workers() {
    let repo = Repo::new(
        "//- web.php\n<?php\nRoute::get('/users/{id}', [Users::class, 'show']);\nfunction pour() {}\n",
    );
    ends_well(&repo, &["index"]);
    let status = json(&repo, &["index", "status"]);
    assert_eq!(status["skipped_files"], json!({}), "{status}");
    let found = json(&repo, &["call-chain", "pour"]);
    assert!(found.to_string().contains("pour"), "{found}");
}

/// Unnatural variants of a source: cut, repeated, opened and never closed.
fn variants(sample: &str) -> Vec<String> {
    let cut = |part: usize| {
        let at = sample.len() * part / 16;
        let at = (0..=at).rfind(|at| sample.is_char_boundary(*at));
        at.unwrap_or(0)
    };
    let mut all: Vec<String> = (0..16).map(|part| sample[..cut(part)].to_owned()).collect();
    all.extend((1..16).map(|part| sample[cut(part)..].trim_end().to_owned()));
    let mut words: Vec<&str> = sample.split_whitespace().collect();
    words.sort_unstable();
    words.dedup();
    for word in words.iter().step_by(words.len().div_ceil(20)) {
        all.push(word.repeat(400));
        all.push(format!("{sample}{}", format!("{word} ").repeat(300)));
        all.push(format!("{sample}\n{}", format!("{word}\n").repeat(300)));
    }
    for open in [
        "\"", "'", "`", "(", "[", "{", "<<A", "/*", "@", "#", "${", "\\", "%q(", "R\"(", "$'",
        "<<<X\n", "\"\"\"", "\0",
    ] {
        all.push(open.repeat(300));
        all.push(format!("{sample}{open}"));
        all.push(format!("{sample}{}", format!("{open}\n").repeat(200)));
    }
    all
}

#[test]
fn damaged_sources_of_every_isolated_language_stop_nobody() {
    for language in Language::ALL.into_iter().filter(|l| l.is_isolated()) {
        let sample = format!("../../fuzz/corpus/facts_{language}/sample");
        let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join(sample);
        let sample = std::fs::read_to_string(sample).unwrap();
        let extension = language.profile().extensions[0];
        let repo = Repo::new("//- fine.go\npackage fine\n\nfunc Fine() {}\n");
        for (at, source) in variants(&sample).iter().enumerate() {
            repo.write(&format!("src/f{at}.{extension}"), source);
        }
        ends_well(&repo, &["index"]);
        let status = json(&repo, &["index", "status"]);
        assert_eq!(status["languages"]["go"], 1, "{language}: {status}");
        let read = status["languages"][language.as_str()].as_u64().unwrap_or(0);
        let skipped = status["skipped_files"].as_object().map_or(0, |s| s.len());
        assert!(read > skipped as u64, "{language}: {status}");
    }
}

#[test]
fn a_worker_is_no_command() {
    let repo = Repo::new("//- a.rs\nfn a() {}\n");
    let said = knotwork(&repo, &["--help"]);
    assert!(!said.stdout.contains("parse-worker"), "{said:?}");
    let said = knotwork(&repo, &["index", "--parse-worker"]);
    assert_eq!(said.code, 1, "{said:?}");
}
