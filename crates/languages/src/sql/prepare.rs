//! Sources of SQL without what names do not need: rows of tables, of which dumps have millions; bodies between dollar
//! signs, which may be in any language; commands of `psql`. The grammar knows little of the latter two.

use crate::conditions::blank;

/// Most bodies without an end in a source: it is searched in the whole rest.
const MOST_UNCLOSED: usize = 64;

/// The source without them, and of the same length; `None` if it has none.
pub(super) fn prepare(source: &str) -> Option<String> {
    let mut text = source.as_bytes().to_vec();
    let mut unclosed = 0;
    let mut at = 0;
    while at < source.len() {
        let end = source[at..]
            .find('\n')
            .map_or(source.len(), |end| at + end + 1);
        at = match rows_end(source, (at, end)) {
            Some(rows_end) => {
                blank(&mut text, &[(at, rows_end)]);
                rows_end
            }
            None => prepare_line(source, (at, end), (&mut text, &mut unclosed)),
        };
    }
    (text != source.as_bytes())
        .then(|| String::from_utf8(text).ok())
        .flatten()
}

/// The end of rows that begin with a line: of `INSERT`, or of `COPY … FROM stdin`.
fn rows_end(source: &str, (at, end): (usize, usize)) -> Option<usize> {
    let line = source[at..end].trim();
    let begins = |word: &str| {
        let start = line.get(..word.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(word))
    };
    let is_copy = begins("COPY ") && line.to_ascii_lowercase().ends_with("from stdin;");
    if !(is_copy || begins("INSERT ") || begins("REPLACE INTO ")) {
        return None;
    }
    let mut at = at;
    for line in source[at..].split_inclusive('\n') {
        at += line.len();
        let line = line.trim_end();
        if is_copy && line == "\\." || !is_copy && line.ends_with(';') {
            break;
        }
    }
    Some(at)
}

/// Prepares what begins in a line; returns the byte after it.
fn prepare_line(
    source: &str,
    (at, end): (usize, usize),
    (text, unclosed): (&mut [u8], &mut usize),
) -> usize {
    let mut at = at;
    while let Some(found) = source.get(at..end).and_then(|rest| rest.find(['$', '\\'])) {
        at += found;
        let end = if source[at..].starts_with('$') {
            mend_body(source, at, (text, unclosed))
        } else {
            mend_command(source, at, text)
        };
        at = end.unwrap_or(at + 1);
    }
    at.max(end)
}

/// `$$ … $$` and `$tag$ … $tag$` become a text in quotes. Returns the byte after it.
fn mend_body(source: &str, at: usize, (text, unclosed): (&mut [u8], &mut usize)) -> Option<usize> {
    let rest = &source[at + 1..];
    let length = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'))?;
    if !rest[length..].starts_with('$') {
        return None;
    }
    let tag = &source[at..at + 1 + length + 1];
    let body = at + tag.len();
    if *unclosed > MOST_UNCLOSED {
        return None;
    }
    let Some(length) = source[body..].find(tag) else {
        *unclosed += 1;
        return None;
    };
    let end = body + length + tag.len();
    blank(text, &[(at, end)]);
    (text[at], text[end - 1]) = (b'\'', b'\'');
    Some(end)
}

/// A line that begins with a backslash is blanked. Returns its end.
fn mend_command(source: &str, at: usize, text: &mut [u8]) -> Option<usize> {
    if !(at == 0 || source[..at].ends_with('\n')) {
        return None;
    }
    let end = source[at..].find('\n').map_or(source.len(), |end| at + end);
    blank(text, &[(at, end)]);
    Some(end)
}

#[cfg(test)]
mod tests {
    use super::prepare;
    use crate::fixture::names::names;
    use base::Language;

    #[test]
    fn rows_and_bodies_and_commands_hide_no_definitions() {
        let source = "\\set ECHO none\nCREATE FUNCTION a(x int) RETURNS int AS $b$\nBEGIN\n  IF x THEN RETURN 1; END IF;\nEND;\n$b$ LANGUAGE plpgsql;\ninsert into x\n values (1, 'CREATE TABLE y (z int);'),\n (2, 3);\nCOPY x (a) FROM stdin;\nCREATE TABLE w;\n\\.\nCREATE TABLE c (d int);\n";
        assert_eq!(
            names(Language::Sql, source),
            ["function a", "class c", "field c.d"]
        );
    }

    #[test]
    fn what_is_prepared_has_the_same_length() {
        for source in ["$$", "$$é$$", "$a$ $b$", "\\", "a \\ $1 $2", "$é$x$é$"] {
            assert!(
                prepare(source).is_none_or(|text| text.len() == source.len()),
                "{source}"
            );
        }
    }
}
