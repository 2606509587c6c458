//! `index --precise`: runs the installed SCIP indexers and joins their indexes.

use crate::EngineError;
use crate::workspace::Workspace;
use base::Language;
use guard::program::{self, Environment, Limits, Program};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The time after which an indexer is stopped.
const TIME_LIMIT: Duration = Duration::from_secs(30 * 60);

/// The most bytes of a log: an indexer that writes more is stopped.
const MOST_LOG: u64 = 16 << 20;

/// The most bytes of an index, and of all together: they are held in memory until they are joined.
const MOST_INDEX: u64 = 512 << 20;

/// The most rounds of looking for more TypeScript projects.
const MAX_ROUNDS: u32 = 8;

/// The bytes at the end of a log that are read.
const MAX_SAID: usize = 16_384;

/// A SCIP indexer for some languages.
#[derive(Debug, Clone, Copy)]
pub struct Indexer {
    /// The program.
    pub program: &'static str,
    /// The languages it reads, by their names in the index; none where a file in the root decides.
    pub languages: &'static [&'static str],
    /// A file in the root without which it has nothing to do.
    needs: Option<&'static str>,
    /// The arguments; `{out}` is the file that it writes, `{name}` the project's name.
    arguments: &'static [&'static str],
    /// The command that installs it.
    pub install: &'static str,
    /// The repository's code that the indexer runs, or the repository's settings that decide which programs it runs.
    runs: &'static str,
}

/// All indexers that `--precise` knows.
const INDEXERS: [Indexer; 6] = [
    Indexer {
        program: "scip-typescript",
        languages: &["typescript", "tsx", "javascript"],
        needs: None,
        arguments: &["index", "--no-progress-bar", "--output", "{out}"],
        install: "npm install -g @sourcegraph/scip-typescript",
        runs: "reads what the repository's compiler settings and packages name",
    },
    Indexer {
        program: "scip-python",
        languages: &["python"],
        needs: None,
        arguments: &[
            "index",
            ".",
            "--project-name",
            "{name}",
            "--output",
            "{out}",
        ],
        install: "npm install -g @sourcegraph/scip-python",
        runs: "runs Python in the repository's folder",
    },
    Indexer {
        program: "rust-analyzer",
        languages: &["rust"],
        needs: None,
        arguments: &["scip", ".", "--output", "{out}"],
        install: "rustup component add rust-analyzer",
        runs: "builds and runs build scripts and procedural macros",
    },
    Indexer {
        program: "scip-go",
        languages: &["go"],
        needs: None,
        arguments: &["--output", "{out}"],
        install: "go install github.com/sourcegraph/scip-go/cmd/scip-go@latest",
        runs: "runs the go command over the repository's modules",
    },
    Indexer {
        program: "scip-java",
        languages: &["java"],
        needs: None,
        arguments: &["index", "--output", "{out}"],
        install: "coursier install --contrib scip-java",
        runs: "runs the repository's build (Gradle, Maven or sbt) with its plugins",
    },
    Indexer {
        program: "scip-clang",
        languages: &[],
        needs: Some("compile_commands.json"),
        arguments: &[
            "--compdb-path",
            "compile_commands.json",
            "--index-output-path",
            "{out}",
        ],
        install: "download it from github.com/sourcegraph/scip-clang/releases",
        runs: "runs the compilers that compile_commands.json names",
    },
];

/// The result of running an indexer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PreciseRun {
    /// The program.
    pub indexer: String,
    /// Whether the indexer ran and wrote an index.
    pub ran: bool,
    /// The reason why it did not, or the part that failed: not installed, out of time, or the end of its output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// The command that installs it, where it is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub install: Option<String>,
    /// The file with its whole output, where something failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log: Option<String>,
}

/// Refuses to run anything without the user's consent: compilers and builds run what a repository tells them to.
pub(crate) fn require_trust(workspace: &Workspace, is_trusted: bool) -> Result<(), EngineError> {
    if is_trusted {
        return Ok(());
    }
    let root = &workspace.project().root;
    let walked = ingest::walk::walk_project(root, workspace.options().max_file_size)?;
    let mut languages: BTreeMap<String, u32> = BTreeMap::new();
    for file in walked.files {
        *languages
            .entry(file.language.as_str().to_owned())
            .or_default() += 1;
    }
    let descriptions = indexers_for(root, &languages).into_iter().map(|indexer| {
        let found = program::find_program(indexer.program, &workspace.settings().environment, root);
        let missing = if found.is_none() {
            " (not installed)"
        } else {
            ""
        };
        format!("{}{missing} {}", indexer.program, indexer.runs)
    });
    let descriptions: Vec<String> = descriptions.collect();
    let what = if descriptions.is_empty() {
        "there is no known indexer for the languages of this project".to_owned()
    } else {
        descriptions.join("; ")
    };
    let message = format!("--precise runs code of the repository: {what}");
    Err(EngineError::bad_arguments(message)
        .with_hint("if you trust this repository as you trust a program, add --trust-repository"))
}

/// Runs the indexers that are installed for the languages present. Their indexes are joined into one in the state folder, which
/// later updates read.
pub(crate) fn run_indexers(
    workspace: &Workspace,
    languages: &BTreeMap<String, u32>,
) -> Result<Vec<PreciseRun>, EngineError> {
    let folder = workspace.project().state_dir.join("scip");
    guard::state::create_private_folders(&folder).map_err(|e| {
        EngineError::runtime_failure(format!("cannot write {}: {e}", folder.display()))
    })?;
    let mut work = IndexerRun {
        layout: ProjectLayout::read(workspace),
        root: workspace.project().root.clone(),
        folder,
        environment: workspace.settings().environment.clone(),
        joined: Vec::new(),
    };
    let mut runs = Vec::new();
    for indexer in indexers_for(&workspace.project().root, languages) {
        workspace.progress().stage(indexer.program, 0);
        runs.push(work.run_indexer(&indexer));
    }
    if !work.joined.is_empty() {
        let target = workspace.project().state_dir.join("index.scip");
        guard::state::replace_file(&target, &work.joined)
            .and_then(|()| guard::seal::write_seal_beside(&target))
            .map_err(|e| {
                EngineError::runtime_failure(format!("cannot write {}: {e}", target.display()))
            })?;
    }
    Ok(runs)
}

/// The indexers, with install commands, that would serve the languages.
pub(crate) fn indexers_for(root: &Path, languages: &BTreeMap<String, u32>) -> Vec<Indexer> {
    let fits = |i: &&Indexer| indexer_applies(i, root, languages);
    INDEXERS.iter().filter(fits).copied().collect()
}

fn indexer_applies(indexer: &Indexer, root: &Path, languages: &BTreeMap<String, u32>) -> bool {
    match indexer.needs {
        Some(file) => root.join(file).is_file(),
        None => indexer.languages.iter().any(|l| languages.contains_key(*l)),
    }
}

/// The runs of one project.
struct IndexerRun {
    layout: ProjectLayout,
    root: PathBuf,
    /// The folder for indexes and logs.
    folder: PathBuf,
    environment: Environment,
    /// The indexes so far: concatenated protobuf messages are one message with all their documents.
    joined: Vec<u8>,
}

impl IndexerRun {
    fn run_indexer(&mut self, indexer: &Indexer) -> PreciseRun {
        let mut run = PreciseRun {
            indexer: indexer.program.to_owned(),
            ran: false,
            problem: None,
            install: None,
            log: None,
        };
        let Some(program) = program::find_program(indexer.program, &self.environment, &self.root)
        else {
            run.problem = Some("not installed".to_owned());
            run.install = Some(indexer.install.to_owned());
            return run;
        };
        match indexer.languages.first() {
            Some(&"typescript") => self.run_typescript(indexer, &program, &mut run),
            _ => {
                self.run_once(indexer, &program, &[], &mut run);
            }
        }
        run
    }

    /// Runs the TypeScript indexer. One configuration seldom includes every file, so the projects of files that are left out
    /// follow, as long as that covers more files.
    fn run_typescript(&mut self, indexer: &Indexer, program: &Program, run: &mut PreciseRun) {
        let mut done: BTreeSet<String> = BTreeSet::new();
        let mut covered: BTreeSet<String> = BTreeSet::new();
        for _ in 0..MAX_ROUNDS {
            let projects: Vec<String> = self
                .layout
                .next_projects(&covered, &done)
                .into_iter()
                .collect();
            if projects.is_empty() {
                break;
            }
            let Some(bytes) = self.run_once(indexer, program, &projects, run) else {
                break;
            };
            // An index that cannot be read gives its error at the import.
            covered.extend(ingest::scip::document_paths(&bytes).unwrap_or_default());
            done.extend(projects);
        }
        if done.is_empty() && run.problem.is_none() {
            match self.write_inferred_tsconfig() {
                Ok(config) => {
                    self.run_once(indexer, program, &[config], run);
                }
                Err(fault) => run.problem = Some(fault.to_string()),
            }
        }
    }

    /// Writes a configuration for a project without one. It is in the state folder: the project's own files are not touched.
    fn write_inferred_tsconfig(&self) -> Result<String, RunFault> {
        let path = self.folder.join("tsconfig.json");
        let root = self.root.to_string_lossy();
        let config = serde_json::json!({
            "compilerOptions": { "allowJs": true },
            "include": [format!("{root}/**/*")],
            "exclude": [format!("{root}/**/node_modules"), self.folder.to_string_lossy()],
        });
        guard::state::replace_file(&path, config.to_string().as_bytes()).map_err(|source| {
            RunFault::Config {
                path: path.clone(),
                source,
            }
        })?;
        Ok(path.to_string_lossy().into_owned())
    }

    /// Runs an indexer once and adds the index that it wrote.
    fn run_once(
        &mut self,
        indexer: &Indexer,
        program: &Program,
        more: &[String],
        run: &mut PreciseRun,
    ) -> Option<Vec<u8>> {
        let out = self.folder.join(format!("{}.scip", indexer.program));
        let log = self.folder.join(format!("{}.log", indexer.program));
        // An index of an earlier run must not pass for this one's.
        let _ = std::fs::remove_file(&out);
        let name = self
            .root
            .file_name()
            .map_or_else(|| "project".into(), |n| n.to_string_lossy());
        let arguments = indexer.arguments.iter().map(|argument| {
            let argument = argument.replace("{out}", &out.to_string_lossy());
            argument.replace("{name}", &name)
        });
        // The indexer is trusted with the user's home and network, but gets no key or token.
        let mut command = program.foreground_command(&self.root);
        command
            .envs(self.environment.tool_home_variables())
            .envs(self.environment.network_variables())
            .args(arguments)
            .args(more);
        if indexer.languages.contains(&"python") && !self.layout.python_roots.is_empty() {
            // The project's own packages come before installed copies of them.
            let roots = self.layout.python_roots.iter().map(|r| self.root.join(r));
            let set = self.environment.get("PYTHONPATH");
            let set: Vec<PathBuf> = set
                .iter()
                .flat_map(|set| std::env::split_paths(set))
                .collect();
            if let Ok(path) = std::env::join_paths(roots.chain(set)) {
                command.env("PYTHONPATH", path);
            }
        }
        let options = guard::state::private_file_options()
            .write(true)
            .create(true)
            .truncate(true)
            .to_owned();
        let fault = match guard::state::open_own_file(&log, &options)
            .map_err(RunFault::Log)
            .and_then(|log| {
                let limits = Limits {
                    time: TIME_LIMIT,
                    output: MOST_LOG,
                };
                program::run_to_file(&mut command, log, &limits).map_err(RunFault::Run)
            })
            .and_then(|()| self.written(&out))
        {
            Ok(bytes) => {
                self.joined.extend_from_slice(&bytes);
                run.ran = true;
                return Some(bytes);
            }
            Err(fault) => fault,
        };
        let tail = log_tail(&log);
        if tail.contains("Unknown binary") {
            // The proxy of rustup is installed, but not the program behind it.
            run.problem = Some("not installed".to_owned());
            run.install = Some(indexer.install.to_owned());
            return None;
        }
        run.problem = Some(if tail.is_empty() {
            fault.to_string()
        } else {
            format!("{fault}: {tail}")
        });
        run.log = Some(log.to_string_lossy().into_owned());
        None
    }
    /// Reads the index that an indexer wrote. It must be this user's own regular file, within the limit of size. It is decoded
    /// here, because the joined index is trusted later.
    fn written(&self, out: &Path) -> Result<Vec<u8>, RunFault> {
        let left = MOST_INDEX.saturating_sub(self.joined.len() as u64);
        let bytes = match guard::state::read_own_file(out, left) {
            Ok(bytes) if bytes.is_empty() => return Err(RunFault::NoIndex),
            Ok(bytes) => bytes,
            Err(error) if error.is_missing() => return Err(RunFault::NoIndex),
            Err(error) => return Err(RunFault::Unreadable(error)),
        };
        let decoded = ingest::scip::document_paths(&bytes);
        decoded.map_err(RunFault::Undecodable)?;
        Ok(bytes)
    }
}

/// The reason why a run of an indexer gave no index.
#[derive(Debug, thiserror::Error)]
enum RunFault {
    #[error("cannot write {}: {source}", path.display())]
    Config {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("cannot write the log: {0}")]
    Log(guard::OpenError),
    #[error(transparent)]
    Run(program::RunError),
    #[error("it wrote no index")]
    NoIndex,
    #[error("its index is not read: {}", .0.reason())]
    Unreadable(guard::OpenError),
    #[error("its index cannot be read: {0}")]
    Undecodable(ingest::scip::wire::WireError),
}

/// The places of a project's parts.
#[derive(Debug, Default)]
struct ProjectLayout {
    /// Folders with a `tsconfig.json`, as paths in the project; empty for the root.
    configs: BTreeSet<String>,
    /// Files that the TypeScript indexer can read.
    scripts: Vec<String>,
    /// Folders from which Python packages are imported.
    python_roots: BTreeSet<String>,
}

impl ProjectLayout {
    fn read(workspace: &Workspace) -> ProjectLayout {
        let root = &workspace.project().root;
        // An error of the walk was reported when the index was built.
        let walked =
            ingest::walk::walk_project(root, workspace.options().max_file_size).unwrap_or_default();
        let mut layout = ProjectLayout::default();
        for manifest in &walked.manifests {
            let (dir, name) = manifest
                .path
                .rsplit_once('/')
                .unwrap_or(("", &manifest.path));
            match name {
                "tsconfig.json" => {
                    layout.configs.insert(dir.to_owned());
                }
                "pyproject.toml" | "setup.py" | "setup.cfg" => {
                    let src = if dir.is_empty() {
                        "src".to_owned()
                    } else {
                        format!("{dir}/src")
                    };
                    let has_src = root.join(&src).is_dir();
                    let import_root = if has_src { src } else { dir.to_owned() };
                    layout.python_roots.insert(import_root);
                }
                _ => {}
            }
        }
        let is_script = |l: Language| l.family() == Language::TypeScript;
        let scripts = walked.files.into_iter().filter(|f| is_script(f.language));
        layout.scripts = scripts.map(|f| f.path).collect();
        layout
    }

    /// The projects to read next: the root's, then those nearest to files that are not covered.
    fn next_projects(
        &self,
        covered: &BTreeSet<String>,
        done: &BTreeSet<String>,
    ) -> BTreeSet<String> {
        let shown = |dir: &str| if dir.is_empty() { "." } else { dir }.to_owned();
        if done.is_empty() && self.configs.contains("") {
            return BTreeSet::from([shown("")]);
        }
        let open = self.scripts.iter().filter(|f| !covered.contains(*f));
        let nearest = open.filter_map(|file| {
            let mut dir = file.as_str();
            loop {
                dir = dir.rsplit_once('/').map_or("", |(above, _)| above);
                if self.configs.contains(dir) && !done.contains(&shown(dir)) {
                    return Some(shown(dir));
                }
                if dir.is_empty() {
                    return None;
                }
            }
        });
        nearest.collect()
    }
}

/// The last lines of a log that have content, on one line.
fn log_tail(log: &Path) -> String {
    // The log may be a little longer than its limit.
    let bytes = guard::state::read_own_file(log, 2 * MOST_LOG).unwrap_or_default();
    let from = bytes.len().saturating_sub(MAX_SAID);
    let text = String::from_utf8_lossy(&bytes[from..]);
    // The frames of a stack trace do not help the person who runs an indexer.
    let tells = |l: &&str| {
        let l = l.trim();
        let frame = l.starts_with("at ")
            || l.split_once(": ")
                .is_some_and(|(n, _)| n.parse::<u32>().is_ok());
        !l.is_empty() && !frame
    };
    let mut last: Vec<&str> = text.lines().rev().filter(tells).take(3).collect();
    last.reverse();
    last.join(" / ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indexers_follow_the_languages_present() {
        let languages = BTreeMap::from([("tsx".to_owned(), 3), ("rust".to_owned(), 1)]);
        let found = indexers_for(Path::new("/nowhere"), &languages);
        let programs: Vec<_> = found.iter().map(|i| i.program).collect();
        assert_eq!(programs, ["scip-typescript", "rust-analyzer"]);
    }

    fn indexer_run(folder: &Path, layout: ProjectLayout) -> IndexerRun {
        IndexerRun {
            layout,
            root: folder.to_path_buf(),
            folder: folder.to_path_buf(),
            environment: Environment::with_path("/bin:/usr/bin"),
            joined: Vec::new(),
        }
    }

    #[test]
    fn a_missing_indexer_is_named_with_its_install_command() {
        let indexer = Indexer {
            program: "no-such-indexer-anywhere",
            ..INDEXERS[0]
        };
        let run = indexer_run(Path::new("."), ProjectLayout::default()).run_indexer(&indexer);
        assert_eq!(run.problem.as_deref(), Some("not installed"));
        assert_eq!(run.install.as_deref(), Some(INDEXERS[0].install));
    }

    #[cfg(unix)]
    #[test]
    fn failures_are_told_with_what_was_said() {
        let folder = tempfile::tempdir().unwrap();
        let indexer = Indexer {
            program: "sh",
            arguments: &["-c", "echo nothing to do"],
            ..INDEXERS[1]
        };
        let run = indexer_run(folder.path(), ProjectLayout::default()).run_indexer(&indexer);
        assert!(!run.ran);
        assert_eq!(
            run.problem.as_deref(),
            Some("it wrote no index: nothing to do")
        );
        assert!(run.log.is_some());
    }

    #[test]
    fn projects_of_files_that_are_left_out_follow() {
        let set = |list: &[&str]| {
            list.iter()
                .map(|s| (*s).to_owned())
                .collect::<BTreeSet<_>>()
        };
        let layout = ProjectLayout {
            configs: set(&["", "a", "a/deep", "b"]),
            scripts: ["x.ts", "a/y.ts", "a/deep/z.ts", "b/w.js"]
                .map(str::to_owned)
                .to_vec(),
            python_roots: BTreeSet::new(),
        };
        let none = set(&[]);
        assert_eq!(layout.next_projects(&none, &none), set(&["."]));
        let covered = set(&["x.ts", "a/y.ts"]);
        assert_eq!(
            layout.next_projects(&covered, &set(&["."])),
            set(&["a/deep", "b"])
        );
        let done = set(&[".", "a/deep", "b"]);
        assert_eq!(
            layout.next_projects(&covered, &done),
            set(&["a"]),
            "one further up"
        );
        assert_eq!(ProjectLayout::default().next_projects(&none, &none), none);
    }
}
