//! The connection to a Chroma server: plain JSON requests. An answer is complete within its time limit,
//! or an error.

use crate::http::{self, is_loopback};
use std::time::Duration;

/// Longest time to connect.
const CONNECT: Duration = Duration::from_secs(2);
/// The most bytes of an answer.
const LARGEST: u64 = 256 << 20;

/// Sends the requests of the solution memory.
#[derive(Debug, Clone, Copy, Default)]
pub struct ChromaHttp;

impl solution::Http for ChromaHttp {
    fn send_request(
        &self,
        method: &str,
        url: &str,
        body: Option<&str>,
        patience: Duration,
    ) -> Result<(u16, String), String> {
        let uri: ureq::http::Uri = url
            .parse()
            .map_err(|_| "Chroma: this is no address".to_owned())?;
        // The user name or password would be shown with each error.
        if uri.authority().is_some_and(|a| a.as_str().contains('@')) {
            return Err("Chroma: an address with a name or password in it is not used".to_owned());
        }
        let secure = match uri.scheme_str() {
            Some("https") => true,
            Some("http") => false,
            _ => return Err(format!("Chroma: not an HTTP address: {url}")),
        };
        let host = uri.host().unwrap_or_default().to_owned();
        let place = uri.authority().map(ToString::to_string).unwrap_or_default();
        let away = |error: ureq::Error| format!("Chroma at {place} does not answer: {error}");
        let agent = http::build_agent(secure, is_loopback(&host));
        let (connect, all) = (Some(CONNECT.min(patience)), Some(patience));
        let answered = match method {
            "GET" => {
                let request = agent.get(url).config();
                request
                    .timeout_connect(connect)
                    .timeout_global(all)
                    .build()
                    .call()
            }
            "DELETE" => {
                let request = agent.delete(url).config();
                request
                    .timeout_connect(connect)
                    .timeout_global(all)
                    .build()
                    .call()
            }
            _ => {
                let request = agent.post(url).content_type("application/json").config();
                let request = request.timeout_connect(connect).timeout_global(all).build();
                request.send(body.unwrap_or("{}"))
            }
        };
        let mut response = answered.map_err(away)?;
        let status = response.status().as_u16();
        let body = response
            .body_mut()
            .with_config()
            .limit(LARGEST)
            .read_to_string();
        Ok((status, body.map_err(away)?))
    }
}
