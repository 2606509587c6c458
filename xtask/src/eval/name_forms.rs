//! Queries made from the name of a definition. A hash chooses where there is a choice, so every run asks the same.

use search::Mode;
use store::Name;
use text::identifier;

/// A way of asking for a name.
pub struct Form {
    /// Its name in the table.
    pub name: &'static str,
    /// The way in which search reads the query.
    pub mode: Mode,
    /// Makes the query; none if the name does not allow the form.
    make: fn(&Name, Choice) -> Option<String>,
}

impl Form {
    /// The query for a definition; none if its name does not allow the form.
    pub fn query(&self, definition: &Name) -> Option<String> {
        let parts = [self.name, &definition.file_path, &definition.symbol];
        let choice = Choice(base::fingerprint(&parts.map(str::as_bytes)));
        let query = (self.make)(definition, choice)?;
        (query != definition.symbol).then_some(query)
    }

    /// Whether the query has a word of the owner or path, so that only definitions with that word are right.
    pub fn names_owner(&self) -> bool {
        self.name == OWNER
    }
}

const OWNER: &str = "word of the owner or path";

/// Every form.
pub const FORMS: [Form; 15] = [
    form("other case", Mode::Symbol, other_case),
    form("prefix", Mode::Symbol, prefix),
    form("words in order", Mode::Symbol, in_order),
    form("words in another order", Mode::Symbol, other_order),
    form("part inside", Mode::Symbol, inside),
    form("first letters of words", Mode::Symbol, initials),
    form("dropped letter", Mode::Symbol, dropped),
    form("doubled letter", Mode::Symbol, doubled),
    form("swapped letters", Mode::Symbol, swapped),
    form("keywords in order", Mode::Keyword, in_order),
    form("keywords in another order", Mode::Keyword, other_order),
    form("one keyword", Mode::Keyword, one_word),
    form("beginnings of words", Mode::Keyword, beginnings),
    form("another ending", Mode::Keyword, other_ending),
    form(OWNER, Mode::Keyword, with_owner),
];

const fn form(name: &'static str, mode: Mode, make: fn(&Name, Choice) -> Option<String>) -> Form {
    Form { name, mode, make }
}

/// A hash that chooses.
#[derive(Clone, Copy)]
struct Choice(u64);

impl Choice {
    /// A number below a limit.
    fn below(self, limit: usize) -> Option<usize> {
        let limit = limit as u64;
        (limit > 0).then(|| (self.0 % limit.max(1)) as usize)
    }

    /// One of several.
    fn pick<T>(self, all: &[T]) -> Option<&T> {
        all.get(self.below(all.len())?)
    }
}

fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    identifier::words(name, &mut words);
    words
}

fn other_case(definition: &Name, _: Choice) -> Option<String> {
    let name = &definition.symbol;
    let lower = name.to_lowercase();
    Some(if lower == *name {
        name.to_uppercase()
    } else {
        lower
    })
}

/// At least three letters and a third of the name.
fn prefix(definition: &Name, choice: Choice) -> Option<String> {
    let letters: Vec<char> = definition.symbol.chars().collect();
    let least = (letters.len() / 3).max(3);
    let more = choice.below(letters.len().checked_sub(least)?)?;
    Some(letters[..least + more].iter().collect())
}

/// The words, without one where there are three or more.
fn some_words(definition: &Name, choice: Choice) -> Option<Vec<String>> {
    let mut words = words(&definition.symbol);
    if words.len() > 2 {
        words.remove(choice.below(words.len())?);
    }
    (words.len() > 1).then_some(words)
}

fn in_order(definition: &Name, choice: Choice) -> Option<String> {
    Some(some_words(definition, choice)?.join(" "))
}

fn other_order(definition: &Name, choice: Choice) -> Option<String> {
    let mut words = some_words(definition, choice)?;
    words.rotate_left(1);
    Some(words.join(" "))
}

/// At least three letters that begin within a word, and half of the rest.
fn inside(definition: &Name, choice: Choice) -> Option<String> {
    let letters: Vec<char> = definition.symbol.chars().collect();
    let within = |at: &usize| letters[at - 1].is_lowercase() && letters[*at].is_lowercase();
    let last = letters.len().checked_sub(3)?;
    let starts: Vec<usize> = (1..=last).filter(within).collect();
    let rest = &letters[*choice.pick(&starts)?..];
    Some(rest[..(rest.len() / 2).max(3)].iter().collect())
}

fn initials(definition: &Name, _: Choice) -> Option<String> {
    let words = words(&definition.symbol);
    let first = words.iter().filter_map(|word| word.chars().next());
    (words.len() > 2).then(|| first.collect())
}

/// The letters of a name of five or more, and the place of one between the first and the last.
fn mistyped(definition: &Name, choice: Choice) -> Option<(Vec<char>, usize)> {
    let letters: Vec<char> = definition.symbol.chars().collect();
    let places: Vec<usize> = (1..letters.len().saturating_sub(1))
        .filter(|at| letters[*at].is_alphanumeric())
        .collect();
    let place = *choice.pick(&places)?;
    (letters.len() > 4).then_some((letters, place))
}

fn dropped(definition: &Name, choice: Choice) -> Option<String> {
    let (mut letters, place) = mistyped(definition, choice)?;
    letters.remove(place);
    Some(letters.into_iter().collect())
}

fn doubled(definition: &Name, choice: Choice) -> Option<String> {
    let (mut letters, place) = mistyped(definition, choice)?;
    letters.insert(place, letters[place]);
    Some(letters.into_iter().collect())
}

fn swapped(definition: &Name, choice: Choice) -> Option<String> {
    let (mut letters, place) = mistyped(definition, choice)?;
    letters.swap(place - 1, place);
    Some(letters.into_iter().collect())
}

fn one_word(definition: &Name, choice: Choice) -> Option<String> {
    let words = words(&definition.symbol);
    choice.pick(&words).filter(|_| words.len() > 1).cloned()
}

/// The first half of each word, at least two letters.
fn beginnings(definition: &Name, _: Choice) -> Option<String> {
    let words = words(&definition.symbol);
    let half = |word: &String| -> String {
        let count = word.chars().count();
        word.chars().take(count.div_ceil(2).max(2)).collect()
    };
    let halves: Vec<String> = words.iter().map(half).collect();
    (words.len() > 1 && halves != words).then(|| halves.join(" "))
}

/// The words, one of them with another ending.
fn other_ending(definition: &Name, choice: Choice) -> Option<String> {
    let mut words = words(&definition.symbol);
    let long =
        |at: &usize| words[*at].len() > 3 && words[*at].bytes().all(|b| b.is_ascii_lowercase());
    let places: Vec<usize> = (0..words.len()).filter(long).collect();
    let place = *choice.pick(&places)?;
    words[place] = with_other_ending(&words[place], choice)?;
    Some(words.join(" "))
}

const ENDINGS: [&str; 4] = ["s", "ed", "er", "ing"];

fn with_other_ending(word: &str, choice: Choice) -> Option<String> {
    let bare = |ending: &&str| word.strip_suffix(ending).filter(|rest| rest.len() > 2);
    let stem = ENDINGS.iter().find_map(bare).unwrap_or(word);
    let forms = ENDINGS.map(|ending| {
        let short = stem.strip_suffix('e').filter(|_| ending != "s");
        format!("{}{ending}", short.unwrap_or(stem))
    });
    let others: Vec<&String> = forms.iter().filter(|form| *form != word).collect();
    choice.pick(&others).map(|form| (*form).clone())
}

/// A word of the owner or path that the name lacks, and a word of the name.
fn with_owner(definition: &Name, choice: Choice) -> Option<String> {
    let own = words(&definition.symbol);
    let mut around = owner_words(definition.qualified_name.as_deref(), &definition.file_path);
    around.retain(|word| word.len() > 2 && !own.contains(word));
    Some(format!("{} {}", choice.pick(&around)?, choice.pick(&own)?))
}

/// The words of the names around a definition; of its path if it is in no other.
fn owner_words(qualified: Option<&str>, path: &str) -> Vec<String> {
    match qualified.and_then(|name| name.rsplit_once('.')) {
        Some((owner, _)) => words(owner),
        None => words(path),
    }
}

/// Whether the query's first word stands around a definition.
pub fn is_of_owner(query: &str, (qualified, path): (Option<&str>, &str)) -> bool {
    let wanted = query.split(' ').next().unwrap_or_default();
    words(&format!("{}/{path}", qualified.unwrap_or_default()))
        .iter()
        .any(|word| word == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use store::NodeFlags;

    fn definition(symbol: &str, qualified: Option<&str>) -> Name {
        Name {
            id: symbol.to_owned(),
            symbol: symbol.to_owned(),
            qualified_name: qualified.map(str::to_owned),
            kind: "method".to_owned(),
            file_path: "src/store.py".to_owned(),
            line_start: Some(1),
            line_end: Some(2),
            flags: NodeFlags::default(),
        }
    }

    #[test]
    fn every_form_makes_a_query_from_a_name() {
        let name = definition("loadUserConfig", Some("Session.loadUserConfig"));
        let wanted = [
            "loaduserconfig",
            "loadUserConf",
            "user config",
            "user load",
            "oadUse",
            "luc",
            "loadUsrConfig",
            "loaddUserConfig",
            "loadUserCnofig",
            "load user",
            "user load",
            "config",
            "lo us con",
            "load user configer",
            "session load",
        ];
        let made: Vec<String> = FORMS.iter().filter_map(|form| form.query(&name)).collect();
        assert_eq!(made, wanted);
    }

    #[test]
    fn names_that_are_too_short_have_no_query() {
        let of = |symbol: &str| {
            let name = definition(symbol, None);
            let forms = FORMS.iter().filter(|form| form.query(&name).is_some());
            forms.map(|form| form.name).collect::<Vec<_>>()
        };
        assert_eq!(of("id"), ["other case", OWNER]);
        assert!(of("12").iter().all(|form| *form == OWNER));
    }

    #[test]
    fn an_ending_changes_the_word_and_keeps_its_stem() {
        for (word, stem) in [("parser", "pars"), ("create", "creat"), ("load", "load")] {
            for choice in 0..4 {
                let other = with_other_ending(word, Choice(choice)).unwrap();
                assert!(other != word && other.starts_with(stem), "{other}");
            }
        }
    }

    #[test]
    fn an_owner_is_a_name_around_it_or_its_path() {
        let around = (Some("Session.load"), "src/store.py");
        assert!(is_of_owner("session load", around));
        assert!(is_of_owner("store load", around));
        assert!(!is_of_owner("user load", around));
    }
}
