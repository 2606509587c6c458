//! `go.mod`, and `go.sum` for modules that older ones do not list.

use super::table::LockfileBuilder;
use super::{Ecosystem, Manifests, ParseError, folder_of};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Most replaced versions of a module; further ones are not replaced.
const MOST_REPLACED: usize = 100;

pub(super) fn read(
    path: &str,
    text: &str,
    manifests: &Manifests,
) -> Result<LockfileBuilder, ParseError> {
    let mut table = LockfileBuilder::new(Ecosystem::Go, "go.mod");
    let file = GoMod::read(text)?;
    let root = match file.module.as_str() {
        "" => super::folder_name(path),
        module => module.to_owned(),
    };
    table.add_root(&root);
    for (module, version, indirect) in &file.require {
        let (name, version) = file.apply_replacement(module, version);
        let number = table.add_package(name, version);
        if *indirect {
            table.add_indirect_dependency(&root, number, false)
        } else {
            table.add_direct_dependency(&root, number, false)
        }
    }
    // Before Go 1.17 a module listed its own requirements alone.
    if !file.lists_all {
        let listed: BTreeSet<&str> = file.require.iter().map(|(m, ..)| m.as_str()).collect();
        let sums = manifests.get(&format!("{}go.sum", folder_of(path)));
        for (module, version) in newest_versions_in_sums(sums.unwrap_or_default()) {
            if !listed.contains(module) {
                let number = table.add_package(module, version);
                table.add_indirect_dependency(&root, number, false);
            }
        }
    }
    Ok(table)
}

/// Modules whose source was fetched, in their greatest version.
fn newest_versions_in_sums(sums: &str) -> BTreeMap<&str, &str> {
    let mut all: BTreeMap<&str, &str> = BTreeMap::new();
    for line in sums.lines() {
        let mut words = line.split_whitespace();
        let (Some(module), Some(version)) = (words.next(), words.next()) else {
            continue;
        };
        if version.ends_with("/go.mod") {
            continue;
        }
        let kept = all.entry(module).or_insert(version);
        if version_numbers(version) > version_numbers(kept) {
            *kept = version;
        }
    }
    all
}

fn version_numbers(version: &str) -> Vec<u64> {
    let parts = version.split(|c: char| !c.is_ascii_digit());
    parts.filter_map(|p| p.parse().ok()).collect()
}

struct Replacement {
    old_version: String,
    module: String,
    version: String,
}

#[derive(Default)]
struct GoMod {
    module: String,
    /// Module, version, and whether it is indirect.
    require: Vec<(String, String, bool)>,
    /// Replacements by module: the version that is replaced (empty for all), and the replacement.
    replace: FxHashMap<String, Vec<Replacement>>,
    lists_all: bool,
}

impl GoMod {
    fn read(text: &str) -> Result<GoMod, ParseError> {
        let mut file = GoMod::default();
        let mut block: Option<(String, usize)> = None;
        for (raw, at) in text.lines().zip(1..) {
            let (body, comment) = raw.split_once("//").unwrap_or((raw, ""));
            let body = body.trim();
            let mut words: Vec<&str> = body.split_whitespace().map(unquote).collect();
            match (&block, words.as_slice()) {
                (_, []) => continue,
                (Some(_), [")"]) => {
                    block = None;
                    continue;
                }
                (None, [word, "("]) => {
                    block = Some(((*word).to_owned(), at));
                    continue;
                }
                (None, [")"]) => return Err(ParseError::at_line(at, "`)` without an open block")),
                _ => {}
            }
            let word = match &block {
                Some((word, _)) => word.clone(),
                None => words.remove(0).to_owned(),
            };
            file.parse_directive(&word, &words, comment, at)?;
        }
        match block {
            Some((word, at)) => Err(ParseError::at_line(
                at,
                format!("the block of {word} has no `)`"),
            )),
            None => Ok(file),
        }
    }

    fn parse_directive(
        &mut self,
        word: &str,
        rest: &[&str],
        comment: &str,
        at: usize,
    ) -> Result<(), ParseError> {
        let own = |text: &&str| (*text).to_owned();
        match (word, rest) {
            ("module", [name]) => self.module = own(name),
            ("go", [version]) => self.lists_all = version_numbers(version) >= vec![1, 17],
            ("require", [module, version]) if version.starts_with('v') => {
                let indirect = comment.trim().starts_with("indirect");
                self.require.push((own(module), own(version), indirect));
            }
            ("replace", rest) => {
                let Some(arrow) = rest.iter().position(|w| *w == "=>") else {
                    return Err(ParseError::at_line(at, "replace without =>"));
                };
                let word = |n: usize| rest.get(n).map(own).unwrap_or_default();
                let before = if arrow > 1 { word(1) } else { String::new() };
                // Go allows one replacement for each version of a module.
                let of_module = self.replace.entry(word(0)).or_default();
                if of_module.len() < MOST_REPLACED {
                    of_module.push(Replacement {
                        old_version: before,
                        module: word(arrow + 1),
                        version: word(arrow + 2),
                    });
                }
            }
            ("module" | "require", _) => {
                let reason = format!("{word} needs a module and a version");
                return Err(ParseError::at_line(at, reason));
            }
            _ => {}
        }
        Ok(())
    }

    /// Applies the replacement of a module, if there is one. A folder replaces without a version.
    fn apply_replacement<'a>(&'a self, module: &'a str, version: &'a str) -> (&'a str, &'a str) {
        let mut all = self.replace.get(module).into_iter().flatten();
        let found = all.find(|r| r.old_version.is_empty() || r.old_version == version);
        match found {
            Some(r) if r.module.starts_with(['.', '/']) => (module, ""),
            Some(r) => (&r.module, &r.version),
            None => (module, version),
        }
    }
}

fn unquote(word: &str) -> &str {
    word.trim_matches(['"', '`'])
}
