//! Entries of the OSV schema, as osv-scanner and govulncheck print them (ossf.github.io/osv-schema).

use super::advisory::{Advisory, Severity};
use super::cvss;
use crate::lockfiles::Ecosystem;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

fn strings(value: &Value) -> impl Iterator<Item = String> {
    let items = value.as_array().into_iter().flatten();
    items.filter_map(|v| v.as_str().map(str::to_owned))
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

/// What an entry says, without the package.
fn entry(osv: &Value) -> Advisory {
    let scores = osv["severity"].as_array().into_iter().flatten();
    let scored = scores
        .filter_map(|s| cvss::base_score(text(s, "score")))
        .map(Severity::of_score)
        .max();
    let said = Severity::parse(text(&osv["database_specific"], "severity"));
    let summary = match text(osv, "summary") {
        "" => text(osv, "details"),
        summary => summary,
    };
    let links = || osv["references"].as_array().into_iter().flatten();
    let link = links().find(|r| text(r, "type") == "ADVISORY");
    let link = link.or_else(|| links().next());
    let id = text(osv, "id").to_owned();
    let own = osv["database_specific"]["url"].as_str();
    let url = own.or(link.and_then(|l| l["url"].as_str()));
    Advisory {
        aliases: strings(&osv["aliases"]).collect(),
        severity: said.or(scored),
        title: Advisory::title_of(summary),
        url: url.map_or_else(
            || {
                if id.is_empty() {
                    String::new()
                } else {
                    format!("https://osv.dev/vulnerability/{id}")
                }
            },
            str::to_owned,
        ),
        id,
        ..Advisory::default()
    }
}

/// Versions that mend it, and functions at fault, of one package.
fn details(osv: &Value, package: &str, advisory: &mut Advisory) {
    let all = osv["affected"].as_array().into_iter().flatten();
    for affected in all.filter(|a| text(&a["package"], "name") == package) {
        let ranges = affected["ranges"].as_array().into_iter().flatten();
        let events = ranges.filter_map(|r| r["events"].as_array()).flatten();
        let fixed = events.filter_map(|e| e["fixed"].as_str());
        advisory.fixed.extend(fixed.map(str::to_owned));
        let imports = affected["ecosystem_specific"]["imports"].as_array();
        for import in imports.into_iter().flatten() {
            advisory.symbols.extend(strings(&import["symbols"]));
        }
        let functions = &affected["ecosystem_specific"]["affects"]["functions"];
        advisory.symbols.extend(strings(functions));
    }
}

/// `osv-scanner --format json`.
pub(super) fn scanner(report: &Value) -> Vec<Advisory> {
    let results = report["results"].as_array().into_iter().flatten();
    let packages = results.filter_map(|r| r["packages"].as_array()).flatten();
    let mut found = Vec::new();
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
        let dev: Vec<String> = strings(&package["dependency_groups"]).collect();
        for osv in package["vulnerabilities"].as_array().into_iter().flatten() {
            let mut advisory = entry(osv);
            details(osv, text(info, "name"), &mut advisory);
            advisory.package = text(info, "name").to_owned();
            advisory.version = text(info, "version").to_owned();
            advisory.ecosystem = Ecosystem::parse(text(info, "ecosystem"));
            let score = worst.get(advisory.id.as_str()).copied();
            let scored = score.filter(|s| *s > 0.0).map(Severity::of_score);
            advisory.severity = advisory.severity.or(scored);
            advisory.dev = (!dev.is_empty()).then(|| dev.iter().all(|g| g.contains("dev")));
            advisory.sources = BTreeSet::from(["osv-scanner".to_owned()]);
            found.push(advisory);
        }
    }
    found
}

/// `govulncheck -json`: entries, then findings that name them.
pub(super) fn govulncheck(messages: &[Value]) -> Vec<Advisory> {
    let entries = messages.iter().filter_map(|m| m.get("osv"));
    let entries: BTreeMap<&str, &Value> = entries.map(|osv| (text(osv, "id"), osv)).collect();
    let mut found = Vec::new();
    for finding in messages.iter().filter_map(|m| m.get("finding")) {
        let Some(osv) = entries.get(text(finding, "osv")) else {
            continue;
        };
        let frame = &finding["trace"][0];
        let mut advisory = entry(osv);
        let module = text(frame, "module");
        details(osv, module, &mut advisory);
        // The symbols of the entry are those that could be at fault; a finding names the one that is reached.
        if let Some(function) = frame["function"].as_str() {
            advisory.symbols = BTreeSet::from([function.to_owned()]);
        }
        if let Some(fixed) = finding["fixed_version"].as_str() {
            advisory.fixed = BTreeSet::from([fixed.to_owned()]);
        }
        advisory.package = module.to_owned();
        advisory.version = text(frame, "version").to_owned();
        advisory.ecosystem = Some(Ecosystem::Go);
        advisory.sources = BTreeSet::from(["govulncheck".to_owned()]);
        found.push(advisory);
    }
    found
}
