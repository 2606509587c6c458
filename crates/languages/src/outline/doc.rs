//! The text of comments above a definition.

/// The lines of comments without their marks, up to the first that begins with a tag (`@param`).
pub(crate) fn plain_text(comments: &[&str]) -> String {
    let mut out = String::new();
    for line in comments.iter().flat_map(|comment| comment.lines()) {
        let line = plain_line(line);
        if line.starts_with(['@', '\\']) {
            break;
        }
        // A line of symbols is a separator.
        if out.is_empty() && !line.contains(char::is_alphanumeric) {
            continue;
        }
        out.push_str(line);
        out.push('\n');
    }
    out
}

/// A line without the marks of comments at its ends.
fn plain_line(line: &str) -> &str {
    let line = line.trim();
    let line = line
        .strip_prefix("(*")
        .or(line.strip_prefix("{-"))
        .or(line.strip_prefix("#'"))
        .unwrap_or(line);
    let end = END.iter().find_map(|end| line.strip_suffix(end));
    let line = end.unwrap_or(line).trim_end_matches('*').trim();
    let line = line.trim_start_matches(START).trim_start();
    let line = line.strip_prefix("| ").unwrap_or(line);
    let line = strip_tags(line);
    let known = [
        "@brief ", "\\brief ", "@doc ", "@notice ", "@title ", "@dev ",
    ];
    let text = known.iter().find_map(|tag| line.strip_prefix(tag));
    text.unwrap_or(line).trim()
}

const START: [char; 7] = ['#', '/', '*', '-', ';', '!', '%'];
const END: [&str; 3] = ["*/", "-}", "*)"];

/// A line without the tags around it: `<summary>Adds one.</summary>`.
fn strip_tags(line: &str) -> &str {
    let mut rest = line;
    if rest.starts_with('<')
        && let Some(end) = rest.find('>')
    {
        rest = &rest[end + 1..];
    }
    if rest.ends_with('>')
        && let Some(start) = rest.rfind("</")
    {
        rest = &rest[..start];
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::plain_text;

    #[test]
    fn marks_tags_and_rulers_go() {
        let text = |comment: &str| plain_text(&[comment]);
        assert_eq!(text("/** Adds one. */"), "Adds one.\n");
        assert_eq!(text("/*\n * Adds\n * one.\n */"), "Adds\none.\n\n");
        assert_eq!(text("/// <summary>Adds one.</summary>"), "Adds one.\n");
        assert_eq!(text("/* ---------- */"), "");
        assert_eq!(text("/**\n * @brief Adds.\n * @param x y\n */"), "Adds.\n");
        assert_eq!(text("-- | Adds one."), "Adds one.\n");
        assert_eq!(text("(* Adds one. *)"), "Adds one.\n");
        assert_eq!(text("{-| Adds one.\n-}"), "Adds one.\n\n");
        assert_eq!(text("#' Adds one."), "Adds one.\n");
    }
}
