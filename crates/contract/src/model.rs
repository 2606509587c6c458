//! Contracts, and the places of code that provide or use something.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The language of a contract. For links without a contract, the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ContractType {
    /// Protocol Buffers.
    Proto,
    /// OpenAPI 2 (Swagger) or 3.
    OpenApi,
    /// GraphQL.
    GraphQl,
    /// Exported types of TypeScript.
    TypeScript,
    /// No contract: a route and requests of it.
    Http,
    /// No contract: a topic of a message broker.
    Topic,
}

impl ContractType {
    /// The name in the store and in every answer.
    pub fn as_str(self) -> &'static str {
        match self {
            ContractType::Proto => "proto",
            ContractType::OpenApi => "openapi",
            ContractType::GraphQl => "graphql",
            ContractType::TypeScript => "typescript",
            ContractType::Http => "http",
            ContractType::Topic => "topic",
        }
    }

    /// The kind of that name.
    pub fn from_name(name: &str) -> Option<ContractType> {
        [
            ContractType::Proto,
            ContractType::OpenApi,
            ContractType::GraphQl,
            ContractType::TypeScript,
            ContractType::Http,
            ContractType::Topic,
        ]
        .into_iter()
        .find(|kind| kind.as_str() == name)
    }

    /// The contract's part of a link's confidence, before its weight of a tenth.
    pub fn bonus(self) -> f64 {
        match self {
            ContractType::Proto => 0.1,
            ContractType::GraphQl => 0.08,
            ContractType::OpenApi => 0.05,
            ContractType::TypeScript | ContractType::Http | ContractType::Topic => 0.0,
        }
    }
}

impl fmt::Display for ContractType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A part of a file that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// The file.
    pub file_path: String,
    /// The line, from 1.
    pub line: u32,
    /// The fault.
    pub reason: String,
}

/// A route: a method and a path template.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct HttpRoute {
    /// The method in upper case; empty for any.
    pub method: String,
    /// The path, with parameters in braces.
    pub path: String,
}

/// An operation that can be called: a remote procedure, an operation of an API, a field of a GraphQL root type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Operation {
    /// The service; of OpenAPI the first tag, of GraphQL the root type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service: Option<String>,
    /// Its name; of OpenAPI the `operationId`, else method and path.
    pub name: String,
    /// The line, from 1.
    pub line: u32,
    /// Types of its inputs.
    pub inputs: Vec<String>,
    /// The type of its output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// Its routes over HTTP.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub http: Vec<HttpRoute>,
}

impl Operation {
    /// `Service.Name`, or the name alone.
    pub fn qualified_name(&self) -> String {
        match &self.service {
            Some(service) => format!("{service}.{}", self.name),
            None => self.name.clone(),
        }
    }
}

/// A type that a contract declares.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeclaredType {
    /// Its name, dotted if it is inside another type.
    pub name: String,
    /// The line, from 1.
    pub line: u32,
    /// Its fields.
    pub fields: Vec<String>,
}

/// A GraphQL document that requests something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GraphQlUse {
    /// `Query`, `Mutation` or `Subscription`.
    pub root: String,
    /// The name of the operation; empty for one without.
    pub name: String,
    /// Fields of the root type.
    pub fields: Vec<String>,
    /// The line, from 1.
    pub line: u32,
}

/// The content of one contract file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contract {
    /// The file.
    pub path: String,
    /// Its language.
    #[serde(rename = "type")]
    pub contract_type: ContractType,
    /// The package of Protocol Buffers, the title of OpenAPI.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub package: Option<String>,
    /// Its operations.
    pub operations: Vec<Operation>,
    /// Other declared types.
    pub types: Vec<DeclaredType>,
    /// Requests of GraphQL documents in the file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub uses: Vec<GraphQlUse>,
    /// Parts that could not be read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<Problem>,
}

impl Contract {
    /// An empty contract.
    pub fn new(path: &str, contract_type: ContractType) -> Contract {
        Contract {
            path: path.to_owned(),
            contract_type,
            package: None,
            operations: Vec::new(),
            types: Vec::new(),
            uses: Vec::new(),
            problems: Vec::new(),
        }
    }

    /// The approximate bytes of its content.
    pub fn size(&self) -> usize {
        let texts = |all: &[String]| all.iter().map(|one| 1 + one.len()).sum::<usize>();
        let operations = self.operations.iter().map(|op| {
            let routes = op.http.iter().map(|route| 8 + route.path.len());
            let service = op.service.as_ref().map_or(0, String::len);
            16 + op.name.len() + service + texts(&op.inputs) + routes.sum::<usize>()
        });
        let types = self.types.iter();
        let types = types.map(|ty| 16 + ty.name.len() + texts(&ty.fields));
        let uses = self.uses.iter();
        let uses = uses.map(|one| 16 + one.name.len() + texts(&one.fields));
        operations.chain(types).chain(uses).sum()
    }

    pub(crate) fn problem(&mut self, line: u32, reason: impl Into<String>) {
        let file_path = self.path.clone();
        let reason = reason.into();
        self.problems.push(Problem {
            file_path,
            line,
            reason,
        });
    }
}

/// The side of an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// It answers requests.
    Provider,
    /// It sends requests.
    Consumer,
}

/// The protocol of an endpoint.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "protocol", rename_all = "lowercase")]
pub enum Protocol {
    /// A method and a path.
    Http {
        /// The method in upper case; empty for any, or if it is not known.
        method: String,
        /// The path as far as the code shows it: parameters in braces, without host.
        path: String,
        /// The host of the address, if it is written.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        host: Option<String>,
        /// Whether an unknown part comes before the path.
        open_prefix: bool,
        /// Whether the code does not show which host is asked: a name stands for it, or a client that is made elsewhere.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        host_unknown: bool,
    },
    /// A remote procedure.
    Rpc {
        /// The service, if it is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        service: Option<String>,
        /// The procedure, by its name in the code.
        method: String,
        /// Whether generated or registered code shows this, rather than names alone.
        certain: bool,
        /// Whether the code gives both names as texts to something that may be any kind of client.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        by_texts: bool,
    },
    /// A field of a GraphQL root type.
    GraphQl {
        /// `Query`, `Mutation` or `Subscription`; empty if it is not known.
        root: String,
        /// The field.
        field: String,
    },
    /// A topic, a subject or a queue.
    Topic {
        /// The broker: `kafka`, `nats`, `amqp`, or empty.
        system: String,
        /// Its name.
        name: String,
    },
}

/// The place of a symbol.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct SymbolLocation {
    /// The node of the definition, or of the file.
    pub id: String,
    /// Its name, dotted within its file; for a file, its path.
    pub symbol: String,
    /// The file.
    pub file_path: String,
    /// The line, from 1.
    pub line: u32,
    /// The types of its parameters, as far as the code gives them. None without a signature.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameters: Option<Vec<String>>,
    /// Whether it is a test.
    pub test: bool,
    /// Whether it was generated.
    pub generated: bool,
}

/// An endpoint: a place of code that provides or uses something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Endpoint {
    /// Provider or consumer.
    pub role: Role,
    /// The protocol.
    #[serde(flatten)]
    pub protocol: Protocol,
    /// The definition that answers or asks.
    pub place: SymbolLocation,
    /// The line of the route or the call, from 1.
    pub line: u32,
    /// The file of the route or the call.
    pub file_path: String,
    /// The sign by which it was recognised: `express`, `fetch`, `grpc`, …
    pub by: String,
}
