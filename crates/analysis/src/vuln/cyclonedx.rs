//! CycloneDX with vulnerabilities (cyclonedx.org/docs), as pip-audit, osv-scanner, trivy and grype write it.

use super::advisory::{Advisory, Severity};
use super::audit::{Audit, AuditError, AuditSource};
use super::fields::{self, cut_and_masked, one_of, text};
use super::findings::Findings;
use crate::lockfiles::Ecosystem;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Deepest nesting of components that is read.
const DEEPEST: usize = 32;

/// States of an analysis that say that a vulnerability does not count.
const DOES_NOT_COUNT: &[&str] = &[
    "not_affected",
    "false_positive",
    "resolved",
    "resolved_with_pedigree",
];

/// Reads a report. A list of components without a list of vulnerabilities is no report: nothing says that it was checked.
pub(super) fn parse(report: &Value) -> Result<Audit, AuditError> {
    let Some(list) = report["vulnerabilities"].as_array() else {
        return Err(AuditError::Unknown);
    };
    let mut components = BTreeMap::new();
    collect_components(&report["components"], &mut components, 0);
    let own = &report["metadata"]["component"];
    components.insert(text(own, "bom-ref"), own);
    let (mut found, mut dismissed, mut nameless) = (Findings::default(), 0, 0);
    for said in list {
        if DOES_NOT_COUNT.contains(&text(&said["analysis"], "state")) {
            dismissed += 1;
            continue;
        }
        let whole = parse_vulnerability(said);
        let affected = said["affects"].as_array();
        let affected = affected.into_iter().flatten();
        let mut places = affected.filter(|place| place["ref"].is_string()).peekable();
        nameless += usize::from(places.peek().is_none());
        for place in places {
            if found.has_room() {
                found.push(about(&whole, place, &components));
            } else {
                found.left_out += 1;
            }
        }
    }
    let mut audit = Audit::new(AuditSource::CycloneDx, found);
    let notes = [
        (
            dismissed,
            "vulnerabilities are dismissed by the report's own analysis",
        ),
        (
            nameless,
            "vulnerabilities name no package and are not listed",
        ),
    ];
    let notes = notes.iter().filter(|(many, _)| *many > 0);
    audit
        .notes
        .extend(notes.map(|(many, what)| format!("{many} {what}")));
    Ok(audit)
}

/// Components by their names in the report, with those inside them.
fn collect_components<'v>(
    list: &'v Value,
    components: &mut BTreeMap<&'v str, &'v Value>,
    depth: usize,
) {
    for component in list.as_array().into_iter().flatten() {
        components.insert(text(component, "bom-ref"), component);
        if depth < DEEPEST {
            collect_components(&component["components"], components, depth + 1);
        }
    }
}

fn parse_vulnerability(said: &Value) -> Advisory {
    let ratings = || said["ratings"].as_array().into_iter().flatten();
    let stated = ratings().filter_map(|rating| Severity::parse(text(rating, "severity")));
    let scored = ratings().filter_map(|rating| rating["score"].as_f64());
    let scored = scored
        .filter(|score| *score > 0.0)
        .map(Severity::from_score);
    let mut links = said["advisories"].as_array().into_iter().flatten();
    let own = said["source"]["url"].as_str();
    let url = own.or_else(|| links.find_map(|link| link["url"].as_str()));
    let references = said["references"].as_array().into_iter().flatten();
    let aliases = references.map(|reference| one_of(reference, "id"));
    let id = one_of(said, "id");
    let summary = ["description", "detail"].map(|key| text(said, key));
    let summary = summary.into_iter().find(|text| !text.is_empty());
    Advisory {
        aliases: aliases
            .filter(|alias| !alias.is_empty() && *alias != id)
            .take(fields::MOST_NAMES)
            .collect(),
        id,
        severity: stated.max().or(scored.max()),
        title: Advisory::first_line_as_title(summary.unwrap_or_default()),
        url: url.map_or_else(String::new, cut_and_masked),
        sources: BTreeSet::from(["CycloneDX".to_owned()]),
        ..Advisory::default()
    }
}

/// The advisory of one component.
fn about(whole: &Advisory, place: &Value, components: &BTreeMap<&str, &Value>) -> Advisory {
    let name = text(place, "ref");
    let component = components.get(name).copied();
    let address = component.map_or("", |component| text(component, "purl"));
    let package = PackageUrl::parse(address).or_else(|| PackageUrl::parse(name));
    let mut advisory = whole.clone();
    advisory.ecosystem = package.as_ref().and_then(|package| package.ecosystem);
    let unnamed = component.map_or(name, |component| text(component, "name"));
    advisory.package = package.as_ref().map_or_else(
        || cut_and_masked(unnamed),
        |package| cut_and_masked(&package.name),
    );
    advisory.version = match component.map(|component| one_of(component, "version")) {
        Some(version) if !version.is_empty() => version,
        _ => package.map_or_else(String::new, |package| cut_and_masked(&package.version)),
    };
    let versions = place["versions"].as_array().into_iter().flatten();
    let mut ranges = versions.filter(|version| text(version, "status") != "unaffected");
    advisory.range = ranges
        .find_map(|version| version["range"].as_str())
        .map_or_else(
            String::new,
            // `vers:npm/<4.17.21`
            |range| cut_and_masked(range.rsplit('/').next().unwrap_or(range)),
        );
    advisory
}

/// The parts of `pkg:npm/%40scope/name@1.2.3?arch=x`.
struct PackageUrl {
    ecosystem: Option<Ecosystem>,
    name: String,
    version: String,
}

impl PackageUrl {
    fn parse(url: &str) -> Option<PackageUrl> {
        let rest = url.strip_prefix("pkg:")?;
        let rest = rest.split(['?', '#']).next()?;
        let (kind, path) = rest.split_once('/')?;
        let (path, version) = path.rsplit_once('@').unwrap_or((path, ""));
        let ecosystem = match kind {
            "npm" => Some(Ecosystem::Npm),
            "cargo" => Some(Ecosystem::Cargo),
            "pypi" => Some(Ecosystem::PyPi),
            "golang" => Some(Ecosystem::Go),
            "composer" => Some(Ecosystem::Packagist),
            "gem" => Some(Ecosystem::RubyGems),
            "maven" => Some(Ecosystem::Maven),
            _ => None,
        };
        let mut name = percent_decoded(path.trim_matches('/'));
        if ecosystem == Some(Ecosystem::Maven) {
            name = name.replace('/', ":");
        }
        (!name.is_empty()).then(|| PackageUrl {
            ecosystem,
            name,
            version: percent_decoded(version),
        })
    }
}

fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let hex = tail.get(..2).filter(|_| *first == b'%');
        let hex = hex.and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        bytes.push(hex.unwrap_or(*first));
        rest = if hex.is_some() { &tail[2..] } else { tail };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
