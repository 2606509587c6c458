//! The facts that a file's imports give, looked up once.

use super::repo::CodeFile;
use crate::Fuel;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;
use text::list;

/// Parts of imports that indicate a web framework, with its name.
static FRAMEWORKS: LazyLock<Vec<(&str, &str)>> =
    LazyLock::new(|| list::pairs(include_str!("frameworks.tsv")).collect());

/// Parts of imports that indicate a message broker, with its name.
static BROKERS: LazyLock<Vec<(&str, &str)>> =
    LazyLock::new(|| list::pairs(include_str!("brokers.tsv")).collect());

/// Python modules that indicate a framework.
const PYTHON: [&str; 4] = ["fastapi", "flask", "sanic", "starlette"];

/// The imports of a file.
pub(super) struct FileImports<'f> {
    file: &'f CodeFile,
    /// Import statements by a bound name, or by the last word of a module. If there are several, this is the first.
    by_name: FxHashMap<&'f str, usize>,
    /// Import statements by the imported module.
    by_specifier: FxHashMap<&'f str, usize>,
    /// The web framework.
    pub(super) framework: Option<&'static str>,
    /// The framework of Python.
    pub(super) python_framework: Option<&'static str>,
    /// Whether a Django module is among them.
    pub(super) is_django: bool,
    /// The message broker.
    pub(super) broker: Option<&'static str>,
}

impl<'f> FileImports<'f> {
    pub(super) fn new(file: &'f CodeFile, fuel: &Fuel) -> FileImports<'f> {
        let mut found = FileImports {
            file,
            by_name: FxHashMap::default(),
            by_specifier: FxHashMap::default(),
            framework: None,
            python_framework: None,
            is_django: false,
            broker: None,
        };
        for at in 0..file.imports.len() {
            // The cost grows with the length, since each specifier is compared with several words.
            let length = file.imports[at].specifier.len();
            if !fuel.spend(4 + length / 4 + file.imports[at].names.len()) {
                break;
            }
            found.add(at);
        }
        found
    }

    fn add(&mut self, at: usize) {
        let import = &self.file.imports[at];
        let specifier = import.specifier.as_str();
        if import.names.is_empty() {
            self.by_name.entry(last_word(specifier)).or_insert(at);
        }
        for name in &import.names {
            self.by_name.entry(name.as_str()).or_insert(at);
        }
        self.by_specifier.entry(specifier).or_insert(at);
        let of = |known: &[(&str, &'static str)], text: &str| {
            let found = known.iter().find(|(part, _)| text.contains(part));
            found.map(|(_, name)| *name)
        };
        self.framework = self.framework.or_else(|| of(&FRAMEWORKS, specifier));
        self.broker = self
            .broker
            .or_else(|| of(&BROKERS, &specifier.to_ascii_lowercase()));
        let python = || PYTHON.into_iter().find(|name| specifier.starts_with(name));
        self.python_framework = self.python_framework.or_else(python);
        self.is_django |= specifier.starts_with("django");
    }

    /// The file that a name comes from.
    pub(super) fn target_of_name(&self, name: &str) -> Option<&'f str> {
        self.target(*self.by_name.get(name)?)
    }

    /// The file of a module.
    pub(super) fn target_of_module(&self, specifier: &str) -> Option<&'f str> {
        self.target(*self.by_specifier.get(specifier)?)
    }

    fn target(&self, at: usize) -> Option<&'f str> {
        self.file.imports[at].target.as_deref()
    }
}

/// The last word of a module's name: `users` of `./routes/users`, `app/users`.
fn last_word(specifier: &str) -> &str {
    specifier
        .rsplit(['/', '.', ':'])
        .next()
        .unwrap_or(specifier)
}
