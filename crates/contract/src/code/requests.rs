//! Requests that code sends over HTTP, and GraphQL documents in code.

use super::endpoints::{Endpoints, LONGEST_TEXT};
use super::repo::{Call, CodeRepo};
use super::routers::{Routers, ValueKind};
use super::routes::{METHODS, method_name};
use crate::path::{Template, join_paths, strip_host};
use crate::read::read_graphql_document;
use crate::{Protocol, Role};
use base::Language;
use base::remote::{CallTerm, Term};
use rustc_hash::FxHashSet;
use std::sync::LazyLock;
use text::list::{self, WordList};

const NAMES: &str = include_str!("names.txt");

/// Functions that send a request to the address in their first argument.
static SENDERS: WordList = LazyLock::new(|| list::words(list::section(NAMES, "senders")).collect());

/// Names of modules and clients whose methods are those of HTTP.
static CLIENTS: WordList = LazyLock::new(|| list::words(list::section(NAMES, "clients")).collect());

/// Adds the requests of all calls.
pub(super) fn add_requests(routers: &Routers<'_, '_>, found: &mut Endpoints<'_, '_>) {
    let repo = found.repo;
    for call in repo.all_calls() {
        if let Some((method, address)) = request(repo, routers, call) {
            add_request(call, method, &address, found);
        }
        if matches!(&*call.term().name, "gql" | "graphql") {
            add_documents(call, found);
        }
    }
}

fn add_request(call: &Call, method: String, address: &str, found: &mut Endpoints<'_, '_>) {
    let fuel = found.repo.fuel;
    if address.len() > 2 * LONGEST_TEXT {
        fuel.record_cut();
        return;
    }
    fuel.spend_on_text(4 * address.len());
    let read = Template::parse(address);
    let is_root = matches!(path_of(address), "/");
    if read.literals() == 0 && !is_root || address.contains(char::is_whitespace) {
        return;
    }
    let (host, path) = strip_host(address);
    let name = &call.term().name;
    let receiver = call.term().receiver.as_ref().and_then(Term::name);
    let protocol = Protocol::Http {
        method,
        path: path.to_owned(),
        host,
        open_prefix: read.open_prefix || !address.starts_with('/') && !address.contains("://"),
        host_unknown: is_host_unknown(found.repo, call, address),
    };
    let by = match receiver {
        Some(receiver) => format!("{receiver}.{name}"),
        None => name.clone(),
    };
    let (place, at) = ((call.file, call.symbol), (call.file, call.line));
    found.add((Role::Consumer, protocol), place, at, &by);
}

/// The path of an address without host and query.
fn path_of(address: &str) -> &str {
    let (_, path) = strip_host(address);
    path.split(['?', '#']).next().unwrap_or(path)
}

/// The method and address of a request, with the base address in the call itself. `None` if a call sends no request.
fn request(
    repo: &CodeRepo<'_>,
    routers: &Routers<'_, '_>,
    call: &Call,
) -> Option<(String, String)> {
    let (method, address) = method_and_address(repo, routers, call)?;
    let bases = ["baseURL", "baseUrl", "base_url"];
    let base = bases.iter().find_map(|key| call.term().named(key));
    let base = base.and_then(|base| repo.text_in(call.file, base));
    let address = match base {
        Some(base) if !address.contains("://") => join_paths(&base, &address),
        _ => address,
    };
    Some((method, address))
}

fn method_and_address(
    repo: &CodeRepo<'_>,
    routers: &Routers<'_, '_>,
    call: &Call,
) -> Option<(String, String)> {
    let term = call.term();
    let lower = term.name.trim_end_matches('!').to_ascii_lowercase();
    let language = repo.file(call.file).language.family();
    let receiver = term.receiver.as_ref();
    let receiver_name = receiver.and_then(Term::name);
    let first = || {
        let address = term.positional(0).or_else(|| term.named("url"))?;
        address_of(repo, call.file, address)
    };
    // `axios({ url, method })`, `client.request({ … })`, `$http({ … })`
    if let Some(Term::Object(_)) = term.args.first()
        && (SENDERS.contains(&&*lower) || is_wrapper(&lower) || matches!(&*lower, "$http" | "http"))
    {
        let url = term
            .named("url")
            .or(term.named("path"))
            .or(term.named("uri"))?;
        let method = term.named("method").or_else(|| term.named("type"));
        let method = method.and_then(|m| method_name(repo, m));
        let address = address_of(repo, call.file, url)?;
        return Some((
            method.unwrap_or_else(|| "GET".to_owned()),
            on_named_host(repo, call, address),
        ));
    }
    // Generated clients: `client.post({ url: "/x", … })`.
    if METHODS.contains(&&*lower)
        && let Some(url) = term.args.first().and_then(|arg| arg.get("url"))
    {
        return Some((
            lower.to_ascii_uppercase(),
            address_of(repo, call.file, url)?,
        ));
    }
    if matches!(&*lower, "newrequest" | "newrequestwithcontext") {
        let at = usize::from(lower == "newrequestwithcontext");
        let method = term.positional(at).and_then(|m| method_name(repo, m));
        let address = term
            .positional(at + 1)
            .and_then(|t| address_of(repo, call.file, t))?;
        return Some((method.unwrap_or_default(), address));
    }
    if matches!(
        &*lower,
        "request" | "stream" | "open" | "exchange" | "json" | "retrieve"
    ) && let Some(found) = request_by_method(repo, routers, call, &lower)
    {
        return Some(found);
    }
    let is_own = receiver.is_none()
        || matches!(
            receiver_name,
            Some("window" | "globalThis" | "self" | "this")
        );
    if (SENDERS.contains(&&*lower) || is_wrapper(&lower)) && is_own || lower == "urlopen" {
        let method = term.named("method").and_then(|m| method_name(repo, m));
        let is_said = term.named("method").is_some() || is_wrapper(&lower);
        let default = if is_said { "" } else { "GET" }.to_owned();
        return Some((method.unwrap_or(default), first()?));
    }
    // Later calls use the address of a curl handle or a stream.
    if matches!(&*lower, "curl_init" | "file_get_contents") {
        return Some((String::new(), first()?));
    }
    // Apache's client: `new HttpPost(url)`.
    if let Some(verb) = lower.strip_prefix("http").filter(|v| METHODS.contains(v))
        && language == Language::Java
        && receiver.is_none()
    {
        return Some((verb.to_ascii_uppercase(), first()?));
    }
    if let Some(verb) = spring_verb(&lower) {
        return Some((verb.to_owned(), first()?));
    }
    if matches!(&*lower, "uri" | "url") && builds_request(receiver) && language != Language::Python
    {
        let address = on_chain(repo, routers, call, first()?);
        return Some((method_before(term), address));
    }
    let verb = match &*lower {
        "postform" => "post",
        verb if language == Language::CSharp => dotnet_verb(verb),
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
        match join_paths(&base, &address) {
            root if root.is_empty() => "/".to_owned(),
            path => path,
        }
    };
    Some((verb.to_ascii_uppercase(), address))
}

/// The address on the host that the call names beside the path: `https.request({ hostname, path })`.
fn on_named_host(repo: &CodeRepo<'_>, call: &Call, address: String) -> String {
    let term = call.term();
    let host = term.named("hostname").or_else(|| term.named("host"));
    match host {
        Some(host) if address.starts_with('/') => {
            // A host that is a variable cannot be read from its name.
            let host = repo.text_in(call.file, host);
            format!("https://{}{address}", host.as_deref().unwrap_or("{}"))
        }
        _ => address,
    }
}

/// The address that a chain of calls gives a client on which it is built: `WebClient.create(base).get().uri("/x")`.
fn on_chain(
    repo: &CodeRepo<'_>,
    routers: &Routers<'_, '_>,
    call: &Call,
    address: String,
) -> String {
    if !address.starts_with('/') {
        return address;
    }
    let mut receiver = call.term().receiver.as_ref();
    for _ in 0..8 {
        let base = match receiver {
            Some(Term::Call(inner)) if is_web_client(inner) => inner
                .positional(0)
                .and_then(|base| repo.text_in(call.file, base)),
            Some(Term::Call(inner)) => {
                receiver = inner.receiver.as_ref();
                continue;
            }
            Some(Term::Name(name))
                if routers.made(call.file, name, call.line) == Some(ValueKind::Client) =>
            {
                routers.client_base(call.file, name, call.line)
            }
            _ => None,
        };
        return match base {
            Some(base) if !base.is_empty() => join_paths(&base, &address),
            _ => address,
        };
    }
    address
}

/// Whether a call makes a client with a base address: `WebClient.create(base)`, `RestClient.create(base)`.
fn is_web_client(call: &CallTerm) -> bool {
    let receiver = call.receiver.as_ref().and_then(Term::name).unwrap_or("");
    call.name == "create" && matches!(receiver, "WebClient" | "RestClient")
}

/// Whether the code does not show which host a request asks. A page in a browser asks its own host if it names none, and a test
/// asks the program under test.
fn is_host_unknown(repo: &CodeRepo<'_>, call: &Call, address: &str) -> bool {
    let file = repo.file(call.file);
    let is_page = matches!(
        file.language.family(),
        Language::JavaScript | Language::TypeScript
    );
    match strip_host(address) {
        _ if file.test => false,
        (Some(host), _) => host.split(['.', ':']).all(|label| label.starts_with('{')),
        (None, _) => address.starts_with('{') || !is_page,
    }
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
        let text = address_of(repo, call.file, t)?;
        text.contains('/').then_some(text)
    })?;
    match method {
        Some(method) => Some((method, address)),
        // `open` and similar names have other meanings too.
        None if lower == "request" => {
            let language = repo.file(call.file).language.family();
            client_base(repo, routers, call, language)?;
            Some((String::new(), address))
        }
        None => None,
    }
}

/// Functions that may send a request. Their names have other meanings too.
static OTHER_SENDERS: WordList =
    LazyLock::new(|| list::words(list::section(NAMES, "other senders")).collect());

/// Whether a function of that name, in lower case, may send a request.
pub(super) fn may_send(lower: &str) -> bool {
    let verb = dotnet_verb(lower);
    METHODS.contains(&verb)
        || METHODS.contains(&lower.strip_prefix("http").unwrap_or(lower))
        || SENDERS.contains(&lower)
        || OTHER_SENDERS.contains(&lower)
        || is_wrapper(lower)
        || spring_verb(lower).is_some()
}

/// Whether a function has a usual name of a wrapper of requests: `apiFetch`, `authenticatedRequest`.
fn is_wrapper(lower: &str) -> bool {
    let makes = ["new", "create", "build", "make", "parse", "handle", "on"];
    let ends = ["fetch", "request"].iter().any(|end| lower.ends_with(end));
    let is_sender = SENDERS.contains(&lower) || lower == "request";
    (ends || lower.starts_with("fetch"))
        && !is_sender
        && !makes.iter().any(|m| lower.starts_with(m))
}

/// Whether the receiver of `url(…)` or `uri(…)` builds a request: a chain of calls, or a builder by its name.
fn builds_request(receiver: Option<&Term>) -> bool {
    match receiver {
        Some(Term::Call(_)) => true,
        Some(Term::Name(name)) => {
            let last = name.rsplit('.').next().unwrap_or(name).to_ascii_lowercase();
            let ends = ["builder", "client", "request", "req", "spec"];
            ends.iter().any(|end| last.ends_with(end))
        }
        _ => false,
    }
}

/// The HTTP method in `GetAsync`, `GetStringAsync`, `PostAsJsonAsync`.
fn dotnet_verb(lower: &str) -> &str {
    let name = lower.strip_suffix("async").unwrap_or(lower);
    let ends = ["asjson", "fromjson", "string", "stream", "bytearray"];
    ends.iter()
        .find_map(|end| name.strip_suffix(end))
        .unwrap_or(name)
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

/// The HTTP method in a chain of calls before `uri(…)`: `client.get().uri("/x")`, `client.method(HttpMethod.PUT).uri("/x")`.
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

/// The path that a client puts before every path. `None` if the call is not made on a client.
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
                Some(ValueKind::Client) => {
                    return routers.client_base(call.file, name, call.line);
                }
                Some(_) => return None,
                None => {}
            }
            let last = name.rsplit('.').next().unwrap_or(name).to_ascii_lowercase();
            let is_client = CLIENTS.contains(&&*last)
                || [
                    "client",
                    "http",
                    "api",
                    "axios",
                    "request",
                    "requestbuilders",
                    "fetch",
                ]
                .iter()
                .any(|end| last.ends_with(end));
            let is_server = matches!(language, Language::JavaScript | Language::TypeScript)
                && has_handler
                && !matches!(&*last, "http" | "https" | "$http");
            let default = match &*last {
                "axios" | "requests" | "httpx" | "http" | "https" => "",
                _ => "{}",
            };
            // An argument that is a single text is complete. A client may have a base address.
            (is_client && !is_server).then(|| {
                if starts_at_root(repo, call) {
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
            let is_client = made == Some(ValueKind::Client)
                || lower.contains("client")
                || lower.contains("http")
                // Tests: `request(app).get("/x")`, `given().when().get("/x")`.
                || matches!(&*lower, "agent" | "request" | "supertest" | "given" | "when");
            is_client.then(String::new)
        }
        // Tests with MockMvc: `perform(get("/x"))`.
        None => {
            let is_java = matches!(language, Language::Java | Language::Kotlin);
            (is_java && !has_handler && repo.file(call.file).test).then(String::new)
        }
        _ => None,
    }
}

/// Whether the first argument is a path from the root.
fn starts_at_root(repo: &CodeRepo<'_>, call: &Call) -> bool {
    let first = call.term().positional(0);
    let first = first.and_then(|t| address_of(repo, call.file, t));
    first.is_some_and(|text| text.starts_with('/'))
}

/// Functions that make one address from another: `new URL("/x", base)`, `URI.create("…")`, `new Request("/x")`.
const ADDRESS_MAKERS: [&str; 8] = [
    "url",
    "uri",
    "create",
    "request",
    "parse",
    "quote",
    "encodeuri",
    "new",
];

/// The address that a term gives.
fn address_of(repo: &CodeRepo<'_>, file: usize, term: &Term) -> Option<String> {
    let (mut inner, mut base) = (term, None);
    while let Term::Call(call) = inner
        && ADDRESS_MAKERS.contains(&&*call.name.to_ascii_lowercase())
    {
        if call.name.eq_ignore_ascii_case("url") {
            base = base.or_else(|| call.args.get(1));
        }
        inner = call.args.first()?;
    }
    let address = address_within(repo, file, inner)?;
    Some(match base.and_then(|base| repo.text_in(file, base)) {
        Some(base) => from_base(&base, &address),
        None => address,
    })
}

fn address_within(repo: &CodeRepo<'_>, file: usize, term: &Term) -> Option<String> {
    match term {
        Term::Call(call) => {
            let first = call.args.first()?;
            // A function of the program that makes an address from a path: `endpointFor("api/users")`.
            let path = first
                .text()
                .filter(|t| t.contains('/') && !t.contains("://"))?;
            let path = repo.resolved_in(file, path);
            let is_path = !path.starts_with('.') && !path.contains(char::is_whitespace);
            is_path.then(|| format!("{{{}}}/{}", call.name, path.trim_start_matches('/')))
        }
        term => {
            let text = repo.text_in(file, term)?;
            let path = text.split(['?', '#']).next().unwrap_or(&text);
            (path.contains('/') || !path.is_empty() && !path.contains('{')).then_some(text)
        }
    }
}

/// Resolves an address against a base. A path from the root replaces the path of the base.
fn from_base(base: &str, address: &str) -> String {
    if address.contains("://") {
        return address.to_owned();
    }
    let (host, path) = strip_host(base);
    if host.is_some() && address.starts_with('/') {
        return format!("{}{address}", &base[..base.len() - path.len()]);
    }
    join_paths(base, address)
}

/// Adds the fields that a GraphQL document requests.
fn add_documents(call: &Call, found: &mut Endpoints<'_, '_>) {
    let Some(text) = call.term().args.first().and_then(Term::text) else {
        return;
    };
    let fuel = found.repo.fuel;
    // Parsing takes about as many steps as bytes.
    if !fuel.spend(text.len()) {
        return;
    }
    for one in read_graphql_document(text, call.line, &|| fuel.is_cancelled()) {
        let mut known = FxHashSet::default();
        for field in one.fields.iter().filter(|field| known.insert(*field)) {
            let protocol = Protocol::GraphQl {
                root: one.root.clone(),
                field: field.clone(),
            };
            let (place, at) = ((call.file, call.symbol), (call.file, one.line));
            let by = &call.term().name;
            if !found.add((Role::Consumer, protocol), place, at, by) {
                return;
            }
        }
    }
}
