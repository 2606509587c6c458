//! A quick test whether the code of a repository can have links within itself. It looks only at the names of marks.

use super::decorators::CLIENT_CLASSES;
use super::requests::may_send;
use super::routes::METHODS;
use base::MarkKind;
use std::sync::LazyLock;
use text::list::{self, WordList};

const NAMES: &str = include_str!("names.txt");

/// Functions that declare how others reach a program, in lower case, besides the methods of HTTP.
static ROUTES: WordList = LazyLock::new(|| list::words(list::section(NAMES, "routes")).collect());

/// Functions that send to topics, and those that receive.
static SENDING: WordList = LazyLock::new(|| list::words(list::section(NAMES, "sending")).collect());
static RECEIVING: WordList =
    LazyLock::new(|| list::words(list::section(NAMES, "receiving")).collect());

/// Signs of possible links in the marks of a repository. In doubt there are too many signs rather than too few.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LinkSigns {
    requests: bool,
    routes: bool,
    sending: bool,
    receiving: bool,
    clients: bool,
}

impl LinkSigns {
    /// Takes a mark into account.
    pub fn add(&mut self, kind: MarkKind, name: &str, detail: &str) {
        match kind {
            MarkKind::Decorator => self.add_decorator(name),
            MarkKind::RemoteCall => self.add_call(name, detail),
            _ => {}
        }
    }

    fn add_decorator(&mut self, name: &str) {
        let last = name.rsplit(['.', ':']).next().unwrap_or(name);
        let lower = last.to_ascii_lowercase();
        let is_method = METHODS.contains(&&*lower) || lower == "all";
        let ends = |words: &[&str]| words.iter().any(|end| lower.ends_with(end));
        self.routes |=
            is_method || ends(&["mapping", "route", "exchange"]) || lower.starts_with("http");
        // Client interfaces have the decorators of routes.
        self.requests |= CLIENT_CLASSES.contains(&last) || is_method && last == last.to_uppercase();
        self.receiving |= ends(&["listener", "pattern"]);
    }

    fn add_call(&mut self, name: &str, detail: &str) {
        let lower = name.trim_end_matches('!').to_ascii_lowercase();
        let is_method = METHODS.contains(&&*lower) || matches!(&*lower, "all" | "any");
        // A path, or a name that may have a path as its value.
        let has_path = detail.contains('/') || detail.contains("\"a\":[{\"n\"");
        self.requests |= has_path && (is_method || may_send(&lower));
        self.routes |= is_method || ROUTES.contains(&&*lower) || lower.starts_with("map");
        self.sending |= SENDING.contains(&&*lower) || lower.ends_with("writerconfig");
        self.receiving |= RECEIVING.contains(&&*lower) || lower.ends_with("readerconfig");
        let words = ["client", "stub", "service"];
        let speaks = |text: &str| words.iter().any(|word| text.contains(word));
        self.clients |= matches!(&*lower, "gql" | "graphql")
            || speaks(&lower)
            || speaks(&detail.to_ascii_lowercase());
    }

    /// Takes into account a file whose name may be a route.
    pub fn add_file(&mut self, path: &str) {
        self.routes |= super::files::is_route_file(path);
    }

    /// Whether code may call code without a contract: requests and routes, or topics on both sides.
    pub fn may_link_without_contract(self) -> bool {
        self.requests && self.routes || self.sending && self.receiving
    }

    /// Whether code may call operations of a contract.
    pub fn may_link_by_contract(self) -> bool {
        self.clients
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(marks: &[(MarkKind, &str, &str)]) -> (bool, bool) {
        let mut signs = LinkSigns::default();
        for (kind, name, detail) in marks {
            signs.add(*kind, name, detail);
        }
        (
            signs.may_link_without_contract(),
            signs.may_link_by_contract(),
        )
    }

    #[test]
    fn links_need_those_who_ask_and_those_who_answer() {
        let fetch = (MarkKind::RemoteCall, "fetch", r#"{"a":[{"t":"/x"}]}"#);
        let route = (MarkKind::Decorator, "app.get", r#""/x""#);
        let stub = (MarkKind::RemoteCall, "CartServiceStub", "{}");
        let made = (MarkKind::RemoteCall, "new", r#"{"to":"x","n":"new"}"#);
        let (send, receive) = (
            (MarkKind::RemoteCall, "publish", r#"{"a":[{"t":"orders"}]}"#),
            (MarkKind::Decorator, "KafkaListener", r#""orders""#),
        );
        assert_eq!(check(&[fetch]), (false, false));
        assert_eq!(check(&[route]), (false, false));
        assert_eq!(check(&[fetch, route]), (true, false));
        assert_eq!(check(&[stub]), (false, true));
        assert_eq!(check(&[made, (MarkKind::Unwrap, "", "")]), (false, false));
        assert_eq!(check(&[send]), (false, false));
        assert_eq!(check(&[send, receive]), (true, false));
    }
}
