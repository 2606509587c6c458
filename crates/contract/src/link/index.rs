//! Routes by their segments, from the last to the first. So a path is found in as many steps as it has segments, even if
//! its beginning is not known.

use crate::Fuel;
use crate::path::{Segment, Template};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// The most nodes that are visited for one path.
const MOST_STEPS: usize = 512;
/// The most routes that one path finds.
const MOST_FOUND: usize = 64;
/// The most routes of one path that are examined for a request.
const MOST_HERE: usize = 1_000;
/// The most folders around a file that may name its service, nearest first.
const MOST_FOLDERS: usize = 64;

/// The way in which a path matches a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum PathMatch {
    /// The same segments, with parameters in the same places.
    Same,
    /// The same number of segments; the request has a value where the route has a parameter.
    Value,
    /// The same end; the part before one of them is not known.
    End,
    /// The same end, with a value where the route has a parameter.
    EndValue,
    /// The route takes any rest after its beginning.
    Rest,
}

#[derive(Default)]
struct Node {
    literals: FxHashMap<String, usize>,
    parameter: Option<usize>,
    /// Routes that begin at this node, by the caller's numbers.
    here: Vec<u32>,
    /// The number of routes below.
    below: usize,
}

/// The routes.
pub(super) struct RouteIndex {
    nodes: Vec<Node>,
    /// Routes that end with a rest, by their first segments.
    open_ended: FxHashMap<Vec<Segment>, Vec<u32>>,
    /// For each route, whether an unknown part may come before it.
    open_prefix: Vec<bool>,
    /// For each route, the names that a gateway may use for its service.
    services: Vec<Rc<Services>>,
    /// These names by folder.
    of_folder: FxHashMap<String, Rc<Services>>,
}

impl RouteIndex {
    pub(super) fn new() -> RouteIndex {
        RouteIndex {
            nodes: vec![Node::default()],
            open_ended: FxHashMap::default(),
            open_prefix: Vec::new(),
            services: Vec::new(),
            of_folder: FxHashMap::default(),
        }
    }

    /// Adds a route; routes are numbered from 0. `file` is the file that declares it.
    pub(super) fn insert(&mut self, route: &Template, file: &str, fuel: &Fuel) {
        let number = self.open_prefix.len() as u32;
        self.open_prefix.push(route.open_prefix);
        let folder = folder_of(file);
        let services = match self.of_folder.get(folder) {
            Some(known) => known.clone(),
            None => {
                fuel.keep(4 * folder.len());
                let found = Rc::new(services_of(folder));
                self.of_folder.insert(folder.to_owned(), found.clone());
                found
            }
        };
        self.services.push(services);
        let rest = route.segments.iter().position(|s| *s == Segment::Rest);
        if let Some(rest) = rest {
            let head = route.segments[..rest].to_vec();
            self.open_ended.entry(head).or_default().push(number);
            return;
        }
        let mut at = 0;
        for segment in route.segments.iter().rev() {
            self.nodes[at].below += 1;
            at = self.child_or_new(at, segment);
        }
        self.nodes[at].here.push(number);
    }

    fn child_or_new(&mut self, at: usize, segment: &Segment) -> usize {
        let next = self.nodes.len();
        let found = match segment {
            Segment::Literal(text) => *self.nodes[at].literals.entry(text.clone()).or_insert(next),
            _ => *self.nodes[at].parameter.get_or_insert(next),
        };
        if found == next {
            self.nodes.push(Node::default());
        }
        found
    }

    /// Possible names of the service of a file that declares a route.
    pub(super) fn services_of_file(&self, file: &str) -> Option<&Services> {
        self.of_folder.get(folder_of(file)).map(|found| &**found)
    }

    /// The wanted routes of a path, only those with the best match.
    pub(super) fn find_by(
        &self,
        path: &Template,
        wanted: &dyn Fn(u32) -> bool,
        fuel: &Fuel,
    ) -> Vec<(u32, PathMatch)> {
        let mut search = Search::new(path, fuel);
        self.walk(&mut search, 0, path.segments.len(), (PathMatch::Same, 0));
        let mut found = search.found;
        found.retain(|(route, _)| wanted(*route));
        if let Some(best) = found.iter().map(|(_, how)| *how).min() {
            found.retain(|(_, how)| *how == best);
        }
        if found.is_empty() {
            found.extend(self.find_open_ended(path, fuel));
            found.retain(|(route, _)| wanted(*route));
        }
        found.truncate(MOST_FOUND);
        found
    }

    /// Walks from node `at`. The first `left` segments are still to be compared; `literals` of the others were equal
    /// literals.
    fn walk(
        &self,
        search: &mut Search<'_>,
        at: usize,
        left: usize,
        (how, literals): (PathMatch, usize),
    ) {
        search.steps += 1;
        if search.steps > MOST_STEPS {
            return;
        }
        let path = search.path;
        let node = &self.nodes[at];
        if left == 0 {
            let here = &node.here[..node.here.len().min(MOST_HERE)];
            search.add(here, how);
            if path.open_prefix && literals > 0 && node.here.is_empty() {
                self.collect_below(at, how, search);
            }
            return;
        }
        // Routes before which other segments may come. A route without an equal literal needs the name of its service.
        if literals > 0 || left >= search.first_literal {
            for route in node.here.iter().take(MOST_HERE) {
                let is_open = literals > 0 && self.open_prefix[*route as usize];
                if is_open || self.may_precede(search, left, *route, literals == 0) {
                    search.add(&[*route], end_of(how));
                }
            }
        }
        match &path.segments[left - 1] {
            Segment::Literal(text) => {
                if let Some(next) = node.literals.get(text) {
                    self.walk(search, *next, left - 1, (how, literals + 1));
                }
                if let Some(next) = node.parameter {
                    let how = how.max(PathMatch::Value);
                    self.walk(search, next, left - 1, (how, literals));
                }
            }
            _ => {
                if let Some(next) = node.parameter {
                    self.walk(search, next, left - 1, (how, literals));
                }
            }
        }
    }

    /// Whether a gateway may put the first `count` segments before the path of a route: usual prefixes, and the name of
    /// the service.
    fn may_precede(&self, search: &Search<'_>, count: usize, route: u32, named: bool) -> bool {
        let services = &self.services[route as usize];
        let names = |name: &Option<String>| name.as_ref().is_some_and(|n| services.contains(n));
        let before = &search.names[..count];
        if !search.fuel.spend(1) || named && !before.last().is_some_and(names) {
            return false;
        }
        let mut segments = search.path.segments[..count].iter().zip(before);
        segments.all(|(segment, name)| {
            search.fuel.spend(1) && (is_usual_prefix(segment) || names(name))
        })
    }

    /// The routes with further segments before those of the path. None if they differ.
    fn collect_below(&self, at: usize, how: PathMatch, search: &mut Search<'_>) {
        let mut next = at;
        // Only a single way leads on: of several ways, nothing tells which is meant.
        for _ in 0..8 {
            let node = &self.nodes[next];
            if !node.here.is_empty() {
                let here = &node.here[..node.here.len().min(MOST_HERE)];
                search.add(here, end_of(how));
                return;
            }
            let mut children = node.literals.values().chain(&node.parameter);
            match (children.next(), children.next()) {
                (Some(only), None) => next = *only,
                _ => return,
            }
        }
    }

    fn find_open_ended(&self, path: &Template, fuel: &Fuel) -> Vec<(u32, PathMatch)> {
        if path.open_prefix {
            return Vec::new();
        }
        // At least one literal is needed: a route for everything is none.
        for end in (1..=path.segments.len()).rev() {
            let head = &path.segments[..end];
            if !fuel.spend(end) {
                break;
            }
            if let Some(routes) = self.open_ended.get(head)
                && head.iter().any(|s| matches!(s, Segment::Literal(_)))
            {
                let routes = routes.iter().take(MOST_HERE);
                fuel.spend(routes.len());
                return routes.map(|r| (*r, PathMatch::Rest)).collect();
            }
        }
        Vec::new()
    }
}

/// The match if only the ends are equal.
fn end_of(how: PathMatch) -> PathMatch {
    match how {
        PathMatch::Value => PathMatch::EndValue,
        _ => PathMatch::End,
    }
}

/// One search for a path.
struct Search<'a> {
    path: &'a Template,
    /// For each segment, the name of the service that it may be.
    names: Vec<Option<String>>,
    /// The number of segments up to the first literal; the maximum if there is none.
    first_literal: usize,
    found: Vec<(u32, PathMatch)>,
    steps: usize,
    fuel: &'a Fuel,
}

impl<'a> Search<'a> {
    fn new(path: &'a Template, fuel: &'a Fuel) -> Search<'a> {
        let names = path.segments.iter().map(|segment| match segment {
            Segment::Literal(text) => {
                fuel.spend_on_text(text.len());
                Some(service_name(text))
            }
            _ => None,
        });
        let is_literal = |s: &Segment| matches!(s, Segment::Literal(_));
        let first = path.segments.iter().position(is_literal);
        Search {
            path,
            names: names.collect(),
            first_literal: first.map_or(usize::MAX, |at| at + 1),
            found: Vec::new(),
            steps: 0,
            fuel,
        }
    }

    fn add(&mut self, routes: &[u32], how: PathMatch) {
        if self.fuel.spend(routes.len()) {
            self.found.extend(routes.iter().map(|route| (*route, how)));
        }
    }
}

/// Possible names of a service.
pub(super) type Services = FxHashSet<String>;

fn folder_of(file: &str) -> &str {
    file.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Possible names of the service in a folder, by the folders around it.
fn services_of(folder: &str) -> Services {
    let nearest = folder.rsplit('/').take(MOST_FOLDERS);
    nearest
        .map(service_name)
        .filter(|name| !name.is_empty())
        .collect()
}

/// The name of a service, normalized from the names that folders and gateways use: `cart` for `cart-service`,
/// `CartService`.
pub(super) fn service_name(text: &str) -> String {
    let letters = text.chars().filter(|c| c.is_alphanumeric());
    let mut name: String = letters.flat_map(char::to_lowercase).collect();
    for end in ["service", "services", "server", "svc", "api", "s"] {
        if let Some(stem) = name.strip_suffix(end).filter(|stem| stem.len() > 1) {
            name.truncate(stem.len());
        }
    }
    name
}

/// Whether a gateway may put a segment before the paths of a service: `api`, `v1`.
fn is_usual_prefix(segment: &Segment) -> bool {
    let Segment::Literal(text) = segment else {
        return false;
    };
    let version = text.strip_prefix('v').unwrap_or_default();
    let is_version = !version.is_empty() && version.bytes().all(|b| b.is_ascii_digit());
    is_version || matches!(&**text, "api" | "rest" | "backend" | "proxy")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fuel() -> Fuel {
        Fuel::new(&base::Cancel::default())
    }

    fn check(routes: &[&str], path: &str) -> Vec<(u32, PathMatch)> {
        let mut index = RouteIndex::new();
        for route in routes {
            index.insert(&Template::parse(route), "", &fuel());
        }
        index.find_by(&Template::parse(path), &|_| true, &fuel())
    }

    #[test]
    fn a_path_leads_to_the_route_with_the_same_segments_first() {
        let routes = ["/users/:id", "/users/me", "/users", "/users/:id/posts"];
        assert_eq!(check(&routes, "/users/{id}"), [(0, PathMatch::Same)]);
        assert_eq!(check(&routes, "/users/me"), [(1, PathMatch::Same)]);
        assert_eq!(check(&routes, "/users/7"), [(0, PathMatch::Value)]);
        assert_eq!(check(&routes, "/users/"), [(2, PathMatch::Same)]);
        assert_eq!(check(&routes, "/posts"), []);
        assert_eq!(check(&routes, "/orders/{id}"), []);
    }

    #[test]
    fn what_is_not_known_before_a_path_may_be_anything_but_only_one_thing() {
        let routes = ["/api/v1/users", "/api/v1/orders", "/admin/orders"];
        assert_eq!(check(&routes, "{BASE}/users"), [(0, PathMatch::End)]);
        assert_eq!(check(&routes, "{BASE}/orders"), []);
        assert_eq!(check(&routes, "{BASE}/{x}"), []);
        let open = ["{prefix}/users/:id", "{prefix}/users/me"];
        assert_eq!(check(&open, "/api/users/{id}"), [(0, PathMatch::End)]);
        assert_eq!(check(&open, "/api/users/me"), [(1, PathMatch::End)]);
        assert_eq!(check(&open, "/api/users/7"), [(0, PathMatch::EndValue)]);
    }

    #[test]
    fn a_gateway_may_name_the_service_before_a_path() {
        let mut index = RouteIndex::new();
        index.insert(
            &Template::parse("/items/:id"),
            "cart-service/src/app.js",
            &fuel(),
        );
        index.insert(
            &Template::parse("/items/:id"),
            "catalogue/server.js",
            &fuel(),
        );
        let found = |path: &str| index.find_by(&Template::parse(path), &|_| true, &fuel());
        assert_eq!(found("/api/cart/items/{}"), [(0, PathMatch::End)]);
        assert_eq!(found("/catalogue/items/7"), [(1, PathMatch::EndValue)]);
        assert_eq!(found("/orders/items/7"), []);
        index.insert(
            &Template::parse("/:name"),
            "account-service/src/Account.java",
            &fuel(),
        );
        index.insert(
            &Template::parse("/"),
            "account-service/src/Account.java",
            &fuel(),
        );
        let found = |path: &str| index.find_by(&Template::parse(path), &|_| true, &fuel());
        assert_eq!(found("/accounts/{}"), [(2, PathMatch::End)]);
        assert_eq!(found("/api/accounts"), [(3, PathMatch::End)]);
        assert_eq!(found("/others/7"), []);
    }

    #[test]
    fn a_route_for_all_that_follows_comes_last() {
        let routes = ["/files/[...path]", "/files/list", "/[...all]"];
        assert_eq!(check(&routes, "/files/a/b"), [(0, PathMatch::Rest)]);
        assert_eq!(check(&routes, "/files/list"), [(1, PathMatch::Same)]);
        assert_eq!(check(&routes, "/else"), []);
    }

    #[test]
    fn ten_thousand_routes_are_found_in_as_many_steps_as_a_path_has_segments() {
        let mut index = RouteIndex::new();
        for n in 0..10_000 {
            index.insert(&Template::parse(&format!("/api/r{n}/:id")), "", &fuel());
        }
        for n in 0..10_000 {
            let path = Template::parse(&format!("/api/r{n}/{{x}}"));
            let fuel = fuel();
            let mut search = Search::new(&path, &fuel);
            index.walk(&mut search, 0, path.segments.len(), (PathMatch::Same, 0));
            assert_eq!((search.found.len(), search.steps), (1, 4));
        }
    }
}
