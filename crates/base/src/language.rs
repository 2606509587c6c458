//! The languages that Knotwork reads.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A language with a grammar of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// TypeScript without JSX.
    TypeScript,
    /// TypeScript with JSX.
    Tsx,
    /// JavaScript, with or without JSX, CommonJS or ES modules.
    JavaScript,
    /// Python and its stubs.
    Python,
    /// Go.
    Go,
    /// Rust.
    Rust,
    /// Java.
    Java,
    /// Lua.
    Lua,
}

impl Language {
    /// Every language.
    pub const ALL: [Language; 8] = [
        Language::TypeScript,
        Language::Tsx,
        Language::JavaScript,
        Language::Python,
        Language::Go,
        Language::Rust,
        Language::Java,
        Language::Lua,
    ];

    /// The language of a file, by its extension.
    pub fn from_path(path: &str) -> Option<Language> {
        let name = path.rsplit('/').next().unwrap_or(path);
        let (_, extension) = name.rsplit_once('.')?;
        match extension {
            "ts" | "mts" | "cts" => Some(Language::TypeScript),
            "tsx" => Some(Language::Tsx),
            "js" | "jsx" | "mjs" | "cjs" => Some(Language::JavaScript),
            "py" | "pyi" => Some(Language::Python),
            "go" => Some(Language::Go),
            "rs" => Some(Language::Rust),
            "java" => Some(Language::Java),
            "lua" => Some(Language::Lua),
            _ => None,
        }
    }

    /// Whether files are loaded one by one, as import statements name them.
    pub fn imports_by_file(self) -> bool {
        match self {
            Language::TypeScript | Language::Tsx | Language::JavaScript | Language::Python => true,
            // `require` of Lua brings a whole file, so that where it leads says enough.
            Language::Go | Language::Rust | Language::Java | Language::Lua => false,
        }
    }

    /// The word in the store and in every answer.
    pub fn as_str(self) -> &'static str {
        match self {
            Language::TypeScript => "typescript",
            Language::Tsx => "tsx",
            Language::JavaScript => "javascript",
            Language::Python => "python",
            Language::Go => "go",
            Language::Rust => "rust",
            Language::Java => "java",
            Language::Lua => "lua",
        }
    }

    /// Languages that import each other's files share a family, e.g. TypeScript and JavaScript.
    pub fn family(self) -> Language {
        match self {
            Language::TypeScript | Language::Tsx | Language::JavaScript => Language::TypeScript,
            Language::Python | Language::Go | Language::Rust | Language::Java | Language::Lua => {
                self
            }
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extension_decides() {
        assert_eq!(
            Language::from_path("src/a.d.ts"),
            Some(Language::TypeScript)
        );
        assert_eq!(Language::from_path("a/b.pyi"), Some(Language::Python));
        assert_eq!(Language::from_path("Makefile"), None);
        assert_eq!(Language::from_path("a.rs/readme"), None);
    }
}
