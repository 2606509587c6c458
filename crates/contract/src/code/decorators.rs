//! Routes and the like that decorators, annotations and attributes declare.

use super::repo::{CodeMark, CodeRepo};
use super::routers::{Prefix, Routers};
use super::routes::{METHODS, route_protocol};
use crate::path::join_paths;
use crate::{Endpoint, Protocol, Role};
use base::remote::Term;
use base::{Language, MarkKind};

/// Annotations of classes whose methods send requests instead of answering them.
pub(super) const CLIENT_CLASSES: [&str; 4] = [
    "FeignClient",
    "HttpExchange",
    "RegisterRestClient",
    "RetrofitService",
];

/// Adds what decorators declare.
pub(super) fn find(repo: &CodeRepo<'_>, routers: &Routers<'_, '_>, found: &mut Vec<Endpoint>) {
    for (file, of) in repo.files.iter().enumerate() {
        let decorators = of.marks.iter().filter(|m| m.kind == MarkKind::Decorator);
        for mark in decorators {
            let Some(symbol) = mark.symbol else { continue };
            if of.symbols[symbol].is_type() {
                continue;
            }
            find_route(repo, routers, (file, symbol), mark, found);
            find_message(repo, (file, symbol), mark, found);
        }
    }
}

fn find_route(
    repo: &CodeRepo<'_>,
    routers: &Routers<'_, '_>,
    (file, symbol): (usize, usize),
    mark: &CodeMark,
    found: &mut Vec<Endpoint>,
) {
    let language = repo.file(file).language.family();
    let Some((methods, paths)) = declared(language, mark) else {
        return;
    };
    let by;
    let mut role = Role::Provider;
    let mut host = None;
    let prefixes = match language {
        Language::Python => {
            by = python_framework(repo, file);
            let receiver = mark.name.rsplit_once('.').map(|(receiver, _)| receiver);
            let Some(receiver) = receiver else { return };
            let term = Term::Name(receiver.to_owned());
            routers.prefixes((file, mark.line), None, Some(&term))
        }
        Language::Rust => {
            by = "actix";
            let name = &repo.file(file).symbols[symbol].name;
            let term = Term::Name(name.clone());
            let own = routers.prefixes((file, mark.line), None, Some(&term));
            own.into_iter()
                .map(|prefix| Prefix {
                    open: false,
                    ..prefix
                })
                .collect()
        }
        _ => {
            let class = class_decorators(repo, file, symbol);
            if !has_class_route(repo, (file, symbol), &class, mark) {
                return;
            }
            if class.iter().any(|c| CLIENT_CLASSES.contains(&&*c.name))
                || is_interface(repo, file, symbol) && !is_spring(&mark.name)
            {
                role = Role::Consumer;
            }
            by = match language {
                Language::Java | Language::Kotlin if mark.name.ends_with("Mapping") => "spring",
                Language::Java | Language::Kotlin => "jax-rs",
                Language::CSharp => "asp.net",
                _ => "nestjs",
            };
            if role == Role::Consumer {
                host = named_service(&class);
            }
            vec![class_prefix(&class)]
        }
    };
    let each = |path| methods.iter().map(move |method| (path, method));
    for prefix in prefixes {
        for (path, method) in paths.iter().flat_map(each) {
            let mut protocol = route_protocol(method, &prefix.with(path));
            if let Protocol::Http { host: of, .. } = &mut protocol {
                of.clone_from(&host);
            }
            found.push(Endpoint {
                role,
                protocol,
                place: repo.place(file, Some(symbol)),
                line: mark.line,
                file_path: repo.file(file).path.clone(),
                by: by.to_owned(),
            });
        }
    }
}

/// The methods and the paths that a decorator says.
fn declared(language: Language, mark: &CodeMark) -> Option<(Vec<String>, Vec<String>)> {
    let last = mark.name.rsplit(['.', ':']).next().unwrap_or(&mark.name);
    let lower = last.to_ascii_lowercase();
    let (mut paths, methods) = arguments(&mark.detail);
    // Spring and NestJS take several.
    if matches!(language, Language::Python | Language::Rust) {
        paths.truncate(1);
    }
    let or_none = |paths: Vec<String>| {
        if paths.is_empty() {
            vec![String::new()]
        } else {
            paths
        }
    };
    let verb = match language {
        Language::Java | Language::Kotlin | Language::CSharp => {
            let verb = lower
                .strip_suffix("mapping")
                .or(lower.strip_suffix("exchange"));
            let verb = verb.or(lower.strip_prefix("http"));
            verb.unwrap_or(&lower).to_owned()
        }
        _ => lower,
    };
    match &*verb {
        verb if METHODS.contains(&verb) => {
            let is_bare = matches!(language, Language::Java | Language::Kotlin);
            // NestJS and Spring: the class says the path.
            let may_be_bare = language != Language::Python && (is_bare || mark.detail.is_empty());
            if paths.is_empty() && !may_be_bare {
                return None;
            }
            Some((vec![verb.to_ascii_uppercase()], or_none(paths)))
        }
        "route" | "api_route" if language == Language::Python => {
            let methods = if methods.is_empty() {
                vec![
                    if mark.name.ends_with("api_route") {
                        ""
                    } else {
                        "GET"
                    }
                    .to_owned(),
                ]
            } else {
                methods
            };
            (!paths.is_empty()).then_some((methods, paths))
        }
        "request" if mark.name.ends_with("RequestMapping") => {
            let methods = if methods.is_empty() {
                vec![String::new()]
            } else {
                methods
            };
            Some((methods, or_none(paths)))
        }
        "all" if !matches!(language, Language::Java | Language::Rust) => {
            Some((vec![String::new()], or_none(paths)))
        }
        _ => None,
    }
}

/// The texts of a decorator's arguments that are paths, and those that are methods.
fn arguments(detail: &str) -> (Vec<String>, Vec<String>) {
    let (mut paths, mut methods) = (Vec::new(), Vec::new());
    let (mut key, mut word, mut depth) = (String::new(), String::new(), 0u32);
    // A method may be a name: `method = {RequestMethod.GET, RequestMethod.POST}`.
    let method = |key: &str, word: &str| {
        let is_method = METHODS.contains(&&*word.to_ascii_lowercase());
        (key == "method" && is_method).then(|| word.to_ascii_uppercase())
    };
    let mut chars = detail.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' | '\'' | '`' => {
                let text: String = chars.by_ref().take_while(|next| *next != c).collect();
                let is_method = METHODS.contains(&&*text.to_ascii_lowercase());
                match &*key {
                    "method" | "methods" if is_method => methods.push(text.to_ascii_uppercase()),
                    "" | "value" | "path" | "rule" | "url" => paths.push(text),
                    _ => {}
                }
            }
            '[' | '(' | '{' => depth += 1,
            ']' | ')' | '}' => depth = depth.saturating_sub(1),
            ',' => {
                methods.extend(method(&key, &word));
                word.clear();
                if depth == 0 {
                    key.clear();
                }
            }
            '.' => word.clear(),
            '=' if depth == 0 => key = std::mem::take(&mut word),
            c if c.is_alphanumeric() || c == '_' => word.push(c),
            _ => {}
        }
    }
    methods.extend(method(&key, &word));
    (paths, methods)
}

/// The decorators of the class around a definition.
fn class_decorators<'f>(repo: &CodeRepo<'f>, file: usize, symbol: usize) -> Vec<&'f CodeMark> {
    let Some(class) = repo.class_of(file, symbol) else {
        return Vec::new();
    };
    let marks = repo.file(file).marks.iter();
    let of_class = marks.filter(|m| m.kind == MarkKind::Decorator && m.symbol == Some(class));
    of_class.collect()
}

fn is_interface(repo: &CodeRepo<'_>, file: usize, symbol: usize) -> bool {
    let class = repo.class_of(file, symbol);
    class.is_some_and(|class| repo.file(file).symbols[class].kind == "interface")
}

fn is_spring(name: &str) -> bool {
    name.ends_with("Mapping")
}

/// Whether a class says that it has routes; or the decorator can be nothing else.
fn has_class_route(
    repo: &CodeRepo<'_>,
    (file, symbol): (usize, usize),
    class: &[&CodeMark],
    mark: &CodeMark,
) -> bool {
    let known = [
        "Controller",
        "RestController",
        "RequestMapping",
        "Path",
        "ApiController",
        "Route",
        "JsonController",
    ];
    let says = class.iter().any(|c| {
        let last = c.name.rsplit('.').next().unwrap_or(&c.name);
        known.contains(&last) || CLIENT_CLASSES.contains(&last)
    });
    says || is_spring(&mark.name) || is_interface(repo, file, symbol)
}

/// The service that a class of requests asks: `@FeignClient(name = "account-service")`.
fn named_service(class: &[&CodeMark]) -> Option<String> {
    let client = class.iter().find(|c| {
        let last = c.name.rsplit('.').next().unwrap_or(&c.name);
        CLIENT_CLASSES.contains(&last)
    })?;
    let mut words = quoted(&client.detail).into_iter();
    let name = words.find(|w| !w.is_empty() && !w.contains(['/', '$', ' ']))?;
    Some(name.to_ascii_lowercase())
}

/// The path that the decorators of a class say.
fn class_prefix(class: &[&CodeMark]) -> Prefix {
    let known = [
        "Controller",
        "RequestMapping",
        "Path",
        "Route",
        "JsonController",
        "HttpExchange",
    ];
    let says = class.iter().find(|c| {
        let last = c.name.rsplit('.').next().unwrap_or(&c.name);
        known.contains(&last)
    });
    let path = says.and_then(|c| arguments(&c.detail).0.into_iter().next());
    Prefix {
        path: path.map_or(String::new(), |p| join_paths("", &p)),
        open: false,
    }
}

fn python_framework(repo: &CodeRepo<'_>, file: usize) -> &'static str {
    let imports = repo.file(file).imports.iter();
    let mut known = imports.filter_map(|i| {
        let names = ["fastapi", "flask", "sanic", "starlette"];
        names.into_iter().find(|name| i.specifier.starts_with(name))
    });
    known.next().unwrap_or("decorator")
}

/// NestJS: `@GrpcMethod("Service", "Method")`, `@MessagePattern("x")`, `@Query()`; Spring: `@KafkaListener(topics = "x")`.
fn find_message(
    repo: &CodeRepo<'_>,
    (file, symbol): (usize, usize),
    mark: &CodeMark,
    found: &mut Vec<Endpoint>,
) {
    let texts: Vec<String> = quoted(&mark.detail);
    let own = repo.file(file).symbols[symbol].last_name();
    let topic = |system: &str, name: &str| Protocol::Topic {
        system: system.to_owned(),
        name: name.to_owned(),
    };
    let is_resolver = || {
        let class = class_decorators(repo, file, symbol);
        class
            .iter()
            .any(|c| c.name.ends_with("Resolver") || c.name.ends_with("strawberry.type"))
    };
    let protocols: Vec<Protocol> = match &*mark.name {
        "GrpcMethod" | "GrpcStreamMethod" => vec![Protocol::Rpc {
            service: texts.first().cloned(),
            method: texts.get(1).cloned().unwrap_or_else(|| own.to_owned()),
            certain: !texts.is_empty(),
        }],
        "MessagePattern" | "EventPattern" => texts.iter().map(|t| topic("", t)).collect(),
        "KafkaListener" => texts.iter().map(|t| topic("kafka", t)).collect(),
        "RabbitListener" => texts.iter().map(|t| topic("amqp", t)).collect(),
        root @ ("Query" | "Mutation" | "Subscription") if is_resolver() => {
            vec![Protocol::GraphQl {
                root: root.to_owned(),
                field: texts.first().cloned().unwrap_or_else(|| own.to_owned()),
            }]
        }
        _ => return,
    };
    for protocol in protocols {
        found.push(Endpoint {
            role: Role::Provider,
            protocol,
            place: repo.place(file, Some(symbol)),
            line: mark.line,
            file_path: repo.file(file).path.clone(),
            by: mark.name.clone(),
        });
    }
}

/// Every quoted text.
fn quoted(detail: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut rest = detail;
    while let Some(start) = rest.find(['"', '\'', '`']) {
        let quote = &rest[start..=start];
        let after = &rest[start + 1..];
        let end = after.find(quote).unwrap_or(after.len());
        out.push(after[..end].to_owned());
        rest = after.get(end + 1..).unwrap_or("");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_of_decorators_are_told_apart_by_their_keys() {
        let check = |detail: &str| arguments(detail);
        let texts = |list: &[&str]| list.iter().map(|t| (*t).to_owned()).collect::<Vec<_>>();
        assert_eq!(check("\"/x\""), (texts(&["/x"]), vec![]));
        assert_eq!(
            check("\"/x\", methods=[\"GET\", \"post\"]"),
            (texts(&["/x"]), texts(&["GET", "POST"]))
        );
        assert_eq!(
            check("value = \"/x\", produces = \"text/plain\""),
            (texts(&["/x"]), vec![])
        );
        assert_eq!(
            check("tags=[\"a\", \"b\"], path=\"/y\""),
            (texts(&["/y"]), vec![])
        );
        assert_eq!(
            check("value = \"/z\", method = {RequestMethod.GET, RequestMethod.PUT}"),
            (texts(&["/z"]), texts(&["GET", "PUT"]))
        );
        assert_eq!(
            check("method = RequestMethod.POST, path = \"/\""),
            (texts(&["/"]), texts(&["POST"]))
        );
        assert_eq!(check("':id'"), (texts(&[":id"]), vec![]));
        assert_eq!(check(""), (vec![], vec![]));
    }
}
