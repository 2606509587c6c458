//! Names of callees that may concern other programs, in lower case and sorted.

use base::list::{self, WordList};
use std::sync::LazyLock;

/// Lists of names.
pub(super) const NAMES: &str = include_str!("names.txt");

/// Methods of HTTP and functions that send requests or register handlers: they count with a path or an address.
static WITH_PATH: WordList =
    LazyLock::new(|| list::words(list::section(NAMES, "with path")).collect());

/// Functions that combine routers: they count with any arguments.
static JOINING: WordList = LazyLock::new(|| list::words(list::section(NAMES, "joining")).collect());

/// Functions that make routers and clients: they count if their result is assigned to a name.
static MAKING: WordList = LazyLock::new(|| list::words(list::section(NAMES, "making")).collect());

/// Functions of message brokers: they count with a topic.
static TOPICS: WordList = LazyLock::new(|| list::words(list::section(NAMES, "topics")).collect());

/// Functions that declare routes without a path: Rails.
static RESOURCES: WordList =
    LazyLock::new(|| list::words(list::section(NAMES, "resources")).collect());

/// Functions that call a procedure by name: they count with the names of a service and a procedure.
static DISPATCH: WordList =
    LazyLock::new(|| list::words(list::section(NAMES, "dispatch")).collect());

/// Methods that state the HTTP methods of the route before them: they count after a call.
const AFTER: &[&str] = &["methods"];

/// Tags of GraphQL documents.
const GRAPHQL: &[&str] = &["gql", "graphql"];

/// Every name that a call is compared with as a whole, in lower case.
pub(super) fn all_listed() -> impl Iterator<Item = &'static str> {
    let lists: [&[&'static str]; 7] = [
        &WITH_PATH, &JOINING, &MAKING, &TOPICS, &RESOURCES, &REQUESTS, &DISPATCH,
    ];
    let makers = STUB_MAKERS.iter();
    let lists = lists.into_iter().flatten();
    lists.chain(AFTER).chain(GRAPHQL).chain(makers).copied()
}

/// The classes of a call, by the last name of its callee.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NameClasses {
    pub(super) with_path: bool,
    pub(super) joining: bool,
    pub(super) making: bool,
    pub(super) topic: bool,
    pub(super) resources: bool,
    pub(super) dispatch: bool,
    pub(super) after: bool,
    pub(super) graphql: bool,
    pub(super) stub: bool,
}

impl NameClasses {
    pub(super) fn new(name: &str) -> NameClasses {
        let lower = name.trim_end_matches('!').to_ascii_lowercase();
        let has = |list: &[&str]| list.binary_search(&&*lower).is_ok();
        NameClasses {
            with_path: has(&WITH_PATH) || is_request(&lower),
            joining: has(&JOINING),
            making: has(&MAKING),
            topic: has(&TOPICS),
            resources: has(&RESOURCES),
            dispatch: has(&DISPATCH),
            after: has(AFTER),
            graphql: has(GRAPHQL),
            stub: is_stub_maker(name, &lower),
        }
    }

    pub(super) fn any(self) -> bool {
        self.with_path
            || self.joining
            || self.making
            || self.topic
            || self.resources
            || self.dispatch
            || self.after
            || self.graphql
            || self.stub
    }
}

/// Functions that send a request to the address in their argument.
static REQUESTS: WordList =
    LazyLock::new(|| list::words(list::section(NAMES, "requests")).collect());

/// Whether a function of that name may send a request to the address in its argument: functions of libraries, and
/// wrappers that programs write, by their names.
fn is_request(lower: &str) -> bool {
    let lower = lower.strip_suffix("async").unwrap_or(lower);
    lower.ends_with("request")
        || lower.ends_with("fetch")
        || lower.starts_with("fetch")
        || REQUESTS.contains(&lower)
}

/// Functions of libraries that make clients or register services.
const STUB_MAKERS: &[&str] = &[
    "addservice",
    "add_service",
    "createclient",
    "createpromiseclient",
    "newstub",
];

/// Whether a function of that name makes a client of a service, or registers the service itself, by the names that code
/// generators use.
fn is_stub_maker(name: &str, lower: &str) -> bool {
    let ends = ["client", "stub", "blockingstub", "futurestub", "asyncstub"];
    ends.iter().any(|end| lower.ends_with(end)) && name.len() > "client".len()
        || name.starts_with("Register") && (name.ends_with("Server") || name.contains("Handler"))
        || lower.ends_with("servicer_to_server")
        || STUB_MAKERS.contains(&lower)
        || name.starts_with("New") && name.ends_with("ServiceHandler")
        || name.ends_with("Server") && name != "Server" && name.starts_with("New")
        || name.ends_with("Service") && name != "Service" && name.starts_with(char::is_uppercase)
}

/// Whether a name is typical for a client of a service.
pub(super) fn is_client_name(name: &str) -> bool {
    let last = name.rsplit('.').next().unwrap_or(name);
    let lower = last.to_ascii_lowercase();
    lower.contains("client") || lower.contains("stub") || lower.ends_with("service")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted() {
        for list in [
            &WITH_PATH, &JOINING, &MAKING, &TOPICS, &RESOURCES, &DISPATCH,
        ] {
            assert!(!list.is_empty() && list.is_sorted());
        }
        assert!(GRAPHQL.is_sorted());
    }

    #[test]
    fn makers_of_clients_are_known_by_the_names_that_generators_give() {
        for name in [
            "NewCartServiceClient",
            "CartServiceStub",
            "newBlockingStub",
            "createClient",
            "RegisterCartServiceServer",
            "add_CartServiceServicer_to_server",
            "addService",
            "NewMemoServiceHandler",
        ] {
            assert!(NameClasses::new(name).stub, "{name}");
        }
        for name in ["client", "Server", "render", "newHandler"] {
            assert!(!NameClasses::new(name).stub, "{name}");
        }
    }

    #[test]
    fn names_count_by_what_may_stand_with_them() {
        let of = NameClasses::new;
        assert!(of("GET").with_path && of("sendRequest").with_path && of("fetchAsync").with_path);
        assert!(of("include_router").joining && of("FastAPI").making && of("gql").graphql);
        assert!(of("basic_publish").topic && of("resources").resources && of("methods").after);
        assert!(!of("render").any());
        // The lists are kept apart.
        assert!(!of("GET").topic && !of("gql").with_path);
    }

    #[test]
    fn clients_are_known_by_the_last_name() {
        for name in ["self.cartStub", "client", "order.PaymentService"] {
            assert!(is_client_name(name), "{name}");
        }
        for name in ["client.users", "serviceName", ""] {
            assert!(!is_client_name(name), "{name}");
        }
    }
}
