//! The glob import brings all but what is private.

pub fn trim(text: &str) -> &str {
    text.trim()
}

pub fn upper(text: &str) -> String {
    hidden(text).to_uppercase() // calls :hidden
}

fn hidden(text: &str) -> &str {
    text
}

/// The name is declared in the root too, where it hides this one.
pub fn open() {}
