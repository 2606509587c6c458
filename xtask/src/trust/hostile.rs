//! `trust hostile`: repositories made to stop a program. Endless files, files of a gigabyte and files that block, at
//! every name that the program reads; endlessly nested sources; a million files in one folder; names of any bytes; git
//! objects of any size. Every command must end by itself, in time and within its memory.

use super::{Args, Figure};
use crate::bench::index::usual_ceiling;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The time limit of one command; the test machine may be slow.
const LONGEST: Duration = Duration::from_secs(300);
/// The time limit of the hook, whose own deadline is 3 seconds.
const HOOK: Duration = Duration::from_secs(6);
/// The content of files outside the project; no answer may contain it.
const CANARY: &str = "canary-51d0c2aa-outside";

/// Names that the program reads, outside of `.git`.
const NAMES: &[&str] = &[
    "a.py",
    "b.ts",
    "c.rs",
    "d.go",
    "E.java",
    "f.js",
    "g.md",
    ".gitignore",
    "sub/.gitignore",
    "sub/.ignore",
    ".mailmap",
    "package.json",
    "package-lock.json",
    "yarn.lock",
    "pnpm-lock.yaml",
    "tsconfig.json",
    "Cargo.toml",
    "Cargo.lock",
    "go.mod",
    "go.sum",
    "pyproject.toml",
    "pom.xml",
    "index.scip",
    "CODEOWNERS",
    ".github/CODEOWNERS",
    "config/boundaries.yaml",
    "config/arch-rules.yaml",
    "config/features.yaml",
];

/// Names that the program reads in `.git`.
const GIT_NAMES: &[&str] = &[
    "HEAD",
    "config",
    "index",
    "packed-refs",
    "shallow",
    "info/exclude",
    "objects/info/alternates",
    "objects/info/commit-graph",
    "refs/heads/main",
    "commondir",
];

const COMMANDS: &[&[&str]] = &[
    &["index"],
    &["index", "status"],
    &["search", "where is the door opened"],
    &["search", "--mode", "regex", "door"],
    &["call-chain", "open_door"],
    &["impact", "--since", "HEAD"],
    &["hotspot"],
    &["arch-check"],
    &["boundary", "--path", "src/a.py"],
    &["cod", "generate"],
    &["vuln", "list"],
    &["config", "show"],
];

/// A scene: its name, and a function that builds it in a project with a commit.
type Scene = (&'static str, fn(&Path) -> Result<()>);

const SCENES: &[Scene] = &[
    ("a gigabyte at every name", |project| {
        each(project, &gigabyte)
    }),
    ("a FIFO at every name", |project| each(project, &fifo)),
    ("a link to /dev/zero at every name", |project| {
        each(project, &zero)
    }),
    ("a link that leads out at every name", |project| {
        each(project, &outside)
    }),
    ("nesting of 100,000", nested),
    ("names of any bytes", names),
    ("folders within folders", deep),
    ("patterns without end", patterns),
    ("objects of a gigabyte", objects),
    ("a tree that holds itself many times", bomb),
    ("a million files in one folder", million),
];

/// Runs the row.
pub(super) fn check_hostile(args: &Args) -> Result<Vec<Figure>> {
    let binary = super::binary(args)?.canonicalize()?;
    let mut worst = Worst::default();
    for (name, make) in SCENES {
        let scene = HostileProject::new()?;
        make(&scene.project).with_context(|| (*name).to_owned())?;
        worst.scene(name, &scene, &binary, args.list)?;
    }
    for name in GIT_NAMES {
        let things: [(&str, Make); 3] = [
            ("a FIFO", fifo),
            ("/dev/zero", zero),
            ("a gigabyte", gigabyte),
        ];
        for (what, make) in things {
            let scene = HostileProject::new()?;
            make(&scene.project.join(".git").join(name))?;
            worst.scene(
                &format!("{what} at .git/{name}"),
                &scene,
                &binary,
                args.list,
            )?;
        }
    }
    let scene = HostileProject::new()?;
    std::fs::remove_dir_all(scene.project.join(".git"))?;
    fifo(&scene.project.join(".git"))?;
    worst.scene("a FIFO at .git", &scene, &binary, args.list)?;
    Ok(worst.figures())
}

/// The worst results of all commands.
#[derive(Default)]
struct Worst {
    commands: usize,
    slowest: (Duration, String),
    hook: (Duration, String),
    peak: (u64, String),
    hung: usize,
    crashed: usize,
    canaries: usize,
}

impl Worst {
    fn scene(
        &mut self,
        name: &str,
        scene: &HostileProject,
        binary: &Path,
        list: bool,
    ) -> Result<()> {
        for words in COMMANDS {
            self.one(name, words, scene, binary, list)?;
        }
        self.one(name, &["hook"], scene, binary, list)
    }

    fn one(
        &mut self,
        name: &str,
        words: &[&str],
        scene: &HostileProject,
        binary: &Path,
        list: bool,
    ) -> Result<()> {
        let ended = scene.run_program(binary, words)?;
        let shown = format!("{name}: {}", words.join(" "));
        if list {
            let (time, mib) = (ended.time.as_secs_f64(), ended.peak >> 20);
            println!("  {time:>7.1} s {mib:>6} MiB  {:<8} {shown}", ended.how);
        }
        self.commands += 1;
        self.hung += usize::from(ended.how == "hung");
        self.crashed += usize::from(ended.how == "crashed");
        self.canaries += usize::from(ended.canary);
        let slot = if words == ["hook"] {
            &mut self.hook
        } else {
            &mut self.slowest
        };
        if ended.time > slot.0 {
            *slot = (ended.time, shown.clone());
        }
        if ended.peak > self.peak.0 {
            self.peak = (ended.peak, shown);
        }
        Ok(())
    }

    fn figures(self) -> Vec<Figure> {
        let ceiling = usual_ceiling();
        let none = |what: &str, n: usize| Figure::new(what, n.to_string(), "0", n == 0);
        let time = |what: &str, (time, _): &(Duration, String), bar: Duration| {
            let shown = format!("{:.1} s", time.as_secs_f64());
            Figure::new(
                what,
                shown,
                &format!("at most {} s", bar.as_secs()),
                *time <= bar,
            )
        };
        vec![
            Figure::note("commands run", self.commands.to_string()),
            none("hung", self.hung),
            none("crashed", self.crashed),
            none("answers with outside text", self.canaries),
            time("slowest command", &self.slowest, LONGEST),
            Figure::note("in", self.slowest.1.clone()),
            time("slowest hook", &self.hook, HOOK),
            Figure::note("in", self.hook.1.clone()),
            Figure::new(
                "most memory",
                format!("{} MiB", self.peak.0 >> 20),
                &format!("at most {} MiB", ceiling >> 20),
                self.peak.0 <= ceiling,
            ),
            Figure::note("in", self.peak.1),
        ]
    }
}

/// The result of a command.
struct Ended {
    how: &'static str,
    time: Duration,
    peak: u64,
    canary: bool,
}

/// A project with a commit, a folder beside it that must not be read, and an empty home.
struct HostileProject {
    folder: tempfile::TempDir,
    project: PathBuf,
}

impl HostileProject {
    fn new() -> Result<HostileProject> {
        let folder = tempfile::tempdir()?;
        let base = folder.path().canonicalize()?;
        let project = base.join("project");
        for path in ["project/src", "home", "outside"] {
            std::fs::create_dir_all(base.join(path))?;
        }
        let secret = format!("def open_door():\n    return 'door {CANARY}'\n");
        std::fs::write(base.join("outside/secret.py"), secret)?;
        let source = "def open_door():\n    return 'door'\n\ndef main():\n    open_door()\n";
        std::fs::write(project.join("src/a.py"), source)?;
        let prompt = r#"{"hook_event_name":"UserPromptSubmit","prompt":"why does open_door in src/a.py fail"}"#;
        std::fs::write(base.join("prompt.json"), prompt)?;
        git(&project, &["init", "-q", "-b", "main"])?;
        git(&project, &["add", "-A"])?;
        git(&project, &["commit", "-qm", "first"])?;
        Ok(HostileProject { folder, project })
    }

    fn run_program(&self, binary: &Path, words: &[&str]) -> Result<Ended> {
        let base = self.folder.path();
        let said = base.join("said");
        let out = std::fs::File::create(&said)?;
        let started = Instant::now();
        let mut child = Command::new(binary)
            .args(words)
            .current_dir(&self.project)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", base.join("home"))
            .stdin(std::fs::File::open(base.join("prompt.json"))?)
            .stderr(Stdio::from(out.try_clone()?))
            .stdout(Stdio::from(out))
            .spawn()?;
        let (how, peak) = watch(&mut child, started)?;
        let time = started.elapsed();
        let said = std::fs::read(&said)?;
        let canary = said
            .windows(CANARY.len())
            .any(|part| part == CANARY.as_bytes());
        Ok(Ended {
            how,
            time,
            peak,
            canary,
        })
    }
}

/// Waits for a child, at most the time limit of a command.
fn watch(child: &mut Child, started: Instant) -> Result<(&'static str, u64)> {
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    loop {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let now: Option<u64> = line.and_then(|rest| rest.split_whitespace().next()?.parse().ok());
        peak = peak.max(now.unwrap_or_default() * 1024);
        if let Some(status) = child.try_wait()? {
            let how = if status.code().is_some() {
                "ended"
            } else {
                "crashed"
            };
            return Ok((how, peak));
        }
        if started.elapsed() > LONGEST {
            child.kill()?;
            child.wait()?;
            return Ok(("hung", peak));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn git(project: &Path, words: &[&str]) -> Result<String> {
    let done = Command::new("git")
        .args(["-c", "user.name=a", "-c", "user.email=a@example.com"])
        .args(words)
        .current_dir(project)
        .output()?;
    if !done.status.success() {
        bail!("git {words:?}: {}", String::from_utf8_lossy(&done.stderr));
    }
    Ok(String::from_utf8_lossy(&done.stdout).trim().to_owned())
}

type Make = fn(&Path) -> Result<()>;

/// Creates something at every name that the program reads.
fn each(project: &Path, make: &dyn Fn(&Path) -> Result<()>) -> Result<()> {
    NAMES.iter().try_for_each(|name| make(&project.join(name)))
}

/// Removes what is at a path, and creates its parent folders.
fn room(path: &Path) -> Result<()> {
    std::fs::create_dir_all(path.parent().context("no parent")?)?;
    // The path may not exist.
    let _ = std::fs::remove_file(path);
    Ok(())
}

fn gigabyte(path: &Path) -> Result<()> {
    room(path)?;
    std::fs::File::create(path)?.set_len(1 << 30)?;
    Ok(())
}

fn fifo(path: &Path) -> Result<()> {
    room(path)?;
    let made = Command::new("mkfifo").arg(path).status()?;
    made.success().then_some(()).context("no FIFO")
}

#[cfg(unix)]
fn link(path: &Path, target: &str) -> Result<()> {
    room(path)?;
    Ok(std::os::unix::fs::symlink(target, path)?)
}

#[cfg(not(unix))]
fn link(_path: &Path, _target: &str) -> Result<()> {
    bail!("links are made on Unix only")
}

fn zero(path: &Path) -> Result<()> {
    link(path, "/dev/zero")
}

fn outside(path: &Path) -> Result<()> {
    let project = path.ancestors().find(|p| p.ends_with("project"));
    let base = project.and_then(Path::parent).context("no project")?;
    link(path, &base.join("outside/secret.py").display().to_string())
}

/// Every language, and every other parsed format.
fn nested(project: &Path) -> Result<()> {
    const DEEP: usize = 100_000;
    let shapes = [
        ("(", ")"),
        ("[", "]"),
        ("{", "}"),
        ("a(", ")"),
        ("!", ""),
        ("if x: ", ""),
        ("a.", ""),
        ("<A<", ">"),
    ];
    for ending in ["py", "ts", "tsx", "js", "rs", "go", "java"] {
        for (number, (open, close)) in shapes.iter().enumerate() {
            let text = format!("x = {}1{}\n", open.repeat(DEEP), close.repeat(DEEP));
            std::fs::write(project.join(format!("src/deep{number}.{ending}")), text)?;
        }
    }
    let (open, close) = ("[".repeat(DEEP), "]".repeat(DEEP));
    let objects = format!("{}1{}", "{\"a\":".repeat(DEEP), "}".repeat(DEEP));
    for name in ["package.json", "tsconfig.json", "package-lock.json"] {
        std::fs::write(project.join(name), &objects)?;
    }
    for name in ["Cargo.toml", "pyproject.toml", "Cargo.lock"] {
        std::fs::write(project.join(name), format!("a = {open}{close}\n"))?;
    }
    std::fs::create_dir_all(project.join("config"))?;
    for name in [
        "config/features.yaml",
        "config/boundaries.yaml",
        "config/arch-rules.yaml",
        "pnpm-lock.yaml",
    ] {
        std::fs::write(project.join(name), format!("a: {open}{close}\n"))?;
    }
    std::fs::write(
        project.join("pom.xml"),
        format!("{}{}", "<a>".repeat(DEEP), "</a>".repeat(DEEP)),
    )?;
    Ok(())
}

#[cfg(unix)]
fn names(project: &Path) -> Result<()> {
    use std::os::unix::ffi::OsStrExt;
    for byte in (1..=255).filter(|byte| *byte != b'/') {
        let name = [b"src/x".as_slice(), &[byte], b".py"].concat();
        std::fs::write(project.join(std::ffi::OsStr::from_bytes(&name)), "x = 1\n")?;
        let name = [b"src/d".as_slice(), &[byte], b"d"].concat();
        let folder = project.join(std::ffi::OsStr::from_bytes(&name));
        std::fs::create_dir_all(&folder)?;
        std::fs::write(folder.join("y.py"), "y = 1\n")?;
    }
    Ok(())
}

#[cfg(not(unix))]
fn names(_project: &Path) -> Result<()> {
    Ok(())
}

/// More nested folders than a path can name: a chain is moved to the end of another repeatedly.
fn deep(project: &Path) -> Result<()> {
    let chain = |name: &str| -> Result<PathBuf> {
        let mut folder = project.join(name);
        for _ in 0..1_000 {
            folder.push("d");
        }
        std::fs::create_dir_all(&folder)?;
        std::fs::write(folder.join("a.py"), "x = 1\n")?;
        Ok(folder)
    };
    chain("src/deep")?;
    for _ in 0..9 {
        let end = chain("src/next")?;
        std::fs::rename(project.join("src/deep"), end.join("deep"))?;
        std::fs::rename(project.join("src/next"), project.join("src/deep"))?;
    }
    Ok(())
}

fn patterns(project: &Path) -> Result<()> {
    let many: String = (0..400_000).map(|n| format!("*x{n}*\n")).collect();
    std::fs::write(project.join(".gitignore"), &many[..3_300_000])?;
    std::fs::create_dir_all(project.join("sub"))?;
    let costly = format!("{}b\n", "**/*a*".repeat(5)).repeat(5_000);
    std::fs::write(project.join("sub/.gitignore"), costly)?;
    for n in 0..2_000 {
        std::fs::write(
            project.join(format!("sub/{}{n}.py", "a".repeat(200))),
            "x = 1\n",
        )?;
    }
    Ok(())
}

/// A blob, a commit and a tree of a gigabyte in history.
fn objects(project: &Path) -> Result<()> {
    gigabyte(&project.join("src/large.py"))?;
    git(project, &["add", "-A"])?;
    git(project, &["commit", "-qm", "large"])?;
    std::fs::write(project.join("src/large.py"), "x = 1\n")?;
    git(project, &["add", "-A"])?;
    git(project, &["commit", "-qm", "small"])?;
    let (tree, parent) = (
        git(project, &["rev-parse", "HEAD^{tree}"])?,
        git(project, &["rev-parse", "HEAD"])?,
    );
    let message = project.join("../message");
    let head = format!(
        "tree {tree}\nparent {parent}\nauthor a <a@example.com> 1700000000 +0000\ncommitter a <a@example.com> 1700000000 +0000\n\n"
    );
    std::fs::write(&message, head + &"long message\n".repeat((1 << 30) / 13))?;
    let commit = git(
        project,
        &[
            "hash-object",
            "-t",
            "commit",
            "-w",
            "--literally",
            "../message",
        ],
    )?;
    std::fs::remove_file(message)?;
    std::fs::write(project.join(".git/refs/heads/main"), format!("{commit}\n"))?;
    Ok(())
}

/// Each tree contains the previous one ten times: 10 to the power of 12 files.
fn bomb(project: &Path) -> Result<()> {
    let blob = git(project, &["rev-parse", "HEAD:src/a.py"])?;
    let mut inner = format!("100644 blob {blob}");
    for _ in 0..12 {
        let lines: String = (0..10).map(|n| format!("{inner}\tf{n}.py\n")).collect();
        let list = project.join("../list");
        std::fs::write(&list, lines)?;
        let made = Command::new("git")
            .arg("mktree")
            .stdin(std::fs::File::open(&list)?)
            .current_dir(project)
            .output()?;
        inner = format!(
            "040000 tree {}",
            String::from_utf8_lossy(&made.stdout).trim()
        );
    }
    let tree = inner.rsplit(' ').next().unwrap_or_default();
    let commit = git(project, &["commit-tree", tree, "-p", "HEAD", "-m", "bomb"])?;
    std::fs::write(project.join(".git/refs/heads/main"), format!("{commit}\n"))?;
    Ok(())
}

fn million(project: &Path) -> Result<()> {
    for n in 0..1_000_000 {
        std::fs::write(
            project.join(format!("src/m{n}.py")),
            format!("x{n} = {n}\n"),
        )?;
    }
    Ok(())
}
