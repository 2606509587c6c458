//! Reports of audit tools, distinguished by their shape.

use super::advisory::{Advisory, Severity};
use super::fields::{self, first_texts, one_of, text};
use super::findings::Findings;
use super::{cvss, osv};
use crate::lockfiles::Ecosystem;
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The tool that wrote a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum AuditSource {
    /// `npm audit --json`, npm 6.
    #[serde(rename = "npm audit 6")]
    Npm6,
    /// `npm audit --json`, npm 7 and later.
    #[serde(rename = "npm audit")]
    Npm,
    /// `osv-scanner --format json`.
    #[serde(rename = "osv-scanner")]
    Osv,
    /// `cargo audit --json`.
    #[serde(rename = "cargo audit")]
    Cargo,
    /// `pip-audit --format json`.
    #[serde(rename = "pip-audit")]
    Pip,
    /// `govulncheck -json`.
    #[serde(rename = "govulncheck")]
    Go,
}

/// The reason why a report could not be read.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum AuditError {
    /// The text is not JSON.
    #[error("audit report: invalid JSON at line {line}: {reason}")]
    NoJson {
        /// The line, from 1.
        line: usize,
        /// Description of the error.
        reason: String,
    },
    /// The tool says that it failed.
    #[error("audit report: the tool failed: {0}")]
    Failed(String),
    /// The report has more content than a tool would write.
    #[error("audit report: {}", crate::json::TOO_MANY)]
    TooMuch,
    /// The report has no known shape.
    #[error(
        "audit report: this is not a report of npm audit, osv-scanner, cargo audit, pip-audit or govulncheck"
    )]
    Unknown,
}

/// Contents of a report.
#[derive(Debug, Clone, PartialEq)]
pub struct Audit {
    /// The tool that wrote it.
    pub source: AuditSource,
    /// Advisories.
    pub advisories: Vec<Advisory>,
    /// Number of findings that are left out: the report has more than can be held.
    pub left_out: usize,
}

/// Reads a report of any tool. Texts are cut, and likely secrets in them are masked.
///
/// # Errors
/// Text that is no JSON, an unknown shape, a report that says that the tool failed.
pub fn parse_audit(text: &str) -> Result<Audit, AuditError> {
    let text = text.trim_start_matches('\u{feff}');
    if !crate::json::is_bounded(text.as_bytes()) {
        return Err(AuditError::TooMuch);
    }
    let stream = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    let messages = stream
        .collect::<Result<Vec<Value>, _>>()
        .map_err(|e| AuditError::NoJson {
            line: e.line(),
            reason: e.to_string(),
        })?;
    let Some(report) = messages.first() else {
        return Err(AuditError::NoJson {
            line: 1,
            reason: "nothing in it".to_owned(),
        });
    };
    if let Some(reason) = npm_failure_message(report) {
        return Err(AuditError::Failed(reason));
    }
    let is_go = |m: &Value| {
        m.get("config")
            .or(m.get("osv"))
            .or(m.get("finding"))
            .is_some()
    };
    let (source, found) = if messages.iter().any(is_go) {
        (AuditSource::Go, osv::parse_govulncheck(&messages))
    } else if let Some(advisories) = report["advisories"].as_object() {
        (AuditSource::Npm6, parse_npm_6(advisories))
    } else if report["vulnerabilities"]["list"].is_array() {
        (AuditSource::Cargo, parse_cargo(report))
    } else if let Some(packages) = report["vulnerabilities"].as_object() {
        (AuditSource::Npm, parse_npm(packages))
    } else if report["results"].is_array() {
        (AuditSource::Osv, osv::parse_osv_scanner(report))
    } else if let Some(packages) = report["dependencies"]
        .as_array()
        .or(pip_dependencies(report))
    {
        (AuditSource::Pip, parse_pip(packages))
    } else {
        return Err(AuditError::Unknown);
    };
    Ok(Audit {
        source,
        advisories: found.advisories,
        left_out: found.left_out,
    })
}

/// npm prints its failures as JSON too.
fn npm_failure_message(report: &Value) -> Option<String> {
    let error = report.get("error").filter(|e| !e.is_null())?;
    let words = ["summary", "detail", "message", "code"];
    let messages = words.iter().filter_map(|w| error[*w].as_str());
    let messages = messages.chain(report["message"].as_str());
    let messages = messages
        .chain(error.as_str())
        .map(str::trim)
        .find(|s| !s.is_empty());
    Some(fields::cut_and_masked(
        messages.unwrap_or("it does not say why"),
    ))
}

/// The last part of `https://github.com/advisories/GHSA-…`.
fn advisory_id_from_url(url: &str) -> String {
    let last = url.trim_end_matches('/').rsplit('/').next();
    let last = last.unwrap_or_default();
    let known = ["GHSA-", "CVE-"].iter().any(|p| last.starts_with(p));
    if known {
        fields::cut_and_masked(last)
    } else {
        String::new()
    }
}

fn new_npm_advisory(source: &str) -> Advisory {
    Advisory {
        ecosystem: Some(Ecosystem::Npm),
        sources: BTreeSet::from([source.to_owned()]),
        ..Advisory::default()
    }
}

/// Reads npm 6: an entry for each version in which an advisory was found.
fn parse_npm_6(advisories: &Map<String, Value>) -> Findings {
    let mut found = Findings::default();
    for (number, said) in advisories {
        let url = text(said, "url");
        let id = match text(said, "github_advisory_id") {
            "" => advisory_id_from_url(url),
            id => fields::cut_and_masked(id),
        };
        let cves = first_texts(&said["cves"]);
        let id = match (id.is_empty(), cves.first()) {
            (true, Some(cve)) => cve.clone(),
            (true, None) => fields::cut_and_masked(&format!("npm:{number}")),
            (false, _) => id,
        };
        let advisory = Advisory {
            package: one_of(said, "module_name"),
            aliases: cves.into_iter().filter(|cve| *cve != id).collect(),
            id,
            severity: Severity::parse(text(said, "severity")),
            title: one_of(said, "title"),
            url: fields::cut_and_masked(url),
            range: one_of(said, "vulnerable_versions"),
            fixed: parse_fixed_versions(text(said, "patched_versions")),
            ..new_npm_advisory("npm audit")
        };
        let findings = said["findings"].as_array();
        for finding in findings.into_iter().flatten() {
            if !found.has_room() {
                found.left_out += 1;
                continue;
            }
            found.push(Advisory {
                version: one_of(finding, "version"),
                dev: dev_flag(finding).or_else(|| dev_flag(said)),
                paths: fields::ways(&finding["paths"]),
                ..advisory.clone()
            });
        }
        if findings.is_none_or(Vec::is_empty) {
            found.push(advisory);
        }
    }
    found
}

/// Whether an entry says that it is for development alone.
fn dev_flag(said: &Value) -> Option<bool> {
    said["dev"].as_bool()
}

/// `>=4.17.19` fixes it; npm writes `<0.0.0` if nothing does.
fn parse_fixed_versions(range: &str) -> BTreeSet<String> {
    let parts = range.split("||").map(str::trim);
    let parts = parts.filter(|p| !p.is_empty() && !p.starts_with('<'));
    parts
        .take(fields::MOST_NAMES)
        .map(fields::cut_and_masked)
        .collect()
}

/// Reads an entry for each advisory of each package. Packages that are only affected through another are not repeated: the
/// route to the other leads through them.
fn parse_npm(packages: &Map<String, Value>) -> Findings {
    let mut found = Findings::default();
    for (name, said) in packages {
        let mut elsewhere = false;
        let mut has_own = false;
        for via in said["via"].as_array().into_iter().flatten() {
            match via.as_str() {
                Some(other) => elsewhere |= packages.contains_key(other),
                None => {
                    has_own = true;
                    found.push(Advisory {
                        dev: dev_flag(said).or_else(|| dev_flag(via)),
                        ..parse_npm_via(name, said, via)
                    });
                }
            }
        }
        if !has_own && !elsewhere {
            let severity = Severity::parse(text(said, "severity"));
            found.push(Advisory {
                package: fields::cut_and_masked(name),
                severity,
                title: Advisory::first_line_as_title(text(said, "title")),
                range: one_of(said, "range"),
                dev: dev_flag(said),
                ..new_npm_advisory("npm audit")
            });
        }
    }
    found
}

fn parse_npm_via(name: &str, entry: &Value, via: &Value) -> Advisory {
    let url = text(via, "url");
    let id = match (advisory_id_from_url(url), via["source"].as_u64()) {
        (id, _) if !id.is_empty() => id,
        (_, Some(number)) => format!("npm:{number}"),
        _ => String::new(),
    };
    let score = via["cvss"]["score"].as_f64().filter(|s| *s > 0.0);
    let word = [text(via, "severity"), text(entry, "severity")];
    let word = word.iter().find_map(|w| Severity::parse(w));
    // `fixAvailable` names the package to raise, which may be another one.
    let fix = &entry["fixAvailable"];
    let fixed = (text(fix, "name") == name).then(|| one_of(fix, "version"));
    Advisory {
        package: match text(via, "name") {
            "" => fields::cut_and_masked(name),
            named => fields::cut_and_masked(named),
        },
        id,
        severity: word.or(score.map(Severity::from_score)),
        title: one_of(via, "title"),
        url: fields::cut_and_masked(url),
        range: one_of(via, "range"),
        fixed: fixed.into_iter().filter(|v| !v.is_empty()).collect(),
        ..new_npm_advisory("npm audit")
    }
}

fn parse_cargo(report: &Value) -> Findings {
    let list = report["vulnerabilities"]["list"].as_array();
    let read = |said: &Value| {
        let (advisory, package) = (&said["advisory"], &said["package"]);
        let functions = said["affected"]["functions"].as_object();
        let id = one_of(advisory, "id");
        let url = match text(advisory, "url") {
            "" => format!("https://rustsec.org/advisories/{id}"),
            url => fields::cut_and_masked(url),
        };
        let functions = functions.into_iter().flat_map(Map::keys);
        Advisory {
            package: one_of(package, "name"),
            ecosystem: Some(Ecosystem::Cargo),
            version: one_of(package, "version"),
            id,
            aliases: first_texts(&advisory["aliases"]),
            severity: cvss::base_score(text(advisory, "cvss")).map(Severity::from_score),
            title: one_of(advisory, "title"),
            url,
            fixed: first_texts(&said["versions"]["patched"]),
            symbols: fields::symbols(functions.map(String::as_str)),
            sources: BTreeSet::from(["cargo audit".to_owned()]),
            ..Advisory::default()
        }
    };
    let mut found = Findings::default();
    list.into_iter()
        .flatten()
        .for_each(|one| found.push(read(one)));
    found
}

/// Before version 2.5 the list stood alone.
fn pip_dependencies(report: &Value) -> Option<&Vec<Value>> {
    let list = report.as_array()?;
    let is_one = |p: &Value| p["name"].is_string();
    list.iter().all(is_one).then_some(list)
}

fn parse_pip(packages: &[Value]) -> Findings {
    let mut found = Findings::default();
    for package in packages {
        for said in package["vulns"].as_array().into_iter().flatten() {
            let id = one_of(said, "id");
            found.push(Advisory {
                package: one_of(package, "name"),
                ecosystem: Some(Ecosystem::PyPi),
                version: one_of(package, "version"),
                aliases: first_texts(&said["aliases"]),
                title: Advisory::first_line_as_title(text(said, "description")),
                url: format!("https://osv.dev/vulnerability/{id}"),
                id,
                fixed: first_texts(&said["fix_versions"]),
                sources: BTreeSet::from(["pip-audit".to_owned()]),
                ..Advisory::default()
            });
        }
    }
    found
}
