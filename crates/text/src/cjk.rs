//! Characters of Chinese, Japanese and Korean: written without spaces between words, or (Hangul) with endings attached.
//!
//! The two wider sets determine the terms of indexes on users' disks. A change of one needs a new version of its index.

/// Whether the character is Han or Kana of the blocks in which nearly all text is written.
#[inline]
pub fn is_han_or_kana(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}')
}

/// As [`is_han_or_kana`], with Hangul, half-width Kana and rare Han: code search splits these characters into bigrams.
#[inline]
pub fn is_cjk(c: char) -> bool {
    is_han_or_kana(c)
        || matches!(c, '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '\u{ff66}'..='\u{ff9f}'
            | '\u{20000}'..='\u{2fa1f}')
}

/// As [`is_cjk`], with the mark that repeats a character and the small Kana of Ainu: solution memory splits these
/// characters into bigrams.
#[inline]
pub fn is_cjk_or_mark(c: char) -> bool {
    is_cjk(c) || matches!(c, '々' | '\u{31f0}'..='\u{31ff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_set_holds_the_one_before() {
        for (c, expected) in [
            ('a', [false; 3]),
            ('。', [false; 3]),
            ('々', [false, false, true]),
            ('한', [false, true, true]),
            ('ｶ', [false, true, true]),
            ('設', [true; 3]),
            ('あ', [true; 3]),
        ] {
            let got = [is_han_or_kana(c), is_cjk(c), is_cjk_or_mark(c)];
            assert_eq!(got, expected, "{c}");
        }
    }
}
