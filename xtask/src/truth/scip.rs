//! Truth from a SCIP index: references to functions, methods, classes and macros at the call positions of the
//! syntax tree.

use super::positions::{Called, Named, Positions};
use super::{Kind, NameLocation, Site};
use anyhow::{Context, Result};
use base::Language;
use protobuf::Message;
use scip::types::{Document, Index, PositionEncoding};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use tree_sitter::Point;

/// Arguments of `truth`.
#[derive(clap::Args)]
pub struct Args {
    /// The SCIP index.
    #[arg(long)]
    index: PathBuf,
    /// The repository at the commit of the index.
    #[arg(long)]
    repo: PathBuf,
}

/// Writes the truth to standard output.
pub fn compare_with_scip(args: &Args) -> Result<()> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for site in sites(&args.index, &args.repo)? {
        serde_json::to_writer(&mut out, &site)?;
        out.write_all(b"\n")?;
    }
    out.flush()?;
    Ok(())
}

/// The truth of one repository.
pub fn sites(index: &Path, repo: &Path) -> Result<Vec<Site>> {
    let bytes = std::fs::read(index).with_context(|| index.display().to_string())?;
    let mut index = Index::parse_from_bytes(&bytes).with_context(|| index.display().to_string())?;
    let prefix = prefix(&index, repo);
    for document in &mut index.documents {
        document.relative_path.insert_str(0, &prefix);
    }
    let sources = sources(&index, repo);
    let definitions = Definitions::new(&index, &sources);
    let mut sites = Vec::new();
    for (document, (language, source)) in index.documents.iter().zip(&sources) {
        let Some(positions) = language.and_then(|l| Positions::new(l, source)) else {
            continue;
        };
        let occurrences = references(document);
        let lines: Vec<&str> = source.split('\n').collect();
        for call in positions.calls() {
            let column = column_in(document, lines[call.at.row], call.at.column);
            if let Some(symbols) = occurrences.get(&(call.at.row as i32, column))
                && !is_misnamed(lines[call.at.row], &call, symbols)
                && !is_macro_of_call(lines[call.at.row], &call, symbols)
            {
                sites.extend(definitions.site(document, &call, symbols));
            }
        }
    }
    sites.sort_by(|a, b| (&a.file, a.line, a.column).cmp(&(&b.file, b.line, b.column)));
    sites.dedup_by(|a, b| (&a.file, a.line, a.column) == (&b.file, b.line, b.column));
    Ok(sites)
}

/// Whether scip-python has named a method after the built-in class of the same name (`x.str()` becomes
/// `builtins/str#`).
fn is_misnamed(line: &str, call: &Called<'_>, symbols: &[&str]) -> bool {
    let built_in = format!("builtins/{}#", call.name);
    let member = line.get(..call.at.column).is_some_and(|l| l.ends_with('.'));
    member && symbols.iter().any(|s| s.ends_with(&built_in))
}

/// Whether rust-analyzer has named a macro at the call of a function. That happens when one `use` imports both
/// under the same name.
fn is_macro_of_call(line: &str, call: &Called<'_>, symbols: &[&str]) -> bool {
    let called = line.get(call.at.column + call.name.len()..);
    let is_call = called.is_some_and(|rest| rest.starts_with('('));
    let is_macro = |symbol: &&str| {
        symbol.starts_with("rust-analyzer ")
            && (symbol.ends_with('!') || symbol.contains("macros/builtin/"))
    };
    is_call && symbols.iter().all(is_macro)
}

/// The indexed folder within the repository, with a slash at its end; empty for the root. It is the tail of the
/// index's own root below which most of its documents exist.
pub fn prefix(index: &Index, repo: &Path) -> String {
    let root = index.metadata.project_root.trim_end_matches('/');
    let tails = std::iter::once("").chain(root.rmatch_indices('/').map(|(at, _)| &root[at + 1..]));
    let found = |tail: &str| {
        let folder = repo.join(tail);
        let documents = index.documents.iter();
        documents
            .filter(|d| folder.join(&d.relative_path).is_file())
            .count()
    };
    let best = tails
        .take_while(|tail| !tail.contains(':'))
        .max_by_key(|tail| (found(tail), std::cmp::Reverse(tail.len())));
    match best {
        None | Some("") => String::new(),
        Some(tail) => format!("{tail}/"),
    }
}

fn sources(index: &Index, repo: &Path) -> Vec<(Option<Language>, String)> {
    let read = |document: &Document| {
        let path = repo.join(&document.relative_path);
        let bytes = std::fs::read(path).unwrap_or_default();
        let language = Language::from_path(&document.relative_path);
        (language, String::from_utf8_lossy(&bytes).into_owned())
    };
    index.documents.iter().map(read).collect()
}

/// Symbols by row and column of every reference. A member of a union type has several at one position.
fn references(document: &Document) -> HashMap<(i32, i32), Vec<&str>> {
    let mut found: HashMap<(i32, i32), Vec<&str>> = HashMap::new();
    for occurrence in &document.occurrences {
        if occurrence.symbol_roles & 1 == 0 && occurrence.range.len() >= 3 {
            let at = (occurrence.range[0], occurrence.range[1]);
            found.entry(at).or_default().push(&occurrence.symbol);
        }
    }
    found
}

/// Converts a byte column to the document's unit. An unset unit means UTF-16, as written by the indexers that do
/// not set it.
fn column_in(document: &Document, line: &str, byte: usize) -> i32 {
    let before = line.get(..byte).unwrap_or(line);
    let units = match document.position_encoding.enum_value_or_default() {
        PositionEncoding::UTF8CodeUnitOffsetFromLineStart => byte,
        PositionEncoding::UTF32CodeUnitOffsetFromLineStart => before.chars().count(),
        _ => before.encode_utf16().count(),
    };
    units as i32
}

/// The inverse of [`column_in`].
fn byte_column(document: &Document, line: &str, column: i32) -> usize {
    line.char_indices()
        .map(|(at, _)| at)
        .find(|at| column_in(document, line, *at) >= column)
        .unwrap_or(line.len())
}

/// The positions and kinds of defined symbols.
struct Definitions<'i> {
    /// Local symbols are keyed by their document too.
    places: HashMap<(&'i str, &'i str), BTreeSet<NameLocation>>,
    /// The kind of each definition in the syntax tree.
    named: HashMap<(&'i str, &'i str), Named>,
    /// Packages with definitions in this repository.
    packages: HashSet<&'i str>,
    /// Python: symbols by descriptor without the folders above the package (`src.`). Tests often import the
    /// installed copy of a package that the repository contains.
    installed: HashMap<&'i str, &'i str>,
}

impl<'i> Definitions<'i> {
    fn new(index: &'i Index, sources: &[(Option<Language>, String)]) -> Self {
        let mut found = Definitions {
            places: HashMap::new(),
            named: HashMap::new(),
            packages: HashSet::new(),
            installed: HashMap::new(),
        };
        for (document, (language, source)) in index.documents.iter().zip(sources) {
            let positions = language.and_then(|l| Positions::new(l, source));
            let lines: Vec<&str> = source.split('\n').collect();
            for occurrence in &document.occurrences {
                if occurrence.symbol_roles & 1 == 0 || occurrence.range.len() < 3 {
                    continue;
                }
                let key = key(document, &occurrence.symbol);
                let row = occurrence.range[0];
                found.packages.extend(package(&occurrence.symbol));
                if let Some(descriptor) = descriptor(&occurrence.symbol)
                    && let Some(below) = descriptor.strip_prefix("`src.")
                {
                    found.installed.insert(below, &occurrence.symbol);
                }
                found.places.entry(key).or_default().insert(NameLocation {
                    file: document.relative_path.clone(),
                    line: row as u32 + 1,
                });
                if let (Some(positions), Some(line)) = (&positions, lines.get(row as usize)) {
                    let column = byte_column(document, line, occurrence.range[1]);
                    let named = positions.named(Point::new(row as usize, column));
                    let before = found.named.entry(key).or_insert(named);
                    if *before == Named::Other {
                        *before = named;
                    }
                }
            }
        }
        found
    }

    fn site(&self, document: &Document, call: &Called<'_>, symbols: &[&str]) -> Option<Site> {
        let mut site = Site {
            file: document.relative_path.clone(),
            line: call.at.row as u32 + 1,
            column: call.at.column as u32,
            name: call.name.to_owned(),
            target_file: None,
            target_line: None,
            targets: Vec::new(),
            kind: None,
            external: None,
        };
        let mut places = BTreeSet::new();
        for symbol in symbols {
            let own = descriptor(symbol)
                .and_then(|d| d.strip_prefix('`'))
                .and_then(|d| self.installed.get(d));
            let symbol = own.unwrap_or(symbol);
            if let Some(found) = self.places.get(&key(document, symbol)) {
                let kind = self.kind(document, symbol);
                places.extend(found.iter().cloned());
                if kind == Kind::Class {
                    places.extend(self.class_places(symbol));
                }
                site.kind.get_or_insert(kind);
            }
        }
        let mut places: Vec<NameLocation> = places.into_iter().collect();
        match (places.pop(), places.is_empty()) {
            (Some(only), true) => {
                site.target_file = Some(only.file);
                site.target_line = Some(only.line);
            }
            (Some(last), false) => {
                places.push(last);
                site.targets = places;
            }
            (None, _) => site.external = Some(self.external(symbols.first()?)?),
        }
        Some(site)
    }

    /// A symbol outside the repository; none if the index should define its package.
    fn external(&self, symbol: &str) -> Option<String> {
        let package = package(symbol)?;
        let known = !self.packages.contains(package);
        known.then(|| symbol.split_once(' ').map(|(_, rest)| rest.to_owned()))?
    }

    fn kind(&self, document: &Document, symbol: &str) -> Kind {
        let named = self.named.get(&key(document, symbol));
        let is_rust = document.relative_path.ends_with(".rs");
        if symbol.ends_with("`<constructor>`().") {
            Kind::Class
        } else if symbol.ends_with(").") {
            Kind::Function
        } else if symbol.ends_with('!') {
            Kind::Macro
        } else if is_rust && symbol.ends_with('#') {
            Kind::Variant
        } else if symbol.ends_with('#') {
            Kind::Class
        } else {
            match named {
                Some(Named::Function) => Kind::Function,
                Some(Named::Class) => Kind::Class,
                _ => Kind::Value,
            }
        }
    }

    /// The positions of a class and its constructors: either may be recorded for a call of the other.
    fn class_places(&self, symbol: &str) -> Vec<NameLocation> {
        let class = symbol.strip_suffix("`<constructor>`().").unwrap_or(symbol);
        let names = ["", "`<constructor>`().", "__init__()."].map(|c| format!("{class}{c}"));
        names
            .iter()
            .filter_map(|name| self.places.get(&("", name.as_str())))
            .flatten()
            .cloned()
            .collect()
    }
}

fn key<'a>(document: &'a Document, symbol: &'a str) -> (&'a str, &'a str) {
    let local = symbol.starts_with("local ");
    (if local { &document.relative_path } else { "" }, symbol)
}

/// The part after `scheme manager name version ` in a Python symbol.
fn descriptor(symbol: &str) -> Option<&str> {
    let rest = symbol.strip_prefix("scip-python ")?;
    rest.splitn(4, ' ').nth(3)
}

/// `manager name version` of a global symbol.
fn package(symbol: &str) -> Option<&str> {
    if symbol.starts_with("local ") {
        return None;
    }
    let start = symbol.find(' ')? + 1;
    let ends = symbol[start..].match_indices(' ').nth(2)?.0;
    Some(&symbol[start..start + ends])
}
