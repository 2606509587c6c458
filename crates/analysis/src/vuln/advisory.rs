//! An advisory about one package, whoever reported it.

use crate::lockfiles::Ecosystem;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// How bad it is.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Low; also what tools call info or negligible.
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

    /// The severity that a tool's word means, whatever its case.
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
    pub fn of_score(score: f64) -> Severity {
        match score {
            s if s >= 9.0 => Severity::Critical,
            s if s >= 7.0 => Severity::High,
            s if s >= 4.0 => Severity::Moderate,
            _ => Severity::Low,
        }
    }
}

/// What a tool says of one package in one version.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Advisory {
    /// The package.
    pub package: String,
    /// Whose package; none where the tool does not say.
    pub ecosystem: Option<Ecosystem>,
    /// The version in use; empty where the tool does not say.
    pub version: String,
    /// The advisory's own name: `GHSA-…`, `CVE-…`, `RUSTSEC-…`, `GO-…`, `PYSEC-…`; empty where there is none.
    pub id: String,
    /// Its other names.
    pub aliases: BTreeSet<String>,
    /// None where the tool does not say.
    pub severity: Option<Severity>,
    /// One line.
    pub title: String,
    /// Where it is described.
    pub url: String,
    /// Versions that are affected, in the tool's words.
    pub range: String,
    /// Versions that mend it.
    pub fixed: BTreeSet<String>,
    /// Functions that are at fault, where that is known, dotted or with `::`.
    pub symbols: BTreeSet<String>,
    /// For development alone, where the tool says so.
    pub dev: Option<bool>,
    /// Ways that the tool names, from the project's own dependency to the package.
    pub paths: Vec<Vec<String>>,
    /// Tools that report it.
    pub sources: BTreeSet<String>,
}

impl Advisory {
    /// The first line of a text, as a title.
    pub(crate) fn title_of(text: &str) -> String {
        let line = text.lines().map(str::trim).find(|l| !l.is_empty());
        let line = line.unwrap_or_default().trim_start_matches(['#', ' ']);
        match line.char_indices().nth(160) {
            Some((at, _)) => format!("{}…", &line[..at]),
            None => line.to_owned(),
        }
    }

    fn names(&self) -> impl Iterator<Item = &String> {
        std::iter::once(&self.id)
            .chain(&self.aliases)
            .filter(|name| !name.is_empty())
    }

    fn key(&self) -> (Option<Ecosystem>, String, &str) {
        let name = match self.ecosystem {
            Some(ecosystem) => ecosystem.normal(&self.package),
            None => self.package.clone(),
        };
        (self.ecosystem, name, &self.version)
    }

    /// Whether both speak of the same fault of the same package.
    fn is_same(&self, other: &Advisory) -> bool {
        let shared = match (self.id.is_empty(), other.id.is_empty()) {
            (true, true) => self.title == other.title,
            _ => self.names().any(|name| other.names().any(|n| n == name)),
        };
        shared && self.key() == other.key()
    }

    fn absorb(&mut self, other: Advisory) {
        self.aliases.extend(other.aliases);
        if other.id != self.id && !other.id.is_empty() {
            self.aliases.insert(other.id);
        }
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
        self.fixed.extend(other.fixed);
        self.symbols.extend(other.symbols);
        self.dev = match (self.dev, other.dev) {
            (Some(a), Some(b)) => Some(a && b),
            (a, b) => a.or(b),
        };
        for path in other.paths {
            if !self.paths.contains(&path) {
                self.paths.push(path);
            }
        }
        self.sources.extend(other.sources);
    }
}

/// One entry for each fault of a package in a version, whoever reports it, by package, version and name.
pub fn merge(advisories: Vec<Advisory>) -> Vec<Advisory> {
    let mut sorted = advisories;
    sorted.sort_by(|a, b| (a.key(), &a.id, &a.sources).cmp(&(b.key(), &b.id, &b.sources)));
    let mut kept: Vec<Advisory> = Vec::with_capacity(sorted.len());
    // Entries of one package stand together.
    let mut first = 0;
    for advisory in sorted {
        if kept.get(first).is_some_and(|f| f.key() != advisory.key()) {
            first = kept.len();
        }
        match kept[first..].iter_mut().find(|k| k.is_same(&advisory)) {
            Some(same) => same.absorb(advisory),
            None => kept.push(advisory),
        }
    }
    kept
}
