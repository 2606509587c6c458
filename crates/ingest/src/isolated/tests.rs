//! Workers that hang, crash, send invalid answers or were damaged: only the affected file is lost.

use super::*;
use base::SymbolKind;
use std::os::unix::fs::PermissionsExt;
use tempfile::TempDir;

/// A script instead of this program, with its folder.
struct Fake {
    folder: TempDir,
    workers: Workers,
}

const SOURCE: &str = "a\nb\n";
/// Bytes of a request for the source, with the length before it.
const REQUEST: usize = 4 + 6 + SOURCE.len();

/// A shell command that writes these bytes as a frame.
fn say(bytes: &[u8]) -> String {
    let length = (bytes.len() as u32).to_le_bytes();
    let all = length.iter().chain(bytes);
    let octal: String = all.map(|byte| format!("\\{byte:03o}")).collect();
    format!("printf '{octal}'")
}

/// The same, with a processor time of zero before the bytes.
fn answer(bytes: &[u8]) -> String {
    say(&protocol::join_answer(Duration::ZERO, bytes))
}

impl Fake {
    /// A worker that greets properly and then runs `then`.
    fn new(then: &str) -> Fake {
        Fake::greeting(&protocol::greeting(), then)
    }

    fn greeting(greeting: &[u8], then: &str) -> Fake {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("worker");
        let starts = folder.path().join("starts");
        let script = format!(
            "#!/bin/sh\necho x >> '{}'\n{}\nnext() {{ head -c {REQUEST} > /dev/null; }}\n{then}\n",
            starts.display(),
            say(greeting)
        );
        std::fs::write(&program, script).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        let options = WorkerOptions {
            time: (Duration::from_millis(200), Duration::ZERO),
            wait: 3,
            ..WorkerOptions::new(&program, "argument")
        };
        Fake {
            folder,
            workers: Workers::new(options),
        }
    }

    fn facts(&self) -> FileFacts {
        self.workers.extract(Language::Dart, SOURCE, &|| false)
    }

    fn lines(&self) -> Vec<bool> {
        self.workers.code_lines(Language::Dart, SOURCE)
    }

    /// The number of workers that were started.
    fn starts(&self) -> usize {
        let starts = std::fs::read_to_string(self.folder.path().join("starts"));
        starts.unwrap_or_default().lines().count()
    }
}

#[test]
fn a_file_whose_worker_fails_has_no_facts_and_is_not_tried_again() {
    let nonsense = format!("next; {}", answer(b"nonsense"));
    let nothing = format!("next; {}", say(b""));
    let cases: [(&str, Unparsed); 8] = [
        ("exec sleep 1000", Unparsed::TooSlow),
        ("next; exit 86", Unparsed::TooSlow),
        ("next; exit 87", Unparsed::TooLarge),
        ("next; kill -ABRT $$", Unparsed::Failed),
        ("next; exit 0", Unparsed::Failed),
        ("next; exec yes", Unparsed::Failed),
        (&nonsense, Unparsed::Failed),
        (&nothing, Unparsed::Failed),
    ];
    for (then, why) in cases {
        let fake = Fake::new(then);
        let facts = fake.facts();
        assert_eq!(facts.unparsed, Some(why), "{then}");
        assert!(facts.parse_gave_up && facts.defs.is_empty(), "{then}");
        assert_eq!(facts.lines, 2, "{then}");
        assert_eq!(fake.facts(), facts, "{then}");
        assert_eq!(fake.starts(), 1, "{then}");
    }
}

#[test]
fn an_end_from_outside_says_nothing_of_the_file() {
    let fake = Fake::new("next; kill -KILL $$");
    assert_eq!(fake.facts().unparsed, Some(Unparsed::Interrupted));
    assert_eq!(fake.facts().unparsed, Some(Unparsed::Interrupted));
    assert_eq!(fake.starts(), 2);
}

#[test]
fn a_worker_that_was_damaged_before_is_no_judge() {
    let right = answer(&[1, 0]);
    let fake = Fake::new(&format!("next; {right}; next; kill -ABRT $$"));
    for starts in 1..4 {
        assert_eq!(fake.lines(), [true, false]);
        assert_eq!(fake.starts(), starts);
    }
}

#[test]
fn one_worker_answers_one_after_the_other() {
    let right = answer(&[0, 1]);
    let fake = Fake::new(&format!("while next; do {right}; done"));
    for _ in 0..3 {
        assert_eq!(fake.lines(), [false, true]);
    }
    assert_eq!(fake.starts(), 1);
}

#[test]
fn lines_that_are_not_known_count_as_code() {
    let fake = Fake::new(&format!("next; {}", answer(&[1, 0, 1])));
    assert_eq!(fake.lines(), [true, true]);
}

#[test]
fn without_a_worker_it_is_parsed_here() {
    let here = languages::extract_here(Language::Dart, SOURCE, &|| false);
    let other = Fake::greeting(b"another version", "exec sleep 9");
    assert_eq!(other.facts(), here);
    assert_eq!(other.facts(), here);
    assert_eq!(other.starts(), 1);
    let missing = WorkerOptions::new(Path::new("/nowhere/program"), "argument");
    let workers = Workers::new(missing);
    let facts = workers.extract(Language::Dart, SOURCE, &|| false);
    assert_eq!(facts, here);
}

#[test]
fn who_stops_waits_for_nobody() {
    let fake = Fake::new("exec sleep 1000");
    let facts = fake.workers.extract(Language::Dart, SOURCE, &|| true);
    assert_eq!(facts.unparsed, Some(Unparsed::NotTried));
}

#[test]
fn facts_of_other_sources_are_not_believed() {
    let source = "class A {\n  void b() {}\n}\n";
    let facts = languages::extract_here(Language::Dart, source, &|| false);
    assert_eq!(facts.defs[0].kind, SymbolKind::Class);
    let written = protocol::write_facts(&facts).unwrap();
    let read = |language, source| protocol::read_facts(&written, language, source);
    assert_eq!(read(Language::Dart, source), Some(facts));
    assert_eq!(read(Language::Kotlin, source), None);
    assert_eq!(read(Language::Dart, "class A"), None);
    for cut in 0..written.len() {
        // The result is either facts of the source or nothing.
        let read = protocol::read_facts(&written[..cut], Language::Dart, source);
        assert!(read.is_none_or(|facts| facts.are_sound_names_of(source)));
    }
    for at in 0..written.len() {
        let mut other = written.clone();
        other[at] ^= 0x55;
        let read = protocol::read_facts(&other, Language::Dart, source);
        assert!(read.is_none_or(|facts| facts.are_sound_names_of(source)));
    }
}

#[test]
fn requests_are_read_as_they_were_written() {
    let wanted = ParseRequest {
        request: Request::CodeLines,
        language: Language::Kotlin,
        source: "é",
    };
    let bytes = wanted.encode(Duration::from_millis(70));
    let (read, limit) = ParseRequest::decode(&bytes).unwrap();
    assert_eq!(
        (read.request, read.language, read.source),
        (Request::CodeLines, Language::Kotlin, "é")
    );
    assert_eq!(limit, Duration::from_millis(70));
    assert!(ParseRequest::decode(&bytes[..5]).is_none());
    assert!(ParseRequest::decode(&bytes[..bytes.len() - 1]).is_none());
    assert!(ParseRequest::decode(&[9, 0, 0, 0, 0, 0]).is_none());
}
