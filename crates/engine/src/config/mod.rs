//! Configuration: the keys, the sources of their values, and warnings.
//!
//! Order: flag, environment, project, user, default. An unusable value is ignored with a warning, so that a mistake in a file
//! never stops a question. There are no keys for secrets: they come from the environment alone.

mod keys;
mod layers;
mod sections;
mod show;
mod value;
mod yaml;

pub use keys::{KEYS, Key, Scope, find as find_key};
pub use layers::{Origin, Override, Source, Warning};
pub use sections::{
    DaemonConfig, EmbeddingConfig, FeatureFlags, GraphRagConfig, HookConfig, RerankConfig,
};
pub use show::{ConfigAnswer, Entry};
pub use value::{Kind, SizeError, Value, ValueError, parse_byte_size};

use layers::LayeredValues;

/// All keys with their values and origins.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// The values in the order of [`KEYS`].
    values: Vec<(Value, Origin)>,
    sources: Vec<Source>,
    warnings: Vec<Warning>,
}

impl Default for Config {
    /// All keys at their defaults.
    fn default() -> Config {
        let default = |key: &Key| (key.kind.default(), Origin::Default);
        Config {
            values: KEYS.iter().map(default).collect(),
            sources: Vec::new(),
            warnings: Vec::new(),
        }
    }
}

impl Config {
    /// Reads the files and applies the overrides before them. A missing file is no error.
    pub(crate) fn load(sources: Vec<Source>, overrides: &[Override]) -> Config {
        let own = sources.iter().rfind(|source| source.is_users);
        let mut layers = LayeredValues::empty_with_user_file(own.map(|source| source.path.clone()));
        for given in overrides {
            layers.apply_override(given);
        }
        let read = |mut source: Source| {
            layers.read_source(&mut source);
            source
        };
        let sources = sources.into_iter().map(read).collect();
        Config::from_layers(layers, sources)
    }

    /// The configuration from a project's file with this text.
    pub fn from_project_text(text: &str) -> Config {
        let mut source = Source {
            path: "config.yaml".into(),
            within: None,
            is_users: false,
            may_be_others: false,
            is_read: false,
        };
        let mut layers = LayeredValues::default();
        layers.apply_text(&mut source, text);
        Config::from_layers(layers, vec![source])
    }

    fn from_layers(mut layers: LayeredValues, sources: Vec<Source>) -> Config {
        let mut config = Config {
            sources,
            ..Config::default()
        };
        for (slot, index) in config.values.iter_mut().zip(0..) {
            if let Some(found) = layers.take_value(index) {
                *slot = found;
            }
        }
        config.warnings = layers.into_warnings(&config);
        config
    }

    /// The warnings, in order of reading.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// The files looked at, strongest first.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// A key's value and origin; none for an unknown key.
    pub fn get(&self, name: &str) -> Option<(&Value, &Origin)> {
        let (value, origin) = self.values.get(keys::key_index(name)?)?;
        Some((value, origin))
    }

    /// Whether the key was set.
    pub fn is_set(&self, name: &str) -> bool {
        self.get(name)
            .is_some_and(|(_, origin)| *origin != Origin::Default)
    }

    /// The value of a key that is on or off; off for an unknown one.
    pub fn flag(&self, name: &str) -> bool {
        matches!(self.get(name), Some((Value::Flag(true), _)))
    }

    /// The value of a key that is a whole number; 0 for an unknown one.
    pub fn integer(&self, name: &str) -> i64 {
        match self.get(name) {
            Some((Value::Integer(number), _)) => *number,
            _ => 0,
        }
    }

    /// The value of a key that is a number; 0 for an unknown one.
    pub fn number(&self, name: &str) -> f64 {
        match self.get(name) {
            Some((Value::Number(number), _)) => *number,
            _ => 0.0,
        }
    }

    /// The value of a key that is a text, where it has one.
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.get(name) {
            Some((Value::Text(text), _)) => Some(text),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
