//! Tables and lists of judgements.

use super::judge::{Judged, Judgement, Verdict};
use base::{Language, Tier};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

/// The required precision of a tier's edges.
fn asked(tier: Tier) -> f64 {
    tier.default_confidence()
}

#[derive(Default, Clone, Copy)]
struct Count {
    right: u32,
    wrong: u32,
    unjudged: u32,
}

#[derive(Default)]
struct Row {
    /// Sites whose target is in the repository.
    sites: u32,
    /// Sites with a right edge.
    found: u32,
    /// Calls of values and variants: all sites, those with a right edge, those with a wrong one.
    apart: [u32; 3],
    tiers: BTreeMap<Tier, Count>,
}

/// Counts by language and tier.
#[derive(Default)]
pub struct Table {
    rows: BTreeMap<Language, Row>,
}

impl Table {
    /// Adds the counts of a judgement.
    pub fn add(&mut self, judgement: &Judgement<'_>) {
        for judged in &judgement.sites {
            let row = self.rows.entry(judged.language.family()).or_default();
            if !judged.site.counts() {
                row.apart[0] += 1;
                row.apart[1] += u32::from(judged.right > 0);
                row.apart[2] += u32::from(judged.wrong > 0);
                continue;
            }
            if judged.site.external.is_none() {
                row.sites += 1;
                row.found += u32::from(judged.right > 0);
            }
            if let Some(tier) = judged.tier {
                let count = row.tiers.entry(tier).or_default();
                count.right += judged.right;
                count.wrong += judged.wrong;
            }
        }
        for ((language, tier), edges) in &judgement.unjudged {
            let row = self.rows.entry(language.family()).or_default();
            row.tiers.entry(*tier).or_default().unjudged += edges;
        }
    }

    /// The table as text.
    pub fn text(&self) -> String {
        let mut out = String::new();
        for (language, row) in &self.rows {
            let mut all = Count::default();
            for count in row.tiers.values() {
                all.right += count.right;
                all.wrong += count.wrong;
                all.unjudged += count.unjudged;
            }
            let _ = writeln!(
                out,
                "{:<11} precision {} (asked 0.950)   recall {} (asked 0.800)   {} of {} sites; values and variants \
                 apart: {} sites, {} right, {} elsewhere",
                language.as_str(),
                share(all.right, all.wrong),
                share(row.found, row.sites - row.found),
                row.found,
                row.sites,
                row.apart[0],
                row.apart[1],
                row.apart[2],
            );
            for (tier, count) in row
                .tiers
                .iter()
                .map(|(t, c)| (Some(*t), c))
                .chain([(None, &all)])
            {
                let _ = writeln!(
                    out,
                    "  {:<8} {:>7} right {:>6} wrong  precision {}{}  {:>7} unjudged",
                    tier.map_or("all", Tier::as_str),
                    count.right,
                    count.wrong,
                    share(count.right, count.wrong),
                    tier.map_or(String::from("              "), |t| format!(
                        " (asked {:.2})",
                        asked(t)
                    )),
                    count.unjudged,
                );
            }
        }
        out
    }
}

fn share(yes: u32, no: u32) -> String {
    if yes + no == 0 {
        return String::from("  -  ");
    }
    format!("{:.3}", f64::from(yes) / f64::from(yes + no))
}

/// The reason why a site is not right; none if it is.
fn reason(judged: &Judged<'_>) -> Option<String> {
    match &judged.verdict {
        Verdict::Right | Verdict::Outside => None,
        Verdict::Missing(reason) => Some(format!("missing: {reason}")),
        Verdict::Wrong(_) => {
            let tier = judged.tier.map_or("", Tier::as_str);
            let truth = if judged.site.external.is_some() {
                "target is outside"
            } else if judged.right > 0 {
                "one target too many"
            } else {
                "other definition"
            };
            Some(format!("wrong, {tier}: {truth}"))
        }
    }
}

fn counted<'j, 't>(judgement: &'j Judgement<'t>) -> impl Iterator<Item = (&'j Judged<'t>, String)> {
    judgement
        .sites
        .iter()
        .filter(|j| j.site.counts())
        .filter_map(|j| Some((j, reason(j)?)))
}

/// The most frequent reasons with an example each.
pub fn reasons(judgement: &Judgement<'_>) -> String {
    let mut groups: BTreeMap<String, Vec<&Judged<'_>>> = BTreeMap::new();
    for (judged, reason) in counted(judgement) {
        groups.entry(reason).or_default().push(judged);
    }
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_by_key(|(_, sites)| std::cmp::Reverse(sites.len()));
    let mut out = String::from("most frequent reasons:\n");
    for (reason, sites) in groups.iter().take(16) {
        let _ = writeln!(out, "  {:>6}  {reason}", sites.len());
        let _ = writeln!(out, "          e.g. {}", line(sites[sites.len() / 2]));
    }
    out
}

/// The files with the most wrong and missing sites.
pub fn worst_files(judgement: &Judgement<'_>, n: usize) -> String {
    let mut files: HashMap<&str, (u32, u32)> = HashMap::new();
    for (judged, _) in counted(judgement) {
        let entry = files.entry(&judged.site.file).or_default();
        match judged.verdict {
            Verdict::Wrong(_) => entry.0 += 1,
            _ => entry.1 += 1,
        }
    }
    let mut files: Vec<_> = files.into_iter().collect();
    files.sort_by_key(|(file, (wrong, missing))| (std::cmp::Reverse(wrong * 4 + missing), *file));
    let mut out = String::from("worst files (wrong, missing):\n");
    for (file, (wrong, missing)) in files.iter().take(n) {
        let _ = writeln!(out, "  {wrong:>5} {missing:>5}  {file}");
    }
    out
}

/// Sites of one verdict, spread evenly over the repository.
pub fn list(
    judgement: &Judgement<'_>,
    wanted: fn(&Verdict) -> bool,
    only: Option<&str>,
    n: usize,
) -> String {
    let found: Vec<(&Judged<'_>, String)> = counted(judgement)
        .filter(|(judged, _)| wanted(&judged.verdict))
        .filter(|(_, reason)| only.is_none_or(|o| reason.contains(o)))
        .collect();
    let step = found.len().div_ceil(n.max(1)).max(1);
    let mut out = format!(
        "{} of {} such sites:\n",
        found.len().div_ceil(step),
        found.len()
    );
    for (judged, reason) in found.iter().step_by(step) {
        let _ = writeln!(out, "  [{reason}] {}", line(judged));
    }
    out
}

fn line(judged: &Judged<'_>) -> String {
    let site = judged.site;
    let truth = match &site.external {
        Some(external) => format!("external {external}"),
        None => {
            let places = site.places();
            let all: Vec<String> = places
                .iter()
                .map(|p| format!("{}:{}", p.file, p.line))
                .collect();
            all.join(" | ")
        }
    };
    let ours = match &judged.verdict {
        Verdict::Wrong(ours) => format!("; ours {ours}"),
        _ => String::new(),
    };
    format!(
        "{}:{}:{} {} -> {truth}{ours}",
        site.file, site.line, site.column, site.name
    )
}
