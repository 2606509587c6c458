//! Types as the tables of standard libraries write them.

/// The name of a type and its arguments: `Map` with `K` and `List<V>` of `Map<K,List<V>>`.
pub(crate) fn name_and_args(text: &str) -> (&str, Vec<&str>) {
    match text.split_once('<') {
        Some((name, rest)) => (name, split_args(rest.strip_suffix('>').unwrap_or(rest))),
        None => (text, Vec::new()),
    }
}

fn split_args(text: &str) -> Vec<&str> {
    let (mut depth, mut from, mut out) = (0, 0, Vec::new());
    for (i, c) in text.char_indices() {
        match c {
            '<' => depth += 1,
            '>' => depth -= 1,
            ',' if depth == 0 => {
                out.push(&text[from..i]);
                from = i + 1;
            }
            _ => {}
        }
    }
    out.push(&text[from..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_may_have_arguments() {
        assert_eq!(
            name_and_args("Map<K,List<V>>"),
            ("Map", vec!["K", "List<V>"])
        );
        assert_eq!(name_and_args("String"), ("String", Vec::new()));
    }
}
