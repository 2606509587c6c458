//! Repositories in one text: `//- path` begins a file.

use base::Language;
use base::facts::{DefFlags, DefId, FileFacts, Imported};
use contract::code::{CodeFile, CodeImport, CodeMark, CodeSymbol, find_endpoints_within};
use contract::link::{Link, LinkOptions, RepoSurface, link_repositories};
use contract::read::{contract_type_of_path, read_contract};
use contract::{Contract, Endpoint, Fuel, Protocol, Role};

/// The files of a fixture.
pub(crate) fn files(text: &str) -> Vec<(String, String)> {
    let files = testkit::parse_fixture(text).into_iter();
    files
        .map(|file| (file.path.to_owned(), file.text.to_owned()))
        .collect()
}

/// The surface of a repository.
pub(crate) fn surface(name: &str, text: &str) -> RepoSurface {
    surface_within(name, text, &Fuel::new(&base::Cancel::default()))
}

/// The surface, with fuel for the files.
pub(crate) fn surface_within(name: &str, text: &str, fuel: &Fuel) -> RepoSurface {
    let files = files(text);
    let mut contracts: Vec<Contract> = Vec::new();
    for (path, text) in &files {
        if let Some(kind) = contract_type_of_path(path) {
            contracts.extend(read_contract(path, text, kind, &|| false));
        }
    }
    let paths: Vec<&str> = files.iter().map(|(path, _)| path.as_str()).collect();
    let code: Vec<CodeFile> = files
        .iter()
        .filter_map(|(path, text)| {
            let language = Language::from_path(path)?;
            Some(code_file(path, &languages::extract(language, text), &paths))
        })
        .collect();
    let known: Vec<&Contract> = contracts.iter().collect();
    fuel.add_code(&code, &known);
    let endpoints = find_endpoints_within(&code, &known, fuel);
    RepoSurface {
        name: name.to_owned(),
        contracts,
        endpoints,
        ..RepoSurface::default()
    }
}

fn code_file(path: &str, facts: &FileFacts, paths: &[&str]) -> CodeFile {
    let mut symbols = Vec::new();
    let mut of_def = vec![None; facts.defs.len()];
    for (at, def) in facts.defs.iter().enumerate() {
        if def.flags.has(DefFlags::ANONYMOUS) || def.kind == base::SymbolKind::Impl {
            continue;
        }
        of_def[at] = Some(symbols.len());
        let name = facts.qualified_name(DefId(at as u32));
        symbols.push(CodeSymbol {
            id: format!("{path}#{name}"),
            name,
            kind: def.kind.as_str().to_owned(),
            line: def.span.start_line,
            end_line: def.span.end_line,
            signature: Some(def.signature_text.to_string()),
            exported: def.flags.has(DefFlags::EXPORTED),
            default_export: def.flags.has(DefFlags::DEFAULT_EXPORT),
        });
    }
    let mut marks: Vec<CodeMark> = facts
        .marks
        .iter()
        .map(|mark| CodeMark {
            kind: mark.kind,
            symbol: mark.owner.and_then(|owner| of_def[owner.index()]),
            name: mark.name.map_or("", |n| facts.name(n)).to_owned(),
            detail: mark.detail.map_or("", |n| facts.name(n)).to_owned(),
            line: mark.line,
        })
        .collect();
    marks.sort_by_key(|mark| mark.line);
    let imports = facts.imports.iter().map(|import| {
        let specifier = facts.name(import.module);
        let name = match import.what {
            Imported::Name(name) => Some(name),
            _ => import.local,
        };
        let name = name.map(|name| facts.name(name).to_owned());
        let target = find_target(path, specifier, import.level, name.as_deref(), paths);
        CodeImport {
            specifier: specifier.to_owned(),
            target,
            names: name.into_iter().collect(),
            line: import.line,
        }
    });
    CodeFile {
        id: path.to_owned(),
        path: path.to_owned(),
        language: facts.language,
        test: base::is_test_path(path),
        generated: path.contains("generated") || path.contains("_pb"),
        imports: imports.collect(),
        marks,
        symbols,
    }
}

/// The file of an import, as simply as the fixtures need it.
fn find_target(
    from: &str,
    specifier: &str,
    level: u32,
    name: Option<&str>,
    paths: &[&str],
) -> Option<String> {
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    let plain = specifier.trim_start_matches("./").replace("../", "");
    let dotted = plain.replace('.', "/");
    let name = name.unwrap_or_default();
    let mut wanted = vec![
        format!("{folder}/{plain}.ts"),
        format!("{plain}.ts"),
        format!("{folder}/{plain}.js"),
        format!("{plain}.js"),
        format!("{dotted}.py"),
        format!("{dotted}/{name}.py"),
    ];
    if level > 0 {
        wanted.push(format!("{folder}/{dotted}.py"));
        wanted.push(format!("{folder}/{name}.py"));
    }
    let mut found = wanted.iter().filter_map(|w| {
        let w = w.trim_start_matches('/');
        paths.iter().find(|p| **p == w)
    });
    found.next().map(|path| (*path).to_owned())
}

fn line_of(endpoint: &Endpoint) -> String {
    let role = match endpoint.role {
        Role::Provider => "<-",
        Role::Consumer => "->",
    };
    let what = match &endpoint.protocol {
        Protocol::Http {
            method,
            path,
            host,
            open_prefix,
            ..
        } => {
            let open = if *open_prefix { "…" } else { "" };
            let host = host.as_deref().unwrap_or("");
            let method = if method.is_empty() { "ANY" } else { method };
            format!("{method} {host}{open}{path}")
        }
        Protocol::Rpc {
            service,
            method,
            certain,
            by_texts,
        } => {
            let sure = match (certain, by_texts) {
                (true, _) => "",
                (_, true) => " by texts",
                _ => "?",
            };
            format!("{}.{method}{sure}", service.as_deref().unwrap_or(""))
        }
        Protocol::GraphQl { root, field } => format!("{root}.{field}"),
        Protocol::Topic { system, name } => format!("{system} topic {name}"),
    };
    format!("{role} {what}  {}  {}", endpoint.place.symbol, endpoint.by)
}

/// The endpoints of a repository, a line each.
pub(crate) fn endpoints(text: &str) -> Vec<String> {
    surface("here", text)
        .endpoints
        .iter()
        .map(line_of)
        .collect()
}

/// The links between repositories: `source -> target  what  confidence`.
pub(crate) fn links(repos: &[(&str, &str)]) -> Vec<String> {
    let surfaces: Vec<RepoSurface> = repos
        .iter()
        .map(|(name, text)| surface(name, text))
        .collect();
    let found = link_repositories(&surfaces, &LinkOptions::default()).links;
    found.iter().map(link_line).collect()
}

fn link_line(link: &Link) -> String {
    format!(
        "{}:{} -> {}:{}  {} {}  {}",
        link.source.repo,
        link.source.place.symbol,
        link.target.repo,
        link.target.place.symbol,
        link.contract_type,
        link.what,
        link.confidence.total,
    )
}
