//! Calls that may lead to other programs, or that declare how other programs reach this one: routes, requests, stubs,
//! topics.
//!
//! A call is recorded with the arguments that can be read without other files. It is stored as JSON, as the detail of a
//! mark ([`crate::MarkKind::RemoteCall`]).

use serde::{Deserialize, Serialize};

/// The most marks of such calls and texts in one file; the rest is left out.
pub const MOST_REMOTE_MARKS: usize = 20_000;

/// An argument, as far as its own file shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Term {
    /// A text. Inserted values stand in braces: `/users/{id}`, or `{}` if they have no name.
    #[serde(rename = "t")]
    Text(String),
    /// A name, dotted: `handlers.create`. `self` and `this` are written `this`.
    #[serde(rename = "n")]
    Name(String),
    /// A call.
    #[serde(rename = "c")]
    Call(Box<CallTerm>),
    /// An object or a dictionary: keys and values.
    #[serde(rename = "o")]
    Object(Vec<(String, Term)>),
    /// A list.
    #[serde(rename = "l")]
    List(Vec<Term>),
    /// An argument by name.
    #[serde(rename = "k")]
    Keyword(String, Box<Term>),
    /// A function literal.
    #[serde(rename = "f")]
    Function,
    /// Anything else.
    #[serde(rename = "x")]
    Other,
}

/// A call: `receiver.name(arguments)`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallTerm {
    /// The last name of the callee.
    #[serde(rename = "n")]
    pub name: String,
    /// The expression before the name.
    #[serde(rename = "r", default, skip_serializing_if = "Option::is_none")]
    pub receiver: Option<Term>,
    /// The arguments in order.
    #[serde(rename = "a", default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<Term>,
}

/// A recorded call, and the name that its value is assigned to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemoteCall {
    /// The name that the call's result is bound to, dotted: `router`, `this.client`.
    #[serde(rename = "to", default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<String>,
    /// The last line, if the call has a function as argument: code in it may belong to the call.
    #[serde(rename = "end", default, skip_serializing_if = "Option::is_none")]
    pub end: Option<u32>,
    /// The call.
    #[serde(flatten)]
    pub call: CallTerm,
}

impl Term {
    /// The text, if this is a text.
    pub fn text(&self) -> Option<&str> {
        match self {
            Term::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The name, if this is a name.
    pub fn name(&self) -> Option<&str> {
        match self {
            Term::Name(name) => Some(name),
            _ => None,
        }
    }

    /// The value of a key, if this is an object.
    pub fn get(&self, key: &str) -> Option<&Term> {
        match self {
            Term::Object(pairs) => pairs.iter().find(|(k, _)| k == key).map(|(_, v)| v),
            _ => None,
        }
    }
}

impl CallTerm {
    /// The argument at a position among those without a name.
    pub fn positional(&self, at: usize) -> Option<&Term> {
        let mut plain = self.args.iter().filter(|a| !matches!(a, Term::Keyword(..)));
        plain.nth(at)
    }

    /// The argument of that name, or the value of that key in an object argument.
    pub fn named(&self, key: &str) -> Option<&Term> {
        self.args.iter().find_map(|arg| match arg {
            Term::Keyword(name, value) if name == key => Some(&**value),
            Term::Object(_) => arg.get(key),
            _ => None,
        })
    }
}
