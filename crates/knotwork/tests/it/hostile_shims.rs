//! The wrappers with older names in a hostile repository: links in place of state, committed state, programs in git's
//! configuration, names that look like options.

use crate::common::{knotwork, knotwork_with};
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};
use testkit::{CommandOutput, Repo};

fn shim(repo: &Repo, words: &[&str]) -> CommandOutput {
    shim_with(repo, &[], words)
}

fn shim_with(repo: &Repo, environment: &[(&str, &str)], words: &[&str]) -> CommandOutput {
    let all: Vec<&str> = std::iter::once("shim")
        .chain(words.iter().copied())
        .collect();
    knotwork_with(repo, environment, &all)
}

fn shim_json(repo: &Repo, words: &[&str]) -> Value {
    let said = shim(repo, words);
    assert_eq!((said.code, said.stderr.as_str()), (0, ""), "{said:?}");
    serde_json::from_str(&said.stdout).unwrap_or_else(|e| panic!("{e}: {said:?}"))
}

/// The call that reads facts from a project's files.
const FACTS: [&str; 5] = [
    "augment-context-global",
    "--format",
    "json",
    "--prompt",
    "x",
];

/// The call that reads the stored text for `a.txt`.
const GET_TEXT: [&str; 5] = ["cache-manager", "--get", "a.txt", "--query", "q"];

/// The call that stores a text for `a.txt`.
fn set_text(text: &str) -> [&str; 7] {
    [
        "cache-manager",
        "--set",
        "a.txt",
        "--query",
        "q",
        "--value",
        text,
    ]
}

/// Adds a question to the conversation.
fn save_question<'w>(query: &'w str, symbols: &'w str) -> [&'w str; 7] {
    [
        "intent-learner",
        "context",
        "save",
        "--query",
        query,
        "--symbols",
        symbols,
    ]
}

fn facts(repo: &Repo) -> Value {
    shim_json(repo, &FACTS)
}

/// The names and contents of a folder's files.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    for entry in folder.read_dir().unwrap().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().is_dir() {
            let inner = contents(&entry.path());
            all.push((format!("{name}/"), Vec::new()));
            all.extend(inner.into_iter().map(|(n, b)| (format!("{name}/{n}"), b)));
        } else {
            all.push((name, fs::read(entry.path()).unwrap()));
        }
    }
    all.sort();
    all
}

/// Makes a file a minute older, so that it counts as completely written.
fn settle(path: &Path) {
    let file = fs::File::options().write(true).open(path).unwrap();
    let time = std::time::SystemTime::now() - std::time::Duration::from_secs(60);
    file.set_modified(time).unwrap();
}

#[test]
fn git_is_not_asked_with_the_configuration_of_the_repository() {
    let repo = Repo::new("//- a.txt\none\n//- .gitattributes\n*.txt filter=evil\n");
    repo.commit_all();
    let ran = repo.file_path("ran");
    let program = format!("touch '{}'; cat", ran.display());
    let mut config = fs::OpenOptions::new()
        .append(true)
        .open(repo.file_path(".git/config"))
        .unwrap();
    writeln!(
        config,
        "[filter \"evil\"]\n\tclean = \"{program}\"\n[core]\n\tfsmonitor = \"{program}\""
    )
    .unwrap();
    drop(config);
    // The size is the same, so git must read the file.
    repo.write("a.txt", "two\n");
    let state = facts(&repo)["current_state"].clone();
    assert!(!ran.exists(), "a program of the repository ran");
    assert_eq!(state["changes"], json!([" M a.txt"]));
    assert!(!state["branch"].as_str().unwrap().is_empty(), "{state}");
}

#[test]
fn facts_of_a_project_are_read_in_it_alone_and_masked() {
    let outside = Repo::new(
        "//- specs/_meta/project-profile.md\n- the vault must be opened with PRIVATE\n//- notes.md\n- you must keep PRIVATE\n//- package.json\n{\"name\": \"PRIVATE\"}\n",
    );
    let place = outside.path().display().to_string();
    let token = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8".to_owned());
    for root in [
        place.clone(),
        "../".to_owned() + outside.path().file_name().unwrap().to_str().unwrap(),
    ] {
        let repo = Repo::new("");
        repo.write(".devbooks/config.yaml", &format!("root: {root}\n"));
        repo.write(
            "dev-playbooks/specs/_meta/project-profile.md",
            &format!("- the token must be {token}\n- it must hold\n"),
        );
        fs::create_dir_all(repo.file_path("specs/architecture")).unwrap();
        symlink(
            outside.file_path("notes.md"),
            repo.file_path("specs/architecture/c4.md"),
        )
        .unwrap();
        symlink(
            outside.file_path("package.json"),
            repo.file_path("package.json"),
        )
        .unwrap();
        let found = facts(&repo);
        let text = found.to_string();
        assert!(
            !text.contains("PRIVATE") && !text.contains(&token),
            "{text}"
        );
        assert!(text.contains("it must hold"), "{text}");
        assert!(found["note"].as_str().unwrap().contains("not instructions"));
    }
}

#[test]
fn hidden_characters_of_a_project_are_written_out() {
    let repo = Repo::new("//- package.json\n{\"name\": \"shop\u{202e}\u{e0041}\"}\n");
    let said = shim(&repo, &FACTS);
    assert!(!said.stdout.contains(['\u{202e}', '\u{e0041}']), "{said:?}");
    assert!(said.stdout.contains("\\u202e"), "{said:?}");
}

#[test]
fn a_long_prompt_has_context_and_is_no_argument() {
    let repo = Repo::new(
        "//- src/a.ts\nexport function handleToolCall() {}\nexport function main() { handleToolCall(); }\n",
    );
    assert_eq!(knotwork(&repo, &["index"]).code, 0);
    let words = ["shim", "augment-context-global", "--format", "json"];
    let mut child = Command::new(env!("CARGO_BIN_EXE_knotwork"))
        .args(words)
        .current_dir(repo.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let prompt = format!(
        "fix the bug in handleToolCall in src/a.ts. {}",
        "so it is ".repeat(30_000)
    );
    let input = json!({ "prompt": prompt }).to_string();
    assert!(input.len() > 200_000);
    let mut pipe = child.stdin.take().unwrap();
    pipe.write_all(input.as_bytes()).unwrap();
    drop(pipe);
    let done = child.wait_with_output().unwrap();
    let answer: Value = serde_json::from_slice(&done.stdout).unwrap();
    let text = answer["additionalContext"].as_str().unwrap();
    assert!(text.contains("handleToolCall"), "{text}");
}

#[test]
fn names_that_look_like_options_are_names() {
    let repo = Repo::new(
        "//- a.js\nfunction target() {}\nclass A { \"--help\"() { target(); } \"-C..\"() { target(); } }\nfunction other() { target(); }\n",
    );
    let answer = shim_json(&repo, &["impact-analyzer", "analyze", "target"]);
    let nodes = answer["affected_nodes"].as_array().unwrap();
    let names: Vec<&str> = nodes.iter().filter_map(|n| n["symbol"].as_str()).collect();
    assert!(
        names.contains(&"A.--help") && names.contains(&"other"),
        "{answer}"
    );
    for node in nodes {
        let symbol = node["symbol"].as_str().unwrap();
        let id = node["id"].as_str().unwrap();
        assert_eq!(
            shim_json(&repo, &["graph-store", "get-node", id])["id"],
            id,
            "{symbol}"
        );
    }
    let other = Repo::new("//- b.js\nfunction secretfn() {}\n");
    let folder = format!("-C{}", other.path().display());
    let said = shim(&repo, &["graph-store", "find-symbol", &folder]);
    assert_eq!((said.code, said.stdout.trim()), (0, "[]"), "{said:?}");
    let said = shim(&repo, &["graph-store", "find-symbol", &folder, "secretfn"]);
    assert!(!said.stdout.contains("b.js"), "{said:?}");
    let said = shim(&repo, &["call-chain", "--symbol=--help"]);
    assert!(said.stdout.contains("A.--help"), "{said:?}");
}

#[test]
fn scripts_are_not_written_through_links_of_a_repository() {
    let outside = Repo::new("//- mine.sh\nmine\n");
    for (link, folder) in [
        ("tools", "tools"),
        ("tools", "tools/deep"),
        ("tools", "./tools"),
    ] {
        let repo = Repo::new("//- package.json\n{}\n");
        symlink(outside.path(), repo.file_path(link)).unwrap();
        let before = contents(outside.path());
        let said = knotwork(&repo, &["shims", "install", folder]);
        assert_ne!(said.code, 0, "{folder}: {said:?}");
        assert!(said.stderr.contains("leads outside"), "{said:?}");
        assert_eq!(contents(outside.path()), before, "{folder}");
        let absolute = repo.file_path(folder).display().to_string();
        assert_ne!(knotwork(&repo, &["shims", "install", &absolute]).code, 0);
        assert_eq!(contents(outside.path()), before, "{folder}");
    }
}

#[test]
fn scripts_of_others_are_read_within_limits() {
    let repo = Repo::new("//- package.json\n{}\n//- tools/note\n\n");
    let script = repo.file_path("tools/graph-store.sh");
    let install = |more: &[&str]| knotwork(&repo, &[&["shims", "install", "tools"], more].concat());
    symlink("/dev/zero", &script).unwrap();
    let said = install(&[]);
    assert!(said.code == 1 && said.stderr.contains("exists"), "{said:?}");
    repo.make_fifo("tools/graph-store.sh");
    let said = install(&[]);
    assert!(said.code == 1 && said.stderr.contains("exists"), "{said:?}");
    assert_ne!(install(&["--force"]).code, 0);
    fs::remove_file(&script).unwrap();
    assert_eq!(install(&[]).code, 0);
    let mode = std::os::unix::fs::PermissionsExt::mode(&script.metadata().unwrap().permissions());
    assert_eq!(mode & 0o777, 0o755);
}

#[test]
fn links_in_place_of_caches_lead_nowhere() {
    let calls: [&[&str]; 7] = [
        &["cache-manager", "cache-set", "k", "v"],
        &["cache-manager", "cache-get", "k"],
        &["cache-manager", "cache-clear"],
        &["cache-manager", "--clear-l1"],
        &set_text("v"),
        &GET_TEXT,
        &save_question("q", "a::b"),
    ];
    for link in [
        ".devbooks",
        ".devbooks/cache",
        ".devbooks/cache/files",
        ".devbooks/subgraph-cache.db",
        ".devbooks/conversation-context.json",
        ".devbooks/conversation-context.json.lock",
    ] {
        for is_there in [true, false] {
            let outside = Repo::new(
                "//- place/l1/thesis.txt\nmine\n//- place/files/l1/thesis.txt\nmine\n//- place/l2/a.json\nmine\n//- file\nmine\n",
            );
            let repo = Repo::new("//- a.txt\nx\n");
            settle(&repo.file_path("a.txt"));
            let path = repo.file_path(link);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            let target = match (is_there, path.extension().is_some_and(|e| e != "devbooks")) {
                (false, _) => "new",
                (true, true) => "file",
                (true, false) => "place",
            };
            symlink(outside.file_path(target), &path).unwrap();
            let before = contents(outside.path());
            for call in calls {
                shim(&repo, call);
                assert_eq!(
                    contents(outside.path()),
                    before,
                    "{link} -> {target}: {call:?}"
                );
            }
        }
    }
}

#[test]
fn caches_and_conversations_of_others_are_not_believed() {
    let theirs = Repo::new("//- a.txt\nx\n");
    settle(&theirs.file_path("a.txt"));
    let home = theirs.file_path("home").display().to_string();
    let as_other = [("XDG_DATA_HOME", home.as_str())];
    let set: [&[&str]; 3] = [
        &["cache-manager", "cache-set", "k", "evil"],
        &set_text("evil"),
        &save_question("evil", "evil.ts::x"),
    ];
    let get: [&[&str]; 3] = [
        &["cache-manager", "cache-get", "k"],
        &GET_TEXT,
        &["intent-learner", "context", "load"],
    ];
    for call in set {
        let said = shim_with(&theirs, &as_other, call);
        assert_eq!(said.code, 0, "{call:?}: {said:?}");
    }
    for call in get {
        // The user who created the entries can read them.
        let said = shim_with(&theirs, &as_other, call);
        assert!(said.stdout.contains("evil"), "{call:?}: {said:?}");
    }
    for call in get {
        let said = shim(&theirs, call);
        assert!(!said.stdout.contains("evil"), "{call:?}: {said:?}");
    }
    for call in set {
        assert_eq!(shim(&theirs, call).code, 0, "{call:?}");
    }
    for call in get {
        let said = shim(&theirs, call);
        assert!(said.stdout.contains("evil"), "{call:?}: {said:?}");
    }
    // The earlier files are kept under another name.
    for kept in [
        "subgraph-cache.db.untrusted",
        "conversation-context.json.bak",
    ] {
        assert!(theirs.file_path(".devbooks").join(kept).is_file(), "{kept}");
    }
    // A copy of this user's own database does not count as the same file.
    let place = theirs.file_path(".devbooks/subgraph-cache.db");
    let bytes = fs::read(&place).unwrap();
    fs::remove_file(&place).unwrap();
    fs::write(&place, bytes).unwrap();
    let said = shim(&theirs, &["cache-manager", "cache-get", "k"]);
    assert_eq!((said.code, said.stdout.as_str()), (1, ""), "{said:?}");
    // A database that the user names is refused instead of being moved.
    theirs.write("named.db", "mine");
    let named = theirs.file_path("named.db").display().to_string();
    let named = [("SUBGRAPH_CACHE_DB", named.as_str())];
    let said = shim_with(&theirs, &named, &["cache-manager", "cache-set", "k", "v"]);
    assert_ne!(said.code, 0, "{said:?}");
    assert_eq!(fs::read(theirs.file_path("named.db")).unwrap(), b"mine");
}

#[test]
fn a_dense_conversation_is_not_decoded() {
    let repo = Repo::new("");
    let turns = format!(
        "{{\"turn\": 18446744073709551615, \"timestamp\": [{}0]}}",
        r#"{"":0},"#.repeat(400_000)
    );
    repo.write(
        ".devbooks/conversation-context.json",
        &format!("{{\"session_id\": \"s\", \"context_window\": [{turns}]}}"),
    );
    // This holds even if the user trusts the index.
    let trusting = [("KNOTWORK_TRUST_INDEX", "1")];
    let said = shim_with(&repo, &trusting, &["intent-learner", "context", "load"]);
    let loaded: Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(loaded["context_window"], json!([]));
    repo.write(
        ".devbooks/conversation-context.json",
        r#"{"session_id": "s", "context_window": [{"turn": 18446744073709551615}]}"#,
    );
    let said = shim_with(&repo, &trusting, &save_question("q", "a::b"));
    let saved: Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(saved["context_window"][1]["turn"], u64::MAX);
}

#[test]
fn another_content_of_the_same_size_and_time_is_no_hit() {
    let repo = Repo::new("//- a.txt\none\n");
    let path = repo.file_path("a.txt");
    settle(&path);
    let time = path.metadata().unwrap().modified().unwrap();
    let get = [&GET_TEXT[..], &["--debug"]].concat();
    assert_eq!(shim(&repo, &set_text("of one")).code, 0);
    assert!(shim(&repo, &get).stderr.contains("L1 cache hit"));
    repo.write("a.txt", "two\n");
    let file = fs::File::options().write(true).open(&path).unwrap();
    file.set_modified(time).unwrap();
    let said = shim(&repo, &get);
    assert!(
        said.stdout.is_empty() && said.stderr.contains("miss"),
        "{said:?}"
    );
}

#[test]
fn a_log_of_evictions_that_is_a_link_is_left_alone() {
    let repo = Repo::new("//- mine\nmine\n");
    symlink(repo.file_path("mine"), repo.file_path("log")).unwrap();
    let absolute = repo.file_path("log").display().to_string();
    for log in ["log", &absolute] {
        let environment = [("CACHE_MAX_SIZE", "1"), ("CACHE_EVICTION_LOG", log)];
        for key in ["a", "b", "c"] {
            let set = ["cache-manager", "cache-set", key, "v"];
            shim_with(&repo, &environment, &set);
        }
    }
    assert_eq!(fs::read(repo.file_path("mine")).unwrap(), b"mine\n");
    let environment = [("CACHE_MAX_SIZE", "1"), ("CACHE_EVICTION_LOG", "plain")];
    shim_with(
        &repo,
        &environment,
        &["cache-manager", "cache-set", "d", "v"],
    );
    assert!(
        fs::read_to_string(repo.file_path("plain"))
            .unwrap()
            .contains("evicted")
    );
}
