//! YAML as a tree, as far as lock files use it: mappings with text keys, lists, texts.

use super::Broken;
use saphyr_parser::{Event, Parser};

/// Deeper than any lock file.
const DEEPEST: usize = 24;

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Yaml {
    Text(String),
    Map(Vec<(String, Yaml)>),
    List(Vec<Yaml>),
}

impl Yaml {
    /// The first document's value; an empty text where there is none.
    pub(super) fn read(text: &str) -> Result<Yaml, Broken> {
        let mut stack: Vec<(Yaml, Option<String>)> = Vec::new();
        for event in Parser::new_from_str(text) {
            let (event, span) = event
                .map_err(|e| Broken::at(e.marker().line(), format!("no YAML: {}", e.info())))?;
            let done = match event {
                Event::Scalar(text, ..) => Some(Yaml::Text(text.into_owned())),
                Event::Alias(_) => Some(Yaml::Text(String::new())),
                Event::MappingStart(..) | Event::SequenceStart(..) if stack.len() > DEEPEST => {
                    return Err(Broken::at(span.start.line(), "nests too deeply"));
                }
                Event::MappingStart(..) => {
                    stack.push((Yaml::Map(Vec::new()), None));
                    None
                }
                Event::SequenceStart(..) => {
                    stack.push((Yaml::List(Vec::new()), None));
                    None
                }
                Event::MappingEnd | Event::SequenceEnd => stack.pop().map(|(value, _)| value),
                Event::DocumentEnd => break,
                _ => None,
            };
            if let Some(value) = done {
                match stack.last_mut() {
                    None => return Ok(value),
                    Some(open) => put(open, value),
                }
            }
        }
        Ok(Yaml::Text(String::new()))
    }

    pub(super) fn get(&self, key: &str) -> Option<&Yaml> {
        self.entries().find(|(k, _)| *k == key).map(|(_, v)| v)
    }

    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Yaml::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The pairs of a mapping; none of anything else.
    pub(super) fn entries(&self) -> impl Iterator<Item = (&str, &Yaml)> {
        let pairs: &[(String, Yaml)] = match self {
            Yaml::Map(pairs) => pairs,
            _ => &[],
        };
        pairs.iter().map(|(key, value)| (key.as_str(), value))
    }

    /// The pairs below a key.
    pub(super) fn below(&self, key: &str) -> impl Iterator<Item = (&str, &Yaml)> {
        self.get(key).into_iter().flat_map(Yaml::entries)
    }
}

fn put(open: &mut (Yaml, Option<String>), value: Yaml) {
    match (&mut open.0, open.1.take()) {
        (Yaml::List(items), _) => items.push(value),
        (Yaml::Map(pairs), Some(key)) => pairs.push((key, value)),
        // A key that is no text has no name.
        (Yaml::Map(_), None) => open.1 = Some(value.text().unwrap_or_default().to_owned()),
        (Yaml::Text(_), _) => {}
    }
}
