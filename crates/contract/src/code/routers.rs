//! Routers, and the paths that come before their routes. These are the paths under which routers are mounted, across all files.

use super::endpoints::LONGEST_PATH;
use super::handlers::Handlers;
use super::repo::{Binding, Call, CodeRepo};
use crate::path::join_paths;
use base::Language;
use base::remote::{CallTerm, Term};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// The path before a route.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Prefix {
    pub(super) path: String,
    /// Whether an unknown part comes before it.
    pub(super) open: bool,
    /// Whether it is longer than any route may be. The path is then empty.
    pub(super) is_too_long: bool,
}

impl Prefix {
    /// A prefix without an unknown part before it.
    pub(super) fn new(path: String) -> Prefix {
        let is_too_long = path.len() > LONGEST_PATH;
        Prefix {
            path: if is_too_long { String::new() } else { path },
            open: false,
            is_too_long,
        }
    }

    fn unknown() -> Prefix {
        Prefix {
            open: true,
            ..Prefix::default()
        }
    }

    /// This prefix followed by a path.
    pub(super) fn with(&self, path: &str) -> Prefix {
        if self.is_too_long {
            return self.clone();
        }
        Prefix {
            open: self.open,
            ..Prefix::new(join_paths(&self.path, path))
        }
    }

    /// This prefix followed by another one that has no unknown part.
    fn followed_by(&self, other: &Prefix) -> Prefix {
        let mut joined = self.with(&other.path);
        joined.is_too_long |= other.is_too_long;
        joined
    }
}

/// Maximum depth of routers that are mounted within routers.
const MOST_NESTING: u32 = 12;
/// Maximum number of mounts of one router.
const MOST_MOUNTS: usize = 8;

/// A place where a router is mounted.
#[derive(Clone)]
struct Mount<'r> {
    /// The call that mounts it; it is made on the other router.
    call: &'r Call,
    path: Rc<str>,
}

/// The kinds of values that a name can be bound to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueKind {
    /// An application. No path comes before its routes.
    App,
    /// A router that will be mounted somewhere.
    Router,
    /// A part of another router.
    Group,
    /// An HTTP client.
    Client,
}

/// A range of lines in which all routes begin with a path.
struct PathStretch {
    first: u32,
    last: u32,
    path: String,
}

/// Nested ranges of lines, each with a path.
struct Blocks {
    /// The path of each range, including the paths of the ranges around it.
    paths: Vec<Prefix>,
    /// The innermost range from each line on, in order of lines.
    innermost: Vec<(u32, Option<usize>)>,
}

/// Maximum number of nested ranges. Deeper ones have no known path.
const MOST_BLOCKS: usize = 40;

impl Blocks {
    fn new(mut stretches: Vec<PathStretch>) -> Blocks {
        stretches.sort_by_key(|stretch| (stretch.first, std::cmp::Reverse(stretch.last)));
        let mut blocks = Blocks {
            paths: Vec::with_capacity(stretches.len()),
            innermost: Vec::with_capacity(2 * stretches.len()),
        };
        // Indexes and last lines of the open ranges.
        let mut open: Vec<(usize, u32)> = Vec::new();
        for PathStretch { first, last, path } in stretches {
            blocks.close(&mut open, last);
            let mut joined = match open.last() {
                Some((outer, _)) => blocks.paths[*outer].with(&path),
                None => Prefix::default().with(&path),
            };
            joined.is_too_long |= open.len() >= MOST_BLOCKS;
            open.push((blocks.paths.len(), last));
            // The call itself is on the first line, before the range.
            blocks.begin(first + 1, Some(blocks.paths.len()));
            blocks.paths.push(joined);
        }
        blocks.close(&mut open, u32::MAX);
        blocks
    }

    /// Ends the open ranges that end before `last`.
    fn close(&mut self, open: &mut Vec<(usize, u32)>, last: u32) {
        while let Some((_, end)) = open.pop_if(|(_, end)| *end < last) {
            self.begin(end.saturating_add(1), open.last().map(|(outer, _)| *outer));
        }
    }

    fn begin(&mut self, line: u32, innermost: Option<usize>) {
        let before = self.innermost.last().map_or(0, |(line, _)| *line);
        self.innermost.push((line.max(before), innermost));
    }

    /// The path of the innermost range around a line.
    fn path_at(&self, line: u32) -> Option<&Prefix> {
        let behind = self.innermost.partition_point(|(from, _)| *from <= line);
        let (_, innermost) = self.innermost[behind.checked_sub(1)?];
        Some(&self.paths[innermost?])
    }
}

/// Prefixes by file and function.
type KnownMounts = FxHashMap<(usize, Option<usize>), Vec<Prefix>>;

/// The routers of a repository.
pub(super) struct Routers<'r, 'f> {
    repo: &'r CodeRepo<'f>,
    handlers: &'r Handlers<'r, 'f>,
    /// The mounts of each name of a file.
    mounts: FxHashMap<Binding, Vec<Mount<'r>>>,
    /// The mounts of routers that functions return, by file and symbol.
    function_mounts: FxHashMap<(usize, usize), Vec<Mount<'r>>>,
    /// For each file, the ranges of calls with a function argument.
    blocks: Vec<Blocks>,
    known: RefCell<FxHashMap<Binding, Vec<Prefix>>>,
    /// Known prefixes of routers that functions return, and of those that files export (without a symbol).
    known_mounts: RefCell<KnownMounts>,
    /// The only client or router that a file makes: the index of its call.
    only_bindings: RefCell<FxHashMap<usize, Option<usize>>>,
}

impl<'r, 'f> Routers<'r, 'f> {
    pub(super) fn new(repo: &'r CodeRepo<'f>, handlers: &'r Handlers<'r, 'f>) -> Routers<'r, 'f> {
        let mut routers = Routers {
            repo,
            handlers,
            mounts: FxHashMap::default(),
            function_mounts: FxHashMap::default(),
            blocks: Vec::with_capacity(repo.files.len()),
            known: RefCell::default(),
            known_mounts: RefCell::default(),
            only_bindings: RefCell::default(),
        };
        for calls in &repo.calls {
            let mut stretches = Vec::new();
            for call in calls {
                if !repo.fuel.spend(1) {
                    break;
                }
                if let Some(end) = call.remote.end
                    && let Some(path) = block_path(repo, call)
                {
                    stretches.push(PathStretch {
                        first: call.line,
                        last: end,
                        path,
                    });
                }
                routers.add_mounts(call);
            }
            routers.blocks.push(Blocks::new(stretches));
        }
        routers
    }

    fn add_mounts(&mut self, call: &'r Call) {
        let Some(path) = mounted(self.repo, call) else {
            return;
        };
        let mount = Mount {
            call,
            path: path.into(),
        };
        for target in &call.term().args {
            if self.repo.fuel.spend(1) {
                self.add_mount(target, &mount);
            }
        }
    }

    fn add_mount(&mut self, target: &Term, mount: &Mount<'r>) {
        let (file, line) = (mount.call.file, mount.call.line);
        let mounts = match target {
            Term::Name(name) => {
                let at = self.origin(file, name, line);
                self.mounts.entry(at).or_default()
            }
            // `require("./users")`, `users::router()`, `createRouter(db)`.
            Term::Call(inner) if inner.name == "require" || inner.name == "import" => {
                let specifier = inner.args.first().and_then(Term::text).unwrap_or("");
                let target = self.repo.imports(file).target_of_module(specifier);
                let Some(target) = target.and_then(|t| self.repo.file_of_path(t)) else {
                    return;
                };
                self.mounts.entry((target, String::new())).or_default()
            }
            Term::Call(_) => {
                let Some(at) = self.handlers.resolve(file, target) else {
                    return;
                };
                self.function_mounts.entry(at).or_default()
            }
            _ => return,
        };
        // Further mounts are not followed.
        if mounts.len() < MOST_MOUNTS {
            mounts.push(mount.clone());
        }
    }

    /// The file and name to which a name is bound: in this file, or in the file from which it is imported.
    fn origin(&self, file: usize, name: &str, line: u32) -> Binding {
        if self.repo.bound_call(file, name, line).is_some() {
            return (file, name.to_owned());
        }
        match self.repo.imported(file, name) {
            Some((target, rest)) if self.repo.bound_call(target, &rest, u32::MAX).is_some() => {
                (target, rest)
            }
            // A default export, or a module that gives the router another name.
            Some((target, _)) => (target, String::new()),
            None => (file, name.to_owned()),
        }
    }

    /// The kind of value that a name has, if a known call creates it.
    pub(super) fn made(&self, file: usize, name: &str, line: u32) -> Option<ValueKind> {
        let call = self.repo.bound_call(file, name, line);
        match call {
            Some(call) => made_by(self.repo.file(call.file).language, call.term()),
            None => {
                let (target, rest) = self.repo.imported(file, name)?;
                let call = self.repo.bound_call(target, &rest, u32::MAX);
                let call = call.or_else(|| self.only_binding(target))?;
                made_by(self.repo.file(target).language, call.term())
            }
        }
    }

    /// The only client or router that a file creates. It is taken for the default export.
    fn only_binding(&self, file: usize) -> Option<&'r Call> {
        let calls = &self.repo.calls[file];
        let mut known = self.only_bindings.borrow_mut();
        let only = known.entry(file).or_insert_with(|| {
            let language = self.repo.file(file).language;
            let mut made = calls.iter().enumerate().filter(|(_, call)| {
                call.remote.bound.is_some() && made_by(language, call.term()).is_some()
            });
            let first = made.next().map(|(at, _)| at);
            first.filter(|_| made.next().is_none())
        });
        only.map(|at| &calls[at])
    }

    /// The path that a client puts before every path, by the client's name.
    pub(super) fn client_base(&self, file: usize, name: &str, line: u32) -> Option<String> {
        let call = self.repo.bound_call(file, name, line);
        let call = match call {
            Some(call) => call,
            None => {
                let (target, rest) = self.repo.imported(file, name)?;
                let call = self.repo.bound_call(target, &rest, u32::MAX);
                call.or_else(|| self.only_binding(target))?
            }
        };
        let keys = [
            "baseURL",
            "base_url",
            "baseUrl",
            "prefixUrl",
            "base_uri",
            "url",
        ];
        let term = call.term();
        let named = keys.iter().find_map(|key| term.named(key));
        let speaks = |term: &&Term| match term {
            Term::Name(name) => super::repo::is_constant_name(name),
            Term::Text(_) | Term::Call(_) => true,
            _ => false,
        };
        let base = named.or_else(|| term.positional(0).filter(speaks));
        match base {
            Some(base) => Some(
                self.repo
                    .text_in(call.file, base)
                    .unwrap_or_else(|| match base {
                        Term::Name(name) => format!("{{{name}}}"),
                        _ => "{}".to_owned(),
                    }),
            ),
            // A client without a base address takes complete addresses.
            None if term.name == "create" => Some("{}".to_owned()),
            None => Some(String::new()),
        }
    }

    /// The paths before the routes of a router that a term names in a file: one for each mount.
    pub(super) fn prefixes(
        &self,
        (file, line): (usize, u32),
        symbol: Option<usize>,
        receiver: Option<&Term>,
    ) -> Vec<Prefix> {
        self.prefixes_within((file, line), symbol, receiver, 0)
    }

    fn prefixes_within(
        &self,
        (file, line): (usize, u32),
        symbol: Option<usize>,
        receiver: Option<&Term>,
        depth: u32,
    ) -> Vec<Prefix> {
        if depth > MOST_NESTING || !self.repo.fuel.spend(1) {
            return vec![Prefix::unknown()];
        }
        let outer = match receiver {
            Some(Term::Name(name)) => self.of_name((file, line), symbol, name, depth),
            Some(Term::Call(call)) => self.of_call((file, line), symbol, call, depth),
            _ => self.of_function(file, symbol, depth),
        };
        self.within_blocks((file, line), outer)
    }

    /// Adds the paths of the calls around a line.
    fn within_blocks(&self, (file, line): (usize, u32), outer: Vec<Prefix>) -> Vec<Prefix> {
        let fuel = self.repo.fuel;
        fuel.spend_on_text(outer.iter().map(|prefix| prefix.path.len()).sum());
        let Some(blocks) = self.blocks.get(file) else {
            return outer;
        };
        match blocks.path_at(line) {
            Some(inner) if inner.is_too_long || !inner.path.is_empty() => {
                fuel.spend_on_text(outer.len() * inner.path.len());
                let all = outer.iter().map(|prefix| prefix.followed_by(inner));
                all.collect()
            }
            _ => outer,
        }
    }

    fn of_name(
        &self,
        (file, line): (usize, u32),
        symbol: Option<usize>,
        name: &str,
        depth: u32,
    ) -> Vec<Prefix> {
        let Some(call) = self.repo.bound_call(file, name, line) else {
            if let Some((target, rest)) = self.repo.imported(file, name)
                && self.repo.bound_call(target, &rest, u32::MAX).is_some()
            {
                return self.of_name((target, u32::MAX), None, &rest, depth + 1);
            }
            let of_file = self.mounts.get(&(file, String::new()));
            let is_app = is_app_name(name, self.repo.file(file).language);
            return match (of_file, is_app) {
                (Some(mounts), _) => self.of_known_mounts((file, None), mounts, depth),
                (None, true) => vec![Prefix::default()],
                (None, false) => {
                    let of_function = self.of_function_mounts(file, symbol, depth);
                    of_function.unwrap_or_else(|| vec![Prefix::unknown()])
                }
            };
        };
        let key = (file, format!("{name}\n{}", call.line));
        if let Some(known) = self.known.borrow().get(&key) {
            return known.clone();
        }
        // A router that is mounted on itself ends here.
        self.known
            .borrow_mut()
            .insert(key.clone(), vec![Prefix::unknown()]);
        let found = self.of_binding(file, name, call, depth);
        self.known.borrow_mut().insert(key, found.clone());
        found
    }

    /// The paths before the routes of a name to which the value of a call is bound.
    fn of_binding(&self, file: usize, name: &str, call: &Call, depth: u32) -> Vec<Prefix> {
        let term = call.term();
        let made = made_by(self.repo.file(file).language, term);
        let own = own_prefix(self.repo, term);
        if made == Some(ValueKind::Group) {
            let outer = self.prefixes_within(
                (file, call.line),
                call.symbol,
                term.receiver.as_ref(),
                depth + 1,
            );
            return outer.iter().map(|prefix| prefix.with(&own)).collect();
        }
        let of_file = || {
            let mounts = self.mounts.get(&(file, String::new()))?;
            Some(self.of_known_mounts((file, None), mounts, depth))
        };
        let mounted = match self.mounts.get(&(file, name.to_owned())) {
            Some(mounts) => Some(self.of_mounts(mounts, depth)),
            None => of_file().or_else(|| self.of_function_mounts(file, call.symbol, depth)),
        };
        match mounted {
            Some(outer) => outer.iter().map(|prefix| prefix.with(&own)).collect(),
            None if made == Some(ValueKind::App) => vec![Prefix::default().with(&own)],
            None if own.starts_with("/api") => vec![Prefix::default().with(&own)],
            None => vec![Prefix::unknown().with(&own)],
        }
    }

    /// The paths before the routes of a function or a file. They are computed once, since each may be mounted several times on
    /// each of the others.
    fn of_known_mounts(
        &self,
        key: (usize, Option<usize>),
        mounts: &[Mount<'r>],
        depth: u32,
    ) -> Vec<Prefix> {
        if let Some(known) = self.known_mounts.borrow().get(&key) {
            return known.clone();
        }
        // A function or file that is mounted on itself ends here.
        let none = vec![Prefix::unknown()];
        self.known_mounts.borrow_mut().insert(key, none);
        let found = self.of_mounts(mounts, depth);
        self.known_mounts.borrow_mut().insert(key, found.clone());
        found
    }

    fn of_mounts(&self, mounts: &[Mount<'r>], depth: u32) -> Vec<Prefix> {
        let mut all = Vec::new();
        for mount in mounts.iter().take(MOST_MOUNTS) {
            let call = mount.call;
            let (at, on) = ((call.file, call.line), call.term().receiver.as_ref());
            let on = self.prefixes_within(at, call.symbol, on, depth + 1);
            for prefix in on {
                let found = prefix.with(&mount.path);
                if !all.contains(&found) {
                    all.push(found);
                }
            }
        }
        all.truncate(MOST_MOUNTS);
        all
    }

    /// `r.Group("/x")`, `Router::new()`, `web::scope("/x")` as a receiver.
    fn of_call(
        &self,
        (file, line): (usize, u32),
        symbol: Option<usize>,
        call: &CallTerm,
        depth: u32,
    ) -> Vec<Prefix> {
        let language = self.repo.file(file).language;
        let own = own_prefix(self.repo, call);
        match made_by(language, call) {
            Some(ValueKind::Group) => {
                let receiver = call.receiver.as_ref();
                let outer = match receiver {
                    // `web::scope`: its mount is not visible from here.
                    None | Some(Term::Name(_)) if call.name == "scope" => {
                        self.of_function(file, symbol, depth)
                    }
                    _ => self.prefixes_within((file, line), symbol, receiver, depth + 1),
                };
                outer.iter().map(|prefix| prefix.with(&own)).collect()
            }
            _ => {
                let outer = self.of_function(file, symbol, depth);
                outer.iter().map(|prefix| prefix.with(&own)).collect()
            }
        }
    }

    /// The paths before the routes of a router that a function returns, by the mounts of its value. If it is mounted nowhere,
    /// this is one empty prefix.
    fn of_function(&self, file: usize, symbol: Option<usize>, depth: u32) -> Vec<Prefix> {
        let found = self.of_function_mounts(file, symbol, depth);
        found.unwrap_or_else(|| vec![Prefix::default()])
    }

    fn of_function_mounts(
        &self,
        file: usize,
        symbol: Option<usize>,
        depth: u32,
    ) -> Option<Vec<Prefix>> {
        let mounts = self.function_mounts.get(&(file, symbol?))?;
        Some(self.of_known_mounts((file, symbol), mounts, depth))
    }
}

/// The kind of value that a call creates, by its name.
pub(super) fn made_by(language: Language, call: &CallTerm) -> Option<ValueKind> {
    let lower = call.name.to_ascii_lowercase();
    let receiver = call.receiver.as_ref().and_then(Term::name).unwrap_or("");
    let receiver = receiver.to_ascii_lowercase();
    let from = |names: &[&str]| names.iter().any(|n| receiver.ends_with(n));
    match (&*lower, language.family()) {
        ("create" | "extend", _) if from(&["axios", "ky", "got", "ofetch"]) => {
            Some(ValueKind::Client)
        }
        ("session" | "client" | "asyncclient" | "test_client" | "testclient", Language::Python) => {
            Some(ValueKind::Client)
        }
        ("create", Language::Java) if from(&["webclient", "restclient"]) => Some(ValueKind::Client),
        ("new", Language::Rust) if from(&["client"]) => Some(ValueKind::Client),
        ("new", Language::Rust) if from(&["router"]) => Some(ValueKind::Router),
        ("new", Language::Rust) if from(&["app"]) => Some(ValueKind::App),
        ("new" | "default", Language::Go) if from(&["gin", "echo", "fiber", "iris"]) => {
            Some(ValueKind::App)
        }
        ("newrouter" | "newservemux", Language::Go) => Some(ValueKind::App),
        ("new", Language::Ruby) if from(&["faraday"]) => Some(ValueKind::Client),
        (
            "express" | "fastify" | "hono" | "koa" | "fastapi" | "flask" | "starlette" | "echo",
            _,
        ) => Some(ValueKind::App),
        ("router" | "apirouter" | "blueprint", _) => Some(ValueKind::Router),
        ("application", _) => Some(ValueKind::App),
        ("group" | "subrouter" | "mapgroup" | "scope" | "namespace" | "prefix", _) => {
            Some(ValueKind::Group)
        }
        ("with", Language::Go) => Some(ValueKind::Group),
        // `r.PathPrefix("/x").Subrouter()`, `app.route("/x")`.
        ("route", _) if call.args.len() == 1 => Some(ValueKind::Group),
        ("client", Language::Php | Language::JavaScript | Language::TypeScript) => {
            Some(ValueKind::Client)
        }
        _ => None,
    }
}

/// The path that a router gets when it is created.
fn own_prefix(repo: &CodeRepo<'_>, call: &CallTerm) -> String {
    let keys = ["prefix", "url_prefix", "basePath", "path"];
    let named = keys.iter().find_map(|key| call.named(key));
    let of_receiver = || match call.receiver.as_ref() {
        Some(Term::Call(inner)) if inner.name == "PathPrefix" => inner.positional(0),
        _ => None,
    };
    let is_path = |term: &&Term| term.text().is_some_and(|t| t.starts_with(['/', '{']));
    let first = call.positional(0).filter(is_path);
    let term = named.or(first).or_else(of_receiver);
    term.and_then(|term| repo.text_of(term)).unwrap_or_default()
}

/// The path that a call gives to the routes in its function argument: `r.Route("/x", func…)`, Rails `namespace`.
fn block_path(repo: &CodeRepo<'_>, call: &Call) -> Option<String> {
    let term = call.term();
    let first = term.positional(0).and_then(|t| repo.text_of(t));
    let language = repo.file(call.file).language;
    match (&*term.name, language.family()) {
        ("Route", Language::Go) | ("Group", Language::Go) => Some(first.unwrap_or_default()),
        ("namespace", Language::Ruby) => first,
        ("scope", Language::Ruby) => {
            let path = term.named("path").and_then(|t| repo.text_of(t));
            Some(path.or(first).unwrap_or_default())
        }
        ("resources", Language::Ruby) => {
            let name = first?;
            let singular = name.strip_suffix('s').unwrap_or(&name);
            Some(format!("/{name}/:{singular}_id"))
        }
        ("resource", Language::Ruby) => first,
        ("group", Language::Php) => {
            // `Route::prefix("/x")->group(…)`, `Route::group(["prefix" => "/x"], …)`.
            let of_argument = term.args.first().and_then(|a| a.get("prefix"));
            let of_receiver = match term.receiver.as_ref() {
                Some(Term::Call(inner)) => find_prefix(inner),
                _ => None,
            };
            let found = of_argument.or(of_receiver).and_then(|t| repo.text_of(t));
            Some(found.unwrap_or_default())
        }
        ("register" | "group", Language::JavaScript | Language::TypeScript) => {
            let prefix = term.named("prefix").and_then(|t| repo.text_of(t));
            prefix.or(first)
        }
        _ => None,
    }
}

/// The argument of `prefix(…)` in a chain of calls.
fn find_prefix(call: &CallTerm) -> Option<&Term> {
    let mut next = call;
    for _ in 0..8 {
        if next.name == "prefix" {
            return next.positional(0);
        }
        match next.receiver.as_ref() {
            Some(Term::Call(inner)) => next = inner,
            _ => return None,
        }
    }
    None
}

/// The path under which a call mounts its arguments.
fn mounted(repo: &CodeRepo<'_>, call: &Call) -> Option<String> {
    let term = call.term();
    let language = repo.file(call.file).language.family();
    let first = term.positional(0).and_then(|t| repo.text_of(t));
    let lower = term.name.to_ascii_lowercase();
    let is_mount = match language {
        Language::JavaScript | Language::TypeScript => {
            matches!(&*lower, "use" | "register" | "route") && term.receiver.is_some()
        }
        Language::Python => matches!(
            &*lower,
            "include_router" | "register_blueprint" | "mount" | "include" | "register_router"
        ),
        Language::Go => matches!(&*lower, "mount" | "handle" | "handler"),
        Language::Rust => matches!(
            &*lower,
            "nest" | "merge" | "nest_service" | "configure" | "service" | "mount"
        ),
        _ => false,
    };
    if !is_mount {
        return None;
    }
    let keys = ["prefix", "url_prefix"];
    let named = keys.iter().find_map(|key| term.named(key));
    let named = named.map(|t| {
        repo.text_of(t).unwrap_or_else(|| match t {
            Term::Name(name) => format!("{{{name}}}"),
            _ => "{}".to_owned(),
        })
    });
    let is_path = |text: &String| text.is_empty() || text.contains('/') || text.starts_with('{');
    Some(named.or(first.filter(is_path)).unwrap_or_default())
}

/// Whether a name that is bound to nothing known is that of the application, rather than of one of its parts.
fn is_app_name(name: &str, language: Language) -> bool {
    let last = name.rsplit('.').next().unwrap_or(name);
    match language.family() {
        // In these languages routes are declared at the level of the module, or no path comes before them.
        Language::Ruby | Language::Php => true,
        Language::Go => matches!(last, "http" | "mux"),
        _ => matches!(last, "app" | "server" | "fastify"),
    }
}
