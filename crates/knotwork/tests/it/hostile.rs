//! Files that block, never end or lead out of the project, at every name that the program reads. Every command must
//! end soon and by itself, and print nothing from outside.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use testkit::Repo;

const CANARY: &str = "canary_of_the_outside";
const PATIENCE: Duration = Duration::from_secs(120);

const NAMES: &[&str] = &[
    "a.py",
    "b.ts",
    ".gitignore",
    "sub/.gitignore",
    "sub/.ignore",
    ".mailmap",
    "package.json",
    "package-lock.json",
    "tsconfig.json",
    "Cargo.toml",
    "Cargo.lock",
    "go.mod",
    "pyproject.toml",
    "index.scip",
    "CODEOWNERS",
    ".github/CODEOWNERS",
    "config/boundaries.yaml",
    "config/arch-rules.yaml",
    "config/features.yaml",
    "config/federation.yaml",
    "api.proto",
    "openapi.yaml",
    "schema.graphql",
];

const GIT_NAMES: &[&str] = &[
    "HEAD",
    "config",
    "index",
    "packed-refs",
    "shallow",
    "info/exclude",
    "objects/info/alternates",
    "objects/info/commit-graph",
    "refs/heads/other",
    "commondir",
];

const COMMANDS: &[&[&str]] = &[
    &["index"],
    &["search", "where is the door opened"],
    &["impact", "open_door", "--format", "json"],
    &["impact", "--since", "HEAD"],
    &["hotspot"],
    &["arch-check"],
    &["boundary", "--path", "src/door.py"],
    &["vuln", "list"],
    &["federation", "update"],
    &["federation", "generate-virtual-edges"],
    &["config", "show"],
];

fn scene() -> Repo {
    let repo = Repo::new(
        "//- project/src/door.py\ndef open_door():\n    return 1\n\ndef main():\n    open_door()\n",
    );
    repo.write("outside.py", &format!("def {CANARY}():\n    open_door()\n"));
    let git = |words: &[&str]| {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=a", "-c", "user.email=a@example.com"]);
        let done = command
            .args(words)
            .current_dir(repo.file_path("project"))
            .output()
            .unwrap();
        assert!(done.status.success(), "{done:?}");
    };
    git(&["init", "-q", "-b", "main"]);
    git(&["add", "-A"]);
    git(&["commit", "-qm", "first"]);
    repo
}

/// Runs the binary with a time limit. Returns all output, and the duration.
fn run(repo: &Repo, words: &[&str], what: &str) -> (String, Duration) {
    let started = Instant::now();
    let said = repo.file_path("said");
    let out = std::fs::File::create(&said).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_knotwork"))
        .args(words)
        .current_dir(repo.file_path("project"))
        .env("HOME", repo.path())
        .env("KNOTWORK_CACHE_SHARED", "false")
        .stdin(prompt(repo))
        .stderr(Stdio::from(out.try_clone().unwrap()))
        .stdout(Stdio::from(out))
        .spawn()
        .unwrap();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if started.elapsed() > PATIENCE {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("{what}: {words:?} does not end");
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let text = String::from_utf8_lossy(&std::fs::read(&said).unwrap()).into_owned();
    assert!(
        status.code().is_some(),
        "{what}: {words:?}: {status}: {text}"
    );
    assert!(!text.contains(CANARY), "{what}: {words:?}: {text}");
    (text, started.elapsed())
}

fn prompt(repo: &Repo) -> Stdio {
    let prompt = r#"{"hook_event_name":"UserPromptSubmit","prompt":"why does open_door in src/door.py fail"}"#;
    repo.write("prompt.json", prompt);
    Stdio::from(std::fs::File::open(repo.file_path("prompt.json")).unwrap())
}

fn all(repo: &Repo, what: &str, commands: &[&[&str]]) {
    for words in commands {
        run(repo, words, what);
    }
    let (_, time) = run(repo, &["hook"], what);
    // The hook's own deadline is 3 seconds; test machines are slow.
    assert!(
        time < Duration::from_secs(30),
        "{what}: the hook took {time:?}"
    );
}

#[test]
fn files_that_block_or_never_end_stop_nobody() {
    type Make = fn(&Repo, &str);
    let makes: [(&str, Make); 4] = [
        ("a FIFO", |repo, path| repo.make_fifo(path)),
        ("/dev/zero", |repo, path| repo.make_link(path, "/dev/zero")),
        ("a gigabyte", |repo, path| repo.write_sparse(path, 1 << 30)),
        ("outside", |repo, path| {
            repo.make_link(path, repo.file_path("outside.py"))
        }),
    ];
    for (what, make) in makes {
        let repo = scene();
        for name in NAMES {
            make(&repo, &format!("project/{name}"));
        }
        all(&repo, what, COMMANDS);
        let (text, _) = run(&repo, &["search", "--mode", "symbol", "open_door"], what);
        assert!(text.contains("src/door.py"), "{what}: {text}");
    }
}

#[test]
fn what_was_passed_over_is_said() {
    let repo = scene();
    repo.make_link("project/sub/.gitignore", "/dev/zero");
    repo.make_fifo("project/.gitignore");
    let (text, _) = run(&repo, &["index"], "ignore files");
    for line in ["sub/.gitignore: passed over", ".gitignore: passed over"] {
        assert!(text.contains(line), "{text}");
    }
    let (text, _) = run(&repo, &["index", "status"], "ignore files");
    assert!(text.contains("sub/.gitignore: passed over"), "{text}");
}

#[test]
fn gits_own_files_stop_nobody_either() {
    let questions: &[&[&str]] = &[&["index"], &["hotspot"], &["impact", "--since", "HEAD"]];
    for name in GIT_NAMES {
        let path = format!("project/.git/{name}");
        let repo = scene();
        repo.make_fifo(&path);
        all(&repo, &format!("a FIFO at .git/{name}"), questions);
        repo.make_link(&path, "/dev/zero");
        all(&repo, &format!("/dev/zero at .git/{name}"), questions);
    }
    let repo = scene();
    std::fs::remove_dir_all(repo.file_path("project/.git")).unwrap();
    let makes: [fn(&Repo); 2] = [
        |repo| repo.make_fifo("project/.git"),
        |repo| repo.make_link("project/.git", "/dev/zero"),
    ];
    for make in makes {
        let _ = std::fs::remove_file(repo.file_path("project/.git"));
        make(&repo);
        all(&repo, ".git", questions);
    }
}

#[test]
fn what_configuration_includes_is_not_read() {
    let repo = scene();
    let config = std::fs::read_to_string(repo.file_path("project/.git/config")).unwrap();
    repo.make_fifo("trap");
    let trap = repo.file_path("trap").display().to_string();
    repo.write(
        "project/.git/config",
        &format!("{config}[include]\n\tpath = {trap}\n"),
    );
    all(
        &repo,
        "an included FIFO",
        &[&["hotspot"], &["impact", "--since", "HEAD"]],
    );
}

#[test]
fn a_text_that_a_tree_names_many_times_is_not_compared_for_each() {
    let repo = scene();
    let project = repo.file_path("project");
    let git = |words: &[&str], input: &Path| {
        let done = Command::new("git")
            .args(words)
            .stdin(std::fs::File::open(input).unwrap())
            .current_dir(&project)
            .output()
            .unwrap();
        assert!(done.status.success(), "{words:?}: {done:?}");
        String::from_utf8(done.stdout).unwrap().trim().to_owned()
    };
    let text: String = (0..7_000).map(|n| format!("v{n}=0\n")).collect();
    repo.write("text", &text);
    let blob = git(&["hash-object", "-w", "--stdin"], &repo.file_path("text"));
    let lines: String = (0..1_500)
        .map(|n| format!("100644 blob {blob}\tf{n:04}.py\n"))
        .collect();
    repo.write("list", &lines);
    let tree = git(&["mktree"], &repo.file_path("list"));
    let who = "a <a@example.com> 1700000000 +0000";
    repo.write(
        "commit",
        &format!("tree {tree}\nauthor {who}\ncommitter {who}\n\nmany\n"),
    );
    let head = git(
        &["hash-object", "-t", "commit", "-w", "--stdin"],
        &repo.file_path("commit"),
    );
    repo.write("project/.git/refs/heads/main", &format!("{head}\n"));
    let question = ["impact", "--since", "HEAD"];
    let (text, _) = run(&repo, &question, "one text under many names");
    assert!(text.contains("too many): 148"), "{text}");
    all(&repo, "one text", &[&["ast-delta", "--since", "HEAD"]]);
}

#[test]
fn objects_of_any_size_are_passed_over() {
    let repo = scene();
    let project = repo.file_path("project");
    let git = |words: &[&str], input: Option<&Path>| {
        let input = input.map_or(Stdio::null(), |path| {
            std::fs::File::open(path).unwrap().into()
        });
        let done = Command::new("git")
            .args(words)
            .stdin(input)
            .current_dir(&project)
            .output()
            .unwrap();
        assert!(done.status.success(), "{words:?}: {done:?}");
        String::from_utf8(done.stdout).unwrap().trim().to_owned()
    };
    // Each tree contains the previous one ten times.
    let mut inner = format!(
        "100644 blob {}",
        git(&["rev-parse", "HEAD:src/door.py"], None)
    );
    for _ in 0..9 {
        let lines: String = (0..10).map(|n| format!("{inner}\tf{n}.py\n")).collect();
        repo.write("list", &lines);
        inner = format!(
            "040000 tree {}",
            git(&["mktree"], Some(&repo.file_path("list")))
        );
    }
    let tree = inner.rsplit(' ').next().unwrap().to_owned();
    let who = "a <a@example.com> 1700000000 +0000";
    let parent = git(&["rev-parse", "HEAD"], None);
    let mut head = parent;
    for message in ["bomb\n".to_owned(), "long message\n".repeat(6_000_000)] {
        repo.write(
            "commit",
            &format!("tree {tree}\nparent {head}\nauthor {who}\ncommitter {who}\n\n{message}"),
        );
        let words = [
            "hash-object",
            "-t",
            "commit",
            "-w",
            "--literally",
            "../commit",
        ];
        head = git(&words, None);
    }
    repo.write("project/.git/refs/heads/main", &format!("{head}\n"));
    let questions: &[&[&str]] = &[
        &["hotspot"],
        &["impact", "--since", "HEAD~1"],
        &["impact", "--since", "HEAD"],
    ];
    all(&repo, "objects", questions);
}

#[test]
fn output_goes_through_no_link() {
    let repo = scene();
    repo.write("victim", "mine\n");
    repo.make_link("project/map.md", "../victim");
    repo.make_link("project/config", "..");
    run(&repo, &["index"], "output");
    for words in [
        &["cod", "generate", "--output", "map.md"][..],
        &["cod", "generate", "--output", "config/victim"],
        &["arch-check", "init", "--output", "map.md", "--force"],
        &["arch-check", "init", "--force"],
        &["arch-check", "init", "--output", "config/new/rules.yaml"],
    ] {
        run(&repo, words, "output");
    }
    assert_eq!(
        std::fs::read_to_string(repo.file_path("victim")).unwrap(),
        "mine\n"
    );
    assert!(!repo.file_path("arch-rules.yaml").exists() && !repo.file_path("new").exists());
    run(
        &repo,
        &["cod", "generate", "--output", "other.md"],
        "output",
    );
    assert!(repo.file_path("project/other.md").is_file());
}

#[test]
fn input_that_blocks_or_never_ends_is_refused() {
    let repo = scene();
    repo.make_fifo("project/pipe");
    for path in ["pipe", "/dev/zero"] {
        for words in [
            &["vuln", "parse", "--input", path][..],
            &["rerank", "--query", "x", "--input", path],
            &["graph-store", "batch-import", "--file", path],
            &["solution", "import", path],
            &["bug-locate", "--stacktrace", path],
            &["arch-check", "--rules", path],
        ] {
            let (text, _) = run(&repo, words, "input");
            assert!(
                text.contains("not a regular file") || text.contains("outside"),
                "{words:?}: {text}"
            );
        }
    }
}
