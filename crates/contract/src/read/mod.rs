//! Reading contracts: one module for each language. Reading never fails: a part that cannot be read is a problem
//! with its line.

mod graphql;
mod openapi;
mod proto;
mod tree;

pub use graphql::{read_graphql, read_graphql_document};
pub use openapi::{is_openapi, read_openapi};
pub use proto::read_proto;

use crate::{Contract, ContractType};

/// The most operations and types of one file; the rest is counted.
pub const MOST_ENTRIES: usize = 50_000;

/// The most bytes of a name that are kept; links repeat names.
const LONGEST_NAME: usize = 512;
/// The most input types of an operation.
const MOST_INPUTS: usize = 64;

/// A name of a contract, cut to the limit.
fn name(text: &str) -> String {
    let end = (0..=LONGEST_NAME.min(text.len())).rfind(|at| text.is_char_boundary(*at));
    text[..end.unwrap_or(0)].to_owned()
}

/// The most problems of one file that are listed.
const MOST_PROBLEMS: usize = 20;

/// The type of contract that a file may be, by its name alone. JSON and YAML need a look inside: [`is_openapi`].
pub fn contract_type_of_path(path: &str) -> Option<ContractType> {
    let name = path.rsplit('/').next()?.to_ascii_lowercase();
    let end = name.rsplit_once('.')?.1;
    match end {
        "proto" => Some(ContractType::Proto),
        "graphql" | "gql" | "graphqls" => Some(ContractType::GraphQl),
        "yaml" | "yml" | "json" => may_be_openapi(&name).then_some(ContractType::OpenApi),
        _ => None,
    }
}

/// Whether the name of a file contains a usual word for OpenAPI documents.
fn may_be_openapi(name: &str) -> bool {
    let words = ["openapi", "swagger", "api", "oas", "spec", "rest"];
    words.iter().any(|word| name.contains(word)) && !name.starts_with("tsconfig")
}

/// Reads a contract; none if a document is no OpenAPI.
pub fn read_contract(
    path: &str,
    text: &str,
    contract_type: ContractType,
    stop: &dyn Fn() -> bool,
) -> Option<Contract> {
    let mut contract = match contract_type {
        ContractType::Proto => read_proto(path, text, stop),
        ContractType::GraphQl => read_graphql(path, text, stop),
        ContractType::OpenApi if is_openapi(text) => read_openapi(path, text),
        _ => return None,
    };
    let more = contract.problems.len().saturating_sub(MOST_PROBLEMS);
    if more > 0 {
        let line = contract.problems[MOST_PROBLEMS].line;
        contract.problems.truncate(MOST_PROBLEMS);
        contract.problem(line, format!("{more} more problems"));
    }
    Some(contract)
}
