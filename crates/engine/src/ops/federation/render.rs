//! Answers as text.

use super::{ContractMatch, FederatedRepository, FederationAnswer, FederationFound, VirtualEdge};
use contract::{Endpoint, Protocol, Role};
use std::fmt::Write;

impl FederationAnswer {
    /// The answer as text. Names come from other people's repositories, so each line is made safe
    /// to print.
    pub fn to_text(&self) -> String {
        let mut out = String::new();
        match &self.found {
            FederationFound::Repositories {
                config,
                indexed_at,
                repositories,
                virtual_edges,
                high,
            } => {
                let file = config
                    .as_deref()
                    .unwrap_or("no configuration: this repository alone");
                let when = indexed_at.as_deref().unwrap_or("never");
                let _ = writeln!(out, "repositories ({file}), contracts read: {when}");
                for one in repositories {
                    write_repository(&mut out, one);
                }
                let _ = writeln!(
                    out,
                    "{virtual_edges} virtual edges stored, {high} of high confidence"
                );
            }
            FederationFound::Matches {
                query,
                total,
                results,
                virtual_edges,
            } => {
                line(&mut out, &format!("{total} found for {query}"));
                for one in results {
                    write_match(&mut out, one);
                }
                for edge in virtual_edges.iter().flatten() {
                    write_edge(&mut out, edge);
                }
            }
            FederationFound::Generated {
                counts,
                repositories,
                providers,
                consumers,
                edges,
            } => {
                line(
                    &mut out,
                    &format!(
                        "{} virtual edges ({} high) between {}: {} new, {} changed, {} removed",
                        counts.total,
                        counts.high,
                        repositories.join(", "),
                        counts.added,
                        counts.updated,
                        counts.removed
                    ),
                );
                let _ = writeln!(
                    out,
                    "from {providers} places that provide and {consumers} that use"
                );
                for edge in edges {
                    write_edge(&mut out, edge);
                }
            }
            FederationFound::Endpoints { total, endpoints } => {
                line(&mut out, &format!("{total} places serve or ask"));
                for endpoint in endpoints {
                    write_endpoint(&mut out, endpoint);
                }
            }
            FederationFound::Edges {
                symbol,
                total,
                edges,
            } => {
                line(&mut out, &format!("{total} virtual edges of {symbol}"));
                for edge in edges {
                    write_edge(&mut out, edge);
                }
            }
        }
        out
    }
}

fn write_repository(out: &mut String, one: &FederatedRepository) {
    let reason = one
        .reason
        .as_deref()
        .map(|r| format!("  ({r})"))
        .unwrap_or_default();
    line(
        out,
        &format!(
            "  {}  {}  {} contracts, {} operations, {} types{reason}",
            one.name, one.status, one.contracts, one.operations, one.types
        ),
    );
}

fn write_match(out: &mut String, one: &ContractMatch) {
    line(
        out,
        &format!(
            "  {}  {}  {}:{}  [{} {}]  {}",
            one.symbol,
            one.repo,
            one.file_path,
            one.line,
            one.contract_type,
            one.kind,
            one.signature
        ),
    );
}

fn write_endpoint(out: &mut String, endpoint: &Endpoint) {
    let role = match endpoint.role {
        Role::Provider => "serves",
        Role::Consumer => "asks",
    };
    let what = match &endpoint.protocol {
        Protocol::Http { method, path, .. } => format!("{method} {path}"),
        Protocol::Rpc {
            service, method, ..
        } => match service {
            Some(service) => format!("{service}.{method}"),
            None => method.clone(),
        },
        Protocol::GraphQl { root, field } => format!("{root} {field}"),
        Protocol::Topic { system, name } => format!("{system} topic {name}"),
    };
    let (symbol, file) = (&endpoint.place.symbol, &endpoint.file_path);
    let (at, by) = (endpoint.line, &endpoint.by);
    line(
        out,
        &format!("  {role} {}  {symbol}  {file}:{at}  ({by})", what.trim()),
    );
}

fn line(out: &mut String, text: &str) {
    let _ = writeln!(out, "{}", guard::text::escape_line(text));
}

fn write_edge(out: &mut String, found: &VirtualEdge) {
    let (edge, detail) = (&found.edge, &found.edge.detail);
    let place = |file: &Option<String>, at: Option<u32>| match (file, at) {
        (Some(file), Some(at)) => format!(" {file}:{at}"),
        (Some(file), None) => format!(" {file}"),
        _ => String::new(),
    };
    line(
        out,
        &format!(
            "  {:.2} {}  {}:{}{} -> {}:{}{}  [{} {}]",
            edge.confidence,
            found.confidence_level,
            edge.source_repo,
            edge.source_symbol,
            place(&detail.source_file, detail.source_line),
            edge.target_repo,
            edge.target_symbol,
            place(&detail.target_file, detail.target_line),
            edge.contract_type,
            detail.operation.as_deref().unwrap_or(&edge.edge_type),
        ),
    );
    if let Some(evidence) = &detail.evidence {
        line(out, &format!("       {evidence}"));
    }
}
