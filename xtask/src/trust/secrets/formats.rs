//! Formats of the planted project, from `formats.txt` and `more.txt`, each filled in several times.

use super::values::{self, Name, base64};
use testkit::edits::Random;

const FORMATS: &str = include_str!("formats.txt");
const MORE: &str = include_str!("more.txt");
/// The shortest line of a key that is looked for; shorter ones occur by chance.
const SHORTEST_LINE: usize = 8;

/// One way in which a secret stands in a file.
pub(super) struct Format {
    pub(super) id: &'static str,
    pub(super) category: &'static str,
    path: &'static str,
    names: &'static str,
    values: &'static str,
    text: String,
    /// Whether the format is held out: nobody looks at it while the rules are written.
    pub(super) held_out: bool,
    /// Whether the format was added later, from a list made before the rules were read.
    pub(super) later: bool,
}

/// A planted value.
pub(super) struct Planted {
    pub(super) format: &'static str,
    pub(super) category: &'static str,
    pub(super) held_out: bool,
    pub(super) later: bool,
    pub(super) shape: &'static str,
    pub(super) name: String,
    /// Whether the name is an obvious one.
    pub(super) common: bool,
    pub(super) path: String,
    pub(super) text: String,
    /// The value in all its spellings. The value has leaked if any of them can be read.
    pub(super) spellings: Vec<String>,
}

/// All formats; every tenth is held out.
pub(super) fn all() -> Vec<Format> {
    let mut formats: Vec<Format> = Vec::new();
    let lines = FORMATS.lines().map(|line| (line, false));
    for (line, later) in lines.chain(MORE.lines().map(|line| (line, true))) {
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
                later,
            });
        } else if line.starts_with("# ") && formats.last().is_none_or(|f| f.later != later) {
            // This line begins a new list.
        } else if let Some(format) = formats.last_mut() {
            format.text.push_str(line);
            format.text.push('\n');
        }
    }
    formats
}

impl Format {
    /// Fills the format in for the `number`th time.
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
            let (one, two) = halves(&secret);
            let text = text.replace("{1}", one).replace("{2}", two);
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
            // Every line is part of the key.
            "PEM" => spellings.extend(
                secret
                    .split(['\n', '\\', '"'])
                    .filter(|l| !l.contains("-----") && !l.contains(": "))
                    .map(|l| l.trim_start_matches(['n', ' ', '#']).trim().to_owned())
                    .filter(|l| l.len() >= SHORTEST_LINE),
            ),
            "PuTTY" => {
                let private = secret
                    .split_once("Private-Lines")
                    .map_or("", |parts| parts.1);
                let lines = private.split(['\n', ' ']);
                spellings.extend(lines.filter(|l| l.len() > 20).map(str::to_owned));
            }
            _ if self.text.contains("{1}") => {
                let (one, two) = halves(&secret);
                spellings.extend([one.to_owned(), two.to_owned()]);
            }
            _ => spellings.push(secret.clone()),
        }
        Planted {
            format: self.id,
            category: self.category,
            held_out: self.held_out,
            later: self.later,
            shape: value.shape,
            common: name.common,
            path: fill(self.path),
            text: fill(&self.text),
            name: name.words,
            spellings,
        }
    }
}

fn halves(secret: &str) -> (&str, &str) {
    let mut half = secret.len() / 2;
    while !secret.is_char_boundary(half) {
        half -= 1;
    }
    secret.split_at(half)
}

/// The name in all styles of spelling.
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
                "{V}", "{B}", "{A}", "{U}", "{s}", "{c}", "{P}", "{k}", "{d}", "{w}", "{i}", "{1}",
                "{2}",
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
