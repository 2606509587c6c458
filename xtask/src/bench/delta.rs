//! `bench delta`: the cost of updating one file in repositories of any size.

use super::growth;
use super::index::command;
use super::process::{Server, measure};
use super::{milliseconds, percentile, row};
use anyhow::{Context, Result, bail};
use base::Language;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use testkit::edits::Random;

/// Arguments of `bench delta`.
#[derive(clap::Args)]
pub struct Args {
    /// Repositories to work on copies of, the smallest first.
    #[arg(long, required = true)]
    repo: Vec<PathBuf>,
    /// Instead: the first repository multiplied to so many lines each, so that the files that are edited are alike.
    #[arg(long, value_delimiter = ',')]
    multiply: Vec<usize>,
    /// The binary to measure [default: knotwork beside this program].
    #[arg(long)]
    binary: Option<PathBuf>,
    /// Edits of each kind.
    #[arg(long, default_value_t = 100)]
    edits: usize,
    /// Also one update after a rest, in which what updates need is let go.
    #[arg(long)]
    rest: bool,
    /// Files larger than this many bytes are not edited.
    #[arg(long, default_value_t = 40_000)]
    largest: u64,
}

/// After this time without an update, the program has dropped all data that it can read again.
const REST: Duration = Duration::from_secs(80);

/// Kinds of edits, each with its bound in milliseconds.
const KINDS: [(&str, Option<u64>); 3] = [
    ("in a body", Some(15)),
    ("a comment above all", Some(15)),
    ("a new definition", Some(15)),
];

/// Times updates over MCP, beside reading and parsing the one file.
pub fn measure_delta(args: &Args) -> Result<()> {
    let binary = super::binary(args.binary.as_deref())?;
    let mut all = Vec::new();
    if args.multiply.is_empty() {
        for repo in &args.repo {
            all.push(one(&binary, repo, args)?);
        }
    } else {
        for lines in &args.multiply {
            let folder = tempfile::tempdir()?;
            growth::multiplied(&args.repo[0], *lines, folder.path())?;
            all.push(one(&binary, folder.path(), args)?);
        }
    }
    if let [first, .., last] = &all[..] {
        let ratio = last.as_secs_f64() / first.as_secs_f64().max(1e-9);
        row(
            "largest / smallest, body",
            &format!("{ratio:.2}"),
            "p95 of both",
            "2.00",
            ratio <= 2.0,
        );
    }
    Ok(())
}

/// Measures one repository. Returns the 95th percentile of edits within function bodies.
fn one(binary: &Path, repo: &Path, args: &Args) -> Result<Duration> {
    let (copy, state) = (tempfile::tempdir()?, tempfile::tempdir()?);
    let (files, lines) = copy_sources(repo, copy.path(), args.largest)?;
    if files.is_empty() {
        bail!("{}: no source files", repo.display());
    }
    println!(
        "{}: {lines} lines, {} files that may be edited",
        repo.display(),
        files.len()
    );
    measure(command(binary, copy.path(), state.path()).args(["index", "--format", "json"]))?;
    let (mut server, _) = Server::start(command(binary, copy.path(), state.path()).arg("mcp"))?;
    let mut random = Random::new(7);
    // The first update loads data that later ones reuse.
    let since = Instant::now();
    update(&mut server, copy.path(), &files, &mut random, 0)?;
    println!("  first update {}", milliseconds(since.elapsed()));
    let mut body = Duration::ZERO;
    for (kind, (what, bound)) in KINDS.iter().enumerate() {
        let rounds = if bound.is_some() {
            args.edits
        } else {
            args.edits.div_ceil(10)
        };
        let (mut times, mut inside, mut parses) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..rounds {
            let (time, own, parse) = update(&mut server, copy.path(), &files, &mut random, kind)?;
            times.push(time);
            inside.push(own);
            parses.push(parse);
        }
        let p95 = percentile(&mut times, 0.95);
        let reference = format!(
            "p50 {}, inside p95 {}, parsing the file p95 {}",
            milliseconds(percentile(&mut times, 0.5)),
            milliseconds(percentile(&mut inside, 0.95)),
            milliseconds(percentile(&mut parses, 0.95))
        );
        let (asked, holds) = match bound {
            Some(bound) => (format!("{bound} ms"), p95 <= Duration::from_millis(*bound)),
            None => ("-".to_owned(), true),
        };
        row(
            &format!("  {what}, p95"),
            &milliseconds(p95),
            &reference,
            &asked,
            holds,
        );
        if kind == 0 {
            body = p95;
        }
    }
    if args.rest {
        std::thread::sleep(REST);
        for (kind, (what, _)) in KINDS.iter().enumerate() {
            let (time, ..) = update(&mut server, copy.path(), &files, &mut random, kind)?;
            println!("  after a rest, {}: {what}", milliseconds(time));
        }
    }
    Ok(body)
}

/// Edits a file and requests the update. Returns the whole time, the time that the answer reports, and the time to
/// parse the file.
fn update(
    server: &mut Server,
    root: &Path,
    files: &[String],
    random: &mut Random,
    kind: usize,
) -> Result<(Duration, Duration, Duration)> {
    let (path, language, text) = loop {
        let path = random.pick(files).context("no files")?;
        let text = std::fs::read_to_string(root.join(path))?;
        if let Some(language) = Language::from_path(path)
            && let Some(text) = edited(&text, language, kind, random)
        {
            break (path, language, text);
        }
    };
    std::fs::write(root.join(path), &text)?;
    let since = Instant::now();
    let read = std::fs::read_to_string(root.join(path))?;
    std::hint::black_box(languages::extract(language, &read));
    let parse = since.elapsed();
    let (time, answer) = server.call("ci_ast_delta", json!({"file": path}))?;
    let text = answer["result"]["content"][0]["text"]
        .as_str()
        .unwrap_or("");
    let said: Value = serde_json::from_str(text).unwrap_or_default();
    if said["files_updated"] != 1 {
        bail!("{path}: {answer}");
    }
    let inside = said["latency_ms"].as_f64().unwrap_or_default() / 1_000.0;
    Ok((time, Duration::from_secs_f64(inside), parse))
}

/// The texts that are inserted into a source of a language; `{n}` is a number.
struct Edits {
    family: Language,
    call: &'static str,
    comment: &'static str,
    definition: &'static str,
    /// The beginning of a line before which a call may stand.
    statement: &'static str,
}

/// Files in other languages are not edited.
const EDITS: [Edits; 5] = [
    Edits {
        family: Language::TypeScript,
        call: "console.log({n});",
        comment: "// note {n}",
        definition: "function bench{n}() { return {n}; }",
        statement: "return ",
    },
    Edits {
        family: Language::Python,
        call: "print({n})",
        comment: "# note {n}",
        definition: "def bench_{n}():\n    return {n}",
        statement: "return ",
    },
    Edits {
        family: Language::Go,
        call: "println({n})",
        comment: "// note {n}",
        definition: "func bench{n}() int { return {n} }",
        statement: "\treturn ",
    },
    Edits {
        family: Language::Rust,
        call: "drop({n});",
        comment: "// note {n}",
        definition: "fn bench_{n}() -> u32 { {n} }",
        statement: "let ",
    },
    Edits {
        family: Language::Java,
        call: "System.out.println({n});",
        comment: "// note {n}",
        definition: "class Bench{n} {}",
        statement: "return ",
    },
];

fn edited(text: &str, language: Language, kind: usize, random: &mut Random) -> Option<String> {
    let number = random.below(1_000_000).to_string();
    let edits = EDITS.iter().find(|e| e.family == language.family())?;
    let filled = |text: &str| text.replace("{n}", &number);
    let (call, comment) = (filled(edits.call), filled(edits.comment));
    let definition = filled(edits.definition);
    match kind {
        0 => in_a_body(text, edits, &call, random),
        1 if text.starts_with("#!") => None,
        1 => Some(format!("{comment}\n{text}")),
        _ => Some(format!("{text}\n{definition}\n")),
    }
}

/// Inserts a call before a statement within a function.
fn in_a_body(text: &str, edits: &Edits, call: &str, random: &mut Random) -> Option<String> {
    let (family, statement) = (edits.family, edits.statement);
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    let stands = |at: &usize| {
        let (line, before) = (
            lines[*at],
            at.checked_sub(1).map_or("", |b| lines[b].trim_end()),
        );
        let own =
            line.trim_start().starts_with(statement.trim_start()) && line.starts_with([' ', '\t']);
        own && (before.ends_with([';', '{', '}', ':'])
            || family == Language::Go
            || family == Language::Python && before.is_empty())
    };
    let places: Vec<usize> = (0..lines.len()).filter(stands).collect();
    let at = *random.pick(&places)?;
    let indent: String = lines[at]
        .chars()
        .take_while(|c| c.is_whitespace())
        .collect();
    let added = format!("{indent}{call}\n");
    lines.insert(at, &added);
    Some(lines.concat())
}

/// Copies the text files of a repository. Returns the paths of the sources that are not too large, and the lines of all
/// files.
fn copy_sources(from: &Path, to: &Path, largest: u64) -> Result<(Vec<String>, usize)> {
    let (mut files, mut lines) = (Vec::new(), 0);
    for entry in ignore::WalkBuilder::new(from)
        .hidden(false)
        .build()
        .flatten()
    {
        let relative = entry.path().strip_prefix(from)?;
        if !entry.file_type().is_some_and(|t| t.is_file()) || relative.starts_with(".git") {
            continue;
        }
        let target = to.join(relative);
        if let Some(folder) = target.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::copy(entry.path(), &target)?;
        let path = relative.to_string_lossy().replace('\\', "/");
        let size = entry.metadata()?.len();
        if Language::from_path(&path).is_some()
            && let Ok(text) = std::fs::read_to_string(entry.path())
        {
            lines += text.lines().count();
            if size <= largest {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok((files, lines))
}
