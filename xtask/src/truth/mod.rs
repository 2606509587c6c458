//! The truth of call sites: the targets according to a compiler.

pub mod positions;
pub mod scip;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::io::BufRead;
use std::path::Path;

/// One call site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Site {
    /// Path below the repository's root.
    pub file: String,
    /// Line of the called name, from 1.
    pub line: u32,
    /// Column of the called name in bytes, from 0.
    pub column: u32,
    /// The called name.
    pub name: String,
    /// The file of the definition, if there is exactly one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_file: Option<String>,
    /// The line of the definition's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_line: Option<u32>,
    /// All definitions, if there are several: overloads, or a class and its constructor.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<NameLocation>,
    /// The kind of the target.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    /// Package and symbol of a target outside the repository.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub external: Option<String>,
}

/// The position of a definition's name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NameLocation {
    /// Path below the repository's root.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
}

/// The kind of a called target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A function or method.
    Function,
    /// A class; the call runs one of its constructors.
    Class,
    /// A macro.
    Macro,
    /// A tuple struct or enum variant, which is constructed without a function. Reported apart.
    Variant,
    /// A variable, parameter or field that holds a function. Reported apart.
    Value,
}

impl Site {
    /// Every definition that counts as a right target; empty if the target is external.
    pub fn places(&self) -> Vec<NameLocation> {
        let mut places = self.targets.clone();
        if let (Some(file), Some(line)) = (&self.target_file, self.target_line) {
            places.push(NameLocation {
                file: file.clone(),
                line,
            });
        }
        places
    }

    /// Whether the site counts, that is, it is no call of a value or variant.
    pub fn counts(&self) -> bool {
        !matches!(self.kind, Some(Kind::Value | Kind::Variant))
    }
}

/// Reads a truth file.
pub fn read(path: &Path) -> Result<Vec<Site>> {
    let file = std::fs::File::open(path).with_context(|| path.display().to_string())?;
    let mut sites = Vec::new();
    for (at, line) in std::io::BufReader::new(file).lines().enumerate() {
        let line = line?;
        let site = serde_json::from_str(&line)
            .with_context(|| format!("{}:{}", path.display(), at + 1))?;
        sites.push(site);
    }
    Ok(sites)
}
