//! Path templates of HTTP: `/users/{id}`, in every framework's notation of parameters.

/// A part of a path between two slashes.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Segment {
    /// A fixed text.
    Literal(String),
    /// Any one segment.
    Parameter,
    /// Any number of further segments.
    Rest,
}

/// A path template. Parameters have no names.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Template {
    /// The host, if it is written.
    pub host: Option<String>,
    /// Whether an unknown part comes before it.
    pub open_prefix: bool,
    /// Its segments.
    pub segments: Vec<Segment>,
}

/// The most segments of a path; longer ones are no routes.
const MOST_SEGMENTS: usize = 40;

impl Template {
    /// Reads a path or an address.
    pub fn parse(text: &str) -> Template {
        let (host, rest) = strip_host(text);
        let rest = without_query(rest);
        let mut segments = Vec::new();
        for part in split_segments(rest) {
            if !part.is_empty() && segments.len() < MOST_SEGMENTS {
                push_segment(&mut segments, part);
            }
        }
        // The rest may be anything: `/files/*`.
        if rest.ends_with("/*") && segments.last() == Some(&Segment::Parameter) {
            segments.pop();
            segments.push(Segment::Rest);
        }
        // `{BASE_URL}/users`: a name for the whole beginning; `{BASE_URL}users` if that ends with a slash.
        let begins_open = host.is_none() && text.trim_start().starts_with('{');
        if begins_open && segments.first() == Some(&Segment::Parameter) {
            segments.remove(0);
            if let Some(word) = word_behind_name(rest) {
                segments.insert(0, Segment::Literal(word.to_owned()));
            }
        }
        Template {
            host,
            open_prefix: begins_open,
            segments,
        }
    }

    /// The number of literal segments.
    pub fn literals(&self) -> usize {
        let literal = |s: &&Segment| matches!(s, Segment::Literal(_));
        self.segments.iter().filter(literal).count()
    }

    /// The template as text: `/users/{}`.
    pub fn to_text(&self) -> String {
        let parts = self.segments.iter().map(|segment| match segment {
            Segment::Literal(text) => format!("/{text}"),
            Segment::Parameter => "/{}".to_owned(),
            Segment::Rest => "/*".to_owned(),
        });
        let path: String = parts.collect();
        if path.is_empty() {
            "/".to_owned()
        } else {
            path
        }
    }
}

/// The word after a name in braces, without a slash between: `users` in `{BASE_URL}users/7`.
fn word_behind_name(path: &str) -> Option<&str> {
    let (_, behind) = path.trim_start().strip_prefix('{')?.split_once('}')?;
    let word = behind.split('/').next().unwrap_or_default();
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    let is_plain = word.starts_with(char::is_alphabetic) && word.chars().all(is_word);
    is_plain.then_some(word)
}

/// A path without `?…` and `#…`, except those within braces.
fn without_query(path: &str) -> &str {
    let mut depth = 0usize;
    for (at, c) in path.char_indices() {
        match c {
            '{' | '<' | '[' | '(' => depth += 1,
            '}' | '>' | ']' | ')' => depth = depth.saturating_sub(1),
            '?' if depth == 0 => {
                // `:id?` is an optional parameter.
                let segment = path[..at].rsplit('/').next().unwrap_or_default();
                if !(segment.starts_with(':') && path[at + 1..].starts_with('/')) {
                    return &path[..at];
                }
            }
            '#' if depth == 0 => return &path[..at],
            _ => {}
        }
    }
    path
}

/// The parts between slashes; slashes within braces do not count.
fn split_segments(path: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0usize, 0);
    for (at, c) in path.char_indices() {
        match c {
            '{' | '<' | '(' => depth += 1,
            '}' | '>' | ')' => depth = depth.saturating_sub(1),
            '/' if depth == 0 => {
                parts.push(&path[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&path[start..]);
    parts
}

fn push_segment(segments: &mut Vec<Segment>, part: &str) {
    // `{name=memos/*}` in Protocol Buffers covers several segments.
    if let Some(inner) = part.strip_prefix('{')
        && let Some((pattern, verb)) = inner.split_once('}')
        && let Some((_, pattern)) = pattern.split_once('=')
    {
        // The inner text has no brace left, so this goes one level deep.
        let left = MOST_SEGMENTS.saturating_sub(segments.len());
        for one in pattern.split('/').take(left) {
            push_segment(segments, one);
        }
        if let (Some(verb), Some(Segment::Literal(last))) =
            (verb.strip_prefix(':'), segments.last_mut())
        {
            last.push_str(&format!(":{verb}"));
        }
        return;
    }
    let read = segment(part);
    if read != Segment::Literal(String::new()) {
        segments.push(read);
    }
}

fn segment(part: &str) -> Segment {
    if matches!(part, "**" | "*" | "...") {
        return if part == "*" {
            Segment::Parameter
        } else {
            Segment::Rest
        };
    }
    let catches_all = part.starts_with("[...")
        || part.starts_with("[[...")
        || part.starts_with("{*")
        || part.starts_with("<path:")
        || part.starts_with('*')
        || part.ends_with("...}")
        || part.ends_with(":path}");
    if catches_all {
        return Segment::Rest;
    }
    let is_parameter = part.starts_with(':')
        // Kotlin's `"/users/$id"`.
        || part.starts_with('$') && part.len() > 1
        || part.starts_with('<') && part.ends_with('>')
        || part.starts_with('[') && part.ends_with(']')
        || part.starts_with("(?P<")
        || part.starts_with('{') && part.ends_with('}');
    // `{id}.json`, `user-{id}`, `{name}:archive`: the segment contains a parameter.
    if is_parameter || part.contains('{') || part.contains('<') {
        Segment::Parameter
    } else {
        Segment::Literal(part.trim_matches(['^', '$']).to_owned())
    }
}

/// The host of an address, and the rest.
pub fn strip_host(text: &str) -> (Option<String>, &str) {
    let Some((scheme, rest)) = text.split_once("://") else {
        return (None, text);
    };
    let is_scheme = scheme
        .bytes()
        .all(|b| b.is_ascii_alphanumeric() || b == b'+')
        || scheme.starts_with('{');
    if !is_scheme {
        return (None, text);
    }
    let end = rest.find('/').unwrap_or(rest.len());
    let host = rest[..end].rsplit('@').next().unwrap_or_default();
    (
        Some(host.to_ascii_lowercase()).filter(|h| !h.is_empty()),
        &rest[end..],
    )
}

/// Joins two paths.
pub fn join_paths(first: &str, second: &str) -> String {
    // A name at the beginning stands for the whole path before it. A parameter after a slash does not.
    let is_open = second.starts_with('{');
    let (first, second) = (first.trim_end_matches('/'), second.trim_start_matches('/'));
    match (first.is_empty(), second.is_empty()) {
        (_, true) => first.to_owned(),
        (true, false) if second.contains("://") || is_open => second.to_owned(),
        _ => format!("{first}/{second}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(path: &str) -> String {
        let read = Template::parse(path);
        let open = if read.open_prefix { "…" } else { "" };
        let host = read.host.as_deref().unwrap_or("");
        format!("{host}{open}{}", read.to_text())
    }

    #[test]
    fn parameters_of_all_frameworks_are_the_same() {
        for path in [
            "/users/:id/posts",
            "/users/{id}/posts",
            "/users/<int:id>/posts",
            "/users/<id>/posts",
            "/users/[id]/posts",
            "/users/{id:[0-9]+}/posts",
            "/users/{id:[a-z/]+}/posts/",
            "users/(?P<pk>[^/]+)/posts/$",
            "/users/*/posts?page=1#top",
            "/users/$id/posts",
        ] {
            assert_eq!(shown(path), "/users/{}/posts", "{path}");
        }
    }

    #[test]
    fn what_is_not_known_before_a_path_is_open() {
        assert_eq!(shown("{BASE}/users/{id}"), "…/users/{}");
        assert_eq!(shown("{BASE}users/{id}"), "…/users/{}");
        assert_eq!(shown("{BASE}{id}/x"), "…/x");
        assert_eq!(shown("http://cart:8080/a/{b}?c"), "cart:8080/a/{}");
        assert_eq!(
            shown("/v1/{name=memos/*}/reactions"),
            "/v1/memos/{}/reactions"
        );
        assert_eq!(shown("/files/[...path]"), "/files/*");
        assert_eq!(shown("/files/*"), "/files/*");
        assert_eq!(shown("/"), "/");
        assert_eq!(shown(""), "/");
    }

    #[test]
    fn paths_are_joined_by_one_slash() {
        assert_eq!(join_paths("/api/", "/users"), "/api/users");
        assert_eq!(join_paths("", "users"), "/users");
        assert_eq!(join_paths("/api", "/"), "/api");
        assert_eq!(join_paths("", "{BASE}/x"), "{BASE}/x");
        assert_eq!(join_paths("", "/{id}"), "/{id}");
    }
}
