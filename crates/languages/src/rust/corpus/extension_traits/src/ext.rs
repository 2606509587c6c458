use crate::Word;

pub trait StrExt {
    fn shout(&self) -> String;
}

impl StrExt for str {
    fn shout(&self) -> String {
        self.to_uppercase()
    }
}

pub trait IterExt: Iterator + Sized {
    fn every(self, n: usize) -> std::iter::StepBy<Self> {
        self.step_by(n)
    }
}

impl<I: Iterator> IterExt for I {}

pub mod prelude {
    pub use super::{Double, OptionExt, VecExt};
}

pub trait VecExt<T> {
    fn second(&self) -> Option<&T>;
}

impl<T> VecExt<T> for Vec<T> {
    fn second(&self) -> Option<&T> {
        self.get(1)
    }
}

pub trait OptionExt {
    fn unwrap_word(self) -> Word;
}

impl OptionExt for Option<Word> {
    fn unwrap_word(self) -> Word {
        self.unwrap()
    }
}

pub trait Double {
    fn double(self) -> Self;
}

impl Double for u32 {
    fn double(self) -> Self {
        self * 2
    }
}

impl Double for i64 {
    fn double(self) -> Self {
        self * 2
    }
}
