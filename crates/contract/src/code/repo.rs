//! The files of a repository as this crate needs them, with look-up of names.

use super::signature::parameter_types;
use crate::SymbolLocation;
use base::Cancel;
use base::remote::{CallTerm, RemoteCall, Term};
use base::{Language, MarkKind};
use rustc_hash::FxHashMap;

/// A file.
#[derive(Debug, Clone)]
pub struct CodeFile {
    /// The node of the file.
    pub id: String,
    /// Its path.
    pub path: String,
    /// Its language.
    pub language: Language,
    /// Whether it is a test.
    pub test: bool,
    /// Whether it was generated or copied from others.
    pub generated: bool,
    /// What it imports.
    pub imports: Vec<CodeImport>,
    /// What it says of other programs, and decorators, in order of lines.
    pub marks: Vec<CodeMark>,
    /// Its definitions in order of lines.
    pub symbols: Vec<CodeSymbol>,
}

/// An import of a file.
#[derive(Debug, Clone)]
pub struct CodeImport {
    /// The module as it is written.
    pub specifier: String,
    /// The file that it is.
    pub target: Option<String>,
    /// What is imported; of a module its name here.
    pub names: Vec<String>,
    /// The line, from 1.
    pub line: u32,
}

/// A mark of a file.
#[derive(Debug, Clone)]
pub struct CodeMark {
    /// What it says.
    pub kind: MarkKind,
    /// The definition that has it: a place in [`CodeFile::symbols`]. None for the file.
    pub symbol: Option<usize>,
    /// See [`MarkKind`].
    pub name: String,
    /// See [`MarkKind`].
    pub detail: String,
    /// The line, from 1.
    pub line: u32,
}

/// A definition of a file.
#[derive(Debug, Clone)]
pub struct CodeSymbol {
    /// Its node.
    pub id: String,
    /// Its name, dotted within the file.
    pub name: String,
    /// A word of [`base::SymbolKind`].
    pub kind: String,
    /// The first line, from 1.
    pub line: u32,
    /// The last line.
    pub end_line: u32,
    /// On one line.
    pub signature: Option<String>,
    /// Whether others can import it.
    pub exported: bool,
    /// Whether it is the default export.
    pub default_export: bool,
}

impl CodeSymbol {
    /// The last part of its name.
    pub(super) fn last_name(&self) -> &str {
        self.name.rsplit('.').next().unwrap_or(&self.name)
    }

    pub(super) fn is_callable(&self) -> bool {
        matches!(&*self.kind, "function" | "method" | "constructor")
    }

    pub(super) fn is_type(&self) -> bool {
        matches!(
            &*self.kind,
            "class" | "struct" | "interface" | "trait" | "object"
        )
    }
}

/// A kept call with where it stands.
pub(super) struct Call {
    pub(super) file: usize,
    pub(super) symbol: Option<usize>,
    pub(super) line: u32,
    pub(super) remote: RemoteCall,
}

impl Call {
    /// The call itself.
    pub(super) fn term(&self) -> &CallTerm {
        &self.remote.call
    }
}

/// The name of a file's variable.
pub(super) type Binding = (usize, String);

/// All files.
pub(super) struct CodeRepo<'f> {
    pub(super) files: &'f [CodeFile],
    cancel: &'f Cancel,
    /// Calls of each file, in order of lines.
    pub(super) calls: Vec<Vec<Call>>,
    by_path: FxHashMap<&'f str, usize>,
    /// Definitions by their last name: file and symbol.
    by_name: FxHashMap<&'f str, Vec<(usize, usize)>>,
    by_name_and_file: FxHashMap<&'f str, FxHashMap<usize, Vec<usize>>>,
    /// Calls that a name is bound to, by file and name: numbers of calls of the file.
    bindings: FxHashMap<Binding, Vec<usize>>,
    /// Texts that names stand for: by the last part of the name; none where they stand for several.
    constants: FxHashMap<&'f str, Option<&'f str>>,
    /// Import statements by a name that they bind, or by the last word of a module: their numbers in the file.
    imports: Vec<FxHashMap<&'f str, usize>>,
    /// Types of a file by their names.
    types: FxHashMap<(usize, &'f str), usize>,
}

/// A name that has more definitions is looked up no further.
const MOST_NAMESAKES: usize = 200;

impl<'f> CodeRepo<'f> {
    pub(super) fn new(files: &'f [CodeFile], cancel: &'f Cancel) -> CodeRepo<'f> {
        let mut repo = CodeRepo {
            files,
            cancel,
            calls: Vec::with_capacity(files.len()),
            by_path: FxHashMap::default(),
            by_name: FxHashMap::default(),
            by_name_and_file: FxHashMap::default(),
            bindings: FxHashMap::default(),
            constants: FxHashMap::default(),
            imports: files.iter().map(imports_by_name).collect(),
            types: FxHashMap::default(),
        };
        for (number, file) in files.iter().enumerate() {
            repo.by_path.insert(&file.path, number);
            for (at, symbol) in file.symbols.iter().enumerate() {
                let names = repo.by_name.entry(symbol.last_name()).or_default();
                names.push((number, at));
                let of_name = repo.by_name_and_file.entry(symbol.last_name()).or_default();
                of_name.entry(number).or_default().push(at);
                if symbol.is_type() {
                    repo.types.entry((number, &*symbol.name)).or_insert(at);
                }
            }
            let mut calls = Vec::new();
            for mark in &file.marks {
                match mark.kind {
                    MarkKind::RemoteCall => {
                        let Ok(call) = serde_json::from_str::<RemoteCall>(&mark.detail) else {
                            continue;
                        };
                        if let Some(bound) = &call.bound {
                            let key = (number, bound.clone());
                            repo.bindings.entry(key).or_default().push(calls.len());
                        }
                        calls.push(Call {
                            file: number,
                            symbol: mark.symbol,
                            line: mark.line,
                            remote: call,
                        });
                    }
                    MarkKind::RemoteText => {
                        let last = mark.name.rsplit('.').next().unwrap_or(&mark.name);
                        let text = repo.constants.entry(last).or_insert(Some(&mark.detail));
                        if *text != Some(&mark.detail) {
                            *text = None;
                        }
                    }
                    _ => {}
                }
            }
            repo.calls.push(calls);
        }
        for ((file, _), calls) in &mut repo.bindings {
            calls.sort_by_key(|at| repo.calls[*file][*at].line);
        }
        repo
    }

    pub(super) fn all_calls(&self) -> impl Iterator<Item = &Call> {
        let all = self.calls.iter().flatten();
        all.take_while(|_| !self.cancel.is_set())
    }

    pub(super) fn file(&self, number: usize) -> &'f CodeFile {
        &self.files[number]
    }

    pub(super) fn file_of_path(&self, path: &str) -> Option<usize> {
        self.by_path.get(path).copied()
    }

    /// The place of a definition, or of a file.
    pub(super) fn place(&self, file: usize, symbol: Option<usize>) -> SymbolLocation {
        let of = self.file(file);
        let symbol = symbol.map(|at| &of.symbols[at]);
        let callable = symbol.filter(|s| s.is_callable());
        let parameters = callable
            .and_then(|s| parameter_types(s.signature.as_deref()?, s.last_name(), of.language));
        SymbolLocation {
            id: symbol.map_or(&of.id, |s| &s.id).clone(),
            symbol: symbol.map_or(&of.path, |s| &s.name).clone(),
            file_path: of.path.clone(),
            line: symbol.map_or(1, |s| s.line),
            parameters,
            test: of.test,
            generated: of.generated,
        }
    }

    /// Definitions of a name in a file.
    pub(super) fn symbols_named(&self, file: usize, name: &str) -> &[usize] {
        let of_name = self.by_name_and_file.get(name);
        let found = of_name.and_then(|files| files.get(&file));
        found.map_or(&[], |v| v)
    }

    /// Definitions of a name in all files; none where there are too many to tell.
    pub(super) fn everywhere(&self, name: &str) -> &[(usize, usize)] {
        let all = self.by_name.get(name).map_or(&[][..], |v| v);
        if all.len() > MOST_NAMESAKES { &[] } else { all }
    }

    /// The call whose value a name has at a line of a file: the nearest before it, else the first.
    pub(super) fn bound_call(&self, file: usize, name: &str, line: u32) -> Option<&Call> {
        let all = self.bindings.get(&(file, name.to_owned()))?;
        let calls = &self.calls[file];
        let behind = all.partition_point(|at| calls[*at].line <= line);
        all.get(behind.saturating_sub(1)).map(|at| &calls[*at])
    }

    /// The file and the name that a name of a file comes from, if it is imported: `a` of `import a from "./b"`, `c` of
    /// `b.c` where `b` is a module.
    pub(super) fn imported(&self, file: usize, name: &str) -> Option<(usize, String)> {
        let (first, rest) = match name.split_once('.') {
            Some((first, rest)) => (first, Some(rest)),
            None => (name, None),
        };
        let import = &self.file(file).imports[*self.imports[file].get(first)?];
        let target = self.file_of_path(import.target.as_deref()?)?;
        Some((target, rest.unwrap_or(first).to_owned()))
    }

    /// The text that a name stands for, where all files give it the same.
    pub(super) fn constant(&self, name: &str) -> Option<&'f str> {
        let last = name.rsplit('.').next().unwrap_or(name);
        *self.constants.get(last)?
    }

    /// A text with what is known of the names that are put into it.
    pub(super) fn resolved(&self, text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            out.push_str(before);
            let Some((name, behind)) = after.split_once('}') else {
                out.push('{');
                rest = after;
                continue;
            };
            match self.constant(name).filter(|_| is_constant_name(name)) {
                Some(value) => out.push_str(value),
                None => out.push_str(&format!("{{{name}}}")),
            }
            rest = behind;
        }
        out.push_str(rest);
        out
    }

    /// The text of a term: a text, or a name that stands for one.
    pub(super) fn text_of(&self, term: &Term) -> Option<String> {
        match term {
            Term::Text(text) => Some(self.resolved(text)),
            Term::Name(name) if is_constant_name(name) => Some(self.constant(name)?.to_owned()),
            _ => None,
        }
    }

    /// The class around a definition: the definition of the name before the last dot.
    pub(super) fn class_of(&self, file: usize, symbol: usize) -> Option<usize> {
        let symbols = &self.file(file).symbols;
        let (class, _) = symbols[symbol].name.rsplit_once('.')?;
        self.types.get(&(file, class)).copied()
    }
}

/// Whether a name can be that of a constant rather than of a value that comes and goes: `BASE_URL`, `settings.API_PREFIX`,
/// `config.baseUrl`.
pub(super) fn is_constant_name(name: &str) -> bool {
    let last = name.rsplit('.').next().unwrap_or(name);
    let lower = last.to_ascii_lowercase();
    let is_upper = last.len() > 2 && !last.bytes().any(|b| b.is_ascii_lowercase());
    is_upper
        || ["url", "uri", "prefix", "base", "path", "endpoint", "host"]
            .iter()
            .any(|w| lower.ends_with(w))
}

/// The import statements of a file by what they bind; of several the first.
fn imports_by_name(file: &CodeFile) -> FxHashMap<&str, usize> {
    let mut by_name = FxHashMap::default();
    for (at, import) in file.imports.iter().enumerate() {
        if import.names.is_empty() {
            by_name.entry(last_word(&import.specifier)).or_insert(at);
        }
        for name in &import.names {
            by_name.entry(name.as_str()).or_insert(at);
        }
    }
    by_name
}

/// The last word of a module's name: `users` of `./routes/users`, `app/users`.
fn last_word(specifier: &str) -> &str {
    specifier
        .rsplit(['/', '.', ':'])
        .next()
        .unwrap_or(specifier)
}
