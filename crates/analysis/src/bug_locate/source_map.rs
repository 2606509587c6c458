//! Source maps, version 3: from a place in a generated file to the place in its source.

use serde::Deserialize;

/// Most mappings that are read.
const MOST: usize = 4_000_000;

/// The most bytes of a source path: each frame would have its own copy of a longer one.
const LONGEST_PATH: usize = 4_096;

/// A mapping from a column of the generated file to a place in a source. All numbers count from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Mapping {
    generated_column: u32,
    source: u32,
    line: u32,
    column: u32,
}

/// A place in a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OriginalPosition {
    /// The path of the source, as the map has it.
    pub path: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

/// A source map, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceMap {
    /// Prefix of the path of every source.
    source_root: String,
    sources: Vec<Option<String>>,
    mappings: Vec<Mapping>,
    /// For each generated line: the position in `mappings` at which its mappings end.
    line_ends: Vec<u32>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Raw {
    #[serde(default)]
    source_root: Option<String>,
    sources: Vec<Option<String>>,
    mappings: String,
}

impl SourceMap {
    /// Parses a source map; `None` if the text is not one.
    pub fn parse(text: &str) -> Option<SourceMap> {
        let raw: Raw = serde_json::from_str(text.trim_start_matches(")]}'")).ok()?;
        let mut root = raw.source_root.unwrap_or_default();
        root.truncate(root.trim_end_matches('/').len());
        let (mappings, ends) = parse_mappings(&raw.mappings)?;
        Some(SourceMap {
            source_root: root,
            sources: raw.sources,
            mappings,
            line_ends: ends,
        })
    }

    /// The place in a source that a place in the generated file (from 1) was made of.
    pub fn find_original_position(
        &self,
        line: u32,
        column: Option<u32>,
    ) -> Option<OriginalPosition> {
        let line = line.checked_sub(1)? as usize;
        let start = match line.checked_sub(1) {
            Some(before) => *self.line_ends.get(before)? as usize,
            None => 0,
        };
        let row = self
            .mappings
            .get(start..*self.line_ends.get(line)? as usize)?;
        let column = column.unwrap_or(1).saturating_sub(1);
        let after = row.partition_point(|mapping| mapping.generated_column <= column);
        let mapping = *row.get(after.saturating_sub(1))?;
        let source = self.sources.get(mapping.source as usize)?;
        let source = source.as_deref().unwrap_or_default();
        if self.source_root.len() + source.len() > LONGEST_PATH {
            return None;
        }
        let path = if self.source_root.is_empty() {
            source.to_owned()
        } else {
            format!("{}/{source}", self.source_root)
        };
        Some(OriginalPosition {
            path,
            line: mapping.line.checked_add(1)?,
            column: mapping.column.checked_add(1)?,
        })
    }
}

/// All mappings, and the position at which those of each line end.
fn parse_mappings(text: &str) -> Option<(Vec<Mapping>, Vec<u32>)> {
    let (mut source, mut line, mut column) = (0_i64, 0_i64, 0_i64);
    let mut count = 0;
    let mut out: Vec<Mapping> = Vec::new();
    let mut ends = Vec::new();
    for row in text.split(';') {
        let mut generated = 0_i64;
        let first = out.len();
        for segment in row.split(',').filter(|s| !s.is_empty()) {
            let values = decode_vlq(segment)?;
            generated += values.first()?;
            if let [_, s, l, c, ..] = values[..] {
                source += s;
                line += l;
                column += c;
                let number = |n: i64| u32::try_from(n).ok();
                out.push(Mapping {
                    generated_column: number(generated)?,
                    source: number(source)?,
                    line: number(line)?,
                    column: number(column)?,
                });
            }
            count += 1;
            if count > MOST {
                return None;
            }
        }
        out[first..].sort_unstable();
        ends.push(out.len() as u32);
    }
    Some((out, ends))
}

/// The numbers of a segment: base 64, six bits each, the last bit of a number its sign.
fn decode_vlq(segment: &str) -> Option<Vec<i64>> {
    let (mut value, mut shift) = (0_i64, 0);
    let mut out = Vec::new();
    for byte in segment.bytes() {
        let digit = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        if shift > 35 {
            return None;
        }
        value |= i64::from(digit & 31) << shift;
        shift += 5;
        if digit & 32 == 0 {
            out.push(if value & 1 == 1 {
                -(value >> 1)
            } else {
                value >> 1
            });
            (value, shift) = (0, 0);
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_led_back_to_its_source() {
        // Generated line 1: column 0 to a.ts 1:1, column 10 to a.ts 3:5; line 2: column 0 to b.ts 1:1.
        let map = r#"{"version":3,"sourceRoot":"src/","sources":["a.ts","b.ts"],"mappings":"AAAA,UAEI;ACFJ"}"#;
        let map = SourceMap::parse(map).unwrap();
        let position = |path: &str, line, column| {
            Some(OriginalPosition {
                path: path.to_owned(),
                line,
                column,
            })
        };
        assert_eq!(
            map.find_original_position(1, Some(4)),
            position("src/a.ts", 1, 1)
        );
        assert_eq!(
            map.find_original_position(1, Some(15)),
            position("src/a.ts", 3, 5)
        );
        assert_eq!(
            map.find_original_position(2, None),
            position("src/b.ts", 1, 1)
        );
        assert_eq!(map.find_original_position(9, None), None);
        assert_eq!(map.find_original_position(0, None), None);
    }

    #[test]
    fn what_is_no_map_gives_none() {
        for text in [
            "",
            "{}",
            "[]",
            r#"{"sources":[],"mappings":"é"}"#,
            r#"{"sources":[],"mappings":"DDDD"}"#,
        ] {
            assert_eq!(SourceMap::parse(text), None, "{text}");
        }
    }

    #[test]
    fn the_root_is_not_copied_into_every_source() {
        let root = "r".repeat(1_000_000);
        let sources = vec!["\"s\""; 100_000].join(",");
        let map =
            format!(r#"{{"sourceRoot":"{root}","sources":[{sources}],"mappings":"AAAA;;ACAA"}}"#);
        let map = SourceMap::parse(&map).unwrap();
        assert_eq!(
            map.find_original_position(3, None),
            None,
            "nor is it copied for each frame"
        );
        assert_eq!(map.find_original_position(2, None), None);
    }
}
