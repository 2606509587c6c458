//! The findings as SARIF 2.1.0, which code hosts show beside the lines (OASIS, 2020).

use super::ArchCheckAnswer;
use analysis::Severity;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A whole answer as SARIF.
pub(super) fn to_sarif(answer: &ArchCheckAnswer) -> Value {
    let mut rules: BTreeMap<String, (String, &'static str)> = BTreeMap::new();
    let mut results: Vec<Value> = Vec::new();
    let mut add = |rule: String, about: String, level: &'static str, found: SarifResult<'_>| {
        results.push(json!({
            "ruleId": rule,
            "level": level,
            "message": {"text": found.message},
            "locations": [location(found.file, found.line)],
            "relatedLocations": found.related,
            "partialFingerprints": {"knotwork/v1": found.key},
        }));
        rules.entry(rule).or_insert((about, level));
    };
    for cycle in &answer.cycles {
        let Some(first) = cycle.cuts.first().or(cycle.steps.first()) else {
            continue;
        };
        let about = "Files or packages that import each other".to_owned();
        let found = SarifResult {
            message: format!(
                "Cycle: {}. The cheapest cut is {} → {} ({} sites).",
                cycle.path.join(" → "),
                first.from,
                first.to,
                first.sites
            ),
            file: &first.file_path,
            line: first.line,
            related: cycle
                .steps
                .iter()
                .map(|s| location(&s.file_path, s.line))
                .collect(),
            key: cycle.path.join(">"),
        };
        add("cycle".to_owned(), about, "error", found);
    }
    for v in &answer.violations {
        let level = match v.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "note",
        };
        let reason = if v.reason.is_empty() {
            String::new()
        } else {
            format!(": {}", v.reason)
        };
        let found = SarifResult {
            message: format!("{} must not need {}{reason}", v.file, v.target),
            file: &v.file,
            line: v.line,
            related: Vec::new(),
            key: format!("{}>{}", v.file, v.target),
        };
        let about = if v.reason.is_empty() {
            format!("Layer rule {}", v.rule)
        } else {
            v.reason.clone()
        };
        add(format!("layer/{}", v.rule), about, level, found);
    }
    for orphan in &answer.orphans {
        let found = SarifResult {
            message: format!(
                "{} {} has no user. {}",
                orphan.kind, orphan.symbol, orphan.suggestion
            ),
            file: &orphan.file_path,
            line: orphan.line,
            related: Vec::new(),
            key: format!("{}#{}", orphan.file_path, orphan.symbol),
        };
        let about = "Unused symbols and files".to_owned();
        add("orphan".to_owned(), about, "warning", found);
    }
    let rules: Vec<Value> = rules
        .into_iter()
        .map(|(id, (about, level))| {
            json!({
                "id": id,
                "shortDescription": {"text": about},
                "defaultConfiguration": {"level": level},
            })
        })
        .collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "knotwork",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "originalUriBaseIds": {"SRCROOT": {"description": {"text": "The repository's root"}}},
            "columnKind": "utf16CodeUnits",
            "results": results,
        }],
    })
}

struct SarifResult<'a> {
    message: String,
    file: &'a str,
    line: u32,
    related: Vec<Value>,
    key: String,
}

fn location(file: &str, line: u32) -> Value {
    let mut place = json!({
        "artifactLocation": {"uri": uri(file), "uriBaseId": "SRCROOT"},
    });
    // SARIF requires lines from 1.
    if line > 0 {
        place["region"] = json!({"startLine": line});
    }
    json!({"physicalLocation": place})
}

/// A path as a relative URI (RFC 3986).
fn uri(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(char::from(byte));
            }
            other => out.push_str(&format!("%{other:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn paths_become_relative_uris() {
        assert_eq!(uri("src/a b/ü#.ts"), "src/a%20b/%C3%BC%23.ts");
        assert_eq!(uri("src/[id].tsx"), "src/%5Bid%5D.tsx");
    }
}
