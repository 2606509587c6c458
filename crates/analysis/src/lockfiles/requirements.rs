//! `requirements.txt` and the like, with the notes of pip-compile and uv on the packages that need each (`# via`).

use super::python::{normalize_name, requirement_name};
use super::table::LockfileBuilder;
use super::{Ecosystem, ParseError, file_name, folder_name};
use rustc_hash::FxHashMap;

/// A requirement with the names behind its `# via`.
struct Requirement {
    name: String,
    version: String,
    via: Vec<String>,
}

pub(super) fn read(path: &str, text: &str) -> Result<LockfileBuilder, ParseError> {
    let mut table = LockfileBuilder::new(Ecosystem::PyPi, "requirements.txt");
    let lines = parse_requirements(text)?;
    let root = folder_name(path);
    let dev = is_dev_file(path);
    table.add_root(&root);
    let numbers: FxHashMap<&str, u32> = lines
        .iter()
        .map(|line| {
            (
                line.name.as_str(),
                table.add_package(&line.name, &line.version),
            )
        })
        .collect();
    for line in &lines {
        let to = numbers[line.name.as_str()];
        let mut direct = line.via.is_empty();
        for via in &line.via {
            match numbers.get(normalize_name(via).as_str()) {
                Some(from) => table.add_dependency(*from, to),
                // `-r requirements.in`, `my-project (pyproject.toml)`
                None => direct = true,
            }
        }
        if direct {
            table.add_direct_dependency(&root, to, dev);
        }
    }
    Ok(table)
}

/// Most included files of one list.
const MOST_INCLUDED: usize = 1_000;

/// Files that the list includes, as paths in the project. Addresses and files outside are kept as they are written: they
/// cannot be read, and that is said.
pub(super) fn included_files(path: &str, text: &str) -> Vec<String> {
    let words = ["-r", "--requirement"];
    let mut found = Vec::new();
    for line in text.lines().map(str::trim) {
        let rest = words.iter().find_map(|word| {
            let rest = line.strip_prefix(word)?;
            // `-r x`, `-rx`, `--requirement x`, `--requirement=x`
            let starts = word.len() == 2 || rest.starts_with(['=', ' ', '\t']);
            starts.then(|| rest.trim_start_matches(['=', ' ', '\t']))
        });
        let name = rest.and_then(|rest| rest.split_whitespace().next());
        if let Some(name) = name.map(|name| name.trim_matches(['"', '\''])) {
            found.push(join(super::folder_of(path), name));
        }
        if found.len() == MOST_INCLUDED {
            break;
        }
    }
    found
}

/// A path that is written in a file of a folder, from the top of the project.
fn join(folder: &str, name: &str) -> String {
    if name.contains("://") || name.starts_with('/') {
        return name.to_owned();
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split('/').chain(name.split('/')) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

fn is_dev_file(path: &str) -> bool {
    let name = file_name(path).to_lowercase();
    let words = ["dev", "test", "lint", "doc", "ci", "type", "build", "bench"];
    name.split(|c: char| !c.is_alphanumeric())
        .any(|part| words.iter().any(|word| part.starts_with(word)))
}

fn parse_requirements(text: &str) -> Result<Vec<Requirement>, ParseError> {
    let mut found: Vec<Requirement> = Vec::new();
    let mut in_via = false;
    let mut continued = false;
    for (raw, at) in text.lines().zip(1..) {
        let (body, comment) = match raw.find('#') {
            Some(0) => ("", Some(&raw[1..])),
            Some(hash) if raw[..hash].ends_with(char::is_whitespace) => {
                (&raw[..hash], Some(&raw[hash + 1..]))
            }
            _ => (raw, None),
        };
        let goes_on = body.trim_end().ends_with('\\');
        let body = body.trim().trim_end_matches('\\').trim_end();
        if !body.is_empty() && !std::mem::replace(&mut continued, goes_on) {
            in_via = false;
            found.extend(parse_requirement(body, at)?);
        } else if !body.is_empty() {
            continued = goes_on;
        }
        match comment {
            Some(comment) => read_via_comment(comment.trim(), &mut in_via, found.last_mut()),
            None if body.is_empty() => in_via = false,
            None => {}
        }
    }
    Ok(found)
}

/// `# via flask`, or `# via` with a name in each of the comments that follow.
fn read_via_comment(comment: &str, in_via: &mut bool, last: Option<&mut Requirement>) {
    let Some(line) = last else { return };
    let names = match comment.strip_prefix("via") {
        Some(rest) if rest.is_empty() || rest.starts_with(' ') => {
            *in_via = true;
            rest
        }
        _ if *in_via => comment,
        _ => return,
    };
    let names = names.split(',').map(str::trim).filter(|n| !n.is_empty());
    line.via.extend(names.map(str::to_owned));
}

/// Parses a requirement; `None` for options, and for anything that is no package of the registry.
fn parse_requirement(body: &str, at: usize) -> Result<Option<Requirement>, ParseError> {
    if body.starts_with('-') || body.starts_with('.') || body.starts_with('/') {
        return Ok(None);
    }
    let is_address = body.contains("://") && !body.contains(" @ ");
    if is_address {
        return Ok(None);
    }
    let Some(name) = requirement_name(body) else {
        return Err(ParseError::at_line(at, format!("no requirement: {body}")));
    };
    let pin = body.split([';', ' ']).next().unwrap_or(body);
    let version = pin.split_once("===").or_else(|| pin.split_once("=="));
    let spaced = body
        .split_once("== ")
        .map(|(_, v)| v.split([' ', ';', ',']).next().unwrap_or(v));
    let version = version.map(|(_, v)| v).filter(|v| !v.is_empty()).or(spaced);
    Ok(Some(Requirement {
        name,
        version: version
            .unwrap_or_default()
            .split(',')
            .next()
            .unwrap_or_default()
            .to_owned(),
        via: Vec::new(),
    }))
}
