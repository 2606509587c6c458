//! Routes that calls declare: `app.get("/x", handler)` and similar calls of all frameworks.

use super::endpoints::Endpoints;
use super::handlers::{Handlers, handler_of};
use super::repo::{Call, CodeRepo};
use super::routers::{Prefix, Routers, ValueKind};
use crate::path::join_paths;
use crate::{Protocol, Role};
use base::Language;
use base::remote::{CallTerm, Term};
use rustc_hash::FxHashSet;
use std::sync::LazyLock;
use text::list;

/// The methods of HTTP, in lower case.
pub(super) const METHODS: [&str; 7] = ["get", "post", "put", "delete", "patch", "head", "options"];

/// Number of endpoints after which no more routes are read. A route counts once for each method and each mount.
const MOST_ROUTES: usize = 50_000;
/// Number of lines after a route in which its methods may be named.
const METHODS_BEHIND: u32 = 6;

/// The actions of a Rails resource, with their methods and the rest of the path after the resource.
static ACTIONS: LazyLock<Vec<(&str, &str, &str)>> = LazyLock::new(|| {
    let rows = list::pairs(include_str!("rails_actions.tsv"));
    rows.map(|(action, rest)| {
        let (method, path) = rest.split_once('\t').unwrap_or((rest, ""));
        (action, method, path)
    })
    .collect()
});

/// A route as a call declares it, without the path that comes before it.
struct Declared<'t> {
    /// The method in upper case; empty for any.
    method: String,
    path: String,
    handlers: Vec<&'t Term>,
}

/// The input and output of finding routes.
struct Finder<'a, 'r, 'f> {
    routers: &'a Routers<'r, 'f>,
    handlers: &'a Handlers<'r, 'f>,
    found: &'a mut Endpoints<'r, 'f>,
}

/// Adds the routes of all calls.
pub(super) fn add_routes<'r, 'f>(
    routers: &Routers<'r, 'f>,
    handlers: &Handlers<'r, 'f>,
    found: &mut Endpoints<'r, 'f>,
) {
    let repo = found.repo;
    let mut finder = Finder {
        routers,
        handlers,
        found,
    };
    for calls in &repo.calls {
        // `r.HandleFunc("/x", h).Methods("GET")` consists of two calls. The outer one is read first, since it also names the
        // methods.
        let mut with_methods: FxHashSet<(String, u32)> = FxHashSet::default();
        for pass in [true, false] {
            for call in calls {
                if !repo.fuel.spend(1) {
                    return;
                }
                if (call.term().name.eq_ignore_ascii_case("methods")) == pass {
                    finder.find_one(call, &mut with_methods);
                }
            }
        }
    }
}

impl Finder<'_, '_, '_> {
    fn find_one(&mut self, call: &Call, with_methods: &mut FxHashSet<(String, u32)>) {
        let repo = self.found.repo;
        if self.found.all.len() >= MOST_ROUTES {
            repo.fuel.record_cut();
            return;
        }
        let language = repo.file(call.file).language.family();
        if language == Language::Ruby {
            self.find_rails(call);
            return;
        }
        let Some((route, declared)) = declared_routes(repo, self.routers, call) else {
            return;
        };
        let at = (call.file, call.line);
        let prefixes = self
            .routers
            .prefixes(at, call.symbol, route.receiver.as_ref());
        // Laravel's facades need no import.
        let by = match language {
            Language::Php if is_route_facade(call.term()) => "laravel",
            _ => repo.imports(call.file).framework.unwrap_or("route"),
        };
        let is_outer = call.term().name.eq_ignore_ascii_case("methods");
        for one in declared {
            if is_outer {
                with_methods.insert((one.path.clone(), call.line));
            } else if one.method.is_empty() && is_with_methods(with_methods, &one.path, call.line) {
                continue;
            }
            let place = handler_of(self.handlers, call, &one.handlers);
            for prefix in &prefixes {
                repo.fuel.spend_on_text(prefix.path.len() + one.path.len());
                let Some(protocol) = self.route(&one.method, prefix, &one.path) else {
                    continue;
                };
                if !self.found.add((Role::Provider, protocol), place, at, by) {
                    return;
                }
            }
        }
    }

    /// The route of a path after a prefix; `None` if it is too long.
    fn route(&self, method: &str, prefix: &Prefix, path: &str) -> Option<Protocol> {
        let protocol = route_protocol(method, &prefix.with(path));
        if protocol.is_none() {
            self.found.repo.fuel.record_cut();
        }
        protocol
    }
}

/// Whether a call a few lines below names the methods of a route.
fn is_with_methods(known: &FxHashSet<(String, u32)>, path: &str, line: u32) -> bool {
    let mut lines = line..line + METHODS_BEHIND;
    !known.is_empty() && lines.any(|line| known.contains(&(path.to_owned(), line)))
}

/// The route of a path; `None` if it is too long.
pub(super) fn route_protocol(method: &str, path: &Prefix) -> Option<Protocol> {
    let text = if path.path.is_empty() {
        "/"
    } else {
        &path.path
    };
    (!path.is_too_long).then(|| Protocol::Http {
        method: method.to_owned(),
        path: text.to_owned(),
        host: None,
        open_prefix: path.open,
        host_unknown: false,
    })
}

/// The routes that a call declares, each with the call on the router. `None` if it declares none.
fn declared_routes<'c>(
    repo: &CodeRepo<'_>,
    routers: &Routers<'_, '_>,
    call: &'c Call,
) -> Option<(&'c CallTerm, Vec<Declared<'c>>)> {
    let term = call.term();
    let language = repo.file(call.file).language.family();
    let lower = term.name.to_ascii_lowercase();
    // `r.HandleFunc("/x", h).Methods("GET", "POST")`
    if lower == "methods"
        && let Some(Term::Call(inner)) = &term.receiver
    {
        let path = repo.text_of(inner.positional(0)?)?;
        let methods = term.args.iter().filter_map(|a| method_name(repo, a));
        let handlers: Vec<&Term> = inner.args.iter().skip(1).collect();
        let all = methods.map(|method| Declared {
            method,
            path: path.clone(),
            handlers: handlers.clone(),
        });
        return Some((inner, all.collect()));
    }
    let first = || term.positional(0).and_then(|t| repo.text_of(t));
    let rest = || -> Vec<&Term> {
        let plain = term.args.iter().filter(|a| !matches!(a, Term::Keyword(..)));
        plain.skip(1).collect()
    };
    let one = |method: &str, path: String, handlers: Vec<&'c Term>| {
        vec![Declared {
            method: method.to_owned(),
            path,
            handlers,
        }]
    };
    match language {
        Language::Rust if lower == "route" => {
            let path = first()?;
            let mut all = Vec::new();
            axum_methods(term.positional(1)?, &path, &mut all);
            return (!all.is_empty()).then_some((term, all));
        }
        Language::Python => {
            let view = matches!(&*lower, "path" | "re_path" | "url");
            if view && term.receiver.is_none() && repo.imports(call.file).is_django {
                let handlers = rest();
                let is_include =
                    matches!(handlers.first(), Some(Term::Call(c)) if c.name == "include");
                if handlers.is_empty() || is_include {
                    return None;
                }
                let path = first()?.trim_start_matches('^').to_owned();
                return Some((term, one("", path, handlers)));
            }
            if matches!(&*lower, "add_api_route" | "add_url_rule" | "add_route") {
                let path = first()?;
                let methods = term.named("methods");
                let view = term.named("view_func").or(term.named("endpoint"));
                let mut handlers = rest();
                handlers.extend(view);
                return Some((term, with_methods(repo, methods, &path, handlers)));
            }
            return None;
        }
        _ => {}
    }
    let is_method = METHODS.contains(&&*lower) || matches!(&*lower, "all" | "any");
    if matches!(language, Language::JavaScript | Language::TypeScript)
        && lower == "route"
        && let Some(Term::Object(_)) = term.args.first()
    {
        // Fastify: `route({ method, url, handler })`.
        let path = repo.text_of(term.named("url").or(term.named("path"))?)?;
        let handlers: Vec<&Term> = term.named("handler").into_iter().collect();
        return Some((
            term,
            with_methods(repo, term.named("method"), &path, handlers),
        ));
    }
    // `app.route("/x").get(h).post(h2)`
    if is_method
        && let Some(route) = route_in_chain(term)
        && matches!(language, Language::JavaScript | Language::TypeScript)
    {
        let path = repo.text_of(route.positional(0)?)?;
        return Some((
            route,
            one(&method_of(&lower), path, term.args.iter().collect()),
        ));
    }
    let is_handle = matches!(
        &*lower,
        "handle" | "handlefunc" | "handler" | "method" | "methodfunc"
    );
    if language == Language::Go && is_handle {
        return go_handle(repo, call, &lower);
    }
    let mapped = lower.strip_prefix("map").filter(|m| METHODS.contains(m));
    if !(is_method || mapped.is_some() || lower == "match") {
        return None;
    }
    let path = first()?;
    let handlers = rest();
    if !declares_route(repo, routers, call, &handlers) {
        return None;
    }
    let method = method_of(mapped.unwrap_or(&lower));
    Some((term, one(&method, path, handlers)))
}

/// Whether a call with the name of a method declares a route instead of sending a request, by its receiver and a handler.
fn declares_route(
    repo: &CodeRepo<'_>,
    routers: &Routers<'_, '_>,
    call: &Call,
    handlers: &[&Term],
) -> bool {
    let language = repo.file(call.file).language.family();
    let has_handler = handlers.last().is_some_and(|last| match language {
        Language::Php => matches!(
            last,
            Term::Text(_) | Term::List(_) | Term::Function | Term::Name(_)
        ),
        _ => matches!(
            last,
            Term::Function | Term::Name(_) | Term::Call(_) | Term::Other
        ),
    });
    match &call.term().receiver {
        Some(Term::Name(name)) => match routers.made(call.file, name, call.line) {
            Some(ValueKind::Client) => false,
            Some(_) => !handlers.is_empty(),
            None => has_handler && is_router_name(name, language, handlers),
        },
        Some(Term::Call(inner)) => {
            let made = super::routers::made_by(repo.file(call.file).language, inner);
            has_handler
                && matches!(
                    made,
                    Some(ValueKind::App | ValueKind::Router | ValueKind::Group)
                )
                || language == Language::Php && has_handler && is_route_facade(inner)
        }
        _ => false,
    }
}

/// Whether a name that is bound to nothing known is the name of a router.
fn is_router_name(name: &str, language: Language, handlers: &[&Term]) -> bool {
    let last = name.rsplit('.').next().unwrap_or(name);
    let lower = last.to_ascii_lowercase();
    let usual = [
        "app", "router", "route", "routes", "fastify", "group", "api",
    ];
    let is_usual = usual.iter().any(|u| lower == *u)
        || lower.ends_with("router")
        || lower.ends_with("group")
        || lower.ends_with("routes")
        || lower.ends_with("app");
    match language {
        Language::Php => matches!(last, "Route" | "router" | "app" | "group"),
        // `api.get(url, config)` sends a request.
        Language::JavaScript | Language::TypeScript => {
            let has_function = handlers.iter().any(|h| matches!(h, Term::Function));
            is_usual && (lower != "api" || has_function) || lower == "server" && has_function
        }
        Language::Go => {
            is_usual
                || matches!(
                    last,
                    "r" | "e" | "g" | "mux" | "engine" | "server" | "v1" | "v2"
                )
        }
        _ => is_usual || lower == "server",
    }
}

/// Laravel: `Route::get(…)`, `Route::middleware(…)->get(…)`.
fn is_route_facade(call: &CallTerm) -> bool {
    let mut next = call;
    for _ in 0..8 {
        match &next.receiver {
            Some(Term::Name(name)) => return name == "Route",
            Some(Term::Call(inner)) => next = inner,
            _ => return false,
        }
    }
    false
}

/// `net/http`, gorilla, chi, httprouter: `HandleFunc("GET /x", h)`, `Handle("GET", "/x", h)`, `Method("GET", "/x", h)`.
fn go_handle<'c>(
    repo: &CodeRepo<'_>,
    call: &'c Call,
    lower: &str,
) -> Option<(&'c CallTerm, Vec<Declared<'c>>)> {
    let term = call.term();
    let first = term.positional(0)?;
    let verb = method_name(repo, first).filter(|_| lower != "handlefunc");
    let (method, text, skip) = match verb {
        Some(method) => (method, repo.text_of(term.positional(1)?)?, 2),
        None => {
            let text = repo.text_of(first)?;
            match text.split_once(' ') {
                Some((method, path)) if METHODS.contains(&&*method.to_ascii_lowercase()) => {
                    (method.to_owned(), path.trim().to_owned(), 1)
                }
                _ => (String::new(), text, 1),
            }
        }
    };
    // A host may come before the path.
    let path = match text.find('/') {
        Some(at) => text[at..].to_owned(),
        None => return None,
    };
    let handlers: Vec<&Term> = term.args.iter().skip(skip).collect();
    let is_mount = handlers.is_empty();
    (!is_mount).then(|| {
        let declared = Declared {
            method,
            path,
            handlers,
        };
        (term, vec![declared])
    })
}

/// `get(list).post(create)` of axum, `web::get().to(list)` of actix: a route for each method.
fn axum_methods<'c>(term: &'c Term, path: &str, all: &mut Vec<Declared<'c>>) {
    let mut next = term;
    let mut given: Vec<&Term> = Vec::new();
    for _ in 0..16 {
        let Term::Call(call) = next else { break };
        let lower = call.name.to_ascii_lowercase();
        let lower = lower.trim_end_matches("_service");
        if METHODS.contains(&lower) || lower == "any" {
            let mut handlers: Vec<&Term> = call.args.iter().collect();
            if handlers.is_empty() {
                handlers = std::mem::take(&mut given);
            }
            all.push(Declared {
                method: method_of(lower),
                path: path.to_owned(),
                handlers,
            });
        } else if lower == "to" {
            given = call.args.iter().collect();
        }
        match &call.receiver {
            Some(before @ Term::Call(_)) => next = before,
            _ => break,
        }
    }
}

fn route_in_chain(term: &CallTerm) -> Option<&CallTerm> {
    let mut next = term;
    for _ in 0..8 {
        let Some(Term::Call(inner)) = &next.receiver else {
            return None;
        };
        if inner.name == "route" && inner.args.len() == 1 {
            return Some(inner);
        }
        next = inner;
    }
    None
}

fn with_methods<'c>(
    repo: &CodeRepo<'_>,
    methods: Option<&Term>,
    path: &str,
    handlers: Vec<&'c Term>,
) -> Vec<Declared<'c>> {
    let listed: Vec<String> = match methods {
        Some(Term::List(items)) => items.iter().filter_map(|i| method_name(repo, i)).collect(),
        Some(term) => method_name(repo, term).into_iter().collect(),
        None => Vec::new(),
    };
    let listed = if listed.is_empty() {
        vec![String::new()]
    } else {
        listed
    };
    let all = listed.into_iter().map(|method| Declared {
        method,
        path: path.to_owned(),
        handlers: handlers.clone(),
    });
    all.collect()
}

/// The method that a term names: `"POST"`, `http.MethodPost`, `HttpMethod.POST`, `Method::POST`.
pub(super) fn method_name(repo: &CodeRepo<'_>, term: &Term) -> Option<String> {
    let text = match term {
        Term::Text(text) => repo.resolved(text),
        Term::Name(name) => {
            let last = name.rsplit('.').next().unwrap_or(name);
            last.strip_prefix("Method").unwrap_or(last).to_owned()
        }
        _ => return None,
    };
    let upper = text.to_ascii_uppercase();
    METHODS
        .contains(&&*upper.to_ascii_lowercase())
        .then_some(upper)
}

fn method_of(lower: &str) -> String {
    match lower {
        "all" | "any" | "match" => String::new(),
        verb => verb.to_ascii_uppercase(),
    }
}

impl Finder<'_, '_, '_> {
    /// Rails: `get "/x", to: "users#show"`, `resources :users`, `root "home#index"`.
    fn find_rails(&mut self, call: &Call) {
        let repo = self.found.repo;
        let file = repo.file(call.file);
        let term = call.term();
        let is_routes = file.path.contains("routes") || file.path.contains("config/");
        if term.receiver.is_some() || !is_routes {
            return;
        }
        let Some(first) = term.positional(0).and_then(|t| repo.text_of(t)) else {
            return;
        };
        let at = (call.file, call.line);
        let outer = self.routers.prefixes(at, call.symbol, None);
        let to = term.named("to").and_then(Term::text).map(str::to_owned);
        match &*term.name {
            "resources" | "resource" => {
                let is_one = term.name == "resource";
                let only = symbols_of(term.named("only"));
                let except = symbols_of(term.named("except"));
                for (action, method, end) in ACTIONS.iter().copied() {
                    let skipped = !only.is_empty() && !only.iter().any(|o| o == action)
                        || except.iter().any(|e| e == action)
                        || is_one && action == "index";
                    if skipped {
                        continue;
                    }
                    let end = if is_one {
                        end.replace("/:id", "")
                    } else {
                        end.to_owned()
                    };
                    // A call with a block has its own path for the calls in the block. This call comes before the block.
                    let path = join_paths(&first, &end);
                    self.add_rails(call, &outer, (method, &path), (&first, action));
                }
            }
            "root" => {
                let target = to.unwrap_or(first);
                if let Some(handler) = target.split_once('#') {
                    self.add_rails(call, &outer, ("GET", "/"), handler);
                }
            }
            verb if METHODS.contains(&verb) || verb == "match" => {
                let target = to.unwrap_or_else(|| first.replacen('/', "#", 1));
                let handler = target.split_once('#').unwrap_or(("", &target));
                self.add_rails(call, &outer, (&method_of(verb), &first), handler);
            }
            _ => {}
        }
    }

    fn add_rails(
        &mut self,
        call: &Call,
        outer: &[Prefix],
        (method, path): (&str, &str),
        (controller, action): (&str, &str),
    ) {
        let handler = self.handlers.resolve_controller(controller, action);
        let place = match handler {
            Some((at, symbol)) => (at, Some(symbol)),
            None => (call.file, call.symbol),
        };
        for prefix in outer {
            let fuel = self.found.repo.fuel;
            fuel.spend_on_text(prefix.path.len() + path.len());
            let Some(protocol) = self.route(method, prefix, path) else {
                continue;
            };
            let at = (call.file, call.line);
            if !self
                .found
                .add((Role::Provider, protocol), place, at, "rails")
            {
                return;
            }
        }
    }
}

fn symbols_of(term: Option<&Term>) -> Vec<String> {
    match term {
        Some(Term::List(items)) => {
            let texts = items.iter().filter_map(Term::text);
            texts.map(str::to_owned).collect()
        }
        Some(Term::Text(text)) => vec![text.clone()],
        _ => Vec::new(),
    }
}
