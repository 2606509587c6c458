//! Reads the records of a batch import from JSON, the same way for every backend.

use crate::{Batch, EdgeRecord, NodeFlags, NodeRecord, StoreError};
use base::{EdgeType, Site, Tier};
use serde_json::Value;
use std::str::FromStr;

/// Parses the nodes and edges of a batch.
///
/// Errors: [`StoreError::Batch`] with the position of the first bad record.
pub fn parse(batch: &Batch) -> Result<(Vec<NodeRecord>, Vec<EdgeRecord>), StoreError> {
    let nodes = parse_all("node", &batch.nodes, parse_node)?;
    let edges = parse_all("edge", &batch.edges, parse_edge)?;
    Ok((nodes, edges))
}

/// The reason why a record of a batch is refused.
#[derive(Debug, thiserror::Error)]
enum RecordError {
    #[error("not a JSON object")]
    NoObject,
    #[error("missing field \"{0}\"")]
    MissingField(&'static str),
    #[error("field \"{0}\" is empty")]
    EmptyField(&'static str),
    #[error("field \"{field}\" is no {wanted}")]
    WrongKind {
        field: &'static str,
        wanted: &'static str,
    },
    #[error(transparent)]
    EdgeType(#[from] base::UnknownEdgeType),
}

fn parse_all<T>(
    what: &'static str,
    values: &[Value],
    parse: impl Fn(&Value) -> Result<T, RecordError>,
) -> Result<Vec<T>, StoreError> {
    let at = |(position, value)| {
        parse(value).map_err(|error| StoreError::Batch {
            what,
            position,
            reason: error.to_string(),
        })
    };
    values.iter().enumerate().map(at).collect()
}

/// Parses a node of a batch; without `flags` it counts as added by hand.
fn parse_node(value: &Value) -> Result<NodeRecord, RecordError> {
    let flags = optional_number(value, &["flags"])?.unwrap_or_default() | NodeFlags::MANUAL;
    Ok(NodeRecord {
        id: required_text(value, &["id"])?,
        symbol: required_text(value, &["symbol"])?,
        kind: required_text(value, &["kind"])?,
        file_path: required_text(value, &["file_path", "file"])?,
        line_start: optional_number(value, &["line_start"])?,
        line_end: optional_number(value, &["line_end"])?,
        qualified_name: optional_text(value, &["qualified_name"])?,
        signature: optional_text(value, &["signature"])?,
        doc: optional_text(value, &["doc"])?,
        flags: NodeFlags(flags),
        scip_symbol: optional_text(value, &["scip_symbol"])?,
    })
}

/// Parses an edge of a batch; it counts as added by hand, whatever tier its source had.
fn parse_edge(value: &Value) -> Result<EdgeRecord, RecordError> {
    let word = required_text(value, &["type", "edge_type"])?;
    let confidence =
        match value.get("confidence") {
            None | Some(Value::Null) => 1.0,
            Some(given) => given.as_f64().filter(|c| (0.0..=1.0).contains(c)).ok_or(
                RecordError::WrongKind {
                    field: "confidence",
                    wanted: "number from 0 to 1",
                },
            )?,
        };
    let mut edge = EdgeRecord {
        id: optional_text(value, &["id"])?.unwrap_or_default(),
        source_id: required_text(value, &["source", "source_id"])?,
        target_id: required_text(value, &["target", "target_id"])?,
        edge_type: EdgeType::from_str(&word)?,
        file_path: optional_text(value, &["file", "file_path"])?,
        line: optional_number(value, &["line"])?,
        tier: Tier::Manual,
        confidence,
        site: optional_text(value, &["site"])?.and_then(|s| Site::parse(&s)),
        more_lines: Vec::new(),
    };
    if edge.id.is_empty() {
        edge.id = edge.fingerprint();
    }
    Ok(edge)
}

fn find_field<'v>(value: &'v Value, names: &[&str]) -> Option<&'v Value> {
    names
        .iter()
        .find_map(|name| value.get(name))
        .filter(|v| !v.is_null())
}

fn required_text(value: &Value, names: &[&'static str]) -> Result<String, RecordError> {
    match optional_text(value, names)? {
        Some(text) if !text.is_empty() => Ok(text),
        Some(_) => Err(RecordError::EmptyField(names[0])),
        None if value.is_object() => Err(RecordError::MissingField(names[0])),
        None => Err(RecordError::NoObject),
    }
}

fn optional_text(value: &Value, names: &[&'static str]) -> Result<Option<String>, RecordError> {
    match find_field(value, names) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(RecordError::WrongKind {
            field: names[0],
            wanted: "text",
        }),
    }
}

fn optional_number(value: &Value, names: &[&'static str]) -> Result<Option<u32>, RecordError> {
    match find_field(value, names) {
        None => Ok(None),
        Some(given) => given
            .as_u64()
            .and_then(|n| u32::try_from(n).ok())
            .map(Some)
            .ok_or(RecordError::WrongKind {
                field: names[0],
                wanted: "whole number",
            }),
    }
}
