//! Forms of keys whose first letters name their vendor.

/// Bytes that a key's body may have.
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
    pub(super) fn contains(self, byte: u8) -> bool {
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

const fn form_with_min_length(
    prefix: &'static str,
    body: Body,
    least: usize,
    kind: &'static str,
) -> Form {
    let exact = false;
    Form {
        prefix,
        body,
        least,
        exact,
        kind,
    }
}

const fn form_with_exact_length(
    prefix: &'static str,
    body: Body,
    length: usize,
    kind: &'static str,
) -> Form {
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

/// The known forms, as the vendors document them; longer prefixes before their own prefixes.
pub(super) const FORMS: &[Form] = &[
    form_with_exact_length("AKIA", Upper, 16, "AWS access key"),
    form_with_exact_length("ASIA", Upper, 16, "AWS access key"),
    form_with_exact_length("ABIA", Upper, 16, "AWS access key"),
    form_with_exact_length("ACCA", Upper, 16, "AWS access key"),
    form_with_exact_length("LTAI", Alnum, 20, "Alibaba Cloud key"),
    form_with_exact_length("AKID", Alnum, 32, "Tencent Cloud key"),
    form_with_min_length("ghp_", Alnum, 36, "GitHub token"),
    form_with_min_length("gho_", Alnum, 36, "GitHub token"),
    form_with_min_length("ghu_", Alnum, 36, "GitHub token"),
    form_with_min_length("ghs_", Word, 36, "GitHub token"),
    form_with_min_length("ghr_", Alnum, 36, "GitHub token"),
    form_with_min_length("github_pat_", Word, 60, "GitHub token"),
    form_with_min_length("glpat-", Dotted, 20, "GitLab token"),
    form_with_min_length("gldt-", Word, 20, "GitLab token"),
    form_with_min_length("glrt-", Dotted, 20, "GitLab token"),
    form_with_min_length("glcbt-", Word, 20, "GitLab token"),
    form_with_min_length("glptt-", Hex, 40, "GitLab token"),
    form_with_min_length("glsoat-", Word, 20, "GitLab token"),
    form_with_min_length("glagent-", Word, 50, "GitLab token"),
    form_with_min_length("GR1348941", Word, 20, "GitLab token"),
    form_with_min_length("xoxb-", Word, 20, "Slack token"),
    form_with_min_length("xoxp-", Word, 20, "Slack token"),
    form_with_min_length("xoxa-", Word, 20, "Slack token"),
    form_with_min_length("xoxr-", Word, 20, "Slack token"),
    form_with_min_length("xoxs-", Word, 20, "Slack token"),
    form_with_min_length("xoxe-", Word, 20, "Slack token"),
    form_with_min_length("xoxe.xoxp-", Word, 20, "Slack token"),
    form_with_min_length("xapp-", Word, 30, "Slack token"),
    form_with_min_length("sk_live_", Alnum, 10, "Stripe key"),
    form_with_min_length("sk_test_", Alnum, 10, "Stripe key"),
    form_with_min_length("rk_live_", Alnum, 10, "Stripe key"),
    form_with_min_length("rk_test_", Alnum, 10, "Stripe key"),
    form_with_min_length("sk_prod_", Alnum, 10, "Stripe key"),
    form_with_min_length("whsec_", Base64, 24, "webhook secret"),
    form_with_min_length("sk-ant-", Word, 24, "Anthropic key"),
    form_with_min_length("sk-or-v1-", Hex, 40, "OpenRouter key"),
    form_with_min_length("sk-proj-", Word, 24, "OpenAI key"),
    form_with_min_length("sk-svcacct-", Word, 24, "OpenAI key"),
    form_with_min_length("sk-admin-", Word, 24, "OpenAI key"),
    form_with_min_length("sk-", Alnum, 32, "API key"),
    form_with_min_length("AIza", Word, 35, "Google key"),
    form_with_min_length("GOCSPX-", Word, 28, "Google client secret"),
    form_with_min_length("ya29.", Word, 30, "Google token"),
    form_with_min_length("1//0", Word, 40, "Google token"),
    form_with_min_length("npm_", Alnum, 36, "npm token"),
    form_with_min_length("pypi-", Word, 60, "PyPI token"),
    form_with_min_length("rubygems_", Hex, 48, "RubyGems key"),
    form_with_min_length("hf_", Alnum, 30, "Hugging Face token"),
    form_with_min_length("SG.", Dotted, 60, "SendGrid key"),
    form_with_min_length("dop_v1_", Hex, 64, "DigitalOcean token"),
    form_with_min_length("doo_v1_", Hex, 64, "DigitalOcean token"),
    form_with_min_length("dor_v1_", Hex, 64, "DigitalOcean token"),
    form_with_exact_length("dapi", Hex, 32, "Databricks token"),
    form_with_min_length("shpat_", Hex, 32, "Shopify token"),
    form_with_min_length("shpca_", Hex, 32, "Shopify token"),
    form_with_min_length("shppa_", Hex, 32, "Shopify token"),
    form_with_min_length("shpss_", Hex, 32, "Shopify secret"),
    form_with_min_length("sq0atp-", Word, 22, "Square token"),
    form_with_min_length("sq0csp-", Word, 43, "Square secret"),
    form_with_min_length("AGE-SECRET-KEY-1", Alnum, 50, "age key"),
    form_with_min_length("hvs.", Word, 24, "Vault token"),
    form_with_min_length("hvb.", Word, 24, "Vault token"),
    form_with_min_length("dp.pt.", Alnum, 40, "Doppler token"),
    form_with_min_length("dckr_pat_", Word, 24, "Docker token"),
    form_with_min_length("lin_api_", Alnum, 32, "Linear key"),
    form_with_min_length("ntn_", Alnum, 40, "Notion token"),
    form_with_min_length("PMAK-", Word, 40, "Postman key"),
    form_with_min_length("pul-", Hex, 40, "Pulumi token"),
    form_with_min_length("pscale_tkn_", Dotted, 30, "PlanetScale token"),
    form_with_min_length("pscale_pw_", Dotted, 30, "PlanetScale password"),
    form_with_min_length("glc_", Base64, 32, "Grafana token"),
    form_with_min_length("glsa_", Word, 32, "Grafana token"),
    form_with_min_length("NRAK-", Alnum, 27, "New Relic key"),
    form_with_min_length("sntrys_", Base64, 40, "Sentry token"),
    form_with_min_length("sntryu_", Hex, 64, "Sentry token"),
    form_with_min_length("sbp_", Hex, 40, "Supabase token"),
    form_with_min_length("sb_secret_", Word, 20, "Supabase key"),
    form_with_min_length("gsk_", Alnum, 40, "Groq key"),
    form_with_min_length("xai-", Alnum, 60, "xAI key"),
    form_with_min_length("pplx-", Alnum, 40, "Perplexity key"),
    form_with_min_length("r8_", Alnum, 37, "Replicate token"),
    form_with_min_length("ATATT3", Word, 60, "Atlassian token"),
    form_with_min_length("HRKU-", Word, 36, "Heroku key"),
    form_with_min_length("fo1_", Word, 40, "Fly token"),
    form_with_min_length("key-", Hex, 32, "Mailgun key"),
    form_with_min_length("EAACEdEose0cBA", Alnum, 10, "Facebook token"),
    form_with_min_length("tskey-", Word, 20, "Tailscale key"),
    form_with_min_length("figd_", Word, 38, "Figma token"),
    form_with_min_length("vercel_", Alnum, 24, "Vercel token"),
    form_with_min_length("nvapi-", Word, 40, "NVIDIA key"),
    form_with_min_length("eyJrIjoi", Base64, 40, "Grafana key"),
];
