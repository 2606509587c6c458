//! `requirements.txt` and its like, with the notes of pip-compile and uv on who asked (`# via`).

use super::python::{normal, required};
use super::table::Table;
use super::{Broken, Ecosystem, folder_name, name_of};
use rustc_hash::FxHashMap;

/// A requirement with the names behind its `# via`.
struct Line {
    name: String,
    version: String,
    via: Vec<String>,
}

pub(super) fn read(path: &str, text: &str) -> Result<Table, Broken> {
    let mut table = Table::new(Ecosystem::PyPi, "requirements.txt");
    let lines = lines(text)?;
    let root = folder_name(path);
    let dev = is_dev(path);
    table.root(&root);
    let numbers: FxHashMap<&str, u32> = lines
        .iter()
        .map(|line| (line.name.as_str(), table.package(&line.name, &line.version)))
        .collect();
    for line in &lines {
        let to = numbers[line.name.as_str()];
        let mut direct = line.via.is_empty();
        for via in &line.via {
            match numbers.get(normal(via).as_str()) {
                Some(from) => table.needs(*from, to),
                // `-r requirements.in`, `my-project (pyproject.toml)`
                None => direct = true,
            }
        }
        if direct {
            table.direct(&root, to, dev);
        }
    }
    Ok(table)
}

fn is_dev(path: &str) -> bool {
    let name = name_of(path).to_lowercase();
    let words = ["dev", "test", "lint", "doc", "ci", "type", "build", "bench"];
    name.split(|c: char| !c.is_alphanumeric())
        .any(|part| words.iter().any(|word| part.starts_with(word)))
}

fn lines(text: &str) -> Result<Vec<Line>, Broken> {
    let mut found: Vec<Line> = Vec::new();
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
            found.extend(requirement(body, at)?);
        } else if !body.is_empty() {
            continued = goes_on;
        }
        match comment {
            Some(comment) => note(comment.trim(), &mut in_via, found.last_mut()),
            None if body.is_empty() => in_via = false,
            None => {}
        }
    }
    Ok(found)
}

/// `# via flask`, or `# via` with a name in each of the comments that follow.
fn note(comment: &str, in_via: &mut bool, last: Option<&mut Line>) {
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

/// A requirement; none for options and for what is no package of the registry.
fn requirement(body: &str, at: usize) -> Result<Option<Line>, Broken> {
    if body.starts_with('-') || body.starts_with('.') || body.starts_with('/') {
        return Ok(None);
    }
    let is_address = body.contains("://") && !body.contains(" @ ");
    if is_address {
        return Ok(None);
    }
    let Some(name) = required(body) else {
        return Err(Broken::at(at, format!("no requirement: {body}")));
    };
    let pin = body.split([';', ' ']).next().unwrap_or(body);
    let version = pin.split_once("===").or_else(|| pin.split_once("=="));
    let spaced = body
        .split_once("== ")
        .map(|(_, v)| v.split([' ', ';', ',']).next().unwrap_or(v));
    let version = version.map(|(_, v)| v).filter(|v| !v.is_empty()).or(spaced);
    Ok(Some(Line {
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
