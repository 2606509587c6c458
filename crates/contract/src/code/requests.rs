//! Requests that code sends over HTTP, and GraphQL documents that it holds.

use super::repo::{Call, CodeRepo};
use super::routers::{Made, Routers};
use super::routes::{METHODS, method_name};
use crate::path::{Template, join_paths, strip_host};
use crate::read::read_graphql_document;
use crate::{Endpoint, Protocol, Role};
use base::Language;
use base::remote::{CallTerm, Term};

/// Functions that send a request to the address that they are given first.
const SENDERS: [&str; 12] = [
    "fetch",
    "$fetch",
    "ofetch",
    "ky",
    "got",
    "axios",
    "usefetch",
    "useswr",
    "urlopen",
    "request",
    "ajax",
    "urlretrieve",
];

/// Names of modules and clients whose methods are those of HTTP.
const CLIENTS: [&str; 24] = [
    "axios",
    "http",
    "https",
    "requests",
    "httpx",
    "client",
    "ky",
    "got",
    "superagent",
    "request",
    "session",
    "$http",
    "reqwest",
    "resttemplate",
    "webclient",
    "api",
    "rest",
    "faraday",
    "httparty",
    "conn",
    "agent",
    "fetcher",
    "httpclient",
    "aiohttp",
];

/// Adds the requests of all calls.
pub(super) fn find(repo: &CodeRepo<'_>, routers: &Routers<'_, '_>, found: &mut Vec<Endpoint>) {
    for call in repo.all_calls() {
        if let Some((method, address)) = request(repo, routers, call) {
            add(repo, call, method, &address, found);
        }
        if matches!(&*call.term().name, "gql" | "graphql") {
            add_documents(repo, call, found);
        }
    }
}

fn add(repo: &CodeRepo<'_>, call: &Call, method: String, address: &str, found: &mut Vec<Endpoint>) {
    let read = Template::parse(address);
    let is_root = matches!(path_of(address), "/");
    if read.literals() == 0 && !is_root || address.contains(char::is_whitespace) {
        return;
    }
    let (host, path) = strip_host(address);
    let file = repo.file(call.file);
    let name = &call.term().name;
    let receiver = call.term().receiver.as_ref().and_then(Term::name);
    found.push(Endpoint {
        role: Role::Consumer,
        protocol: Protocol::Http {
            method,
            path: path.to_owned(),
            host,
            open_prefix: read.open_prefix || !address.starts_with('/') && !address.contains("://"),
        },
        place: repo.place(call.file, call.symbol),
        line: call.line,
        file_path: file.path.clone(),
        by: match receiver {
            Some(receiver) => format!("{receiver}.{name}"),
            None => name.clone(),
        },
    });
}

/// The path of an address without host and query.
fn path_of(address: &str) -> &str {
    let (_, path) = strip_host(address);
    path.split(['?', '#']).next().unwrap_or(path)
}

/// The method and the address of a request; none where a call sends none.
fn request(
    repo: &CodeRepo<'_>,
    routers: &Routers<'_, '_>,
    call: &Call,
) -> Option<(String, String)> {
    let term = call.term();
    let lower = term.name.trim_end_matches('!').to_ascii_lowercase();
    let language = repo.file(call.file).language.family();
    let receiver = term.receiver.as_ref();
    let receiver_name = receiver.and_then(Term::name);
    let first = || term.positional(0).and_then(|t| address_of(repo, t));
    // `axios({ url, method })`, `client.request({ … })`
    if let Some(Term::Object(_)) = term.args.first()
        && (SENDERS.contains(&&*lower) || lower == "request")
    {
        let url = term
            .named("url")
            .or(term.named("path"))
            .or(term.named("uri"))?;
        let method = term.named("method").and_then(|m| method_name(repo, m));
        return Some((
            method.unwrap_or_else(|| "GET".to_owned()),
            address_of(repo, url)?,
        ));
    }
    // Generated clients: `client.post({ url: "/x", … })`.
    if METHODS.contains(&&*lower)
        && let Some(url) = term.args.first().and_then(|arg| arg.get("url"))
    {
        return Some((lower.to_ascii_uppercase(), address_of(repo, url)?));
    }
    if matches!(&*lower, "newrequest" | "newrequestwithcontext") {
        let at = usize::from(lower == "newrequestwithcontext");
        let method = term.positional(at).and_then(|m| method_name(repo, m));
        let address = term.positional(at + 1).and_then(|t| address_of(repo, t))?;
        return Some((method.unwrap_or_default(), address));
    }
    if matches!(
        &*lower,
        "request" | "stream" | "open" | "exchange" | "json" | "retrieve"
    ) {
        return request_by_method(repo, routers, call, &lower);
    }
    if SENDERS.contains(&&*lower)
        && (receiver.is_none()
            || matches!(
                receiver_name,
                Some("window" | "globalThis" | "self" | "this")
            ))
        || lower == "urlopen"
    {
        let method = term.named("method").and_then(|m| method_name(repo, m));
        let has_options = term.named("method").is_some();
        let default = if has_options {
            String::new()
        } else {
            "GET".to_owned()
        };
        return Some((method.unwrap_or(default), first()?));
    }
    if let Some(verb) = spring_verb(&lower) {
        return Some((verb.to_owned(), first()?));
    }
    if matches!(&*lower, "uri" | "url") && receiver.is_some() && language != Language::Python {
        return Some((method_before(term), first()?));
    }
    let verb = match &*lower {
        "postform" => "post",
        verb => verb,
    };
    if !METHODS.contains(&verb) {
        return None;
    }
    let address = first()?;
    let base = client_base(repo, routers, call, language)?;
    let address = if address.contains("://") || address.starts_with('{') {
        address
    } else if base.is_empty() && !address.starts_with('/') {
        format!("{{}}/{address}")
    } else {
        join_paths(&base, &address)
    };
    Some((verb.to_ascii_uppercase(), address))
}

/// `requests.request("GET", url)`, `client.request(Method::GET, url)`, `xhr.open("GET", url)`,
/// `restTemplate.exchange(url, HttpMethod.GET, …)`.
fn request_by_method(
    repo: &CodeRepo<'_>,
    routers: &Routers<'_, '_>,
    call: &Call,
    lower: &str,
) -> Option<(String, String)> {
    let term = call.term();
    let mut terms = term.args.iter().take(3);
    let method = term.args.iter().take(3).find_map(|t| {
        let is_path = t.text().is_some_and(|text| text.contains('/'));
        if is_path { None } else { method_name(repo, t) }
    });
    let address = terms.find_map(|t| {
        let text = address_of(repo, t)?;
        text.contains('/').then_some(text)
    })?;
    match method {
        Some(method) => Some((method, address)),
        // `open` and the like mean much else.
        None if lower == "request" => {
            let language = repo.file(call.file).language.family();
            client_base(repo, routers, call, language)?;
            Some((String::new(), address))
        }
        None => None,
    }
}

fn spring_verb(lower: &str) -> Option<&'static str> {
    match lower {
        "getforobject" | "getforentity" => Some("GET"),
        "postforobject" | "postforentity" => Some("POST"),
        "patchforobject" => Some("PATCH"),
        "deleteforobject" => Some("DELETE"),
        _ => None,
    }
}

/// The method in a chain of calls before `uri(…)`: `client.get().uri("/x")`, `client.method(HttpMethod.PUT).uri("/x")`.
fn method_before(term: &CallTerm) -> String {
    let mut next = term;
    for _ in 0..8 {
        let Some(Term::Call(inner)) = &next.receiver else {
            return String::new();
        };
        let lower = inner.name.to_ascii_lowercase();
        if METHODS.contains(&&*lower) {
            return lower.to_ascii_uppercase();
        }
        if lower == "method"
            && let Some(Term::Name(name)) = inner.args.first()
        {
            return name
                .rsplit('.')
                .next()
                .unwrap_or_default()
                .to_ascii_uppercase();
        }
        next = inner;
    }
    String::new()
}

/// What a client sends before every path; none where a call is not made on a client.
fn client_base(
    repo: &CodeRepo<'_>,
    routers: &Routers<'_, '_>,
    call: &Call,
    language: Language,
) -> Option<String> {
    let term = call.term();
    let has_handler = term
        .args
        .iter()
        .skip(1)
        .any(|arg| matches!(arg, Term::Function));
    match &term.receiver {
        Some(Term::Name(name)) => {
            match routers.made(call.file, name, call.line) {
                Some(Made::Client) => {
                    return routers.client_base(call.file, name, call.line);
                }
                Some(_) => return None,
                None => {}
            }
            let last = name.rsplit('.').next().unwrap_or(name).to_ascii_lowercase();
            let is_client = CLIENTS.contains(&&*last)
                || ["client", "http", "api", "axios", "request", "fetch"]
                    .iter()
                    .any(|end| last.ends_with(end));
            let is_server = matches!(language, Language::JavaScript | Language::TypeScript)
                && has_handler
                && !matches!(&*last, "http" | "https" | "$http");
            let default = match &*last {
                "axios" | "requests" | "httpx" | "http" | "https" => "",
                _ => "{}",
            };
            // A text alone is whole; a client may have a base of its own.
            (is_client && !is_server).then(|| {
                if starts_at_root(repo, term) {
                    String::new()
                } else {
                    default.to_owned()
                }
            })
        }
        // `reqwest::Client::new().get(url)`, `http.Client().get(…)`.
        Some(Term::Call(inner)) => {
            let made = super::routers::made_by(repo.file(call.file).language, inner);
            let lower = inner.name.to_ascii_lowercase();
            let is_client = made == Some(Made::Client)
                || lower.contains("client")
                || lower.contains("http")
                || lower == "agent";
            is_client.then(String::new)
        }
        _ => None,
    }
}

/// Whether the first argument is a path from the root on.
fn starts_at_root(repo: &CodeRepo<'_>, term: &CallTerm) -> bool {
    let first = term.positional(0).and_then(|t| address_of(repo, t));
    first.is_some_and(|text| text.starts_with('/'))
}

/// The address that a term stands for.
fn address_of(repo: &CodeRepo<'_>, term: &Term) -> Option<String> {
    match term {
        Term::Call(call) => {
            // `new URL("/x", base)`, `URI.create("…")`, `new Request("/x")`.
            let names = [
                "url",
                "uri",
                "create",
                "request",
                "parse",
                "quote",
                "encodeuri",
                "new",
            ];
            let lower = call.name.to_ascii_lowercase();
            let first = call.args.first().filter(|_| names.contains(&&*lower))?;
            address_of(repo, first)
        }
        term => {
            let text = repo.text_of(term)?;
            let path = text.split(['?', '#']).next().unwrap_or(&text);
            (path.contains('/') || !path.is_empty() && !path.contains('{')).then_some(text)
        }
    }
}

/// The fields that a GraphQL document asks for.
fn add_documents(repo: &CodeRepo<'_>, call: &Call, found: &mut Vec<Endpoint>) {
    let Some(text) = call.term().args.first().and_then(Term::text) else {
        return;
    };
    for one in read_graphql_document(text, call.line) {
        for field in &one.fields {
            found.push(Endpoint {
                role: Role::Consumer,
                protocol: Protocol::GraphQl {
                    root: one.root.clone(),
                    field: field.clone(),
                },
                place: repo.place(call.file, call.symbol),
                line: one.line,
                file_path: repo.file(call.file).path.clone(),
                by: call.term().name.clone(),
            });
        }
    }
}
