//! Names and requirements of Python packages.

/// A name as PyPI compares it (PEP 503): lower case, runs of `-`, `_` and `.` as one `-`.
pub fn normalize_name(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.trim().chars() {
        match c {
            '-' | '_' | '.' if out.ends_with('-') => {}
            '-' | '_' | '.' => out.push('-'),
            c => out.extend(c.to_lowercase()),
        }
    }
    out
}

/// The normalized name that a requirement (PEP 508) begins with; `None` if it begins with none.
pub(super) fn requirement_name(text: &str) -> Option<String> {
    let text = text.trim();
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let end = text.find(|c| !is_part(c)).unwrap_or(text.len());
    let name = &text[..end];
    let begins = name.starts_with(|c: char| c.is_ascii_alphanumeric());
    begins.then(|| normalize_name(name))
}
