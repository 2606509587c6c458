//! Access control of the viewer: a request needs the token in its address, and must come from the viewer's own page.

use super::ViewAddresses;
use crate::mcp::Http;
use crate::mcp::http::constant_time_equals;
use hyper::Request;
use hyper::http::{HeaderMap, HeaderName, StatusCode, header};
use std::sync::{Mutex, PoisonError};

/// The part of a path before an operation's name.
const API: &str = "api/";
/// The first part of the path that leads to the page once.
const OPEN: &str = "open";
/// The header in which a browser says where a request comes from.
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

const NEEDS_TOKEN: Refused = Refused {
    status: StatusCode::FORBIDDEN,
    why: "the address that `knotwork view` printed is needed\n",
};
const USED: Refused = Refused {
    status: StatusCode::FORBIDDEN,
    why: "this address was used before, and is no longer valid: use the one that `knotwork view` printed\n",
};
const FOREIGN: Refused = Refused {
    status: StatusCode::FORBIDDEN,
    why: "only the viewer's own page may ask\n",
};

/// The reason why a request is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Refused {
    pub(super) status: StatusCode,
    pub(super) why: &'static str,
}

/// The target of an admitted request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Entry {
    /// A file of the page.
    File(String),
    /// An answer to an operation.
    Operation(String),
    /// Another address.
    Redirect(String),
}

/// The tokens of a viewer.
pub(super) struct Access {
    /// The token in the address that is printed.
    printed: String,
    /// The code in the address that a browser is started with, and the token that it is exchanged for.
    code: String,
    exchanged: String,
    state: Mutex<CodeState>,
    hosts: [String; 2],
}

/// The state of the one-time code. A code that is used twice may have been read by somebody else, and it is unknown which of
/// the two was first (as in RFC 6749, section 4.1.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CodeState {
    New,
    Used,
    Revoked,
}

impl Access {
    pub(super) fn new(port: u16) -> Result<Access, std::io::Error> {
        Ok(Access {
            printed: Http::new_token()?,
            code: Http::new_token()?,
            exchanged: Http::new_token()?,
            state: Mutex::new(CodeState::New),
            hosts: [format!("127.0.0.1:{port}"), format!("localhost:{port}")],
        })
    }

    pub(super) fn addresses(&self, port: u16) -> ViewAddresses {
        ViewAddresses {
            page: format!("http://127.0.0.1:{port}/{}/", self.printed),
            once: format!("http://127.0.0.1:{port}/{OPEN}/{}", self.code),
        }
    }

    /// The target of a request, if its sender may ask.
    pub(super) fn enter<B>(&self, request: &Request<B>) -> Result<Entry, Refused> {
        self.check_sender(request.headers())?;
        let path = request.uri().path();
        let path = path.strip_prefix('/').unwrap_or(path);
        let (first, rest) = match path.split_once('/') {
            Some((first, rest)) => (first, Some(rest)),
            None => (path, None),
        };
        if first == OPEN {
            return self.exchange(rest.unwrap_or_default());
        }
        if !self.knows(first) {
            return Err(NEEDS_TOKEN);
        }
        Ok(match rest {
            // Paths of files are relative to the page.
            None => Entry::Redirect(format!("/{first}/")),
            Some("") => Entry::File("index.html".to_owned()),
            Some(rest) => match rest.strip_prefix(API) {
                Some(name) => Entry::Operation(name.to_owned()),
                None => Entry::File(rest.to_owned()),
            },
        })
    }

    /// Refuses requests from foreign pages. Such a page may send requests to this address, or have its own host name lead here.
    /// Browsers state both in headers.
    fn check_sender(&self, headers: &HeaderMap) -> Result<(), Refused> {
        let value = |name: HeaderName| headers.get(name).map(|value| value.as_bytes());
        let host = value(header::HOST).unwrap_or_default();
        let own = self.hosts.iter().find(|own| own.as_bytes() == host);
        let origin = value(header::ORIGIN);
        let is_own = |own: &String| {
            let page = format!("http://{own}");
            origin.is_none_or(|origin| origin == page.as_bytes())
        };
        let site = value(FETCH_SITE);
        let same_site = site.is_none_or(|site| [&b"same-origin"[..], b"none"].contains(&site));
        if own.is_some_and(is_own) && same_site {
            Ok(())
        } else {
            Err(FOREIGN)
        }
    }

    fn knows(&self, token: &str) -> bool {
        let same = |known: &str| constant_time_equals(token.as_bytes(), known.as_bytes());
        let is_exchanged = same(&self.exchanged) && self.state() == CodeState::Used;
        same(&self.printed) | is_exchanged
    }

    fn state(&self) -> CodeState {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives the page for a code, once.
    fn exchange(&self, code: &str) -> Result<Entry, Refused> {
        if !constant_time_equals(code.as_bytes(), self.code.as_bytes()) {
            return Err(NEEDS_TOKEN);
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if *state == CodeState::New {
            *state = CodeState::Used;
            return Ok(Entry::Redirect(format!("/{}/", self.exchanged)));
        }
        *state = CodeState::Revoked;
        Err(USED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(path: &str, headers: &[(&str, &str)]) -> Request<()> {
        let mut request = Request::builder().uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.body(()).unwrap()
    }

    const HOST: (&str, &str) = ("host", "127.0.0.1:80");

    fn enter(access: &Access, path: &str, headers: &[(&str, &str)]) -> Result<Entry, Refused> {
        access.enter(&request(path, headers))
    }

    #[test]
    fn without_the_token_nothing_is_answered() {
        let access = Access::new(80).unwrap();
        let page = access.addresses(80).page;
        let path = page.strip_prefix("http://127.0.0.1:80").unwrap();
        let file = |name: &str| Ok(Entry::File(name.to_owned()));
        assert_eq!(enter(&access, path, &[HOST]), file("index.html"));
        assert_eq!(
            enter(&access, &format!("{path}a.js"), &[HOST]),
            file("a.js")
        );
        assert_eq!(
            enter(&access, &format!("{path}api/search"), &[HOST]),
            Ok(Entry::Operation("search".to_owned()))
        );
        let bare = path.trim_end_matches('/');
        let whole = Ok(Entry::Redirect(path.to_owned()));
        assert_eq!(enter(&access, bare, &[HOST]), whole);
        let shorter = &path[..path.len() - 2];
        let unknown = format!("/{}/", access.exchanged);
        for path in ["/", "/index.html", "//", "/api/search", shorter, &unknown] {
            assert_eq!(enter(&access, path, &[HOST]), Err(NEEDS_TOKEN), "{path}");
        }
    }

    #[test]
    fn a_code_is_good_once_and_spoils_its_token_when_it_is_used_again() {
        let access = Access::new(80).unwrap();
        let once = access.addresses(80).once;
        let path = once.strip_prefix("http://127.0.0.1:80").unwrap();
        let Ok(Entry::Redirect(page)) = enter(&access, path, &[HOST]) else {
            panic!("not let in");
        };
        assert!(enter(&access, &page, &[HOST]).is_ok());
        assert_eq!(enter(&access, path, &[HOST]), Err(USED));
        assert_eq!(enter(&access, &page, &[HOST]), Err(NEEDS_TOKEN));
        assert_eq!(enter(&access, path, &[HOST]), Err(USED));
        let printed = format!("/{}/", access.printed);
        assert!(enter(&access, &printed, &[HOST]).is_ok());
        assert_eq!(enter(&access, "/open/x", &[HOST]), Err(NEEDS_TOKEN));
    }

    #[test]
    fn other_pages_and_names_are_refused() {
        let access = Access::new(80).unwrap();
        let path = format!("/{}/", access.printed);
        let own = [
            &[HOST][..],
            &[("host", "localhost:80")],
            &[HOST, ("origin", "http://127.0.0.1:80")],
            &[HOST, ("sec-fetch-site", "none")],
            &[HOST, ("sec-fetch-site", "same-origin")],
        ];
        for headers in own {
            assert!(enter(&access, &path, headers).is_ok(), "{headers:?}");
        }
        let foreign = [
            &[][..],
            &[("host", "evil.example:80")],
            &[("host", "127.0.0.1")],
            &[("host", "127.0.0.1:81")],
            &[HOST, ("origin", "http://evil.example")],
            &[HOST, ("origin", "http://localhost:80")],
            &[HOST, ("origin", "null")],
            &[HOST, ("sec-fetch-site", "cross-site")],
            &[HOST, ("sec-fetch-site", "same-site")],
        ];
        for headers in foreign {
            assert_eq!(enter(&access, &path, headers), Err(FOREIGN), "{headers:?}");
        }
    }
}
