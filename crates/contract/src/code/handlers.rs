//! The definition that answers a route.

use super::repo::{Call, CodeRepo};
use base::remote::Term;
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// A definition: file and symbol.
type Definition = (usize, usize);

/// Looks up definitions, and remembers the results by name.
pub(super) struct Handlers<'r, 'f> {
    repo: &'r CodeRepo<'f>,
    /// Results by file and name.
    by_name: RefCell<FxHashMap<(usize, String), Option<Definition>>>,
    /// Results by controller and method.
    of_controllers: RefCell<FxHashMap<(String, String), Option<Definition>>>,
}

/// The deepest nesting of texts, calls and lists that is followed.
const MOST_NESTING: u32 = 16;

impl<'r, 'f> Handlers<'r, 'f> {
    pub(super) fn new(repo: &'r CodeRepo<'f>) -> Handlers<'r, 'f> {
        Handlers {
            repo,
            by_name: RefCell::default(),
            of_controllers: RefCell::default(),
        }
    }

    /// The definition that a term names in a file. `None` if the handler is defined in place or not known.
    pub(super) fn resolve(&self, file: usize, term: &Term) -> Option<Definition> {
        self.resolve_within(file, term, 0)
    }

    fn resolve_within(&self, file: usize, term: &Term, depth: u32) -> Option<Definition> {
        if depth > MOST_NESTING || !self.repo.fuel.spend(1) {
            return None;
        }
        match term {
            Term::Name(name) => self.resolve_name(file, name),
            // A function that wraps another: `asyncHandler(list)`, `h.wrap(h.list)`.
            Term::Call(call) => {
                let inner = call.args.iter().rev();
                let mut inner = inner.filter_map(|arg| self.resolve_within(file, arg, depth + 1));
                inner.next().or_else(|| {
                    // It wraps one of several functions of a name, and answers no route itself.
                    if call
                        .args
                        .iter()
                        .any(|arg| self.is_of_several(file, arg, depth + 1))
                    {
                        return None;
                    }
                    // A function that makes the handler: `listUsers(db)`.
                    let receiver = call.receiver.as_ref().and_then(Term::name);
                    let name = match receiver {
                        Some(receiver) => format!("{receiver}.{}", call.name),
                        None => call.name.clone(),
                    };
                    self.resolve_name(file, &name)
                })
            }
            // Rails `users#show`, Laravel `UserController@show`.
            Term::Text(text) => {
                let (class, method) = text.split_once(['#', '@'])?;
                self.resolve_controller(class, method)
            }
            Term::List(items) => match items.as_slice() {
                // Laravel `[UserController::class, 'show']`.
                [Term::Name(class), Term::Text(method)] => {
                    let class = class.strip_suffix(".class").unwrap_or(class);
                    self.resolve_controller(class, method)
                }
                items => items
                    .iter()
                    .rev()
                    .find_map(|item| self.resolve_within(file, item, depth + 1)),
            },
            _ => None,
        }
    }

    /// A method of a controller by the controller's name: `users`, `admin/users`, `UsersController`.
    pub(super) fn resolve_controller(&self, class: &str, method: &str) -> Option<Definition> {
        let last = class.rsplit(['/', '.', '\\']).next().unwrap_or(class);
        let plain = |name: &str| name.replace('_', "").to_ascii_lowercase();
        let wanted = plain(last.trim_end_matches("Controller"));
        let key = (wanted, method.to_owned());
        if let Some(known) = self.of_controllers.borrow().get(&key) {
            return *known;
        }
        let all = self.repo.everywhere(method);
        let mut found = all.iter().filter(|(file, symbol)| {
            let name = &self.repo.file(*file).symbols[*symbol].name;
            let class = name.rsplit('.').nth(1).unwrap_or_default();
            self.repo.fuel.spend_on_text(name.len())
                && plain(class.trim_end_matches("Controller")) == key.0
        });
        let first = found.next().copied();
        let only = first.filter(|_| found.next().is_none());
        self.of_controllers.borrow_mut().insert(key, only);
        only
    }

    fn resolve_name(&self, file: usize, name: &str) -> Option<Definition> {
        let key = (file, name.to_owned());
        if let Some(known) = self.by_name.borrow().get(&key) {
            return *known;
        }
        let found = self.look_for_name(file, name);
        self.by_name.borrow_mut().insert(key, found);
        found
    }

    fn look_for_name(&self, file: usize, name: &str) -> Option<Definition> {
        let name = name.trim_end_matches(".class").trim_end_matches(".bind");
        let last = name.rsplit('.').next().unwrap_or(name);
        if let Some(at) = self.repo.handler_named(file, last) {
            return Some((file, at));
        }
        if let Some((target, rest)) = self.repo.imported(file, name) {
            let last = rest.rsplit('.').next().unwrap_or(&rest);
            // A default export may have another name in this file.
            let there = self.repo.handler_named(target, last);
            if let Some(at) = there.or_else(|| self.repo.default_export(target)) {
                return Some((target, at));
            }
        }
        let receiver = name.rsplit_once('.').map(|(receiver, _)| receiver);
        self.nearest(file, last, receiver)
    }

    /// Whether a term names functions or methods of the repository, of which none was found to be meant, or wraps one.
    fn is_of_several(&self, file: usize, term: &Term, depth: u32) -> bool {
        let name = match term {
            Term::Name(name) if name.contains('.') => name,
            Term::Call(call) if depth < MOST_NESTING && self.repo.fuel.spend(1) => {
                let mut args = call.args.iter();
                return args.any(|arg| self.is_of_several(file, arg, depth + 1));
            }
            _ => return false,
        };
        let here = self.repo.file(file).language.family();
        let last = name.rsplit('.').next().unwrap_or(name);
        let all = self.repo.everywhere(last);
        self.repo.fuel.spend(all.len())
            && all.iter().any(|(other, at)| {
                let of = self.repo.file(*other);
                of.language.family() == here && of.symbols[*at].is_callable()
            })
    }

    /// The only callable definition of a name, or the only one that is nearest in the tree of folders. Of several methods,
    /// the one of the class that the receiver is declared with in the file.
    fn nearest(&self, file: usize, name: &str, receiver: Option<&str>) -> Option<Definition> {
        let here = self.repo.file(file);
        let all = self.repo.everywhere(name).iter().filter(|(other, at)| {
            let of = self.repo.file(*other);
            of.language.family() == here.language.family()
                && of.symbols[*at].is_callable()
                && !of.test
                && !of.generated
        });
        let shared = |other: usize| {
            let path = &self.repo.file(other).path;
            let is_paid = self
                .repo
                .fuel
                .spend_on_text(8 * here.path.len().min(path.len()));
            let (a, b) = (here.path.split('/'), path.split('/'));
            let same = a.zip(b).take_while(|(a, b)| a == b);
            is_paid.then(|| same.count())
        };
        let all = all.map(|at| Some((shared(at.0)?, *at)));
        let all: Vec<(usize, Definition)> = all.collect::<Option<_>>()?;
        let best = all.iter().map(|(shared, _)| *shared).max()?;
        let nearest: Vec<Definition> = all
            .into_iter()
            .filter_map(|(shared, at)| (shared == best).then_some(at))
            .collect();
        match nearest.as_slice() {
            [only] => Some(*only),
            several => self.of_declared_class(file, several, receiver?),
        }
    }

    /// The one of several methods whose class a signature in the file gives to a name.
    fn of_declared_class(
        &self,
        file: usize,
        methods: &[Definition],
        name: &str,
    ) -> Option<Definition> {
        let is_declared = |(other, at): &&Definition| {
            let method = &self.repo.file(*other).symbols[*at].name;
            let class = method.rsplit('.').nth(1).unwrap_or_default();
            let mut signatures = self.repo.file(file).symbols.iter();
            !class.is_empty()
                && signatures.any(|symbol| {
                    let signature = symbol.signature.as_deref().unwrap_or_default();
                    self.repo.fuel.spend_on_text(signature.len())
                        && gives_type(signature, name, class)
                })
        };
        let mut found = methods.iter().filter(is_declared);
        let first = found.next().copied();
        first.filter(|_| found.next().is_none())
    }
}

/// Whether a signature has a parameter of that name and type, in either order: `a *App`, `a: App`, `App a`.
fn gives_type(signature: &str, name: &str, class: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    signature.split([',', '(', ')']).any(|parameter| {
        let mut words = parameter.split(|c| !is_word(c)).filter(|w| !w.is_empty());
        let pair = (words.next(), words.next());
        words.next().is_none()
            && (pair == (Some(name), Some(class)) || pair == (Some(class), Some(name)))
    })
}

/// The handler of a route: the definition that an argument names, or the one around the call.
pub(super) fn handler_of(
    handlers: &Handlers<'_, '_>,
    call: &Call,
    terms: &[&Term],
) -> (usize, Option<usize>) {
    let named = terms.iter().rev();
    let mut named = named.filter_map(|term| handlers.resolve(call.file, term));
    match named.next() {
        Some((file, symbol)) => (file, Some(symbol)),
        None => (call.file, call.symbol),
    }
}
