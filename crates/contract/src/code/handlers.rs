//! Which definition answers a route.

use super::repo::{Call, CodeRepo};
use base::remote::Term;

/// The definition that a term names, seen from a file; none where it stands there itself, or nobody knows.
pub(super) fn resolve_handler(
    repo: &CodeRepo<'_>,
    file: usize,
    term: &Term,
) -> Option<(usize, usize)> {
    match term {
        Term::Name(name) => resolve_name(repo, file, name),
        // A function that wraps another: `asyncHandler(list)`, `h.wrap(h.list)`.
        Term::Call(call) => {
            let inner = call.args.iter().rev();
            let mut inner = inner.filter_map(|arg| resolve_handler(repo, file, arg));
            inner.next().or_else(|| {
                // A function that makes the handler: `listUsers(db)`.
                let receiver = call.receiver.as_ref().and_then(Term::name);
                let name = match receiver {
                    Some(receiver) => format!("{receiver}.{}", call.name),
                    None => call.name.clone(),
                };
                resolve_name(repo, file, &name)
            })
        }
        // Rails `users#show`, Laravel `UserController@show`.
        Term::Text(text) => {
            let (class, method) = text.split_once(['#', '@'])?;
            resolve_controller(repo, class, method)
        }
        Term::List(items) => match items.as_slice() {
            // Laravel `[UserController::class, 'show']`.
            [Term::Name(class), Term::Text(method)] => {
                let class = class.strip_suffix(".class").unwrap_or(class);
                resolve_controller(repo, class, method)
            }
            items => items
                .iter()
                .rev()
                .find_map(|item| resolve_handler(repo, file, item)),
        },
        _ => None,
    }
}

/// A method of a controller by the controller's name: `users`, `admin/users`, `UsersController`.
pub(super) fn resolve_controller(
    repo: &CodeRepo<'_>,
    class: &str,
    method: &str,
) -> Option<(usize, usize)> {
    let last = class.rsplit(['/', '.', '\\']).next().unwrap_or(class);
    let plain = |name: &str| name.replace('_', "").to_ascii_lowercase();
    let wanted = plain(last.trim_end_matches("Controller"));
    let mut found = repo.everywhere(method).iter().filter(|(file, symbol)| {
        let name = &repo.file(*file).symbols[*symbol].name;
        let class = name.rsplit('.').nth(1).unwrap_or_default();
        plain(class.trim_end_matches("Controller")) == wanted
    });
    let first = found.next().copied();
    first.filter(|_| found.next().is_none())
}

fn resolve_name(repo: &CodeRepo<'_>, file: usize, name: &str) -> Option<(usize, usize)> {
    let name = name.trim_end_matches(".class").trim_end_matches(".bind");
    let last = name.rsplit('.').next().unwrap_or(name);
    let callable = |file: usize, at: &usize| {
        let symbol = &repo.file(file).symbols[*at];
        symbol.is_callable()
            || matches!(
                &*symbol.kind,
                "variable" | "constant" | "class" | "field" | "property"
            )
    };
    let here = repo.symbols_named(file, last);
    let mut here = here.iter().copied().filter(|at| callable(file, at));
    if let Some(at) = here.next() {
        return Some((file, at));
    }
    if let Some((target, rest)) = repo.imported(file, name) {
        let last = rest.rsplit('.').next().unwrap_or(&rest);
        let there = repo.symbols_named(target, last);
        if let Some(at) = there.iter().copied().find(|at| callable(target, at)) {
            return Some((target, at));
        }
        // A default export has another name here.
        let symbols = &repo.file(target).symbols;
        if let Some(at) = symbols.iter().position(|s| s.default_export) {
            return Some((target, at));
        }
    }
    nearest(repo, file, last)
}

/// Of callable definitions of a name the only one, or the only one nearest in the tree of folders.
fn nearest(repo: &CodeRepo<'_>, file: usize, name: &str) -> Option<(usize, usize)> {
    let here = repo.file(file);
    let shared = |other: usize| {
        let (a, b) = (here.path.split('/'), repo.file(other).path.split('/'));
        a.zip(b).take_while(|(a, b)| a == b).count()
    };
    let all = repo.everywhere(name).iter().filter(|(other, at)| {
        let of = repo.file(*other);
        of.language.family() == here.language.family()
            && of.symbols[*at].is_callable()
            && !of.test
            && !of.generated
    });
    let mut all: Vec<(usize, usize)> = all.copied().collect();
    let best = all.iter().map(|(other, _)| shared(*other)).max()?;
    all.retain(|(other, _)| shared(*other) == best);
    match all.as_slice() {
        [only] => Some(*only),
        _ => None,
    }
}

/// The definition of a route's handler: that which an argument names, else the one around the call.
pub(super) fn handler_of(
    repo: &CodeRepo<'_>,
    call: &Call,
    handlers: &[&Term],
) -> (usize, Option<usize>) {
    let named = handlers.iter().rev();
    let mut named = named.filter_map(|term| resolve_handler(repo, call.file, term));
    match named.next() {
        Some((file, symbol)) => (file, Some(symbol)),
        None => (call.file, call.symbol),
    }
}
