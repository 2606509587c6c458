//! The planted project: formats from `formats.txt`, each filled in several times.

use super::values::{self, Name, base64};
use testkit::edits::Random;

const FORMATS: &str = include_str!("formats.txt");

/// One way in which a secret stands in a file.
pub(super) struct Format {
    pub(super) id: &'static str,
    pub(super) category: &'static str,
    path: &'static str,
    names: &'static str,
    values: &'static str,
    text: String,
    /// Nobody looks at these while the rules are written.
    pub(super) held_out: bool,
}

/// A planted value.
pub(super) struct Planted {
    pub(super) format: &'static str,
    pub(super) category: &'static str,
    pub(super) held_out: bool,
    pub(super) shape: &'static str,
    pub(super) name: String,
    /// Whether everybody would think of that name.
    pub(super) common: bool,
    pub(super) path: String,
    pub(super) text: String,
    /// The value, and how else it is written there. What of these is readable anywhere has stayed.
    pub(super) spellings: Vec<String>,
}

/// All formats; every tenth is held out.
pub(super) fn all() -> Vec<Format> {
    let mut formats: Vec<Format> = Vec::new();
    for line in FORMATS.lines() {
        if let Some(head) = line.strip_prefix("== ") {
            let mut parts = head.split(" | ");
            let mut next = || parts.next().unwrap_or_default();
            formats.push(Format {
                id: next(),
                category: next(),
                path: next(),
                names: next(),
                values: next(),
                text: String::new(),
                held_out: formats.len() % 10 == 7,
            });
        } else if let Some(format) = formats.last_mut() {
            format.text.push_str(line);
            format.text.push('\n');
        }
    }
    formats
}

impl Format {
    /// Fills it in for the `number`th time.
    pub(super) fn plant(&self, random: &mut Random, number: usize) -> Planted {
        let mut name = values::name(random, self.names);
        let (value, vendor) = values::of_kind(random, self.values, &name);
        if let Some(vendor) = vendor {
            name.words = vendor.to_owned();
        }
        let secret = value.text;
        let user = format!("app:{secret}");
        let fill = |text: &str| {
            let mut text = text.replace("{i}", &number.to_string());
            for (sign, word) in spelled(&name) {
                text = text.replace(sign, &word);
            }
            let text = text.replace("{B}", &base64(secret.as_bytes()));
            let text = text.replace("{A}", &base64(user.as_bytes()));
            text.replace("{V}", &secret)
        };
        let mut spellings = Vec::new();
        for (sign, written) in [
            ("{B}", base64(secret.as_bytes())),
            ("{A}", base64(user.as_bytes())),
        ] {
            if self.text.contains(sign) {
                spellings.push(written.trim_end_matches('=').to_owned());
            }
        }
        match value.shape {
            // Every line is a part of the key.
            "PEM" => spellings.extend(
                secret
                    .split(['\n', '\\'])
                    .filter(|l| !l.contains("-----"))
                    .map(|l| l.trim().trim_start_matches('n').to_owned()),
            ),
            _ => spellings.push(secret.clone()),
        }
        Planted {
            format: self.id,
            category: self.category,
            held_out: self.held_out,
            shape: value.shape,
            common: name.common,
            path: fill(self.path),
            text: fill(&self.text),
            name: name.words,
            spellings,
        }
    }
}

/// The name in every way of writing.
fn spelled(name: &Name) -> [(&'static str, String); 7] {
    let words: Vec<&str> = name.words.split('_').collect();
    let pascal: String = words
        .iter()
        .map(|word| word[..1].to_uppercase() + &word[1..])
        .collect();
    let camel = pascal[..1].to_lowercase() + &pascal[1..];
    [
        ("{U}", name.words.to_uppercase()),
        ("{s}", name.words.clone()),
        ("{c}", camel),
        ("{P}", pascal),
        ("{k}", words.join("-")),
        ("{d}", words.join(".")),
        ("{w}", words.join(" ")),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_well_formed_and_the_same_each_time() {
        let formats = all();
        assert!(formats.len() > 200);
        let mut ids: Vec<_> = formats.iter().map(|f| f.id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), formats.len());
        let plant = |seed| -> Vec<String> {
            let mut random = Random::new(seed);
            formats
                .iter()
                .map(|f| f.plant(&mut random, 3).text)
                .collect()
        };
        assert_eq!(plant(1), plant(1));
        assert_ne!(plant(1), plant(2));
        let mut random = Random::new(7);
        for format in &formats {
            let planted = format.plant(&mut random, 0);
            for left in [
                "{V}", "{B}", "{A}", "{U}", "{s}", "{c}", "{P}", "{k}", "{d}", "{w}", "{i}",
            ] {
                assert!(
                    !planted.text.contains(left) && !planted.path.contains(left),
                    "{}: {left}",
                    format.id
                );
            }
            assert!(
                planted
                    .spellings
                    .iter()
                    .any(|s| planted.text.contains(s.as_str())),
                "{}",
                format.id
            );
        }
    }
}
