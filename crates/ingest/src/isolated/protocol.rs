//! What is said to a worker and what it says. Both are the same program, so there is one version.

use base::{FileFacts, Language};
use std::time::Duration;

/// Bytes of an answer that are read.
pub(super) const MOST_ANSWER: u64 = 256 << 20;

/// Bytes of a request before its source.
const HEAD: usize = 1 + 1 + 4;

/// What is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Request {
    /// The facts of a file.
    Facts,
    /// Which lines have code.
    CodeLines,
}

/// A request for a source.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted<'s> {
    pub(super) request: Request,
    pub(super) language: Language,
    pub(super) source: &'s str,
}

impl Wanted<'_> {
    /// As bytes, with the time that it may take.
    pub(super) fn encode(self, limit: Duration) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEAD + self.source.len());
        bytes.push(self.request as u8);
        bytes.push(self.language as u8);
        let limit = u32::try_from(limit.as_millis()).unwrap_or(u32::MAX);
        bytes.extend_from_slice(&limit.to_le_bytes());
        bytes.extend_from_slice(self.source.as_bytes());
        bytes
    }

    /// What [`Wanted::encode`] wrote.
    pub(super) fn decode(bytes: &[u8]) -> Option<(Wanted<'_>, Duration)> {
        let (head, source) = bytes.split_at_checked(HEAD)?;
        let (&[request, language], limit) = head.split_first_chunk()?;
        let request = [Request::Facts, Request::CodeLines]
            .into_iter()
            .find(|one| *one as u8 == request)?;
        let language = Language::ALL.into_iter().find(|l| *l as u8 == language)?;
        let limit = u32::from_le_bytes(limit.try_into().ok()?);
        let wanted = Wanted {
            request,
            language,
            source: str::from_utf8(source).ok()?,
        };
        Some((wanted, Duration::from_millis(u64::from(limit))))
    }
}

/// What a worker says at its start.
pub(super) fn greeting() -> Vec<u8> {
    format!(
        "parser {} {}",
        env!("CARGO_PKG_VERSION"),
        languages::FACTS_VERSION
    )
    .into_bytes()
}

/// An answer, with the processor time before it: that which the machine on which the limits were chosen would have taken.
pub(super) fn join_answer(taken: Duration, answer: &[u8]) -> Vec<u8> {
    let taken = u32::try_from(taken.as_millis()).unwrap_or(u32::MAX);
    [&taken.to_le_bytes(), answer].concat()
}

/// What [`join_answer`] joined.
pub(super) fn split_answer(bytes: &[u8]) -> Option<(Duration, &[u8])> {
    let (taken, answer) = bytes.split_first_chunk()?;
    let taken = u32::from_le_bytes(*taken);
    Some((Duration::from_millis(u64::from(taken)), answer))
}

/// Facts as a worker answers them. The columns of the cache are smaller, and take longer than the pipe.
pub(super) fn write_facts(facts: &FileFacts) -> Option<Vec<u8>> {
    postcard::to_stdvec(facts).ok()
}

/// The facts of an answer, where they can be those of that source: a worker may say anything.
pub(super) fn read_facts(answer: &[u8], language: Language, source: &str) -> Option<FileFacts> {
    let (facts, rest) = postcard::take_from_bytes::<FileFacts>(answer).ok()?;
    if !rest.is_empty() {
        return None;
    }
    // What a checked parser answers are names. The scanners of the other languages were read: they run in a worker because of
    // their memory.
    let is_sound = || !language.is_parser_checked() || facts.are_sound_names_of(source);
    (facts.language == language && is_sound()).then_some(facts)
}

/// Lines as a worker answers them.
pub(super) fn write_lines(lines: &[bool]) -> Vec<u8> {
    lines.iter().map(|line| u8::from(*line)).collect()
}

/// The lines of an answer, where there are as many as the source has.
pub(super) fn read_lines(answer: &[u8], count: usize) -> Option<Vec<bool>> {
    let is_sound = answer.len() == count && answer.iter().all(|line| *line <= 1);
    is_sound.then(|| answer.iter().map(|line| *line == 1).collect())
}
