//! What comments say of methods: the tags of YARD.

/// Most tags of one comment that are read.
const MOST_TAGS: usize = 64;

/// The tags above a method.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Tags<'s> {
    /// Parameters with their types.
    pub(super) params: Vec<(&'s str, &'s str)>,
    /// Parameters of the block with their types.
    pub(super) yielded: Vec<(&'s str, &'s str)>,
    /// The type of the result.
    pub(super) ret: Option<&'s str>,
    /// The type of a variable.
    pub(super) ty: Option<&'s str>,
}

impl<'s> Tags<'s> {
    /// Reads the lines of a comment.
    pub(super) fn parse(comments: &[&'s str]) -> Tags<'s> {
        let mut out = Tags::default();
        let lines = comments.iter().flat_map(|comment| comment.lines());
        let mut count = 0;
        for line in lines {
            let line = line.trim_start_matches(['#', ' ', '\t']);
            let Some((tag, rest)) = line.strip_prefix('@').and_then(split_word) else {
                continue;
            };
            count += 1;
            if count > MOST_TAGS {
                break;
            }
            match tag {
                "param" => out.params.extend(name_and_type(rest)),
                "yieldparam" => out.yielded.extend(name_and_type(rest)),
                "return" if out.ret.is_none() => out.ret = leading_type(rest),
                "type" if out.ty.is_none() => out.ty = leading_type(rest),
                // What follows belongs to one way to call the method.
                "overload" => break,
                _ => {}
            }
        }
        out
    }
}

fn split_word(text: &str) -> Option<(&str, &str)> {
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    (end > 0).then(|| (&text[..end], text[end..].trim()))
}

/// The text in the brackets at the beginning.
fn leading_type(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('[')?;
    let mut depth = 0usize;
    for (at, c) in inner.char_indices() {
        match c {
            '[' => depth += 1,
            ']' if depth == 0 => return Some(&inner[..at]),
            ']' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// `name [Type]` or `[Type] name`.
fn name_and_type(text: &str) -> Option<(&str, &str)> {
    if let Some(ty) = leading_type(text) {
        let (name, _) = split_word(text[ty.len() + 2..].trim_start())?;
        return Some((plain_name(name), ty));
    }
    let (name, rest) = split_word(text)?;
    Some((plain_name(name), leading_type(rest)?))
}

/// A name without the signs of its kind of parameter.
fn plain_name(name: &str) -> &str {
    name.trim_start_matches(['*', '&']).trim_end_matches(':')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_have_names_and_types() {
        let comment = [
            "# Adds.",
            "# @param [Array<Item>] items those",
            "# @param count [Integer, nil]",
            "# @param *rest [Object]",
            "# @yieldparam [Item] item",
            "# @return [Cart] the cart",
            "# @return [nil]",
        ];
        let tags = Tags::parse(&comment);
        assert_eq!(
            tags.params,
            [
                ("items", "Array<Item>"),
                ("count", "Integer, nil"),
                ("rest", "Object")
            ]
        );
        assert_eq!(tags.yielded, [("item", "Item")]);
        assert_eq!(tags.ret, Some("Cart"));
        assert_eq!(Tags::parse(&["# @return", "# @param [A"]), Tags::default());
    }
}
