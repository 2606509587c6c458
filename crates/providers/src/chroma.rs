//! The connection to a Chroma server: plain JSON requests. An answer is complete within its time limit,
//! or an error.

use crate::http::{self, HttpAddress};
use solution::HttpError;
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
    ) -> Result<(u16, String), HttpError> {
        let address = HttpAddress::parse("Chroma", url);
        let address = address.map_err(|error| HttpError::Address(error.to_string()))?;
        let away = |error: ureq::Error| HttpError::NoAnswer {
            server: address.authority.clone(),
            reason: error.to_string(),
        };
        let agent = http::build_agent(address.secure, address.loopback);
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
