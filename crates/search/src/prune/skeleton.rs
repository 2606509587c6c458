//! The skeleton of a definition that is too large to be shown: its documentation, its signature and
//! the signatures of its members.

/// The most lines of documentation that are kept.
const DOC_LINES: usize = 3;
/// The most members that are named.
const MEMBERS: usize = 24;

/// The parts of a definition besides its body.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Outline {
    /// The signature on one line.
    pub signature: String,
    /// The documentation.
    pub doc: String,
    /// Signatures of its members, in order.
    pub members: Vec<String>,
}

/// The skeleton as text; none if not even a signature is known.
pub fn render_skeleton(outline: &Outline) -> Option<String> {
    let signature = outline.signature.trim();
    if signature.is_empty() {
        return None;
    }
    let mut lines: Vec<String> = Vec::new();
    let doc = outline.doc.lines().map(str::trim).filter(|l| !l.is_empty());
    lines.extend(doc.take(DOC_LINES).map(|line| format!("// {line}")));
    lines.push(format!("{signature} …"));
    let shown = outline.members.iter().take(MEMBERS);
    lines.extend(shown.map(|member| format!("    {} …", member.trim())));
    let more = outline.members.len().saturating_sub(MEMBERS);
    if more > 0 {
        lines.push(format!("    … {more} more"));
    }
    Some(lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signature_documentation_and_members() {
        let outline = Outline {
            signature: "class Store".to_owned(),
            doc: "Keeps things.\n\nLong story.\nMore.\nEven more.".to_owned(),
            members: vec!["get(id)".to_owned(), "put(id, value)".to_owned()],
        };
        assert_eq!(
            render_skeleton(&outline).as_deref(),
            Some(
                "// Keeps things.\n// Long story.\n// More.\nclass Store …\n    get(id) …\n    put(id, value) …"
            )
        );
    }

    #[test]
    fn without_a_signature_there_is_none() {
        assert_eq!(render_skeleton(&Outline::default()), None);
    }

    #[test]
    fn many_members_are_counted() {
        let outline = Outline {
            signature: "class Big".to_owned(),
            members: (0..30).map(|n| format!("m{n}()")).collect(),
            ..Outline::default()
        };
        let text = render_skeleton(&outline).unwrap();
        assert!(text.ends_with("    … 6 more"), "{text}");
    }
}
