//! Reports of audit tools, distinguished by their shape.

use super::advisory::{Advisory, Severity};
use super::fields::{self, first_texts, one_of, text};
use super::findings::Findings;
use super::{cvss, cyclonedx, osv};
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
    /// CycloneDX with vulnerabilities, as many tools write it.
    #[serde(rename = "CycloneDX")]
    CycloneDx,
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
        "audit report: this is not a report of npm audit, osv-scanner, cargo audit, pip-audit or govulncheck, nor \
         CycloneDX with vulnerabilities"
    )]
    Unknown,
    /// The report contradicts itself, or ends too early.
    #[error("audit report: it is not complete: {0}")]
    Incomplete(&'static str),
    /// One of several reports cannot be read.
    #[error("audit report {number} of {all}: {source}")]
    OneOf {
        /// Its number, from 1.
        number: usize,
        /// Number of reports.
        all: usize,
        /// What is wrong with it.
        source: Box<AuditError>,
    },
}

/// Contents of one or more reports.
#[derive(Debug, Clone, PartialEq)]
pub struct Audit {
    /// The tool that wrote it; of several reports, the first one's.
    pub source: AuditSource,
    /// Advisories.
    pub advisories: Vec<Advisory>,
    /// Number of findings that are left out: the report has more than can be held.
    pub left_out: usize,
    /// What the tool did not check, or says beside vulnerabilities.
    pub notes: Vec<String>,
}

/// Reads a report of any tool, or several, one after the other. Texts are cut, and likely secrets in them are masked.
///
/// # Errors
/// Text that is no JSON, an unknown shape, a report that says that the tool failed or that is not complete. An unknown
/// shape is never an empty result.
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
    // One report of govulncheck is many messages.
    let (of_go, reports): (Vec<Value>, Vec<Value>) = messages.into_iter().partition(is_go_message);
    let all = reports.len() + usize::from(!of_go.is_empty());
    let mut audits = Vec::with_capacity(all);
    if !of_go.is_empty() {
        audits.push(parse_go(&of_go));
    }
    audits.extend(reports.iter().map(parse_one));
    let mut audit: Option<Audit> = None;
    for (read, number) in audits.into_iter().zip(1..) {
        let read = match read {
            Err(source) if all > 1 => {
                return Err(AuditError::OneOf {
                    number,
                    all,
                    source: Box::new(source),
                });
            }
            read => read?,
        };
        match &mut audit {
            Some(audit) => audit.append(read),
            None => audit = Some(read),
        }
    }
    audit.ok_or_else(|| AuditError::NoJson {
        line: 1,
        reason: "nothing in it".to_owned(),
    })
}

impl Audit {
    pub(super) fn new(source: AuditSource, found: Findings) -> Audit {
        Audit {
            source,
            advisories: found.advisories,
            left_out: found.left_out,
            notes: Vec::new(),
        }
    }

    /// Adds another report.
    fn append(&mut self, mut other: Audit) {
        let mut held: usize = self.advisories.iter().map(Advisory::bytes).sum();
        let all = other.advisories.len();
        other.advisories.retain(|advisory| {
            held += advisory.bytes();
            held <= super::findings::MOST_BYTES
        });
        self.left_out += other.left_out + all - other.advisories.len();
        self.advisories.append(&mut other.advisories);
        self.notes.append(&mut other.notes);
    }
}

/// The kinds of messages of govulncheck.
const GO_MESSAGES: &[&str] = &["config", "progress", "SBOM", "osv", "finding"];

fn is_go_message(message: &Value) -> bool {
    let fields = message.as_object().filter(|fields| !fields.is_empty());
    fields.is_some_and(|fields| fields.keys().all(|key| GO_MESSAGES.contains(&key.as_str())))
}

fn parse_go(messages: &[Value]) -> Result<Audit, AuditError> {
    // It begins with its configuration, and says that it scans.
    if messages.iter().all(|m| m.get("config").is_some()) {
        return Err(AuditError::Incomplete("it ends after its configuration"));
    }
    let found = osv::parse_govulncheck(messages);
    Ok(Audit::new(AuditSource::Go, found))
}

/// Reads one report. Every field that tells its shape is asked for: the `results`, `vulnerabilities` and `dependencies` of
/// other tools are something else.
fn parse_one(report: &Value) -> Result<Audit, AuditError> {
    if report["bomFormat"].as_str() == Some("CycloneDX") {
        return cyclonedx::parse(report);
    }
    if let Some(reason) = npm_failure_message(report) {
        return Err(AuditError::Failed(reason));
    }
    if let Some(advisories) = report["advisories"].as_object() {
        return parse_npm_6_report(report, advisories);
    }
    if let Some(list) = report["vulnerabilities"]["list"].as_array() {
        return parse_cargo_report(report, list);
    }
    if let Some(packages) = report["vulnerabilities"].as_object() {
        return parse_npm_report(report, packages);
    }
    if let Some(results) = report["results"].as_array() {
        return parse_osv_report(report, results);
    }
    // Before version 2.5 the list of pip-audit stood alone.
    match report["dependencies"].as_array().or(report.as_array()) {
        Some(packages) => parse_pip_report(report, packages),
        None => Err(AuditError::Unknown),
    }
}

fn known(is_known: bool) -> Result<(), AuditError> {
    if is_known {
        Ok(())
    } else {
        Err(AuditError::Unknown)
    }
}

/// Number of vulnerabilities that npm counts.
fn npm_total(report: &Value) -> u64 {
    let counts = report["metadata"]["vulnerabilities"].as_object();
    let counts = counts.into_iter().flatten();
    let counts = counts.filter(|(severity, _)| *severity != "total");
    counts.filter_map(|(_, count)| count.as_u64()).sum()
}

fn parse_npm_6_report(
    report: &Value,
    advisories: &Map<String, Value>,
) -> Result<Audit, AuditError> {
    let beside = report["metadata"].is_object() || report["actions"].is_array();
    known(beside || !advisories.is_empty())?;
    known(
        advisories
            .values()
            .all(|said| said["module_name"].is_string()),
    )?;
    if advisories.is_empty() && npm_total(report) > 0 {
        return Err(AuditError::Incomplete("it counts more than it lists"));
    }
    Ok(Audit::new(AuditSource::Npm6, parse_npm_6(advisories)))
}

fn parse_npm_report(report: &Value, packages: &Map<String, Value>) -> Result<Audit, AuditError> {
    known(report["auditReportVersion"].is_number() || !packages.is_empty())?;
    // A shortened report has the severity alone.
    let is_entry = |said: &Value| match &said["via"] {
        Value::Array(_) => true,
        Value::Null => said["severity"].is_string(),
        _ => false,
    };
    known(packages.values().all(is_entry))?;
    if packages.is_empty() && npm_total(report) > 0 {
        return Err(AuditError::Incomplete("it counts more than it lists"));
    }
    Ok(Audit::new(AuditSource::Npm, parse_npm(packages)))
}

fn parse_cargo_report(report: &Value, list: &[Value]) -> Result<Audit, AuditError> {
    let said = &report["vulnerabilities"];
    known(said["found"].is_boolean() || said["count"].is_number())?;
    known(
        list.iter()
            .all(|one| one["advisory"].is_object() && one["package"].is_object()),
    )?;
    let counted = said["count"].as_u64().unwrap_or(0);
    if counted > list.len() as u64 || list.is_empty() && said["found"].as_bool() == Some(true) {
        return Err(AuditError::Incomplete("it counts more than it lists"));
    }
    let mut audit = Audit::new(AuditSource::Cargo, parse_cargo(list));
    let warnings = report["warnings"].as_object().into_iter().flatten();
    for (kind, list) in warnings {
        let many = list.as_array().map_or(0, Vec::len);
        if many > 0 {
            let kind = fields::cut_and_masked(kind);
            let plural = if many == 1 { "crate is" } else { "crates are" };
            let note =
                format!("cargo audit warns that {many} {plural} {kind}; warnings are not listed");
            audit.notes.push(note);
        }
    }
    Ok(audit)
}

/// Fields of a report of osv-scanner beside its results.
fn is_osv_field(name: &str) -> bool {
    name == "results"
        || name.starts_with("experimental_")
        || ["license_summary", "image_metadata"].contains(&name)
}

fn parse_osv_report(report: &Value, results: &[Value]) -> Result<Audit, AuditError> {
    let mut fields = report.as_object().into_iter().flat_map(Map::keys);
    known(!results.is_empty() || fields.all(|name| is_osv_field(name)))?;
    let is_one = |package: &Value| package["package"].is_object();
    known(results.iter().all(|result| {
        let packages = &result["packages"];
        let none = packages.is_null() && result["source"].is_object();
        none || packages
            .as_array()
            .is_some_and(|all| all.iter().all(is_one))
    }))?;
    Ok(Audit::new(AuditSource::Osv, osv::parse_osv_scanner(report)))
}

/// Most names of packages that were not audited in a note.
const MOST_SKIPPED: usize = 5;

fn parse_pip_report(report: &Value, packages: &[Value]) -> Result<Audit, AuditError> {
    known(!packages.is_empty() || report["fixes"].is_array())?;
    known(packages.iter().all(|package| {
        package["name"].is_string()
            && (package["vulns"].is_array() || package["skip_reason"].is_string())
    }))?;
    let mut audit = Audit::new(AuditSource::Pip, parse_pip(packages));
    let skipped = packages.iter().filter(|p| p["skip_reason"].is_string());
    let skipped: Vec<&Value> = skipped.collect();
    if !skipped.is_empty() {
        let first = skipped.iter().take(MOST_SKIPPED);
        let first: Vec<String> = first
            .map(|p| format!("{} ({})", one_of(p, "name"), one_of(p, "skip_reason")))
            .collect();
        let more = skipped.len().saturating_sub(MOST_SKIPPED);
        let more = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        let note = format!("pip-audit did not check {}{more}", first.join(", "));
        audit.notes.push(note);
    }
    Ok(audit)
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

fn parse_cargo(list: &[Value]) -> Findings {
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
    list.iter().for_each(|one| found.push(read(one)));
    found
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
