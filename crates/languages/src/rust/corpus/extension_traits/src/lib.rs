mod ext;
mod quiet;

use ext::{IterExt as _, StrExt, prelude::*};

pub struct Word(String);

impl Word {
    fn shout(&self) -> String {
        self.0.shout() // calls src/ext.rs:str.shout
    }

    fn first(&self) -> char {
        'a'
    }
}

/// A trait that is not in the scope of the other functions.
fn local() -> usize {
    trait Local {
        fn trim(&self) -> usize;
    }
    impl Local for u8 {
        fn trim(&self) -> usize {
            0
        }
    }
    1u8.trim() // calls :local.u8.trim
}

pub fn run(words: Vec<Word>) {
    "a".shout().len(); // calls src/ext.rs:str.shout
    "b".trim().shout(); // calls src/ext.rs:str.shout
    "c".to_string().shout(); // calls src/ext.rs:str.shout
    words[0].shout(); // calls :Word.shout
    words.second().unwrap().first(); // calls src/ext.rs:Vec.second, :Word.first (missed)
    words.first().unwrap().shout(); // calls :Word.shout
    words.iter().every(2).next().unwrap().first(); // calls src/ext.rs:IterExt.every, :Word.first (missed)
    (0..3).every(1).count(); // calls src/ext.rs:IterExt.every (missed)
    Some(Word(String::new())).unwrap_word().first(); // calls :Word, src/ext.rs:Option.unwrap_word, :Word.first
    3u32.double().double(); // calls src/ext.rs:u32.double (missed)
    StrExt::shout("d"); // calls src/ext.rs:str.shout (missed), src/ext.rs:StrExt.shout (wrong)
    local(); // calls :local
    quiet::run(); // calls src/quiet.rs:run
}
