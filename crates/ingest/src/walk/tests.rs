//! Tests of the walk, against git and the `ignore` crate, and on hostile trees.

use super::*;

#[test]
fn shared_compiler_configurations_are_manifests() {
    for (path, expected) in [
        ("a/tsconfig.app.json", true),
        ("base.tsconfig.json", true),
        ("tools/typescript-config/base.json", true),
        ("typescript-config/deep/base.json", false),
        ("src/base.json", false),
        ("go.work", true),
        ("tsconfig.ts", false),
    ] {
        assert_eq!(is_manifest(path), expected, "{path}");
    }
}

use testkit::Repo;

fn paths(root: &Path) -> Vec<String> {
    let found = texts(root, 1 << 20, &|_| true).unwrap();
    found.into_iter().map(|found| found.path).collect()
}

/// Files that the `ignore` crate finds with the same ignore files.
fn expected(root: &Path) -> Vec<String> {
    let mut found: Vec<String> = ignore::WalkBuilder::new(root)
        .hidden(false)
        .require_git(false)
        .filter_entry(|e| !is_never_walked(e.file_name().to_str().unwrap_or("")))
        .build()
        .map(Result::unwrap)
        .filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()))
        .map(|entry| {
            let path = entry.path().strip_prefix(root).unwrap();
            path.to_str().unwrap().to_owned()
        })
        .collect();
    found.sort();
    found
}

/// Pseudo-random numbers, the same in every run.
struct Dice(u64);

impl Dice {
    fn pick<'a, T>(&mut self, sides: &'a [T]) -> &'a T {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        &sides[(self.0 >> 11) as usize % sides.len()]
    }
}

#[test]
fn what_is_ignored_is_what_others_ignore() {
    const FOLDERS: &[&str] = &["src", "build", "docs", "a", "a.d", ".hidden", "x y", "Ünï"];
    const FILES: &[&str] = &[
        "a.py",
        "b.log",
        "build",
        "c.tar.gz",
        ".env",
        "Makefile",
        "a",
        "a+b.txt",
        "[x].ts",
        "debug1.log",
        "é.md",
    ];
    const PATTERNS: &[&str] = &[
        "*.log",
        "build",
        "build/",
        "/build",
        "/build/",
        "!a.py",
        "!*.log",
        "a/",
        "a/b.log",
        "a/*.py",
        "**/docs",
        "docs/**",
        "/src/**/a",
        "a/**/b.log",
        "*.tar.gz",
        ".*",
        "!.env",
        "debug?.log",
        "debug[0-9].log",
        "[abc].py",
        "*",
        "!*/",
        "# comment",
        "",
        "  ",
        "*.txt  ",
        "\\#x",
        "x\\ y",
        "x y",
        "/*.md",
        "é.*",
        "Ünï/",
        "src/*/a.py",
        "**/a/build",
        "a+b.txt",
        "\\[x].ts",
        "*.[tj]s",
        "**",
        "*/",
        "a.d",
        "/a",
        "!/a",
        "src/",
        "**/*.gz",
        "a*b*.txt",
    ];
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    for round in 0..150 {
        let repo = Repo::new("");
        let mut folders = vec![String::new()];
        for _ in 0..8 {
            let parent = dice.pick(&folders).clone();
            folders.push(format!("{parent}{}/", dice.pick(FOLDERS)));
        }
        for folder in &folders {
            std::fs::create_dir_all(repo.file_path(folder)).unwrap();
        }
        let mut rules = String::new();
        // Unlike in the `ignore` crate, `.ignore` does not take back a path that is excluded outside of the work tree.
        let has_exclude = round % 3 == 0;
        for folder in &folders {
            for _ in 0..3 {
                let path = format!("{folder}{}", dice.pick(FILES));
                if !repo.file_path(&path).is_dir() {
                    repo.write(&path, "x");
                }
            }
            for name in [".gitignore", ".ignore"] {
                if has_exclude && name == ".ignore" {
                    continue;
                }
                if *dice.pick(&[true, false, false]) {
                    let lines: Vec<&str> = (0..*dice.pick(&[1, 2, 4]))
                        .map(|_| *dice.pick(PATTERNS))
                        .collect();
                    let text = lines.join(*dice.pick(&["\n", "\r\n"]));
                    rules.push_str(&format!("{folder}{name}: {lines:?}\n"));
                    repo.write(&format!("{folder}{name}"), &text);
                }
            }
        }
        if has_exclude {
            repo.write(".git/info/exclude", dice.pick::<&str>(PATTERNS));
        }
        let root = repo.path().canonicalize().unwrap();
        assert_eq!(paths(&root), expected(&root), "round {round}\n{rules}");
    }
}

#[test]
fn rules_of_folders_around_the_root_count_up_to_the_top_of_the_repository() {
    let repo = Repo::new("");
    repo.write(".gitignore", "*.py\n");
    repo.write("top/.git/HEAD", "ref: refs/heads/main\n");
    repo.write("top/.git/info/exclude", "/inner/c.md\n");
    repo.write("top/.gitignore", "*.log\n/inner/b.txt\n");
    for name in ["a.log", "a.py", "b.txt", "c.md", "deep/b.txt"] {
        repo.write(&format!("top/inner/{name}"), "x");
    }
    assert_eq!(paths(&repo.file_path("top/inner")), ["a.py", "deep/b.txt"]);
    // Without a repository, the rules of all folders around it count.
    std::fs::remove_dir_all(repo.file_path("top/.git")).unwrap();
    assert_eq!(paths(&repo.file_path("top/inner")), ["c.md", "deep/b.txt"]);
}

#[test]
fn an_ignore_file_of_our_own_is_stronger_than_the_others() {
    let repo = Repo::new(
        "//- a.py\nx = 1\n//- b.py\nx = 1\n//- sub/c.py\nx = 1\n//- sub/d.py\nx = 1\n//- .gitignore\nb.py\n//- .ignore\nd.py\n//- .knotworkignore\n!b.py\nc.py\n//- sub/.knotworkignore\n!d.py\n",
    );
    let mut found = paths(repo.path());
    found.retain(|path| path.ends_with(".py"));
    assert_eq!(found, ["a.py", "b.py", "sub/d.py"]);
}

#[cfg(unix)]
#[test]
fn ignore_files_that_are_none_are_passed_over_and_said() {
    let repo = Repo::new("//- a.py\nx = 1\n//- kept/.gitignore\n*.log\n//- kept/a.log\nx\n");
    for folder in ["zero", "fifo", "out", "in", "folder", "large"] {
        repo.write(&format!("{folder}/a.log"), "x\n");
    }
    repo.make_link("zero/.gitignore", "/dev/zero");
    repo.make_link("out/.ignore", "/etc/hostname");
    repo.make_link("in/.gitignore", "../kept/.gitignore");
    repo.make_fifo("fifo/.gitignore");
    repo.write("folder/.gitignore/a.txt", "x\n");
    repo.write("large/.gitignore", &"*.log\n".repeat(60_000));
    repo.make_fifo(".git/info/exclude");
    let (walked, found) = walk_with_texts(repo.path(), Limits::new(1 << 20, None), &|path| {
        path.ends_with(".log")
    })
    .unwrap();
    let found: Vec<&str> = found.iter().map(|found| found.path.as_str()).collect();
    let all = ["fifo", "folder", "in", "large", "out", "zero"];
    assert_eq!(found, all.map(|folder| format!("{folder}/a.log")));
    let problems = walked.problems.join("\n");
    for (file, why) in [
        ("zero/.gitignore", "link"),
        ("fifo/.gitignore", "not a regular file"),
        ("in/.gitignore", "link"),
        ("out/.ignore", "link"),
        ("folder/.gitignore", "not a regular file"),
        ("large/.gitignore", "larger than the limit of 262144 bytes"),
        (".git/info/exclude", "not a regular file"),
    ] {
        let line = walked.problems.iter().find(|line| line.starts_with(file));
        assert!(
            line.is_some_and(|line| line.contains(why)),
            "{file}: {problems}"
        );
    }
    assert_eq!(walked.problems.len(), 7, "{problems}");
}

#[test]
fn patterns_are_bytes_and_their_cost_is_limited() {
    let repo = Repo::new("//- a.log\nx\n//- b.txt\nx\n");
    std::fs::write(
        repo.file_path(".gitignore"),
        b"\xff\xfe*\n\xffname\n*.log\n",
    )
    .unwrap();
    assert_eq!(paths(repo.path()), [".gitignore", "b.txt"]);
    repo.write(".gitignore", &format!("{}\n*.log\n", "*x*".repeat(20)));
    let walked = walk_project(repo.path(), 1 << 20).unwrap();
    assert!(
        walked.problems[0].contains("1 patterns are passed over"),
        "{:?}",
        walked.problems
    );
    assert_eq!(paths(repo.path()), [".gitignore", "b.txt"]);
    // Names without wildcards cost nothing; of the others, the first count.
    let names: String = (0..9_000).map(|at| format!("name{at}\n")).collect();
    let wild: String = (0..9_000).map(|at| format!("x*y{at}z\n")).collect();
    repo.write(".gitignore", &names);
    repo.write("sub/.gitignore", &wild);
    for name in ["name8999", "sub/x1y5z", "sub/x1y8999z"] {
        repo.write(name, "x");
    }
    let walked = walk_project(repo.path(), 1 << 20).unwrap();
    assert_eq!(walked.problems.len(), 1, "{:?}", walked.problems);
    assert!(
        walked.problems[0].starts_with("sub/.gitignore: 4904 patterns"),
        "{:?}",
        walked.problems
    );
    let found = paths(repo.path());
    assert_eq!(
        found,
        [
            ".gitignore",
            "a.log",
            "b.txt",
            "sub/.gitignore",
            "sub/x1y8999z"
        ]
    );
}

#[test]
fn patterns_that_are_made_to_take_time_do_not() {
    let repo = Repo::new("");
    let (name, deep) = ("a".repeat(200), "a/".repeat(60));
    repo.write(&format!("{deep}{name}.py"), "x");
    let stars = format!("{}b\n", "*a".repeat(30));
    let folders = format!("{}b\n", "**/a*/".repeat(15));
    repo.write(".gitignore", &format!("{stars}{folders}").repeat(200));
    let started = std::time::Instant::now();
    assert_eq!(walk_project(repo.path(), 1 << 20).unwrap().files.len(), 1);
    assert!(started.elapsed().as_secs() < 30, "{:?}", started.elapsed());
}

#[cfg(unix)]
#[test]
fn names_of_any_bytes_and_depth_are_found_or_said() {
    use std::os::unix::ffi::OsStrExt;
    let repo = Repo::new("//- a\nb.py\nx = 1\n");
    let odd = ["back\\slash.py", " .py", "-.py", "'\".py"];
    let not_shown = ["new\nline.py", "tab\t.py", "\x1b[31m.py"];
    for name in odd.iter().chain(&not_shown) {
        repo.write(&format!("odd/{name}"), "x = 1\n");
    }
    let bytes = std::ffi::OsStr::from_bytes(b"odd/\xff.py");
    std::fs::write(repo.path().join(bytes), "x = 1\n").unwrap();
    let inner = std::ffi::OsStr::from_bytes(b"\xfe");
    std::fs::create_dir(repo.path().join(inner)).unwrap();
    std::fs::write(repo.path().join(inner).join("c.py"), "x = 1\n").unwrap();
    // Deeper than any path that the system takes.
    let chain = |name: &str| {
        let mut folder = repo.file_path(name);
        for _ in 0..15 {
            folder.push("d".repeat(200));
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(folder.join("e.py"), "x = 1\n").unwrap();
        }
        folder
    };
    let (deep, _) = (chain("deep"), chain("other"));
    std::fs::rename(repo.file_path("other"), deep.join("other")).unwrap();
    let walked = walk_project(repo.path(), 1 << 20).unwrap();
    let found: Vec<&str> = walked
        .files
        .iter()
        .map(|found| found.path.as_str())
        .collect();
    for name in odd {
        assert!(
            found.contains(&format!("odd/{name}").as_str()),
            "{name:?}: {found:?}"
        );
    }
    let why = |why: &str| walked.skipped.values().filter(|said| **said == why).count();
    assert_eq!(why("name is not UTF-8"), 2, "{:?}", walked.skipped);
    assert_eq!(
        why("name has control characters"),
        3,
        "{:?}",
        walked.skipped
    );
    let deep = found.iter().filter(|path| path.starts_with("deep/"));
    assert_eq!(deep.count(), 5);
    assert_eq!(walked.problems.len(), 1, "{:?}", walked.problems);
    assert!(walked.problems[0].contains(LONG_FOLDER));
    let removed = std::process::Command::new("rm")
        .arg("-rf")
        .arg(repo.file_path("deep"))
        .status();
    assert!(removed.unwrap().success());
}

#[cfg(unix)]
#[test]
fn large_files_that_are_not_searched_are_named() {
    let repo = Repo::new("");
    let large = "a line of text\n".repeat(80_000);
    for name in ["notes.unknown", "data.json", "image.png", "query.tcl"] {
        repo.write(name, &large);
    }
    let keep = |path: &str| search::plain::language_of(path).is_some();
    let (walked, found) = walk_with_texts(repo.path(), Limits::new(4 << 20, None), &keep).unwrap();
    let skipped: Vec<(&str, &str)> = walked.skipped.iter().map(|(p, w)| (&**p, *w)).collect();
    assert_eq!(
        skipped,
        [
            ("data.json", LARGE_OTHER),
            ("notes.unknown", LARGE_OTHER),
            ("query.tcl", LARGE_TEXT)
        ]
    );
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn links_lead_nowhere() {
    let repo = Repo::new("//- project/src/a.py\nx = 1\n//- outside/secret.py\nTOKEN = 1\n");
    repo.make_link("project/out", "../outside");
    repo.make_link("project/out.py", "../outside/secret.py");
    repo.make_link("project/in", "src");
    repo.make_link("project/loop", ".");
    repo.make_link("project/package.json", "../outside/secret.py");
    repo.make_fifo("project/b.py");
    let walked = walk_project(&repo.file_path("project"), 1 << 20).unwrap();
    let found: Vec<&str> = walked
        .files
        .iter()
        .map(|found| found.path.as_str())
        .collect();
    assert_eq!(found, ["src/a.py"]);
    assert!(walked.manifests.is_empty() && walked.problems.is_empty());
}

#[test]
fn of_too_many_files_those_in_few_folders_are_taken() {
    let repo = Repo::new("//- z.py\nx = 1\n//- b/z.py\nx = 1\n//- a/b/c/d.py\nx = 1\n");
    for at in 0..20 {
        repo.write(&format!("a/many/m{at:02}.py"), "x = 1\n");
    }
    let limits = Limits {
        file_size: 1 << 20,
        text_size: 1 << 20,
        files: 5,
    };
    let walked = walk_within(repo.path(), limits).unwrap();
    let found: Vec<&str> = walked
        .files
        .iter()
        .map(|found| found.path.as_str())
        .collect();
    assert_eq!(
        found,
        [
            "a/many/m00.py",
            "a/many/m01.py",
            "a/many/m02.py",
            "b/z.py",
            "z.py"
        ]
    );
    assert_eq!(walked.problems.len(), 1);
    assert!(
        walked.problems[0].starts_with("18 files are left out"),
        "{:?}",
        walked.problems
    );
}

#[test]
fn manifests_are_limited_together() {
    let mut manifests: Vec<FoundManifest> = (0..40)
        .map(|at| FoundManifest {
            path: format!("{}package.json", "d/".repeat(40 - at)),
            size: 4 << 20,
            mtime_ns: 0,
        })
        .collect();
    assert_eq!(within_total(&mut manifests), 24);
    assert!(manifests.iter().any(|found| found.path == "d/package.json"));
}

#[test]
fn folders_are_shown_before_what_is_in_them() {
    let repo = Repo::new(
        "//- a/b/c.py\nx\n//- ignored/d.py\nx\n//- .gitignore\nignored/\n//- node_modules/e.js\nx\n",
    );
    let mut found = Vec::new();
    folders(repo.path(), &|_| true, &mut |folder| {
        found.push(
            folder
                .strip_prefix(repo.path())
                .unwrap()
                .display()
                .to_string(),
        );
        true
    });
    found.sort();
    assert_eq!(found, ["", "a", "a/b"]);
    let mut first = 0;
    folders(repo.path(), &|_| true, &mut |_| {
        first += 1;
        false
    });
    assert_eq!(first, 1);
}

#[cfg(unix)]
#[test]
fn files_with_a_second_name_are_told() {
    let repo = Repo::new(
        "//- src/a.py\nx\n//- src/b.py\nx\n//- c.bin\nx\n//- ignored/d.py\nx\n//- .gitignore\nignored/\n",
    );
    let outside = tempfile::tempdir().unwrap();
    for (path, name) in [("src/a.py", "a"), ("c.bin", "c"), ("ignored/d.py", "d")] {
        std::fs::hard_link(repo.file_path(path), outside.path().join(name)).unwrap();
    }
    let walked = walk_project(repo.path(), 1 << 20).unwrap();
    let paths = |found: &[FoundText]| found.iter().map(|f| f.path.clone()).collect::<Vec<_>>();
    assert_eq!(paths(&walked.linked), ["src/a.py"]);
    let keep = |path: &str| path.ends_with(".py");
    let (linked, _) = folders(repo.path(), &keep, &mut |_| true);
    assert_eq!(linked, walked.linked);
}

#[test]
fn long_paths_are_passed_over_and_said() {
    let repo = Repo::new("");
    let folder = "d".repeat(240);
    let four = [folder.as_str(); 4].join("/");
    repo.write(&format!("{four}/a.py"), "a = 1\n");
    let long = format!("{four}/{}", "e".repeat(60));
    repo.write(&format!("{long}.py"), "a = 1\n");
    repo.write(&format!("{long}.bin"), "a = 1\n");
    repo.write(&format!("{long}/b.py"), "a = 1\n");
    repo.write(&format!("{long}/c/b.py"), "a = 1\n");
    let walked = walk_project(repo.path(), 1 << 20).unwrap();
    let found: Vec<&str> = walked.files.iter().map(|f| f.path.as_str()).collect();
    assert_eq!(found, [format!("{four}/a.py")]);
    assert_eq!(walked.unnamed.get(LONG_PATH), Some(&2));
    assert_eq!(walked.unnamed.get(LONG_FOLDER), Some(&1));
    let said = walked.problems.join("\n");
    assert!(said.contains("2 passed over: path longer than"), "{said}");
    assert!(texts(repo.path(), 1 << 20, &|_| true).unwrap().len() == 1);
}

#[test]
fn a_list_of_commands_that_is_not_read_is_named() {
    let repo =
        Repo::new("//- .gitignore\nbuild/\n//- build/compile_commands.json\n[]\n//- a.c\nint a;\n");
    let listing = repo.path().join("compile_commands.json");
    let walk = || walk_project(repo.path(), 1 << 20).unwrap();
    // Many projects have one of more than the few megabytes of other manifests.
    let file = std::fs::File::create(&listing).unwrap();
    file.set_len(MAX_MANIFEST + 1).unwrap();
    let walked = walk();
    assert_eq!(walked.manifests.len(), 1);
    assert!(walked.problems.is_empty(), "{:?}", walked.problems);
    file.set_len(MAX_LISTING + 1).unwrap();
    let walked = walk();
    assert!(walked.manifests.is_empty());
    assert_eq!(
        walked.problems,
        ["compile_commands.json is larger than 48 MiB: it is not read"]
    );
    let other = std::fs::File::create(repo.path().join("package.json")).unwrap();
    other.set_len(MAX_MANIFEST + 1).unwrap();
    assert!(
        walk()
            .problems
            .iter()
            .any(|p| p.starts_with("package.json is larger than 4 MiB"))
    );
    #[cfg(unix)]
    {
        std::fs::remove_file(&listing).unwrap();
        std::os::unix::fs::symlink("build/compile_commands.json", &listing).unwrap();
        let said = walk().problems;
        assert!(
            said.iter()
                .any(|p| p.starts_with("compile_commands.json is a link")),
            "{said:?}"
        );
    }
}

/// Files that git lists with the same ignore files: tracked ones, and others that it does not ignore.
fn listed_by_git(repo: &Repo) -> Vec<String> {
    let words = "-c core.excludesFile= ls-files -z --cached --others --exclude-standard";
    let listed = repo.git(&words.split(' ').collect::<Vec<_>>());
    let mut all: Vec<String> = listed.split('\0').map(str::to_owned).collect();
    all.retain(|path| !path.is_empty() && repo.file_path(path).is_file());
    all.sort();
    all.dedup();
    all
}

#[test]
fn what_git_tracks_is_read_though_a_rule_ignores_it() {
    const FOLDERS: &[&str] = &["lib", "build", "src", "a", "a-b"];
    const FILES: &[&str] = &["a.py", "b.log", "c.gen.py", "lib"];
    const PATTERNS: &[&str] = &[
        "lib/", "build", "*.log", "*.gen.py", "a/*", "*", "!src/", "/a", "!*.py", "a-b/",
    ];
    let mut dice = Dice(0x1234_5678_9abc_def1);
    for round in 0..40 {
        let repo = Repo::new("");
        repo.git(&["init", "-q"]);
        let mut folders = vec![String::new()];
        for _ in 0..6 {
            let parent = dice.pick(&folders).clone();
            folders.push(format!("{parent}{}/", dice.pick(FOLDERS)));
        }
        let mut written = Vec::new();
        for folder in &folders {
            for _ in 0..3 {
                let path = format!("{folder}{}", dice.pick(FILES));
                let is_free =
                    !repo.file_path(&path).exists() && !folders.contains(&format!("{path}/"));
                if is_free {
                    repo.write(&path, "x");
                    written.push(path);
                }
            }
        }
        let lines: Vec<&str> = (0..3).map(|_| *dice.pick(PATTERNS)).collect();
        repo.write(".gitignore", &lines.join("\n"));
        for _ in 0..4 {
            let path = dice.pick(&written).as_str();
            repo.git(&["add", "-f", path]);
        }
        if round % 4 == 0 {
            repo.git(&["update-index", "--index-version", "4"]);
        }
        let root = repo.path().canonicalize().unwrap();
        let expected = listed_by_git(&repo);
        assert_eq!(paths(&root), expected, "round {round}\n{lines:?}");
        for path in &written {
            let is_listed = expected.contains(path);
            assert_eq!(is_walked(&root, path), is_listed, "round {round}: {path}");
        }
    }
}

#[test]
fn what_the_user_leaves_out_stays_out_though_git_tracks_it() {
    let repo = Repo::new(
        "//- .gitignore\nlib/\n*.gen.py\n//- lib/a.py\nx\n//- lib/b.py\nx\n//- lib/c.py\nx\n//- d.gen.py\nx\n//- e.gen.py\nx\n",
    );
    repo.commit_all();
    repo.git(&["add", "-f", "lib/a.py", "lib/b.py", "d.gen.py", "e.gen.py"]);
    let sources = || {
        let mut found = paths(repo.path());
        found.retain(|path| path.ends_with(".py"));
        found
    };
    assert_eq!(sources(), ["d.gen.py", "e.gen.py", "lib/a.py", "lib/b.py"]);
    repo.write(".ignore", "d.gen.py\n");
    repo.write("lib/.knotworkignore", "b.py\n");
    assert_eq!(sources(), ["e.gen.py", "lib/a.py"]);
    repo.write(".knotworkignore", "lib/\n");
    assert_eq!(sources(), ["e.gen.py"]);
    // An index that cannot be read is said.
    repo.write(".git/index", "x");
    let walked = walk_project(repo.path(), 1 << 20).unwrap();
    assert!(walked.files.is_empty());
    assert!(
        walked.problems[0].contains("git's index cannot be read"),
        "{:?}",
        walked.problems
    );
}

#[test]
fn submodules_and_inner_repositories_say_what_they_track() {
    let repo = Repo::new(
        "//- .gitignore\n/sub/\n*.gen.py\n//- a.py\nx\n//- sub/.gitignore\nlib/\n//- sub/lib/b.py\nx\n//- sub/lib/c.py\nx\n//- sub/d.gen.py\nx\n//- sub/e.py\nx\n",
    );
    repo.commit_all();
    let sub = repo.file_path("sub");
    let sub = sub.to_str().unwrap();
    repo.git(&["init", "-q", sub]);
    repo.git(&["-C", sub, "add", "-f", "lib/b.py", "d.gen.py"]);
    let commit = [
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@b",
        "commit",
        "-qm",
        "x",
    ];
    repo.git(&[&["-C", sub], &commit[..]].concat());
    let sources = |folder: &str| {
        let mut found = paths(&repo.file_path(folder));
        found.retain(|path| path.ends_with(".py"));
        found
    };
    assert_eq!(sources("."), ["a.py"]);
    let head = repo.git(&["-C", sub, "rev-parse", "HEAD"]);
    let entry = format!("160000,{},sub", head.trim());
    repo.git(&["update-index", "--add", "--cacheinfo", &entry]);
    assert_eq!(
        sources("."),
        ["a.py", "sub/d.gen.py", "sub/e.py", "sub/lib/b.py"]
    );
    assert_eq!(sources("sub/lib"), ["b.py", "c.py"]);
}
