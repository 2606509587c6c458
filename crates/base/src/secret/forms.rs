//! Forms of keys that say by their first letters whose they are.

/// Which bytes a key's body has.
#[derive(Debug, Clone, Copy)]
pub(super) enum Body {
    /// Letters and digits.
    Alnum,
    /// Capital letters and digits.
    Upper,
    /// Hexadecimal digits.
    Hex,
    /// Letters, digits, `_` and `-`.
    Word,
    /// Letters, digits, `_`, `-` and `.`.
    Dotted,
    /// Letters, digits, `+`, `/` and `=`.
    Base64,
}

impl Body {
    pub(super) fn has(self, byte: u8) -> bool {
        match self {
            Body::Alnum => byte.is_ascii_alphanumeric(),
            Body::Upper => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Body::Hex => byte.is_ascii_hexdigit(),
            Body::Word => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'),
            Body::Dotted => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'),
            Body::Base64 => byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='),
        }
    }
}

/// A key: its beginning, its body, how long the body is at least.
#[derive(Debug, Clone, Copy)]
pub(super) struct Form {
    pub(super) prefix: &'static str,
    pub(super) body: Body,
    pub(super) least: usize,
    /// Whether `least` is the length to the letter.
    pub(super) exact: bool,
    pub(super) kind: &'static str,
}

const fn least(prefix: &'static str, body: Body, least: usize, kind: &'static str) -> Form {
    let exact = false;
    Form {
        prefix,
        body,
        least,
        exact,
        kind,
    }
}

const fn exact(prefix: &'static str, body: Body, length: usize, kind: &'static str) -> Form {
    let exact = true;
    Form {
        prefix,
        body,
        least: length,
        exact,
        kind,
    }
}

use Body::{Alnum, Base64, Dotted, Hex, Upper, Word};

/// The known forms, as the vendors document them; longer beginnings before those that they contain.
pub(super) const FORMS: &[Form] = &[
    exact("AKIA", Upper, 16, "AWS access key"),
    exact("ASIA", Upper, 16, "AWS access key"),
    exact("ABIA", Upper, 16, "AWS access key"),
    exact("ACCA", Upper, 16, "AWS access key"),
    exact("LTAI", Alnum, 20, "Alibaba Cloud key"),
    exact("AKID", Alnum, 32, "Tencent Cloud key"),
    least("ghp_", Alnum, 36, "GitHub token"),
    least("gho_", Alnum, 36, "GitHub token"),
    least("ghu_", Alnum, 36, "GitHub token"),
    least("ghs_", Word, 36, "GitHub token"),
    least("ghr_", Alnum, 36, "GitHub token"),
    least("github_pat_", Word, 60, "GitHub token"),
    least("glpat-", Dotted, 20, "GitLab token"),
    least("gldt-", Word, 20, "GitLab token"),
    least("glrt-", Dotted, 20, "GitLab token"),
    least("glcbt-", Word, 20, "GitLab token"),
    least("glptt-", Hex, 40, "GitLab token"),
    least("glsoat-", Word, 20, "GitLab token"),
    least("glagent-", Word, 50, "GitLab token"),
    least("GR1348941", Word, 20, "GitLab token"),
    least("xoxb-", Word, 20, "Slack token"),
    least("xoxp-", Word, 20, "Slack token"),
    least("xoxa-", Word, 20, "Slack token"),
    least("xoxr-", Word, 20, "Slack token"),
    least("xoxs-", Word, 20, "Slack token"),
    least("xoxe-", Word, 20, "Slack token"),
    least("xoxe.xoxp-", Word, 20, "Slack token"),
    least("xapp-", Word, 30, "Slack token"),
    least("sk_live_", Alnum, 10, "Stripe key"),
    least("sk_test_", Alnum, 10, "Stripe key"),
    least("rk_live_", Alnum, 10, "Stripe key"),
    least("rk_test_", Alnum, 10, "Stripe key"),
    least("sk_prod_", Alnum, 10, "Stripe key"),
    least("whsec_", Base64, 24, "webhook secret"),
    least("sk-ant-", Word, 24, "Anthropic key"),
    least("sk-or-v1-", Hex, 40, "OpenRouter key"),
    least("sk-proj-", Word, 24, "OpenAI key"),
    least("sk-svcacct-", Word, 24, "OpenAI key"),
    least("sk-admin-", Word, 24, "OpenAI key"),
    least("sk-", Alnum, 32, "API key"),
    least("AIza", Word, 35, "Google key"),
    least("GOCSPX-", Word, 28, "Google client secret"),
    least("ya29.", Word, 30, "Google token"),
    least("1//0", Word, 40, "Google token"),
    least("npm_", Alnum, 36, "npm token"),
    least("pypi-", Word, 60, "PyPI token"),
    least("rubygems_", Hex, 48, "RubyGems key"),
    least("hf_", Alnum, 30, "Hugging Face token"),
    least("SG.", Dotted, 60, "SendGrid key"),
    least("dop_v1_", Hex, 64, "DigitalOcean token"),
    least("doo_v1_", Hex, 64, "DigitalOcean token"),
    least("dor_v1_", Hex, 64, "DigitalOcean token"),
    exact("dapi", Hex, 32, "Databricks token"),
    least("shpat_", Hex, 32, "Shopify token"),
    least("shpca_", Hex, 32, "Shopify token"),
    least("shppa_", Hex, 32, "Shopify token"),
    least("shpss_", Hex, 32, "Shopify secret"),
    least("sq0atp-", Word, 22, "Square token"),
    least("sq0csp-", Word, 43, "Square secret"),
    least("AGE-SECRET-KEY-1", Alnum, 50, "age key"),
    least("hvs.", Word, 24, "Vault token"),
    least("hvb.", Word, 24, "Vault token"),
    least("dp.pt.", Alnum, 40, "Doppler token"),
    least("dckr_pat_", Word, 24, "Docker token"),
    least("lin_api_", Alnum, 32, "Linear key"),
    least("ntn_", Alnum, 40, "Notion token"),
    least("PMAK-", Word, 40, "Postman key"),
    least("pul-", Hex, 40, "Pulumi token"),
    least("pscale_tkn_", Dotted, 30, "PlanetScale token"),
    least("pscale_pw_", Dotted, 30, "PlanetScale password"),
    least("glc_", Base64, 32, "Grafana token"),
    least("glsa_", Word, 32, "Grafana token"),
    least("NRAK-", Alnum, 27, "New Relic key"),
    least("sntrys_", Base64, 40, "Sentry token"),
    least("sntryu_", Hex, 64, "Sentry token"),
    least("sbp_", Hex, 40, "Supabase token"),
    least("sb_secret_", Word, 20, "Supabase key"),
    least("gsk_", Alnum, 40, "Groq key"),
    least("xai-", Alnum, 60, "xAI key"),
    least("pplx-", Alnum, 40, "Perplexity key"),
    least("r8_", Alnum, 37, "Replicate token"),
    least("ATATT3", Word, 60, "Atlassian token"),
    least("HRKU-", Word, 36, "Heroku key"),
    least("fo1_", Word, 40, "Fly token"),
    least("key-", Hex, 32, "Mailgun key"),
    least("EAACEdEose0cBA", Alnum, 10, "Facebook token"),
    least("tskey-", Word, 20, "Tailscale key"),
    least("figd_", Word, 38, "Figma token"),
    least("vercel_", Alnum, 24, "Vercel token"),
    least("nvapi-", Word, 40, "NVIDIA key"),
    least("eyJrIjoi", Base64, 40, "Grafana key"),
];
