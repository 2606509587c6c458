//! WordPiece as in BERT's uncased models: <https://arxiv.org/abs/1609.08144>. The clean-up is that of the model's
//! published tokenizer, without its padding and its limit of 128.

use std::collections::HashMap;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// A longer word is unknown as a whole.
const LONGEST: usize = 100;

pub(super) struct Tokenizer {
    /// Beginnings of words.
    word_starts: HashMap<&'static str, u32>,
    /// Tokens that continue a word, without their `##`.
    continuations: HashMap<&'static str, u32>,
    unknown: u32,
    begin: u32,
    end: u32,
}

impl Tokenizer {
    pub(super) fn new(vocabulary: &'static str) -> Tokenizer {
        let mut first = HashMap::with_capacity(24_576);
        let mut next = HashMap::with_capacity(8_192);
        for (id, word) in vocabulary.lines().enumerate() {
            let id = id as u32;
            match word.strip_prefix("##") {
                Some(part) if !part.is_empty() => next.insert(part, id),
                _ => first.insert(word, id),
            };
        }
        let special = |name: &str| first.get(name).copied().unwrap_or(0);
        Tokenizer {
            unknown: special("[UNK]"),
            begin: special("[CLS]"),
            end: special("[SEP]"),
            word_starts: first,
            continuations: next,
        }
    }

    /// At most `length` tokens, including the marks at both ends.
    pub(super) fn encode(&self, text: &str, length: usize) -> Vec<u32> {
        let room = length.saturating_sub(1);
        let mut ids = vec![self.begin];
        let mut word = String::new();
        // No known word has more characters than this, so the rest may be dropped.
        for c in text
            .chars()
            .take(length * 64)
            .filter(|c| !is_control_or_format(*c))
        {
            if ids.len() >= room {
                break;
            }
            let alone = is_ideograph(c) || is_punctuation(c);
            if alone || c.is_whitespace() {
                self.push_normalized_word(&mut word, &mut ids);
            }
            if alone {
                word.push(c);
                self.push_normalized_word(&mut word, &mut ids);
            } else if !c.is_whitespace() {
                word.push(c);
            }
        }
        self.push_normalized_word(&mut word, &mut ids);
        ids.truncate(room);
        ids.push(self.end);
        ids
    }

    /// Appends the parts of a word and empties it.
    fn push_normalized_word(&self, word: &mut String, ids: &mut Vec<u32>) {
        if word.is_empty() {
            return;
        }
        let plain: String = if word.is_ascii() {
            word.to_ascii_lowercase()
        } else {
            word.nfd()
                .filter(|c| !is_combining_mark(*c))
                .flat_map(char::to_lowercase)
                .collect()
        };
        word.clear();
        let from = ids.len();
        if plain.chars().take(LONGEST + 1).count() > LONGEST || !self.push_word_pieces(&plain, ids)
        {
            ids.truncate(from);
            ids.push(self.unknown);
        }
    }

    /// Pushes the longest known beginning of the word, then of the rest, and so on. False if there is none.
    fn push_word_pieces(&self, word: &str, ids: &mut Vec<u32>) -> bool {
        let mut rest = word;
        let mut known = &self.word_starts;
        while !rest.is_empty() {
            let ends = rest.char_indices().map(|(at, c)| at + c.len_utf8());
            let mut ends: Vec<usize> = ends.collect();
            let found = loop {
                let Some(end) = ends.pop() else {
                    return false;
                };
                if let Some(id) = known.get(&rest[..end]) {
                    ids.push(*id);
                    break end;
                }
            };
            rest = &rest[found..];
            known = &self.continuations;
        }
        true
    }
}

/// Control and format characters; white space stays.
fn is_control_or_format(c: char) -> bool {
    match c {
        '\t' | '\n' | '\r' => false,
        '\0' | '\u{fffd}' | '\u{ad}' | '\u{61c}' | '\u{70f}' | '\u{180e}' | '\u{feff}' => true,
        '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => true,
        '\u{e000}'..='\u{f8ff}' | '\u{e0000}'..='\u{e007f}' => true,
        c => c.is_control(),
    }
}

fn is_ideograph(c: char) -> bool {
    matches!(c,
        '\u{4e00}'..='\u{9fff}' | '\u{3400}'..='\u{4dbf}' | '\u{20000}'..='\u{2a6df}'
        | '\u{2a700}'..='\u{2ceaf}' | '\u{f900}'..='\u{faff}' | '\u{2f800}'..='\u{2fa1f}')
}

fn is_punctuation(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_punctuation();
    }
    matches!(c,
        '¡' | '§' | '«' | '¶' | '·' | '»' | '¿' | '\u{37e}' | '\u{387}'
        | '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{2043}' | '\u{2045}'..='\u{2051}'
        | '\u{2053}'..='\u{205e}' | '\u{207d}' | '\u{207e}' | '\u{208d}' | '\u{208e}'
        | '\u{2308}'..='\u{230b}' | '\u{2329}' | '\u{232a}' | '\u{2768}'..='\u{2775}'
        | '\u{27c5}' | '\u{27c6}' | '\u{27e6}'..='\u{27ef}' | '\u{2983}'..='\u{2998}'
        | '\u{3001}'..='\u{3003}' | '\u{3008}'..='\u{3011}' | '\u{3014}'..='\u{301f}'
        | '\u{3030}' | '\u{303d}' | '\u{30a0}' | '\u{30fb}' | '\u{fe10}'..='\u{fe19}'
        | '\u{fe30}'..='\u{fe52}' | '\u{fe54}'..='\u{fe61}' | '\u{fe63}' | '\u{fe68}'
        | '\u{fe6a}' | '\u{fe6b}' | '\u{ff01}'..='\u{ff03}' | '\u{ff05}'..='\u{ff0a}'
        | '\u{ff0c}'..='\u{ff0f}' | '\u{ff1a}' | '\u{ff1b}' | '\u{ff1f}' | '\u{ff20}'
        | '\u{ff3b}'..='\u{ff3d}' | '\u{ff3f}' | '\u{ff5b}' | '\u{ff5d}' | '\u{ff5f}'..='\u{ff65}')
}
