//! `eval calls`: precision and recall of call edges from syntax trees alone.

use super::corpus::Corpus;
use super::judge::{Judgement, Verdict, judge};
use super::{micro, report};
use crate::truth;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

/// Arguments of `eval calls`.
#[derive(clap::Args)]
pub struct Args {
    /// Folder of checkouts, `<owner>+<name>` each.
    #[arg(long)]
    corpus: PathBuf,
    /// Only this repository (any part of its folder's name); may be given more than once.
    #[arg(long)]
    repo: Vec<String>,
    /// Folder of truth, `<owner>+<name>.jsonl` each.
    #[arg(long)]
    truth: Option<PathBuf>,
    /// Folder of SCIP indexes, `<owner>+<name>.scip` each, for repositories without a file of truth.
    #[arg(long)]
    scip: Option<PathBuf>,
    /// Lists sites: `wrong` or `missing`, and how many at most.
    #[arg(long, num_args = 2, value_names = ["WHICH", "N"])]
    show: Vec<String>,
    /// Only sites of files whose path contains this.
    #[arg(long)]
    file: Option<String>,
    /// Only listed sites whose reason contains this.
    #[arg(long)]
    reason: Option<String>,
    /// Instead: the cases of this file of complete call graphs of small Python programs.
    #[arg(long)]
    micro: Option<PathBuf>,
}

/// Measures and prints.
pub fn evaluate_calls(args: &Args) -> Result<()> {
    if let Some(cases) = &args.micro {
        return micro::evaluate_cases(cases, &args.corpus, !args.show.is_empty());
    }
    let mut total = report::Table::default();
    let mut measured = 0;
    for name in repositories(&args.corpus)? {
        if !args.repo.is_empty() && !args.repo.iter().any(|r| name.contains(r.as_str())) {
            continue;
        }
        let root = args.corpus.join(&name);
        let Some(mut sites) = truth_of(args, &name, &root)? else {
            eprintln!("{name}: skipped, no truth");
            continue;
        };
        if let Some(file) = &args.file {
            sites.retain(|site| site.file.contains(file.as_str()));
        }
        let started = std::time::Instant::now();
        let corpus = Corpus::link(&root);
        let mut judgement = judge(&corpus, &sites);
        if args.file.is_some() {
            judgement.unjudged.clear();
        }
        println!(
            "\n//- {name}: {} files linked in {:.1} s, {} sites with truth",
            corpus.repo.len(),
            started.elapsed().as_secs_f64(),
            judgement.sites.len()
        );
        print(args, &judgement)?;
        total.add(&judgement);
        measured += 1;
    }
    if measured > 1 {
        println!("\n//- all {measured} repositories");
        print!("{}", total.text());
    }
    Ok(())
}

fn print(args: &Args, judgement: &Judgement<'_>) -> Result<()> {
    let mut table = report::Table::default();
    table.add(judgement);
    print!("{}", table.text());
    if let [which, n] = &args.show[..] {
        let n = n
            .parse()
            .context("--show takes `wrong` or `missing` and a number")?;
        let wanted: fn(&Verdict) -> bool = match which.as_str() {
            "wrong" => |v| matches!(v, Verdict::Wrong(_)),
            "missing" => |v| matches!(v, Verdict::Missing(_)),
            other => bail!("--show takes `wrong` or `missing`, not `{other}`"),
        };
        print!(
            "{}",
            report::list(judgement, wanted, args.reason.as_deref(), n)
        );
    } else {
        print!("{}", report::reasons(judgement));
        print!("{}", report::worst_files(judgement, 20));
    }
    Ok(())
}

fn repositories(corpus: &Path) -> Result<Vec<String>> {
    let entries = std::fs::read_dir(corpus).with_context(|| corpus.display().to_string())?;
    let mut names: Vec<String> = entries
        .filter_map(|e| e.ok()?.file_name().into_string().ok())
        .filter(|name| name.contains('+'))
        .collect();
    names.sort();
    Ok(names)
}

fn truth_of(args: &Args, name: &str, root: &Path) -> Result<Option<Vec<truth::Site>>> {
    let file = |dir: &Option<PathBuf>, ending| {
        let path = dir.as_ref()?.join(format!("{name}.{ending}"));
        path.is_file().then_some(path)
    };
    if let Some(path) = file(&args.truth, "jsonl") {
        return truth::read(&path).map(Some);
    }
    match file(&args.scip, "scip") {
        Some(path) => truth::scip::sites(&path, root).map(Some),
        None => Ok(None),
    }
}
