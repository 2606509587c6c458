//! Calls that may lead to other programs, or that say how other programs reach this one: routes, requests, stubs, topics.
//!
//! A file says such a call with the arguments that can be read without knowing other files. It is kept as the detail of a
//! mark ([`crate::MarkKind::RemoteCall`]), as JSON.

use serde::{Deserialize, Serialize};

/// Marks of such calls and texts of one file; the rest is left out.
pub const MOST_REMOTE_MARKS: usize = 20_000;

/// What an argument is, as far as its own file says it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Term {
    /// A text. What is put into it stands in braces: `/users/{id}`, `{}` where it has no name.
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
    /// A function that stands there.
    #[serde(rename = "f")]
    Function,
    /// Anything else.
    #[serde(rename = "x")]
    Other,
}

/// A call: `receiver.name(arguments)`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallTerm {
    /// The last name of what is called.
    #[serde(rename = "n")]
    pub name: String,
    /// What stands before it.
    #[serde(rename = "r", default, skip_serializing_if = "Option::is_none")]
    pub receiver: Option<Term>,
    /// The arguments in order.
    #[serde(rename = "a", default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<Term>,
}

/// A call that is kept, and the name that its value is given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemoteCall {
    /// The name that is bound to what the call gives, dotted: `router`, `this.client`.
    #[serde(rename = "to", default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<String>,
    /// The last line, where the call is given a function: what stands in it may be meant within the call.
    #[serde(rename = "end", default, skip_serializing_if = "Option::is_none")]
    pub end: Option<u32>,
    /// The call.
    #[serde(flatten)]
    pub call: CallTerm,
}

impl Term {
    /// The text of a text.
    pub fn text(&self) -> Option<&str> {
        match self {
            Term::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The name of a name.
    pub fn name(&self) -> Option<&str> {
        match self {
            Term::Name(name) => Some(name),
            _ => None,
        }
    }

    /// The value of a key of an object.
    pub fn get(&self, key: &str) -> Option<&Term> {
        match self {
            Term::Object(pairs) => pairs.iter().find(|(k, _)| k == key).map(|(_, v)| v),
            _ => None,
        }
    }
}

impl CallTerm {
    /// The argument at a place among those without a name.
    pub fn positional(&self, at: usize) -> Option<&Term> {
        let mut plain = self.args.iter().filter(|a| !matches!(a, Term::Keyword(..)));
        plain.nth(at)
    }

    /// The argument of a name; also a key of an object that is an argument.
    pub fn named(&self, key: &str) -> Option<&Term> {
        self.args.iter().find_map(|arg| match arg {
            Term::Keyword(name, value) if name == key => Some(&**value),
            Term::Object(_) => arg.get(key),
            _ => None,
        })
    }
}
