//! Secrets in sources appear in no index, cache, log or answer.

use crate::common::{json, knotwork_with};
use std::path::Path;
use testkit::Repo;

/// The secrets are joined from parts, so that no scanner reports this file.
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
        "//- .git/HEAD\nref\n//- src/upload.py\nDEFAULT_TOKEN = \"{github}\"\n\n\ndef upload_report(path, token=\"{github}\", password='{password}'):\n    \"\"\"Uploads the report with {anthropic}.\"\"\"\n    return send(path, token, \"{anthropic}\")\n\n\ndef send(path, token, key):\n    return path\n//- src/keys.ts\nexport const deployKey = `-----BEGIN {kind}-----\n{key}-----END {kind}-----`;\nexport const uploadToken = '{github}';\n//- config.yaml\nupload:\n  token: {github}\n  password: {password}\n//- README.md\n# Upload\n\nUpload the report with `--token {github}`.\n"
    ))
}

/// Every file below a folder.
fn files(folder: &Path, into: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, into)
        } else {
            into.push(path)
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
    files(&repo.file_path(".devbooks"), &mut kept);
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
        "//- .git/HEAD\nref\n//- src/auth.py\ndef check_token(token, password=None):\n    token = token or default_token(password)\n    return token == 'anonymous'\n",
    );
    let found = json(&repo, &["graph-rag", "check token password"]);
    let shown = found["candidates"][0]["snippet"].as_str().unwrap();
    assert!(
        shown.contains("token = token or default_token(password)"),
        "{shown}"
    );
    assert!(shown.contains("'anonymous'"), "{shown}");
}

#[test]
fn a_pattern_cannot_ask_for_a_secret_sign_by_sign() {
    let secrets = planted();
    let repo = repo(&secrets);
    let total = |pattern: &str| json(&repo, &["search", "-m", "regex", pattern])["total"].clone();
    assert_eq!(total("def upload_report"), 1);
    for secret in &secrets {
        for length in [4, 8, secret.len()] {
            let part = regex_of(&secret[..length]);
            assert_eq!(total(&part), 0, "{part}");
            // The placeholder must not match in the secret's place.
            assert_eq!(total(&format!("{part}|{part}[a-z0-9]")), 0, "{part}");
        }
    }
    // A search can only find that something is hidden there.
    assert!(total(r"TOKEN = .\*{20}").as_u64() >= Some(1));
}

/// A pattern that matches only this text.
fn regex_of(text: &str) -> String {
    let signs = text.chars().map(|c| {
        if c.is_ascii_alphanumeric() {
            c.to_string()
        } else {
            format!("[{c}]")
        }
    });
    format!("(?-i){}", signs.collect::<String>())
}

#[test]
fn a_message_cannot_ask_for_a_secret() {
    let repo = Repo::new(
        "//- .git/HEAD\nref\n//- src/login.py\ndef login(user):\n    password = \"w4lnut gravel\"\n    api_secret = \"wa1nutGr4vel7Harb0rC0met\"\n    raise ValueError(\"the lantern went out early\")\n",
    );
    let origin = |message: &str| {
        let said = json(&repo, &["bug-locate", "--error", message]);
        said.to_string().contains("is written at line")
    };
    assert!(origin("ValueError: the lantern went out early"));
    assert!(!origin("ValueError: wa1nutGr4vel7Harb0rC0met"));
}

#[test]
fn what_is_told_in_a_question_is_not_kept() {
    let secrets = planted();
    let repo = repo(&secrets);
    let github = &secrets[0];
    let query = format!("upload with {github} and password={}", secrets[2]);
    for arguments in [
        &["intent", "record", "--query", &query, "--symbols", "send"][..],
        &["search", &query],
        &["graph-rag", &query],
        &["hook", "--prompt", &query],
    ] {
        let said = knotwork_with(&repo, &[("DEVBOOKS_DEBUG", "1")], arguments);
        assert_eq!(said.code, 0, "{arguments:?}: {said:?}");
    }
    let mut kept = Vec::new();
    files(&repo.file_path(".devbooks"), &mut kept);
    let history = repo.file_path(".devbooks/intent-history.json");
    let history = std::fs::read_to_string(history).unwrap();
    assert!(history.contains("upload with [redacted"), "{history}");
    for file in kept {
        let text = String::from_utf8_lossy(&std::fs::read(&file).unwrap()).into_owned();
        for secret in [github, &secrets[2]] {
            assert!(!text.contains(secret.as_str()), "{}", file.display());
        }
    }
}
