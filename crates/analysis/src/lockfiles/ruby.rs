//! `Gemfile.lock`, with the groups of the `Gemfile`.

use super::table::LockfileBuilder;
use super::{Ecosystem, Manifests, ParseError, folder_name, folder_of};
use rustc_hash::{FxHashMap, FxHashSet};

pub(super) fn read(
    path: &str,
    text: &str,
    manifests: &Manifests,
) -> Result<LockfileBuilder, ParseError> {
    let mut table = LockfileBuilder::new(Ecosystem::RubyGems, "Gemfile.lock");
    let mut numbers: FxHashMap<String, u32> = FxHashMap::default();
    let mut needs: Vec<(u32, String)> = Vec::new();
    let mut direct: Vec<String> = Vec::new();
    let mut section = "";
    let mut last: Option<u32> = None;
    for (line, at) in text.lines().zip(1..) {
        let body = line.trim_end();
        let indent = body.len() - body.trim_start().len();
        let body = body.trim_start();
        match (indent, section) {
            _ if body.is_empty() => {}
            (0, _) => {
                let is_head = |c: char| c.is_ascii_uppercase() || c == ' ';
                if !body.chars().all(is_head) {
                    return Err(ParseError::at_line(at, format!("no section: {body}")));
                }
                section = body;
            }
            (4, "GEM" | "GIT" | "PATH") => {
                let Some((name, version)) = body.split_once(" (") else {
                    return Err(ParseError::at_line(
                        at,
                        format!("a gem without a version: {body}"),
                    ));
                };
                // `1.15.4-x86_64-linux` is a build of 1.15.4.
                let version = version.trim_end_matches(')');
                let version = version.split('-').next().unwrap_or(version);
                let number = table.add_package(name, version);
                numbers.insert(name.to_owned(), number);
                last = Some(number);
            }
            (6, "GEM" | "GIT" | "PATH") => match last {
                Some(from) => needs.push((from, gem_name(body))),
                None => {
                    return Err(ParseError::at_line(
                        at,
                        format!("belongs to no gem: {body}"),
                    ));
                }
            },
            (2, "DEPENDENCIES") => direct.push(gem_name(body)),
            _ => {}
        }
    }
    for (from, name) in needs {
        if let Some(to) = numbers.get(&name) {
            table.add_dependency(from, *to);
        }
    }
    let gemfile = manifests.get(&format!("{}Gemfile", folder_of(path)));
    let dev = dev_gems(gemfile.unwrap_or_default());
    let root = folder_name(path);
    table.add_root(&root);
    for name in direct {
        if let Some(to) = numbers.get(&name) {
            table.add_direct_dependency(&root, *to, dev.contains(&name));
        }
    }
    Ok(table)
}

/// `rails (~> 7.0)`, `rails!`.
fn gem_name(body: &str) -> String {
    let name = body.split([' ', '!']).next().unwrap_or(body);
    name.to_owned()
}

/// Gems in groups for development or tests.
fn dev_gems(gemfile: &str) -> FxHashSet<String> {
    let is_dev = |text: &str| text.contains(":development") || text.contains(":test");
    let mut found = FxHashSet::default();
    let mut groups: Vec<bool> = Vec::new();
    for line in gemfile.lines() {
        let body = line.split('#').next().unwrap_or(line).trim();
        if body.ends_with(" do") || body.contains(" do |") {
            groups.push(body.starts_with("group") && is_dev(body));
        } else if body == "end" {
            groups.pop();
        } else if let Some(rest) = body.strip_prefix("gem ") {
            let name = rest.trim().trim_start_matches(['"', '\'']);
            let name = name.split(['"', '\'']).next().unwrap_or(name);
            let alone = body.contains("group") && is_dev(body);
            if alone || groups.iter().any(|dev| *dev) {
                found.insert(name.to_owned());
            }
        }
    }
    found
}
