//! Synonyms in code: `cert` for certificates, `exclude` for things that are skipped.

use crate::prepare::with_stems;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;
use text::list;

/// Lines of words with the same meaning.
static SAME: LazyLock<Vec<&str>> =
    LazyLock::new(|| list::entries(include_str!("also.txt")).collect());

/// The synonyms of each stem, as stems.
static ALSO: LazyLock<FxHashMap<String, Vec<String>>> = LazyLock::new(|| {
    let mut all: FxHashMap<String, Vec<String>> = FxHashMap::default();
    for line in SAME.iter() {
        let stems = stems_in_line(line);
        for stem in &stems {
            let others = stems.iter().filter(|other| *other != stem);
            all.entry(stem.clone()).or_default().extend(others.cloned());
        }
    }
    all
});

fn stems_in_line(line: &str) -> Vec<String> {
    let (mut all, mut lower) = (Vec::new(), String::new());
    with_stems(|stems| {
        for word in line.split(' ') {
            text::terms::stems_of(word, stems, &mut lower, |stem| all.push(stem.to_owned()));
        }
    });
    all.sort_unstable();
    all.dedup();
    all
}

/// The synonyms of a stem, as stems.
pub(crate) fn synonym_stems(stem: &str) -> &'static [String] {
    ALSO.get(stem).map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_for_each_other() {
        let of = |word: &str| synonym_stems(&stems_in_line(word)[0]).join(" ");
        assert_eq!(of("certificates"), "cert");
        assert_eq!(of("cert"), stems_in_line("certificate")[0]);
        assert_eq!(of("skipped").split(' ').count(), 3);
        assert_eq!(of("banana"), "");
    }

    #[test]
    fn every_word_has_one_stem() {
        for line in SAME.iter() {
            assert_eq!(stems_in_line(line).len(), line.split(' ').count(), "{line}");
        }
    }
}
