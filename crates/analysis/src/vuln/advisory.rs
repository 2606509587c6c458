//! An advisory about one package, from any tool.

use super::fields::{MOST_NAMES, MOST_WAYS};
use crate::lockfiles::Ecosystem;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Severity of an advisory.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Low; also tools' words info and negligible.
    Low,
    /// Moderate, or medium.
    #[default]
    Moderate,
    /// High.
    High,
    /// Critical.
    Critical,
}

impl Severity {
    /// Every severity, the worst first.
    pub const ALL: [Severity; 4] = [
        Severity::Critical,
        Severity::High,
        Severity::Moderate,
        Severity::Low,
    ];

    /// The word in every answer.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Low => "low",
            Severity::Moderate => "moderate",
            Severity::High => "high",
            Severity::Critical => "critical",
        }
    }

    /// The severity for a tool's word, in any case.
    pub fn parse(word: &str) -> Option<Severity> {
        Some(match word.to_ascii_lowercase().as_str() {
            "low" | "info" | "none" | "negligible" | "minor" => Severity::Low,
            "moderate" | "medium" => Severity::Moderate,
            "high" | "important" => Severity::High,
            "critical" => Severity::Critical,
            _ => return None,
        })
    }

    /// The severity of a CVSS score, by the bands of CVSS 3.
    pub fn from_score(score: f64) -> Severity {
        match score {
            s if s >= 9.0 => Severity::Critical,
            s if s >= 7.0 => Severity::High,
            s if s >= 4.0 => Severity::Moderate,
            _ => Severity::Low,
        }
    }
}

/// An advisory for one package in one version.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Advisory {
    /// The package.
    pub package: String,
    /// Ecosystem of the package; `None` if the tool does not say.
    pub ecosystem: Option<Ecosystem>,
    /// The version in use; empty if the tool does not say.
    pub version: String,
    /// The advisory's own name: `GHSA-…`, `CVE-…`, `RUSTSEC-…`, `GO-…`, `PYSEC-…`; empty if there is none.
    pub id: String,
    /// Its other names.
    pub aliases: BTreeSet<String>,
    /// Severity; `None` if the tool does not say.
    pub severity: Option<Severity>,
    /// Summary in one line.
    pub title: String,
    /// Address of the description.
    pub url: String,
    /// Affected versions, in the tool's syntax.
    pub range: String,
    /// Versions that fix it.
    pub fixed: BTreeSet<String>,
    /// Vulnerable functions, if known, dotted or with `::`.
    pub symbols: BTreeSet<String>,
    /// Whether it is for development alone; `None` if the tool does not say.
    pub dev: Option<bool>,
    /// DependentsIndex that the tool names, from the project's own dependency to the package.
    pub paths: Vec<Vec<String>>,
    /// Tools that report it.
    pub sources: BTreeSet<String>,
}

impl Advisory {
    /// The approximate bytes of memory that it takes.
    pub(super) fn bytes(&self) -> usize {
        let lists = [&self.aliases, &self.fixed, &self.symbols];
        let listed: usize = lists
            .into_iter()
            .flatten()
            .map(|text| text.len() + 48)
            .sum();
        let ways: usize = self
            .paths
            .iter()
            .flatten()
            .map(|name| name.len() + 48)
            .sum();
        let texts = [
            &self.package,
            &self.version,
            &self.id,
            &self.title,
            &self.url,
            &self.range,
        ];
        let texts: usize = texts.into_iter().map(String::len).sum();
        size_of::<Advisory>() + listed + ways + texts
    }

    /// The first line of a text, as a title.
    pub(crate) fn first_line_as_title(text: &str) -> String {
        let line = text.lines().map(str::trim).find(|l| !l.is_empty());
        let line = line.unwrap_or_default().trim_start_matches(['#', ' ']);
        match line.char_indices().nth(160) {
            Some((at, _)) => format!("{}…", super::fields::cut_and_masked(&line[..at])),
            None => super::fields::cut_and_masked(line),
        }
    }

    fn all_ids(&self) -> impl Iterator<Item = &String> {
        std::iter::once(&self.id)
            .chain(&self.aliases)
            .filter(|name| !name.is_empty())
    }

    /// The package's name in normal form.
    fn normal(&self) -> String {
        match self.ecosystem {
            Some(ecosystem) => ecosystem.normalize_name(&self.package),
            None => self.package.clone(),
        }
    }

    fn absorb(&mut self, other: Advisory) {
        if other.id != self.id && !other.id.is_empty() {
            self.aliases.insert(other.id);
        }
        add(&mut self.aliases, other.aliases);
        self.severity = self.severity.max(other.severity);
        for (own, its) in [
            (&mut self.title, other.title),
            (&mut self.url, other.url),
            (&mut self.range, other.range),
        ] {
            if own.is_empty() {
                *own = its;
            }
        }
        add(&mut self.fixed, other.fixed);
        self.symbols.extend(other.symbols);
        self.dev = match (self.dev, other.dev) {
            (Some(a), Some(b)) => Some(a && b),
            (a, b) => a.or(b),
        };
        for path in other.paths {
            if self.paths.len() < MOST_WAYS && !self.paths.contains(&path) {
                self.paths.push(path);
            }
        }
        self.sources.extend(other.sources);
    }
}

fn add(own: &mut BTreeSet<String>, more: BTreeSet<String>) {
    let room = MOST_NAMES.saturating_sub(own.len());
    own.extend(more.into_iter().take(room));
}

/// Merges advisories: one entry for each vulnerability of a package in a version, from all tools, in order of package,
/// version and name.
pub fn merge_advisories(advisories: Vec<Advisory>) -> Vec<Advisory> {
    let mut sorted: Vec<(String, Advisory)> = advisories
        .into_iter()
        .map(|advisory| (advisory.normal(), advisory))
        .collect();
    sorted.sort_by(|(a, x), (b, y)| {
        (x.ecosystem, a, &x.version, &x.id, &x.sources).cmp(&(
            y.ecosystem,
            b,
            &y.version,
            &y.id,
            &y.sources,
        ))
    });
    let mut kept: Vec<Advisory> = Vec::with_capacity(sorted.len());
    let mut known = KeptAdvisories::default();
    let mut last = None;
    for (normal, advisory) in sorted {
        // Entries of one package in one version follow each other.
        let key = (advisory.ecosystem, normal, advisory.version.clone());
        if last.as_ref() != Some(&key) {
            known = KeptAdvisories::default();
            last = Some(key);
        }
        match known.find(&advisory) {
            Some(at) => {
                known.add(at, kept[at].id.is_empty(), &advisory);
                kept[at].absorb(advisory);
            }
            None => {
                known.add(kept.len(), advisory.id.is_empty(), &advisory);
                if advisory.id.is_empty() {
                    let title = known.titles.entry(advisory.title.clone());
                    title.or_insert(kept.len());
                }
                kept.push(advisory);
            }
        }
    }
    kept
}

/// Index of the kept advisories of a package: for each name the first advisory that has it.
#[derive(Default)]
struct KeptAdvisories {
    /// Position of an advisory, by whether it has an id, and by name.
    names: FxHashMap<(bool, String), usize>,
    /// Positions of advisories without an id, by title.
    titles: FxHashMap<String, usize>,
}

impl KeptAdvisories {
    /// The first advisory of the same vulnerability: with a common name, or with the same title if neither has an id.
    fn find(&self, advisory: &Advisory) -> Option<usize> {
        let nameless = advisory.id.is_empty();
        let title = self.titles.get(&advisory.title).filter(|_| nameless);
        let named = advisory.all_ids().flat_map(|name| {
            let with = self.names.get(&(true, name.clone()));
            let without = self.names.get(&(false, name.clone()));
            [with, without.filter(|_| !nameless)]
        });
        named.flatten().chain(title).min().copied()
    }

    fn add(&mut self, at: usize, nameless: bool, advisory: &Advisory) {
        for name in advisory.all_ids() {
            let first = self.names.entry((!nameless, name.clone())).or_insert(at);
            *first = at.min(*first);
        }
    }
}
