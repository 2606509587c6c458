//! Sends one JSON request over HTTP with a deadline, and classifies its errors.

use crate::Secret;
use engine::ProviderError;
use serde_json::Value;
use std::fmt;
use std::io::Read;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use ureq::tls::{Certificate, RootCerts, TlsConfig};

/// Most characters of a provider's message that are kept.
const MESSAGE: usize = 200;

/// The most bytes of memory for a decoded answer: four million values. A full batch of texts has a quarter of
/// that.
const MOST_DECODED: usize = 256 << 20;

/// Most bytes of an error answer.
const ERROR_BODY: u64 = 64 << 10;

/// A provider's address, with the headers that it needs in each request.
pub(crate) struct Endpoint {
    /// Its name, for messages.
    pub(crate) provider: &'static str,
    url: String,
    headers: Vec<(&'static str, String)>,
    key: Option<Secret>,
    agent: ureq::Agent,
}

/// The reason why an address of CKB or Chroma is not used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum AddressError {
    #[error("{service}: this is no address")]
    NoAddress { service: &'static str },
    /// The address is not repeated: it would show the password.
    #[error("{service}: an address with a name or password in it is not used")]
    HasPassword { service: &'static str },
    #[error("{service}: not an HTTP address: {address}")]
    NotHttp {
        service: &'static str,
        address: String,
    },
}

/// An address without name and password.
#[derive(Debug, Clone)]
pub(crate) struct HttpAddress {
    pub(crate) secure: bool,
    pub(crate) loopback: bool,
    /// Host and port.
    pub(crate) authority: String,
}

impl HttpAddress {
    pub(crate) fn parse(service: &'static str, text: &str) -> Result<HttpAddress, AddressError> {
        let uri: ureq::http::Uri = text
            .parse()
            .map_err(|_| AddressError::NoAddress { service })?;
        // The user name or password would be shown with each error.
        if uri.authority().is_some_and(|a| a.as_str().contains('@')) {
            return Err(AddressError::HasPassword { service });
        }
        let secure = match uri.scheme_str() {
            Some("https") => true,
            Some("http") => false,
            _ => {
                return Err(AddressError::NotHttp {
                    service,
                    address: text.to_owned(),
                });
            }
        };
        Ok(HttpAddress {
            secure,
            loopback: is_loopback(uri.host().unwrap_or_default()),
            authority: uri.authority().map(ToString::to_string).unwrap_or_default(),
        })
    }
}

/// The reason why a provider's address or key is not used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum EndpointError {
    #[error("{provider}: no address: {address}")]
    NoAddress {
        provider: &'static str,
        address: String,
    },
    #[error("{provider}: not an HTTP address: {address}")]
    NotHttp {
        provider: &'static str,
        address: String,
    },
    #[error("{provider}: an address must not hold a password")]
    HasPassword { provider: &'static str },
    #[error("{provider}: a key is not sent over plain http to {host}; use https")]
    PlainHttp {
        provider: &'static str,
        host: String,
    },
    #[error("{provider}: the key contains invalid characters")]
    InvalidKey { provider: &'static str },
}

impl From<EndpointError> for ProviderError {
    fn from(error: EndpointError) -> ProviderError {
        ProviderError::Invalid(error.to_string())
    }
}

/// Converts a key into a header.
pub(crate) type KeyHeader = fn(&Secret) -> (&'static str, String);

/// The reason why a request failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum HttpError {
    Timeout,
    RateLimited(Option<Duration>),
    Auth(String),
    Network(String),
    Invalid(String),
    /// The provider answers, but refuses this request.
    Refused(String),
}

impl HttpError {
    /// Whether another try may help.
    pub(crate) fn is_retryable(&self) -> bool {
        matches!(self, HttpError::RateLimited(_) | HttpError::Network(_))
    }
}

impl fmt::Display for HttpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HttpError::Timeout => f.write_str("no answer in time"),
            HttpError::RateLimited(_) => f.write_str("too many requests"),
            HttpError::Auth(text)
            | HttpError::Network(text)
            | HttpError::Invalid(text)
            | HttpError::Refused(text) => f.write_str(text),
        }
    }
}

impl Endpoint {
    /// Creates an endpoint. Refuses an invalid address, and an address to which a key would travel unencrypted.
    pub(crate) fn new(
        provider: &'static str,
        base: &str,
        path: &str,
        key: Option<(&Secret, KeyHeader)>,
    ) -> Result<Endpoint, EndpointError> {
        let base = base.trim().trim_end_matches('/');
        let uri: ureq::http::Uri = base.parse().map_err(|_| EndpointError::NoAddress {
            provider,
            address: truncate_message(base),
        })?;
        let host = uri.host().unwrap_or_default();
        let secure = match uri.scheme_str() {
            Some("https") => true,
            Some("http") => false,
            _ => {
                return Err(EndpointError::NotHttp {
                    provider,
                    address: truncate_message(base),
                });
            }
        };
        if uri.authority().is_some_and(|a| a.as_str().contains('@')) {
            return Err(EndpointError::HasPassword { provider });
        }
        if !secure && key.is_some() && !is_loopback(host) {
            return Err(EndpointError::PlainHttp {
                provider,
                host: host.to_owned(),
            });
        }
        let usable = |(secret, _): &(&Secret, _)| {
            let fits = |b: u8| (b' '..127).contains(&b);
            secret.expose().bytes().all(fits)
        };
        if !key.as_ref().is_none_or(usable) {
            return Err(EndpointError::InvalidKey { provider });
        }
        Ok(Endpoint {
            provider,
            url: format!("{base}{path}"),
            headers: key
                .map(|(secret, header)| header(secret))
                .into_iter()
                .collect(),
            key: key.map(|(secret, _)| secret.clone()),
            agent: build_agent(secure, is_loopback(host)),
        })
    }

    /// Adds a header.
    pub(crate) fn with_header(mut self, name: &'static str, value: &str) -> Endpoint {
        self.headers.push((name, value.to_owned()));
        self
    }

    /// Sends a body and reads the answer of at most `most` bytes.
    pub(crate) fn post_json(
        &self,
        body: &Value,
        deadline: Instant,
        max_bytes: u64,
    ) -> Result<Value, HttpError> {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(HttpError::Timeout);
        }
        let mut request = self
            .agent
            .post(&self.url)
            .config()
            .timeout_global(Some(left))
            .build()
            .header("content-type", "application/json")
            .header("accept", "application/json");
        for (name, value) in &self.headers {
            request = request.header(*name, value);
        }
        let mut response = request
            .send(body.to_string().as_bytes())
            .map_err(|e| self.to_http_error(e))?;
        let status = response.status().as_u16();
        if (200..300).contains(&status) {
            let text = self.read_body(&mut response, max_bytes)?;
            if base::json::decoded_size(&text) > MOST_DECODED {
                return Err(HttpError::Invalid(format!(
                    "{}: the answer holds more values than were asked for",
                    self.provider
                )));
            }
            return serde_json::from_slice(&text).map_err(|e| {
                HttpError::Invalid(format!("{}: the answer is not JSON: {e}", self.provider))
            });
        }
        let wait = parse_retry_after(response.headers());
        let text = self
            .read_body(&mut response, ERROR_BODY)
            .unwrap_or_default();
        Err(self.status_error(status, wait, &text))
    }

    fn read_body(
        &self,
        response: &mut ureq::http::Response<ureq::Body>,
        most: u64,
    ) -> Result<Vec<u8>, HttpError> {
        let mut text = Vec::new();
        let reader = response.body_mut().with_config().limit(most + 1).reader();
        let mut reader = reader.take(most + 1);
        match reader.read_to_end(&mut text) {
            Ok(_) if text.len() as u64 > most => Err(HttpError::Invalid(format!(
                "{}: the answer is longer than {most} bytes",
                self.provider
            ))),
            Ok(_) => Ok(text),
            Err(error) => Err(self.to_http_error(ureq::Error::from(error))),
        }
    }

    fn to_http_error(&self, error: ureq::Error) -> HttpError {
        match error {
            ureq::Error::Timeout(_) => HttpError::Timeout,
            ureq::Error::Io(e) if e.kind() == std::io::ErrorKind::TimedOut => HttpError::Timeout,
            // Another attempt would meet the same certificate.
            ureq::Error::Io(e) if e.kind() == std::io::ErrorKind::InvalidData => {
                HttpError::Invalid(self.format_message(&e.to_string()))
            }
            other => HttpError::Network(self.format_message(&other.to_string())),
        }
    }

    fn status_error(&self, status: u16, wait: Option<Duration>, text: &[u8]) -> HttpError {
        let reason = extract_error_message(text);
        let message = || {
            if reason.is_empty() {
                self.format_message(&format!("status {status}"))
            } else {
                self.format_message(&format!("status {status}: {reason}"))
            }
        };
        match status {
            // A provider's message about a wrong key may contain a part of the key.
            401 | 403 => HttpError::Auth(format!(
                "{}: the key was refused (status {status})",
                self.provider
            )),
            429 if reason.contains("quota") || reason.contains("billing") => {
                HttpError::Auth(message())
            }
            429 => HttpError::RateLimited(wait),
            408 | 500..=599 => HttpError::Network(message()),
            400 | 413 | 422 => HttpError::Refused(message()),
            _ => HttpError::Invalid(message()),
        }
    }

    /// A message with the provider's name, without the key, of bounded length.
    fn format_message(&self, text: &str) -> String {
        let text = match &self.key {
            Some(key) => key.redact_from(text),
            None => text.to_owned(),
        };
        format!("{}: {}", self.provider, truncate_message(&text))
    }
}

/// Error message of a provider: `{"error":{"message":…}}`, `{"error":"…"}`, `{"message":…}` or nothing.
fn extract_error_message(text: &[u8]) -> String {
    if base::json::decoded_size(text) > MOST_DECODED {
        return String::new();
    }
    let Ok(value) = serde_json::from_slice::<Value>(text) else {
        return String::new();
    };
    let error = value.get("error").unwrap_or(&value);
    let code = error.get("code").and_then(Value::as_str);
    let message = error.get("message").or(Some(error)).and_then(Value::as_str);
    let parts: Vec<&str> = code.into_iter().chain(message).collect();
    parts.join(": ")
}

fn truncate_message(text: &str) -> String {
    let clean: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(MESSAGE)
        .collect();
    clean.trim().to_owned()
}

/// The waiting time, from `retry-after-ms` or `retry-after`. A date there is ignored.
fn parse_retry_after(headers: &ureq::http::HeaderMap) -> Option<Duration> {
    let number = |name: &str| headers.get(name)?.to_str().ok()?.trim().parse::<f64>().ok();
    let seconds = match number("retry-after-ms") {
        Some(ms) => ms / 1000.0,
        None => number("retry-after")?,
    };
    Duration::try_from_secs_f64(seconds.min(LONGEST_RETRY)).ok()
}

/// The longest waiting time that is honoured, in seconds: a day. A service may ask for any number.
const LONGEST_RETRY: f64 = 86_400.0;

pub(crate) fn is_loopback(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    bare.eq_ignore_ascii_case("localhost")
        || bare.parse::<Ipv4Addr>().is_ok_and(|ip| ip.is_loopback())
        || bare.parse::<Ipv6Addr>().is_ok_and(|ip| ip.is_loopback())
}

/// Builds a client that follows no redirects, so that a key goes only to its own address.
pub(crate) fn build_agent(secure: bool, loopback: bool) -> ureq::Agent {
    let mut config = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .user_agent(concat!("knotwork/", env!("CARGO_PKG_VERSION")))
        .timeout_connect(Some(Duration::from_secs(10)));
    if loopback {
        config = config.proxy(None);
    }
    if secure {
        config = config.tls_config(tls_config());
    }
    config.build().new_agent()
}

/// The system's certificates, read once.
fn tls_config() -> TlsConfig {
    static ROOTS: OnceLock<Arc<Vec<Certificate<'static>>>> = OnceLock::new();
    let roots = ROOTS.get_or_init(|| {
        let found = rustls_native_certs::load_native_certs().certs;
        let owned = found.iter().map(|c| Certificate::from_der(c).to_owned());
        Arc::new(owned.collect())
    });
    TlsConfig::builder()
        .root_certs(RootCerts::Specific(roots.clone()))
        .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .build()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bearer(key: &Secret) -> (&'static str, String) {
        ("authorization", format!("Bearer {}", key.expose()))
    }

    fn endpoint(base: &str, key: &str) -> Result<Endpoint, String> {
        let key = Secret::new(key);
        let made = Endpoint::new("OpenAI", base, "/x", Some((&key, bearer)));
        made.map_err(|error| error.to_string())
    }

    #[test]
    fn keys_travel_over_tls_or_stay_on_the_machine() {
        for base in [
            "https://a.example/v1",
            "http://127.0.0.1:1",
            "http://[::1]:1",
            "http://localhost",
        ] {
            assert!(endpoint(base, "sk-1").is_ok(), "{base}");
        }
        for base in [
            "http://a.example/v1",
            "ftp://a",
            "a.example",
            "",
            "https://u:p@a.example",
        ] {
            let error = endpoint(base, "sk-secret-key").err().unwrap();
            assert!(
                error.starts_with("OpenAI: ") && !error.contains("secret-key"),
                "{error}"
            );
        }
        assert!(endpoint("https://a.example", "a\u{1}b").is_err());
        let bare = Endpoint::new("Ollama", "http://box.example:11434", "/x", None);
        assert!(bare.is_ok());
    }

    #[test]
    fn refusals_have_kinds_and_no_keys() {
        let endpoint = endpoint("https://a.example", "sk-abcdefgh12345678").unwrap();
        let body = br#"{"error":{"message":"Incorrect API key provided: sk-abcdefgh12345678.","code":"x"}}"#;
        let texts: Vec<String> = [400, 401, 404, 500, 302]
            .map(|status| endpoint.status_error(status, None, body))
            .iter()
            .map(|e| format!("{e} {e:?}"))
            .collect();
        assert!(texts.iter().all(|t| !t.contains("abcdefgh")), "{texts:?}");
        assert!(matches!(
            endpoint.status_error(403, None, b""),
            HttpError::Auth(_)
        ));
        assert!(matches!(
            endpoint.status_error(503, None, b"<html>"),
            HttpError::Network(_)
        ));
        let quota = br#"{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}"#;
        assert!(matches!(
            endpoint.status_error(429, None, quota),
            HttpError::Auth(_)
        ));
        let wait = Some(Duration::from_secs(3));
        assert_eq!(
            endpoint.status_error(429, wait, b"{}"),
            HttpError::RateLimited(wait)
        );
        assert_eq!(
            extract_error_message(br#"{"error":"model 'x' not found"}"#),
            "model 'x' not found"
        );
    }

    #[test]
    fn a_certificate_that_is_not_trusted_is_met_once() {
        let endpoint = endpoint("https://a.example", "sk-abcdefgh12345678").unwrap();
        let error = |kind, text: &str| {
            endpoint.to_http_error(ureq::Error::Io(std::io::Error::new(kind, text.to_owned())))
        };
        let certificate = "invalid peer certificate: UnknownIssuer";
        let refused = error(std::io::ErrorKind::InvalidData, certificate);
        assert!(!refused.is_retryable() && refused.to_string().contains(certificate));
        assert!(error(std::io::ErrorKind::ConnectionReset, "reset").is_retryable());
        assert_eq!(
            error(std::io::ErrorKind::TimedOut, "late"),
            HttpError::Timeout
        );
    }

    #[test]
    fn waits_are_read_in_seconds() {
        let mut headers = ureq::http::HeaderMap::new();
        assert_eq!(parse_retry_after(&headers), None);
        let set = |headers: &mut ureq::http::HeaderMap, name, value: &'static str| {
            headers.insert(name, ureq::http::HeaderValue::from_static(value));
            parse_retry_after(headers)
        };
        assert_eq!(
            set(&mut headers, "retry-after", "2"),
            Some(Duration::from_secs(2))
        );
        assert_eq!(set(&mut headers, "retry-after", "-1"), None);
        assert_eq!(
            set(&mut headers, "retry-after", "Wed, 21 Oct 2015 07:28:00 GMT"),
            None
        );
        let ms = set(&mut headers, "retry-after-ms", "250");
        assert_eq!(ms, Some(Duration::from_millis(250)));
    }
}
