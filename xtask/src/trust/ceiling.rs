//! `trust ceiling`: very many files, very many lines, very large and very deep files, under a memory ceiling.

use super::{Args, Figure};
use crate::bench::index::command;
use crate::bench::process::measure;
use anyhow::Result;
use std::fmt::Write;
use std::fs::{self, File};
use std::path::Path;

/// The memory ceiling in bytes.
const CEILING: u64 = 512 << 20;
/// The bound on measured memory: mapped files count as well, so it is above the ceiling.
const BAR: u64 = CEILING / 10 * 11;
const FILES: usize = 1_000_000;
const LINES: usize = 2_000_000;
const LARGE: usize = (16 << 20) - 4_096;
const DEEP: usize = 100_000;
const SPARSE: u64 = 1 << 30;

/// A language: the file ending, the text before and after all functions, a function (`@` is its number), and the
/// nested parts.
struct Kind {
    ending: &'static str,
    around: (&'static str, &'static str),
    function: &'static str,
    nested: (&'static str, &'static str),
}

const KINDS: &[Kind] = &[
    Kind {
        ending: "py",
        around: ("", ""),
        function: "def fn_@(a, b):\n    '''Adds.'''\n    total = a + b\n    for i in range(total):\n        total += fn_@(i, b)\n    return total\n\n",
        nested: ("(", ")"),
    },
    Kind {
        ending: "ts",
        around: ("", ""),
        function: "export class C@ {\n  private value: number = @;\n  compute(input: number): number {\n    const r = this.value * input;\n    return this.other(r);\n  }\n  other(n: number): number { return n; }\n}\n",
        nested: ("[", "]"),
    },
    Kind {
        ending: "js",
        around: ("", ""),
        function: "function fn@(a, b) {\n  // Adds.\n  let total = a + b;\n  if (total > @) {\n    total = fn@(total, b);\n  }\n  return total;\n}\n",
        nested: ("{", "}"),
    },
    Kind {
        ending: "go",
        around: ("package p\n\n", ""),
        function: "// Fn@ adds.\nfunc Fn@(a, b int) int {\n\ttotal := a + b\n\tif total > @ {\n\t\ttotal = Fn@(total, b)\n\t}\n\treturn total\n}\n\n",
        nested: ("(", ")"),
    },
    Kind {
        ending: "rs",
        around: ("", ""),
        function: "/// Adds.\npub fn fn_@(a: u64, b: u64) -> u64 {\n    let mut total = a + b;\n    if total > @ {\n        total = fn_@(total, b);\n    }\n    total\n}\n\n",
        nested: ("{", "}"),
    },
    Kind {
        ending: "java",
        around: ("package p;\n\npublic class Main {\n", "}\n"),
        function: "  /** Adds. */\n  public int fn@(int a, int b) {\n    int total = a + b;\n    if (total > @) {\n      total = fn@(total, b);\n    }\n    return total;\n  }\n\n",
        nested: ("{", "}"),
    },
];

impl Kind {
    /// A file of about `bytes` bytes.
    fn text(&self, bytes: usize, first: usize) -> String {
        let mut text = self.around.0.to_owned();
        let mut number = first;
        while text.len() < bytes {
            text.push_str(&self.function.replace('@', &number.to_string()));
            number += 1;
        }
        text.push_str(self.around.1);
        text
    }
}

/// Indexes and queries each in its own repository, under the ceiling.
pub(super) fn check_ceiling(args: &Args) -> Result<Vec<Figure>> {
    let binary = super::binary(args)?;
    let mut figures = Vec::new();
    let mut row = |what: &str, make: &dyn Fn(&Path) -> Result<()>| -> Result<()> {
        let (repo, state) = (tempfile::tempdir()?, tempfile::tempdir()?);
        make(repo.path())?;
        let asked: [(&str, &[&str]); 3] = [
            (
                "index",
                &["index", "--max-file-size", "16MiB", "--format", "json"],
            ),
            ("search", &["search", "adds a total", "--format", "json"]),
            ("overview", &["cod", "generate", "--level", "1"]),
        ];
        for (question, arguments) in asked {
            let mut command = command(&binary, repo.path(), state.path());
            command.args(["--memory", "512MB"]).args(arguments);
            let figure = match measure(&mut command) {
                Ok(spent) => Figure::new(
                    &format!("{what}: {question}"),
                    format!("{} MB, {:.0} s", spent.peak >> 20, spent.time.as_secs_f64()),
                    "ends below 563 MB",
                    spent.peak <= BAR,
                ),
                Err(error) => Figure::new(
                    &format!("{what}: {question}"),
                    format!("{error:#}")
                        .chars()
                        .rev()
                        .take(40)
                        .collect::<String>()
                        .chars()
                        .rev()
                        .collect(),
                    "ends below 563 MB",
                    false,
                ),
            };
            figures.push(figure);
        }
        Ok(())
    };
    for kind in KINDS {
        let name = format!("main.{}", kind.ending);
        row(&format!("16 MiB of {}", kind.ending), &|repo| {
            Ok(fs::write(repo.join(&name), kind.text(LARGE, 0))?)
        })?;
    }
    row("nested 100,000 deep", &|repo| {
        for kind in KINDS {
            let (open, close) = kind.nested;
            let text = format!(
                "{}{}{}",
                kind.around.0,
                format!("{open}\n").repeat(DEEP),
                format!("{close}\n").repeat(DEEP)
            );
            fs::write(repo.join(format!("deep.{}", kind.ending)), text)?;
        }
        Ok(())
    })?;
    row("1 GB of every kind", &sparse)?;
    row("2,000,000 lines", &lines)?;
    row("1,000,000 files in a folder", &files)?;
    Ok(figures)
}

/// Sparse files with a large size, and one file with a single long line.
fn sparse(repo: &Path) -> Result<()> {
    let endings = KINDS.iter().map(|kind| format!("large.{}", kind.ending));
    let others = [
        "README.md",
        "data.json",
        "package.json",
        "tsconfig.json",
        "go.mod",
        "Cargo.toml",
        "pyproject.toml",
        "pom.xml",
        "notes.txt",
    ];
    for name in endings.chain(others.map(str::to_owned)) {
        File::create(repo.join(name))?.set_len(SPARSE)?;
    }
    // A minified file below the size limit.
    fs::write(repo.join("line.js"), "var a = 1; ".repeat(1 << 20))?;
    Ok(fs::write(repo.join("small.py"), KINDS[0].text(2_000, 0))?)
}

fn lines(repo: &Path) -> Result<()> {
    let (mut written, mut number) = (0, 0);
    while written < LINES {
        let kind = &KINDS[number % KINDS.len()];
        let text = kind.text(20_000, number * 200);
        written += text.lines().count();
        let folder = repo.join(format!("part{}", number % 40));
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(format!("m{number}.{}", kind.ending)), text)?;
        number += 1;
    }
    Ok(())
}

fn files(repo: &Path) -> Result<()> {
    let mut text = String::new();
    for number in 0..FILES {
        text.clear();
        let next = (number + 1) % FILES;
        let _ = write!(
            text,
            "from f{next:07} import g{next}\n\ndef g{number}(x):\n    return g{next}(x)\n"
        );
        fs::write(repo.join(format!("f{number:07}.py")), &text)?;
    }
    Ok(())
}
