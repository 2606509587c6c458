//! Remote procedures in code: implementations of services, and calls on their clients.

use super::endpoints::Endpoints;
use super::handlers::Handlers;
use super::repo::{Call, CodeRepo};
use crate::link::names::plain;
use crate::{Contract, ContractType, Protocol, Role};
use base::Language;
use base::remote::{CallTerm, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// Names of procedures and root fields in the contracts of all repositories.
struct Names {
    /// Names of procedures, in lower case and without underscores.
    procedures: FxHashSet<String>,
    services: FxHashSet<String>,
    /// Fields of GraphQL root types.
    fields: FxHashSet<String>,
}

impl Names {
    fn new(contracts: &[&Contract]) -> Names {
        let mut names = Names {
            procedures: FxHashSet::default(),
            services: FxHashSet::default(),
            fields: FxHashSet::default(),
        };
        for contract in contracts {
            for op in &contract.operations {
                match contract.contract_type {
                    ContractType::Proto => {
                        names.procedures.insert(plain(&op.name));
                        names.services.extend(op.service.as_deref().map(plain));
                    }
                    ContractType::GraphQl => {
                        names.fields.insert(op.name.clone());
                    }
                    _ => {}
                }
            }
        }
        names
    }
}

/// Adds implementations and calls of the procedures of the contracts.
pub(super) fn add_procedures(
    handlers: &Handlers<'_, '_>,
    contracts: &[&Contract],
    found: &mut Endpoints<'_, '_>,
) {
    let repo = found.repo;
    let names = Names::new(contracts);
    if names.procedures.is_empty() && names.fields.is_empty() {
        return;
    }
    find_implementations(&names, &callers_by_texts(repo, &names), found);
    let methods = methods_of_classes(repo, &names);
    for call in repo.all_calls() {
        if found.all.len() < MOST_ENDPOINTS {
            find_registration(handlers, (&names, &methods), call, found);
        } else {
            repo.fuel.record_cut();
        }
        find_call(&names, call, found);
    }
}

/// Number of endpoints after which no more registrations are read. Each registration adds an endpoint for every method of its
/// class.
const MOST_ENDPOINTS: usize = 50_000;

/// Methods that have the name of a procedure, by file and class.
type Methods<'f> = FxHashMap<(usize, &'f str), Vec<usize>>;

fn methods_of_classes<'f>(repo: &CodeRepo<'f>, names: &Names) -> Methods<'f> {
    let mut methods = Methods::default();
    for (file, of) in repo.files.iter().enumerate() {
        for (at, symbol) in of.symbols.iter().enumerate() {
            if let Some((class, _)) = symbol.name.rsplit_once('.')
                && names.procedures.contains(&plain(symbol.last_name()))
            {
                methods.entry((file, class)).or_default().push(at);
            }
        }
    }
    methods
}

/// Adds methods that have the name of a procedure, if their class names the service or they use the types of the procedure.
/// Also adds GraphQL resolvers.
fn find_implementations(
    names: &Names,
    callers: &FxHashSet<(usize, usize)>,
    found: &mut Endpoints<'_, '_>,
) {
    let repo = found.repo;
    for (file, of) in repo.files.iter().enumerate() {
        if of.generated {
            continue;
        }
        let mut services: FxHashMap<usize, Option<String>> = FxHashMap::default();
        for (at, symbol) in of.symbols.iter().enumerate() {
            if !repo.fuel.spend(1) {
                return;
            }
            if !symbol.is_callable() || callers.contains(&(file, at)) {
                continue;
            }
            let method = symbol.last_name();
            let mut add = |protocol, by: &str| {
                let (place, line) = ((file, Some(at)), (file, symbol.line));
                found.add((Role::Provider, protocol), place, line, by);
            };
            if names.procedures.contains(&plain(method)) {
                let class = repo.class_of(file, at);
                let kind = class.map(|class| of.symbols[class].kind.as_str());
                if matches!(kind, Some("interface")) {
                    continue;
                }
                let service = class.and_then(|class| {
                    let found = services.entry(class);
                    let of_class =
                        found.or_insert_with(|| service_of_class(repo, file, class, names));
                    of_class.clone()
                });
                let certain = service.is_some();
                let protocol = Protocol::Rpc {
                    service,
                    method: method.to_owned(),
                    certain,
                    by_texts: false,
                };
                add(protocol, if certain { "service class" } else { "types" });
            }
            if let Some((root, field)) = resolver(repo, file, at)
                && names.fields.contains(&field)
            {
                add(Protocol::GraphQl { root, field }, "resolver");
            }
        }
    }
}

/// The functions that call a procedure by texts, as file and symbol. Such a function often has the name and the types of the
/// procedure, and does not implement it.
fn callers_by_texts(repo: &CodeRepo<'_>, names: &Names) -> FxHashSet<(usize, usize)> {
    let by_texts = |call: &&Call| procedure_of_texts(names, call.term()).is_some();
    let callers = repo.all_calls().filter(by_texts);
    callers
        .filter_map(|call| Some((call.file, call.symbol?)))
        .collect()
}

/// The service that a class implements, by generated names of base classes.
fn service_of_class(
    repo: &CodeRepo<'_>,
    file: usize,
    class: usize,
    names: &Names,
) -> Option<String> {
    let symbol = &repo.file(file).symbols[class];
    let signature = symbol.signature.as_deref()?;
    let own = symbol.last_name();
    // In C++ the base has the name of the service itself: `class Cart final : public shop::Cart::Service`.
    let (own, signature) = match (repo.file(file).language, signature.split_once(own)) {
        (Language::Cpp, Some((_, bases))) => ("", bases),
        _ => (own, signature),
    };
    let words = signature.split(|c: char| !c.is_alphanumeric() && c != '_');
    let mut services = words.filter(|word| *word != own).filter_map(|word| {
        let ends = [
            "Servicer",
            "CoroutineImplBase",
            "ImplBase",
            "Base",
            "Controller",
            "Server",
            "Handler",
        ];
        let stem = ends.iter().find_map(|end| word.strip_suffix(end));
        let stem = stem.or_else(|| word.strip_prefix("Unimplemented")?.strip_suffix("Server"));
        let stem = stem.unwrap_or(word);
        names
            .services
            .contains(&plain(stem))
            .then(|| stem.to_owned())
    });
    services.next()
}

/// The root type and the field that a function resolves: gqlgen's `queryResolver.Users`, graphene's `resolve_users`.
fn resolver(repo: &CodeRepo<'_>, file: usize, symbol: usize) -> Option<(String, String)> {
    let name = &repo.file(file).symbols[symbol].name;
    let (class, method) = name.rsplit_once('.')?;
    let class = class.rsplit('.').next().unwrap_or(class);
    let lower = class.to_ascii_lowercase();
    let roots = ["Query", "Mutation", "Subscription"];
    let root = roots
        .iter()
        .find(|root| lower.starts_with(&root.to_ascii_lowercase()))?;
    let first_lower = |text: &str| {
        let mut chars = text.chars();
        let first = chars.next().map(|c| c.to_ascii_lowercase());
        first.into_iter().chain(chars).collect::<String>()
    };
    let field = match method.strip_prefix("resolve_") {
        Some(field) => camel(field),
        None => first_lower(method),
    };
    let is_resolver = lower.contains("resolver")
        || method.starts_with("resolve_")
        || lower == root.to_ascii_lowercase();
    is_resolver.then(|| ((*root).to_owned(), field))
}

fn camel(snake: &str) -> String {
    let mut out = String::new();
    for (at, word) in snake.split('_').enumerate() {
        let mut chars = word.chars();
        match chars.next() {
            Some(first) if at > 0 => out.extend(first.to_uppercase().chain(chars)),
            Some(first) => out.extend(std::iter::once(first).chain(chars)),
            None => {}
        }
    }
    out
}

/// `server.addService(proto.S.service, { method: handler })`, `router.service(S, { … })`,
/// `add_SServicer_to_server(Impl(), server)`.
fn find_registration(
    handlers: &Handlers<'_, '_>,
    (names, methods): (&Names, &Methods<'_>),
    call: &Call,
    found: &mut Endpoints<'_, '_>,
) {
    let repo = found.repo;
    let term = call.term();
    let lower = term.name.to_ascii_lowercase();
    if matches!(&*lower, "addservice" | "service")
        && let Some(service) = term.args.first().and_then(service_of_name)
        && names.services.contains(&plain(&service))
    {
        for arg in term.args.iter().skip(1) {
            let Term::Object(pairs) = arg else { continue };
            for (key, value) in pairs {
                if !names.procedures.contains(&plain(key)) {
                    continue;
                }
                let place = match handlers.resolve(call.file, value) {
                    Some((file, symbol)) => (file, Some(symbol)),
                    None => (call.file, call.symbol),
                };
                let protocol = Protocol::Rpc {
                    service: Some(service.clone()),
                    method: key.clone(),
                    certain: true,
                    by_texts: false,
                };
                let at = (call.file, call.line);
                found.add((Role::Provider, protocol), place, at, &term.name);
            }
        }
    }
    if let Some(service) = term
        .name
        .strip_prefix("add_")
        .and_then(|n| n.strip_suffix("Servicer_to_server"))
    {
        let class = match term.args.first() {
            Some(Term::Call(inner)) => inner.name.clone(),
            Some(Term::Name(name)) => match repo.bound_call(call.file, name, call.line) {
                Some(made) => made.term().name.clone(),
                None => return,
            },
            _ => return,
        };
        let of = repo.file(call.file);
        let methods = methods.get(&(call.file, class.as_str()));
        for at in methods.into_iter().flatten().copied() {
            let symbol = &of.symbols[at];
            let protocol = Protocol::Rpc {
                service: Some(service.to_owned()),
                method: symbol.last_name().to_owned(),
                certain: true,
                by_texts: false,
            };
            let (place, line) = ((call.file, Some(at)), (call.file, symbol.line));
            if !found.add((Role::Provider, protocol), place, line, &term.name) {
                return;
            }
        }
    }
}

/// The service that `proto.CartService.service` or `CartService` names.
fn service_of_name(term: &Term) -> Option<String> {
    let name = term.name()?;
    let name = name.strip_suffix(".service").unwrap_or(name);
    let last = name.rsplit('.').next().unwrap_or(name);
    Some(
        last.strip_suffix("Service")
            .map_or(last, |_| last)
            .to_owned(),
    )
}

/// A call on a client of a service.
fn find_call(names: &Names, call: &Call, found: &mut Endpoints<'_, '_>) {
    let repo = found.repo;
    let term = call.term();
    if let Some(protocol) = procedure_of_texts(names, term) {
        let (place, at) = ((call.file, call.symbol), (call.file, call.line));
        found.add((Role::Consumer, protocol), place, at, &term.name);
        return;
    }
    // In C# each procedure has a second method, whose name ends in `Async`.
    let name = term.name.strip_suffix("Async").unwrap_or(&term.name);
    let name = [&*term.name, name]
        .into_iter()
        .find(|n| names.procedures.contains(&plain(n)));
    let Some(method) = name else {
        return;
    };
    let Some(receiver) = &term.receiver else {
        return;
    };
    let (service, certain) = match receiver {
        Term::Call(inner) => match service_of_maker(repo, names, inner) {
            Some(service) => (service, true),
            None => return,
        },
        Term::Name(name) => match service_of_client(repo, names, call, name) {
            Some(service) => (service, true),
            // An object of the repository that has the method itself: what it calls may be remote.
            None if is_own_object(repo, call, name, method) => return,
            None => (name.clone(), false),
        },
        _ => return,
    };
    let protocol = Protocol::Rpc {
        service: Some(service),
        method: method.to_owned(),
        certain,
        by_texts: false,
    };
    let by = match receiver {
        Term::Name(name) => name,
        Term::Call(inner) => &inner.name,
        _ => "",
    };
    let (place, at) = ((call.file, call.symbol), (call.file, call.line));
    found.add((Role::Consumer, protocol), place, at, by);
}

/// The procedure that a call names by texts, with its service: `rpc.call('UserService', 'GetUser', …)`.
fn procedure_of_texts(names: &Names, term: &CallTerm) -> Option<Protocol> {
    let text = |at| term.positional(at).and_then(Term::text);
    let (service, method) = (text(0)?, text(1)?);
    let service = service.rsplit('.').next().unwrap_or(service);
    let are_known =
        names.services.contains(&plain(service)) && names.procedures.contains(&plain(method));
    are_known.then(|| Protocol::Rpc {
        service: Some(service.to_owned()),
        method: method.to_owned(),
        certain: false,
        by_texts: true,
    })
}

/// Whether a name is imported from a file of the repository that defines the called method.
fn is_own_object(repo: &CodeRepo<'_>, call: &Call, name: &str, method: &str) -> bool {
    let imported = repo.imported(call.file, name);
    imported.is_some_and(|(file, _)| {
        !repo.file(file).generated && repo.handler_named(file, method).is_some()
    })
}

/// The service of the client to which a name is bound, in this file or in the file from which the name is imported.
fn service_of_client(
    repo: &CodeRepo<'_>,
    names: &Names,
    call: &Call,
    name: &str,
) -> Option<String> {
    if let Some(made) = repo.bound_call(call.file, name, call.line) {
        return service_of_maker(repo, names, made.term());
    }
    let (file, rest) = repo.imported(call.file, name)?;
    let made = repo.bound_call(file, &rest, u32::MAX)?;
    service_of_maker(repo, names, made.term())
}

/// The service whose client a call makes: `NewCartServiceClient(c)`, `CartServiceStub(c)`, `createClient(CartService, t)`,
/// `CartServiceGrpc.newBlockingStub(c)`, `new CartServiceClient(a)`, `new proto.CartService(a)`.
fn service_of_maker(repo: &CodeRepo<'_>, names: &Names, call: &CallTerm) -> Option<String> {
    let is_service = |name: &str| names.services.contains(&plain(name));
    let name = call.name.as_str();
    if matches!(
        name,
        "createClient" | "createPromiseClient" | "create_client" | "getService"
    ) {
        let named = call.args.iter().find_map(|arg| match arg {
            Term::Text(text) => Some(text.clone()),
            term => service_of_name(term),
        });
        return named.filter(|n| is_service(n));
    }
    let receiver = call.receiver.as_ref().and_then(Term::name).unwrap_or("");
    let class = receiver.rsplit('.').next().unwrap_or(receiver);
    // The class or package names the service: Java `XGrpc.newBlockingStub`, Rust `XClient::connect`.
    let of_class = ["GrpcKt", "Grpc", "Client"]
        .iter()
        .find_map(|end| class.strip_suffix(end));
    let makes = matches!(
        name,
        "newBlockingStub" | "newStub" | "newFutureStub" | "connect" | "new" | "with_interceptor"
    );
    if makes && let Some(service) = of_class.filter(|s| is_service(s)) {
        return Some(service.to_owned());
    }
    let stem = name.strip_prefix("New").unwrap_or(name);
    let ends = [
        "CoroutineStub",
        "BlockingStub",
        "PromiseClient",
        "Client",
        "Stub",
    ];
    if let Some(service) = ends.iter().find_map(|end| stem.strip_suffix(end))
        && is_service(service)
    {
        return Some(service.to_owned());
    }
    // A class with the service's own name is its client only if no class of the repository has that name.
    let is_own_class = || {
        let all = repo.everywhere(name).iter();
        repo.fuel.spend(all.len());
        let mut own = all.filter(|(file, at)| {
            let of = repo.file(*file);
            !of.generated && of.symbols[*at].is_type()
        });
        own.next().is_some()
    };
    (is_service(name) && !is_own_class()).then(|| name.to_owned())
}
