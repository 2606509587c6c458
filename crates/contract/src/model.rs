//! Contracts, and the places of code that provide or use something.

use serde::{Deserialize, Serialize};
use std::fmt;

/// What a contract is written in; for links without one, how the programs talk.
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

    /// What a contract adds to the confidence of a link, before its weight of a tenth.
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

/// Something of a file that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// The file.
    pub file_path: String,
    /// The line, from 1.
    pub line: u32,
    /// What is wrong there.
    pub reason: String,
}

/// A route: a method and a path template.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct HttpRoute {
    /// In upper case; empty for any.
    pub method: String,
    /// With parameters in braces.
    pub path: String,
}

/// Something that can be asked for: a remote procedure, an operation of an API, a field of a GraphQL root type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Operation {
    /// The service; of OpenAPI the first tag, of GraphQL the root type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service: Option<String>,
    /// Its name; of OpenAPI the `operationId`, else method and path.
    pub name: String,
    /// The line, from 1.
    pub line: u32,
    /// Types of what it takes.
    pub inputs: Vec<String>,
    /// The type of what it gives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// How it is reached over HTTP.
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
    /// Its name, dotted where it stands in another.
    pub name: String,
    /// The line, from 1.
    pub line: u32,
    /// Its fields.
    pub fields: Vec<String>,
}

/// A GraphQL document that asks for something.
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

/// What one file of a contract says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contract {
    /// The file.
    pub path: String,
    /// What it is written in.
    #[serde(rename = "type")]
    pub contract_type: ContractType,
    /// The package of Protocol Buffers, the title of OpenAPI.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub package: Option<String>,
    /// What can be asked for.
    pub operations: Vec<Operation>,
    /// What is declared beside that.
    pub types: Vec<DeclaredType>,
    /// What documents of the file ask others for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub uses: Vec<GraphQlUse>,
    /// What could not be read of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<Problem>,
}

impl Contract {
    /// Nothing yet.
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

    /// Bytes of what it says, about.
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

/// Whether something is provided or used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// It answers.
    Provider,
    /// It asks.
    Consumer,
}

/// How a place of code talks with others.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "protocol", rename_all = "lowercase")]
pub enum Protocol {
    /// A method and a path.
    Http {
        /// In upper case; empty for any, or for one that is not known.
        method: String,
        /// As it is known from the code: parameters in braces, without host.
        path: String,
        /// The host of the address, where it is written.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        host: Option<String>,
        /// Whether something that is not known stands before the path.
        open_prefix: bool,
    },
    /// A remote procedure.
    Rpc {
        /// The service, where it is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        service: Option<String>,
        /// The procedure as the code calls it.
        method: String,
        /// Whether generated or registered code says so, rather than names alone.
        certain: bool,
    },
    /// A field of a GraphQL root type.
    GraphQl {
        /// `Query`, `Mutation` or `Subscription`; empty where it is not known.
        root: String,
        /// The field.
        field: String,
    },
    /// A topic, a subject or a queue.
    Topic {
        /// Whose: `kafka`, `nats`, `amqp`, or empty.
        system: String,
        /// Its name.
        name: String,
    },
}

/// Where something stands.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct SymbolLocation {
    /// The node of the definition, or of the file.
    pub id: String,
    /// Its name, dotted within its file; of a file its path.
    pub symbol: String,
    /// The file.
    pub file_path: String,
    /// The line, from 1.
    pub line: u32,
    /// Types of its parameters, where the code says them; none where it has no signature.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameters: Option<Vec<String>>,
    /// Whether it is a test.
    pub test: bool,
    /// Whether it was generated.
    pub generated: bool,
}

/// A place of code that provides or uses something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Endpoint {
    /// Which of the two.
    pub role: Role,
    /// How.
    #[serde(flatten)]
    pub protocol: Protocol,
    /// Where: the definition that answers or asks.
    pub place: SymbolLocation,
    /// The line of the route or the call, from 1.
    pub line: u32,
    /// The file of the route or the call.
    pub file_path: String,
    /// What it was recognised by: `express`, `fetch`, `grpc`, …
    pub by: String,
}
