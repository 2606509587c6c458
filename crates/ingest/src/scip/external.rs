//! Symbols of other packages, named like those of the linker: package and dotted path.

use super::symbol::{GlobalSymbol, Suffix};

/// Package and symbol of an external; `None` for the language's own library and for symbols without a package.
pub(super) fn external_symbol(global: &GlobalSymbol<'_>) -> Option<(String, String)> {
    let mut names = global.descriptors.iter();
    let mut path: Vec<&str> = Vec::new();
    let package = match &*global.package {
        "" | "." | "typescript" => return None,
        "python-stdlib" => {
            let module = names.next()?;
            if module.name == "builtins" {
                return None;
            }
            module.name.to_string()
        }
        "@types/node" => node_module_name(global)?,
        typed if typed.starts_with("@types/") => match typed["@types/".len()..].split_once("__") {
            Some((scope, name)) => format!("@{scope}/{name}"),
            None => typed["@types/".len()..].to_owned(),
        },
        other => other.to_owned(),
    };
    for part in names {
        let is_file = part.suffix == Suffix::Namespace
            && (part.name.contains(".d.")
                || part.name.ends_with(".ts")
                || part.name.starts_with('"'));
        let is_frame = part.name == "__init__" && part.suffix == Suffix::Meta;
        let is_crate = part.name == "crate" && part.suffix == Suffix::Namespace;
        if !is_file && !is_frame && !is_crate {
            path.push(&part.name);
        }
    }
    // The folders above the files of a TypeScript package say nothing about its exports.
    if &*global.manager == "npm" {
        let inner = global
            .descriptors
            .iter()
            .filter(|d| d.suffix != Suffix::Namespace);
        path = inner.map(|d| &*d.name).collect();
    }
    // Line ends in names would look like lines of our output.
    let plain = |name: String| name.replace(char::is_control, "\u{fffd}");
    Some((plain(package), plain(path.join("."))))
}

/// `node:fs` for a symbol declared in `declare module "fs"` (or in `fs.d.ts`); `None` for globals.
fn node_module_name(global: &GlobalSymbol<'_>) -> Option<String> {
    let quoted = global
        .descriptors
        .iter()
        .find(|d| d.name.starts_with('"'))?;
    let module = quoted.name.trim_matches('"');
    Some(match module.strip_prefix("node:") {
        Some(_) => module.to_owned(),
        None => format!("node:{module}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_named_as_people_import_them() {
        let of = |symbol: &str| external_symbol(&GlobalSymbol::parse(symbol).unwrap());
        let pair = |p: &str, s: &str| Some((p.to_owned(), s.to_owned()));
        assert_eq!(
            of("scip-python python python-stdlib 3.11 `urllib.parse`/quote()."),
            pair("urllib.parse", "quote")
        );
        assert_eq!(
            of("scip-python python python-stdlib 3.11 builtins/str#join()."),
            None
        );
        assert_eq!(
            of("scip-python python python-stdlib 3.11 re/__init__:"),
            pair("re", "")
        );
        assert_eq!(
            of("scip-typescript npm @types/node 20.0 `fs.d.ts`/`\"fs\"`/readFileSync()."),
            pair("node:fs", "readFileSync")
        );
        assert_eq!(
            of("scip-typescript npm @types/babel__core 7 `index.d.ts`/transform()."),
            pair("@babel/core", "transform")
        );
        assert_eq!(
            of("scip-typescript npm typescript 5.9 lib/`lib.es5.d.ts`/Array#map()."),
            None
        );
        assert_eq!(
            of("rust-analyzer cargo std https://x process/ExitCode#"),
            pair("std", "process.ExitCode")
        );
        assert_eq!(
            of("rust-analyzer cargo clap 4.6.1 crate/"),
            pair("clap", "")
        );
    }
}
