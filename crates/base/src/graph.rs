//! Edges: the relation between two nodes, its tier, and its places.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The relation an edge states. There are only these four; any other word is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum EdgeType {
    /// A definition or file contains the definition of another.
    Defines,
    /// A file imports a file or a symbol.
    Imports,
    /// A definition calls another, or refers to it (see [`Site`]).
    Calls,
    /// A definition writes to another.
    Modifies,
}

impl EdgeType {
    /// Every edge type, in the order in which messages list them.
    pub const ALL: [EdgeType; 4] = [
        EdgeType::Defines,
        EdgeType::Imports,
        EdgeType::Calls,
        EdgeType::Modifies,
    ];

    /// The name in the store and in every answer, e.g. `CALLS`.
    pub fn as_str(self) -> &'static str {
        match self {
            EdgeType::Defines => "DEFINES",
            EdgeType::Imports => "IMPORTS",
            EdgeType::Calls => "CALLS",
            EdgeType::Modifies => "MODIFIES",
        }
    }
}

impl fmt::Display for EdgeType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A word that is no edge type. Its message names the four valid words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownEdgeType(pub String);

impl fmt::Display for UnknownEdgeType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Invalid edge type: {}. Must be one of: DEFINES, IMPORTS, CALLS, MODIFIES",
            self.0
        )
    }
}

impl std::error::Error for UnknownEdgeType {}

impl FromStr for EdgeType {
    type Err = UnknownEdgeType;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        EdgeType::ALL
            .into_iter()
            .find(|t| t.as_str() == word)
            .ok_or_else(|| UnknownEdgeType(word.to_owned()))
    }
}

/// Confidence class of an edge, from certain to guessed. The order is that of trust: `Scip < Named`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    /// A compiler-grade index (SCIP) has it.
    Scip,
    /// The receiver or callee was resolved through written types, constructors, `self`/`this`,
    /// inheritance or return types.
    Typed,
    /// Local scope, same file or package, or through a resolved import or re-export.
    Scoped,
    /// The only definition of that name that imports reach.
    Named,
    /// A person or another tool added the edge.
    Manual,
    /// Not a call in the code: a contract, a route or a topic connects the two ends. Not stored among the edges.
    Virtual,
}

impl Tier {
    /// Every tier of stored edges, most certain first.
    pub const ALL: [Tier; 5] = [
        Tier::Scip,
        Tier::Typed,
        Tier::Scoped,
        Tier::Named,
        Tier::Manual,
    ];

    /// The name in the store and in every answer.
    pub fn as_str(self) -> &'static str {
        match self {
            Tier::Scip => "scip",
            Tier::Typed => "typed",
            Tier::Scoped => "scoped",
            Tier::Named => "named",
            Tier::Manual => "manual",
            Tier::Virtual => "virtual",
        }
    }

    /// The tier of that name, if there is one.
    pub fn parse(word: &str) -> Option<Tier> {
        Tier::ALL.into_iter().find(|t| t.as_str() == word)
    }

    /// Confidence (0–1) of an edge of this tier, unless the linker has a better value. The evaluation requires these
    /// shares of correct edges in each tier.
    pub fn default_confidence(self) -> f64 {
        match self {
            Tier::Scip | Tier::Manual => 1.0,
            Tier::Typed => 0.98,
            Tier::Scoped => 0.95,
            Tier::Named => 0.85,
            Tier::Virtual => 0.5,
        }
    }
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The source code at the place of a CALLS edge: a call, or only a reference (a callback passed on, a type in an
/// annotation).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Site {
    /// A call, a constructor call, a macro call, a decorator.
    Call,
    /// A reference that is not a call.
    Reference,
}

impl Site {
    /// The name in the store and in every answer.
    pub fn as_str(self) -> &'static str {
        match self {
            Site::Call => "call",
            Site::Reference => "reference",
        }
    }

    /// The site of that name, if there is one.
    pub fn parse(word: &str) -> Option<Site> {
        [Site::Call, Site::Reference]
            .into_iter()
            .find(|s| s.as_str() == word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edge_types_are_case_sensitive_and_the_message_names_them() {
        assert_eq!("CALLS".parse(), Ok(EdgeType::Calls));
        for wrong in ["calls", "Calls", "CALL", ""] {
            let message = wrong.parse::<EdgeType>().unwrap_err().to_string();
            assert!(message.contains("Must be one of: DEFINES, IMPORTS, CALLS, MODIFIES"));
        }
    }

    #[test]
    fn tiers_and_sites_survive_their_names() {
        assert!(
            Tier::ALL
                .into_iter()
                .all(|t| Tier::parse(t.as_str()) == Some(t))
        );
        assert_eq!(Site::parse("reference"), Some(Site::Reference));
    }
}
