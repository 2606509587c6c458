//! Entries of the OSV schema, as osv-scanner and govulncheck print them (ossf.github.io/osv-schema).

use super::advisory::{Advisory, Severity};
use super::cvss;
use super::fields::{self, cut_and_masked, first_texts, one_of, strings, text};
use super::findings::Findings;
use crate::lockfiles::Ecosystem;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Reads an entry, without the package.
fn parse_entry(osv: &Value) -> Advisory {
    let scores = osv["severity"].as_array().into_iter().flatten();
    let scored = scores
        .filter_map(|s| cvss::base_score(text(s, "score")))
        .map(Severity::from_score)
        .max();
    let stated = Severity::parse(text(&osv["database_specific"], "severity"));
    let summary = match text(osv, "summary") {
        "" => text(osv, "details"),
        summary => summary,
    };
    let links = || osv["references"].as_array().into_iter().flatten();
    let link = links().find(|r| text(r, "type") == "ADVISORY");
    let link = link.or_else(|| links().next());
    let id = one_of(osv, "id");
    let own = osv["database_specific"]["url"].as_str();
    let url = own.or(link.and_then(|l| l["url"].as_str()));
    Advisory {
        aliases: first_texts(&osv["aliases"]),
        severity: stated.or(scored),
        title: Advisory::first_line_as_title(summary),
        url: url.map_or_else(
            || {
                if id.is_empty() {
                    String::new()
                } else {
                    format!("https://osv.dev/vulnerability/{id}")
                }
            },
            cut_and_masked,
        ),
        id,
        ..Advisory::default()
    }
}

/// Fixed versions and vulnerable functions, from the parts of an entry about one package.
fn read_affected<'v>(parts: impl Iterator<Item = &'v Value>, advisory: &mut Advisory) {
    let mut symbols: Vec<&str> = Vec::new();
    for affected in parts {
        let ranges = affected["ranges"].as_array().into_iter().flatten();
        let events = ranges.filter_map(|r| r["events"].as_array()).flatten();
        let fixed = events.filter_map(|e| e["fixed"].as_str());
        let room = fields::MOST_NAMES.saturating_sub(advisory.fixed.len());
        advisory.fixed.extend(fixed.take(room).map(cut_and_masked));
        let imports = affected["ecosystem_specific"]["imports"].as_array();
        for import in imports.into_iter().flatten() {
            symbols.extend(strings(&import["symbols"]));
        }
        let functions = &affected["ecosystem_specific"]["affects"]["functions"];
        symbols.extend(strings(functions));
    }
    advisory.symbols = fields::symbols(symbols.into_iter());
}

/// The parts of an entry about packages.
fn parts(osv: &Value) -> impl Iterator<Item = &Value> {
    osv["affected"].as_array().into_iter().flatten()
}

fn package_of(part: &Value) -> &str {
    text(&part["package"], "name")
}

/// `osv-scanner --format json`.
pub(super) fn parse_osv_scanner(report: &Value) -> Findings {
    let results = report["results"].as_array().into_iter().flatten();
    let packages = results.filter_map(|r| r["packages"].as_array()).flatten();
    let mut found = Findings::default();
    for package in packages {
        let info = &package["package"];
        let groups = package["groups"].as_array();
        let worst: BTreeMap<&str, f64> = groups
            .into_iter()
            .flatten()
            .filter_map(|g| Some((g, text(g, "max_severity").parse().ok()?)))
            .flat_map(|(g, score)| {
                let ids = g["ids"].as_array().into_iter().flatten();
                ids.filter_map(move |id| Some((id.as_str()?, score)))
            })
            .collect();
        let mut groups = strings(&package["dependency_groups"]).peekable();
        let has_groups = groups.peek().is_some();
        let dev = has_groups.then(|| groups.all(|group| group.contains("dev")));
        let name = text(info, "name");
        for osv in package["vulnerabilities"].as_array().into_iter().flatten() {
            if !found.has_room() {
                found.left_out += 1;
                continue;
            }
            let mut advisory = parse_entry(osv);
            read_affected(parts(osv).filter(|p| package_of(p) == name), &mut advisory);
            advisory.package = cut_and_masked(name);
            advisory.version = one_of(info, "version");
            advisory.ecosystem = Ecosystem::parse(text(info, "ecosystem"));
            let score = worst.get(text(osv, "id")).copied();
            let scored = score.filter(|s| *s > 0.0).map(Severity::from_score);
            advisory.severity = advisory.severity.or(scored);
            advisory.dev = dev;
            advisory.sources = BTreeSet::from(["osv-scanner".to_owned()]);
            found.push(advisory);
        }
    }
    found
}

/// An entry that findings name.
struct Named<'v> {
    whole: Advisory,
    /// Its `affected` parts, by package.
    parts: BTreeMap<&'v str, Vec<&'v Value>>,
    /// Advisory of each package, once a finding has asked for it.
    of: BTreeMap<&'v str, Advisory>,
}

impl<'v> Named<'v> {
    fn new(osv: &'v Value) -> Named<'v> {
        let mut by_package: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
        for part in parts(osv) {
            by_package.entry(package_of(part)).or_default().push(part);
        }
        Named {
            whole: parse_entry(osv),
            parts: by_package,
            of: BTreeMap::new(),
        }
    }

    /// The advisory of a module.
    fn about(&mut self, module: &'v str) -> Advisory {
        let Some(parts) = self.parts.get(module) else {
            return self.whole.clone();
        };
        let known = self.of.entry(module).or_insert_with(|| {
            let mut advisory = self.whole.clone();
            read_affected(parts.iter().copied(), &mut advisory);
            advisory
        });
        known.clone()
    }
}

/// `govulncheck -json`: entries, then findings that name them.
pub(super) fn parse_govulncheck(messages: &[Value]) -> Findings {
    let entries = messages.iter().filter_map(|m| m.get("osv"));
    let mut entries: BTreeMap<&str, Named<'_>> = entries
        .map(|osv| (text(osv, "id"), Named::new(osv)))
        .collect();
    let mut found = Findings::default();
    for finding in messages.iter().filter_map(|m| m.get("finding")) {
        if !found.has_room() {
            found.left_out += 1;
            continue;
        }
        let frame = &finding["trace"][0];
        let mut advisory = match entries.get_mut(text(finding, "osv")) {
            Some(named) => named.about(text(frame, "module")),
            // The entry is missing; the finding counts all the same.
            None => Advisory {
                id: one_of(finding, "osv"),
                ..Advisory::default()
            },
        };
        // The symbols of the entry are those that could be vulnerable; a finding names the one that is reached.
        if let Some(function) = frame["function"].as_str() {
            advisory.symbols = BTreeSet::from([cut_and_masked(function)]);
        }
        if let Some(fixed) = finding["fixed_version"].as_str() {
            advisory.fixed = BTreeSet::from([cut_and_masked(fixed)]);
        }
        advisory.package = one_of(frame, "module");
        advisory.version = one_of(frame, "version");
        advisory.ecosystem = Some(Ecosystem::Go);
        advisory.sources = BTreeSet::from(["govulncheck".to_owned()]);
        found.push(advisory);
    }
    found
}
