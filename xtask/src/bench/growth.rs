//! `bench growth`: how the time and memory of an index build grow with the size of the source.

use super::index::command;
use super::process::measure;
use super::{megabytes, row};
use anyhow::{Context, Result, bail};
use base::Language;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Arguments of `bench growth`.
#[derive(clap::Args)]
pub struct Args {
    /// The repository that is multiplied.
    #[arg(long)]
    repo: PathBuf,
    /// The binary to measure [default: knotwork beside this program].
    #[arg(long)]
    binary: Option<PathBuf>,
    /// Sizes in lines; up to 10000000 where there is time and room for it.
    #[arg(long, value_delimiter = ',', default_value = "10000,100000,1000000")]
    lines: Vec<usize>,
}

/// A source file: path and text.
type Source = (String, String);

/// Indexes copies of a repository side by side. The symbols of each copy have other names. Prints the exponents of
/// time and memory.
pub fn measure_growth(args: &Args) -> Result<()> {
    let binary = super::binary(args.binary.as_deref())?;
    let sources = sources(&args.repo)?;
    let names = names(&sources);
    let mut points = Vec::new();
    for wanted in &args.lines {
        let (folder, state) = (tempfile::tempdir()?, tempfile::tempdir()?);
        let (lines, bytes) = multiply(&sources, &names, *wanted, folder.path())?;
        let mut index = command(&binary, folder.path(), state.path());
        let spent = measure(index.args(["index", "--format", "json"]))?;
        println!(
            "{lines:>10} lines, {:>9} of source: {:>8.2} s, peak {:>9}, {:.2} s a million lines",
            megabytes(bytes),
            spent.time.as_secs_f64(),
            megabytes(spent.peak),
            spent.time.as_secs_f64() * 1e6 / lines as f64
        );
        points.push((lines as f64, spent.time.as_secs_f64(), spent.peak as f64));
    }
    let time: Vec<(f64, f64)> = points.iter().map(|p| (p.0, p.1)).collect();
    let memory: Vec<(f64, f64)> = points.iter().map(|p| (p.0, p.2)).collect();
    for (what, points) in [("time", time), ("memory", memory)] {
        if let Some(exponent) = exponent(&points) {
            let name = format!("exponent of {what}");
            let reference = "least squares over logarithms";
            row(
                &name,
                &format!("{exponent:.3}"),
                reference,
                "1.100",
                exponent <= 1.1,
            );
        }
    }
    Ok(())
}

/// Writes copies of a repository side by side, with at least `lines` lines in total.
pub(super) fn multiplied(repo: &Path, lines: usize, into: &Path) -> Result<()> {
    let sources = sources(repo)?;
    multiply(&sources, &names(&sources), lines, into)?;
    Ok(())
}

/// The slope of the line through the points on logarithmic scales; an exponent of 1 is linear growth.
fn exponent(points: &[(f64, f64)]) -> Option<f64> {
    let logs: Vec<(f64, f64)> = points
        .iter()
        .map(|(x, y)| (x.ln(), y.max(1e-9).ln()))
        .collect();
    let count = logs.len() as f64;
    let mean_x = logs.iter().map(|p| p.0).sum::<f64>() / count;
    let mean_y = logs.iter().map(|p| p.1).sum::<f64>() / count;
    let spread: f64 = logs.iter().map(|p| (p.0 - mean_x).powi(2)).sum();
    let both: f64 = logs.iter().map(|p| (p.0 - mean_x) * (p.1 - mean_y)).sum();
    (logs.len() > 1 && spread > 0.0).then(|| both / spread)
}

fn sources(repo: &Path) -> Result<Vec<Source>> {
    let mut all = Vec::new();
    for entry in ignore::WalkBuilder::new(repo).build().flatten() {
        let relative = entry
            .path()
            .strip_prefix(repo)?
            .to_string_lossy()
            .replace('\\', "/");
        let is_source = Language::from_path(&relative).is_some();
        if is_source && let Ok(text) = std::fs::read_to_string(entry.path()) {
            all.push((relative, text));
        }
    }
    all.sort();
    if all.is_empty() {
        bail!("{}: no source files", repo.display());
    }
    Ok(all)
}

/// Names that the repository defines, and that may be renamed together.
fn names(sources: &[Source]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (path, text) in sources {
        let Some(language) = Language::from_path(path) else {
            continue;
        };
        let facts = languages::extract(language, text);
        let defined = facts.defs.iter().map(|def| facts.name(def.name));
        names.extend(defined.filter(|name| name.len() > 3).map(str::to_owned));
    }
    names
}

/// Writes copies until they have `lines` lines. Returns lines and bytes.
fn multiply(
    sources: &[Source],
    names: &BTreeSet<String>,
    wanted: usize,
    to: &Path,
) -> Result<(usize, u64)> {
    let (mut lines, mut bytes, mut copy) = (0, 0, 0);
    while lines < wanted {
        for (path, text) in sources {
            if lines >= wanted {
                break;
            }
            let text = renamed(text, names, copy);
            let file = to.join(format!("copy{copy}")).join(path);
            let folder = file.parent().context("a file without a folder")?;
            std::fs::create_dir_all(folder)?;
            lines += text.lines().count();
            bytes += text.len() as u64;
            std::fs::write(&file, text)?;
        }
        copy += 1;
    }
    Ok((lines, bytes))
}

/// The text with a number appended to each of the names. The first copy is unchanged.
fn renamed(text: &str, names: &BTreeSet<String>, copy: usize) -> String {
    if copy == 0 {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len() * 5 / 4);
    let mut rest = text;
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    while !rest.is_empty() {
        let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        out.push_str(word);
        if names.contains(word) {
            let _ = write!(out, "{copy}");
        }
        let next = after.find(is_word).unwrap_or(after.len());
        out.push_str(&after[..next]);
        rest = &after[next..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_and_renaming() {
        let square: Vec<(f64, f64)> = [1.0f64, 2.0, 4.0, 8.0].map(|x| (x, x * x)).to_vec();
        assert!((exponent(&square).unwrap_or_default() - 2.0).abs() < 1e-9);
        assert_eq!(exponent(&square[..1]), None);
        let names = BTreeSet::from(["work".to_owned()]);
        assert_eq!(
            renamed("work(worker, rework) + work", &names, 3),
            "work3(worker, rework) + work3"
        );
        assert_eq!(renamed("work()", &names, 0), "work()");
    }
}
