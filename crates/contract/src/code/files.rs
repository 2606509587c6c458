//! Routes given by the name of a file: Next.js (`app/…/route.ts`, `pages/api/…`), SvelteKit (`+server.ts`).

use super::endpoints::Endpoints;
use super::routers::Prefix;
use super::routes::{METHODS, route_protocol};
use crate::Role;
use base::Language;

/// Adds the routes of such files.
pub(super) fn add_routes(found: &mut Endpoints<'_, '_>) {
    let repo = found.repo;
    for (file, of) in repo.files.iter().enumerate() {
        let is_script = matches!(
            of.language.family(),
            Language::TypeScript | Language::JavaScript
        );
        let Some((path, by)) = route_of_path(&of.path).filter(|_| is_script) else {
            continue;
        };
        let prefix = Prefix::new(path);
        let mut add = |symbol: Option<usize>, method: &str| {
            let line = symbol.map_or(1, |s| of.symbols[s].line);
            match route_protocol(method, &prefix) {
                Some(protocol) => {
                    found.add((Role::Provider, protocol), (file, symbol), (file, line), by);
                }
                None => repo.fuel.record_cut(),
            }
        };
        if by == "next.js pages" {
            add(repo.default_export(file), "");
            continue;
        }
        for (at, symbol) in of.symbols.iter().enumerate() {
            let is_method = METHODS.contains(&&*symbol.name.to_ascii_lowercase());
            if is_method && symbol.exported && symbol.name == symbol.name.to_ascii_uppercase() {
                add(Some(at), &symbol.name);
            }
        }
    }
}

/// Whether the name of a file may be a route.
pub(super) fn is_route_file(path: &str) -> bool {
    route_of_path(path).is_some()
}

/// The route of a file, and the framework whose convention it follows.
fn route_of_path(path: &str) -> Option<(String, &'static str)> {
    let (folder, name) = path.rsplit_once('/')?;
    let stem = name.split('.').next()?;
    let below = |marks: &[&str]| -> Option<String> {
        let padded = format!("/{folder}/");
        let mut rests = marks.iter().filter_map(|mark| {
            let at = padded.find(&format!("/{mark}/"))?;
            Some(
                padded[at + mark.len() + 2..]
                    .trim_end_matches('/')
                    .to_owned(),
            )
        });
        rests.next()
    };
    if stem == "route" {
        return Some((to_path(&below(&["app"])?), "next.js"));
    }
    if stem == "+server" {
        return Some((to_path(&below(&["routes"])?), "sveltekit"));
    }
    let rest = below(&["pages/api"])?;
    let last = if stem == "index" { "" } else { stem };
    let full = format!("api/{rest}/{last}");
    Some((to_path(&full), "next.js pages"))
}

/// The path of a route. Segments in parentheses and segments that begin with `@` only group files, so they are left out.
fn to_path(rest: &str) -> String {
    let parts = rest
        .split('/')
        .filter(|part| !part.is_empty() && !part.starts_with('(') && !part.starts_with('@'));
    parts.map(|part| format!("/{part}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_files_are_routes() {
        let check = |path: &str| route_of_path(path).map(|(path, _)| path);
        assert_eq!(
            check("src/app/(shop)/api/users/[id]/route.ts").as_deref(),
            Some("/api/users/[id]")
        );
        assert_eq!(
            check("web/pages/api/users/[id].ts").as_deref(),
            Some("/api/users/[id]")
        );
        assert_eq!(check("pages/api/index.js").as_deref(), Some("/api"));
        assert_eq!(check("src/routes/x/+server.ts").as_deref(), Some("/x"));
        assert_eq!(check("src/lib/route.ts"), None);
        assert_eq!(check("pages/users.tsx"), None);
    }
}
