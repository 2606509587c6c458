//! Secret values as people and machines make them, and names of variables for them.

use testkit::edits::Random;

const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";
const DIGITS: &str = "0123456789";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const HEX: &str = "0123456789abcdef";
/// Special characters of passwords in quotes, in bare words, in addresses and in XML.
const QUOTED: &str = "!@#%^*_-+=.,:;?~/()&|$";
const BARE: &str = "!@%^*_-+=.~";
const URL: &str = "!*_-.~";
const XML: &str = "!@#%^*_-+=.,:?~/()|$";

/// Obvious names for secrets, and rare ones.
pub(super) const COMMON_PASSWORDS: [&str; 8] = [
    "password",
    "passwd",
    "pwd",
    "db_password",
    "admin_password",
    "user_password",
    "root_password",
    "smtp_password",
];
const RARE_PASSWORDS: [&str; 20] = [
    "pgpassword",
    "smtp_pass",
    "mail_pw",
    "ldap_bind_pwd",
    "svc_account_pwd",
    "keystore_pass",
    "master_passphrase",
    "sudo_passcode",
    "wifi_psk",
    "passwort",
    "contrasena",
    "mot_de_passe",
    "senha",
    "db_pass_prod",
    "password2",
    "old_password_value",
    "ftp_login_pw",
    "vault_passwd_backup",
    "wachtwoord",
    "unlock_phrase",
];
pub(super) const COMMON_KEYS: [&str; 12] = [
    "api_key",
    "apikey",
    "secret",
    "token",
    "access_token",
    "secret_key",
    "client_secret",
    "auth_token",
    "api_secret",
    "jwt_secret",
    "refresh_token",
    "encryption_key",
];
const RARE_KEYS: [&str; 24] = [
    "hmac_key",
    "cookie_secret",
    "signing_salt",
    "webhook_signing_key",
    "kek",
    "vault_unseal_key",
    "license_key",
    "storage_account_key",
    "stripe_sk",
    "session_pepper",
    "totp_secret",
    "otp_seed",
    "backup_encryption_key_v2",
    "deploy_token_value",
    "bot_credentials",
    "mqtt_creds",
    "recovery_code",
    "tls_psk",
    "gcm_server_key",
    "consumer_secret_prod",
    "sentry_auth",
    "maps_key",
    "push_bearer",
    "x_access_grant",
];
/// Vendors whose keys have a fixed length but no prefix.
const VENDORS: [(&str, &str, usize); 8] = [
    ("datadog_main", "alnum", 40),
    ("algolia_admin", "alnum", 32),
    ("cloudflare_global", "hex", 37),
    ("facebook_app", "hex", 32),
    ("twitch_bot", "alnum", 30),
    ("netlify_deploy", "alnum", 43),
    ("fastly_purge", "alnum", 32),
    ("dropbox_app", "alnum", 15),
];

/// A name, and how it was chosen.
pub(super) struct Name {
    pub(super) words: String,
    pub(super) password: bool,
    pub(super) common: bool,
}

/// A name of a kind: `password`, `key`, `any`, `vendorname`, `none`.
pub(super) fn name(random: &mut Random, kind: &str) -> Name {
    let password = match kind {
        "password" => true,
        "any" => random.below(2) == 0,
        _ => false,
    };
    let common = random.below(5) < 2;
    let from: &[&str] = match (kind, password, common) {
        ("none", ..) => &["value"],
        ("vendorname", ..) => &["vendor"],
        (_, true, true) => &COMMON_PASSWORDS,
        (_, true, false) => &RARE_PASSWORDS,
        (_, false, true) => &COMMON_KEYS,
        (_, false, false) => &RARE_KEYS,
    };
    let words = random.pick(from).copied().unwrap_or_default().to_owned();
    Name {
        words,
        password,
        common,
    }
}

/// A value with the name of its shape.
pub(super) struct Value {
    pub(super) text: String,
    pub(super) shape: &'static str,
}

fn value(shape: &'static str, text: String) -> Value {
    Value { text, shape }
}

/// Random characters of an alphabet.
pub(super) fn some(random: &mut Random, alphabet: &str, length: usize) -> String {
    let alphabet = alphabet.as_bytes();
    (0..length)
        .map(|_| char::from(alphabet[random.below(alphabet.len())]))
        .collect()
}

fn alnum(random: &mut Random, length: usize) -> String {
    some(random, &format!("{LOWER}{UPPER}{DIGITS}"), length)
}

fn base64_of(random: &mut Random, bytes: usize) -> String {
    let bytes: Vec<u8> = (0..bytes).map(|_| random.below(256) as u8).collect();
    base64(&bytes)
}

/// Base64 with padding.
pub(super) fn base64(bytes: &[u8]) -> String {
    const SIGNS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let all =
            chunk.iter().fold(0u32, |all, b| all << 8 | u32::from(*b)) << (8 * (3 - chunk.len()));
        for at in 0..4 {
            let sign = SIGNS[(all >> (18 - 6 * at) & 63) as usize];
            out.push(if at <= chunk.len() {
                char::from(sign)
            } else {
                '='
            });
        }
    }
    out
}

/// Letters of both cases, a digit and a special character, as a password policy requires.
fn with_signs(random: &mut Random, signs: &str, length: usize) -> String {
    let body = some(
        random,
        &format!("{LOWER}{UPPER}{DIGITS}{DIGITS}{signs}"),
        length - 4,
    );
    let ends = [LOWER, UPPER, DIGITS, signs].map(|set| some(random, set, 1));
    let [a, b, c, d] = ends;
    let cut = random.below(body.len() + 1);
    format!("{a}{}{d}{b}{}{c}", &body[..cut], &body[cut..])
}

fn phrase(random: &mut Random) -> String {
    const WORDS: [&str; 16] = [
        "otter", "bridge", "violet", "lantern", "gravel", "mustard", "comet", "pillow", "walnut",
        "harbor", "static", "ribbon", "cobalt", "meadow", "pepper", "anchor",
    ];
    let mut word = || random.pick(&WORDS).copied().unwrap_or_default();
    let (a, b, c) = (word(), word(), word());
    format!("{a}-{b}-{}-{c}", 10 + random.below(90))
}

fn password(random: &mut Random, signs: &str) -> Value {
    match random.below(8) {
        0..=2 => {
            let length = 12 + random.below(9);
            value("password with signs", with_signs(random, signs, length))
        }
        3 => value("short password", alnum(random, 8)),
        4 => value("short password", with_signs(random, signs, 8)),
        5 => value("passphrase", phrase(random)),
        6 => value("letters and digits", alnum(random, 16)),
        _ => value("hexadecimal", some(random, HEX, 32)),
    }
}

fn uuid(random: &mut Random) -> String {
    let mut part = |length| some(random, HEX, length);
    let parts = [part(8), part(4), part(4), part(4), part(12)];
    parts.join("-")
}

fn key(random: &mut Random, url: bool) -> Value {
    match random.below(7) {
        0 => value("hexadecimal", some(random, HEX, 32)),
        1 => value("hexadecimal", some(random, HEX, 40)),
        2 => value("hexadecimal", some(random, HEX, 64)),
        3 if !url => value("base64", base64_of(random, 24)),
        4 if !url => value("base64", base64_of(random, 32)),
        5 => value("uuid", uuid(random)),
        _ => {
            let length = [24, 32, 40][random.below(3)];
            value("letters and digits", alnum(random, length))
        }
    }
}

fn pem(random: &mut Random, line_end: &str) -> String {
    let kind = ["RSA", "EC", "OPENSSH", ""][random.below(4)];
    let label = [kind, "PRIVATE", "KEY"].join(" ");
    let label = label.trim_start();
    let lines: Vec<String> = (0..4 + random.below(10))
        .map(|_| base64_of(random, 48))
        .collect();
    format!(
        "-----BEGIN {label}-----{line_end}{}{line_end}-----END {label}-----",
        lines.join(line_end)
    )
}

/// A block between two marker lines, with texts before, between and after its lines, as in string literals.
fn block(random: &mut Random, label: &str, between: &str) -> String {
    let mut lines: Vec<String> = (0..4 + random.below(8))
        .map(|_| base64_of(random, 48))
        .collect();
    // The last line has the remaining length.
    let length = 9 + random.below(24);
    lines.push(base64_of(random, length));
    format!(
        "-----BEGIN {label}-----{between}{}{between}-----END {label}-----",
        lines.join(between)
    )
}

/// Labels of private keys from programs other than openssl.
fn label(random: &mut Random) -> String {
    const KINDS: [&str; 7] = [
        "ENCRYPTED",
        "DSA",
        "ANY",
        "OPENSSL",
        "ECDSA",
        "X25519",
        "TSS2",
    ];
    let kind = random.pick(&KINDS).copied().unwrap_or_default();
    [kind, "PRIVATE", "KEY"].join(" ")
}

fn plain_label() -> String {
    ["RSA", "PRIVATE", "KEY"].join(" ")
}

fn pgp(random: &mut Random) -> String {
    let label = ["PGP", "PRIVATE", "KEY", "BLOCK"].join(" ");
    let lines: Vec<String> = (0..5 + random.below(8))
        .map(|_| base64_of(random, 48))
        .collect();
    let length = 6 + random.below(9);
    let short = alnum(random, length);
    let sum = alnum(random, 4);
    format!(
        "-----BEGIN {label}-----\nVersion: GnuPG v2\n\n{}\n{short}\n={sum}\n-----END {label}-----",
        lines.join("\n")
    )
}

fn putty(random: &mut Random) -> String {
    let mut lines =
        |count: usize| -> Vec<String> { (0..count).map(|_| base64_of(random, 48)).collect() };
    let (open, closed) = (lines(3), lines(4));
    format!(
        "PuTTY-User-Key-File-2: ssh-rsa\nEncryption: none\nComment: app\nPublic-Lines: 3\n{}\nPrivate-Lines: 4\n{}\nPrivate-MAC: {}",
        open.join("\n"),
        closed.join("\n"),
        some(random, HEX, 40)
    )
}

fn jwt(random: &mut Random) -> String {
    let head = base64(b"{\"alg\":\"HS256\",\"typ\":\"JWT\"}");
    let body = format!(
        "{{\"sub\":\"{}\",\"iat\":17{}}}",
        alnum(random, 12),
        some(random, DIGITS, 8)
    );
    let part = |text: String| {
        text.trim_end_matches('=')
            .replace('+', "-")
            .replace('/', "_")
    };
    format!(
        "{}.{}.{}",
        part(head),
        part(base64(body.as_bytes())),
        part(base64_of(random, 32))
    )
}

/// Keys whose prefix identifies the vendor.
fn vendor(random: &mut Random) -> String {
    let upper = format!("{UPPER}234567");
    let mut one = |prefix: &str, set: &str, length: usize| {
        let set = match set {
            "alnum" => format!("{LOWER}{UPPER}{DIGITS}"),
            "lower" => format!("{LOWER}{DIGITS}"),
            "upper" => upper.clone(),
            "hex" => HEX.to_owned(),
            _ => DIGITS.to_owned(),
        };
        format!("{prefix}{}", some(random, &set, length))
    };
    let all = [
        one(concat!("AK", "IA"), "upper", 16),
        one(concat!("gh", "p_"), "alnum", 36),
        one(concat!("gh", "o_"), "alnum", 36),
        one("github_pat_", "alnum", 82),
        one("glpat-", "alnum", 20),
        format!(
            "{}-{}",
            one(concat!("xo", "xb-"), "digit", 12),
            one("", "alnum", 24)
        ),
        one(concat!("sk_", "live_"), "alnum", 24),
        one(concat!("rk_", "live_"), "alnum", 24),
        one("sk-ant-api03-", "alnum", 93) + "AA",
        format!(
            "{}T3BlbkFJ{}",
            one("sk-", "alnum", 20),
            one("", "alnum", 20)
        ),
        one(concat!("AI", "za"), "alnum", 35),
        one("npm_", "alnum", 36),
        one("pypi-AgEIcHlwaS5vcmc", "alnum", 70),
        one("hf_", "alnum", 34),
        format!("{}.{}", one("SG.", "alnum", 22), one("", "alnum", 43)),
        one("dop_v1_", "hex", 64),
        one("dapi", "hex", 32),
        one("shpat_", "hex", 32),
        one("hvs.", "alnum", 92),
        one("lin_api_", "alnum", 40),
        one("PMAK-", "hex", 24) + "-" + &one("", "hex", 34),
        one("pul-", "hex", 40),
        one("glsa_", "alnum", 32) + "_" + &one("", "hex", 8),
        one("sntryu_", "hex", 64),
        one("dp.pt.", "alnum", 43),
        one("rubygems_", "hex", 48),
        one("xkeysib-", "hex", 64) + "-" + &one("", "lower", 16),
        one("shippo_live_", "hex", 40),
        one("EZAK", "alnum", 54),
        one("dt0c01.", "upper", 24) + "." + &one("", "upper", 64),
        one("duffel_live_", "alnum", 43),
        one("SK", "hex", 32),
        one("pscale_pw_", "alnum", 43),
        one("rdme_", "lower", 70),
        one("sq0atp-", "alnum", 22),
        one("CLOJARS_", "lower", 60),
    ];
    let at = random.below(all.len());
    all[at].clone()
}

/// A value of a kind for a name. The second part is the vendor's name, if the kind has one.
pub(super) fn of_kind(
    random: &mut Random,
    kind: &str,
    name: &Name,
) -> (Value, Option<&'static str>) {
    let signs = match kind {
        "quoted" => QUOTED,
        "url" => URL,
        "xml" => XML,
        _ => BARE,
    };
    // Sometimes a name of one kind gets a value of another, such as a password called a key.
    let crossed = random.below(6) == 0;
    let made = match kind {
        "quoted" | "bare" | "url" | "xml" if name.password != crossed => password(random, signs),
        "quoted" | "bare" | "xml" => key(random, false),
        "url" => key(random, true),
        "alnum" => value("letters and digits", alnum(random, 32)),
        "alnumpw" => value("letters and digits", alnum(random, 14)),
        "base64" => value("password with signs", with_signs(random, BARE, 14)),
        "pem" => value("PEM", pem(random, "\n")),
        "pemline" => value("PEM", pem(random, "\\n")),
        "pemindent" => value("PEM", pem(random, "\n    ")),
        "pemjoined" => value("PEM", block(random, &plain_label(), "\\n\" +\n        \"")),
        "pemadjacent" => value("PEM", block(random, &plain_label(), "\\n\"\n\"")),
        "pemarray" => value("PEM", block(random, &plain_label(), "\",\n  \"")),
        "pemdouble" => value("PEM", block(random, &plain_label(), "\\\\n")),
        "pemcomment" => value("PEM", block(random, &plain_label(), "\n# ")),
        "pemlabel" => {
            let label = label(random);
            value("PEM", block(random, &label, "\n"))
        }
        "pemlabelindent" => {
            let label = label(random);
            value("PEM", block(random, &label, "\n    "))
        }
        "pemcut" => {
            let whole = block(random, &plain_label(), "\n");
            let end = whole.rfind("\n-----END").unwrap_or(whole.len());
            value("PEM", whole[..end].to_owned())
        }
        "pgp" => value("PEM", pgp(random)),
        "ppk" => value("PuTTY", putty(random)),
        "halves" => value("letters and digits", alnum(random, 40)),
        "hexkey" => value("hexadecimal", some(random, HEX, 32)),
        "jwt" => value("JWT", jwt(random)),
        "vendor" => value("vendor token", vendor(random)),
        "azurekey" => value("base64", base64_of(random, 64)),
        "azure32" => value("base64", base64_of(random, 32)),
        "awssecret" => value("base64", base64_of(random, 30)),
        "sassig" => value(
            "base64",
            base64_of(random, 32)
                .replace('+', "%2B")
                .replace('/', "%2F")
                .replace('=', "%3D"),
        ),
        "function" => value("base64", base64_of(random, 40).replace(['+', '/'], "A")),
        "okta" => value("letters and digits", format!("00{}", alnum(random, 40))),
        "slackhook" => {
            let set = format!("{UPPER}{DIGITS}");
            let (a, b) = (some(random, &set, 8), some(random, &set, 10));
            value("webhook", format!("T{a}/B{b}/{}", alnum(random, 24)))
        }
        "discordhook" => {
            let id = some(random, DIGITS, 17);
            value("webhook", format!("1{id}/{}", alnum(random, 68)))
        }
        "teamshook" => {
            let (a, b, c) = (uuid(random), uuid(random), uuid(random));
            value(
                "webhook",
                format!("{a}@{b}/IncomingWebhook/{}/{c}", some(random, HEX, 32)),
            )
        }
        _ => {
            let (vendor, set, length) = VENDORS[random.below(VENDORS.len())];
            let set = if set == "hex" {
                HEX.to_owned()
            } else {
                format!("{LOWER}{DIGITS}")
            };
            return (
                value("named vendor", some(random, &set, length)),
                Some(vendor),
            );
        }
    };
    (made, None)
}
