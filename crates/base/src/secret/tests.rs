//! Secrets that must be found and texts that only look alike. Keys are put together from parts, so that no
//! scanner takes this file for a leak.

use super::{TextKind, find, mask, redact};
use std::time::{Duration, Instant};

const ALNUM: &str = "a8Fk2LmQ9zXc4VbN7sDf1GhJ5kPq3RtY6uWe0ZoIxT";
const HEX: &str = "3f8a1c9e7b2d4056f1e8a93c7d5b20649e1f8c3a7d2b5e60";

fn kinds(text: &str) -> Vec<&'static str> {
    find(text).into_iter().map(|f| f.kind).collect()
}

#[test]
fn keys_of_known_forms() {
    let word = |prefix: &str, length: usize| format!("{prefix}{}", &ALNUM.repeat(3)[..length]);
    let hex = |prefix: &str, length: usize| format!("{prefix}{}", &HEX.repeat(3)[..length]);
    let keys = [
        (format!("AKIA{}", "Q3EXR7MZ2KLP5TVW"), "AWS access key"),
        (word("ghp_", 36), "GitHub token"),
        (word("github_pat_", 82), "GitHub token"),
        (word("glpat-", 20), "GitLab token"),
        (
            format!("xoxb-{}-{}", "123456789012", word("", 24)),
            "Slack token",
        ),
        (word("sk_live_", 24), "Stripe key"),
        (word("sk-ant-api03-", 95), "Anthropic key"),
        (word("sk-proj-", 80), "OpenAI key"),
        (word("sk-", 48), "API key"),
        (word("AIza", 35), "Google key"),
        (word("npm_", 36), "npm token"),
        (word("hf_", 34), "Hugging Face token"),
        (hex("dop_v1_", 64), "DigitalOcean token"),
        (hex("dapi", 32), "Databricks token"),
        (
            format!("SG.{}.{}", word("", 22), &ALNUM.repeat(2)[3..46]),
            "SendGrid key",
        ),
        (format!("123456789:AA{}", word("", 33)), "Telegram token"),
        (
            format!("eyJ{}.eyJ{}.{}", word("", 20), word("", 30), word("", 40)),
            "JSON web token",
        ),
    ];
    for (key, kind) in &keys {
        for text in [
            key.clone(),
            format!("the key {key}."),
            format!("\"{key}\""),
            format!("错误：{key}，失败"),
            format!("KEY={key}\n"),
        ] {
            let (clean, found) = redact(&text);
            assert_eq!(found, [*kind], "{text}");
            assert!(!clean.contains(&key[8..]), "{clean}");
            assert!(clean.contains(&format!("[redacted: {kind}]")), "{clean}");
        }
    }
}

#[test]
fn private_keys_lose_their_lines() {
    let line = &ALNUM.repeat(2)[..64];
    let text = format!(
        "before\n-----BEGIN RSA PRIVATE KEY-----\n{line}\n{line}\nab3=\n-----END RSA PRIVATE KEY-----\nafter"
    );
    let (clean, found) = redact(&text);
    assert_eq!(found, ["private key"]);
    assert!(!clean.contains(line) && !clean.contains("ab3="), "{clean}");
    assert!(clean.starts_with("before\n-----BEGIN") && clean.ends_with("-----\nafter"));
    let escaped = format!(
        r#"{{"key": "-----BEGIN PRIVATE KEY-----\n{line}\n{line}\n-----END PRIVATE KEY-----\n"}}"#
    );
    assert!(!redact(&escaped).0.contains(line));
    let cut_short =
        format!("-----BEGIN OPENSSH PRIVATE KEY-----\n{line}\n{line}\nand then it broke off");
    let (clean, _) = redact(&cut_short);
    assert!(!clean.contains(line) && clean.ends_with("and then it broke off"));
    let words = "the file must start with -----BEGIN PRIVATE KEY----- and end with -----END PRIVATE KEY-----";
    assert!(find(words).is_empty());
    assert!(find("-----BEGIN CERTIFICATE-----\nMIIB").is_empty());
}

#[test]
fn passwords_in_addresses() {
    for (text, left) in [
        (
            "postgres://app:h0rse@db:5432/x",
            "postgres://app:[redacted: password in an address]@db:5432/x",
        ),
        (
            "redis://:tops3cret@cache",
            "redis://:[redacted: password in an address]@cache",
        ),
        (
            "https://bob:p@ss@host/",
            "https://bob:[redacted: password in an address]@host/",
        ),
    ] {
        assert_eq!(redact(text).0, left);
    }
    for text in [
        "postgres://user:password@host/db",
        "https://$USER:$PASS@host",
        "https://{user}:{pass}@host",
        "http://host:8080/a@b",
        "see https://example.org/a:b@c",
    ] {
        assert!(find(text).is_empty(), "{text}");
    }
}

#[test]
fn values_of_telling_names() {
    let key = &ALNUM[..32];
    for text in [
        "password = \"h0rse-b4ttery\"".to_owned(),
        "DB_PASSWORD=h0rse-b4ttery".to_owned(),
        "{\"passwd\": \"h0rse-b4ttery\"}".to_owned(),
        "mysql --password h0rse-b4ttery".to_owned(),
        "mysql --password=h0rse-b4ttery".to_owned(),
        "密码：x 密码: h0rse-b4ttery".to_owned(),
        format!("api_key: {key}"),
        format!("const apiKey = '{key}';"),
        format!("?access_token={key}&x=1"),
        format!("aws_secret_access_key = {key}"),
        format!("Authorization: Bearer {key}"),
        format!("AccountName=x;AccountKey={}==", &ALNUM.repeat(3)[..86]),
        "Authorization: Basic Ym9iOmgwcnNl".to_owned(),
    ] {
        let (clean, found) = redact(&text);
        assert_eq!(found.len(), 1, "{text} {found:?}");
        assert!(
            !clean.contains(key) && !clean.contains("b4ttery"),
            "{clean}"
        );
    }
}

#[test]
fn what_only_looks_like_one() {
    for text in [
        "password = input(\"Password: \")",
        "password: str | None = None",
        "password=user.password",
        "password authentication failed for user \"app\"",
        "error: password: must be at least 8 characters",
        "token = tokenizer.next_token()",
        "token: process.env.GITHUB_TOKEN",
        "api_key = os.environ[\"OPENAI_API_KEY\"]",
        "api_key: ${OPENAI_API_KEY}",
        "API_KEY=your-api-key-here-1234567890",
        "secret: <your secret here>",
        "SyntaxError: Unexpected token '<', \"<!DOCTYPE \"... is not valid JSON",
        "use basic authentication with the bearer token authentication scheme",
        "sk-learn-compatible-estimators-in-production",
        "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "commit 3f8a1c9e7b2d4056f1e8a93c7d5b20649e1f8c3a",
        "sha256:3f8a1c9e7b2d4056f1e8a93c7d5b20649e1f8c3a7d2b5e60",
        "id: 550e8400-e29b-41d4-a716-446655440000",
        "key: value, primary_key=id, foreign_key=user_id, key=lambda x: x[1]",
        "npm ERR! code ERESOLVE",
        "TypeError: Cannot read properties of undefined (reading 'token')",
        "csrf_token: {{ csrf_token() }}",
        "secretName: my-tls-secret-name",
        "private_key_path: /etc/ssl/private/server2024.key",
        "",
    ] {
        assert!(find(text).is_empty(), "{text}: {:?}", kinds(text));
    }
}

#[test]
fn findings_are_in_order_and_apart() {
    let text = format!(
        "a=1 ghp_{} b postgres://u:pw1234@h password='abc123def'",
        &ALNUM[..36]
    );
    let found = find(&text);
    assert_eq!(
        kinds(&text),
        ["GitHub token", "password in an address", "password"]
    );
    for pair in found.windows(2) {
        assert!(pair[0].range.end <= pair[1].range.start);
    }
    assert_eq!(&text[found[2].range.clone()], "abc123def");
}

#[test]
fn no_text_takes_long() {
    let patterns = [
        "sk-",
        "eyJ",
        "eyJ-",
        "eyJa.eyJ",
        "://a:b",
        "password=",
        "-----BEGIN PRIVATE KEY-----",
        "--token ",
        "bearer ",
        "1",
        "_",
        "=",
        "\"",
        "password:\"",
        "ghp_",
        "é",
        "AIza-",
        "密码:",
        "x.y.",
        "\\n",
    ];
    for pattern in patterns {
        let long = |length: usize| pattern.repeat(length / pattern.len());
        let time = |text: &str| {
            let since = Instant::now();
            find(text);
            since.elapsed()
        };
        let took = time(&long(1 << 20));
        assert!(took < Duration::from_secs(4), "{pattern}: {took:?}");
    }
}

#[test]
fn what_is_hidden_leaves_everything_in_its_place() {
    let text = format!(
        "key = \"{}{ALNUM}\"\nß = 1\npassword: 'p4ss-wörd!'\n",
        "sk-ant-api03-"
    );
    let hidden = mask(text.clone(), TextKind::Code);
    assert_eq!(hidden.len(), text.len());
    assert!(
        !hidden.contains(ALNUM) && !hidden.contains("p4ss"),
        "{hidden}"
    );
    assert_eq!(hidden.find("ß = 1"), text.find("ß = 1"));
    assert_eq!(hidden.lines().count(), 3);
}

#[test]
fn in_code_a_value_without_quotes_is_an_expression() {
    let text = "token = sha256WithRsaEncryption12Key34\npassword = pa55word_of(user)\n";
    assert_eq!(mask(text.to_owned(), TextKind::Code), text);
    assert_ne!(mask(text.to_owned(), TextKind::Other), text);
}
