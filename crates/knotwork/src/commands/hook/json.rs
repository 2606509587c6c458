//! JSON that preserves everything that is not changed: the order of keys, and every number and text as written.

/// A value with its parts in order.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Json {
    /// A number, text or word, as written.
    Plain(String),
    List(Vec<Json>),
    /// Members, with keys as written, with their quotes.
    Object(Vec<(String, Json)>),
}

impl Json {
    /// Parses a text.
    ///
    /// # Errors
    /// If the text is no JSON; the message says what is wrong and where.
    pub(super) fn parse(text: &str) -> Result<Json, String> {
        // Whether it is JSON, and not nested too deeply, is checked by serde_json.
        serde_json::from_str::<serde::de::IgnoredAny>(text).map_err(|e| e.to_string())?;
        serde_json::from_str::<serde_json::Value>(text).map_err(|e| e.to_string())?;
        let mut reader = JsonParser { rest: text };
        Ok(reader.parse_value())
    }

    /// A value from a program's value.
    pub(super) fn from_value(value: &serde_json::Value) -> Json {
        JsonParser {
            rest: &value.to_string(),
        }
        .parse_value()
    }

    /// A member of an object.
    pub(super) fn get(&self, key: &str) -> Option<&Json> {
        let Json::Object(members) = self else {
            return None;
        };
        let found = members.iter().find(|(name, _)| key_equals(name, key));
        found.map(|(_, value)| value)
    }

    /// How often an object has a key.
    pub(super) fn count(&self, key: &str) -> usize {
        match self {
            Json::Object(members) => members
                .iter()
                .filter(|(name, _)| key_equals(name, key))
                .count(),
            _ => 0,
        }
    }

    /// A member of an object, created where it is missing; none where this is no object.
    pub(super) fn get_or_insert(&mut self, key: &str, default: Json) -> Option<&mut Json> {
        let Json::Object(members) = self else {
            return None;
        };
        let at = match members.iter().position(|(name, _)| key_equals(name, key)) {
            Some(at) => at,
            None => {
                members.push((serde_json::Value::from(key).to_string(), default));
                members.len() - 1
            }
        };
        members.get_mut(at).map(|(_, value)| value)
    }

    /// Removes a member from an object.
    pub(super) fn remove(&mut self, key: &str) {
        if let Json::Object(members) = self {
            members.retain(|(name, _)| !key_equals(name, key));
        }
    }

    /// The text of a string.
    pub(super) fn as_string(&self) -> Option<String> {
        match self {
            Json::Plain(raw) => serde_json::from_str(raw).ok(),
            _ => None,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        match self {
            Json::List(items) => items.is_empty(),
            Json::Object(members) => members.is_empty(),
            Json::Plain(_) => false,
        }
    }

    /// The text, with one member or item a line.
    pub(super) fn to_pretty(&self, indent: &str) -> String {
        let mut out = String::new();
        self.write_pretty(indent, 0, &mut out);
        out
    }

    fn write_pretty(&self, indent: &str, depth: usize, out: &mut String) {
        let (open, close) = match self {
            Json::Plain(raw) => return out.push_str(raw),
            Json::List(_) => ('[', ']'),
            Json::Object(_) => ('{', '}'),
        };
        out.push(open);
        let line = |out: &mut String, first: bool, depth: usize| {
            *out += if first { "\n" } else { ",\n" };
            *out += &indent.repeat(depth);
        };
        match self {
            Json::List(items) => {
                for (number, item) in items.iter().enumerate() {
                    line(out, number == 0, depth + 1);
                    item.write_pretty(indent, depth + 1, out);
                }
            }
            Json::Object(members) => {
                for (number, (key, value)) in members.iter().enumerate() {
                    line(out, number == 0, depth + 1);
                    *out += key;
                    *out += ": ";
                    value.write_pretty(indent, depth + 1, out);
                }
            }
            Json::Plain(_) => {}
        }
        if !self.is_empty() {
            line(out, true, depth);
        }
        out.push(close);
    }
}

fn key_equals(raw: &str, key: &str) -> bool {
    serde_json::from_str::<String>(raw).is_ok_and(|name| name == key)
}

/// A parser for text that is known to be valid JSON.
struct JsonParser<'t> {
    rest: &'t str,
}

impl JsonParser<'_> {
    fn parse_value(&mut self) -> Json {
        self.skip_whitespace();
        match self.rest.chars().next() {
            Some('{') => {
                let mut members = Vec::new();
                self.parse_items('}', |reader| {
                    let key = reader.take_scalar();
                    reader.skip_whitespace();
                    reader.skip(1);
                    members.push((key, reader.parse_value()));
                });
                Json::Object(members)
            }
            Some('[') => {
                let mut items = Vec::new();
                self.parse_items(']', |reader| items.push(reader.parse_value()));
                Json::List(items)
            }
            _ => Json::Plain(self.take_scalar()),
        }
    }

    /// Parses the items between brackets, one after the other.
    fn parse_items(&mut self, close: char, mut one: impl FnMut(&mut Self)) {
        self.skip(1);
        loop {
            self.skip_whitespace();
            match self.rest.chars().next() {
                None => return,
                Some(c) if c == close => return self.skip(1),
                Some(',') => self.skip(1),
                Some(_) => one(self),
            }
        }
    }

    /// Takes a text, number or word.
    fn take_scalar(&mut self) -> String {
        let mut escaped = false;
        let ends = |(at, c): (usize, char)| {
            let end = !escaped && c == '"' && at > 0;
            escaped = c == '\\' && !escaped;
            end.then_some(at + 1)
        };
        let length = if self.rest.starts_with('"') {
            self.rest.char_indices().find_map(ends)
        } else {
            self.rest
                .find(|c: char| c.is_whitespace() || matches!(c, ',' | ']' | '}'))
        };
        let (raw, rest) = self.rest.split_at(length.unwrap_or(self.rest.len()));
        self.rest = rest;
        raw.to_owned()
    }

    fn skip_whitespace(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn skip(&mut self, bytes: usize) {
        self.rest = self.rest.get(bytes..).unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_what_was_read() {
        let text = "{\n  \"z\": 1.50,\n  \"a\\\"b\": [\n    1e9,\n    \"x, } ] \\\\\",\n    {},\n    [],\n    null\n  ],\n  \
                    \"big\": 123456789012345678901234567890,\n  \"o\": {\n    \"ü\": \"\\u00fc\"\n  }\n}";
        assert_eq!(Json::parse(text).unwrap().to_pretty("  "), text);
        let short = r#"{"z":1.50,"a":[1,{"b":true}]}"#;
        let long = Json::parse(short).unwrap().to_pretty("\t");
        assert_eq!(
            long,
            "{\n\t\"z\": 1.50,\n\t\"a\": [\n\t\t1,\n\t\t{\n\t\t\t\"b\": true\n\t\t}\n\t]\n}"
        );
    }

    #[test]
    fn damaged_text_is_refused() {
        for text in ["", "{", "{\"a\": 1,}", "// x\n{}", "{} {}"] {
            assert!(Json::parse(text).is_err(), "{text}");
        }
        assert!(Json::parse(&"[".repeat(100_000)).is_err());
    }
}
