//! Secrets that must be found and texts that only look alike. Keys are put together from parts, so that no
//! scanner takes this file for a leak.

use super::{TextKind, find_secrets};
use std::time::{Duration, Instant};

const ALNUM: &str = "a8Fk2LmQ9zXc4VbN7sDf1GhJ5kPq3RtY6uWe0ZoIxT";
const HEX: &str = "3f8a1c9e7b2d4056f1e8a93c7d5b20649e1f8c3a7d2b5e60";

fn find_kinds(text: &str) -> Vec<&'static str> {
    redact_secrets(text).1
}

/// The text with the line ends of Windows.
fn with_crlf(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\n', "\r\n")
}

/// What [`super::redact_secrets`] says. With the line ends of Windows it must say the same.
fn redact_secrets(text: &str) -> (String, Vec<&'static str>) {
    let (clean, kinds) = super::redact_secrets(text);
    let crlf = with_crlf(text);
    let (clean_crlf, kinds_crlf) = super::redact_secrets(&crlf);
    assert_eq!(kinds_crlf, kinds, "with CRLF: {text}");
    assert_eq!(with_crlf(&clean_crlf), with_crlf(&clean), "with CRLF");
    (clean.into_owned(), kinds)
}

/// What [`super::mask_secrets`] says. With the line ends of Windows it must say the same.
fn mask_secrets(text: String, kind: TextKind) -> String {
    let hidden_crlf = super::mask_secrets(with_crlf(&text), kind);
    let hidden = super::mask_secrets(text, kind);
    assert_eq!(hidden_crlf, with_crlf(&hidden), "with CRLF");
    hidden
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
            let (clean, found) = redact_secrets(&text);
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
    let (clean, found) = redact_secrets(&text);
    assert_eq!(found, ["private key"]);
    assert!(!clean.contains(line) && !clean.contains("ab3="), "{clean}");
    assert!(clean.starts_with("before\n-----BEGIN") && clean.ends_with("-----\nafter"));
    let escaped = format!(
        r#"{{"key": "-----BEGIN PRIVATE KEY-----\n{line}\n{line}\n-----END PRIVATE KEY-----\n"}}"#
    );
    assert!(!redact_secrets(&escaped).0.contains(line));
    let cut_short =
        format!("-----BEGIN OPENSSH PRIVATE KEY-----\n{line}\n{line}\nand then it broke off");
    let (clean, _) = redact_secrets(&cut_short);
    assert!(!clean.contains(line) && clean.ends_with("and then it broke off"));
    let words = "the file must start with -----BEGIN PRIVATE KEY----- and end with -----END PRIVATE KEY-----";
    assert!(find_secrets(words).is_empty());
    assert!(find_secrets("-----BEGIN CERTIFICATE-----\nMIIB").is_empty());
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
        assert_eq!(redact_secrets(text).0, left);
    }
    for text in [
        "postgres://user:password@host/db",
        "https://$USER:$PASS@host",
        "https://{user}:{pass}@host",
        "http://host:8080/a@b",
        "see https://example.org/a:b@c",
    ] {
        assert!(find_secrets(text).is_empty(), "{text}");
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
        let (clean, found) = redact_secrets(&text);
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
        assert!(
            find_secrets(text).is_empty(),
            "{text}: {:?}",
            find_kinds(text)
        );
    }
}

#[test]
fn findings_are_in_order_and_apart() {
    let text = format!(
        "a=1 ghp_{} b postgres://u:pw1234@h password='abc123def'",
        &ALNUM[..36]
    );
    let found = find_secrets(&text);
    assert_eq!(
        find_kinds(&text),
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
        "key=(",
        "curl -u a:",
        "jwt.sign(\"",
        "discord",
        "password: |\n ",
        "kind: Secret\ndata:\n a: b\n",
        "<password ",
        "name=\"password\" ",
        "a,password\n",
        "psk==",
        "AccountKey=",
        "default_value \"a\nkey:",
        "password = \"\"\"\n",
        "password <<A\n",
        "password=\"a1B2c3D4e5F6\" + ",
        "- value: 1\n  name: token\n",
        "|password",
        "|password|\n|--|\n|a|\n",
        "insert into a (password) values (1),\n",
        "login(\"a\",",
        "cookie: ",
        "private-lines: 1\nabcd\n",
        "password=\n? ",
        "key = a\n<<AB\n",
        "key = a\n\"\\\n\\\"",
        "key = a\n/* ",
        "key = a\n`",
    ];
    for pattern in patterns {
        let long = |length: usize| pattern.repeat(length / pattern.len());
        let time = |text: &str| {
            let since = Instant::now();
            find_secrets(text);
            super::scan::Scan::new(text, true).into_findings();
            since.elapsed()
        };
        // A time limit: quadratic time would take hours.
        let took = time(&long(1 << 18));
        assert!(took < Duration::from_secs(30), "{pattern}: {took:?}");
    }
}

#[test]
fn what_is_hidden_leaves_everything_in_its_place() {
    let text = format!(
        "key = \"{}{ALNUM}\"\nß = 1\npassword: 'p4ss-wörd!'\n",
        "sk-ant-api03-"
    );
    let hidden = mask_secrets(text.clone(), TextKind::Code);
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
    let text = "token = a8Fk2LmQ9zXc4VbN7sDf1GhJ\npassword = h4nter2two\n";
    assert_eq!(mask_secrets(text.to_owned(), TextKind::Code), text);
    assert_ne!(mask_secrets(text.to_owned(), TextKind::Other), text);
}

#[test]
fn what_a_shell_assigns_is_a_text() {
    let kind = TextKind::from_path("bin/run.sh");
    for text in [
        "PASSWORD=V ./run",
        "PGPASSWORD=V psql",
        "env PGPASSWORD=V psql",
        "PASSWORD=V # the one of the test",
        "PASSWORD=V && run",
        "(PASSWORD=V; run)",
        "export PASSWORD=V USER=a",
        "local password=V",
        "readonly API_KEY=V",
        "${PASSWORD:-V}",
        "docker run -e MYSQL_ROOT_PASSWORD=V mysql",
        "heroku config:set API_KEY=V",
        "ansible -e ansible_password=V all",
        "aws configure set aws_secret_access_key V",
        "curl -H \"Authorization: Bearer V\" h",
        "cat > c.yml <<EOF\ndb:\n  password: V\nEOF",
    ] {
        let text = text.replace('V', "q7XkT2mWb9RzL4cYn8");
        let hidden = mask_secrets(text.clone(), kind);
        assert!(!hidden.contains("q7Xk"), "{text}");
    }
    for text in [
        "password=$1",
        "token=$(get_token app)",
        "local password=\"$2\"",
        "export TOKEN=${TOKEN:?missing}",
        "read_secret \"$name\"",
        "if [ -z \"$API_KEY\" ]; then",
        "API_KEY_FILE=/etc/app/key.pem",
        "token=`cat token.txt`",
        "reset_password user1",
        "generate_token --length 32 --kind hex",
        "PASSWORD=changeme ./run",
    ] {
        assert_eq!(mask_secrets(text.to_owned(), kind), text);
    }
}

#[test]
fn configuration_in_texts_of_a_program_is_no_code() {
    let lines = [
        "db:\n  password: V",
        "db_password = V",
        "api_key: V",
        "secret_key=V;",
        "curl https://h/?token=V&x=1",
        "machine h login u password V",
    ];
    for frame in [
        "C = \"\"\"\nTEXT\n\"\"\"\n",
        "c = '''\nTEXT\n'''\n",
        "const c = `\nTEXT\n`;\n",
        "const c = dedent`\n  TEXT\n`;\n",
        "c = <<~EOS\nTEXT\nEOS\n",
        "$c = <<<'EOT'\nTEXT\nEOT;\n",
        "/*\nTEXT\n*/\n",
        "local c = [[\nTEXT\n]]\n",
        "let c = r#\"\nTEXT\n\"#;\n",
        "auto c = R\"x(\nTEXT\n)x\";\n",
        "let c = \"\\\nTEXT\n\";\n",
        "=begin\nTEXT\n=end\n",
    ] {
        for line in lines {
            let text = frame.replace("TEXT", line);
            let text = text.replace('V', "q7XkT2mWb9RzL4cYn8");
            let hidden = mask_secrets(text.clone(), TextKind::Code);
            assert!(!hidden.contains("q7Xk"), "{text}");
        }
    }
    // Code between texts stays code.
    for text in [
        "a = \"\"\"x\"\"\"\ntoken = a8Fk2LmQ9zXc4VbN7sDf1GhJ\nb = \"\"\"y\"\"\"\n",
        "accept(\"*/*\");\ntoken = a8Fk2LmQ9zXc4VbN7sDf1GhJ;\naccept(\"*/*\");\n",
        "// a `name\ntoken = a8Fk2LmQ9zXc4VbN7sDf1GhJ\n// other` name\n",
        "out <<END;\ntoken = a8Fk2LmQ9zXc4VbN7sDf1GhJ;\nENDING\n",
        "x = \"a, \"\ntoken = a8Fk2LmQ9zXc4VbN7sDf1GhJ\ny = \"b\"\n",
        "/* a */\ntoken = a8Fk2LmQ9zXc4VbN7sDf1GhJ\n/* b */\n",
        "const c = `\nx\n`;\ntoken = a8Fk2LmQ9zXc4VbN7sDf1GhJ;\nconst d = `\ny\n`;\n",
        "\"\"\"\n:param token: text that was read\n:param password: str\n\"\"\"\n",
    ] {
        assert_eq!(mask_secrets(text.to_owned(), TextKind::Code), text);
    }
}

/// Values without a form of their own, as people and machines make them.
const PASSWORD: &str = "h0rse-b4ttery!";
const KEY: &str = "a8Fk2LmQ9zXc4VbN7sDf1GhJ5kPq3RtY";

/// Whether each of the texts loses its `VALUE`, once a password and once a key.
fn assert_hides(kind: TextKind, texts: &[&str]) {
    for text in texts {
        for (name, value) in [("PASSWORD", PASSWORD), ("API_KEY", KEY)] {
            let lower = name.to_lowercase();
            let text = text
                .replace("NAME", name)
                .replace("name", &lower)
                .replace("VALUE", value);
            let hidden = mask_secrets(text.clone(), kind);
            assert!(!hidden.contains(value), "{text}");
            assert_eq!(hidden.len(), text.len(), "{text}");
            assert_eq!(mask_secrets(hidden.clone(), kind), hidden, "{text}");
        }
    }
}

#[test]
fn declarations_with_types() {
    assert_hides(
        TextKind::Code,
        &[
            "pub const NAME: &str = \"VALUE\";",
            "const NAME: &'static str = r#\"VALUE\"#;",
            "static NAME: &[u8] = b\"VALUE\";",
            "let name: String = String::from(\"VALUE\");",
            "Settings { host: \"db\".into(), name: \"VALUE\".to_string() }",
            "export const name: string = \"VALUE\";",
            "  private readonly name?: string | undefined = 'VALUE';",
            "NAME: Final[Optional[str]] = 'VALUE'",
            "var name string = \"VALUE\"",
            "var name = []byte(\"VALUE\")",
            "    private static final String NAME = \"VALUE\";",
            "def open(host: str, name: str = \"VALUE\") -> None:",
            "    name: str = Field(default=\"VALUE\", description=\"x\")",
            "def name():\n    return \"VALUE\"\n",
            "fn name() -> &'static str {\n    \"VALUE\"\n}",
        ],
    );
    assert_hides(
        TextKind::Other,
        &[
            "    public string name { get; set; } = \"VALUE\";",
            "static const char name[] = \"VALUE\";",
            "const char *name = \"VALUE\";",
            "#define NAME \"VALUE\"",
            "    Dim name As String = \"VALUE\"",
            "static NSString *const NAME = @\"VALUE\";",
            "private val name: String = \"VALUE\"",
        ],
    );
}

#[test]
fn setters_and_pairs() {
    assert_hides(
        TextKind::Code,
        &[
            "all.put(\"name\", \"VALUE\");",
            "source.set_name(\"VALUE\");",
            "source.setName(\"VALUE\");"
                .replace("Name", "_NAME")
                .as_str(),
            "store.set('name', 'VALUE');",
            "System.setProperty(\"db.name\", \"VALUE\");",
            "request.Header.Set(\"X-name\", \"VALUE\")",
            "vec![(\"host\", \"db\"), (\"name\", \"VALUE\")]",
            "os.environ[\"NAME\"] = \"VALUE\"",
            "parser.add_argument(\"--name\", default=\"VALUE\", help=\"x\")",
            "if (body.name === \"VALUE\") {",
        ],
    );
    assert_hides(
        TextKind::Other,
        &["define('NAME', 'VALUE');", "set(NAME \"VALUE\")"],
    );
}

#[test]
fn defaults_of_the_environment() {
    assert_hides(
        TextKind::Code,
        &[
            "x = os.environ.get(\"NAME\", \"VALUE\")",
            "x = os.getenv('NAME', 'VALUE')",
            "name = os.environ.get(\"NAME\") or \"VALUE\"",
            "const x = process.env.NAME || \"VALUE\";",
            "  return process.env['NAME'] ?? 'VALUE';",
            "const name = process.env.CI ? undefined : \"VALUE\";",
            "env::var(\"NAME\").unwrap_or_else(|_| \"VALUE\".to_string())",
        ],
    );
    assert_hides(
        TextKind::Other,
        &[
            "export X=\"${NAME:-VALUE}\"",
            "value = ENV.fetch(\"NAME\", \"VALUE\")",
            "val x = getenv(\"NAME\") ?: \"VALUE\"",
        ],
    );
}

#[test]
fn elements_attributes_and_manifests() {
    assert_hides(
        TextKind::Other,
        &[
            "<name>VALUE</name>",
            "<source host=\"db\" name=\"VALUE\"/>"
                .replace(" name=", " NAME=")
                .as_str(),
            "<add key=\"NAME\" value=\"VALUE\" />",
            "<property name=\"NAME\" value=\"VALUE\"/>"
                .replace("property name", "property id")
                .as_str(),
            "<entry key=\"NAME\">VALUE</entry>",
            "<key>NAME</key>\n  <string>VALUE</string>",
            "<NAME><![CDATA[VALUE]]></NAME>",
            "        - name: NAME\n          value: \"VALUE\"\n"
                .replace("- name", "- key")
                .as_str(),
            "{ \"key\": \"NAME\", \"value\": \"VALUE\" }",
            "database:\n  NAME: |\n    VALUE\n  host: db\n",
            "database:\n  NAME: >-\n    VALUE\n",
            "ENV NAME=VALUE\n",
            "ENV NAME VALUE\n",
            "variable \"NAME\" {\n  default = \"VALUE\"\n}\n",
        ],
    );
    let manifest = "kind: Secret\nmetadata:\n  name: store\ndata:\n  any: aDByc2UtYjR0dGVyeSE=\nstringData:\n  x: plain-w0rd\n";
    let hidden = mask_secrets(manifest.to_owned(), TextKind::Other);
    assert!(
        !hidden.contains("aDByc2") && !hidden.contains("plain") && hidden.contains("name: store"),
        "{hidden}"
    );
    let other = manifest.replace("kind: Secret", "kind: ConfigMap");
    assert_eq!(mask_secrets(other.clone(), TextKind::Other), other);
}

#[test]
fn command_lines() {
    for text in [
        "curl -sS -u app:VALUE https://db/",
        "curl --user \"app:VALUE\" https://db/",
        "mysql -h db -u app -pVALUE app",
        "sshpass -p 'VALUE' ssh app@db",
        "docker login -u app -p VALUE registry",
        "redis-cli -h cache -a VALUE ping",
        "openssl rsa -in a.pem -passin pass:VALUE",
        "echo \"VALUE\" | docker login --password-stdin",
        "deploy --user app --password VALUE --fast",
        "machine db login app password VALUE",
        "requirepass VALUE",
        "CREATE USER app IDENTIFIED BY 'VALUE';",
        "ALTER ROLE app WITH LOGIN PASSWORD 'VALUE';",
    ] {
        let text = text.replace("VALUE", PASSWORD);
        assert!(!redact_secrets(&text).0.contains(PASSWORD), "{text}");
    }
    for text in [
        "curl -u user:$PASSWORD x",
        "mysql -u app -p app",
        "docker login -u app -p $TOKEN",
        "mkdir -p a/b1/c",
    ] {
        assert!(
            find_secrets(text).is_empty(),
            "{text}: {:?}",
            find_kinds(text)
        );
    }
}

#[test]
fn webhooks_and_keys_of_clouds() {
    let word = |length: usize| ALNUM.repeat(3)[..length].to_owned();
    let key = &ALNUM.repeat(3)[..86];
    for (text, value) in [
        (
            format!(
                "https://hooks.slack.com/services/T{0}/B{0}/{1}",
                "0A1B2C3D4",
                word(24)
            ),
            word(24),
        ),
        (
            format!(
                "https://discord.com/api/webhooks/903756128834012657/{}",
                word(68)
            ),
            word(68),
        ),
        (format!("AccountName=x;AccountKey={key}==;"), key.to_owned()),
        (
            format!(
                "https://x.blob.core.windows.net/c?sv=1&sr=b&sig={}%3D",
                word(43)
            ),
            word(43),
        ),
        (
            format!("SharedAccessKeyName=Root;SharedAccessKey={}=", word(43)),
            word(43),
        ),
        (format!("OKTA_API_TOKEN = \"00{}\"", word(40)), word(40)),
        (format!("Authorization: SSWS 00{}", word(40)), word(40)),
        (
            "{\"auth\": \"YXBwOmgwcnNlLWI0dHRlcnkh\"}".to_owned(),
            "YXBwOmgwcnNlLWI0dHRlcnkh".to_owned(),
        ),
        (format!("https://{}@git.internal/x.git", word(40)), word(40)),
        (
            format!("get(\"https://x/y?a=1&api_key={}&b=2\")", word(32)),
            word(32),
        ),
        (
            format!("host,user,password\ndb,app,{PASSWORD}\n"),
            PASSWORD.to_owned(),
        ),
        (
            format!("db.internal:5432:app:app:{PASSWORD}\n"),
            PASSWORD.to_owned(),
        ),
    ] {
        let hidden = mask_secrets(text.clone(), TextKind::Code);
        assert!(!hidden.contains(&value), "{text} {hidden}");
    }
}

#[test]
fn more_that_only_looks_like_one() {
    for text in [
        "password = \"changeme\"",
        "api_key = \"<your-token-here-123456>\"",
        "API_KEY=${API_KEY:-}",
        "secret: \"xxxxxxxxxxxxxxxxxxxxxxxx1\"",
        "token = \"example-token-1234567890abc\"",
        "fields = (\"username\", \"password1\", \"password2\")",
        "user.set_password(data[\"password1\"])",
        "grant_type: \"password\", scope: scopes.join(\" \")",
        "{\"token\": {\"issued_at\": \"2015-11-27T15:17:19.755470\"}}",
        "valid handle to pass to `IsWow64Process`",
        "(passphrase === '') ? 'none' : 'aes256-cbc'",
        "get_token(URL).encode(\"utf-16-le\")",
        "writeString('mysql_native_password', 'latin1');",
        "options.bypassDocumentValidation = true;",
        "mssql://<username>:<password>@<host>",
        "primary_key = \"3f8a1c9e7b2d4056f1e8a93c7d5b2064\"",
        "cache_key: \"3f8a1c9e7b2d4056f1e8a93c7d5b2064\"",
        "\"integrity\": \"sha512-a8Fk2LmQ9zXc4VbN7sDf1GhJ5kPq3RtY6uWe0ZoIxTa8Fk2LmQ9zXc4VbN7sDf==\"",
        "postgres://scott:tiger@localhost/test",
        "amqp://guest:guest@rabbitmq:5672/",
    ] {
        for kind in [TextKind::Code, TextKind::Other] {
            assert_eq!(mask_secrets(text.to_owned(), kind), text);
        }
    }
}

#[test]
fn values_on_other_lines_than_their_names() {
    assert_hides(
        TextKind::Code,
        &[
            "NAME = \"\"\"\nVALUE\n\"\"\"\n",
            "name = '''\\\nVALUE\n'''.strip()\n",
            "export const name = `\n  VALUE\n`;\n",
            "const name = isProduction\n  ? process.env.X\n  : \"VALUE\";\n",
            "store.set(\n  \"name\",\n  \"VALUE\",\n);\n",
            "String name = \"\"\"\n        VALUE\n        \"\"\";\n",
            "DriverManager.getConnection(\n    \"jdbc:x\",\n    \"app\",\n    \"VALUE\");",
            "open(\".env\", \"w\").write(\"\"\"\nHOST=db\nNAME=VALUE\n\"\"\")\n",
        ],
    );
    assert_hides(
        TextKind::Other,
        &[
            "name = '''\nVALUE\n'''\n",
            "NAME=$(cat <<'END'\nVALUE\nEND\n)\n",
            "read -r NAME <<END\nVALUE\nEND\n",
            "  name = <<EOF\nVALUE\nEOF\n",
            "NAME = <<~TEXT\n  VALUE\nTEXT\n",
            "  <name>\n    VALUE\n  </name>\n",
            "env:\n  - value: \"VALUE\"\n    key: NAME\n",
            "env:\n  - key: NAME\n    value: >-\n      VALUE\n",
            "| Name | NAME | Role |\n| --- | --- | --- |\n| bob | VALUE | owner |\n",
            "INSERT INTO users (id, NAME) VALUES\n  (1, 'VALUE');\n",
            "local name = [[VALUE]]\n",
            "my $name = q{VALUE};\n",
            "**name:** VALUE\n",
            "if (strcmp(name, \"VALUE\") == 0) {",
            "all[\"Auth:NAME\"] = \"VALUE\";",
        ],
    );
}

#[test]
fn values_put_together_from_parts() {
    let (one, two) = KEY.split_at(16);
    for text in [
        "API_KEY =\n    \"ONE\"\n    + \"TWO\";",
        "api_key = (\n    \"ONE\"\n    \"TWO\"\n)",
        "const apiKey = [\n  \"ONE\",\n  \"TWO\",\n].join(\"\");",
        "const API_KEY: &str = concat!(\n    \"ONE\",\n    \"TWO\",\n);",
    ] {
        let text = text.replace("ONE", one).replace("TWO", two);
        let hidden = mask_secrets(text.clone(), TextKind::Code);
        assert!(!hidden.contains(one) && !hidden.contains(two), "{hidden}");
    }
    let other = format!("f(password=\"{PASSWORD}\", host=\"db1.internal\", \"plain words\")");
    assert!(mask_secrets(other, TextKind::Code).contains("host=\"db1.internal\", \"plain words\""));
}

#[test]
fn private_keys_in_literals_of_programs() {
    let line = &ALNUM.repeat(2)[..64];
    let dashes = "-----";
    for between in [
        "\\n\" +\n    \"",
        "\\n\"\n\"",
        "\",\n  \"",
        "\\\\n",
        "\n# ",
        "\n    ",
        "\r\n",
    ] {
        for label in [
            "RSA PRIVATE KEY",
            "TSS2 PRIVATE KEY",
            "PGP PRIVATE KEY BLOCK",
        ] {
            let lines = [line, line, "ab3dEf9", "=x1Yz"].join(between);
            let text = format!(
                "a \"{dashes}BEGIN {label}{dashes}{between}{lines}{between}{dashes}END {label}{dashes}\" b"
            );
            let hidden = mask_secrets(text, TextKind::Code);
            for part in [line, "ab3dEf9", "x1Yz"] {
                assert!(!hidden.contains(part), "{hidden}");
            }
            assert!(
                hidden.starts_with("a ") && hidden.ends_with("\" b"),
                "{hidden}"
            );
        }
    }
    // Text around the lines of the key stays, so that the program can still be parsed.
    for (between, before) in [
        ("\\n\" +\n    \"", "key = \""),
        ("\",\n  \"", "[\""),
        ("\n# ", "# "),
        ("\n// ", "// "),
        ("\n * ", " * "),
    ] {
        let text = format!(
            "{before}{dashes}BEGIN PRIVATE KEY{dashes}{between}{line}{between}{line}{between}{dashes}END PRIVATE KEY{dashes}"
        );
        let hidden = mask_secrets(text.clone(), TextKind::Code);
        let signs = between.trim_start_matches("\\n");
        assert!(!hidden.contains(line), "{hidden}");
        assert_eq!(
            hidden.matches(signs).count(),
            text.matches(signs).count(),
            "{hidden}"
        );
    }
    let putty = format!(
        "Private-Lines: 2\n{line}\n{line}\nPrivate-MAC: {}\nend",
        &HEX[..40]
    );
    let hidden = mask_secrets(putty, TextKind::Other);
    assert!(!hidden.contains(line) && !hidden.contains(&HEX[..40]) && hidden.ends_with("end"));
}

#[test]
fn values_in_flow_mappings_of_yaml() {
    for text in [
        "one: {password: VALUE}",
        "two: {name: bob, password: VALUE}",
        "three: { user: x, secret: VALUE }",
        "four: [{password: VALUE}]",
    ] {
        for value in ["Qabcdef12", "Mon5ter!x"] {
            let text = text.replace("VALUE", value);
            let hidden = mask_secrets(text.clone(), TextKind::Other);
            assert!(!hidden.contains(value), "{text}");
            let ends = |text: &str| text.matches(['}', ']']).count();
            assert_eq!(ends(&hidden), ends(&text), "{hidden}");
        }
    }
}

#[test]
fn logins_cookies_and_addresses_of_drivers() {
    for text in [
        "server.login(\"app@internal\", \"VALUE\")",
        "connection.simple_bind_s(\"cn=admin,dc=internal\", \"VALUE\")",
        "DBI->connect(\"dbi:mysql:app\", \"app\", \"VALUE\", {})",
        "red:auth(\"VALUE\")",
        "app:VALUE@tcp(db:3306)/app",
        "mysql -uroot -p'VALUE' app",
        "sqlcmd -S db -U sa -P \"VALUE\" -Q x",
        "7z x -pVALUE a.7z",
        "unzip -P VALUE b.zip",
        "net use Z: \\\\nas\\share /user:app VALUE",
        "RUN echo \"app:VALUE\" | chpasswd",
        "bindpw VALUE",
        "// login: admin / VALUE",
        "Default credentials: `admin` / `VALUE`",
    ] {
        let text = text.replace("VALUE", PASSWORD);
        assert!(
            !mask_secrets(text.clone(), TextKind::Other).contains(PASSWORD),
            "{text}"
        );
    }
    for text in [
        "Cookie: theme=dark; sid=VALUE; lang=de",
        "cookies={\"JSESSIONID\": \"VALUE\"}",
        "\"https://files.internal/a.zip?expires=1&signature=VALUE\"",
        "\"https://maps.internal/js?key=VALUE&callback=init\"",
        "aws_secret_access_key VALUE8Fk2LmQ9",
        "{\"kty\": \"EC\", \"d\": \"VALUE\"}",
        "\"github-oauth\": { \"github.com\": \"VALUE\" }",
    ] {
        let text = text.replace("VALUE", KEY);
        assert!(
            !mask_secrets(text.clone(), TextKind::Other).contains(KEY),
            "{text}"
        );
    }
}

#[test]
fn a_tag_is_a_name_and_a_value() {
    for value in ["c(43r~T7", "kY(Cf/c4", "t00;gW=ZNb*_5", PASSWORD] {
        let tag = format!("db_password:{value}");
        assert!(!redact_secrets(&tag).0.contains(&value[2..]), "{tag}");
    }
    for tag in [
        "token:refresh",
        "password:get_password()",
        "auth:oauth2",
        "secret:${NAME}",
    ] {
        assert_eq!(redact_secrets(tag).0, tag);
    }
}

#[test]
fn letters_that_no_word_has() {
    for value in ["chjOlMMq", "OQdihLRQdxHwjS", "EqsIJNNxWtsrGrdzFJwkWBPM"] {
        for text in [format!("password: \"{value}\""), format!("PWD = {value}")] {
            assert!(
                !mask_secrets(text.clone(), TextKind::Other).contains(value),
                "{text}"
            );
        }
    }
    for value in [
        "userPassword",
        "defaultValue",
        "getAccessToken",
        "XMLHttpRequest",
        "HashMap",
    ] {
        for text in [format!("token: \"{value}\""), format!("password = {value}")] {
            assert_eq!(mask_secrets(text.clone(), TextKind::Other), text);
        }
    }
}

#[test]
fn what_stands_on_other_lines_and_is_none() {
    for text in [
        "def password():\n    \"\"\"Asks for it.\n\n    Returns: str\n    \"\"\"\n",
        "const token = `\n  select the next of them\n`;\n",
        "std::cout << password << std::endl;\nfoo1Bar2();\n",
        "<password>\n  <field>a1b2</field>\n</password>\n",
        "token=token2\n",
        "Credentials: super::super::Foundation::HANDLE,\n",
        "the file starts with -----BEGIN PRIVATE KEY----- and ends, however long it is, with the same -----END PRIVATE KEY-----",
        "| Option | Token | Note |\n| --- | --- | --- |\n| a | string | none |\n",
        "INSERT INTO users (id, password) VALUES (1, 'password');\n",
    ] {
        for kind in [TextKind::Code, TextKind::Other] {
            assert_eq!(mask_secrets(text.to_owned(), kind), text);
        }
    }
}

/// Many places that all lead to one place far after or far before them.
#[test]
fn places_that_share_what_is_far_away_take_linear_time() {
    let heads = "-eyJ".repeat(100_000) + ".eyJ" + &"a-".repeat(150_000);
    assert_eq!(mask_secrets(heads.clone(), TextKind::Other), heads);
    let key = format!("-----BEGIN PRIVATE KEY-----{}", "AbC1".repeat(11));
    let masked = mask_secrets(key.repeat(40_000), TextKind::Other);
    assert!(!masked.contains("AbC1"));
}
