//! Secrets planted in sources stand in no index, no cache, no log and no answer.

use crate::common::knotwork_with;
use std::path::Path;
use testkit::Repo;

/// Put together from parts, so that no scanner takes this file for a leak.
fn planted() -> Vec<String> {
    let body = "a8Fk2LmQ9zXc4VbN7sDf1GhJ5kPq3RtY6uWe";
    vec![
        format!("{}_{body}", "ghp"),
        format!("{}-ant-api03-{body}", "sk"),
        "h4nter-two-of-them".to_owned(),
        "MIIEpAIBAAKCAQEA7bq0Yk1sV3xJ9r2LmN8wQ5tZ4uC6vB1n".to_owned(),
    ]
}

fn repo(secrets: &[String]) -> Repo {
    let [github, anthropic, password, key] = [0, 1, 2, 3].map(|at| secrets[at].as_str());
    let kind = ["RSA", "PRIVATE", "KEY"].join(" ");
    let key = format!("{key}\n").repeat(4);
    Repo::new(&format!(
        "== .git/HEAD\nref\n== src/upload.py\nDEFAULT_TOKEN = \"{github}\"\n\n\ndef upload_report(path, token=\"{github}\", password='{password}'):\n    \"\"\"Uploads the report with {anthropic}.\"\"\"\n    return send(path, token, \"{anthropic}\")\n\n\ndef send(path, token, key):\n    return path\n== src/keys.ts\nexport const deployKey = `-----BEGIN {kind}-----\n{key}-----END {kind}-----`;\nexport const uploadToken = '{github}';\n== config.yaml\nupload:\n  token: {github}\n  password: {password}\n== README.md\n# Upload\n\nUpload the report with `--token {github}`.\n"
    ))
}

/// Every file below a folder.
fn files(folder: &Path, into: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files(&path, into),
            false => into.push(path),
        }
    }
}

#[test]
fn planted_secrets_are_nowhere() {
    let secrets = planted();
    let repo = repo(&secrets);
    let regex = format!("({}|send)", &secrets[0][..12]);
    let questions: [&[&str]; 11] = [
        &["index"],
        &["search", "upload report token"],
        &["search", "-m", "keyword", "deploy key password"],
        &["search", "-m", "symbol", "DEFAULT_TOKEN"],
        &["search", "-m", "regex", &regex],
        &["search", "-m", "regex", "MII|token"],
        &["graph-rag", "upload report token password"],
        &["call-chain", "send"],
        &["graph-store", "export"],
        &["embedding", "build"],
        &[
            "hook",
            "--prompt",
            "where does upload_report send the token",
        ],
    ];
    for arguments in questions {
        for format in ["json", "text"] {
            let mut all = arguments.to_vec();
            let other = matches!(arguments[0], "graph-store" | "hook");
            if !other {
                all.extend(["--format", format]);
            }
            let said = knotwork_with(&repo, &[("DEVBOOKS_DEBUG", "1")], &all);
            assert_eq!(said.code, 0, "{arguments:?}: {said:?}");
            for secret in &secrets {
                let shown = said.stdout.contains(secret) || said.stderr.contains(secret);
                assert!(!shown, "{arguments:?} shows {secret}: {said:?}");
            }
        }
    }
    let mut kept = Vec::new();
    files(&repo.file(".devbooks"), &mut kept);
    assert!(kept.len() > 5, "{kept:?}");
    for file in kept {
        let bytes = std::fs::read(&file).unwrap();
        let text = String::from_utf8_lossy(&bytes).to_lowercase();
        for secret in &secrets {
            let found = text.contains(&secret.to_lowercase());
            assert!(!found, "{} holds {secret}", file.display());
        }
    }
}

#[test]
fn what_is_no_secret_is_shown_as_it_stands() {
    let repo = Repo::new(
        "== .git/HEAD\nref\n== src/auth.py\ndef check_token(token, password=None):\n    token = token or default_token(password)\n    return token == 'anonymous'\n",
    );
    let found = crate::common::json(&repo, &["graph-rag", "check token password"]);
    let shown = found["candidates"][0]["snippet"].as_str().unwrap();
    assert!(
        shown.contains("token = token or default_token(password)"),
        "{shown}"
    );
    assert!(shown.contains("'anonymous'"), "{shown}");
}
