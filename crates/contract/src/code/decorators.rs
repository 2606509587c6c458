//! Routes and messages that decorators, annotations and attributes declare.

use super::endpoints::Endpoints;
use super::repo::{CodeMark, CodeRepo};
use super::routers::{Prefix, Routers};
use super::routes::{METHODS, route_protocol};
use crate::path::join_paths;
use crate::{Protocol, Role};
use base::remote::Term;
use base::{Language, MarkKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// Annotations of classes whose methods send requests instead of answering them.
pub(super) const CLIENT_CLASSES: [&str; 4] = [
    "FeignClient",
    "HttpExchange",
    "RegisterRestClient",
    "RetrofitService",
];

/// Annotations of classes whose methods are routes.
const ROUTE_CLASSES: [&str; 7] = [
    "Controller",
    "RestController",
    "RequestMapping",
    "Path",
    "ApiController",
    "Route",
    "JsonController",
];

/// Annotations of classes with a path that comes before the paths of their methods.
const PATH_CLASSES: [&str; 6] = [
    "Controller",
    "RequestMapping",
    "Path",
    "Route",
    "JsonController",
    "HttpExchange",
];

/// What the decorators of a class say about its methods.
#[derive(Default)]
struct ClassDecorators {
    /// Whether it has routes, or sends requests.
    has_routes: bool,
    /// Whether its methods send requests instead of answering them.
    is_client: bool,
    /// Whether it resolves fields of GraphQL.
    is_resolver: bool,
    /// The service that a client calls: `@FeignClient(name = "account-service")`.
    service: Option<String>,
    /// The path before those of its methods.
    prefix: Option<Prefix>,
}

impl ClassDecorators {
    fn add(&mut self, mark: &CodeMark) {
        let last = mark.name.rsplit('.').next().unwrap_or(&mark.name);
        let is_client = CLIENT_CLASSES.contains(&last);
        self.has_routes |= is_client || ROUTE_CLASSES.contains(&last);
        self.is_client |= CLIENT_CLASSES.contains(&&*mark.name);
        self.is_resolver |=
            mark.name.ends_with("Resolver") || mark.name.ends_with("strawberry.type");
        if is_client && self.service.is_none() {
            // The first client annotation names the service.
            self.service = Some(named_service(mark).unwrap_or_default());
        }
        if self.prefix.is_none() && PATH_CLASSES.contains(&last) {
            let path = arguments(&mark.detail).0.into_iter().next();
            let path = path.map_or(String::new(), |p| join_paths("", &p));
            self.prefix = Some(Prefix::new(path));
        }
    }
}

/// The definition of a class.
type Class = (usize, usize);

/// The input and output of reading decorators.
struct Finder<'a, 'r, 'f> {
    routers: &'a Routers<'r, 'f>,
    classes: FxHashMap<Class, ClassDecorators>,
    found: &'a mut Endpoints<'r, 'f>,
}

/// Adds routes and messages that decorators declare.
pub(super) fn add_routes<'r, 'f>(routers: &Routers<'r, 'f>, found: &mut Endpoints<'r, 'f>) {
    let repo = found.repo;
    let mut finder = Finder {
        routers,
        classes: classes(repo),
        found,
    };
    for (file, of) in repo.files.iter().enumerate() {
        for mark in decorators(&of.marks) {
            let Some(symbol) = mark.symbol else { continue };
            if of.symbols[symbol].is_type() {
                continue;
            }
            if !repo.fuel.spend_on_text(mark.detail.len()) {
                return;
            }
            finder.find_route((file, symbol), mark);
            finder.find_message((file, symbol), mark);
        }
    }
}

fn decorators(marks: &[CodeMark]) -> impl Iterator<Item = &CodeMark> {
    marks.iter().filter(|m| m.kind == MarkKind::Decorator)
}

/// The facts of all classes with decorators.
fn classes(repo: &CodeRepo<'_>) -> FxHashMap<Class, ClassDecorators> {
    let mut classes: FxHashMap<Class, ClassDecorators> = FxHashMap::default();
    for (file, of) in repo.files.iter().enumerate() {
        for mark in decorators(&of.marks) {
            let symbol = mark.symbol.filter(|at| of.symbols[*at].is_type());
            if let Some(symbol) = symbol
                && repo.fuel.spend_on_text(mark.detail.len())
            {
                classes.entry((file, symbol)).or_default().add(mark);
            }
        }
    }
    classes
}

impl Finder<'_, '_, '_> {
    fn find_route(&mut self, (file, symbol): (usize, usize), mark: &CodeMark) {
        let repo = self.found.repo;
        let language = repo.file(file).language.family();
        let Some((methods, paths)) = methods_and_paths(language, mark) else {
            return;
        };
        let at = (file, mark.line);
        let by;
        let mut role = Role::Provider;
        let mut host = None;
        let prefixes = match language {
            Language::Python => {
                by = repo.imports(file).python_framework.unwrap_or("decorator");
                let receiver = mark.name.rsplit_once('.').map(|(receiver, _)| receiver);
                let Some(receiver) = receiver else { return };
                let term = Term::Name(receiver.to_owned());
                self.routers.prefixes(at, None, Some(&term))
            }
            Language::Rust => {
                by = "actix";
                let name = &repo.file(file).symbols[symbol].name;
                let term = Term::Name(name.clone());
                let own = self.routers.prefixes(at, None, Some(&term));
                own.into_iter()
                    .map(|prefix| Prefix {
                        open: false,
                        ..prefix
                    })
                    .collect()
            }
            _ => {
                let class = repo.class_of(file, symbol);
                let says = class.and_then(|class| self.classes.get(&(file, class)));
                let is_interface = is_interface(repo, file, class);
                let may_route = says.is_some_and(|says| says.has_routes);
                if !may_route && !is_spring(&mark.name) && !is_interface {
                    return;
                }
                if says.is_some_and(|says| says.is_client) || is_interface && !is_spring(&mark.name)
                {
                    role = Role::Consumer;
                    let service = says.and_then(|says| says.service.clone());
                    host = service.filter(|name| !name.is_empty());
                }
                by = match language {
                    Language::Java | Language::Kotlin if mark.name.ends_with("Mapping") => "spring",
                    Language::Java | Language::Kotlin => "jax-rs",
                    Language::CSharp => "asp.net",
                    _ => "nestjs",
                };
                let prefix = says.and_then(|says| says.prefix.clone());
                vec![prefix.unwrap_or_default()]
            }
        };
        let each = |path| methods.iter().map(move |method| (path, method));
        for prefix in prefixes {
            for (path, method) in paths.iter().flat_map(each) {
                let Some(mut protocol) = route_protocol(method, &prefix.with(path)) else {
                    repo.fuel.record_cut();
                    continue;
                };
                if let Protocol::Http { host: of, .. } = &mut protocol {
                    of.clone_from(&host);
                }
                if !self
                    .found
                    .add((role, protocol), (file, Some(symbol)), at, by)
                {
                    return;
                }
            }
        }
    }
}

/// The methods and the paths that a decorator declares.
fn methods_and_paths(language: Language, mark: &CodeMark) -> Option<(Vec<String>, Vec<String>)> {
    let last = mark.name.rsplit(['.', ':']).next().unwrap_or(&mark.name);
    let lower = last.to_ascii_lowercase();
    let (mut paths, mut methods) = arguments(&mark.detail);
    keep_each_once(&mut paths);
    keep_each_once(&mut methods);
    // A decorator of Spring or NestJS may declare several.
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
            // The path may be that of the class in NestJS and Spring.
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

/// Removes repeated texts.
fn keep_each_once(texts: &mut Vec<String>) {
    let mut known = FxHashSet::default();
    texts.retain(|text| known.insert(text.clone()));
}

/// The texts in a decorator's arguments that are paths, and those that are methods.
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

fn is_interface(repo: &CodeRepo<'_>, file: usize, class: Option<usize>) -> bool {
    class.is_some_and(|class| repo.file(file).symbols[class].kind == "interface")
}

fn is_spring(name: &str) -> bool {
    name.ends_with("Mapping")
}

/// The service that a client names: `@FeignClient(name = "account-service")`.
fn named_service(client: &CodeMark) -> Option<String> {
    let mut words = quoted(&client.detail).into_iter();
    let name = words.find(|w| !w.is_empty() && !w.contains(['/', '$', ' ']))?;
    Some(name.to_ascii_lowercase())
}

impl Finder<'_, '_, '_> {
    /// NestJS: `@GrpcMethod("Service", "Method")`, `@MessagePattern("x")`, `@Query()`; Spring: `@KafkaListener(topics = "x")`.
    fn find_message(&mut self, (file, symbol): (usize, usize), mark: &CodeMark) {
        let repo = self.found.repo;
        let texts: Vec<String> = quoted(&mark.detail);
        let own = repo.file(file).symbols[symbol].last_name();
        let topics = |system: &str| -> Vec<Protocol> {
            let topics = texts.iter().map(|name| Protocol::Topic {
                system: system.to_owned(),
                name: name.clone(),
            });
            topics.collect()
        };
        let is_resolver = || {
            let class = repo.class_of(file, symbol);
            let says = class.and_then(|class| self.classes.get(&(file, class)));
            says.is_some_and(|says| says.is_resolver)
        };
        let protocols: Vec<Protocol> = match &*mark.name {
            "GrpcMethod" | "GrpcStreamMethod" => vec![Protocol::Rpc {
                service: texts.first().cloned(),
                method: texts.get(1).cloned().unwrap_or_else(|| own.to_owned()),
                certain: !texts.is_empty(),
                by_texts: false,
            }],
            "MessagePattern" | "EventPattern" => topics(""),
            "KafkaListener" => topics("kafka"),
            "RabbitListener" => topics("amqp"),
            root @ ("Query" | "Mutation" | "Subscription") if is_resolver() => {
                vec![Protocol::GraphQl {
                    root: root.to_owned(),
                    field: texts.first().cloned().unwrap_or_else(|| own.to_owned()),
                }]
            }
            _ => return,
        };
        for protocol in protocols {
            let at = (file, mark.line);
            let place = (file, Some(symbol));
            if !self
                .found
                .add((Role::Provider, protocol), place, at, &mark.name)
            {
                return;
            }
        }
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
