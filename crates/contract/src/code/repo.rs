//! The files of a repository as this crate needs them, and tables for looking up names.

use super::endpoints::LONGEST_TEXT;
use super::imports::FileImports;
use super::signature::parameter_types;
use crate::{Fuel, SymbolLocation};
use base::remote::{CallTerm, RemoteCall, Term};
use base::{Language, MarkKind};
use rustc_hash::FxHashMap;
use std::rc::Rc;

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
    /// Whether it was generated or copied from elsewhere.
    pub generated: bool,
    /// Its imports.
    pub imports: Vec<CodeImport>,
    /// Its calls, constants and similar marks that links are made from, and its decorators, in order of lines.
    pub marks: Vec<CodeMark>,
    /// Its definitions in order of lines.
    pub symbols: Vec<CodeSymbol>,
}

/// An import of a file.
#[derive(Debug, Clone)]
pub struct CodeImport {
    /// The module as written.
    pub specifier: String,
    /// The imported file.
    pub target: Option<String>,
    /// The imported names. For a whole module, its name in this file.
    pub names: Vec<String>,
    /// The line, from 1.
    pub line: u32,
}

/// A mark of a file.
#[derive(Debug, Clone)]
pub struct CodeMark {
    /// The kind of mark.
    pub kind: MarkKind,
    /// The index in [`CodeFile::symbols`] of the definition around the mark. `None` if there is none.
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
    /// The signature on one line.
    pub signature: Option<String>,
    /// Whether other files can import it.
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

    /// Whether it can be the handler of a route.
    fn may_handle(&self) -> bool {
        let kinds = ["variable", "constant", "class", "field", "property"];
        self.is_callable() || kinds.contains(&&*self.kind)
    }

    pub(super) fn is_type(&self) -> bool {
        matches!(
            &*self.kind,
            "class" | "struct" | "interface" | "trait" | "object"
        )
    }
}

/// A call in a file, with its position.
pub(super) struct Call {
    pub(super) file: usize,
    pub(super) symbol: Option<usize>,
    pub(super) line: u32,
    /// The content, shared by equal calls.
    pub(super) remote: Rc<RemoteCall>,
}

impl Call {
    /// The content of the call.
    pub(super) fn term(&self) -> &CallTerm {
        &self.remote.call
    }
}

/// A variable of a file: file and name.
pub(super) type Binding = (usize, String);

/// Definitions by a name: file and symbol.
type ByName<'f> = FxHashMap<&'f str, Vec<(usize, usize)>>;

/// All files.
pub(super) struct CodeRepo<'f> {
    pub(super) files: &'f [CodeFile],
    pub(super) fuel: &'f Fuel,
    /// Calls of each file, in order of lines.
    pub(super) calls: Vec<Vec<Call>>,
    by_path: FxHashMap<&'f str, usize>,
    /// Definitions by their last name.
    by_name: ByName<'f>,
    /// The first definition with a name in a file that can be a handler.
    handlers: FxHashMap<(usize, &'f str), usize>,
    /// Calls whose value is bound to a name, by file and name. The values are indexes of the file's calls.
    bindings: FxHashMap<Binding, Vec<usize>>,
    /// The values of constants, by the last part of the name. `None` if constants of that name have several values.
    constants: FxHashMap<&'f str, Option<&'f str>>,
    /// The same by file.
    constants_of_file: FxHashMap<(usize, &'f str), Option<&'f str>>,
    /// The facts from the imports of each file.
    imports: Vec<FileImports<'f>>,
    /// The types of a file, by name.
    types: FxHashMap<(usize, &'f str), usize>,
    /// The default exports of files.
    defaults: FxHashMap<usize, usize>,
}

/// Maximum number of definitions of one name. More frequent names are not looked up.
const MOST_NAMESAKES: usize = 200;

/// Maximum number of parameter types that are kept, the same as for operations of contracts.
const MOST_PARAMETERS: usize = 64;

impl<'f> CodeRepo<'f> {
    pub(super) fn new(files: &'f [CodeFile], fuel: &'f Fuel) -> CodeRepo<'f> {
        let mut repo = CodeRepo {
            files,
            fuel,
            calls: Vec::with_capacity(files.len()),
            by_path: FxHashMap::default(),
            by_name: FxHashMap::default(),
            handlers: FxHashMap::default(),
            bindings: FxHashMap::default(),
            constants: FxHashMap::default(),
            constants_of_file: FxHashMap::default(),
            imports: Vec::with_capacity(files.len()),
            types: FxHashMap::default(),
            defaults: FxHashMap::default(),
        };
        // Equal lines are decoded once.
        let mut decoded: FxHashMap<&str, Option<Rc<RemoteCall>>> = FxHashMap::default();
        for (number, file) in files.iter().enumerate() {
            repo.by_path.insert(&file.path, number);
            repo.imports.push(FileImports::new(file, fuel));
            repo.add_symbols(number, file);
            repo.add_calls(number, file, &mut decoded);
        }
        for ((file, _), calls) in &mut repo.bindings {
            calls.sort_by_key(|at| repo.calls[*file][*at].line);
        }
        repo
    }

    fn add_symbols(&mut self, number: usize, file: &'f CodeFile) {
        for (at, symbol) in file.symbols.iter().enumerate() {
            let name = symbol.last_name();
            self.by_name.entry(name).or_default().push((number, at));
            if symbol.may_handle() {
                self.handlers.entry((number, name)).or_insert(at);
            }
            if symbol.is_type() {
                self.types.entry((number, &*symbol.name)).or_insert(at);
            }
            if symbol.default_export {
                self.defaults.entry(number).or_insert(at);
            }
        }
    }

    fn add_calls(
        &mut self,
        number: usize,
        file: &'f CodeFile,
        decoded: &mut FxHashMap<&'f str, Option<Rc<RemoteCall>>>,
    ) {
        let mut calls = Vec::new();
        for mark in &file.marks {
            match mark.kind {
                MarkKind::RemoteCall => {
                    let known = decoded.entry(&mark.detail).or_insert_with(|| {
                        // The terms of a call take about three times its bytes.
                        let call = self.fuel.keep(3 * mark.detail.len());
                        let call = call.then(|| serde_json::from_str(&mark.detail).ok());
                        call.flatten().map(Rc::new)
                    });
                    let Some(remote) = known.clone() else {
                        continue;
                    };
                    if let Some(bound) = &remote.bound {
                        let key = (number, bound.clone());
                        self.bindings.entry(key).or_default().push(calls.len());
                    }
                    calls.push(Call {
                        file: number,
                        symbol: mark.symbol,
                        line: mark.line,
                        remote,
                    });
                }
                MarkKind::RemoteText => {
                    let last = mark.name.rsplit('.').next().unwrap_or(&mark.name);
                    let own = self.constants_of_file.entry((number, last));
                    for text in [
                        self.constants.entry(last).or_insert(Some(&mark.detail)),
                        own.or_insert(Some(&mark.detail)),
                    ] {
                        if *text != Some(&mark.detail) {
                            *text = None;
                        }
                    }
                }
                _ => {}
            }
        }
        self.calls.push(calls);
    }

    pub(super) fn all_calls(&self) -> impl Iterator<Item = &Call> {
        let all = self.calls.iter().flatten();
        all.take_while(|_| self.fuel.spend(1))
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
        let parameters = callable.and_then(|s| {
            let signature = s.signature.as_deref()?;
            self.fuel.spend_on_text(signature.len());
            let mut types = parameter_types(signature, s.last_name(), of.language)?;
            types.truncate(MOST_PARAMETERS);
            Some(types)
        });
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

    /// The facts from the imports of a file.
    pub(super) fn imports(&self, file: usize) -> &FileImports<'f> {
        &self.imports[file]
    }

    /// The first definition with a name in a file that can be a handler.
    pub(super) fn handler_named(&self, file: usize, name: &str) -> Option<usize> {
        self.handlers.get(&(file, name)).copied()
    }

    /// The default export of a file.
    pub(super) fn default_export(&self, file: usize) -> Option<usize> {
        self.defaults.get(&file).copied()
    }

    /// Definitions of a name in all files; empty if there are too many.
    pub(super) fn everywhere(&self, name: &str) -> &[(usize, usize)] {
        let all = self.by_name.get(name).map_or(&[][..], |v| v);
        if all.len() > MOST_NAMESAKES { &[] } else { all }
    }

    /// The call whose value is bound to a name at a line of a file: the nearest one before the line, or the first one.
    pub(super) fn bound_call(&self, file: usize, name: &str, line: u32) -> Option<&Call> {
        let all = self.bindings.get(&(file, name.to_owned()))?;
        let calls = &self.calls[file];
        let behind = all.partition_point(|at| calls[*at].line <= line);
        all.get(behind.saturating_sub(1)).map(|at| &calls[*at])
    }

    /// The file and the original name of an imported name: `a` in `import a from "./b"`, `c` in `b.c` if `b` is a module.
    pub(super) fn imported(&self, file: usize, name: &str) -> Option<(usize, String)> {
        let (first, rest) = match name.split_once('.') {
            Some((first, rest)) => (first, Some(rest)),
            None => (name, None),
        };
        let target = self.imports[file].target_of_name(first)?;
        let target = self.file_of_path(target)?;
        Some((target, rest.unwrap_or(first).to_owned()))
    }

    /// The value of a constant as a file sees it: its own value, or one that is the same in all files.
    fn constant_in(&self, file: usize, name: &str) -> Option<&'f str> {
        let last = name.rsplit('.').next().unwrap_or(name);
        let own = self.constants_of_file.get(&(file, last)).copied();
        own.flatten().or_else(|| self.constant(name))
    }

    /// The value of a constant, if it is the same in all files.
    pub(super) fn constant(&self, name: &str) -> Option<&'f str> {
        let last = name.rsplit('.').next().unwrap_or(name);
        *self.constants.get(last)?
    }

    /// A text with the values of the names that are inserted into it, as long as it stays short enough.
    pub(super) fn resolved(&self, text: &str) -> String {
        self.resolved_by(text, &|name| self.constant(name))
    }

    /// As [`CodeRepo::resolved`], with the constants that a file sees.
    pub(super) fn resolved_in(&self, file: usize, text: &str) -> String {
        self.resolved_by(text, &|name| self.constant_in(file, name))
    }

    fn resolved_by(&self, text: &str, constant: &dyn Fn(&str) -> Option<&'f str>) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            out.push_str(before);
            let Some((name, behind)) = after.split_once('}') else {
                out.push('{');
                rest = after;
                continue;
            };
            let value = constant(name).filter(|_| is_constant_name(name));
            match value.filter(|value| out.len() + value.len() + behind.len() <= LONGEST_TEXT) {
                Some(value) => out.push_str(value),
                None => {
                    out.push('{');
                    out.push_str(name);
                    out.push('}');
                }
            }
            rest = behind;
        }
        out.push_str(rest);
        self.fuel.spend_on_text(out.len());
        out
    }

    /// The text of a term: a literal, or the value of a constant.
    pub(super) fn text_of(&self, term: &Term) -> Option<String> {
        match term {
            Term::Text(text) => Some(self.resolved(text)),
            Term::Name(name) if is_constant_name(name) => Some(self.constant(name)?.to_owned()),
            _ => None,
        }
    }

    /// As [`CodeRepo::text_of`], with the constants that a file sees.
    pub(super) fn text_in(&self, file: usize, term: &Term) -> Option<String> {
        match term {
            Term::Text(text) => Some(self.resolved_in(file, text)),
            Term::Name(name) if is_constant_name(name) => {
                Some(self.constant_in(file, name)?.to_owned())
            }
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

/// Whether a name may be a constant rather than a changing value: `BASE_URL`, `settings.API_PREFIX`, `config.baseUrl`.
pub(super) fn is_constant_name(name: &str) -> bool {
    let last = name.rsplit('.').next().unwrap_or(name);
    let lower = last.to_ascii_lowercase();
    let is_upper = last.len() > 2 && !last.bytes().any(|b| b.is_ascii_lowercase());
    is_upper
        || ["url", "uri", "prefix", "base", "path", "endpoint", "host"]
            .iter()
            .any(|w| lower.ends_with(w))
}
