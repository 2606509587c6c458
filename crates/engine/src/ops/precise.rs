//! `index --precise`: the compiler-grade indexers that are installed, and what they write.

use crate::{Engine, EngineError};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A SCIP indexer for some languages.
#[derive(Debug, Clone, Copy)]
pub struct Indexer {
    /// The program.
    pub program: &'static str,
    /// Languages it reads, as the index calls them; none where a file in the root decides.
    pub languages: &'static [&'static str],
    /// A file in the root without which it has nothing to do.
    needs: Option<&'static str>,
    /// Its arguments; `{out}` is the file it writes, `{name}` the project's name.
    arguments: &'static [&'static str],
    /// The command that installs it.
    pub install: &'static str,
}

/// Every indexer that `--precise` knows.
const INDEXERS: [Indexer; 6] = [
    Indexer {
        program: "scip-typescript",
        languages: &["typescript", "tsx", "javascript"],
        needs: None,
        arguments: &["index", "--infer-tsconfig", "--output", "{out}"],
        install: "npm install -g @sourcegraph/scip-typescript",
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
    },
    Indexer {
        program: "rust-analyzer",
        languages: &["rust"],
        needs: None,
        arguments: &["scip", ".", "--output", "{out}"],
        install: "rustup component add rust-analyzer",
    },
    Indexer {
        program: "scip-go",
        languages: &["go"],
        needs: None,
        arguments: &["--output", "{out}"],
        install: "go install github.com/sourcegraph/scip-go/cmd/scip-go@latest",
    },
    Indexer {
        program: "scip-java",
        languages: &["java"],
        needs: None,
        arguments: &["index", "--output", "{out}"],
        install: "coursier install --contrib scip-java",
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
    },
];

/// What became of an indexer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PreciseRun {
    /// The program.
    pub indexer: String,
    /// Whether it ran and wrote an index.
    pub ran: bool,
    /// Why not: not installed, or the end of what it said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// The command that installs it, where it is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub install: Option<String>,
}

/// Runs what is installed for the languages present. What they write is joined into one index in
/// the state folder, which later updates read.
pub(crate) fn run(
    engine: &Engine,
    languages: &BTreeMap<String, u32>,
) -> Result<Vec<PreciseRun>, EngineError> {
    let folder = engine.project().state_dir.join("scip");
    std::fs::create_dir_all(&folder)
        .map_err(|e| EngineError::failure(format!("cannot write {}: {e}", folder.display())))?;
    let mut runs = Vec::new();
    let mut joined = Vec::new();
    for indexer in INDEXERS
        .iter()
        .filter(|i| applies(i, &engine.project().root, languages))
    {
        let out = folder.join(format!("{}.scip", indexer.program));
        engine.progress().stage(indexer.program, 0);
        let run = run_one(indexer, &engine.project().root, &out);
        if run.ran {
            // Concatenated protobuf messages are one message with all their documents.
            let bytes = std::fs::read(&out)
                .map_err(|e| EngineError::failure(format!("cannot read {}: {e}", out.display())))?;
            joined.extend(bytes);
        }
        runs.push(run);
    }
    if !joined.is_empty() {
        let target = engine.project().state_dir.join("index.scip");
        let next = engine.project().state_dir.join("index.scip.next");
        std::fs::write(&next, joined)
            .and_then(|()| std::fs::rename(&next, &target))
            .map_err(|e| EngineError::failure(format!("cannot write {}: {e}", target.display())))?;
    }
    Ok(runs)
}

/// The indexers, with install commands, that would serve the languages.
pub(crate) fn for_languages(root: &Path, languages: &BTreeMap<String, u32>) -> Vec<Indexer> {
    let fits = |i: &&Indexer| applies(i, root, languages);
    INDEXERS.iter().filter(fits).copied().collect()
}

fn applies(indexer: &Indexer, root: &Path, languages: &BTreeMap<String, u32>) -> bool {
    match indexer.needs {
        Some(file) => root.join(file).is_file(),
        None => indexer.languages.iter().any(|l| languages.contains_key(*l)),
    }
}

fn run_one(indexer: &Indexer, root: &Path, out: &Path) -> PreciseRun {
    let mut run = PreciseRun {
        indexer: indexer.program.to_owned(),
        ran: false,
        problem: None,
        install: None,
    };
    let Some(program) = on_path(indexer.program) else {
        run.problem = Some("not installed".to_owned());
        run.install = Some(indexer.install.to_owned());
        return run;
    };
    // An index of an earlier run must not pass for this one's.
    let _ = std::fs::remove_file(out);
    let name = root
        .file_name()
        .map_or_else(|| "project".into(), |n| n.to_string_lossy());
    let arguments = indexer.arguments.iter().map(|argument| {
        let argument = argument.replace("{out}", &out.to_string_lossy());
        argument.replace("{name}", &name)
    });
    let done = Command::new(program)
        .args(arguments)
        .current_dir(root)
        .stdin(Stdio::null())
        .output();
    match done {
        Ok(done) if done.status.success() && out.is_file() => run.ran = true,
        Ok(done) => {
            let said = String::from_utf8_lossy(&done.stderr);
            let said = if said.trim().is_empty() {
                String::from_utf8_lossy(&done.stdout)
            } else {
                said
            };
            let last: Vec<&str> = said
                .lines()
                .rev()
                .filter(|l| !l.trim().is_empty())
                .take(3)
                .collect();
            let last: Vec<&str> = last.into_iter().rev().collect();
            run.problem = Some(format!("{}: {}", done.status, last.join(" / ")));
        }
        Err(error) => run.problem = Some(error.to_string()),
    }
    run
}

fn on_path(program: &str) -> Option<PathBuf> {
    // The search path is the system's business; the program's own settings come through `Settings`.
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(program))
        .find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indexers_follow_the_languages_present() {
        let languages = BTreeMap::from([("tsx".to_owned(), 3), ("rust".to_owned(), 1)]);
        let found = for_languages(Path::new("/nowhere"), &languages);
        let programs: Vec<_> = found.iter().map(|i| i.program).collect();
        assert_eq!(programs, ["scip-typescript", "rust-analyzer"]);
    }

    #[test]
    fn a_missing_indexer_is_named_with_its_install_command() {
        let indexer = Indexer {
            program: "no-such-indexer-anywhere",
            ..INDEXERS[0]
        };
        let run = run_one(&indexer, Path::new("."), Path::new("out.scip"));
        assert_eq!(run.problem.as_deref(), Some("not installed"));
        assert_eq!(run.install.as_deref(), Some(INDEXERS[0].install));
    }
}
