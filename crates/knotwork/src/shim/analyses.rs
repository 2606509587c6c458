//! Wrappers of the analyses.

use super::arguments::Arguments;
use super::own::OwnCall;
use super::{Answer, Reply, Script};
use crate::environment;
use serde_json::{Value, json};

/// Passes on a call whose answer has the same fields here: JSON by default, or the text.
pub(super) fn pass(own: OwnCall, given: &Arguments) -> Answer {
    let own = own.common(given);
    match given.option("--format") {
        None | Some("json") => Ok(Reply::json(&own.json()?)),
        Some(format) => own.value("--format", format).quiet(),
    }
}

fn unchanged_arguments(given: &Arguments, names: &[&str]) -> Vec<String> {
    let pairs: Vec<(&str, &str)> = names.iter().map(|name| (*name, *name)).collect();
    given.renamed(&pairs)
}

pub(super) const IMPACT: Script = Script {
    name: "impact-analyzer",
    usage: "  analyze SYMBOL_ID [--depth N] [--threshold F] [--format json|md|mermaid]
  file PATH [--depth N] [--format json|md|mermaid]
  The symbols that depend on SYMBOL_ID are affected: its callers, and theirs",
    flags: &[],
    options: &["--depth", "--threshold", "--decay", "--decay-factor"],
    run: |given| {
        let action = given.word(0)?;
        if action != "analyze" && action != "file" {
            return Err(given.usage());
        }
        let own = OwnCall::new(&["impact", action, "--limit=0", "--ids"]).operand(given.word(1)?);
        let own = own.args(given.renamed(&[
            ("--depth", "--depth"),
            ("--threshold", "--threshold"),
            ("--decay", "--decay"),
            ("--decay-factor", "--decay"),
        ]));
        let own = own.common(&given);
        match given.option("--format") {
            None | Some("json") => {}
            Some(format) => return own.value("--format", format).quiet(),
        }
        let mut answer = match own.json() {
            Ok(answer) => answer,
            // In the earlier implementation nothing depended on an unknown symbol.
            Err(reply) if reply.code == 1 && reply.err.contains("not found") => json!({
                "root": given.word(1)?, "affected": [], "total_affected": 0,
                "message": format!("symbol not found: {}", given.word(1)?),
            }),
            Err(reply) => return Err(reply),
        };
        rename_affected_nodes(&mut answer);
        Ok(Reply::json(&answer))
    },
};

/// The affected symbols as `affected_nodes`, with ids and the word `confidence`.
fn rename_affected_nodes(answer: &mut Value) {
    let Some(fields) = answer.as_object_mut() else {
        return;
    };
    let Some(Value::Array(mut nodes)) = fields.remove("affected") else {
        return;
    };
    for node in &mut nodes {
        node["confidence"] = node["impact"].clone();
        if node["id"].is_null() {
            node["id"] = Value::Null;
        }
    }
    fields.insert("affected_nodes".to_owned(), Value::Array(nodes));
}

pub(super) const VULN: Script = Script {
    name: "vuln-tracker",
    usage: "  scan [--dir DIR] [--severity low|moderate|high|critical] [--include-dev] [--format json|md]
  parse --input FILE [--severity …] [--include-dev] [--format json|md]
  trace PACKAGE --dir DIR",
    flags: &["--include-dev"],
    options: &["--dir", "--severity", "--input"],
    run: |given| {
        let action = given.action()?.to_owned();
        let words = given.words.iter().skip(1).cloned();
        let names = ["--dir", "--severity", "--input", "--include-dev"];
        let own = OwnCall::new(&["vuln", &action])
            .operands(words)
            .args(unchanged_arguments(&given, &names));
        let folder = environment::shim_text("TEST_PROJECT_DIR");
        let own = match folder {
            Some(folder) if given.option("--dir").is_none() && action != "parse" => {
                own.value("--dir", &folder)
            }
            _ => own,
        };
        // Formats of audits: this program tells them by their content.
        let is_json = matches!(
            given.option("--format"),
            None | Some("json" | "npm6" | "npm7" | "npm")
        );
        let mut reply = if is_json {
            Reply::json(&own.common(&given).json()?)
        } else {
            pass(own, &given)?
        };
        let answer: Value = serde_json::from_str(&reply.out).unwrap_or_default();
        if is_json && answer["total"] == 0 {
            let mut answer = answer;
            answer["message"] = "No vulnerabilities".into();
            reply = Reply::json(&answer);
        } else if !is_json && reply.code == 0 && !reply.out.contains("| ") {
            reply.out += "\nNo vulnerabilities\n";
        }
        Ok(reply)
    },
};

pub(super) const GUARD: Script = Script {
    name: "dependency-guard",
    usage: "  --cycles [--scope GLOB] | --orphan-check [--exclude GLOB] | --rules FILE | --all
  --pre-commit [--with-deps]
  each with [--format json|text]",
    flags: &[
        "--cycles",
        "--orphan-check",
        "--all",
        "--pre-commit",
        "--with-deps",
        "--strict",
    ],
    options: &["--scope", "--exclude", "--rules"],
    run: check_dependencies,
};

fn check_dependencies(given: Arguments) -> Answer {
    let own = OwnCall::new(&["arch-check"]).args(given.renamed(&[
        ("--cycles", "--cycle-check"),
        ("--orphan-check", "--orphan-check"),
        ("--all", "--all"),
        ("--pre-commit", "--pre-commit"),
        ("--with-deps", "--with-deps"),
        ("--strict", "--strict"),
        ("--scope", "--scope"),
        ("--exclude", "--exclude"),
    ]));
    let own = with_rules(own, &given);
    if given.is_text() {
        let reply = pass(own, &given)?;
        let title = if given.has("--orphan-check") {
            "Orphan check\n"
        } else {
            ""
        };
        return Ok(Reply {
            out: format!("{title}{}", reply.out),
            ..reply
        });
    }
    let mut answer = own.common(&given).json()?;
    for name in ["orphan_count", "orphan_ratio", "total_nodes"] {
        if answer["summary"][name].is_null() {
            answer["summary"][name] = json!(0);
        }
    }
    if let Some(violations) = answer["violations"].as_array_mut() {
        for violation in violations {
            if violation["file"].is_null() {
                violation["file"] = violation["file_path"].clone();
            }
        }
    }
    if answer["files"].is_array() {
        answer["files_checked"] = answer["files"].clone();
    }
    let summary = &answer["summary"];
    let is_blocked = summary["blocked"] == true && summary["on_violation"] == "block";
    Ok(Reply {
        code: u8::from(is_blocked),
        ..Reply::json(&answer)
    })
}

/// The rules of `--rules`, which may lie anywhere, as those of `ARCH_RULES_FILE`. A variable that names no file is dropped, as
/// the earlier implementation did.
fn with_rules(own: OwnCall, given: &Arguments) -> OwnCall {
    let absolute = |path: &str| std::path::absolute(path).ok().filter(|path| path.is_file());
    let Some(path) = given.option("--rules") else {
        let named = environment::shim_text("ARCH_RULES_FILE");
        let is_missing = named.is_some_and(|path| absolute(&path).is_none());
        return own.variable("ARCH_RULES_FILE", is_missing.then_some(""));
    };
    let Some(found) = absolute(path).map(|path| path.display().to_string()) else {
        return own.value("--rules", path);
    };
    own.value("--rules", &found)
        .variable("ARCH_RULES_FILE", Some(&found))
}

pub(super) const PATTERN: Script = Script {
    name: "pattern-learner",
    usage: "  --learn [--type TYPE] [--output FILE] | --detect PATH [--confidence-threshold N]
  learn --auto-discover [--project DIR] [--patterns FILE] [--min-frequency N]
  decay --patterns-file FILE [--eliminate-threshold N] [--daily]
  each with [--format json|text]",
    flags: &["--learn", "--auto-discover", "--daily"],
    options: &[
        "--detect",
        "--type",
        "--output",
        "--confidence-threshold",
        "--project",
        "--patterns",
        "--min-frequency",
        "--patterns-file",
        "--eliminate-threshold",
    ],
    run: |given| {
        let action = given.words.first().map(String::as_str);
        let own = match action {
            Some("decay") => OwnCall::new(&["pattern", "decay"]),
            Some("detect") => OwnCall::new(&["pattern", "check"]),
            Some("learn") => OwnCall::new(&["pattern", "learn", "--auto-discover"]),
            None if given.has("--learn") => OwnCall::new(&["pattern", "learn", "--auto-discover"]),
            None => match given.option("--detect") {
                Some(path) => {
                    let own = OwnCall::new(&["pattern", "check"]);
                    if path == "." {
                        own
                    } else {
                        own.value("--path", path)
                    }
                }
                None => return Err(given.usage()),
            },
            Some(_) => return Err(given.usage()),
        };
        let own = own.args(given.renamed(&[
            ("--type", "--type"),
            ("--output", "--patterns"),
            ("--patterns", "--patterns"),
            ("--patterns-file", "--patterns"),
            ("--min-frequency", "--min-frequency"),
            ("--confidence-threshold", "--confidence-threshold"),
            ("--eliminate-threshold", "--confidence-threshold"),
        ]));
        let own = match given.option("--project") {
            Some(folder) => own.value("--project", folder),
            None => own,
        };
        if given.is_text() {
            return pass(own, &given);
        }
        let mut answer = own.common(&given).json()?;
        let total = answer["patterns"].as_array().map_or(0, Vec::len);
        if answer["metadata"].is_null() {
            answer["metadata"] = json!({"total_patterns": total});
        }
        Ok(Reply::json(&answer))
    },
};

pub(super) const BUG_LOCATOR: Script = Script {
    name: "bug-locator",
    usage: "  --error TEXT [--format json|text] [--with-impact] [--impact-depth N]
      [--top-n N] (default: 5) [--history-depth N] (default: 20 commits; days of history default: 30)",
    flags: &["--with-impact"],
    options: &["--error", "--impact-depth", "--top-n", "--history-depth"],
    run: |given| {
        if given.option("--error").is_none() {
            return Err(given.usage());
        }
        let names = [
            "--error",
            "--impact-depth",
            "--top-n",
            "--history-depth",
            "--with-impact",
        ];
        let own = OwnCall::new(&["bug-locate"]).args(unchanged_arguments(&given, &names));
        if given.option("--format").is_some_and(|f| f != "json") {
            return pass(own, &given);
        }
        let mut answer = own.common(&given).json()?;
        let candidates = answer["candidates"].as_array_mut();
        for candidate in candidates.into_iter().flatten() {
            candidate["original_score"] = candidate["confidence"].clone();
            candidate["score"] = candidate["confidence"].clone();
        }
        // With `--with-impact` the earlier implementation answered with the list of candidates alone.
        Ok(Reply::json(if given.has("--with-impact") {
            &answer["candidates"]
        } else {
            &answer
        }))
    },
};

pub(super) const HOTSPOT: Script = Script {
    name: "hotspot-analyzer",
    usage: "  [--path DIR] [--top-n N] [--days N] [--weighted] [--weights W,W,W,W] [--normalized]
      [--recency-boost] [--coupling] [--format json|text]",
    flags: &[
        "--weighted",
        "--normalized",
        "--recency-boost",
        "--coupling",
    ],
    options: &["--path", "--top-n", "--top", "--days", "--weights"],
    run: |given| {
        let own = OwnCall::new(&["hotspot"]).args(given.renamed(&[
            ("--path", "--path"),
            ("--top-n", "--limit"),
            ("--top", "--limit"),
            ("--days", "--days"),
            ("--weights", "--weights"),
            ("--weighted", "--weighted"),
            ("--normalized", "--normalized"),
            ("--recency-boost", "--recency-boost"),
            ("--coupling", "--coupling"),
        ]));
        if given.is_text() {
            return pass(own, &given);
        }
        let mut answer = own.common(&given).json()?;
        for hotspot in answer["hotspots"].as_array_mut().into_iter().flatten() {
            hotspot["file"] = hotspot["file_path"].clone();
            hotspot["churn"] = hotspot["commits"].clone();
        }
        Ok(Reply::json(&answer))
    },
};

pub(super) const BOUNDARY: Script = Script {
    name: "boundary-detector",
    usage: "  [detect] --path PATH [--config FILE] [--format json|text]
  --batch reads paths from standard input, one a line",
    flags: &["--batch"],
    options: &["--path", "--config"],
    run: |given| {
        let mut words = given.words.iter().filter(|word| *word != "detect");
        let path = given.option("--path").or(words.next().map(String::as_str));
        if path.is_none() && given.has("--batch") {
            return classify_standard_input(&given);
        }
        let Some(path) = path.filter(|path| !path.is_empty()) else {
            return Err(Reply::failure(1, "no path given"));
        };
        let own = OwnCall::new(&["boundary"]).value("--path", path);
        let own = own.args(unchanged_arguments(&given, &["--config", "--batch"]));
        if given.is_text() {
            return pass(own, &given);
        }
        let mut answer = own.common(&given).json()?;
        translate_kind(&mut answer);
        Ok(Reply::json(&answer))
    },
};

/// Translates the kind of a file to the four kinds of the earlier implementation. The kind of this program stays
/// as `role`.
fn translate_kind(answer: &mut Value) {
    let role = answer["type"].clone();
    answer["type"] = match role.as_str() {
        Some("vendor") => "library".into(),
        Some("test" | "example" | "docs") => "user".into(),
        _ => role.clone(),
    };
    answer["role"] = role;
}

/// Classifies the paths of standard input in one go.
fn classify_standard_input(given: &Arguments) -> Answer {
    let failed = |error: engine::EngineError| Reply::failure(error.kind.exit_code(), error);
    let settings = given.settings().map_err(failed)?;
    let engine = engine::Engine::open(settings, Box::new(())).map_err(failed)?;
    let given = super::context::read_standard_input();
    let paths = given.lines().map(str::trim).filter(|path| !path.is_empty());
    let paths: Vec<String> = paths.map(str::to_owned).collect();
    let answers = engine.boundaries(&paths).map_err(failed)?;
    let translated = answers.into_iter().map(|answer| {
        let mut answer = json!(answer);
        translate_kind(&mut answer);
        answer
    });
    let all: Vec<Value> = translated.collect();
    Ok(Reply::json(&Value::Array(all)))
}

pub(super) const COMPLEXITY: Script = Script {
    name: "complexity",
    usage: "  PATH [--format json|text]",
    flags: &[],
    options: &["--path"],
    run: |given| {
        let path = given
            .option("--path")
            .or(given.words.first().map(String::as_str));
        let own = OwnCall::new(&["complexity"]);
        let own = match path {
            Some(path) => own.operand(path),
            None => own,
        };
        pass(own, &given)
    },
};

const CALL_CHAIN_USAGE: &str = "  --symbol NAME [--direction callers|callees|both] [--depth 1..4] [--trace-usage] [--mock-ckb FILE]
  --symbol NAME --data-flow | --trace-data-flow [--data-flow-direction forward|backward|both] [--max-depth 1..10]
      follows calls from and to the symbol; values inside a function are not followed";
const CALL_CHAIN_FLAGS: &[&str] = &["--trace-usage", "--data-flow", "--trace-data-flow"];
const CALL_CHAIN_OPTIONS: &[&str] = &[
    "--symbol",
    "--direction",
    "--depth",
    "--mock-ckb",
    "--data-flow-direction",
    "--max-depth",
];

pub(super) const CALL_CHAIN: Script = Script {
    name: "call-chain",
    usage: CALL_CHAIN_USAGE,
    flags: CALL_CHAIN_FLAGS,
    options: CALL_CHAIN_OPTIONS,
    run: call_chain,
};

pub(super) const CALL_CHAIN_TRACER: Script = Script {
    name: "call-chain-tracer",
    ..CALL_CHAIN
};

fn call_chain(given: Arguments) -> Answer {
    let symbol = given
        .option("--symbol")
        .or(given.words.first().map(String::as_str));
    let Some(symbol) = symbol else {
        return Err(Reply::failure(1, "no symbol given (--symbol)"));
    };
    if given.has("--data-flow") || given.has("--trace-data-flow") {
        return data_flow(&given, symbol);
    }
    let own = OwnCall::new(&["call-chain"]).value("--symbol", symbol);
    let names = ["--direction", "--depth", "--trace-usage", "--mock-ckb"];
    pass(own.args(unchanged_arguments(&given, &names)), &given)
}

/// The paths along which a value may travel from one function to another, taken from its calls.
fn data_flow(given: &Arguments, symbol: &str) -> Answer {
    let direction = given.option("--data-flow-direction").unwrap_or("both");
    let side = match direction {
        "forward" => "callees",
        "backward" => "callers",
        "both" => "both",
        other => return Err(Reply::failure(1, format!("invalid direction: {other}"))),
    };
    let depth: i64 = given
        .option("--max-depth")
        .or(given.option("--depth"))
        .map_or(Ok(4), str::parse)
        .map_err(|_| Reply::failure(1, "invalid depth: not a number"))?;
    if depth < 1 {
        return Err(Reply::failure(
            1,
            format!("invalid depth: {depth}. Must be 1 to 10"),
        ));
    }
    let depth = depth.min(10);
    let own = OwnCall::new(&["call-chain", "--direction", side]);
    let own = own
        .value("--symbol", symbol)
        .value("--depth", &depth.min(4).to_string());
    let answer = own.common(given).json()?;
    let mut paths = Vec::new();
    for root in answer["paths"].as_array().into_iter().flatten() {
        ways(root, &mut Vec::new(), &mut paths);
    }
    let root = &answer["paths"][0];
    Ok(Reply::json(&json!({
        "schema_version": "1.0",
        "source": {"symbol": symbol, "file": root["file_path"], "line": root["line"]},
        "direction": direction,
        "max_depth": depth,
        "paths": paths,
        "truncated": depth > 4,
        "cycle_detected": answer["cycle_detected"],
        "note": "calls are followed, at most four; values inside a function are not",
    })))
}

/// Every path from the root of a tree to a leaf.
fn ways(node: &Value, so_far: &mut Vec<Value>, out: &mut Vec<Value>) {
    so_far.push(json!({
        "symbol": node["symbol_name"], "file": node["file_path"], "line": node["line"],
        "depth": node["depth"],
    }));
    let next = ["callers", "callees"].map(|side| node[side].as_array());
    let mut ends = true;
    for child in next.into_iter().flatten().flatten() {
        ends = false;
        ways(child, so_far, out);
    }
    if ends {
        out.push(Value::Array(so_far.clone()));
    }
    so_far.pop();
}
