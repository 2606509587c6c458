//! `trust confined`: runs every command on a hostile repository under `strace`. No connection may leave the machine, no
//! other program may start, and only files of the project and those needed for startup may be opened.

use super::{Args, Figure};
use anyhow::{Context, Result, bail};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The content of a file outside the project; no answer may contain it.
const CANARY: &str = "canary-7f3a91c2-outside";

/// Folders and files that a program opens before its `main`, or that describe the machine.
const SYSTEM: &[&str] = &[
    "/etc/ld.so",
    "/lib",
    "/usr/lib",
    "/usr/share/zoneinfo",
    "/etc/localtime",
    "/proc/",
    "/sys/",
    "/dev/null",
    "/dev/urandom",
    "/etc/gitconfig",
    "/etc/passwd",
    "/etc/nsswitch.conf",
];

/// The commands, as lists of words.
const COMMANDS: &[&[&str]] = &[
    &["index"],
    &["index", "--force"],
    &["index", "status"],
    &["search", "who opens the door"],
    &["search", "--mode", "regex", "door"],
    &["graph-rag", "who opens the door"],
    &["call-chain", "open_door"],
    &["impact", "open_door"],
    &["impact", "--since", "HEAD"],
    &["bug-locate", "panic in open_door"],
    &["hotspot"],
    &["arch-check"],
    &["cod", "generate"],
    &["complexity"],
    &["boundary", "--path", "src/a.py"],
    &["pattern", "learn"],
    &["vuln", "scan"],
    &["graph-store", "stats"],
    &["config", "show"],
    &["embedding", "status"],
    &["hook"],
    &["cache", "status"],
];

/// Runs the row.
pub(super) fn check_confined(args: &Args) -> Result<Vec<Figure>> {
    let strace = Command::new("strace")
        .arg("-V")
        .stdout(Stdio::null())
        .status();
    if !strace.is_ok_and(|status| status.success()) {
        bail!("needs strace: install it with your package manager");
    }
    let scene = Scene::new()?;
    let binary = super::binary(args)?.canonicalize()?;
    let mut seen = Violations::default();
    for words in COMMANDS {
        scene.watch(&binary, words, &mut seen)?;
    }
    if args.list {
        let all = seen
            .network
            .iter()
            .chain(&seen.programs)
            .chain(&seen.outside);
        all.for_each(|line| println!("  {line}"));
    }
    let none = |what: &str, found: &BTreeSet<String>| {
        Figure::new(what, found.len().to_string(), "0", found.is_empty())
    };
    Ok(vec![
        Figure::note("commands watched", COMMANDS.len().to_string()),
        none("sockets other than local ones", &seen.network),
        none("other programs started", &seen.programs),
        none("files opened outside", &seen.outside),
        Figure::new(
            "answers with outside text",
            seen.canaries.to_string(),
            "0",
            seen.canaries == 0,
        ),
    ])
}

/// Forbidden actions of the program.
#[derive(Default)]
struct Violations {
    network: BTreeSet<String>,
    programs: BTreeSet<String>,
    outside: BTreeSet<String>,
    canaries: usize,
}

/// A hostile project, a folder beside it that must not be read, and an empty home.
struct Scene {
    folder: tempfile::TempDir,
    project: PathBuf,
    home: PathBuf,
    /// The standard input of the hook.
    prompt: PathBuf,
}

impl Scene {
    fn new() -> Result<Scene> {
        let folder = tempfile::tempdir()?;
        let base = folder.path().canonicalize()?;
        let (project, home, outside) = (
            base.join("project"),
            base.join("home"),
            base.join("outside"),
        );
        for path in [
            project.join("src"),
            project.join("config"),
            home.clone(),
            outside.clone(),
        ] {
            std::fs::create_dir_all(path)?;
        }
        let write = |path: PathBuf, text: &str| {
            std::fs::write(&path, text).with_context(|| path.display().to_string())
        };
        write(
            outside.join("secret.py"),
            &format!("def open_door():\n    return '{CANARY}'\n"),
        )?;
        write(
            project.join("src/a.py"),
            "from b import open_door\n\ndef main():\n    open_door()\n",
        )?;
        write(
            project.join("src/b.py"),
            "def open_door():\n    return 'door'\n",
        )?;
        write(
            project.join("package.json"),
            r#"{"name":"x","dependencies":{"left-pad":"1.0.0"}}"#,
        )?;
        let lock = r#"{"name":"x","lockfileVersion":3,"packages":{"node_modules/left-pad":{"version":"1.0.0"}}}"#;
        write(project.join("package-lock.json"), lock)?;
        write(
            project.join(".npmrc"),
            "registry=http://127.0.0.1:9/${HOME}/\n",
        )?;
        let config = "embedding:\n  provider: openai\nreranker:\n  enabled: true\n";
        write(project.join("config/features.yaml"), config)?;
        let git = |words: &[&str]| {
            Command::new("git")
                .args(words)
                .current_dir(&project)
                .output()
        };
        git(&["init", "-q"])?;
        git(&["add", "-A"])?;
        git(&[
            "-c",
            "user.name=a",
            "-c",
            "user.email=a@b",
            "commit",
            "-qm",
            "first",
        ])?;
        links(&project, &outside)?;
        let prompt = base.join("prompt.json");
        write(
            prompt.clone(),
            r#"{"hook_event_name":"UserPromptSubmit","prompt":"why does open_door in src/b.py fail"}"#,
        )?;
        Ok(Scene {
            folder,
            project,
            home,
            prompt,
        })
    }

    /// Runs one command and adds its violations.
    fn watch(&self, binary: &Path, words: &[&str], seen: &mut Violations) -> Result<()> {
        let trace = self.folder.path().join("trace");
        let mut command = Command::new("strace");
        command
            .args([
                "-f",
                "-qq",
                "-s",
                "4096",
                "-e",
                "trace=%network,execve,open,openat,openat2,creat",
            ])
            .arg("-o")
            .arg(&trace)
            .arg(binary)
            .args(words)
            .current_dir(&self.project)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", &self.home)
            .env("OPENAI_API_KEY", "planted-key")
            .stdin(std::fs::File::open(&self.prompt)?);
        let output = command.output()?;
        for text in [&output.stdout, &output.stderr] {
            seen.canaries += usize::from(String::from_utf8_lossy(text).contains(CANARY));
        }
        let lines = std::fs::read_to_string(&trace)?;
        // The first line is the start of the program itself by strace.
        for line in lines.lines().skip(1) {
            self.judge(&words.join(" "), line, binary, seen);
        }
        Ok(())
    }

    fn judge(&self, command: &str, line: &str, binary: &Path, seen: &mut Violations) {
        let call = line
            .split_once(' ')
            .map_or(line, |(_, call)| call)
            .trim_start();
        let name = call.split('(').next().unwrap_or_default();
        let text = call.split('"').nth(1).unwrap_or_default();
        let failed = call.contains(") = -1 ENOENT");
        let shown = format!("{command}: {call}");
        match name {
            "socket" if !call.contains("AF_UNIX") => drop(seen.network.insert(shown)),
            "execve" if !failed && Path::new(text) != binary => drop(seen.programs.insert(shown)),
            "open" | "openat" | "openat2" | "creat" if !failed && !self.may_open(text) => {
                seen.outside.insert(shown);
            }
            _ => {}
        }
    }

    /// Whether a path may be opened. Relative paths are resolved beneath an open folder, or beneath the project.
    fn may_open(&self, path: &str) -> bool {
        let relative = !path.starts_with('/');
        let inside = [&self.project, &self.home]
            .into_iter()
            .any(|folder| Path::new(path).starts_with(folder));
        let climbs = path.split('/').any(|part| part == "..");
        (relative
            || inside
            || SYSTEM.iter().any(|known| path.starts_with(known))
            || is_above(path, &self.project))
            && !climbs
    }
}

/// Whether a folder is above the project. It may be searched for a `.git` or ignore files.
fn is_above(path: &str, project: &Path) -> bool {
    let path = Path::new(path);
    project
        .ancestors()
        .any(|folder| folder == path || path.parent() == Some(folder) && is_marker(path))
}

fn is_marker(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    matches!(name, Some(".git" | ".gitignore" | ".ignore" | ".devbooks"))
}

/// Creates links that lead out of the project, at every name that the program may read.
#[cfg(unix)]
fn links(project: &Path, outside: &Path) -> Result<()> {
    use std::os::unix::fs::symlink;
    for name in [
        "src/c.py",
        "CODEOWNERS",
        "config/arch-rules.yaml",
        "config/boundaries.yaml",
        "index.scip",
        "go.mod",
        "yarn.lock",
    ] {
        symlink(outside.join("secret.py"), project.join(name))?;
    }
    symlink(outside, project.join("src/vendor"))?;
    symlink(outside.join("secret.py"), project.join("src/.gitignore"))?;
    Ok(())
}

#[cfg(not(unix))]
fn links(_project: &Path, _outside: &Path) -> Result<()> {
    Ok(())
}
