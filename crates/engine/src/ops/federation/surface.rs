//! The surface of a project: its contracts, and the code places that provide or use something over a network.

use super::repositories::Folders;
use crate::EngineError;
use crate::project::Project;
use crate::session::Session;
use base::remote::MOST_REMOTE_MARKS;
use base::{Language, MarkKind, is_test_path};
use contract::code::{CodeFile, CodeImport, CodeMark, CodeSymbol, find_endpoints_within};
use contract::link::{PackageImport, RepoSurface};
use contract::{Contract, ContractType, DeclaredType, Fuel, SymbolLocation};
use ingest::walk;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use store::NodeFlags;

/// Kinds of nodes that can provide or use something, or contain such nodes.
const KINDS: [&str; 14] = [
    "function",
    "method",
    "constructor",
    "class",
    "struct",
    "interface",
    "trait",
    "object",
    "enum",
    "variable",
    "constant",
    "field",
    "property",
    "type_alias",
];

/// The approximate bytes of a source line with a mark.
const PER_LINE: usize = 16;

/// The surface of a project. `others` are the contracts of other repositories: their names are searched for in its code.
pub(super) fn read_surface(
    session: &Session<'_>,
    name: &str,
    (mut contracts, others): (Vec<Contract>, &[&Contract]),
    fuel: &Fuel,
) -> Result<RepoSurface, EngineError> {
    let code = CodeReader::read(session, fuel)?;
    session.check_cancelled()?;
    contracts.extend(code.type_contracts());
    let known: Vec<&Contract> = contracts.iter().chain(others.iter().copied()).collect();
    for contract in &known {
        fuel.add_input(contract.size());
    }
    let endpoints = find_endpoints_within(&code.files, &known, fuel);
    session.check_cancelled()?;
    Ok(RepoSurface {
        name: name.to_owned(),
        endpoints,
        packages: names_of(packages(session.project())?),
        imports: code.package_imports(),
        named: code.named,
        contracts,
    })
}

/// The npm packages of a project, as pairs of manifest path and name.
pub(super) fn packages(project: &Project) -> Result<Vec<(String, String)>, EngineError> {
    let is_manifest = |path: &str| path == "package.json" || path.ends_with("/package.json");
    let mut found = Vec::new();
    for file in walk::texts(&project.root, 1 << 20, &is_manifest)?
        .into_iter()
        .take(1_000)
    {
        let text = project.read(&file.path, 1 << 20).unwrap_or_default();
        let read = analysis::bounded_json(&text);
        if let Some(name) = read
            .ok()
            .and_then(|v| Some(v.get("name")?.as_str()?.to_owned()))
        {
            found.push((file.path, name));
        }
    }
    Ok(found)
}

fn names_of(packages: Vec<(String, String)>) -> Vec<String> {
    let mut names: Vec<String> = packages.into_iter().map(|(_, name)| name).collect();
    names.sort();
    names.dedup();
    names
}

/// Divides a project's surface by folders that are repositories of their own. Anything outside these folders belongs to the
/// first part. The project is read once, however many folders there are.
pub(super) fn divide(
    whole: RepoSurface,
    packages: Vec<(String, String)>,
    names: &[&str],
    folders: &Folders,
) -> Vec<RepoSurface> {
    let mut parts: Vec<RepoSurface> = names
        .iter()
        .map(|name| RepoSurface {
            name: (*name).to_owned(),
            ..RepoSurface::default()
        })
        .collect();
    for contract in whole.contracts {
        parts[folders.owner(&contract.path)]
            .contracts
            .push(contract);
    }
    for endpoint in whole.endpoints {
        parts[folders.owner(&endpoint.file_path)]
            .endpoints
            .push(endpoint);
    }
    for import in whole.imports {
        parts[folders.owner(&import.place.file_path)]
            .imports
            .push(import);
    }
    for (path, name) in packages {
        parts[folders.owner(&path)].packages.push(name);
    }
    for part in &mut parts {
        part.packages.sort();
        part.packages.dedup();
    }
    parts[0].named = whole.named;
    parts
}

/// The code of a project, as the rows of the store describe it.
struct CodeReader {
    files: Vec<CodeFile>,
    named: Vec<SymbolLocation>,
}

impl CodeReader {
    fn read(session: &Session<'_>, fuel: &Fuel) -> Result<CodeReader, EngineError> {
        let store = session.store();
        let mut files: BTreeMap<String, CodeFile> = BTreeMap::new();
        for (path, record) in store.indexed_files()? {
            let Some(language) = Language::from_name(&record.language) else {
                continue;
            };
            if matches!(&*record.role, "vendor" | "minified") {
                continue;
            }
            let file = CodeFile {
                id: String::new(),
                test: record.role == "test" || is_test_path(&path),
                generated: record.role == "generated",
                language,
                imports: Vec::new(),
                marks: Vec::new(),
                symbols: Vec::new(),
                path: path.clone(),
            };
            files.insert(path, file);
        }
        let mut named = Vec::new();
        let mut of_node: FxHashMap<String, (String, Option<String>)> = FxHashMap::default();
        store.for_each_node(&mut |node| {
            if node.flags.contains(NodeFlags::MANUAL) {
                named.push(SymbolLocation {
                    id: node.id,
                    symbol: node.qualified_name.unwrap_or(node.symbol),
                    file_path: node.file_path,
                    line: node.line_start.unwrap_or(1),
                    ..SymbolLocation::default()
                });
                return;
            }
            let Some(file) = files.get_mut(&node.file_path) else {
                return;
            };
            if node.kind == "file" {
                file.id.clone_from(&node.id);
                of_node.insert(node.id, (node.file_path, None));
                return;
            }
            if !KINDS.contains(&&*node.kind) {
                of_node.insert(node.id, (node.file_path, None));
                return;
            }
            of_node.insert(node.id.clone(), (node.file_path, Some(node.id.clone())));
            file.symbols.push(CodeSymbol {
                id: node.id,
                name: node.qualified_name.unwrap_or(node.symbol),
                kind: node.kind,
                line: node.line_start.unwrap_or(1),
                end_line: node.line_end.unwrap_or(1),
                signature: node.signature,
                exported: node.flags.contains(NodeFlags::EXPORTED),
                default_export: node.flags.contains(NodeFlags::DEFAULT_EXPORT),
            });
        })?;
        let mut reader = CodeReader {
            files: files.into_values().collect(),
            named,
        };
        reader.sort_symbols();
        reader.add_marks(session, &of_node, fuel)?;
        reader.add_imports(session, fuel)?;
        Ok(reader)
    }

    fn sort_symbols(&mut self) {
        for file in &mut self.files {
            file.symbols
                .sort_by(|a, b| (a.line, &a.id).cmp(&(b.line, &b.id)));
        }
    }

    fn add_marks(
        &mut self,
        session: &Session<'_>,
        of_node: &FxHashMap<String, (String, Option<String>)>,
        fuel: &Fuel,
    ) -> Result<(), EngineError> {
        let mut at: FxHashMap<&str, usize> = FxHashMap::default();
        let mut symbols: FxHashMap<&str, usize> = FxHashMap::default();
        for (number, file) in self.files.iter().enumerate() {
            at.insert(&file.path, number);
            symbols.extend(
                file.symbols
                    .iter()
                    .enumerate()
                    .map(|(n, s)| (s.id.as_str(), n)),
            );
        }
        let mut found: Vec<(usize, CodeMark)> = Vec::new();
        session.store().for_each_mark(&mut |mark| {
            if !mark.kind.is_remote() && mark.kind != MarkKind::Decorator {
                return;
            }
            let Some((path, symbol)) = of_node.get(mark.source_id) else {
                return;
            };
            let Some(file) = at.get(path.as_str()) else {
                return;
            };
            let symbol = symbol.as_deref().and_then(|id| symbols.get(id).copied());
            // A mark on several lines is read once and kept for each line.
            fuel.add_input(mark.name.len() + mark.detail.len() + PER_LINE * mark.lines.len());
            let length = mark.name.len() + mark.detail.len();
            let paid = mark.lines.iter().take_while(|_| fuel.keep(length));
            found.extend(paid.map(|line| {
                let mark = CodeMark {
                    kind: mark.kind,
                    symbol,
                    name: mark.name.to_owned(),
                    detail: mark.detail.to_owned(),
                    line: *line,
                };
                (*file, mark)
            }));
        })?;
        for (file, mark) in found {
            self.files[file].marks.push(mark);
        }
        for file in &mut self.files {
            let remote = file.marks.iter().filter(|mark| mark.kind.is_remote());
            if remote.count() >= MOST_REMOTE_MARKS {
                fuel.record_cut();
            }
            file.marks.sort_by(|a, b| {
                (a.line, a.kind, &a.name, &a.detail).cmp(&(b.line, b.kind, &b.name, &b.detail))
            });
        }
        Ok(())
    }

    fn add_imports(&mut self, session: &Session<'_>, fuel: &Fuel) -> Result<(), EngineError> {
        let at: FxHashMap<String, usize> = self
            .files
            .iter()
            .enumerate()
            .map(|(number, file)| (file.path.clone(), number))
            .collect();
        session.store().for_each_import(&mut |import| {
            let Some(file) = at.get(import.path) else {
                return;
            };
            fuel.add_input(import.specifier.len() + import.names.len());
            let names = import.names.split(',').filter(|n| !n.is_empty());
            self.files[*file].imports.push(CodeImport {
                specifier: import.specifier.to_owned(),
                target: import.target.map(str::to_owned),
                names: names.map(str::to_owned).collect(),
                line: import.line,
            });
        })?;
        Ok(())
    }

    /// Exported types of TypeScript, as contracts: those of files that hold types for others.
    fn type_contracts(&self) -> Vec<Contract> {
        let files = self.files.iter().filter(|file| {
            file.language.family() == Language::TypeScript
                && !file.test
                && is_types_path(&file.path)
        });
        let contracts = files.map(|file| {
            let types = file.symbols.iter().filter(|symbol| {
                let is_type =
                    matches!(&*symbol.kind, "interface" | "type_alias" | "enum" | "class");
                symbol.exported && is_type
            });
            let mut contract = Contract::new(&file.path, ContractType::TypeScript);
            contract.types = types
                .map(|symbol| DeclaredType {
                    name: symbol.name.clone(),
                    line: symbol.line,
                    fields: Vec::new(),
                })
                .collect();
            contract
        });
        contracts.filter(|c| !c.types.is_empty()).collect()
    }

    /// Imports from packages outside the project.
    fn package_imports(&self) -> Vec<PackageImport> {
        let mut found = Vec::new();
        for file in &self.files {
            for import in &file.imports {
                let is_package = import.target.is_none() && !import.specifier.starts_with('.');
                if !is_package || import.names.is_empty() {
                    continue;
                }
                let place = SymbolLocation {
                    id: file.id.clone(),
                    symbol: file.path.clone(),
                    file_path: file.path.clone(),
                    line: import.line,
                    parameters: None,
                    test: file.test,
                    generated: file.generated,
                };
                found.push(PackageImport {
                    package: package_of(&import.specifier).to_owned(),
                    names: import.names.clone(),
                    place,
                });
            }
        }
        found
    }
}

/// `@scope/name` of `@scope/name/deep`.
fn package_of(specifier: &str) -> &str {
    let parts = if specifier.starts_with('@') { 2 } else { 1 };
    let end = specifier.match_indices('/').nth(parts - 1);
    end.map_or(specifier, |(at, _)| &specifier[..at])
}

/// Whether a file of TypeScript holds types for others, by the habits of its name.
fn is_types_path(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let name = lower.rsplit('/').next().unwrap_or(&lower);
    let folders = [
        "types",
        "contracts",
        "interfaces",
        "dto",
        "schemas",
        "models",
    ];
    lower.ends_with(".d.ts")
        || name.contains("types")
        || name.contains("contract")
        || name == "index.ts"
        || lower
            .split('/')
            .rev()
            .skip(1)
            .any(|folder| folders.contains(&folder))
}
